# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 4-texts.sh - files of strangers: tables, archives, names that end up in other languages.

# shellcheck disable=SC2016 # $ are for inner shells
# shellcheck disable=SC2154,SC2086 # ft, dir, source, build, rc: lib.sh

# Every command that reads a table.
read_all() { # FILE
	survives timeout 60 "$ft" import "$1" --name x --store r.db
	is_clean out err
	survives timeout 60 "$ft" build y n --replay "$1" --store r.db
	is_clean out err
	survives timeout 60 "$ft" build z n --cases "$1" --budget 100ms --store r.db -- true '{n}'
	is_clean out err
	for words in 'trace fit' 'energy fit' 'surrogate matrix --file' 'load show --file' 'fit'; do
		survives timeout 60 "$ft" $words "$1"
		is_clean out err
	done
	rm -f r.db*
}

attack_strange_tables() {
	printf '\000\000\000' >nul.csv
	: >empty.csv
	printf '\n\n\n' >blank.csv
	printf '\xef\xbb\xbfn,wall_s\r\n1,1\r\n2,2\r\n' >bom.csv
	printf 'n,wall_s\n1,1\n2,2\n' | iconv -t UTF-16 >utf16.csv 2>/dev/null
	printf 'n,n\n1,1\n' >twice.csv
	printf 'n,wall_s\n"1,1\n2,2\n' >quote.csv
	printf 'n,wall_s\n1,\033]0;PWN\007\n2,2\n' >escape.csv
	printf 'n,wall_s\n1,\302\2332J\n\342\200\256,2\n' >c1.csv
	printf 'n\033[2J,\302\233\n1,2\n' >head.csv
	printf 'n,wall_s\n1,1e999\n2,nan\n3,-1\n' >numbers.csv
	printf '5e-324,1\n1e-323,2\n1.5e-323,1\n' >subnormal.csv
	printf 'n,wall_s\n1,1\n2,2\n' | gzip | head -c 20 >cut.csv.gz
	{ printf 'n,wall_s\n1,1\n' | gzip && echo rubbish; } >tail.csv.gz
	awk 'BEGIN { for (; i < 100000; i++) printf "["; }' >deep.json
	head -c 3000 /dev/urandom >random.csv
	for file in *.csv *.csv.gz *.json; do
		read_all "$file"
	done
}

# A small file that becomes a large one.
attack_gzip_bombs() {
	need_cgroup
	head -c 2000000000 /dev/zero | gzip -1 >zeros.csv.gz
	{ printf 'n,wall_s\n'; head -c 1000000000 /dev/zero | tr '\000' 1; } | gzip -1 >line.csv.gz
	{ printf 'n,wall_s\n'; yes 1,1 | head -n 150000000; } | gzip -1 >rows.csv.gz
	for file in *.csv.gz; do
		read_all "$file"
	done
}

# Small documents that become large ones when they are read, or parsed.
attack_json_bombs() {
	need_cgroup
	{ printf '['; yes '{},' | tr -d '\n' | head -c 60000000; printf '{}]'; } >objects.json
	{ printf '{"nodes": ['; yes '[],' | tr -d '\n' | head -c 200000000; printf '[]]}'; } | gzip -1 >nodes.json.gz
	{ printf '{"parts": "'; head -c 1500000000 /dev/zero | tr '\000' x; } | gzip -1 >text.json.gz
	printf 'time,y\n1,1\n2,2\n3,1\n' >trace.csv
	printf 'seconds,units,host\n' >progress.csv
	for file in *.json *.json.gz; do
		survives "$ft" energy predict --model "$file" wall=10s
		survives "$ft" plan revise "$file" --progress progress.csv --cost 1s
		survives "$ft" trace constrain trace.csv --keep-from "$file"
		survives "$ft" import "$file"
	done
}

