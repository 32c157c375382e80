/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - prints what `foretime verify` found, in the forms that CI services show. */
#include "cli/cli.h"
#include "cli/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Report the result of `foretime verify`.
 */

/* A smallest detectable change (with 90 % probability) above this is reported. */
static const double worth_seeing = 0.15, finer = 0.05;

static void print_verdict(const struct ft_check *c, char *buffer, size_t size)
{
	if (c->verdict == FT_VERDICT_INSIDE)
		(void)snprintf(buffer, size, "inside");
	else if (c->share >= 1)
		(void)snprintf(buffer, size, "%.2g times as much", c->share + 1);
	else
		(void)snprintf(buffer, size, "%.*g %% %s", c->share < 0.99 ? 2 : 3, 100 * c->share,
			       ft_verdict_text(c->verdict));
}

static char *now_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_check *c = record;
	const char *unit = c->resource->unit;
	char low[FT_UNIT_LENGTH], high[FT_UNIT_LENGTH];

	(void)with;
	(void)ft_value_format(c->low, unit, low);
	(void)ft_value_format(c->high, unit, high);
	if (c->at_least || !strcmp(low, high))
		return cli_printed("%s%s", c->at_least ? "over " : "", low);
	return cli_printed("%s .. %s", low, high);
}

static char *lower_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_check *c = record;
	char text[FT_UNIT_LENGTH];

	(void)with;
	return cli_printed("%s ..", ft_value_format(c->promised.lower, c->resource->unit, text));
}

static char *upper_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_check *c = record;
	char text[FT_UNIT_LENGTH];

	(void)with;
	return cli_printed("%s%s", ft_value_format(c->promised.upper, c->resource->unit, text),
			   c->promised.basis == FT_BASIS_BEYOND ? ", extrapolated" : "");
}

static char *verdict_cell(const void *record, const struct ft_tell_with *with)
{
	char verdict[64];

	(void)with;
	print_verdict(record, verdict, sizeof verdict);
	return cli_strdup(verdict);
}

#define VERDICTS "inside|over|under"

#define CHECK struct ft_check
static const struct ft_tell_row check_rows[] = {
	{FT_TELL_AS(NULL, CHECK, size), .head = ""},
	{FT_TELL(CHECK, resource), .head = "resource"},
	{FT_TELL_BY(UNIT, "unit", CHECK, resource)},
	{FT_TELL(CHECK, size)},
	{FT_TELL_AS(NULL, CHECK, low), .head = ">now", .cell = now_cell},
	{FT_TELL_AS(NULL, CHECK, promised.lower), .head = ">predicted", .cell = lower_cell},
	{FT_TELL_AS(NULL, CHECK, promised.upper), .head = "", .cell = upper_cell},
	{FT_TELL(CHECK, runs), .about = "new ones", .head = ">runs"},
	{FT_TELL(CHECK, value), .about = "their median"},
	{FT_TELL(CHECK, low), .about = "at most a quarter of them lies below: over is above upper"},
	{FT_TELL(CHECK, high), .about = "at most a quarter of them lies above: under is below lower"},
	{FT_TELL(CHECK, at_least), .about = "that run was ended at its time limit"},
	{FT_TELL_AS("expected", CHECK, promised.value)},
	{FT_TELL_AS("lower", CHECK, promised.lower), .about = "of the prediction, at confidence_each"},
	{FT_TELL_AS("upper", CHECK, promised.upper)},
	{FT_TELL_BY(WORD, "basis", CHECK, promised.basis), .word = ft_basis_text, .words = FT_TELL_BASES},
	{FT_TELL(CHECK, share), .about = "over: value / upper - 1; under: 1 - value / lower; inside: 0"},
	{FT_TELL_BY(WORD, "verdict", CHECK, verdict), .word = ft_verdict_text, .words = VERDICTS,
	 .head = "verdict", .cell = verdict_cell},
	{0},
};
static const struct ft_tell_record checks = {.bytes = sizeof(CHECK), .row = check_rows};

