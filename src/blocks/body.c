// SPDX-License-Identifier: MIT
// Bodies against furniture: the balls of every frame of every clip are worked out once, then moved to where a segment
// has them.
#include <string.h>

#include "base/error.h"
#include "blocks/world.h"
#include "lope/ground.h"
#include "math/larger.h"

// Metres between balls along a bone.
#define SPACING 0.12f
// Boxes are looked up in cells of this size (metres), more where the world is large.
#define CELL 2.0f
#define MOST_CELLS (1 << 20)
// A floor above is as thick as this (metres).
#define FLOOR_THICKNESS 0.2f

lope_status body_create(lope_block_world *w, lope_error *error)
{
    const lope_set *set = w->blocks->set;
    lope_status status = lope_body_balls_create(set->skeleton, SPACING, 0.0f, &w->balls, error);
    if (status)
        return status;
    size_t frames = (size_t)w->tracks.first[set->clip_count], balls = (size_t)w->balls.count;
    lope_transform *model = lope_alloc_array((size_t)set->skeleton->joint_count, sizeof *model);
    w->ball_places = lope_alloc_array(frames * balls, sizeof *w->ball_places);
    w->body_extents = lope_alloc_array(frames, sizeof *w->body_extents);
    if (!model || !w->ball_places || !w->body_extents) {
        lope_free(model);
        return lope_fail_memory(error);
    }
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++) {
            size_t row = ((size_t)w->tracks.first[c] + (size_t)f) * balls;
            lope_transform local = lope_ground_transform(lope_ground_inverse(*patch_track(&w->tracks, c, f)));
            lope_clip_model(set->clips[c], f, model);
            body_extent extent = {0.0f, INFINITY, -INFINITY};
            for (size_t i = 0; i < balls; i++) {
                const body_ball *ball = &w->balls.balls[i];
                lope_vec3 p = lope_transform_point(local, lope_transform_point(model[ball->joint], ball->centre));
                w->ball_places[row + i] = p;
                extent.reach = larger(extent.reach, sqrtf(p.x * p.x + p.z * p.z) + ball->radius);
                extent.low = smaller(extent.low, p.y - ball->radius);
                extent.high = larger(extent.high, p.y + ball->radius);
            }
            w->body_extents[w->tracks.first[c] + f] = extent;
        }
    lope_free(model);
    return LOPE_OK;
}

world_box world_box_of(const lope_box *box, lope_spot at, int object)
{
    lope_spot centre = lope_spot_mul(at, (lope_spot){box->centre.x, box->centre.y, box->centre.z, 0.0f});
    double yaw_sin, yaw_cos, pitch_sin, pitch_cos;
    lope_sincos((double)(box->yaw + at.yaw), &yaw_sin, &yaw_cos);
    lope_sincos((double)box->pitch, &pitch_sin, &pitch_cos);
    return (world_box){.centre = {centre.x, centre.y, centre.z},
                       .half = box->half,
                       .yaw_sin = (float)yaw_sin,
                       .yaw_cos = (float)yaw_cos,
                       .pitch_sin = (float)pitch_sin,
                       .pitch_cos = (float)pitch_cos,
                       .reach = lope_v3_length(box->half),
                       .object = object};
}

float world_box_distance(const world_box *b, lope_vec3 point)
{
    lope_vec3 p = lope_v3_sub(point, b->centre);
    p = lope_v3(p.x * b->yaw_cos - p.z * b->yaw_sin, p.y, p.z * b->yaw_cos + p.x * b->yaw_sin);
    p = lope_v3(p.x, p.y * b->pitch_cos + p.z * b->pitch_sin, p.z * b->pitch_cos - p.y * b->pitch_sin);
    lope_vec3 out = {fabsf(p.x) - b->half.x, fabsf(p.y) - b->half.y, fabsf(p.z) - b->half.z};
    float inside = smaller(larger(out.x, larger(out.y, out.z)), 0.0f);
    lope_vec3 away = {larger(out.x, 0.0f), larger(out.y, 0.0f), larger(out.z, 0.0f)};
    return inside + lope_v3_length(away);
}

