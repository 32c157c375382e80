/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-cards.c - six ways in which programs use the memory of a device: child-cards KIND N [M], through OpenCL.
 *
 *	plain      one buffer of N kB
 *	batch      N times M kB, in one buffer
 *	caching    pieces of 64 kB, N of them, of an allocator that reserves twice as much when it has no more
 *	matrix     the product of two matrices of N x N floats
 *	transfer   N kB are written to one buffer and read from another
 *	moment     N buffers of 256 kB, and half as much again for a moment
 *
 * What is allocated is also written, because some drivers allocate then. Stays for 0.6 s, in which tools that are asked
 * ten times a second see it. Ends with 77 where there is no device. The interface is declared here. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SKIP = 77, KB = 1000, MOST = 1 << 16 };

typedef void *object;

static object device, context, queue;

static void *find(const char *name)
{
	static void *library;

	if (!library)
		library = dlopen("libOpenCL.so.1", RTLD_NOW);
	void *found = library ? dlsym(library, name) : NULL;
	if (!found)
		_exit(SKIP);
	return found;
}

/* A function by its name, called with these types. */
#define CALL(returns, name, types) ((returns(*) types)(uintptr_t)find(name))

static void check(int32_t code)
{
	if (!code)
		return;
	fprintf(stderr, "child-cards: OpenCL's error %d\n", (int)code);
	exit(1);
}

static void make_context(void)
{
	object platform;
	int32_t code;

	if (CALL(int32_t, "clGetPlatformIDs", (uint32_t, object *, uint32_t *))(1, &platform, NULL) ||
	    CALL(int32_t, "clGetDeviceIDs",
		 (object, uint64_t, uint32_t, object *, uint32_t *))(platform, 0xFFFFFFFF, 1, &device, NULL))
		exit(SKIP);
	context = CALL(object, "clCreateContext",
		       (const intptr_t *, uint32_t, const object *, void *, void *, int32_t *))(
		NULL, 1, &device, NULL, NULL, &code);
	check(code);
	queue = CALL(object, "clCreateCommandQueue", (object, object, uint64_t, int32_t *))(context, device,
											    0, &code);
	check(code);
}

static object make(size_t bytes)
{
	const uint32_t zero = 0;
	int32_t code;
	object buffer = CALL(object, "clCreateBuffer",
			     (object, uint64_t, size_t, void *, int32_t *))(context, 1, bytes, NULL, &code);

	check(code);
	check(CALL(int32_t, "clEnqueueFillBuffer",
		   (object, object, const void *, size_t, size_t, size_t, uint32_t, const object *,
		    object *))(queue, buffer, &zero, sizeof zero, 0, bytes / 4 * 4, 0, NULL, NULL));
	return buffer;
}

static void finish(void)
{
	check(CALL(int32_t, "clFinish", (object))(queue));
}

static void drop(object buffer)
{
	finish();
	check(CALL(int32_t, "clReleaseMemObject", (object))(buffer));
}

static void multiply(size_t n)
{
	static const char *source =
		"__kernel void multiply(__global const float *a, __global const float *b, __global float *c, "
		"int n)\n"
		"{\n"
		"	int i = get_global_id(0);\n"
		"	for (int j = 0; j < 4; j++) {\n" /* some of it: the memory matters here */
		"		float sum = 0;\n"
		"		for (int k = 0; k < n; k++)\n"
		"			sum += a[i * n + k] * b[k * n + j];\n"
		"		c[i * n + j] = sum;\n"
		"	}\n"
		"}\n";
	object buffer[3];
	int32_t code, size = (int32_t)n;
	object program = CALL(object, "clCreateProgramWithSource",
			      (object, uint32_t, const char **, const size_t *, int32_t *))(
		context, 1, &source, NULL, &code);

	check(code);
	check(CALL(int32_t, "clBuildProgram",
		   (object, uint32_t, const object *, const char *, void *, void *))(program, 1, &device, "",
										     NULL, NULL));
	object kernel =
		CALL(object, "clCreateKernel", (object, const char *, int32_t *))(program, "multiply", &code);
	check(code);
	for (uint32_t i = 0; i < 3; i++) {
		buffer[i] = make(n * n * sizeof(float));
		check(CALL(int32_t, "clSetKernelArg", (object, uint32_t, size_t, const void *))(
			kernel, i, sizeof buffer[i], &buffer[i]));
	}
	check(CALL(int32_t, "clSetKernelArg", (object, uint32_t, size_t, const void *))(kernel, 3,
											sizeof size, &size));
	check(CALL(int32_t, "clEnqueueNDRangeKernel",
		   (object, object, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,
		    const object *, object *))(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
	finish();
}

static void transfer(size_t bytes)
{
	char *data = calloc(1, bytes);
	object to = make(bytes), from = make(bytes);

	if (!data)
		exit(1);
	check(CALL(int32_t, "clEnqueueWriteBuffer",
		   (object, object, uint32_t, size_t, size_t, const void *, uint32_t, const object *,
		    object *))(queue, to, 1, 0, bytes, data, 0, NULL, NULL));
	check(CALL(int32_t, "clEnqueueReadBuffer",
		   (object, object, uint32_t, size_t, size_t, void *, uint32_t, const object *, object *))(
		queue, from, 1, 0, bytes, data, 0, NULL, NULL));
	free(data);
}

int main(int argc, char **argv)
{
	static object held[MOST];
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0, m = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	const char *kind = argc > 1 ? argv[1] : "";

	if (!n || !m || n > 100 * (size_t)MOST)
		return 2;
	make_context();
	if (!strcmp(kind, "plain") || !strcmp(kind, "batch")) {
		(void)make(n * m * KB);
	} else if (!strcmp(kind, "caching")) {
		size_t reserved = 0;

		while (reserved < n * 64 * KB) {
			size_t more = reserved ? reserved : 256 * KB;

			(void)make(more);
			reserved += more;
		}
	} else if (!strcmp(kind, "matrix")) {
		multiply(n);
	} else if (!strcmp(kind, "transfer")) {
		transfer(n * KB);
	} else if (!strcmp(kind, "moment") && n <= MOST / 2) {
		for (size_t i = 0; i < n + n / 2; i++)
			held[i] = make(256 * KB);
		for (size_t i = n; i < n + n / 2; i++)
			drop(held[i]);
	} else {
		return 2;
	}
	finish();
	(void)nanosleep(&(struct timespec){0, 600000000}, NULL);
	return 0;
}
