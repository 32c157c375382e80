/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - `foretime energy fit`: the power of each part of machines, from measured runs. */
#include "cli/energy/energy.h"
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/machine/machine.h"
#include "cli/powers.h"
#include "foretime/measure.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

struct energy_fit_told {
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

#define TOLD struct energy_fit_told
static const struct ft_tell_row rows[] = {
	{FT_TELL_MANY(ARRAY, "parts", TOLD, part, fit.power.parts, &parts)},
	{FT_TELL_MANY(ARRAY, "covariance", TOLD, part, fit.power.parts, &covariance),
	 .about = "of the watts, W^2"},
	{FT_TELL_AS("noise_w", TOLD, fit.power.noise_w),
	 .about = "of the mean power of one run about the model", .null = "not known"},
	{FT_TELL(TOLD, freedom), .whole = true, .about = "degrees of freedom: runs used, less parts",
	 .null = "there are none"},
	{FT_TELL(TOLD, confidence)},
	{FT_TELL_AS("runs", TOLD, fit.n)},
	{FT_TELL(TOLD, merged)},
	{FT_TELL_AS("r2", TOLD, fit.r2), .null = "not known"},
	{FT_TELL_AS("f_ratio", TOLD, fit.f_ratio), .about = "variances of modelled and measured power",
	 .null = "one part"},
	{FT_TELL_AS("f_p", TOLD, fit.f_p), .about = "how probable such a ratio is when they are equal",
	 .null = "one part"},
	{FT_TELL_AS("t_p", TOLD, fit.t_p), .about = "paired t test", .null = "no resolution of the meter"},
	{FT_TELL_AS("difference_w", TOLD, fit.difference_w), .about = "mean absolute difference", .null = ""},
	{FT_TELL(TOLD, tested), .words = "peak|mean"},
	{FT_TELL_MANY(LIST, "left_out_lines", TOLD, line, n, &lines), .about = "of a table of runs"},
	{FT_TELL_MANY(LIST, "users", TOLD, user, n_users, &users), .about = "of jobs that sacct printed"},
	{0},
};
const struct ft_tell_record cli_energy_fit_told = {
	.name = "energy", .action = "fit", .version = 1, .row = rows};

static TOLD fit_told(const struct ft_energy_runs *runs, const struct ft_energy_fit *fit, double confidence)
{
	TOLD told = {
		.fit = *fit,
		.freedom = fit->power.freedom > 0 ? fit->power.freedom : (double)NAN,
		.confidence = confidence,
		.merged = runs->merged,
		.tested = fit->of_peaks ? "peak" : "mean",
		.line = cli_alloc(fit->n * sizeof *told.line),
	};
	size_t i, k = fit->power.parts;

	for (i = 0; i < k; i++)
		told.part[i] = (struct energy_part){fit->power.part[i], fit->power.watts[i],
						    fit->interval_w[i], fit->power.covariance + i * k, k};
	for (i = 0; i < fit->n; i++)
		if (fit->left_out[i])
			told.line[told.n++] = runs->line[i];
	return told;
}

static void print_judgement(const struct cli_energy *e, const struct ft_energy_runs *runs,
			    const struct ft_energy_fit *fit, double resolution_w, bool sacct)
{
	printf("\nR^2 %.4f of the energies of %zu runs", fit->r2, fit->n - fit->n_left_out);
	if (!isnan(fit->power.noise_w))
		printf("; the mean power of a run lies %.3g W about the model", fit->power.noise_w);
	putchar('\n');
	if (!isnan(fit->f_ratio))
		printf("F test on the %s power: ratio of variances %.3f, p = %.2f: %s\n",
		       fit->of_peaks ? "peak" : "mean", fit->f_ratio, fit->f_p,
		       fit->f_p < 0.05 ? "they differ" : "no difference to be seen");
	if (resolution_w > 0)
		printf("paired t test: mean difference %.3g W, the meter's resolution %.3g W, p = %.2f: %s\n",
		       fit->difference_w, resolution_w, fit->t_p,
		       fit->t_p < 0.05 ? "more than the meter explains" : "the meter explains it");
	for (size_t i = 0; i < fit->n && !sacct; i++)
		if (fit->left_out[i])
			printf("left out: line %zu, %.4g W measured, %.4g W predicted from the other runs\n",
			       runs->line[i], runs->energy_j[i] / runs->wall_s[i], fit->power_w[i]);
	if (fit->negative)
		printf("%zu power%s below 0, which no part has: the runs do not distinguish these parts; "
		       "measure runs that use them\nmore differently\n",
		       fit->negative, fit->negative == 1 ? " is" : "s are");
	if (!isnan(runs->machines) && !e->merge)
		printf("every run used %g machine%s: the power of one machine cannot be separated from the "
		       "infrastructure's\n",
		       runs->machines, runs->machines == 1 ? "" : "s");
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
	TOLD told = fit_told(runs, fit, e->confidence);

	cli_accounts_divide(accounts, runs, fit);
	if (sacct)
		told.n = 0; /* jobs have no lines: each user's are counted */
	told.user = accounts->user;
	told.n_users = accounts->n_users;
	if (e->json) {
		cli_tell(&cli_energy_fit_told, &told, NULL);
	} else {
		cli_tell_table(&parts, told.part, fit->power.parts, NULL);
		print_judgement(e, runs, fit, resolution_w, sacct);
	}
	if (!e->json && told.n_users) {
		putchar('\n');
		cli_tell_table(&users, told.user, told.n_users, NULL);
	}
	if (e->keep)
		status = keep_powers(e, cli_tell_json(&cli_energy_fit_told, &told, NULL), fit);
	free(told.line);
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

static int read_input(struct cli_table_of_runs *table)
{
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

static int recognise_table(struct cli_table_of_runs *table)
{
	char head[BUFSIZ];
	FILE *file;

	if (!strcmp(table->path, "-"))
		return read_input(table);
	file = fopen(table->path, "re");
	if (!file) /* reading it says why */
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

int cli_energy_fit(void *asked)
{
	struct cli_energy *e = asked;
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
