/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prior.c - the prior of growth beyond the data as a file: what is written and what is read follow one table.
 *
 *	# a comment
 *	foretime-growth 1
 *	class time
 *	change 0.349 2.52 0.94 -0.049 -1.37 -2.48
 *	...
 *	end
 *
 * Each class has each parameter once, in any order. A file without its last line was cut off.
 */
#include "model/prior.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define VERSION_LINE "foretime-growth 1"

static const char *const class_names[FT_CLASSES] = {
	[FT_CLASS_TIME] = "time",
	[FT_CLASS_MEMORY] = "memory",
	[FT_CLASS_COUNT] = "count",
	[FT_CLASS_ENERGY] = "energy",
};

#define FIELD(member, rows, columns, least, most, shares)                                                    \
	{                                                                                                    \
#member, offsetof(struct ft__growth, member), rows, columns, least, most, shares             \
	}

/* Bounds are wide: they keep out what is no such parameter. */
const struct ft__prior_field ft__prior_field[] = {
	FIELD(change, 1, FT__GROWTH_BINS, -20, 20, false),
	FIELD(spread, 1, 1, -10, 10, false),
	FIELD(reach, 1, 1, -10, 10, false),
	FIELD(share, FT__GROWTH_BINS, FT__GROWTH_KINDS, 0, 1, true),
	FIELD(deviation, 1, FT__GROWTH_KINDS, 1e-6, 10, false),
	FIELD(other, 1, 1, 0, 10, false),
	FIELD(narrow, 1, 1, 0, 10, false),
	FIELD(steep, 1, 1, 0, 10, false),
	FIELD(usual, 1, FT__GROWTH_KINDS, 0, 1, true),
	FIELD(step_rate, 1, 1, 0, 10, false),
	FIELD(step, 1, 1, -10, 10, false),
	FIELD(step_deviation, 1, 1, 0, 10, false),
};
const size_t ft__prior_fields = sizeof ft__prior_field / sizeof *ft__prior_field;

/* Of shares that were rounded to three digits. */
static const double sum_off_most = 0.01;

enum { FILE_MOST = 1 << 20, FIELDS_MOST = 32 };
_Static_assert(sizeof ft__prior_field / sizeof *ft__prior_field <= FIELDS_MOST, "more fields than that");

const struct ft__growth *ft__prior_growth(const struct ft_prior *prior)
{
	return prior ? prior->of : ft__growths;
}

double ft__prior_mark(const struct ft_prior *prior)
{
	const struct ft__growth *growth = ft__prior_growth(prior);

	/* What a double holds of it. */
	return (double)(ft_hash_bytes(FT_HASH_START, growth, FT_CLASSES * sizeof *growth) >> 11);
}

static double *numbers_of(struct ft__growth *growth, const struct ft__prior_field *field)
{
	return (double *)(void *)((char *)growth + field->offset);
}

void ft__prior_print(const struct ft__growth growth[FT_CLASSES], struct ft_text *out)
{
	char number[32];

	ft_text_add(out,
		    "# How costs grow beyond the largest size measured: doc/models.md, Extrapolation.\n");
	ft_text_add(out, VERSION_LINE "\n");
	for (size_t of = 0; of < FT_CLASSES; of++) {
		struct ft__growth copy = growth[of];

		ft_text_add(out, "class %s\n", class_names[of]);
		for (size_t i = 0; i < ft__prior_fields; i++) {
			const struct ft__prior_field *field = &ft__prior_field[i];

			ft_text_add(out, "%s", field->name);
			for (size_t k = 0; k < field->rows * field->columns; k++) {
				ft__double_print(number, sizeof number, 3, 'g', numbers_of(&copy, field)[k]);
				ft_text_add(out, " %s", number);
			}
			ft_text_add(out, "\n");
		}
	}
	ft_text_add(out, "end\n");
}

/* ---- reading ------------------------------------------------------------------------------------------ */

struct reading {
	struct ft_prior *prior;
	bool versioned, ended;
	size_t of; /* the class; FT_CLASSES: none yet */
	bool has[FT_CLASSES][FIELDS_MOST];
};

/* The numbers of a field behind its name. What is wrong with them; NULL: nothing. */
static enum ft_status take_numbers(struct reading *r, const struct ft__prior_field *field, const char *at,
				   struct ft_err *err)
{
	double *number = numbers_of(&r->prior->of[r->of], field), sum = 0;
	size_t wanted = field->rows * field->columns, n = 0;
	const char *end;

