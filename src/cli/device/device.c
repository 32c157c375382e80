/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.c - chooses the device on which a routine should run. */
#include "cli/cli.h"
#include "cli/device/device.h"
#include "foretime/base.h"
#include "kernel/door.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void device_drivers(const struct cli_device *query);

static int device_open(struct cli_device *query);

/*
 * List the devices of this machine.
 */

#define ITEM struct ft_hardware_item
static const struct ft_tell_row item_rows[] = {
	{FT_TELL(ITEM, id), .about = "as foretime build --device takes it", .head = "device"},
	{FT_TELL_BY(WORD, "kind", ITEM, kind), .word = ft_hardware_kind_text, .words = "cpu|gpu|accelerator",
	 .head = "kind"},
	{FT_TELL(ITEM, name), .null = "not known", .head = "name"},
	{FT_TELL(ITEM, platform), .null = "none", .head = "platform", .none = ""},
	{FT_TELL(ITEM, driver), .about = "its version; another one invalidates what was measured",
	 .null = "none", .head = "driver", .none = ""},
	{FT_TELL(ITEM, compiler), .about = "of OpenCL, in its own words", .null = "none", .head = "compiler",
	 .none = ""},
	{FT_TELL(ITEM, units), .about = "cores, or compute units", .null = "not known", .head = ">units"},
	{FT_TELL(ITEM, memory_bytes), .null = "not known"},
	{0},
};
static const struct ft_tell_record item = {.bytes = sizeof(ITEM), .row = item_rows};

#define ALL struct ft_hardware
static const struct ft_tell_row rows[] = {
	{FT_TELL_MANY(LIST, "devices", ALL, item, n, &item)},
	{FT_TELL(ALL, opencl), .about = "why it offers no device; empty: it does"},
	{FT_TELL(ALL, nvidia), .about = "why no card is listed; empty: one is"},
	{0},
};
const struct ft_tell_record cli_device_list_answer = {
	.name = "device", .action = "list", .version = 1, .row = rows};

static int device_list(void *ctx)
{
	const struct cli_device *query = ctx;
	struct ft_hardware hardware;
	struct ft_err err = {0};

	if (ft_hardware_read(&hardware, &err))
		return cli_error(&err);
	if (query->json) {
		cli_tell(&cli_device_list_answer, &hardware, NULL);
	} else {
		cli_tell_table(&item, hardware.item, hardware.n, NULL);
		if (hardware.opencl[0])
			printf("\nno device of OpenCL: %s\n", hardware.opencl);
		if (hardware.nvidia[0])
			printf("%sno card of NVIDIA: %s\n", hardware.opencl[0] ? "" : "\n", hardware.nvidia);
	}
	ft_hardware_clear(&hardware);
	return CLI_DONE;
}

/*
 * Compare the devices of a program at a size: the time of each, and its probability of being fastest.
 */

#define RANK struct ft_rank
static const char *device_text(const void *at)
{
	const char *device = *(const char *const *)at;

	return *device ? device : "(none)";
}

static char *chance_cell(const void *record, const struct ft_tell_with *with)
{
	const RANK *rank = record;

	(void)with;
	if (rank->why)
		return cli_printed("-");
	return rank->chance > 0.995 ? cli_printed("> 99 %%") : cli_printed("%.0f %%", 100 * rank->chance);
}

static char *wait_cell(const void *record, const struct ft_tell_with *with)
{
	const RANK *rank = record;
	char wait[FT_UNIT_LENGTH];

	(void)with;
	return cli_printed("%s", rank->wait_s > 0 ? ft_value_format(rank->wait_s, "s", wait) : "");
}

