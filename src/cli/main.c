/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - which command is meant. */
#include "cli/command.h"
#include "cli/common.h"
#include "cli/complete.h"
#include "cli/terminal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { STACK_BYTES = 1 << 20 }; /* building a model takes some 100 KiB */

/* What main was given, and what it returns. */
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

/* A batch system may leave us less than we need (ulimit -s); the programs that we run get what it says. */
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
	if (argc < 2) {
		cli_overview(stderr, false);
		return CLI_WRONG;
	}
	if (has_stack())
		(void)run_call(&call);
	else
		act_apart(&call);
	return call.status;
}
