/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-count.c - a program that takes 10 instructions for each N, and a few to start.
 *
 *	child-count N          the loop
 *	child-count N valgrind the same, and an end by SIGILL when valgrind is there
 *	child-count N child    the same, in a child that nobody asks how it ended
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void loop(unsigned long n)
{
#if defined(__x86_64__)
	while (n--)
		__asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
#else
	volatile unsigned long sum = 0;

	while (n--)
		sum += n;
#endif
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	const char *word = argc > 2 ? argv[2] : "", *loaded = getenv("LD_PRELOAD");
	int status;

	loop(n);
	if (!strcmp(word, "child") && !fork()) {
		loop(n);
		if (loaded && strstr(loaded, "vgpreload"))
			__builtin_trap(); /* an instruction that there is not */
		_exit(0);
	}
	if (!strcmp(word, "child"))
		(void)wait(&status);
	if (!strcmp(word, "valgrind") && loaded && strstr(loaded, "vgpreload"))
		__builtin_trap(); /* an instruction that there is not */
	return !strcmp(word, "fail") && loaded && strstr(loaded, "vgpreload") ? 3 : 0;
}