static const struct ft_tell_row rank_rows[] = {
	{FT_TELL_BY(SAID, "device", RANK, device), .say = device_text, .head = "device"},
	{FT_TELL_AS("value", RANK, at.value), .about = "of a typical run", .null = "not known",
	 .head = ">value", .unit = ""},
	{FT_TELL_AS("lower", RANK, at.lower), .about = "of single runs", .null = "not known", .head = ">from",
	 .unit = ""},
	{FT_TELL_AS("upper", RANK, at.upper), .null = "not known", .head = ">to", .unit = ""},
	{FT_TELL_AS("accuracy", RANK, at.known), .about = "the typical run, within that share",
	 .null = "not known", .head = ">known", .unit = "+-"},
	{FT_TELL_BY(WORD, "basis", RANK, at.basis), .word = ft_basis_text,
	 .words = "measured|interpolated|extrapolated|estimated", .head = "basis"},
	{FT_TELL(RANK, wait_s), .about = "until the device is free, which the choice counts", .head = ">wait",
	 .unit = "s", .cell = wait_cell},
	{FT_TELL(RANK, watts), .about = "energy by time of a typical run", .null = "not measured",
	 .head = ">power", .unit = "W", .none = ""},
	{FT_TELL(RANK, chance), .about = "that no other one is better", .head = ">best", .cell = chance_cell},
	{FT_TELL_BY(WORD, "left_out", RANK, why), .word = ft_rank_text,
	 .about = "why it is not chosen from; empty: it is", .head = ""},
	{0},
};
static const struct ft_tell_record ranks = {.bytes = sizeof(RANK), .row = rank_rows};

struct device_rank_answer {
	const char *name;
	const struct ft_resource *resource;
	struct ft_size size;
	const char *best; /* NULL: none can be chosen */
	double chance, loss;
	struct ft_rank *rank;
	size_t n;
};

static const struct ft_tell_row device_rank_rows[] = {
	{FT_TELL(struct device_rank_answer, name)},
	{FT_TELL(struct device_rank_answer, resource), .about = "what is to be least"},
	{FT_TELL(struct device_rank_answer, size), .about = "a value for each parameter"},
	{FT_TELL(struct device_rank_answer, best), .null = "no device can be chosen"},
	{FT_TELL(struct device_rank_answer, chance), .about = "that no other one is better", .null = "none"},
	{FT_TELL(struct device_rank_answer, loss), .about = "that is expected of choosing it now, as a share",
	 .null = "none"},
	{FT_TELL_MANY(LIST, "devices", struct device_rank_answer, rank, n, &ranks),
	 .about = "the best first"},
	{0},
};
const struct ft_tell_record cli_device_rank_answer = {
	.name = "device", .action = "rank", .version = 2, .row = device_rank_rows};

static int compare_standing(const void *a, const void *b)
{
	const struct ft_rank *p = a, *q = b;
	double x = isnan(p->at.value) ? INFINITY : p->at.value + p->wait_s,
	       y = isnan(q->at.value) ? INFINITY : q->at.value + q->wait_s;

	if ((p->why != 0) != (q->why != 0))
		return p->why ? 1 : -1;
	return (x > y) - (x < y);
}

static void print_ranking(const struct device_rank_answer *answer, const struct ft_program *program)
{
	const struct ft_tell_with with = {.program = program, .unit = answer->resource->unit};
	char at[256];

	(void)ft_size_format(program, &answer->size, at, sizeof at);
	printf("%s %s: %s of a typical run, and where 9 in 10 single runs are expected\n\n", answer->name, at,
	       answer->resource->name);
	cli_tell_table(&ranks, answer->rank, answer->n, &with);
	if (!answer->best)
		return;
	printf("\nbest: %s", *answer->best ? answer->best : "(none)");
	if (answer->n > 1)
		printf(", with a chance of %.0f %%; choosing it now is expected to cost %.2g %%",
		       100 * answer->chance, 100 * answer->loss);
	putchar('\n');
}

