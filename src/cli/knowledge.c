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

/* The law as it was set to the runs, in words; ends with free. */
static char *calibration_text(const struct ft_calibrated_law *c, const char *unit)
{
	char start[FT_UNIT_LENGTH], error[FT_UNIT_LENGTH];
	bool tiny = c->error < 0.001;

	if (c->sizes == 1)
		return cli_printed("times %.3g by runs of one size", c->scale);
	char *line = cli_printed("times %.3g%s%s by runs of %zu sizes, errs by %s%s", c->scale,
				 c->start > 0 ? ", and " : "",
				 c->start > 0 ? ft_value_format(c->start, unit, start) : "", c->sizes,
				 tiny ? "less than " : "", ft_share_format(tiny ? 0.001 : c->error, error));
	if (!c->fits) {
		cli_reprint(&line, "%s: it does not fit, and is not used", line);
	}
	return line;
}

/* ---- as text ------------------------------------------------------------------------------------------ */

void cli_print_knowledge(const struct ft_told_knowledge *told, FILE *file)
{
	for (size_t i = 0; i < told->n_laws; i++) {
		const struct ft_told_stated *law = &told->law[i];
		char *text = law->calibrated ? calibration_text(&law->fit, law->resource->unit) : NULL;

		fprintf(file, "stated     %s = %s%s%s%s\n", law->resource->name, law->law, text ? " (" : "",
			text ? text : "", text ? ")" : "");
		free(text);
	}
	for (size_t i = 0; i < told->n_requirements; i++)
		fprintf(file, "requires   %s %s%s%s\n", told->requirement[i].what, told->requirement[i].value,
			told->requirement[i].unmet ? ": NOT MET, " : "",
			told->requirement[i].unmet ? told->requirement[i].unmet : "");
}

void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here)
{
	struct ft_machine read = {0};
	char why[WHY_LENGTH];

	if (!knowledge->n_requirements)
		return;
	if (here && !ft_machine_read("", &read, NULL))
		machine = &read;
	for (size_t i = 0; i < knowledge->n_requirements; i++)
		if (ft_requirement_unmet(&knowledge->requirement[i], machine, here, why, sizeof why))
			cli_note("%s", why);
	ft_machine_clear(&read);
}
