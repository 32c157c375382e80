/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bound.c - reads the bound of a growth, "n log n + m", and orders its terms. */
#include "ask/ask.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The text is read into a sum of products, as it is written: a product of sums is multiplied out.
 *
 *	sum      product { + product }
 *	product  factor { [* or blank] factor | / factor }
 *	factor   base [^ number]
 *	base     number | NAME | log[^ number] ( NAME ) | log NAME | sqrt ( sum ) | O ( sum ) | ( sum )
 *
 * The parser of expressions (base/expr.c) has no products without a sign, and would accept what has no order.
 */

struct bound_reader {
	const char *text, *at;
	const struct ft_program *program;
	struct ft_err *err;
	size_t depth;
};

/* A sum while it is read. */
struct bound_sum {
	struct ft__bound_term term[FT__BOUND_TERMS];
	size_t n;
};

enum { DEPTH_MOST = 20 };

static const char remedy[] =
	"a bound is a sum of products of powers and logarithms, as in 'n log n', 'n^1.5', "
	"'n*m' or 'n log n + m'";

static enum ft_status fail_at(struct bound_reader *r, const char *expected)
{
	(void)ft_fail(r->err, FT_EPARSE, "bound '%s': expected %s at '%s'", r->text, expected,
		      *r->at ? r->at : "its end");
	return ft_remedy(r->err, "%s", remedy);
}

static enum ft_status refuse(struct bound_reader *r, const char *why)
{
	(void)ft_fail(r->err, FT_EINVAL, "bound '%s': %s", r->text, why);
	return ft_remedy(r->err, "%s", remedy);
}

static void skip_blanks(struct bound_reader *r)
{
	r->at += strspn(r->at, " \t");
}

static bool skip_mark(struct bound_reader *r, const char *mark)
{
	skip_blanks(r);
	if (strncmp(r->at, mark, strlen(mark)) != 0)
		return false;
	r->at += strlen(mark);
	return true;
}

/* The length of a name here; 0: none begins. */
static size_t name_here(struct bound_reader *r)
{
	size_t length = 0;

	skip_blanks(r);
	if (isalpha((unsigned char)*r->at) || *r->at == '_')
		while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
			length++;
	return length;
}

/* The parameter of that name; -1: none. */
static int find_param(const struct bound_reader *r, const char *name, size_t length)
{
	char word[FT_PARAM_LENGTH];

	if (length >= sizeof word)
		return -1;
	memcpy(word, name, length);
	word[length] = 0;
	return ft_program_find_param(r->program, word);
}

static bool is_word(const char *at, size_t length, const char *words)
{
	for (size_t n; *words; words += n, words += strspn(words, " ")) {
		n = strcspn(words, " ");
		if (n == length && !strncmp(at, words, n))
			return true;
	}
	return false;
}

static enum ft_status fail_name(struct bound_reader *r, size_t length)
{
	char names[FT_PARAMS_MAX * (FT_PARAM_LENGTH + 2)] = "";
	size_t n = 0;

	for (size_t p = 0; p < r->program->n_params; p++)
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", p ? ", " : "",
				      r->program->param[p].name);
	(void)ft_fail(r->err, FT_EINVAL, "bound '%s': '%.*s' is no parameter; there %s %s", r->text,
		      (int)length, r->at, r->program->n_params == 1 ? "is" : "are", n ? names : "none");
	return ft_remedy(r->err, "write its sizes as well, as in n=1000:64000");
}

static enum ft_status read_number(struct bound_reader *r, double *value)
{
	const char *end;

	skip_blanks(r);
	if (!ft__number_scan(r->at, &end, value))
		return fail_at(r, "a number");
	r->at = end;
	return FT_OK;
}

/* An exponent, if there is one: 2, (1/2). */
static enum ft_status read_exponent(struct bound_reader *r, double *value)
{
	bool bracket;

	*value = 1;
	if (!skip_mark(r, "^") && !skip_mark(r, "**"))
		return FT_OK;
	if (skip_mark(r, "-"))
		return refuse(r, "a term falls as its parameter grows");
	bracket = skip_mark(r, "(");
	if (name_here(r))
		return refuse(r,
			      "a parameter in an exponent grows faster than every power: it bounds nothing");
	FT_TRY(read_number(r, value));
	if (bracket && skip_mark(r, "/")) {
		double below;

		FT_TRY(read_number(r, &below));
		if (!(below > 0))
			return fail_at(r, "a number above 0");
		*value /= below;
	}
	if (bracket && !skip_mark(r, ")"))
		return fail_at(r, "')'");
	return *value <= 20 ? FT_OK : refuse(r, "an exponent is above 20");
}

