#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# killed.sh - `build` is killed with SIGKILL at 20 random moments and continued: no finished run is lost, nothing is left running, and
# the model on a replay is that of a build that was left alone. TAP.
#
# usage: killed.sh BUILD-FOLDER
set -u
foretime=$1/foretime
export FORETIME_HELPER=$1/foretime-helper
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
RANDOM=${FORETIME_TEST_SEED:-20260101}
count=0
failed=0
ok() { # STATUS NAME
	count=$((count + 1))
	[ "$1" = 0 ] || failed=$((failed + 1))
	echo "$([ "$1" = 0 ] || echo 'not ')ok $count - $2"
}
runs() { # STORE NAME: how many runs it has
	FORETIME_STORE=$1 "$foretime" export "$2" --csv 2>/dev/null | grep -vc '^[#n]'
}

# Start a command, kill it after some 5 to 5 + $1 milliseconds. 137: it was killed; 0: it was done before.
kill_after() { # MILLISECONDS COMMAND...
	local most=$1
	shift
	"$@" > /dev/null 2>&1 &
	local pid=$!
	sleep "$(awk -v r="$RANDOM" -v most="$most" 'BEGIN { print 0.005 + r / 32768 * most / 1000 }')"
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
}

# A replay: 255 sizes, 10 runs each, with a noise that is no function of anything.
awk 'BEGIN { srand(1); print "n,wall_s"
	for (k = 0; k < 10; k++) for (n = 16; n <= 4080; n += 16) printf "%d,%.9g\n", n, n ^ 3 / 1e9 / (n / (n + 150)) * (1 + 0.05 * rand()) }' > "$dir/sweep.csv"
replay=(build curve n --replay "$dir/sweep.csv" --work '2*n^3' --method naive --limit 255 --runs 10:10)
FORETIME_STORE=$dir/whole.db "$foretime" "${replay[@]}" > /dev/null
killed=0 lost=0 before=0
for _ in $(seq 20); do
	FORETIME_STORE=$dir/parts.db kill_after 40 "$foretime" "${replay[@]}"
	[ $? = 137 ] && killed=$((killed + 1))
	now=$(runs "$dir/parts.db" curve)
	[ "${now:-0}" -ge "$before" ] || lost=$((lost + 1))
	before=${now:-0}
done
FORETIME_STORE=$dir/parts.db "$foretime" "${replay[@]}" > /dev/null
echo "# killed $killed times of 20"
ok "$((killed < 5))" "builds were killed while they worked"
ok "$lost" "and never had fewer runs afterwards"
ok "$(($(runs "$dir/parts.db" curve) != 2550))" "each recorded run was taken once"
for n in 16:4080:7 5000; do
	FORETIME_STORE=$dir/whole.db "$foretime" predict curve n=$n --csv
done > "$dir/whole.csv"
for n in 16:4080:7 5000; do
	FORETIME_STORE=$dir/parts.db "$foretime" predict curve n=$n --csv
done > "$dir/parts.csv"
cmp -s "$dir/whole.csv" "$dir/parts.csv" && [ "$(wc -l < "$dir/whole.csv")" -gt 500 ]
ok $? "and the model is the same to the last digit"

# The adaptive builder goes on where it was: the same sizes, in the same order.
replay=(build chosen n --replay "$dir/sweep.csv" --work '2*n^3' --tolerance 0.5% --budget 600s)
FORETIME_STORE=$dir/whole.db "$foretime" "${replay[@]}" > /dev/null
killed=0
for _ in $(seq 20); do
	FORETIME_STORE=$dir/parts.db kill_after 40 "$foretime" "${replay[@]}"
	[ $? = 137 ] && killed=$((killed + 1))
done
FORETIME_STORE=$dir/parts.db "$foretime" "${replay[@]}" > /dev/null
for part in whole parts; do
	FORETIME_STORE=$dir/$part.db "$foretime" export chosen --csv | grep -v '^#' | cut -d, -f1-2 > "$dir/$part.csv"
done
echo "# killed $killed times of 20; $(wc -l < "$dir/whole.csv") lines"
ok "$((killed < 3))" "builds that choose their sizes were killed"
cmp -s "$dir/whole.csv" "$dir/parts.csv" && [ "$(wc -l < "$dir/whole.csv")" -gt 20 ]
ok $? "and chose the same ones in the same order"

# A program that writes a line when it is done: every line but the last of a killed build is a stored run.
cat > "$dir/program" <<'END'
#!/bin/sh
sleep 0.002
echo "$1" >> "${0%/*}/log"
END
chmod +x "$dir/program"
killed=0 most=150
: > "$dir/log"
for _ in $(seq 20); do
	FORETIME_STORE=$dir/live.db kill_after $most "$foretime" build live n=1:1000 --method naive --limit 100 -- "$dir/program" '{n}'
	[ $? = 137 ] && killed=$((killed + 1))
	# Where nothing is stored yet the machine is busy, or sanitizers are slow.
	[ "$(runs "$dir/live.db" live)" != 0 ] || most=$((most * 2))
done
stored=$(runs "$dir/live.db" live) done=$(wc -l < "$dir/log")
echo "# killed $killed times of 20; $done runs finished, $stored stored"
ok "$((killed < 15))" "builds of a live program were killed"
ok "$((stored + killed < done || stored == 0))" "every finished run was stored, but for the one in the air"
left=0
for _ in $(seq 100); do
	pgrep -f "$dir/program" > /dev/null
	left=$(($? == 0))
	[ $left = 0 ] && break
	sleep 0.1
done
ok $left "nothing is left running"
echo "1..$count"
[ $failed = 0 ]
