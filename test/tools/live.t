#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The live bench: its arithmetic on rows of which the figures are known, a brief run of two programs, one that
# fails, wrong use, and what is left when it is interrupted. No figure that was measured here is judged. TAP.
#
# usage: live.t BUILD-FOLDER
set -u
build=$1
live=$FORETIME_TEST_SOURCE/bench/live/live
if ! command -v jq >/dev/null || [ ! -r "/proc/$$/task/$$/children" ]; then
	echo "1..0 # SKIP no jq, or a kernel that does not list children"
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source=test/tools/tap.sh
. "$FORETIME_TEST_SOURCE/test/tools/tap.sh"

# row FILE TEXT...: the file has a line with these cells, and no others.
row() {
	file=$1
	line='|'
	shift
	for cell in "$@"; do
		line="$line $cell |"
	done
	grep -qxF -e "$line" "$file" && return
	sed 's/^/# /' "$file" >&2
	return 1
}

# refuses TEXT COMMAND...: as wrong use, with this text.
refuses() {
	expected=$1
	shift
	output=$("$@" 2>&1)
	[ $? -eq 2 ] && case $output in *"$expected"*) ;; *) return 1 ;; esac
}

# children PID: those of a process, and theirs.
children() {
	tr ' ' '\n' <"/proc/$1/task/$1/children" | while read -r child; do
		echo "$child"
		children "$child"
	done
}

# have_ended PIDS: all of them; what a build had started does so a moment after it.
have_ended() {
	for process in $1; do
		for _ in $(seq 50); do
			kill -0 "$process" || break
			sleep 0.1
		done
		! kill -0 "$process" || return 1
	done
}

# Two sizes: foretold 1.1 and 2 times the median of three runs, five of six runs inside; one that was not answered.
printf '%s\n' 'machine|a processor|load 0 before' 'setting|2026-01-01|20s|2|3|1' \
	'skip|xz|not found (Debian: xz-utils)' 'build|gzip|4|now|12|9|20.25|19|tolerance|3' \
	'size|gzip|4|now|100|1.1|0.05|0.8|1.6|interpolated|1.02' \
	'run|gzip|4|100|1|1' 'run|gzip|4|100|0.9|1' 'run|gzip|4|100|1.8|1' \
	'size|gzip|4|now|1000|20|0.15|5|20|interpolated|4.9' \
	'run|gzip|4|1000|10|5' 'run|gzip|4|1000|10|5' 'run|gzip|4|1000|12|5' \
	'note|cc|4|now|predict n=7: no model' 'size|cc|4|now|7|-|-|-|-|-|-' 'run|cc|4|7|1|1' 'run|cc|4|7|2|1' \
	'dgemm|4|now|50|40|3|5|tolerance|0.75' | tr '|' '\t' >raw
"$live" --table raw >table.md 2>&1
ok "table: the medians of a program's sizes" \
	row table.md gzip 4 now 12 9 20.2 tolerance 10.0 55.0 3.00 83.3 2.0 1.60 '3.0, 1.5'
ok "table: what is not answered holds no run" row table.md cc 4 now - - - - - - - 0.0 - 2.00 '-, 1.5'
ok "table: the medians of the programs" \
	row table.md '**median of 2**' 4 now 12 9 20.2 '-' 10.0 55.0 3.00 62.5 2.0 1.80 '3.0, 1.5'
ok "table: dgemm by one run at the end" row table.md 4 now 50 40 3.0 0.75 4.0 5 tolerance
ok "table: what was skipped" row table.md xz 'skipped: not found (Debian: xz-utils)'
ok "table: what went wrong" grep -qxF -e '- cc, 4 loops, now: predict n=7: no model' table.md

# A program whose command fails on this path alone.
mkdir bin
printf '#!/bin/sh\necho "no threads today" >&2\nexit 3\n' >bin/gzip
chmod +x bin/gzip
PATH=$work/bin:$PATH "$live" --build "$build" --brief --programs sort,naps,gzip --loads 0 --part live \
	--raw brief.raw >brief.md 2>brief.err
ok "brief: ends well" [ $? -eq 0 ]
ok "brief: names the sizes, the runs, the seed" \
	grep -q '^....-..-..: budget 1s, 2 sizes .*, 2 runs at each, seed 1\.$' brief.md
ok "brief: names the machine" grep -q '^Machine: .* cores, .*; load [0-9.]* before\.$' brief.md
for name in sort naps; do
	ok "brief: $name has all its figures" \
		grep -qE "^\| $name \| 0 \| now (\| [0-9.]+ ){3}\| [a-z]+ (\| [0-9.]+ ){6}\| [0-9.]+, [0-9.]+ \|\$" \
		brief.md
done
ok "brief: their medians" grep -qE '^\| \*\*median of 2\*\* \| 0 \| now \| [0-9]+ ' brief.md
ok "brief: a program that fails is skipped, with what it says" \
	grep -q '^| gzip | skipped: .*no threads today.*(Debian: gzip) |$' brief.md
"$live" --table brief.raw >again.md
ok "brief: what was kept gives the same table" cmp brief.md again.md
ok "sizes: none of them was measured" [ "$(cut -f 1,10 brief.raw | grep -c '^size.*measured')" -eq 0 ]

ok "wrong use: an unknown program" refuses "no program 'magic'" "$live" --build "$build" --programs magic
ok "wrong use: an unknown option" refuses "what is '--magic'" "$live" --magic 1
ok "wrong use: no command" refuses "build it first" "$live" --foretime "$work/foretime"

# The loops end with the bench, at once: also while it waits for a build.
for apart in '' --apart; do
	"$live" --build "$build" --programs naps --loads 3 --budget 60s --part live $apart >/dev/null 2>stopped.err &
	bench=$!
	there=
	while kill -0 $bench && ! { grep -q 'naps, 3 loops' stopped.err && [ "$(echo "$there" | wc -w)" -ge 5 ]; }; do
		sleep 0.1
		there=$(children $bench)
	done 2>/dev/null
	ok "interrupted${apart:+, apart}: loops and a build were there" [ "$(echo "$there" | wc -w)" -ge 5 ]
	kill -TERM $bench
	wait $bench
	ok "interrupted${apart:+, apart}: it says so" [ $? -eq 130 ]
	ok "interrupted${apart:+, apart}: nothing is left" have_ended "$there"
done

tap_done
