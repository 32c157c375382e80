/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlook.c - predicts the end of a program that is running now. */
#include "ask/door.h"
#include "base/alloc.h"
#include "base/csv.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "num/num.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

/*
 * The progress of a program: read from its output, or from the log of another run.
 */

enum { LINE = 4096 };

struct ft_printed {
	double lines; /* expected on standard output; 0: by the pattern */
	regex_t pattern;
	char line[2][LINE]; /* the beginning of those that have not ended yet */
	size_t length[2];
	double done, total; /* total 0: not reported yet */
};

static enum ft_status read_lines(struct ft_printed *p, const char *number, struct ft_err *err)
{
	enum ft_status status = ft_number_parse(number, &p->lines, err);

	if (!status && !(p->lines >= 1))
		status = ft_fail(err, FT_EINVAL, "lines=%s: a run of no lines", number);
	p->total = p->lines;
	return status;
}

static enum ft_status read_pattern(struct ft_printed *p, const char *text, struct ft_err *err)
{
	int failed = regcomp(&p->pattern, text, REG_EXTENDED);
	char why[256];

	if (!failed)
		return FT_OK;
	(void)regerror(failed, &p->pattern, why, sizeof why);
	(void)ft_fail(err, FT_EINVAL, "'%s' is no regular expression: %s", text, why);
	(void)ft_remedy(err, "write lines=1000, or as in '([0-9.]+) ?%%' or 'step ([0-9]+) of ([0-9]+)'");
	return FT_EINVAL;
}

enum ft_status ft_printed_new(struct ft_printed **out, const char *how, struct ft_err *err)
{
	static const char lines[] = "lines=";
	struct ft_printed *p = ft_calloc(1, sizeof *p);
	enum ft_status status;

	*out = NULL;
	if (!p)
		return ft_nomem(err);
	if (!strncmp(how, lines, sizeof lines - 1))
		status = read_lines(p, how + sizeof lines - 1, err);
	else
		status = read_pattern(p, how, err);
	if (status)
		ft_free(p);
	else
		*out = p;
	return status;
}

void ft_printed_free(struct ft_printed *p)
{
	if (p && !(p->lines > 0))
		regfree(&p->pattern);
	ft_free(p);
}

/* ---- its output ----------------------------------------------------------------------------------- */

/* The number at the beginning of a text, behind blanks. */
static bool take_number(const char **at, double *number)
{
	char digits[64];

	*at += strspn(*at, " \t");
	size_t n = strspn(*at, "0123456789.");
	if (!n || n >= sizeof digits)
		return false;
	memcpy(digits, *at, n);
	digits[n] = '\0';
	*at += n;
	return !ft_number_parse(digits, number, NULL);
}

/* "37 %" or "3/8", or "3 of 8"; a bare number is a percentage too. */
static bool take_share(const char *at, double *done, double *total)
{
	while (*at && !strchr("0123456789", *at))
		at++;
	if (!take_number(&at, done))
		return false;
	at += strspn(at, " \t");
	if (*at != '/' && strncmp(at, "of ", 3) != 0)
		*total = 100;
	else if (at += *at == '/' ? 1 : 3, !take_number(&at, total))
		return false;
	return *total > 0;
}

/* Copy what a group matched, so that nothing behind it is read. */
static const char *cut_match(const char *line, const regmatch_t *match, char cut[LINE])
{
	(void)snprintf(cut, LINE, "%.*s", (int)(match->rm_eo - match->rm_so), line + match->rm_so);
	return cut;
}

/* Two groups: what is done, and of how much; one: a share; none: the whole match is. */
static void match_line(struct ft_printed *p, const char *line)
{
	char first[LINE], second[LINE];
	regmatch_t match[3];
	double done = 0, total = 0;
	bool good;

	if (regexec(&p->pattern, line, 3, match, 0))
		return;
	const char *at = cut_match(line, &match[match[1].rm_so >= 0], first);
	if (match[1].rm_so >= 0 && match[2].rm_so >= 0) {
		const char *of = cut_match(line, &match[2], second);
		good = take_number(&at, &done) && take_number(&of, &total) && total > 0;
	} else {
		good = take_share(at, &done, &total);
	}
	if (good) {
		p->done = done;
		p->total = total;
	}
}

