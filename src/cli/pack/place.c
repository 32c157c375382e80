/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - what copies may use: processors, and memory. */
#include "cli/common.h"
#include "cli/pack/pack.h"
#include "foretime/units.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Seen to hinder each other is only what is more than there are processors for. */
enum { TIMES_MOST = 2 };

/* The first `wanted` processors that this process may use, "0,1,4"; NULL: there are not so many. n: out, how
 * many there are. */
static char *first_processors(size_t wanted, size_t *n)
{
	cpu_set_t set;
	char *list = cli_strdup("");

	*n = 0;
	if (sched_getaffinity(0, sizeof set, &set))
		CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET((size_t)i, &set) || (*n)++ >= wanted)
			continue;
		cli_reprint(&list, "%s%s%d", list, *list ? "," : "", i);
	}
	if (*n >= wanted)
		return list;
	free(list);
	return NULL;
}

static int find_processors(struct cli_pack *pack)
{
	size_t n;
	char *list = first_processors(pack->cores ? pack->cores : 1, &n);

	if (!list)
		return cli_fail(
			"%zu cores were requested, and there %s %zu\n"
			"hint: run it on the machine that is meant: what copies do to each other is measured",
			pack->cores, n == 1 ? "is" : "are", n);
	pack->processors = pack->cores ? pack->cores : n;
	if (pack->cores)
		pack->launch.pin = pack->pin = list;
	else
		free(list);
	return CLI_DONE;
}

static int find_memory(struct cli_pack *pack)
{
	char text[2][FT_UNIT_LENGTH];
	double there;

	if (ft_memory_limit_bytes("", &there, NULL, NULL))
		return CLI_DONE;
	if (pack->options.memory_bytes <= 0)
		pack->options.memory_bytes = there;
	if (pack->options.memory_bytes <= there)
		return CLI_DONE;
	return cli_fail("--memory %s: there are %s\n"
			"hint: run it on the machine that is meant: copies beyond its memory would page",
			ft_value_format(pack->options.memory_bytes, "bytes", text[0]),
			ft_value_format(there, "bytes", text[1]));
}

int cli_pack_place(struct cli_pack *pack)
{
	size_t each = pack->threads ? pack->threads : 1;

	CLI_TRY(find_processors(pack));
	CLI_TRY(find_memory(pack));
	pack->options.most = pack->most ? pack->most : TIMES_MOST * pack->processors / each;
	if (pack->options.most < 2)
		pack->options.most = 2;
	return CLI_DONE;
}
