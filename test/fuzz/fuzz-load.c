/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-load.c - any bytes as a table of loads: refused with words and nothing left, or a history whose
 * extremes are in order and slow nothing down below 1. */
#include "foretime/load.h"
#include "fuzz.h"
#include "load/door.h"

#include <math.h>

const char *const fuzz_load_seeds[] = {
	"time,load\n0,0.5\n10,0.25\n20,1\n30,0\n40,0.5\n",
	"# processors: "
	"8\ntime,load\n2026-01-31T12:00:00Z,7.5\n2026-01-31T12:00:10Z,\n2026-01-31T12:00:20Z,0\n",
	"load;time\n0;1769860800\n1;1769860860\n2;1769860920\n",
	"time,load\n0,1e-300\n1e9,1\n",
	"time,load\n-1e8,0\n0,1\n8.9e9,1\n",
	NULL,
};

const char *const fuzz_load_pieces[] = {
	",", ";",    "\n",     "\r\n",       "# processors: 4\n", "time", "load", "1e308", "-1",
	"0", "1e18", "5e-324", "2026-01-31", "T12:00:00Z",        "\"",   "nan",  NULL,
};

static const char *check_loads(const struct ft_loads *loads)
{
	for (size_t i = 0; i < loads->n; i++) {
		const struct ft_load *l = &loads->load[i];

		if (!(l->load >= 0 && isfinite(l->load) && l->interval_s > 0 && isfinite(l->interval_s)) ||
		    l->processors < 1)
			return "an observation has a length, processors and a load";
	}
	return loads->n ? NULL : "there are observations";
}

static const char *check_functions(const struct ft_load_functions *f, enum ft_sharing sharing)
{
	struct ft_load_outlook outlook;

	for (size_t i = 0; i < f->n; i++)
		if (!(f->least[i] >= 0 && f->least[i] <= f->most[i] * (1 + 1e-9) && isfinite(f->most[i])))
			return "the least load is no more than the most";
	ft_load_predict(f, 25, 1, sharing, &outlook);
	if (!(outlook.slow_down[0] >= 1 && outlook.slow_down[0] <= outlook.slow_down[1] * (1 + 1e-9)))
		return "others only slow down, at worst more than at best";
	return NULL;
}

static const char *check_history(const struct ft_loads *loads, enum ft_sharing sharing, double share)
{
	struct ft_load_history history = {0};
	struct ft_load_functions functions = {0};
	struct ft_load_judgement judgement;
	struct ft_err err = {0};
	const char *broken = NULL;
	/* No more intervals than can be cut in a moment. */
	double span = (double)(loads->load[loads->n - 1].started_ns - loads->load[0].started_ns) / 1e9;
	enum ft_status status =
		ft_load_history_make(&history, loads, fmax(10, span / 1e5), 100, sharing, &err);

	if (!status)
		status = ft_load_functions_make(&functions, &history, 6, share, &err);
	if (status)
		broken = fuzz_is_told(status, &err) ? NULL : "a refusal has words";
	else
		broken = check_functions(&functions, sharing);
	if (!status && !broken && ft_load_judge(&judgement, &history, 4, 2, share, 10, &err))
		broken = "a history can be judged";
	else if (!status && !broken && judgement.averages &&
		 !(judgement.within >= 0 && judgement.within <= 1))
		broken = "a share is one";
	ft_load_functions_clear(&functions);
	ft_load_history_clear(&history);
	return broken;
}

/* The first byte, below 8, chooses what is stated and asked. */
const char *fuzz_load(const uint8_t *bytes, size_t length)
{
	unsigned choice = fuzz_choice(&bytes, &length, 8);
	struct ft_loads loads = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_loads_read(fuzz_file(bytes, length), choice & 1 ? 4 : 0, &loads, &err);
	const char *broken = NULL;

	if (status)
		broken = loads.n || !fuzz_is_told(status, &err) ? "a refusal has words and leaves nothing"
								: NULL;
	else
		broken = check_loads(&loads);
	if (!status && !broken)
		broken = check_history(&loads, choice & 2 ? FT_SHARING_NICED : FT_SHARING_FAIR,
				       choice & 4 ? 0.8 : 1);
	ft_loads_clear(&loads);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_load)
#endif
