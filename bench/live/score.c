/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.c - how good predict --load now is, of what bench/live/live --keep left. */
#include "score.h"

#include "ask/ask.h"
#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 16, WORD = 64, RUNS = 32 };

static const double confidence = 0.9;

/* What was asked of a build, and what came then. */
struct question {
	char program[WORD], loops[WORD], version[WORD];
	double n, load;
	int processors;
	double told[3]; /* then: typical, lower, upper; NaN: nothing */
	double now[3];  /* by this version, beside the load that was seen then */
	double wall_s[RUNS];
	size_t runs;
};

struct questions {
	struct question *question;
	size_t n, capacity;
};

static bool is(const struct question *q, const char *program, const char *loops, double n)
{
	return !strcmp(q->program, program) && !strcmp(q->loops, loops) && q->n == n;
}

static int add_question(struct questions *all, char *const *field)
{
	struct question *grown = ft_grow(all->question, all->n, &all->capacity, sizeof *grown), *q;

	if (!grown)
		return 2;
	all->question = grown;
	q = &grown[all->n++];
	*q = (struct question){.n = strtod(field[4], NULL),
			       .load = strtod(field[5], NULL),
			       .processors = atoi(field[6]),
			       .told = {NAN, NAN, NAN},
			       .now = {NAN, NAN, NAN}};
	(void)snprintf(q->program, WORD, "%s", field[1]);
	(void)snprintf(q->loops, WORD, "%s", field[2]);
	(void)snprintf(q->version, WORD, "%s", field[3]);
	return 0;
}

/* A row of table.awk. */
static int take_row(struct questions *all, char *const *field, size_t n)
{
	if (!strcmp(field[0], "load") && n >= 7)
		return add_question(all, field);
	for (size_t i = 0; i < all->n; i++) {
		struct question *q = &all->question[i];

		if (!strcmp(field[0], "size") && n >= 9 && !strcmp(q->version, field[3]) &&
		    is(q, field[1], field[2], strtod(field[4], NULL)) && strcmp(field[5], "-") != 0) {
			q->told[0] = strtod(field[5], NULL);
			q->told[1] = strtod(field[7], NULL);
			q->told[2] = strtod(field[8], NULL);
		}
		if (!strcmp(field[0], "run") && n >= 5 && q->runs < RUNS &&
		    is(q, field[1], field[2], strtod(field[3], NULL)))
			q->wall_s[q->runs++] = strtod(field[4], NULL);
	}
	return 0;
}

static int read_rows(struct questions *all, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *field[FIELDS], *at;
	size_t size = 0, n;
	int status = 0;

	if (!file) {
		perror(path);
		return 2;
	}
	while (!status && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		for (n = 0, at = line; n < FIELDS && at; n++)
			field[n] = strsep(&at, "\t");
		status = take_row(all, field, n);
	}
	free(line);
	(void)fclose(file);
	return status;
}

/* As though the load were looked at now (src/ask/load.c). */
static bool stand_beside(struct ft_answerer *models, const struct question *q)
{
	static const struct ft_ask_load now = {.view = FT_LOAD_NOW, .sharing = FT_SHARING_FAIR};

	ft_ask_under(models, &now);
	models->load = (struct ft_load_functions){.interval_s = 0.2,
						  .processors = q->processors,
						  .least = ft_calloc(1, sizeof(double)),
						  .most = ft_calloc(1, sizeof(double)),
						  .n = 1};
	if (!models->load.least || !models->load.most)
		return false;
	models->load.least[0] = models->load.most[0] = q->load;
	return true;
}

static void answer(struct question *q, const char *folder)
{
	struct ft_size size = {.n = 1, .value = {q->n}};
	struct ft_answerer *models = NULL;
	struct ft_store *store = NULL;
	struct ft_prediction p;
	struct ft_err err = {0};
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/%s-%s-%s.db", folder, q->program, q->loops, q->version);
	if (ft_store_open(&store, path, FT_STORE_READ, &err) ||
	    ft_ask_open(&models, store, q->program, NULL, 0, &err) || !stand_beside(models, q) ||
	    ft_ask_predict(models, &ft_wall_s, &size, confidence, &p, &err)) {
		(void)fprintf(stderr, "bench-beside: %s n=%g: %s\n", path, q->n, err.text);
	} else {
		q->now[0] = p.value;
		q->now[1] = p.lower;
		q->now[2] = p.upper;
	}
	ft_ask_close(models);
	ft_store_close(store);
}

/* ---- judging ------------------------------------------------------------------------------------------- */

struct verdict {
	double score, width; /* sums of ln, over runs; over questions */
	size_t questions, runs, inside;
};

/* The interval score of Gneiting and Raftery (2007), in ln. */
static void judge(struct verdict *verdict, const double told[3], const struct question *q)
{
	if (!(told[1] > 0) || !q->runs)
		return;
	verdict->questions++;
	verdict->width += log(told[2] / told[1]);
	for (size_t i = 0; i < q->runs; i++) {
		double low = log(told[1] / q->wall_s[i]), high = log(q->wall_s[i] / told[2]);

		verdict->runs++;
		verdict->inside += low <= 0 && high <= 0;
		verdict->score +=
			log(told[2] / told[1]) + 2 / (1 - confidence) * (fmax(0, low) + fmax(0, high));
	}
}

static void print(const char *program, const char *loops, const struct verdict verdict[2])
{
	printf("| %s | %s | %zu ", program, loops, verdict[0].questions);
	for (int i = 0; i < 2; i++)
		printf("| %.2f | %.1f | %.2f ", verdict[i].score / (double)verdict[i].runs,
		       100 * (double)verdict[i].inside / (double)verdict[i].runs,
		       exp(verdict[i].width / (double)verdict[i].questions));
	printf("|\n");
}

/* Of all that are beside so many loops; of one program alone where it is named. */
static void judge_group(const struct questions *all, const char *program, const char *loops)
{
	struct verdict verdict[2] = {{0}};

	for (size_t i = 0; i < all->n; i++) {
		const struct question *q = &all->question[i];

		if ((program && strcmp(program, q->program) != 0) || (loops && strcmp(loops, q->loops) != 0))
			continue;
		judge(&verdict[0], q->now, q);
		judge(&verdict[1], q->told, q);
	}
	if (verdict[0].runs && verdict[1].runs)
		print(program ? program : "**all**", loops ? loops : "all", verdict);
}

static bool seen_before(const struct questions *all, size_t i, bool programs)
{
	const struct question *q = &all->question[i];

	for (size_t k = 0; k < i; k++)
		if (!strcmp(all->question[k].loops, q->loops) &&
		    (!programs || !strcmp(all->question[k].program, q->program)))
			return true;
	return false;
}

int score_kept(const char *folder, const char *raw)
{
	struct questions all = {0};
	int status = read_rows(&all, raw);

	for (size_t i = 0; i < all.n && !status; i++)
		answer(&all.question[i], folder);
	printf("| program | loops | questions | score | inside, %% | upper / lower | score then | inside "
	       "then, %% |"
	       " upper / lower then |\n|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < all.n && !status; i++)
		if (!seen_before(&all, i, true))
			judge_group(&all, all.question[i].program, all.question[i].loops);
	for (size_t i = 0; i < all.n && !status; i++)
		if (!seen_before(&all, i, false))
			judge_group(&all, NULL, all.question[i].loops);
	judge_group(&all, NULL, NULL);
	ft_free(all.question);
	return status;
}
