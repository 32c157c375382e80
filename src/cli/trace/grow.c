/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.c - `foretime trace grow`: how length and level of each phase grow with the size of a run. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"
#include "foretime/grow.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trace_row {
	const char *name, *text; /* of the trace that the others were laid beside */
	struct ft_phase_growth of;
	struct ft_phase_law level; /* of the first column */
	struct level {
		const char *column;
		struct ft_phase_law level;
	} * more; /* [columns] of each, where there are several */
	size_t columns;
};

struct trace_grow_growing {
	const struct cli_trace *trace;
	char parameter[FT_PARAM_LENGTH];
	char (*column)[64]; /* [columns] of the levels */
	size_t columns;
	const char *first;
	struct ft_traced *run;     /* [n] */
	struct ft_phases **phases; /* [n][columns] what they borrow */
	size_t n;
	double asked; /* a size; NaN: none */
	struct ft_phases_growth of;
	struct trace_row *row; /* [of.n] */
};

static int read_run(struct trace_grow_growing *g, const char *path, double size)
{
	struct cli_trace one = *g->trace;
	FT_CLEANUP(cli_columns_clear) struct cli_columns columns = {0};

	one.path = path;
	CLI_TRY(cli_columns_split(&columns, &one));
	CLI_TRY(cli_columns_read(&columns));
	if (columns.one->trace.n_parts > 1)
		return cli_fail("'%s' is in parts\nhint: --value gaps=join or gaps=zero make one of them",
				path);
	CLI_OWN struct ft_phases *found = cli_alloc(columns.n * sizeof *found);
	CLI_TRY(cli_columns_phases(&columns, found));
	if (!g->column)
		g->column = cli_alloc(columns.n * sizeof *g->column);
	g->columns = columns.n;
	for (size_t k = 0; k < columns.n; k++)
		(void)snprintf(g->column[k], sizeof g->column[k], "%s", columns.one[k].trace.value_column);
	struct ft_phases *phases = found;
	found = NULL;
	g->run = cli_grow(g->run, g->n, sizeof *g->run);
	g->phases = cli_grow(g->phases, g->n, sizeof(struct ft_phases *));
	g->phases[g->n] = phases;
	g->run[g->n++] = (struct ft_traced){size, phases};
	return CLI_DONE;
}

/* "n=100" */
static int read_size(struct trace_grow_growing *g, const char *word, double *size)
{
	size_t length = strcspn(word, "=");
	struct ft_err err = {0};

	if (length >= sizeof g->parameter ||
	    (*g->parameter && (strlen(g->parameter) != length || strncmp(g->parameter, word, length) != 0)))
		return cli_fail("'%s': sizes are of one parameter, %s", word,
				*g->parameter ? g->parameter : "n");
	(void)snprintf(g->parameter, sizeof g->parameter, "%.*s", (int)length, word);
	if (ft_number_parse(word + length + 1, size, &err))
		return cli_error_at(&err, "%s", g->parameter);
	return *size > 0 ? CLI_DONE : cli_fail("%s: a size is above 0", word);
}

static int read_words(struct trace_grow_growing *g)
{
	double size = NAN;
	bool used = true;

	g->asked = NAN;
	for (size_t i = 0; i < g->trace->words; i++) {
		const char *word = g->trace->word[i];

		if (strchr(word, '=') && !strchr(word, '.') && !strchr(word, '/')) {
			if (!used)
				return cli_fail("which trace is of %s=%g?", g->parameter, size);
			CLI_TRY(read_size(g, word, &size));
			used = false;
		} else if (isnan(size)) {
			return cli_fail("of which size is '%s'?\n"
					"hint: write foretime trace grow n=100 a.csv n=200 b.csv n=400 c.csv",
					word);
		} else {
			CLI_TRY(read_run(g, word, size));
			used = true;
		}
	}
	if (!used)
		g->asked = size;
	return CLI_DONE;
}

