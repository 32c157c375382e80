/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - how good load functions are: how often later loads fall within, and how wide they are (000
 * section 3). */
#include "foretime/load.h"

#include <math.h>

/* Averages of equal loads differ by rounding. */
static const double ROUNDING = 1e-9;

/* The averages of what came after a moment, against the functions of what came before. */
static void judge_averages(struct ft_load_judgement *out, const struct ft_load_functions *f,
			   const double *later, size_t w, size_t *hits)
{
	double slack = ROUNDING * f->processors, sum = 0, area = 0;
	size_t i;

	for (i = 0; i < w && i < f->n; i++) {
		double mean = (sum += later[i]) / (double)(i + 1);

		if (isnan(sum))
			break;
		out->averages++;
		*hits += mean >= f->least[i] - slack && mean <= f->most[i] + slack;
	}
	for (i = 0; i + 1 < f->n; i++)
		area += (f->most[i] - f->least[i] + f->most[i + 1] - f->least[i + 1]) / 2 * f->interval_s;
	out->moments++;
	out->area += area;
	out->width += f->n > 1 ? area / ((double)(f->n - 1) * f->interval_s) : f->most[0] - f->least[0];
}

/* Quantiles are made anew at each moment. */
static enum ft_status look_at_quantiles(struct ft_load_judgement *out, const struct ft_load_history *history,
					size_t at, size_t h, size_t w, double share, size_t *hits,
					struct ft_err *err)
{
	struct ft_load_history before = *history;
	struct ft_load_functions f;
	enum ft_status status;

	before.load += at - h;
	before.n = h;
	status = ft_load_functions_make(&f, &before, w, share, err);
	if (status == FT_ENOMODEL) /* nothing but a gap */
		return FT_OK;
	if (!status)
		judge_averages(out, &f, history->load + at, w, hits);
	ft_load_functions_clear(&f);
	return status;
}

static enum ft_status judge_history(struct ft_load_judgement *out, const struct ft_load_history *history,
				    size_t h, size_t w, double share, size_t most,
				    struct ft_load_window *window, size_t *hits, struct ft_err *err)
{
	size_t moments = history->n - h - w + 1, wanted = most && most < moments ? most : moments, i, k = 0;

	for (i = 0; i < h + moments; i++) {
		enum ft_status status = FT_OK;

		/* The k-th of the wanted moments, evenly spread. */
		if (k < wanted && i == h + k * moments / wanted) {
			k++;
			if (share < 1)
				status = look_at_quantiles(out, history, i, h, w, share, hits, err);
			else if (ft_load_window_functions(window)->n)
				judge_averages(out, ft_load_window_functions(window), history->load + i, w,
					       hits);
		}
		if (!status && share == 1)
			status = ft_load_window_add(window, history->load[i], err);
		if (status)
			return status;
	}
	return FT_OK;
}

enum ft_status ft_load_judge(struct ft_load_judgement *out, const struct ft_load_history *history, size_t h,
			     size_t w, double share, size_t most, struct ft_err *err)
{
	struct ft_load_window *window = NULL;
	enum ft_status status = FT_OK;
	size_t hits = 0;

	*out = (struct ft_load_judgement){.within = NAN, .area = NAN, .width = NAN};
	if (!h || !w || w > h || !(share > 0 && share <= 1))
		return ft_fail(err, FT_EINVAL, "a window of %zu in a history of %zu intervals, share %g", w,
			       h, share);
	if (history->n < h + w)
		return FT_OK;
	out->area = out->width = 0;
	if (share == 1)
		status = ft_load_window_new(&window, history->interval_s, history->processors, w, h, err);
	if (!status)
		status = judge_history(out, history, h, w, share, most, window, &hits, err);
	ft_load_window_free(window);
	out->within = out->averages ? (double)hits / (double)out->averages : (double)NAN;
	out->area /= (double)out->moments;
	out->width /= (double)out->moments;
	if (status)
		*out = (struct ft_load_judgement){.within = NAN, .area = NAN, .width = NAN};
	return status;
}
