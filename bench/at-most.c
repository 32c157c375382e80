/* SPDX-License-Identifier: GPL-3.0-or-later */
/* at-most.c - the test of growth (verify --at-most): how often it calls a program worse that is not, and
 * how often it sees a hidden term.
 *
 *	bench-at-most [--programs N] [--seed S] [formulas|kernels|algorithms|stepped|held]
 *
 * N programs of each kind, half of them with a hidden term that grows faster than the bound. Formulas: sums of
 * terms, with tables that double, steps and waves; the constants of src/ask/growth.c were chosen by these.
 * Kernels: tiles, padded rows, heaps, sets, sorts and products, by which the sizes were chosen.
 * Algorithms: the operations of sorts, tables, trees, transforms and loops, counted while they run; these
 * judge. Start-up is 5 to 90 % of the smallest size. Each is seen in three ways:
 *
 *	counted  as instructions are, at 13 sizes, and at 25 and 37 where those decide nothing
 *	idle     times of 13 sizes, the largest takes 0.05 to 0.8 s, that vary by 1.5 %, and by 0.1 ms; 3
 *		 rounds, and twice as many until it is decided or 15 s are spent
 *	busy     times of 13 sizes that vary by 4 %, drift by 3 %, and of which one in six is half as long again
 *
 * Printed: programs within their bound that are called worse (false), and left undecided; of those with a
 * hidden term of a share at the largest size those that are seen, and those left undecided, in %.
 */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/random.h"
#include "stepped.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 25, SHARES = 4, WAYS = 3, ROUNDS = 48 };

static const double shares[SHARES] = {0.1, 0.2, 0.3, 0.4};
static const char *const ways[WAYS] = {"counted", "idle", "busy"};

struct made {
	const char *bound;
	double least, most; /* of n */
	const char *what;
	double power, log;    /* formulas: of the bound */
	double second, lower; /* ... of the second term, and how much of it there is */
	unsigned structure;   /* ... tables that double, a step, a wave, chance */
	double bent, place;   /* ... by how much, and where */
	const struct algorithm *algorithm;
	bool kernel, stepped;   /* its algorithm is one of kernels, or of stepped.c */
	bool timed;             /* it is about seconds */
	double start;           /* operations */
	double most_operations; /* with it */
	double worse, from;     /* power of the hidden term, and where it begins */
};

/*
 * Formulas.
 */

static double uniform(struct ft_random *r, double low, double high)
{
	return low + (high - low) * ft_random_uniform(r);
}

static double in_ratio(struct ft_random *r, double low, double high)
{
	return low * pow(high / low, ft_random_uniform(r));
}

static const struct {
	const char *text;
	double power, log;
} bounds[] = {{"n", 1, 0},       {"n log n", 1, 1},   {"n^2", 2, 0},
	      {"n^1.5", 1.5, 0}, {"n^2 log n", 2, 1}, {"n^3", 3, 0}};

static double term_at(double n, double power, double log)
{
	return pow(n, power) * pow(log2(n), log);
}

/* What structure makes of a term. */
static double bend(const struct made *m, struct ft_random *r, double n)
{
	double turn = log2(n / m->place);

	switch (m->structure) {
	case 1:
		return exp(m->bent * ft_random_normal(r) / 10);
	case 2: /* what was copied when a table doubled */
		return 1 + m->bent * exp2(floor(turn) - turn);
	case 3:
		return n >= m->place ? 1 + m->bent : 1;
	case 4:
		return 1 + m->bent / 10 * sin(2 * M_PI * turn / 1.7);
	default:
		return 1;
	}
}

static double formula_at(const struct made *m, struct ft_random *r, double n)
{
	double scale = term_at(m->least, m->power, m->log) / term_at(m->least, m->second, 0);

	return 20 *
	       (term_at(n, m->power, m->log) * bend(m, r, n) + m->lower * scale * term_at(n, m->second, 0));
}

