## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' >/dev/null; foretime show cubic
name       cubic
work       n^3
parameter  n = 100 .. 1000
machine    elsewhere, not this one
runs       30 at 10 sizes, 0 failed, the newest at an unknown time

wall_s by size
   n  runs   median  minimum  maximum
 100     3  1.00 ms   990 us  1.01 ms
 200     3  8.00 ms  7.92 ms  8.08 ms
 300     3  27.0 ms  26.7 ms  27.3 ms
 400     3  64.0 ms  63.4 ms  64.6 ms
 500     3   125 ms   124 ms   126 ms
 600     3   216 ms   214 ms   218 ms
 700     3   343 ms   340 ms   346 ms
 800     3   512 ms   507 ms   517 ms
 900     3   729 ms   722 ms   736 ms
1000     3   1.00 s   990 ms   1.01 s

model <<.*>>
wall_s <<.*[\d.]+ %.*>>
peak_rss_bytes <<.*[\d.]+ %.*>>

## with -v what else is known; without it the same in 24 lines, of however many sizes and resources
$ foretime show cubic -v | sed -n '/^hash/,/^runs/p'
hash       none: the runs come from a file
work       n^3
method     none: no build yet
parameter  n = 100 .. 1000, stride 1
machine    elsewhere, not this one
runs       30 at 10 sizes, 0 failed, the newest at an unknown time
$ awk 'BEGIN { print "n,m,wall_s,cpu_s,peak_rss_bytes,read_bytes,write_bytes,major_faults,instructions"; for (n = 1; n <= 62; n++) printf "%d,%d,%g,%g,%d,%d,%d,%d,%d\n", n * 10, n % 2, n, n, 4096 * n, n, n, n, 1000 * n }' >wide.csv; foretime import wide.csv n m --name wide >/dev/null; foretime show wide | wc -l; foretime show wide | awk 'length > 80'; foretime show wide | grep -E -e '-v$|^ *(10|620) '
24
<< *10 +1 +1 .*>>
<< *620 +0 +1 .*>>
<<and 5\d more sizes: -v>>
<<and \d+ more models?: -v>>

## sizes spread over the range, as logarithms have it, where most of them lie at its lower end
$ awk 'BEGIN { print "n,wall_s"; for (i = 0; i < 62; i++) printf "%d,%.6g\n", i < 50 ? 10 + i : 60 * 1.5 ^ (i - 49), i + 1 }' >spread62.csv; foretime import spread62.csv --name spread62 >/dev/null; foretime show spread62 | awk '/^ *[0-9]+ +1 / { if (before) { r = log($1 / before); least = !least || r < least ? r : least; most = r > most ? r : most } before = $1; n++ } END { print n, most < 3 * least }'
10 1

$ foretime show cubic --resource peak_rss_bytes | grep -A2 'by size'
peak_rss_bytes by size
   n  runs    median   minimum   maximum
 100     3  1.03 MiB  1.03 MiB  1.03 MiB

$ foretime show cubic --json | check-schema show

$ foretime build half n=1:3 --runs 2:2 -- sh -c 'test {n} != 2 || { echo oh; echo dear; exit 9; } >&2' >/dev/null; foretime show half
name       half
command    sh -c 'test {n} != 2 || { echo oh; echo dear; exit 9; } >&2'
parameter  n = 1 .. 3
machine <<.*>>
runs       7 at 3 sizes, 2 failed, the newest <<.*>>

wall_s by size
n  runs  median   minimum    maximum  failures
1     2  <<[\d.]+ [mu]?s>>  <<[\d.]+ [mu]?s>>  <<[\d.]+ [mu]?s>>
2     0       -       -       -  2: failed with status 9: dear
3     2  <<[\d.]+ [mu]?s>>  <<[\d.]+ [mu]?s>>  <<[\d.]+ [mu]?s>>

model <<.*>>
wall_s <<.*[\d.]+ %.*>>
...

