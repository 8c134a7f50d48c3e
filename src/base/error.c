// SPDX-License-Identifier: MIT
// Status names and structured errors.
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lope_version(void)
{
    return LOPE_VERSION_STRING;
}

const char *lope_status_name(lope_status status)
{
    static const char *const names[LOPE_STATUS_COUNT] = {"ok",           "partial",     "not found",
                                                         "bad data",     "unsupported", "mismatch",
                                                         "input/output", "no memory",   "interrupted"};
    return (unsigned)status < LOPE_STATUS_COUNT ? names[status] : "unknown status";
}

const char *lope_error_text(const lope_error *error, char *text, size_t size)
{
    if (size == 0)
        return text;
    if (error->file[0] && error->line > 0 && error->column > 0)
        snprintf(text, size, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
    else if (error->file[0] && error->line > 0)
        snprintf(text, size, "%s:%d: %s", error->file, error->line, error->message);
    else if (error->file[0])
        snprintf(text, size, "%s: %s", error->file, error->message);
    else
        snprintf(text, size, "%s", error->message);
    return text;
}

static lope_status fill(lope_error *error, lope_status status, const char *file, int line, const char *format,
                        va_list arguments)
{
    if (!error)
        return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = line;
    if (file)
        snprintf(error->file, sizeof error->file, "%s", file);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    return status;
}

lope_status lope_fail(lope_error *error, lope_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, NULL, 0, format, arguments);
    va_end(arguments);
    return status;
}

lope_status lope_fail_at(lope_error *error, lope_status status, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, file, line, format, arguments);
    va_end(arguments);
    return status;
}

lope_status lope_fail_memory(lope_error *error)
{
    return lope_fail(error, LOPE_NO_MEMORY, "out of memory");
}

lope_status lope_fail_errno(lope_error *error, const char *file, const char *doing, int errno_value)
{
    if (errno_value == ENOMEM)
        return lope_fail_memory(error);
    lope_status status = errno_value == ENOENT || errno_value == ENOTDIR ? LOPE_NOT_FOUND : LOPE_IO;
    return lope_fail_at(error, status, file, 0, "cannot %s: %s", doing, strerror(errno_value));
}

// Whole numbers in full, so that one just beyond its limit does not look like the limit.
static const char *number_text(double value, char text[32])
{
    bool whole = value > -1e12 && value < 1e12 && value == (double)(int64_t)value;
    snprintf(text, 32, whole ? "%.0f" : "%g", value);
    return text;
}

lope_status lope_check_ranges(lope_error *error, const lope_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lope_range *r = &ranges[i];
        if (r->value >= r->least && r->value <= r->most)
            continue;
        char value[32], least[32], most[32];
        bool positive = r->least == LOPE_ABOVE_ZERO;
        return lope_fail(error, LOPE_BAD_DATA, "%s is %s, must be %s%s and at most %s", r->name,
                         number_text(r->value, value), positive ? "above " : "at least ",
                         positive ? "0" : number_text(r->least, least), number_text(r->most, most));
    }
    return LOPE_OK;
}
