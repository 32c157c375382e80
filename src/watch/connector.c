/* SPDX-License-Identifier: GPL-3.0-or-later */
/* connector.c - what processes begin to execute: messages of the kernel's process connector (cn_proc.h). */
#include "watch/connector.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The kernel drops what does not fit; what it drops costs us less than what we read. */
enum { QUEUE_BYTES = 1 << 20, MESSAGE_BYTES = 1024, MESSAGES_MOST = 4096 };

/* One message. Returns whether there was one, with what = PROC_EVENT_NONE where it is not the kernel's;
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

/* Only what tells something new wakes us: not each fork and end. The first word of an event says what it is.
 */
static bool choose_events(int fd, bool names, bool users)
{
	static const uint32_t at =
		NLMSG_HDRLEN + offsetof(struct cn_msg, data) + offsetof(struct proc_event, what);
	const uint32_t exec = PROC_EVENT_EXEC, name = names ? PROC_EVENT_COMM : PROC_EVENT_EXEC,
		       user = users ? PROC_EVENT_UID : PROC_EVENT_EXEC;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at), /* as if it came over a network */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(exec), 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(name), 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(user), 1, 0),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	return !setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Ask to be told. The kernel says at once that it will, or why not; in a container it says nothing. */
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

int ft__connector_open(bool names, bool users)
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

size_t ft__connector_hear(int fd, pid_t *pid, size_t most)
{
	struct proc_event event;
	bool lost = false;
	size_t n = 0;

	/* Where more come than can be read, what is read tells no more than that. */
	for (int i = 0; !lost && receive(fd, &event, &lost); i++) {
		/* Of all three kinds this is the thread, and its process; threads may be called as they like.
		 */
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
