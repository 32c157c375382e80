# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 6-services.sh - what stays and answers: the page's server, the manager, and the processes that it keeps.

# shellcheck disable=SC2016 # $ are for inner shells
# shellcheck disable=SC2154,SC2086 # ft, dir, source, rc: lib.sh

# Until a command succeeds; $waited_for says what was waited for.
wait_until() { # COMMAND...
	for _ in $(seq 300); do
		"$@" && return 0
		sleep 0.1
	done
	fail "not within 30 s: $*"
}

start_page() { # STORE
	FORETIME_MANAGER=$dir/none "$ft" serve --store "$1" >url 2>said &
	service=$!
	wait_until test -s url
	url=$(cat url)
}

start_manager() { # OPTION...
	"$ft" manager --socket "$dir/m.sock" "$@" >/dev/null 2>said &
	service=$!
	wait_until test -S m.sock
}

# It goes when it is told, leaves nothing, and has no more memory than a service may.
end_service() {
	kb=$(awk '/^VmHWM/ { print $2 }' /proc/$service/status) || fail "the service is gone: $(tail -n 1 said)"
	kill -TERM $service
	for _ in $(seq 150); do
		kill -0 $service 2>/dev/null || break
		sleep 0.1
	done
	kill -0 $service 2>/dev/null && fail "the service does not end"
	wait $service
	rc=$?
	[ $rc = 0 ] || fail "the service ends with $rc: $(tail -n 1 said)"
	[ "${kb:-0}" -lt 400000 ] || fail "the service took $kb kB"
	is_clean said
}

page() { # PATH
	timeout 30 "$source/test/cli/web" "$url" "$1"
}

ask() { # TARGET
	timeout 30 "$source/test/cli/ask" "$dir/m.sock" "$1"
}

# Says bytes to a server, many visitors at a time, and looks at what comes back: HTTP or nothing, and no file of ours.
cat_visitor() {
	cat <<'END'
import socket, sys, urllib.parse
def door():
    if sys.argv[1].startswith('http'):
        url = urllib.parse.urlsplit(sys.argv[1])
        return socket.create_connection((url.hostname, url.port), timeout=10)
    visit = socket.socket(socket.AF_UNIX); visit.settimeout(10); visit.connect(sys.argv[1]); return visit
token = sys.argv[1].split('token=')[-1].encode()
def say(what, limit=3.0):
    visit = door(); visit.settimeout(limit); heard = b''
    try:
        visit.sendall(what); visit.shutdown(socket.SHUT_WR)
        while True:
            part = visit.recv(65536)
            if not part or len(heard) > 1 << 20: break
            heard += part
    except OSError: pass
    visit.close()
    assert not heard or heard.startswith(b'HTTP/1.'), heard[:60]
    assert b'root:x:' not in heard and b'XPWNX' not in heard.split(b'\r\n\r\n')[0], heard[:200]
    head, _, body = heard.partition(b'\r\n\r\n')
    assert b'\x1b' not in (head if b'gzip' in head else heard), heard[:200]
    return heard
END
}

