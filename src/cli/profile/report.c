/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - prints the functions of a program with their laws: as a table, JSON, CSV, and a picture. */
#include "cli/cli.h"
#include "cli/profile/profile.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 20, NAME_MOST = 60, DRAWN_MOST = 5, CURVE_POINTS = 25 };

static const double row_share = 0.01, noted_stripped = 0.01, noted_inlined = 0.05, noted_varies = 1e-9,
		    unknown = 1000;

char *cli_profile_name(const struct ft_function *function)
{
	const char *slash = strrchr(function->object, '/');
	const char *object = slash && slash[1] ? slash + 1 : function->object;

	if (!*function->name)
		return cli_printed("(%s)", object);
	return function->nameless ? cli_printed("%s (%s)", function->name, object)
				  : cli_strdup(function->name);
}

size_t cli_profile_shown(const struct cli_profile *p)
{
	size_t n = 0;

	while (n < p->functions.n && !isnan(p->functions.function[n].value) &&
	       (p->verbose || (n < ROWS_MOST && p->functions.function[n].share >= row_share)))
		n++;
	return n;
}

/* The function that takes most at the largest size. */
static size_t largest_now(const struct cli_profile *p)
{
	size_t at = 0;

	for (size_t i = 1; i < p->functions.n; i++)
		if (p->functions.function[i].now > p->functions.function[at].now)
			at = i;
	return at;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

/* What stands within the outermost brackets of templates and arguments is left out of a long name; what is
 * still too long is cut in the middle. */
static char *short_name(const struct cli_profile *p, const struct ft_function *f)
{
	CLI_OWN char *name = cli_profile_name(f), *kept = cli_alloc(2 * strlen(name) + 4);
	const char *recursive = p->inclusive && f->recursive ? " (recursive)" : "";
	size_t length = 0, depth = 0;

	if (p->verbose || f->nameless || strlen(name) <= NAME_MOST)
		return cli_printed("%s%s", name, recursive);
	for (const char *c = name; *c; c++) {
		const bool opens = *c == '<' || *c == '(', closes = (*c == '>' || *c == ')') && depth;

		depth -= closes;
		if (!depth)
			kept[length++] = *c;
		if (opens && !depth++ && c[1] != '>' && c[1] != ')') {
			memcpy(kept + length, "...", 3);
			length += 3;
		}
	}
	kept[length] = '\0';
	if (length <= NAME_MOST)
		return cli_printed("%s%s", kept, recursive);
	return cli_printed("%.*s...%s%s", NAME_MOST / 2, kept, kept + length - (NAME_MOST / 2 - 3),
			   recursive);
}

static const struct ft_function *mostly_of(const struct cli_profile *p, const struct ft_function *f)
{
	for (size_t i = 0; i < p->functions.n; i++)
		if (f->mostly == p->functions.function[i].added + 1)
			return &p->functions.function[i];
	return NULL;
}

static char *law_text(const struct cli_profile *p, const struct ft_function *f)
{
	const char *name = p->program.param[p->varying].name;
	char from[FT_NUMBER_LENGTH], misfit[FT_UNIT_LENGTH];

	if (p->inclusive) {
		/* "94 % in quad: 0.12*n^2": the callee that takes the largest part. */
		const struct ft_function *callee = mostly_of(p, f);
		char share[FT_UNIT_LENGTH];

		if (!callee)
			return cli_strdup("");
		if (callee == f)
			return cli_printed("%s its own: %s", ft_share_format(f->mostly_share, share), f->law);
		CLI_OWN char *callee_name = short_name(p, callee);
		return cli_printed("%s in %s%s%s", ft_share_format(f->mostly_share, share), callee_name,
				   *callee->kind ? ": " : "", callee->kind);
	}
	switch (f->basis) {
	case FT_FUNCTION_SHARE:
		return cli_strdup("no law: keeps its share");
	case FT_FUNCTION_GONE:
		return cli_printed("not called at %s=%s", name, ft_number_format(p->most, from));
	default:
		break;
	}
	char *text = cli_strdup(f->law);
	if (!isnan(f->begins))
		cli_reprint(&text, "%s, from %s=%s on", text, name, ft_number_format(f->begins, from));
	if (f->misfit > 0.02)
		cli_reprint(&text, "%s (accuracy %s)", text, ft_share_format(f->misfit, misfit));
	return text;
}

static void add_shares(struct cli_table *table, double now, double share)
{
	cli_table_add(table, "%.1f %%", 100 * now);
	cli_table_add(table, "%.1f %%", 100 * share);
}

static void add_function(struct cli_table *table, const struct cli_profile *p, const struct ft_function *f)
{
	CLI_OWN char *name = short_name(p, f), *law = law_text(p, f);
	char value[FT_UNIT_LENGTH];

	cli_table_add(table, "%s", name);
	add_shares(table, f->share_now, f->share);
	if (p->verbose)
		cli_table_add(table, "%s", ft_value_format(f->value, "", value));
	cli_table_add(table, "%s", law);
	if (p->inclusive) {
		cli_table_add(table, "%s", ""); /* callers always take more than what they call */
	} else if (f == &p->functions.function[largest_now(p)]) {
		cli_table_add(table, "largest now");
	} else {
		/* "about 41000": two digits, as the crossing of two laws is not known better. */
		char digits[FT_NUMBER_LENGTH];
		const double unit = isnan(f->overtakes) ? 1 : pow(10, floor(log10(f->overtakes)) - 1);

		if (isnan(f->overtakes))
			cli_table_add(table, "-");
		else
			cli_table_add(table, "%s",
				      ft_number_format(ceil(f->overtakes / unit) * unit, digits));
	}
	if (p->verbose) {
		cli_table_add(table, "%s", f->object);
		cli_table_add(table, "%s", f->file);
	}
}

/* Those that the table does not have. */
static void add_others(struct cli_table *table, const struct cli_profile *p, size_t shown, size_t top)
{
	const struct ft_functions *functions = &p->functions;
	double now = functions->of_whole.now, value = functions->of_sum.value;
	size_t others = functions->n - shown;

	for (size_t i = 0; i < functions->n; i++)
		if (i < shown || i == top) {
			now -= functions->function[i].now;
			value -= functions->function[i].value;
		}
	others -= top >= shown;
	if (!others)
		return;
	char text[FT_UNIT_LENGTH];
	cli_table_add(table, "%zu other functions", others);
	add_shares(table, now / functions->of_whole.now, value / functions->of_sum.value);
	if (p->verbose)
		cli_table_add(table, "%s", ft_value_format(value, "", text));
	cli_table_add(table, "%s", "");
	cli_table_add(table, "%s", "");
	if (p->verbose) {
		cli_table_add(table, "%s", "");
		cli_table_add(table, "%s", "");
	}
}

/* ---- about the profiles ------------------------------------------------------------------------------- */

static void print_heading(const struct cli_profile *p)
{
	const struct ft_functions *functions = &p->functions;
	const char *name = p->program.param[p->varying].name;
	char n[2][FT_NUMBER_LENGTH], value[3][FT_UNIT_LENGTH], confidence[FT_UNIT_LENGTH];
	size_t different = 0;

	for (size_t i = 0; i < functions->profiles; i++) {
		size_t k = 0;

		while (k < i && functions->size[k] != functions->size[i])
			k++;
		different += k == i;
	}
	printf("%s: %zu sizes profiled, %s = %s .. %s, in %s; %s instructions at %s=%s\n", p->program.name,
	       different, name, ft_number_format(p->least, n[0]), ft_number_format(p->most, n[1]),
	       ft_value_format(p->took_s, "s", value[0]),
	       ft_value_format(functions->of_whole.now, "", value[1]), name, n[1]);
	(void)ft_number_format(p->asked, n[0]);
	printf("at %s=%s: %s instructions, the sum of the laws; ", name, n[0],
	       ft_value_format(functions->of_sum.value, "", value[0]));
	if (functions->of_sum.upper > unknown * functions->of_sum.lower)
		puts("how far off is not known: profile larger sizes");
	else
		printf("%s of runs take %s to %s\n", ft_share_format(p->confidence, confidence),
		       ft_value_format(functions->of_sum.lower, "", value[1]),
		       ft_value_format(functions->of_sum.upper, "", value[2]));
	const double off = functions->of_whole.value / functions->of_sum.value - 1;
	printf("law of the whole: %s; %s there, ", functions->of_whole.law,
	       ft_value_format(functions->of_whole.value, "", value[0]));
	if (fabs(off) < 5e-5)
		puts("as the sum\n");
	else
		printf("%s %s the sum\n\n", ft_share_format(fabs(off), value[1]),
		       off < 0 ? "below" : "above");
}

void cli_profile_report(const struct cli_profile *p)
{
	print_heading(p);
	const struct ft_functions *functions = &p->functions;
	const char *name = p->program.param[p->varying].name;
	const size_t shown = cli_profile_shown(p), top = largest_now(p);
	char digits[FT_NUMBER_LENGTH];
	struct cli_table table = {0};
	CLI_OWN char *now = cli_printed(">%s=%s", name, ft_number_format(p->most, digits)),
		     *at = cli_printed(">%s=%s", name, ft_number_format(p->asked, digits));

	cli_table_heads(&table, "function", now, at, NULL);
	if (p->verbose)
		cli_table_head(&table, ">instructions");
	cli_table_heads(&table, p->inclusive ? "most of it" : "law", ">overtakes at", NULL);
	if (p->verbose)
		cli_table_heads(&table, "object", "file", NULL);
	for (size_t i = 0; i < shown; i++)
		add_function(&table, p, &functions->function[i]);
	if (top >= shown && top < functions->n && !isnan(functions->function[top].value))
		add_function(&table, p, &functions->function[top]);
	if (!p->inclusive)
		add_others(&table, p, shown, top);
	cli_table_print(&table, stdout);
	if (p->stripped >= noted_stripped || p->inlined >= noted_inlined ||
	    p->functions.varies > noted_varies || p->forked || p->threaded)
		puts("");
	/* What a reader must know of code that callgrind cannot separate, and of counts that differ. */
	char share[FT_UNIT_LENGTH];

	if (p->stripped >= noted_stripped && p->stripped_object)
		printf("%s of the instructions are in code without names (stripped), most of them in %s: its "
		       "functions are addresses\n",
		       ft_share_format(p->stripped, share), p->stripped_object);
	if (p->inlined >= noted_inlined)
		printf("%s of the instructions are of lines of other files, inlined: they count for the "
		       "function that has them; compile with -fno-inline to separate them\n",
		       ft_share_format(p->inlined, share));
	if (p->functions.varies > noted_varies)
		printf("counts of one size differ by %s from run to run: threads, random numbers, or an "
		       "order "
		       "by address\n",
		       ft_share_format(p->functions.varies, share));
	if (p->threaded)
		puts("the program starts threads: under valgrind they take turns, and what they do while "
		     "they "
		     "wait is counted; --threads 1, or the program's own option, counts the work alone");
	if (p->forked)
		puts("the program forks: what a process did before is counted again for its child");
}

/* ---- JSON and CSV ------------------------------------------------------------------------------------- */

struct profile_point {
	double size, instructions;
};

static const struct ft_tell_row point_rows[] = {
	{FT_TELL(struct profile_point, size)},
	{FT_TELL(struct profile_point, instructions), .about = "of all functions"},
	{0},
};
static const struct ft_tell_record points = {.bytes = sizeof(struct profile_point), .row = point_rows};

static const struct ft_tell_row failure_rows[] = {
	{FT_TELL_AS("size", struct cli_profile_failure, n)},
	{FT_TELL(struct cli_profile_failure, why)},
	{0},
};
static const struct ft_tell_record failures = {.bytes = sizeof(struct cli_profile_failure),
					       .row = failure_rows};

static const struct ft_tell_row whole_rows[] = {
	{FT_TELL(struct ft_functions_whole, now), .about = "instructions at the largest size"},
	{FT_TELL(struct ft_functions_whole, value), .about = "at the size `at`"},
	{FT_TELL(struct ft_functions_whole, lower), .null = "not known"},
	{FT_TELL(struct ft_functions_whole, upper), .null = "not known"},
	{FT_TELL(struct ft_functions_whole, law), .about = "an expression; empty: a sum of laws"},
	{0},
};
static const struct ft_tell_record wholes = {.bytes = sizeof(struct ft_functions_whole), .row = whole_rows};

/* A function with what its rows need beyond it. */
struct profile_function {
	struct ft_function of;
	const char *basis, *law, *class, *mostly;
	double *count; /* [counts] of `of` */
	size_t counts;
};

#define FUNCTION struct profile_function
static const struct ft_tell_row function_rows[] = {
	{FT_TELL_AS("name", FUNCTION, of.name), .about = "empty: all of an object without names",
	 .csv = true},
	{FT_TELL_AS("object", FUNCTION, of.object), .about = "executable or library", .csv = true},
	{FT_TELL_AS("file", FUNCTION, of.file), .about = "source file; ??? where it is not known",
	 .csv = true},
	{FT_TELL_AS("nameless", FUNCTION, of.nameless), .about = "the object is stripped: an address",
	 .csv = true},
	{FT_TELL_AS("recursive", FUNCTION, of.recursive), .csv = true},
	{FT_TELL(FUNCTION, basis),
	 .about = "law: its own; share: no law, it keeps its share among those with laws; gone: not called "
		  "at the largest size; "
		  "small: below a thousandth of the whole at each size, these have one law together",
	 .words = "law|share|gone|small", .csv = true},
	{FT_TELL_AS("now", FUNCTION, of.now), .about = "instructions at the largest size", .csv = true},
	{FT_TELL_AS("share_now", FUNCTION, of.share_now), .csv = true},
	{FT_TELL_AS("value", FUNCTION, of.value), .about = "at the size `at`",
	 .null = "exclusive count of a small one", .csv = true},
	{FT_TELL_AS("lower", FUNCTION, of.lower), .null = "exclusive count of a small one", .csv = true},
	{FT_TELL_AS("upper", FUNCTION, of.upper), .null = "exclusive count of a small one", .csv = true},
	{FT_TELL_AS("share", FUNCTION, of.share), .null = "exclusive count of a small one", .csv = true},
	{FT_TELL_AS("begins", FUNCTION, of.begins), .about = "smallest size at which it is called",
	 .null = "the first one", .csv = true},
	{FT_TELL_AS("overtakes", FUNCTION, of.overtakes),
	 .about = "size from which on it takes more than the largest one now", .null = "none", .csv = true},
	{FT_TELL_AS("misfit", FUNCTION, of.misfit), .null = "no law", .csv = true},
	{FT_TELL(FUNCTION, class), .null = "no law", .csv = true},
	{FT_TELL(FUNCTION, law), .about = "an expression", .null = "no law", .csv = true},
	{FT_TELL(FUNCTION, mostly), .about = "inclusive: the function that takes the largest part of `value`",
	 .null = "exclusive", .csv = true},
	{FT_TELL_AS("mostly_share", FUNCTION, of.mostly_share), .null = "exclusive", .csv = true},
	{FT_TELL_MANY(LIST, "counts", FUNCTION, count, counts, &ft_tell_numbers),
	 .about = "instructions of each of profiles"},
	{0},
};
static const struct ft_tell_record functions_record = {.bytes = sizeof(FUNCTION), .row = function_rows};

static FUNCTION *functions_of(const struct cli_profile *p)
{
	FUNCTION *out = cli_alloc((p->functions.n + 1) * sizeof *out);

	for (size_t i = 0; i < p->functions.n; i++) {
		out[i].of = p->functions.function[i];
		out[i].basis = ft_function_basis_text(out[i].of.basis);
		out[i].law = *out[i].of.law ? out[i].of.law : NULL;
		out[i].class = *out[i].of.kind ? out[i].of.kind : NULL;
		const struct ft_function *callee = mostly_of(p, &p->functions.function[i]);
		out[i].mostly = callee ? callee->name : NULL;
		out[i].count = p->inclusive ? out[i].of.inclusive : out[i].of.exclusive;
		out[i].counts = p->functions.profiles;
	}
	return out;
}

struct profile_answer {
	const char *name, *parameter, *count;
	double at, confidence, took_s, stripped, inlined, varies;
	bool forked, threaded;
	struct ft_functions_whole whole, sum;
	struct profile_point *point;
	size_t points;
	const struct cli_profile_failure *failure;
	size_t failures;
	FUNCTION *function;
	size_t functions;
};

#define ANSWER struct profile_answer
static const struct ft_tell_row profile_rows[] = {
	{FT_TELL(ANSWER, name)},
	{FT_TELL(ANSWER, parameter)},
	{FT_TELL(ANSWER, count),
	 .about = "what functions count: their own instructions, or also those called",
	 .words = "exclusive|inclusive"},
	{FT_TELL(ANSWER, at), .about = "the size to predict"},
	{FT_TELL(ANSWER, confidence), .about = "of intervals"},
	{FT_TELL(ANSWER, took_s), .about = "all profiles"},
	{FT_TELL(ANSWER, stripped), .about = "share of the instructions in code without names"},
	{FT_TELL(ANSWER, inlined),
	 .about = "share of the instructions from lines of other files; 0 without debugging information"},
	{FT_TELL(ANSWER, varies), .about = "largest relative difference of counts of one size",
	 .null = "no size was profiled twice"},
	{FT_TELL(ANSWER, threaded), .about = "it starts threads, which take turns under valgrind"},
	{FT_TELL(ANSWER, forked), .about = "a forked process counts again what its parent did before"},
	{FT_TELL_BY(RECORD, "whole", ANSWER, whole), .of = &wholes,
	 .about = "by one law of all instructions"},
	{FT_TELL_BY(RECORD, "sum", ANSWER, sum), .of = &wholes, .about = "by the laws of all functions"},
	{FT_TELL_MANY(LIST, "profiles", ANSWER, point, points, &points)},
	{FT_TELL_MANY(LIST, "failed", ANSWER, failure, failures, &failures),
	 .about = "sizes that could not be profiled"},
	{FT_TELL_MANY(LIST, "functions", ANSWER, function, functions, &functions_record),
	 .about = "the largest at `at` first"},
	{0},
};
const struct ft_tell_record cli_profile_answer = {
	.name = "profile",
	.version = 1,
	.about = "instructions of each function, and the laws that they follow",
	.bytes = sizeof(ANSWER),
	.row = profile_rows,
};

void cli_profile_print_json(const struct cli_profile *p)
{
	struct profile_point point[FT_FUNCTIONS_PROFILES];
	ANSWER answer = {.name = p->program.name,
			 .parameter = p->program.param[p->varying].name,
			 .count = p->inclusive ? "inclusive" : "exclusive",
			 .at = p->asked,
			 .confidence = p->confidence,
			 .took_s = p->took_s,
			 .stripped = p->stripped,
			 .inlined = p->inlined,
			 .varies = p->functions.varies,
			 .forked = p->forked,
			 .threaded = p->threaded,
			 .whole = p->functions.of_whole,
			 .sum = p->functions.of_sum,
			 .point = point,
			 .points = p->functions.profiles,
			 .failure = p->failure,
			 .failures = p->n_failures,
			 .function = functions_of(p),
			 .functions = p->functions.n};

	for (size_t i = 0; i < answer.points; i++)
		point[i] = (struct profile_point){p->functions.size[i], p->functions.whole[i]};
	cli_tell(&cli_profile_answer, &answer, NULL);
	free(answer.function);
}

void cli_profile_print_csv(const struct cli_profile *p)
{
	CLI_OWN FUNCTION *function = functions_of(p);

	cli_tell_csv(stdout, &functions_record, function, p->functions.n, NULL, true);
}

/* ---- the picture -------------------------------------------------------------------------------------- */

/* The sizes of a picture: the measured ones, then those of the laws. */
struct share_picture {
	double x[FT_FUNCTIONS_PROFILES + CURVE_POINTS], whole[FT_FUNCTIONS_PROFILES + CURVE_POINTS];
	double edge[FT_FUNCTIONS_PROFILES + CURVE_POINTS][DRAWN_MOST + 2]; /* 0 .. 1, upwards */
	size_t profile[FT_FUNCTIONS_PROFILES];
	size_t measured, n;
};

/* What the first functions take at a place of the picture, and all together. */
static void stack_shares(const struct cli_profile *p, struct share_picture *c, size_t drawn, size_t place)
{
	const struct ft_functions *functions = &p->functions;
	double sum = 0, all = 0;

	for (size_t i = 0; i < functions->n; i++) {
		const struct ft_function *f = &functions->function[i];
		const double value = place < c->measured ? f->exclusive[c->profile[place]]
							 : ft_functions_value(functions, f, c->x[place]);

		all += isnan(value) ? 0 : value;
		if (i < drawn) {
			sum += isnan(value) ? 0 : value;
			c->edge[place][i + 1] = sum;
		}
	}
	if (place >= c->measured && functions->small)
		all += ft_functions_small(functions, c->x[place]);
	c->edge[place][drawn + 1] = all;
	for (size_t i = 0; i <= drawn + 1; i++)
		c->edge[place][i] *= 100 / all;
}

int cli_profile_draw(const struct cli_profile *p)
{
	enum { PLACES = FT_FUNCTIONS_PROFILES + CURVE_POINTS, CURVES = 4 };
	CLI_OWN struct share_picture *c = cli_alloc(sizeof *c);
	CLI_OWN double(*edge)[PLACES] = cli_alloc((DRAWN_MOST + 2) * sizeof *edge);
	struct ft_series series[CURVES * (DRAWN_MOST + 1)] = {0};
	CLI_OWN char *title = cli_printed("%s: share of the instructions", p->program.name);
	char *name[DRAWN_MOST + 1] = {NULL};
	size_t drawn = cli_profile_shown(p), n = 0;
	struct ft_err err = {0};

	drawn = drawn > DRAWN_MOST ? DRAWN_MOST : drawn;
	for (size_t i = 0; i < p->functions.profiles; i++) {
		size_t k = c->measured;
		bool again = false;

		for (size_t j = 0; j < c->measured; j++)
			again = again || c->x[j] == p->functions.size[i];
		if (again)
			continue;
		for (; k > 0 && c->x[k - 1] > p->functions.size[i]; k--) {
			c->x[k] = c->x[k - 1];
			c->profile[k] = c->profile[k - 1];
		}
		c->x[k] = p->functions.size[i];
		c->profile[k] = i;
		c->measured++;
	}
	c->n = c->measured;
	for (size_t i = 1; i < CURVE_POINTS && p->asked > p->most; i++)
		c->x[c->n++] = p->most * pow(p->asked / p->most, (double)i / (CURVE_POINTS - 1));
	for (size_t i = 0; i < c->n; i++)
		stack_shares(p, c, drawn, i);
	for (size_t k = 0; k <= drawn + 1; k++)
		for (size_t i = 0; i < c->n; i++)
			edge[k][i] = c->edge[i][k];
	for (size_t k = 0; k <= drawn; k++) {
		const size_t last = c->measured - 1, beyond = c->n - last;

		name[k] =
			k < drawn ? short_name(p, &p->functions.function[k]) : cli_strdup("other functions");
		/* Extrapolated: a paler band, and a dashed edge. */
		series[n++] = (struct ft_series){.kind = FT_SERIES_BAND,
						 .x = c->x + last,
						 .lower = edge[k] + last,
						 .upper = edge[k + 1] + last,
						 .n = beyond,
						 .beyond = true};
		series[n++] = (struct ft_series){.kind = FT_SERIES_BAND,
						 .x = c->x,
						 .lower = edge[k],
						 .upper = edge[k + 1],
						 .n = c->measured,
						 .strong = true};
		series[n++] = (struct ft_series){.kind = FT_SERIES_LINE,
						 .x = c->x + last,
						 .y = edge[k + 1] + last,
						 .n = beyond,
						 .beyond = true};
		series[n++] = (struct ft_series){.title = name[k],
						 .kind = FT_SERIES_LINE,
						 .x = c->x,
						 .y = edge[k + 1],
						 .n = c->measured};
	}
	const struct ft_panel panel = {.x_label = p->program.param[p->varying].name,
				       .y_label = "% of the instructions",
				       .log_x = true,
				       .series = series,
				       .n = n};
	enum ft_status status = ft_plot_draw(title, &panel, 1, p->plot_path, 0, p->dark, NULL, &err);
	for (size_t k = 0; k <= drawn; k++)
		free(name[k]);
	return status ? cli_error(&err) : CLI_DONE;
}
