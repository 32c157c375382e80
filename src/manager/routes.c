/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.c - the routes of HTTP. No request contains a command, a path or an environment. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "manager/day.h"
#include "manager/inside.h"
#include "tell/answers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

static const struct ft_field *routes_forms(const struct ft_question *question);

/* Longest model that may be put. As foretime export --json prints it, a run of 22 resources takes 2.7 KB, of
 * 40 some 5: a thousand of them fit, and as CSV 40 times as many. */
enum { FT__MODEL_MOST = 6 << 20 };

/*
 * Parse the query string by rows.
 */

/* More than all that a question may have. */
enum { KEYS_MOST = FT_QUERY_WORDS + 16 };

struct query_reading {
	const struct ft_field *fields;
	void *into;
	const struct ft_question *question;
	struct ft_query *request;
	const char *key[KEYS_MOST];
	size_t n;
	struct ft_err *err;
	enum ft_status status;
};

static enum ft_status read_pair(struct query_reading *r, const char *key, const char *value)
{
	const struct ft_field *field = r->fields ? ft_field_find(r->fields, key, strlen(key)) : NULL;
	size_t i;

	for (i = 0; i < r->n && strcmp(r->key[i], key) != 0; i++) {
		const struct ft_field *earlier =
			field ? ft_field_find(r->fields, r->key[i], strlen(r->key[i])) : NULL;

		if (earlier)
			FT_TRY(ft_fields_together(earlier, field, "", r->err));
	}
	if (i < r->n) {
		(void)ft_fail(r->err, FT_EINVAL, "'%s' is there twice", key);
		return ft_remedy(r->err, "name it once");
	}
	if (r->n == KEYS_MOST)
		return ft_fail(r->err, FT_EINVAL, "more than %d values", (int)FT_QUERY_WORDS);
	r->key[r->n++] = key;
	if (!field && !r->question) {
		struct ft_text known = {0};

		for (const struct ft_field *each = r->fields; each && each->name; each++)
			ft_text_add(&known, "%s%s", known.length ? " " : "", each->name);
		(void)ft_fail(r->err, FT_EINVAL, "unknown parameter '%s'", key);
		(void)ft_remedy(r->err, "the parameters are: %s",
				known.s && !known.failed ? known.s : "nothing");
		ft_text_clear(&known);
		return FT_EINVAL;
	}
	if (!field)
		return ft_query_take(r->question, r->request, key, value, r->err);
	if (!value)
		return ft_fail(r->err, FT_EINVAL, "'%s' has no value", key);
	enum ft_status status = ft_field_read(field, (char *)r->into + field->at, value, r->err);
	return status ? ft_fail_at(r->err, "%s", key) : FT_OK;
}

static bool each_pair(void *ctx, const char *key, const char *value)
{
	struct query_reading *r = ctx;

	r->status = read_pair(r, key, value);
	return !r->status;
}

enum ft_status ft__query_read(const struct ft_http_ask *ask, const struct ft_field *fields, void *into,
			      const struct ft_question *question, struct ft_query *request,
			      struct ft_err *err)
{
	struct query_reading r = {
		.fields = fields, .into = into, .question = question, .request = request, .err = err};

	if (request) {
		*request = ft_query_usual;
		request->name = ask->rest;
	}
	ft_http_each(ask, each_pair, &r);
	return r.status;
}

/*
 * Counters of served requests in the format of Prometheus, and how a row is printed.
 */

void ft__metrics_add(const struct ft__metric *row, const void *numbers, struct ft_text *out)
{
	for (; row->name; row++)
		ft_text_add(out, "# HELP %s %s\n# TYPE %s %s\n%s %.17g\n", row->name, row->about, row->name,
			    row->type, row->name,
			    *(const double *)(const void *)((const char *)numbers + row->at));
}

struct metrics_numbers {
	double requests, connections, refused, slow, waiting, kept, made, snapshots, fits, changes, timings,
		unread, bad, observations, listeners;
};

