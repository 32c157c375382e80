/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.c - the table of probes, and those of a launch. */
#include "measure/probes.h"
#include "base/alloc.h"
#include "base/files.h"
#include "base/text.h"
#include "measure/simulate.h"

#include <errno.h>
#include <math.h>

/* ---- whether it works here ---------------------------------------------------------------------------- */

enum ft_status ft__unavailable(struct ft_err *err)
{
	if (err)
		err->status = FT_EUNAVAIL;
	return FT_EUNAVAIL;
}

char *ft__reason(const struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%s%s%s", err->text, *err->remedy ? "; " : "", err->remedy);
	return ft_text_take(&text);
}

static enum ft_status helper_works(struct ft_err *err)
{
	struct ft__client client;
	enum ft_status status = ft__client_open(&client, NULL, err);

	if (!status)
		ft__client_close(&client);
	return status;
}

/* That a file of /proc can be read, and that the helper works.
 * remedy  what to do where it cannot */
static enum ft_status file_is_there(const char *path, const char *remedy, struct ft_err *err)
{
	char line[FT__LINE_LENGTH];

	if (ft__file_line(line, "", "%s", path))
		return helper_works(err);
	(void)ft_fail_errno(err, errno, "cannot read '%s'", path);
	(void)ft_remedy(err, "%s", remedy);
	return ft__unavailable(err);
}

static enum ft_status always(struct ft_err *err)
{
	(void)err;
	return FT_OK;
}

static enum ft_status tree_available(struct ft_err *err)
{
	return file_is_there("/proc/self/statm", "mount /proc: mount -t proc proc /proc", err);
}

static enum ft_status io_available(struct ft_err *err)
{
	return file_is_there("/proc/self/io", "mount /proc; the kernel needs CONFIG_TASK_IO_ACCOUNTING", err);
}

static enum ft_status schedstat_available(struct ft_err *err)
{
	return file_is_there("/proc/self/schedstat", "mount /proc; the kernel needs CONFIG_SCHED_INFO", err);
}

/* ---- the table ---------------------------------------------------------------------------------------- */

/* In the order in which they are armed, read and told. */
static const struct ft__probe table[] = {
	{{"child", "waits for the program's process, and asks the kernel what it used",
	  "wall_s cpu_s user_s system_s peak_rss_bytes minor_faults major_faults voluntary_switches "
	  "involuntary_switches",
	  helper_works},
	 &ft__child_probe},
	{{"report", "what a program that includes foretime-probe.h reports of its routines",
	  "wall_s cpu_s first_call_s later_call_s peak_rss_bytes", helper_works},
	 &ft__report_probe},
	{{"io", "bytes that the kernel adds up over all processes", "read_bytes written_bytes", io_available},
	 &ft__io_probe},
	{{"calls", "bytes that the calls of read and write take, of files, cached or not, and pipes",
	  "input_bytes output_bytes", io_available},
	 &ft__calls_probe},
	{{"schedstat", "asks the kernel again and again how long each task waited for a processor",
	  "run_delay_s", schedstat_available},
	 &ft__schedstat_probe},
	{{"freeze", "seconds that a run was paused, as its runner reports (build --via steps)", "frozen_s",
	  helper_works},
	 &ft__freeze_probe},
	{{"tree", "looks at the memory of all its processes again and again", "peak_tree_bytes",
	  tree_available},
	 &ft__tree_probe},
	{{"rapl", "energy of processors and memory, from /sys/class/powercap (--measure energy=rapl)",
	  "energy_j", ft__rapl_available},
	 &ft__energy_probe},
	{{"nvidia", "energy of NVIDIA's devices, from nvidia-smi (--measure energy=nvidia)", "energy_j",
	  ft__nvidia_available},
	 &ft__energy_probe},
	{{"meter", "energy from any command that prints watts or joules (--meter CMD)", "energy_j", always},
	 &ft__energy_probe},
	{{"counters",
	  "counters of the processor, by perf_event_open and libpfm4's names (--measure counters=)",
	  "instructions cycles", ft__counters_available},
	 &ft__counters_probe},
	{{"software", "counters of the kernel, in the same way",
	  "page-faults context-switches cpu-migrations task-clock", ft__software_available},
	 &ft__counters_probe},
	{{"valgrind",
	  "instructions counted in a run of their own, without start-up (--measure instructions); callgrind: "
	  "of a "
	  "routine "
	  "that reports itself",
	  "instructions", ft__simulate_check},
	 &ft__valgrind_probe},
	{{"caches",
	  "the smallest cache that holds its data, simulated, in five runs of their own (--measure "
	  "working-set)",
	  "working_set_bytes", ft__simulate_check},
	 &ft__caches_probe},
	{{"replay", "runs that were recorded, here or elsewhere",
	  "wall_s cpu_s user_s system_s run_delay_s frozen_s first_call_s later_call_s peak_rss_bytes "
	  "peak_tree_bytes minor_faults "
	  "major_faults "
	  "voluntary_switches involuntary_switches read_bytes written_bytes input_bytes output_bytes "
	  "instructions "
	  "cycles energy_j working_set_bytes",
	  always},
	 NULL},
};

enum { N_PROBES = sizeof table / sizeof *table };

