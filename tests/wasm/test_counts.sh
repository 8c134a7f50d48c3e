#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts of files that wrap round in 32 bits are refused by WebAssembly, as they are by machines with more.
# usage: test_counts.sh COUNTS_FILES COUNTS.wasm
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"
for kind in mobility maps tile; do
  echo "$kind:"
  node "$(dirname "$0")/counts.mjs" "$2" "$folder/$kind.lope"
done
