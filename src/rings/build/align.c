// SPDX-License-Identifier: MIT
// Alignment (sections 3.2 and 3.3): where and when the feet of a loop stand, and the times of a ring's frames in it.
// Strikes are pinned. Between them, dynamic time warping against a reference gives three knots per half cycle, and
// a periodic cubic spline through all knots gives times that never run backwards and whose speed never jumps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "rings/build/build.h"

enum { HALF_KNOTS = 4, KNOTS = 2 * HALF_KNOTS, GRID = 24 };
static const double STEEPEST = 2.0; // of the warp, against even time; its inverse is the flattest

void ring_take_forget_times(ring_take *take)
{
    for (int t = 0; t < 2; t++) {
        lope_free(take->times[t]);
        lope_free(take->rates[t]);
        take->times[t] = take->rates[t] = NULL;
    }
}

void ring_take_free(ring_take *take)
{
    lope_loop_free(&take->loop);
    ring_take_forget_times(take);
    *take = (ring_take){0};
}

typedef struct foot_path {
    lope_vec3 *balls, *ankles, *forwards; // [frame_count]
} foot_path;

static lope_status trace(const lope_clip *clip, const ring_leg *leg, foot_path *out, lope_error *error)
{
    size_t frames = (size_t)clip->frame_count;
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    out->balls = lope_alloc_array(3 * frames, sizeof *out->balls);
    if (!model || !out->balls) {
        lope_free(model);
        lope_free(out->balls);
        return lope_fail_memory(error);
    }
    out->ankles = out->balls + frames;
    out->forwards = out->ankles + frames;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        lope_transform ankle = model[leg->joints[leg->ankle]];
        out->balls[f] = lope_transform_point(model[leg->joints[leg->toe]], leg->ball);
        out->ankles[f] = ankle.translation;
        out->forwards[f] = lope_quat_rotate(lope_quat_mul(ankle.rotation, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
    }
    lope_free(model);
    return LOPE_OK;
}

static double travel(const foot_path *path, int frame)
{
    return (double)(lope_v3_distance(path->balls[frame + 1], path->balls[frame - 1]) +
                    lope_v3_distance(path->ankles[frame + 1], path->ankles[frame - 1]));
}

// Where the foot of a stay stands: the mean of the ball's places while the whole foot is nearly as still as it gets.
static void measure_stay(const foot_path *path, int first, int end, int count, lope_vec3 *place, float *pitch)
{
    first = first < 1 ? 1 : first;
    end = end > count - 1 ? count - 1 : end;
    int still = first;
    for (int f = first; f < end; f++)
        if (travel(path, f) < travel(path, still))
            still = f;
    double limit = travel(path, still) + 0.0008, sum[3] = {0.0}, tilt = 0.0;
    int used = 0;
    for (int f = first; f < end; f++) {
        if (travel(path, f) > limit)
            continue;
        sum[0] += (double)path->balls[f].x;
        sum[1] += (double)path->balls[f].y;
        sum[2] += (double)path->balls[f].z;
        tilt += lope_asin(-(double)path->forwards[f].y);
        used++;
    }
    *place = lope_v3((float)(sum[0] / used), (float)(sum[1] / used), (float)(sum[2] / used));
    *pitch = (float)(tilt / used);
}

// When the foot of a stay leaves: when its ball is farther from its place than it wanders while the foot is flat.
static int leave_of(const foot_path *path, lope_stance stay, lope_vec3 place, int count)
{
    float off = 0.005f; // metres
    int length = stay.end - stay.first, f = stay.first + 13 * length / 20;
    for (int k = stay.first + length / 4; k < f && k < count; k++)
        off = fmaxf(off, 1.5f * lope_v3_distance(path->balls[k], place));
    while (f < stay.end && f < count && lope_v3_distance(path->balls[f], place) < off)
        f++;
    return f - 1;
}

enum { MOST_STAYS = 64 };

// The stay that begins at or next to a frame.
static bool stay_near(const lope_stance *stays, int count, int frame, int tolerance, lope_stance *out)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (stays[i].first > 0 && (best < 0 || abs(stays[i].first - frame) < abs(stays[best].first - frame)))
            best = i;
    if (best < 0 || abs(stays[best].first - frame) > tolerance)
        return false;
    *out = stays[best];
    return true;
}

