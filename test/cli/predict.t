## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime predict cubic n=500
cubic: wall time
  n  typical  90 % of runs  basis
500  125 ms  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  measured

$ foretime predict cubic n=550 n=2000
cubic: wall time
   n  typical  90 % of runs  basis
 550  166 ms  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  interpolated
2000  8.00 s  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  extrapolated 2x, n^3

## what the numbers rest on, with -v
$ foretime predict cubic n=550,2000 -v
cubic: wall time
   n  typical  accuracy  90 % of runs  basis                 runs
 550  166 ms  <<[\d.]+ %>>  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  interpolated             6
2000  8.00 s  <<[\d.]+ %>>  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  extrapolated 2x, n^3     9

typical: the middle of many runs; accuracy: how far it may be off, 90 % sure
cubic on <<.*>>: 30 runs, the newest at an unknown time

$ foretime predict cubic n=700:900:100
cubic: wall time
  n  typical  90 % of runs  basis
700  343 ms  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  measured
800  512 ms  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  measured
900  729 ms  <<[\d.]+ m?s \.\. [\d.]+ m?s>>  measured

$ foretime predict cubic n=2000 --csv
n,value,accuracy,lower,upper,basis,distance
2000,<<(7\.99|8\.0)\d*>>,<<0\.\d+>>,<<[\d.]+>>,<<[\d.]+>>,extrapolated,2

$ foretime predict cubic n=500 --csv --resource peak_rss_bytes
n,value,accuracy,lower,upper,basis,distance
500,<<(2999|3000)\d\d\d(\.\d+)?>>,<<0\.\d+>>,<<[\d.]+>>,<<[\d.]+>>,measured,1

$ foretime predict cubic n=500 --csv --resource all
resource,n,value,accuracy,lower,upper,basis,distance
wall_s,500,<<0\.125\d*>>,<<0\.\d+>>,<<[\d.]+>>,<<[\d.]+>>,measured,1
peak_rss_bytes,500,<<(2999|3000)\d\d\d(\.\d+)?>>,<<0\.\d+>>,<<[\d.]+>>,<<[\d.]+>>,measured,1

$ foretime predict cubic n=500 --resource all
cubic: all resources
resource          n  typical  90 % of runs  basis
wall_s 500 125 ms <<[\d.]+ ms \.\. [\d.]+ ms>> measured
peak_rss_bytes 500 2.86 MiB <<[\d.]+ MiB \.\. [\d.]+ MiB>> measured

$ foretime predict cubic n=500 --json | check-schema predict

$ foretime predict cubic n=500 --json --resource all | check-schema predict

$ foretime predict cubic n=500 --confidence 0.5 --json | grep -E '"(confidence|value|basis)"'
  "confidence": 0.5,
      "value": 0.125<<\d*>>,
      "basis": "measured",

$ printf 'n,other\n100,x\n1000,y\n' > sizes.csv; foretime predict cubic --sizes sizes.csv --csv | cut -d, -f1,2,6,7
n,value,basis,distance
100,0.0010<<\d*>>,measured,1
1000,<<(1\.00|0\.99)\d*>>,measured,1

$ foretime import in/two.csv --name two n m --here
imported 6 runs at 6 sizes as 'two'

$ foretime predict two n=10:40:10 m=1 --csv | cut -d, -f1-3,7
n,m,value,basis
10,1,<<0\.(1|09999)\d*>>,measured
20,1,<<0\.(2|19999)\d*>>,measured
30,1,<<0\.(3|29999)\d*>>,interpolated
40,1,<<0\.(4|39999)\d*>>,measured

$ foretime predict two n=10 m=1:2 --csv | cut -d, -f1-3
n,m,value
10,1,<<0\.(1|09999)\d*>>
10,2,<<0\.(2|19999)\d*>>

$ foretime predict two n=10,30:40:10,20 m=1 --csv | cut -d, -f1-3,7
n,m,value,basis
10,1,<<0\.(1|09999)\d*>>,measured
30,1,<<0\.(3|29999)\d*>>,interpolated
40,1,<<0\.(4|39999)\d*>>,measured
20,1,<<0\.(2|19999)\d*>>,measured

$ foretime predict two n=10,,20 m=1
foretime: '' is not a range for parameter 'n'
hint: write a value (n=2048, n=10k, n=1_000_000), a range with or without a stride or a factor (n=64:3000, n=64:3000:8, n=64:4096:*2), or a list (n=64,512,4096)
? 2