	for (;; at = end) {
		double value;

		at += strspn(at, " \t");
		if (!*at)
			break;
		if (!ft__number_scan_signed(at, &end, &value) || (*end && !strchr(" \t", *end)))
			return ft_fail(err, FT_EPARSE, "'%.*s' of '%s' is no number", (int)strcspn(at, " \t"),
				       at, field->name);
		if (!(value >= field->least && value <= field->most))
			return ft_fail(err, FT_EPARSE, "'%s' is %g, and not from %g to %g", field->name,
				       value, field->least, field->most);
		if (n == wanted)
			return ft_fail(err, FT_EPARSE, "'%s' has more than %zu number%s", field->name, wanted,
				       wanted == 1 ? "" : "s");
		number[n++] = value;
		sum = (n - 1) % field->columns ? sum + value : value;
		if (field->shares && !(n % field->columns) && !(fabs(sum - 1) <= sum_off_most))
			return ft_fail(err, FT_EPARSE, "shares of '%s' sum to %g, and not to 1", field->name,
				       sum);
	}
	if (n < wanted)
		return ft_fail(err, FT_EPARSE, "'%s' has %zu numbers of %zu", field->name, n, wanted);
	return FT_OK;
}

/* A line without blanks around it, that is neither empty nor a comment. */
static enum ft_status take_line(struct reading *r, const char *line, struct ft_err *err)
{
	size_t length = strcspn(line, " \t"), i;

	if (r->ended)
		return ft_fail(err, FT_EPARSE, "there is more behind 'end'");
	if (!r->versioned) {
		r->versioned = !strcmp(line, VERSION_LINE);
		return r->versioned ? FT_OK
				    : ft_fail(err, FT_EPARSE, "'%.40s' is not '" VERSION_LINE "'", line);
	}
	if (!strcmp(line, "end")) {
		r->ended = true;
		return FT_OK;
	}
	if (length == 5 && !strncmp(line, "class", length)) {
		const char *name = line + length + strspn(line + length, " \t");

		for (r->of = 0; r->of < FT_CLASSES && strcmp(class_names[r->of], name) != 0;)
			r->of++;
		return r->of < FT_CLASSES ? FT_OK
					  : ft_fail(err, FT_EPARSE, "there is no class '%.40s'", name);
	}
	for (i = 0; i < ft__prior_fields; i++)
		if (strlen(ft__prior_field[i].name) == length &&
		    !strncmp(line, ft__prior_field[i].name, length))
			break;
	if (i == ft__prior_fields)
		return ft_fail(err, FT_EPARSE, "there is no parameter '%.40s'", line);
	if (r->of == FT_CLASSES)
		return ft_fail(err, FT_EPARSE, "'%s' stands before any class", ft__prior_field[i].name);
	if (r->has[r->of][i])
		return ft_fail(err, FT_EPARSE, "'%s' is twice in class '%s'", ft__prior_field[i].name,
			       class_names[r->of]);
	r->has[r->of][i] = true;
	return take_numbers(r, &ft__prior_field[i], line + length, err);
}

/* text: its lines are ended in place. *number: of the line that is wrong. */
static enum ft_status take_text(struct reading *r, char *text, size_t *number, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	char *next;

	for (*number = 1; *text; (*number)++, text = next) {
		char *end = text + strcspn(text, "\n");

		next = end + (*end == '\n');
		while (end > text && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		text += strspn(text, " \t");
		if (*text && *text != '#' && (status = take_line(r, text, err)))
			return status;
	}
	if (!r->ended)
		return ft_fail(err, FT_EPARSE, "it has no 'end': the file was cut off");
	for (size_t of = 0; of < FT_CLASSES; of++)
		for (size_t i = 0; i < ft__prior_fields; i++)
			if (!r->has[of][i])
				return ft_fail(err, FT_EPARSE, "class '%s' has no '%s'", class_names[of],
					       ft__prior_field[i].name);
	return FT_OK;
}

enum ft_status ft_prior_read(struct ft_prior **out, const char *path, struct ft_err *err)
{
	struct reading r = {.of = FT_CLASSES, .prior = ft_calloc(1, sizeof *r.prior)};
	struct ft_input *input = NULL;
	struct ft_err why = {0};
	char *text = NULL;
	size_t length, number = 0;
	enum ft_status status = r.prior ? ft__input_open(&input, path, err) : ft_nomem(err);

	*out = NULL;
	if (!status)
		status = ft__input_all(input, FILE_MOST, &text, &length, err);
	ft__input_close(input);
	if (!status && strlen(text) != length)
		status = ft_fail(err, FT_EPARSE, "'%.200s' is no text", path);
	else if (!status && (status = take_text(&r, text, &number, &why)))
		(void)ft_fail(err, status, "'%.200s', line %zu: %s", path, number, why.text);
	if (status == FT_EPARSE)
		(void)ft_remedy(err, "make it again with tools/learn-growth --site, or remove it");
	ft_free(text);
	if (status)
		ft_prior_free(r.prior);
	else
		*out = r.prior;
	return status;
}

void ft_prior_free(struct ft_prior *prior)
{
	ft_free(prior);
}
