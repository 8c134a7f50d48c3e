// SPDX-License-Identifier: MIT
// Smoothing and timing. All poses that the search found are keys of one motion: the body runs through them along
// monotone cubics (Fritsch & Carlson 1980), so it does not stop at every grasp, and never overshoots a key. Held limbs
// are placed at every instant, so contacts are exact. Where the smooth motion touches something that the straight one
// did not, its tangents are shortened until it fits; where a joint would turn too fast, the step gets more time.
#include "grasp/motion.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define CHANNELS 12       // hip x and y, spine, neck, eight limb angles
#define FASTEST 7.3       // radians per second of any joint (418 degrees)
#define FASTEST_HIP 2.4   // metres per second
#define MEAN_SPEED 3.2    // radians per second that a joint turns at most on average in a step
#define BODY_SPEED 1.3    // metres per second of the hip
#define TURN_TIME 1.0     // seconds
#define LARGEST_JUMP 0.25 // radians of a joint between two frames that no slowing down would mend
#define LONGEST_STRETCH 8.0
#define ROUNDS 60 // of smoothing and timing

// The time between two keys.
typedef struct interval {
    int edge;
    double u0, u1; // of the edge
    double begin, span;
    bool plain; // straight, as it was searched
} interval;

typedef struct motion {
    const motion_input *input;
    int key_count, interval_count;
    double (*keys)[CHANNELS];
    double (*slopes)[CHANNELS];
    double *loose; // [key_count] how much of its slope a key keeps
    interval *intervals;
    double *stretch; // [steps] how much longer each takes than is natural
} motion;

static void channels_of(const lope_grasp_pose *pose, double out[CHANNELS])
{
    out[0] = pose->hip.x;
    out[1] = pose->hip.y;
    out[2] = pose->spine;
    out[3] = pose->neck;
    memcpy(out + 4, pose->limb, sizeof pose->limb);
}

static lope_grasp_pose pose_of(const double channels[CHANNELS], int facing)
{
    lope_grasp_pose pose = {
        .hip = {channels[0], channels[1]}, .spine = channels[2], .neck = channels[3], .facing = facing};
    memcpy(pose.limb, channels + 4, sizeof pose.limb);
    return pose;
}

static bool turns(const edge *e)
{
    return e->keys[0].facing != e->keys[e->key_count - 1].facing;
}

// Natural duration of a step, seconds.
static double natural_time(const edge *e)
{
    const lope_grasp_pose *a = &e->keys[0], *b = &e->keys[e->key_count - 1];
    if (turns(e))
        return TURN_TIME;
    double from[CHANNELS], to[CHANNELS], most = 0.0, path = 0.0;
    for (int k = 0; k + 1 < e->key_count; k++) {
        channels_of(&e->keys[k], from);
        channels_of(&e->keys[k + 1], to);
        double turn = 0.0;
        for (int c = 2; c < CHANNELS; c++)
            turn = fmax(turn, fabs(to[c] - from[c]));
        most += turn;
        path += xy_distance(e->path[k], e->path[k + 1]);
    }
    const mode_rule *rule = &mode_rules[e->mode];
    double time = rule->step_time * (0.55 + 0.45 * fmin(path / (2.0 * rule->stride), 1.5));
    time = fmax(time, most / MEAN_SPEED);
    return fmax(time, xy_distance(a->hip, b->hip) / BODY_SPEED);
}

static void set_times(motion *m)
{
    double time = 0.0;
    for (int i = 0; i < m->interval_count; i++) {
        interval *part = &m->intervals[i];
        const edge *e = &m->input->steps[part->edge].motion;
        double whole = natural_time(e) * m->stretch[part->edge] / m->input->speed;
        part->begin = time;
        part->span = whole * (part->u1 - part->u0);
        time += part->span;
    }
}

