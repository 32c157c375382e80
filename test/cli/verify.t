## SPDX-License-Identifier: GPL-3.0-or-later
## A program that tells its own time: n units of work, FACTOR nanoseconds each, or n^2 with SQUARE set.
$ cat > work <<'END'
> #!/bin/bash
> n=$1
> ns=$((n * ${FACTOR:-1000} + n % 7 * 10))
> [ "$SQUARE" ] && ns=$((n * n * 10))
> printf 'ft1 routine work 1 %d %d %d\n' $ns $ns $n >&$FORETIME_PROBE_FD
> END
> chmod +x work; foretime build work n=100:1600:100 --method naive --limit 8 --runs 2:2 -- ./work {n} >/dev/null 2>&1; foretime list --format names
work

$ foretime verify work --timeout 60s n=800 -r wall_s 2>/dev/null
work on <<.*>>: <<\d+>> runs, the newest <<.*>>
an unchanged program passes with 99 % at least
  n  resource     now  predicted  runs  verdict
800  wall_s  800 us  <<[4-7]\d\d us .. +([89]\d\d us|1\.\d\d ms)>>  3  inside
wall_s: 1.00 times what it was (<<0\.\d\d .. 1\.\d\d>>), over 1 size and 3 runs: inside

$ foretime verify work --timeout 60s n=800 -r wall_s 2>&1 >/dev/null | grep -c '5 % longer would be seen by this model .*, by --against .OLD. .*, and by -r instructions'
1

$ FACTOR=2000 foretime verify work --timeout 60s --budget 3s n=800 -r wall_s --runs 1 2>&1 | tail -5
800  wall_s  1.60 ms  <<[4-7]\d\d us .. +([89]\d\d us|1\.\d\d ms)>>  <<\d+>>  <<\d\d>> % over
wall_s: 2.00 times what it was (<<.*>>), over 1 size and <<\d+ runs?>>: over
foretime: wall_s 1.60 ms at n=800, predicted at most <<.*>>: <<\d\d>> % over
foretime: wall_s is 2.00 times what it was (<<.*>>)

$ FACTOR=2000 foretime verify work --timeout 60s n=800 -r wall_s --budget 3s >/dev/null 2>&1
? 1

$ FACTOR=20000 foretime verify work --timeout 60s n=800 -r wall_s 2>&1 >/dev/null
foretime: wall_s 16.0 ms at n=800, predicted at most <<.*>>: <<1\d|20>> times as much
foretime: wall_s is 20.00 times what it was (<<.*>>)
? 1

## faster is no violation, unless it must not be
$ FACTOR=400 foretime verify work --timeout 60s n=800 -r wall_s 2>/dev/null | tail -3
800  wall_s  320 us  <<[4-7]\d\d us .. +([89]\d\d us|1\.\d\d ms)>>  3  <<[2-5]\d>> % under
wall_s: 0.40 times what it was (<<.*>>), over 1 size and 3 runs: under

$ FACTOR=400 foretime verify work --timeout 60s n=800 -r wall_s --two-sided --budget 3s 2>&1 >/dev/null
foretime: wall_s 320 us at n=800, predicted at least <<[4-7]\d\d>> us: <<[2-5]\d>> % under
foretime: wall_s is 0.40 times what it was (<<.*>>)
? 1

## several sizes and resources share the risk: a fifth of it is for each size alone, the rest for all of them together
$ foretime verify work --timeout 60s n=400 n=800 -r wall_s -r cpu_s --json 2>/dev/null | grep '"confidence'
  "confidence": 0.99,
  "confidence_each": 0.9995,
  "confidence_pooled": 0.996,

## growth
$ foretime verify work --timeout 60s --sweep -r wall_s 2>/dev/null | tail -1
wall_s from n=100 to <<1\d00>> grows as n^1.00 (n), was n^1.00 (n): the exponent changed by <<[+-]0\.\d\d \.\. \+0\.\d\d>>: inside

$ SQUARE=1 foretime verify work --timeout 60s --sweep -r wall_s 2>&1 >/dev/null | tail -1
foretime: wall_s was n^1.00 (n), now looks n^2.00 (n^2): the exponent is larger by 1.00 (<<0\.9\d>> to <<1\.0\d>>)

