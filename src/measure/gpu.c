/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.c - the probe of graphics devices: memory and time of a run, from one of several sources.
 *
 *   drm     drivers of the kernel, through the helper (drm.c): always on where there is /dev/dri
 *   nvidia  the table of processes that nvidia-smi prints, again and again: on request, for it costs processor time
 *   opencl  what the program allocates through OpenCL, by a layer of its loader (opencl_layer.c): on request
 *
 * Sources may see the same memory, so the largest value counts, and the sample bears its name. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/files.h"
#include "measure/launch.h"
#include "measure/measure.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TABLE_MOST = 1 << 16, /* bytes of one table of nvidia-smi */
	TABLES_LEAST = 3,     /* in one run: fewer may have missed all of it */
	ANCESTORS_MOST = 256,
};

static const double AGAIN_S = 0.1, /* between two tables, as a minimum */
	SHARE = 4;                 /* and in durations of one: at most a fifth of the time */

/* ---- nvidia-smi ----------------------------------------------------------------------------------------- */

static const char *const nvidia_argv[] = {"nvidia-smi", "--query-compute-apps=pid,used_memory",
					  "--format=csv,noheader,nounits", NULL};

struct nvidia {
	struct ft__client client; /* a helper of its own: the tool is no part of the run */
	int pipe;
	bool running, stale; /* a table is being made; it was begun before this run */
	bool broken;         /* for good; why has the reason */
	struct ft_err why;
	double began_s, again_s;
	char text[TABLE_MOST + 1];
	size_t length;
	/* of this run */
	pid_t helper;
	size_t tables, foreign; /* processes of others count as foreign */
	double peak;
};

static enum ft_status no_nvidia(struct ft_err *err)
{
	char line[FT__LINE_LENGTH];
	const bool driver = ft__file_line(line, "", "/proc/driver/nvidia/version");

	(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi is not on PATH");
	(void)ft_remedy(err, driver ? "add its folder to PATH, or install it"
				    : "where there is a device of NVIDIA, install its driver");
	return FT_EUNAVAIL;
}

static enum ft_status bad_nvidia(const char *what, const char *text, struct ft_err *err)
{
	char shown[61];
	size_t n = 0;

	for (; n < sizeof shown - 1 && text[n] && text[n] != '\n'; n++)
		shown[n] = (char)(isprint((unsigned char)text[n]) ? text[n] : '?');
	shown[n] = '\0';
	(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi %s%s%s", what, n ? ": " : "", shown);
	(void)ft_remedy(err, "try it by hand: nvidia-smi %s --format=csv", nvidia_argv[1]);
	return FT_EUNAVAIL;
}

/* Whether a process is in the run: one of its ancestors is the run's helper. */
static bool is_ours(pid_t pid, pid_t helper)
{
	char line[FT__LINE_LENGTH];

	for (int i = 0; i < ANCESTORS_MOST && pid > 1; i++) {
		if (pid == helper)
			return true;
		if (!ft__file_line(line, "", "/proc/%d/stat", (int)pid))
			return false;
		const char *name_end = strrchr(line, ')');
		if (!name_end || sscanf(name_end + 1, " %*c %d", &pid) != 1)
			return false;
	}
	return false;
}

/* A line "4711, 1024": MiB of a process on one device. out: NaN: the driver does not report them; pid 0: the
 * line says that there are none. */
static bool read_row(const char *line, pid_t *pid, double *mib)
{
	char *end;

	line += strspn(line, " \t");
	*pid = 0;
	if (!*line || !strncmp(line, "No running", 10))
		return true;
	if (!isdigit((unsigned char)*line))
		return false;
	long number = strtol(line, &end, 10);
	end += strspn(end, " \t");
	if (*end != ',' || number <= 0 || number > 1 << 30)
		return false;
	*pid = (pid_t)number;
	line = end + 1 + strspn(end + 1, " \t");
	*mib = NAN;
	if (*line == '[') /* "[N/A]", "[Not Supported]", "[Insufficient Permissions]" */
		return true;
	if (!isdigit((unsigned char)*line))
		return false;
	*mib = strtod(line, &end);
	end += strspn(end, " \t\r");
	return !*end && *mib < 1e9;
}

/* Add up a whole table. helper 0: only look at its form. */
static enum ft_status read_table(char *text, pid_t helper, double *bytes, size_t *foreign, struct ft_err *err)
{
	char *next;

