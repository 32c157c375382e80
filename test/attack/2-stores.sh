# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 2-stores.sh - stores that somebody changed, full disks, ends without warning, many at once.

# shellcheck disable=SC2016 # $ are for inner shells
# shellcheck disable=SC2154,SC2086 # ft, dir, source, rc: lib.sh

# All commands that open a store.
ask_all() { # STORE
	survives timeout 60 "$ft" list --store "$1"
	is_clean out err
	for words in 'show p' 'predict p n=500' 'fit p' 'export p --csv' 'export p --json' 'request p n=500' 'largest p time=1s' 'request p --format snakemake'; do
		survives timeout 60 "$ft" $words --store "$1"
		is_clean err
		[ "${words%% *}" = export ] || is_clean out # a file of its own: what steers terminals is kept for import
	done
	attempt timeout 60 "$ft" run --save p n=7 --store "$1" -- sh -c 'exit 3'
	[ $rc = 3 ] || fail "run --save gives status $rc, not the program's"
}

attack_negative_version() {
	make_store
	for bytes in '\377\377\374\030' '\377\377\377\376' '\200\000\000\000' '\377\376\171\140' '\177\377\377\377'; do
		rm -f t.db*
		cp store.db t.db
		printf "%b" "$bytes" | dd of=t.db bs=1 seek=60 conv=notrunc status=none
		ask_all t.db
		survives "$ft" build p n --replay made.csv --store t.db
		rm -rf t.db.spool
	done
}

attack_tampered_stores() {
	make_store
	while read -r statement; do
		rm -rf t.db*
		cp store.db t.db
		sql t.db "$statement"
		(ask_all t.db) || fail "after: $statement"
	done <<'END'
alter table run rename to r; create view run as with recursive x(n) as (select 1 union all select n + 1 from x) select r.* from r, x
create view v as select 1; drop table load; create view load as select * from v
create trigger t after insert on run begin delete from run; end
create trigger t after insert on by_size begin insert into by_size select program, machine, size || '1', runs, folded from by_size; end
update program set argv = zeroblob(40000000)
update run set size = 'nan'
update run set size = '1 2 3 4 5 6 7 8 9 10'
update run set size = ''
update run set numbers = zeroblob(8)
update run set numbers = randomblob(64)
update run set numbers = x'000000000000f07f000000000000f0ff'
update run set layout = 99
update layout set rest = randomblob(100)
update layout set rest = zeroblob(3)
update layout set rest = substr(rest, 1, length(rest) / 2)
update layout set outcome = 'odd'
update by_size set runs = -1, folded = 9223372036854775807
update by_size set size = size || 'x'
update tally set runs = -1, sizes = 9223372036854775807, newest = 9e18
insert into folded select program, machine, size, 'wall_s', 9e999, -9e999, 'text', randomblob(100) from by_size
update param set least = 9e999, most = -9e999
update param set stride = -1, factor = -2
update param set list = '1 2 x'
update program set name = char(27) || ']0;PWN' || char(7)
update program set work = '((((', condition = 'n <'
update machine set host = char(27) || '[2J', cpu = char(155) || '2J'
update machine set fingerprint = char(8238) || 'x'
update model set model = zeroblob(100)
update model set model = substr(model, 1, 200)
update model set model = substr(model, 1, 400) || x'000000000000f87f' || substr(model, 409)
update model set stop = 'odd', method = 'odd'
insert into stated values ('p', 'wall_s', '((((')
insert into stated values ('p', char(27) || '[2J', 'n')
insert into requirement values ('p', 0, 'memory=none')
insert into known values ('k', char(27))
drop table layout
drop table tally
drop table by_size
drop table param
drop table machine
delete from program
update program set last_put = 9223372036854775807
update run set started_ns = -9223372036854775808
pragma user_version = 99
END
}

