// SPDX-License-Identifier: MIT
// Recast on the same triangles: rasterising, filtering, regions, contours, polygons and their heights, tile by tile as
// its own samples do it; then Detour's mesh of the tiles, and its paths.
#include "bench/level_recast.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <vector>

struct recast_level {
    dtNavMesh *mesh = nullptr;
    dtNavMeshQuery *query = nullptr;
    dtQueryFilter filter;
    recast_level() = default;
    recast_level(const recast_level &) = delete;
    recast_level &operator=(const recast_level &) = delete;
    ~recast_level()
    {
        dtFreeNavMeshQuery(query);
        dtFreeNavMesh(mesh);
    }
};

namespace
{

const int TILE_CELLS = 256, PATH_POLYGONS = 4096;

struct stages {
    rcHeightfield *solid = rcAllocHeightfield();
    rcCompactHeightfield *open = rcAllocCompactHeightfield();
    rcContourSet *contours = rcAllocContourSet();
    rcPolyMesh *polygons = rcAllocPolyMesh();
    rcPolyMeshDetail *detail = rcAllocPolyMeshDetail();
    stages() = default;
    stages(const stages &) = delete;
    stages &operator=(const stages &) = delete;
    ~stages()
    {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(open);
        rcFreeContourSet(contours);
        rcFreePolyMesh(polygons);
        rcFreePolyMeshDetail(detail);
    }
};

bool build_polygons(rcContext &context, const rcConfig &c, const std::vector<float> &corners, const stages &s)
{
    const int count = static_cast<int>(corners.size() / 9), vertices = 3 * count;
    std::vector<int> indices(corners.size() / 3);
    for (std::size_t i = 0; i < indices.size(); i++)
        indices[i] = static_cast<int>(i);
    std::vector<unsigned char> areas(static_cast<std::size_t>(count), 0);
    if (!rcCreateHeightfield(&context, *s.solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch))
        return false;
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, corners.data(), vertices, indices.data(), count,
                            areas.data());
    if (!rcRasterizeTriangles(&context, corners.data(), vertices, indices.data(), areas.data(), count, *s.solid,
                              c.walkableClimb))
        return false;
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *s.solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *s.solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *s.solid);
    return rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *s.solid, *s.open) &&
           rcErodeWalkableArea(&context, c.walkableRadius, *s.open) && rcBuildDistanceField(&context, *s.open) &&
           rcBuildRegions(&context, *s.open, c.borderSize, c.minRegionArea, c.mergeRegionArea) &&
           rcBuildContours(&context, *s.open, c.maxSimplificationError, c.maxEdgeLen, *s.contours) &&
           rcBuildPolyMesh(&context, *s.contours, c.maxVertsPerPoly, *s.polygons) &&
           rcBuildPolyMeshDetail(&context, *s.polygons, *s.open, c.detailSampleDist, c.detailSampleMaxError, *s.detail);
}

bool add_tile(dtNavMesh &mesh, const rcConfig &c, const stages &s, const recast_body &body, const int place[2])
{
    dtNavMeshCreateParams p = {};
    if (s.polygons->npolys == 0)
        return true;
    for (int i = 0; i < s.polygons->npolys; i++)
        s.polygons->flags[i] = s.polygons->areas[i] == RC_WALKABLE_AREA ? 1 : 0;
    p.verts = s.polygons->verts, p.vertCount = s.polygons->nverts;
    p.polys = s.polygons->polys, p.polyAreas = s.polygons->areas, p.polyFlags = s.polygons->flags;
    p.polyCount = s.polygons->npolys, p.nvp = s.polygons->nvp;
    p.detailMeshes = s.detail->meshes;
    p.detailVerts = s.detail->verts, p.detailVertsCount = s.detail->nverts;
    p.detailTris = s.detail->tris, p.detailTriCount = s.detail->ntris;
    p.walkableHeight = body.height, p.walkableRadius = body.radius, p.walkableClimb = body.step;
    p.tileX = place[0], p.tileY = place[1];
    rcVcopy(p.bmin, s.polygons->bmin);
    rcVcopy(p.bmax, s.polygons->bmax);
    p.cs = c.cs, p.ch = c.ch;
    p.buildBvTree = true;
    unsigned char *data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&p, &data, &size))
        return false;
    if (dtStatusSucceed(mesh.addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr)))
        return true;
    dtFree(data);
    return false;
}

rcConfig config_of(const recast_body &body)
{
    rcConfig c = {};
    c.cs = body.cell;
    c.ch = 0.5f * body.cell;
    c.walkableSlopeAngle = body.slope;
    c.walkableHeight = static_cast<int>(std::ceil(body.height / c.ch - 1e-3f));
    c.walkableClimb = static_cast<int>(std::floor(body.step / c.ch + 1e-3f));
    c.walkableRadius = static_cast<int>(std::ceil(body.radius / c.cs - 1e-3f));
    c.maxEdgeLen = static_cast<int>(12.0f / c.cs);
    c.maxSimplificationError = 1.3f;
    c.minRegionArea = 64;
    c.mergeRegionArea = 400;
    c.maxVertsPerPoly = 6;
    c.detailSampleDist = 6.0f * c.cs;
    c.detailSampleMaxError = c.ch;
    c.borderSize = c.walkableRadius + 3;
    c.tileSize = TILE_CELLS;
    c.width = c.height = c.tileSize + 2 * c.borderSize;
    return c;
}

