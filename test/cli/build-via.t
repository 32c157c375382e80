## SPDX-License-Identifier: GPL-3.0-or-later
## foretime build --via: runs that others carry. What is handed over is printed by --dry-run, without an engine.
$ printf '#!/bin/sh\nexec awk -v n=$1 "BEGIN { for (i = 0; i < n * 1000; i++) s += i }"\n' > sum; chmod +x sum

$ foretime build sum n=1:50 --via slurm,partition=bench,constraint=fast,at-once=3 --timeout 90s --memory 2GB --threads 2 --via folder=/shared/sum --dry-run -- ./sum '{n}'
#!/bin/sh
#SBATCH --job-name=ft-0123456789abcdef0123456789abcdef
#SBATCH --array=0-2
#SBATCH --nice=100
#SBATCH --requeue
#SBATCH --exclusive
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --output=/dev/null
#SBATCH --partition=bench
#SBATCH --constraint=fast
#SBATCH --time=4
#SBATCH --mem=1908M
#SBATCH --cpus-per-task=2
cd /shared/sum || exit
exec sh 0123456789abcdef0123456789abcdef.$SLURM_ARRAY_TASK_ID.sh >>0123456789abcdef0123456789abcdef.$SLURM_ARRAY_TASK_ID.out 2>&1

0123456789abcdef0123456789abcdef.0.sh, at the least sizes:
#!/bin/sh
cd <<\S+>> || exit
b=$(date +%s.%N)
<<\S+>>/foretime run --into /shared/sum/0123456789abcdef0123456789abcdef.0.db --timeout 90s --threads 2 n=1 -- ./sum '{n}'
r=$?
e=$(date +%s.%N)
echo "$r $b $e" >/shared/sum/<<\S+>>.end.new && mv /shared/sum/<<\S+>>.end.new /shared/sum/<<\S+>>.end
# limit 90
# size 1

$ foretime build sum n=1:50 --via parallel,at-once=2,folder=/shared/sum --dry-run -- ./sum '{n}' | head -2
sh /shared/sum/0123456789abcdef0123456789abcdef.0.sh
sh /shared/sum/0123456789abcdef0123456789abcdef.1.sh

$ foretime build sum n=1:50 --via mpiexec,folder=/shared/sum --dry-run -- ./sum '{n}' | head -1
-n 1 sh /shared/sum/0123456789abcdef0123456789abcdef.0.sh

## Words of a shell are words, in the command, in names and in folders.
$ foretime build 'sum;touch(bad)' n=1:50 --via slurm,folder="/it's \$(touch bad)" --prepare 'echo "{n}"' --dry-run -- ./sum '{n}' '$(touch bad)' "it's" '' | grep -E '^cd |^exec|run --into'; ls bad
cd '/it'\''s $(touch bad)' || exit
exec sh 0123456789abcdef0123456789abcdef.$SLURM_ARRAY_TASK_ID.sh >>0123456789abcdef0123456789abcdef.$SLURM_ARRAY_TASK_ID.out 2>&1
cd <<\S+>> || exit
<<\S+>>/foretime run --into '/it'\''s $(touch bad)/0123456789abcdef0123456789abcdef.0.db' --prepare 'echo "{n}"' n=1 -- ./sum '{n}' '$(touch bad)' 'it'\''s' ''
ls: cannot access 'bad': No such file or directory
? 2

$ foretime build sum n=1:50 --via slurm,partition='a b' --dry-run -- ./sum '{n}'
foretime: a line of #SBATCH has no way to write the partition 'a b'
hint: names of Slurm have no blanks, quotes, # and \: sinfo lists the valid ones
? 2

$ foretime build sum n=1:50 --via mpiexec,folder='/a b' --dry-run -- ./sum '{n}'
foretime: a file of mpiexec has no way to write the word '/a b/0123456789abcdef0123456789abcdef.0.sh'
hint: name hosts without blanks, and such a folder with --via folder=DIR
? 2

## What does not go together.
$ foretime build sum n=1:50 --via bus -- ./sum '{n}'
foretime: --via is slurm, parallel or mpiexec, not 'bus'
hint: without it all runs are made here
? 2

$ foretime build sum n=1:50 --via partition=bench -- ./sum '{n}'
foretime: partition, constraint, hosts, folder, each-kind, at-once and --dry-run need --via
hint: choose what starts the runs: --via slurm, parallel or mpiexec
? 2

$ foretime build sum n=1:50 --via parallel,partition=bench -- ./sum '{n}'; foretime build sum n=1:50 --via slurm,hosts=hosts -- ./sum '{n}'; foretime build sum n --via slurm --replay in/cubic.csv; foretime build sum n=1:50 --via slurm,at-once=1000 -- ./sum '{n}'
foretime: partition and constraint are of --via slurm
foretime: hosts is of --via parallel and mpiexec
foretime: --replay and --via exclude each other
hint: leave one of them out
foretime: at-once is at most 256
? 2

$ foretime build sum n=1:50 --via slurm,each-kind --json -- ./sum '{n}'
foretime: --json and --via each-kind exclude each other
hint: leave one of them out
? 2

$ PATH=$(dirname "$(command -v foretime)"); foretime build sum n=1:50 --via parallel -- ./sum '{n}'; foretime build sum n=1:50 --via slurm -- ./sum '{n}'
foretime: there is no parallel here
hint: install it (Debian: parallel), or leave out --via
foretime: there is no sinfo here
hint: --via slurm is for a machine where Slurm's commands are; --via parallel,hosts=FILE needs none
? 2

