// SPDX-License-Identifier: MIT
// Units in use, the exact ones first. The last is that of the Carnegie Mellon database: inches divided by 0.45.
#include "io/units.h"

#include <math.h>

#include "base/error.h"

float lope_units_guess(float span)
{
    static const double units[] = {1.0, 0.01, 0.001, 0.0254, 0.0254 / 0.45};
    const double typical = 2.3; // toe to fingertip; units lie further apart than people do
    double best = 1.0, best_miss = (double)INFINITY;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double size = (double)span * units[i];
        if (size >= 1.5 && size <= 3.3)
            return (float)units[i];
        double miss = size > typical ? size / typical : typical / size;
        if (miss < best_miss) {
            best_miss = miss;
            best = units[i];
        }
    }
    return (float)best;
}

lope_status lope_read_def_check(const lope_read_def *def, const char *file, lope_error *error)
{
    if (def->scale != 0.0f && !(def->scale >= 1e-6f && def->scale <= 1e6f))
        return lope_fail_at(error, LOPE_BAD_DATA, file, 0, "scale: expected 1e-6 to 1e6 metres per unit, found %g",
                            (double)def->scale);
    if (def->frame_rate != 0.0 && !(def->frame_rate >= LOPE_MIN_FRAME_RATE && def->frame_rate <= LOPE_MAX_FRAME_RATE))
        return lope_fail_at(error, LOPE_BAD_DATA, file, 0, "frame rate: expected %g to %g per second, found %g",
                            LOPE_MIN_FRAME_RATE, LOPE_MAX_FRAME_RATE, def->frame_rate);
    return LOPE_OK;
}
