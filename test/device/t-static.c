/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foretime/rates.h"
#include "tap.h"

static void test_choose(void)
{
	const double seconds[] = {3, NAN, 1, 2};
	const bool busy[] = {false, false, true, false}, all[] = {true, true, true, true};

	ok(ft_static_choose(seconds, NULL, 4) == 2, "the least");
	ok(ft_static_choose(seconds, busy, 4) == 3, "the second where the first is busy");
	ok(ft_static_choose(seconds, all, 4) == 4 && ft_static_choose(seconds + 1, NULL, 1) == 1,
	   "none where all are busy, or nothing is foretold");
}

/* Two devices; the first is best in three of four launches, by 2; the second in the last, by 8. */
static const double took[] = {1, 2, 1, 2, 1, 2, 8, 1};

static void test_judge(void)
{
	const double right[] = {1, 3, 1, 3, 1, 3, 5, 4}, wrong[] = {3, 1, 3, 1, 3, 1, 1, 3},
		     refused[] = {NAN, 1, 1, NAN, NAN, NAN, 5, NAN};
	struct ft_static_record record = {0};
	enum ft_status status;
	struct ft_err err = {0};

	status = ft_static_judge(&record, right, took, 4, 2, NULL);
	ok(!status && !record.abstain && record.majority == 0 && record.by_static == 1 &&
		   fabs(record.by_majority - pow(8, 0.25)) < 1e-12,
	   "right answers beat the majority device: %g, %g", record.by_static, record.by_majority);
	status = ft_static_judge(&record, wrong, took, 4, 2, NULL);
	ok(!status && record.abstain && fabs(record.by_static - pow(64, 0.25)) < 1e-12,
	   "wrong ones do not: %g", record.by_static);
	status = ft_static_judge(&record, refused, took, 4, 2, NULL);
	ok(!status && record.abstain && record.by_static == record.by_majority,
	   "where all was refused the majority device is taken");
	ok(ft_static_judge(&record, right, took, 0, 2, &err) == FT_EINVAL &&
		   ft_static_judge(&record, right, (const double[]){1, 0}, 1, 2, &err) == FT_EINVAL,
	   "no launch, and a time of 0: %s", err.text);
}

int main(void)
{
	test_choose();
	test_judge();
	return done();
}
