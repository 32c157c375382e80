/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.c - requests for the memory and the time of real workflow tasks, beside simple rules.
 *
 *	bench-growth [--types N] [--tasks N] [--each N] [--only relearned|ten|joint|beyond] [FILE]
 *
 * FILE: a table with the columns set, workflow, machine, task, order, size, peak, seconds, plain or gzip;
 * default: tasks/records.csv.gz in $FORETIME_DATA, else in ../shared/data. Four tables are printed:
 *
 *	relearned  Of each type of task (set, workflow, task; all machines) with 20 records or more, in the
 *		   order in which they became known: a request for the memory of each from the records before
 *		   it, from the 11th on. A request that is too small is made again with the most ever seen,
 *		   then with twice as much; all of a try that failed is wasted, of the last one what was not
 *		   used; times the seconds. Where no number is given, a tenth more than the most seen is
 *		   asked for.
 *	ten        The same, but the first ten records are all that is ever known.
 *	joint      As relearned, but time and memory together, at the risk stated for both: too small in
 *		   either, and how many times what was used was asked for, geometric means.
 *	beyond     Of each task on one machine the records up to a third, or a tenth, of its largest size are
 *		   known; asked is for records of at least 0.7 of the largest.
 *
 * --types, --tasks: every N-th of them; --each: every N-th record is asked for (all are told).
 */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"
#include "num/num.h"
#include "words.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_FIRST = 10, RECORDS_LEAST = 20, NAME = 160 };

struct record {
	char type[NAME], task[NAME]; /* without and with the machine */
	double order, size, bytes, seconds;
	size_t line;
};

struct options {
	uint64_t types, tasks, each;
	const char *only, *path;
};

/* ---- records --------------------------------------------------------------------------------------------
 */

static bool read_record(char *line, struct record *r)
{
	char *cell[8], *rest = line;

	for (size_t i = 0; i < 8; i++)
		if (!(cell[i] = strsep(&rest, ",")))
			return false;
	(void)snprintf(r->type, NAME, "%s/%s/%s", cell[0], cell[1], cell[3]);
	(void)snprintf(r->task, NAME, "%s/%s/%s/%s", cell[0], cell[1], cell[2], cell[3]);
	r->order = strtod(cell[4], NULL);
	r->size = strtod(cell[5], NULL);
	r->bytes = strtod(cell[6], NULL);
	r->seconds = strtod(cell[7], NULL);
	return r->size > 0 && r->bytes > 0;
}

static struct record *read_records(const char *path, size_t *n)
{
	char command[4200], line[4096];
	struct record *record = NULL;
	size_t capacity = 0, lines = 0;
	FILE *file;

	(void)snprintf(command, sizeof command, "gzip -cdf '%s'", path);
	file = popen(command, "r");
	for (*n = 0; file && fgets(line, sizeof line, file); lines++) {
		record = ft_grow(record, *n, &capacity, sizeof *record);
		assert(record);
		record[*n].line = lines;
		*n += lines && read_record(line, &record[*n]);
	}
	if (file)
		(void)pclose(file);
	return record;
}

static int compare(const char *a, const char *b, const struct record *p, const struct record *q)
{
	int c = strcmp(a, b);

	if (c || p->order == q->order)
		return c ? c : (p->line > q->line) - (p->line < q->line);
	return p->order < q->order ? -1 : 1;
}

static int compare_types(const void *a, const void *b)
{
	const struct record *p = a, *q = b;

	return compare(p->type, q->type, p, q);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct record *p = a, *q = b;

	return compare(p->task, q->task, p, q);
}

static int compare_sizes(const void *a, const void *b)
{
	const struct record *p = a, *q = b;

	return (p->size > q->size) - (p->size < q->size);
}

/* ---- an answerer of runs in memory ----------------------------------------------------------------------
 */

/* NaN: not learned */
static void learn(struct ft_answerer *a, const struct record *r, double seconds, double bytes)
{
	struct ft_run run = {.size = {.n = 1, .value = {r->size}}, .work = NAN};

	assert(isnan(seconds) || !ft_run_add(&run, &ft_wall_s, seconds, FT_MEASURED, "replay", NULL, NULL));
	assert(isnan(bytes) ||
	       !ft_run_add(&run, &ft_peak_rss_bytes, bytes, FT_MEASURED, "replay", NULL, NULL));
	assert(!ft_runs_take(&a->runs, &run, NULL));
	a->n_runs = a->runs.n;
}

