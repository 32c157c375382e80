## SPDX-License-Identifier: GPL-3.0-or-later
## four parameters: 2 % noise, made by a formula; k changes nothing
$ cat > make.awk <<'END'
> function rnd() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
> function noise(i, sum) { for (i = sum = 0; i < 12; i++) sum += rnd(); return sum - 6 }
> BEGIN {
> 	seed = 2; print "n,m,p,k,wall_s,peak_rss_bytes,cpu_s"
> 	for (i = 0; i < 24; i++) {
> 		n = int(exp(log(64) + rnd() * log(16))); m = int(exp(log(100) + rnd() * log(32)))
> 		p = 2 ^ int(rnd() * 5); k = int(1 + rnd() * 9)
> 		if (i == 0) { n = 64; m = 100; p = k = 1 }
> 		if (i == 1) { n = 1024; m = 3200; p = 16; k = 9 }
> 		for (j = 0; j < 2; j++) {
> 			t = (0.01 + 1e-7 * n ^ 2 * m / p) * exp(0.02 * noise())
> 			printf "%d,%d,%d,%d,%.6g,%.0f,%.6g\n", n, m, p, k, t, 1e6 + 80 * n * m, t
> 		}
> 	}
> }
> END
$ awk -f make.awk > four.csv; wc -l < four.csv
49

$ foretime import four.csv n m p k --name four --here
imported 48 runs at 24 sizes as 'four'

## what changes nothing is told by every answer alike, in text and JSON
$ for c in 'predict four n=500 m=500 p=2 k=3 -v' 'largest four time=60s m=500 p=2 k=3 -v' 'request four n=500 m=500 p=2 k=3 -v' 'request four m=500 p=2 k=3 -v' 'fit four' 'verify four --runs four.csv' 'show four'; do foretime $c | grep flat; foretime $c --json > j; check-schema ${c%% *} < j; jq -c .flat,.inseparable j; done
flat: k changes nothing
["k"]
[]
flat: k changes nothing
["k"]
[]
flat: k changes nothing
["k"]
[]
flat: k changes nothing
["k"]
[]
flat: k changes nothing
["k"]
[]
flat: k changes nothing
["k"]
[]
flat: k changes nothing
["k"]
[]

$ foretime predict four n=500 m=500 p=2 k=3 -r peak_rss_bytes -v | grep flat
flat: p changes nothing
flat: k changes nothing

## the largest combinations of those that have no value; what changes nothing is left out
$ foretime largest four time=60s k=2 p=4 | sed -n '1,2p'
largest n and m together; 90 % of runs below the values

   n <<.*>>

$ foretime largest four memory=1GiB | sed -n '1,2p'
largest n and m together; 90 % of runs below the values

    n  p  k <<.*>>

$ foretime largest four memory=1GiB --json > j; check-schema largest < j; jq -c '.frontier, .flat, ([.answers[].largest] | sort | reverse == [.[]]), ([.answers[].limits[0].upper <= 1073741824] | all)' j
true
["p","k"]
<<true|false>>
true

$ foretime largest four time=60s p=4 k=2 memory=1GiB m=100,1000 | sed -n '3,4p'
 <<100>>  4  2  <<\d+ .*>>
<<1000>>  4  2  <<\d+ .*>>

## three of them; where more of one never costs more, it has no largest value
$ foretime largest four time=60s k=3 | sed -n '1,2p;$p'
largest n, m and p together; 90 % of runs below the values
   n      m  k         p
nothing limits p: give it a value, as in p=16

$ foretime largest four time=60s m=100,200
foretime: n and p have no value: each other parameter takes one value then, not several
hint: give n a value, or one value to each of the others
? 2

## the laws of four, one of which divides
$ foretime fit four n=2000 m=500 p=8 k=3 | sed -n '2,4p'
law <<.*>>*n^2*m/p<<.*>>
class   doubling n: <<.*>>
holds   n = 64 .. 1024, <<.*>>: accuracy <<[123]\..*>> %, noise <<2|1\.\d+|2\.\d+>> %, 24 sizes, 48 runs

$ foretime fit four n=2000 m=500 p=8 k=3 --json > j; check-schema fit < j; jq -c '.parameters, (.fits[0].predictions[0] | .lower < 25.01 and .upper > 25.01)' j
["n","m","p","k"]
true

## of five, those that change something
$ awk -F, 'NR == 1 { print "q," $0 } NR > 1 { print 1 + NR % 5 "," $0 }' four.csv > five.csv; foretime import five.csv n m p k q --name five --here > /dev/null; foretime fit five | grep '^holds\|^flat'
flat: k changes nothing
flat: q changes nothing
holds   n = <<.*>>, m = <<.*>>, p = <<.*>>: <<.*>>, 24 sizes, 48 runs

## a sweep goes along the first parameter without a value
$ foretime verify four --sweep n=300 p=2 k=3 -- false {n} {m} {p} {k} 2>&1 | sed -n 1p
foretime: a run at n=300 m=<<\d+>> p=2 k=3: <<.*>>

$ foretime verify four --sweep n=300,400 p=2 k=3 -- false {n} {m} {p} {k}
foretime: 'n=300,400' and --sweep exclude each other
? 2

