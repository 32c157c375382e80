/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what `foretime build` tells at its end. */
#include "cli/build/build.h"
#include "cli/common.h"
#include "cli/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Models of the program just built, asked from the same store. The answerer is NULL when there is none. */
static struct cli_models open_models(const struct cli_build *build)
{
	struct cli_models models = {.store = build->store, .here = build->machine.id};

	if (ft_ask_open_on(&models.answerer, build->store, build->program.name, build->program.device,
			   build->machine.fingerprint, build->machine.id, NULL))
		models.answerer = NULL;
	return models;
}

double cli_build_tolerance(const struct cli_build *build)
{
	return build->options.tolerance > 0 ? build->options.tolerance : build->options.builder->tolerance;
}

/* Shares are told in two digits: what is less off than the second of them is not missed. */
static bool is_missed(const struct cli_build *build)
{
	return build->options.builder->repeats && build->report.known_to > 1.05 * cli_build_tolerance(build);
}

static const char *stop_text(const struct cli_build *build)
{
	switch (build->report.stop) {
	case FT_STOP_TOLERANCE:
		return !is_missed(build)     ? "the curve is known within the tolerance"
		       : build->report.rough ? "the curve is less smooth than it seemed"
					     : "runs scatter by more than what is left to know of the curve";
	case FT_STOP_BUDGET:
		return build->options.budget_s > 0
			       ? "the budget is spent, or the next run would not fit in it"
			       : "four times what the first sizes take is spent, and there is no --budget";
	case FT_STOP_POINTS:
		return "as many sizes were measured as were wanted";
	case FT_STOP_EXHAUSTED:
		return "no size is left to measure";
	case FT_STOP_INTERRUPTED:
		return "interrupted; every finished run is kept";
	}
	return "unknown";
}

/* How the last run that failed at a size did so, with its status or signal; ends with free. */
static char *failure_text(const struct ft_runs *runs, const struct ft_sweep_size *size)
{
	for (size_t i = runs->n; i > 0; i--) {
		const struct ft_run *run = &runs->run[i - 1];

		if (run->outcome == size->failure && ft_size_equal(&run->size, &size->size))
			return cli_failure_text(size->failure, run, size->detail);
	}
	return cli_failure_text(size->failure, NULL, size->detail);
}

/* ---- text --------------------------------------------------------------------------------------------- */

/* Of more sizes than SIZES_MOST the first SIZES_SHOWN are printed, and as many of those that failed: what is
 * told at the end stays on one screen. */
enum { SIZES_MOST = 12, SIZES_SHOWN = 8 };

/* A combination that the program refuses: those are told as holes. */
static bool is_hole(const struct ft_sweep_report *report, const struct ft_sweep_size *size)
{
	return report->holes && report->points && !size->runs && size->failed && size->failure == FT_INVALID;
}

static void add_size(struct cli_table *table, const struct cli_build *build, const struct ft_runs *runs,
		     const struct ft_sweep_size *size)
{
	char text[FT_UNIT_LENGTH], *why;

	cli_size_cells(table, &size->size);
	cli_table_add(table, "%zu", size->runs);
	cli_table_add(table, "%s",
		      isnan(size->seconds)
			      ? "-"
			      : ft_value_format(size->seconds, build->options.resource->unit, text));
	if (!size->failed) {
		cli_table_add(table, "%s", "");
		return;
	}
	why = failure_text(runs, size);
	cli_table_add(table, "%zu: %s", size->failed, why);
	free(why);
}

static void print_sizes(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	struct cli_table table = {0};
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	size_t all = 0, whole = 0, failed = 0;

	(void)ft_store_get_runs(build->store, build->program.id, build->machine.id, &runs, NULL);
	cli_size_heads(&table, &build->program);
	cli_table_heads(&table, ">runs", ">median", "failures", NULL);
	for (size_t i = 0; i < report->n_sizes; i++)
		all += !is_hole(report, &report->size[i]);
	for (size_t i = 0; i < report->n_sizes; i++) {
		const struct ft_sweep_size *size = &report->size[i];
		size_t *shown = size->failed ? &failed : &whole;

		if (is_hole(report, size) || (all > SIZES_MOST && *shown == SIZES_SHOWN))
			continue;
		add_size(&table, build, &runs, size);
		(*shown)++;
	}
	cli_table_print(&table, stdout);
	if (all > whole + failed)
		printf("and %zu more size%s\n", all - whole - failed, all - whole - failed == 1 ? "" : "s");
}

void cli_build_busy(const struct ft_hindrance *hindrance)
{
	fprintf(stderr,
		"this machine is busy: %.0f other tasks runnable on %d processor%s, runs took %.2g times as "
		"long as alone; wall times are told as alone, those of this load by foretime predict --load "
		"now\n",
		hindrance->others, hindrance->processors, hindrance->processors == 1 ? "" : "s",
		hindrance->slow_down);
}

