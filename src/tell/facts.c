/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - machines, programs and runs. */
#include "tell/facts.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "foretime/units.h"

#include <math.h>
#include <string.h>

int64_t ft_tell_machine_here(struct ft_store *store)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};
	int64_t id = 0;

	if (ft_machine_read("", &here, NULL) || !here.fingerprint ||
	    ft_store_find_machine(store, here.fingerprint, &id, NULL))
		return 0;
	return id;
}

static const struct ft_tell_row machine_rows[] = {
	{FT_TELL(struct ft_machine, fingerprint), .null = "a machine of which only its cycles were stated"},
	{FT_TELL(struct ft_machine, host), .null = ""},
	{FT_TELL(struct ft_machine, cpu), .null = ""},
	{FT_TELL(struct ft_machine, architecture), .null = ""},
	{FT_TELL(struct ft_machine, sockets), .null = ""},
	{FT_TELL(struct ft_machine, cores), .null = ""},
	{FT_TELL(struct ft_machine, threads), .null = ""},
	{FT_TELL(struct ft_machine, l1d_bytes), .null = ""},
	{FT_TELL(struct ft_machine, l2_bytes), .null = ""},
	{FT_TELL(struct ft_machine, l3_bytes), .null = ""},
	{FT_TELL(struct ft_machine, memory_bytes), .null = ""},
	{FT_TELL(struct ft_machine, system), .null = ""},
	{FT_TELL(struct ft_machine, governor), .null = ""},
	{FT_TELL(struct ft_machine, hypervisor), .null = ""},
	{FT_TELL(struct ft_machine, scheduler), .null = ""},
	{0},
};
const struct ft_tell_record ft_tell_machine = {
	.name = "machine",
	.about = "unknown members are null",
	.bytes = sizeof(struct ft_machine),
	.row = machine_rows,
};

static const struct ft_tell_row failing_rows[] = {
	{FT_TELL_AS(NULL, struct ft_run, size)},
	{FT_TELL_BY(WORD, "outcome", struct ft_run, outcome), .word = ft_outcome_text,
	 .words = FT_TELL_OUTCOMES},
	{0},
};
const struct ft_tell_record ft_tell_failing = {
	.name = "failing",
	.about = "the run of the smallest size from which on none ended well",
	.row = failing_rows,
};

/* ---- programs ----------------------------------------------------------------------------------------- */

static char *range_of(const void *at, const struct ft_tell_with *with)
{
	char range[FT_RANGE_LENGTH];

	(void)with;
	(void)ft_param_format(at, range, sizeof range);
	return ft_strdup(range);
}

static double stride_of(const void *at)
{
	const struct ft_param *param = at;

	return param->n_list || param->factor > 0 ? NAN : param->stride;
}

static double factor_of(const void *at)
{
	const struct ft_param *param = at;

	return param->factor > 0 ? param->factor : NAN;
}

#define PARAM struct ft_param
static const struct ft_tell_row param_rows[] = {
	{FT_TELL(PARAM, name)},
	{FT_TELL_WHOLE(MADE, "range"), .cell = range_of,
	 .about = "as it is typed: 64:3000, 64:3000:8, 16:131072:*2, 16,32,64 or 100; empty: not known"},
	{FT_TELL(PARAM, least)},
	{FT_TELL(PARAM, most)},
	{FT_TELL_WHOLE(GOT, "stride"), .get = stride_of,
	 .about = "admissible are least, least + stride, ... and most",
	 .null = "given by a factor or a list"},
	{FT_TELL_WHOLE(GOT, "factor"), .get = factor_of,
	 .about = "each admissible value is that many times the one before it", .null = "none"},
	{FT_TELL_MANY(ARRAY, "list", PARAM, list, n_list, &ft_tell_numbers),
	 .about = "the only admissible values", .null = "no list"},
	{0},
};
static const struct ft_tell_record param = {
	.name = "param",
	.about = "a parameter and its range",
	.bytes = sizeof(PARAM),
	.row = param_rows,
};

#define PROGRAM struct ft_program
static const struct ft_tell_row params_rows[] = {
	{FT_TELL_MANY(ARRAY, "params", PROGRAM, param, n_params, &param)},
	{0},
};
const struct ft_tell_record ft_tell_params = {.row = params_rows};

