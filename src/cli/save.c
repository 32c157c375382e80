/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.c - stores a run that a user needed; a failure of the store does not change the run's exit status. */
#include "cli/cli.h"
#include "foretime/measure.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- identify this machine quickly ------------------------------------------------------------------- */

/* A word for the computer as it is since it was started; NULL: not known. Ends with free. */
static char *boot_word(void)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char id[64];
	char *word = NULL;

	if (!file)
		return NULL;
	if (fgets(id, sizeof id, file)) {
		id[strcspn(id, "\n")] = '\0';
		word = cli_printed("%s/%ld", id, sysconf(_SC_NPROCESSORS_CONF));
	}
	(void)fclose(file);
	return word;
}

/* The machine as stored since this boot. */
static enum ft_status find_machine(struct ft_store *store, struct ft_machine *machine, struct ft_err *err)
{
	CLI_OWN char *boot = boot_word(), *fingerprint = NULL;
	int64_t id;
	enum ft_status status = FT_ENOENT;

	if (boot && !ft_store_get_known(store, boot, &fingerprint, NULL) &&
	    !ft_store_find_machine(store, fingerprint, &id, NULL))
		status = ft_store_get_machine(store, id, machine, err);
	if (status) {
		status = ft_machine_read("", machine, err);
		if (!status)
			status = ft_store_put_machine(store, machine, err);
		if (!status && boot)
			status = ft_store_put_known(store, boot, machine->fingerprint, err);
	}
	return status;
}

char *cli_program_hash(struct ft_store *store, const struct ft_program *program)
{
	char *stamp = NULL, *hash = NULL;

	if (ft_program_stamp(program, &stamp, NULL) || !store ||
	    ft_store_get_known(store, stamp, &hash, NULL)) {
		if (ft_program_hash(program, &hash, NULL)) /* it cannot be read, only executed */
			hash = cli_strdup("");
		else if (store && stamp)
			(void)ft_store_put_known(store, stamp, hash, NULL);
	}
	free(stamp);
	return hash;
}

/* ---- while the program runs --------------------------------------------------------------------------- */

struct cli_saving {
	const char *store_path;
	struct ft_program program; /* borrows all but the hash and the driver */
	struct ft_machine machine;
	struct ft_store *store; /* NULL: err has the reason */
	struct ft_err err;
	const char *trace; /* of the run of the process; NULL: none is stored */
	pthread_t thread;
	bool threaded;
};

static void *prepare_store(void *ctx)
{
	struct cli_saving *saving = ctx;

	if (!ft_store_open(&saving->store, saving->store_path, FT_STORE_HASTY, &saving->err) &&
	    find_machine(saving->store, &saving->machine, &saving->err)) {
		ft_store_close(saving->store);
		saving->store = NULL;
	}
	saving->program.driver = cli_driver_named(saving->program.device);
	saving->program.hash = cli_program_hash(saving->store, &saving->program);
	return NULL;
}

struct cli_saving *cli_save_begin(const char *store_path, const struct ft_program *program)
{
	struct cli_saving *saving = cli_alloc(sizeof *saving);
	sigset_t all, before;

	saving->store_path = store_path;
	saving->program = *program;
	saving->program.hash = NULL;
	(void)sigfillset(&all); /* signals are the main thread's to pass on */
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	saving->threaded = !pthread_create(&saving->thread, NULL, prepare_store, saving);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return saving;
}

/* ---- keeping ------------------------------------------------------------------------------------------ */

/* All of them or none: where a store fails, a spool takes them all. */
static enum ft_status put_runs(struct ft_store *store, struct cli_saving *saving, struct ft_runs *runs,
			       struct ft_err *err)
{
	FT_TRY(ft_store_begin(store, err));
	enum ft_status status = ft_store_put_program(store, &saving->program, err);
	for (size_t i = 0; i < runs->n && !status; i++)
		status = ft_store_keep_run(store, &saving->program, saving->machine.id, &runs->run[i], err);
	if (!status && saving->trace && runs->n)
		status =
			ft_store_put_trace(store, runs->run[0].id, saving->trace, strlen(saving->trace), err);
	return ft_store_end(store, status, err);
}