static void end_line(struct ft_printed *p, int stream)
{
	char *line = p->line[stream - 1];
	size_t *n = &p->length[stream - 1];

	line[*n] = '\0';
	if (*n)
		match_line(p, line);
	*n = 0;
}

void ft_printed_read(struct ft_printed *p, int stream, const char *bytes, size_t length)
{
	char *line = p->line[stream - 1];
	size_t *n = &p->length[stream - 1], i;

	for (i = 0; i < length; i++)
		if (p->lines > 0)
			p->done += stream == 1 && bytes[i] == '\n';
		else if (bytes[i] == '\n' || bytes[i] == '\r')
			end_line(p, stream);
		else if (*n + 1 < LINE && bytes[i])
			line[(*n)++] = bytes[i];
}

void ft_printed_end(struct ft_printed *p)
{
	for (int stream = 1; stream <= 2 && !(p->lines > 0); stream++)
		end_line(p, stream);
}

void ft_printed_get(const struct ft_printed *p, double *done, double *total)
{
	*done = p->done;
	*total = p->total;
}

/* ---- the log of another run
   ----------------------------------------------------------------------------- */

static enum ft_status fail_log(const char *path, const char *why, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%s' does not contain a whole run: %s", path, why);
	(void)ft_remedy(
		err,
		"foretime run --contract NAME --progress progress-log=FILE.csv writes one: seconds, done, "
		"total, to the end");
	return FT_EINVAL;
}

/* Rows without progress since the one before are skipped. */
static enum ft_status read_rows(const char *path, const struct ft_csv *csv, const int column[3],
				struct ft_stage *stage, size_t *n, struct ft_err *err)
{
	size_t rows = ft_csv_rows(csv), i, k;
	double cell[3], last_s;
	enum ft_status status;

	for (i = 0; i < rows; i++) {
		for (k = 0; k < 3; k++)
			if ((status = ft_csv_number(csv, i, (size_t)column[k], false, &cell[k], err)))
				return status;
		if (!(cell[2] > 0) || cell[1] > cell[2] || (*n && cell[0] < stage[*n - 1].time))
			return fail_log(path, "it is no run that goes on and on", err);
		if (!*n || cell[1] / cell[2] > stage[*n - 1].done)
			stage[(*n)++] = (struct ft_stage){cell[1] / cell[2], cell[0]};
	}
	if (*n < 2 || stage[*n - 1].done < 1)
		return fail_log(path, "it does not reach its total", err);
	last_s = stage[*n - 1].time;
	for (i = 0; i < *n; i++)
		stage[i].time /= last_s > 0 ? last_s : 1;
	return FT_OK;
}

enum ft_status ft_stages_read(const char *path, struct ft_stage **stage, size_t *n, struct ft_err *err)
{
	static const char *const names[3] = {"seconds", "done", "total"};
	struct ft_csv *csv;
	int column[3], i;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	*stage = NULL;
	*n = 0;
	if (status)
		return status;
	for (i = 0; i < 3 && !status; i++)
		if ((column[i] = ft_csv_column(csv, names[i])) < 0)
			status = fail_log(path, "a column is missing", err);
	if (!status && !(*stage = ft_malloc((ft_csv_rows(csv) + 1) * sizeof **stage)))
		status = ft_nomem(err);
	if (!status)
		status = read_rows(path, csv, column, *stage, n, err);
	ft_csv_free(csv);
	if (status) {
		ft_free(*stage);
		*stage = NULL;
		*n = 0;
	}
	return status;
}

/*
 * Predicts the end of a program that is running now.
 */

enum {
	STAGES_LEAST = 8, /* steps of progress before it is believed */
};

/* A prediction must look broken while the run gets longer by this share. */
static const double patience = 0.1;

/* Checks are at least this share of the elapsed time apart. */
static const double finest = 0.0025;

/* Curves whose error is at most this multiple of the best one's are possible, too. */
static const double agrees = 4;

/* That the minimum lies below the expected value. */
static const double deviations = 3;

