# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 1-programs.sh - programs that harm who measures them. Each runs with a tag, by which what is left is found.

# shellcheck disable=SC2016 # $ are for inner shells
# shellcheck disable=SC2154,SC2086 # ft, dir, hostile, rc: lib.sh

# Reports beyond any buffer: their sum, or that there is none, but no other figure.
attack_report_flood() {
	need jq
	for n in 25000 30000 400000; do
		expect 0 "$ft" run --json -o r.json -- bash -c 'awk "BEGIN { for (; i < '$n'; i++) print \"ft1 routine step 1 5000000 4000000 0\" }" >&$FORETIME_PROBE_FD'
		jq -e --argjson n $n '.resources[] | select(.resource == "wall_s")
			| .label == "unavailable" or (.value - $n * 0.005 | fabs) < 0.001 * $n * 0.005' r.json >/dev/null ||
			fail "$n reports of 5 ms are told as $(jq -c '.resources[] | select(.resource == "wall_s") | [.value, .label]' r.json)"
	done
}

attack_report_garbage() {
	need jq
	i=0
	for line in 'ft1 routine a 1 nan 1 1' 'ft1 routine a 1 -5 5 5' 'ft1 routine a 1 1e999 5 5' 'ft1 routine a 1 0x1p60 5 5' 'ft1 routine a 1 3e299 3e299 0' \
		'ft1 routine \033[31m 1 5 5 5' 'ft1 routine \302\233 1 5 5 5' 'ft1 routine a' 'ft1' 'ft9 routine a 1 5 5 5' '\000\000' 'ft1 routine a/b 1 5 5 5' 'ft1 routine a 0 5 5 5'; do
		expect 0 "$ft" run --json -o r.json -- bash -c 'printf "$1\n" >&$FORETIME_PROBE_FD' _ "$line"
		is_clean r.json
		jq -e '[.resources[] | select(.label != "unavailable") | .value | . >= 0 and . < 3.2e9 or . > 4096] | all' r.json >/dev/null ||
			fail "an absurd figure is kept: $line"
		jq -e '.resources[] | select(.resource == "wall_s") | .label == "unavailable" or .value < 60' r.json >/dev/null || fail "an absurd time is kept: $line"
		i=$((i + 1))
	done
}

attack_many_routines() {
	expect 0 "$ft" run --save r n=1 -o said -- bash -c 'for i in $(seq 20000); do echo "ft1 routine r$i 1 5 5 0"; done >&$FORETIME_PROBE_FD'
	expect 0 "$ft" list
	[ "$(wc -l <out)" -lt 300 ] || fail "$(wc -l <out) lines in the list"
	grep -q 256 said err || "$ft" run -- bash -c 'for i in $(seq 300); do echo "ft1 routine r$i 1 5 5 0"; done >&$FORETIME_PROBE_FD' 2>&1 | grep -q 256 ||
		fail "routines beyond 256 are dropped without a word"
}

# The helper's end: what the program left is ended too, and the run is told.
attack_parent_killer() {
	cat >killer <<'END'
#!/bin/bash
setsid sleep 7177 &
(trap '' TERM; setsid bash -c "trap '' TERM HUP INT; sleep 7177; :" &)
sleep 0.1
kill -KILL $PPID
sleep 0.5
END
	chmod +x killer
	attempt "$ft" run -- ./killer
	none_left 'sleep 7177'
	# A real run is the user's: it goes on to its end, and its daemons are not ours to end.
	echo 'touch ended' >>killer
	attempt timeout 30 "$ft" run --save k n=1 -- ./killer
	[ -e ended ] || fail "a real run was ended with the helper"
}

attack_parent_stopper() {
	expect 0 timeout 60 "$ft" run -- sh -c '(sleep 0.3; kill -CONT $PPID 2>/dev/null) & kill -STOP $PPID; sleep 0.5; wait'
}

attack_hostile_programs() {
	[ -x "$hostile" ] || skip "no child-hostile: build it"
	for words in 'exit 3' 'signal 11' 'binary' 'daemon' 'forks 3 3 1' 'comet 1' 'stop' 'close 0' 'orphan 2 2' 'annoy' 'halt 1' 'sparks 3 3 3' 'tree 2 2 2'; do
		# shellcheck disable=SC2086 # words
		attempt timeout 60 "$ft" run --timeout 2 -- "$hostile" ft-attack-tag $words
		[ $rc != 124 ] || [ "$(head -c 4 err)" ] || fail "no end of: $words"
		none_left ft-attack-tag
	done
	expect 124 "$ft" run --timeout 1 -- "$hostile" ft-attack-tag stubborn
	none_left ft-attack-tag
}