static enum ft_status put_all(struct ft_store *store, struct cli_saving *saving, struct ft_runs *runs,
			      struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (!saving->machine.fingerprint)
		status = ft_machine_read("", &saving->machine, err);
	if (!status)
		status = ft_store_put_machine(store, &saving->machine, err);
	return status ? status : put_runs(store, saving, runs, err);
}

/* The store failed: why is in saving->err. */
static void spool(struct cli_saving *saving, struct ft_runs *runs)
{
	const struct ft_err *why = &saving->err;
	struct ft_store *store;
	struct ft_err err = {0};
	enum ft_status status = ft_store_open_spool(&store, saving->store_path, &err), closed;

	if (!status) {
		status = put_all(store, saving, runs, &err);
		closed = ft_store_close_spool(store, !status, status ? NULL : &err);
		status = status ? status : closed;
	}
	if (status) {
		cli_note("the run is not kept: %s; nor in the spool: %s", why->text, err.text);
		if (why->remedy[0])
			cli_hint("%s", why->remedy);
	} else {
		cli_note("%s; the run is kept in the spool, and enters the store at its next use", why->text);
	}
}

void cli_save_end(struct cli_saving *saving, struct ft_runs *runs, const char *trace)
{
	bool any = runs->n && runs->run[0].outcome != FT_NOT_STARTED;
	enum ft_status status = FT_OK;

	saving->trace = trace;
	if (saving->threaded)
		(void)pthread_join(saving->thread, NULL);
	else
		(void)prepare_store(saving);
	for (size_t i = 0; i < runs->n; i++)
		runs->run[i].real = true;
	if (saving->store && any) {
		if (isatty(STDERR_FILENO)) /* else it would stand among what the program prints */
			cli_program_tell_version(saving->store, &saving->program);
		status = put_runs(saving->store, saving, runs, &saving->err);
	}
	ft_store_close(saving->store);
	if (!saving->store && any)
		status = saving->err.status;
	if (status == FT_EEXIST || status == FT_EINVAL || status == FT_ENOTOURS) /* it will never take them */
		(void)cli_error(&saving->err);
	else if (status == FT_EMOVED) /* they wait in a spool already */
		cli_note("%s; %s", saving->err.text, saving->err.remedy);
	else if (any && (status || !saving->store))
		spool(saving, runs);
	free(saving->program.hash);
	free(saving->program.driver);
	ft_machine_clear(&saving->machine);
	free(saving);
}

/* ---- a file of their own ------------------------------------------------------------------------------- */

static enum ft_status put_apart(const char *path, const struct ft_program *program, struct ft_runs *runs,
				struct ft_err *err)
{
	struct cli_saving saving = {.program = *program};
	struct ft_store *store;

	FT_TRY(ft_store_open(&store, path, FT_STORE_ROLLBACK, err));
	saving.program.hash = cli_program_hash(NULL, program);
	enum ft_status status = put_all(store, &saving, runs, err);
	ft_store_close(store);
	free(saving.program.hash);
	ft_machine_clear(&saving.machine);
	return status;
}

int cli_save_apart(const char *path, const struct ft_program *program, struct ft_runs *runs)
{
	CLI_OWN char *part = cli_printed("%s.part", path), *journal = cli_printed("%s-journal", part);
	struct ft_err err = {0};
	int result = CLI_DONE;

	/* Left by a killed process. */
	(void)unlink(part);
	(void)unlink(journal);
	enum ft_status status = put_apart(part, program, runs, &err);
	if (status)
		result = cli_error(&err);
	else if (rename(part, path))
		result = cli_fail("cannot keep '%s': %s", path, strerror(errno));
	if (result != CLI_DONE)
		(void)unlink(part);
	return result;
}

/* ---- signals ------------------------------------------------------------------------------------------ */

static volatile sig_atomic_t passed;

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0) /* sent by a process; the kernel's are positive */
		passed = number;
}

volatile sig_atomic_t *cli_signals_pass(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART}, before;

	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			(void)sigaction(numbers[i], &action, NULL);
	return &passed;
}

void cli_end_by_signal(int number)
{
	struct rlimit none = {0, 0};
	sigset_t set;

	(void)fflush(NULL);
	(void)setrlimit(RLIMIT_CORE, &none); /* the program left one, where it is wanted */
	(void)signal(number, SIG_DFL);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, number);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	(void)raise(number);
}
