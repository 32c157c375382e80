/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inputs.c - how far a running program is, as seen from outside: its positions in the files that it reads. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "measure/door.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	PROCESSES_MOST = 64,
	FILES_MOST = 256,
	BYTES_LEAST = 4096, /* smaller files are settings, not inputs */
	SHARE_LEAST = 50,   /* nor are those smaller than such a part of the largest */
};

struct input {
	dev_t device;
	ino_t number;
	double bytes, at;
	bool open, read, written; /* now; ever; ever to write: it is no input */
};

struct ft_inputs {
	const char *root;
	int pid, process[PROCESSES_MOST]; /* [n] the tree at the last look */
	size_t n;
	struct input file[FILES_MOST]; /* [n_files] */
	size_t n_files;
};

/* A file of a process as text; false: it is gone, or may not be read. */
static bool read_text(const struct ft_inputs *in, int pid, const char *name, char *text, size_t size)
{
	char path[PATH_MAX];
	size_t length;

	(void)snprintf(path, sizeof path, "%s/proc/%d/%s", in->root, pid, name);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	length = fread(text, 1, size - 1, file);
	(void)fclose(file);
	text[length] = '\0';
	return length > 0;
}

/* Libraries, modules and tables of the system are read when a program starts; they are no input. */
static bool is_of_system(const char *path)
{
	static const char *const folders[] = {"/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/bin/"},
				 *const ends[] = {".py", ".pyc", ".pm", ".jar", ".so"};
	const size_t length = strlen(path);

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (length > strlen(ends[i]) && !strcmp(path + length - strlen(ends[i]), ends[i]))
			return true;
	return strstr(path, ".so.") != NULL;
}

/* link: where its name can be read; NULL: an argument. */
static struct input *find_file(struct ft_inputs *in, const struct stat *status, const char *link)
{
	char path[PATH_MAX];
	ssize_t length;

	for (size_t i = 0; i < in->n_files; i++)
		if (in->file[i].device == status->st_dev && in->file[i].number == status->st_ino)
			return &in->file[i];
	if (!S_ISREG(status->st_mode) || status->st_size < BYTES_LEAST || in->n_files == FILES_MOST)
		return NULL;
	length = link ? readlink(link, path, sizeof path - 1) : 0;
	path[length > 0 ? length : 0] = '\0';
	if (is_of_system(path))
		return NULL;
	in->file[in->n_files] = (struct input){.device = status->st_dev, .number = status->st_ino};
	return &in->file[in->n_files++];
}

/* ---- the files ----------------------------------------------------------------------------------------- */

/* The files among its arguments: those that it will read later belong to the whole. */
static void find_arguments(struct ft_inputs *in)
{
	char text[65536], path[PATH_MAX];
	struct input *file;
	struct stat status;
	size_t at;

	memset(text, 0, sizeof text);
	if (!read_text(in, in->pid, "cmdline", text, sizeof text))
		return;
	for (at = strlen(text) + 1; at < sizeof text && text[at]; at += strlen(text + at) + 1) {
		if (text[at] == '/')
			(void)snprintf(path, sizeof path, "%s", text + at);
		else
			(void)snprintf(path, sizeof path, "%s/proc/%d/cwd/%s", in->root, in->pid, text + at);
		if (!stat(path, &status) && (file = find_file(in, &status, NULL)))
			file->bytes = (double)status.st_size;
	}
}

/* The position of an open file. */
static void look_at_file(struct ft_inputs *in, int pid, const char *number)
{
	char name[NAME_MAX + 16], path[PATH_MAX], text[512];
	struct input *file;
	struct stat status;
	unsigned flags;
	double at;

	(void)snprintf(path, sizeof path, "%s/proc/%d/fd/%s", in->root, pid, number);
	if (stat(path, &status) || !(file = find_file(in, &status, path)))
		return;
	(void)snprintf(name, sizeof name, "fdinfo/%s", number);
	if (!read_text(in, pid, name, text, sizeof text) ||
	    sscanf(text, "pos: %lf flags: %o", &at, &flags) != 2)
		return;
	file->written |= (flags & 3) != 0;
	file->bytes = (double)status.st_size;
	file->at = file->open ? fmax(file->at, at) : at;
	file->open = true;
	file->read |= at > 0;
}

