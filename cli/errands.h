// SPDX-License-Identifier: MIT
// Keeps the people of a world of blocks busy: a person with nothing to do is sent somewhere, onto a seat, to talk to
// somebody. What comes of it is counted.
#ifndef LOPE_CLI_ERRANDS_H
#define LOPE_CLI_ERRANDS_H

#include "cli/cli.h"
#include "lope/people.h"

typedef struct errands_person {
    float way; // seconds on its way to where it was told; 0: not on one
    bool uses; // it is on a thing
} errands_person;

typedef struct errands {
    lope_block_world *world;
    lope_people *people;
    lope_people_errands given;
    lope_jobs *jobs;
    errands_person *persons;
    lope_transform *models; // [count * joints] as they were looked at last
    int count, joints, frame, look_every, pairs;
    float dt;
    // What came of it.
    int64_t arrivals, given_up; // ways that ended where they should, and elsewhere
    int64_t used;               // times that somebody began to use a thing
    int64_t overlaps;           // pairs of bodies that began to overlap by more than 2 cm, seen five times a second
    float in_people, in_things, in_used; // deepest
    double seconds;                      // that stepping took
} errands;

typedef struct errands_def {
    lope_block_world *world;
    lope_jobs *jobs;
    int count; // of people wanted
    double fps;
    uint64_t seed;
} errands_def;

// Prints a message and returns an exit code other than CLI_OK where people cannot be stepped so many times a second.
int errands_check_fps(const cli_command *command, double fps);
// Puts people anywhere on the floors; a note says where there is room for some of them only. Prints a message and
// returns an exit code other than CLI_OK where there is room for nobody. End it in any case.
int errands_begin(const cli_command *command, const errands_def *def, errands *out);
// One frame. True where models were looked at: they are those of this frame.
bool errands_step(errands *e);
void errands_end(errands *e);

// The pose of somebody as a frame of a clip with contacts.
void errands_record(lope_people *people, int person, lope_clip *clip, int frame);
// The ground under somebody's hips: as high as its lowest joint is.
lope_vec3 errands_ground(const lope_transform *model, int joints);

#endif
