/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-put.c - any bytes as a model that is put into a manager: refused with words, and nothing is left, or
 * all of its runs are there, once. */
#include "fuzz.h"
#include "manager/inside.h"

#include <string.h>

const char *const fuzz_put_seeds[] = {
	"{\"schema\": \"foretime-export-1\", \"name\": \"a\", \"work\": \"n\", \"where\": null, \"params\": "
	"[{\"name\": \"n\"}], \"machine\": {\"fingerprint\": \"00\"}, \"runs\": [{\"size\": {\"n\": 3}, "
	"\"outcome\": \"done\", \"exit_status\": 0, \"signal\": 0, \"warmup\": false, \"cost_s\": 1, "
	"\"started\": \"2026-01-31T12:00:00Z\", \"detail\": \"x\", \"samples\": {\"wall_s\": {\"value\": 1, "
	"\"label\": \"measured\", \"probe\": \"clock\"}}}]}",
	"# foretime: runs 1\n# name: a\n# work: n^2\n# where: n > 0\nn,wall_s,peak_rss_bytes\n1,1,5\n2,1,6\n",
	"# foretime: runs 1\n# counters: hits\nn,m,wall_s,hits,outcome\n1,1,2,5,done\n2,1,,,failed\n",
	NULL,
};

const char *const fuzz_put_pieces[] = {
	"{",        "}",       "\"runs\":", "\"samples\":", "\"params\":", "\"work\":", "# work: ", "n^m",
	"# where:", "\n",      ",",         "1e308",        "-1",          "null",      "nan",      "\"",
	"[[[[",     "\\u0000", "\xff",      "\x1f\x8b",     "{n}",         "wall_s",    "done",     "1/0",
	NULL,
};

static struct ft_store *store;

static void end(void)
{
	ft_store_close(store);
}

static int begin(void)
{
	return !ft_store_open(&store, fuzz_path("put.db"), FT_STORE_HASTY, NULL) && !atexit(end);
}

static size_t runs_of(const char *name)
{
	struct ft_store_list list = {0};
	size_t n = 0;

	if (ft_store_get_list(store, name, &list, NULL))
		return SIZE_MAX;
	for (size_t i = 0; i < list.n; i++)
		n += list.entry[i].runs;
	ft_store_list_clear(&list);
	return n;
}

const char *fuzz_put(const uint8_t *bytes, size_t length)
{
	struct ft_answer_put told, again;
	struct ft_err err = {0};
	const char *broken = NULL;

	if (!store && !begin())
		return "it begins";
	enum ft_status status = ft__model_put(store, "x", (const char *)bytes, length, &told, &err);
	if (status && runs_of("x"))
		broken = "a refusal leaves nothing";
	else if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal is told in words";
	else if (runs_of("x") != told.runs || told.known)
		broken = "all runs are there";
	else if (ft__model_put(store, "x", (const char *)bytes, length, &again, NULL) || again.runs ||
		 again.known != told.runs)
		broken = "once";
	(void)ft_store_remove(store, "x", NULL, NULL);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_put)
#endif
