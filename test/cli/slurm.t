## SPDX-License-Identifier: GPL-3.0-or-later
## The tools are those of in/slurm/bin, which print what the real ones printed.
$ printf 'PATH=$PWD/in/slurm/bin:$PATH; export PATH\n' > fake; . ./fake; foretime slurm harvest --trust root --since 1d
note: left out 1 job on nodes of several kinds
note: left out 1 job of which no run can be made: job 8: 'heat' has a parameter n, which the job does not give
28 jobs: 20 new runs, 0 known, 3 not ended, 3 without a program's name

name    machine  runs
heat    kind1       5
heat    kind2       7
hungry  kind1       1
arr     kind1       2
arr     kind2       1
twice   kind2       2
late    kind1       1
twice   kind1       1

$ . ./fake; foretime slurm harvest --trust root 2>/dev/null
28 jobs: 0 new runs, 20 known, 3 not ended, 3 without a program's name

$ . ./fake; foretime slurm harvest --trust root --since 1d --json 2>/dev/null | tee told | check-schema slurm; jq -c '[.runs, .known, .unbegun, .several_kinds, .bad]' told
[0,20,3,1,1]

## what was asked of sacct: fields by name, UTC, a delimiter that is another one each time
$ grep -c delimiter asked; grep -o 'delimiter=[^ ]*' asked | sort -u | wc -l | tr -d ' '
3
3

$ foretime show heat --machine kind2 --json | jq -c '[.sizes[] | select(.n == 7 or .size.n == 7)] | length > 0'
true

$ . ./fake; foretime slurm status --json -o . | tee told | check-schema slurm; jq -c '[.jobs, .filled, .within, (.programs | length)]' told
[20,9,5,8]

## jobs of others are kept apart
$ . ./fake; SLURM_FAKE_SACCT='s/\(<[^>]*>\)0\(<[^>]*>ft\)/\14242\2/' foretime slurm harvest --store others.db --since 1d 2>&1 | grep '~'
note: left out 1 job of which no run can be made: job 8: '~4242/heat' has a parameter n, which the job does not give
note: 20 jobs of other users are kept as ~UID/NAME; --trust USER keeps them under the names that they state
~4242/heat    kind1  5
...

## by numbers, as the epilog writes them; those that the accounts do not know are asked for again
$ . ./fake; printf '1 %s\n2 %s\n4711 %s\n4712 1000\nnonsense\n' $(date +%s) $(date +%s) $(date +%s) > ended; foretime slurm harvest --trust root ended --store third.db 2>/dev/null | head -1; cut -d ' ' -f 1 ended; ls ended*; grep -o -e '-j .*' asked
28 jobs: 20 new runs, 0 known, 3 not ended, 3 without a program's name
4711
ended
-j 1,2,4711,4712

$ FORETIME_ENDED=ended SLURM_JOB_ID=15 SLURM_JOB_COMMENT=foretime:heat,n=3 in/slurm/bin/../../../../../share/slurm/epilog; FORETIME_ENDED=ended SLURM_JOB_ID=16 SLURM_JOB_COMMENT=mine in/slurm/bin/../../../../../share/slurm/epilog; cut -d ' ' -f 1 ended
4711
15

## memory by cgroup is an estimate; fields that lack are told
$ . ./fake; SLURM_FAKE_CONFIG='/JobAcctGatherType/s/linux/cgroup/' SLURM_FAKE_FIELDS='s/TotalCPU//; s/ConsumedEnergyRaw//' foretime slurm harvest --trust root --since 1d --store cgroup.db 2>&1 | head -1; foretime export hungry --store cgroup.db --machine kind1 --json | jq -c '.runs[0].samples.peak_tree_bytes | [.label, .value]'
note: this version of Slurm does not report TotalCPU (processor time), ConsumedEnergyRaw (energy)
["estimated",3424256]

