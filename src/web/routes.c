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
 * The routes of the page's server: its own files, questions, a manager's answers, and events.
 */

/* What the page may do: load from here, and nothing else. Pictures are made of what it draws. */
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
