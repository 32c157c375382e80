## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3'
imported 30 runs at 10 sizes as 'cubic'

$ foretime import in/cubic.csv --name part n=200:500 --json | check-schema import

$ foretime import - --name piped < in/cubic.csv
imported 30 runs at 10 sizes as 'piped'

$ gzip -c in/cubic.csv > c.csv.gz; foretime import c.csv.gz --name packed
imported 30 runs at 10 sizes as 'packed'

$ foretime list | sort
cubic     30       0     10  elsewhere  unknown
name    runs  failed  sizes  machine    last run
packed    30       0     10  elsewhere  unknown
part      12       0      4  elsewhere  unknown
piped     30       0     10  elsewhere  unknown

$ foretime import
foretime: missing FILE; usage: foretime import FILE... [n[=64:3000]] [--name NAME] [--by COLUMN] [--size N=WHERE]... [OPTION...]
? 2

$ foretime import in/cubic.csv
foretime: 'in/cubic.csv' does not name its program
hint: name it: --name NAME; or, if a column distinguishes programs, --by COLUMN
? 2

$ foretime import missing.csv --name x
foretime: cannot open 'missing.csv': No such file or directory
? 2

$ foretime import in/two.csv --name x q
foretime: 'in/two.csv' has no column for parameter 'q'; its columns are n, m, wall_s
hint: name a parameter like its column, name its column with --size, or give it a fixed value, as in m=100
? 2

$ foretime import in/cubic.csv --name x n=5000:6000
foretime: no row of 'in/cubic.csv' lies within the range of the parameters
hint: widen the range, or leave it out: the range of the data is taken then
? 2

$ foretime import in/cubic.csv --name x --work 'n-500'
foretime: the work 'n-500' is -400 at n=100, and must be positive
hint: state with --work a volume of computation that is above 0 in the whole range
? 2

$ printf 'n,wall_s\n1,0.5\n2,0.7,9\n' > a.csv; foretime import a.csv --name x --strict
foretime: a.csv:3: column 3: the row has 3 cells where the header has 2
hint: give every row as many cells as the header; quote cells that hold the separator
? 2

$ printf 'n,wall_s\n1,0.5\n2,-1\n' > b.csv; foretime import b.csv --name x --strict
foretime: b.csv:3: column 2 (wall_s): not above zero: '-1'
hint: correct the value, or leave the cell empty
? 2

$ printf 'n,colour\n1,red\n' > c.csv; foretime import c.csv --name x
foretime: 'c.csv' has no column of a resource; its columns are n, colour
hint: give a column the name of a resource, or name it with --value RESOURCE=COLUMN:UNIT: wall_s cpu_s user_s system_s run_delay_s frozen_s reference_s first_call_s later_call_s peak_rss_bytes peak_tree_bytes minor_faults major_faults voluntary_switches involuntary_switches read_bytes written_bytes input_bytes output_bytes sent_bytes received_bytes scratch_bytes gpu_memory_bytes gpu_s instructions cycles energy_j working_set_bytes
? 2

$ : > d.csv; foretime import d.csv --name x
foretime: 'd.csv' is empty
hint: name its format with --from: snakemake, nextflow, wfcommons, sacct, sacct-json, seff, galaxy, galaxy-table, pytest-benchmark, asv, hyperfine, gbench, pyperf, jmh, criterion, go, foretime, extrap-json, talpas, extrap-lines, extrap, time, perf, csv
? 2

$ foretime list --format names | grep -c '^x$'
0
? 1

$ mkdir ro; foretime import in/cubic.csv --name x --store ro
foretime: 'ro' is not a store of foretime but a folder
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
? 2

$ foretime import in/cubic.csv --name x --store /dev/null
foretime: '/dev/null' is not a store of foretime but no regular file
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
? 2

