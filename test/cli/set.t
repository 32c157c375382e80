## SPDX-License-Identifier: GPL-3.0-or-later
## What an expert says, before any run.
$ foretime set cube --law wall_s='1e-9*n^3' --law peak_rss_bytes='8*n^2' --require memory=1kB n=1:1e6

$ foretime set cube
name       cube
parameter  n = 1 .. 1000000
stated     peak_rss_bytes = 8*n^2
stated     wall_s = 1e-9*n^3
requires   memory 1kB

$ foretime set cube --json | check-schema program

$ foretime predict cube n=1000
cube: wall time
   n  typical  90 % of runs  basis  source
1000  1.00 s      -  estimated  law stated

no interval: the stated law was never tried; foretime build or run --save tries it

$ foretime predict cube n=1000 --resource all --csv
resource,n,value,accuracy,lower,upper,basis,distance
wall_s,1000,1,,,,estimated,1
peak_rss_bytes,1000,8000000,,,,estimated,1

$ foretime predict cube n=1000 --json | check-schema predict

$ foretime predict cube n=1000 --json | grep -E '"(source|basis|lower|upper)"'
      "lower": null,
      "upper": null,
      "source": "law stated",
      "basis": "estimated",

$ foretime predict cube n=1000 --resource cpu_s
foretime: 'cube' has no run, and no law of 'cpu_s' was stated
hint: there are values of time (wall_s), memory (peak_rss_bytes)
? 2

$ for c in 'export cube' 'largest cube time=1s' 'fit cube'; do foretime $c; done
foretime: 'cube' has no runs
hint: measure it with foretime build cube
foretime: no run of 'cube' has a value of 'wall_s'
hint: it has no run yet: measure it with foretime build cube
foretime: no run of 'cube' has a value of wall_s
hint: it has no run yet: measure it with foretime build cube
? 2

$ foretime list
name  runs  failed  sizes  machine  last run
cube  0  0  0  -  none yet

$ foretime show cube -v
name       cube
hash       none: it was not run yet
work       not stated
method     none: no build yet
parameter  n = 1 .. 1000000, stride 1
stated     peak_rss_bytes = 8*n^2
stated     wall_s = 1e-9*n^3
requires   memory 1kB
no model: there is no run

$ foretime show cube --json | check-schema show

## Requirements are checked.
$ foretime set cube --require memory=1000TB --require processors=100000 --require software=sh --require software=no-such-command --require architecture=pdp11

$ foretime set cube | grep requires
requires   memory 1000TB: NOT MET, 909 TiB of memory are required, and this machine has <<\S+ \S+>>
requires   processors 100000: NOT MET, 100000 processors are required, and this machine has <<\d+>>
requires   software sh
requires   software no-such-command: NOT MET, no-such-command is required, and is not found on this machine
requires   architecture pdp11: NOT MET, architecture pdp11 is required, and this machine is <<\S+>>

$ foretime predict cube n=10 2>&1 >/dev/null | grep -c note
4

$ foretime set --unset cube --require software=no-such-command --require memory --require processors --require architecture

$ foretime predict cube n=10 2>&1 >/dev/null

## Runs set a stated law: the machine is four times slower than the expert's, and starting takes 10 ms.
$ printf 'n,wall_s\n' > runs.csv; for n in 100 200 400 800 1600; do for r in 1 2; do echo "$n,$(awk "BEGIN{printf \"%.6f\", 0.01 + 4e-9*$n^3*(1+0.01*($r-1.5))}")" >> runs.csv; done; done; foretime import runs.csv --name cube --here
imported 10 runs at 5 sizes as 'cube'

$ foretime show cube | grep ^stated
stated     peak_rss_bytes = 8*n^2
stated     wall_s = 1e-9*n^3 (times 4, and 10.0 ms by runs of 5 sizes, errs by less than 0.1 %)

$ foretime predict cube n=800 n=16000 | tail -2
  800     2.06 s  <<\S+ s \.\. \S+ s>>  measured
16000  4 h 33 min  4 h <<.*>> min .. 4 h <<.*>> min  estimated 10x  law stated

## Over all the levels.
$ foretime predict cube n=16000 --json | grep -E '"(source|basis|runs)"'
      "source": "law stated",
      "basis": "estimated",
      "runs": 10,

$ foretime predict cube n=800 --json | grep -E '"(source|basis|runs)"'
      "source": "model",
      "basis": "measured",
      "runs": 2,

$ foretime predict cube n=800 --resource peak_rss_bytes --json | grep '"source"'
      "source": "law stated",

## A law that runs refute is not used.
## As people say it.
$ foretime set as_people_say_it --law time='1e-9*n^3' --law energy='n' n=1:100; foretime set as_people_say_it | grep -E '^(stated|law|wall_s|energy_j)'
stated     energy_j = n
stated     wall_s = 1e-9*n^3

$ foretime set --unset as_people_say_it --law time; foretime set as_people_say_it | grep -c wall_s
0
? 1

$ foretime set cube --law wall_s='1e-3*n'; foretime show cube | grep 'wall_s ='
stated     wall_s = 1e-3*n (times <<\S+>> by runs of 5 sizes, errs by <<\S+>> %: it does not fit, and is not used)

$ foretime predict cube n=16000 --json | grep '"source"'
      "source": "model",

$ foretime show cube --json | check-schema show

## What cannot be said.
$ foretime set
foretime: missing NAME; usage: foretime set NAME [n=64:3000] --law wall_s='1e-9*n^3' [--require memory=8GiB] [OPTION...]
hint: foretime list shows the names
? 2

$ foretime set get cube
foretime: 'set' takes one NAME, not 'cube'
hint: foretime list shows the names, foretime set --help the usage
? 2

$ foretime set cube --unset n=1:2
foretime: a parameter cannot be unset
hint: foretime rm cube removes it with all its runs
? 2

$ foretime set cube --law '1e-9*n^3'
foretime: '1e-9*n^3' is not a law
hint: write a resource and a formula of the parameters: --law wall_s='1e-9*n^3'
? 2

$ foretime set cube --law walls='n'
foretime: unknown resource 'walls'
hint: foretime machine info lists what can be measured
? 2

$ foretime set cube --law wall_s='1e-9*n^'
foretime: the law of wall_s: <<.*>>
hint: write it like 2e-9*n^3 + 0.01, in s
? 2

$ foretime set cube --law wall_s='k*n'
foretime: the law 'k*n' uses 'k', which is not a parameter of 'cube'
hint: see its parameters: foretime show cube
? 2

$ foretime set cube --law wall_s='n-500'
foretime: the stated law wall_s = n-500 is -499 at n=1
hint: state another one with foretime set 'cube' --law wall_s='...'
? 2

$ foretime set cube --require disk=5
foretime: 'disk=5' is no requirement
hint: write memory=8GiB, processors=4, architecture=x86_64 or software=COMMAND
? 2

$ foretime set cube --require memory=much
foretime: 'much' is <<.*>>
hint: <<.*>>
? 2

$ foretime set --unset cube --law cpu_s
foretime: no law of 'cpu_s' was stated for 'cube'
? 2

$ foretime set --unset cube --require memory
foretime: there is no requirement 'memory'
? 2

$ foretime set nothing
foretime: the store '<<.*>>' has no program 'nothing'
hint: foretime list shows the names that there are
? 2

$ foretime set --unset cube; foretime set cube
name       cube
parameter  n = 1 .. 1000000
no knowledge is stored

$ foretime set gone --law wall_s=n; foretime rm gone >/dev/null; foretime set gone
foretime: the store '<<.*>>' has no program 'gone'
hint: <<.*>>
? 2

