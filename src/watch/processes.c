/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes.c - finds the processes of other users that conditions depend on, in /proc. For each condition
 * only a few of them are kept. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "watch/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Parse the files of one process in /proc.
 */

enum {
	KERNEL_THREAD = 0x00200000, /* PF_KTHREAD of the kernel's sched.h */
	ANCESTORS_MOST = 4096,      /* a process with more is ignored */
	CLIMBS_MOST = 4,
	STAT_BYTES = 512,
};

/* The beginning of a file of a process; its length. */
static size_t read_of(int proc, pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof path, "%d/%s", (int)pid, name);
	text[0] = '\0';
	int fd = openat(proc, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	ssize_t length = read(fd, text, size - 1);
	int number = length ? errno : ESRCH;
	(void)close(fd);
	errno = number;
	text[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

/* Fields 3 (state), 4 (parent) and 9 (flags); the second may hold any bytes (proc(5)). */
bool ft__stat_parse(const char *text, struct ft__stat *out)
{
	const char *at = strrchr(text, ')');
	int parent;
	unsigned flags;

	if (!at || sscanf(at, ") %c %d %*d %*d %*d %*d %u", &out->state, &parent, &flags) != 3)
		return false;
	out->parent = parent;
	out->kernel = flags & KERNEL_THREAD;
	return true;
}

/* stat_read - proc: an open /proc. False, with errno set: ENOENT or ESRCH where it is gone. */
static bool stat_read(int proc, pid_t pid, struct ft__stat *out)
{
	char text[STAT_BYTES];

	if (!read_of(proc, pid, "stat", text, sizeof text))
		return false;
	errno = EIO;
	return ft__stat_parse(text, out);
}

/* name_read - its name, and its length; 0, with errno set as above, where there is none. */
static size_t name_read(int proc, pid_t pid, char name[17])
{
	size_t length = read_of(proc, pid, "comm", name, 17);

	if (length && name[length - 1] == '\n')
		name[--length] = '\0'; /* the file's, not the name's */
	return length;
}

/* Up to one that is ours, or to the first of all. False: somebody on the way has ended. */
static bool climb(int proc, const struct ft__ours *ours, pid_t pid, bool *found)
{
	struct ft__stat stat;

	*found = false;
	for (int i = 0; i < ANCESTORS_MOST && pid > 1; i++) {
		*found = pid == ours->self;
		if (*found)
			return true;
		if (!stat_read(proc, pid, &stat))
			return false;
		pid = stat.parent;
	}
	return true;
}

/* ft__is_ours - whether a process is ours, or descends from one that is. */
static bool ft__is_ours(int proc, const struct ft__ours *ours, pid_t pid)
{
	bool found = false;

	/* A process whose parent has ended gets another one. */
	for (int i = 0; i < CLIMBS_MOST; i++)
		if (climb(proc, ours, pid, &found))
			break;
	return found;
}

/*
 * Receive messages about programs being executed from the kernel's process connector (cn_proc.h).
 */

/* The kernel drops messages that do not fit, which costs us less than reading them. */
enum { QUEUE_BYTES = 1 << 20, MESSAGE_BYTES = 1024, MESSAGES_MOST = 4096 };

/* One message. Returns whether there was one, with what = PROC_EVENT_NONE if it is not the kernel's;
 * *lost: the queue overflowed. */
static bool receive(int fd, struct proc_event *event, bool *lost)
{
	char bytes[MESSAGE_BYTES] __attribute__((aligned(__alignof__(struct nlmsghdr))));
	static const size_t head = NLMSG_HDRLEN + offsetof(struct cn_msg, data);
	struct sockaddr_nl from = {0};
	socklen_t size = sizeof from;
	ssize_t length = recvfrom(fd, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &size);

	memset(event, 0, sizeof *event);
	event->event_data.ack.err = (uint32_t)-1;
	if (length < 0 && errno == ENOBUFS)
		*lost = true;
	else if (length < 0)
		return false;
	if (length < (ssize_t)(head + offsetof(struct proc_event, event_data)) || from.nl_pid)
		return true;
	length -= (ssize_t)head;
	memcpy(event, bytes + head, (size_t)length < sizeof *event ? (size_t)length : sizeof *event);
	return true;
}

/* Filter messages that carry no news, such as forks and ends, so that they do not wake us. The first word
   of an event has its type. */
static bool choose_events(int fd, bool names, bool users)
{
	static const uint32_t at =
		NLMSG_HDRLEN + offsetof(struct cn_msg, data) + offsetof(struct proc_event, what);
	const uint32_t exec = PROC_EVENT_EXEC, name = names ? PROC_EVENT_COMM : PROC_EVENT_EXEC,
		       user = users ? PROC_EVENT_UID : PROC_EVENT_EXEC;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at), /* byte order of the network */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(exec), 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(name), 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(user), 1, 0),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	return !setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Subscribe. The kernel confirms or rejects it at once; in a container it does not answer. */
static bool subscribe(int fd)
{
	enum proc_cn_mcast_op wish = PROC_CN_MCAST_LISTEN;
	char bytes[NLMSG_SPACE(sizeof(struct cn_msg) + sizeof wish)]
		__attribute__((aligned(__alignof__(struct nlmsghdr)))) = {0};
	struct nlmsghdr header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct cn_msg) + sizeof wish),
				  .nlmsg_type = NLMSG_DONE};
	struct cn_msg message = {.id = {CN_IDX_PROC, CN_VAL_PROC}, .len = sizeof wish};
	struct proc_event event;
	bool lost = false;

	memcpy(bytes, &header, sizeof header);
	memcpy(bytes + NLMSG_HDRLEN, &message, sizeof message);
	memcpy(bytes + NLMSG_HDRLEN + offsetof(struct cn_msg, data), &wish, sizeof wish);
	if (send(fd, bytes, header.nlmsg_len, 0) < 0)
		return false;
	for (int i = 0; i < MESSAGES_MOST && receive(fd, &event, &lost); i++)
		if (!(uint32_t)event.what && !event.event_data.ack.err)
			return true;
	return false;
}