static void refresh(struct ft_answerer *a)
{
	ft__ask_forget(a);
	a->requested = (struct ft__requested){0};
	assert(!ft__ask_find_axes(a, NULL));
}

static void begin(struct ft_answerer *a)
{
	*a = (struct ft_answerer){.program = {.name = (char *)"task", .hash = (char *)"", .n_params = 1}};
	(void)snprintf(a->program.param[0].name, sizeof a->program.param[0].name, "n");
	a->program.param[0].least = 1;
	a->program.param[0].most = 1e15;
	a->program.param[0].stride = 1;
}

static void end(struct ft_answerer *a)
{
	ft__ask_forget(a);
	ft_runs_clear(&a->runs);
}

/* ---- in the order of time -------------------------------------------------------------------------------
 */

enum { RISKS = 5, SEEN = RISKS, SEEN_TENTH, PERCENTILE, RULES };
static const double risk[RISKS] = {0.01, 0.02, 0.05, 0.1, FT_RISK_LEAST_MOST};
static const char *const rule_text[RULES] = {"risk 1 %",   "risk 2 %",  "risk 5 %",        "risk 10 %",
					     "risk least", "most seen", "most seen x 1.1", "percentile 95"};

struct waste {
	double asked, small, gbh, refused;
};

/* All of a try that failed is wasted. */
static void add_waste(struct waste *w, double asked, double seen, const struct record *r)
{
	double lost = 0;

	w->asked++;
	w->small += asked < r->bytes;
	while (asked < r->bytes) {
		lost += asked;
		asked = asked < seen ? seen : 2 * asked;
	}
	w->gbh += (lost + asked - r->bytes) * r->seconds / 3.6e12;
}

/* Where no number is given, what is advised. */
static double ask(struct ft_answerer *a, double r, const struct record *at, double seen, struct waste *w)
{
	const struct ft_size size = {.n = 1, .value = {at->size}};
	struct ft_request q;

	if (ft_ask_request(a, &size, r, &q, NULL) || !(q.memory.most > 0)) {
		w->refused++;
		return seen;
	}
	w->refused += q.doubted;
	return q.doubted ? 1.1 * q.memory.seen : q.memory.most;
}

/* One type: all records, or the first ten only, are told. */
static void follow(const struct record *r, size_t n, bool ten, const struct options *o,
		   struct waste waste[RULES])
{
	double *sorted = ft_calloc(n, sizeof *sorted), seen = 0;
	struct ft_answerer a;
	size_t k;