$ SQUARE=1 foretime verify work --timeout 60s --sweep -r wall_s >/dev/null 2>&1
? 1

$ SQUARE=1 foretime verify work --timeout 60s --sweep -r wall_s --json 2>/dev/null | check-schema verify

$ SQUARE=1 foretime verify work --timeout 60s --sweep -r wall_s --json 2>/dev/null | grep -E '"(was_words|now_words|holds)"'
  "holds": false,
      "was_words": "n",
      "now_words": "n^2",

## another program in its place
$ printf '#!/bin/sh\nFACTOR=3000 ./work $1\n' > slower; chmod +x slower; foretime verify work --timeout 60s n=800 -r wall_s --budget 3s -- ./slower {n} >/dev/null 2>&1
? 1

## a sleep is seen by the clock
$ awk 'BEGIN { print "n,wall_s"; for (n = 1; n <= 4; n++) for (i = 0; i < 3; i++) print n "," n * (1e-4 + i * 1e-6) }' > quick.csv; foretime import quick.csv --name quick --here >/dev/null; foretime verify quick n=2 -r wall_s --runs 1 -- sleep 300 2>&1 >/dev/null
foretime: wall_s over <<[\d.]+ m?s>> at n=2, predicted at most <<.*: .*>>
foretime: wall_s is <<[\d.]+>> times what it was or more (<<[\d.]+>> at least)
? 1

$ foretime verify quick n=2 -r wall_s --timeout 0.5 -- sleep 60 2>&1 >/dev/null | sed 's/ at n.*//'
foretime: wall_s over <<[\d.]+ m?s>>
foretime: wall_s is <<.*>>

## runs of a table
$ foretime import in/cubic.csv --name cubic --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime verify cubic --replay in/cubic.csv | tail -2
wall_s from n=100 to 1000 grows as <<n\^3\.00 \(n\^3\)>>, was <<n\^3\.00 \(n\^3\)>>: the exponent changed by <<-0\.\d\d \.\. \+0\.\d\d>>: inside
peak_rss_bytes from n=100 to 1000 grows as <<.*>>: inside

$ printf 'n,wall_s\n500,0.125\n700,0.9\n' > new.csv; foretime verify cubic --replay new.csv
cubic on <<.*>>: 30 runs, the newest at an unknown time
an unchanged program passes with 99 % at least
  n  resource     now  predicted  runs  verdict
500  wall_s  125 ms  <<1\d\d ms .. +1\d\d ms>>  1  inside
700  wall_s  900 ms  <<3\d\d ms .. +3\d\d ms>>  1  <<2.\d times as much>>
wall_s: 1.6<<\d>> times what it was (<<.*>>), over 2 sizes and 2 runs: inside
foretime: wall_s 900 ms at n=700, predicted at most <<3\d\d>> ms: <<2.\d times as much>>
? 1

$ foretime verify cubic n=500 --replay new.csv --json | check-schema verify

## a verdict follows from what stands beside it
$ for factor in 400 1000 1100 1500 2000; do FACTOR=$factor foretime verify work --timeout 60s --budget 3s n=400,800,1600 -r wall_s -r cpu_s --two-sided --json 2>/dev/null; done > factors; jq -rs '[.[].checks[] | (if .low > .upper then "over" elif .high < .lower then "under" else "inside" end) == .verdict] | [all, length] | @csv' factors; jq -rs '[.[] | .holds == ([.checks[], .shifts[], .growth[] | .verdict == "inside"] | all)] | [all, length] | @csv' factors
true,30
true,5

$ printf 'n,wall_s,outcome\n500,0.125,done\n600,,out of memory\n' > oom.csv; foretime verify cubic --replay oom.csv 2>&1 >/dev/null
foretime: a run at n=600: out of memory
? 1

$ foretime verify cubic n=9 --replay new.csv
foretime: 'new.csv' has no run of these sizes
hint: leave the sizes out: every run of the file is then checked
? 2

## the files of other tools, as import takes them
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/hyperfine.json --here; sed 's/0\.0/0.9/g' $D/hyperfine.json > slow.json; foretime verify fft --replay $D/hyperfine.json -r wall_s 2>/dev/null | tail -1
imported 20 runs at 5 sizes as 'fft'
wall_s from n=65536 to 1048576 grows as <<.*>>: inside

