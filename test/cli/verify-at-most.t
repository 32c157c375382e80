## SPDX-License-Identifier: GPL-3.0-or-later
## A program that reports a cost of its own: start-up, n log n, and a hidden square (SQUARE / 1000 n^2).
$ cat > work <<'END'
> #!/bin/bash
> n=$1 log=0
> for ((k = n; k > 1; k /= 2)); do log=$((log + 1)); done
> ns=$((200000 + n * log * 10 + (n - (1 << log)) * 20 + n * n * ${SQUARE:-0} / 1000))
> printf 'ft1 routine work 1 %d %d %d\n' $ns $ns $n >&$FORETIME_PROBE_FD
> END
> chmod +x work

$ foretime verify --at-most 'n log n' n=1000:64000 -r wall_s --budget 60s --runs 3 -- ./work {n}
wall_s: at most n log n: yes; a term n^2 of <<\d[.\d]* %>> at n=64000 would have been seen

$ SQUARE=1 foretime verify --at-most 'n log n' n=1000:64000 -r wall_s --budget 60s --runs 3 -- ./work {n} 2>why | tail -2; cat why
45255  3  9.29 ms  <<7\.\d+ ms>>  <<2\d(\.\d)? %>>
64000  3  14.5 ms  <<10\.\d ms>>  <<2\d(\.\d)? %>>
foretime: wall_s: grows faster than n log n: n^2 from n=<<\d+>> on, <<2\d(\.\d)? %>> of the wall_s at n=64000

$ SQUARE=1 foretime verify --at-most 'n log n' n=1000:64000 -r wall_s --budget 60s --runs 3 -- ./work {n} >/dev/null 2>&1
? 1

$ SQUARE=1 foretime verify --at-most 'n^2' n=1000:64000 -r wall_s --budget 60s --runs 6 -- ./work {n} | sed 's/of .* at/of some at/'
wall_s: at most n^2: yes; a term n^3 of some at n=64000 would have been seen

## exact instructions of a real program, where they can be counted
$ cat > nested.awk <<'END'
> BEGIN { for (i = 0; i < n; i++) x[i % 7] += i; for (i = 0; i < n; i++) for (j = 0; j < i; j++) y += j }
> END
> ! foretime verify --at-most n n=20:320 --budget 100s -r instructions -- awk -v n={n} -f nested.awk >/dev/null 2>counted; grep -c -e 'grows faster than n: n^2' -e 'has no value of .instructions' counted
1

## bytes written: a line for each, and the digits of its number
$ foretime verify --at-most 'n log n' n=1000:64000 -r output -- seq {n} | sed 's/ of .* at/ of some at/'
output_bytes: at most n log n: yes; a term n^2 of some at n=64000 would have been seen

$ foretime verify --at-most n n=1000:64000 -r output -- seq {n} 2>&1 >/dev/null | sed 's/n: .*/n/'
foretime: output_bytes: grows faster than n

## where nothing counts instructions: the remedy, and without -r the time
$ F=$(command -v foretime) W=$PWD/work; mkdir none; ln -s "$(command -v bash)" none/bash; PATH=$PWD/none $F verify --at-most n n=1000:2000 -r instructions --budget 60s -- $W {n} >counted 2>&1; grep -c -e 'at most n' -e 'valgrind is not installed' counted
> PATH=$PWD/none $F verify --at-most n n=1000:2000 --runs 1 --budget 60s -- $W {n} >counted 2>&1; grep -c -e '^instructions' -e 'foretime: instructions: at most' -e 'note: instructions cannot be counted' counted
1
1

## recorded runs: of the only program, or of the one named
$ awk 'BEGIN { print "program,n,instructions"; for (n = 1000; n <= 64000; n *= 1.4142136) { print "a," int(n) "," int(1e5 + 40 * n); print "b," int(n) "," int(1e5 + 40 * n + n * n / 4000) } }' > both.csv
> grep -e program -e '^a' both.csv | cut -d, -f2- > a.csv; foretime verify --at-most n --runs a.csv
instructions: at most n: yes; a term n^2 of <<\d[.\d]* %>> at n=<<\d+>> would have been seen

$ foretime verify b --at-most n --runs both.csv --by program 2>&1 >/dev/null
foretime: instructions: grows faster than n: n^2 from n=<<\d+>> on, <<2\d.\d %>> of the instructions at n=<<\d+>>
? 1

$ foretime verify --at-most n --runs both.csv --by program
foretime: the runs are of 2 programs: a, b
hint: write one of these names before the sizes
? 2

$ foretime verify a --at-most n --runs both.csv --by program --json > a.json; check-schema verify-at-most < a.json; jq -c '.bound, .holds, .resources[0].verdict, (.resources[0].seen < 0.2), (.resources[0].sizes | length)' a.json
"n"
true
"yes"
true
12

$ foretime verify b --at-most n --runs both.csv --by program --json > b.json 2>/dev/null; check-schema verify-at-most < b.json; jq -c '.holds, .resources[0].verdict, .resources[0].term, (.resources[0].share > 0.19 and .resources[0].share < 0.23), ([.resources[0].sizes[] | select(.shows)] | length > 2)' b.json
false
"no"
"n^2"
true
true

