// SPDX-License-Identifier: MIT
// Entries are compared as seen from the foot that supports the body, because that foot is where a new motion is put on
// the old one: what differs then is what has to fade. Places count in metres, speeds as the way of SPEED seconds.
// Entries of each foot lie in a tree of boxes: halves along the number that differs most, down to a few entries. A
// search looks into the nearer half first and leaves out boxes that are farther away than the best entry found.
#include "motion/entries.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "motion/moment.h"

#define SPEED 0.12f    // seconds
#define HEADING 0.3f   // metres that a radian counts
#define TURNING 0.04f  // metres that a radian per second counts
#define TOUCHING 0.05f // metres that a foot counts which touches on one side only
#define HANDS 0.4f     // of hands: nobody sees an arm that is late

// Groups of entries: supported by the left foot, by the right one, by none.
enum { LEFT, RIGHT, NONE, GROUPS };
// Numbers of an entry, in whole eights.
enum { NUMBERS = 40, CHUNK = 8 };
// Entries of a leaf at most; nodes on the way to one.
enum { LEAF = 16, DEPTH = 40 };
// Leaves that a search looks into at most. Few need as many; what is found then is hardly worse than the best.
enum { MOST_LEAVES = 64 };

typedef struct entry {
    int32_t id, frame;
    lope_ground support; // the supporting foot seen from the entry's ground frame
} entry;

// Entries [first, end) and the box around their numbers. The left half follows in the array, the right one is there
// too; 0: a leaf.
typedef struct entry_node {
    int32_t first, end, right;
    float low[NUMBERS], high[NUMBERS];
} entry_node;

struct lope_entries {
    int32_t roots[GROUPS]; // nodes; -1: none
    entry *entries;
    float *numbers; // [NUMBERS] each
    entry_node *nodes;
};

// Heel and ball of a foot are neighbours.
static unsigned feet_of(const lope_moment *m)
{
    unsigned feet = (m->contacts & LOPE_CONTACT_LEFT_FOOT ? 1u << LEFT : 0u) |
                    (m->contacts & LOPE_CONTACT_RIGHT_FOOT ? 1u << RIGHT : 0u);
    return feet ? feet : 1u << NONE;
}

static lope_ground support_of(const lope_moment *m, int group)
{
    if (group == NONE)
        return m->ground;
    lope_vec3 heel = m->points[2 * group], ball = m->points[2 * group + 1];
    return (lope_ground){ball.x, ball.z, (float)lope_atan2((double)(ball.x - heel.x), (double)(ball.z - heel.z))};
}

// How the moment is seen from its support.
typedef struct support_view {
    lope_ground at;
    float cosine, sine, height;
} support_view;

static float *put_direction(const support_view *view, lope_vec3 v, float weight, float *out)
{
    *out++ = weight * (view->sine * v.x + view->cosine * v.z);
    *out++ = weight * (view->cosine * v.x - view->sine * v.z);
    *out++ = weight * v.y;
    return out;
}

static float *put_part(const support_view *view, const lope_moment *m, int part, float weight, float *out)
{
    lope_vec3 from = {view->at.x, view->height, view->at.z};
    out = put_direction(view, m->speeds[part], weight * SPEED, out);
    return put_direction(view, lope_v3_sub(m->points[part], from), weight, out);
}

// Returns the support in the world.
static lope_ground numbers_of(const lope_moment *m, int group, float out[NUMBERS])
{
    lope_ground at = support_of(m, group);
    support_view view = {at, (float)lope_cos((double)at.yaw), (float)lope_sin((double)at.yaw), m->height};
    double heading = (double)(m->ground.yaw - at.yaw);
    memset(out, 0, NUMBERS * sizeof *out);
    out = put_part(&view, m, PART_SEAT, 1.0f, out);
    *out++ = HEADING * (float)lope_sin(heading);
    *out++ = HEADING * (float)lope_cos(heading);
    *out++ = TURNING * m->turning;
    for (int side = LEFT; side <= RIGHT; side++) {
        out = put_part(&view, m, 2 * side + 1, 1.0f, out);
        *out++ = m->points[2 * side].y - m->points[2 * side + 1].y;
        *out++ = feet_of(m) >> side & 1u ? TOUCHING : 0.0f;
    }
    out = put_part(&view, m, PART_LEFT_HAND, HANDS, out);
    put_part(&view, m, PART_RIGHT_HAND, HANDS, out);
    return at;
}

