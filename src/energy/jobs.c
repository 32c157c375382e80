/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - the energy of jobs, alone and together, the peak of their power, and the cores that cost least. */
#include "base/alloc.h"
#include "energy/door.h"
#include "foretime/energy.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Fit the serial share of a program to its times on several numbers of cores.
 */

/* T(n) = T(1) (s + (1 - s) / n); values of s to scan before the minimum is refined. */
enum { SCAN = 1000, HALVINGS = 60 };

/* If later counts exceed an earlier one by this factor, the law does not hold. */
static const double rise = 1.05;

/* The times on one number of cores, ln. */
struct count {
	double threads, median, squares; /* squares: about their mean */
	size_t runs;
};

struct counts {
	struct count *at; /* [n] ascending */
	size_t n, runs;
};

struct amdahl_sample {
	double threads, ln;
};

static int by_threads(const void *a, const void *b)
{
	const struct amdahl_sample *p = a, *q = b;

	if (p->threads != q->threads)
		return p->threads > q->threads ? 1 : -1;
	return (p->ln > q->ln) - (p->ln < q->ln);
}

static struct count settle_count(const struct amdahl_sample *sample, size_t n)
{
	struct count c = {.threads = sample[0].threads, .runs = n};
	double mean = 0;

	c.median = (sample[(n - 1) / 2].ln + sample[n / 2].ln) / 2;
	for (size_t i = 0; i < n; i++)
		mean += sample[i].ln / (double)n;
	for (size_t i = 0; i < n; i++)
		c.squares += (sample[i].ln - mean) * (sample[i].ln - mean);
	return c;
}

static enum ft_status gather_counts(struct counts *out, const double *threads, const double *seconds,
				    size_t n, struct ft_err *err)
{
	struct amdahl_sample *sample = ft_calloc(n + 1, sizeof *sample);
	size_t j;

	*out = (struct counts){.at = ft_calloc(n + 1, sizeof *out->at), .runs = n};
	for (size_t i = 0; sample && i < n; i++)
		sample[i] = (struct amdahl_sample){threads[i], log(seconds[i])};
	if (!sample || !out->at) {
		ft_free(sample);
		ft_free(out->at);
		return ft_nomem(err);
	}
	qsort(sample, n, sizeof *sample, by_threads);
	for (size_t i = 0; i < n; i = j) {
		for (j = i; j < n && sample[j].threads == sample[i].threads; j++)
			;
		out->at[out->n++] = settle_count(sample + i, j - i);
	}
	ft_free(sample);
	return FT_OK;
}

/* Squares of the relative errors of the medians about the law, T(1) being the best for that s. */
static double misfit_of(const struct counts *c, double s, double *ln_seconds)
{
	double sum = 0, mean = 0;

	for (size_t i = 0; i < c->n; i++)
		mean += (c->at[i].median - log(s + (1 - s) / c->at[i].threads)) / (double)c->n;
	for (size_t i = 0; i < c->n; i++) {
		double off = c->at[i].median - log(s + (1 - s) / c->at[i].threads) - mean;

		sum += off * off;
	}
	if (ln_seconds)
		*ln_seconds = mean;
	return sum;
}

static double least_of(const struct counts *c)
{
	static const double ratio = 0.6180339887498949;
	double best = INFINITY;
	size_t at = 0;

	for (size_t i = 0; i <= SCAN; i++) {
		double m = misfit_of(c, (double)i / SCAN, NULL);

		if (m < best) {
			best = m;
			at = i;
		}
	}
	double from = fmax(0, ((double)at - 1) / SCAN);
	double to = fmin(1, ((double)at + 1) / SCAN);
	for (size_t i = 0; i < HALVINGS; i++) { /* golden section */
		double a = to - ratio * (to - from), b = from + ratio * (to - from);

		if (misfit_of(c, a, NULL) <= misfit_of(c, b, NULL))
			to = b;
		else
			from = a;
	}
	return misfit_of(c, from, NULL) <= misfit_of(c, to, NULL) ? from : to;
}

/* Where the misfit passes a bound between s and an end, 0 or 1. */
static double find_edge(const struct counts *c, double s, double end, double bound)
{
	double within = s, beyond = end;

	if (misfit_of(c, end, NULL) <= bound)
		return end;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (within + beyond) / 2;

		if (misfit_of(c, middle, NULL) <= bound)
			within = middle;
		else
			beyond = middle;
	}
	return within;
}

/* The variance of a median about the law: run-to-run variation at one count, or the misfit of the law if
 * that is larger. dof 0: unknown. */
