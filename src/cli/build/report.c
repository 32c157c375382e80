/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what `foretime build` prints: its progress while it runs, and the report at its end. */
#include "base/clock.h"
#include "build/door.h"
#include "cli/build/build.h"
#include "cli/cli.h"
#include "foretime/base.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * Progress while it runs: one line on a terminal.
 */

/* Terminals are slow: no more than so often. */
#define PROGRESS_S 0.05

/* The line is drawn when a run begins, and then twice a second by a thread of its own, because a run may
   take minutes. */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t drawn_last = PTHREAD_COND_INITIALIZER;

/* Twice a second, so that nothing stands still for one. */
static const double REDRAW_S = 0.5;

/* One line, written over and over: a bar, the accuracy and its target, the time that is left, what runs. */
static void draw_progress(struct cli_build *build, double now_s)
{
	enum { BAR = 20, NARROW_BAR = 10, NARROW = 72, LINE = 512 };
	static const char full[] = "####################", empty[] = "....................",
			  turning[] = "|/-\\";
	const struct ft_progress *progress = &build->progress;
	const int width = (int)cli_terminal_width(stderr) - 1, bar = width < NARROW ? NARROW_BAR : BAR;
	char line[LINE], at[128], text[FT_UNIT_LENGTH], share[FT_UNIT_LENGTH];
	int done = (int)(progress->complete * bar), n, more = 0;
	double elapsed_s = floor(now_s - build->began_s), left_s = NAN;

	/* A mark turns, so that a run of minutes is seen to go on. */
	const char mark = turning[(size_t)(now_s / REDRAW_S) % (sizeof turning - 1)];

	build->shown_s = now_s;
	if (*build->line) {
		n = snprintf(line, sizeof line, "%c %s, %.0f s", mark, build->line, elapsed_s);
		cli_terminal_again();
		fprintf(stderr, "%.*s", n < width ? n : width, line);
		(void)fflush(stderr);
		return;
	}
	if (progress->complete > 0.05)
		left_s = progress->spent_s * (1 / progress->complete - 1);
	if (progress->budget_s > 0)
		left_s = fmin(isnan(left_s) ? INFINITY : left_s, progress->budget_s - progress->spent_s);
	n = snprintf(line, sizeof line, "[%.*s%c%.*s] ", done < bar ? done : bar - 1, full, mark,
		     done < bar ? bar - 1 - done : 0, empty);
	if (progress->next.accuracy > 0)
		n += snprintf(line + n, sizeof line - (size_t)n, "accuracy %s (target %s), ",
			      ft_tell_within(progress->next.accuracy, text),
			      ft_share_format(cli_build_tolerance(build), share));
	if (!isnan(left_s) && !progress->ended)
		n += snprintf(line + n, sizeof line - (size_t)n, "%s left, ",
			      ft_value_format(fmax(0, left_s - elapsed_s), "s", text));
	(void)ft_size_format(&build->program, &progress->size, at, sizeof at);
	if (!progress->size.n && progress->in_flight)
		(void)snprintf(at, sizeof at, "%zu run%s", progress->in_flight,
			       progress->in_flight == 1 ? "" : "s");
	else if (!progress->size.n)
		(void)snprintf(at, sizeof at, "preparing ...");
	n += snprintf(line + n, sizeof line - (size_t)n, "%s", progress->ended ? "fitting ..." : at);
	if (elapsed_s >= 1)
		n += snprintf(line + n, sizeof line - (size_t)n, ", %.0f s", elapsed_s);
	if (!isnan(progress->expected_s))
		more = snprintf(line + n, sizeof line - (size_t)n,
				elapsed_s >= 1 ? " of about %s" : " (about %s)",
				ft_value_format(progress->expected_s, "s", text));
	cli_terminal_again();
	/* A line that went on below could not be written over. */
	fprintf(stderr, "%.*s", n + more <= width ? n + more : n < width ? n : width, line);
	(void)fflush(stderr);
}

