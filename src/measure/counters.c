/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counters.c - the counters of a run: from names to requests to the kernel, and from its values to
 * samples. */
#include "base/alloc.h"
#include "base/files.h"
#include "base/text.h"
#include "facts/door.h"
#include "measure/measure.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The default counters; in user mode, not in the kernel. */
static const struct ft__counter usual[] = {
	{&ft_instructions,
	 {.type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_INSTRUCTIONS,
	  .exclude_kernel = 1,
	  .exclude_hv = 1},
	 NULL},
	{&ft_cycles,
	 {.type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_CPU_CYCLES,
	  .exclude_kernel = 1,
	  .exclude_hv = 1},
	 NULL},
};

/* ---- names ------------------------------------------------------------------------------------------- */

static const struct ft__counter *find_usual(const struct ft_resource *resource)
{
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (usual[i].resource == resource)
			return &usual[i];
	return NULL;
}

static struct {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *strerror;
	__typeof__(pfm_get_os_event_encoding) *get_os_event_encoding;
} pfm;

static enum ft_status start_pfm(struct ft_err *err)
{
	static const struct ft_symbol symbols[] = {
		{"pfm_initialize", &pfm.initialize},
		{"pfm_strerror", &pfm.strerror},
		{"pfm_get_os_event_encoding", &pfm.get_os_event_encoding},
	};

	if (!pfm.initialize && ft_library_load("libpfm.so.4", symbols, sizeof symbols / sizeof *symbols, err))
		return FT_EUNAVAIL;
	int result = pfm.initialize();
	if (result == PFM_SUCCESS)
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "libpfm4 does not start: %s", pfm.strerror(result));
	(void)ft_remedy(err, "leave out --measure counters=");
	return FT_EUNAVAIL;
}

/* By default the program's user mode for events of the processor; everything for events of the kernel. */
static enum ft_status encode(const char *event, struct perf_event_attr *attr, struct ft_err *err)
{
	pfm_perf_encode_arg_t argument = {.attr = attr, .size = sizeof argument};

	FT_TRY(start_pfm(err));
	*attr = (struct perf_event_attr){.size = sizeof *attr};
	int result = pfm.get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT, &argument);
	if (result != PFM_SUCCESS) {
		const char *why = pfm.strerror(result);
		(void)ft_fail(err, FT_EINVAL, "libpfm4 knows no counter '%s' on this processor: %s", event,
			      why);
		(void)ft_remedy(err,
				"take one that 'perf list' shows under its own name, such as cache-misses, "
				"branch-misses or page-faults; --measure counters=none counts nothing");
		return FT_EINVAL;
	}
	if (attr->type == PERF_TYPE_SOFTWARE && !strchr(event, ':'))
		attr->exclude_kernel = 0;
	return FT_OK;
}

static enum ft_status bad_name(const char *text, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "counter '%s': %s", text, what);
	(void)ft_remedy(err,
			"write --measure counters=NAME,... or counters=OTHER=NAME,... to call it otherwise");
	return FT_EINVAL;
}

/* "l3=mem_load_retired:l3_miss", but "inst_retired:any:c=1": the first sign decides. */
static enum ft_status add_counter(struct ft__counter_list *list, char *text, struct ft_err *err)
{
	size_t word = strcspn(text, "=:."), i;
	bool called = text[word] == '=';
	const char *event = called ? text + word + 1 : text;
	struct ft__counter counter = {0};

	if (called)
		text[word] = '\0';
	for (i = 0; text[i]; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_-:.=", text[i]))
			return bad_name(text,
					"there are other signs in it than letters, digits and _-:.=", err);
	if (!*text || !*event)
		return bad_name(text, "it has no name", err);
	if (strlen(text) >= FT_RESOURCE_LENGTH)
		return bad_name(text, "its name is longer than 31 letters", err);
	FT_TRY(ft_resource_named(text, &counter.resource, err));
	if (!counter.resource->counter && !find_usual(counter.resource))
		return bad_name(text, "a resource is called so that is measured otherwise", err);
	for (i = 0; i < list->n; i++)
		if (list->counter[i].resource == counter.resource)
			return bad_name(text, "it is there twice", err);
	if (list->n == FT__COUNTERS_MAX)
		return bad_name(text, "it is one too many: 16 at most", err);
	const struct ft__counter *same = find_usual(ft_resource_find(event));
	if (same)
		counter.attr = same->attr;
	else if (encode(event, &counter.attr, err))
		return err ? err->status : FT_EINVAL;
	list->counter[list->n++] = counter;
	return FT_OK;
}

int ft__counters_try(void)
{
	struct perf_event_attr attr = usual[0].attr;

	attr.size = sizeof attr;
	attr.disabled = 1;
	int file = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (file < 0)
		return errno;
	(void)close(file);
	return 0;
}

enum ft_status ft__counters_parse(const char *names, struct ft__counter_list *list, struct ft_err *err)
{
	char *rest = NULL;
	enum ft_status status = FT_OK;

