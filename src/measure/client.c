/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - foretime's side of the protocol with foretime-helper. */
#include "base/alloc.h"
#include "base/command.h"
#include "base/text.h"
#include "measure/helper.h"
#include "measure/launch.h"
#include "measure/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Find foretime-helper and start it.
 */

static const char *const thread_variables[] = {
	"OMP_NUM_THREADS",  "OPENBLAS_NUM_THREADS",   "MKL_NUM_THREADS",
	"BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS",
};

/* Of the loader of OpenCL: libraries that stand between it and programs. */
static const char *const layers_variable = "OPENCL_LAYERS";

enum { N_THREAD_VARIABLES = sizeof thread_variables / sizeof *thread_variables };

/* The path of the helper: from the user, next to our own executable (a build folder), or installed. */
static enum ft_status find_helper(char path[FT__HELPER_PATH], struct ft_err *err)
{
	const char *named = secure_getenv("FORETIME_HELPER");

	if (named && *named) {
		(void)snprintf(path, FT__HELPER_PATH, "%s", named);
		if (!access(path, X_OK))
			return FT_OK;
		(void)ft_fail(err, FT_EUNAVAIL, "cannot execute the helper '%s': %s", named, strerror(errno));
		(void)ft_remedy(err, "correct FORETIME_HELPER, or unset it");
		return FT_EUNAVAIL;
	}
	if (ft__command_beside("foretime-helper", path, FT__HELPER_PATH))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot find foretime-helper in '%s'", FT_LIBEXECDIR);
	(void)ft_remedy(err, "install foretime again, or set FORETIME_HELPER=PATH");
	return FT_EUNAVAIL;
}

enum ft_status ft__launch_find(const char *name, char path[FT__HELPER_PATH], struct ft_err *err)
{
	enum ft_status status = find_helper(path, err);
	char *slash = status ? NULL : strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - path) : 0;

	if (status)
		return status;
	(void)snprintf(path + folder, FT__HELPER_PATH - folder, "%s", name);
	if (!access(path, X_OK))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot execute '%s': %s", path, strerror(errno));
	(void)ft_remedy(err, "install foretime again");
	return FT_EUNAVAIL;
}

/* ---- the environment --------------------------------------------------------------------------------- */

static bool is_one_of(const char *entry, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(name[i]);
		if (!strncmp(entry, name[i], length) && entry[length] == '=')
			return true;
	}
	return false;
}

/* Whether a variable of ours is passed on unchanged. */
static bool stays_as_is(const char *entry, const struct ft__setup *setup)
{
	static const char *const kept[] = {"PATH", "HOME", "LD_LIBRARY_PATH", "QEMU_LD_PREFIX"};

	if (setup->layer && is_one_of(entry, &layers_variable, 1))
		return false;
	if (is_one_of(entry, thread_variables, N_THREAD_VARIABLES))
		return setup->threads <= 0;
	return !setup->fixed || is_one_of(entry, kept, sizeof kept / sizeof *kept);
}

/* The first entries are ours to free, the rest are borrowed. */
struct environment {
	char **entry; /* NULL: as ours */
	size_t own;
};

static void free_environment(struct environment *environment)
{
	for (size_t i = 0; environment->entry && i < environment->own; i++)
		ft_free(environment->entry[i]);
	ft_free(environment->entry);
}

/* Ours, with the number of threads in front. */
static bool make_environment(const struct ft__setup *setup, struct environment *out)
{
	/* Routines mark where they begin (foretime-probe.h, ft_probe_counts). */
	static char locale[] = "LC_ALL=C", counts[] = "FORETIME_PROBE_COUNT=1";
	size_t n = 0, used = 0;

	*out = (struct environment){0};
	if (setup->threads <= 0 && !setup->fixed && !setup->layer)
		return true;
	while (environ && environ[n])
		n++;
	out->entry = ft_calloc(n + N_THREAD_VARIABLES + 4, sizeof *out->entry);
	if (!out->entry)
		return false;
	for (size_t i = 0; setup->threads > 0 && i < N_THREAD_VARIABLES; i++) {
		struct ft_text text = {0};

		ft_text_add(&text, "%s=%d", thread_variables[i], setup->threads);
		out->entry[i] = ft_text_take(&text);
		if (!out->entry[i]) {
			free_environment(out);
			return false;
		}
		used = out->own = i + 1;
	}
	if (setup->layer) {
		const char *before = getenv("OPENCL_LAYERS");
		struct ft_text text = {0};

		ft_text_add(&text, "OPENCL_LAYERS=%s%s%s", before ? before : "", before && *before ? ":" : "",
			    setup->layer);
		out->entry[used] = ft_text_take(&text);
		if (!out->entry[used]) {
			free_environment(out);
			return false;
		}
		out->own = ++used;
	}
	if (setup->fixed) {
		out->entry[used++] = locale;
		if (!setup->whole)
			out->entry[used++] = counts;
	}
	for (size_t i = 0; i < n; i++)
		if (stays_as_is(environ[i], setup))
			out->entry[used++] = environ[i];
	return true;
}