static void make_formula(struct made *m, struct ft_random *r)
{
	size_t b = (size_t)ft_random_below(r, sizeof bounds / sizeof *bounds);

	m->what = m->bound = bounds[b].text;
	m->power = bounds[b].power;
	m->log = bounds[b].log;
	m->lower = ft_random_below(r, 2) ? uniform(r, -0.4, 1) : 0;
	m->second = m->log > 0 ? m->power : fmax(m->power - 1, 0);
	m->structure = (unsigned)ft_random_below(r, 5);
	m->least = in_ratio(r, 50, 2000);
	m->most = round(m->least * in_ratio(r, 24, 200));
	m->least = round(m->least);
	m->bent = m->structure == 3 ? uniform(r, -0.25, 0.3) : in_ratio(r, 0.01, 0.15);
	m->place = in_ratio(r, m->least, m->most / 2);
}

/*
 * Algorithms: operations, weighted roughly as machines do.
 */

static double merge_sort(uint32_t *a, uint32_t *b, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;
	double ops = 12;

	if (n < 2)
		return 5;
	ops += merge_sort(a, b, half) + merge_sort(a + half, b, n - half);
	for (; i < half && j < n; k++, ops += 11)
		b[k] = a[i] <= a[j] ? a[i++] : a[j++];
	for (; i < half; ops += 6)
		b[k++] = a[i++];
	memcpy(a, b, k * sizeof *a);
	return ops + (double)k / 4;
}

static double quick_sort(uint32_t *a, size_t n)
{
	double ops = 20;

	while (n > 16) {
		uint32_t x = a[0], y = a[n / 2], z = a[n - 1],
			 pivot = x < y ? (y < z ? y : (x < z ? z : x)) : (x < z ? x : (y < z ? z : y));
		size_t i = 0, j = n - 1;

		for (;; i++, j--) {
			for (; a[i] < pivot; i++)
				ops += 3;
			for (; a[j] > pivot; j--)
				ops += 3;
			if (i >= j)
				break;
			x = a[i];
			a[i] = a[j];
			a[j] = x;
			ops += 8;
		}
		ops += 14 + quick_sort(a, i);
		a += i;
		n -= i;
	}
	for (size_t i = 1; i < n; i++) {
		uint32_t x = a[i];
		size_t j = i;

		for (; j && a[j - 1] > x; j--, ops += 5)
			a[j] = a[j - 1];
		a[j] = x;
		ops += 7;
	}
	return ops;
}

static double heap_sort(uint32_t *a, size_t n)
{
	double ops = 0;

	for (size_t end = n, root = n / 2; end > 1;) {
		if (root) {
			root--;
		} else {
			uint32_t x = a[--end];

			a[end] = a[0];
			a[0] = x;
		}
		for (size_t i = root, child; (child = 2 * i + 1) < end; i = child) {
			uint32_t x = a[i];

			child += child + 1 < end && a[child + 1] > a[child];
			ops += 9;
			if (a[child] <= x)
				break;
			a[i] = a[child];
			a[child] = x;
			ops += 4;
		}
		ops += 10;
	}
	return ops;
}

static double search_tree(const uint32_t *a, size_t n, uint32_t *link)
{
	double ops = 0;

	memset(link, 0, 2 * (n + 1) * sizeof *link);
	for (size_t i = 1; i < n; i++) {
		size_t at = 0;

		for (;;) {
			uint32_t *next = &link[2 * at + (a[i] >= a[at])];

			ops += 6;
			if (!*next) {
				*next = (uint32_t)i;
				break;
			}
			at = *next;
		}
		ops += 90;
	}
	return ops;
}

