/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - text of machines, sizes, ages and runs. */
#include "cli/cli.h"
#include "cli/machine/machine.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/measure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- machines ----------------------------------------------------------------------------------------- */

char *cli_machine_text(const struct ft_machine *machine)
{
	const char *host = machine->host ? machine->host : machine->fingerprint;
	const char *cpu = machine->cpu ? machine->cpu : "";

	if (!machine->cpu && !machine->cores)
		return cli_strdup(host ? host : "unknown");
	return cli_printed("%s (%s%s%d core%s)", host ? host : "unknown", cpu, *cpu ? ", " : "",
			   machine->cores, machine->cores == 1 ? "" : "s");
}

/* A count that stands in a note; 0: none does. */
static int64_t note_number(const struct ft_csv *csv, const char *key)
{
	const char *note = ft_csv_note(csv, key);
	double value;

	return note && !ft_number_parse(note, &value, NULL) && value >= 0 && value < 9e15 ? (int64_t)value
											  : 0;
}

void cli_machine_named(const char *name, struct ft_machine *machine)
{
	if (ft_machine_named(name, machine, NULL))
		(void)cli_given(NULL);
}

int cli_machine_of_table(const struct ft_csv *csv, bool here, struct ft_machine *machine)
{
	struct ft_machine noted = {0};
	struct ft_err err = {0};
	const char *fingerprint = NULL;

	*machine = (struct ft_machine){0};
	if (ft_machine_read("", machine, &err) && here)
		return cli_error(&err);
	if (here)
		return CLI_DONE;
	fingerprint = ft_csv_note(csv, "machine");
	if (fingerprint) {
		noted.fingerprint = cli_strdup(fingerprint);
		noted.host = cli_strdup(ft_csv_note(csv, "host"));
		noted.cpu = cli_strdup(ft_csv_note(csv, "cpu"));
		noted.architecture = cli_strdup(ft_csv_note(csv, "architecture"));
		noted.cores = (int)note_number(csv, "cores");
		noted.threads = (int)note_number(csv, "threads");
		noted.memory_bytes = note_number(csv, "memory_bytes");
	} else {
		noted.fingerprint = cli_strdup("0000000000000000");
		noted.host = cli_strdup("elsewhere");
	}
	if (machine->fingerprint && noted.fingerprint && !strcmp(machine->fingerprint, noted.fingerprint)) {
		ft_machine_clear(&noted);
		return CLI_DONE;
	}
	ft_machine_clear(machine);
	*machine = noted;
	return CLI_DONE;
}

/* ---- units, sizes ------------------------------------------------------------------------------------- */

void cli_size_heads(struct cli_table *table, const struct ft_program *program)
{
	char head[FT_PARAM_LENGTH + 1];

	for (size_t i = 0; i < program->n_params; i++) {
		(void)snprintf(head, sizeof head, ">%s", program->param[i].name);
		cli_table_head(table, head);
	}
}

void cli_size_cells(struct cli_table *table, const struct ft_size *size)
{
	char digits[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < size->n; i++)
		cli_table_add(table, "%s", ft_number_format(size->value[i], digits));
}

void cli_print_param(const struct ft_param *param, bool steps, FILE *file)
{
	char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH], step[FT_NUMBER_LENGTH];

	fprintf(file, "parameter  %s", param->name);
	for (size_t i = 0; i < param->n_list; i++)
		fprintf(file, "%s%s", i ? ", " : " = ", ft_number_format(param->list[i], least));
	if (!param->n_list && (param->least != 0 || param->most != 0)) /* else it is not known */
		fprintf(file, " = %s", ft_number_format(param->least, least));
	if (!param->n_list && param->most > param->least) {
		fprintf(file, " .. %s", ft_number_format(param->most, most));
		if (param->factor > 0)
			fprintf(file, ", factor %s", ft_number_format(param->factor, step));
		else if (steps)
			fprintf(file, ", stride %s", ft_number_format(param->stride, step));
	}
	fputc('\n', file);
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

char *cli_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail)
{
	return cli_given(ft_tell_failure_text(outcome, run, detail));
}