/* "n^1.08 (n log n)" */
static char *growth_text(const struct cli_verify *v, const struct ft_growth *g, double exponent)
{
	const char *name = v->program.param[g->param].name;
	char words[FT_GROWTH_LENGTH];

	return cli_printed(
		"%s^%.2f (%s)", name, exponent,
		ft_growth_text(exponent, (g->upper - g->lower) / 2, sqrt(g->from * g->to), name, words));
}

static const char *growth_verdict(const struct ft_growth *g)
{
	return g->verdict == FT_VERDICT_INSIDE ? "inside"
	       : g->verdict == FT_VERDICT_OVER ? "steeper"
					       : "less steep";
}

static void print_growth(const struct cli_verify *v, const struct ft_growth *g)
{
	CLI_OWN char *was = growth_text(v, g, g->was), *now = growth_text(v, g, g->now);
	char from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];

	printf("%s from %s=%s to %s grows as %s%s, was %s: the exponent %s", g->resource->name,
	       v->program.param[g->param].name, ft_number_format(g->from, from), ft_number_format(g->to, to),
	       now, g->at_least ? " at least" : "", was, g->at_least ? "is larger by" : "changed by");
	if (g->at_least)
		printf(" %+.2f or more: %s\n", g->lower, growth_verdict(g));
	else
		printf(" %+.2f .. %+.2f: %s\n", g->lower, g->upper, growth_verdict(g));
}

/* With as many digits as the interval has. */
static char *ratio_text(const struct ft_regression *shift)
{
	const int digits = shift->upper - shift->lower < 0.02 ? 4 : 2;

	if (shift->at_least)
		return cli_printed("%.*f times what it was or more (%.*f at least)", digits, shift->ratio,
				   digits, shift->lower);
	if (shift->upper > 100 * shift->lower)
		return cli_printed("%.2g times what it was (%.2g .. %.2g: not alike at all sizes)",
				   shift->ratio, shift->lower, shift->upper);
	return cli_printed("%.*f times what it was (%.*f .. %.*f)", digits, shift->ratio, digits,
			   shift->lower, digits, shift->upper);
}

/* verify_shift - "wall_s is 1.17 times what it was (1.09 .. 1.26)"; ends with free. */
static char *verify_shift(const struct ft_regression *shift)
{
	char *ratio = ratio_text(shift), *text = cli_printed("%s is %s", shift->resource->name, ratio);

	free(ratio);
	return text;
}

/* How a contract could detect a change of 15 %. */
static char *remedy_of(const struct cli_verify *v, const struct ft_regression *shift)
{
	if (shift->needed)
		return v->paths.n ? cli_printed("%zu runs of each size see 15 %%", shift->needed)
				  : cli_printed("--runs %zu sees 15 %%", shift->needed);
	if (shift->limit == FT_REGRESSION_LIMIT_MODEL)
		return cli_printed("no more runs would: the model is to know a typical run better (foretime "
				   "build %s --tolerance 2%%), or --against 'OLD' asks none",
				   v->program.name);
	if (shift->limit == FT_REGRESSION_LIMIT_SESSION)
		return cli_strdup(
			"no more runs would: times of another session differ; --against 'OLD' alternates "
			"both, -r instructions differ less");
	return cli_strdup("more runs would, of more sizes; -r instructions vary less");
}

void cli_verify_seen(const struct cli_verify *v)
{
	for (size_t i = 0; i < v->verified.n_shifts; i++) {
		const struct ft_regression *shift = &v->verified.shift[i];
		char *remedy, share[FT_UNIT_LENGTH];

		if (shift->verdict == FT_VERDICT_OVER)
			continue;
		if (!v->against && !v->paths.n && shift->seen > finer &&
		    shift->resource->of == FT_CLASS_TIME) {
			/* Which of the ways to check a program would detect 5 %. */
			CLI_OWN char *model =
				shift->needed_5
					? cli_printed("by this model with --runs %zu", shift->needed_5)
					: cli_strdup("by this model with no number of runs");
			CLI_OWN char *pairs =
				shift->against_5
					? cli_printed("by --against 'OLD' with --runs %zu", shift->against_5)
					: cli_strdup("by --against 'OLD' with no number of runs");

			cli_note("%s: 5 %% longer would be seen %s, %s, and by -r instructions with one",
				 shift->resource->name, model, pairs);
		}
		if (!(shift->seen > worth_seeing))
			continue;
		remedy = remedy_of(v, shift);
		cli_note("%s: what takes %s longer is seen in 9 of 10 cases, less is seen less often; %s",
			 shift->resource->name, ft_share_format(shift->seen, share), remedy);
		free(remedy);
	}
}

