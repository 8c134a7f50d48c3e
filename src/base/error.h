// SPDX-License-Identifier: MIT
// Filling lope_error. Each function returns the status it was given, so that failing is one line:
//     return lope_fail(error, LOPE_BAD_DATA, "joint %d has no parent", joint);
#ifndef LOPE_SRC_BASE_ERROR_H
#define LOPE_SRC_BASE_ERROR_H

#include "lope/base.h"

LOPE_API lope_status lope_fail(lope_error *error, lope_status status, const char *format, ...) LOPE_PRINTF(3, 4);
// The same with a file and a line (0: no line).
LOPE_API lope_status lope_fail_at(lope_error *error, lope_status status, const char *file, int line, const char *format,
                                  ...) LOPE_PRINTF(5, 6);
LOPE_API lope_status lope_fail_memory(lope_error *error);
// LOPE_NOT_FOUND or LOPE_IO from errno: "walk.bvh: cannot open: No such file or directory".
LOPE_API lope_status lope_fail_errno(lope_error *error, const char *file, const char *doing, int errno_value);

#endif
