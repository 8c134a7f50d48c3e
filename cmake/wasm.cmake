# SPDX-License-Identifier: MIT
# The run-time library as WebAssembly, where clang and wasi-libc are installed: one file, no imports. Everything that
# the headers declare is exported. src/base/alone stands in for threads and files.
find_program(WASM_CLANG clang)
find_program(WASM_LINKER wasm-ld)
find_path(WASI_HEADERS NAMES wasi/api.h PATHS /usr/include/wasm32-wasi NO_DEFAULT_PATH)
if(NOT WASM_CLANG OR NOT WASM_LINKER OR NOT WASI_HEADERS OR NOT LOPE_SANITIZE STREQUAL "")
  return()
endif()
set(LOPE_HAVE_WASM ON)
set(wasm_flags --target=wasm32-wasi -std=c17 -O2 -msimd128 -ffp-contract=off -fvisibility=hidden -DNDEBUG
  -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)

# Compiles sources; their objects into out.
function(lope_wasm_objects out)
  set(objects)
  foreach(source ${ARGN})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    set(object ${PROJECT_BINARY_DIR}/wasm/${name}.o)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${WASM_CLANG} ${wasm_flags} -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building ${name} for WebAssembly" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

set(wasm_sources ${runtime_sources})
list(FILTER wasm_sources EXCLUDE REGEX "src/base/(jobs|files)\\.c$")
file(GLOB wasm_alone CONFIGURE_DEPENDS src/base/alone/*.c)
lope_wasm_objects(wasm_library ${wasm_sources} ${wasm_alone})
add_custom_target(wasm_library DEPENDS ${wasm_library})

# lope_link_wasm(name OBJECTS...) makes name.wasm of the run-time library and more objects.
function(lope_link_wasm name)
  set(file ${PROJECT_BINARY_DIR}/${name}.wasm)
  add_custom_command(OUTPUT ${file}
    COMMAND ${WASM_CLANG} --target=wasm32-wasi -mexec-model=reactor -Wl,--export-dynamic -Wl,--export=aligned_alloc
      -Wl,--export=free -Wl,--export-table -Wl,--growable-table -Wl,--strip-all -o ${file} ${wasm_library} ${ARGN}
    DEPENDS wasm_library ${wasm_library} ${ARGN} COMMENT "Linking ${name}.wasm" VERBATIM)
  add_custom_target(${name}_wasm ALL DEPENDS ${file})
endfunction()

# lope_add_wasm(name SOURCES...) makes name.wasm of the run-time library and more sources.
function(lope_add_wasm name)
  lope_wasm_objects(objects ${ARGN})
  lope_link_wasm(${name} ${objects})
endfunction()
