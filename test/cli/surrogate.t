## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime surrogate
foretime: 'surrogate' needs a subcommand: matrix, diagnose, plot, describe, predict, evaluate, complexity, compose or couple
hint: foretime surrogate --help explains them
? 2

$ foretime surrogate matix
foretime: 'surrogate' has no subcommand 'matix'
hint: the nearest is foretime surrogate matrix
? 2

$ foretime surrogate matrix in/programs.csv
          p1   p2   p3  pT
CPU        1  0.1  0.1   1
Mem      0.2    1  0.5   2
I/O        0    0    1   3
Energy  10.1    2  2.5   -

$ foretime surrogate matrix in/programs.csv -o m.csv; foretime surrogate matrix m.csv --transpose
    CPU  Mem  I/O  Energy
p1    1  0.2    0    10.1
p2  0.1    1    0       2
p3  0.1  0.5    1     2.5
pT    1    2    3       -

$ for a in matrix diagnose; do foretime surrogate $a in/programs.csv --json | check-schema surrogate; done

$ foretime surrogate diagnose in/programs.csv
4 resources x 4 programs, 3 resources complete: what follows is of these
rank 3 of 4
singular values, rows and columns scaled: 1.644 0.9049 0.6925
more programs than resources: not all programs can be distinguished
programs: most alike p3 and pT (cosine 0.976190), least alike p1 and p3 (0.174714)
resources: most alike Mem and I/O (cosine 0.893687), least alike CPU and I/O (0.689741)

program norm nearest
p1 1.0198 0.366900 pT
p2 1.00499 0.558463 pT
p3 1.1225 0.976190 pT
pT 3.74166 0.976190 p3 redundant

## A program that is the sum of two others tells nothing new.
$ printf 'program,resource,value\na,time,1\na,energy,5\na,bytes,2\nb,time,2\nb,energy,3\nb,bytes,9\nc,time,3\nc,energy,8\nc,bytes,11\nc,time,3.2\nc,time,2.8\n' > long.csv; foretime surrogate diagnose long.csv
3 resources x 3 programs
rank 2 of 3
singular values, rows and columns scaled: <<[\d.]+ [\d.]+ [\d.e-]+>>
redundant programs, described by the ones before them: c
...

## What is no measure is refused, with what to do about it.
$ printf 'resource,a\ntime,1\npower_w,5\n' > power.csv; foretime surrogate matrix power.csv
foretime: 'power_w' is no measure of consumption: a power may fall while the program goes on: it does not add up
hint: multiply it by the time: 50 W over 10 s are 500 J of energy; --all takes it as it is
? 2

$ printf 'program,n,cpu_pct\na,1,5\n' > share.csv; foretime surrogate matrix share.csv
foretime: 'cpu_pct' is no measure of consumption: a share may fall while the program goes on: it does not add up
hint: multiply it by what it is a share of: 80 % of 2 processors over 10 s are 16 s of processor time; --all takes it as it is
? 2

$ foretime surrogate matrix share.csv --all
          a n=1
cpu_pct   5

$ printf 'program,resource,value\na,time,1\nresource,time,2\n' > called.csv; foretime surrogate matrix called.csv -o m2.csv
foretime: a program is called 'resource', and the table would not be read as it is
hint: give it another name: resource, program and value are columns of tables
? 2

$ printf 'resource,A,B,C,A+B,B+C\ntime,1,5e-324,1e300,1e300,1e300\n' > none.csv; foretime surrogate couple none.csv --basis A,B,C
n  resource     sum  coupled  couplings
-  time      1e+300        -  A+B 1e+300, B+C 1.000

a coupling above 1: they are in each other's way; below 1: they help each other

$ printf 'resource,A,B,A+B,T\ntime,1,2,2.5,5e-324\n' > none.csv; foretime surrogate couple none.csv --basis A,B --target T
n  resource  sum  coupled      measured  sum off by  coupled off by  couplings
-  time        3      2.5  4.94066e-324           -               -  A+B 0.833

a coupling above 1: they are in each other's way; below 1: they help each other

$ printf 'resource,a\ntime,-1\n' > negative.csv; foretime surrogate matrix negative.csv
foretime: negative.csv:2: column 2 (a): -1 is negative, and a measure never is
hint: correct it, or leave the cell empty: it is then missing
? 2

