// SPDX-License-Identifier: MIT
// One proposal from many clips. A group (a staircase, a seat, a ladder) of a clip joins the group found so far whose
// measures agree with it in everything that both show; what several clips show has the mean of their heights.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/scenery.h"

// One clip's word about one object.
typedef struct word {
    lope_scenery_source source;
    const lope_scenery_object *object;
} word;

typedef struct merge {
    const lope_scenery *const *parts;
    const lope_scenery_def *def;
    lope_scenery *out;
    word *words;
    int word_count, group_count;
} merge;

// Objects [first, end) of one clip.
typedef struct part_group {
    int clip, first, end;
} part_group;

static bool same_object(const lope_scenery_object *a, const lope_scenery_object *b, const lope_scenery_def *def)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == LOPE_SCENERY_LADDER)
        return fabsf(a->pitch - b->pitch) <= def->same_pitch && fabsf(a->lowest - b->lowest) <= 2.0f * def->same_level;
    return fabsf(a->height - b->height) <= (a->kind == LOPE_SCENERY_SEAT ? def->same_seat : def->same_level);
}

// The object of `group` that is nearest in height among those that are the same, or -1.
static int partner(const merge *m, int group, const lope_scenery_object *object)
{
    int best = -1;
    for (int i = 0; i < m->out->object_count; i++) {
        const lope_scenery_object *other = &m->out->objects[i];
        if (other->group != group || !same_object(object, other, m->def))
            continue;
        if (best < 0 || fabsf(other->height - object->height) < fabsf(m->out->objects[best].height - object->height))
            best = i;
    }
    return best;
}

static bool group_has_clip(const merge *m, int group, int clip)
{
    for (int w = 0; w < m->word_count; w++)
        if (m->words[w].source.clip == clip && m->out->objects[m->words[w].source.object].group == group)
            return true;
    return false;
}

// Everything that the smaller of the two shows has its partner in the other. Two objects of one clip are never one.
static bool group_fits(const merge *m, int group, part_group theirs)
{
    const lope_scenery_object *objects = m->parts[theirs.clip]->objects;
    int mine = 0, matched = 0;
    for (int i = 0; i < m->out->object_count; i++)
        mine += m->out->objects[i].group == group;
    for (int i = theirs.first; i < theirs.end; i++)
        matched += partner(m, group, &objects[i]) >= 0;
    int smaller = theirs.end - theirs.first < mine ? theirs.end - theirs.first : mine;
    return matched >= smaller && !group_has_clip(m, group, theirs.clip);
}

// Means over all words so far; how far the words lie from them.
static void settle(merge *m, int index)
{
    lope_scenery_object *object = &m->out->objects[index];
    double count = 0.0, height = 0.0, pitch = 0.0, lowest = 0.0, hips = 0.0, run = 0.0;
    object->holds = 0;
    for (int w = 0; w < m->word_count; w++) {
        const lope_scenery_object *said = m->words[w].object;
        if (m->words[w].source.object != index)
            continue;
        count += 1.0, height += (double)said->height, pitch += (double)said->pitch;
        lowest += (double)said->lowest, hips += (double)said->hips, run += (double)said->run;
        object->holds += said->holds;
        object->top = fmaxf(object->top, said->top);
        object->height = fmaxf(object->height, said->height);
    }
    bool ladder = object->kind == LOPE_SCENERY_LADDER; // how far up it was climbed differs; the highest counts
    object->height = ladder ? object->height : (float)(height / count);
    object->pitch = (float)(pitch / count);
    object->lowest = (float)(lowest / count);
    object->hips = (float)(hips / count);
    object->run = (float)(run / count);
    object->spread = 0.0f;
    for (int w = 0; w < m->word_count; w++) {
        const lope_scenery_object *said = m->words[w].object;
        float off = ladder ? said->pitch - object->pitch : said->height - object->height;
        if (m->words[w].source.object == index)
            object->spread = fmaxf(object->spread, fabsf(off));
    }
}

