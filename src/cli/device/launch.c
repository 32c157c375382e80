/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - the launches of a calibration: each is a process, `foretime device run`, so that a driver that
 * crashes or hangs takes nothing along but that one. */
#include "base/command.h"
#include "cli/common.h"
#include "cli/options.h"
#include "cli/device/device.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double limit_s =
	120; /* of one: compiling, and 20 launches of milliseconds; pocl needs 3 s at most */

enum { WORDS = 16, WHY = 400 };

struct launching {
	const char *device;
	size_t times, made;
	char self[PATH_MAX], path[FT_MICRO_PATH];
	char why[WHY]; /* the last one failed; its hint, or "" */
	char hint[WHY];
	bool told; /* the last one ran */
};

/* ---- one of them -------------------------------------------------------------------------------------- */

/* The words of a command that failed: "foretime: WHY", "hint: WHAT". */
static void take_words(struct launching *l, const struct ft__command *command)
{
	static const char head[] = "foretime: ", tail[] = "hint: ";
	const char *why = command->words ? strstr(command->words, head) : NULL,
		   *hint = why ? strstr(why, tail) : NULL;

	*l->why = *l->hint = '\0';
	if (command->late)
		(void)snprintf(l->why, sizeof l->why, "it did not end within %g s", limit_s);
	else if (command->signal)
		(void)snprintf(l->why, sizeof l->why, "the device's driver crashed (signal %d)",
			       command->signal);
	else if (why)
		(void)snprintf(l->why, sizeof l->why, "%.*s", (int)strcspn(why + strlen(head), "\n"),
			       why + strlen(head));
	else
		(void)snprintf(l->why, sizeof l->why, "the device's driver ended the process");
	if (hint && !command->late && !command->signal)
		(void)snprintf(l->hint, sizeof l->hint, "%.*s", (int)strcspn(hint + strlen(tail), "\n"),
			       hint + strlen(tail));
}

/* What foretime device run told. */
static bool take_times(struct launching *l, const struct ft__command *command, struct ft_timed_launch *row)
{
	json_t *told = json_loadb(command->text, command->length, 0, NULL);

	l->told = told != NULL;
	row->seconds = json_number_value(json_object_get(told, "kernel_low_s"));
	row->sigma = json_number_value(json_object_get(told, "kernel_sigma_s"));
	json_decref(told);
	if (!l->told)
		take_words(l, command);
	else if (!(row->seconds > 0))
		(void)snprintf(l->why, sizeof l->why, "it took no time");
	return row->seconds > 0;
}

/* False: it failed, l->why says how. */
static bool launch_one(struct launching *l, const struct ft_micro_launch *launch, struct ft_timed_launch *row)
{
	char *word[WORDS] = {cli_printed("--device=%s", l->device),
			     cli_printed("--kernel=%s", launch->kernel),
			     cli_printed("--global=%zu,%zu", launch->global[0], launch->global[1]),
			     cli_printed("--local=%zu,%zu", launch->local[0], launch->local[1]),
			     cli_printed("--arg=a=float[%zu]", launch->floats),
			     cli_printed("--runs=%zu", l->times),
			     cli_printed("n=%d", launch->n)};
	const char *argv[WORDS + 6] = {l->self, "device", "run", l->path, "--json"};
	FT_CLEANUP(ft__command_clear)
	struct ft__command command = {.argv = argv, .limit_s = limit_s, .apart = true};

	for (size_t i = 0; word[i]; i++)
		argv[i + 5] = word[i];
	cli_defaults_end();
	command.interrupt = cli_interrupt_flag();
	bool good = !ft__command_run(&command, NULL);
	l->told = false;
	if (good)
		good = take_times(l, &command, row);
	else
		take_words(l, &command);
	for (size_t i = 0; word[i]; i++)
		free(word[i]);
	return good;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static int open_kernels(struct launching *l, int *fd)
{
	ssize_t length = readlink("/proc/self/exe", l->self, sizeof l->self - 1);
	struct ft_err err = {0};

	*fd = -1;
	if (length <= 0)
		return cli_fail("cannot find the file of this program: is /proc mounted?");
	l->self[length] = '\0';
	return ft_micro_file(fd, l->path, &err) ? cli_error(&err) : CLI_DONE;
}

/* Where the first launch, of a kernel that does nothing, is refused, none can be made. */
static int try_device(struct launching *l)
{
	struct ft_timed_launch row;
	struct ft_micro_launch launch;

	cli_signals_catch();
	(void)ft_micro_launch_get(0, &launch);
	if (launch_one(l, &launch, &row) || l->told)
		return CLI_DONE;
	if (*cli_interrupt_flag())
		return CLI_INTERRUPTED;
	(void)cli_fail("%s", l->why);
	if (*l->hint)
		cli_hint("%s", l->hint);
	return CLI_WRONG;
}

/* rows: [ft_micro_launches()], counted; those that were made are moved to the front. */
static int launch_rows(struct launching *l, struct ft_timed_launch *row)
{
	struct ft_micro_launch launch;

	for (size_t i = 0; ft_micro_launch_get(i, &launch); i++) {
		if (launch_one(l, &launch, &row[i])) {
			row[l->made++] = row[i];
			continue;
		}
		if (*cli_interrupt_flag())
			return CLI_INTERRUPTED;
		cli_note("%s, %d turns, is left out: %s", launch.kernel, launch.n, l->why);
	}
	return CLI_DONE;
}

int cli_device_launch(struct ft_timed *timed, const char *device, size_t times)
{
	struct launching l = {.device = device, .times = times};
	struct ft_err err = {0};
	int fd, status = open_kernels(&l, &fd);

	timed->row = cli_alloc(ft_micro_launches() * sizeof *timed->row);
	timed->device = device;
	if (status == CLI_DONE)
		status = try_device(&l);
	if (status == CLI_DONE && ft_micro_count(timed->row, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = launch_rows(&l, timed->row);
	timed->n = l.made;
	if (fd >= 0)
		(void)close(fd);
	return status;
}
