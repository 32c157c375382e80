## SPDX-License-Identifier: GPL-3.0-or-later
## A machine that was recorded elsewhere, and another, twice as slow but for its additions.
$ printf '# foretime: machine 1\n# version: 0\nbenchmark,wall_s\n' > old.csv; v=$(foretime machine import old.csv 2>&1 | sed -n "s/.*ours are '\(.*\)')$/\1/p")
> printf "# foretime: machine 1\n# version: $v\n" > head.csv; cp head.csv alpha.csv; cp head.csv beta.csv
> printf '# machine: 00000000000000aa\n# host: alpha\n# cpu: CPU A\n# cores: 4\n# sockets: 1\n# threads: 8\n# memory_bytes: 8589934592\nbenchmark,wall_s,started\nint_add,2e-10,2026-01-31T12:00:00Z\nint_add,3e-10,2026-01-31T12:00:01Z\nint_add,4e-10,2026-01-31T12:00:02Z\nload_64m,1e-7,\nprocess,1e-4,\n' >> alpha.csv
> printf '# machine: 00000000000000bb\n# host: beta\nbenchmark,wall_s\nint_add,3e-10\nload_64m,2e-7\nprocess,4e-4\n' >> beta.csv
> foretime machine import alpha.csv; foretime machine import beta.csv
imported alpha (CPU A, 4 cores): 5 values
imported beta: 3 values

$ foretime machine import alpha.csv
imported alpha (CPU A, 4 cores): 0 values, 5 were here already

$ sed 's/4e-10/5e-10/' alpha.csv > more.csv; foretime machine import more.csv --json | tee more.json | check-schema machine; grep -E '"(values|duplicates)"' more.json
  "values": 1,
  "duplicates": 4

$ foretime machine list
host   fingerprint       processor  cores    memory  programs  calibrated
alpha  00000000000000aa  CPU A          4  8.00 GiB         0  <<\d+ days ago|.*>>
beta   00000000000000bb  -              -         -         0  at an unknown time

$ foretime machine list --json | check-schema machine

$ foretime machine show alpha
host          alpha
fingerprint   00000000000000aa
processor     CPU A
cores         4 in 1 socket, 8 threads
memory        8.00 GiB
calibrated    <<.*>>

benchmark  time  spread  n  of one
int_add  350 ps  85.7 %  4  addition  additions of integers, each of the result before: one cycle on most
<<int_add_apart .*>>
<<int_multiply .*>>
<<int_divide .*>>
<<real_add .*>>
<<real_multiply .*>>
<<real_divide .*>>
<<real_multiply_add .*>>
<<branch_regular .*>>
<<branch_random .*>>
<<load_16k .*>>
<<load_128k .*>>
<<load_1m .*>>
<<load_8m .*>>
load_64m  100 ns  1  load  the same within 64 MiB, with what address translation takes
<<triad_24k .*>>
<<triad_96m .*>>
<<page_touch .*>>
<<system_call .*>>
<<pipe_round_trip .*>>
process  100 us  1  process  processes forked, ended and waited for

$ foretime machine show 00000000000000a --json | check-schema machine

## 3e-10 / 3.5e-10, 2 and 4: the geometric mean is the third root of 6.857
$ foretime machine compare alpha beta
A  alpha (CPU A, 4 cores)
B  beta

benchmark  A  B  B / A
int_add  350 ps  300 ps  0.857
load_64m  100 ns  200 ns  2.000
process  100 us  400 us  4.000

B takes 1.900 times the seconds of A, the geometric mean of 3

## Programs that ran on both: at the sizes that both have.
$ printf '# machine: 00000000000000aa\nn,wall_s\n10,1\n20,2\n20,4\n40,8\n' > a.csv; printf '# machine: 00000000000000bb\nn,wall_s\n20,6\n40,4\n80,1\n' > b.csv
> foretime import a.csv --name p; foretime import b.csv --name p; foretime import a.csv --name only
imported 4 runs at 3 sizes as 'p'
imported 3 runs at 3 sizes as 'p'
imported 4 runs at 3 sizes as 'only'

$ foretime machine compare alpha beta | tail -2
program  sizes  B / A  least   most
p            2  1.000  0.500  2.000

$ foretime machine compare alpha beta --json | tee two.json | check-schema machine; grep -A2 '"name": "p"' two.json; grep -A1 '"n":' two.json
      "name": "p",
      "same_executable": true,
      "ratio": 1,
            "n": 20
          },
--
            "n": 40
          },

## Out and in again: to the last digit.
$ foretime machine export alpha -o out.csv; foretime machine import out.csv --store other.db; foretime machine export 00000000000000aa --store other.db | cmp - out.csv
imported alpha (CPU A, 4 cores): 6 values

$ grep -v '^#' out.csv | head -3
benchmark,wall_s,started
int_add,2e-10,2026-01-31T12:00:00.000000000Z
int_add,3e-10,2026-01-31T12:00:01.000000000Z

