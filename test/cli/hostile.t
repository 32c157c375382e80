## SPDX-License-Identifier: GPL-3.0-or-later
## Limits of batch systems, and what strangers send.

## The limit on the size of files (ulimit -f) ends nothing: who needed the run has its status, and is told what was not kept.
$ (echo n,wall_s; seq 3000 | sed 's/.*/&,&/') > big.csv; foretime import big.csv --name big --store s.db
imported 3000 runs at 3000 sizes as 'big'

$ (ulimit -f 20; foretime run --save p n=7 --store s.db -- sh -c 'exit 3') 2>&1 | cut -d " " -f 1-12; ls s.db.spool
note: the run is not kept: the store 's.db' reaches the limit
hint: raise it (ulimit -f), or name another store with --store PATH
ls: cannot access 's.db.spool': No such file or directory
? 2

$ (ulimit -f 20; foretime run --save p n=7 --store s.db -- sh -c 'exit 3') 2>/dev/null
? 3

$ (ulimit -f 20; foretime predict big n=5 --store s.db --csv)
n,value,known,lower,upper,basis,distance
5,5<<.*>>

$ (ulimit -f 20; foretime export big --csv -o long.csv --store s.db); ls long.csv
foretime: cannot write 'long.csv': File too large
hint: raise the limit on the size of files (ulimit -f), or choose another file
ls: cannot access 'long.csv': No such file or directory
? 2

## What waits is there for who reads next: its journal is longer than the limit when some have been added.
$ foretime import in/cubic.csv --name p --store w.db >/dev/null; for i in 1 2 3 4 5 6 7 8 9 10; do (ulimit -f 300; foretime run --save p n=7 --store w.db -- true); done 2>&1 | sort -u
note: the store 'w.db' reaches the limit on the size of files; the run is kept beside it, and taken in when the store is next used

$ ls w.db.spool | grep -c '[.]db$' >/dev/null && foretime export p --csv --store w.db | grep -c '^7,.*done'; ls -d w.db.spool
10
ls: cannot access 'w.db.spool': No such file or directory
? 2
