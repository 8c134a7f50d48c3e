// SPDX-License-Identifier: MIT
// Steps and stands of a clip. Feet say when, the body says what: how far it went, how much it turned. All limits are in
// lengths of the leg, or in speeds relative to what a leg of that length swings at (Froude's number).
#include "fill/steps.h"

#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "lope/contacts.h"
#include "lope/ground.h"

#define GRAVITY 9.81f
#define SHORTEST 0.1f     // seconds of a stay, or of a gap
#define LONGEST_STEP 1.5f // seconds between two strikes of one walk
#define RUN_FROUDE 0.5f   // speed squared by gravity and leg: where people begin to run
#define WALK_FROUDE 0.01f // and where they begin to walk
#define LEAST_WAY 0.12f   // of the leg: a step that goes nowhere
#define SPOT_TURN 0.26f   // radians of a step that turns on the spot
#define LEAST_SWING 0.06f // of the leg: a foot that moved less was not lifted to step
#define STAND_WINDOW 0.17f
#define STAND_TIME 0.3f
#define STAND_SPEED 0.12f // metres per second of hips and ankles, for a leg of 0.85 m
#define STAND_TURN 0.3f   // radians per second
#define STAND_LEGS 0.75f  // of the leg's length that the hips are above the lower ankle, at least
#define STAND_TRUNK 0.77f // cosine of the trunk's lean: 40 degrees, at which a body has lost an eighth of its height

// What is known of every frame.
typedef struct step_frame {
    lope_ground body;
    lope_vec3 ankles[2];
    float trunk; // cosine of its lean
} step_frame;

typedef struct step_work {
    const lope_clip *clip;
    float leg;
    step_frame *frames;
    uint16_t *contacts;
    fill_stay *stays[2];
    int stay_count[2];
} step_work;

int fill_stays(const uint16_t *contacts, int frame_count, double frame_rate, lope_side side, fill_stay *out)
{
    unsigned foot = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_FOOT;
    int shortest = (int)((double)SHORTEST * frame_rate + 0.5), count = 0;
    for (int f = 0; f < frame_count; f++) {
        if (!(contacts[f] & foot))
            continue;
        if (count && f - out[count - 1].end < shortest)
            out[count - 1].end = f + 1;
        else
            out[count++] = (fill_stay){f, f + 1};
    }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (out[i].end - out[i].first >= shortest || out[i].first == 0 || out[i].end == frame_count)
            out[kept++] = out[i];
    return kept;
}

// Cosine of the angle between up and the way from the hips to the top of the trunk; 1 where the skeleton has no trunk.
static float trunk_cosine(const lope_skeleton *skeleton, const lope_transform *model)
{
    static const lope_role tops[] = {LOPE_NECK, LOPE_HEAD, LOPE_CHEST};
    int top = -1;
    for (int i = 0; i < 3 && top < 0; i++)
        top = skeleton->roles[tops[i]];
    if (top < 0)
        return 1.0f;
    lope_vec3 trunk = lope_v3_sub(model[top].translation, model[skeleton->roles[LOPE_HIPS]].translation);
    return lope_v3_normalize(trunk, lope_v3(0.0f, 1.0f, 0.0f)).y;
}

static lope_status measure(step_work *w, lope_error *error)
{
    const lope_clip *clip = w->clip;
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    if (!model)
        return lope_fail_memory(error);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        w->frames[f].body = lope_ground_of_model(clip->skeleton, model);
        w->frames[f].ankles[0] = model[clip->skeleton->roles[LOPE_LEFT_ANKLE]].translation;
        w->frames[f].ankles[1] = model[clip->skeleton->roles[LOPE_RIGHT_ANKLE]].translation;
        w->frames[f].trunk = trunk_cosine(clip->skeleton, model);
    }
    lope_free(model);
    lope_status status = LOPE_OK;
    lope_contacts_def def = lope_contacts_def_default();
    if (clip->contacts)
        memcpy(w->contacts, clip->contacts, (size_t)clip->frame_count * sizeof *w->contacts);
    else
        status = lope_contacts_find(clip, &def, w->contacts, error);
    for (int side = 0; side < 2 && !status; side++)
        w->stay_count[side] =
            fill_stays(w->contacts, clip->frame_count, clip->frame_rate, (lope_side)side, w->stays[side]);
    return status;
}

