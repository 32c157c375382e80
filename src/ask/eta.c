/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eta.c - when a running program will end: the model's prediction, and what its progress shows. */
#include "ask/door.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "num/num.h"

#include <math.h>

/* Of a normal distribution 90 % lie within so many standard deviations. */
static const double ninety = 1.6448536;

/* The relative standard deviation of the time that is left: how time goes with progress was learned from an
 * earlier run; or only this run shows it, and what comes after the last input is not seen at all. */
static const double off_learned = 0.12, off_shown = 0.2;

/* The same from fewer steps than show a curve. */
static const double off_first = 0.3;

/* Without a learned curve the end may be as much later than progress shows: programs go on after they have read
 * their input. A share of the total, one standard deviation of the upper half. */
static const double off_tail = 0.35;

/* How inaccurate the share of the time is that belongs to a share of the work: what a program reads when it
 * starts is no progress. */
static const double off_share = 0.05;

/* Progress that is complete before this share of the time is that of a start, and shows nothing of the rest; once
 * it is complete the rest is as uncertain as this share of it. */
static const double least_share = 0.3, off_rest = 0.15;

/* The load of the rest is the geometric mean of those of the last part of the run and of all of it: a program gets
 * processors in bursts. It differs from that by this share of the rest where all of the time is waiting. */
static const double recent = 0.3, off_load = 0.45;

/* Two runs of one size differ by this, on a busy machine; and models are wrong alike at two sizes until the times that they predict
 * there differ by this factor (of logarithms, as the correlation falls to 1/e). */
static const double off_again = 0.07, alike = 2;

/* The deviation of a model's errors is known as from this many runs. */
enum { DEVIATION_RUNS = 3 };

/* Progress is not used before this share of it. */
static const double least_done = 0.02;

/* An interval is never narrower than this share of the total. */
static const double finest = 0.01;

const char *ft_advance_text(enum ft_advance progress)
{
	static const char *const words[] = {
#define FT_ADVANCE_WORDS(name, text) text,
		FT_ADVANCE_LIST(FT_ADVANCE_WORDS)
#undef FT_ADVANCE_WORDS
	};

	return progress < FT_ADVANCE_KINDS ? words[progress] : "nothing";
}

/* One standard deviation of the logarithm of the predicted time. */
static double deviation_of(const struct ft_eta *eta)
{
	return fmax(finest, log(eta->upper_s / eta->lower_s) / (2 * ninety));
}

void ft_eta_begin(struct ft_eta *eta, const struct ft_prediction *wall)
{
	static const struct ft_promise none = {NAN, NAN, NAN, NAN, NAN};

	*eta = (struct ft_eta){.wall_s = NAN, .lower_s = NAN, .upper_s = NAN, .worked = 1};
	if (wall && wall->value > 0 && isfinite(wall->value)) {
		eta->wall_s = wall->value;
		/* No wider than tells something. */
		eta->lower_s = fmax(wall->lower, wall->value / 10);
		eta->upper_s = fmin(wall->upper, 10 * wall->value);
	}
	for (size_t i = 0; i < FT_ADVANCE_KINDS; i++)
		(void)ft_outlook_begin(&eta->way[i], &none, NULL, 0, NULL);
}

void ft_eta_past(struct ft_eta *eta, const struct ft_prediction *wall, double spent_s)
{
	struct ft_eta past;

	ft_eta_begin(&past, wall);
	if (isnan(eta->wall_s) || isnan(past.wall_s) || !(spent_s > 0))
		return;
	/* The model's errors in logarithms: normal, with its own deviations, unless the earlier run shows that these are
	 * too small. It is no reason for a larger correction than there, even where the model is less certain. The error
	 * here is what remains of such an error then. */
	const double was = log(spent_s / past.wall_s), off = was / deviation_of(&past),
		     larger = fmax(1, sqrt((DEVIATION_RUNS + off * off) / (DEVIATION_RUNS + 1))),
		     there = larger * deviation_of(&past), here = larger * deviation_of(eta),
		     near = exp(-fabs(log(eta->wall_s / past.wall_s)) / alike),
		     variance = there * there + off_again * off_again,
		     share = near * fmin(here, there) * there / variance,
		     rest = here * here + share * share * variance - 2 * share * near * here * there,
		     left = hypot(sqrt(fmax(0, rest)), off_again);

	eta->wall_s *= exp(share * was);
	eta->lower_s = eta->wall_s * exp(-ninety * left);
	eta->upper_s = eta->wall_s * exp(ninety * left);
}

