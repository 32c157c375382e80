/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorder.c - the background load between two looks at /proc. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/load.h"
#include "load/load.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Processor time as counted by /proc: of the system, and of our own processes.
 */

char *ft__load_slurp(const char *root, const char *path)
{
	struct ft_text name = {0}, text = {0};
	char buffer[4096];
	ssize_t length = -1;
	int file = -1;

	ft_text_add(&name, "%s/proc/%s", root, path);
	if (!name.failed)
		file = open(name.s, O_RDONLY | O_CLOEXEC);
	ft_text_clear(&name);
	if (file < 0)
		return NULL;
	while ((length = read(file, buffer, sizeof buffer)) > 0)
		ft_text_add_bytes(&text, buffer, (size_t)length);
	(void)close(file);
	if (length == 0)
		return ft_text_take(&text);
	ft_text_clear(&text);
	return NULL;
}

/* Parse this many numbers, separated by blanks; returns how many there were. Missing ones are 0. */
static size_t take_numbers(const char *at, double *value, size_t n)
{
	size_t found = 0;

	memset(value, 0, n * sizeof *value);
	for (size_t i = 0; i < n; i++) {
		at += strspn(at, " ");
		if (!ft__whole_scan(at, &at, &value[i]))
			break;
		found++;
	}
	return found;
}

/* proc(5): guest time stands in user and nice too and must not be added to them. Old systems have fewer
 * columns. */
bool ft__load_stat_parse(const char *text, struct ft__load_stat *out)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, N };
	double ticks[N];

	*out = (struct ft__load_stat){0};
	if (strncmp(text, "cpu ", 4) != 0 || take_numbers(text + 4, ticks, N) < 4)
		return false;
	out->busy = ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ];
	out->steal = ticks[STEAL];
	out->iowait = ticks[IOWAIT];
	out->all = out->busy + ticks[STEAL] + ticks[IDLE] + ticks[IOWAIT];
	while ((text = strchr(text, '\n')) && !strncmp(++text, "cpu", 3))
		out->processors += isdigit((unsigned char)text[3]) != 0;
	return out->processors > 0 && out->all > 0;
}

/* Idle and iowait may go back by some ticks (proc(5)): then they did not pass. */
bool ft__load_stat_between(const struct ft__load_stat *from, const struct ft__load_stat *to, double own,
			   struct ft_load *out)
{
	double busy = fmax(0, to->busy - from->busy), steal = fmax(0, to->steal - from->steal);
	double iowait = fmax(0, to->iowait - from->iowait), all = to->all - from->all, each;

	if (!(all > 0))
		return false;
	all = fmax(all, busy + steal);
	each = to->processors / all;
	out->processors = to->processors;
	out->busy = out->load = each * (fmax(0, busy - own) + steal);
	out->steal = each * steal;
	out->iowait = each * fmin(iowait, all - busy - steal);
	return true;
}

/* ---- our own processes ------------------------------------------------------------------------------- */

/* Processes still to look at. */
struct pids {
	long *pid;
	size_t n, capacity;
	bool failed;
};

/* The columns 14 to 17: in the program, in the kernel, and the same of children that were waited for. The
 * name in column 2 may hold anything, also parentheses. */
static bool add_ticks(const char *root, const char *process, double *ticks)
{
	enum { FIRST = 14 - 3, N = FIRST + 4 };
	char path[64], *text;
	double value[4] = {0};
	bool good = false;

	(void)snprintf(path, sizeof path, "%s/stat", process);
	text = ft__load_slurp(root, path);
	const char *at = text ? strrchr(text, ')') : NULL;
	for (int i = 0; at && i <= FIRST; i++)
		at = strchr(at + 1, ' ');
	if (at && (good = take_numbers(at, value, 4) == 4))
		*ticks += value[0] + value[1] + value[2] + value[3];
	ft_free(text);
	return good;
}

