/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_knots.c - a request for all sizes as a text that any program reads in some lines: Slurm's functions
 * of submission do (share/slurm). Its grammar: foretime-export(1), KNOTS. */
#include "base/text.h"
#include "foretime/carry.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static bool is_line(const char *text)
{
	while (*text && !iscntrl((unsigned char)*text))
		text++;
	return !*text;
}

static bool is_number(double value, double least)
{
	return isnan(value) || (value >= least && isfinite(value));
}

static enum ft_status check_knots(const struct ft_carry_knots *knots, struct ft_err *err)
{
	if (!is_line(knots->program) || !is_line(knots->host) || !is_line(knots->fingerprint))
		return ft_fail(err, FT_EINVAL, "a name with a control character cannot stand in a line");
	if (!knots->n)
		return ft_fail(err, FT_EINVAL, "there is no knot");
	for (size_t i = 0; i < knots->n; i++) {
		const struct ft_carry_knot *knot = &knots->knot[i];

		if (!(knot->at > (i ? knots->knot[i - 1].at : 0)) || !isfinite(knot->at) ||
		    !is_number(knot->typical_s, 0) || !is_number(knot->most_s, 0) ||
		    !is_number(knot->bytes, 0))
			return ft_fail(err, FT_EINVAL, "knots ascend, and their numbers are not negative");
		if (knot->alike && (!*knot->alike || !is_line(knot->alike) || strchr(knot->alike, ' ')))
			return ft_fail(err, FT_EINVAL, "a partition's name is a word: '%s'", knot->alike);
	}
	return FT_OK;
}

static void add_number(struct ft_text *text, double value)
{
	ft_text_add(text, " ");
	ft_text_add_number(text, value);
}

/* Five digits: more than models know. Sizes are as they are, so that they ascend. */
static void add_rounded(struct ft_text *text, double value)
{
	if (isnan(value))
		ft_text_add(text, " -");
	else
		ft_text_add(text, " %.5g", value);
}

static void add_head(struct ft_text *text, const struct ft_carry_knots *knots)
{
	ft_text_add(text, "foretime-knots 1\nprogram %s\nparameter %s\n", knots->program, knots->parameter);
	for (size_t i = 0; i < knots->n_fixed; i++) {
		ft_text_add(text, "fixed %s", knots->fixed[i].name);
		add_number(text, knots->fixed[i].value);
		ft_text_add(text, "\n");
	}
	ft_text_add(text, "machine %s %s\nmade %lld\nexpires %lld\nrisk", knots->fingerprint, knots->host,
		    (long long)knots->made_s, (long long)knots->expires_s);
	add_number(text, knots->risk);
	ft_text_add(text, "\n");
	if (!isnan(knots->cpus)) {
		ft_text_add(text, "cpus");
		add_number(text, knots->cpus);
		ft_text_add(text, "\n");
	}
	ft_text_add(text, "# knot size typical_s upper_s bytes\n");
}

static void add_knot(struct ft_text *text, const struct ft_carry_knot *knot)
{
	ft_text_add(text, "knot");
	add_number(text, knot->at);
	add_rounded(text, knot->typical_s);
	add_rounded(text, knot->most_s);
	add_rounded(text, knot->bytes);
	ft_text_add(text, "\n");
	if (!knot->alike)
		return;
	ft_text_add(text, "alike %s", knot->alike);
	add_rounded(text, knot->alike_s);
	add_rounded(text, knot->alike_bytes);
	ft_text_add(text, "\n");
}

enum ft_status ft_carry_write_knots(const struct ft_carry_knots *knots, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = check_knots(knots, err);

	*out = NULL;
	if (status)
		return status;
	add_head(&text, knots);
	for (size_t i = 0; i < knots->n; i++)
		add_knot(&text, &knots->knot[i]);
	ft_text_add(&text, "end %zu\n", knots->n);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
