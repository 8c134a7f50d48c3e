// SPDX-License-Identifier: MIT
// Alignment (sections 3.2 and 3.3): where and when the feet of a loop stand, and the times of a ring's frames in it.
// Strikes are pinned. Between them, dynamic time warping against a reference gives three knots per half cycle, and
// a periodic cubic spline through all knots gives times that never run backwards and whose speed never jumps.
// The paper's ways are here as well: strikes where accelerations cross zero, cycles warped in one piece and all the
// way.
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
    lope_vec3 *balls, *ankles, *forwards, *ups; // [frame_count]
} foot_path;

static lope_status trace(const lope_clip *clip, const ring_leg *leg, foot_path *out, lope_error *error)
{
    size_t frames = (size_t)clip->frame_count;
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    out->balls = lope_alloc_array(4 * frames, sizeof *out->balls);
    if (!model || !out->balls) {
        lope_free(model);
        lope_free(out->balls);
        return lope_fail_memory(error);
    }
    out->ankles = out->balls + frames;
    out->forwards = out->ankles + frames;
    out->ups = out->forwards + frames;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        lope_transform ankle = model[leg->joints[leg->ankle]];
        out->balls[f] = lope_transform_point(model[leg->joints[leg->toe]], leg->ball);
        out->ankles[f] = ankle.translation;
        lope_quat sole = lope_quat_mul(ankle.rotation, leg->sole);
        out->forwards[f] = lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f));
        out->ups[f] = lope_quat_rotate(sole, lope_v3(0.0f, 1.0f, 0.0f));
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

// Where the acceleration of a foot along its way crosses zero while it stays, with its least speed: at most `most`, the
// slowest first (Bindiganavale, Badler 1998).
static int slowest_moments(const foot_path *path, lope_stance stay, int frames, int *out, int most)
{
    int count = 0;
    for (int f = stay.first > 1 ? stay.first : 1; f < stay.end && f + 2 < frames; f++) {
        if ((f > 1 && travel(path, f) > travel(path, f - 1)) || travel(path, f) > travel(path, f + 1))
            continue;
        int k = count;
        for (; k > 0 && travel(path, out[k - 1]) > travel(path, f); k--)
            if (k < most)
                out[k] = out[k - 1];
        if (k < most)
            out[k] = f;
        count += count < most;
    }
    return count;
}

// The two strikes as in the paper: the slowest pair of such moments that is about half a cycle apart.
static void strike_by_acceleration(const foot_path paths[2], const lope_stance stays[2], ring_take *take)
{
    enum { MOST = 6 };
    int moments[2][MOST] = {{0}}, counts[2], frames = take->loop.clip->frame_count;
    double best = HUGE_VAL;
    for (int side = 0; side < 2; side++)
        counts[side] = slowest_moments(&paths[side], stays[side], frames, moments[side], MOST);
    for (int i = 0; i < counts[0]; i++)
        for (int k = 0; k < counts[1]; k++) {
            int left = moments[0][i], right = moments[1][k];
            double off = fabs((right - left) / (double)take->loop.period - 0.5);
            double cost = travel(&paths[0], left) + travel(&paths[1], right);
            if (off < 0.1 && cost < best) {
                best = cost;
                take->strikes[0] = left;
                take->strikes[1] = right;
            }
        }
}

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

static lope_status measure_gait(ring_take *take, const foot_path paths[2], bool published, lope_error *error)
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
    if (published)
        strike_by_acceleration(paths, (const lope_stance[2]){left, right}, take);
    measure_stay(&paths[LOPE_LEFT], left.first, left.end, clip->frame_count, &take->places[LOPE_LEFT],
                 &take->pitches[LOPE_LEFT]);
    measure_stay(&paths[LOPE_RIGHT], right.first, right.end, clip->frame_count, &take->places[LOPE_RIGHT],
                 &take->pitches[LOPE_RIGHT]);
    // The right foot leaves while the left one stands, and the other way round.
    take->leaves[LOPE_LEFT] = leave_of(&paths[LOPE_RIGHT], right, take->places[LOPE_RIGHT], clip->frame_count) - period;
    for (int side = 0; side < 2; side++) {
        lope_stance stay = side == LOPE_LEFT ? left : right;
        int middle = (stay.first + stay.end) / 2, last = clip->frame_count - 1;
        take->upright[side] = paths[side].ups[middle < last ? middle : last].y;
        if (take->upright[side] < RING_ON_SOLES) // it lies or hangs there: the floor is what clips say
            take->places[side].y = 0.0f;
    }
    take->leaves[LOPE_RIGHT] = leave_of(&paths[LOPE_LEFT], left, take->places[LOPE_LEFT], clip->frame_count);
    return LOPE_OK;
}

