# Compiler settings of our own targets: never passed on to users of the library.
function(winnow_settings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-psabi)
  if(CMAKE_UNITY_BUILD)  # sources that are included are no headers
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  # a * b + c stays two roundings everywhere: the same bits at every SIMD level and on every processor.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(WINNOW_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(WINNOW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WINNOW_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${WINNOW_SANITIZE})
  endif()
endfunction()

# For code that only calls the library: compiled for the compiler's speed, as it is much and takes little time to run.
function(winnow_quickly_compiled target)
  if(WINNOW_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()
