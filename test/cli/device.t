## SPDX-License-Identifier: GPL-3.0-or-later
## Two devices, as two files have them: t = 1e-5 + 1e-6 n, and t = 1e-3 + 5e-8 n.
$ awk 'BEGIN { print "n,wall_s"; for (n = 64; n <= 65536; n *= 4) for (i = 0; i < 3; i++) printf "%d,%.9g\n", n, (1e-5 + 1e-6 * n) * (1 + i / 100) }' > cpu.csv

$ awk 'BEGIN { print "n,wall_s"; for (n = 64; n <= 65536; n *= 4) for (i = 0; i < 3; i++) printf "%d,%.9g\n", n, (1e-3 + 5e-8 * n) * (1 + i / 100) }' > gpu.csv

$ foretime import cpu.csv --name solve --device cpu --here n >/dev/null; foretime import gpu.csv --name solve --device gpu --here n >/dev/null; foretime list
name   device  runs  failed  sizes  machine  last run
solve  gpu       18       0      6  <<.*>>  unknown
solve  cpu       18       0      6  <<.*>>  unknown

$ foretime device rank solve n=100 | grep -E 'best:|^device|^[cg]pu' | cut -c 1-15
device    value
cpu      <<.*>>
gpu     <<.*>>
best: cpu, with

$ foretime device rank solve n=60000 | grep best:
best: gpu, with a chance of 100 %; choosing it now is expected to cost <<[0-9.e-]+>> %

$ foretime device rank solve n=60000 --json | check-schema device

## of devices that are busy
$ foretime device rank solve n=60000 --wait gpu=1h | grep -oE 'best: [cg]pu|wait|1 h'; foretime device rank solve n=60000 --wait gpu=1ns --wait cpu=1h | grep -o 'best: [cg]pu'; foretime device rank solve n=60000 --wait gpu=1h --json | check-schema device; foretime device rank solve n=60000 --wait gpu=1h --json | jq -c '[.best, (.devices[] | select(.device == "gpu") | .wait_s)]'
wait
1 h
best: cpu
best: gpu
["cpu",3600]

$ foretime device rank solve n=60000 --wait gppu=30ms
foretime: --wait 'gppu=30ms' is of none of the devices that are ranked
hint: write --wait DEVICE=30ms, as in --wait cpu=30ms
? 2

$ foretime device rank solve n=60000 --wait gpu=soon
foretime: --wait: 'soon' is <<.*>>
hint: <<.*>>
? 2

$ foretime device rank solve
foretime: no value for parameter 'n'
hint: add it to the size, as in n=1000
? 2

$ foretime device rank solve n=64:100
foretime: 'n=64:100' is not a single value: rank answers for one size
hint: foretime device table solve answers for all of a range
? 2

$ foretime device rank slove n=100
foretime: the store '<<.*>>' has no program 'slove'
hint: the nearest name is 'solve'; foretime list shows all
? 2

$ foretime device rank solve n=100 --least watts=100 | tail -1
foretime: no device of 'solve' can be chosen there
gpu    1.02 ms  <<.*>>nothing is known of it there

$ foretime device rank solve n=100 --least weight
foretime: --least is time or energy, not 'weight'
hint: or the name of a resource, as cpu_s
? 2

$ foretime device rank solve n=100 --least energy 2>&1 | tail -1
foretime: no device of 'solve' can be chosen there

## By energy, and by time within a power cap: the gpu is ten times faster at 300 W, the cpu has 20 W.
$ awk 'BEGIN { print "n,wall_s,energy_j"; for (n = 64; n <= 65536; n *= 4) for (i = 0; i < 3; i++) { t = 1e-6 * n * (1 + i / 100); printf "%d,%.9g,%.9g\n", n, t, 20 * t } }' > cool.csv; awk -F, 'NR == 1 { print } NR > 1 { printf "%d,%.9g,%.9g\n", $1, $2 / 10, $2 / 10 * 300 }' cool.csv > hot.csv
> foretime import cool.csv --name heat --device cpu --here n >/dev/null; foretime import hot.csv --name heat --device gpu --here n >/dev/null

