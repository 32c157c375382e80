/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-question.c - fields of a question, as HTTP and the page give them. */
#include "tap.h"
#include "tell/tell.h"

#include <math.h>
#include <string.h>

static const struct ft_field fields[] = {
	{FT_ASKED("risk", risk), .kind = FT_FIELD_SHARE, .not_with = "cpus"},
	FT_ASKED_CONFIDENCE,
	{FT_ASKED("cpus", cpus), .kind = FT_FIELD_COUNT},
	FT_ASKED_LOAD,
	{0},
};
static const struct ft_question question = {.name = "made", .fields = fields, .words = "PARAM: its value"};

static struct ft_asked asked;
static struct ft_err err;

/* "KEY=VALUE", several with blanks between them. */
static enum ft_status take(const char *pairs)
{
	static char text[200];
	char *rest;
	enum ft_status status = FT_OK;

	asked = ft_asked_usual;
	err = (struct ft_err){0};
	(void)snprintf(text, sizeof text, "%s", pairs);
	for (char *key = strtok_r(text, " ", &rest); key && !status; key = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(key, '=');

		if (value)
			*value++ = '\0';
		status = ft_asked_take(&question, &asked, key, value, &err);
	}
	return status;
}

int main(void)
{
	ok(!take("confidence=99% n=512 niced=1 cpus=4 size.cpus=7") &&
		   fabs(asked.confidence - 0.99) < 1e-12 && asked.niced && asked.cpus == 4 && asked.n == 2 &&
		   !asked.word[0].size && asked.word[1].size && !strcmp(asked.word[1].key, "cpus") &&
		   !strcmp(asked.word[1].value, "7"),
	   "fields get their values, all else are parameters and limits");
	ok(take("cpus=none") == FT_EPARSE && !strncmp(err.text, "cpus: ", 6) &&
		   take("niced=0") == FT_EINVAL && take("load=busy") == FT_EINVAL && take("n") == FT_EINVAL,
	   "what is no value of a field is refused: %s", err.text);
	ok(take("cpus=4 load=now risk=5%") == FT_EINVAL &&
		   !strcmp(err.text, "cpus and risk exclude each other") &&
		   !strcmp(err.remedy, "leave one of them out"),
	   "fields that exclude each other: %s", err.text);
	ok(take("risk=5% cpus=4") == FT_EINVAL && !take("risk=5% size.cpus=4"),
	   "in either order; a parameter of that name is another thing");
	ok(!take("confidence=0.9 confidence=0.8") && fabs(asked.confidence - 0.8) < 1e-12,
	   "a field excludes not itself");
	const struct ft_question without = {.name = "bare", .fields = fields};
	asked = ft_asked_usual;
	err = (struct ft_err){0};
	ok(ft_asked_take(&without, &asked, "n", "512", &err) == FT_EINVAL &&
		   strstr(err.remedy, "confidence") && !ft_asked_take(&without, &asked, "cpus", "4", NULL),
	   "a question that takes no parameters lists its fields: %s", err.remedy);
	return done();
}