$ foretime predict two n=10
foretime: no value for parameter 'm'
hint: add it to the size, as in m=1000
? 2

$ foretime predict
foretime: missing NAME; usage: foretime predict NAME n=2048 [m=100] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime predict n=5
foretime: missing NAME; usage: foretime predict NAME n=2048 [m=100] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime predict cubic
foretime: at which size?
hint: name it behind 'cubic': n=2048, n=64:3000:64 for a range, or --sizes FILE.csv
? 2

$ foretime predict cubic 5
foretime: '5' is not a size: of which parameter?
hint: write n=5
? 2

$ foretime predict cubic q=5
foretime: 'cubic' has no parameter 'q'
hint: its first parameter is 'n'; 'foretime show cubic' lists them all
? 2

$ foretime predict cubic n=9:1
foretime: the range 9:1 of parameter 'n' is reversed
hint: write a value (n=2048, n=10k, n=1_000_000), a range with or without a stride or a factor (n=64:3000, n=64:3000:8, n=64:4096:*2), or a list (n=64,512,4096)
? 2

$ foretime predict cubic n=0:1e9
foretime: 'n=0:1e9' makes more than 1000000 sizes
hint: give the range a larger stride: n=LEAST:MOST:STRIDE
? 2

$ foretime predict cubic n=1:1e7
foretime: 'n=1:1e7' makes more than 1000000 sizes
hint: give the range a larger stride: n=LEAST:MOST:STRIDE
? 2

$ foretime predict cubic n=5 --sizes sizes.csv
foretime: sizes are given twice: by 'n=5' and by --sizes
? 2

$ foretime predict cubic --sizes missing.csv
foretime: cannot open 'missing.csv': No such file or directory
? 2

$ printf 'n\n5\nx\n' > bad.csv; foretime predict cubic --sizes bad.csv
foretime: bad.csv:3: column 1 (n): 'x' is not a number
hint: write digits, as in 3000, 2.5, 1e-6 or 64k
? 2

$ foretime predict cubic n=5 --resource wal_s
foretime: no run of 'cubic' has a value of 'wal_s'
hint: the nearest resource is wall_s
? 2

$ foretime predict cubic n=5 --resource energy_j
foretime: no run of 'cubic' has a value of 'energy_j'
hint: there are values of time (wall_s), memory (peak_rss_bytes)
? 2

## what people type is one of the resources: of memory all processes together, where that is known

$ printf 'n,wall_s,cpu_s,peak_rss_bytes,peak_tree_bytes,energy_j,read_bytes,written_bytes\n1,1,2,3e6,4e6,5,6,7\n2,2,4,6e6,8e6,10,12,14\n3,3,6,9e6,12e6,15,18,21\n' > all.csv; foretime import all.csv --name all
imported 3 runs at 3 sizes as 'all'

$ for r in time wall cpu memory mem ram rss peak_rss_bytes energy reads writes; do foretime predict all n=2 -r $r --json | jq -r .resource; done | xargs
wall_s wall_s cpu_s peak_tree_bytes peak_tree_bytes peak_tree_bytes peak_tree_bytes peak_rss_bytes energy_j read_bytes written_bytes

$ for r in memory mem ram rss; do foretime predict cubic n=5 -r $r --json | jq -r .resource; done | uniq
peak_rss_bytes

$ foretime largest all mem=9MB energy=20J --json | jq -r '.limits[].resource'; foretime show all -r ram --json | jq -r .resource; foretime fit all -r cpu --json | jq -r .resource
peak_tree_bytes
energy_j
peak_tree_bytes
cpu_s

$ foretime predict all n=2 -r disk
foretime: no run of 'all' has a value of 'scratch_bytes'
hint: there are values of time (wall_s), cpu (cpu_s), peak_rss_bytes, memory (peak_tree_bytes), reads (read_bytes), writes (written_bytes), energy (energy_j)
? 2

$ foretime predict all n=2 --price 0.30/kWh -r energy | sed -n 3p | grep -c J
1

$ foretime predict cubic n=5 --csv --json
foretime: csv and json are two formats
hint: choose one of them: --format json
? 2

$ foretime predict cubic n=5 --machine nowhere
foretime: nothing was run on a machine 'nowhere'
hint: export some runs with instructions there and import them here, or state its cycles with --cpi C,hz=F
? 2

