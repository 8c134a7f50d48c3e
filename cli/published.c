// SPDX-License-Identifier: MIT
#include "cli/published.h"

#include <string.h>

static const struct {
    const char *word;
    unsigned bit;
} ways[] = {{"loops", LOPE_PUBLISHED_LOOPS},         {"strikes", LOPE_PUBLISHED_STRIKES},
            {"alignment", LOPE_PUBLISHED_ALIGNMENT}, {"frames", LOPE_PUBLISHED_FRAMES},
            {"samples", LOPE_PUBLISHED_SAMPLES},     {"variance", LOPE_PUBLISHED_VARIANCE},
            {"kriging", LOPE_PUBLISHED_KRIGING},     {"search", LOPE_PUBLISHED_SEARCH},
            {"ease", LOPE_PUBLISHED_EASE},           {"correction", LOPE_PUBLISHED_CORRECTION}};
enum { WAYS = sizeof ways / sizeof *ways };

static unsigned bit_of(const char *word, size_t length, unsigned allowed)
{
    for (int w = 0; w < WAYS; w++)
        if (strlen(ways[w].word) == length && strncmp(ways[w].word, word, length) == 0)
            return ways[w].bit & allowed;
    return length == 3 && strncmp(word, "all", 3) == 0 ? allowed : 0;
}

int cli_published(const cli_command *command, const char *words, unsigned allowed, unsigned *out)
{
    *out = 0;
    while (words && *words) {
        size_t length = strcspn(words, ",");
        unsigned bit = bit_of(words, length, allowed);
        if (!bit) {
            char list[160] = "all";
            for (int w = 0; w < WAYS; w++)
                if (ways[w].bit & allowed) {
                    strcat(list, ", ");
                    strcat(list, ways[w].word);
                }
            return cli_usage(command, "--published takes %s, found '%.*s'", list, (int)length, words);
        }
        *out |= bit;
        words += length + (words[length] == ',');
    }
    return CLI_OK;
}
