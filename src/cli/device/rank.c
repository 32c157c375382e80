/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - the devices of a program at a size: what each takes, and how likely it is the best. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "cli/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static const struct ft_tell_row rank_rows[] = {
	{FT_TELL_BY(SAID, "device", RANK, device), .say = device_text, .head = "device"},
	{FT_TELL_AS("value", RANK, at.value), .about = "of a typical run", .null = "not known",
	 .head = ">value", .unit = ""},
	{FT_TELL_AS("lower", RANK, at.lower), .about = "of single runs", .null = "not known", .head = ">from",
	 .unit = ""},
	{FT_TELL_AS("upper", RANK, at.upper), .null = "not known", .head = ">to", .unit = ""},
	{FT_TELL_AS("known", RANK, at.known), .about = "the typical run, within that share",
	 .null = "not known", .head = ">known", .unit = "+-"},
	{FT_TELL_BY(WORD, "basis", RANK, at.basis), .word = ft_basis_text,
	 .words = "measured|interpolated|extrapolated|estimated", .head = "basis"},
	{FT_TELL(RANK, watts), .about = "energy by time of a typical run", .null = "not measured",
	 .head = ">power", .unit = "W", .none = ""},
	{FT_TELL(RANK, chance), .about = "that no other one is better", .head = ">best", .cell = chance_cell},
	{FT_TELL_BY(WORD, "left_out", RANK, why), .word = ft_rank_text,
	 .about = "why it is not chosen from; empty: it is", .head = ""},
	{0},
};
static const struct ft_tell_record ranks = {.bytes = sizeof(RANK), .row = rank_rows};

struct device_rank_told {
	const char *name;
	const struct ft_resource *resource;
	struct ft_size size;
	const char *best; /* NULL: none can be chosen */
	double chance, loss;
	struct ft_rank *rank;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct device_rank_told, name)},
	{FT_TELL(struct device_rank_told, resource), .about = "what is to be least"},
	{FT_TELL(struct device_rank_told, size), .about = "a value for each parameter"},
	{FT_TELL(struct device_rank_told, best), .null = "no device can be chosen"},
	{FT_TELL(struct device_rank_told, chance), .about = "that no other one is better", .null = "none"},
	{FT_TELL(struct device_rank_told, loss), .about = "that is expected of choosing it now, as a share",
	 .null = "none"},
	{FT_TELL_MANY(LIST, "devices", struct device_rank_told, rank, n, &ranks), .about = "the best first"},
	{0},
};
const struct ft_tell_record cli_device_rank_told = {
	.name = "device", .action = "rank", .version = 1, .row = rows};

/* The sizes of the words, as the first device reads them. */
static int read_size(const struct cli_device *asked, struct ft_size *size)
{
	const char *name[FT_PARAMS_MAX];
	char held[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	double value[FT_PARAMS_MAX];
	struct ft_answerer *first = ft_ranking_answerer(asked->ranking, 0);
	struct ft_err err = {0};
	size_t i;

	for (i = 0; i + 1 < asked->words; i++) {
		struct ft_param param;

		if (ft_param_parse(asked->word[i + 1], &param, &err))
			return cli_error(&err);
		if (param.least < param.most || !strchr(asked->word[i + 1], '='))
			return cli_fail("'%s' is not a single value: rank answers for one size\n"
					"hint: foretime device table %s answers for all of a range",
					asked->word[i + 1], asked->word[0]);
		(void)snprintf(held[i], sizeof held[i], "%s", param.name);
		name[i] = held[i];
		value[i] = param.least;
	}
	if (ft_ask_size(first, name, value, i, size, &err) || ft_ask_admits(first, size, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int compare_standing(const void *a, const void *b)
{
	const struct ft_rank *p = a, *q = b;
	double x = isnan(p->at.value) ? INFINITY : p->at.value,
	       y = isnan(q->at.value) ? INFINITY : q->at.value;

	if ((p->why != 0) != (q->why != 0))
		return p->why ? 1 : -1;
	return (x > y) - (x < y);
}

static void print_text(const struct device_rank_told *told, const struct ft_program *program)
{
	const struct ft_tell_with with = {.program = program, .unit = told->resource->unit};
	char at[256];

	(void)ft_size_format(program, &told->size, at, sizeof at);
	printf("%s %s: %s of a typical run, and where 9 in 10 single runs are expected\n\n", told->name, at,
	       told->resource->name);
	cli_tell_table(&ranks, told->rank, told->n, &with);
	if (!told->best)
		return;
	printf("\nbest: %s", *told->best ? told->best : "(none)");
	if (told->n > 1)
		printf(", with a chance of %.0f %%; choosing it now is expected to cost %.2g %%",
		       100 * told->chance, 100 * told->loss);
	putchar('\n');
}

static int tell_rank(const struct cli_device *asked, const struct device_rank_told *told)
{
	const struct ft_program *program = ft_ask_program(ft_ranking_answerer(asked->ranking, 0));
	const struct ft_tell_with with = {.program = program, .unit = told->resource->unit};

	if (asked->json)
		cli_tell(&cli_device_rank_told, told, &with);
	else
		print_text(told, program);
	if (told->best)
		return CLI_DONE;
	(void)cli_fail("no device of '%s' can be chosen there", told->name);
	return CLI_NO;
}

static int rank_program(struct cli_device *asked)
{
	struct ft_rank rank[FT_DEVICES_MAX];
	struct device_rank_told told = {.name = asked->word[0], .rank = rank, .chance = NAN, .loss = NAN};
	struct ft_err err = {0};
	size_t best;

	if (asked->words > FT_PARAMS_MAX + 1)
		return cli_fail("%d parameters at most", FT_PARAMS_MAX);
	CLI_TRY(cli_device_open(asked));
	CLI_TRY(read_size(asked, &told.size));
	cli_device_drivers(asked);
	told.resource = asked->options.resource;
	told.n = ft_ranking_devices(asked->ranking);
	if (ft_ranking_at(asked->ranking, &told.size, rank, &best, &told.loss, &err))
		return cli_error(&err);
	if (best < told.n) {
		told.best = rank[best].device;
		told.chance = rank[best].chance;
		told.loss = expm1(told.loss);
	} else {
		told.loss = NAN;
	}
	qsort(rank, told.n, sizeof *rank, compare_standing);
	return tell_rank(asked, &told);
}

int cli_device_rank(void *ctx)
{
	struct cli_device *asked = ctx;
	const char *dot = strrchr(asked->word[0], '.');
	bool source = dot && !strcmp(dot, ".cl");

	if (!source && asked->rates.n) {
		(void)cli_fail("--rates is for the source of a kernel, FILE.cl, not for '%s'",
			       asked->word[0]);
		return CLI_WRONG;
	}
	if (source && (asked->least || asked->watts > 0 || asked->powers.n))
		return cli_fail("a kernel that never ran is ranked by time alone\n"
				"hint: leave out --least, --watts and --powers; or build it on its devices: "
				"foretime build NAME --opencl %s --device all --least energy",
				asked->word[0]);
	return source ? cli_device_static(asked) : rank_program(asked);
}
