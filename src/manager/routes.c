/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.c - what can be asked over HTTP. No request carries a command, a path or an environment. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "manager/day.h"
#include "manager/inside.h"
#include "manager/question.h"
#include "manager/routes.h"
#include "tell/manager.h"

#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

/* ---- answers as text ----------------------------------------------------------------------------------- */

static const struct {
	enum ft_status status;
	unsigned http;
} codes[] = {
	{FT_EINVAL, 400},  {FT_EPARSE, 400}, {FT_ENOENT, 404},   {FT_ENOMODEL, 409}, {FT_EEXIST, 409},
	{FT_EACCESS, 403}, {FT_EBUSY, 503},  {FT_EUNAVAIL, 503}, {FT_ENOSPC, 507},   {FT_ENOTOURS, 400},
};

struct ft_http_answer *ft__routes_refuse(const struct ft_err *err)
{
	unsigned http = 500;

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].status == err->status)
			http = codes[i].http;
	return ft_http_refuse(http, err->text, err->remedy);
}

struct ft_http_answer *ft__routes_tell(json_t *object)
{
	struct ft_http_answer *answer = NULL;
	char *text = NULL;
	size_t bytes = 0;
	FILE *file = object ? open_memstream(&text, &bytes) : NULL;
	bool good = file && !ft_tell_print(object, file);

	good = file && !fclose(file) && good;
	if (good)
		answer = ft_http_answer_new(200, "application/json", text, bytes);
	free(text);
	json_decref(object);
	return answer;
}

