/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.c - sweeps as children: their orders, their reports, and their end. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/base.h"
#include "manager/construct.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static enum ft_status builder_refuse(const char *text, const char *wrong, struct ft_err *err);

/*
 * The protocol of `foretime build --via steps`.
 */

/* ---- its command line ---------------------------------------------------------------------------------- */

static void add_option(struct ft__words *words, const char *option, const char *value)
{
	if (!value)
		return;
	ft__words_add(words, option);
	ft__words_add(words, value);
}

/* unit: behind the number. */
static void add_number(struct ft__words *words, const char *option, double value, const char *unit)
{
	char number[FT_NUMBER_LENGTH], text[FT_NUMBER_LENGTH + 8];

	if (!(value > 0))
		return;
	(void)snprintf(text, sizeof text, "%s%s", ft_number_format(value, number), unit);
	add_option(words, option, text);
}

/* LEAST:MOST[:T]; what is not stated is as build has it. */
static void add_reps(struct ft__words *words, const struct ft_manager_problem *problem)
{
	size_t least = problem->reps_least ? problem->reps_least : 2,
	       most = problem->reps_most ? problem->reps_most : 10;
	char number[FT_NUMBER_LENGTH], text[128];

	if (!problem->reps_least && !problem->reps_most && !(problem->reps_limit_s > 0))
		return;
	if (!problem->reps_least && least > most)
		least = most;
	(void)snprintf(text, sizeof text, "%zu:%zu", least, most > least ? most : least);
	if (problem->reps_limit_s > 0)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), ":%ss",
			       ft_number_format(problem->reps_limit_s, number));
	add_option(words, "--runs", text);
}

void ft__builder_words(const struct ft_manager_problem *problem, const char *command, const char *store,
		       struct ft__words *words)
{
	const struct ft_program *program = &problem->program;

	ft__words_add(words, command);
	ft__words_add(words, "build");
	ft__words_add(words, program->name);
	char range[FT_RANGE_LENGTH], text[FT_RANGE_LENGTH + FT_PARAM_LENGTH + 1];

	for (size_t i = 0; i < program->n_params; i++) {
		(void)ft_param_format(&program->param[i], range, sizeof range);
		(void)snprintf(text, sizeof text, "%s=%s", program->param[i].name, range);
		ft__words_add(words, text);
	}
	add_option(words, "--work", program->work);
	add_option(words, "--where", program->where);
	add_option(words, "--method", problem->builder->name);
	add_option(words, "--method", problem->end_zero ? "end=zero" : NULL);
	add_number(words, "--tolerance", problem->tolerance, "");
	add_number(words, "--budget", problem->budget_s, "s");
	add_number(words, "--timeout", problem->timeout_s, "s");
	add_number(words, "--memory", problem->memory_bytes, "");
	add_number(words, "--limit", (double)problem->points, "");
	add_reps(words, problem);
	add_option(words, "--store", store);
	add_option(words, "--via", "steps");
	ft__words_add(words, "--");
	for (size_t i = 0; i < program->argc; i++)
		ft__words_add(words, program->argv[i]);
}

/* builder_verify_words - the one that verifies a new version against the models. */
static void builder_verify_words(const struct ft_manager_problem *problem, const char *command,
				 const char *store, struct ft__words *words)
{
	ft__words_add(words, command);
	ft__words_add(words, "verify");
	ft__words_add(words, problem->program.name);
	ft__words_add(words, "--sweep");
	add_number(words, "--timeout", problem->timeout_s, "s");
	add_option(words, "--store", store);
	ft__words_add(words, "--");
	for (size_t i = 0; i < problem->program.argc; i++)
		ft__words_add(words, problem->program.argv[i]);
}

/* As in foretime verify. */
/* ---- its lines ----------------------------------------------------------------------------------------- */

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static size_t count_of(const json_t *object, const char *key)
{
	double value = number_of(object, key);

	return value >= 0 && value < 1e15 ? (size_t)value : 0;
}

