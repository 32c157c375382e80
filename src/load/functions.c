/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - l_min(t) and l_max(t) of a history: extremes or quantiles of its averages. */
#include "base/alloc.h"
#include "foretime/load.h"
#include "load/door.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

void ft_load_functions_clear(struct ft_load_functions *functions)
{
	if (!functions)
		return;
	ft_free(functions->least);
	ft_free(functions->most);
	*functions = (struct ft_load_functions){0};
}

/* Lengths above the longest unbroken stretch have no average. */
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

/*
 * L_min(t) and l_max(t) of the newest h loads, updated as loads enter and leave.
 *
 * For each length of average a queue of those averages that may still become the largest: each newer one is
 * smaller, since an average followed by a larger one never will be. The largest is in front. The same for
 * the least.
 */

struct window_entry {
	uint64_t begin; /* the number of the first load in the average */
	double mean;
};

/* A ring. */
struct window_queue {
	struct window_entry *entry; /* [capacity], a power of two */
	size_t first, n, capacity;
};

struct ft_load_window {
	struct ft_load_functions functions;
	size_t w, h;
	double *load;                      /* [h] a ring: load number i at i % h */
	uint64_t count;                    /* loads so far */
	struct window_queue *least, *most; /* [w] */
};

static struct window_entry *entry_at(const struct window_queue *queue, size_t i)
{
	return &queue->entry[(queue->first + i) & (queue->capacity - 1)];
}

static bool grow(struct window_queue *queue)
{
	size_t capacity = queue->capacity ? 2 * queue->capacity : 4;
	struct window_entry *larger = ft_calloc(capacity, sizeof *larger);

	if (!larger)
		return false;
	for (size_t i = 0; i < queue->n; i++)
		larger[i] = *entry_at(queue, i);
	ft_free(queue->entry);
	*queue = (struct window_queue){.entry = larger, .n = queue->n, .capacity = capacity};
	return true;
}

/* sign 1: the largest is wanted, -1: the least. */
static bool push(struct window_queue *queue, uint64_t begin, double mean, double sign)
{
	while (queue->n && sign * entry_at(queue, queue->n - 1)->mean <= sign * mean)
		queue->n--;
	if (queue->n == queue->capacity && !grow(queue))
		return false;
	*entry_at(queue, queue->n++) = (struct window_entry){begin, mean};
	return true;
}

static void expire(struct window_queue *queue, uint64_t oldest)
{
	while (queue->n && entry_at(queue, 0)->begin < oldest) {
		queue->first = (queue->first + 1) & (queue->capacity - 1);
		queue->n--;
	}
}

void ft_load_window_free(struct ft_load_window *window)
{
	if (!window)
		return;
	for (size_t i = 0; i < window->w; i++) {
		if (window->least)
			ft_free(window->least[i].entry);
		if (window->most)
			ft_free(window->most[i].entry);
	}
	ft_free(window->least);
	ft_free(window->most);
	ft_free(window->load);
	ft_load_functions_clear(&window->functions);
	ft_free(window);
}

enum ft_status ft_load_window_new(struct ft_load_window **out, double interval_s, double processors, size_t w,
				  size_t h, struct ft_err *err)
{
	*out = NULL;
	if (!w || !h || !(interval_s > 0) || !(processors > 0))
		return ft_fail(err, FT_EINVAL, "load functions of %zu intervals in a history of %zu", w, h);
	struct ft_load_window *window = ft_calloc(1, sizeof *window);
	if (!window)
		return ft_nomem(err);
	w = w < h ? w : h;
	*window = (struct ft_load_window){
		.functions = {.interval_s = interval_s,
			      .processors = processors,
			      .least = ft_calloc(w, sizeof(double)),
			      .most = ft_calloc(w, sizeof(double))},
		.w = w,
		.h = h,
		.load = ft_calloc(h, sizeof(double)),
		.least = ft_calloc(w, sizeof(struct window_queue)),
		.most = ft_calloc(w, sizeof(struct window_queue)),
	};
	if (!window->functions.least || !window->functions.most || !window->load || !window->least ||
	    !window->most) {
		ft_load_window_free(window);
		return ft_nomem(err);
	}
	*out = window;
	return FT_OK;
}

enum ft_status ft_load_window_add(struct ft_load_window *window, double load, struct ft_err *err)
{
	uint64_t now = window->count++, oldest = window->count > window->h ? window->count - window->h : 0;
	double sum = 0;

	window->load[now % window->h] = load;
	for (size_t i = 0; i < window->w && i <= now - oldest;
	     i++) { /* as in functions.c: back from the newest */
		uint64_t begin = now - i;

		if (isnan(window->load[begin % window->h]))
			break;
		sum += window->load[begin % window->h];
		expire(&window->most[i], oldest);
		expire(&window->least[i], oldest);
		if (!push(&window->most[i], begin, sum / (double)(i + 1), 1) ||
		    !push(&window->least[i], begin, sum / (double)(i + 1), -1))
			return ft_nomem(err);
	}
	return FT_OK;
}

const struct ft_load_functions *ft_load_window_functions(struct ft_load_window *window)
{
	struct ft_load_functions *f = &window->functions;
	uint64_t oldest = window->count > window->h ? window->count - window->h : 0;
	size_t i;

	for (i = 0; i < window->w; i++) {
		expire(&window->least[i], oldest);
		expire(&window->most[i], oldest);
		if (!window->most[i].n)
			break;
		f->least[i] = entry_at(&window->least[i], 0)->mean;
		f->most[i] = entry_at(&window->most[i], 0)->mean;
	}
	f->n = i;
	return f;
}

