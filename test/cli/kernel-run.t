## SPDX-License-Identifier: GPL-3.0-or-later
## foretime kernel run: kernels on a device of OpenCL, here the processors.
%needs "$FORETIME_TEST_BUILD"/foretime device list | grep -q opencl:0

$ printf '__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n)\n{\n\tint i = get_global_id(1), j = get_global_id(0);\n\tfloat s = 0;\n\tfor (int k = 0; k < n; k++)\n\t\ts += a[i * n + k] * b[k * n + j];\n\tc[i * n + j] = s;\n}\n' > mm.cl; foretime kernel run mm.cl -g n,n -l 16,16 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=64
4096 work-items on <<.*>>

compiled in      <<.*>>
first launch     <<.*>>
write buffers    <<.*>>
kernel           <<.*>>
read buffers     <<.*>>
all of a launch  <<.*>>

buffer    size            checksum
c       16.0 KiB  <<[0-9.]+>>

## What the kernel computes: the sum of c is known from data of one's own, 1 + 2 i, 1 byte each. 3 * (1 + 3 + 5 + 7) by weights.
$ printf '__kernel void scale(__global const uchar *in, __global int *out, int by, double no)\n{\n\tout[get_global_id(0)] = by * in[get_global_id(0)];\n}\n' > scale.cl; printf '\001\003\005\007' > in.bin; foretime kernel run scale.cl -g n --arg in=in.bin --arg 'out=int[n]' --arg by=n-1 --arg no=0.5 n=4 --json > one.json; foretime kernel run scale.cl -g n -l 1 --arg in=in.bin --arg 'out=int[n]' --arg by=6 --arg no=1 n=4 --times 3 --json > two.json; jq -s '.[1].buffers[0].sum / .[0].buffers[0].sum' one.json two.json
2

$ check-schema kernel-run < two.json; jq -c '[.times, .work_items, .group, .buffers[0].bytes, (.launch_s >= .kernel_s)]' two.json
[3,4,1,16,true]

## The same data each time; other ones with another seed.
$ for seed in 1 1 2; do foretime kernel run mm.cl -g n,n --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=16 --seed $seed --json | jq '.buffers[0].sum'; done | uniq -c | awk '{ print $1 }'
2
1

## Bad input.
$ foretime kernel run mm.cl -g n,n --arg 'a=float[n*n]' n=64
foretime: the argument b of kernel mm is missing
hint: add it: --arg b=float[COUNT]
? 2

$ foretime kernel run mm.cl -g 64,64 --arg 'a=float[64]' --arg 'b=float[64]' --arg 'c=float[64]'
foretime: the argument n of kernel mm is missing
hint: add it: --arg n=VALUE
? 2

$ foretime kernel run mm.cl -g n,n -l 16,17 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=64
foretime: groups of 17 work-items do not divide 64 (dimension 2)
hint: round up, as in --global 'ceil(n/17)*17', where the kernel leaves out what is too much by itself
? 2

$ foretime kernel run mm.cl -g n,n -l 512,512 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=512
foretime: groups of 262144 work-items are more than this device runs of kernel mm: <<[0-9]+>>
hint: choose a smaller --local
? 2

$ foretime kernel run mm.cl -g n,n -l 16 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=64
foretime: there are 2 dimensions of work-items, and 1 of a group
hint: <<.*>>
? 2

$ foretime kernel run mm.cl -g n,n --arg 'a=float[n*n' n=64
foretime: --arg a: an array is TYPE[COUNT], not 'float[n*n'
hint: types are char, short, int, long, float, double, and u before the first four
? 2

$ foretime kernel run mm.cl -g n,n --arg a=3 --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=64
foretime: a is a buffer, not a number
hint: give its contents: --arg a=float[COUNT]
? 2

$ foretime kernel run mm.cl -g n,n --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n/2.5]' n=64
foretime: the buffer c cannot have 1638.4 elements
? 2

