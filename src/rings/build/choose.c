// SPDX-License-Identifier: MIT
// Which takes become samples (section 3.4). First greedily by landings, always the take least like those there are:
// that spans what the feet can reach. Then single samples are exchanged as long as all takes, those that were left out
// too, can be made better from the ones that are kept. Without the exchange a ring holds nothing but extremes, and
// walks on the flat are mixtures of climbing up and down, on bent knees.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "rings/build/build.h"

enum { CANDIDATES = 64, OWN_CANDIDATES = 32, PHASES = 8, ROUNDS = 12 };
static const double NEGATIVE = 0.25; // metres: what taking away all of a sample counts
static const double BESIDE = 0.15;   // metres: what is filled in lands so far from the performer's samples
static const double FILLED = 0.2;    // how much less takes count that were filled in
static const double STRAIGHT = 5.0;  // how much more straight takes count than others

typedef struct chooser {
    const ring_choose_def *def;
    int count;                 // of candidates, the chosen ones first
    int takes[CANDIDATES];     // which those are
    float (*landings)[2][3];   // [take_count]
    double counts[CANDIDATES]; // how much each counts
    double *alike[2];          // [count][count] by track: inner products of what the takes look like, in square metres
} chooser;

static double apart(const float a[3], const float b[3])
{
    double sum = 0.0;
    for (int d = 0; d < 3; d++)
        sum += (double)(a[d] - b[d]) * (double)(a[d] - b[d]);
    return sqrt(sum);
}

static double dissimilarity(const chooser *c, int a, int b)
{
    return fmax(apart(c->landings[a][0], c->landings[b][0]), apart(c->landings[a][1], c->landings[b][1]));
}

static double stride(const chooser *c, int take)
{
    const float *a = c->landings[take][0], *b = c->landings[take][1];
    return sqrt((double)(a[0] * a[0] + a[2] * a[2])) + sqrt((double)(b[0] * b[0] + b[2] * b[2]));
}

// Always the take farthest from those there are, of the performer's or of those that were filled in.
static void choose_farthest(chooser *c, bool filled, double farther, int most)
{
    for (; c->count < most; c->count++) {
        int best = -1;
        double farthest = farther;
        for (int t = 0; t < c->def->take_count; t++) {
            double nearest = c->def->takes[t].filled == filled ? HUGE_VAL : 0.0;
            for (int k = 0; k < c->count && nearest > farthest; k++)
                nearest = fmin(nearest, dissimilarity(c, t, c->takes[k]));
            if (nearest > farthest) {
                farthest = nearest;
                best = t;
            }
        }
        if (best < 0)
            break;
        c->takes[c->count] = best;
    }
}

// The shortest stride of the performer's, then what is farthest; then what was filled in and lies well beside those.
static void choose_greedily(chooser *c)
{
    int filled = 0, first = 0;
    for (int t = 0; t < c->def->take_count; t++)
        filled += c->def->takes[t].filled;
    while (c->def->takes[first].filled && filled < c->def->take_count)
        first++;
    c->takes[0] = first;
    for (int t = 1; t < c->def->take_count; t++)
        if (c->def->takes[t].filled == c->def->takes[first].filled && stride(c, t) < stride(c, c->takes[0]))
            c->takes[0] = t;
    c->count = 1;
    choose_farthest(c, false, c->def->dissimilarity, filled ? OWN_CANDIDATES : CANDIDATES);
    choose_farthest(c, true, fmax(c->def->dissimilarity, filled < c->def->take_count ? BESIDE : 0.0), CANDIDATES);
}

// All joints at even shares of a step, seen from the foot that stands.
static void look(const ring_take *take, int track, lope_transform *model, float *out)
{
    const lope_clip *clip = take->loop.clip;
    int joints = clip->skeleton->joint_count;
    double from = take->strikes[track], to = track ? take->strikes[0] + take->loop.period : take->strikes[1];
    lope_quat back = lope_quat_yaw(-take->yaws[track]);
    if (to <= from) // a stance
        to = from + take->loop.period;
    for (int p = 0; p < PHASES; p++) {
        lope_clip_model(clip, (int)lround(from + (to - from) * p / (PHASES - 1)), model);
        for (int j = 0; j < joints; j++) {
            lope_vec3 at = lope_quat_rotate(back, lope_v3_sub(model[j].translation, take->places[track]));
            memcpy(out + 3 * ((size_t)p * (size_t)joints + (size_t)j), &at, sizeof at);
        }
    }
}

// Radians that a step of a take turns: half of what a cycle does.
static double turn_of(const ring_take *take)
{
    const lope_clip *clip = take->loop.clip;
    int a = take->strikes[0];
    return 0.5 *
           (double)lope_wrap_angle(lope_clip_ground(clip, a + take->loop.period).yaw - lope_clip_ground(clip, a).yaw);
}

