## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime import in/cubic.csv --name cubic --work 'n^3' --here >/dev/null; foretime export cubic | head -12
# machine: <<[0-9a-f]{16}>>
# host: <<.+>>
# cpu: <<.+>>
# foretime: runs 1
# name: cubic
# work: n^3
n,wall_s,peak_rss_bytes,outcome,warmup,cost_s,started
100,0.00099,1080000,done,0,0.00099,
200,0.00792,1320000,done,0,0.00792,
300,0.02673,1720000,done,0,0.02673,
400,0.06336,2280000,done,0,0.06336,
500,0.12375,3000000,done,0,0.12375,

$ foretime export cubic --csv | grep -v '^#' | cut -d, -f1,2,3 | diff - in/cubic.csv | head -4

$ foretime export cubic --json | check-schema export

$ foretime export cubic -o out.csv; ls -A | grep out
out.csv

## the same predictions to the last digit, the same machine, and the same file again
$ foretime import out.csv --name copy; foretime export copy | grep -v '^# name' > copy.csv; grep -v '^# name' out.csv | diff - copy.csv && echo same
imported 30 runs at 10 sizes as 'copy'
same

$ foretime predict cubic n=100:3000:37 --resource all --csv > one; foretime predict copy n=100:3000:37 --resource all --csv | diff one - && wc -l < one
159

$ foretime export cubic --csv --json
foretime: --csv and --json exclude each other
? 2

$ foretime export nothing
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: the nearest name is 'copy'; foretime list tells all
? 2

$ foretime export cubic -o missing/out.csv
foretime: cannot open 'missing/out.csv': No such file or directory
hint: choose another file with -o FILE
? 2

$ foretime export cubic -o .
foretime: cannot write '.': it is a folder
? 2

$ foretime export cubic -o /dev/full
foretime: cannot write '/dev/full': No space left on device
hint: make room there, or choose another file with -o FILE
? 2

$ foretime export cubic > /dev/full
foretime: cannot write to standard output: No space left on device
hint: what was printed is not complete: make room there, or print elsewhere
? 2

$ echo before > keep.csv; foretime export nothing -o keep.csv; cat keep.csv
foretime: the store '<<.*>>/data/foretime/store.db' has no program 'nothing'
hint: the nearest name is 'copy'; foretime list tells all
before
