/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.c - compiles and loads a kernel from its source. */
#include "base/alloc.h"
#include "base/command.h"
#include "base/text.h"
#include "foretime/base.h"
#include "kernel/kernel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FT__SPIR_KERNEL = 76 };

/*
 * Run clang, and report its errors.
 */

/* What a compiler may take: macros can be made to grow without end. An ordinary kernel takes 0.05 s and 60
 * MB. */
enum { SECONDS_MOST = 60, CODE_MOST = 64 << 20 };
static const long long memory_most = 4LL << 30;

enum { FLAGS_MOST = 64, OLDEST = 11, NEWEST = 30, COMMAND_MOST = 4096 };

/* Code for the interpreter: loops stay loops, functions are inlined, names and lines are kept. */
static const char *const flags[] = {
	"-x",
	"cl",
	"-cl-std=CL1.2",
	"-target",
	"spir64-unknown-unknown",
	"-Xclang",
	"-finclude-default-header",
	"-O1",
	"-fno-unroll-loops",
	"-finline-functions",
	"-mllvm",
	"-inline-threshold=100000",
	"-fno-discard-value-names",
	"-gline-tables-only",
	"-fno-color-diagnostics",
	"-fno-caret-diagnostics",
	"-ferror-limit=3",
	"-emit-llvm",
	"-c",
	"-o",
	"-",
};

/* The version of a compiler of that name, 0: there is none. */
static int version_of(const char *name)
{
	const char *const argv[] = {name, "--version", NULL};
	struct ft__command clang = {
		.argv = argv, .limit_s = SECONDS_MOST, .memory_bytes = memory_most, .cpu_s = SECONDS_MOST};
	int found = 0;

	(void)ft__command_run(&clang, NULL);
	const char *at = clang.text ? strstr(clang.text, "clang version ") : NULL;
	if (at)
		found = (int)strtol(at + strlen("clang version "), NULL, 10);
	ft__command_clear(&clang);
	return found;
}

/* A compiler whose library is available, too. */
static enum ft_status choose_compiler(const char *requested, char name[COMMAND_MOST], struct ft__llvm *llvm,
				      int *compiler, struct ft_err *err)
{
	int found = 0, last = 0;

	for (int i = NEWEST + 1; i >= OLDEST; i--) {
		if (i > NEWEST)
			(void)snprintf(name, COMMAND_MOST, "%s", requested ? requested : "clang");
		else
			(void)snprintf(name, COMMAND_MOST, "clang-%d", i);
		found = version_of(name);
		*compiler = found;
		last = found ? found : last;
		if (found && !ft__llvm_load(llvm, found, err))
			return FT_OK;
		if (requested)
			break;
	}
	if (last)
		return ft__llvm_load(llvm, last, err);
	(void)ft_fail(err, FT_EUNAVAIL, "cannot start %s, which compiles kernels",
		      requested ? requested : "clang");
	(void)ft_remedy(err, "apt install clang, or name a compiler with --flags clang=NAME");
	return FT_EUNAVAIL;
}

/* The compiler's own words: its first line that contains error, else the last line. */
static enum ft_status complain_of_source(const struct ft__command *clang, const char *path,
					 struct ft_err *err)
{
	char line[400] = "";
	const char *text = clang->words;

	if (clang->late)
		return ft_fail(err, FT_EPARSE, "clang took more than %d s for '%s', and was ended",
			       SECONDS_MOST, path);
	if (clang->much)
		return ft_fail(err, FT_EPARSE, "clang makes more of '%s' than %d MiB", path, CODE_MOST >> 20);
	const char *at = strstr(text, "error: ");
	while (at && at > text && at[-1] != '\n')
		at--;
	if (!at)
		at = text;
	(void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	if (!*line && clang->signal)
		(void)snprintf(line, sizeof line, "it was ended by signal %d", clang->signal);
	(void)ft_fail(err, FT_EPARSE, "clang does not compile '%.100s': %s", path,
		      *line ? line : "it gives no reason");
	(void)ft_remedy(
		err, "what a host program hands to the compiler is needed here, too: --flags '-DNAME=VALUE'");
	return FT_EPARSE;
}

/* kernel_compile - the bitcode of a file, and the library that reads it.
 *
 * bytes  heap, [*length], ends with ft_free; NULL on failure
 * compiler  out: its version
 *
 * Returns as ft_kernel_open.
 */
static enum ft_status kernel_compile(const struct ft_kernel_source *source, char **bytes, size_t *length,
				     struct ft__llvm *llvm, int *compiler, struct ft_err *err)
{
	const char *argv[FLAGS_MOST + sizeof flags / sizeof *flags + 4];
	char name[COMMAND_MOST];
	struct ft__command clang = {.argv = argv,
				    .limit_s = SECONDS_MOST,
				    .most_bytes = CODE_MOST,
				    .memory_bytes = memory_most,
				    .cpu_s = SECONDS_MOST};
	size_t n = 0;

