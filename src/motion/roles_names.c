// SPDX-License-Identifier: MIT
// Roles from joint names. Words alone are ambiguous ("LeftShoulder" is the collar in one convention and the shoulder in
// another, "L_Foot" the ankle or the toes), so each word votes for the roles it may mean, and per limb the chain down
// the hierarchy that collects the most votes wins: roles in order, each above the next, none twice.
#include <string.h>

#include "base/memory.h"
#include "motion/joints.h"
#include "motion/names.h"
#include "motion/roles.h"

#define LIMB_ROLES 4

enum family { NO_FAMILY, LEG, ARM, HIPS_WORD, NECK_WORD, HEAD_WORD };

typedef struct role_word {
    const char *word;
    enum family family;
    unsigned char votes[LIMB_ROLES]; // hip, knee, ankle, toe or collar, shoulder, elbow, hand
} role_word;

static const role_word vocabulary[] = {
    {"upleg", LEG, {10}},
    {"upperleg", LEG, {10}},
    {"legupper", LEG, {10}},
    {"thigh", LEG, {10}},
    {"thighbend", LEG, {10}},
    {"femur", LEG, {10}},
    {"hip", LEG, {8}},
    {"hipjoint", LEG, {3}}, // a helper above the thigh in CMU, the hip itself where there is no other
    {"leg", LEG, {3, 8}},   // the shin where a thigh precedes it, the thigh where a knee follows
    {"lowerleg", LEG, {0, 10}},
    {"lowleg", LEG, {0, 10}},
    {"leglower", LEG, {0, 10}},
    {"knee", LEG, {0, 10}},
    {"calf", LEG, {0, 10}},
    {"shin", LEG, {0, 10}},
    {"tibia", LEG, {0, 10}},
    {"ankle", LEG, {0, 0, 10}},
    {"foot", LEG, {0, 0, 9, 4}},
    {"toe", LEG, {0, 0, 0, 10}},
    {"toes", LEG, {0, 0, 0, 10}},
    {"toebase", LEG, {0, 0, 0, 10}},
    {"ball", LEG, {0, 0, 0, 10}},
    {"forefoot", LEG, {0, 0, 0, 9}},
    {"metatarsals", LEG, {0, 0, 0, 8}},
    {"collar", ARM, {10}},
    {"collarbone", ARM, {10}},
    {"clavicle", ARM, {10}},
    {"clav", ARM, {10}},
    {"scapula", ARM, {9}},
    {"shoulder", ARM, {6, 8}},
    {"shldr", ARM, {6, 8}},
    {"shldrbend", ARM, {0, 10}},
    {"arm", ARM, {0, 8}},
    {"upperarm", ARM, {0, 10}},
    {"uparm", ARM, {0, 10}},
    {"armupper", ARM, {0, 10}},
    {"humerus", ARM, {0, 10}},
    {"forearm", ARM, {0, 0, 10}},
    {"forearmbend", ARM, {0, 0, 10}},
    {"lowerarm", ARM, {0, 0, 10}},
    {"lowarm", ARM, {0, 0, 10}},
    {"armlower", ARM, {0, 0, 10}},
    {"elbow", ARM, {0, 0, 10}},
    {"radius", ARM, {0, 0, 10}},
    {"wrist", ARM, {0, 0, 0, 10}},
    {"hand", ARM, {0, 0, 0, 9}},
    {"hips", HIPS_WORD, {0}},
    {"pelvis", HIPS_WORD, {0}},
    {"neck", NECK_WORD, {0}},
    {"lowerneck", NECK_WORD, {0}},
    {"head", HEAD_WORD, {0}},
    {"skull", HEAD_WORD, {0}},
};

// What a name says: which entry of the vocabulary (-1: none) on which side.
typedef struct joint_meaning {
    signed char word;
    signed char side;
} joint_meaning;

static int find_word(const char *text, size_t length)
{
    for (size_t w = 0; w < sizeof vocabulary / sizeof *vocabulary; w++)
        if (strlen(vocabulary[w].word) == length && memcmp(vocabulary[w].word, text, length) == 0)
            return (int)w;
    return -1;
}

static bool is_noise(const char *word, int length)
{
    return (length == 5 && memcmp(word, "joint", 5) == 0) || (length == 3 && memcmp(word, "jnt", 3) == 0) ||
           (length == 4 && memcmp(word, "bone", 4) == 0) || (length == 4 && memcmp(word, "bend", 4) == 0);
}

static bool is_limb(int word)
{
    return word >= 0 && (vocabulary[word].family == LEG || vocabulary[word].family == ARM);
}