	*bytes = 0;
	for (char *line = text; line && *line; line = next) {
		double mib = 0;
		pid_t pid;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!read_row(line, &pid, &mib))
			return bad_nvidia("printed no process and its memory", line, err);
		if (!pid || !helper)
			continue;
		if (!is_ours(pid, helper))
			++*foreign;
		else if (isnan(mib))
			return bad_nvidia("reports no memory of a process", line, err);
		else
			*bytes += mib * 0x1p20;
	}
	return FT_OK;
}

enum ft_status ft__gpu_nvidia_available(struct ft_err *err)
{
	struct ft__command smi = {
		.argv = nvidia_argv, .limit_s = FT__NVIDIA_LIMIT_S, .apart = true, .most_bytes = TABLE_MOST};
	struct ft_err why = {0};
	double bytes;
	size_t foreign = 0;
	enum ft_status status = ft__command_run(&smi, &why);

	if (status == FT_EUNAVAIL)
		status = no_nvidia(err);
	else if (status == FT_ENOMEM)
		status = ft_nomem(err);
	else if (smi.late)
		status = bad_nvidia("does not answer in time", "", err);
	else if (status)
		status = bad_nvidia("failed", smi.length ? smi.text : smi.words ? smi.words : "", err);
	else
		status = read_table(smi.text, 0, &bytes, &foreign, err);
	ft__command_clear(&smi);
	return status;
}

static void read_pipe(struct nvidia *n)
{
	char rest[512];
	ssize_t got;

	while ((got = read(n->pipe, n->length < TABLE_MOST ? n->text + n->length : rest,
			   n->length < TABLE_MOST ? TABLE_MOST - n->length : sizeof rest)) > 0)
		n->length += n->length < TABLE_MOST ? (size_t)got : 0;
}

/* It has ended. */
static void end_table(struct nvidia *n)
{
	struct ft__answer answer;
	double bytes = 0, now_s = ft_clock_s();

	n->running = false;
	n->again_s = now_s + fmax(AGAIN_S, SHARE * (now_s - n->began_s));
	if (ft__client_finish(&n->client, &(struct ft__order){0}, &answer, NULL)) {
		n->broken = true;
		(void)bad_nvidia("is lost: its helper has ended", "", &n->why);
		return;
	}
	read_pipe(n);
	n->text[n->length] = '\0';
	enum ft_status status = FT_OK;
	if (answer.reply.start_errno)
		status = no_nvidia(&n->why);
	else if (answer.reply.flags & FT__ENDED_AT_LIMIT)
		status = bad_nvidia("does not answer in time", "", &n->why);
	else if (answer.reply.wait_status)
		status = bad_nvidia("failed",
				    n->length       ? n->text
				    : answer.detail ? answer.detail
						    : "",
				    &n->why);
	else
		status = read_table(n->text, n->helper, &bytes, &n->foreign, &n->why);
	ft__answer_clear(&answer);
	n->broken = status;
	if (!status && !n->stale) {
		n->tables++;
		n->peak = fmax(n->peak, bytes);
	}
	n->stale = false;
}

static void hear_nvidia(struct nvidia *n)
{
	if (n->broken)
		return;
	read_pipe(n);
	if (n->running && poll(&(struct pollfd){.fd = n->client.socket, .events = POLLIN}, 1, 0) > 0)
		end_table(n);
	if (!n->broken && !n->running && ft_clock_s() >= n->again_s) {
		char **argv = (char **)(uintptr_t)nvidia_argv;
		const struct ft__order order = {.file = nvidia_argv[0],
						.argv = argv,
						.flags = FT__PLAIN | FT__KEEP_OUTPUT,
						.limit_s = FT__NVIDIA_LIMIT_S};

		n->began_s = ft_clock_s();
		n->length = 0;
		n->running = !ft__client_start(&n->client, &order, &n->why);
		n->broken |= !n->running;
	}
}

static void close_nvidia(struct nvidia *n)
{
	if (!n)
		return;
	ft__client_close(&n->client);
	if (n->pipe >= 0)
		(void)close(n->pipe);
	ft_free(n);
}

static enum ft_status open_nvidia(struct nvidia **out, struct ft_err *err)
{
	struct nvidia *n = *out = ft_calloc(1, sizeof *n);
	int ends[2];

