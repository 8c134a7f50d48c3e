# SPDX-License-Identifier: MIT
# Every kind of bad input: one clear message, a non-zero exit, nothing written, nothing lost.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
make_bvh good.bvh 10 0.0333333

# bad NAME PATTERN: the file bad/NAME.bvh is refused by every command that reads.
mkdir bad
bad() {
    file=bad/$1.bvh
    refuses 1 "^lope info: $file(:[0-9]+)*: .*$2" "$LOPE" info "$file"
    refuses 1 "^lope convert: $file" "$LOPE" convert "$file" -o never.glb
    refuses 1 "^lope convert: $file" "$LOPE" convert good.bvh "$file" -o never.lope
    refuses 1 "^lope grade: $file" "$LOPE" grade "$file"
    refuses 1 "^lope draw: $file" "$LOPE" draw "$file" -o never.svg
    [ -z "$(ls never* 2>/dev/null)" ] || fail "$1: something was written"
}
: >bad/empty.bvh
bad empty 'empty'
printf 'P6 640 480 255 \001\002\003' >bad/image.bvh
bad image '.'
printf 'HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 0.03\n0 0 0\n' >bad/rootless.bvh
bad rootless '[Rr][Oo][Oo][Tt]'
grep -v '^}' good.bvh >bad/braces.bvh
bad braces '.'
sed 's/^Frames: .*/Frames: -5/' good.bvh >bad/negative.bvh
bad negative '-5'
sed 's/^Frames: .*/Frames: 99999999999999999999/' good.bvh >bad/huge.bvh
bad huge '.'
sed 's/^Frames: .*/Frames: 2000000000/' good.bvh >bad/large.bvh
bad large '.'
sed 's/CHANNELS 6/CHANNELS -6/' good.bvh >bad/channels.bvh
bad channels '-6'
sed 's/CHANNELS 6/CHANNELS 6000000/' good.bvh >bad/manychannels.bvh
bad manychannels 'CHANNELS'
awk 'NR == FNR { n = FNR; next } FNR == n { sub(/ [^ ]+$/, "") } { print }' good.bvh good.bvh >bad/few.bvh
bad few '.'
awk 'NR == FNR { n = FNR; next } FNR == n - 3 { $0 = $0 " 1 2" } { print }' good.bvh good.bvh >bad/many.bvh
bad many '.'
for word in NaN inf 1e999 abc; do
    awk -v word=$word 'NR == FNR { n = FNR; next } FNR == n - 2 { $4 = word } { print }' good.bvh good.bvh >"bad/$word.bvh"
    bad $word '.'
done
sed 's/^Frame Time: .*/Frame Time: 0/' good.bvh >bad/still.bvh
bad still 'Frame Time'
sed 's/^Frame Time: .*/Frame Time: -0.1/' good.bvh >bad/backwards.bvh
bad backwards 'Frame Time'
awk '/^Frames:/ { print "Frames: 0"; next } /^Frame Time:/ { print; exit } { print }' good.bvh >bad/frameless.bvh
bad frameless '[Ff]rame'
sed 's/^Frame Time: .*/Frame Time: 0.000000001/' good.bvh >bad/flash.bvh
bad flash 'Frame Time: expected 0.0001 to 1000 seconds'
head -c 2000 good.bvh >cut && cp cut bad/cut.bvh
bad cut '.'
head -c 300 /dev/zero >bad/zeros.bvh
bad zeros '.'

# .lope files that are not.
"$LOPE" convert good.bvh -o good.lope >/dev/null || fail "the good clip does not convert"
mkdir sets
head -c 500 good.lope >sets/short.lope
{ head -c 700 good.lope; printf '\377\377'; tail -c +703 good.lope; } >sets/flipped.lope
cp good.bvh sets/foreign.lope
: >sets/none.lope
for set in short flipped foreign none; do
    refuses 1 "sets/$set\.lope" "$LOPE" info sets/$set.lope
    refuses 1 "sets/$set\.lope" "$LOPE" convert sets/$set.lope -o never.bvh
done

# Folders, skeletons, places.
mkdir -p hollow/inside
echo text >hollow/inside/readme.txt
for command in info grade; do
    refuses 3 'hollow' "$LOPE" $command hollow