$ foretime verify fft n=65536 --replay slow.json -r wall_s 2>&1 >/dev/null
foretime: wall_s <<9\d\d ms at n=65536, predicted at most .* times as much>>
foretime: wall_s is <<.*>>
? 1

## what it would see, and what makes it see more: it has but a table to learn from
$ foretime verify fft --replay $FORETIME_TEST_SOURCE/test/adapt/data/hyperfine.json -r wall_s --json 2>said | tee seen.json | check-schema verify; sed 's/; .*//' said; jq -c '.shifts[0] | [.seen > 0.15, .limit, .needed]' seen.json
note: wall_s: what takes <<[12]\d.\d>> % longer is seen in 9 of 10 cases, less is seen less often
[true,"runs",null]

## of several programs those of the name; two files; sizes in their paths
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/gbench.json --here 2>/dev/null | tail -2; foretime verify nth n=65536 k=16 --replay $D/gbench.json -r wall_s 2>&1 | grep -v 'is seen' | grep -e left -e '^65536.*inside' | sed 's/^65536.*/1/'
sort    15      5
nth     12      4
note: left out 32 rows that summarise others
note: left out 15 rows of other programs
1

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime verify cubic --replay $D/gbench.json
foretime: the runs are of 2 programs, and not of 'cubic': sort, nth
hint: name the column of names with --by COLUMN, or remove the other programs from the file
? 2

$ printf 'ms,kind\n125,a\n9000,b\n' > 500.csv; printf 'ms,kind\n343,a\n9000,b\n' > 700.csv; foretime verify cubic --replay 500.csv --replay 700.csv --size 'n=path:/(\d+).csv/' --value wall_s=ms:ms --by kind 2>&1
foretime: the runs are of 2 programs, and not of 'cubic': a, b
hint: name the column of names with --by COLUMN, or remove the other programs from the file
? 2

$ sed -i 's/,a/,cubic/' 500.csv 700.csv; foretime verify cubic --replay 500.csv --replay 700.csv --size 'n=path:/(\d+).csv/' --value wall_s=ms:ms --by kind | tail -4
500  wall_s  125 ms  <<1\d\d ms .. +1\d\d ms>>  1  inside
700  wall_s  343 ms  <<3\d\d ms .. +3\d\d ms>>  1  inside
wall_s: 1.00 times what it was (<<.*>>), over 2 sizes and 2 runs: inside

$ foretime verify cubic --replay new.csv --from hyperfine 2>&1 | head -1
foretime: new.csv:1: column <<.*>>

## what decides nothing
$ foretime verify cubic n=500
foretime: the command of 'cubic' is not known: its runs come from elsewhere
hint: write it behind --, or give the new runs: --replay FILE
? 2

$ foretime verify cubic n=500 -- false
foretime: a run at n=500: failed with status 1
? 2

$ foretime verify cubic n=500 --replay new.csv -r peak_rss_bytes
foretime: no new run has a value of 'peak_rss_bytes'
? 2

## one that means nothing
$ printf 'n,wall_s\n1,1\n2,0.1\n4,9\n8,1\n16,20\n' > wild.csv; foretime import wild.csv --name wild --here; foretime verify wild --replay wild.csv 2>&1 | tail -2
imported 5 runs at 5 sizes as 'wild'
foretime: the contract is too wide to mean anything: wall_s is <<.*>> times what it was
hint: <<.+>>

## but that it takes less: only --two-sided asks by how much
$ sed 's/,\(.*\)/,\1e-5/' wild.csv | sed '1s/.*/n,wall_s/' > less.csv; foretime verify wild --replay less.csv >/dev/null 2>&1; echo $?
0


## another program than was meant: it ends at once, or is none; no runs, no such size
$ foretime verify cubic n=500 -r wall_s --budget 3s -- echo {n} 2>/dev/null | grep '^500'; foretime verify cubic n=500 -r wall_s --two-sided --budget 3s -- echo {n} >/dev/null 2>&1; echo $?
500  wall_s  <<.* % under>>
1

$ foretime verify cubic n=500 -- sh -c 'kill -SEGV $$'
foretime: a run at n=500: crashed: Segmentation fault
? 2