static void print_shift(const struct ft_regression *shift)
{
	if (isnan(shift->ratio))
		return;
	CLI_OWN char *ratio = ratio_text(shift);
	printf("%s: %s, over %zu size%s and %zu run%s: %s\n", shift->resource->name, ratio, shift->sizes,
	       shift->sizes == 1 ? "" : "s", shift->runs, shift->runs == 1 ? "" : "s",
	       ft_verdict_text(shift->verdict));
}

void cli_verify_text(const struct cli_verify *v)
{
	char joint[FT_UNIT_LENGTH];

	if (v->against) {
		printf("%s: the old program and the new one, alternately\n", v->program.name);
	} else {
		cli_models_headline(&v->models, stdout);
		cli_axes_print(&v->models, v->resource, v->n_resources, stdout);
	}
	printf("an unchanged program passes with %s at least\n\n",
	       ft_share_format(v->verified.confidence, joint));
	const struct ft_tell_with with = {.program = &v->program};

	cli_tell_table(&checks, v->verified.check, v->verified.n_checks, &with);
	putchar('\n');
	for (size_t i = 0; i < v->verified.n_shifts; i++)
		print_shift(&v->verified.shift[i]);
	for (size_t i = 0; i < v->verified.n_growths; i++)
		print_growth(v, &v->verified.growth[i]);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

#define SHIFT struct ft_regression
static const struct ft_tell_row shift_rows[] = {
	{FT_TELL(SHIFT, resource)},
	{FT_TELL(SHIFT, sizes)},
	{FT_TELL(SHIFT, runs)},
	{FT_TELL(SHIFT, at_least), .about = "runs were ended at a time limit: the ratio is a lower bound"},
	{FT_TELL(SHIFT, ratio), .about = "typical runs now by before", .null = "values are not positive"},
	{FT_TELL(SHIFT, lower), .null = "values are not positive"},
	{FT_TELL(SHIFT, upper), .null = "with at_least"},
	{FT_TELL_BY(WORD, "verdict", SHIFT, verdict), .word = ft_verdict_text, .words = VERDICTS},
	{FT_TELL(SHIFT, seen), .about = "what is more by this share is over in 9 of 10 cases",
	 .null = "with at_least, or values are not positive"},
	{FT_TELL_BY(WORD, "limit", SHIFT, limit), .word = ft_regression_limit_text,
	 .about = "main source of the interval: variation of the new runs, uncertainty of the model about a "
		  "typical run, or the difference between sessions",
	 .words = "runs|model|session"},
	{FT_TELL(SHIFT, needed), .about = "new runs of a size with which 15 % more would be seen so",
	 .null = "no number of them would do"},
	{FT_TELL(SHIFT, needed_5), .about = "the same of 5 % more", .null = "no number of them would do"},
	{FT_TELL(SHIFT, against_5), .about = "pairs of a size with which --against would see 5 % more",
	 .null = "no number of them would do"},
	{0},
};
static const struct ft_tell_record shifts = {.bytes = sizeof(SHIFT), .row = shift_rows};

static char *words_of(const struct ft_growth *g, double exponent, const struct ft_tell_with *with)
{
	char words[FT_GROWTH_LENGTH];

	return cli_strdup(ft_growth_text(exponent, (g->upper - g->lower) / 2, sqrt(g->from * g->to),
					 with->program->param[g->param].name, words));
}

static char *was_words(const void *growth, const struct ft_tell_with *with)
{
	return words_of(growth, ((const struct ft_growth *)growth)->was, with);
}

static char *now_words(const void *growth, const struct ft_tell_with *with)
{
	return words_of(growth, ((const struct ft_growth *)growth)->now, with);
}

static char *param_name(const void *growth, const struct ft_tell_with *with)
{
	return cli_strdup(with->program->param[((const struct ft_growth *)growth)->param].name);
}

#define GROWTH struct ft_growth
static const struct ft_tell_row growth_rows[] = {
	{FT_TELL(GROWTH, resource)},
	{FT_TELL_WHOLE(MADE, "parameter"), .cell = param_name},
	{FT_TELL(GROWTH, sizes)},
	{FT_TELL(GROWTH, from)},
	{FT_TELL(GROWTH, to)},
	{FT_TELL(GROWTH, was), .about = "exponent of the model over these sizes"},
	{FT_TELL_WHOLE(MADE, "was_words"), .cell = was_words},
	{FT_TELL(GROWTH, now), .about = "and of the new runs"},
	{FT_TELL_WHOLE(MADE, "now_words"), .cell = now_words},
	{FT_TELL(GROWTH, at_least), .about = "runs were ended at a time limit: now is a lower bound"},
	{FT_TELL(GROWTH, change), .about = "now - was, without the model's curvature"},
	{FT_TELL(GROWTH, lower), .about = "its interval, at confidence_pooled"},
	{FT_TELL(GROWTH, upper), .null = "with at_least"},
	{FT_TELL_BY(WORD, "verdict", GROWTH, verdict), .word = ft_verdict_text, .words = VERDICTS},
	{0},
};
static const struct ft_tell_record growths = {.bytes = sizeof(GROWTH), .row = growth_rows};

struct verify_answer {
	const char *name, *against;
	const struct ft_machine *machine;
	bool holds, killed, strict;
	double confidence, each, pooled;
	struct ft_answer_axes axes;
	struct ft_verification found;
};

#define ANSWER struct verify_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, name)},
	{FT_TELL(ANSWER, against),
	 .about = "the old command, run alternately with the new one on this machine",
	 .null = "compared with models"},
	{FT_TELL_BY(POINTER, "machine", ANSWER, machine), .of = &ft_tell_machine},
	{FT_TELL(ANSWER, holds), .about = "the exit status is 0"},
	{FT_TELL(ANSWER, killed), .about = "a run was killed for memory"},
	{FT_TELL(ANSWER, strict)},
	{FT_TELL(ANSWER, confidence), .about = "how often an unchanged program passes all checks together"},
	{FT_TELL_AS("confidence_each", ANSWER, each), .about = "of a single check",
	 .null = "nothing is checked"},
	{FT_TELL_AS("confidence_pooled", ANSWER, pooled), .about = "of all sizes together, or of the growth",
	 .null = "nothing is checked"},
	{FT_TELL_BY(ROWS, NULL, ANSWER, axes), .of = &ft_tell_axes},
	{FT_TELL_MANY(LIST, "shifts", ANSWER, found.shift, found.n_shifts, &shifts),
	 .about = "all sizes of a resource together"},
	{FT_TELL_MANY(LIST, "checks", ANSWER, found.check, found.n_checks, &checks)},
	{FT_TELL_MANY(LIST, "growth", ANSWER, found.growth, found.n_growths, &growths),
	 .about = "of each resource, where one parameter varies over three sizes or more"},
	{0},
};
const struct ft_tell_record cli_verify_answer = {.name = "verify", .version = 2, .row = rows};

