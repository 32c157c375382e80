/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - `foretime plan rank`: orders machines, or partitions of a cluster, by when a run would end
   there. */
#include "base/command.h"
#include "base/number.h"
#include "cli/plan/plan.h"
#include "foretime/adapt.h"
#include "tell/answers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A candidate machine; or a partition, if one of its nodes is a machine of the store. */
struct plan_candidate {
	const char *label, *host;
	struct ft_answerer *answerer;
	struct ft_prediction at;
	enum ft_cost_end end;
	double memory_bytes; /* of the candidate; 0: unknown */
	bool late;           /* its limit is the deadline */
	double cost;         /* in money; NaN: it has no price */
};

struct ranking {
	struct cli_plan *plan;
	struct ft_sinfo sinfo;
	char **names; /* of hosts when --on names none; owned */
	size_t n_names;
	struct plan_candidate *candidate; /* [n] */
	struct ft_plan_server *server;
	size_t n;
	struct ft_plan_rank *rank;
	struct rank_price *price; /* [n_prices] as typed, or of a file */
	size_t n_prices;
};

/* ---- prices --------------------------------------------------------------------------------------------- */

/* The price of a machine, or a partition, by the hour. */
struct rank_price {
	char *name; /* owned; "": of all */
	struct ft_answer_price price;
	bool used;
};

static int add_price(struct ranking *r, const char *name, size_t length, const char *text, const char *where)
{
	struct rank_price price = {.price = {.per_hour = NAN, .per_core_hour = NAN}};
	double number;

	/* A bare number is by the hour, as in --resources. */
	if (ft__number_read(text, false, &number) && number > 0)
		price.price.per_hour = number;
	else if (!cli_price_of_time(text, &price.price))
		return cli_fail(
			"%s'%s' is not a price of time\nhint: write HOST=0.10/h, HOST=0.02EUR/core-h, or "
			"the name of a table with the columns host and price",
			where, text);
	for (size_t i = 0; i < r->n_prices; i++)
		if (*price.price.currency && *r->price[i].price.currency &&
		    strcmp(price.price.currency, r->price[i].price.currency) != 0)
			return cli_fail("%sprices in %s and in %s cannot be compared\nhint: state all in one "
					"currency",
					where, r->price[i].price.currency, price.price.currency);
	price.name = cli_printed("%.*s", (int)length, name);
	r->price = cli_grow(r->price, r->n_prices, sizeof price);
	r->price[r->n_prices++] = price;
	return CLI_DONE;
}

static int read_price_table(struct ranking *r, const char *path)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	int host = ft_csv_column(csv, "host"), price = ft_csv_column(csv, "price");
	if (host < 0 || price < 0)
		status = cli_fail("'%s' has no column '%s'\nhint: a row is a machine: host and price, as in "
				  "node1,0.10/h",
				  path, host < 0 ? "host" : "price");
	for (size_t row = 0; status == CLI_DONE && row < ft_csv_rows(csv); row++) {
		const char *name = ft_csv_cell(csv, row, (size_t)host),
			   *text = ft_csv_cell(csv, row, (size_t)price);
		CLI_OWN char *where = cli_printed("%s:%zu: ", path, ft_csv_line(csv, row));

		if (*text)
			status = add_price(r, name, strlen(name), text, where);
	}
	ft_csv_free(csv);
	return status;
}

/* "0.10/h", "node1=0.10/h,node2=0.35/h", or the name of a file. */
static int read_prices(struct ranking *r)
{
	const char *text = r->plan->price.price;

	if (r->plan->price.co2)
		return cli_fail("--price co2 is of energy, which rank does not plan\n"
				"hint: foretime plan map --least energy");
	if (text && !strpbrk(text, "=") && !cli_price_of_time(text, &(struct ft_answer_price){0}))
		return read_price_table(r, text);
	for (const char *at = text; at && *at;) {
		size_t length = strcspn(at, ",");
		CLI_OWN char *one = cli_printed("%.*s", (int)length, at);
		const char *equals = strchr(one, '=');

		CLI_TRY(add_price(r, one, equals ? (size_t)(equals - one) : 0, equals ? equals + 1 : one,
				  "--price "));
		at += length + (at[length] == ',');
	}
	return CLI_DONE;
}