/* A duration as --budget takes it, rounded up. */
static char *budget_text(double seconds)
{
	if (seconds <= 120)
		return cli_printed("%.0fs", ceil(seconds));
	if (seconds <= 7200)
		return cli_printed("%.0fm", ceil(seconds / 60));
	return cli_printed("%.0fh", ceil(seconds / 3600));
}

/* What makes it go on. Where scatter keeps the tolerance away errors fall as the square root of runs. */
static void print_more(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	enum { TIMES = 10 };
	CLI_OWN char *budget = budget_text(TIMES * (report->cost_s + report->known_cost_s));
	char known[FT_TELL_WITHIN], share[FT_UNIT_LENGTH];
	size_t reps = build->counts.most ? build->counts.most : 10;

	(void)ft_tell_within(report->known_to / sqrt(TIMES), known);
	if (report->stop == FT_STOP_TOLERANCE)
		printf("; it goes on with --tolerance %s\n",
		       ft_share_format(cli_build_tolerance(build) / 2, share));
	else if (report->stop == FT_STOP_POINTS)
		printf("; it goes on with a larger --limit\n");
	else if (report->stop == FT_STOP_EXHAUSTED)
		printf("; ten times as many runs (--runs 2:%zu) would know it to about %s\n", TIMES * reps,
		       known);
	else if (report->rough || report->too_few)
		printf("; it goes on with a larger --budget\n");
	else
		printf("; ten times as many runs (--budget %s) would know it to about %s\n", budget, known);
}

/* The verdict: why no more was run, and whether what is known is what was asked for. It was not where the
 * budget did not reach so far, or what is left is little beside the scatter, which drives no runs. */
static void print_verdict(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	char known[FT_TELL_WITHIN], share[FT_UNIT_LENGTH];

	if (!is_missed(build) || report->stop == FT_STOP_INTERRUPTED) {
		printf("stopped: %s\n", stop_text(build));
		return;
	}
	printf("missed: the typical run is known to %s, and not to %s: %s",
	       ft_tell_within(report->known_to, known), ft_share_format(cli_build_tolerance(build), share),
	       stop_text(build));
	print_more(build);
}

/* What the distance between intervals costs (000 section 4): twice and half of it, had they been asked for.
 */
static void print_prices(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	const char *top = build->options.of_top ? "top" : "";

	for (size_t i = 0; i < report->n_prices; i++) {
		const struct ft_sweep_price *price = &report->price[i];
		char seconds[FT_UNIT_LENGTH];

		printf("%s--tolerance %g%%%s: about %zu size%s, %s", i ? "; " : "", 100 * price->tolerance,
		       top, price->sizes, price->sizes == 1 ? "" : "s",
		       ft_value_format(price->seconds, "s", seconds));
	}
	if (report->n_prices) {
		char seconds[FT_UNIT_LENGTH];

		printf(" (this build: %zu, %s, one run of each)\n", report->own.sizes,
		       ft_value_format(report->own.seconds, "s", seconds));
	}
}

/* The resource that steered, and memory; and who tells the rest. */
static void print_models(const struct cli_build *build, const struct cli_models *models)
{
	static const struct ft_resource *const memory[] = {&ft_peak_tree_bytes, &ft_peak_rss_bytes};
	const struct ft_resource *shown[2] = {build->options.resource, NULL};
	const char *name = build->program.name;

	for (size_t i = 0; i < 2 && !shown[1]; i++)
		if (ft_ask_has(models->answerer, memory[i]))
			shown[1] = memory[i];
	putchar('\n');
	size_t others = cli_print_models(models, shown, shown[1] ? 2 : 1, stdout);
	printf("\nask: foretime predict %s", name);
	for (size_t i = 0; i < build->program.n_params; i++)
		printf(" %s=SIZE", build->program.param[i].name);
	printf("; all sizes%s: foretime show %s\n", others ? ", and other resources" : "", name);
}

/* What was not run, and how well the largest size is known for that: what is told of the model is of sizes
 * that were reached. */
static void print_not_run(const struct cli_build *build, const struct cli_models *models)
{
	struct ft_size largest = {.n = build->program.n_params};
	struct ft_prediction at = {.known = NAN};
	char most[256], known[FT_TELL_WITHIN];

	if (!build->report.not_run_beyond.n)
		return;
	(void)ft_size_format(&build->program, &build->report.not_run_beyond, most, sizeof most);
	printf("not run: beyond %s%s", most,
	       build->options.far == FT_FAR_MEASURE ? ", for the budget" : ", as far= says");
	for (size_t i = 0; i < largest.n; i++)
		largest.value[i] = build->program.param[i].most;
	if (models->answerer &&
	    !ft_ask_predict(models->answerer, build->options.resource, &largest, 0.9, &at, NULL) &&
	    !isnan(at.known)) {
		(void)ft_size_format(&build->program, &largest, most, sizeof most);
		printf("; at %s the typical run is known to %s", most, ft_tell_within(at.known, known));
	}
	putchar('\n');
}

