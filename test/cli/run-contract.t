## SPDX-License-Identifier: GPL-3.0-or-later
## A program of n steps of 1 ms, FACTOR times that, as a model knows it: imported, so that no clock makes it.
$ printf 'n,wall_s,peak_rss_bytes\n' > runs.csv; for n in 100 200 400 800 1600; do for i in 1 2 3; do echo "$n,$(awk -v n=$n -v i=$i 'BEGIN { print n * (0.00095 + 0.00005 * i) }'),30000000" >> runs.csv; done; done; foretime import runs.csv --name work --here > /dev/null
> cat > work <<'END'
> #!/bin/bash
> exec 2> /dev/null
> for ((i = 1; i <= 100; i++)); do
>   printf 'ft1 progress %d 100\n' $i >&$FORETIME_PROBE_FD
>   [ "$PRINT" ] && printf 'at %d %%\r' $i
>   sleep "$1"
> done
> exit ${END:-0}
> END
> chmod +x work

## 100 steps of 0.1 s promised; told to take 20 ms of 400 that were promised: kept. (Seconds are never judged.)
$ foretime run --contract work n=100000 -o report -- ./work 0.001; sed -n 2p report
contract with work: kept; <<.*>> of <<\d+ min .* at most.*>>; <<.*>> of <<.*>> MiB at most

## 100 ms promised, and it takes 10 s: ended long before.
$ foretime run --contract work n=100 --contract end-on-breach -o report -- ./work 0.1
foretime: work <<will be late: after .* it looks like .* s in all, and it was to take .* ms at most|is late: .* have gone .*, and it was to take .* at most>>
hint: <<let its limit be .* s or more|see what it waits for>>, or end it and run it elsewhere: foretime plan rank work
? 1

## progress tells it before the time is over: 3 s are promised, and it takes 20 s
$ foretime run --contract work n=3000 --contract end-on-breach --json -o report.json -- ./work 0.2 2> /dev/null; check-schema run < report.json; jq -r '.contract | [.name, .met, .breaches[0].kind, .limit_s < 5, .breaches[0].value >= .limit_s] | @csv' report.json
"work",false,"late",true,true

$ foretime run --contract work n=100 -o report -- ./work 0.003 2> /dev/null
? 1

## the program's own status stays
$ END=7 foretime run --contract work n=100 -o report -- ./work 0.003 2> /dev/null
? 7

## memory: 30 MB promised, and 170 MiB at most, so far beyond what was measured
$ foretime run --contract work n=100000 -o report -- perl -e '$s = "x" x (250e6 + $$ % 2); select undef, undef, undef, 0.1 until -s "told"; print "it goes on\n"' 2> told; s=$?; cat told; exit $s
it goes on
foretime: work uses more memory than predicted: <<.*>> after <<.*>>, and at most <<.* MiB>> was predicted
hint: see whether it is the program that was measured (foretime show work); foretime run --save work lets the model learn from such runs
? 1

## 30 MB of one process are promised: four that hold less each keep that, together they hold more
$ foretime run --contract work n=800 --json -o report.json -- perl -e 'for (1 .. 3) { fork or last } $s = "x" x (14e6 + $$ % 2); sleep 1; 1 while wait > 0' 2> /dev/null; jq -c '[.contract.limit_bytes < 60e6, [.contract.breaches[] | select(.kind != "late")]]' report.json
[true,[]]

## what it waited for others is told; and promised beside them, where it is asked
$ n=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//'); taskset -c $n perl -e '1 while 1' & hog=$!; foretime run --contract work n=3000 --json -o report.json -- taskset -c $n perl -e '$t = (times)[0] + 0.1; 1 while (times)[0] < $t' 2> /dev/null; kill $hog; jq -c '([.. | objects | select(.resource == "run_delay_s" and .value != null)] | length) as $known | [.contract.waited_s > 0.03 or $known == 0, (.contract.waited_s == null) == ($known == 0)]' report.json
[true,true]
$ foretime run --contract work n=3000 --load now --json -o report.json -- true; jq -c '[.contract.limit_s >= .contract.typical_s, .contract.met]' report.json
[true,true]
$ foretime run --contract work n=3000 --load full -- true
foretime: --load is idle, usual or now, not 'full'
? 125

## a model of a routine promises no time of the whole
$ foretime run --save told n=5 -- bash -c 'held=$(printf %03000000d 0); printf "ft1 routine part 1 2000 1000 5\n" >&$FORETIME_PROBE_FD' 2> /dev/null; foretime run --contract told n=5 -o report -- bash -c true
note: the model is of a routine that the program reports: it predicts no time of the whole program

$ foretime run --contract nonesuch n=5 -- true
foretime: <<.*nonesuch.*>>
<<hint: .*>>
? 125

## a size that is out of reach: that is said, not that nothing is known
$ foretime run --contract work n=0 -- true
foretime: size 0 is not positive, and outside the data
hint: ask for a size above 0, or measure such sizes
? 125
