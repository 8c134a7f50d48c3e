// SPDX-License-Identifier: MIT
// Roles from the shape of a skeleton alone. A biped is a joint with two limbs of equal bones (legs) and, up a trunk,
// another one with two more (arms) and a neck. Which joints of a limb are hip, knee and ankle is read off the lengths
// of its bones, which do not depend on the rest pose; the rest pose tells which side is left and weeds out animals on
// four legs, whose trunk does not run in line with their legs.
#include <string.h>

#include "base/memory.h"
#include "motion/joints.h"
#include "motion/roles.h"

#define MAX_LINKS 24   // joints on a limb, fingers included
#define MAX_BRANCHES 6 // of one joint that are compared with each other
#define MAX_PAIRS 16
// Reach of the shorter limb of a pair in parts of the longer one. Bones are compared later; a hand that holds something
// reaches farther than the other one.
#define LEAST_REACH 0.55f

// Cost of two bones of the very same length: rather one with a twist joint in its middle. More than any difference in
// how well the two readings fit bodies; where the bones are two after all no other reading comes near.
#define CUT_IN_HALF 1.0f

// Two branches of one joint that might be a pair of limbs.
typedef struct limb_pair {
    int node;
    int first, second;
    float reach;
} limb_pair;

// A limb's joints from the branch's first to its last, and how far along the bones each lies from the node.
typedef struct limb_chain {
    int count;
    int joints[MAX_LINKS];
    float along[MAX_LINKS];
    float total; // to the tip
} limb_chain;

// What a limb of a body looks like, as ratios. `before` and `after`: from the node to the limb's first bone and from
// its second bone on, in parts of the two bones' length; `ratio`: first bone to second.
typedef struct limb_model {
    float ratio, before, after;
} limb_model;

static const limb_model leg_model = {1.0f, 0.14f, 0.2f};
static const limb_model arm_model = {1.15f, 0.33f, 0.3f};

typedef struct limb_joints {
    float cost;
    int upper, lower, end; // indices into the chain
    float length;          // of both bones
} limb_joints;

typedef struct body_guess {
    float cost;
    limb_pair legs, arms;
    int hips;
    limb_joints leg, arm;
} body_guess;

static limb_chain chain_of(const role_tree *tree, int branch)
{
    limb_chain chain = {0};
    float along = 0.0f;
    for (int j = branch; j >= 0 && chain.count < MAX_LINKS; j = tree->longest[j]) {
        along += lope_v3_length(tree->skeleton->rest[j].translation);
        chain.joints[chain.count] = j;
        chain.along[chain.count++] = along;
    }
    chain.total = along + lope_v3_length(tree->skeleton->tips[chain.joints[chain.count - 1]]);
    return chain;
}

// About |ln(value / expected)|, bounded by 2; the small addend keeps missing parts comparable.
static float off_by(float value, float expected)
{
    return 2.0f * fabsf(value - expected) / (value + expected + 0.04f);
}

// How little the chain looks like the model when its joints are taken so; 0 is perfect.
static float cost_of(const role_tree *tree, const limb_chain *chain, const limb_joints *joints, const limb_model *model)
{
    float upper = chain->along[joints->lower] - chain->along[joints->upper];
    float lower = chain->along[joints->end] - chain->along[joints->lower], length = upper + lower;
    if (!(upper > 0.2f * length) || !(lower > 0.2f * length))
        return INFINITY;
    float after = chain->total - chain->along[joints->end];
    float cost =
        2.0f * off_by(upper / lower, model->ratio) + off_by(chain->along[joints->upper] / length, model->before);
    cost += after > 0.0f ? 0.6f * off_by(after / length, model->after) : 0.5f;
    if (fabsf(upper - lower) < 0.001f * length)
        cost += CUT_IN_HALF;
    for (int i = joints->upper + 1; i <= joints->end; i++) // bones cut in pieces are possible, but rare
        if (i != joints->lower && i != joints->end)
            cost += 0.3f;
    // A joint that merely repeats the place of the one before it is a helper; the later one does the bending.
    if (chain->along[joints->upper + 1] - chain->along[joints->upper] <= 1e-6f)
        cost += 0.3f;
    int first = tree->first_child[chain->joints[joints->end]];
    if (first >= 0 && tree->next_sibling[first] >= 0) // fingers fan out, toes and heel part
        cost -= 0.7f;
    return cost;
}

