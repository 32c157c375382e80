## SPDX-License-Identifier: GPL-3.0-or-later
## Benchmark files of Snakemake 7, which state neither rule nor input, and Snakemake's records of the jobs. Sort's needs
## grow with its input, those of call do not; merge ran once; quick was too short for its memory to be seen.
$ head='s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n'
> mkdir -p flow/benchmarks/sort flow/benchmarks/call flow/.snakemake/metadata flow/in
> record() { printf '{"rule": "%s", "input": ["%s"], "incomplete": false}' $1 $3 > flow/.snakemake/metadata/$(printf %s $2 | base64 -w 0 | tr '+/' '-_'); }
> for i in 1 2 3 4 5 6; do
>   head -c ${i}00000 /dev/zero > flow/in/s$i; record sort sorted/s$i.txt in/s$i; record call called/s$i.vcf in/s$i
>   printf "$head$((100 * i)).0\t0:00:10\t$((100 + 30 * i + i % 2))\t0\t0\t0\t0\t0\t99\t$((100 * i))\n" > flow/benchmarks/sort/s$i.tsv
>   printf "$head$((300 + i * 7 % 5)).0\t0:00:30\t$((200 + i * 7 % 5))\t0\t0\t0\t0\t0\t99\t30\n" > flow/benchmarks/call/s$i.tsv
> done
> printf "${head}50.0\t0:00:50\t640\t0\t0\t0\t0\t0\t99\t50\n" > flow/benchmarks/merge.tsv
> printf "${head}0.2\t0:00:00\t4\t0\t0\t0\t0\t0\t99\t0.1\n" > flow/benchmarks/quick.tsv
> echo 'how these came about' > flow/benchmarks/README
> foretime request --from flow/benchmarks --profile snakemake -o prof/of/flow
note: left out 1 of 15 files, the first: 'flow/benchmarks/README' has no runs
rule   runs  sizes  memory  by    time  by
call      6      6 <<\d+>> MiB  all   6 min 00 s  all
merge     1      - <<.*>>  all   <<.*>>  all
quick     1      - -               1 min 00 s  all
sort      6      6 <<\d+>> MiB  size <<.*>>  size

written: prof/of/flow/config.yaml, prof/of/flow/foretime.smk
use them: snakemake --profile prof/of/flow; by size and try: include: "prof/of/flow/foretime.smk" at the end of the Snakefile

## no store is read or made
$ test -n "$XDG_DATA_HOME" && ls $XDG_DATA_HOME/foretime 2>/dev/null || true

## YAML reads what the profile has: numbers for the first try
$ cat > conf.py <<'END'
> import sys, yaml
> with open(sys.argv[1]) as file:
>     config = yaml.safe_load(file)
> print(config["restart-times"], sorted(line.split("=")[0] for line in config["set-resources"]))
> END
> python3 conf.py prof/of/flow/config.yaml
2 ['call:mem_mb', 'call:runtime', 'merge:mem_mb', 'merge:runtime', 'quick:runtime', 'sort:mem_mb', 'sort:runtime']

## Python runs the functions: tries grow, sort grows with its input, in proportion beyond what is known; what a rule does not
## know is the largest size measured; a rule that is not there is passed over.
$ cat > smk.py <<'END'
> import os, sys, types
> resources = {}
> class Workflow:
>     def is_rule(self, name): return name != "merge"
>     def get_rule(self, name): return types.SimpleNamespace(resources=resources.setdefault(name, {}))
> scope = {"workflow": Workflow()}
> with open(sys.argv[1]) as file:
>     exec(compile(file.read(), "smk", "exec"), scope)
> def of(bytes):
>     with open("input", "wb") as file:
>         file.truncate(bytes)
>     return ["input"]
> mem = lambda rule, bytes, attempt: resources[rule]["mem_mb"](None, of(bytes), attempt)
> print(sorted(resources), sorted(resources["quick"]))
> print([mem("sort", 600000, k) > 1.02 * 280 * 1.048576 + 125 and mem("sort", 600000, k) < k * 500 for k in (1, 2, 3)])
> print(all(mem(rule, bytes, k) < mem(rule, bytes, k + 1) for rule in ("sort", "call") for bytes in (1, 200000, 900000) for k in (1, 2)))
> print(mem("sort", 600000, 3) == mem("sort", 600000, 9), mem("call", 1, 1) == mem("call", 10 ** 9, 1))
> print(mem("sort", 1, 1) == mem("sort", 100000, 1) < mem("sort", 300000, 1) < mem("sort", 600000, 1))
> far = 600000 * 1000
> print(abs(mem("sort", 2 * far, 1) / mem("sort", far, 1) - 2) < 1e-3)
> print(resources["sort"]["mem_mb"](None, ["gone"], 1) == mem("sort", 600000, 1))
> print(resources["call"]["runtime"](None, of(1), 1))
> END
> python3 smk.py prof/of/flow/foretime.smk
['call', 'quick', 'sort'] ['runtime']
[True, True, True]
True
True True
True
True
True
6

