/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.c - a request rounded as it is asked for, and as a line of a batch system. */
#include "tell/batch.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that was learned from runs of under a second is asked for with half more: whoever looks at a process
 * a few times a second, as workflow systems do, may have looked before it held all. */
static const double brief_margin = 1.5;

/* What a batch system can hold. */
static const double seconds_most = 0x1p31 - 1, bytes_most = 0x1p63;

/* ---- rounding ------------------------------------------------------------------------------------------ */

double ft_tell_minutes(double seconds)
{
	static const double steps[] = {1, 5, 10, 15, 30, 60, 120, 240, 720, 1440};
	double minutes = ceil(seconds / 60), step = 1;
	size_t i;

	for (i = 0; i < sizeof steps / sizeof *steps && steps[i] <= minutes / 20; i++)
		step = steps[i];
	return fmax(1, step * ceil(minutes / step));
}

double ft_tell_mib(double bytes)
{
	return fmax(1, ceil(bytes / 1048576));
}

double ft_tell_cpus(double busy)
{
	return isnan(busy) ? busy : fmax(1, ceil(busy - 0.1));
}

double ft_tell_margin(bool brief)
{
	return brief ? brief_margin : 1;
}

double ft_tell_bytes(double most, bool brief, double overhead, double at_least)
{
	return fmax(at_least, ft_tell_margin(brief) * most + overhead);
}

static bool is_above(const struct ft_need *need, double most)
{
	return need->resource[0] && !(need->most <= most);
}

enum ft_status ft_tell_holdable(const struct ft_request *request, struct ft_err *err)
{
	bool long_run = is_above(&request->time, seconds_most);
	const struct ft_need *need = long_run ? &request->time : &request->memory;
	char most[FT_UNIT_LENGTH], far[FT_TELL_FAR];

	if (!long_run && !is_above(need, bytes_most))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "no batch system %s: %s, extrapolated %s the data",
		      long_run ? "takes that long" : "has that much memory",
		      ft_value_format(need->most, long_run ? "s" : "bytes", most),
		      ft_tell_far(need->at.distance, far));
	return ft_remedy(err, "ask for a smaller size, or measure larger ones");
}

static char *clock_of(double minutes, char buffer[FT_TELL_CLOCK])
{
	double days = floor(minutes / 1440), hours = floor(fmod(minutes, 1440) / 60),
	       rest = fmod(minutes, 60);

	if (days > 0)
		(void)snprintf(buffer, FT_TELL_CLOCK, "%.0f-%02.0f:%02.0f:00", days, hours, rest);
	else if (hours > 0)
		(void)snprintf(buffer, FT_TELL_CLOCK, "%02.0f:%02.0f:00", hours, rest);
	else
		(void)snprintf(buffer, FT_TELL_CLOCK, "%02.0f:00", rest);
	return buffer;
}

/* ---- lines of batch systems ---------------------------------------------------------------------------- */

struct ft_tell_batch {
	const char *name, *time, *memory, *cpus;
	const char *suffix; /* behind the number of memory */
	char between;
	double bytes; /* unit of its memory */
	enum { CLOCK, HOURS_CLOCK, HOURS_MINUTES, SECONDS } clock;
};

static const struct ft_tell_batch table[] = {
	{"slurm", "--time=", "--mem=", "--cpus-per-task=", "M", ' ', 1048576, CLOCK},
	{"pbs", "-l walltime=", "-l mem=", "-l ncpus=", "mb", ' ', 1048576, HOURS_CLOCK},
	{"lsf", "-W ", "-M ", "-n ", "MB", ' ', 1e6, HOURS_MINUTES},
	{"htcondor", "allowed_job_duration = ", "request_memory = ", "request_cpus = ", "", '\n', 1048576,
	 SECONDS},
};

const struct ft_tell_batch *ft_tell_batch_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

static void add_time(struct ft_text *text, const struct ft_tell_batch *batch, double seconds)
{
	double minutes = ft_tell_minutes(seconds), rest = fmod(minutes, 60), hours = (minutes - rest) / 60;
	char clock[FT_TELL_CLOCK];

	switch (batch->clock) {
	case HOURS_CLOCK:
		ft_text_add(text, "%02.0f:%02.0f:00", hours, rest);
		break;
	case HOURS_MINUTES:
		ft_text_add(text, "%.0f:%02.0f", hours, rest);
		break;
	case SECONDS:
		ft_text_add(text, "%.0f", 60 * minutes);
		break;
	case CLOCK:
	default:
		ft_text_add(text, "%s", clock_of(minutes, clock));
	}
}

/* What it is called, behind what stands there already. */
static void add_name(struct ft_text *text, const struct ft_tell_batch *batch, const char *name)
{
	if (text->length)
		ft_text_add_bytes(text, &batch->between, 1);
	ft_text_add(text, "%s", name);
}

char *ft_tell_batch_line(const struct ft_tell_batch *batch, const struct ft_tell_asked *asked)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%s", "");
	if (!isnan(asked->seconds)) {
		add_name(&text, batch, batch->time);
		add_time(&text, batch, asked->seconds);
	}
	if (!isnan(asked->bytes)) {
		add_name(&text, batch, batch->memory);
		ft_text_add(&text, "%.0f%s", fmax(1, ceil(asked->bytes / batch->bytes)), batch->suffix);
	}
	if (!isnan(asked->cpus)) {
		add_name(&text, batch, batch->cpus);
		ft_text_add(&text, "%.0f", asked->cpus);
	}
	return ft_text_take(&text);
}

/* ---- a request at one size ----------------------------------------------------------------------------- */

enum ft_status ft_tell_request_sized(struct ft_told_request *told, const struct ft_request *request,
				     double at_least, struct ft_tell_request_text *text, struct ft_err *err)
{
	const double needed = ft_tell_bytes(request->memory.most, request->brief, told->overhead, at_least);
	struct ft_tell_asked asked = {request->time.resource[0] ? request->time.most : NAN,
				      request->memory.resource[0] ? needed : NAN,
				      told->cpus > 0 ? told->cpus : ft_tell_cpus(request->cpus)};
	double minutes = ft_tell_minutes(asked.seconds), bytes = 1048576 * ft_tell_mib(asked.bytes);
	enum ft_status status = ft_tell_holdable(request, err);

	if (status)
		return status;
	told->time = (struct ft_told_need){request->time, 60 * minutes, clock_of(minutes, text->time)};
	told->memory =
		(struct ft_told_need){request->memory, bytes, ft_value_format(bytes, "bytes", text->memory)};
	told->cpus = asked.cpus;
	told->brief = request->brief;
	told->killed = request->killed;
	told->refuted = request->refuted;
	text->slurm = ft_tell_batch_line(&table[0], &asked);
	told->slurm = text->slurm;
	return text->slurm ? FT_OK : ft_nomem(err);
}

void ft_tell_request_clear(struct ft_tell_request_text *text)
{
	free(text->slurm);
	text->slurm = NULL;
}
