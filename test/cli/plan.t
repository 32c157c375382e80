## SPDX-License-Identifier: GPL-3.0-or-later
## Three machines: 1 us and 3 us a unit, and one that works by watts and has little memory.
$ awk 'BEGIN { print "# machine: 00000000000000aa\n# host: fast\n# memory_bytes: 64e9\nn,wall_s,peak_rss_bytes"; for (n = 1000; n <= 1024000; n *= 2) for (r = 0; r < 3; r++) printf "%d,%.9g,%d\n", n, 1e-6*n, 1e6+8*n }' > fast.csv
$ awk 'BEGIN { print "# machine: 00000000000000bb\n# host: slow\n# memory_bytes: 4e6\nn,wall_s,peak_rss_bytes"; for (n = 1000; n <= 1024000; n *= 2) for (r = 0; r < 3; r++) printf "%d,%.9g,%d\n", n, 3e-6*n, 1e6+8*n }' > slow.csv
$ for host in fast slow; do foretime import $host.csv --name work; done
imported 33 runs at 11 sizes as 'work'
imported 33 runs at 11 sizes as 'work'

## ---- partition
$ foretime plan partition work n=1000000 --on fast,slow
n=1000000 over 2 processors: done in 750 ms
exact: no plan is better
equal shares do not fit

processor       n  share    time      90 % of runs  basis         no more for
fast       750000   75 %  750 ms  <<.*>>  interpolated  time
slow       250000   25 %  750 ms  <<.*>>  interpolated  time

$ foretime plan partition work n=10000 --on fast,slow | sed -n 3p
equal shares: done in 15.0 ms

## Memory of a machine is shared by its processors.
$ foretime plan partition work n=1000000 --on fast,slow:3 | tail -4
fast       <<\d+>>  <<[\d.]+ %>>  <<\d+ ms>>  <<.*>>  interpolated  time
slow/1      <<\d+>>  <<[\d.]+ %>>  <<\d+ ms>>  <<.*>>  interpolated  memory
slow/2      <<\d+>>  <<[\d.]+ %>>  <<\d+ ms>>  <<.*>>  interpolated  memory
slow/3      <<\d+>>  <<[\d.]+ %>>  <<\d+ ms>>  <<.*>>  interpolated  memory

$ foretime plan partition work n=1000000 --on fast,slow --json | tee plan.json | check-schema plan; jq -c '[.total, ([.shares[].units] | add), .exact, .gap, .shares[1].binds]' plan.json
[1000000,1000000,true,0,"time"]
$ foretime plan partition work n=1000003 --on fast,slow --granularity 10 --format csv
processor,name,host,n,time_s
fast,work,fast,<<7\d+,0\.7\d+>>
slow,work,slow,<<2\d+,0\.7\d+>>
$ foretime plan partition work n=1000 --on fast,slow --granularity min=400 --format csv | cut -d, -f4
n
600
400
$ foretime plan partition work n=20000 --on fast,slow --risk 5% | sed -n 3p
with a risk of 5 % to take longer; each time below is of a risk of 2.53 %
## Who has no share is not late: what is left takes as long as the whole.
$ foretime plan partition work n=1 --on fast,slow --risk 5% --json | jq -c '[.risk_each, .shares[1].units, (.shares[0].time_s / .time_s - 1 | fabs < 0.01)]'
[0.05,0,true]
$ foretime plan partition work n=20000 --on fast,slow --risk 5% --json | tee risk.json | check-schema plan; jq -c '[.risk, .gap < 0.01, .time_s >= .bound_s, ([.shares[].units] | add)]' risk.json
[0.05,true,true,20000]
$ foretime plan partition work n=5000000 --on fast | tail -1
fast       5000000  100 %  <<\S+ s>>  <<.*>>  extrapolated  4.88x beyond

## The same question, the same plan.
$ foretime plan partition work n=987654 --on fast,slow --effort 500 --json > one.json; foretime plan partition work n=987654 --on fast,slow --effort 500 --json | cmp - one.json

## Energy: by the watts that are told.
$ printf 'host,watts\nfast,300\nslow,40\n' > watts.csv
$ foretime plan partition work n=1000000 --on fast,slow --resources watts.csv --granularity 1000 --least energy --deadline 900ms
n=1000000 over 2 processors: done in <<(900|897)>> ms, for 246 J
exact: no plan is better
equal shares do not fit

processor       n  share    time      90 % of runs  energy  basis
fast       <<70[01]000>>   <<70|70.1>> %  <<70\d>> ms  <<.*>>  210 J  interpolated
slow       <<300000|299000>>  <<30|29.9>> %  <<900|897>> ms  <<.*>>  <<36.0|35.9>> J  interpolated
$ foretime plan partition work n=1000000 --on fast,slow --resources watts.csv --granularity 1000 --least both --json | tee front.json | check-schema plan; jq '.front | length' front.json
20
$ foretime plan partition work n=1000000 --on fast,slow --resources watts.csv --granularity 1000 --least both | grep -c knee
1

## Pictures: the front, and what each takes for a share; beside the answer.
$ foretime plan partition work n=1000000 --on fast,slow --resources watts.csv --granularity 1000 --least both --output front.svg --json | check-schema plan; grep -o 'no plan is better in both\|>the plan<\|>fast<\|>slow<\|>shares<' front.svg | sort -u | wc -l
5
$ foretime plan partition work n=1000000 --on fast,slow --output - | grep -c 'all done in 750 ms'
1
$ foretime plan partition work n=1000 --on fast,slow --output p.jpg
foretime: 'p.jpg' does not end in .svg, .png or .pdf
hint: name the picture FILE.svg, FILE.png or FILE.pdf
? 2
$ foretime plan partition work n=1000 --on fast --output - --json
foretime: -o - and --format json both go to standard output
hint: name a picture: -o FILE.svg
? 2

## Files of those that carry it out. This machine has its own program.
$ foretime build sh n=100:1000 --method naive --limit 3 --runs 2:2 -q -- sh -c 'exit $(( {n} < 0 ))' >/dev/null; foretime plan partition sh n=700 --format parallel
sh -c 'exit $(( 700 < 0 ))'
$ foretime plan partition sh n=700 --format multi-prog
0 sh -c 'exit $(( 700 < 0 ))'
$ foretime plan partition sh n=700 --format mpiexec
foretime: a file of mpiexec has no way to write the word 'exit $(( 700 < 0 ))'
hint: its lines are divided at blanks and know no quotes: put the command in a script
? 2