/* connector_open - a descriptor that is readable when a process executes a program, and, on request,
 * changes its name (names) or user (users). -1: no messages, for lack of privileges (before Linux 6.6), or
 * in a container. */
static int connector_open(bool names, bool users)
{
	struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
	int fd = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR),
	    bytes = QUEUE_BYTES;

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes))
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
	if (!bind(fd, (struct sockaddr *)&address, sizeof address) && subscribe(fd) &&
	    choose_events(fd, names, users))
		return fd;
	(void)close(fd);
	return -1;
}

/* connector_hear - the processes with messages since the last call; never waits.
 *
 * pid  [most] out, may contain duplicates
 *
 * Returns how many; `most` and more: messages were lost, now or before. */
static size_t connector_hear(int fd, pid_t *pid, size_t most)
{
	struct proc_event event;
	bool lost = false;
	size_t n = 0;

	/* If more arrive than can be read, the contents do not matter. */
	for (int i = 0; !lost && receive(fd, &event, &lost); i++) {
		/* In all three kinds this is the thread, and its process; threads may have any name. */
		pid_t thread = event.event_data.exec.process_pid,
		      process = event.event_data.exec.process_tgid;

		lost = lost || i == MESSAGES_MOST;
		if (!(uint32_t)event.what || thread != process || (n && n < most && pid[n - 1] == process))
			continue;
		if (n < most)
			pid[n] = process;
		n++;
	}
	return lost ? most : n;
}

/*
 * Finds the processes of other users that conditions depend on, in /proc. For each condition only a few
 * of them are kept.
 */

/* Entries of /proc that are read at a time (some 3 us each), before other events are handled. Above
 * NEWS_MOST messages at a time a scan of all is as cheap. AGAIN_MS: even with events all processes are
 * scanned once a minute, if something else wakes us, so that no error lasts for long. */
enum { ENTRIES = 2048, NEWS_MOST = 128, ENDS_MOST = 64, AGAIN_MS = 60000 };

struct processes {
	DIR *dir;
	int proc;      /* of dir */
	int connector; /* -1: no messages about processes */
	bool by_name, by_user;
	bool in_pass;      /* /proc is being looked through, into next */
	bool wanted;       /* all is to be looked through, again where we are at it */
	bool unsure;       /* the end of a witness raises no event */
	int64_t passed_ns; /* when it was looked through; 0: never */
	struct ft__witnesses now, next;
	struct ft_seen_process *seen; /* of both */
	struct ft__users users;
};

/* ---- one process --------------------------------------------------------------------------------------- */

/* False: it cannot be read, and the reason was reported; a process that is gone is no failure. */
static bool is_fine(struct ft__source *source, pid_t pid, bool read)
{
	if (read || !errno || errno == ENOENT || errno == ESRCH)
		return true;
	ft__source_cannot(source, "process %d cannot be looked at: %s", (int)pid, strerror(errno));
	return false;
}

