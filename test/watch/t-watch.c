/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All kinds together: what nobody needs is not looked for; descriptors that end; clocks that jump. */
#include "watch-test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

static void check_none(void)
{
	struct subject s = {0};
	int unseen = 0;

	ok(begin(&s) && ft__watch_wait_ms(s.watch) == -1, "no condition: nothing is waited for");
	const struct ft_seen *seen = ft__watch_look(s.watch);
	for (int kind = 0; kind < FT_CONDITIONS; kind++)
		unseen += seen->unseen[kind] != NULL;
	ok(unseen == FT_CONDITIONS && !seen->n_logins && !seen->n_processes && !seen->n_files,
	   "and nothing is seen: who asks all the same is told so");
	end(&s);
}

static void check_all(void)
{
	struct subject s = {0};
	int told = 0;

	for (int kind = 0; kind < FT_CONDITIONS; kind++)
		add(&s, (enum ft_condition_kind)kind, "/nowhere/at-all");
	ok(begin(&s), "all conditions");
	for (int i = 0; i < 50; i++)
		(void)holds(&s, 0);
	for (int kind = 0; kind < FT_CONDITIONS; kind++)
		told += !holds(&s, (size_t)kind) || *why;
	ok(told == FT_CONDITIONS, "each that holds says why");
	end(&s);
}

/* Not one descriptor is left, and some are again. */
static void check_descriptors(void)
{
	struct rlimit old;
	struct subject s = {0};
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	add(&s, FT_CONDITION_PROCESS, "ft-test-nobody");
	add(&s, FT_CONDITION_HALT_FILE, temp_path("halt"));
	add(&s, FT_CONDITION_USER_LOGIN, "4008123")->only = true;
	s.needs.timers = true;
	(void)getrlimit(RLIMIT_NOFILE, &old);
	struct rlimit low = old;
	low.rlim_cur = (rlim_t)fd;
	(void)close(fd);
	(void)setrlimit(RLIMIT_NOFILE, &low);
	ok(ft__watch_new(&s.watch, &s.needs, &s.err) == FT_EIO && !s.watch, "none is left: %s", s.err.text);
	(void)setrlimit(RLIMIT_NOFILE, &old);
	ok(begin(&s) && !holds(&s, 0), "there are some");
	low.rlim_cur = 3;
	(void)setrlimit(RLIMIT_NOFILE, &low);
	ok(comes(&s, 0, true, false) && strstr(why, strerror(EMFILE)), "%s", why);
	(void)usleep(1100000);
	ok(holds(&s, 2) && strstr(why, "cannot be judged"), "%s", why);
	(void)setrlimit(RLIMIT_NOFILE, &old);
	ok(comes(&s, 0, false, false), "there are some again");
	ok(comes(&s, 2, false, false) && !holds(&s, 1), "the others do what they did");
	end(&s);
}

static void check_clocks(void)
{
	struct ft_clock set = {.steady_ns = 5000000000, .real_ns = INT64_C(1800000000000000000)};
	struct subject s = {0};
	bool good = true;

	add(&s, FT_CONDITION_HALT_FILE, temp_path("halt"));
	add(&s, FT_CONDITION_USER_LOGIN, "4008123")->only = true;
	add(&s, FT_CONDITION_LOAD_THRESHOLD, NULL);
	ft_clock_set(&set);
	(void)begin(&s);
	for (int i = 0; i < 20; i++) {
		set.real_ns = i % 2 ? 0 : INT64_C(4000000000000000000);
		set.steady_ns += i % 3 ? 1 : INT64_C(1000000000000000);
		/* Who looks at the file may not have had its turn: then it is judged soon. */
		good = good && comes(&s, 0, false, false) && ft__watch_wait_ms(s.watch) <= 300000;
	}
	(void)temp_write(temp_path("halt"), "", 0644);
	ok(good && comes(&s, 0, true, false), "clocks that jump: %s", why);
	end(&s);
	ft_clock_set(NULL);
}

int main(void)
{
	check_none();
	check_all();
	check_descriptors();
	check_clocks();
	temp_remove();
	return done();
}
