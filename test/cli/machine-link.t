## SPDX-License-Identifier: GPL-3.0-or-later
## ssh is a shell on this machine, and what it reads comes slowly: all else is as with a machine far away.
$ mkdir bin; printf '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do echo "$1" >> options; shift; done\necho "$1" > host\nshift\nexec sh -c "$*"\n' > bin/ssh; printf '#!/usr/bin/perl\nmy ($n, $file) = @ARGV[1, 2];\nopen STDIN, "<", $file or die if $file;\nwhile ($n > 0 and my $r = sysread STDIN, my $b, $n < 65536 ? $n : 65536) { syswrite STDOUT, $b; $n -= $r; select undef, undef, undef, 0.001 }\n' > bin/head; chmod +x bin/ssh bin/head; PATH=$PWD/bin:$PATH foretime machine link me@far.example -o links.csv; cat host options
from to latency (95 %) bandwidth, a second (95 %) messages
<<\S+>> far.example <<[\d.]+ [mu]s \(.* \.\. .*\)>> <<[\d.]+ [MG]iB \(.* \.\. .*\)>> 36
far.example <<\S+>> <<[\d.]+ [mu]s \(.* \.\. .*\)>> <<[\d.]+ [MG]iB \(.* \.\. .*\)>> 36
me@far.example
-oBatchMode=yes
-oConnectTimeout=10

$ sed -i "s/$(hostname)/me/g" links.csv; sed 's/[0-9][0-9.e+-]*/X/g' links.csv
from,to,latency,bandwidth
me,far.example,X,X
far.example,me,X,X

## times that were measured otherwise, as by MPI; rows of others stay, and are read by plan schedule
$ printf 'bytes,seconds\n0,1e-4\n0,1e-4\n1000000,0.0101\n1000000,0.0101\n2000000,0.0201\n2000000,0.0201\n' > mpi.csv; foretime machine link far.example --replay mpi.csv -o links.csv; cat links.csv
from to latency (95 %) bandwidth, a second (95 %) messages
<<\S+>> far.example 100 us (100 us .. 100 us) 95.4 MiB (95.4 MiB .. 95.4 MiB) 6
from,to,latency,bandwidth
me,far.example,<<.*>>
far.example,me,<<.*>>
<<\S+>>,far.example,0.0001,1e+08

$ foretime machine link far.example --replay mpi.csv --json | tee link.json | check-schema machine; jq -c '.links[] | [.to, .messages, (.bytes_per_s | round)]' link.json
["far.example",6,100000000]

$ foretime machine link far.example --replay mpi.csv -o - | cut -d, -f2-3
to,latency
far.example,0.0001

$ foretime machine link far.example --via 'sh -c' -o links.csv 2>&1 | tail -2
foretime: 'sh' ended before it answered
hint: see whether the machine lets you in without a question, and has sh and head: ssh -o BatchMode=yes HOST head -c 1 /dev/zero

$ foretime machine link far.example --via /nonesuch
foretime: cannot start '/nonesuch': No such file or directory
hint: install it, or name another remote shell
? 2

$ printf 'size,seconds\n1,2\n' > odd.csv; foretime machine link far --replay odd.csv
foretime: 'odd.csv' has no column 'bytes'
hint: a row is a message, one way: bytes,seconds
? 2

$ printf 'bytes,seconds\n1,2\n' > odd.csv; foretime machine link far --replay odd.csv
foretime: odd.csv: a link needs four messages or more, of two sizes or more
hint: measure small ones and large ones, several times each
? 2

$ foretime machine link far --replay mpi.csv -o mpi.csv
foretime: 'mpi.csv' is not a table of links: it has no column 'from'
hint: name another file; the columns are listed under --links in man foretime-plan
? 2

$ foretime machine link far --replay mpi.csv --via ssh
foretime: --via and --replay exclude each other
hint: leave one of them out
? 2

$ foretime machine link far --replay mpi.csv --json -o -
foretime: --json and -o - exclude each other: both are standard output
? 2

$ foretime machine link far --via "$(seq -s ' ' 40)"
foretime: --via has more than 32 words
? 2

$ foretime machine link me@-oProxyCommand=true
foretime: 'me@-oProxyCommand=true' is not a host
? 2
