// SPDX-License-Identifier: MIT
// Where a walker is and will be. Plans are followed action by action; within a short action the way is nearly straight.
#include "mobility/walker.h"

// Frames: longer actions are followed frame by frame.
#define NEARLY_STRAIGHT 6

// A place moving along a plan.
typedef struct walk_course {
    const lope_mobility *map;
    int32_t choice, state;
    uint32_t step, end; // next action, and where it stops
    ground_move at;
    float yaw;
    float frame; // when it is there, frames from the beginning
} walk_course;

// Whole moments, or places alone.
typedef struct walk_moments {
    float interval; // frames
    int count, done;
    lope_ground *out;
    lope_vec2 *places; // where `out` is NULL
    float yaw;         // of the last one
} walk_moments;

static void write_moment(walk_moments *moments, float x, float z, float yaw)
{
    if (moments->out)
        moments->out[moments->done] = (lope_ground){x, z, lope_wrap_angle(yaw)};
    else
        moments->places[moments->done] = (lope_vec2){x, z};
    moments->yaw = yaw;
    moments->done++;
}

// Writes the moments up to the end of a movement of `frames` that begins at the course's place.
static void write_along(walk_moments *moments, const walk_course *course, ground_move move, float yaw, float frames)
{
    while (moments->done < moments->count) {
        float from_here = moments->interval * (float)(moments->done + 1) - course->frame;
        if (from_here > frames)
            return;
        float t = from_here / frames;
        lope_vec2 at = ground_move_point(course->at, move.x * t, move.z * t);
        write_moment(moments, at.x, at.z, course->yaw + yaw * t);
    }
}

static void move_on(walk_moments *moments, walk_course *course, ground_move move, float yaw, float frames)
{
    write_along(moments, course, move, yaw, frames);
    course->at = ground_move_mul(course->at, move);
    course->yaw += yaw;
    course->frame += frames;
}

static void follow_action(walk_moments *moments, walk_course *course, const mobility_action *action)
{
    if (action->frames <= NEARLY_STRAIGHT) {
        move_on(moments, course, action->move, action->yaw, (float)action->frames);
        return;
    }
    const mobility_pose *poses = course->map->poses;
    for (int32_t f = 0, p = action->first_pose; f < action->frames && moments->done < moments->count;
         f++, p = poses[p].next)
        move_on(moments, course, poses[p].enter, poses[p].yaw, 1.0f);
}

static void follow_plan(walk_moments *moments, walk_course *course)
{
    const lope_mobility *map = course->map;
    for (; course->choice >= 0 && course->step < course->end && moments->done < moments->count; course->step++) {
        const mobility_action *action = walk_action(map, course->state, course->choice, course->step);
        follow_action(moments, course, action);
        course->state = action->state;
    }
    while (moments->done < moments->count)
        write_moment(moments, course->at.x, course->at.z, course->yaw);
}

static walk_course course_from(const lope_walker *walker, ground_move at)
{
    return (walk_course){.map = walker->map, .choice = -1, .end = walker->map->head.steps, .at = at};
}

lope_ground lope_walker_ground(const lope_walker *walker)
{
    return ground_of_move(walk_body(walker));
}

static void predict(const lope_walker *walker, walk_moments *moments)
{
    walk_course course = course_from(walker, walk_body(walker));
    course.yaw = ground_of_move(course.at).yaw;
    if (!walker->holding) { // to the next state first, from within a frame
        const mobility_pose *pose = &walker->map->poses[walker->pose];
        float share = 1.0f - walker->phase;
        move_on(moments, &course, walk_part(pose, share), pose->yaw * share, share);
        for (; pose->state < 0; pose = &walker->map->poses[pose->next]) {
            const mobility_pose *next = &walker->map->poses[pose->next];
            move_on(moments, &course, next->enter, next->yaw, 1.0f);
        }
        course.choice = walker->plan.choice;
        course.step = walker->plan.step;
        course.state = pose->state;
        if (walker->aim == WALK_STOP && walker->plan.hit_step >= 0)
            course.end = (uint32_t)walker->plan.hit_step;
    }
    follow_plan(moments, &course);
}