static const struct ft_tell_row program_rows[] = {
	{FT_TELL(PROGRAM, name)},
	{FT_TELL_MANY(LIST, "argv", PROGRAM, argv, argc, &ft_tell_texts), .null = "runs come from a file"},
	{FT_TELL(PROGRAM, device), .null = "it has none"},
	{FT_TELL(PROGRAM, driver), .about = "of the device, as it reports it", .null = "not known"},
	{FT_TELL(PROGRAM, hash), .about = "of the executable", .null = ""},
	{FT_TELL(PROGRAM, work), .null = "not stated"},
	{FT_TELL(PROGRAM, method), .null = "no build yet"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &ft_tell_params},
	{0},
};
const struct ft_tell_record ft_tell_program = {.row = program_rows};

/* ---- runs --------------------------------------------------------------------------------------------- */

static char *probe_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_sample *sample = record;
	struct ft_text text = {0};

	(void)with;
	ft_text_add(&text, "%s%s%s", sample->probe, sample->reason ? ": " : "",
		    sample->reason ? sample->reason : "");
	return ft_text_take(&text);
}

static const struct ft_tell_row queue_rows[] = {
	{FT_TELL(struct ft_run, load_before), .about = "load average of a minute", .null = "not known"},
	{FT_TELL(struct ft_run, runnable_before),
	 .about = "runnable tasks of other processes just before it started", .null = "not known"},
	{FT_TELL(struct ft_run, runnable_after), .about = "the same right after it ended",
	 .null = "not known"},
	{FT_TELL(struct ft_run, pressure),
	 .about = "share of its time in which some task, perhaps its own, waited for a processor (PSI)",
	 .null = "not known"},
	{FT_TELL(struct ft_run, processors), .about = "that the operating system scheduled on",
	 .null = "not known"},
	{FT_TELL(struct ft_run, cpu_hz), .null = "not known"},
	{0},
};
const struct ft_tell_record ft_tell_queue = {.row = queue_rows};

static const struct ft_tell_row sample_by_rows[] = {
	{FT_TELL(struct ft_sample, resource)},
	{FT_TELL(struct ft_sample, value), .null = "unavailable"},
	{FT_TELL_BY(WORD, "label", struct ft_sample, label), .word = ft_label_text, .words = FT_TELL_LABELS},
	{FT_TELL(struct ft_sample, probe)},
	{FT_TELL(struct ft_sample, reason), .about = "why it is unavailable", .null = "it is not"},
	{0},
};
const struct ft_tell_record ft_tell_sample_by = {.bytes = sizeof(struct ft_sample), .row = sample_by_rows};

static const struct ft_tell_row sample_rows[] = {
	{FT_TELL(struct ft_sample, resource), .head = "resource"},
	{FT_TELL(struct ft_sample, value), .null = "unavailable", .head = ">value", .unit = ""},
	{FT_TELL_BY(UNIT, "unit", struct ft_sample, resource)},
	{FT_TELL_BY(WORD, "label", struct ft_sample, label), .word = ft_label_text, .words = FT_TELL_LABELS,
	 .head = "label"},
	{FT_TELL(struct ft_sample, probe), .head = "probe", .cell = probe_cell},
	{FT_TELL(struct ft_sample, reason), .about = "why it is unavailable", .null = "it is not"},
	{0},
};
const struct ft_tell_record ft_tell_sample = {
	.name = "sample",
	.about = "one resource of a run",
	.bytes = sizeof(struct ft_sample),
	.row = sample_rows,
};

char *ft_tell_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail)
{
	const char *text = ft_outcome_text(outcome);
	FT_OWN char *line = ft_strdup(detail ? detail : "");
	char *last = line, *end, took[FT_UNIT_LENGTH];
	struct ft_text joined = {0};

	if (!line)
		return NULL;
	/* What a terminal would obey is not repeated. */
	for (end = line; *end; end++)
		if ((unsigned char)*end < ' ' && *end != '\n')
			*end = *end == '\t' ? ' ' : '?';
	/* The last line of its output. */
	for (end = line + strlen(line); end > line && end[-1] == '\n'; end--)
		end[-1] = '\0';
	if (strrchr(line, '\n'))
		last = strrchr(line, '\n') + 1;
	ft_text_add(&joined, "%s", text);
	if (run && outcome == FT_FAILED)
		ft_text_add(&joined, " with status %d", run->exit_status);
	if (run && outcome == FT_TIMED_OUT && run->cost_s > 0)
		ft_text_add(&joined, " after %s", ft_value_format(run->cost_s, "s", took));
	else if (run && outcome == FT_CRASHED && run->signal > 0)
		ft_text_add(&joined, ": %s%s%s", strsignal(run->signal), *last ? ": " : "", last);
	else if (*last)
		ft_text_add(&joined, ": %s", last);
	return ft_text_take(&joined);
}
