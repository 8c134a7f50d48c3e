# SPDX-License-Identifier: MIT
# scripts/ctest: tests that are skipped, or of which a part is, fail where CI is set and are counted everywhere.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"

# project NAME CODE LINES: a folder with one test that passes and one that prints LINES and ends with CODE.
project() {
    mkdir "$1"
    printf '%s\n' "$3" > "$1/output"
    cat > "$1/CTestTestfile.cmake" <<END
add_test(passes true)
add_test($1 sh -c "cat output; exit $2")
set_tests_properties($1 PROPERTIES SKIP_RETURN_CODE 77)
END
}

# wants CODE CI NAME PATTERN: the exit code of scripts/ctest with CI set to this, and what it says.
wants() {
    CI=$2 COUNTS=$WORK/counts "$LOPE_SOURCE/scripts/ctest" "$3" >"$3/log" 2>&1 && code=0 || code=1
    [ "$code" = "$1" ] || { fail "exit $code of $3 with CI='$2'"; cat "$3/log"; }
    tail -3 "$3/log" | grep -Eq "$4" || fail "no '$4' of $3"
}

project whole 0 'said in passing: nothing was skipped: all is well'
project by_code 77 'no such program'
project by_line 0 'one
skipped: no such file'
project by_cmocka 0 '[  PASSED  ] 3 test(s).
[  SKIPPED ] 1 test(s), listed below:'
project by_node 0 '# skipped 2'
project by_vitest 0 ' Tests  5 passed | 1 skipped (6)'
project broken 1 'an error'

wants 0 1 whole '^whole: 2 tests, 0 failed, 0 skipped$'
for name in by_code by_line by_cmocka by_node by_vitest; do
    wants 0 '' "$name" "^$name: 2 tests, 0 failed, 1 skipped$"
    wants 1 1 "$name" 'which is a failure where CI is set'
    grep -q "^  skipped, at least in part: $name\$" "$name/log" || fail "$name is not named"
done
wants 1 '' broken '^broken: 2 tests, 1 failed, 0 skipped$'
mkdir empty
: > empty/CTestTestfile.cmake
wants 1 '' empty 'No tests were found'
grep -q '^broken: 2 tests, 1 failed, 0 skipped$' counts || fail "the counts are not kept"
