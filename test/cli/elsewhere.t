## SPDX-License-Identifier: GPL-3.0-or-later
## Two machines: a program that was run here only, and programs that were run on the other one too.
## Here an instruction takes 0.5 ns, there the programs p, q and r take 0.9, 1 and 1.1 ns.
$ awk 'BEGIN { print "n,wall_s,peak_rss_bytes,instructions"; for (n = 100; n <= 3200; n *= 2) for (r = 0; r < 2; r++) printf "%d,%.9g,%d,%.9g\n", n, 5e-9*n^2*(1+0.01*r), 1e6+8*n, 10*n^2 }' > mine.csv
$ awk 'BEGIN { print "# machine: 00000000000000aa\n# host: far\n# threads: 64\n# memory_bytes: 1e12\n# hash: 1234\nn,wall_s,instructions"; for (n = 100; n <= 3200; n *= 2) printf "%d,%.9g,%.9g\n", n, 9e-9*n^3, 10*n^3 }' > p.csv
$ head -6 p.csv > q.csv; awk 'BEGIN { for (n = 100; n <= 3200; n *= 2) printf "%d,%.9g,%.9g\n", n, 1e-8*n^2, 10*n^2 }' >> q.csv
$ head -6 p.csv > r.csv; awk 'BEGIN { for (n = 100; n <= 3200; n *= 2) printf "%d,%.9g,%.9g\n", n, 1.1e-8*n, 10*n }' >> r.csv

$ foretime import mine.csv --name mine --here
imported 12 runs at 6 sizes as 'mine'

$ foretime predict mine n=1000 --machine far
foretime: nothing was run on a machine 'far'
hint: export some runs with instructions there and import them here, or state its cycles with --cpi C,hz=F
? 2

$ for f in p q r; do foretime import $f.csv --name $f; done
imported 6 runs at 6 sizes as 'p'
imported 6 runs at 6 sizes as 'q'
imported 6 runs at 6 sizes as 'r'

$ foretime predict mine n=1600 --machine far
mine: wall time on far
   n  typical  90 % of runs  basis  source
1600  25.<<\d>> ms  <<[\d.]+>> ms .. <<[\d.]+>> ms  estimated  instructions of <<\S+>>, cycles of far

$ foretime predict mine n=1600 --machine far -v | grep instruction,
997 ps an instruction, as 3 programs there take

$ foretime predict mine n=1600 --machine 00000000000000aa --csv | cut -d, -f1,6
n,basis
1600,estimated

$ foretime predict mine n=1600 --machine far --json | check-schema predict

$ foretime predict mine n=1600 --machine far --json | grep -E '"(source|host|fingerprint|threads)"'
    "fingerprint": "00000000000000aa",
    "host": "far",
    "threads": 64,
      "source": "instructions of <<\S+>>, cycles of far",

## Memory and instructions carry over as they are.
$ foretime predict mine n=1600 --machine far --resource peak_rss_bytes --csv | cut -d, -f1,2,6
n,value,basis
1600,1012<<(799|800)(\.\d+)?>>,measured

$ foretime predict mine n=1600 --machine far --resource instructions --csv | cut -d, -f2
value
<<(25599|25600)\d\d\d(\.\d+)?>>

## Cycles that are stated: 2 cycles per instruction, 1 GHz, half of it to be had.
$ foretime predict mine n=1600 --machine far --cpi 2,hz=1e9 --csv | cut -d, -f2
value
<<0\.05(12|11999)\d*>>

$ foretime predict mine n=1600 --machine unheard --cpi 2,hz=1e9,available=50% --csv | cut -d, -f2
value
<<0\.10(24|23999)\d*>>

$ foretime predict mine n=1600 --machine unheard --cpi 2,hz=1e9 --json | check-schema predict

$ foretime predict mine n=1600 --machine far --cpi available=50% --csv | cut -d, -f2
value
0.051<<\d*>>

## What cannot be known.
$ foretime predict mine n=1600 --machine far --cpi 2
foretime: the clock rate of 'far' is not known
hint: state it with --cpi hz=3e9
? 2

$ foretime predict mine n=1600 --cpi 2,hz=1e9
foretime: --cpi, hz and available are of which machine?
hint: name it with --machine; any word will do when cpi and hz are stated
? 2

$ foretime import in/cubic.csv --name cubic --here >/dev/null; foretime predict cubic n=500 --machine far
foretime: the instructions of 'cubic' are not known
hint: count them (foretime machine info shows how), or state them: foretime set cubic --law instructions='...'
? 1

$ foretime program set cubic --law instructions='100*n^3'; foretime predict cubic n=500 --machine far --csv
n,value,accuracy,lower,upper,basis,distance
500,12.<<\d+>>,,,,estimated,1

$ foretime program set mine --require memory=2TB; foretime predict mine n=100 --machine far --csv 2>&1 | head -1
note: 1.82 TiB of memory are required, and far has 931 GiB

## Runs of one program from two machines are of one program, when its executable is the same.
$ foretime run --save both n=1 -- true; foretime export both | sed 's/^# machine: .*/# machine: 00000000000000bb/; s/^# host: .*/# host: second/' > both.csv; foretime import both.csv --name both
imported 1 run at 1 size as 'both'

$ foretime list both | grep -c both
2

$ foretime show both -v | grep -E '^(runs|also)'
runs       1 at 1 size, 0 failed, the newest <<.*>>
also       1 runs on second

## And when it is another one there, each machine has its own.
$ sed -i 's/^# hash: .*/# hash: ffff/; s/^# machine: .*/# machine: 00000000000000cc/; s/second/third/' both.csv; foretime import both.csv --name both >/dev/null 2>&1; foretime predict both n=1 -v | grep ^both.on
both on <<(?!third).*>>: 1 run, the newest <<.*>>

$ foretime predict both n=1 --machine third -v | grep "^both on"
both on third<<.*>>: 1 run, the newest <<.*>>
