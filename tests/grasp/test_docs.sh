# SPDX-License-Identifier: MIT
# What docs/grasp-planner.md quotes of a source file stands there word for word. A quotation is a block indented by four
# spaces after a line <!-- quoted: FILE -->.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
page=$LOPE_SOURCE/docs/grasp-planner.md
awk '
    /^<!-- quoted: / { count++; file = $3; print file > (count ".file"); inside = 1; next }
    inside && /^    / { print substr($0, 5) > (count ".text"); begun = 1; next }
    inside && /^$/ { if (begun) print "" > (count ".text"); next }
    { inside = 0; begun = 0 }
    END { print count + 0 > "count" }' "$page"
count=$(cat count)
[ "$count" -ge 4 ] || { echo "$page quotes $count pieces of code, expected 4 or more"; exit 1; }
flat() { sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$1" | tr '\n' '\001'; }
for i in $(seq "$count"); do
    file=$LOPE_SOURCE/$(cat "$i.file")
    [ -s "$i.text" ] || { echo "$page: quotation $i is empty"; exit 1; }
    flat "$i.text" >wanted
    tr '\n' '\001' <"$file" | grep -qaF -- "$(cat wanted)" || {
        echo "$page: quotation $i is not in $file:"
        cat "$i.text"
        exit 1
    }
done
