/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - the energy of a run: the sum over several instruments, named after all of them. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/files.h"
#include "foretime/base.h"
#include "measure/measure.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Readings of power, or of a counter of energy, over time; and the energy between two moments.
 */

/* An interval longer than the run by this factor gives no value for it. */
static const double TOO_WIDE = 2, CLOSE = 0.01;

static struct ft__reading *last_of(const struct ft__readings *readings, size_t channel)
{
	for (size_t i = readings->n; i--;)
		if (readings->reading[i].channel == channel)
			return &readings->reading[i];
	return NULL;
}

bool ft__readings_add(struct ft__readings *readings, double time_s, double same_s, size_t channel,
		      double value)
{
	struct ft__reading *last = last_of(readings, channel), *grown;

	if (last && time_s - last->time_s < same_s) {
		last->value = value; /* its time stays: a flood must not push it on for ever */
		return true;
	}
	grown = ft_grow(readings->reading, readings->n, &readings->capacity, sizeof *grown);
	if (!grown)
		return false;
	readings->reading = grown;
	grown[readings->n++] = (struct ft__reading){time_s, value, channel};
	if (!readings->counted)
		readings->first_s = time_s;
	if (channel >= readings->channels)
		readings->channels = channel + 1;
	readings->last_s = time_s;
	readings->counted++;
	return true;
}

bool ft__readings_since(const struct ft__readings *readings, double since_s)
{
	for (size_t channel = 0; channel < readings->channels; channel++) {
		const struct ft__reading *last = last_of(readings, channel);

		if (last && last->time_s < since_s)
			return false;
	}
	return readings->n > 0;
}

double ft__readings_interval(const struct ft__readings *readings)
{
	double rounds = readings->channels ? (double)readings->counted / (double)readings->channels : 0;

	return rounds > 1 ? (readings->last_s - readings->first_s) / (rounds - 1) : 0;
}

void ft__readings_forget(struct ft__readings *readings)
{
	size_t kept = 0;

	for (size_t i = 0; i < readings->n; i++)
		if (last_of(readings, readings->reading[i].channel) == &readings->reading[i])
			readings->reading[kept++] = readings->reading[i];
	readings->n = kept;
}

/* The next reading of a channel from an index on; NULL: there is none. */
static const struct ft__reading *next_of(const struct ft__readings *readings, size_t channel, size_t *i)
{
	while (*i < readings->n)
		if (readings->reading[(*i)++].channel == channel)
			return &readings->reading[*i - 1];
	return NULL;
}

static double between(const struct ft__reading *a, const struct ft__reading *b, double time_s)
{
	double width = b->time_s - a->time_s;

	return width > 0 ? a->value + (b->value - a->value) * (time_s - a->time_s) / width : b->value;
}

/* The integral of one channel. */
struct integrate_span {
	double power_j;     /* integral of the values over the time */
	double first, last; /* values at both ends */
	double edge_s;      /* distance from an end to the nearest reading, at worst */
	double widest_s;    /* the interval of readings that lies around the whole time; 0: none does */
	bool backwards, any;
	double high, low; /* of a counter that decreased */
};

static struct integrate_span span_of(const struct ft__readings *readings, size_t channel, double from_s,
				     double to_s)
{
	struct integrate_span span = {.first = NAN, .last = NAN};
	size_t i = 0;
	const struct ft__reading *a = next_of(readings, channel, &i), *b;

	if (!a)
		return span;
	span.any = true;
	if (a->time_s > from_s) { /* held back to the beginning */
		span.first = a->value;
		span.edge_s = a->time_s - from_s;
		span.power_j = a->value * (fmin(a->time_s, to_s) - from_s);
	}
	for (; (b = next_of(readings, channel, &i)); a = b) {
		/* The part of the line from a to b that lies within the time. */
		double left = fmax(a->time_s, from_s), right = fmin(b->time_s, to_s);

		if (b->value < a->value && b->time_s > from_s && a->time_s < to_s) {
			span.backwards = true;
			span.high = a->value;
			span.low = b->value;
		}
		if (a->time_s <= from_s && b->time_s >= to_s)
			span.widest_s = b->time_s - a->time_s;
		if (a->time_s <= from_s && from_s <= b->time_s) {
			span.first = between(a, b, from_s);
			span.edge_s = fmax(span.edge_s, fmin(from_s - a->time_s, b->time_s - from_s));
		}
		if (a->time_s <= to_s && to_s <= b->time_s) {
			span.last = between(a, b, to_s);
			span.edge_s = fmax(span.edge_s, fmin(to_s - a->time_s, b->time_s - to_s));
		}
		if (right > left)
			span.power_j += (right - left) * (between(a, b, left) + between(a, b, right)) / 2;
	}
	if (a->time_s < to_s) {
		span.last = a->value;
		span.edge_s = fmax(span.edge_s, to_s - a->time_s);
		span.power_j += a->value * (to_s - fmax(a->time_s, from_s));
	}
	return span;
}

