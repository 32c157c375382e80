/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute_arguments.c - arguments as the device takes them: numbers, and buffers that are filled. */
#include "base/alloc.h"
#include "base/random.h"
#include "kernel/execute.h"
#include "kernel/launch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* One parameter, as the compiler tells it. */
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
	return code ? ft__opencl_fail(err, code, "clGetKernelArgInfo") : FT_OK;
}

static enum ft_status fail_missing(const struct ft__execution *x, const struct execute_arguments_param *param,
				   const char *shape, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "the argument %s of kernel %s is missing", param->name, x->name);
	return ft_remedy(err, "add it: --arg %s=%s", param->name, shape);
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* A value as a type has it; 0: it is none of those that are known. */
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

static enum ft_status set_number(struct ft__execution *x, const struct execute_arguments_param *param,
				 struct ft_err *err)
{
	const struct ft_kernel_argument *argument = ft__launch_argument(x->launch, param->name);
	char bytes[sizeof(double)];

	if (!argument || isnan(argument->value))
		return fail_missing(x, param, "VALUE", err);
	if (!is_real(param->type) &&
	    (argument->value != floor(argument->value) || fabs(argument->value) > 9e18))
		return ft_fail(err, FT_EINVAL, "the argument %s is a whole number, not %g", param->name,
			       argument->value);
	size_t length = encode_value(param->type, argument->value, bytes);
	if (!length)
		return ft_fail(err, FT_EINVAL, "the argument %s is of type %s, which cannot be given",
			       param->name, param->type);
	int32_t code = x->cl.SetKernelArg(x->kernel, param->index, length, bytes);
	return code ? ft__opencl_fail(err, code, "clSetKernelArg") : FT_OK;
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

enum ft_status ft__execution_guards(const struct ft__execution *x, struct ft_err *err)
{
	char guard[GUARD];

	for (size_t i = 0; i < x->n; i++) {
		const struct ft__array *place = &x->place[i];
		int32_t code = place->guard
				       ? x->cl.EnqueueReadBuffer(x->queue, place->buffer, 1, place->bytes,
								 place->guard, guard, 0, NULL, NULL)
				       : 0;

		if (code)
			return ft__opencl_fail(err, code, "clEnqueueReadBuffer");
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
		return ft__opencl_fail(err, code, "clCreateBuffer");
	memset(guard, GUARD_BYTE, sizeof guard);
	if (place->guard)
		code = x->cl.EnqueueWriteBuffer(x->queue, place->buffer, 1, place->bytes, place->guard, guard,
						0, NULL, NULL);
	if (code)
		return ft__opencl_fail(err, code, "clEnqueueWriteBuffer");
	code = x->cl.SetKernelArg(x->kernel, param->index, sizeof place->buffer, &place->buffer);
	return code ? ft__opencl_fail(err, code, "clSetKernelArg") : FT_OK;
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
	return code ? ft__opencl_fail(err, code, "clSetKernelArg") : FT_OK;
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
	if (!strchr(param.type, '*'))
		return set_number(x, &param, err);
	if (argument && !argument->count && !argument->data && !isnan(argument->value)) {
		(void)ft_fail(err, FT_EINVAL, "%s is a buffer, not a number", param.name);
		return ft_remedy(err, "give its contents: --arg %s=float[COUNT]", param.name);
	}
	if (!argument || (!argument->count && !argument->data))
		return fail_missing(x, &param, "float[COUNT]", err);
	enum ft_status status = check_doubles(x, argument, err);
	if (status)
		return status;
	return param.address == FT__CL_ADDRESS_LOCAL ? set_local(x, &param, argument, err)
						     : add_buffer(x, &param, argument, seed, err);
}

enum ft_status ft__execution_arguments(struct ft__execution *x, uint64_t seed, struct ft_err *err)
{
	uint32_t n = 0;
	int32_t code = x->cl.GetKernelInfo(x->kernel, FT__CL_KERNEL_ARGUMENTS, sizeof n, &n, NULL);
	enum ft_status status = code ? ft__opencl_fail(err, code, "clGetKernelInfo") : FT_OK;

	if (!status && n > FT_KERNEL_PARAMS)
		status = ft_fail(err, FT_EINVAL, "kernel %s has %u arguments, and %d are taken", x->name, n,
				 FT_KERNEL_PARAMS);
	for (uint32_t i = 0; i < n && !status; i++)
		status = set_argument(x, i, seed, err);
	return status;
}

/* ---- what came out ------------------------------------------------------------------------------------ */

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

double ft__execution_sum(const struct ft__array *place, const char *bytes)
{
	size_t each = elements[place->element].bytes, i;
	struct ft_random random = {1};
	double sum = 0;

	for (i = 0; i + each <= place->bytes; i += each)
		sum += (0.5 + ft_random_uniform(&random)) * decode_value(place->element, bytes + i);
	return sum;
}
