// SPDX-License-Identifier: MIT
// Any bytes as a file that assimp would read: let through or refused with a reason, and never read beyond their end.
#include "fuzz.h"
#include "io/import_check.h"

static void require_reason(lope_status status, const lope_error *error)
{
    require(!status || (error->status == status && error->message[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = fuzz_copy(data, size);
    if (!bytes)
        return 0;
    import_file file = {"fuzz", bytes, size};
    import_facts facts = {0};
    lope_error error;
    require_reason(lope_gltf_check(&file, &error), &error);
    require_reason(lope_fbx_check(&file, &facts, &error), &error);
    require_reason(lope_ply_check(&file, &error), &error);
    require_reason(lope_stl_check(&file, &error), &error);
    free(bytes);
    return 0;
}
