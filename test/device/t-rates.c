/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/alloc.h"
#include "base/random.h"
#include "device/door.h"
#include "foretime/device.h"
#include "num/num.h"
#include "tap.h"

enum { MICRO = 16, SIZES = 4, MIXED = 6, ROWS = MICRO * SIZES + MIXED * SIZES, DEVICES = 200 };
static const double noise = 0.05;

static char names[MICRO + MIXED][16];

/* A launch of more and more work: most of it of one kind, some of all that micro-kernels need anyhow. */
static void make_amounts(struct ft_random *random, struct ft_timed_launch *row, size_t kind, size_t size)
{
	double items = ldexp(1024, 3 * (int)size), trips = 64 * (1 + 3 * ft_random_uniform(random));

	memset(row->amount, 0, sizeof row->amount);
	row->amount[FT_RATE_LAUNCH] = 1;
	row->amount[FT_RATE_ITEM] = items;
	row->amount[FT_RATE_INTEGER] = 6 * items;
	row->amount[FT_RATE_GLOBAL] = items;
	row->amount[FT_RATE_SECTOR] = items / 8;
	row->amount[FT_RATE_MISS] = items / 16;
	if (kind <= FT_RATE_ITEM)
		return;
	row->amount[FT_RATE_BRANCH] = items * trips / 8;
	row->amount[FT_RATE_INTEGER] += items * trips / 8;
	row->amount[kind] += items * trips;
	if (kind == FT_RATE_SECTOR || kind == FT_RATE_MISS)
		row->amount[FT_RATE_GLOBAL] += items * trips;
	if (kind == FT_RATE_MISS)
		row->amount[FT_RATE_SECTOR] += items * trips;
}

/* A kernel that does a bit of everything. */
static void make_mixture(struct ft_random *random, struct ft_timed_launch *row, size_t size)
{
	double items = ldexp(1024, 3 * (int)size);

	make_amounts(random, row, FT_RATE_F32, size);
	for (size_t j = FT_RATE_F32; j < FT_RATES; j++)
		row->amount[j] += items * 8 * ft_random_uniform(random);
}

/* All rates but half precision, which no launch does. */
static void make_device(struct ft_random *random, double rate[FT_RATES])
{
	rate[FT_RATE_LAUNCH] = 1e-6 * pow(100, ft_random_uniform(random));
	for (size_t j = FT_RATE_ITEM; j < FT_RATES; j++)
		rate[j] = 1e-12 * pow(1000, ft_random_uniform(random));
}

static double seconds_of(const double rate[FT_RATES], const double amount[FT_RATES])
{
	double sum = 0;

	for (size_t j = 0; j < FT_RATES; j++)
		sum += rate[j] * amount[j];
	return sum;
}

static void make_rows(struct ft_random *random, const double rate[FT_RATES], struct ft_timed_launch *row)
{
	for (size_t i = 0; i < ROWS; i++) {
		size_t kernel = i / SIZES, kind = kernel < FT_RATE_F16 ? kernel : kernel + 1;

		(void)snprintf(names[kernel], sizeof names[kernel], "k%zu", kernel);
		row[i] = (struct ft_timed_launch){.kernel = names[kernel]};
		if (kernel < MICRO)
			make_amounts(random, &row[i], kind, i % SIZES);
		else
			make_mixture(random, &row[i], i % SIZES);
		row[i].seconds = seconds_of(rate, row[i].amount) * exp(noise * ft_random_normal(random));
		if (ft_random_below(random, 40) == 0)
			row[i].seconds *= 3; /* others were at work */
	}
}

/* Rates of made devices are found again where they are a tenth of a launch's time at least, and kernels that
 * never ran are foretold. */
