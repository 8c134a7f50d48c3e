#!/bin/sh
# SPDX-License-Identifier: MIT
# The run-time library needs libm and the C library, nothing else; and it neither prints nor exits. Both libraries show
# names that begin with lope_ only: others might be their users' own.
set -eu
library="$LOPE_BUILD/liblope.so"
needs=$(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' | grep -vE '^(libm|libc|ld-linux.*)\.so' || true)
if [ -n "$needs" ]; then
    echo "the run-time library needs more than libm: $needs"
    exit 1
fi
forbidden=$(nm -D --undefined-only "$library" | grep -wE 'printf|puts|putchar|fprintf|perror|exit|_exit|abort|sin|cos|tan|atan2|acos|asin|exp|log|pow|sinf|cosf|atan2f|expf|powf' || true)
if [ -n "$forbidden" ]; then
    echo "the run-time library must not call: $forbidden"
    exit 1
fi
foreign=$(nm -D --defined-only "$library" "$LOPE_BUILD/liblope_offline.so" |
    awk 'NF == 3 && $3 !~ /^lope_/ { print $3 }' | sort -u)
if [ -n "$foreign" ]; then
    echo "names without lope_ in front are shown: $foreign"
    exit 1
fi