$ foretime verify nobody n=500
foretime: the store <<.*>> has no program 'nobody'
hint: <<.*>>
? 2

$ foretime verify cubic q=500
foretime: 'cubic' has no parameter 'q'
hint: <<.*>>
? 2

$ foretime verify cubic n=500 --replay new.csv --confidence 10%
foretime: a confidence of 0.1 is not within 0.5 and 0.9999
hint: state how often an unchanged program passes, as in 99%
? 2

$ foretime verify cubic --replay new.csv --sweep
foretime: --replay and --sweep exclude each other
hint: leave one of them out
? 2

$ foretime verify cubic --sweep n=5 -- true
foretime: 'n=5' and --sweep exclude each other
? 2

$ foretime verify work --runs 0 n=5
foretime: --runs 0: nothing would be run
? 2

$ foretime verify
foretime: missing NAME; usage: foretime verify NAME n=2048 [m=100] [OPTION...] [-- PROG ARG... {n} ...]
hint: foretime list shows the names
? 2

## 15 % slower over all sizes: no run is out of the way alone; on busy machines the interval is wider
$ awk -F, 'NR == 1 || /^#/ { print; next } { OFS = ","; $2 *= 1.15; print }' in/cubic.csv > slower.csv; foretime verify cubic --replay slower.csv -r wall_s 2>&1 >/dev/null | tail -1
foretime: wall_s is 1.15 times what it was (1.<<0\d>> .. 1.2<<\d>>)

## the old program and the new one in turn: no store, no models
$ FORETIME_STORE=/nonexistent/s.db foretime verify --timeout 60s job n=400:1600:*2 -r wall_s --against './work {n}' -- ./work {n}
job: the old program and the new one, alternately
an unchanged program passes with 99 % at least
   n  resource  now  predicted  runs  verdict
 400  wall_s  400 us  396 us ..  404 us  5  inside
 800  wall_s  800 us  792 us ..  808 us  5  inside
1600  wall_s  1.60 ms  1.58 ms ..  1.62 ms  5  inside
wall_s: 1.0000 times what it was (1.0000 .. 1.0000), over 3 sizes and 15 runs: inside
wall_s from n=400 to 1600 grows as n^1.00 (n), was n^1.00 (n): the exponent changed by <<[+-]0\.\d\d \.\. \+0\.\d\d>>: inside

$ foretime verify --timeout 60s n=400:1600:*2 -r wall_s --against './work {n}' -- env FACTOR=1100 ./work {n} 2>&1 >/dev/null | tail -1
foretime: wall_s is 1.1000 times what it was (1.1000 .. 1.1000)

## a routine of another name is told of, and verified by its own
$ (cat work; sed -n 's/routine work/routine fft/p' work) > parts; chmod +x parts; foretime verify parts n=400,800,1600 -r wall_s --timeout 60s --against './parts {n}' -- ./parts {n} 2>&1 | grep 'its routine'; foretime verify parts/fft n=400,800,1600 -r wall_s --timeout 60s --against './parts {n}' -- ./parts {n} 2>&1 | grep -c 'its routine'
note: the program reports its routine 'work', and the process was verified: foretime verify parts/work verifies that
0
? 1

## a bad moment is no change: the runs are made again later, and all of them judge
$ printf '%s\n' '#!/bin/bash' 'echo >> calls; [ $(wc -l < calls) -gt 7 ] || export FACTOR=1500' 'exec ./work $1' > moody; chmod +x moody; foretime verify --timeout 60s n=400:1600:*2 -r wall_s --against './work {n}' -- ./moody {n} 2>/dev/null | tail -2
wall_s: 1.00<<\d*>> times what it was (<<.*>>), over 3 sizes and <<\d\d>> runs: inside
wall_s from n=400 to 1600 grows as <<.*>>: inside

## what lasts is said after two moments
$ printf '%s\n' '#!/bin/bash' 'echo >> all' 'FACTOR=1500 exec ./work $1' > lasting; chmod +x lasting; foretime verify --timeout 60s n=400:1600:*2 -r wall_s --against './work {n}' -- ./lasting {n} >/dev/null 2>&1; wc -l < all
10

