# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 3-limits.sh - little of everything: descriptors, memory, stack, time, folders, terminals.

# shellcheck disable=SC2016 # $ are for inner shells
# shellcheck disable=SC2154,SC2086 # ft, dir, build, rc: lib.sh

# A command under a limit of the shell.
limited() { # LIMIT... -- COMMAND...
	local words=()
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	(
		ulimit "${words[@]}" || exit 77
		exec "$@"
	) >out 2>err </dev/null
	rc=$?
	[ $rc != 77 ] || skip "ulimit ${words[*]} cannot be set here"
}

attack_few_descriptors() {
	make_store
	for n in 98 60 32 20; do
		rm -f ran
		limited -n $n -- "$ft" run --save z n=1 -- touch ran
		[ -e ran ] || fail "the real program is not run at ulimit -n $n: $(tail -n 1 err)"
		[ $rc = 0 ] || fail "status $rc at ulimit -n $n"
	done
	for n in 98 60 16 8; do
		limited -n $n -- "$ft" build z n=1:3 --budget 1s -- true '{n}'
		[ $rc -le 2 ] || fail "build gives status $rc at ulimit -n $n"
		[ $rc = 0 ] || [ -s err ] || fail "build says nothing at ulimit -n $n"
	done
}

attack_small_stack() {
	make_store
	for kb in 64 96 128; do
		limited -s $kb -- "$ft" build p n --replay made.csv
		[ $rc -le 2 ] || fail "build gives status $rc at ulimit -s $kb"
		limited -s $kb -- "$ft" predict p n=500
		[ $rc -le 2 ] || fail "predict gives status $rc at ulimit -s $kb"
		limited -s $kb -- "$ft" run -- true
		[ $rc -lt 128 ] || fail "run gives status $rc at ulimit -s $kb"
	done
}

attack_little_memory() {
	make_store
	for kb in 15000 20000 30000 45000 60000; do
		for words in 'predict p n=500' 'list' 'build p n --replay made.csv' 'fit p' 'request p n=500'; do
				limited -v $kb -- "$ft" $words
			# 127: the loader itself finds no room for the libraries.
			[ $rc -le 2 ] || [ $rc = 127 ] || fail "$words gives status $rc at ulimit -v $kb"
		done
	done
	limited -d 2000 -- "$ft" run -- true
	[ $rc -lt 128 ] || fail "run gives status $rc at ulimit -d 2000"
	sound
}

attack_processor_limit() {
	make_store
	limited -t 1 -- "$ft" run --timeout 5 -- sh -c 'while :; do :; done'
	[ $rc -ge 124 ] || fail "status $rc of a program that the limit ends"
	sound
}

attack_folders() {
	make_store
	expect 0 env TMPDIR=/nowhere "$ft" run -- true
	expect 0 env TMPDIR=/proc "$ft" run --save p n=1 -- true
	expect 0 env -u HOME -u XDG_DATA_HOME FORETIME_STORE="$FORETIME_STORE" "$ft" predict p n=500
	refused env -u HOME -u XDG_DATA_HOME -u FORETIME_STORE "$ft" list --store ''
	survives env -u HOME -u XDG_DATA_HOME -u FORETIME_STORE "$ft" list
	expect 0 env HOME=/nowhere "$ft" run -- true
}

attack_no_proc() {
	make_store
	cp "$ft" "$build/foretime-helper" .
	mount -t tmpfs none /proc || skip "/proc cannot be covered"
	survives env -u FORETIME_HELPER ./foretime run -- true
	survives ./foretime run -- true
	survives ./foretime list
	umount /proc
}

attack_closed_output() {
	make_store
	for words in 'list' 'predict p n=500' 'export p --csv' 'show p' 'export p --json' 'help'; do
		"$ft" $words >&- 2>err
		rc=$?
		{ [ $rc = 2 ] && [ -s err ]; } || fail "$words gives $rc with a closed output"
		"$ft" $words >/dev/full 2>err
		rc=$?
		{ [ $rc = 2 ] && [ -s err ]; } || fail "$words gives $rc on a full device"
		"$ft" $words 2>err | head -c 1 >/dev/null
		grep -q . err && fail "$words complains of a reader that has enough"
	done
	"$ft" list <&- >/dev/null 2>&1 || fail "a closed input"
}

attack_locales() {
	make_store
	found=
	for locale in de_DE.UTF-8 de_DE.utf8 tr_TR.UTF-8 tr_TR.utf8 fr_FR.utf8; do
		locale -a 2>/dev/null | grep -qix "$locale" || continue
		found=1
		expect 0 env LC_ALL="$locale" "$ft" export p --csv
		cp out a
		expect 0 "$ft" export p --csv
		cmp -s a out || fail "another table in $locale"
		expect 0 env LC_ALL="$locale" "$ft" import a --name again
		expect 0 env LC_ALL="$locale" "$ft" predict p n=500 --json
		python3 -m json.tool <out >/dev/null || fail "no JSON in $locale"
	done
	[ "$found" ] || skip "no locale with another decimal point is installed"
}

