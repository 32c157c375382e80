/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.c - memory in two close levels: how often a request of a risk is too small, and how far it lies
 *above what runs take, beside memory that scatters smoothly.
 *
 *	bench-levels [--seeds N] [--first N]
 *
 * Each run has a size of its own, or one of eight. Its memory is one of two levels at random at every size,
 *or log-normal about one. What is asked for is the upper end of the interval of 1 - 2 risk, as ft_ask_request
 * takes it, at sizes between the measured ones. Prints Markdown: too small of the promised risk, asked by the
 * mean run, and asked by the upper level (of smooth memory: by the true quantile). */
#include "base/random.h"
#include "foretime/model.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED = 40, RUNS_MOST = 200, RISKS = 4 };
static const double risks[RISKS] = {0.01, 0.05, 0.1, 0.2};
static const double base = 3.87e9;

/* share 0: log-normal of that deviation. */
struct kind {
	double share, gap;
	size_t n, sizes; /* 0: one for each run */
};

struct sums {
	double small[RISKS], mean[RISKS], level[RISKS];
	size_t n;
};

static void one(const struct kind *k, unsigned seed, struct sums *sums)
{
	struct ft_random r = {seed};
	struct ft_observation o[RUNS_MOST];
	struct ft_model_options options = {.of = FT_CLASS_MEMORY, .step = 4096};
	struct ft_model *model = NULL;
	double asked_x[ASKED];
	size_t i, j;

	for (i = 0; i < k->n; i++) {
		double u = k->sizes ? (double)ft_random_below(&r, k->sizes) / (double)(k->sizes - 1)
				    : ft_random_uniform(&r);
		double v = k->share > 0 ? base * (ft_random_uniform(&r) < k->share ? 1 + k->gap : 1) *
						  exp(0.0005 * ft_random_normal(&r))
					: base * exp(k->gap * ft_random_normal(&r));

		o[i] = (struct ft_observation){
			.size = {1, {round(1e6 * pow(30, u))}}, .work = 1, .value = 4096 * round(v / 4096)};
	}
	for (i = 0; i < ASKED; i++)
		asked_x[i] = 1e6 * pow(30, 0.02 + 0.96 * ft_random_uniform(&r));
	if (ft_model_fit(&model, o, k->n, &options, NULL))
		exit(2);
	for (j = 0; j < RISKS; j++) {
		double small = 0;

		for (i = 0; i < ASKED; i++) {
			struct ft_prediction p;
			double typical, high, ln;

			(void)ft_model_predict(model, &(struct ft_size){1, {asked_x[i]}}, 1, 1 - 2 * risks[j],
					       &p, NULL);
			if (k->share > 0) {
				double above = log(p.upper / base / (1 + k->gap)) / 0.0005,
				       below = log(p.upper / base) / 0.0005;

				small += k->share * erfc(above / sqrt(2)) / 2 +
					 (1 - k->share) * erfc(below / sqrt(2)) / 2;
				typical = base * (1 + k->share * k->gap);
				high = base * (1 + k->gap);
			} else {
				ln = log(p.upper / base) / k->gap;
				small += erfc(ln / sqrt(2)) / 2;
				typical = base * exp(k->gap * k->gap / 2);
				high = base * exp(k->gap * ft_normal_quantile(1 - risks[j]));
			}
			sums->mean[j] += p.upper / typical;
			sums->level[j] += p.upper / high;
		}
		sums->small[j] += small;
	}
	sums->n += ASKED;
	ft_model_free(model);
}

static void print(const char *name, const struct sums *s)
{
	size_t j;

	(void)printf("| %s |", name);
	for (j = 0; j < RISKS; j++)
		(void)printf(" %.1f %%, %.3f, %.3f |", 100 * s->small[j] / (double)s->n,
			     s->mean[j] / (double)s->n, s->level[j] / (double)s->n);
	(void)printf("\n");
	(void)fflush(stdout);
}

static void add(struct sums *to, const struct sums *from)
{
	size_t j;

	for (j = 0; j < RISKS; j++) {
		to->small[j] += from->small[j];
		to->mean[j] += from->mean[j];
		to->level[j] += from->level[j];
	}
	to->n += from->n;
}

int main(int argc, char **argv)
{
	static const double shares[] = {0.03, 0.1, 0.3, 0.5}, gaps[] = {0.02, 0.036, 0.1, 0.2},
			    smooth[] = {0.003, 0.02, 0.1, 0.3};
	static const size_t counts[] = {20, 67, 200}, sizes[] = {0, 8};
	int seeds = 20, first = 1, i;
	size_t a, b, c, d, n_shares = sizeof shares / sizeof *shares;
	char name[64];

	for (i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--seeds"))
			seeds = atoi(argv[i + 1]);
		else
			first = atoi(argv[i + 1]);
	(void)printf("| | 1 %% | 5 %% | 10 %% | 20 %% |\n|---|---|---|---|---|\n");
	for (d = 0; d < 2; d++)
		for (a = 0; a <= n_shares; a++) {
			for (c = 0; c < 3; c++) {
				struct sums of_n = {0};

				for (b = 0; b < 4; b++) {
					struct kind k = {a < n_shares ? shares[a] : 0,
							 a < n_shares ? gaps[b] : smooth[b], counts[c],
							 sizes[d]};
					struct sums s = {0};

					for (i = 0; i < seeds; i++)
						one(&k,
						    (unsigned)(first + i) * 7919U + (unsigned)(b + 10 * c),
						    &s);
					add(&of_n, &s);
					if (a < n_shares)
						continue;
					(void)snprintf(name, sizeof name, "smooth %g %%, n %zu%s",
						       100 * smooth[b], counts[c],
						       sizes[d] ? ", 8 sizes" : "");
					print(name, &s);
				}
				if (a == n_shares)
					continue;
				(void)snprintf(name, sizeof name, "share %g %%, n %zu%s", 100 * shares[a],
					       counts[c], sizes[d] ? ", 8 sizes" : "");
				print(name, &of_n);
			}
		}
	return 0;
}
