## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime help
foretime predicts what a run will cost before you start it.

  foretime build matmul n=64:3000 -- ./matmul {n}   measure it at a few sizes
  foretime predict matmul n=20000                   how long, and how sure
  foretime './matmul {n}' n=64:3000                 build, plot and fit at once

every day:
  build        measure a program at a few sizes, and make its models
  predict      predict what a run costs at any size
  largest      find the largest size that fits a time or a memory
  show         show a program: its runs by size, failures, models
  list         list the programs in the store
  plot         draw a model and the runs that it rests on
  fit          fit scaling laws to the runs: n log n, and not n^2
  profile      predict which function takes most at larger sizes
  run          run a program once, and report what it took
  rm           remove a program with all its runs and models
  set          state what is known of a program before it runs

batch systems, workflows, CI: request, report, verify, import, export
several machines, devices, jobs: plan, slurm, machine, device
service and help: serve, help

more: --help=all, foretime COMMAND --help, foretime help words, man foretime

$ foretime --help=all
foretime predicts what a run will cost before you start it.

  foretime build matmul n=64:3000 -- ./matmul {n}   measure it at a few sizes
  foretime predict matmul n=20000                   how long, and how sure
  foretime './matmul {n}' n=64:3000                 build, plot and fit at once

every day:
  build        measure a program at a few sizes, and make its models
  predict      predict what a run costs at any size
  largest      find the largest size that fits a time or a memory
  show         show a program: its runs by size, failures, models
  list         list the programs in the store
  plot         draw a model and the runs that it rests on
  fit          fit scaling laws to the runs: n log n, and not n^2
  profile      predict which function takes most at larger sizes
  run          run a program once, and report what it took
  rm           remove a program with all its runs and models
  set          state what is known of a program before it runs

batch systems, workflows, CI:
  request      print a request to a batch system: time, memory, cores
  report       report what jobs requested and used, and what would have fitted
  verify       check new runs against the models
  import       take recorded runs of foretime and of other tools into the store
  export       print the runs of a program, as CSV, JSON or for Extra-P

several machines, devices, jobs:
  plan         divide work over processors and machines by their models
  slurm        learn from the jobs of Slurm, and fill in what they ask for
  machine      measure what machines are made of, and compare them
  device       choose the device that a routine should run on

service and help:
  serve        show the store in a browser, or answer programs (a manager)
  help         explain a command, or the words of the answers

traces, surrogates, energy:
  trace        straight pieces and phases of a trace over time
  surrogate    describe programs by other programs, machines by their resources
  energy       the power of machines from measured runs, and what jobs will cost

parts of groups:
  plan pack    measure how many copies of a program fit on this machine
  machine load record background load, and show what it does to a run

Models are kept in $FORETIME_STORE, else in ~/.local/share/foretime/store.db
(--store PATH chooses another file). Colours: --color auto, always or never.

$ foretime --help | head -1
foretime predicts what a run will cost before you start it.

$ foretime -h | head -1
foretime predicts what a run will cost before you start it.

$ foretime
foretime predicts what a run will cost before you start it.

  foretime build matmul n=64:3000 -- ./matmul {n}   measure it at a few sizes
  foretime predict matmul n=20000                   how long, and how sure
  foretime './matmul {n}' n=64:3000                 build, plot and fit at once

every day:
  build        measure a program at a few sizes, and make its models
  predict      predict what a run costs at any size
  largest      find the largest size that fits a time or a memory
  show         show a program: its runs by size, failures, models
  list         list the programs in the store
  plot         draw a model and the runs that it rests on
  fit          fit scaling laws to the runs: n log n, and not n^2
  profile      predict which function takes most at larger sizes
  run          run a program once, and report what it took
  rm           remove a program with all its runs and models
  set          state what is known of a program before it runs

batch systems, workflows, CI: request, report, verify, import, export
several machines, devices, jobs: plan, slurm, machine, device
service and help: serve, help

more: --help=all, foretime COMMAND --help, foretime help words, man foretime
? 2

$ foretime --version
foretime <<\d+\.\d+\.\d+>>

$ foretime help --format names
build
predict
largest
show
list
plot
fit
profile
run
rm
set
request
report
verify
import
export
plan
slurm
machine
device
serve
help
trace
surrogate
energy

$ foretime help --json | check-schema help

$ foretime help list
foretime list: list the programs in the store

usage: foretime list [NAME] [OPTION...]

options:
      --search TEXT       programs with TEXT in their names
      --after NAME        programs after NAME, by name
      --limit N           maximum number of names; default: all
      --traces            only programs whose runs have stored traces
      --manager           ask the running manager ($FORETIME_MANAGER)
      --format F          text (default), json, or names: one a line
      --json              print one JSON object
      --store PATH        the store; default $FORETIME_STORE
  -h, --help              print this; --help=all: everything, in groups

A program that was rebuilt is a new program; runs of the older one are kept, and
are not used.

more: foretime list --help=all, man foretime-list

$ foretime list --help | head -3
foretime list: list the programs in the store

usage: foretime list [NAME] [OPTION...]

$ foretime help lisst
foretime: unknown command 'lisst'
hint: the nearest one is list
? 2

$ foretime biuld
foretime: unknown command 'biuld'
hint: the nearest one is build
? 2

$ foretime pred
foretime: unknown command 'pred'
hint: the nearest one is predict
? 2

$ foretime xyzzy
foretime: unknown command 'xyzzy'
hint: foretime --help lists them
? 2

$ foretime --store x list
foretime: unknown option '--store'
hint: options stand behind the command: foretime COMMAND --store; before it only --help and --version
? 2

## the glossary, of the manual's very text
$ foretime help words | sed -n '1,4p;/^typical/,/^$/p'
THE COLUMNS OF A PREDICTION

  foretime predict pairs n=20000 -v
  pairs: wall time
typical
  The cost of a run of that size when nothing unusual happens: <<.*>>
...

$ for word in typical accuracy noise uneven basis work share cut band plan policy device benchmark; do foretime help words | grep -qw "$word" || echo "no $word"; done

## Everyday help is a page of 25 lines, and no line is longer than 80 columns: of foretime, of each command, and of each action.
$ cat > pages.sh <<'END'
> page() { foretime "$@" --help | awk -v of="$*" 'length > 80 { print of ": " $0 } END { if (NR > 25 || NR < 5) print of ": " NR " lines" }'; foretime "$@" --help=all | awk -v of="$*" 'length > 80 { print of " --help=all: " $0 }'; echo "$*" >> pages; }
> page
> for c in $(foretime help --format names) "machine load"; do
> 	page $c
> 	foretime --complete $c '' | grep "$(printf '\t')" | cut -f 1 > actions
> 	[ "$c" = help ] || while read -r a; do page $c $a; done < actions
> done
> [ $(wc -l < pages) -gt 70 ] && echo "many pages"
> END
> sh pages.sh
many pages

## What a page leaves out stands in --help=all, in groups.
$ foretime build --help | grep -c valgrind; foretime build --help=all | sed -n '/^what else is measured:/,/^$/p' | grep -c ',valgrind'
0
1

$ foretime build --help=much
foretime: --help=much: there is --help=all, and --help alone
? 2

$ foretime help plan rank | head -1; foretime help plan rank --all | grep -c -e --effort
foretime plan rank: rank machines, or partitions of a cluster
0
? 1