$ foretime kernel run mm.cl -g n,n --arg 'a=float[1e13]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=64
foretime: the buffer a cannot have 1e+13 elements
? 2

$ foretime kernel run mm.cl -g n,n --arg 'a=float[2e11]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=64
foretime: the buffer a has 800000000000 bytes, and the device holds <<[0-9]+>> in one
hint: choose smaller sizes, or another device
? 2

$ foretime kernel run mm.cl --kernel nn -g 1
foretime: 'mm.cl' has no kernel 'nn'
? 2

$ printf '__kernel void f(__global float *a) { a[0] = nothing_such; }' > bad.cl; foretime kernel run bad.cl -g 16 --arg 'a=float[16]' 2>&1 | grep foretime:
foretime: the device's compiler does not take 'bad.cl': <<.*>>nothing_such<<.*>>

$ printf '__kernel void f(__global float *a, __local float *t) { t[get_local_id(0)] = 2; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[0]; }' > local.cl; foretime kernel run local.cl -g 16 -l 16 --arg 'a=float[16]' --arg 't=float[16]' --json | jq '.local_bytes >= 64'
true

$ foretime kernel run local.cl -g 16 -l 16 --arg 'a=float[16]' --arg 't=float[1e9]'
foretime: a group of kernel f needs 4000000000 bytes of local memory, and the device has <<[0-9]+>>
hint: choose smaller groups, or another device
? 2

$ foretime kernel run mm.cl -g 1 --device opencl:99
foretime: there is no device opencl:99: OpenCL has <<[0-9]+>> here
hint: foretime device list shows them; a device may have gone, or its driver
? 2

$ foretime kernel run mm.cl -g 1 --device gpu
foretime: --device is opencl:K, not 'gpu'
hint: foretime device list shows them
? 2

$ OCL_ICD_VENDORS=/nowhere foretime kernel run mm.cl -g 1
foretime: OpenCL has no device here: its loader is there, and no platform: install the ICD of a device, or pocl-opencl-icd for the processors
? 2

$ foretime kernel run none.cl -g 1
foretime: cannot read 'none.cl': No such file or directory
? 2

## A kernel without end is ended by the limit of the run.
$ printf '__kernel void f(__global volatile int *a) { a[0] = 1; while (a[0]) ; }' > endless.cl; foretime run --timeout 3s -- foretime kernel run endless.cl -g 1 --arg 'a=int[1]' 2>&1 | grep -ci 'timed out\|timeout\|longer than'
1

## A driver that crashes takes the process of the launch along, and no other one.
$ printf '__kernel void f(__global int *a) { *(volatile __global int *)(a[0] * 0L) = 1; }' > crash.cl; foretime run -- foretime kernel run crash.cl -g 1 --arg 'a=int[1]' 2>&1 | grep -ciE 'signal (11|6)|segmentation|abort|SIGSEGV'
1

$ foretime build crash n=16:64:16 --opencl crash.cl,global=n --arg 'a=int[n]' --device opencl:0 --device slow='sleep 0.{n}' --budget 60s --store crash.db 2>&1 | grep -A 1 '^note.*opencl'
note: device 'opencl:0' cannot run the least size; it is left out
hint: <<.*>>liboclgrind-rt-icd.so foretime device run<<.*>>

## What a foretime that measures it hears: the launch for the whole process, or each part.
$ foretime run --save one n=16 -- foretime kernel run mm.cl -g n,n --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=16 >/dev/null; foretime run --save two n=16 -- foretime kernel run mm.cl -g n,n --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' n=16 --tell parts >/dev/null; foretime list | cut -c 1-11 | sort
name
one
two
two/kernel
two/read
two/write

$ foretime kernel run mm.cl -g 1 --tell all
foretime: timed= is launch, kernel or parts, not 'all'
? 2

