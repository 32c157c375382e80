/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauges.c - inside the helper: the table of gauges. */
#include "base/clock.h"
#include "measure/gauge.h"
#include "measure/helper.h"
#include "measure/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Inside the helper: counters of the processor and of the kernel, over a child and its descendants.
 *
 * A counter is opened on ourselves, disabled and inherited: the child's copy begins at its exec, and our own
 * never does. Each run needs new ones: the kernel may hand the child our context in place of the copy, and
 * the counter that began at an exec would not begin again.
 */

/* read(2) of a counter with both times. */
struct count_reading {
	uint64_t value, enabled_ns, running_ns;
};

static int open_event(struct perf_event_attr *attr)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Events that happen only in the kernel (a switch, a migration) do not exist for user mode. */
static bool happens_in_user_mode(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
	       attr->config != PERF_COUNT_SW_CPU_MIGRATIONS;
}

static int try_open(struct perf_event_attr *attr)
{
	int file = open_event(attr);

	if (file < 0 && (errno == EACCES || errno == EPERM) && !attr->exclude_kernel &&
	    happens_in_user_mode(attr)) {
		attr->exclude_kernel = 1;
		file = open_event(attr);
	}
	return file;
}

static void close_event(int *file)
{
	if (*file >= 0)
		(void)close(*file);
	*file = -1;
}

static void set_arming(struct perf_event_attr *attr)
{
	attr->size = sizeof *attr;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = 1;
	attr->inherit = 1;
	attr->enable_on_exec = 1;
}

void ft__count_choose(struct ft__counters *counters, const struct perf_event_attr *attr, size_t n,
		      struct ft__count *counts)
{
	counters->n = n;
	for (size_t i = 0; i < n; i++) {
		counters->attr[i] = attr[i];
		set_arming(&counters->attr[i]);
		counters->file[i] = try_open(&counters->attr[i]);
		counts[i].error = counters->file[i] < 0 ? errno : 0;
		close_event(&counters->file[i]);
	}
}

static bool read_event(int file, struct count_reading *reading)
{
	return read(file, reading, sizeof *reading) == sizeof *reading;
}

/* ---- the counters
   ---------------------------------------------------------------------------------------- */

static void open_gauge(struct ft__keeper *keeper)
{
	keeper->counters.clock = -1;
}

static void arm(struct ft__keeper *keeper, const struct ft__job *job)
{
	/* They begin when the next child executes its program; the clock is for count_clock. */
	struct perf_event_attr task_clock = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_hv = 1};

	for (size_t i = 0; i < keeper->counters.n; i++) {
		keeper->counters.file[i] = open_event(&keeper->counters.attr[i]);
		keeper->counters.error[i] = keeper->counters.file[i] < 0 ? errno : 0;
	}
	set_arming(&task_clock);
	keeper->counters.clock = job->flags & FT__TRACE ? try_open(&task_clock) : -1;
}

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	/* The counters' values, and close them. */
	struct count_reading reading;

	for (size_t i = 0; i < keeper->counters.n; i++) {
		reply->counts[i] = (struct ft__count){.error = keeper->counters.error[i]};
		if (keeper->counters.file[i] >= 0 && read_event(keeper->counters.file[i], &reading))
			reply->counts[i] =
				(struct ft__count){reading.value, reading.enabled_ns, reading.running_ns, 0};
		else if (keeper->counters.file[i] >= 0)
			reply->counts[i].error = EIO;
		close_event(&keeper->counters.file[i]);
	}
	close_event(&keeper->counters.clock);
}

const struct ft__gauge ft__count_gauge = {.open = open_gauge, .arm = arm, .read = read_gauge};

/*
 * Inside the helper: bytes to and from storage, and through the calls of read and write.
 */

static void io_gauge_open_gauge(struct ft__keeper *keeper)
{
	keeper->io = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	keeper->own_io = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
}

/* Returns the number of bytes read; 0: none of the keys was found. */
static size_t read_keys(int file, const char *const *key, uint64_t *value, size_t n)
{
	char text[512];
	ssize_t length = file < 0 ? -1 : pread(file, text + 1, sizeof text - 2, 0);
	const char *found;

	if (length <= 0)
		return 0;
	text[0] = '\n';
	text[length + 1] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (!(found = strstr(text, key[i])))
			return 0;
		value[i] = strtoull(found + strlen(key[i]), NULL, 10);
	}
	return (size_t)length;
}

/* Of all reaped processes, and those they reaped: the kernel adds them up as it does processor time
 * (kernel/exit.c, wait_task_zombie). Our own reads and writes are included, and so is this reading of our
 * own part, once it is done. */
