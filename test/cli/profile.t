## SPDX-License-Identifier: GPL-3.0-or-later
## what is wrong is reported before anything runs
$ foretime profile
foretime: missing program; usage: foretime profile [NAME] n=1000:32000 -- PROG {n}
? 2

$ foretime profile -- true {n}
foretime: missing sizes; usage: foretime profile [NAME] n=1000:32000 -- PROG {n}
? 2

$ foretime profile n=1,2,3 -- true {n}
foretime: these are 3 sizes, and laws need 4
hint: give a range, as in n=1000:32000
? 2

$ foretime profile n=1:9 m=1:9 -- true {n} {m}
foretime: 2 parameters vary, and laws of functions are of one
hint: give the other ones one value, as in m=100
? 2

$ foretime profile n=1:9 --at m=5 -- true {n}
foretime: --at m=5 is not one size
hint: write it as in --at n=300000
? 2

$ foretime profile n=1:9 --at n=5:7 -- true {n}
foretime: --at n=5:7 is not one size
hint: write it as in --at n=300000
? 2

$ foretime profile 'a b' n=1:9 -- true {n}
foretime: 'a b' cannot be a program's name: it has a blank
hint: choose one of letters, digits and - _ . : + as in fft_v2
? 2

$ foretime profile n=10:90 --json --csv -- true {n}
foretime: <<.*>>
...
? 2

## without valgrind
$ mkdir none; PATH=none "$(command -v foretime)" profile n=1000:8000 -- /bin/true {n}
foretime: valgrind is not installed
hint: install it: apt install valgrind
? 2

%needs valgrind --version && cc --version

