// SPDX-License-Identifier: MIT
// Meshes from files of any kind: OBJ by ourselves, glTF and the rest through assimp, all nodes put where the scene has
// them.
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "lope/terrain_scene.h"

#define LARGEST_FILE ((size_t)1 << 30)

#ifdef LOPE_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>

#include "io/import_assimp.h"
#include "io/import_check.h"

#define MOST_TRIANGLES (1 << 26)
#define DEEPEST 256

typedef struct mesh_sum {
    double vertices, triangles;
    bool too_deep;
} mesh_sum;

typedef struct mesh_writer {
    lope_terrain_mesh *mesh;
    int vertices, triangles;
    float scale;
} mesh_writer;

static void count_node(const struct aiScene *scene, const struct aiNode *node, int depth, mesh_sum *sum)
{
    sum->too_deep = sum->too_deep || depth > DEEPEST;
    if (sum->too_deep)
        return;
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = scene->mMeshes[node->mMeshes[i]];
        sum->vertices += mesh->mNumVertices;
        for (unsigned k = 0; k < mesh->mNumFaces; k++)
            sum->triangles += mesh->mFaces[k].mNumIndices == 3;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++)
        count_node(scene, node->mChildren[i], depth + 1, sum);
}

static lope_vec3 point_of(const affine *a, const struct aiVector3D *v, float scale)
{
    double x = (double)v->x, y = (double)v->y, z = (double)v->z;
    double out[3];
    for (int i = 0; i < 3; i++)
        out[i] = (a->m[i][0] * x + a->m[i][1] * y + a->m[i][2] * z + a->m[i][3]) * (double)scale;
    return lope_v3((float)out[0], (float)out[1], (float)out[2]);
}

static void write_mesh(mesh_writer *writer, const struct aiMesh *mesh, const affine *world)
{
    int first = writer->vertices;
    for (unsigned i = 0; i < mesh->mNumVertices; i++)
        writer->mesh->vertices[writer->vertices++] = point_of(world, &mesh->mVertices[i], writer->scale);
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        for (unsigned k = 0; k < 3 && face->mNumIndices == 3; k++)
            writer->mesh->indices[3 * writer->triangles + (int)k] = first + (int)face->mIndices[k];
        writer->triangles += face->mNumIndices == 3;
    }
}

static void write_node(mesh_writer *writer, const struct aiScene *scene, const struct aiNode *node,
                       const affine *parent)
{
    affine local = lope_affine_from_ai(&node->mTransformation), world = lope_affine_mul(parent, &local);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        write_mesh(writer, scene->mMeshes[node->mMeshes[i]], &world);
    for (unsigned i = 0; i < node->mNumChildren; i++)
        write_node(writer, scene, node->mChildren[i], &world);
}

static lope_status take_scene(const struct aiScene *scene, const char *path, float scale, lope_terrain_mesh **out,
                              lope_error *error)
{
    mesh_sum sum = {0};
    if (scene->mRootNode)
        count_node(scene, scene->mRootNode, 0, &sum);
    if (sum.too_deep)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "nodes are nested more than %d deep", DEEPEST);
    if (sum.triangles < 1.0)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the file holds no triangles");
    if (sum.triangles > MOST_TRIANGLES || sum.vertices > 3.0 * MOST_TRIANGLES)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the file holds %.0f triangles; the limit is %d",
                            sum.triangles, MOST_TRIANGLES);
    mesh_writer writer = {.scale = scale};
    lope_status status = lope_terrain_mesh_create((int)sum.vertices, (int)sum.triangles, &writer.mesh, error);
    if (status)
        return status;
    affine identity = lope_affine_identity();
    write_node(&writer, scene, scene->mRootNode, &identity);
    *out = writer.mesh;
    return LOPE_OK;
}

static lope_status read_scene(const char *path, float scale, lope_terrain_mesh **out, lope_error *error)
{
    import_facts facts;
    lope_status status = lope_import_check(path, LARGEST_FILE, &facts, error);
    if (status)
        return status;
    const struct aiScene *scene = aiImportFile(path, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices);
    if (!scene)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "cannot be read: %s", aiGetErrorString());
    status = take_scene(scene, path, scale, out, error);
    aiReleaseImport(scene);
    return status;
}

#else

static lope_status read_scene(const char *path, float scale, lope_terrain_mesh **out, lope_error *error)
{
    (void)scale, (void)out;
    return lope_fail_at(error, LOPE_UNSUPPORTED, path, 0,
                        "this build cannot read glTF: install assimp (Debian: libassimp-dev) and build again");
}

#endif

static lope_status read_obj(const char *path, float scale, lope_terrain_mesh **out, lope_error *error)
{
    lope_file_data data;
    lope_status status = lope_file_read(path, LARGEST_FILE, &data, error);
    if (status)
        return status;
    status = lope_terrain_obj_read_memory(data.bytes, data.size, path, scale, out, error);
    lope_file_free(&data);
    return status;
}

lope_status lope_terrain_mesh_read(const char *path, float scale, lope_terrain_mesh **out, lope_error *error)
{
    static const char *const others[] = {".glb", ".gltf", ".fbx", ".ply", ".stl"};
    const char *dot = strrchr(lope_path_base(path), '.');
    *out = NULL;
    scale = scale != 0.0f ? scale : 1.0f;
    if (dot && strcasecmp(dot, ".obj") == 0)
        return read_obj(path, scale, out, error);
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
        if (strcasecmp(dot, others[i]) == 0)
            return read_scene(path, scale, out, error);
    return lope_fail_at(error, LOPE_UNSUPPORTED, path, 0,
                        "expected a name that ends in .obj, .glb, .gltf, .fbx, .ply or .stl");
}
