#!/bin/sh
# SPDX-License-Identifier: MIT
# The same walk, natively and in WebAssembly, gives the same bits, and the module needs nothing from outside.
# usage: test_walk_hash.sh WALK_HASH WALK_HASH.wasm
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$LOPE" build --mobility -o "$folder/map.lope" > /dev/null
native=$("$1" "$folder/map.lope")
wasm=$(node "$(dirname "$0")/walk_hash.mjs" "$2" "$folder/map.lope")
echo "native $native, WebAssembly $wasm"
[ "$native" != 0000000000000000 ]
[ "$native" = "$wasm" ]
