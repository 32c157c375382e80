/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.c - all that a store has of one program on one machine: its runs by size, failures, models. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * List the programs of a store.
 */

static char *last_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_store_entry *entry = record;
	char age[FT_TELL_AGE];

	(void)with;
	return ft_strdup(entry->last_ns ? ft_tell_age(entry->last_ns, age)
			 : entry->runs  ? "unknown"
					: "none yet");
}

static char *current_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_store_entry *)record)->current ? ""
									  : "an older program of that name");
}

#define ENTRY struct ft_store_entry
static const struct ft_tell_row entry_rows[] = {
	{FT_TELL(ENTRY, name), .head = "name"},
	{FT_TELL(ENTRY, device), .null = "it has none", .head = "device", .none = ""},
	{FT_TELL(ENTRY, hash), .about = "of the executable", .null = ""},
	{FT_TELL_AS("machine", ENTRY, machine_name), .null = "no run"},
	{FT_TELL(ENTRY, here), .about = "that is this machine: it is answered for, where no other is named"},
	{FT_TELL(ENTRY, runs), .head = ">runs"},
	{FT_TELL(ENTRY, folded), .about = "earlier runs, of which sums and quantiles by size are kept"},
	{FT_TELL(ENTRY, failed), .head = ">failed"},
	{FT_TELL(ENTRY, sizes), .head = ">sizes"},
	{FT_TELL_AS(NULL, ENTRY, machine_name), .null = "", .head = "machine"},
	{FT_TELL_BY(TIME, "first_run", ENTRY, first_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "not known"},
	{FT_TELL_BY(TIME, "last_run", ENTRY, last_ns), .about = "UTC", .null = "not known",
	 .head = "last run", .cell = last_cell},
	{FT_TELL(ENTRY, current), .about = "the newest program of that name", .head = "",
	 .cell = current_cell},
	{0},
};
const struct ft_tell_record ft_tell_entry = {.bytes = sizeof(ENTRY), .row = entry_rows};

static double found_of(const void *at)
{
	size_t found = *(const size_t *)at;

	return found ? (double)found : (double)NAN;
}

static const struct ft_tell_row list_rows[] = {
	{FT_TELL_MANY(LIST, "programs", struct ft_store_list, entry, n, &ft_tell_entry)},
	{FT_TELL_BY(GOT, "found", struct ft_store_list, found), .get = found_of, .whole = true,
	 .about = "names that there would be", .absent = "these are all"},
	{0},
};
const struct ft_tell_record ft_tell_list = {.name = "list", .version = 1, .row = list_rows};

/* ---- the question -------------------------------------------------------------------------------------- */

enum ft_status ft_tell_list_find(struct ft_store *store, const struct ft_query *query,
				 struct ft_store_list *out, struct ft_err *err)
{
	/* The rows of machines are those of foretime machine. */
	const struct ft_store_part part = {
		query->after, query->search, FT_CALIBRATION_PREFIX,
		query->limit && (!query->answers_most || query->limit < query->answers_most)
			? query->limit
			: query->answers_most};

	*out = (struct ft_store_list){0};
	if (query->traces) {
		if (query->search || query->after || query->limit)
			return ft_fail(
				err, FT_EINVAL,
				"programs with traces are listed whole: leave out search, after and limit");
		FT_TRY(ft_store_get_list(store, query->name && *query->name ? query->name : NULL, out, err));
		ft_store_list_traced(store, out);
		return FT_OK;
	}
	if (!query->name || !*query->name)
		return ft_store_get_part(store, &part, out, err);
	if (query->search || query->after || query->limit)
		return ft_fail(err, FT_EINVAL, "search, after and limit are for all names, and '%s' is one",
			       query->name);
	return ft_store_get_list(store, query->name, out, err);
}

enum ft_status ft_tell_entry_pick(struct ft_store *store, const struct ft_store_list *list, const char *name,
				  const char *machine, size_t *chosen, struct ft_err *err)
{
	const int64_t here = machine ? 0 : ft_tell_machine_here(store);
	struct ft_text hosts = {0};
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];
		FT_CLEANUP(ft_machine_clear) struct ft_machine there = {0};

		if (!entry->current || strcmp(entry->name, name) != 0)
			continue;
		if (machine ? !ft_store_get_machine(store, entry->machine, &there, NULL) &&
				      ft_machine_is_called(&there, machine)
			    : here && entry->machine == here) {
			*chosen = i;
			ft_text_clear(&hosts);
			return FT_OK;
		}
		if (!n++)
			*chosen = i;
		if (entry->machine_name)
			ft_text_add(&hosts, "%s%s", hosts.length ? ", " : "", entry->machine_name);
	}
	if (n != 1 || machine) {
		if (!n)
			(void)ft_fail(err, FT_ENOENT, "no program '%s' in the store", name);
		else
			(void)ft_fail(
				err, FT_ENOENT,
				machine ? "'%s' was not measured on '%s'"
					: "'%s' was measured on several machines, but not on this one%s",
				name, machine ? machine : "");
		(void)ft_remedy(err,
				hosts.s && !hosts.failed ? "choose one with --machine: %s"
							 : "foretime list shows what there is%s",
				hosts.s && !hosts.failed ? hosts.s : "");
	}
	ft_text_clear(&hosts);
	return n == 1 && !machine ? FT_OK : FT_ENOENT;
}

