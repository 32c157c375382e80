## SPDX-License-Identifier: GPL-3.0-or-later
## The first commands of somebody who has a program and has read nothing: each says what the next one is.
$ seq 100000 | awk '{ print $1 * 7919 % 100003 }' > numbers; printf '#!/bin/sh\nhead -n "$1" numbers | sort -n | tail -n 1\n' > top; chmod +x top; foretime 2>&1 | sed -n '1p;3,4p'; foretime >/dev/null 2>&1
foretime predicts what a run will cost before you start it.
  foretime build matmul n=64:3000 -- ./matmul {n}   measure it at a few sizes
  foretime predict matmul n=20000                    how long, and how sure
? 2

$ foretime predict top n=50000
foretime: there is no store '<<.*>>' yet
hint: foretime build, run --save, import and machine load record make it; or name another one with --store PATH
? 2

$ foretime build top -- ./top
foretime: no parameter is given
hint: write the range of sizes before --, as in n=64:3000
? 2

$ foretime build top n=1000:100000 -- ./top
foretime: the command has no {n}: each run would be the same
hint: write {n} where it takes that value, as in -- ./top {n}
? 2

$ foretime build top n=1000:100000 --limit 5 --runs 2:2 -- ./top '{n}'
model            accuracy  noise
wall_s               <<.*>>
peak_tree_bytes      <<.*>>

accuracy <<.*>> (target 10 %): <<.*[3-5] sizes, \d+ runs in .*>>
...
next: foretime predict top n=SIZE

$ foretime predict top n=60000
top: wall time<<.*>>
    n  typical  90 % of runs  <<.*>>basis
60000  <<.* \.\. .* (interpolated|measured)>>
...

$ foretime predict top n=60000 -r memory | head -1
top: memory

$ foretime largest top time=1h | head -1
largest n: <<\d+, extrapolated .*x>>

$ foretime list
name  runs  failed  sizes  machine  last run
top     <<\d+>>       0      <<[3-5]>>  <<.*>>

$ foretime show top | sed -n '1,3p;/by size/p'
name       top
command    ./top {n}
parameter  n = 1000 .. 100000
wall_s by size

$ foretime request top n=200000 --format slurm
--time=<<[\d:-]+>> --mem=<<\d+M>> --cpus-per-task=<<\d+>>
note: extrapolated 2x
...

$ foretime run --save top n=30000 -- ./top 30000
<<\d+>>

$ foretime plot top | head -1 | grep -c .; foretime lagrest top time=1s
1
foretime: unknown command 'lagrest'
hint: the nearest one is largest
? 2

$ foretime rm top; foretime list
<<.*top.*>>
note: the store is empty: foretime build makes the first model

$ printf '#!/bin/sh\ni=0; while [ $i -lt $1 ]; do i=$((i+1)); done\n' >count.sh; chmod +x count.sh

## One line, from a command to its law: what stands first has a blank or a brace, as no command of foretime has.
$ foretime './count.sh {n}' n=1000:50000 --budget 5s --store one.db 2>/dev/null | sed -n '/^model/p;/o runs$/p;/^law/p;/^class  /p;/^next/,$p'
model accuracy noise
<<.*90 % of runs.*typical run.*>>
law <<.*n.*>>
class <<.*>>
next: foretime predict count.sh n=500000
      foretime largest count.sh time=60s
      foretime show count.sh

$ foretime './count.sh {n}' mine n=1000:2000 --budget 1s --store=one.db --json | head -3; foretime list --format names --store one.db
{
  "schema": "foretime-build-2",
  "name": "mine",
count.sh
mine

$ foretime './count.sh "{n}' n=1:10; foretime ' ' n=1:10; foretime 'biuld' n=1:10
foretime: a quote is not closed
foretime: there is no word in it
foretime: unknown command 'biuld'
hint: the nearest one is build
? 2
