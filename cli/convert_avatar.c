// SPDX-License-Identifier: MIT
// `lope convert --onto`: the user's own character with our animations; and root bones, with or without it.
#include "cli/convert.h"

static int check_options(const cli_command *command, const convert_settings *settings)
{
    if (!settings->onto && (settings->skin || settings->replace))
        return cli_usage(command, "%s needs --onto", settings->skin ? "--skin" : "--replace");
    if (!settings->onto)
        return CLI_OK;
    if (settings->retarget)
        return cli_usage(command, "--onto and --retarget exclude each other");
    for (int i = 0; i < settings->outputs.count; i++)
        if (settings->outputs.items[i].format != CLI_FORMAT_GLB)
            return cli_usage(command, "--onto writes GLB, found '%s'; --retarget takes only the skeleton of a file",
                             settings->outputs.items[i].path);
    return CLI_OK;
}

int convert_open_avatar(convert_work *work, convert_settings *settings)
{
    int result = check_options(work->command, settings);
    if (result || !settings->onto)
        return result;
    lope_avatar_def def = lope_avatar_def_default();
    lope_error error = {0};
    def.skin = settings->skin;
    def.root_bone = settings->root_bone;
    if (lope_avatar_open(settings->onto, &def, &work->avatar, &error) != LOPE_OK)
        return cli_fail(work->command, &error);
    if (!lope_skeleton_is_biped(work->avatar->skeleton)) {
        fprintf(stderr, "lope convert: %s: expected a skeleton with hips and two legs, found %d joints without\n",
                settings->onto, work->avatar->skeleton->joint_count);
        return CLI_FAILED;
    }
    settings->edit.target = lope_skeleton_retain(work->avatar->skeleton);
    return CLI_OK;
}

lope_status convert_write_avatar(const convert_work *work, lope_clip **clips, int count, const char *path,
                                 lope_error *error)
{
    lope_avatar_save_def def = {.replace = work->settings->replace};
    return lope_avatar_save(work->avatar, (const lope_clip *const *)clips, count, &def, path, error);
}

lope_status convert_add_root_bones(const convert_settings *settings, lope_clip **clips, int count, lope_error *error)
{
    const char *name = settings->root_bone;
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && name && !status; i++) {
        lope_clip *moved;
        status = lope_clip_root_bone(clips[i], *name ? name : NULL, &moved, error);
        if (status)
            break;
        lope_clip_destroy(clips[i]);
        clips[i] = moved;
    }
    return status;
}
