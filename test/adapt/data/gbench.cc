// SPDX-License-Identifier: GPL-3.0-or-later
// gbench.cc - what gbench.json was printed by.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <random>
#include <vector>
static std::vector<double> numbers(long n)
{
	std::mt19937 random(1);
	std::vector<double> v((size_t)n);
	for (double &x : v)
		x = random();
	return v;
}
static void sort(benchmark::State &state)
{
	const std::vector<double> v = numbers(state.range(0));
	for (auto _ : state) {
		std::vector<double> copy = v;
		std::sort(copy.begin(), copy.end());
		benchmark::DoNotOptimize(copy.data());
	}
	state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(sort)->RangeMultiplier(4)->Range(1024, 262144)->UseRealTime();
static void nth(benchmark::State &state)
{
	const std::vector<double> v = numbers(state.range(0));
	if (state.range(1) > state.range(0)) {
		state.SkipWithError("k is larger than n");
		return;
	}
	for (auto _ : state) {
		std::vector<double> copy = v;
		std::nth_element(copy.begin(), copy.begin() + state.range(1) - 1, copy.end());
		benchmark::DoNotOptimize(copy.data());
	}
	state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
}
BENCHMARK(nth)->ArgNames({"n", "k"})->Args({4096, 16})->Args({16384, 16})->Args({65536, 16})->Args({16, 64})->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