	assert(sorted);
	begin(&a);
	for (size_t i = 0; i < n; i++) {
		if (i >= KNOWN_FIRST && (i - KNOWN_FIRST) % o->each == 0) {
			const size_t known = ten ? KNOWN_FIRST : i;

			if (!ten || i == KNOWN_FIRST)
				refresh(&a);
			for (k = 0; k < RISKS; k++)
				add_waste(&waste[k], ask(&a, risk[k], &r[i], seen, &waste[k]), seen, &r[i]);
			add_waste(&waste[SEEN], seen, seen, &r[i]);
			add_waste(&waste[SEEN_TENTH], 1.1 * seen, seen, &r[i]);
			add_waste(&waste[PERCENTILE], sorted[(size_t)(0.95 * (double)(known - 1) + 0.5)],
				  seen, &r[i]);
		}
		if (ten && i >= KNOWN_FIRST)
			continue;
		learn(&a, &r[i], NAN, r[i].bytes);
		seen = fmax(seen, r[i].bytes);
		for (k = i; k && sorted[k - 1] > r[i].bytes; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = r[i].bytes;
	}
	end(&a);
	ft_free(sorted);
}

static void in_time(struct record *record, size_t n, bool ten, const struct options *o)
{
	struct waste all[RULES] = {{0}};
	size_t to, types = 0, taken = 0;

	qsort(record, n, sizeof *record, compare_types);
	for (size_t from = 0; from < n; from = to) {
		for (to = from; to < n && !strcmp(record[to].type, record[from].type);)
			to++;
		if (to - from < RECORDS_LEAST || (types++ % o->types))
			continue;
		taken++;
		follow(&record[from], to - from, ten, o, all);
	}
	printf("%s: %zu types, %.0f requests\n%-16s %10s %12s %8s\n",
	       ten ? "ten records known, in order of time" : "relearned in order of time", taken,
	       all[0].asked, "rule", "too small", "waste, GB h", "refused");
	for (size_t k = 0; k < RULES; k++)
		printf("%-16s %8.1f %% %12.0f %8.0f\n", rule_text[k], 100 * all[k].small / all[k].asked,
		       all[k].gbh, all[k].refused);
	putchar('\n');
}

/* Time and memory at one stated risk. */
struct joint {
	double asked, small, time, memory;
};

static void follow_both(const struct record *r, size_t n, const struct options *o, struct joint all[RISKS])
{
	struct ft_answerer a;

	begin(&a);
	for (size_t i = 0; i < n; i++) {
		const struct ft_size size = {.n = 1, .value = {r[i].size}};
		struct ft_request q;

		if (i >= KNOWN_FIRST && (i - KNOWN_FIRST) % o->each == 0)
			refresh(&a);
		for (size_t k = 0; k < RISKS && i >= KNOWN_FIRST && (i - KNOWN_FIRST) % o->each == 0; k++) {
			if (ft_ask_request(&a, &size, risk[k], &q, NULL) || q.doubted || !(r[i].seconds > 0))
				continue;
			all[k].asked++;
			all[k].small += q.time.most < r[i].seconds || q.memory.most < r[i].bytes;
			all[k].time += log(q.time.most / r[i].seconds);
			all[k].memory += log(q.memory.most / r[i].bytes);
		}
		if (r[i].seconds > 0)
			learn(&a, &r[i], r[i].seconds, r[i].bytes);
	}
	end(&a);
}

static void both_in_time(struct record *record, size_t n, const struct options *o)
{
	struct joint all[RISKS] = {{0}};
	size_t to, types = 0;

	qsort(record, n, sizeof *record, compare_tasks);
	for (size_t from = 0; from < n; from = to) {
		for (to = from; to < n && !strcmp(record[to].task, record[from].task);)
			to++;
		if (to - from >= RECORDS_LEAST && types++ % o->types == 0)
			follow_both(&record[from], to - from, o, all);
	}
	printf("time and memory together, of each machine\n%-12s %8s %12s %12s %14s\n", "rule", "requests",
	       "too small", "time, times", "memory, times");
	for (size_t k = 0; k < RISKS; k++)
		printf("%-12s %8.0f %10.1f %% %12.3f %14.3f\n", rule_text[k], all[k].asked,
		       100 * all[k].small / all[k].asked, exp(all[k].time / all[k].asked),
		       exp(all[k].memory / all[k].asked));
	putchar('\n');
}

/* ---- beyond what is known -------------------------------------------------------------------------------
 */

enum { FAR_MOST = 6, KNOWN_MOST = 40, TALLY_MOST = 4096 };

struct tally {
	double ratio[TALLY_MOST], error[TALLY_MOST], small, held, score;
	size_t n, refused;
};

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(double *x, size_t n, double share)
{
	qsort(x, n, sizeof *x, compare_doubles);
	return x[(size_t)fmin((double)n - 1, share * (double)n)];
}

/* The interval score of 90 % in logarithms (Gneiting and Raftery 2007, eq. 43). */
static void judge(struct tally *t, struct ft_answerer *a, const struct ft_resource *resource, double size,
		  double used)
{
	const struct ft_size at = {.n = 1, .value = {size}};
	struct ft_prediction p;
	struct ft_request q;

	if (ft_ask_predict(a, resource, &at, 0.9, &p, NULL) || ft_ask_request(a, &at, 0.05, &q, NULL) ||
	    q.doubted) {
		t->refused++;
		return;
	}
	double asked = resource == &ft_wall_s ? q.time.most : q.memory.most;
	t->held += p.lower <= used && used <= p.upper;
	t->score +=
		log(p.upper / p.lower) + 20 * (fmax(0, log(p.lower / used)) + fmax(0, log(used / p.upper)));
	t->small += asked < used;
	t->error[t->n] = fabs(p.value / used - 1);
	t->ratio[t->n++] = asked / used;
	assert(t->n < TALLY_MOST);
}

static double value_of(const struct record *r, bool time)
{
	return time ? r->seconds : r->bytes;
}

/* Records of one task, by size. False: too few of them on either side. */
static bool beyond(struct record *r, size_t n, bool time, double factor, struct ft_random *random,
		   struct tally *t)
{
	size_t known = 0, first, i;
	struct ft_answerer a;