static void test_made(struct ft_random *random)
{
	struct ft_timed_launch row[ROWS], fresh;
	double found[DEVICES * FT_RATES], ahead[DEVICES], off[DEVICES], rate[FT_RATES];
	size_t n = 0, device, i, j, within = 0, n_error = 0, devices = test_quick() ? 20 : DEVICES;
	struct ft_rates rates;
	struct ft_err err;

	for (device = 0; device < devices; device++) {
		double seconds;

		make_device(random, rate);
		make_rows(random, rate, row);
		if (ft_rates_fit(&rates, row, ROWS, NULL, &err)) {
			ok(false, "made device %zu: %s", device, err.text);
			return;
		}
		for (j = 0; j < FT_RATES; j++) {
			double share = 0;

			for (i = 0; i < ROWS; i++)
				share = fmax(share,
					     rate[j] * row[i].amount[j] / seconds_of(rate, row[i].amount));
			if (share < 0.1 || j == FT_RATE_F16)
				continue;
			found[n] = rates.rate[j].seconds > 0 ? fabs(log(rates.rate[j].seconds / rate[j])) : 9;
			within += found[n] < 2 * rates.rate[j].error;
			n_error++;
			n++;
		}
		make_mixture(random, &fresh, 2);
		(void)ft_rates_predict(&rates, fresh.amount, &seconds, NULL);
		ahead[device] = fabs(log(seconds / seconds_of(rate, fresh.amount)));
		off[device] = rates.off;
	}
	diag("rates off by %.3f in the middle, %.3f nine in ten, of %zu; within two errors %.3f; new kernels "
	     "%.3f, "
	     "%.3f; told as off by %.3f",
	     expm1(ft_stats_median(found, n)), expm1(ft_stats_quantile(found, n, 0.9)), n,
	     (double)within / (double)n_error, expm1(ft_stats_median(ahead, devices)),
	     expm1(ft_stats_quantile(ahead, devices, 0.9)), ft_stats_median(off, devices));
	ok(ft_stats_median(found, n) < 0.05 && ft_stats_quantile(found, n, 0.9) < 0.25,
	   "rates of %zu made devices are found again", devices);
	ok((double)within > 0.85 * (double)n_error, "errors are as told");
	ok(ft_stats_quantile(ahead, devices, 0.9) < 0.15, "kernels that never ran are foretold");
}

static void test_exact(struct ft_random *random)
{
	struct ft_timed_launch row[ROWS];
	double rate[FT_RATES], worst = 0;
	struct ft_rates rates;

	make_device(random, rate);
	make_rows(random, rate, row);
	for (size_t i = 0; i < ROWS; i++)
		row[i].seconds = seconds_of(rate, row[i].amount);
	ok(!ft_rates_fit(&rates, row, ROWS, NULL, NULL), "a fit");
	for (size_t j = 0; j < FT_RATES; j++)
		if (j != FT_RATE_F16)
			worst = fmax(worst, fabs(rates.rate[j].seconds / rate[j] - 1));
	ok(worst < 1e-6, "without noise rates are exact, to %.1e", worst);
	ok(rates.kernels == MICRO + MIXED && rates.predicted == rates.kernels && rates.off < 1.00001,
	   "and so is what is foretold of kernels left out: %zu of %zu, off by %g", rates.predicted,
	   rates.kernels, rates.off);
}

static void test_refused(struct ft_random *random)
{
	struct ft_timed_launch row[ROWS];
	double rate[FT_RATES], amount[FT_RATES] = {0}, seconds = 1;
	struct ft_rates rates;
	struct ft_err err = {0};

	make_device(random, rate);
	make_rows(random, rate, row);
	for (size_t i = 0; i < ROWS; i++)
		row[i].amount[FT_RATE_ATOMIC] = 0;
	(void)ft_rates_fit(&rates, row, ROWS, NULL, NULL);
	amount[FT_RATE_LAUNCH] = 1;
	ok(!ft_rates_predict(&rates, amount, &seconds, &err) && seconds > 0, "a launch of nothing");
	amount[FT_RATE_F16] = amount[FT_RATE_ATOMIC] = 1;
	ok(ft_rates_predict(&rates, amount, &seconds, &err) == FT_ENOMODEL && isnan(seconds) &&
		   strstr(err.text, "'operation in half precision', 'atomic operation'"),
	   "what no launch did is named: %s", err.text);
	amount[FT_RATE_MISS] = NAN;
	ok(ft_rates_predict(&rates, amount, &seconds, &err) == FT_ENOMODEL &&
		   strstr(err.text, "'cache miss'"),
	   "and what is not known: %s", err.text);
	ok(ft_rates_fit(&rates, row, 5, NULL, &err) == FT_ENOMODEL, "five launches: %s", err.text);
	row[3].seconds = 0;
	ok(ft_rates_fit(&rates, row, ROWS, NULL, &err) == FT_EINVAL && strstr(err.text, "launch 4, of k0"),
	   "a launch that took no time: %s", err.text);
	row[3].seconds = 1;
	row[5].amount[FT_RATE_F32] = -1;
	ok(ft_rates_fit(&rates, row, ROWS, NULL, &err) == FT_EINVAL && strstr(err.text, "its f32"),
	   "an amount below 0: %s", err.text);
}

