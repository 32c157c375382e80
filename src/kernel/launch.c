/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - sizes and arguments. */
#include "kernel/launch.h"
#include "foretime/expr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS_MOST = 1 << 16 }; /* of a group: devices have 256 to 1024 */
static const double size_most =
	1e15; /* of a dimension: exact as a double, with all its products below 2^63 */
static const double local_most = 2147483648.0;

const struct ft_kernel_argument *ft__launch_argument(const struct ft_kernel_launch *launch, const char *name)
{
	for (size_t i = 0; i < launch->n; i++)
		if (!strcmp(launch->argument[i].name, name))
			return &launch->argument[i];
	return NULL;
}

enum ft_status ft__launch_value(const struct ft_kernel_launch *launch, const char *text, double *value,
				struct ft_err *err)
{
	const char *name[FT_KERNEL_PARAMS];
	double number[FT_KERNEL_PARAMS];
	struct ft_expr *expr;
	size_t n = 0;

	FT_TRY(ft_expr_new(&expr, text, err));
	for (size_t i = 0; i < launch->n && n < FT_KERNEL_PARAMS; i++)
		if (!isnan(launch->argument[i].value)) {
			name[n] = launch->argument[i].name;
			number[n++] = launch->argument[i].value;
		}
	enum ft_status status = ft_expr_eval(expr, name, number, n, value, err);
	ft_expr_free(expr);
	return status;
}

static enum ft_status read_size(const struct ft_kernel_launch *launch, const char *text, const char *what,
				int64_t *out, struct ft_err *err)
{
	double value;

	FT_TRY(ft__launch_value(launch, text, &value, err));
	if (!(value >= 1) || value > size_most || value != floor(value))
		return ft_fail(err, FT_EINVAL, "%s is no size: %s is %g", what, text, value);
	*out = (int64_t)value;
	return FT_OK;
}

static enum ft_status check_launch(const struct ft__run *run, struct ft_err *err)
{
	double all = 1, items = 1;

	for (int i = 0; i < FT_KERNEL_DIMS; i++) {
		all *= (double)run->global[i];
		items *= (double)run->local[i];
		if (run->global[i] % run->local[i]) {
			(void)ft_fail(err, FT_EINVAL,
				      "groups of %lld work-items do not divide %lld (dimension %d)",
				      (long long)run->local[i], (long long)run->global[i], i + 1);
			(void)ft_remedy(
				err,
				"choose another -l, or a larger -g: a kernel leaves out what is too much "
				"by itself, where it was written so");
			return FT_EINVAL;
		}
	}
	if (items > ITEMS_MOST)
		return ft_fail(err, FT_EINVAL, "groups of %g work-items are more than any device has (%d)",
			       items, ITEMS_MOST);
	if (all > size_most)
		return ft_fail(err, FT_EINVAL, "%g work-items are too many", all);
	return FT_OK;
}

enum ft_status ft__launch_sizes(struct ft__run *run, const struct ft_kernel_launch *launch,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;

	run->dims = 1;
	for (int i = 0; i < FT_KERNEL_DIMS && !status; i++) {
		run->global[i] = run->local[i] = 1;
		if (launch->global[i]) {
			run->dims = i + 1;
			status = read_size(launch, launch->global[i], "the number of work-items",
					   &run->global[i], err);
		}
		if (launch->local[i] && !status)
			status = read_size(launch, launch->local[i], "the number of work-items of a group",
					   &run->local[i], err);
	}
	if (!status)
		status = check_launch(run, err);
	for (int i = 0; i < FT_KERNEL_DIMS && !status; i++)
		run->groups[i] = run->global[i] / run->local[i];
	return status;
}

/* How large the buffer of a parameter is, -1: not known. */
static enum ft_status buffer_size(const struct ft_kernel_launch *launch,
				  const struct ft_kernel_argument *argument, int64_t *bytes,
				  struct ft_err *err)
{
	double value = -1;
	enum ft_status status = FT_OK;

	if (argument && argument->bytes)
		status = ft__launch_value(launch, argument->bytes, &value, err);
	else if (argument && argument->data)
		value = (double)argument->data_bytes;
	if (!status && argument && (value > size_most || value < -1))
		return ft_fail(err, FT_EINVAL, "the buffer %s cannot have %g bytes", argument->name, value);
	*bytes = (int64_t)floor(value);
	return status;
}

