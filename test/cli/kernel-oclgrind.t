## SPDX-License-Identifier: GPL-3.0-or-later
## Kernels that reach where they may not, run under oclgrind, as the manual says: eight work-items write outside, in two
## launches, of which the first is not timed.
%needs OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so "$FORETIME_TEST_BUILD"/foretime device list | grep -qi oclgrind

$ printf '__kernel void f(__global float *a) { a[get_global_id(0) + 8] = 1; }' > outside.cl; OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime kernel run outside.cl -g 16 --arg 'a=float[16]' 2>&1 | grep -c 'Invalid write of size 4'
16

$ printf '__kernel void f(__global float *a) { if (get_local_id(0)) barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = 1; }' > apart.cl; OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime kernel run apart.cl -g 16 -l 16 --arg 'a=float[16]' 2>&1 | grep -c -m 1 -i diverge
1

## Another driver under the same name: what was measured with the one before counts no more, and it is said.
$ printf '__kernel void f(__global float *a) { a[get_global_id(0)] = 1; }' > plain.cl; foretime build plain n=16:64:16 --opencl plain.cl,global=n --arg 'a=float[n]' --device opencl:0 --device slow='sleep 0.{n}' --budget 20s >/dev/null 2>&1; OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime device rank plain n=32 2>&1 | grep -E '^note|^hint|^best'
note: the driver of 'opencl:0' is another one: it was <<.*>>, and is <<.*[Oo]clgrind.*>>; its runs count no more
hint: measure it again: foretime build plain --least time
best: slow<<.*>>