lope_vec3 world_box_way_out(const world_box *b, lope_vec3 point)
{
    lope_vec3 p = lope_v3_sub(point, b->centre);
    p = lope_v3(p.x * b->yaw_cos - p.z * b->yaw_sin, p.y, p.z * b->yaw_cos + p.x * b->yaw_sin);
    p = lope_v3(p.x, p.y * b->pitch_cos + p.z * b->pitch_sin, p.z * b->pitch_cos - p.y * b->pitch_sin);
    lope_vec3 left = {b->half.x - fabsf(p.x), b->half.y - fabsf(p.y), b->half.z - fabsf(p.z)}, out = {0.0f, 0.0f, 0.0f};
    if (left.x <= left.y && left.x <= left.z)
        out.x = copysignf(1.0f, p.x);
    else if (left.y <= left.z)
        out.y = copysignf(1.0f, p.y);
    else
        out.z = copysignf(1.0f, p.z);
    out = lope_v3(out.x, out.y * b->pitch_cos - out.z * b->pitch_sin, out.z * b->pitch_cos + out.y * b->pitch_sin);
    return lope_v3(out.x * b->yaw_cos + out.z * b->yaw_sin, out.y, out.z * b->yaw_cos - out.x * b->yaw_sin);
}

static int cell_of(float place, float corner, float size, int count)
{
    float cell = floorf((place - corner) / size);
    return (int)smaller(larger(cell, 0.0f), (float)(count - 1));
}

static void lay_out_cells(lope_block_world *w)
{
    const world_box *boxes = w->boxes.items;
    lope_vec2 low = {0.0f, 0.0f}, high = {0.0f, 0.0f};
    for (int i = 0; i < w->boxes.count; i++) {
        lope_vec3 c = boxes[i].centre;
        low = i ? (lope_vec2){smaller(low.x, c.x), smaller(low.z, c.z)} : (lope_vec2){c.x, c.z};
        high = i ? (lope_vec2){larger(high.x, c.x), larger(high.z, c.z)} : (lope_vec2){c.x, c.z};
    }
    w->cells_corner = low;
    w->cell_size = CELL;
    do {
        w->cells_x = (int)((high.x - low.x) / w->cell_size) + 1;
        w->cells_z = (int)((high.z - low.z) / w->cell_size) + 1;
        w->cell_size *= 2.0f;
    } while ((int64_t)w->cells_x * w->cells_z > MOST_CELLS);
    w->cell_size *= 0.5f;
}

// Boxes by the cell of their centre; questions reach as much farther as the largest box does.
static lope_status sort_boxes(lope_block_world *w, lope_error *error)
{
    lay_out_cells(w);
    size_t cells = (size_t)w->cells_x * (size_t)w->cells_z;
    lope_free(w->box_cells);
    lope_free(w->box_list);
    w->box_cells = lope_alloc_zero((cells + 2) * sizeof *w->box_cells);
    w->box_list = lope_alloc_array((size_t)w->boxes.count + 1, sizeof *w->box_list);
    if (!w->box_cells || !w->box_list) {
        w->boxes.count = 0;
        return lope_fail_memory(error);
    }
    const world_box *boxes = w->boxes.items;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < w->boxes.count; i++) {
            int x = cell_of(boxes[i].centre.x, w->cells_corner.x, w->cell_size, w->cells_x);
            int z = cell_of(boxes[i].centre.z, w->cells_corner.z, w->cell_size, w->cells_z);
            int32_t *slot = &w->box_cells[z * w->cells_x + x + (pass == 0 ? 2 : 1)];
            if (pass == 1)
                w->box_list[*slot] = i;
            (*slot)++;
        }
        for (size_t c = 1; c < cells + 2 && pass == 0; c++)
            w->box_cells[c] += w->box_cells[c - 1];
    }
    return LOPE_OK;
}

lope_status boxes_update(lope_block_world *w, lope_error *error)
{
    const lope_placed_unit *objects = w->objects.items;
    w->boxes.count = 0;
    for (int i = 0; i < w->objects.count; i++) {
        if (objects[i].unit < 0)
            continue;
        const lope_unit *unit = &units_of(w)[objects[i].unit];
        for (int k = 0; k < unit->box_count; k++) {
            world_box box = world_box_of(&shapes_of(w)[unit->box_first + k], objects[i].at, i);
            if (!list_add(&w->boxes, &box, sizeof box)) {
                w->boxes.count = 0;
                return lope_fail_memory(error);
            }
        }
    }
    return sort_boxes(w, error);
}

