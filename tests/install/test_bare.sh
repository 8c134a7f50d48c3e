# SPDX-License-Identifier: MIT
# What builds, runs and installs asks for nothing that only tests need: the project configures where pkg-config knows of
# jansson only. With tests it does not, which shows that the others are really out of sight.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
mkdir known
cp "$(pkg-config --variable=pcfiledir jansson)/jansson.pc" known/ || fail "no jansson.pc"
export PKG_CONFIG_LIBDIR="$WORK/known"
unset PKG_CONFIG_PATH
expect 0 cmake -S "$LOPE_SOURCE" -B plain
prints 'Generating done'
expect 1 cmake -S "$LOPE_SOURCE" -B tested -DLOPE_TESTS=ON
prints "Package 'cmocka'.* not found"