attack_imported_escapes() {
	printf '# foretime: runs 1\n# name: x\n# machine: a\n# host: \033]0;PWN\007\302\2332J\n# cpu: \342\200\256\nn,wall_s\n1,1\n2,2\n' >e.csv
	try "$ft" import e.csv
	is_clean out err
	printf '{"context": {"host_name": "\\u001b]0;PWN\\u0007"}, "benchmarks": [{"name": "s/64", "run_type": "iteration", "iterations": 3, "real_time": 5e3, "cpu_time": 4e3, "time_unit": "ns"}]}' >g.json
	try "$ft" import g.json --size 'n=name:/s.([0-9]+)/' --name g
	is_clean out err
	for words in list 'show x' 'predict x n=2' 'predict g n=64' 'fit x' 'request x n=2'; do
		survives "$ft" $words
		is_clean out err
	done
}

# A cell runs nothing, however the placeholder is quoted.
attack_cells_in_commands() {
	printf 'n,path\n1,$(touch pwn)\n2,`touch pwn`\n3,x" ; touch pwn ; "\n' >c.csv
	sed -i "3s/.*/2,x'; touch pwn; '/" c.csv
	for command in 'cat {path}' 'cat "{path}"' "cat '{path}'" 'cat "a {path} b"' ': "${x:-{path}}"' '{path}' 'eval echo "{path}"' 'cat <<X
{path}
X'; do
		survives "$ft" build c n --cases c.csv --prepare "$command" --cleanup "$command" --budget 1s -- true '{path}'
		case $command in
		eval* | '{path}') rm -f pwn ;; # these ask for it
		esac
		[ ! -e pwn ] || fail "a cell was executed by: $command"
	done
}

# Names of parameters that are words of Python, Groovy and the shell.
attack_keywords() {
	need python3
	for name in in lambda class def if import None as print input resources wildcards threads; do
		{
			echo "$name,wall_s,peak_rss_bytes"
			for n in $(seq 12); do echo "$((100 * n)),0.$((10 + n)),$((n * 1000000))"; done
		} >t.csv
		expect 0 "$ft" build k "$name" --replay t.csv --store "$name.db"
		survives "$ft" request k --format snakemake --store "$name.db"
		[ $rc = 0 ] || continue
		{ echo 'rule a:'; sed 's/^/    /' out; } >rule
		python3 - out <<'END' || fail "no Python of the parameter $name: $(grep -m1 lambda out)"
import ast, re, sys
text = open(sys.argv[1]).read()
for line in text.splitlines():
    found = re.match(r"\s*\w+\s*=\s*(lambda\b.*?),?\s*$", line)
    if found: ast.parse(found.group(1), mode="eval")
END
		# A word of Groovy is no variable of it: it is said how the size is told.
		survives "$ft" request k --format nextflow --store "$name.db"
		[ $rc = 0 ] || expect 0 "$ft" request k --format nextflow --size-from "$name=params.size" --store "$name.db"
	done
}

attack_hostile_names() {
	make_store
	expect 0 "$ft" export p --csv
	grep -v '^# name' out >runs.csv
	for name in '$(touch pwn)' '`touch pwn`' '"; touch pwn; "' "'; touch pwn; '" '<script>x</script>' '&amp;"' '%s%n' '@`touch pwn`'; do
		survives "$ft" import runs.csv --name "$name" --again
		[ $rc = 0 ] || continue
		survives timeout 60 "$ft" plot "$name" -o p.svg
		[ ! -s p.svg ] || python3 -c 'import sys, xml.dom.minidom as m; m.parse("p.svg")' 2>/dev/null || fail "no XML of the name $name"
		for format in slurm snakemake nextflow json; do
			survives "$ft" request "$name" n=500 --format $format
		done
		survives "$ft" request "$name" n=500 --format slurm
		[ $rc != 0 ] || bash -n out || fail "no shell of the name $name"
	done
	[ ! -e pwn ] || fail "a name was executed"
}