	if (!n)
		return ft_nomem(err);
	n->client.socket = n->pipe = -1;
	if (pipe2(ends, O_CLOEXEC))
		return ft_fail_errno(err, errno, "cannot make a pipe");
	n->pipe = ends[0];
	(void)fcntl(n->pipe, F_SETFL, O_NONBLOCK);
	enum ft_status status = ft__client_open(&n->client, &(struct ft__setup){.output = ends[1]}, err);
	(void)close(ends[1]);
	return status;
}

/* In a container the tool prints the numbers that processes have outside, or none. */
static bool in_container(void)
{
	static const char initial[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO of Linux */
	char name[64];
	ssize_t length = readlink("/proc/self/ns/pid", name, sizeof name - 1);

	name[length > 0 ? length : 0] = '\0';
	return strcmp(name, initial) != 0;
}

/* ---- the sources ---------------------------------------------------------------------------------------- */

enum { DRM, NVIDIA, OPENCL, N_SOURCES };

struct gpu {
	bool wished[N_SOURCES]; /* in words; of "all": those that work */
	bool any;               /* a wish was stated */
	struct ft_err absent[N_SOURCES];
	struct nvidia *nvidia; /* NULL: not wished, or it does not work */
	const struct ft__client *client;
};

/* What a source has of a run. NaN: nothing, with the reason where it was wished for. */
typedef double peak_of(const struct gpu *gpu, const struct ft__result *result, struct ft_err *why);

enum ft_status ft__gpu_drm_available(struct ft_err *err)
{
	if (!access("/dev/dri", F_OK))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL,
		      "there is no graphics device with a driver of the kernel's DRM: /dev/dri");
	(void)ft_remedy(err,
			"in a container, pass it on (--device /dev/dri); for NVIDIA: --measure gpu=nvidia");
	return FT_EUNAVAIL;
}

/* A run that uses no such device has no value, unless one was wished for. */
static double drm_peak(const struct gpu *gpu, const struct ft__result *result, struct ft_err *why)
{
	const struct ft__reply *reply = &result->answer->reply;

	if (reply->flags & FT__HAS_DRM && (gpu->any || reply->drm_bytes || reply->drm_s > 0))
		return (double)reply->drm_bytes;
	*why = gpu->absent[DRM];
	if (!why->text[0])
		(void)ft_fail(why, FT_EUNAVAIL, "/proc does not show the descriptors of its processes");
	return NAN;
}

static double nvidia_peak(const struct gpu *gpu, const struct ft__result *result, struct ft_err *why)
{
	const struct nvidia *n = gpu->nvidia;

	(void)result;
	if (!n || n->broken) {
		*why = n ? n->why : gpu->absent[NVIDIA];
		return NAN;
	}
	if (n->tables < TABLES_LEAST) {
		(void)ft_fail(why, FT_EUNAVAIL, "the run ended before nvidia-smi had answered %d times",
			      TABLES_LEAST);
		(void)ft_remedy(why, "measure larger sizes; nvidia-persistenced makes the tool quicker");
		return NAN;
	}
	if (!(n->peak > 0) && in_container()) {
		(void)ft_fail(why, FT_EUNAVAIL,
			      "nvidia-smi shows no process of the run, and in a container it may show none: "
			      "its numbers are those of the host");
		(void)ft_remedy(why, "run foretime outside, or let the container share the processes of the "
				     "host (--pid=host)");
		return NAN;
	}
	return n->peak;
}

bool ft__gpu_layer(const struct ft_launch *launch, char path[FT__HELPER_PATH])
{
	return launch->gpu && (strstr(launch->gpu, "opencl") || strstr(launch->gpu, "all")) &&
	       !ft__launch_find("foretime-opencl.so", path, NULL);
}

/* A loader without layers would leave ours out, so the library of its newest interface is looked for in the
 * program's own reports, after a run. */
enum ft_status ft__gpu_opencl_available(struct ft_err *err)
{
	void *function;
	const struct ft_symbol symbols[] = {{"clGetPlatformIDs", &function}};
	char path[FT__HELPER_PATH];

	FT_TRY(ft__launch_find("foretime-opencl.so", path, err));
	if (!ft_library_load("libOpenCL.so.1", symbols, 1, NULL))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "there is no libOpenCL.so.1, the loader of OpenCL");
	(void)ft_remedy(err, "apt install ocl-icd-libopencl1, and the driver of a device");
	return FT_EUNAVAIL;
}

static double opencl_peak(const struct gpu *gpu, const struct ft__result *result, struct ft_err *why)
{
	if (result->report && result->report->n_devices)
		return result->report->device_peak;
	if (gpu->absent[OPENCL].text[0]) {
		*why = gpu->absent[OPENCL];
		return NAN;
	}
	(void)ft_fail(why, FT_EUNAVAIL,
		      "the program did not call OpenCL, or its loader is too old for layers");
	(void)ft_remedy(why, "take ocl-icd 2.3 or newer, or the loader of Khronos from 2021 on");
	return NAN;
}

static const struct {
	const char *name, *probe;
	enum ft_status (*check)(struct ft_err *err);
	peak_of *peak;
	bool sampled; /* the peak may lie between two looks */
} sources[N_SOURCES] = {
	[DRM] = {"drm", "gpu-drm", ft__gpu_drm_available, drm_peak, false},
	[NVIDIA] = {"nvidia", "gpu-nvidia", ft__gpu_nvidia_available, nvidia_peak, true},
	[OPENCL] = {"opencl", "gpu-opencl", ft__gpu_opencl_available, opencl_peak, false},
};

