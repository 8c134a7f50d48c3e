# SPDX-License-Identifier: MIT
# Captured clips through info, convert to GLB and back to BVH, as a user would do it with a folder. Every eighth clip by
# default; LOPE_EVERY=1 takes them all.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
[ -d "${LOPE_DATA:-}" ] || { echo "skipped: no captured clips"; exit 77; }
"$LOPE" info walk_normal >/dev/null || exit 1
"$LOPE" convert walk_normal -o probe.glb >/dev/null && "$LOPE" info probe.glb >/dev/null 2>&1 ||
    { echo "skipped: this build does not read GLB"; exit 77; }

mkdir in
n=0
for file in $(find "$LOPE_DATA/" -name '*.bvh' | sort); do
    n=$((n + 1))
    [ $(((n - 1) % ${LOPE_EVERY:-8})) -eq 0 ] && ln -s "$(readlink -f "$file")" in/
done
count=$(ls in | wc -l)
[ "$count" -gt 0 ] || { echo "skipped: no captured clips"; exit 77; }

expect 0 "$LOPE" convert in --to glb -o glb
prints "glb: $count of $count converted"
expect 0 "$LOPE" convert glb --to bvh -o bvh
prints "bvh: $count of $count converted"
# What is in a clip does not change on the way: frames, rate, length, joints, roles and height.
for folder in in glb bvh; do
    expect 0 "$LOPE" info $folder
    [ ! -s err ] || fail "info $folder is not quiet: $(head -3 err)"
    awk '{ print $1, $2, $3, $4, $5, $6, $7 }' out >table.$folder
    [ "$(wc -l <table.$folder)" -eq $((count + 1)) ] || fail "info $folder does not show $count clips"
done
diff table.in table.glb || fail "GLB files differ from the captures"
diff table.in table.bvh || fail "BVH files that went through GLB differ from the captures"
echo "$count of $n clips"
