/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - runs external tools, reads their output, and ends those that take too long. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/files.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* LOOK_MS: how late an interruption is noticed, END_MS: on older kernels, how late the
 * end of who closed its streams before. */
enum { TEXT_MOST = 256 << 20, WORDS_MOST = 64 << 10, LOOK_MS = 100, END_MS = 2 };

static const double usual_limit_s = 60;

/* One of the two that it writes to. */
struct stream {
	int fd; /* ours; -1: at its end */
	struct ft_text text;
	size_t most;
	bool much;
};

/* ---- started --------------------------------------------------------------------------------------------
 */

static bool same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return !strncmp(a, b, n) && b[n] == '=';
}

/* Our environment, with the caller's replacements; ends with ft_free. */
static char **environment_of(const struct ft__command *command)
{
	size_t n = 0, more = 0, k;

	while (environ[n])
		n++;
	while (command->environment && command->environment[more])
		more++;
	char **made = ft_calloc(n + more + 1, sizeof *made);
	for (size_t i = k = 0; made && i < n; i++) {
		size_t j;

		for (j = 0; j < more && !same_name(command->environment[j], environ[i]);)
			j++;
		if (j == more)
			made[k++] = environ[i];
	}
	for (size_t i = 0; made && i < more; i++)
		made[k++] = (char *)(uintptr_t)command->environment[i];
	return made;
}

/* fd: what it has as 0, 1 and 2. Returns an errno, 0 for success. */
static int start_command(const struct ft__command *command, const int fd[3], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char **environment = environment_of(command);
	int number = environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;

	if (!number) {
		number = posix_spawnattr_init(&attributes);
		if (!number) {
			short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
			sigset_t signals;

			(void)sigemptyset(&signals);
			(void)posix_spawnattr_setsigmask(&attributes, &signals);
			(void)sigaddset(&signals, SIGPIPE);
			(void)sigaddset(&signals, SIGXFSZ);
			(void)posix_spawnattr_setsigdefault(&attributes, &signals);
			(void)posix_spawnattr_setpgroup(&attributes, 0);
			(void)posix_spawnattr_setflags(
				&attributes, (short)(command->apart ? flags | POSIX_SPAWN_SETPGROUP : flags));
			for (int i = 0; i < 3 && !number; i++)
				number = posix_spawn_file_actions_adddup2(&actions, fd[i], i);
			if (!number) /* the words are not modified: POSIX has no const there */
				number = posix_spawnp(pid, command->argv[0], &actions, &attributes,
						      (char *const *)(uintptr_t)command->argv, environment);
			(void)posix_spawnattr_destroy(&attributes);
		}
		(void)posix_spawn_file_actions_destroy(&actions);
	}
	ft_free(environment);
	return number;
}

/* Out of the way of descriptors 0 to 2, which may be closed here. -1 with errno. */
static int raise_fd(int fd)
{
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	int high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int number = errno;
	(void)close(fd);
	errno = number;
	return high;
}

/* A file without a name instead of a pipe, so that nothing waits for a reader. -1 with errno. */
static int open_input(const char *input)
{
	int fd = raise_fd(input ? memfd_create("foretime-input", MFD_CLOEXEC)
				: open("/dev/null", O_RDONLY | O_CLOEXEC)),
	    number;

	if (fd < 0 || !input || (!ft__file_write(fd, input, strlen(input)) && !lseek(fd, 0, SEEK_SET)))
		return fd;
	number = errno;
	(void)close(fd);
	errno = number;
	return -1;
}

