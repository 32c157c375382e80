## SPDX-License-Identifier: GPL-3.0-or-later
## Programs that report their own time, in an old folder and in this one: `slow` takes 20 % longer here.
$ mkdir base; cat > work <<'END'
> #!/bin/bash
> ns=$(($1 * 1000))
> [ $1 = 300 ] && [ ! -d ../base ] && ns=$((ns * 6 / 5))
> [ $1 = 500 ] && exit 3
> printf 'ft1 routine work 1 %d %d %d\n' $ns $ns 1 >&$FORETIME_PROBE_FD
> END
$ chmod +x work; cp work base; printf 'name,command\nsame,./work 100\nslow,./work 300\nbad,./work 500\nempty,\n' > list.csv; foretime verify --suite list.csv --against base --history
note: list.csv:5: no command
verdict  benchmark  why
slower   slow       wall_s is 1.200 times what it was (<<1\.\d+ \.\. 1\.\d+>>), 16 pairs
failed   bad        a run in <<.*>> failed with status 3
same     same       wall_s is 1.000 times what it was (1.000 .. 1.000), 5 pairs
3 benchmarks: 1 slower, 1 failed
? 1

## as one comment in Markdown, and annotations; for Jenkins and GitLab; as JSON
$ sed -i /bad/d list.csv; GITHUB_STEP_SUMMARY=comment.md foretime verify --suite list.csv --against base --format github 2>/dev/null; sed 's/^#* *//' comment.md
::error title=suite::slow: wall_s is 1.200 times what it was (<<.*>>), 16 pairs
foretime: 1 of 2 benchmarks slower
| benchmark | verdict | wall_s |
|---|---|---|
| slow | slower | wall\_s is 1.200 times what it was (<<.*>>), 16 pairs |

$ foretime verify --suite list.csv --against base --format junit 2>/dev/null | grep -c testcase; foretime verify --suite list.csv --against base --json 2>/dev/null > a.json; jq -c '.[] | [.name, .verdict, .pairs]' a.json; jq -c '.[0]' a.json | check-schema verify-suite
3
["slow","slower",16]
["same","same",5]

## the lists of harnesses: each benchmark alone, and the times that the harness writes
$ printf '%s\n' '#!/bin/bash' 'for a; do case $a in *filter=*) name=${a#*=} ;; *out=*) out=${a#*=} ;; esac; done' 'ns=100; [ -d ../base ] || ns=150' 'echo "{\"context\": {}, \"benchmarks\": [{\"name\": \"BM_x/8\", \"run_type\": \"iteration\", \"iterations\": 9, \"real_time\": $ns, \"cpu_time\": $ns, \"time_unit\": \"ns\"}]}" > $out' > gb; chmod +x gb; cp gb base; echo '{"context": {"executable": "./gb"}, "benchmarks": [{"name": "BM_x/8", "run_type": "iteration"}, {"name": "BM_x/8_mean", "run_type": "aggregate"}]}' > gb.json; foretime verify --suite gb.json --against base 2>&1 | head -2
verdict  benchmark  why
slower   BM_x/8     wall_s is 1.500 times what it was (<<.*>>), 16 pairs

## lists as harnesses print them: names alone, with blanks, quotes and brackets; the program stands behind --
$ cat > harness <<'END'
> #!/bin/bash
> ns=100
> case $1 in
> --benchmark_filter=*) name=$(tr -d '\\^$' <<< "${1#*=}"); echo "{\"context\": {}, \"benchmarks\": [{\"name\": \"$name\", \"run_type\": \"iteration\", \"iterations\": 9, \"real_time\": $ns, \"cpu_time\": $ns, \"time_unit\": \"ns\"}]}" > "${2#*=}" ;;
> -q) echo "{\"machine_info\": {}, \"benchmarks\": [{\"name\": \"t\", \"fullname\": \"$2\", \"group\": null, \"params\": null, \"stats\": {\"data\": [${ns}e-9], \"rounds\": 1, \"iterations\": 9}}]}" > "${3#*=}" ;;
> *) echo "{\"reason\": \"benchmark-complete\", \"id\": \"$3\", \"iteration_count\": [2], \"measured_values\": [$ns], \"unit\": \"ns\"}" ;;
> esac
> END
> chmod +x harness; cp harness base; printf '%s\n' 'BM_x/8' "BM make<std::vector<int>> 'a|b'" 'BM_x/8' > gb.txt; printf '%s\n' "test_b.py::test_s[it's a b]" 'test_b.py::TestC::test_m' '' '2 tests collected in 0.01s' > py.txt; printf '%s\n' 'sort/by key: benchmark' 'helper: test' '' '1 tests, 1 benchmarks' > rust.txt; for list in gb py rust; do foretime verify --suite $list.txt --against base --json -- ./harness 2>/dev/null | jq -c '.[] | [.name, .verdict]'; done
["BM make<std::vector<int>> 'a|b'","same"]
["BM_x/8","same"]
["test_b.py::TestC::test_m","same"]
["test_b.py::test_s[it's a b]","same"]
["sort/by key","same"]

