// SPDX-License-Identifier: MIT
// Unique joint names through an open-addressing hash table. Each entry remembers the last number it gave out, so that
// thirty thousand joints of one name do not cost thirty thousand tries each.
#include "io/bvh_names.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define SUFFIX_SIZE 16

typedef struct name_entry {
    const char *name; // NULL: free
    int last_number;
} name_entry;

// The entry of `name`, or the free one where it belongs.
static name_entry *find_entry(name_entry *table, size_t mask, const char *name)
{
    size_t at = (size_t)lope_hash(name, strlen(name), 0) & mask;
    while (table[at].name && strcmp(table[at].name, name) != 0)
        at = (at + 1) & mask;
    return &table[at];
}

// Makes the name in `text` unique, in place; there is room for a suffix.
static void make_unique(name_entry *table, size_t mask, char *text)
{
    name_entry *entry = find_entry(table, mask, text);
    if (entry->name) {
        char *suffix = text + strlen(text);
        name_entry *numbered;
        do {
            snprintf(suffix, SUFFIX_SIZE, "_%d", ++entry->last_number);
            numbered = find_entry(table, mask, text);
        } while (numbered->name);
        entry = numbered;
    }
    *entry = (name_entry){text, 1};
}

lope_status lope_bvh_names(const bvh_document *document, const char ***out, lope_error *error)
{
    *out = NULL;
    size_t joints = (size_t)document->joint_count, size = joints * sizeof(char *), slots = 64;
    for (size_t j = 0; j < joints; j++)
        size += document->joints[j].name_length + SUFFIX_SIZE;
    while (slots < 2 * joints)
        slots *= 2;
    const char **names = lope_alloc(size);
    name_entry *table = lope_alloc_zero(slots * sizeof *table);
    if (!names || !table) {
        lope_free(names);
        lope_free(table);
        return lope_fail_memory(error);
    }
    char *text = (char *)(names + joints);
    for (size_t j = 0; j < joints; j++) {
        size_t length = document->joints[j].name_length;
        memcpy(text, document->joints[j].name, length);
        text[length] = 0;
        make_unique(table, slots - 1, text);
        names[j] = text;
        text += length + SUFFIX_SIZE;
    }
    lope_free(table);
    *out = names;
    return LOPE_OK;
}
