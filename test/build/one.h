/* SPDX-License-Identifier: GPL-3.0-or-later */
/* one.h - builders over one parameter: sizes as numbers. */
#ifndef FT_TEST_BUILD_ONE_H
#define FT_TEST_BUILD_ONE_H

#include "build/door.h"
#include "foretime/build.h"

__attribute__((unused)) static enum ft_status tell(struct ft_builder *builder, double x,
						   const double *seconds, size_t n, struct ft_err *err)
{
	return ft_builder_tell(builder, &(struct ft_size){1, {x}},
			       &(struct ft_build_result){.seconds = seconds, .n = n}, err);
}

__attribute__((unused)) static size_t ask(struct ft_builder *builder, double *x, size_t most)
{
	struct ft_size size[FT_ASK_MAX];
	size_t n;

	if (ft_builder_ask(builder, size, most, &n, NULL))
		return 0;
	for (size_t i = 0; i < n; i++)
		x[i] = size[i].value[0];
	return n;
}

#endif
