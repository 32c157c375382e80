# SPDX-License-Identifier: GPL-3.0-or-later
# pytest-benchmark.py - what pytest-benchmark.json was written by.
import pytest

@pytest.mark.parametrize("n", [1000, 4000])
@pytest.mark.parametrize("kind", ["list", "tuple"])
def test_sort(benchmark, n, kind):
    values = [i * 7919 % n for i in range(n)]
    benchmark(sorted, values if kind == "list" else tuple(values))

def test_empty(benchmark):
    benchmark(lambda: None)
