/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine runs on: as systems with and without batteries say it. */
#include "watch-test.h"

static struct ft_clock clock_set = {.steady_ns = 1000000000, .real_ns = 1000000000};

static void supply(const char *name, const char *type, const char *online, const char *status,
		   const char *scope)
{
	put(type, "sys/class/power_supply/%s/type", name);
	if (online)
		put(online, "sys/class/power_supply/%s/online", name);
	if (status)
		put(status, "sys/class/power_supply/%s/status", name);
	if (scope)
		put(scope, "sys/class/power_supply/%s/scope", name);
}

static bool later(struct subject *s)
{
	clock_set.steady_ns += 30000000000;
	return holds(s, 0);
}

static void check_written(void)
{
	struct subject s = {0};
	char root[256];

	(void)snprintf(root, sizeof root, "%s", temp_path("root"));
	s.needs.root = root;
	add(&s, FT_CONDITION_BATTERY, NULL);
	ft_clock_set(&clock_set);
	ok(begin(&s) && holds(&s, 0) && strstr(why, "cannot be read"), "%s", why);
	put(NULL, "sys/class/power_supply/AC/");
	take_away("sys/class/power_supply/AC");
	ok(!later(&s), "a machine without any");
	supply("AC", "Mains\n", "1\n", NULL, NULL);
	supply("BAT0", "Battery\n", NULL, "Charging\n", NULL);
	ok(!later(&s), "a notebook that is plugged in");
	supply("AC", "Mains\n", "0\n", NULL, NULL);
	supply("BAT0", "Battery\n", NULL, "Discharging\n", "System\n");
	ok(later(&s) && strstr(why, "runs on its battery"), "%s", why);
	supply("ucsi-source-psy-1", "USB\n", "1\n", NULL, NULL);
	ok(!later(&s), "power by another socket");
	take_away("sys/class/power_supply/ucsi-source-psy-1");
	ok(later(&s), "which is pulled out");
	take_away("sys/class/power_supply/BAT0");
	take_away("sys/class/power_supply/AC");
	supply("hid-mouse", "Battery\n", NULL, "Discharging\n", "Device\n");
	ok(!later(&s), "a mouse that runs on its battery");
	supply("ups", "UPS\n", NULL, "Discharging\n", NULL);
	ok(later(&s), "an uninterruptible supply that is used");
	put("", "sys/class/power_supply/ups/status");
	ok(!later(&s), "one that says nothing");
	end(&s);
	ft_clock_set(NULL);
}

/* This machine: whatever it is, it is told. */
static void check_real(void)
{
	struct subject s = {0};

	add(&s, FT_CONDITION_BATTERY, NULL);
	ok(begin(&s) && (!holds(&s, 0) || *why), "this machine: %s", *why ? why : "not on its battery");
	end(&s);
}

int main(void)
{
	check_written();
	check_real();
	temp_remove();
	return done();
}