_Static_assert(sizeof table / sizeof *table < (size_t)FT__PROBES_MAX, "room for all probes");

const struct ft_probe_kind *ft_probe_get(size_t i)
{
	return i < N_PROBES ? &table[i].kind : NULL;
}

/* ---- the probes of a launch --------------------------------------------------------------------------- */

static bool is_open(const struct ft__probes *probes, const struct ft__probe_ops *ops)
{
	for (size_t i = 0; i < probes->n; i++)
		if (probes->probe[i].ops == ops)
			return true;
	return false;
}

static enum ft_status open_one(struct ft__probes *probes, const struct ft__probe_ops *ops,
			       const struct ft_launch *launch, struct ft__client *client, struct ft_err *err)
{
	void *state = NULL;
	enum ft_status status = ops->open ? ops->open(&state, launch, client, err) : FT_OK;

	if (!ops->open || state) {
		probes->probe[probes->n].ops = ops;
		probes->probe[probes->n++].state = state;
	}
	return status;
}

/* Those of the table; who looks on measures nothing, and is none of them. */
enum ft_status ft__probes_open(struct ft__probes *probes, const struct ft_launch *launch,
			       struct ft__client *client, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*probes = (struct ft__probes){0};
	for (size_t i = 0; i < N_PROBES && !status; i++)
		if (table[i].ops && !is_open(probes, table[i].ops))
			status = open_one(probes, table[i].ops, launch, client, err);
	return status ? status : open_one(probes, &ft__watcher_probe, launch, client, err);
}

void ft__probes_close(struct ft__probes *probes)
{
	for (size_t i = 0; i < probes->n; i++)
		if (probes->probe[i].ops->close)
			probes->probe[i].ops->close(probes->probe[i].state);
	*probes = (struct ft__probes){0};
}

/* One ear for all that hear. */
static void hear_all(void *ctx)
{
	const struct ft__probes *probes = ctx;

	for (size_t i = 0; i < probes->n; i++)
		if (probes->probe[i].hears)
			probes->probe[i].ops->hear(probes->probe[i].state);
}

static size_t files(void *ctx, int file[FT__EAR_FILES])
{
	const struct ft__probes *probes = ctx;
	size_t n = 0;

	for (size_t i = 0; i < probes->n; i++)
		if (probes->probe[i].hears)
			n += probes->probe[i].ops->files(probes->probe[i].state, file + n, FT__EAR_FILES - n);
	return n;
}

void ft__probes_arm(struct ft__probes *probes, struct ft__order *order)
{
	probes->ear = (struct ft__ear){hear_all, files, probes};
	for (size_t i = 0; i < probes->n; i++) {
		const struct ft__probe_ops *ops = probes->probe[i].ops;

		probes->probe[i].hears = ops->arm && ops->arm(probes->probe[i].state, order) && ops->hear;
		if (probes->probe[i].hears)
			order->ear = &probes->ear;
	}
}

enum ft_status ft__probes_read(struct ft__probes *probes, const struct ft__result *result, struct ft_run *run,
			       struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < probes->n && !status; i++) {
		const struct ft__probe_ops *ops = probes->probe[i].ops;

		if (ops->read && !ops->repeat == (result != NULL))
			status = ops->read(probes->probe[i].state, result, run, err);
	}
	return status;
}

enum ft_status ft__probes_read_routine(struct ft__probes *probes, const struct ft__result *result,
				       struct ft_run *run, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < probes->n && !status; i++)
		if (probes->probe[i].ops->read_routine)
			status = probes->probe[i].ops->read_routine(probes->probe[i].state, result, run, err);
	return status;
}

size_t ft__probes_wanting(const struct ft__probes *probes, size_t from, const struct ft_run *run)
{
	for (; from < probes->n; from++)
		if (probes->probe[from].ops->wants &&
		    probes->probe[from].ops->wants(probes->probe[from].state, run))
			break;
	return from;
}

enum ft_status ft__probes_repeat(struct ft__probes *probes, size_t i, const struct ft__again *again,
				 double *cost_s, struct ft_err *err)
{
	return probes->probe[i].ops->repeat(probes->probe[i].state, again, cost_s, err);
}

/* ---- samples ------------------------------------------------------------------------------------------ */

enum ft_status ft__add_measured(struct ft_run *run, const struct ft_resource *resource, double value,
				const char *probe, struct ft_err *err)
{
	return ft_run_add(run, resource, value, FT_MEASURED, probe, NULL, err);
}

bool ft__not_ended(const struct ft__reply *reply, struct ft_err *why)
{
	if (!(reply->flags & FT__NOT_ENDED))
		return false;
	(void)ft_fail(why, FT_EUNAVAIL,
		      "a process of it could not be ended, and what that used is known only then");
	(void)ft_remedy(why, "see what it waits for (a file system, a debugger), and run it again");
	return true;
}

enum ft_status ft__add_unavailable(struct ft_run *run, const struct ft_resource *resource, const char *probe,
				   const struct ft_err *why, struct ft_err *err)
{
	char *reason = ft__reason(why);
	enum ft_status status =
		reason ? ft_run_add(run, resource, NAN, FT_UNAVAILABLE, probe, reason, err) : ft_nomem(err);

	ft_free(reason);
	return status;
}
