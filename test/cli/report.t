## SPDX-License-Identifier: GPL-3.0-or-later
## Jobs whose truth is known: in/report/make says what each program requests and uses, and the sums.
$ in/report/make > jobs.txt; foretime report jobs.txt
300 jobs of 3 programs, 2 users, 2 partitions, 2026-01-01 to 2026-01-25

             requested  used  not used  unit    jobs
memory             704   152      78 %  GB h     300
processors         167  83.6      50 %  core h   300
time limits        333  83.6      75 %  h        300

program  jobs  GB h  used  not used  limit h  used  failed  foretime
merge     100   400   100      75 %      100  50.0       0  <<11\d>>
align     100   271  20.1      93 %      200  16.9       0  <<2\d\.\d|3\d\.\d>>
tight     100  33.3  31.8       5 %     33.3  16.7      10  <<3\d\.\d>>

ended          jobs   share  hours  GB h requested
completed       290  96.7 %   81.9             701
out of memory    10  3.33 %   1.67            3.33

Requests over 290 jobs that completed

rule                   GB h  not used  limit h  jobs killed    share  own request
as requested            701      79 %      330            0      0 %
foretime, risk 5 %      <<1[67]\d>>      <<1\d>> %     <<\d\d\.\d|1\d\d>>            <<\d>>      <<0|[\d.]+>> %           15
foretime, least waste   <<1[67]\d>>      <<1\d>> %     <<\d\d\.\d|1\d\d>>            <<\d>>      <<0|[\d.]+>> %           15
most seen x 1.1         192      23 %      118            1  0.345 %           15

A request uses only jobs of its program that had ended before it was made.
The first 5 jobs of a program keep their own. A job that is killed counts
with all its tries: it is repeated with the most seen, then with twice as much.

## the sums, to the digit: see in/report/make
$ foretime report jobs.txt --json | tee told | check-schema report; jq -c '[.jobs, .programs, .users, .partitions, .compared], [.requested_gb_h, .used_gb_h, .limit_h, .used_h | . * 100 | round / 100]' told; jq -c '.groups[] | [.name, .jobs, .failed, (.requested_gb_h, .used_gb_h, .limit_h, .used_h | . * 100 | round / 100)]' told
[300,3,2,2,290]
[704.44,151.92,333.33,83.61]
["merge",100,0,400,100,100,50]
["align",100,0,271.11,20.08,200,16.94]
["tight",100,10,33.33,31.83,33.33,16.67]

$ jq -c '[.rules[] | [.rule, .risk, .factor]], [.ends[] | select(.jobs > 0) | [.end, .jobs]]' told
[["requested",null,null],["foretime",0.05,null],["foretime",null,null],["seen",null,1.1]]
[["completed",290],["out of memory",10]]

$ foretime report jobs.txt --by user --user bob | sed -n '1p;/^user/,/^$/p'
200 jobs of 2 programs, 1 user, 2 partitions, 2026-01-01 to 2026-01-25
user  jobs  GB h  used  not used  limit h  used  failed  foretime
bob    200   433   132      70 %      133  66.7      10       <<1[45]\d>>

$ foretime report jobs.txt --limit 1 | grep -e more -e merge
merge     100   400   100      75 %      100  50.0       0       <<11\d>>
2 more programs: --limit N

$ foretime report jobs.txt --by partition --format markdown --risk 1% | grep -e '^#' -e long -e '---' -e '1 %' | sed 's/^#* /+ /'
+ 300 jobs of 3 programs, 2 users, 2 partitions, 2026-01-01 to 2026-01-25
|---|---:|---:|---:|---|---:|
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| long | 100 | 33.3 | 31.8 | 5 % | 33.3 | 16.7 | 33.3 | 16.7 | 10 | <<[\d.]+>> |
|---|---:|---:|---:|---:|
+ Requests over 290 jobs that completed
|---|---:|---:|---:|---:|---:|---:|
| foretime, risk 1 % | <<\d+>> | <<\d+>> % | <<[\d.]+>> | <<\d+>> | <<[\d.]+>> % | 15 |

$ foretime report jobs.txt --csv | cut -d , -f 1-5,13-15
name,jobs,memory_jobs,requested_gb_h,used_gb_h,failed,killed_memory,killed_time
merge,100,100,400,100,0,0,0
align,100,100,271.1111111111111,20.0833257<<\d*>>,0,0,0
tight,100,100,33.3333333333<<\d*>>,31.83332<<\d*>>,10,10,0

## files that overlap count once
$ foretime report jobs.txt jobs.txt --json | jq -c '[.jobs, .twice]'
note: 300 jobs had been read before, and count once
[300,300]

## sizes in names of jobs; the same jobs by gzip
$ sed 's/|foretime:align,n=\(.*\)/|/' jobs.txt | awk -F '|' -v OFS='|' 'FNR == NR { n[$1] = $16; next } $3 == "run.sh" { sub(/.*=/, "", n[$1]); $3 = "align_" n[$1] } { print }' jobs.txt - | gzip > named.gz; foretime report named.gz --size 'n=JobName:/_([0-9]+)/' --json | jq -c '[.groups[].name], .unsized'
["merge","align","tight"]
200

