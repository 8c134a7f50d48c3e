// SPDX-License-Identifier: MIT
// The head of an HTTP request, from its first line to the blank one: pure functions from bytes to fields, so that they
// can be tested and fuzzed without a server. Strict: what browsers and curl never send is refused.
#ifndef LOPE_CLI_STUDIO_HEAD_H
#define LOPE_CLI_STUDIO_HEAD_H

#include "cli/studio/request.h"

enum { STUDIO_MAX_HEAD = 16384 };

typedef struct studio_head {
    const char *method;     // as sent
    const char *target;     // without what follows '?'
    const char *query;      // that, or NULL
    studio_headers headers; // the ones that tell where the request comes from
    const char *if_match;   // NULL where missing
    long long length;       // bytes of the body that follows; -1 where the request does not say, as in chunks
    bool expects_continue;  // the body comes only when the server asks for it
} studio_head;

// How many bytes of `size` the head takes, blank line included; 0 while its end is not there. Nothing before `from` is
// looked at: pass the size of the last call, so that a head that comes byte by byte costs no more than one at once.
size_t studio_head_size(const char *bytes, size_t size, size_t from);
// Splits a whole head of `size` bytes. The texts of `out` point into `bytes`, which are changed. 400 where it makes no
// sense: no request line, HTTP other than 1.0 and 1.1, control characters, folded lines, a field that counts twice.
studio_verdict studio_parse_head(char *bytes, size_t size, studio_head *out);

#endif
