/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - `foretime energy`: powers of machines from measured runs, and predictions from them. */
#include "cli/cli.h"
#include "cli/energy/energy.h"
#include "cli/machine/machine.h"
#include "foretime/base.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * `foretime energy fit`: fit the power of each part of machines to measured runs.
 */

struct energy_part {
	const char *name;
	double watts, interval_w;
	const double *covariance;
	size_t parts;
};

static const struct ft_tell_row part_rows[] = {
	{FT_TELL_AS("part", struct energy_part, name), .head = "part"},
	{FT_TELL(struct energy_part, watts), .head = ">watts", .unit = ".2f"},
	{FT_TELL(struct energy_part, interval_w), .about = "half-width", .null = "as many runs as parts",
	 .head = ">+-", .unit = ".2f", .none = "unknown"},
	{0},
};
static const struct ft_tell_record parts = {.bytes = sizeof(struct energy_part), .row = part_rows};

static const struct ft_tell_row covariance_rows[] = {
	{FT_TELL_MANY(LIST, "", struct energy_part, covariance, parts, &ft_tell_numbers)},
	{0},
};
static const struct ft_tell_record covariance = {.bytes = sizeof(struct energy_part), .row = covariance_rows};

static const struct ft_tell_row user_rows[] = {
	{FT_TELL_AS("user", struct cli_account, name), .head = "user"},
	{FT_TELL(struct cli_account, jobs), .head = ">jobs"},
	{FT_TELL(struct cli_account, machine_s), .about = "machines times wall time", .head = ">machines",
	 .unit = "s"},
	{FT_TELL(struct cli_account, core_s), .about = "of all cores together", .head = ">cores",
	 .unit = "s"},
	{FT_TELL(struct cli_account, measured_j), .head = ">measured", .unit = "J"},
	{FT_TELL(struct cli_account, joules), .about = "by the powers found", .head = ">energy", .unit = "J"},
	{FT_TELL(struct cli_account, unfit), .about = "jobs that do not fit the others", .head = ">unfit"},
	{FT_TELL(struct cli_account, share), .about = "of the energy of all", .head = ">share", .unit = "%"},
	{0},
};
static const struct ft_tell_record users = {.bytes = sizeof(struct cli_account), .row = user_rows};

struct energy_fit_answer {
	struct energy_part part[FT_POWER_PARTS];
	struct ft_energy_fit fit; /* borrowed */
	double freedom, confidence;
	bool merged;
	const char *tested;
	size_t *line; /* [n] */
	size_t n;
	struct cli_account *user; /* [n_users] borrowed */
	size_t n_users;
};

static const struct ft_tell_row line_rows[] = {{.key = "", .kind = FT_TELL_COUNT}, {0}};
static const struct ft_tell_record lines = {.bytes = sizeof(size_t), .row = line_rows};

#define ANSWER struct energy_fit_answer
static const struct ft_tell_row fit_rows[] = {
	{FT_TELL_MANY(ARRAY, "parts", ANSWER, part, fit.power.parts, &parts)},
	{FT_TELL_MANY(ARRAY, "covariance", ANSWER, part, fit.power.parts, &covariance),
	 .about = "of the watts, W^2"},
	{FT_TELL_AS("noise_w", ANSWER, fit.power.noise_w),
	 .about = "of the mean power of one run about the model", .null = "not known"},
	{FT_TELL(ANSWER, freedom), .whole = true, .about = "degrees of freedom: runs used, less parts",
	 .null = "there are none"},
	{FT_TELL(ANSWER, confidence)},
	{FT_TELL_AS("runs", ANSWER, fit.n)},
	{FT_TELL(ANSWER, merged)},
	{FT_TELL_AS("r2", ANSWER, fit.r2), .null = "not known"},
	{FT_TELL_AS("f_ratio", ANSWER, fit.f_ratio), .about = "variances of modelled and measured power",
	 .null = "one part"},
	{FT_TELL_AS("f_p", ANSWER, fit.f_p), .about = "how probable such a ratio is when they are equal",
	 .null = "one part"},
	{FT_TELL_AS("t_p", ANSWER, fit.t_p), .about = "paired t test", .null = "no resolution of the meter"},
	{FT_TELL_AS("difference_w", ANSWER, fit.difference_w), .about = "mean absolute difference",
	 .null = ""},
	{FT_TELL(ANSWER, tested), .words = "peak|mean"},
	{FT_TELL_MANY(LIST, "left_out_lines", ANSWER, line, n, &lines), .about = "of a table of runs"},
	{FT_TELL_MANY(LIST, "users", ANSWER, user, n_users, &users), .about = "of jobs that sacct printed"},
	{0},
};
const struct ft_tell_record cli_energy_fit_answer = {
	.name = "energy", .action = "fit", .version = 1, .row = fit_rows};

