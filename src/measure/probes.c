/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.c - the table of probes, and those of a launch. */
#include "base/alloc.h"
#include "base/files.h"
#include "base/text.h"
#include "measure/measure.h"
#include "measure/sockets.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row. */
struct ft__probe {
	struct ft_probe_kind kind;
	const struct ft__probe_ops *ops; /* NULL: it has no part in a run */
};

/* ---- availability ---------------------------------------------------------------------------- */

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

	FT_TRY(ft__client_open(&client, NULL, err));
	ft__client_close(&client);
	return FT_OK;
}

static enum ft_status child_available(struct ft_err *err)
{
	struct ft__client client;

	FT_TRY(ft__client_open(&client, NULL, err));
	ft__client_close(&client);
	if (client.reaps)
		return FT_OK;
	(void)ft_fail(
		err, FT_OK,
		"the system refuses PR_SET_CHILD_SUBREAPER: what a program leaves behind may be missed");
	(void)ft_remedy(
		err, "let programs wait for what they start; qemu-user 7.2 and Linux before 3.4 refuse it");
	return FT_OK;
}

/* Check that a file of /proc can be read, and that the helper works. remedy: what to do if not */
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

void ft__sockets_explain(int error, struct ft_err *err)
{
	(void)ft_fail(err, FT_EUNAVAIL, "the kernel does not report the bytes of TCP sockets: %s",
		      strerror(error));
	if (error == EACCES || error == EPERM)
		(void)ft_remedy(err, "let the container use netlink (AF_NETLINK in its seccomp profile)");
	else if (error == EOPNOTSUPP)
		(void)ft_remedy(err, "take Linux 4.19 or newer");
	else
		(void)ft_remedy(err, "load the module that does: modprobe tcp_diag; and mount /proc");
}

static enum ft_status sockets_available(struct ft_err *err)
{
	struct ft__sockets sockets;
	int error = ft__sockets_open(&sockets);

	ft__sockets_close(&sockets);
	if (!error)
		return tree_available(err);
	ft__sockets_explain(error, err);
	return ft__unavailable(err);
}

/* ---- the table ---------------------------------------------------------------------------------------- */