static lope_status measure_gait(ring_take *take, const foot_path paths[2], lope_error *error)
{
    const lope_clip *clip = take->loop.clip;
    int period = take->loop.period;
    lope_stance stays[2][MOST_STAYS], left, right;
    int counts[2];
    for (int side = 0; side < 2; side++) {
        lope_status status = lope_stances_find(clip, (lope_side)side, stays[side], MOST_STAYS, &counts[side], error);
        if (status)
            return status;
        counts[side] = counts[side] < MOST_STAYS ? counts[side] : MOST_STAYS;
    }
    if (!stay_near(stays[LOPE_LEFT], counts[LOPE_LEFT], period, period / 6, &left) ||
        !stay_near(stays[LOPE_RIGHT], counts[LOPE_RIGHT], left.first + period / 2, period / 3, &right))
        return lope_fail(error, LOPE_NOT_FOUND, "%s: the closed cycle has no strike of each foot", take->name);
    take->strikes[LOPE_LEFT] = left.first;
    take->strikes[LOPE_RIGHT] = right.first;
    measure_stay(&paths[LOPE_LEFT], left.first, left.end, clip->frame_count, &take->places[LOPE_LEFT],
                 &take->pitches[LOPE_LEFT]);
    measure_stay(&paths[LOPE_RIGHT], right.first, right.end, clip->frame_count, &take->places[LOPE_RIGHT],
                 &take->pitches[LOPE_RIGHT]);
    // The right foot leaves while the left one stands, and the other way round.
    take->leaves[LOPE_LEFT] = leave_of(&paths[LOPE_RIGHT], right, take->places[LOPE_RIGHT], clip->frame_count) - period;
    take->leaves[LOPE_RIGHT] = leave_of(&paths[LOPE_LEFT], left, take->places[LOPE_LEFT], clip->frame_count);
    return LOPE_OK;
}

lope_status ring_take_measure(ring_take *take, const ring_leg legs[2], bool rest, lope_error *error)
{
    const lope_clip *clip = take->loop.clip;
    foot_path paths[2] = {{0}, {0}};
    lope_status status = trace(clip, &legs[0], &paths[0], error);
    if (!status)
        status = trace(clip, &legs[1], &paths[1], error);
    if (!status && !rest)
        status = measure_gait(take, paths, error);
    for (int side = 0; side < 2 && !status && rest; side++) {
        take->strikes[side] = take->leaves[side] = take->loop.period;
        measure_stay(&paths[side], take->loop.period, 2 * take->loop.period, clip->frame_count, &take->places[side],
                     &take->pitches[side]);
    }
    for (int side = 0; side < 2 && !status; side++)
        take->yaws[side] = lope_clip_ground(clip, take->strikes[side]).yaw;
    lope_free(paths[0].balls);
    lope_free(paths[1].balls);
    return status;
}

// ---- warping

// Features of a half cycle at even shares of its time.
static lope_status half_features(const ring_take *take, int half, float **out, int *columns, lope_error *error)
{
    float *all = NULL;
    const lope_clip *clip = take->loop.clip;
    lope_status status = ring_features(clip, &all, error);
    if (status)
        return status;
    *columns = 3 * clip->skeleton->joint_count;
    size_t n = (size_t)*columns;
    *out = lope_alloc_array((GRID + 1) * n, sizeof **out);
    if (!*out) {
        lope_free(all);
        return lope_fail_memory(error);
    }
    double from = take->strikes[half], to = half ? take->strikes[0] + take->loop.period : take->strikes[1];
    for (int g = 0; g <= GRID; g++) {
        double at = from + (to - from) * g / GRID;
        int f = (int)floor(at);
        f = f > clip->frame_count - 2 ? clip->frame_count - 2 : f;
        float t = (float)(at - f);
        for (size_t i = 0; i < n; i++)
            (*out)[(size_t)g * n + i] =
                all[(size_t)f * n + i] + (all[(size_t)(f + 1) * n + i] - all[(size_t)f * n + i]) * t;
    }
    lope_free(all);
    return LOPE_OK;
}

