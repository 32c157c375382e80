/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - starts the command; for a program alone, runs build, plot and fit. */
#include "base/command.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "store/door.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { STACK_BYTES = 1 << 20 }; /* building a model takes some 100 KiB */

/* Suggest the next query: ten times the largest size. */
static void print_next(const char *name, char *const *word, size_t n)
{
	char text[FT_NUMBER_LENGTH];
	struct ft_param param;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (word[i][0] == '-' || !strchr(word[i], '=') || ft_param_parse(word[i], &param, NULL))
			continue;
		if (!any)
			printf("\nnext: foretime predict %s", name);
		any = true;
		printf(" %s=%s", param.name,
		       ft_number_format(param.least < param.most ? 10 * param.most : param.most, text));
	}
	printf("\n%s foretime largest %s time=60s\n      foretime show %s\n", any ? "     " : "next:", name,
	       name);
}

/* `foretime './matmul {n}' n=64:3000 [OPTION...]`: foretime build, plot and fit in a row. Options are
 * those of build; the store and the resource are passed on to plot and fit. */
static int see_program(int argc, char **argv)
{
	char build[] = "build", plot[] = "plot", fit[] = "fit", separator[] = "--";
	char **program, **build_words = cli_alloc(sizeof *build_words * ((size_t)argc + 3)),
			*shown[8] = {plot};
	size_t n, n_build = 0, n_shown = 2;
	bool json = false;

	if (cli_words_split(argv[0], &program, &n) != CLI_DONE) {
		free(build_words);
		return CLI_WRONG;
	}
	char *slash = strrchr(program[0], '/');
	shown[1] = argc > 1 && argv[1][0] != '-' && !strchr(argv[1], '=') ? argv[1]
		   : slash && slash[1]                                    ? slash + 1
									  : program[0];
	build_words = cli_given(reallocarray(build_words, (size_t)argc + n + 3, sizeof *build_words));
	build_words[n_build++] = build;
	for (int i = 1; i < argc; i++) {
		bool alone = !strcmp(argv[i], "--store") || !strcmp(argv[i], "-r") ||
			     !strcmp(argv[i], "--resource");

		json = json || !strcmp(argv[i], "--json") || !strcmp(argv[i], "--format=json") ||
		       (!strcmp(argv[i], "json") && !strcmp(argv[i - 1], "--format"));
		build_words[n_build++] = argv[i];
		if (n_shown < 6 &&
		    (alone || !strncmp(argv[i], "--store=", 8) || !strncmp(argv[i], "--resource=", 11)))
			shown[n_shown++] = argv[i];
		if (alone && i + 1 < argc && n_shown < 7)
			shown[n_shown++] = build_words[n_build++] = argv[++i];
	}
	build_words[n_build++] = separator;
	memcpy(build_words + n_build, program, n * sizeof *program);
	build_words[n_build + n] = NULL;
	cli_build_is_last = false;
	int status = cli_build.run(&cli_build, (int)(n_build + n), build_words);
	if (status == CLI_DONE && !json) {
		char *law_words[8]; /* the parser moves words about */

		memcpy(law_words, shown, sizeof law_words);
		law_words[0] = fit;
		puts("");
		status = cli_plot.run(&cli_plot, (int)n_shown, shown);
		puts("");
		int law = cli_fit.run(&cli_fit, (int)n_shown, law_words);
		status = law > status ? law : status; /* without a picture there still is a law */
		print_next(law_words[1], argv + 1, (size_t)argc - 1);
	}
	for (size_t i = 0; i < n; i++)
		free(program[i]);
	free(program);
	free(build_words);
	return status;
}

/* The arguments of main, and its result. */
struct call {
	int argc;
	char **argv;
	int status;
};

static void *run_call(void *ctx)
{
	struct call *call = ctx;

	if (!strcmp(call->argv[1], "--complete")) {
		call->status = cli_complete(call->argc - 2, call->argv + 2);
	} else if (strpbrk(call->argv[1], " {")) {
		call->status = see_program(call->argc - 1, call->argv + 1);
	} else {
		int argc = call->argc - 1;
		char **called = cli_alias(&argc, call->argv + 1), **word = called;
		const struct cli_command *command = cli_command_find(&argc, &word);

		call->status = command ? command->run(command, argc, word) : CLI_WRONG;
		free(called);
	}
	int written = cli_stdout_close();
	if (written != CLI_DONE && call->status == CLI_DONE)
		call->status = written;
	return NULL;
}

/* A batch system may limit our stack below what we need (ulimit -s); the programs that we run keep its
   limit. */
static bool has_stack(void)
{
	struct rlimit stack;

	return getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= STACK_BYTES;
}

static void act_apart(struct call *call)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (pthread_attr_init(&attributes)) {
		(void)run_call(call);
		return;
	}
	bool begun = !pthread_attr_setstacksize(&attributes, STACK_BYTES) &&
		     !pthread_create(&thread, &attributes, run_call, call);
	(void)pthread_attr_destroy(&attributes);
	if (begun)
		(void)pthread_join(thread, NULL);
	else
		(void)run_call(call);
}

int main(int argc, char **argv)
{
	struct call call = {argc, argv, CLI_WRONG};

	cli_streams_fill();
	cli_writes_catch();
	cli_terminal_guard();
	ft_store_lean();
	if (argc == 2 && !strcmp(argv[1], FT__AHEAD)) {
		call.argc = ft__command_await(&call.argv);
		if (call.argc < 2)
			return CLI_WRONG;
	} else if (argc < 2) {
		cli_overview(stderr, false);
		return CLI_WRONG;
	}
	if (has_stack())
		(void)run_call(&call);
	else
		act_apart(&call);
	return call.status;
}
