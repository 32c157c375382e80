/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-travel.c - models that travel: written on one machine, read on another, damaged on the way. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <sys/stat.h>

static char *text; /* the model of "power" */

/* A CRC of what the text became. */
static char *sealed(const char *body)
{
	struct ft_text out = {0};
	size_t length =
		(size_t)(strstr(body, "# check:") ? strstr(body, "# check:") - body : (long)strlen(body));

	ft_text_add_bytes(&out, body, length);
	ft_text_add(&out, "# check: %08lx\n", (unsigned long)ft_hash_crc(0, out.s, out.length));
	return ft_text_take(&out);
}

/* The text with a part replaced, and a good check; ends with free. */
static char *with(const char *old, const char *new)
{
	const char *at = strstr(text, old);
	struct ft_text out = {0};

	if (!at)
		return NULL;
	ft_text_add_bytes(&out, text, (size_t)(at - text));
	ft_text_add(&out, "%s%s", new, at + strlen(old));
	char *whole = ft_text_take(&out), *again = sealed(whole);
	free(whole);
	return again;
}

static void test_write(void)
{
	int64_t id = add_program("power", "n=100:10000", NULL);
	struct ft_travel travel;
	struct ft_err err = {0};

	for (int i = 0; i < 12; i++)
		for (int k = 0; k < 2; k++) {
			double n = round(100 * pow(100, i / 11.0));

			add_run(id,
				made_run(1, n, 0, 1e-6 * pow(n, 1.5) * (1 + 0.01 * k), 3e7 + 100 * n, NAN));
		}
	struct ft_answerer *a = open_models("power");
	ok(!ft_travel_write(a, "CC0-1.0", "# law of wall_s: n^1.5\n", &text, &err), "a model is written %s",
	   err.text);
	ft_ask_close(a);
	ok(!ft_travel_parse(&travel, "t", text, strlen(text), &err), "... and read %s", err.text);
	ok(!strcmp(travel.program.name, "power") && travel.program.n_params == 1 &&
		   travel.program.param[0].most == 10000 && !strcmp(travel.licence, "CC0-1.0") &&
		   strstr(travel.origin, "made") && travel.n == 2 && travel.mark > 0,
	   "... with its name, range, licence, origin: '%s'", travel.origin);
	const struct ft_model *model;
	struct ft_prediction p;
	bool good = !ft_travel_model(&travel, &ft_wall_s, NULL, &model, &err) &&
		    !ft_model_predict(model, &(struct ft_size){1, {3000}}, 1, 0.9, &p, &err);
	ok(good && fabs(log(p.value / (1e-6 * pow(3000, 1.5)))) < 0.03,
	   "... its model is that of the runs: %g", p.value);
	ok(ft_travel_model(&travel, &ft_cpu_s, NULL, &model, &err) == FT_ENOENT &&
		   ft_travel_has(&travel, &ft_wall_s) && !ft_travel_has(&travel, &ft_cpu_s),
	   "... and has what was measured alone");
	ft_travel_clear(&travel);
	ft_travel_clear(&travel);
	a = NULL;
	id = add_program("empty", "n=1:9", NULL);
	add_run(id, made_run(1, 3, 0, NAN, NAN, NAN));
	char *none = NULL;
	if (!ft_ask_open(&a, store, "empty", NULL, machine, &err))
		ok(ft_travel_write(a, NULL, NULL, &none, &err) == FT_ENOMODEL && !none,
		   "nothing measured: no model");
	ft_ask_close(a);
}

static void test_damaged(void)
{
	size_t length = strlen(text), taken = 0, silent = 0;
	char *copy = malloc(length + 1);

	for (size_t i = 0; i < length; i++) {
		struct ft_travel travel;
		struct ft_err err = {0};

		taken += !ft_travel_parse(&travel, "t", text, i, &err) && i + 1 < length;
		ft_travel_clear(&travel);
		memcpy(copy, text, length + 1);
		copy[i] ^= 1;
		if (i + 1 < length && ft_travel_parse(&travel, "t", copy, length, &err) == FT_OK)
			taken++;
		else
			silent += i + 1 < length && !*err.text;
		ft_travel_clear(&travel);
	}
	free(copy);
	ok(!taken, "cut off or one bit changed: never read (%zu are)", taken);
	ok(!silent, "... and each time with words (%zu without)", silent);
}

