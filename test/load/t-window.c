/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-window.c - load functions kept up to date: the same as those of the newest h loads made anew. */
#include "load-test.h"
#include "load/door.h"

static void randomly(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0, compared = 0;

	for (int i = 0; i < test_cases(60); i++) {
		struct ft_load_history history;
		struct ft_load_window *window;
		size_t w = 1 + ft_random_below(&random, 20), h = w + ft_random_below(&random, 40), n, all;

		random_history(&history, 150, 4, ft_random_below(&random, 2) ? 0.1 : 0, &random);
		if (ft_load_window_new(&window, history.interval_s, 4, w, h, NULL))
			bad++;
		for (n = 1, all = history.n; window && n <= all; n++) {
			bad += ft_load_window_add(window, history.load[n - 1], NULL) != FT_OK;
			history.n = n;
			if (ft_random_below(&random, 3)) /* not always asked */
				continue;
			bad += !is_slow(ft_load_window_functions(window), &history, n > h ? n - h : 0, w, 1);
			compared++;
		}
		ft_load_window_free(window);
		ft_load_history_clear(&history);
	}
	if (!ok(!bad && compared > 1000, "as the document defines them, at %d moments", compared))
		diag("seed %llu", (unsigned long long)test_seed());
}

/* Falling and rising loads are the worst for the queues. */
static void long_runs(void)
{
	struct ft_load_window *window;
	bool good = ft_load_window_new(&window, 1, 1, 10, 1000, NULL) == FT_OK;

	for (size_t i = 0; i < 5000; i++)
		good &= ft_load_window_add(window, 1 - (double)i / 5000, NULL) == FT_OK;
	const struct ft_load_functions *f = ft_load_window_functions(window);
	ok(good && f->n == 10 && near(f->most[0], 1 - 4000. / 5000, 1e-12) &&
		   near(f->least[0], 1 - 4999. / 5000, 1e-12),
	   "a load that falls for ever");
	for (size_t i = 0; i < 3000; i++)
		good &= ft_load_window_add(window, NAN, NULL) == FT_OK;
	ok(good && ft_load_window_functions(window)->n == 0, "a long gap: nothing is left");
	ft_load_window_free(window);
	ft_load_window_free(NULL);
}

static void no_memory(void)
{
	struct ft_load_window *window;
	unsigned long n = 0;
	bool good = true;
	enum ft_status status;

	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_load_window_new(&window, 1, 1, 3, 50, NULL);
		good &= status ? status == FT_ENOMEM && !window : window != NULL;
		for (size_t i = 0; i < 40 && !status; i++)
			status = ft_load_window_add(window, i % 2 ? (double)i : 40 - (double)i, NULL);
		good &= !status || status == FT_ENOMEM;
		ft_load_window_free(window);
	} while (status && n < 200);
	(void)ft_alloc_fail_at(0);
	ok(good && n > 8 && n < 200, "%lu allocations fail cleanly", n - 1);
}

int main(void)
{
	struct ft_load_window *window;
	struct ft_err err = {0};

	ok(ft_load_window_new(&window, 1, 1, 0, 5, &err) == FT_EINVAL && !window, "no window: %s", err.text);
	randomly();
	long_runs();
	no_memory();
	return done();
}