static lope_status join(merge *m, part_group theirs, lope_error *error)
{
    const lope_scenery_object *objects = m->parts[theirs.clip]->objects;
    int group = 0;
    while (group < m->group_count && !group_fits(m, group, theirs))
        group++;
    if (group == m->group_count)
        m->group_count++;
    for (int i = theirs.first; i < theirs.end; i++) {
        int index = partner(m, group, &objects[i]);
        if (index < 0) {
            lope_scenery_object object = objects[i];
            object.group = group;
            lope_status status = scenery_add(m->out, &object, error);
            if (status)
                return status;
            index = m->out->object_count - 1;
        }
        lope_scenery_source source = m->parts[theirs.clip]->sources[i];
        source.object = index;
        source.clip = theirs.clip;
        m->words[m->word_count++] = (word){source, &objects[i]};
        settle(m, index);
    }
    return LOPE_OK;
}

// How much of a group a clip shows: objects first, then holds.
static int shown(const merge *m, int group, int clip)
{
    int score = 0;
    for (int w = 0; w < m->word_count; w++)
        if (m->words[w].source.clip == clip && m->out->objects[m->words[w].source.object].group == group)
            score += 10000 + m->words[w].object->holds;
    return score;
}

// Steps of one staircase must stand as they stood in one clip.
static void place_group(merge *m, int group, int clip_count)
{
    int lead = 0, most = -1;
    for (int clip = 0; clip < clip_count; clip++) {
        int score = shown(m, group, clip);
        lead = score > most ? clip : lead;
        most = score > most ? score : most;
    }
    for (int w = 0; w < m->word_count; w++) {
        lope_scenery_object *object = &m->out->objects[m->words[w].source.object];
        if (object->group != group || m->words[w].source.clip != lead)
            continue;
        object->place = m->words[w].object->place;
        object->width = m->words[w].object->width;
        object->depth = m->words[w].object->depth;
    }
}

static bool object_before(const lope_scenery_object *a, const lope_scenery_object *b)
{
    return a->group != b->group ? a->group < b->group : a->height < b->height;
}

// Objects by group and height; the sources follow.
static lope_status sort_objects(merge *m, lope_error *error)
{
    lope_scenery *out = m->out;
    out->sources = lope_alloc_array((size_t)m->word_count, sizeof *out->sources);
    if (!out->sources)
        return lope_fail_memory(error);
    for (int i = 1; i < out->object_count; i++)
        for (int j = i; j > 0 && object_before(&out->objects[j], &out->objects[j - 1]); j--) {
            lope_scenery_object swap = out->objects[j];
            out->objects[j] = out->objects[j - 1];
            out->objects[j - 1] = swap;
            for (int w = 0; w < m->word_count; w++) {
                int *object = &m->words[w].source.object;
                *object = *object == j ? j - 1 : *object == j - 1 ? j : *object;
            }
        }
    for (int i = 0; i < out->object_count; i++)
        for (int w = 0; w < m->word_count; w++)
            if (m->words[w].source.object == i)
                out->sources[out->source_count++] = m->words[w].source;
    return LOPE_OK;
}

static lope_status merge_parts(merge *m, int count, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int clip = 0; clip < count; clip++) {
        const lope_scenery *part = m->parts[clip];
        m->out->slope = m->out->slope || part->slope;
        for (int first = 0, end; !status && first < part->object_count; first = end) {
            end = first + 1;
            while (end < part->object_count && part->objects[end].group == part->objects[first].group)
                end++;
            status = join(m, (part_group){clip, first, end}, error);
        }
    }
    for (int group = 0; group < m->group_count; group++)
        place_group(m, group, count);
    return status ? status : sort_objects(m, error);
}

lope_status lope_scenery_merge(const lope_scenery *const *parts, int count, const lope_scenery_def *def,
                               lope_scenery **out, lope_error *error)
{
    assert(parts && count >= 1 && def && out);
    *out = NULL;
    lope_status status = scenery_check(def, error);
    if (status)
        return status;
    size_t words = 0;
    for (int i = 0; i < count; i++)
        words += (size_t)parts[i]->object_count;
    merge m = {.parts = parts, .def = def};
    m.out = lope_alloc_zero(sizeof *m.out);
    m.words = lope_alloc_array(words, sizeof *m.words);
    status = m.out && m.words ? merge_parts(&m, count, error) : lope_fail_memory(error);
    lope_free(m.words);
    if (status)
        lope_scenery_destroy(m.out);
    else
        *out = m.out;
    return status;
}
