// SPDX-License-Identifier: MIT
// Reading BVH files in two passes: one to gather evidence, one to convert as was decided.
#ifndef LOPE_SRC_IO_BVH_READ_H
#define LOPE_SRC_IO_BVH_READ_H

#include "io/body_evidence.h"

// How to read, what was done, and what was decided beforehand.
typedef struct read_job {
    const lope_read_def *def; // checked
    lope_read_report *report; // zeroed
    const read_decision *decision;
} read_job;

// `roles_path` may be NULL: a file for lope_roles_read.
lope_status lope_bvh_look(const char *path, const char *roles_path, lope_evidence *out, lope_error *error);
lope_status lope_bvh_read_decided(const char *path, const read_job *job, lope_clip **out, lope_error *error);

#endif