/* here: out, ends with ft_machine_clear */
static ANSWER answer_of(const struct cli_verify *v, struct ft_machine *here)
{
	ANSWER answer = {
		.name = v->program.name,
		.against = v->against,
		.machine = v->against ? here : ft_ask_machine(v->models.answerer),
		.holds = cli_verify_holds(v),
		.killed = v->killed,
		.strict = v->strict,
		.confidence = v->confidence,
		.each = v->n_resources ? v->verified.each : (double)NAN,
		.pooled = v->n_resources ? v->verified.pooled : (double)NAN,
		.found = v->verified,
	};

	if (v->against)
		(void)ft_machine_read("", here, NULL);
	else
		ft_tell_axes_find(v->models.answerer, v->resource, v->n_resources, &answer.axes);
	return answer;
}

void cli_verify_json(const struct cli_verify *v)
{
	const struct ft_tell_with with = {.program = &v->program};
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};
	const ANSWER answer = answer_of(v, &here);

	cli_tell(&cli_verify_answer, &answer, &with);
}

/* ---- many benchmarks ---------------------------------------------------------------------------------- */

const char *cli_judgement_text(unsigned judgement)
{
	static const char *const words[] = {
#define JUDGED_WORDS(name, words) words,
		CLI_JUDGED_LIST(JUDGED_WORDS)
#undef JUDGED_WORDS
	};

	return words[judgement];
}