#define AT(name) offsetof(struct metrics_numbers, name)
static const struct ft__metric rows[] = {
	{"foretime_requests_total", "counter", "requests answered or refused", AT(requests)},
	{"foretime_connections", "gauge", "connections now", AT(connections)},
	{"foretime_connections_refused_total", "counter", "of users who had too many", AT(refused)},
	{"foretime_connections_slow_total", "counter", "closed before their request was whole", AT(slow)},
	{"foretime_requests_waiting", "gauge", "requests that wait for a model", AT(waiting)},
	{"foretime_answers_kept_total", "counter", "requests answered from the cache", AT(kept)},
	{"foretime_answers_made_total", "counter", "questions to models that the cache could not answer",
	 AT(made)},
	{"foretime_snapshots", "gauge", "programs whose models are held", AT(snapshots)},
	{"foretime_snapshots_made_total", "counter", "times that models were read or fitted", AT(fits)},
	{"foretime_store_changes_total", "counter", "changes of the store that were seen", AT(changes)},
	{"foretime_timings_total", "counter", "timings of programs taken in", AT(timings)},
	{"foretime_timings_unread", "gauge", "files of timings that cannot be read", AT(unread)},
	{"foretime_timings_bad_total", "counter", "lines of them that are none", AT(bad)},
	{"foretime_load_observations_total", "counter", "of the background load, kept", AT(observations)},
	{"foretime_listeners", "gauge", "listeners to events", AT(listeners)},
	{0},
};

static struct ft_http_answer *routes_metrics(void *ctx, struct ft_http_ask *ask)
{
	const struct ft_manager *manager = ctx;
	struct ft_http_answer *answer = NULL;
	struct ft_text text = {0};
	struct metrics_numbers numbers;

	(void)ask;
	struct ft_http_counts http;
	unsigned long fits;
	size_t snapshots = ft__snapshots_count(manager->snapshots, &fits);

	ft_http_count(manager->http, &http);
	numbers = (struct metrics_numbers){
		.requests = (double)http.requests,
		.connections = (double)http.connections,
		.refused = (double)http.refused,
		.slow = (double)http.slow,
		.waiting = (double)http.waiting,
		.kept = (double)ft__cache_hits(manager->cache),
		.made = (double)manager->answers,
		.snapshots = (double)snapshots,
		.fits = (double)fits,
		.changes = (double)manager->stale,
		.timings = (double)manager->spooled.runs,
		.unread = (double)manager->spooled.unread,
		.bad = (double)manager->spooled.bad,
		.observations = manager->history ? (double)ft__history_count(manager->history) : 0,
		.listeners = (double)ft_http_feed_listeners(manager->feed),
	};
	ft__metrics_add(rows, &numbers, &text);
	if (manager->construct)
		ft__construct_metrics(manager->construct, &text);
	if (!text.failed)
		answer = ft_http_answer_new(200, "text/plain; version=0.0.4", text.s, text.length);
	ft_text_clear(&text);
	return answer;
}

/*
 * Requests that wait: for a snapshot, or for a slow answer of the worker.
 */

/* routes_wait - until a snapshot is ready, or what is answered later was. Returns what the route does. */
static struct ft_http_answer *routes_wait(struct ft_manager *manager, struct ft_http_ask *ask,
					  ft__routes_again_by *again)
{
	struct ft__waiting *more =
		ft_grow(manager->waiting, manager->n_waiting, &manager->waiting_capacity, sizeof *more);

	if (!more)
		return NULL;
	manager->waiting = more;
	more[manager->n_waiting++] = (struct ft__waiting){ask, again};
	ft_http_put_off(ask);
	return NULL;
}

/* Whether this postponed the request: it waits again, or the worker answers it now. */
static bool is_put_off(const struct ft_manager *manager, const struct ft_http_ask *ask, size_t before)
{
	return manager->n_waiting > before || (manager->later && manager->later->ask == ask);
}

void ft__routes_again(struct ft_manager *manager)
{
	struct ft__waiting *waiting = manager->waiting;
	size_t n = manager->n_waiting;

	/* Some may have to wait again: they stand in a new list. */
	manager->waiting = NULL;
	manager->n_waiting = manager->waiting_capacity = 0;
	for (size_t i = 0; i < n; i++) {
		size_t before = manager->n_waiting;
		struct ft_http_answer *answer = waiting[i].answer(manager, waiting[i].ask);

		if (!is_put_off(manager, waiting[i].ask, before))
			ft_http_give(waiting[i].ask, answer);
	}
	ft_free(waiting);
}

