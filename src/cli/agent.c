/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent.c - several managers, asked at the same time. */
#include "cli/cli.h"
#include "http/client.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Addresses and tokens, as typed.
 */

static int add_manager(struct cli_agent *agent, const char *word, size_t length)
{
	CLI_OWN char *address = cli_printed("%.*s", (int)length, word);
	struct ft_err err = {0};

	if (ft__http_address(address, &err))
		return cli_error_at(&err, "--ask");
	for (size_t i = 0; i < agent->n; i++)
		if (!strcmp(agent->manager[i].address, address))
			return cli_fail("--ask names '%s' twice\nhint: name it once", address);
	agent->manager = cli_grow(agent->manager, agent->n, sizeof *agent->manager);
	agent->gone = cli_grow(agent->gone, agent->n, sizeof *agent->gone);
	agent->text = cli_grow(agent->text, 2 * agent->n, sizeof *agent->text);
	agent->text = cli_grow(agent->text, 2 * agent->n + 1, sizeof *agent->text);
	agent->text[2 * agent->n] = cli_strdup(address);
	agent->text[2 * agent->n + 1] = NULL;
	agent->gone[agent->n] = false;
	agent->manager[agent->n] =
		(struct ft_tell_asked){.address = agent->text[2 * agent->n], .authority = agent->certificate};
	agent->n++;
	return CLI_DONE;
}

/* The token of a manager: behind its address, or the only word of the file. Ends with free; NULL: none. */
static char *token_of(const char *text, const char *address)
{
	const size_t length = strlen(address);

	for (const char *line = text; *line; line += strspn(line, "\n")) {
		const char *word = line + strspn(line, " \t");
		const size_t n = strcspn(word, " \t\r\n");
		const char *second = word + n + strspn(word + n, " \t");

		if (n == length && !strncmp(word, address, n))
			return cli_printed("%.*s", (int)strcspn(second, " \t\r\n"), second);
		line += strcspn(line, "\n");
	}
	return strpbrk(text, " \t\n") ? NULL : cli_strdup(text);
}

int cli_agent_open(struct cli_agent *agent)
{
	if (!(agent->timeout_s > 0))
		return cli_fail("--ask timeout is a time above 0, as in timeout=5s");
	for (size_t i = 0; i < agent->ask.n; i++)
		for (const char *at = agent->ask.text[i];; at++) {
			const size_t length = strcspn(at, ",");

			CLI_TRY(add_manager(agent, at, length));
			at += length;
			if (!*at)
				break;
		}
	CLI_OWN char *text = agent->token ? cli_secret_read(agent->token, true) : NULL;

	if (agent->token && !text)
		return CLI_WRONG;
	for (size_t i = 0; text && i < agent->n; i++) {
		const char *address = agent->manager[i].address;
		char *token = strncmp(address, "https:", 6) != 0 ? NULL : token_of(text, address);

		agent->text[2 * i + 1] = token;
		agent->manager[i].token = token;
	}
	return CLI_DONE;
}

static void drop_answers(struct cli_agent *agent)
{
	for (size_t i = 0; i < agent->n; i++) {
		json_decref(agent->manager[i].answer);
		agent->manager[i].answer = NULL;
	}
}

void cli_agent_close(struct cli_agent *agent)
{
	drop_answers(agent);
	for (size_t i = 0; i < 2 * agent->n; i++)
		free(agent->text[i]);
	for (size_t i = 0; i < agent->n_unanswered; i++) {
		free((char *)(uintptr_t)agent->unanswered[i].why);
		free((char *)(uintptr_t)agent->unanswered[i].remedy);
	}
	free(agent->manager);
	free(agent->text);
	free(agent->gone);
	free(agent->unanswered);
	agent->n = agent->n_unanswered = 0;
}

/*
 * Questions and answers.
 */

static void complain(struct cli_agent *agent, const struct ft_tell_asked *manager, const char *what)
{
	const struct ft_err *err = &manager->err;
	char *why = err->status != FT_ENOMODEL ? cli_strdup(err->text)
					       : cli_printed("%s refuses%s%s: %s", manager->address,
							     what ? " " : "", what ? what : "", err->text);

	if (agent->n == 1) {
		(void)cli_error(err);
	} else {
		cli_note("%s", why);
		if (*err->remedy)
			cli_hint("%s", err->remedy);
	}
	agent->unanswered = cli_grow(agent->unanswered, agent->n_unanswered, sizeof *agent->unanswered);
	agent->unanswered[agent->n_unanswered++] = (struct ft_answer_unanswered){
		manager->address, why, *err->remedy ? cli_strdup(err->remedy) : NULL};
}

size_t cli_agent_ask(struct cli_agent *agent, struct ft_text *target, const struct ft_tell_record *record,
		     const char *what)
{
	CLI_OWN struct ft_tell_asked *asked = cli_alloc((agent->n + 1) * sizeof *asked);
	CLI_OWN char *text = cli_given(ft_text_take(target));
	size_t n = 0, answers = 0;

	drop_answers(agent);
	for (size_t i = 0; i < agent->n; i++)
		if (!agent->gone[i])
			asked[n++] = agent->manager[i];
	ft_tell_ask_all(asked, n, text, record, agent->timeout_s);
	for (size_t i = n = 0; i < agent->n; i++) {
		if (agent->gone[i])
			continue;
		agent->manager[i] = asked[n++];
		agent->gone[i] = agent->manager[i].err.status && agent->manager[i].err.status != FT_ENOMODEL;
		answers += agent->manager[i].answer != NULL;
		if (!agent->manager[i].answer)
			complain(agent, &agent->manager[i], what);
	}
	return answers;
}

void cli_agent_rank(const struct cli_agent *agent, const char *name, double confidence,
		    struct ft_text *target)
{
	CLI_OWN char *encoded = cli_given(ft__http_encode(name));
	char digits[FT_NUMBER_LENGTH];

	ft_text_add(target, "/rank/%s", encoded);
	ft_tell_target_add(target, "", "confidence", ft_number_format(confidence, digits));
	ft_tell_target_add(target, "", "load", ft_load_view_text(agent->load));
}

bool cli_agent_read(const json_t *answer, double *time_s, struct ft_prediction *at)
{
	const char *basis = json_string_value(json_object_get(answer, "basis"));
	const size_t word = basis ? ft_word_at(FT_TELL_BASES, basis) : SIZE_MAX;
	const double upper = ft_tell_get_number(answer, "upper");

	*at = (struct ft_prediction){.value = ft_tell_get_number(answer, "score_s"),
				     .lower = ft_tell_get_number(answer, "lower"),
				     .upper = isnan(upper) ? (double)INFINITY : upper,
				     .known = ft_tell_get_number(answer, "accuracy"),
				     .basis = word == SIZE_MAX ? FT_BASIS_STATED : (enum ft_basis)word,
				     .distance = ft_tell_get_number(answer, "distance")};
	*time_s = json_is_false(json_object_get(answer, "fits")) ? (double)INFINITY : at->value;
	return isfinite(at->value) && at->value >= 0;
}
