# SPDX-License-Identifier: MIT
# The programs in examples/ compile as they stand, with nothing but the public headers, and do what they promise.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
for name in walk plaza nod around stairs office hero; do
    cc -std=c17 -Wall -Wextra -Werror -I"$LOPE_SOURCE/include" "$LOPE_SOURCE/examples/$name.c" -o "$name" \
        "$LOPE_BUILD/liblope_offline.a" "$LOPE_BUILD/liblope.a" $(pkg-config --libs jansson) \
        $(pkg-config --exists assimp && pkg-config --libs assimp) -lm -lpthread
done
./walk 3 4 > walk.txt || { cat walk.txt; exit 1; }
grep -q '^arrived at' walk.txt
./plaza walk.lope
./nod walk.lope > nod.txt
grep -q "^nodded, then stood at" nod.txt
./around > around.txt
grep -q '^stands 0\.[0-9] cm from the goal after [0-9]' around.txt || { cat around.txt; exit 1; }
./stairs > stairs.txt
tail -n 1 stairs.txt | grep -q 'foot at'
LOPE_MOVES=$LOPE_TEST_MOVES ./office > office.txt
grep -q 'sat down' office.txt
