/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - the energy of a run: what several instruments tell, as one sum, named after them all. */
#include "measure/energy.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "measure/meter.h"
#include "measure/probes.h"
#include "measure/rapl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUMENTS_MOST = 2 };

static const double RAPL_LOOK_S = 5; /* a counter goes round in a minute at the soonest */

/* The devices' power ten times a second, for as long as it is listened to (nvidia-smi -h: --loop-ms). */
static const char nvidia_command[] =
	"exec nvidia-smi --query-gpu=index,power.draw --format=csv,noheader,nounits --loop-ms=100";

struct ft__energy {
	char probe[FT_PROBE_LENGTH];
	struct ft__rapl rapl;
	bool has_rapl;
	double looked_s;
	struct ft__meter *meter[INSTRUMENTS_MOST];
	size_t n_meters;
	bool failed; /* an instrument is not there at all, or failed in this run; why says it */
	bool absent; /* ... not there at all: it is not tried again */
	struct ft_err why;
};

static void fail_with(struct ft__energy *energy, const struct ft_err *why, bool absent)
{
	if (!energy->failed)
		energy->why = *why;
	energy->failed = true;
	energy->absent |= absent;
}

/* ---- while a run goes on ------------------------------------------------------------------------------ */

static void look_at_rapl(struct ft__energy *energy)
{
	struct ft_err err = {0};

	energy->looked_s = ft_clock_s();
	if (ft__rapl_look(&energy->rapl, &err))
		fail_with(energy, &err, false);
}

void ft__energy_hear(struct ft__energy *energy)
{
	for (size_t i = 0; i < energy->n_meters; i++)
		ft__meter_hear(energy->meter[i]);
	if (energy->has_rapl && ft_clock_s() - energy->looked_s >= RAPL_LOOK_S)
		look_at_rapl(energy);
}

bool ft__energy_hears(const struct ft__energy *energy)
{
	return energy && !energy->absent;
}

void ft__energy_begin(struct ft__energy *energy, const volatile sig_atomic_t *interrupt)
{
	struct ft_err err = {0};

	if (!ft__energy_hears(energy))
		return;
	energy->failed = false;
	for (size_t i = 0; i < energy->n_meters; i++) {
		ft__meter_heed(energy->meter[i], interrupt);
		ft__meter_begin(energy->meter[i]);
	}
	energy->looked_s = ft_clock_s();
	if (energy->has_rapl && ft__rapl_begin(&energy->rapl, &err))
		fail_with(energy, &err, false);
}

enum ft_status ft__energy_end(struct ft__energy *energy, double seconds, struct ft_run *run,
			      struct ft_err *err)
{
	double sum = 0, joules;
	enum ft_label label = FT_MEASURED, one;

	if (!energy)
		return FT_OK;
	if (energy->has_rapl && !energy->absent) {
		look_at_rapl(energy);
		sum = energy->rapl.joules;
	}
	for (size_t i = 0; i < energy->n_meters && !energy->failed; i++) {
		struct ft_err why = {0};

		if (ft__meter_end(energy->meter[i], seconds, &joules, &one, &why))
			fail_with(energy, &why, false);
		else if (one == FT_ESTIMATED)
			label = FT_ESTIMATED;
		sum += joules;
	}
	if (!energy->failed)
		return ft_run_add(run, &ft_energy_j, sum, label, energy->probe, NULL, err);
	return ft__add_unavailable(run, &ft_energy_j, energy->probe, &energy->why, err);
}

/* ---- open and close ----------------------------------------------------------------------------------- */

static enum ft_status add_rapl(struct ft__energy *energy, const struct ft_launch *launch, const char *root,
			       struct ft_err *err)
{
	struct ft_err why = {0};

	(void)launch;
	(void)err;
	energy->has_rapl = !ft__rapl_open(&energy->rapl, root, &why);
	if (!energy->has_rapl)
		fail_with(energy, &why, true);
	return FT_OK;
}

static enum ft_status add_nvidia(struct ft__energy *energy, const struct ft_launch *launch, const char *root,
				 struct ft_err *err)
{
	struct ft_err why = {0};

	(void)launch;
	if (ft__nvidia_check(root, &why)) {
		fail_with(energy, &why, true);
		return FT_OK;
	}
	return ft__meter_open(&energy->meter[energy->n_meters++], "nvidia-smi", nvidia_command, NULL,
			      ft__meter_read_nvidia, err);
}

static enum ft_status add_meter(struct ft__energy *energy, const struct ft_launch *launch, const char *root,
				struct ft_err *err)
{
	(void)root;
	return ft__meter_open(&energy->meter[energy->n_meters++], "the meter", launch->meter,
			      launch->meter_unit, ft__meter_read_line, err);
}

static const struct {
	const char *name;
	enum ft_status (*add)(struct ft__energy *energy, const struct ft_launch *launch, const char *root,
			      struct ft_err *err);
} instruments[] = {{"rapl", add_rapl}, {"nvidia", add_nvidia}};

