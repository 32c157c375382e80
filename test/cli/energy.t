## SPDX-License-Identifier: GPL-3.0-or-later
## foretime energy: powers from runs, and questions to them.
$ printf 't_wall,n,m,t_job,energy_j\n10,4,1,8,2260\n10,12,1,9,2970\n20,24,2,15,9290\n5,36,3,4,3290\n7,12,1,7,2180\n8,24,2,7,3730\n9,30,3,8,5540\n9,31,3,8,9000\n' > runs.csv
$ foretime energy fit runs.csv --meter resolution=9W
part      watts     +-
infr <<[\d.]+>> <<[\d.]+>>
machine <<[\d.]+>> <<[\d.]+>>
core <<[\d.]+>> <<[\d.]+>>

R^2 <<0.99\d+>> of the energies of 7 runs; the mean power of a run lies <<[\d.]+>> W about the model
F test on the mean power: ratio of variances <<[\d.]+>>, p = <<[\d.]+>>: no difference to be seen
paired t test: mean difference <<[\d.]+>> W, the meter's resolution 9 W, p = <<[\d.]+>>: the meter explains it
left out: line 9, 1000 W measured, <<6\d\d.*>> W predicted from the other runs

$ foretime energy fit runs.csv --json | tee model.json | check-schema energy
$ foretime energy fit runs.csv --method merge | head -2
part          watts     +-
infr+machine <<[\d.]+>> <<[\d.]+>>

$ foretime energy predict --model model.json wall=100s,job=90s,n=12 m=2
energy <<3\d.\d kJ>> (<<[\d.]+ kJ>> .. <<[\d.]+ kJ>> in 90 % of runs)
        <<3\d\d W>> on average for 1 min 40 s

$ foretime energy predict --model model.json wall=100s,job=90s,n=12 --json | check-schema energy
$ foretime energy predict --powers infr=100,machine=90,core=10 wall=10s,job=8s,n=4
energy  2.24 kJ
        224 W on average for 10.0 s

$ foretime energy predict --powers infr=100,machine=90,core=10 infr=10s machine=10s core=34s
energy  2.24 kJ
        224 W on average for 10.0 s

$ foretime energy predict --powers infr=100,machine=90,core=10 wall=10s,job=8s,n=4 wall=4s,n=2 --method printed | head -1
energy  2.38 kJ

$ foretime energy share --powers infr=100,machine=90,core=10 wall=10s,job=8s,n=4 wall=4s,n=2
job 1  1.86 kJ  80.2 %
job 2  460 J  19.8 %
energy  2.32 kJ
        232 W on average for 10.0 s

$ foretime energy share --powers infr=100,machine=90,core=10 wall=10s,job=8s,n=4 wall=4s,n=2 --by cores --json | check-schema energy
$ foretime energy peak --powers infr=100,machine=90,core=10 n=36 m=3
peak  730 W

$ foretime energy peak --model model.json n=36 m=3 --json | check-schema energy
## The inverse of peak.
$ foretime energy cap --powers infr=100,machine=90,core=10 power=450W cores=8 most=24
16 cores on 2 machines: 440 W
one more: up to 540 W

$ foretime energy cap --powers infr=100,machine=90,core=10 power=1kW cores=8 most=24
24 cores on 3 machines: 610 W
all of them keep the limit

$ foretime energy cap --model model.json power=400W cores=12
12 cores on 1 machine: <<3\d\d W>>  (<<[\d.]+ W>> .. <<[\d.]+ W>> in 90 % of readings)
all of them keep the limit

$ foretime energy cap --powers infr=100,machine=90,core=10 power=150W cores=8
foretime: not even one core keeps 150 W: it draws up to 200 W
? 1

$ foretime energy cap --powers infr=100,machine=90,core=10 power=450W cores=8 most=24 --json | check-schema energy
$ foretime energy cap --powers infr=100,machine=90,core=10 power=450W
foretime: energy cap needs power=LIMIT, cores=N of a machine, and most=N of all, 1000000 at most
hint: write foretime energy cap power=2kW cores=16 most=64 --model FILE.json
? 2

$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=3600s cores=16 most=64 serial=10%
13 cores on 1 machine: 195 kJ, 10 min 09 s
1 core: 720 kJ, 1 h 00 min

$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=3600s cores=16 serial=10% waits=idle | tail -1
the energy still falls at 16 cores: more would cost less still

