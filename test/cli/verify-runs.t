## SPDX-License-Identifier: GPL-3.0-or-later
## Many benchmarks at once, each against its models: worst first, a line each.
$ for p in a b c d; do awk 'BEGIN { print "n,wall_s,peak_rss_bytes"; for (n = 1000; n <= 16000; n *= 2) for (i = 0; i < 4; i++) print n "," n * (1e-3 + i * 1e-6) "," n * 1000 + 1e6 }' > $p.csv; foretime import $p.csv --name $p --here; done
imported 20 runs at 5 sizes as 'a'
imported 20 runs at 5 sizes as 'b'
imported 20 runs at 5 sizes as 'c'
imported 20 runs at 5 sizes as 'd'

$ awk 'BEGIN { print "name,n,wall_s,peak_rss_bytes,outcome"; split("a b c d e", p, " "); for (k = 1; k <= 5; k++) for (n = 1000; n <= 16000; n *= 2) for (i = 0; i < 4; i++) { f = p[k] == "b" ? 1.5 : p[k] == "c" ? 1.2 : 1; print p[k] "," n "," n * f * (1e-3 + i * 1e-6) "," n * 1000 + 1e6 "," (p[k] == "d" && n == 8000 ? "failed" : "done") } }' > new.csv; foretime verify --runs new.csv --by name
verdict   benchmark  why
broken    b          wall_s is 1.50 times what it was (<<.*>>); and <<\d+>> more
broken    c          wall_s is 1.20 times what it was (<<.*>>); and <<\d+>> more
failed    d          a run at n=8000: <<.+>>
holds     a          <<wall_s|peak_rss_bytes>> is 1.00<<.*>>
no model  e          the store '<<.*>>' has no program 'e'

5 benchmarks: 2 broken, 1 failed, 0 undecided, 1 hold, 1 without a model
? 1

## as an array, each by its own schema
$ foretime verify --runs new.csv --by name --json | jq -c '.[]' | while read -r one; do echo "$one" | check-schema verify-many; done
$ foretime verify --runs new.csv --by name --json | jq -rc '.[] | [.name, .verdict, .broken > 0, .runs, .sizes, .found.holds]'
["b","broken",true,20,5,false]
["c","broken",true,20,5,false]
["d","failed",false,20,5,null]
["a","holds",false,20,5,true]
["e","no model",false,20,5,null]

## a folder of files that name no program: each is of the one whose name its own begins with; all that can be judged hold
$ mkdir -p many/deep; for p in a d; do grep -E "^($p|name)," new.csv | sed 's/failed/done/' | cut -d, -f2- > many/deep/$p.new.csv; done; foretime verify --runs many
verdict  benchmark  why
holds    a          <<.*>>
holds    d          <<.*>>

2 benchmarks: 0 broken, 0 failed, 0 undecided, 2 hold, 0 without a model

## each is held to a part of the risk: the whole of it is that of one alone
$ foretime verify --runs many --json | jq -c '[.[].found.confidence]'
[0.995,0.995]

$ foretime verify --runs many/deep/a.new.csv --confidence 90% --json | jq -c '[.[].found.confidence]'
[0.9]

## one resource alone; one that the models lack is no verdict
$ foretime verify --runs many --resource peak_rss_bytes | grep -c 'peak_rss_bytes is'
2

$ foretime verify --runs many --resource energy_j
verdict  benchmark  why
failed   a          its runs have no value of a resource that its models predict
failed   d          its runs have no value of a resource that its models predict

2 benchmarks: 0 broken, 2 failed, 0 undecided, 0 hold, 0 without a model
? 1

## runs without a parameter of the models
$ printf 'n,m,wall_s\n1,1,1\n2,1,2\n1,2,2\n2,2,4\n' > two.csv; foretime import two.csv n m --name two --here; printf 'n,wall_s\n1,1\n2,2\n' > two.new.csv; foretime verify --runs two.new.csv
imported 4 runs at 4 sizes as 'two'
verdict  benchmark  why
failed   two        its runs have no value of the parameter 'm'

1 benchmark: 0 broken, 1 failed, 0 undecided, 0 hold, 0 without a model
? 1

## wrong use
$ grep -E '^(e|name),' new.csv > e.csv; foretime verify --runs e.csv --by name
verdict   benchmark  why
no model  e          the store '<<.*>>' has no program 'e'

1 benchmark: 0 broken, 0 failed, 0 undecided, 0 hold, 1 without a model
foretime: no benchmark could be judged
hint: build or import models of their names first; foretime list shows what there is
? 2

$ foretime verify --runs many --format junit
foretime: --format junit is of one benchmark
hint: name it, or take --json
? 2

$ foretime verify --runs many -- ./a {n}
foretime: many benchmarks are judged at all sizes of their files
hint: name one benchmark to choose sizes: foretime verify NAME n=2048 --runs many
? 2

$ foretime verify --runs many --sweep 2>&1 | head -1
foretime: many benchmarks are judged at all sizes of their files

$ mkdir empty; foretime verify --runs empty
foretime: 'empty' has no runs
? 2

$ foretime verify --runs nowhere
foretime: <<cannot .*>>
? 2