enum ft_status ft_eta_learned(struct ft_eta *eta, enum ft_advance progress, const struct ft_stage *stage,
			      size_t n, struct ft_err *err)
{
	static const struct ft_promise none = {NAN, NAN, NAN, NAN, NAN};

	for (size_t i = 0; i < n; i++)
		if (!(stage[i].done > (i ? stage[i - 1].done : 0) && stage[i].done <= 1 &&
		      stage[i].time >= (i ? stage[i - 1].time : 0) && stage[i].time <= 1))
			return ft_fail(err, FT_EINVAL, "progress that goes back, or beyond the whole");
	if (n < 2)
		return FT_OK;
	(void)ft_outlook_begin(&eta->way[progress], &none, NULL, 0, NULL);
	eta->way[progress].normal = stage;
	eta->way[progress].n_normal = n;
	return FT_OK;
}

/* ---- the prediction, at a moment ----------------------------------------------------------------------- */

/* The run has taken `spent` seconds of an idle machine and goes on: the distribution of all runs, without those
 * that would be over by now. */
static double still_running(const struct ft_eta *eta, double spent, double share)
{
	const double mean = log(eta->wall_s), deviation = deviation_of(eta),
		     z = spent > 0 ? (log(spent) - mean) / deviation : -INFINITY;

	/* Far outside nothing is known of it but that it goes on: it ends within a share of what it took. */
	if (z > 2.5)
		return spent * (1 + (share < 0.3 ? 0.01 : share < 0.7 ? 0.15 : 1));
	return exp(mean +
		   deviation * ft_normal_quantile(fmin(ft_normal_below(z) + share * (1 - ft_normal_below(z)),
						       1 - 1e-9)));
}

/* How many seconds one of an idle machine takes, lately. */
static void follow_load(struct ft_eta *eta, const struct ft_eta_look *look)
{
	const double now = look->time_s, step = now - eta->time_s, waited = fmin(look->waited_s, 0.95 * now),
		     spent = isnan(look->waited_s) ? eta->spent_s + eta->worked * step
						   : fmax(eta->spent_s, now - fmax(0, waited)),
		     worked = spent - eta->spent_s;

	if (step > 0) {
		const double weight = fmin(1, step / (recent * now));

		eta->worked = (1 - weight) * eta->worked + weight * fmin(1, worked / step);
	}
	eta->time_s = now;
	eta->spent_s = spent;
}

static void predict_now(const struct ft_eta *eta, struct ft_eta_answer *out)
{
	out->total_s = still_running(eta, eta->spent_s, 0.5);
	out->lower_s = still_running(eta, eta->spent_s, 0.05);
	out->upper_s = still_running(eta, eta->spent_s, 0.95);
	out->model = true;
}

/* ---- progress ------------------------------------------------------------------------------------------ */

/* A kind that is complete does not go on: how long the run does is known from a learned curve alone. */
static void take_done(struct ft_outlook *way, double time_s, double done)
{
	const struct ft_outlook_look look = {
		.time_s = time_s, .done = done, .bytes = NAN, .limit_bytes = NAN};
	struct ft_breach breach;

	if (!(done > 0) || (way->steps && done == way->reached.done))
		return;
	(void)ft_outlook_look(way, &look, &breach);
}

/* The share of the time that the progress so far takes. */
static double share_of_time(const struct ft_outlook *way)
{
	const double done = way->reached.done;
	size_t at;

	if (!way->n_normal)
		return done;
	at = ft_count_below_of(&way->normal[0].done, way->n_normal - 1, sizeof *way->normal, done);
	if (!at)
		return way->normal[0].time * done / way->normal[0].done;
	return ft_line_at(done, way->normal[at - 1].done, way->normal[at - 1].time, way->normal[at].done,
			  way->normal[at].time);
}

/* The total by one kind of progress, in seconds of an idle machine, and its standard deviation; NaN: it shows
 * none. Bytes that a program reads and writes count only where an earlier run showed how: most of them may be
 * those of its start. */