static void copy_text(const json_t *object, const char *key, char *to, size_t length)
{
	const char *text = json_string_value(json_object_get(object, key));

	ft__utf8_line(to, length, text ? text : "");
}

static void copy_size(const json_t *size, char *to, size_t length)
{
	char number[FT_NUMBER_LENGTH];
	struct ft_text text = {0};
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)size, key, value)
		ft_text_add(&text, "%s%s=%s", text.length ? " " : "", key,
			    ft_number_format(json_number_value(value), number));
	ft__utf8_line(to, length, text.s ? text.s : "");
	ft_text_clear(&text);
}

static bool read_kind(const json_t *line, enum ft__heard_kind *kind)
{
	static const char *const words[] = {"ready", "ran", "ended", "failed"};
	const char *text = json_string_value(json_object_get(line, "event"));

	for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
		if (!strcmp(text, words[i])) {
			*kind = (enum ft__heard_kind)i;
			return true;
		}
	return false;
}

enum ft_status ft__builder_read(const char *text, struct ft__heard *heard, struct ft_err *err)
{
	json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	*heard = (struct ft__heard){.gain = NAN, .seconds = NAN};
	bool good = json_is_object(line) && read_kind(line, &heard->kind);
	if (good) {
		double complete = number_of(line, "complete");

		heard->runs = count_of(line, "runs");
		heard->known = count_of(line, "known");
		heard->points = count_of(line, "points");
		heard->complete = complete >= 0 ? fmin(complete, 1) : 0;
		heard->gain = number_of(line, "gain");
		heard->seconds = number_of(line, "seconds");
		heard->ended = json_is_true(json_object_get(line, "ended"));
		copy_size(json_object_get(line, "next"), heard->next, sizeof heard->next);
		copy_text(line, "stop", heard->stop, sizeof heard->stop);
		copy_text(line, "error", heard->error, sizeof heard->error);
		copy_text(line, "remedy", heard->remedy, sizeof heard->remedy);
		if (heard->kind == FT__HEARD_RAN) {
			const json_t *ran = json_object_get(line, "ran");
			copy_size(json_object_get(ran, "size"), heard->size, sizeof heard->size);
			copy_text(ran, "outcome", heard->outcome, sizeof heard->outcome);
			copy_text(ran, "detail", heard->detail, sizeof heard->detail);
			heard->ran_s = fmax(0, number_of(ran, "seconds"));
			heard->frozen_s = fmax(0, number_of(ran, "paused_s"));
		}
	}
	json_decref(line);
	return good ? FT_OK : builder_refuse(text, "its output is not understood", err);
}

/* builder_refuse - FT_EPARSE: an invalid line, with the reason. */
static enum ft_status builder_refuse(const char *text, const char *wrong, struct ft_err *err)
{
	char line[64];

	ft__utf8_line(line, sizeof line, text);
	return ft_fail(err, FT_EPARSE, "%s: '%s'", wrong, line);
}

/*
 * Sweeps as children: their orders, their reports, and their end.
 */

/* The timeout for any order but a run: the sweep has only idle processor time, and the store may be locked
 * for a while. */
#define ANSWER_S 3600.0

/* Lines of one sweep at once, so that a flood does not delay the rest. */
enum { LINES_MOST = 256 };

/* Between SIGTERM, with which it keeps what is finished, and SIGKILL. */
#define GRACE_S 10.0

static struct ft__problem *at_work(struct ft__construct *c)
{
	return &c->problem[c->which];
}

static int64_t now_s(void)
{
	return ft_clock_real_ns() / 1000000000;
}

static double since_s(int64_t from_ns)
{
	return (double)(ft_clock_ns() - from_ns) * 1e-9;
}

static struct ft_answer_event event_of(const char *kind, const char *why)
{
	return (struct ft_answer_event){
		.event = kind, .why = why, .seconds = NAN, .frozen_s = NAN, .complete = NAN, .again_s = NAN};
}