static enum ft_status multiply(struct bound_reader *r, struct bound_sum *a, const struct bound_sum *b)
{
	struct bound_sum out = {.n = 0};

	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < b->n; j++) {
			if (out.n == FT__BOUND_TERMS)
				return refuse(r, "it has more than 8 terms");
			out.term[out.n] = a->term[i];
			for (size_t p = 0; p < FT_PARAMS_MAX; p++) {
				out.term[out.n].power[p] += b->term[j].power[p];
				out.term[out.n].log[p] += b->term[j].log[p];
			}
			out.n++;
		}
	*a = out;
	return FT_OK;
}

/* A power of a sum: of one term any, of several a whole one. */
static enum ft_status raise_to(struct bound_reader *r, struct bound_sum *sum, double exponent)
{
	const struct bound_sum one = *sum;

	if (exponent == 1)
		return FT_OK;
	if (one.n != 1 && exponent != floor(exponent))
		return refuse(r, "a broken power of a sum");
	if (one.n != 1) {
		*sum = (struct bound_sum){.n = 1};
		for (double k = 0; k < exponent; k++)
			FT_TRY(multiply(r, sum, &one));
		return FT_OK;
	}
	for (size_t p = 0; p < FT_PARAMS_MAX; p++) {
		sum->term[0].power[p] *= exponent;
		sum->term[0].log[p] *= exponent;
	}
	return FT_OK;
}

static enum ft_status read_sum(struct bound_reader *r, struct bound_sum *out);

static enum ft_status read_bracket(struct bound_reader *r, struct bound_sum *out)
{
	if (!skip_mark(r, "("))
		return fail_at(r, "'('");
	if (++r->depth > DEPTH_MOST)
		return refuse(r, "it is too deep");
	FT_TRY(read_sum(r, out));
	r->depth--;
	return skip_mark(r, ")") ? FT_OK : fail_at(r, "')'");
}

/* Behind "log": its power, and the parameter, with or without parentheses. */
static enum ft_status read_log(struct bound_reader *r, struct bound_sum *out)
{
	double exponent, after;
	bool bracket;
	size_t length;
	int param;

	FT_TRY(read_exponent(r, &exponent));
	bracket = skip_mark(r, "(");
	length = name_here(r);
	if (!length)
		return fail_at(r, "a parameter, as in 'log n'");
	param = find_param(r, r->at, length);
	if (param < 0)
		return fail_name(r, length);
	r->at += length;
	if (bracket) {
		FT_TRY(read_exponent(r, &after)); /* log(n^2) is 2 log n */
		if (!skip_mark(r, ")"))
			return fail_at(r, "')'");
		FT_TRY(read_exponent(r, &after));
		exponent *= after;
	}
	*out = (struct bound_sum){.n = 1};
	out->term[0].log[param] = exponent;
	return FT_OK;
}

static enum ft_status read_factor(struct bound_reader *r, struct bound_sum *out)
{
	size_t length = name_here(r);
	int param = length ? find_param(r, r->at, length) : -1;
	double number, exponent;

	*out = (struct bound_sum){.n = 1};
	if (param >= 0) {
		r->at += length;
		out->term[0].power[param] = 1;
	} else if (length && is_word(r->at, length, "log log2 ln lg log10")) {
		r->at += length;
		return read_log(r, out);
	} else if (length && is_word(r->at, length, "sqrt O")) {
		bool root = *r->at == 's';

		r->at += length;
		FT_TRY(read_bracket(r, out));
		FT_TRY(raise_to(r, out, root ? 0.5 : 1));
	} else if (length && is_word(r->at, length, "exp min max abs ceil floor round")) {
		return refuse(r, "a function in it has no order among powers and logarithms");
	} else if (length) {
		return fail_name(r, length);
	} else if (*r->at == '(') {
		FT_TRY(read_bracket(r, out));
	} else {
		FT_TRY(read_number(r, &number));
		if (!(number > 0))
			return refuse(r, "a number in it is not above 0");
		if (skip_mark(r, "^") || skip_mark(r, "**")) {
			if (name_here(r) || *r->at == '(')
				return refuse(r,
					      "a parameter in an exponent grows faster than every power: it "
					      "bounds nothing");
			FT_TRY(read_number(r, &number));
		}
		return skip_mark(r, "!") ? refuse(r, "a factorial bounds nothing") : FT_OK;
	}
	if (skip_mark(r, "!"))
		return refuse(r, "a factorial bounds nothing");
	FT_TRY(read_exponent(r, &exponent));
	return raise_to(r, out, exponent);
}

