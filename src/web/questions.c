/* SPDX-License-Identifier: GPL-3.0-or-later */
/* questions.c - the questions of the page: commands that read, and compute from posted data. None of them
 * runs a program, writes a store or opens a file named by the page. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/text.h"
#include "http/client.h"
#include "tell/tell.h"
#include "web/inside.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A query to a command, or to a manager.
 */

/* LIMIT_S: a store that does not answer by then does not; CPU_S: nor does what computes. A report of 10^7 jobs
 * takes a minute. MOST_BYTES of an answer: a list of 10^5 programs is some 30 MB. */
enum { LIMIT_S = 10, CPU_S = 30, REPORT_S = 120, MOST_BYTES = 256 << 20 };

/* A copy becomes its next word. false: no memory, or no room. */
FT_PRINTF(2, 3) static bool errand_word(struct ft__errand *errand, const char *format, ...)
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
	ft__command_dismiss(&errand->ahead);
	ft_free(errand->input);
	ft_free(errand->socket);
	ft_free(errand->target);
	ft_free(errand->text);
	ft_free(errand->said);
	*errand = (struct ft__errand){0};
}

static void fail_errand(struct ft__errand *errand, unsigned code, const char *message)
{
	errand->code = code;
	ft_free(errand->said);
	errand->said = ft_strdup(message);
}

static void ask_command(struct ft__errand *errand)
{
	struct ft__command command = {
		.argv = (const char *const *)errand->argv,
		.input = errand->input,
		.apart = true,
		.ahead = &errand->ahead,
		.interrupt = errand->interrupt,
		.limit_s = errand->limit_s ? errand->limit_s : LIMIT_S,
		.cpu_s = errand->limit_s ? errand->limit_s : CPU_S,
		.most_bytes = MOST_BYTES,
	};
	enum ft_status status = ft__command_run(&command, NULL);

	errand->text = command.text;
	errand->said = command.words;
	command.text = command.words = NULL;
	if (status && command.late && errand->limit_s)
		fail_errand(errand, 504,
			    "foretime: the report takes too long\n"
			    "hint: begin the service with fewer files, or ask the command: foretime report");
	else if (status && command.late)
		fail_errand(errand, 504,
			    "foretime: the store does not answer\n"
			    "hint: see whether the file system that it lies on is there");
	else if (command.status < 0 || status == FT_ENOMEM)
		fail_errand(errand, 500,
			    "foretime: the command that was to answer did not end by itself\n"
			    "hint: ask again");
	else
		errand->code = command.status > 1 || !command.length ? 400 : 200;
	ft__command_clear(&command);
}

void ft__errand_run(void *what)
{
	struct ft__errand *errand = what;

	if (errand->argv[0])
		ask_command(errand);
	else {
		struct ft_err err = {0};
		enum ft_status status = (errand->post ? ft__http_post : ft__http_get)(
			errand->socket, errand->target, &errand->code, &errand->text, &err);

		if (status == FT_ENOENT && !errand->post) {
			/* It is no failure if there is none. */
			errand->code = 200;
			errand->text = ft_strdup("null\n");
		} else if (status) {
			fail_errand(errand, 503, err.text);
		}
	}
}

/* The line of a kind, "hint: ", in the output of a command; its length: out, 0: there is none. */
static const char *line_of(const char *message, const char *kind, int *length)
{
	const char *at = message;
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
	const char *message = line_of(errand->said, "foretime: ", &n);
	const char *hint = line_of(errand->said, "hint: ", &m);

	if (!n && errand->said) {
		message = errand->said;
		n = (int)strcspn(message, "\n");
	}
	ft_text_add(&text, "%.*s", n ? n : 20, n ? message : "nothing was answered");
	ft_text_add(&remedy, "%.*s", m, hint);
	if (!text.failed && !remedy.failed)
		answer = ft_http_refuse(errand->code, text.s, remedy.s);
	ft_text_clear(&text);
	ft_text_clear(&remedy);
	return answer;
}

/* errand_answer - for the browser; NULL: no memory. */
static struct ft_http_answer *errand_answer(const struct ft__errand *errand)
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

/*
 * Distribute queries to threads. A thread that hangs is lost; the rest continue.
 *
 * Each question has a process of its own, which may crash or hang with a broken store. To start one takes longer than
 * to answer most questions: so some are started before, while nobody asks.
 */

#define QUIET_NS 300000000LL

enum { GONE_MS = 100 }; /* how late it is noticed that a client is gone */

/* Set when the client of a seat is gone; not of struct ft_web, because a thread may be left behind. */
static volatile sig_atomic_t seat_left[FT__WEB_SEATS];

enum ft_status ft__seats_open(struct ft_web *web, struct ft_err *err)
{
	for (size_t i = 0; i < FT__WEB_SEATS; i++) {
		FT_TRY(ft__aside_new(&web->seat[i].aside, sizeof(struct ft__errand), ft__errand_run,
				     ft__errand_clear, err));
		FT_TRY(ft__web_watch(web, ft__aside_fd(web->seat[i].aside), err));
	}
	return FT_OK;
}

void ft__seats_close(struct ft_web *web)
{
	struct ft__queued *queued;

	for (size_t i = 0; i < FT__WEB_SEATS; i++)
		ft__aside_free(web->seat[i].aside);
	while (web->n_ahead)
		ft__command_dismiss(&web->ahead[--web->n_ahead]);
	while ((queued = web->first)) {
		web->first = queued->next;
		ft__errand_clear(&queued->errand);
		ft_free(queued);
	}
}

