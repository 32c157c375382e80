/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-probe.c - a program that reports by way of foretime-probe.h, well and badly: child-probe WORD. */
#include "foretime-probe.h"

#include <locale.h>

static void write_bytes(const char *bytes, size_t length)
{
	int to = ft_probe_descriptor();

	if (to >= 0 && write(to, bytes, length) < 0)
		_exit(9);
}

static void work(struct ft_probe *probe, double cpu_s)
{
	struct timespec from, now;

	ft_probe_start(probe);
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	do
		(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (ft_probe_since(&from, &now) < 1e9 * cpu_s);
	ft_probe_stop(probe);
}

int main(int argc, char **argv)
{
	struct ft_probe one = FT_PROBE_INIT, two = FT_PROBE_INIT, idle = FT_PROBE_INIT;
	const char *word = argc > 1 ? argv[1] : "";

	(void)setlocale(LC_ALL, "");
	if (!strcmp(word, "one")) {
		struct timespec pause = {0, 30000000};

		work(&one, 0.002);
		(void)nanosleep(&pause, NULL);
		work(&one, 0.002);
		ft_probe_stop(&one);
		ft_probe_report("one", 1234.5, &one);
		ft_probe_report("never", 1, &idle);
	} else if (!strcmp(word, "two")) {
		work(&one, 0.001);
		ft_probe_report("first part/a", 2e20, &one);
		for (long i = 0; i < 2; i++) {
			work(&two, 0.001);
			ft_probe_report("second", 0, &two);
		}
	} else if (!strcmp(word, "cold")) {
		work(&one, 0.02);
		for (long i = 0; i < 3; i++)
			work(&one, 0.001);
		ft_probe_report("cold", 0, &one);
	} else if (!strcmp(word, "memory")) {
		work(&one, 0.001);
		ft_probe_report("small", 0, &one);
		ft_probe_start(&two);
		char *bytes = (char *)malloc(32 << 20);
		for (long i = 0; bytes && i < 32 << 20; i += 512)
			bytes[i] = (char)i;
		ft_probe_report("large", bytes ? bytes[512] : 0, &two);
		free(bytes);
		work(&one, 0.001);
		ft_probe_report("after", 0, &one);
	} else if (!strcmp(word, "progress")) {
		struct timespec pause = {0, 2000000};

		for (long i = 0; i < 300; i++) {
			ft_probe_progress((double)i / 2, 150);
			(void)nanosleep(&pause, NULL);
		}
	} else if (!strcmp(word, "hot")) {
		for (long i = 0; i < 20000000; i++)
			ft_probe_progress((double)i, 2e7);
	} else if (!strcmp(word, "prints")) {
		struct timespec pause = {0, 50000000};

		for (long i = 0; i < 50000; i++)
			(void)printf("line %ld\n", i);
		(void)fflush(stdout);
		(void)fprintf(stderr, "to standard error\n");
		(void)nanosleep(&pause, NULL);
		(void)printf("the last");
	} else if (!strcmp(word, "garbage")) {
		static const char bytes[] =
			"\n\n \0\xff ft1\nft1 routine\nft1 routine x 1 2\nft1 routine y 1 -2 3 4\n"
			"ft1 routine z 1 nan 3 4\nft1 routine a/b 1 2 3 4\nft1 invalid now\nft2 invalid\n"
			"ft1 routine good 2 3000000 4000000 5000000000e-9\nft1 routine cut 1 2 3";

		write_bytes(bytes, sizeof bytes - 1);
	} else if (!strcmp(word, "flood")) {
		static char block[65536];

		memset(block, 'y', sizeof block);
		write_bytes("ft1 routine early 1 1000 1000 1\n", 32);
		for (long i = 0; i < 48; i++)
			write_bytes(block, sizeof block);
		write_bytes("\nft1 routine late 1 1000 1000 1\n", 32);
	} else if (!strcmp(word, "steps")) { /* a report for each of many steps, and megabytes of them */
		static const char line[] = "ft1 routine step 1 5000000 5000000 2\n";

		for (long i = 0; i < 100000; i++)
			write_bytes(line, sizeof line - 1);
	} else if (!strcmp(word, "endless")) { /* as if more had been reported than anybody reads */
		write_bytes("ft1 routine early 1 1000 1000 1\n", 32);
		if (ftruncate(ft_probe_descriptor(), 1L << 40))
			return 1;
	} else if (!strcmp(word, "absurd")) {
		write_bytes("ft1 routine long 1 3e300 3e300 1\n", 33);
	} else if (!strcmp(word, "many")) {
		for (long i = 0; i < 300; i++) {
			char name[32];

			(void)snprintf(name, sizeof name, "routine%ld", i);
			work(&one, 0);
			ft_probe_report(name, 0, &one);
		}
	} else if (!strcmp(word, "failed")) {
		work(&one, 0.001);
		ft_probe_report("one", 1, &one);
		return 5;
	} else if (!strcmp(word, "invalid")) {
		ft_probe_invalid();
	}
	return 0;
}
