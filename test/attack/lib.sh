# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh - the cage of an attack, and what attacks are made of. Read by tools/attack.

# ---- the cage ----

memory_max=$((1 << 30))
pids_max=400
cgroup=

# A cgroup for memory and processes; cgroup: its folders, none where it cannot be made.
make_cgroup() {
	local base=/sys/fs/cgroup name=ft-attack-$$ # foretime makes no group of its own below one of its own
	if [ -e $base/memory/memory.limit_in_bytes ]; then
		make_limits $base/memory/$name $memory_max memory.limit_in_bytes && make_limits $base/pids/$name $pids_max pids.max
	elif grep -qw memory $base/cgroup.subtree_control 2>/dev/null && grep -qw pids $base/cgroup.subtree_control; then
		make_limits $base/$name $memory_max memory.max $pids_max pids.max
	fi
}

# A folder of it, which stays only where all limits can be written.
make_limits() { # FOLDER (LIMIT FILE)...
	local folder=$1
	shift
	mkdir "$folder" 2>/dev/null || return 1
	while [ $# -gt 0 ]; do
		if ! { echo "$1" >"$folder/$2"; } 2>/dev/null; then
			rmdir "$folder"
			return 1
		fi
		shift 2
	done
	cgroup="$cgroup${cgroup:+ }$folder"
}

leave_cgroup() {
	local folder
	for folder in $cgroup; do
		for _ in $(seq 50); do
			rmdir "$folder" 2>/dev/null && break
			sleep 0.1
		done
	done
}

# The words before a command that give it namespaces of its own, where it is root and all ends with it.
find_unshare() {
	local words
	for words in "unshare --mount --pid --fork --mount-proc --kill-child" \
		"unshare --user --map-root-user --mount --pid --fork --mount-proc --kill-child"; do
		# shellcheck disable=SC2086 # words
		if $words true 2>/dev/null; then
			echo "$words"
			return 0
		fi
	done
	return 1
}

# Run a command in the cgroup, without core files.
caged() {
	# shellcheck disable=SC2016 # of the inner shell
	bash -c 'for folder in $0; do echo $$ >"$folder/cgroup.procs" || exit 2; done; ulimit -c 0; exec "$@"' "$cgroup" "$@"
}

# Inside: a folder of its own, 200 MB, that is gone with the namespace.
enter() { # BUILD NAME
	mount -t tmpfs -o size=200m attack "$FT_ATTACK_TOP" || exit 2
	build=$1
	# shellcheck disable=SC2034 # of the attacks
	source=$PWD
	dir=$FT_ATTACK_TOP
	ft=$build/foretime
	# shellcheck disable=SC2034 # of the attacks
	hostile=$build/test/measure/child-hostile
	export FORETIME_HELPER=$build/foretime-helper FORETIME_STORE=$dir/store.db HOME=$dir TMPDIR=$dir LC_ALL=C.UTF-8
	cd "$dir" || exit 2
}

# ---- what attacks are made of ----

fail() {
	echo "$*"
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

need_cgroup() {
	[ -n "$FT_ATTACK_CGROUP" ] || skip "no cgroup of memory and processes can be made here"
}

need() { # COMMAND...
	local command
	for command; do
		command -v "$command" >/dev/null || skip "no $command"
	done
}

# Run a command; its output is in out and err, its status in rc.
attempt() {
	"$@" >out 2>err </dev/null
	rc=$?
	grep -q -a 'ERROR: AddressSanitizer\|runtime error:' err && fail "a sanitizer's finding: $(grep -m1 -a 'ERROR\|runtime error' err)"
	return 0
}

# The same; a crash, or an end by a signal, fails. Not of `run`, whose status is that of its program.
try() {
	attempt "$@"
	[ $rc -lt 128 ] || fail "status $rc of: $*"
}

expect() { # STATUS COMMAND...
	local wanted=$1
	shift
	try "$@"
	[ $rc = "$wanted" ] || fail "status $rc, not $wanted, of: $*: $(tail -n 1 err)"
}

# A refusal: status 1 or 2, in words.
refused() {
	try "$@"
	[ $rc = 1 ] || [ $rc = 2 ] || fail "status $rc of: $*"
	[ -s err ] || fail "refused without a word: $*"
}

# Answered or refused in words: no crash, no hang.
survives() {
	try "$@"
	[ $rc -le 2 ] || [ $rc = 125 ] || fail "status $rc of: $*: $(tail -n 1 err)"
	[ $rc = 0 ] || [ -s err ] || [ -s out ] || fail "status $rc without a word: $*"
}

# Files hold no byte or character that steers a terminal.
is_clean() { # FILE...
	LC_ALL=C grep -q -a "$(printf '[\001-\010\013\014\016-\037\177]')" "$@" && fail "a control character is printed: $(head -c 200 "$@" | cat -v | tail -n 1)"
	LC_ALL=C grep -q -a -P '\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]' "$@" && fail "a C1 control or a change of direction is printed: $(LC_ALL=C grep -h -m1 -a -P '\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' "$@" | cat -v)"
	return 0
}

# Nothing whose command line matches is left, after a moment.
none_left() { # PATTERN
	for _ in $(seq 100); do
		pgrep -f "$1" >/dev/null || return 0
		sleep 0.1
	done
	fail "left running: $(pgrep -a -f "$1" | head -n 1)"
}

# A number of runs in the store.
runs() { # NAME
	"$ft" export "$1" --csv 2>/dev/null | grep -vc '^[#n]'
}

# The bytes of the store are a sound database, as SQLite itself judges: of a copy, for which there is room.
sound() { # [STORE]
	command -v python3 >/dev/null || return 0
	local store=${1:-$FORETIME_STORE} words
	words=$(mktemp -d) || return 0
	cp "$store" "$words/db"
	[ ! -e "$store-wal" ] || cp "$store-wal" "$words/db-wal"
	python3 - "$words/db" >"$words/words" 2>&1 <<'END' || fail "the store is damaged: $(tail -n 1 "$words/words")"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
wrong = [row[0] for row in db.execute("pragma integrity_check(3)") if row[0] != "ok"]
wrong += db.execute("pragma foreign_key_check").fetchall()[:3]
sys.exit(str(wrong) if wrong else 0)
END
	rm -rf "$words"
}

# SQL on a store behind foretime's back.
sql() { # STORE STATEMENT...
	need python3
	python3 - "$@" <<'END' || fail "SQL: ${*:2}"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("pragma writable_schema=1")
for line in sys.argv[2:]: db.executescript(line)
db.commit()
END
}

# A store of a program p with ten sizes.
make_store() { # [STORE]
	{
		echo '# work: n'
		echo n,wall_s
		for n in $(seq 10); do echo "$((100 * n)),0.$((10 + n))"; done
	} >made.csv
	expect 0 "$ft" build p n --replay made.csv --store "${1:-$FORETIME_STORE}"
}
