/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.c - sweeps as children: what they are told, what they tell, and how they end. */
#include "manager/construct_inside.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

/* A sweep that is asked for anything but a run answers within that, though it has what others leave of the
 * processors, and the store may be theirs for a while. */
#define ANSWER_S 3600.0

/* Of one sweep at once: one that floods us does not keep others waiting. */
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

static struct ft_told_event event_of(const char *kind, const char *why)
{
	return (struct ft_told_event){
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

/* Nothing is at work: what stood still is gone, and what comes next must not. */
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

/* Asked for, it is tried once. Others go on. */
static void fail_problem(struct ft__construct *c, struct ft__problem *problem, const struct ft_err *err)
{
	bool another = ft__problem_fail(problem, err, ft_clock_ns());
	struct ft_told_event event = event_of("failed", problem->fault.text);

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

/* ---- telling ------------------------------------------------------------------------------------------- */

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
	struct ft__child_options options = {.directory = problem->told->directory,
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

static void step_problem(struct ft__construct *c, struct ft__problem *problem)
{
	struct ft_told_event event = event_of("started", NULL);
	bool look = problem->stale;

	problem->stale = false;
	if (!look)
		(void)ft__scope_limit(c->scope, problem->told->memory_bytes);
	tell_child(c, problem, look ? "look\n" : "run\n", look ? FT__WORK_LOOK : FT__WORK_RUN);
	event.size = problem->heard.next;
	event.seconds = problem->queued.seconds;
	event.complete = problem->queued.complete;
	if (c->work == FT__WORK_RUN)
		ft__construct_tell(c, &event, problem);
}

/* A sweep; or first, whether the new version of a program keeps what was promised of the one before. */
static void begin_child(struct ft__construct *c, struct ft__problem *problem)
{
	bool verify = problem->verify;
	struct ft__words words = {0};
	struct ft_err err = {0};

	(verify ? ft__builder_verify_words : ft__builder_words)(problem->told, c->options.command,
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

/* What could have been changed by others since the configuration was read is not run. */
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
		problem->verify = problem->told->contract && problem->built_ns && !c->options.always;
	}
	if (problem->child) {
		step_problem(c, problem);
		return;
	}
	if (gives)
		ft__work_drop(c, gives);
	/* It is chosen again when what it displaces is gone. */
	if (ft__work_gone(c))
		begin_child(c, problem);
}

/* ---- standing still ------------------------------------------------------------------------------------ */

static void tell_held(struct ft__construct *c, const char *what, const char *why, double frozen_s)
{
	struct ft_told_event event = event_of(what, why);

	event.frozen_s = frozen_s;
	ft__construct_tell(c, &event, at_work(c));
}

void ft__work_freeze(struct ft__construct *c, const char *why)
{
	struct ft_err err = {0};

	/* It knows nothing of the time for which it stands still: it begins again. */
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

static void count_run(struct ft__construct *c, struct ft__problem *problem, const struct ft__heard *heard)
{
	struct ft_told_event event = event_of("ran", *heard->detail ? heard->detail : NULL);
	double ran_s = heard->ran_s; /* without what it stood still */

	c->counts.runs++;
	c->counts.spent_s += ran_s;
	c->counts.overhead_s += fmax(0, since_s(c->told_ns) - c->stood_s - ran_s);
	c->turns.spent_s += ran_s;
	c->turns.by_age_s += c->by_age ? ran_s : 0;
	if (!strcmp(heard->outcome, "done"))
		ft__problem_recover(problem);
	event.size = heard->size;
	event.outcome = heard->outcome;
	event.seconds = ran_s;
	event.frozen_s = heard->frozen_s > 0 ? heard->frozen_s : NAN;
	event.complete = heard->complete;
	ft__construct_tell(c, &event, problem);
}

/* A sweep tells that it is ready once it has begun or looked, and that it ran when it was told to. */
static bool is_asked(enum ft__doing work, enum ft__heard_kind kind)
{
	if (kind == FT__HEARD_READY)
		return work == FT__WORK_BEGIN || work == FT__WORK_LOOK;
	return kind != FT__HEARD_RAN || work == FT__WORK_RUN;
}

/* One that says what nobody asked, or no line of a sweep, is none. */
static void hear_line(struct ft__construct *c, struct ft__problem *problem, const char *line)
{
	struct ft_err err = {0};
	struct ft__heard heard;

	if (c->work == FT__WORK_VERIFY && at_work(c) == problem) {
		ft__problem_verdict(problem, line);
		return;
	}
	if (!c->work || at_work(c) != problem || ft__builder_read(line, &heard, &err) ||
	    !is_asked(c->work, heard.kind)) {
		if (!err.status)
			(void)ft__builder_refuse(line, "its sweep sent an unexpected answer", &err);
		fail_problem(c, problem, &err);
		return;
	}
	ft__problem_hear(problem, &heard, now_s());
	if (heard.kind == FT__HEARD_RAN && *heard.size)
		count_run(c, problem, &heard);
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

/* A new version whose runs fail keeps nothing. What decides nothing is told once: it is built anyhow. */
static void judge_work(struct ft__construct *c, struct ft__problem *problem, int status)
{
	bool broken = status == 1 && *problem->said;

	/* Without a verdict: there is no model, say. */
	if (status && !broken) {
		ft__problem_tail(problem, problem->said);
		broken = ft__builder_run_failed(problem->said);
	}
	struct ft_told_event event = event_of(!status  ? "kept"
					      : broken ? "broken"
						       : "failed",
					      *problem->said ? problem->said : NULL);
	problem->verify = false;
	c->counts.broken += broken;
	c->changed = true;
	ft__work_drop(c, problem);
	ft__construct_tell(c, &event, problem);
}

/* How one that ended without being told to did so. */
static void say_how(struct ft__construct *c, struct ft__problem *problem, int status, struct ft_err *err)
{
	bool writes = c->work == FT__WORK_WRITE && at_work(c) == problem;
	const struct ft__heard *heard = &problem->heard;
	char tail[256];

	ft__problem_tail(problem, tail);
	if (writes) {
		(void)ft_fail(err, FT_EIO, "its model cannot be written: %s", tail);
	} else if (*heard->error) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s", heard->error);
		(void)(*heard->remedy && ft_remedy(err, "%s", heard->remedy));
	} else if (WIFSIGNALED(status)) {
		(void)ft_fail(err, FT_EUNAVAIL, "its sweep was ended by signal %d", WTERMSIG(status));
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, "its sweep ended with status %d: %s",
			      WIFEXITED(status) ? WEXITSTATUS(status) : -1, tail);
	}
}

static void finish_problem(struct ft__construct *c, struct ft__problem *problem)
{
	struct ft_told_event event = event_of("model", *problem->heard.stop ? problem->heard.stop : NULL);

	problem->left = false;
	problem->built_ns = ft_clock_ns();
	problem->queued.complete = 1;
	ft__problem_recover(problem);
	ft__work_drop(c, problem);
	event.complete = problem->queued.complete;
	ft__construct_tell(c, &event, problem);
}

static void end_early(struct ft__construct *c, struct ft__problem *problem)
{
	char why[FT_WHY_LENGTH];

	if (c->work == FT__WORK_RUN || c->work == FT__WORK_VERIFY) {
		/* Whoever stopped it has nothing against its place. */
		if (!problem->stopped)
			ft__problem_interrupted(problem, now_s());
		c->counts.ended++;
		tell_held(c, "ended", c->why, NAN);
	}
	ft__work_drop(c, problem);
	if (ft__problem_hopeless(problem, now_s(), why)) {
		struct ft_told_event event = event_of("hopeless", why);
		ft__construct_tell(c, &event, problem);
	}
}

/* A problem that has a file of its model is built when that is written. */
static void build_no_further(struct ft__construct *c, struct ft__problem *problem)
{
	struct ft__words words = {0};
	struct ft_err err = {0};

	if (c->work == FT__WORK_WRITE || !problem->told->model_path) {
		finish_problem(c, problem);
		return;
	}
	ft__work_drop(c, problem);
	ft__builder_export_words(problem->told, c->options.command, c->options.store_path, &words);
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
		end_early(c, problem);
	} else if (working && good && (c->work == FT__WORK_FINISH || c->work == FT__WORK_WRITE)) {
		build_no_further(c, problem);
	} else if (working && c->work == FT__WORK_VERIFY && WIFEXITED(end->status)) {
		judge_work(c, problem, WEXITSTATUS(end->status));
	} else {
		say_how(c, problem, end->status, &err);
		fail_problem(c, problem, &err);
	}
}

bool ft__work_hear(struct ft__construct *c)
{
	bool any = false;

	for (size_t i = 0; i < c->n; i++) {
		struct ft__problem *problem = &c->problem[i];
		struct ft__child_end end;
		/* Before its lines: what it said last may come with its end. */
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