/* The price of a candidate: by its own name, by that of the machine of its models, or of all; then that of
 * --resources. */
static struct ft_answer_price price_of(struct ranking *r, const struct plan_candidate *c, double resource)
{
	const char *const names[] = {c->label, c->host, ""};

	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < r->n_prices; i++)
			if (!strcmp(r->price[i].name, names[k])) {
				r->price[i].used = true;
				return r->price[i].price;
			}
	return (struct ft_answer_price){.per_hour = resource, .per_core_hour = NAN};
}

/* The cheapest first of those that will do; without a price last. Those that cost the same are tied. */
static int compare_costs(const void *a, const void *b, void *of)
{
	const struct ranking *r = of;
	const struct ft_plan_rank *p = a, *q = b;
	double x = r->candidate[p->server].cost, y = r->candidate[q->server].cost;

	if (p->why != q->why)
		return p->why < q->why ? -1 : 1;
	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	if (x != y)
		return x < y ? -1 : 1;
	return p->end_s < q->end_s ? -1 : p->end_s > q->end_s;
}

/* ---- candidates --------------------------------------------------------------------------------- */

/* Until what takes as long as 19 in 20 runs at most fits between what is reserved. */
static int wait_until_free(const struct cli_plan *plan, const struct plan_candidate *c,
			   struct ft_plan_server *server)
{
	CLI_OWN struct ft_plan_reserved *taken = cli_alloc((plan->n_reserved + 1) * sizeof *taken);
	double longest = isfinite(c->at.upper) ? fmax(c->at.upper, server->time_s) : server->time_s;
	struct ft_err err = {0};
	size_t n = 0;
	int status = CLI_DONE;

	for (size_t i = 0; i < plan->n_reserved; i++)
		if (!strcmp(plan->reserved[i].host, c->label) || !strcmp(plan->reserved[i].host, c->host))
			taken[n++] = (struct ft_plan_reserved){0, plan->reserved[i].from_s,
							       plan->reserved[i].to_s};
	if (n && isfinite(longest) &&
	    ft_plan_free_from(taken, n, 0, server->wait_s, longest, &server->wait_s, &err))
		status = cli_error(&err);
	return status;
}

/* What a table states of a machine by name. */
static void take_resource(const struct cli_resource *resource, struct ft_plan_server *server)
{
	if (!resource)
		return;
	server->limit_s = cli_plan_answer(resource->limit_s);
	server->wait_s = cli_plan_answer(resource->wait_s);
	server->load = cli_plan_answer(resource->load);
	server->cost = cli_plan_answer(resource->price);
}

static int keep_candidate(struct ranking *r, struct plan_candidate *c, struct ft_plan_server *server,
			  const struct cli_resource *resource)
{
	struct ft_size size;

	CLI_TRY(cli_wait_of(&r->plan->wait, c->label, &server->wait_s));
	CLI_TRY(wait_until_free(r->plan, c, server));
	const struct ft_answer_price price =
		price_of(r, c, resource && resource->price > 0 ? resource->price : NAN);
	c->cost = NAN;
	if (isfinite(server->time_s) && c->answerer) {
		CLI_TRY(cli_plan_size(c->answerer, r->plan->word + 1, r->plan->words - 1, &size));
		c->cost = cli_price_cost(&price, c->answerer, &size, server->time_s);
	} else if (isfinite(server->time_s)) {
		c->cost = ft_tell_cost_of_time(&price, server->time_s, NAN);
	}
	/* What is left until the deadline is a limit like another. */
	double left_s =
		isnan(r->plan->deadline_s) ? INFINITY : fmax(DBL_MIN, r->plan->deadline_s - server->wait_s);
	if (left_s < (server->limit_s > 0 ? server->limit_s : INFINITY)) {
		server->limit_s = left_s;
		c->late = true;
	}
	r->candidate = cli_grow(r->candidate, r->n, sizeof *c);
	r->server = cli_grow(r->server, r->n, sizeof *server);
	r->candidate[r->n] = *c;
	r->server[r->n++] = *server;
	return CLI_DONE;
}

