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

## frames of polars, which Debian does not have: a stand-in takes what its constructor takes, and counts as installed
$ mkdir -p lacks/polars lacks/pandas; echo 'raise ImportError' >lacks/pandas/__init__.py; cat >lacks/polars/__init__.py <<'END'
> class Series(list): pass
> class DataFrame:
>     def __init__(self, data): self.data = {key: list(value) for key, value in data.items()}
>     def write_csv(self, path):
>         with open(path, "w") as file:
>             file.writelines(",".join(map(str, row)) + "\n" for row in [tuple(self.data), *zip(*self.data.values())])
> END
> cat >polar.py <<'END'
> import foretime, polars
> print(foretime.import_(polars.DataFrame({"n": [1000, 2000, 4000], "wall_s": [1.0, 2.0, 4.0]}), name="polar")["runs"])
> p = foretime.predict("polar", n=polars.Series([1000, 2000]))
> for frame in (p.frame(), p.frame(kind="polars"), foretime.predict("polar", n=[1000, 2000]).frame()):
>     print(type(frame).__module__, list(frame.data), frame.data["n"], frame.data["basis"])
> try:
>     p.frame(kind="pandas")
> except foretime.Error as error:
>     print(error)
> END
> . ./env.sh; PYTHONPATH=$PWD/lacks:$PYTHONPATH /usr/bin/python3 polar.py
3
polars ['n', 'value', 'lower', 'upper', 'accuracy', 'basis'] [1000.0, 2000.0] ['measured', 'measured']
polars ['n', 'value', 'lower', 'upper', 'accuracy', 'basis'] [1000.0, 2000.0] ['measured', 'measured']
polars ['n', 'value', 'lower', 'upper', 'accuracy', 'basis'] [1000.0, 2000.0] ['measured', 'measured']
pandas is not installed: pip install pandas

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
