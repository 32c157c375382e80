/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl_time.c - launches on a device of OpenCL, timed by its events, in a process of their own (Khronos,
 * The OpenCL Specification 3.0, chapters 4 and 5.14). */
#include "measure/opencl_time.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/library.h"
#include "base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROFILING = 2, PROGRAM_LOG = 0x1183, COMMAND_START = 0x1282, COMMAND_END = 0x1283, READ_WRITE = 1 };
enum { DEVICES_MOST = 32, PLATFORMS_MOST = 16, TIMES_MOST = 1000 };
static const uint64_t type_all = 0xffffffff;

/* The functions that are called, as the specification declares them. */
static struct {
	int32_t (*platforms)(uint32_t, void **, uint32_t *);
	int32_t (*devices)(void *, uint64_t, uint32_t, void **, uint32_t *);
	void *(*context)(const intptr_t *, uint32_t, void *const *, void *, void *, int32_t *);
	void *(*queue)(void *, void *, uint64_t, int32_t *);
	void *(*program)(void *, uint32_t, const char **, const size_t *, int32_t *);
	int32_t (*build)(void *, uint32_t, void *const *, const char *, void *, void *);
	int32_t (*log)(void *, void *, uint32_t, size_t, void *, size_t *);
	void *(*kernel)(void *, const char *, int32_t *);
	void *(*buffer)(void *, uint64_t, size_t, void *, int32_t *);
	int32_t (*write)(void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *,
			 void **);
	int32_t (*argument)(void *, uint32_t, size_t, const void *);
	int32_t (*launch)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,
			  void *const *, void **);
	int32_t (*wait)(uint32_t, void *const *);
	int32_t (*profile)(void *, uint32_t, size_t, void *, size_t *);
	int32_t (*drop_event)(void *), (*drop_buffer)(void *), (*drop_kernel)(void *);
} cl;

static const struct ft_symbol symbols[] = {
	{"clGetPlatformIDs", &cl.platforms},
	{"clGetDeviceIDs", &cl.devices},
	{"clCreateContext", &cl.context},
	{"clCreateCommandQueue", &cl.queue},
	{"clCreateProgramWithSource", &cl.program},
	{"clBuildProgram", &cl.build},
	{"clGetProgramBuildInfo", &cl.log},
	{"clCreateKernel", &cl.kernel},
	{"clCreateBuffer", &cl.buffer},
	{"clEnqueueWriteBuffer", &cl.write},
	{"clSetKernelArg", &cl.argument},
	{"clEnqueueNDRangeKernel", &cl.launch},
	{"clWaitForEvents", &cl.wait},
	{"clGetEventProfilingInfo", &cl.profile},
	{"clReleaseEvent", &cl.drop_event},
	{"clReleaseMemObject", &cl.drop_buffer},
	{"clReleaseKernel", &cl.drop_kernel},
};

/* What the process says of a job; index = n: of all. */
struct answer {
	size_t index;
	enum ft_status status;
	double seconds, sigma;
	char why[FT_OPENCL_WHY];
};

struct session {
	void *device, *context, *queue, *program;
	size_t times;
};

/* ---- in the process ----------------------------------------------------------------------------------- */

static void *find_device(size_t index)
{
	void *platform[PLATFORMS_MOST], *device[DEVICES_MOST];
	uint32_t platforms = 0, devices, i;

	if (cl.platforms(PLATFORMS_MOST, platform, &platforms))
		return NULL;
	for (i = 0; i < platforms && i < PLATFORMS_MOST; i++) {
		devices = 0;
		if (cl.devices(platform[i], type_all, DEVICES_MOST, device, &devices))
			continue;
		if (devices > DEVICES_MOST)
			devices = DEVICES_MOST;
		if (index < devices)
			return device[index];
		index -= devices;
	}
	return NULL;
}

static enum ft_status say(struct answer *a, enum ft_status status, const char *what, int32_t code)
{
	(void)snprintf(a->why, sizeof a->why, "%s (OpenCL says %d)", what, code);
	a->seconds = a->sigma = NAN;
	return a->status = status;
}

static enum ft_status compile(struct session *s, const char *source, struct answer *a)
{
	int32_t code = 0;
	size_t length = 0;

