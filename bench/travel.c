/* SPDX-License-Identifier: GPL-3.0-or-later */
/* travel.c - how well a model from another machine, set to a few runs, predicts here.
 *
 *	bench-travel [--seed N] [--made N] [--every K] [--lines] [FOLDER]
 *
 * FOLDER holds curves/ and tasks/records.csv.gz of the data that others measured. One machine is left out: its
 * runs are predicted from three of them alone, from twelve, and from three with the model of each other machine.
 * A donor fits if it is the same program elsewhere; others are another program on the same sizes. Runs that
 * no model has seen judge: the error is the mean |ln (predicted / measured)|.
 */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/random.h"
#include "curve.h"
#include "foretime/model.h"
#include "model/door.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MOST = 4096, RUNS_LEAST = 16, DONORS_MOST = 3, RUNS_KEPT = 400 };
static const double quarter = 0.25, confidence = 0.9;

/* The runs of a program on a machine. */
struct set {
	char family[16], program[160], machine[64];
	struct ft_observation *run; /* [n] ascending */
	size_t n, capacity;
	enum ft_resource_class of;
};

static struct set sets[SETS_MOST];
static size_t n_sets;

static struct set *find_set(const char *family, const char *program, const char *machine,
			    enum ft_resource_class of)
{
	for (size_t i = n_sets; i--;)
		if (sets[i].of == of && !strcmp(sets[i].program, program) &&
		    !strcmp(sets[i].machine, machine))
			return &sets[i];
	if (n_sets == SETS_MOST)
		return NULL;
	struct set *set = &sets[n_sets++];
	set->of = of;
	(void)snprintf(set->family, sizeof set->family, "%s", family);
	(void)snprintf(set->program, sizeof set->program, "%s", program);
	(void)snprintf(set->machine, sizeof set->machine, "%s", machine);
	return set;
}

static void add_run(struct set *set, double n, double value)
{
	struct ft_observation *grown = set ? ft_grow(set->run, set->n, &set->capacity, sizeof *grown) : NULL;

	if (!grown || !(n > 0) || !(value > 0))
		return;
	set->run = grown;
	grown[set->n++] = (struct ft_observation){.size = {1, {n}}, .work = 1, .value = value};
}

/* ---- what was measured by others ----------------------------------------------------------------------- */

static bool read_tasks(const char *folder)
{
	char path[512], program[160];
	struct ft_csv *csv;
	struct ft_err err = {0};
	double size, seconds, peak;

	(void)snprintf(path, sizeof path, "%s/tasks/records.csv.gz", folder);
	if (ft_csv_read(path, ',', &csv, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return false;
	}
	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		if (strcmp(ft_csv_cell(csv, i, 0), "lotaru") != 0 ||
		    ft_csv_number(csv, i, 5, true, &size, NULL) ||
		    ft_csv_number(csv, i, 6, true, &peak, NULL) ||
		    ft_csv_number(csv, i, 7, true, &seconds, NULL))
			continue;
		(void)snprintf(program, sizeof program, "%s %s", ft_csv_cell(csv, i, 1),
			       ft_csv_cell(csv, i, 3));
		add_run(find_set("tasks", program, ft_csv_cell(csv, i, 2), FT_CLASS_TIME), size, seconds);
		add_run(find_set("tasks memory", program, ft_csv_cell(csv, i, 2), FT_CLASS_MEMORY), size,
			peak);
	}
	ft_csv_free(csv);
	return true;
}

/* Curves of one program on several machines, by their names: what is a machine, and what is left out. */
static const struct machine_word {
	const char *family, *word, *machine;
} machine_words[] = {
	{"fft", "K80_", "K80"},          {"fft", "haswell_", "haswell"},  {"hash", "gcc-x64_", "gcc"},
	{"hash", "vs-x64_", "vs"},       {"fill", "hsw_remote_", "hsw"},  {"fill", "skl_remote_", "skl"},
	{"fill", "icl_overall_", "icl"}, {"fill", "overall_", "overall"}, {"own", "c_dense_", "dense"},
	{"own", "c_quiet_", "quiet"},    {"own", "c_", "usual"},
};

