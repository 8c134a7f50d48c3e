# SPDX-License-Identifier: MIT
# Puts animations onto characters and has three.js and the Khronos validator read them. Usage: test_avatar_three.sh
# SAMPLES_PROGRAM WORK_FOLDER. Exit code 77 (skipped) where these cannot be installed.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
samples=$1
work=$2
source=$(dirname "$0")
. "$source/packages.sh"

rm -rf avatar
mkdir avatar
"$samples" avatar
files=$(ls avatar/*.glb | grep -v '\.hero\.glb$')
node compare_avatar.mjs $files

# The check itself must be able to fail: places of another walk.
cp avatar/plain.glb avatar/wrong.glb
cp avatar/plain.hero.glb avatar/wrong.hero.glb
sed 's/Head \([-0-9.]*\) 1/Head \1 2/' avatar/plain.places >avatar/wrong.places
if node compare_avatar.mjs avatar/wrong.glb >/dev/null 2>&1; then
    echo "a head that is a metre off was let pass"
    exit 1
fi
