/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.c - hosts, and the models of programs on them. */
#include "cli/cli.h"
#include "cli/plan/plan.h"
#include "foretime/adapt.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "foretime/plot.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int plan_reserve(struct cli_plan *plan, const char *host, const char *words);

/*
 * Requirements of tasks on processors: rights, architecture, cpus, memory, storage; and the unmet ones.
 */

/* The most tasks, and hosts of each, that get an explanation. */
enum { TASKS_ANSWER = 5, HOSTS_ANSWER = 5 };

static const struct {
	const char *name, *unit;
	size_t offset;
} needs[CLI_NEEDS] = {
	[CLI_NEED_CPUS] = {"cpus", "", offsetof(struct ft_graph_task, cpus)},
	[CLI_NEED_MEMORY] = {"memory", "bytes", offsetof(struct ft_graph_task, memory_bytes)},
	[CLI_NEED_STORAGE] = {"storage", "bytes", offsetof(struct ft_graph_task, storage_bytes)},
};

double cli_tasks_need(const struct ft_graph_task *task, enum cli_need need)
{
	return *(const double *)((const char *)task + needs[need].offset);
}

static bool may_run(const struct ft_graph_task *task, const char *host)
{
	for (size_t i = 0; i < task->n_hosts; i++)
		if (!strcmp(task->host[i], host))
			return true;
	return !task->n_hosts;
}

/* The architecture of a host unless it is `not` (NULL: any): heap; NULL if there is none, or it is
 * unknown. */
static char *architecture_of(const struct cli_tasks *t, const char *host, const char * not )
{
	struct ft_machine machine = {0};
	char *other = NULL;
	int64_t id = 0;

	while (t->plan->store && !ft_store_next_machine(t->plan->store, id, &machine, NULL)) {
		if (ft_machine_is_called(&machine, host) && machine.architecture && !other &&
		    !(not &&!strcmp(machine.architecture, not )))
			other = cli_strdup(machine.architecture);
		id = machine.id;
		ft_machine_clear(&machine);
	}
	return other;
}

static char *too_little(const char *name, const char *unit, double needed, double has)
{
	char text[2][FT_UNIT_LENGTH];

	return cli_printed("%s of %s, and there are %s", name, ft_value_format(needed, unit, text[0]),
			   ft_value_format(has, unit, text[1]));
}

static bool keep_why(char **why, char *text)
{
	if (why)
		*why = text;
	else
		free(text);
	return false;
}

bool cli_tasks_suits(const struct cli_tasks *t, const struct ft_graph_task *task, size_t i, char **why)
{
	const char *host = t->plan->host[t->of[i]].name;

	if (!may_run(task, host))
		return keep_why(why, cli_strdup("no right to run there"));
	char *other = task->architecture ? architecture_of(t, host, task->architecture) : NULL;
	if (other) {
		char *text = cli_printed("architecture %s, and it is %s", task->architecture, other);

		free(other);
		return keep_why(why, text);
	}
	for (int k = 0; k < CLI_NEEDS; k++) {
		double needed = cli_tasks_need(task, (enum cli_need)k),
		       has = t->has[i * CLI_NEEDS + (size_t)k];

		if (needed > has)
			return keep_why(why,
					why ? too_little(needs[k].name, needs[k].unit, needed, has) : NULL);
	}
	return true;
}

/* ---- what is unknown -------------------------------------------------------------------------------- */

static void note_host(const struct cli_tasks *t, size_t i)
{
	const char *host = t->plan->host[t->of[i]].name;
	bool needed[CLI_NEEDS] = {false}, wanted = false;
	CLI_OWN char *architecture = architecture_of(t, host, NULL);

	for (size_t j = 0; j < t->graph.n; j++) {
		wanted = wanted || t->graph.task[j].architecture;
		for (int k = 0; k < CLI_NEEDS; k++)
			needed[k] = needed[k] || cli_tasks_need(&t->graph.task[j], (enum cli_need)k) > 0;
	}
	for (int k = 0; k < CLI_NEEDS; k++)
		if (needed[k] && isinf(t->has[i * CLI_NEEDS + (size_t)k]))
			cli_note("what %s has of %s is not known: it is taken to be enough", host,
				 needs[k].name);
	if (wanted && !architecture)
		cli_note("the architecture of %s is not known: it is taken to be the right one", host);
}

