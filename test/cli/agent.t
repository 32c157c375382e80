## SPDX-License-Identifier: GPL-3.0-or-later
## several managers, asked at the same time (001 III)
$ foretime import in/cubic.csv --name cubic --store a.db >/dev/null; awk -F, 'NR > 1 { $2 *= 2 } 1' OFS=, in/cubic.csv >slow.csv; foretime import slow.csv --name cubic --store b.db >/dev/null; foretime import slow.csv --name another --store c.db >/dev/null

$ for m in a b c; do foretime serve --socket $m.sock --store $m.db >/dev/null 2>$m.log & echo $! >$m.sock.pid; done; until [ -S a.sock ] && [ -S b.sock ] && [ -S c.sock ]; do sleep 0.05; done

$ foretime plan rank cubic n=300 --ask unix:b.sock,unix:a.sock,load=idle
machine      done in   time     90 % of runs         first  basis
unix:a.sock  27.0 ms   27.0 ms  <<.* \.\. .*>>  100 %  measured
unix:b.sock  54.0 ms   54.0 ms  <<.* \.\. .*>>    0 %  measured

## the same by two options, and by a path alone; a wait changes the order
$ foretime plan rank cubic n=300 --ask b.sock --ask a.sock,load=idle --wait a.sock=1s
machine  done in  wait     time  90 % of runs     first  basis
b.sock   54.0 ms        54.0 ms  <<.* \.\. .*>>   100 %  measured
a.sock    1.03 s  1.00 s  27.0 ms  <<.* \.\. .*>>  0 %  measured

$ foretime plan rank cubic n=300 --ask unix:b.sock,unix:a.sock,load=idle --json >told; check-schema plan <told; jq -r '.ranks[] | .name + " " + .host' told; jq -c .unanswered told
unix:a.sock elsewhere
unix:b.sock elsewhere
[]

## one is dead, one accepts and never answers, one lacks the program, one is of another version, three are no managers
$ for kind in silent rubbish flood short other; do odd-manager $kind.sock $kind; done

$ foretime plan rank cubic n=300 --ask unix:dead.sock,unix:b.sock,unix:silent.sock,unix:c.sock,unix:other.sock,unix:rubbish.sock,unix:flood.sock,unix:short.sock,unix:a.sock,load=idle,timeout=2s
note: no manager answers at 'unix:dead.sock': No such file or directory
note: 'unix:silent.sock' did not answer within 2.00 s
note: unix:c.sock refuses: the store '<<.*>>c.db' has no program 'cubic'
hint: foretime list shows the names that there are
note: the manager at 'unix:other.sock' has another version: it answers foretime-rank-99, not foretime-rank-2
hint: install the same version of foretime there and here
note: what comes from 'unix:rubbish.sock' is no answer
note: 'unix:flood.sock' sends more than 1048576 bytes, which no manager does
note: what comes from 'unix:short.sock' is no answer
machine      done in   time     90 % of runs         first  basis
unix:a.sock  27.0 ms   27.0 ms  <<.* \.\. .*>>  100 %  measured
unix:b.sock  54.0 ms   54.0 ms  <<.* \.\. .*>>    0 %  measured

$ foretime plan rank cubic n=300 --ask unix:dead.sock,unix:c.sock,unix:a.sock,load=idle --json 2>/dev/null >told; check-schema plan <told; jq -c '.unanswered[] | [.manager, .remedy]' told
["unix:dead.sock",null]
["unix:c.sock","foretime list shows the names that there are"]

$ foretime plan rank cubic n=300 --ask unix:dead.sock,unix:c.sock
note: no manager answers at 'unix:dead.sock': No such file or directory
note: unix:c.sock refuses: the store '<<.*>>c.db' has no program 'cubic'
hint: foretime list shows the names that there are
foretime: none of 2 managers has an answer
? 2

$ foretime plan rank cubic n=300 --ask unix:dead.sock
foretime: no manager answers at 'unix:dead.sock': No such file or directory
? 2

## their own load by default: these models are of no machine that is here
$ foretime plan rank cubic n=300 --ask unix:a.sock
foretime: the load of 'elsewhere' cannot be seen from here, where the runs were not made
hint: ask there, or with --load idle
? 2

$ foretime plan rank cubic n=three --ask unix:a.sock
foretime: 'three' is not a number
<<hint: .*>>
? 2