enum ft_status ft__readings_integrate(const struct ft__readings *readings, const char *who, double from_s,
				      double to_s, double *joules, enum ft_label *label, struct ft_err *err)
{
	double sum = 0, edge_s = 0, seconds = to_s - from_s;
	size_t n = 0;

	*joules = NAN;
	*label = FT_UNAVAILABLE;
	for (size_t channel = 0; channel < readings->channels; channel++) {
		struct integrate_span span = span_of(readings, channel, from_s, to_s);

		if (!span.any)
			continue;
		if (!readings->power && span.backwards) {
			(void)ft_fail(err, FT_EUNAVAIL, "%s went back from %.6g J to %.6g J during the run",
				      who, span.high, span.low);
			(void)ft_remedy(
				err,
				"joules must count from one beginning: let nothing else reset the meter");
			return FT_EUNAVAIL;
		}
		if (span.widest_s > TOO_WIDE * seconds) {
			char apart[FT_UNIT_LENGTH], took[FT_UNIT_LENGTH];

			(void)ft_fail(err, FT_EUNAVAIL,
				      "the run took %s, and the readings of %s around it are %s apart",
				      ft_value_format(seconds, "s", took), who,
				      ft_value_format(span.widest_s, "s", apart));
			(void)ft_remedy(err, "measure larger sizes, or with a quicker meter");
			return FT_EUNAVAIL;
		}
		sum += readings->power ? span.power_j : span.last - span.first;
		edge_s = fmax(edge_s, span.edge_s);
		n++;
	}
	if (!n) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s gave no reading", who);
		(void)ft_remedy(err, "try the command by hand");
		return FT_EUNAVAIL;
	}
	*joules = sum;
	*label = !readings->power && edge_s <= CLOSE * seconds ? FT_MEASURED : FT_ESTIMATED;
	return FT_OK;
}

void ft__readings_clear(struct ft__readings *readings)
{
	ft_free(readings->reading);
	*readings = (struct ft__readings){0};
}

/*
 * Energy of processors and memory, as the kernel's powercap shows it.
 */

/* Whether this machine, or the one recorded under root, is a virtual machine. */
static bool is_guest(const char *root)
{
	char cpuinfo[8192];

	(void)ft__file_read(cpuinfo, sizeof cpuinfo, root, "/proc/cpuinfo");
	return ft__hypervisor_find(root, cpuinfo) != NULL;
}

enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err)
{
	char path[PATH_MAX];

	if (ft__file_find(path, root, "/sys/class/powercap/*/energy_uj"))
		(void)ft_fail(err, FT_EUNAVAIL, "none of /sys/class/powercap/*/energy_uj is a whole package");
	else
		(void)ft_fail(err, FT_EUNAVAIL,
			      "this machine offers no energy counters: there is no "
			      "/sys/class/powercap/*/energy_uj");
	if (guest)
		(void)ft_remedy(err, "virtual machines have none: measure energy on a machine that is not "
				     "virtual, or with a meter of its host (--meter)");
	else
		(void)ft_remedy(err, "where the processor has RAPL, as root: modprobe intel_rapl_msr; else "
				     "take a meter (--meter)");
	return FT_EUNAVAIL;
}

static enum ft_status read_joules(const char *path, const char *file, double *joules, struct ft_err *err)
{
	char line[FT__LINE_LENGTH], *end;

	if (!ft__file_line(line, "", "%s/%s", path, file)) {
		int number = errno;

		if (number == EACCES || number == EPERM) {
			(void)ft_fail(err, FT_EUNAVAIL, "'%s/%s' is for root only", path, file);
			(void)ft_remedy(
				err,
				"as root: chmod a+r /sys/class/powercap/*/energy_uj (until the next start)");
			return FT_EUNAVAIL;
		}
		(void)ft_fail_errno(err, number, "cannot read '%s/%s'", path, file);
		(void)ft_remedy(err, "ask who administers the machine");
		return ft__unavailable(err);
	}
	*joules = 1e-6 * strtod(line, &end);
	if (end != line && !*end && *joules >= 0 && isfinite(*joules))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "'%s/%s' holds no energy: '%s'", path, file, line);
	(void)ft_remedy(err, "ask who administers the machine");
	return FT_EUNAVAIL;
}

static bool counts_whole(const char *path)
{
	char name[FT__LINE_LENGTH];

	return ft__file_line(name, "", "%s/name", path) &&
	       (!strncmp(name, "package", 7) || !strcmp(name, "dram"));
}

