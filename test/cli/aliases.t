## SPDX-License-Identifier: GPL-3.0-or-later
## Other spellings: short ones, and those of before, which do what the present ones do and stand in no list.
$ foretime import in/cubic.csv --name cubic --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime ls > 1; foretime list > 2; cmp 1 2 && wc -l < 1
2

$ foretime import in/cubic.csv --name gone --here >/dev/null 2>&1; foretime delete gone; foretime import in/cubic.csv --name gone --here >/dev/null 2>&1; foretime remove gone
removed 'gone' with 30 runs
removed 'gone' with 30 runs

$ for v in version --version -V 'help --version'; do foretime $v; done | sort | uniq -c
<<\s*4>> foretime <<\d+\.\d+\.\d+>>

$ foretime program set cubic --require memory=1GiB; foretime program show cubic > 1; foretime set cubic > 2; cmp 1 2; grep requires 1; foretime program unset cubic; foretime set cubic | tail -1
requires memory 1GiB
nothing was said of it

$ foretime doctor --json > 1; foretime machine info --json > 2; cmp 1 2; check-schema doctor < 1

$ foretime pack --cores 0; foretime plan pack --cores 0
foretime: which program?
hint: foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...
foretime: which program?
hint: foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...
? 2

$ foretime load import; foretime machine load import
foretime: missing FILE.csv; usage: foretime machine load import FILE.csv [OPTION...]
foretime: missing FILE.csv; usage: foretime machine load import FILE.csv [OPTION...]
? 2

$ echo '{}' > none.json; for c in kernel device; do foretime $c evaluate none.json n=1; done
foretime: 'none.json' has no expressions of a kernel
hint: foretime device features ... --expressions --json writes such a file
foretime: 'none.json' has no expressions of a kernel
hint: foretime device features ... --expressions --json writes such a file
? 2

$ foretime manager --check; foretime serve --check; foretime manager explain
foretime: --check of which configuration?
hint: name it with --config FILE; man foretime-manager.conf says what stands in one
foretime: --check of which configuration?
hint: name it with --config FILE; man foretime-manager.conf says what stands in one
foretime: explain of which configuration?
hint: name it with --config FILE; man foretime-manager.conf says what stands in one
? 2

$ foretime serve --page --socket m.sock
foretime: --page and --socket exclude each other
hint: leave one of them out
? 2

## Help and completion of an old spelling are those of the present one; none is offered.
$ for old in ls delete remove program doctor pack kernel manager load; do foretime $old --help | head -1; done
foretime list: list the programs in the store
foretime rm: remove a program with all its runs and models
foretime rm: remove a program with all its runs and models
foretime set: state what is known of a program before it runs
foretime machine info: say what can be measured on this machine, and what not
foretime plan pack: say how many copies of a program fit on this machine
foretime device: say on which of several devices a routine should run
foretime serve: show the store in a browser, or answer programs (a manager)
foretime machine load: record the load of others, and say what it does to a run

$ foretime help pack | head -1; foretime help plan pack | head -1
foretime plan pack: say how many copies of a program fit on this machine
foretime plan pack: say how many copies of a program fit on this machine

$ { foretime --help=all | sed -n 's/^  \([a-z]*\) .*/\1/p'; foretime help --names; foretime --complete '' | cut -f 1; foretime help --help=man | sed -n 's/^.foretime-\([a-z-]*\).*/\1/p'; ls $FORETIME_TEST_SOURCE/man | sed 's/^foretime-//; s/[.]1[.]scd//'; } > named; for old in ls delete remove version program doctor pack kernel manager load; do grep -x $old named; done; [ $(wc -l < named) -gt 80 ] && echo many
many

$ foretime --complete rm --js | cut -f 1 | grep json; foretime --complete pack --js | cut -f 1 | grep json; foretime --complete plan '' | cut -f 1 | tail -1; foretime --complete plan pack ''
--json
--json
pack
cubic

## At most 20 names in what everybody sees.
$ foretime --help | sed -n '/^every day/,/^more/p' | grep -v '^more' | sed 's/^  \([a-z]*\) .*/\1/; s/.*: *//; s/,//g' | wc -w
20

## Old names of options work, and stand in no help and no completion.
$ foretime list --most 1 > 1; foretime list --limit 1 > 2; cmp 1 2; foretime list --help=all | grep -c -e --most; foretime --complete list --mo | grep -c most
0
0
? 1

$ foretime verify cubic --repetitions 0 n=100; foretime verify cubic -n 0 n=100
foretime: --reps 0: nothing would be run
foretime: --reps 0: nothing would be run
? 2

$ foretime energy peak --watts infr=100,machine=90,core=10 n=36 m=3 > 1; foretime energy peak --powers infr=100,machine=90,core=10 n=36 m=3 > 2; cmp 1 2 && [ -s 1 ]

$ foretime trace fit in/trace.csv -n 3 --csv > 1; foretime trace fit in/trace.csv -k 3 --csv > 2; cmp 1 2 && [ -s 1 ]

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 --repeats 2 > 1; foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 -n 2 > 2; cmp 1 2 && [ -s 1 ]

$ for o in --limit --timeout -t; do foretime slurm status $o 0s; done
foretime: --timeout 0s is no time
foretime: --timeout 0s is no time
foretime: --timeout 0s is no time
? 2
