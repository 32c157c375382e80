## SPDX-License-Identifier: GPL-3.0-or-later
## foretime pack: copies of a program at once. What they take depends on who else is here; what is run does not, where
## the program tells its own time.
$ printf '%s\n' '#!/bin/bash' 'printf "ft1 routine nap 1 120000000 120000000 0\n" >&$FORETIME_PROBE_FD' > nap; chmod +x nap; foretime pack --most 4 --cores 1 --within 90% --timeout 60s -- ./nap > naps.txt; head -2 naps.txt; awk '$1 == "copies" || $1 == "resource" { print } $2 == 6 || $2 == 3 { print $1, NF, $NF } $1 == "wall_s" { print $1, NF }' naps.txt
nap: alone 120 ms, <<[\d.]+ [KM]iB>>; 1 processor, <<.*>>
<<\d fits?>>: each takes at most 90 % longer than alone<<.*>>. No more: <<.*>>
copies  rounds  each takes  from  to  the last  work  memory  outcome
1 10 done
2 10 done
4 10 done
resource  adds up to  not at  times  from  to
wall_s 6

## All that is measured as JSON, of a program that is in the store.
$ foretime build naps n=1:2 --budget 5s -q -- sh -c 'sleep 0.0{n}' > /dev/null 2>&1; foretime pack naps n=2 --most 2 --timeout 60s --json 2>/dev/null | check-schema pack

## Its runs are kept: alone, and of several.
$ foretime show naps/copies --json > kept.json; check-schema show < kept.json; foretime predict naps/copies n=2 copies=2 --csv | cut -d, -f1,2,7; foretime export naps/copies | grep -v '^#' | awk -F, 'NR > 1 { seen[$2]++ } END { print (seen[1] >= 3), (seen[2] >= 6) }'
n,copies,basis
2,2,measured
1 1
$ foretime pack naps n=2 --most 2 --timeout 60s > /dev/null
note: kept <<\d+>> runs as naps/copies, those alone (<<\d+>>) as naps too
$ foretime pack naps n=2 --most 2 --timeout 60s --apart > /dev/null

## More than memory holds is never run.
$ foretime pack --memory 8MiB --most 64 --timeout 60s --json -- sh -c 'sleep 0.2' | tee answer.json | check-schema pack; sed -n 's/^  "bound": "\(.*\)",$/\1/p' answer.json
<<memory|they hinder each other|the budget>>

## A copy that hangs is ended, and no larger number is run: the third run of all is one of two.
$ foretime pack --most 8 --timeout 3s --json -- sh -c 'echo >> seats; [ $(wc -l < seats) != 3 ] || exec sleep 60' > hang.json; check-schema pack < hang.json; grep -E '"(fits|perhaps|bound|outcome)"' hang.json | LC_ALL=C sort -u | awk '{ $1 = $1; print " " $0 }'
 "outcome": "done"
 "outcome": "timed out"
 "bound": "a copy did not end well",
 "fits": 1,
 "perhaps": 1,

## One that does not end well alone is no answer.
$ foretime pack -- sh -c 'exit 3'
foretime: no run alone has ended well: failed
hint: see its output: foretime run -- and its command
? 1

$ foretime pack --budget 1s -- sleep 60
foretime: no run alone has ended well: timed out
hint: see its output: foretime run -- and its command
? 1

## What is wrong is said, with what to do.
$ foretime pack
foretime: which program?
hint: foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...
? 2
$ foretime pack naps n=2 -- sleep 1
foretime: a NAME, or a program behind --: one of both
hint: foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...
? 2
$ foretime pack naps
foretime: at which n?
hint: write n=VALUE
? 2
$ foretime pack naps n=1:2
foretime: 'n=1:2' is a range, and copies of one size are run
hint: write n=VALUE
? 2
$ foretime pack naps m=2 n=1
foretime: naps has no parameter 'm'
? 2
$ foretime pack --cores 100000 -- sleep 1
foretime: 100000 cores were requested, and there <<(is|are) \d+>>
hint: run it on the machine that is meant: what copies do to each other is measured
? 2
$ foretime pack --cores 1 --pin 0 -- sleep 1
foretime: --cpus and --pin exclude each other
hint: leave one of them out
? 2
$ foretime pack --memory 1000TiB -- sleep 1
foretime: --memory 1000 TiB: there are <<.*>>
hint: run it on the machine that is meant: copies beyond its memory would page
? 2

## Jobs whose memory rises late overlap, where their peaks do not fit together.
$ for j in a b; do echo '{"name": "'$j'", "size": {"n": 1000}, "risk": 0.05, "time": {"most": 10}, "memory": {"request": 4e9}, "cpus": 1, "memory_steps": {"steps": [{"from_s": 0, "bytes": 1e9}, {"from_s": 6, "bytes": 4e9}]}}' > $j.json; done; foretime plan pack --jobs a.json b.json --memory 5GB --cpus 2
2 jobs: done in 14.0 s (20.0 s if each held its last step throughout); 2 processors, 4.66 GiB
at most 40 % above the best plan: lower bound 10.0 s

job         start     end  memory at first  in the end
a n=1000   <<0 s|4.00 s>> <<.*>>
b n=1000   <<0 s|4.00 s>> <<.*>>
$ foretime plan pack --jobs a.json b.json a.json --memory 5GB --cpus 3 --json > jobs.json; check-schema pack-jobs < jobs.json; jq -c '[.time_s, .peaks_s, ([.jobs[].start_s] | sort)]' jobs.json
[20,30,[0,4,10]]
$ foretime plan pack --jobs a.json b.json --memory 3GB
? 1
foretime: a n=1000 never fits: it needs 3.73 GiB, and there are 2.79 GiB, <<\d+>> processors
foretime: b n=1000 never fits: it needs 3.73 GiB, and there are 2.79 GiB, <<\d+>> processors
$ foretime plan pack --jobs
? 2
foretime: --jobs needs files with requests
hint: foretime request NAME n=SIZE --steps 4 --json > JOB.json; foretime plan pack --jobs JOB.json ...
$ echo '{"name": "c", "size": {}}' > c.json; foretime plan pack --jobs a.json c.json
? 2
foretime: 'c.json' is no request of a job: it has no time or no memory
hint: make it with: foretime request NAME n=SIZE --steps 4 --json > JOB.json
$ jq '.memory_steps.steps[1].bytes = 1' a.json > fell.json; foretime plan pack --jobs a.json fell.json
? 2
foretime: job 2: steps begin at 0 and rise, and its time is above 0
$ foretime plan pack --jobs a.json --limit 3
? 2
foretime: --limit and --jobs exclude each other
hint: leave one of them out