$ foretime plan rank cubic 300 --ask unix:a.sock
foretime: '300' is not a size: of which parameter?
hint: write n=300
? 2

$ foretime plan rank cubic n=300 --ask http://a:80
foretime: --ask: 'http://a:80' is not the address of a manager
hint: write https://HOST:PORT, or unix:PATH
? 2

$ foretime plan rank cubic n=300 --ask unix:a.sock,unix:a.sock
foretime: --ask names 'unix:a.sock' twice
hint: name it once
? 2

$ foretime plan rank cubic n=300 --ask unix:a.sock --on b
foretime: --on and --ask exclude each other
hint: leave one of them out
? 2

$ foretime plan rank cubic n=300 --ask unix:a.sock --format slurm
foretime: --ask is about managers, and this --format about partitions
hint: leave one of them out
? 2

$ foretime plan rank cubic n=300 --ask unix:a.sock,timeout=0s
foretime: --ask timeout is a time above 0, as in timeout=5s
? 2

$ foretime predict cubic n=300,400 --ask unix:b.sock
cubic: wall_s on elsewhere, from the manager at unix:b.sock
  n  typical  90 % of runs    basis
300  54.0 ms  <<.* \.\. .*>>  measured
400   128 ms  <<.* \.\. .*>>  measured

$ foretime predict cubic n=300,400 --ask unix:b.sock --json >told; foretime predict cubic n=300,400 --store b.db --json | diff - told

$ foretime predict cubic n=300 --ask unix:silent.sock,timeout=200ms
foretime: 'unix:silent.sock' did not answer within 200 ms
? 2

$ foretime predict cubic n=300 --ask unix:a.sock,unix:b.sock
foretime: --ask is about one manager here, not 2
hint: foretime plan rank asks several, and orders them
? 2

## tasks on managers: each time is of a manager's own models
$ printf 'task,name,n\nt1,cubic,300\nt2,cubic,300\nt3,cubic,300\nt4,another,300\n' >tasks.csv; foretime plan map tasks.csv --ask unix:a.sock,unix:b.sock,unix:dead.sock,unix:c.sock,load=idle --json >told
note: unix:a.sock refuses task 't4': the store '<<.*>>a.db' has no program 'another'
hint: foretime list shows the names that there are
note: unix:b.sock refuses task 't4': the store '<<.*>>b.db' has no program 'another'
hint: foretime list shows the names that there are
note: no manager answers at 'unix:dead.sock': No such file or directory
note: unix:c.sock refuses task 't1': the store '<<.*>>c.db' has no program 'cubic'
hint: foretime list shows the names that there are

## they take 27, 54 and 27 ms: two of the same on the first one, the third on the slower one
$ check-schema plan <told; jq -c '[.tasks[] | .machine] | group_by(.) | map([.[0], length])' told; jq '.unanswered | length' told
[["unix:a.sock",2],["unix:b.sock",1],["unix:c.sock",1]]
4

## planned with a risk, a time is the end that a manager's runs exceed so often
$ foretime plan map tasks.csv --ask unix:a.sock,unix:c.sock,load=idle --risk 5% --json 2>/dev/null >told; jq '[.tasks[] | .time_s * 1000 | round]' -c told; foretime predict cubic n=300 --store a.db --json | jq '.predictions[0].upper * 1000 | round'
[28,28,28,55]
28

$ printf '{"tasks": [{"id": "x", "name": "cubic", "size": {"n": 300}}, {"id": "y", "name": "cubic", "size": {"n": 400}}], "edges": [{"from": "x", "to": "y"}]}' >graph.json; foretime plan schedule graph.json --ask unix:a.sock,unix:b.sock,load=idle --json >told; check-schema plan <told; jq -r '.slots[] | .task + " " + .machine' told
x unix:a.sock
y unix:a.sock

$ printf 'task,name,n\nt,nothing,300\n' >none.csv; foretime plan map none.csv --ask unix:a.sock,unix:b.sock
note: <<.*>>
hint: <<.*>>
note: <<.*>>
hint: <<.*>>
foretime: task 't' fits none of the machines
hint: t on unix:a.sock: memory, or the manager has no model
hint: t on unix:b.sock: memory, or the manager has no model
hint: more hosts, or what they have in --resources FILE.csv
? 1

$ for pid in *.pid; do kill "$(cat "$pid")"; done
