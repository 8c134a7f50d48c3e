#!/bin/sh
# SPDX-License-Identifier: MIT
# The same walks, natively and in WebAssembly, give the same bits, and the module needs nothing from outside.
# usage: test_walk_hash.sh WALK_HASH WALK_HASH.wasm
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$LOPE" build --mobility -o "$folder/mobility.lope" > /dev/null
"$LOPE" build --patches -o "$folder/patches.lope" > /dev/null
for kind in mobility patches; do
  native=$("$1" "$folder/$kind.lope")
  wasm=$(node "$(dirname "$0")/walk_hash.mjs" "$2" "$folder/$kind.lope")
  echo "$kind: native $native, WebAssembly $wasm"
  [ "$native" != 0000000000000000 ]
  [ "$native" = "$wasm" ]
done