struct many_answer {
	struct cli_judged one;
	const ANSWER *found;
};

#define MANY struct many_answer
static const struct ft_tell_row many_rows[] = {
	{FT_TELL_AS("name", MANY, one.name)},
	{FT_TELL_BY(WORD, "verdict", MANY, one.judgement), .word = cli_judgement_text,
	 .words = "broken|failed|undecided|holds|no model"},
	{FT_TELL_AS("worst", MANY, one.worst),
	 .about = "the largest excess, else the largest shift, as a ratio", .null = "not judged"},
	{FT_TELL_AS("text", MANY, one.said), .about = "the worst that is broken; the reason; or the shift",
	 .null = "no resource is compared"},
	{FT_TELL_AS("broken", MANY, one.broken), .about = "how many things are broken"},
	{FT_TELL_AS("runs", MANY, one.runs), .about = "new ones"},
	{FT_TELL_AS("sizes", MANY, one.sizes)},
	{FT_TELL_BY(POINTER, "found", MANY, found), .of = &cli_verify_answer,
	 .about = "as foretime verify prints it of one benchmark", .null = "not judged"},
	{0},
};
const struct ft_tell_record cli_verify_many_answer = {
	.name = "verify-many", .version = 1, .about = "one of the benchmarks of an array", .row = many_rows};

json_t *cli_verify_many_json(const struct cli_verify *v, const struct cli_judged *one)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};
	const struct ft_tell_with with = {.program = v ? &v->program : NULL};
	const ANSWER answer = v ? answer_of(v, &here) : (ANSWER){0};
	const MANY many = {*one, v ? &answer : NULL};

	return cli_tell_json(&cli_verify_many_answer, &many, &with);
}

char *cli_verify_worst(const struct cli_verify *v, bool broken)
{
	const struct ft_regression *worst = NULL;

	for (size_t i = 0; i < v->verified.n_shifts; i++) {
		const struct ft_regression *shift = &v->verified.shift[i];

		if ((!broken || ft_verdict_breaks(shift->verdict, v->strict)) &&
		    (!worst || shift->ratio > worst->ratio))
			worst = shift;
	}
	return worst ? verify_shift(worst) : NULL;
}

/* ---- sentences ---------------------------------------------------------------------------------------- */

static char *check_sentence(const struct cli_verify *v, const struct ft_check *c)
{
	char value[FT_UNIT_LENGTH], bound[FT_UNIT_LENGTH], verdict[64], at[256];
	const char *unit = c->resource->unit;
	bool over = c->verdict == FT_VERDICT_OVER;

	(void)ft_size_format(&v->program, &c->size, at, sizeof at);
	print_verdict(c, verdict, sizeof verdict);
	return cli_printed(
		"%s %s%s at %s, predicted at %s %s: %s", c->resource->name, c->at_least ? "over " : "",
		ft_value_format(c->value, unit, value), at, over ? "most" : "least",
		ft_value_format(over ? c->promised.upper : c->promised.lower, unit, bound), verdict);
}

static char *growth_sentence(const struct cli_verify *v, const struct ft_growth *g)
{
	bool over = g->verdict == FT_VERDICT_OVER;
	char *was = growth_text(v, g, g->was), *now = growth_text(v, g, g->now), *text;
	double least = over ? g->lower : -g->upper, most = over ? g->upper : -g->lower;

	text = g->at_least
		       ? cli_printed(
				 "%s was %s, now looks %s at least: the exponent is larger by %.2f or more",
				 g->resource->name, was, now, least)
		       : cli_printed("%s was %s, now looks %s: the exponent is %s by %.2f (%.2f to %.2f)",
				     g->resource->name, was, now, over ? "larger" : "smaller",
				     fabs(g->change), least, most);
	free(was);
	free(now);
	return text;
}