static bool read_io(const struct ft__keeper *keeper, struct ft__io *io)
{
	static const char *const key[] = {"\nrchar: ", "\nwchar: ", "\nread_bytes: ", "\nwrite_bytes: "};
	uint64_t own[2], all[4];
	size_t length = read_keys(keeper->own_io, key, own, 2);

	if (!length || !read_keys(keeper->io, key, all, 4))
		return false;
	*io = (struct ft__io){.input_bytes = all[0] - own[0] - length,
			      .output_bytes = all[1] - own[1],
			      .read_bytes = all[2],
			      .written_bytes = all[3]};
	return true;
}

static void settle_io(struct ft__keeper *keeper)
{
	(void)read_io(keeper, &keeper->io_before);
}

static void io_gauge_read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	const struct ft__io *before = &keeper->io_before;
	struct ft__io *io = &reply->io;

	if (!read_io(keeper, io))
		return;
	io->input_bytes -= before->input_bytes;
	io->output_bytes -= before->output_bytes;
	io->read_bytes -= before->read_bytes;
	io->written_bytes -= before->written_bytes;
	reply->flags |= FT__HAS_IO;
}

const struct ft__gauge ft__io_gauge = {
	.open = io_gauge_open_gauge, .settle = settle_io, .read = io_gauge_read_gauge};

/*
 * Inside the helper: news of a run while it continues, for a listener.
 */

enum {
	NEWS_LEAST_NS = 20000000, /* between two news: listeners rely on it */
	NEWS_MOST_NS = 1000000000,
	NEWS_SHARE = 100 /* of a run's time between two news */
};

/* The program is never held up for them. */
static bool send_news(const struct ft__keeper *keeper, const struct ft__news *news)
{
	return send(keeper->socket, news, sizeof *news, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof *news;
}

/* The file is there from the start on. */
static void begin_news(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	const struct ft__news first = {.magic = FT__NEWS_MAGIC, .first = 1};

	(void)program;
	keeper->news_ns = 0;
	if (job->flags & FT__NEWS && keeper->reporting >= 0 && send_news(keeper, &first))
		(void)ft__wire_send_file(keeper->socket, keeper->reporting);
}

static uint64_t largest(const struct ft__tree *tree)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < tree->n; i++)
		bytes = tree->member[i].rss_bytes > bytes ? tree->member[i].rss_bytes : bytes;
	return bytes;
}

static void look_for_news(struct ft__keeper *keeper, struct ft__look *look)
{
	struct ft__news news = {.magic = FT__NEWS_MAGIC,
				.time_s = 1e-9 * (double)look->since_ns,
				.bytes = look->held_bytes,
				.largest_bytes = largest(&keeper->tree),
				.program = look->program};
	int64_t pause_ns = look->since_ns / NEWS_SHARE;

	pause_ns = pause_ns < NEWS_LEAST_NS ? NEWS_LEAST_NS : pause_ns;
	pause_ns = pause_ns > NEWS_MOST_NS ? NEWS_MOST_NS : pause_ns;
	if (keeper->delay.readings)
		ft__delay_sum(&keeper->delay, &news.exec_s, &news.delay_s);
	if (look->job->flags & FT__NEWS && look->since_ns >= keeper->news_ns + pause_ns &&
	    send_news(keeper, &news))
		keeper->news_ns = look->since_ns;
}

const struct ft__gauge ft__news_gauge = {.begin = begin_news, .look = look_for_news};

/*
 * Inside the helper: the memory of all processes, and a trace of it.
 */

enum { INTERRUPTED_NS = 200000, READ_AGAIN = 3 };

static void settle_tree(struct ft__keeper *keeper)
{
	ft__moments_clear(&keeper->moments);
}

static void begin_tree(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	(void)program;
	ft__resident_begin(&keeper->resident, &keeper->group);
	if (job->flags & FT__TRACE)
		ft__moments_add(&keeper->moments, &(struct ft__moment){0});
}

