## the upper end beside other ranges, where ulimit -v leaves little memory
$ (ulimit -v 200000; foretime build both n=1000:auto:1000 m=1:4 --budget 20s --points 3 --json -- perl -e '$x = "a" x (1000 * $ARGV[0] * $ARGV[1])' '{n}' '{m}' 2>/dev/null) > both.json; check-schema build < both.json; grep -E '"(bound|parameter)":' both.json
    "parameter": "n",
    "bound": "memory",

$ (ulimit -v 200000; foretime build bound n=1000:auto:1000 m=1000:9000:1000 --where 'n <= m' --budget 20s --points 3 -- perl -e '$x = "a" x (1000 * $ARGV[0])' '{n}' '{m}' 2>/dev/null) | head -1
n: up to 9000, for no larger one meets n <= m (limit <<.*>>, 80 % of <<.*>>: the limit of the address space (ulimit -v))

## a small stack is the program's, not ours
$ (ulimit -s 64; foretime build narrow n=1:100 --budget 1s --points 3 -- sh -c 'ulimit -s' {n} >/dev/null 2>&1; echo $?; foretime predict narrow n=50 --json | check-schema predict; foretime run -- sh -c 'head -c 300000 /dev/zero >&2; ulimit -s; exit 3' 2>/dev/null)
0
64
? 3
