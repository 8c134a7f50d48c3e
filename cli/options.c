// SPDX-License-Identifier: MIT
// A small option parser driven by a command's table: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, bundled flags, --.
// Options and operands may be mixed. Every mistake says what was expected and what was found.
#include "cli/outputs.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cli_usage(const cli_command *command, const char *format, ...)
{
    fprintf(stderr, "lope %s: ", command->name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'lope %s --help'.\n", command->name);
    return CLI_USAGE;
}

size_t cli_choice_word(const char *choices, int index, const char **word)
{
    for (; index > 0; index--) {
        choices = strchr(choices, '|');
        if (!choices)
            return 0;
        choices++;
    }
    *word = choices;
    return strcspn(choices, "|");
}

// Levenshtein distance, for words up to 63 characters.
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[64], length = strlen(b);
    if (length > 63 || strlen(a) > 63)
        return 64;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; *a; a++, i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t replaced = diagonal + (*a != b[j - 1]);
            size_t shorter = row[j - 1] < row[j] ? row[j - 1] : row[j];
            diagonal = row[j];
            row[j] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return row[length];
}

const char *cli_suggest(const char *word, const char *(*candidate)(int index))
{
    const char *best = NULL, *name;
    size_t nearest = strlen(word) / 2 < 3 ? strlen(word) / 2 + 1 : 4; // must differ by less than this
    for (int i = 0; (name = candidate(i)) != NULL; i++) {
        size_t distance = edit_distance(word, name);
        if (distance < nearest) {
            nearest = distance;
            best = name;
        }
    }
    return best;
}

static const cli_command *suggesting;

static const char *option_name(int index)
{
    return suggesting->options[index].name;
}

// Options of earlier versions and what replaced them.
static const struct former_option {
    const char *command, *name;
    char letter;
    const char *now;
} former_options[] = {
    {"climb", "svg", 0, "-o OUT.svg"},           {"climb", "motion", 'm', "-o OUT.bvh or -o OUT.glb"},
    {"crowd", "svg", 0, "-o OUT.svg"},           {"crowd", "bvh", 'b', "-o FOLDER --to bvh"},
    {"crowd", "glb", 'g', "-o FOLDER --to glb"}, {"world", "svg", 0, "-o OUT.svg"},
    {"world", "bvh", 'b', "-o FOLDER --to bvh"}, {"world", "bvh-number", 0, "--who 0-9"},
    {"bench", "draw", 0, "-o FOLDER"},
};

// Returns what replaced an option, or NULL. It is looked up by name or by letter; the other is "" or 0.
static const char *now_called(const cli_command *command, const char *name, char letter)
{
    for (size_t i = 0; i < sizeof former_options / sizeof *former_options; i++) {
        const struct former_option *former = &former_options[i];
        if (strcmp(former->command, command->name) == 0 &&
            (strcmp(former->name, name) == 0 || (letter && former->letter == letter)))
            return former->now;
    }
    return NULL;
}

static int unknown_letter(const cli_command *command, char letter)
{
    const char *now = now_called(command, "", letter);
    return now ? cli_usage(command, "there is no option '-%c' any more; give %s", letter, now)
               : cli_usage(command, "unknown option '-%c'", letter);
}

static int unknown_option(const cli_command *command, const char *word, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const char *now = now_called(command, name, 0);
    if (now)
        return cli_usage(command, "there is no option '--%s' any more; give %s", name, now);
    suggesting = command;
    const char *meant = cli_suggest(name, option_name);
    if (meant)
        return cli_usage(command, "unknown option '--%s'; did you mean '--%s'?", name, meant);
    return cli_usage(command, "unknown option '--%s'", name);
}

static const char *expectation(const cli_option *option)
{
    switch (option->kind) {
    case CLI_NUMBER:
        return "a number";
    case CLI_POSITIVE:
        return "a number > 0";
    case CLI_RATE:
        return "a number from 0.001 to 10000";
    case CLI_SCALE:
        return "a number from 0.000001 to 1000000";
    case CLI_HEIGHT:
        return "a height in metres, or auto";
    case CLI_COUNT:
        return "a whole number from 1 to 1000000000";
    case CLI_INDEX:
        return "a whole number from 0 to 1000000000";
    case CLI_SEED:
        return "a whole number >= 0";
    case CLI_CHOICE:
        return option->value;
    case CLI_OUTPUT:
        return "a name, up to 16 times";
    default:
        return "a value";
    }
}

static bool parse_number(const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*out) && !isspace((unsigned char)*text);
}

static bool parse_whole(const char *text, uint64_t largest, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return isdigit((unsigned char)*text) && *end == 0 && errno == 0 && *out <= largest;
}

static bool in_range(cli_kind kind, double number)
{
    switch (kind) {
    case CLI_POSITIVE:
        return number > 0.0;
    case CLI_RATE:
        return number >= LOPE_MIN_FRAME_RATE && number <= LOPE_MAX_FRAME_RATE;
    case CLI_SCALE:
        return number >= 1e-6 && number <= 1e6;
    case CLI_HEIGHT:
        return fabs(number) <= 1e6;
    default:
        return true;
    }
}

