## SPDX-License-Identifier: GPL-3.0-or-later
## python/foretime through the library: arrays, fits, decorators; build and import by the command.
%needs python3 --version
$ cat >env.sh <<'END'
> export FORETIME_LIBRARY=$FORETIME_TEST_BUILD/libforetime.so.0 PYTHONPATH=$FORETIME_TEST_SOURCE/python PYTHONDONTWRITEBYTECODE=1
> export PATH=$FORETIME_TEST_BUILD:$PATH
> python=python3
> for other in /usr/bin/python3; do if $other -c 'import numpy' 2>/dev/null; then python=$other; fi; done
> END

$ . ./env.sh; python3 -m doctest "$FORETIME_TEST_SOURCE/python/foretime/_library.py"

## the library and the command answer alike
$ foretime import in/cubic.csv --name cubic >/dev/null; cat >ask.py <<'END'
> import foretime, json, subprocess
> p = foretime.predict("cubic", n=[300, 5000])
> print(p, len(p.lower), p.unit, p.basis, p.confidence)
> for i, n in enumerate((300, 5000)):
>     one = json.loads(subprocess.run(["foretime", "predict", "cubic", "n=%d" % n, "--json"], capture_output=True, check=True).stdout)["predictions"][0]
>     print([abs(getattr(p, key)[i] - one[key]) <= 1e-9 * one[key] for key in ("value", "lower", "upper", "accuracy")], one["basis"] == p.basis[i])
> html = foretime.predict("cubic", n=range(100, 200))._repr_html_()
> print(html.count("<tr>"), "... 50 more" in html, html.startswith("<table><caption>cubic: wall_s</caption>"))
> END
> . ./env.sh; $python ask.py
<Predictions of wall_s of cubic at 2 sizes, in s> 2 s ['<<.*>>', 'extrapolated'] 0.9
[True, True, True, True] True
[True, True, True, True] True
52 True True

## a picture, as notebooks take it
$ . ./env.sh; $python -c 'import foretime; p = foretime.plot("cubic", dark=True); p.save("p.svg"); print(p._repr_svg_().count("<svg"), open("p.svg").read() == p.svg)'
1 True

## what is wrong is an Error with a remedy, or a ValueError
$ cat >wrong.py <<'END'
> import foretime
> for name, sizes in (("nothing", {"n": [3]}), ("cubic", {"m": [3]}), ("cubic", {"n": [float("nan")]}), ("cubic", {"n": [3], "m": [3, 4]})):
>     try:
>         print(foretime.predict(name, **sizes))
>     except (foretime.Error, ValueError) as error:
>         print(type(error).__name__, bool(getattr(error, "remedy", None)))
> for x, y in (([], []), ([1, 2], [1]), ([1], [float("inf")])):
>     try:
>         print(foretime.fit(x, y))
>     except (foretime.Error, ValueError) as error:
>         print(error)
> try:
>     foretime.import_("no-such-file.csv")
> except foretime.Error as error:
>     print(str(error).splitlines()[0])
> END
> . ./env.sh; $python wrong.py
Error True
Error True
Error True
ValueError False
there is no run to make a model of
x has 2 values and y 1
sample 0 (size 1, work 1, value inf) cannot be modelled
foretime: cannot open 'no-such-file.csv': No such file or directory

## build and import write the store
$ cat >keep.py <<'END'
> import foretime
> # a program that prints what it did is recorded by its output: exact everywhere
> answer = foretime.build("echo", ["sh", "-c", "head -c $0 /dev/zero", "{n}"], n=(1000, 4000), options={"limit": 3, "runs": "2:2", "budget": "20s"})
> print(answer["name"], answer["schema"])
> print(foretime.import_("in/cubic.csv", name="again")["runs"] > 0, foretime.predict("again", n=300)["value"] > 0)
> with open("two.csv", "w") as file:
>     print("n,m,wall_s", *("%d,%d,%g" % (n, m, 1e-6 * n * m) for n in (100, 200, 400, 800) for m in (10, 20, 40)), sep="\n", file=file)
> print(foretime.import_("two.csv", name="two", params=["n", "m"])["programs"][0]["sizes"])
> p = foretime.predict("two", m=[15, 30], n=300)
> print(list(p.sizes["n"]), p.sizes["m"][1], p.value[1] == foretime.predict("two", n=300, m=30)["value"], len(foretime.predict("two", n=[], m=[])))
> END
> . ./env.sh; $python keep.py
echo foretime-build-<<\d+>>
True True
12
[300.0, 300.0] 30.0 True 0

## calls are recorded, by the first argument or by a name
$ cat >calls.py <<'END'
> import foretime
> sent = []
> @foretime.model(n=len, submit=lambda *a, **k: sent.append(k))
> def total(values):
>     return sum(values)
> @foretime.model(size="n", width="table")
> def two(table, n=7):
>     "of a table"
> for n in (1000, 2000, 4000):
>     total(range(n))
> two([1, 2])
> print(len(total.calls), sent, two.calls[0][0], two.__doc__)
> print(len(total.predict(n=[500, 8000])), total.predict(n=8000)["value"] > 0)
> try:
>     two.predict(size=3)
> except foretime.Error as error:
>     print(error.remedy)
> END
> . ./env.sh; $python calls.py
3 [{'n': 1000.0}, {'n': 2000.0}, {'n': 4000.0}] {'size': 7.0, 'width': 2.0} of a table
2 True
with several, submit the calls to a manager, and use foretime.predict

## growth: what a function counts decides at once
$ cat >growth.py <<'END'
> import foretime, random
> @foretime.at_most("n log n", n=(1000, 64000))
> def good(n): return n * n.bit_length()
> @foretime.at_most("n log n", n=(1000, 64000))
> def bad(n): return n * n
> def compared(values):
>     class Item:
>         def __init__(self, value): self.value = value
>         def __lt__(self, other):
>             nonlocal count
>             count += 1
>             return self.value < other.value
>     count = 0
>     sorted(map(Item, values))
>     return count
> sorting = foretime.at_most("n log n", make=lambda n: random.Random(n).sample(range(n), n), n=(300, 20000))(compared)
> print(good(), sorting(), good.__name__)
> try:
>     bad()
> except AssertionError as error:
>     print(str(error).splitlines()[0])
> END
> . ./env.sh; $python growth.py
None None good
foretime: cost: grows faster than n log n: n^2, 100 % of the cost at n=64000
