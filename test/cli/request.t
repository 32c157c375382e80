## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime request cubic n=5000
cubic on <<.*>>: 30 runs, the newest at an unknown time
at most 5 % of runs at n=5000 are expected to need more time or memory: 2.5 % for each

resource  typical  known to  up to   request  basis
wall_s  2 min 05 s  <<\+- [\d.]+ %>>  <<\d+ min.*>>  <<\d\d:00>>  extrapolated  5x beyond
peak_rss_bytes  <<\d+\.?\d* MiB>>  <<\+- [\d.]+ %>>  <<\d+\.?\d* MiB>>  <<\d+\.?\d* MiB>>  extrapolated  5x beyond

--time=<<\d\d:00>> --mem=<<\d+M>>

$ foretime request cubic n=500 --format slurm
--time=01:00 --mem=3M

$ foretime request cubic n=500 --format slurm --cpus 4
--time=01:00 --mem=3M --cpus-per-task=4

$ foretime request cubic n=2000 --format slurm
--time=01:00 --mem=<<\d+M>>
note: extrapolated 2x beyond the data

$ foretime request cubic n=40000 --format slurm 2>/dev/null | sed 's/ --mem.*//'
--time=<<(\d+-)?\d\d:\d\d:00>>

$ foretime request cubic n=500 --format snakemake
# cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
# at n=500
    resources:
        runtime=lambda wildcards, attempt: 1 * attempt,  # minutes
        mem_mb=lambda wildcards, attempt: 4 * attempt,

$ foretime request cubic n=500 --format nextflow
// cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
// at n=500
// tried again with more: errorStrategy 'retry'; maxRetries 2
    time { 1.min * task.attempt }
    memory { 3.MB * task.attempt }

$ foretime request cubic n=500 --json | check-schema request

$ foretime request cubic --format json | check-schema request

$ foretime request cubic n=500 --json --expression | check-schema request

## less risk asks for more
$ for r in 20% 5% 1%; do foretime request cubic n=550 --risk $r --json | sed -n 's/^    "most": //p' | head -1; done | tr -d , | sort -n -c

## an expression for all sizes
$ foretime request cubic
cubic on <<.*>>: 30 runs, the newest at an unknown time
at most 5 % of runs are expected to need more time or memory: 2.5 % for each

time in seconds:
    <<[-+*/^(),<>=&.\w ]{1,80}>>
    asks for <<[\d.]+>> % more than the model, on average over what was measured, <<[\d.]+>> % at most; never for less from 1 to 1000000000

memory in bytes:
    <<[-+*/^(),<>=&.\w ]{1,80}>>
    asks for <<[\d.]+>> % more than the model, on average over what was measured, <<[\d.]+>> % at most; never for less from 1 to 1000000000

$ foretime request cubic --format nextflow --size-from 'reads.size() / 220'
// cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
// measured for n = 100 .. 1000, extrapolated elsewhere
// tried again with more: errorStrategy 'retry'; maxRetries 2
    time {
        def size_n = (reads.size() / 220) as double
        1.min * (Math.ceil((<<[-+*/(),.\w ]+>>) / 60.0d) as long) * task.attempt
    }
    memory {
        def size_n = (reads.size() / 220) as double
        1.MB * (Math.ceil((<<[-+*/(),.\w ]+>>) / 1048576.0d) as long) * task.attempt
    }

$ foretime request cubic --format snakemake > cubic.smk; sed -E 's/\* \(.*\) \/ /* (E) \/ /' cubic.smk
# cubic, from 30 runs on <<.*>>: 5 % of runs may need more time or memory than this
# measured for n = 100 .. 1000, extrapolated elsewhere
# in the rule:
#     resources: runtime=cubic_runtime, mem_mb=cubic_mem_mb
import math
def cubic_runtime(wildcards, input, attempt):
    size_n = float(wildcards.n)
    return math.ceil(attempt * (E) / 60)
def cubic_mem_mb(wildcards, input, attempt):
    size_n = float(wildcards.n)
    return math.ceil(attempt * (E) / 1e6)

