// SPDX-License-Identifier: MIT
// Plans as files, so that one can go on from them later (5.6.3): one chunk of numbers, row after row, and one with the
// names of the modes. What is read back has the same bits, so going on from it leads to the same plan.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plan.h"
#include "lope/container.h"

#define CHUNK_ROWS LOPE_CHUNK('C', 'P', 'L', 'N')
#define CHUNK_MODES LOPE_CHUNK('C', 'P', 'M', 'D')
#define VERSION 1
#define MODE_NAME 16   // bytes of a mode's name, with zeros behind it
#define MOST_ROWS 4e6  // frames or steps
#define MOST_HOLDS 1e6 // index of a hold
#define FURTHEST 1e6   // of any other number
#define MOST_SEED_HALF 4294967295.0

enum {
    SITES = LOPE_CLIMB_MAX_VIA + 1,
    BODY_NUMBERS = 28,
    HEAD_NUMBERS = 8 + SITES + BODY_NUMBERS, // rate, complete, left, seed in two halves, steps, frames, reached
    STEP_NUMBERS = 8,
    FRAME_NUMBERS = 25
};

// --- Numbers in rows

static bool whole_in(double value, double low, double high)
{
    return value >= low && value <= high && value == floor(value);
}

static void body_row(const lope_grasp_body *body, double *out)
{
    const double first[] = {body->unit,      body->spine,          body->head,           body->spine_mass,
                            body->head_mass, body->neck_range.low, body->neck_range.high};
    memcpy(out, first, sizeof first);
    out += 7;
    for (int i = 0; i < 4; i++) {
        lope_angle_range range = body->range[i / 2][i % 2];
        const double link[] = {body->length[i / 2][i % 2], body->mass[i / 2][i % 2], body->centre[i / 2][i % 2],
                               range.low, range.high};
        memcpy(out + 5 * i, link, sizeof link);
    }
    out[20] = (double)body->missing;
}

static bool body_of_row(const double *row, lope_grasp_body *out)
{
    *out = (lope_grasp_body){.unit = row[0],
                             .spine = row[1],
                             .head = row[2],
                             .spine_mass = row[3],
                             .head_mass = row[4],
                             .neck_range = {row[5], row[6]},
                             .missing = row[27] >= 0.0 && row[27] < 16.0 ? (uint64_t)row[27] : 0u};
    bool fine = true;
    for (int i = 0; i < 28; i++)
        fine &= fabs(row[i]) <= FURTHEST; // not for what is no number
    fine &= whole_in(row[27], 0, 15) && row[0] > 0.0 && row[1] > 0.0 && row[2] > 0.0 && row[3] >= 0.0 &&
            row[4] >= 0.0 && row[5] <= row[6];
    for (int i = 0; i < 4; i++) {
        const double *link = row + 7 + 5 * i;
        out->length[i / 2][i % 2] = link[0];
        out->mass[i / 2][i % 2] = link[1];
        out->centre[i / 2][i % 2] = link[2];
        out->range[i / 2][i % 2] = (lope_angle_range){link[3], link[4]};
        fine &= link[0] > 0.0 && link[1] >= 0.0 && link[3] <= link[4];
    }
    return fine;
}

static void head_row(const lope_climb_plan *plan, double *out)
{
    const double first[] = {
        plan->frame_rate,           plan->complete,   fmin(plan->left, FURTHEST), (double)(plan->seed & 0xffffffffu),
        (double)(plan->seed >> 32), plan->step_count, plan->frame_count,          plan->reached};
    memcpy(out, first, sizeof first);
    for (int i = 0; i < SITES; i++)
        out[8 + i] = i < plan->reached ? plan->site_frame[i] : 0;
    body_row(&plan->body, out + 8 + SITES);
}

static void step_row(const lope_climb_step *step, double *out)
{
    out[0] = step->mode;
    out[1] = step->facing;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        out[2 + i] = step->hold[i];
    out[6] = step->time;
    out[7] = step->seat;
}

static void frame_row(const lope_climb_frame *frame, double *out)
{
    out[0] = frame->mode;
    out[1] = frame->pose.facing;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        out[2 + i] = frame->hold[i];
    out[6] = frame->held;
    out[7] = frame->yaw;
    memcpy(out + 8, frame->spread, sizeof frame->spread);
    pose_numbers(&frame->pose, out + 12);
    out[24] = frame->seat;
}

// --- Writing