	s->program = cl.program(s->context, 1, &source, NULL, &code);
	if (code)
		return say(a, FT_EUNAVAIL, "no program can be made", code);
	code = cl.build(s->program, 1, &s->device, "", NULL, NULL);
	if (!code)
		return FT_OK;
	(void)say(a, FT_EPARSE, "the kernels do not compile", code);
	if (!cl.log(s->program, s->device, PROGRAM_LOG, sizeof a->why - 1, a->why, &length))
		a->why[sizeof a->why - 1] = '\0';
	return a->status;
}

static enum ft_status begin(struct session *s, size_t index, const char *source, struct answer *a)
{
	int32_t code = 0;

	s->device = find_device(index);
	if (!s->device)
		return say(a, FT_EINVAL, "there is no such device: foretime device list shows them", 0);
	s->context = cl.context(NULL, 1, &s->device, NULL, NULL, &code);
	if (!code)
		s->queue = cl.queue(s->context, s->device, PROFILING, &code);
	return code ? say(a, FT_EUNAVAIL, "the device cannot be opened", code) : compile(s, source, a);
}

/* Seconds by the device's clock; NaN after a complaint. */
static double launch_once(const struct session *s, void *kernel, const struct ft_opencl_job *job,
			  struct answer *a)
{
	uint64_t start = 0, end = 0;
	void *event = NULL;
	int32_t code = cl.launch(s->queue, kernel, 2, NULL, job->global, job->local, 0, NULL, &event);

	if (!code)
		code = cl.wait(1, &event);
	if (!code)
		code = cl.profile(event, COMMAND_START, sizeof start, &start, NULL);
	if (!code)
		code = cl.profile(event, COMMAND_END, sizeof end, &end, NULL);
	if (event)
		(void)cl.drop_event(event);
	if (code)
		(void)say(a, FT_EIO, "the launch failed", code);
	return code ? NAN : 1e-9 * (double)(end - start);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void time_launches(const struct session *s, void *kernel, const struct ft_opencl_job *job,
			  struct answer *a)
{
	double took[TIMES_MOST], mean = 0, squares = 0;
	size_t i;

	if (isnan(launch_once(s, kernel, job, a)))
		return;
	for (i = 0; i < s->times; i++) {
		took[i] = launch_once(s, kernel, job, a);
		if (isnan(took[i]))
			return;
		mean += took[i] / (double)s->times;
	}
	for (i = 0; i < s->times; i++)
		squares += (took[i] - mean) * (took[i] - mean);
	qsort(took, s->times, sizeof *took, compare);
	a->seconds = took[s->times / 4];
	a->sigma = s->times > 1 ? sqrt(squares / (double)(s->times - 1)) : 0;
}

static int32_t fill(const struct session *s, void *buffer, size_t floats)
{
	struct ft_random random = {1};
	float *data = ft_malloc(floats * sizeof *data);
	int32_t code = data ? 0 : -6; /* CL_OUT_OF_HOST_MEMORY */
	size_t i;

	for (i = 0; data && i < floats; i++)
		data[i] = (float)(0.5 + ft_random_uniform(&random));
	if (data)
		code = cl.write(s->queue, buffer, 1, 0, floats * sizeof *data, data, 0, NULL, NULL);
	ft_free(data);
	return code;
}

static void do_job(const struct session *s, const struct ft_opencl_job *job, struct answer *a)
{
	int32_t code = 0;
	void *kernel = cl.kernel(s->program, job->kernel, &code), *buffer = NULL;

	if (!code)
		buffer = cl.buffer(s->context, READ_WRITE, job->floats * sizeof(float), NULL, &code);
	if (!code)
		code = fill(s, buffer, job->floats);
	if (!code)
		code = cl.argument(kernel, 0, sizeof(void *), &buffer);
	if (!code)
		code = cl.argument(kernel, 1, sizeof job->n, &job->n);
	if (code)
		(void)say(a, FT_EUNAVAIL, "the launch cannot be made", code);
	else
		time_launches(s, kernel, job, a);
	if (buffer)
		(void)cl.drop_buffer(buffer);
	if (kernel)
		(void)cl.drop_kernel(kernel);
}

static bool put(int to, const struct answer *a)
{
	return write(to, a, sizeof *a) == (ssize_t)sizeof *a; /* below PIPE_BUF: whole, or not at all */
}

/* What drivers and compilers print is not ours to show: of what failed the device tells. */
static void hush(void)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (nowhere < 0)
		return;
	(void)dup2(nowhere, STDOUT_FILENO);
	(void)dup2(nowhere, STDERR_FILENO);
}

