/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-show.c - fit, show and list as values: read by their rows, answered by models or by a store; and without
 * memory. */
#include "tap.h"
#include "temp.h"

#include "ask/ask-test.h"
#include "base/alloc.h"
#include "tell/answers.h"
#include "tell/tell.h"

static const json_t *at(const json_t *object, const char *key, size_t i)
{
	return json_array_get(json_object_get(object, key), i);
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* A question with its fields and words: "name=two confidence=99% n=512". */
static struct ft_query query_of(const struct ft_question *question, char *words)
{
	struct ft_query query = ft_query_usual;
	struct ft_err err = {0};

	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		char *value = strchr(word, '=');

		*value++ = '\0';
		if (!strcmp(word, "name"))
			query.name = value;
		else if (ft_query_take(question, &query, word, value, &err))
			diag("%s", err.text);
	}
	return query;
}

/* NULL: it failed, as err says. */
static json_t *answer(const struct ft_question *question, const struct ft_query *query, struct ft_err *err)
{
	struct ft_answerer *models = NULL;
	json_t *object = NULL;

	if (question->look)
		(void)question->look(store, query, &object, err);
	else if (!ft_ask_open_on(&models, store, query->name, query->device, query->machine, machine, err))
		(void)question->answer(models, query, &object, err);
	ft_ask_close(models);
	return object;
}

static json_t *ask(const struct ft_question *question, const char *words, struct ft_err *err)
{
	char *copy = strdup(words);
	const struct ft_query query = query_of(question, copy);
	json_t *object = answer(question, &query, err);

	free(copy);
	return object;
}

static void test_answers(void)
{
	struct ft_err err = {0};
	json_t *output = ask(&ft_question_fit, "name=square n=512,1024 confidence=95%", &err);
	const json_t *fit = at(output, "fits", 0);

	ok(number(at(fit, "classes", 0), "power") == 2 &&
		   json_array_size(json_object_get(fit, "predictions")) == 2,
	   "a law: %s", json_string_value(json_object_get(fit, "law")));
	ok(fabs(number(at(fit, "predictions", 1), "value") / number(at(fit, "predictions", 0), "value") - 4) <
		   0.1,
	   "and what it predicts");
	json_decref(output);
	output = ask(&ft_question_show, "name=square kept=3 resource=memory", &err);
	ok(json_array_size(json_object_get(output, "sizes")) == 7 &&
		   !strcmp(json_string_value(json_object_get(output, "resource")), "peak_tree_bytes") &&
		   json_array_size(json_object_get(json_object_get(output, "coverage"), "runs")) == 3,
	   "a program: %zu sizes", json_array_size(json_object_get(output, "sizes")));
	json_decref(output);
	output = ask(&ft_question_list, "search=S limit=1", &err);
	ok(!strcmp(json_string_value(json_object_get(at(output, "programs", 0), "name")), "cubes") &&
		   number(output, "found") == 2,
	   "the first of two names");
	json_decref(output);
	ok(!ask(&ft_question_show, "name=nothing", &err) && err.status == FT_ENOENT, "%s", err.text);
	ok(!ask(&ft_question_show, "name=square machine=moon", &err) && err.status == FT_ENOENT &&
		   strstr(err.remedy, "made"),
	   "%s; %s", err.text, err.remedy);
	ok(!ask(&ft_question_list, "name=square after=a", &err) && err.status == FT_EINVAL, "%s", err.text);
	ok(!ask(&ft_question_fit, "name=square m=3", &err) && strstr(err.remedy, "laws here are of n"),
	   "%s; %s", err.text, err.remedy);
}

