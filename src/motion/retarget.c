// SPDX-License-Identifier: MIT
// Posing one skeleton as another is posed. Every step is a smooth function of the source's pose alone: what is at rest
// in the source is at rest in the target, and nothing pops.
//   feet   turn as the source's feet do. The ball has the source's scaled place, and the lowest point of the sole the
//          scaled height of the source's lowest point, so that feet of another shape stand, strike and push off on the
//          floor. High above level ground they go where the legs swing them.
//   hips   take their scaled place, then move a little so that both knees bend as far as the source's: least squares
//          of the two bends, in which a leg that is nearly straight counts most.
//   legs   bend in the plane in which the source's bend.
//   hands  that hold are taken to the source's palms, elbows where they were.
// On any ground, soles have the places of the source's soles, and the body is scaled about the lower one.
#include "motion/retarget.h"

#include <assert.h>

#include "math/larger.h"
#include "motion/joint_four.h"
#include "motion/limb.h"

// In parts of leg length: points of a sole that differ in height by less than this share being the lowest.
#define SOLE_SMOOTH 0.12f
// The same for the soles of both feet, where the body is scaled about the lower one.
#define SUPPORT_SMOOTH 0.25f
// Hips that are moved by a leg length count as much as a knee that is bent by so many radians too far.
#define HIPS_STIFFNESS 3.5f
// In parts of leg length: how a distance from hip to ankle answers to the bend of a knee that is taken as straight.
#define STRAIGHT_KNEE 0.06f
// In parts of leg length before full reach: from there on the body is lowered.
#define REACH_SOFTNESS 0.006f
// In parts of leg length before a knee is bent as far as the source's ever is: from there on the foot gives way.
#define FOLD_SOFTNESS 0.15f
// Rounds of least squares: feet and hips differ by centimetres, of which the second round leaves hundredths.
#define ROUNDS 2
// Toes that the source does not have bend up from the floor while the foot is lower than this, in parts of leg length.
#define TOES_LOW 0.02f
#define TOES_HIGH 0.1f
// A foot whose lowest point is higher than this above the floor, in parts of leg length, begins to go where the leg
// swings it, and is not placed at all from the second on.
#define AIR_LOW 0.04f
#define AIR_HIGH 0.22f
// Metres that straight elbows are taken to lie behind the arm, and before full stretch from which on hands fall short.
#define ELBOW_BACK 0.01f
#define ARM_SOFTNESS 0.01f
// Looks at each hand when the body follows hands that are too far away.
#define PULL_ROUNDS 3

// About a height that stays where it is.
static lope_vec3 scaled(const lope_retarget *plan, lope_vec3 p, float about)
{
    return lope_v3(p.x * plan->travel, about + (p.y - about) * plan->scale, p.z * plan->travel);
}

// The lower of two heights, rounded where they differ by less than k.
static float lower(float a, float b, float k)
{
    float near = larger(k - fabsf(a - b), 0.0f) / k;
    return smaller(a, b) - near * near * near * k * (1.0f / 6.0f);
}

// Height of the lowest point of a sole.
static float lowest(const lope_vec3 points[SOLE_POINTS], float k)
{
    return lower(lower(points[SOLE_HEEL].y, points[SOLE_BALL].y, k), points[SOLE_TIP].y, k);
}

static float smooth_step(float from, float to, float x)
{
    float t = larger(0.0f, smaller((x - from) / (to - from), 1.0f));
    return t * t * (3.0f - 2.0f * t);
}

// One leg on its way from the source to the target.
typedef struct leg_work {
    lope_quat hip, knee, ankle, toe; // orientations of the target's joints
    lope_vec3 hip_from_hips;         // in the world
    lope_vec3 ball;                  // where the ball of the foot belongs
    float low;                       // height of the lowest point of the sole
    lope_vec3 goal;                  // of the ankle
    float wanted;                    // from hip to ankle, of a knee bent as the source's
    float slack;                     // how little the hips heed it
    float air;                       // 0: the foot is placed, 1: it goes where the leg swings it
    lope_vec3 swung;                 // from hip to ankle, of a leg that swings as the source's
    lope_vec3 pole;                  // the source's knee off the line from hip to ankle, scaled
    lope_vec3 ahead;
} leg_work;

