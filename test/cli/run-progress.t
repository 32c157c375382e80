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

## what it prints is progress, and passes on; where few looks were had of one run, the next one's
$ for i in $(seq 10); do PRINT=1 foretime run --contract work n=100000 --progress 'at ([0-9]+) %',progress-log=log.csv -o report -- ./work 0.01 | tr '\r' '\n' | tail -1 > last; [ $(wc -l < log.csv) -le 5 ] || break; done; cat last; head -1 log.csv; tail -1 log.csv; awk -F, 'NR > 2 && ($2 <= s || $3 < d) { bad = 1 } { s = $2; d = $3 } END { print (NR > 5), bad + 0 }' log.csv
at 100 %
processor,seconds,done,total
work,<<[\d.]+>>,100,100
1 0

$ PRINT=1 foretime run --contract work n=100000 --progress '[0-9]+ %',progress-like=log.csv -o report -- ./work 0.003 > /dev/null

$ foretime run --contract work n=100000 --progress lines=3,progress-log=- -o report -- sh -c 'echo one; sleep 0.2; echo two; sleep 0.2; echo three' | sed 's/,[0-9.]*,/,S,/' | grep -v '^processor\|S,[012],3' | uniq
one
two
three
work,S,3,3

## such a log is what plan revise reads: half of the share in 0.4 s of the 0.1 s planned
$ echo '{"shares": [{"processor": "work", "units": 100, "time_s": 0.1}, {"processor": "other", "units": 100, "time_s": 0.1}]}' > plan.json; printf 'processor,seconds,done,total\nwork,0.2,25,100\nwork,0.4,50,100\n' > now.csv; foretime plan revise plan.json now.csv --cost 10ms
processor        done    lost  staying  moving
<<work +move .*>>
<<other +stay .*>>
? 1

$ printf 'processor,seconds,done,total\nwork,0.2,1,4\nwork,0.4,2,4\n' > same.csv; foretime plan revise plan.json same.csv --cost 10ms > same; foretime plan revise plan.json now.csv --cost 10ms | diff - same && echo same
same

$ foretime run --contract work n=5 --progress '(' -- true
foretime: --progress: '(' is no regular expression: <<.*>>
hint: write lines=1000, or as in '([0-9.]+) ?%' or 'step ([0-9]+) of ([0-9]+)'
? 125

$ foretime run --contract work n=5 --progress lines=0 -- true
foretime: --progress: lines=0: a run of no lines
? 125

$ foretime run --contract work n=5 --progress lines=5 --save work -- true
foretime: --save and --progress exclude each other
hint: leave one of them out
? 125

$ foretime run --progress lines=5 -- true
foretime: --progress, --confidence and --load are about a --contract NAME
? 125

$ foretime run --confidence 0.5 -- true 2>&1 | cut -d ' ' -f 2-6
--progress, --confidence and --load are

## A last line without an end counts.
$ foretime run --contract work n=100000 --progress '[0-9]+/[0-9]+',progress-log=end.csv -o report -- printf 'so far 3/3'; echo; sed 's/,[0-9][0-9.e-]*,/,S,/' end.csv | tail -1
so far 3/3
work,S,3,3

$ printf 'seconds,done,total\n1,2,4\n2,3,4\n' > half.csv; foretime run --contract work n=5 --progress progress-like=half.csv -- true
foretime: 'half.csv' does not contain a whole run: it does not reach its total
hint: foretime run --contract NAME --progress progress-log=FILE.csv writes one: seconds, done, total, to the end
? 125

$ foretime run --contract work n=5 --progress progress-like=runs.csv -- true
foretime: 'runs.csv' does not contain a whole run: a column is missing
hint: foretime run --contract NAME --progress progress-log=FILE.csv writes one: seconds, done, total, to the end
? 125

## Nobody reads what it prints: an interrupt is heard all the same.
$ mkfifo unread; exec 3<>unread; foretime run --contract work n=100000 --progress lines=5 -o report -- sh -c 'touch begun; exec yes' >&3 & p=$!; until [ -f begun ]; do sleep 0.05; done; sleep 0.2; kill -TERM $p; wait $p
? 130