static double by_progress(const struct ft_eta *eta, enum ft_advance kind, double *error_s)
{
	const struct ft_outlook *way = &eta->way[kind];
	const bool over = way->reached.done >= 1, learned = way->n_normal > 0;
	struct ft_forecast at;

	*error_s = INFINITY;
	if (way->reached.done < least_done || way->lost ||
	    (learned && way->normal[way->n_normal - 1].time < least_share) ||
	    (!learned && (over || kind >= FT_ADVANCE_READ)))
		return NAN;
	at = ft_outlook_forecast(way, over ? way->reached.time : eta->spent_s);
	const double share = share_of_time(way), even_s = way->reached.time / share,
		     off = over ? off_rest : off_share;
	if (!(share > 0))
		return NAN;
	/* Too few steps yet to show how time goes with them: evenly, or as was learned. */
	if (isnan(at.total_s))
		at = (struct ft_forecast){even_s, NAN, off_first * (even_s - way->reached.time)};
	/* A learned curve that ends with the run says no more than that it is over. */
	if (over && share > 1 - off_share)
		return NAN;
	const double left_s = fmax(0, at.total_s - eta->spent_s);
	*error_s = hypot(hypot(at.error_s, (learned ? off_learned : off_shown) * left_s),
			 hypot(eta->uncertain[kind], off * (1 - share) / share) * at.total_s);
	return at.total_s;
}

void ft_eta_look(struct ft_eta *eta, const struct ft_eta_look *look, struct ft_eta_answer *out)
{
	double best_s = NAN, error_s = INFINITY;

	*out = (struct ft_eta_answer){NAN, NAN, NAN, false, FT_ADVANCE_KINDS, false};
	follow_load(eta, look);
	for (size_t i = 0; i < FT_ADVANCE_KINDS; i++) {
		double off_s, total_s;

		take_done(&eta->way[i], eta->spent_s, look->done[i]);
		total_s = by_progress(eta, (enum ft_advance)i, &off_s);
		if (isnan(total_s) || !(off_s < error_s))
			continue;
		best_s = total_s;
		error_s = off_s;
		out->by = (enum ft_advance)i;
		out->learned = eta->way[i].n_normal > 0;
	}
	if (!isnan(eta->wall_s))
		predict_now(eta, out);
	if (out->model && !isnan(best_s)) {
		/* Two measurements of one number: the weights are those of their errors, and where they disagree the
		 * interval is as much wider. */
		const double model_s = fmax((out->upper_s - out->lower_s) / (2 * ninety),
					    finest * out->total_s / 2),
			     off_s = hypot(error_s, out->learned ? 0 : off_tail * fmax(best_s, out->total_s)),
			     sum = 1 / (model_s * model_s) + 1 / (off_s * off_s),
			     both_s = (out->total_s / (model_s * model_s) + best_s / (off_s * off_s)) / sum,
			     apart = fabs(out->total_s - best_s) / hypot(model_s, off_s),
			     wide_s = sqrt(1 / sum) * fmax(1, apart);

		out->total_s = both_s;
		out->lower_s = both_s - ninety * wide_s;
		out->upper_s = both_s + ninety * wide_s;
	} else if (!isnan(best_s)) {
		out->total_s = best_s;
		out->lower_s = best_s - ninety * error_s;
		out->upper_s = best_s + ninety * hypot(error_s, out->learned ? 0 : off_tail * best_s);
	}
	/* From seconds of an idle machine to those of this load; it cannot have ended. NaN stays. */
	const double now = eta->time_s,
		     worked = fmax(0.02, now > 0 ? sqrt(eta->worked * eta->spent_s / now) : eta->worked),
		     slower = 1 / worked, least_s = finest * now / 2;
	double *const end[] = {&out->total_s, &out->lower_s, &out->upper_s};

	for (size_t i = 0; i < 3; i++)
		if (!isnan(*end[i]))
			*end[i] = now + fmax(0, (*end[i] - eta->spent_s) * slower);
	/* The load may change, and what is left is never known better than a share of the whole. */
	const double change_s = ninety * off_load * (1 - worked) * (out->total_s - now);
	const double below_s = out->total_s - out->lower_s;
	out->lower_s -= hypot(below_s, change_s) - below_s; /* exactly as it was where there is none */
	out->upper_s = out->total_s + hypot(out->upper_s - out->total_s, change_s);
	out->lower_s = isnan(out->total_s) ? NAN : fmax(now, fmin(out->lower_s, out->total_s - least_s));
	out->upper_s = isnan(out->total_s) ? NAN : fmax(out->upper_s, out->total_s + least_s);
}
