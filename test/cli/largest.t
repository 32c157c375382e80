## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime largest cubic time=0.3s memory=8GiB
largest n: <<6[5-6]\d>>

resource        limit  typical  90 % of runs below  basis
wall_s          0.3s  <<29\d ms>>  <<(299|300) ms>>  interpolated  binds
peak_rss_bytes  8GiB  <<4\.\d+ MiB>>  <<4\.\d+ MiB>>  interpolated

## the answer keeps the limit, and the next size does not
$ n=$(foretime largest cubic time=0.3s --confidence 95% --json | sed -n 's/^  "largest": \([0-9]*\),$/\1/p')
> foretime predict cubic n=$n:$((n + 1)) --confidence 90% --csv | awk -F, 'NR > 1 { print ($5 <= 0.3) }'
1
0

$ foretime largest cubic time=1h
largest n: <<1\d{4}, extrapolated 1\d(\.\d)?x>>

resource  limit  typical  90 % of runs below  basis
wall_s  1h  <<.* min.*>>  <<extrapolated .*x>>  binds

$ foretime largest cubic peak_rss_bytes=5MB wall_s=1h | tail -2 | awk '{ print $1, $2, $NF }'
peak_rss_bytes 5MB binds
wall_s 1h interpolated

$ foretime largest cubic time=0.3s memory=8GiB --json | check-schema largest

$ foretime largest cubic memory=1k
foretime: not even n=100 fits: there peak_rss_bytes is up to <<.*>>, and the limit 1.00 KiB
hint: measure smaller sizes with foretime build, or allow more
? 1

$ foretime largest cubic memory=1k --json 2>/dev/null | check-schema largest

## one size tells of no growth
$ printf 'n,wall_s\n20,0.5\n20,0.5\n' > one.csv; foretime import one.csv --name one --here; foretime predict one n=100 --csv | cut -d, -f6,7; foretime largest one time=10s
imported 2 runs at 1 size as 'one'
basis,distance
extrapolated,5
largest n: <<\d\d, extrapolated [\d.]+x>>
resource  limit  typical  90 % of runs below  basis
wall_s      10s  <<[\d.]+ s>>  <<(9\.\d\d|10\.0) s>>  <<extrapolated .*x>>  binds

## what does not grow limits nothing
$ printf 'n,wall_s,peak_rss_bytes\n10,0.5,3e6\n20,0.5,3e6\n40,0.5,3e6\n80,0.5,3e6\n' > flat.csv; foretime import flat.csv --name flat --here
imported 4 runs at 4 sizes as 'flat'

$ foretime largest flat time=60s memory=8GiB
foretime: wall_s does not limit n: it does not grow with it (500 ms at n=80, the largest measured; the limit is 1 min 00 s)
foretime: peak_rss_bytes does not limit n: it does not grow with it (2.86 MiB at n=80, the largest measured; the limit is 8.00 GiB)
hint: measure larger sizes with foretime build, or set a lower limit
? 1

$ foretime largest flat time=60s --json 2>/dev/null | check-schema largest

## a hump: the largest size is before it, and larger ones are told
$ printf 'n,wall_s\n' > hump.csv; for n in 100 200 300 400 500 600 700; do for i in 1 2 3; do case $n in 400 | 700) t=2 ;; *) t=0.5 ;; esac; echo $n,$t; done; done >> hump.csv
> foretime import hump.csv n=100:700:100 --name hump --here
imported 21 runs at 7 sizes as 'hump'

$ foretime largest hump time=1s
largest n: 300

resource  limit  typical  90 % of runs below  basis
wall_s  1s  500 ms  <<\d+ ms>>  measured  binds

n=400 does not fit; larger sizes fit again, from n=500 to 600

## a pool that doubles: the next rise is expected, and what lies between two levels that fit is told
$ awk 'BEGIN { print "n,peak_rss_bytes"; split("16 60 66 120 131 250 260 500 518 1000 1040 1400 2000 2100 3000 4000", at)
>   for (i = 1; i <= 16; i++) for (k = 0; k < 3; k++) { b = 256000; while (b < at[i] * 64000) b *= 2; print at[i] "," b + 2000 * k } }' > pool.csv
> foretime import pool.csv n=16:4096 --name pool --here
imported 48 runs at 16 sizes as 'pool'

$ foretime largest pool memory=400MB
largest n: <<4[01]\d\d, extrapolated 1\.\d+x>>

resource        limit  typical  90 % of runs below  basis
peak_rss_bytes  400MB  250 MiB  <<2\d\d MiB  extrapolated 1\.\d+x>>  binds