// Toes that only the target has lie on the floor while its foot rolls off.
static lope_quat bend_toe(const lope_retarget *plan, const retarget_leg *leg, lope_quat toe, float height)
{
    lope_vec3 down = {0.0f, -1.0f, 0.0f};
    lope_vec3 along = lope_v3_normalize(lope_quat_rotate(toe, leg->toes), down);
    float low = 1.0f - smooth_step(TOES_LOW, TOES_HIGH, height / plan->leg_length);
    float share = low * smooth_step(0.0f, 0.3f, -along.y);
    if (!(share > 0.0f))
        return toe;
    lope_vec3 level = lope_v3_normalize(lope_v3(along.x, 0.0f, along.z), along);
    return lope_quat_nlerp(toe, lope_quat_mul(lope_quat_between(along, level), toe), share);
}

static void turn_leg(const lope_retarget *plan, const retarget_leg *leg, const lope_transform *source, leg_work *work)
{
    work->hip = lope_quat_mul(source[leg->source[0]].rotation, leg->turns[0]);
    work->knee = lope_quat_mul(source[leg->source[1]].rotation, leg->turns[1]);
    work->ankle = lope_quat_mul(source[leg->source[2]].rotation, leg->turns[2]);
    const retarget_rule *toe = &plan->rules[leg->target_toe];
    if (leg->target_toe == leg->target[2])
        work->toe = work->ankle;
    else
        work->toe = toe->from >= 0 ? lope_quat_mul(source[toe->from].rotation, toe->turn)
                                   : lope_quat_mul(work->ankle, toe->turn);
}

static void place_sole(const lope_retarget *plan, const retarget_leg *leg, const lope_transform *source, leg_work *work)
{
    lope_vec3 points[SOLE_POINTS];
    for (int i = 0; i < SOLE_POINTS; i++) {
        points[i] = lope_transform_point(source[leg->sole.joints[i]], leg->sole.points[i]);
        if (!plan->any_ground)
            points[i] = scaled(plan, points[i], plan->floor);
    }
    work->ball = points[SOLE_BALL];
    work->low = lowest(points, SOLE_SMOOTH * plan->leg_length);
}

// Where the ankle goes, so that the sole is as the source's is; `floor` is where the body is scaled about.
static void place_foot(const lope_retarget *plan, const retarget_leg *leg, float floor, leg_work *work)
{
    lope_vec3 points[SOLE_POINTS];
    if (leg->bends_toes)
        work->toe = bend_toe(plan, leg, work->toe, work->low - floor);
    for (int i = 0; i < SOLE_POINTS; i++)
        points[i] = lope_v3_add(lope_quat_rotate(work->ankle, leg->from_ankle[i]),
                                lope_quat_rotate(work->toe, leg->from_toe[i]));
    work->goal = lope_v3_sub(work->ball, points[SOLE_BALL]);
    work->goal.y = work->low - lowest(points, SOLE_SMOOTH * plan->leg_length);
    work->air = plan->level ? smooth_step(AIR_LOW, AIR_HIGH, (work->low - floor) / plan->leg_length) : 0.0f;
}

// How far the source's knee is bent, and where to.
static void measure_knee(const lope_retarget *plan, const retarget_leg *leg, const lope_transform *source,
                         leg_work *work)
{
    lope_vec3 hip = source[leg->source[0]].translation;
    lope_vec3 thigh = lope_v3_sub(source[leg->source[1]].translation, hip);
    lope_vec3 line = lope_v3_sub(source[leg->source[2]].translation, hip), shin = lope_v3_sub(line, thigh);
    float lengths = sqrtf(lope_v3_dot(thigh, thigh) * lope_v3_dot(shin, shin));
    float cosine = lengths > 1e-12f ? smaller(lope_v3_dot(thigh, shin) / lengths, 1.0f) : 1.0f;
    float both = leg->thigh_length * leg->shin_length;
    float square = larger(leg->squares + 2.0f * both * cosine, 1e-12f);
    work->wanted = sqrtf(square);
    // How the distance answers to the knee's angle: what a radian of it is worth in metres.
    float answer = both * both * (1.0f - cosine * cosine) / square;
    float straight = STRAIGHT_KNEE * plan->leg_length, stiffness = HIPS_STIFFNESS / plan->leg_length;
    work->slack = stiffness * stiffness * (answer + straight * straight) / larger(1.0f - work->air, 1e-3f);
    work->swung = lope_v3_add(lope_v3_scale(thigh, leg->thigh_length / larger(lope_v3_length(thigh), 1e-6f)),
                              lope_v3_scale(shin, leg->shin_length / larger(lope_v3_length(shin), 1e-6f)));
    float along = lope_v3_dot(thigh, line) / larger(lope_v3_dot(line, line), 1e-12f);
    work->pole = lope_v3_scale(lope_v3_mad(thigh, line, -along), plan->scale);
    work->ahead = lope_quat_rotate(source[leg->source[0]].rotation, leg->ahead);
}

