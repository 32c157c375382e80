## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime trace
foretime: 'trace' needs a subcommand: fit, constrain, phases, grow, plot or show
hint: foretime trace --help explains them
? 2

$ foretime trace phase in/trace.csv
foretime: 'trace' has no subcommand 'phase'
hint: the nearest is foretime trace phases
? 2

$ foretime trace fit
foretime: missing FILE.csv; usage: foretime trace fit FILE.csv [-k N | --tolerance E] [--start START] [OPTION...]
? 2

$ foretime trace show in/trace.csv --lambda 2
foretime: 'trace show' has no use for --lambda
hint: it is of foretime trace constrain
? 2

$ foretime trace fit in/trace.csv more.csv
foretime: 'trace fit' takes no 'more.csv'
? 2

$ foretime trace show in/trace.csv
in/trace.csv: column cpu_utilisation over time_s, 121 rows from 0 to 600
1 part, 600 s in all, rows 5 to 5 s apart
mean 2.40825, standard deviation 1.65099, area 1444.95
least 0 at 0, most 4.05 at 80

$ foretime trace show in/trace.csv --at 80,82.5 | tail -2
4.05 at 80
<<\S+>> at 82.5

$ foretime trace show in/trace.csv --at 601
foretime: the time 601 is not in the trace
hint: it goes from 0 to 600
? 2

$ foretime trace show in/trace.csv --width 10 --at 80 --json | tee drawn.json | check-schema trace; jq -c '[.values, (.drawn | length) < 60, ([.drawn[][1]] | max) == .most, .breaks]' drawn.json
[[[80,4.05]],true,true,[]]

$ foretime trace show in/trace.csv --width 10 --within 100:110 --json | jq -c '[.drawn[][0]]'
[100,105,110]

$ printf 't,y\n0,1\n1,2\n2,\n4,4\n5,5\n' | foretime trace show - --value gaps=break --width 10 --json 2>/dev/null | jq -c '[.drawn, .breaks]'
[[[0,1],[1,2],[4,4],[5,5]],[[1,4]]]

$ foretime trace show in/trace.csv --width 10
foretime: --width and --within are for programs
hint: add --json; 'foretime trace plot' draws for people
? 2

$ foretime trace show in/trace.csv --within 9:3 --width 5 --json
foretime: a picture from 9 to 3 of 5 columns shows nothing
hint: name two times, the earlier one first
? 2

$ foretime trace show in/trace.csv --width 20000 --json
foretime: --width 20000: no picture is wider than 16384 pixels
? 2

$ for a in show phases fit constrain; do foretime trace $a in/trace.csv --json | check-schema trace; done

## Phases: abrupt changes stay, the steps of the loop have one name.
$ foretime trace phases in/trace.csv
in/trace.csv: column cpu_utilisation over time_s, 121 rows from 0 to 600
6 phases, work 1444.95, rms error 0.159<<\d*>>

phase    start      end  mean level  slope (1/s)      work  what
D        0.000   57.500     0.04315            0   0.172 %  idle
A       57.500  197.500       3.967<<.{9,14}>>    38.4 %  steady at 98 % of the peak, after an abrupt rise
C      197.500  237.500       1.096<<.{9,14}>>    3.04 %  steady at 27 % of the peak, after an abrupt fall
A      237.500  377.500       3.981<<.{9,14}>>    38.6 %  steady at 98 % of the peak, after an abrupt rise
B      377.500  517.500       2.037      -0.0143    19.7 %  falls from 74 to 26 % of the peak, after an abrupt fall
D      517.500  600.000    0.008265            0  0.0472 %  idle, after an abrupt fall

$ foretime trace phases in/trace.csv -n 2 --csv | grep -v '^#' | cut -d, -f1
name
<<[AB]>>
<<[AB]>>

## Unconstrained: the errors are stated; it may leave the range. The ends are the trace's.
$ foretime trace fit in/trace.csv -n 8 | head -4
in/trace.csv: column cpu_utilisation over time_s, 121 rows from 0 to 600
8 straight pieces, the search begun from <<\w+>> nodes (rms error there <<[\d.]+>>)
rms error 0.2554<<\d*>>, largest error <<[\d.]+>> at 200
area 1444.9<<\d*>>, of the data 1444.95 (<<\S+>> %)

