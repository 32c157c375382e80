/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Libraries that are loaded when they are asked for. */
#include "base/files.h"
#include "tap.h"

#include <string.h>

static double (*cosine)(double), (*sine)(double);

int main(void)
{
	const struct ft_symbol both[] = {{"cos", &cosine}, {"sin", &sine}};
	const struct ft_symbol missing[] = {{"sin", &sine}, {"no_such_function", &cosine}};
	struct ft_err err = {0};

	ok(!ft_library_load("libm.so.6", both, 2, &err) && cosine(0) == 1 && sine(0) == 0,
	   "functions are found: %s", err.text);
	cosine = sine = NULL;
	ok(ft_library_load("libm.so.6", missing, 2, &err) == FT_EUNAVAIL && !sine && !cosine &&
		   strstr(err.text, "no_such_function") && *err.remedy,
	   "one that is not there: nothing is set: %s", err.text);
	ok(ft_library_load("libnothing.so.9", both, 2, &err) == FT_EUNAVAIL && !cosine &&
		   strstr(err.text, "libnothing.so.9"),
	   "a library that is not there: %s", err.text);
	ok(ft_library_load("libnothing.so.9", both, 2, NULL) == FT_EUNAVAIL, "without words");
	return done();
}
