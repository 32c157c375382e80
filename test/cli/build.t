## SPDX-License-Identifier: GPL-3.0-or-later
## foretime build: replays are exact; programs are judged by what does not depend on the machine.
$ foretime build cubic n --replay in/cubic.csv --work 'n^3'
model  accuracy  noise
wall_s <<[\d.]+ %  +[\d.]+ %>>
peak_rss_bytes <<[\d.]+ %  +[\d.]+ %>>

accuracy <<[\d.]+ %>> (target 10 %): 5 sizes, 9 runs in 1.26 s
next: foretime predict cubic n=SIZE

## with -v all sizes, and the models of all resources with what they rest on
$ foretime build whole n --replay in/cubic.csv --work 'n^3' -v; foretime rm whole >/dev/null
whole: median wall_s by size, in the order measured
   n  runs   median
 100     3  1.00 ms
 200     3  8.00 ms
 300     1  26.7 ms
 600     1   214 ms
1000     1   990 ms

model  sizes  runs  accuracy  noise
wall_s 5 9 <<[\d.]+ %  +[\d.]+ %>>
peak_rss_bytes 5 9 <<[\d.]+ %  +[\d.]+ %>>
...
accuracy <<[\d.]+ %>> (target 10 %): 5 sizes, 9 runs in 1.26 s
next: foretime predict whole n=SIZE