## Both machines were calibrated: times from here, as much longer as the micro-benchmarks are there.
$ foretime machine export 2> /dev/null | sed '/^benchmark/q' > near.csv; sed 's/^# machine: .*/# machine: 00000000000000cc/; s/^# host: .*/# host: slow/' near.csv > slow.csv; for b in int_add real_add branch_random load_16k page_touch; do echo $b,1e-9, >> near.csv; echo $b,2e-9, >> slow.csv; done; echo load_64m,1e-7, >> near.csv; echo load_64m,64e-7, >> slow.csv; foretime machine import near.csv --store rows.db | wc -l; foretime machine import slow.csv --store rows.db
1
imported slow<<.*>>: 6 values
$ foretime import in/cubic.csv --name cubic --here --store rows.db; foretime predict cubic n=500 --machine slow --store rows.db
imported 30 runs at 10 sizes as 'cubic'
cubic: wall time on slow
<<  n  typical +90 % of runs  basis +source>>
<<500 +250 ms  [\d.]+ m?s \.\. [\d.]+ m?s>>  measured  times of <<.*>>, calibrations of both
$ for n in 500 5000; do foretime predict cubic n=$n --machine slow --store rows.db -v | grep 'times as long'; done
2 times as long on slow, as 5 micro-benchmarks are, which differ by a factor of 1.00
3.56 times as long on slow, as 6 micro-benchmarks are, which differ by a factor of <<[45]\.\d\d>>
$ foretime predict cubic n=500 --machine slow --store rows.db --json | tee rows.json | check-schema predict; jq -r '.predictions[0].source | sub("of .*, "; "of HERE, ")' rows.json
times of HERE, calibrations of both

$ foretime predict cubik n=5
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'cubik'
hint: the nearest name is 'cubic'; foretime list shows all
? 2

$ foretime predict cubic n=0
foretime: the work 'n^3' is 0 at n=0, and must be positive
hint: change the range, or the expression after --work
? 2

$ foretime build none n=1:2 --runs 2:2 -- false {n} >/dev/null 2>&1; foretime predict none n=1
foretime: no run of 'none' ended well: there is no model
hint: see how they ended: foretime show none
? 1

$ foretime predict cubic n=500 --load heavy
foretime: option --load: 'heavy' is none of its words
hint: write idle, usual or now
? 2

$ foretime predict cubic n=500 --load now | head -1
cubic: wall time under the present load

$ foretime predict cubic n=500 --load now --json | check-schema predict

## Three weeks in which others wanted 6 of 2 processors, but for an hour of the night.
$ foretime predict cubic n=500 --at best
foretime: the background load was recorded for the length of such a run on 0 days, and 3 are needed to compare hours
hint: record it with 'foretime machine load record'
? 1

$ perl -e 'use POSIX; $n = time; $n -= $n % 600; print "time,load\n"; for ($t = $n - 21 * 86400; $t <= $n; $t += 600) { printf "%s,%d\n", strftime("%Y-%m-%dT%H:%M:%SZ", gmtime $t), (gmtime($t - 1))[2] == 3 ? 0 : 6 }' > hours.csv; foretime load import hours.csv --processors 2; foretime load import hours.csv --processors 2 --json | check-schema load; foretime load import hours.csv --processors 2
took in 3025 observations of 21 d 00 h; 0 were known, 0 are older than is kept
took in 0 observations of 0 s; 3025 were known, 0 are older than is kept

$ foretime predict cubic n=500 --at 03:00
cubic: wall time started on <<\w+ \d+ \w+>> 03:00, under the load of the same hour of each day on <<2[12]>> days
 n  typical  90 % of runs  basis
500  <<.*>>

$ for at in 03:00 15:00; do foretime predict cubic n=500 --at $at --json | tee at.json | check-schema predict; grep -o '"slowdown": [0-9.]*' at.json; done
"slowdown": 1<<(\.0*\d*)?>>
"slowdown": 3.<<(5|4999)\d*>>

$ foretime predict cubic n=500 --at best | sed -n '2,7p'
best start: <<\w+ \d+ \w+>> 03:<<\d\d>>, <<.*>> (now: <<.*>>), by the load of the same hour of each day
checked on <<2\d>> past days: at that hour a run took 1<<(\.\d+)?>> times its time on an idle machine, at any hour 3.3<<\d?>>, at the best in hindsight 1<<(\.\d+)?>>

begins typical 90 % of runs slowed load days
<<.*>>
<<.*>>

