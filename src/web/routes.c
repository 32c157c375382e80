/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.c - the routes of the page's server: its own files, questions, a manager's answers, and events. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "web/files.h"
#include "web/inside.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

/*
 * Traces posted by the page: limited in bytes, the oldest is dropped first.
 */

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

static struct ft__kept *free_place(struct ft__shelf *shelf, size_t bytes)
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
	kept = free_place(shelf, bytes);
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

/*
 * Changes while the page is open: files of the store, the queue of a manager. Both are queried in a thread,
 * so that neither can block the server.
 */

/* A look is two stats, and a question to a manager: some 0.2 ms. */
#define LOOK_NS 500000000LL

/* ---- the store ----------------------------------------------------------------------------------------- */

static void add_stamp(struct ft_text *text, const char *store, const char *end)
{
	struct ft_text path = {0};
	struct stat st;

	ft_text_add(&path, "%s%s", store, end);
	if (!path.failed && !stat(path.s, &st) && st.st_size)
		ft_text_add(text, "%" PRIdMAX ".%09ld %" PRIdMAX " ", (intmax_t)st.st_mtim.tv_sec,
			    st.st_mtim.tv_nsec, (intmax_t)st.st_size);
	else
		ft_text_add(text, "- ");
	ft_text_clear(&path);
}

/* A value that changes when runs are added: time and length of the file, and of its journal, which is
 * empty with readers only; it may block like the file system. Heap; NULL: no memory. */
static char *stamp_of(const char *store)
{
	struct ft_text text = {0};

	add_stamp(&text, store, "");
	add_stamp(&text, store, "-wal");
	return ft_text_take(&text);
}

static void look_at_store(void *what)
{
	struct ft__errand *errand = what;

	errand->text = stamp_of(errand->target);
	errand->code = 200;
}

