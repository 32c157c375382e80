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

/* ---- as rows ------------------------------------------------------------------------------------------ */

static bool is_calibrated(const void *told)
{
	return ((const struct cli_told_law *)told)->calibrated;
}

#define LAW struct cli_told_law
static const struct ft_tell_row calibration_rows[] = {
	{FT_TELL_AS("start", LAW, fit.start)},
	{FT_TELL_AS("scale", LAW, fit.scale)},
	{FT_TELL_AS("error", LAW, fit.error), .about = "one standard deviation of ln value",
	 .null = "one size tells nothing"},
	{FT_TELL_AS("sizes", LAW, fit.sizes)},
	{FT_TELL_AS("runs", LAW, fit.runs)},
	{FT_TELL_AS("fits", LAW, fit.fits), .about = "false: the law is not used"},
	{0},
};
static const struct ft_tell_record calibration = {.row = calibration_rows, .there = is_calibrated};

static const struct ft_tell_row law_rows[] = {
	{FT_TELL(LAW, resource)},
	{FT_TELL_BY(UNIT, "unit", LAW, resource)},
	{FT_TELL(LAW, law), .about = "an expression of the parameters, in SI units"},
	{FT_TELL_BY(RECORD, "calibration", LAW, resource), .of = &calibration,
	 .about = "value = start + scale * law, by runs", .null = "there are none"},
	{0},
};
static const struct ft_tell_record laws = {.bytes = sizeof(LAW), .row = law_rows};

#define REQUIREMENT struct cli_told_requirement
static const struct ft_tell_row requirement_rows[] = {
	{FT_TELL(REQUIREMENT, what), .words = "memory|processors|architecture|software"},
	{FT_TELL(REQUIREMENT, value)},
	{FT_TELL(REQUIREMENT, unmet), .about = "why this machine does not meet it",
	 .null = "it does, or that is not known"},
	{0},
};
static const struct ft_tell_record requirements = {.bytes = sizeof(REQUIREMENT), .row = requirement_rows};

static const struct ft_tell_row rows[] = {
	{FT_TELL_MANY(LIST, "laws", struct cli_told_knowledge, law, n_laws, &laws)},
	{FT_TELL_MANY(LIST, "requirements", struct cli_told_knowledge, requirement, n_requirements,
		      &requirements)},
	{0},
};
const struct ft_tell_record cli_knowledge_told = {.row = rows};

void cli_knowledge_find(const struct ft_knowledge *knowledge, struct ft_answerer *answerer,
			struct cli_told_knowledge *out)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};

	*out = (struct cli_told_knowledge){
		.law = cli_alloc(knowledge->n_stated * sizeof *out->law),
		.requirement = cli_alloc(knowledge->n_requirements * sizeof *out->requirement),
		.n_laws = knowledge->n_stated,
		.n_requirements = knowledge->n_requirements,
	};
	for (size_t i = 0; i < out->n_laws; i++) {
		LAW *law = &out->law[i];

		law->resource = knowledge->stated[i].resource;
		law->law = knowledge->stated[i].law;
		law->calibrated = answerer && !ft_ask_calibrate(answerer, law->resource, &law->fit, NULL);
	}
	if (out->n_requirements)
		(void)ft_machine_read("", &here, NULL);
	for (size_t i = 0; i < out->n_requirements; i++) {
		const struct ft_requirement *asked = &knowledge->requirement[i];
		REQUIREMENT *told = &out->requirement[i];

		told->what = ft_requirement_text(asked->kind);
		told->value = asked->value;
		told->unmet = ft_requirement_unmet(asked, &here, true, told->why, sizeof told->why)
				      ? told->why
				      : NULL;
	}
}

void cli_knowledge_clear(struct cli_told_knowledge *told)
{
	free(told->law);
	free(told->requirement);
	*told = (struct cli_told_knowledge){0};
}

/* ---- as text ------------------------------------------------------------------------------------------ */

void cli_print_knowledge(const struct cli_told_knowledge *told, FILE *file)
{
	for (size_t i = 0; i < told->n_laws; i++) {
		const LAW *law = &told->law[i];
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
