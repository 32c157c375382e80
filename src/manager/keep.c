/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.c - what outlives the manager: turns, places in the queue, and what is to be ended should it be
 * killed. */
#include "manager/construct_inside.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "manager/former.h"
#include "manager/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static json_t *state_of(const struct ft__construct *c)
{
	json_t *problems = json_object();

	for (size_t i = 0; i < c->n; i++)
		(void)json_object_set_new(problems, c->problem[i].told->program.name,
					  ft__problem_keep(&c->problem[i]));
	return json_pack("{s:s, s:f, s:f, s:o, s:o}", "schema", "foretime-manager-state-1", "spent_s",
			 c->turns.spent_s, "by_age_s", c->turns.by_age_s, "problems", problems, "scope",
			 ft__former_keep(c->scope));
}

/* Its folder is the user's. */
static enum ft_status write_state(const struct ft__construct *c, struct ft_err *err)
{
	json_t *state = c->options.state_path ? state_of(c) : NULL;
	char *text = state ? json_dumps(state, JSON_COMPACT) : NULL;
	enum ft_status status = FT_OK;

	if (!c->options.state_path)
		return FT_OK;
	if (!text)
		status = ft_nomem(err);
	else if (!ft__rights_take(c->user, c->group))
		status =
			ft_fail(err, FT_EACCESS, "cannot write '%.200s' as its owner", c->options.state_path);
	else if (ft__file_exchange(c->options.state_path, text, strlen(text)))
		status = ft_fail_errno(err, errno, "cannot write '%.200s'", c->options.state_path);
	ft__rights_back();
	json_decref(state);
	free(text);
	return status;
}

void ft__construct_keep(struct ft__construct *c)
{
	struct ft_err err = {0};

	c->changed = false;
	c->noted = c->frozen && ft__scope_frozen(c->scope);
	c->kept_ns = ft_clock_ns();
	if (write_state(c, &err) && !c->unkept)
		ft__construct_complain(c, &err);
	c->unkept = err.status != FT_OK;
}

static double seconds_of(const json_t *state, const char *key)
{
	double seconds = json_number_value(json_object_get(state, key));

	return seconds >= 0 && seconds < 1e15 ? seconds : 0;
}

/* What is no file is not waited for. */
static int open_state(const struct ft__construct *c)
{
	bool good = ft__rights_take(c->user, c->group);
	int fd = good ? open(c->options.state_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
	struct stat st;

	ft__rights_back();
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		(void)close(fd);
		fd = -1;
		errno = EINVAL;
	}
	return fd;
}

/* Of a manager that was killed together with its keepers. */
static void end_former(struct ft__construct *c, const json_t *kept)
{
	struct ft_told_event event = {
		.event = "ended", .seconds = NAN, .frozen_s = NAN, .complete = NAN, .again_s = NAN};
	size_t left, ended = ft__former_end(kept, c->user, &left);
	struct ft_text text = {0};

	if (!ended)
		return;
	ft_text_add(&text, "a manager that was killed had left something running, or frozen: it was ended");
	if (left)
		ft_text_add(&text, ", but for %zu that cannot be", left);
	event.why = text.s;
	if (c->options.tell)
		c->options.tell(c->options.ctx, &event);
	ft_text_clear(&text);
}

/* What JSON takes in memory is some thirty times its text, and the file is the user's, while we may be root.
 */
enum { STATE_MOST = 4 << 20 };

struct bounded {
	int fd;
	size_t left;
};

static size_t read_bounded(void *buffer, size_t length, void *ctx)
{
	struct bounded *file = ctx;
	ssize_t n = read(file->fd, buffer, length < file->left ? length : file->left);

	file->left -= n > 0 ? (size_t)n : 0;
	return n < 0 ? (size_t)-1 : (size_t)n;
}

enum ft_status ft__construct_recall(struct ft__construct *c, struct ft_err *err)
{
	int fd = c->options.state_path ? open_state(c) : -1;
	struct bounded file = {fd, STATE_MOST};
	json_error_t wrong;

	if (fd < 0)
		return !c->options.state_path || errno == ENOENT
			       ? FT_OK
			       : ft_fail_errno(err, errno, "cannot read '%.200s'", c->options.state_path);
	json_t *state = json_load_callback(read_bounded, &file, 0, &wrong);
	(void)close(fd);
	end_former(c, json_object_get(state, "scope"));
	const json_t *problems = json_object_get(state, "problems");
	if (!json_is_object(problems)) {
		json_decref(state);
		return ft_fail(err, FT_EPARSE, "'%.200s' is damaged and was replaced: %.100s",
			       c->options.state_path, state ? "it has no problems" : wrong.text);
	}
	c->turns.spent_s = seconds_of(state, "spent_s");
	c->turns.by_age_s = seconds_of(state, "by_age_s");
	for (size_t i = 0; i < c->n; i++) {
		const json_t *kept = json_object_get(problems, c->problem[i].told->program.name);

		if (kept)
			ft__problem_recall(&c->problem[i], kept, ft_clock_real_ns() / 1000000000);
	}
	json_decref(state);
	return FT_OK;
}

char *ft__construct_state(const char *store_path)
{
	struct ft_text text = {0};

	if (!store_path)
		return NULL;
	ft_text_add(&text, "%s.manager", store_path);
	return ft_text_take(&text);
}