/* Well sealed, and none the less no such model. */
static void test_refused(void)
{
	static const struct {
		const char *old, *new, *words;
	} cases[] = {
		{"model: 1", "model: 2", "later version"},
		{"# foretime model: 1\n", "", "no model"},
		{"# program: power\n", "", "no name"},
		{"# parameters: n=100:10000\n", "", "no parameters"},
		{"n=100:10000", "n=100:10000 n=1:2", "twice"},
		{"n=100:10000", "n=100:zehn", "n"},
		{"n=100:10000", "m=100:10000", "no column 'm'"},
		{"resource,n,", "resource,k,", "no column 'n'"},
		{"wall_s,100,", "wall_s,100,-", "no such cost"},
		{"wall_s,100,", "wall_s,100,x", "number"},
		{"wall_s,100,", "wall_s,nan,", "number"},
		{"wall_s,100,", "wall_s,100,1,", "cells"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_travel travel;
		struct ft_err err = {0};
		char *changed = with(cases[i].old, cases[i].new);
		enum ft_status status = ft_travel_parse(&travel, "t", changed, strlen(changed), &err);

		ok(status == FT_EPARSE && strstr(err.text, cases[i].words), "change %zu of a file: %s", i,
		   err.text);
		ft_travel_clear(&travel);
		free(changed);
	}
	struct ft_travel travel;
	char *more = with("wall_s,100,", "phase_of_moon_s,100,");
	ok(!ft_travel_parse(&travel, "t", more, strlen(more), NULL) && travel.n == 2,
	   "a resource of a later version is left out");
	ft_travel_clear(&travel);
	free(more);
	ok(ft_travel_read(&travel, temp_path("none.model"), NULL) == FT_ENOENT && !travel.n,
	   "a file that is not there");
}

/* The same program on a machine that takes twice as long. */
static void test_elsewhere(void)
{
	int64_t id = add_program("there", "n=100:10000", NULL);
	struct ft_travel travel;
	struct ft_answerer *a = NULL;
	struct ft_prediction p;
	struct ft_err err = {0};
	struct ft_size size = size_of(5000);
	double truth = 2e-6 * pow(5000, 1.5);

	(void)ft_travel_parse(&travel, "t", text, strlen(text), NULL);
	ok(!ft_travel_keep(store, "there", &travel, &err), "kept for another name");
	ft_travel_clear(&travel);
	ok(!ft_ask_open(&a, store, "there", NULL, machine, &err) && ft_ask_travel(a) &&
		   !ft_ask_predict(a, &ft_wall_s, &size, 0.9, &p, &err),
	   "before any run it answers %s", err.text);
	ok(p.lower < truth && truth < p.upper && p.upper > 2 * p.value && p.basis == FT_BASIS_STATED,
	   "... widely: %g .. %g, really %g", p.lower, p.upper, truth);
	struct ft_request request;
	ok(!ft_ask_request(a, &size, 0.05, &request, &err) && request.time.most > p.value,
	   "... requests too");
	ft_ask_close(a);
	for (double n = 100; n <= 1000; n *= 3)
		add_run(id, made_run(1, n, 0, 2e-6 * pow(n, 1.5), 3e7 + 100 * n, NAN));
	a = open_models("there");
	if (ft_ask_predict(a, &ft_wall_s, &size, 0.9, &p, &err))
		diag("%s", err.text);
	ok(fabs(log(p.value / truth)) < 0.1 && p.upper < 3 * p.value,
	   "three runs set its scale: %g, really %g", p.value, truth);
	const struct ft_model_record *record;
	err = (struct ft_err){0};
	enum ft_status status = ft_ask_model(a, &ft_wall_s, &size, &record, &err);
	ok(!status && ft_model_facts(record->model)->trust > 0.5, "... it is trusted %s", err.text);
	ft_ask_close(a);
	ok(!ft_travel_keep(store, "there", NULL, &err), "forgotten");
	a = open_models("there");
	ok(!ft_ask_travel(a) && !ft_ask_model(a, &ft_wall_s, &size, &record, &err) &&
		   isnan(ft_model_facts(record->model)->trust),
	   "... and models are made of the runs again");
	ft_ask_close(a);
}

static void test_folder(void)
{
	struct ft_answerer *a = NULL;
	struct ft_travel travel;
	struct ft_prediction p;
	struct ft_err err = {0};
	struct ft_size size = size_of(500);
	char *folder = strdup(temp_path("models"));

	(void)mkdir(folder, 0700);
	FILE *file = fopen(temp_path("models/shipped.model"), "w");
	fputs(text, file);
	(void)fclose(file);
	(void)setenv("FORETIME_MODELS", folder, 1);
	ok(!ft_ask_open(&a, store, "shipped", NULL, machine, &err) &&
		   !ft_ask_predict(a, &ft_wall_s, &size, 0.9, &p, &err) && p.value > 0,
	   "a file of the program's name is found %s", err.text);
	ft_ask_close(a);
	ok(ft_ask_open(&a, store, "../models/shipped", NULL, machine, &err) == FT_ENOENT,
	   "... and no path is");
	ok(ft_travel_find(&travel, NULL, "another", &err) == FT_ENOENT, "... nor another one");
	file = fopen(temp_path("models/broken.model"), "w");
	fputs("# foretime model: 1\n", file);
	(void)fclose(file);
	ok(ft_ask_open(&a, store, "broken", NULL, machine, &err) == FT_ENOENT,
	   "a damaged one answers nothing");
	(void)unsetenv("FORETIME_MODELS");
	free(folder);
}

/* A model of other parameters is none of the program's. */
static void test_other_parameters(void)
{
	struct ft_travel travel;
	int64_t id = add_program("two", "n=1:100", "m=1:9");

	add_run(id, made_run(2, 10, 3, 1, NAN, NAN));
	(void)ft_travel_parse(&travel, "t", text, strlen(text), NULL);
	(void)ft_travel_keep(store, "two", &travel, NULL);
	ft_travel_clear(&travel);
	struct ft_answerer *a = open_models("two");
	ok(a && !ft_ask_travel(a), "a model of other parameters is not used");
	ft_ask_close(a);
}

int main(void)
{
	(void)setenv("FORETIME_MODELS", "/nonexistent", 1);
	open_store();
	test_write();
	test_damaged();
	test_refused();
	test_elsewhere();
	test_folder();
	(void)setenv("FORETIME_MODELS", "/nonexistent", 1);
	test_other_parameters();
	free(text);
	ft_store_close(store);
	return done();
}
