## SPDX-License-Identifier: GPL-3.0-or-later
## A program that comes with very many runs has its models when they are stored: answers are those of models that the first question makes.
$ awk 'BEGIN { print "n,wall_s,peak_rss_bytes"; s = 7; for (i = 0; i < 100000; i++) { s = s * 16807 % 2147483647; n = 100 + 10 * (i * 79 % 500); printf "%d,%.6g,%d\n", n, 1e-4 * n * (1 + 0.05 * s / 2147483647), 1e6 + 4096 * n } }' > all.csv; sed -n '1p;2,60000p' all.csv > one.csv; sed -n '1p;60001,$p' all.csv > two.csv
> foretime import all.csv --name many --here; foretime import one.csv --name many --here --store other.db > first; foretime import two.csv --all --name many --here --store other.db > second; cksum data/foretime/store.db other.db > before
imported 100000 runs at 500 sizes as 'many'
$ for store in data/foretime/store.db other.db; do foretime show many -v --store $store; foretime predict many n=345,4000,20000 -v --store $store; foretime predict many n=777 -r memory --store $store; done > both; lines=$(($(wc -l < both) / 2)); head -$lines both > prepared; tail -$lines both | cmp - prepared && grep '^runs' prepared
runs       100000 at 500 sizes, 0 failed, the newest at an unknown time

## nothing was left for these questions to store, but in the other store
$ cksum data/foretime/store.db other.db | join -j 3 - before | awk '{ print $2 == $4 && $3 == $5 }'
1
0
