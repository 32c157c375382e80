/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand.c - a question to a command, or to a manager. */
#include "base/alloc.h"
#include "base/command.h"
#include "base/text.h"
#include "http/client.h"
#include "web/inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LIMIT_S: a store that does not answer by then does not; CPU_S: nor does what computes. MOST_BYTES of an
 * answer: a list of 10^5 programs is some 30 MB. */
enum { LIMIT_S = 10, CPU_S = 30, MOST_BYTES = 256 << 20 };

bool ft__errand_word(struct ft__errand *errand, const char *format, ...)
{
	char *word = NULL;
	va_list args;
	size_t n = 0;

	while (errand->argv[n])
		n++;
	va_start(args, format);
	int length = n < FT__WEB_WORDS ? vasprintf(&word, format, args) : -1;
	va_end(args);
	if (length < 0)
		return false;
	errand->argv[n] = ft_strdup(word);
	free(word);
	return errand->argv[n];
}

void ft__errand_clear(void *what)
{
	struct ft__errand *errand = what;

	for (size_t i = 0; i < FT__WEB_WORDS; i++)
		ft_free(errand->argv[i]);
	ft_free(errand->input);
	ft_free(errand->socket);
	ft_free(errand->target);
	ft_free(errand->text);
	ft_free(errand->said);
	*errand = (struct ft__errand){0};
}

static void fail_errand(struct ft__errand *errand, unsigned code, const char *said)
{
	errand->code = code;
	ft_free(errand->said);
	errand->said = ft_strdup(said);
}

static void ask_manager(struct ft__errand *errand)
{
	struct ft_err err = {0};
	enum ft_status status = (errand->post ? ft__http_post : ft__http_get)(
		errand->socket, errand->target, &errand->code, &errand->text, &err);

	if (status == FT_ENOENT && !errand->post) {
		/* That none is there is no failure. */
		errand->code = 200;
		errand->text = ft_strdup("null\n");
	} else if (status) {
		fail_errand(errand, 503, err.text);
	}
}

static void judge_command(struct ft__errand *errand, const struct ft__command *command, enum ft_status status)
{
	if (status && command->late)
		fail_errand(errand, 504,
			    "foretime: the store does not answer\n"
			    "hint: see whether the file system that it lies on is there");
	else if (command->status < 0 || status == FT_ENOMEM)
		fail_errand(errand, 500,
			    "foretime: the command that was to answer did not end by itself\n"
			    "hint: ask again");
	else
		errand->code = command->status > 1 || !command->length ? 400 : 200;
}

static void ask_command(struct ft__errand *errand)
{
	struct ft__command command = {
		.argv = (const char *const *)errand->argv,
		.input = errand->input,
		.apart = true,
		.limit_s = LIMIT_S,
		.cpu_s = CPU_S,
		.most_bytes = MOST_BYTES,
	};
	enum ft_status status = ft__command_run(&command, NULL);

	errand->text = command.text;
	errand->said = command.words;
	command.text = command.words = NULL;
	judge_command(errand, &command, status);
	ft__command_clear(&command);
}

void ft__errand_run(void *what)
{
	struct ft__errand *errand = what;

	if (errand->argv[0])
		ask_command(errand);
	else
		ask_manager(errand);
}

/* The line of a kind, "hint: ", of what a command said; its length: out, 0: there is none. */
static const char *line_of(const char *said, const char *kind, int *length)
{
	const char *at = said;
	size_t n = strlen(kind);

	*length = 0;
	while (at && *at) {
		if (!strncmp(at, kind, n)) {
			*length = (int)strcspn(at + n, "\n");
			return at + n;
		}
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return "";
}

static struct ft_http_answer *refuse_errand(const struct ft__errand *errand)
{
	struct ft_text text = {0}, remedy = {0};
	struct ft_http_answer *answer = NULL;
	int n, m;
	const char *said = line_of(errand->said, "foretime: ", &n);
	const char *hint = line_of(errand->said, "hint: ", &m);

	if (!n && errand->said) {
		said = errand->said;
		n = (int)strcspn(said, "\n");
	}
	ft_text_add(&text, "%.*s", n ? n : 20, n ? said : "nothing was answered");
	ft_text_add(&remedy, "%.*s", m, hint);
	if (!text.failed && !remedy.failed)
		answer = ft_http_refuse(errand->code, text.s, remedy.s);
	ft_text_clear(&text);
	ft_text_clear(&remedy);
	return answer;
}

struct ft_http_answer *ft__errand_answer(const struct ft__errand *errand)
{
	/* A manager refuses as we do. */
	if (errand->code != 200 && (errand->argv[0] || !errand->text))
		return refuse_errand(errand);
	if (!errand->text)
		return NULL;
	struct ft_http_answer *answer =
		ft_http_answer_new(errand->code, "application/json", errand->text, strlen(errand->text));
	if (answer && !ft_http_answer_header(answer, "Cache-Control", "no-store")) {
		ft_http_answer_free(answer);
		return NULL;
	}
	return answer;
}
