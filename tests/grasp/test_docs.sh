# SPDX-License-Identifier: MIT
# What docs/grasp-planner.md quotes of a source file stands there word for word. A quotation is a block indented by four
# spaces after a line <!-- quoted: FILE -->.
set -eu
page=$LOPE_SOURCE/docs/grasp-planner.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
    /^<!-- quoted: / { count++; file = $3; print file > (work "/" count ".file"); inside = 1; next }
    inside && /^    / { print substr($0, 5) > (work "/" count ".text"); begun = 1; next }
    inside && /^$/ { if (begun) print "" > (work "/" count ".text"); next }
    { inside = 0; begun = 0 }
    END { print count + 0 > (work "/count") }' "$page"
count=$(cat "$work/count")
[ "$count" -ge 4 ] || { echo "$page quotes $count pieces of code, expected 4 or more"; exit 1; }
flat() { sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$1" | tr '\n' '\001'; }
for i in $(seq "$count"); do
    file=$LOPE_SOURCE/$(cat "$work/$i.file")
    flat "$work/$i.text" >"$work/wanted"
    tr '\n' '\001' <"$file" | grep -qaF -- "$(cat "$work/wanted")" || {
        echo "$page: quotation $i is not in $file:"
        cat "$work/$i.text"
        exit 1
    }
done
