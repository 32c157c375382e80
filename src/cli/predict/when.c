/* SPDX-License-Identifier: GPL-3.0-or-later */
/* when.c - predict, of runs that begin at a moment to come. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/predict/predict.h"
#include "foretime/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NS = 1000000000, HOUR_S = 60 * 60, DAY_H = 24, WEEK_H = 7 * DAY_H, DAY_MIN = 24 * 60 };

/* ---- a moment ------------------------------------------------------------------------------------------ */

/* "06:00", "sat 06:00": the minute at which such a window opens next. */
static bool read_time_of_day(const char *text, int64_t now_s, int64_t *at_s)
{
	const char *last = strrchr(text, ' '), *clock = last ? last + 1 : text;
	char day[FT_WINDOW_LENGTH] = "always", *end;
	struct ft_window window;
	long hour = strtol(clock, &end, 10), minute;

	if (end == clock || end > clock + 2 || *end != ':' || strlen(end) != 3)
		return false;
	minute = strtol(end + 1, &end, 10);
	if (*end || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
	    (last && (size_t)(last - text) >= sizeof day))
		return false;
	if (last)
		(void)snprintf(day, sizeof day, "%.*s", (int)(last - text), text);
	if (ft_window_parse(day, &window, NULL))
		return false;
	window.from = (int)(hour * 60 + minute);
	window.to = (window.from + 1) % DAY_MIN;
	*at_s = ft_window_open(&window, now_s) ? now_s : ft_window_next(&window, now_s);
	return *at_s != FT_NEVER;
}

int cli_at_read(const char *text, int64_t *at_ns)
{
	int64_t now_s = ft_clock_real_ns() / NS, at_s;
	double later_s;

	if (*text == '+' && !ft_duration_parse(text + 1, &later_s, NULL) && later_s < 366.0 * DAY_H * HOUR_S)
		at_s = now_s + (int64_t)later_s;
	else if (!read_time_of_day(text, now_s, &at_s) && ft_moment_parse(text, &at_s, NULL))
		return cli_fail(
			"'%s' is not a time\n"
			"hint: write --at 22:00, --at 'sat 06:00', --at +3h or --at '2026-12-24 08:00'",
			text);
	if (at_s < now_s)
		return cli_fail("--at %s is past\nhint: give a time to come, as in --at +3h", text);
	*at_ns = at_s * NS;
	return CLI_DONE;
}

/* "Fri 27 Nov 22:00" */
static char *show_hour(int64_t ns, char text[32])
{
	time_t seconds = (time_t)(ns / NS);
	struct tm parts;

	if (!localtime_r(&seconds, &parts) || !strftime(text, 32, "%a %d %b %H:%M", &parts))
		text[0] = '\0';
	return text;
}

void cli_at_print(const struct ft_answerer *answerer, int64_t at_ns)
{
	const struct ft_load_told_hour *hour = ft_ask_hour(answerer);
	char text[32];

	if (hour)
		printf(" started on %s, under the load of %s on %zu days", show_hour(at_ns, text),
		       ft_load_alike_text(hour->alike), hour->days);
}

/* ---- the best ------------------------------------------------------------------------------------------ */

struct hour {
	int64_t begins_ns;
	struct ft_prediction said;
	struct ft_load_told_hour told;
};

static char *begins_cell(const void *record, const struct ft_tell_with *with)
{
	char text[32];

	(void)with;
	return cli_strdup(show_hour(((const struct hour *)record)->begins_ns, text));
}

static char *interval_cell(const void *record, const struct ft_tell_with *with)
{
	return ft_tell_interval(&((const struct hour *)record)->said, with->unit);
}

#define HOUR struct hour
static const struct ft_tell_row hour_rows[] = {
	{FT_TELL_BY(TIME, "begins", HOUR, begins_ns), .head = "begins", .cell = begins_cell},
	{FT_TELL_AS("value", HOUR, said.value), .about = "wall time, seconds", .head = ">typical",
	 .unit = "s"},
	{FT_TELL_AS("lower", HOUR, said.lower), .null = "the law that was stated was never tried",
	 .head = ">%s", .cell = interval_cell},
	{FT_TELL_AS("upper", HOUR, said.upper), .null = "as lower"},
	{FT_TELL_AS("slow_down", HOUR, told.slow_down), .about = "of its time on processors, typical",
	 .head = ">slowed", .unit = ".3g"},
	{FT_TELL_AS("load", HOUR, told.load), .about = "demand of other processes then, in processors",
	 .head = ">load", .unit = ".3g"},
	{FT_TELL_BY(WORD, "alike", HOUR, told.alike), .word = ft_load_alike_text, .words = FT_TELL_ALIKE},
	{FT_TELL_AS("days", HOUR, told.days), .about = "of the past, on which that rests", .head = ">days"},
	{0},
};
static const struct ft_tell_record hour_told = {.bytes = sizeof(HOUR), .row = hour_rows};