## an absolute program would be compared with itself; one below this folder is that of both
$ for at in "$PWD" /elsewhere; do echo "{\"context\": {\"executable\": \"$at/harness\"}, \"benchmarks\": [{\"name\": \"BM_x/8_mean\", \"run_name\": \"BM_x/8\", \"run_type\": \"aggregate\"}]}" > at.json; foretime verify --suite at.json --against base 2>&1 | tail -2; done
1 benchmark: 0 slower, 0 failed
foretime: '/elsewhere/harness' would be the new program and the old one
hint: name it as both folders have it, behind --: -- build/benchmarks

$ foretime verify --suite gb.txt --against base 2>&1 | head -1; foretime verify --suite list.csv --against base -- ./harness
foretime: 'gb.txt' lists no benchmarks
note: list.csv:4: no command
foretime: 'list.csv' has commands of its own
hint: leave out what stands behind --
? 2

## commands of hyperfine may need a shell
$ printf '{"results": [{"command": "true && test -d ../base"}, {"command": "X=1 ./work 100 > null"}, {"command": "a name"}]}' > hf.json; foretime verify --suite hf.json --against base --json 2>/dev/null | jq -c '.[] | [.name, .verdict, .why]'
["a name","failed","a run in <<.*>> failed with status 127: <<.*>>: No such file or directory"]
["true && test -d ../base","failed","a run in '.' failed with status 1"]
["X=1 ./work 100 > null","same",null]

## one bad row costs only itself: a name twice, no name, no command, an open quote, a cell too many, a program that is gone,
## or new, hangs, or fails in its second run
$ cp work new; cp work base/gone; printf '%s\n' '#!/bin/bash' 'echo >> times; [ $(wc -l < times) -lt 3 ] && exec ./work 100' 'exit 7' > later; chmod +x later; cp later base; printf '%s\n' name,command 'same,./work 100' 'same,./work 100' 'same,./work 101' ',./work 102' empty, "open,./work '1" 'three,./work,1' 'gone,./gone 100' 'new,./new 100' 'hangs,sleep 60' 'later,./later' '"a, ""b"" [c]",./work 103' > rows.csv; foretime verify --suite rows.csv --against base --timeout 3s > out 2> notes; echo $?; cat notes; LC_ALL=C sort out
1
note: 'same' is listed with two commands: the first one is run
note: rows.csv:6: no command
note: rows.csv:8: left out: column 3: the row has 3 cells where the header has 2
8 benchmarks: 0 slower, 4 failed, 1 new
failed   gone  a run in '.' failed with status 127: env: <<.*gone.*>>: No such file or directory
failed   hangs  a run in '.' timed out after <<3\.\d+>> s
failed   later  a run in '<<.*>>' failed with status 7
failed   open  its command cannot be run: a quote is not closed
new      new  a run in 'base' failed with status 127: env: <<.*new.*>>: No such file or directory
same     ./work 102  wall_s is 1.000 times what it was (1.000 .. 1.000), 5 pairs
same     a, "b" [c]  wall_s is 1.000 times what it was (1.000 .. 1.000), 5 pairs
same     same  wall_s is 1.000 times what it was (1.000 .. 1.000), 5 pairs
verdict  benchmark  why

## ten thousand rows in two seconds: what did not run is counted
$ seq 10000 | sed 's|.*|b&,./work &|; 1i name,command' > many.csv; foretime verify --suite many.csv --against base --budget 2s | tail -1
10000 benchmarks: 0 slower, 0 failed, <<9\d\d\d>> not run

## what decides nothing
$ foretime verify --suite list.csv
foretime: --suite compares it with what?
hint: name a folder with the old version built: --against ../base
? 2

$ echo a,b > none.csv; foretime verify --suite none.csv --against base
foretime: 'none.csv' lists no benchmarks
hint: write a table with the columns name and command; or give the JSON of Google Benchmark, pytest-benchmark, cargo criterion or hyperfine, or the names that one of them lists, and its program behind --
? 2

$ foretime verify --suite /nonexistent --against base
foretime: cannot open '/nonexistent': No such file or directory
? 2

$ foretime verify --suite list.csv --against /nonexistent
foretime: --against '/nonexistent' is no folder
hint: name the one with the old version built
? 2

$ mkdir empty; foretime verify --suite hf.csv --against empty; printf 'command,mean\n./work 100,1\n' > hf.csv; foretime verify --suite hf.csv --against empty 2>&1 | tail -2
foretime: cannot open 'hf.csv': No such file or directory
foretime: no benchmark could be judged
hint: build the old version there first