static ANSWER fit_answer(const struct ft_energy_runs *runs, const struct ft_energy_fit *fit,
			 double confidence)
{
	ANSWER answered = {
		.fit = *fit,
		.freedom = fit->power.freedom > 0 ? fit->power.freedom : (double)NAN,
		.confidence = confidence,
		.merged = runs->merged,
		.tested = fit->of_peaks ? "peak" : "mean",
		.line = cli_alloc(fit->n * sizeof *answered.line),
	};
	size_t i, k = fit->power.parts;

	for (i = 0; i < k; i++)
		answered.part[i] = (struct energy_part){fit->power.part[i], fit->power.watts[i],
							fit->interval_w[i], fit->power.covariance + i * k, k};
	for (i = 0; i < fit->n; i++)
		if (fit->left_out[i])
			answered.line[answered.n++] = runs->line[i];
	return answered;
}

/* The powers, with the machine that they are of. Takes the reference. */
static int keep_powers(const struct cli_energy *e, json_t *fit, const struct ft_energy_fit *found)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	int64_t id;
	int status = cli_store_open(&store, e->store_path, CLI_WRITE);

	if (status == CLI_DONE && found->negative)
		status = cli_fail("powers below 0 are not kept\n"
				  "hint: measure runs that use the parts more differently");
	if (status == CLI_DONE && e->machine)
		status = cli_machine_find(store, e->machine, &id);
	if (status == CLI_DONE &&
	    (e->machine ? ft_store_get_machine(store, id, &machine, &err)
			: ft_machine_read("", &machine, &err) || ft_store_put_machine(store, &machine, &err)))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = cli_powers_keep(store, machine.fingerprint, fit);
	else
		json_decref(fit);
	if (status == CLI_DONE)
		cli_note("kept as the powers of %s", machine.host ? machine.host : machine.fingerprint);
	return status;
}