static void begin_work(struct ft__construct *c, struct ft__problem *problem, enum ft__doing work)
{
	c->work = work;
	c->which = (size_t)(problem - c->problem);
	c->told_ns = ft_clock_ns();
	c->frozen = c->ending = false;
	c->stood_s = 0;
	problem->ready = false;
	problem->used = ++c->used;
}

/* Nothing is at work: the pause is over, and the next sweep must not start paused. */
static void end_work(struct ft__construct *c)
{
	struct ft_err err = {0};

	if (ft__scope_thaw(c->scope, &err))
		ft__construct_complain(c, &err);
	(void)ft__scope_limit(c->scope, 0);
	c->work = FT__WORK_NONE;
	c->frozen = c->ending = false;
	c->changed = true;
}

void ft__work_drop(struct ft__construct *c, struct ft__problem *problem)
{
	if (!problem->child)
		return;
	ft__child_leave(problem->child, &c->leaving);
	problem->child = NULL;
	problem->ready = false;
	if (c->work && at_work(c) == problem)
		end_work(c);
	/* One that has ended is gone. */
	(void)ft__work_gone(c);
}

/* ---- failures ------------------------------------------------------------------------------------------ */

/* A requested problem is tried once. The rest continue. */
static void fail_problem(struct ft__construct *c, struct ft__problem *problem, const struct ft_err *err)
{
	bool another = ft__problem_fail(problem, err, ft_clock_ns());
	struct ft_answer_event event = event_of("failed", problem->fault.text);

	event.remedy = *problem->fault.remedy ? problem->fault.remedy : NULL;
	ft__work_drop(c, problem);
	c->counts.failures++;
	c->changed = true;
	problem->left = !c->options.always;
	if (problem->left)
		event.again_s = ft__problem_backs_off(problem, ft_clock_ns());
	if (another)
		ft__construct_tell(c, &event, problem);
}

/* ---- orders ------------------------------------------------------------------------------------------- */

static void tell_child(struct ft__construct *c, struct ft__problem *problem, const char *line,
		       enum ft__doing work)
{
	struct ft_err err = {0};

	begin_work(c, problem, work);
	/* One that does not hear has ended: that is heard, too, with its reason. */
	if (ft__child_tell(problem->child, line, &err) == FT_ENOMEM)
		fail_problem(c, problem, &err);
}

/* words: taken. */
static enum ft_status start_child(struct ft__construct *c, struct ft__problem *problem,
				  struct ft__words *words, struct ft_err *err)
{
	struct ft__child_options options = {.directory = problem->answer->directory,
					    .user = geteuid() ? NULL : c->config->user,
					    .scope = c->scope};
	struct epoll_event event = {.events = EPOLLIN};

	options.argv = (const char *const *)words->word;
	enum ft_status status =
		words->failed ? ft_nomem(err) : ft__child_start(&problem->child, &options, err);
	ft__words_clear(words);
	if (status)
		return status;
	event.data.fd = ft__child_fd(problem->child);
	if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, event.data.fd, &event))
		return ft_fail_errno(err, errno, "cannot watch the output of a sweep");
	return FT_OK;
}

