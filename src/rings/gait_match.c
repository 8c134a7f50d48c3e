// SPDX-License-Identifier: MIT
// Finding where in the rings somebody's motion can go on: the frame of a ring, and weights, whose hips and feet are
// where theirs are, seen from the supporting ball, and move as theirs do. All samples are looked at in every third
// frame; from the nearest one, the landing that its weights lead to and the frame are improved by steps that get
// smaller, so that weights stay those of landings.
#include "rings/gait_match.h"

static const float SPEED_COUNTS = 0.15f;   // seconds: a difference of 1 m/s is as bad as this many metres
static const float TILT_COUNTS = 0.2f;     // metres for a radian
static const float CONTACT_COUNTS = 0.01f; // metres per frame by which a foot stands too early or too late
static const float STILL = 0.25f;          // metres per second: hips and feet of somebody who stands are slower
static const float RUNS = 1.9f,
                   WALKS = 2.6f;        // metres per second: runs are faster than one, walks slower than the other
static const float TIME_TO_LAND = 3.0f; // frames that are left for a foot in the air, at least
enum { SCAN_STEP = 3, ROUNDS = 4 };

static lope_transform joint_below(const lope_skeleton *skeleton, const lope_pose *pose, lope_transform above, int joint)
{
    lope_vec3 offset = pose->translations ? pose->translations[joint] : skeleton->rest[joint].translation;
    return lope_transform_mul(above, (lope_transform){pose->rotations[joint], offset});
}

static void see_foot(const lope_rings *rings, const lope_pose *pose, int side, int when, gait_seen_foot *out)
{
    const ring_leg *leg = &rings->legs[side];
    lope_transform at = {pose->rotations[0], pose->root};
    lope_vec3 hip = at.translation;
    for (int i = 0; i <= leg->toe; i++) {
        at = joint_below(rings->skeleton, pose, at, leg->joints[i]);
        if (i == leg->hip)
            hip = at.translation;
        if (i == leg->ankle)
            out->ankle[when] = at;
    }
    out->toe[when] = leg->toe == leg->ankle ? lope_quat_identity() : pose->rotations[leg->joints[leg->toe]];
    out->ball[when] = lope_transform_point(at, leg->ball);
    if (when > 0)
        return;
    out->heel = lope_transform_point(out->ankle[0], leg->heel);
    out->straight = lope_v3_distance(hip, out->ankle[0].translation) / (leg->thigh + leg->shin);
}

void gait_see(const lope_rings *rings, const lope_moment *moment, gait_seen *out)
{
    const lope_pose *poses[2] = {&moment->now, &moment->before};
    out->dt = moment->dt;
    for (int when = 0; when < 2; when++) {
        out->root[when] = (lope_transform){poses[when]->rotations[0], poses[when]->root};
        for (int side = 0; side < 2; side++)
            see_foot(rings, poses[when], side, when, &out->feet[side]);
    }
    for (int side = 0; side < 2; side++) {
        unsigned bits = (unsigned)moment->contacts >> (2 * side);
        out->feet[side].stands = bits & LOPE_CONTACT_LEFT_FOOT;
        out->feet[side].on_toes = bits & LOPE_CONTACT_LEFT_TOE;
    }
}

static float square(lope_vec3 v)
{
    return lope_v3_dot(v, v);
}

// A row of a ring and one before it, whose difference times `per` is its speed per second.
typedef struct row_pair {
    const float *now, *before;
    float per;
} row_pair;

// A turn about +Y.
typedef struct turn_about_y {
    float cosine, sine;
} turn_about_y;

static lope_vec3 turned_back(turn_about_y t, lope_vec3 v)
{
    return lope_v3(t.cosine * v.x - t.sine * v.z, v.y, t.sine * v.x + t.cosine * v.z);
}