int boxes_near(const lope_block_world *w, lope_vec3 at, float reach, const world_box **out, int room)
{
    int count = 0;
    float wide = reach + 1.0f; // boxes are entered by their centres
    int x0 = cell_of(at.x - wide, w->cells_corner.x, w->cell_size, w->cells_x);
    int x1 = cell_of(at.x + wide, w->cells_corner.x, w->cell_size, w->cells_x);
    int z0 = cell_of(at.z - wide, w->cells_corner.z, w->cell_size, w->cells_z);
    int z1 = cell_of(at.z + wide, w->cells_corner.z, w->cell_size, w->cells_z);
    for (int z = z0; z <= z1 && w->boxes.count > 0; z++)
        for (int x = x0; x <= x1; x++)
            for (int i = w->box_cells[z * w->cells_x + x]; i < w->box_cells[z * w->cells_x + x + 1]; i++) {
                const world_box *box = (const world_box *)w->boxes.items + w->box_list[i];
                float dx = box->centre.x - at.x, dz = box->centre.z - at.z, far = reach + box->reach;
                if (dx * dx + dz * dz <= far * far && count < room)
                    out[count++] = box;
            }
    return count;
}

// Where a segment has the body, every few frames. Like following it with lope_segment_advance, but turns are
// accumulated from frame to frame, which is right to a millimetre: enough to see what is in the way.
int body_path(const lope_block_world *w, const lope_block_segment *segment, lope_spot gate, body_place out[BODY_PLACES])
{
    const lope_segment *piece = &segment->piece;
    const lope_ground *track = patch_track(&w->tracks, piece->clip, piece->first);
    float per_metre = piece->length > 0.0f ? 1.0f / piece->length : 0.0f, walked = 0.0f;
    double sine, cosine;
    lope_sincos((double)gate.yaw, &sine, &cosine);
    float gate_sin = (float)sine, gate_cos = (float)cosine;
    lope_sincos((double)gate.yaw - (double)track[0].yaw, &sine, &cosine);
    float s = (float)sine, c = (float)cosine;
    float x = gate.x + piece->start.x * gate_cos + piece->start.z * gate_sin;
    float z = gate.z + piece->start.z * gate_cos - piece->start.x * gate_sin;
    lope_vec2 shift = {piece->shift.x * gate_cos + piece->shift.z * gate_sin,
                       piece->shift.z * gate_cos - piece->shift.x * gate_sin};
    float base = gate.y - segment->base, rise = segment->lift / (float)(piece->frames - 1);
    int stride = 2 + piece->frames / (BODY_PLACES - 2), count = 0;
    for (int f = 0;; f++) {
        float bent = piece->bend * walked * per_metre;
        if (f % stride == 0 || f == piece->frames - 1)
            out[count++] =
                (body_place){f, {x, base + rise * (float)f, z, track[f].yaw - track[0].yaw + bent + gate.yaw}};
        if (f == piece->frames - 1)
            return count;
        float dx = track[f + 1].x - track[f].x, dz = track[f + 1].z - track[f].z, step = sqrtf(dx * dx + dz * dz);
        float half = 0.5f * piece->bend * step * per_metre;
        // By half of the step's bend before it, and by the other half after it.
        float s1 = s + c * half - 0.5f * s * half * half, c1 = c - s * half - 0.5f * c * half * half;
        x += dx * c1 + dz * s1 + shift.x * step * per_metre;
        z += dz * c1 - dx * s1 + shift.z * step * per_metre;
        s = s1 + c1 * half - 0.5f * s1 * half * half;
        c = c1 - s1 * half - 0.5f * c1 * half * half;
        walked += step;
    }
}

int floors_near(const lope_block_world *w, lope_spot at, float reach, const floor_tiles **out, int room)
{
    int count = 0;
    float size = w->blocks->tile->size;
    for (int f = 0; f < w->floors.count && count < room; f++) {
        const floor_tiles *floor = floor_at(w, f);
        float wide = size * (float)floor->def.columns, deep = size * (float)floor->def.rows;
        bool near = at.x + reach >= floor->def.corner.x && at.x - reach <= floor->def.corner.x + wide &&
                    at.z + reach >= floor->def.corner.z && at.z - reach <= floor->def.corner.z + deep;
        if (near && floor->def.height > at.y - 1.0f && floor->def.height < at.y + 4.5f)
            out[count++] = floor;
    }
    return count;
}

