# Builds and runs the consumer:
#   cmake -DWAY=installed -DBUILD=<Winnow's build folder> -P run.cmake      against a copy installed from that build
#   cmake -DWAY=subdirectory -DBUILD=<Winnow's build folder> -P run.cmake   with Winnow's sources in its own build
# Its folders stay, so that a second run has little to do.
cmake_minimum_required(VERSION 3.22)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(folder ${BUILD}/consumer-${WAY})

if(WAY STREQUAL "subdirectory" AND NOT DEFINED ENV{WINNOW_LONG_TESTS})
  message("skipped: it builds the library anew; set WINNOW_LONG_TESTS, as ./check does")
  return()
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(WAY STREQUAL "installed")
  file(REMOVE_RECURSE ${folder}/prefix)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
  set(winnow -DCMAKE_PREFIX_PATH=${folder}/prefix)
else()
  set(winnow -DWINNOW_SOURCE=${here}/../..)
endif()
# Unoptimised, as it is built for one run.
run(${CMAKE_COMMAND} -G Ninja -S ${here} -B ${folder}/build -DCMAKE_BUILD_TYPE=Debug ${winnow})
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${folder}/build --output-on-failure)
