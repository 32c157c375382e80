/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices_kernel.c - a kernel of OpenCL on devices, each run a process of this program. */
#include "cli/build/rivals.h"
#include "cli/common.h"
#include "cli/program.h"
#include "foretime/hardware.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_word(struct cli_words *words, char *word)
{
	words->word = cli_grow(words->word, words->n, sizeof *words->word);
	words->word[words->n++] = word;
}

static void add_option(struct cli_words *words, const char *name, const char *value)
{
	if (value)
		add_word(words, cli_printed("--%s=%s", name, value));
}

/* The device runs it by a process of this program: a driver that crashes takes that alone. */
static int add_kernel(struct cli_rivals *d, const char *device)
{
	const struct cli_build *build = d->build;
	struct cli_words words = {0};
	struct ft_program *program = &d->program[d->n];
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (length <= 0)
		return cli_fail("cannot find the file of this program: is /proc mounted?");
	self[length] = '\0';
	add_word(&words, cli_strdup(self));
	add_word(&words, cli_strdup("device"));
	add_word(&words, cli_strdup("run"));
	add_word(&words, cli_strdup(build->opencl.path));
	char *on = build->opencl.tell ? cli_printed("%s,timed=%s", device, build->opencl.tell)
				      : cli_strdup(device);
	add_option(&words, "device", on);
	free(on);
	add_option(&words, "kernel", build->opencl.kernel);
	add_option(&words, "global", build->opencl.global);
	add_option(&words, "local", build->opencl.local);
	add_option(&words, "flags", build->opencl.flags);
	for (size_t i = 0; i < build->opencl.args.n; i++)
		add_option(&words, "arg", build->opencl.args.text[i]);
	for (size_t i = 0; i < build->program.n_params; i++)
		add_word(&words,
			 cli_printed("%s={%s}", build->program.param[i].name, build->program.param[i].name));
	program->device = cli_strdup(device);
	d->n++;
	cli_program_argv(program, words.word, words.n);
	for (size_t i = 0; i < words.n; i++)
		free(words.word[i]);
	free(words.word);
	return CLI_DONE;
}

static int add_all_kernels(struct cli_rivals *d)
{
	struct ft_hardware hardware;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_hardware_read(&hardware, &err))
		return cli_error(&err);
	for (size_t i = 0; i < hardware.n && d->n < FT_DEVICES_MAX && status == CLI_DONE; i++)
		if (!strncmp(hardware.item[i].id, "opencl:", 7))
			status = add_kernel(d, hardware.item[i].id);
	if (status == CLI_DONE && !d->n)
		status = cli_fail("OpenCL has no device here: %s", hardware.opencl);
	ft_hardware_clear(&hardware);
	return status;
}

int cli_rivals_kernels(struct cli_rivals *d)
{
	const struct cli_build *build = d->build;
	int status = CLI_DONE;

	if (!build->opencl.global)
		return cli_fail("--opencl has no global size (the number of work-items)\n"
				"hint: write --opencl FILE.cl,global=n,n,local=16,16; local is the size of a "
				"work-group");
	if (build->opencl.tell && strcmp(build->opencl.tell, "launch") != 0 &&
	    strcmp(build->opencl.tell, "kernel") != 0)
		return cli_fail("timed= is launch or kernel, not '%s'", build->opencl.tell);
	if (!build->devices.n)
		return add_all_kernels(d);
	for (size_t i = 0; i < build->devices.n && status == CLI_DONE; i++) {
		const char *device = build->devices.text[i];

		if (!strcmp(device, "all"))
			status = add_all_kernels(d);
		else if (!strncmp(device, "opencl:", 7) && !strchr(device, '='))
			status = add_kernel(d, device);
		else
			status = cli_rivals_command(d, device);
	}
	return status;
}