// Most steps lead straight on, and the performer's are what a ring should look like.
static double importance(const ring_take *take)
{
    return (take->filled ? FILLED : 1.0) * (1.0 + STRAIGHT / (1.0 + pow(turn_of(take) / 0.15, 2.0)));
}

static lope_status compare(chooser *c, lope_error *error)
{
    size_t joints = (size_t)c->def->takes[0].loop.clip->skeleton->joint_count, width = 3 * PHASES * joints;
    size_t n = (size_t)c->count;
    lope_transform *model = lope_alloc_array(joints, sizeof *model);
    float *looks = lope_alloc_array(n * width, sizeof *looks);
    c->alike[0] = lope_alloc_array(2 * n * n, sizeof(double));
    lope_status status = model && looks && c->alike[0] ? LOPE_OK : lope_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        c->counts[i] = importance(&c->def->takes[c->takes[i]]);
    for (int track = 0; track < 2 && !status; track++) {
        c->alike[track] = c->alike[0] + (size_t)track * n * n;
        for (size_t i = 0; i < n; i++)
            look(&c->def->takes[c->takes[i]], track, model, looks + i * width);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0.0;
                for (size_t k = 0; k < width; k++)
                    sum += (double)looks[i * width + k] * (double)looks[j * width + k];
                c->alike[track][i * n + j] = sum / (double)(PHASES * joints);
            }
    }
    lope_free(model);
    lope_free(looks);
    return status;
}

enum { SIDE = RING_SAMPLES + RING_DRIFT };

// Kriging from the kept candidates, inverted. False where two of them land in one place.
static bool prepare(const chooser *c, const int *kept, int count, int track, double *system)
{
    double work[SIDE * SIDE];
    int n = count + RING_DRIFT;
    memset(system, 0, (size_t)(n * n) * sizeof *system);
    for (int i = 0; i < count; i++) {
        const float *a = c->landings[c->takes[kept[i]]][track];
        for (int j = 0; j < count; j++)
            system[i * n + j] = (double)ring_apart(a, c->landings[c->takes[kept[j]]][track], RING_STEEP);
        system[i * n + count] = system[count * n + i] = 1.0;
        for (int d = 0; d < 3; d++)
            system[i * n + count + 1 + d] = system[(count + 1 + d) * n + i] = (double)a[d];
    }
    // Landings that lie on a plane still have an inverse.
    for (int d = 1; d < RING_DRIFT; d++)
        system[(count + d) * n + count + d] = -1e-6;
    return ring_invert(n, system, work);
}

// How badly a candidate is made from the kept ones: squared distance of its joints, and of its weights from a mean.
static double badness(const chooser *c, const int *kept, int count, int track, const double *system, int candidate)
{
    int n = count + RING_DRIFT;
    const float *at = c->landings[c->takes[candidate]][track];
    double right[SIDE], sum = 0.0, negative = 0.0;
    float weights[RING_SAMPLES];
    for (int i = 0; i < count; i++)
        right[i] = (double)ring_apart(at, c->landings[c->takes[kept[i]]][track], RING_STEEP);
    right[count] = 1.0;
    for (int d = 0; d < 3; d++)
        right[count + 1 + d] = (double)at[d];
    for (int i = 0; i < count; i++) {
        double weight = 0.0;
        for (int k = 0; k < n; k++)
            weight += system[i * n + k] * right[k];
        weights[i] = (float)weight;
    }
    lope_ring_limit(count, weights);
    const double *alike = c->alike[track];
    for (int i = 0; i < count; i++) {
        double w = (double)weights[i];
        sum -= 2.0 * w * alike[candidate * c->count + kept[i]];
        for (int j = 0; j < count; j++)
            sum += w * (double)weights[j] * alike[kept[i] * c->count + kept[j]];
        negative += fmax(-w, 0.0);
    }
    return fmax(sum + alike[candidate * c->count + candidate], 0.0) + NEGATIVE * NEGATIVE * negative * negative;
}

static double total_badness(const chooser *c, const int *kept, int count)
{
    double total = 0.0, system[SIDE * SIDE];
    for (int track = 0; track < 2; track++) {
        if (!prepare(c, kept, count, track, system))
            return HUGE_VAL;
        for (int i = 0; i < c->count; i++)
            total += c->counts[i] * badness(c, kept, count, track, system, i);
    }
    return total;
}

// How well a candidate turns to one side: sharply, on the level, at no less than a short stride. 0 up steps.
static double turns_well(const chooser *c, int candidate, double side)
{
    const ring_take *take = &c->def->takes[c->takes[candidate]];
    const float(*landing)[3] = (const float(*)[3])c->landings[c->takes[candidate]];
    const lope_clip *clip = take->loop.clip;
    int from = take->strikes[0];
    lope_vec3 way = lope_v3_sub(clip->root[from + take->loop.period], clip->root[from]);
    bool level = fmax(fabs((double)landing[0][1]), fabs((double)landing[1][1])) < 0.05;
    return level ? side * turn_of(take) * fmin(0.5 * hypot((double)way.x, (double)way.z) / 0.35, 1.0) : 0.0;
}