/* Whether all sizes that could be measured have one value of a parameter, which it has a range of. */
static bool has_one_value(const struct cli_build *build, size_t param)
{
	const struct ft_sweep_report *report = &build->report;
	double value = NAN;

	for (size_t i = 0; i < report->n_sizes; i++) {
		const struct ft_sweep_size *size = &report->size[i];

		if (!size->runs)
			continue;
		if (!isnan(value) && size->size.value[param] != value)
			return false;
		value = size->size.value[param];
	}
	return build->program.param[param].least < build->program.param[param].most;
}

static void print_too_few(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	const char *remedy = report->stop == FT_STOP_BUDGET   ? "allow more seconds with --budget"
			     : report->stop == FT_STOP_POINTS ? "allow more sizes with --limit"
							      : "build it again with a wider range";

	if (report->points == 1)
		printf("one size only: nothing is known of growth; %s\n", remedy);
	for (size_t i = 0; i < build->program.n_params && report->points > 1; i++)
		if (has_one_value(build, i))
			printf("one value of %s only: nothing is known of others; %s\n",
			       build->program.param[i].name, remedy);
}

/* What changes nothing, and what was not run for other reasons than its cost. */
static void print_left_out(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	char killed[FT_NUMBER_LENGTH];
	size_t axes = 0;

	for (size_t i = 0; i < build->program.n_params; i++)
		axes += build->program.param[i].least < build->program.param[i].most;
	for (size_t i = 0; i < build->program.n_params; i++)
		if (report->flat[i])
			printf("flat: %s changes nothing%s\n", build->program.param[i].name,
			       axes == 1 || build->options.builder->repeats
				       ? " within the tolerance"
				       : "; it was left out of the grid");
	if (report->holes)
		printf("holes: %zu combination%s left out, which make%s no sense\n", report->holes,
		       report->holes == 1 ? " was" : "s were", report->holes == 1 ? "s" : "");
	if (report->too_large)
		printf("too large: %zu %s%s would need more memory than %s, and %s not run\n",
		       report->too_large, build->options.memory_bytes > 0 ? "combination" : "size",
		       report->too_large == 1 ? "" : "s",
		       build->options.memory_bytes > 0 ? "that" : "there is",
		       report->too_large == 1 ? "was" : "were");
	if (!isnan(report->killed))
		printf("killed for memory at %s=%s: larger sizes are not run\n",
		       build->program.param[ft_program_varying(&build->program)].name,
		       ft_number_format(report->killed, killed));
}

static void print_text(const struct cli_build *build, const struct cli_models *models)
{
	const struct ft_sweep_report *report = &build->report;
	char cost[FT_UNIT_LENGTH], **routine;
	size_t n;

	cli_auto_print(build);
	if (report->n_sizes) {
		printf("%s: the sizes in the order chosen, medians of %s\n\n", build->program.name,
		       build->options.resource->name);
		print_sizes(build);
		putchar('\n');
	}
	print_left_out(build);
	cli_shape_print(build);
	print_verdict(build);
	print_prices(build);
	if (build->report.hindrance.busy)
		printf("busy: beside %.0f other tasks runs took %.2g times as long as alone\n",
		       build->report.hindrance.others, build->report.hindrance.slow_down);
	print_not_run(build, models);
	if (report->noisy)
		printf("noisy: single runs scatter, however well the typical one is known; a quieter "
		       "machine, or --pin, may help\n");
	print_too_few(build);
	printf("cost: %s in %zu run%s", ft_value_format(report->cost_s, "s", cost), report->runs,
	       report->runs == 1 ? "" : "s");
	if (report->known)
		printf("; %zu run%s known before, of %s", report->known,
		       report->known == 1 ? " was" : "s were",
		       ft_value_format(report->known_cost_s, "s", cost));
	putchar('\n');
	if (models->answerer && report->models)
		print_models(build, models);
	routine = cli_build_routines(build, &n);
	for (size_t i = 0; i < n; i++) {
		printf("routine %s: foretime show %s\n", routine[i], routine[i]);
		free(routine[i]);
	}
	free(routine);
}

void cli_build_report(const struct cli_build *build)
{
	struct cli_models models = open_models(build);

	if (build->json)
		cli_build_tell(build, &models);
	else
		print_text(build, &models);
	ft_ask_close(models.answerer);
}