/* The first host of a task's rights that no --on names; NULL: none. */
static const char *absent_host(const struct cli_tasks *t, const struct ft_graph_task *task)
{
	size_t j;

	for (size_t i = 0; i < task->n_hosts; i++) {
		for (j = 0; j < t->plan->n_hosts && strcmp(t->plan->host[j].name, task->host[i]) != 0;)
			j++;
		if (j == t->plan->n_hosts)
			return task->host[i];
	}
	return NULL;
}

void cli_tasks_note_unknown(const struct cli_tasks *t)
{
	size_t answer = 0;

	for (size_t i = 0; i < t->m; i++)
		if ((!i || t->of[i] != t->of[i - 1]) && answer++ < HOSTS_ANSWER)
			note_host(t, i);
	for (size_t i = answer = 0; i < t->graph.n && answer < TASKS_ANSWER; i++) {
		const char *host = absent_host(t, &t->graph.task[i]);

		if (host && ++answer)
			cli_note("task '%s' has the right to run on '%s', which --on does not name",
				 t->graph.task[i].id, host);
	}
}

/* ---- unmet requirements
   ---------------------------------------------------------------------------------- */

static char *why_not(struct cli_tasks *t, const struct ft_graph_task *task, size_t i)
{
	enum ft_cost_end end = FT_COST_NONE;
	double time;
	char *why;

	if (!cli_tasks_suits(t, task, i, &why))
		return why;
	if (!task->name)
		return cli_strdup("no time is given");
	if (t->plan->agent.n) /* who refused was noted when it did */
		return cli_strdup(t->plan->agent.gone[t->of[i]] ? "the manager does not answer"
								: "memory, or the manager has no model");
	(void)cli_tasks_model(t, task, t->of[i], &time, &end);
	return cli_strdup(ft_cost_end_text(end));
}

int cli_tasks_nowhere(struct cli_tasks *t, const size_t *machine, size_t stride)
{
	size_t n = 0;

	for (size_t i = 0; i < t->graph.n; i++) {
		if (*(const size_t *)(const void *)((const char *)machine + i * stride) != FT_PLAN_NOWHERE ||
		    n++ >= TASKS_ANSWER)
			continue;
		(void)cli_fail("task '%s' fits none of the machines", t->graph.task[i].id);
		size_t answer = 0;

		for (size_t j = 0; j < t->m && answer < HOSTS_ANSWER; j++) {
			if (j && t->of[j] == t->of[j - 1])
				continue;
			char *why = why_not(t, &t->graph.task[i], j);
			cli_hint("%s on %s: %s", t->graph.task[i].id, t->plan->host[t->of[j]].name, why);
			free(why);
			answer++;
		}
	}
	if (n > TASKS_ANSWER)
		(void)cli_fail("and so do %zu tasks more", n - TASKS_ANSWER);
	if (!n) {
		/* Each fits somewhere, but not all together: print their total next to the total of the hosts. */
		(void)cli_fail("there is no plan: no machines have what the tasks need together");
		for (int k = 0; k < CLI_NEEDS; k++) {
			double needed = 0, has = 0;
			char text[2][FT_UNIT_LENGTH];

			for (size_t i = 0; i < t->graph.n; i++)
				needed += cli_tasks_need(&t->graph.task[i], (enum cli_need)k);
			for (size_t i = 0; i < t->m; i++)
				has += t->has[i * CLI_NEEDS + (size_t)k];
			if (needed > 0 && isfinite(has))
				cli_hint("%s: %s needed, %s there", needs[k].name,
					 ft_value_format(needed, needs[k].unit, text[0]),
					 ft_value_format(has, needs[k].unit, text[1]));
		}
	}
	cli_hint("more hosts, or what they have in --resources FILE.csv");
	return CLI_NO;
}

