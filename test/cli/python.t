## SPDX-License-Identifier: GPL-3.0-or-later
## python/foretime.py: the same answer from the command and from a manager; timings are taken in.
$ foretime import in/cubic.csv --name cubic >/dev/null

$ cat >ask.py <<'END'
> import sys
> sys.dont_write_bytecode = True
> sys.path.insert(0, sys.argv[1] + "/python")
> import foretime
> if sys.argv[2] == "predict":
>     try:
>         print(foretime.predict(sys.argv[3], n=300)["value"])
>     except foretime.Error as error:
>         print("refused:", error)
> else:
>     for n in range(1, 21):
>         foretime.submit("solve", n * 1e-3, n=100 * n)
>     with foretime.timed("solve", n=5):
>         pass
> END

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic >one; python3 ask.py "$FORETIME_TEST_SOURCE" predict nothing
refused: foretime: the store '<<.*>>' has no program 'nothing'
hint: the nearest name is 'cubic'; foretime list tells all

$ FORETIME_SPOOL=spool python3 ask.py "$FORETIME_TEST_SOURCE" submit; foretime manager --socket m.sock --spool spool >/dev/null 2>&1 & echo $! >pid
> for i in 1 2 3 4 5 6 7 8 9; do [ -S m.sock ] || sleep 0.2; done

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict cubic | diff - one

$ export FORETIME_MANAGER=m.sock; python3 ask.py "$FORETIME_TEST_SOURCE" predict nothing
refused: the store '<<.*>>' has no program 'nothing': the nearest name is 'cubic'; foretime list tells all

$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do foretime list --names | grep -q solve || sleep 0.2; done; kill "$(cat pid)"; foretime list solve --json | grep -E '"(runs|sizes)"'
      "runs": 21,
      "sizes": 21,