## a program with a quadratic that is small at the sizes profiled
$ cat > made.c <<'TEXT'
> #include <stdio.h>
> #include <stdlib.h>
> #define APART __attribute__((noinline, noclone))
> static volatile unsigned long sink;
> APART void linear(unsigned long n) { for (unsigned long i = 0; i < 40 * n; i++) sink += i; }
> APART void square(unsigned long n) { for (unsigned long i = 0; i < n / 8 * (n / 50); i++) sink += i; }
> APART unsigned long fib(unsigned long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
> APART void late(unsigned long n) { if (n > 2500) for (unsigned long i = 0; i < 9 * n; i++) sink += i; }
> int main(int argc, char **argv) {
> 	unsigned long n = strtoul(argv[1], NULL, 10);
> 	if (argc > 2 && n == strtoul(argv[2], NULL, 10)) return 3;
> 	linear(n); square(n); late(n); sink += fib(12); printf("%lu\n", sink); return 0; }
> TEXT
> cc -O1 -o made made.c && cp made bare && strip bare

$ foretime profile n=500:8000 --at 80000 -- ./made {n}
made: 6 sizes profiled, n = 500 .. 8000, in <<.*>>; <<[\d.]+ M>> instructions at n=8000
at n=80000: <<[\d.]+ M>> instructions, the sum of the laws; 90 % of runs take <<.*>> to <<.*>>
law of the whole: <<.*; .* there, .* (below|above) the sum>>
function               n=8000  n=80000  law                        overtakes at
square <<2\d\.\d % +8\d\.\d % +[\d.]+\*n\^2 .* +1[0-9]000>>
linear <<5\d\.\d % +1\d\.\d % +[\d.]+\*n.* +largest now>>
late <<1\d\.\d % +\d\.\d % +[\d.]+\*n.*, from n=\d+ on +->>
<<\d+>> other functions  <<.*>>

## all that functions call; a program in the store is profiled without its command
$ foretime build made n=500:8000 -b 1 -q -- ./made {n} > /dev/null; foretime profile made -i | sed -n '/^main/p; /^square/p'
main     <<9\d\.\d % +9\d\.\d % +[78]\d(\.\d)? % in square: n\^2>>
square   <<2\d\.\d % +[78]\d\.\d % +100 % its own: .*n\^2.*>>

## JSON and CSV have all functions
$ foretime profile n=500,1000,2000,4000,8000 --at n=80000 --json -- ./made {n} > j; check-schema profile < j; jq -c '[.parameter, .count, .at, (.profiles | length), .functions[0].name, .functions[0].class, .varies, .failed]' j
["n","exclusive",80000,6,"square","n^2",0,[]]

$ jq -r '.functions[] | select(.name == "fib") | [.recursive, .basis] | @tsv' j; jq '[.functions[].now] | add' j > a; jq '.whole.now' j > b; cmp a b; jq '((.sum.value / .whole.value) | . > .2 and . < 5)' j
true	<<law|small>>
true

$ foretime profile n=500,1000,2000,4000 --inclusive --json -- ./made {n} | check-schema profile

$ foretime profile n=500,1000,2000,4000 --csv -- ./made {n} | head -2
name,object,file,nameless,recursive,basis,now,share_now,value,lower,upper,share,begins,overtakes,misfit,class,law,mostly,mostly_share
<<(linear|square|late),.*/made,.*>>

## stripped code is addresses, and that is reported
$ foretime profile n=500:8000 -- ./bare {n} > bare.out; grep -E '^0x|stripped' bare.out | head -2; tail -1 bare.out
<<0x[0-9a-f]+ \(bare\)  .*n\^2.*>>
<<0x[0-9a-f]+ \(bare\)  .*>>
<<9\d(\.\d)?>> % of the instructions are in code without names (stripped), most of them in <<.*>>/bare: its functions are addresses

## a size at which it fails is left out; where too few are left there are no laws
$ foretime profile n=500,1000,2000,4000,8000 -- ./made {n} 2000 2>&1 | head -2
note: n=2000 was left out: under valgrind it ended with status 3
made: 4 sizes profiled, n = 500 .. 8000, in <<.*>>

$ foretime profile n=500,1000,2000,4000 -- ./made {n} 2000
foretime: 3 of 4 sizes could be profiled, and laws need 4; n=2000: under valgrind it ended with status 3
hint: <<.*>>
? 2

$ foretime profile n=500,1000,2000,4000 -- false {n}
foretime: 0 of 4 sizes could be profiled, and laws need 4; n=500: under valgrind it ended with status 1
hint: <<.*>>
? 2

$ foretime profile n=500,1000,2000,4000 -- ./nothing {n}
foretime: <<.*nothing.*>>
...
? 2

## the budget
$ foretime profile n=1000:100000000000 -b 4 -- ./made {n} 2>&1 | grep -c -e 'budget ended'
1

## models of functions
$ foretime profile made n=500:8000 --save -o shares.svg -- ./made {n} 2>&1 | grep note
note: <<\d>> functions are kept: foretime predict 'made/square' n=... -r instructions

$ foretime predict made/square n=80000 -r instructions --json | jq '.predictions[0].value | . > 5e7 and . < 1e9'
true

## a picture
%needs gnuplot --version
$ grep -c '<svg' shares.svg; grep -o 'other functions' shares.svg | head -1
1
other functions

$ foretime profile n=500:8000 --inclusive -o x.svg -- ./made {n} > out
foretime: --inclusive and --output exclude each other
hint: leave one of them out
? 2

## what valgrind does not know, an instruction of AVX-512 here, is refused with a remedy; threads are reported
$ printf 'int main(void) { __asm__ volatile(".byte 0x62,0xf1,0xfd,0x48,0x6f,0xc0"); return 0; }' > wide.c; gcc -o wide wide.c; foretime profile n=1:9 -- ./wide {n} 2>said; status=$?; if [ "$(uname -m)" = x86_64 ] && command -v valgrind >/dev/null; then sed 's/; n=.*(/; (/' said; echo $status; else printf '%s\n' 'foretime: 0 of 6 sizes could be profiled, and laws need 4; (Illegal instruction)' 'hint: valgrind does not know every instruction, such as those of AVX-512: build the program without them (-mno-avx512f), or count where there are counters' 2; fi
foretime: 0 of <<\d>> sizes could be profiled, and laws need 4; (Illegal instruction)
hint: valgrind does not know every instruction, such as those of AVX-512: build the program without them (-mno-avx512f), or count where there are counters
2

$ cat > turns.c <<'END'
> #include <pthread.h>
> #include <stdlib.h>
> static long n;
> static void *work(void *sum) { for (long i = 0; i < 100 * n; i++) *(volatile long *)sum += i; return NULL; }
> int main(int argc, char **argv)
> {
> 	pthread_t thread[2];
> 	long sum[2] = {0};
> 	n = argc > 1 ? atol(argv[1]) : 1;
> 	for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, work, &sum[i]);
> 	for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
> 	return 0;
> }
> END
> gcc -pthread -o turns turns.c; if command -v valgrind >/dev/null; then foretime profile n=10,20,40,80 -- ./turns {n} | grep -c 'starts threads: .*--threads 1'; else echo 1; fi
1

