# SPDX-License-Identifier: MIT
# The README's first C block compiles and runs as it stands.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
awk '/^```c$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$LOPE_SOURCE/README.md" > readme.c
[ -s readme.c ] || { echo "README.md has no C block"; exit 1; }
cc -std=c17 -Wall -Wextra -Werror -I"$LOPE_SOURCE/include" readme.c -o readme \
    "$LOPE_BUILD/liblope_offline.a" "$LOPE_BUILD/liblope.a" $(pkg-config --libs jansson) \
    $(pkg-config --exists assimp && pkg-config --libs assimp) -lm -lpthread
./readme
