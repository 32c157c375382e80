/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - a manager's answers about its server: an agent of GridRPC orders the servers that fit by
 * their scores, where it used floating point operations over those of LINPACK (001 II.D). */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "http/client.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct ft_answer_server {
	const char *name;
	const struct ft_machine *machine;
	double confidence;
	enum ft_load_view load;
	struct ft_size size;
	struct ft_prediction time;       /* wall_s */
	double memory_bytes, most_bytes; /* upper end of its need; memory of the machine. NaN: not known */
	bool fits;
};

/*
 * Predictions of a manager that runs, over its socket.
 */

/* ---- the question ------------------------------------------------------------------------------------- */

void ft_tell_target_add(struct ft_text *target, const char *prefix, const char *key, const char *value)
{
	char *encoded[2] = {ft__http_encode(key), ft__http_encode(value)};
	bool first = !target->s || !strchr(target->s, '?');

	if (encoded[0] && encoded[1])
		ft_text_add(target, "%s%s%s=%s", first ? "?" : "&", prefix, encoded[0], encoded[1]);
	else
		target->failed = true;
	ft_free(encoded[0]);
	ft_free(encoded[1]);
}

/* "/predict/NAME?confidence=0.9&size.n=512"; ends with ft_free. NULL: no memory. */
static char *target_of(const struct ft_manager_question *question)
{
	const char *const pair[][2] = {
		{"resource", question->resource}, {"machine", question->machine}, {"load", question->load}};
	char value[FT_NUMBER_LENGTH], *name = ft__http_encode(question->name);
	struct ft_text target = {.failed = !name};

	ft_text_add(&target, "/predict/%s", name ? name : "");
	ft_free(name);
	ft_tell_target_add(&target, "", "confidence",
			   ft_number_format(question->confidence > 0 ? question->confidence : 0.9, value));
	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
		if (pair[i][1])
			ft_tell_target_add(&target, "", pair[i][0], pair[i][1]);
	for (size_t i = 0; i < question->n; i++)
		ft_tell_target_add(&target, "size.", question->size[i].name,
				   ft_number_format(question->size[i].value, value));
	return ft_text_take(&target);
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static const char *get_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static enum ft_status fail_refused(const json_t *answer, struct ft_err *err)
{
	const char *error = get_text(answer, "error"), *remedy = get_text(answer, "remedy");

	if (!error)
		return ft_fail(err, FT_EIO, "what the manager answers cannot be read");
	(void)ft_fail(err, FT_ENOMODEL, "%s", error);
	return remedy ? ft_remedy(err, "%s", remedy) : FT_ENOMODEL;
}

/* Another version answers in another form, which may read alike and mean something else. */
static enum ft_status check_version(const json_t *answer, const struct ft_tell_record *record,
				    const char *address, struct ft_err *err)
{
	const char *schema = get_text(answer, "schema");
	char expected[64];

	(void)snprintf(expected, sizeof expected, "foretime-%s-%d", record->name, record->version);
	if (schema && !strcmp(schema, expected))
		return FT_OK;
	if (!schema || strncmp(schema, "foretime-", 9) != 0)
		return ft_fail(err, FT_EIO, "what comes from '%s' is no answer of a manager", address);
	(void)ft_fail(err, FT_EIO, "the manager at '%s' has another version: it answers %.40s, not %s",
		      address, schema, expected);
	return ft_remedy(err, "install the same version of foretime there and here");
}

static enum ft_status read_answer(struct ft__http_fetch *fetch, const struct ft_tell_record *record,
				  json_t **out)
{
	struct ft_err *err = &fetch->err;

	*out = NULL;
	if (err->status)
		return err->status;
	json_t *answer = json_loads(fetch->body, 0, NULL);
	enum ft_status status = FT_OK;
	if (fetch->code == 401) {
		(void)ft_fail(err, FT_EACCESS, "the manager at '%s' does not accept the token",
			      fetch->address);
		status = ft_remedy(err, "name the file with its token: token=FILE");
	} else if (fetch->code != 200 || !json_is_object(answer)) {
		status = fail_refused(answer, err);
	} else if (record) {
		status = check_version(answer, record, fetch->address, err);
	}
	if (status)
		json_decref(answer);
	else
		*out = answer;
	return status;
}

enum ft_status ft_tell_ask(const char *socket, char *target, json_t **out, struct ft_err *err)
{
	char *path = socket ? ft_strdup(socket) : ft__http_socket();
	struct ft__http_fetch fetch = {0};
	enum ft_status status = target && path ? FT_OK : ft_nomem(err);

	*out = NULL;
	if (!status && !ft__http_get(path, target, &fetch.code, &fetch.body, &fetch.err))
		(void)read_answer(&fetch, NULL, out);
	if (fetch.err.status && err)
		*err = fetch.err;
	ft_free(fetch.body);
	ft_free(target);
	ft_free(path);
	return status ? status : fetch.err.status;
}

/* An answer about one size has some 2 KB. */
enum { ANSWER_MOST = 1 << 20 };

void ft_tell_ask_all(struct ft_tell_asked *asked, size_t n, const char *target,
		     const struct ft_tell_record *record, double limit_s)
{
	struct ft__http_fetch *fetch = ft_calloc(n ? n : 1, sizeof *fetch);

	for (size_t i = 0; fetch && i < n; i++)
		fetch[i] = (struct ft__http_fetch){.address = asked[i].address,
						   .method = "GET",
						   .target = target,
						   .token = asked[i].token,
						   .authority = asked[i].authority};
	if (fetch)
		ft__http_fetch(fetch, n, limit_s, ANSWER_MOST);
	for (size_t i = 0; i < n; i++) {
		asked[i].answer = NULL;
		asked[i].err = (struct ft_err){0};
		if (!fetch) {
			(void)ft_nomem(&asked[i].err);
			continue;
		}
		(void)read_answer(&fetch[i], record, &asked[i].answer);
		asked[i].err = fetch[i].err;
		ft_free(fetch[i].body);
	}
	ft_free(fetch);
}

double ft_tell_get_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The basis by its words; "unknown" follows the last. */
static enum ft_basis basis_of(const char *label)
{
	for (int i = 0; label && strcmp(ft_basis_text((enum ft_basis)i), "unknown") != 0; i++)
		if (!strcmp(label, ft_basis_text((enum ft_basis)i)))
			return (enum ft_basis)i;
	return FT_BASIS_STATED;
}

static enum ft_level level_of(const char *label)
{
	for (int i = 0; label && strcmp(ft_level_text((enum ft_level)i), "unknown") != 0; i++)
		if (!strcmp(label, ft_level_text((enum ft_level)i)))
			return (enum ft_level)i;
	return FT_LEVEL_TABLE;
}

enum ft_status ft_manager_predict(const struct ft_manager_question *question, struct ft_prediction *out,
				  struct ft_err *err)
{
	json_t *answer;
	enum ft_status status = ft_tell_ask(question->socket, target_of(question), &answer, err);
	const json_t *at = json_array_get(json_object_get(answer, "predictions"), 0);

	*out = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .known = NAN};
	if (status)
		return status;
	if (isnan(ft_tell_get_number(at, "value"))) {
		status = ft_fail(err, FT_EIO, "the manager's answer has no value");
	} else {
		*out = (struct ft_prediction){.value = ft_tell_get_number(at, "value"),
					      .lower = ft_tell_get_number(at, "lower"),
					      .upper = ft_tell_get_number(at, "upper"),
					      .known = ft_tell_get_number(at, "accuracy"),
					      .level = level_of(get_text(at, "level")),
					      .basis = basis_of(get_text(at, "basis")),
					      .distance = ft_tell_get_number(at, "distance"),
					      .runs = ft_tell_get_number(at, "runs") >= 0
							      ? (size_t)ft_tell_get_number(at, "runs")
							      : 0};
	}
	json_decref(answer);
	return status;
}

