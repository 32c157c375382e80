/* SPDX-License-Identifier: GPL-3.0-or-later */
/* powers.c - powers of machines, from a fit's output, the command line, or a store. */
#include "cli/cli.h"
#include "cli/energy/energy.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/measure.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "infr=161.08,machine=100.77,core=11.56" */
int cli_powers_typed(struct ft_power *power, const char *option, const char *text)
{
	char *copy = cli_strdup(text), *rest = copy, *word;
	struct ft_err err = {0};
	int status = CLI_DONE;

	while (status == CLI_DONE && (word = strsep(&rest, ","))) {
		char *value = strchr(word, '=');

		if (!value || value == word || strlen(word) - strlen(value) >= FT_POWER_NAME ||
		    power->parts == FT_POWER_PARTS) {
			status = cli_fail("%s: '%s' is not PART=WATTS\n"
					  "hint: write %s infr=161.08,machine=100.77,core=11.56",
					  option, word, option);
			break;
		}
		*value++ = 0;
		(void)snprintf(power->part[power->parts], FT_POWER_NAME, "%s", word);
		if (ft_value_parse(value, "W", &power->watts[power->parts++], &err))
			status = cli_error_at(&err, "%s %s", option, word);
		else if (power->watts[power->parts - 1] < 0)
			status = cli_fail("%s %s: a part draws no power below 0", option, word);
	}
	free(copy);
	return status;
}

static bool read_number(const json_t *object, const char *key, double *out)
{
	const json_t *value = json_object_get(object, key);

	*out = json_number_value(value);
	return json_is_number(value) && isfinite(*out);
}

static bool read_object(struct ft_power *power, const json_t *root)
{
	const json_t *parts = json_object_get(root, "parts"), *rows = json_object_get(root, "covariance");
	size_t i, j, k = json_array_size(parts);

	if (!json_is_array(parts) || !k || k > FT_POWER_PARTS)
		return false;
	power->parts = k;
	for (i = 0; i < k; i++) {
		const json_t *part = json_array_get(parts, i);
		const char *name = json_string_value(json_object_get(part, "part"));

		if (!name || strlen(name) >= FT_POWER_NAME || !read_number(part, "watts", &power->watts[i]))
			return false;
		(void)snprintf(power->part[i], sizeof power->part[i], "%s", name);
	}
	if (!read_number(root, "noise_w", &power->noise_w) ||
	    !read_number(root, "freedom", &power->freedom)) {
		power->noise_w = power->freedom = 0; /* as many runs as parts: no interval */
		return true;
	}
	for (i = 0; i < k; i++)
		for (j = 0; j < k; j++) {
			const json_t *value = json_array_get(json_array_get(rows, i), j);

			if (!json_is_number(value))
				return false;
			power->covariance[i * k + j] = json_number_value(value);
		}
	return true;
}

int cli_powers_file(struct ft_power *power, const char *path)
{
	struct ft_err err = {0};
	json_t *root;
	enum ft_status status = ft_tell_read_json(path, &root, &err);
	bool good = !status && read_object(power, root);

	if (!status && !good)
		(void)cli_fail("'%s' is not what foretime energy fit --json prints", path);
	else if (status)
		(void)cli_fail("%s", err.text);
	if (!good)
		cli_hint("make it with: foretime energy fit RUNS.csv --json > model.json");
	json_decref(root);
	return good ? CLI_DONE : CLI_WRONG;
}

/* ---- stored
   ---------------------------------------------------------------------------------------------- */

static char *key_of(const char *fingerprint)
{
	return cli_printed("powers %s", fingerprint);
}

int cli_powers_keep(struct ft_store *store, const char *fingerprint, json_t *fit)
{
	CLI_OWN char *key = key_of(fingerprint), *text = cli_given(json_dumps(fit, JSON_COMPACT));
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_store_put_known(store, key, text, &err))
		status = cli_error(&err);
	json_decref(fit);
	return status;
}

bool cli_powers_kept(struct ft_store *store, const char *fingerprint, struct ft_power *power, size_t *runs)
{
	CLI_OWN char *key = key_of(fingerprint), *text = NULL;
	json_t *root = ft_store_get_known(store, key, &text, NULL) ? NULL : json_loads(text, 0, NULL);
	bool good = root && read_object(power, root);

	*runs = good ? (size_t)json_integer_value(json_object_get(root, "runs")) : 0;
	json_decref(root);
	return good;
}

/* ---- of the devices of a program ---------------------------------------------------------------------- */

/* "gpu:infr=60,device=150": how long the name of a device is that stands before powers; 0: they are of all.
 */
static size_t device_before(const char *text)
{
	size_t length = strcspn(text, "=");

	while (length && text[length - 1] != ':')
		length--;
	if (length < 2)
		return 0;
	CLI_OWN char *device = cli_printed("%.*s", (int)(length - 1), text);
	bool names = !ft_program_device_fault(device);
	return names ? length - 1 : 0;
}

static bool is_before(const char *text, const char *device)
{
	size_t length = device_before(text);

	return length && strlen(device) == length && !strncmp(text, device, length);
}

/* The powers stated for a device, for it alone or for all; NULL: none. */
static const char *stated_of(const struct ft_field_texts *stated, const char *device)
{
	const char *of_all = NULL;

	for (size_t i = 0; i < stated->n; i++) {
		if (is_before(stated->text[i], device))
			return stated->text[i] + strlen(device) + 1;
		if (!device_before(stated->text[i]))
			of_all = stated->text[i];
	}
	return of_all;
}

bool cli_powers_of(struct cli_device_powers *powers, const char *device, const char *fingerprint,
		   struct ft_power *out)
{
	const char *text = stated_of(powers->stated, device ? device : "");
	size_t runs;
	int status = CLI_DONE;

	*out = (struct ft_power){0};
	if (!text)
		return fingerprint && cli_powers_kept(powers->store, fingerprint, out, &runs);
	status = strchr(text, '=') ? cli_powers_typed(out, "--powers", text) : cli_powers_file(out, text);
	if (status != CLI_DONE)
		powers->status = status;
	return status == CLI_DONE;
}

bool cli_powers_answer(void *ctx, struct ft_answerer *answerer, struct ft_power *out)
{
	return cli_powers_of(ctx, ft_ask_program(answerer)->device, ft_ask_machine(answerer)->fingerprint,
			     out);
}

int cli_powers_check(const struct ft_field_texts *stated, const char *const *device, size_t n)
{
	size_t k;

	for (size_t i = 0; i < stated->n; i++) {
		for (k = 0; k < n && !is_before(stated->text[i], device[k]); k++)
			;
		if (k < n || !device_before(stated->text[i]))
			continue;
		(void)cli_fail("--powers '%s': there is no device '%.*s'", stated->text[i],
			       (int)device_before(stated->text[i]), stated->text[i]);
		for (k = 0; k < n; k++)
			cli_hint("a device is '%s'", device[k]);
		return CLI_WRONG;
	}
	return CLI_DONE;
}

int cli_energy_power(struct cli_energy *e)
{
	if (e->model)
		return cli_powers_file(&e->power, e->model);
	if (e->watts)
		return cli_powers_typed(&e->power, "--powers", e->watts);
	return cli_fail("of which machine? no powers are given\n"
			"hint: --model FILE.json as foretime energy fit --json prints it, or --powers "
			"infr=161,machine=101,core=12");
}