## Nothing is known: divide, run, divide again. The second processor takes three times as long, as the program tells.
$ printf '%s\n' '#!/bin/bash' 'printf "ft1 routine told 1 %d %d 0\n" $(($1 * $2 * 1000000)) $(($1 * $2 * 1000000)) >&$FORETIME_PROBE_FD' >told; chmod +x told
$ foretime plan partition --via local nap n=400 --on 1,3 --json -- ./told {n} {host} | tee live.json | check-schema plan; jq -c '[.total, ([.shares[].units] | add), (.shares[0].units > .shares[1].units), (.laps | length > 1), .laps[0].expected_s]' live.json
[400,400,true,true,null]
## What ran is kept, each processor's as a program of its own: it goes on from there.
$ foretime plan partition --via local nap n=400 --on 1,3 --runs 1 --json -- ./told {n} {host} | jq -c '[(.laps | length), .laps[0].expected_s != null, (.shares[0].units > .shares[1].units)]'
[1,true,true]
$ foretime plan partition nap/1 nap/3 n=400 --format csv | wc -l
3
$ foretime plan partition --via local bad n=400 --on 0,1 -- sh -c 'exit $(( {n} * {host} ))'
foretime: 1 with n=200: failed with status 200
? 2
$ foretime plan partition --via local bad n=400 --on 0,1
foretime: --via runs a command: none stands behind --
hint: foretime plan partition --via local NAME n=TOTAL --on a,b:2 -- PROG {n}
? 2
$ foretime plan partition work n=400 --on fast -- true
foretime: a command behind -- and --runs are for --via
hint: foretime plan partition --via local NAME n=TOTAL --on a,b -- PROG {n}
? 2
$ foretime plan partition bad n=4 --on a --via pigeon -- true 2>&1 | head -1
foretime: --via is local, mpiexec, srun or parallel, not 'pigeon'
$ foretime plan partition --via local bad n=100 --on a,b --granularity 300 --runs 1 -- true
foretime: 100 units cannot be divided so
hint: state a --granularity that is no more than the total
? 2
$ for step in 0.5 1e300; do foretime plan partition --via local bad n=100 --on a,b --granularity $step -- true 2>&1 | head -1; done
foretime: --granularity G,min=K are whole numbers of n
foretime: --granularity G,min=K are whole numbers of n
$ for option in --all --memory-risk=5% --effort=1e6 --min=1; do foretime plan partition --via local bad n=100 --on a,b $option -- true 2>&1 | head -1; done | uniq -c | tr -s ' '
 4 foretime: --via divides by what it measures: no risk, energy, deadline, effort, least share, file or picture
$ foretime plan partition --via local bad n=100 --on a,b --runs 0 -- true 2>&1 | head -1
foretime: --runs 0 runs nothing
## GNU parallel starts the pieces, where there is one. An interrupt is heard while it does.
$ if command -v parallel >/dev/null; then foretime plan partition par n=8 --on localhost:2 --via parallel --runs 1 --format csv -- sh -c 'exit $(( {n} < 0 ))' | cut -d, -f1,2; else printf 'processor,units\nlocalhost/1,4\nlocalhost/2,4\n'; fi
processor,units
localhost/1,4
localhost/2,4
$ if command -v parallel >/dev/null; then foretime plan partition heard n=8 --on localhost:2 --via parallel -- sh -c 'echo {n} >started; until [ -f over ]; do sleep 0.05; done' & p=$!; until [ -f started ]; do sleep 0.05; done; kill -TERM $p; touch over; wait $p; else false || (exit 130); fi
? 130

## ---- rank
$ foretime plan rank work n=300000
machine  done in    time      90 % of runs  first  basis
fast      300 ms  300 ms  <<.*>>  100 %  interpolated
slow      900 ms  900 ms  <<.*>>  0 %  interpolated

$ foretime plan rank work n=300000 --wait fast=1s --json | tee rank.json | check-schema plan; jq -c '[.ranks[].name]' rank.json
["slow","fast"]
$ foretime plan rank work n=600000 --on slow,fast
machine  done in    time      90 % of runs  first  basis
fast      600 ms  600 ms  <<.*>>  100 %  interpolated
slow           -       -                 -      -                memory

## A machine that is taken: a run goes before that, or waits until it is free.
$ foretime plan rank work n=300000 --on slow,fast --reserve fast=1s:9s --format json | jq -c '[.ranks[] | [.name, .wait_s]]'
[["fast",0],["slow",0]]
$ foretime plan rank work n=300000 --on slow,fast --reserve fast=100ms:9s --format json | jq -c '[.ranks[] | [.name, .wait_s]]'
[["slow",0],["fast",9]]
$ foretime plan rank work n=300000 --reserve fst=1s
foretime: 'fst' is reserved, and is none of those that are ranked
hint: they are <<fast, slow>>
? 2

## Two machines alike; partitions by their nodes; one whose limit is too short.
$ sed 's/bb/cc/; s/slow/twin/; s/4e6/64e9/' slow.csv > twin.csv; sed 's/bb/dd/; s/slow/tain/; s/4e6/64e9/' slow.csv > tain.csv; foretime import twin.csv --name work >/dev/null; foretime import tain.csv --name work >/dev/null
$ printf 'PARTITION AVAIL TIMELIMIT NODELIST CPUS MEMORY\nshort* up 0:01 fast 16 64000\nlong up infinite twin,x[1-9] 16 64000\nnight up 1-00:00:00 tain 8 32000\nother up infinite y 1 1\n' > sinfo.txt
$ foretime plan rank work n=2000000 --sinfo sinfo.txt --format slurm
note: partition other is left out: on none of its nodes 'work' was run
--partition=<<(long,night|night,long)>>
$ foretime plan rank work n=2000000 --sinfo sinfo.txt 2>/dev/null | grep short
short      2.00 s  2.00 s  <<.*>>  -  extrapolated  over the longest run that is let
$ foretime plan rank work n=300000 --sinfo sinfo.txt --format slurm 2>/dev/null
--partition=short

