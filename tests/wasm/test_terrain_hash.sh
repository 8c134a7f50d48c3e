# SPDX-License-Identifier: MIT
# Questions to terrain, natively and in WebAssembly, give the same bits.
# usage: test_terrain_hash.sh TERRAIN_HASH TERRAIN_HASH.wasm
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
native=$("$1")
wasm=$(node "$(dirname "$0")/terrain_hash.mjs" "$2")
echo "native $native, WebAssembly $wasm"
echo "$native" | grep -qxE "[0-9a-f]{16}"
[ "$native" != 0000000000000000 ]
[ "$native" = "$wasm" ]
