/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-floor.c - by what identical machines differ. */
#include "base/alloc.h"
#include "foretime/surrogate.h"
#include "tap.h"

int main(void)
{
	/* Two pairs and a machine by itself; the second program was not run on one of the first pair. */
	const double value[] = {9, 10, 11, NAN, 100, 20, 100, 20, 7, 1};
	const size_t group[] = {0, 0, 2, 2, 4};
	struct ft_floor each[2], all;

	(void)ft_floors_find(each, &all, value, 5, 2, group, NULL);
	ok(near(each[0].error, sqrt(0.02 / 4), 1e-12) && each[0].rows == 4 && each[0].groups == 2,
	   "9 and 11 differ by a tenth of their mean, 100 and 100 by nothing: %g", each[0].error);
	ok(each[1].error == 0 && each[1].rows == 2 && each[1].groups == 1, "one of a pair tells nothing");
	ok(near(all.error, sqrt(0.02 / 6), 1e-12) && all.rows == 6 && all.groups == 2, "of all programs");
	ok(!ft_floors_find(each, &all, value + 8, 1, 2, group, NULL) && isnan(all.error) && !all.rows,
	   "no two machines: no floor");
	(void)ft_alloc_fail_at(1);
	ok(ft_floors_find(each, &all, value, 5, 2, group, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
	return done();
}