static void *redraw(void *ctx)
{
	struct cli_build *build = ctx;
	struct timespec next;

	(void)pthread_mutex_lock(&drawing);
	while (build->redraws) {
		(void)clock_gettime(CLOCK_REALTIME, &next);
		next.tv_nsec += (long)(REDRAW_S * 1e9);
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		if (pthread_cond_timedwait(&drawn_last, &drawing, &next) == ETIMEDOUT && build->began_s > 0)
			draw_progress(build, ft_clock_s());
	}
	(void)pthread_mutex_unlock(&drawing);
	return NULL;
}

/* Signals are left to the main thread. Without a thread the line is not redrawn during a run. */
void cli_build_watch(struct cli_build *build)
{
	sigset_t all, before;

	if (!build->terminal)
		return;
	build->progress = (struct ft_progress){.expected_s = NAN, .reason = -1, .gain = NAN};
	build->began_s = ft_clock_s();
	draw_progress(build, build->began_s);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	(void)pthread_mutex_lock(&drawing);
	build->redraws = !pthread_create(&build->redrawer, NULL, redraw, build);
	(void)pthread_mutex_unlock(&drawing);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_build_unwatch(struct cli_build *build)
{
	if (build->redraws) {
		(void)pthread_mutex_lock(&drawing);
		build->redraws = false;
		(void)pthread_cond_signal(&drawn_last);
		(void)pthread_mutex_unlock(&drawing);
		(void)pthread_join(build->redrawer, NULL);
	}
	if (build->terminal)
		cli_terminal_again();
}

void cli_build_line(struct cli_build *build, const char *line)
{
	(void)pthread_mutex_lock(&drawing);
	(void)snprintf(build->line, sizeof build->line, "%s", line);
	build->began_s = ft_clock_s();
	draw_progress(build, build->began_s);
	(void)pthread_mutex_unlock(&drawing);
}

void cli_build_note(struct cli_build *build, const char *text)
{
	(void)pthread_mutex_lock(&drawing);
	if (build->terminal)
		cli_terminal_again();
	cli_note("%s", text);
	if (build->redraws)
		draw_progress(build, ft_clock_s());
	(void)pthread_mutex_unlock(&drawing);
}

void cli_build_progress(struct cli_build *build, const struct ft_progress *progress)
{
	const double now_s = ft_clock_s();

	if (build->quiet)
		return;
	(void)pthread_mutex_lock(&drawing);
	/* Of runs elsewhere the time counts from when the last one came back, not from when they were looked at. */
	if (progress->size.n || progress->points != build->progress.points ||
	    progress->in_flight != build->progress.in_flight)
		build->began_s = now_s;
	build->progress = *progress;
	if (progress->hindrance.busy && !build->warned_busy) {
		build->warned_busy = true;
		if (build->terminal)
			cli_terminal_again();
		cli_build_busy(&progress->hindrance);
	}
	if (build->terminal && (progress->ended || now_s - build->shown_s >= PROGRESS_S))
		draw_progress(build, now_s);
	(void)pthread_mutex_unlock(&drawing);
}

/*
 * Assumptions of GBBP about the speed (000 section 2.3) that a build found violated.
 */

/* An assumption that does not hold: where, as sizes. */
struct build_broken {
	char assumption;     /* 'a' to 'd' */
	const char *text[4]; /* the text before each size, and behind the last */
	double at[3];
	size_t n;
};

enum { BROKEN_MOST = 4 };

static size_t list_broken(const struct ft_build_shape *s, struct build_broken list[BROKEN_MOST])
{
	size_t n = 0;

	if (s->jumps)
		list[n++] = (struct build_broken){
			'a', {"the speed jumps between ", " and ", ""}, {s->jump[0], s->jump[1]}, 2};
	if (s->rises)
		list[n++] = (struct build_broken){
			'b',
			{"the speed is low at ", ", and higher before and from ", " on"},
			{s->low, s->again},
			2};
	if (s->bends)
		list[n++] = (struct build_broken){'c',
						  {"the fall of the speed has a step: ", ", ", " and ",
						   " lie on alternate sides of a straight line"},
						  {s->bend[0], s->bend[1], s->bend[2]},
						  3};
	if (s->widens)
		list[n++] = (struct build_broken){
			'd', {"speeds vary more from ", " on than below"}, {s->wider}, 1};
	return n;
}

/* The assumptions of gbbp about the speed along each parameter that do not hold. */
static void shape_print(const struct cli_build *build)
{
	struct build_broken list[BROKEN_MOST];
	size_t all = 0;

	for (size_t i = 0; i < build->program.n_params; i++) {
		size_t n = list_broken(&build->report.shape[i], list);
		for (size_t j = 0; j < n; j++) {
			char x[FT_NUMBER_LENGTH];

			fputs("shape: ", stdout);
			for (size_t k = 0; k < list[j].n; k++)
				printf("%s%s%s%s", list[j].text[k], k ? "" : build->program.param[i].name,
				       k ? "" : "=", ft_number_format(list[j].at[k], x));
			printf("%s; assumption (%c) of GBBP does not hold\n", list[j].text[list[j].n],
			       list[j].assumption);
		}
		all += n;
	}
	if (all)
		printf("hint: between the sizes above the speed may be another; --method adaptive assumes no "
		       "such shape\n");
}

/*
 * The output of `foretime build --json`.
 */

#define SIZE struct ft_sweep_size
static const struct ft_tell_row size_rows[] = {
	{FT_TELL_AS(NULL, SIZE, size)},
	{FT_TELL(SIZE, runs)},
	{FT_TELL(SIZE, seconds), .about = "median of the resource", .null = "no run ended well"},
	{0},
};
static const struct ft_tell_record sizes = {.bytes = sizeof(SIZE), .row = size_rows};

static const struct ft_tell_row failure_rows[] = {
	{FT_TELL_AS(NULL, SIZE, size)},
	{FT_TELL_AS("runs", SIZE, failed)},
	{FT_TELL_BY(WORD, "outcome", SIZE, failure), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES},
	{FT_TELL(SIZE, detail), .about = "its last words", .null = "none"},
	{0},
};
static const struct ft_tell_record failures = {.bytes = sizeof(SIZE), .row = failure_rows};

static bool is_automatic(const void *answer)
{
	return ((const struct cli_auto *)answer)->word;
}

#define AUTO struct cli_auto
static const struct ft_tell_row auto_rows[] = {
	{FT_TELL_AS("parameter", AUTO, name)},
	{FT_TELL_AS("most", AUTO, reach.most)},
	{FT_TELL_BY(WORD, "bound", AUTO, reach.bound), .word = ft_reach_text,
	 .words = "memory|killed for memory|failed|constraint",
	 .about = "what keeps larger sizes out: the memory that they are expected to need, a run, or the "
		  "constraint of the program"},
	{FT_TELL_AS("bound_at", AUTO, reach.bound_at), .about = "the size of that run",
	 .null = "there is none"},
	{FT_TELL_AS("memory_limit_bytes", AUTO, reach.limit_bytes),
	 .about = "what a run may need: 80 % of memory_bytes"},
	{FT_TELL(AUTO, memory_bytes), .about = "what a run could have here"},
	{FT_TELL(AUTO, why), .about = "what limits that"},
	{FT_TELL_AS("need_bytes", AUTO, reach.need_bytes), .about = "expected at most"},
	{FT_TELL_AS("seconds", AUTO, reach.seconds), .about = "expected of a run at most",
	 .null = "not known"},
	{FT_TELL_AS("runs", AUTO, reach.runs)},
	{FT_TELL_AS("cost_s", AUTO, reach.cost_s)},
	{0},
};
static const struct ft_tell_record automatic_record = {.row = auto_rows, .there = is_automatic};

static const struct ft_tell_row shape_rows[] = {
	{FT_TELL(struct cli_shape, parameter)},
	{FT_TELL(struct cli_shape, assumption), .words = "a|b|c|d"},
	{FT_TELL_MANY(ARRAY, "at", struct cli_shape, at, n, &ft_tell_numbers),
	 .about = "the sizes that contradict it; of d: from which on speeds vary more"},
	{0},
};
static const struct ft_tell_record shapes = {.bytes = sizeof(struct cli_shape), .row = shape_rows};

#define PRICE struct ft_sweep_price
static const struct ft_tell_row price_rows[] = {
	{FT_TELL(PRICE, tolerance)},
	{FT_TELL(PRICE, sizes)},
	{FT_TELL_AS("cost_s", PRICE, seconds), .about = "of one run of each size"},
	{0},
};
static const struct ft_tell_record prices = {.bytes = sizeof(PRICE), .row = price_rows};

struct build_answer {
	struct cli_build build; /* borrowed */
	const char *method, *unit, *flat[FT_PARAMS_MAX];
	double tolerance, known_to, scatter, not_run_beyond;
	SIZE *failure;
	struct cli_shape *shape;
	struct ft_answer_model *model;
	char **routine;
	size_t n_flat, n_failures, n_shapes, n_models, n_routines;
};

#define ANSWER struct build_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL_AS("name", ANSWER, build.program.name)},
	{FT_TELL_AS("hash", ANSWER, build.program.hash), .about = "of the executable; empty for a replay"},
	{FT_TELL_BY(RECORD, "machine", ANSWER, build.machine), .of = &ft_tell_machine},
	{FT_TELL(ANSWER, method)},
	{FT_TELL_AS("resource", ANSWER, build.options.resource), .about = "what steered the choice of sizes"},
	{FT_TELL(ANSWER, unit)},
	{FT_TELL_AS("seed", ANSWER, build.seed)},
	{FT_TELL(ANSWER, tolerance),
	 .about = "target accuracy of the typical run; with gbbp the smallest half-width of a cut"},
	{FT_TELL_AS("of_top", ANSWER, build.options.of_top),
	 .about = "the tolerance is a share of the fastest speed measured, not of each size's own"},
	{FT_TELL_AS("points", ANSWER, build.report.points), .about = "sizes with a run that ended well"},
	{FT_TELL_AS("runs", ANSWER, build.report.runs),
	 .about = "made now, the warm-up and failed ones included"},
	{FT_TELL_AS("known", ANSWER, build.report.known), .about = "that the store had before"},
	{FT_TELL_AS("cost_s", ANSWER, build.report.cost_s),
	 .about = "wall seconds of the whole processes of the runs made now"},
	{FT_TELL_BY(WORD, "stop", ANSWER, build.report.stop), .word = ft_stop_text,
	 .words = "tolerance|budget|points|exhausted|interrupted"},
	{FT_TELL_AS("known_cost_s", ANSWER, build.report.known_cost_s),
	 .about = "what runs that the store had count of the budget"},
	{FT_TELL(ANSWER, known_to), .about = FT_TELL_KNOWN_TO, .null = "not known"},
	{FT_TELL_AS("noise", ANSWER, scatter), .about = FT_TELL_SCATTER, .null = "not known"},
	{FT_TELL_AS("uneven", ANSWER, build.report.rough)},
	{FT_TELL_AS("noisy", ANSWER, build.report.noisy)},
	{FT_TELL_AS("too_few", ANSWER, build.report.too_few)},
	{FT_TELL_BY(WORD, "far", ANSWER, build.options.far), .word = ft_far_text,
	 .words = "measure|half|skip", .about = "far= of --method"},
	{FT_TELL(ANSWER, not_run_beyond),
	 .about =
		 "the largest size that was run, where larger ones were left out by choice or for the budget",
	 .null = "no size was left out"},
	{FT_TELL_AS("slowdown", ANSWER, build.report.hindrance.slow_down), .about = FT_TELL_SLOW_DOWN},
	{FT_TELL_AS("background_tasks", ANSWER, build.report.hindrance.others), .about = FT_TELL_OTHERS,
	 .null = "not known"},
	{FT_TELL_AS("busy", ANSWER, build.report.hindrance.busy),
	 .about = "the machine is busy: wall times are corrected to an idle machine"},
	{FT_TELL_BY(RECORD, "auto", ANSWER, build.automatic), .of = &automatic_record,
	 .about = "the upper end that n=64:auto found", .null = "no range was automatic"},
	{FT_TELL_AS("killed", ANSWER, build.report.killed), .about = FT_TELL_KILLED,
	 .null = "no run was killed"},
	{FT_TELL_MANY(LIST, "sizes", ANSWER, build.report.size, build.report.n_sizes, &sizes),
	 .about = "in the order measured"},
	{FT_TELL_MANY(ARRAY, "flat", ANSWER, flat, n_flat, &ft_tell_texts),
	 .about = "parameters that change nothing (gbbp and naive leave them out of the grid)"},
	{FT_TELL_MANY(LIST, "shape", ANSWER, shape, n_shapes, &shapes),
	 .about = "what gbbp takes for granted of the speed along a parameter (document 000 section 2.3), "
		  "and the sizes measured contradict"},
	{FT_TELL_MANY(ARRAY, "other_tolerances", ANSWER, build.report.price, build.report.n_prices, &prices),
	 .about = "what gbbp would have cost at twice and at half the tolerance, by the lines between the "
		  "sizes that "
		  "were run"},
	{FT_TELL_AS("holes", ANSWER, build.report.holes),
	 .about = "combinations of parameters that were left out: --where, or not valid"},
	{FT_TELL_AS("too_large", ANSWER, build.report.too_large),
	 .about = "combinations that were left out because they would need more memory than there is (only "
		  "where an end of a range is automatic)"},
	{FT_TELL_MANY(LIST, "failures", ANSWER, failure, n_failures, &failures)},
	{FT_TELL_MANY(LIST, "models", ANSWER, model, n_models, &ft_tell_model)},
	{FT_TELL_MANY(LIST, "routines", ANSWER, routine, n_routines, &ft_tell_texts),
	 .about = "NAME/ROUTINE of what the program reported"},
	{0},
};
const struct ft_tell_record cli_build_answer = {.name = "build", .version = 2, .row = rows};

