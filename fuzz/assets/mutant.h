// SPDX-License-Identifier: MIT
// Fuzzing of what is kept in .lope files. An input is not a file but a short list of changes to a sound one, which
// fuzz/assets/seeds.c made: words become odd numbers, records are copied, chunks cut, swapped or doubled. Checksums are
// right again afterwards, so that changes get past the door. One target for each kind of file opens the result and
// uses it for a while, now and then with allocations that fail.
#ifndef LOPE_FUZZ_MUTANT_H
#define LOPE_FUZZ_MUTANT_H

#include "base/random.h"
#include "fuzz.h"
#include "lope/lope.h"

typedef struct mutant {
    const void *bytes; // aligned to 64; what lies between chunks must not be read
    size_t size;
    lope_random random; // decides what is done with it
} mutant;

// What a target defines: the name of its seed without folder and ending, and what it does with a mutant. Returns
// whether the file could be opened. All that the library allocated must be released again.
extern const char *const mutant_kind;
bool mutant_use(mutant *m);

// Ends the process unless all of it is finite.
void mutant_look(const lope_transform *model, int joint_count);
void mutant_look_at(lope_ground place);

// A number from 0 to count - 1; a place within `reach` metres.
int mutant_pick(mutant *m, int count);
lope_vec2 mutant_place(mutant *m, float reach);
static inline lope_vec3 mutant_up(lope_vec2 place)
{
    return (lope_vec3){place.x, 0.0f, place.z};
}

// Room for poses and joints of any skeleton that a seed can become.
enum { MUTANT_JOINTS = 4096, MUTANT_POSES = 3 };
lope_pose mutant_pose(const lope_skeleton *skeleton, int number);
lope_transform *mutant_model(void);

#endif
