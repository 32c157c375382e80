/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - the jobs of the parts, by several processes at once. */
#include "base/alloc.h"
#include "part.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct part *const parts[] = {&part_given,  &part_made, &part_made_5,
					   &part_beyond, &part_laws, &part_time};
enum { PARTS = sizeof parts / sizeof *parts };

/* Whether a word of the list is the beginning of the name. */
static bool is_in(const char *list, const char *name)
{
	size_t n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n && !strncmp(list, name, n))
			return true;
	}
	return !list;
}

static bool is_wanted(const struct settings *settings, const struct part *part, size_t job)
{
	char name[256];

	part->name_of(settings, job, name, sizeof name);
	return !settings->only || strstr(name, settings->only);
}

/* Takes jobs as long as there are any. */
static void work(const struct settings *settings, const struct part *part, atomic_size_t *next,
		 struct records *out)
{
	size_t jobs = part->jobs(settings), job;

	while ((job = atomic_fetch_add(next, 1)) < jobs)
		if (is_wanted(settings, part, job))
			part->run(settings, job, out);
}

static int work_and_write(const struct settings *settings, const struct part *part, atomic_size_t *next,
			  FILE *file)
{
	struct records records = {0};

	work(settings, part, next, &records);
	return fwrite(records.record, sizeof *records.record, records.n, file) != records.n || fflush(file);
}

static bool gather(FILE *file, struct records *out)
{
	struct record record;
	bool good = true;

	rewind(file);
	while (good && fread(&record, sizeof record, 1, file) == 1)
		good = records_add(out, &record);
	return good;
}

static bool run_part(const struct settings *settings, const struct part *part, unsigned processes,
		     struct records *out)
{
	enum { MOST = 64 };
	pid_t child[MOST] = {0};
	FILE *file[MOST];
	atomic_size_t *next =
		mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned i, n = part->alone ? 1 : processes < MOST ? processes : MOST;
	bool good = next != MAP_FAILED;
	int status;

	(void)fflush(NULL);
	for (i = 0; i < n && good; i++) {
		file[i] = tmpfile();
		child[i] = file[i] ? fork() : -1;
		if (!child[i])
			_exit(work_and_write(settings, part, next, file[i]));
		good = child[i] > 0;
	}
	for (i = 0; i < n && child[i] > 0; i++) {
		good = waitpid(child[i], &status, 0) == child[i] && !status && good;
		good = gather(file[i], out) && good;
		(void)fclose(file[i]);
	}
	if (next != MAP_FAILED)
		(void)munmap(next, sizeof *next);
	return good;
}

bool parts_run(const struct settings *settings, const char *which, unsigned processes, struct records *out)
{
	bool good = true;

	for (size_t i = 0; i < PARTS; i++)
		if (is_in(which, parts[i]->name))
			good = run_part(settings, parts[i], processes, out) && good;
	records_sort(out);
	return good;
}