static bool still(const step_work *w, int f)
{
    int reach = (int)((double)STAND_WINDOW * w->clip->frame_rate + 0.5), last = w->clip->frame_count - 1;
    const step_frame *a = &w->frames[f > reach ? f - reach : 0], *b = &w->frames[f + reach < last ? f + reach : last];
    float seconds = (float)((double)(b - a) / w->clip->frame_rate), limit = STAND_SPEED * w->leg / 0.85f * seconds;
    if (b == a)
        return false;
    float dx = b->body.x - a->body.x, dz = b->body.z - a->body.z;
    return dx * dx + dz * dz < limit * limit && lope_v3_distance(a->ankles[0], b->ankles[0]) < limit &&
           lope_v3_distance(a->ankles[1], b->ankles[1]) < limit &&
           fabsf(lope_wrap_angle(b->body.yaw - a->body.yaw)) < STAND_TURN * seconds;
}

// Legs hold the hips up, and the trunk is above them: a body that sits, lies or bends over does not stand.
static bool upright(const step_work *w, int f)
{
    const step_frame *frame = &w->frames[f];
    float ankles = fminf(frame->ankles[0].y, frame->ankles[1].y);
    return w->clip->root[f].y - ankles > STAND_LEGS * w->leg && frame->trunk > STAND_TRUNK;
}

static lope_status find_stands(const step_work *w, fill_steps *out, lope_error *error)
{
    list stands = {0};
    int first = -1, least = (int)((double)STAND_TIME * w->clip->frame_rate + 0.5);
    for (int f = 0; f <= w->clip->frame_count; f++) {
        if (f < w->clip->frame_count && still(w, f) && upright(w, f)) {
            first = first < 0 ? f : first;
            continue;
        }
        fill_stand stand = {first, f};
        bool long_enough = first >= 0 && f - first >= least;
        first = -1;
        if (long_enough && !list_add(&stands, &stand, sizeof stand)) {
            lope_free(stands.items);
            return lope_fail_memory(error);
        }
    }
    out->stands = stands.items;
    out->stand_count = stands.count;
    return LOPE_OK;
}

// Mean height of an ankle while its foot stands.
static float standing_height(const step_work *w, int side, const fill_stay *stay)
{
    float sum = 0.0f;
    for (int f = stay->first; f < stay->end; f++)
        sum += w->frames[f].ankles[side].y;
    return sum / (float)(stay->end - stay->first);
}

// The stay of the other foot that the body stands on when this one comes down.
static const fill_stay *other_stay(const step_work *w, int side, int strike)
{
    const fill_stay *found = NULL;
    for (int i = 0; i < w->stay_count[!side] && w->stays[!side][i].first <= strike; i++)
        found = &w->stays[!side][i];
    return found;
}

static fill_kind kind_of(const step_work *w, const fill_step *step)
{
    float way = sqrtf(step->ahead * step->ahead + step->aside * step->aside);
    float froude = step->speed * step->speed / (GRAVITY * w->leg);
    if (way < LEAST_WAY * w->leg)
        return fabsf(step->yaw) > SPOT_TURN ? FILL_SPOT : FILL_SHUFFLE;
    if (fabsf(step->aside) > fabsf(step->ahead) && fabsf(step->yaw) < 2.0f * SPOT_TURN)
        return FILL_SIDE;
    if (step->ahead < 0.0f)
        return FILL_BACK;
    return froude > RUN_FROUDE ? FILL_RUN : froude > WALK_FROUDE ? FILL_WALK : FILL_SHUFFLE;
}