/* What a door bounds: combinations, names, and what is the owner's alone. */
static void test_doors(void)
{
	struct ft_query query = ft_query_usual;
	struct ft_err err = {0};

	ok(ft_query_take(&ft_question_show, &query, "n", "5", &err) == FT_EINVAL &&
		   strstr(err.remedy, "kept"),
	   "%s; %s", err.text, err.remedy);
	ok(ft_query_take(&ft_question_fit, &query, "terms", "4", &err) == FT_EPARSE, "%s", err.text);
	query = ft_query_usual;
	query.name = "square";
	query.answers_most = 2;
	(void)ft_query_take(&ft_question_fit, &query, "n", "1,2,3", &err);
	ok(!answer(&ft_question_fit, &query, &err) && err.status == FT_EINVAL, "%s", err.text);
	query = ft_query_usual;
	query.answers_most = 1;
	json_t *output = answer(&ft_question_list, &query, &err);
	ok(json_array_size(json_object_get(output, "programs")) == 1, "no more names than the door takes");
	json_decref(output);
	query.name = "run";
	output = answer(&ft_question_show, &query, &err);
	ok(json_array_size(json_object_get(output, "argv")) == 2, "its owner sees the command");
	json_decref(output);
	query.served = true;
	output = answer(&ft_question_show, &query, &err);
	ok(json_is_null(json_object_get(output, "argv")) &&
		   !strcmp(json_string_value(json_object_get(output, "name")), "run"),
	   "nobody else does");
	json_decref(output);
}

/* Whichever allocation fails: the answer is whole, or there is none and FT_ENOMEM. Where a model cannot be
 * had it is left out, as where there is none. */
static void test_memory(void)
{
	static const struct {
		const struct ft_question *question;
		const char *words;
	} row[] = {{&ft_question_fit, "name=square n=512"},
		   {&ft_question_show, "name=square asked=3"},
		   {&ft_question_list, "search=s"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char words[64];
		(void)snprintf(words, sizeof words, "%s", row[i].words);
		const struct ft_query query = query_of(row[i].question, words);
		struct ft_answerer *models = NULL;
		unsigned long n, failed = 0, wrong = 0, made;
		struct ft_err err = {0};
		json_t *object = NULL;

		if (row[i].question->answer)
			(void)ft_ask_open_on(&models, store, query.name, NULL, NULL, machine, &err);
		/* Models are made, and kept, before. */
		(void)(models ? row[i].question->answer(models, &query, &object, &err)
			      : row[i].question->look(store, &query, &object, &err));
		json_decref(object);
		for (n = 1;; n++) {
			object = NULL;
			err = (struct ft_err){0};
			(void)ft_alloc_fail_at(n);
			enum ft_status status =
				models ? row[i].question->answer(models, &query, &object, &err)
				       : row[i].question->look(store, &query, &object, &err);
			made = ft_alloc_fail_at(0);
			failed += status != FT_OK;
			wrong += (status == FT_OK) != (object != NULL) || (status && status != FT_ENOMEM);
			if (status && status != FT_ENOMEM)
				diag("%lu: %s", n, err.text);
			json_decref(object);
			if (made < n)
				break;
		}
		ok(failed && !wrong, "%s: %lu allocations, %lu of them end it", row[i].question->name, n - 1,
		   failed);
		ft_ask_close(models);
	}
}

int main(void)
{
	char command[] = "./run", hole[] = "{n}", name[] = "run", hash[] = "00000000000000ab";
	char *argv[] = {command, hole, NULL};
	struct ft_program run = {.name = name, .hash = hash, .argv = argv, .argc = 2, .n_params = 1};
	int64_t id;

	open_store();
	id = add_program("square", "n=10:10000", NULL);
	for (double n = 16; n <= 1024; n *= 2)
		for (int k = 0; k < 3; k++)
			add_run(id, made_run(1, n, 0, 1e-6 * n * n * (1 + 0.01 * k), 1e6 + 4096 * n, NAN));
	id = add_program("cubes", "n=10:10000", NULL);
	add_run(id, made_run(1, 20, 0, 1, 1e6, NAN));
	(void)ft_param_parse("n=1:9", &run.param[0], NULL);
	if (ft_store_put_program(store, &run, NULL))
		diag("cannot store a program");
	add_run(run.id, made_run(1, 5, 0, 1, 1e6, NAN));
	test_answers();
	test_doors();
	test_memory();
	ft_store_close(store);
	temp_remove();
	return done();
}
