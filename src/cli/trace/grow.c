/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.c - `foretime trace grow`: how length and level of each phase grow with the size of a run. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"
#include "foretime/law.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_LEAST = 3, LAW_TEXT = 256 };

/* The trace of a run. */
struct trace_run {
	double size;
	struct ft_phases *phases; /* [columns], cut at the same times */
};

/* What grows, and by which law. */
struct growth {
	bool found;
	double misfit;
	char law[LAW_TEXT], words[LAW_TEXT];
	struct ft_law_prediction said; /* of the size that is asked about; NaN: none is, or no law */
};

struct trace_row {
	const char *name, *text;     /* of the trace that the others were laid beside */
	size_t in;                   /* traces */
	struct growth length, level; /* of the first column */
	struct level {
		const char *column;
		struct growth level;
	} * more; /* [columns] of each, where there are several */
	size_t columns;
};

struct trace_grow_growing {
	const struct cli_trace *trace;
	char parameter[FT_PARAM_LENGTH];
	char (*column)[64]; /* [columns] of the levels */
	size_t columns;
	const char *first;
	struct trace_run *run; /* [n] */
	size_t n;
	double asked;          /* a size; NaN: none */
	struct trace_row *row; /* [rows] */
	size_t rows;
	double total_s, lower_s, upper_s; /* of all phases at that size */
};

static int read_run(struct trace_grow_growing *g, const char *path, double size)
{
	struct cli_trace one = *g->trace;
	struct cli_columns columns = {0};
	struct ft_phases *phases = NULL;
	int status;
	size_t k;

	one.path = path;
	status = cli_columns_split(&columns, &one);
	if (status == CLI_DONE)
		status = cli_columns_read(&columns);
	if (status == CLI_DONE && columns.one->trace.n_parts > 1)
		status = cli_fail("'%s' is in parts\nhint: --gaps join or zero make one of them", path);
	if (status == CLI_DONE) {
		phases = cli_alloc(columns.n * sizeof *phases);
		status = cli_columns_phases(&columns, phases);
	}
	if (!g->column)
		g->column = cli_alloc(columns.n * sizeof *g->column);
	g->columns = columns.n;
	for (k = 0; k < columns.n && status == CLI_DONE; k++)
		(void)snprintf(g->column[k], sizeof g->column[k], "%s", columns.one[k].trace.value_column);
	cli_columns_clear(&columns);
	if (status != CLI_DONE) {
		free(phases);
		return status;
	}
	g->run = cli_grow(g->run, g->n, sizeof *g->run);
	g->run[g->n++] = (struct trace_run){size, phases};
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
	size_t i;
	int status = CLI_DONE;

	g->asked = NAN;
	for (i = 0; i < g->trace->words && status == CLI_DONE; i++) {
		const char *word = g->trace->word[i];

		if (strchr(word, '=') && !strchr(word, '.') && !strchr(word, '/')) {
			if (!used)
				return cli_fail("which trace is of %s=%g?", g->parameter, size);
			status = read_size(g, word, &size);
			used = false;
		} else if (isnan(size)) {
			status = cli_fail(
				"of which size is '%s'?\n"
				"hint: write foretime trace grow n=100 a.csv n=200 b.csv n=400 c.csv",
				word);
		} else {
			status = read_run(g, word, size);
			used = true;
		}
	}
	if (status == CLI_DONE && !used)
		g->asked = size;
	return status;
}