/* The price of reading the shares is bounded separately. */
static void look_at_tree(struct ft__keeper *keeper, struct ft__look *look)
{
	bool trace = look->job->flags & FT__TRACE;
	int64_t began_ns = ft_clock_spent_ns();
	uint64_t bytes =
		ft__resident_look(&keeper->resident, &keeper->tree, look->rss_bytes, trace, look->now_ns);

	look->held_bytes = bytes;
	look->bounded_ns += ft_clock_spent_ns() - began_ns;
	if (trace) {
		/* The processor time, and the moment of its reading. On a busy machine we may be interrupted in between,
		 * and the computation meanwhile would look like more processors than there are: then both are read again.
		 * Reading the memory of many processes takes milliseconds in which they go on computing, so the moment is
		 * not that of the look. */
		struct ft__moment moment = {.rss_bytes = bytes, .processes = keeper->tree.living};
		int64_t before_ns, after_ns;
		int again = READ_AGAIN;

		do {
			before_ns = ft_clock_ns();
			/* Processor seconds of the tree so far; < 0: the kernel does not count them. */
			struct count_reading reading;

			moment.cpu_s =
				keeper->counters.clock >= 0 && read_event(keeper->counters.clock, &reading)
					? 1e-9 * (double)reading.value
					: -1;
			if (moment.cpu_s < 0) {
				moment.cpu_s = look->reply->user_s + look->reply->system_s +
					       ft__tree_cpu_s(&keeper->tree);
				look->reply->flags |= FT__TRACE_TICKS;
			}
			after_ns = ft_clock_ns();
		} while (after_ns - before_ns > INTERRUPTED_NS && again--);
		moment.time_s = 1e-9 * (double)(look->since_ns + before_ns - look->now_ns) +
				0.5e-9 * (double)(after_ns - before_ns);
		ft__moments_add(&keeper->moments, &moment);
	}
}

static void tree_gauge_read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	bool guessed;

	if (!keeper->has_tree)
		reply->flags |= FT__NO_TREE;
	reply->peak_tree_bytes = ft__resident_peak(&keeper->resident, &guessed);
	if (reply->peak_tree_bytes < reply->peak_rss_bytes)
		reply->peak_tree_bytes = reply->peak_rss_bytes;
	else if (guessed)
		reply->flags |= FT__TREE_GUESSED;
	ft__moments_cap(&keeper->moments, reply->peak_tree_bytes);
}

const struct ft__gauge ft__tree_gauge = {
	.settle = settle_tree, .begin = begin_tree, .look = look_at_tree, .read = tree_gauge_read_gauge};

/*
 * Inside the helper: bytes of the sockets of a run. The program waits for none of it.
 */

enum {
	SOCKETS_PRICE = 50
}; /* least interval in durations of a look: 2 % of a processor, as this is asked for */

static struct {
	struct ft__sockets of;
	bool on;
	int64_t due_ns;
} sockets;

static void arm_sockets(struct ft__keeper *keeper, const struct ft__job *job)
{
	(void)keeper;
	sockets.on = job->flags & FT__SOCKETS;
	sockets.due_ns = 0;
	if (sockets.on)
		(void)ft__sockets_open(&sockets.of);
}

static void add_descriptor(void *ctx, int folder, const char *name)
{
	static const char socket[] = "socket:[";
	char path[32];
	ssize_t length = readlinkat(folder, name, path, sizeof path - 1);

	(void)ctx;
	if (length <= (ssize_t)sizeof socket || memcmp(path, socket, sizeof socket - 1) != 0)
		return;
	path[length] = '\0';
	ft__sockets_add(&sockets.of, (uint32_t)strtoul(path + sizeof socket - 1, NULL, 10));
}

static void look_at_sockets(struct ft__keeper *keeper, struct ft__look *look)
{
	if (!sockets.on || look->since_ns < sockets.due_ns)
		return;
	int64_t began_ns = ft_clock_spent_ns();
	for (size_t i = 0; i < keeper->tree.n; i++)
		ft__tree_descriptors(&keeper->tree, keeper->tree.member[i].pid, add_descriptor, NULL);
	ft__sockets_look(&sockets.of);
	int64_t price_ns = ft_clock_spent_ns() - began_ns;
	look->bounded_ns += price_ns;
	sockets.due_ns = look->since_ns + SOCKETS_PRICE * price_ns;
}

static void read_sockets(struct ft__keeper *keeper, struct ft__reply *reply)
{
	if (!sockets.on)
		return;
	ft__sockets_sum(&sockets.of, &reply->sent_bytes, &reply->received_bytes);
	reply->sockets_errno = keeper->has_tree ? sockets.of.error : ENOENT;
	reply->flags |= FT__HAS_SOCKETS;
	ft__sockets_close(&sockets.of);
	sockets.on = false;
}

const struct ft__gauge ft__sockets_gauge = {
	.arm = arm_sockets, .look = look_at_sockets, .read = read_sockets};

/* In the order in which they are armed, look and are read. */
const struct ft__gauge *const ft__gauges[] = {&ft__count_gauge, &ft__delay_gauge,   &ft__tree_gauge,
					      &ft__io_gauge,    &ft__news_gauge,    &ft__scratch_gauge,
					      &ft__drm_gauge,   &ft__sockets_gauge, NULL};