## An engine that is no more than its words: what is carried, comes back, fails, and is lost.
$ mkdir engine; printf '#!/bin/sh\nfor last; do :; done\nexec sh "$last"\n' > engine/parallel; chmod +x engine/parallel
$ PATH=$PWD/engine:$PATH foretime build sum n=1:50 --via parallel,at-once=2 --limit 4 -q -v -- ./sum '{n}' | sed -n 1,8p; ls -d data/foretime/*
sum: median wall_s by size, in the order measured
 n runs median
...
<<(1|3|7|19|50)>> <<\d+>> <<[\d.]+ .s>>
...
data/foretime/store.db
...

$ foretime show sum --json | check-schema show; foretime export sum --csv | grep -c '^[0-9]'
<<[4-9]|1\d>>

$ PATH=$PWD/engine:$PATH foretime build sum --via parallel --limit 3 --json -q -- ./sum '{n}' | check-schema build

$ printf '4/bad/host\n' > hosts; foretime build sum --via parallel,hosts=hosts 2>&1 | sed 's/^foretime: there is no parallel here/foretime: hosts:1: that is not a host/' | head -1; PATH=$PWD/engine:$PATH foretime build sum --via parallel,hosts=none
foretime: hosts:1: that is not a host
foretime: cannot open 'none': No such file or directory
? 2

## A host that the launcher does not reach: nothing comes back, again and again.
$ printf '#!/bin/sh\necho no route to host >&2\nexit 255\n' > engine/parallel; PATH=$PWD/engine:$PATH foretime build lost n=1:50 --via parallel -q -- ./sum '{n}'
foretime: tasks bring nothing back: no route to host
hint: what they leave is in '<<.*>>', which all machines have to see, as this folder
? 2

## A build that is killed when a run has ended: it is found by the next one, and a file that is still there is not taken twice.
$ printf '#!/bin/sh\nfor last; do :; done\nkill -STOP $PPID\nsh "$last"\nkill -9 $PPID\n' > engine/parallel; sh -c 'PATH=$PWD/engine:$PATH foretime build again n=1:50 --via parallel -q -- ./sum "{n}"; :' >/dev/null 2>&1; ls data/foretime/store.db.via/*/ | grep -c 'db$'
1

$ cp -r data/foretime/store.db.via left; printf '#!/bin/sh\nfor last; do :; done\nexec sh "$last"\n' > engine/parallel; PATH=$PWD/engine:$PATH foretime build again --via parallel --limit 3 -q | grep -o 'and 1 earlier run'; find data/foretime/store.db.via -name '*.db' | wc -l
and 1 earlier run
0

$ foretime export again --csv > before; mkdir -p data/foretime/store.db.via; cp -r left/* data/foretime/store.db.via/; PATH=$PWD/engine:$PATH foretime build again --via parallel --limit 3 -q >/dev/null; foretime export again --csv | grep '^[0-9]' | sort > after; grep '^[0-9]' before | sort | comm -23 - after | wc -l; sed 's/.*,//' after | sort | uniq -d | wc -l
0
0

## Live shows runs that others carry, as they come back, and nothing afterwards.
$ mkdir -m 700 live; printf '#!/bin/sh\nfor last; do :; done\ncp %s/live/foretime/builds/* %s/seen.json\nexec sh "$last"\n' $PWD $PWD > engine/parallel; XDG_RUNTIME_DIR=$PWD/live PATH=$PWD/engine:$PATH foretime build shown n=1:50 --via parallel,at-once=1 --limit 4 -q -- ./sum '{n}' >/dev/null; jq -c '[.name, .runs == (.measured | length), .measured[0][0:2]]' seen.json; ls live/foretime/builds | wc -l
["shown",true,[1,1]]
0

## Two builds do not take the same files in.
$ mkdir shared; PATH=$PWD/engine:$PATH flock shared/lock foretime build again --via parallel,folder=shared; s=$?; ls shared; exit $s
foretime: another build of 'again' carries its runs through '<<.*>>/shared'
hint: wait for its end, or give this one a --via folder=DIR of its own
lock
? 2

## The program is another one where it was run.
$ printf '#!/bin/sh\nfor last; do :; done\necho "# other" >> sum; exec sh "$last"\n' > engine/parallel; PATH=$PWD/engine:$PATH foretime build other n=1:50 --via parallel -q -- ./sum '{n}' 2>&1 | grep -v '^foretime: no run'
foretime: on <<\S+>> './sum' is another executable than here
hint: a model is of one executable: put it where all machines see the same file

## The same by the real ones, where they are.
$ command -v parallel >/dev/null || echo 'skipped: there is no parallel (tools/install-packages full)'; ! command -v parallel >/dev/null || foretime build real n=1:50 --via parallel,at-once=2 --limit 3 -q -v -- ./sum '{n}' | head -1
<<skipped: .*|real: median wall_s by size, in the order measured>>

$ command -v mpiexec >/dev/null || echo 'skipped: there is no mpiexec (tools/install-packages full)'; ! command -v mpiexec >/dev/null || foretime build real2 n=1:50 --via mpiexec --limit 3 -q -v -- ./sum '{n}' | head -1
<<skipped: .*|real2: median wall_s by size, in the order measured>>
