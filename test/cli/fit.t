## SPDX-License-Identifier: GPL-3.0-or-later
## a table as import takes it: the law, what it means, how far it holds
$ foretime fit in/cubic.csv n=8192
law     wall_s [s] = 1e-09*n^3
class   n^3 (1.00), not n^2 log n (0.00); doubling n: 8x as long
holds   n = 100 .. 1000: exact, noise 1 %, 10 sizes, 30 runs

   n  value       lower       upper  predict  its lower  its upper
8192  9 min 10 s  <<[89] min \d\d s>>  <<9 min \d\d s>>  <<[89] min \d\d s>>  <<[78] min \d\d s>>  <<\d+ min \d\d s>>
90 % of runs lie between lower and upper

$ foretime fit in/cubic.csv --resource peak_rss_bytes
law     peak_rss_bytes [bytes] = 8*n^2 + 1e+06
class   n^2 (1.00), not n^1.5 (0.00); doubling n: <<[\d.]+>>x as much
holds   n = 100 .. 1000: exact, 10 sizes, 30 runs

$ foretime fit in/cubic.csv --json n=8192,2000:4000:1000 > j; check-schema fit < j; jq -c '[.fits[0].predictions[].n]' j
[8192,2000,3000,4000]

## a program in the store
$ foretime import in/cubic.csv --name cubic --here
imported 30 runs at 10 sizes as 'cubic'

## with -v also which runs, and the weights of all classes
$ foretime fit cubic n=2000 -v | head -7
cubic on <<.*>>: 30 runs, the newest at an unknown time
law     wall_s [s] = 1e-09*n^3
class   n^3 (1.00), not n^2 log n (0.00); doubling n: 8x as long
holds   n = 100 .. 1000: exact, noise 1 %, 10 sizes, 30 runs

class  weight
n^3      1.00

$ foretime fit cubic n=2000 --json | check-schema fit

## the law, and beside it what predict returns for the same samples
$ foretime fit cubic n=20000 --json | jq -c '.fits[0].predictions[0] | [.predicted, .predicted_lower, .predicted_upper]' > a; foretime predict cubic n=20000 --json | jq -c '.predictions[0] | [.value, .lower, .upper]' > b; cmp a b

$ foretime fit cubic n=20000 --json | jq '.fits[0].predictions[0].predicted' > a; foretime fit in/cubic.csv n=20000 --json | jq '.fits[0].predictions[0].predicted' > b; cmp a b

$ foretime fit cubic n=1000,1000000 | tail -2
they differ at n > 1000: the interval of the law assumes that the law continues;
predict also allows for growth that changes

$ foretime fit cubic n=1000 --mean | tail -1
90 % of means lie between lower and upper

## a word with '=' behind no parameter's name may be a program's
$ foretime import in/cubic.csv --name '<ab&1>' --here
imported 30 runs at 10 sizes as '<ab&1>'

$ foretime fit '<ab&1>' --json | jq -r .name; foretime predict '<ab&1>' n=300 --json | jq -r .name; foretime largest '<ab&1>' time=1h --json | jq -r .name; foretime request '<ab&1>' n=300 --json | jq -r .name
<ab&1>
<ab&1>
<ab&1>
<ab&1>

$ foretime fit n=300
foretime: missing NAME; usage: foretime fit NAME [n=SIZE...] [OPTION...]
hint: foretime list shows the names
? 2

## the order of the rows changes nothing
$ (head -1 in/cubic.csv; tail -n +2 in/cubic.csv | sort -r) > turned.csv; foretime fit in/cubic.csv n=5000 --json | sed 1,3d > a; foretime fit turned.csv n=5000 --json | sed 1,3d > b; cmp a b

## any table of two columns; a law reads back as an expression
$ printf 'a,b\n1,2\n2,4\n3,6\n4,8\n' > two.csv; foretime fit two.csv
law     b = 2*a
class   a (1.00), not <<.*>>; doubling a: 2x as much
holds   a = 1 .. 4: exact, 4 sizes, 4 runs

$ foretime import in/cubic.csv --name worked --work "$(foretime fit in/cubic.csv | sed -n 's/^law .* = //p')"
imported 30 runs at 10 sizes as 'worked'

## two terms where the runs call for them
$ awk -v CONVFMT=%.17g 'BEGIN { print "n,instructions"; for (n = 64; n <= 65536; n *= 2) print n "," 12 * n * log(n) / log(2) + 37 * n + 1000 }' > fft.csv; foretime fit fft.csv -v | head -4
law     instructions = 12*n*log2(n) + 37*n + 1000
class   n log n (1.00), not <<.*>>
holds   n = 64 .. 65536: exact, 11 sizes, 11 runs
terms   two: by the noise of single sizes no law of one term passes through them

