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

## what decides nothing
$ foretime verify --suite list.csv
foretime: --suite compares it with what?
hint: name a folder with the old version built: --against ../base
? 2

$ echo a,b > none.csv; foretime verify --suite none.csv --against base
foretime: 'none.csv' lists no benchmarks
hint: write a table with the columns name and command, or give the JSON of Google Benchmark, pytest-benchmark, cargo criterion or hyperfine
? 2

$ foretime verify --suite /nonexistent --against base
foretime: cannot open '/nonexistent': No such file or directory
? 2

$ foretime verify --suite list.csv --against /nonexistent --budget 5s 2>&1 | tail -2
foretime: no benchmark could be judged
hint: give it more time: --budget
