// SPDX-License-Identifier: MIT
// The published discomfort with its gradient: a product, so each factor's gradient is added once all others are known.
// The same heuristics as in comfort.c, but for kinks that are rounded; and what they leave open.
#include "grasp/mode.h"
#include "grasp/posture_workspace.h"

#define DEGREE (LOPE_PI / 180.0)
#define REST_BEND (20.0 * DEGREE)
#define ROUND (2.0 * DEGREE) // how much the kink of |angle| is rounded

static double round_abs(double x, double *slope)
{
    double root = sqrt(x * x + ROUND * ROUND);
    *slope = x / root;
    return root - ROUND;
}

static double head_up(workspace *w)
{
    double slope;
    return round_abs(w->nod, &slope) / LOPE_PI;
}
static void pull_head_up(workspace *w, double scale)
{
    double slope;
    round_abs(w->nod, &slope);
    w->g_nod += scale * slope / LOPE_PI;
}

static double comfy_limbs(workspace *w)
{
    double sum = 0.0, slope;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!lacks(w, i))
            sum += round_abs(w->joint[i][1] - REST_BEND, &slope);
    return sum / (4.0 * LOPE_PI);
}
static void pull_comfy_limbs(workspace *w, double scale)
{
    double slope;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (lacks(w, i))
            continue;
        round_abs(w->joint[i][1] - REST_BEND, &slope);
        w->g_joint[i][1] += scale * slope / (4.0 * LOPE_PI);
    }
}

static double off_balance(const workspace *w)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (held(w->problem, i)) {
            sum += w->end[i].x;
            count++;
        }
    return count ? (w->mass.x - sum / count) / w->problem->body->unit : 0.0;
}
static double balance(workspace *w)
{
    return off_balance(w) * off_balance(w);
}
static void pull_balance(workspace *w, double scale)
{
    double pull = scale * 2.0 * off_balance(w) / w->problem->body->unit;
    int count = 0;
    w->g_mass.x += pull;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        count += held(w->problem, i);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (slides(w->problem, i))
            w->g_end[i].x -= pull / count;
}

static double upright_spine(workspace *w)
{
    double slope;
    return round_abs(w->spine, &slope) / (0.5 * LOPE_PI);
}
static void pull_upright_spine(workspace *w, double scale)
{
    double slope;
    round_abs(w->spine, &slope);
    w->g_spine += scale * slope / (0.5 * LOPE_PI);
}

static double swing_of(const workspace *w, int limb)
{
    lope_xy base = body_is_leg(limb) ? w->hip : w->neck;
    return lope_atan2(w->end[limb].x - base.x, base.y - w->end[limb].y);
}
static void pull_swing(workspace *w, int limb, double scale)
{
    lope_xy *g_base = body_is_leg(limb) ? &w->g_hip : &w->g_neck, base = body_is_leg(limb) ? w->hip : w->neck;
    lope_xy line = xy_sub(w->end[limb], base);
    double square = fmax(xy_dot(line, line), 1e-6);
    lope_xy by = xy(-line.y / square, line.x / square);
    pull(&w->g_end[limb], by, scale);
    pull(g_base, by, -scale);
}
static double limb_counter_balance(workspace *w)
{
    double slope, sum = 0.0;
    for (int side = 0; side < 2; side++)
        if (!lacks(w, side) && !lacks(w, 2 + side))
            sum += round_abs(swing_of(w, side) + swing_of(w, 2 + side), &slope);
    return sum / (0.5 * LOPE_PI);
}
static void pull_limb_counter_balance(workspace *w, double scale)
{
    double slope;
    for (int side = 0; side < 2; side++) {
        if (lacks(w, side) || lacks(w, 2 + side))
            continue;
        round_abs(swing_of(w, side) + swing_of(w, 2 + side), &slope);
        pull_swing(w, side, scale * slope / (0.5 * LOPE_PI));
        pull_swing(w, 2 + side, scale * slope / (0.5 * LOPE_PI));
    }
}

