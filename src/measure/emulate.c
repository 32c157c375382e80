/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emulate.c - programs of another processor under qemu-user, and the probe of their instructions.
 *
 * The program runs once, in the emulator, which loads foretime-qemu.so (qemu_plugin.c). Its instructions are those
 * of the other processor, and the same every time. Its times and memory are the emulator's, and no answer for that
 * processor: they are unavailable. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "measure/launch.h"
#include "measure/measure.h"
#include "measure/program_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char probe_name[] = "qemu";

/* qemu-ARCH: heap. */
static enum ft_status find_emulator(const char *architecture, char **path, struct ft_err *err)
{
	char name[64];
	size_t length = 0;

	while (isalnum((unsigned char)architecture[length]) || architecture[length] == '_')
		length++;
	if (!length || architecture[length] || length > 32) {
		(void)ft_fail(err, FT_EINVAL, "'%s' is no architecture of qemu-user", architecture);
		(void)ft_remedy(err, "name one, as in aarch64, riscv64, ppc64le, s390x or arm");
		return FT_EINVAL;
	}
	(void)snprintf(name, sizeof name, "qemu-%s", architecture);
	enum ft_status status = ft__program_find(name, path, err);

	if (status != FT_ENOENT && status != FT_EACCESS)
		return status;
	(void)ft_fail(err, FT_EUNAVAIL, "%s is not installed", name);
	(void)ft_remedy(err, "apt install qemu-user (qemu-user-static takes no plugins)");
	return FT_EUNAVAIL;
}

enum ft_status ft__emulate_open(struct ft_launch *launch, char **path, struct ft_err *err)
{
	char plugin[FT__HELPER_PATH];

	if (launch->instructions || launch->working_set || launch->counters || launch->energy ||
	    launch->gpu || launch->sockets || launch->meter || launch->real) {
		(void)ft_fail(err, FT_EINVAL,
			      "under an emulator instructions are counted, and nothing else can be measured");
		return ft_remedy(err, "leave out --measure, --meter and --save, or --emulate");
	}
	launch->counters = "none"; /* they would count the emulator */
	FT_TRY(ft__launch_find("foretime-qemu.so", plugin, err));
	return find_emulator(launch->emulate, path, err);
}

/* The reports of the program itself are of times under the emulator: it does not know of foretime (-U). The log
 * has nothing, but the emulator reads the program's symbols only if there is one. */
enum ft_status ft__emulate_words(const char *path, const char *file, char ***argv, struct ft_err *err)
{
	char plugin[FT__HELPER_PATH];

	FT_TRY(ft__launch_find("foretime-qemu.so", plugin, err));
	const char *const first[] = {path,   "-U", "FORETIME_PROBE_FD", "-d", "plugin", "-plugin",
				     plugin, "-0", (*argv)[0],          file};
	enum { N = sizeof first / sizeof *first };
	size_t n = 1, i;

	while ((*argv)[n])
		n++;
	char **words = ft_calloc(N + n, sizeof *words);
	bool good = words != NULL;
	for (i = 0; good && i < N; i++)
		good = (words[i] = ft_strdup(first[i])) != NULL;
	if (!good) {
		ft_arguments_free(words);
		return ft_nomem(err);
	}
	memcpy(words + N, *argv + 1, (n - 1) * sizeof *words);
	ft_free((*argv)[0]);
	ft_free(*argv);
	*argv = words;
	return FT_OK;
}

enum ft_status ft__emulate_run(const char *architecture, struct ft_run *run, struct ft_err *err)
{
	/* Those that each run has. */
	static const struct ft_resource *const resources[] = {&ft_wall_s, &ft_cpu_s, &ft_peak_rss_bytes};
	struct ft_err why = {0};
	size_t n = 0, i;

	for (i = 0; i < run->n_samples; i++) {
		if (!strcmp(run->sample[i].probe, probe_name))
			run->sample[n++] = run->sample[i];
		else
			ft_free(run->sample[i].reason);
	}
	run->n_samples = n;
	(void)ft_fail(&why, FT_EUNAVAIL, "under qemu-%s it is that of the emulator", architecture);
	(void)ft_remedy(&why, "measure it on such a machine");
	for (i = 0; i < sizeof resources / sizeof *resources; i++)
		FT_TRY(ft__add_unavailable(run, resources[i], probe_name, &why, err));
	return FT_OK;
}

/* ---- the probe ------------------------------------------------------------------------------------------- */

static enum ft_status open_qemu(void **state, const struct ft_launch *launch, struct ft__client *client,
				struct ft_err *err)
{
	(void)client;
	(void)err;
	*state = (void *)(uintptr_t)launch->emulate;
	return FT_OK;
}

static enum ft_status read_qemu(void *state, const struct ft__result *result, struct ft_run *run,
				struct ft_err *err)
{
	struct ft_err why = {0};

	(void)state;
	if (run->outcome != FT_DONE)
		return FT_OK;
	if (result->report->instructions > 0)
		return ft_run_add(run, &ft_instructions, result->report->instructions, FT_SIMULATED,
				  probe_name, NULL, err);
	(void)ft_fail(&why, FT_EUNAVAIL, "the emulator reported no count");
	(void)ft_remedy(
		&why,
		"let the program end by itself, and execute no other; QEMU before 4.2 takes no plugins");
	return ft__add_unavailable(run, &ft_instructions, probe_name, &why, err);
}

const struct ft__probe_ops ft__qemu_probe = {.open = open_qemu, .read = read_qemu};

enum ft_status ft__qemu_available(struct ft_err *err)
{
	char *path = NULL;

	FT_TRY(find_emulator("aarch64", &path, err));
	ft_free(path);
	return FT_OK;
}
