## SPDX-License-Identifier: GPL-3.0-or-later
## A program of n steps of 1 ms, as a model knows it: imported, so that no clock makes it. Programs here end when a line stands in `said`.
$ printf 'n,wall_s,peak_rss_bytes\n' > runs.csv; for n in 100 200 400 800 1600; do for i in 1 2 3; do echo "$n,$(awk -v n=$n -v i=$i 'BEGIN { print n * (0.00095 + 0.00005 * i) }'),30000000" >> runs.csv; done; done; foretime import runs.csv --name work --here > /dev/null
> cat > reader <<'END'
> open(IN, "<", $ARGV[0]) or die;
> for (1 .. 40) { sysread IN, $_, 10000 or last; select undef, undef, undef, 0.03 }
> $t = time; select undef, undef, undef, 0.05 until -s "said" or time > $t + 60;
> END
> head -c 400000 /dev/zero > input

$ foretime run --eta work n=100 -o report -- sh -c 'until grep -q ends said; do sleep 0.05; done' 2> said; head -1 said
eta: ends at <<\d\d:\d\d:\d\d>>, in <<[\d.]+ [mun]?s>> (90 %: <<[\d.]+ [mun]?s>> to <<[\d.]+ [mun]?s>>); by the model

## without a model: by the position in the input, which is said
$ rm -f said; foretime run --eta - -o report -- perl reader input 2> said; head -1 said
eta: ends at <<\d\d:\d\d:\d\d>>, in <<[\d.]+ [mun]?s>> (90 %: <<[\d.]+ [mun]?s>> to <<[\d.]+ [mun]?s>>); by position in input files (<<[\d.]+>> %), without a model

$ rm -f said; foretime run --eta other --eta eta-log=log.csv --json -o report -- perl reader input 2> said; head -1 said; head -1 log.csv; awk -F, 'NR > 1 && ($3 > $2 || $2 > $4 || $5 != 0) { bad = 1 } END { print (NR > 1), bad + 0 }' log.csv; check-schema run < report; jq -c '.expected_end | [.model, .last_s > 0]' report
note: no model predicts this run (<<.*other.*>>): its end is expected from its progress alone
seconds,end_s,lower_s,upper_s,model,progress,done
1 0
[false,true]

## how its time goes with its progress is kept for the next run
$ head -1 data/foretime/store.db-progress/other.csv; rm said; foretime run --eta other -o report -- perl reader input 2> said; sed -n 2p said | sed 's/.*; by/by/'
progress,done,time
by position in input files (<<[\d.]+>> %), as an earlier run went

## a damaged file of it is no reason to fail
$ echo 'progress,done,time
> position in input files,0.5,2' > data/foretime/store.db-progress/other.csv; rm said; foretime run --eta other -o report -- perl reader input 2> said; sed -n 2p said | sed 's/.*; by/by/'
by position in input files (<<[\d.]+>> %), without a model

## how far off the model was is kept, too: of a program that ends after some seconds and not after 100
$ cat > once <<'END'
> rm -f said; foretime run --eta work n=100000 --eta eta-log=log.csv -o report -- sh -c 'until grep -q ends said; do sleep 0.05; done' 2> said; awk -F, 'NR == 2 { print ($2 < 60 ? "short" : "long") }' log.csv
> END
> sh ./once; awk -F, '/^time/ { print ($2 > 60), ($3 < 60) } /^interval/ { print ($2 < $3) }' data/foretime/store.db-progress/work.csv; sh ./once
long
1 1
1
short
$ printf 'progress,done,time\ntime,nan,0.2\ntime,-1,-1\ninterval,2,1\n' > data/foretime/store.db-progress/work.csv; sh ./once; rm data/foretime/store.db-progress/work.csv
long

## what the program reports or prints; a contract watches the same run
$ rm -f said; foretime run --eta work n=100000 --contract work --progress 'at ([0-9]+)' -o report -- sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo at $i; sleep 0.03; done; until grep -q reported said; do echo at 9; sleep 0.05; done' 2> said | tail -1; grep -c 'the model and reported progress' said | sed 's/[1-9][0-9]*/some/'; sed -n 2p report | cut -c 1-20
at 9
some
contract with work: 

## a program that runs already
$ rm -f said; perl reader input & foretime run --eta -,pid=$! --json 2> said | check-schema run-end; wait; head -1 said
eta: ends at <<\d\d:\d\d:\d\d>>, in <<[\d.]+ [mun]?s>> (90 %: <<[\d.]+ [mun]?s>> to <<[\d.]+ [mun]?s>>); by position in input files (<<[\d.]+>> %), without a model

$ true & wait $!; foretime run --eta -,pid=$!
foretime: there is no process <<\d+>>
hint: ps -e lists those that there are
? 1

$ foretime run --eta -,pid=1 -- true
foretime: unexpected argument 'true': the process 1 runs already
? 2

$ foretime run --eta -,pid=1 --contract work
foretime: a process that runs already has no --contract, --progress, --save and --into
? 2

$ foretime run --eta -,pid=0 -- true
foretime: option --eta: pid: '0' is not a whole number in range
hint: write one from 1 to 4194304
? 125

$ foretime run --eta -,eta-log=nowhere/log.csv -- true
foretime: cannot open 'nowhere/log.csv': <<.*>>
hint: choose another file
? 125
