/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-routines.c - a program whose routines take instructions in known proportions, and tell of themselves.
 *
 *	child-routines N          second: 3 N rounds, between two pairs of first: N; reported in this order
 *	child-routines N one      one routine of N rounds, and a start that takes as much
 *	child-routines N clocks   the same, whose processor time is four times its wall time
 *	child-routines N nested   one within the other
 *	child-routines N threads  a routine that computes in two threads
 *	child-routines N silent   a report written by hand, without the header's marks for valgrind
 */
#include "foretime-probe.h"

#include <pthread.h>

static void loop(unsigned long n)
{
	volatile unsigned long sum = 0;

	while (n--)
		sum = sum + n;
	(void)sum;
}

static void *thread(void *n)
{
	loop(*(unsigned long *)n);
	return NULL;
}

static void in_threads(unsigned long n)
{
	struct ft_probe probe = FT_PROBE_INIT;
	pthread_t other;

	ft_probe_start(&probe);
	if (pthread_create(&other, NULL, thread, &n))
		return;
	loop(n);
	(void)pthread_join(other, NULL);
	ft_probe_report("both", 0, &probe);
}

static void by_hand(unsigned long n)
{
	static const char line[] = "ft1 routine only 1 1000000 1000000 0\n";
	int to = ft_probe_descriptor();

	loop(n);
	if (to >= 0 && write(to, line, sizeof line - 1) < 0)
		return;
}

int main(int argc, char **argv)
{
	struct ft_probe one = FT_PROBE_INIT, two = FT_PROBE_INIT;
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	const char *word = argc > 2 ? argv[2] : "";
	int alone = !strcmp(word, "one") || !strcmp(word, "clocks");

	if (!strcmp(word, "threads")) {
		in_threads(n);
		return 0;
	}
	if (!strcmp(word, "silent")) {
		by_hand(n);
		return 0;
	}
	if (alone)
		loop(n);
	ft_probe_start(&one);
	loop(alone ? n : n / 2);
	if (!strcmp(word, "nested"))
		ft_probe_start(&two);
	ft_probe_stop(&one);
	if (!strcmp(word, "clocks"))
		one.cpu_ns = 4 * one.wall_ns;
	if (alone) {
		ft_probe_report("only", (double)n, &one);
		return 0;
	}
	ft_probe_start(&two);
	loop(3 * n);
	ft_probe_stop(&two);
	ft_probe_start(&one);
	loop(n / 2);
	ft_probe_stop(&one);
	ft_probe_report("second", 0, &two);
	ft_probe_report("first", 0, &one);
	return 0;
}