$ foretime verify b --at-most n --runs both.csv --by program --format github 2>/dev/null
::error title=b::instructions: grows faster than n: n^2 from n=<<\d+>> on, <<2\d.\d>> %25 of the instructions at n=<<\d+>>
? 1

$ foretime verify a --at-most n --runs both.csv --by program --format junit
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="foretime verify a" tests="1" failures="0">
  <testcase classname="a" name="instructions growth"/>
</testsuite>

## several parameters, and a sum
$ awk 'BEGIN { print "n,m,instructions"; for (n = 100; n <= 1600; n *= 2) for (m = 10; m <= 160; m *= 2) print n "," m "," 5e4 + 30 * n * m + 200 * n }' > grid.csv
> foretime verify --at-most 'n*m' --runs grid.csv | sed 's/ of .* at/ of some at/'; foretime verify --at-most 'n + m' --runs grid.csv 2>&1 >/dev/null | sed 's/, .*//'
instructions: at most n*m: yes; a term <<\S+>> of some at n=1600 m=160 would have been seen
foretime: instructions: grows faster than n + m: n*m

## too few sizes, or too much noise, decide nothing
$ head -3 a.csv > two.csv; foretime verify --at-most n --runs two.csv
foretime: instructions: at most n: undecided, with 2 sizes
hint: 5 sizes are the least, and 12 are better, as n=A:B chooses them
? 2

$ awk 'BEGIN { srand(5); print "n,instructions"; for (n = 1000; n <= 64000; n *= 1.5) print int(n) "," int(n * (1 + 2 * rand())) }' > wild.csv; foretime verify --at-most n --runs wild.csv --json 2>why | jq -r '.resources[0].verdict'; sed 's/undecided;.*/undecided/' why
undecided
foretime: instructions: at most n: undecided
hint: more sizes over a wider range decide more

## a program that fails at some sizes is judged by the other ones
$ printf '#!/bin/bash\n[ $1 -gt 2000 ] && [ $1 -lt 3000 ] && exit 3\nexec ./work $1\n' > fails; chmod +x fails; foretime verify --at-most 'n log n' n=1000:64000 -r wall_s --budget 60s --runs 3 -- ./fails {n} 2>&1 | sed 's/ of .* at/ of some at/'
note: the run at n=<<2\d+>> is left out: failed with status 3
note: <<\d+>> runs are left out in all
wall_s: at most n log n: yes; a term n^2 of some at n=64000 would have been seen

$ foretime verify --at-most n n=1000:64000 -r wall_s --runs 1 -- false {n} 2>&1
note: the run at n=1000 is left out: failed with status 1
foretime: no run has a value of 'wall_s'
? 2

## a budget that ends too early
$ foretime verify --at-most n n=1:64 -r wall_s --budget 1.5s -- sleep {n} 2>&1 | tail -2
foretime: wall_s: at most n: undecided: the budget ended at n=1, before half of n=64
hint: name smaller sizes, or give more time with --budget

## what cannot be asked
$ foretime verify --at-most 'k log k' n=1:9 -- true {n}
foretime: bound 'k log k': 'k' is no parameter; there is n
hint: write its sizes as well, as in n=1000:64000
? 2

$ for bound in 'n -' '2^n' 'n / m' 'n log' 'max(n, m)' 'n^2 - n'; do foretime verify --at-most "$bound" n=1:9 m=1:9 -- true {n} {m}; done 2>&1 | grep -v hint
foretime: bound 'n -': a difference: leave out what is taken away, lower terms are free
foretime: bound '2^n': a parameter in an exponent grows faster than every power: it bounds nothing
foretime: bound 'n / m': a term falls as its parameter grows
foretime: bound 'n log': expected a parameter, as in 'log n' at 'its end'
foretime: bound 'max(n, m)': a function in it has no order among powers and logarithms
foretime: bound 'n^2 - n': a difference: leave out what is taken away, lower terms are free

$ foretime verify --at-most n n=1000,2000 -- true {n}
foretime: 2 sizes show no growth
hint: name 5 or more, or a range, as in n=1000:64000
? 2

$ foretime verify --at-most n n=1000:64000 -- true
foretime: the command does not contain {n}: every size would be the same run
hint: write {n} where the size belongs
? 2

$ foretime verify --at-most n n=100 -- true {n}
foretime: at which sizes?
hint: write a range, as in n=1000:64000
? 2

$ foretime verify --at-most n n=1:100
foretime: which program?
hint: write it behind --, as in n=1000:64000 -- PROG {n}, or name recorded runs: --runs FILE
? 2

$ foretime verify --at-most n n=1:100 -r pears -- true {n} 2>&1 | head -1
foretime: <<.*>>'pears'<<.*>>

$ foretime verify --at-most n n=1:100 --against 'true {n}' -- true {n} 2>&1 | head -1
foretime: <<.*--against.*>>

$ foretime verify --at-most n --runs a.csv -- true {n}
foretime: --runs FILE takes no program behind --: its runs are recorded
hint: leave one of them out
? 2

$ foretime verify --at-most n --runs nowhere.csv 2>&1 | head -1
foretime: <<.*nowhere.csv.*>>
