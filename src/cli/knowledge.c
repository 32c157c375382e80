/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.c - what an expert said of a program, printed; and requirements checked. */
#include "cli/knowledge.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/measure.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>

enum { WHY_LENGTH = 256 };

/* How a law agrees with the runs; false when there is none to agree with. */
static bool calibrate(struct ft_answerer *answerer, const char *resource, struct ft_calibrated_law *out)
{
	return answerer && ft_ask_calibrate(answerer, resource, out, NULL) == FT_OK;
}

/* The law as it was set to the runs, in words; ends with free. */
static char *calibration_text(const struct ft_calibrated_law *c, const char *unit)
{
	char start[FT_UNIT_LENGTH], error[FT_UNIT_LENGTH];
	bool tiny = c->error < 0.001;
	char *line;

	if (c->sizes == 1)
		return cli_printed("times %.3g by runs of one size", c->scale);
	line = cli_printed("times %.3g%s%s by runs of %zu sizes, errs by %s%s", c->scale,
			   c->start > 0 ? ", and " : "",
			   c->start > 0 ? ft_value_format(c->start, unit, start) : "", c->sizes,
			   tiny ? "less than " : "", ft_share_format(tiny ? 0.001 : c->error, error));
	if (!c->fits) {
		char *longer = cli_printed("%s: it does not fit, and is not used", line);

		free(line);
		line = longer;
	}
	return line;
}

static json_t *json_of_law(const struct ft_stated *stated, struct ft_answerer *answerer)
{
	json_t *object = cli_json_object(), *fit;
	struct ft_calibrated_law c;

	cli_json_set(object, "resource", cli_json_text(stated->resource));
	cli_json_set(object, "unit", cli_json_text(cli_unit(stated->resource)));
	cli_json_set(object, "law", cli_json_text(stated->law));
	if (!calibrate(answerer, stated->resource, &c)) {
		cli_json_set(object, "calibration", json_null());
		return object;
	}
	fit = cli_json_object();
	cli_json_set(fit, "start", cli_json_number(c.start));
	cli_json_set(fit, "scale", cli_json_number(c.scale));
	cli_json_set(fit, "error", cli_json_number(c.error));
	cli_json_set(fit, "sizes", cli_json_number((double)c.sizes));
	cli_json_set(fit, "runs", cli_json_number((double)c.runs));
	cli_json_set(fit, "fits", cli_json_bool(c.fits));
	cli_json_set(object, "calibration", fit);
	return object;
}

void cli_json_set_knowledge(json_t *object, const struct ft_knowledge *knowledge,
			    struct ft_answerer *answerer)
{
	json_t *laws = cli_json_array(), *requirements = cli_json_array();
	struct ft_machine here = {0};
	char why[WHY_LENGTH];
	size_t i;

	for (i = 0; i < knowledge->n_stated; i++)
		cli_json_append(laws, json_of_law(&knowledge->stated[i], answerer));
	if (knowledge->n_requirements)
		(void)ft_machine_read("", &here, NULL);
	for (i = 0; i < knowledge->n_requirements; i++) {
		const struct ft_requirement *r = &knowledge->requirement[i];
		json_t *row = cli_json_object();

		cli_json_set(row, "what", cli_json_text(ft_requirement_text(r->kind)));
		cli_json_set(row, "value", cli_json_text(r->value));
		cli_json_set(
			row, "unmet",
			cli_json_text(ft_requirement_unmet(r, &here, true, why, sizeof why) ? why : NULL));
		cli_json_append(requirements, row);
	}
	ft_machine_clear(&here);
	cli_json_set(object, "laws", laws);
	cli_json_set(object, "requirements", requirements);
}

void cli_print_knowledge(const struct ft_knowledge *knowledge, struct ft_answerer *answerer, FILE *file)
{
	struct ft_machine here = {0};
	char why[WHY_LENGTH];
	size_t i;

	for (i = 0; i < knowledge->n_stated; i++) {
		const struct ft_stated *stated = &knowledge->stated[i];
		struct ft_calibrated_law c;
		char *text = calibrate(answerer, stated->resource, &c)
				     ? calibration_text(&c, cli_unit(stated->resource))
				     : NULL;

		fprintf(file, "stated     %s = %s%s%s%s\n", stated->resource, stated->law, text ? " (" : "",
			text ? text : "", text ? ")" : "");
		free(text);
	}
	if (knowledge->n_requirements)
		(void)ft_machine_read("", &here, NULL);
	for (i = 0; i < knowledge->n_requirements; i++) {
		const struct ft_requirement *r = &knowledge->requirement[i];
		bool unmet = ft_requirement_unmet(r, &here, true, why, sizeof why);

		fprintf(file, "requires   %s %s%s%s\n", ft_requirement_text(r->kind), r->value,
			unmet ? ": NOT MET, " : "", unmet ? why : "");
	}
	ft_machine_clear(&here);
}

void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here)
{
	struct ft_machine read = {0};
	char why[WHY_LENGTH];
	size_t i;

	if (!knowledge->n_requirements)
		return;
	if (here && !ft_machine_read("", &read, NULL))
		machine = &read;
	for (i = 0; i < knowledge->n_requirements; i++)
		if (ft_requirement_unmet(&knowledge->requirement[i], machine, here, why, sizeof why))
			cli_note("%s", why);
	ft_machine_clear(&read);
}