static fill_step describe(const step_work *w, int side, int stay, int before)
{
    const fill_stay *own = &w->stays[side][stay];
    fill_step step = {.side = (lope_side)side, .strike = own->first};
    int left = w->stays[side][stay - 1].end - 1;
    bool follows = before >= 0 && own->first - before <= (int)((double)LONGEST_STEP * w->clip->frame_rate);
    step.from = follows ? before : left;
    lope_ground move = lope_ground_relative(w->frames[step.from].body, w->frames[step.strike].body);
    const fill_stay *other = other_stay(w, side, own->first);
    float seconds = (float)((double)(step.strike - step.from) / w->clip->frame_rate);
    step.ahead = move.z;
    step.aside = move.x;
    step.yaw = step.turn = move.yaw;
    step.rise = other ? standing_height(w, side, own) - standing_height(w, !side, other) : 0.0f;
    step.speed = sqrtf(move.x * move.x + move.z * move.z) / fmaxf(seconds, 1e-3f);
    step.kind = kind_of(w, &step);
    return step;
}

// A foot that comes down where it was has not stepped, unless the body turned.
static bool stepped(const step_work *w, int side, int stay)
{
    const fill_stay *a = &w->stays[side][stay - 1], *b = &w->stays[side][stay];
    lope_vec3 moved = lope_v3_sub(w->frames[b->first].ankles[side], w->frames[a->end - 1].ankles[side]);
    float yaw = lope_wrap_angle(w->frames[b->first].body.yaw - w->frames[a->end - 1].body.yaw);
    return lope_v3_length(moved) > LEAST_SWING * w->leg || fabsf(yaw) > SPOT_TURN;
}

// The hips swing to the one side with one foot and back with the other: two steps together tell how far the body turns.
static void take_out_swing(const step_work *w, fill_steps *out)
{
    for (int i = 0; i < out->count; i++) {
        fill_step *step = &out->steps[i];
        const fill_step *after = i + 1 < out->count ? step + 1 : NULL, *before = i > 0 ? step - 1 : NULL;
        if (after && after->from == step->strike)
            step->turn = 0.5f * (step->yaw + after->yaw);
        else if (before && step->from == before->strike)
            step->turn = 0.5f * (step->yaw + before->yaw);
        step->kind = kind_of(w, step);
    }
}

static lope_status collect(const step_work *w, fill_steps *out, lope_error *error)
{
    list steps = {0};
    int next[2] = {1, 1}, before = -1;
    for (;;) {
        int side = -1; // of the strike that comes next
        for (int s = 0; s < 2; s++)
            if (next[s] < w->stay_count[s] &&
                (side < 0 || w->stays[s][next[s]].first < w->stays[side][next[side]].first))
                side = s;
        if (side < 0)
            break;
        int stay = next[side]++;
        if (!stepped(w, side, stay))
            continue;
        fill_step step = describe(w, side, stay, before);
        before = step.strike;
        if (step.strike > step.from && !list_add(&steps, &step, sizeof step)) {
            lope_free(steps.items);
            return lope_fail_memory(error);
        }
    }
    out->steps = steps.items;
    out->count = steps.count;
    take_out_swing(w, out);
    return LOPE_OK;
}

lope_status fill_steps_find(const lope_clip *clip, fill_steps *out, lope_error *error)
{
    *out = (fill_steps){0};
    if (!lope_skeleton_is_biped(clip->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "clip '%s' cannot be surveyed: its skeleton has no known legs",
                         clip->name);
    size_t frames = (size_t)clip->frame_count;
    step_work w = {.clip = clip, .leg = fmaxf(lope_skeleton_leg_length(clip->skeleton), 1e-3f)};
    w.frames = lope_alloc_array(frames, sizeof *w.frames);
    w.contacts = lope_alloc_array(frames, sizeof *w.contacts);
    w.stays[0] = lope_alloc_array(frames, sizeof *w.stays[0]);
    w.stays[1] = lope_alloc_array(frames, sizeof *w.stays[1]);
    bool room = w.frames && w.contacts && w.stays[0] && w.stays[1];
    lope_status status = room ? measure(&w, error) : lope_fail_memory(error);
    if (!status)
        status = collect(&w, out, error);
    if (!status)
        status = find_stands(&w, out, error);
    lope_free(w.frames);
    lope_free(w.contacts);
    lope_free(w.stays[0]);
    lope_free(w.stays[1]);
    if (status)
        fill_steps_free(out);
    return status;
}

void fill_steps_free(fill_steps *steps)
{
    lope_free(steps->steps);
    lope_free(steps->stands);
    *steps = (fill_steps){0};
}