// Slopes by the weighted harmonic mean: zero at turning points, so nothing overshoots.
static void set_slopes(motion *m)
{
    for (int k = 0; k < m->key_count; k++)
        for (int c = 0; c < CHANNELS; c++) {
            m->slopes[k][c] = 0.0;
            if (k == 0 || k == m->key_count - 1)
                continue;
            double before = m->intervals[k - 1].span, after = m->intervals[k].span;
            double left = (m->keys[k][c] - m->keys[k - 1][c]) / before;
            double right = (m->keys[k + 1][c] - m->keys[k][c]) / after;
            if (left * right > 0.0)
                m->slopes[k][c] = m->loose[k] * (3.0 * (before + after)) /
                                  ((2.0 * after + before) / left + (after + 2.0 * before) / right);
        }
}

static double ease(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

// The body at t in [0, 1] of an interval.
static void body_at(const motion *m, int index, double t, double out[CHANNELS])
{
    const interval *part = &m->intervals[index];
    double v = 1.0 - t;
    for (int c = 0; c < CHANNELS; c++) {
        double a = m->keys[index][c], b = m->keys[index + 1][c];
        double da = part->plain ? 0.0 : m->slopes[index][c], db = part->plain ? 0.0 : m->slopes[index + 1][c];
        out[c] =
            a * (1.0 + 2.0 * t) * v * v + b * (1.0 + 2.0 * v) * t * t + part->span * (da * t * v * v - db * t * t * v);
    }
}

// Where on its edge the moving limb is: it starts and ends gently.
static double limb_at(const motion *m, int index, double t)
{
    const interval *part = &m->intervals[index];
    const edge *e = &m->input->steps[part->edge].motion;
    if (part->plain || e->key_count == 2)
        return part->u0 + (part->u1 - part->u0) * ease(t);
    double begin = part->u0 == 0.0 ? t * t * (2.0 - t) : part->u1 == 1.0 ? t * (1.0 + t - t * t) : t;
    return part->u0 + (part->u1 - part->u0) * begin;
}

// Legs that stand still while the body above them turns: each is bent in a plane that is tilted to its hold.
static void place_turning(const motion *m, const edge *e, double yaw, lope_climb_frame *frame)
{
    const lope_grasp_body *body = m->input->body;
    double cosine = lope_cos(yaw), sine = lope_sin(yaw);
    frame->yaw = yaw;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        lope_xy to = xy_sub(e->contacts.at[i], frame->pose.hip);
        double forward = to.x * cosine, sideways = to.x * sine;
        lope_grasp_pose straight = frame->pose;
        straight.facing = 1;
        straight.hip = xy(0, 0);
        frame->spread[i] = lope_atan2(sideways, -to.y);
        body_bend(body, &straight, i, xy(0, 0), xy(forward, -sqrt(to.y * to.y + sideways * sideways)),
                  frame->pose.limb[i]);
    }
}

// One instant; false where a held limb is out of reach.
static bool frame_at(const motion *m, int index, double t, lope_climb_frame *frame)
{
    const interval *part = &m->intervals[index];
    const search_step *step = &m->input->steps[part->edge];
    const stance *before = part->edge ? &m->input->steps[part->edge - 1].to.s : &m->input->start.s;
    const edge *e = &step->motion;
    double channels[CHANNELS];
    body_at(m, index, t, channels);
    *frame = (lope_climb_frame){.mode = (lope_grasp_mode)e->mode, .held = e->contacts.mask};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        frame->hold[i] = e->contacts.mask >> i & 1u ? before->hold[i] : -1;
    if (turns(e)) {
        double from = before->facing > 0 ? 0.0 : LOPE_PI, to = LOPE_PI - from;
        double yaw = from + (to - from) * ease(t);
        frame->pose = pose_of(channels, lope_cos(yaw) >= 0.0 ? 1 : -1);
        place_turning(m, e, yaw, frame);
        return true;
    }
    frame->pose = pose_of(channels, step->to.s.facing);
    frame->yaw = frame->pose.facing > 0 ? 0.0 : LOPE_PI;
    double u = limb_at(m, index, t);
    return edge_place(m->input->body, e, u, &frame->pose);
}