## On a terminal one line is written over and over, never wider than it, and says when models are made.
$ script -q -c 'stty cols 60; foretime build bar n --replay in/cubic.csv --work "n^3" --color never' /dev/null </dev/null | tr '\r' '\n' | sed 's/.\[K//' > bar; awk 'length > 60' bar; grep -o '^\[[-#.|/\\]*\] [0-9a-z]*' bar | head -1; grep 'fitting\|^next' bar; foretime rm bar >/dev/null
[<<[-#.|/\\]{10}>>] <<.*>>
[#########<<.>>] accuracy <<[\d.]+>> % (target 10 %), fitting ...
next: foretime predict bar n=SIZE

## A run takes as long as it takes: its seconds go on meanwhile.
$ script -q -c 'foretime build long n=1:2 --points 1 --reps 1:1 --color never -- sleep {n}.5' /dev/null </dev/null | tr '\r' '\n' | grep -o 'n=., 1 s' | head -1; foretime rm long >/dev/null
<<n=[12], 1 s>>

$ foretime build strict n --replay in/cubic.csv --work 'n^3' --method gbbp -v
strict: median wall_s by size, in the order measured

   n  runs   median
 100     2   995 us
 200     2  7.96 ms
1000     2   995 ms
 600     2   215 ms
 800     2   509 ms
 900     2   725 ms

model  sizes  runs  accuracy  noise
wall_s 6 12 <<[\d.]+ %.*>>
peak_rss_bytes 6 12 <<[\d.]+ %.*>>
...
accuracy <<[\d.]+ %>>: 6 sizes, 12 runs in 4.91 s
--tolerance 10%top: about 6 sizes, 2.45 s; --tolerance 2.5%top: about 6 sizes, 2.45 s (this build: 6, 2.45 s, one run of each)
next: foretime predict strict n=SIZE

$ foretime build cubic n --replay in/cubic.csv --work 'n^3' --json | check-schema build

$ foretime build again n --replay in/cubic.csv --method naive --limit 3 --json | grep -E '^  "(points|runs|known|cost_s|stop|seed)":'
  "seed": 1,
  "points": 3,
  "runs": 6,
  "known": 0,
  "cost_s": 2.2407<<\d*>>,
  "stop": "points",

$ foretime build shuffled n --replay in/cubic.csv,shuffle --seed 7 --limit 3 -v | head -1
shuffled: median wall_s by size, in the order measured

## a busy machine: what runs take alone is told, and that they did not
$ { echo '# foretime: runs 1'; echo n,wall_s,cpu_s,run_delay_s,runnable_before,runnable_after,processors; for n in 1 2 4 8 16 32; do for i in 1 2; do echo "$n,$((n * 9)),$n,$((n * 8)),16,16,2"; done; done; } > busy.csv; foretime build busy n --replay busy.csv -v 2>&1 | sed 's/^busy: \([0-9c]\)/BUSY: \1/' | grep -E '^BUSY|^ *(1|32) '
BUSY: 16 other tasks on 2 processors; wall times are corrected to an idle machine
<< +>>1 2 1.00 s
<< *>>32 1 32.0 s
BUSY: contention slowed runs down 9x; wall times are corrected to an idle machine

$ foretime build busy n --replay busy.csv --json 2>/dev/null | check-schema build; foretime show busy --json | check-schema show

$ foretime show busy | sed 's/^load  *runs/others: runs/' | grep others; foretime predict busy n=20 --csv; foretime export busy | sed -n '/^1,/p' | head -1; foretime rm busy >/dev/null
others: runs took 9x as long under load; wall times are for an idle machine
n,value,accuracy,lower,upper,basis,distance
20,<<19\.\d+|20(\.\d+)?>>,<<.*>>
1,9,<<.*>>

$ foretime build wait n=1:3 --runs 2:2 -- sleep '0.00{n}'
model accuracy noise
wall_s <<.*>>
...
peak_tree_bytes <<.*>>

accuracy <<.*>> (target 10 %): <<.*>>3 sizes, 7 runs in <<.*>>
...
next: foretime predict wait n=SIZE

$ foretime build wait --runs 2:2 --json | grep -E '^  "(runs|known|stop)":'
  "runs": 0,
  "known": 6,
  "stop": "<<exhausted|tolerance>>",

$ foretime build n=1:3 --limit 2 --runs 2:2 -- sleep '0.00{n}' | grep -c '^wall_s  '; foretime list --format names
1
again
cubic
shuffled
sleep
strict
wait

$ foretime build bad n=1:2 --runs 2:2 -- sh -c 'echo "no {n} today" >&2; exit 3'
n  runs  median  failures
1     0       -  2: failed with status 3: no 1 today
2     0       -  2: failed with status 3: no 2 today

0 sizes, 5 runs in <<.*>>; no size is left
foretime: no run of 'bad' ended well; at n=2: failed: no 2 today
hint: run the command by hand at that size, and mend what it complains of
? 1

$ foretime build half n=1:3 --runs 2:2 -- sh -c 'test {n} != 2 || kill -SEGV $$'
n  runs   median  failures
2     0        -  2: crashed: Segmentation fault

model accuracy noise
wall_s <<.*>>
...
peak_tree_bytes <<.*>>

accuracy <<.*>> (target 10 %): <<.*>>2 sizes, 7 runs in <<.*>>
...
next: foretime predict half n=SIZE

$ foretime build hang n=1:2 --runs 2:2 --timeout 0.1s -- sleep '{n}'
n  runs  median  failures
1     0       -  3: timed out after <<[\d.]+ m?s>>
2     0       -  3: timed out after <<[\d.]+ m?s>>

0 sizes, 7 runs in <<.*>>; no size is left
foretime: no run of 'hang' ended well; at n=2: timed out
hint: allow a run more time with --timeout, or begin with a smaller size
? 1

$ printf 'path,n\none,1\nthree,3\ntwo,2\n' > cases.csv; foretime build cases n --cases cases.csv --runs 2:2 -- sh -c 'echo {path} >> seen'; sort -u seen
model accuracy noise
wall_s <<.*>>
...
peak_tree_bytes <<.*>>

accuracy <<.*>> (target 10 %): <<.*>>3 sizes, 7 runs in <<.*>>
...
next: foretime predict cases n=SIZE
one
three
two

$ cp /bin/true prog; foretime build prog n=1:2 --runs 2:2 -- ./prog '{n}' >/dev/null; echo >> prog; foretime build prog n=1:2 --runs 2:2 -- ./prog '{n}' | grep -E '^accuracy'
note: 'prog' is a new program: its executable is not the one measured before; older runs are kept, and not used
accuracy <<.*>> (target 10 %): <<.*>>2 sizes, 5 runs in <<.*>>

$ foretime build dropped n=1:3 --prepare 'echo p{n} >> log' --cleanup 'echo c{n} >> log' --runs 2:2 -- true >/dev/null; sort -u log
c1
c2
c3
p1
p2
p3

## interrupted: what is finished is kept
$ foretime build slow n=1:9999 --runs 2:2 -- sh -c '[ {n} = 1 ] || exec sleep 300' > out & pid=$!
> until foretime list slow >/dev/null 2>&1 && foretime predict slow n=1 >/dev/null 2>&1; do sleep 0.05; done
> kill -INT $pid; wait $pid; echo "status $?"; grep -o 'interrupted; every.*\|interrupted, every.*' out; foretime predict slow n=1 --csv | cut -d, -f1,6
status 130
interrupted, every finished run is kept
n,basis
1,measured

## wrong use
$ foretime build
foretime: which program? none stands behind --
hint: write foretime build NAME n=64:3000 -- PROG {n}
? 2

$ foretime build n=1:9
foretime: which program? none stands behind --
hint: write foretime build NAME n=64:3000 -- PROG {n}
? 2

$ foretime build n=1:9 --
foretime: no program stands behind --
? 2

$ foretime build n -- true
foretime: no parameter is given
hint: write the range of sizes before --, as in n=64:3000
? 2

$ foretime build x n=9:1 -- true
foretime: the range 9:1 of parameter 'n' is reversed
hint: write a value (n=2048, n=10k, n=1_000_000), a range with or without a stride or a factor (n=64:3000, n=64:3000:8, n=64:4096:*2), or a list (n=64,512,4096)
? 2

$ foretime build x n=1: -- true
foretime: '1:' is not a range for parameter 'n'
hint: write a value (n=2048, n=10k, n=1_000_000), a range with or without a stride or a factor (n=64:3000, n=64:3000:8, n=64:4096:*2), or a list (n=64,512,4096)
? 2

$ foretime build x n=1:9 n=2 -- true
foretime: parameter 'n' is given twice
? 2

$ foretime build x m=5 -- true
foretime: no parameter has a range
hint: write the range of sizes before --, as in n=64:3000
? 2

$ foretime build x n=1:9 -- sleep '{m}'
foretime: '{m}' needs a value for {m}, and there is no such parameter
hint: give it a value: m=100; or write {{m}} if the braces are meant as they are
? 2

$ foretime build x n=1:9 --work 'n*' -- true
foretime: the work: cannot read expression 'n*': column 3: expected a number, a name, a function or '(', found the end
hint: write an expression like 2*n^3 or np <= nx
? 2

$ foretime build x n=1:9 --work '2*m^3' -- true
foretime: the work '2*m^3' uses 'm', which is no parameter
hint: the parameters are those written before --, such as n
? 2

$ foretime build x n=1:9 --work 'n-5' -- true
foretime: the work 'n-5' is -4 at n=1, and must be positive
hint: state with --work a volume of computation that is above 0 in the whole range
? 2

$ foretime build x n=1:9 --tolerance 120% -- true
foretime: option --tolerance: '120%' is not between 0.0001 % and 100 %
hint: write a share as in 5% or 0.05, from 0.0001 % to 100 %
? 2

$ foretime build x n=1:9 --tolerance 120%top -- true
foretime: option --tolerance: '120%' is not between 0.0001 % and 100 %
hint: write a share as in 5% or 0.05, from 0.0001 % to 100 %
? 2

$ foretime build x n=1:9 --tolerance top -- true
foretime: option --tolerance: <<.*>>
hint: <<.*>>
? 2

$ foretime build x n=1:9 --tolerance 5%top -- sleep '0.00{n}'
foretime: --method adaptive weighs errors by each time itself, not by the fastest speed
hint: leave out 'top' behind the tolerance, or take --method gbbp
? 2

$ foretime build cliff n --replay in/cubic.csv --work 'n^3' --method gbbp --tolerance 7%top --json | grep -E '^  "(tolerance|of_top)":'
  "tolerance": 0.07,
  "of_top": true,

$ awk 'BEGIN { print "n,wall_s,work"; for (n = 100; n <= 3000; n += 100) { s = n < 1000 ? 10 : n < 2000 ? 7 : 9; print n "," n / s "," n; print n "," n / s * 1.01 "," n } }' > again.csv; foretime build again9 n --replay again.csv --here --method gbbp | grep -E '^(shape|hint)'
shape: the speed is low at n=1200, and higher before and from 2000 on; assumption (b) of GBBP does not hold
hint: between the sizes above the speed may be another; --method adaptive assumes no such shape

$ foretime build again10 n --replay again.csv --here --method gbbp --json > again.json; check-schema build < again.json; grep -A9 '"shape"' again.json | tr -d ' \n'; echo
"shape":[{"parameter":"n","assumption":"b","at":[1200,2000]}],

## what twice and half the tolerance would have cost is what they cost, to a tenth
$ awk 'BEGIN { print "n,wall_s"; for (n = 10; n <= 2000; n += 10) { s = (1 - exp(-n / 100)) / (1 + exp((n - 1300) / 90)) + .02; print n "," n / s / 1000 } }' > tolerances.csv; foretime build tol5 n --replay tolerances.csv --here --work n --method gbbp --json > tol5.json; check-schema build < tol5.json
$ for t in 10 2.5; do foretime build tol$t n --replay tolerances.csv --here --work n --method gbbp --tolerance $t%top --json > tol$t.json; done; jq -s '[.[0].other_tolerances, .[1:]] | [.[0], .[1]] | transpose | map((.[0].sizes / .[1].points | . > 0.9 and . < 1.1), (.[0].tolerance == .[1].tolerance))' tol5.json tol10.json tol2.5.json | tr -d ' \n'; echo
[true,true,true,true]
$ foretime build tol20 n --replay tolerances.csv --here --work n --method gbbp --tolerance 20%top -v | grep -A1 ^accuracy
accuracy <<.*>>: <<\d+>> sizes, <<.*>>
--tolerance 40%top: about <<\d+>> sizes, 2 min <<\d+>> s; --tolerance 10%top: about <<\d+>> sizes, 2 min <<\d+>> s (this build: <<\d+>>, 2 min <<\d+>> s, one run of each)

$ foretime build x n=1:9 --runs 5 -- true
foretime: option --runs: '5' is not of the form LEAST:MOST or LEAST:MOST:DURATION, such as 2:10
? 2

$ foretime build x n=1:9 --runs 5:2 -- true
foretime: option --runs: '5:2' is an empty range of runs
? 2

$ foretime build x n=1:9 --budget soon -- true
foretime: option --budget: 'soon' is not a duration
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds
? 2

$ foretime build x n=1:9 --budget 0s -- true {n}
foretime: option --budget: nothing can be run in no time
hint: write a duration as in 30s or 1.5h, or leave --budget out: there is then no limit
? 2

$ foretime build x n=1:9 -- sleep 0.1
foretime: the command has no {n}: each run would be the same
hint: write {n} where it takes that value, as in -- sleep {n}
? 2

$ foretime build x n=1:9 m=1:9 -- sleep '0.{n}'
foretime: the command has no {m}: each run would be the same
hint: write {m} where it takes that value, as in -- sleep {m}
? 2

$ foretime build kept n=1:3 --prepare ': {n}' --runs 2:2 -- true >/dev/null; foretime build kept --budget 1s
foretime: the command has no {n}: each run would be the same
hint: where --prepare took that value when 'kept' was built, give it again: it is not kept
? 2

$ foretime build kept --prepare ': {n}' --budget 1s | grep -c '^accuracy'; foretime rm kept >/dev/null
1

$ foretime build x n=1:auto -- sh -c 'echo {{n}}'
foretime: the command has no {n}: each run would be the same
hint: write {n} where it takes that value, as in -- sh {n}
? 2

$ foretime build x n=1:9 --limit many -- true
foretime: option --limit: 'many' is not a whole number
hint: write one from 0 on
? 2

$ foretime build x n=1:9 --method magic -- true
foretime: unknown method 'magic'
hint: --method adaptive: the next run is the one that takes most error away for its seconds
hint: --method gbbp: Geometric Bisection Building Procedure: climb while the speed rises, then bisect where it bends
hint: --method gbbp_naive: GBBP after a naive start: five equidistant sizes in place of the climb
hint: --method naive: equidistant sizes, --limit of them (default 20)
hint: --method naive_bisect: the ends, then repeatedly the middles of all gaps, --limit of them (default 20)
hint: --method rand: random sizes by --seed, --limit of them (default 20 for each parameter)
? 2

$ foretime build x n=1:9 --method end=open -- true
foretime: end= of --method is measured or zero, not 'open'
? 2

$ foretime build x n=1:9 --method climb=high -- true
foretime: climb= of --method is overlap or strict, not 'high'
? 2

$ foretime build x n=1:9 --resource walls -- true
foretime: unknown resource 'walls'
hint: foretime machine info lists what can be measured
? 2

$ foretime build x n=1:9 -- ./missing
foretime: cannot find program './missing': No such file or directory
hint: build it, or correct its path (the folder is './')
? 2

$ touch plain; foretime build x n=1:9 -- ./plain
foretime: cannot execute './plain': Permission denied
hint: make it executable: chmod +x './plain'
? 2

$ foretime build --replay in/cubic.csv
foretime: --replay needs a NAME
hint: write foretime build NAME n --replay in/cubic.csv
? 2

$ foretime build x n --replay missing.csv
foretime: cannot open 'missing.csv': No such file or directory
? 2

$ printf 'n,wall_s\n1,0.5\n2,abc\n' > bad.csv; foretime build x n --replay bad.csv
foretime: bad.csv:3: column 2 (wall_s): 'abc' is not a number
hint: write digits, as in 3000, 2.5, 1e-6 or 64k, or leave the cell empty
? 2

$ foretime build x n --replay in/cubic.csv --cases in/cubic.csv
foretime: --replay and --cases exclude each other
hint: leave one of them out
? 2

$ foretime build x n --cases cases.csv -- echo '{where}'
foretime: '{where}' needs a value for {where}, and there is no such parameter or column
hint: give it a value: where=100; or write {{where}} if the braces are meant as they are
? 2

$ foretime build x size --cases cases.csv -- echo '{path}'
foretime: 'cases.csv' has no column 'size'
hint: its first column is 'path'
? 2

$ foretime list --format names | grep -c '^x$'
0
? 1

## values by a factor, and lists of them
$ foretime build powers n=1:9:*2 --runs 2:2 --method naive -v -- sleep '0.0{n}' | grep -E '^ *[0-9]+ |^accuracy'
1     2  <<[\d.]+ [mu]?s>>
2     2  <<[\d.]+ [mu]?s>>
4     2  <<[\d.]+ [mu]?s>>
8     2  <<[\d.]+ [mu]?s>>
accuracy <<.*; no size is left>>

$ foretime show powers | grep ^parameter
parameter  n = 1 .. 8, factor 2

$ foretime build listed n=5,1,3,1 m=2,4 --runs 2:2 --method gbbp -- sleep '0.00{n}{m}' >/dev/null; foretime show listed | grep ^parameter
parameter  n = 1, 3, 5
parameter  m = 2, 4

$ foretime build listed n=1,7 m=2 --runs 2:2 --method adaptive -- sleep '0.00{n}{m}' >/dev/null; foretime show listed --json > listed.json; check-schema show < listed.json; grep -E '"(range|stride|factor)":' listed.json
      "range": "1,3,5,7",
      "stride": null,
      "factor": null,
      "range": "2,4",
      "stride": null,
      "factor": null,

$ foretime build recorded n=100,200,250,1000 --replay in/cubic.csv --work 'n^3' --json | grep -cE '"n": (100|200|1000),'
3

$ foretime largest recorded time=1h | grep 'no larger'
no larger n is in its range, 100,200,250,1000

$ foretime largest recorded time=1h --json > largest.json; check-schema largest < largest.json; grep -E '"(largest|binds_list)":' largest.json
  "largest": 1000,
  "binds_list": true,

$ foretime largest recorded time=100ms --json | grep -E '"(largest|next|binds_list)":'
  "largest": 250,
  "next": 1000,
  "binds_list": false,

$ foretime export recorded --csv > recorded.csv; foretime export listed --json > listed.json; foretime import recorded.csv --name back > /dev/null; foretime import listed.json --name back2 > /dev/null; foretime show back | grep ^parameter; foretime show back2 | grep ^parameter
parameter  n = 100, 200, 250, 1000
parameter  n = 1, 3, 5, 7
parameter  m = 2, 4

$ printf 'n,wall_s\n300,0.027\n' > more.csv; foretime import more.csv --name back > /dev/null; foretime show back | grep ^parameter
parameter  n = 100, 200, 250, 1000

$ foretime build raised n=100:1000:*2 --replay in/cubic.csv --work 'n^3' --json | grep -cE '"n": (100|200|400|800),'
4

$ foretime largest raised time=1h | head -1
largest n: 12800, extrapolated 16x

$ foretime predict powers n=1:9:*2 --csv | cut -d, -f1 | tail -4
1
2
4
8

$ foretime build x n=16,,64 -- true
foretime: item 2 in the list of parameter 'n' is empty
hint: write numbers with a comma between each two, as in n=16,32,64
? 2

$ foretime build x n=16:64:* -- true
foretime: the '*' in the range 16:64:* of parameter 'n' has no number
hint: write the factor behind it, as in n=16:4096:*2
? 2

$ foretime build x n=16:64:*1 -- true
foretime: the factor in the range 16:64:*1 of parameter 'n' is not above 1
hint: write what each value is times the one before it, as in n=16:4096:*2 or *1.5
? 2

$ foretime build x n=16,64:auto -- true
foretime: '64:auto' in the list of parameter 'n' is not a number
hint: write numbers with a comma between each two, as in n=16,32,64
? 2

## an upper end that memory does not tell; where it does: address-space.t
$ foretime build flat n=1:auto -- true {n}
foretime: memory does not bound n: it does not grow up to n=<<\d+>> (<<.*>>), where a run takes <<.*>>
hint: time bounds it: give an upper end in place of auto, as in n=1:<<.*>>
? 2

$ foretime build wrong n=1:auto --runs 2:2 -- false {n}
foretime: no run of 'wrong' ended well; at n=1: failed
hint: run the command by hand at that size, and mend what it complains of
? 1

$ foretime build two n=1:auto m=1:auto -- true
foretime: only one range can be automatic: 'm=1:auto' is the second
? 2

$ foretime build x n=1:auto --replay in/cubic.csv
foretime: auto needs a program to run: recorded runs and cases end where they end
? 2

$ foretime build x n=1:auto:0 -- true
foretime: the stride in the range 1:1:0 of parameter 'n' is not positive
hint: write a value (n=2048, n=10k, n=1_000_000), a range with or without a stride or a factor (n=64:3000, n=64:3000:8, n=64:4096:*2), or a list (n=64,512,4096)
? 2

$ printf 'a,b,wall_s\n1,10,0.1\n1,20,0.2\n1,40,0.4\n2,10,0.2\n2,20,0.4\n2,40,0.8\n4,10,0.4\n4,20,0.8\n4,40,1.6\n' > grid.csv; foretime build grid a b --replay grid.csv --method naive --limit 3 --runs 1:1 --here --json | tee grid.json | check-schema build; jq '.sizes | length' grid.json
9

$ foretime build grid2 a b --replay grid.csv --method naive --limit 3 --runs 1:1 --here --where 'a*b <= 40' --where 'b > 0' --json | grep -E '"(points|holes)": ' | head -2
  "points": 6,
  "holes": 3,

$ foretime build grid3 a b --replay grid.csv --limit 2 --here | grep -A 2 ^accuracy
accuracy <<\d+>> % (target 10 %): as many sizes as --limit allows; more of them go on; 2 sizes, 2 runs in 300 ms
one value of b only: other values are not known; allow more sizes with --limit
next: foretime predict grid3 a=SIZE b=SIZE

$ foretime predict grid3 a=2 b=20
foretime: no run that ended well has b=20
hint: there are runs at b=10; measure more with foretime build
? 1

$ foretime predict grid a=2:4:2 b=20:40:20 --csv | cut -d, -f1-3
a,b,value
2,20,<<0\.(4|39999)\d*>>
2,40,<<0\.(8|79999)\d*>>
4,20,<<0\.(8|79999)\d*>>
4,40,<<1\.(6|59999)\d*>>

$ foretime predict grid a=3 b=30 --csv | cut -d, -f1,2,7
a,b,basis
3,30,interpolated

$ foretime plot grid b=20 | sed -n '1p;/^ *size b *$/p;/^ *size a *$/p' | head -2
grid at b=20: wall time on <<\S+>>
 size a

$ foretime build no a=1:10 b=1:10 --where 'a>b' --where 'b>a' -- true {a} {b}
foretime: the constraints admit no size within the ranges (100 were tried)
hint: mend --where, or widen the ranges
? 2

$ foretime build no a=1:10 b=1:10 --where 'c>b' -- true {a} {b}
foretime: the constraint 'c>b' uses 'c', which is no parameter
hint: the parameters are those written before --, such as a
? 2

$ foretime build no a=1:10000 b=1:10000 --method naive --limit 2000 -- true {a} {b}
foretime: the grid would need 4000000 sizes, and 1000000 are the most
hint: give fewer sizes (--limit), shorter ranges, or --method adaptive
? 2

## The largest sizes are left out by choice, or for the budget.
$ foretime build half2 n --replay in/cubic.csv --work 'n^3' --method far=half -v | grep -E '^not run|^ *(600|700|800|900|1000) '
not run: beyond n=500 (far=); accuracy at n=1000: <<\d+(\.\d)?>> %

$ foretime build quarter n --replay in/cubic.csv --work 'n^3' --method far=skip --json > far.json; check-schema build < far.json; grep -E '"(far|not_run_beyond)"' far.json
  "far": "skip",
  "not_run_beyond": <<200|300>>,

$ foretime build poor n --replay in/cubic.csv --work 'n^3' --budget 500ms --tolerance 1% | grep -E '^(not run|accuracy)'
accuracy <<.*>> (target 1 %): out of budget; <<.*--budget.*>>
not run: beyond n=<<[4-7]00>> (budget); accuracy at n=1000: <<\d+(\.\d)?>> %

$ foretime build x n=1:9 --method far=away -- true
foretime: unknown far='away' of --method
hint: --method far=measure: run the largest size
hint: --method far=half: run nothing beyond half of it
hint: --method far=skip: run nothing beyond a quarter of it
? 2

## What prepares runs counts of the budget; so do those of builds before.
$ for i in 1 2; do foretime build waited n=1:99 --budget 2.5s --prepare 'sleep 0.5' -- true {n} | grep -o '[0-9]* runs\? in .*'; done
<<[1-5] runs? in [\d.]+ m?s>>
0 runs in 0 s, and <<[1-5] earlier runs? of [\d.]+ m?s>>

## A budget that allows for one size.
$ printf 'n,wall_s\n3,0.3\n6,0.6\n9,0.9\n' > three.csv; foretime build once n=3:9:3 --replay three.csv --budget 0.8s | grep '^one size'
one size only: its growth is not known; allow more seconds with --budget

$ foretime build first n=1:9 --budget 5s -- sleep '2.8{n}' | grep -E '^(accuracy|one size|not run)'
accuracy <<.*>> (target 10 %): <<.*>>1 size, <<.*>>
not run: beyond n=1 (budget); accuracy at n=9: <<.*>>
one size only: its growth is not known; allow more seconds with --budget

## Single runs scatter, and the typical one is known all the same.
$ awk 'BEGIN { print "n,wall_s"; for (n = 100; n <= 1000; n += 50) for (i = -5; i <= 5; i++) print n "," n * (1 + i / 20) }' > noisy.csv
$ foretime build noisy n --replay noisy.csv,shuffle --tolerance 0.5% > noisy.out; grep -E '^(accuracy|noisy: |wall_s)' noisy.out
wall_s <<\d(\.\d)?>> % <<(1[5-9]|[23]\d)>> % noisy
accuracy <<\d(\.\d)?>> % (target 0.5 %): out of the default budget; --budget <<\d+h>> should reach <<.*>> %; <<\d+>> sizes, <<\d+>> runs in <<.*>>
noisy: single runs vary by <<(1[5-9]|[23]\d)>> %; try --pin or a quieter machine

## what else is measured is modelled too; what cannot be says why
$ foretime build probed n=1:3 --limit 3 --runs 2:2 --measure counters=faults=page-faults --meter 'exit 7' -- sh -c ': {n}' >/dev/null; foretime show probed -v | grep '^unavailable: energy'
unavailable: energy_j (meter): the meter ended with status 7; try the command by hand

$ foretime show probed --json | check-schema show; foretime show probed --json | jq -r '.unavailable[] | select(.resource == "energy_j") | .probe'
meter

$ foretime predict probed n=2 -r energy_j
foretime: no run of 'probed' has a value of 'energy_j'
hint: it is unavailable: the meter ended with status 7; try the command by hand
? 2

## two instruments never stand in one model
$ foretime build metered n=1:3 --limit 3 --runs 2:2 --meter 'while :; do echo 5 W; sleep 0.01; done' -- sleep '0.2{n}' >/dev/null; for n in 1 2 3; do foretime run --save metered n=$n --measure energy=rapl -- sleep 0.05 2>/dev/null; done; foretime show metered -r energy_j -v | grep -c 'unavailable: energy_j (rapl)\|left out'
1

## a budget is obeyed from the first run on
$ foretime build dear n=60:61 --budget 0.1s -- sleep {n} 2>&1 | grep -v '^n  \|^60 '
0 sizes, 1 run in <<[\d.]+ m?s>><<.*>>
foretime: the budget ended before one run of 'dear' did
hint: allow more seconds with --budget, or begin with a smaller size

$ foretime show dear | grep '^60'
60     0       -      -     -  1: timed out after <<[\d.]+ m?s>>

## several parameters: what cannot be, said in a sentence
$ foretime build a2 n=1:9 m=1:9 -- false {n} {m} > a2.out; tail -1 a2.out
foretime: no run of 'a2' ended well; at n=1 m=2: failed
hint: run the command by hand at that size, and mend what it complains of
0 sizes, 7 runs in <<.*>>; no size is left

## the least combination alone fails
$ foretime build a3 n=1:9 m=1:9 --runs 2:2 -- sh -c 'test {n}{m} != 11' > a3.out; grep -c '^1  1 .* failed with status 1' a3.out; foretime predict a3 n=9 m=9 --csv | wc -l
1
2

$ printf 'n,m,wall_s\n1,1,1\n1,100,2\n100,1,2\n100,100,9\n' > e2.csv; foretime build e2 n=1:100 m=1:100 --replay e2.csv --budget 1.5s > e2.out; grep 'one size' e2.out
one size only: its growth is not known; allow more seconds with --budget

## scatter drives no runs: where the curve is known no better than that, it is not said to be known
$ awk 'BEGIN { print "n,wall_s"; for (n = 50; n <= 500; n += 5) for (i = 0; i < 12; i++) print n "," 2e-4 * n * exp(0.4 * sin(7 * i * i + 3 * n + n * i)) }' > wild.csv
> for s in 5 6 7 8; do foretime build wild$s n --replay wild.csv --here --replay shuffle --seed $s > wild.out; foretime build wild$s n --replay wild.csv --here --replay shuffle --seed $s --json | jq 'if .stop == "tolerance" and .known_to > 0.105 then 1 else 0 end' > doubted; grep -c '^accuracy .*: \(noise hides the rest\|the curve is uneven\); --tolerance 5% goes on' wild.out | cmp - doubted; done

## sizes that failed are printed; all others with -v
$ awk 'BEGIN { print "n,wall_s,outcome"; for (n = 1; n <= 70; n++) print n "," n * 1e-3 "," (n % 10 == 5 ? "failed" : "done") }' > many.csv
> foretime build many n=1:70 --replay many.csv --here --method naive --limit 70 --runs 1:1 > many.out; grep -cE '^ *[0-9]+ +[01] ' many.out; grep -c 'failed' many.out; foretime build many -v --replay many.csv --here --method naive --limit 70 --runs 1:1 | grep -cE '^ *[0-9]+ +[01] '
7
7
70

## a parameter that changes nothing
$ awk 'BEGIN { print "n,m,wall_s"; for (n = 8; n <= 64; n *= 2) for (m = 1; m <= 16; m *= 2) for (i = -1; i < 2; i++) print n "," m "," n * n * (1 + i * 1e-3) * 1e-4 }' > same.csv
> foretime build same n=8:64 m=1:16 --replay same.csv --here | grep flat
flat: m changes nothing within the tolerance

$ foretime build same2 n=8:64 m=1:16 --replay same.csv --here --method gbbp | grep flat
flat: m changes nothing; it was left out of the grid

$ awk 'BEGIN { print "n,wall_s"; for (n = 1; n <= 100; n++) for (i = -2; i <= 2; i++) print n "," 0.2 * (1 + i * 0.01) }' > level.csv
> for m in adaptive gbbp naive; do foretime build level-$m n=1:100 --replay level.csv --here --method $m --tolerance 10% | grep flat; done
flat: n changes nothing within the tolerance
flat: n changes nothing within the tolerance
flat: n changes nothing within the tolerance

$ foretime build level-adaptive n=1:100 --replay level.csv --here --json | jq -c .flat
["n"]

## processor time may fall while wall time rises: either steers, and each is continued its own way
$ awk 'BEGIN { print "n,wall_s,cpu_s"; for (n = 100; n <= 1000; n += 50) for (i = 0; i < 3; i++) print n "," n * 1e-2 * (1 + i / 100) "," 20 / n * (1 + i / 100) }' > fall.csv
$ for r in wall_s cpu_s; do foretime build fall-$r n -r $r --replay fall.csv --here | grep -o '^accuracy.*(target'; for q in wall_s cpu_s; do foretime predict fall-$r n=520,2000 -r $q --csv; done; done | awk -F, '/^acc/ { print } /^520/ { a = $2 } /^2000/ { print ($2 > a ? "rises" : "falls"), ($4 < $2 && $2 < $5) }'
accuracy <<.*>> (target
rises 1
falls 1
accuracy <<.*>> (target
rises 1
falls 1

## a tolerance that the scatter does not allow: what can be had is told
$ awk 'BEGIN { print "n,wall_s"; for (i = 0; i < 40; i++) for (n = 1; n <= 3; n++) print n "," n * (1 + (i * 7 % 11 - 5) * 0.02) }' > loose.csv
> foretime build loose n=1:3 --replay loose.csv --here --tolerance 0.1% | grep '^accuracy'
accuracy <<[2-9](\.\d)?>> % (target 0.1 %): no size is left; --runs 2:100 should reach <<[\d.]+>> %; 3 sizes, <<\d+>> runs in <<.*>>

## the same of two parameters
$ awk 'BEGIN { print "n,m,wall_s"; for (n = 8; n <= 64; n *= 2) for (m = 1; m <= 16; m *= 2) for (i = -2; i <= 2; i++) print n "," m "," n * m * (1 + i * 0.1) }' > loud.csv
> foretime build loud n=8:64 m=1:16 --replay loud.csv --here --tolerance 1% | grep -c '^noisy\|uneven\|^wall_s.* noisy'
2

## memory: only what is expected to fit is run
$ foretime build needy n=1:256 --memory 40MB --limit 9 --runs 1:1 -q --json -- sh -c 'head -c {n}000000 /dev/zero | tail -c {n}000000 >/dev/null' | jq -c '[.sizes[].n] | [any(. > 8), any(. > 42)]'
[true,false]

## a store that is removed, or replaced, while programs run: what they took waits beside it for the next command that writes
$ printf 'n,wall_s\n1,2\n2,3\n' > more.csv
> cat > sweeping <<'END'
> [ $1 != 3 ] || rm -f removed.db*
> [ $1 != 5 ] || { foretime import more.csv --name more --store fresh.db >/dev/null; mv fresh.db replaced.db; }
> END
$ foretime build gone n=1,2,3 --runs 1:1 -q --store removed.db -- sh sweeping {n}
foretime: the store 'removed.db' was removed or replaced while it was in use
hint: the runs that were made meanwhile are kept in 'removed.db.spool': the next command that writes to the store takes them in
? 2
$ ls removed.db*
<<\d+-\d+\.db>>
$ foretime build gone n=1,2,4 --runs 1:1 -q --store removed.db -- sh sweeping {n} | sed -n 's/.*, and \(.*\) earlier runs.*/\1/p'; ls -d removed.db*; foretime list --store removed.db | awk '/^gone/ { print $2, $4 }'
2
removed.db
6 4
$ foretime build gone n=1,2,5 --runs 1:1 -q --store replaced.db -- sh sweeping {n}
foretime: the store 'replaced.db' was removed or replaced while it was in use
hint: the runs that were made meanwhile are kept in 'replaced.db.spool': the next command that writes to the store takes them in
? 2
$ foretime import more.csv --name other --store replaced.db >/dev/null; foretime list --store replaced.db | awk 'NR > 1 { print $1, $2 }'; ls -d replaced.db*
gone 4
more 2
other 2
replaced.db
$ foretime run --save brief n=3 --store removed.db -- sh sweeping 3 2>/dev/null; foretime import more.csv --name other --store removed.db >/dev/null; foretime list --store removed.db | awk 'NR > 1 { print $1, $2 }'
brief 1
other 2

## an executable that is changed while it is measured: what was measured before is kept under its own version
$ cat > changing <<'END'
> #!/bin/sh
> [ $1 -lt 3 ] || { echo "exit 0" | cat - changing > other; chmod 755 other; mv other changing; }
> touch changing
> END
$ chmod 755 changing; foretime build changed n=1,2 --runs 1:1 -q --store changed.db -- ./changing {n} >/dev/null; cp changing kept
> foretime build changed n=1,2,3,4,5,6 --runs 4:4 -q --store changed.db -- ./changing {n}
foretime: the executable of 'changed' was changed while it was measured
hint: the runs before that are kept; foretime build changed measures the new one
? 2
$ foretime export changed --csv --store changed.db | grep -c '^3,'; foretime build changed n=1,2,3 --runs 1:1 -q --store changed.db -- ./changing {n} 2>&1 | grep -c 'new program'
0
1

## A command without --, and names that no new program has
$ foretime build x n=1:9 sleep '{n}'
foretime: unexpected argument 'sleep'
hint: put the command after --; a parameter has values, as in n=64:3000 or n=100
? 2

$ foretime build 'bad name' n=1:9 -- sleep '{n}'
foretime: 'bad name' cannot be a program's name: it has a blank
hint: choose one of letters, digits and - _ . : + as in fft_v2
? 2
