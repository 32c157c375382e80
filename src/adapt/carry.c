/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.c - the table of formats for carrying out plans. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/adapt.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/*
 * A piece of a plan as a script that reports its time.
 */

enum ft_status ft_carry_piece(const char *const *argv, const char *folder, const char *result, char **out,
			      struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "#!/bin/sh\ncd ");
	ft_text_add_word(&text, folder);
	ft_text_add(&text, " || exit\nb=$(date +%%s.%%N)\n");
	ft_text_add_words(&text, argv);
	ft_text_add(&text, "\nr=$?\ne=$(date +%%s.%%N)\necho \"$r $b $e\" >");
	ft_text_add_word(&text, result);
	ft_text_add(&text, ".new && mv ");
	ft_text_add_word(&text, result);
	ft_text_add(&text, ".new ");
	ft_text_add_word(&text, result);
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * The runs of a sweep as an array of jobs of Slurm (sbatch(1)).
 */

/* sbatch splits lines of #SBATCH at blanks, and interprets quotes, # and \ in them: words here have none. */
static enum ft_status check_word(const char *what, const char *word, struct ft_err *err)
{
	const unsigned char *at = (const unsigned char *)word;

	while (at && *at > ' ' && *at != 127 && !strchr("'\"\\#", *at))
		at++;
	if (!at || (!*at && *word))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "a line of #SBATCH has no way to write the %s '%.200s'", what, word);
	return ft_remedy(err, "names of Slurm have no blanks, quotes, # and \\: sinfo lists the valid ones");
}

static void add_option(struct ft_text *text, const char *option, const char *word)
{
	if (word)
		ft_text_add(text, "#SBATCH --%s=%s\n", option, word);
}

