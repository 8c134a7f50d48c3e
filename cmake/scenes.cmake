# SPDX-License-Identifier: MIT
# Puts scenes/*.json and what is in scenes/climb/, scenes/terrain/, scenes/levels/ and scenes/worlds/ into a C source as bytes, so that the tool has them
# wherever it is installed.
set(scene_arrays "")
# lope_embed(prefix FILES...) appends an array per file to scene_arrays and makes prefix_entries and prefix_total.
macro(lope_embed prefix)
  set(${prefix}_entries "")
  set(${prefix}_total 0)
  foreach(scene ${ARGN})
    get_filename_component(name ${scene} NAME_WE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scene})
    file(READ ${scene} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND scene_arrays "static const unsigned char ${prefix}_${name}[] = {${bytes}};\n")
    string(APPEND ${prefix}_entries "    {\"${name}\", ${prefix}_${name}, sizeof ${prefix}_${name}},\n")
    math(EXPR ${prefix}_total "${${prefix}_total} + 1")
  endforeach()
endmacro()
file(GLOB scene_files CONFIGURE_DEPENDS scenes/*.json)
file(GLOB climb_files CONFIGURE_DEPENDS scenes/climb/*.json)
file(GLOB terrain_files CONFIGURE_DEPENDS scenes/terrain/*.json)
file(GLOB level_files CONFIGURE_DEPENDS scenes/levels/*.json scenes/levels/*.glb)
file(GLOB world_files CONFIGURE_DEPENDS scenes/worlds/*.json)
lope_embed(scene ${scene_files})
lope_embed(climb ${climb_files})
lope_embed(terrain ${terrain_files})
lope_embed(level ${level_files})
lope_embed(world ${world_files})
math(EXPR all_levels "${level_total} + ${world_total}")
set(scene_source ${PROJECT_BINARY_DIR}/generated/scene_builtin.c)
file(CONFIGURE OUTPUT ${scene_source} @ONLY CONTENT
"// Made from the files of scenes/ by cmake/scenes.cmake.
#include \"io/scene_builtin.h\"

@scene_arrays@
const scene_builtin scene_builtins[] = {
@scene_entries@};
const int scene_builtin_count = @scene_total@;
const scene_builtin climb_builtins[] = {
@climb_entries@};
const int climb_builtin_count = @climb_total@;
const scene_builtin terrain_builtins[] = {
@terrain_entries@};
const int terrain_builtin_count = @terrain_total@;
const scene_builtin level_builtins[] = {
@level_entries@@world_entries@};
const int level_builtin_count = @all_levels@, level_builtin_own = @level_total@;
")