between measured sizes, from n=20<<\d\d>> to 20<<\d\d>>, a run may not fit

$ foretime largest pool memory=400MB --json | check-schema largest

$ foretime predict pool n=40000 -r memory --csv | awk -F, 'NR > 1 { print ($4 < 4.2e9 && $5 > 4.2e9 && $2 > 1.5e9) }'
1

## runs that were killed for memory
$ printf 'n,wall_s,outcome\n10,1,done\n20,2,done\n40,4,done\n80,,out of memory\n100,,out of memory\n' > killed.csv; foretime import killed.csv --name killed --here
imported 5 runs at 5 sizes as 'killed'

$ foretime largest killed time=1h
largest n: 79, extrapolated 1.98x

resource  limit  typical  90 % of runs below  basis
wall_s  1h  <<\S+ s>>  <<\S+ s>>  extrapolated 1.98x

a run at n=80 was killed for memory: no size from there on fits, and below it no size beyond the largest measured is known to
from n=80 on no run ended well: out of memory

$ foretime largest killed time=1h --json | grep -E '"(killed|binds_killed|largest)":'
  "largest": 79,
  "killed": 80,
  "binds_killed": true,

## other parameters
$ foretime import in/two.csv --name two n m --here
imported 6 runs at 6 sizes as 'two'

$ foretime largest two time=0.5s m=1 --json | grep -E '^  "(answer|parameter)"'
  "parameter": "n",
  "answer": "found",

## several parameters: of one without a value, for each value of the others; of two, those that fit together
$ awk 'BEGIN { print "np,nx,wall_s,peak_rss_bytes"; for (np = 32; np <= 128; np += 32) for (nx = np; nx <= 256; nx += 32) print np "," nx "," 1e-3 + 2e-8 * np ^ 3 + 1e-9 * nx ^ 3 * log(nx) "," 4e6 + 72 * np ^ 3 + 24 * nx ^ 3 }' > pm.csv
> foretime build pm np=32:128:32 nx=32:256:32 --where 'np <= nx' --method naive --replay pm.csv --here | grep holes
holes: 6 combinations left out, not admitted

$ foretime largest pm time=50ms memory=200MB nx=64,128,160:256:32
largest np; 90 % of runs below the values

 nx    np   wall_s  peak_rss_bytes  bound by
 64    64  <<[78]\.\d+>> ms        <<2\d\.\d>> MiB  np <= nx
128    96  <<\d+\.\d>> ms         <<1\d\d>> MiB  wall_s, peak_rss_bytes
160    96  <<\d+\.\d>> ms         <<1\d\d>> MiB  <<.*peak_rss_bytes>>
192    64  <<4\d\.\d>> ms         <<1\d\d>> MiB  <<.*peak_rss_bytes>>
224  none                           <<.*peak_rss_bytes>>
256  none                           wall_s, peak_rss_bytes

$ foretime largest pm time=50ms memory=200MB
largest np and nx together; 90 % of runs below the values

np   nx   wall_s  peak_rss_bytes  bound by
64  192  <<4\d\.\d>> ms         <<1\d\d>> MiB  <<.*peak_rss_bytes>>
96  160  <<4\d\.\d>> ms         <<1\d\d>> MiB  <<.*peak_rss_bytes>>

$ foretime largest pm time=50ms nx=64,128 --json | check-schema largest

$ foretime largest pm time=50ms --json | check-schema largest

$ foretime largest pm time=50ms nx=64 --json | check-schema largest

$ foretime largest pm time=50ms nx=64 | tail -1
no larger np meets np <= nx

$ foretime largest pm time=50ms nx=8
foretime: no np meets np <= nx there
hint: give the other parameters values that allow one
? 1

$ foretime largest pm time=50ms nx=512,1024 | tail -2
 512  none          wall_s
1024  none          wall_s

$ foretime largest pm time=1us
foretime: not even nx=32 fits: there wall_s is up to <<.*>>, and the limit 1.00 us
hint: measure smaller sizes with foretime build, or allow more
? 1

$ foretime largest pm time=50ms np=16 nx=16
foretime: every parameter has a value: no parameter is left to maximise
hint: leave out the one to maximise, or use foretime predict
? 2

$ foretime largest pm time=50ms nx=16,
foretime: '' is not a range for parameter 'nx'
hint: write a value (nx=2048, nx=10k, nx=1_000_000), a range with or without a stride or a factor (nx=64:3000, nx=64:3000:8, nx=64:4096:*2), or a list (nx=64,512,4096)
? 2