/* In the order in which they are armed, read and reported. */
static const struct ft__probe table[] = {
	{{"child", "waits for the program's process, and asks the kernel what it used",
	  "wall_s cpu_s user_s system_s peak_rss_bytes minor_faults major_faults voluntary_switches "
	  "involuntary_switches",
	  child_available},
	 &ft__child_probe},
	{{"report", "what a program that includes foretime-probe.h reports of its routines",
	  "wall_s cpu_s first_call_s later_call_s peak_rss_bytes", helper_works},
	 &ft__report_probe},
	{{"io", "bytes that the kernel adds up over all processes", "read_bytes written_bytes", io_available},
	 &ft__io_probe},
	{{"calls", "bytes that the calls of read and write take, of files, cached or not, and pipes",
	  "input_bytes output_bytes", io_available},
	 &ft__calls_probe},
	{{"sockets",
	  "asks the kernel again and again for the counters of its TCP sockets (--measure sockets)",
	  "sent_bytes received_bytes", sockets_available},
	 &ft__sockets_probe},
	{{"files", "looks again and again at the files that it wrote, deleted ones too while they are open",
	  "scratch_bytes", tree_available},
	 &ft__scratch_probe},
	{{"gpu-drm", "looks at the descriptors of graphics devices again and again (/proc/PID/fdinfo)",
	  "gpu_memory_bytes gpu_s", ft__gpu_drm_available},
	 &ft__gpu_probe},
	{{"gpu-nvidia", "asks nvidia-smi for memory by process again and again (--measure gpu=nvidia)",
	  "gpu_memory_bytes", ft__gpu_nvidia_available},
	 &ft__gpu_probe},
	{{"gpu-opencl", "counts what the program allocates through OpenCL (--measure gpu=opencl)",
	  "gpu_memory_bytes", ft__gpu_opencl_available},
	 &ft__gpu_probe},
	{{"schedstat", "asks the kernel again and again how long each task waited for a processor",
	  "run_delay_s", schedstat_available},
	 &ft__schedstat_probe},
	{{"freeze", "seconds that a run was paused, as its runner reports (build --via steps)", "frozen_s",
	  helper_works},
	 &ft__freeze_probe},
	{{"reference",
	  "processor time of a fixed piece of work, after a run: the pace of the machine (not of run)",
	  "reference_s", helper_works},
	 &ft__reference_probe},
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
	{{"qemu",
	  "instructions of a program of another processor, under qemu-user's emulators (run --emulate)",
	  "instructions", ft__qemu_available},
	 &ft__qemu_probe},
	{{"replay", "runs that were recorded, here or elsewhere",
	  "wall_s cpu_s user_s system_s run_delay_s frozen_s reference_s first_call_s "
	  "later_call_s peak_rss_bytes peak_tree_bytes minor_faults "
	  "major_faults "
	  "voluntary_switches involuntary_switches read_bytes written_bytes input_bytes output_bytes "
	  "sent_bytes received_bytes "
	  "scratch_bytes gpu_memory_bytes gpu_s instructions "
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

/* The probes of the table; a listener measures nothing, and is none of them. */
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
	(void)ft_remedy(
		why, reply->flags & FT__NO_REAPER
			     ? "let the program wait for what it starts: the system gives foretime no orphans"
			     : "see what it waits for (a file system, a debugger), and run it again");
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

/*
 * Probes whose values are in the helper's reply: child, and report, the program's reports on its routines.
 */

/* The largest share of a routine's wall time that may be uncertain. */
static const double UNKNOWN_SHARE = 0.05;

/* ---- report ------------------------------------------------------------------------------------------- */

/* Its wall time minus the part of the pauses that fell into it, which is all but what may have fallen into
 * the rest of the process. NaN: the uncertainty is too large. */
static double routine_wall_s(const struct ft__routine *routine, const struct ft__answer *answer)
{
	double rest_s = fmax(0, answer->reply.wall_s - routine->wall_s),
	       least = routine->wall_s - answer->frozen_s, most = least + fmin(rest_s, answer->frozen_s);

	return least > 0 && most - least <= UNKNOWN_SHARE * most ? (least + most) / 2 : (double)NAN;
}

/* A wall time, which is not valid as a measurement if the run was paused. */
static enum ft_status add_wall(struct ft_run *run, double wall_s, const struct ft__answer *answer,
			       const char *probe, struct ft_err *err)
{
	struct ft_err why = {0};

	if (wall_s > 0 || !(answer->frozen_s > 0))
		return ft_run_add(run, &ft_wall_s, wall_s, answer->frozen_s > 0 ? FT_ESTIMATED : FT_MEASURED,
				  probe, NULL, err);
	(void)ft_fail(&why, FT_EUNAVAIL,
		      "the run was paused for %.3g s, and how much of its wall time is left is not "
		      "known",
		      answer->frozen_s);
	(void)ft_remedy(&why, "run it once more");
	return ft__add_unavailable(run, &ft_wall_s, probe, &why, err);
}

/* The first call in a process finds cold caches and memory: report it, and the mean of later ones. */
static enum ft_status add_calls(const struct ft__routine *routine, struct ft_run *run, struct ft_err *err)
{
	double later_s = (routine->wall_s - routine->first_s) / (routine->calls - 1);

	if (routine->calls < 2 || isnan(routine->first_s) || !(later_s > 0))
		return FT_OK;
	enum ft_status status = ft__add_measured(run, &ft_first_call_s, routine->first_s, "report", err);
	return status ? status : ft__add_measured(run, &ft_later_call_s, later_s, "report", err);
}

/* Of one routine of several; the peak of the only one is that of its process. */
static enum ft_status add_peak(const struct ft__routine *routine, struct ft_run *run, struct ft_err *err)
{
	struct ft_err why = {0};

	if (!run->routine || isnan(routine->peak_bytes))
		return FT_OK;
	if (routine->peak_bytes > 0)
		return ft__add_measured(run, &ft_peak_rss_bytes, routine->peak_bytes, "report", err);
	(void)ft_fail(&why, FT_EUNAVAIL,
		      "the process held no more in this routine than it had held before it");
	(void)ft_remedy(&why, "ask for the memory of the whole process, or let this routine run first");
	return ft__add_unavailable(run, &ft_peak_rss_bytes, "report", &why, err);
}

static enum ft_status read_report(void *state, const struct ft__result *result, struct ft_run *run,
				  struct ft_err *err)
{
	const struct ft__routine *routine = result->routine;
	struct ft_err why = {0};
	enum ft_status status;

	(void)state;
	/* Why its times are invalid. */
	if (routine->cut) {
		(void)ft_fail(&why, FT_EUNAVAIL, "the program reported more than could be taken in");
		(void)ft_remedy(&why,
				"let it report once for many calls: times between two reports are summed");
	} else if (routine->absurd) {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "the program reported more than a hundred years, or than a number can hold");
		(void)ft_remedy(&why, "look at what it writes: times are in nanoseconds");
	}
	if (routine->cut || routine->absurd) {
		status = ft__add_unavailable(run, &ft_wall_s, "report", &why, err);
		return status ? status : ft__add_unavailable(run, &ft_cpu_s, "report", &why, err);
	}
	run->work = routine->work;
	status = add_wall(
		run, result->answer->frozen_s > 0 ? routine_wall_s(routine, result->answer) : routine->wall_s,
		result->answer, "report", err);
	if (!status)
		status = ft__add_measured(run, &ft_cpu_s, routine->cpu_s, "report", err);
	if (!status && !(result->answer->frozen_s > 0))
		status = add_calls(routine, run, err);
	return status ? status : add_peak(routine, run, err);
}

/* The times of a process that has one routine are those of the routine: child adds them where its own would
 * stand. */
const struct ft__probe_ops ft__report_probe = {.read_routine = read_report};

/* ---- child -------------------------------------------------------------------------------------------- */

static enum ft_status read_child(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	const struct {
		const struct ft_resource *resource;
		double value;
		bool time;
	} row[] = {
		{&ft_cpu_s, reply->user_s + reply->system_s, true},
		{&ft_user_s, reply->user_s, true},
		{&ft_system_s, reply->system_s, true},
		{&ft_peak_rss_bytes, (double)reply->peak_rss_bytes, false},
		{&ft_minor_faults, (double)reply->minor_faults, false},
		{&ft_major_faults, (double)reply->major_faults, false},
		{&ft_voluntary_switches, (double)reply->voluntary_switches, false},
		{&ft_involuntary_switches, (double)reply->involuntary_switches, false},
	};
	struct ft_err why = {0};
	const bool unknown = ft__not_ended(reply, &why);
	enum ft_status status = result->routine ? read_report(state, result, run, err)
						: add_wall(run, ft__answer_wall_s(result->answer),
							   result->answer, "child", err);

	for (size_t i = 0; !status && i < sizeof row / sizeof *row; i++)
		if (!result->routine || !row[i].time)
			status = unknown ? ft__add_unavailable(run, row[i].resource, "child", &why, err)
					 : ft__add_measured(run, row[i].resource, row[i].value, "child", err);
	return status;
}

const struct ft__probe_ops ft__child_probe = {.read = read_child};

/*
 * The probes of bytes that the kernel sums: from and to storage, and through read and write.
 */

/* Both, or neither if the kernel does not report them. */
static enum ft_status add_two(const struct ft__reply *reply, struct ft_run *run, const char *probe,
			      const struct ft_resource *in, uint64_t in_bytes, const struct ft_resource *out,
			      uint64_t out_bytes, struct ft_err *err)
{
	struct ft_err why = {0};
	enum ft_status status;

	if (!(reply->flags & FT__HAS_IO))
		return FT_OK;
	if (ft__not_ended(reply, &why)) {
		status = ft__add_unavailable(run, in, probe, &why, err);
		return status ? status : ft__add_unavailable(run, out, probe, &why, err);
	}
	status = ft__add_measured(run, in, (double)in_bytes, probe, err);
	return status ? status : ft__add_measured(run, out, (double)out_bytes, probe, err);
}

static enum ft_status read_io(void *state, const struct ft__result *result, struct ft_run *run,
			      struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;

	(void)state;
	return add_two(reply, run, "io", &ft_read_bytes, reply->io.read_bytes, &ft_written_bytes,
		       reply->io.written_bytes, err);
}

const struct ft__probe_ops ft__io_probe = {.read = read_io};

static enum ft_status read_calls(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;

	(void)state;
	return add_two(reply, run, "calls", &ft_input_bytes, reply->io.input_bytes, &ft_output_bytes,
		       reply->io.output_bytes, err);
}

const struct ft__probe_ops ft__calls_probe = {.read = read_calls};

static enum ft_status open_sockets(void **state, const struct ft_launch *launch, struct ft__client *client,
				   struct ft_err *err)
{
	(void)client;
	(void)err;
	*state = launch->sockets ? (void *)(uintptr_t)launch : NULL;
	return FT_OK;
}

static bool arm_sockets(void *state, struct ft__order *order)
{
	(void)state;
	order->flags |= FT__SOCKETS;
	return false;
}

/* Sockets that were opened and closed between two looks are missed: never more than estimates. */
static enum ft_status read_sockets(void *state, const struct ft__result *result, struct ft_run *run,
				   struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	struct ft_err why = {0};

	(void)state;
	if (!(reply->flags & FT__HAS_SOCKETS))
		return FT_OK;
	if (reply->sockets_errno)
		ft__sockets_explain(reply->sockets_errno, &why);
	if (reply->sockets_errno || ft__not_ended(reply, &why)) {
		FT_TRY(ft__add_unavailable(run, &ft_sent_bytes, "sockets", &why, err));
		return ft__add_unavailable(run, &ft_received_bytes, "sockets", &why, err);
	}
	FT_TRY(ft_run_add(run, &ft_sent_bytes, (double)reply->sent_bytes, FT_ESTIMATED, "sockets", NULL,
			  err));
	return ft_run_add(run, &ft_received_bytes, (double)reply->received_bytes, FT_ESTIMATED, "sockets",
			  NULL, err);
}

const struct ft__probe_ops ft__sockets_probe = {
	.open = open_sockets, .arm = arm_sockets, .read = read_sockets};

/* A run that writes to no file system has 0. */
static enum ft_status read_scratch(void *state, const struct ft__result *result, struct ft_run *run,
				   struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	struct ft_err why = {0};

	(void)state;
	if (!(reply->flags & FT__HAS_SCRATCH))
		return FT_OK;
	if (ft__not_ended(reply, &why))
		return ft__add_unavailable(run, &ft_scratch_bytes, "files", &why, err);
	return ft_run_add(run, &ft_scratch_bytes, (double)reply->scratch_bytes,
			  reply->flags & FT__SCRATCH_CUT ? FT_ESTIMATED : FT_MEASURED, "files", NULL, err);
}

const struct ft__probe_ops ft__scratch_probe = {.read = read_scratch};

/*
 * The probe of waiting for a processor under background load.
 */

/* The processor time that may be missing for the waiting to count as measured: a share; and the last steps
 * of a few tasks after the kernel's report. The shortest program takes four times as much. */
static const double MISSED_SHARE = 0.02, MISSED_S = 1e-4;
/* If more than this is missing, nothing is reported. */
static const double MISSED_MOST = 0.6;
/* Processor time above this multiple of the wall time means several tasks; two clocks never agree exactly. */
static const double ONE_TASK = 1.05;

struct schedstat {
	struct ft__quota quota;
	double throttled_s; /* before the run */
};

static enum ft_status open_schedstat(void **state, const struct ft_launch *launch, struct ft__client *client,
				     struct ft_err *err)
{
	struct schedstat *schedstat = ft_calloc(1, sizeof *schedstat);

	(void)launch;
	(void)client;
	*state = schedstat;
	if (!schedstat)
		return ft_nomem(err);
	ft__quota_open(&schedstat->quota, "");
	return FT_OK;
}

static void close_schedstat(void *state)
{
	struct schedstat *schedstat = state;

	ft__quota_clear(&schedstat->quota);
	ft_free(schedstat);
}

static bool arm_schedstat(void *state, struct ft__order *order)
{
	struct schedstat *schedstat = state;

	(void)order;
	schedstat->throttled_s = ft__quota_throttled_s(&schedstat->quota, "");
	return false;
}

/* The waiting of the whole process for other processes. Unobserved tasks are assumed to have waited as
   much per second as the observed ones. */
static double waited_for_others(const struct schedstat *schedstat, const struct ft__result *result,
				double seen, int processors)
{
	const struct ft__reply *reply = &result->answer->reply;
	const struct ft__waited waited = {.wall_s = ft__answer_wall_s(result->answer),
					  .cpu_s = reply->user_s + reply->system_s,
					  .delay_s = reply->run_delay_s / seen,
					  .throttled_s = ft__quota_throttled_s(&schedstat->quota, "") -
							 schedstat->throttled_s,
					  .processors = processors};

	return ft__quota_rest_s(&schedstat->quota, &waited);
}

/* A routine's part of it: of one task, where it did not compute; of several in the proportion of their
 * processor time. */
static double part_of(double delay_s, const struct ft__routine *routine, double cpu_s)
{
	if (routine->cpu_s <= ONE_TASK * routine->wall_s)
		return fmin(delay_s, fmax(0, routine->wall_s - routine->cpu_s));
	return delay_s * fmin(1, routine->cpu_s / cpu_s);
}

/* A task that was not observed to its end may have waited for long, even if it did little then: a small
 * missing part counts as measured, a larger one as estimated. */
static enum ft_status read_schedstat(void *state, const struct ft__result *result, struct ft_run *run,
				     struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	double cpu_s = reply->user_s + reply->system_s, missed_s = cpu_s - reply->exec_s;
	bool all = missed_s <= fmax(MISSED_SHARE * cpu_s, MISSED_S);
	struct ft_err why = {0};

	if (ft__not_ended(reply, &why))
		return ft__add_unavailable(run, &ft_run_delay_s, "schedstat", &why, err);
	if (reply->flags & FT__HAS_DELAY && (all || missed_s <= MISSED_MOST * cpu_s)) {
		double seen = all ? 1 : reply->exec_s / cpu_s;
		double delay_s = waited_for_others(state, result, seen, run->processors);
		bool exact = seen == 1 && delay_s == reply->run_delay_s && !result->routine;

		if (result->routine)
			delay_s = part_of(delay_s, result->routine, reply->user_s + reply->system_s);
		return ft_run_add(run, &ft_run_delay_s, delay_s, exact ? FT_MEASURED : FT_ESTIMATED,
				  "schedstat", NULL, err);
	}
	if (reply->flags & FT__HAS_DELAY) {
		(void)ft_fail(
			&why, FT_EUNAVAIL,
			"%.0f %% of the processor time went to tasks that ended before they were looked "
			"at again",
			fmax(1, 100 * missed_s / cpu_s));
		(void)ft_remedy(&why, "take sizes at which its tasks live longer");
	} else {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "the kernel reports for no task how long it waited for a processor "
			      "(/proc/PID/schedstat)");
		(void)ft_remedy(&why, "take a kernel with CONFIG_SCHED_INFO");
	}
	return ft__add_unavailable(run, &ft_run_delay_s, "schedstat", &why, err);
}

const struct ft__probe_ops ft__schedstat_probe = {.open = open_schedstat,
						  .close = close_schedstat,
						  .arm = arm_schedstat,
						  .read = read_schedstat,
						  .read_routine = read_schedstat};
