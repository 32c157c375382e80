/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - `foretime energy fit`: the power of each part of machines, from measured runs. */
#include "cli/energy/energy.h"
#include "foretime/units.h"

#include <math.h>

static void print_parts(const struct ft_energy_fit *fit)
{
	const struct ft_power *power = &fit->power;
	struct cli_table table = {0};
	size_t i;

	cli_table_head(&table, "part");
	cli_table_head(&table, ">watts");
	cli_table_head(&table, ">+-");
	for (i = 0; i < power->parts; i++) {
		cli_table_add(&table, "%s", power->part[i]);
		cli_table_add(&table, "%.2f", power->watts[i]);
		if (isnan(fit->interval_w[i]))
			cli_table_add(&table, "unknown");
		else
			cli_table_add(&table, "%.2f", fit->interval_w[i]);
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static void print_judgement(const struct cli_energy *e, const struct ft_energy_runs *runs,
			    const struct ft_energy_fit *fit, double resolution_w)
{
	size_t i;

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
	for (i = 0; i < fit->n; i++)
		if (fit->left_out[i])
			printf("left out: line %zu, %.4g W measured where the others say %.4g W\n",
			       runs->line[i], runs->energy_j[i] / runs->wall_s[i], fit->power_w[i]);
	if (fit->negative)
		printf("%zu power%s below 0, which no part has: the runs do not tell these parts apart; "
		       "measure runs "
		       "that use them\nmore differently\n",
		       fit->negative, fit->negative == 1 ? " is" : "s are");
	if (!isnan(runs->machines) && !e->merge)
		printf("every run used %g machine%s: the power of one machine cannot be told from the "
		       "infrastructure's\n",
		       runs->machines, runs->machines == 1 ? "" : "s");
}

void cli_energy_json_fit(json_t *object, const struct ft_energy_fit *fit)
{
	const struct ft_power *power = &fit->power;
	json_t *parts = cli_json_array(), *rows = cli_json_array();
	size_t i, j, k = power->parts;

	for (i = 0; i < k; i++) {
		json_t *part = cli_json_object(), *row = cli_json_array();

		cli_json_set(part, "part", cli_json_text(power->part[i]));
		cli_json_set(part, "watts", cli_json_number(power->watts[i]));
		cli_json_set(part, "interval_w", cli_json_number(fit->interval_w[i]));
		cli_json_append(parts, part);
		for (j = 0; j < k; j++)
			cli_json_append(row, cli_json_number(power->covariance[i * k + j]));
		cli_json_append(rows, row);
	}
	cli_json_set(object, "parts", parts);
	cli_json_set(object, "covariance", rows);
	cli_json_set(object, "noise_w", cli_json_number(power->noise_w));
	cli_json_set(object, "freedom", cli_json_number(power->freedom > 0 ? power->freedom : (double)NAN));
}

static void print_json(const struct ft_energy_runs *runs, const struct ft_energy_fit *fit, double confidence)
{
	json_t *object = cli_json_new("energy"), *left = cli_json_array();
	size_t i;

	cli_json_set(object, "action", cli_json_text("fit"));
	cli_energy_json_fit(object, fit);
	cli_json_set(object, "confidence", cli_json_number(confidence));
	cli_json_set(object, "runs", cli_json_number((double)fit->n));
	cli_json_set(object, "merged", cli_json_bool(runs->merged));
	cli_json_set(object, "r2", cli_json_number(fit->r2));
	cli_json_set(object, "f_ratio", cli_json_number(fit->f_ratio));
	cli_json_set(object, "f_p", cli_json_number(fit->f_p));
	cli_json_set(object, "t_p", cli_json_number(fit->t_p));
	cli_json_set(object, "difference_w", cli_json_number(fit->difference_w));
	cli_json_set(object, "tested", cli_json_text(fit->of_peaks ? "peak" : "mean"));
	for (i = 0; i < fit->n; i++)
		if (fit->left_out[i])
			cli_json_append(left, cli_json_number((double)runs->line[i]));
	cli_json_set(object, "left_out_lines", left);
	cli_json_print(object, stdout);
}

int cli_energy_fit(void *asked)
{
	struct cli_energy *e = asked;
	struct ft_energy_fit_options options = {.plain = e->plain, .confidence = e->confidence};
	struct ft_energy_runs runs;
	struct ft_energy_fit fit;
	struct ft_err err = {0};

	if (e->resolution && ft_value_parse(e->resolution, "W", &options.resolution_w, &err))
		return cli_error_at(&err, "--resolution");
	if (ft_energy_runs_read(&runs, e->word[0], e->merge, e->meter, &err))
		return cli_error(&err);
	if (ft_energy_fit(&fit, &runs, &options, &err)) {
		ft_energy_runs_clear(&runs);
		return cli_error(&err);
	}
	if (e->json) {
		print_json(&runs, &fit, e->confidence);
	} else {
		print_parts(&fit);
		print_judgement(e, &runs, &fit, options.resolution_w);
	}
	ft_energy_fit_clear(&fit);
	ft_energy_runs_clear(&runs);
	return CLI_DONE;
}
