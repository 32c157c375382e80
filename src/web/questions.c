/* SPDX-License-Identifier: GPL-3.0-or-later */
/* questions.c - what the page may ask: commands that read, and compute from what is posted. None of them runs
 * a program, writes a store or opens a file that the page names. */
#include "base/alloc.h"
#include "base/text.h"
#include "base/word.h"
#include "tell/question.h"
#include "web/inside.h"

#include <stdint.h>
#include <string.h>

struct questions_question {
	const char *path;                   /* behind /api/, without the name */
	const char *words[5];               /* the command, before --json */
	const char *options;                /* that may be given, by name, with a blank between them */
	const struct ft_question *question; /* its fields may, too */
	bool name;                          /* of a program: what follows in the path */
	bool values;                        /* what is no option is a word: n=100, time=1h */
	bool data;                          /* is posted, and read from standard input */
	bool kept; /* the name is that of a trace, which it reads: on the shelf, or of a run */
};

/* Of all about traces. */
#define COLUMNS "time value gaps"

static const struct questions_question questions[] = {
	{"list", {"list"}, NULL, &ft_question_list, .name = false},
	{"list/", {"list"}, NULL, &ft_question_list, .name = true},
	{"show/", {"show"}, NULL, &ft_question_show, .name = true},
	{"plot/", {"plot"}, "resource confidence device machine hash", .name = true, .values = true},
	{"predict/", {"predict"}, NULL, &ft_question_predict, .name = true, .values = true},
	{"largest/", {"largest"}, NULL, &ft_question_largest, .name = true, .values = true},
	{"request/", {"request"}, NULL, &ft_question_request, .name = true, .values = true},
	{"fit/", {"fit"}, NULL, &ft_question_fit, .name = true, .values = true},
	{"trace/show/", {"trace", "show", "-"}, "at width within " COLUMNS, .name = true, .kept = true},
	{"trace/fit/", {"trace", "fit", "-"}, "pieces start ends " COLUMNS, .name = true, .kept = true},
	{"trace/constrain/",
	 {"trace", "constrain", "-"},
	 "keep lambda smooth " COLUMNS,
	 .name = true,
	 .kept = true},
	{"trace/phases/", {"trace", "phases", "-"}, "pieces " COLUMNS, .name = true, .kept = true},
	{"machines", {"machine", "list"}, .options = NULL},
	{0},
};

static const struct questions_question *find_question(const char *path, bool post, const char **name)
{
	for (const struct questions_question *question = questions; question->path; question++) {
		size_t n = strlen(question->path);

		*name = path + n;
		if (question->data == post && !strncmp(path, question->path, n) &&
		    question->name == (**name != 0))
			return question;
	}
	return NULL;
}

struct questions_reading {
	const struct questions_question *question;
	struct ft__errand *errand;
	struct ft_err *err;
	enum ft_status status;
};

/* A start is a word or times: anything else would be a file of nodes. */
static bool names_file(const char *key, const char *value)
{
	return !strcmp(key, "start") && !strchr(value, ',') && strpbrk(value, "./");
}

static enum ft_status refuse_key(struct questions_reading *r, const char *key)
{
	const struct ft_field *field = r->question->question ? r->question->question->fields : NULL;
	struct ft_text known = {0};

	for (; field && field->name; field++)
		if (field->kind != FT_FIELD_HEADING && field->help)
			ft_text_add(&known, "%s%s", known.length ? " " : "", field->name);
	if (r->question->options)
		ft_text_add(&known, "%s", r->question->options);
	(void)ft_fail(r->err, FT_EINVAL, "unknown parameter '%.100s'", key);
	if (known.length && !known.failed)
		(void)ft_remedy(r->err, "the parameters are: %s%s", known.s,
				r->question->values ? ", and values of parameters" : "");
	ft_text_clear(&known);
	return FT_EINVAL;
}

