/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-question.c - fields of a question, as HTTP and the page give them. */
#include "tap.h"
#include "tell/tell.h"

#include <math.h>
#include <string.h>

static const struct ft_field fields[] = {
	{FT_QUERY("risk", risk), .kind = FT_FIELD_SHARE, .not_with = "cpus"},
	FT_QUERY_CONFIDENCE,
	{FT_QUERY("cpus", cpus), .kind = FT_FIELD_COUNT},
	FT_QUERY_LOAD,
	{0},
};
static const struct ft_question question = {.name = "made", .fields = fields, .words = "PARAM: its value"};

static struct ft_query query;
static struct ft_err err;

/* "KEY=VALUE", several with blanks between them. */
static enum ft_status take(const char *pairs)
{
	static char text[200];
	char *rest;
	enum ft_status status = FT_OK;

	query = ft_query_usual;
	err = (struct ft_err){0};
	(void)snprintf(text, sizeof text, "%s", pairs);
	for (char *key = strtok_r(text, " ", &rest); key && !status; key = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(key, '=');

		if (value)
			*value++ = '\0';
		status = ft_query_take(&question, &query, key, value, &err);
	}
	return status;
}

int main(void)
{
	ok(!take("confidence=99% n=512 niced=1 cpus=4 size.cpus=7") &&
		   fabs(query.confidence - 0.99) < 1e-12 && query.niced && query.cpus == 4 && query.n == 2 &&
		   !query.word[0].size && query.word[1].size && !strcmp(query.word[1].key, "cpus") &&
		   !strcmp(query.word[1].value, "7"),
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
	ok(!take("confidence=0.9 confidence=0.8") && fabs(query.confidence - 0.8) < 1e-12,
	   "a field excludes not itself");
	const struct ft_question without = {.name = "bare", .fields = fields};
	query = ft_query_usual;
	err = (struct ft_err){0};
	ok(ft_query_take(&without, &query, "n", "512", &err) == FT_EINVAL &&
		   strstr(err.remedy, "confidence") && !ft_query_take(&without, &query, "cpus", "4", NULL),
	   "a question that takes no parameters lists its fields: %s", err.remedy);
	return done();
}
