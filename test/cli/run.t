## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime run -- echo hi
hi
echo: done
resource                 value  label     probe
wall_s <<[\d.]+.*>> measured  child
cpu_s <<[\d.]+.*>> measured  child
user_s <<[\d.]+.*>> measured  child
system_s <<[\d.]+.*>> measured  child
peak_rss_bytes <<[\d.]+.*>> measured  child
minor_faults <<[\d.]+.*>> measured  child
major_faults <<[\d.]+.*>> measured  child
voluntary_switches <<[\d.]+.*>> measured  child
involuntary_switches <<[\d.]+.*>> measured  child
...

$ foretime run n=7 -- echo 'a{n}b' 2>/dev/null
a7b

$ echo in | foretime run -- cat 2>/dev/null
in

$ foretime run -o report.txt -- echo hi; sed -n 1,3p report.txt
hi
echo: done
resource                 value  label     probe
wall_s <<[\d.]+.*>> measured  child

$ foretime run --json -o report.json -- sh -c 'echo out'; check-schema run < report.json; jq -c '[.outcome, .exit_status, .left_running]' report.json
out
["done",0,false]

$ foretime run -- sh -c 'exit 3' 2>/dev/null
? 3

$ foretime run -- sh -c 'kill -SEGV $$' 2>/dev/null
? 139

$ foretime run --timeout 0.1 -- sleep 10 2>&1 | head -1
sleep: timed out after <<[\d.]+ m?s>>

## the helper's own memory is no floor of another's, where it could be linked without shared libraries
$ B=$FORETIME_TEST_BUILD; ldd $B/foretime-helper >/dev/null 2>&1 && echo true || foretime run --json -- $B/foretime-empty-static 2>&1 | jq '.resources[] | select(.resource == "peak_rss_bytes").value < 1e6'
true

$ foretime run --timeout 0.1 -- sleep 10 2>/dev/null
? 124

$ foretime run --save spun n=5 -- true 2>/dev/null; foretime run --save spun n=9 -- true 2>/dev/null; foretime show spun | grep -E '^(command|parameter|runs)'
command    true
parameter  n = 5 .. 9
runs       2 at 2 sizes, 0 failed, the newest <<.*>>

## A first call, later ones, and the memory of each routine of several.
$ foretime run -- bash -c 'printf "ft1 routine x 3 9000000 9000000 0\nft1 besides x 5000000 2048\n" >&$FORETIME_PROBE_FD' 2>&1 | grep -E '^(wall|first|later)'
wall_s                 9.00 ms  measured   report
first_call_s           5.00 ms  measured   report
later_call_s           2.00 ms  measured   report
$ foretime run -- bash -c 'printf "ft1 routine x 1 9000000 9000000 0\nft1 besides x 9000000 4194304\nft1 routine y 1 1000000 1000000 0\nft1 besides y 1000000 0\n" >&$FORETIME_PROBE_FD' 2>&1 | sed -n '/^routine/,$p' | grep -E '^(routine|peak)'
routine x
peak_rss_bytes  4.00 MiB  measured   report
routine y
peak_rss_bytes        -  unavailable  report: the process held no more in this routine than it had held before it; ask for the memory of the whole process, or let this routine run first
$ foretime run --measure working-set -- true 2>&1 | grep ^working_set
working_set_bytes <<.* (KiB|MiB)  simulated   *caches|.*valgrind.*>>

$ foretime run --save two -- bash -c 'printf "ft1 routine first 1 2000 1000 5\nft1 routine second 1 3000 1000 0\n" >&$FORETIME_PROBE_FD' 2>/dev/null; foretime list --format names
spun
two
two/first
two/second

$ foretime run -- ./missing
foretime: cannot find program './missing': No such file or directory
hint: build it, or correct its path (the folder is './')
? 127

$ touch plain; foretime run -- ./plain
foretime: cannot execute './plain': Permission denied
hint: make it executable: chmod +x './plain'
? 126

$ foretime run
foretime: missing PROG; usage: foretime run [n=512] [--save NAME] [-o FILE] [OPTION...] [--] PROG ARG... [{n}] ...
? 125

$ foretime run --
foretime: missing PROG; usage: foretime run [n=512] [--save NAME] [-o FILE] [OPTION...] [--] PROG ARG... [{n}] ...
? 125

$ foretime run n=1:5 -- true
foretime: 'n=1:5' is a range, and 'run' makes one run
hint: write n=VALUE; foretime build measures a range
? 125

## The command begins at the first word that is neither an option nor a size; a later -- says where it does.
$ foretime run n=7 echo 'a{n}b' -n c 2>/dev/null
a7b -n c

