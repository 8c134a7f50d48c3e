// SPDX-License-Identifier: MIT
// Retargeting between all pairs of eight rigs, as `lope convert --retarget` does it, and posing another skeleton at run
// time; builds of 150,000 poses.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/captures.h"

enum { RIGS = 8, SMALL = 5, MOTIONS = 3, AT_ONCE = 2, LARGE_POSES = 150000 };
enum { WALK, RUN, JUMP };
static const char *const motions[MOTIONS] = {"walk", "run", "jump"};

// A rig with clips of it, as files: a walk, the fastest that there is, and a jump where there is one.
typedef struct rig {
    char name[64];
    char paths[MOTIONS][600]; // empty: none
    grader_grades own[MOTIONS];
    double leg; // metres
} rig;

static double travel(const lope_clip *clip)
{
    double way = 0.0;
    int second = captures_second(clip);
    for (int f = 0; f + second < clip->frame_count; f += second)
        way += (double)hypotf(clip->root[f + second].x - clip->root[f].x, clip->root[f + second].z - clip->root[f].z);
    return way * clip->frame_rate / (double)clip->frame_count;
}

// Metres that the lower ankle of a clip rises at most: what a jump lifts both feet by.
static double rise(const lope_clip *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    int left = skeleton->roles[LOPE_LEFT_ANKLE], right = skeleton->roles[LOPE_RIGHT_ANKLE];
    lope_transform *model = malloc((size_t)skeleton->joint_count * sizeof *model);
    if (!model)
        abort();
    float least = INFINITY, most = -INFINITY;
    for (int f = 0; f < clip->frame_count && left >= 0 && right >= 0; f += 2) {
        lope_clip_model(clip, f, model);
        float lower = fminf(model[left].translation.y, model[right].translation.y);
        least = fminf(least, lower);
        most = fmaxf(most, lower);
    }
    free(model);
    return most > least ? (double)(most - least) : 0.0;
}

// How well a clip serves as each motion; negative where it does not. Walks that are slow, runs that are fast.
static double fitness(const lope_clip *clip, int motion)
{
    const double least_speed = 0.5, least_rise = 0.2;
    double speed = travel(clip), up = motion == JUMP ? rise(clip) : 0.0;
    if (lope_clip_duration(clip) < 1.0 || (motion == JUMP ? up < least_rise : speed < least_speed))
        return -1.0;
    return motion == JUMP ? up : motion == RUN ? speed : 1.0 / speed;
}

// The clip of a folder that serves best as each motion, as prepared for builds and cut to 10 s; NULL where none does.
// Returns how well the jump does.
static double choose_clips(const char *folder, lope_clip *out[MOTIONS])
{
    lope_error error;
    char **paths;
    int count;
    double best[MOTIONS] = {0.0};
    memset((void *)out, 0, MOTIONS * sizeof *out);
    if (lope_find_clips(folder, &paths, &count, &error))
        return 0.0;
    for (int i = 0; i < count; i++) {
        lope_clip *clip;
        if (lope_bvh_read(paths[i], NULL, &clip, NULL, &error))
            continue;
        for (int k = 0; k < MOTIONS; k++) {
            double fit = fitness(clip, k);
            if (fit <= best[k])
                continue;
            best[k] = fit;
            lope_clip_destroy(out[k]);
            int most = (int)(10.0 * clip->frame_rate), frames = clip->frame_count < most ? clip->frame_count : most;
            if (lope_clip_trim(clip, 0, frames, &out[k], &error))
                out[k] = NULL;
        }
        lope_clip_destroy(clip);
    }
    lope_paths_free(paths, count);
    return best[JUMP];
}

static void destroy_clips(lope_clip *clips[MOTIONS])
{
    for (int k = 0; k < MOTIONS; k++)
        lope_clip_destroy(clips[k]);
}

