# SPDX-License-Identifier: MIT
# Builds by 1, 2 and 4 processes under Open MPI are the same file, byte by byte; a failure of one stops all.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
has mpirun || exit 77

# Open MPI itself leaks a little; under ASan that would be the tool's exit code.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

together() {
    processes=$1
    shift
    mpirun --allow-run-as-root --oversubscribe -n "$processes" "$LOPE" "$@"
}

if together 2 build --mobility walk_normal -o none.lope 2>&1 | grep -q "built without MPI"; then
    echo "skipped: the tool was built without MPI"
    exit 77
fi
set -- walk_normal walk_slow turn_left_sharp turn_right_sharp walk_start walk_stop
expect 0 "$LOPE" build --mobility "$@" --steps 8 -j 2 -o one.lope
for processes in 1 2 4; do
    expect 0 together $processes build --mobility "$@" --steps 8 -o $processes.lope
    cmp -s one.lope $processes.lope || fail "$processes processes give another file"
    [ "$(grep -c '^poses' out)" -eq 1 ] || fail "$processes processes print $(grep -c '^poses' out) summaries"
    [ ! -e $processes.lope.stages ] || fail "stages are left"
done

# Kinds that are not shared are written and reported by one process, too.
expect 0 "$LOPE" build --rings walk_slow walk_normal walk_fast -o rings.lope
cp out report
for i in 1 2 3 4; do # processes that all write hit each other's lock now and then
    expect 0 together 4 build --rings walk_slow walk_normal walk_fast -o together.lope
    cmp -s rings.lope together.lope || fail "4 processes give other rings"
    cmp -s report out || fail "4 processes do not report what one does: $(cat out)"
done

# What fails for one fails for all, with one message.
expect 3 together 4 build --mobility nowhere -o failed.lope
[ "$(grep -c 'no such file' err)" -eq 1 ] || fail "not one message: $(grep 'no such' err)"
expect 3 together 2 build --mobility walk_start --threshold 0.00001 -o failed.lope
grep -q 'do not connect\|no state has' err || fail "no reason given"
[ ! -e failed.lope ] || fail "a failed build wrote its output"