enum ft_status ft_carry_array(const struct ft_carry_array *array, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = check_word("partition", array->partition, err);

	*out = NULL;
	if (!status)
		status = check_word("constraint", array->constraint, err);
	if (!status)
		status = check_word("list of nodes", array->exclude, err);
	if (status)
		return status;
	ft_text_add(&text, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=0-%zu\n", array->name,
		    array->n - 1);
	ft_text_add(&text, "#SBATCH --nice=100\n#SBATCH --requeue\n#SBATCH --exclusive\n#SBATCH --nodes=1\n"
			   "#SBATCH --ntasks=1\n#SBATCH --output=/dev/null\n");
	add_option(&text, "partition", array->partition);
	add_option(&text, "constraint", array->constraint);
	add_option(&text, "exclude", array->exclude);
	/* Slurm counts minutes and mebibytes. A task is given some time to begin and to end. */
	const double minute = 60, around = 2, mebi = 1048576;

	if (array->limit_s > 0)
		ft_text_add(&text, "#SBATCH --time=%.0f\n", ceil(array->limit_s / minute) + around);
	if (array->memory_bytes > 0)
		ft_text_add(&text, "#SBATCH --mem=%.0fM\n", ceil(array->memory_bytes / mebi));
	if (array->threads)
		ft_text_add(&text, "#SBATCH --cpus-per-task=%zu\n", array->threads);
	ft_text_add(&text, "cd ");
	ft_text_add_word(&text, array->folder);
	ft_text_add(&text,
		    " || exit\nexec sh %s.$SLURM_ARRAY_TASK_ID.sh >>%s.$SLURM_ARRAY_TASK_ID.out 2>&1\n",
		    array->scripts, array->scripts);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * A request for all sizes as a text that any program reads in some lines: Slurm's functions
 * of submission do (share/slurm). Its grammar: foretime-export(1), KNOTS.
 */

static bool is_line(const char *text)
{
	while (*text && !iscntrl((unsigned char)*text))
		text++;
	return !*text;
}

static bool is_number(double value, double least)
{
	return isnan(value) || (value >= least && isfinite(value));
}

static enum ft_status check_knots(const struct ft_carry_knots *knots, struct ft_err *err)
{
	if (!is_line(knots->program) || !is_line(knots->host) || !is_line(knots->fingerprint))
		return ft_fail(err, FT_EINVAL, "a name with a control character cannot stand in a line");
	if (!knots->n)
		return ft_fail(err, FT_EINVAL, "there is no knot");
	for (size_t i = 0; i < knots->n; i++) {
		const struct ft_carry_knot *knot = &knots->knot[i];

		if (!(knot->at > (i ? knots->knot[i - 1].at : 0)) || !isfinite(knot->at) ||
		    !is_number(knot->typical_s, 0) || !is_number(knot->most_s, 0) ||
		    !is_number(knot->bytes, 0))
			return ft_fail(err, FT_EINVAL, "knots ascend, and their numbers are not negative");
		if (knot->alike && (!*knot->alike || !is_line(knot->alike) || strchr(knot->alike, ' ')))
			return ft_fail(err, FT_EINVAL, "a partition's name is a word: '%s'", knot->alike);
	}
	return FT_OK;
}

static void add_number(struct ft_text *text, double value)
{
	ft_text_add(text, " ");
	ft_text_add_number(text, value);
}

/* Five digits: more than models are accurate to. Sizes are unrounded, so that they ascend. */
static void add_rounded(struct ft_text *text, double value)
{
	if (isnan(value))
		ft_text_add(text, " -");
	else
		ft_text_add(text, " %.5g", value);
}

static void add_head(struct ft_text *text, const struct ft_carry_knots *knots)
{
	ft_text_add(text, "foretime-knots 1\nprogram %s\nparameter %s\n", knots->program, knots->parameter);
	for (size_t i = 0; i < knots->n_fixed; i++) {
		ft_text_add(text, "fixed %s", knots->fixed[i].name);
		add_number(text, knots->fixed[i].value);
		ft_text_add(text, "\n");
	}
	ft_text_add(text, "machine %s %s\nmade %lld\nexpires %lld\nrisk", knots->fingerprint, knots->host,
		    (long long)knots->made_s, (long long)knots->expires_s);
	add_number(text, knots->risk);
	ft_text_add(text, "\n");
	if (!isnan(knots->cpus)) {
		ft_text_add(text, "cpus");
		add_number(text, knots->cpus);
		ft_text_add(text, "\n");
	}
	ft_text_add(text, "# knot size typical_s upper_s bytes\n");
}

static void add_knot(struct ft_text *text, const struct ft_carry_knot *knot)
{
	ft_text_add(text, "knot");
	add_number(text, knot->at);
	add_rounded(text, knot->typical_s);
	add_rounded(text, knot->most_s);
	add_rounded(text, knot->bytes);
	ft_text_add(text, "\n");
	if (!knot->alike)
		return;
	ft_text_add(text, "alike %s", knot->alike);
	add_rounded(text, knot->alike_s);
	add_rounded(text, knot->alike_bytes);
	ft_text_add(text, "\n");
}

enum ft_status ft_carry_write_knots(const struct ft_carry_knots *knots, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = check_knots(knots, err);

	*out = NULL;
	if (status)
		return status;
	add_head(&text, knots);
	for (size_t i = 0; i < knots->n; i++)
		add_knot(&text, &knots->knot[i]);
	ft_text_add(&text, "end %zu\n", knots->n);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * MPICH: a line for each program, as between the colons of the command line (mpiexec(1), -configfile). Hydra
 * 4.0 splits lines at blanks, has no quotes, and begins a comment at any #.
 */

static bool expresses(const char *word)
{
	size_t length = strlen(word);

	return length && !strpbrk(word, " \t\n\r#") && strcmp(word, ":") != 0 && word[length - 1] != '\\';
}

/* If one has a host, all have: the rest run here. */
static void write_all(const struct ft_carry_command *command, size_t n, struct ft_text *text)
{
	bool hosts = false;

	for (size_t i = 0; i < n; i++)
		hosts = hosts || command[i].host;
	for (size_t i = 0; i < n; i++) {
		ft_text_add(text, "-n 1");
		if (hosts)
			ft_text_add(text, " -host %s", command[i].host ? command[i].host : "localhost");
		for (size_t j = 0; command[i].argv[j]; j++)
			ft_text_add(text, " %s", command[i].argv[j]);
		ft_text_add(text, "\n");
	}
}

const struct ft_carry ft__carry_mpiexec = {
	.name = "mpiexec",
	.remedy = "its lines are divided at blanks and know no quotes: put the command in a script",
	.expresses = expresses,
	.write = write_all,
};

/*
 * Slurm: a line for each task, its number and its command (srun(1), --multi-prog).
 * Single quotes keep blanks, and % from being replaced.
 */

static bool multi_prog_expresses(const char *word)
{
	return *word && !strpbrk(word, "'\n\r");
}

static void multi_prog_write_all(const struct ft_carry_command *command, size_t n, struct ft_text *text)
{
	for (size_t i = 0; i < n; i++)
		if (command[i].host)
			ft_text_add(text, "# task %zu: %s\n", i, command[i].host);
	for (size_t i = 0; i < n; i++) {
		ft_text_add(text, "%zu", i);
		for (size_t j = 0; command[i].argv[j]; j++) {
			bool plain = !strpbrk(command[i].argv[j], " \t%\"\\#");

			ft_text_add(text, plain ? " %s" : " '%s'", command[i].argv[j]);
		}
		ft_text_add(text, "\n");
	}
}

const struct ft_carry ft__carry_multi_prog = {
	.name = "multi-prog",
	.remedy = "a word of multi-prog has no quote and no line break, and is not empty: put the command in "
		  "a script",
	.expresses = multi_prog_expresses,
	.write = multi_prog_write_all,
};

/*
 * GNU parallel: a shell command a line, through ssh where it is of another machine.
 */

static bool parallel_expresses(const char *word)
{
	return !strpbrk(word, "\n\r");
}

static void parallel_write_all(const struct ft_carry_command *command, size_t n, struct ft_text *text)
{
	for (size_t i = 0; i < n; i++) {
		if (command[i].host) {
			ft_text_add(text, "ssh -- ");
			ft_text_add_word(text, command[i].host);
			ft_text_add(text, " ");
			ft_text_add_command(text, command[i].argv);
		} else {
			ft_text_add_words(text, command[i].argv);
		}
		ft_text_add(text, "\n");
	}
}

const struct ft_carry ft__carry_parallel = {
	.name = "parallel",
	.remedy = "a command is a line: put it in a script",
	.expresses = parallel_expresses,
	.write = parallel_write_all,
};

/*
 * A schedule as a shell script of sbatch: each job on its node, behind those that it waits
 * for.
 */

static void add_job(struct ft_text *text, const struct ft_carry_job *job, size_t number)
{
	ft_text_add(text, "j%zu=$(sbatch --parsable --job-name=", number);
	ft_text_add_word(text, job->name);
	ft_text_add(text, " --nodelist=");
	ft_text_add_word(text, job->host);
	for (size_t i = 0; i < job->n_after; i++)
		ft_text_add(text, "%s$j%zu", i ? ":" : " --dependency=afterok:", job->after[i]);
	ft_text_add(text, " --wrap=");
	ft_text_add_command(text, job->argv);
	ft_text_add(text, ")\n");
}

enum ft_status ft_carry_slurm(const struct ft_carry_job *job, const size_t *order, size_t n, char **out,
			      struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "#!/bin/sh\nset -e\n");
	for (size_t i = 0; i < n; i++)
		add_job(&text, &job[order[i]], order[i]);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * StarPU's performance model of a codelet, version 45 (StarPU 1.3): one processor core, one implementation;
 * history by footprint, and the regression a size^b. Times are microseconds. Lines that begin with # are
 * ignored. Tried with StarPU 1.3.10 (doc/plans-measured.md).
 */

/* ln y over ln x, each point as often as it counts. */
struct carry_starpu_sums {
	double x, xx, y, xy, n;
	double least, most; /* of the sizes */
};

static struct carry_starpu_sums sum_points(const struct ft_carry_point *point, size_t n)
{
	struct carry_starpu_sums s = {.least = INFINITY};

	for (size_t i = 0; i < n; i++) {
		double weight = (double)point[i].runs, x = log((double)point[i].size),
		       y = log(1e6 * point[i].mean_s);

		s.x += weight * x;
		s.xx += weight * x * x;
		s.y += weight * y;
		s.xy += weight * x * y;
		s.n += weight;
		s.least = fmin(s.least, (double)point[i].size);
		s.most = fmax(s.most, (double)point[i].size);
	}
	return s;
}

static void add_point(struct ft_text *text, const struct ft_carry_point *point)
{
	double mean = 1e6 * point->mean_s, deviation = 1e6 * point->deviation_s, n = (double)point->runs;

	ft_text_add(text, "%08lx\t%-15lu\t%-15e\t%-15e\t%-15e\t%-15e\t%-15e\t%zu\n",
		    (unsigned long)point->size, (unsigned long)point->size, 0.0, mean, deviation, n * mean,
		    n * (mean * mean + deviation * deviation), point->runs);
}

static enum ft_status check_points(const struct ft_carry_point *point, size_t n, struct ft_err *err)
{
	if (!n)
		return ft_fail(err, FT_EINVAL, "a model of StarPU needs a size at least");
	for (size_t i = 0; i < n; i++)
		if (!point[i].size || point[i].size > 0xffffffff || !point[i].runs ||
		    !(point[i].mean_s > 0) || isinf(point[i].mean_s) || !(point[i].deviation_s >= 0)) {
			(void)ft_fail(err, FT_EINVAL, "StarPU cannot know a size of %llu that takes %g s",
				      (unsigned long long)point[i].size, point[i].mean_s);
			(void)ft_remedy(err, "sizes are whole numbers from 1 to 2^32 - 1, times above 0");
			return FT_EINVAL;
		}
	return FT_OK;
}

enum ft_status ft_carry_starpu(const struct ft_carry_point *point, size_t n, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = check_points(point, n, err);

	*out = NULL;
	if (status)
		return status;
	struct carry_starpu_sums s = sum_points(point, n);
	ft_text_add(&text, "# version\n45\n# combinations of processors\n1\n# kinds of devices in it\n1\n");
	ft_text_add(&text, "# device: processor\n0\n# its number\n0\n# cores\n1\n# implementations\n1\n");
	ft_text_add(&text, "# entries\n%zu\n", n);
	double det = s.n * s.xx - s.x * s.x;
	double b = det > 1e-12 * s.n * s.xx ? (s.n * s.xy - s.x * s.y) / det : 0;
	double a = exp((s.y - b * s.x) / s.n);

	ft_text_add(&text, "# sumlnx\tsumlnx2\tsumlny\tsumlnxlny\talpha\tbeta\tn\tminx\tmaxx\n");
	ft_text_add(&text, "%-15e\t%-15e\t%-15e\t%-15e\t%-15e\t%-15e\t%.0f\t%-15.0f\t%-15.0f\n", s.x, s.xx,
		    s.y, s.xy, a, b, s.n, s.least, s.most);
	ft_text_add(&text, "# a\tb\tc\n%-15e\t%-15e\t%-15e\n", a, b, 0.0);
	ft_text_add(&text, "# no multiple regression\n0\n");
	ft_text_add(&text, "# hash\tsize\tflops\tmean (us)\tdev (us)\tsum\tsum2\tn\n");
	for (size_t i = 0; i < n; i++)
		add_point(&text, &point[i]);
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * A schedule as StarPU's sched.rec (recutils): for the i-th submitted task, its worker, and its position on
 * that worker. Source: StarPU, tools/starpu_replay_sched.c; unknown fields are ignored. Tried with StarPU
 * 1.3.10 (test/adapt/engines.sh).
 */

/* A record ends with an empty line, so a name is one line. */
static void add_name(struct ft_text *text, const char *name)
{
	ft_text_add(text, "Name: ");
	for (; *name; name++)
		ft_text_add_bytes(text, iscntrl((unsigned char)*name) ? " " : name, 1);
	ft_text_add(text, "\n");
}

enum ft_status ft_carry_starpu_schedule(const struct ft_carry_turn *turn, size_t n, const size_t *order,
					size_t workers, char **out, struct ft_err *err)
{
	size_t *place = ft_calloc(n + 1, sizeof *place), *ran = ft_calloc(workers + 1, sizeof *ran), i;
	struct ft_text text = {0};

	*out = NULL;
	for (i = 0; place && ran && i < n; i++)
		place[order[i]] = ++ran[turn[order[i]].worker];
	for (i = 0; place && ran && i < n; i++) {
		add_name(&text, turn[i].name);
		ft_text_add(&text, "SubmitOrder: %zu\nSpecificWorker: %zu\nWorkerorder: %zu\n\n", i + 1,
			    turn[i].worker, place[i]);
	}
	if (place && ran)
		*out = ft_text_take(&text);
	ft_free(place);
	ft_free(ran);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * The table of formats for carrying out plans.
 */

static const struct ft_carry *const table[] = {&ft__carry_multi_prog, &ft__carry_mpiexec,
					       &ft__carry_parallel};

const struct ft_carry *ft_carry_get(size_t i)
{
	return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const struct ft_carry *ft_carry_find(const char *name)
{
	const struct ft_carry *format;

	for (size_t i = 0; (format = ft_carry_get(i)) && strcmp(format->name, name) != 0; i++)
		continue;
	return format;
}

const char *ft_carry_name(const struct ft_carry *format)
{
	return format->name;
}

static enum ft_status check_words(const struct ft_carry *format, const struct ft_carry_command *command,
				  struct ft_err *err)
{
	for (size_t i = 0; command->argv[i]; i++)
		if (!format->expresses(command->argv[i])) {
			(void)ft_fail(err, FT_EINVAL, "a file of %s has no way to write the word '%.200s'",
				      format->name, command->argv[i]);
			(void)ft_remedy(err, "%s", format->remedy);
			return FT_EINVAL;
		}
	return FT_OK;
}

static enum ft_status check_host(const struct ft_carry *format, const struct ft_carry_command *command,
				 struct ft_err *err)
{
	if (!command->host || format->expresses(command->host))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "a file of %s has no way to write the host '%.200s'", format->name,
		      command->host);
	(void)ft_remedy(err, "foretime import --machine NAME its runs, by the name by which it is reached, "
			     "and plan with that");
	return FT_EINVAL;
}

enum ft_status ft_carry_write(const struct ft_carry *format, const struct ft_carry_command *command, size_t n,
			      char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = FT_OK;

	*out = NULL;
	for (size_t i = 0; i < n && !status && format->expresses; i++) {
		status = check_host(format, &command[i], err);
		if (!status)
			status = check_words(format, &command[i], err);
	}
	if (status)
		return status;
	format->write(command, n, &text);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
