/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads.c - the newest loads in a file. */
#include "manager/loads.h"

#include "base/files.h"
#include "base/text.h"
#include "manager/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* By which it is known again: no other file is written over. */
static const char head[] = "# written by: foretime manager\n";

/* Whether the file is ours to exchange. None, and an empty one, is. */
static enum ft_status check_file(const char *path, struct ft_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char begin[sizeof head];

	if (fd < 0)
		return errno == ENOENT ? FT_OK : ft_fail_errno(err, errno, "cannot read '%.200s'", path);
	ssize_t length = read(fd, begin, sizeof head - 1);
	(void)close(fd);
	if (!length || (length == sizeof head - 1 && !memcmp(begin, head, sizeof head - 1)))
		return FT_OK;
	(void)ft_fail(err, FT_ENOTOURS, "'%.200s' is no load history of the manager's, and stays as it is",
		      path);
	(void)ft_remedy(err, "name another file as 'load_path', or remove it");
	return FT_ENOTOURS;
}

/* One row alone is no table as yet. */
static enum ft_status read_newest(struct ft__loads *loads, struct ft_err *err)
{
	enum ft_status status = loads->known ? FT_OK : check_file(loads->path, err);

	if (!status && !loads->known)
		(void)ft_loads_read(loads->path, 0, &loads->newest, NULL);
	loads->known = !status;
	return status;
}

static void drop_oldest(struct ft_loads *newest, size_t most)
{
	size_t over = newest->n > most ? newest->n - most : 0;

	memmove(newest->load, newest->load + over, (newest->n - over) * sizeof *newest->load);
	newest->n -= over;
}

/* Rows ascend in time: after a clock that was put back only what comes later counts. */
static void print_loads(const struct ft_loads *loads, struct ft_text *out)
{
	int64_t last_ns = INT64_MIN;

	ft_text_add(out, "%s# processors: %d\ntime,load\n", head, loads->load[loads->n - 1].processors);
	for (size_t i = 0; i < loads->n; i++) {
		const struct ft_load *load = &loads->load[i];
		int64_t end_ns = load->started_ns + (int64_t)(load->interval_s * 1e9);

		if (end_ns / 1000000 > last_ns / 1000000)
			ft_text_add(out, "%.3f,%.6g\n", (double)end_ns * 1e-9, load->load);
		last_ns = end_ns > last_ns ? end_ns : last_ns;
	}
}

static enum ft_status write_down(const struct ft__loads *loads, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = FT_OK;

	print_loads(&loads->newest, &text);
	if (text.failed)
		status = ft_nomem(err);
	else if (ft__file_exchange(loads->path, text.s, text.length))
		status = ft_fail_errno(err, errno, "cannot write '%.200s'", loads->path);
	ft_text_clear(&text);
	return status;
}

enum ft_status ft__loads_put(struct ft__loads *loads, const struct ft_load *seen, size_t n,
			     struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (!loads->path || !n)
		return FT_OK;
	if (!ft__rights_take(loads->user, loads->group))
		return ft_fail(err, FT_EACCESS, "cannot write '%.200s' as its owner", loads->path);
	status = read_newest(loads, err);
	for (size_t i = 0; i < n && !status; i++)
		status = ft_loads_add(&loads->newest, &seen[i], err);
	if (!status) {
		drop_oldest(&loads->newest, loads->most);
		status = write_down(loads, err);
	}
	ft__rights_back();
	return status;
}

void ft__loads_clear(struct ft__loads *loads)
{
	ft_loads_clear(&loads->newest);
}
