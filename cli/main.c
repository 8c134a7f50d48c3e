// SPDX-License-Identifier: MIT
// The `lope` tool: finds the command, runs it, and makes sure that what it printed really got out.
#include <errno.h>
#include <string.h>

#include "cli/cli.h"

const cli_command *const cli_commands[] = {&cli_info,    &cli_convert, &cli_synth, &cli_grade,      &cli_draw,
                                           &cli_build,   &cli_track,   &cli_gait,  &cli_crowd,      &cli_climb,
                                           &cli_follow,  &cli_path,    &cli_level, &cli_go,         &cli_world,
                                           &cli_scenery, &cli_studio,  &cli_bench, &cli_completion, NULL};

const cli_command *cli_find_command(const char *name)
{
    for (const cli_command *const *command = cli_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

static const char *command_name(int index)
{
    return cli_commands[index] ? cli_commands[index]->name : NULL;
}

static int unknown_command(const char *word)
{
    const char *meant = cli_suggest(word, command_name);
    fprintf(stderr, "lope: unknown command '%s'", word);
    if (meant)
        fprintf(stderr, "; did you mean '%s'?", meant);
    fprintf(stderr, "\nTry 'lope --help'.\n");
    return CLI_USAGE;
}

static int show_help(const char *word)
{
    if (!word) {
        cli_print_overview(stdout);
        return CLI_OK;
    }
    const cli_command *command = cli_find_command(word);
    if (!command)
        return unknown_command(word);
    cli_print_help(command, stdout);
    return CLI_OK;
}

static int dispatch(int count, char **arguments)
{
    if (count < 2) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    const char *word = arguments[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("lope %s\n", lope_version());
        return CLI_OK;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return show_help(NULL);
    if (strcmp(word, "help") == 0)
        return show_help(count > 2 ? arguments[2] : NULL);
    if (word[0] == '-') {
        fprintf(stderr, "lope: unknown option '%s'\nTry 'lope --help'.\n", word);
        return CLI_USAGE;
    }
    const cli_command *command = cli_find_command(word);
    return command ? command->run(command, count - 2, arguments + 2) : unknown_command(word);
}

int main(int count, char **arguments)
{
    cli_catch_interrupts();
    int result = dispatch(count, arguments);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        // A reader that has seen enough (`lope info | head`) is no failure.
        if (errno == EPIPE)
            return result;
        fprintf(stderr, "lope: cannot write the output: %s\n", strerror(errno));
        return cli_worse(result, CLI_FAILED);
    }
    return result;
}