## the formats of other tools
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/hyperfine.json
imported 20 runs at 5 sizes as 'fft'

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/sacct-23.11.json --name json-{JobName} --size 'n=JobName:/_(\d+)$/' 2>&1 | head -2; foretime import $D/seff.txt --name jobs --size n=JobID; foretime import $D/galaxy.csv --size bytes=input_bytes
note: left out 1 row that a pattern of --size does not match
imported 7 runs of 7 programs
note: left out 1 row that had not ended
imported 3 runs at 3 sizes as 'jobs'
imported 3 runs at 3 sizes as 'bwa_mem'

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/extrap-older.json --name older; foretime import $D/talpas.txt
imported 3 runs at 2 sizes as 'older'
imported 3 runs at 3 sizes as 'a;b'

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/wfcommons-1.5.json 2>/dev/null
imported 2 runs at 2 sizes as 'map'

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/time.txt; foretime import $D/perf.csv $D/perf.jsonl --name fill n=1000
imported 6 runs at 5 sizes as 'solve'
imported 6 runs at 1 size as 'fill'

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/gbench.json --machine node1
note: left out 32 rows that summarise others
imported 27 runs of 2 programs

name  runs  sizes
sort    15      5
nth     12      4

$ foretime list sort
name  runs  failed  sizes  machine  last run
sort    15       0      5  node1    unknown

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/sacct.txt --size 'n=JobName:/_(\d+)$/' --name slurm-{JobName} 2>&1 | head -4
note: left out 2 rows that a pattern of --size does not match
note: left out 1 row that took less time than the format can say
imported 10 runs of 10 programs

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/snakemake/*.tsv --name bench --size 'n=path:/(\d+)[.]tsv/' --json > j; check-schema import < j; jq -c '[.format, .runs, .known, .programs[0].name, .programs[0].sizes]' j
["snakemake",12,0,"bench",4]

## more programs than fit on a screen
$ (echo p,n,wall_s; for i in $(seq 10 34); do echo p$i,1,0.5; echo p$i,2,1; done) >many.csv; foretime import many.csv --by p --here --store many.db >said; head -n 1 said; wc -l <said; tail -n 2 said
imported 50 runs of 25 programs
24
p29      2      2
and 5 more: foretime list, or --json

## benchmark frameworks
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/go/go.txt --json 2>said > j; check-schema import < j; sed 's,first: [^:]*/,first: ,' said; jq -c '[.format, .runs, .programs[].name]' j
note: left out 2 rows that cannot be used, the first: go.txt:19: BenchmarkEmpty-2: there is no field 'n' for its size; there are processors, name, package, program, ns/op, B/op, allocs/op
hint: name the column of the size: --size n=COLUMN, --size 'n=COLUMN:/fft_([0-9]+)/' or --size n=file:COLUMN
["go",14,"BenchmarkSort","BenchmarkFind/first","BenchmarkFind/last"]

$ foretime predict BenchmarkSort n=4000 -r allocated_bytes --format csv 2>/dev/null | head -2 | cut -d, -f1-2
n,value
<<4000,32[0-9]+[.]?[0-9]*>>

$ cd $FORETIME_TEST_SOURCE/test/adapt/data; for f in pytest-benchmark.json asv.json pyperf.json jmh.json criterion/messages.jsonl criterion/raw.csv criterion/sort/1000/new/estimates.json gbench.csv; do foretime import $f --store $OLDPWD/frameworks.db --json 2>/dev/null | jq -c '[.format, .runs + .known]'; done
["pytest-benchmark",12]
["asv",12]
["pyperf",14]
["jmh",6]
["criterion",5]
["criterion",5]
["criterion",1]
["gbench",8]

$ printf 'BenchmarkSort/n=10-8 100 5 ns/op\nBenchmarkSort/n=20-8 no 9 ns/op\n' > go.txt; foretime import go.txt --strict
foretime: go.txt:2: BenchmarkSort/n=20-8: N: not a number of calls: 'no'
hint: let go test -bench print it again
? 2

$ printf 'BenchmarkOne-8 100 5 ns/op\n' | foretime import - 2>&1 | head -1
foretime: standard input:1: BenchmarkOne-8: there is no field 'n' for its size; there are processors, name, program, ns/op