## a cache edge
$ awk -v CONVFMT=%.17g 'BEGIN { print "n,wall_s"; for (n = 64; n <= 65536; n *= 2) print n "," (n < 4000 ? 1e-9 : 4e-9) * n * n }' > edge.csv; foretime fit edge.csv | grep -E '^(law|breaks)'
law     wall_s [s] = 4e-09*n^2
breaks  at n = 4096: up to 2048 it is 1e-09*n^2

$ foretime fit edge.csv --json n=100 n=100000 | check-schema fit

## what falls, any power, exponentials, factorials; the law reads back as an expression
$ printf 'p,wall_s\n1,100.5\n2,50.5\n4,25.5\n8,13\n16,6.75\n' > share.csv; foretime fit share.csv p=64 | head -3
law     wall_s [s] = 100/p + 0.5
class   p^(-1) (1.00), not <<.*>>; doubling p: 0.537x as long
holds   p = 1 .. 16: exact, 5 sizes, 5 runs

$ awk -v CONVFMT=%.17g 'BEGIN { print "n,wall_s"; for (n = 64; n <= 4096; n *= 2) print n "," 3e-9 * n ^ 2.63 + 0.01 }' > odd.csv; foretime fit odd.csv n=8192 | head -3
law     wall_s [s] = 3e-09*n^2.63 + 0.01
class   n^2.63 (1.00), not <<.*>>
holds   n = 64 .. 4096: exact, 7 sizes, 7 runs

$ awk -v CONVFMT=%.17g 'BEGIN { print "n,wall_s"; for (n = 8; n <= 48; n += 8) print n "," 2 ^ (n / 4) + 1 }' > doubling.csv; foretime fit doubling.csv
law     wall_s [s] = 1*2^(n/4) + 1
class   2^(n/4) (1.00), not <<.*>>
holds   n = 8 .. 48: exact, 6 sizes, 6 runs

$ awk 'BEGIN { print "n,wall_s"; f = 24; for (n = 5; n <= 10; n++) { f *= n; print n "," f } }' > orders.csv; foretime fit orders.csv --json n=12 | tee j | check-schema fit; jq -c '.fits[0].classes[0] | [.class, .power, .factorial]' j
["n!",0,1]

## strong scaling
$ awk -v CONVFMT=%.17g 'BEGIN { print "nx,np,wall_s"; for (n = 64; n <= 1024; n *= 2) for (p = 1; p <= 16; p *= 2) print n "," p "," 4e-6 * n * n / p + 0.02 }' > strong.csv; foretime fit strong.csv nx np
law     wall_s [s] = 4e-06*nx^2/np + 0.02
class   doubling nx: <<[\d.]+>>x, doubling np: <<0[\d.]+>>x as long
holds   nx = 64 .. 1024, np = 1 .. 16: exact, 25 sizes, 25 runs

## what does not grow, what is 0, what is 0 at first
$ printf 'n,wall_s\n10,2\n20,2\n40,2\n80,2\n80,2\n' > flat.csv; foretime fit flat.csv n=1e6 | grep -E '^(law|class  +c|100)'
law     wall_s [s] = 2
class   constant (1.00), not <<.*>>
1000000  2.00 s  2.00 s  2.00 s  <<.*>>

$ printf 'n,peak_rss_bytes\n10,0\n20,0\n40,0\n' > zero.csv; foretime fit zero.csv n=100 | grep -E '^(law|100)'
law     peak_rss_bytes [bytes] = 0
100  0 B  0 B  0 B  0 B  0 B  0 B

$ printf 'n,wall_s\n1,0\n2,0\n4,16\n8,64\n16,256\n32,1024\n' > late.csv; foretime fit late.csv n=1 -v | grep -E '^(law|zeros|1 )'
law     wall_s [s] = 1*n^2
zeros   below n = 4 it is 0
1  0 s  0 s  0 s  0 s  0 s  <<.*>>

## the classes of document 002
$ foretime fit in/cubic.csv --class power n=8192 -v
law     wall_s [s] = 1e-09*n^3
class   doubling n: 8x as long
holds   n = 100 .. 1000: exact, noise 1 %, 10 sizes, 30 runs
power   3 of n

   n  value       lower       upper       predict  its lower  its upper
