/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revise.c - `foretime plan revise`: whether what runs is as fast as was planned, or moves. */
#include "cli/plan/plan.h"
#include "foretime/csv.h"
#include "foretime/revise.h"
#include "tell/plan.h"
#include "tell/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct revision {
	struct cli_plan *plan;
	json_t *root;
	struct ft_plan_runner *runner; /* [n] with a share; labels are the plan's */
	size_t n;
};

/* ---- the plan ----------------------------------------------------------------------------------------- */

static int no_plan(const char *path, const char *why)
{
	return cli_fail(
		"'%s' is not a plan that can be revised: %s\n"
		"hint: make it with: foretime plan partition NAME n=TOTAL --on HOSTS --json > PLAN.json",
		path, why);
}

static int add_runner(struct revision *q, const char *path, json_t *share)
{
	const char *label = json_string_value(json_object_get(share, "processor"));
	double units = json_number_value(json_object_get(share, "units"));
	double time = json_number_value(json_object_get(share, "time_s"));
	double upper = json_number_value(json_object_get(share, "upper_s"));
	struct ft_err err = {0};

	if (!label || !(units >= 0) || (units > 0 && !(time > 0)))
		return no_plan(path, "a share without processor, units or time_s");
	if (!(units > 0))
		return CLI_DONE;
	if (ft_plan_runner(&q->runner[q->n], label, units, time, upper, &err))
		return cli_error(&err);
	q->n++;
	return CLI_DONE;
}

static int read_plan(struct revision *q, const char *path)
{
	struct ft_err err = {0};
	json_t *each;
	size_t i;

	if (ft_tell_read_json(path, &q->root, &err))
		return no_plan(path, err.text);
	json_t *shares = json_object_get(q->root, "shares");
	if (!json_array_size(shares))
		return no_plan(path, "it has no \"shares\"");
	q->runner = cli_alloc(json_array_size(shares) * sizeof *q->runner);
	json_array_foreach(shares, i, each)
	{
		CLI_TRY(add_runner(q, path, each));
	}
	return CLI_DONE;
}

/* ---- how it went -------------------------------------------------------------------------------------- */

/* n: there is none. */
static size_t find_runner(const struct revision *q, const char *label)
{
	size_t i;

	for (i = 0; i < q->n && strcmp(q->runner[i].label, label) != 0; i++)
		continue;
	return i;
}

static int look_at_row(struct revision *q, const struct ft_csv *csv, size_t row, const int column[4],
		       const char *path)
{
	const char *label = ft_csv_cell(csv, row, (size_t)column[0]);
	size_t own = find_runner(q, label);
	struct ft_err err = {0};
	double seconds, done, total = NAN;
	int status = CLI_DONE;

	if (own == q->n)
		return cli_fail("%s:%zu: the plan has no processor '%s'\n"
				"hint: they are called as the plan calls them: %s%s%s",
				path, ft_csv_line(csv, row), label, q->runner[0].label, q->n > 1 ? ", " : "",
				q->n > 1 ? q->runner[1].label : "");
	if (ft_csv_number(csv, row, (size_t)column[1], false, &seconds, &err) ||
	    ft_csv_number(csv, row, (size_t)column[2], false, &done, &err) ||
	    (column[3] >= 0 && ft_csv_number(csv, row, (size_t)column[3], true, &total, &err)))
		return cli_error(&err);
	if (total > 0) /* of the share, in a unit of the program's own */
		done *= q->runner[own].units / total;
	CLI_OWN char *where = cli_printed("%s:%zu", path, ft_csv_line(csv, row));
	if (ft_plan_look(q->runner, q->n, own, seconds, done, q->plan->cost_s, &err))
		status = cli_error_at(&err, "%s", where);
	return status;
}

static int read_progress(struct revision *q, const char *path)
{
	static const char *const names[3] = {"processor", "seconds", "done"};
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int column[4], status = CLI_DONE;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	for (size_t i = 0; i < 3 && status == CLI_DONE; i++) {
		column[i] = ft_csv_column(csv, names[i]);
		if (column[i] >= 0)
			continue;
		status = cli_fail("'%s' has no column '%s'\n"
				  "hint: a row is a look at a processor: processor, seconds since it began, "
				  "done (units)",
				  path, names[i]);
	}
	column[3] = ft_csv_column(csv, "total");
	for (size_t i = 0; i < ft_csv_rows(csv) && status == CLI_DONE; i++)
		status = look_at_row(q, csv, i, column, path);
	ft_csv_free(csv);
	return status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static double seen(const struct ft_plan_runner *r, double seconds)
{
	return r->looked && isfinite(seconds) ? seconds : (double)NAN;
}

static void print_revision(const struct revision *q, bool move)
{
	CLI_OWN struct ft_told_revision *each = cli_alloc(q->n * sizeof *each);
	const struct ft_told_revisions told = {move, each, q->n};

	for (size_t i = 0; i < q->n; i++) {
		const struct ft_plan_runner *r = &q->runner[i];

		each[i] = (struct ft_told_revision){.processor = r->label,
						    .looked = r->looked,
						    .move = r->last.move,
						    .broken = r->last.broken,
						    .done = r->done,
						    .units = r->units,
						    .loss_s = r->last.loss_s,
						    .cost_s = r->cost_s,
						    .stay_s = seen(r, r->last.stay_s),
						    .move_s = seen(r, r->last.move_s)};
	}
	if (q->plan->json) {
		cli_tell(&ft_tell_revise, &told, NULL);
	} else {
		cli_tell_table(&ft_tell_revision, each, q->n, NULL);
	}
}

static int answer_revision(struct revision *q)
{
	bool move = false;

	if (!q->plan->progress || isnan(q->plan->cost_s))
		return cli_fail("plan revise needs %s\n"
				"hint: foretime plan revise PLAN.json RUNS.csv --cost 30s",
				q->plan->progress ? "what a move costs" : "how it went so far");
	CLI_TRY(read_plan(q, q->plan->word[0]));
	if (!q->n)
		return no_plan(q->plan->word[0], "no processor has a share");
	CLI_TRY(read_progress(q, q->plan->progress));
	for (size_t i = 0; i < q->n; i++)
		move = move || q->runner[i].last.move;
	print_revision(q, move);
	return move ? CLI_NO : CLI_DONE;
}

int cli_plan_revise(void *asked)
{
	struct revision q = {.plan = asked};
	int status = answer_revision(&q);

	json_decref(q.root);
	free(q.runner);
	return status;
}