/* Files that another user could have changed since the configuration was read are not executed. */
void ft__work_run(struct ft__construct *c, size_t which, bool by_age)
{
	struct ft__problem *gives, *problem = ft__room_choose(c, which, &gives);
	struct ft__version found;
	bool other = ft__files_look_one(c, problem, &found);

	c->by_age = by_age;
	if (found.fault.status) {
		fail_problem(c, problem, &found.fault);
		return;
	}
	/* A sweep is of one version of its program. */
	if (other) {
		ft__work_drop(c, problem);
		problem->verify = problem->answer->contract && problem->built_ns && !c->options.always;
	}
	if (problem->child) {
		struct ft_answer_event event = event_of("started", NULL);
		bool look = problem->stale;

		problem->stale = false;
		if (!look)
			(void)ft__scope_limit(c->scope, problem->answer->memory_bytes);
		tell_child(c, problem, look ? "look\n" : "run\n", look ? FT__WORK_LOOK : FT__WORK_RUN);
		event.size = problem->heard.next;
		event.seconds = problem->queued.seconds;
		event.complete = problem->queued.complete;
		if (c->work == FT__WORK_RUN)
			ft__construct_tell(c, &event, problem);
		return;
	}
	if (gives)
		ft__work_drop(c, gives);
	/* It is chosen again when what it displaces is gone. */
	if (ft__work_gone(c)) {
		/* Start a sweep; or first a verification of the program's new version against the predictions for the one
		   before. */
		bool verify = problem->verify;
		struct ft__words words = {0};
		struct ft_err err = {0};

		(verify ? builder_verify_words : ft__builder_words)(problem->answer, c->options.command,
								    c->options.store_path, &words);
		if (verify)
			problem->said[0] = '\0';
		else
			problem->heard = (struct ft__heard){.gain = NAN, .seconds = NAN};
		if (start_child(c, problem, &words, &err))
			fail_problem(c, problem, &err);
		else
			begin_work(c, problem, verify ? FT__WORK_VERIFY : FT__WORK_BEGIN);
	}
}

/* ---- standing still ------------------------------------------------------------------------------------ */

static void tell_held(struct ft__construct *c, const char *what, const char *why, double frozen_s)
{
	struct ft_answer_event event = event_of(what, why);

	event.frozen_s = frozen_s;
	ft__construct_tell(c, &event, at_work(c));
}

void ft__work_freeze(struct ft__construct *c, const char *why)
{
	struct ft_err err = {0};

	/* A verification does not account for pauses: it starts again. */
	if (c->work == FT__WORK_VERIFY) {
		ft__work_end(c, why);
		return;
	}
	if (ft__scope_freeze(c->scope, &err)) {
		ft__work_end(c, err.text);
		return;
	}
	c->frozen = true;
	c->frozen_ns = ft_clock_ns();
	if (c->work != FT__WORK_RUN)
		return;
	c->counts.frozen++;
	tell_held(c, "frozen", why, NAN);
}

/* The sweep hears for how long before it goes on, so that it is known when the run has ended. */
void ft__work_thaw(struct ft__construct *c, const char *why)
{
	double stood_s = ft__scope_frozen_s(c->scope);
	char line[64];
	struct ft_err err = {0};

	if (c->work == FT__WORK_RUN) {
		(void)snprintf(line, sizeof line, "frozen %.6f\n", stood_s);
		(void)ft__child_tell(at_work(c)->child, line, NULL);
	}
	if (ft__scope_thaw(c->scope, &err)) {
		ft__work_end(c, err.text);
		return;
	}
	c->frozen = false;
	c->stood_s += stood_s;
	c->counts.frozen_s += stood_s;
	if (c->work == FT__WORK_RUN)
		tell_held(c, "thawed", why, stood_s);
}

void ft__work_end(struct ft__construct *c, const char *why)
{
	c->ending = true;
	c->told_ns = ft_clock_ns();
	c->frozen = false;
	(void)snprintf(c->why, sizeof c->why, "%s", why);
	ft__child_finish(at_work(c)->child, GRACE_S);
}

/* ---- hearing ------------------------------------------------------------------------------------------- */

/* A sweep reports "ready" after it began or looked, and "ran" after an order to run. */
static bool is_query(enum ft__doing work, enum ft__heard_kind kind)
{
	if (kind == FT__HEARD_READY)
		return work == FT__WORK_BEGIN || work == FT__WORK_LOOK;
	return kind != FT__HEARD_RAN || work == FT__WORK_RUN;
}