static lope_status add_chunks(lope_container_writer *writer, const lope_climb_plan *plan, lope_error *error)
{
    char names[LOPE_MODE_COUNT][MODE_NAME] = {{0}};
    size_t steps = (size_t)plan->step_count, frames = (size_t)plan->frame_count;
    size_t count = HEAD_NUMBERS + steps * STEP_NUMBERS + frames * FRAME_NUMBERS;
    double *rows = lope_alloc_array(count, sizeof *rows);
    if (!rows)
        return lope_fail_memory(error);
    head_row(plan, rows);
    for (size_t i = 0; i < steps; i++)
        step_row(&plan->steps[i], rows + HEAD_NUMBERS + i * STEP_NUMBERS);
    for (size_t i = 0; i < frames; i++)
        frame_row(&plan->frames[i], rows + HEAD_NUMBERS + steps * STEP_NUMBERS + i * FRAME_NUMBERS);
    for (int i = 0; i < LOPE_MODE_COUNT; i++)
        memcpy(names[i], modes[i]->name, strlen(modes[i]->name));
    lope_status status = lope_container_writer_add(writer, CHUNK_ROWS, VERSION, rows, count * sizeof *rows, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_MODES, VERSION, names, sizeof names, error);
    lope_free(rows);
    return status;
}

lope_status lope_climb_plan_save(const lope_climb_plan *plan, const char *path, lope_error *error)
{
    lope_container_writer *writer;
    lope_status status = lope_container_writer_create(&writer, error);
    if (!status)
        status = add_chunks(writer, plan, error);
    if (!status)
        status = lope_container_writer_save(writer, path, error);
    lope_container_writer_destroy(writer);
    return status;
}

// --- Reading

typedef struct plan_reader {
    const char *name;
    const double *rows;
    int mode_count;
    lope_grasp_mode modes[LOPE_MODE_COUNT]; // what the numbers of the file mean
    lope_climb_plan *plan;
    lope_error *error;
} plan_reader;

static lope_status bad(const plan_reader *r, const char *what, int index)
{
    return lope_fail(r->error, LOPE_BAD_DATA, "%s: %s %d of the plan makes no sense", r->name, what, index);
}

// Every number of a row is one, and those that become an index are within their bounds.
static bool row_is_sane(const plan_reader *r, const double *row, int count)
{
    bool fine = whole_in(row[0], 0, r->mode_count - 1) && (row[1] == 1.0 || row[1] == -1.0);
    for (int i = 2; i < 2 + LOPE_LIMB_COUNT; i++)
        fine &= whole_in(row[i], -1, MOST_HOLDS);
    for (int i = 6; i < count; i++)
        fine &= fabs(row[i]) <= FURTHEST;
    return fine;
}

static void take_holds(const double *row, int out[LOPE_LIMB_COUNT])
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        out[i] = (int)row[2 + i];
}

static lope_status take_rows(plan_reader *r)
{
    lope_climb_plan *plan = r->plan;
    const double *row = r->rows + HEAD_NUMBERS;
    plan->steps = lope_alloc_array((size_t)plan->step_count, sizeof *plan->steps);
    plan->frames = lope_alloc_array((size_t)plan->frame_count, sizeof *plan->frames);
    if (!plan->steps || !plan->frames)
        return lope_fail_memory(r->error);
    for (int i = 0; i < plan->step_count; i++, row += STEP_NUMBERS) {
        if (!row_is_sane(r, row, STEP_NUMBERS) || row[6] < 0.0 || !whole_in(row[7], 0, MOST_HOLDS))
            return bad(r, "step", i);
        plan->steps[i] = (lope_climb_step){
            .mode = r->modes[(int)row[0]], .facing = (int)row[1], .seat = (int)row[7], .time = row[6]};
        take_holds(row, plan->steps[i].hold);
    }
    for (int i = 0; i < plan->frame_count; i++, row += FRAME_NUMBERS) {
        if (!row_is_sane(r, row, FRAME_NUMBERS) || !whole_in(row[6], 0, 15) || !whole_in(row[24], 0, MOST_HOLDS))
            return bad(r, "frame", i);
        lope_climb_frame *frame = &plan->frames[i];
        *frame = (lope_climb_frame){.pose = pose_of_numbers(row + 12, (int)row[1]),
                                    .mode = r->modes[(int)row[0]],
                                    .held = (unsigned)row[6],
                                    .seat = (int)row[24],
                                    .yaw = row[7]};
        memcpy(frame->spread, row + 8, sizeof frame->spread);
        take_holds(row, frame->hold);
    }
    return LOPE_OK;
}