static limb_joints fit_limb(const role_tree *tree, const limb_chain *chain, const limb_model *model)
{
    limb_joints best = {INFINITY, -1, -1, -1, 0.0f};
    for (int u = 0; u < chain->count; u++)
        for (int l = u + 1; l < chain->count; l++)
            for (int e = l + 1; e < chain->count; e++) {
                limb_joints joints = {0.0f, u, l, e, chain->along[e] - chain->along[u]};
                joints.cost = cost_of(tree, chain, &joints, model);
                if (joints.cost < best.cost)
                    best = joints;
            }
    return best;
}

// The same joints of the other limb must have bones of the same length.
static bool matches(const limb_chain *a, const limb_chain *b, const limb_joints *joints)
{
    if (joints->upper < 0 || b->count <= joints->end)
        return false;
    float tolerance = 0.12f * joints->length;
    int at[3] = {joints->upper, joints->lower, joints->end};
    for (int i = 0; i < 3; i++)
        if (fabsf(a->along[at[i]] - b->along[at[i]]) > tolerance)
            return false;
    return true;
}

// Keeps the pairs with the longest limbs, longest first.
static void keep_pair(limb_pair *pairs, int *count, limb_pair pair)
{
    int at = *count;
    while (at > 0 && pairs[at - 1].reach < pair.reach)
        at--;
    if (at >= MAX_PAIRS)
        return;
    int last = *count < MAX_PAIRS ? (*count)++ : MAX_PAIRS - 1;
    memmove(pairs + at + 1, pairs + at, (size_t)(last - at) * sizeof *pairs);
    pairs[at] = pair;
}

static float branch_reach(const role_tree *tree, int child)
{
    return tree->reach[child] + lope_v3_length(tree->skeleton->rest[child].translation);
}

static void pairs_at(const role_tree *tree, int node, limb_pair *pairs, int *count)
{
    int branches[MAX_BRANCHES], branch_count = 0;
    for (int child = tree->first_child[node]; child >= 0; child = tree->next_sibling[child]) {
        if (tree->links[child] < 3)
            continue;
        int at = branch_count;
        while (at > 0 && branch_reach(tree, branches[at - 1]) < branch_reach(tree, child))
            at--;
        if (at >= MAX_BRANCHES)
            continue;
        int last = branch_count < MAX_BRANCHES ? branch_count++ : MAX_BRANCHES - 1;
        memmove(branches + at + 1, branches + at, (size_t)(last - at) * sizeof *branches);
        branches[at] = child;
    }
    for (int a = 0; a < branch_count; a++)
        for (int b = a + 1; b < branch_count; b++) {
            float long_reach = branch_reach(tree, branches[a]), short_reach = branch_reach(tree, branches[b]);
            bool small = tree->links[branches[a]] <= MAX_LINKS && tree->links[branches[b]] <= MAX_LINKS;
            if (small && short_reach > LEAST_REACH * long_reach) {
                int first = branches[a] < branches[b] ? branches[a] : branches[b];
                keep_pair(pairs, count, (limb_pair){node, first, branches[a] + branches[b] - first, short_reach});
            }
        }
}

static bool in_pair(const lope_skeleton *skeleton, const limb_pair *pair, int joint)
{
    return joint_is_above(skeleton, pair->first, joint) || joint_is_above(skeleton, pair->second, joint);
}

// A branch of the arms' joint that leads to a head: the one that reaches farthest beside the arms, or -1.
static int neck_branch(const role_tree *tree, const limb_pair *arms)
{
    int best = -1;
    for (int child = tree->first_child[arms->node]; child >= 0; child = tree->next_sibling[child])
        if (child != arms->first && child != arms->second &&
            (best < 0 || branch_reach(tree, child) > branch_reach(tree, best)))
            best = child;
    return best;
}

static float path_length(const lope_skeleton *skeleton, int ancestor, int joint)
{
    float length = 0.0f;
    for (; joint != ancestor; joint = skeleton->parents[joint])
        length += lope_v3_length(skeleton->rest[joint].translation);
    return length;
}

