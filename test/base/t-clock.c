/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-clock.c - the system's clock, and one that is set. */
#include "base/clock.h"
#include "tap.h"

#include <time.h>

int main(void)
{
	struct ft_clock clock = {5000000000, INT64_C(1700000000000000000)};
	int64_t steady = ft_clock_ns(), spent = ft_clock_spent_ns(), before = (int64_t)time(NULL) - 1;

	ok(ft_clock_real_ns() / 1000000000 >= before && ft_clock_real_ns() / 1000000000 <= time(NULL) + 1,
	   "the time since 1970");
	ft_clock_sleep(0.01);
	ok(ft_clock_ns() - steady >= 10000000, "who sleeps for 10 ms wakes up later");
	ok(ft_clock_spent_ns() >= spent && ft_clock_spent_ns() - spent <= ft_clock_ns() - steady,
	   "... and was not busy for longer");
	ft_clock_set(&clock);
	ok(ft_clock_ns() == 5000000000 && ft_clock_s() == 5, "a clock that is set stands");
	ft_clock_sleep(86400.5);
	ok(ft_clock_s() == 86405.5 && ft_clock_real_ns() == INT64_C(1700086400500000000), "until one sleeps");
	clock.real_ns = 7;
	ok(ft_clock_real_ns() == 7, "or it is set anew");
	ft_clock_set(NULL);
	ok(ft_clock_ns() >= steady && ft_clock_real_ns() > 7, "the system's again");
	return done();
}
