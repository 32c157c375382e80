## SPDX-License-Identifier: GPL-3.0-or-later
## foretime build --via steps: another program says when each run is made, and hears of it.
$ printf 'run\nrun\nend\n' | foretime build steps n=1,2,4 --runs 2:2 --via steps -- sh -c 'exit 0' {n} | sed 's/"seconds":[^,}]*/"seconds":S/g; s/"gain":[^,}]*/"gain":G/g; s/"complete":[0-9.]*/"complete":C/'
{"schema":"foretime-build-steps-2","event":"ready","runs":0,"known":0,"points":0,"complete":C,"next":{"n":1},"gain":G,"seconds":S,"ended":false,"stop":null}
{"schema":"foretime-build-steps-2","event":"ran","runs":1,"known":0,"points":0,"complete":C,"next":{"n":1},"gain":G,"seconds":S,"ended":false,"stop":null,"ran":{"size":{"n":1},"seconds":S,"paused_s":0,"outcome":"done","detail":null}}
{"schema":"foretime-build-steps-2","event":"ran","runs":2,"known":0,"points":1,"complete":C,"next":{"n":2},"gain":G,"seconds":S,"ended":false,"stop":null,"ran":{"size":{"n":1},"seconds":S,"paused_s":0,"outcome":"done","detail":null}}
{"schema":"foretime-build-steps-2","event":"ended","runs":2,"known":0,"points":1,"complete":C,"next":null,"gain":G,"seconds":S,"ended":false,"stop":"interrupted"}

## its runs count
$ foretime list steps | sed -n 2p
steps <<.*>>

## what is no order ends it
$ printf 'run\nhalt\n' | foretime build steps --via steps 2>/dev/null | tail -1 | sed 's/,"points.*"error/,"error/'
{"schema":"foretime-build-steps-2","event":"failed","runs":1,"known":1,"error":"unknown order 'halt'","remedy":"write run, look, frozen SECONDS or end, one a line"}

$ for l in 'frozen -1' 'frozen 1x' 'frozen' 'frozen nan' 'frozen 2e9' 'run ' '' RUN; do printf 'frozen 0.5\nfrozen 1e3\n%s\n' "$l" | foretime build steps --via steps 2>/dev/null | tail -1 | grep -o '"event.*"runs"\|"error.*","r'; done
"event":"failed","runs"
"error":"unknown order 'frozen -1'","r
"event":"failed","runs"
"error":"unknown order 'frozen 1x'","r
"event":"failed","runs"
"error":"unknown order 'frozen'","r
"event":"failed","runs"
"error":"unknown order 'frozen nan'","r
"event":"failed","runs"
"error":"unknown order 'frozen 2e9'","r
"event":"failed","runs"
"error":"unknown order 'run '","r
"event":"failed","runs"
"error":"unknown order ''","r
"event":"failed","runs"
"error":"unknown order 'RUN'","r

$ head -c 5000 /dev/zero | foretime build steps --via steps >/dev/null
foretime: an order of more than 4096 bytes
hint: write run, look, frozen SECONDS or end, one a line
? 2

## wrong use is told on both streams
$ foretime build nobody --via steps | grep -o '"event.*"runs"\|"error.*"'
foretime: which program? none stands behind --
hint: write foretime build nobody n=64:3000 -- PROG {n}
"event":"failed","runs"
"error":"which program? none stands behind --","remedy":"write foretime build nobody n=64:3000 -- PROG {n}"

$ foretime build steps n=64:auto --via steps -- true {n} | wc -l
foretime: with --via steps no run is made unasked, and auto needs some
hint: give an upper end: foretime build with auto, and without --via steps, finds one
1

$ foretime build steps --via steps </dev/null | sed -n '$p' | check-schema build-steps
$ foretime build steps --via steps </dev/null | sed -n '1p' | check-schema build-steps
