// SPDX-License-Identifier: MIT
// What was written where there are no files.
#ifndef LOPE_SRC_BASE_ALONE_FILES_H
#define LOPE_SRC_BASE_ALONE_FILES_H

#include <stddef.h>

// The bytes of the last file that was written, until the next one is; NULL where there is none.
const void *lope_alone_written(size_t *size);

#endif