/* The managers of --ask: each answers by its own models and its own load. */
static int add_asked(struct ranking *r)
{
	struct cli_agent *agent = &r->plan->agent;
	struct ft_text target = {0};

	cli_agent_rank(agent, r->plan->word[0], 0.9, &target);
	for (size_t i = 1; i < r->plan->words; i++) {
		CLI_OWN char *word = cli_strdup(r->plan->word[i]);
		char *equals = strchr(word, '=');

		if (!equals) {
			ft_text_clear(&target);
			return cli_size_refuse(word, "n");
		}
		*equals = '\0';
		ft_tell_target_add(&target, "size.", word, equals + 1);
	}
	(void)cli_agent_ask(agent, &target, &ft_tell_server, NULL);
	for (size_t i = 0; i < agent->n; i++) {
		const json_t *answer = agent->manager[i].answer;
		const char *host =
			json_string_value(json_object_get(json_object_get(answer, "machine"), "host"));
		struct plan_candidate c = {.label = agent->manager[i].address, .host = host};
		struct ft_plan_server server = {0};

		if (!answer)
			continue;
		take_resource(r->plan->host[i].resource, &server);
		if (!cli_agent_read(answer, &server.time_s, &c.at)) {
			cli_note("%s answers without a time", c.label);
			continue;
		}
		c.host = host ? host : c.label;
		c.end = isinf(server.time_s) ? FT_COST_MEMORY : FT_COST_NONE;
		server.spread_s = isfinite(c.at.upper) ? fmax(0, c.at.upper - c.at.value) / 1.6448536 : 0;
		CLI_TRY(keep_candidate(r, &c, &server, r->plan->host[i].resource));
	}
	return r->n            ? CLI_DONE
	       : agent->n == 1 ? CLI_WRONG
			       : cli_fail("none of %zu managers has an answer", agent->n);
}

static int add_candidate(struct ranking *r, const char *label, const char *host,
			 const struct cli_resource *resource, const struct ft_sinfo_partition *partition)
{
	const struct cli_source *source = cli_plan_source(r->plan, r->plan->word[0], host);
	struct ft_plan_server server = {0};
	struct plan_candidate c = {.label = label, .host = host, .answerer = source->answerer};

	if (!source->answerer)
		return cli_error(&source->err);
	take_resource(resource, &server);
	if (resource)
		c.memory_bytes = cli_plan_answer(resource->memory_bytes);
	if (partition) {
		server.limit_s = isinf(partition->limit_s) ? 0 : partition->limit_s;
		c.memory_bytes = partition->memory_bytes;
	}
	/* The time of the run there, and whether it fits. */
	const struct ft_cost_options options = {.memory_risk = r->plan->memory_risk,
						.memory_bytes = c.memory_bytes};
	size_t axis[FT_PARAMS_MAX];
	struct ft_err err = {0};
	struct ft_size size;

	CLI_TRY(cli_plan_size(c.answerer, r->plan->word + 1, r->plan->words - 1, &size));
	(void)ft_ask_axes(c.answerer, axis);
	if (ft_ask_admits(c.answerer, &size, &err) ||
	    ft_cost_at(c.answerer, &size, axis[0], &options, &server.time_s, &c.end, &err) ||
	    ft_ask_predict(c.answerer, &ft_wall_s, &size, 0.9, &c.at, &err))
		return cli_error_at(&err, "%s", c.label);
	if (isfinite(server.time_s) && isfinite(c.at.upper))
		server.spread_s = fmax(0, c.at.upper - c.at.value) / 1.6448536;
	if (isfinite(server.time_s)) /* a rough model gave its upper end */
		server.time_s = c.at.value;
	return keep_candidate(r, &c, &server, resource);
}