/* ---- the start --------------------------------------------------------------------------------------- */

/* The descriptor of the helper's end. */
static int choose_descriptor(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > FT__HELPER_SOCKET)
		return FT__HELPER_SOCKET;
	return (int)files.rlim_cur - 1;
}

/* A real program is left in the control group where it was begun. */
static int spawn_helper(struct ft__client *client, const char *path, int theirs, const int standard[2],
			bool real, char **environment)
{
	char name[] = "foretime-helper", word[] = "real", number[16], group[PATH_MAX];
	char *argv[] = {name, number,
			real                                   ? word
			: ft__cgroups_own("", "memory", group) ? group
							       : NULL,
			NULL};
	int descriptor = choose_descriptor();
	posix_spawn_file_actions_t actions;
	int i, failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	(void)snprintf(number, sizeof number, "%d", descriptor);
	for (i = 0; i < 2 && !failed; i++)
		if (standard[i] > 0)
			failed = posix_spawn_file_actions_adddup2(&actions, standard[i], STDOUT_FILENO + i);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, theirs, descriptor);
	if (!failed)
		failed = posix_spawn(&client->helper, path, &actions, NULL, argv, environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static enum ft_status need_files(int number, struct ft_err *err)
{
	if (number == EMFILE || number == EBADF)
		(void)ft_remedy(err, "let it open more files: ulimit -n 256");
	return FT_EUNAVAIL;
}

/* A pipe in the place of standard output, and one of standard error: ours to read, and never to wait for. */
static int open_heard(struct ft__client *client, int standard[2])
{
	int ends[2], i;

	for (i = 0; i < 2; i++) {
		if (pipe2(ends, O_CLOEXEC))
			return errno;
		(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
		client->heard[i] = ends[0];
		standard[i] = ends[1];
	}
	return 0;
}

/* launch_helper - start the helper: $FORETIME_HELPER, else one next to our own executable, else the
 * installed one.
 *
 * setup    threads are put into its environment; a fixed one holds PATH, HOME, LD_LIBRARY_PATH, QEMU_LD_PREFIX
 * and the variables of thread numbers as they are here, and LC_ALL=C
 * client   out: our end of the socket and the helper's number; ends with ft__client_close, also on failure
 * path     out: where it was found
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, or it cannot be executed; FT_ENOMEM.
 */
static enum ft_status launch_helper(const struct ft__setup *setup, struct ft__client *client,
				    char path[FT__HELPER_PATH], struct ft_err *err)
{
	struct environment environment;
	int ends[2], standard[2] = {setup->overhear ? 0 : setup->output, 0}, number = 0, i;

	*client = (struct ft__client){.socket = -1, .heard = {-1, -1}};
	FT_TRY(find_helper(path, err));
	if (!make_environment(setup, &environment))
		return ft_nomem(err);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		number = errno;
		free_environment(&environment);
		(void)ft_fail(err, FT_EUNAVAIL, "cannot make a socket: %s", strerror(number));
		return need_files(number, err);
	}
	client->socket = ends[0];
	if (setup->overhear)
		number = open_heard(client, standard);
	if (!number)
		number = spawn_helper(client, path, ends[1], standard, setup->real,
				      environment.entry ? environment.entry : environ);
	for (i = 0; i < 2 && setup->overhear; i++)
		if (standard[i] > 0)
			(void)close(standard[i]);
	(void)close(ends[1]);
	free_environment(&environment);
	if (!number)
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot start the helper '%s': %s", path, strerror(number));
	return need_files(number, err);
}

/*
 * Foretime's side of the protocol with foretime-helper.
 */

enum { CLOSE_MS = 5000 };

static enum ft_status greet_helper(struct ft__client *client, const char *path, struct ft_err *err)
{
	struct ft__hello hello = {0};
	const char *what = "does not start";

	if (ft__wire_receive(client->socket, &hello, sizeof hello)) {
		client->reaps = hello.reaps;
		if (hello.magic == FT__HELPER_MAGIC && hello.protocol == FT__HELPER_PROTOCOL)
			return FT_OK;
		what = "is of another version of foretime";
	}
	(void)ft_fail(err, FT_EUNAVAIL, "the helper '%s' %s", path, what);
	(void)ft_remedy(err, "install foretime again, or set FORETIME_HELPER=PATH");
	return FT_EUNAVAIL;
}

enum ft_status ft__client_open(struct ft__client *client, const struct ft__setup *setup, struct ft_err *err)
{
	char path[FT__HELPER_PATH];
	static const struct ft__setup plain = {0};
	enum ft_status status = launch_helper(setup ? setup : &plain, client, path, err);

	if (!status)
		status = greet_helper(client, path, err);
	if (status)
		ft__client_close(client);
	return status;
}

/* The helper ends when the socket closes, once it has ended everything else. */
void ft__client_close(struct ft__client *client)
{
	struct timespec pause = {.tv_nsec = 100000};
	pid_t ended = 0;

	if (client->socket >= 0)
		(void)close(client->socket);
	client->socket = -1;
	for (size_t i = 0; i < 2; i++) {
		if (client->heard[i] > 0)
			(void)close(client->heard[i]);
		client->heard[i] = -1;
	}
	if (client->helper <= 0)
		return;
	for (int waited = 0; waited < CLOSE_MS && !ended; waited++) {
		ended = waitpid(client->helper, &client->ended, WNOHANG);
		if (!ended)
			(void)nanosleep(&pause, NULL); /* the system's time: a process ends in no other */
		if (waited >= 10)                      /* it is not just about to end */
			pause.tv_nsec = 1000000;
	}
	if (!ended && !kill(client->helper, SIGKILL))
		(void)waitpid(client->helper, &client->ended, 0);
	client->helper = 0;
}

/* Take the pending signal to pass on; 0: none. A handler may replace it at any time: it is taken before it
 * is sent, so that only a signal replaced by a later one is lost. */
static int take_signal(volatile sig_atomic_t *signal)
{
	int taken = signal ? (int)*signal : 0;

	if (taken)
		*signal = 0;
	return taken;
}

int ft__client_wait(struct ft__client *client, volatile sig_atomic_t *signal)
{
	const struct timespec pause = {.tv_nsec = FT__LISTEN_MS * 1000000L};

	while (client->helper > 0 && !waitpid(client->helper, &client->ended, WNOHANG)) {
		int sent = take_signal(signal);
		if (sent)
			(void)kill(client->helper, sent);
		(void)nanosleep(&pause, NULL);
	}
	client->helper = 0;
	ft__client_close(client);
	return client->ended;
}

/* ---- processors -------------------------------------------------------------------------------------- */

static const char *parse_number(const char *at, long *number)
{
	char *end;

	if (*at < '0' || *at > '9')
		return NULL;
	errno = 0;
	*number = strtol(at, &end, 10);
	if (errno)
		*number = LONG_MAX;
	return end;
}

static enum ft_status no_processor(long number, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "there is no processor %ld that we may use", number);
	(void)ft_remedy(err, "'lscpu' shows those that there are, 'taskset -p $$' those that we may use");
	return FT_EINVAL;
}

