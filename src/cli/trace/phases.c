/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c - the phases of a trace. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The phases of all parts of a column. */
struct trace_column {
	struct cli_trace *t; /* of the columns asked for */
	struct ft_phases *part;
	double work, rms;
	struct ft_spikes up, down;
};

/* Those of all parts; a period is that of one part alone. */
static int add_spikes(struct ft_spikes *all, const struct ft_pwl *f, const struct ft_phases *phases,
		      bool dips)
{
	struct ft_spikes one;
	struct ft_err err = {0};
	size_t i;

	if (ft_pwl_spikes(&one, f, phases, dips, &err))
		return cli_error(&err);
	if (one.n > all->n) {
		all->period = one.period;
		all->height = one.height;
	}
	for (i = 0; i < one.n; i++) {
		all->t = cli_grow(all->t, all->n, sizeof *all->t);
		all->t[all->n++] = one.t[i];
	}
	ft_spikes_clear(&one);
	return CLI_DONE;
}

static int sum_up(struct trace_column *c)
{
	double square = 0, length = 0;
	size_t i;

	for (i = 0; i < c->t->trace.n_parts; i++) {
		const struct ft_pwl *f = c->t->part[i];
		double part = ft_pwl_end(f) - ft_pwl_begin(f);

		if (add_spikes(&c->up, f, &c->part[i], false) != CLI_DONE ||
		    add_spikes(&c->down, f, &c->part[i], true) != CLI_DONE)
			return CLI_WRONG;
		c->work += c->part[i].work;
		square += c->part[i].rms * c->part[i].rms * part;
		length += part;
	}
	c->rms = sqrt(square / length);
	return CLI_DONE;
}

/* One column, each part by itself. */
static int find_phases(struct trace_column *c)
{
	struct ft_err err = {0};
	size_t i;

	c->part = cli_alloc(c->t->trace.n_parts * sizeof *c->part);
	for (i = 0; i < c->t->trace.n_parts; i++)
		if (ft_pwl_phases(&c->part[i], c->t->part[i], c->t->pieces, &err))
			return cli_error(&err);
	return sum_up(c);
}

/* Several, cut at the same times. */
static int find_together(struct trace_column *c, struct cli_columns *columns)
{
	struct ft_phases *found = cli_alloc(columns->n * sizeof *found);
	int status = cli_columns_phases(columns, found);
	size_t k;

	for (k = 0; k < columns->n && status == CLI_DONE; k++) {
		c[k].part = cli_alloc(sizeof *c[k].part);
		c[k].part[0] = found[k];
		status = sum_up(&c[k]);
	}
	free(found);
	return status;
}

/* Of a trace in parts the shares are those of the whole. */
static double share(const struct trace_column *all, const struct ft_phase *phase)
{
	return all->work != 0 ? phase->work / all->work : NAN;
}

#define PHASE struct ft_phase
static const struct ft_tell_row phase_rows[] = {
	{FT_TELL(PHASE, name), .about = "the same for phases at about the same level; A is the highest"},
	{FT_TELL(PHASE, begin)},
	{FT_TELL(PHASE, end)},
	{FT_TELL(PHASE, level), .about = "mean over time"},
	{FT_TELL(PHASE, slope), .about = "per second, of the nearest line"},
	{FT_TELL(PHASE, from), .about = "that line at begin"},
	{FT_TELL(PHASE, to), .about = "and at end"},
	{FT_TELL_AS("rms_error", PHASE, rms), .about = "about that line"},
	{FT_TELL(PHASE, work), .about = "the integral"},
	{FT_TELL(PHASE, share), .about = "of the work of all", .null = "there is none"},
	{FT_TELL(PHASE, text), .about = "what it does, in words"},
	{0},
};
static const struct ft_tell_record phases = {.bytes = sizeof(PHASE), .row = phase_rows};

