## SPDX-License-Identifier: GPL-3.0-or-later
## Closed and full streams, the place of the store.
$ foretime import in/cubic.csv --name c >/dev/null; ls data/foretime
store.db

$ foretime predict c n=1:20000 --csv | head -1
n,value,accuracy,lower,upper,basis,distance

$ foretime predict c n=1:20000 --csv > /dev/full
foretime: cannot write to standard output: No space left on device
hint: what was printed is not complete: make room there, or print elsewhere
? 2

$ foretime list > /dev/full
foretime: cannot write to standard output: No space left on device
hint: what was printed is not complete: make room there, or print elsewhere
? 2

$ foretime rm nothing >&-
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: foretime list shows the names that there are
? 2

$ FORETIME_STORE=$PWD/e.db foretime import in/cubic.csv --name d >/dev/null; FORETIME_STORE=e.db foretime list --format names
d

$ foretime list --format names --store e.db
d

## What is opened takes the place of no closed stream: no note lands in the file.
$ printf 'n,wall_s,outcome\n1,0.1,done\n2,0.2,done\n3,,failed\n' > f.csv; foretime import f.csv --name f >/dev/null
$ foretime export f --format extrap -o f.txt 2>&-; tail -n 2 f.txt
DATA 0.1
DATA 0.2

$ foretime run -- cat <&- 2>/dev/null; echo $?
0

## Arguments may be bytes of any kind; JSON has the characters among them.
$ foretime build j n=1:2 --limit 2 --runs 1:1 -- true "$(printf 'a\355\240\200x\365y')" {n} >/dev/null; foretime show j --json | jq -c .argv
["true","axy","{n}"]

## A table that cannot be read twice tells all it has the first time, its machine too.
$ (printf '# machine: 00000000000000aa\n# host: alpha\n'; cat in/cubic.csv) > noted.csv; mkfifo pipe; cat noted.csv > pipe & foretime build a n --replay pipe --store p.db >/dev/null; foretime build b n --replay - --store p.db < noted.csv >/dev/null; foretime list --json --store p.db | jq -c '[.programs[] | [.name, .machine]]'
[["a","alpha"],["b","alpha"]]

## The file that becomes FILE is ours: what stands at its name is not written through.
$ echo kept > victim; sh -c 'ln -s victim .$$.c.csv; exec foretime export c --csv -o c.csv'; cat victim; head -n 1 c.csv | cut -c 1-9; ls -A | grep '^[.][0-9]'; :
kept
# machine
