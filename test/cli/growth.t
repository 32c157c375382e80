## SPDX-License-Identifier: GPL-3.0-or-later
## The prior of growth beyond the data: a file in place of the built-in one, here and in the manager.
$ foretime import in/cubic.csv --name cubic --here
imported 30 runs at 10 sizes as 'cubic'

$ foretime doctor | grep prior
prior of growth beyond the largest size measured: the built-in one

$ foretime predict cubic n=500,50000 --csv >built-in; cut -d, -f1,2 built-in
n,value
500,<<0\.125\d*>>
50000,<<12\d{4}\.\d+>>

## growth that stops at the edge
$ { echo foretime-growth 1; for c in time memory count energy; do
>   echo "class $c"; echo change 9 9 9 9 9 9; echo spread 0; echo reach 0
>   echo share 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0; echo deviation 0.01 0.1 0.3; echo usual 1 0 0
>   echo other 1; echo narrow 0; echo steep 0; echo step_rate 0; echo step 0; echo step_deviation 0.1
> done; echo end; } >level.conf

$ export FORETIME_GROWTH=level.conf; foretime predict cubic n=500,50000 --csv >level; cut -d, -f1,2 level; foretime doctor | grep prior
n,value
500,<<0\.125\d*>>
50000,<<(1\.0|0\.99)\d*>>
prior of growth beyond the largest size measured: level.conf

$ FORETIME_GROWTH=level.conf foretime doctor --json | tee told.json | check-schema doctor; jq -r .growth told.json
level.conf

## what was kept with one prior does not answer with another
$ foretime predict cubic n=500,50000 --csv | diff built-in - && FORETIME_GROWTH=level.conf foretime predict cubic n=500,50000 --csv | diff level - && foretime predict cubic n=500,50000 --csv | diff built-in -

## nor do a manager's answers
$ FORETIME_GROWTH=level.conf foretime manager --socket level.sock >/dev/null 2>&1 & echo $! >level.pid
> foretime manager --socket usual.sock >/dev/null 2>&1 & echo $! >usual.pid
> until [ -S level.sock ] && [ -S usual.sock ]; do sleep 0.1; done

$ for twice in 1 2; do FORETIME_MANAGER=level.sock foretime predict cubic n=50000 --manager --json; done | jq -c '.predictions[0].value | round'
1
1

$ for twice in 1 2; do FORETIME_MANAGER=usual.sock foretime predict cubic n=50000 --manager --json; done | jq '.predictions[0].value > 100000'
true
true

$ kill $(cat level.pid usual.pid)

## a damaged file: the built-in prior, and why
$ sed 's/deviation 0.01/deviation -1/' level.conf >bad.conf; FORETIME_GROWTH=bad.conf foretime predict cubic n=500,50000 --csv 2>why | diff built-in -; cat why
note: 'bad.conf', line 7: 'deviation' is -1, and not from 1e-06 to 10; the built-in prior is used (make it again with tools/learn-growth --site, or remove it)

$ head -40 level.conf >bad.conf; FORETIME_GROWTH=bad.conf foretime predict cubic n=500,50000 --csv 2>why | diff built-in -; cat why
note: 'bad.conf', line 41: it has no 'end': the file was cut off; the built-in prior is used (make it again with tools/learn-growth --site, or remove it)

$ FORETIME_GROWTH=bad.conf foretime doctor 2>&1 | grep -c 'built-in'
2

$ FORETIME_GROWTH=nowhere.conf foretime predict cubic n=500,50000 --csv 2>why | diff built-in -; cat why
note: cannot open 'nowhere.conf': No such file or directory; the built-in prior is used (or unset FORETIME_GROWTH)

$ FORETIME_GROWTH=bad.conf foretime manager --socket bad.sock >/dev/null 2>why & echo $! >bad.pid
> until [ -S bad.sock ]; do sleep 0.1; done; kill $(cat bad.pid); grep -c 'the built-in prior is used' why
1
