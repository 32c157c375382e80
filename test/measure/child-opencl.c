/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-opencl.c - allocates through OpenCL, step by step: "b64" a buffer of 64 MiB, "i" an image of 4 MiB, "s8" 8 MiB of
 * shared virtual memory, "r" releases the newest object, "f" frees the shared memory, "p" starts the steps that follow in
 * a second process, once the first has made its own, "k" ends without releasing anything, by a signal.
 *
 * Ends with 77 where there is no device. The interface is declared here: no header of OpenCL is needed. */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OBJECTS = 64, SKIP = 77, MIB = 1 << 20 };

typedef void *object;

static object context, made[OBJECTS], shared;
static int n_made;

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

static void make_context(void)
{
	object platform, device;
	int32_t code;

	if (CALL(int32_t, "clGetPlatformIDs", (uint32_t, object *, uint32_t *))(1, &platform, NULL) ||
	    CALL(int32_t, "clGetDeviceIDs",
		 (object, uint64_t, uint32_t, object *, uint32_t *))(platform, 0xFFFFFFFF, 1, &device, NULL))
		_exit(SKIP);
	context = CALL(object, "clCreateContext",
		       (const intptr_t *, uint32_t, const object *, void *, void *, int32_t *))(
		NULL, 1, &device, NULL, NULL, &code);
	if (!context)
		_exit(SKIP);
}

static void keep(object one)
{
	if (!one || n_made == OBJECTS)
		_exit(1);
	made[n_made++] = one;
}

static void step(const char *word)
{
	const uint32_t format[2] = {0x10B5, 0x10DA}; /* RGBA of bytes */
	const struct {
		uint32_t type;
		size_t width, height, rest[5];
		uint32_t levels[2];
		object memory;
	} plane = {0x10F1, 1024, 1024, {0}, {0}, NULL};
	size_t mib = (size_t)atoi(word + 1);
	int32_t code;

	switch (*word) {
	case 'b':
		keep(CALL(object, "clCreateBuffer",
			  (object, uint64_t, size_t, void *, int32_t *))(context, 1, mib * MIB, NULL, &code));
		break;
	case 'i':
		keep(CALL(object, "clCreateImage",
			  (object, uint64_t, const void *, const void *, void *, int32_t *))(
			context, 1, format, &plane, NULL, &code));
		break;
	case 's':
		shared = CALL(object, "clSVMAlloc", (object, uint64_t, size_t, uint32_t))(context, 1,
											  mib * MIB, 0);
		if (!shared)
			_exit(1);
		break;
	case 'f':
		CALL(void, "clSVMFree", (object, object))(context, shared);
		break;
	case 'r':
		(void)CALL(int32_t, "clReleaseMemObject", (object))(made[--n_made]);
		break;
	default:
		(void)raise(SIGKILL);
	}
}

int main(int argc, char **argv)
{
	int at = 1, status = 0, turn[2] = {-1, -1};
	pid_t child = 0;
	char byte;

	for (int i = 1; i < argc && !child; i++)
		if (*argv[i] == 'p' && !pipe(turn)) {
			/* Before any call: a library of OpenCL does not outlive a fork. */
			child = fork();
			at = child ? at : i + 1;
			argc = child ? i : argc;
			(void)close(turn[child ? 0 : 1]);
		}
	make_context();
	if (turn[0] >= 0 && !child)
		(void)!read(turn[0], &byte, 1); /* ends when the first process has made all */
	for (; at < argc; at++)
		step(argv[at]);
	if (child > 0) {
		(void)close(turn[1]);
		(void)waitpid(child, &status, 0);
	}
	return WEXITSTATUS(status);
}
