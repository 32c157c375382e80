/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - what a request asks. */
#include "manager/question.h"
#include "foretime/request.h"
#include "base/alloc.h"
#include "foretime/units.h"

#include <math.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------- */

/* What the command's --cpus holds. */
static const double CPUS_BOUND = 0x1p64;

struct question_reading {
	struct ft__query *question;
	const char *options;
	struct ft_err *err;
	enum ft_status status;
};

static bool takes_option(const char *options, const char *key)
{
	const char *at = options;
	size_t n = strlen(key);

	while (n && (at = strstr(at, key))) {
		if ((at == options || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
		at += n;
	}
	return false;
}

/* ---- which words --------------------------------------------------------------------------------------- */

/* More than all that a question may have. */
enum { KEYS_MOST = FT__WORDS_MOST + 16 };

struct keys {
	const char *options; /* NULL: any */
	const char *key[KEYS_MOST];
	size_t n;
	struct ft_err *err;
	enum ft_status status;
};

static enum ft_status check_key(struct keys *keys, const char *key)
{
	size_t i;

	if (keys->options && !takes_option(keys->options, key)) {
		(void)ft_fail(keys->err, FT_EINVAL, "'%s' is not asked here", key);
		return ft_remedy(keys->err, "asked are: %s", keys->options);
	}
	for (i = 0; i < keys->n && strcmp(keys->key[i], key) != 0; i++)
		;
	if (i < keys->n) {
		(void)ft_fail(keys->err, FT_EINVAL, "'%s' is there twice", key);
		return ft_remedy(keys->err, "name it once");
	}
	if (keys->n == KEYS_MOST)
		return ft_fail(keys->err, FT_EINVAL, "more than %d values", (int)FT__WORDS_MOST);
	keys->key[keys->n++] = key;
	return FT_OK;
}

static bool each_key(void *ctx, const char *key, const char *value)
{
	struct keys *keys = ctx;

	(void)value;
	keys->status = check_key(keys, key);
	return !keys->status;
}

enum ft_status ft__query_check(const struct ft_http_ask *ask, const char *options, struct ft_err *err)
{
	struct keys keys = {.options = options, .err = err};

	ft_http_each(ask, each_key, &keys);
	return keys.status;
}

/* ---- their values -------------------------------------------------------------------------------------- */

static enum ft_status read_bytes(const char *value, double *bytes, struct ft_err *err)
{
	return ft_value_parse(value, "bytes", bytes, err);
}

static enum ft_status read_cpus(const char *value, double *cpus, struct ft_err *err)
{
	if (ft_number_parse(value, cpus, err))
		return FT_EINVAL;
	if (*cpus >= 1 && *cpus == floor(*cpus) && *cpus < CPUS_BOUND)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' is no number of processors", value);
	return ft_remedy(err, "a whole number from 1 on, as cpus=4");
}

static enum ft_status read_option(struct ft__query *question, const char *key, const char *value,
				  struct ft_err *err)
{
	if (!strcmp(key, "resource"))
		question->resource = value;
	else if (!strcmp(key, "machine"))
		question->subject.machine = value;
	else if (!strcmp(key, "format"))
		question->format = value;
	else if (!strcmp(key, "confidence"))
		return ft_share_parse(value, 0.5, 0.9995, &question->confidence, err);
	else if (!strcmp(key, "at-most"))
		question->at_most = value;
	else if (!strcmp(key, "retry"))
		question->retry = value;
	else if (!strcmp(key, "risk") && !strcmp(value, "least"))
		question->risk = FT_RISK_LEAST_MOST;
	else if (!strcmp(key, "risk"))
		return ft_share_parse(value, 0.001, 0.25, &question->risk, err);
	else if (!strcmp(key, "overhead"))
		return read_bytes(value, &question->overhead, err);
	else if (!strcmp(key, "at-least"))
		return read_bytes(value, &question->at_least, err);
	else if (!strcmp(key, "cpus"))
		return read_cpus(value, &question->cpus, err);
	else if (!ft_load_view_parse(value, &question->subject.load) || question->subject.load == FT_LOAD_NOW)
		return ft_fail(err, FT_EINVAL, "load is idle or usual, not '%s'", value);
	return FT_OK;
}

static enum ft_status add_word(struct ft__query *question, const char *key, const char *value, bool size,
			       struct ft_err *err)
{
	if (question->n == FT__WORDS_MOST)
		return ft_fail(err, FT_EINVAL, "more than %d values", (int)FT__WORDS_MOST);
	question->word[question->n].key = key;
	question->word[question->n].value = value;
	question->word[question->n++].size = size;
	return FT_OK;
}

static bool read_value(void *ctx, const char *key, const char *value)
{
	struct question_reading *reading = ctx;
	bool size = !strncmp(key, "size.", 5);

	if (!value)
		reading->status = ft_fail(reading->err, FT_EINVAL, "'%s' has no value", key);
	else if (!size && takes_option(reading->options, key))
		reading->status = read_option(reading->question, key, value, reading->err);
	else
		reading->status =
			add_word(reading->question, size ? key + 5 : key, value, size, reading->err);
	return !reading->status;
}

enum ft_status ft__query_read(const struct ft_http_ask *ask, const char *options, struct ft__query *out,
			      struct ft_err *err)
{
	struct question_reading reading = {out, options, err, FT_OK};

	*out = (struct ft__query){.subject = {.name = ask->rest, .load = FT_LOAD_IDLE},
				  .confidence = 0.9,
				  .risk = NAN,
				  .overhead = NAN};
	reading.status = ft__query_check(ask, NULL, err);
	if (!reading.status)
		ft_http_each(ask, read_value, &reading);
	return reading.status;
}
