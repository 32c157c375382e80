/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-builder.c - any bytes as lines that a sweep tells the manager: each is refused with words, or what was
 * read of it is within its bounds, can be shown in a line, and is told on. */
#include "base/text.h"
#include "fuzz.h"
#include "manager/construct.h"
#include "tell/answers.h"

#include <string.h>

const char *const fuzz_builder_seeds[] = {
	"{\"schema\":\"foretime-build-steps-1\",\"event\":\"ready\",\"runs\":0,\"known\":2,\"points\":1,"
	"\"complete\":"
	"0.25,\"next\":{\"n\":512,\"m\":20},\"gain\":null,\"seconds\":0.5,\"ended\":false,\"stop\":null}",
	"{\"event\":\"ran\",\"runs\":1,\"complete\":1,\"next\":null,\"ended\":true,\"stop\":\"tolerance\","
	"\"ran\":{"
	"\"size\":{\"n\":512},\"seconds\":0.5,\"paused_s\":0,\"outcome\":\"done\",\"detail\":null}}",
	"{\"event\":\"ran\",\"ran\":{\"size\":{\"n\":1e9},\"seconds\":3,\"paused_s\":1.5,\"outcome\":"
	"\"failed\","
	"\"detail\":\"it said \\u00e4\\n and more\"}}\n{\"event\":\"ended\",\"stop\":\"budget\"}",
	"{\"event\":\"failed\",\"error\":\"cannot open 's.db': no\",\"remedy\":\"look\"}",
	NULL,
};

const char *const fuzz_builder_pieces[] = {
	"\n",
	"{",
	"}",
	"[",
	"\"event\":",
	"\"ran\":",
	"\"size\":",
	"\"next\":",
	"\"seconds\":",
	"\"complete\":",
	"\"detail\":",
	"\"error\":",
	"\"runs\":",
	"null",
	"true",
	"-1",
	"1e308",
	"5e-324",
	"1e999",
	"\\u0000",
	"\\u001b",
	"\\ud83d\\ude00",
	"\xc3\xa4",
	"\xe2\x82",
	"\xc2\x85",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"[[[[[[[[",
	NULL,
};

static int is_line(const char *text)
{
	char shown[512];

	ft__utf8_line(shown, sizeof shown, text);
	return !strcmp(shown, text);
}

static int is_share(double value)
{
	return value >= 0 && value <= 1;
}

/* NaN: not known. */
static int is_finite(double value)
{
	return isnan(value) || isfinite(value);
}

static int is_length(double seconds)
{
	return seconds >= 0 && isfinite(seconds);
}

/* As the manager tells it on. */
static int is_told_on(const struct ft__heard *heard)
{
	const struct ft_answer_event event = {.event = "ran",
					      .size = heard->size,
					      .outcome = heard->outcome,
					      .why = heard->detail,
					      .remedy = heard->remedy,
					      .seconds = heard->ran_s,
					      .frozen_s = heard->frozen_s,
					      .complete = heard->complete,
					      .again_s = NAN};
	json_t *told = ft_tell_json(&ft_tell_event, &event, NULL);
	char *json = told ? json_dumps(told, JSON_COMPACT) : NULL;
	int good = json && !strchr(json, '\n');

	free(json);
	json_decref(told);
	return good;
}

static const char *check(const struct ft__heard *heard)
{
	const char *const text[] = {heard->next,   heard->stop,  heard->size,  heard->outcome,
				    heard->detail, heard->error, heard->remedy};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (!is_line(text[i]))
			return "texts can be shown in a line";
	if (!is_share(heard->complete))
		return "a share is one";
	if (!is_finite(heard->gain) || !is_finite(heard->seconds) || !is_length(heard->ran_s) ||
	    !is_length(heard->frozen_s))
		return "times are times";
	if (heard->kind != FT__HEARD_RAN && (*heard->size || heard->ran_s > 0))
		return "only what ran has a size";
	return is_told_on(heard) ? NULL : "it is told on";
}

static const char *feed(const char *line)
{
	struct ft__heard heard;
	struct ft_err err = {0};
	enum ft_status status = ft__builder_read(line, &heard, &err);

	if (!status)
		return check(&heard);
	if (status != FT_EPARSE || !fuzz_is_told(status, &err) || !is_line(err.text))
		return "what is no line is refused with words";
	return NULL;
}

/* As a child's lines come: ended by a newline, and strings. */
const char *fuzz_builder(const uint8_t *bytes, size_t length)
{
	char *text = malloc(length + 1), *line, *end;
	const char *broken = NULL;

	if (!text)
		return NULL;
	if (length)
		memcpy(text, bytes, length);
	text[length] = '\0';
	for (line = text; line && !broken; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		broken = feed(line);
	}
	free(text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_builder)
#endif
