/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue-world.h - a machine for a month: programs that are asked about more or less, whose benchmarks take
 * seconds or hours, and which are rebuilt now and then; short idle stretches by day, long ones by night. */
#ifndef FT_TEST_QUEUE_WORLD_H
#define FT_TEST_QUEUE_WORLD_H

#include "base/random.h"
#include "policy-test.h"
#include "policy/door.h"

enum { WORLD_DAYS = 30, WORLD_BENCHMARKS = 20, WORLD_PROGRAMS = 60, WORLD_STRETCHES = 4000 };

static const double world_day_s = 86400;

struct world_program {
	double seconds[WORLD_BENCHMARKS]; /* [n] of each, in the order of the builder */
	size_t n, done;
	double error;     /* of a model without any */
	double part_s;    /* of the next one, frozen */
	double waiting_s; /* when it was last worked upon */
	double worst_wait_s;
};

struct world {
	struct ft_random random;
	struct world_program program[WORLD_PROGRAMS];
	struct ft_queued queued[WORLD_PROGRAMS];
	size_t n;
	struct ft_turns turns;
	double now_s, error_s; /* error_s: the error weighted by questions, integrated */
	double spent_s, lost_s;
	double rebuild_s;                     /* mean time between two rebuilds of any program */
	double rebuilt_s;                     /* when the next is */
	size_t endless;                       /* so many programs, the first ones, are rebuilt each hour */
	double renewed_s;                     /* when they were */
	double stretch_s[2][WORLD_STRETCHES]; /* by day, by night: those that there were */
	size_t n_stretches[2];
	bool frozen; /* and not ended */
};

/* How the next one is chosen. */
struct world_rule {
	enum ft_order order;
	bool first;      /* the first of the list instead: PMM as it was released */
	bool no_reserve; /* nothing by age */
};

__attribute__((unused)) static double world_exponential(struct ft_random *random, double mean)
{
	return -mean * log(1 - ft_random_uniform(random));
}

/* Two cheap ones, the dearest, the others in any order. */
__attribute__((unused)) static void world_program_make(struct world_program *p, struct ft_random *random)
{
	double top = pow(10, 1.5 + 2.5 * ft_random_uniform(random));

	*p = (struct world_program){.n = 8 + ft_random_below(random, 13),
				    .error = 0.3 + 1.7 * ft_random_uniform(random)};
	for (size_t i = 0; i < p->n; i++)
		p->seconds[i] = top * pow(10, -3 * ft_random_uniform(random));
	p->seconds[0] = fmin(p->seconds[0], top / 100);
	p->seconds[1] = fmin(p->seconds[1], top / 30);
	p->seconds[2] = top;
}

__attribute__((unused)) static void world_make(struct world *w, size_t programs, size_t rebuilds,
					       uint64_t seed)
{
	double sum = 0;

	*w = (struct world){
		.random = {seed}, .n = programs, .rebuild_s = WORLD_DAYS * world_day_s / (double)rebuilds};
	for (size_t i = 0; i < programs; i++) {
		world_program_make(&w->program[i], &w->random);
		w->queued[i].queries = 1 / (double)(i + 1);
		sum += w->queued[i].queries;
	}
	for (size_t i = 0; i < programs; i++) {
		size_t other = i + ft_random_below(&w->random, programs - i);
		double asked = w->queued[other].queries / sum;

		w->queued[other].queries = w->queued[i].queries;
		w->queued[i].queries = asked;
		w->queued[i].survives = 1;
	}
	w->rebuilt_s = world_exponential(&w->random, w->rebuild_s);
}

__attribute__((unused)) static double world_error_of(const struct world_program *p, size_t done)
{
	return p->error / (double)(1 + done);
}

__attribute__((unused)) static void world_pass(struct world *w, double to_s)
{
	double error = 0;

	for (size_t i = 0; i < w->n; i++)
		error += w->queued[i].queries * world_error_of(&w->program[i], w->program[i].done);
	w->error_s += error * (to_s - w->now_s);
	w->now_s = to_s;
}

__attribute__((unused)) static void world_rebuild(struct world *w)
{
	size_t i;

	while (w->rebuilt_s <= w->now_s) {
		i = ft_random_below(&w->random, w->n);
		if (w->program[i].done == w->program[i].n)
			w->program[i].waiting_s = w->now_s;
		w->program[i].done = 0;
		w->program[i].part_s = 0;
		w->rebuilt_s += world_exponential(&w->random, w->rebuild_s);
	}
	if (w->now_s - w->renewed_s > 3600) {
		for (i = 0; i < w->endless; i++)
			w->program[i].done = 0;
		w->renewed_s = w->now_s;
	}
}