static void say_and_free(char *sentence, void (*say)(void *ctx, const char *sentence), void *ctx)
{
	say(ctx, sentence);
	free(sentence);
}

void cli_verify_each(const struct cli_verify *v, void (*say)(void *ctx, const char *sentence), void *ctx)
{
	const struct ft_verification *found = &v->verified;

	for (size_t i = 0; i < found->n_checks; i++)
		if (ft_verdict_breaks(found->check[i].verdict, v->strict))
			say_and_free(check_sentence(v, &found->check[i]), say, ctx);
	for (size_t i = 0; i < found->n_shifts; i++)
		if (ft_verdict_breaks(found->shift[i].verdict, v->strict))
			say_and_free(verify_shift(&found->shift[i]), say, ctx);
	for (size_t i = 0; i < found->n_growths; i++)
		if (ft_verdict_breaks(found->growth[i].verdict, v->strict))
			say_and_free(growth_sentence(v, &found->growth[i]), say, ctx);
}

/*
 * Prints what `foretime verify` found, in the forms that CI services show.
 */

static const char killed[] = "a run was killed for memory";

/* ---- GitHub ------------------------------------------------------------------------------------------- */

/* A workflow command's text: what ends it, or a line, is escaped. Source: the runner's ToolKit (core,
 * command.ts). */
static void print_escaped(const char *text, bool property)
{
	for (; *text; text++)
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (property && (*text == ':' || *text == ',')))
			printf("%%%02X", (unsigned)(unsigned char)*text);
		else
			putchar(*text);
}

void cli_verify_annotation(const struct cli_verify *v, const char *level, const char *sentence)
{
	printf("::%s title=", level);
	print_escaped(v->program.name, true);
	fputs("::", stdout);
	print_escaped(sentence, false);
	putchar('\n');
}

static void print_error(void *ctx, const char *sentence)
{
	cli_verify_annotation(ctx, "error", sentence);
}

void cli_verify_cell(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]", *text))
			fputc('\\', file);
		fputc(*text == '\n' ? ' ' : *text, file);
	}
}

static void print_summary(const struct cli_verify *v, FILE *file)
{
	char now[FT_UNIT_LENGTH], lower[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH], at[256];

	fputs("### foretime verify ", file);
	cli_verify_cell(file, v->program.name);
	fprintf(file, ": the contract %s\n\n",
		cli_verify_holds(v) ? "holds"
		: v->undecided      ? "decides nothing"
				    : "is broken");
	for (size_t i = 0; i < v->verified.n_shifts; i++) {
		char *text = verify_shift(&v->verified.shift[i]);

		fputs("- ", file);
		cli_verify_cell(file, text);
		fprintf(file, ": %s\n", ft_verdict_text(v->verified.shift[i].verdict));
		free(text);
	}
	fputs("\n| size | resource | now | predicted | runs | verdict |\n|---|---|---|---|---|---|\n", file);
	for (size_t i = 0; i < v->verified.n_checks; i++) {
		const struct ft_check *c = &v->verified.check[i];
		const char *unit = c->resource->unit;

		(void)ft_size_format(&v->program, &c->size, at, sizeof at);
		fputs("| ", file);
		cli_verify_cell(file, at);
		fprintf(file, " | %s | %s%s | %s .. %s | %zu | %s |\n", c->resource->name,
			c->at_least ? "over " : "", ft_value_format(c->value, unit, now),
			ft_value_format(c->promised.lower, unit, lower),
			ft_value_format(c->promised.upper, unit, upper), c->runs,
			ft_verdict_text(c->verdict));
	}
	fputc('\n', file);
}

