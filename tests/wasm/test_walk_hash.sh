# SPDX-License-Identifier: MIT
# The same walks, natively and in WebAssembly, give the same bits, and the module needs nothing from outside.
# usage: test_walk_hash.sh WALK_HASH WALK_HASH.wasm
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
"$LOPE" build --mobility -o mobility.lope > /dev/null
"$LOPE" build --patches -o patches.lope > /dev/null
cp "$LOPE_TEST_MOVES" world.lope
for kind in mobility patches world; do
  native=$("$1" "$kind.lope")
  wasm=$(node "$(dirname "$0")/walk_hash.mjs" "$2" "$kind.lope")
  echo "$kind: native $native, WebAssembly $wasm"
  echo "$native" | grep -qxE "[0-9a-f]{16}"
  [ "$native" != 0000000000000000 ]
  [ "$native" = "$wasm" ]
done
