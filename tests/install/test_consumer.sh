#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into a temporary folder, then builds and runs a small project against it: by CMake package with each of the
# four libraries, and by pkg-config, static and shared.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$LOPE_BUILD" --prefix "$work/prefix" > /dev/null
cmake -S "$LOPE_SOURCE/tests/install/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" > "$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
cmake --build "$work/build" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for library in lope lope_shared lope_offline lope_offline_shared; do
    "$work/build/with_$library" | grep -q '^lope 0\.1\.0: two steps'
done

libdir=$(dirname "$(find "$work/prefix" -name lope.pc)")
export PKG_CONFIG_PATH="$libdir"
main="$LOPE_SOURCE/tests/install/consumer/main.c"
cc "$main" -o "$work/shared" $(pkg-config --cflags --libs lope)
LD_LIBRARY_PATH="$libdir/.." "$work/shared" > /dev/null
cc "$main" -o "$work/static" $(pkg-config --cflags lope) "$libdir/../liblope.a" -lm -lpthread
"$work/static" > /dev/null
[ "$(pkg-config --modversion lope-offline)" = 0.1.0 ]
"$work/prefix/bin/lope" --version | grep -q '0\.1\.0'