$ foretime show half --json | check-schema show

## What the runs before said of each: the first four sizes came three times each, and nobody foretold the first run.
$ foretime show cubic --kept 30 | sed -n '/predicted/,+6p'
wall_s predicted before each run, 90 % intervals
<<\d+ of \d+ runs inside, \d+ below, \d+ above: coverage \d+ % \(95 % confidence: \d+ .. \d+ %\)>>
<<\d+ runs? without a prediction: too few runs before>>
began                  n     took <<.*>>
at an unknown time   100 <<.*>>
...
$ foretime show cubic --kept 30 --json | tee kept.json | check-schema show; jq -c '.coverage | [.inside + .less + .more + .unpredicted, (.runs | length), .runs[0].predicted, .runs[0].fate, .runs[29].predicted.lower < .runs[29].predicted.upper, .confidence]' kept.json
[30,30,null,"not predicted",true,0.9]
$ foretime show cubic --json | jq 'has("coverage")'
false
$ foretime show cubic --kept 1001
foretime: option --kept: '1001' is not a whole number in range
hint: write one from 1 to 1000
? 2

$ foretime build none n=1:2 --runs 2:2 -- false {n} >/dev/null 2>&1; foretime show none
name       none
command    false {n}
parameter  n = 1 .. 2
machine <<.*>>
runs       5 at 2 sizes, 5 failed, the newest <<.*>>

wall_s by size
n  runs  median  minimum  maximum  failures
1     0       -      -     -  2: failed with status 1
2     0       -      -     -  2: failed with status 1

no model: no run ended well

$ foretime show none --json | check-schema show

$ foretime show
foretime: missing NAME; usage: foretime show NAME [OPTION...]
hint: foretime list shows the names
? 2

$ foretime show cubic two
foretime: 'show' takes one NAME, not 'two'
hint: foretime list shows the names, foretime show --help the usage
? 2

$ foretime show cubi
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'cubi'
hint: the nearest name is 'cubic'; foretime list shows all
? 2

$ foretime show cubic --resource x
foretime: no run of 'cubic' has a value of 'x'
hint: there are values of time (wall_s), memory (peak_rss_bytes)
? 2

$ foretime show cubic --machine nowhere
foretime: 'cubic' was not measured on 'nowhere'
hint: choose one with --machine: elsewhere
? 2

## what jobs asked for, and used
$ printf '%s\n' 'JobID|JobName|State|Start|Elapsed|TimelimitRaw|ReqMem|MaxRSS|n' '1|a|COMPLETED|2026-01-01T10:00:00|00:10:00|60|4G||100' '1.batch|a|COMPLETED||00:10:00|||1000000K|' '2|a|COMPLETED|2026-01-01T11:00:00|00:20:00|Partition_Limit|4Gc||200' '2.batch|a|COMPLETED||00:20:00|||2000000K|' '3|a|TIMEOUT|2026-01-01T12:00:00|01:00:00|60|4000Mn||300' >jobs.txt; foretime import jobs.txt n --name jobs
imported 3 runs at 3 sizes as 'jobs'

$ foretime show jobs --asked 9 | sed -n '/with a request/,$p'
2 jobs with a request: <<.*>>; 1 met their time limit, 0 their memory limit
began           n              requested         took  requested     used
<<.*ago +100 +done +1 h 00 min +10 min 00 s +4.00 GiB +977 MiB>>
<<.*ago +300 +timed out.* +1 h 00 min +1 h 00 min +3.91 GiB +->>

$ foretime show jobs --asked 9 --json >told; check-schema show <told; grep -c '"requested_s": 3600' told; foretime show jobs --asked 1 --json | grep -c '"requested_s"'
2
1

$ foretime export jobs --json | grep -c requested_s; foretime export jobs --json >jobs.json; foretime import jobs.json --name again >/dev/null; foretime show again --asked 9 | sed -n 's/: .*//;/with a request/p'
2
2 jobs with a request

