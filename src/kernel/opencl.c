/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl.c - the loader of OpenCL, and its codes in words. */
#include "kernel/opencl.h"
#include "base/library.h"

enum ft_status ft__opencl_load(struct ft__opencl *cl, struct ft_err *err)
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

enum ft_status ft__opencl_fail(struct ft_err *err, int32_t code, const char *what)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].code == code)
			return ft_fail(err, codes[i].status, "%s failed: %s (%d)", what, codes[i].name,
				       (int)code);
	return ft_fail(err, FT_EIO, "%s failed with code %d of OpenCL", what, (int)code);
}
