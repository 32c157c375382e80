/* SPDX-License-Identifier: GPL-3.0-or-later */
/* held.c - what the rules of a made workflow hold: held RULE OUTPUT INPUT... holds memory by its rule and the bytes of
 * its inputs for more than a second, writes OUTPUT, and prints the most memory that it held, in bytes. Exit status 137:
 * its limit was lower. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/* Bytes held: base + slope * input^exponent, times e^(noise z); bytes written: a share of the input. */
static const struct rule {
	const char *name;
	double base, slope, exponent, noise, written;
} rules[] = {
	{"fetch", 90e6, 0, 1, 0.01, 1},          /* the same for all */
	{"sort", 60e6, 12, 1, 0.02, 1},          /* in proportion to its input */
	{"index", 80e6, 0.006, 1.5, 0.02, 0.25}, /* faster than that */
	{"align", 100e6, 20, 1, 0.05, 0.5},      /* of two inputs */
	{"call", 130e6, 0, 1, 0.15, 0.01},       /* noisy, whatever its size */
	{"check", 110e6, 0, 1, 0.005, 0.01},     /* ignores its size */
	{"merge", 70e6, 30, 1, 0.03, 1},         /* few runs, each of some samples */
	{"report", 95e6, 0, 1, 0.01, 1},         /* one run */
};

/* A normal value of a name, the same each time: a sum of twelve uniform ones. */
static double normal_of(const char *name)
{
	uint64_t state = 1469598103934665603u;
	double sum = -6;

	for (; *name; name++)
		state = (state ^ (unsigned char)*name) * 1099511628211u;
	for (int i = 0; i < 12; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
		sum += (double)(state >> 11) * 0x1p-53;
	}
	return sum;
}

int main(int argc, char **argv)
{
	const struct timespec while_held = {1, 250000000};
	const struct rule *rule = NULL;
	struct rusage usage;
	struct stat st;
	double input = 0;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (argc > 3 && !strcmp(rules[i].name, argv[1]))
			rule = &rules[i];
	if (!rule)
		return 2;
	for (int i = 3; i < argc; i++) {
		if (stat(argv[i], &st) != 0)
			return 2;
		input += (double)st.st_size;
	}
	double bytes = (rule->base + rule->slope * pow(input, rule->exponent)) *
		       exp(rule->noise * normal_of(argv[2]));
	char *memory = malloc((size_t)bytes);
	FILE *file = fopen(argv[2], "w");
	if (!file)
		return 2;
	if (!memory) {
		(void)fclose(file);
		(void)remove(argv[2]);
		return 137;
	}
	memset(memory, 1, (size_t)bytes);
	(void)nanosleep(&while_held, NULL);
	for (double written = 0; written < rule->written * input + 100; written++)
		(void)fputc(memory[(size_t)written % 4096] + 'a', file);
	free(memory);
	(void)fclose(file);
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("%ld\n", usage.ru_maxrss * 1024);
	return 0;
}
