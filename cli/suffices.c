// SPDX-License-Identifier: MIT
// What a mobility map lacks: the thesis' authors ask how to tell when one has enough data, and which is missing.
#include "cli/suffices.h"

#include <math.h>
#include <stdarg.h>

#define SHARP 45.0   // degrees that a body should be able to turn in a second of walking
#define SPOT 45.0    // the same on the spot
#define SLOW 0.9     // metres per second: it should walk as slowly,
#define BRISK 1.2    // and as fast
#define REACHED 0.95 // of random targets

static void lack(cli_lacks *out, const char *format, ...) LOPE_PRINTF(2, 3);
static void lack(cli_lacks *out, const char *format, ...)
{
    va_list arguments;
    if (out->count == CLI_MOST_LACKS)
        return;
    va_start(arguments, format);
    vsnprintf(out->texts[out->count], CLI_LACK_TEXT, format, arguments);
    va_end(arguments);
    out->list[out->count] = out->texts[out->count];
    out->list[++out->count] = NULL;
}

static void find_turns(const lope_mobility_survey *s, cli_lacks *out)
{
    const struct {
        const char *where;
        double left, right, wanted;
    } kinds[] = {{"at walking speed", (double)s->left, (double)s->right, SHARP},
                 {"on the spot", (double)s->left_spot, (double)s->right_spot, SPOT}};
    for (int k = 0; k < 2; k++)
        for (int side = 0; side < 2; side++) {
            double turn = (side ? kinds[k].right : kinds[k].left) * 180.0 / LOPE_PI;
            if (turn < kinds[k].wanted)
                lack(out, "no %s turn sharper than %.0f degrees in a second %s", side ? "right" : "left",
                     floor(turn + 0.999), kinds[k].where);
        }
}

void cli_find_lacks(const lope_mobility_survey *s, const lope_mobility_trial *trial, cli_lacks *out)
{
    out->count = 0;
    out->list[0] = NULL;
    find_turns(s, out);
    if (s->stands == 0)
        lack(out, "nothing stands still: targets can be passed only");
    if ((double)s->fastest < BRISK)
        lack(out, "nothing walks faster than %.2f m/s", (double)s->fastest);
    if ((double)s->slowest > SLOW)
        lack(out, "nothing walks slower than %.2f m/s", (double)s->slowest);
    if (s->clips_reached < s->clips)
        lack(out, "%d of %d clip%s never reached", s->clips - s->clips_reached, s->clips,
             s->clips - s->clips_reached == 1 ? " is" : "s are");
    if (trial && trial->passed < REACHED * trial->targets)
        lack(out, "%d of %d random targets are not passed within a minute", trial->targets - trial->passed,
             trial->targets);
    if (trial && s->stands > 0 && trial->stood < REACHED * trial->targets)
        lack(out, "at %d of %d random targets it does not come to stand within a minute", trial->targets - trial->stood,
             trial->targets);
}

void cli_print_lacks(const cli_lacks *lacks, FILE *file)
{
    if (lacks->count == 0)
        fprintf(file, "It suffices: turns, stands and speeds to walk anywhere.\n");
    else
        fprintf(file, "What it lacks:\n");
    for (int i = 0; i < lacks->count; i++)
        fprintf(file, "  %s\n", lacks->texts[i]);
}

void cli_json_lacks(cli_json *json, const cli_lacks *lacks)
{
    cli_json_open(json, "lacks", '[');
    for (int i = 0; i < lacks->count; i++)
        cli_json_text(json, NULL, lacks->texts[i]);
    cli_json_close(json, ']');
}