attack_long_arguments() {
	make_store
	long=$(printf '%0100000d' 1)
	survives "$ft" predict p "n=$long"
	survives "$ft" program set p --law "wall_s=$long"
	survives "$ft" program set p --law "wall_s=$(printf '(%.0s' $(seq 20000))"
	survives "$ft" program set p --law "wall_s=$(printf -- '-%.0s' $(seq 20000))n"
	survives "$ft" predict p n=500 --store "$long"
}

# Files without a bottom, without an end, without a beginning.
attack_bottomless_files() {
	need_cgroup
	truncate -s 8E deep.csv 2>/dev/null || truncate -s 1P deep.csv 2>/dev/null || truncate -s 1T deep.csv
	for file in deep.csv /dev/zero /dev/full /proc/self/mem /proc/kmsg .; do
		[ "$file" != /proc/kmsg ] || continue
		read_all "$file"
		for words in "predict p n=1 --sizes $file" "plan partition --speeds $file n=4" "machine import $file" "manager --check --config $file" "request p n=1 --at-least $file" \
			"load judge --file $file" "verify p --contract $file" "plan schedule $file" "kernel $file"; do
			survives timeout 60 "$ft" $words
			is_clean out err
		done
	done
}

# A pipe is read as it comes; one that nobody writes to is given up when somebody says so.
attack_pipes() {
	make_store
	mkfifo pipe
	for words in 'import pipe --name q' 'build q n --replay pipe' 'build r n --cases pipe --budget 1s -- true {n}' 'predict p --sizes pipe' 'trace fit pipe -n 1' 'fit pipe'; do
		"$ft" $words >out 2>err </dev/null &
		pid=$!
		sleep 0.3
		kill -TERM $pid # a shell lets what it starts aside ignore SIGINT
		for _ in $(seq 50); do
			kill -0 $pid 2>/dev/null || break
			sleep 0.1
		done
		kill -0 $pid 2>/dev/null && kill -KILL $pid && fail "it waits for a pipe for ever: $words"
		wait $pid
		(cat made.csv >pipe) &
		attempt timeout 20 "$ft" $words
		[ $rc != 124 ] || fail "a pipe with an end is read for ever: $words"
		[ $rc -lt 128 ] || fail "status $rc of: $words"
		kill $! 2>/dev/null
		wait
	done
	# What is written by and by, and then no more.
	expect 0 timeout 20 bash -c '(printf "n,wall_s\n"; sleep 0.2; printf "1,"; sleep 0.2; printf "1\n2,2\n") | "$0" import --name slow -' "$ft"
}

# Links in a ring, links to oneself, folders in folders.
attack_links() {
	make_store
	ln -s b a
	ln -s a b
	ln -s . here
	ln -s /proc/self/fd/1 output
	ln -s store.db linked.db
	ln -s nowhere.db hanging.db
	deep=$(printf 'here/%.0s' $(seq 35))
	for path in a b a/x "$deep"a "${deep}store.db" linked.db hanging.db output /proc/self/root/proc/self/root/a; do
		read_all "$path"
		for words in "list --store $path" "predict p n=5 --store $path" "run --save p n=1 --store $path -- true"; do
			survives timeout 60 "$ft" $words
		done
		case $path in
		*.db | output) ;; # whoever names a file to write to means it
		*) survives timeout 60 "$ft" export p --csv -o "$path" ;;
		esac
	done
	expect 0 "$ft" predict p n=500 --store "${deep}store.db"
	sound
}