// How far off a row is. *yaw: of its frame in the world.
static float off_by(const lope_ring *ring, int track, const gait_seen *seen, const row_pair *rows, float *yaw)
{
    lope_quat q = lope_quat_mul(seen->root[0].rotation, lope_quat_conjugate(lope_ring_root_rotation(ring, rows->now)));
    float upright = larger(q.w * q.w + q.y * q.y, 1e-6f), by = 1.0f / upright;
    turn_about_y turn = {(q.w * q.w - q.y * q.y) * by, 2.0f * q.w * q.y * by};
    float cost = 4.0f * TILT_COUNTS * TILT_COUNTS * larger(1.0f - upright, 0.0f);
    if (yaw)
        *yaw = (float)lope_atan2((double)turn.sine, (double)turn.cosine);
    const gait_seen_foot *foot = &seen->feet[track], *other = &seen->feet[1 - track];
    const lope_vec3 ours[3] = {ring_place(ring, rows->now), ring_ball_place(ring, rows->now, 1 - track),
                               ring_ball_place(ring, rows->now, track)};
    const lope_vec3 before[3] = {ring_place(ring, rows->before), ring_ball_place(ring, rows->before, 1 - track),
                                 ring_ball_place(ring, rows->before, track)};
    const lope_vec3 theirs[2][3] = {{seen->root[0].translation, other->ball[0], foot->ball[0]},
                                    {seen->root[1].translation, other->ball[1], foot->ball[1]}};
    static const float places[2] = {1.0f, 0.5f}, speeds[3] = {1.0f, 0.3f, 0.3f};
    float rate = 1.0f / seen->dt;
    for (int i = 0; i < 2; i++) {
        lope_vec3 at = turned_back(turn, lope_v3_sub(theirs[0][i], theirs[0][2]));
        cost += places[i] * square(lope_v3_sub(at, lope_v3_sub(ours[i], ours[2])));
    }
    for (int i = 0; i < 3; i++) {
        lope_vec3 speed = turned_back(turn, lope_v3_scale(lope_v3_sub(theirs[0][i], theirs[1][i]), rate));
        lope_vec3 off = lope_v3_sub(speed, lope_v3_scale(lope_v3_sub(ours[i], before[i]), rows->per));
        cost += speeds[i] * SPEED_COUNTS * SPEED_COUNTS * square(off);
    }
    return cost;
}

static float by_weights(const float *values, const float *weights, int samples)
{
    float sum = 0.0f;
    for (int s = 0; s < samples; s++)
        sum += weights[s] * values[s];
    return sum;
}

// Feet stand in the ring while they stand in the moment.
static float contact_cost(const lope_ring *ring, const gait_match *m, const gait_seen *seen, const float *weights)
{
    const ring_head *h = ring->head;
    int samples = (int)h->samples;
    float lift = by_weights(h->lift[m->track], weights, samples), off = by_weights(h->off[m->track], weights, samples);
    float other = seen->feet[1 - m->track].stands ? m->frame - lift : lift - m->frame;
    float own = seen->feet[m->track].stands ? m->frame - off : off - m->frame;
    if (h->kind == LOPE_RING_WALK) // somebody who walks always stands
        own = seen->feet[m->track].stands ? 0.0f : 200.0f;
    float frames = larger(other, 0.0f) + larger(own, 0.0f);
    return CONTACT_COUNTS * CONTACT_COUNTS * frames * frames;
}

// The samples themselves, in every third frame.
static void scan(const lope_rings *rings, int index, int track, const gait_seen *seen, gait_match *best)
{
    const lope_ring *ring = &rings->rings[index];
    const ring_head *h = ring->head;
    for (uint32_t s = 0; s < h->samples; s++)
        for (int frame = 1; frame < (int)h->frames; frame += SCAN_STEP) {
            const float *row = ring_row(ring, track, frame, (int)s);
            const row_pair rows = {row, ring_row(ring, track, frame - 1, (int)s), row[h->modes + RING_RATE]};
            gait_match m = {.ring = index, .track = track, .frame = (float)frame};
            m.weights[s] = 1.0f;
            m.cost = off_by(ring, track, seen, &rows, NULL);
            if (m.cost < best->cost)
                m.cost += contact_cost(ring, &m, seen, m.weights);
            if (m.cost < best->cost)
                *best = m;
        }
}

