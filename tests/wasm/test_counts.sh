# SPDX-License-Identifier: MIT
# Counts of files that wrap round in 32 bits are refused by WebAssembly, as they are by machines with more.
# usage: test_counts.sh COUNTS_FILES COUNTS.wasm
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
"$1" .
for kind in mobility maps tile; do
  echo "$kind:"
  node "$(dirname "$0")/counts.mjs" "$2" "$kind.lope"
done
