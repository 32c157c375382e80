/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-emulate.c - programs under qemu-user: their instructions, and nothing of the emulator's own. */
#include "process-test.h"

#include "measure/measure.h"

#include <math.h>
#include <sys/utsname.h>

/* child-count under the emulator of this very processor, so that no other compiler is needed. */
static void make_count(struct subject *s, const char *architecture, const char *n, const char *word)
{
	make(s, "count", (const char *const[WORDS]){n, word});
	s->launch.emulate = architecture;
}

static void refused(struct subject *s, enum ft_status expected, const char *text)
{
	ok(open_subject(s) == expected && !s->source && strstr(s->err.text, text) && *s->err.remedy, "%s; %s",
	   s->err.text, s->err.remedy);
}

static void test_refused(void)
{
	static const char *const bad[] = {"", "../aarch64", "a b", "an_architecture_that_is_much_too_long"};
	char *path = strdup(getenv("PATH"));
	struct subject s;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		make_count(&s, bad[i], "1", NULL);
		refused(&s, FT_EINVAL, "is no architecture");
	}
	make_count(&s, "aarch64", "1", NULL);
	s.launch.working_set = true;
	refused(&s, FT_EINVAL, "nothing else can be measured");
	make_count(&s, "aarch64", "1", NULL);
	(void)setenv("PATH", "/nonesuch", 1);
	refused(&s, FT_EUNAVAIL, "qemu-aarch64 is not installed");
	(void)setenv("PATH", path, 1);
	free(path);
}

static double count(const char *architecture, const char *n, const char *word)
{
	struct subject s;
	double value = NAN;

	make_count(&s, architecture, n, word);
	if (!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE)
		value = ft_run_value(last(&s), &ft_instructions);
	if (isnan(value))
		diag("%s: %s", s.err.text, words(&s));
	unmake(&s);
	return value;
}

static void test_count(const char *architecture)
{
	double none = count(architecture, "0", NULL), some = count(architecture, "100000", NULL),
	       child = count(architecture, "100000", "child");
	const struct ft_sample *sample = NULL;
	struct subject s;

	ok(none > 0 && none < 100000, "what main does without a loop: %.0f", none);
#if defined(__x86_64__)
	ok(some - none >= 1e6 && some - none < 1e6 + 100, "a loop of 1,000,000: %.0f", some - none);
#else
	ok(some - none >= 3e5, "a loop: %.0f", some - none);
#endif
	ok(some == count(architecture, "100000", NULL), "the same count again");
	ok(child - some > 0.99 * (some - none) && child - some < 1.01 * (some - none) + 20000,
	   "a child that it forks counts once: %.0f", child - some);
	make_count(&s, architecture, "10", NULL);
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->n_samples == 4 && isnan(value(&s, &ft_wall_s)) &&
		   isnan(value(&s, &ft_peak_rss_bytes)) && last(&s)->cost_s > 0,
	   "times and memory are not those of the emulator");
	for (size_t i = 0; i < last(&s)->n_samples; i++)
		if (last(&s)->sample[i].resource == &ft_instructions)
			sample = &last(&s)->sample[i];
	ok(sample && sample->label == FT_SIMULATED && !strcmp(sample->probe, "qemu"), "it is simulated");
	unmake(&s);
	HOSTILE(&s, "signal", "11");
	s.launch.emulate = architecture;
	check_outcome(&s, 0, FT_CRASHED, "one that crashes");
	ok(isnan(value(&s, &ft_instructions)), "has no count");
	unmake(&s);
	PROBE(&s, "two");
	s.launch.emulate = architecture;
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 1 && value(&s, &ft_instructions) > 0,
	   "routines report no times of the emulator");
	unmake(&s);
}

int main(void)
{
	static const char text[] =
		"ft1 instructions 5\nft1 instructions\nft1 instructions -2\nft1 instructions 7\n";
	struct ft__report report = {0};
	struct utsname system;
	struct subject s;

	ok(!ft__report_add(&report, text, sizeof text - 1, NULL) && near(report.instructions, 12, 0),
	   "the counts of two processes are summed");
	ft__report_clear(&report);
	test_refused();
	make_count(&s, uname(&system) ? "" : system.machine, "1", NULL);
	if (open_subject(&s) == FT_EUNAVAIL)
		skip("what is counted", s.err.text);
	else
		test_count(system.machine);
	unmake(&s);
	temp_remove();
	return done();
}