## Python gives no less than the numbers
$ command -v python3 >/dev/null || exit 0
> for n in 50 100 555 1000 5000 100000; do foretime request cubic n=$n --json | awk -v n=$n '/"most"/ { gsub(/,/, ""); print n, $2 }' | tr '\n' ' '; echo; done > numbers
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
>         assert minutes <= 1 + 1.5 * attempt * float(seconds) / 60 and mb <= 1 + 1.5 * attempt * float(most) / 1e6, (n, minutes, mb)
> END
> python3 check.py

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
> paste groovy.txt most.txt | awk 'NR == 1 { bad = $1 < $2 / 60 || $1 > 1 + 1.5 * $2 / 60 } NR == 2 { bad = bad || $1 < $2 / 1048576 || $1 > 1 + 1.5 * $2 / 1048576 } END { exit bad || NR != 2 }' || paste groovy.txt most.txt

## where sizes come from
$ printf 'input_mb,wall_s\n10,1\n20,2\n40,4\n80,8\n' > mb.csv; foretime import mb.csv input_mb --name mb --here
imported 4 runs at 4 sizes as 'mb'

$ foretime request mb --format snakemake | grep size_input_mb.=
    size_input_mb = float(input.size_mb)

$ foretime request mb --format snakemake --size-from 'input_mb=2 * input.size_mb' | grep size_input_mb.=
    size_input_mb = float(2 * input.size_mb)

$ foretime request mb input_mb=40 --size-from 'input.size_mb'
foretime: --size-from 'input.size_mb' is of which parameter?
hint: write --size-from 'NAME=EXPRESSION', once for each
? 2

## several parameters
$ foretime import in/two.csv --name two n m --here
imported 6 runs at 6 sizes as 'two'

$ foretime request two --format nextflow | grep def | sort -u
        def size_m = (m) as double
        def size_n = (n) as double

$ foretime request two m=1 --format nextflow | grep -E 'def|m ='
// m = 1
        def size_n = (n) as double

## runs that were killed for memory
$ printf 'n,wall_s,peak_rss_bytes,outcome\n10,1,1e7,done\n20,2,2e7,done\n40,4,4e7,done\n60,6,6e7,done\n80,,3e9,out of memory\n' > killed.csv; foretime import killed.csv --name killed --here
imported 5 runs at 5 sizes as 'killed'

$ foretime request killed n=50 --format slurm
--time=01:00 --mem=<<\d+M>>

$ foretime request killed n=80 --format slurm
--time=01:00 --mem=2862M
note: extrapolated 1.33x beyond the data
foretime: a run at n=80 was killed when it held 2.79 GiB: no memory is known to suffice here
hint: measure larger sizes where there is more memory, or ask for a size below n=80
? 1

$ foretime request killed n=90 --json 2>/dev/null | check-schema request

$ foretime request killed --format snakemake | grep killed.for
# a run at 80 was killed for memory: what larger ones need is not known

## wrong use
$ foretime request
foretime: for which program? its NAME stands before the size
hint: foretime list shows the names
? 2

$ foretime request cubic --format slurm
foretime: slurm has no expressions: at which size?
hint: state the size, or choose --format snakemake or nextflow
? 2

$ foretime request cubic --format pbs
foretime: unknown format 'pbs'
hint: there are slurm, snakemake, nextflow and json
? 2

$ foretime request cubic --format slurm --json n=5
foretime: --json and --format slurm exclude each other
? 2

$ foretime request cubic n=5 --risk 40%
foretime: a risk of 0.4 is not within 0.001 and 0.25
hint: state the share of runs that may turn out to need more, as in 5%
? 2

$ foretime request cubic n=5:10
foretime: 'n=5:10' is a range, and a request is for one size
hint: leave 'n' out: the request is then an expression for all sizes
? 2

$ foretime request cubic n=5 n=6
foretime: parameter 'n' has two values
? 2

$ foretime request cubic q=5
foretime: 'cubic' has no parameter 'q'
hint: its first parameter is 'n'; 'foretime show cubic' tells them all
? 2

$ foretime request cubic big
foretime: 'big' is no size
hint: write n=2048, one size; without one the request is an expression for all sizes
? 2

## The range of the program is not that of its runs.
$ foretime import in/cubic.csv --name wide --here n=1:9000 >/dev/null; foretime request wide --format nextflow | sed -n 2p
// measured for n = 100 .. 1000, extrapolated elsewhere

## under a load
$ foretime request cubic n=500 --load now | grep ^wall.time; foretime request cubic n=500 --load now --json | check-schema request
wall time: as though the load of others stayed what it is now

$ foretime request cubic n=500 --load usual
foretime: <<.*observed.*>>
hint: <<.*load record.*>>
? 1