static int say_fit(const struct cli_energy *e, struct cli_accounts *accounts,
		   const struct ft_energy_runs *runs, double resolution_w, const struct ft_energy_fit *fit,
		   bool sacct)
{
	int status = CLI_DONE;
	ANSWER answered = fit_answer(runs, fit, e->confidence);

	cli_accounts_divide(accounts, runs, fit);
	if (sacct)
		answered.n = 0; /* jobs have no lines: each user's are counted */
	answered.user = accounts->user;
	answered.n_users = accounts->n_users;
	if (e->json) {
		cli_tell(&cli_energy_fit_answer, &answered, NULL);
	} else {
		cli_tell_table(&parts, answered.part, fit->power.parts, NULL);
		printf("\nR^2 %.4f of the energies of %zu runs", fit->r2, fit->n - fit->n_left_out);
		if (!isnan(fit->power.noise_w))
			printf("; the mean power of a run lies %.3g W about the model", fit->power.noise_w);
		putchar('\n');
		if (!isnan(fit->f_ratio))
			printf("F test on the %s power: ratio of variances %.3f, p = %.2f: %s\n",
			       fit->of_peaks ? "peak" : "mean", fit->f_ratio, fit->f_p,
			       fit->f_p < 0.05 ? "they differ" : "no difference to be seen");
		if (resolution_w > 0)
			printf("paired t test: mean difference %.3g W, the meter's resolution %.3g W, p = "
			       "%.2f: %s\n",
			       fit->difference_w, resolution_w, fit->t_p,
			       fit->t_p < 0.05 ? "more than the meter explains" : "the meter explains it");
		for (size_t i = 0; i < fit->n && !sacct; i++)
			if (fit->left_out[i])
				printf("left out: line %zu, %.4g W measured, %.4g W predicted from the other "
				       "runs\n",
				       runs->line[i], runs->energy_j[i] / runs->wall_s[i], fit->power_w[i]);
		if (fit->negative)
			printf("%zu power%s below 0, which no part has: the runs do not distinguish these "
			       "parts; "
			       "measure runs that use them\nmore differently\n",
			       fit->negative, fit->negative == 1 ? " is" : "s are");
		if (!isnan(runs->machines) && !e->merge)
			printf("every run used %g machine%s: the power of one machine cannot be separated "
			       "from the "
			       "infrastructure's\n",
			       runs->machines, runs->machines == 1 ? "" : "s");
	}
	if (!e->json && answered.n_users) {
		putchar('\n');
		cli_tell_table(&users, answered.user, answered.n_users, NULL);
	}
	if (e->keep)
		status = keep_powers(e, cli_tell_json(&cli_energy_fit_answer, &answered, NULL), fit);
	free(answered.line);
	return status;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

enum { INPUT_MOST = 256 << 20 };

static bool is_sacct(const char *bytes, size_t length)
{
	const char *end = memchr(bytes, '\n', length);
	size_t line = end ? (size_t)(end - bytes) : length;
	static const char energy[] = "ConsumedEnergyRaw";

	return memchr(bytes, '|', line) && memmem(bytes, line, energy, sizeof energy - 1);
}

static int recognise_table(struct cli_table_of_runs *table)
{
	char head[BUFSIZ];
	FILE *file;

	if (!strcmp(table->path, "-")) {
		size_t capacity = 0, n;

		do {
			if (table->length + BUFSIZ > capacity) {
				capacity = 2 * capacity + BUFSIZ;
				table->bytes = cli_given(realloc(table->bytes, capacity));
			}
			n = fread(table->bytes + table->length, 1, BUFSIZ, stdin);
			table->length += n;
		} while (n && table->length <= INPUT_MOST);
		if (ferror(stdin) || table->length > INPUT_MOST)
			return cli_fail(ferror(stdin) ? "cannot read standard input"
						      : "standard input: more than 256 MiB");
		table->sacct = is_sacct(table->bytes, table->length);
		return CLI_DONE;
	}
	file = fopen(table->path, "re");
	if (!file) /* the reader reports the reason */
		return CLI_DONE;
	table->sacct = is_sacct(head, fread(head, 1, sizeof head, file));
	(void)fclose(file);
	return CLI_DONE;
}

static int read_runs(const struct cli_energy *e, struct cli_table_of_runs *table,
		     struct cli_accounts *accounts, struct ft_energy_runs *runs)
{
	struct ft_err err = {0};

	CLI_TRY(recognise_table(table));
	if (table->sacct && e->meter)
		return cli_fail("--meter needs a table of runs: sacct reports one meter only");
	if (table->sacct)
		return cli_accounts_read(accounts, table, e->merge, runs);
	if (table->bytes ? ft_energy_runs_parse(runs, "standard input", table->bytes, table->length, e->merge,
						e->meter, &err)
			 : ft_energy_runs_read(runs, table->path, e->merge, e->meter, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int energy_fit(void *query)
{
	struct cli_energy *e = query;
	struct ft_energy_fit_options options = {.plain = e->plain, .confidence = e->confidence};
	FT_CLEANUP(ft_energy_runs_clear) struct ft_energy_runs runs = {0};
	FT_CLEANUP(ft_energy_fit_clear) struct ft_energy_fit fit = {0};
	FT_CLEANUP(cli_accounts_clear) struct cli_accounts accounts = {0};
	struct cli_table_of_runs table = {.path = e->word[0]};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (e->resolution && ft_value_parse(e->resolution, "W", &options.resolution_w, &err))
		return cli_error_at(&err, "resolution");
	if (e->machine && !e->keep)
		return cli_fail("--machine is whose powers are kept: write --save M");
	status = read_runs(e, &table, &accounts, &runs);
	if (status == CLI_DONE && ft_energy_fit(&fit, &runs, &options, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = say_fit(e, &accounts, &runs, options.resolution_w, &fit, table.sacct);
	free(table.bytes);
	return status;
}

/*
 * `foretime energy cap`: the number of cores that may work under a power limit.
 */

enum { CORES_MOST = 1000000 };

/* As typed. */
struct energy_cap_question {
	double limit_w, per, most;
};

static int read_question(const struct cli_energy *e, struct energy_cap_question *q)
{
	struct ft_err err = {0};
	enum ft_status status = FT_OK;

	*q = (struct energy_cap_question){.limit_w = NAN, .per = NAN, .most = NAN};
	for (size_t i = 0; i < e->words && !status; i++) {
		const char *word = e->word[i];

		if (!strncmp(word, "power=", 6))
			status = ft_value_parse(word + 6, "W", &q->limit_w, &err);
		else if (!strncmp(word, "cores=", 6))
			status = ft_number_parse(word + 6, &q->per, &err);
		else if (!strncmp(word, "most=", 5))
			status = ft_number_parse(word + 5, &q->most, &err);
		else
			return cli_fail("energy cap knows no '%s'", word);
	}
	if (status)
		return cli_error(&err);
	if (isnan(q->most))
		q->most = q->per;
	if (q->limit_w > 0 && q->per >= 1 && q->most >= 1 && q->most <= CORES_MOST)
		return CLI_DONE;
	return cli_fail("energy cap needs power=LIMIT, cores=N of a machine, and most=N of all, %d at most\n"
			"hint: write foretime energy cap power=2kW cores=16 most=64 --model FILE.json",
			CORES_MOST);
}

#define CAP struct ft_power_cap
static const struct ft_tell_row cap_rows[] = {
	{FT_TELL(CAP, cores), .about = "0: not even one keeps the limit"},
	{FT_TELL(CAP, machines)},
	{FT_TELL_AS("peak_w", CAP, watts), .null = "no core keeps the limit"},
	{FT_TELL_AS("lower_w", CAP, lower), .null = "the powers were stated, not measured"},
	{FT_TELL_AS("upper_w", CAP, upper), .null = "the powers were stated, not measured"},
	{FT_TELL(CAP, next_w), .about = "of one core more, the upper end", .null = "there are no more"},
	{0},
};
const struct ft_tell_record cli_energy_cap_answer = {
	.name = "energy", .action = "cap", .version = 1, .row = cap_rows};

static int energy_cap(void *query)
{
	struct cli_energy *e = query;
	char text[2][FT_UNIT_LENGTH];
	struct energy_cap_question q;
	struct ft_err err = {0};
	CAP cap;
	CLI_TRY(cli_energy_power(e));
	CLI_TRY(read_question(e, &q));
	if (ft_power_capped(&e->power, q.limit_w, q.per, (size_t)q.most, e->confidence, &cap, &err))
		return cli_error(&err);
	if (e->json) {
		cli_tell(&cli_energy_cap_answer, &cap, NULL);
	} else if (cap.cores > 0) {
		char words[3][FT_UNIT_LENGTH];

		printf("%g core%s on %g machine%s: %s", cap.cores, cap.cores == 1 ? "" : "s", cap.machines,
		       cap.machines == 1 ? "" : "s", ft_value_format(cap.watts, "W", words[0]));
		if (!isnan(cap.lower))
			printf("  (%s .. %s in %.0f %% of readings)",
			       ft_value_format(cap.lower, "W", words[1]),
			       ft_value_format(cap.upper, "W", words[2]), 100 * e->confidence);
		if (isnan(cap.next_w))
			printf("\nall of them keep the limit\n");
		else
			printf("\none more: up to %s\n", ft_value_format(cap.next_w, "W", words[0]));
	} else {
		(void)cli_fail("not even one core keeps %s: it draws up to %s",
			       ft_value_format(q.limit_w, "W", text[0]),
			       ft_value_format(cap.next_w, "W", text[1]));
	}
	return cap.cores > 0 ? CLI_DONE : CLI_NO;
}

/*
 * `foretime energy`: powers of machines from measured runs, and predictions from them.
 */

static const struct cli_action actions[] = {
	{"fit", "find the power of each part in measured runs",
	 "RUNS.csv [--meter resolution=9W] [--save M] [OPTION...]",
	 "confidence method meter save keep machine store format json", 1, 1, energy_fit},
	{"predict", "predict the energy of jobs",
	 "(--model FILE.json | --powers ...) wall=100s,job=90s,n=12 ... [m=1]",
	 "model powers confidence method price format json", 0, SIZE_MAX, cli_energy_predict},
	{"share", "divide the energy among jobs that run together",
	 "(--model FILE.json | --powers ...) wall=T,job=T,n=N wall=T,job=T,n=N ... [m=1]",
	 "model powers confidence by format json", 0, SIZE_MAX, cli_energy_share},
	{"peak", "print the power that a number of cores draws",
	 "(--model FILE.json | --powers ...) n=36 m=3", "model powers confidence format json", 0, SIZE_MAX,
	 cli_energy_peak},
	{"cap", "find how many cores may work under a power limit",
	 "(--model FILE.json | --powers ...) power=2kW cores=N [most=N]",
	 "model powers confidence format json", 0, SIZE_MAX, energy_cap},
	{"sweet-spot", "find the number of cores with the least energy",
	 "(--model FILE.json | --powers ...) (time=T serial=10% | RUNS.csv | NAME --by PARAM) "
	 "cores=N [most=N]",
	 "model powers serial by confidence waits all output dark store format json", 0, SIZE_MAX,
	 cli_energy_sweet_spot},
	{0},
};

static int run_energy(const struct cli_command *command, int argc, char **argv)
{
	struct cli_energy e = {.confidence = 0.9, .serial = NAN};
	const char *waits = NULL, *save = NULL;
	const struct ft_field options[] = {
		{0, "model", FT_FIELD_TEXT, &e.model, "FILE.json", "powers as energy fit --json prints them",
		 .not_with = "powers"},
		{0, "powers", FT_FIELD_TEXT, &e.watts, "PART=W,...",
		 "powers as stated: infr=161,machine=101,core=12"},
		{'c', "confidence", FT_FIELD_SHARE, &e.confidence, "C",
		 "confidence of the intervals; default 90%", .least = FT_CONFIDENCE_LEAST,
		 .most = FT_CONFIDENCE_MOST},
		{0, "method", FT_FIELD_TEXT, NULL, "HOW", "other ways to compute, several with commas"},
		{0, "plain", FT_FIELD_FLAG, &e.plain, NULL, "fit: least squares over all runs, outliers too",
		 .of = "method"},
		{0, "merge", FT_FIELD_FLAG, &e.merge, NULL, "fit: infrastructure and machines as one part",
		 .of = "method"},
		{0, "printed", FT_FIELD_FLAG, &e.printed, NULL,
		 "predict: two jobs by equation 12.3 as it is printed", .of = "method"},
		{0, "meter", FT_FIELD_TEXT, &e.meter, "NAME", "take only what this meter measured"},
		{0, "resolution", FT_FIELD_TEXT, &e.resolution, "WATTS", "resolution of the meter, as in 9W",
		 .of = "meter"},
		{0, "save", FT_FIELD_TEXT, &save, "M",
		 "keep the powers with machine M of the store, here: this one, for the energy of its runs"},
		{0, "keep", FT_FIELD_FLAG, &e.keep, NULL, NULL},
		{0, "machine", FT_FIELD_TEXT, &e.machine, "M", NULL},
		CLI_PRICE_OPTIONS(e.price, "price of energy, as in 0.30/kWh or 0.30EUR/kWh"),
		{0, "by", FT_FIELD_TEXT, &e.by, "KIND",
		 "share: divide what is drawn in common equally (default) or by cores; sweet-spot: parameter "
		 "of "
		 "NAME that is the number of cores"},
		{0, "serial", FT_FIELD_PART, &e.serial, "SHARE", NULL},
		{0, "waits", FT_FIELD_TEXT, &waits, "KIND", NULL},
		{0, "all", FT_FIELD_FLAG, &e.curve, NULL, "print every number of cores"},
		{'o', "output", FT_FIELD_TEXT, &e.output, "FILE",
		 "picture of power, time and energy, .svg, .png or .pdf"},
		CLI_DARK_OPTION(e.dark),
		CLI_ANSWER_OPTIONS(e.json, e.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	e.word = words.word + 1;
	e.words = words.n - 1;
	e.keep |= save != NULL;
	e.machine = save && strcmp(save, "here") != 0 ? save : e.machine;
	e.busy = !waits || !strcmp(waits, "busy");
	e.by_cores = e.by && !strcmp(e.by, "cores");
	if (!e.busy && strcmp(waits, "idle") != 0)
		status = cli_fail("--waits is busy or idle, not '%s'", waits);
	else if (e.by && !e.by_cores && strcmp(e.by, "equally") != 0 && words.action->act == cli_energy_share)
		status = cli_fail("--by is equally or cores, not '%s'", e.by);
	else if ((status = cli_price_read(&e.price, false)) == CLI_DONE)
		status = words.action->act(&e);
	return status;
}

const struct cli_command cli_energy = {
	"energy",
	"the power of machines from measured runs, and what jobs will cost",
	NULL,
	"RUNS.csv has the columns t_wall, t_job, n (cores), m (machines), energy_j; or t_wall, energy_j and "
	"t_NAME\n"
	"for each part. A job is wall seconds, seconds of them that all its n cores work, and n.\n",
	actions,
	run_energy,
};