static double hash_table(const uint32_t *a, size_t n, uint32_t *count)
{
	size_t slots = 16;
	double ops = 0;

	memset(count, 0, slots * sizeof *count);
	for (size_t i = 0; i < n; i++) {
		if (4 * i >= 3 * slots) {
			slots *= 2;
			memset(count, 0, slots * sizeof *count);
			for (size_t k = 0; k < i; k++, ops += 14)
				count[(a[k] * 2654435761U >> 7) % slots]++;
			ops += (double)slots / 8;
		}
		ops += 30 + 5.0 * count[(a[i] * 2654435761U >> 7) % slots]++;
	}
	return ops;
}

static double grown_array(size_t n, double factor, double each)
{
	double ops = 0, capacity = 4;

	for (size_t i = 0; i < n; i++) {
		if ((double)i >= capacity) {
			ops += 200 + each * (double)i;
			capacity = floor(capacity * factor);
		}
		ops += 9;
	}
	return ops;
}

static double sieve(size_t n, uint32_t *mark)
{
	double ops = 0;

	memset(mark, 0, (n + 1) * sizeof *mark);
	for (size_t i = 2; i <= n; i++, ops += 3)
		for (size_t k = 2 * i; !mark[i] && k <= n; k += i, ops += 3)
			mark[k] = 1;
	return ops;
}

static double insertion_sort(uint32_t *a, size_t n)
{
	double ops = 0;

	for (size_t i = 1; i < n; i++) {
		uint32_t x = a[i];
		size_t j = i;

		for (; j && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
		ops += 7 + 5 * (double)(i - j);
	}
	return ops;
}

static double digits_printed(size_t n)
{
	double ops = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = i; k; k /= 10)
			ops += 6;
		ops += 25;
	}
	return ops + floor(ops / 4096) * 300;
}

static const struct algorithm algorithms[] = {
	{"merge sort", "n log n", 1, 60000},
	{"quick sort", "n log n", 1, 60000},
	{"heap sort", "n log n", 1, 60000},
	{"search tree", "n log n", 1, 40000},
	{"hash table", "n", 1, 60000},
	{"array x2", "n", 1, 60000},
	{"array x1.5", "n", 1, 60000},
	{"sieve", "n log n", 1, 60000},
	{"binary search", "n log n", 1, 60000},
	{"transform", "n log n", 1, 60000},
	{"triangle", "n^2", 2, 3000},
	{"insertion sort", "n^2", 2, 3000},
	{"all paths", "n^3", 3, 500},
	{"blocked product", "n^3", 3, 500},
	{"digits", "n log n", 1, 60000},
	{"sort, few keys", "n log n", 1, 60000},
	{"scan", "n", 1, 60000},
};

static double operations(const struct algorithm *algorithm, size_t n, struct ft_random *r)
{
	const size_t which = (size_t)(algorithm - algorithms);
	FT_OWN uint32_t *a = ft_calloc(n + 2, sizeof *a), *b = ft_calloc(4 * n + 64, sizeof *b);
	double x = (double)n, ops = 0;

	if (!a || !b)
		abort();
	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)ft_random_below(r, which == 15 ? 50 : UINT32_MAX);
	switch (which) {
	case 0:
		return merge_sort(a, b, n);
	case 1:
	case 15:
		return quick_sort(a, n);
	case 2:
		return heap_sort(a, n);
	case 3:
		return search_tree(a, n, b);
	case 4:
		return hash_table(a, n, b);
	case 5:
		return grown_array(n, 2, 1);
	case 6:
		return grown_array(n, 1.5, 0.3);
	case 7:
		return sieve(n, b);
	case 8:
		for (size_t i = 0; i < n; i++)
			for (size_t low = 0, high = n, key = a[i] % n; low < high; ops += 7) {
				size_t middle = (low + high) / 2;

				if (middle < key)
					low = middle + 1;
				else
					high = middle;
			}
		return ops + 12 * x;
	case 9:
		for (ops = 1; ops < x;)
			ops *= 2;
		return 17 * ops * log2(ops) + 20 * x;
	case 10:
		return 4 * x * (x - 1) / 2 + 9 * x;
	case 11:
		return insertion_sort(a, n);
	case 12:
		return 6 * x * x * x + 8 * x * x;
	case 13:
		return 2.2 * pow(32 * ceil(x / 32), 2) * x + 12 * x * x;
	case 14:
		return digits_printed(n);
	default:
		return 3.25 * x + floor(x / 4096) * 700;
	}
}