static bool is_allowed(const motion *m, int index, const lope_climb_frame *frame)
{
    return turns(&m->input->steps[m->intervals[index].edge].motion) ||
           edge_allows(m->input->world, m->input->body, &frame->pose);
}

// Looks at the frames of one interval; returns its fastest joint, or -1 where something is touched or a joint jumps.
static double try_interval(const motion *m, int index)
{
    const interval *part = &m->intervals[index];
    double rate = m->input->frame_rate, fastest = 0.0, end = part->begin + part->span;
    double jump = part->plain ? 1e9 : fmax(LARGEST_JUMP, 2.0 * FASTEST / rate);
    lope_climb_frame last, next;
    frame_at(m, index, 0.0, &last);
    double time = part->begin;
    for (int i = 1 + (int)floor(part->begin * rate + 1e-9); time < end; i++) {
        double until = fmin(i / rate, end), dt = until - time;
        bool fine = frame_at(m, index, clamp_to((until - part->begin) / part->span, 0.0, 1.0), &next);
        if (until < end && (!fine || !is_allowed(m, index, &next)))
            return -1.0;
        double turn = edge_turn(&last.pose, &next.pose);
        if (turn > jump)
            return -1.0;
        double way = xy_distance(last.pose.hip, next.pose.hip);
        if (dt > 0.3 / rate)
            fastest = fmax(fastest, fmax(turn, way * FASTEST / FASTEST_HIP) / dt);
        last = next;
        time = until;
    }
    return fastest;
}

// One round; true when nothing is left to mend.
static bool mend(motion *m, bool *dirty)
{
    bool done = true;
    for (int i = 0; i < m->interval_count; i++) {
        if (!dirty[i])
            continue;
        double fastest = try_interval(m, i);
        interval *part = &m->intervals[i];
        dirty[i] = false;
        if (fastest < 0.0 && !part->plain) {
            double *a = &m->loose[i], *b = &m->loose[i + 1];
            part->plain = *a == 0.0 && *b == 0.0;
            *a = *a > 0.3 ? 0.5 * *a : 0.0;
            *b = *b > 0.3 ? 0.5 * *b : 0.0;
        } else if (fastest > FASTEST && m->stretch[part->edge] < LONGEST_STRETCH) {
            m->stretch[part->edge] *= fmin(1.05 * fastest / FASTEST, 2.0);
        } else {
            continue;
        }
        done = false;
        for (int k = i > 1 ? i - 2 : 0; k < m->interval_count && k <= i + 2; k++)
            dirty[k] = true;
        for (int k = 0; k < m->interval_count; k++)
            dirty[k] |= m->intervals[k].edge == part->edge;
    }
    return done;
}

static lope_status smooth(motion *m, lope_error *error)
{
    bool *dirty = lope_alloc((size_t)m->interval_count + 1);
    if (!dirty)
        return lope_fail_memory(error);
    memset(dirty, 1, (size_t)m->interval_count + 1);
    bool all = true; // every interval has been looked at with the times as they are
    for (int round = 0; round < ROUNDS; round++) {
        set_times(m);
        set_slopes(m);
        bool clean = mend(m, dirty);
        if (clean && all)
            break;
        all = clean;
        if (clean)
            memset(dirty, 1, (size_t)m->interval_count + 1);
    }
    set_times(m);
    set_slopes(m);
    lope_free(dirty);
    return LOPE_OK;
}

static void lay_keys(motion *m)
{
    channels_of(&m->input->start.pose, m->keys[0]);
    int k = 0;
    for (int i = 0; i < m->input->count; i++) {
        const edge *e = &m->input->steps[i].motion;
        m->stretch[i] = 1.0;
        for (int j = 1; j < e->key_count; j++) {
            m->intervals[k] = (interval){.edge = i, .u0 = e->at[j - 1], .u1 = e->at[j], .plain = turns(e)};
            channels_of(&e->keys[j], m->keys[++k]);
        }
    }
    for (int i = 0; i <= k; i++)
        m->loose[i] = 1.0;
    for (int i = 0; i < k; i++)
        if (m->intervals[i].plain)
            m->loose[i] = m->loose[i + 1] = 0.0;
}

