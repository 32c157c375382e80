/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opencl_layer.c - foretime-opencl.so: a layer of the OpenCL loader that counts what a program allocates.
 *
 * The loader opens the library that OPENCL_LAYERS names and passes every call through its table: ours takes the
 * calls that make buffers, images, pipes and shared virtual memory, and a callback of OpenCL reports when an
 * object has gone. The sum goes to foretime as a line of the program's reports (foretime-probe.h). A program
 * that foretime did not start behaves as if this was not there.
 *
 * No header of OpenCL is needed: a call's place in the table, and its arguments, are fixed by the interface of
 * the loader (CL/cl_icd.h, CL/cl_layer.h). */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Places in the table. */
enum {
	CREATE_BUFFER = 14,
	CREATE_IMAGE_2D = 15,
	CREATE_IMAGE_3D = 16,
	MEM_OBJECT_INFO = 20,
	DESTRUCTOR_CALLBACK = 83,
	CREATE_IMAGE = 96,
	CREATE_PIPE = 124,
	SVM_ALLOC = 126,
	SVM_FREE = 127,
	ENQUEUE_SVM_FREE = 128,
	CREATE_BUFFER_WITH = 146,
	CREATE_IMAGE_WITH = 147,
	TABLE = 149,
};

enum {
	CL_SUCCESS_CODE = 0,
	CL_INVALID = -30, /* CL_INVALID_VALUE */
	CL_MEM_SIZE_CODE = 0x1102,
	CL_API_VERSION = 0x4240, /* CL_LAYER_API_VERSION */
	CL_API_100 = 100,
	CL_LAYER_NAME_CODE = 0x4241,
};

enum {
	POINTERS_MOST = 1 << 16, /* of shared virtual memory */
	STEPS_MOST = 64,         /* of a search for one */
};

static void *const *target; /* the table below ours */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total, written; /* bytes now; as they were last reported */
static pid_t owner;             /* the process that total is of: a child of fork(2) begins with nothing */
static struct {
	const void *pointer;
	size_t bytes;
} shared[POINTERS_MOST]; /* by the hash of the pointer; untouched pages cost nothing */

/* ---- the report ----------------------------------------------------------------------------------------- */

static void write_total(void)
{
	const char *text = getenv("FORETIME_PROBE_FD");
	int to = text ? atoi(text) : -1;
	char line[64];
	int length =
		snprintf(line, sizeof line, "ft1 device %d %llu\n", (int)getpid(), (unsigned long long)total);

	written = total;
	if (to > STDERR_FILENO && length > 0 && write(to, line, (size_t)length) < 0)
		return; /* lost: the program must not suffer */
}

/* Each new total would be a line: a step of a thousandth of it is left out, which bounds their number. */
static void add_bytes(int64_t bytes)
{
	(void)pthread_mutex_lock(&lock);
	if (owner != getpid()) {
		owner = getpid();
		total = written = 0;
	}
	total = bytes < 0 && total < (uint64_t)-bytes ? 0 : total + (uint64_t)bytes;
	uint64_t step = total > written ? total - written : written - total;
	if (step > written / 1024)
		write_total();
	(void)pthread_mutex_unlock(&lock);
}

/* What a process leaves allocated is released with it. */
__attribute__((destructor)) static void leave(void)
{
	if (owner == getpid() && written) {
		total = 0;
		write_total();
	}
}

/* ---- objects -------------------------------------------------------------------------------------------- */

/* A function of the table below ours, as a pointer to it. */
#define TARGET(type, place) ((type)(uintptr_t)target[place])

typedef void gone_function(void *object, void *bytes);
typedef int32_t info_function(void *object, uint32_t name, size_t size, void *value, size_t *size_out);
typedef int32_t callback_function(void *object, gone_function *gone, void *data);

static void take_gone(void *object, void *bytes)
{
	(void)object;
	add_bytes(-(int64_t)(intptr_t)bytes);
}