$ for how in --least=time --least=energy --watts=100; do foretime device rank heat n=9000 $how | grep -o 'best: [cg]pu'; done
best: gpu
best: cpu
best: cpu

$ foretime device rank heat n=9000 --least watts=100 | grep '^gpu'
gpu  <<.*>>300 W  -  it needs more power than it may

## Energy that nobody measured: by the powers of the machine, of all devices or of one.
$ foretime device rank solve n=60000 --least energy --powers infr=10 | grep -E '^[cg]pu|best:' | cut -c 1-9
gpu     <<.*>>
cpu     <<.*>>
best: gpu

$ foretime device rank solve n=60000 --least energy --powers infr=10 --powers gpu:infr=10,device=300 | grep -o 'best: [cg]pu'
best: cpu

$ foretime device rank solve n=60000 --least watts=100 --powers infr=10 --powers gpu:infr=10,device=300 | grep -E '^gpu|best:'
gpu  <<.*>>310 W  -  it needs more power than it may
best: cpu, with a chance of 100 %; choosing it now is expected to cost <<[0-9.e-]+>> %

$ foretime device table solve --least energy --powers infr=10 --powers gpu:infr=10,device=300 --json | jq -c '[.resource, ([.nodes[].device] | unique)]'
["energy_j",["cpu"]]

$ foretime device rank solve n=60000 --least energy --powers gppu:device=3
foretime: --powers 'gppu:device=3': there is no device 'gppu'
hint: a device is 'cpu'
hint: a device is 'gpu'
? 2

$ foretime device rank solve n=60000 --least energy --powers gpu:device
foretime: cannot open 'device': No such file or directory
hint: <<.*>>
? 2

$ foretime device rank mm.cl -g 16 -l 16 --least energy
foretime: a kernel that never ran is ranked by time alone
hint: leave out --least, --watts and --powers; or build it on its devices: foretime build NAME --opencl mm.cl --device all --least energy
? 2

## Runs without a device are one more variant, called (none). The program tells how many nanoseconds it took.
$ printf '%s\n' '#!/bin/bash' 'printf "ft1 routine took 1 %d %d 0\n" $1 $1 >&$FORETIME_PROBE_FD' >took; chmod +x took; foretime import cpu.csv --name both --here n >/dev/null; foretime build both n=64:4096 --device one='./took 1000000 {n}' --device two='./took 10000000 {n}' --least time >/dev/null; echo $?; foretime device rank both n=100 | grep -o 'best: [^,]*'; foretime device table both | grep -o 'return BOTH.*;' | sed 's/ONE\|TWO/DEVICE/' | sort -u
0
best: (none)
return BOTH_DEVICE;
return BOTH_PLAIN;

$ foretime predict both n=64 --device '(none)' | grep -c '7.*us'
1

$ foretime predict solve n=64 --device '(none)'
foretime: 'solve' has no runs without a device
hint: its devices: gpu, cpu
? 2

$ foretime build both n=64:4096 m=1:100 --device one='sh -c "exit 0" {n} {m}' --device two='sh -c "exit 0" {m} {n}' --least time
foretime: 'both' has runs without a device, and of other parameters
hint: measure the devices under another NAME: they are compared with all runs of theirs
? 2

## A device that was never run on the machine in question is left out, also where it is the newest.
$ foretime import gpu.csv --name split --device gpu n >/dev/null; foretime import cpu.csv --name split --device cpu --here n >/dev/null; foretime device rank split n=100 --machine elsewhere | grep -o 'best: .*'
best: gpu

$ foretime device table heat --least energy | grep -o 'return HEAT_.*;'; foretime device table heat | grep -o 'return HEAT_.*;'
return HEAT_CPU;
return HEAT_GPU;