/* Whether a condition refers to any process of a user. */
static bool is_condition_user(struct ft__source *source, const char *name)
{
	const struct ft_seen_process process = {"", name, 0};

	for (size_t i = 0; i < source->n_conditions; i++)
		if (source->condition[i]->kind == FT_CONDITION_USER_PROCESS &&
		    ft__condition_holds_by(source->condition[i], &process))
			return true;
	return false;
}

/* The owner of a process. The folder belongs to the effective user; files in it belong to root if the
 * program may not be inspected. NULL: it is gone. */
static const struct ft__owner *owner_of(struct ft__source *source, pid_t pid)
{
	struct processes *state = source->state;
	char number[16];
	struct stat st;
	bool fresh;

	(void)snprintf(number, sizeof number, "%d", (int)pid);
	if (fstatat(state->proc, number, &st, 0))
		return NULL;
	struct ft__owner *owner = ft__owner_get(&state->users, st.st_uid, &fresh);
	if (fresh)
		owner->counts = is_condition_user(source, owner->name);
	return owner;
}

/* Does it run, and belong to another user? False: as of is_fine; *is has the result. */
static bool check_process(struct ft__source *source, pid_t pid, bool *is)
{
	struct processes *state = source->state;
	struct ft__stat stat;

	*is = false;
	errno = 0;
	if (!stat_read(state->proc, pid, &stat))
		return is_fine(source, pid, false);
	*is = stat.state != 'Z' && stat.state != 'X' && !stat.kernel &&
	      !ft__is_ours(state->proc, source->ours, pid);
	return true;
}

/* With events its end is one, too. */
static void keep_witness(struct ft__source *source, struct ft__witnesses *set,
			 const struct ft_seen_process *process)
{
	struct processes *state = source->state;
	struct ft__witness *witness = ft__witnesses_add(set, process);

	if (!witness || state->connector < 0)
		return;
	witness->end = (int)syscall(SYS_pidfd_open, process->pid, 0);
	if (witness->end < 0 || !ft__source_listen(source, witness->end, EPOLLIN))
		state->unsure = true;
}

/* Take in a process, where a condition holds by it. False: as of is_fine. */
static bool examine_process(struct ft__source *source, struct ft__witnesses *set, pid_t pid)
{
	struct processes *state = source->state;
	struct ft_seen_process process = {"", "", (int)pid};
	const struct ft__owner *owner = NULL;
	char name[17] = "";
	bool is;

	process.name = name;
	errno = 0;
	if (state->by_name && !name_read(state->proc, pid, name) && errno)
		return is_fine(source, pid, false);
	if (state->by_user && !(owner = owner_of(source, pid)))
		return true;
	if (!(owner && owner->counts) && !(state->by_name && ft__witnesses_want(set, &process)))
		return true;
	owner = owner ? owner : owner_of(source, pid);
	if (!owner)
		return true;
	process.user = owner->name;
	if (!ft__witnesses_want(set, &process))
		return true;
	if (!check_process(source, pid, &is))
		return false;
	if (!*name)
		(void)name_read(state->proc, pid, name);
	if (is)
		keep_witness(source, set, &process);
	return true;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static bool begin_pass(struct ft__source *source)
{
	struct processes *state = source->state;
	struct stat st;

	if (!state->dir) {
		ft__source_cannot(source, "there is no /proc");
		return false;
	}
	if (fstatat(state->proc, "1", &st, 0)) {
		ft__source_cannot(source, "/proc shows no process of other users (mounted with hidepid?)");
		return false;
	}
	rewinddir(state->dir);
	ft__witnesses_empty(&state->next);
	state->in_pass = true;
	return true;
}

/* A part of /proc, or (whole) all that is left of it. False: it cannot be looked through. */
static bool look_through(struct ft__source *source, bool whole)
{
	struct processes *state = source->state;

	for (size_t i = 0; whole || i < ENTRIES; i++) {
		errno = 0;
		struct dirent *entry = readdir(state->dir);
		if (!entry && errno) {
			ft__source_cannot(source, "/proc cannot be read: %s", strerror(errno));
			return false;
		}
		if (!entry) {
			struct ft__witnesses done = state->next;

			ft__witnesses_empty(&state->now);
			state->next = state->now;
			state->now = done;
			state->in_pass = false;
			state->passed_ns = source->now_ns;
			return true;
		}
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    !examine_process(source, &state->next, (pid_t)strtol(entry->d_name, NULL, 10)))
			return false;
	}
	return true;
}

/* ---- events ------------------------------------------------------------------------------------- */