$ printf 'machine,cores,a\nbox,many,1\n' > words.csv; foretime surrogate matrix words.csv
foretime: words.csv:2: column 2 (cores): 'many' is not a number
hint: choose the columns of measurements: --programs REGEX; a cell without one is empty, or NA
? 2

$ foretime surrogate matrix words.csv --programs '^b$'
foretime: 'words.csv' has no column of measurements that matches '^b$'
hint: choose them by an extended regular expression: --programs '^[0-9]{3}'
? 2

## From the store: programs at sizes, resources that add up.
$ foretime import in/cubic.csv --name c --store s.db >/dev/null; foretime surrogate matrix c n=100:300 --store s.db | sed 's/  */ /g'
<< c n=\d+ .*>>
<<wall_s [\d.].*>>

$ foretime surrogate matrix d --store s.db
foretime: no runs of a program 'd' in the store
hint: foretime list shows what there is; a table is read with FILE.csv in its place
? 2

$ foretime surrogate matrix c -r peak_rss_bytes --store s.db
foretime: 'peak_rss_bytes' is no measure of consumption: memory in use may fall while the program goes on: it does not add up
hint: count what is allocated in all, or sum memory over time (bytes x seconds); --all takes it as it is
? 2

## The worked example: both ways the same.
$ foretime surrogate describe in/programs.csv --target pT --basis p1,p2,p3
note: 1 row with a missing value left out: 'Energy'
pT by 3 programs over 3 rows: least squares, small singular values dropped

program      beta  90 % interval
p1       0.663265      not known
p2       0.367347      not known
p3              3      not known

pT lies inside the cone of its basis: shares >= 0 give it exactly
residuals: too few rows (3) to read anything from them

resource  measured  described    error
CPU              1          1  +0.00 %
Mem              2          2  +0.00 %
I/O              3          3  +0.00 %

$ foretime surrogate predict in/programs.csv --target pT --target-resource Energy
Energy of pT: 14.934 (no interval: as many unknowns as rows, so nothing is known of the error)
by 3 programs over 3 rows: least squares, small singular values dropped

$ foretime surrogate predict in/programs.csv --target pT --target-resource Energy --by resource | head -n 1
Energy of pT: 14.934 (no interval: as many unknowns as rows, so nothing is known of the error)

$ for s in ols robust simplex bayes nmf kernel; do foretime surrogate predict in/programs.csv --target pT --target-resource Energy --basis 'p[12]' --over Mem,CPU --solver $s --json 2>/dev/null | check-schema surrogate || echo $s; foretime surrogate describe in/programs.csv --target pT --basis 'p[12]' --over Mem,CPU --solver $s --json 2>/dev/null | check-schema surrogate || echo $s; done

## What is known of a beta, in its own unit.
$ printf 'program,instructions,cycles,time_s\na,1e9,5e8,0.3\nb,2e9,4e9,2.1\nc,3e9,2e9,1\nd,1e9,3e9,1.6\n' > cpu.csv; foretime surrogate describe cpu.csv --target-resource time_s --basis cycles --solver bayes --prior cycles=1/2GHz:1% --json | jq -c '.basis_programs[0].beta * 1e12 | round'
<<5[01]\d>>

$ foretime surrogate describe cpu.csv --target-resource time_s --basis cycles --prior cycles=0.5ns:0.1ns
foretime: 'ols' takes no prior: choose --solver bayes
? 2

$ foretime surrogate describe cpu.csv --target-resource time_s --basis cycles --solver bayes --prior cycles=0.5
foretime: 'cycles=0.5' is not a prior
hint: write NAME=MEAN:SD, as in --prior cycles=0.5ns:0.1ns or cycles=1/2GHz:20%
? 2

