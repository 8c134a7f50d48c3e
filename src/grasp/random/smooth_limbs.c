// SPDX-License-Identifier: MIT
// Limb trajectory smoothing (4.6): between key poses of a limb its joints turn evenly, or with a lift, while the rest
// of the body stays as it is. Key poses are those in which the limb takes or leaves a hold; for the arms of a walking
// body also those in which the supporting foot changes, so that they swing once per step.
#include "base/memory.h"
#include "grasp/random/scribe.h"

#define SHORTEST 4   // configurations
#define FURTHEST 0.3 // radians from one to the next

static const double lifts[] = {0.0, 0.35, 0.8};

static bool is_key(const trail *path, int limb, int i)
{
    if (i == 0 || i == path->count - 1)
        return true;
    const figure *before = &path->items[i - 1], *now = &path->items[i];
    if (before->hold[limb] != now->hold[limb] || before->pose.facing != now->pose.facing)
        return true;
    bool walks = now->mode == LOPE_MODE_WALK && before->mode == LOPE_MODE_WALK;
    return !body_is_leg(limb) && walks &&
           (before->hold[LOPE_LEFT_LEG] != now->hold[LOPE_LEFT_LEG] ||
            before->hold[LOPE_RIGHT_LEG] != now->hold[LOPE_RIGHT_LEG]);
}

// How far along a stretch each item is, 0 to 1, by how much the body moves.
static void lay_shares(const trail *path, int from, int to, double *share)
{
    share[0] = 0.0;
    for (int i = from; i < to; i++) {
        const lope_grasp_pose *a = &path->items[i].pose, *b = &path->items[i + 1].pose;
        share[i - from + 1] = share[i - from] + 0.01 + edge_turn(a, b) + xy_distance(a->hip, b->hip);
    }
    for (int i = 0; i <= to - from; i++)
        share[i] /= share[to - from];
}

// Ways between two items are looked at in two places only: a limb may not go far there.
static bool jumps(const lope_grasp_pose *a, const lope_grasp_pose *b, int limb)
{
    return fabs(a->limb[limb][0] - b->limb[limb][0]) > FURTHEST || fabs(a->limb[limb][1] - b->limb[limb][1]) > FURTHEST;
}

// Turns the limb evenly from one item to another; false, with the path untouched, where something is touched.
static bool even_out(scribe *s, int limb, int from, int to, double lift, double *share, double (*angles)[2])
{
    const lope_grasp_body *body = s->task->body;
    int leg = body_is_leg(limb);
    const double *a = s->path.items[from].pose.limb[limb], *b = s->path.items[to].pose.limb[limb];
    lay_shares(&s->path, from, to, share);
    figure last = s->path.items[from];
    for (int i = from + 1; i < to; i++) {
        double t = share[i - from], bump = lift * 4.0 * t * (1.0 - t);
        lope_grasp_pose pose = s->path.items[i].pose;
        lope_grasp_points points;
        for (int k = 0; k < 2; k++) {
            double angle = a[k] + (b[k] - a[k]) * t + (k ? bump : leg ? 0.5 * bump : -0.5 * bump);
            pose.limb[limb][k] = clamp_to(angle, body->range[leg][k].low, body->range[leg][k].high);
            angles[i - from][k] = pose.limb[limb][k];
        }
        if (jumps(&last.pose, &pose, limb) || !neighbour_allowed(s, &pose, 0.0, &points) ||
            !scribe_passes(s, &last, &pose))
            return false;
        last = s->path.items[i];
        last.pose = pose;
    }
    if (jumps(&last.pose, &s->path.items[to].pose, limb) || !scribe_passes(s, &last, &s->path.items[to].pose))
        return false;
    for (int i = from + 1; i < to; i++)
        for (int k = 0; k < 2; k++)
            s->path.items[i].pose.limb[limb][k] = angles[i - from][k];
    return true;
}

static void smooth_between(scribe *s, int limb, int first, int last, double *share, double (*angles)[2])
{
    for (int length = last - first; length >= SHORTEST; length = length * 3 / 4)
        for (int from = first; from + length <= last; from += 1 + length / 4)
            for (size_t i = 0; i < sizeof lifts / sizeof *lifts; i++)
                if (even_out(s, limb, from, from + length, lifts[i], share, angles)) {
                    if (length == last - first)
                        return;
                    break;
                }
}

void scribe_smooth_limbs(scribe *s)
{
    double *share = lope_alloc_array((size_t)s->path.count + 1, sizeof *share);
    double(*angles)[2] = lope_alloc_array((size_t)s->path.count + 1, sizeof *angles);
    s->failed |= !share || !angles;
    for (int limb = 0; limb < LOPE_LIMB_COUNT && !s->failed; limb++)
        for (int first = 0, i = 1; i < s->path.count; i++)
            if (is_key(&s->path, limb, i)) {
                if (s->path.items[first].hold[limb] < 0 &&
                    s->path.items[first].pose.facing == s->path.items[i].pose.facing)
                    smooth_between(s, limb, first, i, share, angles);
                first = i;
            }
    lope_free(share);
    lope_free(angles);
}