static enum ft_status parse_processors(const char *text, cpu_set_t *set, size_t bytes, struct ft_err *err)
{
	const char *at = text;
	long first = 0;

	do {
		at = parse_number(at, &first);
		long last = first;
		if (at && *at == '-')
			at = parse_number(at + 1, &last);
		if (!at || (*at && *at != ',') || last < first) {
			(void)ft_fail(err, FT_EINVAL, "'%s' is not a list of processors", text);
			(void)ft_remedy(err, "write it like 0-3,6");
			return FT_EINVAL;
		}
		if (last >= FT__CPUS_MAX)
			return no_processor(last, err);
		for (; first <= last; first++)
			CPU_SET_S((size_t)first, bytes, set);
	} while (*at++ == ',');
	return FT_OK;
}

static enum ft_status helper_lost(struct ft_err *err)
{
	(void)ft_fail(err, FT_EIO, "foretime-helper has ended unexpectedly");
	(void)ft_remedy(err, "try again");
	return FT_EIO;
}

enum ft_status ft__client_pin(struct ft__client *client, const char *processors, struct ft_err *err)
{
	unsigned long bits[FT__CPUS_MAX / 8 / sizeof(unsigned long)] = {0};
	struct ft__request request = {.magic = FT__HELPER_MAGIC, .kind = FT__PIN, .length = sizeof bits};
	struct ft__reply reply;

