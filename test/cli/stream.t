## SPDX-License-Identifier: GPL-3.0-or-later
## Closed and full streams, the place of the store.
$ foretime import in/cubic.csv --name c >/dev/null; ls data/foretime
store.db

$ foretime predict c n=1:20000 --csv | head -1
n,value,lower,upper,basis,distance

$ foretime predict c n=1:20000 --csv > /dev/full
foretime: cannot write to standard output
hint: what was printed is not complete: make room there, or print elsewhere
? 2

$ foretime list > /dev/full
foretime: cannot write to standard output: No space left on device
hint: what was printed is not complete: make room there, or print elsewhere
? 2

$ foretime rm nothing >&-
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: the nearest name is 'c'; foretime list tells all
? 2

$ FORETIME_STORE=$PWD/e.db foretime import in/cubic.csv --name d >/dev/null; FORETIME_STORE=e.db foretime list --names
d

$ foretime list --names --store e.db
d
