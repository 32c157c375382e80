/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stat.c - processor time as /proc counts it: of the system, and of our own processes. */
#include "load/stat.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* So many numbers, blank-separated; how many there were. Missing ones are 0. */
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

/* The children of every thread of a process. False: the kernel does not tell (CONFIG_PROC_CHILDREN). */
static bool add_children(const char *root, const char *process, struct pids *pids)
{
	struct ft_text name = {0};
	const struct dirent *entry;
	DIR *folder = NULL;
	bool told = false;

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
		told |= text != NULL;
		if (text)
			add_pids(pids, text);
		ft_free(text);
	}
	if (folder)
		(void)closedir(folder);
	return told;
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
