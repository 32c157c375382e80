/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.c - a launch on a device, timed by its events. */
#include "kernel/execute.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "kernel/launch.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double size_most = 1e15;

/* ---- sizes -------------------------------------------------------------------------------------------- */

static enum ft_status read_sizes(const struct ft__execution *x, const char *const text[FT_KERNEL_DIMS],
				 const char *what, size_t out[FT_KERNEL_DIMS], uint32_t *n,
				 struct ft_err *err)
{
	for (*n = 0; *n < FT_KERNEL_DIMS && text[*n]; (*n)++) {
		double value;

		FT_TRY(ft__launch_value(x->launch, text[*n], &value, err));
		if (!(value >= 1) || value > size_most || value != floor(value))
			return ft_fail(err, FT_EINVAL, "%s is no size: %s is %g", what, text[*n], value);
		out[*n] = (size_t)value;
	}
	return FT_OK;
}

static enum ft_status set_sizes(struct ft__execution *x, struct ft_err *err)
{
	uint32_t n = 0;

	FT_TRY(read_sizes(x, x->launch->global, "the number of work-items", x->global, &x->dims, err));
	FT_TRY(read_sizes(x, x->launch->local, "the number of work-items of a group", x->local, &n, err));
	x->grouped = n > 0;
	if (!x->dims || (x->grouped && n != x->dims)) {
		(void)ft_fail(err, FT_EINVAL, "there are %u dimensions of work-items, and %u of a group",
			      x->dims, n);
		return ft_remedy(err, "give both as many, as in -g 1024,1024 -l 16,16");
	}
	for (uint32_t i = 0; i < n; i++)
		if (x->global[i] % x->local[i]) {
			(void)ft_fail(err, FT_EINVAL,
				      "groups of %zu work-items do not divide %zu (dimension %u)",
				      x->local[i], x->global[i], i + 1);
			return ft_remedy(err,
					 "round up, as in --global 'ceil(n/%zu)*%zu', where the kernel "
					 "leaves out what is too much by itself",
					 x->local[i], x->local[i]);
		}
	return FT_OK;
}

static double group_of(const struct ft__execution *x)
{
	double items = 1;

	for (uint32_t i = 0; i < x->dims && x->grouped; i++)
		items *= (double)x->local[i];
	return items;
}

/* What the device has room for, and the kernel left of it. */
static enum ft_status check_group(const struct ft__execution *x, double *local_bytes, struct ft_err *err)
{
	size_t most = 0;
	uint64_t all = 0, used = 0;

	(void)x->cl.GetKernelWorkGroupInfo(x->kernel, x->device, FT__CL_GROUP_MOST, sizeof most, &most, NULL);
	(void)x->cl.GetKernelWorkGroupInfo(x->kernel, x->device, FT__CL_GROUP_LOCAL_BYTES, sizeof used, &used,
					   NULL);
	(void)x->cl.GetDeviceInfo(x->device, FT__CL_DEVICE_LOCAL_BYTES, sizeof all, &all, NULL);
	if (used < x->local_bytes) /* some tell the variables alone, others arguments as well */
		used += x->local_bytes;
	*local_bytes = (double)used;
	if (most && group_of(x) > (double)most) {
		(void)ft_fail(err, FT_EINVAL,
			      "groups of %.0f work-items are more than this device runs of kernel "
			      "%s: %zu",
			      group_of(x), x->name, most);
		return ft_remedy(err, "choose a smaller --local");
	}
	if (used > all) {
		(void)ft_fail(err, FT_EINVAL,
			      "a group of kernel %s needs %llu bytes of local memory, and the "
			      "device has %llu",
			      x->name, (unsigned long long)used, (unsigned long long)all);
		return ft_remedy(err, "choose smaller groups, or another device");
	}
	return FT_OK;
}

/* ---- a launch ----------------------------------------------------------------------------------------- */

/* Seconds between start and end of an event, which is released; events may lack the clock of their device. */
static enum ft_status event_seconds(struct ft__execution *x, void *event, double *seconds, struct ft_err *err)
{
	uint64_t from = 0, to = 0;
	int32_t code = x->cl.GetEventProfilingInfo(event, FT__CL_EVENT_START, sizeof from, &from, NULL);

	if (!code)
		code = x->cl.GetEventProfilingInfo(event, FT__CL_EVENT_END, sizeof to, &to, NULL);
	(void)x->cl.ReleaseEvent(event);
	if (code)
		return ft__opencl_fail(err, code, "clGetEventProfilingInfo");
	*seconds += to > from ? 1e-9 * (double)(to - from) : 0;
	return FT_OK;
}

static enum ft_status finish_event(struct ft__execution *x, int32_t code, void *event, const char *what,
				   double *seconds, struct ft_err *err)
{
	if (code)
		return ft__opencl_fail(err, code, what);
	code = x->cl.Finish(x->queue);
	if (code) {
		(void)x->cl.ReleaseEvent(event);
		(void)ft__opencl_fail(err, code, what);
		return ft_remedy(err, "does it reach outside of its buffers? "
				      "OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime "
				      "device run ... shows where");
	}
	return event_seconds(x, event, seconds, err);
}

static enum ft_status write_all(struct ft__execution *x, double *seconds, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < x->n && !status; i++) {
		struct ft__array *place = &x->place[i];
		void *event = NULL;
		int32_t code = x->cl.EnqueueWriteBuffer(x->queue, place->buffer, 0, 0, place->bytes,
							place->host, 0, NULL, &event);

