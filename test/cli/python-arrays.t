## SPDX-License-Identifier: GPL-3.0-or-later
## python/foretime with numpy, pandas and pytest, those of Debian.
%needs /usr/bin/python3 -c 'import numpy, pandas, pytest'
$ cat >env.sh <<'END'
> export FORETIME_LIBRARY=$FORETIME_TEST_BUILD/libforetime.so.0 PYTHONPATH=$FORETIME_TEST_SOURCE/python PYTHONDONTWRITEBYTECODE=1
> export PATH=$FORETIME_TEST_BUILD:$PATH
> END

$ cat >frames.py <<'END'
> import foretime, numpy, pandas
> frame = pandas.DataFrame({"n": [1000, 2000, 4000, 8000], "wall_s": [1.0, 2.0, 4.0, 8.0]}, index=list("abcd"))
> print(foretime.import_(frame, name="line")["runs"])
> p = foretime.predict("line", n=frame["n"])
> print(type(p.value).__name__, p.value.round(3), list(p.frame().index), list(p.frame().columns))
> q = foretime.fit(frame["n"], frame["wall_s"], unit="s").predict(numpy.array([3000, 16000]))
> print(q.value.round(2), q.basis, q.frame().shape)
> print(foretime.predict("line", n=numpy.int64(3000))["basis"])
> END
> . ./env.sh; /usr/bin/python3 frames.py
4
ndarray [1. 2. 4. 8.] ['a', 'b', 'c', 'd'] ['n', 'value', 'lower', 'upper', 'accuracy', 'basis']
[ 3. 16.] ['interpolated', 'extrapolated'] (2, 6)
interpolated

$ cat >test_growth.py <<'END'
> import foretime
> @foretime.at_most("n", n=(1000, 64000))
> def test_good(n): return 3 * n
> @foretime.at_most("n", n=(1000, 64000))
> def test_bad(n): return n * n
> END
> . ./env.sh; /usr/bin/python3 -m pytest -q -p no:cacheprovider test_growth.py | grep -E 'passed|^E .*grows'
E           AssertionError: foretime: cost: grows faster than n: n^2, 100 % of the cost at n=64000
1 failed, 1 passed in <<.*>>
