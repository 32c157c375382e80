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

	for (size_t i = 0; i < sizeof steps / sizeof *steps && steps[i] <= minutes / 20; i++)
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

double ft_tell_bytes(double most, bool brief, double overhead, const struct ft_tell_bounds *bounds)
{
	double bytes = ft_tell_margin(brief) * most + overhead;

	if (bounds && bounds->most_bytes > 0 && bytes > bounds->most_bytes)
		bytes = bounds->most_bytes;
	return bounds && bounds->least_bytes > bytes ? bounds->least_bytes : bytes;
}

double ft_tell_seconds(double most, const struct ft_tell_bounds *bounds)
{
	return bounds && bounds->most_s > 0 && most > bounds->most_s ? bounds->most_s : most;
}

/* ---- bounds -------------------------------------------------------------------------------------------- */

/* A time has a unit or a clock's form: "90m" is minutes, "1-12:00" a day and a half, "90M" and "90" are
 * memory. */
static enum ft_status read_bound(const char *text, struct ft_tell_bounds *bounds, struct ft_err *err)
{
	const bool unit = strpbrk(text, ":-") || (*text && !strchr("0123456789", text[strlen(text) - 1]));
	double bound, *out = &bounds->most_s;

	if (!unit || ft_duration_parse(text, &bound, NULL)) {
		out = &bounds->most_bytes;
		if (ft_bytes_parse(text, &bound, NULL)) {
			(void)ft_fail(err, FT_EPARSE, "'%s' is neither memory nor a time", text);
			return ft_remedy(err, "write the bound as in 64GiB, 2d or 64GiB,2d");
		}
	}
	*out = bound;
	if (!(bound > 0)) {
		(void)ft_fail(err, FT_EINVAL, "a bound of %s leaves nothing to ask for", text);
		return ft_remedy(err,
				 "write what a node has, as in 64GiB, or how long jobs may run, as in 2d");
	}
	return FT_OK;
}

enum ft_status ft_tell_bounds_read(const char *text, struct ft_tell_bounds *bounds, struct ft_err *err)
{
	char most[FT_UNIT_LENGTH], least[FT_UNIT_LENGTH], first[64];
	const char *comma = strchr(text, ',');
	size_t length = comma ? (size_t)(comma - text) : 0;
	enum ft_status status = FT_OK;

	if (comma && length < sizeof first) {
		memcpy(first, text, length);
		first[length] = '\0';
		status = read_bound(first, bounds, err);
		text = comma + 1;
	}
	if (!status)
		status = read_bound(text, bounds, err);
	if (!status && comma && !(bounds->most_bytes > 0 && bounds->most_s > 0))
		return ft_fail(err, FT_EINVAL, "of memory and time one bound each");
	if (!status && bounds->most_bytes > 0 && bounds->most_bytes < bounds->least_bytes)
		return ft_fail(err, FT_EINVAL, "no memory is at most %s and at least %s",
			       ft_value_format(bounds->most_bytes, "bytes", most),
			       ft_value_format(bounds->least_bytes, "bytes", least));
	return status;
}

/* What a typical run needs, within a bound; what is not known is not compared. */
static enum ft_status within_bound(const struct ft_need *need, double overhead, double bound,
				   const char *what, const char *unit, const char *at, struct ft_err *err)
{
	char typical[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];

	if (!need->resource || need->doubt || !(bound > 0) || !(need->at.value + overhead > bound))
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "a typical run at %s needs %s of %s, more than %s", at,
		      ft_value_format(need->at.value + overhead, unit, typical), what,
		      ft_value_format(bound, unit, most));
	return ft_remedy(err, "ask for a smaller size (foretime largest), or raise --at-most");
}