/*
 * A manager's answers about its server: an agent of GridRPC orders the servers that fit by their scores,
 * where it used floating point operations over those of LINPACK (001 II.D).
 */

/* An agent of GridRPC puts servers that fit in the order of their scores, where it used floating point
 * operations over those of LINPACK (001 II.D). */
#define RANK struct ft_answer_server
static const struct ft_tell_row rows[] = {
	{FT_TELL(RANK, name)},
	{FT_TELL_BY(POINTER, "machine", RANK, machine), .of = &ft_tell_machine},
	{FT_TELL(RANK, confidence),
	 .about = "share of future runs that stay below upper, and below memory_bytes"},
	{FT_TELL_BY(WORD, "load", RANK, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL_BY(SIZE, "size", RANK, size)},
	{FT_TELL_AS("score_s", RANK, time.value), .about = "wall seconds of a typical run: less is better"},
	{FT_TELL_AS("accuracy", RANK, time.known), .about = FT_TELL_KNOWN, .null = "not available"},
	{FT_TELL_AS("lower", RANK, time.lower), .null = "the stated law has no runs"},
	{FT_TELL_AS("upper", RANK, time.upper), .null = "unbounded, or as lower"},
	{FT_TELL_BY(WORD, "basis", RANK, time.basis), .word = ft_basis_text, .words = FT_TELL_BASES},
	{FT_TELL_AS("distance", RANK, time.distance),
	 .about = "extrapolation: size divided by the measured range; 1 inside"},
	{FT_TELL(RANK, memory_bytes), .about = "that a run may need", .null = "not known"},
	{FT_TELL(RANK, most_bytes), .about = "that the machine has", .null = "not known"},
	{FT_TELL(RANK, fits), .about = "the memory suffices, as far as is known"},
	{0},
};
const struct ft_tell_record ft_tell_server = {.name = "rank", .version = 2, .row = rows};

#define FT_TELL_WORK "waits|begins|runs|frozen|ends"

#define HEALTH struct ft_answer_health
static const struct ft_tell_row health_rows[] = {
	{FT_TELL(HEALTH, status), .words = "ok|damaged|unreadable|full"},
	{FT_TELL(HEALTH, fault), .about = "what is wrong with the store, or its disk", .null = "nothing is"},
	{FT_TELL(HEALTH, version), .about = "of foretime"},
	{FT_TELL(HEALTH, up_s), .about = "seconds since it began"},
	{FT_TELL(HEALTH, store), .about = "the file"},
	{FT_TELL_AS("benchmarks", HEALTH, state), .words = FT_TELL_WORK, .null = "no problem is configured"},
	{FT_TELL(HEALTH, why), .about = "nothing runs, or what runs does",
	 .null = "no problem is configured"},
	{FT_TELL(HEALTH, running), .about = "the problem", .null = "none"},
	{FT_TELL(HEALTH, problems)},
	{FT_TELL(HEALTH, waiting), .about = "problems with something left to run"},
	{FT_TELL(HEALTH, failed), .about = "problems that back off"},
	{0},
};
const struct ft_tell_record ft_tell_health = {
	.name = "manager", .typed = "serve", .action = "health", .version = 1, .row = health_rows};

#define PUT struct ft_answer_put
static const struct ft_tell_row put_rows[] = {
	{FT_TELL(PUT, name)},
	{FT_TELL(PUT, runs), .about = "that were added"},
	{FT_TELL(PUT, known), .about = "that were there already"},
	{0},
};
const struct ft_tell_record ft_tell_put = {
	.name = "manager", .typed = "serve", .action = "model", .version = 1, .row = put_rows};

#define STOPPED struct ft_answer_stopped
static const struct ft_tell_row stopped_rows[] = {
	{FT_TELL(STOPPED, name)},
	{FT_TELL(STOPPED, stopped), .about = "by hand, until it is continued by hand"},
	{0},
};
const struct ft_tell_record ft_tell_stopped = {
	.name = "manager", .typed = "serve", .action = "stop", .version = 1, .row = stopped_rows};

#define WINDOW struct ft_answer_window
static const struct ft_tell_row window_rows[] = {
	{FT_TELL_BY(TIME, "from", WINDOW, from_ns), .about = "UTC", .null = ""},
	{FT_TELL_BY(TIME, "to", WINDOW, to_ns), .about = "UTC", .null = ""},
	{FT_TELL(WINDOW, rule),
	 .about = "the policy that lets benchmarks run, and what holds them back then"},
	{0},
};
static const struct ft_tell_record window = {.bytes = sizeof(WINDOW), .row = window_rows};

#define PROBLEM struct ft_answer_problem
static const struct ft_tell_row problem_rows[] = {
	{FT_TELL(PROBLEM, name)},
	{FT_TELL(PROBLEM, priority), .about = "higher ones go first"},
	{FT_TELL(PROBLEM, builder)},
	{FT_TELL(PROBLEM, own), .about = "policies of its own count, not the system's"},
	{FT_TELL_MANY(LIST, "windows", PROBLEM, window, n_windows, &window),
	 .about = "of the next day, in which it may run"},
	{FT_TELL(PROBLEM, more), .about = "there are later ones, too: only the first are listed"},
	{FT_TELL(PROBLEM, fault), .about = "why it cannot run", .null = "it can"},
	{FT_TELL(PROBLEM, remedy), .null = "there is none to name"},
	{0},
};
static const struct ft_tell_record problem = {.bytes = sizeof(PROBLEM), .row = problem_rows};

#define NOW struct ft_answer_condition
static const struct ft_tell_row now_rows[] = {
	{FT_TELL(NOW, condition), .about = "user_login, load_threshold ..."},
	{FT_TELL(NOW, holds)},
	{FT_TELL(NOW, why), .null = "it does not hold"},
	{0},
};
static const struct ft_tell_record now = {.bytes = sizeof(NOW), .row = now_rows};

#define SCHEDULE struct ft_answer_day
static const struct ft_tell_row schedule_rows[] = {
	{FT_TELL(SCHEDULE, order), .words = "gain|pmm", .about = "of equal priorities"},
	{FT_TELL_MANY(LIST, "now", SCHEDULE, now, n_now, &now),
	 .about = "what is seen of the machine, for each condition that is named"},
	{FT_TELL_MANY(LIST, "problems", SCHEDULE, problem, n, &problem), .about = "by priority"},
	{0},
};
const struct ft_tell_record ft_tell_day = {
	.name = "manager", .typed = "serve", .action = "explain", .version = 1, .row = schedule_rows};

#define EVENT struct ft_answer_event
static const struct ft_tell_row event_rows[] = {
	{FT_TELL(EVENT, event), .words = FT_TELL_EVENTS},
	{FT_TELL(EVENT, name), .about = "of the problem"},
	{FT_TELL(EVENT, size), .absent = "of no benchmark"},
	{FT_TELL(EVENT, seconds), .absent = "it is not over, or no benchmark",
	 .about = "of the run; started: that it is expected to take"},
	{FT_TELL_AS("paused_s", EVENT, frozen_s), .absent = "it was never paused", .about = "time paused"},
	{FT_TELL(EVENT, outcome), .absent = "it is not over", .words = FT_TELL_OUTCOMES},
	{FT_TELL(EVENT, complete), .absent = "not known", .about = "share of the model that is built"},
	{FT_TELL(EVENT, why), .absent = "no further reason"},
	{FT_TELL(EVENT, remedy), .absent = "there is none to name"},
	{FT_TELL(EVENT, again_s), .absent = "it is not tried again", .about = "when it is tried again"},
	{0},
};
const struct ft_tell_record ft_tell_event = {
	.name = "manager", .typed = "serve", .action = "event", .version = 2, .row = event_rows};

#define DONE struct ft_answer_construction
static const struct ft_tell_row done_rows[] = {
	{FT_TELL(DONE, runs), .about = "benchmarks that were made since the manager began"},
	{FT_TELL(DONE, frozen), .about = "times that one was frozen"},
	{FT_TELL(DONE, ended), .about = "that were ended before they were done"},
	{FT_TELL(DONE, failures), .about = "times that a sweep failed"},
	{FT_TELL(DONE, broken), .about = "new versions of programs that broke their contract"},
	{FT_TELL(DONE, spent_s), .about = "seconds of those that were made"},
	{FT_TELL_AS("paused_s", DONE, frozen_s), .about = "seconds for which they were paused"},
	{FT_TELL(DONE, overhead_s), .about = "seconds from one to the next, within a sweep"},
	{0},
};
static const struct ft_tell_record done = {.bytes = sizeof(DONE), .row = done_rows};

#define QUEUED struct ft_answer_queued
static const struct ft_tell_row queued_rows[] = {
	{FT_TELL(QUEUED, name)},
	{FT_TELL(QUEUED, state), .words = "waits|begins|runs|frozen|ends|failed|done|stopped"},
	{FT_TELL(QUEUED, why), .about = "why it does not run", .null = "it runs, or is done"},
	{FT_TELL(QUEUED, priority)},
	{FT_TELL(QUEUED, complete), .about = "share of the model that is built"},
	{FT_TELL(QUEUED, next), .about = "size of the benchmark that would be its next", .null = "not known"},
	{FT_TELL(QUEUED, gain), .about = "by how much that is expected to lower the model's error",
	 .null = "not known"},
	{FT_TELL(QUEUED, seconds), .about = "that it is expected to take", .null = "not known"},
	{FT_TELL_AS("queries", QUEUED, query), .about = "queries, those of a week ago counted by half"},
	{FT_TELL_BY(TIME, "waits", QUEUED, waits_ns), .about = "since then none of its benchmarks ran",
	 .null = ""},
	{FT_TELL(QUEUED, interrupted), .about = "benchmarks in a row that were ended before they were done"},
	{FT_TELL(QUEUED, runs), .about = "that were made since the manager began"},
	{FT_TELL(QUEUED, again_s), .about = "it failed, and is tried again then", .null = "it did not fail"},
	{0},
};
static const struct ft_tell_record queued = {.bytes = sizeof(QUEUED), .row = queued_rows};

#define QUEUE struct ft_answer_benchmarks
static const struct ft_tell_row queue_rows[] = {
	{FT_TELL(QUEUE, state), .words = FT_TELL_WORK},
	{FT_TELL(QUEUE, why), .about = "why nothing runs, or what runs does"},
	{FT_TELL(QUEUE, running), .about = "the problem", .null = "none"},
	{FT_TELL(QUEUE, order), .words = "gain|pmm", .about = "of equal priorities"},
	{FT_TELL(QUEUE, way), .about = "how benchmarks are paused"},
	{FT_TELL_BY(RECORD, "done", QUEUE, done), .of = &done},
	{FT_TELL_MANY(LIST, "problems", QUEUE, problem, n, &queued)},
	{0},
};
const struct ft_tell_record ft_tell_benchmarks = {
	.name = "manager", .typed = "serve", .action = "queue", .version = 2, .row = queue_rows};

/* ---- rank ---------------------------------------------------------------------------------------------- */

/* The score of this server for a run, and whether what it may need of memory fits; NaN: not known. */
static enum ft_status answer_rank(struct ft_answerer *answerer, const struct ft_query *query, json_t **out,
				  struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	const struct ft_ask_load load = ft_query_load(query);
	struct ft_answer_server rank = {.name = with.program->name,
					.machine = ft_ask_machine(answerer),
					.confidence = query->confidence,
					.load = load.view,
					.memory_bytes = NAN,
					.most_bytes = NAN};
	struct ft_prediction p;
	const struct ft_resource *memory;

	FT_TRY(ft_query_size(answerer, query, &rank.size, err));
	ft_ask_under(answerer, &load);
	FT_TRY(ft_ask_predict(answerer, &ft_wall_s, &rank.size, query->confidence, &rank.time, err));
	if (!ft_ask_find(answerer, "memory", &memory, NULL) &&
	    !ft_ask_predict(answerer, memory, &rank.size, query->confidence, &p, NULL))
		rank.memory_bytes = p.upper;
	if (rank.machine->memory_bytes > 0)
		rank.most_bytes = (double)rank.machine->memory_bytes;
	rank.fits = !(rank.memory_bytes > rank.most_bytes);
	*out = ft_tell_json(&ft_tell_server, &rank, &with);
	return *out ? FT_OK : ft_nomem(err);
}

static const struct ft_field fields[] = {FT_QUERY_CONFIDENCE, FT_QUERY_MODELS, FT_QUERY_LOAD, {0}};

const struct ft_question ft_question_rank = {
	"rank", "this server's score for a run: less is better", fields,
	"PARAM: of the program, as n=2048; size.PARAM where a field is called so", .answer = answer_rank};
