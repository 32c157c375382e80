## SPDX-License-Identifier: GPL-3.0-or-later
## A real pytest-benchmark: the tests that pytest collects, and its JSON; here one takes ten times as long, and one is new.
%needs PATH=/usr/bin:$PATH python3 -c 'import pytest_benchmark'
$ mkdir base; cat > test_b.py <<'END'
> import pytest
> @pytest.mark.parametrize("t", ["a b", "it's::q"])
> def test_s(benchmark, t):
>     benchmark(lambda: sorted(range(2000 if t == "a b" else 200)))
> def test_new(benchmark):
>     benchmark(len, "abc")
> END
> sed 's/2000/200/; /def test_new/,$d' test_b.py > base/test_b.py; python3 -m pytest --collect-only -q test_b.py > names; python3 -m pytest -q test_b.py --benchmark-max-time=0.01 --benchmark-json=all.json >/dev/null 2>&1; for list in names all.json; do foretime verify --suite $list --against base --budget 120s --timeout 60s --json -- python3 -m pytest --benchmark-max-time=0.01 2>/dev/null > a.json; jq -c '.[] | select(.ratio > 3 or .verdict == "new") | .name' a.json | sort; jq 'map(select(.pairs >= 1)) | length' a.json; done
"test_b.py::test_new"
"test_b.py::test_s[a b]"
2
"test_b.py::test_new"
"test_b.py::test_s[a b]"
2
