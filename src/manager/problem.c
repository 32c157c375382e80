/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.c - the state of a problem of the configuration. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/base.h"
#include "manager/child.h"
#include "manager/construct.h"
#include "manager/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Describe events of benchmarks for people, a line each.
 */

static void add_seconds(struct ft_text *out, const char *before, double seconds)
{
	char value[FT_UNIT_LENGTH];

	if (!isnan(seconds))
		ft_text_add(out, "%s%s", before, ft_value_format(seconds, "s", value));
}

void ft__answer_event(const struct ft_answer_event *event, struct ft_text *out)
{
	char share[FT_UNIT_LENGTH];

	ft_text_add(out, "%s%s%s", event->name ? event->name : "", event->name ? ": " : "", event->event);
	if (event->size && *event->size)
		ft_text_add(out, " %s", event->size);
	if (event->outcome)
		ft_text_add(out, ", %s", event->outcome);
	add_seconds(out, ", ", event->seconds);
	add_seconds(out, ", paused for ", event->frozen_s);
	if (!isnan(event->complete))
		ft_text_add(out, ", %s complete", ft_share_format(event->complete, share));
	if (event->why)
		ft_text_add(out, ": %s", event->why);
	if (event->remedy)
		ft_text_add(out, " (%s)", event->remedy);
	add_seconds(out, "; again in ", event->again_s);
}

/*
 * The state of a problem of the configuration.
 */

/* Recent queries count more: one of a week ago half as much as one of today. */
#define HALF_LIFE_S (7 * 86400.0)

/* After a failure, doubled with each that follows. */
#define BACK_OFF_S      60.0
#define BACK_OFF_MOST_S 86400.0

/* How far windows of the calendar are searched for one that a benchmark fits into. */
enum { WEEK_S = 7 * 86400, OPENINGS = 64 };

void ft__problem_begin(struct ft__problem *problem, const struct ft_manager_config *config, size_t i,
		       int64_t at_s)
{
	const struct ft_manager_problem *answer = &config->problem[i];

	*problem = (struct ft__problem){
		.answer = answer,
		.policies = ft_policies_of(&answer->policies, &config->policies),
		.left = true,
		.queued = {.priority = answer->priority,
			   .gain = NAN,
			   .seconds = NAN,
			   .survives = 1,
			   .waits_s = at_s},
	};
}

void ft__problem_end(struct ft__problem *problem)
{
	ft__aside_free(problem->aside);
	ft_free(problem->state);
}

void ft__problem_again(struct ft__problem *problem)
{
	problem->left = true;
	ft_free(problem->state);
	problem->state = NULL;
}

/* ---- reports of its sweep ------------------------------------------------------------------------------ */

void ft__problem_hear(struct ft__problem *problem, const struct ft__heard *heard, int64_t at_s)
{
	problem->heard = *heard;
	if (heard->kind == FT__HEARD_FAILED)
		return;
	problem->queued.complete = heard->complete;
	/* The first sizes are run anyhow: what they gain is not known. */
	problem->queued.gain = heard->gain > 0 ? heard->gain : NAN;
	problem->queued.seconds = heard->seconds > 0 ? heard->seconds : NAN;
	if (heard->kind != FT__HEARD_RAN)
		return;
	problem->runs++;
	problem->queued.interrupted = 0;
	problem->queued.rear_s = 0;
	problem->queued.waits_s = at_s;
	problem->hopeless = false;
}

void ft__problem_interrupted(struct ft__problem *problem, int64_t at_s)
{
	problem->queued.interrupted++;
	problem->queued.rear_s = problem->queued.waits_s = at_s;
}

void ft__problem_stop(struct ft__problem *problem, bool stop)
{
	problem->stopped = stop;
	problem->open_ns = problem->held_ns = 0;
	if (!stop)
		ft__problem_recover(problem);
}

/* ---- failures ------------------------------------------------------------------------------------------ */

bool ft__problem_fail(struct ft__problem *problem, const struct ft_err *err, int64_t now_ns)
{
	bool another = strcmp(problem->fault.text, err->text) != 0;
	double wait_s = BACK_OFF_S;

	for (unsigned i = 0; i < problem->failures && wait_s < BACK_OFF_MOST_S; i++)
		wait_s *= 2;
	problem->failures++;
	problem->again_ns = now_ns + (int64_t)(fmin(wait_s, BACK_OFF_MOST_S) * 1e9);
	problem->fault = *err;
	return another;
}

void ft__problem_recover(struct ft__problem *problem)
{
	problem->failures = 0;
	problem->again_ns = 0;
	problem->fault = (struct ft_err){0};
}

double ft__problem_backs_off(const struct ft__problem *problem, int64_t now_ns)
{
	return problem->again_ns > now_ns ? (double)(problem->again_ns - now_ns) * 1e-9 : 0;
}

