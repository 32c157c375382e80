/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-report.c - what programs write as their report. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "measure/measure.h"

static struct ft__report parse(const char *text, size_t length)
{
	struct ft__report report = {0};

	if (ft__report_add(&report, text, length, NULL))
		diag("failed");
	return report;
}

static void test_examples(void)
{
	static const char text[] = "ft1 routine dgemm 2 1500000000 3000000000 2000000000e-9\n"
				   "noise\n"
				   "ft1 routine io 1 0 0 0\n"
				   "ft1 routine dgemm 1 500000000 1000000000 3\n";
	struct ft__report report = parse(text, sizeof text - 1);

	ok(report.n == 2 && !report.invalid, "two routines");
	ok(!strcmp(report.routine[0].name, "dgemm") && near(report.routine[0].wall_s, 2, 1e-12) &&
		   near(report.routine[0].cpu_s, 4, 1e-12) && near(report.routine[0].work, 5, 1e-12) &&
		   near(report.routine[0].calls, 3, 0),
	   "reports of one name are summed");
	ok(!strcmp(report.routine[1].name, "io") && isnan(report.routine[1].work), "work of 0 is not said");
	ok(near(report.routine[1].wall_s, 1e-9, 1e-12), "what took no time took the clock's grain");
	ft__report_clear(&report);
	ft__report_clear(&report);
	report = parse("ft1 invalid\n", 12);
	ok(report.invalid && !report.n, "a size that is not valid");
	ft__report_clear(&report);
	report = parse("ft1 progress 1 4\nft1 progress 2500000000e-9 4\nft1 progress 3\nft1 progress 3 0\n"
		       "ft1 progress 3 4 5\nft1 progress x 4\nft1 progress -1 4\n",
		       117);
	ok(report.done == 2.5 && report.total == 4 && !report.n, "the last progress that makes sense");
	ft__report_clear(&report);
	report = parse("ft1 besides x 1 2\nft1 routine x 3 9000 9000 0\nft1 besides x 5000 2048\nft1 routine "
		       "x 1 10 10 0\n"
		       "ft1 besides x 10 1024\nft1 besides x 1 2 3\nft1 besides x 1\nft1 besides y 1 2\nft1 "
		       "besides x -1 nan\n",
		       191);
	ok(report.n == 1 && near(report.routine[0].first_s, 5e-6, 1e-12) &&
		   report.routine[0].peak_bytes == 2048,
	   "the first call of all, and the most memory: %g, %g", report.n ? report.routine[0].first_s : 0,
	   report.n ? report.routine[0].peak_bytes : 0);
	ft__report_clear(&report);
	report = parse("", 0);
	ok(!report.invalid && !report.n, "nothing");
	ft__report_clear(&report);
}

static void test_garbage(void)
{
	static const char *const lines[] = {
		"ft1",
		"ft1 ",
		"ft1 routine",
		"ft1 routine x",
		"ft1 routine x 1 2 3",
		"ft1 routine x 1 2 3 4 5",
		"ft1 routine x 1 2 3 4 ",
		"ft1 routine  1 2 3 4",
		"ft1 routine x 0 2 3 4",
		"ft1 routine x -1 2 3 4",
		"ft1 routine x 1 nan 3 4",
		"ft1 routine x 1 2 inf 4",
		"ft1 routine x 1 2 1e999 4",
		"ft1 routine x 1 0x1p3 3 4",
		"ft1 routine x 0x1 2 3 4",
		"ft1 routine x 1 2 3 0X10",
		"ft1 routine x 1 +2 3 4",
		"ft1 routine x 1 2 3 4x",
		"ft1 routine a/b 1 2 3 4",
		"ft1 routine a\tb 1 2 3 4",
		"ft1 routine 012345678901234567890123456789012345678901234567890123456789012345 1 2 3 4",
		"ft1 invalid ",
		"ft1 invalid now",
		"ft1  invalid",
		"FT1 invalid",
		"ft2 routine x 1 2 3 4",
	};
	struct ft__report report;
	char text[256];

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		int length = snprintf(text, sizeof text, "%s\nft1 routine good 1 2 3 4\n", lines[i]);

		report = parse(text, (size_t)length);
		ok(report.n == 1 && !report.invalid && !strcmp(report.routine[0].name, "good"),
		   "passed over: '%s'", lines[i]);
		ft__report_clear(&report);
	}
	report = parse("ft1 inva\0lid\nft1 routine x 1 2 3 4", 34);
	ok(!report.n && !report.invalid, "a zero byte, and a line that was cut");
	ft__report_clear(&report);
}

static void test_random(void)
{
	static const char *const pieces[] = {"ft1", " ",  "routine", "invalid", "\n", "x",
					     "12",  "e9", "-",       "\n",      " ",  "1"};
	struct ft_random random = {test_seed()};
	int cases = test_cases(5000), i, bad = 0;

	for (i = 0; i < cases; i++) {
		char text[256] = "";
		size_t used = 0, k, n = ft_random_below(&random, 24);

		for (k = 0; k < n; k++)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s",
						 pieces[ft_random_below(&random, 12)]);
		struct ft__report report = parse(text, used);
		for (k = 0; k < report.n; k++)
			bad += !(report.routine[k].wall_s > 0 && report.routine[k].calls >= 1);
		ft__report_clear(&report);
	}
	ok(!bad, "%d random reports, seed %llu", cases, (unsigned long long)test_seed());
}

