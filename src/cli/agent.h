/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent.h - several managers, asked at the same time: each answers with its own models and its own load (001 III). */
#ifndef FT_CLI_AGENT_H
#define FT_CLI_AGENT_H

#include "base/text.h"
#include "cli/cli.h"
#include "foretime/base.h"
#include "foretime/load.h"
#include "tell/answers.h"

/* Zero-initialise, but CLI_AGENT_USUAL; ends with cli_agent_close. */
struct cli_agent {
	/* as typed */
	struct ft_field_texts ask;
	const char *token, *authority; /* files */
	double within_s;
	enum ft_load_view load;
	/* as found */
	struct ft_tell_asked *manager; /* [n] */
	char **text;                   /* [2 n] addresses and tokens of these */
	bool *gone;                    /* [n] it failed to answer, and is asked no more */
	size_t n;
	struct ft_answer_unanswered *unanswered; /* [n_unanswered] the complaints so far; texts are ours */
	size_t n_unanswered;
};

#define CLI_AGENT_USUAL                                                                                      \
	{                                                                                                    \
		.within_s = 5, .load = FT_LOAD_NOW                                                           \
	}

/* clang-format off */
#define CLI_AGENT_OPTIONS(agent, who, with) \
	{0, "ask", FT_FIELD_TEXTS, &(agent).ask, "ADDRESS", \
	 who " to ask: https://HOST:PORT or unix:PATH", .not_with = with}, \
	{0, "token", FT_FIELD_TEXT, &(agent).token, "FILE", \
	 "file with the token, or with a line 'ADDRESS TOKEN' for each", .of = "ask"}, \
	{0, "authority", FT_FIELD_TEXT, &(agent).authority, "FILE.pem", \
	 "certificates that are trusted; default: those of the system", .of = "ask"}, \
	{0, "within", FT_FIELD_DURATION, &(agent).within_s, "T", \
	 "time to answer; default 5s", .of = "ask"}
/* clang-format on */

/* cli_agent_open - the addresses and tokens that were typed. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_agent_open(struct cli_agent *agent);
void cli_agent_close(struct cli_agent *agent);

/* cli_agent_ask - request a target from all that have answered so far, at the same time; the answers of before
 * are gone. what: "task 't1'", printed with a refusal; NULL: nothing. Who fails to answer in time is not asked
 * again. Prints a note for each that has no answer. Returns the number of answers.
 *
 * target  taken */
size_t cli_agent_ask(struct cli_agent *agent, struct ft_text *target, const struct ft_tell_record *record,
		     const char *what);

/* cli_agent_rank - "/rank/NAME?confidence=0.9&load=now", to which the size is added. */
void cli_agent_rank(const struct cli_agent *agent, const char *name, double confidence,
		    struct ft_text *target);

/* cli_agent_read - the time in an answer to that; INFINITY: the memory there does not suffice. false: it has no
 * time. */
bool cli_agent_read(const json_t *answer, double *time_s, struct ft_prediction *at);

#endif