8192  9 min 10 s  9 min 10 s  9 min 10 s  <<\d+ min \d\d s>>  <<\d+ min \d\d s>>  <<\d+ min \d\d s>>
90 % of runs lie between lower and upper

$ foretime fit in/cubic.csv --class polylog -r peak_rss_bytes n=2000 --json | check-schema fit

## residuals as document 002 prints them; the power with its interval
$ printf 'n,wall_s\n16,1\n32,2.1\n64,3.9\n128,8.2\n256,15.7\n' > line.csv; foretime fit line.csv --class power -v
law     wall_s [s] = 0.06525*n^0.9911
class   doubling n: 1.99x as long
holds   n = 16 .. 256: accuracy 2.47 %, 5 sizes, 5 runs
errors  2.47 % on average, 3.61 % at most
leaves  R = 317 ms over the sizes, the root of the sum of squares; of logarithms 0.0<<\d+>>
power   0.99106 of n; with 90 % confidence between 0.9<<\d+>> and 1.0<<\d+>>

$ foretime fit line.csv -v | grep -E '^(law|leaves)'
law     <<.*n.*>>
leaves  R = <<\d+>> ms over the sizes, the root of the sum of squares; of logarithms 0.0<<\d+>>

$ foretime fit line.csv --class power --json | tee j | check-schema fit; jq -c '.fits[0] | [.power_lower < .power, .power < .power_upper, .residual_ln < 0.1, .residual < 1]' j
[true,true,true,true]

## terms, and values, of either sign
$ awk -v CONVFMT=%.17g 'BEGIN { print "n,share"; for (n = 8; n <= 4096; n *= 2) print n "," 0.02 * log(n) / log(2) - 5e-5 * n }' > signed.csv; foretime fit signed.csv --class signed n=8192 -v
law     share = 0.02*log2(n) - 5e-05*n
holds   n = 8 .. 4096: exact, 10 sizes, 10 runs

law  weight
0.02*log2(n) - 5e-05*n << *[\d.]+>>

   n  value   lower   upper  predict  its lower  its upper
8192  -0.15  -0.15  -0.15  <<[\d.]+>>  <<[\d.]+>>  <<[\d.]+>>
90 % of runs lie between lower and upper
they differ at n > 4096: predict is for costs, which are never negative

$ foretime fit signed.csv --class signed --json n=8192 | tee j | check-schema fit; jq -c '.fits[0] | [.class, (.candidates | length > 0), .residual_ln]' j
[null,true,null]

## two parameters
$ awk -v CONVFMT=%.17g 'BEGIN { print "n,m,wall_s"; for (n = 64; n <= 1024; n *= 2) for (m = 4; m <= 64; m *= 2) print n "," m "," 2e-9 * n * n * m + 3e-6 * n + 0.01 }' > many.csv; foretime fit many.csv n m n=8192 m=512
law     wall_s [s] = 2e-09*n^2*m + 3e-06*n + 0.01
class   doubling n: 3.75x, doubling m: 1.91x as long
holds   n = 64 .. 1024, m = 4 .. 64: exact, 25 sizes, 25 runs

   n    m  value       lower       upper       predict  its lower  its upper
8192  512  1 min 09 s  1 min 09 s  1 min 09 s  1 min <<\d\d s>>  <<[\d.]+ s>>  1 min <<\d\d s>>
90 % of runs lie between lower and upper
they differ at n > 1024, m > 64: the interval of the law assumes that the law continues;
predict also allows for growth that changes

$ foretime fit many.csv n=8192 m=512 --json | check-schema fit

$ foretime import many.csv n m --name many --here; foretime fit many n=100 m=100 | head -3
imported 25 runs at 25 sizes as 'many'
law     wall_s [s] = 2e-09*n^2*m + 3e-06*n + 0.01
class   doubling n: <<[\d.]+x>>, doubling m: <<[\d.]+x>> as long
holds   n = 64 .. 1024, m = <<\d+>> .. 64: exact, 25 sizes, 25 runs

## many laws at once
$ awk 'BEGIN { print "program,n,wall_s"; for (p = 1; p <= 3; p++) for (n = 64; n <= 1024; n *= 2) print "p" p "," n "," n ^ p; print "p4,1,1" }' > by.csv; foretime fit by.csv --by program n=8192
group  runs  sizes  accuracy  value  lower  upper  class                             law
p1        5      5  <<.*>>  n (1.00), not <<.*>>  1*n
p2        5      5  <<.*>>  n^2 (1.00), not <<.*>>  1*n^2
p3        5      5  <<.*>>  n^3 (1.00), not <<.*>>  1*n^3
p4        1         unknown  unknown  unknown  there is one size only: any law passes through it