static enum ft_status set_pointer(struct ft__run *run, const struct ft_kernel_launch *launch, size_t i,
				  double *local_bytes, struct ft_err *err)
{
	const struct ft_kernel_param *param = &run->kernel->param[i];
	const struct ft_kernel_argument *argument = ft__launch_argument(launch, param->name);
	int64_t bytes = -1;

	FT_TRY(buffer_size(launch, argument, &bytes, err));
	int buffer = ft__memory_add(&run->memory, run->kernel->param_space[i], bytes, param->name);
	if (buffer < 0)
		return ft_nomem(err);
	if (argument && argument->data) {
		run->memory.buffer[buffer].image = argument->data;
		run->memory.buffer[buffer].image_bytes = (int64_t)argument->data_bytes;
	}
	if (param->kind == FT_KERNEL_LOCAL && bytes > 0)
		*local_bytes += (double)bytes;
	run->initial[run->kernel->param_slot[i]] = (struct ft__number){.kind = FT__POINTER, .buffer = buffer};
	return FT_OK;
}

static enum ft_status set_number(struct ft__run *run, const struct ft_kernel_launch *launch, size_t i,
				 struct ft_err *err)
{
	const struct ft_kernel_param *param = &run->kernel->param[i];
	const struct ft_kernel_argument *argument = ft__launch_argument(launch, param->name);
	struct ft__number *slot = &run->initial[run->kernel->param_slot[i]];

	if (!argument || isnan(argument->value)) {
		if (param->kind != FT_KERNEL_WHOLE)
			return FT_OK;
		(void)ft_fail(err, FT_EINVAL, "the argument %s of kernel %s is missing", param->name,
			      run->kernel->name);
		return ft_remedy(err, "add it: %s=VALUE", param->name);
	}
	if (param->kind == FT_KERNEL_REAL) {
		*slot = ft__real(argument->value, param->bits);
		return FT_OK;
	}
	if (argument->value != floor(argument->value) || fabs(argument->value) > 9e18)
		return ft_fail(err, FT_EINVAL, "the argument %s is a whole number, not %g", param->name,
			       argument->value);
	*slot = ft__whole(ft__wrap((int64_t)argument->value, param->bits));
	return FT_OK;
}

static enum ft_status add_variables(struct ft__run *run, double *local_bytes, struct ft_err *err)
{
	const struct ft_kernel *kernel = run->kernel;

	for (size_t i = 0; i < kernel->n_variables; i++) {
		const struct ft__static *variable = &kernel->variable[i];
		int buffer = ft__memory_add(&run->memory, variable->space, variable->size, variable->name);

		if (buffer < 0)
			return ft_nomem(err);
		run->memory.buffer[buffer].image = variable->image;
		run->memory.buffer[buffer].image_bytes = variable->image ? variable->size : 0;
		if (variable->space == FT__LOCAL)
			*local_bytes += (double)variable->size;
	}
	return FT_OK;
}

static enum ft_status add_arrays(struct ft__run *run, struct ft_err *err)
{
	const struct ft_kernel *kernel = run->kernel;

	run->first_alloca = (int)run->memory.n;
	for (size_t i = 0; i < run->n_items; i++)
		for (size_t k = 0; k < kernel->n_allocas; k++)
			if (ft__memory_add(&run->memory, FT__PRIVATE, kernel->alloca_bytes[k],
					   "an array of its own") < 0)
				return ft_nomem(err);
	return FT_OK;
}

enum ft_status ft__launch_buffers(struct ft__run *run, const struct ft_kernel_launch *launch,
				  double *local_bytes, struct ft_err *err)
{
	*local_bytes = 0;
	enum ft_status status = add_variables(run, local_bytes, err);
	for (size_t i = 0; i < run->kernel->n_params && !status; i++) {
		if (run->kernel->param_space[i] >= 0)
			status = set_pointer(run, launch, i, local_bytes, err);
		else if (run->kernel->param[i].kind != FT_KERNEL_ODD)
			status = set_number(run, launch, i, err);
	}
	if (!status && *local_bytes > local_most)
		status = ft_fail(err, FT_EINVAL, "%g bytes of local memory are more than any device has",
				 *local_bytes);
	return status ? status : add_arrays(run, err);
}
