/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of device beyond its interface.
 *
 * Which runs of devices are still worth making is a question to what their models do not know:
 *
 *	ft_chooser_new(&chooser, &options, err);
 *	while (!ft_chooser_ask(chooser, &next, err) && next.size.n) {
 *		struct ft_chooser_run run = {seconds_of_a_run(&next), NAN, NAN};
 *
 *		ft_chooser_tell(chooser, next.device, &next.size, &run, err);
 *	}
 */
#ifndef FT_DEVICE_DOOR_H
#define FT_DEVICE_DOOR_H

#include "base/csv.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/device.h"
#include "foretime/kernel.h"
#include "foretime/measure.h"

enum { FT_DEVICES_MAX = 16 };

/* How one of several devices stands at a size. */
struct ft_standing {
	double value;  /* what a typical run takes, unit of the resource */
	double error;  /* one standard deviation of ln value */
	double chance; /* that no other takes less, 0 .. 1 */
};

/* ft_stand - which device is best, by values and errors: the chances, which sum to 1.
 *
 * standing  [n] in: value > 0, error >= 0; out: chance. n >= 1
 * loss      out: by how much the one with the least value is expected to be above the best of them all, as a
 *           logarithm: what is lost by choosing now; may be NULL
 *
 * Returns the index of that one. Cost O(n^2), 20 us for four. Source: doc/devices.md.
 */
size_t ft_stand(struct ft_standing *standing, size_t n, double *loss);

/* ---- which run is worth making ------------------------------------------------------------------------- */

struct ft_chooser_options {
	struct ft_space
		space[FT_PARAMS_MAX]; /* [n_params] ranges of predictions; least == most: that value */
	size_t n_params;
	bool (*admits)(void *ctx, const struct ft_size *size); /* NULL: all sizes make sense */
	void *ctx;
	size_t n_devices;
	double tolerance; /* the loss that is left, over all sizes in the mean; 0: 2 % */
	double budget_s;  /* of all runs; 0: none */
	double longest_s; /* no run that is expected to take longer; 0: none */
	size_t points;    /* sizes of each device, at most; 0: no limit */
	bool by_value;    /* the value to minimise is given with the seconds: energy */
	double watts;     /* a device is not chosen where a typical run of it draws more; 0: any */
};

/* Why it asks no more. X(name, what a person reads) */
#define FT_CHOOSER_STOP_LIST(X)                                                                              \
	X(DECIDED, "decided")                                                                                \
	X(BUDGET, "budget")                                                                                  \
	X(POINTS, "as many sizes as were to be")                                                             \
	X(UNREACHABLE, "no run that may be made decides more")                                               \
	X(ALONE, "one device is left")                                                                       \
	X(NONE, "no device is left")

enum ft_chooser_stop {
#define FT_CHOOSER_STOP_ENUM(name, words) FT_CHOOSER_##name,
	FT_CHOOSER_STOP_LIST(FT_CHOOSER_STOP_ENUM)
#undef FT_CHOOSER_STOP_ENUM
};

const char *ft_chooser_stop_text(enum ft_chooser_stop stop);

/* The run to make next. */
struct ft_chooser_next {
	size_t device;
	struct ft_size size; /* n = 0: no run is worth making */
	double gain; /* by how much it is expected to lower the loss; NaN: one of the first, made anyhow */
	double expected_s; /* that it will take; NaN: not known */
};

struct ft_chooser;

/* ft_chooser_new - sizes are equally likely in each part of their logarithms.
 *
 * out  heap, ends with ft_chooser_free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: no device or more than FT_DEVICES_MAX, no parameter that varies, a range at or
 * below 0, no size that is admitted; FT_ENOMEM.
 */
enum ft_status ft_chooser_new(struct ft_chooser **out, const struct ft_chooser_options *options,
			      struct ft_err *err);
void ft_chooser_free(struct ft_chooser *chooser); /* accepts NULL */

/* ft_chooser_ask - the run that takes away most of the expected loss for each second of it; each device is
 * first run at two sizes, one above the other. Calling again without a result returns the same. FT_ENOMEM.
 * Cost: some 0.1 s for four devices over one parameter. */
enum ft_status ft_chooser_ask(struct ft_chooser *chooser, struct ft_chooser_next *next, struct ft_err *err);

/* What a run took. */
struct ft_chooser_run {
	double seconds; /* > 0; NaN: it failed, and no size as large is chosen for that device any more */
	double value;   /* of by_value: of the value to minimise, > 0 */
	double watts;   /* where those are bounded: that it drew, > 0 */
};

/* ft_chooser_tell - a run was made, chosen by it or not. FT_EINVAL; FT_ENOMEM: it was not taken in. */
enum ft_status ft_chooser_tell(struct ft_chooser *chooser, size_t device, const struct ft_size *size,
			       const struct ft_chooser_run *run, struct ft_err *err);