static enum ft_status known_enough(struct ft_need *need, double bound, const char *what, const char *unit,
				   const char *at, const char *measure, struct ft_err *err)
{
	char typical[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH], advice[FT_UNIT_LENGTH], seen[FT_UNIT_LENGTH],
		far[FT_TELL_FAR];

	if (!need->resource || !need->doubt)
		return FT_OK;
	if (bound > 0) {
		need->most = bound;
		return FT_OK;
	}
	if (need->doubt == FT_DOUBT_FAR)
		(void)ft_fail(err, FT_ENOMODEL,
			      "the %s at %s is not known: extrapolated %s, and requests end at %gx", what, at,
			      ft_tell_far(need->at.distance, far), FT_REQUEST_FARTHEST);
	else
		(void)ft_fail(err, FT_ENOMODEL,
			      "the %s at %s is not known: typical %s, perhaps %s, extrapolated %s", what, at,
			      ft_value_format(need->at.value, unit, typical),
			      ft_value_format(need->upper, unit, upper), ft_tell_far(need->at.distance, far));
	return ft_remedy(err,
			 "measure up to %s, or give --at-most; runs needed %s at most, in proportion to the "
			 "size that is %s",
			 measure, ft_value_format(need->seen, unit, seen),
			 ft_value_format(need->proportional, unit, advice));
}

enum ft_status ft_tell_answered(struct ft_request *request, const struct ft_program *program,
				const struct ft_size *size, double overhead,
				const struct ft_tell_bounds *bounds, struct ft_err *err)
{
	char at[256], measure[256];

	(void)ft_size_format(program, size, at, sizeof at);
	(void)ft_size_format(program, request->doubted ? &request->measure : size, measure, sizeof measure);
	enum ft_status status =
		known_enough(&request->memory, bounds->most_bytes, "memory", "bytes", at, measure, err);
	if (!status)
		status = known_enough(&request->time, bounds->most_s, "time", "s", at, measure, err);
	if (!status)
		status = within_bound(&request->memory, overhead, bounds->most_bytes, "memory", "bytes", at,
				      err);
	if (!status)
		status = within_bound(&request->time, 0, bounds->most_s, "time", "s", at, err);
	return status ? status : ft_tell_holdable(request, bounds, err);
}

enum ft_status ft_tell_holdable(const struct ft_request *request, const struct ft_tell_bounds *bounds,
				struct ft_err *err)
{
	bool long_run =
		request->time.resource && !(ft_tell_seconds(request->time.most, bounds) <= seconds_most);
	bool large = request->memory.resource &&
		     !(ft_tell_bytes(request->memory.most, false, 0, bounds) <= bytes_most);
	const struct ft_need *need = long_run ? &request->time : &request->memory;
	char most[FT_UNIT_LENGTH], far[FT_TELL_FAR];

	if (!long_run && !large)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "no batch system %s: %s, extrapolated %s",
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
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
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
				     const struct ft_tell_bounds *bounds, struct ft_tell_request_text *text,
				     struct ft_err *err)
{
	const double needed = ft_tell_bytes(request->memory.most, request->brief, told->overhead, bounds);
	struct ft_tell_asked asked = {request->time.resource ? ft_tell_seconds(request->time.most, bounds)
							     : NAN,
				      request->memory.resource ? needed : NAN,
				      told->cpus > 0 ? told->cpus : ft_tell_cpus(request->cpus)};
	double minutes = ft_tell_minutes(asked.seconds), bytes = 1048576 * ft_tell_mib(asked.bytes);

	told->time = (struct ft_told_need){.need = request->time, .request = NAN};
	told->memory = (struct ft_told_need){.need = request->memory, .request = NAN};
	told->cpus = asked.cpus;
	told->brief = request->brief;
	told->killed = request->killed;
	told->refuted = request->refuted;
	told->risk = request->risk;
	told->measure = request->doubted ? &request->measure : NULL;
	if (!told->answered) {
		told->time.need.most = request->time.doubt ? NAN : told->time.need.most;
		told->memory.need.most = request->memory.doubt ? NAN : told->memory.need.most;
		return FT_OK;
	}
	told->time.request = 60 * minutes;
	told->time.asked = clock_of(minutes, text->time);
	told->memory.request = bytes;
	told->memory.asked = ft_value_format(bytes, "bytes", text->memory);
	text->slurm = ft_tell_batch_line(&table[0], &asked);
	told->slurm = text->slurm;
	return text->slurm ? FT_OK : ft_nomem(err);
}

void ft_tell_request_clear(struct ft_tell_request_text *text)
{
	free(text->slurm);
	text->slurm = NULL;
}
