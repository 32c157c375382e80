/* SPDX-License-Identifier: GPL-3.0-or-later */
/* named.h - the row of a resource by its name, also of a counter. */
#ifndef FT_TEST_NAMED_H
#define FT_TEST_NAMED_H

#include "facts/door.h"
#include "foretime/facts.h"

static inline const struct ft_resource *named(const char *name)
{
	const struct ft_resource *row;

	return ft_resource_named(name, &row, NULL) ? NULL : row;
}

#endif