static int find_growth(struct trace_grow_growing *g)
{
	struct ft_err err = {0};

	if (ft_phases_grow(&g->of, g->run, g->n, g->columns, g->parameter, g->asked, &err))
		return cli_error(&err);
	g->row = cli_alloc((g->of.n + 1) * sizeof *g->row);
	for (size_t i = 0; i < g->of.n; i++) {
		struct trace_row *row = &g->row[i];

		row->of = g->of.phase[i];
		row->name = row->of.like->name;
		row->text = row->of.like->text;
		row->level = row->of.level[0];
		row->columns = g->columns > 1 ? g->columns : 0;
		row->more = cli_alloc(g->columns * sizeof *row->more);
		for (size_t c = 0; c < g->columns; c++)
			row->more[c] = (struct level){g->column[c], row->of.level[c]};
	}
	return CLI_DONE;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static bool has_law(const void *told)
{
	return ((const struct ft_phase_law *)told)->found;
}

#define GROWTH struct ft_phase_law
static const struct ft_tell_row growth_rows[] = {
	{FT_TELL(GROWTH, law), .about = "an expression"},
	{FT_TELL(GROWTH, words), .about = "its class, with the weight of the evidence"},
	{FT_TELL(GROWTH, misfit), .about = "root mean square relative difference from the law"},
	{FT_TELL_AS("value", GROWTH, said.value), .about = "at the requested size",
	 .null = "no size was requested"},
	{FT_TELL_AS("lower", GROWTH, said.wide_lower), .null = "as value"},
	{FT_TELL_AS("upper", GROWTH, said.wide_upper), .null = "as value"},
	{0},
};
static const struct ft_tell_record growth = {.row = growth_rows, .there = has_law};

#define LEVEL struct level
static const struct ft_tell_row level_rows[] = {
	{FT_TELL(LEVEL, column)},
	{FT_TELL_BY(RECORD, "level", LEVEL, level), .of = &growth, .null = "as length"},
	{0},
};
static const struct ft_tell_record level_told = {.bytes = sizeof(LEVEL), .row = level_rows};

#define ROW struct trace_row
static const struct ft_tell_row row_rows[] = {
	{FT_TELL(ROW, name)},
	{FT_TELL(ROW, text), .about = "what it does, in the trace that the rest are compared with"},
	{FT_TELL_AS("in", ROW, of.in), .about = "number of traces with this phase"},
	{FT_TELL_BY(RECORD, "length", ROW, of.length), .of = &growth, .about = "seconds",
	 .null = "fewer than two sizes have this phase"},
	{FT_TELL_BY(RECORD, "level", ROW, level), .of = &growth, .null = "as length"},
	{FT_TELL_MANY(LIST, "levels", ROW, more, columns, &level_told),
	 .about = "of each of several columns"},
	{0},
};
static const struct ft_tell_record phase_told = {.bytes = sizeof(ROW), .row = row_rows};

#define TOLD struct trace_grow_growing
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, parameter)},
	{FT_TELL_AS("column", TOLD, first), .about = "of the levels"},
	{FT_TELL_AS("traces", TOLD, n)},
	{FT_TELL_AS("size", TOLD, asked), .about = "the requested size", .null = "no size was requested"},
	{FT_TELL_AS("total_s", TOLD, of.total_s), .about = "of all phases there",
	 .null = "no size was requested, or a phase has no law"},
	{FT_TELL_AS("lower_s", TOLD, of.lower_s), .null = "as total_s"},
	{FT_TELL_AS("upper_s", TOLD, of.upper_s), .null = "as total_s"},
	{FT_TELL_MANY(LIST, "phases", TOLD, row, of.n, &phase_told)},
	{0},
};
const struct ft_tell_record cli_trace_grow_told = {
	.name = "trace", .action = "grow", .version = 1, .row = rows};

static void print_growth(const char *what, const GROWTH *one, const char *unit)
{
	char text[3][FT_UNIT_LENGTH];

	if (!one->found) {
		printf("   %s  too few sizes have it\n", what);
		return;
	}
	printf("   %s  %s   %s", what, one->law, one->words);
	if (!isnan(one->said.value))
		printf("   here %s (%s .. %s)", ft_value_format(one->said.value, unit, text[0]),
		       ft_value_format(one->said.wide_lower, unit, text[1]),
		       ft_value_format(one->said.wide_upper, unit, text[2]));
	putchar('\n');
}

static void print_grown(const TOLD *g)
{
	char text[3][FT_UNIT_LENGTH];

	printf("%zu phases of %zu traces over %s, levels of column%s", g->of.n, g->n, g->parameter,
	       g->columns > 1 ? "s" : "");
	for (size_t i = 0; i < g->columns; i++)
		printf("%s %s", i ? "," : "", g->column[i]);
	putchar('\n');
	for (size_t i = 0; i < g->of.n; i++) {
		const ROW *row = &g->row[i];

		printf("%s  %s", row->name, row->text);
		if (row->of.in < g->n)
			printf("; in %zu of %zu traces", row->of.in, g->n);
		putchar('\n');
		print_growth("length", &row->of.length, "s");
		if (g->columns == 1)
			print_growth("level ", &row->level, "");
		for (size_t k = 0; k < row->columns; k++)
			print_growth(row->more[k].column, &row->more[k].level, "");
	}
	if (!isnan(g->asked) && !isnan(g->of.total_s))
		printf("at %s=%g all of them take %s (%s .. %s)\n", g->parameter, g->asked,
		       ft_value_format(g->of.total_s, "s", text[0]),
		       ft_value_format(g->of.lower_s, "s", text[1]),
		       ft_value_format(g->of.upper_s, "s", text[2]));
}

static void clear_growing(struct trace_grow_growing *g)
{
	for (size_t i = 0; i < g->n; i++) {
		for (size_t k = 0; k < g->columns; k++)
			ft_phases_clear(&g->phases[i][k]);
		free(g->phases[i]);
	}
	for (size_t i = 0; i < g->of.n; i++)
		free(g->row[i].more);
	ft_phases_growth_clear(&g->of);
	free(g->phases);
	free(g->run);
	free(g->row);
	free(g->column);
}

int cli_trace_grow(void *asked)
{
	FT_CLEANUP(clear_growing) struct trace_grow_growing g = {.trace = asked};

	CLI_TRY(read_words(&g));
	g.first = g.column ? g.column[0] : NULL;
	CLI_TRY(find_growth(&g));
	if (g.trace->json)
		cli_tell(&cli_trace_grow_told, &g, NULL);
	else
		print_grown(&g);
	return CLI_DONE;
}