/*
 * The price of energy or time, parsed and printed.
 */

static const double J_PER_KWH = 3.6e6;

/* "0.30EUR/kWh": the number, what stands before the stroke, and what stands behind it, as one of these: "1kWh". */
static bool read_parts(const char *text, double *value, char word[FT_TELL_CURRENCY],
		       char unit[FT_TELL_CURRENCY])
{
	const char *stroke = strchr(text, '/'), *at;
	char *end;

	*value = strtod(text, &end);
	if (!stroke || end == text || end > stroke || !isfinite(*value) || !(*value > 0))
		return false;
	for (at = end; at < stroke && isspace((unsigned char)*at); at++)
		;
	if (stroke - at >= FT_TELL_CURRENCY ||
	    snprintf(unit, FT_TELL_CURRENCY, "1%s", stroke + 1) >= FT_TELL_CURRENCY ||
	    !isalpha((unsigned char)unit[1]))
		return false;
	(void)snprintf(word, FT_TELL_CURRENCY, "%.*s", (int)(stroke - at), at);
	return true;
}

/* The same of a kWh. */
static bool read_ratio(const char *text, double *value, char word[FT_TELL_CURRENCY])
{
	char unit[FT_TELL_CURRENCY];
	double joules, price;

	if (!read_parts(text, &price, word, unit) || ft_value_parse(unit, "J", &joules, NULL) ||
	    !(joules > 0))
		return false;
	*value = price * J_PER_KWH / joules;
	return true;
}

bool cli_price_of_time(const char *text, struct ft_answer_price *answer)
{
	static const char core[] = "1core-";
	char unit[FT_TELL_CURRENCY];
	double value, seconds;

	if (!read_parts(text, &value, answer->currency, unit))
		return false;
	const bool cores = !strncmp(unit, core, sizeof core - 1);
	if (cores)
		memmove(unit + 1, unit + sizeof core - 1, strlen(unit + sizeof core - 1) + 1);
	if (!isalpha((unsigned char)unit[1]) || ft_duration_parse(unit, &seconds, NULL) || !(seconds > 0))
		return false;
	*(cores ? &answer->per_core_hour : &answer->per_hour) = 3600 * value / seconds;
	return true;
}

/* As many cores as a request has at that size. */
double cli_price_cost(const struct ft_answer_price *price, struct ft_answerer *answerer,
		      const struct ft_size *size, double seconds)
{
	struct ft_request request = {.cpus = NAN};

	if (price->per_core_hour > 0 && ft_ask_request(answerer, size, 0.05, &request, NULL))
		return NAN;
	return ft_tell_cost_of_time(price, seconds, ft_tell_cpus(request.cpus));
}

static int wrong_price(const char *option, const char *text, const char *example)
{
	return cli_fail("%s'%s' is not a price or a power\nhint: write %s%s", option, text, option, example);
}

int cli_price_read(struct cli_price *price, bool time)
{
	static const struct {
		const char *unit;
		double grams;
	} masses[] = {{"g", 1}, {"kg", 1e3}, {"t", 1e6}, {"mg", 1e-3}};
	struct ft_answer_price *answer = &price->answer;
	char unit[FT_TELL_CURRENCY];
	size_t i, n = sizeof masses / sizeof *masses;

	*answer = (struct ft_answer_price){
		.per_kwh = NAN, .co2_g_per_kwh = NAN, .per_hour = NAN, .per_core_hour = NAN};
	if (price->price && !read_ratio(price->price, &answer->per_kwh, answer->currency) &&
	    !(time && cli_price_of_time(price->price, answer)))
		return wrong_price("--price ", price->price,
				   time ? "0.30/kWh, 0.10EUR/h, or 0.02/core-h" : "0.30/kWh, or 0.30EUR/kWh");
	if (!price->co2)
		return CLI_DONE;
	if (!read_ratio(price->co2, &answer->co2_g_per_kwh, unit))
		return wrong_price("--price co2=", price->co2, "400g/kWh");
	for (i = 0; i < n && strcmp(masses[i].unit, unit) != 0; i++)
		;
	if (i == n)
		return wrong_price("--price co2=", price->co2, "400g/kWh");
	answer->co2_g_per_kwh *= masses[i].grams;
	return CLI_DONE;
}