lope_status ring_take_measure(ring_take *take, const ring_leg legs[2], bool rest, bool published, lope_error *error)
{
    const lope_clip *clip = take->loop.clip;
    foot_path paths[2] = {{0}, {0}};
    lope_status status = trace(clip, &legs[0], &paths[0], error);
    if (!status)
        status = trace(clip, &legs[1], &paths[1], error);
    if (!status && !rest)
        status = measure_gait(take, paths, published, error);
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

// Features of a cycle at even shares of each of its halves: [2 * GRID + 1][columns].
static lope_status cycle_features(const ring_take *take, float **out, int *columns, lope_error *error)
{
    float *all = NULL;
    const lope_clip *clip = take->loop.clip;
    lope_status status = ring_features(clip, &all, error);
    if (status)
        return status;
    *columns = 3 * clip->skeleton->joint_count;
    size_t n = (size_t)*columns;
    *out = lope_alloc_array((2 * GRID + 1) * n, sizeof **out);
    if (!*out) {
        lope_free(all);
        return lope_fail_memory(error);
    }
    double strikes[3] = {take->strikes[0], take->strikes[1], take->strikes[0] + take->loop.period};
    for (int g = 0; g <= 2 * GRID; g++) {
        int half = g < GRID ? 0 : 1;
        double at = strikes[half] + (strikes[half + 1] - strikes[half]) * (g - half * GRID) / GRID;
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

// Whether a step of the warping from one pair of grid points to another keeps both strikes of the middle together.
static bool keeps_strikes(int a, int b, int i, int j)
{
    return (i <= GRID && j <= GRID) ? (i == GRID) == (j == GRID) : a >= GRID && b >= GRID;
}

// Dynamic time warping of `last` + 1 grid points with steps (1, 1), (1, 2) and (2, 1), which limits the slope. Writes,
// for each of the reference, the one of `other` that goes with it. In a whole cycle strikes in its middle are pinned.
static void warp(const float *reference, const float *other, int columns, int last, double *out)
{
    enum { N = 2 * GRID + 1 };
    double local[N][N], total[N][N];
    int8_t from[N][N];
    size_t n = (size_t)columns;
    for (int i = 0; i <= last; i++)
        for (int j = 0; j <= last; j++) {
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
    for (int i = 1; i <= last; i++)
        for (int j = 1; j <= last; j++)
            for (int8_t s = 0; s < 3; s++) {
                int a = i - steps[s][0], b = j - steps[s][1];
                if (a < 0 || b < 0 || (last > GRID && !keeps_strikes(a, b, i, j)))
                    continue;
                double cost = total[a][b] + local[i][j] * 0.5 * (steps[s][0] + steps[s][1]);
                if (cost < total[i][j]) {
                    total[i][j] = cost;
                    from[i][j] = s;
                }
            }
    for (int i = 0; i <= last; i++)
        out[i] = i;
    for (int i = last, j = last; i > 0 && from[i][j] >= 0;) {
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

// Shares of both halves' times at which the reference is at even ones: [2][HALF_KNOTS].
static lope_status find_knots(const ring_take *take, const ring_align_def *def, double shares[2][HALF_KNOTS],
                              lope_error *error)
{
    float *own = NULL, *other = NULL;
    int columns = 0;
    for (int k = 0; k < 2 * HALF_KNOTS; k++)
        shares[k / HALF_KNOTS][k % HALF_KNOTS] = (double)(k % HALF_KNOTS) / HALF_KNOTS;
    if (def->rest || take == def->reference)
        return LOPE_OK;
    lope_status status = cycle_features(def->reference, &other, &columns, error);
    if (!status)
        status = cycle_features(take, &own, &columns, error);
    double path[2 * GRID + 1];
    size_t middle = GRID * (size_t)columns;
    if (!status && def->whole)
        warp(other, own, columns, 2 * GRID, path);
    for (int half = 1; half >= 0 && !status && !def->whole; half--) { // the first one's end is the second's beginning
        warp(other + (half ? middle : 0), own + (half ? middle : 0), columns, GRID, path + half * GRID);
        for (int g = 0; g <= GRID; g++)
            path[half * GRID + g] += half * GRID;
    }
    // Half way to what the warping found: it overstates, because features differ in size as well as in time.
    double by = def->whole ? 1.0 : 0.5;
    for (int i = 0; i < 2 * HALF_KNOTS && !status; i++) {
        int half = i / HALF_KNOTS, k = i % HALF_KNOTS, g = half * GRID + k * GRID / HALF_KNOTS;
        double mean = 0.0, even = shares[half][k];
        for (int n = -2; n <= 2 && k > 0; n++)
            mean += (path[g + n] - half * GRID) / 5.0;
        if (k == 0)
            continue;
        double least = shares[half][k - 1] + 1.0 / (HALF_KNOTS * STEEPEST);
        double most = 1.0 - (HALF_KNOTS - k) / (HALF_KNOTS * STEEPEST);
        shares[half][k] = fmax(least, fmin(even + by * (mean / GRID - even), most));
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

lope_status ring_take_align(ring_take *take, const ring_align_def *def, lope_error *error)
{
    bool rest = def->rest;
    time_curve curve = {.width = rest ? def->frames : 2 * def->frames, .height = take->loop.period};
    double shares[2][HALF_KNOTS];
    lope_status status = find_knots(take, def, shares, error);
    if (status)
        return status;
    for (int half = 0; half < 2; half++) {
        double from = take->strikes[half], to = half ? take->strikes[0] + take->loop.period : take->strikes[1];
        if (rest) {
            from = take->loop.period * (1.0 + 0.5 * half);
            to = from + 0.5 * take->loop.period;
        }
        for (int k = 0; k < HALF_KNOTS; k++) {
            curve.x[half * HALF_KNOTS + k] = curve.width * 0.5 * (half + (double)k / HALF_KNOTS);
            curve.y[half * HALF_KNOTS + k] = from + (to - from) * shares[half][k];
        }
    }
    if (!fit_smoothly(&curve))
        fit_slopes(curve.x, curve.y, curve.width, curve.height, curve.slopes);
    return lay_times(take, &curve, def->frames, rest, error);
}