/* It is not what it was. Returns whether all is to be looked through, as a condition lost its last. */
static bool forget_process(struct ft__witnesses *set, pid_t pid)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->witness[i].pid == pid)
			return ft__witnesses_drop(set, i);
	return false;
}

/* Of those that execute something, or have another name or user; the same. */
static bool hear_news(struct ft__source *source)
{
	struct processes *state = source->state;
	pid_t pid[NEWS_MOST];
	size_t n = connector_hear(state->connector, pid, NEWS_MOST), i;
	bool bare = n >= NEWS_MOST;

	for (i = 0; i < n && !bare; i++) {
		bare = forget_process(&state->now, pid[i]);
		bare = !examine_process(source, &state->now, pid[i]) || bare;
		if (state->in_pass)
			(void)examine_process(source, &state->next, pid[i]);
	}
	return bare;
}

/* Whether all processes are to be scanned. */
static bool hear_events(struct ft__source *source)
{
	struct processes *state = source->state;

	if (state->connector < 0)
		return !state->in_pass;
	/* Of those that have ended; the same. */
	struct epoll_event event[ENDS_MOST];
	int n = epoll_wait(source->epoll, event, ENDS_MOST, 0), i;
	bool bare = false;

	for (i = 0; i < n; i++)
		for (size_t k = 0; k < state->now.n; k++)
			if (state->now.witness[k].end == event[i].data.fd) {
				bare = ft__witnesses_drop(&state->now, k) || bare;
				break;
			}
	bare = hear_news(source) || bare;
	return bare || state->unsure || !state->passed_ns ||
	       source->now_ns - state->passed_ns >= AGAIN_MS * INT64_C(1000000);
}

static void look_at_processes(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct processes *state = source->state;
	bool good = true;

	state->wanted = hear_events(source) || state->wanted;
	if (fresh || (state->wanted && !state->in_pass)) {
		state->wanted = state->unsure = false;
		good = begin_pass(source);
	}
	if (good && state->in_pass)
		good = look_through(source, !state->passed_ns);
	if (!good)
		state->in_pass = false;
	if (state->in_pass || (good && state->wanted))
		ft__source_due(source, 0);
	else if (!good || state->connector < 0 || state->unsure)
		ft__source_due(source, FT__PATIENT_MS);
	ft__source_early(source, AGAIN_MS);

	seen->processes = state->seen;
	seen->n_processes = 0;
	ft__witnesses_tell(&state->now, state->seen, &seen->n_processes);
	if (state->in_pass)
		ft__witnesses_tell(&state->next, state->seen, &seen->n_processes);
}

/* ---- its state ----------------------------------------------------------------------------------------- */

static void open_connector(struct ft__source *source)
{
	struct processes *state = source->state;

	state->connector = connector_open(state->by_name, state->by_user);
	if (state->connector < 0 || ft__source_listen(source, state->connector, EPOLLIN))
		return;
	(void)close(state->connector);
	state->connector = -1;
}

static enum ft_status open_processes(struct ft__source *source, struct ft_err *err)
{
	struct processes *state = ft_calloc(1, sizeof *state);
	char path[PATH_MAX];

	source->state = state;
	if (!state)
		return ft_nomem(err);
	state->connector = -1;
	for (size_t i = 0; i < source->n_conditions; i++) {
		state->by_name = state->by_name || source->condition[i]->kind == FT_CONDITION_PROCESS;
		state->by_user = state->by_user || source->condition[i]->kind == FT_CONDITION_USER_PROCESS;
	}
	if (ft__witnesses_init(&state->now, source, err) || ft__witnesses_init(&state->next, source, err))
		return FT_ENOMEM;
	state->seen = ft_calloc(2 * state->now.room, sizeof *state->seen);
	if (!state->seen)
		return ft_nomem(err);
	(void)snprintf(path, sizeof path, "%s/proc", source->root);
	state->dir = opendir(path);
	state->proc = state->dir ? dirfd(state->dir) : -1;
	if (source->events)
		open_connector(source);
	return FT_OK;
}

static void close_processes(struct ft__source *source)
{
	struct processes *state = source->state;

	if (state->dir)
		(void)closedir(state->dir);
	if (state->connector >= 0)
		(void)close(state->connector);
	ft__witnesses_clear(&state->now);
	ft__witnesses_clear(&state->next);
	ft_free(state->seen);
	ft_free(state);
}

const struct ft__source_ops ft__source_processes = {
	.name = "processes",
	.kinds = 1 << FT_CONDITION_PROCESS | 1 << FT_CONDITION_USER_PROCESS,
	.open = open_processes,
	.look = look_at_processes,
	.close = close_processes,
};
