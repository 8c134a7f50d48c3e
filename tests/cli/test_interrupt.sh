# SPDX-License-Identifier: MIT
# Ctrl-C in the middle of much work: exit 130, complete files only, old outputs intact.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
make_bvh long.bvh 4000 0.0083333
mkdir in
for i in $(seq 100 219); do cp long.bvh in/$i.bvh; done

"$LOPE" convert in --to bvh -j 1 -o out_folder >out 2>err &
tool=$!
# Interrupt as soon as the work is under way, however slow the machine.
for i in $(seq 1 2000); do
    [ -n "$(find out_folder -name '*.bvh' 2>/dev/null | head -1)" ] && break
    sleep 0.01
done
kill -INT $tool
wait $tool
code=$?
done_files=$(find out_folder -name '*.bvh' | wc -l)
[ "$done_files" -lt 120 ] || { echo "skipped: the work was done before it could be interrupted"; exit 0; }
[ "$code" -eq 130 ] || fail "exit $code instead of 130"
grep -q interrupted err || fail "no message"
no_partial_files out_folder
for file in out_folder/*.bvh; do
    "$LOPE" info "$file" >/dev/null 2>&1 || fail "$file is not complete"
done

# One file from many: nothing is written, what was there stays.
echo old >all.lope
"$LOPE" convert in -j 1 -o all.lope >out 2>err &
tool=$!
sleep 0.2
kill -INT $tool
wait $tool
code=$?
if [ "$code" -eq 130 ]; then
    [ "$(cat all.lope)" = old ] || fail "an interrupted conversion replaced its output"
else
    [ "$code" -eq 0 ] || fail "exit $code"
fi

# One file that takes long: the tool ends within moments, and takes back what it had begun to write.
awk '/^Frames:/ { print "Frames: 1200000"; next } !/^[0-9]/ { print; next }
     { line[n++] = $0 } END { for (i = 0; i < 1200000; i++) print line[i % n] }' long.bvh >huge.bvh
echo old >huge.glb
"$LOPE" convert huge.bvh -o huge.glb >out 2>err &
tool=$!
sleep 1
kill -INT $tool && sleep 0.1 && kill -INT $tool 2>/dev/null
wait $tool
code=$?
if [ "$code" -eq 0 ]; then
    echo "skipped: the work was done before it could be interrupted"
else
    [ "$code" -eq 130 ] || fail "exit $code instead of 130"
    grep -q interrupted err || fail "no message"
    [ "$(cat huge.glb)" = old ] || fail "an interrupted conversion replaced its output"
fi
"$LOPE" convert huge.bvh -o copy.bvh >out 2>err &
tool=$!
for i in $(seq 1 2000); do
    [ -e copy.bvh.part ] && break
    sleep 0.01
done
kill -INT $tool && kill -INT $tool 2>/dev/null
wait $tool
no_partial_files