attack_odd_arguments() {
	make_store
	for word in '' ' ' '-' '--' '-x' $'\n' $'\033[2J' $'\xff' "$(printf '%010000d' 0)" '../../x' '$(touch pwn)' '`touch pwn`' 'n=' '=1' 'n=nan' 'n=1e400' '{n}' '%s%n'; do
		survives "$ft" predict "$word" n=500
		is_clean err
		survives "$ft" predict p "$word"
		is_clean err
		survives "$ft" build "$word" n --replay made.csv
		survives "$ft" show "$word"
		survives "$ft" rm "$word"
		survives "$ft" "$word"
		is_clean err
	done
	[ ! -e pwn ] || fail "a word was executed"
}

attack_absurd_options() {
	for value in nan inf -inf 1e400 -1 9223372036854775808 '' 0 1e-400 0x1p3 '1 2' %; do
		for option in --tolerance --budget --points --reps --confidence --timeout --threads --pin --seed; do
			survives timeout 30 "$ft" build z n=1:3 $option "$value" --budget 1s -- true
		done
		survives timeout 30 "$ft" build z n=1:3 --points "$value" --budget 1s --method naive -- true
		survives timeout 30 "$ft" build z n=1:3 --method gbbp --tolerance "$value" --budget 1s -- true
		survives timeout 30 "$ft" build z "n=$value" --budget 1s -- true
		survives timeout 30 "$ft" build z "n=1:$value" --budget 1s -- true
		survives timeout 30 "$ft" build z "n=1:9:$value" --budget 1s -- true
		survives timeout 30 "$ft" build z "n=1:9:*$value" --budget 1s -- true
	done
	for range in 1e-320:1e-310 5e-324:1 -1e308:1e308 1e22:1.0000001e22:1e-9 9e79 1e-320:1:*2 1:1e308:*1.0000000001; do
		survives timeout 30 "$ft" build z "n=$range" --budget 50ms -- true '{n}'
		survives timeout 30 "$ft" predict z "n=$range"
		survives timeout 30 "$ft" predict z n=9e79
	done
}

# A clock of another day, and one that jumps to and fro at every question.
attack_clocks() {
	need cc
	need jq
	cat >clock.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long days(void)
{
	static unsigned n;
	const char *by = getenv("FT_ATTACK_DAYS");
	return by ? atol(by) : (n++ * 2654435761U >> 8) % 2000 - 1000L;
}
int clock_gettime(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);
	if (!rc && id == CLOCK_REALTIME)
		t->tv_sec += days() * 86400;
	return rc;
}
time_t time(time_t *out)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return out ? *out = t.tv_sec : t.tv_sec;
}
int gettimeofday(struct timeval *restrict v, void *restrict zone)
{
	struct timespec t;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	v->tv_sec = t.tv_sec;
	v->tv_usec = t.tv_nsec / 1000;
	return 0;
}
END
	cc -shared -fPIC -O1 -o clock.so clock.c || skip "no shared library can be made"
	make_store
	for days in -400 4000 -20000 40000 jump; do
		[ $days = jump ] || export FT_ATTACK_DAYS=$days
		[ $days != jump ] || unset FT_ATTACK_DAYS
		set -- env LD_PRELOAD="$dir/clock.so"
		expect 0 timeout 60 "$@" "$ft" run --save timed n=1 --json -o r.json -- sleep 0.1
		jq -e '.resources[] | select(.resource == "wall_s") | .value >= 0.1 and .value < 20' r.json >/dev/null || fail "another time with the clock at $days"
		expect 0 timeout 60 "$@" "$ft" build "b$days" n --replay made.csv
		expect 0 timeout 60 "$@" "$ft" build "c$days" n=1:9 --points 3 --reps 2:2 --budget 10s --method naive -- true '{n}'
		for words in 'list' 'show timed' 'predict p n=500' 'verify p' 'export timed --csv' 'request p n=500' 'load show'; do
			survives timeout 60 "$@" "$ft" $words
		done
	done
	[ "$(runs timed)" = 5 ] || fail "$(runs timed) of 5 runs"
	sound
}

# Another user's store is read, and not written; his links lead nowhere.
attack_other_user() {
	need setpriv
	make_store
	chmod 755 "$dir"
	other=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nowhere TMPDIR=/tmp)
	"${other[@]}" "$ft" --version >/dev/null 2>&1 || skip "another user cannot run $ft"
	chmod 644 store.db
	survives "${other[@]}" "$ft" predict p n=500
	refused "${other[@]}" "$ft" build p n --replay made.csv
	attempt "${other[@]}" "$ft" run --save p n=1 -- sh -c 'exit 4'
	[ $rc = 4 ] || fail "run --save gives status $rc on another user's store"
	chmod 600 store.db
	refused "${other[@]}" "$ft" predict p n=500
	mkdir -m 1777 shared
	"${other[@]}" ln -s "$dir/victim" shared/s.db-journal
	"${other[@]}" ln -s "$dir/victim" shared/s.db.spool
	try "$ft" build p n --replay made.csv --store shared/s.db
	try "$ft" run --save p n=1 --store shared/s.db -- true
	[ ! -e victim ] || fail "a link of another user was followed"
}
