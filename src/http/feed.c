/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed.c - events for all listeners. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/inside.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

/*
 * What is sent, and can be sent again.
 */

/* Takes the response, also on failure; NULL gives NULL. */
static struct ft_http_answer *answer_of(unsigned status, const char *type, struct MHD_Response *response)
{
	struct ft_http_answer *answer = response ? ft_malloc(sizeof *answer) : NULL;

	if (!answer || MHD_add_response_header(response, "Content-Type", type) == MHD_NO) {
		ft_free(answer);
		if (response)
			MHD_destroy_response(response);
		return NULL;
	}
	*answer = (struct ft_http_answer){response, status, 1};
	return answer;
}

struct ft_http_answer *ft_http_answer_new(unsigned status, const char *type, const char *text, size_t bytes)
{
	/* The library takes what it does not change without const. */
	return answer_of(
		status, type,
		MHD_create_response_from_buffer(bytes, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY));
}

struct ft_http_answer *ft_http_answer_of(unsigned status, const char *type, const void *bytes, size_t n)
{
	return answer_of(
		status, type,
		MHD_create_response_from_buffer(n, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT));
}

bool ft_http_answer_header(struct ft_http_answer *answer, const char *name, const char *value)
{
	return MHD_add_response_header(answer->response, name, value) == MHD_YES;
}

struct ft_http_answer *ft_http_answer_keep(struct ft_http_answer *answer)
{
	if (answer)
		answer->users++;
	return answer;
}

void ft_http_answer_free(struct ft_http_answer *answer)
{
	if (!answer || --answer->users)
		return;
	MHD_destroy_response(answer->response);
	ft_free(answer);
}

/* A text that can stand in JSON; heap, ends with ft_free. NULL: no memory, or NULL. */
static char *printable_copy(const char *text)
{
	char *copy = ft_strdup(text);

	if (copy)
		ft__utf8_line(copy, strlen(copy) + 1, copy);
	return copy;
}

struct ft_http_answer *ft_http_refuse(unsigned status, const char *text, const char *remedy)
{
	char *words = printable_copy(text), *cure = remedy && *remedy ? printable_copy(remedy) : NULL;
	json_t *object = words ? json_pack("{s:s, s:s, s:s?}", "schema", "foretime-error-1", "error", words,
					   "remedy", cure)
			       : NULL;
	char *dump = object ? json_dumps(object, JSON_COMPACT) : NULL;
	struct ft_http_answer *answer =
		dump ? ft_http_answer_new(status, "application/json", dump, strlen(dump)) : NULL;

	free(dump);
	json_decref(object);
	ft_free(words);
	ft_free(cure);
	return answer;
}

/* A connected listener. */
struct listener {
	struct ft_http_feed *feed;
	struct MHD_Connection *connection;
	struct ft__visitor *visitor;
	int64_t since_ns;   /* when it got the last data, or was woken for it */
	unsigned long next; /* number of the event that he hears next */
	size_t heard;       /* bytes of it, or of the gap */
	struct listener *before, *after;
	bool suspended, cut;
	bool beat; /* only a heartbeat is due */
	bool gap;  /* events are gone that he did not hear: that comes first */
};

struct ft_http_feed {
	struct ft_http *http;
	char *event[FT_HTTP_EVENTS]; /* number i at i % FT_HTTP_EVENTS, as it is sent */
	unsigned long n;             /* the number of the next one; the first is 1 */
	unsigned long born;          /* numbers are of this feed alone: when it began stands before them */
	struct listener *first;
	size_t listeners;
	unsigned long begun; /* all that ever were */
	bool ended;
};

static const char gap_text[] = "event: gap\ndata: {}\n\n";

enum ft_status ft_http_feed_new(struct ft_http_feed **out, struct ft_http *http, struct ft_err *err)
{
	*out = ft_calloc(1, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	(*out)->http = http;
	(*out)->n = 1;
	(*out)->born = (unsigned long)ft_clock_real_ns();
	http->feed = *out;
	return FT_OK;
}

void ft_http_feed_free(struct ft_http_feed *feed)
{
	if (!feed)
		return;
	for (size_t i = 0; i < FT_HTTP_EVENTS; i++)
		ft_free(feed->event[i]);
	ft_free(feed);
}

size_t ft_http_feed_listeners(const struct ft_http_feed *feed)
{
	return feed->listeners;
}

unsigned long ft_http_feed_begun(const struct ft_http_feed *feed)
{
	return feed->begun;
}

/* ---- delivery
   ------------------------------------------------------------------------------------------- */

static void wake_listeners(struct ft_http_feed *feed)
{
	for (struct listener *listener = feed->first; listener; listener = listener->after)
		if (listener->suspended) {
			listener->suspended = false;
			listener->since_ns = ft_clock_ns();
			MHD_resume_connection(listener->connection);
		}
}

enum ft_status ft_http_feed_add(struct ft_http_feed *feed, const char *event, const char *data)
{
	struct ft_text text = {0};
	char **place = &feed->event[feed->n % FT_HTTP_EVENTS], *made;

