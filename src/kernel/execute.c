/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.c - a launch on a device, timed by its events. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/random.h"
#include "base/text.h"
#include "kernel/kernel.h"
#include "measure/opencl.h"
#include "num/num.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	FT__CL_DEVICE_GROUP_MOST = 0x1004,
	FT__CL_DEVICE_BUFFER_MOST = 0x1010,
	FT__CL_DEVICE_LOCAL_BYTES = 0x1023,
	FT__CL_DEVICE_DOUBLES = 0x1032,
	FT__CL_DEVICE_NAME = 0x102b,
	FT__CL_BUILD_LOG = 0x1183,
	FT__CL_KERNEL_NAME = 0x1190,
	FT__CL_KERNEL_ARGUMENTS = 0x1191,
	FT__CL_ARGUMENT_ADDRESS = 0x1196,
	FT__CL_ARGUMENT_TYPE = 0x1198,
	FT__CL_ARGUMENT_QUALIFIER = 0x1199,
	FT__CL_ARGUMENT_NAME = 0x119a,
	FT__CL_ADDRESS_GLOBAL = 0x119b,
	FT__CL_ADDRESS_LOCAL = 0x119c,
	FT__CL_ADDRESS_CONSTANT = 0x119d,
	FT__CL_GROUP_MOST = 0x11b0,
	FT__CL_GROUP_LOCAL_BYTES = 0x11b2,
	FT__CL_EVENT_START = 0x1282,
	FT__CL_EVENT_END = 0x1283,
	FT__CL_READ_WRITE = 1,
	FT__CL_CONST = 1,
	FT__CL_PROFILING = 2,
	FT__CL_DEVICE_NOT_AVAILABLE = -2,
	FT__CL_BUILD_FAILED = -11,
};

/*
 * The loader of OpenCL, and its codes in words.
 */

/* opencl_load - FT_OK; FT_EUNAVAIL: the loader is not there, or older than OpenCL 1.2. */
static enum ft_status opencl_load(struct ft__opencl *cl, struct ft_err *err)
{
	const struct ft_symbol symbols[] = {
#define SYMBOL(returns, name, arguments) {"cl" #name, (void *)&cl->name},
		FT__CL_LIST(SYMBOL)
#undef SYMBOL
	};

	if (!ft_library_load("libOpenCL.so.1", symbols, sizeof symbols / sizeof *symbols, NULL))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "kernels need libOpenCL.so.1, the loader of OpenCL, 1.2 or newer");
	return ft_remedy(err, "apt install ocl-icd-libopencl1, and the driver of a device: pocl-opencl-icd");
}

static const struct {
	int32_t code;
	enum ft_status status;
	const char *name;
} codes[] = {
	{-1, FT_EUNAVAIL, "CL_DEVICE_NOT_FOUND"},
	{-2, FT_EUNAVAIL, "CL_DEVICE_NOT_AVAILABLE"},
	{-3, FT_EUNAVAIL, "CL_COMPILER_NOT_AVAILABLE"},
	{-4, FT_ENOMEM, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
	{-5, FT_EIO, "CL_OUT_OF_RESOURCES"},
	{-6, FT_ENOMEM, "CL_OUT_OF_HOST_MEMORY"},
	{-7, FT_EUNAVAIL, "CL_PROFILING_INFO_NOT_AVAILABLE"},
	{-11, FT_EPARSE, "CL_BUILD_PROGRAM_FAILURE"},
	{-14, FT_EIO, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
	{-19, FT_EUNAVAIL, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"},
	{-33, FT_EUNAVAIL, "CL_INVALID_DEVICE"},
	{-43, FT_EINVAL, "CL_INVALID_BUILD_OPTIONS"},
	{-45, FT_EINVAL, "CL_INVALID_PROGRAM_EXECUTABLE"},
	{-46, FT_ENOENT, "CL_INVALID_KERNEL_NAME"},
	{-51, FT_EINVAL, "CL_INVALID_ARG_SIZE"},
	{-52, FT_EINVAL, "CL_INVALID_KERNEL_ARGS"},
	{-54, FT_EINVAL, "CL_INVALID_WORK_GROUP_SIZE"},
	{-55, FT_EINVAL, "CL_INVALID_WORK_ITEM_SIZE"},
	{-61, FT_EINVAL, "CL_INVALID_BUFFER_SIZE"},
	{-63, FT_EINVAL, "CL_INVALID_GLOBAL_WORK_SIZE"},
};

/* opencl_fail - an error code in words: "clSetKernelArg failed: CL_INVALID_ARG_SIZE (-51)". Returns the
 * matching status. */
static enum ft_status opencl_fail(struct ft_err *err, int32_t code, const char *what)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].code == code)
			return ft_fail(err, codes[i].status, "%s failed: %s (%d)", what, codes[i].name,
				       (int)code);
	return ft_fail(err, FT_EIO, "%s failed with code %d of OpenCL", what, (int)code);
}

