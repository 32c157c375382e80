## SPDX-License-Identifier: GPL-3.0-or-later
## the upper end is found, where ulimit -v leaves little memory; a run that is slow to start is no reason to end there
$ (ulimit -v 200000; foretime build grow n=1000:auto:1000 --budget 60s --limit 3 --json -- perl -e '$x = "a" x (1000 * $ARGV[0])' '{n}' 2>/dev/null) > auto.json; check-schema build < auto.json; grep -E '"(bound|parameter)":' auto.json
    "parameter": "n",
    "bound": "memory",

$ (ulimit -v 200000; foretime build grow n=1000:auto:1000 --budget 60s --limit 3 -- perl -e '$x = "a" x (1000 * $ARGV[0])' '{n}' 2>/dev/null) | head -1
n: up to <<\d+000>>, where a run is expected to need <<.*>> (limit <<.*>>, 80 % of <<.*>>: <<.*>>)

$ (ulimit -v 200000; foretime build grown n=1000:auto:*2 --budget 60s --limit 3 --json -- perl -e '$x = "a" x (1000 * $ARGV[0])' '{n}' 2>/dev/null) | perl -ne 'print $1 % 1000 || ($1 / 1000) & ($1 / 1000 - 1) ? "$1\n" : "a power\n" if /^    "most": (\d+)/'
a power

## beside other ranges
$ (ulimit -v 200000; foretime build both n=1000:auto:1000 m=1:4 --budget 60s --limit 3 --json -- perl -e '$x = "a" x (1000 * $ARGV[0] * $ARGV[1])' '{n}' '{m}' 2>/dev/null) > both.json; check-schema build < both.json; grep -E '"(bound|parameter)":' both.json
    "parameter": "n",
    "bound": "memory",

$ (ulimit -v 200000; foretime build bound n=1000:auto:1000 m=1000:9000:1000 --where 'n <= m' --budget 60s --limit 3 -- perl -e '$x = "a" x (1000 * $ARGV[0])' '{n}' '{m}' 2>/dev/null) | head -1
n: up to 9000, for no larger one meets n <= m (limit <<.*>>, 80 % of <<.*>>: the limit of the address space (ulimit -v))

## a small stack is the program's, not ours
$ (ulimit -s 64; foretime build narrow n=1:100 --budget 20s --limit 3 -- sh -c 'ulimit -s' {n} >/dev/null 2>&1; echo $?; foretime predict narrow n=50 --json | check-schema predict; foretime run -- sh -c 'head -c 300000 /dev/zero >&2; ulimit -s; exit 3' 2>/dev/null)
0
64
? 3