// Dynamic time warping with steps (1, 1), (1, 2) and (2, 1), which limits the slope. Writes, for each grid point of the
// reference, the one of `other` that goes with it.
static void warp(const float *reference, const float *other, int columns, double *out)
{
    enum { N = GRID + 1 };
    double local[N][N], total[N][N];
    int8_t from[N][N];
    size_t n = (size_t)columns;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) {
                double d = (double)(reference[(size_t)i * n + k] - other[(size_t)j * n + k]);
                sum += d * d;
            }
            local[i][j] = sum;
            total[i][j] = i == 0 && j == 0 ? sum : HUGE_VAL;
            from[i][j] = -1;
        }
    static const int steps[3][2] = {{1, 1}, {1, 2}, {2, 1}};
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            for (int8_t s = 0; s < 3; s++) {
                int a = i - steps[s][0], b = j - steps[s][1];
                if (a < 0 || b < 0)
                    continue;
                double cost = total[a][b] + local[i][j] * 0.5 * (steps[s][0] + steps[s][1]);
                if (cost < total[i][j]) {
                    total[i][j] = cost;
                    from[i][j] = s;
                }
            }
    for (int i = 0; i < N; i++)
        out[i] = i;
    for (int i = GRID, j = GRID; i > 0 && from[i][j] >= 0;) {
        const int *s = steps[(int)from[i][j]];
        out[i] = j;
        if (s[0] == 2)
            out[i - 1] = j - 0.5 * s[1];
        i -= s[0];
        j -= s[1];
    }
}

// Slopes at the knots of a periodic increasing curve: harmonic means keep it increasing (Fritsch, Butland 1984).
static void fit_slopes(const double *x, const double *y, double width, double height, double *slopes)
{
    for (int k = 0; k < KNOTS; k++) {
        int before = (k + KNOTS - 1) % KNOTS, after = (k + 1) % KNOTS;
        double dx0 = x[k] - x[before] + (k == 0 ? width : 0.0), dy0 = y[k] - y[before] + (k == 0 ? height : 0.0);
        double dx1 = x[after] - x[k] + (after == 0 ? width : 0.0), dy1 = y[after] - y[k] + (after == 0 ? height : 0.0);
        double a = dy0 / dx0, b = dy1 / dx1, w0 = 2.0 * dx1 + dx0, w1 = dx1 + 2.0 * dx0;
        slopes[k] = (w0 + w1) / (w0 / a + w1 / b);
    }
}

typedef struct time_curve {
    double x[KNOTS], y[KNOTS], slopes[KNOTS], width, height;
} time_curve;

static double curve_at(const time_curve *c, double x, double *slope)
{
    double turns = floor(x / c->width);
    x -= turns * c->width;
    int k = KNOTS - 1;
    while (k > 0 && c->x[k] > x)
        k--;
    int next = (k + 1) % KNOTS;
    double x1 = next ? c->x[next] : c->width, y1 = next ? c->y[next] : c->y[0] + c->height;
    double h = x1 - c->x[k], t = (x - c->x[k]) / h, t2 = t * t, t3 = t2 * t;
    double m0 = c->slopes[k] * h, m1 = c->slopes[next] * h;
    *slope = ((6.0 * t2 - 6.0 * t) * c->y[k] + (3.0 * t2 - 4.0 * t + 1.0) * m0 + (6.0 * t - 6.0 * t2) * y1 +
              (3.0 * t2 - 2.0 * t) * m1) /
             h;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * c->y[k] + (t3 - 2.0 * t2 + t) * m0 + (3.0 * t2 - 2.0 * t3) * y1 +
           (t3 - t2) * m1 + turns * c->height;
}

