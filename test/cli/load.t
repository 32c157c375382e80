## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime load
foretime: what about the load?
hint: foretime load record, show, plot or judge
? 2

$ foretime load shwo
foretime: 'load' knows no 'shwo'
hint: the nearest is foretime load show
? 2

$ foretime load show me
foretime: 'load show' takes no 'me'
? 2

$ foretime load show --threads 0
foretime: a run has more than 0 threads
? 2

## Recorded on this machine: what others do cannot be known.
$ foretime load record --interval 0.1s
foretime: an interval under a second is too short: the kernel's ticks are 10 ms
hint: choose another one with --interval T
? 2

$ foretime load record --interval 1s --for 1s
recorded 1 observation of <<[1-9]\.\d\d>> s: <<[\d.e-]+>> of <<\d+>> processors busy on average

## Cut short after a second of its 10, wherever in them.
$ foretime load record & sleep 3; kill -INT $!; wait $!
recorded 1 observation of <<[\d.]+>> s: <<[\d.e-]+>> of <<\d+>> processors busy on average

$ foretime load record --for 1h & sleep 3; kill $!; wait $!
recorded 1 observation of <<[\d.]+>> s: <<[\d.e-]+>> of <<\d+>> processors busy on average
? 130

$ foretime load show --interval 1s --window 1s --history 5s
load of others on <<.*>>: 3 observations of <<[\d.]+>> s in all, <<\d>> gap<<s?>>, the newest just now
<<[\d.e-]+>> of <<\d+>> processor<<s?>> busy on average<<.*>>

all of the averages of the newest <<[\d.]+>> s lie between; a run of 1 thread, fair, takes so many times longer

averaged over  least  largest  takes, at best  at worst
<<\s*>>1.00 s<<.*>>

$ foretime load show --interval 1s --window 1s --history 5s --json | check-schema load

$ foretime load show --interval 1h --window 1h
foretime: less than one interval of 3600 s was observed
hint: record for longer, or choose a shorter one with --interval T
? 1

$ foretime load show --interval 1s --window 2d
foretime: the window is longer than the history
hint: choose them with --window T and --history T
? 2

$ foretime import in/cubic.csv --name cubic --here > /dev/null; foretime predict cubic n=500 --load usual
foretime: the load of others was observed for 0 minutes, and 10 are needed
hint: record it with 'foretime load record'
? 1

## A table of an hour, one row a minute, two processors.
$ foretime load show --file in/load.csv --window 10m
load of others on in/load.csv: 60 observations of 1 h 00 min in all, 0 gaps
0.56 of 2 processors busy on average

all of the averages of the newest 1 h 00 min lie between; a run of 1 thread, fair, takes so many times longer

averaged over  least  largest  takes, at best  at worst
   1 min 00 s   0.25      1.5               1      1.25
   2 min 00 s  0.275      1.5               1      1.18
   5 min 00 s   0.31     0.83               1         1
  10 min 00 s   0.54     0.58               1         1

$ foretime load show --file in/load.csv --window 10m --width 60% --share 80% --niced --threads 2
load of others on in/load.csv: 60 observations of 1 h 00 min in all, 0 gaps
0.56 of 2 processors busy on average

80 % of the averages of the newest 1 h 00 min lie between; a run of 2 threads, niced, takes so many times longer

averaged over  least  largest  takes, at best  at worst
   1 min 00 s   0.25      1.5            1.15      1.95
   2 min 00 s  0.275     0.95            1.16       1.9
   5 min 00 s  0.315    0.805            1.19      1.49
  10 min 00 s   0.54     0.57            1.37       1.4

within 60 % of the processors from 2 min 00 s on: a window of that length is enough

$ foretime load judge --file in/load.csv --history 20m --window 5m
loads of in/load.csv: how many later averages lie within the functions, and how wide these are

    history      window  functions  within   width  area (processor h)  moments
20 min 00 s  5 min 00 s  extremes    100 %  44.4 %             0.05914       36
20 min 00 s  5 min 00 s  95 %       97.2 %  43.9 %             0.05848       36
20 min 00 s  5 min 00 s  90 %       97.2 %  43.4 %             0.05782       36
20 min 00 s  5 min 00 s  80 %       92.2 %  37.7 %             0.05025       36

$ foretime load judge --file in/load.csv --json | check-schema load

$ foretime load judge --file in/load.csv --history 2h --window 1m
foretime: the history is too short to be judged: 60 intervals
hint: record for longer, or choose a shorter --history T and --window T
? 1

$ foretime load plot --file in/load.csv -o load.svg && grep -c '</svg>' load.svg
1

$ foretime load plot --file in/load.csv | head -2
 load of others: in/load.csv

$ foretime load show --file in/cubic.csv
foretime: 'in/cubic.csv' has no column 'time'
hint: its columns must be time (seconds, or a date and time) and load (processors)
? 2

$ foretime load show --file in/load.csv --processors 1
foretime: in/load.csv:3: the load 1.5 is not between 0 and 1 processors
hint: say how many processors the machine has, in a line '# processors: 8' before the header
? 2
