// SPDX-License-Identifier: MIT
#include "bench/terrain_embree.h"

#ifdef LOPE_HAVE_EMBREE

#include <embree3/rtcore.h>
#include <stdlib.h>

#include "bench/terrain_plain.h"

struct embree_ground {
    RTCDevice device;
    RTCScene scene;
    lope_terrain_triangle *triangles;
};

embree_ground *embree_ground_create(const lope_terrain *terrain)
{
    const lope_vec3 low = lope_v3(-1e6f, -1e6f, -1e6f), high = lope_v3(1e6f, 1e6f, 1e6f);
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    embree_ground *ground = calloc(1, sizeof *ground);
    if (!ground)
        abort();
    ground->triangles = malloc(((size_t)count + 1) * sizeof *ground->triangles);
    if (!ground->triangles)
        abort();
    lope_terrain_triangles(terrain, low, high, ground->triangles, count);
    ground->device = rtcNewDevice("threads=1");
    ground->scene = rtcNewScene(ground->device);
    rtcSetSceneBuildQuality(ground->scene, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(ground->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    lope_vec3 *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                  sizeof *vertices, 3 * (size_t)count);
    unsigned *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                3 * sizeof *indices, (size_t)count);
    for (int i = 0; i < 3 * count; i++) {
        vertices[i] = ground->triangles[i / 3].corners[i % 3];
        indices[i] = (unsigned)i;
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(ground->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(ground->scene);
    return ground;
}

void embree_ground_destroy(embree_ground *ground)
{
    if (!ground)
        return;
    rtcReleaseScene(ground->scene);
    rtcReleaseDevice(ground->device);
    free(ground->triangles);
    free(ground);
}

typedef struct query {
    const embree_ground *ground;
    float best;
} query;

static bool look(struct RTCPointQueryFunctionArguments *arguments)
{
    query *q = arguments->userPtr;
    const lope_terrain_triangle *t = &q->ground->triangles[arguments->primID];
    lope_vec3 p = lope_v3(arguments->query->x, arguments->query->y, arguments->query->z);
    lope_vec3 away = lope_v3_sub(plain_nearest_on_triangle(p, t->corners[0], t->corners[1], t->corners[2]), p);
    float d = lope_v3_dot(away, away);
    if (d >= q->best)
        return false;
    q->best = d;
    arguments->query->radius = sqrtf(d);
    return true;
}

float embree_nearest(const embree_ground *ground, lope_vec3 point, float limit)
{
    query q = {ground, limit};
    struct RTCPointQuery ask = {.x = point.x, .y = point.y, .z = point.z, .time = 0.0f, .radius = sqrtf(limit)};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(ground->scene, &ask, &context, look, &q);
    return q.best;
}

float embree_below(const embree_ground *ground, lope_vec3 point)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit ask = {
        .ray = {.org_x = point.x, .org_y = point.y, .org_z = point.z, .dir_y = -1.0f, .tfar = INFINITY, .mask = ~0u},
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(ground->scene, &context, &ask);
    return ask.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -INFINITY : point.y - ask.ray.tfar;
}

#else

embree_ground *embree_ground_create(const lope_terrain *terrain)
{
    (void)terrain;
    return NULL;
}

void embree_ground_destroy(embree_ground *ground)
{
    (void)ground;
}

float embree_nearest(const embree_ground *ground, lope_vec3 point, float limit)
{
    (void)ground, (void)point;
    return limit;
}

float embree_below(const embree_ground *ground, lope_vec3 point)
{
    (void)ground, (void)point;
    return -INFINITY;
}

#endif