$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=3600s cores=16 serial=10% --json | check-schema energy
$ printf 't_wall,energy_j\n10,1000\n20,2020\n5,490\n' > bare.csv; foretime energy fit bare.csv | head -2
part  watts     +-
all   <<9\d.\d+|100.\d+>> <<[\d.]+>>

## Jobs as Slurm accounts for them: 100 W, 90 W a machine, 10 W a core; one without energy.
$ { echo 'JobID|User|State|Elapsed|TotalCPU|NNodes|ConsumedEnergyRaw'; for i in 1 2 3 4 5 6 7 8; do m=$((i % 3 + 1)); c=$((i * 700 % 3000 + 10)); u=ada; [ $i -gt 5 ] && u=bob; printf '%d|%s|COMPLETED|00:16:40|%02d:%02d:%02d|%d|%d\n' $i $u $((c / 3600)) $((c / 60 % 60)) $((c % 60)) $m $((1000 * (100 + 90 * m) + 10 * c)); done; echo '9|bob|COMPLETED|00:16:40|00:10:00|1|'; } > jobs.txt; foretime energy fit - < jobs.txt 2>&1 | grep -v '^F test'
note: 1 job is left out: no energy, time or processor time is recorded
part      watts    +-
infr     100.00  <<[\d.]+>>
machine   90.00  <<[\d.]+>>
core      10.00  <<[\d.]+>>

R^2 1.0000 of the energies of <<\d>> runs; the mean power of a run lies <<.*>> W about the model

user  jobs     machines        cores  measured   energy  unfit  share
ada      5  3 h 03 min  2 h 06 min   1.57 MJ  1.57 MJ      0  63.6 %
bob      3  1 h 40 min  1 h 36 min    897 kJ   897 kJ      0  36.4 %

$ foretime energy fit jobs.txt --json 2>/dev/null | check-schema energy
$ foretime energy fit jobs.txt --meter wall
foretime: --meter needs a table of runs: sacct reports one meter only
? 2
$ printf 'JobID|User|State|Elapsed|TotalCPU|NNodes|ConsumedEnergyRaw\n1|ada|COMPLETED|00:10:00|00:09:00|1|\n' | foretime energy fit -
note: 1 job is left out: no energy, time or processor time is recorded
foretime: no job has a known energy
hint: Slurm gathers energy where AcctGatherEnergyType is set (slurm.conf)
? 2
$ foretime energy fit - < runs.csv | head -1
part <<.*>>
$ foretime energy predict --powers infr=100,machine=50,core=10 wall=1h,job=1h,n=4 m=1 --price 0.30EUR/kWh,co2=0.4kg/kWh
energy  684 kJ
        190 W on average for 1 h 00 min
        0.057 EUR, 76.0 g of CO2
$ foretime energy predict --powers infr=100,machine=50,core=10 wall=1h --price 30/hour
foretime: --price '30/hour' is not a price or a power
hint: write --price 0.30/kWh, or 0.30EUR/kWh
? 2
$ foretime energy predict --powers infr=100,machine=50,core=10 wall=1h --price co2=30lb/kWh
foretime: --price co2='30lb/kWh' is not a price or a power
hint: write --price co2=400g/kWh
? 2

## What a fit found is kept with a machine, and tells the energy of runs that nobody measured.
$ foretime energy fit jobs.txt --machine M
foretime: --machine is whose powers are kept: write --save M
? 2
$ foretime energy fit jobs.txt --save nowhere 2>&1 >/dev/null | tail -2
foretime: the store knows no machine 'nowhere'
hint: foretime machine list shows what there is
$ printf 'n,wall_s,cpu_s\n' > par.csv; for n in 1 2 3 4 5 6; do echo $((n * 100)),$((n * 10)),$((n * 10)); echo $((n * 100)),$((n * 10)),$((n * 10)); done >> par.csv; foretime import par.csv --name par --here; foretime predict par n=300 -r energy_j
imported 12 runs at 6 sizes as 'par'
foretime: no run of 'par' has a value of 'energy_j'
hint: there are values of time (wall_s), cpu (cpu_s)
? 2
$ foretime energy fit jobs.txt --save here 2>&1 >/dev/null | tail -1
note: kept as the powers of <<.*>>
## 30 s of a machine of 190 W, 30 s of a core of 10 W
$ foretime predict par n=300 -r energy_j --price 0.30/kWh,co2=400g/kWh | tail -2
  n  typical  90 % of runs  basis  cost  CO2  source
