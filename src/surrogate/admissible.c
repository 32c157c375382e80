/* SPDX-License-Identifier: GPL-3.0-or-later */
/* admissible.c - which resources are measures, judged by their names (004 5.1.3). */
#include "foretime/surrogate.h"
#include "base/word.h"
#include "foretime/facts.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* Kinds of what is no measure, by words of the name. A word ends at anything that is no letter. */
static const struct admissible_kind {
	const char *words;  /* blank before and after each */
	const char *unless; /* with one of these it is a count */
	const char *why, *how;
} kinds[] = {
	{" percent percentage pct share ratio utilisation utilization usage efficiency ipc cpi mpki ", "  ",
	 "a share may fall while the program goes on: it does not add up",
	 "multiply it by what it is a share of: 80 % of 2 processors over 10 s are 16 s of processor time"},
	{" power w kw mw watt watts ", "  ", "a power may fall while the program goes on: it does not add up",
	 "multiply it by the time: 50 W over 10 s are 500 J of energy"},
	{" rss memory resident live active heap footprint ",
	 " accesses allocated allocations loads stores reads writes misses references traffic cycles ",
	 "memory in use may fall while the program goes on: it does not add up",
	 "count what is allocated in all, or sum memory over time (bytes x seconds)"},
	{" hz khz mhz ghz frequency freq rate bandwidth throughput speed mips flops gflops mflops ", "  ",
	 "a rate may fall while the program goes on: it does not add up",
	 "multiply it by the time: 1 GB/s over 10 s are 10 GB"},
	{" temperature celsius kelvin ", "  ", "a temperature does not add up", "measure the energy instead"},
};

static enum ft_status refuse_resource(const char *name, const struct admissible_kind *kind,
				      struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%s' is no measure of consumption: %s", name, kind->why);
	return ft_remedy(err, "%s; --all takes it as it is", kind->how);
}

/* Whether a word of the name, up to its machine, is one of these. */
static bool mentions_word(const char *name, size_t length, const char *words)
{
	char word[32 + 1];
	size_t n;

	for (size_t at = 0; at < length; at += n + 1) {
		for (n = 0; at + n < length && isalpha((unsigned char)name[at + n]); n++)
			if (n < sizeof word - 1)
				word[n] = (char)tolower((unsigned char)name[at + n]);
		if (!n || n > sizeof word - 1)
			continue;
		word[n] = '\0';
		if (ft_word_at(words, word) != SIZE_MAX)
			return true;
	}
	return false;
}

enum ft_status ft_resource_admissible(const char *name, struct ft_err *err)
{
	size_t length = strcspn(name, "@"), k;
	const struct ft_resource *resource = ft_resource_find(name);

	if (resource && resource->additive)
		return FT_OK;
	if (resource)
		return refuse_resource(name, &kinds[2], err);
	if (memchr(name, '%', length))
		return refuse_resource(name, &kinds[0], err);
	for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (mentions_word(name, length, kinds[k].words) &&
		    !mentions_word(name, length, kinds[k].unless))
			return refuse_resource(name, &kinds[k], err);
	return FT_OK;
}