bool ft__later_find(struct ft_manager *manager, struct ft_http_ask *ask, struct ft_http_answer **out,
		    ft__routes_again_by *again)
{
	const struct ft__later *later = manager->later;

	*out = ft__cache_get(manager->cache, manager->snapshots, ask->target);
	if (*out)
		return true;
	while (later && strcmp(later->ask->target, ask->target) != 0)
		later = later->next;
	if (later)
		(void)routes_wait(manager, ask, again);
	return later;
}

void ft__later_begin(struct ft__later *later, struct ft_manager *manager, struct ft_http_ask *ask,
		     const struct ft__snapshot *snapshot)
{
	later->manager = manager;
	later->ask = ask;
	later->snapshot = snapshot;
	later->next = manager->later;
	manager->later = later;
	if (snapshot)
		ft__snapshot_keep(snapshot);
	ft_http_put_off(ask);
	ft__worker_post(manager->worker, &later->task);
}

void ft__later_give(struct ft__later *later, struct ft_http_answer *answer, int64_t until_ns)
{
	struct ft_manager *manager = later->manager;
	struct ft__later **place = &manager->later;

	while (*place != later)
		place = &(*place)->next;
	*place = later->next;
	if (answer && until_ns && later->snapshot)
		ft__cache_put(manager->cache, later->ask->target, later->snapshot, until_ns, answer);
	ft_http_give(later->ask, answer);
	if (later->snapshot)
		ft__snapshot_free(later->snapshot);
	if (manager->n_waiting)
		ft__routes_again(manager);
}

/*
 * Describe the routes in a form that tools read.
 */

/* Routes that are no questions, described by these rows alone. */
static const struct {
	const char *path, *about, *schema;
	const struct ft_field *fields;
} about[] = {
	{"/model/{name}", "the whole model: what was measured, or requests for all sizes", "export",
	 ft__routes_model_fields},
	{"/health", "whether it is well", NULL, NULL},
	{"/metrics", "counters, as Prometheus reads them", NULL, NULL},
	{"/queue", "what is built, and why not now", "manager-queue", NULL},
	{"/day", "when each problem may run within the next day, and what is seen now", "manager", NULL},
	{"/events", "what happens, as server-sent events", NULL, NULL},
	{"/openapi.json", "this", NULL, NULL},
};

static const struct {
	const char *path, *about, *schema;
	const char *method;
} change[] = {
	{"/model/{name}",
	 "add what was measured: the body is what GET answers, as JSON or CSV; by its owner alone", "manager",
	 "put"},
	{"/stop/{name}", "hold a problem of the configuration; by its owner alone", "manager", "post"},
	{"/continue/{name}", "and let it go on; by its owner alone", "manager", "post"},
};

static json_t *describe_field(const struct ft_field *field)
{
	static const char *const types[] = {
		[FT_FIELD_FLAG] = "boolean", [FT_FIELD_COUNT] = "integer", [FT_FIELD_WORD] = "string"};
	const char *type = (size_t)field->kind < sizeof types / sizeof *types ? types[field->kind] : NULL;
	json_t *schema = json_pack("{s:s}", "type", type ? type : "string");

	if (field->kind == FT_FIELD_WORD) {
		json_t *words = json_array();

		for (const char *at = field->words; at && *at; at += strspn(at, "|")) {
			size_t n = strcspn(at, "|");

			(void)json_array_append_new(words, json_stringn(at, n));
			at += n;
		}
		(void)json_object_set_new(schema, "enum", words);
	}
	return json_pack("{s:s, s:s, s:s, s:o}", "name", field->name, "in", "query", "description",
			 field->help, "schema", schema);
}

static json_t *name_parameter(void)
{
	return json_pack("{s:s, s:s, s:b, s:{s:s}}", "name", "name", "in", "path", "required", 1, "schema",
			 "type", "string");
}

static void add_fields(json_t *parameters, const struct ft_field *field)
{
	for (; field && field->name; field++)
		if (field->kind != FT_FIELD_HEADING && field->help)
			(void)json_array_append_new(parameters, describe_field(field));
}

