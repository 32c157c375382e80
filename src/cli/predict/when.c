/* SPDX-License-Identifier: GPL-3.0-or-later */
/* when.c - predicts runs that begin at a future moment. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/predict/predict.h"
#include "policy/door.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NS = 1000000000, HOUR_S = 60 * 60, DAY_H = 24, WEEK_H = 7 * DAY_H, DAY_MIN = 24 * 60 };

/* ---- a moment ------------------------------------------------------------------------------------------ */

/* "06:00", "sat 06:00": the next minute at which such a window opens. */
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
	const struct ft_load_answer_hour *hour = ft_ask_hour(answerer);
	char text[32];

	if (hour)
		printf(" started on %s, under the load of %s on %zu days", show_hour(at_ns, text),
		       ft_load_alike_text(hour->alike), hour->days);
}

/* ---- the best ------------------------------------------------------------------------------------------ */

struct hour {
	int64_t begins_ns;
	struct ft_prediction predicted;
	struct ft_load_answer_hour answer;
};

static char *begins_cell(const void *record, const struct ft_tell_with *with)
{
	char text[32];

	(void)with;
	return cli_strdup(show_hour(((const struct hour *)record)->begins_ns, text));
}

static char *interval_cell(const void *record, const struct ft_tell_with *with)
{
	return ft_tell_interval(&((const struct hour *)record)->predicted, with->unit);
}

#define HOUR struct hour
static const struct ft_tell_row hour_rows[] = {
	{FT_TELL_BY(TIME, "begins", HOUR, begins_ns), .head = "begins", .cell = begins_cell},
	{FT_TELL_AS("value", HOUR, predicted.value), .about = "wall time, seconds", .head = ">typical",
	 .unit = "s"},
	{FT_TELL_AS("lower", HOUR, predicted.lower), .null = "the law that was stated was never tried",
	 .head = ">%s", .cell = interval_cell},
	{FT_TELL_AS("upper", HOUR, predicted.upper), .null = "as lower"},
	{FT_TELL_AS("slowdown", HOUR, answer.slow_down), .about = "of its time on processors, typical",
	 .head = ">slowed", .unit = ".3g"},
	{FT_TELL_AS("load", HOUR, answer.load), .about = "demand of other processes then, in processors",
	 .head = ">load", .unit = ".3g"},
	{FT_TELL_BY(WORD, "compared_hours", HOUR, answer.alike), .word = ft_load_alike_text,
	 .words = FT_TELL_ALIKE},
	{FT_TELL_AS("days", HOUR, answer.days), .about = "of the past, on which that rests", .head = ">days"},
	{0},
};
static const struct ft_tell_record hour_answer = {.bytes = sizeof(HOUR), .row = hour_rows};

#define WORTH struct ft_load_worth
static const struct ft_tell_row worth_rows[] = {
	{FT_TELL(WORTH, days), .about = "days predicted from the other days (leave-one-out)"},
	{FT_TELL(WORTH, chosen), .about = "slow-down of a run begun at the recommended hour"},
	{FT_TELL(WORTH, any), .about = "the mean over all hours of the day"},
	{FT_TELL(WORTH, best), .about = "of the day's best hour, in hindsight"},
	{0},
};
static bool worth_there(const void *answer)
{
	return ((const WORTH *)answer)->days > 0;
}
static const struct ft_tell_record worth_answer = {.row = worth_rows, .there = worth_there};

struct start_answer {
	const char *name;
	struct ft_size size;
	double confidence;
	enum ft_load_alike alike;
	WORTH worth;
	HOUR now, best;
	HOUR hour[WEEK_H];
	size_t n;
};