static bool parse_choice(const char *words, const char *text, int *out)
{
    const char *word;
    size_t length;
    for (int i = 0; (length = cli_choice_word(words, i, &word)) > 0; i++)
        if (strlen(text) == length && strncmp(text, word, length) == 0) {
            *out = i;
            return true;
        }
    return false;
}

// Writes the value into the settings; false where it is not what the option expects.
static bool store(const cli_option *option, const char *text, char *settings)
{
    void *field = settings + option->offset;
    double number = 0.0;
    uint64_t whole = 0;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)field = true;
        return true;
    case CLI_TEXT:
        *(const char **)field = text;
        return *text != 0;
    case CLI_OPTIONAL:
        *(const char **)field = text ? text : "";
        return !text || *text;
    case CLI_OUTPUT:
        return cli_add_output(field, text);
    case CLI_NUMBER:
    case CLI_POSITIVE:
    case CLI_RATE:
    case CLI_SCALE:
    case CLI_HEIGHT:
        if (option->kind == CLI_HEIGHT && strcmp(text, "auto") == 0)
            number = (double)NAN;
        else if (!parse_number(text, &number) || !in_range(option->kind, number))
            return false;
        *(double *)field = number;
        return true;
    case CLI_COUNT:
    case CLI_INDEX:
        if (!parse_whole(text, 1000000000, &whole) || (option->kind == CLI_COUNT && whole == 0))
            return false;
        *(int *)field = (int)whole;
        return true;
    case CLI_SEED:
        if (!parse_whole(text, UINT64_MAX, &whole))
            return false;
        *(uint64_t *)field = whole;
        return true;
    case CLI_CHOICE:
        return parse_choice(option->value, text, field);
    }
    return false;
}

typedef struct parser {
    const cli_command *command;
    int count, next;
    char **arguments;
    char *settings;
    cli_operands *operands;
    int exit_code;
} parser;

static bool fail(parser *at, int exit_code)
{
    at->exit_code = exit_code;
    return false;
}

// Gives the option its value: `attached`, or the next argument.
static bool take(parser *at, const cli_option *option, const char *shown, const char *attached)
{
    const char *value = attached;
    if (option->kind == CLI_FLAG) {
        if (attached)
            return fail(at, cli_usage(at->command, "%s takes no value, found '%s'", shown, attached));
    } else if (!attached && option->kind != CLI_OPTIONAL) {
        if (at->next >= at->count)
            return fail(at, cli_usage(at->command, "%s needs %s", shown, expectation(option)));
        value = at->arguments[at->next++];
    }
    if (!store(option, value, at->settings))
        return fail(at, cli_usage(at->command, "%s needs %s, found '%s'", shown, expectation(option), value));
    return true;
}

static bool help(parser *at)
{
    cli_print_help(at->command, stdout);
    return fail(at, CLI_OK);
}

static bool parse_long(parser *at, char *word)
{
    size_t length = strcspn(word, "=");
    if (length == 4 && strncmp(word, "help", 4) == 0)
        return help(at);
    for (const cli_option *option = at->command->options; option->name; option++) {
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        char shown[64];
        snprintf(shown, sizeof shown, "--%s", option->name);
        return take(at, option, shown, word[length] == '=' ? word + length + 1 : NULL);
    }
    return fail(at, unknown_option(at->command, word, length));
}

// A cluster of one-letter options; the first that takes a value takes the rest of the word.
static bool parse_short(parser *at, char *word)
{
    for (; *word; word++) {
        const cli_option *option = at->command->options;
        if (*word == 'h')
            return help(at);
        while (option->name && option->letter != *word)
            option++;
        if (!option->name)
            return fail(at, unknown_letter(at->command, *word));
        char shown[3] = {'-', *word, 0};
        bool takes_rest = option->kind != CLI_FLAG;
        if (!take(at, option, shown, takes_rest && word[1] ? word + 1 : NULL))
            return false;
        if (takes_rest)
            return true;
    }
    return true;
}

bool cli_parse(const cli_command *command, int count, char **arguments, void *settings, cli_operands *operands,
               int *exit_code)
{
    parser at = {command, count, 0, arguments, settings, operands, CLI_OK};
    *operands = (cli_operands){0, arguments}; // operands move to the front; they never overtake `next`
    bool only_operands = false;
    while (at.next < count) {
        char *word = arguments[at.next++];
        bool good = true;
        if (!only_operands && strcmp(word, "--") == 0)
            only_operands = true;
        else if (!only_operands && strncmp(word, "--", 2) == 0)
            good = parse_long(&at, word + 2);
        else if (!only_operands && word[0] == '-' && word[1])
            good = parse_short(&at, word + 1);
        else
            operands->words[operands->count++] = word;
        if (!good) {
            *exit_code = at.exit_code;
            return false;
        }
    }
    *exit_code = cli_check_outputs(command, settings, *operands);
    return *exit_code == CLI_OK;
}