/* The document's five, as its own training kernels vary them: rows of their own deviation, one far off. */
static void test_document(struct ft_random *random)
{
	const struct ft_kernel_features features = {.work_items = 1000, .misses_rule = 50},
					unknown = {.work_items = 1000, .misses_rule = NAN};
	static const double truth[FT_RATE_FIVE] = {1.6e-10, 2e-8, 1.5e-9, 1e-9, 7e-6};
	struct ft_timed_launch row[90];
	double beta[FT_RATE_FIVE], worst = 0;

	for (size_t i = 0; i < 90; i++) {
		double items = 1e3 * pow(1e3, ft_random_uniform(random)),
		       each = 4 * pow(256, ft_random_uniform(random));
		const double five[FT_RATE_FIVE] = {items * each, each,
						   items * pow(10, -2 * ft_random_uniform(random)), items, 1};

		row[i] = (struct ft_timed_launch){.kernel = "any"};
		for (size_t j = 0; j < FT_RATE_FIVE; j++) {
			row[i].five[j] = five[j];
			row[i].seconds += truth[j] * five[j];
		}
		row[i].sigma = 1e-4 * row[i].seconds;
		row[i].seconds += i == 7 ? 0.5 * row[i].seconds : row[i].sigma * ft_random_normal(random);
	}
	ok(!ft_rates_document(row, 90, beta, NULL), "the document's regression");
	for (size_t j = 0; j < FT_RATE_FIVE; j++)
		worst = fmax(worst, fabs(beta[j] / truth[j] - 1));
	ok(worst < 0.02, "finds its five again, to %.2g, beside a row that is 50 %% off", worst);
	ok(near(ft_rates_by_document(row, 90, &features), 50 * beta[2] + 1000 * beta[3] + beta[4], 1e-12) &&
		   isnan(ft_rates_by_document(row, 90, &unknown)) &&
		   isnan(ft_rates_by_document(row, 2, &features)),
	   "what it says of a launch: of 1000 work-items without an operation, and 50 misses");
	row[2].five[2] = NAN;
	ok(ft_rates_document(row, 90, beta, NULL) == FT_EINVAL &&
		   ft_rates_document(row, 2, beta, NULL) == FT_ENOMODEL,
	   "a feature that is not known, and two launches, are refused");
}

/* Kernels whose time is a product of powers of the five, so that the others tell of each; and what is
 * refused.
 */
static void test_support(struct ft_random *random)
{
	struct ft_timed_launch row[90];
	static char name[18][8];
	double off, off_most;
	struct ft_err err = {0};
	size_t n;

	for (size_t i = 0; i < 90; i++) {
		double items = 1e3 * pow(1e3, ft_random_uniform(random)),
		       each = 4 * pow(256, ft_random_uniform(random));
		const double five[FT_RATE_FIVE] = {items * each, each, items * ft_random_uniform(random),
						   items, 1};

		(void)snprintf(name[i / 5], sizeof name[0], "k%zu", i / 5);
		row[i] = (struct ft_timed_launch){.kernel = name[i / 5],
						  .seconds = 1e-9 * items * pow(each, 0.8)};
		memcpy(row[i].five, five, sizeof five);
	}
	enum ft_status status = ft_rates_support(row, 90, &off, &off_most, &err);
	ok(!status && off < 1.25 && off_most >= off && off_most < 2,
	   "support vectors foretell kernels left out: off by %.3g, %.3g nine in ten", off, off_most);
	double last = off_most;
	for (size_t i = 0; i < 5; i++)
		row[i].seconds *= 100;
	status = ft_rates_support(row, 90, &off, &off_most, &err);
	ok(!status && off < 1.3 && off_most < 10 * last,
	   "one kernel that is a hundred times slower: off by %.3g, %.3g nine in ten", off, off_most);
	for (n = 1; n < 1000; n++) {
		(void)ft_alloc_fail_at(n);
		status = ft_rates_support(row, 15, &off, &off_most, NULL);
		if (!ft_alloc_fail_at(0) || status != FT_ENOMEM)
			break;
	}
	ok(n > 3, "memory that is out is said, %zu times", n - 1);
	ok(ft_rates_support(row, 5, &off, &off_most, &err) == FT_ENOMODEL, "one kernel: %s", err.text);
	row[4].five[1] = NAN;
	ok(ft_rates_support(row, 90, &off, &off_most, &err) == FT_EINVAL &&
		   strstr(err.text, "launch 5, of k0"),
	   "a feature that is not known: %s", err.text);
}