/*
 * A table of hosts: their resources, costs, and permitted tasks.
 */

/* A column: its name, the unit of its values, and where they are stored. */
static const struct plan_resources_column {
	const char *name, *unit;
	size_t offset;
} columns[] = {
	{"cores", "", offsetof(struct cli_resource, cores)},
	{"memory", "bytes", offsetof(struct cli_resource, memory_bytes)},
	{"storage", "bytes", offsetof(struct cli_resource, storage_bytes)},
	{"price", "", offsetof(struct cli_resource, price)},
	{"watts", "W", offsetof(struct cli_resource, watts)},
	{"limit", "s", offsetof(struct cli_resource, limit_s)},
	{"wait", "s", offsetof(struct cli_resource, wait_s)},
	{"load", "", offsetof(struct cli_resource, load)},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

double cli_plan_answer(double value)
{
	return isnan(value) ? 0 : value;
}

static int check_columns(const struct ft_csv *csv, const char *path)
{
	size_t j;

	if (ft_csv_column(csv, "host") < 0)
		return cli_fail("'%s' has no column 'host'\n"
				"hint: a row is a machine: host, and any of cores, memory, storage, price, "
				"watts, limit, wait, load, reserved",
				path);
	for (size_t i = 0; i < ft_csv_columns(csv); i++) {
		const char *name = ft_csv_column_name(csv, i);

		for (j = 0; j < COLUMNS && strcmp(columns[j].name, name) != 0; j++)
			continue;
		if (j == COLUMNS && strcmp(name, "host") != 0 && strcmp(name, "reserved") != 0)
			return cli_fail("%s: unknown column '%s'\n"
					"hint: columns are host, and any of cores, memory, storage, price "
					"(an hour), watts, limit (of a run), wait, load, reserved",
					path, name);
	}
	return CLI_DONE;
}

static int read_row(const struct ft_csv *csv, size_t row, const char *path, struct cli_resource *out)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < COLUMNS; i++) {
		double *value = (double *)((char *)out + columns[i].offset);
		int at = ft_csv_column(csv, columns[i].name);
		const char *cell = at < 0 ? "" : ft_csv_cell(csv, row, (size_t)at);

		*value = NAN;
		if (*cell && ft_value_parse(cell, columns[i].unit, value, &err))
			return cli_error_at(&err, "%s:%zu: %s", path, ft_csv_line(csv, row), columns[i].name);
		if (*value < 0)
			return cli_fail("%s:%zu: %s is negative", path, ft_csv_line(csv, row),
					columns[i].name);
	}
	return CLI_DONE;
}

/* plan_resources - read a table of hosts; columns host, and any of cores, memory, storage, price, watts,
 * limit, wait, load, reserved. */
static int plan_resources(struct cli_plan *plan, const char *path)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	int status = check_columns(csv, path);
	for (size_t row = 0; row < ft_csv_rows(csv) && status == CLI_DONE; row++) {
		plan->resource = cli_grow(plan->resource, plan->n_resources, sizeof *plan->resource);
		struct cli_resource *added = &plan->resource[plan->n_resources++];
		added->host = cli_strdup(ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "host")));
		status = read_row(csv, row, path, added);
		if (status == CLI_DONE && ft_csv_column(csv, "reserved") >= 0)
			status = plan_reserve(plan, added->host,
					      ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "reserved")));
	}
	ft_csv_free(csv);
	return status;
}

/*
 * Times at which hosts are reserved.
 */

static int hint_reserve(void)
{
	cli_hint("write --reserve HOST=2h for a host that is taken until then, HOST=1h:2h from then until "
		 "then; node1/2=1h is the second processor of --on node1:4");
	return CLI_WRONG;
}

