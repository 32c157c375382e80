/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl.h - the interface of OpenCL, as far as a launch needs it: its loader is no part of us, and its
 * headers need not be there. Source: Khronos, The OpenCL Specification 3.0, chapters 4 and 5; the numbers are
 * of its header cl.h. */
#ifndef FT_KERNEL_OPENCL_H
#define FT_KERNEL_OPENCL_H

#include "foretime/execute.h"

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

/* X(RETURNS, name, ARGUMENTS) - each is loaded as clName. */
/* clang-format off */
#define FT__CL_LIST(X) \
	X(int32_t, GetDeviceInfo, (void *device, uint32_t what, size_t most, void *value, size_t *bytes)) \
	X(void *, CreateContext, (const intptr_t *, uint32_t n, void *const *device, void *, void *, int32_t *code)) \
	X(void *, CreateCommandQueue, (void *context, void *device, uint64_t flags, int32_t *code)) \
	X(void *, CreateProgramWithSource, (void *context, uint32_t n, const char **text, const size_t *bytes, \
					    int32_t *code)) \
	X(int32_t, BuildProgram, (void *program, uint32_t n, void *const *device, const char *flags, void *, void *)) \
	X(int32_t, GetProgramBuildInfo, (void *program, void *device, uint32_t what, size_t most, void *value, \
					 size_t *bytes)) \
	X(void *, CreateKernel, (void *program, const char *name, int32_t *code)) \
	X(int32_t, CreateKernelsInProgram, (void *program, uint32_t most, void **kernel, uint32_t *n)) \
	X(int32_t, GetKernelInfo, (void *kernel, uint32_t what, size_t most, void *value, size_t *bytes)) \
	X(int32_t, GetKernelArgInfo, (void *kernel, uint32_t index, uint32_t what, size_t most, void *value, \
				      size_t *bytes)) \
	X(int32_t, GetKernelWorkGroupInfo, (void *kernel, void *device, uint32_t what, size_t most, void *value, \
					    size_t *bytes)) \
	X(void *, CreateBuffer, (void *context, uint64_t flags, size_t bytes, void *, int32_t *code)) \
	X(int32_t, SetKernelArg, (void *kernel, uint32_t index, size_t bytes, const void *value)) \
	X(int32_t, EnqueueWriteBuffer, (void *queue, void *buffer, uint32_t wait, size_t at, size_t bytes, \
					const void *from, uint32_t n, void *const *after, void **event)) \
	X(int32_t, EnqueueReadBuffer, (void *queue, void *buffer, uint32_t wait, size_t at, size_t bytes, void *to, \
				       uint32_t n, void *const *after, void **event)) \
	X(int32_t, EnqueueNDRangeKernel, (void *queue, void *kernel, uint32_t dims, const size_t *offset, \
					  const size_t *global, const size_t *local, uint32_t n, \
					  void *const *after, void **event)) \
	X(int32_t, Finish, (void *queue)) \
	X(int32_t, GetEventProfilingInfo, (void *event, uint32_t what, size_t most, void *value, size_t *bytes)) \
	X(int32_t, ReleaseEvent, (void *event)) \
	X(int32_t, ReleaseMemObject, (void *buffer)) \
	X(int32_t, ReleaseKernel, (void *kernel)) \
	X(int32_t, ReleaseProgram, (void *program)) \
	X(int32_t, ReleaseCommandQueue, (void *queue)) \
	X(int32_t, ReleaseContext, (void *context))
/* clang-format on */

struct ft__opencl {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): of a declaration */
#define FT__CL_MEMBER(returns, name, arguments) returns(*name) arguments;
	FT__CL_LIST(FT__CL_MEMBER)
#undef FT__CL_MEMBER
};

/* ft__opencl_load - FT_OK; FT_EUNAVAIL: the loader is not there, or older than OpenCL 1.2. */
enum ft_status ft__opencl_load(struct ft__opencl *cl, struct ft_err *err);

/* ft__opencl_fail - what a code says: "clSetKernelArg failed: CL_INVALID_ARG_SIZE (-51)". Returns the status
 * that suits it. */
enum ft_status ft__opencl_fail(struct ft_err *err, int32_t code, const char *what);

#endif
