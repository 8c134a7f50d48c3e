// SPDX-License-Identifier: MIT
// What a map can do, over all its states: the authors' wish to know whether a set of clips suffices, and a capability
// map of where it can get a body. Clips promise turns that may lie where no transition leads; choices can be played.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mobility/map.h"

#define WALKS 0.6f       // metres in a second
#define ON_THE_SPOT 0.3f // metres in a second
#define SPEEDS 400       // of a histogram
#define SPEED_STEP 0.02f // metres per second
#define SHARE_LEFT_OUT 0.05

// The way of one choice, frame by frame, from the state on.
typedef struct choice_way {
    int count;         // of frames, and the state itself before them
    lope_vec2 *places; // [longest + 1]
    float *yaw;        // [longest + 1] not wrapped
    float *length;     // [longest + 1] walked so far
    int32_t *poses;    // [longest + 1]
} choice_way;

typedef struct surveying {
    const lope_mobility *map;
    choice_way way;
    void *memory;
} surveying;

static lope_status begin(const lope_mobility *map, surveying *s, lope_error *error)
{
    size_t longest = 1;
    for (uint32_t c = 0; c < map->head.choice_count; c++)
        longest = map->choices[c].frames > longest ? map->choices[c].frames : longest;
    longest++;
    *s = (surveying){.map = map, .memory = lope_alloc_array(longest, sizeof(lope_vec2) + 3 * sizeof(float))};
    s->way.places = s->memory;
    if (!s->memory)
        return lope_fail_memory(error);
    s->way.yaw = (float *)(s->way.places + longest);
    s->way.length = s->way.yaw + longest;
    s->way.poses = (int32_t *)(s->way.length + longest);
    return LOPE_OK;
}

static void follow(surveying *s, int32_t state, uint32_t choice)
{
    const lope_mobility *map = s->map;
    const uint8_t *path = map->paths + (size_t)choice * map->head.steps;
    choice_way *way = &s->way;
    ground_move at = {0.0f, 0.0f, 1.0f, 0.0f};
    way->count = 0;
    way->places[0] = (lope_vec2){0.0f, 0.0f};
    way->yaw[0] = way->length[0] = 0.0f;
    way->poses[0] = map->state_poses[state];
    for (uint32_t k = 0; k < map->head.steps; k++) {
        const mobility_action *action = &map->actions[map->action_first[state] + path[k]];
        int32_t pose = action->first_pose;
        for (int f = 0; f < action->frames && way->count < map->choices[choice].frames; f++) {
            const mobility_pose *p = &map->poses[pose];
            int n = ++way->count;
            at = ground_move_mul(at, p->enter);
            way->places[n] = (lope_vec2){at.x, at.z};
            way->yaw[n] = way->yaw[n - 1] + p->yaw;
            way->length[n] = way->length[n - 1] + sqrtf(p->enter.x * p->enter.x + p->enter.z * p->enter.z);
            way->poses[n] = pose;
            pose = p->next;
        }
        state = action->state;
    }
}

// Whether a state is left in the map.
static bool has_choices(const lope_mobility *map, int32_t state)
{
    return map->choice_first[state] < map->choice_first[state + 1];
}

static void note_turns(const choice_way *way, int second, uint64_t *speeds, lope_mobility_survey *out)
{
    for (int f = second; f <= way->count; f++) {
        float turn = way->yaw[f] - way->yaw[f - second], length = way->length[f] - way->length[f - second];
        if (length >= WALKS) {
            int bin = (int)(length / SPEED_STEP);
            out->left = fmaxf(out->left, turn);
            out->right = fmaxf(out->right, -turn);
            speeds[bin < SPEEDS ? bin : SPEEDS - 1]++;
        } else if (length < ON_THE_SPOT) {
            out->left_spot = fmaxf(out->left_spot, turn);
            out->right_spot = fmaxf(out->right_spot, -turn);
        }
    }
}

