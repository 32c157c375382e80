## SPDX-License-Identifier: GPL-3.0-or-later
## in/machines.csv: 36 machines of 12 processors, 6 programs; made up: a and b follow the pace, c and d one thing more, e another, f half of both
$ gzip -c in/machines.csv > machines.gz

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis choose:3 --train 18 --by processor
in/machines.csv: 36 rows, 6 programs; no processor on both sides
20 repetitions, a basis of 3, chosen on the training rows, 18 rows to train on: 60 fits, 1080 predictions
inside: share within the 90 % intervals

target    RAE  median error  90 % below  mean error  deviation  of residuals  inside
...
all     <<0\.\d+>>   <<\d\.\d %>>  <<[\d.]+ %>>  <<-?[\d.]+ %>>  <<[\d.]+ %>>  <<[\d.]+ %>>  <<\d+\.\d %>>

$ foretime surrogate evaluate machines.gz --programs '[.]' --basis 2 --train 18 --runs 2 | head -2
machines.gz: 36 rows, 6 programs; split at random: rows that are nearly the same may be on both sides
2 repetitions, a basis of 2, drawn at random for each target, 18 rows to train on: 12 fits, 216 predictions

## what machines of one processor differ by is the floor
$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis choose:3 --train 18 --by processor --runs 3 --alike processor | tail -2
identical machines (12 groups) differ by <<[\d.]+ %>> about their mean: no prediction can be better
the errors of kernel deviate by <<[\d.]+ %>>, <<[\d.]+>> times that
$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis choose:3 --train 18 --runs 3 --alike processor --json | tee f.json | check-schema surrogate; jq -c '[.floor.groups, .floor.rows, (.floor.programs | length)]' f.json
[12,216,6]
$ awk -F, '{ print $0 "," (NR == 1 ? "rack" : "r" int(NR / 4)) }' in/machines.csv > texts.csv; for c in processor,rack rack,processor; do foretime surrogate evaluate texts.csv --basis 2 --train 18 --runs 2 --alike $c --json | jq -c '[(.programs | length), .floor.groups, (.floor.programs | length)]'; done
[6,12,6]
[6,12,6]
$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 3 --train 18 --alike processor,colour
foretime: --alike: there is no column 'colour'
? 2
$ foretime surrogate evaluate - --programs '[.]' --basis 3 --train 18 --alike processor < in/machines.csv
foretime: --alike reads the table once more, and standard input is read once
hint: name a file
? 2

## every solver there is, on the same rows
$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis a.1,c.3 --basis e.5 --train 18 --runs 2 --solver all | awk '/^solver/ { go = 1; next } go && NF { print $1 }' | sort | tr '\n' ' '
bayes kernel nmf ols ridge robust simplex svr weighted

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis a.1,c.3,e.5 --train 18 --runs 2 --solver all --json | check-schema surrogate

## the figures are those of the predictions
$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis choose:2 --train 18 --runs 3 --train test=9 --seed 5 --output p.csv --json > e.json; check-schema surrogate < e.json; head -1 p.csv; wc -l < p.csv
repeat,target,row,actual,value,lower,upper
109

$ awk -F, 'NR > 1 { k = $1 "," $2; n[k]++; sum[k] += $4; y[NR] = $4; p[NR] = $5; of[NR] = k; inside[k] += $6 <= $4 && $4 <= $7 }
> END { for (i in y) { k = of[i]; off[k] += p[i] > y[i] ? p[i] - y[i] : y[i] - p[i]; m = y[i] - sum[k] / n[k]; vary[k] += m < 0 ? -m : m }
>       for (k in n) { rae += off[k] / vary[k]; cover += inside[k] / n[k]; fits++ } printf "%.9f %.9f %d\n", rae / fits, cover / fits, fits }' p.csv > ours.txt
> sed -n 's/^  "\(rae\|coverage\|fits\)": \([0-9.]*\),$/\2/p' e.json | awk '{ printf NR < 3 ? "%.9f " : "%d\n", $1 }' | diff - ours.txt && echo alike
alike

$ awk -F, 'NR == FNR { if (FNR == 1) for (i = 3; i <= NF; i++) name[$i] = i; else for (i = 3; i <= NF; i++) value[FNR - 2, i] = $i; next } FNR > 1 && value[$3, name[$2]] != $4' in/machines.csv p.csv

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis choose:2 --train 18 --runs 3 --train test=9 --seed 5 --output q.csv >/dev/null; cmp p.csv q.csv

## cells may be empty
$ sed 's/^\(m[0-9]*[37]\),\([^,]*\),[^,]*,/\1,\2,,/' in/machines.csv > holes.csv; foretime surrogate evaluate holes.csv --programs '[.]' --basis a.1 --train 18 --runs 1 --json | tee holes.json | check-schema surrogate; grep -E '^  "(fits|skipped|basis_size)"' holes.json
  "fits": 5,
  "basis_size": 1,
  "skipped": 0,

