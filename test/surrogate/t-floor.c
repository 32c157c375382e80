/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-floor.c - by what identical machines differ. */
#include "base/alloc.h"
#include "base/csv.h"
#include "foretime/surrogate.h"
#include "surrogate/door.h"
#include "tap.h"

static void test_groups(void)
{
	static const char table[] = "cpu,flags,t\nP4,-O2,1\ni7,-O2,2\nP4,-O3,3\nP4,-O2,4\ni7,-O2,5\n";
	const size_t both[] = {0, 1};
	size_t group[5];
	struct ft_csv *csv = NULL;

	(void)ft_csv_parse("table", table, strlen(table), ',', &csv, NULL);
	ft_floor_groups(csv, both, 2, group);
	ok(group[0] == 0 && group[1] == 1 && group[2] == 2 && group[3] == 0 && group[4] == 1,
	   "alike in both columns");
	ft_floor_groups(csv, both, 1, group);
	ok(group[2] == 0 && group[3] == 0 && group[4] == 1, "alike in one");
	ft_csv_free(csv);
}

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
	test_groups();
	return done();
}