// From ankle to hip.
typedef struct leg_line {
    lope_vec3 along; // unit vector
    float length;
} leg_line;

static leg_line line_of(const leg_work *work, lope_vec3 hips)
{
    lope_vec3 line = lope_v3_sub(lope_v3_add(hips, work->hip_from_hips), work->goal);
    float length = larger(lope_v3_length(line), 1e-6f);
    return (leg_line){lope_v3_scale(line, 1.0f / length), length};
}

// Moves the hips so that the knees bend as the source's: minimises (missing / answer)^2 of both legs plus the way.
static lope_vec3 fit_hips(const leg_work work[2], lope_vec3 hips)
{
    float left_weight = 1.0f + work[0].slack, right_weight = 1.0f + work[1].slack;
    for (int round = 0; round < ROUNDS; round++) {
        leg_line left = line_of(&work[0], hips), right = line_of(&work[1], hips);
        float left_missing = work[0].wanted - left.length, right_missing = work[1].wanted - right.length;
        float both = lope_v3_dot(left.along, right.along);
        float scale = 1.0f / (left_weight * right_weight - both * both);
        hips = lope_v3_mad(hips, left.along, (left_missing * right_weight - right_missing * both) * scale);
        hips = lope_v3_mad(hips, right.along, (right_missing * left_weight - left_missing * both) * scale);
    }
    return hips;
}

// What is left out of `over`, which begins where a limit is `room` away: nothing at first, in the end all beyond it.
static float beyond(float over, float room)
{
    if (over <= 0.0f)
        return 0.0f;
    return over < 2.0f * room ? over * over / (4.0f * room) : over - room;
}

// How far a leg falls short of `distance`: nothing up to a little before its reach, then more and more. As far as the
// source's leg is stretched, it always reaches.
static float shortfall(const lope_retarget *plan, const retarget_leg *leg, const leg_work *work, float distance)
{
    float free = larger(leg->reach - REACH_SOFTNESS * plan->leg_length, work->wanted);
    return beyond(distance - free, larger(leg->reach - free, 0.0f));
}

// What a leg is longer than `distance` because the source's is folded nearly as far as it ever is: the foot gives way
// there, because a knee that bends farther than anybody's would show.
static float unfolded(const lope_retarget *plan, const retarget_leg *leg, const leg_work *work, float distance)
{
    float share = 1.0f - smooth_step(leg->fold, leg->fold + FOLD_SOFTNESS * plan->leg_length, work->wanted);
    return larger(share * (work->wanted - distance), leg->fold - distance);
}

// Lowers the hips where a leg would be stretched beyond its reach: by what the one leg or the other asks for.
static lope_vec3 lower_hips(const lope_retarget *plan, const leg_work work[2], lope_vec3 hips)
{
    float squares = 0.0f;
    for (int side = 0; side < 2; side++) {
        leg_line line = line_of(&work[side], hips);
        float asked = shortfall(plan, &plan->legs[side], &work[side], line.length) / larger(line.along.y, 0.5f);
        asked *= 1.0f - work[side].air;
        squares += asked * asked;
    }
    hips.y -= sqrtf(squares);
    return hips;
}

// Takes a foot in the air to where the leg swings it.
static void swing_foot(leg_work *work, lope_vec3 hips)
{
    lope_vec3 hip = lope_v3_add(hips, work->hip_from_hips);
    work->goal = lope_v3_lerp(work->goal, lope_v3_add(hip, work->swung), work->air);
}

