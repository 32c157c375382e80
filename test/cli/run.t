## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime run -- echo hi
hi
echo: done
resource                 value  label     probe
wall_s <<[\d.]+.*>> measured  child
cpu_s <<[\d.]+.*>> measured  child
user_s <<[\d.]+.*>> measured  child
system_s <<[\d.]+.*>> measured  child
peak_rss_bytes <<[\d.]+.*>> measured  child
minor_faults <<[\d.]+.*>> measured  child
major_faults <<[\d.]+.*>> measured  child
voluntary_switches <<[\d.]+.*>> measured  child
involuntary_switches <<[\d.]+.*>> measured  child
peak_tree_bytes <<.*>>

$ foretime run n=7 -- echo 'a{n}b' 2>/dev/null
a7b

$ echo in | foretime run -- cat 2>/dev/null
in

$ foretime run -o report.txt -- echo hi; sed -n 1,3p report.txt
hi
echo: done
resource                 value  label     probe
wall_s <<[\d.]+.*>> measured  child

$ foretime run --json -o report.json -- sh -c 'echo out'; check-schema run < report.json
out

$ foretime run -- sh -c 'exit 3' 2>/dev/null
? 3

$ foretime run -- sh -c 'kill -SEGV $$' 2>/dev/null
? 139

$ foretime run --timeout 0.1 -- sleep 10 2>&1 | head -1
sleep: timed out

$ foretime run --timeout 0.1 -- sleep 10 2>/dev/null
? 124

$ foretime run --save spun n=5 -- true 2>/dev/null; foretime run --save spun n=9 -- true 2>/dev/null; foretime show spun | grep -E '^(command|parameter|runs)'
command    true
parameter  n = 5 .. 9, step 1
runs       2 at 2 sizes, 0 failed, the newest <<.*>>

$ foretime run --save two -- bash -c 'printf "ft1 routine first 1 2000 1000 5\nft1 routine second 1 3000 1000 0\n" >&$FORETIME_PROBE_FD' 2>/dev/null; foretime list --names
spun
two
two/first
two/second

$ foretime run -- ./missing
foretime: cannot find program './missing': No such file or directory
hint: build it, or correct its path (the folder is './')
? 127

$ touch plain; foretime run -- ./plain
foretime: cannot execute './plain': Permission denied
hint: make it executable: chmod +x './plain'
? 126

$ foretime run
foretime: which program? none stands behind --
hint: write foretime run -- PROG ARG...
? 125

$ foretime run --
foretime: which program? none stands behind --
hint: write foretime run -- PROG ARG...
? 125

$ foretime run n=1:5 -- true
foretime: 'n=1:5' is a range, and 'run' makes one run
hint: write n=VALUE; foretime build measures a range
? 125

$ foretime run five -- true
foretime: 'five' has no values
hint: write five=64:3000 for a range, five=100 for a fixed value; the program stands behind --
? 125

$ foretime run -- echo '{n}'
foretime: '{n}' needs a value for {n}, and there is no such parameter
hint: give it a value: n=100; or write {{n}} if the braces are meant as they are
? 125

$ foretime run --timeout never -- true
foretime: option --timeout: 'never' is not a duration
hint: write a number with us, ms, s, m, h or d, as in 30s or 1.5h, or hours:minutes:seconds
? 125

$ foretime run -o missing/x -- true
foretime: cannot open 'missing/x': No such file or directory
hint: choose another file with -o FILE
? 125

$ foretime run --sav x -- true
foretime: unknown option '--sav' of 'run'
hint: the nearest one is --save
? 125