static double variance_of(const struct counts *c, double least, double *dof)
{
	double squares = 0, repeats = 0, of_median = 0, missed = 0;

	for (size_t i = 0; i < c->n; i++) {
		squares += c->at[i].squares;
		repeats += (double)(c->at[i].runs - 1);
		of_median += (c->at[i].runs > 2 ? M_PI / 2 : 1) / (double)c->at[i].runs / (double)c->n;
	}
	of_median *= repeats > 0 ? squares / repeats : 0;
	if (c->n > 2)
		missed = least / (double)(c->n - 2);
	*dof = missed >= of_median && c->n > 2 ? (double)(c->n - 2) : repeats;
	return fmax(missed, of_median);
}

static enum ft_status check_runs(const double *threads, const double *seconds, size_t n, struct ft_err *err)
{
	bool several = false;

	for (size_t i = 0; i < n; i++) {
		several |= threads[i] != threads[0];
		if (!(threads[i] >= 1) || !(seconds[i] > 0) || !isfinite(threads[i]) || !isfinite(seconds[i]))
			return ft_fail(err, FT_EINVAL, "run %zu: %g s on %g cores is none", i + 1, seconds[i],
				       threads[i]);
	}
	if (several)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the serial share needs runs on two numbers of cores or more");
	return ft_remedy(err, "run the program on 1, 2, 4, ... cores");
}

enum ft_status ft_amdahl_fit(struct ft_amdahl *out, const double *threads, const double *seconds, size_t n,
			     double confidence, struct ft_err *err)
{
	struct counts counts = {0};
	enum ft_status status = check_runs(threads, seconds, n, err);
	double ln_seconds, dof;

	*out = (struct ft_amdahl){.lower = NAN, .upper = NAN};
	if (!status)
		status = gather_counts(&counts, threads, seconds, n, err);
	if (status)
		return status;
	out->counts = counts.n;
	out->runs = n;
	out->serial = least_of(&counts);
	double least = misfit_of(&counts, out->serial, &ln_seconds);
	out->seconds = exp(ln_seconds);
	double bound = variance_of(&counts, least, &dof);
	if (dof > 0) {
		bound = least + bound * pow(ft_student_t(confidence, dof), 2);
		out->lower = find_edge(&counts, out->serial, 0, bound);
		out->upper = find_edge(&counts, out->serial, 1, bound);
	}
	double fastest = INFINITY;

	for (size_t i = 0; i < counts.n; i++) {
		const struct count *at = &counts.at[i];
		double modelled = log(out->seconds * (out->serial + (1 - out->serial) / at->threads));

		out->off = fmax(out->off, expm1(fabs(at->median - modelled)));
		out->rises |= at->median > fastest + log(rise);
		fastest = fmin(fastest, at->median);
	}
	ft_free(counts.at);
	return FT_OK;
}

/*
 * The energy of jobs, alone and together, the peak of their power, and the cores that cost least.
 */

/* Numbers of cores cost the same where they differ by less: rounding. */
static const double SAME = 1e-9;

int ft_power_part(const struct ft_power *power, const char *name)
{
	for (size_t i = 0; i < power->parts; i++)
		if (!strcmp(power->part[i], name))
			return (int)i;
	return -1;
}

/* Half-width of the interval of sum of units P, and of one further reading. */
static double half_width(const struct ft_power *power, const double *units, double confidence)
{
	double variance = power->noise_w * power->noise_w;
	size_t k = power->parts;

	if (!(power->freedom > 0))
		return NAN;
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++)
			variance += units[i] * units[j] * power->covariance[i * k + j];
	return ft_student_t(confidence, power->freedom) * sqrt(variance);
}

struct ft_energy ft_power_energy(const struct ft_power *power, const double *time_s, double wall_s,
				 double confidence)
{
	double share[FT_POWER_PARTS], half;
	struct ft_energy e = {.seconds = wall_s};

	for (size_t i = 0; i < power->parts; i++) {
		e.joules += power->watts[i] * time_s[i];
		share[i] = time_s[i] / wall_s;
	}
	half = half_width(power, share, confidence) * wall_s;
	e.lower = fmin(e.joules, fmax(0, e.joules - half)); /* powers below 0 give less than nothing */
	e.upper = e.joules + half;
	if (isnan(half))
		e.lower = e.upper = NAN;
	e.mean_w = e.joules / wall_s;
	return e;
}