/* "2h", "1h:2h" */
static int add_reserved(struct cli_plan *plan, const char *host, const char *text)
{
	const char *colon = strchr(text, ':');
	CLI_OWN char *from = cli_printed("%.*s", colon ? (int)(colon - text) : 0, text);
	struct cli_reserved taken = {.host = cli_strdup(host)};
	struct ft_err err = {0};
	bool wrong = (colon && ft_duration_parse(from, &taken.from_s, &err)) ||
		     ft_duration_parse(colon ? colon + 1 : text, &taken.to_s, &err);

	plan->reserved = cli_grow(plan->reserved, plan->n_reserved, sizeof *plan->reserved);
	plan->reserved[plan->n_reserved++] = taken;
	if (wrong) {
		(void)cli_error_at(&err, "%s is reserved", host);
		return hint_reserve();
	}
	if (taken.from_s <= taken.to_s)
		return CLI_DONE;
	(void)cli_fail("%s is reserved until before it is reserved: %s", host, text);
	return hint_reserve();
}

/* plan_reserve - "2h" or "1h:2h", or several with blanks between them; plan_reserve_typed: those of
 * --reserve. */
static int plan_reserve(struct cli_plan *plan, const char *host, const char *words)
{
	while (*(words += strspn(words, " "))) {
		size_t length = strcspn(words, " ");
		CLI_OWN char *word = cli_printed("%.*s", (int)length, words);

		CLI_TRY(add_reserved(plan, host, word));
		words += length;
	}
	return CLI_DONE;
}

static int plan_reserve_typed(struct cli_plan *plan)
{
	for (size_t i = 0; i < plan->reserve.n; i++) {
		const char *text = plan->reserve.text[i], *is = strchr(text, '=');

		if (!is || is == text || !is[1]) {
			(void)cli_fail("--reserve '%s' is no HOST=T", text);
			return hint_reserve();
		}
		CLI_OWN char *host = cli_printed("%.*s", (int)(is - text), text);
		CLI_TRY(plan_reserve(plan, host, is + 1));
	}
	return CLI_DONE;
}

/* Rows of --resources may be of hosts outside the query; hosts that were typed may not. */
static int check_unknown(const struct cli_plan *plan, const char *host)
{
	if (cli_plan_resource(plan, host))
		return CLI_DONE;
	(void)cli_fail("'%s' is reserved, which is none of the hosts of --on", host);
	return hint_reserve();
}

int cli_tasks_reserve(struct cli_tasks *t)
{
	const struct cli_plan *plan = t->plan;

	for (size_t i = 0; i < plan->n_reserved; i++) {
		const struct cli_reserved *r = &plan->reserved[i];
		bool known = false;

		for (size_t j = 0; j < t->m; j++) {
			if (strcmp(r->host, t->host[j]) != 0 &&
			    strcmp(r->host, plan->host[t->of[j]].name) != 0)
				continue;
			known = true;
			t->reserved = cli_grow(t->reserved, t->n_reserved, sizeof *t->reserved);
			t->reserved[t->n_reserved++] = (struct ft_plan_reserved){j, r->from_s, r->to_s};
		}
		if (!known && check_unknown(plan, r->host) != CLI_DONE)
			return CLI_WRONG;
	}
	return CLI_DONE;
}

/* ---- hosts --------------------------------------------------------------------------------------------- */

/*
 * Hosts, and the models of programs on them.
 */

const struct cli_resource *cli_plan_resource(const struct cli_plan *plan, const char *host)
{
	for (size_t i = 0; i < plan->n_resources; i++)
		if (!strcmp(plan->resource[i].host, host))
			return &plan->resource[i];
	return NULL;
}

#define HINT_HOSTS "\nhint: write --on fast,node1:4 for one processor of fast and four alike of node1"