## the same once more, and a file that has grown
$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/hyperfine.json; foretime import $D/hyperfine.json --json | jq -c '[.runs, .known]'
nothing new: the store has all of these 20 runs already; --all takes them once more
[0,20]

$ D=$FORETIME_TEST_SOURCE/test/adapt/data; foretime import $D/hyperfine.json --all
imported 20 runs at 5 sizes as 'fft'

$ head -11 in/cubic.csv > grown.csv; foretime import grown.csv --name grown; cp in/cubic.csv grown.csv; foretime import grown.csv --name grown
imported 10 runs at 10 sizes as 'grown'
note: left out 10 runs that the store has already; --all takes them once more
imported 20 runs at 10 sizes as 'grown'

$ foretime import in/cubic.csv ./in/cubic.csv --name x
foretime: './in/cubic.csv' is the same file as 'in/cubic.csv'
hint: name each file once
? 2

## sizes from the lengths of files; other names and units
$ mkdir reads; for i in 1 2 3; do head -c ${i}000 /dev/zero > reads/s$i.fq; done; printf 'sample;ms;ram\ns1;100;1.5 GB\ns2;200;2 GB\ns3;300;2.5 GB\n' > t.csv; foretime import t.csv --name reads --size bytes=file:reads/{sample}.fq --value time=ms:ms --value memory=ram; foretime export reads | tail -4 | cut -d, -f1-3
imported 3 runs at 3 sizes as 'reads'
bytes,wall_s,peak_rss_bytes
1000,0.1,1500000000
2000,0.2,2000000000
3000,0.3,2500000000

$ foretime import t.csv --name reads --size bytes=file:other/{sample}.fq --value wall_s=ms:ms
foretime: 't.csv' has no runs but rows whose input file has no length (3), the first: other/s1.fq: No such file or directory
hint: give the directory of the input files: --size directory=DIR; or take the size from a column
? 2

## of folders, and of what packed files hold
$ mkdir -p packs/a packs/b; for i in 1 2; do head -c 1000 /dev/zero > packs/a/$i; done; head -c 500 /dev/zero | gzip > packs/b/1.gz; printf 'd,wall_s\na,1\nb,2\nc,3\n' > packs.csv; foretime import packs.csv --name packs --size n=unpacked:packs/{d} --size k=files:packs/{d}; foretime export packs | tail -2 | cut -d, -f1-3
note: left out 1 row whose input file has no length, the first: packs/c: No such file or directory
imported 2 runs at 2 sizes as 'packs'
2000,2,1
500,1,2

## lines and records, kept in the user's cache
$ export XDG_CACHE_HOME="$PWD/cache"; printf '@r1\nACGT\n+\nIIII\n@r2\nAC\n+\nII\n' | gzip > r2.fq.gz; printf '>s\nAC\nGT\n' > r1.fa; printf 'f,wall_s\nr1.fa,1\nr2.fq.gz,2\nreads.csv,3\n' > reads.csv; foretime import reads.csv --name counted --size n=records:{f} --size k=lines:{f}; foretime export counted | tail -2 | cut -d, -f1-3; wc -c < cache/foretime/counts | grep -c .
note: left out 1 row whose input file has no length, the first: reads.csv: its records are of no format that is counted (FASTA, FASTQ, SAM, BAM, VCF); write lines: for its lines
imported 2 runs at 2 sizes as 'counted'
1,3,1
2,8,2
1
$ gzip -dc r2.fq.gz | head -n 6 | gzip > cut.fq.gz; sed 's/r2/cut/' reads.csv | head -n 3 > cut.csv; foretime import cut.csv --name cut --size n=records:{f}
note: left out 1 row whose input file has no length, the first: cut.fq.gz: a record of FASTQ has not four lines; write lines: for its lines
imported 1 run at 1 size as 'cut'