/*
 * A device, and a kernel compiled for it.
 */

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

/* The first line of the compiler's output that contains error, else the first line. */
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

static enum ft_status build_program(struct ft__execution *x, const struct ft_kernel_source *source,
				    double *seconds, struct ft_err *err)
{
	char *text = NULL, *flags = NULL;
	size_t length = 0;
	int32_t code = 0;
	enum ft_status status = read_source(source->path, &text, &length, err);

	if (!status) {
		struct ft_text joined = {0};

		ft_text_add(&joined, "-cl-kernel-arg-info");
		for (size_t i = 0; i < source->n_flags; i++)
			ft_text_add(&joined, " %s", source->flag[i]);
		flags = ft_text_take(&joined);
		status = flags ? FT_OK : ft_nomem(err);
	}
	int64_t from = ft_clock_ns();
	if (!status)
		x->program =
			x->cl.CreateProgramWithSource(x->context, 1, (const char **)&text, &length, &code);
	if (!status && !x->program)
		status = opencl_fail(err, code, "clCreateProgramWithSource");
	if (!status && (code = x->cl.BuildProgram(x->program, 1, &x->device, flags, NULL, NULL)))
		status = code == FT__CL_BUILD_FAILED ? complain_of_source(x, source->path, err)
						     : opencl_fail(err, code, "clBuildProgram");
	*seconds = 1e-9 * (double)(ft_clock_ns() - from);
	ft_free(text);
	ft_free(flags);
	return status;
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
		if (!code && n != 1) {
			if (!n)
				return ft_fail(err, FT_ENOENT, "'%s' has no kernel", source->path);
			(void)ft_fail(err, FT_EINVAL, "'%s' has %u kernels: which one?", source->path, n);
			return ft_remedy(err, "name it with --kernel");
		}
		if (!code)
			code = x->cl.CreateKernelsInProgram(x->program, 1, &x->kernel, NULL);
	}
	if (!x->kernel)
		return opencl_fail(err, code, "clCreateKernel");
	(void)x->cl.GetKernelInfo(x->kernel, FT__CL_KERNEL_NAME, sizeof x->name - 1, x->name, NULL);
	return FT_OK;
}

/* execution_open - the device, its queue, and the compiled kernel. seconds: out, of the compiler. Returns
 * as ft_execute. */
static enum ft_status execution_open(struct ft__execution *x, const struct ft_kernel_source *source,
				     const struct ft_kernel_launch *launch, size_t device, double *seconds,
				     struct ft_err *err)
{
	int32_t code = 0;
	enum ft_status status = opencl_load(&x->cl, err);

	x->launch = launch;
	if (!status)
		status = ft__opencl_find(device, &x->device, err);
	if (status)
		return status;
	x->context = x->cl.CreateContext(NULL, 1, &x->device, NULL, NULL, &code);
	if (x->context)
		x->queue = x->cl.CreateCommandQueue(x->context, x->device, FT__CL_PROFILING, &code);
	if (!x->queue) {
		(void)opencl_fail(err, code, "opening the device");
		(void)ft_remedy(err, "foretime device list shows the devices; another process may use it, or "
				     "it was removed");
		return FT_EUNAVAIL;
	}
	status = build_program(x, source, seconds, err);
	return status ? status : find_kernel(x, source, err);
}

/*
 * Arguments in the device's form: numbers, and buffers that are filled.
 */

enum { WHOLE_MOST = 128 }; /* whole numbers are drawn below it: each type holds them */
static const double bytes_most = 1e12;

/* What stands behind a buffer that holds a file. */
enum { GUARD = 1 << 14, GUARD_BYTE = 0x5a };