static int check_sizes(const struct trace_grow_growing *g)
{
	size_t i, k, different = 0;

	for (i = 0; i < g->n; i++) {
		for (k = 0; k < i && g->run[k].size != g->run[i].size; k++)
			;
		different += k == i;
	}
	if (different >= SIZES_LEAST)
		return CLI_DONE;
	(void)cli_fail("traces of %zu size%s: %d tell how phases grow\n"
		       "hint: trace runs of more sizes: foretime run --trace a.csv -- PROGRAM ...",
		       different, different == 1 ? "" : "s", SIZES_LEAST);
	return CLI_NO;
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

static void find_law(const struct trace_grow_growing *g, const struct ft_law_sample *sample, size_t n,
		     struct growth *out)
{
	const char *const name[] = {g->parameter};
	const struct ft_law_options options = {.unbroken = true};
	struct ft_laws *laws = cli_alloc(sizeof *laws); /* some 100 KB */

	out->said = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
	out->found = !ft_laws_fit(laws, sample, n, &options, NULL);
	if (out->found) {
		out->misfit = laws->misfit;
		(void)ft_law_format(&laws->law, name, 3, out->law, sizeof out->law);
		(void)ft_laws_words(laws, g->parameter, out->words, sizeof out->words);
	}
	if (out->found && !isnan(g->asked))
		(void)ft_laws_predict(laws, g->asked, 0.9, FT_LAW_RUN, &out->said, NULL);
	free(laws);
}

/* The values of a phase in all traces that have it: its lengths, or levels of a column. Returns how many. */
static size_t collect_values(const struct trace_grow_growing *g, const struct ft_phase_rows *rows, size_t i,
			     size_t column, bool lengths, struct ft_law_sample *sample)
{
	size_t k, n = 0;

	for (k = 0; k < g->n; k++) {
		size_t at = rows->at[k * rows->n + i];
		const struct ft_phase *phase;

		if (at == SIZE_MAX)
			continue;
		phase = &g->run[k].phases[column].phase[at];
		sample[n++] = (struct ft_law_sample){g->run[k].size, lengths ? phase->end - phase->begin
									     : fmax(0, phase->level)};
	}
	return n;
}

static void fill_row(struct trace_grow_growing *g, const struct ft_phase_rows *rows, size_t i)
{
	struct ft_law_sample *sample = cli_alloc(g->n * sizeof *sample);
	const struct ft_phase *like = &g->run[rows->like].phases->phase[i];
	struct trace_row *row = &g->row[i];
	size_t c;

	*row = (struct trace_row){.name = like->name, .text = like->text};
	row->in = collect_values(g, rows, i, 0, true, sample);
	find_law(g, sample, row->in, &row->length);
	row->more = cli_alloc(g->columns * sizeof *row->more);
	row->columns = g->columns > 1 ? g->columns : 0;
	for (c = 0; c < g->columns; c++) {
		(void)collect_values(g, rows, i, c, false, sample);
		row->more[c].column = g->column[c];
		find_law(g, sample, row->in, &row->more[c].level);
	}
	row->level = row->more[0].level;
	g->total_s += row->length.said.value;
	g->lower_s += row->length.said.wide_lower;
	g->upper_s += row->length.said.wide_upper;
	free(sample);
}

static int find_growth(struct trace_grow_growing *g)
{
	struct ft_phases *phases = cli_alloc(g->n * sizeof *phases);
	struct ft_phase_rows rows;
	struct ft_err err = {0};
	size_t i;
	int status = CLI_DONE;

	for (i = 0; i < g->n; i++)
		phases[i] = g->run[i].phases[0];
	if (ft_phases_align(&rows, phases, g->n, &err))
		status = cli_error(&err);
	g->rows = status == CLI_DONE ? rows.n : 0;
	g->row = cli_alloc((g->rows + 1) * sizeof *g->row);
	for (i = 0; i < g->rows; i++)
		fill_row(g, &rows, i);
	ft_phase_rows_clear(&rows);
	free(phases);
	return status;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static bool has_law(const void *told)
{
	return ((const struct growth *)told)->found;
}

#define GROWTH struct growth
static const struct ft_tell_row growth_rows[] = {
	{FT_TELL(GROWTH, law), .about = "an expression"},
	{FT_TELL(GROWTH, words), .about = "its class, with the weight of the evidence"},
	{FT_TELL(GROWTH, misfit), .about = "root mean square relative difference from the law"},
	{FT_TELL_AS("value", GROWTH, said.value), .about = "at the size that is asked about",
	 .null = "none is"},
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
	{FT_TELL(ROW, text), .about = "what it does, in the trace that the others were laid beside"},
	{FT_TELL(ROW, in), .about = "so many of the traces"},
	{FT_TELL_BY(RECORD, "length", ROW, length), .of = &growth, .about = "seconds",
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
	{FT_TELL_AS("size", TOLD, asked), .about = "that is asked about", .null = "none is"},
	{FT_TELL(TOLD, total_s), .about = "of all phases there", .null = "none is, or a phase has no law"},
	{FT_TELL(TOLD, lower_s), .null = "as total_s"},
	{FT_TELL(TOLD, upper_s), .null = "as total_s"},
	{FT_TELL_MANY(LIST, "phases", TOLD, row, rows, &phase_told)},
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
	size_t i, k;

	printf("%zu phases of %zu traces over %s, levels of column%s", g->rows, g->n, g->parameter,
	       g->columns > 1 ? "s" : "");
	for (i = 0; i < g->columns; i++)
		printf("%s %s", i ? "," : "", g->column[i]);
	putchar('\n');
	for (i = 0; i < g->rows; i++) {
		const ROW *row = &g->row[i];

		printf("%s  %s", row->name, row->text);
		if (row->in < g->n)
			printf("; in %zu of %zu traces", row->in, g->n);
		putchar('\n');
		print_growth("length", &row->length, "s");
		if (g->columns == 1)
			print_growth("level ", &row->level, "");
		for (k = 0; k < row->columns; k++)
			print_growth(row->more[k].column, &row->more[k].level, "");
	}
	if (!isnan(g->asked) && !isnan(g->total_s))
		printf("at %s=%g all of them take %s (%s .. %s)\n", g->parameter, g->asked,
		       ft_value_format(g->total_s, "s", text[0]), ft_value_format(g->lower_s, "s", text[1]),
		       ft_value_format(g->upper_s, "s", text[2]));
}

int cli_trace_grow(void *asked)
{
	struct trace_grow_growing g = {.trace = asked};
	size_t i, k;
	int status = read_words(&g);

	g.first = g.column ? g.column[0] : NULL;

	if (status == CLI_DONE)
		status = check_sizes(&g);
	if (status == CLI_DONE)
		status = find_growth(&g);
	if (status == CLI_DONE && isnan(g.asked))
		g.total_s = g.lower_s = g.upper_s = NAN;
	if (status == CLI_DONE && g.trace->json)
		cli_tell(&cli_trace_grow_told, &g, NULL);
	else if (status == CLI_DONE)
		print_grown(&g);
	for (i = 0; i < g.n; i++) {
		for (k = 0; k < g.columns; k++)
			ft_phases_clear(&g.run[i].phases[k]);
		free(g.run[i].phases);
	}
	for (i = 0; i < g.rows; i++)
		free(g.row[i].more);
	free(g.run);
	free(g.row);
	free(g.column);
	return status;
}