# Names that look alike, that are not normal, that reach the limits of a character.
attack_unicode_names() {
	make_store
	zalgo=$(printf 'a\314\201%.0s' $(seq 40))
	for name in "$zalgo" $'a\xcc\x81' $'\xc3\xa1' $'\xef\xbb\xbfp' $'p\xe2\x80\x8b' $'\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb' $'\xed\xa0\x80' $'\xf4\x90\x80\x80' $'\xc0\xaf' \
		$'\xe2\x80\xaetxt' $'\xe2\x81\xa6x' $'\xe3\x85\xa4' $'\xd7\xa9\xd7\x9c' "$(printf '\360\220\200\200%.0s' $(seq 63))" $'p\xcc' '..' '.' '~' 'p/../p' 'p//q'; do
		survives "$ft" import made.csv --name "$name"
		is_clean out err
		[ $rc = 0 ] || continue
		expect 0 "$ft" predict "$name" n=500
		is_clean out err
		expect 0 "$ft" export "$name" --json
		survives timeout 60 "$ft" plot "$name" -o p.svg
		survives "$ft" request "$name" n=500 --format slurm
		[ $rc != 0 ] || bash -n out || fail "no shell of a name"
		survives "$ft" list
		is_clean out err
		expect 0 "$ft" rm "$name"
	done
	expect 0 "$ft" predict p n=500
}

# Answered or refused in words, and no figure that is none.
figures() { # WORD...
	survives timeout 60 "$ft" "$@"
	is_clean out err
	grep -qiE '(^|[^a-z])-?(nan|inf)([^a-z]|$)' out && fail "a figure that is none: $*: $(grep -iEm1 '(^|[^a-z])-?(nan|inf)([^a-z]|$)' out)"
	return 0
}

# Numbers at the ends of what a double holds.
attack_extreme_numbers() {
	need python3
	cat >extremes.py <<'PY'
import random, sys
random.seed(int(sys.argv[1]))
odd = ['0', '1', '2.5', '3', '1e308', '1e-308', '5e-324', '1e150', '1e-150', '1e200', '-0', '', 'NA']
def table(name, head, rows):
    with open(name, 'w') as out:
        print(head, file=out)
        for row in rows: print(','.join(row), file=out)
draw = lambda n: [random.choice(odd) for _ in range(n)]
table('m.csv', 'resource,A,B,C,A+B,B+C,C+A,T', [['x%d' % (i % 3)] + draw(7) for i in range(random.choice((1, 2, 4, 8)))])
table('l.csv', 'n,wall_s', [['%d' % (2 ** i), random.choice(odd[:11])] for i in range(random.choice((2, 4, 8)))])
table('r.csv', 'n,m,wall_s,peak_rss_bytes', [[str(2 ** random.randint(0, 9)), str(random.randint(1, 5)), random.choice(odd[1:4]), random.choice(odd)] for i in range(random.choice((3, 9, 30)))])
far = random.choice((1, 1e-300, 1e-150, 1e18, 1e150))
table('t.csv', 't,a,b', [[repr(i * far)] + draw(2) for i in range(1, random.choice((3, 6, 40)))])
PY
	for turn in $(seq 25); do
		python3 extremes.py $((turn + RANDOM)) || fail "no tables"
		for words in 'surrogate matrix m.csv' 'surrogate diagnose m.csv' 'surrogate couple m.csv --chain A,B,C --target T' 'surrogate couple m.csv --chain A,B,C --loop'; do
			figures $words --admit
		done
		for solver in ols robust weighted simplex nmf bayes ridge svr kernel; do
			figures surrogate describe m.csv --target T --solver $solver --admit
		done
		for words in 'fit l.csv' 'fit l.csv --terms 2' 'trace fit t.csv --steps' 'trace constrain t.csv' 'trace phases t.csv --value a,b' 'trace grow n=1 t.csv n=2 t.csv n=4 t.csv --value a,b'; do
			figures $words
		done
		rm -f store.db*
		figures build r n m --replay r.csv
		for words in 'show r' 'predict r n=50 m=2 -r all' 'predict r n=1e9 m=1e9 -r peak_rss_bytes' 'largest r memory=1GiB m=2' 'request r n=50 m=2' 'fit r -r peak_rss_bytes'; do
			figures $words
		done
	done
	return 0
}