/* fields, question: NULL: it has none, and is none. */
static void add_path(json_t *paths, const char *path, const char *summary, const char *schema,
		     const struct ft_field *fields, const struct ft_question *question)
{
	json_t *parameters = json_array();

	if (strchr(path, '{'))
		(void)json_array_append_new(parameters, name_parameter());
	add_fields(parameters, fields);
	add_fields(parameters, question ? question->fields : NULL);
	if (question && question->words)
		(void)json_array_append_new(
			parameters, json_pack("{s:s, s:s, s:s, s:{s:s}}", "name", "PARAM", "in", "query",
					      "description", question->words, "schema", "type", "string"));
	(void)json_object_set_new(paths, path,
				  json_pack("{s:{s:s, s:o, s:{s:{s:s}}}}", "get", "summary", summary,
					    "parameters", parameters, "responses", "200", "description",
					    schema ? schema : "as text"));
}

static struct ft_http_answer *routes_openapi(void *ctx, struct ft_http_ask *ask)
{
	json_t *paths = json_object();

	(void)ctx;
	(void)ask;
	for (const struct ft_question *const *each = ft_questions; *each; each++) {
		const char *name = (*each)->name;
		char path[64];

		(void)snprintf(path, sizeof path, "/%s/{name}", name);
		add_path(paths, path, (*each)->about, name, routes_forms(*each), *each);
		path[strlen(name) + 1] = '\0';
		if ((*each)->all)
			add_path(paths, path, (*each)->about, name, NULL, *each);
	}
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		add_path(paths, about[i].path, about[i].about, about[i].schema, about[i].fields, NULL);
	for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
		json_t *entry = json_object_get(paths, change[i].path);

		if (!entry) {
			entry = json_pack("{s:[o]}", "parameters", name_parameter());
			(void)json_object_set_new(paths, change[i].path, entry);
		}
		(void)json_object_set_new(entry, change[i].method,
					  json_pack("{s:s, s:{s:{s:s}}}", "summary", change[i].about,
						    "responses", "200", "description", change[i].schema));
	}
	return ft__routes_tell(json_pack("{s:s, s:{s:s, s:s}, s:o}", "openapi", "3.1.0", "info", "title",
					 "foretime: what a run will cost", "version", FT_VERSION, "paths",
					 paths));
}

/* ---- answers as text ----------------------------------------------------------------------------------- */

/*
 * The routes of HTTP. No request contains a command, a path or an environment.
 */

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

/* A request in another form than JSON; object: taken. */
static struct ft_http_answer *tell_plainly(json_t *object, bool slurm)
{
	struct ft_http_answer *answer = NULL;
	struct ft_text text = {0};

	if (json_is_true(json_object_get(object, "refuted"))) {
		answer = ft_http_refuse(409, "no memory is known to suffice here",
					"a run was killed for memory: measure where there is more");
	} else if (json_is_false(json_object_get(object, "answered"))) {
		answer = ft_http_refuse(409, json_string_value(json_object_get(object, "reason")),
					json_string_value(json_object_get(object, "advice")));
	} else if (slurm) {
		ft_text_add(&text, "%s\n", json_string_value(json_object_get(object, "slurm")));
	} else {
		/* The form for shells: "minutes 5", a line each; unknown values have none. */
		const struct {
			const char *name;
			const json_t *value;
			double unit;
		} row[] = {
			{"minutes", json_object_get(json_object_get(object, "time"), "request"), 60},
			{"mib", json_object_get(json_object_get(object, "memory"), "request"), 1048576},
			{"cpus", json_object_get(object, "cpus"), 1},
			{"risk", json_object_get(object, "risk"), 1},
		};

		for (size_t i = 0; i < sizeof row / sizeof *row; i++)
			if (json_is_number(row[i].value))
				ft_text_add(&text, "%s %.12g\n", row[i].name,
					    json_number_value(row[i].value) / row[i].unit);
	}
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

/* routes_forms - the forms in which a question is answered; NULL: JSON alone. */
static const struct ft_field *routes_forms(const struct ft_question *question)
{
	return question == &ft_question_request ? forms : NULL;
}

/* A query over HTTP; texts are borrowed from the request. */
struct query {
	const struct ft_question *question;
	struct ft_query request;
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
	enum ft_status status = asking->question->answer(snapshot->answerer, &asking->request, &object, &err);
	struct ft_http_answer *answer = say_answer(asking, status, object, &err);