/*
 * From load functions to the load of a run, and its slowdown.
 */

/* Processors left that count as none: rounding leaves as many. */
static const double NONE = 1e-9;

static const char *const sharings[] = {
#define TEXT(name, words) words,
	FT_SHARING_LIST(TEXT)};

static const char *const views[] = {FT_LOAD_VIEW_LIST(TEXT)};
#undef TEXT

const char *ft_sharing_text(enum ft_sharing sharing)
{
	return sharings[sharing];
}

const char *ft_load_view_text(enum ft_load_view view)
{
	return views[view];
}

bool ft_load_view_parse(const char *text, enum ft_load_view *view)
{
	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		if (i != FT_LOAD_AT && !strcmp(views[i], text)) {
			*view = (enum ft_load_view)i;
			return true;
		}
	return false;
}

double ft_load_of_slow_down(double slow_down)
{
	return 1 - 1 / slow_down;
}

/* One of the two functions, and the run. */
struct predict_problem {
	const double *row; /* [n] */
	size_t n;
	double interval_s, processors, threads, ideal_s;
	enum ft_sharing sharing;
};

/* A piece of the function: L(t) = load + slope (t - from), from <= t <= to. */
struct predict_piece {
	double from, to, load, slope;
};

/* Piece 0 ends at D, piece n begins at n D. */
static struct predict_piece get_piece(const struct predict_problem *p, size_t i)
{
	double from = (double)i * p->interval_s;

	if (i == 0)
		return (struct predict_piece){0, p->interval_s, p->row[0], 0};
	if (i == p->n)
		return (struct predict_piece){from, INFINITY, p->row[i - 1], 0};
	return (struct predict_piece){from, from + p->interval_s, p->row[i - 1],
				      (p->row[i] - p->row[i - 1]) / p->interval_s};
}

/* The smaller of two times that lies in from .. to; NaN: neither. Rounding may move a root where two pieces
 * meet off both of them. */
static double first_inside(const struct predict_piece *piece, double a, double b)
{
	double from = piece->from * (1 - 1e-12), to = piece->to * (1 + 1e-12);
	double low = fmin(a, b), high = fmax(a, b); /* NaN loses */

	if (low >= from && low <= to)
		return low;
	return high >= from && high <= to ? high : (double)NAN;
}

/* t = T (L(t) + k) / C, linear in t. */
static double meet_fair(const struct predict_problem *p, const struct predict_piece *piece)
{
	double by_load = p->ideal_s / p->processors;
	double t = by_load * (piece->load - piece->slope * piece->from + p->threads) /
		   (1 - by_load * piece->slope);

	return first_inside(piece, t, NAN);
}

/* t = T k / (C - L(t)): slope t^2 - left t + T k = 0, left what L would leave at t = 0. */
static double meet_niced(const struct predict_problem *p, const struct predict_piece *piece)
{
	double left = p->processors - piece->load + piece->slope * piece->from;
	double work = p->ideal_s * p->threads, root = left * left - 4 * piece->slope * work;

	if (piece->slope == 0)
		return left > NONE ? first_inside(piece, work / left, NAN) : (double)NAN;
	if (root < 0)
		return NAN;
	double q = (left + copysign(sqrt(root), left)) / 2; /* no difference of near numbers */
	return first_inside(piece, q / piece->slope, q != 0 ? work / q : (double)NAN);
}

/* The first time t at which a run that meets the average load L(t) needs just t: the pieces are walked from
 * the ideal time on. */
static double meet_load(const struct predict_problem *p)
{
	double start = p->ideal_s / p->interval_s;
	size_t i = start < (double)p->n ? (size_t)start : p->n;

	for (; i <= p->n; i++) {
		struct predict_piece piece = get_piece(p, i);

		if (piece.from < p->ideal_s) { /* a run takes at least its ideal time */
			piece.load += piece.slope * (p->ideal_s - piece.from);
			piece.from = p->ideal_s;
		}
		if (ft_load_slow_down(p->sharing, p->threads, p->processors, (fmax(piece.load, 0))) *
			    p->ideal_s <=
		    piece.from)
			return piece.from;
		double t = p->sharing == FT_SHARING_FAIR ? meet_fair(p, &piece) : meet_niced(p, &piece);
		if (!isnan(t))
			return t;
	}
	return INFINITY;
}

void ft_load_predict(const struct ft_load_functions *functions, double t_ideal_s, double threads,
		     enum ft_sharing sharing, struct ft_load_outlook *out)
{
	assert(functions->n && t_ideal_s > 0 && threads > 0);
	for (int i = 0; i < 2; i++) {
		struct predict_problem p = {
			.row = i ? functions->most : functions->least,
			.n = functions->n,
			.interval_s = functions->interval_s,
			.processors = functions->processors,
			.threads = fmin(threads, functions->processors),
			.ideal_s = t_ideal_s,
			.sharing = sharing,
		};
		double t = meet_load(&p), load[2];

		ft_load_at(functions, t, load);
		out->load[i] = load[i];
		out->slow_down[i] = t / t_ideal_s;
	}
}

/*
 * Evaluate load functions: how often later loads fall within, and how wide they are (000 section 3).
 */

/* Averages of equal loads differ by rounding. */
static const double ROUNDING = 1e-9;

/* Compare the averages after a moment with the functions from before it. */
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

/* Quantiles are computed again at each moment. */
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
