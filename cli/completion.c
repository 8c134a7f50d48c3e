// SPDX-License-Identifier: MIT
// `lope completion`: shell completion made from the option tables, so that it never lags behind them.
#include <string.h>

#include "cli/cli.h"

typedef struct completion_settings {
    int unused; // a command needs settings to parse into
} completion_settings;

static const cli_option options[] = {{0}};
static const char *const synopsis[] = {"bash|zsh|fish", NULL};
static const char *const examples[] = {"For this bash session:",
                                       "eval \"$(lope completion bash)\"",
                                       "For good, in fish:",
                                       "lope completion fish > ~/.config/fish/completions/lope.fish",
                                       "For good, in zsh, in a folder of $fpath:",
                                       "lope completion zsh > ~/.zfunc/_lope",
                                       NULL};

// The words of a choice with spaces between them.
static void print_words(const char *choices)
{
    for (; *choices; choices++)
        putchar(*choices == '|' ? ' ' : *choices);
}

static void print_command_names(void)
{
    for (const cli_command *const *command = cli_commands; *command; command++)
        printf("%s ", (*command)->name);
    printf("help");
}

// What stands where an operand is expected besides files.
static const char *operand_words(const cli_command *command)
{
    return strcmp(command->name, "completion") == 0 ? "bash zsh fish"
           : strcmp(command->name, "bench") == 0    ? "all"
                                                    : "";
}

static bool takes_file(const cli_option *option)
{
    return option->kind == CLI_TEXT || option->kind == CLI_OUTPUT;
}

static void bash_options(const cli_command *command)
{
    printf("    %s)\n        case $previous in\n", command->name);
    for (const cli_option *option = command->options; option->name; option++) {
        if (option->kind == CLI_FLAG || option->kind == CLI_OPTIONAL)
            continue;
        printf("        --%s", option->name);
        if (option->letter)
            printf("|-%c", option->letter);
        if (option->kind == CLI_CHOICE) {
            printf(") COMPREPLY=($(compgen -W '");
            print_words(option->value);
            printf("' -- \"$word\")); return;;\n");
        } else {
            printf(") COMPREPLY=(%s); return;;\n", takes_file(option) ? "$(compgen -f -- \"$word\")" : "");
        }
    }
    printf("        esac\n        options='");
    for (const cli_option *option = command->options; option->name; option++)
        printf("--%s ", option->name);
    printf("--help'\n        words='%s';;\n", operand_words(command));
}

static void print_bash(void)
{
    printf("# bash completion for lope, made by `lope completion bash`\n_lope() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options='' words=''\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    print_command_names();
    printf(
        " --help --version' -- \"$word\")); return\n    fi\n    case ${COMP_WORDS[1]} in\n    help)\n        words='");
    print_command_names();
    printf("';;\n");
    for (const cli_command *const *command = cli_commands; *command; command++)
        bash_options(*command);
    printf("    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\"));;\n"
           "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\"));;\n    esac\n}\n"
           "complete -o filenames -F _lope lope\n");
}

// Text inside single quotes where brackets and colons mean something to zsh.
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_option(const cli_option *option)
{
    printf("            '%s--%s[", option->kind == CLI_OUTPUT ? "*" : "", option->name);
    zsh_text(option->help);
    printf("]");
    if (option->kind == CLI_CHOICE) {
        printf(":value:(");
        print_words(option->value);
        printf(")");
    } else if (option->kind != CLI_FLAG && option->kind != CLI_OPTIONAL) {
        printf(":%s:%s", option->value ? "value" : "", takes_file(option) ? "_files" : "");
    }
    printf("' \\\n");
}

static void print_zsh(void)
{
    printf("#compdef lope\n# zsh completion for lope, made by `lope completion zsh`\n_lope() {\n"
           "    if (( CURRENT == 2 )); then\n        local -a commands=(\n");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("            '%s:", (*command)->name);
        zsh_text((*command)->summary);
        printf("'\n");
    }
    printf("        )\n        _describe command commands\n        return\n    fi\n    local name=$words[2]\n"
           "    shift words\n    (( CURRENT-- ))\n    case $name in\n");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("    %s)\n        _arguments \\\n", (*command)->name);
        for (const cli_option *option = (*command)->options; option->name; option++)
            zsh_option(option);
        const char *words = operand_words(*command);
        printf("            '--help[Show the manual page.]' \\\n            ");
        if (*words)
            printf("'*:operand:(%s)';;\n", words);
        else
            printf("'*:file:_files';;\n");
    }
    printf("    esac\n}\n_lope \"$@\"\n");
}

static void fish_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void fish_option(const cli_command *command, const cli_option *option)
{
    printf("complete -c lope -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (option->kind == CLI_CHOICE) {
        printf(" -x -a '");
        print_words(option->value);
        printf("'");
    } else if (option->kind != CLI_FLAG) {
        printf(takes_file(option) ? " -r" : " -x");
    }
    printf(" -d '");
    fish_text(option->help);
    printf("'\n");
}

static void print_fish(void)
{
    printf("# fish completion for lope, made by `lope completion fish`\n");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        printf("complete -c lope -f -n __fish_use_subcommand -a %s -d '", (*command)->name);
        fish_text((*command)->summary);
        printf("'\n");
        for (const cli_option *option = (*command)->options; option->name; option++)
            fish_option(*command, option);
        if (*operand_words(*command))
            printf("complete -c lope -f -n '__fish_seen_subcommand_from %s' -a '%s'\n", (*command)->name,
                   operand_words(*command));
    }
}

static int run(const cli_command *self, int count, char **arguments)
{
    completion_settings settings = {0};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    if (operands.count != 1)
        return cli_usage(self, "needs the name of one shell: bash, zsh or fish");
    if (strcmp(operands.words[0], "bash") == 0)
        print_bash();
    else if (strcmp(operands.words[0], "zsh") == 0)
        print_zsh();
    else if (strcmp(operands.words[0], "fish") == 0)
        print_fish();
    else
        return cli_usage(self, "knows bash, zsh and fish, found '%s'", operands.words[0]);
    return CLI_OK;
}

const cli_command cli_completion = {
    .name = "completion",
    .summary = "completion of commands and options for a shell",
    .synopsis = synopsis,
    .description = "Prints a script that teaches a shell to complete the commands, options and values of lope.",
    .examples = examples,
    .options = options,
    .run = run,
};