#define SPIKES struct ft_spikes
static const struct ft_tell_row spikes_rows[] = {
	{FT_TELL_AS("count", SPIKES, n)},
	{FT_TELL_AS("period_s", SPIKES, period), .about = "0: they come at no equal times"},
	{FT_TELL_AS("height", SPIKES, height), .about = "off the phase's line, on average"},
	{FT_TELL_MANY(LIST, "times", SPIKES, t, n, &ft_tell_numbers)},
	{0},
};
static const struct ft_tell_record spikes = {.row = spikes_rows};

struct told_column {
	const char *value;
	SPIKES up, down;
	PHASE *phase;
	size_t n;
	double work, rms;
};

#define COLUMN struct told_column
static const struct ft_tell_row column_rows[] = {
	{FT_TELL_MANY(LIST, "phases", COLUMN, phase, n, &phases)},
	{FT_TELL_BY(RECORD, "spikes", COLUMN, up), .of = &spikes, .about = "short, and above their phase"},
	{FT_TELL_BY(RECORD, "dips", COLUMN, down), .of = &spikes, .about = "below it"},
	{FT_TELL(COLUMN, work), .about = "of all"},
	{FT_TELL_AS("rms_error", COLUMN, rms), .about = "of the trace about the phases' lines"},
	{0},
};
static const struct ft_tell_record column_alone = {.row = column_rows};

static const struct ft_tell_row named_rows[] = {
	{FT_TELL(COLUMN, value), .about = "the column"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &column_alone},
	{0},
};
static const struct ft_tell_record column_named = {.bytes = sizeof(COLUMN), .row = named_rows};

struct trace_phases_told {
	struct cli_told_trace all;
	COLUMN first;
	COLUMN *column; /* [columns] NULL: there is one */
	size_t columns;
};

#define TOLD struct trace_phases_told
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, TOLD, all), .of = &cli_trace_rows},
	{FT_TELL_BY(ROWS, NULL, TOLD, first), .of = &column_alone},
	{FT_TELL_MANY(LIST, "columns", TOLD, column, columns, &column_named),
	 .about = "of each: cut at the same times; above stands what the first has",
	 .absent = "there is one"},
	{0},
};
const struct ft_tell_record cli_trace_phases_told = {
	.name = "trace", .action = "phases", .version = 1, .row = rows};

static COLUMN tell_column(const struct trace_column *c)
{
	COLUMN told = {.value = c->t->trace.value_column,
		       .up = c->up,
		       .down = c->down,
		       .work = c->work,
		       .rms = c->rms};
	size_t i, j, n = 0;

	for (i = 0; i < c->t->trace.n_parts; i++)
		n += c->part[i].n;
	told.phase = cli_alloc(n * sizeof *told.phase);
	for (i = 0; i < c->t->trace.n_parts; i++)
		for (j = 0; j < c->part[i].n; j++) {
			told.phase[told.n] = c->part[i].phase[j];
			told.phase[told.n++].share = share(c, &c->part[i].phase[j]);
		}
	return told;
}

static void print_json(const struct trace_column *c, size_t n)
{
	COLUMN *column = cli_alloc(n * sizeof *column);
	TOLD told = {.all = cli_trace_told(c->t), .columns = n > 1 ? n : 0};
	size_t k;

	for (k = 0; k < n; k++)
		column[k] = tell_column(&c[k]);
	told.first = column[0];
	told.column = n > 1 ? column : NULL;
	cli_tell(&cli_trace_phases_told, &told, NULL);
	for (k = 0; k < n; k++)
		free(column[k].phase);
	free(column);
}

static void print_cell(const char *text)
{
	printf(strpbrk(text, ",\"") ? "\"%s\"" : "%s", text);
}

static void print_csv_row(const struct trace_column *c, const PHASE *p)
{
	char number[5][FT_NUMBER_LENGTH];

	printf("%s,%s,%s,%s,%s,%s,%.6g,%.6g,", p->name, ft_number_format(p->begin, number[0]),
	       ft_number_format(p->end, number[1]), ft_number_format(p->level, number[2]),
	       ft_number_format(p->slope, number[3]), ft_number_format(p->work, number[4]), share(c, p),
	       p->rms);
	print_cell(p->text);
	putchar('\n');
}

