/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-shared.c - one model is asked by several threads at once: over one, two and three parameters, inside its
 * knots and in every direction beyond them. ThreadSanitizer (check --full) sees whether they write what
 * others read. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/model.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, SIZES_MOST = 27, SAMPLES_MOST = 64 };

struct question {
	const struct ft_model *model;
	pthread_barrier_t *begin;
	size_t n_params;
	struct ft_prediction answer[SIZES_MOST];
	size_t failed;
	unsigned long allocations;
};

/* The i-th of 3^n sizes: each parameter below, within or above its knots, 10 .. 80. */
static struct ft_size size_at(size_t n_params, size_t i)
{
	static const double value[] = {4, 33, 900};
	struct ft_size size = {.n = n_params};

	for (size_t p = 0; p < n_params; p++, i /= 3)
		size.value[p] = value[i % 3];
	return size;
}

static size_t sizes_of(size_t n_params)
{
	return n_params == 1 ? 3 : n_params == 2 ? 9 : 27;
}

static void *ask(void *ctx)
{
	struct question *q = ctx;

	if (q->begin)
		(void)pthread_barrier_wait(q->begin);
	for (size_t i = 0; i < sizes_of(q->n_params); i++) {
		struct ft_size size = size_at(q->n_params, i);

		q->failed += ft_model_predict(q->model, &size, 1, 0.9, &q->answer[i], NULL) != FT_OK;
	}
	q->allocations = ft_alloc_fail_at(0);
	return NULL;
}

/* x^1.5, times y, times 1 + z / 50; on a grid, each size once, with some noise. */
static struct ft_model *make(size_t n_params)
{
	static const size_t axis[] = {0, 1, 2}, each[] = {0, 4, 4, 3}, all[] = {0, 4, 16, 27};
	const struct ft_model_options options = {.axis = axis, .n_axes = n_params};
	struct ft_random random = {test_seed()};
	struct ft_observation o[SAMPLES_MOST];
	struct ft_model *model = NULL;
	struct ft_err err = {0};
	size_t n = 0, at, p;

	memset(o, 0, sizeof o);
	for (size_t i = 0; i < all[n_params]; i++, n++) {
		double value[3] = {1, 1, 1};

		for (p = 0, at = i; p < n_params; p++, at /= each[n_params])
			value[p] = o[n].size.value[p] = 10 << at % each[n_params];
		o[n].size.n = n_params;
		o[n].work = 1;
		o[n].value = 1e-6 * value[0] * sqrt(value[0]) * value[1] * (1 + value[2] / 50) *
			     exp(0.01 * ft_random_normal(&random));
	}
	if (ft_model_fit(&model, o, n, &options, &err))
		diag("%s", err.text);
	return model;
}

static bool same(const struct question *a, const struct question *b)
{
	for (size_t i = 0; i < sizes_of(a->n_params); i++)
		if (a->answer[i].value != b->answer[i].value || a->answer[i].lower != b->answer[i].lower ||
		    a->answer[i].upper != b->answer[i].upper)
			return false;
	return true;
}

/* Another model of the same samples, asked by one thread, says what is right. */
static void shares(size_t n_params)
{
	struct ft_model *shared = make(n_params), *own = make(n_params);
	struct question alone = {.model = own, .n_params = n_params}, q[THREADS];
	pthread_barrier_t begin;
	pthread_t thread[THREADS];
	size_t good = 0;
	bool started = true;

	if (!ok(shared && own && !pthread_barrier_init(&begin, NULL, THREADS), "a model over %zu", n_params))
		return;
	(void)ft_alloc_fail_at(0);
	(void)ask(&alone);
	for (size_t t = 0; t < THREADS; t++) {
		q[t] = (struct question){.model = shared, .begin = &begin, .n_params = n_params};
		started = started && !pthread_create(&thread[t], NULL, ask, &q[t]);
	}
	for (size_t t = 0; t < THREADS && started; t++)
		started = !pthread_join(thread[t], NULL);
	for (size_t t = 0; t < THREADS; t++)
		good += !q[t].failed && same(&q[t], &alone) && q[t].allocations <= alone.allocations;
	ok(started && !alone.failed && good == THREADS, "%d threads are told what one alone is", THREADS);
	(void)pthread_barrier_destroy(&begin);
	ft_model_free(shared);
	ft_model_free(own);
}

/* The allocation that is to fail is one of the thread that asked for it. */
static void fails_alone(void)
{
	struct ft_model *model = make(2);
	struct question q = {.model = model, .n_params = 2};
	pthread_t thread;

	ft_alloc_fail_at(1);
	ok(!pthread_create(&thread, NULL, ask, &q) && !pthread_join(thread, NULL) && q.allocations &&
		   !q.failed,
	   "an allocation that fails here fails in no other thread");
	ok(!ft_malloc(1), "but here");
	ok(ft_alloc_fail_at(0) == 1, "each counts its own");
	ft_model_free(model);
}

int main(void)
{
	shares(1);
	shares(2);
	shares(3);
	fails_alone();
	return done();
}
