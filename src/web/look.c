/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.c - what changes while somebody looks at the page: files of the store, the queue of a manager. Both
 * are asked aside, so that neither can hold up the server. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "web/inside.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* What changes when runs are added: time and length of the file, and of its journal, which is empty where
 * somebody only reads; it may hang as the file system does. Heap; NULL: no memory. */
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

/* Where the command finds the store. Heap; NULL: no memory. */
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
	ft_free(web->look.told_store);
	ft_free(web->look.told_manager);
}

static void ask_manager(struct ft__aside *aside, struct ft__errand errand)
{
	if (!errand.target || !ft__aside_ask(aside, &errand))
		ft__errand_clear(&errand);
}

/* An answer as one line; NULL: it is none. Heap, ends with free. */
static char *line_of(const struct ft__errand *errand)
{
	json_t *told = errand->code == 200 && errand->text ? json_loads(errand->text, 0, NULL) : NULL;
	char *line = told ? json_dumps(told, JSON_COMPACT) : NULL;

	json_decref(told);
	return line;
}

/* Whether it is another text than the last time, which it is from now on. */
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
		bool first = !look->told_store;

		if (errand.text && is_new(&look->told_store, errand.text) && !first)
			(void)ft_http_feed_add(web->feed, "store", "{}");
		ft__errand_clear(&errand);
	}
	if (ft__aside_answer(look->manager, &errand, 0)) {
		char *line = line_of(&errand);

		if ((line || look->told_manager) && is_new(&look->told_manager, line))
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
	ask_manager(look->store, (struct ft__errand){.target = store_path(web)});
	ask_manager(look->manager,
		    (struct ft__errand){.target = ft_strdup("/queue"), .socket = ft_strdup(web->socket)});
	ft_http_feed_beat(web->feed);
}

int ft__look_wait_ms(const struct ft_web *web)
{
	int64_t left = web->look.due_ns - ft_clock_ns();

	if (!ft_http_feed_listeners(web->feed))
		return -1;
	return left > 0 ? (int)(left / 1000000) + 1 : 0;
}
