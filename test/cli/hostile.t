## SPDX-License-Identifier: GPL-3.0-or-later
## Limits of batch systems, and what strangers send.

## The limit on the size of files (ulimit -f) ends nothing: who needed the run has its status, and is told what was not kept.
$ (echo n,wall_s; seq 3000 | sed 's/.*/&,&/') > big.csv; foretime import big.csv --name big --store s.db
imported 3000 runs at 3000 sizes as 'big'

$ (ulimit -f 20; foretime run --save p n=7 --store s.db -- sh -c 'exit 3') 2>&1 | cut -d " " -f 1-12; ls s.db.spool
note: the run is not kept: the store 's.db' reaches the limit
hint: raise it (ulimit -f), or name another store with --store PATH
ls: cannot access 's.db.spool': No such file or directory
? 2

$ (ulimit -f 20; foretime run --save p n=7 --store s.db -- sh -c 'exit 3') 2>/dev/null
? 3

$ (ulimit -f 20; foretime predict big n=5 --store s.db --csv)
n,value,accuracy,lower,upper,basis,distance
5,5<<.*>>

$ (ulimit -f 20; foretime export big --csv -o long.csv --store s.db); ls long.csv
foretime: cannot write 'long.csv': File too large
hint: raise the limit on the size of files (ulimit -f), or choose another file
ls: cannot access 'long.csv': No such file or directory
? 2

## What waits is there for who reads next: its journal is longer than the limit when some have been added.
$ foretime import in/cubic.csv --name p --store w.db >/dev/null; for i in 1 2 3 4 5 6 7 8 9 10; do (ulimit -f 300; foretime run --save p n=7 --store w.db -- true); done 2>&1 | sort -u
note: the store 'w.db' reaches the limit on the size of files; the run is kept in the spool, and enters the store at its next use

$ ls w.db.spool | grep -c '[.]db$' >/dev/null && foretime export p --csv --store w.db | grep -c '^7,.*done'; ls -d w.db.spool
10
ls: cannot access 'w.db.spool': No such file or directory
? 2

## What strangers wrote steers no terminal: hosts of tables, cells in messages, what programs complain of.
$ printf '# foretime: runs 1\n# name: x\n# machine: a\n# host: \033]0;PWN\007\302\233\nn,wall_s\n1,1\n2,2\n' > e.csv; foretime import e.csv --store e.db >/dev/null; foretime list --store e.db
name  runs  failed  sizes  machine   last run
x        2       0      2  \u001b]0;PWN\u0007\u009b  unknown

$ for c in 'list' 'predict x n=3' 'show x' 'fit x' 'request x n=3' 'predict x n=3 --json' 'list --json'; do foretime $c --store e.db; done | LC_ALL=C grep -c "$(printf '[\033\007]')\|$(printf '\302\233')"
0
? 1

$ foretime list --json --store e.db | jq -r '.programs[0].machine' | od -An -c | tr -d ' '
033]0;PWN\a302233\n

$ printf 'n,wall_s\n\033[2J,3\n' | foretime import - --name q --store e.db
foretime: standard input:2: column 1 (n): the size is not a number: '\u001b[2J'
hint: <<.*>>
? 2

$ foretime build z n=1:2 --limit 1 --runs 1:1 --store e.db -- sh -c 'printf "\302\233\342\200\256\233abc\n" >&2; exit 3' {n} 2>&1 | grep -o -m 1 "status 3: .*"
status 3: \u009b\u202e?abc

## A file of others stays as it is.
$ foretime export x --csv --store e.db | grep -c "$(printf 'host: \033')"
1

## A few kilobytes of gzip fill no memory, whoever reads them.
$ (echo n,wall_s; head -c 3000000 /dev/zero | tr '\0' 0) | gzip > bomb.csv.gz; foretime import in/cubic.csv --name b --store b.db >/dev/null
$ export FORETIME_STORE=b.db; for c in 'build p n --replay' 'energy fit' 'import --name k' 'predict b --sizes' 'fit' 'surrogate matrix' 'load judge --file'; do foretime $c bomb.csv.gz; done 2>&1 | grep -v ^hint
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes

