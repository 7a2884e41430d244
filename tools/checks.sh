# Sourced by ./test: runs checks one after the other, whatever fails, and reports at the end.
#
#   check NAME COMMAND…  runs a command, and notes how long it took and whether it failed
#   missing WHAT         notes that something cannot be tested here
#   report               prints what was noted, and exits

began=$(date +%s)
checks=
failed=
untested=

check() {
    name=$1
    shift
    since=$(date +%s)
    result=passed
    "$@" || {
        result=FAILED
        failed="$failed $name,"
    }
    checks="$checks$(printf '%-12s %-6s %5s s' "$name" "$result" $(($(date +%s) - since)))
"
}

missing() {
    untested="$untested $1,"
}

report() {
    printf '\n%s' "$checks"
    echo "./test $tier: $(($(date +%s) - began)) s"
    [ -z "$untested" ] || echo "Not tested:${untested%,}; above is how to get it." >&2
    if [ "$failed" ]; then
        echo "Failed:${failed%,}" >&2
        exit 1
    fi
    if [ "$untested" ] && [ "$tier" = all ]; then exit 1; fi
    exit 0
}
