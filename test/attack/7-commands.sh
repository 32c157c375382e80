# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 7-commands.sh - commands that take what others leave for them: timings in a spool, files of tasks, copies that run at once,
# traces over sizes, sources of kernels, tables of devices.

# shellcheck disable=SC2016 # $ are for inner shells
# shellcheck disable=SC2154,SC2086,SC2034 # ft, dir, source, rc: lib.sh; service: 6-services.sh

# What is printed of a NAME is words and numbers.
ask_names() { # NAME...
	local name words
	for name; do
		for words in "predict $name n=5" "show $name" "fit $name" "largest $name time=1s" "request $name n=5"; do
			survives timeout 60 "$ft" $words
			is_clean out err
			grep -qiw -e nan -e -nan out && fail "a figure that is none is printed: $words"
		done
	done
	return 0
}

# Whatever stands in the manager's spool: it goes on, takes what is a timing, and believes no figure that cannot be.
attack_spooled_timings() {
	need python3
	make_store
	mkdir spool
	cat >fill.py <<'END'
import json, os, random, socket
os.chdir('spool')
os.mkfifo('pipe.jsonl'); os.mkdir('folder.jsonl'); os.symlink('/etc/passwd', 'link.jsonl'); os.symlink('self.jsonl', 'self.jsonl'); os.symlink('/dev/zero', 'zero.jsonl')
door = socket.socket(socket.AF_UNIX); door.bind('door.jsonl')
def put(name, *lines):
    with open(name, 'wb') as out:
        for line in lines: out.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b'\n')
def line(name='a', size=None, wall_s=0.5, **more): return dict({'name': name, 'size': {'n': 5} if size is None else size, 'wall_s': wall_s}, **more)
names = ['', '-h', '--store=x', '..', '../../x', '/etc/passwd', 'p', 'p/copies', '~0/x', 'a b', 'a\nb', 'x' * 250, 'x' * 5000, '\x1b[2J', '\u202e', '\u0085', '{n}', '$(touch pwn)', "'", '"', 'a/b/c/d', 'calibration/x', 'nan', '%s%n', '\ud800']
odd = [0, -1, 1e308, -1e308, 5e-324, 1e18, 4e9, 2 ** 63, 2 ** 64, 10 ** 400, '1', None, True, [], {}, float('nan'), float('inf')]
put('names.jsonl', *[line(name) for name in names])
put('walls.jsonl', *[line('walls', wall_s=value) for value in odd + [1, 2, 3]])
put('sizes.jsonl', *[line('sizes', {'n': value}) for value in odd], line('sizes', {}), line('sizes', []), line('many', {'p%d' % i: 1 for i in range(100)}),
    *[line('key%d' % i, {name: 1}) for i, name in enumerate(names)])
put('when.jsonl', *[line('when', at=value) for value in odd])
put('devices.jsonl', *[line('devices', device=name) for name in names + odd])
put('deep.jsonl', b'[' * 200000 + b'\n', b'{"a":' * 100000 + b'\n', b'"' * 100000 + b'\n', b'\xff' * 1000 + b'\n', b'\0' * 1000 + b'\n', b'{' + b'"a":1,' * 30000 + b'"b":1}\n')
put('line.jsonl', b'x' * 8000000)
with open('sparse.jsonl', 'wb') as out: out.truncate(5 << 30)
for i in range(3000): put('few%d.jsonl' % i, line('few', {'n': i + 1}, 0.001 * (i + 1)))
for name in (b'\xff\xfe.jsonl', b'a\x1b[2J.jsonl', b'-rf.jsonl', b'a\nb.jsonl', b'..jsonl', b'x' * 240 + b'.jsonl', b'host.99999999999999999999.1.jsonl', b'$(touch pwn).jsonl'): put(name, line('named'))
put('zz.jsonl', line('last'))
END
	python3 fill.py || fail "the spool cannot be filled"
	start_manager --spool "$dir/spool"
	# One that is cut, and grows, while it is read.
	python3 -c 'import os, random, sys, time