/* "node1:4" */
static int add_host(struct cli_plan *plan, const char *word, size_t length)
{
	char *name = cli_printed("%.*s", (int)length, word), *colon = strrchr(name, ':');
	double count = 1;

	plan->host = cli_grow(plan->host, plan->n_hosts, sizeof *plan->host);
	plan->host[plan->n_hosts] = (struct cli_host){.name = name};
	plan->n_hosts++;
	if (colon) {
		*colon = '\0';
		if (ft_number_parse(colon + 1, &count, NULL) || !(count >= 1 && count <= 1e6) ||
		    count != floor(count))
			return cli_fail("--on: '%s' is not a number of processors" HINT_HOSTS, colon + 1);
	}
	if (!*name)
		return cli_fail("--on has a host without a name" HINT_HOSTS);
	for (size_t i = 0; i + 1 < plan->n_hosts; i++)
		if (!strcmp(plan->host[i].name, name))
			return cli_fail("--on names '%s' twice" HINT_HOSTS, name);
	plan->host[plan->n_hosts - 1].count = (size_t)count;
	plan->host[plan->n_hosts - 1].resource = cli_plan_resource(plan, name);
	return CLI_DONE;
}

int cli_plan_open(struct cli_plan *plan)
{
	return cli_plan_open_for(plan, CLI_ANSWER);
}

int cli_plan_hosts(struct cli_plan *plan)
{
	if (plan->resources_path)
		CLI_TRY(plan_resources(plan, plan->resources_path));
	CLI_TRY(plan_reserve_typed(plan));
	const char *at = plan->on;

	CLI_TRY(cli_agent_open(&plan->agent));
	for (size_t i = 0; i < plan->agent.n; i++) {
		const char *address = plan->agent.manager[i].address;

		plan->host = cli_grow(plan->host, plan->n_hosts, sizeof *plan->host);
		plan->host[plan->n_hosts++] =
			(struct cli_host){cli_strdup(address), 1, cli_plan_resource(plan, address)};
	}
	if (plan->agent.n)
		return CLI_DONE;
	if (!at) {
		plan->host = cli_grow(plan->host, 0, sizeof *plan->host);
		plan->host[plan->n_hosts++] = (struct cli_host){.count = 1};
		return CLI_DONE;
	}
	for (;;) {
		size_t length = strcspn(at, ",");

		CLI_TRY(add_host(plan, at, length));
		if (!at[length])
			return CLI_DONE;
		at += length + 1;
	}
}

int cli_plan_open_for(struct cli_plan *plan, enum cli_access access)
{
	CLI_TRY(cli_plan_hosts(plan));
	if (plan->agent.n) /* the stores are those of the managers */
		return CLI_DONE;
	CLI_TRY(cli_store_open(&plan->store, plan->store_path, access));
	plan->here = ft_tell_machine_here(plan->store);
	return CLI_DONE;
}

void cli_plan_close(struct cli_plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		ft_ask_close(plan->source[i]->answerer);
		free(plan->source[i]);
	}
	for (size_t i = 0; i < plan->n_hosts; i++)
		free(plan->host[i].name);
	for (size_t i = 0; i < plan->n_resources; i++)
		free(plan->resource[i].host);
	for (size_t i = 0; i < plan->n_reserved; i++)
		free(plan->reserved[i].host);
	free(plan->reserved);
	free(plan->source);
	free(plan->host);
	free(plan->resource);
	ft_store_close(plan->store);
	cli_agent_close(&plan->agent);
	plan->n_sources = plan->n_hosts = plan->n_resources = plan->n_reserved = 0;
}

/* ---- models -------------------------------------------------------------------------------------------- */

