# SPDX-License-Identifier: MIT
# Puts scenes/*.json into a C source as bytes, so that the tool has them wherever it is installed.
file(GLOB scene_files CONFIGURE_DEPENDS scenes/*.json)
set(scene_arrays "")
set(scene_entries "")
set(scene_total 0)
foreach(scene ${scene_files})
  get_filename_component(name ${scene} NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scene})
  file(READ ${scene} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND scene_arrays "static const unsigned char ${name}[] = {${bytes}};\n")
  string(APPEND scene_entries "    {\"${name}\", ${name}, sizeof ${name}},\n")
  math(EXPR scene_total "${scene_total} + 1")
endforeach()
set(scene_source ${PROJECT_BINARY_DIR}/generated/scene_builtin.c)
file(CONFIGURE OUTPUT ${scene_source} @ONLY CONTENT
"// Made from scenes/*.json by cmake/scenes.cmake.
#include \"io/scene_builtin.h\"

@scene_arrays@
const scene_builtin scene_builtins[] = {
@scene_entries@};
const int scene_builtin_count = @scene_total@;
")