## nodes and users of records
$ node() { echo 'JobID|JobName|State|Start|Elapsed|NodeList|User|n'; i=0; while [ $i -lt 40 ]; do i=$((i + 1)); k=$((1 + i % 5)); echo "$i|a|COMPLETED|2026-01-0$((1 + i / 10))T1$((i % 10)):00:00|00:$((10 + k * 4 + $1 * (i % 3))):0$((i % 7))|n$((17 + $1 * (i % 3)))|alice|$((100 * k))"; done; }; node 0 >one.txt; node 3 >three.txt; foretime import one.txt n --name one; foretime import three.txt n --name three
imported 40 runs at 5 sizes as 'one'
imported 40 runs at 5 sizes as 'three'

$ foretime predict one n=300 -v | grep 'one node'; foretime predict three n=300 -v | grep 'nodes'; foretime predict three n=300 --json >told; check-schema predict <told; jq -c '.batches | [.of, .count, .hours, .nodes, .users]' told; foretime export three --json | grep -c alice
wall_s: 40 runs, all of one node (n17) and of one user: others may differ by 2.53 %
wall_s: 40 runs, all of one user: those of 3 nodes differ by <<[\d.]+ %>>
["nodes",3,<<\d+>>,3,1]
0
? 1

$ foretime export three --json >three.json; foretime import three.json --name anew >/dev/null; foretime predict anew n=300 -v | grep -c 'of 3 nodes'
1

## Of very many runs few are read from the second time on: what is shown stays the same, until a run comes.
$ awk 'BEGIN { print "n,wall_s,peak_rss_bytes"; for (i = 0; i < 6000; i++) { n = 10 + (i * 7) % 40 / (i == 3 ? 8 : 1); printf "%.17g,%.6g,%d\n", n, .001 * n * (1 + i % 7 / 100), 4096 * int(100 + n) } }' >many.csv
$ foretime import many.csv --name many
imported 6000 runs at 41 sizes as 'many'

$ for r in wall_s peak_rss_bytes; do for i in 1 2 3; do foretime show many -r $r -v >many-$r-$i; foretime show many -r $r --json >many-$r-$i.json; done; cmp many-$r-1 many-$r-3; cmp many-$r-2.json many-$r-3.json; done; sed -nE '/^parameter/,/^ +12 /p' many-wall_s-3
parameter  n = 10 .. 49, stride 0.001
machine    elsewhere, not this one
runs       6000 at 41 sizes, 0 failed, the newest at an unknown time

wall_s by size
     n  runs   median  minimum  maximum
    10   150  10.3 ms  10.0 ms  10.6 ms
    11   150  11.3 ms  11.0 ms  11.7 ms
    12   150  12.4 ms  12.0 ms  12.7 ms

$ printf 'n,wall_s,peak_rss_bytes\n12,1,4096\n' >one.csv; foretime import one.csv --name many >/dev/null; foretime show many -v | grep -E '^ +12 '
    12   151  12.4 ms  12.0 ms   1.00 s

## Of several parameters the corner that is known least is named, in text and in JSON.
$ awk 'BEGIN { print "data,machines,wall_s"; for (i = 0; i < 40; i++) { d = 2 ^ (i * 7 % 8); m = 2 + 2 * (i * 3 % 5); if (d < 100 || m < 8) printf "%d,%d,%.6g\n", d, m, 3 + 20 * d / m * (1 + i % 3 / 50) } }' >spread.csv
$ foretime import spread.csv data machines --name spread >/dev/null; foretime show spread --json >spread.json; check-schema show <spread.json; foretime show spread -v | grep corner
wall_s: <<.*worst corner,? data=128 machines=10.* [\d.]+ %.*>>

$ jq -c '.models[0] | [.worst, .corner.size, .corner.accuracy > .accuracy]' spread.json
[null,{"data":128,"machines":10},true]