## sizes that make no sense are refused with the reason, and the nearest that was run
$ (echo '# foretime: runs 1'; echo '# where: n <= m'; cat four.csv) > where.csv; foretime import where.csv n m p k --name where --here
imported 48 runs at 24 sizes as 'where'

$ for c in predict request fit; do foretime $c where n=2000 m=500 p=8 k=3; done 2>&1
foretime: 'where' makes no sense at n=2000 m=500 p=8 k=3: its sizes meet n <= m
hint: ask for a size that does; the nearest that was run is n=<<\d+>> m=<<\d+>> p=<<\d+>> k=<<\d+>>
foretime: 'where' makes no sense at n=2000 m=500 p=8 k=3: its sizes meet n <= m
hint: ask for a size that does; the nearest that was run is n=<<.*>>
foretime: 'where' makes no sense at n=2000 m=500 p=8 k=3: its sizes meet n <= m
hint: ask for a size that does; the nearest that was run is n=<<.*>>
? 2

$ foretime verify where n=2000 m=500 p=8 k=3 -- false
foretime: 'where' makes no sense at n=2000 m=500 p=8 k=3: its sizes meet n <= m
hint: <<.*>>
? 2

$ foretime verify where --replay four.csv 2>&1 > /dev/null
note: <<\d+>> runs are left out: no sizes that meet n <= m

$ foretime largest where time=1h m=500 p=4 k=3 | grep '^largest\|^no larger'
largest n: 500
no larger n meets n <= m

## a constraint that admits nothing
$ sed 's/n <= m/n <= m \&\& m < n/' where.csv > never.csv; foretime import never.csv n m p k --name never --here
imported 48 runs at 24 sizes as 'never'

$ foretime predict never n=500 m=500 p=8 k=3
foretime: 'never' makes no sense at n=500 m=500 p=8 k=3: its sizes meet n <= m && m < n
hint: no size that was run does: state another one with foretime build --where
? 2

$ foretime largest never time=60s
foretime: no n, m and p meet n <= m && m < n
hint: state another constraint with foretime build --where
? 1

$ foretime largest never time=60s m=100 p=1 k=1
foretime: no n meets n <= m && m < n there
hint: give the other parameters values that allow one
? 1

$ foretime build fresh n=1:1000 m=1:1000 --where 'n < m && m < n' -- echo {n} {m}
foretime: the constraints admit no size within the ranges (65536 were tried)
hint: mend --where, or widen the ranges
? 2

## a run that was killed for memory, and what that says of larger sizes
$ (sed 's/$/,done/; 1s/done/outcome/' four.csv; echo '2048,4096,2,3,,2e9,,out of memory') > killed.csv; foretime import killed.csv n m p k --name killed --here
imported 49 runs at 25 sizes as 'killed'

$ for c in 'predict killed n=500 m=500 p=2 k=3' 'largest killed time=60s m=500 p=2 k=3' 'request killed n=500 m=500 p=2 k=3'; do foretime $c | grep 'no run ended well'; foretime $c --json | jq -c .failing; done
<<from n=2048 m=4096 p=2 k=3 on no run ended well: .*>>
{"n":2048,"m":4096,"p":2,"k":3,"outcome":<<.*>>}
<<from n=2048 m=4096 p=2 k=3 on no run ended well: .*>>
{"n":2048,"m":4096,"p":2,"k":3,"outcome":<<.*>>}
<<from n=2048 m=4096 p=2 k=3 on no run ended well: .*>>
{"n":2048,"m":4096,"p":2,"k":3,"outcome":<<.*>>}

$ foretime request killed n=2048 m=4096 p=4 k=3 2>&1 > /dev/null
foretime: a run at n=2048 m=4096 p=2 k=3 was killed when it held 1.86 GiB: no memory is known to suffice here
hint: measure larger sizes where there is more memory, or ask for a size below n=2048 m=4096 p=2 k=3
? 1

$ foretime largest killed time=100h m=5000 p=2 k=3 | tail -2
a run at n=2048 was killed for memory: no size from there on fits, and below it no size beyond the largest measured is known to
<<from n=2048 m=4096 p=2 k=3 on no run ended well: .*>>

$ foretime show killed | grep '^killed'
killed for memory at n=2048 m=4096 p=2 k=3: larger sizes are not run

## a request as an expression, of one to four of them, beside the numbers at sizes within and beyond the data
$ command -v python3 >/dev/null || exit 0
> cat > check.py <<'END'
> import json, subprocess
> def ask(*words):
>     command = ["foretime", "request", "four", *words, "--json"]
>     return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
> for fixed in {"m": 500, "p": 2, "k": 3}, {"p": 2, "k": 3}, {"k": 3}, {}:
>     e = ask(*["%s=%d" % item for item in fixed.items()])
>     for n, m, p, k in (64, 100, 1, 1), (300, 800, 4, 5), (1024, 3200, 16, 9), (2048, 500, 2, 3):
>         size = {"n": n, "m": m, "p": p, "k": k, **fixed}
>         at = ask(*["%s=%d" % item for item in size.items()])
>         for what in "time", "memory":
>             law = e[what + "_expression"]
>             value = eval(law["python"], {"size_" + name: x for name, x in size.items()})
>             most = at[what]["most"]
>             if value < most * (1 - 1e-9) or (n <= 1024 and value > 1.05 * (1 + law["above"]) * most):
>                 print(len(fixed), size, what, value, most, law["above"])
> END
> python3 check.py