$ foretime run -o report.txt sh -c 'exit 3' --save; head -1 report.txt
sh: failed with status 3

$ foretime run --save "bad name" true
foretime: 'bad name' cannot be a program's name: it has a blank
hint: choose one of letters, digits and - _ . : + as in fft_v2
? 125

$ foretime run five -- true
foretime: unexpected argument 'five'
hint: put the command after --; a parameter has values, as in n=64:3000 or n=100
? 125

$ foretime run -- echo '{n}'
foretime: '{n}' needs a value for {n}, and there is no such parameter
hint: give it a value: n=100; or write {{n}} if the braces are meant as they are
? 125

$ foretime run --timeout never -- true
foretime: option --timeout: 'never' is not a duration
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds
? 125

$ foretime run -o missing/x -- true
foretime: cannot open 'missing/x': No such file or directory
hint: choose another file
? 125

$ foretime run --sav x -- true
foretime: unknown option '--sav' of 'run'
hint: the nearest one is --save
? 125

## A real run: it ends as the program ends, and prints what the program prints.
$ foretime run --save real n=3 -- sh -c 'echo out; echo err >&2; exit 5'
out
err
? 5

$ foretime run --save real n=3 -- sh -c 'kill -USR1 $$'; echo "status $?"
<<User defined signal 1|.*>>
status 138

$ foretime run --save real n=3 -- sh -c 'trap "echo got it; exit 7" TERM; echo $$ > pid; while :; do sleep 0.02; done' & p=$!; while ! test -s pid; do sleep 0.02; done; kill -TERM $p; wait $p
got it
? 7

$ foretime run --save real n=3 -- sh -c 'echo five >&5' 5>descriptor; cat descriptor
five

$ (trap '' HUP; foretime run --save real n=3 -- sh -c 'kill -HUP $$; echo still here')
still here

$ foretime run --save real n=3 -- sh -c '(sleep 0.3; echo later > later) & echo now'; until test -s later; do sleep 0.02; done; cat later
now
later

$ foretime run --save real n=3 --json -- true 2>&1 | check-schema run

$ foretime show real -v | grep -E '^(runs|real)'
<<runs .*>>
<<real .* made for their result; the others are benchmarks>>

## A store that cannot take it: the run ends as it ends, and is taken in later.
$ foretime run --save spool n=3 -- sh -c true; mkdir kept; mv data/foretime/store.db* kept; head -c 300 kept/store.db > data/foretime/store.db; foretime run --save spool n=4 -- sh -c 'echo out; exit 3'
out
note: the store '<<.*>>' is damaged: <<.*>>; the run is kept in the spool, and enters the store at its next use
? 3

