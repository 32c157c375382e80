## SPDX-License-Identifier: GPL-3.0-or-later
## The first commands of somebody who has installed it for others, on a machine that nothing was measured on yet.
## The package itself: tools/check-package.
$ foretime --version
foretime <<\d+\.\d+\.\d+>>

$ foretime doctor >told; sed -n '/^probe/,$p' told | head -2; sed -n '/^store/,$p' told
probe     works  what it measures
child     yes    wall_s <<.*>>
...

$ foretime list
note: the store is empty: foretime build makes the first model

$ foretime load show
foretime: there is no store '<<.*>>' yet
hint: <<.*>>load record<<.*>>
? 2

$ foretime load record --interval 1s --for 1s; foretime load show --interval 1s | head -1
recorded 1 observation of <<[\d.]+>> s: other processes demanded <<[\d.e-]+>> processors on average; <<[\d.e-]+>> of <<\d+>> busy
<<.+>>

$ foretime machine list
host  fingerprint       processor                   cores    memory  programs  calibrated
<<.*>>  no          this machine

## a configuration: what is wrong with it is told with its line, and no service is begun by it
$ printf 'problems = ( { name = "wait"; comand = "/bin/sleep 0.00{n}"; parameters = "n=1:9"; } );\n' > manager.conf; chmod 600 manager.conf; foretime manager --check --config manager.conf
foretime: <<.*>>manager.conf:1: <<.*>>comand<<.*>>
hint: <<.*command.*>>
? 2

$ { [ "$(id -u)" != 0 ] || echo 'user = "nobody";'; printf 'policies = ( { when = "mon-sun"; } );\nproblems = ( { name = "wait"; command = "/bin/sleep 0.00{n}"; parameters = "n=1:9"; budget = "5s"; } );\n'; } > manager.conf; foretime manager --check --config manager.conf
manager.conf: 1 problem, nothing is wrong with it

$ foretime manager explain --config manager.conf
wait, priority 0, by adaptive
  <<\w+ [\d:]+>> to <<\w+ [\d:]+>>: always (freeze, 10 min 00 s at most)

$ mkdir built; chmod 755 .; [ "$(id -u)" != 0 ] || chown nobody built; foretime manager --config manager.conf --store built/store.db --socket m.sock >said 2>&1 & echo $! >pid
> until [ -S m.sock ]; do sleep 0.1; done; FORETIME_MANAGER=m.sock foretime predict nothing n=1 --manager
foretime: the store '<<.*>>' has no program 'nothing'
hint: <<.*>>
? 2

$ until FORETIME_MANAGER=m.sock foretime predict wait n=5 --manager >told 2>&1; do sleep 0.2; done; cat told; kill $(cat pid)
wait: wall_s on <<.*>>, from the manager at m.sock
...
<<5 .*>>

$ foretime list wait --store built/store.db
name  runs  failed  sizes  machine  last run
wait  <<.*>>