done
refuses 3 'hollow' "$LOPE" convert hollow -o never.lope
make_bvh tall.bvh 10 0.0333333 50
refuses 1 "clips 'good' and 'tall' have different skeletons; --retarget" "$LOPE" convert good.bvh tall.bvh -o never.lope
refuses 1 "clips 'good' and 'tall' have different skeletons; --retarget" "$LOPE" convert good.bvh tall.bvh -o never.glb
expect 0 "$LOPE" convert good.bvh tall.bvh --retarget good.bvh -o both.lope
make_bvh fast.bvh 10 0.01
refuses 1 "clips 'good' and 'fast' have different frame rates; --fps" "$LOPE" convert good.bvh fast.bvh -o never.lope
expect 0 "$LOPE" convert good.bvh fast.bvh --fps 30 -o both.lope
refuses 3 "the folder 'no/such' does not exist" "$LOPE" convert good.bvh -o no/such/x.glb
refuses 3 "the folder 'no' does not exist" "$LOPE" convert good.bvh --to glb -o no/such
refuses 1 'is not a folder' "$LOPE" convert good.bvh -o good.bvh/x.glb
mkdir folder.glb
refuses 2 'is a folder' "$LOPE" convert good.bvh -o folder.glb
# Renaming would put a file in the place of what is not one.
mkfifo pipe.glb
refuses 1 'pipe.glb: cannot write: it is not a regular file' "$LOPE" convert good.bvh -o pipe.glb
[ -p pipe.glb ] || fail "the pipe is gone"
# Names that hold anything, and links that lead nowhere.
mkdir names
for name in 'a b' 'schön' '"q&<x>' "$(printf 'two\nlines')" -dash; do cp good.bvh "names/$name.bvh"; done
ln -s ../names names/again
ln -s nowhere names/gone.bvh
expect 0 "$LOPE" info names
[ "$(wc -l <out)" -eq 6 ] || fail "five clips do not make a table of six lines: $(cat out)"
expect 0 "$LOPE" convert names --to glb -o names_glb
[ "$(find names_glb -name '*.glb' -print0 | tr -dc '\0' | wc -c)" -eq 5 ] || fail "not every name was converted"
ln -s loop loop
refuses 1 'loop: Too many levels' "$LOPE" info loop
# Who cannot be graded is named.
printf 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 1\n' >lone.bvh
printf 'Frame Time: .1\n0 0 0' >>lone.bvh
expect 0 "$LOPE" info lone.bvh
prints '1 joint, root a'
refuses 1 '^lope grade: lone.bvh: ' "$LOPE" grade lone.bvh
chmod a-r tall.bvh
if [ "$(id -u)" -ne 0 ]; then
    refuses 1 'tall\.bvh.*ermission' "$LOPE" info tall.bvh
fi
chmod a+r tall.bvh

# No space left: the old output survives, no partial file stays.
cp good.lope kept.lope
for output in kept.lope kept.glb kept.bvh; do
    cp good.lope $output
    cp $output before
    (
        ulimit -f 1
        trap '' XFSZ
        exec "$LOPE" convert walk_normal -o $output >out 2>err
    )
    [ $? -eq 1 ] || fail "$output: a failed write goes unnoticed"
    grep -q "$output.*cannot write" err || fail "$output: no message about the failed write: $(cat err)"
    cmp -s $output before || fail "$output was harmed by a failed write"
done
no_partial_files
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    expect 1 "$LOPE" convert walk_normal -o small/x.glb
    says '[Nn]o space left'
    [ -z "$(ls small)" ] || fail "a full disk keeps a partial file"
    umount small
fi

# Somebody else is writing the output.
exec 4>busy.glb.part
flock 4
expect 1 "$LOPE" convert good.bvh -o busy.glb
says 'being written by someone else'
[ ! -e busy.glb ] || fail "written all the same"
[ -e busy.glb.part ] || fail "the other's partial file is gone"
exec 4>&-
rm busy.glb.part

# Somebody put a link in the way: what it leads to is not written to.
echo precious >victim
for kind in -s ''; do
    ln $kind victim linked.bvh.part
    expect 1 "$LOPE" convert walk_slow -o linked.bvh
    says 'linked\.bvh: cannot write: linked\.bvh\.part is a link'
    [ "$(cat victim)" = precious ] || fail "a link led the output elsewhere"
    rm linked.bvh.part
done
