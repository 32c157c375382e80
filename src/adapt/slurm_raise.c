/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm_raise.c - running jobs whose guessed limit comes near: which of them get more time, and how much.
 *
 * A limit serves the scheduler as a prediction, and kills. Told apart, and raised when it is passed, it lets
 * everybody wait less; one that kills 5 % of jobs lets everybody wait longer: Tsafrir, Etsion, Feitelson,
 * TPDS 18(6), 2007, and bench/backfill. */
#include "adapt/sinfo.h"
#include "adapt/slurm.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From here on more is given. A limit is a minute at least: of one, 12 s are left to see it, and who looks
 * does so every 10 s. */
static const double near = 0.8;

/* What is given doubles: few changes, and what is asked for is never more than twice what was needed. */
static const double again = 2;

enum { SHORT = 24, PARTITION = 120, COMMENT = 400 }; /* as FT_SLURM_QUEUE */

/* The next column of a line, without the blanks that fill it up; what is behind it. */
static const char *take_column(const char *line, size_t width, char text[COMMENT + 1])
{
	size_t length = strnlen(line, width), n = length;

	while (n && line[n - 1] == ' ')
		n--;
	memcpy(text, line, n);
	text[n] = '\0';
	return line + length;
}

static double most_of(const struct ft_sinfo *partitions, const char *name)
{
	for (size_t i = 0; i < partitions->n; i++)
		if (!strcmp(partitions->partition[i].name, name))
			return partitions->partition[i].limit_s;
	return 0;
}

/* Whether a limit is what was filled in, or became of it here: somebody else's is left alone. */
static bool is_ours(double limit_s, double filled_s)
{
	double ours = filled_s;

	while (ours > 0 && ours < limit_s)
		ours *= again;
	return ours > 0 && ours == limit_s;
}

/* false: nothing is given. */
static bool read_line(const char *line, const struct ft_sinfo *partitions, struct ft_slurm_raise *raise)
{
	struct ft__filled filled;
	char text[COMMENT + 1];

	line = take_column(line, SHORT, text);
	raise->job = strtoll(text, NULL, 10);
	line = take_column(line, SHORT, text);
	raise->used_s = ft__sinfo_limit(text);
	line = take_column(line, SHORT, text);
	raise->limit_s = ft__sinfo_limit(text);
	line = take_column(line, PARTITION, text);
	double most_s = most_of(partitions, text);
	(void)take_column(line, COMMENT, text);
	if (raise->job <= 0 || !ft__filled_find(text, &filled) || !isfinite(raise->limit_s) ||
	    !is_ours(raise->limit_s, 60 * filled.minutes) || !(raise->used_s >= near * raise->limit_s))
		return false;
	raise->new_s = fmin(again * raise->limit_s, 60 * floor(most_s / 60));
	return raise->new_s > raise->limit_s;
}

enum ft_status ft_slurm_raises_parse(const char *text, const struct ft_sinfo *partitions,
				     struct ft_slurm_raise **out, size_t *n, struct ft_err *err)
{
	char *copy = ft_strdup(text), *rest = copy, *line;
	size_t capacity = 0;
	enum ft_status status = copy ? FT_OK : ft_nomem(err);

	*out = NULL;
	*n = 0;
	while (!status && (line = strsep(&rest, "\n"))) {
		struct ft_slurm_raise raise;

		if (!read_line(line, partitions, &raise))
			continue;
		struct ft_slurm_raise *grown = ft_grow(*out, *n, &capacity, sizeof *grown);
		if (!grown) {
			status = ft_nomem(err);
			break;
		}
		*out = grown;
		(*out)[(*n)++] = raise;
	}
	ft_free(copy);
	if (status) {
		ft_free(*out);
		*out = NULL;
		*n = 0;
	}
	return status;
}
