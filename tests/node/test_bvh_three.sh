# SPDX-License-Identifier: MIT
# Writes all kinds of BVHs and has three.js read them: joints are where Lope has them. Usage: test_bvh_three.sh
# SAMPLES_PROGRAM WORK_FOLDER. Exit code 77 (skipped) where three.js cannot be installed.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
samples=$1
work=$2
source=$(dirname "$0")
. "$source/packages.sh"

rm -rf bvh
mkdir bvh
"$samples" bvh
node compare_bvh.mjs bvh/*.bvh

# The check itself must be able to fail: a root with an offset beside its channels is what three.js adds up.
sed '0,/OFFSET 0\(\.0*\)\{0,1\} 0/s//OFFSET 0 98/' bvh/walk_slow.bvh >bvh/raised.bvh
cp bvh/walk_slow.places bvh/raised.places
if node compare_bvh.mjs bvh/raised.bvh >/dev/null 2>&1; then
    echo "a body that floats 98 cm was let pass"
    exit 1
fi
