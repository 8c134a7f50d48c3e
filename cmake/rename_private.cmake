# SPDX-License-Identifier: MIT
# cmake -D NM=nm -D OBJCOPY=objcopy -D ARCHIVE=file.a -P rename_private.cmake: puts lope_private_ in front of every global name
# of an archive that does not begin with lope_. Names that objects of an archive share are visible to every program that links it,
# and some, such as json_null, are also names of other libraries. Objects are not merged, so that programs link only what they use.
execute_process(COMMAND ${NM} -g --defined-only ${ARCHIVE} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ [A-Za-z] [^\n]+" symbols "${lines}")
list(TRANSFORM symbols REPLACE "^[0-9a-f]+ [A-Za-z] " "")
list(FILTER symbols EXCLUDE REGEX "^lope_")
list(REMOVE_DUPLICATES symbols)
list(TRANSFORM symbols REPLACE "(.+)" "\\1 lope_private_\\1")
list(JOIN symbols "\n" symbols)
file(WRITE ${ARCHIVE}.names "${symbols}\n")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${ARCHIVE}.names ${ARCHIVE} COMMAND_ERROR_IS_FATAL ANY)