attack_output_flood() {
	try "$ft" build flood n=1:3 --budget 5s --timeout 2 -- sh -c 'yes | head -c 300000000; yes no 1>&2 | head -c 1'
	[ $rc -le 2 ] || fail "status $rc"
	[ "$(du -sm "$dir" | cut -f1)" -lt 50 ] || fail "what a program writes is kept: $(du -sm "$dir" | cut -f1) MB"
}

# A bomb ends with its time limit. In the cage there are as many processes as fill it.
attack_fork_bomb() {
	need_cgroup
	attempt timeout 90 "$ft" run --timeout 3 -- bash -c 'f() { f | f & }; f; sleep 100' ft-bomb
	none_left '[f]t-bomb'
	expect 0 "$ft" run -- true
}

attack_pid_hoppers() {
	need_cgroup
	cat >hop <<'END'
#!/bin/bash
# Always another process, in ever new sessions.
[ "$1" = 0 ] && exit
setsid "$0" $(($1 - 1)) &
END
	chmod +x hop
	attempt timeout 90 "$ft" run --timeout 3 -- bash -c 'for i in $(seq 100); do ./hop 1000000 & done; sleep 100'
	none_left '[.]/hop'
}

attack_out_of_memory() {
	need_cgroup
	need jq
	expect 0 timeout 120 "$ft" build eats n=1:64 --budget 20s --json -- bash -c 'head -c ${1}00M /dev/zero | tail -c ${1}00M >/dev/null; exit ${PIPESTATUS[1]}' _ '{n}'
	survives "$ft" predict eats n=2
	# The same of a pipeline that says nothing of it: its status is that of its last word.
	expect 0 timeout 120 "$ft" build pipe n=1:64 --budget 20s --json -- bash -c 'head -c ${1}00M /dev/zero | tail -c ${1}00M | cat >/dev/null' _ '{n}'
	expect 0 "$ft" export pipe --csv
	awk -F, '/^[0-9]/ && $1 > 11 && /,done,/ { bad = 1 } END { exit bad }' out || fail "a run whose memory was taken away counts as a good one"
	grep -q 'out of memory' out || skip "the system here does not tell whom it killed"
}

attack_hostile_meters() {
	for meter in 'yes' 'cat /dev/zero' 'sleep 1000' 'kill -9 $PPID' 'setsid sleep 7178 & echo 5 J' 'echo nan W' 'echo -- -5 J' 'echo 1e999 J' 'printf "5 W\n\033[2J\n"' 'exit 3' \
		'echo 5 parsecs' 'head -c 100000000 /dev/zero' 'trap "" TERM; sleep 1000'; do
		attempt timeout 60 "$ft" run --meter "$meter" -o said -- sleep 0.2
		[ $rc != 124 ] || fail "no end with the meter: $meter"
		[ ! -e said ] || is_clean said
		awk '$2 ~ /^-?(nan|inf)/ { found = 1 } END { exit !found }' said && fail "a figure that is none with the meter: $meter"
	done
	none_left 'sleep 7178'
	none_left 'sleep 1000'
}

# What a program says of its end reaches no terminal raw.
attack_escapes_of_programs() {
	for text in '\033]0;PWN\007' '\302\2332J' '\342\200\256txt' '\033[31m' '\377\376\033c'; do
		attempt "$ft" run -o said -- sh -c 'printf "$1\n" >&2; exit 3' _ "x${text}y"
		is_clean said
		try "$ft" build bad n=1:2 --budget 1s -- sh -c 'printf "$1\n" >&2; exit 3' _ "x${text}y"
		is_clean out err
		try "$ft" show bad
		is_clean out err
	done
}

# Times of reports and of processes do not stand in one model. Those of reports are far beyond what any load makes of a
# process.
attack_mixed_reports() {
	need jq
	try "$ft" build mix n=1:40 --points 8 --method naive --reps 2:2 -- bash -c '[ $(($1 % 2)) = 0 ] && echo "ft1 routine r 1 5000000000000 5 0" >&$FORETIME_PROBE_FD; exit 0' _ '{n}'
	try "$ft" predict mix n=9 --json
	jq -e '[.. | objects | select(.resource? == "wall_s") | .value? | numbers | select(. > 500 and . < 4500)] | length == 0' out >/dev/null || fail "a value between both kinds of times"
}

attack_interrupted_run_keeps_status() {
	expect 7 "$ft" run --save s n=1 -- sh -c 'exit 7'
	"$ft" run --save s n=1 -- sh -c 'kill -TERM $$' >out 2>err
	[ $? = 143 ] || fail "a signal of the program is not the status"
	expect 0 "$ft" export s --csv
}