$ foretime fit by.csv --by program n=8192 --json | check-schema fit

## no law
$ printf 'n,wall_s\n10,1\n10,1.1\n10,1.2\n' > one.csv; foretime fit one.csv
foretime: there is one size only: any law passes through it
hint: measure more sizes, five or more over a factor of 16 or more
? 1

$ foretime fit one.csv --json 2>/dev/null | check-schema fit

$ printf 'n,wall_s\n10,1\n20,0\n30,2\n' > again.csv; foretime fit again.csv
foretime: the value is 0 at size 20, and it is not at size 10: no law is 0 again
? 1

$ printf 'n,wall_s\n10,900\n20,1\n30,1000\n40,2\n50,800\n60,1\n70,700\n80,3\n' > wild.csv; foretime fit wild.csv
foretime: wall_s obeys no law: the nearest one misses the sizes by <<\d+>> %
hint: plot the runs; where another parameter changes between them, name it too, or fit a part of the sizes
? 1

$ foretime fit wild.csv --json 2>/dev/null | check-schema fit

$ printf 'n,wall_s\n10,1\n20,-3\n' > minus.csv; foretime fit minus.csv
foretime: minus.csv:3: a value of -3 is negative: laws are of costs
hint: --class signed is of values and terms of either sign
? 2

## wrong use
$ foretime fit
foretime: missing NAME; usage: foretime fit NAME [n=SIZE...] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime fit cubic --class exp
foretime: option --class: 'exp' is none of its words
hint: write laws, power, polylog or signed
? 2

$ foretime fit cubic --terms 4
foretime: option --terms: '4' is not a whole number in range
hint: write one from 1 to 3
? 2

$ foretime fit cubic --terms 2 --class power
foretime: terms are of the class laws only
? 2

$ foretime fit cubic --confidence 10%
foretime: option --confidence: '10%' is not between 50 % and 99.95 %
hint: write a share as in 5% or 0.05, from 50 % to 99.95 %
? 2

$ foretime fit cubic 8192
foretime: '8192' is not a size: of which parameter?
hint: write n=8192
? 2

$ foretime fit cubic m=3
foretime: the runs do not differ in a parameter 'm'
hint: laws here are of n
? 2

$ foretime fit cubic --by n
foretime: --by is for tables; 'cubic' is a program
? 2

$ foretime fit cubic -r wal_s
foretime: no run of 'cubic' has a value of 'wal_s'
hint: the nearest resource is wall_s
? 2

$ foretime fit many.csv n m n=5
foretime: no value for parameter 'm'
? 2

$ foretime fit many.csv n m --terms 2
foretime: class and terms are for laws of one parameter; these are of 2
? 2

$ foretime fit many.csv q
foretime: 'many.csv': there is no column 'q'
hint: its columns are n, m, wall_s
? 2

$ printf 'a,b,c\n1,2,3\n' > three.csv; foretime fit three.csv
foretime: 'three.csv': which column has the values? name it with --resource
hint: its columns are a, b, c
? 2

$ foretime fit three.csv -r c
foretime: 'three.csv': which column has the sizes? name it behind the file
hint: its columns are a, b, c
? 2

$ foretime fit three.csv -r z
foretime: 'three.csv': there is no column 'z'
hint: its columns are a, b, c
? 2

$ foretime fit none.csv
foretime: cannot open 'none.csv': <<.*>>
...
? 2

$ printf 'n,wall_s\n10,abc\n' > word.csv; foretime fit word.csv
foretime: <<.*>>: 'abc' is not a number
...
? 2

$ foretime fit nobody
foretime: the store <<.*>> has no program 'nobody'
...
? 2

## what falls as an exponential is named so, and not as the power that is nearest: 10 exp(-0.3 n) + 2, some 1 % of noise
$ awk 'BEGIN { print "n,wall_s"; for (n = 1; n <= 21; n += 2) for (r = 0; r < 3; r++) printf "%d,%.9g\n", n, (2 + 10*exp(-0.3*n))*(1 + 0.01*sin(7*n + 3*r)) }' > decay.csv; foretime fit decay.csv
law     wall_s [s] = 10.06*2^(-0.4352*n) + 2.003
class   2^(-0.4352*n) (1.00), not log n (0.00)<<.*>>
holds   n = 1 .. 21: accuracy 0.334 %, noise 0.619 %, 11 sizes, 33 runs
