## SPDX-License-Identifier: GPL-3.0-or-later
$ foretime manager --help | sed -n '1p;/--socket/p'
foretime serve: show the store in a browser, or answer programs (a manager)
 foretime serve --socket PATH|default [OPTION...]
 foretime serve stop NAME [--socket PATH]
 foretime serve continue NAME [--socket PATH]
      --socket PATH,...   socket of the manager; default:

$ foretime import in/cubic.csv --name cubic >/dev/null

$ foretime manager --socket m.sock >/dev/null 2>said & echo $! >pid
> until [ -S m.sock ]; do sleep 0.1; done

## it answers as the command does
$ ask m.sock '/predict/cubic?n=300' >told; foretime predict cubic n=300 --json | diff - told

$ check-schema predict <told

$ ask m.sock '/predict/cubic?n=300&resource=all' >told; foretime predict cubic n=300 -r all --json | diff - told

## words as people type them are understood there, too
$ ask m.sock '/predict/cubic?n=300&resource=mem' >told; foretime predict cubic n=300 -r ram --json | diff - told; jq -r .resource told
peak_rss_bytes

$ ask m.sock '/largest/cubic?wall=2s&rss=1GiB' >told; foretime largest cubic time=2s mem=1GiB --json | diff - told

$ FORETIME_MANAGER=m.sock foretime predict cubic n=300 -r memory --manager --json | jq -r .resource
peak_rss_bytes

$ FORETIME_MANAGER=m.sock foretime predict cubic n=300 -r energy --manager
foretime: no run of 'cubic' has a value of 'energy_j'
hint: there are values of time (wall_s), memory (peak_rss_bytes)
? 2

$ FORETIME_MANAGER=m.sock foretime predict cubic n=200,300 --manager --json >told; foretime predict cubic n=200,300 --json | diff - told

$ FORETIME_MANAGER=m.sock foretime predict cubic n=200,300 --manager
cubic: wall_s on elsewhere, from the manager at m.sock
  n  typical  90 % of runs  basis
200  <<.* \.\. .*>>  measured
300  <<.* \.\. .*>>  measured

$ FORETIME_MANAGER=m.sock foretime predict nothing n=200 --manager
foretime: the store '<<.*>>' has no program 'nothing'
hint: foretime list shows the names that there are
? 2

$ FORETIME_MANAGER=nowhere foretime predict cubic n=200 --manager
foretime: no manager answers at 'nowhere': No such file or directory
hint: begin one with foretime serve --socket default, or leave out --manager
? 2

$ foretime predict cubic n=200 --manager --csv
foretime: --manager and --csv exclude each other
hint: leave one of them out
? 2

$ ask m.sock '/largest/cubic?time=1h' >told; foretime largest cubic time=1h --json | diff - told

$ ask m.sock '/rank/cubic?n=300' | check-schema rank

$ ask m.sock /list >told; foretime list --json | diff - told

$ ask m.sock '/predict/nothing?n=300'
{"schema":"foretime-error-1","error":"the store '<<.*>>' has no program 'nothing'","remedy":"foretime list shows the names that there are"}
? 1

$ ask m.sock '/predict/cubic?np=300'
<<.*>>no parameter 'np'<<.*>>
? 1

$ for words in 'predict/cubic?n=300&n=400' 'request/cubic?n=300&risk=5%25&risk=1%25' 'model/cubic?bogus=1' 'model/cubic?format=csv&format=json' 'list?most=1&bogus' 'request/cubic?n=300&cpus=99999999999999999999' 'request/cubic?n=300&cpus=1.5'; do ask m.sock "/$words"; echo; done
{"schema":"foretime-error-1","error":"'n' is there twice","remedy":"name it once"}
{"schema":"foretime-error-1","error":"'risk' is there twice","remedy":"name it once"}
{"schema":"foretime-error-1","error":"unknown parameter 'bogus'","remedy":"the parameters are: format risk expires machine"}
{"schema":"foretime-error-1","error":"'format' is there twice","remedy":"name it once"}
{"schema":"foretime-error-1","error":"'bogus' is no field of list","remedy":"its fields: search after limit traces"}
{"schema":"foretime-error-1","error":"cpus: '99999999999999999999' is not a whole number","remedy":"write one from 1 on"}
{"schema":"foretime-error-1","error":"cpus: '1.5' is not a whole number","remedy":"write one from 1 on"}