## For Snakemake's executor: its own file of partitions, written and read.
$ foretime plan rank work n=2000000 --sinfo sinfo.txt --format snakemake 2>/dev/null | tee config.yaml
partitions:
  "long":
    max_mem_mb: 64000
    max_threads: 16
    max_cpus_per_task: 16
  "night":
    max_runtime: 1440
    max_mem_mb: 32000
    max_threads: 8
    max_cpus_per_task: 8
$ printf 'partitions:\n  twin:\n    max_runtime: 1m\n  tain:\n    max_runtime: 2s # too short\n  elsewhere:\n    max_threads: 4\n' > limits.yaml; foretime plan rank work n=2000000 --sinfo limits.yaml --format slurm
note: partition elsewhere is left out: on none of its nodes 'work' was run
--partition=twin
$ foretime plan rank work n=2000000 --sinfo limits.yaml --on twin --format snakemake
partitions:
  "twin":
    max_runtime: 1
  "elsewhere":
    max_threads: 4
    max_cpus_per_task: 4
$ printf 'partitions:\n  twin:\n    max_runtime: soon\n' > bad.yaml; foretime plan rank work n=2000000 --sinfo bad.yaml
foretime: bad.yaml:3: max_runtime is no time
hint: a name below "partitions:", and max_runtime, max_mem_mb, max_threads below it, each on a line of its own
? 2

## ---- map
$ printf 'task,name,n\na,work,100000\nb,work,200000\nc,work,300000\nd,work,300000\n' > tasks.csv; foretime plan map tasks.csv --on fast,twin --effort 1e5
4 tasks over 2 machines: done in 700 ms
exact: no plan is better

machine  done in  tasks
fast      700 ms  3  a c d
twin      600 ms  1  b

$ foretime plan map tasks.csv --on fast,twin:2 --effort 1e5 --format csv | sort
<<a,.*>>
<<b,.*>>
<<c,.*>>
<<d,.*>>
task,machine,time_s
## An id of any length is one cell.
$ awk 'BEGIN { printf "task,fast\n\"%0700d,b\",3\n", 7 }' > long.csv; foretime plan map long.csv --on fast --effort 1e5 --format csv | tail -1 | cut -c 690-
000000000007,b",fast,3
$ awk 'BEGIN { printf "{\"tasks\": [{\"id\": \"%0700d,b\", \"time_s\": 3}]}", 7 }' > long.json; foretime plan schedule long.json --on 'fa"st' --effort 1e5 --format csv | tail -1 | cut -c 690-
000000000007,b","fa""st",0,3
$ foretime plan map tasks.csv --on fast,twin --effort 1e5 --json | tee map.json | check-schema plan; foretime plan map tasks.csv --on fast,twin --effort 1e5 --json | cmp - map.json
$ printf 'fast,slow\n3,9\n2,\n4,12\n' > seconds.csv; foretime plan map seconds.csv --on fast,slow --effort 1e5
3 tasks over 2 machines: done in 9.00 s
exact: no plan is better

machine  done in  tasks
fast      <<[69].00 s>>  <<\d>>  <<.*>>
slow      <<\d.*s>>  <<\d.*>>

## A chart: tasks one after the other on their machines, and what others have.
$ foretime plan map seconds.csv --on fast,slow --effort 1e5 --output map.svg >/dev/null; grep -c '<polygon' map.svg
<<[3-9]>>
$ foretime plan map seconds.csv --on fast,slow --effort 1e5 --reserve fast=1s:2s --output - | head -2
fast  <<[a-c.]+#+[a-c.]+>>
slow  <<[a-c.]+>>

## Energy has a price; what was reserved.
$ printf 'task,fast,slow\na,3,9\nb,2,\nc,4,12\n' > three.csv
$ foretime plan partition work n=1000000 --on fast,slow --resources watts.csv --granularity 1000 --least energy --deadline 900ms --price 0.30/kWh --json | tee price.json | check-schema plan; jq -c '[.price.per_kwh, .price.currency, (.cost * 1e7 | round), .co2_g]' price.json
[0.3,"",<<20\d>>,null]
$ foretime plan map three.csv --on fast,slow --reserve fast=1s:4s --reserve slow=2s --effort 1e5
3 tasks over 2 machines: done in 11.0 s
<<.*>>

machine  done in  tasks
fast      10.0 s      2  b c
slow      11.0 s      1  a

$ foretime plan map three.csv --on fast,slow --least energy
foretime: 'plan map' has no use for --least
hint: it is of foretime plan partition
? 2
$ foretime plan partition work n=1000000 --on fast,slow --price 0.30/kWh
foretime: --price and --co2 are of energy
hint: plan it: --least energy
? 2
$ foretime plan map three.csv --on fast,slow --reserve fas=1s 2>&1 | head -1
foretime: 'fas' is reserved, which is none of the hosts of --on
$ foretime plan map three.csv --on fast,slow --reserve fast=3s:1s 2>&1 | head -1
foretime: fast is reserved until before it is reserved: 3s:1s

## ---- schedule
$ printf '{"tasks": [{"id": "a", "name": "work", "size": {"n": 200000}}, {"id": "b", "name": "work", "size": {"n": 300000}}, {"id": "c", "time_s": {"fast": 0.3, "twin": "900ms"}}, {"id": "d", "time_s": 0.1}], "edges": [{"from": "a", "to": "b", "bytes": "8*n"}, {"from": "a", "to": "c"}, {"from": "b", "to": "d", "bytes": 1e6}, {"from": "c", "to": "d", "bytes": 1000}]}\n' > graph.json; printf 'from,to,latency,bandwidth\n*,*,1ms,100MB\n' > links.csv
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv
4 tasks over 2 machines: done in 900 ms (HEFT: 900 ms)
<<.*>>

fast  aaaaaaaaaaaaaaaa<<[abcd]+>>
twin  <<[abcd.]+>>
<<.*[+][+]-.*>>
<<.*0 .*200 ms.*800 ms.*>>
 time from the start

a a  b b  c c  d d
   task  machine  start  end
a  a  fast  0 s  200 ms
b  <<.*>>
c  <<.*>>
d  d  fast  800 ms  900 ms