/* Without --on: every machine on which the program was run. */
static int list_machines(struct ranking *r)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};
	size_t j;

	if (ft_store_get_list(r->plan->store, r->plan->word[0], &list, &err))
		return cli_error(&err);
	for (size_t i = 0; i < list.n; i++) {
		const char *name = list.entry[i].machine_name;

		for (j = 0; name && j < r->n_names && strcmp(r->names[j], name) != 0; j++)
			continue;
		if (!name || j < r->n_names || list.entry[i].runs == list.entry[i].failed)
			continue;
		r->names = cli_grow(r->names, r->n_names, sizeof *r->names);
		r->names[r->n_names++] = cli_strdup(name);
	}
	ft_store_list_clear(&list);
	if (r->n_names)
		return CLI_DONE;
	return cli_error(&cli_plan_source(r->plan, r->plan->word[0], NULL)->err);
}

static int add_machines(struct ranking *r)
{
	if (!r->plan->on)
		CLI_TRY(list_machines(r));
	for (size_t i = 0; i < r->n_names; i++)
		CLI_TRY(add_candidate(r, r->names[i], r->names[i], cli_plan_resource(r->plan, r->names[i]),
				      NULL));
	for (size_t i = 0; r->plan->on && i < r->plan->n_hosts; i++)
		CLI_TRY(add_candidate(r, r->plan->host[i].name, r->plan->host[i].name,
				      r->plan->host[i].resource, NULL));
	return CLI_DONE;
}

/* The machine whose models represent a partition: one of its nodes, or one of the same name. */
static const char *machine_of(const struct ranking *r, const struct ft_sinfo_partition *partition)
{
	size_t n = r->plan->on ? r->plan->n_hosts : r->n_names;

	for (size_t i = 0; i < n; i++) {
		const char *host = r->plan->on ? r->plan->host[i].name : r->names[i];

		if (!strcmp(host, partition->name) || ft_sinfo_has_node(partition->nodes, host))
			return host;
	}
	/* Nothing is known of its nodes: they are taken to be like the one machine named. */
	return !*partition->nodes && r->plan->on && n == 1 ? r->plan->host[0].name : NULL;
}

static int add_partitions(struct ranking *r)
{
	if (!r->plan->on)
		CLI_TRY(list_machines(r));
	for (size_t i = 0; i < r->sinfo.n; i++) {
		const struct ft_sinfo_partition *p = &r->sinfo.partition[i];
		const char *host = machine_of(r, p);

		if (!p->up)
			cli_note("partition %s is down", p->name);
		else if (!host)
			cli_note("partition %s is left out: on none of its nodes '%s' was run", p->name,
				 r->plan->word[0]);
		else
			CLI_TRY(add_candidate(r, p->name, host, cli_plan_resource(r->plan, p->name), p));
	}
	if (r->n)
		return CLI_DONE;
	return cli_fail("'%s' was run on no node of any partition\n"
			"hint: run it once on a node of each, foretime export it and import it here, or name "
			"nodes with --on",
			r->plan->word[0]);
}

/* ---- sinfo -------------------------------------------------------------------------------------------- */

/* ---- the answer --------------------------------------------------------------------------------------- */

/* The same with their limits, for Snakemake's executor, which takes the best fitting one of these and
 * considers no times. */
static int print_snakemake(const struct ranking *r)
{
	struct ft_sinfo some = {.partition = cli_alloc((r->n + 1) * sizeof *some.partition)};
	struct ft_err err = {0};
	CLI_OWN char *text = NULL;
	int status = CLI_DONE;

	for (size_t i = 0; i < r->n && r->rank[i].why == FT_RANK_GOOD && r->rank[i].alike; i++)
		for (size_t j = 0; j < r->sinfo.n; j++)
			if (!strcmp(r->sinfo.partition[j].name, r->candidate[r->rank[i].server].label))
				some.partition[some.n++] = r->sinfo.partition[j];
	if (ft_sinfo_write_snakemake(&some, &text, &err))
		status = cli_error(&err);
	else
		fputs(text, stdout);
	free(some.partition);
	return status;
}