// The longest run of words at the end of the name that the vocabulary knows: what comes before ("Bip01", "CC_Base",
// "m_avg", "DEF") names the rig. Words like "joint" at the end are ignored if nothing fits with them.
static joint_meaning meaning_of(const char *name)
{
    joint_words words;
    joint_words_read(name, &words);
    joint_meaning meaning = {-1, (signed char)words.side};
    if (words.helper)
        return meaning;
    for (int count = words.count; count > 0; count--) {
        int end = words.start[count - 1] + words.length[count - 1];
        for (int first = 0; first < count && meaning.word < 0; first++)
            meaning.word = (signed char)find_word(words.text + words.start[first], (size_t)(end - words.start[first]));
        if (meaning.word >= 0 || !is_noise(words.text + words.start[count - 1], words.length[count - 1]))
            break;
    }
    if (meaning.word < 0 && words.side == NAME_MIDDLE && words.count >= 1 &&
        (words.text[0] == 'l' || words.text[0] == 'r')) { // "lfemur"
        int word = find_word(words.text + 1, strlen(words.text + 1));
        if (is_limb(word))
            meaning = (joint_meaning){(signed char)word, words.text[0] == 'l' ? NAME_LEFT : NAME_RIGHT};
    }
    if (is_limb(meaning.word) && meaning.side == NAME_MIDDLE) { // "hip" alone is the pelvis; "leg" alone is nothing
        bool hip = strcmp(vocabulary[meaning.word].word, "hip") == 0;
        meaning.word = (signed char)(hip ? find_word("hips", 4) : -1);
    } else if (meaning.word >= 0 && !is_limb(meaning.word) && meaning.side != NAME_MIDDLE) {
        meaning.word = -1;
    }
    return meaning;
}

// Best chain found so far that starts with a given role or a later one.
typedef struct chain_start {
    int votes;
    int joint;
    int role;
} chain_start;

typedef struct name_search {
    const role_tree *tree;
    joint_meaning *meanings;
    chain_start (*below)[LIMB_ROLES]; // [joint][role]: best chain strictly below a joint
} name_search;

// Best chain at or below `joint` whose first role is `role` or later.
static chain_start best_at(const name_search *search, int joint, int role, const unsigned char *votes)
{
    chain_start best = search->below[joint][role];
    for (int r = role; votes && r < LIMB_ROLES; r++) {
        int below = r + 1 < LIMB_ROLES ? search->below[joint][r + 1].votes : 0;
        if (votes[r] && votes[r] + below >= best.votes)
            best = (chain_start){votes[r] + below, joint, r};
    }
    return best;
}

// Fills out[LIMB_ROLES] with the limb's joints, -1 where the chain has none.
static void find_limb(const name_search *search, enum family family, int side, int *out)
{
    const lope_skeleton *skeleton = search->tree->skeleton;
    memset(search->below, 0, (size_t)skeleton->joint_count * sizeof *search->below);
    for (int r = 0; r < LIMB_ROLES; r++)
        out[r] = -1;
    chain_start at = {0, 0, 0};
    for (int j = skeleton->joint_count - 1; j >= 0; j--) {
        joint_meaning meaning = search->meanings[j];
        bool ours = meaning.word >= 0 && meaning.side == side && vocabulary[meaning.word].family == family;
        const unsigned char *votes = ours ? vocabulary[meaning.word].votes : NULL;
        for (int r = 0; r < LIMB_ROLES; r++) {
            chain_start best = best_at(search, j, r, votes);
            if (j == 0 && r == 0)
                at = best;
            else if (j > 0 && best.votes > 0 && best.votes >= search->below[skeleton->parents[j]][r].votes)
                search->below[skeleton->parents[j]][r] = best;
        }
    }
    while (at.votes > 0) {
        out[at.role] = at.joint;
        at = at.role + 1 < LIMB_ROLES ? search->below[at.joint][at.role + 1] : (chain_start){0, 0, 0};
    }
}

static enum family family_of(const name_search *search, int joint)
{
    int word = search->meanings[joint].word;
    return word < 0 ? NO_FAMILY : vocabulary[word].family;
}

// First joint at or below `top` that says `family`, or -1.
static int find_below(const name_search *search, int top, enum family family)
{
    const lope_skeleton *skeleton = search->tree->skeleton;
    for (int j = top; j < skeleton->joint_count; j++)
        if (family_of(search, j) == family && joint_is_above(skeleton, top, j))
            return j;
    return -1;
}

static int arms_node(const lope_skeleton *skeleton, const int *roles)
{
    int left = roles[LOPE_LEFT_COLLAR] >= 0 ? roles[LOPE_LEFT_COLLAR] : roles[LOPE_LEFT_SHOULDER];
    int right = roles[LOPE_RIGHT_COLLAR] >= 0 ? roles[LOPE_RIGHT_COLLAR] : roles[LOPE_RIGHT_SHOULDER];
    return left >= 0 && right >= 0 ? role_common(skeleton, left, right) : -1;
}

