## SPDX-License-Identifier: GPL-3.0-or-later
## a benchmark that is not wanted any more, and whose keeper does not stir: nobody waits for it but what would run beside it
$ mkdir built; foretime import in/cubic.csv --name cubic --store built/s.db >/dev/null
> printf '%s\n' '#!/bin/sh' 'trap "" TERM INT HUP' 'while :; do sleep 1; done' >long.sh; printf '%s\n' '#!/bin/sh' >quick.sh
> cat >configure.sh <<'END'
> if [ "$(id -u)" = 0 ]; then chown -R nobody built; echo 'user = "nobody";'; fi
> echo "problems = ( { name = \"$1\"; command = \"$PWD/$1.sh {n}\"; parameters = \"n=1:4\"; method = \"naive\"; points = 2; reps_least = 1; reps_most = 1; } );"
> END
> chmod 755 long.sh quick.sh .; sh configure.sh long >m.conf; foretime manager --config m.conf --store built/s.db --socket m.sock >/dev/null 2>said & echo $! >pid; until [ -S m.sock ]; do sleep 0.1; done
> until ask m.sock /queue | grep -q '"state": "runs"'; do sleep 0.1; done

$ pgrep -P "$(cat pid)" -x foretime-keeper >keeper; kill -STOP "$(cat keeper)"; sh configure.sh quick >m.conf; kill -HUP "$(cat pid)"; until grep 'read again' said; do sleep 0.1; done
foretime manager: the configuration was read again: 1 problem

$ until ask m.sock /queue | grep 'left of'; do sleep 0.1; done; ask m.sock '/predict/cubic?n=300' | check-schema predict
  "why": "what is left of another benchmark is ended first",

$ kill -CONT "$(cat keeper)"; until ask m.sock /queue | grep '"state": "done"'; do sleep 0.1; done; kill "$(cat pid)"; while [ -S m.sock ]; do sleep 0.1; done
      "state": "done",