static enum ft_status look_list(struct ft_store *store, const struct ft_query *query, json_t **out,
				struct ft_err *err)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list found = {0};

	FT_TRY(ft_tell_list_find(store, query, &found, err));
	const int64_t here = ft_tell_machine_here(store);
	for (size_t i = 0; i < found.n; i++)
		found.entry[i].here = here && found.entry[i].machine == here;
	*out = ft_tell_json(&ft_tell_list, &found, NULL);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * All that a store has of one program on one machine: its runs by size, failures, models.
 */

static const struct ft_field list_fields[] = {
	{FT_QUERY("search", search), .kind = FT_FIELD_TEXT, .argument = "TEXT",
	 .help = "programs with TEXT in their names"},
	{FT_QUERY("after", after), .kind = FT_FIELD_TEXT, .argument = "NAME",
	 .help = "programs after NAME, by name"},
	{FT_QUERY("limit", limit), .kind = FT_FIELD_COUNT, .argument = "N", .least = 1,
	 .help = "maximum number of names; default: all"},
	{FT_QUERY("traces", traces), .kind = FT_FIELD_FLAG,
	 .help = "only programs whose runs have stored traces"},
	{FT_QUERY("most", limit), .kind = FT_FIELD_COUNT, .argument = "N", .least = 1},
	{0},
};

const struct ft_question ft_question_list = {.name = "list",
					     .about = "the programs in the store",
					     .fields = list_fields,
					     .all = true,
					     .most = 1000,
					     .look = look_list};

enum { TRACES_MOST = 50 };

/* ---- an expert's statements
   ----------------------------------------------------------------------------- */

static bool is_calibrated(const void *answer)
{
	return ((const struct ft_answer_stated *)answer)->calibrated;
}

#define LAW struct ft_answer_stated
static const struct ft_tell_row calibration_rows[] = {
	{FT_TELL_AS("start", LAW, fit.start)},
	{FT_TELL_AS("scale", LAW, fit.scale)},
	{FT_TELL_AS("error", LAW, fit.error), .about = "one standard deviation of ln value",
	 .null = "not known from one size"},
	{FT_TELL_AS("sizes", LAW, fit.sizes)},
	{FT_TELL_AS("runs", LAW, fit.runs)},
	{FT_TELL_AS("fits", LAW, fit.fits), .about = "false: the law is not used"},
	{0},
};
static const struct ft_tell_record calibration = {.row = calibration_rows, .there = is_calibrated};

static const struct ft_tell_row law_rows[] = {
	{FT_TELL(LAW, resource)},
	{FT_TELL_BY(UNIT, "unit", LAW, resource)},
	{FT_TELL(LAW, law), .about = "an expression of the parameters, in SI units"},
	{FT_TELL_BY(RECORD, "calibration", LAW, resource), .of = &calibration,
	 .about = "value = start + scale * law, by runs", .null = "there are none"},
	{0},
};
static const struct ft_tell_record laws = {.bytes = sizeof(LAW), .row = law_rows};