/* By its instructions, where it was never run there. */
static void open_elsewhere(struct cli_plan *plan, struct cli_source *source)
{
	static const struct ft_cycles none = {0};
	struct ft_err why = {0};

	if (!ft_ask_open(&source->answerer, plan->store, source->name, NULL, plan->here, &why) &&
	    !ft_ask_elsewhere(source->answerer, source->host, &none, &why))
		return;
	ft_ask_close(source->answerer);
	source->answerer = NULL;
	if (!strcmp(why.text, source->err.text)) /* there is no such program at all */
		return;
	(void)ft_fail(&source->err, FT_ENOENT,
		      "'%s' was never run on '%s', and the instructions per second of that machine are not "
		      "known",
		      source->name, source->host);
	(void)ft_remedy(&source->err, "measure it there, foretime export it and import it here; foretime "
				      "machine list names the machines that are known");
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

const struct cli_source *cli_plan_source(struct cli_plan *plan, const char *name, const char *host)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (same(plan->source[i]->name, name) && same(plan->source[i]->host, host))
			return plan->source[i];
	struct cli_source *source = cli_alloc(sizeof *source);
	*source = (struct cli_source){.name = name, .host = host};
	enum ft_status opened = ft_ask_open(&source->answerer, plan->store, source->name, source->host,
					    plan->here, &source->err);

	if (opened == FT_ENOENT && source->host)
		open_elsewhere(plan, source);
	if (source->answerer && !ft_ask_resource(source->answerer, 0)) {
		(void)ft_fail(&source->err, FT_ENOMODEL, "no run of '%s' ended well: there is no model",
			      source->name);
		(void)ft_remedy(&source->err, "see how they ended: foretime show %s", source->name);
		ft_ask_close(source->answerer);
		source->answerer = NULL;
	}
	plan->source = cli_grow(plan->source, plan->n_sources, sizeof *plan->source);
	plan->source[plan->n_sources++] = source;
	return source;
}

