/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.c - a program of which time and memory grow as the sizes do: spread make N FILE writes N lines of
 * numbers, spread group FILE counts the distinct ones. Each prints the most memory that it held, in bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct line {
	uint64_t key, at;
	char text[24];
};

static void *need(void *memory)
{
	if (!memory) {
		fprintf(stderr, "spread: no memory\n");
		exit(1);
	}
	return memory;
}

static int compare(const void *a, const void *b)
{
	const struct line *l = a, *r = b;

	return l->key < r->key ? -1 : l->key > r->key ? 1 : l->at < r->at ? -1 : l->at > r->at;
}

static void make(size_t n, const char *path)
{
	uint64_t *key = need(calloc(n + 1, sizeof *key)), state = 1;
	FILE *file = need(fopen(path, "w"));
	size_t i;

	for (i = 0; i < n; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
		key[i] = state >> 20;
	}
	for (i = 0; i < n; i++)
		fprintf(file, "%016llx\n", (unsigned long long)key[i]);
	if (fclose(file))
		exit(1);
	free(key);
}

static size_t group(const char *path)
{
	size_t n = 0, capacity = 0, distinct = 0;
	FILE *file = need(fopen(path, "r"));
	struct line *line = NULL;
	char text[64];

	while (fgets(text, sizeof text, file)) {
		if (n == capacity) {
			capacity = capacity ? 2 * capacity : 1024;
			line = need(realloc(line, capacity * sizeof *line));
		}
		line[n] = (struct line){.key = strtoull(text, NULL, 16), .at = n};
		memcpy(line[n].text, text, sizeof line[n].text);
		n++;
	}
	fclose(file);
	if (n)
		qsort(line, n, sizeof *line, compare);
	for (size_t i = 0; i < n; i++)
		distinct += !i || line[i].key != line[i - 1].key;
	free(line);
	return distinct;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	size_t distinct = 0;

	if (argc == 4 && !strcmp(argv[1], "make")) {
		make(strtoull(argv[2], NULL, 10), argv[3]);
	} else if (argc == 3 && !strcmp(argv[1], "group")) {
		distinct = group(argv[2]);
	} else {
		fprintf(stderr, "usage: spread make N FILE, spread group FILE\n");
		return 2;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%lld %zu\n", (long long)usage.ru_maxrss * 1024, distinct);
	return 0;
}
