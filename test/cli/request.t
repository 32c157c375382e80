## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime request cubic n=5000
cubic n=5000: enough for 95 % of runs
--time=<<\d\d:00>> --mem=<<\d+M>>
resource  typical  up to   request  basis
wall_s  2 min 05 s  <<\d+ min.*>>  <<\d\d:00>>  extrapolated 5x
peak_rss_bytes  <<\d+\.?\d* MiB>>  <<\d+\.?\d* MiB>>  <<\d+\.?\d* MiB>>  extrapolated 5x

$ foretime request cubic n=5000 -v | sed '1,2d'
resource  typical  accuracy  up to   request  basis
wall_s  2 min 05 s  <<[\d.]+ %>>  <<\d+ min.*>>  <<\d\d:00>>  extrapolated 5x
peak_rss_bytes  <<\d+\.?\d* MiB>>  <<[\d.]+ %>>  <<\d+\.?\d* MiB>>  <<\d+\.?\d* MiB>>  extrapolated 5x
at most 5 % of runs need more: <<[\d.]+>> % more time, <<[\d.]+>> % more memory
of the memory 7.63 MiB is for other processes of the job (--overhead)
cubic on <<.*>>: 30 runs, the newest at an unknown time

$ foretime request cubic n=500 --color always | cat -v | sed -n 2p
^[[1m--time=01:00 --mem=11M^[[0m

$ foretime request cubic n=500 --format slurm
--time=01:00 --mem=11M

$ foretime request cubic n=500 --format slurm --cpus 4
--time=01:00 --mem=11M --cpus-per-task=4

$ foretime request cubic n=2000 --format slurm
--time=01:00 --mem=<<\d+M>>
note: extrapolated 2x

$ foretime request cubic n=40000 --format slurm 2>/dev/null | sed 's/ --mem.*//'
--time=<<(\d+-)?\d\d:\d\d:00>>

$ foretime request cubic n=500 --format snakemake
# cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
# at n=500
# and 119 MiB for other processes of the job (--overhead)
    resources:
        runtime=lambda wildcards, attempt: 1 * attempt,  # minutes
        mem_mb=lambda wildcards, attempt: 129 * attempt,

$ foretime request cubic n=500 --format nextflow
// cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
// at n=500
// and 15.3 MiB for other processes of the job (--overhead)
// tried again with more of what ran out: errorStrategy 'retry'; maxRetries 2
    time {
        def more = task.attempt > 1 && task.exitStatus in [104, 134, 137, 139, 247] ? task.attempt - 1 : task.attempt
        1.min * more
    }
    memory {
        def more = task.attempt > 1 && task.exitStatus in [140, 143] ? task.attempt - 1 : task.attempt
        19.MB * more
    }

$ foretime request cubic n=500 --json | check-schema request

$ foretime request cubic --format json | check-schema request

$ foretime request cubic n=500 --json --expression | check-schema request

## less risk asks for more
$ for r in 20% 5% 1%; do foretime request cubic n=550 --risk $r --json | sed -n 's/^    "most": //p' | head -1; done | tr -d , | sort -n -c

## an expression for all sizes
$ foretime request cubic
cubic: enough for 95 % of runs

time in seconds:
    <<[-+*/^(),<>=&.\w ]{1,80}>>
    <<[\d.]+>> % above the model on average over what was measured, <<[\d.]+>> % at most; never below it from 1 to <<\d+>>
    known up to n=<<\d+>>; beyond it measure larger sizes, or give --at-most

memory in bytes:
    <<[-+*/^(),<>=&.\w ]{1,80}>>
    <<[\d.]+>> % above the model on average over what was measured, <<[\d.]+>> % at most; never below it from 1 to <<\d+>>
    known up to n=<<\d+>>; beyond it measure larger sizes, or give --at-most

$ foretime request cubic --format nextflow --size 'reads.size() / 220'
// cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
// measured for n = 100 .. 1000, known up to <<[\d.]+>>
// and 15.3 MiB for other processes of the job (--overhead)
// tried again with more of what ran out: errorStrategy 'retry'; maxRetries 2
    time {
        def size_n = Math.max(1 as double, (reads.size() / 220) as double)
        def more = task.attempt > 1 && task.exitStatus in [104, 134, 137, 139, 247] ? task.attempt - 1 : task.attempt
        if (size_n > <<[\d.]+>>) throw new IllegalArgumentException("cubic: the time at n=${size_n} is not known beyond n=<<[\d.]+>>: measure larger sizes, or give foretime request --at-most")
        1.min * Math.max(1, Math.ceil((<<[-+*/(),.\w ]+>>) / 60.0d) as long) * more
    }
    memory {
        def size_n = Math.max(1 as double, (reads.size() / 220) as double)
        def more = task.attempt > 1 && task.exitStatus in [140, 143] ? task.attempt - 1 : task.attempt
        if (size_n > <<[\d.]+>>) throw new IllegalArgumentException("cubic: the memory at n=${size_n} is not known beyond n=<<[\d.]+>>: measure larger sizes, or give foretime request --at-most")
        1.MB * Math.max(1, Math.ceil((16000000d + <<[-+*/(),.\w ]+>>) / 1048576.0d) as long) * more
    }

$ foretime request cubic --format snakemake > cubic.smk; sed -E 's/\* \(.*\) \/ /* (E) \/ /' cubic.smk
# cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
# measured for n = 100 .. 1000, known up to <<[\d.]+>>
# and 119 MiB for other processes of the job (--overhead)
# in the rule:
#     resources: runtime=cubic_runtime, mem_mb=cubic_mem_mb
import math
import os
def cubic_size_n(wildcards, input):
    return max(1, float(wildcards.n))
def cubic_runtime(wildcards, input, attempt):
    size_n = cubic_size_n(wildcards, input)
    if size_n > <<[\d.]+>>:
        raise ValueError(f"cubic: the time at n={size_n:g} is not known beyond n=<<[\d.]+>>: measure larger sizes, or give foretime request --at-most")
    return max(1, math.ceil(attempt * (E) / 60))
def cubic_mem_mb(wildcards, input, attempt):
    size_n = cubic_size_n(wildcards, input)
    if size_n > <<[\d.]+>>:
        raise ValueError(f"cubic: the memory at n={size_n:g} is not known beyond n=<<[\d.]+>>: measure larger sizes, or give foretime request --at-most")
    return max(1, math.ceil(attempt * (E) / 1e6))

## Python gives no less than the numbers
$ command -v python3 >/dev/null || exit 0
> for n in 50 100 555 1000 5000 40000; do foretime request cubic n=$n --json 2>/dev/null | awk -v n=$n '/"most"/ { gsub(/,/, ""); print n, $2 }' | tr '\n' ' '; echo; done > numbers
> cat > check.py <<'END'
> exec(open("cubic.smk").read())
> class W: pass
> for line in open("numbers"):
>     n, seconds, _, most = line.split()
>     w = W(); w.n = n
>     for attempt in (1, 2):
>         minutes, mb = cubic_runtime(w, None, attempt), cubic_mem_mb(w, None, attempt)
>         assert minutes >= attempt * float(seconds) / 60, (n, minutes, seconds)
>         assert mb >= attempt * float(most) / 1e6, (n, mb, most)
>         assert minutes <= 1 + 1.5 * attempt * float(seconds) / 60 and mb <= 1 + attempt * (125 + 1.5 * float(most) / 1e6), (n, minutes, mb)
> END
> python3 check.py

## Galaxy: of input_size in GB, evaluated as its Python does
$ printf 'bytes,wall_s,peak_rss_bytes\n1e6,60,1e8\n2e6,120,2e8\n4e6,240,4e8\n8e6,480,8e8\n' > align.csv; foretime import align.csv bytes --name align --here
imported 4 runs at 4 sizes as 'align'

$ foretime request align --format tpv | sed 's/((.*) \/ 60/((E) \/ 60/; s/"(.*) \/ 1024/"(E) \/ 1024/'
# align, from 4 runs on <<.*>>: 5 % of runs may need more time or memory than this
# measured for bytes = 1000000 .. 8000000, known up to <<[\d.]+>>
# and 7.63 MiB for other processes of the job (--overhead)
tools:
  "align":
    mem: "(E) / 1024**3"
    params:
      walltime: "{int((E) / 60) + 1}"  # minutes; called as the destination calls it
    rules:
      - id: not known
        if: "(input_size*1024**3) > <<\d+>>"
        fail: "What this size needs is not known beyond bytes=<<\d+>>: measure larger sizes, or give foretime request --at-most"

$ foretime request align bytes=4e6 --json > four.json; foretime request align --format tpv > align.yml; command -v python3 >/dev/null || exit 0
> python3 -c '
> import re, json
> text, four = open("align.yml").read(), json.load(open("four.json"))
> input_size = 4e6 / 1024**3
> mem = eval(re.search(r"mem: \"(.*)\"", text).group(1))
> walltime = int(eval("f" + repr(re.search(r"walltime: \"(.*)\"", text).group(1))))
> least = (four["memory"]["most"] + 8e6) / 1024**3
> assert least <= mem <= 1.2 * least, (mem, least)
> assert four["time"]["most"] / 60 <= walltime <= 1.2 * four["time"]["most"] / 60 + 1, walltime
> input_size = 0
> assert 0 < eval(re.search(r"mem: \"(.*)\"", text).group(1)) < 1
> '

$ foretime request cubic --format tpv
foretime: no expression gives 'n' from the size of the input
hint: write --size 'n=input_size * ...', which is in GB
? 2

$ foretime request cubic --format tpv --size 'input_size * 500' | grep -c 'input_size \* 500'
3

$ foretime request align bytes=4e6 --format tpv | grep mem:
    mem: <<0\.[34]\d+>>

## other batch systems
$ for f in pbs lsf htcondor; do foretime request align bytes=4e6 --format $f --cpus 2 --overhead 0; done
-l walltime=<<00:0[4-9]>>:00 -l mem=<<[34]\d\d>>mb -l ncpus=2
-W <<0:0[4-9]>> -M <<4\d\d>>MB -n 2
allowed_job_duration = <<[2-5]\d0>>
request_memory = <<[34]\d\d>>
request_cpus = 2

## many sizes: arrays of Slurm whose tasks need about the same
$ printf 'n,m,wall_s,peak_rss_bytes\n' > grid.csv; for n in 100 200 400 800; do for m in 1 2 4; do echo $n,$m,$((n * n * m / 1000)),$((n * m * 100000)); done; done >> grid.csv; foretime import grid.csv n m --name 'gr;id|id' --here
imported 12 runs at 12 sizes as 'gr;id|id'

$ foretime request 'gr;id|id' n=100:1600:*2 m=1,2,4 --format sbatch-array > grid.sh; bash -n grid.sh && grep -E '^(#!|# [0-9]+ tasks|size_)' grid.sh
note: extrapolated up to 2x
#!/bin/bash
# 15 tasks in <<[4-8]>> arrays: all of one ask for the same, no task for more than 2 times what it needs
size_n=(<<(\d+ ){14}\d+>>)
size_m=(<<(\d+ ){14}\d+>>)

## no task is given more than twice what it asks for alone, none less
$ for i in $(seq 0 14); do SLURM_ARRAY_TASK_ID=0 bash grid.sh --tasks-from $i echo 'n={n} m={m}'; done > sizes; sort sizes | uniq | wc -l; i=0
> while read -r size; do foretime request 'gr;id|id' $size --format slurm 2>/dev/null; done < sizes > alone
> awk '$1 == "submit" { for (i = 0; i < $3; i++) print $4, $5 }' grid.sh > asked
> paste -d ' ' alone asked | sed -E 's/--(time|mem)=//g; s/M//g' | awk 'function m(t, p, k) { k = split(t, p, ":"); return k == 3 ? 60 * p[1] + p[2] : p[1] } m($3) < m($1) || m($3) > 2 * m($1) || $4 < $2 || $4 > 2 * $2 { print "not so:", $0 }'
15

$ SLURM_ARRAY_TASK_ID=2 bash grid.sh --tasks-from 1 printf '[%s]\n' '$(id) n={n}{o}' "a'b\"c" '*' ''
[$(id) n=<<\d+>>{o}]
[a'b"c]
[*]
[]

$ (echo n; seq 100 2600) > many.csv; foretime request cubic --sizes many.csv --format sbatch-array > many.sh 2>/dev/null; awk '$1 == "submit" { n += $3; if ($3 > 1001) print "too many" } END { print n }' many.sh
2501

$ foretime request cubic --format sbatch-array
foretime: sbatch-array is of which sizes?
hint: name them, n=1000:64000:*2 or n=100,200, or write --sizes FILE.csv
? 2

$ foretime request cubic n=100:1000000 --format sbatch-array
foretime: 999901 sizes are more than a script of Slurm holds
hint: make several scripts, of 150000 sizes at most each
? 2

$ echo n > none.csv; foretime request cubic --sizes none.csv --format sbatch-array
foretime: there is no size in none.csv
hint: a row for each size stands below the names of the parameters
? 2

$ foretime request cubic n=1e90 --format slurm
foretime: the memory at n=1e+90 is not known: extrapolated over 1000x, and requests end at 100x
hint: measure up to n=<<.*>>, or give --at-most; runs needed <<.*>> at most, in proportion to the size that is <<.*>>
? 1

$ for f in text json sbatch-array pbs lsf htcondor snakemake nextflow tpv; do foretime request cubic n=1e90 $(test $f = text || echo --format $f) 2>&1 >/dev/null; done | sort | uniq -c | awk '{ print $1, $2 }'
9 foretime:
9 hint:

$ foretime request cubic n=100,200 --format sbatch-array --size x
foretime: --format sbatch-array is of sizes: it takes no --size
? 2

$ foretime request cubic --sizes many.csv --format slurm
foretime: --sizes is of --format sbatch-array
? 2

## what runs beside it, and the least
$ foretime request align bytes=1e6 --format slurm --overhead 1GB | sed 's/.*mem/mem/'; foretime request align bytes=1e6 --format slurm --at-least 2GiB | sed 's/.*mem/mem/'
mem=<<10[5-9]\d>>M
mem=2048M

$ foretime request align --format snakemake --overhead 0 --at-least 2GB | grep '1e6'
    return max(1, math.ceil(attempt * (max(2000000000, <<.*size_bytes.*>>)) / 1e6))

## memory that was learned from runs of under a second
$ printf 'n,wall_s,peak_rss_bytes\n1,0.1,1e8\n2,0.2,2e8\n4,0.4,4e8\n8,0.8,8e8\n' > brief.csv; foretime import brief.csv n --name brief --here
imported 4 runs at 4 sizes as 'brief'

$ foretime request brief n=4 | grep under; foretime request brief n=4 --format slurm
memory was measured in runs of under a second: the request is 1.5 times as much
--time=01:00 --mem=<<[67]\d\d>>M
note: memory was measured in runs of under a second: the request is 1.5 times as much

$ foretime request brief --format nextflow | grep -o '16000000d + 1.5\*'; foretime request brief n=4 --json | check-schema request
16000000d + 1.5*

## words that languages keep for themselves
$ printf 'in,class,wall_s\n1,1,1\n2,1,2\n4,2,4\n8,2,8\n1,2,2\n' > words.csv; foretime import words.csv in class --name 'def;f' --here
imported 5 runs at 5 sizes as 'def;f'

$ foretime request 'def;f' --format nextflow
foretime: no input of a Nextflow process can be called 'in'
hint: give its source: --size 'in=EXPRESSION'
? 2

$ foretime request 'def;f' --format snakemake > def.smk; grep getattr def.smk; command -v python3 >/dev/null || { echo True; exit 0; }; python3 -c 'exec(open("def.smk").read()); W = type("W", (), {"in": "4", "class": "2"}); print(def_f_runtime(W(), None, 1) >= 1)'
    return max(1, float(getattr(wildcards, "in")))
    return max(1, float(getattr(wildcards, "class")))
True

$ foretime request 'def;f' class=1 --format tpv --size 'input_size' | grep 'def'
<<# def;f, from .*>>
  "def;f":

## where sizes come from
$ printf 'input_mb,wall_s\n10,1\n20,2\n40,4\n80,8\n' > mb.csv; foretime import mb.csv input_mb --name mb --here
imported 4 runs at 4 sizes as 'mb'

$ foretime request mb --format snakemake | sed -n '/def/,$p'
def mb_bytes(files):
    files = [files] if isinstance(files, str) else files
    return sum(os.path.getsize(file) for file in files)
def mb_size_input_mb(wildcards, input):
    # of all inputs together; foretime request --size input.NAME takes one alone
    try:
        return max(1, float(mb_bytes(input) / 1048576))
    except FileNotFoundError:  # not made yet
        return 80
def mb_runtime(wildcards, input, attempt):
    size_input_mb = mb_size_input_mb(wildcards, input)
    if size_input_mb > <<[\d.]+>>:
        raise ValueError(<<.*>>)
    return max(1, math.ceil(attempt * (<<.*>>) / 60))

$ foretime request mb --format snakemake --size 'input_mb=2 * input.size_mb' | grep 'float(.*input'
        return max(1, float(2 * input.size_mb))

$ foretime request mb --format snakemake --size 'input.reads' | grep 'float(.*input'
        return max(1, float(mb_bytes(input.reads) / 1048576))

$ foretime request mb input_mb=40 --size 'input.size_mb'
foretime: --size 'input.size_mb' is of which parameter?
hint: write --size 'NAME=EXPRESSION', once for each
? 2

$ foretime request mb --format snakemake --size 'input.reads' | grep 'all inputs'
? 1

## a size may be called input_bytes, as a resource is, and as Snakemake's own column
$ printf 'input_bytes,wall_s\n10MB,1\n20MB,2\n"40,000,000",4\n80MB,8\n' > ib.csv; foretime import ib.csv input_bytes --name ib --here; foretime request ib --format snakemake | grep 'float('; foretime export ib > ib2.csv; grep -v '^#' ib2.csv | head -2; foretime import ib2.csv --name ib2; foretime predict ib2 input_bytes=40MB | tail -1; foretime largest ib time=4s --json | jq .parameter
imported 4 runs at 4 sizes as 'ib'
        return max(<<\d+>>, float(ib_bytes(input)))
input_bytes,wall_s,outcome,warmup,cost_s,started
10000000,1,done,0,1,
imported 4 runs at 4 sizes as 'ib2'
<< *40000000 .*measured.*>>
"input_bytes"

## several parameters
$ foretime import in/two.csv --name two n m --here
imported 6 runs at 6 sizes as 'two'

$ foretime request two --format nextflow | grep def.size | sort -u
        def size_m = Math.max(1 as double, (m) as double)
        def size_n = Math.max(10 as double, (n) as double)

$ foretime request two | grep -c 'known up to n=[0-9.e]*, m=[0-9.e]*; beyond'
<<[12]>>

$ foretime request two m=1 --format nextflow | grep -E 'def.size|m ='
// m = 1
        def size_n = Math.max(1 as double, (n) as double)

## jobs that were ended at their limit count: 90 of n seconds times a log-normal factor, limits of 1.2 n
$ awk 'function u() { x = (x * 16807) % 2147483647; return x / 2147483647 } BEGIN { x = 11; print "JobID|JobName|State|Start|Elapsed|Timelimit|ReqMem|MaxRSS"; for (i = 1; i <= 90; i++) { n = 500 * 2 ^ (i % 3); t = n * exp(0.35 * sqrt(-2 * log(u())) * cos(6.2831853 * u())); l = 1.2 * n; late = t > l; if (late) t = l + 5; printf "%d|s_%d|%s|2026-01-%02dT%02d:00:00|%02d:%02d:%02d|%02d:%02d:00|4Gn|\n", i, n, late ? "TIMEOUT" : "COMPLETED", 1 + i % 20, i % 24, t / 3600, t / 60 % 60, t % 60, l / 3600, l / 60 % 60 } }' >late.txt; foretime import late.txt --size 'n=JobName:/_(\d+)/' --name late; foretime request late n=500 --risk 5% -v | grep 'met a limit'; foretime request late n=500 --risk 5% --json | jq -c '(.time.most > 820 and .time.most < 1300), (.time.limited | [.runs > 9, .of, .least, .most])'
imported 90 runs at 3 sizes as 'late'
wall_s: <<\d\d>> of 90 runs met a limit of 10 min 05 s to 40 min 05 s
true
[true,90,605,2405]

## runs that were killed for memory
$ printf 'n,wall_s,peak_rss_bytes,outcome\n10,1,1e7,done\n20,2,2e7,done\n40,4,4e7,done\n60,6,6e7,done\n80,,3e9,out of memory\n' > killed.csv; foretime import killed.csv --name killed --here
imported 5 runs at 5 sizes as 'killed'

$ foretime request killed n=50 --format slurm
--time=01:00 --mem=<<\d+M>>

$ foretime request killed n=80 --format slurm
--time=01:00 --mem=2869M
note: extrapolated 1.33x
foretime: a run at n=80 was killed when it held 2.79 GiB: no memory is known to suffice here
hint: measure larger sizes where there is more memory, or ask for a size below n=80
? 1

$ foretime request killed n=50,90 --format sbatch-array
foretime: no memory is known to suffice at n=90: a run was killed there, or below
hint: leave that size out, or measure larger sizes where there is more memory
? 1

$ foretime request killed n=90 --json 2>/dev/null | check-schema request

$ foretime request killed --format snakemake | grep killed.for
# a run at 80 was killed for memory: what larger ones need is not known

## wrong use
$ foretime request
foretime: missing NAME; usage: foretime request NAME n=2048 [m=100] [--risk 5%] [--format F] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime request cubic --format slurm
foretime: slurm has no expressions: at which size?
hint: state the size, or choose --format snakemake, nextflow or tpv
? 2

$ foretime request cubic --format sge
foretime: unknown format 'sge'
hint: there are slurm, sbatch-array, pbs, lsf, htcondor, snakemake, nextflow, tpv, wdl, cwl, kubernetes, argo, parsl, ray, dask and json
? 2

$ foretime request cubic --format slurm --json n=5
foretime: slurm and json are two formats
hint: choose one of them: --format json
? 2

$ for r in 5% 5 .05; do foretime request cubic n=500 --risk $r --format slurm; done | uniq
--time=01:00 --mem=11M

$ foretime request cubic n=5 --risk 40%
foretime: option --risk: '40%' is not between 0.1 % and 25 %
hint: write a share as in 5% or 0.05, from 0.1 % to 25 %
? 2

$ foretime request cubic n=5:10
foretime: 'n=5:10' is a range, and a request is for one size
hint: leave 'n' out: the request is then an expression for all sizes; or choose --format sbatch-array
? 2

$ foretime request cubic n=5 n=6
foretime: parameter 'n' has two values
? 2

$ foretime request cubic q=5
foretime: 'cubic' has no parameter 'q'
hint: its first parameter is 'n'; see all: foretime show cubic
? 2

$ foretime request cubic big
foretime: 'big' is not a size
hint: write n=2048, one size; without one the request is an expression for all sizes
? 2

## The range of the program is not that of its runs.
$ foretime import in/cubic.csv --name wide --here n=1:9000 >/dev/null; foretime request wide --format nextflow | sed -n 2p
// measured for n = 100 .. 1000, known up to <<[\d.]+>>

## no number where nothing is known: JSON says so, too
$ printf 'n,wall_s,peak_rss_bytes\n1000,2,8e7\n2000,3,8.1e7\n3000,2,8e7\n4000,5,8.2e7\n' > flat.csv; foretime import flat.csv --name flat --here
imported 4 runs at 4 sizes as 'flat'

$ foretime request flat n=1000000
foretime: the memory at n=1000000 is not known: extrapolated 250x, and requests end at 100x
hint: measure up to n=<<\d+>>, or give --at-most; runs needed <<.*>> at most, in proportion to the size that is 19.1 GiB
? 1

$ foretime request flat n=1000000 --json 2>/dev/null > far.json; echo $?; check-schema request < far.json; grep -E '"(answered|reason|slurm)"' far.json
1
  "answered": false,
  "reason": "the memory at n=1000000 is not known: extrapolated 250x, and requests end at 100x",
  "slurm": null,

$ foretime request flat n=1000,1000000 --format sbatch-array 2>&1 | head -1
foretime: the memory at n=1000000 is not known: extrapolated 250x, and requests end at 100x

$ foretime request flat n=1000000 --at-most 64GiB,2d --format slurm 2>said; grep -v 'more memory' said
--time=2-00:00:00 --mem=65536M
note: extrapolated 250x
note: wall_s is not known at this size: requesting --at-most 2 d 00 h
note: peak_rss_bytes is not known at this size: requesting --at-most 64.0 GiB

## more than the machine has that the runs come from
$ foretime request flat n=1000000 --at-most 1000TiB,2d --format slurm 2>&1 | grep 'more memory'
note: 1000 TiB is more memory than <<.*>> has: <<.*iB>>

## memory that levels off, and memory that never grew, far beyond: near the truth, or no number
$ { echo bytes,wall_s,peak_rss_bytes; for n in 300000 900000 2000000 4000000 9000000; do for k in 1 2; do echo $n,$((n / 800000 + k)),$((9000000 + 66000000 * n / (n + 3500000) + k * 100000)); done; done; } > level.csv; foretime import level.csv bytes --name level --here
imported 10 runs at 5 sizes as 'level'

$ foretime request level bytes=45000000 --format slurm >level.txt 2>/dev/null; status=$?; sed 's/.*--mem=//' level.txt | awk -v status=$status '$1 + 0 > 300 { print "too much:", $0 } END { exit !(status == 0 && NR || status == 1 && !NR) }'

$ command -v python3 >/dev/null || exit 0
> foretime request level --format snakemake --overhead 0 > level.smk; python3 -c '
> exec(open("level.smk").read())
> for size in (45e6, 9e7, 9e8, 9e12):
>     os.path.getsize = lambda file: size
>     for f, most in ((level_mem_mb, 1e3), (level_runtime, 1e5)):
>         try: assert f(None, "x", 1) < most * size / 45e6, (f, size)
>         except ValueError: pass'

$ command -v python3 >/dev/null || exit 0
> foretime request flat --format snakemake > far.smk; foretime request flat --format snakemake --at-most 2GB,90m > most.smk
> python3 -c '
> class W: n = "1e9"
> exec(open("far.smk").read())
> for f in flat_runtime, flat_mem_mb:
>     try: print(f(W, None, 1))
>     except ValueError as e: print(str(e).split(" is not")[0])
> exec(open("most.smk").read()); print(flat_runtime(W, None, 3), flat_mem_mb(W, None, 3))
> W.n = "2000"; print(flat_mem_mb(W, None, 100))'
flat: the time at n=1e+09
flat: the memory at n=1e+09
90 2000
2000

$ foretime request align --format tpv --at-most 8GiB > most.yml; grep -E 'rules|fail|if:' most.yml
    rules:
        if: "(input_size*1024**3) > <<\d+>>"
        fail: "What this size needs is not known beyond bytes=<<\d+>>: measure larger sizes, or give foretime request --at-most"

$ foretime request align --format tpv --at-most 8GiB,2d | grep -E 'rules|fail|if:|walltime'
      walltime: "{-int(-(172800 if (input_size*1024**3) > <<\d+>> else min(172800, <<.*>>)) // 60)}"  # minutes; called as the destination calls it

## at most
$ foretime request align bytes=8e6 --at-most 500MB --format slurm
foretime: a typical run at bytes=8000000 needs <<.*>> of memory, more than 477 MiB
hint: ask for a smaller size (foretime largest), or raise --at-most
? 1

$ foretime request align bytes=2e6 --at-most 500MB --format slurm
--time=<<[\d:]+>> --mem=<<2\d\d>>M
note: a run needed 763 MiB, more than --at-most 477 MiB

$ foretime request align bytes=8e6 --at-most 815MB --format slurm 2>&1 | tail -1
note: --at-most 777 MiB is less than the <<.*>> of a risk of 5 %

$ foretime request align bytes=4e6 --at-most 0
foretime: at-most: a bound of 0 leaves nothing to ask for
hint: write what a node has, as in 64GiB, or how long jobs may run, as in 2d
? 2

$ foretime request align bytes=4e6 --at-most 1GB --at-least 2GB
foretime: at-most: no memory is at most 954 MiB and at least 1.86 GiB
? 2

$ foretime request align bytes=4e6 --at-most 1GB,2GB
foretime: at-most: of memory and time one bound each
? 2

$ foretime request align bytes=4e6 --at-most 90s,1GB --format slurm
foretime: a typical run at bytes=4000000 needs <<.*>> of time, more than 1 min 30 s
hint: ask for a smaller size (foretime largest), or raise --at-most
? 1

$ foretime request align bytes=4e6 --at-most much
foretime: at-most: 'much' is neither memory nor a time
hint: write the bound as in 64GiB, 2d or 64GiB,2d
? 2

$ foretime request align bytes=inf
foretime: <<.*>>
<<hint: .*>>
? 2

## least waste, where a killed job runs again with more
$ foretime request cubic n=550 --risk least | sed -n '1p;/^least/p'
cubic n=550: enough for <<[\d.]+>> % of runs
least waste where a killed job runs again with the most ever needed, then twice as much

$ foretime request cubic n=550 --risk least,retry=2x --json > least.json; check-schema request < least.json; grep '"retry"' least.json
  "retry": "2x",

$ foretime request cubic --risk least --format json | check-schema request

$ foretime request cubic n=500 --risk least --format snakemake | tail -2
        runtime=lambda wildcards, attempt: (1 if attempt == 1 else 2 ** (attempt - 2) * (<<\d+>> if 1 < <<\d+>> else 2 * 1)),  # minutes
        mem_mb=lambda wildcards, attempt: (129 if attempt == 1 else 2 ** (attempt - 2) * (<<\d+>> if 129 < <<\d+>> else 2 * 129)),

$ command -v python3 >/dev/null || exit 0
> foretime request cubic --risk least --overhead 0 --format snakemake > least.smk; foretime request cubic --risk least --overhead 0 --risk retry=2x --at-most 20MB --format snakemake > twice.smk
> python3 -c '
> class W: n = "500"
> exec(open("least.smk").read()); a = [cubic_mem_mb(W, None, k) for k in (1, 2, 3)]; print(1 < a[0] < a[1], a[2] == 2 * a[1], a[1] > 8)
> exec(open("twice.smk").read()); b = [cubic_mem_mb(W, None, k) for k in (1, 2, 3, 4)]; print(b[1] == 2 * b[0], b[3])'
True True True
True 20

$ foretime request cubic --risk least --format nextflow | grep -E 'requested' | sed 's/((.*) \/ /((E) \/ /'
        def requested = Math.max(1, Math.ceil((E) / 60.0d) as long)
        1.min * (more == 1 ? requested : 2 ** (more - 2) * (requested < <<\d+>> ? <<\d+>> : 2 * requested))
        def requested = Math.max(1, Math.ceil((E) / 1048576.0d) as long)
        1.MB * (more == 1 ? requested : 2 ** (more - 2) * (requested < <<\d+>> ? <<\d+>> : 2 * requested))

$ foretime request cubic n=550 --risk retry=2x
foretime: retry is of risk least
hint: leave it out, or ask for the risk that wastes least
? 2

$ foretime request cubic n=550 --risk least,retry=often
foretime: option --risk: retry: 'often' is none of its words
hint: write most or 2x
? 2

## under a load
$ foretime request cubic n=500 --load now | head -1; foretime request cubic n=500 --load now --json | check-schema request
cubic n=500: enough for 95 % of runs under the present load

$ foretime request cubic n=500 --load usual
foretime: <<.*recorded.*>>
hint: <<.*load record.*>>
? 1

## two kinds of input at like sizes: the size tells little, and no more is asked for than runs needed
$ printf 'n,peak_rss_bytes\n' > kinds.csv; for i in 0 1 2 3 4 5 6 7 8 9 10; do for k in 1 2 3 4 5; do awk -v i=$i -v k=$k 'BEGIN { n = int(4e6 * 1.95 ^ i); y = 5.2 * n; if (y > 5.6e9) y = 5.6e9; printf "%d,%d\n%d,%d\n", n, y + k, n * 1.005, 14e6 + k }' >> kinds.csv; done; done; foretime import kinds.csv --name kinds --here > /dev/null; foretime request kinds n=600000000 | grep size; foretime request kinds n=600000000 --json | jq -c '[.memory.by_runs, .memory.most < 6.2e9]'
memory depends little on the size there: the request is what runs of the nearest sizes needed
[true,true]

## A refusal is an answer: one object, and exit status 1.
$ foretime request cubic n=1e14 --json > j 2>said; check-schema request < j; jq -c '[.answered, .time, (.reason | length > 0)]' j; foretime request cubic n=1e14 --json >/dev/null 2>&1
[false,null,true]
? 1

## A bound in Slurm's way is a time.
$ foretime request cubic n=300 --at-most 1-12:00:00 --json | jq .answered; foretime request cubic n=300 --at-most 64GiB,10:30 --json | jq .answered
true
true

## temporary disk, where runs kept files
$ printf 'n,wall_s,peak_rss_bytes,scratch_bytes\n' > disk.csv; for n in 100 200 400 800 1600; do for i in 1 2 3; do echo "$n,$((n + i)),$((n * 100000 + 1000 * i)),$((n * 1000000))" >> disk.csv; done; done; foretime import disk.csv --name disk --here
imported 15 runs at 5 sizes as 'disk'

$ foretime request disk n=800 --format slurm
--time=<<\d\d:00>> --mem=<<\d+M>> --tmp=<<\d+M>>

$ foretime request disk n=800 --format htcondor | tail -1; foretime request disk n=800 --format lsf
request_disk = <<7[89]\d{4}|8\d{5}>>
-W <<.*>> -M <<\d+MB>> -R "rusage[tmp=<<8\d\d>>]"

$ foretime request disk n=800 --format snakemake | grep disk_mb; foretime request disk n=800 --format nextflow | grep -A 2 'disk {'
        disk_mb=lambda wildcards, attempt: <<8\d\d>> * attempt,
    disk {
        def more = task.attempt > 1 && task.exitStatus in [104, 134, 137, 139, 140, 143, 247] ? task.attempt - 1 : task.attempt
        <<\d+>>.MB * more

$ foretime request disk n=800 | grep scratch; foretime request disk --format snakemake > disk.smk; python3 -c 'exec(open("disk.smk").read()); print(8e2 <= disk_disk_mb(type("w", (), {"n": 800}), [], 1) < 9e2)'
scratch_bytes <<763 MiB +.*>>
True

$ foretime request disk --format nextflow | grep -c '  disk {'; foretime request disk n=800 --json | check-schema request; foretime request disk --json | check-schema request
1

## little is not requested, and joint risk stays what it was
$ foretime request disk n=10 --format slurm 2>/dev/null | grep -c tmp; foretime request disk n=800 --json | jq -c '[.time.risk + .memory.risk + .scratch.risk, .scratch.risk] | map(. * 1e6 | round / 1e6)'
0
[0.05,0.005]

$ foretime largest disk scratch=500MB | head -1
largest n: <<4\d\d|500>>

## a graphics device, where runs used one
$ printf 'n,wall_s,peak_rss_bytes,gpu_memory_bytes\n' > gpu.csv; for n in 100 200 400 800 1600; do for i in 1 2 3; do echo "$n,$((n + i)),$((n * 100000 + 1000 * i)),$((n * 1000000 + 1000 * i))" >> gpu.csv; done; done; foretime import gpu.csv --name net --here
imported 15 runs at 5 sizes as 'net'

$ foretime request net n=800 | grep -e gpu; for f in slurm lsf htcondor pbs; do foretime request net n=800 --format $f | tail -1; done
--time=<<\S+>> --mem=<<\S+>> --gres=gpu:1
gpu_memory_bytes <<     .*MiB +78\d MiB +measured>>
--time=<<\S+>> --mem=<<\S+>> --gres=gpu:1
-W <<\S+>> -M <<\S+>> -gpu "num=1"
request_gpus = 1
-l walltime=<<\S+>> -l mem=<<\w+>>

$ for f in wdl tpv nextflow snakemake; do foretime request net n=800 --format $f | grep -E '^ +(gpu|accel)'; foretime request net --format $f 2>/dev/null | grep -E 'gpu|accel'; done
    gpu: true
    gpus: 1
    accelerator 1
    accelerator 1
        gpu=1,
#     resources: runtime=net_runtime, mem_mb=net_mem_mb, gpu=1

$ foretime request net n=800 --json | tee net.json | check-schema request; jq -c '[.gpus, .gpu_memory.most > 8e8, (.time.risk + .memory.risk + .gpu_memory.risk | . * 1e6 | round)]' net.json; foretime request net --json | tee net.json | check-schema request; jq .gpus net.json; foretime request disk n=800 --json | jq -c '[.gpus, .gpu_memory]'
[1,true,50000]
1
[0,null]

$ for f in parsl ray; do foretime request net n=800 --format $f --cpus 2 > $f.py 2>/dev/null; python3 -c 'import sys; exec(open(sys.argv[1]).read()); print(net)' $f.py; done | sed -E 's/[0-9]{2,}/N/g'
{'walltime': N, 'parsl_resource_specification': {'cores': 2, 'memory': N, 'gpus': 1}}
{'num_cpus': 2, 'num_gpus': 1, 'memory': N}

$ foretime largest net gpu_memory=500MB | head -1; printf 'n\n100\n200\n' > sizes.csv; foretime request net --sizes sizes.csv --format sbatch-array 2>/dev/null | grep -c 'gres=gpu:1'
largest n: <<4\d\d|500>>
<<[12]>>

## the number of processors by core hours: 1, 1.05, 1.15 and 1.35 of the least
$ for n in 100 200 400; do for p in 1 2 4 8; do for k in 1 2 3; do awk -v p=$p -v n=$n -v k=$k 'BEGIN { printf "%d,%d,%.4f,%d\n", p, n, n * (5 + 95 / p + 0.02 * k) / 100, n * 100000 }'; done; done; done | sed '1i cores,n,wall_s,peak_rss_bytes' > scale.csv; foretime import scale.csv --name scale cores n --here
imported 36 runs at 12 sizes as 'scale'

$ foretime request scale n=200 --cpus auto | head -2; foretime request scale n=200 --cpus auto --json | tee auto.json | check-schema request; jq -c '[.cpus, .size.cores]' auto.json
scale cores=2 n=200: enough for 95 % of runs
--time=<<\S+>> --mem=<<\S+>> --cpus-per-task=2
[2,2]

$ foretime request scale n=200 cores=4 --cpus auto; foretime request scale --cpus auto; foretime request disk n=800 --cpus auto; foretime request scale n=200 --cpus autox; foretime request scale n=100,200 --cpus auto --format sbatch-array
foretime: --cpus auto chooses 'cores'
hint: leave it out
foretime: --cpus auto is for one size: state all parameters but 'cores'
foretime: --cpus auto needs a parameter with the number of processors
hint: measure with cores=1,2,4 as a parameter of the program
foretime: option --cpus: 'autox' is not a whole number
hint: write one from 1 on
foretime: --cpus auto is for one size
hint: state a number
? 2

$ grep -E '^(cores|4,)' scale.csv > four.csv; foretime import four.csv --name four cores n --here; foretime request four n=200 --cpus auto
imported 9 runs at 3 sizes as 'four'
foretime: --cpus auto needs runs with several numbers of 'cores'
hint: foretime build four cores=1,2,4 ...
? 2

## forms of one size: each is read by a parser of its kind
$ for f in parsl ray dask; do foretime request disk n=800 --format $f --cpus 2 > $f.py 2>/dev/null; python3 -c 'import sys; exec(open(sys.argv[1]).read()); print(disk)' $f.py; done | sed -E 's/[0-9]{3,}/N/g'
{'walltime': N, 'parsl_resource_specification': {'cores': 2, 'memory': <<\w+>>, 'disk': N}}
{'num_cpus': 2, 'memory': N}
{'processes': 1, 'cores': 2, 'memory': '<<\w+>>MiB', 'walltime': '00:<<\d\d>>:00'}

$ foretime request disk n=800 --format wdl --cpus 2 | perl -0777 -ne 's/^#.*\n//mg; print m/\A runtime \s* \{ (?: \s* \w+ \s* : \s* (?: "[^"\n]*" | [0-9]+ ) \s*? \n )+ \s* \} \s* \z/x ? "runtime\n" : "no runtime: $_"'
runtime

## without memory, disk and a count of processors they hold what is known
$ printf 'n,wall_s\n' > bare.csv; for n in 1 2 4 8; do echo "$n,$n" >> bare.csv; done; foretime import bare.csv --name 9Bare/x --here > /dev/null; foretime request 9Bare/x n=4 --format kubernetes 2>/dev/null | sed '/^#/d; s/: [0-9]*$/: N/'
activeDeadlineSeconds: N
containers:
  - name: xbare-x
    resources:
      requests:
        cpu: "1"

$ foretime request disk --format cwl
foretime: cwl has no expressions: at which size?
hint: state the size, or choose --format snakemake, nextflow or tpv
? 2