/* ---- stretches ----------------------------------------------------------------------------------------- */

static void close_stretch(struct ft__problem *problem, int64_t at_ns)
{
	problem->stretch_s[problem->n_stretches++ % FT__STRETCHES] =
		(double)(at_ns - problem->open_ns) * 1e-9;
	problem->open_ns = problem->held_ns = 0;
}

/* A pause, while patience lasts, does not end a stretch, since the run continues afterwards. */
void ft__problem_judged(struct ft__problem *problem, const struct ft_judgement *judged, int64_t now_ns)
{
	if (problem->stopped)
		return;
	if (!problem->open_ns) {
		problem->open_ns = judged->say == FT_SAY_START ? now_ns : 0;
	} else if (judged->say == FT_SAY_END) {
		close_stretch(problem, problem->held_ns ? problem->held_ns : now_ns);
	} else if (judged->say != FT_SAY_FREEZE) {
		problem->held_ns = 0;
	} else if (!problem->held_ns) {
		problem->held_ns = now_ns;
	} else if ((double)(now_ns - problem->held_ns) * 1e-9 >= judged->patience_s) {
		close_stretch(problem, problem->held_ns);
	}
}

static size_t stretches_of(const struct ft__problem *problem)
{
	return problem->n_stretches < FT__STRETCHES ? problem->n_stretches : FT__STRETCHES;
}

static bool ends_run(enum ft_say say, double patience_s)
{
	return say == FT_SAY_END || (say == FT_SAY_FREEZE && isfinite(patience_s));
}

static bool can_end(const struct ft_policies *policies)
{
	for (size_t i = 0; i < policies->n; i++) {
		const struct ft_policy *policy = &policies->policy[i];

		if (policy->time != FT_TIME_NOW && ends_run(policy->at_end, policy->patience_s))
			return true;
		for (size_t k = 0; k < policy->n_conditions; k++)
			if (ends_run(policy->conditions[k].say, policy->conditions[k].patience_s))
				return true;
	}
	return false;
}

void ft__problem_queue(struct ft__problem *problem, int64_t now_ns, struct ft_queued *out)
{
	double age_s = problem->open_ns ? (double)(now_ns - problem->open_ns) * 1e-9 : 0;

	*out = problem->queued;
	out->priority = problem->answer->priority;
	out->survives = 1;
	if (can_end(problem->policies))
		out->survives = ft_queue_survives(problem->stretch_s, stretches_of(problem), age_s,
						  isnan(out->seconds) ? 0 : out->seconds);
}

/* The longest that the calendar leaves it, in the week to come; and of those that were seen. */
static double longest_s(const struct ft__problem *problem, int64_t at_s)
{
	struct ft_opening opening[OPENINGS];
	size_t n = ft_policies_openings(problem->policies, at_s, at_s + WEEK_S, opening, OPENINGS), i;
	double to_come = 0, seen = 0;

	for (i = 0; i < n; i++) {
		double length_s = (double)(opening[i].to_s - opening[i].from_s);

		to_come = fmax(to_come, length_s < WEEK_S ? length_s : INFINITY);
	}
	for (i = 0; i < stretches_of(problem); i++)
		seen = fmax(seen, problem->stretch_s[i]);
	return seen > 0 ? fmin(to_come, seen) : to_come;
}

bool ft__problem_hopeless(struct ft__problem *problem, int64_t at_s, char why[FT_WHY_LENGTH])
{
	if (problem->hopeless || !problem->left)
		return false;
	problem->hopeless = ft_queue_hopeless(&problem->queued, longest_s(problem, at_s), why);
	return problem->hopeless;
}

/* ---- questions ----------------------------------------------------------------------------------------- */

void ft__problem_query(struct ft__problem *problem, uint64_t counter, int64_t now_ns)
{
	uint64_t more = counter >= problem->query ? counter - problem->query : counter;

	if (problem->asked_ns)
		problem->queued.queries *= exp2(-(double)(now_ns - problem->asked_ns) * 1e-9 / HALF_LIFE_S);
	problem->queued.queries += (double)more;
	problem->query = counter;
	problem->asked_ns = now_ns;
}

/* ---- its executable ------------------------------------------------------------------------------------ */

bool ft__problem_look(struct ft__problem *problem, const struct ft__version *found)
{
	bool other = strcmp(problem->stamp, found->stamp) != 0;

	(void)snprintf(problem->stamp, sizeof problem->stamp, "%s", found->stamp);
	return other;
}

/* ---- the state file
   -------------------------------------------------------------------------------------- */

