# Each peer is one file of peers/, compiled when its library is found.
set(winnow_peers_missing "")

function(winnow_peer target name package found library)
  if(found)
    message(STATUS "winnow-bench: with ${name}")
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/peers/${name}.cpp)
    target_link_libraries(${target} PRIVATE ${library})
  else()
    message(STATUS "winnow-bench: without ${name} (Debian: ${package})")
    set(winnow_peers_missing "${winnow_peers_missing}${name} (Debian: ${package})\\n" PARENT_SCOPE)
  endif()
endfunction()
