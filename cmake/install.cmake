# What find_package(winnow) needs.
include(CMakePackageConfigHelpers)

install(TARGETS winnow EXPORT winnow-targets)
install(DIRECTORY include/winnow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT winnow-targets NAMESPACE winnow:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)

# Highway and oneTBB are private, but a static library's users link them.
set(winnow_tbb ${TBB_FOUND})
configure_package_config_file(cmake/winnow-config.cmake.in ${CMAKE_BINARY_DIR}/winnow-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/winnow-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/winnow-config.cmake ${CMAKE_BINARY_DIR}/winnow-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
