// SPDX-License-Identifier: GPL-3.0-or-later
// gbench-csv.cc - what gbench.csv was printed by.
#include <benchmark/benchmark.h>
#include <algorithm>
#include <vector>
static void sorted(benchmark::State &state)
{
	std::vector<int> v(state.range(0));
	for (auto _ : state) {
		for (size_t i = 0; i < v.size(); i++)
			v[i] = int((i * 7919) % v.size());
		std::sort(v.begin(), v.end());
	}
	state.SetItemsProcessed(state.iterations() * state.range(0));
	state.SetComplexityN(state.range(0));
}
BENCHMARK(sorted)->Arg(1024)->Arg(4096)->Complexity();
static void broken(benchmark::State &state)
{
	if (state.range(0) > 2) {
		state.SkipWithError("too \"large\", really");
	}
	for (auto _ : state)
		benchmark::DoNotOptimize(state.range(0));
}
BENCHMARK(broken)->Arg(1)->Arg(8)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