static lope_status take_head(plan_reader *r, size_t size)
{
    lope_climb_plan *plan = r->plan;
    const double *head = r->rows;
    bool fine = size >= HEAD_NUMBERS * sizeof *head && head[0] >= 1.0 && head[0] <= 1000.0 && whole_in(head[1], 0, 1) &&
                head[2] >= 0.0 && head[2] <= FURTHEST && whole_in(head[3], 0, MOST_SEED_HALF) &&
                whole_in(head[4], 0, MOST_SEED_HALF) && whole_in(head[5], 1, MOST_ROWS) &&
                whole_in(head[6], 1, MOST_ROWS) && whole_in(head[7], 0, SITES);
    if (!fine || (double)size != ((double)HEAD_NUMBERS + head[5] * STEP_NUMBERS + head[6] * FRAME_NUMBERS) * 8.0)
        return lope_fail(r->error, LOPE_BAD_DATA, "%s: the plan has a size that makes no sense", r->name);
    plan->frame_rate = head[0];
    plan->complete = head[1] != 0.0;
    plan->left = head[2];
    plan->seed = (uint64_t)head[4] << 32 | (uint64_t)head[3];
    plan->step_count = (int)head[5];
    plan->frame_count = (int)head[6];
    plan->reached = (int)head[7];
    for (int i = 0; i < plan->reached; i++) {
        if (!whole_in(head[8 + i], 0, head[6] - 1.0))
            return bad(r, "site", i);
        plan->site_frame[i] = (int)head[8 + i];
    }
    return body_of_row(head + 8 + SITES, &plan->body)
               ? LOPE_OK
               : lope_fail(r->error, LOPE_BAD_DATA, "%s: the body of the plan has a part without size", r->name);
}

static lope_status take_modes(plan_reader *r, const char *names, size_t size)
{
    r->mode_count = (int)(size / MODE_NAME < LOPE_MODE_COUNT ? size / MODE_NAME : LOPE_MODE_COUNT);
    for (int i = 0; i < r->mode_count; i++) {
        int mode = 0;
        while (mode < LOPE_MODE_COUNT && strncmp(names + i * MODE_NAME, modes[mode]->name, MODE_NAME) != 0)
            mode++;
        if (mode == LOPE_MODE_COUNT)
            return lope_fail(r->error, LOPE_BAD_DATA, "%s: the plan has a mode '%.*s', which does not exist", r->name,
                             MODE_NAME, names + i * MODE_NAME);
        r->modes[i] = (lope_grasp_mode)mode;
    }
    return LOPE_OK;
}

static lope_status read_container(const lope_container *container, plan_reader *r)
{
    uint32_t version = 0;
    size_t size = 0, names_size = 0;
    int rows = lope_container_find(container, CHUNK_ROWS, 0), names = lope_container_find(container, CHUNK_MODES, 0);
    if (rows < 0 || names < 0)
        return lope_fail(r->error, LOPE_BAD_DATA, "%s: holds no climbing plan; 'lope climb' writes them", r->name);
    lope_container_type(container, rows, &version);
    if (version != VERSION)
        return lope_fail(r->error, LOPE_BAD_DATA, "%s: plans of version %d are read, found %u", r->name, VERSION,
                         version);
    r->rows = lope_container_data(container, rows, &size);
    const char *words = lope_container_data(container, names, &names_size);
    lope_status status = take_modes(r, words, names_size);
    if (!status)
        status = take_head(r, size);
    return status ? status : take_rows(r);
}

// Takes what was opened, and closes it.
static lope_status take(lope_container *container, const char *name, lope_climb_plan **out, lope_error *error)
{
    plan_reader r = {.name = name, .error = error};
    r.plan = lope_alloc_zero(sizeof *r.plan);
    lope_status status = r.plan ? read_container(container, &r) : lope_fail_memory(error);
    if (status)
        lope_climb_plan_destroy(r.plan);
    else
        *out = r.plan;
    lope_container_close(container);
    return status;
}

lope_status lope_climb_plan_open(const char *path, lope_climb_plan **out, lope_error *error)
{
    lope_container *container;
    *out = NULL;
    lope_status status = lope_container_open(path, &container, error);
    return status ? status : take(container, path, out, error);
}

lope_status lope_climb_plan_open_memory(const void *data, size_t size, const char *name, lope_climb_plan **out,
                                        lope_error *error)
{
    lope_container *container;
    *out = NULL;
    lope_status status = lope_container_open_memory(data, size, name, &container, error);
    return status ? status : take(container, name, out, error);
}
