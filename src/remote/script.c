/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - what a task does, as a script of sh, which also tells the next build of it. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/carry.h"
#include "remote/remote.h"

#include <stdio.h>
#include <string.h>

/* A command, and the words of it that are made here. */
struct command {
	char file[PATH_MAX], limit[40], value[FT_PARAMS_MAX][FT_PARAM_LENGTH + 40];
	const char **argv; /* [n], and NULL */
	size_t n;
};

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

static void put_words(struct command *command, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		command->argv[command->n++] = words[i];
}

static void put_program(struct command *command, const struct ft_program *program, const struct ft_size *size)
{
	for (size_t i = 0; i < program->n_params; i++) {
		(void)snprintf(command->value[i], sizeof command->value[i], "%s=%.17g",
			       program->param[i].name, size->value[i]);
		command->argv[command->n++] = command->value[i];
	}
	command->argv[command->n++] = "--";
	put_words(command, (const char *const *)program->argv, program->argc);
}

static enum ft_status fill_command(struct command *command, const struct ft_remote *remote,
				   const struct ft__remote_task *task, struct ft_err *err)
{
	const struct ft_remote_options *options = &remote->options;
	const char *const begin[] = {options->foretime, "run", "--into",
				     ft__folder_path(&remote->folder, task->id, "db", command->file)},
			  *const limit[] = {"--timeout", command->limit}, *const nothing[] = {"--", "true"};
	size_t n = count_words(options->launch);

	command->n = 0;
	command->argv =
		ft_calloc(4 + 2 + n + FT_PARAMS_MAX + 2 + remote->program->argc + 1, sizeof *command->argv);
	if (!command->argv)
		return ft_nomem(err);
	put_words(command, begin, 4);
	if (!task->size.n) {
		put_words(command, nothing, 2);
		return FT_OK;
	}
	(void)snprintf(command->limit, sizeof command->limit, "%.9gs", task->limit_s);
	put_words(command, limit, task->limit_s > 0 ? 2 : 0);
	put_words(command, options->launch, n);
	put_program(command, remote->program, &task->size);
	return FT_OK;
}

enum ft_status ft__script_text(const struct ft_remote *remote, const struct ft__remote_task *task,
			       char **text, struct ft_err *err)
{
	struct command command;
	struct ft_text whole = {0};
	char end[PATH_MAX], *script = NULL;
	enum ft_status status = fill_command(&command, remote, task, err);

	if (!status)
		status = ft_carry_piece(command.argv, remote->here,
					ft__folder_path(&remote->folder, task->id, "end", end), &script, err);
	ft_free(command.argv);
	if (status)
		return status;
	ft_text_add(&whole, "%s# limit %.17g\n", script, task->limit_s);
	for (size_t i = 0; i < task->size.n; i++)
		ft_text_add(&whole, "# size %.17g\n", task->size.value[i]);
	ft_free(script);
	*text = ft_text_take(&whole);
	return *text ? FT_OK : ft_nomem(err);
}

bool ft__script_recall(const struct ft_remote *remote, const char *id, struct ft__remote_task *task)
{
	char path[PATH_MAX], line[4096];
	FILE *file = fopen(ft__folder_path(&remote->folder, id, "sh", path), "re");
	double value;

	*task = (struct ft__remote_task){.fate = FT__TASK_OUT};
	(void)snprintf(task->id, sizeof task->id, "%s", id);
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "# limit %lf", &value) == 1)
			task->limit_s = value;
		else if (sscanf(line, "# size %lf", &value) == 1 && task->size.n < FT_PARAMS_MAX)
			task->size.value[task->size.n++] = value;
	}
	if (file)
		(void)fclose(file);
	return task->size.n == remote->program->n_params;
}
