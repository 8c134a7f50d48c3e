// SPDX-License-Identifier: MIT
// Who may ask. The server listens on this machine only, but every page in the user's browser can send requests there,
// and so can other users of the machine. Three things keep them out: the name that the request was sent to must be one
// of this machine (a foreign name can be made to point here), pages of other origins are refused, and everything
// but the page itself needs a key that only the printed address holds.
#include <stdio.h>
#include <string.h>

#include "cli/studio/request.h"

bool studio_same_key(const char *a, const char *b)
{
    if (strlen(a) != STUDIO_KEY_LENGTH || strlen(b) != STUDIO_KEY_LENGTH)
        return false;
    unsigned difference = 0;
    for (int i = 0; i < STUDIO_KEY_LENGTH; i++)
        difference |= (unsigned)(a[i] ^ b[i]);
    return difference == 0;
}

void studio_cookie_name(const studio_self *self, char *out, size_t size)
{
    snprintf(out, size, "lope-studio-%d", self->port);
}

// Whether `text` is "127.0.0.1:PORT" or "localhost:PORT".
static bool is_own_host(const char *text, const studio_self *self)
{
    char own[64];
    snprintf(own, sizeof own, "127.0.0.1:%d", self->port);
    if (strcmp(text, own) == 0)
        return true;
    snprintf(own, sizeof own, "localhost:%d", self->port);
    return strcmp(text, own) == 0;
}

// The value of our cookie among all of them, where it is as long as a key.
static bool find_cookie(const char *cookies, const studio_self *self, char key[STUDIO_KEY_LENGTH + 1])
{
    char name[64];
    studio_cookie_name(self, name, sizeof name);
    size_t length = strlen(name);
    for (const char *at = cookies; *at;) {
        at += strspn(at, " ;");
        size_t part = strcspn(at, ";");
        if (part == length + 1 + STUDIO_KEY_LENGTH && strncmp(at, name, length) == 0 && at[length] == '=') {
            memcpy(key, at + length + 1, STUDIO_KEY_LENGTH);
            key[STUDIO_KEY_LENGTH] = 0;
            return true;
        }
        at += part;
    }
    return false;
}

static bool knows_key(const studio_headers *headers, const studio_self *self)
{
    char key[STUDIO_KEY_LENGTH + 1];
    if (headers->key)
        return studio_same_key(headers->key, self->key);
    return headers->cookie && find_cookie(headers->cookie, self, key) && studio_same_key(key, self->key);
}

static bool from_elsewhere(const studio_route *route, const studio_headers *headers)
{
    if (headers->origin &&
        (strncmp(headers->origin, "http://", 7) != 0 || strcmp(headers->origin + 7, headers->host) != 0))
        return true;
    const char *site = headers->fetch_site;
    if (!site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0)
        return false;
    // Following a link to the page is fine wherever the link stands.
    bool follows_link = headers->fetch_mode && strcmp(headers->fetch_mode, "navigate") == 0;
    return !((route->kind == STUDIO_PAGE || route->kind == STUDIO_ENTER) && follows_link && !headers->origin);
}

studio_verdict studio_guard(const studio_route *route, const studio_headers *headers, const studio_self *self)
{
    if (!headers->host || !is_own_host(headers->host, self))
        return (studio_verdict){403, "the studio answers at 127.0.0.1 and localhost only"};
    if (from_elsewhere(route, headers))
        return (studio_verdict){403, "the studio does not answer pages from elsewhere"};
    if (route->kind == STUDIO_PAGE)
        return (studio_verdict){0, NULL};
    bool knows = route->kind == STUDIO_ENTER ? studio_same_key(route->key, self->key) : knows_key(headers, self);
    return knows ? (studio_verdict){0, NULL}
                 : (studio_verdict){403, "open the address that `lope studio` printed: it holds the key of this run"};
}