static const struct {
	const char *word;
	size_t bytes;
} elements[] = {
#define ELEMENT(NAME, word, bytes) {word, bytes},
	FT_KERNEL_ELEMENT_LIST(ELEMENT)
#undef ELEMENT
};

/* One parameter, as reported by the compiler. */
struct execute_arguments_param {
	char name[FT_KERNEL_NAME], type[FT_KERNEL_NAME];
	uint32_t index, address;
	uint64_t qualifier;
};

static enum ft_status ask_argument(struct ft__execution *x, uint32_t index,
				   struct execute_arguments_param *param, struct ft_err *err)
{
	const struct ft__opencl *cl = &x->cl;

	*param = (struct execute_arguments_param){.index = index};
	int32_t code = cl->GetKernelArgInfo(x->kernel, index, FT__CL_ARGUMENT_NAME, sizeof param->name - 1,
					    param->name, NULL);
	if (!code)
		code = cl->GetKernelArgInfo(x->kernel, index, FT__CL_ARGUMENT_TYPE, sizeof param->type - 1,
					    param->type, NULL);
	if (!code)
		code = cl->GetKernelArgInfo(x->kernel, index, FT__CL_ARGUMENT_ADDRESS, sizeof param->address,
					    &param->address, NULL);
	if (!code)
		code = cl->GetKernelArgInfo(x->kernel, index, FT__CL_ARGUMENT_QUALIFIER,
					    sizeof param->qualifier, &param->qualifier, NULL);
	return code ? opencl_fail(err, code, "clGetKernelArgInfo") : FT_OK;
}

static enum ft_status fail_missing(const struct ft__execution *x, const struct execute_arguments_param *param,
				   const char *shape, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "the argument %s of kernel %s is missing", param->name, x->name);
	return ft_remedy(err, "add it: --arg %s=%s", param->name, shape);
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* A value in the format of a type; 0: an unknown type. */
static size_t encode_value(const char *type, double value, void *out)
{
	static const char *const unsigned_words[] = {"unsigned char", "unsigned short", "unsigned int",
						     "unsigned long"};
	size_t i;

	for (i = 0; i < FT_KERNEL_ELEMENTS && strcmp(elements[i].word, type) != 0; i++)
		;
	for (size_t k = 0; i == FT_KERNEL_ELEMENTS && k < sizeof unsigned_words / sizeof *unsigned_words; k++)
		if (!strcmp(unsigned_words[k], type))
			i = 2 * k + 1;
	if (i == FT_KERNEL_ELEMENTS)
		return 0;
	if (i == FT_KERNEL_DOUBLE) {
		memcpy(out, &value, sizeof value);
	} else if (i == FT_KERNEL_FLOAT) {
		float narrow = (float)value;

		memcpy(out, &narrow, sizeof narrow);
	} else {
		uint64_t bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;

		memcpy(out, &bits, elements[i].bytes); /* the low bytes: this machine, and its devices, are
							  little-endian */
	}
	return elements[i].bytes;
}

static bool is_real(const char *type)
{
	return !strcmp(type, "float") || !strcmp(type, "double");
}

/* ---- buffers ------------------------------------------------------------------------------------------ */

static enum ft_status bytes_of(const struct ft__execution *x, const struct ft_kernel_argument *argument,
			       size_t *bytes, struct ft_err *err)
{
	double count = (double)argument->data_bytes / (double)elements[argument->element].bytes;
	enum ft_status status = FT_OK;

	if (argument->count)
		status = ft__launch_value(x->launch, argument->count, &count, err);
	else if (argument->data)
		count = ceil(count);
	if (status)
		return status;
	if (!(count >= 1) || count != floor(count) ||
	    count * (double)elements[argument->element].bytes > bytes_most)
		return ft_fail(err, FT_EINVAL, "the buffer %s cannot have %g elements", argument->name,
			       count);
	*bytes = (size_t)count * elements[argument->element].bytes;
	if (argument->data && argument->data_bytes > *bytes)
		*bytes = argument->data_bytes;
	return FT_OK;
}

/* execution_guards - behind a launch: FT_EINVAL: the kernel wrote behind the end of a buffer that holds a
 * file. */
static enum ft_status execution_guards(const struct ft__execution *x, struct ft_err *err)
{
	char guard[GUARD];

