## SPDX-License-Identifier: GPL-3.0-or-later
## Requests in real workflows.
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here; foretime request cubic --format snakemake > cubic.smk
imported 30 runs at 10 sizes as 'cubic'

## a real Snakefile, where there is Snakemake
$ command -v snakemake >/dev/null || exit 0
> cat > Snakefile <<'END'
> include: "cubic.smk"
> rule all:
>     input: "500.txt", "3000.txt"
> rule cubic:
>     output: "{n}.txt"
>     resources: runtime=cubic_runtime, mem_mb=cubic_mem_mb
>     shell: "echo {resources.runtime} {resources.mem_mb} > {output}"
> END
> XDG_CACHE_HOME=$PWD snakemake --cores 1 --quiet >log 2>&1 || cat log
> awk '{ exit !($1 >= 1 && $2 >= 3) }' 500.txt && awk '{ exit !($1 >= 1 && $2 >= 9) }' 3000.txt || cat 500.txt 3000.txt

## a workflow whose input its first rule makes, of several files, one of them tried again
$ printf 'bytes,wall_s,peak_rss_bytes\n1e6,60,1e8\n2e6,120,2e8\n4e6,240,4e8\n8e6,480,8e8\n' > align.csv; foretime import align.csv bytes --name align --here
imported 4 runs at 4 sizes as 'align'

$ command -v snakemake >/dev/null || exit 0
> mkdir flow; foretime request align --format snakemake --size 'input.reads' > flow/align.smk; foretime request align bytes=3e6 --json > flow/three.json; foretime request align bytes=8e6 --json > flow/eight.json
> cat > flow/Snakefile <<'END'
> include: "align.smk"
> rule all:
>     input: "out.txt"
> rule make:
>     output: "a.fq", "b.fq"
>     shell: "head -c 1000000 /dev/zero > a.fq; head -c 2000000 /dev/zero > b.fq"
> rule align:
>     input: reads=["a.fq", "b.fq"], index="Snakefile"
>     output: "out.txt"
>     retries: 1
>     resources: runtime=align_runtime, mem_mb=align_mem_mb
>     shell: "echo {resources.runtime} {resources.mem_mb} >> tries; test $(wc -l < tries) = 2 && cp tries {output}"
> END
> cd flow; XDG_CACHE_HOME=$PWD snakemake -n --cores 1 >dry 2>&1 && grep -q 'runtime=' dry || cat dry
> XDG_CACHE_HOME=$PWD snakemake --cores 1 --quiet >log 2>&1 || cat log
> sed -n 's/.*resources:.*runtime=\([0-9]*\), mem_mb=\([0-9]*\).*/\1 \2/p' dry > first
> cat first out.txt three.json eight.json | awk 'NR <= 3 { minutes[NR] = $1; mb[NR] = $2 } /"most"/ { gsub(/,/, ""); most[++n] = $2 } END { bad = minutes[1] < most[3] / 60 || mb[1] < most[4] / 1e6 + 125 || minutes[2] < most[1] / 60 || minutes[2] > 1 + 1.3 * most[1] / 60 || mb[2] < most[2] / 1e6 + 125 || mb[2] > 127 + 1.3 * most[2] / 1e6 || minutes[3] < 2 * most[1] / 60 || mb[3] < 2 * most[2] / 1e6; exit bad || NR < 6 || n != 4 }' || cat first out.txt

## the closure in Groovy, where there is Groovy
$ command -v groovy >/dev/null && JAVA_HOME=${JAVA_HOME:-$(dirname $(dirname $(readlink -f $(command -v java))))} && export JAVA_HOME && groovy -e '' 2>/dev/null || exit 0
> { cat <<'END'
> class Quantity { double v; Quantity multiply(Number x) { new Quantity(v: v * x) } }
> Integer.metaClass.getMin = { -> new Quantity(v: delegate) }
> Integer.metaClass.getMB = { -> new Quantity(v: delegate) }
> task = [attempt: 1]; n = 5000; time = { it -> println it() .v }; memory = time
> END
> foretime request cubic --format nextflow; } > closure.groovy
> groovy closure.groovy > groovy.txt; foretime request cubic n=5000 --json | awk '/"most"/ { gsub(/,/, ""); print $2 }' > most.txt
> paste groovy.txt most.txt | awk 'NR == 1 { bad = $1 < $2 / 60 || $1 > 1 + 1.5 * $2 / 60 } NR == 2 { bad = bad || $1 < $2 / 1048576 || $1 > 17 + 1.5 * $2 / 1048576 } END { exit bad || NR != 2 }' || paste groovy.txt most.txt

## only what ran out is raised: memory at the second try after 137, time after 140, both where nothing is known
$ command -v groovy >/dev/null && JAVA_HOME=${JAVA_HOME:-$(dirname $(dirname $(readlink -f $(command -v java))))} && export JAVA_HOME && groovy -e '' 2>/dev/null || exit 0
> { sed '/^time {\|^memory {\|^    time {\|^\/\//,$d' closure.groovy | sed 's/task = .*/n = 5000; time = { it -> it }; memory = time/'
>   echo 'def asked = { task, what ->'; foretime request cubic --format nextflow | grep -v '^//' | sed 's/^    time {/    def t = {/; s/^    memory {/    def m = {/'
>   echo '  what == "time" ? t().v : m().v }'
>   echo 'for (end in [137, 140, 1]) println((asked([attempt: 2, exitStatus: end], "time") / asked([attempt: 1], "time")) + " " + (asked([attempt: 2, exitStatus: end], "memory") / asked([attempt: 1], "memory")))'; } > tries.groovy
> groovy tries.groovy > tries.txt 2>&1; printf '1.0 2.0\n2.0 1.0\n2.0 2.0\n' | cmp -s - tries.txt || cat tries.txt