$ foretime verify --timeout 60s n=400 -r wall_s --against "sh -c 'FACTOR=2000 ./work \$1' 'a \"b' {n}" --json -- ./work {n} | check-schema verify

$ foretime verify --timeout 60s n=400 -r mem --against 'sh -c "./work {n}; true"' --json -- sh -c './work {n}; true' 2>/dev/null | jq -r '.checks[].resource'
peak_tree_bytes

$ foretime verify n=400 --against "sh -c 'x" -- ./work {n}
foretime: a quote is not closed
hint: --against takes the old command in one text, as in --against 'old {n}'
? 2

$ foretime verify n=400 --against ./work
foretime: --against compares it with which program?
hint: write the new one behind --, as in --against 'old {n}' -- new {n}
? 2

$ foretime verify --against './work {n}' -- ./work {n}
foretime: at which sizes?
hint: write n=1000:16000:*2, or n=1000,4000,16000
? 2

$ foretime verify n=400 --against false -- ./work {n}
foretime: a run of the old program at n=400: failed with status 1
? 2

## what a run had taken when it was ended is a lower bound, of whatever was promised
$ foretime verify n=400,800,1600 -r wall_s --runs 2 --timeout 2s --against './work {n}' -- sh -c 'if [ {n} = 1600 ]; then sleep 60; else ./work {n}; fi' 2>&1 | grep -E 'over|or more|at least, was'
1600  wall_s  over <<[\d.]+ m?s .* times as much>>
wall_s: <<.*>> times what it was or more (<<.*>>
wall_s from n=400 to 1600 grows as <<.*>> at least, was <<.*>>: the exponent is larger by <<.*>> or more: <<.*>>
foretime: wall_s over <<[\d.]+ m?s>> at n=1600, predicted at most <<.*>>

## a budget, and none that suffices
$ foretime verify n=1 -r wall_s --budget 10ms --against 'sleep 1' -- sleep 1
foretime: the budget ended before a run did
hint: give it more time, or name smaller sizes
? 2

## for a CI
$ mkdir old new; cp work old/sort; cp work new/sort; sed -n 's/^ *run: \(foretime .*\)/\1/p' $FORETIME_TEST_SOURCE/doc/contract.yml > steps; cat steps | wc -l; sed 's/-r instructions/-r wall_s --timeout 60s/' steps > timed; GITHUB_STEP_SUMMARY=both.md sh timed; grep -c 'holds' both.md
1
::notice title=sort::wall_s is 1.00<<0*>> times what it was (<<.*>>)
1

$ GITHUB_STEP_SUMMARY=summary.md foretime verify work --timeout 60s n=400,800 -r wall_s --format github 2>/dev/null
::notice title=work::wall_s is 1.00 times what it was (<<.*>>)

$ sed 's/^#* *//' summary.md
foretime verify work: the contract holds
- wall\_s is 1.00 times what it was (<<.*>>): inside
| size | resource | now | predicted | runs | verdict |
|---|---|---|---|---|---|
| n=400 | wall_s | 400 us | <<.*>> | 3 | inside |
| n=800 | wall_s | 800 us | <<.*>> | 3 | inside |

$ GITHUB_STEP_SUMMARY= FACTOR=3000 foretime verify work --timeout 60s --budget 3s n=400,800 -r wall_s --format github | head -2
::error title=work::wall_s 1.20 ms at n=400, predicted at most <<.*>>
::error title=work::wall_s 2.40 ms at n=800, predicted at most <<.*>>

$ FACTOR=3000 foretime verify work --timeout 60s --budget 3s n=400,800 -r wall_s --format junit
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="foretime verify work" tests="3" failures="3">
  <testcase classname="work" name="wall_s n=400">
    <failure message="wall_s 1.20 ms at n=400, predicted at most <<.*>>"/>
  </testcase>
  <testcase classname="work" name="wall_s n=800">
    <failure message="wall_s 2.40 ms at n=800, predicted at most <<.*>>"/>
  </testcase>
  <testcase classname="work" name="wall_s over all sizes">
    <failure message="wall_s is <<.*>>"/>
  </testcase>
</testsuite>
? 1

$ foretime verify work n=400 --format gitlab
foretime: option --format: 'gitlab' is none of its words
hint: write text, json, github or junit
? 2