## A kernel on each device, beside a program; then with what the store has.
$ foretime build mm n=16:64:16 --opencl mm.cl,global=n,n,local=16,16 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' --device opencl:0 --device slow='sleep 1.{n}' --budget 60s --json | check-schema build-decided; foretime list mm | cut -c 1-14
name  device
mm    slow
mm    opencl:0

$ foretime device rank mm n=32 | grep -o 'best: opencl:0'
best: opencl:0

## The device is gone: it is said, and the other one is told.
$ OCL_ICD_VENDORS=/nowhere foretime device rank mm n=32 2>&1 | grep -oE '^note.*|^best: slow|^opencl:0 .*'
note: the driver of 'opencl:0' is another one: it was <<.*>>, and is none; its runs count no more
opencl:0<<.*>>its driver is another one now
best: slow

## A device without doubles: a layer of OpenCL takes those of this one away.
$ cat >none.c <<'END'
> #include <stddef.h>
> #include <stdint.h>
> #include <string.h>
> typedef int32_t (*info)(void *device, uint32_t what, size_t most, void *value, size_t *bytes);
> static void *table[512];
> static info real;
> static int32_t without(void *device, uint32_t what, size_t most, void *value, size_t *bytes)
> {
> 	int32_t code = real(device, what, most, value, bytes);
> 	if (!code && what == 0x1032 && value)
> 		memset(value, 0, most);
> 	return code;
> }
> int32_t clGetLayerInfo(uint32_t what, size_t most, void *value, size_t *bytes)
> {
> 	uint32_t version = 100;
> 	if (what == 0x4240 && value && most >= sizeof version)
> 		memcpy(value, &version, sizeof version);
> 	if (what == 0x4241 && value && most > 5)
> 		memcpy(value, "none", 5);
> 	if (bytes)
> 		*bytes = what == 0x4240 ? sizeof version : 5;
> 	return 0;
> }
> int32_t clInitLayer(uint32_t n, void *const *target, uint32_t *n_out, void *const **out)
> {
> 	memcpy(table, target, n * sizeof *table);
> 	real = (info)table[3];
> 	table[3] = (void *)without;
> 	*n_out = n;
> 	*out = table;
> 	return 0;
> }
> END
> cc -shared -fPIC none.c -o none.so; printf '__kernel void f(__global double *a) { a[get_global_id(0)] = 1; }' > f64.cl

$ OPENCL_LAYERS=$PWD/none.so foretime kernel run f64.cl -g 16 --arg 'a=double[16]'
foretime: the buffer a is of doubles, and the device has none
hint: use float, or another device
? 2

$ foretime kernel run f64.cl -g 16 --arg 'a=double[16]' --json | jq .buffers[0].bytes
128

## Another --local, another --arg, an edited source: another program each time, and old runs count no more.
$ for local in 16,16 8,8 8,8; do foretime build tile n=16:64:16 --opencl mm.cl,global=n,n,local=$local --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' --device opencl:0 --device slow='sleep 1.{n}' --budget 60s --json > tile.json 2>/dev/null; jq -c '[.devices[0].known > 0]' tile.json; done
[false]
[false]
[true]

$ sed 's/float s = 0;/float s = 1;/' mm.cl > other.cl; mv other.cl mm.cl; foretime build tile n=16:64:16 --opencl mm.cl,global=n,n,local=8,8 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' --device opencl:0 --device slow='sleep 1.{n}' --budget 60s --json 2>/dev/null | jq .devices[0].known
0

## Routines that tell of themselves are kept as programs of their own, on the same device.
$ foretime build parted n=16:64:16 --device cpu='foretime kernel run mm.cl -g n,n --arg a=float[n*n] --arg b=float[n*n] --arg c=float[n*n] --device timed=parts n={n}' --device slow='sleep 1.{n}' --least time --budget 60s >/dev/null; foretime list | grep ^parted | cut -c 1-19 | sort
parted         cpu
parted         slow
parted/kernel  cpu
parted/read    cpu
parted/write   cpu

$ foretime show mm --device opencl:0 | grep -c -- '--arg=a=float'
1

