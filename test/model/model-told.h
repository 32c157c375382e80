/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model-told.h - all that models tell, number by number, as sums (scores.h): in units of a value. */
#ifndef FT_TEST_MODEL_TOLD_H
#define FT_TEST_MODEL_TOLD_H

#include "scores.h"

#include "model-test.h"

/* All that a model tells of itself. */
__attribute__((unused)) static void tell_facts(struct test_told *told, const struct ft_model *model,
					       double unit)
{
	const struct ft_model_facts *f = ft_model_facts(model);
	size_t knots;
	const struct ft_knot *knot = ft_model_knots(model, &knots);

	test_tell_text(told, f->type);
	test_tell(told, (double)(f->sizes + 100 * f->runs), 1);
	test_tell(told, f->through_speed + 2 * f->rough + 4 * f->noisy + 8 * f->too_few, 1);
	test_tell(told, f->offset, unit);
	test_tell_all(told, &f->known, 4, 1e-2);
	test_tell_all(told, f->worst, 2, 1);
	test_tell(told, f->worst_known, 1e-2);
	for (size_t i = 0; i < f->n_fine; i++) {
		test_tell_text(told, f->fine[i].kind);
		test_tell(told, f->fine[i].ratio, 1);
	}
	for (size_t i = 0; i < knots; i++) {
		test_tell_all(told, knot[i].size.value, knot[i].size.n, 1);
		test_tell(told, knot[i].work, 1);
		test_tell(told, knot[i].value, unit);
		test_tell(told, knot[i].scatter, 1e-4);
		test_tell(told, (double)knot[i].runs, 1);
	}
}

__attribute__((unused)) static void tell_answer(struct test_told *told, const struct ft_prediction *p,
						double unit)
{
	test_tell_all(told, &p->value, 3, unit);
	test_tell(told, p->known, 1e-2);
	test_tell(told, (int)p->basis + 10 * (int)p->level, 1);
	test_tell(told, p->distance, 1);
	test_tell(told, (double)p->runs, 1);
}

#endif