attack_odd_requests() {
	need python3
	make_store
	{
		cat_visitor
		cat <<'END'
host = b'Host: 127.0.0.1\r\n'
auth = b'Authorization: Bearer ' + token + b'\r\n'
lines = [b'GET / HTTP/1.1', b'GET /api/list HTTP/1.1', b'GET //etc/passwd HTTP/1.1', b'GET /../../../../etc/passwd HTTP/1.1', b'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1',
    b'GET /..%5c..%5cetc/passwd HTTP/1.1', b'GET http://127.0.0.1/ HTTP/1.1', b'GET * HTTP/1.1', b'GET / HTTP/9.9', b'GET /', b'GET', b'PRI * HTTP/2.0', b'OPTIONS * HTTP/1.1', b'TRACE / HTTP/1.1',
    b'CONNECT 127.0.0.1:22 HTTP/1.1', b'G\0T / HTTP/1.1', b'GET /\0/etc/passwd HTTP/1.1', b'GET /api/predict/p%00?n=5 HTTP/1.1', b'GET /api/predict/%0d%0aX: XPWNX?n=5 HTTP/1.1',
    b'GET /api/predict/%1b%5d0;PWN%07?n=5 HTTP/1.1', b'GET /api/predict/p?n=' + b'9' * 60000 + b' HTTP/1.1', b'GET /api/predict/p?' + b'&' * 30000 + b' HTTP/1.1',
    b'GET /api/predict/p?' + b'&'.join(b'n=%d' % i for i in range(5000)) + b' HTTP/1.1', b'GET /api/manager/..%2f..%2fqueue HTTP/1.1', b'GET /api/manager/predict/p?n=5%0d%0aX-XPWNX:1 HTTP/1.1',
    b'POST /api/traces HTTP/1.1', b'PUT /model/p HTTP/1.1', b'DELETE / HTTP/1.1', b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', b'\r\n' * 1000, b'\xff' * 3000, b'GET /' + b'a/' * 20000 + b' HTTP/1.1']
heads = [b'', host, host + auth, host + host + auth, b'Host: evil\r\n', b'Host: [::1\r\n' + auth, b'Host:\r\n' + auth, host + b'Authorization: Bearer\r\n', host + b'Authorization: Bearer ' + token[:-1] + b'\r\n',
    host + b'Authorization: Basic ' + token + b'\r\n', host + auth + b'Origin: null\r\n', host + auth + b'Origin: http://127.0.0.1.evil\r\n', host + auth + b'Sec-Fetch-Site: cross-site\r\n',
    host + auth + b'Upgrade: websocket\r\nConnection: Upgrade\r\n', host + auth + b'Expect: 100-continue\r\nContent-Length: 99999999999\r\n', host + auth + b'Content-Length: -1\r\n',
    host + auth + b'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', host + auth + b'Content-Length: 5\r\nContent-Length: 6\r\n', host + auth + b'Transfer-Encoding: chunked\r\n',
    host + auth + b'Range: bytes=0-9999999999999\r\n', host + auth + b'Content-Encoding: gzip\r\nContent-Length: 5\r\n', host + auth + b'X: ' + b'y' * 200000 + b'\r\n',
    host + auth + b'X: y\r\n' * 20000, host + auth + b' folded\r\n', host + auth + b': none\r\n', host + auth + b'X\0Y: z\r\n', host + auth + b'If-None-Match: "' + b'"' * 5000 + b'\r\n',
    host + auth + b'Last-Event-ID: 99999999999999999999\r\n', host + auth + b'Cookie: ' + b';' * 9000 + b'\r\n']
for line in lines:
    for head in heads:
        say(line + b'\r\n' + head + b'\r\nhello', 1.0)
for body in (b'5\r\nhello\r\n0\r\n\r\n', b'ffffffffffffffff\r\n', b'-5\r\n', b'5;' + b'x' * 90000 + b'\r\nhello\r\n'):
    say(b'POST /api/traces HTTP/1.1\r\n' + host + auth + b'Transfer-Encoding: chunked\r\n\r\n' + body)
say((b'GET / HTTP/1.1\r\n' + host + b'\r\n') * 500)
for text in (b'', b'\0' * 1000, b'time,y\n1,1\n', b'time,y\n' + b'1,1\n' * 300000, b'\x1f\x8b' + b'\0' * 99, b',' * 1000000):
    say(b'POST /api/traces HTTP/1.1\r\n' + host + auth + b'Content-Length: %d\r\n\r\n' % len(text) + text, 10)
END
	} >visit.py
	start_page store.db
	timeout 500 python3 visit.py "$url" >seen 2>&1 || fail "of the page: $(tail -n 1 seen)"
	page '/api/predict/p?n=500' | grep -q '"wall_s"' || fail "the page's server does not answer any more"
	end_service
	start_manager
	timeout 500 python3 visit.py "$dir/m.sock" >seen 2>&1 || fail "of the manager: $(tail -n 1 seen)"
	ask '/predict/p?n=500' | grep -q '"wall_s"' || fail "the manager does not answer any more"
	end_service
	sound
}

# Visitors by the hundred who say nothing, half a word, or never listen. Who comes after them is answered.
attack_flooded_services() {
	need python3
	make_store
	{
		cat_visitor
		cat <<'END'
import resource, time
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
for turn in range(3):
    crowd = []
    for i in range(1500):
        try:
            visit = door(); visit.setblocking(False); crowd.append(visit)
            if i % 3: visit.send((b'G', b'GET /list HTTP/1.1\r\nHost: 127.0.0.1\r\n', b'GET /events HTTP/1.1\r\nHost: x\r\n\r\n')[i % 7 % 3])
            if not i % 5: visit.send(b'GET /list HTTP/1.1\r\nHost: x\r\n\r\n' * 500)
        except OSError: pass
    for visit in crowd: visit.close()
# Bodies that never end, of strangers and of friends: 2 GB of them.
def settle():
    for _ in range(100):
        try:
            if say(b'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'): return
        except OSError: pass
        time.sleep(0.2)
    sys.exit('no answer any more')
for auth in (b'', b'Authorization: Bearer ' + token + b'\r\n'):
    for path in (b'POST /api/traces', b'PUT /model/x'):
        settle()
        crowd, sent = [], 0
        for i in range(50):
            try:
                visit = door(); visit.settimeout(3); crowd.append(visit)
                visit.sendall(path + b' HTTP/1.1\r\nHost: 127.0.0.1\r\n' + auth + b'Content-Length: 60000000\r\n\r\n')
            except OSError: pass
        for _ in range(40):
            for visit in crowd:
                try: visit.sendall(b'x' * 1000000); sent += 1
                except OSError: pass
        assert sent > 300, 'only %d MB were taken' % sent
        for visit in crowd: visit.close()
settle()
END
	} >visit.py
	start_page store.db
	timeout 200 python3 visit.py "$url" >seen 2>&1 || fail "$(tail -n 1 seen)"
	page '/api/predict/p?n=500' | grep -q '"wall_s"' || fail "the page's server does not answer any more"
	end_service
	start_manager
	timeout 200 python3 visit.py "$dir/m.sock" >seen 2>&1 || fail "$(tail -n 1 seen)"
	wait_until eval "ask '/predict/p?n=500' | grep -q '\"wall_s\"'"
	end_service
}

# Others write the store on a disk that is full, and are killed; who reads it meanwhile is answered.
attack_served_on_a_full_disk() {
	need python3
	mkdir small
	mount -t tmpfs -o size=900k small small || skip "no small file system"
	export FORETIME_STORE=$dir/small/store.db
	make_store
	start_page small/store.db
	page=$service
	start_manager --store small/store.db --spool "$dir/spool"
	for turn in $(seq 6); do
		dd if=/dev/zero of=small/filler bs=1k status=none 2>/dev/null
		truncate -s -$((turn * 8))k small/filler
		for i in 1 2 3; do
			attempt "$ft" run --save q n=$i -- sh -c 'exit 3'
			[ $rc = 3 ] || fail "run --save gives status $rc"
			"$ft" build p n --replay made.csv --reps 2:9 >/dev/null 2>&1 &
			sleep "0.0$((RANDOM % 60 + 10))"
			kill -KILL $! 2>/dev/null
			wait $! 2>/dev/null
			page '/api/predict/p?n=500' >told 2>&1 || grep -q '"remedy"' told || fail "the page tells nothing on a full disk: $(head -c 200 told)"
			ask '/predict/p?n=500' | grep -q '"wall_s"' || fail "the manager tells nothing on a full disk"
		done
		rm -f small/filler
		sound
	done
	end_service
	service=$page
	end_service
	sound
}

# Models of strangers, put into a manager, and answers of a stranger who says that he is one.
attack_put_models() {
	need python3
	make_store
	expect 0 "$ft" export p --json -o good.json
	cat >put.py <<'END'
import copy, http.client, json, random, socket, sys
class Local(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX); self.sock.settimeout(30); self.sock.connect(sys.argv[1])
def put(name, body):
    visit = Local('localhost'); visit.request('PUT', '/model/' + name, body); answer = visit.getresponse(); told = answer.read()
    assert answer.status < 500, (answer.status, told[:200])
    assert b'\x1b' not in told and json.loads(told), told[:200]
    return answer.status
good = json.load(open('good.json'))
odd = [None, True, -1, 1e308, 9e99, 5e-324, '', '\x1b[2J', '\u202e', '../../x', 'x' * 100000, [], {}, [[]] * 50, {'value': 1e308}, 2 ** 64, 'nan']
random.seed(int(sys.argv[2]))
assert put('a', json.dumps(good)) == 200
def change(node):
    while True:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        if not keys: return
        key = random.choice(list(keys))
        if isinstance(node[key], (dict, list)) and node[key] and random.random() < 0.7: node = node[key]; continue
        if random.random() < 0.2 and isinstance(node, dict): node[key + 'x'] = node.pop(key)
        else: node[key] = copy.deepcopy(random.choice(odd))
        return
for i in range(400):
    made = copy.deepcopy(good)
    for _ in range(random.randint(1, 3)): change(made)
    put(random.choice(['a', 'b', 'c%d' % i]), json.dumps(made))
for body in (b'', b'[', b'{' * 100000, b'[' * 100000, b'\xff' * 1000, b'{"a":' * 50000, b'\x1f\x8b' + b'\0' * 100, b'n,wall_s\n' + b'1,1\n' * 200000, b'"' * 100000, b' ' * 6000000, b'n' * 6000000, b',' * 1000000):
    put('d', body)
for name in ('..', '%2e%2e%2fx', '~0/x', 'calibration/x', '%7bn%7d', '%00', '%1b%5b2J', 'a' * 5000, 'a%2fb', '%e2%80%ae'):
    put(name, json.dumps(good))
END
	start_manager
	timeout 400 python3 put.py "$dir/m.sock" $RANDOM >seen 2>&1 || fail "$(tail -n 1 seen)"
	ask '/predict/p?n=500' | grep -q '"wall_s"' || fail "the manager does not answer any more"
	end_service
	sound
	expect 0 "$ft" list
	is_clean out err
	for name in $("$ft" list --json | python3 -c 'import json, sys; print(*[p["name"] for p in json.load(sys.stdin)["programs"]][:30])'); do
		for words in "predict $name n=500" "show $name" "fit $name" "request $name n=500"; do
			survives timeout 60 "$ft" $words
			is_clean out err
		done
	done
	# Whoever answers at the socket, it is not a manager.
	cat >false.py <<'END'
import os, random, socket, sys
door = socket.socket(socket.AF_UNIX); door.bind(sys.argv[1]); door.listen(50)
answers = [b'', b'\xff' * 5000, b'HTTP/1.1 200 OK\r\n\r\n', b'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx', b'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx',
    b'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}}', b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n', b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"\x1b[2J\x1bc"',
    b'HTTP/1.1 404 No\r\nContent-Length: 40\r\n\r\n{"error": "\\u001b]0;PWN\\u0007", "x": 1  }', b'HTTP/1.1 200 OK\r\n' + b'X: y\r\n' * 100000 + b'\r\n', b'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"schema": [[[[[[[[[']
i = 0
while True:
    visit, _ = door.accept()
    try: visit.settimeout(2); visit.recv(65536); visit.sendall(answers[i % len(answers)])
    except OSError: pass
    i += 1; visit.close()
END
	python3 false.py "$dir/false.sock" &
	wait_until test -S false.sock
	for _ in $(seq 11); do
		FORETIME_MANAGER=$dir/false.sock survives timeout 30 "$ft" predict p n=500 --manager
		is_clean out err
	done
	kill $!
}

benchmark_runs() {
	pgrep -f '[b]ench.sh' >/dev/null
}

# Processes between the manager and its benchmarks are ended, one after the other; it goes on, and nothing is left.
attack_killed_keepers() {
	need python3
	chmod 755 "$dir"
	mkdir built
	printf '%s\n' '#!/bin/sh' 'setsid sleep 7180 &' 'sleep 0.5' >bench.sh
	chmod 755 bench.sh
	{
		if [ "$(id -u)" = 0 ]; then
			chown 65534 built
			echo 'user = "nobody";'
		fi
		echo "policies = ( { time = \"now\"; } ); problems = ( { name = \"k\"; command = \"$dir/bench.sh {n}\"; parameters = \"n=1:99\"; method = \"naive\"; points = 90; reps_least = 5; reps_most = 5; } );"
	} >m.conf
	start_manager --config m.conf --store built/s.db --spool "$dir/spool"
	for turn in $(seq 6); do
		wait_until benchmark_runs
		case $((turn % 3)) in
		0) pkill -KILL -x foretime-keeper ;;
		1) pkill -KILL -f '[f]oretime-helper' ;;
		2) pkill -KILL -f '[b]ench.sh' ;;
		esac
		sleep 0.3
		ask /queue | grep -q '"problems"' || fail "the manager does not answer after turn $turn"
		sleep 1
		# What failed is tried again after a minute; here by another manager.
		if ! benchmark_runs; then
			end_service
			rm -f built/s.db.manager
			start_manager --config m.conf --store built/s.db --spool "$dir/spool"
		fi
	done
	wait_until benchmark_runs
	kill -KILL $service
	wait $service
	none_left '[b]ench.sh'
	none_left 'sleep 7180'
	sound built/s.db
}