	/* A lack of memory may be over in a moment, so it is not cached. */
	if (answer && status != FT_ENOMEM)
		ft__cache_put(manager->cache, ask->target, snapshot, INT64_MAX, answer);
	return answer;
}

enum { NOW_NS = 1000000000 };

/* Answered by the worker: queries to a store, runs under load (for each confidence a month of load is
 * read, and its averages are sorted: a third of a second), and other slow ones. */
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
		pending->status = question->answer(pending->later.snapshot->answerer,
						   &pending->asking.request, &pending->object, err);
	else if (store)
		pending->status = question->look(store, &pending->asking.request, &pending->object, err);
	else
		pending->status = ft_fail(err, FT_EUNAVAIL, "the store cannot be read now");
}

static void give_pending(struct ft__task *task)
{
	struct pending *pending = (struct pending *)task;
	bool passes = pending->status == FT_ENOMEM || pending->status == FT_EUNAVAIL;

	/* The present load is another one in a second. */
	ft__later_give(&pending->later,
		       say_answer(&pending->asking, pending->status, pending->object, &pending->err),
		       passes                                             ? 0
		       : pending->asking.request.load.view == FT_LOAD_NOW ? ft_clock_ns() + NOW_NS
									  : INT64_MAX);
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
		(void)routes_wait(manager, ask, again);
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

	if (ft__query_read(ask, routes_forms(question), &asking.form, question, &asking.request, &err))
		return ft__routes_refuse(&err);
	asking.request.answers_most = question->most;
	asking.request.served = true;
	const struct ft__subject subject = {asking.request.name, asking.request.device,
					    asking.request.machine, asking.request.load.view, question->slow};
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
	struct ft_answer_health output = {.status = "ok",
					  .version = FT_VERSION,
					  .store = manager->store.path,
					  .up_s = (double)(ft_clock_ns() - manager->began_ns) * 1e-9};

	(void)ask;
	if (ft__worker_health(manager->worker, &err)) {
		output.status = err.status == FT_EIO || err.status == FT_ENOTOURS ? "damaged" : "unreadable";
	} else if (!statfs(manager->store.path, &disk) &&
		   (double)disk.f_bavail * (double)disk.f_bsize < ROOM_LEAST) {
		output.status = "full";
		(void)ft_fail(&err, FT_ENOSPC, "there is no room on the disk of the store '%s'",
			      manager->store.path);
	}
	output.fault = err.status ? err.text : NULL;
	if (manager->construct)
		ft__construct_health(manager->construct, &output);
	return ft__routes_tell(ft_tell_json(&ft_tell_health, &output, NULL));
}

static struct ft_http_answer *queue(void *ctx, struct ft_http_ask *ask)
{
	const struct ft_manager *manager = ctx;
	struct ft_answer_benchmarks output;
	struct ft_err err = {0};

	(void)ask;
	if (!manager->construct)
		return ft_http_refuse(404, "no problem is configured", "begin it with --config FILE");
	if (ft__construct_answer(manager->construct, &output, &err))
		return ft__routes_refuse(&err);
	struct ft_http_answer *answer = ft__routes_tell(ft_tell_json(&ft_tell_benchmarks, &output, NULL));
	ft_free(output.problem);
	return answer;
}

/* Problems are stopped by their name in the configuration: no request brings anything to run. */
static struct ft_http_answer *answer_stop(struct ft_manager *manager, const char *name, bool stop)
{
	struct ft_answer_stopped output = {name, stop};
	struct ft_err err = {0};

	if (!manager->construct)
		return ft_http_refuse(404, "no problem is configured", "begin it with --config FILE");
	if (ft__construct_stop(manager->construct, name, stop, &err))
		return ft__routes_refuse(&err);
	return ft__routes_tell(ft_tell_json(&ft_tell_stopped, &output, NULL));
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
	struct ft_answer_day output;
	struct ft_err err = {0};

	(void)ask;
	if (!manager->construct)
		return ft_http_refuse(404, "no problem is configured", "begin it with --config FILE");
	if (ft__construct_day(manager->construct, &output, &err))
		return ft__routes_refuse(&err);
	struct ft_http_answer *answer = ft__routes_tell(ft_tell_json(&ft_tell_day, &output, NULL));
	ft__day_clear(&output);
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
	{"GET", "/metrics", .answer = routes_metrics},
	{"GET", "/queue", .answer = queue},
	{"GET", "/day", .answer = day},
	{"POST", "/stop/*", .answer = stop, .owner = true},
	{"POST", "/continue/*", .answer = continue_problem, .owner = true},
	{"GET", "/events", .answer = events},
	{"GET", "/openapi.json", .answer = routes_openapi},
	{0},
};