static void work(int to, size_t index, const char *source, const struct ft_opencl_job *job, size_t n,
		 size_t times)
{
	struct session s = {.times = times};
	struct answer a = {.index = n};
	struct ft_err err;
	size_t i;

	hush();
	a.status = ft_library_load("libOpenCL.so.1", symbols, sizeof symbols / sizeof *symbols, &err);
	if (a.status)
		(void)snprintf(a.why, sizeof a.why, "the loader of OpenCL, libOpenCL.so.1, is not installed");
	else
		(void)begin(&s, index, source, &a);
	if (!put(to, &a) || a.status)
		return;
	for (i = 0; i < n; i++) {
		a = (struct answer){.index = i, .seconds = NAN, .sigma = NAN};
		do_job(&s, &job[i], &a);
		if (!put(to, &a))
			return;
	}
}

/* ---- beside it ---------------------------------------------------------------------------------------- */

/* 1: an answer; 0: the process ended; -1: the time was up. */
static int hear(int from, double until_s, struct answer *a)
{
	struct pollfd fd = {.fd = from, .events = POLLIN};
	size_t have = 0;

	while (have < sizeof *a) {
		double left = until_s - ft_clock_s();
		int ready = left > 0 ? poll(&fd, 1, (int)fmin(left * 1000 + 1, 1e6)) : 0;
		ssize_t n;

		if (ready < 0 && errno == EINTR)
			continue;
		if (left <= 0)
			return -1;
		if (ready == 0)
			continue;
		n = read(from, (char *)a + have, sizeof *a - have);
		if (n <= 0)
			return 0;
		have += (size_t)n;
	}
	return 1;
}

static enum ft_status gone(int heard, int status, const char *at, struct ft_err *err)
{
	if (heard < 0)
		(void)ft_fail(err, FT_EIO, "the time was up at %s", at);
	else if (WIFSIGNALED(status))
		(void)ft_fail(err, FT_EIO, "the device's driver crashed (signal %d) at %s", WTERMSIG(status),
			      at);
	else
		(void)ft_fail(err, FT_EIO, "the device's driver ended the process at %s", at);
	return ft_remedy(err, "clinfo, and another version of the driver, tell whether the device works");
}

static enum ft_status take(int from, pid_t child, struct ft_opencl_job *job, size_t n, double until_s,
			   struct ft_err *err)
{
	struct answer a = {0};
	enum ft_status status = FT_OK;
	size_t next = 0;
	bool begun = false;
	int heard = 1, ended = 0;

	while (!status && (!begun || next < n) && (heard = hear(from, until_s, &a)) == 1) {
		if (a.index >= n) {
			begun = true;
			if (a.status)
				status = ft_fail(err, a.status, "%s", a.why);
			continue;
		}
		job[a.index].seconds = a.seconds;
		job[a.index].sigma = a.sigma;
		memcpy(job[a.index].why, a.why, sizeof a.why);
		next = a.index + 1;
	}
	if (heard != 0)
		(void)kill(child, SIGKILL);
	while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
		;
	return heard == 1 ? status : gone(heard, ended, begun ? job[next].kernel : "its start", err);
}

enum ft_status ft_opencl_time(const char *device, const char *source, struct ft_opencl_job *job, size_t n,
			      size_t times, double limit_s, struct ft_err *err)
{
	enum ft_status status;
	unsigned index;
	int ends[2];
	char rest;
	pid_t child;

	if (sscanf(device, "opencl:%3u%c", &index, &rest) != 1) {
		(void)ft_fail(err, FT_EINVAL, "'%s' is no device of OpenCL", device);
		return ft_remedy(err, "foretime device list shows them: opencl:0");
	}
	if (!n || !times || times > TIMES_MOST)
		return ft_fail(err, FT_EINVAL, "from 1 to %d launches of each job, not %zu", TIMES_MOST,
			       times);
	if (pipe2(ends, O_CLOEXEC))
		return ft_fail_errno(err, errno, "cannot make a pipe");
	child = fork();
	if (child == 0) {
		(void)close(ends[0]);
		work(ends[1], index, source, job, n, times);
		_exit(0);
	}
	(void)close(ends[1]);
	if (child < 0)
		status = ft_fail_errno(err, errno, "cannot start a process");
	else
		status = take(ends[0], child, job, n, ft_clock_s() + limit_s, err);
	(void)close(ends[0]);
	return status;
}
