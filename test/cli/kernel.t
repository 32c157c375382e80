## SPDX-License-Identifier: GPL-3.0-or-later
## foretime kernel: features of kernels, and expressions of them.
%needs clang --version && ls /usr/lib/*/libLLVM-*.so.1
$ printf '__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n)\n{\n\tint i = get_global_id(1), j = get_global_id(0);\n\tfloat s = 0;\n\tfor (int k = 0; k < n; k++)\n\t\ts += a[i * n + k] * b[k * n + j];\n\tc[i * n + j] = s;\n}\n' > mm.cl; foretime kernel features mm.cl -g n,n -l 16,16 n=64 | sed '/integer/d'
kernel mm: 4096 work-items in 16 groups of 16 x 16 x 1

count                launch  work-item
f32_fused            262144         64  a * b + c of single precision numbers, fused or not
branches             266240         65  conditional jumps
global_loads         524288        128  loads from global memory
global_stores          4096          1  stores to global memory
global_load_bytes   2097152        512  bytes of them
global_store_bytes    16384          4  bytes of them
warp_accesses         16512    4.03125  accesses to global memory, once for a warp
sectors               33280      8.125  sectors of 32 bytes that these touch

operations    <<\d+>>, <<\d+>> a work-item
cache misses  768 by the largest strides, 768 replayed

line  access  buffer  bytes   times  stride      so  step  sectors
   7  store   c           4    4096       4  96.8 %     -        4
   6  load    a           4  262144       0  96.8 %     4        2
   6  load    b           4  262144       4  96.8 %   256        2

$ foretime kernel features mm.cl -g n,n -l 8,8 n=32 --expressions | sed '1,/^for/d;/integer/d'
count               expression
f32_fused           n^3
branches            n^3 + n^2
global_loads        2*n^3
global_stores       n^2
global_load_bytes   8*n^3
global_store_bytes  4*n^2
warp_accesses       n^3/16 + n^2/32
sectors             5*n^3/32 + n^2/8

$ foretime kernel features mm.cl -g n,n -l 8,8 n=32 --expressions --json | check-schema kernel

$ printf '__kernel void rows(__global const int *start, __global const float *v, __global float *y, int n)\n{\n\tint i = get_global_id(0);\n\tfloat s = 0;\n\tfor (int k = start[i]; k < start[i + 1]; k++)\n\t\ts += v[k];\n\ty[i] = s;\n}\n' > rows.cl; foretime kernel features rows.cl -g n -l 2 n=4 2>/dev/null | sed -n '/loop/,$p'
   5  loop        36  how often this loop runs is not known
   6  address     32  where this access goes is not known

$ foretime kernel features rows.cl -g n -l 2 n=4 --json | tee rows.json | check-schema kernel; grep -c '"decided": false' rows.json
1
$ printf '\000\000\000\000\003\000\000\000\003\000\000\000\005\000\000\000\012\000\000\000' > start.bin; foretime kernel features rows.cl -g n -l 2 n=4 --data start=start.bin | grep f32_add
f32_add  10  2.5  additions and subtractions of single precision numbers
$ foretime device features rows.cl -g n -l 2 n=4 --data start=start.bin --buffer y=4 > 1; foretime device features rows.cl -g n -l 2 n=4 --arg start=start.bin --arg 'y=float[1]' > 2; cmp 1 2; grep -c outside 2
1
$ foretime kernel features rows.cl -g n -l 2 n=4 --expressions
foretime: there are no expressions: line 5: how often this loop runs is not known
hint: counts of one size with its data: --arg NAME=FILE, without --expression
? 1
$ foretime kernel features rows.cl -g n -l 3 n=4
foretime: groups of 3 work-items do not divide 4 (dimension 1)
hint: choose another -l, or a larger -g: a kernel leaves out what is too much by itself, where it was written so
? 2
$ foretime kernel features rows.cl -g 4 -l 2
foretime: the argument n of kernel rows is missing
hint: add it: n=VALUE
? 2
$ foretime kernel features rows.cl n=4
foretime: the number of work-items is missing
hint: give the global size and the size of a work-group: -g 1024,1024 -l 16,16
? 2
$ foretime kernel features rows.cl -g 4 -l 2 n=4 y=3
foretime: y is a buffer, not a number
hint: give its size: --arg y=float[COUNT]
? 2
$ foretime kernel features rows.cl -k nobody -g 4 -l 2 n=4
foretime: there is no kernel nobody in 'rows.cl'
hint: choose with --kernel K: rows
? 2
$ foretime kernel features none.cl -g 4 -l 2 n=4
foretime: cannot read 'none.cl': No such file or directory
? 2
$ foretime kernel features rows.cl -g 4 -l 2 n=4 --clang no-such-clang
foretime: cannot start no-such-clang, which compiles kernels
hint: apt install clang, or name a compiler with --flags clang=NAME
? 2
$ printf '__kernel void k(__global int *a) { a[0] = b; }\n' > wrong.cl; foretime kernel features wrong.cl -g 4 -l 2
foretime: clang does not compile 'wrong.cl': wrong.cl:1:43: error: use of undeclared identifier 'b'
hint: what a host program hands to the compiler is needed here, too: --flags '-DNAME=VALUE'
? 2
$ foretime kernel features wrong.cl -g 4 -l 2 --flags '-Db=7' | grep global_stores
global_stores  4  1  stores to global memory
$ printf '__kernel void k(__global int *a, int n)\n{\n\tvolatile int i = n;\n\twhile (i)\n\t\ta[0] = i;\n}\n' > ever.cl; foretime kernel features ever.cl -g 4 -l 2 n=1 --steps 1e5
foretime: kernel k did not end a group within 100000 instructions; it was at line 4
hint: where that is no loop without end, allow more with --effort N
? 2

## A barrier that not all come to, and accesses outside of a buffer.
$ printf '__kernel void k(__global int *a)\n{\n\tint i = get_local_id(0);\n\tif (i)\n\t\tbarrier(CLK_LOCAL_MEM_FENCE);\n\ta[get_global_id(0) + 4] = i;\n}\n' > apart.cl; foretime kernel features apart.cl -g 8 -l 8 --buffer a=32 | grep -E '^ *[0-9]+ +(barrier|outside)'
note: counts depend on what is not known: they are guesses
   5  barrier  1  not all work-items of a group come to this barrier
   6  outside  4  a  this access lies outside of its buffer

## Two made devices: 1 us and 100 us a launch, 0.5 and 0.02 ns an operation; all else takes no time, and no launch did a division.
$ made() { awk -v name=$1 -v launch=$2 -v each=$3 'BEGIN { print "# device: " name; print "kernel,seconds,sigma,operations,operations_each,misses_rule,launch,work_item,f16,f32,f64,divide,math,integer,integer_divide,branch,barrier,atomic,local,private,global,sector,miss"; for (n = 1e3; n <= 1e6; n *= 10) for (k = 0; k < 9; k++) { for (i = 0; i < 9; i++) v[i] = n * (i == k ? 40 : 1); printf "k%d,%.9g,0,%d,%d,1,1,%d,0,%d,0,0,0,%d,0,%d,%d,0,0,%d,%d,%d,%d\n", k, launch + each * v[1], v[1], n, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8] } }' > $1.csv; }; made cpu 1e-6 5e-10; made gpu 1e-4 2e-11

$ foretime device rank mm.cl -g n,n -l 16,16 n=64 --rates cpu.csv --rates gpu.csv
kernel mm: static answers, nothing of it was measured

device  static    off by
cpu     <<1\d\d>> us  x <<1|1.00>>
gpu     <<1\d\d>> us  x <<1|1.00>>

best: gpu; where that is busy: cpu
on the launches of the calibration such choices took <<.*>> times the best, one device for all <<.*>> times

$ foretime device rank mm.cl -g n,n -l 16,16 n=16 --rates cpu.csv --rates gpu.csv | grep best:
best: cpu; where that is busy: gpu

$ foretime device rank mm.cl -g n,n -l 16,16 n=64 --rates cpu.csv --rates gpu.csv --json | check-schema device

$ for wait in cpu gpu; do foretime device rank mm.cl -g n,n -l 16,16 n=64 --rates cpu.csv --rates gpu.csv --wait $wait=10s | grep -o 'best: [cg]pu'; done; foretime device rank mm.cl -g n,n -l 16,16 n=64 --rates cpu.csv --rates gpu.csv --wait opencl:0=30ms
best: gpu
best: cpu
foretime: --wait 'opencl:0=30ms' is of none of the devices that are ranked
hint: write --wait DEVICE=30ms, as in --wait cpu=30ms
? 2

$ printf '__kernel void quotient(__global float *a)\n{\n\tint i = get_global_id(0);\n\ta[i] = 1.5f / a[i];\n}\n' > quotient.cl; foretime device rank quotient.cl -g 64 -l 64 --rates cpu.csv
kernel quotient: static answers, nothing of it was measured

device  static  off by
cpu          -  -       the kernel does what no launch of the calibration did: 'division of real numbers'
foretime: no device can be chosen for kernel quotient
hint: measure it: foretime build --device ... --least time
? 1

## A loop that runs as often as data say: no answer on a guess, but one between two ends, off by as much more.
$ printf '__kernel void sum(__global float *a, __global const int *m)\n{\n\tint i = get_global_id(0);\n\tfloat s = 0;\n\tfor (int j = 0; j < m[i]; j++)\n\t\ts += a[(i + j) & 63];\n\ta[i] = s;\n}\n' > data.cl; foretime device rank data.cl -g 64 -l 64 --rates cpu.csv
foretime: kernel sum, line 5: how often this loop runs is not known
hint: give the data that it depends on, --data NAME=FILE, or give the trip count: --trips A:B; or measure it: foretime build --device ... --least time
? 1
$ for t in 40 4000 40:4000; do foretime device rank data.cl -g 64 -l 64 --rates cpu.csv --trips $t --json | tee trips.json | check-schema device; jq -c '.devices[0] | [.seconds, .off]' trips.json; done | jq -cs '[.[1][0] > 10 * .[0][0], (.[2][0] / (.[0][0] * .[1][0] | sqrt) - 1 | fabs) < 1e-9, (.[2][1] / .[0][1] / (.[1][0] / .[0][0] | sqrt) - 1 | fabs) < 1e-9]'
[true,true,true]
$ for i in $(seq 64); do printf '\024\000\000\000'; done > twenty; foretime device rank data.cl -g 64 -l 64 --rates cpu.csv --arg m=twenty | grep best
best: cpu
$ foretime device rank data.cl -g 64 -l 64 --rates cpu.csv --trips 9:3
foretime: --trips 9:3: so often a loop cannot run
hint: write --trips 40, or for device rank 10:200: from 10 to 200 times
? 2
$ foretime kernel features data.cl -g 64 -l 64 --trips 3:9
foretime: --trips 3:9: counts are of one number
hint: write --trips 3; foretime device rank takes both ends
? 2
$ printf '__kernel void pick(__global float *a)\n{\n\tint i = get_global_id(0);\n\tif (a[i] > 0)\n\t\tfor (int j = 0; j < 50; j++)\n\t\t\ta[(i + j) & 63] += a[j] * a[j];\n}\n' > pick.cl; foretime device rank pick.cl -g 64 -l 64 --rates cpu.csv --trips 2:4
foretime: kernel pick, line 4: which way this goes is not known
hint: give the data that it depends on, --data NAME=FILE; or measure it: foretime build --device ... --least time
? 1

$ foretime device rank mm.cl -g n,n -l 16,16 n=64
foretime: no device of this machine is calibrated
hint: foretime device calibrate opencl:0, once; devices of other machines by --rates FILE.csv
? 2

$ foretime device rank mm.cl -g n,n n=64 --rates cpu.csv
foretime: the number of work-items is missing
hint: give the global size and the size of a work-group: -g 1024,1024 -l 16,16
? 2

$ foretime device rank mm n=64 --rates cpu.csv
foretime: --rates is for the source of a kernel, FILE.cl, not for 'mm'
? 2

## What calibrate keeps in the store, as it does of this machine: a device whose driver is another one now is told, and left out.
$ foretime run --save x --store kept.db -- true >/dev/null; foretime machine show --store kept.db --json > here.json; python3 -c 'import json, re, sqlite3, sys; s = sqlite3.connect("kept.db"); here = "rates " + re.search("[0-9a-f]{16}", open("here.json").read()).group()
> for name, driver in ("cpu", ""), ("opencl:77", "# driver: gone 1.0\n"):
>     s.execute("INSERT INTO known VALUES (?, ?)", (here + " " + name, driver + open("cpu.csv").read().replace("device: cpu", "device: " + name)))
> s.execute("INSERT INTO known VALUES (?, ?)", (here, "cpu\nopencl:77\n")); s.commit()'

$ foretime device rank mm.cl -g n,n -l 16,16 n=16 --store kept.db 2>&1 | grep -v '^$'
note: the driver of 'opencl:77' is another one: it was gone 1.0, and is none; its calibration counts no more
hint: calibrate it again: foretime device calibrate opencl:77
kernel mm: static answers, nothing of it was measured
device  static  off by
cpu  <<.*>> us  x <<1|1.00>>
best: cpu
