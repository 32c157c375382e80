/* SPDX-License-Identifier: 0BSD */
/* kernel.c - count what a kernel of OpenCL does, without a device:
 *
 *	cc kernel.c $(pkg-config --cflags --libs foretime) -o kernel
 *	./kernel
 */
#define _POSIX_C_SOURCE 200809L
#include <foretime/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char text[] = "kernel void axpy(float a, global const float *x, global float *y)\n"
			   "{\n"
			   "	y[get_global_id(0)] += a * x[get_global_id(0)];\n"
			   "}\n";

int main(void)
{
	char path[] = "/tmp/example-XXXXXX";
	int file = mkstemp(path);
	static struct ft_kernel_source source; /* static: zero-initialised */
	static struct ft_kernel_argument a;
	static struct ft_kernel_launch launch;
	static struct ft_kernel_features f;
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel *kernel = NULL;
	struct ft_err err;

	if (file < 0 || write(file, text, sizeof text - 1) != (ssize_t)(sizeof text - 1) || close(file)) {
		perror(path);
		return 1;
	}
	source.path = path;
	a.name = "a";
	a.value = 2;
	launch.global[0] = "1024"; /* work-items, and those of a group */
	launch.local[0] = "64";
	launch.argument = &a;
	launch.n = 1;
	enum ft_status status = ft_kernel_open(&kernel, &source, &err);

	if (!status)
		status = ft_kernel_features(&f, kernel, &launch, &options, &err);
	if (status)
		fprintf(stderr, "kernel: %s; %s\n", err.text, err.remedy);
	else
		printf("%g work-items: %g fused multiplications, %g bytes loaded, %g stored (%s)\n",
		       f.work_items, f.count[FT_KERNEL_F32_FUSED], f.count[FT_KERNEL_GLOBAL_LOAD_BYTES],
		       f.count[FT_KERNEL_GLOBAL_STORE_BYTES], f.exact ? "exact" : "estimated");
	bool right = !status && f.exact && f.count[FT_KERNEL_F32_FUSED] == 1024 &&
		     f.count[FT_KERNEL_GLOBAL_LOAD_BYTES] == 8192 &&
		     f.count[FT_KERNEL_GLOBAL_STORE_BYTES] == 4096;

	ft_kernel_features_clear(&f);
	ft_kernel_close(kernel);
	unlink(path);
	return status == FT_EUNAVAIL ? 77 : !right; /* no clang, or no libLLVM of its version: skipped */
}
