## SPDX-License-Identifier: GPL-3.0-or-later
## A real Google Benchmark, in an old folder and in this one, where BM_sort sorts twice: the names that it lists, and its JSON.
## In the names: brackets, blanks, quotes; a benchmark that ends with an error.
%needs printf '#include <benchmark/benchmark.h>\n' | g++ -x c++ -fsyntax-only -
$ mkdir base; cat > bench.cc <<'END'
> #include <benchmark/benchmark.h>
> #include <algorithm>
> #include <vector>
> #ifndef TURNS
> #define TURNS 1
> #endif
> static void sort(benchmark::State &state)
> {
> 	for (auto _ : state)
> 		for (int turn = 0; turn < TURNS; turn++) {
> 			std::vector<unsigned> v(state.range(0));
> 			unsigned x = 1;
> 			for (auto &e : v)
> 				e = x = x * 1664525u + 1013904223u;
> 			std::sort(v.begin(), v.end());
> 			benchmark::DoNotOptimize(v.data());
> 		}
> }
> BENCHMARK(sort)->Name("BM_sort")->Arg(1000);
> template <class T> static void BM_make(benchmark::State &state)
> {
> 	for (auto _ : state) {
> 		T x(100);
> 		benchmark::DoNotOptimize(x);
> 	}
> }
> BENCHMARK_TEMPLATE(BM_make, std::vector<int>);
> BENCHMARK(BM_make<std::vector<char>>)->Name("BM named (a|b) 'x'");
> static void BM_fails(benchmark::State &state)
> {
> 	state.SkipWithError("no input");
> 	for (auto _ : state) {
> 	}
> }
> BENCHMARK(BM_fails);
> BENCHMARK_MAIN();
> END
> g++ -O1 -DTURNS=3 bench.cc -o bench -lbenchmark -lpthread && g++ -O1 bench.cc -o base/bench -lbenchmark -lpthread && ./bench --benchmark_list_tests | tee names
BM_sort/1000
BM_make<std::vector<int>>
BM named (a|b) 'x'
BM_fails

$ foretime verify --suite names --against base --budget 60s --json -- ./bench --benchmark_min_time=0.01 2>/dev/null > a.json; echo $?; jq -c '.[] | select(.name == "BM_sort/1000" or .name == "BM_fails") | [.name, .verdict]' a.json; jq 'map(select(.pairs >= 5)) | length' a.json; jq -r '.[] | select(.name == "BM_fails") | .why' a.json
1
["BM_sort/1000","slower"]
["BM_fails","failed"]
3
a run in <<.*>> has no value of wall_s: <<.*>>

## with repetitions, and as aggregates alone: each benchmark once
$ ./bench --benchmark_min_time=0.01 --benchmark_repetitions=2 --benchmark_report_aggregates_only=true --benchmark_out=all.json --benchmark_out_format=json >/dev/null 2>&1; foretime verify --suite all.json --against base --budget 4s 2>/dev/null | tail -1 | cut -d : -f 1
4 benchmarks