/* Returns an errno, 0 for success. */
static int open_output(int *ours, int *theirs)
{
	int ends[2] = {-1, -1}, number = pipe2(ends, O_CLOEXEC) ? errno : 0;

	if (number)
		return number;
	*ours = raise_fd(ends[0]);
	number = *ours < 0 ? errno : 0;
	*theirs = raise_fd(ends[1]);
	return *theirs < 0 ? errno : number;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

/* ---- started ahead --------------------------------------------------------------------------------------- */

/* All words of a command come in one message, and with them its input. */
enum { AHEAD_BYTES = 1 << 16, AHEAD_WORDS = 128 };

union ahead_input {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

bool ft__command_ahead(struct ft__ahead *ahead, const char *program)
{
	const char *const argv[] = {program, FT__AHEAD, NULL};
	const struct ft__command command = {.argv = argv, .apart = true};
	int ends[2] = {-1, -1}, fd[3] = {-1, -1, -1}, ours[2] = {-1, -1};
	int number = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) ? errno : 0;
	pid_t pid = 0;

	*ahead = (struct ft__ahead){0};
	ends[0] = raise_fd(ends[0]);
	fd[0] = raise_fd(ends[1]);
	for (int i = 0; i < 2 && !number; i++)
		number = open_output(&ours[i], &fd[i + 1]);
	if (!number)
		number = ends[0] < 0 || fd[0] < 0 ? EMFILE : start_command(&command, fd, &pid);
	for (int i = 0; i < 3; i++)
		close_one(&fd[i]);
	if (!number) {
		*ahead = (struct ft__ahead){pid, ends[0], {ours[0], ours[1]}};
		return true;
	}
	close_one(&ends[0]);
	close_one(&ours[0]);
	close_one(&ours[1]);
	return false;
}

void ft__command_dismiss(struct ft__ahead *ahead)
{
	if (!ahead->pid)
		return;
	close_one(&ahead->words);
	close_one(&ahead->out[0]);
	close_one(&ahead->out[1]);
	(void)kill(-ahead->pid, SIGKILL);
	while (waitpid(ahead->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*ahead = (struct ft__ahead){0};
}

/* false: they are too long, or it has died. */
static bool send_words(const struct ft__ahead *ahead, const char *const *argv, int input)
{
	union ahead_input control = {0};
	FT_OWN char *bytes = ft_malloc(AHEAD_BYTES);
	size_t used = 0;

	for (size_t i = 0; bytes && argv[i]; i++) {
		size_t length = strlen(argv[i]) + 1;

		if (i == AHEAD_WORDS || length > AHEAD_BYTES - used)
			return false;
		memcpy(bytes + used, argv[i], length);
		used += length;
	}
	struct iovec part = {bytes, used};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	*head = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof input), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(head), &input, sizeof input);
	return bytes && sendmsg(ahead->words, &message, MSG_NOSIGNAL) == (ssize_t)used;
}

int ft__command_await(char ***argv)
{
	static char bytes[AHEAD_BYTES], *word[AHEAD_WORDS + 1];
	union ahead_input control = {0};
	struct iovec part = {bytes, sizeof bytes};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	ssize_t n;
	int input, count = 0;

	do
		n = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	const struct cmsghdr *head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (!head || head->cmsg_type != SCM_RIGHTS || bytes[n - 1])
		return 0;
	memcpy(&input, CMSG_DATA(head), sizeof input);
	if (dup2(input, STDIN_FILENO) < 0)
		return 0;
	(void)close(input);
	for (ssize_t at = 0; at < n && count < AHEAD_WORDS; at += (ssize_t)strlen(bytes + at) + 1)
		word[count++] = bytes + at;
	*argv = word;
	return count;
}

/* Returns an errno, 0 for success: it runs, and writes to both. */
static int begin_command(const struct ft__command *command, struct stream stream[2], pid_t *pid)
{
	int fd[3] = {open_input(command->input), -1, -1}, number = fd[0] < 0 ? errno : 0, i;
	struct ft__ahead *ahead = command->ahead;

	if (!number && ahead && ahead->pid && send_words(ahead, command->argv, fd[0])) {
		close_one(&fd[0]);
		close_one(&ahead->words);
		*pid = ahead->pid;
		stream[0].fd = ahead->out[0];
		stream[1].fd = ahead->out[1];
		*ahead = (struct ft__ahead){0};
		return 0;
	}
	if (ahead)
		ft__command_dismiss(ahead);
	for (i = 0; i < 2 && !number; i++)
		number = open_output(&stream[i].fd, &fd[i + 1]);
	if (!number)
		number = start_command(command, fd, pid);
	for (i = 0; i < 3; i++)
		close_one(&fd[i]);
	return number;
}

pid_t ft__command_begin(const char *const *argv, const char *output)
{
	const struct ft__command command = {.argv = argv, .apart = true};
	int fd[3] = {open_input(NULL), -1, -1}, number;
	pid_t pid = -1;

	if (fd[0] >= 0)
		fd[1] = fd[2] = raise_fd(open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
	number = fd[1] < 0 ? errno : start_command(&command, fd, &pid);
	close_one(&fd[0]);
	close_one(&fd[1]);
	errno = number;
	return number ? -1 : pid;
}

/* ---- heard ----------------------------------------------------------------------------------------------
 */

/* Read what is available now. */
static void hear_stream(struct stream *stream)
{
	char bytes[1 << 16];
	ssize_t n = read(stream->fd, bytes, sizeof bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close_one(&stream->fd);
		return;
	}
	if ((size_t)n > stream->most - stream->text.length) { /* the rest is heard, and forgotten */
		n = (ssize_t)(stream->most - stream->text.length);
		stream->much = true;
	}
	ft_text_add_bytes(&stream->text, bytes, (size_t)n);
}

static bool is_interrupted(const struct ft__command *command)
{
	return command->interrupt && *command->interrupt;
}

/* Until both have ended and it has, or there is a reason to end it. Returns its status as waitpid has it. */
static int attend_command(struct ft__command *command, pid_t pid, struct stream stream[2])
{
	double end_s = ft_clock_s() + (command->limit_s > 0 ? command->limit_s : usual_limit_s);
	int status = -1, end_fd = (int)syscall(SYS_pidfd_open, pid, 0); /* -1: an older kernel */
	pid_t ended = 0;

	while (!ended || stream[0].fd >= 0 || stream[1].fd >= 0) {
		struct pollfd wait[3] = {{stream[0].fd, POLLIN, 0},
					 {stream[1].fd, POLLIN, 0},
					 {ended ? -1 : end_fd, POLLIN, 0}};

		command->late = ft_clock_s() >= end_s;
		if (command->late || is_interrupted(command) || stream[0].much || stream[0].text.failed) {
			/* Without a group of its own its descendants cannot be found after its end. */
			if (command->apart || !ended)
				(void)kill(command->apart ? -pid : pid, SIGKILL);
			break;
		}
		(void)poll(wait, 3, stream[0].fd >= 0 || stream[1].fd >= 0 || end_fd >= 0 ? LOOK_MS : END_MS);
		for (int i = 0; i < 2; i++)
			if (wait[i].revents)
				hear_stream(&stream[i]);
		if (!ended)
			ended = waitpid(pid, &status, WNOHANG);
	}
	while (!ended && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	close_one(&end_fd);
	return status;
}

/* ---- judged ---------------------------------------------------------------------------------------------
 */

const char *ft__command_line(const struct ft__command *command, int *length)
{
	const char *words = command->words ? command->words : "", *end = words + strlen(words), *line;

	while (end > words && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	for (line = end; line > words && line[-1] != '\n';)
		line--;
	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	*length = (int)(end - line);
	return line;
}

enum ft_status ft__command_run(struct ft__command *command, struct ft_err *err)
{
	struct stream stream[2] = {{.fd = -1, .most = command->most_bytes ? command->most_bytes : TEXT_MOST},
				   {.fd = -1, .most = WORDS_MOST}};
	pid_t pid = -1;

	ft__command_clear(command);
	command->number = begin_command(command, stream, &pid);
	if (!command->number) {
		const struct rlimit memory = {(rlim_t)command->memory_bytes, (rlim_t)command->memory_bytes},
				    time = {(rlim_t)command->cpu_s, (rlim_t)command->cpu_s};

		if (command->memory_bytes)
			(void)prlimit(pid, RLIMIT_AS, &memory, NULL);
		if (command->cpu_s)
			(void)prlimit(pid, RLIMIT_CPU, &time, NULL);
		int status = attend_command(command, pid, stream);
		if (!command->late && WIFEXITED(status))
			command->status = WEXITSTATUS(status);
		command->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	}
	command->much = stream[0].much;
	command->length = stream[0].text.length;
	command->text = ft_text_take(&stream[0].text);
	command->words = ft_text_take(&stream[1].text);
	close_one(&stream[0].fd);
	close_one(&stream[1].fd);
	const char *name = command->argv[0], *line;
	int number = command->number, length;

	if (number == ENOMEM || !command->text || !command->words)
		return ft_nomem(err);
	if (number == ENOENT || number == ENOTDIR || number == EACCES)
		return ft_fail(err, FT_EUNAVAIL, "%s cannot be run here", name);
	if (number)
		return ft_fail_errno(err, number, "cannot start %s", name);
	if (is_interrupted(command))
		return ft_fail(err, FT_EINTR, "interrupted");
	if (command->late)
		return ft_fail(err, FT_EIO, "%s did not end in time", name);
	if (command->much)
		return ft_fail(err, FT_EIO, "%s prints too much at once", name);
	if (!command->status)
		return FT_OK;
	line = ft__command_line(command, &length);
	return ft_fail(err, FT_EIO, "%s failed%s%.*s", name, length ? ": " : "", length < 300 ? length : 300,
		       line);
}

bool ft__command_self(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size);

	/* What fills the room may have been cut, and the start of a path can be another file or a folder. */
	path[length > 0 && (size_t)length < size ? length : 0] = '\0';
	char *slash = strrchr(path, '/');
	if (slash && !strncmp(slash, "/ld-", 4))
		(void)snprintf(slash + 1, size - (size_t)(slash + 1 - path), "foretime");
	return slash;
}

bool ft__command_beside(const char *name, char *path, size_t size)
{
	/* From our own executable: a build folder and the portable release; an installation that was moved, there and back. */
	static const char *const places[] = {"", "../libexec/foretime/", "../../bin/"};

	for (size_t i = 0; i < sizeof places / sizeof *places && ft__command_self(path, size); i++) {
		char *file = strrchr(path, '/') + 1;
		size_t room = size - (size_t)(file - path);

		if ((size_t)snprintf(file, room, "%s%s", places[i], name) < room && !access(path, X_OK))
			return true;
	}
	return (size_t)snprintf(path, size, "%s/%s", FT_LIBEXECDIR, name) < size && !access(path, X_OK);
}

void ft__command_clear(struct ft__command *command)
{
	ft_free(command->text);
	ft_free(command->words);
	command->text = command->words = NULL;
	command->length = 0;
	command->number = command->signal = 0;
	command->status = -1;
	command->late = command->much = false;
}