	for (size_t i = 0; i < x->n; i++) {
		const struct ft__array *place = &x->place[i];
		int32_t code = place->guard
				       ? x->cl.EnqueueReadBuffer(x->queue, place->buffer, 1, place->bytes,
								 place->guard, guard, 0, NULL, NULL)
				       : 0;

		if (code)
			return opencl_fail(err, code, "clEnqueueReadBuffer");
		for (size_t k = 0; k < place->guard; k++) {
			if (guard[k] == GUARD_BYTE)
				continue;
			(void)ft_fail(
				err, FT_EINVAL,
				"the kernel wrote behind the end of the buffer %s: its file has %zu bytes",
				place->name, place->bytes);
			return ft_remedy(err,
					 "take a file that is as long as what the kernel writes, or fewer "
					 "work-items");
		}
	}
	return FT_OK;
}

static void fill_array(struct ft__array *place, const struct ft_kernel_argument *argument, uint64_t seed)
{
	struct ft_random random = {seed + place->index};
	size_t each = elements[place->element].bytes, i;
	const char *word = elements[place->element].word;

	if (argument->data) {
		memcpy(place->host, argument->data, argument->data_bytes);
		return;
	}
	for (i = 0; i < place->bytes; i += each)
		(void)encode_value(word,
				   is_real(word) ? ft_random_uniform(&random)
						 : (double)ft_random_below(&random, WHOLE_MOST),
				   place->host + i);
}

/* most: out, of a buffer of the device; 0: not known. */
static enum ft_status check_room(const struct ft__execution *x, const struct ft__array *place, uint64_t *most,
				 struct ft_err *err)
{
	(void)x->cl.GetDeviceInfo(x->device, FT__CL_DEVICE_BUFFER_MOST, sizeof *most, most, NULL);
	if (!*most || place->bytes <= *most)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the buffer %s has %zu bytes, and the device holds %llu in one",
		      place->name, place->bytes, (unsigned long long)*most);
	return ft_remedy(err, "choose smaller sizes, or another device");
}

static enum ft_status add_buffer(struct ft__execution *x, const struct execute_arguments_param *param,
				 const struct ft_kernel_argument *argument, uint64_t seed, struct ft_err *err)
{
	struct ft__array *place = &x->place[x->n];
	char guard[GUARD];
	uint64_t most = 0;
	int32_t code = 0;

	*place = (struct ft__array){.index = param->index,
				    .element = argument->element,
				    .read = param->address == FT__CL_ADDRESS_GLOBAL &&
					    !(param->qualifier & FT__CL_CONST)};
	(void)snprintf(place->name, sizeof place->name, "%s", param->name);
	x->n++;
	FT_TRY(bytes_of(x, argument, &place->bytes, err));
	FT_TRY(check_room(x, place, &most, err));
	place->host = ft_calloc(place->bytes, 1);
	if (!place->host)
		return ft_nomem(err);
	fill_array(place, argument, seed);
	/* A kernel takes its number of elements from elsewhere, and the file may have less. */
	place->guard = argument->data && place->read && place->bytes + GUARD <= most ? GUARD : 0;
	place->buffer =
		x->cl.CreateBuffer(x->context, FT__CL_READ_WRITE, place->bytes + place->guard, NULL, &code);
	if (!place->buffer)
		return opencl_fail(err, code, "clCreateBuffer");
	memset(guard, GUARD_BYTE, sizeof guard);
	if (place->guard)
		code = x->cl.EnqueueWriteBuffer(x->queue, place->buffer, 1, place->bytes, place->guard, guard,
						0, NULL, NULL);
	if (code)
		return opencl_fail(err, code, "clEnqueueWriteBuffer");
	code = x->cl.SetKernelArg(x->kernel, param->index, sizeof place->buffer, &place->buffer);
	return code ? opencl_fail(err, code, "clSetKernelArg") : FT_OK;
}

static enum ft_status set_local(struct ft__execution *x, const struct execute_arguments_param *param,
				const struct ft_kernel_argument *argument, struct ft_err *err)
{
	size_t bytes = 0;

	if (argument->data)
		return ft_fail(err, FT_EINVAL, "%s lies in local memory, which cannot be filled from a file",
			       param->name);
	FT_TRY(bytes_of(x, argument, &bytes, err));
	x->local_bytes += bytes;
	int32_t code = x->cl.SetKernelArg(x->kernel, param->index, bytes, NULL);
	return code ? opencl_fail(err, code, "clSetKernelArg") : FT_OK;
}