$ foretime trace fit in/trace.csv -n 8 --json | jq -c '[.pieces, .nodes[0], .nodes[-1], (.rms_error < 0.26), .max_error > 1]'
[8,[0,0],[600,0],true,true]

$ for s in best path equal dp merge; do foretime trace fit in/trace.csv -n 9 --start $s --json | jq '.start_rms_error >= .rms_error and .rms_error > 0.1'; done
true
true
true
true
true

$ foretime trace fit in/trace.csv -n 8 --csv > nodes.csv; head -4 nodes.csv; foretime trace fit in/trace.csv --start nodes.csv --json | jq '.start, .pieces, .rms_error < 0.256'
# rms_error: 0.2554<<\d*>>
# max_error: <<[\d.]+>>
# area: 1444.9<<\d*>>
# area_data: 1444.9<<\d*>>
"nodes"
8
true

## Nodes placed by hand are a start: their times.
$ foretime trace fit in/trace.csv --start 57,198,238,378, --json | jq -c '[.start, .pieces, .rms_error <= .start_rms_error]'
["nodes",5,true]

$ foretime trace fit in/trace.csv --start 198,57
foretime: the node at 57 is not later than the one before
? 2

$ foretime trace fit in/trace.csv --start 198,nodes.csv
foretime: option --start: 'nodes.csv' is no time
hint: write a number, as the trace has them
? 2

$ foretime trace fit in/trace.csv --start 198,700
foretime: the time 700 is not in the trace
hint: it goes from 0 to 600
? 2

$ foretime trace fit in/trace.csv --tolerance 0.2 --json | jq '.rms_error <= 0.2, .pieces, .reached'
true
9
true

$ foretime trace fit in/trace.csv --tolerance 0
foretime: option --tolerance: 0 is not positive
hint: give the rms error to reach, in the unit of the values
? 2

$ foretime trace fit in/trace.csv --tolerance 1 -n 3
foretime: --pieces and --tolerance exclude each other
hint: leave one of them out
? 2

$ foretime trace fit in/trace.csv --start middle
foretime: 'middle' is not a start
hint: --start best, path, equal, dp, merge, times: T1,T2,..., or a file of nodes: NODES.csv
? 2

$ printf '0,1\n1,3\n2,2\n' | foretime trace fit - -n 9 --csv
note: the trace has 2 pieces itself: 2 are enough
# rms_error: <<.*>>
# max_error: <<.*>>
# area: 4.5
# area_data: 4.5
t,y
0,1
1,3
2,2

## Constrained: the area is that of the trace, the range too.
$ foretime trace constrain in/trace.csv --keep 200,240 --lambda 2 --json > model.json; check-schema trace < model.json; jq -c '[.pieces < 30, ((.area - .area_data) | fabs) < 1e-9, .least >= 0, .most <= 4.05, .keep, ([.nodes[][0]] | contains([200, 240]))]' model.json
[true,true,true,true,[200,240],true]

$ foretime trace constrain in/trace.csv --model model.json --json | jq '.keep | length > 5'
true

## A model may come through a pipe, which can be read but once.
$ foretime trace fit in/trace.csv -n 8 --json > fit.json; mkfifo pipe; cat fit.json > pipe & foretime trace constrain in/trace.csv --model pipe --json | jq '.keep | length'
9

$ foretime trace fit in/trace.csv -n 8 --csv | foretime trace constrain in/trace.csv --model - --json | jq '.keep | length'
9

$ cat fit.json > pipe & foretime trace plot in/trace.csv --model pipe | head -1
trace.csv: cpu_utilisation

$ foretime trace constrain - --model - < in/trace.csv
foretime: standard input is the trace: it cannot be a model too
? 2

$ foretime trace constrain in/trace.csv --model none.json
foretime: cannot open 'none.json': No such file or directory
? 2

$ gzip -c fit.json > fit.json.gz; foretime trace constrain in/trace.csv --model fit.json.gz --json | jq '.keep | length'
9

$ gzip nodes.csv -c > nodes.csv.gz; foretime trace fit in/trace.csv --start nodes.csv.gz --json | jq .pieces
8

$ head -c 60 fit.json.gz > half.gz; foretime trace constrain in/trace.csv --model half.gz
foretime: cannot read 'half.gz': the gzip data is damaged or ends early
hint: copy or compress the file again; 'gzip -t' checks it
? 2