// Puts a turn first among those that are kept, behind `first` others, for each side to which none of them turns: most
// of what a performer does leads straight on, and a ring of that alone goes round its goal. Only where something was
// filled in: otherwise there is nothing else. Returns how many are first now.
static int keep_turns(const chooser *c, int *kept, int first, int count)
{
    const double enough = 0.3; // radians
    bool filled = false;
    for (int i = 0; i < c->count; i++)
        filled |= c->def->takes[c->takes[i]].filled;
    for (int side = -1; side <= 1 && filled && !c->def->rest && !c->def->straight; side += 2) {
        int best = 0, last = count - 1;
        double most = 0.0;
        for (int i = 0; i < c->count; i++)
            if (turns_well(c, i, side) > turns_well(c, best, side))
                best = i;
        for (int k = 0; k < count; k++)
            most = fmax(most, turns_well(c, kept[k], side));
        if (most > enough || turns_well(c, best, side) < enough)
            continue;
        kept[last] = kept[first];
        kept[first++] = best;
    }
    return first;
}

// Exchanges those from the `first` on.
static void exchange(const chooser *c, int *kept, int first, int count)
{
    double best = total_badness(c, kept, count);
    bool better = true;
    for (int round = 0; round < ROUNDS && better; round++) {
        better = false;
        for (int k = first; k < count; k++) {
            int was = kept[k], into = was;
            for (int i = 0; i < c->count; i++) {
                bool there = false;
                for (int m = 0; m < count; m++)
                    there |= kept[m] == i && m != k;
                if (there || i == was)
                    continue;
                kept[k] = i;
                double now = total_badness(c, kept, count);
                if (now < best * (1.0 - 1e-9)) {
                    best = now;
                    into = i;
                    better = true;
                }
            }
            kept[k] = into;
        }
    }
}

lope_status ring_choose(const ring_choose_def *def, int *chosen, int *count, lope_error *error)
{
    chooser c = {.def = def};
    c.landings = lope_alloc_array((size_t)def->take_count, sizeof *c.landings);
    if (!c.landings)
        return lope_fail_memory(error);
    for (int t = 0; t < def->take_count; t++)
        ring_take_landings(&def->takes[t], def->rest, c.landings[t]);
    choose_greedily(&c);
    *count = c.count < def->most ? c.count : def->most;
    int kept[RING_SAMPLES];
    for (int k = 0; k < *count; k++)
        kept[k] = k;
    lope_status status = LOPE_OK;
    if (!def->greedy && c.count > *count && *count > RING_DRIFT) {
        status = compare(&c, error);
        if (!status)
            exchange(&c, kept, 0, *count);
        // A turn that is put there may drive out the one to the other side.
        for (int turns = 0, before = -1; turns > before && !status;) {
            before = turns;
            turns = keep_turns(&c, kept, turns, *count);
            if (turns > before)
                exchange(&c, kept, turns, *count);
        }
    }
    for (int k = 0; k < *count; k++)
        chosen[k] = c.takes[kept[k]];
    lope_free(c.landings);
    lope_free(c.alike[0]);
    return status;
}

// ---- the usual step

typedef struct weighed_stride {
    double metres, counts;
} weighed_stride;

static int by_metres(const void *a, const void *b)
{
    double x = ((const weighed_stride *)a)->metres, y = ((const weighed_stride *)b)->metres;
    return (x > y) - (x < y);
}

// A step of a take, and how much it counts: up or down stairs hardly.
static weighed_stride stride_of(const ring_take *take)
{
    const lope_clip *clip = take->loop.clip;
    int a = take->strikes[0], b = a + take->loop.period;
    double x = (double)(clip->root[b].x - clip->root[a].x), z = (double)(clip->root[b].z - clip->root[a].z);
    double rise = (double)(clip->root[b].y - clip->root[a].y) / 0.1;
    return (weighed_stride){0.5 * sqrt(x * x + z * z), importance(take) / (1.0 + rise * rise)};
}

float ring_usual_stride(const ring_take *takes, int count)
{
    weighed_stride own[CANDIDATES];
    int known = 0, all_own = 0, at = 0;
    double all = 0.0, below = 0.0;
    for (int t = 0; t < count; t++)
        all_own += !takes[t].filled;
    int apart_by = 1 + all_own / CANDIDATES; // of many, every so manieth
    for (int t = 0; t < count; t++)
        if (!takes[t].filled && at++ % apart_by == 0)
            own[known++] = stride_of(&takes[t]);
    if (!known)
        return 0.0f;
    qsort(own, (size_t)known, sizeof *own, by_metres);
    for (int i = 0; i < known; i++)
        all += own[i].counts;
    int middle = 0;
    while (middle + 1 < known && (below += own[middle].counts) < 0.5 * all)
        middle++;
    return (float)own[middle].metres;
}
