# SPDX-License-Identifier: MIT
# The shared scenes of motion rings, the grasp planner, motion patches and the one world, through the studio's bridge: the same bits
# natively and in WebAssembly.
# usage: test_world_hash.sh WORLD_HASH WORLD_HASH.wasm
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
"$LOPE" build --rings -o rings.lope > /dev/null 2>&1
"$LOPE" build -o moves.lope > /dev/null 2>&1
"$LOPE" build --patches -o tile.lope > /dev/null 2>&1
node "$(dirname "$0")/world_hash.mjs" "$1" "$2" . "$LOPE_SOURCE/scenes" >hashes || { cat hashes; exit 1; }
grep -q '^same' hashes