static void print_csv(const struct trace_column *c, size_t n)
{
	char number[2][FT_NUMBER_LENGTH];
	size_t i, j, k;

	if (n == 1)
		printf("# rms_error: %s\n# work: %s\n", ft_number_format(c->rms, number[0]),
		       ft_number_format(c->work, number[1]));
	printf("%sname,begin,end,level,slope,work,share,rms_error,text\n", n > 1 ? "column," : "");
	for (k = 0; k < n; k++)
		for (i = 0; i < c[k].t->trace.n_parts; i++)
			for (j = 0; j < c[k].part[i].n; j++) {
				if (n > 1) {
					print_cell(c[k].t->trace.value_column);
					putchar(',');
				}
				print_csv_row(&c[k], &c[k].part[i].phase[j]);
			}
}

/* A hundred thousandth of the trace is near enough for people. */
static const char *short_time(const struct cli_trace *t, double at, char text[FT_TRACE_TIME_LENGTH])
{
	double length = t->trace.t[t->trace.n - 1] - t->trace.t[0];
	int digits = (int)fmin(fmax(5 - floor(log10(length)), 0), 15);

	if (t->trace.dated)
		return ft_trace_time_format(&t->trace, length < 1e5 ? at : round(at), text);
	(void)snprintf(text, FT_TRACE_TIME_LENGTH, fabs(at) < 1e15 ? "%.*f" : "%.*g", digits, at);
	return text;
}

/* "14 daily spikes" */
static void print_spikes(const struct ft_spikes *s, const char *what)
{
	static const struct {
		double seconds;
		const char *word;
	} usual[] = {{60, " every minute"}, {3600, " hourly"}, {86400, " daily"}, {604800, " weekly"}};
	const char *word = "";
	char text[FT_UNIT_LENGTH];
	size_t i;

	if (!s->n)
		return;
	for (i = 0; i < sizeof usual / sizeof *usual; i++)
		if (s->period > 0 && fabs(s->period / usual[i].seconds - 1) < 0.05)
			word = usual[i].word;
	if (i && !strcmp(word, " every minute"))
		printf("%zu %s%s%s", s->n, what, s->n == 1 ? "" : "s", word);
	else
		printf("%zu%s %s%s", s->n, word, what, s->n == 1 ? "" : "s");
	if (s->period > 0 && !*word)
		printf(", every %s", ft_value_format(s->period, "s", text));
	printf(", %.3g %s on average\n", s->height, *what == 's' ? "high" : "deep");
}

static void print_one(const struct trace_column *all)
{
	const struct cli_trace *t = all->t;
	struct cli_table table = {0};
	char text[FT_TRACE_TIME_LENGTH], percent[FT_UNIT_LENGTH];
	size_t i, j, n = 0;

	for (i = 0; i < t->trace.n_parts; i++)
		n += all->part[i].n;
	cli_trace_headline(t, stdout);
	printf("%zu phase%s, work %.6g, rms error %.6g\n", n, n == 1 ? "" : "s", all->work, all->rms);
	print_spikes(&all->up, "spike");
	print_spikes(&all->down, "dip");
	putchar('\n');
	cli_table_head(&table, "phase");
	cli_table_head(&table, ">start");
	cli_table_head(&table, ">end");
	cli_table_head(&table, ">mean level");
	cli_table_head(&table, ">slope (1/s)");
	cli_table_head(&table, ">work");
	cli_table_head(&table, "what");
	for (i = 0; i < t->trace.n_parts; i++)
		for (j = 0; j < all->part[i].n; j++) {
			const struct ft_phase *p = &all->part[i].phase[j];
			double of_all = share(all, p);

			cli_table_add(&table, "%s", p->name);
			cli_table_add(&table, "%s", short_time(t, p->begin, text));
			cli_table_add(&table, "%s", short_time(t, p->end, text));
			cli_table_add(&table, "%.4g", p->level);
			cli_table_add(&table, "%.3g", p->slope);
			cli_table_add(&table, "%s", isnan(of_all) ? "" : ft_share_format(of_all, percent));
			cli_table_add(&table, "%s", p->text);
		}
	cli_table_print(&table, stdout);
}