## comments state what each rests on
$ sed -n '/^# sort/,/^foretime/p' prof/of/flow/foretime.smk
# sort: 6 runs of 6 sizes, input_bytes = 100000 .. 600000; 1 processors were busy
# memory by size, as input_bytes^<<0\.\d\d>>, known up to <<\d+>>; 6 runs, 280 MiB at most; risk <<[\d.]+>> %, then <<[\d.]+>> %, then twice as much
# time by size, as input_bytes^<<[01]\.\d\d>>, known up to <<\d+>>; 6 runs, 10 min 00 s at most; risk <<[\d.]+>> %, then <<[\d.]+>> %, then twice as much
foretime_request(

$ grep -E 'call: |size does not|merge: |quick: |not measured' prof/of/flow/config.yaml | sed 's/; [^0].*//'
<<\s*>># call: 6 runs of 6 sizes, input_bytes = 100000 .. 600000; 0.099 processors were busy
<<\s*>># memory the same for all sizes (size does not explain it: correlation <<-?0\.\d\d>>)
<<\s*>># time the same for all sizes (size does not explain it: correlation <<-?0\.\d\d>>)
<<\s*>># merge: 1 run
<<\s*>># quick: 1 run
<<\s*>># memory: not measured

## a rerun replaces its own files, with a bound now; another's are left alone, and then none is written
$ foretime request --from flow/benchmarks --profile snakemake -o prof/of/flow --at-most 300MB,5min --json 2>/dev/null | check-schema request-profile; grep -c 'bound=300,' prof/of/flow/foretime.smk; grep -E 'call:' prof/of/flow/config.yaml | tail -2
3
<<\s*>>- "call:mem_mb=300"
<<\s*>>- "call:runtime=5"

$ python3 smk.py prof/of/flow/foretime.smk | tail -1
5

$ cp prof/of/flow/foretime.smk before; echo 'cores: 4' > prof/of/flow/config.yaml; foretime request --from flow/benchmarks --profile snakemake -o prof/of/flow 2>&1 | sed 1d; cat prof/of/flow/config.yaml; cmp before prof/of/flow/foretime.smk; ls prof/of/flow
foretime: 'prof/of/flow/config.yaml' was not written by foretime: it stays as it is
hint: choose another folder with -o, or move that file away
cores: 4
config.yaml
foretime.smk

## where a folder above has no records of Snakemake sizes are not known: the same for all, and more of it
$ cp -r flow/benchmarks alone; foretime request --from alone --profile snakemake -o prof/alone --risk 1% 2>/dev/null | grep -E '^(call|sort)'
call      6      - <<\d+>> MiB  all   6 min 00 s  all
sort      6      - <<.*>>  all   <<.*>>  all

$ grep -c 'sizes of its runs are not known' prof/alone/config.yaml
7

## the wildcard in the path as the size; a name from the path
$ for i in 1 2 3 4 5; do printf 's\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n'"$((20 * i)).0\t0:00:10\t$((500 * i))\t0\t0\t0\t0\t0\t99\t$((10 * i))\n" > alone/n$((i * 1000)).trim.tsv; done; rm -r alone/sort alone/call alone/*rge.tsv alone/quick.tsv
> foretime request --from alone --profile snakemake -o prof/n --place 'n=path:/n(\d+)/' --name '{path:/n\d+\.(.+)\.tsv/}' 2>/dev/null | head -2; grep -c 'by=lambda wildcards, input: getattr(wildcards, "n"),' prof/n/foretime.smk; foretime request --from alone --profile snakemake -o prof/n --place 'n=path:/n(\d+)/' --name '{path:/n\d+\.(.+)\.tsv/}' --size 'input.reads' >/dev/null 2>&1; grep -c 'by=lambda wildcards, input: foretime_bytes(input.reads),' prof/n/foretime.smk
rule  runs  sizes  memory  by  time  by
trim     5      5 <<.*>> size <<.*>> size
2
2

## a trace of Nextflow: a process that was killed for memory, one name that is none
$ mkdir reads; for i in 1 2 3 4 5 6 7 8; do head -c ${i}0000 /dev/zero > reads/r$i.fq; done
> awk 'BEGIN { OFS = "\t"; print "task_id", "hash", "name", "status", "exit", "realtime", "%cpu", "peak_rss"; for (i = 1; i <= 8; i++) { print i, "aa/" i, "TRIM (r" i ")", "COMPLETED", 0, 100000 * i, "95.0%", (100 + 50 * i) * 1e6; print i + 8, "bb/" i, "NF:QC (r" i ")", "COMPLETED", 0, 60000 + i * 37 % 11 * 1000, "190.0%", 3e8 + i * 37 % 11 * 1e6 } }' > trace.txt
> foretime request --from trace.txt --profile nextflow -o nf --place 'reads=file:reads/{tag}.fq' --size 'reads.size()'
rule   runs  sizes  memory  by    time  by
NF:QC     8      8 <<.*>>  all   <<.*>>  all
TRIM      8      8 <<.*>>  size  <<.*>>  size

written: nf/nextflow.config
use it: nextflow run MAIN -c nf/nextflow.config

## its braces, brackets and quotes are closed; a directive is a closure, in a selector of a process
$ cat > config.py <<'END'
> import re, sys
> with open(sys.argv[1]) as file:
>     text = re.sub(r"//[^\n]*", "", file.read())
> text = re.sub(r"'(?:[^'\\\n]|\\.)*'", "Q", text)
> stack = []
> for c in text:
>     if c in "{[(":
>         stack.append(c)
>     elif c in "}])":
>         assert stack.pop() + c in ("{}", "[]", "()")
> assert not stack and "'" not in text
> print(len(re.findall(r"withName: Q \{", text)), len(re.findall(r"(?:memory|time) = \{\n", text)), len(re.findall("task.attempt, 3", text)), len(re.findall(r"^process \{", text, re.M)))
> END
> python3 config.py nf/nextflow.config
2 4 4 1

## the closures in Groovy, where there is Groovy
$ command -v groovy >/dev/null && JAVA_HOME=${JAVA_HOME:-$(dirname $(dirname $(readlink -f $(command -v java))))} && export JAVA_HOME && groovy -e '' 2>/dev/null || exit 0
> { echo 'class Quantity { double v; Quantity multiply(Number x) { new Quantity(v: v * x) } }'
>   echo 'Integer.metaClass.getMin = { -> new Quantity(v: delegate) }; Integer.metaClass.getMB = { -> new Quantity(v: delegate) }'
>   echo 'class Reads { long bytes; long size() { bytes } }'
>   echo 'task = [attempt: 1, exitStatus: 137]; reads = new Reads(bytes: 80000); chosen = null; found = [:]'
>   echo 'def withName(Map named, Closure c) { }; void process(Closure c) { c() }'
>   sed -E "s/withName: '([^']*)' \{/chosen = '\1'; found[chosen] = [:]; {->/; s/^        (memory|time|errorStrategy|maxRetries) = /        found[chosen].\1 = /; s/^    }$/    }()/" nf/nextflow.config
>   echo 'def at = { name, what, k, bytes -> task.attempt = k; reads.bytes = bytes; found[name][what]().v }'
>   echo 'println([1, 2, 3].collect { at("TRIM", "memory", it, 80000) >= 477 && at("TRIM", "memory", it, 80000) < 1400 })'
>   echo 'println(at("TRIM", "memory", 1, 80000) < at("TRIM", "memory", 2, 80000) && at("TRIM", "memory", 2, 80000) < at("TRIM", "memory", 3, 80000))'
>   echo 'println(at("TRIM", "memory", 1, 20000) < at("TRIM", "memory", 1, 80000) && at("NF:QC", "memory", 1, 20000) == at("NF:QC", "memory", 1, 80000))'
>   echo 'println(at("NF:QC", "time", 1, 1) >= 1 && found["NF:QC"].errorStrategy() == "retry" && found["NF:QC"].maxRetries == 2)'; } > closures.groovy; groovy closures.groovy > groovy.txt 2>&1; printf '[true, true, true]\ntrue\ntrue\ntrue\n' | cmp -s - groovy.txt || cat groovy.txt

## a process none of whose tasks ended well, and a name that Nextflow cannot have: left out, with the reason
$ awk 'BEGIN { OFS = "\t"; print "task_id", "hash", "name", "status", "exit", "realtime", "%cpu", "peak_rss", "time"; print 1, "aa/1", "BIG", "COMPLETED", 0, 50000, "95.0%", 1e9, "1h"; print 2, "bb/1", "DEAD", "FAILED", 137, 50000, "95.0%", 1e9, "1h"; print 3, "cc/1", "9TH", "COMPLETED", 0, 50000, "95.0%", 1e9, "1h" }' > killed.txt; foretime request --from killed.txt --profile nextflow -o killed
rule  runs  sizes  memory  by  time  by
BIG      1      - <<.*>>  all  <<.*>>  all
note: left out 9TH: nextflow has no rule of such a name
hint: name rules by --name '{path:/RE/}' or --by COLUMN
note: left out DEAD: no run of 'DEAD' ended well

written: killed/nextflow.config
use it: nextflow run MAIN -c killed/nextflow.config

## Galaxy: by input_size, and beyond what is known by a rule; Python evaluates what TPV would
$ printf 'tool,bytes,wall_s,peak_rss_bytes\n' > galaxy.csv; for i in 1 2 3 4 5 6 7; do printf "align,${i}e9,${i}00,${i}e9\ncount,${i}e9,$((300 + i * 7 % 5)),2e9\n"; done >> galaxy.csv
> foretime request --from galaxy.csv --profile tpv -o tpv --by tool --place bytes=bytes
rule   runs  sizes  memory  by    time  by
align     7      7 <<.*>>  size  <<.*>>  size
count     7      7 <<.*>>  all   6 min 00 s  all

written: tpv/tools.yml
use it: among tpv_config_files of Galaxy's destination

$ cat > tpv.py <<'END'
> import types, yaml
> with open("tpv/tools.yml") as file:
>     tools = yaml.safe_load(file)["tools"]
> def at(tool, gb, tried):
>     tool = dict(tools[tool])
>     job = types.SimpleNamespace(destination_params={"foretime_try": str(tried)} if tried else None)
>     names = {"input_size": gb, "job": job}
>     for rule in tool.get("rules", []):
>         if eval(rule["if"], names):
>             tool.update({k: v for k, v in rule.items() if k == "mem"})
>             tool["params"] = {**tool["params"], **rule.get("params", {})}
>     return eval(str(tool["mem"]), names), [eval('f"""' + tool["params"][k] + '"""', names) for k in ("walltime", "foretime_try")]
> gb = 7e9 / 1024 ** 3
> print(1 < at("align", gb, 0)[0] / gb < 1.6, at("align", gb / 3, 0)[0] < at("align", gb, 0)[0] < at("align", gb, 1)[0] < at("align", gb, 2)[0] == at("align", gb, 9)[0])
> print(abs(at("align", gb * 2000, 0)[0] / at("align", gb * 1000, 0)[0] - 2) < 1e-3)
> print(at("count", gb, 0)[0] == at("count", 9 * gb, 0)[0], at("count", gb, 0)[1], at("align", gb, 1)[1][1])
> END
> python3 tpv.py
True True
True
True ['6', '1'] 2

## a process without inputs, in a trace whose sizes are those of files: the same for all; runs whose file is gone are left out
$ { cat trace.txt; printf '91\tcc/1\tMULTIQC\tCOMPLETED\t0\t90000\t95.0%%\t600000000\n92\tcc/2\tTRIM (gone)\tCOMPLETED\t0\t90000\t95.0%%\t600000000\n'; } > more.txt; foretime request --from more.txt --profile nextflow -o nf --place 'reads=file:reads/{tag}.fq' --size 'reads.size()' | head -4
note: left out 1 run without a size, of rules of which other runs have one
rule     runs  sizes  memory  by    time  by
MULTIQC     1      - <<.*>>  all   <<.*>>  all
NF:QC       8      8 <<.*>>  all   <<.*>>  all
TRIM        8      8 <<.*>>  size  <<.*>>  size

## sizes that are nowhere: the same for all
$ foretime request --from trace.txt --profile nextflow -o nf --place 'reads=file:nowhere/{tag}.fq' | head -3
note: no sizes in 1 file, the first: 'trace.txt' has no runs but rows whose input file has no length (16), the first: nowhere/r1.fq: No such file or directory
hint: see --place; relative paths of files start at --directory DIR, by default here
rule     runs  sizes  memory  by    time  by
NF:QC       8      - <<.*>>  all   <<.*>>  all
TRIM        8      - <<.*>>  all   <<.*>>  all

## several parameters at once are none
$ awk 'BEGIN { print "n,m,wall_s"; for (n = 1; n < 5; n++) for (m = 1; m < 4; m++) print n "," m "," 60 * n * m }' > both.csv; foretime request --from both.csv --profile snakemake -o both --place n=n --place m=m > /dev/null; grep -c 'time the same for all sizes (its runs have several parameters); 12 runs, 12 min' both/config.yaml
1

## wrong use
$ foretime request --from flow/benchmarks
foretime: --from flow/benchmarks: for which workflow system?
hint: --profile snakemake, nextflow or tpv, and -o DIR for its files
? 2

$ foretime request --profile snakemake -o x
foretime: --profile makes requests of which runs?
hint: name the folder of the benchmark files, or a trace: --from PATH
? 2

$ foretime request --from flow/benchmarks --profile make -o x
foretime: unknown profile 'make'
hint: there are snakemake, nextflow and tpv
? 2

$ foretime request --from flow/benchmarks --profile snakemake
foretime: in which folder?
hint: name it: -o DIR; it is made where it is missing
? 2

$ foretime request sort --from flow/benchmarks --profile snakemake -o x
foretime: unexpected argument 'sort'
hint: --from makes requests for all rules of the files; without it NAME is one of the store
? 2

$ foretime request --from flow/benchmarks --profile snakemake -o x --format slurm
foretime: --profile snakemake and --format slurm are two forms
hint: leave one of them out
? 2

$ foretime request --from flow/benchmarks --profile snakemake -o x --cpus 4
foretime: --from and --cpus exclude each other
hint: leave one of them out
? 2

$ foretime request --from flow/benchmarks --profile snakemake -o x --size 'a=1' --size 'b=2'
foretime: --profile takes one --size: that of each job, in the workflow's language
? 2

$ foretime request --from flow/benchmarks --profile snakemake -o x --size "$(printf 'a\nb')"
foretime: --size holds a control character
? 2

$ touch file; foretime request --from flow/benchmarks --profile snakemake -o file/x
note: left out 1 of 15 files, the first: 'flow/benchmarks/README' has no runs
foretime: cannot make the folder 'file/x': Not a directory
? 2

$ foretime request --from flow/benchmarks --profile snakemake -o x --risk least
foretime: --profile takes a risk such as 5%: its retries follow the model
hint: leave --risk least out
? 2

$ foretime request --from nowhere --profile snakemake -o x
foretime: cannot read 'nowhere': No such file or directory
hint: name a folder or a file of benchmarks
? 2

$ mkdir empty; foretime request --from empty --profile snakemake -o x
foretime: 'empty' has no file
hint: name the folder of the benchmark files, or a trace
? 2

## nothing usable
$ foretime request --from flow/benchmarks/README --profile snakemake -o x
foretime: 'flow/benchmarks/README' has no runs
hint: <<.*>>
? 2

$ sed '2,$s/COMPLETED\t0/FAILED\t1/' trace.txt > failed.txt; foretime request --from failed.txt --profile nextflow -o x; ls x 2>/dev/null
rule  runs  sizes  memory  by  time  by
note: left out NF:QC: no run of 'NF:QC' ended well
note: left out TRIM: no run of 'TRIM' ended well
foretime: no rule of 'failed.txt' has runs of which a request can be made
? 2
