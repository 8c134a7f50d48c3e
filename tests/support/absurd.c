// SPDX-License-Identifier: MIT
#include "support/absurd.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LARGEST_BLOCK ((size_t)1 << 30)
#define MOST_SECONDS 20.0 // of processor time, with sanitizers

static void *allocate_less(void *user, size_t size)
{
    (void)user;
    return size > LARGEST_BLOCK ? NULL : aligned_alloc(64, (size + 63) & ~(size_t)63);
}

static void release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void set_number(void *def, const field *f, double value)
{
    char *at = (char *)def + f->offset;
    if (f->kind == 'f')
        *(float *)(void *)at = (float)value;
    else if (f->kind == 'd')
        *(double *)(void *)at = value;
    else
        *(int *)(void *)at = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
}

// The part of "lattice[2]" or "lock.halflife" that a message may be content with.
static bool names_field(const char *message, const char *name)
{
    char part[64];
    snprintf(part, sizeof part, "%.*s", (int)strcspn(name, ".["), name);
    return strstr(message, part) || (strchr(name, '.') && strstr(message, strchr(name, '.') + 1));
}

static int failures;

static void try_number(const definition *d, const field *f, double value)
{
    lope_error error = {0};
    void *def = test_calloc(1, d->size);
    d->make(def);
    set_number(def, f, value);
    clock_t begin = clock();
    lope_status status = d->use(def, &error);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    bool fine = status != LOPE_NO_MEMORY && seconds < MOST_SECONDS;
    if (!fine || (status == LOPE_BAD_DATA && !names_field(error.message, f->name))) {
        print_error("%s.%s = %g: %s, \"%s\", %.1f s\n", d->name, f->name, value, lope_status_name(status),
                    error.message, seconds);
        failures++;
    }
    test_free(def);
}

static void try_definition(const definition *d)
{
    static const double absurd[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -1.0, 0.0, 1e-20, 1e30, (double)INT_MAX, -1e30};
    for (const field *f = d->fields; f->name; f++)
        for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++)
            if (f->kind != 'i' || isfinite(absurd[i]))
                try_number(d, f, absurd[i]);
}

void test_absurd(const definition *definitions, size_t count)
{
    failures = 0;
    for (size_t i = 0; i < count; i++)
        try_definition(&definitions[i]);
    assert_int_equal(failures, 0);
}

void test_spare_memory(void)
{
    static const lope_allocator sparing = {allocate_less, release, NULL};
    lope_set_allocator(&sparing);
}
