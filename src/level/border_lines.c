// SPDX-License-Identifier: MIT
// Two sorted lists of lines, walked through side by side.
#include "level/border_lines.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const border_line *p = a, *q = b;
    const float x[] = {p->from.x, p->from.z, p->to.x, p->to.z, p->from.y, p->to.y, p->height};
    const float y[] = {q->from.x, q->from.z, q->to.x, q->to.z, q->from.y, q->to.y, q->height};
    for (int i = 0; i < 7; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

lope_status border_lines_update(border_lines *lines, const border_world *world, lope_error *error)
{
    border_line *old = lines->now.items, *next = lines->next.items;
    const int old_count = lines->now.count, count = lines->next.count;
    if (count)
        qsort(next, (size_t)count, sizeof *next, compare);
    for (int i = 0, k = 0; i < old_count; i++) {
        while (k < count && compare(&next[k], &old[i]) < 0)
            k++;
        if (k < count && compare(&next[k], &old[i]) == 0)
            next[k++].handle = old[i].handle;
        else
            world->remove(world->user, old[i].handle);
    }
    lope_status status = LOPE_OK;
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (!next[k].handle && !status)
            status = world->add(world->user, &next[k], &next[k].handle, error);
        if (next[k].handle)
            next[kept++] = next[k];
    }
    const list used = lines->now;
    lines->now = lines->next;
    lines->now.count = kept;
    lines->next = used;
    lines->next.count = 0;
    return status;
}

void border_lines_free(border_lines *lines)
{
    lope_free(lines->now.items);
    lope_free(lines->next.items);
}