static int print_ranks(const struct ranking *r)
{
	CLI_OWN struct ft_answer_rank *rank = cli_alloc((r->n + 1) * sizeof *rank);
	const struct ft_answer_ranks answer = {rank, r->n, r->plan->agent.unanswered,
					       r->plan->agent.n_unanswered};
	bool any = r->n && r->rank[0].why == FT_RANK_GOOD;
	int status = CLI_DONE;

	for (size_t i = 0; i < r->n; i++) {
		const struct plan_candidate *c = &r->candidate[r->rank[i].server];
		const struct ft_plan_server *s = &r->server[r->rank[i].server];
		bool good = r->rank[i].why == FT_RANK_GOOD, fits = r->rank[i].why != FT_RANK_NO_FIT;

		rank[i] = (struct ft_answer_rank){
			.name = c->label,
			.host = c->host,
			.machine = r->sinfo.n ? NULL : c->label,
			.partition = r->sinfo.n ? c->label : NULL,
			.why = r->rank[i].why,
			.end = c->end,
			.good = good,
			.alike = good && r->rank[i].alike,
			.tied = r->rank[i].alike && r->n > 1 &&
				r->rank[1].alike, /* the best one is alike itself */
			.wait_s = s->wait_s,
			.time_s = fits ? s->time_s : (double)NAN,
			.done_s = fits ? s->wait_s + s->time_s : (double)NAN,
			.end_s = r->rank[i].end_s,
			.first = good ? r->rank[i].first : (double)NAN,
			.before_best = good ? r->rank[i].before_best : (double)NAN,
			.at = c->at,
			.cost = c->cost,
			.late = c->late,
		};
	}
	if (r->plan->json) {
		cli_tell(&ft_tell_ranks, &answer, NULL);
	} else if (!r->plan->format) {
		cli_tell_table(&ft_tell_rank, rank, r->n, NULL);
	} else if (any && !strcmp(r->plan->format, "snakemake")) {
		status = print_snakemake(r);
	} else if (any) {
		/* Print all that are tied with the best one as one list: Slurm takes the earliest. */
		printf("--partition=");
		for (size_t i = 0; i < r->n && r->rank[i].why == FT_RANK_GOOD && r->rank[i].alike; i++)
			printf("%s%s", i ? "," : "", r->candidate[r->rank[i].server].label);
		putchar('\n');
	}
	if (!any) {
		(void)cli_fail("'%s' of that size will do on none of them", r->plan->word[0]);
		for (size_t i = 0; (r->plan->format || r->plan->json) && i < answer.n; i++)
			cli_hint("%s: %s", answer.rank[i].name, ft_tell_rank_why(&answer.rank[i]));
		if (!r->plan->format && !r->plan->json)
			cli_hint("see which sizes fit: foretime largest %s", r->plan->word[0]);
		status = CLI_NO;
	}
	return status;
}

static bool is_named(const struct ranking *r, const char *wait)
{
	size_t i, length = strcspn(wait, "=");

	for (i = 0; i < r->n; i++)
		if (strlen(r->candidate[i].label) == length && !strncmp(r->candidate[i].label, wait, length))
			return true;
	for (i = 0; i < r->sinfo.n; i++) /* one that is left out as well */
		if (strlen(r->sinfo.partition[i].name) == length &&
		    !strncmp(r->sinfo.partition[i].name, wait, length))
			return true;
	return false;
}

static int hint_names(const struct ranking *r)
{
	CLI_OWN char *all = cli_strdup("");

	for (size_t i = 0; i < r->n && i < 10; i++) {
		cli_reprint(&all, "%s%s%s", all, i ? ", " : "", i < 9 ? r->candidate[i].label : "...");
	}
	cli_hint("they are %s", all);
	return CLI_WRONG;
}