static void *count_object(void *object)
{
	size_t bytes = 0;

	if (object &&
	    TARGET(info_function *, MEM_OBJECT_INFO)(object, CL_MEM_SIZE_CODE, sizeof bytes, &bytes, NULL) ==
		    CL_SUCCESS_CODE &&
	    bytes <= INTPTR_MAX &&
	    TARGET(callback_function *, DESTRUCTOR_CALLBACK)(object, take_gone, (void *)bytes) ==
		    CL_SUCCESS_CODE)
		add_bytes((int64_t)bytes);
	return object;
}

static void *create_buffer(void *context, uint64_t flags, size_t size, void *host, int32_t *code)
{
	typedef void *function(void *, uint64_t, size_t, void *, int32_t *);

	return count_object(TARGET(function *, CREATE_BUFFER)(context, flags, size, host, code));
}

static void *create_buffer_with(void *context, const uint64_t *properties, uint64_t flags, size_t size,
				void *host, int32_t *code)
{
	typedef void *function(void *, const uint64_t *, uint64_t, size_t, void *, int32_t *);

	return count_object(
		TARGET(function *, CREATE_BUFFER_WITH)(context, properties, flags, size, host, code));
}

static void *create_image(void *context, uint64_t flags, const void *format, const void *description,
			  void *host, int32_t *code)
{
	typedef void *function(void *, uint64_t, const void *, const void *, void *, int32_t *);

	return count_object(
		TARGET(function *, CREATE_IMAGE)(context, flags, format, description, host, code));
}

static void *create_image_with(void *context, const uint64_t *properties, uint64_t flags, const void *format,
			       const void *description, void *host, int32_t *code)
{
	typedef void *function(void *, const uint64_t *, uint64_t, const void *, const void *, void *,
			       int32_t *);

	return count_object(TARGET(function *, CREATE_IMAGE_WITH)(context, properties, flags, format,
								  description, host, code));
}

static void *create_image_2d(void *context, uint64_t flags, const void *format, size_t width, size_t height,
			     size_t pitch, void *host, int32_t *code)
{
	typedef void *function(void *, uint64_t, const void *, size_t, size_t, size_t, void *, int32_t *);

	return count_object(TARGET(function *, CREATE_IMAGE_2D)(context, flags, format, width, height, pitch,
								host, code));
}

static void *create_image_3d(void *context, uint64_t flags, const void *format, size_t width, size_t height,
			     size_t depth, size_t row, size_t slice, void *host, int32_t *code)
{
	typedef void *function(void *, uint64_t, const void *, size_t, size_t, size_t, size_t, size_t, void *,
			       int32_t *);

	return count_object(TARGET(function *, CREATE_IMAGE_3D)(context, flags, format, width, height, depth,
								row, slice, host, code));
}

static void *create_pipe(void *context, uint64_t flags, uint32_t packet, uint32_t packets,
			 const intptr_t *properties, int32_t *code)
{
	typedef void *function(void *, uint64_t, uint32_t, uint32_t, const intptr_t *, int32_t *);

	return count_object(
		TARGET(function *, CREATE_PIPE)(context, flags, packet, packets, properties, code));
}

/* ---- shared virtual memory, which has no callback ------------------------------------------------------- */

