/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute_device.c - a device, and a kernel compiled for it. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "kernel/execute.h"
#include "measure/opencl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SOURCE_MOST = 16 << 20, LOG_MOST = 1 << 16 };

static enum ft_status read_source(const char *path, char **text, size_t *length, struct ft_err *err)
{
	FILE *file = fopen(path, "rbe");
	size_t got;

	if (!file)
		return ft_fail_errno(err, errno, "cannot read '%s'", path);
	*text = ft_malloc(SOURCE_MOST);
	got = *text ? fread(*text, 1, SOURCE_MOST, file) : 0;
	(void)fclose(file);
	*length = got;
	if (!*text)
		return ft_nomem(err);
	if (!got)
		return ft_fail(err, FT_EPARSE, "'%s' is empty, or cannot be read", path);
	if (got == SOURCE_MOST)
		return ft_fail(err, FT_EPARSE, "'%s' is longer than %d MiB", path, SOURCE_MOST >> 20);
	return FT_OK;
}

/* The first line of the compiler's words that says error, else their first. */
static enum ft_status complain_of_source(struct ft__execution *x, const char *path, struct ft_err *err)
{
	char *log = ft_calloc(LOG_MOST + 1, 1);
	size_t bytes = 0;

	if (!log)
		return ft_nomem(err);
	(void)x->cl.GetProgramBuildInfo(x->program, x->device, FT__CL_BUILD_LOG, LOG_MOST, log, &bytes);
	const char *at = strstr(log, "error");
	while (at && at > log && at[-1] != '\n')
		at--;
	if (!at)
		at = log + strspn(log, "\n ");
	size_t length = strcspn(at, "\n");
	(void)ft_fail(err, FT_EPARSE, "the device's compiler does not take '%.100s': %.*s", path,
		      length ? (int)(length < 300 ? length : 300) : 22,
		      length ? at : "it gives no reason    ");
	(void)ft_remedy(err, "%s",
			strstr(log, "double") || strstr(log, "fp64")
				? "a device without doubles takes no kernel that has them"
				: "what a host program hands to the compiler is needed here, too: --flags "
				  "'-DNAME=VALUE'");
	ft_free(log);
	return FT_EPARSE;
}

static enum ft_status flags_of(const struct ft_kernel_source *source, char **out, struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "-cl-kernel-arg-info");
	for (size_t i = 0; i < source->n_flags; i++)
		ft_text_add(&text, " %s", source->flag[i]);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

static enum ft_status build_program(struct ft__execution *x, const struct ft_kernel_source *source,
				    double *seconds, struct ft_err *err)
{
	char *text = NULL, *flags = NULL;
	size_t length = 0;
	int32_t code = 0;
	enum ft_status status = read_source(source->path, &text, &length, err);

	if (!status)
		status = flags_of(source, &flags, err);
	int64_t from = ft_clock_ns();
	if (!status)
		x->program =
			x->cl.CreateProgramWithSource(x->context, 1, (const char **)&text, &length, &code);
	if (!status && !x->program)
		status = ft__opencl_fail(err, code, "clCreateProgramWithSource");
	if (!status && (code = x->cl.BuildProgram(x->program, 1, &x->device, flags, NULL, NULL)))
		status = code == FT__CL_BUILD_FAILED ? complain_of_source(x, source->path, err)
						     : ft__opencl_fail(err, code, "clBuildProgram");
	*seconds = 1e-9 * (double)(ft_clock_ns() - from);
	ft_free(text);
	ft_free(flags);
	return status;
}

static enum ft_status fail_name(const char *path, uint32_t n, struct ft_err *err)
{
	if (!n)
		return ft_fail(err, FT_ENOENT, "'%s' has no kernel", path);
	(void)ft_fail(err, FT_EINVAL, "'%s' has %u kernels: which one?", path, n);
	return ft_remedy(err, "name it with --kernel");
}

static enum ft_status find_kernel(struct ft__execution *x, const struct ft_kernel_source *source,
				  struct ft_err *err)
{
	uint32_t n = 0;
	int32_t code = 0;

	if (source->kernel) {
		x->kernel = x->cl.CreateKernel(x->program, source->kernel, &code);
		if (!x->kernel && code == -46)
			return ft_fail(err, FT_ENOENT, "'%s' has no kernel '%s'", source->path,
				       source->kernel);
	} else {
		code = x->cl.CreateKernelsInProgram(x->program, 0, NULL, &n);
		if (!code && n != 1)
			return fail_name(source->path, n, err);
		if (!code)
			code = x->cl.CreateKernelsInProgram(x->program, 1, &x->kernel, NULL);
	}
	if (!x->kernel)
		return ft__opencl_fail(err, code, "clCreateKernel");
	(void)x->cl.GetKernelInfo(x->kernel, FT__CL_KERNEL_NAME, sizeof x->name - 1, x->name, NULL);
	return FT_OK;
}

enum ft_status ft__execution_open(struct ft__execution *x, const struct ft_kernel_source *source,
				  const struct ft_kernel_launch *launch, size_t device, double *seconds,
				  struct ft_err *err)
{
	int32_t code = 0;
	enum ft_status status = ft__opencl_load(&x->cl, err);

	x->launch = launch;
	if (!status)
		status = ft__opencl_find(device, &x->device, err);
	if (status)
		return status;
	x->context = x->cl.CreateContext(NULL, 1, &x->device, NULL, NULL, &code);
	if (x->context)
		x->queue = x->cl.CreateCommandQueue(x->context, x->device, FT__CL_PROFILING, &code);
	if (!x->queue) {
		(void)ft__opencl_fail(err, code, "opening the device");
		(void)ft_remedy(err, "foretime device list shows the devices; another process may use it, or "
				     "it was removed");
		return FT_EUNAVAIL;
	}
	status = build_program(x, source, seconds, err);
	return status ? status : find_kernel(x, source, err);
}

void ft__execution_close(struct ft__execution *x)
{
	for (size_t i = 0; i < x->n; i++) {
		if (x->place[i].buffer)
			(void)x->cl.ReleaseMemObject(x->place[i].buffer);
		ft_free(x->place[i].host);
	}
	if (x->kernel)
		(void)x->cl.ReleaseKernel(x->kernel);
	if (x->program)
		(void)x->cl.ReleaseProgram(x->program);
	if (x->queue)
		(void)x->cl.ReleaseCommandQueue(x->queue);
	if (x->context)
		(void)x->cl.ReleaseContext(x->context);
}