static void add_pids(struct pids *pids, const char *text)
{
	double value;

	for (text += strspn(text, " "); ft__whole_scan(text, &text, &value); text += strspn(text, " ")) {
		long *grown = ft_grow(pids->pid, pids->n, &pids->capacity, sizeof *grown);

		if (!grown) {
			pids->failed = true;
			return;
		}
		pids->pid = grown;
		pids->pid[pids->n++] = (long)value;
	}
}

/* The children of every thread of a process. False: not supported by the kernel (CONFIG_PROC_CHILDREN). */
static bool add_children(const char *root, const char *process, struct pids *pids)
{
	struct ft_text name = {0};
	const struct dirent *entry;
	DIR *folder = NULL;
	bool counted = false;

	ft_text_add(&name, "%s/proc/%s/task", root, process);
	if (!name.failed)
		folder = opendir(name.s);
	ft_text_clear(&name);
	while (folder && (entry = readdir(folder))) {
		char path[sizeof entry->d_name + 64], *text;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		(void)snprintf(path, sizeof path, "%s/task/%s/children", process, entry->d_name);
		text = ft__load_slurp(root, path);
		counted |= text != NULL;
		if (text)
			add_pids(pids, text);
		ft_free(text);
	}
	if (folder)
		(void)closedir(folder);
	return counted;
}

bool ft__load_own(const char *root, bool children, double *ticks)
{
	struct pids pids = {0};

	*ticks = 0;
	bool good = add_ticks(root, "self", ticks) && (!children || add_children(root, "self", &pids));
	while (good && pids.n) {
		char process[32];

		(void)snprintf(process, sizeof process, "%ld", pids.pid[--pids.n]);
		if (add_ticks(root, process, ticks)) /* else it has ended meanwhile */
			(void)add_children(root, process, &pids);
	}
	ft_free(pids.pid);
	return good && !pids.failed;
}

/*
 * The background load between two looks at /proc.
 */

struct ft_load_recorder {
	char *root;
	bool children;
	struct ft__load_stat stat; /* at the last look */
	double own, waited_s;
	int64_t looked_ns; /* monotonic */
	/* since then */
	size_t looks, crowded;    /* crowded: that found somebody waiting */
	double runnable, waiting; /* sums, of other processes */
};

static enum ft_status read_load(const struct ft_load_recorder *recorder, struct ft__load_stat *stat,
				double *own, struct ft_err *err)
{
	char *text = ft__load_slurp(recorder->root, "stat");
	bool good = text && ft__load_stat_parse(text, stat);

	ft_free(text);
	if (!good) {
		(void)ft_fail(err, FT_EUNAVAIL, "'%s/proc/stat' does not count processor time",
			      recorder->root);
		(void)ft_remedy(err, "the background load cannot be measured here: predict with --load idle");
		return FT_EUNAVAIL;
	}
	if (ft__load_own(recorder->root, recorder->children, own))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "'%s/proc/self' does not report the processor time of our %s",
		      recorder->root, recorder->children ? "processes" : "process");
	(void)ft_remedy(err, "record it with 'foretime machine load record' during other work");
	return FT_EUNAVAIL;
}

enum ft_status ft_load_recorder_open(struct ft_load_recorder **out, const char *root, bool children,
				     struct ft_err *err)
{
	struct ft_load_recorder *recorder = ft_calloc(1, sizeof *recorder);
	struct ft__queue queue;

	*out = NULL;
	if (!recorder)
		return ft_nomem(err);
	ft__queue_read(root, &queue);
	recorder->waited_s = queue.waited_s;
	recorder->root = ft_strdup(root);
	recorder->children = children;
	recorder->looked_ns = ft_clock_ns();
	enum ft_status status =
		recorder->root ? read_load(recorder, &recorder->stat, &recorder->own, err) : ft_nomem(err);
	if (status)
		ft_load_recorder_close(recorder);
	else
		*out = recorder;
	return status;
}

void ft_load_recorder_close(struct ft_load_recorder *recorder)
{
	if (!recorder)
		return;
	ft_free(recorder->root);
	ft_free(recorder);
}

double ft_load_recorder_elapsed(const struct ft_load_recorder *recorder)
{
	return (double)(ft_clock_ns() - recorder->looked_ns) / 1e9;
}