static inline float sum_of(const float v[CHUNK])
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// The sum of squares, or some number above `limit` where it is more than that.
static float apart(const float *a, const float *b, float limit)
{
    float sum = 0.0f;
    for (int first = 0; first < NUMBERS && sum <= limit; first += CHUNK) {
        float squares[CHUNK];
        for (int k = 0; k < CHUNK; k++) {
            float d = a[first + k] - b[first + k];
            squares[k] = d * d;
        }
        sum += sum_of(squares);
    }
    return sum;
}

// What a search has found so far.
typedef struct search {
    const lope_entries *entries;
    const entry_wish *wish; // or NULL
    float numbers[NUMBERS];
    lope_ground support;
    float least;
    const entry *best;
    lope_ground best_at;
    float best_fit; // without what the wish adds
} search;

static void look_at(search *s, int index)
{
    const entry *e = &s->entries->entries[index];
    float sum = apart(s->entries->numbers + (size_t)index * NUMBERS, s->numbers, s->least);
    if (!(sum <= s->least))
        return;
    lope_ground at = lope_ground_mul(s->support, lope_ground_inverse(e->support));
    float fit = sum, more = s->wish ? s->wish->cost(s->wish->user, e->id, at) : 0.0f;
    sum += more * more;
    if (!(sum < s->least) && !(sum == s->least && e < s->best)) // of equal ones the first, in whatever order
        return;
    s->least = sum;
    s->best = e;
    s->best_at = at;
    s->best_fit = fit;
}

// The same to the nearest point of a box; a little less, so that rounding leaves nothing out.
static float apart_from_box(const entry_node *node, const float *numbers, float limit)
{
    float sum = 0.0f;
    for (int first = 0; first < NUMBERS && sum <= limit; first += CHUNK) {
        float squares[CHUNK];
        for (int k = 0; k < CHUNK; k++) {
            float below = node->low[first + k] - numbers[first + k], above = numbers[first + k] - node->high[first + k];
            float d = below > above ? below : above;
            squares[k] = d > 0.0f ? d * d : 0.0f;
        }
        sum += sum_of(squares);
    }
    return 0.9999f * sum;
}

static void search_plain(search *s, int root)
{
    for (int i = s->entries->nodes[root].first; i < s->entries->nodes[root].end; i++)
        look_at(s, i);
}

// A box that is still to be looked into, and how far away it is.
typedef struct open_box {
    int node;
    float apart;
} open_box;

static void search_tree(search *s, int root)
{
    const entry_node *nodes = s->entries->nodes;
    open_box boxes[DEPTH] = {{root, 0.0f}};
    for (int count = 1, leaves = 0; count > 0 && leaves < MOST_LEAVES;) {
        open_box box = boxes[--count];
        const entry_node *node = &nodes[box.node];
        if (box.apart > s->least)
            continue;
        if (!node->right) {
            search_plain(s, box.node);
            leaves++;
            continue;
        }
        open_box left = {box.node + 1, 0.0f}, right = {node->right, 0.0f};
        left.apart = apart_from_box(&nodes[left.node], s->numbers, s->least);
        right.apart = apart_from_box(&nodes[right.node], s->numbers, s->least);
        bool left_first = left.apart <= right.apart;
        boxes[count++] = left_first ? right : left;
        boxes[count++] = left_first ? left : right;
    }
}

