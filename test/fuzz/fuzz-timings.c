/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-timings.c - any bytes as a file of timings that a program wrote: what is no line is counted, what is
 * one becomes a run, and the store can be read. */
#include "fuzz.h"
#include "manager/inside.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const fuzz_timings_seeds[] = {
	"{\"name\":\"solve\",\"at\":1795413846.680969557,\"size\":{\"n\":512},\"wall_s\":0.5}\n",
	"{\"name\":\"solve\",\"size\":{\"n\":1,\"m\":2},\"wall_s\":1}\n{\"name\":\"solve\",\"size\":{\"m\":1}"
	",\"wall_s\":1}\n",
	"{\"name\":\"a/b\",\"size\":{},\"wall_s\":1e-9}\n\n[]\n{\"name\":\"~1/"
	"x\",\"size\":{\"n\":1},\"wall_s\":1}\nhalf a li",
	NULL,
};

const char *const fuzz_timings_pieces[] = {
	"\n",          "{",       "}",       "\"",   ":",      ",",    "\"name\":", "\"size\":",
	"\"wall_s\":", "\"at\":", "1e308",   "-1",   "5e-324", "null", "true",      "[[[[[",
	"\\u0000",     "\\u001b", "\\ud800", "\xff", "~",      "/",    "a b",       "calibration/",
	NULL,
};

/* So many inputs go into one store: more would make it slower and slower. */
enum { INPUTS = 200 };

static char spool[256], file[300];
static struct ft_store *store;

/* A store in which nothing is, as bytes: to make one takes longer than a hundred inputs. */
static int copy_empty(const char *path)
{
	static char empty[1 << 19];
	static size_t n;
	FILE *at;
	int good;

	if (!n) {
		if (ft_store_open(&store, path, FT_STORE_HASTY, NULL))
			return 0;
		ft_store_close(store);
		at = fopen(path, "re");
		n = at ? fread(empty, 1, sizeof empty, at) : 0;
		good = n > 0 && n < sizeof empty;
	} else {
		at = fopen(path, "we");
		good = at && fwrite(empty, 1, n, at) == n;
	}
	return at && !fclose(at) && good;
}

/* Another store. */
static int begin(void)
{
	const char *path = fuzz_path("store.db");

	ft_store_close(store);
	store = NULL;
	(void)unlink(path);
	(void)unlink(fuzz_path("store.db-wal"));
	(void)unlink(fuzz_path("store.db-shm"));
	(void)snprintf(spool, sizeof spool, "%s", fuzz_path("spool"));
	return (!mkdir(spool, 0700) || errno == EEXIST) && copy_empty(path) &&
	       !ft_store_open(&store, path, FT_STORE_HASTY, NULL);
}

static int write_file(unsigned long number, const uint8_t *bytes, size_t length)
{
	FILE *out;
	int good;

	(void)snprintf(file, sizeof file, "%s/t%lu.jsonl", spool, number);
	out = fopen(file, "we");
	good = out && fwrite(bytes, 1, length, out) == length;
	return out && !fclose(out) && good;
}

static size_t lines_of(const uint8_t *bytes, size_t length)
{
	size_t n = 0, filled = 0;

	for (size_t i = 0; i < length; i++) {
		n += bytes[i] == '\n' && filled;
		filled = bytes[i] == '\n' ? 0 : filled + 1;
	}
	return n;
}

const char *fuzz_timings(const uint8_t *bytes, size_t length)
{
	static unsigned long number;
	struct ft_store_list list = {0};
	struct ft__taken told, again;
	struct ft_err err = {0};

	if (number++ % INPUTS == 0 && !begin())
		return "it begins";
	if (!write_file(number, bytes, length))
		return "there is a file";
	enum ft_status status = ft__timings_take(store, spool, NULL, &told, &err);
	if (status)
		return "nothing in a file fails";
	if (told.runs + told.bad != lines_of(bytes, length))
		return "each line is a run, or is none";
	if (ft__timings_take(store, spool, NULL, &again, NULL) || again.runs)
		return "once";
	(void)unlink(file);
	status = ft_store_get_list(store, NULL, &list, &err);
	ft_store_list_clear(&list);
	return status ? "the store can be read" : NULL;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_timings)
#endif
