#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C and as C++, without warnings.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for header in "$LOPE_SOURCE"/include/lope/*.h; do
    echo "#include \"lope/$(basename "$header")\"" > "$work/alone.c"
    cp "$work/alone.c" "$work/alone.cpp"
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$LOPE_SOURCE/include" "$work/alone.c"
    if command -v c++ > /dev/null; then
        c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$LOPE_SOURCE/include" "$work/alone.cpp"
    fi
done