static int check_named(const struct ranking *r)
{
	for (size_t i = 0; i < r->n_prices; i++)
		if (!r->price[i].used && *r->price[i].name && r->plan->price.price &&
		    strpbrk(r->plan->price.price, "=")) {
			(void)cli_fail("--price '%s' is of none of those that are ranked", r->price[i].name);
			return hint_names(r);
		}
	for (size_t i = 0; i < r->plan->wait.n; i++)
		if (!is_named(r, r->plan->wait.text[i])) {
			(void)cli_fail("--wait '%s' is of none of those that are ranked",
				       r->plan->wait.text[i]);
			return hint_names(r);
		}
	for (size_t i = 0; i < r->plan->n_reserved; i++) {
		const char *host = r->plan->reserved[i].host;

		if (is_named(r, host) || cli_plan_resource(r->plan, host))
			continue;
		(void)cli_fail("'%s' is reserved, and is none of those that are ranked", host);
		return hint_names(r);
	}
	return CLI_DONE;
}

static void clear_ranking(struct ranking *r)
{
	ft_sinfo_clear(&r->sinfo);
	for (size_t i = 0; i < r->n_names; i++)
		free(r->names[i]);
	free(r->names);
	for (size_t i = 0; i < r->n_prices; i++)
		free(r->price[i].name);
	free(r->price);
	free(r->candidate);
	free(r->server);
	free(r->rank);
}

int cli_plan_rank(void *query)
{
	FT_CLEANUP(clear_ranking) struct ranking r = {.plan = query};

	for (size_t i = 0; i < r.plan->wait.n; i++)
		if (!strchr(r.plan->wait.text[i], '='))
			return cli_fail("--wait '%s' is of which machine?\n"
					"hint: write --wait HOST=30s, once for each",
					r.plan->wait.text[i]);
	struct cli_plan *plan = r.plan;
	bool slurm = plan->sinfo_path || plan->format;
	struct ft_err err = {0};

	CLI_TRY(cli_plan_open(plan));
	CLI_TRY(read_prices(&r));
	if (plan->sinfo_path && ft_sinfo_read(&r.sinfo, plan->sinfo_path, &err))
		return cli_error(&err);
	if (slurm && plan->agent.n)
		return cli_fail("--ask is about managers, and %s about partitions\n"
				"hint: leave one of them out",
				plan->sinfo_path ? "--sinfo" : "this --format");
	if (slurm && !plan->sinfo_path) {
		static const char *const argv[] = {"sinfo", "-o", "%P %a %l %N %c %m", NULL};
		FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
		int status = CLI_DONE;

		if (ft__command_run(&tool, NULL) || !tool.length)
			status = cli_fail("sinfo cannot be run here\n"
					  "hint: run sinfo -o '%%P %%a %%l %%N %%c %%m' > FILE where there "
					  "is Slurm, and name it with --sinfo FILE");
		else if (ft_sinfo_parse(&r.sinfo, "sinfo", tool.text, tool.length, &err))
			status = cli_error(&err);
		if (status)
			return status;
	}
	CLI_TRY(plan->agent.n ? add_asked(&r) : slurm ? add_partitions(&r) : add_machines(&r));
	CLI_TRY(check_named(&r));
	r.rank = cli_alloc((r.n + 1) * sizeof *r.rank);
	if (ft_plan_rank(r.server, r.n, plan->risk, r.rank, &err))
		return cli_error(&err);
	if (r.n_prices) {
		qsort_r(r.rank, r.n, sizeof *r.rank, compare_costs, &r);
		for (size_t i = r.n; i--;)
			r.rank[i].alike = r.rank[i].why == FT_RANK_GOOD &&
					  (!i || r.candidate[r.rank[i].server].cost ==
							 r.candidate[r.rank[0].server].cost);
	}
	return print_ranks(&r);
}
