# SPDX-License-Identifier: MIT
# Ctrl-C in the middle of work: exit 130, complete files only, old outputs intact.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
make_bvh walk.bvh 400 0.0083333
mkdir in
for i in 1 2 3 4 5 6 7 8; do cp walk.bvh in/$i.bvh; done

# interrupted UNTIL HOW COMMAND...: in the middle of its work, and the tool says so (see interrupt.py).
interrupted() {
    expect 130 python3 "$(dirname "$0")/interrupt.py" "$@"
    grep -q interrupted err || fail "no message: $(cat err)"
}

# Many files: some are written, and each of these is complete.
interrupted out_folder/1.bvh once "$LOPE" convert in --to bvh -j 1 -o out_folder
done_files=$(find out_folder -name '*.bvh' | wc -l)
[ "$done_files" -ge 1 ] && [ "$done_files" -lt 8 ] || fail "$done_files of 8 files were written"
for file in out_folder/*.bvh; do
    expect 0 "$LOPE" info "$file"
    prints '400 frames'
done

# One file from many: nothing is written, what was there stays.
echo old >all.lope
interrupted 1 once "$LOPE" convert in -j 1 -o all.lope
[ "$(cat all.lope)" = old ] || fail "an interrupted conversion replaced its output"

# A tool that cannot go on ends all the same, at the second signal at once and after one by itself.
for how in stuck twice; do
    echo old >one.glb
    interrupted 0 $how "$LOPE" convert in -j 1 -o one.glb
    [ "$(cat one.glb)" = old ] || fail "an interrupted conversion replaced its output"
done

# One file that takes long: the tool takes back what it had begun to write.
awk '/^Frames:/ { print "Frames: 400000"; next } !/^[0-9]/ { print; next }
     { line[n++] = $0 } END { for (i = 0; i < 400000; i++) print line[i % n] }' walk.bvh >long.bvh
interrupted copy.bvh.part twice "$LOPE" convert long.bvh -o copy.bvh
[ ! -e copy.bvh ] || fail "an interrupted conversion wrote its output"
no_partial_files

# A benchmark that is stopped while it waits for a build shows what it has, and leaves nothing behind.
mkdir tmp nobody
export TMPDIR="$WORK/tmp"
interrupted 'tmp/*/library.0/built' once "$LOPE" bench captures --data nobody --subjects built-in --only builds
prints '^built-in +0 +-'
[ -z "$(ls tmp)" ] || fail "files are left: $(ls tmp)"
