/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - `foretime plan`: divides a total over processors, and maps calls to machines. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/plan/plan.h"
#include "foretime/adapt.h"
#include "foretime/base.h"
#include "foretime/plan.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * `foretime plan export`: write a model as a file of a runtime system that schedules.
 */

/* StarPU trusts a value after this many samples (STARPU_CALIBRATE_MINIMUM). */
enum { BELIEVED = 10 };

struct plan_exported {
	struct cli_plan *plan;
	struct ft_carry_point *point; /* [n] */
	size_t n, axis;
};

static int add_point(struct plan_exported *x, struct ft_answerer *answerer, const struct ft_size *size)
{
	double value = size->value[x->axis];
	struct ft_prediction at;
	struct ft_err err = {0};

	if (!(value >= 1 && value <= 4294967295.0) || value != floor(value))
		return cli_fail("StarPU cannot know the size %g\n"
				"hint: its sizes are whole numbers from 1 to 2^32 - 1",
				value);
	if (ft_ask_predict(answerer, &ft_wall_s, size, 0.9, &at, &err))
		return cli_error(&err);
	x->point = cli_grow(x->point, x->n, sizeof *x->point);
	x->point[x->n++] = (struct ft_carry_point){
		.size = (uint64_t)value,
		.mean_s = at.value,
		.deviation_s = !isfinite(at.upper) ? 0 : fmax(0, at.upper - at.lower) / 2 / 1.6448536,
		.runs = at.runs > BELIEVED ? at.runs : BELIEVED};
	return CLI_DONE;
}

/* The sizes that are typed, or those that were measured. */
static int find_points(struct plan_exported *x, struct ft_answerer *answerer)
{
	const struct cli_words words = {.word = (char **)x->plan->word, .n = x->plan->words};
	FT_CLEANUP(cli_sizes_clear) struct cli_sizes sizes = {0};
	const struct ft_model_record *record;
	struct ft_err err = {0};
	size_t n = 0;

	if (words.n > 1) {
		CLI_TRY(cli_sizes_find(&sizes, answerer, &words, NULL));
		for (size_t i = 0; i < sizes.n; i++)
			CLI_TRY(add_point(x, answerer, &sizes.size[i]));
		return CLI_DONE;
	}
	if (!ft_ask_runs(answerer)->n)
		return cli_fail("'%s' was never run: name sizes, as in n=1000,2000", x->plan->word[0]);
	if (ft_ask_model(answerer, &ft_wall_s, &ft_ask_runs(answerer)->run[0].size, &record, &err))
		return cli_error(&err);
	const struct ft_knot *knot = ft_model_knots(record->model, &n);
	for (size_t i = 0; i < n; i++)
		CLI_TRY(add_point(x, answerer, &knot[i].size));
	return CLI_DONE;
}

static int check_words(const struct cli_plan *plan)
{
	if (plan->format && plan->symbol && plan->host_name)
		return CLI_DONE;
	return cli_fail("which %s?\n"
			"hint: foretime plan export NAME --format starpu,symbol=CODELET,host=HOST",
			!plan->format   ? "format"
			: !plan->symbol ? "codelet is it of"
					: "host is it for");
}

static int check_host(const struct cli_plan *plan)
{
	if (plan->n_hosts == 1 && plan->host[0].count == 1)
		return CLI_DONE;
	return cli_fail("a model of StarPU is of one processor core of one machine, not of '%s'\n"
			"hint: export it once for each machine: --on %s",
			plan->on, plan->host[0].name);
}

static void clear_exported(struct plan_exported *x)
{
	free(x->point);
}

static int plan_export(void *query)
{
	FT_CLEANUP(clear_exported) struct plan_exported x = {.plan = query};
	size_t axis[FT_PARAMS_MAX];

	CLI_TRY(check_words(x.plan));
	CLI_TRY(cli_plan_open(x.plan));
	CLI_TRY(check_host(x.plan));
	const struct cli_source *source = cli_plan_source(x.plan, x.plan->word[0], x.plan->host[0].name);
	if (!source->answerer)
		return cli_error(&source->err);
	if (ft_ask_axes(source->answerer, axis) > 1)
		return cli_fail("'%s' depends on several parameters, and StarPU knows one size\n"
				"hint: build it over one of them, the others fixed",
				x.plan->word[0]);
	x.axis = axis[0];
	CLI_TRY(find_points(&x, source->answerer));
	struct ft_err err = {0};
	char *text;

	if (ft_carry_starpu(x.point, x.n, &text, &err))
		return cli_error(&err);
	fputs(text, stdout);
	free(text);
	cli_note("it belongs in $STARPU_HOME/.starpu/sampling/codelets/45/%s.%s; the codelet's footprint is "
		 "the size itself, and STARPU_CALIBRATE=0",
		 x.plan->symbol, x.plan->host_name);
	return CLI_DONE;
}