enum ft_status ft_power_times(const struct ft_power *power, double wall_s, double cpu_s, double *time_s,
			      struct ft_err *err)
{
	static const char *const whole[] = {"infr", "machine", "infr+machine", "all", "device"};
	size_t j;

	for (size_t i = 0; i < power->parts; i++) {
		const char *part = power->part[i];

		for (j = 0; j < sizeof whole / sizeof *whole && strcmp(part, whole[j]) != 0; j++)
			;
		if (j < sizeof whole / sizeof *whole) {
			time_s[i] = wall_s;
		} else if (strcmp(part, "core") != 0) {
			(void)ft_fail(err, FT_ENOMODEL, "how long a run uses '%s' is not known", part);
			return ft_remedy(err, "ask by powers of infr, machine, device and core");
		} else if (isnan(cpu_s)) {
			(void)ft_fail(err, FT_ENOMODEL, "for how long a run keeps cores busy is not known");
			return ft_remedy(err, "leave out the power of a core: add it to that of the device");
		} else {
			time_s[i] = cpu_s;
		}
	}
	return FT_OK;
}

double ft_power_peak(const struct ft_power *power, const double *units, double confidence, double *lower,
		     double *upper)
{
	double watts = 0, half = half_width(power, units, confidence);

	for (size_t i = 0; i < power->parts; i++)
		watts += power->watts[i] * units[i];
	*lower = watts - half;
	*upper = watts + half;
	return watts;
}

/* The parts of a cluster of like machines with like cores; machine -1: merged with infr. */
struct cluster {
	int infr, machine, core;
};

static enum ft_status find_cluster(const struct ft_power *power, struct cluster *out, struct ft_err *err)
{
	*out = (struct cluster){ft_power_part(power, "infr"), ft_power_part(power, "machine"),
				ft_power_part(power, "core")};
	if (out->infr < 0)
		out->infr = ft_power_part(power, "infr+machine");
	if (out->core >= 0 && out->infr >= 0 && power->parts == (out->machine >= 0 ? 3U : 2U))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "these powers are not those of infr, machine and core");
	return ft_remedy(err, "state the seconds of each part instead, as in core_fast=100s");
}

static enum ft_status check_machines(const struct ft_power *power, const struct cluster *c, double machines,
				     struct ft_err *err)
{
	if (!(machines >= 1) || !isfinite(machines))
		return ft_fail(err, FT_EINVAL, "%g machines: at least one is on", machines);
	if (c->machine < 0 && machines != 1 && ft_power_part(power, "infr+machine") >= 0) {
		(void)ft_fail(err, FT_EINVAL,
			      "the power of one machine was not distinguished from the infrastructure's: "
			      "%g machines cannot be predicted",
			      machines);
		return ft_remedy(err, "fit runs with different numbers of machines (column m)");
	}
	return FT_OK;
}

/* The seconds of each part. */
static double times_of(const struct cluster *c, double machines, const struct ft_job *job, size_t n,
		       bool printed, double *time)
{
	double longest = 0;

	memset(time, 0, FT_POWER_PARTS * sizeof *time);
	for (size_t i = 0; i < n; i++) {
		longest = fmax(longest, job[i].wall_s);
		time[c->core] += (printed ? 0 : job[i].wall_s) + (job[i].cores - 1) * job[i].job_s;
	}
	if (printed)
		time[c->core] += 2 * longest; /* eq. 12.3 as printed */
	time[c->infr] = longest;
	if (c->machine >= 0)
		time[c->machine] = machines * longest;
	return longest;
}

/* The shared part, moment by moment, among the jobs that still run. */
static double common_time(const struct ft_job *job, size_t n, size_t mine, bool by_cores)
{
	double from = 0, sum = 0;

	for (;;) {
		double next = INFINITY, weights = 0;

		for (size_t i = 0; i < n; i++)
			if (job[i].wall_s > from) {
				next = fmin(next, job[i].wall_s);
				weights += by_cores ? job[i].cores : 1;
			}
		if (job[mine].wall_s <= from)
			return sum;
		sum += (next - from) * (by_cores ? job[mine].cores : 1) / weights;
		from = next;
	}
}