#define REQUIREMENT struct ft_answer_requirement
static const struct ft_tell_row requirement_rows[] = {
	{FT_TELL(REQUIREMENT, what), .words = "memory|processors|architecture|software"},
	{FT_TELL(REQUIREMENT, value)},
	{FT_TELL(REQUIREMENT, unmet), .about = "why this machine does not meet it",
	 .null = "it does, or that is not known"},
	{0},
};
static const struct ft_tell_record requirements = {.bytes = sizeof(REQUIREMENT), .row = requirement_rows};

static const struct ft_tell_row knowledge_rows[] = {
	{FT_TELL_MANY(LIST, "laws", struct ft_answer_knowledge, law, n_laws, &laws)},
	{FT_TELL_MANY(LIST, "requirements", struct ft_answer_knowledge, requirement, n_requirements,
		      &requirements)},
	{0},
};
const struct ft_tell_record ft_tell_knowledge = {.row = knowledge_rows};

enum ft_status ft_tell_knowledge_find(const struct ft_knowledge *knowledge, struct ft_answerer *answerer,
				      struct ft_arena *memory, struct ft_answer_knowledge *out,
				      struct ft_err *err)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};

	*out = (struct ft_answer_knowledge){
		.law = ft_arena_take(memory, knowledge->n_stated, sizeof *out->law),
		.requirement = ft_arena_take(memory, knowledge->n_requirements, sizeof *out->requirement),
	};
	FT_TRY(ft_arena_check(memory, err));
	for (size_t i = 0; i < knowledge->n_stated; i++) {
		LAW *law = &out->law[out->n_laws++];

		law->resource = knowledge->stated[i].resource;
		law->law = knowledge->stated[i].law;
		law->calibrated = answerer && !ft_ask_calibrate(answerer, law->resource, &law->fit, NULL);
	}
	if (knowledge->n_requirements)
		(void)ft_machine_read("", &here, NULL);
	for (size_t i = 0; i < knowledge->n_requirements; i++) {
		const struct ft_requirement *stated = &knowledge->requirement[i];
		REQUIREMENT *answer = &out->requirement[out->n_requirements++];

		answer->what = ft_requirement_text(stated->kind);
		answer->value = stated->value;
		answer->unmet = ft_requirement_unmet(stated, &here, true, answer->why, sizeof answer->why)
					? answer->why
					: NULL;
	}
	return FT_OK;
}

/* ---- builds, traces, jobs ------------------------------------------------------------------------------ */

#define BUILDING struct ft_building
static const struct ft_tell_row building_rows[] = {
	{FT_TELL_BY(SIZE, "size", BUILDING, size), .about = "of the run that is made"},
	{FT_TELL_BY(WORD, "reason", BUILDING, reason), .word = ft_reason_text,
	 .words = "warm-up|new size|once more|it failed once|it was lost|unknown", .about = "why that size"},
	{FT_TELL(BUILDING, gain), .about = "by how much it is expected to lower the mean error, as a share",
	 .null = "the method does not weigh runs, or it is one of the first sizes"},
	{FT_TELL_AS("seconds", BUILDING, expected_s), .about = "that it is expected to take",
	 .null = "not known"},
	{FT_TELL(BUILDING, points), .about = "sizes with a run that ended well"},
	{FT_TELL(BUILDING, runs), .about = "made by this build"},
	{FT_TELL(BUILDING, spent_s)},
	{FT_TELL(BUILDING, budget_s), .about = "0: there is no limit"},
	{FT_TELL(BUILDING, tolerance), .about = "target accuracy of the typical run"},
	{FT_TELL(BUILDING, complete), .about = "how much of what the method will want is there, 0 to 1"},
	{FT_TELL_BY(TIME, "updated", BUILDING, told_ns), .about = "UTC", .null = ""},
	{0},
};
static const struct ft_tell_record building = {.bytes = sizeof(BUILDING), .row = building_rows};