# Strange to its parent: traced by it, in another group, on every descriptor, on a terminal.
attack_odd_processes() {
	need python3
	need script
	cat >odd.py <<'END'
import ctypes, os, signal, sys, termios, tty
word = sys.argv[1]
if word == 'traced':
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    os.kill(os.getpid(), signal.SIGUSR1)
elif word == 'group':
    os.setpgid(0, 0)
elif word == 'session':
    os.fork() or os.setsid()
elif word == 'babble':
    for file in range(256):
        try: os.write(file, b'\0\xff\n' * 2000)
        except OSError: pass
elif word == 'raw':
    tty.setraw(os.open('/dev/tty', os.O_RDWR), termios.TCSANOW)
elif word == 'names':
    ctypes.CDLL(None).prctl(15, b') R 1 (\n', 0, 0, 0)
    os.fork()
END
	for word in group session babble names; do
		expect 0 timeout 60 "$ft" run -- python3 odd.py $word
	done
	attempt timeout 60 "$ft" run --timeout 2 -- python3 odd.py traced
	[ $rc -lt 128 ] || [ $rc = $((128 + 10)) ] || fail "status $rc of a traced program"
	none_left '[o]dd.py'
	timeout 60 script -q -e -c "$ft run -- python3 odd.py raw; stty -a" typed >/dev/null </dev/null || fail "status $? on a terminal"
	# Seconds that are another number at each run: a model of noise, not an end.
	try timeout 60 "$ft" build moody n=1:9 --points 3 --reps 2:3 --method naive -- sh -c 'sleep 0.0$(($(date +%N | cut -c 7-9 | sed s/^0*//) % 9))' '{n}'
	[ $rc -le 1 ] || fail "status $rc of what takes another time each time"
}

# No signal ended foretime (137 is told: the program's helper was ended), and it had time enough.
is_own_end() { # WHAT
	[ $rc -lt 128 ] || { [ $rc = 137 ] && cat out err said 2>/dev/null | grep -q -a 'foretime-helper'; } || fail "status $rc $1"
	[ $rc != 124 ] || fail "no end $1"
}

# It opens what its parents have open, takes their descriptors, and writes into all of them.
attack_parents_descriptors() {
	need python3
	cat >grab.py <<'END'
import ctypes, glob, os, sys
libc, pid = ctypes.CDLL(None, use_errno=True), os.getpid()
for _ in range(int(sys.argv[1])):
    try: pid = int(open('/proc/%d/stat' % pid).read().rsplit(')', 1)[1].split()[1])
    except (OSError, IndexError): break
    if pid <= 1: break
    handle = libc.syscall(434, pid, 0)
    for path in glob.glob('/proc/%d/fd/*' % pid):
        for file in (libc.syscall(438, handle, int(path.rsplit('/', 1)[1]), 0), ):
            if file >= 0:
                try: os.set_blocking(file, False); os.write(file, b'\xff' * 4096)
                except OSError: pass
        try: os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), b'\xff' * 4096)
        except OSError: pass
END
	for generations in 1 2 3; do
		attempt timeout 60 "$ft" run --timeout 5 -o said -- python3 grab.py $generations
		is_own_end "of a program that writes to what its $generations parents have open"
		attempt timeout 60 "$ft" run --save g n=1 -- python3 grab.py $generations
		is_own_end "of run --save"
	done
	none_left '[g]rab.py'
	expect 0 "$ft" run -- true
}

# It takes away what its parents may use.
attack_parents_limits() {
	need python3
	cat >lower.py <<'END'
import resource, sys
pid = 'self'
for _ in range(3):
    try: pid = int(open('/proc/%s/stat' % pid).read().rsplit(')', 1)[1].split()[1])
    except (OSError, IndexError): break
    if pid <= 1: break
    for limit, value in ((resource.RLIMIT_NOFILE, 4), (resource.RLIMIT_STACK, 65536),
                         (resource.RLIMIT_NPROC, 1), (resource.RLIMIT_AS, 1 << 20)):
        try: resource.prlimit(pid, limit, (value, value))
        except (OSError, ValueError): pass
END
	attempt timeout 60 "$ft" run -- python3 lower.py
	is_own_end "of a program that lowers limits"
	survives timeout 60 "$ft" build low n=1:5 --points 3 --reps 2:2 --budget 5s -- python3 lower.py '{n}'
	attempt timeout 60 "$ft" run --save low n=1 -- sh -c 'python3 lower.py; exit 3'
	[ $rc = 3 ] || [ $rc = 125 ] || fail "status $rc of run --save"
	[ ! -e store.db ] || sound
}