$ foretime device table solve -o dispatch.h; grep -cE 'return SOLVE_(CPU|GPU);' dispatch.h
2

$ printf '#include <stdio.h>\n#include "dispatch.h"\nint main(void) { puts(solve_device_name(solve_device(100))); puts(solve_device_name(solve_device(60000))); return 0; }\n' > main.c; cc -std=c99 -Wall -Wextra -Werror main.c -o main && ./main
cpu
gpu

$ foretime device list --json | check-schema device

$ foretime device list | head -2
device<<.*>>
cpu  <<.*>>

$ foretime device table solve --json | check-schema device

$ foretime device table solve --json -o dispatch.json
foretime: --json is printed, and goes with no --output: that is for the header in C
? 2

## Python chooses by the same table: asked once, or read from a file; as the header says at each of 300 sizes, and as sure as rank is.
$ cat >choose.py <<'END'
> import json, sys
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> def tried(*given, **named):
>     try:
>         return foretime.Dispatch(*given, **named)
>     except foretime.Error as error:
>         return error
> asked, read = foretime.Dispatch("solve"), foretime.Dispatch(path="solve.json")
> sizes = [50 * 1.03 ** i for i in range(300)]
> print(asked.devices, asked.parameters, all(asked.choose(n=n) == read.choose(n=n) for n in sizes))
> for line in open("said"):
>     n, device = line.split()
>     if read.choose(n=float(n))[0] != device:
>         print(line, read.choose(n=float(n)))
> for line in open("ranked"):
>     n, device, chance = line.split()
>     mine = read.choose(n=float(n))
>     print(mine[0] == device, abs(mine[1] - float(chance)) < 0.02)
> print(read.choose(n=10), read.choose(n=1e9), read.choose(n=60000)[0])
> for sizes in ({}, {"m": 3}, {"n": 3, "m": 3}):
>     try:
>         print(read.choose(**sizes))
>     except foretime.Error as error:
>         print(error)
> try:
>     print(read.choose(n=float("nan")))
> except ValueError as error:
>     print(error)
> print(tried(path="nothing.json"))
> print(tried("slove"))
> text = open("solve.json").read()
> for broken in ("", "[]", text[:200], text.replace('"table"', '"rank"'), text.replace('"below": 1', '"below": 0'), text.replace('"below": 1', '"below": 9'), text.replace('"below": 1', '"below": 1.0')):
>     open("broken.json", "w").write(broken)
>     print(isinstance(tried(path="broken.json"), foretime.Error), end=" ")
> for key, value in (("to", [10 ** 400]), ("from", [-1]), ("sure", [float("inf")] * 3), ("parameters", [{}])):
>     open("broken.json", "w").write(json.dumps({**json.loads(text), key: value}))
>     print(isinstance(tried(path="broken.json"), foretime.Error), end=" ")
> read.report("gpu", 0.5, n=100)
> END

$ foretime device table solve --json >solve.json; printf '#include <stdio.h>\n#include "dispatch.h"\nint main(void) { double n = 50; for (int i = 0; i < 300; i++, n *= 1.03) printf("%%.17g %%s\\n", n, solve_device_name(solve_device(n))); return 0; }\n' > all.c; cc -std=c99 all.c -o all && ./all > said; wc -l < said
300

$ for n in 100 900 60000; do foretime device rank solve n=$n --json | jq -r '[.size.n, .best, .chance] | @tsv'; done > ranked