/* ft_chooser_drop - a device is gone: it gets no further runs, and is not chosen. */
void ft_chooser_drop(struct ft_chooser *chooser, size_t device);

/* ft_chooser_loss - that is expected to be left, as a share; NaN: not every device has two sizes yet. After
 * an ask; ft_chooser_stop: why it returned none. */
double ft_chooser_loss(const struct ft_chooser *chooser);
enum ft_chooser_stop ft_chooser_stop(const struct ft_chooser *chooser);

/* ft_chooser_at - how the devices stand at a size.
 *
 * standing  [n_devices] out; a device that failed there, or is gone, has value INFINITY and chance 0
 * best      out
 *
 * Returns FT_OK; FT_ENOMODEL: no device has a run; FT_ENOMEM. */
enum ft_status ft_chooser_at(struct ft_chooser *chooser, const struct ft_size *size,
			     struct ft_standing *standing, size_t *best, struct ft_err *err);

/* ---- a chooser at work -----------------------------------------------------------------------------------
 */

struct ft_decide_progress {
	size_t device;
	struct ft_size size;
	double expected_s;        /* NaN: not known */
	double loss;              /* that is left; NaN: not known yet */
	double spent_s, budget_s; /* 0: none */
	size_t runs;
};

struct ft_decide_options {
	const struct ft_resource *resource; /* the value to minimise; NULL: wall_s; energy_j */
	double watts;                       /* as of struct ft_chooser_options, as are ... */
	double tolerance, budget_s;         /* ... these */
	double timeout_s;                   /* of one run; 0: none */
	size_t points;
	const volatile sig_atomic_t *interrupt;                                 /* NULL: none */
	void (*progress)(void *ctx, const struct ft_decide_progress *progress); /* NULL: no listener */
	void *ctx;
};

/* One of the devices. */
struct ft_decide_device {
	struct ft_program *program; /* stored, with its ranges and its device; borrowed */
	struct ft_source *source;   /* borrowed */
	struct ft_power power; /* that is drawn by its runs without measured energy; no parts: not known */
	size_t runs, failed;   /* out: made now */
	size_t known;          /* out: that the store had */
	double cost_s;         /* out: of those made now */
	bool gone;             /* out: its least size cannot be run */
	char *detail;          /* out: the last words of a run that failed; heap; NULL */
};

struct ft_decide_report {
	enum ft_chooser_stop stop;
	bool interrupted;
	double loss; /* that is expected to be left; NaN: not known */
	size_t runs;
	double cost_s;
};

/* ft_decide - measure where the choice between devices is not known: runs are made here, one after another,
 * and stored as they are made; runs that the store has count.
 *
 * device  [n] their details end with ft_decide_clear, also on failure
 *
 * The first run of a device without runs is a warm-up. One that fails is made once more; then no size as
 * large is run there any more.
 *
 * Returns FT_OK, also when interrupted; FT_EUNAVAIL: a run lacks the value to minimise, or its energy;
 * what ft_chooser_new, the source and the store return. */
enum ft_status ft_decide(struct ft_store *store, struct ft_decide_device *device, size_t n,
			 const struct ft_machine *machine, const struct ft_decide_options *options,
			 struct ft_decide_report *report, struct ft_err *err);
void ft_decide_clear(struct ft_decide_device *device, size_t n);

/* ---- the devices of a stored program --------------------------------------------------------------------
 */

/* Why a device is not chosen. X(name, what a person reads) */
#define FT_RANK_LIST(X)                                                                                      \
	X(CHOSEN_FROM, "")                                                                                   \
	X(WATTS, "it needs more power than it may")                                                          \
	X(FAILS, "no run as large ended well")                                                               \
	X(DRIVER, "its driver is another one now")                                                           \
	X(UNKNOWN, "nothing is known of it there")

enum ft_rank_why {
#define FT_RANK_ENUM(name, words) FT_RANK_##name,
	FT_RANK_LIST(FT_RANK_ENUM)
#undef FT_RANK_ENUM
};

const char *ft_rank_text(enum ft_rank_why why);

/* One device at a size. */
struct ft_rank {
	const char *device; /* borrowed from the ranking; "" of runs of no device */
	struct ft_prediction at;
	double watts;  /* of a typical run; NaN: not known */
	double wait_s; /* until the device is free */
	double chance; /* that it is the best; 0 where it is not chosen from */
	enum ft_rank_why why;
};

struct ft_ranking;