## The row is programs: surrogate takes them, list leaves them out.
$ foretime surrogate matrix calibration/int_add calibration/process -r wall_s
              calibration/int_add  calibration/process
wall_s@alpha              3.5e-10               0.0001
wall_s@beta                 3e-10               0.0004

$ foretime list --format names; foretime list calibration/process | wc -l
only
p
3

## This machine: whatever it is, there is a time for each, and it is its own.
$ foretime machine calibrate --quick --json 2>/dev/null | tee here.json | check-schema machine; grep -c '"wall_s": [0-9]' here.json
<<2[01]|1\d>>

$ foretime machine list | grep -c 'this machine'
1

$ foretime machine show | grep -c ' additions of integers'
2

$ foretime machine compare alpha | grep -c '^int_add '
1

## What is wrong is said, with what to do.
$ foretime machine
foretime: 'machine' needs a subcommand: info, calibrate, list, show, compare, link, export or import
hint: foretime machine --help explains them
? 2

$ foretime machine calibrat
foretime: 'machine' has no subcommand 'calibrat'
hint: the nearest is foretime machine calibrate
? 2

$ foretime machine show gamma
foretime: the store knows no machine 'gamma'
hint: foretime machine list shows what there is
? 2

$ foretime machine show 0000
foretime: 2 machines are called '0000'
hint: name one by its fingerprint: 00000000000000aa 00000000000000bb
? 2

$ foretime machine show alpha beta
foretime: 'machine show' takes no 'beta'
? 2

$ foretime machine compare
foretime: missing MACHINE; usage: foretime machine compare MACHINE [MACHINE]
? 2

$ foretime machine compare alpha alpha
foretime: that is one machine, not two
? 2

$ foretime machine import
foretime: missing FILE.csv; usage: foretime machine import FILE.csv
? 2

$ foretime machine import a.csv
foretime: 'a.csv' is no machine
hint: foretime machine export writes one; runs of programs are taken by foretime import
? 2

$ sed 's/2e-7/-2e-7/' beta.csv > bad.csv; foretime machine import bad.csv
foretime: bad.csv:7: column 2 (wall_s): not above zero: '-2e-7'
hint: correct the value, or remove the row
? 2

$ sed 's/load_64m/load_65m/' beta.csv > bad.csv; foretime machine import bad.csv
foretime: bad.csv:7: column 1 (benchmark): no such micro-benchmark: 'load_65m'
hint: foretime machine show names those that there are
? 2

$ foretime machine import old.csv
foretime: 'old.csv' was measured by other micro-benchmarks ('0', ours are '<<calibration 1.*>>')
hint: calibrate that machine again with this foretime
? 2

$ foretime machine export alpha --json
foretime: 'machine export' has no use for --json
hint: it is of foretime machine info, calibrate, list, show, compare, link and import
? 2

$ foretime import a.csv --name calibration/int_add
foretime: names that begin with calibration/ are those of micro-benchmarks
hint: choose another name; foretime machine import takes a machine's row
? 2

$ cp head.csv bare.csv; printf '# machine: 00000000000000cc\n# host: gamma\nbenchmark,wall_s\n' >> bare.csv; foretime machine import bare.csv
imported gamma: 0 values

$ foretime machine compare alpha gamma
foretime: 'gamma' was not calibrated, and no program ran on both machines at equal sizes
hint: run foretime machine calibrate there, then machine export there and machine import here
? 1

$ foretime machine export gamma | tail -1
note: 'gamma' was not calibrated: these are its facts alone
benchmark,wall_s,started

$ foretime machine show --store nowhere.db
foretime: <<.*>>
hint: <<.*>>
? 2

## Calibrated twice: the newest counts.
$ cp head.csv twice.csv; printf '# machine: 00000000000000dd\n# host: delta\nbenchmark,wall_s,started\nint_add,2e-10,2026-01-31T12:00:00Z\nint_add,4e-10,2026-01-31T12:00:02Z\nint_add,9e-10,2026-02-01T12:00:00Z\nprocess,1e-4,\n' >> twice.csv; foretime machine import twice.csv
imported delta: 4 values

$ foretime machine show delta | grep -E '^(int_add|process) '
int_add  900 ps  1  addition  additions of integers, each of the result before: one cycle on most
process  100 us  1  process  processes forked, ended and waited for

$ foretime machine export delta | grep -c ^int_add
3
$ foretime surrogate matrix calibration/int_add -r wall_s | grep delta
wall_s@delta  9e-10

## Two machines of one host name: rows by the fingerprint too.
$ sed 's/00dd/00ee/' twice.csv > other.csv; foretime machine import twice.csv >/dev/null; foretime machine import other.csv >/dev/null; foretime surrogate matrix calibration/int_add -r wall_s | grep delta
wall_s@delta.00000000000000dd  9e-10
wall_s@delta.00000000000000ee  9e-10

$ foretime rm calibration
<<removed .*>>

$ foretime machine show alpha | tail -1
not calibrated