/*
 * Kernels: other real algorithms, by which sizes and laws were chosen so that the former ones could judge.
 */

static double heap_of_events(size_t n, uint32_t *heap, struct ft_random *r)
{
	double ops = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t x = (uint32_t)ft_random_below(r, UINT32_MAX);
		size_t at = i;

		for (; at && heap[(at - 1) / 2] > x; at = (at - 1) / 2, ops += 8)
			heap[at] = heap[(at - 1) / 2];
		heap[at] = x;
		ops += 14;
	}
	for (size_t end = n; end > 1;) {
		uint32_t x = heap[--end];
		size_t at = 0;

		for (size_t child; (child = 2 * at + 1) < end; at = child, ops += 11) {
			child += child + 1 < end && heap[child + 1] < heap[child];
			if (heap[child] >= x)
				break;
			heap[at] = heap[child];
		}
		heap[at] = x;
		ops += 12;
	}
	return ops;
}

static double joined_sets(size_t n, uint32_t *parent, struct ft_random *r)
{
	double ops = 4 * (double)n;

	for (size_t i = 0; i < n; i++)
		parent[i] = (uint32_t)i;
	for (size_t i = 0; i < n; i++) {
		size_t a = (size_t)ft_random_below(r, n), b = (size_t)ft_random_below(r, n);

		for (; parent[a] != a; a = parent[a], ops += 5)
			parent[a] = parent[parent[a]];
		for (; parent[b] != b; b = parent[b], ops += 5)
			parent[b] = parent[parent[b]];
		parent[a] = (uint32_t)b;
		ops += 9;
	}
	return ops;
}

static double shell_sort(size_t n, uint32_t *a, struct ft_random *r)
{
	size_t gap = 1;
	double ops = 0;

	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)ft_random_below(r, UINT32_MAX);
	while (gap < n / 3)
		gap = 3 * gap + 1;
	for (; gap; gap /= 3)
		for (size_t i = gap; i < n; i++, ops += 7) {
			uint32_t x = a[i];
			size_t j = i;

			for (; j >= gap && a[j - gap] > x; j -= gap, ops += 5)
				a[j] = a[j - gap];
			a[j] = x;
		}
	return ops;
}

static double buckets(size_t n, uint32_t *count, struct ft_random *r)
{
	double ops = 0;

	memset(count, 0, (n + 1) * sizeof *count);
	for (size_t i = 0; i < n; i++)
		ops += 9 + 6 * count[ft_random_below(r, n)]++;
	return ops + 5 * (double)n;
}

static double long_product(double n)
{
	return n <= 32 ? 1.1 * n * n + 20 : 3 * long_product(ceil(n / 2)) + 14 * n;
}

static double selected(double n, struct ft_random *r)
{
	double ops = 0, rank = n / 2;

	while (n > 8) {
		double pivot = floor(n * ft_random_uniform(r));

		ops += 4 * n;
		n = rank < pivot ? pivot : n - pivot;
		rank = rank < pivot ? rank : rank - pivot;
	}
	return ops;
}

static double prefix_sort(size_t n, struct ft_random *r)
{
	double ops = 0;

	for (size_t width = 1; width < n; width *= 2)
		for (size_t i = 0; i < n; i++)
			for (ops += 9; !ft_random_below(r, 4);)
				ops += 3;
	return ops;
}