$ ask m.sock /model/cubic PUT $((6 << 20 | 1))
{"schema":"foretime-error-1","error":"the request is longer than 6291456 bytes","remedy":"foretime import FILE --name NAME takes what is longer"}
? 1

$ ask m.sock /health | check-schema manager

$ ask m.sock /metrics | grep -E '^foretime_(connections_refused|timings)_total'
foretime_connections_refused_total 0
foretime_timings_total 0

$ foretime manager --socket m.sock
foretime: somebody answers at 'm.sock' already
? 2

$ kill "$(cat pid)"; while [ -S m.sock ] || ! grep -q ends said; do sleep 0.1; done; cat said
foretime manager: answers at m.sock
foretime manager: ends

$ foretime manager --listen 127.0.0.1:0 --socket m.sock
foretime: over a network it answers only with TLS and a token
hint: state a certificate, a key and a token, or leave out the address
? 2

## a service of the system has no HOME
$ env -u HOME -u XDG_STATE_HOME -u FORETIME_SPOOL foretime manager --socket h.sock --store h.db
foretime: there is no place for timings: HOME is not set
hint: name it with --spool FOLDER or FORETIME_SPOOL
? 2

## a configuration
$ printf '%s\n' '#!/bin/sh' 'sleep 0' >prog.sh; chmod 755 prog.sh . ; cat >m.conf <<END
> policies = ( { when = [ "sat-sun", "mon-fri 22:00-06:00" ]; conditions = ( { type = "user_login"; } ); } );
> problems = ( { name = "low"; command = "$PWD/prog.sh {n}"; parameters = [ "n=1:64" ]; },
>   { name = "high"; command = "$PWD/prog.sh {n}"; parameters = [ "n=1:64" ]; priority = 30; policies = ( { time = "now"; } ); } );
> END

$ (if [ "$(id -u)" = 0 ]; then echo 'user = "nobody";'; fi; cat m.conf) >c.conf; foretime manager --check --config c.conf
c.conf: 2 problems, nothing is wrong with it

$ if [ "$(id -u)" = 0 ]; then foretime manager --check --config m.conf 2>&1 | grep -c 'do not run as root'; else echo 1; fi
1

## what --check refuses is explained, and refused
$ if [ "$(id -u)" = 0 ]; then foretime manager explain --config m.conf | grep -c 'cannot run: benchmarks do not run as root'; else echo 2; fi
2
$ if [ "$(id -u)" = 0 ]; then foretime manager explain --config m.conf >/dev/null; echo $?; else echo 1; fi
1

$ foretime manager explain --config c.conf
<<now: user_login .*>>

high, priority 30, by adaptive, policies of its own
<<  .* to .*>>
low, priority 0, by adaptive
...

$ foretime manager explain --config c.conf --json >told; check-schema manager <told; grep -c '"condition": "user_login"' told
1

$ sed "s#{ type = \"user_login\"; }#{ type = \"halt_file\"; path = \"$PWD/halt\"; }, { type = \"load_threshold\"; threshold = 1000000; }#" c.conf >halt.conf; foretime manager explain --config halt.conf | head -2; mkfifo halt; foretime manager explain --config halt.conf | head -1; rm halt
now: halt_file does not hold
now: load_threshold does not hold
now: halt_file holds: halt file <<.*>>/halt is there

$ foretime manager --config m.conf --socket c.sock >/dev/null 2>said & echo $! >pid; until [ -S c.sock ]; do sleep 0.1; done; kill "$(cat pid)"; until grep -q ends said; do sleep 0.1; done; cat said
foretime manager: answers at c.sock
...
foretime manager: ends