/* What a shell reads of a request: "minutes 5", a line each; what is not known has none. */
static void add_lines(struct ft_text *text, const json_t *told)
{
	const struct {
		const char *name;
		const json_t *value;
		double unit;
	} row[] = {
		{"minutes", json_object_get(json_object_get(told, "time"), "request"), 60},
		{"mib", json_object_get(json_object_get(told, "memory"), "request"), 1048576},
		{"cpus", json_object_get(told, "cpus"), 1},
		{"risk", json_object_get(told, "risk"), 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (json_is_number(row[i].value))
			ft_text_add(text, "%s %.12g\n", row[i].name,
				    json_number_value(row[i].value) / row[i].unit);
}

/* A request, told otherwise than as JSON; object: taken. */
static struct ft_http_answer *tell_plainly(json_t *object, bool slurm)
{
	struct ft_http_answer *answer = NULL;
	struct ft_text text = {0};

	if (json_is_true(json_object_get(object, "refuted")))
		answer = ft_http_refuse(409, "no memory is known to suffice here",
					"a run was killed for memory: measure where there is more");
	else if (json_is_false(json_object_get(object, "answered")))
		answer = ft_http_refuse(409, json_string_value(json_object_get(object, "reason")),
					json_string_value(json_object_get(object, "advice")));
	else if (slurm)
		ft_text_add(&text, "%s\n", json_string_value(json_object_get(object, "slurm")));
	else
		add_lines(&text, object);
	if (!answer && text.s && !text.failed)
		answer = ft_http_answer_new(200, "text/plain", text.s, text.length);
	ft_text_clear(&text);
	json_decref(object);
	return answer;
}

/* ---- questions ----------------------------------------------------------------------------------------- */

/* Forms of an answer. */
enum { AS_JSON, AS_SLURM, AS_TEXT };
struct form {
	unsigned format;
};
static const struct ft_field forms[] = {
	{.name = "format",
	 .kind = FT_FIELD_WORD,
	 .at = offsetof(struct form, format),
	 .argument = "F",
	 .help = "json (default), slurm or text",
	 .words = "json|slurm|text"},
	{0},
};

const struct ft_field *ft__routes_forms(const struct ft_question *question)
{
	return question == &ft_question_request ? forms : NULL;
}

/* What was asked over HTTP; texts are borrowed of the request. */
struct query {
	const struct ft_question *question;
	struct ft_asked asked;
	struct form form;
};

static struct ft_http_answer *say_answer(const struct query *asking, enum ft_status status, json_t *object,
					 const struct ft_err *err)
{
	return status ? ft__routes_refuse(err)
	       : asking->form.format == AS_JSON || !object
		       ? ft__routes_tell(object)
		       : tell_plainly(object, asking->form.format == AS_SLURM);
}

static struct ft_http_answer *answer_by(struct ft_manager *manager, const struct ft__snapshot *snapshot,
					const struct ft_http_ask *ask, const struct query *asking)
{
	struct ft_err err = {0};
	json_t *object = NULL;
	enum ft_status status = asking->question->answer(snapshot->answerer, &asking->asked, &object, &err);
	struct ft_http_answer *answer = say_answer(asking, status, object, &err);

	/* What is for want of memory may be over in a moment. */
	if (answer && status != FT_ENOMEM)
		ft__cache_put(manager->cache, ask->target, snapshot, INT64_MAX, answer);
	return answer;
}

/* What the worker answers: of a store, of runs under load (for each confidence a month of load is read, and
 * its averages are sorted: a third of a second), and what else is slow. */
struct pending {
	struct ft__later later; /* first: one is the other */
	struct query asking;
	json_t *object;
	enum ft_status status; /* FT_EUNAVAIL until the worker was there */
	struct ft_err err;
};

static void answer_pending(struct ft__task *task, struct ft_store *store)
{
	struct pending *pending = (struct pending *)task;
	const struct ft_question *question = pending->asking.question;
	struct ft_err *err = &pending->err;

	*err = (struct ft_err){0};
	if (question->answer)
		pending->status = question->answer(pending->later.snapshot->answerer, &pending->asking.asked,
						   &pending->object, err);
	else if (store)
		pending->status = question->look(store, &pending->asking.asked, &pending->object, err);
	else
		pending->status = ft_fail(err, FT_EUNAVAIL, "the store cannot be read now");
}

static void give_pending(struct ft__task *task)
{
	struct pending *pending = (struct pending *)task;
	bool passes = pending->status == FT_ENOMEM || pending->status == FT_EUNAVAIL;

	ft__later_give(&pending->later,
		       say_answer(&pending->asking, pending->status, pending->object, &pending->err),
		       passes ? 0 : INT64_MAX);
	ft_free(pending);
}

/* snapshot: NULL of a store. */
static struct ft_http_answer *answer_later(struct ft_manager *manager, const struct ft__snapshot *snapshot,
					   struct ft_http_ask *ask, const struct query *asking)
{
	struct pending *pending = ft_calloc(1, sizeof *pending);

	if (!pending)
		return NULL;
	pending->later.task = (struct ft__task){
		.work = answer_pending, .done = give_pending, .slow = snapshot || asking->question->slow};
	pending->asking = *asking;
	pending->status = ft_fail(&pending->err, FT_EUNAVAIL, "the server ends");
	ft__later_begin(&pending->later, manager, ask, snapshot);
	return NULL;
}

bool ft__routes_snapshot(struct ft_manager *manager, struct ft_http_ask *ask,
			 const struct ft__subject *subject, const struct ft__snapshot **out,
			 struct ft_http_answer **answer, ft__routes_again_by *again)
{
	bool refused;

	*out = ft__snapshots_get(manager->snapshots, subject, &refused);
	*answer = NULL;
	if (refused)
		*answer = ft_http_refuse(503, "too many models are being made just now",
					 "ask again in a moment");
	else if (!*out)
		(void)ft__routes_wait(manager, ask, again);
	else if ((*out)->passing)
		*answer = ft_http_refuse(503, (*out)->err.text, "ask again in a moment");
	else if (!(*out)->answerer)
		*answer = ft__routes_refuse(&(*out)->err);
	return *out && (*out)->answerer;
}

static struct ft_http_answer *answer_question(void *ctx, struct ft_http_ask *ask)
{
	struct ft_manager *manager = ctx;
	struct query asking = {.question = ask->of};
	const struct ft_question *question = asking.question;
	const struct ft__snapshot *snapshot;
	struct ft_http_answer *answer;
	struct ft_err err = {0};

	if (ft__query_read(ask, ft__routes_forms(question), &asking.form, question, &asking.asked, &err))
		return ft__routes_refuse(&err);
	asking.asked.answers_most = question->most;
	asking.asked.served = true;
	const struct ft__subject subject = {asking.asked.name, asking.asked.device, asking.asked.machine,
					    asking.asked.load.view, question->slow};
	if (subject.load == FT_LOAD_NOW)
		return ft_http_refuse(400, "the current load is not available here",
				      "use load=idle or load=usual");
	if (question->look) {
		manager->answers++;
		return answer_later(manager, NULL, ask, &asking);
	}
	if (!ft__routes_snapshot(manager, ask, &subject, &snapshot, &answer, answer_question))
		return answer;
	manager->answers++;
	if (subject.load == FT_LOAD_IDLE && !subject.slow)
		return answer_by(manager, snapshot, ask, &asking);
	return ft__later_find(manager, ask, &answer, answer_question)
		       ? answer
		       : answer_later(manager, snapshot, ask, &asking);
}

struct ft_http_answer *ft__routes_peek(void *ctx, const char *target, const struct ft_http_peer *peer)
{
	struct ft_manager *manager = ctx;

	(void)peer;
	return ft__cache_get(manager->cache, manager->snapshots, target);
}

/* ---- the manager itself -------------------------------------------------------------------------------- */

/* A run takes a page or two, a model some KiB; SQLite writes both twice. */
enum { ROOM_LEAST = 1 << 20 };

static struct ft_http_answer *health(void *ctx, struct ft_http_ask *ask)
{
	const struct ft_manager *manager = ctx;
	struct ft_err err = {0};
	struct statfs disk;
	struct ft_told_health told = {.status = "ok",
				      .version = FT_VERSION,
				      .store = manager->store.path,
				      .up_s = (double)(ft_clock_ns() - manager->began_ns) * 1e-9};

	(void)ask;
	if (ft__worker_health(manager->worker, &err)) {
		told.status = err.status == FT_EIO || err.status == FT_ENOTOURS ? "damaged" : "unreadable";
	} else if (!statfs(manager->store.path, &disk) &&
		   (double)disk.f_bavail * (double)disk.f_bsize < ROOM_LEAST) {
		told.status = "full";
		(void)ft_fail(&err, FT_ENOSPC, "there is no room on the disk of the store '%s'",
			      manager->store.path);
	}
	told.fault = err.status ? err.text : NULL;
	if (manager->construct)
		ft__construct_health(manager->construct, &told);
	return ft__routes_tell(ft_tell_json(&ft_tell_health, &told, NULL));
}

static struct ft_http_answer *queue(void *ctx, struct ft_http_ask *ask)
{
	const struct ft_manager *manager = ctx;
	struct ft_told_benchmarks told;
	struct ft_err err = {0};

	(void)ask;
	if (!manager->construct)
		return ft_http_refuse(404, "no problem is configured", "begin it with --config FILE");
	if (ft__construct_told(manager->construct, &told, &err))
		return ft__routes_refuse(&err);
	struct ft_http_answer *answer = ft__routes_tell(ft_tell_json(&ft_tell_benchmarks, &told, NULL));
	ft_free(told.problem);
	return answer;
}

/* What is asked stands in the configuration, by its name: no request brings anything to run. */
static struct ft_http_answer *answer_stop(struct ft_manager *manager, const char *name, bool stop)
{
	struct ft_told_stopped told = {name, stop};
	struct ft_err err = {0};

	if (!manager->construct)
		return ft_http_refuse(404, "no problem is configured", "begin it with --config FILE");
	if (ft__construct_stop(manager->construct, name, stop, &err))
		return ft__routes_refuse(&err);
	return ft__routes_tell(ft_tell_json(&ft_tell_stopped, &told, NULL));
}

static struct ft_http_answer *stop(void *ctx, struct ft_http_ask *ask)
{
	return answer_stop(ctx, ask->rest, true);
}

static struct ft_http_answer *continue_problem(void *ctx, struct ft_http_ask *ask)
{
	return answer_stop(ctx, ask->rest, false);
}

static struct ft_http_answer *day(void *ctx, struct ft_http_ask *ask)
{
	const struct ft_manager *manager = ctx;
	struct ft_told_day told;
	struct ft_err err = {0};

	(void)ask;
	if (!manager->construct)
		return ft_http_refuse(404, "no problem is configured", "begin it with --config FILE");
	if (ft__construct_day(manager->construct, &told, &err))
		return ft__routes_refuse(&err);
	struct ft_http_answer *answer = ft__routes_tell(ft_tell_json(&ft_tell_day, &told, NULL));
	ft__day_clear(&told);
	return answer;
}

static struct ft_http_answer *events(void *ctx, struct ft_http_ask *ask)
{
	return ft_http_feed_answer(((struct ft_manager *)ctx)->feed, ask);
}

const struct ft_http_route ft__routes[] = {
	{"GET", "/predict/*", .answer = answer_question, .of = &ft_question_predict},
	{"GET", "/request/*", .answer = answer_question, .of = &ft_question_request},
	{"GET", "/largest/*", .answer = answer_question, .of = &ft_question_largest},
	{"GET", "/rank/*", .answer = answer_question, .of = &ft_question_rank},
	{"GET", "/fit/*", .answer = answer_question, .of = &ft_question_fit},
	{"GET", "/show/*", .answer = answer_question, .of = &ft_question_show},
	{"GET", "/list/*", .answer = answer_question, .of = &ft_question_list},
	{"GET", "/list", .answer = answer_question, .of = &ft_question_list},
	{"GET", "/model/*", .answer = ft__routes_model},
	{"PUT", "/model/*", .answer = ft__routes_put_model, .owner = true, .body_bytes = FT__MODEL_MOST,
	 .longer = "foretime import FILE --name NAME takes what is longer"},
	{"GET", "/health", .answer = health},
	{"GET", "/metrics", .answer = ft__routes_metrics},
	{"GET", "/queue", .answer = queue},
	{"GET", "/day", .answer = day},
	{"POST", "/stop/*", .answer = stop, .owner = true},
	{"POST", "/continue/*", .answer = continue_problem, .owner = true},
	{"GET", "/events", .answer = events},
	{"GET", "/openapi.json", .answer = ft__routes_openapi},
	{0},
};
