/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - where a routine should run: its devices, or implementations, compared.
 *
 * Devices of a program are stored under one NAME (struct ft_program, device), each with runs and models of
 * its own. Which one is best at a size is a question to the models; which runs are still worth making is one
 * to what these do not know:
 *
 *	ft_chooser_new(&chooser, &options, err);
 *	while (!ft_chooser_ask(chooser, &next, err) && next.size.n) {
 *		struct ft_chooser_run run = {seconds_of_a_run(&next), NAN, NAN};
 *
 *		ft_chooser_tell(chooser, next.device, &next.size, &run, err);
 *	}
 *
 * A program that has to decide at each call asks a dispatcher, which waits for nothing:
 *
 *	ft_dispatch_open(&dispatch, store, "solve", NULL, err);
 *	ft_device_choose(dispatch, &n, &device, &sure);
 */
#ifndef FORETIME_DEVICE_H
#define FORETIME_DEVICE_H

#include "foretime/ask.h"
#include "foretime/measure.h"

FT_BEGIN_DECLS

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

/* All of it may be zero. */
struct ft_rank_options {
	const struct ft_resource *resource; /* the value to minimise: NULL: wall_s; energy_j */
	double watts;        /* a device whose run needs more power than this is not chosen; 0: any */
	double confidence;   /* of intervals; 0: 90 % */
	const char *machine; /* as of ft_ask_open */
	int64_t here;
	/* what drives a device now, given its program; heap, NULL: nothing that is known. A device of which
	 * another thing is stored counts as never measured. NULL: not looked at */
	char *(*driver)(void *ctx, const struct ft_program *program);
	/* the powers of the machine as a device uses it, for energy that no run measured (ft_ask_powers);
	 * false: not known. NULL: of none */
	bool (*power)(void *ctx, struct ft_answerer *answerer, struct ft_power *out);
	void *ctx;
};

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

/* ---- choosing at each call ------------------------------------------------------------------------------
 */

struct ft_dispatch;

/* ft_dispatch_open - load what is known of the devices of a program, once.
 *
 * store    needed for this call alone
 * options  may be NULL
 * out      heap, ends with ft_dispatch_close
 */
enum ft_status ft_dispatch_open(struct ft_dispatch **out, struct ft_store *store, const char *name,
				const struct ft_rank_options *options, struct ft_err *err);
void ft_dispatch_close(struct ft_dispatch *dispatch); /* accepts NULL */

size_t ft_dispatch_devices(const struct ft_dispatch *dispatch);
const char *ft_dispatch_device(const struct ft_dispatch *dispatch, size_t device);

/* ft_device_choose - the device for a size.
 *
 * sizes   a value for each parameter, in the program's order
 * device  out, its number: ft_dispatch_device has the name
 * sure    out, the chance that no other is better; 0 outside of the sizes that models were made for, where
 * NULL or the state of each; may be NULL
 *
 * Returns FT_OK; FT_EINVAL: a value that is no number. Cost: 0.14 us (bench/device/made.c); no lock, nothing
 * is allocated, any number of threads may ask. */
enum ft_status ft_device_choose(const struct ft_dispatch *dispatch, const double *sizes, size_t *device,
				double *sure);

/* ft_device_report - what a call took there: a line in the spool, which the manager takes in (as
 * ft_probe_submit of foretime-client.h). seconds > 0. FT_EINVAL; FT_EIO, FT_ENOSPC. */
enum ft_status ft_device_report(const struct ft_dispatch *dispatch, size_t device, const double *sizes,
				double seconds, struct ft_err *err);

FT_END_DECLS
#endif