static json_t *number_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* A new version that appears while no manager runs is verified, too. */
static json_t *keep_version(const struct ft__problem *problem)
{
	if (!problem->built_ns)
		return json_null();
	return json_pack("{s:s, s:b}", "stamp", problem->stamp, "verify", (int)problem->verify);
}

static void recall_version(struct ft__problem *problem, const json_t *kept)
{
	if (!json_is_object(kept))
		return;
	const char *stamp = json_string_value(json_object_get(kept, "stamp"));
	(void)snprintf(problem->stamp, sizeof problem->stamp, "%s", stamp ? stamp : "");
	problem->verify = problem->answer->contract && json_is_true(json_object_get(kept, "verify"));
	problem->built_ns = 1; /* long ago */
}

/* problem_keep, problem_recall - what outlives the manager. NULL: no memory. */
static json_t *problem_keep(const struct ft__problem *problem)
{
	const struct ft_queued *q = &problem->queued;
	json_t *stretches = json_array();
	size_t n = stretches_of(problem), i;

	/* The oldest first. */
	for (i = 0; i < n; i++)
		(void)json_array_append_new(
			stretches,
			number_or_null(problem->stretch_s[(problem->n_stretches - n + i) % FT__STRETCHES]));
	return json_pack("{s:f, s:o, s:o, s:f, s:I, s:i, s:I, s:o, s:o, s:b}", "complete", q->complete,
			 "gain", number_or_null(q->gain), "seconds", number_or_null(q->seconds), "asked",
			 q->queries, "waits", (json_int_t)q->waits_s, "interrupted", (int)q->interrupted,
			 "rear", (json_int_t)q->rear_s, "stretches", stretches, "built",
			 keep_version(problem), "stopped", (int)problem->stopped);
}

static double recall_number(const json_t *kept, const char *key, double least, double most, double otherwise)
{
	const json_t *value = json_object_get(kept, key);
	double number = json_is_number(value) ? json_number_value(value) : NAN;

	return number >= least && number <= most ? number : otherwise;
}

/* ---- output of its child ------------------------------------------------------------------------------- */

static bool is_over(const char *line)
{
	static const char end[] = ": over";
	size_t n = strlen(line);

	return n >= sizeof end - 1 && !strcmp(line + n - (sizeof end - 1), end);
}

void ft__problem_verdict(struct ft__problem *problem, const char *line)
{
	if (*line && !is_over(problem->said))
		ft__utf8_line(problem->said, sizeof problem->said, line);
}

void ft__problem_tail(const struct ft__problem *problem, char line[256])
{
	ft__utf8_line(line, 256, ft__child_tail(problem->child));
	for (size_t n = strlen(line); n && line[n - 1] == ' ';)
		line[--n] = '\0';
}

/*
 * The file that outlives the manager: turns, places in the queue, and what to end if the manager is killed.
 */

static json_t *state_of(const struct ft__construct *c)
{
	json_t *problems = json_object();

	for (size_t i = 0; i < c->n; i++)
		(void)json_object_set_new(problems, c->problem[i].answer->program.name,
					  problem_keep(&c->problem[i]));
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

/* Opening a FIFO or device must not block. */
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

/* Left by a manager that was killed together with its keepers. */
static void end_former(struct ft__construct *c, const json_t *kept)
{
	struct ft_answer_event event = {
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

/* JSON takes some thirty times its text in memory, and the file is the user's, while we may be root. */
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
		const json_t *kept = json_object_get(problems, c->problem[i].answer->program.name);

		if (kept) {
			int64_t at_s = ft_clock_real_ns() / 1000000000;
			struct ft_queued *q = &c->problem[i].queued;
			const json_t *stretches = json_object_get(kept, "stretches");
			double now = (double)at_s;

			q->complete = recall_number(kept, "complete", 0, 1, 0);
			q->gain = recall_number(kept, "gain", 1e-300, 1e300, NAN);
			q->seconds = recall_number(kept, "seconds", 1e-300, 1e300, NAN);
			q->queries = recall_number(kept, "asked", 0, 1e300, 0);
			q->waits_s = (int64_t)recall_number(kept, "waits", 0, now, now);
			q->interrupted = (unsigned)recall_number(kept, "interrupted", 0, 1e6, 0);
			q->rear_s = (int64_t)recall_number(kept, "rear", 0, now, 0);
			c->problem[i].stopped = json_is_true(json_object_get(kept, "stopped"));
			recall_version(&c->problem[i], json_object_get(kept, "built"));
			for (size_t k = 0; k < json_array_size(stretches) && k < FT__STRETCHES; k++) {
				double length_s = json_number_value(json_array_get(stretches, k));

				if (length_s > 0 && length_s < 1e12)
					c->problem[i].stretch_s[c->problem[i].n_stretches++] = length_s;
			}
		}
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
