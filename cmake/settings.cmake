# Compiler settings of our own targets: never passed on to users of the library.
function(winnow_settings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-psabi)
  if(WINNOW_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(WINNOW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WINNOW_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${WINNOW_SANITIZE})
  endif()
endfunction()
