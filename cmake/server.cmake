# SPDX-License-Identifier: MIT
# The studio's server, a room of the tool. All but its answers to requests is a library, which tests and fuzzing link.
find_package(Threads REQUIRED)
add_library(studio_parts STATIC cli/studio/request.c cli/studio/form.c cli/studio/guard.c cli/studio/head.c
  cli/studio/front.c cli/studio/folder.c cli/studio/claim.c cli/studio/write.c cli/studio/child.c cli/studio/builds.c)
target_include_directories(studio_parts PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(studio_parts PUBLIC lope Threads::Threads PRIVATE lope_flags)
target_sources(lope_tool PRIVATE cli/studio/server.c cli/studio/answers.c cli/studio/uploads.c)
target_link_libraries(lope_tool PRIVATE studio_parts)
