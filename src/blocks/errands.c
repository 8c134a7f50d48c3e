// SPDX-License-Identifier: MIT
// Keeping people busy: somebody who roams is given something to do, asked in turn, each about once a second.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/random.h"
#include "blocks/people.h"

// Places tried for somebody who comes; others looked at by somebody who wants to talk.
#define SPAWN_TRIES 8
#define TALK_TRIES 20

lope_people_errands_def lope_people_errands_def_default(void)
{
    return (lope_people_errands_def){
        .sit = 0.5f, .go = 0.2f, .idle = 0.15f, .chat = 0.15f, .stay_least = 10.0f, .stay_most = 60.0f, .seed = 1};
}

lope_status lope_people_errands_begin(const lope_people_errands_def *def, lope_people_errands *out, lope_error *error)
{
    assert(def->people);
    *out = (lope_people_errands){.def = *def, .random = def->seed};
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, sit, 0, LOPE_LARGE), LOPE_RANGE(def, go, 0, LOPE_LARGE),
                                    LOPE_RANGE(def, idle, 0, LOPE_LARGE), LOPE_RANGE(def, chat, 0, LOPE_LARGE),
                                    LOPE_RANGE(def, stay_most, LOPE_ABOVE_ZERO, LOPE_LARGE),
                                    LOPE_RANGE(def, stay_least, LOPE_ABOVE_ZERO, LOPE_LARGE));
    if (!status && def->stay_most < def->stay_least)
        status = lope_fail(error, LOPE_BAD_DATA, "stay_most is %g, must not be below stay_least, which is %g",
                           (double)def->stay_most, (double)def->stay_least);
    if (!status && !(def->sit + def->go + def->idle + def->chat > 0.0f))
        status = lope_fail(error, LOPE_BAD_DATA, "sit, go, idle and chat are all 0: one of them must be more");
    return status;
}

static float draw(lope_people_errands *e, float low, float high)
{
    lope_random random = {e->random};
    float drawn = lope_random_range(&random, low, high);
    e->random = random.state;
    return drawn;
}

static int draw_below(lope_people_errands *e, int count)
{
    lope_random random = {e->random};
    int drawn = lope_random_below(&random, count);
    e->random = random.state;
    return drawn;
}

lope_spot lope_people_errands_place(lope_people_errands *e)
{
    const lope_block_world *world = e->def.people->world;
    int floors = lope_block_world_view(world).floor_count;
    if (floors == 0)
        return (lope_spot){0};
    lope_floor_def floor = lope_block_world_floor(world, draw_below(e, floors));
    float size = world->blocks->tile->size;
    float x = draw(e, floor.corner.x, floor.corner.x + (float)floor.columns * size);
    float z = draw(e, floor.corner.z, floor.corner.z + (float)floor.rows * size);
    return (lope_spot){x, floor.height, z, 0.0f};
}

lope_status lope_people_errands_spawn(lope_people_errands *e, int *who, lope_error *error)
{
    lope_status status = LOPE_NOT_FOUND;
    for (int i = 0; i < SPAWN_TRIES && status; i++)
        status = lope_people_spawn(e->def.people, lope_people_errands_place(e), who, error);
    return status;
}

// Somebody else who has nothing to do, or only stands about; -1: nobody was found.
static int somebody_free(lope_people_errands *e, int who)
{
    const lope_people *people = e->def.people;
    for (int i = 0; i < TALK_TRIES; i++) {
        int other = draw_below(e, people->count);
        lope_person_state state = lope_person_state_of(people, other);
        if (other != who && (state == LOPE_PERSON_ROAMING || state == LOPE_PERSON_STANDING))
            return other;
    }
    return -1;
}

// The nearest seat as often as any seat.
static lope_status give_seat(lope_people_errands *e, int who, float seconds)
{
    lope_people *people = e->def.people;
    int any = lope_people_seat(people, draw_below(e, lope_people_seat_count(people)));
    int seat = draw(e, 0.0f, 1.0f) < 0.5f ? -1 : any;
    return lope_person_sit(people, who, seat, seconds, NULL);
}

bool lope_people_errands_give(lope_people_errands *e, int who)
{
    lope_people *people = e->def.people;
    const lope_people_errands_def *def = &e->def;
    if (!people_is_there(people, who))
        return false;
    float what = draw(e, 0.0f, def->sit + def->go + def->idle + def->chat);
    float seconds = draw(e, def->stay_least, def->stay_most);
    if (what < def->sit && lope_people_seat_count(people) > 0)
        return give_seat(e, who, seconds) == LOPE_OK;
    if (what < def->sit + def->go)
        return lope_person_go(people, who, lope_people_errands_place(e), seconds, NULL) == LOPE_OK;
    if (what < def->sit + def->go + def->idle)
        return lope_person_idle(people, who, seconds, NULL) == LOPE_OK;
    int other = somebody_free(e, who);
    return other >= 0 && lope_person_chat(people, who, other, seconds, NULL) == LOPE_OK;
}

void lope_people_errands_update(lope_people_errands *e, float dt)
{
    int count = e->def.people->count;
    if (!(dt > 0.0f) || count == 0)
        return;
    e->due = fminf(e->due + dt * (float)count, (float)count);
    while (e->due >= 1.0f) {
        e->due -= 1.0f;
        e->next = e->next < count ? e->next : 0;
        if (lope_person_state_of(e->def.people, e->next) == LOPE_PERSON_ROAMING)
            lope_people_errands_give(e, e->next);
        e->next++;
    }
}