$ foretime predict cubic n=500 --at best --json | check-schema predict-when

$ foretime predict cubic n=500 --at 2020-01-01
foretime: --at 2020-01-01 is past
hint: give a time to come, as in --at +3h
? 2

$ foretime predict cubic n=500 --at teatime
foretime: 'teatime' is not a time
hint: write --at 22:00, --at 'sat 06:00', --at +3h or --at '2026-12-24 08:00'
? 2

$ foretime predict cubic n=500,600 --at best
foretime: --at best is about one size, not 2
? 2

$ foretime predict cubic n=500 --at best --load usual
foretime: --load and --at exclude each other
hint: leave one of them out
? 2

$ printf 'n,wall_s,outcome\n10,1,done\n20,,crashed\n30,3,done\n40,4,done\n80,,failed\n60,,crashed\n50,,timed out\n' > edge.csv; foretime import edge.csv --here --name edge; foretime predict edge n=70 | tail -1
imported 7 runs at 7 sizes as 'edge'
from n=60 on no run ended well: crashed

$ foretime predict edge n=70 --json | check-schema predict

$ foretime predict edge n=70 --json | jq -c .failing
{"n":60,"outcome":"crashed"}

$ foretime request edge n=70 --format slurm 2>&1 >/dev/null
note: from n=60 on no run ended well: crashed
note: extrapolated 1.75x

$ foretime predict cubic n=500 --json | jq -c .failing
null

## a level of memory on the way
$ { echo '# foretime: runs 1'; echo n,wall_s,peak_tree_bytes; for n in 1 2 4 8 16 32; do echo $n,${n}e-6,$((n * 100)); done; } > held.csv; foretime import held.csv --name held --here >/dev/null; foretime predict held n=1e12 | grep '^beyond the memory'; foretime predict held n=1e12,60 --json | check-schema predict
beyond the memory (<<.*>>): <<.*>> expected, 3.12 KiB in the largest run; the run would page, or be killed: foretime largest finds what fits

$ foretime predict held n=60 | grep -c '^beyond the'
0
? 1

## of very many runs a model takes a while: at a terminal that is told
$ (echo n,wall_s; seq 30000 | sed 's/.*/&,&/') > many.csv; foretime import many.csv --name many --here >/dev/null; script -q -c 'foretime predict many q=1' /dev/null </dev/null | tr -d '\r' | head -2; foretime predict many q=1 2>&1 | grep -c ^note
note: 'many' has 30000 runs: a model of them, where there is none yet, takes
  some seconds to make
0
? 1

## runs that met a limit are lower bounds, and are counted
$ printf 'n,wall_s,outcome\n' >met.csv; for n in 100 200 400 800; do for f in 0.7 0.8 0.9 1 1.1 1.2; do echo "$n $f"; done; done | awk '{ v = $1 * $2; print $1 "," ($2 > 1.05 ? 1.05 * $1 ",timed out" : v ",done") }' >>met.csv; foretime import met.csv --name met --here; foretime predict met n=400 | tail -1; foretime predict met n=400 -v | sed -n 's/[0-9]* of 24 runs/N &/p'
imported 24 runs at 4 sizes as 'met'
400  6 min <<\d\d s .* measured>>
wall_s: N 8 of 24 runs met a limit of 1 min 45 s to 14 min 00 s

