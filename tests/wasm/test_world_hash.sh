#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared scenes of motion rings, the grasp planner and motion patches, through the studio's bridge: the same bits
# natively and in WebAssembly.
# usage: test_world_hash.sh WORLD_HASH WORLD_HASH.wasm
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$LOPE" build --rings -o "$folder/rings.lope" > /dev/null 2>&1
"$LOPE" build --blocks -o "$folder/blocks.lope" > /dev/null 2>&1
"$LOPE" build --patches -o "$folder/tile.lope" > /dev/null 2>&1
node "$(dirname "$0")/world_hash.mjs" "$1" "$2" "$folder" "$LOPE_SOURCE/scenes"