static const struct algorithm kernels[] = {
	{"tiles of 24", "n^3", 3, 500},
	{"tiles of 64", "n^3", 3, 600},
	{"vectors of 16", "n", 1, 60000},
	{"padded rows", "n^2", 2, 3000},
	{"buckets", "n", 1, 60000},
	{"events", "n log n", 1, 60000},
	{"joined sets", "n log n", 1, 60000},
	{"radix sort", "n log n", 1, 60000},
	{"long product", "n^1.585", 1.585, 6000},
	{"array x1.25", "n", 1, 60000},
	{"branches", "n^2", 2, 3000},
	{"shell sort", "n^1.5", 1.5, 40000},
	{"selection", "n", 1, 60000},
	{"pages", "n", 1, 60000},
	{"transform of 2 and 3", "n log n", 1, 60000},
	{"prefix sort", "n log n", 1, 30000},
};

static double kernel_operations(size_t which, size_t n, struct ft_random *r)
{
	FT_OWN uint32_t *a = ft_calloc(n + 2, sizeof *a);
	double x = (double)n, ops = 0;

	if (!a)
		abort();
	switch (which) {
	case 0:
		return 1.1 * pow(24 * ceil(x / 24), 3) + 9 * x * x;
	case 1:
		return 2 * pow(64 * ceil(x / 64), 2) * x + 7 * x * x;
	case 2:
		return 11 * floor(x / 16) + 7 * fmod(x, 16);
	case 3:
		return 1.3 * x * 16 * ceil(x / 16) + 20 * x;
	case 4:
		return buckets(n, a, r);
	case 5:
		return heap_of_events(n, a, r);
	case 6:
		return joined_sets(n, a, r);
	case 7:
		return ceil(log2(x) / 8) * (9 * x + 800);
	case 8:
		return long_product(x);
	case 9:
		return grown_array(n, 1.25, 0.5);
	case 10:
		for (size_t i = 0; i < n; i++)
			ops += x * (8 + 3 * ft_random_uniform(r));
		return ops;
	case 11:
		return shell_sort(n, a, r);
	case 12:
		for (int i = 0; i < 20; i++)
			ops += selected(x, r);
		return ops;
	case 13:
		return 2.5 * x + 300 * floor(x / 512);
	case 14:
		for (ops = 1; ops < x;)
			ops = 2 * ops < x || ops * 1.5 < x ? 2 * ops : 1.5 * ops;
		return 15 * ops * log2(ops) + 12 * x;
	default:
		return prefix_sort(n, r);
	}
}

/* One of a table. */
static void make_one_of(struct made *m, struct ft_random *r, const struct algorithm *table, size_t n)
{
	const struct algorithm *a = &table[ft_random_below(r, n)];

	m->algorithm = a;
	m->what = a->name;
	m->bound = a->bound;
	m->power = a->power;
	m->most = round(a->most * uniform(r, 0.5, 1));
	m->least = round(m->most / in_ratio(r, 24, a->power > 1 ? 40 : 200));
}

static void make_algorithm(struct made *m, struct ft_random *r)
{
	make_one_of(m, r, algorithms, sizeof algorithms / sizeof *algorithms);
}

static void make_kernel(struct made *m, struct ft_random *r)
{
	m->kernel = true;
	make_one_of(m, r, kernels, sizeof kernels / sizeof *kernels);
}

static void make_stepped(struct made *m, struct ft_random *r, const struct algorithm table[STEPPED])
{
	m->stepped = true;
	make_one_of(m, r, table, STEPPED);
	m->timed = m->algorithm >= table + STEPPED - STEPPED_TIMES;
}

static void make_chosen(struct made *m, struct ft_random *r)
{
	make_stepped(m, r, stepped_chosen);
}

static void make_held(struct made *m, struct ft_random *r)
{
	make_stepped(m, r, stepped_held);
}