// The feet that an entry may stand on: those that the moment stands on; where there are no such entries, any.
static unsigned groups_for(const lope_entries *entries, const lope_moment *moment)
{
    unsigned known = 0, wanted = feet_of(moment);
    for (int g = 0; g < GROUPS; g++)
        known |= entries->roots[g] >= 0 ? 1u << g : 0u;
    return wanted & known ? wanted & known : known;
}

static entry_found find(const lope_entries *entries, const lope_moment *moment, const entry_wish *wish,
                        void (*look)(search *s, int root))
{
    search s = {.entries = entries, .wish = wish, .least = INFINITY};
    unsigned groups = groups_for(entries, moment);
    for (int g = 0; g < GROUPS; g++)
        if (groups >> g & 1u) {
            s.support = numbers_of(moment, g, s.numbers);
            look(&s, entries->roots[g]);
        }
    if (!s.best)
        return (entry_found){.id = -1, .fit = INFINITY};
    return (entry_found){.id = s.best->id, .frame = s.best->frame, .at = s.best_at, .fit = sqrtf(s.best_fit)};
}

entry_found lope_entries_find(const lope_entries *entries, const lope_moment *moment, const entry_wish *wish)
{
    return find(entries, moment, wish, search_tree);
}

entry_found lope_entries_find_plain(const lope_entries *entries, const lope_moment *moment, const entry_wish *wish)
{
    return find(entries, moment, wish, search_plain);
}

// An entry on its way into the table.
typedef struct draft {
    entry entry;
    int group;
    float numbers[NUMBERS];
} draft;

// Feet that touch in a clip that does not know its contacts: the lower one.
static uint16_t contacts_in(const lope_clip *clip, int frame, const moment_places *now)
{
    if (clip->contacts)
        return clip->contacts[frame];
    return now->points[PART_LEFT_TOE].y <= now->points[PART_RIGHT_TOE].y ? LOPE_CONTACT_LEFT_FOOT
                                                                         : LOPE_CONTACT_RIGHT_FOOT;
}

static lope_moment moment_of_frame(const lope_clip *clip, int frame, const lope_contact_anatomy *anatomy,
                                   lope_transform *model)
{
    int from = frame > 0 ? frame - 1 : 0, to = frame > 0 || clip->frame_count < 2 ? frame : 1;
    moment_places places[3]; // before, after, now
    const int frames[3] = {from, to, frame};
    for (int k = 0; k < 3; k++) {
        lope_clip_model(clip, frames[k], model);
        places[k] = lope_moment_places(clip->skeleton, anatomy, model);
    }
    lope_moment moment = {.skeleton = clip->skeleton, .dt = (float)(1.0 / clip->frame_rate)};
    lope_moment_place(&moment, &places[0], &places[1]);
    moment.contacts = contacts_in(clip, frame, &places[2]);
    memcpy(moment.points, places[2].points, sizeof moment.points);
    moment.ground = places[2].ground;
    return moment;
}

static int draft_all(lope_clip *const *clips, const entry_frame *frames, int count, lope_transform *model, draft *out)
{
    int made = 0;
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(clips[0]->skeleton, &anatomy);
    for (int i = 0; i < count; i++) {
        lope_moment moment = moment_of_frame(clips[frames[i].clip], frames[i].frame, &anatomy, model);
        unsigned feet = feet_of(&moment);
        for (int g = 0; g < GROUPS; g++) {
            if (!(feet >> g & 1u))
                continue;
            draft *d = &out[made++];
            d->group = g;
            d->entry = (entry){.id = frames[i].id, .frame = frames[i].frame};
            d->entry.support = lope_ground_relative(moment.ground, numbers_of(&moment, g, d->numbers));
        }
    }
    return made;
}

// Drafts on their way into a tree.
typedef struct plant_key {
    float value;
    int32_t draft;
} plant_key;

typedef struct planting {
    const draft *drafts;
    plant_key *keys; // of all entries, in the order in which they will lie
    lope_entries *out;
    int node_count;
} planting;

static int compare_keys(const void *a, const void *b)
{
    const plant_key *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->draft > y->draft) - (x->draft < y->draft);
}