static void predict_candidate(const lope_walker *walker, const lope_candidate *candidate, walk_moments *moments)
{
    walk_course course = course_from(walker, walker->ground);
    course.yaw = moments->out ? ground_of_move(course.at).yaw : 0.0f;
    course.choice = (int32_t)walker->map->choice_first[candidate->state] + candidate->choice;
    course.state = candidate->state;
    for (int k = 0; k < candidate->skip; k++)
        course.state = walk_action(walker->map, course.state, course.choice, (uint32_t)k)->state;
    course.step = (uint32_t)candidate->skip;
    follow_plan(moments, &course);
}

static walk_moments moments_of(const lope_walker *walker, float interval, int count)
{
    return (walk_moments){.interval = interval * walker->map->head.frame_rate, .count = count};
}

void lope_walker_predict(const lope_walker *walker, float interval, int count, lope_ground *out)
{
    walk_moments moments = moments_of(walker, interval, count);
    moments.out = out;
    predict(walker, &moments);
}

void lope_walker_predict_candidate(const lope_walker *walker, const lope_candidate *candidate, float interval,
                                   int count, lope_ground *out)
{
    walk_moments moments = moments_of(walker, interval, count);
    moments.out = out;
    predict_candidate(walker, candidate, &moments);
}

float walk_places(const lope_walker *walker, float interval, int count, lope_vec2 *out)
{
    walk_moments moments = moments_of(walker, interval, count);
    moments.places = out;
    predict(walker, &moments);
    return lope_wrap_angle(moments.yaw);
}

void walk_candidate_places(const lope_walker *walker, const lope_candidate *candidate, float interval, int count,
                           lope_vec2 *out)
{
    walk_moments moments = moments_of(walker, interval, count);
    moments.places = out;
    predict_candidate(walker, candidate, &moments);
}

float walk_seconds_turned(const lope_walker *walker, float at_once, float on_the_way)
{
    if (walker->plan.choice < 0 || walker->aim == WALK_STAY)
        return 0.0f;
    // A way that bends evenly ends where one does that is turned by half of it at once.
    float first = at_once + 0.5f * on_the_way;
    ground_move end = ground_move_mul(ground_move_of((lope_ground){0.0f, 0.0f, first}), walker->plan.rest);
    end = ground_move_mul(end, ground_move_of((lope_ground){0.0f, 0.0f, 0.5f * on_the_way}));
    lope_vec2 goal = mobility_see(ground_move_mul(walker->ground, end), walker->goal.position);
    int32_t state = walker->map->choices[walker->plan.choice].state;
    return walker->aim == WALK_STOP ? lope_mobility_stand_time(walker->map, state, goal)
                                    : lope_mobility_time(walker->map, state, goal);
}

float lope_walker_time_left(const lope_walker *walker)
{
    if (walker->progress == LOPE_WALKER_ARRIVED)
        return 0.0f;
    if (walker->progress == LOPE_WALKER_IDLE)
        return INFINITY;
    float seconds = walk_frame_seconds(walker);
    if (walker->plan.hit_step >= 0)
        return ((float)walker->plan.hit_frames - walker->phase) * seconds;
    int32_t state = walker->plan.choice >= 0 ? walker->map->choices[walker->plan.choice].state : -1;
    if (state < 0)
        return INFINITY;
    lope_vec2 goal = mobility_see(ground_move_mul(walker->ground, walker->plan.rest), walker->goal.position);
    float after = walker->aim == WALK_STOP ? lope_mobility_stand_time(walker->map, state, goal)
                                           : lope_mobility_time(walker->map, state, goal);
    return ((float)walker->plan.frames - walker->phase) * seconds + after;
}