$ FORETIME_SPOOL=$PWD/spool python3 choose.py "$FORETIME_TEST_SOURCE"; sed 's/"at": [0-9.]*/"at": 0/' spool/*
['cpu', 'gpu'] ('n',) True
True True
True True
True True
('cpu', 0.0) ('gpu', 0.0) gpu
'solve' is chosen by n
'solve' is chosen by n
'solve' is chosen by n
all sizes are finite
cannot read 'nothing.json': No such file or directory
foretime: the store '<<.*>>' has no program 'slove'
hint: the nearest name is 'solve'; foretime list shows all
True True True True True True True True True True True {"name": "solve", "at": 0, "size": {"n": 100.0}, "wall_s": 0.5, "device": "gpu"}

## Which of several devices is meant has to be said.
$ foretime predict solve n=100
foretime: 'solve' has runs of several devices: gpu, cpu
hint: choose one with --device; 'foretime device rank solve' compares them
? 2

$ foretime predict solve n=100 --device gpuu
foretime: 'solve' has no device 'gpuu'
hint: the nearest is 'gpu'
? 2

$ foretime predict solve n=1024 --device gpu --json | grep '"n"'
        "n": 1024,

$ foretime show solve --device cpu | grep device
device     cpu

$ foretime export solve --device gpu | grep '^# device'
# device: gpu

## What an export says of its device is read back.
$ foretime export solve --device gpu > back.csv; foretime import back.csv --name other --here n >/dev/null; foretime list other | cut -c 1-13
name   device
other  gpu

## Devices are measured until the choice is known.
$ foretime build made n=10:1000 --device one='sh -c "exit 0" {n}' --device none='sh -c "exit 3" {n}' --until decided 2>&1 | grep -E '^made|^note'
made: one device is left after <<[0-9]+>> runs and <<.*>>
note: device 'none' cannot run the least size; it is left out

$ foretime list made | cut -c 1-12
name  device
made  none
made  one

$ foretime build made --least time --json 2>/dev/null | check-schema build-decided

## What tells most of the energy is run, or of the time within a cap: the fast one needs 1000 W, the slow one 1 W.
$ for how in '--least time' '--least energy' '--watts 100'; do foretime build warm n=10:1000 --device slow='./took 30000000 {n}' --device fast='./took 1000000 {n}' --least time $how --powers slow:device=1 --powers fast:device=1000 --json 2>/dev/null | tee warm.json | check-schema build-decided; jq -c '[.resource, .watts, .stop]' warm.json; done
["wall_s",null,"decided"]
["energy_j",null,"decided"]
["wall_s",100,"decided"]

$ foretime build warm --least energy --powers slow:device=1 --powers fast:device=1000 | tail -3
best device, by energy_j:
  n = 10 .. 1000  slow, chance <<\d+>> %
choosing so is expected to cost <<.*>> % over the range

$ foretime build warm --least time,watts=100 --powers slow:device=1 --powers fast:device=1000 | grep -A1 best
best device, where a run needs 100 W at most:
  n = 10 .. 1000  slow, chance <<\d+>> %

$ foretime build warm --least energy
foretime: a run of device '<<.*>>' does not report its energy
hint: state what is drawn meanwhile, as in --powers '<<.*>>:infr=60,core=8,device=150', or measure it: --measure energy=rapl, --meter
? 2

$ foretime build warm --least time --resource energy
foretime: --least goes with no --resource: each device is run until the choice is known
hint: write --least energy_j, what the best device needs least of
? 2

$ foretime build warm n=10:1000 --least watts=100 -- sh -c 'exit 0' {n}
foretime: watts and --powers need --least time and several devices
hint: for the energy of a program that is built: foretime predict --powers
? 2

## A device that goes away while it is measured: the other one is left.
$ printf '#!/bin/sh\nrm -f "$0"\n' > leaves; chmod +x leaves; foretime build away n=10:1000 --device one='sh -c "exit 0" {n}' --device leaves='./leaves {n}' --least time 2>&1 | grep -E '^away|^note'
away: one device is left after <<[0-9]+>> runs and <<.*>>
note: device 'leaves' cannot run the least size; it is left out

$ foretime build made n=10:1000 --device one='true' --least time
foretime: the command of device 'one' has no {n}: each run would be the same
hint: write {n} where it takes that value
? 2

$ foretime build made n=10:1000 --device one --device two='true {n}' --least time
foretime: device 'one' has no command
hint: write --device one='./prog {n}'
? 2

$ foretime build made n=10:1000 --device one='true {n}' --device one='true {n}' --least time
foretime: 'one' cannot name a device: it is given twice
? 2

$ foretime build made n=10:1000 --device 'o ne=true {n}' --least time
foretime: 'o ne' cannot name a device: it has more in it than letters, digits, '_', '-', '.' and ':'
? 2

$ foretime build made n=10:1000 --device one='true {n}'
foretime: several devices are measured until the choice between them is known
hint: add --least time; or build one after the other: --device D -- PROG ARG...
? 2

$ foretime build nobody n=10:1000 --least time
foretime: which devices? 'nobody' has none in the store
hint: write foretime build nobody n=64:4096 --device cpu='./prog {n}' --device gpu='./prog --gpu {n}'
? 2

$ foretime build made n=10:1000 --until tomorrow
foretime: --until is decided, not 'tomorrow'
? 2

$ foretime run --save kept --device gpu n=5 -- true 5; foretime list kept | cut -c 1-12
name  device
kept  gpu

## A device that was made: 1 us a launch, 0.5 ns an operation in single precision, 4 GB/s.
$ awk 'BEGIN { print "# device: made"; print "kernel,seconds,sigma,operations,operations_each,misses_rule,launch,work_item,f16,f32,f64,divide,math,integer,integer_divide,branch,barrier,atomic,local,private,global,sector,miss"; for (n = 1e3; n <= 1e6; n *= 10) for (k = 0; k < 3; k++) { f = n * (1 + 30 * (k == 1)); s = n / 8 * (1 + 9 * (k == 2)); printf "k%d,%.9g,0,%d,%d,%d,1,%d,0,%d,0,0,0,0,0,0,0,0,0,0,0,%d,0\n", k, 1e-6 + 5e-10 * f + 8e-9 * s, f, f / n, s, n, f, s } }' > made.csv

$ foretime device calibrate made.csv | grep -E '^(made|launch|f32|f16|sector)'
made: 12 launches of 3 kernels; they lie about the rates by a factor of 1
launch          launch<<.*>>1 us before each launch
f16             operation in half precision<<.*>>not known: no launch did it
f32             operation in single precision <<.*>>2 G/s
sector          sector of 32 bytes of global memory<<.*>>4 GB/s

$ foretime device calibrate made.csv -o again.csv >/dev/null; foretime device calibrate again.csv --json | check-schema device

$ foretime device calibrate made.csv --json > a.json; foretime device calibrate again.csv --json | cmp - a.json

$ cut -d, -f1-5 made.csv > cut.csv; foretime device calibrate cut.csv
foretime: 'cut.csv' has no column launch
hint: foretime device calibrate DEV -o FILE.csv writes such files
? 2

$ head -6 made.csv > few.csv; foretime device calibrate few.csv
foretime: 4 launches do not determine 4 rates
hint: time more launches, of more kernels and sizes
? 1

$ foretime device calibrate gpu
foretime: --device is opencl:K, not 'gpu'
hint: foretime device list shows them
? 2

## A driver that crashes, and one that ends its process, take nothing along.
$ mkdir crash; printf '#include <stdlib.h>\nvoid *clGetExtensionFunctionAddress(const char *name) { (void)name; abort(); }\n' > icd.c; cc -shared -fPIC icd.c -o crash/icd.so; echo $PWD/crash/icd.so > crash/icd.icd; OCL_ICD_VENDORS=$PWD/crash foretime device calibrate opencl:0 2>&1 | grep -E 'crashed|libOpenCL'
foretime: <<the device's driver crashed .signal 6.|.*libOpenCL.*>>

$ sed -i 's/abort()/_Exit(0)/' icd.c; cc -shared -fPIC icd.c -o crash/icd.so; OCL_ICD_VENDORS=$PWD/crash foretime device calibrate opencl:0 2>&1 | grep -E 'ended|libOpenCL'
foretime: <<the device's driver ended the process|.*libOpenCL.*>>
