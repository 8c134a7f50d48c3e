// SPDX-License-Identifier: MIT
// `lope build --mobility --tags`: words of the user's own for what clips show.
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/build.h"

// Reads one file or list of words.
typedef struct tag_reader {
    const cli_command *command;
    const lope_set *set;
    const char *path;
    int line;
    build_tags *out;
} tag_reader;

static int complain(const tag_reader *r, const char *expected, const char *found)
{
    fprintf(stderr, "lope build: %s:%d: expected %s, found '%s'\n", r->path, r->line, expected, found);
    return CLI_FAILED;
}

// The number of a word among the own tags; a new one where it is not known yet. -1: there are too many.
static int tag_of(build_tags *tags, const char *word)
{
    for (int t = 0; t < LOPE_OWN_TAGS; t++) {
        if (!tags->names[t][0])
            snprintf(tags->names[t], sizeof tags->names[t], "%s", word);
        if (strcmp(tags->names[t], word) == 0)
            return t;
    }
    return -1;
}

static bool is_word(const char *word)
{
    static const char *const found[] = {"stand", "walk", "run", "odd"}; // names of tags that are found
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (strcmp(word, found[i]) == 0)
            return false;
    return word[0] && strlen(word) < LOPE_TAG_NAME;
}

static int add_range(tag_reader *r, lope_tag_range range, const char *word)
{
    build_tags *out = r->out;
    int tag = is_word(word) ? tag_of(out, word) : -1;
    if (!is_word(word))
        return complain(r, "a word of up to 31 bytes that is not stand, walk, run or odd", word);
    if (tag < 0)
        return complain(r, "no more than 4 different words", word);
    range.tags = 1u << (LOPE_TAG_OWN + tag);
    range.beside = true;
    out->ranges = realloc(out->ranges, (size_t)(out->count + 1) * sizeof *out->ranges);
    if (!out->ranges)
        abort();
    out->ranges[out->count++] = range;
    return CLI_OK;
}

// Mirrored copies are meant, too.
bool build_names_clip(const char *pattern, const char *clip)
{
    static const char mirrored[] = "_mirrored";
    char plain[1024];
    snprintf(plain, sizeof plain, "%s", clip);
    size_t length = strlen(plain), end = sizeof mirrored - 1;
    if (length > end && strcmp(plain + length - end, mirrored) == 0)
        plain[length - end] = '\0';
    return fnmatch(pattern, clip, 0) == 0 || fnmatch(pattern, plain, 0) == 0;
}

// Seconds "FROM-TO" as frames.
static bool parse_seconds(const char *text, double rate, lope_tag_range *range)
{
    char *end;
    const double from = strtod(text, &end);
    if (end == text || *end != '-' || !(from >= 0.0 && from < 1e6))
        return false;
    const char *second = end + 1;
    const double to = strtod(second, &end);
    if (end == second || *end || !(to > from && to < 1e6))
        return false;
    range->first = (int)(from * rate + 0.5);
    range->count = (int)(to * rate + 0.5) - range->first;
    return true;
}

// CLIP [FROM-TO] WORD...; a # begins a comment.
static int read_line(tag_reader *r, char *line)
{
    const double rate = r->set->clips[0]->frame_rate;
    lope_tag_range range = {.first = 0, .count = 1 << 30};
    char *rest, *pattern, *word;
    line[strcspn(line, "#\r\n")] = '\0';
    pattern = strtok_r(line, " \t", &rest);
    word = pattern ? strtok_r(NULL, " \t", &rest) : NULL;
    if (!pattern)
        return CLI_OK;
    if (!word)
        return complain(r, "CLIP [FROM-TO] WORD...", pattern);
    if (isdigit((unsigned char)word[0])) {
        if (!parse_seconds(word, rate, &range))
            return complain(r, "seconds FROM-TO", word);
        word = strtok_r(NULL, " \t", &rest);
    }
    int result = word ? CLI_OK : complain(r, "a word behind the seconds", "");
    bool found = false;
    for (; word && !result; word = strtok_r(NULL, " \t", &rest))
        for (int c = 0; c < r->set->clip_count && !result; c++) {
            if (!build_names_clip(pattern, r->set->clips[c]->name))
                continue;
            found = true;
            range.clip = r->set->clips[c]->name;
            result = add_range(r, range, word);
        }
    return result || found ? result : complain(r, "the name of a clip, or a pattern that one matches", pattern);
}

static int read_file(tag_reader *r)
{
    FILE *file = fopen(r->path, "rb");
    int result = CLI_OK;
    char line[1024];
    if (!file) {
        fprintf(stderr, "lope build: %s: no such file\n", r->path);
        return CLI_NOT_FOUND;
    }
    for (r->line = 1; !result && fgets(line, sizeof line, file); r->line++) {
        if (!strchr(line, '\n') && !feof(file))
            result = complain(r, "lines of up to 1022 bytes", "a longer one");
        else
            result = read_line(r, line);
    }
    fclose(file);
    return result;
}

// Words separated by commas: each is the tag of the clips whose names contain it.
static int read_words(tag_reader *r)
{
    int result = CLI_OK;
    char words[1024], *rest;
    snprintf(words, sizeof words, "%s", r->path);
    for (char *word = strtok_r(words, ",", &rest); word && !result; word = strtok_r(NULL, ",", &rest)) {
        char line[1200];
        snprintf(line, sizeof line, "*%s* %s", word, word);
        result = read_line(r, line);
    }
    return result;
}

int build_read_tags(const build_work *work, const lope_set *set, build_tags *out)
{
    *out = (build_tags){0};
    const char *from = work->settings->tags;
    tag_reader reader = {work->command, set, from, 1, out};
    if (!from)
        return CLI_OK;
    return strpbrk(from, "./") ? read_file(&reader) : read_words(&reader);
}
