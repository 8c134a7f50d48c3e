// SPDX-License-Identifier: MIT
// Help in the shape of a manual page, made from the same tables that parse the options.
#include <string.h>

#include "cli/cli.h"

#define PAGE_WIDTH 80

// Prints text in lines of at most PAGE_WIDTH characters behind `indent` spaces; '\n' begins a new line.
static void wrap(FILE *file, int indent, const char *text)
{
    int column = 0;
    while (*text) {
        if (*text == '\n') {
            fputc('\n', file);
            column = 0;
            text++;
            continue;
        }
        if (*text == ' ') {
            text++;
            continue;
        }
        int length = (int)strcspn(text, " \n");
        if (column > 0 && column + 1 + length > PAGE_WIDTH) {
            fputc('\n', file);
            column = 0;
        }
        if (column == 0)
            column = fprintf(file, "%*s%.*s", indent, "", length, text);
        else
            column += fprintf(file, " %.*s", length, text);
        text += length;
    }
    fputc('\n', file);
}

static void print_option(FILE *file, const cli_option *option)
{
    fprintf(file, "    ");
    if (option->letter)
        fprintf(file, "-%c, ", option->letter);
    fprintf(file, "--%s", option->name);
    if (option->value)
        fprintf(file, option->kind == CLI_OPTIONAL ? "[=%s]" : " %s", option->value);
    fputc('\n', file);
    wrap(file, 8, option->help);
    if (option->kind == CLI_OUTPUT && strchr(option->value, '|'))
        wrap(file, 8, "The ending decides what is written. Give the option as often as you like.");
    fputc('\n', file);
}

static void print_exit_status(FILE *file)
{
    fprintf(file, "EXIT STATUS\n"
                  "    0    all is well\n"
                  "    1    bad data, motion that does not fit, or the system refused to write\n"
                  "    2    the command line makes no sense\n"
                  "    3    a file, folder or motion was not found\n"
                  "    130  interrupted (Ctrl-C); files that were complete stay, no partial ones do\n");
}

void cli_print_help(const cli_command *command, FILE *file)
{
    fprintf(file, "NAME\n    lope %s - %s\n\nSYNOPSIS\n", command->name, command->summary);
    for (const char *const *line = command->synopsis; *line; line++)
        fprintf(file, "    lope %s %s\n", command->name, *line);
    fprintf(file, "\nDESCRIPTION\n");
    wrap(file, 4, command->description);
    fprintf(file, "\nOPTIONS\n");
    for (const cli_option *option = command->options; option->name; option++)
        print_option(file, option);
    fprintf(file, "    -h, --help\n        Show this page.\n\nEXAMPLES\n");
    for (const char *const *example = command->examples; *example; example += 2) {
        wrap(file, 4, example[0]);
        fprintf(file, "        %s\n\n", example[1]);
    }
    print_exit_status(file);
}

void cli_print_overview(FILE *file)
{
    fprintf(file, "NAME\n    lope - motion in, motion out, characters that find their way\n\n"
                  "SYNOPSIS\n    lope COMMAND [OPTION...] [OPERAND...]\n    lope help COMMAND\n    lope --version\n\n"
                  "COMMANDS\n");
    for (const cli_command *const *command = cli_commands; *command; command++)
        fprintf(file, "    %-12s%s\n", (*command)->name, (*command)->summary);
    fprintf(file, "\nDESCRIPTION\n");
    wrap(file, 4,
         "Reads motion capture (BVH always; FBX and glTF where the build has them; .lope), changes, grades and draws "
         "it. Commands that read clips take files, folders with everything below them, and names of built-in motions; "
         "without any they work on the whole built-in set.");
    fputc('\n', file);
    print_exit_status(file);
}
