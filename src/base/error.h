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

// A number of a definition and the range in which it must lie; NaN never does. Use LOPE_ABOVE_ZERO as `least` for what
// must be positive; the message then says "above 0". Use LOPE_LARGE as `most` for metres, seconds and weights without
// another limit: as many seconds, counted in frames, still fit an int.
#define LOPE_ABOVE_ZERO 1e-30
#define LOPE_LARGE 1e6
typedef struct lope_range {
    const char *name;
    double value, least, most;
} lope_range;
#define LOPE_RANGE(def, field, least, most)                                                                            \
    ((lope_range){#field, (double)(def)->field, (double)(least), (double)(most)})
// LOPE_BAD_DATA for the first that is out of range: "frame_rate is nan, must be at least 1 and at most 1000".
LOPE_API lope_status lope_check_ranges(lope_error *error, const lope_range *ranges, size_t count);
#define LOPE_CHECK(error, ...)                                                                                         \
    lope_check_ranges(error, (const lope_range[]){__VA_ARGS__},                                                        \
                      sizeof((const lope_range[]){__VA_ARGS__}) / sizeof(lope_range))

#endif
