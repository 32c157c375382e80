/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-old.c - a store that version 0.1 wrote, with a program of two parameters and the surface that modelled
 * them then: it opens, and every question is answered. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "foretime/ask.h"

#include <sqlite3.h>
#include <stdlib.h>

/* The fixture as a text; ends with free. */
static char *fixture(void)
{
	const char *source = getenv("FORETIME_TEST_SOURCE");
	char path[4096], *text = calloc(1, 65536);
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/test/ask/data/store-0.1.sql", source ? source : ".");
	file = fopen(path, "r");
	if (!file || !text || !fread(text, 1, 65535, file))
		diag("cannot read %s", path);
	if (file)
		(void)fclose(file);
	return text;
}

static bool make_store(const char *path)
{
	char *text = fixture();
	sqlite3 *db;
	bool made =
		sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;

	if (!made)
		diag("%s", sqlite3_errmsg(db));
	(void)sqlite3_close(db);
	free(text);
	return made;
}

static double truth(double n, double m)
{
	return 0.01 + 1e-7 * n * n * m;
}

static void test_predict(struct ft_answerer *models)
{
	struct ft_size size = {2, {300, 300}}, senseless = {2, {512, 100}};
	struct ft_prediction p = {0};
	struct ft_err err = {0};

	ok(!ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err) &&
		   fabs(p.value / truth(300, 300) - 1) < 0.1 && p.lower < truth(300, 300) &&
		   truth(300, 300) < p.upper,
	   "predicts, and the interval holds");
	ok(!ft_ask_predict(models, &ft_peak_rss_bytes, &size, 0.9, &p, &err) &&
		   fabs(p.value / (1e6 + 80 * 9e4) - 1) < 0.1,
	   "what had no model has one");
	ok(ft_ask_admits(models, &senseless, &err) == FT_EINVAL && err.remedy[0], "the constraint holds");
}

static void test_largest(struct ft_answerer *models)
{
	struct ft_limit limit = {.resource = &ft_wall_s, .most = 10};
	const size_t both[2] = {0, 1};
	struct ft_frontier frontier;
	struct ft_largest answer = {0};

	ok(!ft_ask_largest(models, &limit, 1, &(struct ft_size){2, {0, 400}}, 0, 0.9, &answer, NULL) &&
		   answer.kind == FT_LARGEST_FOUND && answer.size.value[0] > 440 &&
		   answer.size.value[0] < 520,
	   "the largest n");
	ok(!ft_ask_frontier(models, &limit, 1, &(struct ft_size){.n = 2}, both, 2, 0.9, &frontier, NULL) &&
		   frontier.n > 3,
	   "there is a frontier");
	ft_frontier_clear(&frontier);
}

static void test_request(struct ft_answerer *models)
{
	const bool open[FT_PARAMS_MAX] = {true, true};
	struct ft_request_expressions all;
	struct ft_request request = {0};
	struct ft_size size = {2, {300, 300}};

	ok(!ft_ask_request(models, &size, 0.05, &request, NULL) && request.time.most > truth(300, 300),
	   "a request");
	ok(!ft_ask_request_expressions(models, &size, open, 0.05, &all, NULL) && all.time.text &&
		   all.memory.text,
	   "and for all sizes");
	ft_request_expressions_clear(&all);
}

static void test_verify(struct ft_answerer *models)
{
	const struct ft_resource *const resource = &ft_wall_s;
	struct ft_verification verified;

	ok(!ft_ask_verify(models, ft_ask_runs(models), &(struct ft_verify_options){&resource, 1, 0.99, false},
			  &verified, NULL) &&
		   verified.n_checks == 12 && verified.holds,
	   "its own runs keep the contract");
	ft_verification_clear(&verified);
}

int main(void)
{
	const char *path = temp_path("old.db");
	struct ft_answerer *models = NULL;
	struct ft_err err = {0};

	ok(make_store(path), "a store of version 0.1");
	ok(!ft_store_open(&store, path, 0, &err), "opens");
	ok(!ft_ask_open(&models, store, "pair", "old-host", 0, &err) && ft_ask_runs(models)->n == 12,
	   "with all runs");
	test_predict(models);
	test_largest(models);
	test_request(models);
	test_verify(models);
	ft_ask_close(models);
	ft_store_close(store);
	temp_remove();
	return done();
}
