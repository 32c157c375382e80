/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-fetch.c - any bytes as a file of knots that a program reads: passed over, with a status, or what it
 * says of any size can be. */
#include "foretime-fetch.h"
#include "fuzz.h"

const char *const fuzz_fetch_seeds[] = {
	"foretime-knots 1\nprogram solve\nparameter n\nfixed m 3\nmachine 00 box\nmade 1700000000\nexpires "
	"99999999999\nrisk 0.01\ncpus 2\n# knot size typical_s upper_s bytes\nknot 1 0.5 1 1e6\nknot 10.25 - "
	"7 "
	"-\nend 2\n",
	"foretime-knots 1\nparameter n\nexpires 9e14\nknot 3 0 0 0\nend 1\n",
	"foretime-knots 2\nexpires 9e14\nend 0\n",
	NULL,
};

const char *const fuzz_fetch_pieces[] = {
	"\n",  " ",          "knot ", "end ",   "fixed ",         "-",        "1e999", "1e-999", "0",
	".",   "e",          "99999", "-0.1",   "\xff",           "#",        "risk ", "cpus ",  "made ",
	"nan", "parameter ", "1e308", "5e-324", "knot 1 1 1 1\n", "expires ", NULL,
};

static const char *check_cost(const struct ft_probe_cost *cost)
{
	const double value[] = {cost->typical_s, cost->upper_s, cost->bytes};

	for (size_t i = 0; i < sizeof value / sizeof *value; i++)
		if (!isnan(value[i]) && !(value[i] >= 0 && isfinite(value[i])))
			return "what is said is a number, or not known";
	return NULL;
}

const char *fuzz_fetch(const uint8_t *bytes, size_t length)
{
	static const double at[] = {1e-300, 1, 2, 3, 7.5, 10.25, 1e6, 1e300};
	static struct ft_probe_model model;
	struct ft_probe_cost cost;
	const char *path = fuzz_file(bytes, length), *broken = NULL;
	int status = ft_probe_fetch(&model, path);

	if (status == FT_PROBE_KNOWN ? !model.n : model.n > 0)
		broken = "there are knots where it is good, else none";
	for (size_t i = 1; i < model.n && !broken; i++)
		if (!(model.knot[i].at > model.knot[i - 1].at))
			broken = "knots ascend";
	for (size_t i = 0; i < sizeof at / sizeof *at && !broken; i++)
		if (ft_probe_at(&model, at[i], &cost) == FT_PROBE_KNOWN)
			broken = status ? "nothing is known of no file" : check_cost(&cost);
	ft_probe_forget(&model);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_fetch)
#endif
