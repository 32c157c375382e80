/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.h - what a device needs for each thing that a kernel does: seconds an operation, seconds for 32
 * bytes, seconds a launch; from launches that were timed, for kernels that never ran (004 chapter 13).
 *
 * An answer from rates is static: nothing of that kernel was measured. How far such answers are off is
 * estimated by leaving out one kernel at a time, and reported with each of them. A kernel that does what no
 * launch of the calibration did is refused, in words.
 */
#ifndef FORETIME_RATES_H
#define FORETIME_RATES_H

#include "foretime/csv.h"
#include "foretime/kernel.h"

FT_BEGIN_DECLS

/* X(NAME, key, one of it) */
/* clang-format off */
#define FT_RATE_LIST(X) \
	X(LAUNCH, launch, "launch") \
	X(ITEM, work_item, "work-item") \
	X(F16, f16, "operation in half precision") \
	X(F32, f32, "operation in single precision") \
	X(F64, f64, "operation in double precision") \
	X(DIVIDE, divide, "division of real numbers") \
	X(MATH, math, "root or transcendental function") \
	X(INTEGER, integer, "operation on integers") \
	X(INTEGER_DIVIDE, integer_divide, "division of integers") \
	X(BRANCH, branch, "conditional jump") \
	X(BARRIER, barrier, "barrier of a work-item") \
	X(ATOMIC, atomic, "atomic operation") \
	X(LOCAL, local, "access to local memory") \
	X(PRIVATE, private, "access to constant memory, or to an array of a work-item's own") \
	X(GLOBAL, global, "access to global memory") \
	X(SECTOR, sector, "sector of 32 bytes of global memory") \
	X(MISS, miss, "cache miss")
/* clang-format on */

enum ft_rate {
#define FT_RATE_ENUM(NAME, key, about) FT_RATE_##NAME,
	FT_RATE_LIST(FT_RATE_ENUM)
#undef FT_RATE_ENUM
		FT_RATES
};

/* ft_rate_name, ft_rate_about - "f32", and in words; NULL past the last. */
const char *ft_rate_name(size_t rate);
const char *ft_rate_about(size_t rate);

/* ft_rate_amounts - how often a launch does each of them.
 *
 * amount  [FT_RATES] out; NaN: the features do not determine
 */
void ft_rate_amounts(const struct ft_kernel_features *features, double amount[FT_RATES]);

/* The five features of the document: operations, operations of a work-item, cache misses by its rule,
 * work-items, and 1. */
enum { FT_RATE_FIVE = 5 };
void ft_rate_five(const struct ft_kernel_features *features, double five[FT_RATE_FIVE]);

/* A launch that was timed. */
struct ft_timed_launch {
	const char *kernel; /* borrowed; launches of one are left out together */
	double amount[FT_RATES], five[FT_RATE_FIVE];
	double seconds, sigma; /* in the middle, and the standard deviation of one; 0: not known */
};

struct ft_rate_known {
	double seconds; /* of one; 0: less than can be distinguished */
	double error;   /* one standard deviation, as a share; NaN: not known */
	bool seen;      /* a launch did it; else nothing is known */
};

struct ft_rates {
	struct ft_rate_known rate[FT_RATES];
	double residual; /* deviation of ln seconds of the launches about the fit, robust */
	/* kernels predicted with all their launches left out */
	size_t kernels, predicted; /* the others do what only they do: they were refused */
	double off;                /* factor that half of them are off by, at most; NaN: none predicted */
	double off_most;           /* the same for 90 % of them */
};

/* ft_rates_fit - seconds of each, none below 0, that make the sum of the squares of ln(predicted / measured)
 * small, with Huber's weights for those that are far off.
 *
 * row       [n] amounts finite and >= 0, seconds > 0
 * left_out  [n] out: seconds of each row, predicted with its kernel left out; NaN: refused. May be NULL
 *
 * Returns FT_OK; FT_EINVAL: a row that makes no sense (which); FT_ENOMODEL: fewer rows than rates that they
 * show; FT_ENOMEM. Cost: some ms for 100 rows, once for each kernel. Source: doc/devices.md.
 */
enum ft_status ft_rates_fit(struct ft_rates *out, const struct ft_timed_launch *row, size_t n,
			    double *left_out, struct ft_err *err);

/* ft_rates_foretell - seconds of a launch. Returns FT_OK; FT_ENOMODEL: it does what no launch of the
 * calibration did, or what is not known: named in err. Cost: below 1 us. */
enum ft_status ft_rates_predict(const struct ft_rates *rates, const double amount[FT_RATES], double *seconds,
				struct ft_err *err);

/* ft_rates_document - the document's regression: rows divided by their deviation, robust least squares over
 * the five features (004 chapter 13); where a row's sigma is 0, 5 % of its seconds.
 *
 * beta  out: seconds an operation, an operation of a work-item, a miss, a work-item, and a launch
 *
 * Returns FT_OK; FT_EINVAL: as ft_rates_fit, or a feature that is not known; FT_ENOMODEL; FT_ENOMEM.
 */
enum ft_status ft_rates_document(const struct ft_timed_launch *row, size_t n, double beta[FT_RATE_FIVE],
				 struct ft_err *err);

/* ft_rates_by_document - seconds of a launch by that regression trained on other launches; NaN: there is
 * none, or a feature is not known. */
double ft_rates_by_document(const struct ft_timed_launch *row, size_t n,
			    const struct ft_kernel_features *features);

