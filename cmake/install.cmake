# SPDX-License-Identifier: MIT
# Headers, both libraries static and shared, pkg-config files, a CMake package and the tool.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/lope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS lope_static lope_shared lope_offline_static lope_offline_shared EXPORT lope-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT lope-targets NAMESPACE lope:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lope)
if(TARGET lope_tool)
  install(TARGETS lope_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The studio's page, where scripts/studio has made it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/studio/site/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lope/studio OPTIONAL)
endif()

if(TARGET moves)
  install(FILES ${PROJECT_BINARY_DIR}/moves.lope DESTINATION ${CMAKE_INSTALL_DATADIR}/lope OPTIONAL)
endif()

configure_package_config_file(cmake/lope-config.cmake.in lope-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lope)
write_basic_package_version_file(lope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lope-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/lope-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lope)

set(LOPE_OFFLINE_REQUIRES "jansson")
if(LOPE_ASSIMP AND ASSIMP_FOUND)
  string(APPEND LOPE_OFFLINE_REQUIRES ", assimp")
endif()
foreach(name lope lope-offline)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
