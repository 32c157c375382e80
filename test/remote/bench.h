/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - a program whose runs are carried, and those who carry them: fake ones, in a folder of the test
 * that stands first in PATH. Include behind tap.h in one file of a program. */
#ifndef FT_TEST_REMOTE_BENCH_H
#define FT_TEST_REMOTE_BENCH_H

#include "remote/remote.h"
#include "temp.h"

#include <unistd.h>

struct bench {
	struct ft_store *store;
	struct ft_program program;
	struct ft_remote_options options;
	struct ft_remote *remote;
	char folder[256], foretime[256], note[1024]; /* note: the last */
	size_t notes;
	struct ft_err err;
};

__attribute__((unused)) static void bench_note(void *ctx, const char *text)
{
	struct bench *b = ctx;

	b->notes++;
	(void)snprintf(b->note, sizeof b->note, "%s", text);
}

/* An executable on PATH. */
__attribute__((unused)) static void fake(const char *name, const char *script)
{
	char path[256], text[8192];

	(void)mkdir(temp_path("bin"), 0755);
	(void)snprintf(path, sizeof path, "%s/%s", temp_path("bin"), name);
	(void)snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
	if (!temp_write(path, text, 0755))
		diag("cannot write %s", path);
}

__attribute__((unused)) static void use_fakes(void)
{
	char path[4096];

	(void)mkdir(temp_path("bin"), 0755);
	(void)snprintf(path, sizeof path, "%s:%s", temp_path("bin"), getenv("PATH"));
	(void)setenv("PATH", path, 1);
}

/* name: of its files in the folder of the test. */
__attribute__((unused)) static void use(struct bench *b, const char *executor, const char *name)
{
	char path[128], self[3072], script[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	struct ft_program *p = &b->program;

	*b = (struct bench){0};
	self[length > 0 ? length : 0] = '\0';
	(void)snprintf(script, sizeof script, "exec '%s' fake-run \"$@\"", self);
	fake("foretime-fake", script);
	(void)snprintf(b->foretime, sizeof b->foretime, "%s/foretime-fake", temp_path("bin"));
	(void)snprintf(path, sizeof path, "%s.out", name);
	(void)snprintf(b->folder, sizeof b->folder, "%s", temp_path(path));
	(void)snprintf(path, sizeof path, "%s.db", name);
	p->name = strdup("job");
	p->hash = strdup("job");
	p->argv = calloc(3, sizeof *p->argv);
	p->argv[0] = strdup("./job");
	p->argv[1] = strdup("{n}");
	p->argc = 2;
	p->n_params = 1;
	b->options = (struct ft_remote_options){
		.executor = executor,
		.folder = b->folder,
		.foretime = b->foretime,
		.sweep = {.builder = ft_builder_type_find("naive"),
			  .resource = &ft_wall_s,
			  .confidence = 0.9,
			  .points = 4,
			  .reps_least = 1,
			  .reps_most = 1,
			  .progress_ctx = b},
		.note = bench_note,
	};
	if (ft_param_parse("n=1:100", &p->param[0], &b->err) ||
	    ft_store_open(&b->store, temp_path(path), 0, &b->err) ||
	    ft_store_put_program(b->store, p, &b->err))
		diag("%s", b->err.text);
}

__attribute__((unused)) static enum ft_status open_bench(struct bench *b)
{
	b->err = (struct ft_err){0};
	return ft_remote_open(&b->remote, b->store, &b->program, &b->options, &b->err);
}

__attribute__((unused)) static void leave(struct bench *b)
{
	ft_remote_close(b->remote);
	ft_program_clear(&b->program);
	ft_store_close(b->store);
}

/* A file in the folder that runs are carried through. */
__attribute__((unused)) static const char *in_folder(const struct bench *b, const char *name)
{
	static char paths[4][512];
	static unsigned next;
	char *path = paths[next++ % 4];

	(void)snprintf(path, sizeof paths[0], "%s/%s", b->folder, name);
	return path;
}

__attribute__((unused)) static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

/* What a file of the test says. */
__attribute__((unused)) static const char *read_text(const char *path)
{
	static char text[8192];
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;

	text[length] = '\0';
	if (file)
		(void)fclose(file);
	return text;
}

#endif