/* "intel-rapl:0" and its parts; the same package is there again as intel-rapl-mmio:0 on some. */
enum ft_status ft__rapl_open(struct ft__rapl *rapl, const char *root, struct ft_err *err)
{
	char pattern[FT__RAPL_PATH];
	glob_t found;
	enum ft_status status = FT_OK;

	*rapl = (struct ft__rapl){0};
	(void)snprintf(pattern, sizeof pattern, "%s/sys/class/powercap/intel-rapl:*", root);
	if (glob(pattern, 0, NULL, &found))
		return ft__rapl_explain(root, is_guest(root), err);
	for (size_t i = 0; i < found.gl_pathc && !status && rapl->n < FT__RAPL_MOST; i++) {
		const char *path = found.gl_pathv[i];

		if (strlen(path) >= FT__RAPL_PATH || !counts_whole(path))
			continue;
		(void)snprintf(rapl->zone[rapl->n].path, FT__RAPL_PATH, "%s", path);
		status = read_joules(path, "max_energy_range_uj", &rapl->zone[rapl->n].range_j, err);
		if (!status)
			status = read_joules(path, "energy_uj", &rapl->zone[rapl->n].last_j, err);
		rapl->n++;
	}
	globfree(&found);
	if (!status && !rapl->n)
		status = ft__rapl_explain(root, is_guest(root), err);
	if (status)
		*rapl = (struct ft__rapl){0};
	return status;
}

enum ft_status ft__rapl_look(struct ft__rapl *rapl, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < rapl->n && !status; i++) {
		double now_j = NAN;

		status = read_joules(rapl->zone[i].path, "energy_uj", &now_j, err);
		double used_j = now_j - rapl->zone[i].last_j;
		if (status)
			break;
		rapl->joules += used_j < 0 ? used_j + rapl->zone[i].range_j : used_j;
		rapl->zone[i].last_j = now_j;
	}
	return status;
}

enum ft_status ft__rapl_begin(struct ft__rapl *rapl, struct ft_err *err)
{
	enum ft_status status = ft__rapl_look(rapl, err);

	rapl->joules = 0;
	return status;
}

enum ft_status ft__rapl_available(struct ft_err *err)
{
	struct ft__rapl rapl;

	return ft__rapl_open(&rapl, "", err);
}

/*
 * Whether NVIDIA devices report their power.
 */

enum ft_status ft__nvidia_check(const char *root, struct ft_err *err)
{
	static const char *const argv[] = {"nvidia-smi", "--query-gpu=power.draw",
					   "--format=csv,noheader,nounits", NULL};
	struct ft__command smi = {.argv = argv, .limit_s = FT__NVIDIA_LIMIT_S, .apart = true};
	char line[FT__LINE_LENGTH];
	bool driver = ft__file_line(line, root, "/proc/driver/nvidia/version"), late;
	enum ft_status status = ft__command_run(&smi, err);

	late = smi.late;
	/* The first line of its output, else of its errors. */
	const char *text = smi.length ? smi.text : smi.words;

	(void)snprintf(line, FT__LINE_LENGTH, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
	ft__command_clear(&smi);
	if (status == FT_ENOMEM)
		return status;
	if (!status && strtod(line, NULL) > 0)
		return FT_OK;
	if (status == FT_EUNAVAIL) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s",
			      driver ? "the driver of NVIDIA is loaded, but nvidia-smi is not on PATH"
				     : "this machine has no such device: no driver of NVIDIA is loaded");
		(void)ft_remedy(err, driver ? "add the folder of nvidia-smi to PATH, or install it"
					    : "where there is such a device, install its driver");
	} else if (late) {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi does not answer within %d s", FT__NVIDIA_LIMIT_S);
		(void)ft_remedy(err, "try it by hand; nvidia-persistenced makes it quicker");
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi reports no power: %s",
			      *line ? line : "it prints nothing");
		(void)ft_remedy(err, "try it by hand: nvidia-smi --query-gpu=power.draw --format=csv");
	}
	return FT_EUNAVAIL;
}

enum ft_status ft__nvidia_available(struct ft_err *err)
{
	return ft__nvidia_check("", err);
}

/*
 * The energy of a run: the sum over several instruments, named after all of them.
 */

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
	bool failed; /* an instrument does not exist, or failed in this run; why has the reason */
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
		if (i == n || seen[i]) {
			(void)ft_fail(err, FT_EINVAL, "unknown instrument of energy '%.*s'", (int)length, at);
			(void)ft_remedy(err, "take rapl, nvidia, or rapl,nvidia for their sum; any other "
					     "meter is a command: --meter CMD");
			return FT_EINVAL;
		}
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
