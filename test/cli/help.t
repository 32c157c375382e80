## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime help
foretime tells what a run will cost before it is run.

  foretime build matmul n=64:3000 -- ./matmul {n}    measure a few sizes, make a model
  foretime predict matmul n=20000                    how long, and how sure

every day:
  build     measure a program at a few sizes, and make its models
  predict   say what a run will cost at any size
  largest   say up to which size a run fits a time or a memory
  show      show a program: its runs by size, failures, models
  list      list the programs in the store
  plot      draw a model and the runs that it rests on
  fit       say which laws the runs obey: n log n, and not n^2
  run       run a program once, and tell what it took
  rm        remove a program with all its runs and models

batch systems, workflows, CI:
  request   say what to ask a batch system for: time, memory, processors
  verify    say whether new runs keep what the models promise
  plan      divide work over processors and machines by their models
  slurm     learn from the jobs of Slurm, and fill in what they ask for
  import    take recorded runs of foretime and of other tools into the store
  export    print the runs of a program, as CSV, JSON or for Extra-P
  program   state what is known of a program before it runs

machines, devices, load, traces, energy:
  machine   measure what machines are made of, and compare them
  device    say on which of several devices a routine should run
  kernel    what a kernel of OpenCL does, from its source
  load      record the load of others, and say what it does to a run
  trace     straight pieces and phases of a trace over time
  surrogate describe programs by other programs, machines by their resources
  energy    the power of machines from measured runs, and what jobs will cost
  pack      say how many copies of a program fit on this machine, and how much longer each takes

service and help:
  manager   answer other programs what runs will cost
  serve     show models, traces and plans in a browser
  doctor    say what can be measured on this machine, and what not
  help      explain a command, or the words of the answers

foretime COMMAND --help tells more; foretime help words says what the words of the answers mean.
Models are kept in $FORETIME_STORE, else in ~/.local/share/foretime/store.db (--store PATH
chooses another file).

$ foretime --help | head -1
foretime tells what a run will cost before it is run.

$ foretime -h | head -1
foretime tells what a run will cost before it is run.

$ foretime
foretime tells what a run will cost before it is run.

  foretime build matmul n=64:3000 -- ./matmul {n}    measure a few sizes, make a model
  foretime predict matmul n=20000                    how long, and how sure

every day:
  build     measure a program at a few sizes, and make its models
  predict   say what a run will cost at any size
  largest   say up to which size a run fits a time or a memory
  show      show a program: its runs by size, failures, models
  list      list the programs in the store
  plot      draw a model and the runs that it rests on
  fit       say which laws the runs obey: n log n, and not n^2
  run       run a program once, and tell what it took
  rm        remove a program with all its runs and models

batch systems, workflows, CI:
  request   say what to ask a batch system for: time, memory, processors
  verify    say whether new runs keep what the models promise
  plan      divide work over processors and machines by their models
  slurm     learn from the jobs of Slurm, and fill in what they ask for
  import    take recorded runs of foretime and of other tools into the store
  export    print the runs of a program, as CSV, JSON or for Extra-P
  program   state what is known of a program before it runs

machines, devices, load, traces, energy:
  machine   measure what machines are made of, and compare them
  device    say on which of several devices a routine should run
  kernel    what a kernel of OpenCL does, from its source
  load      record the load of others, and say what it does to a run
  trace     straight pieces and phases of a trace over time
  surrogate describe programs by other programs, machines by their resources
  energy    the power of machines from measured runs, and what jobs will cost
  pack      say how many copies of a program fit on this machine, and how much longer each takes

service and help:
  manager   answer other programs what runs will cost
  serve     show models, traces and plans in a browser
  doctor    say what can be measured on this machine, and what not
  help      explain a command, or the words of the answers

foretime COMMAND --help tells more; foretime help words says what the words of the answers mean.
Models are kept in $FORETIME_STORE, else in ~/.local/share/foretime/store.db (--store PATH
chooses another file).
? 2

$ foretime --version
foretime <<\d+\.\d+\.\d+>>

$ foretime help --names
build
predict
largest
show
list
plot
fit
run
rm
request
verify
plan
slurm
import
export
program
machine
device
kernel
load
trace
surrogate
energy
pack
manager
serve
doctor
help

$ foretime help --json | check-schema help

$ foretime help list
foretime list: list the programs in the store

usage: foretime list [NAME] [OPTION...]

options:
      --search TEXT       programs that have it in their names
      --after NAME        those behind it, by name
      --most N            no more names; default: all
      --names             print the names alone, one a line
      --json              print one JSON object
      --store PATH        the store; default $FORETIME_STORE
  -h, --help              print this, and end

A program that was rebuilt is a new program; runs of the older one are kept, and are not used.

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
THE TWO NUMBERS

  foretime predict pairs n=20000
  n      typical  known to <<.*>>
typical
  What a run of that size takes when nothing unusual happens: <<.*>>
...

$ for word in typical scatter rough basis work share cut band plan policy device benchmark; do foretime help words | grep -qw "$word" || echo "no $word"; done