/*
 * `foretime plan revise`: check whether running work keeps to the plan, and whether to move it.
 */

struct revision {
	struct cli_plan *plan;
	json_t *root;
	struct ft_plan_runner *runner; /* [n] with a share; labels are the plan's */
	size_t n;
};

/* ---- the plan ----------------------------------------------------------------------------------------- */

static int no_plan(const char *path, const char *why)
{
	return cli_fail(
		"'%s' is not a plan that can be revised: %s\n"
		"hint: make it with: foretime plan partition NAME n=TOTAL --on HOSTS --json > PLAN.json",
		path, why);
}

static int add_runner(struct revision *q, const char *path, json_t *share)
{
	const char *label = json_string_value(json_object_get(share, "processor"));
	double units = json_number_value(json_object_get(share, "units"));
	double time = json_number_value(json_object_get(share, "time_s"));
	double upper = json_number_value(json_object_get(share, "upper_s"));
	struct ft_err err = {0};

	if (!label || !(units >= 0) || (units > 0 && !(time > 0)))
		return no_plan(path, "a share without processor, units or time_s");
	if (!(units > 0))
		return CLI_DONE;
	if (ft_plan_runner(&q->runner[q->n], label, units, time, upper, &err))
		return cli_error(&err);
	q->n++;
	return CLI_DONE;
}

static int read_plan(struct revision *q, const char *path)
{
	struct ft_err err = {0};
	json_t *each;
	size_t i;

	if (ft_tell_read_json(path, &q->root, &err))
		return no_plan(path, err.text);
	json_t *shares = json_object_get(q->root, "shares");
	if (!json_array_size(shares))
		return no_plan(path, "it has no \"shares\"");
	q->runner = cli_alloc(json_array_size(shares) * sizeof *q->runner);
	json_array_foreach(shares, i, each)
	{
		CLI_TRY(add_runner(q, path, each));
	}
	return CLI_DONE;
}

/* ---- progress so far
   -------------------------------------------------------------------------------------- */

static int look_at_row(struct revision *q, const struct ft_csv *csv, size_t row, const int column[4],
		       const char *path)
{
	const char *label = ft_csv_cell(csv, row, (size_t)column[0]);
	size_t own;
	struct ft_err err = {0};
	double seconds, done, total = NAN;
	int status = CLI_DONE;

	for (own = 0; own < q->n && strcmp(q->runner[own].label, label) != 0; own++)
		continue;
	if (own == q->n)
		return cli_fail("%s:%zu: the plan has no processor '%s'\n"
				"hint: they are called as the plan calls them: %s%s%s",
				path, ft_csv_line(csv, row), label, q->runner[0].label, q->n > 1 ? ", " : "",
				q->n > 1 ? q->runner[1].label : "");
	if (ft_csv_number(csv, row, (size_t)column[1], false, &seconds, &err) ||
	    ft_csv_number(csv, row, (size_t)column[2], false, &done, &err) ||
	    (column[3] >= 0 && ft_csv_number(csv, row, (size_t)column[3], true, &total, &err)))
		return cli_error(&err);
	if (total > 0) /* of the share, in the program's own unit */
		done *= q->runner[own].units / total;
	CLI_OWN char *where = cli_printed("%s:%zu", path, ft_csv_line(csv, row));
	if (ft_plan_look(q->runner, q->n, own, seconds, done, q->plan->cost_s, &err))
		status = cli_error_at(&err, "%s", where);
	return status;
}

