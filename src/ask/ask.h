/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - what an answerer knows. */
#ifndef FT_ASK_ASK_H
#define FT_ASK_ASK_H

#include "foretime/ask.h"

struct ft__elsewhere;

/* What requests are made of; time NULL: not asked for yet. */
struct ft__requested {
	bool asked;                              /* the rest is known */
	const struct ft_resource *time, *memory; /* NULL: not measured */
	bool cpus;                               /* some run tells processors */
	bool brief;                              /* no run that tells memory took a second */
};

struct ft_answerer {
	struct ft_store *store;       /* NULL: it answers of runs in memory, and keeps nothing (kept.c) */
	const struct ft_prior *prior; /* the store's */
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs;                /* settled: ft_runs_settle; few.c: all of them, or a few */
	struct ft_runs few;                 /* those that were there before all were read */
	size_t n_runs;                      /* in the store */
	size_t left_out;                    /* values that may not stand beside others */
	bool stands;                        /* few were chosen that may stand for all */
	struct ft_ask_whole whole;          /* of all runs, where not all are read */
	const struct ft_resource **counter; /* [n_counters] what only the runs name */
	size_t n_counters;
	struct ft_knowledge knowledge;
	size_t older; /* runs of older programs of that name on the machine */
	int64_t since_ns;
	size_t axis[FT_PARAMS_MAX], n_axes; /* the parameters that models are functions of */
	struct ft_model_record *
		*record; /* [n_records] asked for before; each on its own: callers keep them */
	size_t n_records, capacity;
	struct ft__elsewhere *elsewhere; /* the machine that is answered for, where the program was not run */
	int64_t here;                    /* this machine; 0: not known */
	/* The load functions that were last asked for; n = 0: none */
	struct ft_load_functions load;
	struct ft_ask_load beside; /* under which load is answered, and these functions are of */
	double load_share;
	/* Under FT_LOAD_AT: the observations, and what they say of a run of such a length; told: of the last
	 * answer */
	struct ft_loads loads;
	struct ft_load_hours hours;
	double hours_busy_s, hours_threads;
	struct ft_load_told_hour told;
	struct ft_slow_downs slow_downs; /* of the runs; run NULL: not asked for yet */
	struct ft__requested requested;
	struct ft_power power; /* of the machine; no parts: not known */
};

/* ft__ask_credible - an end of the interval that is farther off than a person could use is not told as a
 * number: upper is infinite, lower 0, known NaN where the whole spans more than a factor of 1000, or more
 * than a run can take. FT_ENOMODEL: the value itself is. ft__ask_anyhow - ft_ask_predict without that. */
enum ft_status ft__ask_anyhow(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);
enum ft_status ft__ask_credible(const struct ft_resource *resource, struct ft_prediction *out,
				struct ft_err *err);

/* ft__ask_read_runs - the runs of program and machine; few: those that stand for all are enough.
 * ft__ask_read_whole - all of them, before something is asked that needs them; those read before stay where
 * they are. (few.c) */
enum ft_status ft__ask_read_runs(struct ft_answerer *a, bool few, struct ft_err *err);
enum ft_status ft__ask_read_whole(struct ft_answerer *a, struct ft_err *err);

/* ft__ask_find_axes - of the runs, what ft_ask_axes tells: the parameters in which they differ; where they do
 * not, the one that has a range. */
enum ft_status ft__ask_find_axes(struct ft_answerer *a, struct ft_err *err);

/* ft__ask_forget - the models that were asked for. */
void ft__ask_forget(struct ft_answerer *answerer);

/* ft__ask_no_value - FT_ENOENT: no run has a value of a resource. */
enum ft_status ft__ask_no_value(const struct ft_answerer *a, const struct ft_resource *resource,
				struct ft_err *err);

void ft__elsewhere_free(struct ft__elsewhere *elsewhere); /* accepts NULL */

/* ft__elsewhere_predict - ft_ask_predict for the other machine. */
enum ft_status ft__elsewhere_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
				     const struct ft_size *size, double confidence, struct ft_prediction *out,
				     struct ft_err *err);

/* ft__ask_here - ft_ask_predict for the machine of the runs. */
enum ft_status ft__ask_here(struct ft_answerer *answerer, const struct ft_resource *resource,
			    const struct ft_size *size, double confidence, struct ft_prediction *out,
			    struct ft_err *err);

/* ft__ask_beside - of what a run takes alone, what it takes under the load that is asked about. */
enum ft_status ft__ask_beside(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);

/* ft__ask_by_power - whether a resource is an energy that nobody measured, and powers are known;
 * ft__ask_power_predict - that energy. */
bool ft__ask_by_power(const struct ft_answerer *a, const struct ft_resource *resource);
enum ft_status ft__ask_power_predict(struct ft_answerer *answerer, const struct ft_size *size,
				     double confidence, struct ft_prediction *out, struct ft_err *err);

/* ft__size_distance - how far two sizes are apart: the sum of the ln ratios; 1 where one is not positive. */
double ft__size_distance(const struct ft_size *a, const struct ft_size *b);

/* ft__ask_has_value - whether a run that ended well has a value of a resource. */
bool ft__ask_has_value(const struct ft_answerer *answerer, const struct ft_resource *resource);

/* ft__ask_model_predict - what the model says, and nothing else. */
enum ft_status ft__ask_model_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
				     const struct ft_size *size, double confidence, struct ft_prediction *out,
				     bool *rough, struct ft_err *err);

/* ft__ask_fineness - by which ratio neighbouring sizes may differ at most, of structure finer than the
 * distance of those measured (struct ft_fine); 1: there is none. */
double ft__ask_fineness(const struct ft_model_record *record);

/* The median of the runs of one size. */
struct ft__median {
	struct ft_size size;
	double median;
	double squares; /* sum of squares of ln value about the mean */
	size_t runs;
};

/* ft__ask_medians - of the values of a resource, by size. out: [*n] heap, ends with ft_free. */
enum ft_status ft__ask_medians(const struct ft_answerer *answerer, const struct ft_resource *resource,
			       struct ft__median **out, size_t *n, struct ft_err *err);

/* ft__ask_by_law - what a calibrated law says at a size, L there; but for the distance. */
void ft__ask_by_law(const struct ft_calibrated_law *calibration, double law, double confidence,
		    struct ft_prediction *out);

/* ft__ask_law_over_model - put in place of what a model said, where it speaks for itself (outside the
 * measured range; or between them, where it is rough), what a law that fits says. */
enum ft_status ft__ask_law_over_model(const struct ft_answerer *answerer, const struct ft_resource *resource,
				      const struct ft_calibrated_law *calibration, const struct ft_size *size,
				      double confidence, bool rough, struct ft_prediction *out,
				      struct ft_err *err);

#endif
