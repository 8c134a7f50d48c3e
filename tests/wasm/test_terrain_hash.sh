#!/bin/sh
# SPDX-License-Identifier: MIT
# Questions to terrain, natively and in WebAssembly, give the same bits.
# usage: test_terrain_hash.sh TERRAIN_HASH TERRAIN_HASH.wasm
set -eu
native=$("$1")
wasm=$(node "$(dirname "$0")/terrain_hash.mjs" "$2")
echo "native $native, WebAssembly $wasm"
[ "$native" != 0000000000000000 ]
[ "$native" = "$wasm" ]