static int rank_program(struct cli_device *query)
{
	struct ft_rank rank[FT_DEVICES_MAX];
	struct device_rank_answer answer = {.name = query->word[0], .rank = rank, .chance = NAN, .loss = NAN};
	struct ft_err err = {0};
	size_t best;

	if (query->words > FT_PARAMS_MAX + 1)
		return cli_fail("%d parameters at most", FT_PARAMS_MAX);
	CLI_TRY(device_open(query));
	/* The sizes of the words, as the first device reads them. */
	const char *name[FT_PARAMS_MAX];
	char held[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	double value[FT_PARAMS_MAX];
	struct ft_answerer *first = ft_ranking_answerer(query->ranking, 0);
	size_t i;

	for (i = 0; i + 1 < query->words; i++) {
		struct ft_param param;

		if (ft_param_parse(query->word[i + 1], &param, &err))
			return cli_error(&err);
		if (param.least < param.most || !strchr(query->word[i + 1], '='))
			return cli_fail("'%s' is not a single value: rank answers for one size\n"
					"hint: foretime device table %s answers for all of a range",
					query->word[i + 1], query->word[0]);
		(void)snprintf(held[i], sizeof held[i], "%s", param.name);
		name[i] = held[i];
		value[i] = param.least;
	}
	if (ft_ask_size(first, name, value, i, &answer.size, &err) ||
	    ft_ask_admits(first, &answer.size, &err))
		return cli_error(&err);
	device_drivers(query);
	answer.resource = query->options.resource;
	answer.n = ft_ranking_devices(query->ranking);
	const char *device[FT_DEVICES_MAX];

	for (i = 0; i < answer.n; i++) {
		double wait_s = 0;

		device[i] = ft_ranking_device(query->ranking, i);
		CLI_TRY(cli_wait_of(&query->wait, device[i], &wait_s));
		ft_ranking_wait(query->ranking, i, wait_s);
	}
	CLI_TRY(cli_device_waits_check(query, device, answer.n));
	if (ft_ranking_at(query->ranking, &answer.size, rank, &best, &answer.loss, &err))
		return cli_error(&err);
	if (best < answer.n) {
		answer.best = rank[best].device;
		answer.chance = rank[best].chance;
		answer.loss = expm1(answer.loss);
	} else {
		answer.loss = NAN;
	}
	qsort(rank, answer.n, sizeof *rank, compare_standing);
	const struct ft_program *program = ft_ask_program(ft_ranking_answerer(query->ranking, 0));
	const struct ft_tell_with with = {.program = program, .unit = answer.resource->unit};

	if (query->json)
		cli_tell(&cli_device_rank_answer, &answer, &with);
	else
		print_ranking(&answer, program);
	if (answer.best)
		return CLI_DONE;
	(void)cli_fail("no device of '%s' can be chosen there", answer.name);
	return CLI_NO;
}

static int device_rank(void *ctx)
{
	struct cli_device *query = ctx;
	const char *dot = strrchr(query->word[0], '.');
	bool source = dot && !strcmp(dot, ".cl");

	if (!source && query->rates.n) {
		(void)cli_fail("--rates is for the source of a kernel, FILE.cl, not for '%s'",
			       query->word[0]);
		return CLI_WRONG;
	}
	if (source && (query->least || query->watts > 0 || query->powers.n))
		return cli_fail("a kernel that never ran is ranked by time alone\n"
				"hint: leave out --least, --watts and --powers; or build it on its devices: "
				"foretime build NAME --opencl %s --device all --least energy",
				query->word[0]);
	return source ? cli_device_static(query) : rank_program(query);
}

/*
 * Export the choice of device by size, as a C header or as text.
 */

/* The part of the range that a node is for. */
struct device_part {
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX];
};

static void print_node(const struct ft_table *table, const struct ft_ranking *ranking, size_t at,
		       const struct device_part *part)
{
	const struct ft_table_node *node = &table->node[at];
	struct device_part below = *part, above = *part;

	if (!node->below) {
		const char *device = ft_ranking_device(ranking, node->device);
		char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH];

		printf("  ");
		for (size_t k = 0; k < table->n_params; k++)
			if (part->least[k] < part->most[k])
				printf("%s = %s .. %s  ", table->param[k],
				       ft_number_format(round(part->least[k]), least),
				       ft_number_format(round(part->most[k]), most));
		printf("%s, chance %.0f %%\n", *device ? device : "(none)", 100 * node->sure);
		return;
	}
	below.most[node->param] = node->edge;
	above.least[node->param] = node->edge;
	print_node(table, ranking, node->below, &below);
	print_node(table, ranking, node->above, &above);
}