# Machines and knots of strangers.
attack_machine_archives() {
	make_store
	{
		echo '# foretime: machine 1'
	} >/dev/null
	"$ft" machine calibrate --quick >/dev/null 2>&1
	expect 0 "$ft" machine export -o good.csv
	for change in '1,20s/^# \([a-z_]*\): .*/# \1: \x1b]0;PWN\x07/' '1,20s/^# \([a-z_]*\): .*/# \1: -1e308/' 's/^\(# fingerprint: \).*/\1..\/..\/x/' 's/^\(# fingerprint: \).*/\1zz/' 's/^\(# host: \).*/\1\xc2\x9b2J\xe2\x80\xae/' \
		's/,[0-9.e-]*$/,1e308/' 's/,[0-9.e-]*$/,-1/' 's/,[0-9.e-]*$/,nan/' 's/,[0-9.e-]*$/,0/' 's/,[0-9.e-]*$/,5e-324/' 's/,/,,/' 's/^[a-z_]*,/$(touch pwn),/' '/^#/d' 's/20[0-9][0-9]-/9999-/' 's/$/\r/'; do
		sed "$change" good.csv >bad.csv
		rm -f t.db*
		cp store.db t.db
		survives timeout 60 "$ft" machine import bad.csv --store t.db
		is_clean out err
		for words in 'machine list' 'machine show' 'machine compare 0' 'list' 'predict p n=500' 'machine export'; do
			survives timeout 60 "$ft" $words --store t.db
			[ "$words" = 'machine export' ] || is_clean out
			is_clean err
		done
	done
	[ ! -e pwn ] || fail "a cell was executed"
}