## rows that are damaged, of no state, not ended, cancelled before they began; submitted after their start
$ (head -20 jobs.txt; printf '%s\n' 'broken|row' '900|900|x|ann|batch|GONE|0:0|2026-01-01T00:00:00Z|2026-01-01T00:00:00Z|00:01:00|||1|1M|1|' '901|901|x|ann|batch|PENDING|0:0|2026-01-01T00:00:00Z|Unknown|00:00:00|||1|1M|1|' '902|902|x|ann|batch|CANCELLED by 7|0:0|2026-01-01T00:00:00Z|Unknown|00:00:00|||1|1M|1|' '903|903|x|ann|batch|NODE_FAIL|0:0|2027-01-01T00:00:00Z|2026-01-01T00:00:00Z|01:00:00|||60|1000M|1|' '904|904|x|ann|batch|COMPLETED|0:0|2026-01-01T00:00:00Z|2026-01-01T00:00:00Z|-5|||60|1000M|1|' '905|905|y|ann|batch|COMPLETED|0:0|2027-01-01T00:00:00Z|2026-01-01T00:00:00Z|01:00:00||1000M|60|1000Mc|4|') > bad.txt; foretime report bad.txt | sed -n '1p;/^ended/,/^Requests/p'
note: left out 1 row that had not ended
note: left out 3 rows that cannot be used, the first: bad.txt:21: column 3: the row has 2 cells where the header has 16
hint: give every row as many cells as the header; quote cells that hold the separator
13 jobs of 5 programs, 2 users, 2 partitions, 2026-01-01 to 2026-01-01
ended                   jobs   share  hours  GB h requested
completed                 11  84.6 %   3.34            22.7
node failure               1  7.69 %   1.00            1.05
cancelled before start     1  7.69 %      0               0
The memory that 2 jobs used is not known (3.09 GB h requested).
Requests over 11 jobs that completed

## of memory a processor the whole is that of all
$ foretime report bad.txt --json 2>/dev/null | jq -c '.groups[] | select(.name == "y") | [.requested_gb_h, .used_gb_h]'
[4.194304,1.048576]

## cancelled while they waited: newer Slurm writes the moment of that as Start; what was killed for memory used at least its request
$ printf '%s\n' 'JobID|JobName|State|Start|Elapsed|MaxRSS|ReqMem|NodeList' '1|x|CANCELLED by 7|2026-01-01T00:00:00|00:00:00||1M|None assigned' '2|x|CANCELLED by 7|2026-01-01T00:00:00|01:00:00|1G|2G|n1' '3|y|OUT_OF_MEMORY|2026-01-01T00:00:00|01:00:00|1M|1000M|n1' > ends.txt; foretime report ends.txt --json | jq -c '[.ends[] | select(.jobs > 0) | [.end, .jobs]], (.groups[] | select(.name == "y") | [.requested_gb_h, .used_gb_h])'
[["out of memory",1],["cancelled",1],["cancelled before start",1]]
[1.048576,1.048576]

## other formats: what they have of requests; no times: the order of rows
$ printf 'task,n,wall_s,peak_tree_bytes,requested_bytes\n' > rows.csv; for n in 1 2 3 4 5 6 7 8 9; do echo "sort,$n,3600,${n}e9,20GB"; done >> rows.csv; foretime report rows.csv --name '{task}' --json | tee told | jq -c '[.requested_gb_h, .used_gb_h, .by_rows, .compared, .rules[3].killed, .rules[3].own]'
[180,45,true,9,4,5]

$ sed '1s/requested_bytes/preset/; s/20GB/20/' rows.csv > preset.csv; foretime report preset.csv --name '{task}' --requested memory=preset:GB --json | jq -cS . > again; jq -cS . told | cmp - again

$ foretime report $FORETIME_TEST_SOURCE/test/adapt/data/nextflow.txt --json 2>/dev/null | jq -c '[.jobs > 0, .compared >= 0]'
[true,true]

$ for f in $FORETIME_TEST_SOURCE/test/adapt/data/*.*; do foretime report $f >/dev/null 2>&1; [ $? -le 2 ] || echo "$f"; done

$ foretime report preset.csv
9 jobs of 1 program
No job has both a request and what it used.
program  jobs  failed
all         9       0
ended      jobs  share  hours  GB h requested
completed     9  100 %   9.00               0
No requests can be compared: no job that completed has a request and what it used.

## wrong use
$ foretime report preset.csv --requested memory=nothing
foretime: 'preset.csv' has no column 'nothing'; its columns are task, n, wall_s, peak_tree_bytes, preset
hint: name one of them in --requested
? 2

$ foretime report preset.csv --requested instructions=preset 2>&1 | head -1
foretime: --requested instructions=preset: neither time nor memory is requested

$ foretime report jobs.txt --risk 60%
foretime: --risk 60%: a risk is from 0.1% to 25%
? 2

$ foretime report jobs.txt --user nobody
foretime: there is no job that ended
hint: correct --user and --partition
? 2

$ foretime report
foretime: missing FILE; usage: foretime report FILE... [--by user] [--size N=WHERE]... [OPTION...]
? 2

$ foretime report missing.txt
foretime: cannot open 'missing.txt': No such file or directory
? 2

$ foretime report jobs.txt --by colour
foretime: option --by: 'colour' is none of its words
hint: write program, user or partition
? 2
