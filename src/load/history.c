/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - observations of any length, laid on equal intervals. */
#include "load/history.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Observations are cut at the ends of intervals; so many pieces at most. */
enum { PIECES_MOST = 50000000 };

#define AGE_MOST_S 9e9 /* nanoseconds since then are counted in 64 bits */

/* How observations are laid. */
struct lay {
	double interval_s;
	size_t most; /* observed intervals; 0: all */
	enum ft_sharing sharing;
	double age_s; /* > 0: each interval of a gap stands there, and none is older */
};

/* What one observation says of one interval. */
struct history_piece {
	double interval; /* its number, counted back from the newest, 0 */
	double seconds, load;
	bool by_sweep;
};

static double end_s(const struct ft_load *load, int64_t origin_ns)
{
	/* Of any two numbers, for a store may hold any. */
	int64_t since_ns = (int64_t)((uint64_t)load->started_ns - (uint64_t)origin_ns);

	return (double)since_ns / 1e9 + load->interval_s;
}

/* Busy processors are at most all of them. */
static double load_for(const struct ft_load *load, enum ft_sharing sharing)
{
	if (sharing == FT_SHARING_FAIR)
		return load->load;
	return isnan(load->busy) ? fmin(load->load, load->processors) : load->busy;
}

/* Cut an observation that ended `ago` seconds before the newest one; out NULL: count only. */
static size_t cut_pieces(const struct ft_load *load, double ago, double interval_s, enum ft_sharing sharing,
			 struct history_piece *out)
{
	double from = fmax(0, ago), to = ago + load->interval_s, number = floor(from / interval_s);
	size_t n = 0;

	/* Beyond that, numbers and times are no longer exact. */
	if (to >= AGE_MOST_S || to / interval_s >= 0x1p52 || (to - from) / interval_s > PIECES_MOST)
		return (size_t)PIECES_MOST + 1;
	for (; number * interval_s < to; number++) {
		double begin = fmax(from, number * interval_s), end = fmin(to, (number + 1) * interval_s);

		if (end <= begin)
			continue;
		if (out)
			out[n] = (struct history_piece){number, end - begin, load_for(load, sharing),
							load->by_sweep};
		n++;
	}
	return n;
}

static int by_interval(const void *a, const void *b)
{
	const struct history_piece *p = a, *q = b;

	return (p->interval > q->interval) - (p->interval < q->interval);
}

/* The load of an interval of which `n` pieces tell; NaN: too few do. */
static double settle_interval(const struct history_piece *piece, size_t n, double interval_s)
{
	double seconds[2] = {0}, sum[2] = {0};

	for (size_t i = 0; i < n; i++) {
		seconds[piece[i].by_sweep] += piece[i].seconds;
		sum[piece[i].by_sweep] += piece[i].seconds * piece[i].load;
	}
	for (size_t i = 2; i-- > 0;)
		if (seconds[i] >= 0.499999 * interval_s)
			return sum[i] / seconds[i];
	return NAN;
}

static enum ft_status add_gap(struct ft_load_history *out, double intervals, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (; intervals > 0 && !status; intervals--)
		status = ft_load_history_add(out, NAN, err);
	return status;
}

/* Newest first; the caller turns them round. */
static enum ft_status gather_intervals(struct ft_load_history *out, const struct history_piece *piece,
				       size_t n, const struct lay *how, double *oldest, struct ft_err *err)
{
	size_t most = how->most;
	enum ft_status status = FT_OK;
	size_t i = 0, observed = 0;
	double last = 0;

	while (i < n && !status && (!most || observed < most)) {
		size_t first = i;

		while (i < n && piece[i].interval == piece[first].interval)
			i++;
		double load = settle_interval(piece + first, i - first, out->interval_s);
		if (isnan(load))
			continue;
		if (how->age_s > 0 && piece[first].interval * out->interval_s > how->age_s)
			break;
		if (observed && piece[first].interval > last + 1)
			status = add_gap(out, how->age_s > 0 ? piece[first].interval - last - 1 : 1, err);
		if (!status)
			status = ft_load_history_add(out, load, err);
		last = *oldest = piece[first].interval;
		observed++;
	}
	return status;
}

static void reverse_loads(struct ft_load_history *history)
{
	for (size_t i = 0; i < history->n / 2; i++) {
		double swap = history->load[i];

		history->load[i] = history->load[history->n - 1 - i];
		history->load[history->n - 1 - i] = swap;
	}
}

