/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power.c - the energy of runs whose energy nobody measured: by the powers of their machine. */
#include "ask/ask.h"

#include <math.h>
#include <string.h>

void ft_ask_powers(struct ft_answerer *answerer, const struct ft_power *power)
{
	answerer->power = *power;
}

bool ft__ask_by_power(const struct ft_answerer *a, const struct ft_resource *resource)
{
	return a->power.parts && resource == &ft_energy_j && !ft__ask_has_value(a, resource) &&
	       !ft_knowledge_law(&a->knowledge, resource);
}

static bool needs_cores(const struct ft_power *power)
{
	return ft_power_part(power, "core") >= 0;
}

/* What the run takes, at its two ends too. */
static enum ft_status ask_times(struct ft_answerer *a, const struct ft_size *size, double confidence,
				struct ft_prediction *wall, struct ft_prediction *cpu, struct ft_err *err)
{
	enum ft_status status = ft_ask_predict(a, &ft_wall_s, size, confidence, wall, err);

	*cpu = (struct ft_prediction){.known = 0};
	if (status || !needs_cores(&a->power))
		return status;
	status = ft_ask_predict(a, &ft_cpu_s, size, confidence, cpu, err);
	if (status == FT_ENOENT) {
		(void)ft_fail(err, FT_ENOMODEL, "for how long '%s' keeps cores busy is not known",
			      a->program.name);
		return ft_remedy(err, "run it under foretime, which measures processor time (cpu_s)");
	}
	return status;
}

/* Time and processor time of a run go up and down together, as they mostly do; the doubt of the powers is
 * another one. */
enum ft_status ft__ask_power_predict(struct ft_answerer *a, const struct ft_size *size, double confidence,
				     struct ft_prediction *out, struct ft_err *err)
{
	struct ft_prediction wall, cpu;
	double time[3][FT_POWER_PARTS], doubt, down, up;

	FT_TRY(ask_times(a, size, confidence, &wall, &cpu, err));
	FT_TRY(ft_power_times(&a->power, wall.value, cpu.value, time[0], err));
	FT_TRY(ft_power_times(&a->power, wall.lower, cpu.lower, time[1], err));
	FT_TRY(ft_power_times(&a->power, wall.upper, cpu.upper, time[2], err));
	struct ft_energy at = ft_power_energy(&a->power, time[0], wall.value, confidence);
	struct ft_energy low = ft_power_energy(&a->power, time[1], wall.lower, confidence);
	struct ft_energy high = ft_power_energy(&a->power, time[2], wall.upper, confidence);
	*out = wall;
	out->level = FT_LEVEL_POWER;
	out->basis = FT_BASIS_STATED;
	out->value = at.joules;
	/* Of stated powers nobody knows how wrong they are. */
	doubt = isnan(at.upper) ? 0 : log(at.upper / at.joules);
	down = log(at.joules / fmax(low.joules, at.joules * 1e-9));
	up = log(high.joules / at.joules);
	out->known = expm1(hypot(fmax(log1p(wall.known), log1p(cpu.known)), doubt));
	out->lower = at.joules * exp(-hypot(down, doubt));
	out->upper = at.joules * exp(hypot(up, doubt));
	if (isnan(wall.lower) || isnan(cpu.lower))
		out->lower = out->upper = out->known = NAN;
	if (at.joules > 0)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "these powers make the energy of a run %g J", at.joules);
	return ft_remedy(err, "they are below 0 in part: fit runs that use the parts more differently");
}
