/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c - the phases of a trace. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/trace/trace.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The phases of all parts. */
struct all_phases {
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
		all->t = cli_grow(all->t, all->n, &all->capacity, sizeof *all->t);
		all->t[all->n++] = one.t[i];
	}
	ft_spikes_clear(&one);
	return CLI_DONE;
}

static int find(const struct cli_trace *t, struct all_phases *all)
{
	double square = 0, length = 0;
	struct ft_err err = {0};
	size_t i;

	for (i = 0; i < t->trace.n_parts; i++) {
		double part = ft_pwl_end(t->part[i]) - ft_pwl_begin(t->part[i]);

		if (ft_pwl_phases(&all->part[i], t->part[i], t->pieces, &err))
			return cli_error(&err);
		if (add_spikes(&all->up, t->part[i], &all->part[i], false) != CLI_DONE ||
		    add_spikes(&all->down, t->part[i], &all->part[i], true) != CLI_DONE)
			return CLI_WRONG;
		all->work += all->part[i].work;
		square += all->part[i].rms * all->part[i].rms * part;
		length += part;
	}
	all->rms = sqrt(square / length);
	return CLI_DONE;
}

/* Of a trace in parts the shares are those of the whole. */
static double share(const struct all_phases *all, const struct ft_phase *phase)
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

struct told {
	SPIKES up, down;
	struct cli_told_trace all;
	PHASE *phase;
	size_t n;
	double work, rms;
};

#define TOLD struct told
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, TOLD, all), .of = &cli_trace_rows},
	{FT_TELL_MANY(LIST, "phases", TOLD, phase, n, &phases)},
	{FT_TELL_BY(RECORD, "spikes", TOLD, up), .of = &spikes, .about = "short, and above their phase"},
	{FT_TELL_BY(RECORD, "dips", TOLD, down), .of = &spikes, .about = "below it"},
	{FT_TELL(TOLD, work), .about = "of all"},
	{FT_TELL_AS("rms_error", TOLD, rms), .about = "of the trace about the phases' lines"},
	{0},
};
const struct ft_tell_record cli_trace_phases_told = {
	.name = "trace", .action = "phases", .version = 1, .row = rows};

static void print_json(const struct cli_trace *t, const struct all_phases *all)
{
	TOLD told = {.up = all->up,
		     .down = all->down,
		     .all = cli_trace_told(t),
		     .work = all->work,
		     .rms = all->rms};
	size_t i, j, n = 0;

	for (i = 0; i < t->trace.n_parts; i++)
		n += all->part[i].n;
	told.phase = cli_alloc(n * sizeof *told.phase);
	for (i = 0; i < t->trace.n_parts; i++)
		for (j = 0; j < all->part[i].n; j++) {
			told.phase[told.n] = all->part[i].phase[j];
			told.phase[told.n++].share = share(all, &all->part[i].phase[j]);
		}
	cli_tell(&cli_trace_phases_told, &told, NULL);
	free(told.phase);
}

static void print_csv(const struct cli_trace *t, const struct all_phases *all)
{
	char number[7][FT_NUMBER_LENGTH], text[2 * FT_PHASE_TEXT];
	size_t i, j;

	printf("# rms_error: %s\n# work: %s\n", ft_number_format(all->rms, number[0]),
	       ft_number_format(all->work, number[1]));
	puts("name,begin,end,level,slope,work,share,rms_error,text");
	for (i = 0; i < t->trace.n_parts; i++)
		for (j = 0; j < all->part[i].n; j++) {
			const struct ft_phase *p = &all->part[i].phase[j];

			printf("%s,%s,%s,%s,%s,%s,%.6g,%.6g,", p->name, ft_number_format(p->begin, number[0]),
			       ft_number_format(p->end, number[1]), ft_number_format(p->level, number[2]),
			       ft_number_format(p->slope, number[3]), ft_number_format(p->work, number[4]),
			       share(all, p), p->rms);
			(void)snprintf(text, sizeof text, "\"%s\"", p->text);
			puts(strchr(p->text, ',') ? text : p->text);
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

static void print_text(const struct cli_trace *t, const struct all_phases *all)
{
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
	cli_table_clear(&table);
}

int cli_trace_phases(void *asked)
{
	struct cli_trace *t = asked;
	struct all_phases all = {.part = cli_alloc(t->trace.n_parts * sizeof *all.part)};
	int status = find(t, &all);
	size_t i;

	if (status == CLI_DONE) {
		if (t->json)
			print_json(t, &all);
		else if (t->csv)
			print_csv(t, &all);
		else
			print_text(t, &all);
	}
	for (i = 0; i < t->trace.n_parts; i++)
		ft_phases_clear(&all.part[i]);
	ft_spikes_clear(&all.up);
	ft_spikes_clear(&all.down);
	free(all.part);
	return status;
}