/* A line that was not expected, or is not in the protocol, ends the sweep. */
static void hear_line(struct ft__construct *c, struct ft__problem *problem, const char *line)
{
	struct ft_err err = {0};
	struct ft__heard heard;

	if (c->work == FT__WORK_VERIFY && at_work(c) == problem) {
		ft__problem_verdict(problem, line);
		return;
	}
	if (!c->work || at_work(c) != problem || ft__builder_read(line, &heard, &err) ||
	    !is_query(c->work, heard.kind)) {
		if (!err.status)
			(void)builder_refuse(line, "its sweep sent an unexpected answer", &err);
		fail_problem(c, problem, &err);
		return;
	}
	ft__problem_hear(problem, &heard, now_s());
	if (heard.kind == FT__HEARD_RAN && *heard.size) {
		struct ft_answer_event event = event_of("ran", *heard.detail ? heard.detail : NULL);
		double ran_s = heard.ran_s; /* without pauses */

		c->counts.runs++;
		c->counts.spent_s += ran_s;
		c->counts.overhead_s += fmax(0, since_s(c->told_ns) - c->stood_s - ran_s);
		c->turns.spent_s += ran_s;
		c->turns.by_age_s += c->by_age ? ran_s : 0;
		if (!strcmp(heard.outcome, "done"))
			ft__problem_recover(problem);
		event.size = heard.size;
		event.outcome = heard.outcome;
		event.seconds = ran_s;
		event.frozen_s = heard.frozen_s > 0 ? heard.frozen_s : NAN;
		event.complete = heard.complete;
		ft__construct_tell(c, &event, problem);
	}
	if (c->ending) {
		/* It was done before it heard that it was to end. */
		c->work = heard.kind == FT__HEARD_RAN && *heard.size ? FT__WORK_FINISH : c->work;
		return;
	}
	if (heard.kind == FT__HEARD_READY || heard.kind == FT__HEARD_RAN) {
		problem->ready = true;
		end_work(c);
	}
	if (problem->ready && heard.ended)
		tell_child(c, problem, "end\n", FT__WORK_FINISH);
}

/* A new version whose runs fail breaks its contract. An undecided verification is reported once: the model
   is built anyhow. */
static void judge_work(struct ft__construct *c, struct ft__problem *problem, int status)
{
	bool broken = status == 1 && *problem->said;

	/* Without a verdict: for example, there is no model. */
	if (status && !broken) {
		ft__problem_tail(problem, problem->said);
		/* A verification may have ended because a run of the new version failed. */
		broken = strstr(problem->said, "foretime: a run at ");
	}
	struct ft_answer_event event = event_of(!status  ? "kept"
						: broken ? "broken"
							 : "failed",
						*problem->said ? problem->said : NULL);
	problem->verify = false;
	c->counts.broken += broken;
	c->changed = true;
	ft__work_drop(c, problem);
	ft__construct_tell(c, &event, problem);
}

/* A problem that has a file of its model is built when that is written. */
static void build_no_further(struct ft__construct *c, struct ft__problem *problem)
{
	struct ft__words words = {0};
	struct ft_err err = {0};

	if (c->work == FT__WORK_WRITE || !problem->answer->model_path) {
		struct ft_answer_event event =
			event_of("model", *problem->heard.stop ? problem->heard.stop : NULL);

		problem->left = false;
		problem->built_ns = ft_clock_ns();
		problem->queued.complete = 1;
		ft__problem_recover(problem);
		ft__work_drop(c, problem);
		event.complete = problem->queued.complete;
		ft__construct_tell(c, &event, problem);
		return;
	}
	ft__work_drop(c, problem);
	/* The command line that writes its model where it is to stand, too. */
	ft__words_add(&words, c->options.command);
	ft__words_add(&words, "export");
	ft__words_add(&words, problem->answer->program.name);
	add_option(&words, "--format", "knots");
	add_option(&words, "--output", problem->answer->model_path);
	add_option(&words, "--store", c->options.store_path);
	if (start_child(c, problem, &words, &err))
		fail_problem(c, problem, &err);
	else
		begin_work(c, problem, FT__WORK_WRITE);
}