/* A recorded /proc has its own time: that of its ticks. */
static double interval(const struct ft_load_recorder *recorder, const struct ft__load_stat *now,
		       int64_t now_ns)
{
	if (!*recorder->root)
		return (double)(now_ns - recorder->looked_ns) / 1e9;
	return (now->all - recorder->stat.all) / now->processors / (double)sysconf(_SC_CLK_TCK);
}

/* Runnable tasks above the number of processors wait; our own look does not count. */
static void add_look(struct ft_load_recorder *recorder, const struct ft__queue *queue)
{
	double others = queue->runnable - 1, waiting = others - recorder->stat.processors;

	if (isnan(others))
		return;
	recorder->looks++;
	recorder->runnable += others;
	if (waiting > 0) {
		recorder->crowded++;
		recorder->waiting += waiting;
	}
}

void ft_load_recorder_look(struct ft_load_recorder *recorder)
{
	struct ft__queue queue;

	ft__queue_read(recorder->root, &queue);
	add_look(recorder, &queue);
}

/* The demand of other processes above what they kept busy. Looks are few: the time with waiting tasks is
 * taken from the kernel, only their number from looks. */
static double count_waiting(const struct ft_load_recorder *recorder, const struct ft_load *load,
			    double pressure)
{
	double looks = (double)recorder->looks, crowded = (double)recorder->crowded;

	if (!recorder->looks)
		return recorder->children || isnan(pressure) ? 0 : pressure;
	if (recorder->children)
		return (isnan(pressure) ? 1 : pressure) *
		       fmax(0, recorder->runnable / looks + load->steal - load->busy);
	return (isnan(pressure) ? crowded / looks : pressure) *
	       (recorder->crowded ? recorder->waiting / crowded : 1);
}

enum ft_status ft_load_recorder_read(struct ft_load_recorder *recorder, struct ft_load *out,
				     struct ft_err *err)
{
	int64_t now_ns = ft_clock_ns();
	struct ft__load_stat now;
	struct ft__queue queue;
	double own;

	*out = (struct ft_load){0};
	FT_TRY(read_load(recorder, &now, &own, err));
	if (!ft__load_stat_between(&recorder->stat, &now, fmax(0, own - recorder->own), out))
		return ft_fail(err, FT_EEND, "no tick of the clock has passed");
	out->interval_s = interval(recorder, &now, now_ns);
	out->started_ns = ft_clock_real_ns() - (int64_t)(out->interval_s * 1e9);
	ft__queue_read(recorder->root, &queue);
	add_look(recorder, &queue);
	out->load = out->busy +
		    count_waiting(recorder, out,
				  ft__queue_pressure(recorder->waited_s, queue.waited_s, out->interval_s));
	recorder->stat = now;
	recorder->own = own;
	recorder->waited_s = queue.waited_s;
	recorder->looked_ns = now_ns;
	recorder->looks = recorder->crowded = 0;
	recorder->runnable = recorder->waiting = 0;
	return FT_OK;
}

/*
 * The load at this moment.
 */

enum { LOOKS = 10 };

enum ft_status ft_load_now(double seconds, enum ft_sharing sharing, double *load, int *processors,
			   struct ft_err *err)
{
	struct ft_load_recorder *recorder;
	struct ft_load seen;
	enum ft_status status = ft_load_recorder_open(&recorder, "", false, err);

	*load = 0;
	*processors = 0;
	if (status)
		return status;
	for (int i = 0; i < LOOKS; i++) {
		ft_clock_sleep(seconds / LOOKS);
		ft_load_recorder_look(recorder);
	}
	status = ft_load_recorder_read(recorder, &seen, err);
	ft_load_recorder_close(recorder);
	if (status)
		return status == FT_EEND
			       ? ft_fail(err, FT_EUNAVAIL, "the clock of '/proc/stat' does not advance")
			       : status;
	*load = sharing == FT_SHARING_NICED ? seen.busy : seen.load;
	*processors = seen.processors;
	return FT_OK;
}
