// SPDX-License-Identifier: MIT
// Who may ask. The server listens on this machine only, but every page in the user's browser can send requests there,
// and so can other users of the machine. Three things keep them out: the name that the request was sent to must be one
// of this machine (a foreign name can be made to point here), pages of other origins are refused, and everything
// but the page itself needs a key that only the printed address holds. The key is sent in a header of its own, never as
// a cookie: browsers show cookies of one port of this machine to all others.
#include <stdio.h>
#include <string.h>

#include "cli/studio/request.h"

// In a time that does not tell where they differ.
static bool same_key(const char *a, const char *b)
{
    if (strlen(a) != STUDIO_KEY_LENGTH || strlen(b) != STUDIO_KEY_LENGTH)
        return false;
    unsigned difference = 0;
    for (int i = 0; i < STUDIO_KEY_LENGTH; i++)
        difference |= (unsigned)(a[i] ^ b[i]);
    return difference == 0;
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
    return !(route->kind == STUDIO_PAGE && follows_link && !headers->origin);
}

studio_verdict studio_guard(const studio_route *route, const studio_headers *headers, const studio_self *self)
{
    if (!headers->host || !is_own_host(headers->host, self))
        return (studio_verdict){403, "the studio answers at 127.0.0.1 and localhost only"};
    if (from_elsewhere(route, headers))
        return (studio_verdict){403, "the studio does not answer pages from elsewhere"};
    if (route->kind == STUDIO_PAGE || (headers->key && same_key(headers->key, self->key)))
        return (studio_verdict){0, NULL};
    return (studio_verdict){403, "open the address that `lope studio` printed: it holds the key of this run"};
}
