/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-link.c - latency and bandwidth: of made messages, and of shells on this machine. */
#include "base/random.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "tap.h"

#include <signal.h>
#include <unistd.h>

enum { MANY = 36 };

static void make(struct ft_message *message, size_t n, double latency_s, double bytes_per_s, double noise,
		 double late, struct ft_random *random)
{
	for (size_t i = 0; i < n; i++) {
		message[i].bytes = (double)((size_t)1 << (10 + 2 * (i % 5)));
		message[i].seconds =
			(latency_s + message[i].bytes / bytes_per_s) * exp(noise * ft_random_normal(random));
		if (ft_random_uniform(random) < late)
			message[i].seconds += 0.1;
	}
}

static bool holds(const struct ft_figure *figure, double value)
{
	return figure->least <= value && value <= figure->most;
}

static void test_fit(void)
{
	struct ft_random random = {.state = test_seed()};
	struct ft_message message[MANY];
	struct ft_link link;
	size_t rounds = test_quick() ? 60 : 500, held = 0, near_by = 0, i;

	make(message, MANY, 1e-4, 1e8, 0, 0, &random);
	ok(!ft_link_fit(message, MANY, &link, NULL) && near(link.latency_s.value, 1e-4, 1e-9) &&
		   near(link.bytes_per_s.value, 1e8, 1e-9) && link.messages == MANY,
	   "without noise: exact");
	for (i = 0; i < rounds; i++) {
		make(message, MANY, 1e-4, 1e8, 0.05, 0, &random);
		if (ft_link_fit(message, MANY, &link, NULL))
			break;
		held += holds(&link.bytes_per_s, 1e8);
	}
	ok(i == rounds && held >= rounds * 9 / 10, "noise: %zu of %zu intervals hold the bandwidth", held,
	   rounds);
	for (i = 0; i < rounds; i++) {
		make(message, MANY, 1e-4, 1e8, 0.02, 0.1, &random);
		if (ft_link_fit(message, MANY, &link, NULL))
			break;
		near_by += near(link.latency_s.value, 1e-4, 0.1) && near(link.bytes_per_s.value, 1e8, 0.1);
	}
	ok(near_by >= rounds * 9 / 10, "a tenth comes 0.1 s late: %zu of %zu are within 10 %%", near_by,
	   rounds);
}

static void test_refused(void)
{
	struct ft_message same[8] = {{8, 1}, {8, 2}, {8, 3}, {8, 4}},
			  odd[4] = {{1, 1}, {2, 2}, {3, -1}, {4, 4}},
			  falls[4] = {{1, 4}, {2, 3}, {3, 2}, {4, 1}},
			  ends[4] = {{1, 1}, {2, 2}, {3, 3}, {INFINITY, 4}};
	struct ft_link link;
	struct ft_err err = {0};

	ok(ft_link_fit(same, 4, &link, &err) == FT_EINVAL && *err.remedy, "one size: %s", err.text);
	ok(ft_link_fit(falls, 3, &link, &err) == FT_EINVAL, "three messages");
	ok(ft_link_fit(falls, 4, &link, &err) == FT_EINVAL && *err.remedy, "%s", err.text);
	ok(ft_link_fit(odd, 4, &link, &err) == FT_EINVAL && ft_link_fit(ends, 4, &link, &err) == FT_EINVAL,
	   "%s", err.text);
}

static enum ft_status bounce(const char *script, const volatile sig_atomic_t *interrupt, struct ft_err *err)
{
	char sh[] = "sh", option[] = "-c";
	char *argv[] = {sh, option, (char *)(uintptr_t)script, sh, NULL};
	struct ft_link forth, back;
	enum ft_status status = ft_link_measure(argv, interrupt, &forth, &back, err);

	return status ? status
	       : forth.latency_s.value > 0 && forth.bytes_per_s.value > 1e6 && back.bytes_per_s.value > 1e6 &&
			       back.messages == 36 && back.latency_s.least <= back.latency_s.most
		       ? FT_OK
		       : FT_EIO;
}

static void test_measure(void)
{
	static const volatile sig_atomic_t stop = 1;
	char none[] = "/nonesuch/ssh", *argv[] = {none, NULL};
	struct ft_link link;
	struct ft_err err = {0};

	if (!test_quick())
		ok(!bounce("echo Welcome; echo 'foretime-lin'; sh -c \"$1\"", NULL, &err),
		   "messages to a shell, behind what its login prints: %s", err.text);
	ok(bounce("exit 3", NULL, &err) == FT_EUNAVAIL && strstr(err.text, "ended before it answered"), "%s",
	   err.text);
	ok(bounce("echo foretime-link; while read -r n; do echo more; done", NULL, &err) == FT_EUNAVAIL, "%s",
	   err.text);
	ok(bounce("yes", NULL, &err) == FT_EUNAVAIL && strstr(err.text, "otherwise"), "%s", err.text);
	ok(bounce("exec sleep 60", &stop, &err) == FT_EINTR, "interrupted");
	ok(ft_link_measure(argv, NULL, &link, &link, &err) == FT_EUNAVAIL && *err.remedy, "%s", err.text);
}

int main(void)
{
	test_fit();
	test_refused();
	test_measure();
	return done();
}