void cli_device_print_table(const struct ft_table *table, const struct ft_ranking *ranking)
{
	struct device_part all;

	for (size_t k = 0; k < FT_PARAMS_MAX; k++) {
		all.least[k] = k < table->n_params ? table->least[k] : 0;
		all.most[k] = k < table->n_params ? table->most[k] : 0;
	}
	print_node(table, ranking, 0, &all);
}

/* ---- as JSON, for other languages ---------------------------------------------------------- */

struct node {
	const char *param, *device;
	double edge, sure;
	size_t below, above;
};

static const struct ft_tell_row node_rows[] = {
	{FT_TELL(struct node, param), .null = "it is a leaf"},
	{FT_TELL(struct node, edge), .about = "smaller values go below", .null = "it is a leaf"},
	{FT_TELL(struct node, below), .about = "which node", .null = "it is a leaf"},
	{FT_TELL(struct node, above), .null = "it is a leaf"},
	{FT_TELL(struct node, device),
	 .about = "of a leaf; of inner nodes, the best when no other value is known"},
	{FT_TELL(struct node, sure), .about = "mean chance that it is the best"},
	{0},
};
static const struct ft_tell_record nodes = {.bytes = sizeof(struct node), .row = node_rows};

struct device_table_answer {
	const char *name, *axis;
	const struct ft_resource *least;
	const char *param[FT_PARAMS_MAX];
	const double *from, *to, *sure;
	struct node node[FT_TABLE_NODES];
	size_t n, n_params, n_sure;
	double loss;
};

static const struct ft_tell_row table_rows[] = {
	{FT_TELL(struct device_table_answer, name)},
	{FT_TELL_AS("resource", struct device_table_answer, least), .about = "what is least"},
	{FT_TELL_MANY(ARRAY, "parameters", struct device_table_answer, param, n_params, &ft_tell_texts)},
	{FT_TELL_MANY(LIST, "from", struct device_table_answer, from, n_params, &ft_tell_numbers),
	 .about = "sizes between which it holds, a value for each parameter"},
	{FT_TELL_MANY(LIST, "to", struct device_table_answer, to, n_params, &ft_tell_numbers)},
	{FT_TELL(struct device_table_answer, loss),
	 .about = "over these, in the mean, against asking the models each time"},
	{FT_TELL_MANY(ARRAY, "nodes", struct device_table_answer, node, n, &nodes),
	 .about = "the first is the root"},
	{FT_TELL(struct device_table_answer, axis), .about = "the only parameter that varies",
	 .null = "several do"},
	{FT_TELL_MANY(LIST, "sure", struct device_table_answer, sure, n_sure, &ft_tell_numbers),
	 .about = "chances along the logarithm of that one, evenly from its least value to its largest"},
	{0},
};
const struct ft_tell_record cli_device_table_answer = {
	.name = "device", .action = "table", .version = 1, .row = table_rows};

static int write_header(const struct cli_device *query, const struct ft_table *table)
{
	struct ft_err err = {0};
	char *text = NULL;

	if (ft_table_header(table, query->ranking, query->word[0], &text, &err))
		return cli_error(&err);
	int status = cli_output_text(query->output, text);
	free(text);
	return status;
}

static int device_table(void *ctx)
{
	struct cli_device *query = ctx;
	struct ft_err err = {0};

	if (query->json && query->output)
		return cli_fail("--json is printed, and goes with no --output: that is for the header in C");
	CLI_OWN struct ft_table *table = cli_alloc(sizeof *table);
	int status = device_open(query);
	if (status == CLI_DONE) {
		device_drivers(query);
		if (ft_table_make(table, query->ranking, &err)) {
			status = cli_error(&err);
		} else if (query->json) {
			CLI_OWN struct device_table_answer *answer = cli_alloc(sizeof *answer);

			*answer = (struct device_table_answer){.name = query->word[0],
							       .least = query->options.resource,
							       .axis = table->one ? table->param[table->axis]
										  : NULL,
							       .from = table->least,
							       .to = table->most,
							       .sure = table->sure,
							       .n = table->n,
							       .n_params = table->n_params,
							       .n_sure = table->one ? FT_TABLE_SURE : 0,
							       .loss = table->loss};
			for (size_t i = 0; i < table->n_params; i++)
				answer->param[i] = table->param[i];
			for (size_t i = 0; i < table->n; i++) {
				const struct ft_table_node *node = &table->node[i];

				answer->node[i] = (struct node){
					.param = node->below ? table->param[node->param] : NULL,
					.device = ft_ranking_device(query->ranking, node->device),
					.edge = node->below ? node->edge : (double)NAN,
					.sure = node->sure,
					.below = node->below,
					.above = node->above};
			}
			cli_tell(&cli_device_table_answer, answer, NULL);
		} else {
			status = write_header(query, table);
		}
	}
	return status;
}

