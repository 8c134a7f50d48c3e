// SPDX-License-Identifier: MIT
// Writes characters of others (NAME.hero.glb) into a folder, the same with animations of ours (NAME.glb), and where
// every joint is in some frames, as Lope sees it (NAME.places: "CLIP SECONDS JOINT X Y Z" in metres, a line each). The
// validator and three.js read the files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/hero.h"

static const char *folder;

static char *in_folder(const char *name, const char *ending)
{
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s%s", folder, name, ending);
    return path;
}

static void check(lope_status status, const lope_error *error)
{
    char text[1200];
    if (!status)
        return;
    fprintf(stderr, "%s\n", lope_error_text(error, text, sizeof text));
    exit(1);
}

static lope_clip *carried(const char *name, const lope_skeleton *skeleton)
{
    lope_synth_def def = lope_synth_def_default();
    lope_clip *clip, *out;
    lope_error error;
    def.frame_rate = 15.0;
    check(lope_synth_clip(name, &def, 0, &clip, &error), &error);
    check(lope_clip_retarget(clip, skeleton, &out, &error), &error);
    lope_clip_destroy(clip);
    return out;
}

// Joints above the hips are left out: what they do is up to the root bone.
static void write_places(FILE *file, const lope_clip *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    lope_transform model[64];
    for (int i = 0; i < 5; i++) {
        int f = (int)((long)(clip->frame_count - 1) * i / 4);
        lope_clip_model(clip, f, model);
        for (int j = skeleton->roles[LOPE_HIPS]; j < skeleton->joint_count; j++)
            fprintf(file, "%s %.6f %s %.5f %.5f %.5f\n", clip->name, (double)f / clip->frame_rate, skeleton->names[j],
                    (double)model[j].translation.x, (double)model[j].translation.y, (double)model[j].translation.z);
    }
}

static void put(const char *name, const hero_variant *variant, const char *root_bone)
{
    lope_avatar *avatar;
    lope_error error;
    hero_write(in_folder(name, ".hero.glb"), variant);
    check(lope_avatar_open(in_folder(name, ".hero.glb"), &(lope_avatar_def){.root_bone = root_bone}, &avatar, &error),
          &error);
    const lope_clip *clips[] = {carried("walk_normal", avatar->skeleton), carried("turn_left_sharp", avatar->skeleton)};
    check(lope_avatar_save(avatar, clips, 2, NULL, in_folder(name, ".glb"), &error), &error);
    FILE *file = fopen(in_folder(name, ".places"), "w");
    for (int i = 0; i < 2 && file; i++) {
        write_places(file, clips[i]);
        lope_clip_destroy((lope_clip *)(uintptr_t)clips[i]);
    }
    if (!file || fclose(file))
        exit(1);
    lope_avatar_close(avatar);
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: avatar_samples FOLDER\n");
        return 2;
    }
    folder = words[1];
    put("plain", &(hero_variant){0}, NULL);
    put("posed", &(hero_variant){.posed = true}, NULL);
    put("matrices", &(hero_variant){.matrices = true, .still = true}, NULL);
    put("root_joint", &(hero_variant){.root_joint = true}, "");
    put("root_added", &(hero_variant){0}, "");
    put("root_armature", &(hero_variant){.posed = true}, "Armature");
    // For tests of the tool.
    hero_write(in_folder("two", ".hero.glb"), &(hero_variant){.two = true});
    hero_write(in_folder("no_skin", ".hero.glb"), &(hero_variant){.no_skin = true});
    hero_write(in_folder("chain", ".hero.glb"), &(hero_variant){.quadruped = true});
    hero_write(in_folder("hero", ".gltf"), &(hero_variant){.beside = true});
    return 0;
}