$ foretime build p n --budget 1s --cases bomb.csv.gz -- true {n} 2>&1 | head -1
foretime: bomb.csv.gz:2: column 1: the line is longer than 1048576 bytes

## A cell is a word to --prepare, and no command.
$ printf 'n,path\n1,$(touch pwn)\n2,it'"'"'s\n' > cases.csv; foretime build c n --cases cases.csv --prepare 'echo {path} >> got' --budget 10s --runs 1:1 -- true {path} >/dev/null; sort -u got; ls pwn
$(touch pwn)
it's
ls: cannot access 'pwn': No such file or directory
? 2

$ foretime build c n --cases cases.csv --prepare 'cat "{path}"' --budget 1s -- true {path}; ls pwn
foretime: 'cat "{path}"' has {path} within quotes, where a shell would not take '$(touch pwn)' (line 2 of the cases) for what it is
hint: write {path} without quotes: it is always one word
ls: cannot access 'pwn': No such file or directory
? 2

## A table that somebody tampered with: what it says is refused where it is no number, name or expression; none of it is executed.
$ rows='n,wall_s,outcome,warmup,cost_s,started\n1,1,done,0,1,\n2,2,done,0,2,\n3,3,done,0,3,\n4,4,done,0,4,\n'; for note in "where: n > 0 || __import__('os').system('touch pwn')" 'work: 1/(n-n)' 'where: m < 3' 'cores: -5'; do printf '# foretime: runs 1\n# machine: a\n# name: x\n# %s\n'"$rows" "$note" > m.csv; foretime import m.csv --store m.db 2>&1 | grep -v ^hint; done; ls pwn
foretime: the constraint: <<.*>>
foretime: the work '1/(n-n)' at n=1: <<.*>>
foretime: the constraint 'm < 3' uses 'm', which is no parameter
imported 4 runs at 4 sizes as 'x'
ls: cannot access 'pwn': No such file or directory
? 2

$ printf '# foretime: runs 1\n# machine: a\n# host: $(touch pwn)\n# hash: $(touch pwn)\n# name: `touch pwn`\n'"n,wall_s\n1,1\n2,2\n3,3\n4,4\n" | foretime import - --store m.db; foretime request '_touch_pwn_' n=3 --format slurm --store m.db > s.sh; sh s.sh 2>/dev/null; foretime plot '_touch_pwn_' -o p.svg --store m.db >/dev/null; ls pwn
imported 4 runs at 4 sizes as '_touch_pwn_'
ls: cannot access 'pwn': No such file or directory
? 2

## the same of a name that an older foretime took
$ python3 -c 'import sqlite3; c = sqlite3.connect("m.db"); c.execute("UPDATE program SET name = ? WHERE name = ?", ("`touch pwn`\"$(touch pwn)", "_touch_pwn_")); c.commit()'; foretime request '`touch pwn`"$(touch pwn)' n=3 --format slurm --store m.db > s.sh; test -s s.sh && echo made; sh s.sh 2>/dev/null; foretime request '`touch pwn`"$(touch pwn)' --format snakemake --store m.db | grep -c '^def '; foretime plot '`touch pwn`"$(touch pwn)' -o p.svg --store m.db >/dev/null; ls pwn
made
<<[1-9]>>
ls: cannot access 'pwn': No such file or directory
? 2

## names of counters come from files: one process takes 4,096 of them
$ printf 'n,wall_s\n1,1\n2,2\n3,3\n' >w.csv; foretime import w.csv --name w --store w.db >/dev/null; foretime export w --json --store w.db >w.json; jq -c '.runs |= [range(50) as $i | .[$i % 3] | .size.n = $i + 1 | .samples += ([range(100) | {key: "c\($i * 100 + .)", value: {value: 1, label: "measured", probe: "counters", reason: null}}] | from_entries)]' w.json >many.json; foretime import many.json --name many --store w.db
note: left out 10 rows that cannot be used, the first: counter 'c4096' is one too many: a process can use 4096 names
hint: start foretime again, or read files that have fewer of them
imported 40 runs at 40 sizes as 'many'