/*
 * Chooses the device on which a routine should run.
 */

#define QUERY "least powers confidence machine store"

static const struct cli_action actions[] = {
	{"list", "list what computes on this machine, and what drives it", "", "format json", 0, 0,
	 device_list},
	{"rank", "compare the devices of a program at a size, or predict a kernel that never ran",
	 "NAME n=4096 [m=100] [OPTION...] | FILE.cl [--kernel K] -g n,n -l 16,16 n=4096 [OPTION...]",
	 QUERY " rates wait format json " CLI_KERNEL_COUNTS, 1, SIZE_MAX, device_rank},
	{"table", "write which device is best where, as a header in C",
	 "NAME [-o dispatch.h | --json] [OPTION...]", QUERY " output format json", 1, 1, device_table},
	{"calibrate", "find what a device needs for each thing that kernels do, and keep it",
	 "opencl:0|FILE.csv [-o FILE.csv] [OPTION...]", "output runs store format json", 1, 1,
	 cli_device_calibrate},
	{"features", "count what a launch of an OpenCL kernel does, from its source",
	 "FILE.cl [--kernel K] -g 1024,1024 -l 16,16 n=1024 ... [OPTION...]",
	 CLI_KERNEL_COUNTS " fixed expression format json", 1, SIZE_MAX, cli_kernel_features},
	{"run", "run a kernel on a device of OpenCL, and time it",
	 "FILE.cl [--kernel K] -g n,n [-l 16,16] --arg a='float[n*n]' --arg m=2*n n=1024 [OPTION...]",
	 "kernel global local arg data flags seed device runs format json", 1, SIZE_MAX, cli_kernel_run},
	{0},
};

int cli_device_wish(const char *least, const struct ft_resource **resource)
{
	*resource = least ? ft_resource_typed(least) : &ft_wall_s;
	if (*resource)
		return CLI_DONE;
	return cli_fail("--least is time or energy, not '%s'\n"
			"hint: or the name of a resource, as cpu_s",
			least);
}

/* device_open - the devices of the program that the first word names. Returns CLI_DONE, or the exit
 * status after a complaint. */
static int device_open(struct cli_device *query)
{
	const struct ft_resource *resource;

	CLI_TRY(cli_device_wish(query->least, &resource));
	CLI_TRY(cli_store_open(&query->store, query->store_path, CLI_ANSWER));
	query->drawn = (struct cli_device_powers){&query->powers, query->store, CLI_DONE};
	query->options = (struct ft_rank_options){.resource = resource,
						  .watts = query->watts,
						  .confidence = query->confidence,
						  .machine = query->machine,
						  .here = ft_tell_machine_here(query->store),
						  .driver = query->machine ? NULL : cli_driver_now,
						  .power = cli_powers_answer,
						  .ctx = &query->drawn};
	const char *device[FT_DEVICES_MAX];
	struct ft_err err = {0};
	size_t i;

	if (ft_ranking_open(&query->ranking, query->store, query->word[0], &query->options, &err))
		return cli_error(&err);
	for (i = 0; i < ft_ranking_devices(query->ranking); i++)
		device[i] = ft_ranking_device(query->ranking, i);
	return query->drawn.status == CLI_DONE ? cli_powers_check(&query->powers, device, i)
					       : query->drawn.status;
}

