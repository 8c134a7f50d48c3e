// SPDX-License-Identifier: MIT
// Absurd numbers in definitions: NaN, infinities, negative, zero, tiny and huge ones in every number of every public
// definition. Whatever takes the definition answers soon: it works, finds nothing, or says which field is wrong. It
// never says that memory ran out, because no absurd number asks for gigabytes.
#ifndef LOPE_TESTS_SUPPORT_ABSURD_H
#define LOPE_TESTS_SUPPORT_ABSURD_H

#include "support/support.h"

// A number of a definition.
typedef struct field {
    const char *name;
    size_t offset;
    char kind; // f, d, i
} field;

typedef struct definition {
    const char *name;
    size_t size;
    void (*make)(void *def);
    lope_status (*use)(const void *def, lope_error *error);
    const field *fields; // up to one without a name
} definition;

// Tries all absurd numbers in all fields of definitions, one at a time, and fails where the answer is not as above.
void test_absurd(const definition *definitions, size_t count);
// From now on blocks of memory beyond a gigabyte are refused.
void test_spare_memory(void);

#define TRY_ALL(list) test_absurd(list, sizeof(list) / sizeof *(list))

#define FIELD(type, name)                                                                                              \
    {                                                                                                                  \
#name, offsetof(type, name), _Generic(((type *)0)->name, float : 'f', double : 'd', int : 'i')                 \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, 0, 0                                                                                                     \
    }
// make_NAME_def, which sets a definition to a value.
#define MAKE(type, value)                                                                                              \
    static void make_##type(void *def)                                                                                 \
    {                                                                                                                  \
        *(lope_##type *)def = (value);                                                                                 \
    }
// A definition with its make_NAME_def and use_NAME_def.
#define DEFINITION(type, fields)                                                                                       \
    {                                                                                                                  \
#type, sizeof(lope_##type), make_##type, use_##type, fields                                                    \
    }

#endif