$ foretime predict met n=400 --json | tee told | check-schema predict; grep -A4 '"limits": {' told; foretime fit met --json | check-schema fit; foretime fit met | sed -n '/met a limit/p;s/^law .* = //p'
  "limits": {
    "runs": 8,
    "of": 24,
    "least": 105,
    "most": 840
wall_s: 8 of 24 runs met a limit of 1 min 45 s to 14 min 00 s
<<.*>>

$ printf 'n,wall_s,outcome\n10,5,timed out\n20,5,timed out\n' >all.csv; foretime import all.csv --name all --here; foretime predict all n=10
imported 2 runs at 2 sizes as 'all'
foretime: no run of 'all' ended well: the longest was ended at its limit, after 5.00 s: it takes at least that
hint: allow runs more time, or measure smaller sizes
? 1

## what no run needed is not needed at any size; no logarithm tells how nothing grows
$ printf 'n,peak_rss_bytes\n10,0\n20,0\n40,0\n' > nothing.csv; foretime import nothing.csv --name nothing --here > /dev/null; foretime predict nothing n=45,4000 -r peak_rss_bytes --json | jq -c '.predictions[] | [.value, .lower, .upper]'
[0,0,0]
[0,0,0]

## a model that a disk changed is made again from its runs
$ command -v python3 >/dev/null || exit 0
> foretime import in/cubic.csv --name flipped --here --store flipped.db >/dev/null; foretime predict flipped n=700 --csv --store flipped.db > whole
> foretime predict flipped n=700 --csv --store flipped.db | cmp - whole
> python3 -c '
> import sqlite3, subprocess
> other = []
> for at in range(16, 3000, 151):
>     s = sqlite3.connect("flipped.db")
>     model = bytearray(s.execute("SELECT model FROM model").fetchone()[0])
>     model[at % len(model)] ^= 1 << at % 8
>     s.execute("UPDATE model SET model = ?", (bytes(model),))
>     s.commit(); s.close()
>     if subprocess.run(["foretime", "predict", "flipped", "n=700", "--csv", "--store", "flipped.db"], capture_output=True).stdout != open("whole", "rb").read():
>         other.append(at)
> print(len(other))'
0

## Sizes as people write them. Commas group digits where a group begins with 0; else they part the values of a list.
$ for n in 1k 1K 1kB 1,000 1_000 1e3; do foretime predict cubic n=$n | tail -1; done | uniq | wc -l
1

$ foretime predict cubic n=1,000:2,000:500 --json | jq -c '[.predictions[].n]'; foretime predict cubic n=100,200,300 --json | jq -c '[.predictions[].n]'
[1000,1500,2000]
[100,200,300]

$ foretime predict cubic n=1,234 --json | jq -c '[.predictions[].n]'
note: n=1,234 is a list of 2 values; one number has no commas, or '_' for them
[1,234]

$ foretime predict cubic n=1,024,4096
foretime: the commas in n=1,024,4096 neither group digits in threes nor separate values
hint: write n=1,000,000 or n=1_000_000 for one number, and n=1000,2000 for a list
? 2

## Without an answer the one object is printed all the same, and the exit status is 1.
$ foretime predict cubic n=1e14 --json > j; check-schema predict < j; jq -c '[.name, .predictions]' j
foretime: wall_s would be more than 100 years there: nothing known
hint: ask for a size nearer to those that were measured, or measure there
["cubic",[]]

$ foretime predict cubic n=1e14 --json >/dev/null 2>&1
? 1

## A busy machine: wall times are corrected, and the processor time stands in a column of its own.
$ { echo '# foretime: runs 1'; echo n,wall_s,cpu_s,run_delay_s,runnable_before,runnable_after,processors; for n in 1 2 4 8 16 32; do for i in 1 2; do echo "$n,$((n * 9)),$n,$((n * 8)),16,16,2"; done; done; } > busy.csv; foretime import busy.csv --name slowed --here >/dev/null; foretime predict slowed n=4; foretime predict slowed n=4 --load idle -r cpu
slowed: wall time, corrected to an idle machine; --load now gives the current load
n  typical  90 % of runs  processor time  basis
4  4.00 s  <<.* \.\. .*>>  4.00 s  measured
slowed: processor time
n  typical  90 % of runs  basis
4  4.00 s  <<.* \.\. .*>>  measured

## The answer is bold where colours are wanted: never in a pipe, but with --color always; NO_COLOR and --color never take it away.
$ foretime predict cubic n=500 --color always | cat -v | tail -1; foretime predict cubic n=500 | cat -v | grep -c '\^'; foretime predict cubic n=500 --color always --csv | cat -v | grep -c '\^'; foretime predict cubic n=500 --color=red
500  ^[[1m125 ms^[[0m  <<.*>>  measured
0
0
foretime: option --color: 'red' is none of its words
hint: write auto, always or never
? 2

$ for set in NO_COLOR= NO_COLOR=1 TERM=dumb; do env TERM=xterm $set script -q -c 'foretime predict cubic n=500' /dev/null </dev/null | grep -c '125 ms.\[0m'; done; true
1
0
0

## On a terminal a line goes on below, between two words; JSON does not.
$ script -q -c 'stty cols 40; foretime predict slowed n=4 --color never' /dev/null </dev/null | tr -d '\r' | head -3; script -q -c 'stty cols 40; foretime predict slowed n=4 --json' /dev/null </dev/null | tr -d '\r' | jq -r .schema
slowed: wall time, corrected to an idle
  machine; --load now gives the current
  load
foretime-predict-2
