## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here >/dev/null; foretime export cubic | grep -vE '^# (arch|cores|threads|memory)' | head -12
# machine: <<[0-9a-f]{16}>>
# host: <<.+>>
# cpu: <<.+>>
# foretime: runs 1
# name: cubic
# work: n^3
n,wall_s,peak_rss_bytes,outcome,warmup,cost_s,started
100,0.00099,1080000,done,0,0.00099,
200,0.00792,1320000,done,0,0.00792,
300,0.02673,1720000,done,0,0.02673,
400,0.06336,2280000,done,0,0.06336,
500,0.12375,3000000,done,0,0.12375,

$ foretime export cubic --csv | grep -v '^#' | cut -d, -f1,2,3 | diff - in/cubic.csv | head -4

$ foretime export cubic --json | check-schema export

$ foretime export cubic -o out.csv; ls -A | grep out
out.csv

## the same predictions to the last digit, the same machine, and the same file again
$ foretime import out.csv --name copy; foretime export copy | grep -v '^# name' > copy.csv; grep -v '^# name' out.csv | diff - copy.csv && echo same
imported 30 runs at 10 sizes as 'copy'
same

$ foretime predict cubic n=100:3000:37 --resource all --csv > one; foretime predict copy n=100:3000:37 --resource all --csv | diff one - && wc -l < one
159

$ foretime export cubic --csv --json
foretime: csv and json are two formats
hint: choose one of them: --format json
? 2

$ foretime export nothing
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: foretime list shows the names that there are
? 2

$ foretime export cubic -o missing/out.csv
foretime: cannot open 'missing/out.csv': No such file or directory
hint: choose another file
? 2

$ foretime export cubic -o .
foretime: cannot write '.': it is a folder
? 2

$ foretime export cubic -o /dev/full
foretime: cannot write '/dev/full': No space left on device
hint: make room there, or choose another file
? 2

$ foretime export cubic > /dev/full
foretime: cannot write to standard output: No space left on device
hint: what was printed is not complete: make room there, or print elsewhere
? 2

$ echo before > keep.csv; foretime export nothing -o keep.csv; cat keep.csv
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: foretime list shows the names that there are
before

## the formats of Extra-P, and back
$ foretime export cubic --format extrap > cubic.txt; head -10 cubic.txt
# machine: <<[0-9a-f]{16}>>
# host: <<.+>>
# cpu: <<.+>>
# work: n^3
PARAMETER n
POINTS (100) (200) (300) (400) (500) (600) (700) (800) (900) (1000)
REGION cubic
METRIC wall_s
DATA 0.00099 0.001 0.00101

$ foretime import cubic.txt --name text; foretime predict text n=100:3000:37 --resource all --csv | diff one - && wc -l < one
imported 30 runs at 10 sizes as 'text'
159

$ foretime export cubic --format extrap-lines > cubic.jsonl; head -1 cubic.jsonl; foretime import cubic.jsonl --name lines --here --work 'n^3'; foretime predict lines n=100:3000:37 --resource all --csv | diff one -
{"params": {"n": 100}, "callpath": "cubic", "metric": "wall_s", "value": [0.00099, 0.001, 0.00101]}
imported 30 runs at 10 sizes as 'lines'

$ foretime export cubic --format json | foretime import - --name back --json | jq -c '[.format, .runs]'; foretime export back --json | jq .runs > a; foretime export cubic --json | jq .runs | diff - a && echo same
["foretime",30]
same

## what a size must meet goes along, and is asked for
$ printf '# where: n %% 2 == 0\nn,wall_s\n2,1\n4,2\n8,4\n' > even.csv; foretime import even.csv --name even; foretime export even | head -5; foretime export even --json | jq -r .where
imported 3 runs at 3 sizes as 'even'
# machine: 0000000000000000
# host: elsewhere
# foretime: runs 1
# name: even
# where: n % 2 == 0
n % 2 == 0

$ foretime predict even n=6 --csv | wc -l; foretime predict even n=5
2
foretime: 'even' makes no sense at n=5: its sizes meet n % 2 == 0
hint: ask for a size that does; the nearest that was run is n=4
? 2

$ printf 'n,wall_s,outcome\n1,1,done\n2,,failed\n' | foretime import - --name mixed; foretime export mixed --format extrap-lines
imported 2 runs at 2 sizes as 'mixed'
{"params": {"n": 1}, "callpath": "mixed", "metric": "wall_s", "value": [1]}
note: left out 1 run that the format cannot express: failed ones, and warm-ups

$ foretime export cubic --format sacct
foretime: the format sacct is read only
hint: the formats that can be written are extrap-lines, extrap, csv
? 2

$ foretime export cubic --format extrap --json
foretime: extrap and json are two formats
hint: choose one of them: --format json
? 2

## requests for all sizes as knots: each line is a word and what it says, and the numbers are those of request
$ foretime export cubic --format knots --expires 1d | awk '$1 == "made" { made = $2 } $1 == "expires" { print "expires", $2 - made; next } $1 != "knot" && $1 != "made"'
foretime-knots 1
program cubic
parameter n
machine <<[0-9a-f]{16} .+>>
expires 86400
risk 0.01
# knot size typical_s upper_s bytes
end <<[0-9]+>>

$ foretime export cubic --format knots -o cubic.knots; ls -A | grep knots; awk '$1 == "knot" { if ($2 <= at) print "falls"; at = $2; n++ } $1 == "end" { print (n == $2), (at >= 9999 && at < 10001) }' cubic.knots
cubic.knots
1 1

$ foretime request cubic n=500 --risk 1% --json | awk '/"most"/ { gsub(/,/, ""); print $2 }' > most; awk '$1 == "knot" && $2 == 500 { print $4; print $5 - 8e6 }' cubic.knots | paste - most | awk '{ r = $1 / $2; if (r < 0.999 || (r > 1.001 && (r < 1.499 || r > 1.501))) print }'

$ foretime export cubic --format csv --risk 1%
foretime: --risk and --expires are of --format knots
? 2

$ foretime export cubic --format knots --expires 0s
foretime: --expires 0s: the knots would expire at once
hint: give the time for which they are valid, as in 30d
? 2

$ foretime export cubic --format knots --risk 60%
foretime: <<.*risk.*>>
<<hint: .*|>>
? 2

## the pace of the machine after a run is kept with it, for contracts; not where somebody waits for the program
$ foretime build paced n=1,2,3 --method naive --runs 2:2 --quiet -- true {n} >/dev/null 2>&1; foretime run --save single n=1 -- true >/dev/null 2>&1; for name in paced single; do foretime export $name --csv | grep -c '^n,.*reference_s'; done
1
0
? 1

