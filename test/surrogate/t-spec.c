/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-spec.c - the kernel solver on published results of SPEC CPU2006 (document 004, chapter 11): no worse than
 * it was. Needs $FORETIME_DATA. */
#include "foretime/surrogate.h"
#include "surrogate/door.h"
#include "tap.h"

#include <unistd.h>

enum { REPEATS = 10 };

/* What is asked of a setting: means over targets and repetitions. */
static const struct goal {
	const char *name, *group;
	size_t k, train;
	enum ft_basis_way way;
	double rae, median, p90; /* INFINITY: nothing */
} goals[] = {
	{"5 of 50, by processor", "processor_id", 5, 50, FT_BASIS_DRAWN, 0.33, INFINITY, INFINITY},
	{"25 of 100, by processor", "processor_id", 25, 100, FT_BASIS_DRAWN, 0.18, INFINITY, INFINITY},
	{"5 of 50, random", NULL, 5, 50, FT_BASIS_DRAWN, 0.25, INFINITY, INFINITY},
	{"25 of 100, random", NULL, 25, 100, FT_BASIS_DRAWN, 0.125, INFINITY, INFINITY},
	{"5 chosen of 50, by processor", "processor_id", 5, 50, FT_BASIS_CHOSEN, INFINITY, 0.065, INFINITY},
	{"5 chosen of 100, by processor", "processor_id", 5, 100, FT_BASIS_CHOSEN, INFINITY, 0.05, 0.2},
};

static void reach(const struct goal *goal, const char *path)
{
	const struct ft_matrix_options options = {
		.rows = "row", .programs = "^[0-9]+[.]", .group = goal->group, .admit = true};
	struct ft_matrix matrix = {0};
	struct ft_trials_result result = {0};
	struct ft_trials trials = {.k = goal->k,
				   .way = goal->way,
				   .train = goal->train,
				   .repeats = REPEATS,
				   .seed = test_seed(),
				   .confidence = 0.9,
				   .solver = ft_solver_find("kernel")};
	struct ft_err err = {0};

	if (ft_matrix_read(path, &options, &matrix, &err)) {
		ok(false, "%s: %s", goal->name, err.text);
		return;
	}
	trials.value = matrix.value;
	trials.group = matrix.group;
	trials.m = matrix.rows;
	trials.n = matrix.columns;
	if (ft_trials_run(&trials, &result, &err)) {
		ok(false, "%s: %s", goal->name, err.text);
	} else {
		const struct ft_trial_score *all = &result.all;

		ok(all->rae <= goal->rae && all->median_error <= goal->median && all->p90_error <= goal->p90,
		   "%s: RAE %.3f, median error %.1f %%, 90 %% below %.1f %%", goal->name, all->rae,
		   100 * all->median_error, 100 * all->p90_error);
		ok(all->coverage >= 0.85 && all->coverage <= 0.95, "... inside of 90 %%: %.1f %%",
		   100 * all->coverage);
	}
	ft_trials_clear(&result);
	ft_matrix_clear(&matrix);
}

int main(void)
{
	const char *data = getenv("FORETIME_DATA");
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/spec_cpu2006/times_29.csv", data ? data : "../shared/data");
	for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
		if (access(path, R_OK))
			skip(goals[i].name, "no table of results: set FORETIME_DATA");
		else
			reach(&goals[i], path);
	return done();
}