static void read_curves(const char *folder)
{
	char path[512], program[160];
	struct curve curve;
	size_t at = 0;

	(void)snprintf(path, sizeof path, "%s/curves", folder);
	while (curve_next(&curve, path, &at)) {
		const char *name = strrchr(curve.name, '/');

		name = name ? name + 1 : curve.name;
		for (size_t i = 0; i < sizeof machine_words / sizeof *machine_words; i++) {
			const struct machine_word *w = &machine_words[i];
			size_t length = strlen(w->family);
			const char *rest = name + length + 1;

			if (strncmp(name, w->family, length) != 0 ||
			    strncmp(rest, w->word, strlen(w->word)) != 0)
				continue;
			rest += strlen(w->word);
			/* The precision and the shape of a transform are other programs of the same kind. */
			if (!strcmp(w->family, "fft"))
				(void)snprintf(program, sizeof program, "fft %.*s", (int)strcspn(rest, "_"),
					       rest);
			else
				(void)snprintf(program, sizeof program, "%s %s", w->family, rest);
			char machine[64];
			(void)snprintf(machine, sizeof machine, "%s %s", w->machine,
				       !strcmp(w->family, "fft") ? rest + strcspn(rest, "_") : "");
			struct set *set = find_set(w->family, program, machine, FT_CLASS_TIME);
			for (size_t k = 0; k < curve.n; k++)
				for (size_t r = 0; r < curve.size[k].samples && r < 5; r++)
					add_run(set, curve.size[k].n,
						curve.size[k].sample[r] / curve.size[k].work);
			break;
		}
		curve_clear(&curve);
	}
}

/* ---- made machines: start-up and speed of their own, and a cache that ends elsewhere ---------------------- */

static void make_sets(uint64_t programs, uint64_t seed)
{
	struct ft_random random = {seed * 0x9e3779b97f4a7c15u + 1};

	for (uint64_t p = 0; p < programs; p++) {
		double power = 0.8 + 2.2 * ft_random_uniform(&random),
		       share = pow(10, 3 * ft_random_uniform(&random) - 3);
		double knee = pow(10, 3 + 1.5 * ft_random_uniform(&random)),
		       step = 1 + 2 * ft_random_uniform(&random);
		double noise = ft_random_uniform(&random) < 0.5 ? 0.02 : 0.12;
		char program[32];

		(void)snprintf(program, sizeof program, "made %03llu", (unsigned long long)p);
		for (int m = 0; m < 3; m++) {
			char machine[8];
			double speed = exp(0.6 * ft_random_normal(&random)),
			       start = share * exp(0.5 * ft_random_normal(&random));
			double here = knee * exp(0.5 * ft_random_normal(&random)),
			       rise = 1 + (step - 1) * (0.6 + 0.8 * ft_random_uniform(&random));

			(void)snprintf(machine, sizeof machine, "m%d", m);
			struct set *set = find_set("made", program, machine, FT_CLASS_TIME);
			for (int i = 0; i < 40; i++)
				for (int r = 0; r < 3; r++) {
					double n = round(100 * pow(1000, i / 39.0));
					double t =
						speed *
						(start + pow(n / 1e5, power) *
								 (1 + (rise - 1) / (1 + pow(here / n, 4))));

					add_run(set, n, t * exp(noise * ft_random_normal(&random)));
				}
		}
	}
}

/* ---- judging -------------------------------------------------------------------------------------------- */

struct score {
	double error, held, wide, n;
};

static int compare_runs(const void *a, const void *b)
{
	const struct ft_observation *p = a, *q = b;

	return (p->size.value[0] > q->size.value[0]) - (p->size.value[0] < q->size.value[0]);
}

/* k runs, spread by ln size from the least to `most`. */
static size_t spread_runs(const struct set *set, size_t k, double most, bool *used,
			  struct ft_observation *out)
{
	double least = set->run[0].size.value[0];
	size_t n = 0;

	for (size_t i = 0; i < k; i++) {
		double want = log(least) + log(most / least) * (double)i / (double)(k - 1), best = INFINITY;
		size_t at = set->n;

		for (size_t j = 0; j < set->n; j++) {
			double off = fabs(log(set->run[j].size.value[0]) - want);

			if (!used[j] && set->run[j].size.value[0] <= most * (1 + 1e-9) && off < best) {
				best = off;
				at = j;
			}
		}
		if (at == set->n)
			break;
		used[at] = true;
		out[n++] = set->run[at];
	}
	return n;
}