$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --json | tee schedule.json | check-schema plan; foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --json | cmp - schedule.json
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --format csv | head -2
task,machine,start_s,end_s
a,fast,0,0.<<(2|19999|20000)\d*>>
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --format dot | head -3
digraph plan {
	node [shape=box]
	t0 [label="a\nfast\n0 s - 200 ms"]
$ for mode in concurrent sequential; do foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --mode $mode --json | check-schema plan; done
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --mode sequential | head -3
4 modules over 2 machines: one after the other in 900 ms
<<.*>>
T_s 900 ms, T_c as printed <<.*>>, per machine <<.*>>

$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --output s.svg --format csv | wc -l; grep -o '>[abcd]<' s.svg | tr -d '\n'
5
<<(>[abcd]<)+>>
$ foretime plan schedule graph.json --on fast,twin --links links.csv --mode concurrent --output s.svg
foretime: -o draws tasks that end: modules run all the time
hint: --format dot draws the graph
? 2

## Modules in stages; what computing and sending count.
$ printf '{"tasks": [{"id": "a", "time_s": 4, "stage": 1}, {"id": "b", "time_s": 5, "stage": 1}, {"id": "c", "time_s": 6, "stage": 2}], "edges": [{"from": "a", "to": "c", "bytes": 1e8}]}' > stages.json
$ foretime plan schedule stages.json --on fast,twin --effort 1e5 --links links.csv --mode hybrid
3 modules over 2 machines: stage after stage in 11.0 s
exact: no plan is better
T_s 15.0 s, T_c as printed 6.00 s, per machine 10.0 s

module  stage  machine    time
a           1  <<(fast|twin)>>        4.00 s
b           1  <<(fast|twin)>>        5.00 s
c           2  <<(fast|twin)>>        6.00 s
$ sed 's/"from": "a", "to": "c"/"from": "c", "to": "a"/' stages.json > back.json; foretime plan schedule back.json --on fast,twin --effort 1e5 --links links.csv --mode hybrid --format csv | head -1
note: 'c' of stage 2 sends to 'a' of stage 1, which runs before it
task,machine,start_s,end_s,stage
$ foretime plan schedule stages.json --on fast,twin --effort 1e5 --links links.csv --mode hybrid --json | tee hybrid.json | check-schema plan; jq -c '[.slots[] | [.task, .stage]]' hybrid.json; jq -c '[.slots[] | has("stage")]' schedule.json
[["a",1],["b",1],["c",2]]
[false,false,false,false]
$ foretime plan schedule stages.json --on fast,twin --effort 1e5 --links links.csv --mode hybrid --format csv | cut -d, -f1,5
task,stage
a,1
b,1
c,2
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --mode hybrid
foretime: module 'a' has no "stage"
hint: modules of one stage run at once, stages one after the other: "stage": 1
? 2
$ foretime plan schedule stages.json --on fast,twin --effort 1e5 --links links.csv --mode sequential,weights=0.5,0 | sed -n '1p;4p'
3 modules over 2 machines: one after the other in 7.50 s
weighted: computing counts 0.5 times, sending 0 times
$ for weights in 1 1,2 0,0 a,b; do foretime plan schedule stages.json --on fast,twin --links links.csv --mode sequential,weights=$weights; done 2>&1 | grep -v hint
foretime: weights='1' are not two numbers between 0 and 1
foretime: weights='1,2' are not two numbers between 0 and 1
foretime: weights='0,0' are not two numbers between 0 and 1
foretime: weights='a,b' are not two numbers between 0 and 1
$ foretime plan schedule graph.json --on fast,twin --links links.csv --mode weights=1,1
foretime: weights are of modules: --mode concurrent, sequential or hybrid
hint: write --mode concurrent,weights=W1,W2: what computing counts, and what sending does, as in 1,0.5
? 2

## For StarPU: who runs what, in which order.
$ printf '{"tasks": [{"id": "a", "time_s": 2}, {"id": "b", "time_s": 1}, {"id": "c", "time_s": 1}], "edges": [{"from": "b", "to": "c"}]}' > pu.json; foretime plan schedule pu.json --on cpu:2 --effort 1e5 --format starpu 2>note | grep -v Worker; cat note
Name: a
SubmitOrder: 1

Name: b
SubmitOrder: 2

Name: c
SubmitOrder: 3

note: tasks are submitted in the order of the graph; worker 0 is cpu/1, the others follow as --on names them
$ foretime plan schedule pu.json --on cpu:2 --effort 1e5 --format starpu 2>/dev/null | grep Workerorder | sort | tr '\n' ' '
Workerorder: 1 Workerorder: 1 Workerorder: 2 
$ foretime plan schedule pu.json --on cpu:2 --mode concurrent --format starpu
foretime: --format starpu is of tasks that end: modules run all the time
hint: without --mode, the tasks get times
? 2

## A script for Slurm, of what has a command: jobs wait for those before them, and on their machine.
$ H=$(foretime show sh --json | jq -r .machine.host); printf '{"tasks": [{"id": "a", "name": "sh", "size": {"n": 200}}, {"id": "b", "name": "sh", "size": {"n": 300}}], "edges": [{"from": "a", "to": "b"}]}\n' > sh.json; foretime plan schedule sh.json --on $H --effort 1e5 --format slurm
#!/bin/sh
set -e
j0=$(sbatch --parsable --job-name=a --nodelist=<<\S+>> --wrap=<<.* 200 .*>>
j1=$(sbatch --parsable --job-name=b --nodelist=<<\S+>> --dependency=afterok:$j0<<.* 300 .*>>

## ---- revise: fast has 750000 units in 750 ms, slow 250000 in the same time; then slow becomes ten times slower.
$ awk 'BEGIN { print "processor,seconds,done"; for (t = 1; t < 20; t++) { f = 5e4*t; s = 33333*t/20; printf "fast,%g,%g\nslow,%g,%g\n", t/20, f < 750000 ? f : 750000, t/20, t < 3 ? 333333*t/20 : 33333+33333*(t-2)/20 } }' > progress.csv
$ head -15 progress.csv > early.csv; foretime plan revise plan.json early.csv --cost 200ms
processor        done    lost  staying  moving
fast       stay  46.7 %  0 s  400 ms  <<.*>>  as fast as planned
slow       stay  <<1\d.*>>  slower, but has lost less than a move costs
$ foretime plan revise plan.json progress.csv --cost 200ms
processor        done    lost  staying  moving
fast       stay  100 %  0 s  <<.*>>  done
slow       move  <<2\d.*>>  <<8\d\d ms>>  <<.*>>  <<[34]\d\d ms>>  has lost what a move costs, and elsewhere it ends sooner
? 1
$ foretime plan revise plan.json progress.csv --cost 60s | tail -1
slow       stay  <<2\d.*>>  <<8\d\d ms>>  <<.*>>  1 min 00 s  slower, but has lost less than a move costs
$ foretime plan revise plan.json progress.csv --cost 200ms --json | tee revise.json | check-schema plan; jq -c '[.move, .revisions[0].move, .revisions[1].move]' revise.json
[true,false,true]

## ---- export: what StarPU reads
$ foretime plan export work --on fast --format starpu,symbol=gemm,host=box n=1000,2000,4000 2>note; cat note
# version
45
...
# entries
3
# sumlnx	sumlnx2	sumlny	sumlnxlny	alpha	beta	n	minx	maxx
<<.*>>	30	1000	4000
...
# hash	size	flops	mean (us)	dev (us)	sum	sum2	n
000003e8	1000	0.000000e+00	<<(1\.0|9\.9).*>>	10
000007d0	2000	0.000000e+00	<<(2\.0|1\.9).*>>	10
00000fa0	4000	0.000000e+00	<<(4\.0|3\.9).*>>	10
note: it belongs in $STARPU_HOME/.starpu/sampling/codelets/45/gemm.box; the codelet's footprint is the size itself, and STARPU_CALIBRATE=0
$ for on in fast,slow fast:4; do foretime plan export work --on $on --format starpu,symbol=gemm,host=box; done
foretime: a model of StarPU is of one processor core of one machine, not of 'fast,slow'
hint: export it once for each machine: --on fast
foretime: a model of StarPU is of one processor core of one machine, not of 'fast:4'
hint: export it once for each machine: --on fast
? 2
$ foretime plan export work --on fast:1 --format starpu,symbol=gemm,host=box n=1000 2>/dev/null | grep -A1 entries
# entries
1
$ foretime plan export work --on fast --format starpu,symbol=gemm,host=box 2>/dev/null | grep -A1 entries
# entries
11

## ---- what is wrong, and what to do
$ foretime plan
foretime: 'plan' needs a subcommand: partition, rank, map, schedule, revise or export
hint: foretime plan --help explains them
? 2
$ foretime plan partition
foretime: missing NAME; usage: foretime plan partition NAME... n=TOTAL [m=100] [--on HOST,HOST:4] [OPTION...]
hint: foretime list shows the names
? 2
$ foretime plan partition n=100
foretime: missing NAME; usage: foretime plan partition NAME... n=TOTAL [m=100] [--on HOST,HOST:4] [OPTION...]
hint: foretime list shows the names
? 2
$ foretime plan partition work --on fast
foretime: which total is divided?
hint: write the total as a size, as in n=1000000: a whole number up to 2^53
? 2
$ foretime plan partition work n=1.5 --on fast
foretime: 'n=1.5' is not a total that can be divided
hint: write the total as a size, as in n=1000000: a whole number up to 2^53
? 2
$ foretime plan partition work n=1e16 --on fast
foretime: 'n=1e16' is not a total that can be divided
hint: write the total as a size, as in n=1000000: a whole number up to 2^53
? 2
$ foretime plan partition work n=nan --on fast
foretime: <<.*nan.*>>
hint: <<.*>>
? 2
$ foretime plan partition work m=100 --on fast
foretime: 'work' has no parameter 'm' to divide
hint: see its parameters: foretime show work; the first size on the command line is divided
? 2
$ foretime plan partition work n=4000000 --on slow:3
foretime: n=4000000 cannot be divided: <<\d+>> do not fit
hint: work on slow, each processor, takes <<\d+>> at most: memory
hint: more hosts, a smaller total, or what they have in --resources FILE.csv
? 1
$ foretime plan partition work n=4000000 --on slow:3 --json 2>/dev/null | check-schema plan
$ foretime plan partition work n=100 --on fast,slow --granularity min=60
foretime: n=100 cannot be divided: the least shares are 20 more
hint: a smaller min of --granularity, or fewer processors
? 1
$ foretime plan partition work n=1000 --on fast,far
foretime: 'work' was never run on 'far', and the instructions per second of that machine are not known
hint: measure it there, foretime export it and import it here; foretime machine list names the machines that are known
? 2
$ foretime plan partition wark n=1000 --on fast
foretime: the store <<\S+>> has no program 'wark'
hint: the nearest name is 'work'; foretime list shows all
? 2
$ foretime plan partition work n=1000
foretime: 'work' has no runs on this machine, and runs on <<\d>> other machines
hint: 'foretime list work' names the machines it was measured on
? 2
$ foretime plan partition work work n=1000 --on fast
foretime: 'work' is named twice
hint: several processors that are alike: --on HOST:4
? 2
$ foretime plan partition work n=1000 --on fast:0
foretime: --on: '0' is not a number of processors
hint: write --on fast,node1:4 for one processor of fast and four alike of node1
? 2
$ foretime plan partition work n=1000 --on fast,,slow
foretime: --on has a host without a name
hint: write --on fast,node1:4 for one processor of fast and four alike of node1
? 2
$ foretime plan partition work n=1000 --on fast,fast
foretime: --on names 'fast' twice
hint: write --on fast,node1:4 for one processor of fast and four alike of node1
? 2
$ foretime plan partition work n=2000000 --on fast --least energy
foretime: energy is planned with tables of at most 1000000 steps, and n=2000000 has 2000000
hint: divide in larger steps: --granularity 200
? 2
$ foretime plan partition work n=1000 --on fast,slow --least energy
foretime: what 'work' costs in energy on fast is not known
hint: measure it (foretime run --measure energy=rapl), or state the power of each host: --resources FILE.csv with the columns host and watts
? 2
$ foretime plan partition work n=1000000 --on fast,slow --resources watts.csv --granularity 1000 --least energy --deadline 100ms
foretime: no plan is done in 100 ms: the fastest takes 750 ms
hint: a later --deadline, or more hosts
? 1
$ foretime plan partition work n=1000000 --on fast,slow --deadline 100ms
foretime: no plan is done in 100 ms: the fastest takes 750 ms
hint: a later --deadline, or more hosts
? 1
$ foretime plan partition work n=1001 --on fast,slow --resources watts.csv --granularity 10 --least energy
foretime: n=1001 is no multiple of 10: for energy it must be
hint: choose a --granularity that divides it
? 2
$ foretime plan partition work n=1000 --on fast --granularity 0.5
foretime: --granularity G,min=K are whole numbers of n
hint: write --granularity 64 for shares in multiples of 64, --granularity min=1 for no idle processor
? 2
$ foretime plan partition work n=1000 --on fast --risk 30%
foretime: a risk of 30 % is above 25 %
hint: state the share of runs that may need more, as in 5%
? 2
$ foretime plan partition work n=1000 --on fast --least time
foretime: --least is energy or both, not 'time'
hint: without it the plan is the fastest
? 2
$ foretime plan partition work n=1000 --on fast --format yaml
foretime: plan partition has no format 'yaml'
hint: there are multi-prog mpiexec parallel csv json
? 2
$ foretime plan partition work n=1000 --on fast --format mpiexec
foretime: 'work' has no command
hint: its runs came from elsewhere: foretime build, or run --save, keeps one
? 2
$ printf 'host,colour\nfast,red\n' > bad.csv; foretime plan partition work n=1000 --on fast --resources bad.csv
foretime: bad.csv: unknown column 'colour'
hint: columns are host, and any of cores, memory, storage, price (an hour), watts, limit (of a run), wait, load, reserved
? 2
$ printf 'host,watts\nfast,-3\n' > bad.csv; foretime plan partition work n=1000 --on fast --resources bad.csv
foretime: bad.csv:2: watts is negative
? 2

## A crash tells where nothing ends well; a curve without order is planned on its upper end.
$ awk 'BEGIN { srand(3); print "# machine: 00000000000000aa\n# host: fast\nn,wall_s"; for (n = 100; n <= 100000; n *= 1.3) printf "%d,%.9g\n", n, 1e-4*n*exp(2*rand()) }' > rough.csv; foretime import rough.csv --name rough
imported 27 runs at 27 sizes as 'rough'
$ foretime plan partition rough n=20000 --on fast | grep rough
rough on fast: its model is rough: planned with the upper end, which 5 % of runs exceed

$ foretime plan rank n=100
foretime: missing NAME; usage: foretime plan rank NAME n=SIZE [--on HOST,HOST | --ask ADDRESS,ADDRESS] [--wait HOST=30s] [OPTION...]
hint: foretime list shows the names
? 2
$ foretime plan rank work n=900000 --on slow --format json >/dev/null
foretime: 'work' of that size will do on none of them
hint: slow: memory
? 1
$ foretime plan rank work n=900000 --wait slow
foretime: --wait 'slow' is of which machine?
hint: write --wait HOST=30s, once for each
? 2
$ foretime plan rank work n=100 --on fast,slow --wait fast=1s --wait slw=30s
foretime: --wait 'slw=30s' is of none of those that are ranked
hint: they are fast, slow
? 2
$ foretime plan rank work n=300000 --sinfo sinfo.txt --wait other=1s --format slurm 2>/dev/null
--partition=short
$ foretime plan rank work n=300000 --sinfo sinfo.txt --wait fast=1s --format slurm 2>&1 | grep -c 'fast=1s'
1
$ PATH=$(dirname $(command -v foretime)); foretime plan rank work n=900000 --format slurm
foretime: sinfo cannot be run here
hint: run sinfo -o '%P %a %l %N %c %m' > FILE where there is Slurm, and name it with --sinfo FILE
? 2
$ foretime plan rank work --on fast
foretime: no value for parameter 'n'
hint: add it to the size, as in n=1000
? 2
$ echo 'NODES' > bad.txt; foretime plan rank work n=100 --sinfo bad.txt
foretime: bad.txt:1: 'NODES' is no header with PARTITION
hint: let sinfo write it: sinfo -o '%P %a %l %N %c %m'
? 2
$ foretime plan rank work n=100 --granularity min=3
foretime: 'plan rank' has no use for --granularity
hint: it is of foretime plan partition
? 2

$ foretime plan map tasks.csv
foretime: on which machines?
hint: write --on a,b for machines by host name; node1:4 for four processors of one
? 2
$ foretime plan map nowhere.csv --on fast --effort 1e5
foretime: cannot open 'nowhere.csv': No such file or directory
? 2
$ printf 'task,name,n\n' > none.csv; foretime plan map none.csv --on fast --effort 1e5
foretime: 'none.csv' has no task
hint: a row is a task: columns name and its sizes (name,n,m), or a column of seconds for each host; task names it
? 2
$ printf 'task,name,n\na,wark,3\n' > bad.csv; foretime plan map bad.csv --on fast --effort 1e5
foretime: the store <<\S+>> has no program 'wark'
hint: the nearest name is 'work'; foretime list shows all
? 2
$ printf 'fast,slow\n3,nan\n' > bad.csv; foretime plan map bad.csv --on fast,slow --effort 1e5
foretime: bad.csv:2: column 2 (slow): 'nan' is not a number
hint: write digits, as in 3000, 2.5, 1e-6 or 64k, or leave the cell empty
? 2
$ printf 'fast,slow\n3,-1\n' > bad.csv; foretime plan map bad.csv --on fast,slow --effort 1e5
foretime: line 2: a time of -1 s on slow
hint: a row is a task: columns name and its sizes (name,n,m), or a column of seconds for each host; task names it
? 2
$ printf 'fast,slow\n3,1\n' > bad.csv; foretime plan map bad.csv --on fast,twin --effort 1e5
foretime: task '1' has a time on 'slow', which --on does not name
hint: add it to --on, or take it out of the task
? 2
$ printf 'task,name,n\nbig,work,900000\n' > big.csv; foretime plan map big.csv --on slow --effort 1e5
foretime: task 'big' fits none of the machines
hint: big on slow: memory
hint: more hosts, or what they have in --resources FILE.csv
? 1
## What a task says that it needs: of the machine's own memory, its processors' part of it, and storage.
$ printf '{"tasks": [{"id": "a", "time_s": 1, "memory": 3e6}, {"id": "b", "time_s": 1, "memory": 5e6}]}' > needs.json; for mode in dag concurrent; do foretime plan schedule needs.json --on slow --effort 1e5 --mode $mode; done 2>&1 | grep -v hint
foretime: task 'b' fits none of the machines
<<foretime: .*>>
$ printf '{"tasks": [{"id": "a", "time_s": 1, "memory": 3e6}]}' > needs.json; foretime plan schedule needs.json --on slow:2 --effort 1e5 2>&1 | head -1
foretime: task 'a' fits none of the machines
$ foretime plan schedule needs.json --on slow --effort 1e5 --format csv | tail -1
a,slow,0,1
$ printf 'host,memory\nslow,2e6\n' > small.csv; foretime plan schedule needs.json --on slow --effort 1e5 --resources small.csv 2>&1 | head -1
foretime: task 'a' fits none of the machines
$ printf '{"tasks": [{"id": "a", "time_s": 1, "storage": 3e6}, {"id": "b", "time_s": 1}]}' > needs.json; printf 'host,storage\nslow,2e6\n' > small.csv; foretime plan schedule needs.json --on slow --effort 1e5 --resources small.csv 2>&1 | head -1
foretime: task 'a' fits none of the machines
## Rights, cpus: what is not met on which host; and what all need together.
$ printf '{"tasks": [{"id": "a", "name": "work", "size": {"n": 1000}, "hosts": ["twin"], "cpus": 3}, {"id": "b", "time_s": 5, "cpus": 2}]}' > rights.json; printf 'host,cores\nfast,4\ntwin,2\n' > cores.csv; foretime plan schedule rights.json --on fast,twin --effort 1e5 --resources cores.csv
foretime: task 'a' fits none of the machines
hint: a on fast: no right to run there
hint: a on twin: cpus of 3, and there are 2
hint: more hosts, or what they have in --resources FILE.csv
? 1
$ sed 's/"cpus": 3/"cpus": 1/' rights.json > right.json; foretime plan schedule right.json --on fast,twin --effort 1e5 --resources cores.csv --format csv | cut -d, -f1,2
task,machine
a,twin
b,fast
$ foretime plan schedule right.json --on twin --effort 1e5 --resources cores.csv --mode concurrent
foretime: there is no plan: no machines have what the tasks need together
hint: cpus: 3 needed, 2 there
hint: more hosts, or what they have in --resources FILE.csv
? 1
$ printf '{"tasks": [{"id": "a", "time_s": {"fast": 1}, "architecture": "m68k"}, {"id": "b", "time_s": {"fast": 1}}]}' > time.json; foretime plan schedule time.json --on twin,fast --effort 1e5 --mode concurrent --format csv | tail -1
note: the architecture of twin is not known: it is taken to be the right one
note: the architecture of fast is not known: it is taken to be the right one
b,fast,0,1
## What is not known of a host is said, and so are rights where --on has nothing.
$ printf '{"tasks": [{"id": "a", "time_s": 1, "cpus": 1e99, "storage": 1, "hosts": ["slow", "nohost"]}]}' > much.json; foretime plan schedule much.json --on slow --effort 1e5 | head -1
note: what slow has of cpus is not known: it is taken to be enough
note: what slow has of storage is not known: it is taken to be enough
note: task 'a' has the right to run on 'nohost', which --on does not name
1 task over 1 machine: done in 1.00 s (HEFT: 1.00 s)
$ foretime plan schedule much.json --on slow --resources small.csv --effort 1e5 2>&1 | grep -c storage
0
? 1
$ printf '{"tasks": [{"id": "a\\nb", "time_s": 1}]}' > lines.json; foretime plan schedule lines.json --on slow
foretime: the id of task 1 has several lines
hint: an id is one line
? 2
$ printf 'id,name,n\na<b>,work,1000\n' > id.csv; foretime plan map id.csv --on fast
foretime: 'id.csv' has a column 'id', and what stands there is no number
hint: a row is a task: columns name and its sizes (name,n,m), or a column of seconds for each host; task names it
? 2
$ printf '{"tasks": [{"id": "a", "time_s": 1, "hosts": []}]}' > bad.json; foretime plan schedule bad.json --on fast
foretime: bad.json: task 'a': hosts is no list of those that it may run on
hint: man foretime-plan shows what a graph looks like
? 2
$ foretime plan map tasks.csv --on fast,twin --effort 1e5 --deadline 100ms
foretime: no plan is done in 100 ms: the fastest takes 700 ms
hint: a later --deadline, more hosts
? 1

$ printf '{"tasks": [{"id": "a", "time_s": 1}, {"id": "b", "time_s": 1}, {"id": "c", "time_s": 1}], "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "b"}]}' > bad.json; foretime plan schedule bad.json --on fast --effort 1e5
foretime: tasks wait for each other: <<(b -> c -> b|c -> b -> c)>>
hint: take one of these edges out; modules that run all the time are planned with --mode concurrent
? 2
$ printf '{"tasks": [{"id": "a", "time_s": 1}], "edges": [{"from": "a", "to": "x"}]}' > bad.json; foretime plan schedule bad.json --on fast --effort 1e5
foretime: bad.json: edge 1 is to 'x', which is no task
hint: man foretime-plan shows what a graph looks like
? 2
$ printf '{"tasks": [{"id": "a", "time_s": {"lost": 1}}]}' > bad.json; foretime plan schedule bad.json --on fast --effort 1e5
foretime: task 'a' has a time on 'lost', which --on does not name
hint: add it to --on, or take it out of the task
? 2
$ foretime plan schedule graph.json --on fast,twin --effort 1e5
foretime: 'a' sends to 'b', and no link is given
hint: give the speed of links: --links LINKS.csv, columns from,to,latency,bandwidth; *,*,50us,125MB is a row for all
? 2
$ printf 'from,to,latency,bandwidth\nfast,tain,1ms,100MB\n' > bad.csv; foretime plan schedule graph.json --on fast,twin --effort 1e5 --links bad.csv
foretime: no link from 'fast' to 'twin' is given
hint: add a row to the links; *,*,50us,125MB is one for all
? 2
$ printf 'from,to,latency,bandwidth\n*,*,1ms,0\n' > bad.csv; foretime plan schedule graph.json --on fast,twin --effort 1e5 --links bad.csv
foretime: line 2: a link without bandwidth is none: leave it out
hint: columns from, to (host names, * for all), latency (as in 50us) and bandwidth (bytes a second, as in 125MB); a link that is given one way is both
? 2
$ printf 'from,to\n*,*\n' > bad.csv; foretime plan schedule graph.json --on fast,twin --effort 1e5 --links bad.csv
foretime: 'bad.csv' has no column 'latency'
hint: columns from, to (host names, * for all), latency (as in 50us) and bandwidth (bytes a second, as in 125MB); a link that is given one way is both
? 2
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --mode any
foretime: --mode is dag, concurrent, sequential or hybrid, not 'any'
hint: dag: tasks that end; concurrent: modules that run all the time; sequential: one after the other; hybrid: stages one after the other
? 2
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --format slurm
foretime: task 'a': 'work' has no command
hint: its runs came from elsewhere: foretime build, or run --save, keeps one
? 2
$ foretime plan schedule graph.json --on fast,twin --effort 1e5 --links links.csv --deadline 1ms
foretime: no plan is done in 1.00 ms: the fastest takes <<.*>>
hint: a later --deadline, more hosts
? 1
$ echo '{' > bad.json; foretime plan schedule bad.json --on fast --effort 1e5
foretime: bad.json:<<.*>>
hint: a graph is a JSON document; man foretime-plan shows one
? 2

$ foretime plan revise plan.json --cost 3s
foretime: plan revise needs how it went so far
hint: foretime plan revise PLAN.json RUNS.csv --cost 30s
? 2
$ foretime plan revise tasks.csv progress.csv --cost 3s
foretime: 'tasks.csv' is not a plan that can be revised: <<.*>>
hint: make it with: foretime plan partition NAME n=TOTAL --on HOSTS --json > PLAN.json
? 2
$ printf 'processor,seconds,done\nfar,1,1\n' > bad.csv; foretime plan revise plan.json bad.csv --cost 3s
foretime: bad.csv:2: the plan has no processor 'far'
hint: they are called as the plan calls them: fast, slow
? 2
$ printf 'processor,seconds,done\nfast,1,10\nfast,2,5\n' > bad.csv; foretime plan revise plan.json bad.csv --cost 3s
foretime: bad.csv:3: 'fast' goes back: after 10 units in 1 s come 5 in 2 s
hint: rows of a processor ascend in seconds, from its begin, and in units done
? 2
$ printf 'processor,done\nfast,1\n' > bad.csv; foretime plan revise plan.json bad.csv --cost 3s
foretime: 'bad.csv' has no column 'seconds'
hint: a row is a look at a processor: processor, seconds since it began, done (units)
? 2
$ foretime plan export work --on fast --format starpu,host=box
foretime: which codelet is it of?
hint: foretime plan export NAME --format starpu,symbol=CODELET,host=HOST
? 2
$ foretime plan export work --on fast --format starpu,symbol=s,host=box n=1.5
foretime: StarPU cannot know the size 1.5
hint: its sizes are whole numbers from 1 to 2^32 - 1
? 2

## A constraint: few shares are looked at one by one, of many its step must be told.
$ seq 8 56 800 | awk 'BEGIN { print "# where: n % 8 == 0\nn,wall_s,peak_rss_bytes" } { print $1 "," $1 / 1000 ",2000000" }' >even.csv; foretime import even.csv --name even --here >/dev/null; foretime plan partition even n=400 --format csv | cut -d, -f4
n
400
$ foretime plan partition even n=401
foretime: n=401 cannot be divided: 1 do not fit
hint: even takes 400 at most: the program's constraint
hint: the program's constraint forbids most shares: state its stride with --granularity
? 1
$ foretime plan partition even n=80000 --granularity 8 --format csv | cut -d, -f4
n
80000

## where every second is in the file no store is opened: none has to be there, and one that is damaged is no hindrance
$ printf 'task,x,y\na,3,4\nb,4,5\nc,5,6\n' > told.csv; echo '{"tasks": [{"id": "a", "time_s": 2}, {"id": "b", "time_s": 3, "memory": 1e9}]}' > told.json; echo damaged > damaged.db
> for s in none.db damaged.db; do for p in 'map told.csv' 'schedule told.json'; do foretime plan $p --on x,y --effort 1e5 --json --store $s | jq -c .time_s; done; done; ls none.db
7
note: what x has of memory is not known: it is taken to be enough
note: what y has of memory is not known: it is taken to be enough
3
7
note: what x has of memory is not known: it is taken to be enough
note: what y has of memory is not known: it is taken to be enough
3
ls: cannot access 'none.db': No such file or directory
? 2
$ printf 'task,name,n\na,work,100000\n' > modelled.csv; foretime plan map modelled.csv --on x --store none.db
foretime: there is no store 'none.db' yet
hint: foretime build, run --save, import and machine load record make it; or name another one with --store PATH
? 2

## of few assignments each is looked at: the best plan is proved, of tasks alone, and of a graph with what is sent
$ printf 'task,fast,slow\na,3,5\nb,4,2.5\nc,5,4.5\nd,2.2,6\n' > few.csv; foretime plan map few.csv --on fast,slow | head -2; printf '{"tasks": [{"id": "a", "time_s": {"fast": 3, "slow": 5}}, {"id": "b", "time_s": {"fast": 4, "slow": 2.5}}, {"id": "c", "time_s": {"fast": 5, "slow": 4.5}}, {"id": "d", "time_s": {"fast": 2.2, "slow": 6}}], "edges": [{"from": "a", "to": "d"}, {"from": "b", "to": "d"}]}' > few.json; foretime plan schedule few.json --on fast,slow | head -2
4 tasks over 2 machines: done in 7.00 s
exact: no plan is better
4 tasks over 2 machines: done in 7.00 s (HEFT: 7.00 s)
exact: no plan is better