static int read_progress(struct revision *q, const char *path)
{
	static const char *const names[3] = {"processor", "seconds", "done"};
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int column[4], status = CLI_DONE;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	for (size_t i = 0; i < 3 && status == CLI_DONE; i++) {
		column[i] = ft_csv_column(csv, names[i]);
		if (column[i] >= 0)
			continue;
		status = cli_fail("'%s' has no column '%s'\n"
				  "hint: a row is a look at a processor: processor, seconds since it began, "
				  "done (units)",
				  path, names[i]);
	}
	column[3] = ft_csv_column(csv, "total");
	for (size_t i = 0; i < ft_csv_rows(csv) && status == CLI_DONE; i++)
		status = look_at_row(q, csv, i, column, path);
	ft_csv_free(csv);
	return status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static double seen(const struct ft_plan_runner *r, double seconds)
{
	return r->looked && isfinite(seconds) ? seconds : (double)NAN;
}

static int answer_revision(struct revision *q)
{
	bool move = false;

	if (!q->plan->progress || isnan(q->plan->cost_s))
		return cli_fail("plan revise needs %s\n"
				"hint: foretime plan revise PLAN.json RUNS.csv --cost 30s",
				q->plan->progress ? "what a move costs" : "how it went so far");
	CLI_TRY(read_plan(q, q->plan->word[0]));
	if (!q->n)
		return no_plan(q->plan->word[0], "no processor has a share");
	CLI_TRY(read_progress(q, q->plan->progress));
	for (size_t i = 0; i < q->n; i++)
		move = move || q->runner[i].last.move;
	CLI_OWN struct ft_answer_revision *each = cli_alloc(q->n * sizeof *each);
	const struct ft_answer_revisions answer = {move, each, q->n};

	for (size_t i = 0; i < q->n; i++) {
		const struct ft_plan_runner *r = &q->runner[i];

		each[i] = (struct ft_answer_revision){.processor = r->label,
						      .looked = r->looked,
						      .move = r->last.move,
						      .broken = r->last.broken,
						      .done = r->done,
						      .units = r->units,
						      .loss_s = r->last.loss_s,
						      .cost_s = r->cost_s,
						      .stay_s = seen(r, r->last.stay_s),
						      .move_s = seen(r, r->last.move_s)};
	}
	if (q->plan->json) {
		cli_tell(&ft_tell_revise, &answer, NULL);
	} else {
		cli_tell_table(&ft_tell_revision, each, q->n, NULL);
	}
	return move ? CLI_NO : CLI_DONE;
}

static int plan_revise(void *query)
{
	struct revision q = {.plan = query};
	int status = answer_revision(&q);

	json_decref(q.root);
	free(q.runner);
	return status;
}

/*
 * `foretime plan`: divides a total over processors, and maps calls to machines.
 */

static const struct cli_action actions[] = {
	{"partition", "divide a total over processors, so that the last one is done first",
	 "NAME... n=TOTAL [m=100] [--on HOST,HOST:4] [OPTION...]",
	 "on resources granularity risk deadline least front price all effort format output dark json "
	 "live "
	 "via runs -- store",
	 1, SIZE_MAX, cli_plan_partition},
	{"rank", "rank machines, or partitions of a cluster",
	 "NAME n=SIZE [--on HOST,HOST | --ask ADDRESS,ADDRESS] [--wait HOST=30s] [OPTION...]",
	 "on ask resources wait reserve sinfo risk deadline price format json store", 1, SIZE_MAX,
	 cli_plan_rank},
	{"map", "give independent tasks to machines, so that the last one is done first",
	 "TASKS.csv --on HOST,HOST:4 [--deadline T] [OPTION...]",
	 "on ask resources reserve risk deadline effort seed format output dark json store", 1, 1,
	 cli_plan_map},
	{"schedule", "give the tasks of a graph machines and times",
	 "GRAPH.json --on HOSTS [--links LINKS.csv] [--mode MODE] [OPTION...]",
	 "on ask resources links reserve mode risk deadline effort seed format output dark json store", 1, 1,
	 cli_plan_schedule},
	{"revise", "decide whether running work stays or moves", "PLAN.json RUNS.csv --cost T [OPTION...]",
	 "progress cost format json", 1, 2, plan_revise},
	{"export", "print a model for a system that plans by itself",
	 "NAME --format starpu,symbol=CODELET,host=HOST [n=SIZE,...] [OPTION...]", "on format store", 1,
	 SIZE_MAX, plan_export},
	{0},
};

/* Formats by action. */
static const struct {
	const char *action, *formats; /* with a blank between them */
} formats[] = {
	{"partition", "multi-prog mpiexec parallel csv json"},
	{"rank", "slurm snakemake json"},
	{"map", "csv json"},
	{"schedule", "slurm starpu csv dot json"},
	{"export", "starpu"},
};

static int check_options(const struct cli_plan *plan, const struct cli_words *words, const char *action)
{
	for (size_t i = 0; plan->format && i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].action, action) &&
		    ft_word_at(formats[i].formats, plan->format) == SIZE_MAX)
			return cli_fail("plan %s has no format '%s'\n"
					"hint: there are %s",
					action, plan->format, formats[i].formats);
	if (plan->plot && !strcmp(plan->plot, "-") && plan->format)
		return cli_fail("-o - and --format %s both go to standard output\n"
				"hint: name a picture: -o FILE.svg",
				plan->format);
	if (plan->least && strcmp(plan->least, "energy") != 0)
		return cli_fail("--least is energy or both, not '%s'\n"
				"hint: without it the plan is the fastest",
				plan->least);
	if (!plan->live && (words->n_rest || plan->rounds != SIZE_MAX))
		return cli_fail(
			"a command behind -- and --runs are for --via\n"
			"hint: foretime plan partition --via local NAME n=TOTAL --on a,b -- PROG {n}");
	if (plan->deadline_s <= 0)
		return cli_fail("--deadline is a time above 0, as in 2h");
	if (plan->risk > 0.25 || plan->memory_risk > 0.25)
		return cli_fail("a risk of %g %% is above 25 %%\n"
				"hint: state the share of runs that may need more, as in 5%%",
				100 * fmax(plan->risk, plan->memory_risk));
	if (!isnan(plan->effort) && !(plan->effort >= 1 && plan->effort <= 1e15))
		return cli_fail("--effort is a number of costs to look at, as in 1e6");
	return CLI_DONE;
}