static void surround(const planting *p, entry_node *node)
{
    memcpy(node->low, p->drafts[p->keys[node->first].draft].numbers, sizeof node->low);
    memcpy(node->high, node->low, sizeof node->high);
    for (int i = node->first + 1; i < node->end; i++) {
        const float *numbers = p->drafts[p->keys[i].draft].numbers;
        for (int k = 0; k < NUMBERS; k++) {
            node->low[k] = fminf(node->low[k], numbers[k]);
            node->high[k] = fmaxf(node->high[k], numbers[k]);
        }
    }
}

// Plants the entries [first, end), at least one; returns the node.
static int plant(planting *p, int first, int end)
{
    int index = p->node_count++, widest = 0;
    entry_node *node = &p->out->nodes[index];
    *node = (entry_node){.first = first, .end = end};
    surround(p, node);
    if (end - first <= LEAF)
        return index;
    for (int k = 1; k < NUMBERS; k++)
        if (node->high[k] - node->low[k] > node->high[widest] - node->low[widest])
            widest = k;
    for (int i = first; i < end; i++)
        p->keys[i].value = p->drafts[p->keys[i].draft].numbers[widest];
    qsort(p->keys + first, (size_t)(end - first), sizeof *p->keys, compare_keys);
    int middle = first + (end - first) / 2;
    plant(p, first, middle);
    node->right = plant(p, middle, end);
    return index;
}

static void plant_all(planting *p, int count)
{
    int planted = 0;
    for (int g = 0; g < GROUPS; g++) {
        int first = planted;
        for (int i = 0; i < count; i++)
            if (p->drafts[i].group == g)
                p->keys[planted++].draft = i;
        p->out->roots[g] = planted > first ? plant(p, first, planted) : -1;
    }
    for (int i = 0; i < count; i++) {
        const draft *d = &p->drafts[p->keys[i].draft];
        p->out->entries[i] = d->entry;
        memcpy(p->out->numbers + (size_t)i * NUMBERS, d->numbers, sizeof d->numbers);
    }
}

// Halves of more than LEAF entries have more than LEAF / 2, so there are fewer leaves than count / (LEAF / 2), and one
// for each group.
static lope_entries *table_of(const draft *drafts, int count)
{
    size_t head = (sizeof(lope_entries) + 63) & ~(size_t)63, numbers = (size_t)count * NUMBERS * sizeof(float);
    size_t nodes = (4 * (size_t)count / LEAF + 2 * GROUPS) * sizeof(entry_node);
    lope_entries *entries = lope_alloc(head + numbers + nodes + (size_t)count * sizeof(entry));
    plant_key *keys = lope_alloc_array((size_t)count, sizeof *keys);
    if (entries && keys) {
        char *at = (char *)entries + head;
        *entries = (lope_entries){.numbers = (float *)(void *)at};
        entries->nodes = (entry_node *)(void *)(at + numbers);
        entries->entries = (entry *)(void *)(at + numbers + nodes);
        plant_all(&(planting){.drafts = drafts, .keys = keys, .out = entries}, count);
    } else {
        lope_free(entries);
        entries = NULL;
    }
    lope_free(keys);
    return entries;
}

lope_status lope_entries_create(lope_clip *const *clips, const entry_frame *frames, int count, lope_entries **out,
                                lope_error *error)
{
    *out = NULL;
    if (count < 1)
        return lope_fail(error, LOPE_NOT_FOUND, "there is no frame to enter at");
    draft *drafts = lope_alloc_array(2 * (size_t)count, sizeof *drafts);
    lope_transform *model = lope_alloc_array((size_t)clips[0]->skeleton->joint_count, sizeof *model);
    if (drafts && model)
        *out = table_of(drafts, draft_all(clips, frames, count, model, drafts));
    lope_free(drafts);
    lope_free(model);
    return *out ? LOPE_OK : lope_fail_memory(error);
}

void lope_entries_destroy(lope_entries *entries)
{
    lope_free(entries);
}