## What was learned of some rows is where others begin: two halves in turn are the whole.
$ printf 'program,cycles,time_s\na,1e9,0.52\nb,2e9,0.98\nc,3e9,1.51\nd,4e9,2.02\n' > half.csv; foretime surrogate describe half.csv --target-resource time_s --basis cycles --solver bayes --json | tee before.json | check-schema surrogate; jq -c '.basis_programs[0].sd > 0 and .basis_programs[0].sd < .basis_programs[0].upper - .basis_programs[0].beta' before.json
true
$ foretime surrogate describe cpu.csv --target-resource time_s --basis cycles --solver bayes --prior before.json --json | jq -c '.basis_programs[0].beta * 1e12 | round'
<<50\d>>
$ foretime surrogate describe cpu.csv --target-resource time_s --basis instructions --solver bayes --prior before.json
foretime: 'before.json' knows nothing of this basis
hint: it must be what foretime surrogate describe --json prints
? 2
$ sed 's/"sd": [^,}]*/"sd": null/' before.json > vague.json; foretime surrogate describe cpu.csv --target-resource time_s --basis cycles --solver bayes --prior vague.json
foretime: 'vague.json' has no standard deviation for 'cycles'
hint: describe with --solver bayes, or another one that computes intervals
? 2

## Routines that follow each other.
$ printf 'resource,a n=10,b n=10,c n=10,a+b n=10,b+c n=10,c+a n=10,app n=10\nwall_s,1,2,3,3.3,4,4,5.7\n' > chain.csv; foretime surrogate couple chain.csv --basis a,b,c,a --target app
 n  resource  sum  coupled  measured  sum off by  coupled off by  couplings
10  wall_s      6  5.61644       5.7      +5.3 %          -1.5 %  a+b 1.100, b+c 0.800, c+a 1.000

a coupling above 1: they are in each other's way; below 1: they help each other
$ foretime surrogate couple chain.csv --basis a,b,c,a --target app --json | check-schema surrogate
$ for n in 10 20; do foretime run --save app n=$n -o /dev/null --store app.db -- bash -c 'for r in a:1000000 b:2000000 a+b:3600000; do t=$(({n} * ${r#*:})); printf "ft1 routine ${r%:*} 1 $t $t 0\n"; done >&$FORETIME_PROBE_FD'; done >/dev/null 2>&1; foretime surrogate couple --basis app/a,app/b -r wall_s --store app.db
 n  resource   sum  coupled  couplings
10  wall_s    0.03    0.036  app/a+b 1.200
20  wall_s    0.06    0.072  app/a+b 1.200

a coupling above 1: they are in each other's way; below 1: they help each other
$ printf 'resource,a,b,c,a+b,b+c,a+b+c\nwall_s,1,2,3,3.3,4,5.7\n' > whole.csv; foretime surrogate couple whole.csv --basis a,b,c --target a+b+c | head -2
n  resource  sum  coupled  measured  sum off by  coupled off by  couplings
-  wall_s      6  5.37123       5.7      +5.3 %          -5.8 %  a+b 1.100, b+c 0.800
$ foretime surrogate couple whole.csv --basis a,b --target a+b
foretime: the chain's only window is its target, which predicts nothing of itself
hint: leave out the target, or name a longer chain
? 1
$ foretime surrogate couple chain.csv --basis a,c
foretime: no neighbours of the chain were measured together
hint: measure pairs too, as 'a+c': what both take, one after the other
? 1
$ foretime surrogate couple chain.csv --basis a
foretime: --basis a: two routines at least run one after the other
hint: write --basis A,B,C in their order; A+B is what A and B take together
? 2
$ foretime surrogate couple chain.csv
foretime: which routines run one after the other? --basis A,B,C is missing
hint: write foretime surrogate couple FILE.csv --basis A,B,C
? 2

$ foretime surrogate describe cpu.csv --target-resource time_s --basis cycles --solver bayes --prior instructions=1ns:1ns
foretime: 'instructions' has a prior, and is not in the basis
? 2

## A table's resource is called as it calls it, also where the table is a word.
$ sed s/time_s/time/ cpu.csv > called.csv; for file in called.csv "--file called.csv"; do foretime surrogate describe $file --target-resource time --basis cycles --json | jq -c '[.target, (.basis_programs[0].beta * 1e11 | round)]'; done
<<\["time",\d+\]>>
<<\["time",\d+\]>>