/* build_routines - names NAME/ROUTINE of the reported runs; the caller frees each, and the array. */
static char **build_routines(const struct cli_build *build, size_t *n)
{
	struct ft_store_list list = {0};
	size_t i, length = strlen(build->program.name);
	char **name = NULL;

	*n = 0;
	if (ft_store_get_list(build->store, NULL, &list, NULL))
		return NULL;
	for (i = 0; i < list.n; i++) {
		const char *each = list.entry[i].name;

		if (strncmp(each, build->program.name, length) != 0 || each[length] != '/' ||
		    !list.entry[i].current || (i && !strcmp(each, list.entry[i - 1].name)))
			continue;
		name = cli_grow(name, *n, sizeof *name);
		name[(*n)++] = cli_strdup(each);
	}
	ft_store_list_clear(&list);
	return name;
}

/* A number, of the one parameter that varies. */
static double not_run_beyond(const struct cli_build *build)
{
	const struct ft_size *size = &build->report.not_run_beyond;
	size_t varying = 0, n = 0;

	for (size_t i = 0; i < size->n; i++)
		if (build->program.param[i].least < build->program.param[i].most) {
			varying = i;
			n++;
		}
	return n == 1 ? size->value[varying] : (double)NAN;
}

static void build_tell(const struct cli_build *build, const struct cli_models *models)
{
	const struct ft_tell_with with = {.program = &build->program};
	bool modelled = models->answerer && build->report.models;
	ANSWER answer = {
		.build = *build,
		.method = build->options.builder->name,
		.unit = build->options.resource->unit,
		.tolerance = cli_build_tolerance(build),
		.known_to = modelled ? build->report.known_to : (double)NAN,
		.scatter = modelled ? build->report.scatter : (double)NAN,
		.not_run_beyond = not_run_beyond(build),
	};
	size_t i;

	for (i = 0; i < build->program.n_params; i++)
		if (build->report.flat[i])
			answer.flat[answer.n_flat++] = build->program.param[i].name;
	const struct ft_sweep_report *report = &answer.build.report;

	answer.failure = cli_alloc(report->n_sizes * sizeof *answer.failure);
	for (size_t k = 0; k < report->n_sizes; k++)
		if (report->size[k].failed)
			answer.failure[answer.n_failures++] = report->size[k];
	answer.shape = cli_alloc(BROKEN_MOST * build->program.n_params * sizeof *answer.shape);
	for (i = 0; i < build->program.n_params; i++) {
		struct build_broken list[BROKEN_MOST];
		size_t found = list_broken(&build->report.shape[i], list);

		for (size_t j = 0; j < found; j++) {
			struct cli_shape *one = &answer.shape[answer.n_shapes++];

			*one = (struct cli_shape){
				build->program.param[i].name, {list[j].assumption}, {0}, list[j].n};
			memcpy(one->at, list[j].at, sizeof one->at);
		}
	}
	if (modelled)
		answer.n_models = cli_models_all(models, &answer.model);
	answer.routine = build_routines(build, &answer.n_routines);
	cli_tell(&cli_build_answer, &answer, &with);
	for (i = 0; i < answer.n_routines; i++)
		free(answer.routine[i]);
	free(answer.routine);
	free(answer.model);
	free(answer.shape);
	free(answer.failure);
}

