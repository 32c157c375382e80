/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro.c - the kernels of a calibration: 15 that each repeat one kind of operation, and the document's
 * three training kernels (004 chapter 13). All have the same parameters, so that one runner launches each. */
#include "device/door.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Each loop hangs on what it computed before, and on data: no compiler removes it or does it ahead. */
static const char micro_source[] =
	"#define HERE size_t i = get_global_id(0)\n"
	"#define TURNS for (int k = 0; k < n; k++)\n"
	"__kernel void nothing(__global float *a, int n) { HERE; if (n < 0) a[i] = 0; }\n"
	"__kernel void f32(__global float *a, int n)\n"
	"{ HERE; float x = a[i], y = x * 0.5f, z = 0.25f;\n"
	"  TURNS { x = x * y + z; z = z * y + x; x = x - z * y; z = z * 0.5f - x; } a[i] = x + z; }\n"
	"#ifdef cl_khr_fp64\n"
	"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
	"__kernel void f64(__global float *a, int n)\n"
	"{ HERE; double x = a[i], y = x * 0.5, z = 0.25;\n"
	"  TURNS { x = x * y + z; z = z * y + x; x = x - z * y; z = z * 0.5 - x; } a[i] = (float)(x + z); }\n"
	"#endif\n"
	"__kernel void divide(__global float *a, int n)\n"
	"{ HERE; float x = a[i], y = x + 1.0f; TURNS { x = y / (x + 1.5f); y = x / (y + 1.5f); } a[i] = x + "
	"y; }\n"
	"__kernel void math(__global float *a, int n)\n"
	"{ HERE; float x = a[i]; TURNS { x = sin(x + 0.5f); x = exp(x) * 0.25f; } a[i] = x; }\n"
	"__kernel void integer(__global float *a, int n)\n"
	"{ HERE; uint u = (uint)(a[i] * 1000.0f), v = u | 5u;\n"
	"  TURNS { u = u * 1664525u + v; v = (v ^ (u >> 7)) * 69069u; u = (u ^ v) + 77u; v = v + (u << 3); "
	"}\n"
	"  a[i] = (float)(u ^ v); }\n"
	"__kernel void integer_divide(__global float *a, int n)\n"
	"{ HERE; uint u = (uint)(a[i] * 1000.0f), v = u | 5u;\n"
	"  TURNS { u = 4000000007u / (v | 1u); v = 3000000019u % (u | 9u); } a[i] = (float)(u ^ v); }\n"
	"__kernel void branch(__global float *a, int n)\n"
	"{ HERE; int u = (int)i & 7; TURNS { if (u == 3) a[i] = 1; u = (u + 1) & 7; if (u == 5) a[i] = 2; } "
	"}\n"
	"__kernel void barriers(__global float *a, int n)\n"
	"{ HERE; __local float t[64]; int l = get_local_id(0); t[l] = a[i];\n"
	"  TURNS { barrier(CLK_LOCAL_MEM_FENCE); if (l == k) t[l] = 1; } a[i] = t[l]; }\n"
	"__kernel void atomic(__global float *a, int n)\n"
	"{ HERE; __global int *b = (__global int *)a; TURNS atomic_add(b + (i & 1023), k); }\n"
	"__kernel void local_access(__global float *a, int n)\n"
	"{ HERE; __local float t[64]; int l = get_local_id(0); t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  float x = 0; TURNS x += t[(l + k) & 63]; a[i] = x; }\n"
	"__kernel void private_access(__global float *a, int n)\n"
	"{ HERE; float p[16]; for (int k = 0; k < 16; k++) p[k] = a[i] + k;\n"
	"  int u = (int)(a[i] * 16.0f); TURNS { u = (u * 5 + 3) & 15; p[u] += p[(u + 7) & 15]; } a[i] = "
	"p[u]; }\n"
	"__kernel void global_access(__global float *a, int n)\n"
	"{ HERE; float x = 0; TURNS x += a[(i + k) & 1023]; a[i] = x; }\n"
	"__kernel void sector(__global float *a, int n)\n"
	"{ HERE; float x = 0; TURNS x += a[(i * 8 + k * 8) & 4095]; a[i] = x; }\n"
	"__kernel void miss(__global float *a, int n)\n"
	"{ HERE; float x = 0; uint all = (uint)get_global_size(0) * 16u - 1u;\n"
	"  TURNS x += a[((uint)i * 16u + (uint)k * 40976u) & all]; a[i] = x; }\n"
	"__kernel void vector_addition(__global float *a, int n)\n"
	"{ HERE; size_t m = get_global_size(0); a[2 * m + i] = a[i] + a[m + i]; }\n"
	"__kernel void product(__global float *a, int n)\n"
	"{ int x = get_global_id(0), y = get_global_id(1); float sum = 0;\n"
	"  TURNS sum += a[y * n + k] * a[n * n + k * n + x]; a[2 * n * n + y * n + x] = sum; }\n"
	"__kernel void logistic(__global float *a, int n)\n"
	"{ HERE; float x = a[i] * 0.5f; TURNS x = 3.7f * x * (1.0f - x); a[i] = x; }\n";

/* Their source in OpenCL C 1.2: 15 that each do much of one thing, and the document's
 * three training kernels. Each takes (__global float *a, int n). Static. */