## all of it now
$ mkdir built; (if [ "$(id -u)" = 0 ]; then chown nobody built; echo 'user = "nobody";'; fi; sed 's/n=1:64" \]/n=1:4" ]; method = "naive"; points = 2; reps_least = 1; reps_most = 1/' m.conf) >b.conf; foretime manager build --config b.conf --store built/s.db 2>said; echo $?; sed -n '1p;/model/p' said
0
foretime manager: 2 policies are ignored: everything is built now, even while users are active
foretime manager: high: model<<.*>>
foretime manager: low: model<<.*>>

$ foretime list --store built/s.db
...
high <<.*>>
...

$ rm prog.sh; foretime manager build --config b.conf --store built/s.db
foretime manager: 2 policies are ignored: everything is built now, even while users are active
foretime manager: high: failed: cannot run '<<.*>>prog.sh': No such file or directory
foretime manager: low: failed: cannot run '<<.*>>prog.sh': No such file or directory
? 1

$ printf '%s\n' '#!/bin/sh' 'exec sleep 300' >prog.sh; chmod 755 prog.sh

## it builds while it answers
$ foretime manager --config b.conf --store built/again.db --socket b.sock >/dev/null 2>said & echo $! >pid; until [ -S b.sock ]; do sleep 0.1; done; ask b.sock /queue >told; check-schema manager <told; grep -c '"priority": 30' told
1

$ ask b.sock /health | check-schema manager

## by hand
$ foretime manager stop low --socket b.sock; ask b.sock /queue >told; check-schema manager <told; grep -c '"state": "stopped"' told; foretime manager continue low --socket b.sock; ask b.sock /queue | grep -c '"state": "stopped"'
low is stopped: foretime serve continue lets it go on
1
low goes on
0
? 1

$ ask b.sock /day >told; check-schema manager <told; grep -c '"name": "high"' told
1

$ foretime manager stop nobody --socket b.sock
foretime: no problem 'nobody' is configured
hint: GET /queue lists those that are
? 2

$ foretime manager stop --socket b.sock
foretime: 'serve stop' takes one NAME
? 2

$ foretime manager stop low --socket nowhere
foretime: no manager answers at 'nowhere': No such file or directory
? 2

$ ask b.sock /metrics | grep -E '^foretime_(problems|benchmark_failures_total) '
foretime_problems 2
foretime_benchmark_failures_total 0

$ kill -HUP "$(cat pid)"; until grep -q 'read again' said; do sleep 0.1; done; echo 'trusted = [ "there-is-none" ];' >>b.conf; kill -HUP "$(cat pid)"; until grep -q there-is-none said; do sleep 0.1; done; echo nonsense >b.conf; kill -HUP "$(cat pid)"; until [ "$(grep -c stays said)" = 2 ]; do sleep 0.1; done; grep configuration said
foretime manager: the configuration was read again: 2 problems
foretime manager: the configuration stays as it was: there is no user 'there-is-none' whose timings could be trusted; correct 'trusted' in the configuration
foretime manager: the configuration stays as it was: <<.*>>

$ kill "$(cat pid)"; while [ -S b.sock ]; do sleep 0.1; done

$ foretime manager build
foretime: build needs a configuration
hint: name it with --config FILE; its format: man foretime-manager.conf
? 2

## whom benchmarks run as
$ printf '%s\n' '#!/bin/sh' >prog.sh; chmod 755 prog.sh; (echo 'user = "there-is-none";'; cat m.conf) >user.conf; for word in --check explain; do foretime manager $word --config user.conf; done; foretime manager --config user.conf --socket s.sock
foretime: <<.*>>user.conf: there is no user 'there-is-none'
foretime: <<.*>>user.conf: there is no user 'there-is-none'
foretime: <<.*>>user.conf: there is no user 'there-is-none'
? 2

$ sed 's/there-is-none/nobody/' user.conf >nobody.conf; foretime manager --check --config nobody.conf >told && [ "$(id -u)" = 0 ] && chown nobody prog.sh; foretime manager --check --config nobody.conf
nobody.conf: 2 problems, nothing is wrong with it

