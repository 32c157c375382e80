/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-passes.c - a program that goes over N KiB twenty times. */
#include <stdlib.h>

int main(int argc, char **argv)
{
	size_t bytes = 1024 * (argc > 1 ? strtoul(argv[1], NULL, 10) : 1), i, pass;
	volatile char *data = (volatile char *)malloc(bytes);

	for (pass = 0; data && pass < 20; pass++)
		for (i = 0; i < bytes; i += 64)
			data[i] = (char)(data[i] + 1);
	free((void *)(size_t)data);
	return 0;
}