/* No prediction before this share of the typical time, so that a slow moment can pass. */
static const double soonest = 0.3;

/* Nor, without a normal run to compare with, before this share of the work, when the curve shows. */
static const double least_done = 0.25;

/* A step of progress is overdue after this multiple of the longest one before. */
static const double longer = 1.5;

/* Growth is assumed to continue for this multiple of its length so far: programs that fill their memory
 * first grow steadily, too. A leak is still reported at a quarter of its way to the limit. */
static const double believed = 4;

const char *ft_breach_text(enum ft_breach_kind kind)
{
	static const char *const words[] = {
#define FT_BREACH_WORDS(name, text) text,
		FT_BREACH_LIST(FT_BREACH_WORDS)
#undef FT_BREACH_WORDS
	};

	return kind < FT_BREACH_KINDS ? words[kind] : "?";
}

enum ft_status ft_outlook_begin(struct ft_outlook *outlook, const struct ft_promise *promise,
				const struct ft_stage *normal, size_t n, struct ft_err *err)
{
	*outlook = (struct ft_outlook){.promise = *promise,
				       .normal = normal,
				       .n_normal = n,
				       .late_since_s = NAN,
				       .large_since_s = NAN};
	for (size_t i = 0; i < n; i++)
		if (!(normal[i].done >= 0 && normal[i].done <= 1 && normal[i].time >= 0 &&
		      normal[i].time <= 1) ||
		    (i && !(normal[i].done > normal[i - 1].done && normal[i].time >= normal[i - 1].time)))
			return ft_fail(
				err, FT_EINVAL,
				"progress that goes back, or beyond the whole: %g of the work in %g of "
				"the time",
				normal[i].done, normal[i].time);
	if (n == 1 || (n && (normal[n - 1].done < 1 || normal[n - 1].time < 1)))
		return ft_fail(err, FT_EINVAL, "progress that does not reach the whole");
	return FT_OK;
}

/* ---- stored points ------------------------------------------------------------------------------------- */

/* Points are apart by a share of the time, so that a run of any length fits; the first stays. */
static void keep_point(struct ft_stage *point, size_t *n, double *gap_s, const struct ft_stage *now)
{
	size_t i;

	if (*n && now->time < point[*n - 1].time + *gap_s)
		return;
	if (*n == FT_OUTLOOK_POINTS) {
		for (i = 1; 2 * i < *n; i++)
			point[i] = point[2 * i];
		*n = i;
		*gap_s = now->time / FT_OUTLOOK_POINTS;
	}
	point[(*n)++] = *now;
}

static void take_progress(struct ft_outlook *o, const struct ft_outlook_look *look)
{
	const struct ft_stage now = {look->done, look->time_s};

	if (!(look->done > 0) || o->lost)
		return;
	o->lost = look->done > 1 || (o->steps && (look->done < o->reached.done || o->reached.done >= 1));
	if (o->lost || (o->steps && !(look->done > o->reached.done)))
		return;
	if (o->steps)
		o->longest_s = fmax(o->longest_s, now.time - o->reached.time);
	o->steps++;
	o->reached = now;
	keep_point(o->stage, &o->n_stages, &o->stage_gap_s, &now);
}

/* ---- time by progress ------------------------------------------------------------------------ */

/* Loops whose steps cost the same, more and more, or less and less: a power of the work done, or of the
 * work left. Curves between two of them fit both. */
static const struct {
	double power;
	bool left;
} family[] = {{1, false}, {2, false}, {3, false}, {1.5, true}, {2, true}, {3, true}};

enum { FAMILY = sizeof family / sizeof *family };

/* The share of time that a share of the work takes; i: in the family, where no normal run is known. */
static double time_share(const struct ft_outlook *o, size_t i, double done)
{
	if (!o->n_normal)
		return family[i].left ? 1 - pow(1 - done, family[i].power) : pow(done, family[i].power);
	size_t at = ft_count_below_of(&o->normal[0].done, o->n_normal - 1, sizeof *o->normal, done);
	const struct ft_stage *to = &o->normal[at];
	if (!at)
		return to->done > 0 ? to->time * done / to->done : to->time;
	return ft_line_at(done, to[-1].done, to[-1].time, to->done, to->time);
}

