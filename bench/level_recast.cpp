// SPDX-License-Identifier: MIT
// Recast on the same triangles: rasterising, filtering, regions, contours, polygons and their heights, tile by tile as
// its own samples do it.
#include "bench/level_recast.h"

#include <Recast.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace
{

const int TILE_CELLS = 256;

struct stages {
    rcHeightfield *solid = nullptr;
    rcCompactHeightfield *open = nullptr;
    rcContourSet *contours = nullptr;
    rcPolyMesh *polygons = nullptr;
    rcPolyMeshDetail *detail = nullptr;
    ~stages()
    {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(open);
        rcFreeContourSet(contours);
        rcFreePolyMesh(polygons);
        rcFreePolyMeshDetail(detail);
    }
};

bool build_tile(rcContext &context, const rcConfig &c, const std::vector<float> &corners)
{
    stages s;
    const int count = static_cast<int>(corners.size() / 9);
    std::vector<int> indices(corners.size() / 3);
    for (std::size_t i = 0; i < indices.size(); i++)
        indices[i] = static_cast<int>(i);
    std::vector<unsigned char> areas(static_cast<std::size_t>(count), 0);
    const int vertices = 3 * count;
    s.solid = rcAllocHeightfield();
    s.open = rcAllocCompactHeightfield();
    s.contours = rcAllocContourSet();
    s.polygons = rcAllocPolyMesh();
    s.detail = rcAllocPolyMeshDetail();
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

rcConfig config_of(const recast_body *body)
{
    rcConfig c = {};
    c.cs = body->cell;
    c.ch = 0.5f * body->cell;
    c.walkableSlopeAngle = body->slope;
    c.walkableHeight = static_cast<int>(std::ceil(body->height / c.ch));
    c.walkableClimb = static_cast<int>(std::floor(body->step / c.ch));
    c.walkableRadius = static_cast<int>(std::ceil(body->radius / c.cs));
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

} // namespace

double recast_build_seconds(const float *triangles, int count, const recast_body *body)
{
    rcContext context(false);
    rcConfig c = config_of(body);
    float low[3], high[3];
    rcCalcBounds(triangles, 3 * count, low, high);
    const auto begin = std::chrono::steady_clock::now();
    const float side = static_cast<float>(c.tileSize) * c.cs, border = static_cast<float>(c.borderSize) * c.cs;
    const int columns = static_cast<int>((high[0] - low[0]) / side) + 1,
              rows = static_cast<int>((high[2] - low[2]) / side) + 1;
    std::vector<std::vector<float>> tiles(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    for (int i = 0; i < count; i++) {
        const float *t = triangles + 9 * static_cast<std::size_t>(i);
        float least[2], most[2];
        for (int k = 0; k < 2; k++) {
            least[k] = std::fmin(std::fmin(t[2 * k], t[3 + 2 * k]), t[6 + 2 * k]) - border - low[2 * k];
            most[k] = std::fmax(std::fmax(t[2 * k], t[3 + 2 * k]), t[6 + 2 * k]) + border - low[2 * k];
        }
        for (int z = std::max(0, static_cast<int>(least[1] / side));
             z < rows && static_cast<float>(z) * side <= most[1]; z++)
            for (int x = std::max(0, static_cast<int>(least[0] / side));
                 x < columns && static_cast<float>(x) * side <= most[0]; x++)
                tiles[static_cast<std::size_t>(z * columns + x)].insert(
                    tiles[static_cast<std::size_t>(z * columns + x)].end(), t, t + 9);
    }
    bool fine = true;
    for (int i = 0; i < columns * rows && fine; i++) {
        c.bmin[0] = low[0] + static_cast<float>(i % columns) * side - border;
        c.bmin[1] = low[1];
        c.bmin[2] = low[2] + static_cast<float>(i / columns) * side - border;
        c.bmax[0] = c.bmin[0] + side + 2.0f * border;
        c.bmax[1] = high[1];
        c.bmax[2] = c.bmin[2] + side + 2.0f * border;
        fine = tiles[static_cast<std::size_t>(i)].empty() || build_tile(context, c, tiles[static_cast<std::size_t>(i)]);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return fine ? took.count() : -1.0;
}