	*list = (struct ft__counter_list){0};
	if (!names && !ft__counters_try())
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			list->counter[list->n++] = usual[i];
	if (!names || !strcmp(names, "none"))
		return FT_OK;
	char *text = ft_strdup(names);
	if (!text)
		return ft_nomem(err);
	for (size_t i = 0; text[i]; i++)
		text[i] = (char)tolower((unsigned char)text[i]);
	for (char *word = strtok_r(text, ",", &rest); word && !status; word = strtok_r(NULL, ",", &rest))
		status = add_counter(list, word, err);
	if (!status && !list->n)
		status = bad_name(names, "it has no name", err);
	ft_free(text);
	if (status)
		ft__counter_list_clear(list);
	return status;
}

void ft__counter_list_clear(struct ft__counter_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		ft_free(list->counter[i].reason);
	*list = (struct ft__counter_list){0};
}

/* ---- errors of the kernel ---------------------------------------------------------------------------- */

enum ft_status ft__counters_explain(int number, const char *event, bool software, long paranoid, bool pmu,
				    struct ft_err *err)
{
	switch (number) {
	case 0:
		return FT_OK;
	case EACCES:
	case EPERM: {
		const char *known =
			pmu || software ? "" : ", and the kernel lists no performance monitoring unit";

		/* Level 3 and above is a patch of distributions: no counters without privilege (Debian's kernel,
			 * README). A kernel's event needs level 1 where it happens outside the program. */
		if (paranoid > 2 || (software && paranoid > 1)) {
			(void)ft_fail(err, FT_EUNAVAIL,
				      "cannot count %s: kernel.perf_event_paranoid = %ld forbids it%s", event,
				      paranoid, known);
			(void)ft_remedy(err, "as root: sysctl kernel.perf_event_paranoid=%d",
					software ? 1 : 2);
		} else {
			(void)ft_fail(err, FT_EUNAVAIL,
				      "cannot count %s: the system refuses it, as containers do%s", event,
				      known);
			(void)ft_remedy(
				err,
				"let the container call perf_event_open: its seccomp profile, CAP_PERFMON");
		}
		return FT_EUNAVAIL;
	}
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: %s", event,
			      pmu || software
				      ? "nothing on this machine counts it"
				      : "the kernel lists no performance monitoring unit, as in most virtual "
					"machines");
		if (!strcmp(event, "instructions"))
			(void)ft_remedy(
				err,
				"count them under valgrind (--measure instructions), or on a machine that "
				"is not virtual");
		else
			(void)ft_remedy(
				err,
				"choose a machine that is not virtual, or ask its host for a virtual PMU");
		break;
	case EINVAL:
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: the processor cannot count it so", event);
		(void)ft_remedy(err, "leave the modifiers of its name out, or take another counter");
		break;
	case ENOSYS:
		(void)ft_fail(err, FT_EUNAVAIL, "cannot count %s: the kernel does not know perf_event_open",
			      event);
		(void)ft_remedy(
			err, "choose a kernel with CONFIG_PERF_EVENTS, or a container that allows the call");
		break;
	default:
		(void)ft_fail_errno(err, number, "cannot count %s", event);
		return ft__unavailable(err);
	}
	return FT_EUNAVAIL;
}

/* Why the kernel does not count an event here: fills err and returns FT_EUNAVAIL.
 * number  errno of the attempt; what else matters is read from /proc and /sys */
static enum ft_status counters_refused(int number, const char *event, bool software, struct ft_err *err)
{
	char path[PATH_MAX], level[FT__LINE_LENGTH];
	bool pmu = ft__file_find(path, "", "/sys/bus/event_source/devices/cpu*") ||
		   ft__file_find(path, "", "/sys/bus/event_source/devices/arm*");
	long paranoid = ft__file_line(level, "", "/proc/sys/kernel/perf_event_paranoid")
				? strtol(level, NULL, 10)
				: -1;

	return ft__counters_explain(number, event, software, paranoid, pmu, err);
}

/* Pass the counters to the helper; those that the kernel rejects get their reason. */
static enum ft_status counters_arm(struct ft__counter_list *list, struct ft__client *client,
				   struct ft_err *err)
{
	struct perf_event_attr attr[FT__COUNTERS_MAX];
	int error[FT__COUNTERS_MAX];

	if (!list->n)
		return FT_OK;
	for (size_t i = 0; i < list->n; i++)
		attr[i] = list->counter[i].attr;
	enum ft_status status = ft__client_count(client, attr, list->n, error, err);
	for (size_t i = 0; i < list->n && !status; i++) {
		struct ft__counter *counter = &list->counter[i];
		struct ft_err why = {0};

		if (!error[i])
			continue;
		(void)counters_refused(error[i], counter->resource->name,
				       counter->attr.type == PERF_TYPE_SOFTWARE, &why);
		counter->reason = ft__reason(&why);
		if (!counter->reason)
			status = ft_nomem(err);
	}
	return status;
}

