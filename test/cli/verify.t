## SPDX-License-Identifier: GPL-3.0-or-later
## A program that tells its own time: n units of work, FACTOR nanoseconds each, or n^2 with SQUARE set.
$ cat > work <<'END'
> #!/bin/bash
> n=$1
> ns=$((n * ${FACTOR:-1000} + n % 7 * 10))
> [ "$SQUARE" ] && ns=$((n * n * 10))
> printf 'ft1 routine work 1 %d %d %d\n' $ns $ns $n >&$FORETIME_PROBE_FD
> END
> chmod +x work; foretime build work n=100:1600:100 -- ./work {n} >/dev/null 2>&1; foretime list --names
work

$ foretime verify work n=800 -r wall_s
work on <<.*>>: <<\d+>> runs, the newest <<.*>>
an unchanged program passes with 99 % at least
  n  resource     now  promised  runs  verdict
800  wall_s  800 us  <<7\d\d us .. +8\d\d us>>  3  inside

$ FACTOR=2000 foretime verify work n=800 -r wall_s --repetitions 1 2>&1 | tail -2
800  wall_s  1.60 ms  <<7\d\d us .. +8\d\d us>>  1  <<[789]\d>> % over
foretime: wall_s 1.60 ms at n=800, promised at most <<8\d\d>> us: <<[789]\d>> % over

$ FACTOR=2000 foretime verify work n=800 -r wall_s >/dev/null 2>&1
? 1

$ FACTOR=20000 foretime verify work n=800 -r wall_s 2>&1 >/dev/null
foretime: wall_s 16.0 ms at n=800, promised at most <<8\d\d>> us: <<1[89]|20>> times as much
? 1

## faster is no violation, unless it must not be
$ FACTOR=400 foretime verify work n=800 -r wall_s | tail -1
800  wall_s  320 us  <<7\d\d us .. +8\d\d us>>  3  <<5\d>> % under

$ FACTOR=400 foretime verify work n=800 -r wall_s --strict 2>&1 >/dev/null
foretime: wall_s 320 us at n=800, promised at least <<7\d\d>> us: <<5\d>> % under
? 1

## several sizes and resources share the risk
$ foretime verify work n=400 n=800 -r wall_s -r cpu_s | sed -n 2p
an unchanged program passes with 99 % at least: 4 checks, each with 99.8 %

## growth
$ foretime verify work --sweep -r wall_s | tail -1
wall_s from n=100 to <<1\d00>> grows as n^1.00 (n), was n^1.00 (n): inside

$ SQUARE=1 foretime verify work --sweep -r wall_s 2>&1 >/dev/null | tail -1
foretime: wall_s was n^1.00 (n), now looks n^2.00 (n^2): the exponent is larger by 1.00 (<<0\.9\d>> to <<1\.0\d>>)

$ SQUARE=1 foretime verify work --sweep -r wall_s >/dev/null 2>&1
? 1

$ SQUARE=1 foretime verify work --sweep -r wall_s --json 2>/dev/null | check-schema verify

$ SQUARE=1 foretime verify work --sweep -r wall_s --json 2>/dev/null | grep -E '"(was_words|now_words|holds)"'
  "holds": false,
      "was_words": "n",
      "now_words": "n^2",

## another program in its place
$ printf '#!/bin/sh\nFACTOR=3000 ./work $1\n' > slower; chmod +x slower; foretime verify work n=800 -r wall_s -- ./slower {n} >/dev/null 2>&1
? 1

## a sleep is seen by the clock
$ foretime build quick n=1:4 --budget 3s -- sh -c 'sleep 0.0{n}' >/dev/null 2>&1; foretime verify quick n=2 -r wall_s --repetitions 1 -- sh -c 'sleep 2.{n}' 2>&1 >/dev/null
foretime: wall_s <<[2-9]\.\d+ s at n=2, promised at most .*: .*>>
? 1

$ foretime verify quick n=2 -r wall_s --timeout 0.5 -- sleep 60 2>&1 >/dev/null | sed 's/ at n.*//'
foretime: wall_s over <<[5-9]\d\d ms|[\d.]+ s>>

## runs of a table
$ foretime import in/cubic.csv --name cubic --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime verify cubic --runs in/cubic.csv | tail -2
wall_s from n=100 to 1000 grows as <<n\^3\.00 \(n\^3\)>>, was <<n\^3\.00 \(n\^3\)>>: inside
peak_rss_bytes from n=100 to 1000 grows as <<.*>>: inside

