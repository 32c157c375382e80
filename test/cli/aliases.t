## SPDX-License-Identifier: GPL-3.0-or-later
## Other spellings: short ones, and those of before, which do what the present ones do and stand in no list.
$ foretime import in/cubic.csv --name cubic --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime ls > 1; foretime list > 2; cmp 1 2 && wc -l < 1
2

$ foretime import in/cubic.csv --name gone --here >/dev/null 2>&1; foretime delete gone; foretime import in/cubic.csv --name gone --here >/dev/null 2>&1; foretime remove gone
removed 'gone' with 30 runs
removed 'gone' with 30 runs

$ for v in version --version -V 'help --version'; do foretime $v; done | sort | uniq -c
<<\s*4>> foretime <<\d+\.\d+\.\d+>>

$ foretime program set cubic --require memory=1GiB; foretime program show cubic > 1; foretime set cubic > 2; cmp 1 2; grep requires 1; foretime program unset cubic; foretime set cubic | tail -1
requires memory 1GiB
no knowledge is stored

$ foretime doctor --json | tee 0 | jq 'del(.storage_free_bytes)' > 1; foretime machine info --json | jq 'del(.storage_free_bytes)' > 2; cmp 1 2; check-schema doctor < 0

$ foretime pack --cores 0; foretime plan pack --cores 0
foretime: which program?
hint: foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...
foretime: which program?
hint: foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...
? 2

$ foretime load import; foretime machine load import
foretime: missing FILE.csv; usage: foretime machine load import FILE.csv [OPTION...]
foretime: missing FILE.csv; usage: foretime machine load import FILE.csv [OPTION...]
? 2

$ foretime manager --check; foretime serve --check; foretime manager explain
foretime: --dry-run needs a configuration
hint: name it with --config FILE; its format: man foretime-manager.conf
foretime: --dry-run needs a configuration
hint: name it with --config FILE; its format: man foretime-manager.conf
foretime: explain needs a configuration
hint: name it with --config FILE; its format: man foretime-manager.conf
? 2

$ foretime serve --page --socket m.sock
foretime: --page and --socket exclude each other
hint: leave one of them out
? 2

## Help and completion of an old spelling are those of the present one; none is offered.
$ for old in ls delete remove program doctor pack kernel manager load; do foretime $old --help | head -1; done
foretime list: list the programs in the store
foretime rm: remove a program with all its runs and models
foretime rm: remove a program with all its runs and models
foretime set: state what is known of a program before it runs
foretime machine info: print what can be measured on this machine, and what not
foretime plan pack: measure how many copies of a program fit on this machine
foretime device: choose the device that a routine should run on
foretime serve: show the store in a browser, or answer programs (a manager)
foretime machine load: record background load, and show what it does to a run

$ foretime help pack | head -1; foretime help plan pack | head -1
foretime plan pack: measure how many copies of a program fit on this machine
foretime plan pack: measure how many copies of a program fit on this machine

$ { foretime --help=all | sed -n 's/^  \([a-z]*\) .*/\1/p'; foretime help --names; foretime --complete '' | cut -f 1; foretime help --help=man | sed -n 's/^.foretime-\([a-z-]*\).*/\1/p'; ls $FORETIME_TEST_SOURCE/man | sed 's/^foretime-//; s/[.]1[.]scd//'; } > named; for old in ls delete remove version program doctor pack kernel manager load; do grep -x $old named; done; [ $(wc -l < named) -gt 80 ] && echo many
many

$ foretime --complete rm --js | cut -f 1 | grep json; foretime --complete pack --js | cut -f 1 | grep json; foretime --complete plan '' | cut -f 1 | tail -1; foretime --complete plan pack ''
--json
--json
pack
cubic

## At most 22 names in what everybody sees.
$ foretime --help | sed -n '/^every day/,/^more/p' | grep -v '^more' | sed 's/^  \([a-z]*\) .*/\1/; s/.*: *//; s/,//g' | wc -w
22

## Old names of options work, and stand in no help and no completion.
$ foretime list --most 1 > 1; foretime list --limit 1 > 2; cmp 1 2; foretime list --help=all | grep -c -e --most; foretime --complete list --mo | grep -c most
0
0
? 1

$ foretime verify cubic --repetitions 0 n=100; foretime verify cubic -n 0 n=100
foretime: --runs 0: nothing would be run
foretime: --runs 0: nothing would be run
? 2

$ foretime energy peak --watts infr=100,machine=90,core=10 n=36 m=3 > 1; foretime energy peak --powers infr=100,machine=90,core=10 n=36 m=3 > 2; cmp 1 2 && [ -s 1 ]

