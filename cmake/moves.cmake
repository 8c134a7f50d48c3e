# SPDX-License-Identifier: MIT
# The moves of the built-in set, ready-made: moves.lope beside the tool, and share/lope/moves.lope of an installed one.
# Made again where a room has changed that they are made in. Under sanitizers it would take minutes; who needs them there
# builds them.
if(NOT LOPE_SANITIZE STREQUAL "")
  return()
endif()
foreach(room base math motion asset mobility mobility/build maps maps/build rings rings/build patches patches/build blocks
    blocks/build moves moves/build io synth graph)
  file(GLOB sources CONFIGURE_DEPENDS src/${room}/*.[ch])
  list(APPEND moves_made_in ${sources})
endforeach()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/moves.lope
  COMMAND lope_tool build -o ${PROJECT_BINARY_DIR}/moves.lope > ${PROJECT_BINARY_DIR}/moves.txt
  DEPENDS ${moves_made_in} COMMENT "Making the moves of the built-in set" VERBATIM)
add_custom_target(moves ALL DEPENDS ${PROJECT_BINARY_DIR}/moves.lope)