$ foretime build lacking n=16:64:16 --opencl mm.cl,global=n,n --arg 'a=float[n*n]' --device all --device slow='sleep 0.{n}' --budget 60s 2>&1 | grep -oE '^note.*out$|the argument b of kernel mm is missing'
the argument b of kernel mm is missing
note: device 'opencl:0' cannot run the least size; it is left out

$ foretime build mm n=16:64:16 --opencl mm.cl --device all
foretime: --opencl has no global size (the number of work-items)
hint: write --opencl FILE.cl,global=n,n,local=16,16; local is the size of a work-group
? 2

$ OCL_ICD_VENDORS=/nowhere foretime build nn n=16:64:16 --opencl mm.cl,global=n,n --device all
foretime: OpenCL has no device here: its loader is there, and no platform: install the ICD of a device, or pocl-opencl-icd for the processors
? 2

## Beside runs without a device, from before there were devices: they are one more variant.
$ foretime run --save before n=16 -- sleep 2 >/dev/null; foretime run --save before n=32 -- sleep 2 >/dev/null; foretime build before n=16:64:16 --opencl mm.cl,global=n,n,local=16,16 --arg 'a=float[n*n]' --arg 'b=float[n*n]' --arg 'c=float[n*n]' --device all --budget 60s >/dev/null 2>&1; echo $?; foretime device rank before n=32 | grep -oE '^\(none\)|^opencl:0|^best: [^,]*'
0
opencl:0
(none)
best: opencl:0

## By energy, which powers of the machine say.
$ foretime build mm --least energy --powers opencl:0:device=1 --powers slow:device=1 --json 2>/dev/null | jq -c '[.resource, .stop]'; foretime device rank mm n=32 --least energy --powers opencl:0:device=1 --powers slow:device=1 | grep -o 'best: opencl:0'
["energy_j","<<decided|no run that may be made decides more>>"]
best: opencl:0

## A kernel that ends the process says so.
$ echo '__kernel void far(__global int *a, int n) { *(__global int *)(ulong)n = a[0]; }' > far.cl; (foretime kernel run far.cl --global 1 --arg 'a=int[n]' --arg n=n n=64; echo $?) 2>&1 | grep -E '^(foretime|hint|139)'
foretime: the kernel reached outside of its buffers, or of its stack, and ended the process
hint: oclgrind(1) names the place: man foretime-device
139
$ echo '__kernel void trap(__global int *a) { if (a[0] >= 0) __builtin_trap(); a[0] = 1; }' > trap.cl; echo 'int deep(int n) { volatile int big[4096]; big[n & 4095] = n; return n <= 0 ? big[0] : deep(n - 1) + big[n & 4095]; } __kernel void down(__global int *a, int n) { a[0] = deep(n); }' > deep.cl
> for k in trap deep; do (foretime kernel run $k.cl --global 1 --arg 'a=int[n]' --arg n=n n=1000000; echo $?) 2>&1 | grep -E '^(foretime|1)'; done
foretime: the kernel came to a trap or to an instruction that this processor lacks, and ended the process
132
foretime: the kernel reached outside of its buffers, or of its stack, and ended the process
139

## A file that is shorter than what the kernel writes.
$ head -c 400 /dev/zero > short.bin; echo '__kernel void all(__global int *a) { a[get_global_id(0)] = 1; }' > all.cl
> foretime kernel run all.cl --global 101 --arg a=short.bin
foretime: the kernel wrote behind the end of the buffer a: its file has 400 bytes
hint: take a file that is as long as what the kernel writes, or fewer work-items
? 2
$ foretime kernel run all.cl --global 100 --arg a=short.bin | tail -1
a 400 B <<[\d.]+>>

## Parts cannot be compared: which of them would it be?
$ foretime build nn n=16:64:16 --opencl mm.cl,global=n,n,timed=parts --device all
foretime: timed= is launch or kernel, not 'parts'
? 2
