# SPDX-License-Identifier: MIT
# The shared scenes of mobility maps and motion maps, through the studio's bridge: the same bits natively and in WebAssembly.
# usage: test_scene_hash.sh SCENE_HASH STUDIO.wasm
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
"$LOPE" build --mobility -o mobility.lope > /dev/null
"$LOPE" build --maps -o maps.lope > /dev/null 2>&1
node "$(dirname "$0")/scene_hash.mjs" "$1" "$2" mobility.lope maps.lope "$LOPE_SOURCE/scenes" >hashes || { cat hashes; exit 1; }
grep -q '^same' hashes