static double work_at(const struct made *m, struct ft_random *r, double n)
{
	if (m->stepped)
		return stepped_operations(m->algorithm, (size_t)n, r);
	if (m->kernel)
		return kernel_operations((size_t)(m->algorithm - kernels), (size_t)n, r);
	return m->algorithm ? operations(m->algorithm, (size_t)n, r) : formula_at(m, r, n);
}

/* What both have: start-up, 5 to 90 % of the smallest size, and a term that may be hidden. */
static void finish(struct made *m, struct ft_random *r)
{
	static const double more[] = {0.5, 1, 1, 1, 2};
	size_t kind = (size_t)ft_random_below(r, 5);
	double share = uniform(r, 0.05, 0.9);

	m->start = work_at(m, r, m->least) * share / (1 - share);
	m->most_operations = m->start + work_at(m, r, m->most);
	m->worse = m->power + more[kind];
	m->from = kind == 2 ? in_ratio(r, m->most / 16, m->most / 3) : 0;
}

static double hidden_at(const struct made *m, double n)
{
	return n <= m->from ? 0
			    : (pow(n, m->worse) - pow(m->from, m->worse)) /
				      (pow(m->most, m->worse) - pow(m->from, m->worse));
}

/*
 * Measuring, and judging.
 */

static double seconds(struct ft_random *r, double value, double noise, double drift, bool busy)
{
	value *= exp(noise * ft_random_normal(r) + drift);
	value += 1e-4 * fabs(ft_random_normal(r));
	return busy && !ft_random_below(r, 6) ? value * uniform(r, 1, 1.5) : value;
}

static const double budget_s = 15;

/* As the command does it. */
static enum ft_at_most_verdict judge(const struct made *m, const struct ft_program *program, double share,
				     int way, struct ft_random *r, struct ft_at_most *out)
{
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	const struct ft_resource *resource = way ? &ft_wall_s : &ft_instructions;
	const double second = m->most_operations / in_ratio(r, 0.05, 0.8);
	double drift = 0, spent_s = 0, truth[FT_AT_MOST_SIZES];
	static struct ft_at_most_plan plan;
	size_t look = 3;

	if (ft_at_most_plan(m->bound, program, resource->of, &plan, NULL))
		abort();
	for (size_t k = 0; k < plan.n; k++) {
		double n = plan.size[k].value[0];

		truth[k] = m->start + work_at(m, r, n) +
			   share / (1 - share) * m->most_operations * hidden_at(m, n);
	}
	out->verdict = FT_AT_MOST_UNDECIDED;
	for (size_t turn = 1; turn <= (way ? ROUNDS : 3); turn++) {
		bool between = way ? turn > 3 && turn % 2 == 0 : turn == 2;
		size_t from = between ? plan.first : 0, to = between ? plan.second : plan.first;

		if (!way && turn == 3) {
			from = plan.second;
			to = plan.n;
		}

		for (size_t k = from; k < to; k++) {
			double value = round(truth[k] * exp(3e-5 * ft_random_normal(r)));
			struct ft_run run;

			if (way) {
				drift = 0.8 * drift + (way == 2 ? 0.018 : 0.003) * ft_random_normal(r);
				value = seconds(r, truth[k] / second, way == 2 ? 0.04 : 0.015, drift,
						way == 2);
				spent_s += value;
			}
			ft_run_init(&run);
			run.outcome = FT_DONE;
			run.size = plan.size[k];
			if (ft_run_add(&run, resource, value, FT_MEASURED, "made", NULL, NULL) ||
			    ft_runs_take(&runs, &run, NULL))
				abort();
		}
		if (way && turn < look && turn < ROUNDS && spent_s < budget_s)
			continue;
		look *= 2;
		if (ft_verify_at_most(&runs, program, resource, m->bound, out, NULL))
			abort();
		if (out->settled || (way && spent_s >= budget_s))
			break;
	}
	return out->verdict;
}

struct tally {
	size_t n, no, undecided;
};

