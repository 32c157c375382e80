/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eta.c - the expected end of a run, or of a program that runs already: a line that is revised while it runs. */
#include "base/csv.h"
#include "cli/cli.h"
#include "cli/run/run.h"
#include "measure/door.h"
#include "store/door.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Without a terminal a line is printed when the run has become longer by this share, and a second; on one the line
 * is replaced as often as people read. */
static const double again_share = 0.25, again_s = 1, replace_s = 0.25;

/* A predicted number of bytes is used as the whole where it is at least as accurate: half of its 90 % interval. */
static const double whole_known = 0.2, ninety = 1.6448536;

/* ---- what --contract needs as well ---------------------------------------------------------------------- */

enum ft_status cli_run_size(const struct ft_answerer *answerer, char *const *word, size_t n,
			    struct ft_size *size, struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	char names[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	double value[FT_PARAMS_MAX];
	size_t i;

	for (i = 0; i < n && i < FT_PARAMS_MAX; i++) {
		const char *equals = strchr(word[i], '=');

		(void)snprintf(names[i], sizeof names[i], "%.*s", (int)(equals - word[i]), word[i]);
		name[i] = names[i];
		FT_TRY(ft_number_parse(equals + 1, &value[i], err));
	}
	return ft_ask_size(answerer, name, value, i, size, err);
}

double cli_run_waited_s(const struct ft_moment *now)
{
	struct ft_sample sample[] = {{.resource = &ft_wall_s, .value = now->time_s},
				     {.resource = &ft_cpu_s, .value = now->cpu_s},
				     {.resource = &ft_run_delay_s, .value = now->delay_s}};
	const struct ft_run run = {.sample = sample, .n_samples = 3};

	return isnan(now->delay_s) ? now->delay_s : fmax(0, now->time_s - ft_run_alone(&run).wall_s);
}

/* ---- what is known before ------------------------------------------------------------------------------ */

/* The file of curves that runs of NAME left, beside the store. The caller frees it; NULL: no store. */
static char *learned_path(const struct cli_eta *e)
{
	CLI_OWN char *name = e->models.store ? cli_strdup(e->name) : NULL;

	for (char *c = name; c && *c; c++)
		*c = (char)(*c == '/' ? '_' : *c);
	return name ? cli_printed("%s-progress/%s.csv", ft_store_path(e->models.store), name) : NULL;
}

/* Besides the stages of each kind of progress: what the model predicted for that run, and what it took. */
static const char past_time[] = "time", past_interval[] = "interval";

static int read_learned(struct cli_eta *e)
{
	CLI_OWN char *path = learned_path(e);
	struct ft_prediction past = {.value = NAN, .lower = NAN, .upper = NAN};
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	double done, share, spent_s = NAN;

	if (!path || access(path, R_OK) || ft_csv_read(path, 0, &csv, &err))
		return CLI_DONE; /* it is learned again */
	for (size_t i = 0; i < ft_csv_rows(csv) && ft_csv_columns(csv) == 3; i++) {
		const char *what = ft_csv_cell(csv, i, 0);

		if (ft_csv_number(csv, i, 1, false, &done, NULL) ||
		    ft_csv_number(csv, i, 2, false, &share, NULL))
			continue;
		for (size_t k = 0; k < FT_ADVANCE_KINDS; k++)
			if (!strcmp(what, ft_advance_text((enum ft_advance)k)) &&
			    e->n_learned[k] < FT_OUTLOOK_POINTS)
				e->learned[k][e->n_learned[k]++] = (struct ft_stage){done, share};
		if (!strcmp(what, past_time)) {
			past.value = done;
			spent_s = share;
		} else if (!strcmp(what, past_interval)) {
			past.lower = done;
			past.upper = share;
		}
	}
	ft_csv_free(csv);
	ft_eta_past(&e->eta, &past, spent_s);
	for (size_t k = 0; k < FT_ADVANCE_KINDS; k++)
		(void)ft_eta_learned(&e->eta, (enum ft_advance)k, e->learned[k], e->n_learned[k], NULL);
	return CLI_DONE;
}

/* How time went with progress in this run, and how far off the model was, for the next one. A file that cannot be written costs that alone. */
static void learn(const struct cli_eta *e, double wall_s, double idle_s)
{
	const double spent_s = e->eta.spent_s + fmax(0, wall_s - e->eta.time_s) * e->eta.worked;
	CLI_OWN char *path = learned_path(e);
	CLI_OWN char *folder = path ? cli_strdup(path) : NULL;
	CLI_OWN char *text = cli_strdup("progress,done,time\n");
	char digits[4][FT_NUMBER_LENGTH];
	bool any = false;

	for (size_t k = 0; k < FT_ADVANCE_KINDS; k++) {
		const struct ft_outlook *way = &e->eta.way[k];
		size_t n = way->lost ? 0 : way->n_stages;

		for (size_t i = 0; i < n && n >= 4; i++)
			cli_reprint(&text, "%s%s,%s,%s\n", text, ft_advance_text((enum ft_advance)k),
				    ft_number_format(way->stage[i].done, digits[0]),
				    ft_number_format(way->stage[i].time / spent_s, digits[1]));
		/* The last step may have been left out. */
		if (n >= 4 && way->reached.done > way->stage[n - 1].done)
			cli_reprint(&text, "%s%s,%s,%s\n", text, ft_advance_text((enum ft_advance)k),
				    ft_number_format(way->reached.done, digits[0]),
				    ft_number_format(fmin(1, way->reached.time / spent_s), digits[1]));
		any = any || n >= 4;
	}
	if (!isnan(e->predicted.value))
		cli_reprint(&text, "%s%s,%s,%s\n%s,%s,%s\n", text, past_time,
			    ft_number_format(e->predicted.value, digits[0]),
			    ft_number_format(idle_s, digits[1]), past_interval,
			    ft_number_format(e->predicted.lower, digits[2]),
			    ft_number_format(e->predicted.upper, digits[3]));
	if ((!any && isnan(e->predicted.value)) || !folder)
		return;
	*strrchr(folder, '/') = '\0';
	if (mkdir(folder, 0777) && errno != EEXIST)
		return;
	FILE *file = fopen(path, "we");
	if (!file)
		return;
	fputs(text, file);
	(void)fclose(file);
}

/* The prediction of a number of bytes that the whole run reads or writes, where it is accurate. */
static double whole_bytes(struct cli_eta *e, const struct ft_resource *resource, enum ft_advance kind)
{
	struct ft_prediction at;

	if (!ft_ask_has(e->models.answerer, resource) ||
	    ft_ask_predict(e->models.answerer, resource, &e->size, 0.9, &at, NULL) || !(at.value > 0) ||
	    !(at.upper - at.value <= whole_known * at.value))
		return NAN;
	e->eta.uncertain[kind] = (at.upper - at.value) / at.value / ninety;
	return at.value;
}

/* What the model says. Without one the run's own progress is all there is, which is said once. */
static void ask_model(struct cli_eta *e, const char *store_path, char *const *word, size_t n)
{
	struct ft_prediction wall;
	struct ft_err err = {0};

	ft_eta_begin(&e->eta, NULL);
	e->predicted.value = e->eta.wall_s;
	e->read_whole = e->written_whole = NAN;
	if (!e->name || !strcmp(e->name, "-"))
		return;
	if (cli_store_open_list(&e->models.store, store_path) != CLI_DONE)
		e->models.store = NULL;
	if (!e->models.store) {
		(void)ft_fail(&err, FT_ENOENT, "there is no store");
	} else if (!ft_ask_open_on(&e->models.answerer, e->models.store, e->name, NULL, NULL,
				   ft_tell_machine_here(e->models.store), &err) &&
		   cli_run_size(e->models.answerer, word, n, &e->size, &err) == FT_OK &&
		   !ft_ask_predict(e->models.answerer, &ft_wall_s, &e->size, 0.9, &wall, &err)) {
		ft_eta_begin(&e->eta, &wall);
		e->predicted = (struct ft_prediction){
			.value = e->eta.wall_s, .lower = e->eta.lower_s, .upper = e->eta.upper_s};
		e->read_whole = whole_bytes(e, &ft_input_bytes, FT_ADVANCE_READ);
		e->written_whole = whole_bytes(e, &ft_output_bytes, FT_ADVANCE_WRITTEN);
	}
	if (err.status)
		cli_note("no model predicts this run (%s): its end is expected from its progress alone",
			 err.text);
}

int cli_eta_open(struct cli_eta *e, const char *store_path, char *const *word, size_t n)
{
	ask_model(e, store_path, word, n);
	CLI_TRY(read_learned(e));
	if (!e->log)
		return CLI_DONE;
	CLI_TRY(cli_output_open(&e->log_file, e->log, stdout));
	fputs("seconds,end_s,lower_s,upper_s,model,progress,done\n", e->log_file.file);
	return CLI_DONE;
}

/* ---- the line ------------------------------------------------------------------------------------------- */

static char *left_text(double end_s, double now_s, char buffer[FT_UNIT_LENGTH])
{
	return ft_value_format(fmax(0, end_s - now_s), "s", buffer);
}

/* What it used, as shares of what it is predicted to use. */
static double share_of(double bytes, double whole)
{
	return bytes > 0 ? fmin(1, bytes / whole) : (double)NAN; /* NaN stays */
}

void cli_eta_look(struct cli_eta *e, const struct ft_moment *now, double waited_s)
{
	struct ft_eta_look look = {.time_s = now->time_s, .waited_s = waited_s};
	struct ft_inputs_look seen;
	struct ft_err err = {0};
	char text[4][FT_NUMBER_LENGTH];

	for (size_t k = 0; k < FT_ADVANCE_KINDS; k++)
		look.done[k] = NAN;
	if (!e->inputs && now->pid > 0 && ft_inputs_open(&e->inputs, "", now->pid, &err))
		return;
	if (now->total > 0)
		look.done[FT_ADVANCE_REPORT] = now->done / now->total;
	if (e->inputs) {
		ft_inputs_look(e->inputs, &seen);
		look.done[FT_ADVANCE_INPUT] = seen.total > 0 ? seen.read / seen.total : (double)NAN;
		look.done[FT_ADVANCE_READ] = share_of(seen.input_bytes, e->read_whole);
		look.done[FT_ADVANCE_WRITTEN] = share_of(seen.output_bytes, e->written_whole);
	}
	ft_eta_look(&e->eta, &look, &e->answer);
	e->last_s = now->time_s;
	if (isnan(e->answer.total_s))
		return;
	if (e->log_file.file)
		fprintf(e->log_file.file, "%s,%s,%s,%s,%d,%s,%g\n", ft_number_format(now->time_s, text[0]),
			ft_number_format(e->answer.total_s, text[1]),
			ft_number_format(e->answer.lower_s, text[2]),
			isfinite(e->answer.upper_s) ? ft_number_format(e->answer.upper_s, text[3]) : "inf",
			e->answer.model, ft_advance_text(e->answer.by),
			e->answer.by < FT_ADVANCE_KINDS ? look.done[e->answer.by] : (double)NAN);
	if (now->time_s < e->again_s)
		return;
	e->again_s = now->time_s + (e->terminal ? replace_s : fmax(again_s, again_share * now->time_s));
	const struct ft_eta_answer *a = &e->answer;
	const time_t end = time(NULL) + (time_t)fmin(1e9, fmax(0, a->total_s - now->time_s));
	char left[3][FT_UNIT_LENGTH], share[FT_UNIT_LENGTH], clock[32] = "";
	struct tm local;

	if (localtime_r(&end, &local))
		(void)strftime(clock, sizeof clock,
			       a->total_s - now->time_s > 43200 ? "%Y-%m-%d %H:%M" : "%H:%M:%S", &local);
	fprintf(stderr, "%sends at %s, in %s (90 %%: %s to %s); by ",
		e->terminal ? "\r\033[K" : "eta: ", clock, left_text(a->total_s, now->time_s, left[0]),
		left_text(a->lower_s, now->time_s, left[1]), left_text(a->upper_s, now->time_s, left[2]));
	if (a->by == FT_ADVANCE_KINDS)
		fputs("the model", stderr);
	else
		fprintf(stderr, "%s%s (%s)%s", a->model ? "the model and " : "", ft_advance_text(a->by),
			ft_share_format(look.done[a->by], share),
			a->model     ? ""
			: a->learned ? ", as an earlier run went"
				     : ", without a model");
	if (!e->terminal)
		fputc('\n', stderr);
	(void)fflush(stderr);
	e->shown = true;
}

void cli_eta_end(struct cli_eta *e, double wall_s, double idle_s, bool done)
{
	if (e->terminal && e->shown)
		fputs("\r\033[K", stderr);
	if (done && wall_s > 0 && idle_s > 0)
		learn(e, wall_s, idle_s);
	(void)cli_output_close(&e->log_file, true);
}

void cli_eta_close(struct cli_eta *e)
{
	(void)cli_output_close(&e->log_file, false);
	ft_inputs_close(e->inputs);
	cli_models_close(&e->models);
}

/* ---- a program that runs already ----------------------------------------------------------------------- */

int cli_eta_follow(struct cli_eta *e, int pid)
{
	struct ft_moment now = {.pid = pid, .cpu_s = NAN, .delay_s = NAN};
	struct ft_inputs_look seen;
	struct ft_err err = {0};

	if (ft_inputs_open(&e->inputs, "", pid, &err))
		return cli_error(&err);
	cli_signals_catch();
	for (double pause_s = 0.1; !*cli_interrupt_flag();) {
		struct timespec pause;

		now.time_s = ft_inputs_since_s(e->inputs);
		if (isnan(now.time_s))
			break;
		ft_inputs_look(e->inputs, &seen);
		now.cpu_s = seen.cpu_s;
		now.delay_s = seen.delay_s;
		cli_eta_look(e, &now, cli_run_waited_s(&now));
		pause_s = fmin(1, fmax(0.1, now.time_s / 100));
		pause = (struct timespec){(time_t)pause_s, (long)(1e9 * (pause_s - floor(pause_s)))};
		(void)nanosleep(&pause, NULL);
	}
	if (!(e->last_s > 0) && !*cli_interrupt_flag()) {
		cli_eta_end(e, 0, 0, false);
		(void)cli_fail("there is no process %d", pid);
		cli_hint("ps -e lists those that there are");
		return CLI_NO;
	}
	cli_eta_end(e, 0, 0, false);
	return *cli_interrupt_flag() ? CLI_INTERRUPTED : CLI_DONE;
}

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct cli_eta, last_s), .about = "when it was looked at last, since the start"},
	{FT_TELL_AS("total_s", struct cli_eta, answer.total_s), .about = "expected then: time in all",
	 .null = "not known"},
	{FT_TELL_AS("lower_s", struct cli_eta, answer.lower_s), .about = "the 90 % interval of that",
	 .null = "not known"},
	{FT_TELL_AS("upper_s", struct cli_eta, answer.upper_s), .null = "not known"},
	{FT_TELL_AS("model", struct cli_eta, answer.model), .about = "whether it rests on a model"},
	{FT_TELL_BY(WORD, "progress", struct cli_eta, answer.by), .word = ft_advance_text,
	 .words = "reported progress|position in input files|bytes read|bytes written|nothing",
	 .about = "and on which progress"},
	{0},
};
const struct ft_tell_record cli_eta_answer = {
	.about = "the expected end, as it was seen last", .bytes = sizeof(struct cli_eta), .row = rows};
const struct ft_tell_record cli_run_end_answer = {
	.name = "run-end", .version = 1, .bytes = sizeof(struct cli_eta), .row = rows};
