/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - how good load functions are: how often later loads fall within, and how wide they are (000
 * section 3). */
#include "foretime/load.h"
#include "base/alloc.h"

#include <math.h>

/* Averages of equal loads differ by rounding. */
static const double ROUNDING = 1e-9;

/* The averages of what came after a moment, against the functions of what came before. */
static void judge_averages(struct ft_load_judgement *out, const struct ft_load_functions *f,
			   const double *later, size_t w, size_t *hits)
{
	double slack = ROUNDING * f->processors, sum = 0, area = 0;

	for (size_t i = 0; i < w && i < f->n; i++) {
		double mean = (sum += later[i]) / (double)(i + 1);

		if (isnan(sum))
			break;
		out->averages++;
		*hits += mean >= f->least[i] - slack && mean <= f->most[i] + slack;
	}
	for (size_t i = 0; i + 1 < f->n; i++)
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

	before.load += at - h;
	before.n = h;
	enum ft_status status = ft_load_functions_make(&f, &before, w, share, err);
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
	size_t moments = history->n - h - w + 1, wanted = most && most < moments ? most : moments, k = 0;

	for (size_t i = 0; i < h + moments; i++) {
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

/* ---- several, side by side ----------------------------------------------------------------------------- */

enum { MOMENTS_MOST = 1000, MOMENTS_LEAST = 20, N_LENGTHS = 3 };

/* Averages that may be looked at for the quantiles of one cell: a tenth of a second's. */
static const double effort = 2e7;

static const double shares[] = {1, 0.95, 0.9, 0.8};

static size_t count_moments(const struct ft_load_judged *cell)
{
	double n = effort / ((double)cell->h * (double)cell->w);

	return cell->share == 1 || n > MOMENTS_MOST ? MOMENTS_MOST
	       : n < MOMENTS_LEAST                  ? MOMENTS_LEAST
						    : (size_t)n;
}

/* The usual length alone, or between a sixth and a multiple of it. */
static size_t list_lengths(bool alone, size_t usual, size_t multiple, size_t out[N_LENGTHS])
{
	size_t n = 1;

	out[0] = usual;
	if (alone)
		return 1;
	out[0] = usual / 6 ? usual / 6 : 1;
	if (out[0] < usual) /* of a short history both may be one interval */
		out[n++] = usual;
	out[n++] = usual * multiple;
	return n;
}

enum ft_status ft_load_judge_all(struct ft_load_judged **out, size_t *n,
				 const struct ft_load_history *history, const struct ft_load_choice *choice,
				 struct ft_err *err)
{
	size_t usual_h = choice->h, usual_w = choice->w, h[N_LENGTHS], w[N_LENGTHS], n_h, n_w, i, n_shares;
	enum ft_status status = FT_OK;

	if (!choice->h_alone && usual_h + usual_w > history->n)
		usual_h = history->n / 2 + 1;
	if (!choice->w_alone && usual_w > usual_h / 4)
		usual_w = usual_h / 4 + 1;
	n_h = list_lengths(choice->h_alone, usual_h, 7, h);
	n_w = list_lengths(choice->w_alone, usual_w, 4, w);
	n_shares = choice->share < 1 ? 1 : sizeof shares / sizeof *shares;
	*n = 0;
	*out = ft_calloc(n_w * n_h * n_shares, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	for (i = 0; i < n_w * n_h * n_shares && !status; i++) {
		struct ft_load_judged *cell = &(*out)[*n];

		*cell = (struct ft_load_judged){.h = h[i / n_shares % n_h],
						.w = w[i / n_shares / n_h],
						.share = choice->share < 1 ? choice->share
									   : shares[i % n_shares]};
		if (cell->w > cell->h || cell->h + cell->w > history->n)
			continue;
		status = ft_load_judge(&cell->found, history, cell->h, cell->w, cell->share,
				       count_moments(cell), err);
		*n += !status && cell->found.averages;
	}
	if (!status)
		return FT_OK;
	ft_free(*out);
	*out = NULL;
	*n = 0;
	return status;
}
