/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ft_kernel *subject_open(const char *file, const char *kernel, struct ft_err *why)
{
	struct ft_kernel_source source = {.kernel = kernel};
	struct ft_kernel *out;
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/test/kernel/data/%s", getenv("FORETIME_TEST_SOURCE"), file);
	source.path = path;
	return ft_kernel_open(&out, &source, why) ? NULL : out;
}

bool subject_missing(const struct ft_err *why)
{
	return why->status == FT_EUNAVAIL;
}

const struct subject subjects[] = {
	{"diffusion",
	 {"48", "32"},
	 {"16", "16"},
	 false,
	 {{"image", SINGLES, 1200, 1},
	  {"c", SINGLES, 1200, 0},
	  {"east", SINGLES, 1200, 0},
	  {"rows", WHOLE, 0, 30},
	  {"columns", WHOLE, 0, 40},
	  {"q0", SINGLE, 0, 0.5}}},
	{"heat_tile",
	 {"32", "32"},
	 {"16", "16"},
	 false,
	 {{"power", SINGLES, 1024, 1},
	  {"from", SINGLES, 1024, 1},
	  {"to", SINGLES, 1024, 0},
	  {"n", WHOLE, 0, 32},
	  {"turns", WHOLE, 0, 5},
	  {"rx", SINGLE, 0, 0.1},
	  {"ry", SINGLE, 0, 0.2}}},
	{"jacobi",
	 {"64", "32"},
	 {"16", "8"},
	 false,
	 {{"a", SINGLES, 4096, 1}, {"b", SINGLES, 4096, 1}, {"n", WHOLE, 0, 60}}},
	{"field_step",
	 {"64", "32"},
	 {"32", "8"},
	 false,
	 {{"source", SINGLES, 100, 1},
	  {"ey", SINGLES, 1800, 1},
	  {"hz", SINGLES, 1800, 1},
	  {"t", WHOLE, 0, 7},
	  {"nx", WHOLE, 0, 30},
	  {"ny", WHOLE, 0, 60}}},
	{"blur_rows",
	 {"48", "16"},
	 {"16", "4"},
	 false,
	 {{"in", SINGLES, 768, 1}, {"out", SINGLES, 768, 1}, {"w", WHOLE, 0, 48}, {"h", WHOLE, 0, 15}}},
	{"align",
	 {"48"},
	 {"16"},
	 false,
	 {{"score", WHOLES, 2401, 0},
	  {"similar", WHOLES, 2401, 1},
	  {"width", WHOLE, 0, 49},
	  {"penalty", WHOLE, 0, 10},
	  {"diagonal", WHOLE, 0, 3}}},
	{"cheapest_path",
	 {"256"},
	 {"64"},
	 false,
	 {{"wall", WHOLES, 4096, 1},
	  {"from", WHOLES, 200, 1},
	  {"to", WHOLES, 200, 0},
	  {"columns", WHOLE, 0, 200},
	  {"turns", WHOLE, 0, 5},
	  {"start", WHOLE, 0, 1},
	  {"halo", WHOLE, 0, 1}}},
	{"product_first",
	 {"32", "32"},
	 {"16", "16"},
	 false,
	 {{"a", SINGLES, 720, 1},
	  {"b", SINGLES, 744, 1},
	  {"tmp", SINGLES, 1000, 0},
	  {"ni", WHOLE, 0, 30},
	  {"nj", WHOLE, 0, 31},
	  {"nk", WHOLE, 0, 24},
	  {"alpha", SINGLE, 0, 2}}},
	{"transposed_vector",
	 {"64"},
	 {"16"},
	 false,
	 {{"a", SINGLES, 2400, 1},
	  {"tmp", SINGLES, 40, 1},
	  {"y", SINGLES, 60, 0},
	  {"nx", WHOLE, 0, 40},
	  {"ny", WHOLE, 0, 60}}},
	{"two_vectors",
	 {"64"},
	 {"16"},
	 false,
	 {{"a", SINGLES, 2400, 1},
	  {"p", SINGLES, 60, 1},
	  {"r", SINGLES, 40, 1},
	  {"q", SINGLES, 40, 0},
	  {"s", SINGLES, 60, 0},
	  {"nx", WHOLE, 0, 40},
	  {"ny", WHOLE, 0, 60}}},
	{"two_matrices",
	 {"32"},
	 {"8"},
	 false,
	 {{"a", SINGLES, 900, 1},
	  {"b", SINGLES, 900, 1},
	  {"x", SINGLES, 30, 1},
	  {"y", SINGLES, 30, 0},
	  {"alpha", SINGLE, 0, 2},
	  {"beta", SINGLE, 0, 3},
	  {"n", WHOLE, 0, 30}}},
	{"rank_update",
	 {"32", "32"},
	 {"8", "8"},
	 false,
	 {{"a", SINGLES, 620, 1},
	  {"c", SINGLES, 961, 1},
	  {"alpha", SINGLE, 0, 2},
	  {"beta", SINGLE, 0, 3},
	  {"n", WHOLE, 0, 31},
	  {"m", WHOLE, 0, 20}}},
	{"covariance",
	 {"32"},
	 {"8"},
	 false,
	 {{"data", SINGLES, 600, 1},
	  {"symmetric", SINGLES, 900, 0},
	  {"m", WHOLE, 0, 30},
	  {"n", WHOLE, 0, 20}}},
	{"deviation",
	 {"32"},
	 {"8"},
	 false,
	 {{"data", SINGLES, 600, 1},
	  {"mean", SINGLES, 30, 0},
	  {"std", SINGLES, 30, 0},
	  {"m", WHOLE, 0, 30},
	  {"n", WHOLE, 0, 20}}},
	{"eliminate",
	 {"32", "32"},
	 {"16", "4"},
	 false,
	 {{"a", SINGLES, 1024, 1},
	  {"b", SINGLES, 32, 1},
	  {"factor", SINGLES, 1024, 1},
	  {"n", WHOLE, 0, 32},
	  {"t", WHOLE, 0, 9}}},
	{"factor_diagonal",
	 {"16"},
	 {"16"},
	 false,
	 {{"m", SINGLES, 2304, 2}, {"dim", WHOLE, 0, 48}, {"offset", WHOLE, 0, 16}}},
	{"visit",
	 {"64"},
	 {"16"},
	 true,
	 {{"start", WHOLES, 64, 2},
	  {"degree", WHOLES, 64, 3},
	  {"edge", WHOLES, 64, 5},
	  {"mask", WHOLES, 64, 1},
	  {"next", WHOLES, 64, 0},
	  {"seen", WHOLES, 64, 0},
	  {"cost", WHOLES, 64, 0},
	  {"n", WHOLE, 0, 60}}},
	{"nearest",
	 {"64"},
	 {"16"},
	 false,
	 {{"feature", SINGLES, 480, 1},
	  {"centre", SINGLES, 40, 2},
	  {"member", WHOLES, 60, 0},
	  {"points", WHOLE, 0, 60},
	  {"centres", WHOLE, 0, 5},
	  {"features", WHOLE, 0, 8}}},
	{"sum_scan",
	 {"128"},
	 {"32"},
	 false,
	 {{"in", WHOLES, 128, 1}, {"out", WHOLES, 128, 0}, {"a", LOCAL, 128, 0}}},
	{"option",
	 {"64"},
	 {"16"},
	 false,
	 {{"price", SINGLES, 64, 90},
	  {"call", SINGLES, 64, 0},
	  {"rate", SINGLE, 0, 0.02},
	  {"sigma", SINGLE, 0, 0.3},
	  {"years", SINGLE, 0, 2},
	  {"n", WHOLE, 0, 60}}},
	{"shuffle_bits", {"64"}, {"16"}, false, {{"state", WHOLES, 64, 12345}, {"rounds", WHOLE, 0, 23}}},
	{"integrate",
	 {"32"},
	 {"8"},
	 false,
	 {{"x", DOUBLES, 32, 1}, {"v", DOUBLES, 32, 1}, {"dt", DOUBLE, 0, 0.1}, {"steps", WHOLE, 0, 11}}},
	{"private_table",
	 {"32"},
	 {"8"},
	 false,
	 {{"in", SINGLES, 32, 1}, {"out", SINGLES, 32, 0}, {"n", WHOLE, 0, 6}}},
};
const size_t subjects_n = sizeof subjects / sizeof *subjects;

