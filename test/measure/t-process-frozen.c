/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process-frozen.c - programs that are made to stand still, with all that measures them, and are let go on.
 */
#include "base/clock.h"
#include "measure/measure.h"
#include "process-test.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

/* ---- by made clocks ----------------------------------------------------------------------------------- */

struct teller {
	double seconds[4];
	size_t next;
};

static double tell(void *ctx)
{
	struct teller *teller = ctx;

	return teller->next < 4 ? teller->seconds[teller->next++] : 0;
}

static void tell_again(struct teller *teller, double first, double second)
{
	*teller = (struct teller){{first, second}, 0};
}

static void test_still(void)
{
	struct ft_clock clock = {.steady_ns = 1000000000};
	struct teller teller = {{7, 3}, 0};
	const struct ft__frozen frozen = {tell, &teller};
	struct ft__still still;

	ft_clock_set(&clock);
	ft__still_begin(&still, &frozen);
	clock.steady_ns += 5000000000;
	tell_again(&teller, 2, 1);
	ft__still_hear(&still);
	ok(still.stood_s == 3, "what was told before the run counts for nothing, all else does");
	tell_again(&teller, 6, 0);
	ft__still_hear(&still);
	ok(still.stood_s == 3, "nor does what began before the run");
	ok(!ft__still_over(&still, 2.5) && ft__still_over(&still, 2) && !ft__still_over(&still, 0),
	   "its limit counts what is left");
	clock.steady_ns += 5000000000;
	tell_again(&teller, 4.9, 5.1);
	ft__still_end(&still, 5);
	ok(still.stood_s == 3 + 5.1, "what began after the program had ended is none of its own");
	ft__still_begin(&still, NULL);
	ft__still_hear(&still);
	ft__still_end(&still, 1);
	ok(still.stood_s == 0, "where nobody tells it never stood still");
	ft_clock_set(NULL);
}

static const struct ft_sample *sample_of(const struct ft_run *run, const struct ft_resource *resource)
{
	static const struct ft_sample none = {.value = NAN, .label = FT_UNAVAILABLE};

	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == resource)
			return &run->sample[i];
	return &none;
}

/* A routine that took 9.9 s of a process of 10 s, or 5 s, in which it stood still for so long. */
static void check_routine(double routine_s, double frozen_s, double least, double most)
{
	const struct ft__answer answer = {.reply = {.wall_s = 10, .user_s = 1}, .frozen_s = frozen_s};
	const struct ft__routine routine = {.wall_s = routine_s, .cpu_s = 1, .work = NAN};
	const struct ft__result result = {&answer, &routine, NULL};
	struct ft_run run;

	ft_run_init(&run);
	(void)ft__child_probe.read(NULL, &result, &run, NULL);
	const struct ft_sample *wall = sample_of(&run, &ft_wall_s);
	ok(isnan(least) ? wall->label == FT_UNAVAILABLE && wall->reason
			: wall->value >= least && wall->value <= most &&
				  wall->label == (frozen_s > 0 ? FT_ESTIMATED : FT_MEASURED),
	   "of %g s in 10 s, %g s still: %g s %s", routine_s, frozen_s, wall->value,
	   wall->reason ? wall->reason : "");
	ok(sample_of(&run, &ft_cpu_s)->label == FT_MEASURED, "its processor time is a measure");
	ft_run_clear(&run);
}

/* ---- by the system ------------------------------------------------------------------------------------ */

/* What the measuring process found. */
struct found {
	enum ft_outcome outcome;
	enum ft_label label[3];
	double wall_s, cpu_s, delay_s, frozen_s, cost_s;
};

static double hear_pipe(void *ctx)
{
	struct pollfd input = {.fd = *(int *)ctx, .events = POLLIN};
	double seconds = 0;

	return poll(&input, 1, 0) > 0 && read(input.fd, &seconds, sizeof seconds) == sizeof seconds ? seconds
												    : 0;
}

/* In a process of its own. */
static void measure(struct subject *s, double limit_s, int heard, int found)
{
	struct found f = {.outcome = FT_NOT_STARTED};

	if (!open_subject(s)) {
		ft_source_frozen(s->source, hear_pipe, &heard);
		(void)run(s, 1, limit_s);
		f.outcome = last(s)->outcome;
		f.label[0] = sample_of(last(s), &ft_wall_s)->label;
		f.label[1] = sample_of(last(s), &ft_cpu_s)->label;
		f.label[2] = sample_of(last(s), &ft_peak_rss_bytes)->label;
		f.wall_s = value(s, &ft_wall_s);
		f.cpu_s = value(s, &ft_cpu_s);
		f.delay_s = value(s, &ft_run_delay_s);
		f.frozen_s = value(s, &ft_frozen_s);
		f.cost_s = last(s)->cost_s;
	}
	(void)!write(found, &f, sizeof f);
	unmake(s);
	_exit(0);
}