$ foretime trace constrain in/trace.csv --keep 700
foretime: the time 700 is not in the trace
hint: it goes from 0 to 600
? 2

$ foretime trace constrain in/trace.csv --lambda 0.5
foretime: lambda is 0.5, and must be 1 or more
hint: 1 lets a line be as long as may be, 10 a tenth of the whole
? 2

$ foretime trace constrain in/trace.csv --smooth 190:250 --json | jq -c '[(.smoothed | length), .smoothed[0].node[0] > 190, ((.area - .area_data) | fabs) < 1e-9]'
[1,true,true]

$ foretime trace constrain in/trace.csv --smooth 55:62,190:250 --json | tee spikes.json | check-schema trace; jq -c '[(.smoothed | length), .smoothed[1].nodes_found > 0, (.smoothed[1] | (.areas | length) == 2 and (.node[1] + 0) > 0), ((.area - .area_data) | fabs) < 1e-9]' spikes.json
[2,true,true,true]

$ foretime trace constrain in/trace.csv --smooth 190:250 | tail -1
smoothed from <<\S+>> to <<\S+>>: <<\S+>> at <<\S+>>, areas <<\S+>> and <<\S+>>

$ foretime trace constrain in/trace.csv --smooth 250:190
foretime: a spike from 250 to 190 is not within 0 .. 600
hint: name two times of the trace, the earlier one first
? 2

$ foretime trace constrain in/trace.csv --smooth here
foretime: option --smooth: 'here' is not an interval
hint: write T1:T2, or auto
? 2

## Dates: seconds since the first row, in people's output as dates.
$ printf '2026-01-31T12:00:00Z,1\n2026-01-31T12:00:10Z,3\n2026-01-31T12:00:20Z,2\n' > dates.csv; foretime trace fit dates.csv -n 1 --json | jq -c '.origin, .nodes'; foretime trace constrain dates.csv --keep 2026-01-31T12:00:10Z --json | jq -c .keep
"2026-01-31T12:00:00Z"
[[0,1],[20,2]]
[10]

## Gaps are told, and dealt with as asked.
$ printf 't,y\n0,1\n1,2\n2,\n3,NaN\n4,4\n5,5\n' > gaps.csv; foretime trace fit gaps.csv --json | jq -c '[.gaps, .gaps_s, .gaps_as, .pieces]'
note: 1 gap of 3 s in all, the first from 1: joined by straight lines; --value gaps=join, break or zero
[1,3,"join",<<\d>>]

$ foretime trace fit gaps.csv --value gaps=break --csv
note: 1 gap of 3 s in all, the first from 1: left out: the trace is in parts; --value gaps=join, break or zero
# rms_error: 0
# max_error: 0
# area: 6
# area_data: 6
t,y
0,1
1,2
2.5,
4,4
5,5

$ foretime trace show gaps.csv --value gaps=zero --json 2>/dev/null | jq -c '[.least, .gaps_as, .step_s]'
[0,"zero",0.001]

$ foretime trace show gaps.csv --value gaps=ignore
foretime: 'ignore' is not a way to fill gaps
hint: --value gaps=join, break or zero
? 2

$ printf '0,2\n10,5\n20,0\n' > steps.csv; foretime trace show steps.csv --value hold
steps.csv: column 2 over 1, 3 rows from 0 to 20
jumps are steep pieces, 0.01 s wide
1 part, 20 s in all, rows 0.01 to 9.995 s apart
mean 3.5, standard deviation <<[\d.]+>>, area 70
least 2 at 0, most 5 at 10.005

## As other tools write them: units, dates of their own, decimal commas, clocks, milliseconds.
$ printf 'timestamp, name, utilization.gpu [%%], power.draw [W]\n2026/01/05 10:00:00.500, A 100, 5 %%, [N/A]\n2026/01/05 10:00:01.500, A 100, 7 %%, 80.5 W\n2026/01/05 10:00:02.500, A 100, 9 %%, 90 W\n' > smi.csv; foretime trace fit smi.csv -n 1 --json | jq -c '.value, .origin, .nodes'; foretime trace fit smi.csv --value 4 -n 1 --json | jq -c '.nodes'
"utilization.gpu [%]"
"2026-01-05T10:00:00.500Z"
[[0,5],[2,9]]
[[1,80.5],[2,90]]