/*
 * The report that `foretime build` prints at its end.
 */

double cli_build_tolerance(const struct cli_build *build)
{
	return build->options.tolerance > 0 ? build->options.tolerance : build->options.builder->tolerance;
}

/* How the last failed run at a size failed, with its status or signal; the caller frees it. */
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

/* Failed sizes printed without -v. */
enum { FAILED_SHOWN = 8 };

bool cli_build_is_last = true;

/* A combination that the program refuses: those are counted as left out. */
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

/* All sizes with -v, else those that failed. */
static void print_sizes(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	struct cli_table table = {0};
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	size_t shown = 0, failed = 0;

	(void)ft_store_get_runs(build->store, build->program.id, build->machine.id, &runs, NULL);
	cli_size_heads(&table, &build->program);
	cli_table_heads(&table, ">runs", ">median", "failures", NULL);
	for (size_t i = 0; i < report->n_sizes; i++) {
		const struct ft_sweep_size *size = &report->size[i];

		if (is_hole(report, size) || (!build->verbose && !size->failed))
			continue;
		failed += size->failed > 0;
		if (!build->verbose && failed > FAILED_SHOWN)
			continue;
		add_size(&table, build, &runs, size);
		shown++;
	}
	if (!shown) {
		cli_table_clear(&table);
		return;
	}
	if (build->verbose)
		printf("%s: median %s by size, in the order measured\n", build->program.name,
		       build->options.resource->name);
	cli_table_print(&table, stdout);
	if (!build->verbose && failed > FAILED_SHOWN)
		printf("and %zu more sizes that failed: -v\n", failed - FAILED_SHOWN);
	putchar('\n');
}

