/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - l_min(t) and l_max(t) of a history: extremes or quantiles of its averages. */
#include "base/alloc.h"
#include "foretime/load.h"
#include "num/line.h"
#include "num/stats.h"

#include <math.h>
#include <stddef.h>

void ft_load_functions_clear(struct ft_load_functions *functions)
{
	if (!functions)
		return;
	ft_free(functions->least);
	ft_free(functions->most);
	*functions = (struct ft_load_functions){0};
}

/* Rows beyond the longest unbroken stretch have no average. */
static size_t longest_stretch(const struct ft_load_history *history)
{
	size_t length = 0, longest = 0;

	for (size_t i = 0; i < history->n; i++) {
		length = isnan(history->load[i]) ? 0 : length + 1;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* 000 section 2.2 eq. 1 and 2. The averages that end at load j are running sums from there back: no sum of
 * many loads is ever subtracted from another, and a gap ends the walk. */
static void take_extremes(struct ft_load_functions *f, const struct ft_load_history *history)
{
	for (size_t i = 0; i < f->n; i++) {
		f->least[i] = INFINITY;
		f->most[i] = -INFINITY;
	}
	for (size_t j = 0; j < history->n; j++) {
		double sum = 0;

		for (size_t i = 0; i < f->n && i <= j && !isnan(history->load[j - i]); i++) {
			double mean = (sum += history->load[j - i]) / (double)(i + 1);

			f->least[i] = fmin(f->least[i], mean);
			f->most[i] = fmax(f->most[i], mean);
		}
	}
}

/* The same with quantiles: one row of the matrix A at a time. sum[j] is that of the averages' loads that
 * begin at j. */
static enum ft_status take_quantiles(struct ft_load_functions *f, const struct ft_load_history *history,
				     double share, struct ft_err *err)
{
	double *sum = ft_calloc(history->n, sizeof *sum), *mean = ft_calloc(history->n, sizeof *mean);
	enum ft_status status = sum && mean ? FT_OK : ft_nomem(err);

	for (size_t i = 0; i < f->n && !status; i++) {
		size_t n = 0;

		for (size_t j = 0; j + i < history->n; j++) {
			sum[j] += history->load[j + i]; /* a gap makes all that span it NaN */
			if (!isnan(sum[j]))
				mean[n++] = sum[j] / (double)(i + 1);
		}
		f->least[i] = ft_stats_quantile(mean, n, (1 - share) / 2);
		f->most[i] = ft_stats_quantile(mean, n, (1 + share) / 2);
	}
	ft_free(sum);
	ft_free(mean);
	return status;
}

enum ft_status ft_load_functions_make(struct ft_load_functions *out, const struct ft_load_history *history,
				      size_t w, double share, struct ft_err *err)
{
	size_t n = longest_stretch(history);
	enum ft_status status = FT_OK;

	*out = (struct ft_load_functions){0};
	if (!w || !(share > 0 && share <= 1))
		return ft_fail(err, FT_EINVAL, "load functions of %zu intervals and the share %g", w, share);
	if (!n) {
		(void)ft_fail(err, FT_ENOMODEL, "no background load was recorded");
		(void)ft_remedy(err, "record some with 'foretime machine load record'");
		return FT_ENOMODEL;
	}
	n = w < n ? w : n;
	*out = (struct ft_load_functions){
		.interval_s = history->interval_s,
		.processors = history->processors,
		.least = ft_calloc(n, sizeof *out->least),
		.most = ft_calloc(n, sizeof *out->most),
		.n = n,
	};
	if (!out->least || !out->most)
		status = ft_nomem(err);
	else if (share == 1)
		take_extremes(out, history);
	else
		status = take_quantiles(out, history, share, err);
	if (status)
		ft_load_functions_clear(out);
	return status;
}

enum ft_status ft_load_usual(struct ft_load_functions *out, const struct ft_loads *loads,
			     enum ft_sharing sharing, double share, struct ft_err *err)
{
	struct ft_load_history history;
	enum ft_status status =
		ft_load_history_make(&history, loads, FT_LOAD_INTERVAL_S, FT_LOAD_HISTORY, sharing, err);
	size_t observed = 0;

	*out = (struct ft_load_functions){0};
	if (status)
		return status;
	for (size_t i = 0; i < history.n; i++)
		if (!isnan(history.load[i]))
			observed++;
	if (observed < FT_LOAD_LEAST) {
		(void)ft_fail(err, FT_ENOMODEL,
			      "the background load was recorded for %zu minutes, and %d are needed",
			      observed * (size_t)FT_LOAD_INTERVAL_S / 60,
			      FT_LOAD_LEAST * FT_LOAD_INTERVAL_S / 60);
		(void)ft_remedy(err, "record it with 'foretime machine load record'");
		status = FT_ENOMODEL;
	} else {
		status = ft_load_functions_make(out, &history, FT_LOAD_WINDOW, share, err);
	}
	ft_load_history_clear(&history);
	return status;
}

void ft_load_at(const struct ft_load_functions *functions, double t_s, double load[2])
{
	double place = t_s / functions->interval_s - 1;

	load[0] = ft_line_grid(functions->least, functions->n, place);
	load[1] = ft_line_grid(functions->most, functions->n, place);
}

size_t ft_load_choose_window(const struct ft_load_functions *functions, double width)
{
	size_t w = functions->n;

	while (w && functions->most[w - 1] - functions->least[w - 1] <= width * functions->processors)
		w--;
	return w == functions->n ? 0 : w + 1;
}