#define TRACE struct ft_store_trace
static const struct ft_tell_row trace_rows[] = {
	{FT_TELL(TRACE, run), .about = "foretime trace takes it as run:NUMBER"},
	{FT_TELL_BY(TIME, "started", TRACE, started_ns), .about = "UTC", .null = "not known"},
	{FT_TELL_BY(SIZE, "size", TRACE, size)},
	{FT_TELL(TRACE, rows)},
	{0},
};
static const struct ft_tell_record traces = {.bytes = sizeof(TRACE), .row = trace_rows};

#define JOB struct ft_answer_job
static const struct ft_tell_row job_rows[] = {
	{FT_TELL_BY(TIME, "started", JOB, started_ns), .about = "UTC", .null = "not known", .head = "began"},
	{FT_TELL(JOB, size)},
	{FT_TELL_AS(NULL, JOB, size), .head = ""},
	{FT_TELL_BY(WORD, "outcome", JOB, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES,
	 .head = ""},
	{FT_TELL_AS("requested_s", JOB, asked_s), .null = "not known", .head = ">requested", .unit = "s"},
	{FT_TELL(JOB, used_s), .null = "not known", .head = ">took", .unit = "s"},
	{FT_TELL_AS("requested_bytes", JOB, asked_bytes), .null = "not known", .head = ">requested",
	 .unit = "bytes"},
	{FT_TELL(JOB, used_bytes), .null = "not known", .head = ">used", .unit = "bytes"},
	{0},
};
const struct ft_tell_record ft_tell_job = {.bytes = sizeof(JOB), .row = job_rows};

/* ---- sizes --------------------------------------------------------------------------------------------- */

static char *why_failed(const void *record, const struct ft_tell_with *with)
{
	const struct ft_run *failure = ((const struct ft_size_values *)record)->failure;

	(void)with;
	return !failure ? NULL : ft_tell_failure_text(failure->outcome, failure, failure->detail);
}

static char *failures_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_size_values *group = record;
	FT_OWN char *why = group->failure ? why_failed(record, with) : NULL;
	struct ft_text text = {0};

	ft_text_add(&text, "%s", "");
	if (why)
		ft_text_add(&text, "%zu: %s", group->failed, why);
	return ft_text_take(&text);
}

#define GROUP struct ft_size_values
static const struct ft_tell_row group_rows[] = {
	{FT_TELL_AS(NULL, GROUP, size)},
	{FT_TELL_AS("runs", GROUP, n), .head = ">runs"},
	{FT_TELL(GROUP, median), .null = "none ended well", .head = ">median", .unit = ""},
	{FT_TELL(GROUP, least), .null = "none ended well", .head = ">minimum", .unit = ""},
	{FT_TELL(GROUP, most), .null = "none ended well", .head = ">maximum", .unit = ""},
	{FT_TELL(GROUP, failed)},
	{FT_TELL_WHOLE(MADE, "failure"), .about = "the last one", .null = "none", .cell = why_failed},
	{FT_TELL_AS(NULL, GROUP, failed), .head = "failures", .cell = failures_cell},
	{0},
};
const struct ft_tell_record ft_tell_sizes = {.bytes = sizeof(GROUP), .row = group_rows};

static const struct ft_tell_row unavailable_rows[] = {
	{FT_TELL(struct ft_sample, resource)},
	{FT_TELL(struct ft_sample, probe)},
	{FT_TELL(struct ft_sample, reason), .null = "not known"},
	{0},
};
static const struct ft_tell_record unavailable = {.bytes = sizeof(struct ft_sample), .row = unavailable_rows};