$ [ "$(id -u)" != 0 ] || foretime manager --check --config m.conf 2>&1 | grep nothing; chown "$(id -u)" prog.sh

## more windows than are told
$ sed 's/"sat-sun", .*" \]/"minute 0-59\/2" ]/' c.conf >often.conf; foretime manager explain --config often.conf | sed -n '/^low/,$p' | wc -l; foretime manager explain --config often.conf | tail -1
34
  and more

$ foretime manager explain --config often.conf --json >told; check-schema manager <told; grep -c '"more": true' told; grep -c '"more": false' told
1
1

$ foretime manager explain
foretime: explain needs a configuration
hint: name it with --config FILE; its format: man foretime-manager.conf
? 2

$ sed s/priority/priorty/ m.conf >wrong.conf; foretime manager --check --config wrong.conf
<<foretime: .*wrong.conf.*priorty.*>>
...
? 2

$ chmod o+w m.conf; foretime manager --check --config m.conf
<<foretime: .*m.conf.*>>
<<hint: .*chmod o-w.*>>
? 2

$ chmod o-w m.conf; rm prog.sh; foretime manager explain --config m.conf | grep -c 'cannot run'
2

## secrets are files that only their owner can read
$ printf 'secret\n' >token; : >empty; printf '\n\n' >newlines; head -c 65537 /dev/zero | tr '\0' x >long; printf 'a\0b' >zero; mkfifo pipe
> echo cert >cert; chmod 644 cert token; chmod 600 empty newlines long zero pipe
> for token in token empty newlines long zero pipe nowhere .; do foretime manager --listen 127.0.0.1:0 --socket s.sock --certificate cert --key "$token" --token "$token" 2>&1 | head -2; done
foretime: 'token' is a secret, and other users may read or write it
hint: chmod 600 'token'
foretime: 'empty' is empty
foretime: 'empty' is empty
foretime: 'newlines' is empty
foretime: 'newlines' is empty
foretime: 'long' is longer than 64 KiB
foretime: 'long' is longer than 64 KiB
foretime: 'zero' has a zero byte
foretime: 'zero' has a zero byte
foretime: 'pipe' is not a file
foretime: 'pipe' is not a file
foretime: cannot read 'nowhere': No such file or directory
foretime: cannot read 'nowhere': No such file or directory
foretime: '.' is not a file
foretime: '.' is not a file

$ chmod 640 token; foretime manager --listen 127.0.0.1:0 --socket s.sock --certificate cert --key token --token token 2>&1 | head -1; chmod 600 token
> foretime manager --listen 127.0.0.1:0 --socket s.sock --certificate cert --key token --token token 2>&1 | grep -c "'token'" || true
foretime: 'token' is a secret, and other users may read or write it
0

## what a manager wrote down is read so far and no farther: the file is the user's
$ (printf '{"problems": {}, "x": "'; head -c 5000000 /dev/zero | tr '\0' x; echo '"}') >w.db.manager; printf '%s\n' '#!/bin/sh' 'sleep 0' >prog.sh; chmod 755 prog.sh
> foretime manager --config m.conf --store w.db --socket w.sock >said 2>&1 & echo $! >pid; until [ -S w.sock ]; do sleep 0.1; done; kill "$(cat pid)"; until grep -q ends said; do sleep 0.1; done; grep -c 'w.db.manager. is damaged and was replaced' said
1

## and no token that can be guessed
$ printf x >short; chmod 600 short; foretime manager --listen 127.0.0.1:0 --socket s.sock --certificate cert --key short --token short
foretime: the token is too short (1 bytes): one of less than 16 can be guessed
hint: write a longer one into its file: head -c 24 /dev/urandom | base64
? 2

$ foretime manager cubic
foretime: 'serve' takes no 'cubic'
? 2

$ foretime manager --socket pid
foretime: 'pid' is there, and is no socket
? 2