static enum ft_status check_doubles(const struct ft__execution *x, const struct ft_kernel_argument *argument,
				    struct ft_err *err)
{
	uint64_t doubles = 0;

	if (argument->element != FT_KERNEL_DOUBLE)
		return FT_OK;
	if (!x->cl.GetDeviceInfo(x->device, FT__CL_DEVICE_DOUBLES, sizeof doubles, &doubles, NULL) && doubles)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the buffer %s is of doubles, and the device has none", argument->name);
	return ft_remedy(err, "use float, or another device");
}

static enum ft_status set_argument(struct ft__execution *x, uint32_t index, uint64_t seed, struct ft_err *err)
{
	struct execute_arguments_param param;

	FT_TRY(ask_argument(x, index, &param, err));
	const struct ft_kernel_argument *argument = ft__launch_argument(x->launch, param.name);
	if (!strchr(param.type, '*')) {
		char bytes[sizeof(double)];

		if (!argument || isnan(argument->value))
			return fail_missing(x, &param, "VALUE", err);
		if (!is_real(param.type) &&
		    (argument->value != floor(argument->value) || fabs(argument->value) > 9e18))
			return ft_fail(err, FT_EINVAL, "the argument %s is a whole number, not %g",
				       param.name, argument->value);
		size_t length = encode_value(param.type, argument->value, bytes);
		if (!length)
			return ft_fail(err, FT_EINVAL, "the argument %s is of type %s, which cannot be given",
				       param.name, param.type);
		int32_t code = x->cl.SetKernelArg(x->kernel, param.index, length, bytes);
		return code ? opencl_fail(err, code, "clSetKernelArg") : FT_OK;
	}
	if (argument && !argument->count && !argument->data && !isnan(argument->value)) {
		(void)ft_fail(err, FT_EINVAL, "%s is a buffer, not a number", param.name);
		return ft_remedy(err, "give its contents: --arg %s=float[COUNT]", param.name);
	}
	if (!argument || (!argument->count && !argument->data))
		return fail_missing(x, &param, "float[COUNT]", err);
	FT_TRY(check_doubles(x, argument, err));
	return param.address == FT__CL_ADDRESS_LOCAL ? set_local(x, &param, argument, err)
						     : add_buffer(x, &param, argument, seed, err);
}

/* ---- results ------------------------------------------------------------------------------------ */

static double decode_value(enum ft_kernel_element element, const char *bytes)
{
	size_t each = elements[element].bytes;
	bool is_signed = element % 2 == 0;
	uint64_t bits = 0;
	double wide;
	float narrow;

	if (element == FT_KERNEL_DOUBLE) {
		memcpy(&wide, bytes, sizeof wide);
		return wide;
	}
	if (element == FT_KERNEL_FLOAT) {
		memcpy(&narrow, bytes, sizeof narrow);
		return (double)narrow;
	}
	memcpy(&bits, bytes, each);
	if (!is_signed)
		return (double)bits;
	return (double)((int64_t)(bits << (64 - 8 * each)) >> (64 - 8 * each));
}

/* execution_sum - of the contents of a buffer, as in struct ft_execute_sum. */
static double execution_sum(const struct ft__array *place, const char *bytes)
{
	size_t each = elements[place->element].bytes, i;
	struct ft_random random = {1};
	double sum = 0;

	for (i = 0; i + each <= place->bytes; i += each)
		sum += (0.5 + ft_random_uniform(&random)) * decode_value(place->element, bytes + i);
	return sum;
}

/*
 * A launch on a device, timed by its events.
 */

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

/* Check the device's limits against the needs of the kernel. */
static enum ft_status check_group(const struct ft__execution *x, double *local_bytes, struct ft_err *err)
{
	size_t most = 0;
	uint64_t all = 0, used = 0;

