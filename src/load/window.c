/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.c - l_min(t) and l_max(t) of the newest h loads, kept up to date as loads come in and fall out.
 *
 * For each length of average a queue of those averages that may still become the largest: each newer one is
 * smaller, for an average that is followed by a larger one never will be. The largest is in front. The same
 * for the least. */
#include "base/alloc.h"
#include "foretime/load.h"

#include <math.h>

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
