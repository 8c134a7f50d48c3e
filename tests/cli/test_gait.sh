# SPDX-License-Identifier: MIT
# `lope build --rings` and `lope gait`: rings from samples and clips, walks in all formats, bad input with its message.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" build --rings -o gait.lope
prints 'walk +43 +43'
expect 0 "$LOPE" build --rings --json walk_slow walk_normal walk_fast stairs_up idle -o some.lope
prints '"name": "walk"'
expect 0 "$LOPE" build --rings walk_slow walk_normal walk_fast idle --keep-clips kept.lope -o some.lope
expect 0 "$LOPE" info kept.lope
prints 'walk_normal'
expect 0 "$LOPE" build --rings --keep-clips kept.lope -o some.lope
expect 0 "$LOPE" info kept.lope
prints 'stand_ahead'
refuses 2 '--keep-clips goes with --rings' "$LOPE" build --mobility --keep-clips kept.lope -o x.lope
expect 1 "$LOPE" gait gait.lope --scene stairs --seconds 6 -o stairs.svg
prints 'strikes'
says 'did not arrive: [0-9.]+ m are left after 6.0 s; --seconds gives it longer'
grep -q '<svg' stairs.svg || fail "no picture"
expect 0 "$LOPE" gait gait.lope --to '0,3 2,4' -o way.bvh
prints 'arrived, 0\.[0-9]+ m from the end of the way'
expect 0 "$LOPE" info way.bvh
expect 0 "$LOPE" gait gait.lope --to '0,3 2,4' -o again.bvh
cmp -s way.bvh again.bvh || fail "not the same twice"
printf '0 stand\n1 walk 0 0.6 # off we go\n4 run 45 1.1\n7 stand\n' >stick
expect 0 "$LOPE" gait gait.lope --script stick --json -o stick.glb
prints '"strikes": [1-9]'
expect 0 "$LOPE" gait --combined --no-ik --seconds 3 -o straight.bvh
# What does not arrive says so, in words and in the exit code.
expect 1 "$LOPE" gait gait.lope --scene cliff --seconds 20 -o cliff.bvh
prints 'no place for the next foot'
says 'did not arrive: .*it found no place for the next foot'
expect 1 "$LOPE" gait gait.lope --scene cliff --seconds 20 --json -o cliff.bvh
prints '"arrived": false'
expect 1 "$LOPE" gait gait.lope --scene cliff --seconds 300 --json -o cliff.bvh
prints '"stuck": true'
says 'cannot go on: [0-9.]+ m are left after [0-9]{2}\.[0-9] s; it found no place for the next foot'
expect 0 "$LOPE" gait gait.lope --scene course --json -o course.bvh
prints '"arrived": true'

refuses 2 'where to' "$LOPE" gait gait.lope
refuses 2 '-o writes OUT.bvh.OUT.glb.OUT.svg, found' "$LOPE" gait gait.lope -o x.txt
refuses 2 'not both' "$LOPE" gait gait.lope --to 1,1 --script stick -o x.bvh
refuses 2 "found 'nan'" "$LOPE" gait gait.lope --to nan -o x.bvh
refuses 3 'no such file' "$LOPE" gait gait.lope --script nothing -o x.bvh
refuses 3 'does not exist' "$LOPE" gait gait.lope -o nowhere/x.bvh
expect 3 "$LOPE" gait gait.lope --scene nowhere -o x.bvh
expect 3 "$LOPE" gait nothing.lope -o x.bvh
expect 1 "$LOPE" gait stick -o x.bvh
printf '0 stand\n1 fly 0 1\n' >bad
refuses 1 'bad:2: expected SECONDS' "$LOPE" gait gait.lope --script bad -o x.bvh
refuses 3 'nothing to walk or run with' "$LOPE" build --rings --pure sit_down -o x.lope
refuses 2 'at a time' "$LOPE" build --rings --mobility -o x.lope
# Every option works, with built-in samples and with clips, or is refused.
for way in --fitted '--dissimilarity 0.3' --straight '--published kriging,samples'; do
    # shellcheck disable=SC2086
    expect 0 "$LOPE" build --rings $way -o way.lope
    [ "$way" = --fitted ] || differ way.lope gait.lope "$way changes nothing"
done
expect 0 "$LOPE" build --rings --straight --fitted walk_slow walk_normal veer_left idle -o some.lope
prints 'covered by the samples'
expect 0 "$LOPE" build --rings --straight -o straight.lope
prints 'walk +15 +15'
expect 0 "$LOPE" gait straight.lope --combined --to 0,3 -o x.bvh
refuses 2 "--published takes all, loops, .*found 'ease'" "$LOPE" build --rings --published ease -o x.lope
refuses 2 "--published takes all, search, ease, correction, found 'loops'" "$LOPE" gait --published loops -o x.bvh
refuses 2 'go with --rings' "$LOPE" build --mobility --straight -o x.lope
expect 0 "$LOPE" gait gait.lope --published all --to 0,3 -o x.bvh
prints 'arrived'
# Motions of one's own, and ground from any mesh.
expect 0 "$LOPE" build --rings --pure side_step_left crawl walk_slow walk_normal idle \
    --own 'aside=side_*,crawl=crawl' -o own.lope
prints 'crawl +1 +1'
expect 0 "$LOPE" gait own.lope --play crawl --seconds 4 -o x.bvh
printf '0 aside 90 0.2\n3 stand\n' >stick
expect 0 "$LOPE" gait own.lope --script stick --json -o x.bvh
prints '"strikes": [1-9]'
refuses 2 "none that is named 'fly'" "$LOPE" gait own.lope --play fly -o x.bvh
refuses 2 "no clip is named 'fly'" "$LOPE" build --rings walk_slow --own a=fly -o x.lope
refuses 2 'NAME=CLIPS' "$LOPE" build --rings walk_slow --own crawl -o x.lope
printf 'v -2 0 0\nv 2 0 0\nv 2 0 6\nv -2 0 6\nf 1 4 3 2\n' >ground.obj
expect 0 "$LOPE" gait gait.lope --scene ground.obj -o x.bvh
prints 'arrived'
printf 'v -2 0 zero\n' >bad.obj
refuses 1 'bad.obj:1' "$LOPE" gait gait.lope --scene bad.obj -o x.bvh
no_partial_files