/* Tell the queue what is known of each. age_s: of the idle stretch. */
__attribute__((unused)) static void world_tell(struct world *w, int night, double age_s)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct world_program *p = &w->program[i];
		struct ft_queued *q = &w->queued[i];

		q->may = p->done < p->n;
		if (!q->may)
			continue;
		q->complete = (double)p->done / (double)p->n;
		q->gain = world_error_of(p, p->done) - world_error_of(p, p->done + 1);
		q->seconds = p->seconds[p->done] - p->part_s;
		q->waits_s = (int64_t)p->waiting_s;
		if (!w->frozen)
			q->survives = ft_queue_survives(w->stretch_s[night], w->n_stretches[night], age_s,
							q->seconds);
	}
}

__attribute__((unused)) static bool world_choose(struct world *w, const struct world_rule *rule,
						 struct ft_choice *choice)
{
	struct ft_turns turns = w->turns;

	for (*choice = (struct ft_choice){0}; rule->first && choice->which < w->n; choice->which++)
		if (w->queued[choice->which].may)
			return true;
	if (rule->no_reserve)
		turns.by_age_s = INFINITY;
	return !rule->first &&
	       !ft_queue_choose(w->queued, w->n, rule->order, &turns, (int64_t)w->now_s, choice);
}

/* The benchmark of a program runs until it ends, or the stretch does. */
__attribute__((unused)) static void world_run(struct world *w, const struct ft_choice *choice, double end_s)
{
	struct world_program *p = &w->program[choice->which];
	struct ft_queued *q = &w->queued[choice->which];
	double need_s = p->seconds[p->done] - p->part_s, took_s = fmin(need_s, end_s - w->now_s);

	p->worst_wait_s = fmax(p->worst_wait_s, w->now_s - p->waiting_s);
	world_pass(w, w->now_s + took_s);
	w->spent_s += took_s;
	w->turns.spent_s += took_s;
	w->turns.by_age_s += choice->by_age ? took_s : 0;
	p->waiting_s = w->now_s;
	if (took_s >= need_s) {
		p->done++;
		p->part_s = 0;
		q->interrupted = 0;
		q->rear_s = 0;
	} else if (w->frozen)
		p->part_s += took_s;
	else {
		w->lost_s += took_s;
		q->interrupted++;
		q->rear_s = (int64_t)w->now_s;
	}
}

__attribute__((unused)) static void world_stretch(struct world *w, const struct world_rule *rule,
						  double from_s, double to_s)
{
	double hour = fmod(from_s, world_day_s) / 3600;
	int night = hour >= 20 || hour < 8;
	struct ft_choice choice;

	world_pass(w, fmax(from_s, w->now_s));
	while (w->now_s < to_s) {
		world_rebuild(w);
		world_tell(w, night, w->now_s - from_s);
		if (world_choose(w, rule, &choice))
			world_run(w, &choice, to_s);
		else
			world_pass(w, fmin(to_s, w->now_s + 60));
	}
	if (w->n_stretches[night] < WORLD_STRETCHES)
		w->stretch_s[night][w->n_stretches[night]++] = to_s - from_s;
}

/* A month: days with stretches of some ten minutes, nights with some of hours. */
__attribute__((unused)) static void world_live(struct world *w, const struct world_rule *rule)
{
	double to;

	for (int day = 0; day < WORLD_DAYS; day++) {
		double begin_s = day * world_day_s;
		for (double t = begin_s + 8 * 3600; t < begin_s + 20 * 3600; t = to) {
			t += world_exponential(&w->random, 2400);
			to = t + world_exponential(&w->random, 600);
			if (to < begin_s + 20 * 3600)
				world_stretch(w, rule, t, to);
		}
		for (double t = begin_s + 20 * 3600; t < begin_s + 32 * 3600;
		     t = to + world_exponential(&w->random, 300)) {
			to = fmin(begin_s + 32 * 3600, t + world_exponential(&w->random, 14400));
			world_stretch(w, rule, t, to);
		}
	}
	world_pass(w, fmax(w->now_s, WORLD_DAYS * world_day_s));
}

#endif