	(void)x->cl.GetKernelWorkGroupInfo(x->kernel, x->device, FT__CL_GROUP_MOST, sizeof most, &most, NULL);
	(void)x->cl.GetKernelWorkGroupInfo(x->kernel, x->device, FT__CL_GROUP_LOCAL_BYTES, sizeof used, &used,
					   NULL);
	(void)x->cl.GetDeviceInfo(x->device, FT__CL_DEVICE_LOCAL_BYTES, sizeof all, &all, NULL);
	if (used < x->local_bytes) /* some drivers report the variables alone, others arguments as well */
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

static enum ft_status finish_event(struct ft__execution *x, int32_t code, void *event, const char *what,
				   double *seconds, struct ft_err *err)
{
	if (code)
		return opencl_fail(err, code, what);
	code = x->cl.Finish(x->queue);
	if (code) {
		(void)x->cl.ReleaseEvent(event);
		(void)opencl_fail(err, code, what);
		return ft_remedy(err, "does it reach outside of its buffers? "
				      "OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime "
				      "device run ... shows where");
	}
	/* Seconds between start and end of an event, which is released; events may lack the clock of their device. */
	uint64_t from = 0, to = 0;
	int32_t failed = x->cl.GetEventProfilingInfo(event, FT__CL_EVENT_START, sizeof from, &from, NULL);

	if (!failed)
		failed = x->cl.GetEventProfilingInfo(event, FT__CL_EVENT_END, sizeof to, &to, NULL);
	(void)x->cl.ReleaseEvent(event);
	if (failed)
		return opencl_fail(err, failed, "clGetEventProfilingInfo");
	*seconds += to > from ? 1e-9 * (double)(to - from) : 0;
	return FT_OK;
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

/* All of it once. took: out, seconds of the kernel; NULL: it does not count. */
static enum ft_status execute_once(struct ft__execution *x, struct ft_executed *out, char *const *host,
				   double *took, struct ft_err *err)
{
	double write_s = 0, kernel_s = 0, read_s = 0, cpu_s = ft_clock_process_s(), from = ft_clock_s();
	enum ft_status status = write_all(x, &write_s, err);

	if (!status) {
		void *done = NULL;
		int32_t failed = x->cl.EnqueueNDRangeKernel(x->queue, x->kernel, x->dims, NULL, x->global,
							    x->grouped ? x->local : NULL, 0, NULL, &done);

		status = finish_event(x, failed, done, "the kernel", &kernel_s, err);
	}
	if (!took)
		out->first_s = kernel_s;
	if (!status && took) {
		for (size_t i = 0; i < x->n && !status; i++) {
			struct ft__array *place = &x->place[i];
			void *event = NULL;

			if (!place->read)
				continue;
			int32_t code = x->cl.EnqueueReadBuffer(x->queue, place->buffer, 0, 0, place->bytes,
							       host[i], 0, NULL, &event);
			status = finish_event(x, code, event, "reading a buffer", &read_s, err);
		}
	}
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
		sum->sum = execution_sum(&x->place[i], host[i]);
		out->n_sums++;
	}
	return FT_OK;
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
		status = execution_guards(x, err);
	for (size_t i = 0; i < out->times && !status; i++)
		status = execute_once(x, out, host, &took[i], err);
	if (!status) {
		/* took: [n] sorted on return. */
		size_t n = out->times;
		double squares = 0;

		for (size_t k = 0; k < n; k++)
			squares += (took[k] - out->kernel_s) * (took[k] - out->kernel_s);
		out->kernel_sigma_s = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
		out->kernel_low_s = ft_stats_quantile(took, n, 0.25);
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
	enum ft_status status = execution_open(x, source, launch_of, options->device, &out->build_s, err);
	if (!status)
		status = set_sizes(x, err);
	if (!status) {
		/* Numbers, local memory and filled buffers. */
		uint32_t n = 0;
		int32_t code = x->cl.GetKernelInfo(x->kernel, FT__CL_KERNEL_ARGUMENTS, sizeof n, &n, NULL);
		status = code ? opencl_fail(err, code, "clGetKernelInfo") : FT_OK;
		if (!status && n > FT_KERNEL_PARAMS)
			status = ft_fail(err, FT_EINVAL, "kernel %s has %u arguments, and %d are taken",
					 x->name, n, FT_KERNEL_PARAMS);
		for (uint32_t i = 0; i < n && !status; i++)
			status = set_argument(x, i, options->seed, err);
	}
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
