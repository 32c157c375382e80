/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake-run.c - in place of the command: t-remote fake-run run --into FILE [OPTION...] n=3 -- PROG leaves a
 * run of n hundredths of a second, and makes none. FT_FAKE_HOST names its machine; without it, it is this
 * one. */
#include "foretime/measure.h"
#include "leave.h"
#include "main.h"

#include <stdio.h>

static int make_run(void)
{
	struct ft_machine here = {0};
	struct left left = {.hash = "job", .host = getenv("FT_FAKE_HOST"), .machine = &here};
	const char *into = NULL;
	struct ft_err err = {0};
	double n;

	for (char **word = tap_arguments; *word && strcmp(*word, "--") != 0; word++)
		if (!strcmp(*word, "--into"))
			into = word[1];
		else if (sscanf(*word, "n=%lf", &n) == 1)
			left.size = (struct ft_size){.n = 1, .value = {n}};
	if (left.size.n && getenv("FT_FAKE_HASH"))
		left.hash = getenv("FT_FAKE_HASH");
	left.wall_s = left.size.n ? n / 100 : 1;
	if (!into || (!left.host && ft_machine_read("", &here, &err)) || leave_run(into, &left, &err)) {
		(void)fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	ft_machine_clear(&here);
	return 0;
}

__attribute__((constructor)) static void enter(void)
{
	static struct tap_test test = {.file = __BASE_FILE__, .run = make_run};

	tap_add(&test);
}
