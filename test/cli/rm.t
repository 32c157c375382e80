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

$ foretime import in/cubic.csv --name cubic >/dev/null; foretime import in/two.csv n m --name two >/dev/null; foretime rm two --json; foretime list --names
{
  "schema": "foretime-rm-1",
  "name": "two",
  "runs": 6
}
cubic

$ foretime rm
foretime: which program? 'rm' needs its NAME
hint: foretime list shows the names, foretime rm --help the usage
? 2

$ foretime rm two cubic
foretime: 'rm' takes one NAME, not 'cubic'
hint: foretime list shows the names, foretime rm --help the usage
? 2