/* First come, first served. */
static void sit_down(struct ft_web *web)
{
	for (size_t i = 0; i < FT__WEB_SEATS && web->first; i++) {
		struct ft__queued *queued = web->first;
		struct ft__ahead *ahead = &queued->errand.ahead;

		if (web->seat[i].ask)
			continue;
		if (queued->errand.argv[0] && web->n_ahead && !ahead->pid)
			*ahead = web->ahead[--web->n_ahead];
		web->ahead_due_ns = ft_clock_ns() + QUIET_NS;
		seat_left[i] = false;
		queued->errand.interrupt = &seat_left[i];
		if (!ft__aside_ask(web->seat[i].aside, &queued->errand))
			continue;
		web->seat[i].ask = queued->ask;
		web->first = queued->next;
		web->last = web->first ? web->last : NULL;
		ft_free(queued);
	}
}

struct ft_http_answer *ft__seats_ask(struct ft_web *web, struct ft_http_ask *ask, struct ft__errand *errand)
{
	struct ft__queued *queued = ft_malloc(sizeof *queued);

	if (!queued) {
		ft__errand_clear(errand);
		return NULL;
	}
	*queued = (struct ft__queued){*errand, ask, NULL};
	if (web->last)
		web->last->next = queued;
	else
		web->first = queued;
	web->last = queued;
	ft_http_put_off(ask);
	sit_down(web);
	return NULL;
}

void ft__seats_settle(struct ft_web *web)
{
	struct ft__errand errand;

	/* What nobody waits for any more, as the page asks another question, is not begun, or is ended. */
	for (size_t i = 0; i < FT__WEB_SEATS; i++)
		seat_left[i] = seat_left[i] || (web->seat[i].ask && ft_http_gone(web->seat[i].ask));
	web->last = NULL;
	for (struct ft__queued **at = &web->first, *queued; (queued = *at);) {
		if (!ft_http_gone(queued->ask)) {
			web->last = queued;
			at = &queued->next;
			continue;
		}
		*at = queued->next;
		ft_http_give(queued->ask, ft_http_refuse(503, "the client is gone", NULL));
		ft__errand_clear(&queued->errand);
		ft_free(queued);
	}
	for (size_t i = 0; i < FT__WEB_SEATS; i++) {
		if (!web->seat[i].ask || !ft__aside_answer(web->seat[i].aside, &errand, 0))
			continue;
		ft_http_give(web->seat[i].ask, errand_answer(&errand));
		web->seat[i].ask = NULL;
		ft__errand_clear(&errand);
	}
	sit_down(web);
	if (!ft__seats_wait_ms(web)) {
		bool started = ft__command_ahead(&web->ahead[web->n_ahead], web->options.command);

		web->n_ahead += started;
		web->ahead_due_ns = started ? 0 : ft_clock_ns() + 100 * QUIET_NS;
	}
}

int ft__seats_wait_ms(const struct ft_web *web)
{
	int64_t left = web->ahead_due_ns - ft_clock_ns();

	for (size_t i = 0; i < FT__WEB_SEATS; i++)
		if (web->seat[i].ask)
			return GONE_MS;
	return web->n_ahead == FT__WEB_AHEAD ? -1 : left > 0 ? (int)(left / 1000000) + 1 : 0;
}

/*
 * The questions of the page: commands that read, and compute from posted data. None of them runs a
 * program, writes a store or opens a file named by the page.
 */

struct questions_question {
	const char *path;                   /* behind /api/, without the name */
	const char *words[5];               /* the command, before --json */
	const char *options;                /* that may be given, by name, with a blank between them */
	const struct ft_question *question; /* its fields may, too */
	bool name;                          /* of a program: what follows in the path */
	bool values;                        /* what is no option is a word: n=100, time=1h */
	bool data;                          /* is posted, and read from standard input */
	bool kept;  /* the name is that of a trace, which it reads: on the shelf, or of a run */
	bool files; /* it reads the files that the owner of the service named, and no store */
};

/* Common to all questions about traces. */
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
	{"plan/partition/", {"plan", "partition"}, "on risk", .name = true, .values = true},
	{"plan/map", {"plan", "map", "-"}, "on risk", .data = true},
	{"machines", {"machine", "list"}, .options = NULL},
	{"report", {"report"}, "by user partition risk limit", .files = true},
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
			   ? !errand_word(r->errand, "--%s", key)
			   : !errand_word(r->errand, option ? "--%s=%s" : "%s=%s", key, value)) {
		r->status = ft_fail(r->err, FT_EINVAL, "there are too many values");
	}
	return !r->status;
}

/* A path or an option is not accepted as a name. */
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
	bool good = errand_word(r->errand, "%s", web->options.command);

	for (size_t i = 0; good && r->question->words[i]; i++)
		good = errand_word(r->errand, "%s",
				   r->question->kept && is_stored(name) && !strcmp(r->question->words[i], "-")
					   ? name
					   : r->question->words[i]);
	if (good && r->question->name && !r->question->kept)
		good = errand_word(r->errand, "%s", name);
	for (size_t i = 0; good && r->question->files && i < web->options.n_report; i++)
		good = errand_word(r->errand, "%s", web->options.report[i]);
	if (r->question->files)
		r->errand->limit_s = REPORT_S;
	else if (good && web->options.store && (!r->question->kept || is_stored(name)))
		good = errand_word(r->errand, "--store=%s", web->options.store);
	return good && errand_word(r->errand, "--json");
}

/* The input of the command: the posted data, or a trace of the shelf. */
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
	if (r.question->files && !web->options.n_report) {
		(void)ft_fail(err, FT_ENOENT, "this service has no jobs to report of");
		return ft_remedy(err, "name their files where it is started: foretime serve --report FILE");
	}
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
