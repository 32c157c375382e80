/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_tpv.c - a tool of Galaxy's Total Perspective Vortex: cores, mem in GB, and a walltime, of input_size
 * in GB. Its GB are 2^30 bytes; expressions need nothing of Python that is not built in. */
#include "cli/request/batch.h"
#include "cli/common.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The one open parameter. */
static int open_one(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	int one = -1;

	for (size_t i = 0; i < program->n_params; i++)
		if (r->open[i])
			one = one == -1 ? (int)i : -2;
	return one;
}

static int check_size(const struct cli_request *r)
{
	int one = open_one(r);
	const char *name = one < 0 ? "" : ft_ask_program(r->models.answerer)->param[one].name;

	if (r->sized && !r->expression)
		return CLI_DONE;
	if (one < 0)
		return cli_fail("tpv knows the size of the input, and '%s' has several parameters left open\n"
				"hint: give the others a value",
				ft_ask_program(r->models.answerer)->name);
	if (cli_batch_size_from(r, (size_t)one) || !isnan(cli_batch_unit(name)))
		return CLI_DONE;
	return cli_fail("no expression gives '%s' from the size of the input\n"
			"hint: write --size '%s=input_size * ...', which is in GB",
			name, name);
}

/* What the parameter is of input_size; where an expression falls no less than the least that was asked about.
 */
static char *size_of(const struct cli_request *r, size_t param, bool falls)
{
	const char *name = ft_ask_program(r->models.answerer)->param[param].name;
	const char *given = cli_batch_size_from(r, param);
	double unit = cli_batch_unit(name);
	char least[FT_NUMBER_LENGTH], *size, *out;

	size = cli_printed("%s", given        ? given
				 : unit == 1  ? "input_size*1024**3"
				 : unit < 1e9 ? "input_size*1024"
					      : "input_size");
	(void)ft_number_format(cli_batch_least(r, param), least);
	if (falls)
		out = cli_printed("max(%s, %s)", least, size);
	else
		out = strcmp(size, "input_size") != 0 ? cli_printed("(%s)", size) : cli_strdup(size);
	free(size);
	return out;
}

static char *put_size(const struct cli_request *r, const char *text)
{
	size_t param = (size_t)open_one(r), length;
	char *size = size_of(r, param, strstr(text, "**-") != NULL), *out = cli_strdup("");
	char *word = cli_printed("size_%s", ft_ask_program(r->models.answerer)->param[param].name);

	for (length = strlen(word); *text;) {
		bool here = !strncmp(text, word, length) && !isalnum((unsigned char)text[length]) &&
			    text[length] != '_';

		cli_reprint(&out, "%s%.*s", out, here ? (int)strlen(size) : 1, here ? size : text);
		text += here ? length : 1;
	}
	free(word);
	free(size);
	return out;
}

/* A double-quoted scalar of YAML. */
static void print_quoted(const char *text)
{
	putchar('"');
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else
			putchar(iscntrl((unsigned char)*text) ? ' ' : *text);
	putchar('"');
}

static char *expression(const struct cli_request *r, const char *text, bool memory)
{
	char *python = cli_batch_language(r, text, true), *put = put_size(r, python ? python : ""), *whole;

	whole = memory ? cli_batch_memory(r, put, true) : cli_strdup(put);
	free(python);
	free(put);
	return whole;
}

/* No more than a bound, which stands for what is not known; else a rule fails there (print_rule). */
static void bound_expression(const struct cli_request *r, const struct ft_request_expression *e, double most,
			     char **text)
{
	char *beyond = cli_batch_beyond(r, e, true), *put = put_size(r, beyond), digits[FT_NUMBER_LENGTH];

	if (most > 0) {
		(void)ft_number_format(most, digits);
		cli_reprint(text, "%s if %s else min(%s, %s)", digits, put, digits, *text);
	}
	free(beyond);
	free(put);
}

static void print_rule(const struct cli_request *r)
{
	const struct ft_request_expression *const e[] = {&r->all.memory, &r->all.time}, *least = NULL;
	const double most[] = {r->bounds.most_bytes, r->bounds.most_s};
	size_t one = (size_t)open_one(r), i;
	char *beyond, *put, known[FT_NUMBER_LENGTH], *message;

	for (i = 0; i < 2; i++)
		if (e[i]->text && !(most[i] > 0) && (!least || e[i]->known[one] < least->known[one]))
			least = e[i];
	if (!least)
		return;
	beyond = cli_batch_beyond(r, least, true);
	put = put_size(r, beyond);
	message = cli_printed("What this size needs is not known beyond %s=%s: measure larger sizes, or give "
			      "foretime request --at-most",
			      ft_ask_program(r->models.answerer)->param[one].name,
			      ft_number_format(least->known[one], known));
	printf("    rules:\n      - id: not known\n        if: ");
	print_quoted(put);
	printf("\n        fail: ");
	print_quoted(message);
	putchar('\n');
	free(beyond);
	free(put);
	free(message);
}

static void print_expressions(const struct cli_request *r)
{
	char *text, *line;

	if (r->all.memory.text) {
		text = expression(r, r->all.memory.text, true);
		bound_expression(r, &r->all.memory, r->bounds.most_bytes, &text);
		line = cli_printed("(%s) / 1024**3", text);
		printf("    mem: ");
		print_quoted(line);
		putchar('\n');
		free(line);
		free(text);
	}
	if (r->all.time.text) {
		text = expression(r, r->all.time.text, false);
		bound_expression(r, &r->all.time, 60 * floor(r->bounds.most_s / 60), &text);
		line = cli_printed(r->bounds.most_s > 0 ? "{-int(-(%s) // 60)}" : "{int((%s) / 60) + 1}",
				   text);
		printf("    params:\n      walltime: ");
		print_quoted(line);
		printf("  # minutes; called as the destination calls it\n");
		free(line);
		free(text);
	}
}

static void print_tool(const struct cli_request *r)
{
	double cpus = cli_batch_cpus(r);

	cli_batch_head(r, "#");
	printf("tools:\n  ");
	print_quoted(ft_ask_program(r->models.answerer)->name);
	printf(":\n");
	if (!isnan(cpus))
		printf("    cores: %.0f\n", cpus);
	if (!r->sized || r->expression) {
		print_expressions(r);
		print_rule(r);
		return;
	}
	if (r->request.memory.resource)
		printf("    mem: %.3f\n", ceil(cli_batch_bytes(r) / 0x1p30 * 1000) / 1000);
	if (r->request.time.resource)
		printf("    params:\n      walltime: \"%.0f\"  # minutes; called as the destination calls "
		       "it\n",
		       ft_tell_minutes(cli_batch_seconds(r)));
}

/* The shell of the job; what Galaxy runs in it to look at results was not measured. */
const struct cli_batch cli_batch_tpv = {"tpv", true, 8e6, print_tool, check_size};