/* One possible curve, and how well the run so far fits it. */
struct ft__way {
	double off_s;   /* root of mean square of the points between the first and the last */
	double total_s; /* predicted total of the run */
	double error_s; /* one standard deviation of that */
};

/* Both ends of the observations lie on the curve. If seconds deviate from it as a random walk, the points
 * between are a bridge: the mean of their squares is a sixth of the error over the whole (the integral of
 * s (1 - s) over 0 .. 1). The rest then has the error of its own walk, and that of the slope. */
static struct ft__way find_way(const struct ft_outlook *o, size_t curve)
{
	const double from = time_share(o, curve, o->stage[0].done),
		     to = time_share(o, curve, o->reached.done), seen = to - from, left = 1 - to,
		     seen_s = o->reached.time - o->stage[0].time;
	struct ft__way way = {INFINITY, NAN, INFINITY};
	double squares = 0;

	if (!(seen > 0))
		return way;
	for (size_t i = 1; i < o->n_stages; i++)
		squares += pow(o->stage[i].time - o->stage[0].time -
				       seen_s * (time_share(o, curve, o->stage[i].done) - from) / seen,
			       2);
	way.off_s = sqrt(squares / (double)o->n_stages + pow(finest * seen_s, 2));
	double variance = 6 * way.off_s * way.off_s / seen;
	way.total_s = o->reached.time + seen_s * left / seen;
	way.error_s = sqrt(variance * (left + left * left / seen));
	return way;
}

struct ft_forecast ft_outlook_forecast(const struct ft_outlook *o, double now_s)
{
	struct ft_forecast out = {NAN, NAN, NAN};
	double apart_s = 0;
	struct ft__way way[FAMILY];
	size_t n = o->n_normal ? 1 : FAMILY, best = 0;
	double waited_s = fmax(0, now_s - o->reached.time - longer * o->longest_s);

	if (o->lost || o->n_stages < STAGES_LEAST || (!o->n_normal && o->reached.done < least_done))
		return out;
	for (size_t i = 0; i < n; i++) {
		way[i] = find_way(o, i);
		if (way[i].off_s < way[best].off_s)
			best = i;
	}
	if (isnan(way[best].total_s))
		return out;
	for (size_t i = 0; i < n; i++)
		if (way[i].off_s <= agrees * way[best].off_s)
			out.least_s = fmin(out.least_s, way[i].total_s - deviations * way[i].error_s);
	for (size_t i = 0; i < n; i++)
		if (way[i].off_s <= agrees * way[best].off_s)
			apart_s = fmax(apart_s, fabs(way[i].total_s - way[best].total_s));
	/* Evenly, unless the run shows that it is not so. A step that is overdue moves all that follows. */
	best = way[0].off_s <= agrees * way[best].off_s ? 0 : best;
	out.least_s = fmax(out.least_s, o->reached.time) + waited_s;
	out.total_s = way[best].total_s + waited_s;
	/* Curves that fit alike are alike likely: half of them lie within this. */
	out.error_s = hypot(hypot(way[best].error_s, apart_s / 2), waited_s);
	return out;
}

/* ---- memory ---------------------------------------------------------------------------------------------
 */

/* Bytes a second in one part of the stored points, from the means of its halves; 0: too few points. */
static double bytes_a_second(const struct ft_stage *point, size_t n)
{
	double bytes = 0, time = 0;
	size_t half = n / 2;

	if (!half)
		return 0;
	for (size_t i = 0; i < half; i++) {
		bytes += point[n - half + i].done - point[i].done;
		time += point[n - half + i].time - point[i].time;
	}
	return time > 0 ? bytes / time : 0;
}

/* Steady growth: that of each third of the second half of the run, the least of them; 0: it stands, or goes
 * up and down. */
static double steady_growth(const struct ft_outlook *o, double now_s)
{
	double least = INFINITY;
	size_t from = 0;

	while (from < o->n_held && o->held[from].time < now_s / 2)
		from++;
	size_t third = (o->n_held - from) / 3;
	if (third < 3)
		return 0;
	for (size_t i = 0; i < 3; i++)
		least = fmin(least, bytes_a_second(o->held + from + i * third, third));
	return fmax(0, least);
}