static bool write_rig(captures *all, lope_clip *const clips[MOTIONS], const stranger_recipe *recipe, const char *name,
                      rig *out)
{
    lope_error error;
    snprintf(out->name, sizeof out->name, "%s", name);
    memset(out->paths, 0, sizeof out->paths);
    out->leg = clips[WALK] ? (double)lope_skeleton_leg_length(clips[WALK]->skeleton) : 0.0;
    for (int k = 0; k < MOTIONS && clips[WALK]; k++) {
        if (!clips[k])
            continue;
        snprintf(out->paths[k], sizeof out->paths[k], "%.500s/%s_%s.bvh", all->work, name, motions[k]);
        stranger s = {0};
        bool good = recipe ? stranger_make(clips[k], recipe, &s, &error) == LOPE_OK &&
                                 stranger_save(&s, out->paths[k], &error) == LOPE_OK
                           : lope_bvh_write(clips[k], out->paths[k], 100.0f, &error) == LOPE_OK;
        stranger_free(&s);
        if (!good)
            return false;
    }
    return clips[WALK] != NULL;
}

// The smallest captured libraries, and behind them the one that jumps highest.
static int add_captured(captures *all, rig *rigs, int count)
{
    lope_clip *jumper[MOTIONS] = {0};
    const char *name = "";
    double highest = 0.0;
    for (int i = 0; i < all->real_count; i++) {
        lope_clip *clips[MOTIONS];
        double jump = choose_clips(all->libraries[i].folder, clips);
        if (count < SMALL) {
            count += write_rig(all, clips, NULL, all->libraries[i].name, &rigs[count]);
        } else if (jump > highest && clips[WALK]) {
            highest = jump;
            name = all->libraries[i].name;
            for (int k = 0; k < MOTIONS; k++) {
                lope_clip *other = jumper[k];
                jumper[k] = clips[k];
                clips[k] = other;
            }
        }
        destroy_clips(clips);
    }
    count += write_rig(all, jumper, NULL, name, &rigs[count]);
    destroy_clips(jumper);
    return count;
}

// The built-in body, captured ones, and strangers of the built-in one.
static int make_rigs(captures *all, rig *rigs)
{
    int count = 0;
    lope_synth_def def = lope_synth_def_default();
    lope_error error;
    lope_clip *builtin[MOTIONS] = {0};
    if (!lope_synth_clip("walk_normal", &def, 0, &builtin[WALK], &error) &&
        !lope_synth_clip("run", &def, 0, &builtin[RUN], &error))
        count += write_rig(all, builtin, NULL, "builtin", &rigs[count]);
    count = add_captured(all, rigs, count);
    for (uint64_t seed = 0; count < RIGS && builtin[RUN]; seed++) {
        stranger_recipe recipe = seed ? stranger_recipe_random(3 * seed) : stranger_recipe_static_root();
        recipe.noise = recipe.dropped = recipe.repeated = 0.0f;
        recipe.frame_rate = 30.0;
        count += write_rig(all, builtin, &recipe, captures_text("stranger%d", count), &rigs[count]);
    }
    destroy_clips(builtin);
    return count;
}

// Grades of a file by itself: roles as the tool finds them, the rest by the grader. The body is seen as if its legs
// were as long as those of `like`, because a larger one moves farther and faster in everything it does.
static bool grade_alone(const char *path, const rig *like, grader_grades *out)
{
    lope_error error;
    lope_clip *clip;
    grader_motion motion, even;
    char message[128];
    if (lope_bvh_read(path, NULL, &clip, NULL, &error))
        return false;
    const char *beside = captures_text("%s.graded.bvh", path); // in centimetres, Y up, without a T-pose
    double size = like->leg / (double)lope_skeleton_leg_length(clip->skeleton);
    grader_read_def def = {0.01 * size, 'Y'};
    grader_body body = grader_body_none();
    float floor = 0.0f;
    bool good =
        lope_bvh_write(clip, beside, 100.0f, &error) == LOPE_OK && grader_read_file(beside, &def, &motion, message);
    if (good) {
        lope_clip_floor(clip, &floor, NULL, &error);
        body.floor = (double)floor * size;
        for (int r = 0; r < LOPE_ROLE_COUNT; r++)
            if (clip->skeleton->roles[r] >= 0)
                grader_body_set(&body, lope_role_name((lope_role)r),
                                grader_find_joint(&motion, clip->skeleton->names[clip->skeleton->roles[r]]));
        grader_sums *sums = grader_sums_create();
        good = grader_resample(&motion, 30.0, &even) && grader_sums_add(sums, &even, &body);
        if (good)
            *out = grader_judge(sums, NULL);
        grader_sums_destroy(sums);
        grader_motion_free(&even);
        grader_motion_free(&motion);
    }
    lope_clip_destroy(clip);
    return good;
}