attack_strange_files() {
	head -c 100000 /dev/urandom >random.db
	: >empty.db
	mkfifo pipe.db
	mkdir folder.db
	make_store cut.db
	truncate -s 5000 cut.db
	for store in random.db empty.db pipe.db folder.db cut.db /dev/full /dev/zero /proc/self/mem; do
		survives timeout 20 "$ft" list --store "$store"
		survives timeout 20 "$ft" predict p n=5 --store "$store"
		attempt timeout 20 "$ft" run --save p n=1 --store "$store" -- sh -c 'exit 3'
		[ $rc = 3 ] || fail "run --save gives status $rc with the store $store"
	done
}

attack_odd_paths() {
	for store in "it's.db" 'a"b.db' $'new\nline.db' 'q?mode=memory' ':memory:' 'file:x.db' "$(printf '%0240d' 0)" $'\xff\xfe.db' 'a;b|c&d.db' '$(touch pwn)' '-x.db'; do
		make_store "./$store"
		[ -f "./$store" ] || fail "no file of that name: $store"
		expect 0 "$ft" predict p n=500 --store "./$store"
	done
	[ ! -e pwn ] || fail "a path was executed"
}

# Builds that are ended at random moments while a program runs, which leaves more behind than itself.
kill_builds() { # WORDS before foretime...
	rm -rf store.db* log
	cat >program <<'END'
#!/bin/sh
(setsid sleep 7181 &)
(trap '' TERM HUP INT; sleep 7181) &
sleep 0.002
echo "$1" >>"$LOG"
END
	chmod +x program
	export LOG=$dir/log
	for _ in $(seq 30); do
		"$@" "$ft" build live n=1:1000 --method naive --points 100 -- ./program '{n}' >/dev/null 2>&1 &
		pid=$!
		sleep "0.$((RANDOM % 250 + 100))"
		kill -KILL $pid 2>/dev/null
		wait $pid 2>/dev/null
	done
	none_left '[.]/program'
	none_left 'sleep 7181'
	done=$(wc -l <log) stored=$(runs live)
	[ "$done" -gt 30 ] || fail "only $done runs ended: nothing was attacked"
	[ "$stored" -ge $((done - 30)) ] || fail "$done runs ended, $stored are stored"
	sound
}

# A run that was acknowledged is there, whatever ends foretime.
attack_killed_builds() {
	kill_builds env
}

# The same by the journal of network file systems: that it lies on one is a lie.
attack_killed_builds_by_rollback() {
	need cc
	cat >statfs.c <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
int statfs64(const char *path, struct statfs64 *info)
{
	int rc = (int)syscall(SYS_statfs, path, info);
	info->f_type = 0x6969;
	return rc;
}
int statfs(const char *path, struct statfs *info)
{
	return statfs64(path, (struct statfs64 *)info);
}
END
	cc -shared -fPIC -O1 -o statfs.so statfs.c || skip "no shared library can be made"
	kill_builds env LD_PRELOAD="$dir/statfs.so"
	[ "$(dd if=store.db bs=1 skip=18 count=1 status=none | od -An -tu1 | tr -d ' ')" = 1 ] || fail "that was no journal of network file systems"
}

# A build that was killed and goes on ends as one that was left alone: the same sizes, in the same order.
attack_killed_builds_decide_alike() {
	awk 'BEGIN { srand(1); print "n,wall_s"
		for (k = 0; k < 10; k++) for (n = 16; n <= 4080; n += 16) printf "%d,%.9g\n", n, n ^ 3 / 1e9 / (n / (n + 150)) * (1 + 0.03 * rand()) }' >sweep.csv
	for how in '--tolerance 10%' '--tolerance 20% --budget 1h' '--tolerance 0.1% --budget 20s' '--method gbbp'; do
		rm -f whole.db* parts.db*
		try "$ft" build p n --replay sweep.csv --work '2*n^3' $how --store whole.db
		for _ in $(seq 8); do
			"$ft" build p n --replay sweep.csv --work '2*n^3' $how --store parts.db >/dev/null 2>&1 &
			pid=$!
			sleep "0.0$((RANDOM % 80 + 10))"
			kill -KILL $pid 2>/dev/null
			wait $pid 2>/dev/null
		done
		try "$ft" build p n --replay sweep.csv --work '2*n^3' $how --store parts.db
		for part in whole parts; do
			"$ft" export p --csv --store $part.db | grep -v '^#' | cut -d, -f1-2 >$part.csv
			expect 0 "$ft" predict p n=16:4080:97 --csv --store $part.db
			cp out $part.told
		done
		cmp -s whole.csv parts.csv || fail "other sizes after it was killed: $how: $(wc -l <whole.csv) and $(wc -l <parts.csv) lines"
		cmp -s whole.told parts.told || fail "another model after it was killed: $how"
	done
}