static void print_heads(struct cli_table *table, const struct trace_column *c, size_t n)
{
	char head[80];
	size_t k;

	cli_table_head(table, "phase");
	cli_table_head(table, ">start");
	cli_table_head(table, ">end");
	for (k = 0; k < n; k++) {
		(void)snprintf(head, sizeof head, ">%s", c[k].t->trace.value_column);
		cli_table_head(table, head);
	}
	cli_table_head(table, "what");
}

/* "busy steady at 90 % of the peak; rss rises from 10 to 80 % of the peak"; heap */
static char *all_words(const struct trace_column *c, size_t n, size_t i)
{
	char *words = NULL;
	size_t k;

	for (k = 0; k < n; k++) {
		cli_reprint(&words, "%s%s%s %s", words ? words : "", k ? "; " : "",
			    c[k].t->trace.value_column, c[k].part->phase[i].text);
	}
	return words;
}

static void print_together(const struct trace_column *c, size_t n)
{
	struct cli_table table = {0};
	char text[FT_TRACE_TIME_LENGTH];
	size_t i, k;

	cli_trace_headline(c->t, stdout);
	printf("%zu phase%s of %zu columns together, mean level of each\n", c->part->n,
	       c->part->n == 1 ? "" : "s", n);
	putchar('\n');
	print_heads(&table, c, n);
	for (i = 0; i < c->part->n; i++) {
		char *words = all_words(c, n, i);

		cli_table_add(&table, "%s", c->part->phase[i].name);
		cli_table_add(&table, "%s", short_time(c->t, c->part->phase[i].begin, text));
		cli_table_add(&table, "%s", short_time(c->t, c->part->phase[i].end, text));
		for (k = 0; k < n; k++)
			cli_table_add(&table, "%.4g", c[k].part->phase[i].level);
		cli_table_add(&table, "%s", words);
		free(words);
	}
	cli_table_print(&table, stdout);
}

/* ---- which columns ------------------------------------------------------------------------------------- */

static void close_column(struct trace_column *c)
{
	size_t i;

	for (i = 0; c->part && i < c->t->trace.n_parts; i++)
		ft_phases_clear(&c->part[i]);
	free(c->part);
	ft_spikes_clear(&c->up);
	ft_spikes_clear(&c->down);
}

static int find_all(struct trace_column *c, struct cli_columns *columns)
{
	int status;

	if (columns->n > 1)
		return find_together(c, columns);
	status = cli_trace_curves(c->t);
	return status == CLI_DONE ? find_phases(c) : status;
}

int cli_trace_phases(void *asked)
{
	const struct cli_trace *t = asked;
	struct cli_columns columns;
	struct trace_column *c;
	int status = cli_columns_split(&columns, t);
	size_t k, n = columns.n;

	c = cli_alloc(n * sizeof *c);
	for (k = 0; k < n; k++)
		c[k].t = &columns.one[k];
	if (status == CLI_DONE)
		status = cli_columns_read(&columns);
	if (status == CLI_DONE)
		status = find_all(c, &columns);
	if (status == CLI_DONE) {
		if (t->json)
			print_json(c, n);
		else if (t->csv)
			print_csv(c, n);
		else if (n > 1)
			print_together(c, n);
		else
			print_one(c);
	}
	for (k = 0; k < n; k++)
		close_column(&c[k]);
	free(c);
	cli_columns_clear(&columns);
	return status;
}