$ foretime trace fit in/trace.csv -n 3 --csv > 1; foretime trace fit in/trace.csv -k 3 --csv > 2; cmp 1 2 && [ -s 1 ]

$ foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 --repeats 2 > 1; foretime surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 -n 2 > 2; cmp 1 2 && [ -s 1 ]

$ for o in --limit --timeout -t; do foretime slurm status $o 0s; done
foretime: --timeout 0s is not a time
foretime: --timeout 0s is not a time
foretime: --timeout 0s is not a time
? 2

## Each old spelling prints what the present one does, error or answer, from stores that are alike.
$ cat > same.sh <<'END'
> say() {
> 	rm -rf out* new.db
> 	cp old.db new.db
> 	eval "FORETIME_STORE=new.db foretime $1" > said 2>&1
> 	echo "status $?" >> said
> 	cat out* >> said 2>/dev/null
> 	sed -i -E 's/newest .* ago/newest/; s/20[0-9-]+T[0-9:.]+Z//g; s/"[a-z_]*age_s": [0-9.e+-]+//' said
> }
> while IFS='~' read -r old new; do
> 	say "$old"; mv said before
> 	say "$new"
> 	cmp -s before said || { echo "differ: $old"; diff before said | head -4; }
> 	grep -qE "unknown option|has no use for|is none of its (words|keys)" said && { echo "not taken: $new"; head -1 said; }
> 	echo "$old" >> compared
> done
> wc -l < compared
> END
> foretime import in/cubic.csv --name cubic --here --store old.db >/dev/null
> printf 'program,n,time_s\nf,1,5\ng,1,5\nfg,1,11\n' > two.csv; printf 'resource,a,b,c,a+b,b+c,c+a\nt,1,2,3,3.3,4,4\n' > chain.csv; printf 'program,n,cpu_pct\na,1,5\n' > share.csv
> printf 't,y\n0,1\n1,3\n2,\n3,9\n4,2\n' > gaps.csv; foretime trace fit in/trace.csv -k 3 --json > model.json; printf 'bytes,seconds\n0,1e-4\n0,1e-4\n1000000,0.01\n1000000,0.01\n' > mpi.csv
> printf 'utilisation,power_w,host\n0,50,a\n0.5,80,a\n1,100,a\n0,60,b\n0.5,90,b\n1,110,b\n' > curve.csv; printf '__kernel void f(__global int *a) { a[0] = 1; }' > f.cl; printf '1 2\n' > ended; cp ended again
> echo '{"shares": [{"processor": "a", "units": 100, "time_s": 0.1}, {"processor": "b", "units": 100, "time_s": 0.1}]}' > plan.json; printf 'processor,seconds,done\na,0.2,25\na,0.4,50\n' > now.csv
> printf 'a,b\n3,4\n5,6\n' > tasks.csv
> sh same.sh <<'END'
> list --names~list --format names
> help --names~help --format names
> set other --law wall_s=n --param n=1:9 --json~set other n=1:9 --law wall_s=n --format json
> build m n --replay in/cubic.csv --shuffle --seed 7 --method naive --points 3 --reps 1:1 --here --json~build m n --replay in/cubic.csv,shuffle --seed 7 --method naive --limit 3 -n 1:1 --here --json
> build m n --replay in/cubic.csv --here --far half --work 'n^3' --json~build m n --replay in/cubic.csv --here --method adaptive,far=half --work 'n^3' --json
> build m n --replay in/cubic.csv --here --method gbbp --end zero --climb strict --json~build m n --replay in/cubic.csv --here --method gbbp,end=zero,climb=strict --json
> build m n=1:9 --via slurm --partition p --constraint c --at-once 2 --folder /x --dry-run -- true {n}~build m n=1:9 --via slurm,partition=p,constraint=c,at-once=2,folder=/x --dry-run -- true {n}
> build m n=1:9 --via parallel --hosts none --instructions --valgrind --working-set --counters none --energy rapl --dry-run -- true {n}~build m n=1:9 --via parallel,hosts=none --measure instructions,valgrind,working-set,counters=none,energy=rapl --dry-run -- true {n}
> build m n=1:9 --via slurm --each-kind --json -- true {n}~build m n=1:9 --via slurm,each-kind --json -- true {n}
> build m n=1:9 --opencl f.cl --kernel f --global n --local 1 --flags -DX --tell parts~build m n=1:9 --opencl f.cl,kernel=f,global=n,local=1,flags=-DX,timed=parts
> build m n=1:9 --until decided --least energy --watts -1~build m n=1:9 --least energy,watts=-1
> build nobody --steps </dev/null~build nobody --via steps </dev/null
> build m n=1:9 --meter 'echo 1' --meter-unit furlong -- true {n} 2>\&1 | grep -v ' s$'~build m n=1:9 --meter 'echo 1',meter-unit=furlong -- true {n} 2>\&1 | grep -v ' s$'
> import in/cubic.csv --name z --here --format csv --machine-memory 1GB --again --json~import in/cubic.csv --name z --here --from csv --memory 1GB --all --json
> import in/cubic.csv --name z --here --gathered guessed --directory nowhere~import in/cubic.csv --name z --here --from gathered=guessed --size directory=nowhere
> verify cubic --runs in/cubic.csv --format csv --report junit~verify cubic --replay in/cubic.csv --from csv --format junit
> verify cubic --reps 0 n=100~verify cubic -n 0 n=100
> verify cubic --replay in/cubic.csv --strict --json~verify cubic --replay in/cubic.csv --two-sided --json
> predict cubic n=500 --machine far --cpi 2 --hz 1e9 --available 50%~predict cubic n=500 --machine far --cpi 2,hz=1e9,available=50%
> predict cubic n=500 --when~predict cubic n=500 --at best
> predict cubic n=500 -r energy_j --price 1/kWh --co2 1g/kWh~predict cubic n=500 -r energy_j --price 1/kWh,co2=1g/kWh
> request cubic --format nextflow --size-from 'reads.size() / 220'~request cubic --format nextflow --size 'reads.size() / 220'
> request cubic n=550 --risk least --retry 2x~request cubic n=550 --risk least,retry=2x
> run --sample 5ms --counters none --trace - -o /dev/null -- true | head -1~run --every 5ms --measure counters=none --trace - -o /dev/null -- true | head -1
> run --keep-trace -- true~run --save keep-trace -- true
> run --end-on-breach -- true~run --contract end-on-breach -- true
> run --progress-log out -- true~run --progress progress-log=out -- true
> run --contract cubic n=500 --progress-like none -- true~run --contract cubic n=500 --progress progress-like=none -- true
> plan pack --cores 9999 -- true~plan pack --cpus 9999 -- true
> plan pack --most 1 --within 200% -- true~plan pack --limit 1 --tolerance 200% -- true
> plan map tasks.csv --on a,b --plot out.svg --memory-risk 2% --json~plan map tasks.csv --on a,b -o out.svg --risk memory-risk=2% --json
> plan export cubic --format starpu --symbol s --host h n=500~plan export cubic --format starpu,symbol=s,host=h n=500
> plan partition cubic n=1000 --min 2000 --front~plan partition cubic n=1000 --granularity min=2000 --least both
> plan partition --live cubic n=10 --on a --rounds 0 -- true~plan partition --via local cubic n=10 --on a -n 0 -- true
> plan schedule tasks.csv --on a --weights 1~plan schedule tasks.csv --on a --mode weights=1
> plan revise plan.json --progress now.csv --cost 10ms~plan revise plan.json now.csv --cost 10ms
> load show --file in/load.csv --processors 1 --interval 20s --history 20m --window 5m --share 80% --width 60%~machine load show in/load.csv --cpus 1 --every 20s --since 20m --window 5m,share=80%,width=60%
> load record --for 0s --keep 0s --interval 0.1s~machine load record --timeout 0s --expires 0s --every 0.1s
> machine link far --table mpi.csv --json~machine link far --replay mpi.csv --json
> slurm raise --once --dry-run~slurm raise --every once --dry-run
> slurm models --on M -o out~slurm models --machine M -o out
> slurm harvest --jobs ended~slurm harvest again
> slurm install --lua none -o out --dry-run~slurm install -o out,lua=none --dry-run
> serve --check --everybody~serve --dry-run --socket everybody
> serve --config none --listen :1 --certificate a --key b --token c --host d~serve --config none --listen :1,certificate=a,key=b,token=c,host=d
> device features f.cl -g 8 -l 8 --steps 0 --groups 2~device features f.cl -g 8 -l 8 --effort 0 --limit 2
> device features f.cl -g 8 -l 8 --line 32 --ways 0 --warp 4 --clang nowhere --expressions~device features f.cl -g 8 -l 8 --cache line=32,ways=0,warp=4 --flags clang=nowhere --expression
> device run f.cl -g 8 --times 2 --tell all~device run f.cl -g 8 -n 2 --device timed=all
> device rank cubic n=500 --least time --watts -1~device rank cubic n=500 --least time,watts=-1
> energy sweet-spot --watts infr=100,machine=90,core=10 time=1h cores=4 --serial 10% --waits idle --curve~energy sweet-spot --powers infr=100,machine=90,core=10 time=1h cores=4 serial=10% waits=idle --all
> energy sweet-spot --powers core=1 cubic cores=4 --threads n~energy sweet-spot --powers core=1 cubic cores=4 --by n
> energy predict --powers infr=1,machine=2,core=3 wall=10s,job=8s,n=4 wall=4s,n=2 --printed~energy predict --powers infr=1,machine=2,core=3 wall=10s,job=8s,n=4 wall=4s,n=2 --method printed
> energy fit in/cubic.csv --plain --merge --resolution 9W~energy fit in/cubic.csv --method plain,merge --meter resolution=9W
> energy fit in/cubic.csv --keep --machine nowhere~energy fit in/cubic.csv --save nowhere
> trace fit in/trace.csv --error 1 --ends free --json~trace fit in/trace.csv --tolerance 1 --pieces ends=free --json
> trace fit gaps.csv --time t --gaps break --steps --csv~trace fit gaps.csv --value y,time=t,gaps=break,hold --csv
> trace show in/trace.csv --json --draw 10~trace show in/trace.csv --json --width 10
> trace plot in/trace.csv --fit model.json -o out.svg~trace plot in/trace.csv --model model.json -o out.svg
> trace constrain in/trace.csv --keep-from model.json~trace constrain in/trace.csv --model model.json
> surrogate matrix --file in/programs.csv --turned~surrogate matrix in/programs.csv --transpose
> surrogate matrix share.csv --admit~surrogate matrix share.csv --all
> surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18 --test 9 --reps 2 --group processor --predictions out.csv~surrogate evaluate in/machines.csv --programs '[.]' --basis 2 --train 18,test=9 -n 2 --by processor -o out.csv
> surrogate describe in/programs.csv --target pT --basis p1,p2,p3 --solver nmf --rank 2 --loss kl --start random --method newton --iterations 9~surrogate describe in/programs.csv --target pT --basis p1,p2,p3 --solver nmf,rank=2,loss=kl,start=random,method=newton,iterations=9
> surrogate describe in/programs.csv --target pT --basis p1,p2,p3 --raw --cut 1e-3~surrogate describe in/programs.csv --target pT --basis p1,p2,p3 --solver ols,raw,cut=1e-3
> surrogate describe in/programs.csv --target pT --weigh~surrogate describe in/programs.csv --target pT --solver weigh
> surrogate compose two.csv --first f --second g --target fg~surrogate compose two.csv --basis f,g --target fg
> surrogate couple chain.csv --chain a,b,c --loop~surrogate couple chain.csv --basis a,b,c,a
> END
67