$ . ./fake; SLURM_FAKE_FIELDS='s/Comment//g' foretime slurm harvest
foretime: this sacct knows no field Comment
hint: see sacct --helpformat; Slurm 20.11 and newer have it
? 2

## accounts that are not kept, Slurm that is down, or not there
$ . ./fake; SLURM_FAKE_CONFIG='/AccountingStorageType/s/slurmdbd/none/' foretime slurm harvest
foretime: this Slurm keeps no accounts of jobs (AccountingStorageType=none)
hint: accounts need slurmdbd: AccountingStorageType=accounting_storage/slurmdbd; or let each job measure itself: foretime run --save NAME n=20000 -- COMMAND
? 2

$ . ./fake; SLURM_FAKE_CONFIG='/AccountingStoreFlags/s/= .*/= (null)/' foretime slurm harvest 2>&1 | sed 's|into .*/|into |'
foretime: this Slurm keeps no comments of jobs, which name their programs
hint: write AccountingStoreFlags=job_comment into slurm.conf, then scontrol reconfigure

$ . ./fake; SLURM_FAKE_DOWN='scontrol' foretime slurm harvest
foretime: scontrol failed: scontrol: error: Unable to contact slurm controller (connect failure)
hint: check that Slurm is up and that this is one of its machines: scontrol ping
? 2

$ . ./fake; SLURM_FAKE_DOWN='sacct -P' foretime slurm harvest --since 1h
foretime: sacct failed: sacct: error: Unable to contact slurm controller (connect failure)
hint: check that slurmdbd and its database run: sacctmgr show cluster
? 2

$ mkdir slow; printf '#!/bin/sh\nsleep 60 & wait\n' > slow/scontrol; chmod +x slow/scontrol; PATH=$PWD/slow:$PATH foretime slurm status --timeout 0.2s
foretime: scontrol did not end in time
hint: check that Slurm is up and that this is one of its machines: scontrol ping
? 2

$ mkdir none; PATH=none $FORETIME_TEST_BUILD/foretime slurm status
foretime: scontrol cannot be run here
hint: check that Slurm is up and that this is one of its machines: scontrol ping
? 2

## limits: those that foretime guessed and that are near
$ . ./fake; foretime slurm raise --every once --dry-run
job 19 has used 50.0 s of 1 min 00 s: it would get 2 min 00 s

$ . ./fake; foretime slurm raise --every once; tail -1 asked
job 19 has used 50.0 s of 1 min 00 s: it gets 2 min 00 s
scontrol update JobId=19 TimeLimit=2

## models of what was harvested, where the functions of submission read
$ foretime slurm models -o nowhere
foretime: there is no folder 'nowhere'
hint: foretime slurm install makes it; or name another with -o FOLDER
? 2

$ mkdir knots; foretime import in/cubic.csv --name cubic --here -q --store cubic.db; foretime import in/cubic.csv --name 'other|name' --here -q --store cubic.db; foretime slurm models -o knots --store cubic.db; ls knots; head -2 knots/cubic.knots
imported 30 runs at 10 sizes as 'cubic'
imported 30 runs at 10 sizes as 'other|name'
1 of 1 program written into knots
name machine runs
cubic <<.*>> 30
cubic.knots
foretime-knots 1
program cubic

$ foretime slurm models -o knots --store cubic.db --json | tee told | check-schema slurm; jq -c '[.written, .programs[0].name, .programs[0].why]' told
[1,"cubic",null]

## which partitions cannot be told from the best one, and what suffices in each; not those with nodes on which nothing ran
$ . ./fake; mkdir kinds; foretime slurm models -o kinds > said; grep -c '^knot' kinds/heat.knots | grep -c '^[1-9]'; awk '$1 == "alike" { print $2 }' kinds/heat.knots | uniq; awk '$1 == "knot" { most = $4 } $1 == "alike" && $3 < most' kinds/heat.knots; foretime slurm models -o kinds --machine kind2 > said; grep -c alike kinds/heat.knots
1
normal,late
0
? 1