$ printf '"Time","mem"\n"2026-01-05 10:00:00","980 MiB"\n"2026-01-05 10:00:01","1.1 GiB"\n' > mixed.csv; foretime trace show mixed.csv
foretime: mixed.csv:3: column 2: '1.1 GiB' is not in the unit of the first value, 'MiB'
hint: write all values in one unit
? 2

$ printf '#Date,Time,[CPU]User%%\n20260105,23:59:50,3\n20260106,00:00:10,5\n' | foretime trace fit - --json | jq -c '.origin, .nodes'
"2026-01-05T23:59:50Z"
[[0,3],[20,5]]

$ printf '# hostname;interval;timestamp;%%user\nh;600;2026-01-05 00:00:01 UTC;3\nh;600;2026-01-05 00:10:01 UTC;5\n' | foretime trace fit - --json | jq -c '.value, .origin, .nodes'
"%user"
"2026-01-05T00:00:01Z"
[[0,3],[600,5]]

$ printf 'Zeit;Last\r\n0,5;1,25\r\n2,5;3,75\r\n' | foretime trace fit - --json | jq -c .nodes
[[0.5,1.25],[2.5,3.75]]

$ printf 'ts,v\n1767571200000,0\n1767571200500,4\n' | foretime trace fit - --json | jq -c '.origin, .nodes'
"2026-01-05T00:00:00Z"
[[0,0],[0.5,4]]

$ printf 'time,v\n23:59:59,1\n0:00:01,2\n' | foretime trace fit - --json | jq -c .nodes
[[86399,1],[86401,2]]

$ (printf 't,y\n0,1\n1,2\n' | gzip; printf 't,y\n2,3\n' | gzip) > two.csv.gz; foretime trace show two.csv.gz | head -1
two.csv.gz: column y over t, 3 rows from 0 to 2

$ printf 'Date,Load\n01/28/2026,1\n01/29/2026,2\n' > us.csv; foretime trace show us.csv
foretime: us.csv:2: column 1: '01/28/2026' is no time
hint: write times as seconds, hh:mm:ss or 2026-01-31T12:00:00; of sar: sadf -d
? 2

$ printf 'time,v\n2025-10-26 02:30:00,1\n2025-10-26 02:00:00,2\n' > winter.csv; foretime trace show winter.csv
foretime: winter.csv:3: the time 2025-10-26T02:00:00Z is earlier than that of the row before, 2025-10-26T02:30:00Z
hint: sort the rows by time; where summer time ends, write UTC or the zone, as 2026-10-25T02:30:00+01:00
? 2

$ printf 't,y\r0,1\r1,2\r' > cr.csv; foretime trace show cr.csv
cr.csv: column y over t, 2 rows from 0 to 1
1 part, 1 s in all, rows 1 to 1 s apart
mean 1.5, standard deviation 0.288675, area 1.5
least 1 at 0, most 2 at 1

## Damaged input.
$ printf 't,y\n0,1\n2,1\n1,1\n' > bad.csv; foretime trace fit bad.csv
foretime: bad.csv:4: the time 1 is earlier than that of the row before, 2
hint: sort the rows by time
? 2

$ printf 't,y\n0,1\n0,1\n' > bad.csv; foretime trace fit bad.csv
foretime: bad.csv:3: the time 0 is also that of the row before
hint: keep one row for each time; --value hold takes the last one of a time
? 2

$ printf 't,y\n0,1\n' > bad.csv; foretime trace fit bad.csv
foretime: 'bad.csv' has one point only
hint: give a trace of two rows or more
? 2

$ printf 't,y\n0,1\n1,inf\n' > bad.csv; foretime trace fit bad.csv
foretime: bad.csv:3: column 2: 'inf' is infinite
hint: name the columns with --value COLUMN,time=COLUMN; leave a cell empty if its value is not known
? 2

$ printf 't,y\ninf,1\n1,2\n' > bad.csv; foretime trace fit bad.csv
foretime: bad.csv:2: column 1: 'inf' is not a time
hint: name the columns with --value COLUMN,time=COLUMN; leave a cell empty if its value is not known
? 2

$ printf '\177ELF\0\0\1\n\0\0\n' > bad.csv; foretime trace fit bad.csv
foretime: bad.csv:<<.*>>
hint: <<.*>>
? 2

