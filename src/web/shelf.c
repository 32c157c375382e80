/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shelf.c - traces that the page was given */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/client.h"
#include "web/files.h"
#include "web/inside.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

static void take_away(struct ft__kept *kept)
{
	ft_free(kept->text);
	*kept = (struct ft__kept){0};
}

void ft__shelf_clear(struct ft__shelf *shelf)
{
	for (size_t i = 0; i < FT__SHELF_PLACES; i++)
		take_away(&shelf->kept[i]);
}

/* The one that was not used for longest, an empty place before all; and how many bytes there are. */
static struct ft__kept *oldest_kept(struct ft__shelf *shelf, bool empty, size_t *bytes)
{
	struct ft__kept *found = NULL;

	*bytes = 0;
	for (size_t i = 0; i < FT__SHELF_PLACES; i++) {
		struct ft__kept *kept = &shelf->kept[i];

		*bytes += kept->bytes;
		if ((empty || *kept->id) && (!found || kept->used < found->used))
			found = kept;
	}
	return found;
}

static struct ft__kept *make_room(struct ft__shelf *shelf, size_t bytes)
{
	struct ft__kept *kept;
	size_t there;

	while ((kept = oldest_kept(shelf, false, &there)) && there + bytes > FT__SHELF_BYTES)
		take_away(kept);
	kept = oldest_kept(shelf, true, &there);
	take_away(kept);
	return kept;
}

static bool make_id(char id[FT__SHELF_ID + 1])
{
	unsigned char byte[FT__SHELF_ID / 2];

	if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
		return false;
	for (size_t i = 0; i < sizeof byte; i++)
		(void)snprintf(id + 2 * i, 3, "%02x", byte[i]);
	return true;
}

static enum ft_status check_text(const char *text, size_t bytes, struct ft_err *err)
{
	if (bytes > FT__SHELF_BYTES) {
		(void)ft_fail(err, FT_EINVAL, "this trace is longer than the page keeps");
		return ft_remedy(err, "take it apart by the command: foretime trace fit FILE.csv");
	}
	if (!memchr(text, '\0', bytes))
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "this is no text: there is a zero byte in it");
	return ft_remedy(err, "give a CSV file with a column of times and one of values");
}

enum ft_status ft__shelf_put(struct ft__shelf *shelf, const char *text, size_t bytes, const char **out,
			     struct ft_err *err)
{
	enum ft_status status = check_text(text, bytes, err);
	struct ft__kept *kept, made = {.bytes = bytes, .used = ++shelf->uses};

	*out = NULL;
	if (status)
		return status;
	if (!make_id(made.id))
		return ft_fail(err, FT_EUNAVAIL, "this system gives nothing random");
	made.text = ft_strndup(text, bytes);
	if (!made.text)
		return ft_nomem(err);
	kept = make_room(shelf, bytes);
	*kept = made;
	*out = kept->id;
	return FT_OK;
}

const char *ft__shelf_get(struct ft__shelf *shelf, const char *id)
{
	for (size_t i = 0; i < FT__SHELF_PLACES; i++)
		if (*id && !strcmp(shelf->kept[i].id, id)) {
			shelf->kept[i].used = ++shelf->uses;
			return shelf->kept[i].text;
		}
	return NULL;
}

enum ft_status ft__web_watch(const struct ft_web *web, int fd, struct ft_err *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	event.data.fd = fd;
	return epoll_ctl(web->epoll, EPOLL_CTL_ADD, fd, &event)
		       ? ft_fail_errno(err, errno, "cannot watch what is to be served")
		       : FT_OK;
}