/* A value is behind its key, so that none can be an option. */
static bool add_value(void *ctx, const char *key, const char *value)
{
	struct questions_reading *r = ctx;
	const struct ft_field *field =
		r->question->question ? ft_field_find(r->question->question->fields, key, strlen(key)) : NULL;
	bool option = field || (r->question->options && ft_word_at(r->question->options, key) != SIZE_MAX);

	if (!value || (!option && (!r->question->values || !*key || ft__name_length(key) != strlen(key)))) {
		r->status = refuse_key(r, key);
	} else if (r->question->kept && names_file(key, value)) {
		r->status = ft_fail(r->err, FT_EINVAL, "'%.100s' is no start here", value);
		(void)ft_remedy(r->err, "name one, or times with commas between them");
	} else if (field && field->kind == FT_FIELD_FLAG
			   ? !ft__errand_word(r->errand, "--%s", key)
			   : !ft__errand_word(r->errand, option ? "--%s=%s" : "%s=%s", key, value)) {
		r->status = ft_fail(r->err, FT_EINVAL, "there are too many values");
	}
	return !r->status;
}

/* What is a file elsewhere, or an option, is no name here. */
static enum ft_status check_name(const char *name, struct ft_err *err)
{
	const char *end = strrchr(name, '.');

	if (*name == '-' || (end && ft_word_at(".csv .tsv .txt .gz", end) != SIZE_MAX)) {
		(void)ft_fail(err, FT_EINVAL, "'%.100s' is not available here", name);
		return ft_remedy(err, "ask the command: the page takes no paths and no options");
	}
	return FT_OK;
}

/* A trace that the store keeps of a run, "run:17", by its number alone. */
static bool is_stored(const char *name)
{
	return !strncmp(name, "run:", 4) && name[4] && !name[4 + strspn(name + 4, "0123456789")];
}

static bool add_words(struct questions_reading *r, const struct ft_web *web, const char *name)
{
	bool good = ft__errand_word(r->errand, "%s", web->options.command);

	for (size_t i = 0; good && r->question->words[i]; i++)
		good = ft__errand_word(r->errand, "%s",
				       r->question->kept && is_stored(name) &&
						       !strcmp(r->question->words[i], "-")
					       ? name
					       : r->question->words[i]);
	if (good && r->question->name && !r->question->kept)
		good = ft__errand_word(r->errand, "%s", name);
	if (good && web->options.store && (!r->question->kept || is_stored(name)))
		good = ft__errand_word(r->errand, "--store=%s", web->options.store);
	return good && ft__errand_word(r->errand, "--json");
}

/* What the command is to read: what was posted, or a trace of the shelf. */
static enum ft_status add_input(struct questions_reading *r, struct ft_web *web,
				const struct ft_http_ask *ask, const char *name)
{
	const char *text = r->question->kept ? ft__shelf_get(&web->shelf, name) : ask->body;

	if ((!r->question->kept && !r->question->data) || (r->question->kept && is_stored(name)))
		return FT_OK;
	if (!text) {
		(void)ft_fail(r->err, FT_ENOENT, "this trace is not kept any more");
		return ft_remedy(r->err, "give it again");
	}
	r->errand->input = ft_strdup(text);
	return r->errand->input ? FT_OK : ft_nomem(r->err);
}

enum ft_status ft__question_read(struct ft_web *web, const struct ft_http_ask *ask, struct ft__errand *errand,
				 struct ft_err *err)
{
	const char *name;
	bool post = !strcmp(ask->method, "POST");
	struct questions_reading r = {find_question(ask->rest, post, &name), errand, err, FT_OK};

	*errand = (struct ft__errand){0};
	if (!r.question)
		return ft_fail(err, FT_ENOENT, "there is no such question");
	if (r.question->name)
		r.status = check_name(name, err);
	if (!r.status && !add_words(&r, web, name))
		r.status = ft_nomem(err);
	if (!r.status)
		ft_http_each(ask, add_value, &r);
	if (!r.status)
		r.status = add_input(&r, web, ask, name);
	if (r.status)
		ft__errand_clear(errand);
	return r.status;
}