## Weighed and robust at once: d is 2 a + 3 b, but for one row that is five times that; larger rows scatter more.
$ awk 'BEGIN { print "program,resource,value"; for (r = 1; r <= 6; r++) for (k = -1; k <= 1; k++) { u = 1 + k * 0.01 * r; printf "a,r%d,%g\nb,r%d,%g\nd,r%d,%g\n", r, u, r, r * u, r, (2 + 3 * r) * (r == 4 ? 5 : 1) * u } }' > often.csv; for o in weighted robust 'robust --weigh'; do foretime surrogate describe often.csv --target d --basis a,b --all --solver $o --json | jq -c '[.basis_programs[].beta * 10 | round]'; done
[9,32]
[-26,72]
[18,32]
$ foretime surrogate describe often.csv --target d --basis a,b --all --solver weigh
foretime: weigh is of --solver robust; 'ols' weighs rows in its own way
? 2

## Patterns that programs are made of.
$ foretime surrogate describe in/programs.csv --target pT --basis p1,p2,p3 --solver nmf,rank=2 2>/dev/null | sed -n '/^what/,$p'
what a pattern consumes (W) pattern 1 pattern 2
CPU <<\S+ +\S+>>
Mem <<\S+ +\S+>>
I/O <<\S+ +\S+>>
Energy <<\S+ +\S+>>

what is made of patterns (H) pattern 1 pattern 2
p1 <<\S+ +\S+>>
p2 <<\S+ +\S+>>
p3 <<\S+ +\S+>>
pT <<\S+ +\S+>>

## A start that is given: what was found is where it ends at once; of one factor the other is what fits it.
$ printf 'resource,a,b,c,t\nr1,1,1,0,2\nr2,2,5,3,13\nr3,3,4,1,9\nr4,1,4,3,11\nr5,4,4,0,8\nr6,0,2,2,6\n' > mixed.csv; printf 'pattern,a,b,c,t\nu,1,1,0,2\nv,0,1,1,3\n' > h.csv; printf 'resource,u,v\nr1,1,0\nr2,2,3\nr3,3,1\nr4,1,3\nr5,4,0\nr6,0,2\n' > w.csv
> for start in h.csv w.csv w.csv,h.csv; do foretime surrogate describe mixed.csv --target t --solver nmf,start=$start --json 2>/dev/null | tee start.json | check-schema surrogate; jq -c '[.rank, .iterations <= 2, .loss < 1e-9, .converged]' start.json; done
[2,true,true,true]
[2,true,true,true]
[2,true,true,true]

$ foretime surrogate describe mixed.csv --target t --solver nmf,start=h.csv,rank=3
foretime: 'h.csv' has 2 patterns, and not the requested number
hint: one column of W, and one row of H, for each pattern; rank= may be left out
? 2

$ grep -v r4 w.csv > short.csv; foretime surrogate describe mixed.csv --target t --solver nmf,start=short.csv
foretime: 'short.csv' has no row 'r4'
hint: W has a row for each that is learned from, named in its first column; H has the column 't'
? 2

$ cut -d, -f1,2,4,5 h.csv > narrow.csv; foretime surrogate describe mixed.csv --target t --solver nmf,start=narrow.csv
foretime: 'narrow.csv' has no column 'b'
hint: H has a column for each program of the basis, and for the target
? 2

$ sed 's/^v,0/v,-1/' h.csv > below0.csv; foretime surrogate describe mixed.csv --target t --solver nmf,start=below0.csv
foretime: below0.csv:3: column 2 (a): -1 is negative
hint: what patterns consume, and how much of each there is, is never below 0
? 2

$ foretime surrogate describe mixed.csv --target t --solver nmf,start=h.csv,h.csv
foretime: 'h.csv' is another H
? 2

$ foretime surrogate describe mixed.csv --target t --solver nmf,start=nndsdv
foretime: nmf knows no start 'nndsdv'
hint: there are nndsvd, random and ica, and files: W.csv, H.csv or both
? 2

$ foretime surrogate describe mixed.csv --target t --solver nmf,method=newton
foretime: nmf knows no method 'newton' for the loss 'frobenius'
hint: there are hals and multiplicative
? 2

## What is missing: left out and named, taken as expected, or done without.
$ for l1 in 0.001 1; do foretime surrogate describe mixed.csv --target t --solver nmf,rank=3,l1=$l1 --json 2>/dev/null | tee sparse.json | check-schema surrogate; jq '[.. | .h? // empty | flatten | .[]] | map(select(. < 1e-9)) | length' sparse.json; done | sort -n | uniq | wc -l
2

$ foretime surrogate describe mixed.csv --target t --solver nmf,rank=2,l2=0.1,loss=kl
foretime: the penalties l1 and l2 belong to the loss frobenius
hint: leave out loss=kl, or the penalties
? 2