// Turns a bone (a unit vector in the joint's frame) to the direction of `to`, whose length is given.
static lope_quat swing(lope_quat rotation, lope_vec3 bone, lope_vec3 to, float length)
{
    lope_vec3 from = lope_quat_rotate(rotation, bone);
    return lope_quat_mul(lope_quat_between(from, lope_v3_scale(to, 1.0f / length)), rotation);
}

// Thigh and shin from hip to ankle; where that is too far, the foot falls short.
static void reach(const lope_retarget *plan, const retarget_leg *leg, lope_vec3 hips, leg_work *work)
{
    float a = leg->thigh_length, b = leg->shin_length;
    leg_line line = line_of(work, hips);
    lope_vec3 along = lope_v3_scale(line.along, -1.0f);
    float distance = line.length - shortfall(plan, leg, work, line.length);
    distance += unfolded(plan, leg, work, distance);
    distance = larger(smaller(distance, a + b), larger(fabsf(a - b), 1e-6f));
    float middle = (a * a - b * b + distance * distance) / (2.0f * distance);
    float height = sqrtf(larger((a - middle) * (a + middle), 0.0f));
    lope_vec3 pole = lope_v3_mad(work->pole, work->ahead, larger(height - lope_v3_length(work->pole), 0.0f));
    pole = lope_v3_mad(pole, along, -lope_v3_dot(pole, along));
    lope_vec3 thigh = lope_v3_scale(along, middle);
    thigh = lope_v3_mad(thigh, lope_v3_normalize(pole, work->ahead), height);
    work->hip = swing(work->hip, leg->thigh, thigh, a);
    work->knee = swing(work->knee, leg->shin, lope_v3_sub(lope_v3_scale(along, distance), thigh), b);
}

static lope_vec3 middle_of(lope_vec3 a, lope_vec3 b)
{
    return lope_v3_scale(lope_v3_add(a, b), 0.5f);
}

// Both legs as far as the source alone tells, and where the hips are by scale.
static lope_vec3 begin_legs(const lope_retarget *plan, const lope_transform *source, lope_quat hips_turn,
                            leg_work work[2])
{
    for (int side = 0; side < 2; side++) {
        turn_leg(plan, &plan->legs[side], source, &work[side]);
        place_sole(plan, &plan->legs[side], source, &work[side]);
    }
    float floor = plan->any_ground ? lower(work[0].low, work[1].low, SUPPORT_SMOOTH * plan->leg_length) : plan->floor;
    for (int side = 0; side < 2; side++) {
        const retarget_leg *leg = &plan->legs[side];
        place_foot(plan, leg, floor, &work[side]);
        measure_knee(plan, leg, source, &work[side]);
        work[side].hip_from_hips = lope_quat_rotate(hips_turn, leg->hip_in_hips);
    }
    lope_vec3 middle =
        middle_of(source[plan->legs[0].source[0]].translation, source[plan->legs[1].source[0]].translation);
    lope_vec3 hips = scaled(plan, middle, floor);
    hips = lope_v3_sub(hips, middle_of(work[0].hip_from_hips, work[1].hip_from_hips));
    hips.y += plan->rise;
    return hips;
}

// Sets the orientations of both legs.
static void end_legs(const lope_retarget *plan, lope_vec3 hips, leg_work work[2], lope_transform *out)
{
    for (int side = 0; side < 2; side++) {
        const retarget_leg *leg = &plan->legs[side];
        reach(plan, leg, hips, &work[side]);
        out[leg->target_toe].rotation = work[side].toe;
        out[leg->target[0]].rotation = work[side].hip;
        out[leg->target[1]].rotation = work[side].knee;
        out[leg->target[2]].rotation = work[side].ankle;
    }
}

// Joints of a trunk with another number of joints, and those whose parents follow other joints than theirs do.
static lope_quat turned(const retarget_rule *rule, const lope_transform *source, lope_quat parent)
{
    lope_quat from = source[rule->from].rotation, to = source[rule->to].rotation;
    if (rule->kind == RETARGET_BLEND)
        return lope_quat_nlerp(lope_quat_mul(from, rule->turn), lope_quat_mul(to, rule->turn_to), rule->blend);
    lope_quat local = lope_quat_mul(lope_quat_conjugate(to), from);
    return lope_quat_mul(lope_quat_mul(parent, rule->turn_to), lope_quat_mul(local, rule->turn));
}