	qsort(r, n, sizeof *r, compare_sizes);
	for (i = 0, first = n; i < n; i++) {
		known += r[i].size <= 1.02 * r[n - 1].size / factor;
		if (first == n && r[i].size >= 0.7 * r[n - 1].size)
			first = i;
	}
	if (n < 15 || known < 5 || r[known - 1].size < 1.5 * r[0].size)
		return false;
	begin(&a);
	for (i = 0; i < known; i++)
		if (known <= KNOWN_MOST || ft_random_below(random, known) < KNOWN_MOST)
			learn(&a, &r[i], time ? r[i].seconds : NAN, time ? NAN : r[i].bytes);
	refresh(&a);
	for (size_t asked = 0; asked < FAR_MOST && asked < n - first; asked++) {
		size_t k = first + asked * (n - first) / (FAR_MOST < n - first ? FAR_MOST : n - first);

		judge(t, &a, time ? &ft_wall_s : &ft_peak_rss_bytes, r[k].size, value_of(&r[k], time));
	}
	end(&a);
	return true;
}

static void go_beyond(struct record *record, size_t n, bool time, double factor, const struct options *o)
{
	struct tally *t = ft_calloc(1, sizeof *t);
	struct record *part = ft_calloc(n, sizeof *part);
	struct ft_random random = {1};
	size_t to, k, tasks = 0, taken = 0;
	double sum = 0;

	assert(t && part);
	for (size_t from = 0; from < n; from = to) {
		for (to = from, k = 0; to < n && !strcmp(record[to].task, record[from].task); to++)
			if (value_of(&record[to], time) > 0)
				part[k++] = record[to];
		if (k && tasks % o->tasks == 0)
			taken += beyond(part, k, time, factor, &random, t);
		tasks++;
	}
	for (size_t i = 0; i < t->n; i++)
		sum += t->ratio[i];
	if (t->n)
		printf("%-6s x%-3g %5zu %5zu %8zu %9.1f %% %7.2f %7.2f %9.4g %8.0f %% %6.0f %% %6.0f %% "
		       "%6.2f\n",
		       time ? "time" : "memory", factor, taken, t->n, t->refused,
		       100 * t->small / (double)t->n, quantile(t->ratio, t->n, 0.5),
		       quantile(t->ratio, t->n, 0.9), sum / (double)t->n, 100 * quantile(t->error, t->n, 0.5),
		       100 * quantile(t->error, t->n, 0.9), 100 * t->held / (double)t->n,
		       t->score / (double)t->n);
	ft_free(part);
	ft_free(t);
}

static void all_beyond(struct record *record, size_t n, const struct options *o)
{
	qsort(record, n, sizeof *record, compare_tasks);
	printf("beyond what is known; requests at 5 %% risk\n%-11s %5s %5s %8s %11s %7s %7s %9s %10s %8s %8s "
	       "%6s\n",
	       "", "tasks", "asked", "refused", "too small", "median", "p90", "mean", "error", "p90", "holds",
	       "score");
	for (int i = 0; i < 4; i++)
		go_beyond(record, n, i > 1, i % 2 ? 10 : 3, o);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct options o = {.types = 1, .tasks = 1, .each = 1};
	const struct word table[] = {
		{"--types", WORD_COUNT, &o.types},
		{"--tasks", WORD_COUNT, &o.tasks},
		{"--each", WORD_COUNT, &o.each},
		{"--only", WORD_TEXT, &o.only},
		{0},
	};
	const char *folder = getenv("FORETIME_DATA");
	char path[4096];
	size_t n;

	if (!words_read(table, argc, argv, &o.path) || !o.types || !o.tasks || !o.each) {
		(void)fprintf(stderr, "usage: bench-growth [--types N] [--tasks N] [--each N] "
				      "[--only relearned|ten|joint|beyond] [FILE]\n");
		return 2;
	}
	(void)snprintf(path, sizeof path, "%s/tasks/records.csv.gz", folder ? folder : "../shared/data");
	struct record *record = read_records(o.path ? o.path : path, &n);
	if (!n) {
		(void)fprintf(stderr, "bench-growth: no records in %s\n", o.path ? o.path : path);
		return 2;
	}
	printf("%zu records\n\n", n);
	if (!o.only || !strcmp(o.only, "relearned"))
		in_time(record, n, false, &o);
	if (!o.only || !strcmp(o.only, "ten"))
		in_time(record, n, true, &o);
	if (!o.only || !strcmp(o.only, "joint"))
		both_in_time(record, n, &o);
	if (!o.only || !strcmp(o.only, "beyond"))
		all_beyond(record, n, &o);
	ft_free(record);
	return 0;
}