// The speed that a share of the time stays below.
static float speed_at(const uint64_t *speeds, double share)
{
    uint64_t all = 0, below = 0;
    for (int b = 0; b < SPEEDS; b++)
        all += speeds[b];
    for (int b = 0; b < SPEEDS; b++) {
        below += speeds[b];
        if (all && (double)below >= share * (double)all)
            return SPEED_STEP * ((float)b + 0.5f);
    }
    return 0.0f;
}

lope_status lope_mobility_survey_of(const lope_mobility *map, lope_mobility_survey *out, lope_error *error)
{
    surveying s;
    uint64_t speeds[SPEEDS] = {0};
    int second = (int)(map->head.frame_rate + 0.5f);
    *out = (lope_mobility_survey){.clips = map->set->clip_count, .stands = (int)map->head.stand_count};
    lope_status status = begin(map, &s, error);
    uint8_t *reached = lope_alloc_zero((size_t)map->set->clip_count + 1);
    if (!status && !reached)
        status = lope_fail_memory(error);
    for (int32_t state = 0; state < (int32_t)map->head.state_count && !status; state++) {
        out->states += has_choices(map, state);
        for (uint32_t c = map->choice_first[state]; c < map->choice_first[state + 1]; c++) {
            follow(&s, state, c);
            note_turns(&s.way, second, speeds, out);
            for (int f = 0; f <= s.way.count; f++)
                reached[map->poses[s.way.poses[f]].clip] = 1;
        }
    }
    for (int c = 0; c < out->clips && !status; c++)
        out->clips_reached += reached[c];
    out->slowest = speed_at(speeds, SHARE_LEFT_OUT);
    out->fastest = speed_at(speeds, 1.0 - SHARE_LEFT_OUT);
    lope_free(reached);
    lope_free(s.memory);
    return status;
}

// Marks the cells that a choice leads through, for this state.
static void mark(const choice_way *way, float reach, int32_t state, int32_t *last, lope_capability *out)
{
    for (int f = 0; f <= way->count; f++) {
        float x = (way->places[f].x + reach) * (0.5f / reach), z = (way->places[f].z + reach) * (0.5f / reach);
        if (!(x >= 0.0f && x < 1.0f && z >= 0.0f && z < 1.0f))
            continue;
        int column = (int)(x * LOPE_CAPABILITY_CELLS), line = (int)(z * LOPE_CAPABILITY_CELLS);
        int32_t *of_cell = &last[line * LOPE_CAPABILITY_CELLS + column];
        if (*of_cell != state)
            out->shares[line][column] += 1.0f;
        *of_cell = state;
    }
}

lope_status lope_mobility_capability(const lope_mobility *map, unsigned tags, float reach, lope_capability *out,
                                     lope_error *error)
{
    enum { CELLS = LOPE_CAPABILITY_CELLS * LOPE_CAPABILITY_CELLS };
    surveying s;
    lope_status status = LOPE_CHECK(error, {"reach", (double)reach, LOPE_ABOVE_ZERO, 1000});
    if (status)
        return status;
    memset(out, 0, sizeof *out);
    out->reach = reach;
    status = begin(map, &s, error);
    int32_t *last = lope_alloc_array(CELLS, sizeof *last); // the last state that led through a cell
    if (!status && !last)
        status = lope_fail_memory(error);
    for (int c = 0; c < CELLS && !status; c++)
        last[c] = -1;
    for (int32_t state = 0; state < (int32_t)map->head.state_count && !status; state++) {
        bool meant = !tags || map->poses[map->state_poses[state]].tags & tags;
        if (!meant || !has_choices(map, state))
            continue;
        out->states++;
        for (uint32_t c = map->choice_first[state]; c < map->choice_first[state + 1]; c++) {
            follow(&s, state, c);
            mark(&s.way, reach, state, last, out);
        }
    }
    for (int c = 0; c < CELLS && out->states > 0; c++)
        (&out->shares[0][0])[c] /= (float)out->states;
    lope_free(last);
    lope_free(s.memory);
    if (!status && out->states == 0)
        status = lope_fail(error, LOPE_NOT_FOUND, "no state of the map shows what was asked for");
    return status;
}
