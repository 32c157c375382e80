## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime rm cubic
foretime: there is no store '<<.*>>/data/foretime/store.db' yet
hint: foretime build, run --save, import and machine load record make it; or name another one with --store PATH
? 2

$ foretime import in/cubic.csv --name cubic >/dev/null; foretime rm cubic
removed 'cubic' with 30 runs

$ foretime list
note: the store is empty: foretime build makes the first model

$ foretime rm cubic
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'cubic'
hint: it has none at all yet: foretime build, run --save and import put something there
? 2

$ foretime import in/cubic.csv --name cubic >/dev/null; foretime rm cubic --json | check-schema rm

$ foretime import in/cubic.csv --name cubic >/dev/null; foretime import in/two.csv n m --name two >/dev/null; foretime rm two --json; foretime list --format names
{
  "schema": "foretime-rm-1",
  "name": "two",
  "runs": 6,
  "keep": 0
}
cubic

$ foretime rm
foretime: missing NAME; usage: foretime rm NAME [OPTION...]
hint: foretime list shows the names
? 2

$ foretime rm two cubic
foretime: 'rm' takes one NAME, not 'cubic'
hint: foretime list shows the names, foretime rm --help the usage
? 2

## A name that none can have any more: what an older foretime stored under it can be read, and removed.
$ foretime import in/cubic.csv --name old --here -q; python3 -c 'import sqlite3; c = sqlite3.connect("data/foretime/store.db"); c.execute("UPDATE program SET name = ? WHERE name = ?", ("bad name", "old")); c.commit()'; foretime list --format names; foretime predict 'bad name' n=300 --json | jq .name; foretime export 'bad name' | grep -c done; foretime import in/cubic.csv --name 'bad name'; foretime rm 'bad name'; foretime list --format names
imported 30 runs at 10 sizes as 'old'
bad name
cubic
"bad name"
30
foretime: 'bad name' cannot be a program's name: it has a blank
hint: choose one of letters, digits and - _ . : + as in fft_v2
removed <<.*>>
cubic

## Runs are thinned: the newest of each size stay, and the sums and quantiles of all. Values by size are those of all runs.
$ awk 'BEGIN { print "n,wall_s"; for (i = 0; i < 300; i++) printf "%d,%.3f\n", 10 * (1 + i % 3), (1 + i % 3) * (1 + 0.01 * (i % 7)) }' > thin.csv; foretime import thin.csv --name thin --here -q; foretime show thin --json | jq -c '[.runs, .folded, (.sizes[] | [.runs, .least, .median, .most])]'
imported 300 runs at 3 sizes as 'thin'
[300,0,[100,1,1.03,1.06],[100,2,2.06,2.12],[100,3,3.09,3.18]]

$ foretime rm thin --keep 0
foretime: at least one run of each size is kept
? 2

$ foretime rm nothin --keep 5
foretime: the store '<<.*>>' has no program 'nothin'
hint: the nearest name is 'thin'; foretime list shows all
? 2

$ foretime rm thin --keep 5; foretime show thin --json | jq -c '[.runs, .folded, (.sizes[] | [.runs, .least, (.median * 100 | round / 100), .most])]'
removed 285 runs of 'thin'; their sums and quantiles by size are kept
[15,285,[100,1,1.03,1.06],[100,2,2.06,2.12],[100,3,3.09,3.18]]

$ foretime show thin | sed -n 4p; foretime predict thin n=20 -v | tail -n 1
runs       300, of which 15 are kept singly at 3 sizes, 0 failed, the newest at an unknown time
thin on <<.*>>: 300 runs, of which 15 are kept singly, the newest at an unknown time

$ foretime rm thin --keep 5 --json | check-schema rm; foretime rm thin --keep 5; foretime list thin --json | jq -c '.programs[] | [.runs, .folded]'
removed 0 runs of 'thin'; their sums and quantiles by size are kept
[15,285]

$ foretime rm thin
removed 'thin' with 15 runs