static enum ft_status unknown_instrument(const char *name, size_t length, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "unknown instrument of energy '%.*s'", (int)length, name);
	(void)ft_remedy(err, "take rapl, nvidia, or rapl,nvidia for their sum; any other meter is a command: "
			     "--meter CMD");
	return FT_EINVAL;
}

/* "rapl,nvidia" */
static enum ft_status add_named(struct ft__energy *energy, const struct ft_launch *launch, const char *root,
				struct ft_err *err)
{
	const char *at = launch->energy;
	enum ft_status status = FT_OK;
	bool seen[sizeof instruments / sizeof *instruments] = {false};
	size_t used = 0;

	while (!status) {
		size_t length = strcspn(at, ","), i, n = sizeof instruments / sizeof *instruments;

		for (i = 0; i < n; i++)
			if (strlen(instruments[i].name) == length &&
			    !strncmp(instruments[i].name, at, length))
				break;
		if (i == n || seen[i])
			return unknown_instrument(at, length, err);
		seen[i] = true;
		used += (size_t)snprintf(energy->probe + used, sizeof energy->probe - used, "%s%s",
					 used ? "+" : "", instruments[i].name);
		status = instruments[i].add(energy, launch, root, err);
		if (!at[length])
			break;
		at += length + 1;
	}
	return status;
}

static enum ft_status check_meter(const struct ft_launch *launch, struct ft_err *err)
{
	if (launch->energy && launch->meter) {
		(void)ft_fail(err, FT_EINVAL, "a meter together with '%s' would count some energy twice",
			      launch->energy);
		(void)ft_remedy(err, "give --measure energy= or --meter, not both");
		return FT_EINVAL;
	}
	if (!launch->meter_unit || (launch->meter && ft__meter_unit(launch->meter_unit)))
		return FT_OK;
	if (!launch->meter)
		(void)ft_fail(err, FT_EINVAL, "a unit '%s' without a meter", launch->meter_unit);
	else
		(void)ft_fail(err, FT_EINVAL, "'%s' is no unit of power or energy", launch->meter_unit);
	(void)ft_remedy(err, "write --meter CMD --meter-unit W, or kW, J, kJ, Wh, kWh");
	return FT_EINVAL;
}

enum ft_status ft__energy_open(struct ft__energy **out, const struct ft_launch *launch, const char *root,
			       struct ft_err *err)
{
	enum ft_status status = check_meter(launch, err);

	*out = NULL;
	if (status || (!launch->energy && !launch->meter))
		return status;
	struct ft__energy *energy = ft_calloc(1, sizeof *energy);
	if (!energy)
		return ft_nomem(err);
	(void)snprintf(energy->probe, sizeof energy->probe, "meter");
	status = launch->meter ? add_meter(energy, launch, root, err) : add_named(energy, launch, root, err);
	if (status) {
		ft__energy_close(energy);
		return status;
	}
	*out = energy;
	return FT_OK;
}

void ft__energy_close(struct ft__energy *energy)
{
	if (!energy)
		return;
	for (size_t i = 0; i < energy->n_meters; i++)
		ft__meter_close(energy->meter[i]);
	ft_free(energy);
}

/* ---- the probe --------------------------------------------------------------------------------------- */

static enum ft_status open_probe(void **state, const struct ft_launch *launch, struct ft__client *client,
				 struct ft_err *err)
{
	struct ft__energy *energy;
	enum ft_status status = ft__energy_open(&energy, launch, "", err);

	(void)client;
	*state = energy;
	return status;
}

static void close_probe(void *state)
{
	ft__energy_close(state);
}

static bool arm(void *state, struct ft__order *order)
{
	ft__energy_begin(state, order->interrupt);
	return ft__energy_hears(state);
}

static void hear_meter(void *state)
{
	ft__energy_hear(state);
}

static size_t files(void *state, int *file, size_t most)
{
	struct ft__energy *energy = state;
	size_t n = 0;

	for (size_t i = 0; i < energy->n_meters && n + FT__METER_FILES <= most; i++)
		n += ft__meter_files(energy->meter[i], file + n);
	return n;
}

static enum ft_status read_probe(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	return ft__energy_end(state, result->answer->reply.wall_s, run, err);
}

/* Several routines share what was metered. */
static enum ft_status read_routine(void *state, const struct ft__result *result, struct ft_run *run,
				   struct ft_err *err)
{
	const struct ft__energy *energy = state;
	struct ft_err why = {0};

	(void)result;
	(void)ft_fail(&why, FT_EUNAVAIL, "energy is measured of the whole run, which its routines share");
	(void)ft_remedy(&why, "ask for the energy of the whole program, or let one routine run alone");
	return ft__add_unavailable(run, &ft_energy_j, energy->probe, &why, err);
}

const struct ft__probe_ops ft__energy_probe = {.open = open_probe,
					       .close = close_probe,
					       .arm = arm,
					       .hear = hear_meter,
					       .files = files,
					       .read = read_probe,
					       .read_routine = read_routine};
