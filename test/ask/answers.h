/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.h - made programs, and all numbers of answers about them, one sum for each kind of question: what
 * it was. As with scores, where it is another one now, answers have changed: where that was meant, what is
 * printed takes the place of what it was. Whether answers are good is judged by the other tests. */
#ifndef FT_TEST_ASK_ANSWERS_H
#define FT_TEST_ASK_ANSWERS_H

#include "scores.h"
#include "temp.h"

#include "ask-test.h"
#include "foretime/ask.h"

/* Of a program the answers to a question; the last is of none. */
struct was {
	const char *program, *question;
	double sum;
};

/* Sizes, seconds and shares are large beside a thousandth. */
__attribute__((unused)) static void put(struct test_told *s, double x)
{
	test_tell(s, x, 1e-3);
}

__attribute__((unused)) static void put_prediction(struct test_told *s, const struct ft_prediction *p)
{
	put(s, p->value);
	put(s, p->lower);
	put(s, p->upper);
	put(s, p->known);
	put(s, p->distance);
	put(s, (double)(p->runs + 7 * (size_t)p->level + 31 * (size_t)p->basis));
}

__attribute__((unused)) static void put_need(struct test_told *s, const struct ft_need *need)
{
	put(s, need->risk);
	put(s, need->most);
	put_prediction(s, &need->at);
}

__attribute__((unused)) static void judge(const struct was *was, const char *program, const char *question,
					  const struct test_told *s)
{
	char of[64];
	size_t i;

	(void)snprintf(of, sizeof of, "%s, %s", program, question);
	for (i = 0; *was[i].program; i++)
		if (!strcmp(was[i].program, program) && !strcmp(was[i].question, question))
			break;
	test_told(of, s, was[i].sum);
}

/* ---- programs ------------------------------------------------------------------------------------------ */

enum { JUMP = 700, ENDS = 6000 };

__attribute__((unused)) static double true_seconds(const char *name, double n, double m)
{
	if (!strcmp(name, "two"))
		return 0.01 + 1e-5 * pow(n, 1.3) * sqrt(m);
	if (!strcmp(name, "jump"))
		return 2e-4 * n * (n > JUMP ? 2.5 : 1);
	return 0.2 + 3e-6 * pow(n, 1.7);
}

__attribute__((unused)) static double true_bytes(double n, double m)
{
	return 2e7 + 900 * n + 1e5 * m;
}

__attribute__((unused)) static struct ft_run any_run(const char *name, struct ft_random *random, double n,
						     double m, double noise)
{
	double s = true_seconds(name, n, m) * exp(noise * ft_random_normal(random));
	struct ft_run run =
		made_run(!strcmp(name, "two") ? 2 : 1, n, m, s,
			 true_bytes(n, m) * (1 + 0.01 * ft_random_uniform(random)), s * (1.5 + 0.1 * m));

	run.started_ns = 1700000000000000000 + (int64_t)(1e9 * n);
	run.processors = 4;
	run.load_before = 0.1;
	return run;
}

__attribute__((unused)) static void make(const char *name, struct ft_random *random)
{
	bool two = !strcmp(name, "two");
	int64_t id = add_program(name, two ? "n=8:4096:8" : "n=10:20000", two ? "m=1:64" : NULL);

	for (int i = 0; i < (two ? 30 : 13); i++) {
		double n = two ? 8 * floor(pow(512, ft_random_uniform(random)))
			       : round(10 * pow(1000, i / 12.0)),
		       m = two ? 1 + floor(64 * ft_random_uniform(random)) : 0;

		for (int k = 0; k < 1 + i % 3; k++)
			add_run(id, any_run(name, random, n, m, 0.06));
	}
	if (!strcmp(name, "jump")) {
		struct ft_run killed = made_run(1, 3 * ENDS, 0, 9, 5e7, NAN);

		killed.outcome = FT_OUT_OF_MEMORY;
		add_run(id, killed);
	}
}

__attribute__((unused)) static struct ft_size size_at(const char *name, size_t i)
{
	static const double n[] = {4, 10, 24, 96, 333, 696, 704, 1500, 4096, 9999, 20000, 70000};
	static const double m[] = {1, 9, 64, 30, 5, 2, 16, 40, 3, 90, 12, 7};

	return !strcmp(name, "two") ? (struct ft_size){2, {n[i], m[i]}} : (struct ft_size){1, {n[i]}};
}

#endif