/* ft_rates_support - how far support vectors are off, on logarithms of the document's features, for kernels
 * whose launches are all left out: in addition to ft_rates' own off and off_most.
 *
 * off, off_most  out: factors that half of the kernels, and 90 % of them, are off by, at most
 *
 * Returns FT_OK; FT_EINVAL: as ft_rates_fit, or a feature that is not known; FT_ENOMODEL: one kernel only;
 * FT_ENOMEM. Cost: 11 fits for each kernel, 0.1 s for 18 of 5 launches.
 */
enum ft_status ft_rates_support(const struct ft_timed_launch *row, size_t n, double *off, double *off_most,
				struct ft_err *err);

/* Launches of a file. Zero-initialise; ends with ft_timed_clear. */
struct ft_timed {
	struct ft_timed_launch *row;
	size_t n;
	const char *device; /* NULL: the file does not state it */
	const char *driver; /* that it had then; NULL: the same */
	struct ft_csv *csv; /* its texts are borrowed from here; NULL: they are somebody else's */
};

/* ft_timed_read - launches as foretime device calibrate -o writes them: a column for `kernel`, `seconds`,
 * `sigma`, each rate, and the document's `operations`, `operations_each`, `misses_rule`.
 *
 * Returns FT_OK; FT_EPARSE: a column is missing, or a cell is no number; else as ft_csv_read.
 */
enum ft_status ft_timed_read(struct ft_timed *out, const char *path, struct ft_err *err);

/* ft_timed_parse - the same from memory; name stands in messages where a path would. */
enum ft_status ft_timed_parse(struct ft_timed *out, const char *name, const char *text, struct ft_err *err);

/* ft_timed_write - as ft_timed_read reads them. out: heap, ends with free. FT_ENOMEM. */
enum ft_status ft_timed_write(const struct ft_timed *timed, char **out, struct ft_err *err);
void ft_timed_clear(struct ft_timed *timed); /* accepts NULL, and twice */

/* ---- the choice ---------------------------------------------------------------------------------------- */

/* What static choices cost on launches that were timed on each device. */
struct ft_static_record {
	size_t launches;
	size_t majority; /* the device that is best most often; of equals the first */
	/* time of the chosen device by that of the best, in the geometric mean */
	double by_static, by_majority;
	bool abstain; /* the majority device is no worse: it is to be taken */
};

/* ft_static_judge - from times predicted without the launch's kernel, and measured.
 *
 * `foretold`  [launches x devices] row-major; NaN: refused: the majority device is taken there
 * measured  [launches x devices] > 0
 *
 * Returns FT_OK; FT_EINVAL: no launch, no device, or a time that is not above 0.
 */
enum ft_status ft_static_judge(struct ft_static_record *out, const double *predicted, const double *measured,
			       size_t launches, size_t devices, struct ft_err *err);

/* ft_static_choose - the device that needs least, of those that are not busy; busy  [devices] may be NULL.
 * NaN: not predicted. Returns its index; devices: there is none. */
size_t ft_static_choose(const double *seconds, const bool *busy, size_t devices);

/* ft_static_judge_timed - the same of the launches of calibrations. left_out [devices]: what ft_rates_fit
 * returned for each. Returns what ft_static_judge returns; FT_ENOMODEL: one device, or they did not make the
 * same launches in one order; FT_ENOMEM. */
enum ft_status ft_static_judge_timed(struct ft_static_record *out, const struct ft_timed *timed,
				     const double *const *left_out, size_t devices, struct ft_err *err);

/* A device, and the one for when that is busy. */
struct ft_static_choice {
	size_t best, second; /* devices: there is none */
	bool abstained;      /* best is the majority device, and not what needs least */
};

/* ft_static_decide - ft_static_choose, unless the record demands to abstain (NULL: no record). */
struct ft_static_choice ft_static_decide(const double *seconds, size_t devices,
					 const struct ft_static_record *record);

/* ---- the kernels of a calibration ---------------------------------------------------------------------- */

/* ft_micro_kernels - their source in OpenCL C 1.2: 15 that each do much of one thing, and the document's
 * three training kernels. Each takes (__global float *a, int n). Static. */
const char *ft_micro_kernels(void);

/* ft_micro_file - the same as a file that other processes can read: compilers, and who launches them. Its
 * name is good while fd is open.
 *
 * fd  out: the caller's to close; -1 where there is none
 *
 * Returns FT_OK; FT_EIO and its like: it cannot be made.
 */
enum { FT_MICRO_PATH = 64 };
enum ft_status ft_micro_file(int *fd, char path[FT_MICRO_PATH], struct ft_err *err);

struct ft_micro_launch {
	const char *kernel;
	enum ft_rate rate;          /* that it shows; FT_RATES: several */
	size_t global[2], local[2]; /* work-items: all, and of a group */
	size_t floats;              /* in its buffer */
	int n;
};

/* ft_micro_launch_get - the i-th launch; false past the last. Launches of one kernel follow each other. */
bool ft_micro_launch_get(size_t i, struct ft_micro_launch *out);

/* ft_micro_launches - how many there are. */
size_t ft_micro_launches(void);

/* ft_micro_count - what each launch does: fills kernel, amount and five of all rows, and no seconds.
 *
 * row  [ft_micro_launches()] out
 *
 * Returns FT_OK; else as ft_kernel_open and ft_kernel_features. Cost: some 5 s.
 */
enum ft_status ft_micro_count(struct ft_timed_launch *row, struct ft_err *err);

FT_END_DECLS
#endif