		status = finish_event(x, code, event, "writing a buffer", seconds, err);
	}
	return status;
}

static enum ft_status read_buffers(struct ft__execution *x, char *const *host, double *seconds,
				   struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < x->n && !status; i++) {
		struct ft__array *place = &x->place[i];
		void *event = NULL;

		if (!place->read)
			continue;
		int32_t code = x->cl.EnqueueReadBuffer(x->queue, place->buffer, 0, 0, place->bytes, host[i],
						       0, NULL, &event);
		status = finish_event(x, code, event, "reading a buffer", seconds, err);
	}
	return status;
}

static enum ft_status launch_kernel(struct ft__execution *x, double *seconds, struct ft_err *err)
{
	void *event = NULL;
	int32_t code = x->cl.EnqueueNDRangeKernel(x->queue, x->kernel, x->dims, NULL, x->global,
						  x->grouped ? x->local : NULL, 0, NULL, &event);

	return finish_event(x, code, event, "the kernel", seconds, err);
}

/* All of it once. took: out, seconds of the kernel; NULL: it does not count. */
static enum ft_status execute_once(struct ft__execution *x, struct ft_executed *out, char *const *host,
				   double *took, struct ft_err *err)
{
	double write_s = 0, kernel_s = 0, read_s = 0, cpu_s = ft_clock_process_s(), from = ft_clock_s();
	enum ft_status status = write_all(x, &write_s, err);

	if (!status)
		status = launch_kernel(x, &kernel_s, err);
	if (!took)
		out->first_s = kernel_s;
	if (!status && took)
		status = read_buffers(x, host, &read_s, err);
	if (status || !took)
		return status;
	*took = kernel_s;
	out->write_s += write_s / (double)out->times;
	out->kernel_s += kernel_s / (double)out->times;
	out->read_s += read_s / (double)out->times;
	out->launch_s += (ft_clock_s() - from) / (double)out->times;
	out->cpu_s += (ft_clock_process_s() - cpu_s) / (double)out->times;
	return FT_OK;
}

static enum ft_status add_sums(const struct ft__execution *x, struct ft_executed *out, char *const *host,
			       struct ft_err *err)
{
	out->sum = ft_calloc(x->n ? x->n : 1, sizeof *out->sum);
	if (!out->sum)
		return ft_nomem(err);
	for (size_t i = 0; i < x->n; i++) {
		struct ft_execute_sum *sum = &out->sum[out->n_sums];

		if (!x->place[i].read)
			continue;
		(void)snprintf(sum->name, sizeof sum->name, "%s", x->place[i].name);
		sum->bytes = (double)x->place[i].bytes;
		sum->sum = ft__execution_sum(&x->place[i], host[i]);
		out->n_sums++;
	}
	return FT_OK;
}

/* took: [n] sorted on return. */
static void measure_spread(struct ft_executed *out, double *took, size_t n)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (took[i] - out->kernel_s) * (took[i] - out->kernel_s);
	out->kernel_sigma_s = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	out->kernel_low_s = ft_stats_quantile(took, n, 0.25);
}

static enum ft_status run_launches(struct ft__execution *x, struct ft_executed *out, struct ft_err *err)
{
	char *host[FT_KERNEL_PARAMS] = {0};
	double *took = ft_calloc(out->times, sizeof *took);
	enum ft_status status = took ? FT_OK : ft_nomem(err);

	for (size_t i = 0; i < x->n && !status; i++)
		if (x->place[i].read && !(host[i] = ft_malloc(x->place[i].bytes)))
			status = ft_nomem(err);
	if (!status)
		status = execute_once(x, out, host, NULL, err);
	if (!status)
		status = ft__execution_guards(x, err);
	for (size_t i = 0; i < out->times && !status; i++)
		status = execute_once(x, out, host, &took[i], err);
	if (!status) {
		measure_spread(out, took, out->times);
		status = add_sums(x, out, host, err);
	}
	ft_free(took);
	for (size_t i = 0; i < x->n; i++)
		ft_free(host[i]);
	return status;
}

enum ft_status ft_execute(struct ft_executed *out, const struct ft_kernel_source *source,
			  const struct ft_kernel_launch *launch_of, const struct ft_execute_options *options,
			  struct ft_err *err)
{
	struct ft__execution *x = ft_calloc(1, sizeof *x);

	*out = (struct ft_executed){.times = options->times ? options->times : 1};
	if (!x)
		return ft_nomem(err);
	enum ft_status status = ft__execution_open(x, source, launch_of, options->device, &out->build_s, err);
	if (!status)
		status = set_sizes(x, err);
	if (!status)
		status = ft__execution_arguments(x, options->seed, err);
	if (!status)
		status = check_group(x, &out->local_bytes, err);
	if (!status) {
		(void)x->cl.GetDeviceInfo(x->device, FT__CL_DEVICE_NAME, sizeof out->device - 1, out->device,
					  NULL);
		out->group = group_of(x);
		out->work_items = 1;
		for (uint32_t i = 0; i < x->dims; i++)
			out->work_items *= (double)x->global[i];
		status = run_launches(x, out, err);
	}
	ft__execution_close(x);
	ft_free(x);
	if (status)
		ft_executed_clear(out);
	return status;
}

void ft_executed_clear(struct ft_executed *executed)
{
	if (!executed)
		return;
	ft_free(executed->sum);
	*executed = (struct ft_executed){0};
}