/* device_drivers - print which devices have a new driver. */
static void device_drivers(const struct cli_device *query)
{
	for (size_t i = 0; i < ft_ranking_devices(query->ranking); i++) {
		const char *now = ft_ranking_driver(query->ranking, i);

		if (!now)
			continue;
		cli_note("the driver of '%s' is another one: it was %s, and is %s; its runs count no more",
			 ft_ranking_device(query->ranking, i),
			 ft_ask_program(ft_ranking_answerer(query->ranking, i))->driver, now);
		cli_hint("measure it again: foretime build %s --least time", query->word[0]);
	}
}

void cli_device_gone(const char *device, bool kernel)
{
	cli_note("device '%s' cannot run the least size; it is left out", device);
	if (kernel && !strncmp(device, "opencl:", 7))
		cli_hint("a kernel that reaches outside of its buffers may end the process: "
			 "OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime device run ... "
			 "shows where");
}

static int run_device(const struct cli_command *command, int argc, char **argv)
{
	struct cli_device query = {.confidence = 0.9};
	struct cli_kernel *k = &query.kernel;
	const struct ft_field options[] = {
		{0, "least", FT_FIELD_TEXT, &query.least, "WHAT",
		 "resource that the best device needs least of: time (default), energy, or another"},
		{0, "watts", FT_FIELD_NUMBER, &query.watts, "W",
		 "leave out devices whose run needs more power", .of = "least"},
		CLI_POWERS_OPTION(query.powers),
		{0, "wait", FT_FIELD_TEXTS, &query.wait, "DEVICE=T",
		 "time until it is free, as in 30ms; may be repeated"},
		{'c', "confidence", FT_FIELD_SHARE, &query.confidence, "C",
		 "share of future runs inside the intervals; default 90%"},
		CLI_MACHINE_OPTION(query.machine),
		{'o', "output", FT_FIELD_TEXT, &query.output, "FILE",
		 "the header (default: standard output), or the launches"},
		{'n', "runs", FT_FIELD_COUNT, &k->times, "N",
		 "runs of each launch; default: run 1, calibrate 20"},
		{0, "rates", FT_FIELD_TEXTS, &query.rates, "FILE.csv",
		 "launches of a device of another machine, of calibrate -o"},
		CLI_ANSWER_OPTIONS(query.json, query.store_path),
		CLI_GROUP("a kernel of OpenCL"),
		CLI_KERNEL_OPTIONS(*k),
		{0, "arg", FT_FIELD_TEXTS, &k->args, "NAME=ARG",
		 "array TYPE[COUNT], number (both expressions), file with what a buffer holds, or fixed: "
		 "keeps its value in expressions"},
		{0, "device", FT_FIELD_TEXT, &k->device, "opencl:K",
		 "as foretime device list shows them; default opencl:0"},
		{0, "timed", FT_FIELD_TEXT, &k->tell, "WHAT",
		 "what is timed for the foretime that measures this: launch (default), kernel, or parts",
		 .of = "device"},
		{0, "fixed", FT_FIELD_TEXTS, &k->fixed, "NAME", NULL},
		{'e', "expression", FT_FIELD_FLAG, &k->expressions, NULL,
		 "counts as expressions of the arguments"},
		{0},
	};
	struct cli_words words;

	cli_kernel_default(k);
	int status = cli_options_parse(command, options, argc, argv, &words);
	if (status != CLI_GO)
		return status;
	query.word = k->word = words.word + 1;
	query.words = k->words = words.n - 1;
	query.times = k->times ? k->times : 20;
	k->json = query.json;
	if (query.watts < 0)
		status = cli_fail("--least watts=: a power is above 0, not %g", query.watts);
	else
		status = words.action->act(&query);
	ft_ranking_close(query.ranking);
	ft_store_close(query.store);
	query.ranking = NULL;
	query.store = NULL;
	return status;
}

const struct cli_command cli_device = {
	"device",
	"choose the device that a routine should run on",
	NULL,
	"Devices, or implementations, of a program are measured by foretime build --device. Counts of a "
	"kernel "
	"are of what\n"
	"the compiler (clang) left of the source, and need no device. Data that are not given stay unknown; "
	"what depends on\n"
	"them is printed with its line.\n"
	"Exit status: 0 done, 1 no device can be chosen, 2 wrong use or failure.\n",
	actions,
	run_device,
};