static int run_plan(const struct cli_command *command, int argc, char **argv)
{
	struct cli_plan plan = {.agent = CLI_AGENT_USUAL,
				.granularity = NAN,
				.min = NAN,
				.deadline_s = NAN,
				.effort = NAN,
				.cost_s = NAN,
				.rounds = SIZE_MAX};
	const struct ft_field options[] = {
		{0, "on", FT_FIELD_TEXT, &plan.on, "HOSTS",
		 "machines by host name or fingerprint, with commas; HOST:4 is four processors alike"},
		CLI_AGENT_OPTIONS(plan.agent, "managers to ask: https://HOST:PORT or unix:PATH",
				  "on sinfo store"),
		{0, "load", FT_FIELD_WORD, &plan.agent.load, "KIND",
		 "load of the machines: now (default), usual or idle", .words = "idle|usual|now",
		 .of = "ask"},
		{0, "resources", FT_FIELD_TEXT, &plan.resources_path, "FILE.csv",
		 "table of hosts: host, and any of cores, memory, storage, price, watts, limit, wait, load, "
		 "reserved"},
		{0, "deadline", FT_FIELD_DURATION, &plan.deadline_s, "T", "time by which all is done"},
		{0, "risk", FT_FIELD_SHARE, &plan.risk, "R",
		 "risk of taking longer than planned; default: plan with typical runs"},
		{0, "memory-risk", FT_FIELD_SHARE, &plan.memory_risk, "R",
		 "risk of a run that needs more memory than there is; default 1%", .of = "risk"},
		{0, "format", FT_FIELD_TEXT, &plan.format, "KIND",
		 "text (default), json, csv, or a file for those that carry the plan out"},
		{0, "symbol", FT_FIELD_TEXT, &plan.symbol, "CODELET", "starpu: name of its model",
		 .of = "format"},
		{0, "host", FT_FIELD_TEXT, &plan.host_name, "HOST", "starpu: its name of the machine",
		 .of = "format"},
		{'o', "output", FT_FIELD_TEXT, &plan.plot, "FILE",
		 "picture of the plan, .svg, .png or .pdf; -: on the terminal"},
		CLI_DARK_OPTION(plan.dark),
		{0, "json", FT_FIELD_FLAG, &plan.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(plan.store_path),
		CLI_GROUP("partition"),
		{0, "granularity", FT_FIELD_NUMBER, &plan.granularity, "G", "step of the shares"},
		{0, "min", FT_FIELD_NUMBER, &plan.min, "K",
		 "smallest share; default 0: a processor may be idle", .of = "granularity"},
		{0, "live", FT_FIELD_FLAG, &plan.live, NULL, NULL},
		{0, "via", FT_FIELD_TEXT, &plan.via, "KIND",
		 "divide, run the command behind --, with {n} and {host}, and divide again; starter of the "
		 "pieces: local, mpiexec, srun or parallel"},
		{'n', "runs", FT_FIELD_COUNT, &plan.rounds, "N", "maximum number of rounds; default 12"},
		CLI_GROUP("when machines are free"),
		{0, "wait", FT_FIELD_TEXTS, &plan.wait, "HOST=T",
		 "wait for a machine or partition; may be repeated"},
		{0, "reserve", FT_FIELD_TEXTS, &plan.reserve, "HOST=T|HOST=T0:T1",
		 "time when a host is reserved; may be repeated"},
		{0, "sinfo", FT_FIELD_TEXT, &plan.sinfo_path, "FILE",
		 "partitions as sinfo -o '%P %a %l %N %c %m' prints them, or Snakemake's file of them; "
		 "without it, slurm runs sinfo"},
		CLI_GROUP("schedule"),
		{0, "links", FT_FIELD_TEXT, &plan.links_path, "FILE.csv",
		 "table of links between hosts: from, to, latency, bandwidth"},
		{0, "mode", FT_FIELD_TEXT, &plan.mode, "MODE",
		 "dag: tasks that end (default); concurrent, sequential, hybrid: modules that run all the "
		 "time, or by turns, or stages of them"},
		{0, "weights", FT_FIELD_TEXT, &plan.weights, "W1,W2",
		 "what computing and sending of modules count, 0 .. 1; default 1,1", .of = "mode"},
		CLI_GROUP("energy, and what it costs"),
		{0, "least", FT_FIELD_TEXT, &plan.least, "WHAT",
		 "energy: by the deadline, with the least energy; both: time against energy, the plans that "
		 "are not worse in both (Pareto front)"},
		CLI_PRICE_OPTIONS(
			plan.price,
			"price of energy, as in 0.30EUR/kWh; rank: of time, HOST=0.10/h,... or FILE.csv"),
		{0, "front", FT_FIELD_FLAG, &plan.front, NULL, NULL},
		{0, "all", FT_FIELD_FLAG, &plan.all, NULL, "print all plans of --least both, not 20"},
		CLI_GROUP("how plans are searched"),
		{0, "effort", FT_FIELD_NUMBER, &plan.effort, "N",
		 "number of costs to look at; the same N gives the same plan"},
		{0, "seed", FT_FIELD_COUNT, &plan.seed, "N", "seed of what a search draws; default 0"},
		CLI_GROUP("revise"),
		{0, "progress", FT_FIELD_TEXT, &plan.progress, "FILE.csv", NULL},
		{0, "cost", FT_FIELD_DURATION, &plan.cost_s, "T",
		 "cost of a move: checkpoint, transfer, restart"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	plan.word = words.word + 1;
	plan.words = words.n - 1;
	plan.rest = words.rest;
	plan.n_rest = words.n_rest;
	if (plan.words > 1 && words.action->act == plan_revise)
		plan.progress = plan.word[1];
	plan.live |= plan.via != NULL;
	if (plan.least && !strcmp(plan.least, "both")) {
		plan.front = true;
		plan.least = NULL;
	}
	status = check_options(&plan, &words, words.action->name);
	if (plan.json)
		plan.format = NULL;
	const bool rank = words.action->act == cli_plan_rank; /* which reads its own prices */
	if (status == CLI_DONE && !rank)
		status = cli_price_read(&plan.price, false);
	if (status == CLI_DONE && !rank && cli_price_stated(&plan.price) && !plan.least && !plan.front)
		status = cli_fail("--price and --co2 are of energy\nhint: plan it: --least energy");
	if (status == CLI_DONE)
		status = words.action->act(&plan);
	cli_plan_close(&plan);
	return status;
}

const struct cli_command cli_plan = {
	"plan",
	"divide work over processors and machines by their models",
	NULL,
	"partition: the total is a size, and shares go into the same parameter. Exit status: 0 done, 1 there "
	"is no such\n"
	"plan (revise: move), 2 wrong use or failure.\n",
	actions,
	run_plan,
};
