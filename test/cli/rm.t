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
  "runs": 6
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