enum { TREE_MOST = 64 };

/* A process and all below it, each before its children. */
static size_t find_tree(pid_t pid, pid_t *tree, size_t n)
{
	char path[64], line[1024] = "", *save = NULL, *word;
	FILE *file;

	tree[n++] = pid;
	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	file = fopen(path, "re");
	if (!file)
		return n;
	(void)!fgets(line, sizeof line, file);
	(void)fclose(file);
	for (word = strtok_r(line, " ", &save); word && n < TREE_MOST; word = strtok_r(NULL, " ", &save))
		n = find_tree(atoi(word), tree, n);
	return n;
}

/* All of it stands still for so long; the first is stopped first, and goes on first, or last. */
static double freeze(pid_t pid, double seconds, bool last_first, int tell_to)
{
	pid_t tree[TREE_MOST];
	size_t n = find_tree(pid, tree, 0), i;

	for (i = 0; i < n; i++)
		(void)kill(tree[i], SIGSTOP);
	double began_s = ft_clock_s();
	ft_clock_sleep(seconds);
	double stood_s = ft_clock_s() - began_s;
	(void)!write(tell_to, &stood_s, sizeof stood_s);
	for (i = 0; i < n; i++)
		(void)kill(tree[last_first ? n - 1 - i : i], SIGCONT);
	return stood_s;
}

/* A program is stopped times times for so long, once it runs. */
static struct found run_frozen(struct subject *s, double limit_s, size_t times, double seconds,
			       double *stood_s)
{
	struct found f = {.outcome = FT_NOT_STARTED};
	int heard[2], found[2];

	*stood_s = 0;
	if (pipe(heard) || pipe(found))
		return f;
	(void)fflush(stdout);
	pid_t pid = fork();
	if (!pid)
		measure(s, limit_s, heard[0], found[1]);
	for (size_t i = 0; i < 2000 && !count_alive(s->tag); i++)
		ft_clock_sleep(0.005);
	for (size_t i = 0; i < times; i++) {
		ft_clock_sleep(0.02);
		*stood_s += freeze(pid, seconds, i % 2, heard[1]);
	}
	(void)!read(found[0], &f, sizeof f);
	(void)waitpid(pid, NULL, 0);
	for (size_t i = 0; i < 2; i++) {
		(void)close(heard[i]);
		(void)close(found[i]);
	}
	return f;
}

static void test_freeze(void)
{
	struct subject s;
	double stood_s;

	HOSTILE(&s, "burn", "2"); /* it must not end before it is stopped */
	struct found f = run_frozen(&s, 0, 2, 1.7, &stood_s);
	ok(f.outcome == FT_DONE && fabs(f.frozen_s - stood_s) < 1e-6, "it stood still for %g s of %g s",
	   f.frozen_s, stood_s);
	ok(f.label[0] == FT_ESTIMATED && f.label[1] == FT_MEASURED && f.label[2] == FT_MEASURED,
	   "its wall time is an estimate, and that alone");
	ok(isnan(f.delay_s) ||
		   (f.cpu_s + f.delay_s <= 1.1 * f.wall_s + 0.05 && f.cpu_s + f.delay_s >= 0.5 * f.wall_s),
	   "%g s + %g s of %g s", f.cpu_s, f.delay_s, f.wall_s);
	ok(f.cost_s >= f.wall_s && f.cost_s < f.wall_s + stood_s, "it cost %g s", f.cost_s);
}

static void test_limit(void)
{
	struct subject s;
	double stood_s;

	HOSTILE(&s, "burn", "0.2");
	struct found f = run_frozen(&s, 60, 1, 0.1, &stood_s);
	ok(f.outcome == FT_DONE, "a run within its limit");
	HOSTILE(&s, "hang");
	f = run_frozen(&s, 0.6, 1, 1.5, &stood_s);
	ok(f.outcome == FT_TIMED_OUT && f.cost_s >= 0.59 && !count_alive(s.tag),
	   "it is ended at its limit all the same, after %g s, %g s of them still", f.cost_s + stood_s,
	   stood_s);
}

int main(void)
{
	test_still();
	check_routine(9.9, 0, 9.9, 9.9);
	check_routine(9.9, 5, 4.9, 5);
	check_routine(9.9, 9.8, NAN, NAN);
	check_routine(5, 3, NAN, NAN);
	check_routine(5, 0.1, 4.9, 5);
	test_freeze();
	test_limit();
	temp_remove();
	return done();
}
