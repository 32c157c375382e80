/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - times a kernel on a device, for a reader and for the foretime that measures this process. */
#include "cli/cli.h"
#include "cli/device/device.h"
#include "foretime-probe.h"
#include "foretime/base.h"
#include "foretime/kernel.h"
#include "kernel/door.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SUM struct ft_execute_sum
static const struct ft_tell_row sum_rows[] = {
	{FT_TELL(SUM, name), .head = "buffer"},
	{FT_TELL(SUM, bytes), .head = ">size", .unit = "bytes"},
	{FT_TELL(SUM, sum), .about = "of its elements, each by a weight of its place", .null = "no number",
	 .head = ">checksum"},
	{0},
};
static const struct ft_tell_record sum = {.bytes = sizeof(SUM), .row = sum_rows};

#define OUT struct ft_executed
static const struct ft_tell_row rows[] = {
	{FT_TELL(OUT, device)},
	{FT_TELL(OUT, work_items)},
	{FT_TELL(OUT, group), .about = "work-items of a group; 1 where the driver chose"},
	{FT_TELL(OUT, local_bytes), .about = "of local memory, of a group"},
	{FT_TELL(OUT, times), .about = "launches that were timed; times are their mean"},
	{FT_TELL(OUT, build_s), .about = "of the device's compiler"},
	{FT_TELL(OUT, first_s), .about = "of the kernel in a launch before those that are timed"},
	{FT_TELL(OUT, write_s), .about = "buffers to the device"},
	{FT_TELL(OUT, kernel_s)},
	{FT_TELL(OUT, kernel_low_s), .about = "lower quartile of the kernel's times"},
	{FT_TELL(OUT, kernel_sigma_s), .about = "standard deviation of one; 0: it was timed once"},
	{FT_TELL(OUT, read_s), .about = "buffers that the kernel may write, back"},
	{FT_TELL(OUT, launch_s), .about = "all three, with what lies between them"},
	{FT_TELL(OUT, cpu_s), .about = "processor time of this process meanwhile"},
	{FT_TELL_MANY(LIST, "buffers", OUT, sum, n_sums, &sum)},
	{0},
};
const struct ft_tell_record cli_kernel_run_answer = {
	.name = "kernel-run", .typed = "device run", .version = 1, .row = rows};

/* "opencl:K" */
static int read_device(const char *text, size_t *index)
{
	char *end = NULL;

	*index = 0;
	if (!text)
		return CLI_DONE;
	unsigned long number = strncmp(text, "opencl:", 7) ? 0 : strtoul(text + 7, &end, 10);
	if (!end || *end || end == text + 7 || number > 1000)
		return cli_fail("--device is opencl:K, not '%s'\n"
				"hint: foretime device list shows them",
				text);
	*index = number;
	return CLI_DONE;
}

/* To the foretime that measures this process, where one does. What one routine takes stands for the process.
 */
static void tell_fault(const OUT *done, const char *answer)
{
	const struct {
		const char *answer, *name;
		double wall_s, cpu_s;
	} parts[] = {{"launch", "launch", done->launch_s, done->cpu_s},
		     {"kernel", "kernel", done->kernel_s, done->cpu_s},
		     {"parts", "kernel", done->kernel_s, done->cpu_s},
		     {"parts", "write", done->write_s, 0},
		     {"parts", "read", done->read_s, 0}};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct ft_probe probe = FT_PROBE_INIT;

		if (strcmp(parts[i].answer, answer) != 0)
			continue;
		probe.calls = 1;
		probe.wall_ns = 1e9 * parts[i].wall_s;
		probe.cpu_ns = 1e9 * parts[i].cpu_s;
		ft_probe_report(parts[i].name, 0, &probe);
	}
}

static int check_tell(const char *answer)
{
	if (!strcmp(answer, "launch") || !strcmp(answer, "kernel") || !strcmp(answer, "parts"))
		return CLI_DONE;
	return cli_fail("timed= is launch, kernel or parts, not '%s'", answer);
}

/* A kernel for the processors runs inside this process, in threads of the driver, and may end it in any
 * way, even where a signal handler has no stack. So the launch gets a process of its own, watched by this
 * one. Returns true here, with the exit status; false in the launching process, or when there can be none. */
static bool watch_launch(int *status)
{
	static const struct {
		int signal;
		const char *words;
	} ends[] = {{SIGSEGV, "reached outside of its buffers, or of its stack,"},
		    {SIGBUS, "reached outside of its buffers"},
		    {SIGABRT, "spoiled memory that is not its own, or its driver gave up,"},
		    {SIGILL, "came to a trap or to an instruction that this processor lacks,"},
		    {SIGTRAP, "came to a trap"},
		    {SIGFPE, "divided a whole number by 0"}};
	int state = 0;

	(void)fflush(NULL);
	pid_t child = fork();
	if (!child)
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (child <= 0)
		return false;
	while (waitpid(child, &state, 0) < 0 && errno == EINTR)
		;
	*status = WEXITSTATUS(state);
	if (!WIFSIGNALED(state))
		return true;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (ends[i].signal == WTERMSIG(state))
			(void)cli_fail("the kernel %s and ended the process\n"
				       "hint: oclgrind(1) names the place: man foretime-device",
				       ends[i].words);
	cli_end_by_signal(WTERMSIG(state));
	return true;
}

int cli_kernel_run(void *query)
{
	struct cli_kernel *k = &((struct cli_device *)query)->kernel;
	struct ft_kernel_source source = {0};
	struct cli_subject subject = {0};
	struct ft_execute_options options = {.times = k->times};
	OUT done = {0};
	struct ft_err err = {0};
	char **flag = NULL;
	const char *answer = k->tell ? k->tell : "launch";
	int status = check_tell(answer);

	if (status == CLI_DONE)
		status = cli_kernel_check(k, false);
	options.seed = k->options.seed;
	if (status == CLI_DONE)
		status = read_device(k->device, &options.device);
	if (status == CLI_DONE)
		status = cli_subject_take(&subject, k, false);
	if (status == CLI_DONE)
		status = cli_kernel_source(&source, k, &flag);
	if (status == CLI_DONE && watch_launch(&status))
		goto out;
	if (status == CLI_DONE && ft_execute(&done, &source, &subject.launch, &options, &err))
		status = cli_error(&err);
	if (status == CLI_DONE) {
		tell_fault(&done, answer);
		if (k->json) {
			cli_tell(&cli_kernel_run_answer, &done, NULL);
		} else {
			const struct {
				const char *name;
				double seconds;
			} parts[] = {{"compiled in", done.build_s},   {"first launch", done.first_s},
				     {"write buffers", done.write_s}, {"kernel", done.kernel_s},
				     {"read buffers", done.read_s},   {"all of a launch", done.launch_s}};
			char text[FT_UNIT_LENGTH];

			printf("%.15g work-items on %s\n\n", done.work_items, done.device);
			for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
				printf("%-16s %s\n", parts[i].name,
				       ft_value_format(parts[i].seconds, "s", text));
			putchar('\n');
			cli_tell_table(&sum, done.sum, done.n_sums, NULL);
		}
	}
out:
	ft_executed_clear(&done);
	cli_kernel_source_clear(&source, flag);
	cli_subject_clear(&subject);
	return status;
}
