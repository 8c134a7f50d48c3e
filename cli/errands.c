// SPDX-License-Identifier: MIT
#include "cli/errands.h"

#include <math.h>
#include <stdlib.h>

#include "cli/simulate.h"

// Frames per second that people decide in time at, and that a recording of minutes has memory for.
enum { LEAST_FPS = 5, MOST_FPS = 1000 };
// Looks at bodies per second.
#define LOOKS 5.0

static int populate(const cli_command *command, errands *e, int wanted)
{
    lope_error error = {0};
    for (e->count = 0; e->count < wanted; e->count++) {
        int who;
        lope_status status = lope_people_errands_spawn(&e->given, &who, &error);
        if (status && e->count == 0)
            return cli_fail(command, &error);
        if (status) {
            cli_note_room(command, e->count, wanted, &error);
            break;
        }
        e->persons[e->count] = (errands_person){0.0f, false};
    }
    return CLI_OK;
}

int errands_check_fps(const cli_command *command, double fps)
{
    if (fps >= LEAST_FPS && fps <= MOST_FPS)
        return CLI_OK;
    return cli_usage(command, "in worlds with things --fps is %d to %d, found %g", LEAST_FPS, MOST_FPS, fps);
}

int errands_begin(const cli_command *command, const errands_def *def, errands *out)
{
    lope_block_view view = lope_block_world_view(def->world);
    *out = (errands){0};
    int code = errands_check_fps(command, def->fps);
    if (code)
        return code;
    *out = (errands){.world = def->world, .jobs = def->jobs};
    out->joints = view.blocks->set->skeleton->joint_count;
    out->dt = (float)(1.0 / def->fps);
    out->look_every = (int)fmax(1.0, def->fps / LOOKS);
    lope_people_def people = lope_people_def_default();
    people.world = def->world;
    people.capacity = def->count > 0 ? def->count : 1;
    people.seed = def->seed;
    lope_error error = {0};
    lope_status status = lope_people_create(&people, &out->people, &error);
    lope_people_errands_def given = lope_people_errands_def_default();
    given.people = out->people;
    given.seed = def->seed;
    if (!status)
        status = lope_people_errands_begin(&given, &out->given, &error);
    if (status)
        return cli_fail(command, &error);
    out->persons = cli_alloc((size_t)(def->count + 1) * sizeof *out->persons);
    out->models = cli_alloc(((size_t)def->count + 1) * (size_t)out->joints * sizeof *out->models);
    return populate(command, out, def->count);
}

void errands_end(errands *e)
{
    lope_people_destroy(e->people);
    free(e->persons);
    free(e->models);
    *e = (errands){0};
}

static void note(errands *e, int who)
{
    errands_person *person = &e->persons[who];
    lope_person_state state = lope_person_state_of(e->people, who);
    bool going = state == LOPE_PERSON_GOING || state == LOPE_PERSON_QUEUEING;
    if (!going && person->way > 0.0f) {
        bool left = state == LOPE_PERSON_ROAMING || state == LOPE_PERSON_GONE;
        e->arrivals += !left;
        e->given_up += left;
    }
    person->way = going ? person->way + e->dt : 0.0f;
    // Behaviours are links of no instance. All of a staircase is used once.
    lope_block_step step = lope_person_step(e->people, who);
    bool uses = step.kind == LOPE_STEP_LINK && step.where >= 0;
    e->used += uses && !person->uses;
    person->uses = uses;
}

static void look(errands *e)
{
    lope_people_overlap overlap;
    lope_people_poses(e->people, e->models, e->jobs);
    lope_people_overlap_of(e->people, e->models, &overlap);
    e->overlaps += overlap.pairs > e->pairs ? overlap.pairs - e->pairs : 0;
    e->pairs = overlap.pairs;
    e->in_people = fmaxf(e->in_people, overlap.in_people);
    e->in_things = fmaxf(e->in_things, overlap.in_things);
    e->in_used = fmaxf(e->in_used, overlap.in_used);
}

bool errands_step(errands *e)
{
    lope_people_errands_update(&e->given, e->dt);
    double begin = cli_seconds();
    lope_people_step(e->people, e->dt, e->jobs);
    e->seconds += cli_seconds() - begin;
    for (int i = 0; i < e->count; i++)
        note(e, i);
    if (e->frame++ % e->look_every)
        return false;
    look(e);
    return true;
}

void errands_record(lope_people *people, int person, lope_clip *clip, int frame)
{
    lope_pose pose = {.rotations = clip->rotations + (size_t)frame * (size_t)clip->skeleton->joint_count};
    lope_person_pose(people, person, &pose, NULL);
    clip->root[frame] = pose.root;
    clip->contacts[frame] = lope_person_contacts(people, person);
}

lope_vec3 errands_ground(const lope_transform *model, int joints)
{
    lope_vec3 ground = model[0].translation;
    for (int j = 1; j < joints; j++)
        ground.y = fminf(ground.y, model[j].translation.y);
    return ground;
}