$ . ./fake; foretime slurm status -o knots --store cubic.db | sed 's/  */ /g'
cluster private: no harvest yet; foretime slurm harvest begins
0 jobs became runs
name machine runs newest file
cubic <<.* 30 at an unknown time holds>>
other|name <<.* 30 at an unknown time none>>

## what an administrator is to do
$ . ./fake; foretime slurm install --dry-run -o knots,lua=lua | sed 's|/tmp/[^ ;,]*/|CONF/|g'
cluster private, Slurm 22.05.8

piece           state        what to do
accounts        in place
comments        in place
memory          in place
models          in place
job_submit.lua  to do        cp lua/job_submit.lua CONF/job_submit.lua; write JobSubmitPlugins=lua into CONF/slurm.conf, then scontrol reconfigure
cli_filter.lua  if you like  cp lua/cli_filter.lua CONF/cli_filter.lua; write CliFilterPlugins=lua into CONF/slurm.conf, then scontrol reconfigure
harvest         <<.*>>
raise           <<.*>>
epilog          if you like  EpilogSlurmctld=<<.*>>/foretime/slurm/epilog, and foretime slurm harvest FILE: jobs are taken one by one

$ . ./fake; foretime slurm install --dry-run -o knots --json | tee told | check-schema slurm; jq -c '[.cluster, .pieces[0].state]' told
["private","in place"]

## one that has its script gets no other; one that has none gets ours
$ . ./fake; mkdir conf lua; touch conf/job_submit.lua; printf 'x foretime\n' > lua/cli_filter.lua; cp lua/cli_filter.lua lua/job_submit.lua; SLURM_FAKE_CONFIG="s|^SLURM_CONF .*|SLURM_CONF = $PWD/conf/slurm.conf|; s/^JobSubmitPlugins .*/JobSubmitPlugins = lua/" foretime slurm install -o knots,lua=lua | sed -n 's|in .*/conf|in conf|; /^job_submit/p'; wc -c < conf/job_submit.lua; rm conf/job_submit.lua; SLURM_FAKE_CONFIG="s|^SLURM_CONF .*|SLURM_CONF = $PWD/conf/slurm.conf|; s/^JobSubmitPlugins .*/JobSubmitPlugins = lua/" foretime slurm install -o knots,lua=lua | grep '^job_submit'; cat conf/job_submit.lua
job_submit.lua  to do        put the two lines with foretime of lua/job_submit.lua into <<.*>>/conf/job_submit.lua
0
job_submit.lua  put in place
x foretime

$ foretime slurm harvest --since 1d x
foretime: a file of jobs and --since exclude each other
? 2

$ . ./fake; foretime slurm harvest --since yesterday
foretime: 'yesterday' is not a time
hint: write 7d (7 days ago), 2026-01-31, or 2026-01-31T12:00:00
? 2

$ . ./fake; foretime slurm harvest --trust 'no body'
foretime: --trust no body: there is no such user
hint: name a user, a number, or all
? 2

$ foretime slurm raise --every 0s
foretime: --every 0s is not a time
? 2

## a report of all jobs: also of those that name no program; nothing is stored
$ . ./fake; FORETIME_STORE=none.db foretime slurm report --since 1d --json 2>/dev/null | tee told | check-schema report; jq -c '[.jobs > 20, .twice, (.groups | map(.name) | index("heat") != null), (.ends | map(.jobs) | add) == .jobs, .by]' told; [ -e none.db ]
[true,0,true,true,"program"]
? 1

$ . ./fake; : >asked; foretime slurm report --since 3d --user 0 --by user --csv 2>/dev/null | cut -d , -f 1-2; grep -c 'sacct -P' asked; foretime slurm report --partition p --since 1h >/dev/null 2>&1; grep -o -e '-u 0' -e '-r p' asked | sort -u
name,jobs
0,26
3
-r p
-u 0

$ . ./fake; foretime slurm status --csv
foretime: 'slurm status' has no use for --csv
hint: it is of foretime slurm report
? 2
