# SPDX-License-Identifier: MIT
# Installs into a temporary folder, then builds and runs a small project against it: by CMake package with each of the
# four libraries, and by pkg-config, static and shared; beside jansson, too.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e

cmake --install "$LOPE_BUILD" --prefix prefix > /dev/null
cmake -S "$LOPE_SOURCE/tests/install/consumer" -B build -DCMAKE_PREFIX_PATH="$WORK/prefix" > log 2>&1 ||
    { cat log; exit 1; }
cmake --build build > log 2>&1 || { cat log; exit 1; }
for library in lope lope_shared lope_offline lope_offline_shared; do
    "build/with_$library" >out
    grep -q '^lope 0\.1\.0: two steps' out
done

libdir=$(dirname "$(find "$WORK/prefix" -name lope.pc)")
export PKG_CONFIG_PATH="$libdir"
main="$LOPE_SOURCE/tests/install/consumer/main.c"
cc "$main" -o shared $(pkg-config --cflags --libs lope)
LD_LIBRARY_PATH="$libdir/.." ./shared > /dev/null
cc "$main" -o static $(pkg-config --cflags lope) "$libdir/../liblope.a" -lm -lpthread
./static > /dev/null
# Everything of ours, and jansson, from archives: they may have no name in common.
cc "$main" -DWITH_OFFLINE -DWITH_JANSSON -o static_offline $(pkg-config --cflags lope-offline) -L"$libdir/.." \
    -Wl,-Bstatic -llope_offline -llope -ljansson -Wl,-Bdynamic $(pkg-config --static --libs lope-offline |
        sed 's/-llope[_a-z]*\|-ljansson//g')
./static_offline > /dev/null
# The built-in moves come along, and a program beside them finds them.
cat >finds.c <<'END'
#include <stdio.h>
#include "lope/moves.h"
int main(void)
{
    lope_error error;
    lope_moves *moves;
    if (lope_moves_open(NULL, &moves, &error))
        return puts(error.message), 1;
    printf("%d states\n", lope_mobility_state_count(moves->mobility));
    lope_moves_close(moves);
    return 0;
}
END
cc finds.c -o prefix/bin/finds $(pkg-config --cflags lope) "$libdir/../liblope.a" -lm -lpthread
prefix/bin/finds >out || { cat out; exit 1; }
grep -q '^[0-9][0-9]* states' out
rm prefix/bin/finds
[ "$(pkg-config --modversion lope-offline)" = 0.1.0 ]
prefix/bin/lope --version >out
grep -q '0\.1\.0' out
