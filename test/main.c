/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the program of a room: t-ROOM t-FILE [ARGUMENT...] runs the test of t-FILE.c. */
#include "main.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

char **tap_arguments;
static struct tap_test *tests;

void tap_add(struct tap_test *test)
{
	test->next = tests;
	tests = test;
}

/* Is this the test of FILE.c? */
static bool is_named(const struct tap_test *test, const char *name)
{
	const char *slash = strrchr(test->file, '/'), *base = slash ? slash + 1 : test->file;
	size_t length = strlen(name);

	return !strncmp(base, name, length) && !strcmp(base + length, ".c");
}

int main(int argc, char **argv)
{
	(void)umask(022); /* modes of files are as tests ask for them, whoever runs them */
	for (const struct tap_test *test = tests; argc > 1 && test; test = test->next)
		if (is_named(test, argv[1])) {
			tap_arguments = argv + 2;
			return test->run();
		}
	(void)fprintf(stderr, "usage: %s TEST [ARGUMENT...], a TEST of:\n", argv[0]);
	for (const struct tap_test *test = tests; test; test = test->next)
		(void)fprintf(stderr, "    %s\n", test->file);
	return 2;
}