static struct ft_model *fit(const struct set *set, const struct ft_observation *o, size_t n,
			    const struct ft_model *donor)
{
	struct ft_model_options options = {
		.through_speed = set->of == FT_CLASS_TIME, .of = set->of, .donor = donor};
	struct ft_model *model;

	return ft_model_fit(&model, o, n, &options, NULL) ? NULL : model;
}

static struct score judge(const struct ft_model *model, const struct set *set, const bool *used, double from)
{
	struct score s = {0};
	struct ft_prediction p;

	for (size_t i = 0; i < set->n && model; i++) {
		double value = set->run[i].value;

		if (used[i] || set->run[i].size.value[0] <= from ||
		    ft_model_predict(model, &set->run[i].size, 1, confidence, &p, NULL))
			continue;
		s.error += fabs(log(fmax(p.value, 1e-300) / value));
		s.held += p.lower <= value && value <= p.upper;
		s.wide += log(fmax(p.upper, 1e-300) / fmax(p.lower, p.upper * 1e-6));
		s.n++;
	}
	s.error /= s.n;
	s.held /= s.n;
	s.wide /= s.n;
	return s;
}

enum { WAYS = 6 }; /* own 3, own 12, fits, another, fits and one run, fits alone */

struct line {
	const char *family;
	bool beyond;
	double cases[WAYS], error[WAYS], held[WAYS], wide[WAYS], trust[WAYS], worse,
		over; /* worse: cases above 1.05 */
};

static struct line lines[64];
static size_t n_lines;

static struct line *find_line(const char *family, bool beyond)
{
	for (size_t i = 0; i < n_lines; i++)
		if (!strcmp(lines[i].family, family) && lines[i].beyond == beyond)
			return &lines[i];
	lines[n_lines] = (struct line){family, beyond, {0}, {0}, {0}, {0}, {0}, 0, 0};
	return &lines[n_lines++];
}

static void count(struct line *line, int way, const struct score *s, double trust)
{
	if (!(s->n > 0) || isnan(s->error))
		return;
	line->cases[way]++;
	line->error[way] += s->error;
	line->held[way] += s->held;
	line->wide[way] += s->wide;
	line->trust[way] += trust;
}

/* A donor: another machine of the program, or another program of the family with such sizes. */
static bool is_donor(const struct set *set, const struct set *donor, bool fits)
{
	if (set == donor || set->of != donor->of || strcmp(set->family, donor->family) != 0 ||
	    donor->n < RUNS_LEAST)
		return false;
	if (fits)
		return !strcmp(set->program, donor->program) && strcmp(set->machine, donor->machine) != 0;
	return strcmp(set->program, donor->program) != 0 && strcmp(set->machine, donor->machine) != 0;
}