	FT_TRY(parse_processors(processors, (cpu_set_t *)(void *)bits, sizeof bits, err));
	if (!ft__wire_send(client->socket, &request, sizeof request) ||
	    !ft__wire_send(client->socket, bits, sizeof bits) ||
	    !ft__wire_receive(client->socket, &reply, sizeof reply))
		return helper_lost(err);
	return reply.start_errno ? no_processor(reply.wait_status, err) : FT_OK;
}

enum ft_status ft__client_count(struct ft__client *client, const struct perf_event_attr *attr, size_t n,
				int *error, struct ft_err *err)
{
	struct ft__request request = {
		.magic = FT__HELPER_MAGIC, .kind = FT__COUNT, .length = n * sizeof *attr};
	struct ft__reply reply;

	if (!ft__wire_send(client->socket, &request, sizeof request) ||
	    !ft__wire_send(client->socket, attr, n * sizeof *attr) ||
	    !ft__wire_receive(client->socket, &reply, sizeof reply))
		return helper_lost(err);
	for (size_t i = 0; i < n; i++)
		error[i] = reply.counts[i].error;
	return FT_OK;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

/* The request and its words as one block: one system call. */
static enum ft_status send_order(struct ft__client *client, const struct ft__order *order, struct ft_err *err)
{
	struct ft__request request = {.magic = FT__HELPER_MAGIC,
				      .kind = FT__RUN,
				      .flags = order->flags,
				      .words = 1,
				      .limit_s = order->frozen ? 0 : order->limit_s,
				      .sample_s = order->sample_s};
	struct ft_text block = {0};
	enum ft_status status = FT_OK;
	size_t i;

	ft_text_add_bytes(&block, (const char *)&request, sizeof request);
	ft_text_add_bytes(&block, order->file, strlen(order->file) + 1);
	for (i = 0; order->argv[i]; i++)
		ft_text_add_bytes(&block, order->argv[i], strlen(order->argv[i]) + 1);
	if (block.failed) {
		status = ft_nomem(err);
	} else {
		request.words += (uint32_t)i;
		request.length = block.length - sizeof request;
		memcpy(block.s, &request, sizeof request);
		if (!ft__wire_send(client->socket, block.s, block.length))
			status = helper_lost(err);
	}
	ft_text_clear(&block);
	return status;
}

/* Messages before the reply. Returns whether it was news. */
static bool take_news(const struct ft__client *client, struct ft__hearing *hearing)
{
	struct ft__news news;
	uint32_t magic = 0;
	int file = -1;

	if (!hearing || recv(client->socket, &magic, sizeof magic, MSG_PEEK) != sizeof magic ||
	    magic != FT__NEWS_MAGIC || !ft__wire_receive(client->socket, &news, sizeof news))
		return false;
	if (!news.first || ft__wire_receive_file(client->socket, &file))
		hearing->news(hearing, &news, file);
	return true;
}

/* Wait for the reply, and meanwhile for an interrupt, for signals to pass on, and for listeners. Returns
 * whether the time limit ended the run. */
static bool await(struct ft__client *client, const struct ft__order *order)
{
	struct pollfd event[1 + FT__EAR_FILES] = {{.fd = client->socket, .events = POLLIN}};
	struct ft__ear *ear = order->ear;
	int file[FT__EAR_FILES];
	bool cancelled = false, late = false;

	while (ear || order->signal || order->interrupt || order->frozen) {
		size_t n = ear ? ear->files(ear->ctx, file) : 0, i;

		ft__still_hear(&client->still);
		/* End the run, or pass a signal on, where somebody wishes it. */
		static const struct ft__request cancel = {.magic = FT__HELPER_MAGIC, .kind = FT__CANCEL};
		struct ft__request pass = {.magic = FT__HELPER_MAGIC, .kind = FT__SIGNAL};
		bool wished =
			(order->interrupt && *order->interrupt) || (order->hearing && order->hearing->end);

		if (!wished && order->frozen && ft__still_over(&client->still, order->limit_s))
			wished = late = !cancelled;
		if (wished && !cancelled) {
			(void)ft__wire_send(client->socket, &cancel, sizeof cancel);
			cancelled = true;
		}
		pass.words = (uint32_t)take_signal(order->signal);
		if (pass.words)
			(void)ft__wire_send(client->socket, &pass, sizeof pass);
		for (i = 0; i < n; i++)
			event[i + 1] = (struct pollfd){.fd = file[i], .events = POLLIN};
		if (poll(event, (nfds_t)(n + 1), FT__LISTEN_MS) > 0 && event[0].revents &&
		    !take_news(client, order->hearing))
			break;
		/* A program may stop its parent: it must go on. */
		siginfo_t info = {0};

		if (!waitid(P_PID, (id_t)client->helper, &info, WSTOPPED | WNOHANG) && info.si_pid)
			(void)kill(client->helper, SIGCONT);
		if (ear)
			ear->hear(ear->ctx);
	}
	return late;
}

/* Without memory the bytes are skipped, so that the protocol stays in step. */
static enum ft_status receive_text(struct ft__client *client, size_t length, char **out, struct ft_err *err)
{
	char passed[512];

	*out = ft_malloc(length + 1);
	if (*out) {
		(*out)[length] = '\0';
		return ft__wire_receive(client->socket, *out, length) ? FT_OK : helper_lost(err);
	}
	while (length) {
		size_t part = length < sizeof passed ? length : sizeof passed;

		if (!ft__wire_receive(client->socket, passed, part))
			return helper_lost(err);
		length -= part;
	}
	return ft_nomem(err);
}

enum ft_status ft__client_start(struct ft__client *client, const struct ft__order *order, struct ft_err *err)
{
	ft__still_begin(&client->still, order->frozen);
	return client->socket < 0 ? helper_lost(err) : send_order(client, order, err);
}

enum ft_status ft__client_run(struct ft__client *client, const struct ft__order *order,
			      struct ft__answer *answer, struct ft_err *err)
{
	enum ft_status status = ft__client_start(client, order, err);

	*answer = (struct ft__answer){.report = -1};
	return status ? status : ft__client_finish(client, order, answer, err);
}

enum ft_status ft__client_finish(struct ft__client *client, const struct ft__order *order,
				 struct ft__answer *answer, struct ft_err *err)
{
	struct ft__reply *reply = &answer->reply;
	enum ft_status status = FT_OK;

	*answer = (struct ft__answer){.report = -1};
	bool late = await(client, order);
	if (!ft__wire_receive(client->socket, reply, sizeof *reply) || reply->magic != FT__HELPER_MAGIC ||
	    reply->detail_length > FT__DETAIL_MAX ||
	    reply->trace_length > FT__MOMENTS_MAX * sizeof *answer->trace)
		status = helper_lost(err);
	if (status != FT_EIO)
		status = receive_text(client, reply->detail_length, &answer->detail, err);
	ft__still_end(&client->still, reply->wall_s);
	answer->frozen_s = client->still.stood_s;
	if (late && reply->flags & FT__ENDED_BY_CANCEL)
		reply->flags ^= FT__ENDED_BY_CANCEL | FT__ENDED_AT_LIMIT;
	if (status != FT_EIO && reply->trace_length) {
		char *bytes;
		enum ft_status second = receive_text(client, reply->trace_length, &bytes, err);

		status = second ? second : status;
		answer->trace = (struct ft__moment *)(void *)bytes;
		answer->n_moments = reply->trace_length / sizeof *answer->trace;
	}
	if (status != FT_EIO && reply->flags & FT__HAS_REPORT &&
	    !ft__wire_receive_file(client->socket, &answer->report))
		status = helper_lost(err);
	if (status == FT_EIO && !(order->flags & FT__REAL))
		ft__client_close(client);
	if (status)
		ft__answer_clear(answer);
	return status;
}

double ft__answer_wall_s(const struct ft__answer *answer)
{
	return answer->reply.wall_s - answer->frozen_s;
}

void ft__answer_clear(struct ft__answer *answer)
{
	if (!answer)
		return;
	ft_free(answer->detail);
	ft_free(answer->trace);
	if (answer->report >= 0)
		(void)close(answer->report);
	*answer = (struct ft__answer){.report = -1};
}
