#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared scenes of mobility maps and motion maps, through the studio's bridge: the same bits natively and in WebAssembly.
# usage: test_scene_hash.sh SCENE_HASH STUDIO.wasm
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$LOPE" build --mobility -o "$folder/mobility.lope" > /dev/null
"$LOPE" build --maps -o "$folder/maps.lope" > /dev/null 2>&1
node "$(dirname "$0")/scene_hash.mjs" "$1" "$2" "$folder/mobility.lope" "$folder/maps.lope" "$LOPE_SOURCE/scenes"
