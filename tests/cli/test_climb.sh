# SPDX-License-Identifier: MIT
# lope climb: reports, pictures, motions, partial plans, mistakes.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" climb climbing --panels -o climbing.svg -o climbing.bvh
prints '^climbing +arrives$'
prints '^changes of grasp +[0-9]+$'
grep -q '<svg' climbing.svg || fail "no picture"
expect 0 "$LOPE" info climbing.bvh
prints '21 of 21'
expect 0 "$LOPE" climb monkey_bars -o bars.glb --fps 30 --speed 2
[ -s bars.glb ] || fail "no GLB"

# Another character performs it, in its own measures.
expect 0 "$LOPE" climb walking --character climbing.bvh -o own.bvh
expect 0 "$LOPE" info own.bvh
prints '21 of 21'
expect 3 "$LOPE" climb walking --character nobody.bvh
expect 0 "$LOPE" climb climbing --character climbing.bvh --fit -o fitted.bvh

# The same plan for any number of threads.
for threads in 1 3; do
    expect 0 "$LOPE" climb crawling --threads $threads --json
    grep -v milliseconds out >plan.$threads
done
cmp -s plan.1 plan.3 || fail "threads change the plan"

cat >gap.json <<'END'
{"bounds": [[0, 0], [10, 4]], "place": 0.3,
 "obstacles": [{"box": [[0, 0], [4, 1]]}, {"box": [[7, 0], [10, 1]]}],
 "start": {"at": [1, 1]}, "goal": {"at": [8, 1]}}
END
expect 1 "$LOPE" climb gap.json -o gap.svg --budget 400
says 'no grasp within 1.1 m of'
grep -q 'does not arrive' gap.svg || fail "the picture of a partial plan does not say so"

# Ctrl-C: the best plan so far is written.
expect 130 python3 "$(dirname "$0")/interrupt.py" 1 once "$LOPE" climb gap.json -o stopped.svg --budget 100000000
says 'stopped after 0 of 1 sites'
grep -q 'does not arrive' stopped.svg || fail "an interrupted search leaves no picture"

# The published planner, its precursor, and going back to a frame.
expect 0 "$LOPE" climb walking --planner thesis --back-to 60 --then-seed 3
prints '^random neighbours +[1-9]'
expect 0 "$LOPE" climb walking --planner flight
expect 2 "$LOPE" climb walking --planner nobody
says 'must be contacts, thesis or flight'

# Plans are kept, opened and gone on from.
expect 0 "$LOPE" climb walking -o kept.lope
expect 0 "$LOPE" climb walking --back-to 60 -o on.lope
expect 0 "$LOPE" climb walking --open kept.lope --back-to 60 -o same.lope
cmp -s on.lope same.lope || fail "going on from a kept plan leads elsewhere"
expect 1 "$LOPE" climb crawling --open kept.lope
says 'kept.lope: the plan is of another world'
expect 1 "$LOPE" climb walking --open kept.lope -o kept.bvh
says 'made for another body'
expect 2 "$LOPE" climb walking --open kept.lope --fit
# Starts and goals in any mode, and as poses.
sed 's/"start": {[^}]*}/"start": {"at": [3, 1.4], "mode": "climb", "facing": "right"}/' "$(dirname "$(readlink -f "$0")")/../../scenes/climb/climbing.json" >hangs.json
expect 0 "$LOPE" climb hangs.json

# Surfaces, speeds, bodies.
expect 0 "$LOPE" climb terraces --sampled --speed 0:1,4:0.5
expect 2 "$LOPE" climb walking --speed 2:1,1:1
says "SECONDS:FACTOR,... in order of time, found '2:1,1:1'"
expect 0 "$LOPE" climb crawling --body one-armed -o one.bvh
expect 2 "$LOPE" climb walking --body centipede
says 'must be human, one-armed or gibbon'

expect 3 "$LOPE" climb climbin
says "did you mean 'climbing'"
expect 3 "$LOPE" climb nowhere.json
expect 2 "$LOPE" climb
expect 2 "$LOPE" climb walking -o walk.txt
says '-o writes OUT.svg.OUT.bvh.OUT.glb.OUT.lope, found .walk.txt'
expect 3 "$LOPE" climb walking -o no/such/folder/x.svg
printf '{"bounds": [[0, 0], [3, 3]],\n "obstacles": [{"polygon": [[0, 0], [1, 1]]}], "place": 1, "start": {"at": [0, 0]}, "goal": {"at": [1, 1]}}' >open.json
expect 1 "$LOPE" climb open.json
says 'open.json:2:16: .*is open'

expect 2 "$LOPE" climb ledge --without fly
says "takes modes .walk, climb, swing, crawl, sidle, sit., found .fly."
expect 1 "$LOPE" climb ledge --without sidle --budget 300
prints "^  sidling +0$"