static void *filled(const struct subject_argument *from, size_t *bytes)
{
	size_t n = (size_t)from->n, each = from->kind == DOUBLES ? 8 : 4, i;
	char *out = calloc(n + 1, each);

	*bytes = n * each;
	for (i = 0; i < n && out; i++) {
		float single = (float)from->value;
		int whole = (int)from->value;

		memcpy(out + i * each,
		       from->kind == DOUBLES   ? (const void *)&from->value
		       : from->kind == SINGLES ? (const void *)&single
					       : (const void *)&whole,
		       each);
	}
	return out;
}

struct ft_kernel_launch subject_launch(const struct subject *subject, struct ft_kernel_argument *argument)
{
	struct ft_kernel_launch launch = {.argument = argument};

	memcpy(launch.global, subject->global, sizeof launch.global);
	memcpy(launch.local, subject->local, sizeof launch.local);
	for (const struct subject_argument *a = subject->argument; launch.n < SUBJECT_ARGUMENTS && a->name;
	     a++) {
		struct ft_kernel_argument *to = &argument[launch.n++];

		*to = (struct ft_kernel_argument){.name = a->name, .value = NAN};
		if (a->kind <= DOUBLE)
			to->value = a->value;
		else if (a->kind == LOCAL)
			to->bytes = "128";
		else if (subject->given)
			to->data = filled(a, &to->data_bytes);
	}
	return launch;
}

void subject_release(struct ft_kernel_launch *launch)
{
	for (size_t i = 0; i < launch->n; i++)
		free((void *)(uintptr_t)launch->argument[i].data);
	launch->n = 0;
}
