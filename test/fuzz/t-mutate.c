/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-mutate.c - the fuzzers' harnesses on seeded random mutations; `--seeds FOLDER` writes what they begin
 * with, NAME runs one of them. */
#include "base/random.h"
#include "fuzz.h"
#include "tap.h"

#include <sys/stat.h>

enum { INPUT_MAX = 6000 };

static const struct harness {
	const char *name;
	const char *(*run)(const uint8_t *bytes, size_t length);
	const char *const *seeds, *const *pieces;
	int cases;
} harnesses[] = {
#define FUZZ_ROW(name, cases) {#name, fuzz_##name, fuzz_##name##_seeds, fuzz_##name##_pieces, cases},
	FUZZ_LIST(FUZZ_ROW)
#undef FUZZ_ROW
};

enum { N_HARNESSES = sizeof harnesses / sizeof *harnesses };

static const char *choose(const char *const *list, struct ft_random *random)
{
	size_t n = 0;

	while (list[n])
		n++;
	return list[ft_random_below(random, n)];
}

/* Replace `removed` bytes at a place by others. */
static size_t splice(uint8_t *bytes, size_t length, size_t at, size_t removed, const char *piece,
		     size_t added)
{
	if (length - removed + added > INPUT_MAX)
		return length;
	memmove(bytes + at + added, bytes + at + removed, length - at - removed);
	memcpy(bytes + at, piece, added);
	return length - removed + added;
}

static size_t mutate(const struct harness *harness, struct ft_random *random, uint8_t *bytes, size_t length)
{
	size_t at = ft_random_below(random, length + 1), rest = length - at;
	size_t some = rest ? ft_random_below(random, rest < 12 ? rest + 1 : 12) : 0;
	char copy[INPUT_MAX], byte = (char)ft_random_bits(random);
	const char *piece;

	switch (ft_random_below(random, 6)) {
	case 0: /* another byte */
		return splice(bytes, length, at, rest > 0, &byte, 1);
	case 1: /* fewer bytes */
		return splice(bytes, length, at, some, "", 0);
	case 2: /* a part once more */
		memcpy(copy, bytes + at, some);
		return splice(bytes, length, at, 0, copy, some);
	case 3: /* a part of another seed */
		piece = choose(harness->seeds, random);
		return splice(bytes, length, at, some, piece, ft_random_below(random, strlen(piece) + 1));
	case 4: /* the end cut off */
		return ft_random_below(random, 4) ? length : at;
	default:
		piece = choose(harness->pieces, random);
		return splice(bytes, length, at, 0, piece, strlen(piece));
	}
}

/* Bytes as C would have them, for who must find out. */
static void show(const uint8_t *bytes, size_t length)
{
	printf("# input: \"");
	for (size_t i = 0; i < length; i++)
		printf(bytes[i] >= ' ' && bytes[i] <= '~' && !strchr("\"\\", bytes[i]) ? "%c" : "\\%03o",
		       bytes[i]);
	printf("\"\n");
}

static void run(const struct harness *harness)
{
	uint64_t seed = test_seed();
	/* tools/fuzz runs many more, with the same sanitizers */
	int i, n = test_quick() || test_sanitized() ? harness->cases / 4 : harness->cases;
	const char *broken = NULL;

	for (i = 0; i < n && !broken; i++) {
		struct ft_random random = {seed + (uint64_t)i * 1000};
		const char *begin = choose(harness->seeds, &random);
		size_t length = strlen(begin), times = ft_random_below(&random, 12);
		/* Of its exact length on the heap, so that a sanitizer sees one byte too far. */
		uint8_t bytes[INPUT_MAX], *exact;

		memcpy(bytes, begin, length);
		for (; times; times--)
			length = mutate(harness, &random, bytes, length);
		exact = malloc(length ? length : 1);
		if (!exact)
			break;
		memcpy(exact, bytes, length);
		broken = harness->run(exact, length);
		if (broken) {
			diag("seed %llu case %d does not hold: %s", (unsigned long long)seed, i, broken);
			show(exact, length);
		}
		free(exact);
	}
	ok(i == n && !broken, "%s: %d mutations", harness->name, n);
}

static int write_seeds(const char *folder)
{
	for (size_t i = 0; i < N_HARNESSES; i++) {
		char path[4096];

		(void)snprintf(path, sizeof path, "%s/%s", folder, harnesses[i].name);
		(void)mkdir(path, 0777);
		for (size_t j = 0; harnesses[i].seeds[j]; j++) {
			FILE *file;

			(void)snprintf(path, sizeof path, "%s/%s/seed-%zu", folder, harnesses[i].name, j);
			file = fopen(path, "wb");
			if (!file || fputs(harnesses[i].seeds[j], file) < 0 || fclose(file)) {
				perror(path);
				return 2;
			}
		}
	}
	return 0;
}

int main(void)
{
	int found = 0;

	if (tap_arguments[0] && !strcmp(tap_arguments[0], "--seeds") && tap_arguments[1])
		return write_seeds(tap_arguments[1]);
	for (size_t i = 0; i < N_HARNESSES; i++)
		if (!tap_arguments[0] || !strcmp(tap_arguments[0], harnesses[i].name)) {
			run(&harnesses[i]);
			found++;
		}
	if (!found)
		ok(false, "there is no harness '%s'", tap_arguments[0]);
	return done();
}