#define WORTH struct ft_load_worth
static const struct ft_tell_row worth_rows[] = {
	{FT_TELL(WORTH, days), .about = "days predicted from the other days (leave-one-out)"},
	{FT_TELL(WORTH, chosen), .about = "slow-down of a run begun at the recommended hour"},
	{FT_TELL(WORTH, any), .about = "the mean over all hours of the day"},
	{FT_TELL(WORTH, best), .about = "of the day's best hour, in hindsight"},
	{0},
};
static bool worth_there(const void *told)
{
	return ((const WORTH *)told)->days > 0;
}
static const struct ft_tell_record worth_told = {.row = worth_rows, .there = worth_there};

struct predict_told {
	const char *name;
	struct ft_size size;
	double confidence;
	enum ft_load_alike alike;
	WORTH worth;
	HOUR now, best;
	HOUR hour[WEEK_H];
	size_t n;
};

#define TOLD struct predict_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, name)},
	{FT_TELL(TOLD, size)},
	{FT_TELL(TOLD, confidence), .about = "share of future runs within the intervals"},
	{FT_TELL_BY(WORD, "alike", TOLD, alike), .word = ft_load_alike_text, .words = FT_TELL_ALIKE,
	 .about = "past hours that predicted load best; any hour: all are equally good"},
	{FT_TELL_BY(RECORD, "worth", TOLD, worth), .of = &worth_told,
	 .about = "what choosing so would have been worth",
	 .null = "no day was observed for half of its hours"},
	{FT_TELL_BY(RECORD, "now", TOLD, now), .of = &hour_told},
	{FT_TELL_BY(RECORD, "best", TOLD, best), .of = &hour_told},
	{FT_TELL_MANY(ARRAY, "hours", TOLD, hour, n, &hour_told), .about = "of the next week"},
	{0},
};
const struct ft_tell_record cli_predict_when_told = {
	.name = "predict-when", .typed = "predict --when", .version = 1, .row = rows};

static int ask_hour(const struct cli_when *asked, struct ft_answerer *answerer, int64_t at_ns, HOUR *out)
{
	const struct ft_ask_load load = {.view = FT_LOAD_AT, .threads = asked->threads, .at_ns = at_ns};
	struct ft_err err = {0};

	out->begins_ns = at_ns;
	ft_ask_under(answerer, &load);
	if (ft_ask_predict(answerer, &ft_wall_s, asked->size, asked->confidence, &out->said, &err))
		return cli_error(&err);
	out->told = *ft_ask_hour(answerer);
	return CLI_DONE;
}

/* Now, and each full hour from then on. */
static int ask_all(const struct cli_when *asked, struct ft_answerer *answerer, TOLD *told)
{
	int64_t now_ns = ft_clock_real_ns() / NS * NS, hour_ns = (int64_t)HOUR_S * NS;
	int status = CLI_DONE;

	for (size_t i = 0; i < WEEK_H && status == CLI_DONE; i++)
		status = ask_hour(asked, answerer, i ? (now_ns / hour_ns + (int64_t)i) * hour_ns : now_ns,
				  &told->hour[told->n++]);
	if (status != CLI_DONE)
		return status;
	told->now = told->best = told->hour[0];
	for (size_t i = 1; i < told->n; i++)
		if (told->hour[i].said.value < told->best.said.value * (1 - 1e-9))
			told->best = told->hour[i];
	(void)ft_ask_hours_worth(answerer, &told->worth);
	return CLI_DONE;
}

static void print_worth(const TOLD *told)
{
	if (told->worth.days)
		printf("checked on %zu past days: at that hour a run took %.3g times its time on an idle "
		       "machine, at "
		       "any hour %.3g, at the best in hindsight %.3g\n",
		       told->worth.days, told->worth.chosen, told->worth.any, told->worth.best);
}

static void print_when(const TOLD *told, const struct ft_tell_with *with)
{
	char text[2][FT_UNIT_LENGTH], best[32];
	bool none = told->alike == FT_LOAD_ALIKE_ANY;

	if (none)
		printf("no hour is better than another: the hour predicted no past day better\n");
	else
		printf("best start: %s, %s (now: %s), by the load of %s\n",
		       show_hour(told->best.begins_ns, best),
		       ft_value_format(told->best.said.value, "s", text[0]),
		       ft_value_format(told->now.said.value, "s", text[1]), ft_load_alike_text(told->alike));
	print_worth(told);
	printf("\n");
	cli_tell_table(&hour_told, told->hour, none ? 1 : DAY_H, with);
}

int cli_when(const struct cli_when *asked, const struct cli_models *models)
{
	char *runs = cli_runs_within(asked->confidence);
	const struct ft_tell_with with = {
		.program = ft_ask_program(models->answerer), .unit = "s", .runs = runs};
	TOLD *told = cli_alloc(sizeof *told);
	int status;

	*told = (TOLD){.name = with.program->name, .size = *asked->size, .confidence = asked->confidence};
	status = ask_all(asked, models->answerer, told);
	told->alike = told->best.told.alike;
	if (status == CLI_DONE && asked->json) {
		cli_tell(&cli_predict_when_told, told, &with);
	} else if (status == CLI_DONE) {
		printf("%s: wall time\n", told->name);
		print_when(told, &with);
	}
	free(told);
	free(runs);
	return status;
}