/* Bytes in use, of the resource with the prediction. */
static double held_bytes(const struct ft_outlook_look *look)
{
	return look->one_bytes > 0 ? look->one_bytes : look->bytes;
}

/* ---- breaches ------------------------------------------------------------------------------------- */

/* It looks so, and has for a while. */
static bool lasts_long(bool so, double now_s, double *since_s)
{
	if (!so)
		*since_s = NAN;
	else if (isnan(*since_s))
		*since_s = now_s;
	return so && now_s >= *since_s * (1 + patience);
}

static bool say_breach(struct ft_outlook *o, const struct ft_breach *breach, struct ft_breach *out)
{
	if (o->said[breach->kind])
		return false;
	o->said[breach->kind] = true;
	*out = *breach;
	return true;
}

static bool is_late(struct ft_outlook *o, const struct ft_breach *seen, const struct ft_forecast *forecast,
		    struct ft_breach *out)
{
	struct ft_breach breach = *seen;
	const double most_s = o->promise.upper_s, now_s = seen->at_s;
	const bool predicted = forecast->least_s > most_s && now_s > soonest * o->promise.wall_s;

	breach.kind = FT_BREACH_LATE;
	breach.promised = most_s;
	breach.least = fmax(now_s, forecast->least_s);
	breach.value = fmax(breach.least, forecast->total_s);
	return (lasts_long(predicted, now_s, &o->late_since_s) || now_s > most_s) &&
	       say_breach(o, &breach, out);
}

static bool is_large(struct ft_outlook *o, const struct ft_breach *seen, const struct ft_outlook_look *look,
		     struct ft_breach *out)
{
	struct ft_breach breach = *seen;

	breach.kind = FT_BREACH_LARGE;
	breach.promised = o->promise.upper_bytes;
	breach.value = breach.least = held_bytes(look);
	return lasts_long(held_bytes(look) > breach.promised, look->time_s, &o->large_since_s) &&
	       say_breach(o, &breach, out);
}

/* A need above what there is, as certain as the prediction. Otherwise only growth above the prediction, or
 * without one, is extrapolated: other growth levels off where the model predicts. */
static bool is_full(struct ft_outlook *o, const struct ft_breach *seen, const struct ft_outlook_look *look,
		    const struct ft_forecast *forecast, struct ft_breach *out)
{
	struct ft_breach breach = *seen;
	const double rate = steady_growth(o, look->time_s), most = o->promise.upper_bytes,
		     end_s = fmax(o->promise.wall_s, forecast->least_s); /* NaN loses */

	breach.kind = FT_BREACH_FULL;
	breach.promised = look->limit_bytes;
	if (o->promise.least_bytes > look->limit_bytes) {
		breach.value = o->promise.peak_bytes;
		breach.least = o->promise.least_bytes;
		return say_breach(o, &breach, out);
	}
	breach.value = breach.least = look->bytes + rate * fmax(0, end_s - look->time_s);
	breach.when_s = look->time_s + (look->limit_bytes - look->bytes) / rate;
	return rate > 0 && breach.least > look->limit_bytes && breach.when_s <= believed * look->time_s &&
	       (held_bytes(look) > most || !(most <= look->limit_bytes)) && say_breach(o, &breach, out);
}

bool ft_outlook_look(struct ft_outlook *o, const struct ft_outlook_look *look, struct ft_breach *out)
{
	const struct ft_breach seen = {.at_s = look->time_s, .done = look->done, .when_s = NAN};
	const struct ft_stage held = {look->bytes, look->time_s};

	take_progress(o, look);
	if (!isnan(look->bytes))
		keep_point(o->held, &o->n_held, &o->held_gap_s, &held);
	struct ft_forecast forecast = ft_outlook_forecast(o, look->time_s);
	return is_full(o, &seen, look, &forecast, out) || is_large(o, &seen, look, out) ||
	       is_late(o, &seen, &forecast, out);
}