$ foretime surrogate describe mixed.csv --target t --solver nmf,rank=2,l1=-1
foretime: the penalties l1 and l2 are 0 or larger
? 2

$ sed 's/^r3,3/r3,/; s/^r5,4,4,0,8/r5,4,4,0,/' mixed.csv > holes.csv; foretime surrogate predict holes.csv --target t --target-resource r5 --solver nmf,rank=2 --basis a,b
note: 1 missing value: the factors fit what is known
r5 of t: 8 <<.*>>
by 2 programs over 5 rows: mixtures of computational patterns, none negative

$ foretime surrogate predict holes.csv --target t --target-resource r3 --solver nmf,rank=2 2>/dev/null
r3 of t: 9 (no interval: some of the basis is missing there)
by 3 programs over 5 rows: mixtures of computational patterns, none negative
measured: 9 (not used)

$ foretime surrogate describe holes.csv --target t --basis a,b 2>&1 | head -n 2
note: 2 rows with a missing value left out: 'r3', 'r5'
t by 2 programs over 4 rows: least squares, small singular values dropped

$ foretime surrogate describe holes.csv --target t --basis a,b --missing impute
foretime: 'r6' of 'a' is 0: missing values are filled by ratios, which need values above 0
hint: leave rows with a missing value out: --missing drop
? 2

$ grep -v r6 holes.csv > ratios.csv; foretime surrogate predict ratios.csv --target t --target-resource r3 --basis a,b --missing impute 2>&1 | head -n 3
note: 1 row with a missing value left out: 'r5'
note: 1 missing value of the basis taken as the others of their rows lead one to expect
r3 of t: <<.*>>

$ foretime surrogate describe ratios.csv --target t --basis a,b --missing impute --json 2>/dev/null | tee imputed.json | check-schema surrogate; jq -c '[.rows_used, .rows_left_out, .values_missing, .values_imputed]' imputed.json
[4,["r5"],0,1]

## what was not run where it is asked about cannot help there
$ foretime surrogate predict ratios.csv --target t --target-resource r3 --basis a,b 2>&1
note: 'r3' has no value for 'a': predicted without it
note: 1 row with a missing value left out: 'r5'
r3 of t: <<.*>>
by 1 program over 3 rows: least squares, small singular values dropped
measured: 9 (not used)

$ foretime surrogate predict ratios.csv --target t --target-resource r3 --basis a,b --json 2>/dev/null | tee without.json | check-schema surrogate; jq -c '[.basis_names, .basis_left_out]' without.json
[["b"],["a"]]

$ foretime surrogate describe holes.csv --target t --missing keep
foretime: 'ols' needs every value of a row
hint: --missing drop or impute; --solver nmf fits what is known
? 2

$ foretime surrogate describe holes.csv --target t --missing guess
foretime: 'guess' is not a way to treat missing values
hint: --missing drop, impute or, for nmf, keep
? 2

## Bad questions.
$ foretime surrogate describe in/programs.csv
foretime: what is to be described?
hint: name it: --target PROGRAM, or --target-resource RESOURCE
? 2

$ foretime surrogate predict in/programs.csv --target pT
foretime: which resource of which program?
hint: name both: --target PROGRAM --target-resource RESOURCE
? 2

$ foretime surrogate describe in/programs.csv --target PT
foretime: the matrix has no program 'PT'
hint: the nearest one is 'pT'
? 2

$ foretime surrogate describe in/programs.csv --target pT --basis p1,q
foretime: the matrix has no program 'q'
hint: <<.*>>
? 2

$ foretime surrogate describe in/programs.csv --target pT --basis p1,pT
foretime: 'pT' is the target, and in the basis too
hint: a program describes itself perfectly: take it out of the basis
? 2

$ foretime surrogate describe in/programs.csv --target pT --over CPU
foretime: 3 unknowns and only 1 equation: 'ols' needs at least as many rows
hint: measure more rows, take a smaller basis, or choose a solver that keeps to what is likely: bayes with --prior, ridge or kernel
? 1

$ foretime surrogate predict in/programs.csv --target p1 --target-resource Energy --basis pT
foretime: 'Energy' has no value for 'pT'
hint: measure it, or choose a basis without it: --basis A,B,...
? 1

