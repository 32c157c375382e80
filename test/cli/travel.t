## SPDX-License-Identifier: GPL-3.0-or-later
## models as files for other machines: another store stands for another machine
$ foretime import in/cubic.csv --name cubic --here >/dev/null; foretime export cubic --model --licence CC0-1.0 -o cubic.model; grep -v '^# measured' cubic.model | head -9
# foretime model: 1
# program: cubic
# licence: CC0-1.0
# parameters: n=100:1000
# law of wall_s: n^3
# law of peak_rss_bytes: n^2
resource,n,value,deviation,runs
wall_s,100,0.001000001,0.0128,3
wall_s,200,0.00800001,0.0124,3

$ mkdir there; foretime import cubic.model --store there/s.db
imported a model of 'cubic': 2 resources, measured on <<.+>>, 30 runs, foretime <<[0-9.]+>>; licence CC0-1.0

$ foretime predict cubic n=1000 --store there/s.db
cubic: wall time
   n  typical      90 % of runs  basis
1000   1.00 s  373 ms .. 2.68 s  estimated
no run here: the model was measured on <<.+>>, 30 runs, foretime <<[0-9.]+>>, and machines differ; two or three runs here (foretime build --from, foretime run --save) set its scale

$ foretime predict cubic n=1000 --resource mem --store there/s.db | head -3
cubic: memory of its largest process
   n   typical          90 % of runs  basis
1000  8.58 MiB  6.70 MiB .. 11.0 MiB  estimated

$ foretime request cubic n=1000 --store there/s.db
cubic n=1000: enough for 95 % of runs
--time=01:00 --mem=20M
resource         typical     up to   request  basis
wall_s            1.00 s    2.91 s     01:00  estimated
peak_rss_bytes  8.58 MiB  12.0 MiB  20.0 MiB  estimated

$ foretime show cubic --json --store there/s.db | grep -E '"(type|trust|scale)"'
      "type": "shipped",
      "trust": 1,
      "scale": 1,
      "type": "shipped",
      "trust": 1,
      "scale": 1,

## three runs there, of which each takes 2.5 times as long
$ awk -F, -v OFS=, '/^[0-9]/ { $2 *= 2.5 } { print }' in/cubic.csv > slow.csv; foretime build cubic n --replay slow.csv --here --from cubic.model --store there/s.db
model           accuracy  noise
wall_s              48 %      -  too few sizes
peak_rss_bytes      13 %      -
accuracy 40 % (target 10 %): as many sizes as --limit allows; more of them go on; 3 sizes, 3 runs in 2.54 s
next: foretime predict cubic n=SIZE

$ foretime predict cubic n=1000:6000:5000 --store there/s.db
cubic: wall time
   n     typical               90 % of runs  basis
1000  2.4<<.*>>  measured
6000  <<.*>>  extrapolated 6x
shape of <<.+>>, 30 runs, foretime <<[0-9.]+>>, times 2.4<<[0-9]>> by the runs here (trust <<[0-9]+>> %)

## of another shape
$ awk -F, -v OFS=, '/^[0-9]/ { $2 = 3 + $1 / 1e4 } { print }' in/cubic.csv > flat.csv; foretime build flat n --replay flat.csv --here --from cubic.model --limit 8 >/dev/null; foretime predict flat n=3000
flat: wall time
   n  typical      90 % of runs  basis
3000   3.29 s  2.87 s .. 3.77 s  extrapolated 3x
shape of the runs here: that of <<.+>>, 30 runs, foretime <<[0-9.]+>> does not fit (trust 0 %)

## from a machine of the store
$ sed 's/^n,/# machine: other\nn,/' in/cubic.csv > m.csv; foretime import m.csv --name far --machine other >/dev/null; foretime build near n --replay slow.csv --here --from far@other | tail -1; foretime predict near n=1000 | tail -1
next: foretime predict near n=SIZE
shape of other, 30 runs, foretime <<[0-9.]+>>, times 2.4<<[0-9]>> by the runs here (trust <<[0-9]+>> %)

$ foretime build near n --replay slow.csv --here --from nothing@other
foretime: the store '<<.*>>' has no program 'nothing'
hint: foretime list shows the names that there are
? 2

$ foretime build two n m --replay in/two.csv --here --from cubic.model
foretime: --from cubic.model: its parameters are not those of 'two'
hint: give the same names in the same order, as '# parameters:' in a model has them
? 2

## damaged, not there, no model
$ sed 's/cubic/cubik/' cubic.model > bad.model; foretime import bad.model
foretime: bad.model: damaged, or changed since it was exported
hint: export it again: foretime export NAME --model -o NAME.model
? 2

$ foretime import none.model
foretime: cannot open 'none.model': No such file or directory
? 2

$ printf '# foretime model: 1\n' > short.model; foretime build x n --replay slow.csv --here --from short.model
foretime: short.model: damaged, or changed since it was exported
hint: export it again: foretime export NAME --model -o NAME.model
? 2

$ foretime export cubic --licence MIT
foretime: --licence is of --model
? 2

$ foretime export cubic --model --csv
foretime: --csv and --model exclude each other
hint: leave one of them out
? 2

## a folder of models answers before there is a store; FORETIME_MODELS names another one
$ mkdir models; cp cubic.model models; XDG_DATA_HOME=$PWD/fresh FORETIME_MODELS=$PWD/models foretime predict cubic n=700 | head -3
cubic: wall time
  n  typical      90 % of runs  basis
700   343 ms  128 ms .. 920 ms  estimated

$ mkdir -p fresh2/foretime/models; cp cubic.model fresh2/foretime/models/; XDG_DATA_HOME=$PWD/fresh2 foretime predict cubic n=700 | head -2 | tail -1
  n  typical      90 % of runs  basis

## rm forgets it
$ foretime rm cubic --store there/s.db; foretime predict cubic n=700 --store there/s.db
removed 'cubic' with 3 runs
foretime: the store 'there/s.db' has no program 'cubic'
hint: it has none at all yet: foretime build, run --save and import put something there
? 2
