// SPDX-License-Identifier: MIT
#include "support/tamper.h"

#include <stdlib.h>
#include <string.h>

#include "lope/container.h"

void test_write_changed(const char *from, const char *to, const test_change *what)
{
    lope_error error;
    lope_container *file;
    lope_container_writer *writer;
    assert_ok(lope_container_open(from, &file, &error));
    assert_ok(lope_container_writer_create(&writer, &error));
    for (int i = 0; i < lope_container_count(file); i++) {
        uint32_t version, type = lope_container_type(file, i, &version);
        size_t size;
        const void *data = lope_container_data(file, i, &size);
        char *copy = malloc(size + 1);
        memcpy(copy, data, size);
        if (type == what->chunk) {
            assert_true(what->at + what->size <= size);
            if (what->size)
                memcpy(copy + what->at, what->bytes, what->size);
            version = what->version ? what->version : version;
            size -= (size_t)what->cut;
        }
        assert_ok(lope_container_writer_add(writer, type, version, copy, size, &error));
        free(copy);
    }
    assert_ok(lope_container_writer_save(writer, to, &error));
    lope_container_writer_destroy(writer);
    lope_container_close(file);
}