static void judge_pair(captures *all, const rig *from, const rig *to, int k, const char *path)
{
    grader_grades g;
    if (!grade_alone(path, from, &g)) {
        captures_note(all, "%s of %s on %s could not be graded", motions[k], from->name, to->name);
        captures_value(all, CAPTURES_RETARGET_PLANTED, CAPTURES_TUNED, 99.0);
        return;
    }
    const grader_grades *s = &from->own[k];
    double planted = g.planted / fmax(s->planted, CAPTURES_VISIBLE), jerk = g.jerk_high / s->jerk_high;
    double sink = 100.0 * fmax(0.0, g.sink - s->sink);
    captures_value(all, CAPTURES_RETARGET_PLANTED, CAPTURES_TUNED, planted);
    captures_value(all, CAPTURES_RETARGET_PLANTED_MEAN, CAPTURES_TUNED, planted);
    captures_value(all, CAPTURES_RETARGET_JERK, CAPTURES_TUNED, jerk);
    captures_value(all, CAPTURES_RETARGET_JERK_MEAN, CAPTURES_TUNED, jerk);
    captures_value(all, CAPTURES_RETARGET_SINK, CAPTURES_TUNED, sink);
    if (planted > 1.1 || jerk > 1.2 || sink > 1.0)
        captures_note(all, "%s of %s on %s: planted %.2f x, 99.9 %% jerk %.2f x, feet %.1f cm under", motions[k],
                      from->name, to->name, planted, jerk, sink);
}

static void retarget_from(captures *all, const rig *rigs, int count, int from)
{
    captures_child children[RIGS * MOTIONS] = {0};
    const char *outputs[RIGS * MOTIONS];
    int n = 0, targets[RIGS * MOTIONS], which[RIGS * MOTIONS];
    for (int to = 0; to < count; to++)
        for (int k = 0; k < MOTIONS && to != from; k++) {
            if (!rigs[from].paths[k][0])
                continue;
            outputs[n] = captures_text("%s/%s_on_%s_%s.bvh", all->work, rigs[from].name, rigs[to].name, motions[k]);
            captures_child child = {
                .words = {"convert", rigs[from].paths[k], "--retarget", rigs[to].paths[WALK], "-o", outputs[n], NULL}};
            targets[n] = to;
            which[n] = k;
            children[n++] = child;
        }
    if (captures_children_run(all, children, n, AT_ONCE))
        for (int i = 0; i < n; i++)
            judge_pair(all, &rigs[from], &rigs[targets[i]], which[i], outputs[i]);
    captures_children_free(children, n);
}

// A character of 65 joints posed from another one's moves.
typedef struct posing {
    lope_retarget *plan;
    int frames, source_joints;
    lope_transform *source, *target;
    int at;
} posing;

static void pose_many(void *user)
{
    posing *p = user;
    for (int i = 0; i < 1000; i++) {
        lope_retarget_model(p->plan, p->source + (size_t)(p->at % p->frames) * (size_t)p->source_joints, p->target);
        p->at++;
    }
    bench_keep(p->target);
}