#define ANSWER struct ft_answer_show
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, ANSWER, program), .of = &ft_tell_program},
	{FT_TELL_BY(POINTER, "machine", ANSWER, there), .of = &ft_tell_machine, .null = "there is no run"},
	{FT_TELL_AS("runs", ANSWER, entry.runs), .about = "that are kept singly"},
	{FT_TELL_AS("folded", ANSWER, entry.folded),
	 .about = "earlier runs, of which sums and quantiles by size are kept"},
	{FT_TELL_AS("failed", ANSWER, entry.failed)},
	{FT_TELL_AS("real", ANSWER, all.real),
	 .about = "runs that were made for their result (run --save); the rest are benchmarks"},
	{FT_TELL_BY(TIME, "first_run", ANSWER, entry.first_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "not known"},
	{FT_TELL_BY(TIME, "last_run", ANSWER, entry.last_ns), .about = "UTC", .null = "not known"},
	{FT_TELL_AS("slowdown", ANSWER, all.slow_down), .about = FT_TELL_SLOW_DOWN},
	{FT_TELL_AS("background_tasks", ANSWER, all.others), .about = FT_TELL_OTHERS, .null = "not known"},
	{FT_TELL(ANSWER, resource)},
	{FT_TELL_BY(UNIT, "unit", ANSWER, resource)},
	{FT_TELL_MANY(LIST, "sizes", ANSWER, group, n_groups, &ft_tell_sizes)},
	{FT_TELL_AS("killed", ANSWER, killed_at), .about = FT_TELL_KILLED, .null = "no run was killed"},
	{FT_TELL_BY(ROWS, NULL, ANSWER, knowledge), .of = &ft_tell_knowledge},
	{FT_TELL_MANY(LIST, "unavailable", ANSWER, unavailable, n_unavailable, &unavailable),
	 .about = "what the newest run could not measure, and why"},
	{FT_TELL_BY(PERHAPS, NULL, ANSWER, models_axes), .of = &ft_tell_axes}, /* no run ended well */
	{FT_TELL_MANY(LIST, "models", ANSWER, model, n_models, &ft_tell_model)},
	{FT_TELL_BY(POINTER, "building", ANSWER, builds), .of = &building,
	 .absent = "no build of it runs on this machine"},
	{FT_TELL_MANY(LIST, "traces", ANSWER, trace, n_traces, &traces),
	 .about = "runs of which one is kept, the newest first"},
	{FT_TELL_BY(POINTER, "coverage", ANSWER, judged), .of = &ft_tell_kept, .absent = "not requested"},
	{FT_TELL_MANY(LIST, "requests", ANSWER, job, n_jobs, &ft_tell_job),
	 .about =
		 "with --asked: what jobs requested from a batch system, and what they used, in the order in "
		 "which they were kept"},
	{0},
};
const struct ft_tell_record ft_tell_show = {.name = "show", .version = 2, .row = rows};

/* ---- the question -------------------------------------------------------------------------------------- */

enum ft_status ft_tell_models_all(struct ft_answerer *answerer, struct ft_arena *memory,
				  struct ft_answer_model **out, size_t *n, struct ft_err *err)
{
	const struct ft_resource *each;
	size_t capacity = 0;

	*out = NULL;
	*n = 0;
	for (size_t i = 0; answerer && (each = ft_ask_resource(answerer, i)); i++) {
		const struct ft_model_record *record;
		const struct ft_size any = ft_ask_any_size(answerer); /* its fixed parameters */

		if (ft_ask_model(answerer, each, &any, &record, NULL))
			continue;
		struct ft_answer_model *grown = ft_arena_grow(memory, *out, *n, &capacity, sizeof *grown);
		if (!grown)
			return ft_nomem(err);
		*out = grown;
		grown[(*n)++] = (struct ft_answer_model){each, record->method[0] ? record->method : NULL,
							 *ft_model_facts(record->model), record->made_ns};
	}
	return FT_OK;
}

void ft_tell_show_clear(struct ft_answer_show *answer)
{
	ft_ask_close(answer->answerer);
	ft_ask_close(answer->no_models);
	ft_store_list_clear(&answer->list);
	ft_program_clear(&answer->program);
	ft_machine_clear(&answer->machine);
	ft_knowledge_clear(&answer->stated);
	free(answer->group);
	ft_kept_clear(&answer->kept.kept);
	ft_arena_clear(&answer->memory);
	*answer = (struct ft_answer_show){0};
}

/* Find the entry of the query's program and machine, and open its models. */
static enum ft_status open_entry(struct ft_store *store, const struct ft_query *query, ANSWER *answer,
				 struct ft_err *err)
{
	static const struct ft_runs none;
	struct ft_err why = {0};

