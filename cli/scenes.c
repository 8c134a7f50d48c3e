// SPDX-License-Identifier: MIT
#include "cli/scenes.h"

#include <string.h>

static const char *scene_name(int index)
{
    return index < lope_scene_builtin_count() ? lope_scene_builtin_name(index) : NULL;
}

int cli_scene_open(const cli_command *command, const char *word, lope_scene **out)
{
    lope_error error = {0};
    bool builtin = !strchr(word, '/') && !strchr(word, '.');
    lope_status status = builtin ? lope_scene_builtin(word, out, &error) : lope_scene_read(word, out, &error);
    if (!status)
        return CLI_OK;
    const char *meant = builtin ? cli_suggest(word, scene_name) : NULL;
    if (status != LOPE_NOT_FOUND || !meant)
        return cli_fail(command, &error);
    fprintf(stderr, "lope %s: no built-in scene is called '%s'; did you mean '%s'?\n", command->name, word, meant);
    return CLI_NOT_FOUND;
}

int cli_scene_open_flows(const cli_command *command, const char *word, lope_scene **out)
{
    int code = cli_scene_open(command, word, out);
    if (code || (*out)->flow_count > 0)
        return code;
    fprintf(stderr, "lope %s: %s: the scene needs 'flows': where characters come from and where they go\n",
            command->name, word);
    return CLI_FAILED;
}