// From the hips up and down. Most joints are one product of quaternions.
static void set_joints(const lope_retarget *plan, const lope_transform *source, lope_transform *out)
{
    const int *parents = plan->target->parents;
    for (int j = 1; j < plan->target->joint_count; j++) {
        const retarget_rule *rule = &plan->rules[j];
        const lope_transform *parent = &out[parents[j]];
        f4 above = load4(&parent->rotation.x), rotation;
        if (rule->kind <= RETARGET_FOLLOW) {
            f4 base = rule->kind == RETARGET_FOLLOW ? load4(&source[rule->from].rotation.x) : above;
            rotation = quat_mul4(base, load4(&rule->turn.x));
        } else {
            lope_quat turn = rule->kind == RETARGET_LEG ? out[j].rotation : turned(rule, source, parent->rotation);
            rotation = load4(&turn.x);
        }
        f4 place = rotate4(above, load3(&plan->target->rest[j].translation)) + load3(&parent->translation);
        store_transform(&out[j], rotation, place);
    }
}

// Everything else, once it is known where the hips are.
static void set_body(const lope_retarget *plan, const lope_transform *source, lope_vec3 hips, const leg_work begun[2],
                     lope_transform *out)
{
    leg_work work[2] = {begun[0], begun[1]};
    lope_quat from = source[plan->source_hips].rotation, hips_turn = lope_quat_mul(from, plan->hips_turn);
    for (int side = 0; side < 2; side++)
        swing_foot(&work[side], hips);
    end_legs(plan, hips, work, out);
    out[0] = (lope_transform){lope_quat_mul(from, plan->rules[0].turn),
                              lope_v3_add(hips, lope_quat_rotate(hips_turn, plan->root_in_hips))};
    set_joints(plan, source, out);
}

// Hips whose seat is where the source's is.
static lope_vec3 seated(const lope_retarget *plan, const lope_transform *source, lope_quat hips_turn, lope_vec3 hips,
                        float share)
{
    if (!(share > 0.0f) || plan->source_seat.joint < 0 || plan->target_seat.joint < 0)
        return hips;
    lope_vec3 seat = lope_transform_point(source[plan->source_hips], plan->source_seat.offset);
    return lope_v3_lerp(hips, lope_v3_sub(seat, lope_quat_rotate(hips_turn, plan->target_seat.offset)), share);
}

// Where a hand goes, so that the palm is where the source's is.
static lope_vec3 hand_goal(const retarget_arm *arm, const lope_transform *source, const lope_transform *out)
{
    lope_vec3 palm = lope_transform_point(source[arm->source.joint], arm->source.offset);
    return lope_v3_sub(palm, lope_quat_rotate(out[arm->joints[2]].rotation, arm->target.offset));
}

// How far the body has to go so that hands which hold are within reach.
static lope_vec3 pull_of_hands(const lope_retarget *plan, const lope_transform *source, const float *holds,
                               const lope_transform *out)
{
    lope_vec3 pull = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 2 * PULL_ROUNDS; i++) {
        const retarget_arm *arm = &plan->arms[i % 2];
        float share = holds[PART_LEFT_HAND + i % 2];
        if (arm->joints[0] < 0 || !(share > 0.0f))
            continue;
        const lope_vec3 *at[3] = {&out[arm->joints[0]].translation, &out[arm->joints[1]].translation,
                                  &out[arm->joints[2]].translation};
        lope_vec3 to = lope_v3_sub(hand_goal(arm, source, out), lope_v3_add(*at[0], pull));
        float arm_length = lope_v3_distance(*at[0], *at[1]) + lope_v3_distance(*at[1], *at[2]);
        float over = beyond(lope_v3_length(to) - arm_length + 3.0f * ARM_SOFTNESS, ARM_SOFTNESS);
        pull = lope_v3_mad(pull, lope_v3_normalize(to, to), share * over);
    }
    return pull;
}