# The same on a file system that is full.
attack_killed_on_a_full_disk() {
	mkdir small
	mount -t tmpfs -o size=400k small small || skip "no small file system"
	export FORETIME_STORE=$dir/small/store.db
	make_store
	before=$(runs p)
	for turn in $(seq 20); do
		dd if=/dev/zero of=small/filler bs=1k count=$((400 - turn * 10)) status=none 2>/dev/null
		"$ft" build p n --replay made.csv --reps 2:$((turn + 2)) >/dev/null 2>&1 &
		pid=$!
		sleep "0.0$((RANDOM % 40 + 10))"
		kill -KILL $pid 2>/dev/null
		wait $pid 2>/dev/null
		rm -f small/filler
		[ "$(runs p)" -ge "$before" ] || fail "a run that was stored is lost"
		sound
	done
}

# A disk that fills while the journal is written back: the run is refused, or kept; the store is sound.
attack_full_disk_in_a_checkpoint() {
	mkdir small
	mount -t tmpfs -o size=900k small small || skip "no small file system"
	export FORETIME_STORE=$dir/small/store.db
	make_store
	for left in 0 4 8 16 24 32 48 64 96 128; do
		dd if=/dev/zero of=small/filler bs=1k status=none 2>/dev/null
		truncate -s -${left}k small/filler
		for i in $(seq 15); do
			attempt "$ft" run --save q n="$i" -- sh -c 'exit 3'
			[ $rc = 3 ] || fail "run --save gives status $rc on a full disk"
		done
		before=$(runs q)
		rm -f small/filler
		expect 0 "$ft" run --save q n=77 -- true
		[ "$(runs q)" -gt "${before:-0}" ] || fail "runs are lost after the disk was full"
		sound
	done
}

attack_full_disk() {
	mkdir small
	for kb in 60 120 250 500; do
		mount -t tmpfs -o size=${kb}k small small || skip "no small file system"
		refused timeout 60 "$ft" build f n=1:2000 --method naive --points 2000 --reps 5:5 --store small/s.db -- true '{n}'
		[ ! -e small/s.db ] || sound small/s.db
		umount small
	done
}

# The program fills the disk of the store, and --cleanup takes it away again.
attack_program_fills_the_disk() {
	mkdir small
	mount -t tmpfs -o size=3m small small || skip "no small file system"
	try timeout 60 "$ft" build f n=1:3 --budget 5s --store small/s.db --cleanup 'rm -f small/big' -- sh -c 'head -c 9000000 /dev/zero >small/big 2>/dev/null; true'
	sound small/s.db
}

attack_file_size_limit() {
	make_store
	for _ in $(seq 60); do "$ft" run --save p n=7 -- true >/dev/null 2>&1; done
	for limit in 0 1 20 60; do
		(
			ulimit -f $limit
			"$ft" run --save p n=7 -- sh -c 'exit 3' 2>/dev/null
		)
		rc=$?
		[ $rc = 3 ] || fail "run --save gives status $rc under ulimit -f $limit"
		(
			ulimit -f $limit
			"$ft" build p n --replay made.csv --reps 2:9 >/dev/null 2>&1
		)
		rc=$?
		[ $rc -le 2 ] || fail "build gives status $rc under ulimit -f $limit"
	done
	expect 0 "$ft" run --save p n=7 -- true
	[ ! -e store.db.spool ] || [ -z "$(find store.db.spool -name '*.part*')" ] || fail "parts of a spool stay"
	sound
}

attack_read_only_store() {
	make_store
	mkdir ro
	cp store.db ro
	{ mount --bind ro ro && mount -o remount,ro,bind ro; } || skip "no read-only mount"
	expect 0 "$ft" predict p n=500 --store ro/store.db
	refused "$ft" build p n --replay made.csv --store ro/store.db
	attempt "$ft" run --save p n=1 --store ro/store.db -- sh -c 'exit 4'
	[ $rc = 4 ] || fail "run --save gives status $rc"
}

