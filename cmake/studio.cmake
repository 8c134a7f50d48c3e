# SPDX-License-Identifier: MIT
# The page: the bridge of studio/wasm/ as WebAssembly, with the run-time library and those writers of the offline one that
# need nothing but C. scripts/studio makes the site of it.
if(NOT LOPE_HAVE_WASM)
  return()
endif()
file(GLOB studio_sources CONFIGURE_DEPENDS studio/wasm/*.c src/draw/*.c src/io/bvh_*.c src/io/glb*.c src/io/body_*.c)
list(APPEND studio_sources src/io/scene_space.c src/io/json.c src/io/units.c src/graph/pose_numbers.c src/maps/build/rivals.c
  src/maps/build/frontier.c src/io/json_read.c src/io/json_values.c src/io/json_things.c
  src/io/terrain_scene.c src/io/terrain_pieces.c src/io/terrain_mesh.c src/io/terrain_obj.c src/io/climb_scene.c src/io/climb_sequence.c
  src/io/terrain_open.c src/io/scene_builtin.c src/io/block_scene.c src/io/block_scene_world.c
  src/io/scene.c src/io/level_open.c src/io/level_scenes.c src/io/level_json.c src/io/level_meshes.c src/io/affine.c
  src/blocks/build/generate.c)
list(APPEND studio_sources ${scene_source})
list(TRANSFORM studio_sources PREPEND ${PROJECT_SOURCE_DIR}/ REGEX "^src/")
lope_wasm_objects(studio_objects ${studio_sources})
lope_link_wasm(studio ${studio_objects})
