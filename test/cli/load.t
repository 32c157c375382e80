## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime load
foretime: 'machine load' needs a subcommand: record, import, show, plot or judge
hint: foretime machine load --help explains them
? 2

$ foretime load shwo
foretime: 'machine load' has no subcommand 'shwo'
hint: the nearest is foretime machine load show
? 2

$ foretime load show me
foretime: cannot open 'me': No such file or directory
? 2

$ foretime load show --threads 0
foretime: a run has more than 0 threads
? 2

## Recorded on this machine: what others do cannot be known.
$ foretime load record --interval 0.1s
foretime: an interval under a second is too short: the kernel's ticks are 10 ms
hint: choose another one with --every T
? 2

$ foretime load record --interval 1s --for 1s
recorded 1 observation of <<[1-9]\.\d\d>> s: other processes demanded <<[\d.e-]+>> processors on average; <<[\d.e-]+>> of <<\d+>> busy

## Cut short after a second of its hour, wherever in it: interrupts are caught (SIGINT is the second bit) before it begins.
$ foretime load record --interval 1h & until grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.1; done; sleep 3; kill -INT $!; wait $!
recorded 1 observation of <<[\d.]+>> s: other processes demanded <<[\d.e-]+>> processors on average; <<[\d.e-]+>> of <<\d+>> busy

$ foretime load record --interval 1h --for 1h & until grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.1; done; sleep 3; kill $!; wait $!
recorded 1 observation of <<[\d.]+>> s: other processes demanded <<[\d.e-]+>> processors on average; <<[\d.e-]+>> of <<\d+>> busy
? 130

## Seconds say nothing of what comes: no table, but from when on there will be one.
$ foretime load show --interval 4s --window 4s --history 12s | sed 's/: [0-9. a-z]* more$/: .. more/'
background load on <<.*>>: 3 observations of <<[\d.]+>> s in all, <<\d>> gap<<s?>>, the newest <<just now|\d+ s ago>>
demand of other processes: <<[\d.e-]+>> processors on average; <<[\d.e-]+>> of <<\d+>> busy<<.*>>

averages over up to 4.00 s are known once 16.0 s were observed: .. more
foretime predict --load usual answers once 10 min 00 s were observed: .. more

$ foretime load show --interval 1s --window 1s --history 5s --json | check-schema load

$ foretime load show --interval 1h --window 1h
foretime: less than one interval of 3600 s was observed
hint: record for longer, or choose a shorter one with --every T
? 1

$ foretime load show --interval 1s --window 2d
foretime: the window is longer than the history
hint: choose them with --window T and --since T
? 2

$ foretime import in/cubic.csv --name cubic --here > /dev/null; foretime predict cubic n=500 --load usual
foretime: the background load was recorded for 0 minutes, and 10 are needed
hint: record it with 'foretime machine load record'
? 1

## A table of an hour, one row a minute, two processors.
$ foretime load show in/load.csv --window 10m
background load on in/load.csv: 60 observations of 1 h 00 min in all, 0 gaps
demand of other processes: 0.56 processors on average; the machine has 2

all of the averages of the newest 1 h 00 min are in this range; slow-down of a run of 1 thread, fair:

averaged over  least  largest  takes, at best  at worst
   1 min 00 s   0.25      1.5               1      1.25
   2 min 00 s  0.275      1.5               1      1.18
   5 min 00 s   0.31     0.83               1         1
  10 min 00 s   0.54     0.58               1         1

$ foretime load show in/load.csv --window 10m,width=60%,share=80% --niced --threads 2
background load on in/load.csv: 60 observations of 1 h 00 min in all, 0 gaps
demand of other processes: 0.56 processors on average; the machine has 2

80 % of the averages of the newest 1 h 00 min are in this range; slow-down of a run of 2 threads, niced:

averaged over  least  largest  takes, at best  at worst
   1 min 00 s   0.25      1.5            1.15      1.95
   2 min 00 s  0.275     0.95            1.16       1.9
   5 min 00 s  0.315    0.805            1.19      1.49
  10 min 00 s   0.54     0.57            1.37       1.4

within 60 % of the processors from 2 min 00 s on: a window of that length is enough

$ foretime load judge in/load.csv --since 20m --window 5m
loads of in/load.csv: how many later averages lie within the functions, and how wide these are

    history      window  functions  within   width  area (processor h)  moments
20 min 00 s  5 min 00 s  extremes    100 %  44.4 %             0.05914       36
20 min 00 s  5 min 00 s  95 %       97.2 %  43.9 %             0.05848       36
20 min 00 s  5 min 00 s  90 %       97.2 %  43.4 %             0.05782       36
20 min 00 s  5 min 00 s  80 %       92.2 %  37.7 %             0.05025       36

$ foretime load judge in/load.csv --json | check-schema load

$ foretime load judge in/load.csv --since 2h --window 1m
foretime: the history is too short to be judged: 60 intervals
hint: record for longer, or choose a shorter --since T and --window T
? 1

$ foretime load plot in/load.csv -o load.svg && grep -c '</svg>' load.svg
1

$ foretime load plot in/load.csv | head -2
background load: in/load.csv

$ foretime load show in/cubic.csv
foretime: 'in/cubic.csv' has no column 'time'
hint: its columns must be time (seconds, or a date and time) and load (processors)
? 2

## A queue of 1.5 on one processor; where nobody says how many there are it is taken for a slip.
$ foretime load show in/load.csv --cpus 1 --window 1m
background load on in/load.csv: 60 observations of 1 h 00 min in all, 0 gaps
demand of other processes: 0.56 processors on average; the machine has 1

all of the averages of the newest 1 h 00 min are in this range; slow-down of a run of 1 thread, fair:

averaged over  least  largest  takes, at best  at worst
   1 min 00 s   0.25      1.5            1.25       2.5

$ grep -v '^#' in/load.csv > bare.csv; foretime load show bare.csv
foretime: bare.csv:2: a load of 1.5 on an unknown number of processors
hint: state the number of processors in a line '# processors: 8' before the header
? 2

## Eight loops on two processors for five minutes: the queue, and a table of what five minutes can tell.
$ (echo '# processors: 2'; echo time,load; seq 10 10 300 | sed 's/$/,8/') > eight.csv; foretime load show eight.csv
background load on eight.csv: 30 observations of 5 min 00 s in all, 0 gaps
demand of other processes: 8 processors on average; the machine has 2

all of the averages of the newest 5 min 00 s are in this range; slow-down of a run of 1 thread, fair:

averaged over  least  largest  takes, at best  at worst
       10.0 s      8        8             4.5       4.5
       20.0 s      8        8             4.5       4.5
       50.0 s      8        8             4.5       4.5
   1 min 10 s      8        8             4.5       4.5

averages over up to 1 h 00 min are known once 4 h 00 min were observed: 3 h 55 min more

$ (echo '# processors: 2'; echo time,load; seq 10 10 20 | sed 's/$/,8/') > two.csv; foretime load show two.csv
background load on two.csv: 2 observations of 20.0 s in all, 0 gaps
demand of other processes: 8 processors on average; the machine has 2

averages over up to 1 h 00 min are known once 4 h 00 min were observed: 4 h 00 min more

## What an action has no use for.
$ foretime load show --timeout 1s
foretime: 'machine load show' has no use for --timeout
hint: it is of foretime machine load record
? 2

$ foretime load --json record
foretime: 'machine load record' has no use for --json
hint: it is of foretime machine load import, show and judge
? 2