static void look_at_files(struct ft_inputs *in, int pid)
{
	char path[PATH_MAX];
	struct dirent *entry;

	(void)snprintf(path, sizeof path, "%s/proc/%d/fd", in->root, pid);
	DIR *folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			look_at_file(in, pid, entry->d_name);
	(void)closedir(folder);
}

/* ---- the processes ------------------------------------------------------------------------------------- */

/* A process, and behind it the children of its first thread (the kernel needs CONFIG_PROC_CHILDREN). */
static void add_process(struct ft_inputs *in, int pid)
{
	char name[64], text[4096], *at = text, *end;

	if (in->n == PROCESSES_MOST)
		return;
	in->process[in->n++] = pid;
	(void)snprintf(name, sizeof name, "task/%d/children", pid);
	if (!read_text(in, pid, name, text, sizeof text))
		return;
	for (long child; (child = strtol(at, &end, 10)) > 0 && end != at; at = end)
		add_process(in, (int)child);
}

/* What its processes used. Counts of a process include the children that it has waited for. */
static void add_used(const struct ft_inputs *in, int pid, struct ft_inputs_look *out)
{
	char text[1024], path[PATH_MAX], name[64];
	double in_bytes, out_bytes, exec_ns, delay_ns;
	struct dirent *entry;

	if (read_text(in, pid, "io", text, sizeof text) &&
	    sscanf(text, "rchar: %lf wchar: %lf", &in_bytes, &out_bytes) == 2) {
		out->input_bytes = in_bytes + (isnan(out->input_bytes) ? 0 : out->input_bytes);
		out->output_bytes = out_bytes + (isnan(out->output_bytes) ? 0 : out->output_bytes);
	}
	(void)snprintf(path, sizeof path, "%s/proc/%d/task", in->root, pid);
	DIR *folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		(void)snprintf(name, sizeof name, "task/%.20s/schedstat", entry->d_name);
		if (entry->d_name[0] == '.' || !read_text(in, pid, name, text, sizeof text) ||
		    sscanf(text, "%lf %lf", &exec_ns, &delay_ns) != 2)
			continue;
		out->cpu_s = 1e-9 * exec_ns + (isnan(out->cpu_s) ? 0 : out->cpu_s);
		out->delay_s = 1e-9 * delay_ns + (isnan(out->delay_s) ? 0 : out->delay_s);
	}
	(void)closedir(folder);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

enum ft_status ft_inputs_open(struct ft_inputs **out, const char *root, int pid, struct ft_err *err)
{
	struct ft_inputs *in = ft_calloc(1, sizeof *in);

	*out = in;
	if (!in)
		return ft_nomem(err);
	in->root = root;
	in->pid = pid;
	find_arguments(in);
	return FT_OK;
}

void ft_inputs_look(struct ft_inputs *in, struct ft_inputs_look *out)
{
	double largest = 0;
	char text[1024], *rest;

	*out = (struct ft_inputs_look){.input_bytes = NAN, .output_bytes = NAN, .cpu_s = NAN, .delay_s = NAN};
	out->alive = read_text(in, in->pid, "stat", text, sizeof text) && (rest = strrchr(text, ')')) &&
		     rest[1] && rest[2] != 'Z' && rest[2] != 'X';
	if (!out->alive)
		return;
	for (size_t i = 0; i < in->n_files; i++) {
		in->file[i].open = false;
	}
	in->n = 0;
	add_process(in, in->pid);
	for (size_t i = 0; i < in->n; i++) {
		look_at_files(in, in->process[i]);
		add_used(in, in->process[i], out);
	}
	for (size_t i = 0; i < in->n_files; i++)
		if (!in->file[i].written && in->file[i].bytes > largest)
			largest = in->file[i].bytes;
	for (size_t i = 0; i < in->n_files; i++) {
		const struct input *file = &in->file[i];

		if (file->written || file->bytes < largest / SHARE_LEAST)
			continue;
		out->total += file->bytes;
		out->read += file->open ? fmin(file->at, file->bytes) : file->read ? file->bytes : 0;
	}
}

double ft_inputs_since_s(const struct ft_inputs *in)
{
	char text[1024], *rest;
	unsigned long long ticks;
	struct timespec now;

	/* proc(5): the fields 3 to 22 stand behind the name, which may hold anything. */
	if (!read_text(in, in->pid, "stat", text, sizeof text) || !(rest = strrchr(text, ')')) ||
	    sscanf(rest + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		   &ticks) != 1)
		return NAN;
	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

void ft_inputs_close(struct ft_inputs *in)
{
	ft_free(in);
}