$ foretime surrogate describe in/programs.csv --target pT --solver simplx
foretime: there is no solver 'simplx'
hint: the nearest one is simplex
? 2

$ foretime surrogate describe long.csv --target c --basis a,b,d
foretime: the matrix has no program 'd'
hint: foretime surrogate matrix shows what there is
? 2

$ printf 'resource,a,b,c,t\nr1,1,2,3,4\nr2,4,5,9,1\nr3,7,8,15,2\nr4,1,9,10,9\n' > collinear.csv; foretime surrogate describe collinear.csv --target t 2>&1 | grep note
note: the basis is rank-deficient: 'c' is described by the ones before it

$ foretime surrogate describe collinear.csv --target t --basis a,b --solver robust,iterations=1 2>&1 | grep note
note: 'robust' did not converge in 2 iterations: this is its last iterate

## A picture for a terminal, and one for a file.
$ foretime surrogate plot in/programs.csv | sed -n 1,8p
in/programs.csv: 4 resources, 4 programs

CPU @==#
Mem .@##
I/O <<.*>>
Energy @*#
from -2.2 (.) to 1.24 (@): doublings against row and column

$ foretime surrogate plot in/programs.csv -o p.svg; grep -c '<svg' p.svg
1

## Shares that grow: f is n of cpu, and a hundredth of n^2 of mem.
$ awk 'BEGIN { print "program,n,seconds_s,instructions,misses"; print "cpu,,1,100,1"; print "mem,,2,20,50"; for (n = 8; n <= 64; n *= 2) { a = n; b = n * n / 100; print "f," n "," a + 2 * b "," 100 * a + 20 * b "," a + 50 * b; print "g," n "," n "," 3 * n "," 2; print "fg," n "," a + 2 * b + n * n "," 100 * a + 20 * b + 3 * n * n "," (a + 50 * b + 2 * n) * (n > 40 ? 1.5 : 1) } }' > grow.csv
$ foretime surrogate complexity grow.csv --target f --basis cpu,mem n=128
 n  cpu    mem
 8    8   0.64
16   16   2.56
32   32  10.24
64   64  40.96

xi of cpu: 1*n  (misses by <<.*>>, R <<.*>>, R^2 1.0000)
xi of mem: 0.01*n^2  (misses by <<.*>>, R <<.*>>, R^2 1.0000)

  n  resource      predicted  lower  upper
128  seconds_s       455.68  455.68  455.68
128  instructions   16076.8  16076.8  16076.8
128  misses            8320  8320  8320
90 % of what the curves and the description may be is between lower and upper

$ foretime surrogate complexity grow.csv --target f --basis cpu,mem n=128 --json | check-schema surrogate
$ foretime surrogate compose grow.csv --basis f,g --phi n --target fg | grep -E 'not the sum|^additivity'
64 misses 2240 3360 -33.3 % not the sum
additivity fails for 1 of 12 values (more than 10 % off): beyond the grace area the programs compete

$ foretime surrogate compose grow.csv --basis f,g --json | check-schema surrogate
## None in the whole and none in its parts is a sum; none where the parts have some is not. Of many, the rest is said.
$ printf 'program,n,faults,time_s\nf,1,0,1\nf,2,0,1\ng,1,0,1\ng,2,3,1\nfg,1,0,2\nfg,2,0,2\n' > none.csv; foretime surrogate compose none.csv --basis f,g --target fg
n  resource  composed  measured  off by
1  faults           0         0  +0.0 %
1  time_s           2         2  +0.0 %
2  faults           3         0       -  not the sum
2  time_s           2         2  +0.0 %

additivity fails for 1 of 4 values (more than 10 % off): beyond the grace area the programs compete
for a resource, or help each other
? 1

$ awk 'BEGIN { print "program,n,time_s"; for (n = 1; n <= 42; n++) print "f," n ",1\ng," n ",1\nfg," n ",3" }' > many.csv; foretime surrogate compose many.csv --basis f,g --target fg | tail -n 5
<< *40  time_s .*>>
... 2 more: --json has them

additivity fails for 42 of 42 values (more than 10 % off): beyond the grace area the programs compete
for a resource, or help each other