static int report_github(const struct cli_verify *v)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	FILE *file = path && *path ? fopen(path, "a") : NULL;
	bool bad;

	if (path && *path && !file)
		return cli_fail("cannot write the summary '%s'", path);
	cli_verify_each(v, print_error, (void *)v);
	if (v->killed)
		cli_verify_annotation(v, "error", killed);
	if (v->undecided)
		cli_verify_annotation(v, "error", v->undecided);
	for (size_t i = 0; i < v->verified.n_shifts && cli_verify_holds(v); i++) {
		char *text = verify_shift(&v->verified.shift[i]);

		cli_verify_annotation(v, "notice", text);
		free(text);
	}
	print_summary(v, file ? file : stdout);
	bad = file && (ferror(file) || fflush(file));
	if (file)
		bad = fclose(file) || bad;
	return bad ? cli_fail("cannot write the summary '%s'", path) : CLI_DONE;
}

/* ---- JUnit -------------------------------------------------------------------------------------------- */

/* Characters that XML 1.0 does not allow become '?'. */
static void print_xml(const char *text)
{
	static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
	static const char special[] = "&<>\"";

	for (; *text; text++) {
		const char *at = strchr(special, *text);

		if (at)
			fputs(entity[at - special], stdout);
		else
			putchar((unsigned char)*text < 0x20 && !strchr("\t\n", *text) ? '?' : *text);
	}
}

void cli_verify_case(const struct cli_verify *v, const char *resource, const char *what, const char *failure)
{
	fputs("  <testcase classname=\"", stdout);
	print_xml(v->program.name);
	fputs("\" name=\"", stdout);
	print_xml(resource);
	putchar(' ');
	print_xml(what);
	if (!failure) {
		puts("\"/>");
		return;
	}
	fputs("\">\n    <failure message=\"", stdout);
	print_xml(failure);
	puts("\"/>\n  </testcase>");
}

void cli_verify_suite(const struct cli_verify *v, size_t tests, size_t failures)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"foretime verify ", stdout);
	print_xml(v->program.name);
	printf("\" tests=\"%zu\" failures=\"%zu\">\n", tests, failures);
}

/* The sentence of each broken test, one after the other. */
struct sentences {
	char **text;
	size_t n, at;
};

static void keep_sentence(void *ctx, const char *sentence)
{
	struct sentences *s = ctx;

	s->text = cli_grow(s->text, s->n, sizeof *s->text);
	s->text[s->n++] = cli_strdup(sentence);
}

static const char *failure_of(const struct cli_verify *v, struct sentences *s, enum ft_verdict verdict)
{
	return ft_verdict_breaks(verdict, v->strict) && s->at < s->n ? s->text[s->at++] : NULL;
}

static int report_junit(const struct cli_verify *v)
{
	const struct ft_verification *found = &v->verified;
	struct sentences s = {0};
	char at[256];

	cli_verify_each(v, keep_sentence, &s);
	cli_verify_suite(v, found->n_checks + found->n_shifts + found->n_growths + v->killed + !!v->undecided,
			 s.n + v->killed + !!v->undecided);
	for (size_t i = 0; i < found->n_checks; i++) {
		(void)ft_size_format(&v->program, &found->check[i].size, at, sizeof at);
		cli_verify_case(v, found->check[i].resource->name, at,
				failure_of(v, &s, found->check[i].verdict));
	}
	for (size_t i = 0; i < found->n_shifts; i++)
		cli_verify_case(v, found->shift[i].resource->name, "over all sizes",
				failure_of(v, &s, found->shift[i].verdict));
	for (size_t i = 0; i < found->n_growths; i++)
		cli_verify_case(v, found->growth[i].resource->name, "growth",
				failure_of(v, &s, found->growth[i].verdict));
	if (v->killed)
		cli_verify_case(v, "memory", "of every run", killed);
	if (v->undecided)
		cli_verify_case(v, "contract", "means something", v->undecided);
	puts("</testsuite>");
	while (s.n)
		free(s.text[--s.n]);
	free(s.text);
	return CLI_DONE;
}

static const struct {
	const char *name;
	int (*print)(const struct cli_verify *v);
} reports[] = {{"github", report_github}, {"junit", report_junit}};

int cli_verify_report(const struct cli_verify *v)
{
	size_t i = 0;

	while (strcmp(reports[i].name, v->report) != 0)
		i++;
	return reports[i].print(v);
}

bool cli_verify_holds(const struct cli_verify *v)
{
	return v->verified.holds && !v->killed && !v->undecided;
}