int cli_plan_size(const struct ft_answerer *answerer, char *const *word, size_t n, struct ft_size *size)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	struct ft_param param[FT_PARAMS_MAX];
	struct ft_err err = {0};

	if (n > FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	for (size_t i = 0; i < n; i++) {
		if (ft_param_parse(word[i], &param[i], &err))
			return cli_error(&err);
		if (param[i].least != param[i].most)
			return cli_fail("'%s' is a range: a plan is of one size\n"
					"hint: write %s=%.17g",
					word[i], param[i].name, param[i].most);
		name[i] = param[i].name;
		value[i] = param[i].least;
	}
	return ft_ask_size(answerer, name, value, n, size, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- pictures ------------------------------------------------------------------------------------------ */

const char *cli_plan_picture(const struct cli_plan *plan)
{
	return strcmp(plan->plot, "-") != 0 ? plan->plot : NULL;
}

int cli_plan_drawn(enum ft_status status, char *text, const struct ft_err *err)
{
	if (status)
		return cli_error(err);
	if (text)
		printf("%s%s\n", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	free(text);
	return CLI_DONE;
}

/* ---- common to all plans ----------------------------------------------------------------------- */

struct ft_plan_search cli_plan_search(const struct cli_plan *plan)
{
	return (struct ft_plan_search){.effort = (uint64_t)(plan->effort > 0 ? plan->effort : 0),
				       .seed = plan->seed};
}

char *cli_plan_units(double units)
{
	char digits[FT_NUMBER_LENGTH];

	return cli_strdup(ft_number_format(units, digits));
}

char *cli_plan_proof(const struct ft_plan *plan, const char *unit)
{
	char bound[FT_UNIT_LENGTH], gap[FT_UNIT_LENGTH];

	if (plan->exact)
		return cli_strdup("exact: no plan is better");
	return cli_printed("at most %s above the best plan: lower bound %s",
			   ft_share_format(ft_plan_gap(plan), gap),
			   ft_value_format(plan->bound, unit, bound));
}

int cli_tasks_model(struct cli_tasks *t, const struct ft_graph_task *task, size_t host, double *time,
		    enum ft_cost_end *end)
{
	const struct cli_host *on = &t->plan->host[host];
	const struct cli_source *source = cli_plan_source(t->plan, task->name, on->name);
	struct ft_cost_options options = {
		.risk = t->plan->risk, .memory_risk = t->plan->memory_risk, .processors = on->count};
	size_t axis[FT_PARAMS_MAX];
	struct ft_prediction at;
	struct ft_err err = {0};
	struct ft_size size;

	if (!source->answerer)
		return cli_error(&source->err);
	if (cli_tasks_size(task, source->answerer, &size) != CLI_DONE)
		return CLI_WRONG;
	if (on->resource) {
		options.memory_bytes = cli_plan_answer(on->resource->memory_bytes);
		options.most = cli_plan_answer(on->resource->limit_s);
	}
	(void)ft_ask_axes(source->answerer, axis);
	if (ft_cost_at(source->answerer, &size, axis[0], &options, time, end, &err))
		return cli_error_at(&err, "task '%s' on %s", task->id, on->name);
	if (!(options.risk > 0) && isfinite(*time) &&
	    !ft_ask_predict(source->answerer, &ft_wall_s, &size, 0.9, &at, NULL))
		t->rough = t->rough || at.value != *time;
	return CLI_DONE;
}

/* A manager without an answer leaves its host out: what the other ones answered is planned with. */
int cli_tasks_asked(struct cli_tasks *t, const struct ft_graph_task *task, double *row)
{
	struct cli_agent *agent = &t->plan->agent;
	const double risk = t->plan->risk;
	CLI_OWN char *what = cli_printed("task '%s'", task->id);
	char digits[FT_NUMBER_LENGTH];
	struct ft_text target = {0};
	struct ft_prediction at;

	/* With a risk the upper end of what they predict is exceeded so often. */
	cli_agent_rank(agent, task->name, risk > 0 ? 1 - 2 * risk : 0.9, &target);
	for (size_t i = 0; i < task->n_size; i++)
		ft_tell_target_add(&target, "size.", task->size[i].name,
				   ft_number_format(task->size[i].value, digits));
	(void)cli_agent_ask(agent, &target, &ft_tell_server, what);
	for (size_t i = 0; i < t->m; i++) {
		const struct cli_resource *resource = t->plan->host[t->of[i]].resource;
		const json_t *answer = agent->manager[t->of[i]].answer;
		double limit_s = resource ? cli_plan_answer(resource->limit_s) : 0;

		row[i] = INFINITY;
		if (!answer || !cli_tasks_suits(t, task, i, NULL) || !cli_agent_read(answer, &row[i], &at))
			continue;
		if (risk > 0 && isfinite(row[i]))
			row[i] = at.upper;
		if (limit_s > 0 && row[i] > limit_s)
			row[i] = INFINITY;
	}
	return CLI_DONE;
}

int cli_plan_total(const char *word, char parameter[FT_PARAM_LENGTH], int64_t *total)
{
	struct ft_param param;
	struct ft_err err = {0};

	if (ft_param_parse(word, &param, &err))
		return cli_error(&err);
	if (param.least != param.most || param.least != floor(param.least) || !(param.least >= 1) ||
	    param.least > (double)FT_PLAN_UNITS)
		return cli_fail("'%s' is not a total that can be divided" CLI_PLAN_HINT_TOTAL, word);
	memcpy(parameter, param.name, FT_PARAM_LENGTH);
	*total = (int64_t)param.least;
	return CLI_DONE;
}

int cli_plan_counts(const struct cli_plan *plan, const char *parameter, int64_t *step)
{
	double each = isnan(plan->granularity) ? 1 : plan->granularity,
	       min = isnan(plan->min) ? 0 : plan->min;

	if (!(each >= 1) || each != floor(each) || each > (double)FT_PLAN_UNITS || !(min >= 0) ||
	    min != floor(min) || min > (double)FT_PLAN_UNITS)
		return cli_fail("--granularity G,min=K are whole numbers of %s\n"
				"hint: write --granularity 64 for shares in multiples of 64, --granularity "
				"min=1 for no "
				"idle processor",
				parameter);
	*step = (int64_t)each;
	return CLI_DONE;
}

int cli_tasks_size(const struct ft_graph_task *task, const struct ft_answerer *answerer, struct ft_size *size)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	struct ft_err err = {0};

	for (size_t i = 0; i < task->n_size; i++) {
		name[i] = task->size[i].name;
		value[i] = task->size[i].value;
	}
	if (ft_ask_size(answerer, name, value, task->n_size, size, &err) ||
	    ft_ask_admits(answerer, size, &err))
		return cli_error_at(&err, "task '%s'", task->id);
	return CLI_DONE;
}