static lope_status time_posing(captures *all, lope_error *error)
{
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip, *other = NULL;
    stranger s = {0};
    stranger_recipe recipe = {.names = STRANGER_NAMES_MIXAMO, .rest = STRANGER_REST_T, .unit = 0.01f, .order = "ZXY"};
    recipe.fingers = recipe.twist_leaves = recipe.helpers = true;
    recipe.up = STRANGER_UP_Y;
    recipe.spine = 2;
    lope_status status = lope_synth_clip("walk_normal", &synth, 0, &clip, error);
    if (status)
        return status;
    status = stranger_make(clip, &recipe, &s, error);
    if (!status)
        status = lope_bvh_read_memory(s.text, s.size, "target", NULL, &other, NULL, error);
    lope_retarget_def def = lope_retarget_def_default();
    def.source = clip->skeleton;
    def.target = other ? other->skeleton : NULL;
    posing p = {.frames = clip->frame_count, .source_joints = clip->skeleton->joint_count};
    if (!status)
        status = lope_retarget_create(&def, &p.plan, error);
    if (!status) {
        p.source = malloc((size_t)p.frames * (size_t)p.source_joints * sizeof *p.source);
        p.target = malloc((size_t)other->skeleton->joint_count * sizeof *p.target);
        if (!p.source || !p.target)
            abort();
        for (int f = 0; f < p.frames; f++)
            lope_clip_model(clip, f, p.source + (size_t)f * (size_t)p.source_joints);
        double seconds = bench_best(pose_many, &p, 0.3) / 1000.0;
        captures_value(all, CAPTURES_POSING, CAPTURES_BUILTIN,
                       1e6 * seconds * 65.0 / (double)other->skeleton->joint_count);
        bench_note(all->run, "run-time retargeting: onto %d joints, shown for 65", other->skeleton->joint_count);
    }
    lope_retarget_destroy(p.plan);
    free(p.source);
    free(p.target);
    stranger_free(&s);
    lope_clip_destroy(other);
    lope_clip_destroy(clip);
    return status;
}

lope_status captures_retarget(captures *all, lope_error *error)
{
    rig *rigs = calloc(RIGS, sizeof *rigs);
    if (!rigs)
        abort();
    int count = make_rigs(all, rigs);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < MOTIONS; k++)
            if (rigs[i].paths[k][0] && !grade_alone(rigs[i].paths[k], &rigs[i], &rigs[i].own[k]))
                captures_note(all, "%s: its own %s could not be graded", rigs[i].name, motions[k]);
    for (int i = 0; i < count && !captures_over(all, false); i++)
        retarget_from(all, rigs, count, i);
    free(rigs);
    return time_posing(all, error);
}

// Mirror images double what the largest libraries have; where that is not enough, a higher frame rate makes up for it.
lope_status captures_large(captures *all, lope_error *error)
{
    (void)error;
    captures_child child = {.words = {"build", "--mobility", "--retarget", "--mirror", "--json", "-o",
                                      captures_text("%s/large.lope", all->work)}};
    int poses = 0, words = 7;
    for (int i = all->real_count - 1; i >= 0 && 2 * poses < LARGE_POSES && words < 28; i--) {
        child.words[words++] = all->libraries[i].folder;
        poses += all->libraries[i].poses;
    }
    child.words[words++] = "--fps";
    child.words[words++] = captures_text("%.1f", 30.0 * fmax(1.0, (double)LARGE_POSES / (2.0 * (double)poses)));
    if (!captures_children_run(all, &child, 1, 1)) {
        captures_children_free(&child, 1);
        return LOPE_OK;
    }
    if (child.code)
        bench_note(all->run, "a build of %d poses fails: %.300s", 2 * poses, child.output);
    else {
        captures_value(all, CAPTURES_TRANSITIONS, CAPTURES_TUNED,
                       captures_number(strstr(child.output, "\"seconds\""), "transitions"));
        captures_value(all, CAPTURES_LARGE_BUILD, CAPTURES_TUNED, child.seconds);
        captures_value(all, CAPTURES_LARGE_MEMORY, CAPTURES_TUNED, child.megabytes);
        bench_note(all->run, "large build: %.0f poses", captures_number(child.output, "poses"));
    }
    captures_children_free(&child, 1);
    return LOPE_OK;
}