for i in range(400):
    with open("spool/moves.jsonl", random.choice(("ab", "wb"))) as out:
        out.write(b"{\"name\":\"moves\",\"size\":{\"n\":%d},\"wall_s\":1}\n" % i * random.randint(0, 2000) + b"{\"name\":"[:random.randint(0, 9)])
    time.sleep(0.02)' &
	writer=$!
	wait_until eval "ask '/predict/few?n=500' | grep -q '\"wall_s\"'"
	wait $writer
	wait_until eval "\"$ft\" list --names | grep -qx last"
	ask '/predict/p?n=500' | grep -q '"wall_s"' || fail "the manager does not answer any more"
	end_service
	sound
	if [ -e pwn ] || [ -e spool/pwn ]; then fail "a name was executed"; fi
	[ "$(runs few)" = 3000 ] || fail "of 3000 timings $(runs few) are kept"
	[ "$(runs walls)" -le 12 ] || fail "$(runs walls) runs of times that cannot be"
	"$ft" export walls --csv | awk -F, '!/^#/ && !head { for (i = 1; i <= NF; i++) wall = $i == "wall_s" ? i : wall; head = 1; next } !/^#/ && wall && $wall + 0 > 3.2e9 { exit 1 }' ||
		fail "a run of more than a hundred years"
	expect 0 "$ft" list
	is_clean out err
	ask_names walls sizes when few last moves
}

# What may be asked of the page's server: no name is an option or a file, no value is a word of its own, and none takes all memory.
attack_page_questions() {
	need python3
	make_store
	{
		cat_visitor
		cat <<'END'
import concurrent.futures, json, urllib.parse
auth = b'Host: 127.0.0.1\r\nAuthorization: Bearer ' + token + b'\r\n'
def talk(what, limit):
    visit = door(); visit.settimeout(limit); heard = b''
    visit.sendall(what)
    while True:
        part = visit.recv(65536)
        if not part: break
        heard = (heard + part)[:1 << 20]
    visit.close()
    assert heard.startswith(b'HTTP/1.1 ') and b'root:x:' not in heard and (b'\x1b' not in heard or b'gzip' in heard), heard[:200]
    return heard
def get(path, limit=60.0): return talk(b'GET ' + path.encode() + b' HTTP/1.1\r\n' + auth + b'Connection: close\r\n\r\n', limit)
def post(path, body, limit=60.0): return talk(b'POST ' + path.encode() + b' HTTP/1.1\r\n' + auth + b'Connection: close\r\nContent-Length: %d\r\n\r\n' % len(body) + body, limit)
code = lambda heard: int(heard.split(b' ')[1])
quote = lambda word: urllib.parse.quote(word, safe='')
names = ['-h', '--help', '--version', '--store=/etc/passwd', '-o', '/etc/passwd', '..', '.', 'p.csv', 'x.csv.gz', '-', '@x', 'run:1', 'run:' + '9' * 40, 'run:1 --store=x', 'p --json', 'p\n--json', 'p\x00x', '\x1b[2J', '$(touch pwn)', '`touch pwn`', ';touch pwn', 'p' * 4000, '{n}', '%s%n', '~0/x']
pairs = ['store=/etc/passwd', 'o=pwn', 'output=pwn', 'json=1', 'help=1', '-n=5', '=5', 'n', 'n=', 'n=$(touch pwn)', 'n=1%0a--output=pwn', 'load=/etc/passwd', 'resource=--output=pwn', 'machine=--help', 'n=1e999', 'n=nan', 'n=-1', 'n=1:2:3:4:5', 'confidence=200%25', 'start=/etc/passwd', 'start=x.csv', 'at=' + ',1' * 3000, 'width=1e18', 'width=-1', 'pieces=100000000', 'within=:::', 'most=1e18', 'search=' + '%1b' * 50, 'smooth=auto', 'lambda=1e308']
kinds = ['show', 'plot', 'predict', 'largest', 'request', 'fit', 'list', 'trace/show', 'trace/fit', 'trace/constrain', 'trace/phases']
rows = '\n'.join('%d,%g' % (i, i % 7) for i in range(3000))
shelf = json.loads(post('/api/traces', b't,y\n' + rows.encode() + b'\n').partition(b'\r\n\r\n')[2])['id']
asked = ['/api/%s/%s' % (kind, quote(name)) for kind in kinds for name in names]
asked += ['/api/%s/%s?%s' % (kind, shelf if kind.startswith('trace') else 'p', pair) for kind in kinds for pair in pairs] + ['/api/list?' + pair for pair in pairs]
def judge(path):
    heard = get(path)
    assert code(heard) in (200, 304, 400, 404, 413, 414, 431), (code(heard), path[:100])
    return code(heard)
with concurrent.futures.ThreadPoolExecutor(8) as crew: told = list(crew.map(judge, asked))
assert 200 in told and 400 in told
# Answers without a bound, all at once: they end, with words, and what is asked beside them is answered.
huge = ['/api/predict/p?n=1:1000000000', '/api/predict/p?n=1:100000000:1', '/api/plot/p?n=1:1000000000', '/api/largest/p?time=1e300s', '/api/trace/show/%s?width=100000000' % shelf, '/api/trace/constrain/%s?keep=%s' % (shelf, ','.join(map(str, range(900))))]
with concurrent.futures.ThreadPoolExecutor(12) as crew:
    pending = [crew.submit(get, path, 300) for path in huge * 2]
    assert code(get('/', 60)) == 200
    for heard in pending: assert code(heard.result()) in (200, 400, 413, 500, 504), heard.result()[:100]
# A shelf of bounded length.
for i in range(30): assert code(post('/api/traces', b't,y\n' + rows.encode() * 300)) == 200
for path in ('/api/manager/stop/' + quote('../../x'), '/api/manager/stop/', '/api/manager/continue/' + quote('\x1b[2J'), '/api/manager/kill/x', '/api/manager/stop%2f..%2f..%2fx', '/api/list', '/api/predict/p?n=5', '/api/nothing', '/'):
    assert code(post(path, b'{"n": 1}')) in (400, 403, 404, 405, 503), path
assert code(get('/api/predict/p?n=500')) == 200
END
	} >visit.py
	start_page store.db
	timeout 550 python3 visit.py "$url" >seen 2>&1 || fail "$(tail -n 1 seen)"
	end_service
	[ ! -e pwn ] || fail "something was executed, or written"
	sound
}