/* However it is cut into pieces, it says the same. */
static void test_pieces(void)
{
	struct ft_random random = {test_seed() + 1};
	int cases = test_cases(300), i, bad = 0;
	char text[4096], tooth[700];

	memset(tooth, 'y', sizeof tooth - 1);
	tooth[sizeof tooth - 1] = '\0';
	(void)snprintf(
		text, sizeof text,
		"ft1 routine a 1 1000000000 2000000000 3\n%s\nft1 routine b 2 5 6 0\n\nft1 routine a 1 "
		"1000000000 1 4\nft1 routine %s 1 2 3 4\nft1 routine b 1 1 1 1\nft1 routine c 1 2 3 4",
		tooth, tooth);
	for (i = 0; i < cases; i++) {
		struct ft__report report = {0};
		size_t at = 0, length = strlen(text);

		while (at < length) {
			size_t part = 1 + ft_random_below(&random, 1 << ft_random_below(&random, 11));

			part = part < length - at ? part : length - at;
			bad += ft__report_add(&report, text + at, part, NULL) != FT_OK;
			at += part;
		}
		bad += report.n != 2 || !near(report.routine[0].wall_s, 2, 1e-12) ||
		       !near(report.routine[0].work, 7, 1e-12) || !near(report.routine[1].calls, 3, 0);
		ft__report_clear(&report);
	}
	ok(!bad, "%d times cut into pieces, seed %llu", cases, (unsigned long long)test_seed());
}

static void test_absurd(void)
{
	static const char one[] = "ft1 routine long 1 3e300 1 4\nft1 routine good 1 3e18 1 4\n"
				  "ft1 routine good 1 1 1 4\n",
			  sum[] = "ft1 routine sum 1 2e18 1 4\nft1 routine sum 1 2e18 1 4\n",
			  most[] = "ft1 routine work 1 1 1 1e308\nft1 routine work 1 1 1 1e308\n"
				   "ft1 routine calls 1e308 1 1 0\nft1 routine calls 1e308 1 1 0\n";
	struct ft__report report = parse(one, sizeof one - 1);

	ok(report.n == 2 && report.routine[0].absurd && !report.routine[1].absurd,
	   "what takes longer than a hundred years is no time: %g, %g", report.routine[0].wall_s,
	   report.routine[1].wall_s);
	ft__report_clear(&report);
	report = parse(sum, sizeof sum - 1);
	ok(report.n == 1 && report.routine[0].absurd, "nor is their sum");
	ft__report_clear(&report);
	report = parse(most, sizeof most - 1);
	ok(report.n == 2 && report.routine[0].absurd && report.routine[1].absurd,
	   "nor are work and calls that no number holds");
	ft__report_clear(&report);
}

/* Names in the writer's own language; one that was cut within a character, a Latin-1 one, a control. */
static void test_names(void)
{
	static const char text[] = "ft1 routine gr\303\266\303\237e 1 2 3 4\n"
				   "ft1 routine cut\303 1 2 3 4\n"
				   "ft1 routine \374ber 1 2 3 4\n"
				   "ft1 routine a\302\205b 1 2 3 4\n";
	static const char *const names[] = {"gr\303\266\303\237e", "cut_", "_ber", "a__b"};
	struct ft__report report = parse(text, sizeof text - 1);

	for (size_t i = 0; i < 4; i++)
		ok(i < report.n && !strcmp(report.routine[i].name, names[i]), "the name %s", names[i]);
	ft__report_clear(&report);
}

static void test_limits(void)
{
	struct ft__report report = {0};
	char *text = malloc(1 << 20);
	size_t used = 0;

	for (int i = 0; i < 1000; i++)
		used += (size_t)snprintf(text + used, (1 << 20) - used, "ft1 routine r%d 1 2 3 4\n", i);
	used += (size_t)snprintf(text + used, (1 << 20) - used, "ft1 routine r0 1 2 3 4\n");
	report = parse(text, used);
	ok(report.n == FT__ROUTINES_MAX && report.more, "no more than %d routines, which is said",
	   FT__ROUTINES_MAX);
	ok(report.routine[0].calls == 2, "what is known goes on to be summed");
	ft__report_clear(&report);
	(void)ft_alloc_fail_at(1);
	ok(ft__report_add(&report, text, used, NULL) == FT_ENOMEM && !report.n, "no memory");
	(void)ft_alloc_fail_at(0);
	ft__report_clear(&report);
	free(text);
}

int main(void)
{
	test_examples();
	test_garbage();
	test_random();
	test_pieces();
	test_absurd();
	test_names();
	test_limits();
	return done();
}
