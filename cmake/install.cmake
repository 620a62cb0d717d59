# Installation: headers, library, program, CMake packages `mujoco` and `sinew`, pkg-config files, Debian package.
include(CMakePackageConfigHelpers)

# What ./run builds first is for the machine that it runs on.
if(NOT SINEW_LANES STREQUAL all)
  install(CODE "message(NOTICE \"Packs of worlds are those of this machine (${SINEW_LANES}); for other machines: cmake --preset release -DSINEW_LANES=all\")")
endif()

# the C++ face needs nothing but headers and the library
add_library(sinew_face INTERFACE)
add_library(sinew::sinew ALIAS sinew_face)
set_target_properties(sinew_face PROPERTIES EXPORT_NAME sinew)
target_compile_features(sinew_face INTERFACE cxx_std_20)
target_include_directories(sinew_face INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(sinew_face INTERFACE mujoco)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS mujoco EXPORT mujocoTargets)
install(TARGETS sinew_face EXPORT sinewTargets)
if(SINEW_APPS)
  install(TARGETS sinew)
  # The page for browsers, where tools/build_web.sh has built it.
  install(FILES ${PROJECT_SOURCE_DIR}/build/web/bin/page.html DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew OPTIONAL)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# CMake packages; the version of `mujoco` is that of the interface. pkg-config finds the prefix from where its file lies, so
# that an installed tree may be moved.
set(mujoco_package_version ${SINEW_INTERFACE_VERSION})
set(sinew_package_version ${PROJECT_VERSION})
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(package mujoco sinew)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
  install(EXPORT ${package}Targets NAMESPACE ${package}:: DESTINATION ${package_dir})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/${package}Config.cmake.in
    ${PROJECT_BINARY_DIR}/${package}Config.cmake INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake
    VERSION ${${package}_package_version} COMPATIBILITY SameMajorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/${package}Config.cmake ${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake
    DESTINATION ${package_dir})

  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# `cpack --config build/release/CPackConfig.cmake` makes a Debian package, below /usr.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME sinew)
  set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
  set(CPACK_PACKAGE_CONTACT "Sinew developers")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)  # the loader's cache learns of the library
  include(CPack)
endif()