#define ANSWER struct start_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, name)},
	{FT_TELL(ANSWER, size)},
	{FT_TELL(ANSWER, confidence), .about = "share of future runs within the intervals"},
	{FT_TELL_BY(WORD, "compared_hours", ANSWER, alike), .word = ft_load_alike_text,
	 .words = FT_TELL_ALIKE,
	 .about = "past hours that predicted load best; any hour: all are equally good"},
	{FT_TELL_BY(RECORD, "worth", ANSWER, worth), .of = &worth_answer,
	 .about = "what choosing so would have been worth",
	 .null = "no day was observed for half of its hours"},
	{FT_TELL_BY(RECORD, "now", ANSWER, now), .of = &hour_answer},
	{FT_TELL_BY(RECORD, "best", ANSWER, best), .of = &hour_answer},
	{FT_TELL_MANY(ARRAY, "hours", ANSWER, hour, n, &hour_answer), .about = "of the next week"},
	{0},
};
const struct ft_tell_record cli_predict_when_answer = {
	.name = "predict-when", .typed = "predict --when", .version = 2, .row = rows};

static int ask_hour(const struct cli_when *query, struct ft_answerer *answerer, int64_t at_ns, HOUR *out)
{
	const struct ft_ask_load load = {.view = FT_LOAD_AT, .threads = query->threads, .at_ns = at_ns};
	struct ft_err err = {0};

	out->begins_ns = at_ns;
	ft_ask_under(answerer, &load);
	if (ft_ask_predict(answerer, &ft_wall_s, query->size, query->confidence, &out->predicted, &err))
		return cli_error(&err);
	out->answer = *ft_ask_hour(answerer);
	return CLI_DONE;
}

/* Now, and each full hour from then on. */
static int ask_all(const struct cli_when *query, struct ft_answerer *answerer, ANSWER *answer)
{
	int64_t now_ns = ft_clock_real_ns() / NS * NS, hour_ns = (int64_t)HOUR_S * NS;
	int status = CLI_DONE;

	for (size_t i = 0; i < WEEK_H && status == CLI_DONE; i++)
		status = ask_hour(query, answerer, i ? (now_ns / hour_ns + (int64_t)i) * hour_ns : now_ns,
				  &answer->hour[answer->n++]);
	if (status != CLI_DONE)
		return status;
	answer->now = answer->best = answer->hour[0];
	for (size_t i = 1; i < answer->n; i++)
		if (answer->hour[i].predicted.value < answer->best.predicted.value * (1 - 1e-9))
			answer->best = answer->hour[i];
	(void)ft_ask_hours_worth(answerer, &answer->worth);
	return CLI_DONE;
}

int cli_when(const struct cli_when *query, const struct cli_models *models)
{
	char *runs = cli_runs_within(query->confidence);
	const struct ft_tell_with with = {
		.program = ft_ask_program(models->answerer), .unit = "s", .runs = runs};
	ANSWER *answer = cli_alloc(sizeof *answer);
	int status;

	*answer = (ANSWER){.name = with.program->name, .size = *query->size, .confidence = query->confidence};
	status = ask_all(query, models->answerer, answer);
	answer->alike = answer->best.answer.alike;
	if (status == CLI_DONE && query->json) {
		cli_tell(&cli_predict_when_answer, answer, &with);
	} else if (status == CLI_DONE) {
		printf("%s: wall time\n", answer->name);
		char text[2][FT_UNIT_LENGTH], best[32];
		bool none = answer->alike == FT_LOAD_ALIKE_ANY;

		if (none)
			printf("no hour is better than another: the hour predicted no past day better\n");
		else
			printf("best start: %s, %s (now: %s), by the load of %s\n",
			       show_hour(answer->best.begins_ns, best),
			       ft_value_format(answer->best.predicted.value, "s", text[0]),
			       ft_value_format(answer->now.predicted.value, "s", text[1]),
			       ft_load_alike_text(answer->alike));
		if (answer->worth.days)
			printf("checked on %zu past days: at that hour a run took %.3g times its time on an "
			       "idle "
			       "machine, at "
			       "any hour %.3g, at the best in hindsight %.3g\n",
			       answer->worth.days, answer->worth.chosen, answer->worth.any,
			       answer->worth.best);
		printf("\n");
		cli_tell_table(&hour_answer, answer->hour, none ? 1 : DAY_H, &with);
	}
	free(answer);
	free(runs);
	return status;
}