$ printf 'a,b,c,d,wall_s\n1,1,1,1,1\n2,1,1,1,2\n1,2,1,1,2\n1,1,2,1,2\n1,1,1,2,2\n2,2,2,2,9\n' > four.csv; foretime import four.csv --name four a b c d --here
imported 6 runs at 6 sizes as 'four'

$ foretime largest four time=5s d=1 
largest a, b and c together; 90 % of runs below the values
a  b  d  c  wall_s             bound by
1  1  1  4  <<.* extrapolated .*x>>  wall_s
...
4  1  1  1  <<.* extrapolated .*x>>  wall_s

$ foretime largest four time=5s c=1 d=1,2
foretime: a and b have no value: each other parameter takes one value then, not several
hint: give a a value, or one value to each of the others
? 2

## wrong use
$ foretime largest
foretime: missing NAME; usage: foretime largest NAME time=60s [memory=8GiB] [RESOURCE=VALUE...] [m=100|m=100,200|m=100:500:100] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime largest time=5s
foretime: missing NAME; usage: foretime largest NAME time=60s [memory=8GiB] [RESOURCE=VALUE...] [m=100|m=100,200|m=100:500:100] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime largest cubic
foretime: the largest n that fits what?
hint: write foretime largest cubic time=60s, memory=8GiB, or both
? 2

$ foretime largest cubic 60s
foretime: '60s' is no limit
hint: write time=60s, memory=8GiB, or a resource as in cpu_s=1h; m=100 for another parameter
? 2

$ foretime largest cubic n=5 time=1s
foretime: 'n' is the parameter to maximise: it takes no value
hint: leave 'n' out
? 2

$ foretime largest cubic time=soon
foretime: limit 'time=soon': 'soon' is not a duration
hint: write seconds or a unit (us, ms, s, m, h, d), as in 30s, 1.5h or 1h30m, or [days-]hours:minutes:seconds
? 2

$ foretime largest cubic time=0
foretime: limit 'time=0' is not positive
? 2

$ foretime largest cubic time=1s wall_s=2s
foretime: there are two limits on wall_s
? 2

$ foretime largest cubic wal_s=1s
foretime: no run of 'cubic' has a value of 'wal_s'
hint: the nearest resource is wall_s
? 2

$ foretime largest cubic energy_j=5kJ
foretime: no run of 'cubic' has a value of 'energy_j'
hint: there are values of time (wall_s), memory (peak_rss_bytes)
? 2

$ foretime largest cubic time=5s --confidence 60%
foretime: option --confidence: '60%' is not between 75 % and 99.95 %
hint: write a share as in 5% or 0.05, from 75 % to 99.95 %
? 2

$ foretime largest cubik time=5s
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'cubik'
hint: the nearest name is 'cubic'; foretime list shows all
? 2

$ foretime build none n=1:2 --runs 2:2 -- false {n} >/dev/null 2>&1; foretime largest none time=1s
foretime: no run of 'none' ended well: there is no model
hint: see how they ended: foretime show none
? 1

## values by a factor, and a list
$ perl -e 'print "n,m,wall_s\n"; for $n (16, 32, 64, 128, 256) { for $m (10, 20, 50, 100) { print "$n,$m,", $n * $m * 1e-3 * $_, "\n" for 1, 1.01 } }' > two.csv; foretime build two n=16:256:*2 m=10,20,50,100 --replay two.csv --method naive --here > /dev/null; foretime largest two time=2s | tail -5
 n    m  wall_s  bound by
 16 100 <<[\d.]+>> s the list
 32 50 <<[\d.]+>> s wall_s
 64 20 <<[\d.]+>> s wall_s
128 10 <<[\d.]+>> s wall_s

$ foretime largest two time=2s n=16,256 --json > two.json; check-schema largest < two.json; grep -E '"(largest|binds_list)":' two.json
      "largest": 100,
      "binds_list": true,
      "largest": null,
      "binds_list": false,

$ foretime largest two time=2s m=10 | head -1
largest n: 128

## under a load
$ foretime largest cubic time=1s --load now | head -1; foretime largest cubic time=1s --load now --json | check-schema largest
largest n: <<\d+>> under the present load
...

$ foretime largest cubic time=1s --load later
foretime: option --load: 'later' is none of its words
hint: write idle, usual or now
? 2

## Times as Slurm and people write them.
$ for t in 5400 1.5h 1h30m '1h 30m' 90:00 1:30:00 0-01:30 0-01:30:00 PT1H30M '1 h 30 min'; do foretime largest cubic time="$t" --json | jq .largest; done | uniq | wc -l
1