// Takes a hand to the source's palm, or a share of the way. The elbow stays on the side where it is; everything that
// hangs on a part of the arm moves with it.
static void place_hand(const lope_retarget *plan, int side, const lope_transform *source, float share,
                       lope_transform *out)
{
    const retarget_arm *arm = &plan->arms[side];
    if (!(share > 0.0f) || arm->joints[0] < 0)
        return;
    lope_vec3 shoulder = out[arm->joints[0]].translation, elbow = out[arm->joints[1]].translation;
    lope_vec3 hand = out[arm->joints[2]].translation, reached;
    lope_vec3 goal = hand_goal(arm, source, out), upper = lope_v3_sub(elbow, shoulder),
              lower_arm = lope_v3_sub(hand, elbow);
    lope_vec3 line = lope_v3_normalize(lope_v3_sub(hand, shoulder), upper);
    lope_vec3 pole = lope_v3_mad(upper, line, -lope_v3_dot(upper, line));
    pole = lope_v3_mad(pole, lope_quat_rotate(source[plan->source_hips].rotation, plan->back), ELBOW_BACK);
    lope_vec3 middle = lope_ik_middle(shoulder, lope_v3_length(upper), lope_v3_length(lower_arm),
                                      lope_v3_lerp(hand, goal, share), pole, ARM_SOFTNESS, &reached);
    const lope_vec3 old_places[4] = {{0}, shoulder, elbow, hand}, new_places[4] = {{0}, shoulder, middle, reached};
    const lope_quat turns[4] = {lope_quat_identity(), limb_turn(upper, lope_v3_sub(middle, shoulder)),
                                limb_turn(lower_arm, lope_v3_sub(reached, middle)), lope_quat_identity()};
    for (int j = arm->joints[0]; j < plan->target->joint_count; j++) {
        int limb = plan->rules[j].limb - 3 * side;
        if (limb < LIMB_UPPER || limb > LIMB_HAND)
            continue;
        lope_vec3 from = lope_v3_sub(out[j].translation, old_places[limb]);
        out[j].translation = lope_v3_add(new_places[limb], lope_quat_rotate(turns[limb], from));
        out[j].rotation = lope_quat_mul(turns[limb], out[j].rotation);
    }
}

void lope_retarget_model(const lope_retarget *plan, const lope_transform *source_model, lope_transform *target_model)
{
    lope_retarget_held(plan, source_model, NULL, target_model);
}

void lope_retarget_held(const lope_retarget *plan, const lope_transform *source_model, const float *holds,
                        lope_transform *target_model)
{
    assert(plan && source_model && target_model);
    leg_work work[2];
    lope_quat hips_turn = lope_quat_mul(source_model[plan->source_hips].rotation, plan->hips_turn);
    lope_vec3 hips = fit_hips(work, begin_legs(plan, source_model, hips_turn, work));
    hips = lower_hips(plan, work, hips);
    if (holds)
        hips = seated(plan, source_model, hips_turn, hips, holds[PART_SEAT]);
    set_body(plan, source_model, hips, work, target_model);
    if (!holds || !(holds[PART_LEFT_HAND] + holds[PART_RIGHT_HAND] > 0.0f))
        return;
    lope_vec3 pull = pull_of_hands(plan, source_model, holds, target_model);
    if (lope_v3_dot(pull, pull) > 0.0f)
        set_body(plan, source_model, lope_v3_add(hips, pull), work, target_model);
    for (int side = 0; side < 2; side++)
        place_hand(plan, side, source_model, holds[PART_LEFT_HAND + side], target_model);
}

void lope_retarget_pose(const lope_retarget *plan, const lope_transform *source_model, lope_transform *model,
                        lope_pose *out)
{
    lope_retarget_model(plan, source_model, model);
    const lope_skeleton *target = plan->target;
    assert(out->joint_count == target->joint_count);
    out->root = model[0].translation;
    out->rotations[0] = lope_quat_normalize(model[0].rotation);
    for (int j = 1; j < target->joint_count; j++)
        out->rotations[j] = lope_quat_normalize(
            lope_quat_mul(lope_quat_conjugate(model[target->parents[j]].rotation), model[j].rotation));
    for (int j = 0; out->translations && j < target->joint_count; j++)
        out->translations[j] = j == 0 ? out->root : target->rest[j].translation;
}

float lope_retarget_scale(const lope_retarget *plan)
{
    return plan->scale;
}

const lope_skeleton *lope_retarget_source(const lope_retarget *plan)
{
    return plan->source;
}

const lope_skeleton *lope_retarget_target(const lope_retarget *plan)
{
    return plan->target;
}