// The weights of a landing in a frame, and how far off they are.
static void look_closer(const lope_rings *rings, const gait_seen *seen, lope_vec3 landing, gait_match *m)
{
    const lope_ring *ring = &rings->rings[m->ring];
    const ring_head *h = ring->head;
    float now[RING_WIDTH], before[RING_WIDTH];
    lope_ring_krige(ring, m->track, landing, m->weights);
    lope_ring_limit((int)h->samples, m->weights);
    lope_ring_mix(ring, m->track, m->frame, m->weights, now);
    lope_ring_mix(ring, m->track, m->frame - now[h->modes + RING_RATE] * seen->dt, m->weights, before);
    const row_pair rows = {now, before, 1.0f / seen->dt};
    m->cost = off_by(ring, m->track, seen, &rows, &m->yaw) + contact_cost(ring, m, seen, m->weights);
}

static void improve(const lope_rings *rings, const gait_seen *seen, gait_match *best)
{
    const lope_ring *ring = &rings->rings[best->ring];
    const float *low = ring->head->low[best->track], *high = ring->head->high[best->track];
    float last = (float)ring->head->frames - TIME_TO_LAND, steps[4] = {0.08f, 0.06f, 0.12f, 1.5f};
    int sample = 0;
    while (best->weights[sample] == 0.0f)
        sample++;
    const float *point = ring->points + 4 * ((size_t)best->track * ring->head->samples + (size_t)sample);
    float at[4] = {point[0], point[1], point[2], best->frame};
    look_closer(rings, seen, lope_v3(at[0], at[1], at[2]), best);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 4; i++) {
            bool moved = false;
            for (int way = -1; way <= 1 && !moved; way += 2) {
                float tried[4] = {at[0], at[1], at[2], at[3]};
                tried[i] += (float)way * steps[i];
                tried[i] = larger(i < 3 ? low[i] : 0.0f, smaller(tried[i], i < 3 ? high[i] : last));
                gait_match m = *best;
                m.frame = tried[3];
                look_closer(rings, seen, lope_v3(tried[0], tried[1], tried[2]), &m);
                moved = m.cost < best->cost;
                if (moved) {
                    *best = m;
                    at[i] = tried[i];
                }
            }
            steps[i] *= moved ? 1.0f : 0.5f;
        }
}

static bool is_still(const gait_seen *seen)
{
    lope_vec3 ways[3] = {lope_v3_sub(seen->root[0].translation, seen->root[1].translation),
                         lope_v3_sub(seen->feet[0].ankle[0].translation, seen->feet[0].ankle[1].translation),
                         lope_v3_sub(seen->feet[1].ankle[0].translation, seen->feet[1].ankle[1].translation)};
    bool still = seen->feet[0].stands && seen->feet[1].stands;
    for (int i = 0; i < 3; i++)
        still = still && lope_v3_length(ways[i]) < STILL * seen->dt;
    return still;
}

void gait_find_match(const lope_rings *rings, const gait_seen *seen, gait_match *out)
{
    bool flies = !seen->feet[0].stands && !seen->feet[1].stands;
    int rest = lope_rings_find(rings, LOPE_RING_REST);
    *out = (gait_match){.cost = HUGE_VALF};
    if (is_still(seen)) { // weights follow from where the feet stand
        const lope_ring *ring = &rings->rings[rest];
        const row_pair rows = {ring_row(ring, 0, 0, 0), ring_row(ring, 0, 0, 0), 0.0f};
        *out = (gait_match){.ring = rest, .standing = true};
        out->cost = off_by(ring, 0, seen, &rows, &out->yaw);
        return;
    }
    lope_vec3 way = lope_v3_sub(seen->root[0].translation, seen->root[1].translation);
    float speed = sqrtf(way.x * way.x + way.z * way.z) / seen->dt;
    for (int r = 0; r < rings->count; r++) {
        uint32_t kind = rings->rings[r].head->kind;
        if (kind == LOPE_RING_REST || kind == LOPE_RING_OWN || (kind == LOPE_RING_WALK && (flies || speed > WALKS)) ||
            (kind == LOPE_RING_RUN && !flies && speed < RUNS))
            continue;
        for (int track = 0; track < 2; track++)
            if (flies || seen->feet[track].stands)
                scan(rings, r, track, seen, out);
    }
    if (out->cost < HUGE_VALF)
        improve(rings, seen, out);
}
