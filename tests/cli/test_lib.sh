# SPDX-License-Identifier: MIT
# The tests of the tests: whatever goes wrong in a script makes it fail, and every script fails where what it tests is broken.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
tests=$LOPE_SOURCE/tests

# ends CODE LINE...: a test of these lines ends so.
ends() {
    wanted=$1
    shift
    { echo ". '$tests/cli/lib.sh'"; printf '%s\n' "$@"; } >script.sh
    sh script.sh >out 2>&1
    code=$?
    [ "$code" -eq "$wanted" ] || fail "exit $code instead of $wanted of a test: $* ($(cat out))"
}
ends 0 'expect 0 true' 'expect 3 sh -c "exit 3"' 'false'
ends 0 'expect 0 echo word' 'prints wor' 'refuses 1 "sh: no" sh -c "echo sh: no >&2; exit 1"'
ends 77 'exit 77'
ends 1 'fail "a check"' 'exit 77'
ends 1 'expect 0 false'
ends 1 'expect 1 true' 'expect 0 true'
ends 1 'expect 0 echo word' 'prints sword'
ends 1 'expect 0 echo word' 'says word'
ends 1 'refuses 1 word sh -c "echo word >&2"'
ends 1 'refuses 1 sword sh -c "echo word >&2; exit 1"'
ends 1 'refuses 1 word sh -c "echo word >&2; touch new; exit 1"'
ends 1 'refuses 1 word sh -c "echo word >&2; echo 2 >&2; echo 3 >&2; exit 1"'
ends 0 'echo a >a; echo b >b' 'differ a b "the same"' 'lacks b a "there"'
ends 1 'echo a >a' 'differ a a "the same"'
ends 1 'echo a >a' 'differ a b "not there"'
ends 1 'echo a >a' 'lacks A a "there"'
ends 1 'lacks a a "not there"'
ends 1 '(fail "in a subshell")'
ends 1 'echo | while read -r line; do fail "in a pipe"; done'
ends 1 'exit 0'
ends 1 'exit 5'
ends 1 'echo $nobody_set_this'
ends 1 'if'
ends 1 '. ./not_there.sh'
ends 1 'set -e' 'false'
ends 1 'END_AT_FAILURE=yes' 'fail "a check"' 'echo went on'
! grep -q '^went on' out || fail "a failure did not end a test that should end at it"
ends 1 'touch here.part'
ends 1 'mkdir folder && cd folder && touch here.part'

# Worlds in which everything is broken: all programs fail, or succeed and say nothing.
for world in broken silent; do
    mkdir -p $world/source/scripts $world/source/studio/node_modules/.bin $world/bin $world/build
    [ $world = broken ] && line='exit 3' || line='exit 0'
    printf '#!/bin/sh\n%s\n' "$line" >$world/bin/lope
    chmod +x $world/bin/lope
    for name in cc c++ cmake node nm objdump pkg-config mpirun curl python3 chromium rsvg-convert; do
        cp $world/bin/lope $world/bin/$name
    done
    cp $world/bin/lope $world/source/studio/node_modules/.bin/tsc
    cp $world/bin/lope $world/source/studio/node_modules/.bin/vitest
    printf '#!/bin/sh\nexit 0\n' >$world/source/scripts/studio
    chmod +x $world/source/scripts/studio
    cp $world/source/scripts/studio $world/bin/npm
    for name in examples scenes tests README.md; do ln -s "$LOPE_SOURCE/$name" $world/source/; done
    cp -r "$LOPE_SOURCE/studio/tests" $world/source/studio/
    cp -r "$LOPE_SOURCE/include" $world/source/
    printf '%s\n' 'LOPE_API void lope_nobody_destroy(void *nobody);' '} lope_nobody_def;' >>$world/source/include/lope/lope.h
    mkdir $world/source/docs
    sed 's/^    \(.*[a-z].*\)/    \1 and more/' "$LOPE_SOURCE/docs/grasp-planner.md" >$world/source/docs/grasp-planner.md
done

mkdir captured
make_bvh captured/walk.bvh 10 0.0333333

# breaks WORLD SCRIPT: it fails there, and not by being skipped.
breaks() {
    mkdir "$1.node"
    (
        PATH=$WORK/$1/bin:$PATH LOPE=$WORK/$1/bin/lope LOPE_SOURCE=$WORK/$1/source LOPE_BUILD=$WORK/$1/build
        export PATH LOPE LOPE_SOURCE LOPE_BUILD LOPE_DATA="$WORK/captured"
        unset CHROMIUM
        [ "$1" = broken ] || export END_AT_FAILURE=yes # one run of every script to its end is enough
        sh "$2" "$LOPE" "$WORK/$1.node" >out 2>&1
    )
    code=$?
    rm -rf "$1.node"
    [ "$code" -ne 0 ] && [ "$code" -ne 77 ] || fail "$2 ends with exit code $code in a $1 world: $(tail -3 out)"
    ! grep -E ': [a-z_]+: not found$' out || fail "$2 calls what is not there"
}
count=0
for script in "$tests"/*/test_*.sh; do
    [ "$script" != "$tests/cli/test_lib.sh" ] || continue
    count=$((count + 1))
    breaks broken "$script"
    # Only where the tool is tested: where another program judges, silence may be right.
    ! grep -q '"\$LOPE"' "$script" || breaks silent "$script"
    # What would hide failures.
    grep -q '^\. "\$(dirname "\$(readlink -f "\$0")")/\(\.\./cli/\)\?lib.sh"$' "$script" || fail "$script does not read lib.sh"
    ! grep -nE '\btrap\b.*EXIT|\|\| true|\|\| :|(cmp|grep) .*&& fail' "$script" || fail "$script hides failures"
done
[ "$count" -ge 38 ] || fail "only $count scripts were found"
for source in "$tests"/*/test_*.c; do
    grep -q 'return .*cmocka_run_group_tests' "$source" || fail "$source does not end with the failures of its group"
done
