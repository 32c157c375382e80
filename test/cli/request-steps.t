## SPDX-License-Identifier: GPL-3.0-or-later
## Requests of memory that rise while a job runs.
$ cat > late <<'END'
> #!/bin/sh
> # waits, then holds so many million bytes
> sleep 0.4
> head -c "$1"000000 /dev/zero | tail -c "$1"000000 | { sleep 0.3; wc -c; } >/dev/null
> exit "${FAIL:-0}"
> END
> chmod +x late; foretime run --save late,keep-trace n=40 -- ./late {n} 2>/dev/null; foretime request late n=40 --steps 2
? 1
foretime: memory over time is known of 1 run, and steps need 3
hint: keep it of more runs: foretime run --save late,keep-trace -- PROGRAM

## on a busy machine one step may be all that is known
$ for n in 20 60 40 60; do foretime run --save late,keep-trace n=$n -- ./late {n} 2>/dev/null; done; foretime request late n=60 --steps 2 --json > rising.json
> jq -c '.memory_steps | [.runs, (.steps | length) <= 2, .steps[0].from_s, .saved >= 0, .steps[-1].bytes > 60e6]' rising.json
[5,true,0,true,true]

## how much more than 60 MB depends on how much the runs differed, and on whether they took a second
$ foretime request late n=60 --steps 1 | sed -n '/^memory over/{p;n;p}'
memory over time, from 5 runs: 0 % less memory x time than a constant request
  from the start  <<\d.* [MG]iB>>

## a run that failed held what it held until then: it does not count
$ FAIL=3 foretime run --save late,keep-trace n=60 -- ./late {n} 2>/dev/null; foretime request late n=60 --steps 2 | grep -o 'from 5 runs'
from 5 runs

$ foretime request late n=60 --json | jq .memory_steps
null

$ foretime request late --steps 2
? 2
foretime: --steps is of one size
hint: state it, as in n=2048

$ foretime request late n=60 --steps 9
? 2
foretime: option --steps: '9' is not a whole number in range
hint: write one from 1 to 8
