// SPDX-License-Identifier: MIT
#include "grasp/script.h"

#include <string.h>

#define STAND 0.965     // of a leg's length that hips are up when the body stands
#define STAND_LEAN 0.03 // radians
#define USUAL_LEG 0.87  // metres
#define FEET_APART 0.03 // metres ahead and behind that feet stand which stand side by side
#define GROUND_OFF 0.15 // metres that ground may be off where it was expected
#define END_TIME 0.1    // seconds

void script_begin(script *s, const lope_grasp_body *body, const lope_grasp_world_def *solids)
{
    memset(s, 0, sizeof *s);
    s->body = body;
    s->solids = solids;
    s->arm = body->length[0][0] + body->length[0][1];
    s->leg = body->length[1][0] + body->length[1][1];
    s->trunk = body->spine;
    s->stand = STAND * s->leg;
    s->scale = s->leg / USUAL_LEG;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        s->now[i] = -1;
}

static void add_key(script *s, script_key key)
{
    if (s->key_count < SCRIPT_KEYS)
        s->keys[s->key_count++] = key;
    else
        s->full = true;
}

void script_body(script *s, double time, lope_xy hip, double spine)
{
    add_key(s, (script_key){.time = time, .hip = hip, .spine = spine});
}

void script_flies(script *s, double time, lope_xy hip, double spine, lope_xy speed)
{
    add_key(s, (script_key){.time = time, .hip = hip, .spine = spine, .slope = speed, .given = true});
}

int script_add_hold(script *s, lope_xy at, lope_hold_kind kind)
{
    if (s->hold_count == SCRIPT_HOLDS) {
        s->full = true;
        return 0;
    }
    s->holds[s->hold_count] = (lope_hold){.at = at, .kind = kind, .surface = -1};
    return s->hold_count++;
}

static void add_point(script *s, int limb, script_point point)
{
    if (s->point_count[limb] < SCRIPT_POINTS)
        s->points[limb][s->point_count[limb]++] = point;
    else
        s->full = true;
}

void script_takes(script *s, int limb, double time, int hold)
{
    s->now[limb] = hold;
    s->since[limb] = time;
}

void script_leaves(script *s, int limb, double time)
{
    int hold = s->now[limb];
    if (hold < 0)
        return;
    add_point(s, limb, (script_point){s->since[limb], SCRIPT_HELD, hold, s->holds[hold].at});
    add_point(s, limb, (script_point){time, SCRIPT_HELD, hold, s->holds[hold].at});
    s->now[limb] = -1;
}

void script_via(script *s, int limb, double time, lope_xy at)
{
    add_point(s, limb, (script_point){time, SCRIPT_VIA, -1, at});
}

void script_loose(script *s, int limb, double time, lope_xy at)
{
    add_point(s, limb, (script_point){time, SCRIPT_LOOSE, -1, at});
}

void script_arms_hang(script *s, double time)
{
    for (int i = LOPE_LEFT_ARM; i <= LOPE_RIGHT_ARM; i++)
        script_loose(s, i, time, xy(0.1 * s->scale, -0.93 * s->arm));
}

void script_stands(script *s, double time, lope_xy at)
{
    script_body(s, time, xy(at.x, at.y + s->stand), STAND_LEAN);
}

void script_feet(script *s, double time, lope_xy at)
{
    for (int i = 0; i < 2; i++) {
        lope_xy foot = xy(at.x + (i ? 1 : -1) * FEET_APART, at.y);
        foot.y = script_ground(s, foot.x, at.y + GROUND_OFF);
        if (fabs(foot.y - at.y) > GROUND_OFF) {
            foot.x = at.x + (i ? 0.002 : 0.0);
            foot.y = at.y;
        }
        script_takes(s, LOPE_LEFT_LEG + i, time, script_add_hold(s, foot, LOPE_HOLD_LOAD_BEARING));
    }
}

void script_starts(script *s, lope_xy at)
{
    if (s->start_known)
        at = xy_lerp(s->start[0], s->start[1], 0.5);
    script_stands(s, 0.0, at);
    script_feet(s, 0.0, at);
    for (int i = 0; i < 2 && s->start_known; i++)
        s->holds[s->now[LOPE_LEFT_LEG + i]].at = xy(s->start[i].x + 0.002 * i, s->start[i].y);
    script_arms_hang(s, 0.0);
}

void script_ends(script *s, double time, lope_xy at)
{
    script_stands(s, time, at);
    script_stands(s, time + END_TIME, at);
    script_arms_hang(s, time);
    script_arms_hang(s, time + END_TIME);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        script_leaves(s, i, time + END_TIME);
}