## A key that an option does not have; one that is written twice takes the last; what is none of the forms, and two of them.
$ foretime surrogate describe in/programs.csv --target pT --solver nmf,rnak=2
foretime: option --solver: 'rnak' is none of its keys
hint: write one of these: raw, cut, iterations, weigh, rank, loss, l1, l2, start, method
? 2

$ printf 'step=1,total=2\n' > out; foretime run --contract cubic n=500 --progress 'step=([0-9]+),total=([0-9]+)' -- true 2>&1 | grep -c keys; foretime device features f.cl -g 8 -l 8 --cache 32KiB,lines=64
0
foretime: option --cache: 'lines' is none of its keys
hint: write one of these: line, ways, warp
? 2

$ foretime run --measure joules -- true
foretime: option --measure: 'joules' is none of its keys
hint: write one of these: counters, instructions, valgrind, working-set, sockets, energy, gpu
? 125

$ foretime energy fit curve.csv --format yaml; foretime energy fit curve.csv --json --format text
foretime: option --format: 'yaml' is none of its words
hint: write text or json
foretime: json and text are two formats
hint: choose one of them: --format text
? 2

$ foretime list --format json > 1; foretime list --json > 2; cmp 1 2; printf 'format = json\n' > config; FORETIME_CONFIG=config foretime list > 2; cmp 1 2; FORETIME_CONFIG=config foretime list --format names
cubic

$ printf '[surrogate]\nsolver = nmf,rank=2\n' > config; FORETIME_CONFIG=config foretime surrogate describe in/programs.csv --target pT --basis p1,p2,p3 > 1 2>/dev/null; foretime surrogate describe in/programs.csv --target pT --basis p1,p2,p3 --solver nmf,rank=2 > 2 2>/dev/null; cmp 1 2 && [ -s 1 ]

## Neither old spellings nor keys are offered; keys stand below their option.
$ foretime surrogate describe --help=all | sed -n '/--solver/,/--confidence/p' | grep -c '^ *,'; foretime surrogate describe --help=all | grep -cE -e '--(rank|file|admit|first)'; foretime --complete surrogate describe --ra | grep -cE '^--(rank|raw|file)'
10
0
0
? 1