static void test_memory(struct ft_random *random)
{
	struct ft_timed_launch row[ROWS];
	double rate[FT_RATES], beta[FT_RATE_FIVE];
	struct ft_rates rates;
	size_t k;
	bool told = true;

	make_device(random, rate);
	make_rows(random, rate, row);
	for (size_t i = 0; i < ROWS; i++)
		for (k = 0; k < FT_RATE_FIVE; k++)
			row[i].five[k] = row[i].amount[FT_RATE_F32 + k];
	(void)ft_alloc_fail_at(1);
	ok(ft_rates_fit(&rates, row, ROWS, NULL, NULL) == FT_ENOMEM, "no memory for a fit");
	for (k = 1; told && k < 1000; k++) {
		(void)ft_alloc_fail_at(k);
		enum ft_status status = ft_rates_document(row, ROWS, beta, NULL);
		if (status != FT_ENOMEM)
			break;
		told = status == FT_ENOMEM;
	}
	(void)ft_alloc_fail_at(0);
	ok(k > 2 && k < 1000 && !ft_rates_document(row, ROWS, beta, NULL),
	   "nor for the document's, %zu times", k - 1);
}

/* Launches as text, read again, are the same launches; when memory runs out, none. */
static void test_text(struct ft_random *random)
{
	struct ft_timed_launch row[ROWS];
	double rate[FT_RATES];
	struct ft_timed timed = {.row = row, .n = ROWS, .device = "opencl:0", .driver = "made, \"1.0\""},
			again;
	struct ft_err err = {0};
	char *text = NULL;
	size_t wrong = 0, n;

	make_device(random, rate);
	make_rows(random, rate, row);
	for (size_t i = 0; i < ROWS; i++)
		memcpy(row[i].five, row[i].amount, sizeof row[i].five);
	row[0].kernel = "a, \"b\"";
	ok(!ft_timed_write(&timed, &text, NULL) && !ft_timed_parse(&again, "text", text, &err) &&
		   again.n == ROWS && !strcmp(again.device, timed.device) &&
		   !strcmp(again.driver, timed.driver),
	   "launches are written, and read again %s", err.text);
	for (size_t i = 0; i < again.n; i++) {
		wrong += strcmp(row[i].kernel, again.row[i].kernel) != 0 ||
			 memcmp(row[i].amount, again.row[i].amount, sizeof row[i].amount) != 0;
		wrong += row[i].seconds < again.row[i].seconds || row[i].seconds > again.row[i].seconds;
	}
	ok(!wrong, "... each as it was (%zu are not)", wrong);
	ft_timed_clear(&again);
	ok(ft_timed_parse(&again, "text", "kernel,seconds\nk,1\n", &err) == FT_EPARSE && !again.row &&
		   !again.csv,
	   "columns that lack: %s", err.text);
	free(text);
	for (n = 1; n < 1000; n++) {
		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft_timed_write(&timed, &text, NULL);
		if (!ft_alloc_fail_at(0) || status != FT_ENOMEM)
			break;
	}
	ok(n > 2 && !wrong && text, "memory that is out is said, %zu times", n - 1);
	free(text);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	test_exact(&random);
	test_made(&random);
	test_refused(&random);
	test_document(&random);
	test_memory(&random);
	test_support(&random);
	test_text(&random);
	return done();
}
