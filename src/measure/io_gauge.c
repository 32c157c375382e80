/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io_gauge.c - inside the helper: bytes to and from storage. */
#include "measure/gauge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes to and from storage, of all whom we have waited for, and whom they had waited for: the kernel adds
 * them up as it does processor time (kernel/exit.c, wait_task_zombie). */
static bool read_io(const struct ft__keeper *keeper, uint64_t *read_bytes, uint64_t *written_bytes)
{
	char text[512];
	ssize_t length = keeper->io < 0 ? -1 : pread(keeper->io, text, sizeof text - 1, 0);
	const char *in, *out;

	if (length <= 0)
		return false;
	text[length] = '\0';
	in = strstr(text, "\nread_bytes: ");
	out = strstr(text, "\nwrite_bytes: ");
	if (!in || !out)
		return false;
	*read_bytes = strtoull(in + sizeof "\nread_bytes:", NULL, 10);
	*written_bytes = strtoull(out + sizeof "\nwrite_bytes:", NULL, 10);
	return true;
}

static void settle(struct ft__keeper *keeper)
{
	(void)read_io(keeper, &keeper->read_bytes, &keeper->written_bytes);
}

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	if (!read_io(keeper, &reply->read_bytes, &reply->written_bytes))
		return;
	reply->read_bytes -= keeper->read_bytes;
	reply->written_bytes -= keeper->written_bytes;
	reply->flags |= FT__HAS_IO;
}

const struct ft__gauge ft__io_gauge = {.settle = settle, .read = read_gauge};
