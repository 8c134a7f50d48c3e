# SPDX-License-Identifier: MIT
# The studio's server, a room of the tool. What needs no server is a library of its own, for tests and fuzzing.
add_library(studio_parts STATIC cli/studio/request.c cli/studio/form.c cli/studio/guard.c cli/studio/folder.c
  cli/studio/claim.c cli/studio/write.c cli/studio/child.c cli/studio/builds.c)
target_include_directories(studio_parts PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(studio_parts PUBLIC lope PRIVATE lope_flags)
target_link_libraries(lope_tool PRIVATE studio_parts)

if(LOPE_STUDIO)
  find_path(CIVETWEB_HEADERS civetweb.h)
  find_library(CIVETWEB_LIBRARY civetweb)
endif()
if(CIVETWEB_HEADERS AND CIVETWEB_LIBRARY)
  target_sources(lope_tool PRIVATE cli/studio/server.c cli/studio/answers.c cli/studio/uploads.c)
  target_link_libraries(lope_tool PRIVATE ${CIVETWEB_LIBRARY} Threads::Threads)
  target_compile_definitions(lope_tool PRIVATE LOPE_HAVE_CIVETWEB=1)
  set(LOPE_HAVE_STUDIO ON)
endif()