/* ---- the probe ------------------------------------------------------------------------------------------ */

static void close_probe(void *state)
{
	struct gpu *gpu = state;

	close_nvidia(gpu->nvidia);
	ft_free(gpu);
}

static enum ft_status open_probe(void **state, const struct ft_launch *launch, struct ft__client *client,
				 struct ft_err *err)
{
	struct gpu *gpu = *state = ft_calloc(1, sizeof *gpu);

	if (!gpu)
		return ft_nomem(err);
	gpu->client = client;
	gpu->any = launch->gpu;
	if (launch->gpu) {
		/* "nvidia,opencl", or "all" */
		const bool all = !strcmp(launch->gpu, "all");
		bool works = false;

		for (const char *at = launch->gpu; !all && at;
		     at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
			size_t length = strcspn(at, ","), i = 0;

			while (i < N_SOURCES && (strlen(sources[i].name) != length ||
						 strncmp(at, sources[i].name, length) != 0))
				i++;
			if (i == N_SOURCES) {
				(void)ft_fail(err, FT_EINVAL, "unknown probe of graphics devices '%.*s'",
					      (int)length, at);
				return ft_remedy(err,
						 "take drm, nvidia, opencl, several with commas, or all");
			}
			gpu->wished[i] = true;
		}
		for (size_t i = 0; i < N_SOURCES; i++) {
			if (!all && !gpu->wished[i])
				continue;
			gpu->wished[i] = !sources[i].check(&gpu->absent[i]) || !all;
			works |= gpu->wished[i];
		}
		/* None works: their reasons are those of the samples. */
		for (size_t i = 0; all && !works && i < N_SOURCES; i++)
			gpu->wished[i] = true;
	}
	return gpu->wished[NVIDIA] && !gpu->absent[NVIDIA].text[0] ? open_nvidia(&gpu->nvidia, err) : FT_OK;
}

static bool arm(void *state, struct ft__order *order)
{
	struct gpu *gpu = state;
	struct nvidia *n = gpu->nvidia;

	(void)order;
	if (!n || n->broken)
		return false;
	n->helper = gpu->client->helper;
	n->stale = n->running;
	n->tables = n->foreign = 0;
	n->peak = n->again_s = 0;
	hear_nvidia(n);
	return true;
}

static void hear(void *state)
{
	hear_nvidia(((struct gpu *)state)->nvidia);
}

static size_t files(void *state, int *file, size_t most)
{
	const struct nvidia *n = ((struct gpu *)state)->nvidia;

	if (n->broken || most < 2)
		return 0;
	file[0] = n->pipe;
	file[1] = n->client.socket;
	return n->running ? 2 : 1;
}

static enum ft_status read_probe(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	struct gpu *gpu = state;
	const struct ft__reply *reply = &result->answer->reply;
	struct ft_err why = {0}, first = {0};
	size_t best = N_SOURCES, named = N_SOURCES;
	double peak = NAN, one;
	enum ft_status status = FT_OK;

	if (gpu->nvidia)
		hear_nvidia(gpu->nvidia);
	for (size_t i = 0; i < N_SOURCES; i++) {
		why = (struct ft_err){0};
		one = sources[i].peak(gpu, result, &why);
		if (gpu->wished[i] && isnan(one) && named == N_SOURCES) {
			named = i;
			first = why;
		}
		if (isnan(peak) ? !isnan(one) : one > peak) {
			peak = one;
			best = i;
		}
	}
	if (best < N_SOURCES)
		status = ft_run_add(run, &ft_gpu_memory_bytes, peak,
				    sources[best].sampled ? FT_ESTIMATED : FT_MEASURED, sources[best].probe,
				    NULL, err);
	else if (named < N_SOURCES)
		status = ft__add_unavailable(run, &ft_gpu_memory_bytes, sources[named].probe, &first, err);
	if (status || (!gpu->any && !(reply->drm_s > 0)))
		return status;
	if (reply->flags & FT__HAS_DRM)
		return ft_run_add(run, &ft_gpu_s, reply->drm_s, FT_ESTIMATED, sources[DRM].probe, NULL, err);
	why = (struct ft_err){0};
	(void)ft_fail(&why, FT_EUNAVAIL,
		      "only drivers of the kernel's DRM report the time of a device by process");
	(void)ft_remedy(&why, "use the energy or the wall time of the run in its place");
	return ft__add_unavailable(run, &ft_gpu_s, sources[DRM].probe, &why, err);
}

const struct ft__probe_ops ft__gpu_probe = {.open = open_probe,
					    .close = close_probe,
					    .arm = arm,
					    .hear = hear,
					    .files = files,
					    .read = read_probe};