static const char *micro_kernels(void)
{
	return micro_source;
}

/* Its name, and which rates it shows. FT_RATES: several. */
static const struct {
	const char *name;
	enum ft_rate rate;
	size_t floats; /* of its buffer for each work-item */
} kernels[] = {
	{"nothing", FT_RATE_ITEM, 1},
	{"f32", FT_RATE_F32, 1},
	{"f64", FT_RATE_F64, 1},
	{"divide", FT_RATE_DIVIDE, 1},
	{"math", FT_RATE_MATH, 1},
	{"integer", FT_RATE_INTEGER, 1},
	{"integer_divide", FT_RATE_INTEGER_DIVIDE, 1},
	{"branch", FT_RATE_BRANCH, 1},
	{"barriers", FT_RATE_BARRIER, 1},
	{"atomic", FT_RATE_ATOMIC, 1},
	{"local_access", FT_RATE_LOCAL, 1},
	{"private_access", FT_RATE_PRIVATE, 1},
	{"global_access", FT_RATE_GLOBAL, 1},
	{"sector", FT_RATE_SECTOR, 1},
	{"miss", FT_RATE_MISS, 16},
	{"vector_addition", FT_RATES, 3},
	{"product", FT_RATES, 3},
	{"logistic", FT_RATES, 1},
};

/* Work-items and turns are varied by themselves; the least launch is nearly all launch. The product has n * n
 * work-items. */
static const struct {
	size_t items;
	int n;
} sizes[] = {{4096, 4}, {4096, 64}, {65536, 4}, {65536, 64}, {262144, 16}};
static const int sides[] = {16, 64, 128, 192, 256};

enum { KERNELS = sizeof kernels / sizeof *kernels, SIZES = sizeof sizes / sizeof *sizes };

bool ft_micro_launch_get(size_t i, struct ft_micro_launch *out)
{
	size_t kernel = i / SIZES, size = i % SIZES;

	if (kernel >= KERNELS)
		return false;
	*out = (struct ft_micro_launch){.kernel = kernels[kernel].name,
					.rate = kernels[kernel].rate,
					.global = {sizes[size].items, 1},
					.local = {64, 1},
					.n = sizes[size].n};
	if (kernels[kernel].name == kernels[KERNELS - 2].name) {
		out->n = sides[size];
		out->global[0] = out->global[1] = (size_t)sides[size];
		out->local[0] = out->local[1] = 8;
	}
	out->floats = out->global[0] * out->global[1] * kernels[kernel].floats;
	return true;
}

size_t ft_micro_launches(void)
{
	return (size_t)KERNELS * SIZES;
}

/*
 * The operations of a calibration's launches.
 */

/* Groups that are carried out: all groups of these kernels do the same, but where they meet in a cache. */
enum { GROUPS = 8 };

enum ft_status ft_micro_file(int *fd, char path[FT_MICRO_PATH], struct ft_err *err)
{
	const char *source = micro_kernels();
	size_t length = strlen(source);

	*fd = memfd_create("micro.cl", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, source, length) != (ssize_t)length)
		return ft_fail_errno(err, errno, "cannot write the kernels of the calibration");
	(void)snprintf(path, FT_MICRO_PATH, "/proc/%d/fd/%d", (int)getpid(), *fd);
	return FT_OK;
}

static enum ft_status count_launch(struct ft_timed_launch *row, const struct ft_kernel *kernel,
				   const struct ft_micro_launch *launch, struct ft_err *err)
{
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_argument n = {.name = "n", .value = launch->n};
	struct ft_kernel_features features = {0};
	char global[2][24], local[2][24];
	struct ft_kernel_launch counted = {
		.global = {global[0], global[1]}, .local = {local[0], local[1]}, .argument = &n, .n = 1};

	for (int i = 0; i < 2; i++) {
		(void)snprintf(global[i], sizeof global[i], "%zu", launch->global[i]);
		(void)snprintf(local[i], sizeof local[i], "%zu", launch->local[i]);
	}
	options.groups = GROUPS;
	enum ft_status status = ft_kernel_features(&features, kernel, &counted, &options, err);
	*row = (struct ft_timed_launch){.kernel = launch->kernel, .seconds = NAN};
	if (!status) {
		ft_rate_amounts(&features, row->amount);
		ft_rate_five(&features, row->five);
	}
	ft_kernel_features_clear(&features);
	return status;
}

enum ft_status ft_micro_count(struct ft_timed_launch *row, struct ft_err *err)
{
	struct ft_micro_launch launch;
	struct ft_kernel_source source = {0};
	struct ft_kernel *kernel = NULL;
	char path[FT_MICRO_PATH];
	int fd;
	enum ft_status status = ft_micro_file(&fd, path, err);

	source.path = path;
	for (size_t i = 0; !status && ft_micro_launch_get(i, &launch); i++) {
		if (!kernel || launch.kernel != source.kernel) {
			ft_kernel_close(kernel);
			source.kernel = launch.kernel;
			status = ft_kernel_open(&kernel, &source, err);
		}
		if (!status)
			status = count_launch(&row[i], kernel, &launch, err);
	}
	ft_kernel_close(kernel);
	if (fd >= 0)
		(void)close(fd);
	return status;
}