## built from recorded runs under a constraint, and what every command says of it
$ cat > grid.awk <<'END'
> function rnd() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
> BEGIN {
> 	seed = 7; print "n,m,p,k,wall_s,peak_rss_bytes"
> 	for (n = 64; n <= 512; n *= 2) for (m = 100; m <= 900; m *= 3) for (p = 1; p <= 4; p *= 2) for (k = 1; k <= 3; k++)
> 		for (j = 0; j < 4; j++) {
> 			t = (0.01 + 1e-7 * n ^ 2 * m / p) * (1 + 0.03 * (rnd() - 0.5))
> 			printf "%d,%d,%d,%d,%.6g,%.0f\n", n, m, p, k, t, 1e6 + 80 * n * m
> 		}
> }
> END
$ awk -f grid.awk > grid.csv; foretime build grid n=64:512:*2 m=100:900:*3 p=1:4:*2 k=1:3 --replay grid.csv --here --where 'm >= n / 4' | grep -o '^flat.*\|^holes.*\|^accuracy.*(target'
accuracy <<.*>> (target
flat: k changes nothing within the tolerance
holes: 9 combinations left out, not admitted

$ foretime list grid --json > j; check-schema list < j; jq -c '.programs[0].sizes >= 15' j; foretime show grid --json | jq -c '[.params[].name], .flat'
true
["n","m","p","k"]
["k"]

$ foretime predict grid n=100,400 m=300 p=2 k=2,3 --json > j; check-schema predict < j; jq -c '[.predictions[] | .value / (0.01 + 1e-7 * .n * .n * .m / .p) | . > 0.8 and . < 1.25]' j
[true,true,true,true]

$ foretime largest grid time=1s memory=20MiB p=4 | head -1
largest n and m together; 90 % of runs below the values

$ foretime largest grid time=1s | tail -1
nothing limits p: give it a value, as in p=4

$ foretime request grid n=300 m=300 p=2 k=2 --format slurm 2>/dev/null
--time=01:00 --mem=<<\d+M>>

$ foretime request grid --format snakemake | grep -c 'size_[nmp] = grid_size'
6

$ foretime verify grid --replay grid.csv > /dev/null
note: 36 runs are left out: no sizes that meet m >= n / 4

$ awk -F, -v OFS=, 'NR > 1 { $5 *= 2 } 1' grid.csv > slow.csv; foretime verify grid n=256 m=300 p=2 k=2 --replay slow.csv 2>&1 > /dev/null
foretime: wall_s <<.*>> at n=256 m=300 p=2 k=2, predicted at most <<.*>>: <<.*>>
foretime: wall_s is <<.*>> times what it was (<<.*>>)
? 1

$ foretime export grid > e.csv; foretime import e.csv --name again | sed 's/[0-9]*//g'; for p in grid again; do foretime predict $p n=100 m=300 p=2 k=2 --csv; done | sort -u | wc -l
imported  runs at  sizes as 'again'
2

$ foretime export grid --format extrap | sed -n '/^PARAMETER/p'; foretime export grid --format extrap-lines | head -1 | jq -c '.params | keys'
PARAMETER n m p k
["k","m","n","p"]

$ foretime predict grid n=100 m=300 p=2
foretime: no value for parameter 'k'
hint: add it to the size, as in k=1000
? 2

## a parameter that was not named
$ foretime import four.csv --name forgotten --here
note: passed over, though their numbers differ: m, p, k; parameters besides n are named behind the file
imported 48 runs at 23 sizes as 'forgotten'

## more sizes than a question has
$ foretime predict four n=1:2000 m=1:2000 p=1 k=1
foretime: 'k=1' makes more than 1000000 sizes
hint: give the range a larger stride: n=LEAST:MOST:STRIDE
? 2

## parameters that are the same thing
$ awk 'BEGIN { print "n,m,wall_s"; for (n = 8; n <= 4096; n *= 2) print n "," n "," 1e-6 * n * n }' > same.csv; foretime import same.csv n m --name same --here
imported 10 runs at 10 sizes as 'same'

$ foretime predict same n=100 m=100 -v | tail -1
n and m are equal in all runs: their effects cannot be separated

$ foretime predict same n=100 m=100 --json > j; check-schema predict < j; jq -c .flat,.inseparable j
[]
[["n","m"]]

$ awk 'BEGIN { print "n,m,wall_s"; for (n = 8; n <= 4096; n *= 2) print n "," 8192 / n "," 1e-6 * n * n }' > turned.csv; foretime import turned.csv n m --name turned --here
imported 10 runs at 10 sizes as 'turned'

$ foretime fit turned n=100 m=100 | sed -n 1p
n and m change together in all runs: their effects cannot be separated
