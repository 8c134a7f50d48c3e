# SPDX-License-Identifier: MIT
# Two libraries, each static and shared from the same objects. The folder of a source decides where it belongs.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
if(LOPE_ASSIMP)
  pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
endif()

# Run time: a C compiler and libm (threads are part of the C library).
file(GLOB runtime_sources CONFIGURE_DEPENDS src/base/*.c src/math/*.c src/motion/*.c src/asset/*.c
  src/mobility/*.c src/space/*.c src/crowd/*.c src/maps/*.c src/terrain/*.c src/level/*.c src/rings/*.c
  src/patches/*.c src/blocks/*.c src/moves/*.c src/grasp/*.c src/grasp/random/*.c
  src/grasp/modes/*.c src/world/*.c)
# Offline: files of other programs, pictures, the built-in motion set.
file(GLOB offline_sources CONFIGURE_DEPENDS src/synth/*.c src/fill/*.c src/io/*.c src/draw/*.c src/graph/*.c
  src/motion/build/*.c src/mobility/build/*.c src/maps/build/*.c src/rings/build/*.c
  src/patches/build/*.c src/blocks/build/*.c src/moves/build/*.c src/grasp/build/*.c)
include(cmake/scenes.cmake)
list(APPEND offline_sources ${scene_source})

# lope_add_library(name SOURCES...) makes `name`_shared and `name`_static, which are installed and show names that begin with lope_
# only, and `name`, an archive for the tool, tests and fuzzing, which use private functions as well.
function(lope_add_library name)
  add_library(${name}_objects OBJECT ${ARGN})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name}_objects PRIVATE lope_flags)
  add_library(${name} STATIC $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${name}_private)
  add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name})
  add_custom_command(TARGET ${name}_static POST_BUILD COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D OBJCOPY=${CMAKE_OBJCOPY}
    -D ARCHIVE=$<TARGET_FILE:${name}_static> -P ${PROJECT_SOURCE_DIR}/cmake/rename_private.cmake VERBATIM)
  add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_shared PROPERTIES
    OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  if(LOPE_SANITIZE STREQUAL "") # what a shared library lacks is found here, not by its users
    target_link_options(${name}_shared PRIVATE LINKER:-z,defs)
  endif()
  foreach(library ${name} ${name}_static ${name}_shared)
    target_include_directories(${library} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:lope_flags>)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
  endforeach()
endfunction()

lope_add_library(lope ${runtime_sources})
set_source_files_properties(src/base/files.c PROPERTIES
  COMPILE_DEFINITIONS LOPE_DATA_FOLDER="${CMAKE_INSTALL_FULL_DATADIR}/lope")
target_link_libraries(lope PUBLIC m Threads::Threads)
target_link_libraries(lope_static PUBLIC m Threads::Threads)
target_link_libraries(lope_shared PUBLIC m PRIVATE Threads::Threads)

lope_add_library(lope_offline ${offline_sources})
target_link_libraries(lope_offline PUBLIC lope)
target_link_libraries(lope_offline_static PUBLIC lope_static)
target_link_libraries(lope_offline_shared PUBLIC lope_shared)
set(offline_needs PkgConfig::JANSSON)
if(LOPE_ASSIMP AND ASSIMP_FOUND)
  target_compile_definitions(lope_offline_objects PRIVATE LOPE_HAVE_ASSIMP=1)
  list(APPEND offline_needs PkgConfig::ASSIMP)
endif()
foreach(target lope_offline_objects lope_offline lope_offline_static lope_offline_shared)
  target_link_libraries(${target} PRIVATE ${offline_needs})
endforeach()