static void hold_still(const motion *m, const footing *at, lope_climb_frame *frame)
{
    *frame = (lope_climb_frame){.pose = at->pose,
                                .mode = (lope_grasp_mode)stance_mode(m->input->world, &at->s),
                                .held = stance_mask(&at->s),
                                .yaw = at->s.facing > 0 ? 0.0 : LOPE_PI};
    memcpy(frame->hold, at->s.hold, sizeof frame->hold);
}

static void write_step(const motion *m, const footing *at, double time, lope_climb_step *out)
{
    *out = (lope_climb_step){(lope_grasp_mode)stance_mode(m->input->world, &at->s), at->s.facing, {0}, time};
    memcpy(out->hold, at->s.hold, sizeof out->hold);
}

// Limbs that arrive hold from the frame of their arrival on.
static void write_frames(const motion *m, lope_climb_plan *plan, double duration)
{
    int index = 0;
    const footing *last = m->input->count ? &m->input->steps[m->input->count - 1].to : &m->input->start;
    for (int i = 0; i < plan->frame_count; i++) {
        double time = i / plan->frame_rate;
        while (index < m->interval_count - 1 && time >= m->intervals[index + 1].begin)
            index++;
        if (m->interval_count == 0 || time >= duration) {
            hold_still(m, last, &plan->frames[i]);
            continue;
        }
        const interval *part = &m->intervals[index];
        frame_at(m, index, clamp_to((time - part->begin) / part->span, 0.0, 1.0), &plan->frames[i]);
    }
    hold_still(m, &m->input->start, &plan->frames[0]);
}

static void write_steps(const motion *m, lope_climb_plan *plan)
{
    write_step(m, &m->input->start, 0.0, &plan->steps[0]);
    for (int i = 0; i < m->interval_count; i++)
        write_step(m, &m->input->steps[m->intervals[i].edge].to, m->intervals[i].begin + m->intervals[i].span,
                   &plan->steps[1 + m->intervals[i].edge]);
}

static lope_status write_plan(const motion *m, lope_climb_plan *plan, lope_error *error)
{
    const interval *end = &m->intervals[m->interval_count - 1];
    double duration = m->interval_count ? end->begin + end->span : 0.0;
    plan->frame_rate = m->input->frame_rate;
    plan->frame_count = 1 + (int)ceil(duration * plan->frame_rate);
    plan->step_count = 1 + m->input->count;
    plan->frames = lope_alloc_array((size_t)plan->frame_count, sizeof *plan->frames);
    plan->steps = lope_alloc_array((size_t)plan->step_count, sizeof *plan->steps);
    if (!plan->frames || !plan->steps)
        return lope_fail_memory(error);
    write_frames(m, plan, duration);
    write_steps(m, plan);
    return LOPE_OK;
}

lope_status motion_build(const motion_input *input, lope_climb_plan *plan, lope_error *error)
{
    motion m = {.input = input, .key_count = 1};
    for (int i = 0; i < input->count; i++)
        m.key_count += input->steps[i].motion.key_count - 1;
    m.interval_count = m.key_count - 1;
    size_t keys = (size_t)m.key_count;
    m.keys = lope_alloc_array(keys, sizeof *m.keys);
    m.slopes = lope_alloc_array(keys, sizeof *m.slopes);
    m.loose = lope_alloc_array(keys, sizeof *m.loose);
    m.intervals = lope_alloc_array(keys, sizeof *m.intervals);
    m.stretch = lope_alloc_array((size_t)input->count + 1, sizeof *m.stretch);
    lope_status status = m.keys && m.slopes && m.loose && m.intervals && m.stretch ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        lay_keys(&m);
        status = smooth(&m, error);
    }
    if (!status)
        status = write_plan(&m, plan, error);
    lope_free(m.keys);
    lope_free(m.slopes);
    lope_free(m.loose);
    lope_free(m.intervals);
    lope_free(m.stretch);
    return status;
}