// The pelvis carries both legs and everything above. Where such a joint does not call itself hips but one right above
// it does (legs that hang on the first spine joint), that one is meant.
static int find_hips(const name_search *search, const int *roles, int upper)
{
    const lope_skeleton *skeleton = search->tree->skeleton;
    int hips = role_common(skeleton, roles[LOPE_LEFT_HIP], roles[LOPE_RIGHT_HIP]);
    if (upper >= 0)
        hips = role_common(skeleton, hips, upper);
    if (family_of(search, hips) == HIPS_WORD)
        return hips;
    for (int j = skeleton->parents[hips], steps = 0; j >= 0 && steps < 2; j = skeleton->parents[j], steps++)
        if (family_of(search, j) == HIPS_WORD)
            return j;
    return hips;
}

// The branch of `chest` that is not an arm and reaches farthest, or -1.
static int head_branch(const role_tree *tree, int chest, const int *roles)
{
    int best = -1;
    for (int child = tree->first_child[chest]; child >= 0; child = tree->next_sibling[child]) {
        bool arm =
            roles[LOPE_LEFT_SHOULDER] >= 0 && (joint_is_above(tree->skeleton, child, roles[LOPE_LEFT_SHOULDER]) ||
                                               joint_is_above(tree->skeleton, child, roles[LOPE_RIGHT_SHOULDER]));
        if (!arm && (best < 0 || tree->reach[child] > tree->reach[best]))
            best = child;
    }
    return best;
}

static void find_trunk(const name_search *search, int *roles)
{
    const lope_skeleton *skeleton = search->tree->skeleton;
    int arms = arms_node(skeleton, roles);
    int head = find_below(search, 0, HEAD_WORD);
    int hips = roles[LOPE_HIPS] = find_hips(search, roles, arms >= 0 ? arms : head);
    if (head >= 0 && !joint_is_above(skeleton, hips, head))
        head = -1;
    int chest = arms >= 0 ? arms : head >= 0 ? skeleton->parents[head] : -1;
    if (chest >= 0 && arms >= 0 && head >= 0)
        chest = role_common(skeleton, chest, head);
    while (chest > hips && (family_of(search, chest) == NECK_WORD || family_of(search, chest) == HEAD_WORD))
        chest = skeleton->parents[chest];
    if (chest < 0 || chest == hips || !joint_is_above(skeleton, hips, chest))
        return;
    roles[LOPE_CHEST] = chest;
    roles[LOPE_SPINE] = role_child_towards(skeleton, hips, chest);
    if (head > chest) {
        roles[LOPE_HEAD] = head;
        int neck = find_below(search, chest, NECK_WORD);
        int first = role_child_towards(skeleton, chest, head);
        if (neck >= 0 && joint_is_above(skeleton, neck, head))
            roles[LOPE_NECK] = neck;
        else
            roles[LOPE_NECK] = first != head ? first : -1;
    } else {
        int branch = arms >= 0 ? head_branch(search->tree, chest, roles) : -1;
        if (branch >= 0)
            roles_find_head(search->tree, branch, roles);
    }
}

static bool find_all(const name_search *search, int *roles)
{
    const lope_skeleton *skeleton = search->tree->skeleton;
    find_limb(search, LEG, NAME_LEFT, roles + LOPE_LEFT_HIP);
    find_limb(search, LEG, NAME_RIGHT, roles + LOPE_RIGHT_HIP);
    for (int r = LOPE_LEFT_HIP; r <= LOPE_RIGHT_ANKLE; r++)
        if (r != LOPE_LEFT_TOE && roles[r] < 0)
            return false;
    int node = role_common(skeleton, roles[LOPE_LEFT_HIP], roles[LOPE_RIGHT_HIP]);
    if (node == roles[LOPE_LEFT_HIP] || node == roles[LOPE_RIGHT_HIP])
        return false; // one leg below the other: the names lie
    find_limb(search, ARM, NAME_LEFT, roles + LOPE_LEFT_COLLAR);
    find_limb(search, ARM, NAME_RIGHT, roles + LOPE_RIGHT_COLLAR);
    bool arms = true;
    for (int r = LOPE_LEFT_SHOULDER; r <= LOPE_LEFT_HAND; r++)
        arms = arms && roles[r] >= 0 && roles[lope_role_mirror((lope_role)r)] >= 0;
    for (int r = LOPE_LEFT_COLLAR; !arms && r <= LOPE_RIGHT_HAND; r++)
        roles[r] = -1;
    find_trunk(search, roles);
    return true;
}

bool roles_from_names(const role_tree *tree, int *roles, bool *no_memory)
{
    size_t n = (size_t)tree->skeleton->joint_count;
    name_search search = {tree, lope_alloc_array(n, sizeof *search.meanings),
                          lope_alloc_array(n, sizeof *search.below)};
    *no_memory = !search.meanings || !search.below;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    bool found = false;
    if (!*no_memory) {
        for (size_t j = 0; j < n; j++)
            search.meanings[j] = meaning_of(tree->skeleton->names[j]);
        found = find_all(&search, roles);
    }
    for (int r = 0; !found && r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    lope_free(search.meanings);
    lope_free(search.below);
    return found;
}
