#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# paging.sh - models across a memory limit: with swap the curve has a cliff, without it the program is killed for memory. A
# cgroup of 64 MiB and a swap file are made for it, and taken away again; it needs root. TAP.
#
# usage: paging.sh BUILD-FOLDER
set -u
foretime=$1/foretime
walk=$1/test/fault/child-walk
export FORETIME_HELPER=$1/foretime-helper
limit_mib=64
count=0
failed=0
ok() { # STATUS NAME
	count=$((count + 1))
	[ "$1" = 0 ] || failed=$((failed + 1))
	echo "$([ "$1" = 0 ] || echo 'not ')ok $count - $2"
}
skip_all() { # REASON
	echo "ok 1 - paging # SKIP $1"
	echo 1..1
	exit 0
}

dir=
group=
swap=
clean_up() {
	# shellcheck disable=SC2317 # called by the trap
	{
		[ -z "$swap" ] || swapoff "$swap"
		for _ in $(seq 50); do
			if [ -z "$group" ] || [ ! -d "$group" ] || rmdir "$group" 2>/dev/null; then
				break
			fi
			sleep 0.1
		done
		[ -z "$dir" ] || rm -rf "$dir"
	}
}
trap clean_up EXIT
trap 'exit 1' INT TERM

[ -n "${FORETIME_TEST_LONG:-}" ] || skip_all 'it takes half a minute: ./check --full runs it'
[ "$(id -u)" = 0 ] || skip_all 'root is needed for a memory cgroup and for swap'
for tool in mkswap swapon swapoff; do
	command -v $tool > /dev/null || skip_all "no $tool: install util-linux and mount"
done
dir=$(mktemp -d)
if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
	version=1 group=/sys/fs/cgroup/memory/foretime-test-$$
	limit=memory.limit_in_bytes no_swap=memory.memsw.limit_in_bytes no_swap_value=${limit_mib}M
elif grep -qw memory /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
	version=2 group=/sys/fs/cgroup/foretime-test-$$
	limit=memory.max no_swap=memory.swap.max no_swap_value=0
else
	skip_all 'no memory cgroup can be made: the controller is not there, or not handed down'
fi
mkdir "$group" 2>/dev/null || { group= && skip_all 'no cgroup can be made here'; }
{ echo ${limit_mib}M > "$group/$limit"; } 2>/dev/null || skip_all "the cgroup takes no $limit"
echo "# cgroups version $version"

# Run a command in the cgroup; its standard input is none.
inside() {
	bash -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$group" "$@" < /dev/null
}
inside true || skip_all 'no process can be put into the cgroup'

export FORETIME_STORE=$dir/store.db
number() { # KEY: of a JSON object on standard input, the first number or null
	sed -n 's/^ *"'"$1"'": \([-+.e0-9null]*\),\{0,1\}$/\1/p' | head -n 1
}

beyond() { # N: how many runs of 'dies' there are at N and beyond
	"$foretime" export dies --csv | awk -F, -v n="$1" '/^#/ { next } !at { for (at = 1; $at != "n"; at++); next } $at >= n { runs++ }
		END { print runs + 0 }'
}

# Without swap: killed for memory.
if { echo $no_swap_value > "$group/$no_swap"; } 2>/dev/null || [ "$(wc -l < /proc/swaps)" = 1 ]; then
	inside "$foretime" build dies n=4096:131072:1024 --budget 10s --json -- "$walk" '{n}' > "$dir/dies.json" 2> "$dir/dies.log"
	ok $? 'without swap: a build across the limit'
	killed=$(number killed < "$dir/dies.json")
	grep -q '"outcome": "out of memory"' "$dir/dies.json"
	ok $? 'the program is killed for memory, and reported as that'
	awk -v k="$killed" 'BEGIN { exit !(k > 40 * 1024 && k <= 131072) }'
	ok $? "at n=$killed"
	largest=$("$foretime" largest dies time=1h --json 2>/dev/null | number largest)
	awk -v n="$largest" -v k="$killed" 'BEGIN { exit !(n < k && n > 20 * 1024) }'
	ok $? "no size from there on fits: the largest is $largest"
	"$foretime" show dies | grep -q "^killed for memory at n=$killed"
	ok $? 'and show says so'
	points=$(number points < "$dir/dies.json")
	awk -v n="$points" 'BEGIN { exit !(n >= 4) }'
	ok $? "the sweep goes on: $points sizes are known"
	before=$(beyond "$killed")
	inside "$foretime" build dies n=4100:131072:1024 --budget 5s > /dev/null 2>&1
	[ "$before" -ge 1 ] && [ "$(beyond "$killed")" = "$before" ]
	ok $? 'a continued build does not run there again'
	inside "$foretime" build fits n=256:auto:256 --budget 40s --limit 5 --json -- "$walk" '{n}' > "$dir/fits.json" 2> "$dir/fits.log"
	ok $? 'n=256:auto'
	most=$(number most < "$dir/fits.json")
	awk -v n="$most" 'BEGIN { exit !(n > 20 * 1024 && n < 64 * 1024) }'
	ok $? "finds the end by the law of its memory: $most KiB of 64 MiB"
	[ "$(number killed < "$dir/fits.json")" = null ]
	ok $? 'and nothing is killed'
else
	echo "ok $((count += 1)) - without swap # SKIP there is other swap, and the cgroup cannot forbid it"
fi

# With swap: a cliff.
{ [ $version = 1 ] && echo -1 || echo max; } > "$group/$no_swap" 2>/dev/null
dd if=/dev/zero of="$dir/swap" bs=1M count=192 status=none && chmod 600 "$dir/swap" && mkswap "$dir/swap" > /dev/null
if swapon "$dir/swap" 2>/dev/null; then
	swap=$dir/swap
	inside "$foretime" build pages n=4096:131072:1024 --budget 20s --json -- "$walk" '{n}' > "$dir/pages.json" 2> "$dir/pages.log"
	ok $? 'with swap: a build across the limit'
	ratio=$("$foretime" predict pages n=24576 n=122880 --csv | awk -F, '/^[0-9]/ { t[$1] = $2 / $1 } END { print t[122880] / t[24576] }')
	awk -v r="$ratio" 'BEGIN { exit !(r >= 3) }'
	ok $? "the model has a cliff: beyond the limit an element takes $ratio times as long"
	[ "$(number killed < "$dir/pages.json")" = null ]
	ok $? 'and nothing is killed'
	largest=$("$foretime" largest pages time="$(awk 'BEGIN { print 0.05 }')s" --json 2>/dev/null | number largest)
	awk -v n="$largest" 'BEGIN { exit !(n > 4096 && n < 122880) }'
	ok $? "the largest size that takes 50 ms lies before it: $largest"
else
	echo "ok $((count += 1)) - with swap # SKIP swapon refuses a file here"
fi
[ $failed = 0 ] || tail -n 5 "$dir"/*.log | sed 's/^/# /'
echo "1..$count"
[ $failed = 0 ]