static enum ft_status read_product(struct bound_reader *r, struct bound_sum *out)
{
	FT_TRY(read_factor(r, out));
	for (;;) {
		struct bound_sum next;
		bool divide = skip_mark(r, "/");

		skip_blanks(r);
		if (!divide && !skip_mark(r, "*") && !name_here(r) && *r->at != '(' &&
		    !isdigit((unsigned char)*r->at))
			return FT_OK;
		FT_TRY(read_factor(r, &next));
		if (divide && next.n != 1)
			return refuse(r, "a division by a sum");
		if (divide)
			FT_TRY(raise_to(r, &next, -1));
		FT_TRY(multiply(r, out, &next));
	}
}

static enum ft_status read_sum(struct bound_reader *r, struct bound_sum *out)
{
	FT_TRY(read_product(r, out));
	while (skip_mark(r, "+")) {
		struct bound_sum next;

		FT_TRY(read_product(r, &next));
		if (out->n + next.n > FT__BOUND_TERMS)
			return refuse(r, "it has more than 8 terms");
		memcpy(out->term + out->n, next.term, next.n * sizeof *next.term);
		out->n += next.n;
	}
	skip_blanks(r);
	return *r->at == '-' ? refuse(r, "a difference: leave out what is taken away, lower terms are free")
			     : FT_OK;
}

/*
 * The order of terms.
 */

bool ft__bound_within(const struct ft__bound_term *term, const struct ft__bound_term *above)
{
	for (size_t p = 0; p < FT_PARAMS_MAX; p++)
		if (term->power[p] > above->power[p] ||
		    (term->power[p] == above->power[p] && term->log[p] > above->log[p]))
			return false;
	return true;
}

double ft__bound_value(const struct ft__bound_term *term, const double *x, size_t params)
{
	double value = 1;

	for (size_t p = 0; p < params; p++) {
		if (term->power[p] != 0)
			value *= pow(x[p], term->power[p]);
		/* Below 2 a logarithm is near 0, or below: no program does less work than for 2. */
		if (term->log[p] != 0)
			value *= pow(log2(fmax(x[p], 2)), term->log[p]);
	}
	return value;
}

static void add_power(struct ft_text *text, const char *base, double exponent, const char *name)
{
	ft_text_add(text, "%s%s", text->length ? (*name ? " " : "*") : "", base);
	if (exponent != 1) {
		ft_text_add(text, "^");
		ft_text_add_number(text, exponent);
	}
	if (*name)
		ft_text_add(text, " %s", name);
}

void ft__bound_format(const struct ft__bound_term *term, const struct ft_program *program,
		      char buffer[FT_BOUND_LENGTH])
{
	FT_CLEANUP(ft_text_clear) struct ft_text text = {0};

	for (size_t p = 0; p < program->n_params; p++)
		if (term->power[p] != 0)
			add_power(&text, program->param[p].name, term->power[p], "");
	for (size_t p = 0; p < program->n_params; p++)
		if (term->log[p] != 0)
			add_power(&text, "log", term->log[p], program->param[p].name);
	(void)snprintf(buffer, FT_BOUND_LENGTH, "%s", text.length ? text.s : "1");
}

enum ft_status ft__bound_parse(const char *text, const struct ft_program *program, struct ft__ceiling *out,
			       struct ft_err *err)
{
	struct bound_reader r = {.text = text, .at = text, .program = program, .err = err};
	struct bound_sum sum;

	memset(out, 0, sizeof *out);
	if (strlen(text) >= FT_BOUND_LENGTH)
		return ft_fail(err, FT_EINVAL, "a bound of more than %d characters", FT_BOUND_LENGTH - 1);
	FT_TRY(read_sum(&r, &sum));
	if (*r.at)
		return fail_at(&r, "'+' or '*'");
	for (size_t i = 0; i < sum.n; i++) {
		bool within = false;

		for (size_t p = 0; p < FT_PARAMS_MAX; p++)
			if (sum.term[i].power[p] < 0 || (sum.term[i].power[p] == 0 && sum.term[i].log[p] < 0))
				return refuse(&r, "a term falls as its parameter grows");
		for (size_t j = 0; j < sum.n; j++)
			within |= j != i && ft__bound_within(&sum.term[i], &sum.term[j]) &&
				  (j < i || !ft__bound_within(&sum.term[j], &sum.term[i]));
		if (!within)
			out->term[out->n++] = sum.term[i];
	}
	return FT_OK;
}
