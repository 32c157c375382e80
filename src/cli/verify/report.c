/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what `foretime verify` found, as CI services show it. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void print_annotation(const struct cli_verify *v, const char *level, const char *sentence)
{
	printf("::%s title=", level);
	print_escaped(v->program.name, true);
	fputs("::", stdout);
	print_escaped(sentence, false);
	putchar('\n');
}

static void print_error(void *ctx, const char *sentence)
{
	print_annotation(ctx, "error", sentence);
}

/* A cell of a Markdown table. */
static void print_cell(FILE *file, const char *text)
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
	print_cell(file, v->program.name);
	fprintf(file, ": the contract %s\n\n",
		cli_verify_holds(v) ? "holds"
		: v->undecided      ? "decides nothing"
				    : "is broken");
	for (size_t i = 0; i < v->verified.n_shifts; i++) {
		char *text = cli_verify_shift(&v->verified.shift[i]);

		fputs("- ", file);
		print_cell(file, text);
		fprintf(file, ": %s\n", ft_verdict_text(v->verified.shift[i].verdict));
		free(text);
	}
	fputs("\n| size | resource | now | predicted | runs | verdict |\n|---|---|---|---|---|---|\n", file);
	for (size_t i = 0; i < v->verified.n_checks; i++) {
		const struct ft_check *c = &v->verified.check[i];
		const char *unit = c->resource->unit;

		(void)ft_size_format(&v->program, &c->size, at, sizeof at);
		fputs("| ", file);
		print_cell(file, at);
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
		print_annotation(v, "error", killed);
	if (v->undecided)
		print_annotation(v, "error", v->undecided);
	for (size_t i = 0; i < v->verified.n_shifts && cli_verify_holds(v); i++) {
		char *text = cli_verify_shift(&v->verified.shift[i]);

		print_annotation(v, "notice", text);
		free(text);
	}
	print_summary(v, file ? file : stdout);
	bad = file && (ferror(file) || fflush(file));
	if (file)
		bad = fclose(file) || bad;
	return bad ? cli_fail("cannot write the summary '%s'", path) : CLI_DONE;
}

/* ---- JUnit -------------------------------------------------------------------------------------------- */

/* What is no character of XML 1.0 becomes a '?'. */
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

static void print_case(const struct cli_verify *v, const char *resource, const char *what,
		       const char *failure)
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

/* The sentence of each broken test in turn. */
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
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"foretime verify ", stdout);
	print_xml(v->program.name);
	printf("\" tests=\"%zu\" failures=\"%zu\">\n",
	       found->n_checks + found->n_shifts + found->n_growths + v->killed + !!v->undecided,
	       s.n + v->killed + !!v->undecided);
	for (size_t i = 0; i < found->n_checks; i++) {
		(void)ft_size_format(&v->program, &found->check[i].size, at, sizeof at);
		print_case(v, found->check[i].resource->name, at, failure_of(v, &s, found->check[i].verdict));
	}
	for (size_t i = 0; i < found->n_shifts; i++)
		print_case(v, found->shift[i].resource->name, "over all sizes",
			   failure_of(v, &s, found->shift[i].verdict));
	for (size_t i = 0; i < found->n_growths; i++)
		print_case(v, found->growth[i].resource->name, "growth",
			   failure_of(v, &s, found->growth[i].verdict));
	if (v->killed)
		print_case(v, "memory", "of every run", killed);
	if (v->undecided)
		print_case(v, "contract", "means something", v->undecided);
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