# Tasks whose files are torn, replaced by what is no file, or taken away; and an engine that is killed.
attack_tasks_of_engines() {
	need parallel
	mkdir work
	cd work || exit 2
	printf '#!/bin/sh\nexec awk -v n=$1 "BEGIN { for (i = 0; i < n * 1000; i++) s += i }"\n' >sum
	chmod +x sum
	# It meddles with what others of its lot left.
	cat >meddle <<'END'
#!/bin/bash
case $((RANDOM % 9)) in
0) for file in ../tasks/*.db; do [ -e "$file" ] && head -c 300 /dev/urandom >"$file"; done ;;
1) for file in ../tasks/*.db; do [ -e "$file" ] && { rm -f "$file"; mkfifo "$file"; }; done ;;
2) for file in ../tasks/*.db; do [ -e "$file" ] && { rm -f "$file"; ln -s /dev/zero "$file"; }; done ;;
3) for file in ../tasks/*.end; do [ -e "$file" ] && echo '99999999999999999999 nan -1e308' >"$file"; done ;;
4) for file in ../tasks/*.out; do [ -e "$file" ] && printf '\033]0;PWN\007\n' >>"$file"; done ;;
5) rm -f ../tasks/*.end ../tasks/*.db ;;
6) kill -KILL $PPID ;;
7) for file in ../tasks/*.sh; do truncate -s 0 "$file"; done ;;
esac 2>/dev/null
exec ./sum "$1"
END
	chmod +x meddle
	for turn in 1 2 3 4; do
		mkdir -p ../tasks
		attempt timeout 120 "$ft" build meddled$turn n=1:40 --via parallel --at-once 3 --folder "$dir/tasks" --budget 20s --timeout 5s -- ./meddle '{n}'
		[ $rc -le 2 ] || fail "status $rc of a build whose tasks meddle with their files"
		is_clean out err
		rm -rf ../tasks
		sound
	done
	# Killed, and begun again: nothing is there twice, and what was there stays.
	mkdir ../tasks
	before=0
	for turn in $(seq 8); do
		"$ft" build kept n=1:60 --via parallel --at-once 2 --folder "$dir/tasks" --budget 1h --method naive --points 30 --reps 2:2 -- ./sum '{n}' >/dev/null 2>&1 &
		sleep "0.$((RANDOM % 8 + 2))"
		kill -KILL $!
		wait $! 2>/dev/null
		pkill -KILL -x parallel
		sound
		after=$(runs kept)
		[ "${after:-0}" -ge "$before" ] || fail "of $before runs $after are left"
		before=${after:-0}
	done
	expect 0 timeout 300 "$ft" build kept n=1:60 --via parallel --at-once 2 --folder "$dir/tasks" --budget 1h --method naive --points 30 --reps 2:2 -- ./sum '{n}'
	sound
	python3 - "$FORETIME_STORE" <<'END' || fail "a run is there twice"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert not db.execute("select 1 from run join program on program.id = run.program where name = 'kept' group by started_ns, size having count(*) > 1").fetchall()
END
	cd ..
	# Where there is no room for them.
	mkdir small
	mount -t tmpfs -o size=1m small small || skip "no small file system"
	dd if=/dev/zero of=small/filler bs=1k count=900 status=none
	attempt timeout 120 "$ft" build full n=1:40 --via parallel --at-once 2 --folder "$dir/small" --store small/s.db --budget 20s -- "$dir/work/sum" '{n}'
	[ $rc -le 2 ] || fail "status $rc of tasks without room"
	[ -s err ] || fail "no words of tasks without room"
	[ ! -e small/s.db ] || sound small/s.db
}

# Copies that hang, multiply, end each other or what measures them.
attack_packed_programs() {
	need_cgroup
	for program in 'sleep 7177 & sleep 7177' 'f() { f | f & }; f; sleep 7177' 'kill -KILL -$$' 'kill -KILL $PPID; sleep 7177' 'setsid sleep 7177 & exit 0' 'kill -STOP $$' 'head -c 300M /dev/zero | tail -c 300M >/dev/null' 'yes >&2' \
		'exit $((RANDOM % 2))'; do
		attempt timeout -k 5 100 "$ft" pack --most 4 --budget 6s --timeout 2s -- bash -c "$program" ft-packed
		[ $rc -le 2 ] || [ $rc = 125 ] || fail "status $rc of copies of: $program"
		[ -s out ] || [ -s err ] || fail "not a word of copies of: $program"
		is_clean out err
		none_left 'sleep 7177'
		none_left '[f]t-packed'
	done
	expect 0 "$ft" run -- true
}

# Traces of sizes that are none, or of nothing, or of the same size; and many of them.
attack_grown_traces() {
	for size in 24 48 96 100 200 400; do
		awk -v n=$size 'BEGIN { print "t,y"; for (i = 0; i < n; i++) print i "," (i < n / 2 ? 1 : 5) + (i % 3) / 50 }' >t$size.csv
	done
	expect 0 "$ft" trace grow n=100 t100.csv n=200 t200.csv n=400 t400.csv n=800
	printf 't,y\n' >none.csv
	printf 't,y\n0,1\n' >one.csv
	printf 't,y\n0,5\n1,5\n2,5\n' >flat.csv
	printf 't,y\n0,1e308\n1,-1e308\n2,1e308\n3,-1e308\n' >large.csv
	printf 't,y\n0,5e-324\n5e-324,0\n1e-323,5e-324\n' >tiny.csv
	printf 't,y\n0,nan\n1,inf\n2,3\n3,4\n' >odd.csv
	awk 'BEGIN { print "t,y"; for (i = 0; i < 100000; i++) print i "," (i * 7919 % 13) }' >long.csv
	head -c 100000 /dev/urandom >random.csv
	for bad in none one flat large tiny odd long random t100; do
		for sizes in '100 200 400' '0 0 0' '100 100 100' '-1 -2 -3' '1e308 1e307 1e306' '5e-324 1 2' 'nan inf -inf' '100 200 1e18'; do
			set -- $sizes
			survives timeout 100 "$ft" trace grow n=$1 t100.csv n=$2 "$bad.csv" n=$3 t400.csv n=800
			is_clean out err
			grep -qiE '(^|[ (])-?(nan|inf)( |$)' out && fail "a figure that is none of $bad.csv at $sizes: $(grep -iEm1 '(^|[ (])-?(nan|inf)( |$)' out)"
		done
	done
	words=
	for size in $(seq 300); do words="$words n=$size t$((24 << size % 3)).csv"; done
	survives timeout 300 "$ft" trace grow $words
	for words in 'n=100' 'n=100 t100.csv' 'n=100 n=200 n=400' 't100.csv t200.csv t400.csv' 'n=100 t100.csv m=200 t200.csv n=400 t400.csv' 'n=100 nowhere.csv n=200 t200.csv n=400 t400.csv' 'n=100 /dev/zero n=200 . n=400 t400.csv' 'n=100 run:1 n=200 run:99 n=400 run:-1'; do
		timeout 100 "$ft" trace grow $words >out 2>err </dev/null
		rc=$?
		[ $rc = 1 ] || [ $rc = 2 ] || fail "status $rc of: trace grow $words"
		[ -s err ] || fail "refused without a word: $words"
	done
}

# Sources of kernels that never end, include themselves, or read what they should not; launches that were never measured.
attack_sources_of_kernels() {
	need clang
	cp "$source/test/kernel/data/"*.cl . 2>/dev/null
	printf '__kernel void k(__global float *a, int n) { int i = get_global_id(0); if (i < n) a[i] += 1; }\n' >good.cl
	attempt timeout 100 "$ft" kernel features good.cl -g 64 -l 16 n=64
	[ $rc = 0 ] || skip "no kernel can be looked into here: $(tail -n 1 err)"
	put() { # NAME TEXT
		printf '%b' "$2" >"$1.cl"
	}
	put self '#include "self.cl"\n'
	put passwd '#include "/etc/passwd"\n'
	put zero '#include "/dev/zero"\n'
	put ever '__kernel void k(__global float *a, int n) { for (;;) a[0] += 1; }\n'
	put again '__kernel void k(__global int *a, int n) { while (a[0] != n) a[0]++; }\n'
	put recurse 'int f(int n) { return f(n + 1) + 1; }\n__kernel void k(__global int *a, int n) { a[0] = f(n); }\n'
	put wide '__kernel void k(__global int *a, int n) { __local int b[1 << 28]; b[n] = a[n]; a[0] = b[0]; }\n'
	put deep '__kernel void k(__global int *a, int n) { int b[1 << 24]; for (int i = 0; i < n; i++) b[i] = a[i]; a[0] = b[n / 2]; }\n'
	put far '__kernel void k(__global int *a, int n) { a[2147483647 + n] = a[-2147483647]; *(__global int *)(ulong)n = 1; }\n'
	put zero_by '__kernel void k(__global int *a, int n) { a[0] = n / (n - 64); a[1] = n %% (n - 64); a[2] = 1 << (n * n); }\n'
	put asm '__kernel void k(__global int *a, int n) { __asm__ volatile("int3"); }\n'
	put none '__kernel void other(void) { }\n'
	put name '__kernel void \\033[2J(int n) { }\n'
	put empty ''
	awk 'BEGIN { print "#define a0 1+1"; for (i = 1; i < 40; i++) print "#define a" i " a" i - 1 "+a" i - 1; print "__kernel void k(__global int *a, int n) { a[0] = a39; }" }' >laughs.cl
	awk 'BEGIN { printf "__kernel void k(__global int *a, int n) { a[0] = "; for (i = 0; i < 100000; i++) printf "("; printf "n"; for (i = 0; i < 100000; i++) printf ")"; print "; }" }' >nested.cl
	head -c 100000 /dev/urandom >random.cl
	for file in *.cl; do
		for words in '-g 64 -l 16 n=64' '-g 1000000000,1000,1000 -l 1 n=2147483647' '-g 64 -l 16 n=-1' '-g 0 -l 0 n=64' '-g 64 -l 17 n=1e300' '-g 64 -l 16 n=64 --expressions'; do
			survives timeout 200 bash -c 'ulimit -t 100; exec "$@"' _ "$ft" kernel features "$file" $words
			is_clean out err
		done
	done
	none_left '[c]lang.*[.]cl'
	# Rates and tables of strangers.
	printf '# foretime: runs 1\nx\n' >bad0.csv
	head -c 5000 /dev/urandom >bad1.csv
	printf 'kernel,seconds\nk,nan\n' >bad2.csv
	: >bad3.csv
	for file in bad*.csv /dev/zero . nowhere.csv; do
		survives timeout 100 "$ft" device rank good.cl -g 64 -l 16 n=64 --rates "$file"
		is_clean out err
		survives timeout 100 "$ft" device calibrate "$file"
		is_clean out err
	done
}

# Programs whose devices are called as nobody's are, and tables of devices that nobody wrote.
attack_tables_of_devices() {
	need python3
	printf 'n,wall_s\n' >slow.csv
	printf 'n,wall_s\n' >fast.csv
	for n in $(seq 12); do
		echo "$((n * 50)),0.$((10 + n))" >>slow.csv
		echo "$((n * 50)),0.$((30 - n))" >>fast.csv
	done
	for device in 'a b' '$(touch pwn)' '-h' '../x' "$(printf '\033[2J')" "$(printf 'x%.0s' $(seq 5000))" '*/ int x; /*' '"' 'NULL' ''; do
		survives timeout 60 "$ft" import slow.csv --name bad --device "$device"
		is_clean out err
	done
	expect 0 "$ft" import slow.csv --name d --device one
	expect 0 "$ft" import fast.csv --name d --device two
	sql store.db "update program set device = '*/ int main(void) { ' where device = 'two'"
	survives timeout 60 "$ft" device table d -o d.h
	if [ $rc = 0 ]; then
		printf '#include "d.h"\nint main(void) { return 0; }\n' >d.c
		cc -fsyntax-only d.c 2>err || fail "a table that is no C: $(head -n 1 err)"
	fi
	sql store.db "update program set device = 'two' where device like '%int%'"
	expect 0 "$ft" device table d --json
	cp out good.json
	cat >bad.py <<'END'
import copy, json, random, sys
sys.path.insert(0, sys.argv[1])
import foretime
good = json.load(open('good.json'))
odd = [None, True, -1, 0, 1e308, 2 ** 70, '', '\x1b[2J', 'x' * 10000, [], {}, [[]] * 20, float('nan'), float('inf')]
random.seed(int(sys.argv[2]))
def change(node):
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys: return
        key = random.choice(keys)
        if isinstance(node[key], (dict, list)) and node[key] and random.random() < 0.7: node = node[key]; continue
        node[key] = copy.deepcopy(random.choice(odd))
        return
for i in range(3000):
    table = copy.deepcopy(good)
    for _ in range(random.randint(1, 3)): change(table)
    with open('bad.json', 'w') as out: json.dump(table, out)
    try:
        where = foretime.Dispatch(path='bad.json')
        for n in (1, 300, 600, -1, 1e300): where.choose(n=n)
    except foretime.Error: pass
for text in ('', '[', '[' * 100000, 'null', '{}', '\x00'):
    with open('bad.json', 'w') as out: out.write(text)
    try: foretime.Dispatch(path='bad.json').choose(n=5)
    except foretime.Error: pass
END
	attempt timeout 200 python3 bad.py "$source/python" $RANDOM
	[ $rc = 0 ] || fail "Python's reader of tables: $(tail -n 1 err)"
	[ ! -e pwn ] || fail "a device was executed"
}