// The hand that holds highest, or -1.
static int highest_hand(const workspace *w)
{
    int highest = -1;
    for (int i = 0; i < 2; i++)
        if (held(w->problem, i) && (highest < 0 || w->end[i].y > w->end[highest].y))
            highest = i;
    return highest;
}
static double hang_down(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    int hand = highest_hand(w);
    double feet = 0.5 * (w->end[2].y + w->end[3].y);
    double arm = hand < 0 ? 0.0 : body->length[0][0] + body->length[0][1] - (w->end[hand].y - w->neck.y);
    double leg = body->length[1][0] + body->length[1][1] - (w->hip.y - feet);
    return (arm + leg) / body->unit / 4.0;
}
static void pull_hang_down(workspace *w, double scale)
{
    double s = scale / w->problem->body->unit / 4.0;
    int hand = highest_hand(w);
    if (hand >= 0) {
        w->g_neck.y += s;
        w->g_end[hand].y -= slides(w->problem, hand) ? s : 0.0;
    }
    w->g_hip.y -= s;
    w->g_end[2].y += 0.5 * s;
    w->g_end[3].y += 0.5 * s;
}

static double knee_rise(const workspace *w, int leg, double *slope)
{
    return round_abs((w->end[leg].y - w->middle[leg].y) / w->problem->body->unit, slope);
}
static double knees_down(workspace *w)
{
    double slope, sum = knee_rise(w, 2, &slope) + knee_rise(w, 3, &slope);
    return sum * sum;
}
static void pull_knees_down(workspace *w, double scale)
{
    double slope, sum = knee_rise(w, 2, &slope) + knee_rise(w, 3, &slope);
    for (int i = 2; i < 4; i++) {
        knee_rise(w, i, &slope);
        double s = scale * 2.0 * sum * slope / w->problem->body->unit;
        w->g_end[i].y += s;
        w->g_middle[i].y -= s;
    }
}

static const struct {
    double (*value)(workspace *w);
    void (*pull)(workspace *w, double scale);
} heuristics[LOPE_HEURISTIC_COUNT] = {{head_up, pull_head_up},
                                      {comfy_limbs, pull_comfy_limbs},
                                      {balance, pull_balance},
                                      {upright_spine, pull_upright_spine},
                                      {limb_counter_balance, pull_limb_counter_balance},
                                      {hang_down, pull_hang_down},
                                      {knees_down, pull_knees_down}};

void posture_add_discomfort(workspace *w)
{
    unsigned used = lope_grasp_heuristics(w->problem->mode);
    double values[LOPE_HEURISTIC_COUNT], product = 1.0;
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        if (used >> i & 1u) {
            values[i] = 1.0 + heuristics[i].value(w);
            product *= values[i];
        }
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        if (used >> i & 1u)
            heuristics[i].pull(w, product / values[i]);
    w->value += product;
}

static void add_free_limb(workspace *w, const mode_style *like, int limb)
{
    bool leg = body_is_leg(limb);
    double weight = leg ? like->leg_weight : like->arm_weight;
    double off = leg ? w->joint[limb][0] - w->spine - like->leg : w->joint[limb][0] - like->arm;
    w->value += weight * off * off;
    w->g_joint[limb][0] += 2.0 * weight * off;
    w->g_spine -= leg ? 2.0 * weight * off : 0.0;
}

void posture_add_style(workspace *w)
{
    const mode_style *like = &modes[w->problem->mode]->style;
    double lean = w->spine - like->spine;
    if (like->comfy > 0.0) {
        w->value += like->comfy * comfy_limbs(w);
        pull_comfy_limbs(w, like->comfy);
    }
    w->value += like->spine_weight * lean * lean;
    w->g_spine += 2.0 * like->spine_weight * lean;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!held(w->problem, i) && !lacks(w, i))
            add_free_limb(w, like, i);
}
