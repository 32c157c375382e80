/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.c - what GBBP takes for granted of the speed (000 section 2.3), and a build found not to hold. */
#include "cli/build/build.h"
#include "cli/common.h"

#include <string.h>

/* An assumption that does not hold: where, as sizes. */
struct build_broken {
	char assumption;     /* 'a' to 'd' */
	const char *text[4]; /* what stands before each size, then behind the last */
	double at[3];
	size_t n;
};

enum { BROKEN_MOST = 4 };

static size_t list_broken(const struct ft_build_shape *s, struct build_broken list[BROKEN_MOST])
{
	size_t n = 0;

	if (s->jumps)
		list[n++] = (struct build_broken){
			'a', {"the speed jumps between ", " and ", ""}, {s->jump[0], s->jump[1]}, 2};
	if (s->rises)
		list[n++] = (struct build_broken){
			'b',
			{"the speed is low at ", ", and higher before and from ", " on"},
			{s->low, s->again},
			2};
	if (s->bends)
		list[n++] = (struct build_broken){'c',
						  {"the fall of the speed has a step: ", ", ", " and ",
						   " lie on alternate sides of a straight line"},
						  {s->bend[0], s->bend[1], s->bend[2]},
						  3};
	if (s->widens)
		list[n++] = (struct build_broken){
			'd', {"speeds vary more from ", " on than below"}, {s->wider}, 1};
	return n;
}

static void print_broken(const struct build_broken *b, const char *name)
{
	char x[FT_NUMBER_LENGTH];

	fputs("shape: ", stdout);
	for (size_t i = 0; i < b->n; i++)
		printf("%s%s%s%s", b->text[i], i ? "" : name, i ? "" : "=", ft_number_format(b->at[i], x));
	printf("%s; assumption (%c) of GBBP does not hold\n", b->text[b->n], b->assumption);
}

void cli_shape_print(const struct cli_build *build)
{
	struct build_broken list[BROKEN_MOST];
	size_t all = 0;

	for (size_t i = 0; i < build->program.n_params; i++) {
		size_t n = list_broken(&build->report.shape[i], list);
		for (size_t j = 0; j < n; j++)
			print_broken(&list[j], build->program.param[i].name);
		all += n;
	}
	if (all)
		printf("hint: between the sizes above the speed may be another; --method adaptive assumes no "
		       "such shape\n");
}

struct cli_shape *cli_shape_find(const struct cli_build *build, size_t *n)
{
	struct cli_shape *shape = cli_alloc(BROKEN_MOST * build->program.n_params * sizeof *shape);
	struct build_broken list[BROKEN_MOST];

	*n = 0;
	for (size_t i = 0; i < build->program.n_params; i++) {
		size_t found = list_broken(&build->report.shape[i], list);
		for (size_t j = 0; j < found; j++) {
			struct cli_shape *one = &shape[(*n)++];

			*one = (struct cli_shape){
				build->program.param[i].name, {list[j].assumption}, {0}, list[j].n};
			memcpy(one->at, list[j].at, sizeof one->at);
		}
	}
	return shape;
}
