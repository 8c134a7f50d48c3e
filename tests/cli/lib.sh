# SPDX-License-Identifier: MIT
# What the tests of the tool share. LOPE is the tool; WORK an empty folder that is removed at the end.
set -u
LOPE=${LOPE:?the tool to test}
WORK=$(mktemp -d "${TMPDIR:-/tmp}/lope-cli-XXXXXX")
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE COMMAND...: runs it, output in $WORK/out and $WORK/err, and checks the exit code.
expect() {
    wanted=$1
    shift
    "$@" >"$WORK/out" 2>"$WORK/err"
    code=$?
    if [ "$code" -ne "$wanted" ]; then
        fail "exit $code instead of $wanted: $*"
        sed 's/^/    /' "$WORK/err" | head -5
    fi
}

# keep FILE: for other tests of this build; building takes long under sanitizers.
keep() {
    mkdir -p "$LOPE_BUILD/made" && cp "$1" "$LOPE_BUILD/made/$1.$$" && mv "$LOPE_BUILD/made/$1.$$" "$LOPE_BUILD/made/$1"
}

# made FILE OPTION...: the file as the tool builds it, which another test may have kept.
made() {
    file=$1
    shift
    if [ "$LOPE_BUILD/made/$file" -nt "$LOPE" ]; then
        cp "$LOPE_BUILD/made/$file" .
    else
        expect 0 "$LOPE" build "$@" -o "$file"
    fi
}

# says PATTERN: the last error output holds it (extended regular expression) and is at most two lines long.
says() {
    grep -Eq -- "$1" "$WORK/err" || { fail "no '$1' in the message:"; sed 's/^/    /' "$WORK/err"; }
    [ "$(wc -l <"$WORK/err")" -le 2 ] || { fail "more than one message:"; sed 's/^/    /' "$WORK/err"; }
}

# prints PATTERN: the last standard output holds it.
prints() {
    grep -Eq -- "$1" "$WORK/out" || { fail "no '$1' in the output:"; head -20 "$WORK/out" | sed 's/^/    /'; }
}

# refuses CODE PATTERN COMMAND...: a clear message, the exit code, and nothing on disk changes.
refuses() {
    wanted=$1 pattern=$2
    shift 2
    find . -type f ! -name out ! -name err -exec cksum {} + | sort >"${TMPDIR:-/tmp}/lope-before-$$"
    expect "$wanted" "$@"
    says "$pattern"
    find . -type f ! -name out ! -name err -exec cksum {} + | sort >"${TMPDIR:-/tmp}/lope-after-$$"
    cmp -s "${TMPDIR:-/tmp}/lope-before-$$" "${TMPDIR:-/tmp}/lope-after-$$" || fail "files changed: $*"
    rm -f "${TMPDIR:-/tmp}/lope-before-$$" "${TMPDIR:-/tmp}/lope-after-$$"
}

no_partial_files() {
    [ -z "$(find "${1:-.}" -name '*.part')" ] || fail "partial files are left: $(find "${1:-.}" -name '*.part')"
}

# A tiny BVH biped: make_bvh FILE FRAMES FRAME_TIME [THIGH]; centimetres, standing, walking along z.
make_bvh() {
    thigh=${4:-42}
    {
        cat <<END
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Head
    {
      OFFSET 0 40 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      End Site
      {
        OFFSET 0 20 0
      }
    }
  }
END
        for side in Left:9 Right:-9; do
            cat <<END
  JOINT ${side%:*}UpLeg
  {
    OFFSET ${side#*:} -5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT ${side%:*}Leg
    {
      OFFSET 0 -$thigh 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT ${side%:*}Foot
      {
        OFFSET 0 -41 0
        CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT ${side%:*}ToeBase
        {
          OFFSET 0 -6 13
          CHANNELS 3 Zrotation Yrotation Xrotation
          End Site
          {
            OFFSET 0 0 7
          }
        }
      }
    }
  }
END
        done
        printf '}\nMOTION\nFrames: %d\nFrame Time: %s\n' "$2" "$3"
        awk -v n="$2" 'BEGIN { for (f = 0; f < n; f++) { s = sin(f / 5) * 20
            printf "0 94 %.3f 0 0 0 0 0 0 0 0 0", f * 4
            printf " 0 0 %.3f 0 0 20 0 0 0 0 0 0 0 0 %.3f 0 0 20 0 0 0 0 0 0\n", s, -s } }'
    } >"$1"
}

finish() {
    no_partial_files
    [ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
    exit 0
}