static void take_end(struct ft__construct *c, struct ft__problem *problem, const struct ft__child_end *end)
{
	bool working = c->work && at_work(c) == problem,
	     good = WIFEXITED(end->status) && !WEXITSTATUS(end->status);
	struct ft_err err = {0};

	c->overlooked = true;
	if (working && c->ending) {
		char why[FT_WHY_LENGTH];

		if (c->work == FT__WORK_RUN || c->work == FT__WORK_VERIFY) {
			/* A manual stop does not cost its place in the queue. */
			if (!problem->stopped)
				ft__problem_interrupted(problem, now_s());
			c->counts.ended++;
			tell_held(c, "ended", c->why, NAN);
		}
		ft__work_drop(c, problem);
		if (ft__problem_hopeless(problem, now_s(), why)) {
			struct ft_answer_event event = event_of("hopeless", why);
			ft__construct_tell(c, &event, problem);
		}
	} else if (working && good && (c->work == FT__WORK_FINISH || c->work == FT__WORK_WRITE)) {
		build_no_further(c, problem);
	} else if (working && c->work == FT__WORK_VERIFY && WIFEXITED(end->status)) {
		judge_work(c, problem, WEXITSTATUS(end->status));
	} else {
		/* The end of a sweep that was not ordered. */
		bool writes = c->work == FT__WORK_WRITE && at_work(c) == problem;
		const struct ft__heard *heard = &problem->heard;
		char tail[256];

		ft__problem_tail(problem, tail);
		if (writes) {
			(void)ft_fail(&err, FT_EIO, "its model cannot be written: %s", tail);
		} else if (*heard->error) {
			(void)ft_fail(&err, FT_EUNAVAIL, "%s", heard->error);
			(void)(*heard->remedy && ft_remedy(&err, "%s", heard->remedy));
		} else if (WIFSIGNALED(end->status)) {
			(void)ft_fail(&err, FT_EUNAVAIL, "its sweep was ended by signal %d",
				      WTERMSIG(end->status));
		} else {
			(void)ft_fail(&err, FT_EUNAVAIL, "its sweep ended with status %d: %s",
				      WIFEXITED(end->status) ? WEXITSTATUS(end->status) : -1, tail);
		}
		fail_problem(c, problem, &err);
	}
}

bool ft__work_hear(struct ft__construct *c)
{
	bool any = false;

	for (size_t i = 0; i < c->n; i++) {
		struct ft__problem *problem = &c->problem[i];
		struct ft__child_end end;
		/* Checked before its lines: the last ones may arrive together with its end. */
		bool ended = problem->child && ft__child_ended(problem->child, &end);
		const char *line;
		int lines = 0;

		while (problem->child && lines < LINES_MOST && ft__child_line(problem->child, &line)) {
			hear_line(c, problem, line);
			any = true;
			lines++;
		}
		if (problem->child && ended && lines < LINES_MOST) {
			take_end(c, problem, &end);
			any = true;
		}
	}
	return any;
}

int64_t ft__work_mind(struct ft__construct *c)
{
	struct ft_err err = {0};
	double limit_s = c->ending ? 3 * GRACE_S : ANSWER_S;

	if (!c->work || c->frozen || ((c->work == FT__WORK_RUN || c->work == FT__WORK_VERIFY) && !c->ending))
		return INT64_MAX;
	if (since_s(c->told_ns) - c->stood_s < limit_s)
		return c->told_ns + (int64_t)((limit_s + c->stood_s) * 1e9);
	(void)ft_fail(&err, FT_EUNAVAIL, "its sweep does not answer: it was ended");
	fail_problem(c, at_work(c), &err);
	return INT64_MAX;
}
