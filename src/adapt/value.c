/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - resources in columns that no format knows: "wall_s=runtime:ms". */
#include "adapt/job.h"
#include "base/alloc.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a unit is in SI. Units of memory are 2^10 each where they have an i. */
static const struct {
	const char *unit, *of;
	double factor;
} units[] = {
	{"ns", "s", 1e-9},        {"us", "s", 1e-6},
	{"ms", "s", 1e-3},        {"s", "s", 1},
	{"min", "s", 60},         {"h", "s", 3600},
	{"B", "bytes", 1},        {"kB", "bytes", 1e3},
	{"MB", "bytes", 1e6},     {"GB", "bytes", 1e9},
	{"TB", "bytes", 1e12},    {"KiB", "bytes", 0x1p10},
	{"MiB", "bytes", 0x1p20}, {"GiB", "bytes", 0x1p30},
	{"TiB", "bytes", 0x1p40}, {"J", "J", 1},
	{"kJ", "J", 1e3},         {"Wh", "J", 3600},
	{"kWh", "J", 3.6e6},
};

void ft__values_clear(struct ft_import_job *job)
{
	for (size_t i = 0; i < job->n_values; i++)
		ft_free(job->value[i].column);
	job->n_values = 0;
}

static enum ft_status fail_word(const char *word, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EPARSE, "--value %.200s: %s", word, what);
	(void)ft_remedy(err,
			"write RESOURCE=COLUMN or RESOURCE=COLUMN:UNIT, as in wall_s=runtime:ms; the units "
			"are ns us ms s min h, B kB MB GB TB KiB MiB GiB TiB, J kJ Wh kWh");
	return FT_EPARSE;
}

/* A unit of the resource behind the last colon: it may as well be part of the column's name. */
static void take_unit(struct ft__value_spec *spec)
{
	const char *colon = strrchr(spec->column, ':');

	for (size_t i = 0; colon && i < sizeof units / sizeof *units; i++)
		if (!strcmp(units[i].unit, colon + 1) && !strcmp(units[i].of, spec->resource->unit)) {
			spec->length = (size_t)(colon - spec->column);
			spec->factor = units[i].factor;
			return;
		}
}

bool ft__value_names(const struct ft__value_spec *spec, const char *column, double *factor)
{
	*factor = 1;
	if (!strcmp(column, spec->column))
		return true;
	*factor = spec->factor;
	return spec->length && !strncmp(column, spec->column, spec->length) && !column[spec->length];
}

/* The field that a spec means. */
static const struct ft__field *find_field(const struct ft_import_job *job, const struct ft__value_spec *spec,
					  double *factor)
{
	const struct ft__field *field = ft__record_find(&job->record, spec->column);

	*factor = 1;
	for (size_t i = 0; i < job->record.n && !field; i++)
		if (ft__value_names(spec, job->record.field[i].name, factor))
			field = &job->record.field[i];
	return field;
}

enum ft_status ft__values_parse(struct ft_import_job *job, struct ft_err *err)
{
	if (job->options->n_values > FT__VALUES_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d times --value", FT__VALUES_MAX);
	for (size_t i = 0; i < job->options->n_values; i++) {
		const char *word = job->options->value[i], *equals = strchr(word, '=');
		struct ft__value_spec *spec = &job->value[job->n_values];
		char name[FT_RESOURCE_LENGTH];

		if (!equals || !equals[1] || (size_t)(equals - word) >= sizeof name)
			return fail_word(word, "it is not RESOURCE=COLUMN", err);
		(void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
		*spec = (struct ft__value_spec){.resource = ft_resource_typed(name)};
		if (!spec->resource)
			return fail_word(word, "there is no resource of that name", err);
		spec->column = ft_strdup(equals + 1);
		if (!spec->column)
			return ft_nomem(err);
		job->n_values++;
		take_unit(spec);
	}
	return FT_OK;
}

bool ft__values_name(const struct ft_import_job *job, const struct ft_resource *resource)
{
	for (size_t i = 0; i < job->n_values; i++)
		if (job->value[i].resource == resource)
			return true;
	return false;
}

enum ft_status ft__values_take(struct ft_import_job *job, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < job->n_values && !status; i++) {
		const struct ft__value_spec *spec = &job->value[i];
		double value, factor;
		const struct ft__field *field = find_field(job, spec, &factor);
		char lacks[80];

		if (!field) {
			(void)snprintf(lacks, sizeof lacks, "'%.64s'", spec->column);
			return ft__job_missing(job, lacks, "name one of them in --value", err);
		}
		if (ft__is_missing(field->text))
			continue;
		if (ft__read_number(field->text, &value))
			value *= factor;
		else if (ft_value_parse(field->text, spec->resource->unit, &value, NULL))
			return ft__record_fail(job, field, "not a value of the resource",
					       "write a number, and its unit in --value RESOURCE=COLUMN:UNIT",
					       err);
		status = ft__record_sample(job, spec->resource, value, FT_MEASURED, field, NULL, err);
	}
	return status;
}