300  6.00 kJ  <<.* kJ \.\. .* kJ>>  estimated  0.0005  667 mg  powers of <<.*>>, of <<8>> runs
$ foretime predict par n=300 -r energy_j --powers infr+machine=190,core=20 --json | tee p.json | check-schema predict; grep -E '"(value|source)"' p.json
      "value": 6300<<\.?\d*>>,
      "source": "powers stated (--powers)",
$ foretime predict par n=300 -r energy_j --powers fan=190
foretime: how long a run uses 'fan' is not known
hint: ask by powers of infr, machine, device and core
? 1
$ foretime predict par n=300 --price 0.30/kWh
foretime: --price and --co2 are of energy
hint: ask for it: --resource energy_j, or all
? 2
$ foretime predict par n=300 -r energy_j --csv --price 0.30/kWh | cut -d, -f1-2,8
n,value,cost
300,<<(59|60)\d\d.*>>,0.000<<(5|499)\d*>>
$ foretime predict par n=300 -r all --price 0.30/kWh | grep energy_j
energy_j 300 6.00 kJ <<.*>> 0.0005 <<.*>>
$ foretime predict par n=300 -r all --csv --price 0.30/kWh
foretime: --csv has columns of costs if all rows have one: --resource energy_j
? 2

## What is wrong is said, with what to do.
$ foretime energy
foretime: 'energy' needs a subcommand: fit, predict, share, peak, cap or sweet-spot
hint: foretime energy --help explains them
? 2
$ foretime energy paek
foretime: 'energy' has no subcommand 'paek'
hint: the nearest is foretime energy peak
? 2
$ foretime energy fit nowhere.csv
foretime: cannot open 'nowhere.csv': No such file or directory
? 2
$ printf 't_wall,n,t_job,energy_j,meter\n10,4,8,2240,wall\n10,12,9,2990,rapl\n' > two.csv; foretime energy fit two.csv
foretime: two.csv:3: two kinds of meters, 'wall' and 'rapl'
hint: fit each by itself, as in --meter wall: meters on the chip and at the wall differ by far more than either errs
? 2
$ foretime energy predict wall=10s
foretime: of which machine? no powers are given
hint: --model FILE.json as foretime energy fit --json prints it, or --powers infr=161,machine=101,core=12
? 2
$ foretime energy predict --model runs.csv wall=10s
foretime: cannot read 'runs.csv': <<line 1: .*>>
hint: make it with: foretime energy fit RUNS.csv --json > model.json
? 2
$ foretime energy predict --powers infr=100,machine=90,core=10 wall=10s,job=11s,n=4
foretime: job 1: 10 s, 11 s of them on 4 cores, is none
? 2
$ foretime energy peak --powers infr=100,machine=90,core=10 n=4
foretime: how many of 'machine' are in use?
hint: write n=CORES m=MACHINES, or PART=NUMBER
? 2
$ foretime energy peak --powers infr=100,machine=-90,core=10 n=4 m=1
foretime: --powers machine: a part draws no power below 0
? 2
$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=1h cores=12 most=0 serial=5%
foretime: most=0: write 1 to 1000000 cores
? 2

## What an action has no use for.
$ foretime energy predict --powers core=10 core=10s --all
foretime: 'energy predict' has no use for --all
hint: it is of foretime energy sweet-spot
? 2

$ foretime energy fit
foretime: missing RUNS.csv; usage: foretime energy fit RUNS.csv [--meter resolution=9W] [--save M] [OPTION...]
? 2

$ foretime energy fit load.csv load.csv
foretime: 'energy fit' takes no 'load.csv'
? 2

$ foretime energy fit load.csv -- more
foretime: 'energy fit' takes nothing behind --
? 2

$ foretime energy peek --help
foretime: 'energy' has no subcommand 'peek'
hint: the nearest is foretime energy peak
? 2

## What is serial is found in runs: T(n) = 100 s (0.1 + 0.9 / n).
$ printf 'n,t_wall\n1,100\n1,100.2\n2,55\n2,55.1\n4,32.5\n4,32.4\n8,21.25\n8,21.3\n' > cores.csv; foretime energy sweet-spot --powers infr=100,machine=90,core=10 cores.csv cores=16 most=64
serial  9.99 %  (9.85 % .. 10.1 %) of 1 min 40 s on one core, from 8 runs on 4 numbers of cores
13 cores on 1 machine: 5.42 kJ, 16.9 s
1 core: 20.0 kJ, 1 min 40 s
$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 cores.csv cores=16 most=64 --all --json | tee spot.json | check-schema energy; jq -c '[.law.counts, .law.runs, (.curve | length), .curve[16].machines, (.curve[0].mean_w | round), (.curve[16].mean_w | round)]' spot.json
[4,8,64,2,200,450]