# Whoever writes a long journal back is killed, on a disk with room and on one without: what was acknowledged stays.
attack_killed_in_a_checkpoint() {
	need python3
	for size in 20m 1500k; do
		mkdir -p small
		mount -t tmpfs -o size=$size small small || skip "no small file system"
		export FORETIME_STORE=$dir/small/store.db
		make_store
		for turn in $(seq 12); do
			# Somebody who reads on keeps the journal from being shortened.
			python3 -c 'import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1]); db.execute("begin"); db.execute("select count(*) from run").fetchall(); open("reads", "w").close(); time.sleep(600)' "$FORETIME_STORE" &
			reader=$!
			wait_until test -e reads
			for i in $(seq 30); do
				attempt "$ft" run --save q n="$i" -- sh -c 'exit 3'
				[ $rc = 3 ] || fail "run --save gives status $rc"
			done
			kill -KILL $reader
			wait $reader 2>/dev/null
			rm -f reads
			before=$(runs q)
			for _ in 1 2 3; do
				"$ft" run --save q n=99 -- sh -c 'exit 3' >/dev/null 2>&1 &
				sleep "0.00$((RANDOM % 9))$((turn % 10))"
				kill -KILL $! 2>/dev/null
				wait $! 2>/dev/null
			done
			sound
			after=$(runs q)
			[ "${after:-0}" -ge "${before:-0}" ] || fail "of $before runs $after are left"
		done
		umount small
	done
}

# Who answers a byte at a time holds nobody for ever.
attack_answers_without_an_end() {
	need python3
	make_store
	cat >drip.py <<'END'
import socket, sys, threading, time
door = socket.socket(socket.AF_UNIX); door.bind(sys.argv[1]); door.listen(50)
def drip(visit):
    try:
        visit.recv(65536); visit.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{')
        while True: visit.sendall(b' '); time.sleep(0.3)
    except OSError: pass
while True: threading.Thread(target=drip, args=(door.accept()[0],), daemon=True).start()
END
	python3 drip.py "$dir/drip.sock" &
	drip=$!
	wait_until test -S drip.sock
	FORETIME_MANAGER=$dir/drip.sock survives timeout 60 "$ft" predict p n=500 --manager
	[ $rc != 124 ] || fail "an answer that does not end is waited for"
	FORETIME_MANAGER=$dir/drip.sock "$ft" serve --store store.db >url 2>said &
	service=$!
	wait_until test -s url
	url=$(cat url)
	for _ in 1 2 3 4 5 6; do page /api/manager/queue >/dev/null 2>&1 & done
	page '/api/predict/p?n=500' | grep -q '"wall_s"' || fail "the page is not answered beside a manager that does not end"
	kill $drip
	end_service
}
