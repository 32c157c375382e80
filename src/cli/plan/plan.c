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
	 "on resources granularity risk deadline least front price all effort grid format output json live "
	 "via runs -- store",
	 1, SIZE_MAX, cli_plan_partition},
	{"rank", "rank machines, or partitions of a cluster",
	 "NAME n=SIZE [--on HOST,HOST] [--wait HOST=30s] [--reserve HOST=1h:2h] [OPTION...]",
	 "on resources wait reserve sinfo risk format json store", 1, SIZE_MAX, cli_plan_rank},
	{"map", "give independent tasks to machines, so that the last one is done first",
	 "TASKS.csv --on HOST,HOST:4 [--deadline T [--least energy]] [OPTION...]",
	 "on resources reserve risk deadline least price effort seed format output json store", 1, 1,
	 cli_plan_map},
	{"schedule", "give the tasks of a graph machines and times",
	 "GRAPH.json --on HOSTS [--links LINKS.csv] [--mode MODE] [OPTION...]",
	 "on resources links reserve mode risk deadline effort seed format output json store", 1, 1,
	 cli_plan_schedule},
	{"revise", "decide whether running work stays or moves", "PLAN.json RUNS.csv --cost T [OPTION...]",
	 "progress cost format json", 1, 2, cli_plan_revise},
	{"export", "print a model for a system that plans by itself",
	 "NAME --format starpu,symbol=CODELET,host=HOST [n=SIZE,...] [OPTION...]", "on format store", 1,
	 SIZE_MAX, cli_plan_export},
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
		 "picture of the plan: FILE.svg, FILE.png; -: on the terminal"},
		{0, "json", FT_FIELD_FLAG, &plan.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(plan.store_path),
		CLI_GROUP("partition"),
		{0, "granularity", FT_FIELD_NUMBER, &plan.granularity, "G", "step of the shares"},
		{0, "min", FT_FIELD_NUMBER, &plan.min, "K",
		 "smallest share; default 0: a processor may be idle", .of = "granularity"},
		{0, "grid", FT_FIELD_TEXT, &plan.grid, "ROWSxCOLUMNS",
		 "the total is a grid of blocks: a rectangle for each processor"},
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
		CLI_PRICE_OPTIONS(plan.price),
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
	if (plan.words > 1 && words.action->act == cli_plan_revise)
		plan.progress = plan.word[1];
	plan.live |= plan.via != NULL;
	if (plan.least && !strcmp(plan.least, "both")) {
		plan.front = true;
		plan.least = NULL;
	}
	status = check_options(&plan, &words, words.action->name);
	if (plan.json)
		plan.format = NULL;
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