## of a file whose path a pattern finds; what is not there is left out
$ mkdir -p map; for i in 1 2 4; do printf 's\th:m:s\tmax_rss\n%d\t0:00:0%d\t%d\n' $i $i ${i}00 > map/s$i.tsv; done; foretime import map/*.tsv --name map --size directory=reads --size 'bytes=file:{path:/map\/(.+).tsv/}.fq' --json > j; check-schema import < j; jq -c '[.runs, .passed_over[0].rows]' j; foretime export map | tail -2 | cut -d, -f1-2
note: left out 1 row whose input file has no length, the first: reads/s4.fq: No such file or directory
[2,1]
1000,1
2000,2

$ printf 'Comment,wall_s\n"foretime:fft,n=64",1\n"foretime:sort,n=64",2\nother,3\n' > comments.csv; foretime import comments.csv --name '{Comment:/foretime:([^,]+)/}' --size 'n={Comment:/n=([0-9.]+)/}'
note: left out 1 row that a pattern of --size does not match
imported 2 runs of 2 programs

name  runs  sizes
fft      1      1
sort     1      1

$ foretime import comments.csv --name '{Comment:/^foretime:(.*),/}' --size n=wall_s 2>&1 | grep -e --name
note: left out 1 row that a pattern of --name does not match

$ foretime import comments.csv --name x --size 'n=Comment:/n=((1*)*){99}{99}/'
foretime: --size n=Comment:/n=((1*)*){99}{99}/: the pattern has too large counts, or groups in groups
hint: write a POSIX extended regular expression between slashes, as in /fft_([0-9]+)/: what its first group matches is taken
? 2

$ foretime import comments.csv --name x --size "n=file:$(printf 'a\033[31m\nb'){Comment}"
foretime: 'comments.csv' has no runs but rows whose input file has no length (3), the first: a?[31m?bforetime:fft,n=64: No such file or directory
hint: give the directory of the input files: --size directory=DIR; or take the size from a column
? 2

$ foretime import comments.csv --name x --size "n=file:$(head -c 20000 /dev/zero | tr '\0' x){Comment}" 2>&1 | grep -o 'first: xx*: .*'
<<first: x+: File name too long>>

## machines by the nodes of jobs
$ printf 'JobID|JobName|State|Elapsed|NodeList|n\n1|fft|COMPLETED|10:00|node01|8\n2|fft|COMPLETED|20:00|node[02-03]|16\n3|fft|COMPLETED|15:00|thin7|8\n4|fft|COMPLETED|15:00|node02,thin7|8\n5|fft|COMPLETED|15:00|gpu1|8\n' > jobs.txt; foretime import jobs.txt --machine 'node[01-16]=fat' --machine 'thin[1-9]=thin' --store jobs.db
note: left out 1 row on nodes that --machine does not name
note: left out 1 row on nodes of several kinds
imported 3 runs of 1 program

name  machine  runs  sizes
fft   fat         2      2
fft   thin        1      1

$ foretime list --store jobs.db | cut -c1-36
name  runs  failed  sizes  machine
fft      2       0      2  fat
fft      1       0      1  thin

$ foretime import jobs.txt --machine '{NodeList:/^([a-z]+)/}' --store kinds.db --json 2>/dev/null > j; check-schema import < j; jq -c '[.machine, (.programs[] | .machine, .runs)]' j
[null,"node",2,"thin",1,"gpu",1]

$ foretime import jobs.txt --machine a --machine b --store jobs.db
foretime: --machine b: a second machine for all other nodes
hint: write --machine M, --machine 'node[01-16]=M' for each kind of node, or --machine '{COLUMN}'
? 2

## whole seconds, and memory with the page cache in it
$ printf 'JobID|JobName|State|Elapsed|MaxRSS|n\n1|short|COMPLETED|00:05||8\n1.batch|batch|COMPLETED|00:05|100M|\n' > short.txt; foretime import short.txt --from gathered=jobacct_gather/cgroup --store jobs.db; foretime export short --json --store jobs.db | jq -c '.runs[0].samples | .wall_s.label, .wall_s.reason, .peak_tree_bytes.label'
imported 1 run at 1 size as 'short'
"estimated"
"Elapsed is in whole seconds, and may be one off"
"estimated"

$ foretime import short.txt --from gathered=guessed --store jobs.db
foretime: gathered='guessed': no way in which Slurm gathers memory
hint: --from gathered=linux or cgroup: the JobAcctGatherType of scontrol show config
? 2

## a wildcard and a column of the same name
$ foretime import map/s1.tsv --name seconds --size 'n=s' --store jobs.db
note: a size is made of column 's', which has the seconds that were measured: a wildcard of that name is called wildcards.s
imported 1 run at 1 size as 'seconds'

## what cannot be
$ printf 'n,wall_s,peak_rss_bytes\n1,0.5,1e9\n2,0.5,40e12\n' > big.csv; foretime import big.csv --name big --strict
foretime: big.csv:3: column 3 (peak_rss_bytes): more memory than any machine that we know of has (32.0 TiB): '40e12'
hint: correct its unit; or, if it is true, state the memory of the machine: --machine-memory SIZE
? 2

$ foretime import big.csv --name big --memory 24GiB --strict
foretime: big.csv:3: column 3 (peak_rss_bytes): more memory than the machine has (24.0 GiB): '40e12'
hint: correct its unit; or, if it is true, state the memory of the machine: --machine-memory SIZE
? 2

$ foretime import big.csv --name big --here --strict 2>&1 | head -1
foretime: big.csv:3: column 3 (peak_rss_bytes): more memory than the machine has (<<.*>>): '40e12'

$ foretime import big.csv --name big --memory 48TiB
imported 2 runs at 2 sizes as 'big'

$ printf 'n,wall_s\n1,5e9\n' > long.csv; foretime import long.csv --name x
foretime: long.csv:2: column 2 (wall_s): longer than a hundred years: '5e9'
hint: correct its unit, as in --value wall_s=COLUMN:ns
? 2

## of two files one is bad: nothing is taken where all is wanted
$ foretime import in/cubic.csv b.csv --name half --strict; foretime list --format names | grep -c half
foretime: b.csv:3: column 2 (wall_s): not above zero: '-1'
hint: correct the value, or leave the cell empty
0
? 1

$ head -c 3000 $FORETIME_TEST_SOURCE/test/adapt/data/gbench.json > cut.json; foretime import cut.json --strict
foretime: cut.json:114: column 2: string or '}' expected near end of file
hint: this is no complete JSON document; let the tool write it again
? 2

## what cannot be used is left out, whatever the format and whatever the fault
$ printf 'n,wall_s\n1,0.5\n2,soon\n-,3\n4,0.7,9\n5,1\n6,' > rows.csv; foretime import rows.csv --name rows --store t.db --json > j; check-schema import < j; jq -c '[.runs, .passed_over, .files_left_out, .first_file]' j
note: left out 4 rows that cannot be used, the first: rows.csv:3: column 2 (wall_s): not a duration: 'soon'
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds; or leave the cell empty
[2,[{"rows":4,"why":"that cannot be used","first":"rows.csv:3: column 2 (wall_s): not a duration: 'soon'"}],0,null]

$ foretime import rows.csv --name strict --store t.db --strict; foretime import rows.csv --name none n=2:4 --store t.db; foretime list --format names --store t.db
foretime: rows.csv:3: column 2 (wall_s): not a duration: 'soon'
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds; or leave the cell empty
foretime: rows.csv:3: column 2 (wall_s): not a duration: 'soon'
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds; or leave the cell empty
rows

$ : > empty.csv; foretime import empty.csv in/cubic.csv b.csv --name files --store t.db --json > j; check-schema import < j; jq -c '[.runs, .files_left_out, .first_file]' j; foretime import empty.csv d.csv --name empty --store t.db
note: left out 1 row that cannot be used, the first: b.csv:3: column 2 (wall_s): not above zero: '-1'
hint: correct the value, or leave the cell empty
note: left out 1 file that cannot be used, the first: 'empty.csv' is empty
hint: name its format with --from: snakemake, nextflow, wfcommons, sacct, sacct-json, seff, galaxy, galaxy-table, pytest-benchmark, asv, hyperfine, gbench, pyperf, jmh, criterion, go, foretime, extrap-json, talpas, extrap-lines, extrap, time, perf, csv
[31,1,"'empty.csv' is empty"]
foretime: 'empty.csv' is empty
hint: name its format with --from: snakemake, nextflow, wfcommons, sacct, sacct-json, seff, galaxy, galaxy-table, pytest-benchmark, asv, hyperfine, gbench, pyperf, jmh, criterion, go, foretime, extrap-json, talpas, extrap-lines, extrap, time, perf, csv
? 2

$ foretime import cut.json --machine far --store t.db
note: left out 1 row that summarise others
note: left out 1 row that cannot be used, the first: cut.json:114: column 2: string or '}' expected near end of file; no row behind it was read
hint: this is no complete JSON document; let the tool write it again
imported 3 runs at 1 size as 'sort'

$ printf '{"context": {"num_cpus": 4}, "benchmarks": [\n{"name": "start", "real_time": 9, "cpu_time": 9, "time_unit": "ns"},\n{"name": "scan/64", "real_time": 70, "cpu_time": 69, "time_unit": "ns"},\n{"name": "scan/128", "real_time": 140, "cpu_time": 600, "time_unit": "s"}]}\n' > mixed.json; foretime import mixed.json --store t.db
note: left out 1 row that cannot be used, the first: mixed.json:2: start: there is no field 'n' for its size; there are family, name, real_time, cpu_time, time_unit
hint: name the column of the size: --size n=COLUMN, --size 'n=COLUMN:/fft_([0-9]+)/' or --size n=file:COLUMN
note: left out 1 value that cannot be, the first: mixed.json:4: scan/128: cpu_s: 10 min 00 s of processor time in 2 min 20 s on 4 processors
imported 2 runs at 2 sizes as 'scan'

$ printf 'JobID|JobName|State|Elapsed|TotalCPU|MaxRSS|AllocCPUS\n1|sim_10|COMPLETED|02:00|03:00||2\n1.batch|batch|COMPLETED|02:00|03:00|200M|2\n2|sim_20|COMPLETED|INVALID|00:10||2\n2.batch|batch|COMPLETED|04:00|00:10|300M|2\n3|sim_30|COMPLETED|06:00|00:00:00||2\n3.batch|batch|COMPLETED|06:00|00:00:00|1.5M|2\n' > sim.txt; foretime import sim.txt --size 'n=JobName:/_([0-9]+)/' --store t.db --json > j; check-schema import < j; jq -c '[.runs, .doubtful_values, .first_doubtful]' j; foretime export sim --store t.db | tail -2
note: left out 1 row that cannot be used, the first: sim.txt:4: column 4 (Elapsed): cannot be read: 'INVALID'
hint: write it as the tool does
note: left out 1 value that cannot be, the first: sim.txt:6: peak_tree_bytes: no processor time in 6 min 00 s: the run was not observed
[2,1,"sim.txt:6: peak_tree_bytes: no processor time in 6 min 00 s: the run was not observed"]
10,120,180,209715200,done,0,120,
30,360,,,done,0,360,

## runs of several programs as one; means of several runs
$ printf 'n,solver,wall_s\n10,lu,1\n10,cg,5\n20,lu,2\n20,cg,9\n' > solver.csv; foretime import solver.csv --name pooled --store t.db; foretime import solver.csv --by solver --store t.db | grep -c 2
note: runs of the same size differ in: solver; --by solver makes a program of each text there
imported 4 runs at 2 sizes as 'pooled'
3

$ printf '{"results": [{"command": "./solve 10", "mean": 2, "user": 1.5, "system": 0.25, "times": [1.9, 2.0, 2.1], "parameters": {"n": "10"}}]}' > mean.json; foretime import mean.json --machine far --store t.db; foretime predict solve n=10 -r cpu_s --machine far --store t.db -v | sed -n 3p
imported 3 runs at 1 size as 'solve'
<<10 .* 1>>

$ head -c 100000 /dev/zero > zero; foretime import zero --name x
foretime: 'zero' has an unknown format
hint: name its format with --from: snakemake, nextflow, wfcommons, sacct, sacct-json, seff, galaxy, galaxy-table, pytest-benchmark, asv, hyperfine, gbench, pyperf, jmh, criterion, go, foretime, extrap-json, talpas, extrap-lines, extrap, time, perf, csv
? 2

$ foretime import in/cubic.csv --name x --size 'n=n:/[0-9]+/'
foretime: --size n=n:/[0-9]+/: the pattern has no group
hint: write a POSIX extended regular expression between slashes, as in /fft_([0-9]+)/: what its first group matches is taken
? 2

$ foretime import in/cubic.csv --name x --size 'n=n:/([0-9]+/'
foretime: --size n=n:/([0-9]+/: the pattern cannot be read: Unmatched ( or \(
hint: write a POSIX extended regular expression between slashes, as in /fft_([0-9]+)/: what its first group matches is taken
? 2

$ foretime import in/cubic.csv --name x --size 'n=n:/(x)/'
foretime: 'in/cubic.csv' has no runs but rows that a pattern of --size does not match (30)
hint: correct the pattern
? 2

$ foretime import in/cubic.csv --name x --from tsv
foretime: unknown format 'tsv'
hint: the formats are snakemake, nextflow, wfcommons, sacct, sacct-json, seff, galaxy, galaxy-table, pytest-benchmark, asv, hyperfine, gbench, pyperf, jmh, criterion, go, foretime, extrap-json, talpas, extrap-lines, extrap, time, perf, csv
? 2

$ foretime import in/cubic.csv --name x --by colour
foretime: 'in/cubic.csv' has no column 'colour'; its columns are n, wall_s, peak_rss_bytes
hint: name one of them
? 2

## Runs join those of the version in the store; where versions differ, or are not known, it is said.
$ S="--store v.db"; foretime build v n=1:3 --runs 2:2 $S -- sleep '0.00{n}' >/dev/null; built=$(foretime list v --json $S | jq '.programs[0].runs'); printf 'n,wall_s\n4,0.004\n' > one.csv; foretime import one.csv --name v --here $S; [ $(foretime list v --json $S | jq '.programs[0].runs') -eq $((built + 1)) ] && foretime list v $S | wc -l; foretime export v $S | grep -v '^#' | cut -d, -f1 | sort -u | xargs
note: of which version of 'v' these runs are is not known: they are taken for the store's; --as-version older or newer keeps them apart
imported 1 run at 1 size as 'v'
2
1 2 3 4 n

$ S="--store w.db"; foretime import one.csv --name v --here $S; foretime build v n=1:3 --runs 2:2 $S -- sleep '0.00{n}' 2>&1 >/dev/null | grep 'version'; foretime list v $S | wc -l; foretime export v $S | grep -v '^#' | cut -d, -f1 | sort -u | xargs
imported 1 run at 1 size as 'v'
note: runs of 'v' that were imported without its version are taken for runs of this one
2
1 2 3 4 n

$ printf '# hash: 00ff00ff00ff00ff\nn,wall_s\n5,0.005\n6,0.006\n' > other.csv; foretime import other.csv --name v --here --store v.db; foretime export v --store v.db | grep -v '^#' | cut -d, -f1 | sort -u | xargs; foretime list v --store v.db | grep -c older
note: these runs are of another version of 'v' than the store's: they are kept, and not used; --as-version newer uses them in its place, same joins both
imported 2 runs at 2 sizes as 'v'
1 2 3 4 n
1

$ foretime import other.csv --name v --here --store v.db --as-version same; foretime export v --store v.db | grep -v '^#' | cut -d, -f1 | sort -u | xargs
imported 2 runs at 2 sizes as 'v'
1 2 3 4 5 6 n

$ foretime import other.csv --name v --here --store v.db --as-version newer; foretime export v --store v.db | grep -v '^#' | cut -d, -f1 | sort -u | xargs
nothing new: the store has all of these 2 runs already; --all takes them once more
5 6 n

$ cp w.db x.db; foretime import one.csv --name v --machine far --store x.db --as-version older; foretime list v --store x.db | tail -n +2 | wc -l; foretime export v --store x.db | grep -v '^#' | cut -d, -f1 | sort -u | xargs
imported 1 run at 1 size as 'v'
2
1 2 3 4 n

$ foretime export v --store w.db > w.csv; foretime import w.csv --store w.db
nothing new: the store has all of these <<\d+>> runs already; --all takes them once more

$ printf 'm,wall_s\n4,0.004\n' | foretime import - m --name v --store w.db
note: of which version of 'v' these runs are is not known: they are taken for the store's; --as-version older or newer keeps them apart
foretime: 'v' has runs with other parameters, or with these in another order
hint: choose another NAME, or remove it with foretime rm 'v'
? 2

$ foretime import other.csv --name cubic --as-version newer
foretime: the version of the stored runs of 'cubic' is not known: they cannot be ordered by age
hint: choose another NAME
? 2

$ foretime import other.csv --name v --as-version last
foretime: --as-version 'last': runs are not of such a version
hint: --as-version same, older or newer than the one in the store
? 2

## What people and spreadsheets write in cells; a comma that may be a decimal point is none of theirs.
$ printf 'n,wall_s,peak_rss_bytes\n10K,1-00:42:00,1.5 GiB\n"1,000,000",10m30s,64MB\n10MB,10:30,1\n1_000,PT1H,2k\n' > typed.csv; foretime import typed.csv --name typed; foretime export typed -o - | grep done
imported 4 runs at 4 sizes as 'typed'
10000,88920,1610612736,done,0,88920,
1000000,630,64000000,done,0,630,
10000000,630,1,done,0,630,
1000,3600,2048,done,0,3600,

$ printf 'n;wall_s\n5;1,234\n' > german.csv; foretime import german.csv --name german
foretime: german.csv:2: column 2 (wall_s): not a duration: '1,234'
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds; or leave the cell empty
? 2

$ printf 'n,elapsed\n5,1-00:00:00\n6,1h 30m\n' > elapsed.csv; foretime import elapsed.csv --name elapsed --value wall_s=elapsed; foretime export elapsed -o - | grep done
imported 2 runs at 2 sizes as 'elapsed'
5,86400,done,0,86400,
6,5400,done,0,5400,

$ printf 'JobID           JobName      State    Elapsed\n------------ ---------- ---------- ----------\n7            sort_1000+  COMPLETED   00:10:30\n' > wide.txt; foretime import wide.txt
foretime: 'wide.txt' is what sacct prints for people: it cuts names and numbers off
hint: let sacct -P print it, as in sacct -P -o JobID,JobName,State,ExitCode,Elapsed,TotalCPU,MaxRSS
? 2

## More runs than are held in memory come in portions: all of them are kept, in the order of the file, or none; those that are stored already are left out one for one.
$ awk 'BEGIN { print "program,n,wall_s"; for (i = 0; i < 160000; i++) printf "%s,%d,%d\n", i % 3 ? "bulk" : "few", 1 + i % 100, 1 + i % 7 }' > portions.csv; foretime import portions.csv --by program -q; foretime list bulk --json | jq -c '.programs[] | [.name, .runs, .sizes]'; foretime show few --json | jq -c '[.params[0] | .least, .most]'
imported 160000 runs of 2 programs

name    runs  sizes
few    53334    100
bulk  106666    100
["bulk",106666,100]
[1,100]

$ foretime import portions.csv --by program -q
nothing new: the store has all of these 160000 runs already; --all takes them once more

$ (cat portions.csv; echo bulk,7,3; echo bulk,7,300) > more.csv; foretime import more.csv --by program -q
note: left out 160000 runs that the store has already; --all takes them once more
imported 2 runs of 2 programs

name   runs  sizes
few      0      0
bulk     2      1

$ (cat portions.csv; echo other,seven,3) > bad.csv; foretime import bad.csv --by program --strict --all -q; foretime list bulk --json | jq .programs[].runs
foretime: <<.*>>
hint: <<.*>>
106668