	FT_TRY(ft_store_get_knowledge(store, query->name, &answer->stated, err));
	FT_TRY(ft_store_get_program(store, query->name, &answer->program, err));
	FT_TRY(ft_store_get_list(store, query->name, &answer->list, err));
	FT_TRY(ft_store_list_pick(&answer->list, query->name, query->device, err));
	FT_TRY(ft_tell_entry_pick(store, &answer->list, query->name, query->machine, &answer->chosen, err));
	answer->entry = answer->list.entry[answer->chosen];
	if (answer->entry.program != answer->program.id) {
		ft_program_clear(&answer->program);
		FT_TRY(ft_store_get_program_at(store, answer->entry.program, &answer->program, err));
	}
	answer->here = ft_tell_machine_here(store);
	answer->runs = &none;
	answer->all = (struct ft_ask_whole){.slow_down = 1, .others = NAN};
	if (answer->entry.machine) {
		FT_TRY(ft_store_get_machine(store, answer->entry.machine, &answer->machine, err));
		answer->there = &answer->machine;
	}
	/* Jobs are looked for among all runs. */
	enum ft_status status = (query->jobs ? ft_ask_open_on : ft_ask_open_models)(
		&answer->answerer, store, query->name, query->device, answer->machine.fingerprint,
		answer->here, &why);
	if (status && status != FT_ENOMODEL) {
		*err = why;
		return status;
	}
	if (!answer->there)
		return ft_program_settle(&answer->program, &none, err);
	const struct ft_program *settled = ft_ask_program(answer->answerer);
	assert(settled->id == answer->program.id);
	memcpy(answer->program.param, settled->param, sizeof settled->param);
	answer->runs = ft_ask_runs(answer->answerer);
	answer->all = ft_ask_all(answer->answerer);
	if (answer->entry.machine == answer->here &&
	    !ft_building_get(store, answer->program.id, answer->here, &answer->building, NULL) &&
	    answer->building.told_ns)
		answer->builds = &answer->building;
	return FT_OK;
}

/* The newest jobs with a request, in the order of storing. */
static enum ft_status find_jobs(ANSWER *answer, size_t most, struct ft_err *err)
{
	size_t first = answer->runs->n, n = 0;

	while (first > 0 && n < most) {
		const struct ft_run *run = &answer->runs->run[--first];

		n += run->asked_s > 0 || run->asked_bytes > 0;
	}
	answer->job = ft_arena_take(&answer->memory, n, sizeof *answer->job);
	FT_TRY(ft_arena_check(&answer->memory, err));
	for (; first < answer->runs->n; first++) {
		const struct ft_run *run = &answer->runs->run[first];

		if (run->asked_s > 0 || run->asked_bytes > 0)
			answer->job[answer->n_jobs++] = (struct ft_answer_job){
				run->started_ns,
				run->size,
				run->outcome,
				run->asked_s > 0 ? run->asked_s : (double)NAN,
				run->asked_bytes > 0 ? run->asked_bytes : (double)NAN,
				ft_run_value(run, &ft_wall_s),
				ft_run_footprint(run),
			};
	}
	return FT_OK;
}