static void try_set(const struct set *set, bool beyond, uint64_t seed, bool shown)
{
	double end = set->run[set->n - 1].size.value[0], least = set->run[0].size.value[0];
	double most = beyond ? fmax(end * quarter, least) : end;
	bool *used = ft_calloc(set->n, sizeof *used);
	struct ft_observation three[3], twelve[12];
	struct ft_random random = {seed ^ (uint64_t)(set - sets)};
	struct line *line = find_line(set->family, beyond);

	/* Those of the three are no run that judges, nor those of the twelve. */
	size_t n3 = used ? spread_runs(set, 3, most, used, three) : 0;
	bool *first = ft_calloc(set->n, sizeof *first);
	size_t n12 = first ? spread_runs(set, 12, most, first, twelve) : 0;
	for (size_t i = 0; used && first && i < set->n; i++)
		used[i] |= first[i];
	if (n3 == 3 && n12 == 12 && three[2].size.value[0] >= 2 * three[0].size.value[0]) {
		struct ft_model *own = fit(set, three, n3, NULL), *many = fit(set, twelve, n12, NULL);
		struct score alone = judge(own, set, used, beyond ? most : 0);
		struct score by_many = judge(many, set, used, beyond ? most : 0);
		int tried[2] = {0};

		for (int fits = 1; fits >= 0; fits--)
			for (size_t k = 0, begin = ft_random_below(&random, n_sets);
			     k < n_sets && tried[fits] < DONORS_MOST; k++) {
				const struct set *from = &sets[(begin + k) % n_sets];
				struct ft_model *donor, *both;

				if (!is_donor(set, from, fits) || !(alone.n > 0))
					continue;
				size_t step = from->n / RUNS_KEPT + 1, m = 0;
				struct ft_observation *o = ft_malloc((from->n / step + 1) * sizeof *o);
				for (size_t i = 0; o && i < from->n; i += step)
					o[m++] = from->run[i];
				donor = o ? fit(from, o, m, NULL) : NULL;
				both = donor ? fit(set, three, n3, donor) : NULL;
				struct score s = judge(both, set, used, beyond ? most : 0);
				if (both && s.n > 0) {
					double trust = ft_model_facts(both)->trust;

					count(line, fits ? 2 : 3, &s, trust);
					line->worse += !fits && s.error > 1.05 * alone.error + 1e-3;
					line->over += !fits ? s.error - alone.error : 0;
					if (shown)
						printf("%s,%s,%s,%s %s,%d,%d,%.4f,%.4f,%.4f,%.3f,%.3f\n",
						       set->family, set->program, set->machine, from->program,
						       from->machine, fits, beyond, alone.error,
						       by_many.error, s.error, s.held, trust);
					if (fits) {
						count(line, 0, &alone, 0);
						count(line, 1, &by_many, 0);
						struct ft_model *one = fit(set, three + 1, 1, donor);
						s = judge(one, set, used, beyond ? most : 0);
						count(line, 4, &s, one ? ft_model_facts(one)->trust : 0);
						ft_model_free(one);
						one = NULL;
						(void)ft_model_ship(&one, donor, set->of, 1, NULL);
						s = judge(one, set, used, beyond ? most : 0);
						count(line, 5, &s, 1);
						ft_model_free(one);
					}
				}
				ft_model_free(both);
				ft_model_free(donor);
				ft_free(o);
				tried[fits]++;
			}
		ft_model_free(own);
		ft_model_free(many);
	}
	ft_free(used);
	ft_free(first);
}

static void print_lines(void)
{
	static const char *const way[WAYS] = {"own 3",       "own 12",    "donor + 3",
					      "another + 3", "donor + 1", "donor alone"};

	printf("%-14s %-7s %-12s %6s %8s %7s %8s %6s\n", "family", "sizes", "from", "cases", "error", "held",
	       "width", "trust");
	for (size_t i = 0; i < n_lines; i++)
		for (int w = 0; w < WAYS; w++) {
			const struct line *l = &lines[i];
			double n = l->cases[w];

			if (n > 0)
				printf("%-14s %-7s %-12s %6.0f %7.1f%% %6.1f%% %8.2f %6.2f", l->family,
				       l->beyond ? "beyond" : "within", way[w], n,
				       100 * expm1(l->error[w] / n), 100 * l->held[w] / n, l->wide[w] / n,
				       l->trust[w] / n);
			if (n > 0 && w == 3)
				printf("  over 1.05 of own: %.0f %%, by %.3f on average", 100 * l->worse / n,
				       l->over / n);
			if (n > 0)
				printf("\n");
		}
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, made = 60, every = 1;
	bool shown = false;
	const char *folder = NULL;
	const struct word table[] = {{"--seed", WORD_COUNT, &seed},
				     {"--made", WORD_COUNT, &made},
				     {"--every", WORD_COUNT, &every},
				     {"--lines", WORD_FLAG, &shown},
				     {0}};

	if (!words_read(table, argc, argv, &folder)) {
		fprintf(stderr, "usage: bench-travel [--seed N] [--made N] [--every K] [--lines] [FOLDER]\n");
		return 2;
	}
	if (folder) {
		if (!read_tasks(folder))
			return 1;
		read_curves(folder);
	}
	make_sets(made, seed);
	for (size_t k = 0; k < n_sets; k++)
		qsort(sets[k].run, sets[k].n, sizeof *sets[k].run, compare_runs);
	for (size_t k = 0; k < n_sets; k += every ? every : 1)
		for (int beyond = 0; beyond < 2 && sets[k].n >= RUNS_LEAST; beyond++)
			try_set(&sets[k], beyond, seed, shown);
	print_lines();
	for (size_t k = 0; k < n_sets; k++)
		ft_free(sets[k].run);
	return 0;
}