// Slopes of the periodic cubic spline, whose speed changes without steps: where samples with different warps are mixed,
// steps show. False where it would hardly go on somewhere. Knots are evenly spaced.
static bool fit_smoothly(time_curve *c)
{
    double h = c->width / KNOTS, mean = c->height / c->width;
    for (int k = 0; k < KNOTS; k++)
        c->slopes[k] = mean;
    for (int round = 0; round < 40; round++)
        for (int k = 0; k < KNOTS; k++) {
            int before = (k + KNOTS - 1) % KNOTS, after = (k + 1) % KNOTS;
            double rise = c->y[after] - c->y[before] + (k == 0 || after == 0 ? c->height : 0.0);
            c->slopes[k] = 0.25 * (3.0 * rise / h - c->slopes[before] - c->slopes[after]);
        }
    for (int i = 0; i < 8 * KNOTS; i++) {
        double slope;
        curve_at(c, i * h / 8.0, &slope);
        if (slope < 0.4 * mean)
            return false;
    }
    return true;
}

static lope_status knots_of_half(const ring_take *take, const ring_take *reference, int half, double shares[HALF_KNOTS],
                                 lope_error *error)
{
    float *own = NULL, *other = NULL;
    int columns;
    for (int k = 0; k < HALF_KNOTS; k++)
        shares[k] = (double)k / HALF_KNOTS;
    if (take == reference)
        return LOPE_OK;
    lope_status status = half_features(reference, half, &other, &columns, error);
    if (!status)
        status = half_features(take, half, &own, &columns, error);
    if (!status) {
        double path[GRID + 1];
        warp(other, own, columns, path);
        for (int k = 1; k < HALF_KNOTS; k++) {
            int g = k * GRID / HALF_KNOTS;
            double mean = 0.0;
            for (int i = -2; i <= 2; i++)
                mean += path[g + i] / 5.0;
            double even = shares[k], wanted = mean / GRID;
            double least = shares[k - 1] + 1.0 / (HALF_KNOTS * STEEPEST);
            double most = 1.0 - (HALF_KNOTS - k) / (HALF_KNOTS * STEEPEST);
            // Half way to what the warping found: it overstates, because features differ in size as well as in time.
            shares[k] = fmax(least, fmin(even + 0.5 * (wanted - even), most));
        }
    }
    lope_free(own);
    lope_free(other);
    return status;
}

static lope_status lay_times(ring_take *take, const time_curve *curve, int frames, bool rest, lope_error *error)
{
    for (int t = 0; t < 2; t++) {
        size_t count = (size_t)frames + 2 * RING_BEYOND + 1;
        take->times[t] = lope_alloc_array(count, sizeof(double));
        take->rates[t] = lope_alloc_array(count, sizeof(double));
        if (!take->times[t] || !take->rates[t])
            return lope_fail_memory(error);
        for (int f = -RING_BEYOND; f <= frames + RING_BEYOND; f++) {
            double slope;
            take->times[t][f + RING_BEYOND] = curve_at(curve, f + (rest ? 0 : t * frames), &slope);
            take->rates[t][f + RING_BEYOND] = take->loop.clip->frame_rate / slope;
        }
    }
    return LOPE_OK;
}

lope_status ring_take_align(ring_take *take, const ring_take *reference, int frames, bool rest, lope_error *error)
{
    time_curve curve = {.width = rest ? frames : 2 * frames, .height = take->loop.period};
    for (int half = 0; half < 2; half++) {
        double shares[HALF_KNOTS], from = take->strikes[half];
        double to = half ? take->strikes[0] + take->loop.period : take->strikes[1];
        if (rest) {
            from = take->loop.period * (1.0 + 0.5 * half);
            to = from + 0.5 * take->loop.period;
            for (int k = 0; k < HALF_KNOTS; k++)
                shares[k] = (double)k / HALF_KNOTS;
        } else {
            lope_status status = knots_of_half(take, reference, half, shares, error);
            if (status)
                return status;
        }
        for (int k = 0; k < HALF_KNOTS; k++) {
            curve.x[half * HALF_KNOTS + k] = curve.width * 0.5 * (half + (double)k / HALF_KNOTS);
            curve.y[half * HALF_KNOTS + k] = from + (to - from) * shares[k];
        }
    }
    if (!fit_smoothly(&curve))
        fit_slopes(curve.x, curve.y, curve.width, curve.height, curve.slopes);
    return lay_times(take, &curve, frames, rest, error);
}
