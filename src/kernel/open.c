/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.c - a kernel, from its source on. */
#include "base/alloc.h"
#include "base/text.h"
#include "kernel/code.h"
#include "kernel/compile.h"

#include <stdio.h>
#include <string.h>

/* What LLVM would print, and end the process: it is told by the status of its functions. */
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

/* Functions that are called and not there: the compiler put all others where they are called. */
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
		ft__kernel_compile(source, &kernel->bytes, &kernel->length, &llvm, &kernel->compiler, err);
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