attack_many_writers() {
	make_store
	for i in $(seq 20); do "$ft" run --save many n="$i" -- true >/dev/null 2>&1 & done
	wait
	expect 0 "$ft" run --save many n=77 -- true
	expect 0 "$ft" build other n --replay made.csv
	[ "$(runs many)" = 21 ] || fail "$(runs many) of 21 runs"
	"$ft" build both n=1:9 --method naive --points 9 --reps 3:3 -- true '{n}' >/dev/null 2>&1 &
	"$ft" build both n=1:9 --method naive --points 9 --reps 3:3 -- true '{n}' >/dev/null 2>&1
	a=$?
	wait $!
	[ $a$? = 00 ] || fail "two builds of one name"
	sound
}

# A spooler that is killed leaves nothing for ever.
attack_spool_leftovers() {
	make_store
	mkdir -m 700 store.db.spool
	echo half >store.db.spool/0000000000000000001-1.part
	cp store.db store.db.spool/0000000000000000002-1.part
	touch -d '3 days ago' store.db.spool/*
	head -c 5000 /dev/urandom >store.db.spool/0000000000000000003-1.db
	expect 0 "$ft" run --save p n=1 -- true
	try "$ft" build p n --replay made.csv
	[ -z "$(find store.db.spool -name '*.part' 2>/dev/null)" ] || fail "parts stay in the spool"
}

# On a terminal not even an export is raw.
attack_escapes_of_stores() {
	need script
	make_store
	sql store.db "update machine set host = char(27) || ']0;PWN' || char(7), cpu = char(155) || '2J' || char(8238)" "update run set detail = char(27) || 'c'" "update layout set outcome = 'failed'"
	for words in list 'show p' 'fit p' 'request p n=500' 'predict p n=500' 'export p --csv' 'machine list'; do
		script -q -e -c "$ft $words" typed >/dev/null </dev/null
		is_clean typed
	done
}

# Exported archives of strangers.
attack_archives() {
	make_store
	expect 0 "$ft" export p --json -o good.json
	for change in 's/"name": *"p"/"name": "..\/..\/etc\/x"/' 's/"name": *"p"/"name": "\\u001b]0;PWN\\u0007"/' 's/"name": *"p"/"name": "-rf"/' 's/"host": *"[^"]*"/"host": "\\u009b2J"/' \
		's/"n": *100,*/"n": 1e999,/' 's/"n": *100\b/"n": null/' 's/"cost_s": *[0-9.e-]*/"cost_s": -1/' 's/"value": *[0-9.e-]*/"value": 1e308/' 's/"label": *"measured"/"label": "true"/' \
		's/"started": *[^,]*/"started": "9999-99-99T99:99:99Z"/' 's/"outcome": *"done"/"outcome": 7/' 's/"runs": *\[/"runs": [{},/' 's/"params": *\[/"params": [{"name": "a"},/' 's/"resource"/"resourc"/'; do
		sed "$change" good.json >bad.json
		rm -f t.db*
		survives timeout 60 "$ft" import bad.json --store t.db
		is_clean out err
		[ ! -e t.db ] || ask_all t.db
	done
	awk 'BEGIN { printf "{\"schema\": \"foretime-export-1\", \"name\": "; for (; i < 200000; i++) printf "["; }' >deep.json
	awk 'BEGIN { printf "{\"schema\": \"foretime-export-1\", \"name\": \"a\", \"params\": ["; for (; i < 20000; i++) printf "{\"name\": \"p%d\"},", i; print "{\"name\": \"n\"}], \"runs\": []}" }' >wide.json
	gzip -c good.json | cat - good.json >mixed.json.gz
	gzip -c good.json | head -c 100 >cut.json.gz
	for file in deep.json wide.json cut.json.gz; do
		refused timeout 60 "$ft" import "$file"
	done
	survives timeout 60 "$ft" import mixed.json.gz
}