/* The place of a pointer, or of none where it would stand; POINTERS_MOST: there is no room. */
static size_t place_of(const void *pointer)
{
	size_t at = (size_t)(((uintptr_t)pointer >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 48) % POINTERS_MOST;

	for (size_t i = 0; i < STEPS_MOST; i++, at = (at + 1) % POINTERS_MOST)
		if (!shared[at].pointer || shared[at].pointer == pointer)
			return at;
	return POINTERS_MOST;
}

static void *svm_alloc(void *context, uint64_t flags, size_t size, uint32_t alignment)
{
	typedef void *function(void *, uint64_t, size_t, uint32_t);
	void *pointer = TARGET(function *, SVM_ALLOC)(context, flags, size, alignment);

	if (!pointer)
		return NULL;
	(void)pthread_mutex_lock(&lock);
	size_t at = place_of(pointer);
	if (at < POINTERS_MOST) {
		shared[at].pointer = pointer;
		shared[at].bytes = size;
	}
	(void)pthread_mutex_unlock(&lock);
	if (at < POINTERS_MOST)
		add_bytes((int64_t)size);
	return pointer;
}

/* The pointer keeps its place, without bytes, so that searches go on beyond it. */
static void forget_pointer(const void *pointer)
{
	size_t bytes = 0;

	if (!pointer)
		return;
	(void)pthread_mutex_lock(&lock);
	size_t at = place_of(pointer);
	if (at < POINTERS_MOST && shared[at].pointer) {
		bytes = shared[at].bytes;
		shared[at].bytes = 0;
	}
	(void)pthread_mutex_unlock(&lock);
	add_bytes(-(int64_t)bytes);
}

static void svm_free(void *context, void *pointer)
{
	typedef void function(void *, void *);

	forget_pointer(pointer);
	TARGET(function *, SVM_FREE)(context, pointer);
}

/* Released when the queue comes to it: a little later than counted here. With a function of the program's own
 * that releases, svm_free is called from there. */
static int32_t enqueue_svm_free(void *queue, uint32_t n, void **pointer, void *release, void *data,
				uint32_t n_events, const void *events, void *event)
{
	typedef int32_t function(void *, uint32_t, void **, void *, void *, uint32_t, const void *, void *);

	for (uint32_t i = 0; i < n && pointer && !release; i++)
		forget_pointer(pointer[i]);
	return TARGET(function *, ENQUEUE_SVM_FREE)(queue, n, pointer, release, data, n_events, events,
						    event);
}

/* ---- the interface of layers ---------------------------------------------------------------------------- */

#define SHOWN __attribute__((visibility("default")))

SHOWN int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *size_out);
SHOWN int32_t clInitLayer(uint32_t n, void *const *below, uint32_t *n_out, void *const **out);

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *size_out)
{
	static const uint32_t version = CL_API_100;
	static const char label[] = "foretime";
	const void *from = name == CL_API_VERSION ? (const void *)&version : label;
	size_t bytes = name == CL_API_VERSION ? sizeof version : sizeof label;

	if ((name != CL_API_VERSION && name != CL_LAYER_NAME_CODE) || (value && size < bytes))
		return CL_INVALID;
	if (value)
		memcpy(value, from, bytes);
	if (size_out)
		*size_out = bytes;
	return CL_SUCCESS_CODE;
}

int32_t clInitLayer(uint32_t n, void *const *below, uint32_t *n_out, void *const **out)
{
	static void *table[TABLE];
	const struct {
		int place;
		uintptr_t function;
	} ours[] = {
		{CREATE_BUFFER, (uintptr_t)create_buffer},
		{CREATE_BUFFER_WITH, (uintptr_t)create_buffer_with},
		{CREATE_IMAGE, (uintptr_t)create_image},
		{CREATE_IMAGE_WITH, (uintptr_t)create_image_with},
		{CREATE_IMAGE_2D, (uintptr_t)create_image_2d},
		{CREATE_IMAGE_3D, (uintptr_t)create_image_3d},
		{CREATE_PIPE, (uintptr_t)create_pipe},
		{SVM_ALLOC, (uintptr_t)svm_alloc},
		{SVM_FREE, (uintptr_t)svm_free},
		{ENQUEUE_SVM_FREE, (uintptr_t)enqueue_svm_free},
	};

	if (!below || !n_out || !out || n <= DESTRUCTOR_CALLBACK)
		return CL_INVALID;
	target = below;
	/* The loader takes its own function where ours is NULL. */
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if ((uint32_t)ours[i].place < n)
			table[ours[i].place] = (void *)ours[i].function;
	*n_out = n < TABLE ? n : TABLE;
	*out = table;
	owner = getpid();
	write_total();
	return CL_SUCCESS_CODE;
}