enum ft_status ft_tell_show_find(struct ft_store *store, const struct ft_query *query, ANSWER *answer,
				 struct ft_err *err)
{
	*answer = (ANSWER){0};
	FT_TRY(open_entry(store, query, answer, err));
	answer->trace = ft_arena_take(&answer->memory, TRACES_MOST, sizeof *answer->trace);
	FT_TRY(ft_arena_check(&answer->memory, err));
	if (ft_store_get_traces(store, answer->program.id, answer->entry.machine, answer->trace, TRACES_MOST,
				&answer->n_traces, NULL))
		answer->n_traces = 0;
	if (answer->answerer && ft_ask_resource(answer->answerer, 0)) {
		FT_TRY(ft_ask_find(answer->answerer, query->resource, &answer->resource, err));
	} else {
		answer->no_models = answer->answerer;
		answer->answerer = NULL;
		answer->resource = !query->resource    ? &ft_wall_s
				   : answer->no_models ? ft_ask_typed(answer->no_models, query->resource)
						       : ft_resource_typed(query->resource);
	}
	if (!answer->resource) {
		(void)ft_fail(err, FT_ENOENT, "unknown resource '%s'", query->resource);
		return ft_remedy(err, "foretime machine info lists what can be measured");
	}
	if (answer->runs->n)
		FT_TRY(ft_ask_values(answer->answerer ? answer->answerer : answer->no_models,
				     answer->resource, &answer->group, &answer->n_groups, err));
	answer->killed_at = NAN;
	if (answer->runs->n) {
		const size_t varying = ft_program_varying(&answer->program);
		struct ft_size any = answer->runs->run[0].size;

		for (size_t i = 0; i < answer->program.n_params; i++)
			if (answer->program.param[i].least < answer->program.param[i].most)
				any.value[i] = INFINITY;
		answer->killed = ft_runs_killer(answer->runs, varying, &any);
		if (answer->killed)
			answer->killed_at = answer->killed->size.value[varying];
	}
	const struct ft_run *newest = ft_runs_newest(answer->runs);
	answer->unavailable =
		ft_arena_take(&answer->memory, newest ? newest->n_samples : 0, sizeof *answer->unavailable);
	FT_TRY(ft_arena_check(&answer->memory, err));
	for (size_t i = 0; newest && i < newest->n_samples; i++)
		if (newest->sample[i].label == FT_UNAVAILABLE)
			answer->unavailable[answer->n_unavailable++] = newest->sample[i];
	FT_TRY(ft_tell_models_all(answer->answerer, &answer->memory, &answer->model, &answer->n_models, err));
	if (answer->answerer) {
		ft_tell_axes_find(answer->answerer, NULL, 0, &answer->axes);
		answer->models_axes = &answer->axes;
	}
	FT_TRY(ft_tell_knowledge_find(&answer->stated, answer->answerer, &answer->memory, &answer->knowledge,
				      err));
	if (query->kept && !answer->answerer) {
		(void)ft_fail(err, FT_EINVAL, "no run ended well: there are no predictions to compare with");
		return ft_remedy(err, "foretime build measures a program");
	}
	if (query->kept) {
		const struct ft_kept_options options = {
			.confidence = 0.9, .most = query->kept, .models = FT_KEPT_MODELS};

		answer->kept.resource = answer->resource;
		FT_TRY(ft_ask_kept(answer->answerer, answer->resource, &options, &answer->kept.kept, err));
		answer->judged = &answer->kept;
	}
	return query->jobs ? find_jobs(answer, query->jobs, err) : FT_OK;
}

static enum ft_status look_show(struct ft_store *store, const struct ft_query *query, json_t **out,
				struct ft_err *err)
{
	FT_CLEANUP(ft_tell_show_clear) ANSWER answer;
	enum ft_status status = ft_tell_show_find(store, query, &answer, err);
	const struct ft_program whole = answer.program;
	const struct ft_tell_with with = {.program = &answer.program};

	if (status)
		return status;
	/* The command stays with its owner; readers of models do not need it. */
	if (query->served)
		answer.program.argc = 0, answer.program.argv = NULL;
	*out = ft_tell_json(&ft_tell_show, &answer, &with);
	answer.program = whole;
	return *out ? FT_OK : ft_nomem(err);
}

static const struct ft_field fields[] = {
	{FT_QUERY("resource", resource), .letter = 'r', .kind = FT_FIELD_TEXT, .argument = "R",
	 .help = "resource whose values are shown by size; default wall_s"},
	{FT_QUERY("kept", kept), .kind = FT_FIELD_COUNT, .argument = "N", .least = 1,
	 .most = FT_KEPT_RUNS_MAX,
	 .help = "coverage of predictions: how many of the newest N runs lay inside theirs"},
	{FT_QUERY("asked", jobs), .kind = FT_FIELD_COUNT, .argument = "N", .least = 1, .most = 1e9,
	 .help = "what the newest N jobs requested of a batch system, and what they used"},
	FT_QUERY_MODELS,
	{0},
};

const struct ft_question ft_question_show = {.name = "show",
					     .about = "what the store has of a program: its runs by size, "
						      "failures, models",
					     .fields = fields,
					     .slow = true,
					     .look = look_show};
