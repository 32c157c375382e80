/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io_gauge.c - inside the helper: bytes to and from storage, and through the calls of read and write. */
#include "measure/gauge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void open_gauge(struct ft__keeper *keeper)
{
	keeper->io = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	keeper->own_io = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
}

/* Returns how many bytes it took to read; 0: none of the keys is there. */
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

/* Of all whom we have waited for, and whom they had waited for: the kernel adds them up as it does processor
 * time (kernel/exit.c, wait_task_zombie). What we read and write ourselves is in it, and so is this reading
 * of our own part, once it is done. */
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

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
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

const struct ft__gauge ft__io_gauge = {.open = open_gauge, .settle = settle_io, .read = read_gauge};