static const struct family {
	const char *name;
	void (*make)(struct made *m, struct ft_random *r);
} families[] = {{"formulas", make_formula},
		{"kernels", make_kernel},
		{"algorithms", make_algorithm},
		{"stepped", make_chosen},
		{"held", make_held}};

static void run_all(const struct family *family, uint64_t programs, uint64_t seed, bool each,
		    const char *only)
{
	struct tally within[WAYS] = {{0}}, hidden[WAYS][SHARES] = {{{0}}};
	static struct ft_program program;
	struct ft_err err = {0};

	program.n_params = 1;
	(void)ft_param_parse("n=1:2", &program.param[0], &err);
	for (uint64_t i = 0; i < programs; i++) {
		/* Its own, so that what the test draws does not change the programs after it. */
		struct ft_random random = {seed * 1000003 + i};
		struct made m = {0};

		family->make(&m, &random);
		finish(&m, &random);
		program.param[0].least = m.least;
		program.param[0].most = m.most;
		for (int way = 0; way < WAYS; way++) {
			size_t s = i % SHARES;
			bool is_worse = i / SHARES % 2;
			struct tally *t = is_worse ? &hidden[way][s] : &within[way];
			static struct ft_at_most out;
			enum ft_at_most_verdict v;

			if ((only && strcmp(only, ways[way]) != 0) || (m.timed && !way))
				continue;
			t->n++;
			v = judge(&m, &program, is_worse ? shares[s] : 0, way, &random, &out);

			t->no += v == FT_AT_MOST_NO;
			t->undecided += v == FT_AT_MOST_UNDECIDED;
			if (each && (is_worse ? v != FT_AT_MOST_NO && shares[s] >= 0.2 : v != FT_AT_MOST_YES))
				printf("  %s %s, bound %s, %.0f .. %.0f, hidden %.0f %%: %s, seen %.2g, %s "
				       "%.2g p %.1g deviation %.2g of %zu\n",
				       ways[way], m.what, m.bound, m.least, m.most,
				       is_worse ? 100 * shares[s] : 0,
				       v == FT_AT_MOST_NO    ? "worse"
				       : v == FT_AT_MOST_YES ? "within"
							     : "undecided",
				       out.seen, out.term, out.share, out.p, out.deviation, out.n);
		}
	}
	printf("%s: %llu programs\n| | false | undecided | 10 %% seen | 20 %% | 30 %% | 40 %% | 20 %% "
	       "undecided |\n"
	       "|---|---|---|---|---|---|---|---|\n",
	       family->name, (unsigned long long)programs);
	for (int way = 0; way < WAYS; way++) {
		if (only && strcmp(only, ways[way]) != 0)
			continue;
		printf("| %s | %.2f | %.1f |", ways[way],
		       100. * (double)within[way].no / (double)within[way].n,
		       100. * (double)within[way].undecided / (double)within[way].n);
		for (size_t s = 0; s < SHARES; s++)
			printf(" %.1f |", 100. * (double)hidden[way][s].no / (double)hidden[way][s].n);
		printf(" %.1f |\n", 100. * (double)hidden[way][1].undecided / (double)hidden[way][1].n);
	}
}

int main(int argc, char **argv)
{
	uint64_t programs = 400, seed = 1;
	const char *only = NULL, *way = NULL;
	bool each = false;

	const struct word options[] = {{"--programs", WORD_COUNT, &programs},
				       {"--seed", WORD_COUNT, &seed},
				       {"--way", WORD_TEXT, &way},
				       {"--each", WORD_FLAG, &each},
				       {NULL, WORD_FLAG, NULL}};

	if (!words_read(options, argc, argv, &only)) {
		fputs("usage: bench-at-most [--programs N] [--seed S] [--way counted|idle|busy] [--each] "
		      "[formulas|kernels|algorithms|stepped|held]\n",
		      stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (!only || !strcmp(only, families[i].name))
			run_all(&families[i], programs, seed, each, way);
	return 0;
}