// Tiles of the plan, row by row, and the triangles that reach into each.
struct plan {
    float low[3], high[3], side, border;
    int columns, rows;
    std::vector<std::vector<float>> tiles;
};

plan divide(const float *triangles, int count, const rcConfig &c)
{
    plan p;
    rcCalcBounds(triangles, 3 * count, p.low, p.high);
    p.side = static_cast<float>(c.tileSize) * c.cs, p.border = static_cast<float>(c.borderSize) * c.cs;
    p.columns = static_cast<int>((p.high[0] - p.low[0]) / p.side) + 1;
    p.rows = static_cast<int>((p.high[2] - p.low[2]) / p.side) + 1;
    p.tiles.resize(static_cast<std::size_t>(p.columns) * static_cast<std::size_t>(p.rows));
    for (int i = 0; i < count; i++) {
        const float *t = triangles + 9 * static_cast<std::size_t>(i);
        float least[2], most[2];
        for (int k = 0; k < 2; k++) {
            least[k] = std::fmin(std::fmin(t[2 * k], t[3 + 2 * k]), t[6 + 2 * k]) - p.border - p.low[2 * k];
            most[k] = std::fmax(std::fmax(t[2 * k], t[3 + 2 * k]), t[6 + 2 * k]) + p.border - p.low[2 * k];
        }
        for (int z = std::max(0, static_cast<int>(least[1] / p.side));
             z < p.rows && static_cast<float>(z) * p.side <= most[1]; z++)
            for (int x = std::max(0, static_cast<int>(least[0] / p.side));
                 x < p.columns && static_cast<float>(x) * p.side <= most[0]; x++) {
                std::vector<float> &tile = p.tiles[static_cast<std::size_t>(z * p.columns + x)];
                tile.insert(tile.end(), t, t + 9);
            }
    }
    return p;
}

bool build(recast_level &level, const float *triangles, int count, const recast_body &body)
{
    rcContext context(false);
    rcConfig c = config_of(body);
    const plan p = divide(triangles, count, c);
    dtNavMeshParams params = {};
    rcVcopy(params.orig, p.low);
    params.tileWidth = params.tileHeight = p.side;
    params.maxTiles = 1, params.maxPolys = 1 << 14;
    while (params.maxTiles < p.columns * p.rows)
        params.maxTiles *= 2;
    level.mesh = dtAllocNavMesh();
    bool fine = dtStatusSucceed(level.mesh->init(&params));
    for (int i = 0; i < p.columns * p.rows && fine; i++) {
        const std::vector<float> &tile = p.tiles[static_cast<std::size_t>(i)];
        const int place[2] = {i % p.columns, i / p.columns};
        c.bmin[0] = p.low[0] + static_cast<float>(place[0]) * p.side - p.border;
        c.bmin[1] = p.low[1];
        c.bmin[2] = p.low[2] + static_cast<float>(place[1]) * p.side - p.border;
        c.bmax[0] = c.bmin[0] + p.side + 2.0f * p.border;
        c.bmax[1] = p.high[1];
        c.bmax[2] = c.bmin[2] + p.side + 2.0f * p.border;
        const stages s;
        fine = tile.empty() || (build_polygons(context, c, tile, s) && add_tile(*level.mesh, c, s, body, place));
    }
    level.query = dtAllocNavMeshQuery();
    return fine && dtStatusSucceed(level.query->init(level.mesh, 65535));
}

} // namespace

bool recast_is_there(void)
{
    return true;
}

recast_level *recast_create(const float *triangles, int count, const recast_body *body)
{
    recast_level *level = new recast_level;
    if (build(*level, triangles, count, *body))
        return level;
    delete level;
    return nullptr;
}

void recast_destroy(recast_level *level)
{
    delete level;
}

int recast_path(recast_level *level, const float from[3], const float to[3], float *points, int capacity)
{
    const float reach[3] = {0.3f, 0.6f, 0.3f};
    static thread_local dtPolyRef polygons[PATH_POLYGONS];
    dtPolyRef first = 0, last = 0;
    float start[3], end[3];
    int count = 0, found = 0;
    level->query->findNearestPoly(from, reach, &level->filter, &first, start);
    level->query->findNearestPoly(to, reach, &level->filter, &last, end);
    if (!first || !last)
        return 0;
    const dtStatus status =
        level->query->findPath(first, last, start, end, &level->filter, polygons, &count, PATH_POLYGONS);
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT) || count == 0 || polygons[count - 1] != last)
        return 0;
    level->query->findStraightPath(start, end, polygons, count, points, nullptr, nullptr, &found, capacity);
    return found;
}