## The error is that of the sum, as a share of the whole.
$ printf 'program,n,time_s\nf,1,5\ng,1,5\nfg,1,11.05\nf,2,5\ng,2,5\nfg,2,8.95\n' > share.csv; foretime surrogate compose share.csv --basis f,g --target fg | head -3
n  resource  composed  measured   off by
1  time_s          10     11.05   -9.5 %
2  time_s          10      8.95  +11.7 %  not the sum

## Shares of either sign: least squares may have them below 0, and a curve may have terms below 0 (004 figure 10.7).
$ awk 'BEGIN { print "program,n,time_s,instructions\ncpu,,1,10\nmem,,2,5"; for (n = 2; n <= 32; n *= 2) print "t," n "," 2 * n - 1 "," 5 * n - 10 }' > below.csv; foretime surrogate complexity below.csv --target t --basis cpu,mem --solver ols n=64 2>&1 | grep -E '^note|^xi|^64'
xi of cpu: -1  (misses by <<.*>>, R <<.*>>)
xi of mem: 1*n  (misses by <<.*>>, R <<.*>>, R^2 1.0000)
64  time_s             127  127  127
64  instructions       310  310  310

$ awk 'BEGIN { print "program,n,time_s,misses\ncpu,,1,0\nmem,,0,1"; for (n = 8; n <= 4096; n *= 2) print "g," n "," n / 100 "," 2 * log(n) / log(2) - 0.004 * n }' > sign.csv; foretime surrogate complexity sign.csv --target g --basis cpu,mem --solver ols n=8192 n=5000 2>&1 | grep -E '^(xi|8192|5000|-)'
xi of cpu: 0.01*n  (misses by <<.*>>, R <<.*>>, R^2 1.0000)
xi of mem: 2*log2(n) - 0.004*n  (misses by <<.*>>, R <<.*>>, R^2 1.0000)
8192  time_s         81.92  81.92  81.92
8192  misses             -      -      -
5000  time_s            50     50     50
5000  misses       4.57542  4.57542  4.57542
-: the basis was not measured for it, or the curves are below 0 there

$ foretime surrogate complexity below.csv --target t --basis cpu,mem --solver ols n=64 --json | tee below.json | check-schema surrogate; jq -c '[.curves[0].curve, (.predictions[0] | .lower <= .value and .value <= .upper)]' below.json
["-1",true]

$ foretime surrogate complexity grow.csv --target h --basis cpu,mem
foretime: the measurements know no program 'h'
hint: columns are "h n=SIZE": foretime surrogate matrix lists them
? 2

$ foretime surrogate complexity grow.csv --target f
foretime: of which programs is it made? no basis is given
hint: write --basis cpu,mem: programs that stand for what a machine can do
? 2

$ foretime surrogate compose grow.csv --first f
foretime: which two programs? --basis A,B is missing
hint: write foretime surrogate compose FILE.csv --basis f,g [--target fg]
? 2

$ foretime surrogate complexity grow.csv --target f --basis cpu,mem n=128 --json > word.json; foretime surrogate complexity grow.csv --target f --basis cpu,mem n=128 --json | cmp - word.json
$ foretime surrogate complexity n=128 --target f --basis cpu,mem grow.csv --json | cmp - word.json
$ foretime surrogate complexity grow.csv below.csv --target f --basis cpu,mem
foretime: 'surrogate complexity' takes one table, and sizes to predict, n=SIZE; no 'below.csv'
? 2

$ foretime surrogate complexity grow.csv --target f --basis cpu,mem n=-8
foretime: n=-8: a size is above 0
? 2

$ foretime surrogate diagnose grow.csv --solver cut=5
foretime: cut 5: a share of the largest singular value is from 0 to 1
? 2

## What an action, or a source, has no use for.
$ foretime surrogate matrix in/programs.csv --phi n --solver rank=3
foretime: 'surrogate matrix' has no use for --phi
hint: it is of foretime surrogate compose
? 2

$ foretime surrogate matrix in/programs.csv --solver rank=3
foretime: 'surrogate matrix' has no use for --solver
hint: it is of foretime surrogate diagnose, describe, predict, evaluate and complexity
? 2

$ foretime surrogate matrix in/programs.csv --resource wall_s
foretime: in/programs.csv is read: there is no use for --resource
? 2

$ foretime surrogate matrix --programs p
foretime: the store is read: there is no use for --programs
? 2
