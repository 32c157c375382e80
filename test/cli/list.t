## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime list
note: the store is empty: foretime build makes the first model

$ foretime list --json
{
  "schema": "foretime-list-1",
  "programs": []
}

$ foretime list --format names

$ foretime import in/cubic.csv --name cubic >/dev/null; foretime list
name   runs  failed  sizes  machine    last run
cubic    30       0     10  elsewhere  unknown

$ foretime import in/two.csv --name atwo n m >/dev/null; foretime list --format names
atwo
cubic

$ foretime list --limit 1
name  runs  failed  sizes  machine    last run
<<atwo .*>>
note: 2 names in all: --after 'atwo' goes on

$ foretime list --after atwo --format names
cubic

$ foretime list --search WO --json >told; check-schema list <told; grep -c '"found"' told
0
? 1

$ foretime list --limit 1 --json | grep found
  "found": 2

$ foretime list --search nothing
note: no program has that in its name

$ foretime list --traces
note: no run is stored with its trace: foretime run --save NAME,keep-trace keeps one

$ foretime run n=1 --save kept,keep-trace -- sleep 0.1 2>/dev/null; foretime list --traces --format names; foretime list --traces --json | grep -c '"name"'
kept
1

$ foretime list --traces --limit 3
foretime: programs with traces are listed whole: leave out search, after and limit
? 2

$ foretime list cubic --search c
foretime: search, after and limit are for all names, and 'cubic' is one
? 2

$ foretime list cubic --json | check-schema list

$ foretime list cubic --json | grep -E '"(name|runs|failed|sizes|current)"'
      "name": "cubic",
      "runs": 30,
      "failed": 0,
      "sizes": 10,
      "current": true

$ foretime list --store other.db
note: the store is empty: foretime build makes the first model

$ foretime list nothing
foretime: no program 'nothing' in the store
hint: foretime list shows what there is
? 2

$ foretime list a b
foretime: 'list' takes one NAME, not 'b'
? 2

$ echo 'not a store, a text that is long enough to be taken for a file' > text.db; foretime list --store text.db
foretime: 'text.db' is not a store of foretime but a file of another kind
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
? 2

$ FORETIME_STORE=text.db foretime list; cat text.db
foretime: 'text.db' is not a store of foretime but a file of another kind
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
not a store, a text that is long enough to be taken for a file