void cli_build_busy(const struct ft_hindrance *hindrance)
{
	fprintf(stderr,
		"busy: %.0f other tasks on %d processor%s; wall times are corrected to an idle machine\n",
		hindrance->others, hindrance->processors, hindrance->processors == 1 ? "" : "s");
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

/* Why the target was missed, and what reaches it. Where noise keeps it away errors fall as the square root of
 * runs. */
static void print_missed(const struct cli_build *build)
{
	const struct ft_sweep_report *report = &build->report;
	enum { TIMES = 10 };
	CLI_OWN char *budget = budget_text(TIMES * (report->cost_s + report->known_cost_s));
	char known[FT_TELL_WITHIN];
	size_t reps = build->counts.most ? build->counts.most : 10;

	(void)ft_tell_within(report->known_to / sqrt(TIMES), known);
	switch (report->stop) {
	case FT_STOP_TOLERANCE:
		printf("%s; --tolerance %g%% goes on",
		       report->rough ? "the curve is uneven" : "noise hides the rest",
		       50 * cli_build_tolerance(build));
		break;
	case FT_STOP_POINTS:
		printf("as many sizes as --limit allows; more of them go on");
		break;
	case FT_STOP_EXHAUSTED:
		printf("no size is left; --runs 2:%zu should reach %s", TIMES * reps, known);
		break;
	case FT_STOP_BUDGET:
		printf("out of %sbudget; ", build->options.budget_s > 0 ? "" : "the default ");
		if (report->rough || report->too_few)
			printf("a larger --budget goes on");
		else
			printf("--budget %s should reach %s", budget, known);
		break;
	case FT_STOP_INTERRUPTED:
		printf("interrupted; every finished run is kept");
		break;
	}
}

/* The verdict: the accuracy, its target and why it was missed, and what that took. Only the accuracy of a
 * builder that repeats runs until it is reached has a target. */
static void print_verdict(const struct cli_build *build)
{
	static const char *const stops[] = {[FT_STOP_TOLERANCE] = "",
					    [FT_STOP_BUDGET] = "; out of budget",
					    [FT_STOP_POINTS] = "; as many sizes as --limit allows",
					    [FT_STOP_EXHAUSTED] = "; no size is left",
					    [FT_STOP_INTERRUPTED] =
						    "; interrupted, every finished run is kept"};
	const struct ft_sweep_report *report = &build->report;
	char known[FT_TELL_WITHIN], share[FT_UNIT_LENGTH], cost[FT_UNIT_LENGTH];
	bool missed = build->options.builder->repeats &&
		      build->report.known_to > 1.05 * cli_build_tolerance(build),
	     modelled = report->models > 0;

	if (modelled) {
		cli_terminal_paint(missed ? CLI_RED : CLI_BOLD);
		printf("accuracy %s",
		       isnan(report->known_to) ? "not known" : ft_tell_within(report->known_to, known));
		cli_terminal_paint(CLI_PLAIN);
		if (build->options.builder->repeats)
			printf(" (target %s)", ft_share_format(cli_build_tolerance(build), share));
		printf(": ");
	}
	if (modelled && missed) {
		print_missed(build);
		printf("; ");
	}
	printf("%zu size%s, %zu run%s in %s", report->points, report->points == 1 ? "" : "s", report->runs,
	       report->runs == 1 ? "" : "s", ft_value_format(report->cost_s, "s", cost));
	if (report->known)
		printf(", and %zu earlier run%s of %s", report->known, report->known == 1 ? "" : "s",
		       ft_value_format(report->known_cost_s, "s", cost));
	/* Why the sweep ended is of no interest when the target was reached before. */
	if (!(modelled && missed) &&
	    (report->stop == FT_STOP_INTERRUPTED || report->stop == FT_STOP_EXHAUSTED ||
	     !build->options.builder->repeats || isnan(report->known_to)))
		fputs(stops[report->stop], stdout);
	putchar('\n');
}

/* The sizes that were not run, with the accuracy at the largest of them: the model's accuracy covers
 * reached sizes only. */
static void print_not_run(const struct cli_build *build, const struct cli_models *models)
{
	struct ft_size largest = {.n = build->program.n_params};
	struct ft_prediction at = {.known = NAN};
	char most[256], known[FT_TELL_WITHIN];

	if (!build->report.not_run_beyond.n)
		return;
	(void)ft_size_format(&build->program, &build->report.not_run_beyond, most, sizeof most);
	printf("not run: beyond %s (%s)", most, build->options.far == FT_FAR_MEASURE ? "budget" : "far=");
	for (size_t i = 0; i < largest.n; i++)
		largest.value[i] = build->program.param[i].most;
	if (models->answerer &&
	    !ft_ask_predict(models->answerer, build->options.resource, &largest, 0.9, &at, NULL) &&
	    !isnan(at.known)) {
		(void)ft_size_format(&build->program, &largest, most, sizeof most);
		printf("; accuracy at %s: %s", most, ft_tell_within(at.known, known));
	}
	putchar('\n');
}

/* Whether all measured sizes share one value of a parameter that has a range. */
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

/* Parameters without effect, and sizes that were not run for reasons other than their cost. */
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
		printf("holes: %zu combination%s left out, not admitted\n", report->holes,
		       report->holes == 1 ? "" : "s");
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

static void print_report(const struct cli_build *build, const struct cli_models *models)
{
	const struct ft_sweep_report *report = &build->report;
	char share[FT_UNIT_LENGTH], far[FT_TELL_FAR];

	cli_auto_print(build);
	print_sizes(build);
	if (models->answerer && report->models) {
		/* The resource that steered, and memory; all of them with -v. */
		static const struct ft_resource *const memory[] = {&ft_peak_tree_bytes, &ft_peak_rss_bytes};
		const struct ft_resource *shown[2] = {build->options.resource, NULL};

		for (size_t i = 0; i < 2 && !shown[1]; i++)
			if (ft_ask_has(models->answerer, memory[i]))
				shown[1] = memory[i];
		(void)cli_print_models(models, shown,
				       build->verbose ? 0
				       : shown[1]     ? 2
						      : 1,
				       build->verbose, stdout);
		putchar('\n');
	}
	print_verdict(build);
	if (report->hindrance.busy)
		printf("busy: contention slowed runs down %s; wall times are corrected to an idle machine\n",
		       ft_tell_far(report->hindrance.slow_down, far));
	if (report->noisy)
		printf("noisy: single runs vary by %s; try --pin or a quieter machine\n",
		       ft_tell_within(report->scatter, share));
	print_left_out(build);
	print_not_run(build, models);
	const char *remedy = report->stop == FT_STOP_BUDGET   ? "allow more seconds with --budget"
			     : report->stop == FT_STOP_POINTS ? "allow more sizes with --limit"
							      : "build it again with a wider range";

	if (report->points == 1)
		printf("one size only: its growth is not known; %s\n", remedy);
	for (size_t i = 0; i < build->program.n_params && report->points > 1; i++)
		if (has_one_value(build, i))
			printf("one value of %s only: other values are not known; %s\n",
			       build->program.param[i].name, remedy);
	shape_print(build);
	if (build->verbose) {
		/* Report the cost of half and twice the requested distance between intervals (000 section 4). */
		const char *top = build->options.of_top ? "top" : "";

		for (size_t i = 0; i < report->n_prices; i++) {
			const struct ft_sweep_price *price = &report->price[i];
			char seconds[FT_UNIT_LENGTH];

			printf("%s--tolerance %g%%%s: about %zu size%s, %s", i ? "; " : "",
			       100 * price->tolerance, top, price->sizes, price->sizes == 1 ? "" : "s",
			       ft_value_format(price->seconds, "s", seconds));
		}
		if (report->n_prices) {
			char seconds[FT_UNIT_LENGTH];

			printf(" (this build: %zu, %s, one run of each)\n", report->own.sizes,
			       ft_value_format(report->own.seconds, "s", seconds));
		}
	}
	if (models->answerer && report->models && cli_build_is_last) {
		printf("next: foretime predict %s", build->program.name);
		for (size_t i = 0; i < build->program.n_params; i++)
			printf(" %s=SIZE", build->program.param[i].name);
		putchar('\n');
	}
	size_t n;
	char **routine = build_routines(build, &n);
	for (size_t i = 0; i < n; i++) {
		printf("%s%s%s", i ? ", " : "routines: ", routine[i], i + 1 < n ? "" : "\n");
		free(routine[i]);
	}
	free(routine);
}

void cli_build_report(const struct cli_build *build)
{
	/* The models of the program just built, from the same store. The answerer is NULL when there is no model. */
	struct cli_models models = {.store = build->store, .here = build->machine.id};

	if (ft_ask_open_on(&models.answerer, build->store, build->program.name, build->program.device,
			   build->machine.fingerprint, build->machine.id, NULL))
		models.answerer = NULL;

	if (build->json)
		build_tell(build, &models);
	else
		print_report(build, &models);
	ft_ask_close(models.answerer);
}

void cli_auto_print(const struct cli_build *build)
{
	const struct cli_auto *automatic = &build->automatic;
	const struct ft_reach *reach = &automatic->reach;
	char most[FT_NUMBER_LENGTH], at[FT_NUMBER_LENGTH], need[FT_UNIT_LENGTH], limit[FT_UNIT_LENGTH],
		memory[FT_UNIT_LENGTH];

	if (!automatic->word)
		return;
	printf("%s: up to %s, ", automatic->name, ft_number_format(reach->most, most));
	if (reach->bound == FT_REACH_WHERE)
		printf("for no larger one meets %s", build->program.where);
	else if (reach->bound == FT_REACH_MEMORY)
		printf("where a run is expected to need %s",
		       ft_value_format(reach->need_bytes, "bytes", need));
	else
		printf("for a run at %s %s", ft_number_format(reach->bound_at, at),
		       reach->bound == FT_REACH_KILLED ? "was killed for memory" : "failed");
	printf(" (limit %s, %.0f %% of %s: %s)\n\n", ft_value_format(reach->limit_bytes, "bytes", limit),
	       100 * CLI_AUTO_MEMORY, ft_value_format(automatic->memory_bytes, "bytes", memory),
	       automatic->why);
}
