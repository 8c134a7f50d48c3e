# SPDX-License-Identifier: MIT
# The run-time library needs libm and the C library, nothing else; and it neither prints nor exits. Both libraries, as
# shared ones and as archives, show names that begin with lope_ only: others might be their users' own.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
library="$LOPE_BUILD/liblope.so"
objdump -p "$library" >parts
grep -q NEEDED parts
needs=$(awk '$1 == "NEEDED" && $2 !~ /^(libm|libc|ld-linux.*)\.so/ { print $2 }' parts)
[ -z "$needs" ] || fail "the run-time library needs more than libm: $needs"
nm -D --undefined-only "$library" >calls
grep -q " U " calls
! grep -wE 'printf|puts|putchar|fprintf|perror|exit|_exit|abort|sin|cos|tan|atan2|acos|asin|exp|log|pow|sinf|cosf|atan2f|expf|powf' calls || fail "the run-time library must not call these"
{
    nm -D --defined-only "$library" "$LOPE_BUILD/liblope_offline.so"
    nm -g --defined-only "$LOPE_BUILD/liblope.a" "$LOPE_BUILD/liblope_offline.a"
} >names
for name in lope_version lope_synth_clip; do # in the library and in the archive
    [ "$(grep -c " T $name\$" names)" -eq 2 ] || fail "$name is not shown by both kinds of its library"
done
foreign=$(awk 'NF == 3 && $3 !~ /^lope_/ { print $3 }' names)
[ -z "$foreign" ] || fail "names without lope_ in front are shown: $foreign"