char *cli_price_text(const struct cli_price *price, double joules)
{
	struct ft_answer_cost cost = ft_tell_cost_of(&price->answer, joules);
	CLI_OWN char *money = isnan(cost.cost)
				      ? cli_strdup("")
				      : cli_printed("%.3g%s%s", cost.cost, *price->answer.currency ? " " : "",
						    price->answer.currency);
	char mass[FT_UNIT_LENGTH], *text;

	text = cli_printed("%s%s%s%s", money, *money && !isnan(cost.co2_g) ? ", " : "",
			   isnan(cost.co2_g) ? "" : ft_value_format(cost.co2_g, "g", mass),
			   isnan(cost.co2_g) ? "" : " of CO2");
	return text;
}

/*
 * The newest calibration of a machine.
 */

/* Values of one calibration follow each other without a break as long as this. */
static const int64_t apart_ns = 10 * INT64_C(1000000000);

static int compare_moments(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

	return (p > q) - (p < q);
}

int cli_calibration_newest(struct ft_store *store, int64_t machine, struct cli_period *out)
{
	const struct ft_micro *micro;
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	size_t n = 0;

	*out = (struct cli_period){INT64_MIN, INT64_MAX};
	for (size_t i = 0; (micro = ft_micro_get(i)); i++)
		CLI_TRY(cli_micro_samples(store, micro, machine, &runs));
	CLI_OWN int64_t *at = cli_alloc((runs.n + 1) * sizeof *at);
	for (size_t i = 0; i < runs.n; i++)
		if (runs.run[i].started_ns)
			at[n++] = runs.run[i].started_ns;
	qsort(at, n, sizeof *at, compare_moments);
	if (!n)
		return CLI_DONE;
	*out = (struct cli_period){at[n - 1], at[n - 1]};
	while (--n > 0 && out->from_ns - at[n - 1] <= apart_ns)
		out->from_ns = at[n - 1];
	return CLI_DONE;
}

void cli_period_of_runs(const struct cli_period *period, struct ft_runs *runs)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		int64_t at = runs->run[i].started_ns;

		if (!at || (period->from_ns <= at && at <= period->to_ns))
			runs->run[n++] = runs->run[i];
		else
			ft_run_clear(&runs->run[i]);
	}
	runs->n = n;
}

/*
 * The drivers of this machine's devices.
 */

char *cli_driver_named(const char *device)
{
	static struct ft_hardware hardware;
	static bool read;
	bool failed = false;

	if (!device || !(!strncmp(device, "opencl:", 7) || !strncmp(device, "nvidia:", 7) ||
			 !strcmp(device, ft_hardware_kind_text(FT_HARDWARE_GPU)) ||
			 !strcmp(device, ft_hardware_kind_text(FT_HARDWARE_ACCELERATOR))))
		return NULL;
	if (!read && ft_hardware_read(&hardware, NULL))
		return NULL;
	read = true;
	char *driver = ft_hardware_driver(&hardware, device, &failed);
	return failed ? cli_given(NULL) : driver;
}

char *cli_driver_now(void *ctx, const struct ft_program *program)
{
	(void)ctx;
	return cli_driver_named(program->device);
}

int cli_micro_samples(struct ft_store *store, const struct ft_micro *micro, int64_t machine,
		      struct ft_runs *runs)
{
	FT_CLEANUP(ft_program_clear) struct ft_program program = {0};
	struct ft_err err = {0};
	CLI_OWN char *name = cli_micro_program(micro);
	enum ft_status status = ft_store_get_program(store, name, &program, &err);
	bool ours = !status && program.hash && !strcmp(program.hash, ft_calibration_version());

	if (ours)
		status = ft_store_get_runs(store, program.id, machine, runs, &err);
	return status && status != FT_ENOENT ? cli_error(&err) : CLI_DONE;
}

char *cli_micro_program(const struct ft_micro *micro)
{
	return cli_printed("%s%s", FT_CALIBRATION_PREFIX, micro->name);
}
