/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - numbers of jobs as the epilog writes them down, a line each: "NUMBER EPOCH". The file is taken
 * away, and those that the accounts do not know yet are put back. Whoever is killed leaves it beside its
 * place, and the next one begins with that: a job that was taken is not taken again. */
#include "cli/common.h"
#include "base/clock.h"
#include "cli/slurm/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As many numbers as a word may have; and how long a job is waited for that no accounts tell of. */
enum { AT_ONCE = 1000, WAIT_S = 86400 };

struct slurm_line {
	long long job, at_s;
};

struct list {
	struct slurm_line *line; /* [n] */
	size_t n;
};

static int read_list(const char *path, struct list *list)
{
	FILE *file = fopen(path, "re");
	char text[128];

	if (!file) {
		if (errno == ENOENT)
			return CLI_DONE;
		return cli_fail("cannot open '%s': %s\n"
				"hint: the harvest is for who may read what the epilog writes",
				path, strerror(errno));
	}
	while (fgets(text, sizeof text, file)) {
		struct slurm_line line = {0, 0};

		/* a line that is none is nothing: whoever was killed writing it wrote no number */
		if (sscanf(text, "%lld %lld", &line.job, &line.at_s) < 1 || line.job <= 0)
			continue;
		list->line = cli_grow(list->line, list->n, sizeof *list->line);
		list->line[list->n++] = line;
	}
	(void)fclose(file);
	return CLI_DONE;
}

static int take_jobs(struct cli_slurm *slurm, struct cli_harvest *harvest, const struct list *list)
{
	CLI_OWN char *numbers = cli_alloc((size_t)AT_ONCE * 24);
	int status = CLI_DONE;

	for (size_t i = 0; i < list->n && status == CLI_DONE; i += AT_ONCE) {
		size_t at = 0;

		for (size_t k = i; k < list->n && k < i + AT_ONCE; k++)
			at += (size_t)sprintf(numbers + at, "%s%lld", at ? "," : "", list->line[k].job);
		status = cli_harvest_jobs(slurm, harvest, numbers);
	}
	return status;
}

static int compare_jobs(const void *a, const void *b)
{
	long long p = *(const long long *)a, q = *(const long long *)b;

	return (p > q) - (p < q);
}

/* Those of which the accounts did not know that they had ended, a line each. */
static int put_back(const char *path, const struct ft_slurm_harvested *told, const struct list *list)
{
	long long now_s = (long long)(ft_clock_real_ns() / 1000000000);
	int fd = -1, status = CLI_DONE;

	if (told->n_done)
		qsort(told->done, told->n_done, sizeof *told->done, compare_jobs);
	for (size_t i = 0; i < list->n && status == CLI_DONE; i++) {
		const struct slurm_line *line = &list->line[i];
		char text[64];

		if (bsearch(&line->job, told->done, told->n_done, sizeof line->job, compare_jobs) ||
		    now_s - line->at_s > WAIT_S)
			continue;
		int n = snprintf(text, sizeof text, "%lld %lld\n", line->job, line->at_s);
		if (fd < 0)
			fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0 || write(fd, text, (size_t)n) != n)
			status = cli_fail("cannot write '%s': %s", path, strerror(errno));
	}
	if (fd >= 0)
		(void)close(fd);
	return status;
}

int cli_harvest_file(struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	CLI_OWN char *taking = cli_printed("%s.taking", slurm->jobs);
	struct list list = {0};
	int status = read_list(taking, &list);

	if (status == CLI_DONE && !list.n) {
		if (rename(slurm->jobs, taking) && errno != ENOENT)
			status = cli_fail("cannot move '%s': %s", slurm->jobs, strerror(errno));
		else
			status = read_list(taking, &list);
	}
	if (status == CLI_DONE)
		status = take_jobs(slurm, harvest, &list);
	if (status == CLI_DONE)
		status = put_back(slurm->jobs, &harvest->told, &list);
	if (status == CLI_DONE)
		(void)unlink(taking);
	free(list.line);
	return status;
}
