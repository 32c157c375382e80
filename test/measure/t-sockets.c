/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-sockets.c - bytes through TCP sockets: as the kernel reports them, and of programs that send a known number. */
#include "measure/measure.h"
#include "measure/sockets.h"
#include "process-test.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>

enum { KIB = 200 };

static const double SENT = 1024 * KIB;

/* ---- messages ------------------------------------------------------------------------------------------- */

struct __attribute__((packed, aligned(8))) message {
	struct nlmsghdr head;
	struct inet_diag_msg socket;
	struct rtattr attribute;
	struct tcp_info info;
};

/* A socket of inode 7 and a cookie. */
static struct message message_of(uint32_t cookie, uint32_t inode, uint64_t sent)
{
	return (struct message){
		.head = {.nlmsg_len = sizeof(struct message), .nlmsg_type = SOCK_DIAG_BY_FAMILY},
		.socket = {.id.idiag_cookie = {cookie, 0}, .idiag_inode = inode},
		.attribute = {.rta_len = RTA_LENGTH(sizeof(struct tcp_info)), .rta_type = INET_DIAG_INFO},
		.info = {.tcpi_bytes_sent = sent, .tcpi_bytes_retrans = 10, .tcpi_bytes_received = 3}};
}

static void test_messages(void)
{
	struct ft__sockets s = {.file = -1, .ends = -1};
	struct message m = message_of(5, 7, 110);

	ft__sockets_add(&s, 7);
	ft__sockets_add(&s, 7);
	ok(s.n == 1, "a descriptor of two processes counts once");
	ok(ft__sockets_take(&s, &m, sizeof m, false) && s.socket[0].sent_bytes == 100 &&
		   s.socket[0].received_bytes == 3,
	   "what was sent again is not the program's");
	m = message_of(6, 8, 999);
	ok(ft__sockets_take(&s, &m, sizeof m, false) && s.socket[0].sent_bytes == 100,
	   "a socket of another program is none of it");
	m = message_of(5, 0, 510);
	ok(ft__sockets_take(&s, &m, sizeof m, true) && s.socket[0].sent_bytes == 500 && s.socket[0].gone,
	   "when it is destroyed it has no number, but its cookie");
	ft__sockets_add(&s, 7);
	m = message_of(9, 7, 30);
	ok(s.n == 2 && ft__sockets_take(&s, &m, sizeof m, false) && s.socket[0].sent_bytes == 500 &&
		   s.socket[1].sent_bytes == 20,
	   "another one that gets its number is another one");
	m = message_of(9, 7, 4000);
	m.attribute.rta_len = RTA_LENGTH(sizeof m.info) + 16;
	ok(ft__sockets_take(&s, &m, sizeof m, false) && s.socket[1].sent_bytes == 20,
	   "an attribute beyond its message");
	m.attribute.rta_len = 0;
	ok(ft__sockets_take(&s, &m, sizeof m, false) && s.socket[1].sent_bytes == 20, "one of no length");
	ok(!ft__sockets_take(&s, &m, sizeof m - 1, false), "a message that is cut");
	m.head.nlmsg_len = 3;
	ok(!ft__sockets_take(&s, &m, sizeof m, false) && !s.error, "one shorter than its head");
	m = message_of(9, 7, 4000);
	m.attribute.rta_len = RTA_LENGTH(104);
	ok(ft__sockets_take(&s, &m, sizeof m, false) && s.error == EOPNOTSUPP && s.socket[1].sent_bytes == 20,
	   "counters of Linux before 4.19");
	ft__sockets_close(&s);
}

static void test_refusal(void)
{
	static const struct {
		int error;
		const char *remedy;
	} row[] = {
		{EACCES, "seccomp"}, {EPERM, "seccomp"}, {EOPNOTSUPP, "4.19"}, {ENOENT, "modprobe tcp_diag"}};
	struct ft__sockets s = {.file = -1, .ends = -1};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
	} refusal = {{.nlmsg_len = sizeof refusal, .nlmsg_type = NLMSG_ERROR}, {.error = -EACCES}};

	ok(!ft__sockets_take(&s, &refusal, sizeof refusal, false) && s.error == EACCES, "the kernel refuses");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct ft_err err = {0};

		ft__sockets_explain(row[i].error, &err);
		ok(strstr(err.text, strerror(row[i].error)) && strstr(err.remedy, row[i].remedy), "%s; %s",
		   err.text, err.remedy);
	}
}

/* ---- programs ------------------------------------------------------------------------------------------- */

/* The larger of some runs, each of which waits longer for a look; until it is enough. */
static double sent_of(struct subject *s, const char *mode, double enough)
{
	const char *const words[] = {mode, "200", "{n}", NULL};
	double sent = -1;

	make(s, "sockets", words);
	s->launch.sockets = true;
	if (open_subject(s))
		return sent;
	for (int i = 0; i < 6 && sent < enough && !run(s, 1 << i, 60) && last(s)->outcome == FT_DONE; i++)
		sent = fmax(sent, value(s, &ft_sent_bytes));
	return sent;
}

static void test_programs(void)
{
	struct subject s;
	double sent = sent_of(&s, "stay", SENT + 1);

	ok(sent == SENT + 1 && value(&s, &ft_received_bytes) >= SENT + 1 &&
		   value(&s, &ft_received_bytes) <= SENT + 3,
	   "200 KiB to a child, and a byte back, each sent and received: %.0f", sent);
	for (size_t i = 0; i < last(&s)->n_samples; i++)
		if (last(&s)->sample[i].resource == &ft_sent_bytes)
			ok(last(&s)->sample[i].label == FT_ESTIMATED &&
				   !strcmp(last(&s)->sample[i].probe, "sockets"),
			   "it is an estimate");
	unmake(&s);
	sent = sent_of(&s, "late", SENT + 1);
	ok(sent == SENT + 1, "what is sent after the last look, by a socket that was seen: %.0f", sent);
	unmake(&s);
	sent = sent_of(&s, "early", SENT + 1);
	ok(sent >= SENT + 1 && sent <= 2 * (SENT + 1),
	   "of one that is closed at once no more is missed than that: %.0f", sent);
	unmake(&s);
	sent = sent_of(&s, "six", SENT + 1);
	if (last(&s)->exit_status == 77)
		skip("IPv6", "there is no ::1");
	else
		ok(sent == SENT + 1, "over IPv6: %.0f", sent);
	unmake(&s);
	const char *const words[] = {"stay", "1", "0", NULL};
	make(&s, "sockets", words);
	ok(!open_subject(&s) && !run(&s, 1, 60) && isnan(value(&s, &ft_sent_bytes)),
	   "not asked for, not measured");
	unmake(&s);
}

int main(void)
{
	struct ft__sockets sockets;
	int error = ft__sockets_open(&sockets), ends = sockets.ends;

	ft__sockets_close(&sockets);
	test_messages();
	test_refusal();
	if (error || ends < 0)
		skip("sockets of programs", strerror(error));
	else if (!test_quick())
		test_programs();
	temp_remove();
	return done();
}