	*bytes = NULL;
	*length = 0;
	if (access(source->path, R_OK) != 0)
		return ft_fail_errno(err, errno, "cannot read '%s'", source->path);
	if (source->n_flags > FLAGS_MOST)
		return ft_fail(err, FT_EINVAL, "more than %d flags for the compiler", FLAGS_MOST);
	FT_TRY(choose_compiler(source->clang, name, llvm, compiler, err));
	argv[n++] = name;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		argv[n++] = flags[i];
	for (size_t i = 0; i < source->n_flags; i++)
		argv[n++] = source->flag[i];
	argv[n++] = "--";
	argv[n++] = source->path;
	argv[n] = NULL;
	enum ft_status status = ft__command_run(&clang, err);
	if (!clang.number && status != FT_ENOMEM && (status || !clang.length))
		status = complain_of_source(&clang, source->path, err);
	if (!status) {
		*length = clang.length;
		*bytes = clang.text;
		clang.text = NULL;
	}
	ft__command_clear(&clang);
	return status;
}

/*
 * Sizes and arguments.
 */

enum { ITEMS_MOST = 1 << 16 }; /* of a group: devices have 256 to 1024 */
/* Of a dimension: exact as a double, with all its products below 2^63. */
static const double size_most = 1e15;
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

static enum ft_status set_pointer(struct ft__run *run, const struct ft_kernel_launch *launch, size_t i,
				  double *local_bytes, struct ft_err *err)
{
	const struct ft_kernel_param *param = &run->kernel->param[i];
	const struct ft_kernel_argument *argument = ft__launch_argument(launch, param->name);
	double value = -1; /* its size, where that is known */

	if (argument && argument->bytes)
		FT_TRY(ft__launch_value(launch, argument->bytes, &value, err));
	else if (argument && argument->data)
		value = (double)argument->data_bytes;
	if (argument && (value > size_most || value < -1))
		return ft_fail(err, FT_EINVAL, "the buffer %s cannot have %g bytes", argument->name, value);
	int64_t bytes = (int64_t)floor(value);
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

/*
 * Compiles and loads a kernel from its source.
 */

/* Replaces LLVM's handler, which would print and end the process: errors are reported by the status of its
   functions. */
static void hear_nothing(void *what, void *with)
{
	(void)what;
	(void)with;
}

static bool is_kernel(const struct ft__llvm *llvm, void *function)
{
	return llvm->GetFunctionCallConv(function) == FT__SPIR_KERNEL && llvm->CountBasicBlocks(function) > 0;
}

/* The kernels of a module: their names, with a blank between them, and how many there are. */
static size_t list_kernels(const struct ft__llvm *llvm, void *module, struct ft_text *names)
{
	size_t n = 0, length;

	for (void *at = llvm->GetFirstFunction(module); at; at = llvm->GetNextFunction(at))
		if (is_kernel(llvm, at)) {
			ft_text_add(names, "%s%s", n ? " " : "", llvm->GetValueName2(at, &length));
			n++;
		}
	return n;
}

static enum ft_status find_kernel(const struct ft__llvm *llvm, void *module,
				  const struct ft_kernel_source *source, void **function, struct ft_err *err)
{
	struct ft_text names = {0};
	size_t n = list_kernels(llvm, module, &names), length;

	*function = NULL;
	for (void *at = llvm->GetFirstFunction(module); at && !*function; at = llvm->GetNextFunction(at))
		if (is_kernel(llvm, at) &&
		    (source->kernel ? !strcmp(llvm->GetValueName2(at, &length), source->kernel) : n == 1))
			*function = at;
	if (!*function && !n) {
		(void)ft_fail(err, FT_ENOENT, "there is no kernel in '%s'", source->path);
	} else if (!*function) {
		if (source->kernel)
			(void)ft_fail(err, FT_ENOENT, "there is no kernel %s in '%s'", source->kernel,
				      source->path);
		else
			(void)ft_fail(err, FT_ENOENT, "there are %zu kernels in '%s'", n, source->path);
		(void)ft_remedy(err, "choose with --kernel K: %s", names.s ? names.s : "");
	}
	ft_text_clear(&names);
	return *function ? FT_OK : FT_ENOENT;
}

/* Functions that are called and missing: the compiler inlined all others. */
static enum ft_status read_module(struct ft_kernel *kernel, const struct ft__llvm *llvm, void *module,
				  const struct ft_kernel_source *source, struct ft_err *err)
{
	struct ft__decoding decoder = {.llvm = llvm, .kernel = kernel};
	void *function;
	size_t length;

	FT_TRY(find_kernel(llvm, module, source, &function, err));
	(void)snprintf(kernel->name, sizeof kernel->name, "%s", llvm->GetValueName2(function, &length));
	decoder.target = llvm->CreateTargetData(llvm->GetDataLayoutStr(module));
	enum ft_status status = ft__kernel_decode(&decoder, function, err);
	llvm->DisposeTargetData(decoder.target);
	ft__kernel_decoder_clear(&decoder);
	return status;
}

static enum ft_status read_code(struct ft_kernel *kernel, const struct ft__llvm *llvm,
				const struct ft_kernel_source *source, struct ft_err *err)
{
	void *context = llvm->ContextCreate(), *module = NULL, *buffer;
	enum ft_status status;

	llvm->ContextSetDiagnosticHandler(context, hear_nothing, NULL);
	buffer = llvm->CreateMemoryBufferWithMemoryRangeCopy(kernel->bytes, kernel->length, "kernel");
	if (llvm->ParseBitcodeInContext2(context, buffer, &module) || !module)
		status = ft_fail(err, FT_EPARSE, "libLLVM cannot read what clang made of '%s'", source->path);
	else
		status = read_module(kernel, llvm, module, source, err);
	if (module)
		llvm->DisposeModule(module);
	llvm->DisposeMemoryBuffer(buffer);
	llvm->ContextDispose(context);
	return status;
}

enum ft_status ft_kernel_open(struct ft_kernel **out, const struct ft_kernel_source *source,
			      struct ft_err *err)
{
	struct ft_kernel *kernel = ft_calloc(1, sizeof *kernel);
	struct ft__llvm llvm;

	*out = NULL;
	if (!kernel)
		return ft_nomem(err);
	enum ft_status status =
		kernel_compile(source, &kernel->bytes, &kernel->length, &llvm, &kernel->compiler, err);
	if (!status)
		status = read_code(kernel, &llvm, source, err);
	if (status)
		ft_kernel_close(kernel);
	else
		*out = kernel;
	return status;
}

void ft_kernel_close(struct ft_kernel *kernel)
{
	if (!kernel)
		return;
	for (size_t i = 0; i < kernel->n_ops; i++) {
		ft_free(kernel->op[i].slot);
		ft_free(kernel->op[i].extra);
	}
	for (size_t i = 0; i < kernel->n_variables; i++)
		ft_free(kernel->variable[i].image);
	ft_free(kernel->op);
	ft_free(kernel->block);
	ft_free(kernel->reach);
	ft_free(kernel->initial);
	ft_free(kernel->variable);
	ft_free(kernel->alloca_bytes);
	ft_free(kernel->called);
	ft_free(kernel->bytes);
	ft_free(kernel);
}

const char *ft_kernel_name(const struct ft_kernel *kernel)
{
	return kernel->name;
}

int ft_kernel_compiler(const struct ft_kernel *kernel)
{
	return kernel->compiler;
}

const struct ft_kernel_param *ft_kernel_params(const struct ft_kernel *kernel, size_t *n)
{
	*n = kernel->n_params;
	return kernel->param;
}

const char *ft_kernel_code(const struct ft_kernel *kernel, size_t *length)
{
	*length = kernel->length;
	return kernel->bytes;
}