attack_knots() {
	make_store
	expect 0 "$ft" export p --format knots -o p.knots
	cat >fetch.c <<'END'
#include "foretime-fetch.h"
#include <stdio.h>
int main(int argc, char **argv)
{
	static struct ft_probe_model model;
	struct ft_probe_cost cost;
	double n;
	int status = argc > 1 ? ft_probe_fetch(&model, argv[1]) : 1;

	for (n = 1e-300; n < 1e300; n *= 1e10)
		if (ft_probe_at(&model, n, &cost) == FT_PROBE_KNOWN && status)
			return 3;
	ft_probe_forget(&model);
	return status != 0;
}
END
	cc -fsanitize=address,undefined -fno-sanitize-recover=all -I "$source/include" -o fetch fetch.c -lm || skip "no compiler with sanitizers"
	i=0
	for change in 's/^[0-9.]*/nan/' 's/^[0-9.]*/1e999/' 's/ [0-9.e+-]*$/ -1/' '2,$s/.*//' '1d' 's/1$/2/' 's/ /  /g' 's/$/ 1 2 3 4 5 6 7 8 9/' 's/\([0-9]\)/\1e300/g' 's/^/\x00/' '3,$s/^[0-9]*/5/' 's/\([a-z]\)=/\1/' '$d' 's/[0-9]/9/g'; do
		sed "$change" p.knots >bad.knots
		attempt ./fetch bad.knots
		[ $rc -le 1 ] || fail "a reader of knots ends with $rc after: $change"
		attempt python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import foretime
try: model = foretime.Model(sys.argv[2])
except foretime.Error: sys.exit(0)
for n in (1e-300, 1, 500, 1e300):
    try: model.ask(n=n)
    except foretime.Error: pass' "$source/python" bad.knots
		[ $rc = 0 ] || fail "Python's reader of knots: $(tail -n 1 err) after: $change"
		i=$((i + 1))
	done
	head -c 3000000 /dev/urandom >random.knots
	{ head -n 1 p.knots; seq 1 2000000; } >long.knots
	for file in random.knots long.knots /dev/zero . nowhere; do
		attempt timeout 30 ./fetch "$file"
		[ $rc -le 1 ] || fail "a reader of knots ends with $rc of $file"
	done
}

