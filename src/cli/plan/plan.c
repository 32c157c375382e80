/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - who does what: a total divided over processors, calls over machines. */
#include "cli/plan/plan.h"
#include "base/word.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct cli_action actions[] = {
	{"partition", "divide a total over processors, so that the last one is done first",
	 "NAME... n=TOTAL [m=100] [--on HOST,HOST:4] [OPTION...]",
	 "on resources granularity min risk memory-risk deadline least front price co2 all effort grid "
	 "format plot json live via rounds -- store",
	 1, SIZE_MAX, cli_plan_partition},
	{"rank", "say in which order to ask machines, or partitions of a cluster",
	 "NAME n=SIZE [--on HOST,HOST] [--wait HOST=30s] [--reserve HOST=1h:2h] [OPTION...]",
	 "on resources wait reserve sinfo risk memory-risk format json store", 1, SIZE_MAX, cli_plan_rank},
	{"map", "give independent tasks to machines, so that the last one is done first",
	 "TASKS.csv --on HOST,HOST:4 [--deadline T [--least energy]] [OPTION...]",
	 "on resources reserve risk memory-risk deadline least price co2 effort seed format plot json store",
	 1, 1, cli_plan_map},
	{"schedule", "give the tasks of a graph machines and times",
	 "GRAPH.json --on HOSTS [--links LINKS.csv] [--mode MODE] [OPTION...]",
	 "on resources links reserve mode weights risk memory-risk deadline effort seed format plot json "
	 "store",
	 1, 1, cli_plan_schedule},
	{"revise", "say whether what runs as planned stays or moves",
	 "PLAN.json --progress RUNS.csv --cost T [OPTION...]", "progress cost json", 1, 1, cli_plan_revise},
	{"export", "print a model for a system that plans by itself",
	 "NAME --format starpu --symbol CODELET --host HOST [n=SIZE,...] [OPTION...]",
	 "on format symbol host store", 1, SIZE_MAX, cli_plan_export},
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
	if (plan->json && plan->format && strcmp(plan->format, "json") != 0)
		return cli_fail("--json and --format %s exclude each other", plan->format);
	if (plan->plot && !strcmp(plan->plot, "-") && (plan->json || plan->format))
		return cli_fail("--plot - and --%s both go to standard output\n"
				"hint: name a picture: --plot FILE.svg",
				plan->json ? "json" : "format");
	if (plan->least && strcmp(plan->least, "energy") != 0)
		return cli_fail("--least is energy, not '%s'\n"
				"hint: without it the plan is the fastest",
				plan->least);
	if (!plan->live && (words->n_rest || plan->via || plan->rounds != SIZE_MAX))
		return cli_fail("a command behind --, --via and --rounds are for --live\n"
				"hint: foretime plan partition --live NAME n=TOTAL --on a,b -- PROG {n}");
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
	struct cli_plan plan = {.granularity = NAN,
				.min = NAN,
				.deadline_s = NAN,
				.effort = NAN,
				.cost_s = NAN,
				.rounds = SIZE_MAX};
	const struct ft_field options[] = {
		{0, "on", FT_FIELD_TEXT, &plan.on, "HOSTS",
		 "machines by host name or fingerprint, with commas; HOST:4 is four processors alike"},
		{0, "resources", FT_FIELD_TEXT, &plan.resources_path, "FILE.csv",
		 "what hosts have: host, and any of cores, memory, storage, price, watts, limit, wait, load, "
		 "reserved"},
		{0, "deadline", FT_FIELD_DURATION, &plan.deadline_s, "T", "when all is to be done"},
		{0, "risk", FT_FIELD_SHARE, &plan.risk, "R",
		 "of taking longer than the plan says; default: plan with typical runs"},
		{0, "format", FT_FIELD_TEXT, &plan.format, "KIND",
		 "a file for those that carry the plan out"},
		{0, "plot", FT_FIELD_TEXT, &plan.plot, "FILE",
		 "draw the plan, too: FILE.svg, FILE.png; -: on the terminal"},
		CLI_ANSWER_OPTIONS(plan.json, plan.store_path),
		CLI_GROUP("partition"),
		{0, "granularity", FT_FIELD_NUMBER, &plan.granularity, "G", "shares are multiples of G"},
		{0, "min", FT_FIELD_NUMBER, &plan.min, "K",
		 "no share is below K; default 0: a processor may be idle"},
		{0, "grid", FT_FIELD_TEXT, &plan.grid, "ROWSxCOLUMNS",
		 "the total is a grid of blocks: a rectangle for each processor"},
		{0, "live", FT_FIELD_FLAG, &plan.live, NULL,
		 "divide, run, divide again: the command behind --, with {n} and {host}"},
		{0, "via", FT_FIELD_TEXT, &plan.via, "KIND",
		 "who starts the pieces: local (default), mpiexec, srun or parallel"},
		{0, "rounds", FT_FIELD_COUNT, &plan.rounds, "N", "runs of all at once, at most; default 12"},
		CLI_GROUP("when machines are free"),
		{0, "wait", FT_FIELD_TEXTS, &plan.wait, "HOST=T",
		 "how long a machine or partition lets wait; may be given several times"},
		{0, "reserve", FT_FIELD_TEXTS, &plan.reserve, "HOST=T|HOST=T0:T1",
		 "when a host is taken by others; may be given several times"},
		{0, "sinfo", FT_FIELD_TEXT, &plan.sinfo_path, "FILE",
		 "partitions as sinfo -o '%P %a %l %N %c %m' prints them, or Snakemake's file of them; "
		 "without it, slurm runs sinfo"},
		CLI_GROUP("schedule"),
		{0, "links", FT_FIELD_TEXT, &plan.links_path, "FILE.csv",
		 "how fast hosts send to each other: from, to, latency, bandwidth"},
		{0, "mode", FT_FIELD_TEXT, &plan.mode, "MODE",
		 "dag: tasks that end (default); concurrent, sequential, hybrid: modules that run all the "
		 "time, or by turns, or stages of them"},
		{0, "weights", FT_FIELD_TEXT, &plan.weights, "W1,W2",
		 "what computing and sending count, of modules, 0 .. 1; default 1,1"},
		CLI_GROUP("energy, and what it costs"),
		{0, "least", FT_FIELD_TEXT, &plan.least, "energy",
		 "by the deadline, for as little energy as can be"},
		CLI_PRICE_OPTIONS(plan.price),
		{0, "front", FT_FIELD_FLAG, &plan.front, NULL,
		 "time against energy: plans of which none is better in both"},
		{0, "all", FT_FIELD_FLAG, &plan.all, NULL, "all plans of the front, not 20"},
		CLI_GROUP("how plans are searched"),
		{0, "memory-risk", FT_FIELD_SHARE, &plan.memory_risk, "R",
		 "of a run that needs more memory than there is; default 1%"},
		{0, "effort", FT_FIELD_NUMBER, &plan.effort, "N",
		 "costs to look at; the same N gives the same plan"},
		{0, "seed", FT_FIELD_COUNT, &plan.seed, "N", "of what a search draws; default 0"},
		CLI_GROUP("revise, and export"),
		{0, "progress", FT_FIELD_TEXT, &plan.progress, "FILE.csv",
		 "looks at what runs: processor, seconds since it began, done (units)"},
		{0, "cost", FT_FIELD_DURATION, &plan.cost_s, "T", "of a move: checkpoint, transfer, restart"},
		{0, "symbol", FT_FIELD_TEXT, &plan.symbol, "CODELET", "as StarPU calls its model"},
		{0, "host", FT_FIELD_TEXT, &plan.host_name, "HOST", "as StarPU calls the machine"},
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
	status = check_options(&plan, &words, words.action->name);
	if (status == CLI_DONE)
		status = cli_price_read(&plan.price);
	if (status == CLI_DONE && cli_price_stated(&plan.price) && !plan.least && !plan.front)
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