/* ft_ranking_open - the models of all devices of a program, or of its only one.
 *
 * store    borrowed, must outlive the ranking
 * options  borrowed, too; may be NULL
 * out      heap, ends with ft_ranking_close
 *
 * Returns FT_OK; what ft_ask_open returns; FT_ENOMODEL: nothing was run; FT_EINVAL: more than FT_DEVICES_MAX,
 * devices whose parameters differ. */
enum ft_status ft_ranking_open(struct ft_ranking **out, struct ft_store *store, const char *name,
			       const struct ft_rank_options *options, struct ft_err *err);
void ft_ranking_close(struct ft_ranking *ranking); /* accepts NULL */

size_t ft_ranking_devices(const struct ft_ranking *ranking);
const char *ft_ranking_device(const struct ft_ranking *ranking, size_t device);
struct ft_answerer *ft_ranking_answerer(const struct ft_ranking *ranking, size_t device);
const char *ft_ranking_driver(const struct ft_ranking *ranking,
			      size_t device); /* that changed; NULL: did not */

/* ft_ranking_wait - until a device is free: what is to be least is then the time from now until a run has ended.
 * Without effect on energy. */
void ft_ranking_wait(struct ft_ranking *ranking, size_t device, double wait_s);

/* ft_ranking_at - how they stand at a size.
 *
 * rank  [ft_ranking_devices] out, in the order of the ranking
 * best  out; ft_ranking_devices: none can be chosen
 * loss  as of ft_stand; may be NULL
 */
enum ft_status ft_ranking_at(struct ft_ranking *ranking, const struct ft_size *size, struct ft_rank *rank,
			     size_t *best, double *loss, struct ft_err *err);

/* ---- tables ---------------------------------------------------------------------------------------------
 */

enum { FT_TABLE_NODES = 63, FT_TABLE_SURE = 65 };

/* A node of a tree: values of a parameter below `edge` go to `below`, the rest to `above`. Both are 0 in a
 * leaf, which has a device. */
struct ft_table_node {
	size_t param, below, above;
	double edge;
	size_t device; /* of a leaf, and of a node the one that is best without further data */
	double sure;   /* mean chance that it is the best */
};

/* Which device is best where: plain data. */
struct ft_table {
	size_t n_params, n_devices;
	char param[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	struct ft_table_node node[FT_TABLE_NODES]; /* [n] the first is the root */
	size_t n;
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX]; /* sizes between which it was made */
	double loss;                /* over these, in the mean, against asking the models each time */
	size_t axis;                /* of one parameter that varies: ... */
	double sure[FT_TABLE_SURE]; /* ... the chances along ln of it */
	bool one;                   /* ... and whether it is so */
};

/* ft_table_make - from the least to the largest sizes of the ranges, or of the runs where no value is stated.
 * Over one parameter edges are exact; switching must pay by 1 % somewhere. FT_ENOMODEL: no device can be
 * chosen anywhere. */
enum ft_status ft_table_make(struct ft_table *out, struct ft_ranking *ranking, struct ft_err *err);

/* ft_table_find - the leaf of sizes [n_params]. */
const struct ft_table_node *ft_table_find(const struct ft_table *table, const double *sizes);

/* ft_table_header - as a header in C for programs that link nothing: an enum of the devices and a function
 * NAME_device of the parameters. out: heap, ends with free. FT_EINVAL: devices whose names become the same.
 */
enum ft_status ft_table_header(const struct ft_table *table, const struct ft_ranking *ranking,
			       const char *name, char **out, struct ft_err *err);

/*
 * What a device needs for each thing that a kernel does: seconds an operation, seconds for 32
 * bytes, seconds a launch; from launches that were timed, for kernels that never ran (004 chapter 13).
 *
 * An answer from rates is static: nothing of that kernel was measured. How far such answers are off is
 * estimated by leaving out one kernel at a time, and reported with each of them. A kernel that does what no
 * launch of the calibration did is refused, in words.
 */

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

/* ft_rates_predict - seconds of a launch. Returns FT_OK; FT_ENOMODEL: it does what no launch of the
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
 * predicted  [launches x devices] row-major; NaN: refused: the majority device is taken there
 * measured   [launches x devices] > 0
 *
 * Returns FT_OK; FT_EINVAL: no launch, no device, or a time that is not above 0.
 */
enum ft_status ft_static_judge(struct ft_static_record *out, const double *predicted, const double *measured,
			       size_t launches, size_t devices, struct ft_err *err);

/* ft_static_choose - the device that needs least, of those that are not busy; busy  [devices] may be NULL.
 * NaN: not predicted. Returns its index; devices: there is none. */
size_t ft_static_choose(const double *seconds, const bool *busy, size_t devices);

/* ft_static_judge_timed - ft_static_judge of the launches of calibrations. left_out [devices]: what ft_rates_fit
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

#endif
