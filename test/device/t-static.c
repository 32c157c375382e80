/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/alloc.h"
#include "device/door.h"
#include "foretime/device.h"
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
	struct ft_err err = {0};
	enum ft_status status = ft_static_judge(&record, right, took, 4, 2, NULL);

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

/* The launches of `took`, and what was foretold of each device. */
static void test_timed(void)
{
	static struct ft_timed_launch row[2][4];
	const double left[2][4] = {{1, 1, 1, 5}, {3, 3, 3, 4}}, *const left_out[] = {left[0], left[1]};
	const struct ft_timed timed[] = {{.row = row[0], .n = 4}, {.row = row[1], .n = 4}};
	const double right[] = {1, 3, 1, 3, 1, 3, 5, 4};
	struct ft_static_record record = {0}, same = {0};
	struct ft_err err = {0};

	for (size_t i = 0; i < 8; i++) {
		row[i % 2][i / 2].kernel = i / 2 < 2 ? "copy" : "sum";
		row[i % 2][i / 2].amount[0] = (double)(i / 2);
		row[i % 2][i / 2].seconds = took[i];
	}
	enum ft_status status = ft_static_judge_timed(&record, timed, left_out, 2, NULL);
	(void)ft_static_judge(&same, right, took, 4, 2, NULL);
	ok(!status && record.by_static == same.by_static && record.by_majority == same.by_majority &&
		   record.majority == 0 && record.launches == 4,
	   "as row by row");
	row[1][3].amount[0] = 7;
	ok(ft_static_judge_timed(&record, timed, left_out, 2, &err) == FT_ENOMODEL &&
		   ft_static_judge_timed(&record, timed, left_out, 1, NULL) == FT_ENOMODEL,
	   "%s", err.text);
	row[1][3].amount[0] = 3;
	row[1][3].kernel = "copy";
	ok(ft_static_judge_timed(&record, timed, left_out, 2, NULL) == FT_ENOMODEL, "another kernel");
	row[1][3].kernel = "sum";
	(void)ft_alloc_fail_at(1);
	ok(ft_static_judge_timed(&record, timed, left_out, 2, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
}

static void test_decide(void)
{
	const double seconds[] = {3, NAN, 1, 2}, none[] = {NAN, NAN};
	const struct ft_static_record abstain = {.majority = 0, .abstain = true},
				      agree = {.majority = 2, .abstain = true}, choose = {.majority = 0};
	struct ft_static_choice c = ft_static_decide(seconds, 4, NULL);

	ok(c.best == 2 && c.second == 3 && !c.abstained, "the least, and the next");
	c = ft_static_decide(seconds, 4, &choose);
	ok(c.best == 2 && !c.abstained, "where choices are worth it, too");
	c = ft_static_decide(seconds, 4, &abstain);
	ok(c.best == 0 && c.second == 2 && c.abstained, "else the majority device, and the least");
	c = ft_static_decide(seconds, 4, &agree);
	ok(c.best == 2 && c.second == 3 && !c.abstained, "which may be the same");
	c = ft_static_decide(none, 2, NULL);
	ok(c.best == 2 && c.second == 2, "none");
	c = ft_static_decide(seconds, 2, NULL);
	ok(c.best == 0 && c.second == 2, "one alone");
}

int main(void)
{
	test_choose();
	test_judge();
	test_timed();
	test_decide();
	return done();
}