/* The store of the command. Heap; NULL: no memory. */
static char *store_path(const struct ft_web *web)
{
	const char *named = getenv("FORETIME_STORE"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	struct ft_text text = {0};

	if (web->options.store)
		ft_text_add(&text, "%s", web->options.store);
	else if (named && *named)
		ft_text_add(&text, "%s", named);
	else if (data && *data == '/')
		ft_text_add(&text, "%s/foretime/store.db", data);
	else
		ft_text_add(&text, "%s/.local/share/foretime/store.db", home ? home : "");
	return ft_text_take(&text);
}

/* ---- looking ------------------------------------------------------------------------------------------- */

enum ft_status ft__look_open(struct ft_web *web, struct ft_err *err)
{
	struct ft__web_look *look = &web->look;
	enum ft_status status =
		ft__aside_new(&look->store, sizeof(struct ft__errand), look_at_store, ft__errand_clear, err);

	if (!status)
		status = ft__aside_new(&look->manager, sizeof(struct ft__errand), ft__errand_run,
				       ft__errand_clear, err);
	if (!status)
		status = ft__web_watch(web, ft__aside_fd(look->store), err);
	return status ? status : ft__web_watch(web, ft__aside_fd(look->manager), err);
}

void ft__look_close(struct ft_web *web)
{
	ft__aside_free(web->look.store);
	ft__aside_free(web->look.manager);
	ft_free(web->look.answer_store);
	ft_free(web->look.answer_manager);
}

static void look_ask_manager(struct ft__aside *aside, struct ft__errand errand)
{
	if (!errand.target || !ft__aside_ask(aside, &errand))
		ft__errand_clear(&errand);
}

/* An answer as one line; NULL: it is none. Heap, ends with free. */
static char *line_of(const struct ft__errand *errand)
{
	json_t *output = errand->code == 200 && errand->text ? json_loads(errand->text, 0, NULL) : NULL;
	char *line = output ? json_dumps(output, JSON_COMPACT) : NULL;

	json_decref(output);
	return line;
}

/* Whether it differs from the last text, which it replaces. */
static bool is_new(char **last, const char *text)
{
	if (*last && text && !strcmp(*last, text))
		return false;
	ft_free(*last);
	*last = ft_strdup(text);
	return true;
}

static void hear_look(struct ft_web *web)
{
	struct ft__web_look *look = &web->look;
	struct ft__errand errand;

	if (ft__aside_answer(look->store, &errand, 0)) {
		bool first = !look->answer_store;

		if (errand.text && is_new(&look->answer_store, errand.text) && !first)
			(void)ft_http_feed_add(web->feed, "store", "{}");
		ft__errand_clear(&errand);
	}
	if (ft__aside_answer(look->manager, &errand, 0)) {
		char *line = line_of(&errand);

		if ((line || look->answer_manager) && is_new(&look->answer_manager, line))
			(void)ft_http_feed_add(web->feed, "queue", line ? line : "null");
		free(line);
		ft__errand_clear(&errand);
	}
}

void ft__look_go(struct ft_web *web)
{
	struct ft__web_look *look = &web->look;
	int64_t now = ft_clock_ns();

	hear_look(web);
	if (!ft_http_feed_listeners(web->feed) || now < look->due_ns)
		return;
	look->due_ns = now + LOOK_NS;
	look_ask_manager(look->store, (struct ft__errand){.target = store_path(web)});
	look_ask_manager(look->manager, (struct ft__errand){.target = ft_strdup("/queue"),
							    .socket = ft_strdup(web->socket)});
	ft_http_feed_beat(web->feed);
}

int ft__look_wait_ms(const struct ft_web *web)
{
	int64_t left = web->look.due_ns - ft_clock_ns();

	if (!ft_http_feed_listeners(web->feed))
		return -1;
	return left > 0 ? (int)(left / 1000000) + 1 : 0;
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* The page may load from here, and nothing else. Pictures are made from its drawings. */
static const char *const file_headers[][2] = {
	{"Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; "
				    "base-uri 'none'; form-action 'none'"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Cache-Control", "no-cache"},
};

static const struct ft__web_file *find_file(const char *name)
{
	const struct ft__web_file *file = ft__web_files;

	while (file->name && strcmp(file->name, name) != 0)
		file++;
	return file->name ? file : NULL;
}

static struct ft_http_answer *send_file(const struct ft__web_file *file, bool known)
{
	struct ft_http_answer *answer =
		ft_http_answer_of(known ? 304 : 200, file->type, file->bytes, known ? 0 : file->n);
	bool good = answer && ft_http_answer_header(answer, "ETag", file->etag) &&
		    (known || ft_http_answer_header(answer, "Content-Encoding", "gzip"));

	for (size_t i = 0; good && i < sizeof file_headers / sizeof *file_headers; i++)
		good = ft_http_answer_header(answer, file_headers[i][0], file_headers[i][1]);
	if (good)
		return answer;
	ft_http_answer_free(answer);
	return NULL;
}

static struct ft_http_answer *give_file(void *ctx, struct ft_http_ask *ask)
{
	const struct ft__web_file *file = find_file(*ask->rest ? ask->rest : "index.html");
	const char *has = ft_http_header(ask, "If-None-Match");

	(void)ctx;
	if (!file)
		return ft_http_refuse(404, "there is nothing of this name", "the page begins at /");
	return send_file(file, has && !strcmp(has, file->etag));
}

/* ---- questions ----------------------------------------------------------------------------------------- */

static struct ft_http_answer *refuse_page(const struct ft_err *err)
{
	return ft_http_refuse(err->status == FT_ENOENT   ? 404
			      : err->status == FT_ENOMEM ? 500
							 : 400,
			      err->text, err->remedy);
}

static struct ft_http_answer *ask_command(void *ctx, struct ft_http_ask *ask)
{
	struct ft__errand errand;
	struct ft_err err = {0};

	if (ft__question_read(ctx, ask, &errand, &err))
		return refuse_page(&err);
	return ft__seats_ask(ctx, ask, &errand);
}

/* A trace is sent once; then its name is used. */
static struct ft_http_answer *keep_trace(void *ctx, struct ft_http_ask *ask)
{
	struct ft_web *web = ctx;
	struct ft_http_answer *answer = NULL;
	struct ft_text text = {0};
	struct ft_err err = {0};
	const char *id;

	if (ft__shelf_put(&web->shelf, ask->body, ask->n_body, &id, &err))
		return refuse_page(&err);
	ft_text_add(&text, "{\"id\": \"%s\", \"bytes\": %zu}\n", id, ask->n_body);
	if (!text.failed)
		answer = ft_http_answer_new(200, "application/json", text.s, text.length);
	ft_text_clear(&text);
	return answer;
}

/* As it was sent, so that nothing is decoded twice. */
static struct ft_http_answer *ask_manager(void *ctx, struct ft_http_ask *ask)
{
	static const char prefix[] = "/api/manager";
	const struct ft_web *web = ctx;
	struct ft__errand errand = {.socket = ft_strdup(web->socket), .post = !strcmp(ask->method, "POST")};

	if (strncmp(ask->target, prefix, sizeof prefix - 1) != 0 || !strncmp(ask->rest, "events", 6)) {
		ft__errand_clear(&errand);
		return ft_http_refuse(404, "there is nothing of this name",
				      "events are those of /api/events");
	}
	errand.target = ft_strdup(ask->target + sizeof prefix - 1);
	if (errand.socket && errand.target)
		return ft__seats_ask(ctx, ask, &errand);
	ft__errand_clear(&errand);
	return NULL;
}

/* An order to a manager: to stop a problem of its configuration, or to continue it. The manager checks
 * permissions: we act as our user. */
static struct ft_http_answer *tell_manager(void *ctx, struct ft_http_ask *ask)
{
	return strncmp(ask->rest, "stop/", 5) != 0 && strncmp(ask->rest, "continue/", 9) != 0
		       ? ft_http_refuse(404, "a manager has no action of this name",
					"the actions are stop and continue")
		       : ask_manager(ctx, ask);
}

static struct ft_http_answer *events(void *ctx, struct ft_http_ask *ask)
{
	return ft_http_feed_answer(((struct ft_web *)ctx)->feed, ask);
}

const struct ft_http_route ft__web_routes[] = {
	{"GET", "/", .answer = give_file, .open = true},
	{"GET", "/api/events", .answer = events},
	{"GET", "/api/manager/*", .answer = ask_manager},
	{"GET", "/api/*", .answer = ask_command},
	{"POST", "/api/manager/*", .answer = tell_manager},
	{"POST", "/api/traces", .answer = keep_trace, .body_bytes = FT__WEB_DATA,
	 .longer = "take it apart by the command: foretime trace fit FILE.csv"},
	{"POST", "/api/*", .answer = ask_command, .body_bytes = FT__WEB_DATA,
	 .longer = "ask the command: it takes files of any length"},
	{"GET", "/*", .answer = give_file, .open = true},
	{0},
};