// Tries two pairs as legs and arms of one body.
static bool try_body(const role_tree *tree, const limb_pair *legs, const limb_pair *arms, body_guess *out)
{
    const lope_skeleton *skeleton = tree->skeleton;
    if (legs->node == arms->node || in_pair(skeleton, legs, arms->node) || in_pair(skeleton, arms, legs->node))
        return false;
    int hips = role_common(skeleton, legs->node, arms->node);
    int steps = 0;
    for (int j = legs->node; j != hips; j = skeleton->parents[j])
        steps++;
    if (hips == arms->node || steps > 2 || neck_branch(tree, arms) < 0)
        return false;
    limb_chain leg = chain_of(tree, legs->first), other_leg = chain_of(tree, legs->second);
    limb_chain arm = chain_of(tree, arms->first), other_arm = chain_of(tree, arms->second);
    *out = (body_guess){.legs = *legs, .arms = *arms, .hips = hips};
    out->leg = fit_limb(tree, &leg, &leg_model);
    out->arm = fit_limb(tree, &arm, &arm_model);
    limb_joints other = fit_limb(tree, &other_arm, &arm_model);
    if (other.cost < out->arm.cost) // the other hand holds nothing
        out->arm = other;
    if (!matches(&leg, &other_leg, &out->leg) || !matches(&arm, &other_arm, &out->arm))
        return false;
    float trunk = path_length(skeleton, hips, arms->node);
    if (out->arm.length > 1.1f * out->leg.length || trunk < 0.15f * out->leg.length || trunk > 1.5f * out->leg.length)
        return false;
    out->cost = out->leg.cost + out->arm.cost;
    return out->cost < 5.0f;
}

static void set_limb(const limb_chain *chain, const limb_joints *joints, int *roles)
{
    roles[0] = chain->joints[joints->upper];
    roles[1] = chain->joints[joints->lower];
    roles[2] = chain->joints[joints->end];
}

// `swapped`: the first branch of each pair is the right one.
static void set_roles(const role_tree *tree, const body_guess *body, bool swap_legs, bool swap_arms, int *roles)
{
    const lope_skeleton *skeleton = tree->skeleton;
    for (int side = 0; side < 2; side++) {
        limb_chain leg = chain_of(tree, (side == 0) != swap_legs ? body->legs.first : body->legs.second);
        limb_chain arm = chain_of(tree, (side == 0) != swap_arms ? body->arms.first : body->arms.second);
        int hip = side == 0 ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP;
        int collar = side == 0 ? LOPE_LEFT_COLLAR : LOPE_RIGHT_COLLAR;
        set_limb(&leg, &body->leg, roles + hip);
        set_limb(&arm, &body->arm, roles + collar + 1);
        roles[collar] = body->arm.upper > 0 ? arm.joints[body->arm.upper - 1] : -1;
        int toe = body->leg.end + 1;
        while (toe < leg.count && leg.along[toe] - leg.along[body->leg.end] < 0.02f * body->leg.length)
            toe++;
        roles[hip + 3] = toe < leg.count ? leg.joints[toe] : -1;
    }
    roles[LOPE_HIPS] = body->hips;
    roles[LOPE_CHEST] = body->arms.node;
    roles[LOPE_SPINE] = role_child_towards(skeleton, body->hips, body->arms.node);
    roles_find_head(tree, neck_branch(tree, &body->arms), roles);
}

static lope_vec3 between_joints(const lope_transform *model, int from, int to)
{
    return lope_v3_sub(model[to].translation, model[from].translation);
}

static lope_vec3 unit(lope_vec3 v)
{
    return lope_v3_normalize(v, lope_v3(0.0f, 0.0f, 0.0f));
}

// Where the feet point in the rest pose, summed over both, without the part along the trunk or across the body.
static lope_vec3 feet_forward(const lope_skeleton *skeleton, const lope_transform *model, const int *roles,
                              lope_vec3 up, lope_vec3 across)
{
    lope_vec3 forward = lope_v3(0.0f, 0.0f, 0.0f);
    for (int side = 0; side < 2; side++) {
        int ankle = roles[side ? LOPE_RIGHT_ANKLE : LOPE_LEFT_ANKLE],
            toe = roles[side ? LOPE_RIGHT_TOE : LOPE_LEFT_TOE];
        lope_vec3 end = toe >= 0 ? model[toe].translation : lope_transform_point(model[ankle], skeleton->tips[ankle]);
        forward = lope_v3_add(forward, lope_v3_sub(end, model[ankle].translation));
    }
    float length = lope_v3_length(forward);
    forward = lope_v3_mad(forward, up, -lope_v3_dot(forward, up));
    forward = lope_v3_mad(forward, across, -lope_v3_dot(forward, across));
    return lope_v3_length(forward) > 0.3f * length ? forward : lope_v3(0.0f, 0.0f, 0.0f);
}

