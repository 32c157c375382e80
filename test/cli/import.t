## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3'
imported 30 runs at 10 sizes as 'cubic'

$ foretime import in/cubic.csv --name part n=200:500 --json | check-schema import

$ foretime import - --name piped < in/cubic.csv
imported 30 runs at 10 sizes as 'piped'

$ gzip -c in/cubic.csv > c.csv.gz; foretime import c.csv.gz --name packed
imported 30 runs at 10 sizes as 'packed'

$ foretime list | sort
cubic     30       0     10  elsewhere  unknown
name    runs  failed  sizes  machine    last run
packed    30       0     10  elsewhere  unknown
part      12       0      4  elsewhere  unknown
piped     30       0     10  elsewhere  unknown

$ foretime import
foretime: which file?
hint: write foretime import FILE.csv --name NAME
? 2

$ foretime import in/cubic.csv
foretime: under which name?
hint: write foretime import in/cubic.csv --name NAME
? 2

$ foretime import missing.csv --name x
foretime: cannot open 'missing.csv': No such file or directory
? 2

$ foretime import in/two.csv --name x q
foretime: 'in/two.csv' has no column for parameter 'q'; its columns are n, m, wall_s
hint: name a parameter as its column is named, or give it a fixed value, as in m=100
? 2

$ foretime import in/cubic.csv --name x n=5000:6000
foretime: no row of 'in/cubic.csv' lies within the range of the parameters
hint: widen the range, or leave it out: the range of the data is taken then
? 2

$ foretime import in/cubic.csv --name x --work 'n-500'
foretime: the work 'n-500' is -400 at n=100
hint: state with --work a volume of computation that is above 0 in the whole range
? 2

$ printf 'n,wall_s\n1,0.5\n2,0.7,9\n' > a.csv; foretime import a.csv --name x
foretime: a.csv:3: column 3: the row has 3 cells where the header has 2
hint: give every row as many cells as the header; quote cells that hold the separator
? 2

$ printf 'n,wall_s\n1,0.5\n2,-1\n' > b.csv; foretime import b.csv --name x
foretime: b.csv:3: column 2 (wall_s): not above zero: '-1'
hint: correct the value, or leave the cell empty
? 2

$ printf 'n,colour\n1,red\n' > c.csv; foretime import c.csv --name x
foretime: 'c.csv' has no column of a resource; its columns are n, colour
hint: give a column the name of a resource: wall_s cpu_s user_s system_s peak_rss_bytes peak_tree_bytes minor_faults major_faults voluntary_switches involuntary_switches read_bytes written_bytes instructions cycles energy_j
? 2

$ : > d.csv; foretime import d.csv --name x
foretime: d.csv:1: column 1: there is no header
hint: begin with a row of column names, as in n,wall_s
? 2

$ foretime list --names | grep -c '^x$'
0
? 1

$ mkdir ro; foretime import in/cubic.csv --name x --store ro
foretime: 'ro' is not a store of foretime but a folder
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
? 2

$ foretime import in/cubic.csv --name x --store /dev/null
foretime: '/dev/null' is not a store of foretime but no regular file
hint: it was left as it is; name another file with --store PATH or FORETIME_STORE
? 2
