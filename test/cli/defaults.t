## SPDX-License-Identifier: GPL-3.0-or-later
## Defaults of options, from ~/.config/foretime/config.
$ awk 'BEGIN { print "n,wall_s,peak_rss_bytes"; for (n = 100; n <= 800; n += 100) for (k = 0; k < 3; k++) printf "%d,%.9g,%d\n", n, 1e-3 * n * (1 + 0.01 * k), 1e6 + 1000 * n }' >p.csv; foretime import p.csv --name p --here
imported 24 runs at 8 sizes as 'p'

$ mkdir -p config/foretime; printf '# for all commands\nconfidence = 99%%\n\n[predict]\n  resource = peak_rss_bytes \njson = no\n[plot]\nbogus = 1\n' >config/foretime/config; foretime predict p n=500 --json | jq -c '[.confidence, .resource]'
[0.99,"peak_rss_bytes"]

## what is typed counts; another command has no section
$ foretime predict p n=500 -r wall_s --confidence 80% --json | jq -c '[.confidence, .resource]'; foretime largest p time=0.5s --json | jq .confidence
[0.8,"wall_s"]
0.99

$ foretime plot p
foretime: <<\S+>>/config/foretime/config:8: bogus: there is no option 'bogus'
hint: foretime COMMAND --help lists them
? 2

$ foretime plot --help | head -1
foretime plot: draw a model and the runs that it rests on

$ for line in 'confidence = 40%' 'confidence' 'load = sometimes' 'csv = perhaps' 'json = yes'; do echo "$line" >other; FORETIME_CONFIG=other foretime predict p n=500 2>&1 | head -2; done
foretime: other:1: confidence: '40%' is not between 50 % and 99.95 %
hint: write a share as in 5% or 0.05, from 50 % to 99.95 %
foretime: other:1: 'confidence' has no value
hint: write NAME = VALUE, as in confidence = 95%
foretime: other:1: load: 'sometimes' is none of its words
hint: write idle, usual or now
foretime: other:1: csv: 'perhaps' is neither yes nor no
hint: write yes, or leave it out
{
  "schema": "foretime-predict-2",

$ printf 'store = elsewhere.db' >other; FORETIME_CONFIG=other foretime list; FORETIME_CONFIG= foretime list --format names; FORETIME_CONFIG=nowhere foretime list
note: the store is empty: foretime build makes the first model
p
foretime: cannot open 'nowhere': No such file or directory
hint: correct FORETIME_CONFIG, or unset it
? 2

## zero bytes, no end of the last line, long lines
$ perl -e 'print "confidence = 95%\0rest\n", "x" x 100000, "=1\n"' >other; FORETIME_CONFIG=other foretime predict p n=500 --json | jq .confidence; perl -e 'print "x" x 100000, "=1\nconfidence=0.95"' >other; FORETIME_CONFIG=other foretime predict p n=500 --json | jq .confidence
0.95
0.95

## what the command line excludes is no default; two defaults that exclude each other are a mistake
$ echo 'json = yes' >other; FORETIME_CONFIG=other foretime predict p n=500 --csv | head -1; printf 'load = usual\n[predict]\nat = 22:00\n' >other; FORETIME_CONFIG=other foretime predict p n=500; FORETIME_CONFIG=other foretime predict p n=500 --manager --help | head -1
n,value,accuracy,lower,upper,basis,distance
foretime: other:3: at: load and at exclude each other
hint: leave one of them out
foretime predict: predict what a run costs at any size

## an older name of an option counts as that option
$ echo 'limit = 1' >other; foretime import p.csv --name q --here >/dev/null; FORETIME_CONFIG=other foretime list --names; FORETIME_CONFIG=other foretime list --names --most 2
p
note: <<.*>>
p
q