// Decides which branch is left. False where the rest pose is not that of a biped: trunk across the legs.
static bool find_sides(const lope_skeleton *skeleton, const lope_transform *model, const int *roles, bool *swap_legs,
                       bool *swap_arms)
{
    lope_vec3 trunk = unit(between_joints(model, roles[LOPE_HIPS], roles[LOPE_CHEST]));
    lope_vec3 leg = unit(lope_v3_add(between_joints(model, roles[LOPE_LEFT_HIP], roles[LOPE_LEFT_ANKLE]),
                                     between_joints(model, roles[LOPE_RIGHT_HIP], roles[LOPE_RIGHT_ANKLE])));
    // Some rest poses are no pose at all, with all bones along one axis, legs up beside the trunk.
    bool upright = lope_v3_dot(trunk, leg)<-0.6f, stacked = lope_v3_dot(trunk, leg)> 0.9f;
    if (!upright && !stacked)
        return false;
    lope_vec3 up = upright ? unit(lope_v3_sub(trunk, leg)) : trunk;
    lope_vec3 hips_across = between_joints(model, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]);
    lope_vec3 arms_across = between_joints(model, roles[LOPE_RIGHT_SHOULDER], roles[LOPE_LEFT_SHOULDER]);
    *swap_arms = lope_v3_dot(hips_across, arms_across) < 0.0f; // as seen from the legs
    lope_vec3 across = unit(lope_v3_mad(hips_across, up, -lope_v3_dot(hips_across, up)));
    lope_vec3 forward = feet_forward(skeleton, model, roles, up, across);
    float left = lope_v3_dot(across, lope_v3_cross(up, forward));
    if (left == 0.0f) // feet tell nothing: rest poses face +Z, and where that fails, files name the left side first
        left = fabsf(across.x) > 0.5f ? across.x : 1.0f;
    *swap_legs = left < 0.0f;
    *swap_arms = *swap_arms != *swap_legs;
    return true;
}

static bool find_body(const role_tree *tree, body_guess *out)
{
    limb_pair pairs[MAX_PAIRS + 1];
    int count = 0;
    for (int j = 0; j < tree->skeleton->joint_count; j++)
        pairs_at(tree, j, pairs, &count);
    *out = (body_guess){.cost = INFINITY};
    body_guess guess;
    for (int legs = 0; legs < count; legs++)
        for (int arms = 0; arms < count; arms++)
            if (try_body(tree, &pairs[legs], &pairs[arms], &guess) && guess.cost < out->cost)
                *out = guess;
    return out->cost < INFINITY;
}

bool lope_roles_from_limbs(const lope_skeleton *skeleton, int *roles, bool *no_memory)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    role_tree tree;
    if (!role_tree_make(skeleton, &tree)) {
        *no_memory = true;
        return false;
    }
    body_guess body;
    bool found = find_body(&tree, &body);
    if (found)
        set_roles(&tree, &body, false, false, roles);
    role_tree_free(&tree);
    return found;
}

bool roles_from_shape(const role_tree *tree, int *roles, bool *no_memory)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    body_guess best;
    if (!find_body(tree, &best))
        return false;
    lope_transform *model = lope_alloc_array((size_t)tree->skeleton->joint_count, sizeof *model);
    if (!model) {
        *no_memory = true;
        return false;
    }
    lope_skeleton_rest_model(tree->skeleton, model);
    bool swap_legs = false, swap_arms = false;
    set_roles(tree, &best, false, false, roles);
    bool biped = find_sides(tree->skeleton, model, roles, &swap_legs, &swap_arms);
    if (biped)
        set_roles(tree, &best, swap_legs, swap_arms, roles);
    for (int r = 0; !biped && r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    lope_free(model);
    return biped;
}