static enum ft_status cut_all(const struct ft_loads *loads, double interval_s, const struct ft_load *newest,
			      enum ft_sharing sharing, struct history_piece **out, size_t *n,
			      struct ft_err *err)
{
	double end = end_s(newest, newest->started_ns);
	size_t i;

	*n = 0;
	*out = NULL;
	for (i = 0; i < loads->n && *n <= PIECES_MOST; i++)
		*n += cut_pieces(&loads->load[i], end - end_s(&loads->load[i], newest->started_ns),
				 interval_s, sharing, NULL);
	if (*n > PIECES_MOST) {
		(void)ft_fail(
			err, FT_EINVAL,
			"an interval of %g s cuts the loads into more than %d pieces, or they span centuries",
			interval_s, PIECES_MOST);
		return ft_remedy(err, "choose a longer interval, and look at the times");
	}
	*out = ft_malloc((*n ? *n : 1) * sizeof **out);
	if (!*out)
		return ft_nomem(err);
	for (i = 0, *n = 0; i < loads->n; i++)
		*n += cut_pieces(&loads->load[i], end - end_s(&loads->load[i], newest->started_ns),
				 interval_s, sharing, *out + *n);
	return FT_OK;
}

static enum ft_status lay_intervals(struct ft_load_history *out, const struct ft_loads *loads,
				    const struct lay *how, struct ft_err *err)
{
	double interval_s = how->interval_s;
	const struct ft_load *newest = loads->load;
	struct history_piece *piece;
	double oldest = 0;
	size_t n;

	*out = (struct ft_load_history){0};
	if (!(interval_s > 0 && isfinite(interval_s)))
		return ft_fail(err, FT_EINVAL, "an interval of %g s", interval_s);
	out->interval_s = interval_s;
	if (!loads->n)
		return FT_OK;
	for (size_t i = 1; i < loads->n; i++)
		if (end_s(&loads->load[i], newest->started_ns) >= end_s(newest, newest->started_ns))
			newest = &loads->load[i];
	enum ft_status status = cut_all(loads, interval_s, newest, how->sharing, &piece, &n, err);
	if (status) {
		ft_load_history_clear(out);
		return status;
	}
	assert(piece);
	qsort(piece, n, sizeof *piece, by_interval);
	status = gather_intervals(out, piece, n, how, &oldest, err);
	ft_free(piece);
	reverse_loads(out);
	out->processors = newest->processors;
	out->start_ns =
		newest->started_ns + (int64_t)((newest->interval_s - (oldest + 1) * interval_s) * 1e9);
	if (status)
		ft_load_history_clear(out);
	return status;
}

enum ft_status ft_load_history_make(struct ft_load_history *out, const struct ft_loads *loads,
				    double interval_s, size_t most, enum ft_sharing sharing,
				    struct ft_err *err)
{
	const struct lay how = {interval_s, most, sharing, 0};

	return lay_intervals(out, loads, &how, err);
}

enum ft_status ft__load_history_timed(struct ft_load_history *out, const struct ft_loads *loads,
				      double interval_s, double age_s, struct ft_err *err)
{
	const struct lay how = {interval_s, 0, FT_SHARING_FAIR, age_s};

	return lay_intervals(out, loads, &how, err);
}

size_t ft_load_history_observed(const struct ft_load_history *history, size_t newest)
{
	size_t i = history->n > newest ? history->n - newest : 0, n = 0;

	for (; i < history->n; i++)
		n += isnan(history->load[i]) ? 0 : 1;
	return n;
}

struct ft_loads_summary ft_loads_summarise(const struct ft_loads *loads)
{
	struct ft_loads_summary s = {0};

	for (size_t i = 0; i < loads->n; i++) {
		const struct ft_load *seen = &loads->load[i];
		int64_t end_ns = seen->started_ns + (int64_t)(seen->interval_s * 1e9);

		s.seconds += seen->interval_s;
		s.load += seen->interval_s * seen->load;
		s.busy += seen->interval_s * seen->busy;
		s.steal += seen->interval_s * seen->steal;
		s.iowait += seen->interval_s * seen->iowait;
		s.end_ns = end_ns > s.end_ns ? end_ns : s.end_ns;
	}
	s.load /= s.seconds;
	s.busy /= s.seconds;
	s.steal /= s.seconds;
	s.iowait /= s.seconds;
	return s;
}
