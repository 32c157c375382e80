/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - on which machine a row's run was made: as the user says of nodes, or as a column has it. */
#include "adapt/job.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

/* Jobs of more nodes are of none that is known. */
enum { NODES_MOST = 65536 };

static void forget_looked(struct ft__looked *looked)
{
	ft_free(looked->list);
	ft_free(looked->name);
	*looked = (struct ft__looked){0};
}

void ft__machines_clear(struct ft_import_job *job)
{
	for (size_t i = 0; i < job->n_nodes; i++)
		ft_free(job->nodes[i].list);
	ft_free(job->nodes);
	job->nodes = NULL;
	job->n_nodes = 0;
	forget_looked(&job->looked);
	ft__template_clear(&job->machine);
}

static enum ft_status fail_word(const char *word, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "--machine %.200s: %s", word, what);
	return ft_remedy(err, "write --machine M, --machine 'node[01-16]=M' for each kind of node, or "
			      "--machine '{COLUMN}'");
}

/* "M", "NODES=M", "{COLUMN}" */
static enum ft_status parse_word(struct ft_import_job *job, const char *word, struct ft_err *err)
{
	const char *equals = strrchr(word, '=');

	if (!*word || (equals && (equals == word || !equals[1])))
		return fail_word(word, "it is not NODES=MACHINE", err);
	if (strchr(word, '{')) {
		if (job->machine.n)
			return fail_word(word, "a second text of columns", err);
		return ft__template_parse(&job->machine, word, "--machine", word, err);
	}
	if (equals) {
		char *list = ft_strndup(word, (size_t)(equals - word));

		job->nodes[job->n_nodes] = (struct ft__nodes){list, equals + 1};
		job->n_nodes += list != NULL;
		return list ? FT_OK : ft_nomem(err);
	}
	if (job->others)
		return fail_word(word, "a second machine for all other nodes", err);
	job->others = word;
	return FT_OK;
}

enum ft_status ft__machines_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	enum ft_status status = FT_OK;

	job->nodes = ft_calloc(options->n_machines + 1, sizeof *job->nodes);
	if (!job->nodes)
		return ft_nomem(err);
	for (size_t i = 0; i < options->n_machines && !status; i++)
		status = parse_word(job, options->machine[i], err);
	if (!status && job->machine.n && (job->n_nodes || job->others))
		status = fail_word(options->machine[0], "a text of columns allows no second machine", err);
	return status;
}

/* ---- of a row ----------------------------------------------------------------------------------------- */

/* A row whose nodes are looked at one by one. */
struct machine_look {
	struct ft_import_job *job;
	struct ft__field *field; /* that has them; NULL: none */
	char *name;              /* of their machine */
	enum ft_passed passed;
	enum ft_status status;
	struct ft_err *err;
};

/* The machine of one node, heap; NULL: nobody names it. */
static char *machine_of(struct machine_look *look, const char *host)
{
	const struct ft_import_job *job = look->job;
	const char *name = job->others;
	char *made = NULL;

	if (job->machine.n) {
		look->status = ft__template_fill(job, &job->machine, &made, look->err);
		if (made)
			ft__name_mend(made);
		return made;
	}
	for (size_t i = 0; i < job->n_nodes; i++)
		if (ft_sinfo_has_node(job->nodes[i].list, host)) {
			name = job->nodes[i].name;
			break;
		}
	made = name ? ft_strdup(name) : NULL;
	if (name && !made)
		look->status = ft_nomem(look->err);
	return made;
}

static bool compare_node(void *ctx, const char *host)
{
	struct machine_look *look = ctx;

	if (look->field)
		look->field->text = host;
	char *name = machine_of(look, host);
	if (!name || !*name)
		look->passed = FT_PASSED_NODES;
	else if (look->name && strcmp(look->name, name) != 0)
		look->passed = FT_PASSED_KINDS;
	if (!look->name && look->passed == FT_PASSED_N)
		look->name = name;
	else
		ft_free(name);
	return !look->status && look->passed == FT_PASSED_N;
}

/* The column that has the nodes of a row, where the machine depends on them. */
static struct ft__field *nodes_of(struct ft_import_job *job)
{
	static const char *const names[] = {"NodeList", "hostname"};

	for (size_t i = 0; i < 2; i++) {
		const struct ft__field *field = ft__record_find(&job->record, names[i]);
		bool used = !job->machine.n;

		for (size_t k = 0; k < job->machine.n && field; k++)
			used = used || (job->machine.part[k].column &&
					ft__column_find(job, job->machine.part[k].text) == field);
		if (field && used)
			return &job->record.field[field - job->record.field];
	}
	return NULL;
}

bool ft__machine_is_node(struct ft_import_job *job)
{
	return job->machine.n && nodes_of(job);
}

static void read_nodes(struct machine_look *look, const char *list)
{
	/* "None assigned" */
	if (!*list || !strncmp(list, "None", 4) ||
	    (!ft__hosts_each(list, NODES_MOST, compare_node, look) && look->passed == FT_PASSED_N))
		look->passed = FT_PASSED_NODES;
	if (look->field)
		look->field->text = list;
}

/* The same nodes are the same machine, where that depends on nothing else. */
static void read_nodes_once(struct machine_look *look, const char *list)
{
	struct ft__looked *looked = &look->job->looked;

	if (!looked->list || strcmp(looked->list, list) != 0) {
		read_nodes(look, list);
		forget_looked(looked);
		*looked = (struct ft__looked){ft_strdup(list), look->name, look->passed};
	}
	look->passed = looked->passed;
	look->name = looked->name && !look->status ? ft_strdup(looked->name) : NULL;
	if (!looked->list || (looked->name && !look->name && !look->status))
		look->status = ft_nomem(look->err);
}

enum ft_status ft__machine_make(struct ft_import_job *job, enum ft_passed *passed, struct ft_err *err)
{
	struct machine_look look = {.job = job, .passed = FT_PASSED_N, .err = err};

	*passed = FT_PASSED_N;
	if (!job->options->n_machines)
		return FT_OK;
	look.field = nodes_of(job);
	if (!look.field && !job->machine.n)
		return ft__job_missing(job, "'NodeList'",
				       "let sacct print it: sacct -P -o JobID,...,NodeList; or name another "
				       "column: --machine '{COLUMN}'",
				       err);
	const char *list = look.field ? look.field->text : "any";
	if (job->machine.n)
		read_nodes(&look, list);
	else
		read_nodes_once(&look, list);
	*passed = look.passed;
	if (!look.status && look.passed == FT_PASSED_N)
		job->record.machine = look.name;
	else
		ft_free(look.name);
	return look.status;
}