$ printf 'n,wall_s\n500,0.125\n700,0.9\n' > new.csv; foretime verify cubic --runs new.csv
cubic on <<.*>>: 30 runs, the newest at an unknown time
an unchanged program passes with 99 % at least: 2 checks, each with 99.5 %
  n  resource     now  promised  runs  verdict
500  wall_s  125 ms  <<1\d\d ms .. +1\d\d ms>>  1  inside
700  wall_s  900 ms  <<3\d\d ms .. +3\d\d ms>>  1  <<2.\d times as much>>
foretime: wall_s 900 ms at n=700, promised at most <<3\d\d>> ms: <<2.\d times as much>>
? 1

$ foretime verify cubic n=500 --runs new.csv --json | check-schema verify

$ printf 'n,wall_s,outcome\n500,0.125,done\n600,,out of memory\n' > oom.csv; foretime verify cubic --runs oom.csv 2>&1 >/dev/null
foretime: a run at n=600: out of memory
? 1

$ foretime verify cubic n=9 --runs new.csv
foretime: 'new.csv' has no run of these sizes
hint: leave the sizes out: every run of the file is then checked
? 2

## the files of other tools, as import takes them
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/hyperfine.json --here; sed 's/0\.0/0.9/g' $D/hyperfine.json > slow.json; foretime verify fft --runs $D/hyperfine.json -r wall_s | tail -1
imported 20 runs at 5 sizes as 'fft'
wall_s from n=65536 to 1048576 grows as <<.*>>: inside

$ foretime verify fft n=65536 --runs slow.json -r wall_s 2>&1 >/dev/null
foretime: wall_s <<9\d\d ms at n=65536, promised at most .* times as much>>
? 1

## of several programs those of the name; two files; sizes in their paths
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/gbench.json --here 2>/dev/null | tail -2; foretime verify nth n=65536 k=16 --runs $D/gbench.json -r wall_s | grep -c inside
sort    15      5
nth     12      4
note: left out 32 rows that summarise others
note: left out 15 rows of other programs
1

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime verify cubic --runs $D/gbench.json
foretime: the runs are of 2 programs, and none is called 'cubic': sort, nth
hint: --by COLUMN says which column has the name; or leave the others out of the file
? 2

$ printf 'ms,kind\n125,a\n9000,b\n' > 500.csv; printf 'ms,kind\n343,a\n9000,b\n' > 700.csv; foretime verify cubic --runs 500.csv --runs 700.csv --size 'n=path:/(\d+).csv/' --value wall_s=ms:ms --by kind 2>&1
foretime: the runs are of 2 programs, and none is called 'cubic': a, b
hint: --by COLUMN says which column has the name; or leave the others out of the file
? 2

$ sed -i 's/,a/,cubic/' 500.csv 700.csv; foretime verify cubic --runs 500.csv --runs 700.csv --size 'n=path:/(\d+).csv/' --value wall_s=ms:ms --by kind | tail -2
500  wall_s  125 ms  <<1\d\d ms .. +1\d\d ms>>  1  inside
700  wall_s  343 ms  <<3\d\d ms .. +3\d\d ms>>  1  inside

$ foretime verify cubic --runs new.csv --format hyperfine 2>&1 | head -1
foretime: new.csv:1: column <<.*>>

## what decides nothing
$ foretime verify cubic n=500
foretime: the command of 'cubic' is not known: its runs come from elsewhere
hint: write it behind --, or give the new runs: --runs FILE
? 2

$ foretime verify cubic n=500 -- false
foretime: a run at n=500: failed with status 1
? 2

$ foretime verify cubic n=500 --runs new.csv -r peak_rss_bytes
foretime: no new run has a value of 'peak_rss_bytes'
? 2

$ foretime verify cubic n=500 --runs new.csv --confidence 10%
foretime: a confidence of 0.1 is not within 0.5 and 0.9999
hint: state how often an unchanged program shall pass, as in 99%
? 2

$ foretime verify cubic --runs new.csv --sweep
foretime: --runs excludes --sweep
? 2

$ foretime verify cubic --sweep n=5 -- true
foretime: 'n=5' and --sweep exclude each other
? 2

$ foretime verify work --repetitions 0 n=5
foretime: --repetitions 0: nothing would be run
? 2

$ foretime verify
foretime: which contract? its NAME stands before the sizes
hint: foretime list shows the names
? 2