# A group of its own, smaller than any; and one in which nothing moves, not even towards its end.
attack_own_cgroup() {
	need_cgroup
	for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do
		[ -e $top/memory.limit_in_bytes ] || [ -e $top/memory.max ] && break
	done
	group=$top/foretime-attack-own-$$
	mkdir "$group" || skip "no group can be made"
	limit=memory.max
	[ ! -e "$group/memory.limit_in_bytes" ] || limit=memory.limit_in_bytes
	attempt timeout 60 "$ft" run --timeout 20 -- bash -c 'echo 16000000 >$0/$1; echo $$ >$0/cgroup.procs; head -c 100M /dev/zero | tail -c 100M' "$group" $limit
	sleep 0.2
	rmdir "$group"
	[ $rc -lt 128 ] || [ $rc = 137 ] || fail "status $rc of a program in a small group of its own"
}

attack_frozen_program() {
	need jq
	freezer=/sys/fs/cgroup/freezer
	state=freezer.state frozen=FROZEN thawed=THAWED
	[ -d $freezer ] || freezer=/sys/fs/cgroup state=cgroup.freeze frozen=1 thawed=0
	group=$freezer/foretime-attack-frozen-$$
	{ mkdir "$group" && [ -e "$group/$state" ]; } 2>/dev/null || skip "nothing can be frozen here"
	began=$SECONDS
	attempt timeout -k 5 90 "$ft" run --timeout 1 -o said -- bash -c 'sleep 7179 & echo $$ >$0/cgroup.procs; echo $! >$0/cgroup.procs; (sleep 0.3; echo '$frozen' >$0/'$state') & sleep 7179' "$group"
	took=$((SECONDS - began))
	echo $thawed >"$group/$state"
	none_left 'sleep 7179'
	rmdir "$group"
	[ $rc != 124 ] || [ $took -lt 80 ] || fail "no end while the program is frozen"
	[ $rc -lt 137 ] || fail "status $rc of a frozen program: it ended foretime, or nothing did"
	# The same of what it left behind, when it ended well itself.
	mkdir "$group"
	attempt timeout -k 5 90 "$ft" run --json -o said -- bash -c 'sleep 7179 & echo $! >$0/cgroup.procs; echo '$frozen' >$0/'$state "$group"
	echo $thawed >"$group/$state"
	none_left 'sleep 7179'
	rmdir "$group"
	[ $state = cgroup.freeze ] || jq -e .left_running said >/dev/null || fail "what could not be ended is not told"
}

# Words by the megabyte around the program.
attack_huge_environment() {
	many=$(printf 'x%.0s' $(seq 100000))
	for i in $(seq 12); do export "FT_ATTACK_$i=$many"; done
	expect 0 "$ft" run -- true
	expect 0 "$ft" run --save env n=1 -- true
	survives "$ft" build env2 n=1:2 --points 2 --reps 1:1 --method naive -- true '{n}'
	export FORETIME_PROBE_FD="$many" COLUMNS="$many" TERM="$many" LC_ALL="$many" TZ="$many" FORETIME_MANAGER="$many" XDG_RUNTIME_DIR="$many"
	for words in list 'predict env n=1' 'show env' 'run -- true' help; do
		survives "$ft" $words
	done
	FORETIME_STORE=$many survives "$ft" list
}

# What it says is half said when it is killed, or never ends, or is the largest file that there can be.
attack_reports_cut_short() {
	need jq
	expect 124 "$ft" run --timeout 1 -o said -- bash -c 'while :; do printf "ft1 routine a 1 500"; printf "0000 4 0\n"; done >&$FORETIME_PROBE_FD'
	is_clean said
	expect 0 timeout 60 "$ft" run --json -o r.json -- bash -c 'echo "ft1 routine a 1 5000000 4000000 0" >&$FORETIME_PROBE_FD; truncate -s 9223372036854775807 /proc/self/fd/$FORETIME_PROBE_FD'
	jq -e '.resources[] | select(.resource == "wall_s") | .label == "unavailable" or .value < 60' r.json >/dev/null || fail "a report of 8 EiB is a figure"
	expect 0 timeout 60 "$ft" run -- bash -c 'exec 5>&$FORETIME_PROBE_FD; (setsid bash -c "while :; do echo ft1 routine late 1 5 5 0; done >&5" &); true'
	expect 0 timeout 60 "$ft" run -- bash -c 'head -c 1000000 /dev/zero >&$FORETIME_PROBE_FD; printf "ft1 routine %050000d 1 5 5 0\n" 1 >&$FORETIME_PROBE_FD; printf "ft1 routine a 1 5 5" >&$FORETIME_PROBE_FD'
}