## Machines that go on and off (8.8): one for 100 s, a second one for 50 s of them.
$ foretime energy predict --powers infr=100,machine=90,core=10 infr=100s machine=150s core=1200s
energy  35.5 kJ
        355 W on average for 1 min 40 s

## Figure 8.2: nothing is serial and nothing wasted: each number of cores costs the same.
$ foretime energy sweet-spot --powers infr=0,machine=0,core=10 time=100s cores=16 serial=0% --all
1 core on 1 machine: 1.00 kJ, 1 min 40 s
1 core: 1.00 kJ, 1 min 40 s
1 to 16 cores cost the same: the more, the sooner

cores machines time speed-up power energy
 1 1 1 min 40 s 1 10.0 W 1.00 kJ
...
 16 1 6.25 s 16 160 W 1.00 kJ
$ foretime energy sweet-spot --powers infr=0,machine=0,core=7 time=10h cores=64 serial=0% --json | jq -c '[.cores, .cores_same, .at_bound]'
[1,64,false]
$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=100s cores=16 most=40 serial=10% -o spot.svg | head -1; grep -c '</svg>' spot.svg
13 cores on 1 machine: 5.42 kJ, 16.9 s
1
$ for p in 1 2 4 8; do for k in 1 2 3; do echo $p,500,$((1000 + 9000 / p + k)); done; done | sed '1i threads,n,wall_s' > scale.csv; foretime import scale.csv --name scale threads n --here; foretime energy sweet-spot --powers infr=100,machine=90,core=10 scale --by threads n=500 cores=16 | head -1
imported 12 runs at 4 sizes as 'scale'
serial  10<<\.?\d*>> %  (<<.*>> .. <<.*>>) of 2 h 47 min on one core, from 12 runs on 4 numbers of cores
$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 scale --by threads n=600 cores=16
foretime: no run of 'scale' with a wall time has these values
? 2
$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 scale cores=16
foretime: there is no file 'scale'
hint: for a program, name the parameter that is the number of cores: --by PARAM
? 2
$ printf 'n,t_wall\n1,100\n2,60\n8,90\n' > rise.csv; foretime energy sweet-spot --powers infr=100,machine=90,core=10 rise.csv cores=16 | sed -n 2p
times rise again with more cores: the law does not know that, and is off by up to <<.*>> %
$ printf 'n,t_wall\n4,100\n4,60\n' > one.csv; foretime energy sweet-spot --powers infr=100,machine=90,core=10 one.csv cores=16
foretime: the serial share needs runs on two numbers of cores or more
hint: run the program on 1, 2, 4, ... cores
? 2

## Nothing is serial, or all of it; a machine that is idle, or full.
$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=3600s cores=16 serial=0% | head -1
16 cores on 1 machine: 78.8 kJ, 3 min 45 s

$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=3600s cores=16 serial=100% | head -1
1 core on 1 machine: 720 kJ, 1 h 00 min

$ foretime energy sweet-spot --powers infr=100,machine=90,core=10 time=3600s cores=16 serial=101%
foretime: '101%' is not between 0 % and 100 %
hint: write a share as in 5% or 0.05, from 0 % to 100 %
? 2

## No core works in an idle run: 190 W are of the infrastructure and the machine.
$ printf 't_wall,n,energy_j\n10,0,1900\n10,4,2300\n10,8,2700\n10,16,3500\n20,0,3800\n' > idle.csv; foretime energy fit idle.csv | head -3
part          watts     +-
infr+machine  190.00  0.00
core           10.00  0.00

$ printf 't_wall,n,energy_j\n10,0.5,1900\n10,4,2300\n' > half.csv; foretime energy fit half.csv
foretime: half.csv:2: column 2 (n): 0.5 is not at least 1
? 2

## One part has one power: there is no F test of how that varies.
$ printf 't_wall,energy_j,peak_w\n10,1900,191\n10,2000,201\n20,4100,206\n5,1010,203\n' > one.csv; foretime energy fit one.csv | grep -c 'F test'; foretime energy fit one.csv --json | tee one.json | check-schema energy; jq -c '[.f_ratio, .f_p]' one.json
0
[null,null]