$ rm -f data/foretime/store.db; mv kept/* data/foretime; ls data/foretime/store.db.spool | wc -l; foretime show spool -v | grep '^real'; ls data/foretime/store.db.spool 2>&1 | grep -c 'No such'
1
real       2 runs, made for their result; the others are benchmarks
1

$ foretime run --save spool n=5 --store . -- sh -c 'exit 4'
foretime: '.' is not a store of foretime but a folder
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
? 4

$ foretime run --save 'spool' m=5 -- sh -c 'exit 4'
foretime: 'spool' has runs with other parameters, or with these in another order
hint: choose another NAME, or remove it with foretime rm 'spool'
? 4
## what else is measured; what cannot be is unavailable, with its reason, and never 0: as where readings come late
$ for i in $(seq 20); do foretime run --json --meter 'while :; do echo 50 W; sleep 0.01; done' -o meter.json -- sleep 0.2; check-schema run < meter.json; jq -r '([.resources[] | select(.value != null) | {(.resource): .value}] | add) as $of | .resources[] | select(.resource == "energy_j") | "\(.label) \(.probe) \(.value > 45 * $of.wall_s and .value < 55 * $of.wall_s)"' meter.json >told; ! grep -q unavailable told && break; done; cat told
estimated meter true

$ foretime run --meter 'echo the dog ate it' -- true 2>&1 | grep energy_j
energy_j - unavailable meter: the meter printed what is no reading: the dog ate it; <<.*>>

$ foretime run --json --meter 'exit 3' -o meter.json -- true; check-schema run < meter.json; jq -c '.resources[] | select(.resource == "energy_j") | [.value, .label, .reason]' meter.json
[null,"unavailable","the meter ended with status 3; try the command by hand"]

$ foretime run --meter 'exit 3' -- sh -c 'exit 9' 2>/dev/null
? 9

$ foretime run --json --measure energy=rapl,nvidia -- true 2>&1 | jq -r '.resources[] | select(.resource == "energy_j") | .probe, (.value != null or (.reason | length > 0))'
rapl+nvidia
true

$ foretime run --measure gpu=sun -- true
foretime: unknown probe of graphics devices 'sun'
hint: take drm, nvidia, opencl, several with commas, or all
? 125

$ foretime run --json --measure gpu=all -- true 2>&1 | tee gpu.json | check-schema run; jq -r '.resources[] | select(.resource | startswith("gpu")) | (.value != null) == (.reason == null)' gpu.json
true
true

$ foretime run --measure energy=sun -- true
foretime: unknown instrument of energy 'sun'
hint: take rapl, nvidia, or rapl,nvidia for their sum; any other meter is a command: --meter CMD
? 125

$ foretime run --measure energy=rapl --meter 'echo 1 W' -- true
foretime: a meter together with 'rapl' would count some energy twice
hint: give --measure energy= or --meter, not both
? 125

$ foretime run --measure counters=page-fauls -- true
foretime: libpfm4 knows no counter 'page-fauls' on this processor: <<.*>>
hint: <<.*>>
? 125

$ foretime run --json --measure counters=page-faults,cycles -- true 2>&1 | jq -r '.resources[] | select(.resource == "cycles" or .resource == "page-faults") | (.value != null) == (.reason == null)'
true
true

$ foretime run --json --measure instructions -- true 2>&1 | jq -r '.resources[] | select(.resource == "instructions") | (.value != null) == (.reason == null)'
true

$ for i in $(seq 10); do foretime run --trace use.csv --every 5ms -- sleep 0.5 2>/dev/null; test $(wc -l < use.csv) -gt 4 && break; done; head -1 use.csv; tail -n +2 use.csv | grep -cvE '^[0-9.]+,[0-9.]+,[1-9][0-9]*,[1-9][0-9]*$'; test $(wc -l < use.csv) -gt 4 && echo rows
time_s,cpu_utilisation,rss_bytes,processes
0
rows

$ foretime run --trace use.csv -- sleep 0.2 2>&1 | grep ^job
job: t_wall <<[\d.]+ m?s>>, n 1, t_job <<[\d.]+ m?s>> (all of them at work)

$ foretime run --trace use.csv --json -- sleep 0.2 2>&1 | tee job.json | check-schema run; jq -c '[.job.cores, .job.job_s == .job.wall_s]' job.json
[1,true]

$ foretime run --trace missing/use.csv -- echo not run 2>&1 | head -1
foretime: cannot open 'missing/use.csv': No such file or directory

## few open files: the limits of others are not ours
$ (ulimit -n 20; foretime run --json -o few.json --save few n=1 -- sh -c 'exit 3'); echo $?; jq -r .exit_status few.json
3
3

## no helper: what is real runs all the same
$ FORETIME_HELPER=/nowhere foretime run --save few n=6 -- sh -c 'echo n={n}; exit 4'
foretime: cannot execute the helper '/nowhere': No such file or directory
hint: correct FORETIME_HELPER, or unset it
note: the program runs all the same, and is not measured
n=6
? 4

$ FORETIME_HELPER=/nowhere foretime run -- true 2>/dev/null
? 125

## who ends the process that watches
$ export N=97531.$$; foretime run -- sh -c 'setsid sleep $N & kill -9 $PPID; sleep $N' 2>&1 | sed -n 1,3p; grep -alx "sleep.$N." /proc/[0-9]*/cmdline 2>/dev/null | wc -l
sh: crashed: Killed: foretime-helper, its parent process, was ended during the run, perhaps by the program itself; all of it was ended
resource        value  label        probe
wall_s              -  unavailable  child: foretime-helper was ended during the run; see whether the program ends its parent process
0

$ foretime run --save lost n=1 -- sh -c 'kill -9 $PPID; echo still here; exit 7'
still here
? 7

## an installation that was moved finds its programs
$ mkdir -p moved/bin moved/libexec/foretime; cp "$FORETIME_TEST_BUILD/foretime" moved/bin/; cp "$FORETIME_TEST_BUILD"/foretime-[hks]* moved/libexec/foretime/ 2>/dev/null; env -u FORETIME_HELPER moved/bin/foretime run --json -- true 2>&1 | grep '"exit_status"'
  "exit_status": 0,

$ moved/bin/foretime serve --help | head -1; rm moved/libexec/foretime/*; env -u FORETIME_HELPER moved/bin/foretime run -- true 2>&1 | grep -o 'cannot find foretime-helper'
<<foretime serve: .*>>
cannot find foretime-helper

