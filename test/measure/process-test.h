/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process-test.h - a program under test, run once or several times, and what was told of it. */
#ifndef FT_TEST_MEASURE_PROCESS_TEST_H
#define FT_TEST_MEASURE_PROCESS_TEST_H

#include "alive.h"
#include "foretime/measure.h"
#include "tap.h"
#include "temp.h"

enum { MB = 1 << 20, WORDS = 8 };

/* A program: child-hostile or child-probe with words. */
struct subject {
	char file[512], tag[96];
	char *argv[WORDS + 4];
	struct ft_program program;
	struct ft_launch launch;
	struct ft_source *source;
	struct ft_runs runs;
	struct ft_err err;
};

static void make(struct subject *s, const char *child, const char *const *words)
{
	size_t i = 0;

	memset(s, 0, sizeof *s);
	(void)snprintf(s->file, sizeof s->file, "%s/test/measure/child-%s", getenv("FORETIME_TEST_BUILD"),
		       child);
	(void)snprintf(s->tag, sizeof s->tag, "foretime-test-tag-%d.", (int)getpid());
	s->argv[i++] = s->file;
	if (!strcmp(child, "hostile"))
		s->argv[i++] = s->tag;
	for (size_t k = 0; k < WORDS && words[k]; k++)
		s->argv[i++] = (char *)(uintptr_t)words[k];
	s->program = (struct ft_program){.argv = s->argv, .argc = i, .n_params = 1};
	(void)snprintf(s->program.param[0].name, FT_PARAM_LENGTH, "n");
	s->program.param[0].least = 1;
	s->program.param[0].most = 1000;
	s->program.param[0].stride = 1;
	s->launch.program = &s->program;
}

static enum ft_status open_subject(struct subject *s)
{
	return ft_source_open_process(&s->source, &s->launch, &s->err);
}

static enum ft_status run(struct subject *s, double n, double limit_s)
{
	struct ft_size size = {1, {n}};

	return ft_source_run(s->source, &size, 0, limit_s, &s->runs, &s->err);
}

static void unmake(struct subject *s)
{
	ft_runs_clear(&s->runs);
	ft_source_close(s->source);
	s->source = NULL;
}

static const struct ft_run *last(const struct subject *s)
{
	static const struct ft_run none = {.outcome = FT_NOT_STARTED};

	return s->runs.n ? &s->runs.run[s->runs.n - 1] : &none;
}

/* Its words; "" when it has none. */
__attribute__((unused)) static const char *words(const struct subject *s)
{
	return last(s)->detail ? last(s)->detail : "";
}

__attribute__((unused)) static double value(const struct subject *s, const struct ft_resource *resource)
{
	return ft_run_value(last(s), resource);
}

#define HOSTILE(s, ...) make(s, "hostile", (const char *const[WORDS]){__VA_ARGS__})
#define PROBE(s, word)  make(s, "probe", (const char *const[WORDS]){word})

/* Run once, and see that nothing is left. */
__attribute__((unused)) static void check_outcome(struct subject *s, double limit_s, enum ft_outcome expected,
						  const char *what)
{
	enum ft_status status = open_subject(s);

	if (!status)
		status = run(s, 1, limit_s);
	int left = count_alive(s->tag);
	if (!ok(!status && s->runs.n == 1 && last(s)->outcome == expected && !left,
		"%s: %s, and nothing is left", what, ft_outcome_text(expected)))
		diag("status %d %s; %s, status %d, signal %d, %d left; %s", status, s->err.text,
		     ft_outcome_text(last(s)->outcome), last(s)->exit_status, last(s)->signal, left,
		     words(s));
}

__attribute__((unused)) static const char *told(const char *path)
{
	static char text[1024];
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;

	text[length] = '\0';
	if (file)
		(void)fclose(file);
	return text;
}

#endif
