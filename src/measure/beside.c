/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.c - the memory of what runs in the job of a batch system beside the program: shells, and workflow
 * systems that run once more in each job. */
#include "measure/beside.h"
#include "base/files.h"
#include "foretime/measure.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which job this is, as batch systems say it: Slurm, PBS, LSF, Grid Engine. */
static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"};

enum { PATH = 64 };

static FILE *open_of(const char *pid, const char *what)
{
	char path[PATH];

	(void)snprintf(path, sizeof path, "/proc/%.20s/%s", pid, what);
	return fopen(path, "re");
}

/* Whether the environment that a process began with has "NAME=VALUE". */
static bool has_variable(const char *pid, const char *name, const char *value)
{
	FILE *file = open_of(pid, "environ");
	char *entry = NULL;
	size_t room = 0, length = strlen(name);
	bool found = false;

	while (file && !found && getdelim(&entry, &room, '\0', file) > 0)
		found = !strncmp(entry, name, length) && entry[length] == '=' &&
			!strcmp(entry + length + 1, value);
	free(entry); /* of getdelim */
	if (file)
		(void)fclose(file);
	return found;
}

/* A value in kB, which are KiB; NaN: there is no such line. */
static double bytes_of_key(const char *text, const char *key)
{
	char value[FT__LINE_LENGTH];

	return ft__file_value(value, text, key) ? 1024 * strtod(value, NULL) : (double)NAN;
}

double ft__beside_bytes(const char *root, const char *pid)
{
	char text[4096];

	(void)ft__file_read(text, sizeof text, root, "/proc/%.20s/status", pid);
	double bytes = bytes_of_key(text, "VmHWM");
	if (isnan(bytes))
		return 0;
	if (bytes > 0)
		return bytes;
	(void)ft__file_read(text, sizeof text, root, "/proc/%.20s/smaps_rollup", pid);
	bytes = bytes_of_key(text, "Rss");
	return bytes > 0 ? bytes : (double)NAN;
}

static bool is_beside(const char *pid, const char *job, const char *value)
{
	long number = strtol(pid, NULL, 10);
	char path[PATH];
	struct stat about;

	(void)snprintf(path, sizeof path, "/proc/%.20s", pid);
	if (!isdigit((unsigned char)*pid) || number == (long)getpid() || stat(path, &about) != 0 ||
	    about.st_uid != getuid())
		return false;
	return value ? has_variable(pid, job, value) : getsid((pid_t)number) == getsid(0);
}

enum ft_status ft_beside_job(struct ft_beside_job *out, struct ft_err *err)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	const char *value = NULL;
	size_t i;

	*out = (struct ft_beside_job){0};
	if (!folder)
		return ft_fail(err, FT_EUNAVAIL,
			       "/proc cannot be read: it is not known what runs in this job");
	for (i = 0; i < sizeof jobs / sizeof *jobs && !value; i++) {
		value = getenv(jobs[i]);
		out->job = value ? jobs[i] : NULL;
	}
	while ((entry = readdir(folder))) {
		if (!is_beside(entry->d_name, out->job, value))
			continue;
		double bytes = ft__beside_bytes("", entry->d_name);
		out->processes += bytes != 0;
		out->bytes += bytes;
	}
	(void)closedir(folder);
	if (!isnan(out->bytes))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL,
		      "the kernel does not report the memory of another process of this job");
	(void)ft_remedy(err, "try again: it may just have started; else state their memory with --overhead");
	return FT_EUNAVAIL;
}