	ft_text_add(&text, "id: %lx-%lu\nevent: %s\ndata: %s\n\n", feed->born, feed->n, event, data);
	made = ft_text_take(&text);
	if (!made)
		return FT_ENOMEM;
	ft_free(*place);
	*place = made;
	feed->n++;
	wake_listeners(feed);
	return FT_OK;
}

void ft_http_feed_beat(struct ft_http_feed *feed)
{
	int64_t now = ft_clock_ns();

	for (struct listener *listener = feed->first; listener; listener = listener->after) {
		listener->beat = listener->suspended;
		if (!listener->suspended && !listener->cut && listener->visitor &&
		    1e-9 * (double)(now - listener->since_ns) > listener->feed->http->limits.request_s) {
			listener->cut = true;
			ft__visitor_cut(listener->visitor);
		}
	}
	wake_listeners(feed);
}

void ft__feed_end(struct ft_http_feed *feed)
{
	feed->ended = true;
	wake_listeners(feed);
}

/* ---- listening ----------------------------------------------------------------------------------------- */

static unsigned long oldest_of(const struct ft_http_feed *feed)
{
	return feed->n > FT_HTTP_EVENTS ? feed->n - FT_HTTP_EVENTS : 1;
}

/* Copy as much of a text as fits, after the part already sent. Returns whether it is complete. */
static bool copy_rest(struct listener *listener, const char *text, char *buffer, size_t most, size_t *done)
{
	size_t left = strlen(text) - listener->heard;
	size_t n = left < most - *done ? left : most - *done;

	memcpy(buffer + *done, text + listener->heard, n);
	*done += n;
	listener->heard += n;
	if (n < left)
		return false;
	listener->heard = 0;
	return true;
}

static ssize_t give_events(void *ctx, uint64_t position, char *buffer, size_t most)
{
	struct listener *listener = ctx;
	const struct ft_http_feed *feed = listener->feed;
	size_t done = 0;

	(void)position;
	if (listener->next < oldest_of(feed)) {
		/* A partly sent event is lost: the listener reconnects, and gets a gap. */
		if (listener->heard && !listener->gap)
			return MHD_CONTENT_READER_END_OF_STREAM;
		listener->gap = true;
		listener->next = oldest_of(feed);
	}
	if (listener->beat && !listener->heard && listener->next == feed->n && !listener->gap)
		done = (size_t)snprintf(buffer, most, ":\n\n");
	listener->beat = false;
	if (listener->gap)
		listener->gap = !copy_rest(listener, gap_text, buffer, most, &done);
	while (!listener->gap && listener->next < feed->n && done < most)
		if (copy_rest(listener, feed->event[listener->next % FT_HTTP_EVENTS], buffer, most, &done))
			listener->next++;
	listener->since_ns = ft_clock_ns();
	if (done)
		return (ssize_t)done;
	if (feed->ended)
		return MHD_CONTENT_READER_END_OF_STREAM;
	listener->suspended = true;
	MHD_suspend_connection(listener->connection);
	return 0;
}

static void remove_listener(void *ctx)
{
	struct listener *listener = ctx;

	if (listener->before)
		listener->before->after = listener->after;
	else
		listener->feed->first = listener->after;
	if (listener->after)
		listener->after->before = listener->before;
	listener->feed->listeners--;
	ft_free(listener);
}

/* The next event for it. */
static unsigned long begin_at(const struct ft_http_feed *feed, const struct ft__http_request *request,
			      bool *gap)
{
	const char *last = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Last-Event-ID");
	unsigned long born, number;
	char end;

	*gap = false;
	if (!last || !*last)
		return feed->n;
	if (sscanf(last, "%lx-%lu%c", &born, &number, &end) == 2 && born == feed->born && number < feed->n)
		return number + 1;
	*gap = true; /* of an earlier server */
	return oldest_of(feed);
}

struct ft_http_answer *ft_http_feed_answer(struct ft_http_feed *feed, struct ft_http_ask *ask)
{
	struct ft__http_request *request = (struct ft__http_request *)ask;
	struct listener *listener = ft_calloc(1, sizeof *listener);

	if (!listener)
		return NULL;
	*listener = (struct listener){.feed = feed,
				      .connection = request->connection,
				      .visitor = request->visitor,
				      .since_ns = ft_clock_ns(),
				      .after = feed->first};
	listener->next = begin_at(feed, request, &listener->gap);
	struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, give_events,
									  listener, remove_listener);
	if (!response) {
		ft_free(listener);
		return NULL;
	}
	if (feed->first)
		feed->first->before = listener;
	feed->first = listener;
	feed->listeners++;
	feed->begun++;
	ft__visitor_wait(request->visitor, true);
	struct ft_http_answer *answer = answer_of(200, "text/event-stream", response);
	if (answer)
		(void)MHD_add_response_header(response, "Cache-Control", "no-store");
	return answer;
}
