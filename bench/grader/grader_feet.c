// SPDX-License-Identifier: MIT
// Bodies by role, and feet: which of them stand.
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader_parts.h"

grader_body grader_body_none(void)
{
    grader_body body;
    memset(&body, 0xff, sizeof body); // all joints -1
    body.floor = 0.0;
    return body;
}

bool grader_body_set(grader_body *body, const char *role, int joint)
{
    int *const middle[] = {&body->hips, &body->spine, &body->chest, &body->neck, &body->head};
    static const char *const middles[] = {"hips", "spine", "chest", "neck", "head"};
    int *const limbs[] = {body->shoulder, body->elbow, body->hand, body->hip, body->knee, body->ankle, body->toe};
    static const char *const names[] = {"shoulder", "elbow", "hand", "hip", "knee", "ankle", "toe"};
    for (int i = 0; i < 5; i++)
        if (strcmp(role, middles[i]) == 0)
            return *middle[i] = joint, true;
    bool left = strncmp(role, "left ", 5) == 0, right = strncmp(role, "right ", 6) == 0;
    for (int i = 0; i < 7 && (left || right); i++)
        if (strcmp(role + (left ? 5 : 6), names[i]) == 0)
            return limbs[i][left ? GRADER_LEFT : GRADER_RIGHT] = joint, true;
    return false;
}

int grader_find_joint(const grader_motion *motion, const char *name)
{
    for (int j = 0; j < motion->joint_count; j++)
        if (strcmp(motion->names[j], name) == 0)
            return j;
    return -1;
}

grader_vec grader_ball(const grader_motion *m, const grader_body *body, int side, int frame)
{
    size_t first = (size_t)frame * (size_t)m->joint_count;
    if (body->toe[side] >= 0)
        return m->positions[first + (size_t)body->toe[side]];
    size_t ankle = first + (size_t)body->ankle[side];
    return gv_add(m->positions[ankle], gq_rotate(m->world[ankle], m->tips[body->ankle[side]]));
}

int grader_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Horizontal speed of the ball at a frame, metres per second, over 2 * reach frames.
static double ball_speed(const grader_motion *m, const grader_body *body, int side, int frame, int reach)
{
    int a = frame - reach < 0 ? 0 : frame - reach;
    int b = frame + reach >= m->frame_count ? m->frame_count - 1 : frame + reach;
    if (a == b)
        return 0.0;
    grader_vec d = gv_sub(grader_ball(m, body, side, b), grader_ball(m, body, side, a));
    return hypot(d.x, d.z) * m->rate / (double)(b - a);
}

double grader_ball_step(const grader_motion *m, const grader_body *body, int side, int frame)
{
    grader_vec d = gv_sub(grader_ball(m, body, side, frame + 1), grader_ball(m, body, side, frame));
    return hypot(d.x, d.z) * m->rate;
}

// Height below which a ball is low: 3 cm above where it usually stands, which its slow frames near the floor show.
double grader_low(const grader_motion *m, const grader_body *body, int side)
{
    double *heights = malloc((size_t)m->frame_count * sizeof *heights);
    if (!heights)
        abort();
    int reach = (int)(0.05 * m->rate + 0.5) > 0 ? (int)(0.05 * m->rate + 0.5) : 1, count = 0;
    for (int f = 0; f < m->frame_count; f++) {
        double height = grader_ball(m, body, side, f).y;
        if (ball_speed(m, body, side, f, reach) < 0.3 && height < body->floor + 0.25)
            heights[count++] = height;
    }
    qsort(heights, (size_t)count, sizeof *heights, grader_compare);
    double low = (count ? heights[count / 2] : body->floor) + GRADER_LOW;
    free(heights);
    return low;
}

void grader_contacts(const grader_motion *m, const grader_body *body, uint8_t (*out)[2])
{
    int reach = (int)(0.05 * m->rate + 0.5) > 0 ? (int)(0.05 * m->rate + 0.5) : 1;
    int least = (int)(0.1 * m->rate) > 1 ? (int)(0.1 * m->rate) : 1;
    for (int side = 0; side < 2; side++) {
        double low = grader_low(m, body, side);
        int begin = 0;
        bool down = false;
        for (int f = 0; f <= m->frame_count; f++) {
            bool now = false;
            if (f < m->frame_count) {
                double speed = ball_speed(m, body, side, f, reach);
                now = grader_ball(m, body, side, f).y < low && speed < (down ? 0.4 : 0.25);
                out[f][side] = now;
            }
            if (now && !down)
                begin = f;
            for (int g = begin; down && !now && f - begin < least && g < f; g++)
                out[g][side] = 0; // too short to have carried anybody
            down = now;
        }
    }
}

double grader_f1(const uint8_t *a, const uint8_t *b, int count, int slack)
{
    const uint8_t *tracks[2] = {a, b};
    double both = 0.0, missed = 0.0;
    for (int way = 0; way < 2; way++) {
        const uint8_t *mine = tracks[way], *other = tracks[1 - way];
        for (int f = 0; f < count; f++) {
            if (!mine[f])
                continue;
            bool found = false;
            for (int g = f - slack; g <= f + slack && !found; g++)
                found = g >= 0 && g < count && other[g];
            *(found ? &both : &missed) += 1.0;
        }
    }
    return both + missed > 0.0 ? both / (both + missed) : 1.0;
}
