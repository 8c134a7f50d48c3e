# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C and as C++, without warnings.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
for header in "$LOPE_SOURCE"/include/lope/*.h; do
    echo "#include \"lope/$(basename "$header")\"" > alone.c
    cp alone.c alone.cpp
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$LOPE_SOURCE/include" alone.c
    c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$LOPE_SOURCE/include" alone.cpp
done
