/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs_write.c - runs as a table of text that runs_read.c reads back to the last digit. */
#include "base/alloc.h"
#include "base/text.h"
#include "base/moment.h"
#include "facts/surround.h"
#include "foretime/csv.h"
#include "foretime/facts.h"

#include <math.h>
#include <string.h>

/* NaN is an empty cell. */
static void add_number(struct ft_text *text, double value)
{
	if (!isnan(value))
		ft_text_add_number(text, value);
	ft_text_add_bytes(text, ",", 1);
}

/* Whether a resource gets a column. The wall time always does: a table without any resource is none of ours.
 */
static bool has_column(const struct ft_runs *runs, const struct ft_resource *resource)
{
	for (size_t i = 0; i < runs->n; i++)
		if (!isnan(ft_run_value(&runs->run[i], resource)))
			return true;
	return resource == &ft_wall_s;
}

static bool any_work(const struct ft_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		if (!isnan(runs->run[i].work))
			return true;
	return false;
}

/* The resources that get columns, in the order of the table; returns how many. A parameter takes the column
 * of its name: input_bytes. */
static size_t choose_columns(const struct ft_program *program, const struct ft_runs *runs,
			     const struct ft_resource *const *counter, size_t n_counters,
			     const struct ft_resource *column[FT__COLUMNS_MAX])
{
	const struct ft_resource *resource;
	size_t n = 0;

	for (size_t i = 0; (resource = ft_resource_get(i)) && n < FT__COLUMNS_MAX - FT__COUNTERS_MAX; i++)
		if (ft_program_find_param(program, resource->name) < 0 && has_column(runs, resource))
			column[n++] = resource;
	for (size_t i = 0; i < n_counters; i++)
		column[n++] = counter[i];
	return n;
}

/* Whether what surrounds runs gets a column: where some run knows it, and no parameter has its name. */
static bool is_told(const struct ft_program *program, const struct ft_runs *runs,
		    const struct ft__surround *surround)
{
	for (size_t i = 0; i < runs->n && ft_program_find_param(program, surround->name) < 0; i++)
		if (!isnan(surround->get(&runs->run[i])))
			return true;
	return false;
}

static void add_run(struct ft_text *text, const struct ft_run *run, const struct ft_resource *const *column,
		    size_t n, bool work, const bool told[FT__SURROUND_N])
{
	char moment[FT__MOMENT_LENGTH];

	for (size_t i = 0; i < run->size.n; i++)
		add_number(text, run->size.value[i]);
	for (size_t i = 0; i < n; i++)
		add_number(text, ft_run_value(run, column[i]));
	if (work)
		add_number(text, run->work);
	ft_text_add(text, "%s,%d,", ft_outcome_text(run->outcome), run->warmup);
	add_number(text, run->cost_s);
	for (size_t i = 0; i < FT__SURROUND_N; i++)
		if (told[i])
			add_number(text, ft__surround[i].get(run));
	ft_text_add(text, "%s\n", ft__moment_format(run->started_ns, moment));
}

enum ft_status ft_runs_write(const struct ft_program *program, const struct ft_runs *runs, char **out,
			     struct ft_err *err)
{
	const struct ft_resource *column[FT__COLUMNS_MAX];
	const struct ft_resource **counter;
	size_t n_counters;
	struct ft_text text = {0};
	bool work = any_work(runs), told[FT__SURROUND_N];

	*out = NULL;
	if (ft_runs_counters(runs, &counter, &n_counters, err))
		return FT_ENOMEM;
	if (n_counters > FT__COUNTERS_MAX) {
		ft_free(counter);
		return ft_fail(err, FT_EINVAL,
			       "the runs have %zu different counters, of which a table takes %d", n_counters,
			       FT__COUNTERS_MAX);
	}
	char *ranges = ft_program_ranges(program);
	text.failed = !ranges;
	size_t n = choose_columns(program, runs, counter, n_counters, column);

	ft_text_add(&text, "# foretime: runs 1\n");
	ft_text_add_note(&text, "name", program->name);
	ft_text_add_note(&text, "device", program->device);
	ft_text_add_note(&text, "driver", program->driver);
	ft_text_add_note(&text, "work", program->work);
	ft_text_add_note(&text, "method", program->method);
	ft_text_add_note(&text, "where", program->where);
	ft_text_add_note(&text, "ranges", ranges);
	for (size_t i = 0; i < n_counters; i++)
		ft_text_add(&text, "%s%s%s", i ? " " : "# counters: ", counter[i]->name,
			    i + 1 < n_counters ? "" : "\n");
	for (size_t i = 0; i < program->n_params; i++)
		ft_text_add(&text, "%s,", program->param[i].name);
	for (size_t i = 0; i < n; i++)
		ft_text_add(&text, "%s,", column[i]->name);
	ft_text_add(&text, "%soutcome,warmup,cost_s,", work ? "work," : "");
	for (size_t i = 0; i < FT__SURROUND_N; i++)
		if ((told[i] = is_told(program, runs, &ft__surround[i])))
			ft_text_add(&text, "%s,", ft__surround[i].name);
	ft_text_add(&text, "started\n");
	for (size_t i = 0; i < runs->n; i++)
		add_run(&text, &runs->run[i], column, n, work, told);
	ft_free(counter);
	ft_free(ranges);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