$ printf 't,y\n0,1\n1,2\n2,34' | foretime trace fit - -n 1 --json | jq -c .nodes
note: the last line of standard input has no end, and was left out
[[0,1],[1,2]]

$ foretime trace fit none.csv
foretime: cannot open 'none.csv': No such file or directory
? 2

$ foretime trace fit in/trace.csv --value rss
foretime: 'in/trace.csv' has no column 'rss'
hint: name a column of its header, or give its number, from 1
? 2

## Pictures: a fit, or models from files.
$ foretime trace plot in/trace.csv -n 8 -o fit.svg && grep -c '</svg>' fit.svg
1

$ foretime trace plot in/trace.csv --model model.json --model nodes.csv -o two.svg && grep -o 'model.json: [0-9]* pieces' two.svg | sort -u
model.json: <<\d+>> pieces

$ foretime trace plot in/trace.csv -n 8 | head -1
trace.csv: cpu_utilisation

$ foretime trace plot in/trace.csv --json
foretime: 'trace plot' has no use for --json
hint: it is of foretime trace fit, constrain, phases, grow and show
? 2

$ foretime trace phases in/trace.csv -o phases.svg
foretime: 'trace phases' has no use for --output
hint: it is of foretime trace plot
? 2

## Phases over sizes: the first is n, the second n^2, the third constant.
$ for n in 100 200 400; do awk -v n=$n 'BEGIN { print "time,busy"; a = n / 10; b = a + n * n / 1000; for (t = 0; t <= b + 5; t += 0.25) print t "," (t < a ? 1 : t < b ? 4 : 2) }' > run$n.csv; done; foretime trace grow n=100 run100.csv n=200 run200.csv n=400 run400.csv n=800
3 phases of 3 traces over n, levels of column busy
C  steady at 25 % of the peak
   length  0.0993*n   n (0.93), not <<.*>>   here 1 min 19 s (1 min 17 s .. 1 min 28 s)
   level   1.01   constant (<<.*>>
A  steady at 100 % of the peak, after an abrupt rise
   length  0.001*n^2<<.*>>   n^2 (1.00), not <<.*>>   here 10 min 40 s <<.*>>
   level   3.99   constant (<<.*>>
B  steady at 50 % of the peak, after an abrupt fall
   length  5.12   constant (1.00), not <<.*>>   here 5.12 s <<.*>>
   level   2.01   constant (1.00), not <<.*>>
at n=800 all of them take 12 min 05 s (<<.*>>)
$ foretime trace grow n=100 run100.csv n=200 run200.csv n=400 run400.csv --json | check-schema trace
## Levels of several columns: what is held grows with n^2 in the second phase.
$ for n in 100 200 400; do awk -v n=$n 'BEGIN { print "time,busy,rss"; a = n / 10; b = a + n * n / 1000; for (t = 0; t <= b + 5; t += 0.25) print t "," (t < a ? 1 : t < b ? 4 : 2) "," (t < a ? 1000 : t < b ? 8 * n * n : 1000) }' > both$n.csv; done; foretime trace grow n=100 both100.csv n=200 both200.csv n=400 both400.csv --value busy,rss | sed -n '1p;6,9p'
3 phases of 3 traces over n, levels of columns busy, rss
A  steady at 100 % of the peak, after an abrupt rise
   length  <<.*n\^2.*>>
   busy  <<4|3\.9\d*>>   constant <<.*>>
   rss  <<.*n\^2.*>>
$ foretime trace grow n=100 both100.csv n=200 both200.csv n=400 both400.csv --value busy,rss --json | tee grown.json | check-schema trace; jq -c '[.column, (.phases[0].levels | map(.column))]' grown.json
["busy",["busy","rss"]]
$ foretime trace grow n=100 run100.csv n=200 run200.csv
foretime: traces of 2 sizes: 3 are needed to see how phases grow
hint: trace runs of more sizes: foretime run --trace a.csv -- PROGRAM ...
? 1
$ foretime trace grow run100.csv
foretime: of which size is 'run100.csv'?
hint: write foretime trace grow n=100 a.csv n=200 b.csv n=400 c.csv
? 2
$ foretime trace grow n=1 n=2 run100.csv
foretime: which trace is of n=1?
? 2
$ foretime trace grow n=1 run100.csv m=2 run200.csv
foretime: 'm=2': sizes are of one parameter, n
? 2

## Spikes: ten minutes each day, at the same time.
$ awk 'BEGIN { print "time,busy"; for (i = 0; i < 14 * 288; i++) print i * 300 "," (i % 288 == 90 || i % 288 == 91 ? 40 : 5 + i % 3) }' > days.csv; foretime trace phases days.csv | sed -n 2,3p
1 phase, work <<.*>>
14 daily spikes, 33.8 high on average
$ foretime trace phases days.csv --json | tee days.json | check-schema trace; jq -c '[.spikes.count, (.spikes.period_s / 3600 | round), .dips.count]' days.json
[14,24,0]

## What phases count is what is smoothed, and no more: half of its length on either side.
$ foretime trace constrain days.csv --smooth auto --json | tee model.json | check-schema trace; jq -c '[(.smoothed | length), ([.smoothed[] | .end - .begin] | max), ((.area / .area_data - 1) | fabs) < 1e-9]' model.json
[14,1800,true]

## Several columns at once: one division, each column's level.
$ awk 'BEGIN { print "t,busy,rss"; for (i = 0; i < 600; i++) print i "," (i >= 200 && i < 400 ? 8 : 1) + i % 3 / 10 "," (i < 400 ? 1e9 : 3e9) + i % 7 * 1e6 }' > two.csv; foretime trace phases two.csv --value busy,rss
two.csv: column busy over t, 600 rows from 0 to 599
3 phases of 2 columns together, mean level of each

phase    start      end   busy        rss  what
<<[ABC] +0.000 +19\d\.\d+ +1\.\d+ +1\.00\de\+09>>  busy steady at 1<<\d>> % of the peak; rss steady at 33 % of the peak
<<[ABC] +19\d\.\d+ +39\d\.\d+ +8\.\d+ +1\.00\de\+09>>  busy steady at 99 % of the peak, after an abrupt rise; rss steady at 33 % of the peak
<<[ABC] +39\d\.\d+ +599.000 +1\.\d+ +3\.00\de\+09>>  busy steady at 1<<\d>> % of the peak, after an abrupt fall; rss steady at 100 % of the peak, after an abrupt rise
$ foretime trace phases two.csv --value busy,rss --json | tee two.json | check-schema trace; jq -c '[.value, (.phases | length), [.columns[].value], (.columns[1].phases | length)]' two.json
["busy",3,["busy","rss"],3]
$ foretime trace phases two.csv --value busy,rss --csv | cut -d, -f1,2 | sort | uniq -c | sort -n | awk '{ print $1, $2 }' | head -3
1 busy,<<[ABC]>>
1 busy,<<[ABC]>>
1 busy,<<[ABC]>>
$ foretime trace phases - --value busy,rss < two.csv
foretime: several columns cannot be read from standard input, which comes once
hint: write it to a file, and name that
? 2
$ foretime trace phases two.csv --value busy,,rss
foretime: --value: a name is missing between two commas
? 2
$ foretime trace phases two.csv --value busy,nosuch
foretime: <<.*nosuch.*>>
<<.*>>
? 2

## a trace that is kept beside a run
$ foretime run n=3 --save traced,keep-trace -- sleep 0.2; foretime show traced -v | grep ^traces
traces     of 1 run: foretime trace fit run:1 takes the newest

$ foretime show traced --json >told; check-schema show <told; grep -A2 '"traces"' told | grep -c '"run": 1'
1

$ foretime trace show run:1 | head -1
run:1: column cpu_utilisation over time_s, <<\d+>> rows from 0 to <<[\d.]+>>

$ foretime trace fit run:1 --value rss_bytes --json | check-schema trace

$ foretime trace fit run:99
foretime: no trace of a run 99 is kept
hint: foretime run --save NAME,keep-trace keeps one; foretime show NAME lists the runs that have one
? 2

$ foretime rm traced -y >/dev/null 2>&1 || foretime rm traced >/dev/null; foretime trace fit run:1 2>&1 | head -1
foretime: no trace of a run 1 is kept

$ foretime run --save keep-trace -- true
foretime: keep-trace keeps the trace of a run: without --save no run is kept
hint: --trace FILE.csv writes it into a file
? 125
