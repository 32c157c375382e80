/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-energy.c - any bytes as a table of measured energies: refused with words and nothing left, or runs
 * that can be true, of which a fit gives powers that are numbers, the same each time. */
#include "foretime/energy.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

const char *const fuzz_energy_seeds[] = {
	"t_wall,energy,n,m,t_job\n10,1000,1,1,10\n5,700,2,1,4\n4,650,4,2,3\n3,640,8,2,2\n9,900,1,2,9\n",
	"wall_s,energy_j,peak_w,meter\n10,1000,120,rapl\n5,510,110,rapl\n7,690,,rapl\n",
	"t_wall;e;t_cpu;t_gpu;t_machine;probe\n10;1000;5;1;10;a\n5;700;4;3;5;a\n4;650;1;2;4;a\n8;900;8;8;8;"
	"b\n",
	"t_wall,energy,n\n1,2,1\n2,4,1\n1e-9,9,2\n",
	"t_wall,energy,n\n1,2,0\n2,4,1\n3,9,2\n",
	NULL,
};

const char *const fuzz_energy_pieces[] = {
	",",     ";",   "\n",   "t_wall", "energy", "t_job", "n", "m",    "peak_w", "meter",
	"probe", "t_x", "rapl", "1e308",  "5e-324", "-1",    "0", "1e-9", "\"",     "10,1000,1,1,10\n",
	NULL,
};

static const char *check_runs(const struct ft_energy_runs *runs)
{
	if (!runs->n || !runs->parts || runs->parts > FT_POWER_PARTS)
		return "there are runs, and parts";
	for (size_t i = 0; i < runs->n; i++) {
		if (!(runs->wall_s[i] > 0 && isfinite(runs->wall_s[i]) && runs->energy_j[i] > 0 &&
		      isfinite(runs->energy_j[i])))
			return "a run has a time and an energy";
		for (size_t j = 0; j < runs->parts; j++)
			if (!(runs->time_s[i * runs->parts + j] >= 0))
				return "times of parts are not negative";
	}
	return NULL;
}

static int is_moderate(const struct ft_energy_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		if (fabs(log(runs->wall_s[i])) > 50 || fabs(log(runs->energy_j[i])) > 50)
			return 0;
		for (size_t j = 0; j < runs->parts; j++)
			if (runs->time_s[i * runs->parts + j] > 1e20)
				return 0;
	}
	return 1;
}

static const char *check_power(const struct ft_power *power, const struct ft_energy_runs *runs)
{
	struct ft_energy energy = ft_power_energy(power, runs->time_s, runs->wall_s[0], 0.9);

	for (size_t i = 0; i < power->parts; i++)
		if (!isfinite(power->watts[i]))
			return "powers are numbers";
	if (!isfinite(energy.joules))
		return "an energy is a number";
	return isnan(energy.lower) || (energy.lower <= energy.joules && energy.joules <= energy.upper)
		       ? NULL
		       : "an energy lies within its interval";
}

static const char *check_fit(const struct ft_energy_runs *runs, bool plain)
{
	struct ft_energy_fit_options options = {.plain = plain};
	struct ft_energy_fit fit = {0}, again = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_energy_fit(&fit, runs, &options, &err);
	const char *broken = NULL;

	if (status)
		broken = fuzz_is_told(status, &err) ? NULL : "a refusal of a fit has words";
	else if (is_moderate(runs))
		broken = check_power(&fit.power, runs);
	if (!status && !broken &&
	    (ft_energy_fit(&again, runs, &options, &err) ||
	     memcmp(fit.power.watts, again.power.watts, sizeof fit.power.watts) != 0))
		broken = "the same runs give the same fit";
	ft_energy_fit_clear(&fit);
	ft_energy_fit_clear(&again);
	return broken;
}

/* The first byte, below 8, chooses what is asked. */
const char *fuzz_energy(const uint8_t *bytes, size_t length)
{
	unsigned choice = fuzz_choice(&bytes, &length, 8);
	struct ft_energy_runs runs = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_energy_runs_read(&runs, fuzz_file(bytes, length), choice & 1,
						    choice & 2 ? "rapl" : NULL, &err);

	if (status)
		return runs.n || !fuzz_is_told(status, &err) ? "a refusal has words and leaves nothing"
							     : NULL;
	const char *broken = check_runs(&runs);
	if (!broken)
		broken = check_fit(&runs, choice & 4);
	ft_energy_runs_clear(&runs);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_energy)
#endif