enum ft_status ft__counters_add(const struct ft__counter_list *list, const struct ft__count *counts,
				struct ft_run *run, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < list->n && !status; i++) {
		const struct ft__count *count = &counts[i];
		const char *reason = list->counter[i].reason;
		bool whole = count->running_ns >= count->enabled_ns;
		const char *probe =
			list->counter[i].attr.type == PERF_TYPE_SOFTWARE ? "software" : "counters";

		if (!reason && count->error)
			reason =
				"the kernel did not count this run: the processor's counters may be taken by "
				"another tool; end it, or count less at a time";
		else if (!reason && !count->running_ns)
			reason = "it was never its turn on the processor's counters in this run; count less "
				 "at a time, or a longer run";
		if (reason)
			status = ft_run_add(run, list->counter[i].resource, NAN, FT_UNAVAILABLE, probe,
					    reason, err);
		else /* tools/perf/Documentation/perf-stat.txt: scaled by the time enabled over running */
			status = ft_run_add(run, list->counter[i].resource,
					    whole ? (double)count->value
						  : (double)count->value * (double)count->enabled_ns /
							    (double)count->running_ns,
					    whole ? FT_MEASURED : FT_ESTIMATED, probe, NULL, err);
	}
	return status;
}

enum ft_status ft__counters_available(struct ft_err *err)
{
	return counters_refused(ft__counters_try(), "instructions", false, err);
}

enum ft_status ft__software_available(struct ft_err *err)
{
	struct ft__counter_list list = {0};
	struct ft__client client;

	FT_TRY(ft__client_open(&client, NULL, err));
	enum ft_status status = ft__counters_parse("page-faults", &list, err);
	if (!status)
		status = counters_arm(&list, &client, err);
	if (!status && list.counter[0].reason) {
		/* A reason, taken apart again. */
		const char *remedy = strstr(list.counter[0].reason, "; ");
		int length = (int)(remedy ? (size_t)(remedy - list.counter[0].reason)
					  : strlen(list.counter[0].reason));

		(void)ft_fail(err, FT_EUNAVAIL, "%.*s", length, list.counter[0].reason);
		if (remedy)
			(void)ft_remedy(err, "%s", remedy + 2);
		status = FT_EUNAVAIL;
	}
	ft__counter_list_clear(&list);
	ft__client_close(&client);
	return status;
}

/* ---- the probe --------------------------------------------------------------------------------------- */

bool ft__counters_simulated(const struct ft_launch *launch)
{
	return launch->instructions == FT_COUNT_SIMULATED ||
	       (launch->instructions == FT_COUNT_SOMEHOW && ft__counters_try());
}

/* By the processor where it counts, else under valgrind. */
static void choose_instructions(struct ft__counter_list *list, const struct ft_launch *launch)
{
	size_t at = 0;

	while (at < list->n && list->counter[at].resource != &ft_instructions)
		at++;

	if (launch->instructions == FT_COUNT_USUAL)
		return;
	if (ft__counters_simulated(launch)) {
		for (; at + 1 < list->n; at++)
			list->counter[at] = list->counter[at + 1];
		list->n = at < list->n ? at : list->n;
	} else if (at == list->n && list->n < FT__COUNTERS_MAX) {
		list->counter[list->n++] = *find_usual(&ft_instructions);
	}
}

static void close_counters(void *state)
{
	ft__counter_list_clear(state);
	ft_free(state);
}

static enum ft_status open_counters(void **state, const struct ft_launch *launch, struct ft__client *client,
				    struct ft_err *err)
{
	struct ft__counter_list *list = ft_calloc(1, sizeof *list);

	*state = list;
	if (!list)
		return ft_nomem(err);
	FT_TRY(ft__counters_parse(launch->counters, list, err));
	choose_instructions(list, launch);
	return counters_arm(list, client, err);
}

static enum ft_status read_counters(void *state, const struct ft__result *result, struct ft_run *run,
				    struct ft_err *err)
{
	return ft__counters_add(state, result->answer->reply.counts, run, err);
}

/* The processor counts while any of the routines runs. */
static enum ft_status read_routine(void *state, const struct ft__result *result, struct ft_run *run,
				   struct ft_err *err)
{
	const struct ft__counter_list *list = state;
	enum ft_status status = FT_OK;
	struct ft_err why = {0};

	(void)result;
	(void)ft_fail(&why, FT_EUNAVAIL, "it is counted in the whole run, which its routines share");
	(void)ft_remedy(&why, "count the instructions of each routine under valgrind: --measure valgrind");
	for (size_t i = 0; i < list->n && !status; i++)
		status = ft__add_unavailable(run, list->counter[i].resource, "counters", &why, err);
	return status;
}

const struct ft__probe_ops ft__counters_probe = {
	.open = open_counters, .close = close_counters, .read = read_counters, .read_routine = read_routine};