## a machine with a gap serves all the same, unless it is to be dropped
$ sed 's/^\(m[0-9]*[37]\),\([^,]*\),[^,]*,/\1,\2,,/; s/^\(m[0-9]*[48]\),\([^,]*\),\([^,]*\),[^,]*,/\1,\2,\3,,/' in/machines.csv > gaps.csv; for way in impute drop; do foretime surrogate evaluate gaps.csv --programs '[.]' --basis a.1,b.2 --train 18 --runs 5 --missing $way --json > $way.json; check-schema surrogate < $way.json; jq -c '[.predictions, .values_missing, .missing, .coverage > 0.7]' $way.json; done
[360,14,"impute",true]
[<<2\d\d>>,14,"drop",true]

$ foretime surrogate evaluate gaps.csv --programs '[.]' --basis a.1,b.2 --train 18 --runs 5 | sed -n 3p
14 of 216 values are missing: those of a basis are taken as the others of their rows lead one to expect

$ sed 's/^\([^,]*,[^,]*\),,/\1,NA,/' gaps.csv > na.csv; foretime surrogate evaluate na.csv --programs '[.]' --basis a.1,b.2 --train 18 --runs 1 --confidence 99.99% | sed -n '2,4p'
1 repetition, a basis of 2, named, 18 rows to train on: 4 fits, 72 predictions
14 of 216 values are missing: those of a basis are taken as the others of their rows lead one to expect
inside: share within the 99.99 % intervals

$ foretime surrogate evaluate gaps.csv --programs '[.]' --basis a.1,b.2 --train 18 --runs 5 --missing drop | sed -n 3p
14 of 216 values are missing: a row that lacks one of a basis is passed over

$ foretime surrogate evaluate gaps.csv --programs '[.]' --basis a.1,b.2 --train 18 --runs 5 --missing keep --solver nmf | sed -n 3p
14 of 216 values are missing: the solver fits what is known

## wrong use
$ foretime surrogate evaluate gaps.csv --programs '[.]' --basis 2 --train 18 --missing keep
foretime: 'kernel' needs every value of a row
hint: --missing drop or impute; --solver nmf fits what is known
? 2

$ foretime surrogate evaluate
foretime: evaluate which table? it has a row for each machine, a column for each program
hint: foretime surrogate evaluate FILE.csv --programs REGEX --basis 5 --train 50
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --train 18
foretime: surrogate evaluate needs --basis
hint: --basis 5 draws five at random for each target, --basis choose:5 takes the five that describe best, --basis NAME,NAME names them
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2
foretime: on how many of the 36 rows is to be trained?
hint: --train 18 takes half of them
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 6 --train 18
foretime: a basis of 6 leaves none of 6 programs to predict
hint: choose a smaller basis, or more programs
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 0 --train 18
foretime: --basis 0: a basis has at least one program
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 36
foretime: cannot train on 36 of 36 rows
hint: train on two rows or more, and leave some to predict
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis a.1,g.7 --train 18
foretime: there is no program 'g.7'
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis a.1 --basis a.1 --train 18
foretime: 'a.1' is twice in the basis
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 --solver kernl
foretime: there is no solver 'kernl'
hint: the nearest one is kernel
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 --solver all --output p.csv
foretime: --output has the predictions of one solver, not of all
? 2

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 --by prozessor
foretime: 'in/machines.csv' has no column 'prozessor' to group by
...
? 2

$ sed 's/^m2,cpu0,[^,]*/m2,cpu0,0/' in/machines.csv > zero.csv; foretime surrogate evaluate zero.csv --programs '[.]' --basis 2 --train 18
foretime: zero.csv: a.1 of row 'm2' is 0, and logarithms and relative errors need values above 0
hint: leave the cell of a missing measurement empty
? 2

$ awk -F, '{ print $0 (NR == 1 ? ",one" : ",x") }' in/machines.csv > one.csv; foretime surrogate evaluate one.csv --programs '[.]' --basis 2 --train 18 --by one
foretime: 18 of 36 rows are trained on, and all others are their kin
hint: train on fewer rows, or group them by another column
? 2

$ foretime surrogate evaluate in/machines.csv in/machines.csv --basis 2 --train 18
foretime: 'surrogate evaluate' takes no 'in/machines.csv'
? 2

$ sed 's/^m2,cpu0,[^,]*/m2,cpu0,NC/' in/machines.csv > nc.csv; foretime surrogate evaluate nc.csv --programs '[.]' --basis 2 --train 18
foretime: nc.csv:4: column 3 (a.1): 'NC' is not a number
hint: leave the cell empty, or write NA, if no value was measured
? 2

$ head -1 in/machines.csv > head.csv; foretime surrogate evaluate head.csv --programs '[.]' --basis 2 --train 18
foretime: 'head.csv' has no row of measurements
? 2

$ foretime surrogate evaluate none.csv --basis 2 --train 3
foretime: cannot open 'none.csv': No such file or directory
...
? 2