enum ft_status ft_power_jobs(const struct ft_power *power, double machines, const struct ft_job *job,
			     size_t n, bool printed, bool by_cores, double confidence, struct ft_energy *out,
			     double *share_j, struct ft_err *err)
{
	double time[FT_POWER_PARTS], longest, common;
	struct cluster c;
	enum ft_status status = find_cluster(power, &c, err);

	*out = (struct ft_energy){0};
	if (!status)
		status = check_machines(power, &c, machines, err);
	if (status)
		return status;
	if (!n || (printed && n != 2))
		return ft_fail(err, FT_EINVAL,
			       n ? "equation 12.3 is about two jobs, not %zu" : "no job (%zu)", n);
	if (printed && share_j)
		return ft_fail(err, FT_EINVAL, "shares of equation 12.3 as printed do not sum to the whole");
	for (size_t i = 0; i < n; i++)
		if (!(job[i].wall_s > 0) || !isfinite(job[i].wall_s) || !(job[i].job_s >= 0) ||
		    job[i].job_s > job[i].wall_s || !(job[i].cores >= 1) || !isfinite(job[i].cores))
			return ft_fail(err, FT_EINVAL, "job %zu: %g s, %g s of them on %g cores, is none",
				       i + 1, job[i].wall_s, job[i].job_s, job[i].cores);
	longest = times_of(&c, machines, job, n, printed, time);
	*out = ft_power_energy(power, time, longest, confidence);
	common = power->watts[c.infr] + (c.machine >= 0 ? machines * power->watts[c.machine] : 0);
	for (size_t i = 0; share_j && i < n; i++)
		share_j[i] = common * common_time(job, n, i, by_cores) +
			     power->watts[c.core] * (job[i].wall_s + (job[i].cores - 1) * job[i].job_s);
	return FT_OK;
}

enum ft_status ft_power_sweet_spot(const struct ft_power *power, double seconds, double serial, double per,
				   size_t most, bool busy, struct ft_sweet_spot *out, double *energy_j,
				   struct ft_err *err)
{
	double time[FT_POWER_PARTS];
	struct cluster c;
	enum ft_status status = find_cluster(power, &c, err);

	*out = (struct ft_sweet_spot){.joules = INFINITY};
	if (status)
		return status;
	if (!(seconds > 0) || !(serial >= 0 && serial <= 1) || !(per >= 1) || !most)
		return ft_fail(
			err, FT_EINVAL,
			"%g s on one core, %g of it serial, %g cores a machine, %zu at most: not all of them "
			"make sense",
			seconds, serial, per, most);
	if ((double)most > per)
		status = check_machines(power, &c, ceil((double)most / per), err);
	if (status)
		return status;
	for (size_t n = 1; n <= most; n++) {
		double machines = ceil((double)n / per), parallel = seconds * (1 - serial) / (double)n;
		struct ft_job job = {seconds * serial + parallel, parallel, (double)n};
		double joules = 0;

		if (busy)
			job.job_s = job.wall_s;
		(void)times_of(&c, machines, &job, 1, false, time);
		for (size_t i = 0; i < power->parts; i++)
			joules += power->watts[i] * time[i];
		if (energy_j)
			energy_j[n - 1] = joules;
		if (n == 1)
			out->serial_joules = joules;
		if (joules <= out->joules * (1 + SAME) && out->same == (double)n - 1)
			out->same = (double)n;
		if (joules < out->joules * (1 - SAME)) {
			out->cores = out->same = (double)n;
			out->machines = machines;
			out->seconds = job.wall_s;
			out->joules = joules;
		}
	}
	out->at_bound = out->cores == (double)most && most > 1;
	return FT_OK;
}

enum ft_status ft_power_capped(const struct ft_power *power, double limit_w, double per, size_t most,
			       double confidence, struct ft_power_cap *out, struct ft_err *err)
{
	struct cluster c;
	enum ft_status status = find_cluster(power, &c, err);

	*out = (struct ft_power_cap){.watts = NAN, .lower = NAN, .upper = NAN, .next_w = NAN};
	if (status)
		return status;
	if (!(limit_w > 0) || !(per >= 1) || !most)
		return ft_fail(err, FT_EINVAL,
			       "%g W, %g cores a machine, %zu at most: not all of them make sense", limit_w,
			       per, most);
	if ((double)most > per)
		status = check_machines(power, &c, ceil((double)most / per), err);
	for (size_t n = 1; n <= most && !status; n++) {
		double units[FT_POWER_PARTS] = {0}, watts, lower, upper;

		units[c.infr] = 1;
		units[c.core] = (double)n;
		if (c.machine >= 0)
			units[c.machine] = ceil((double)n / per);
		watts = ft_power_peak(power, units, confidence, &lower, &upper);
		out->next_w = isnan(upper) ? watts : upper;
		if (out->next_w > limit_w)
			return FT_OK;
		*out = (struct ft_power_cap){(double)n, ceil((double)n / per), watts, lower, upper, NAN};
	}
	return status;
}