# A store is one file: sent by strangers, it may be anything that SQLite reads.
attack_stores_of_strangers() {
	make_store
	gzip -k store.db
	survives timeout 60 "$ft" import store.db.gz --name x
	survives timeout 60 "$ft" import store.db --name y
	is_clean out err
	while read -r statement; do
		rm -rf t.db*
		cp store.db t.db
		(sql t.db "$statement" >/dev/null 2>&1) || continue
		(ask_all t.db) || fail "after: $statement"
	done <<'END'
alter table run rename to r; create virtual table run using fts5(id, program, machine, size, layout)
alter table run add column g generated always as (randomblob(100000000))
alter table layout add column g generated always as (printf('%.*c', 100000000, 'x'))
create index i on run (printf('%.*c', 1000000, size))
create table load2 (x check (x in (1, 2, 3)));
create table t as with recursive x(n) as (select 1 union all select n + 1 from x where n < 100000) select n from x
update program set name = printf('%.*c', 1000000, 'x')
update machine set host = printf('%.*c', 1000000, 'x'), cpu = printf('%.*c', 1000000, char(27))
update run set detail = printf('%.*c', 5000000, 'x')
insert into run select id + 1000000, program, machine, layout, size, started_ns, numbers, node, user, detail from run
pragma page_size = 512; vacuum
pragma auto_vacuum = 2; vacuum
pragma encoding = 'UTF-16'; vacuum
pragma writable_schema = 1; update sqlite_master set rootpage = 2
pragma writable_schema = 1; update sqlite_master set sql = 'create table x(y)' where name = 'run'
pragma writable_schema = 1; delete from sqlite_master where name = 'layout'
END
	# A journal of strangers beside it is played back: into the store that it belongs to, and no other.
	make_store j.db
	head -c 200000 /dev/urandom >j.db-journal
	head -c 200000 /dev/urandom >j.db-wal
	ask_all j.db
	cp store.db k.db
	ln -s "$dir/victim" k.db-wal
	ask_all k.db
}
