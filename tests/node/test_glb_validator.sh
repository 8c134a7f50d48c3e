# SPDX-License-Identifier: MIT
# Writes all kinds of GLBs and hands them to the Khronos validator. Usage: test_glb_validator.sh SAMPLES_PROGRAM WORK_FOLDER
# Exit code 77 (skipped) where the validator cannot be installed.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
samples=$1
work=$2
source=$(dirname "$0")

. "$source/packages.sh"

mkdir -p glb
rm -f glb/*.glb
"$samples" glb
node validate_glb.js glb/*.glb

# The check itself must be able to fail: a truncated file is not let through.
head -c 200 glb/walk.glb >truncated.bin
if node validate_glb.js truncated.bin >/dev/null 2>&1; then
    echo "the validator let a truncated file pass"
    exit 1
fi