// Whether a body with its head this high is in a floor that is above its feet.
static bool in_floor(const body_surroundings *around, lope_vec3 hips, float head)
{
    for (int f = 0; f < around->floor_count; f++) {
        const floor_tiles *floor = around->floors[f];
        if (floor->def.height <= hips.y || floor->def.height - FLOOR_THICKNESS >= head)
            continue;
        int tile = patch_tile_at(floor->tiles, (lope_vec2){hips.x, hips.z});
        if (tile >= 0 && floor->tiles->present[tile])
            return true;
    }
    return false;
}

// The body of a frame somewhere.
typedef struct placed_body {
    const lope_vec3 *places;
    body_extent extent;
    lope_spot at;
    bool turned; // sine and cosine of its yaw are known
    float sine, cosine;
} placed_body;

static void know_turn(placed_body *body)
{
    double sine, cosine;
    if (body->turned)
        return;
    lope_sincos((double)body->at.yaw, &sine, &cosine);
    body->sine = (float)sine;
    body->cosine = (float)cosine;
    body->turned = true;
}

// Whether the upright cylinder around the body reaches the box at all.
static bool comes_near(const placed_body *body, const world_box *b)
{
    float half_y = b->half.y * fabsf(b->pitch_cos) + b->half.z * fabsf(b->pitch_sin);
    float half_z = b->half.z * fabsf(b->pitch_cos) + b->half.y * fabsf(b->pitch_sin);
    if (body->at.y + body->extent.low > b->centre.y + half_y || body->at.y + body->extent.high < b->centre.y - half_y)
        return false;
    float x = body->at.x - b->centre.x, z = body->at.z - b->centre.z;
    float across = larger(fabsf(x * b->yaw_cos - z * b->yaw_sin) - b->half.x, 0.0f);
    float along = larger(fabsf(z * b->yaw_cos + x * b->yaw_sin) - half_z, 0.0f);
    return across * across + along * along < body->extent.reach * body->extent.reach;
}

static bool balls_meet(const lope_block_world *w, placed_body *body, const world_box *b, float overlap)
{
    if (!comes_near(body, b))
        return false;
    // From the body's ground frame to the box's frame at once.
    float x = body->at.x - b->centre.x, y = body->at.y - b->centre.y, z = body->at.z - b->centre.z;
    float move_x = x * b->yaw_cos - z * b->yaw_sin, move_z = z * b->yaw_cos + x * b->yaw_sin;
    know_turn(body);
    float c = body->cosine * b->yaw_cos + body->sine * b->yaw_sin;
    float s = body->sine * b->yaw_cos - body->cosine * b->yaw_sin;
    for (int i = 0; i < w->balls.count; i++) {
        lope_vec3 p = body->places[i];
        float room = w->balls.balls[i].radius - overlap;
        lope_vec3 q = {move_x + p.x * c + p.z * s, y + p.y, move_z + p.z * c - p.x * s};
        q = lope_v3(q.x, q.y * b->pitch_cos + q.z * b->pitch_sin, q.z * b->pitch_cos - q.y * b->pitch_sin);
        lope_vec3 out = {fabsf(q.x) - b->half.x, fabsf(q.y) - b->half.y, fabsf(q.z) - b->half.z};
        if (out.x >= room || out.y >= room || out.z >= room)
            continue;
        float inside = smaller(larger(out.x, larger(out.y, out.z)), 0.0f);
        lope_vec3 away = {larger(out.x, 0.0f), larger(out.y, 0.0f), larger(out.z, 0.0f)};
        if (inside + lope_v3_length(away) < room)
            return true;
    }
    return false;
}

bool body_collides(const lope_block_world *w, const lope_block_segment *segment, const body_place *path, int count,
                   const body_surroundings *around)
{
    const lope_segment *piece = &segment->piece;
    const lope_clip *clip = w->blocks->set->clips[piece->clip];
    size_t first = (size_t)w->tracks.first[piece->clip] + (size_t)piece->first;
    for (int i = 0; i < count; i++) {
        lope_spot at = path[i].at;
        size_t frame = first + (size_t)path[i].frame;
        lope_vec3 hips = {at.x, at.y + clip->root[piece->first + path[i].frame].y, at.z};
        if (in_floor(around, hips, hips.y + 0.75f))
            return true;
        placed_body body = {
            .places = w->ball_places + frame * (size_t)w->balls.count, .extent = w->body_extents[frame], .at = at};
        for (int k = 0; k < around->box_count; k++)
            if (balls_meet(w, &body, around->boxes[k], around->overlap))
                return true;
    }
    return false;
}
