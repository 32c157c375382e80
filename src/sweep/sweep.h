/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the state of a sweep, shared by its files: its beginning and its end (sweep.c), the next run
 * (visit.c), pieces handed out (step.c), finished runs (report.c), background load (load.c), and the state
 * and price of sizes (known.c). */
#ifndef FT_SWEEP_SWEEP_H
#define FT_SWEEP_SWEEP_H

#include "build/door.h"
#include "facts/door.h"
#include "foretime/build.h"
#include "foretime/facts.h"
#include "foretime/sweep.h"
#include "load/door.h"
#include "measure/door.h"
#include "sweep/door.h"

/*
 * The memory that runs need, as a law of the size.
 */

/* The memory of a run at a size. */
struct ft__need {
	double x, bytes;
};

/* ft__need_at - the expected need of a run at x; NaN: n = 0.
 *
 * need  [n] ascending by x
 *
 * Between two sizes the straight line. Outside them a + b x^p through three sizes that lie apart: most of a
 * small run's memory is not its data, and the power law that suits times would lag behind. If there are only
 * two, the larger one of a straight line and a power law.
 */
double ft__need_at(const struct ft__need *need, size_t n, double x);

/* ft__need_grows - whether the largest of the sizes needs clearly more than the smallest. */
bool ft__need_grows(const struct ft__need *need, size_t n);

/* The state of one size: index i corresponds to report.size[i]. */
struct ft__tally {
	double *seconds; /* [n] of the steering resource, of the runs that ended well, in their order */
	size_t n, capacity;
	double *cost_s;  /* [n] what the same runs cost in all; shares n and capacity */
	double *rest_s;  /* [n] of this, what was not the time that they ran; the same */
	double *limit_s; /* [limits] of the same resource, values reached by runs at their time limit */
	size_t limits, limits_capacity, timeouts; /* timeouts: also of those without a value */
	double told_s, ran_s;   /* sums of seconds, and of the time that the same runs ran */
	double footprint_bytes; /* the largest of the same runs; 0: not known */
	double work;            /* reported by the last of them; 0: none */
	double median_cost_s;
	size_t requested; /* runs of this size in all, also failed ones: the index of the next one */
	size_t tries;     /* failed ones since one ended well */
	size_t wanted;    /* of a builder that repeats: the value of n that this visit may reach */
	bool given;       /* the last of the runs was one that somebody needed anyhow */
	bool visited;     /* the builder requested it, and did not get its result since */
	size_t in_flight,
		lost;         /* pieces of this process: those that are out, and those that never came back */
	size_t last_piece;    /* the id of the last of them; 0: none */
	double ended_s;       /* the longest run that was ended for its share of the budget */
	double spent_s;       /* on repetitions here, in this sweep */
	double cpu_s, wall_s; /* sums over the n_cpu runs that have both */
	size_t n_cpu;
	bool over;      /* most runs meet their time limit */
	bool closed;    /* no further run makes sense here: it failed for good, or a replay has no more */
	bool absent;    /* a replay has none, or the program reports the size as invalid */
	bool too_large; /* it was left out: it would not fit memory */
};

/* The state of a piece of work: a lost one may still come back. */
enum ft__fate { FT__OUT, FT__LOST, FT__BACK };

/* A run that was handed out: sweep->piece[id - 1]. */
struct ft__piece {
	size_t place, index; /* the so-manieth run of this size */
	size_t previous;     /* the id of the piece before it at the same place; 0: none */
	double limit_s;      /* 0: none */
	bool warmup, last;   /* last: its limit was all that the budget left */
	bool counted;        /* its run is one of place->requested */
	enum ft__fate fate;
};

struct ft_sweep {
	struct ft_store *store;
	struct ft_program *program;
	const struct ft_machine *machine;
	struct ft_source *source;        /* NULL: runs are made elsewhere */
	struct ft_sweep_options options; /* with defaults filled in */
	struct ft_sweep_options given;   /* as passed by the caller */
	struct ft_sweep_report report;
	struct ft_builder *builder;
	size_t visit[FT_ASK_MAX], n_visits; /* the places that the builder requested */
	struct ft__piece *piece;            /* [n_pieces] */
	size_t n_pieces, pieces_capacity, in_flight;
	double reserved_s; /* of the budget, for those in flight */
	size_t warming;    /* the id of the warm-up, while it is out; 0: it is not */
	bool ended;
	enum ft_status broken;              /* its state no longer corresponds to the store */
	size_t axis[FT_PARAMS_MAX], n_axes; /* the parameters that vary */
	size_t varying;                     /* the first of them */
	struct ft_size fixed;               /* the values of those that vary are 0 */
	struct ft_expr *where;              /* the constraint on sizes; NULL: none */
	double *covered[FT_PARAMS_MAX];     /* recorded values that a range lists; NULL: all count */
	struct ft_runs known;               /* runs that the store had at the start, or the last look */
	int64_t *own; /* [n_own] ascending: the ids of the runs made by this sweep, warm-ups included */
	size_t n_own, own_capacity;
	char *stamp; /* of the program's files when they were last compared with its version; NULL: not yet */
	int64_t seen;            /* the newest run of the store then */
	size_t kept;             /* added by this sweep since, its own runs and unrequested ones */
	double given_s;          /* of runs that a user needed anyhow, not charged to the budget */
	struct ft__tally *place; /* [report.n_sizes] */
	size_t capacity;
	bool warm; /* the warm-up has been run, or is not needed */
	bool out_of_budget;
	double hindered_s, alone_s,
		others; /* of n_hindered runs made now: wall times, those when idle, sum of other tasks */
	size_t n_hindered;
	int processors;
	struct ft_load_recorder *recorder; /* NULL: the background load is not observed */
	struct ft_load_functions load;     /* n = 0: cuts are those of an idle machine */
	struct ft__need *need;             /* [n_needs] ascending: the most that a run needed at each size */
	size_t n_needs, needs_capacity;
	double *kill; /* [n_kills] sizes at which runs were killed for memory */
	size_t n_kills, kills_capacity;
	double good;               /* the largest size at which a run ended well */
	double memory_limit_bytes; /* 0: not known */
	/* Over several parameters, where a limit is given: what runs needed, and the model of it (NULL: none
	 * yet) */
	struct ft_observation *memory; /* [n_memory] */
	size_t n_memory, memory_capacity;
	struct ft_model *memory_model;
};

/* ft__place_index - the index of a size; SIZE_MAX: it is new. */
size_t ft__place_index(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__place_of - the index of a size, which is added (with what the store knew of it) when it is new.
 * Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__place_of(struct ft_sweep *sweep, const struct ft_size *size, size_t *index,
			    struct ft_err *err);

/* An empty report. */
extern const struct ft_sweep_report ft__no_report;

/* ft__is_asked - whether runs at a size belong to the sweep: the size is within the ranges. */
bool ft__is_asked(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__count_known - count the cost of a stored run, if it is at a size of the sweep. */
void ft__count_known(struct ft_sweep *sweep, const struct ft_run *run);

/* ft__spent - seconds of the budget that are spent: by the runs made now, and by earlier builds on the
 * same sizes. Runs that a user needed anyhow cost nothing. */
double ft__spent(const struct ft_sweep *sweep);

/* How often a failing size is tried, since a failure may be an accident. */
enum { FT__TRIES = 2 };

/* ft__learn - enter a run of a place, and pass it to a builder that repeats: a failure only once the size
 * is not tried again. */
enum ft_status ft__learn(struct ft_sweep *sweep, size_t index, const struct ft_run *run, struct ft_err *err);

/* ft__learn_known - the same for a run that was not requested: from the store, or from another process. */
enum ft_status ft__learn_known(struct ft_sweep *sweep, const struct ft_run *run, struct ft_err *err);

/* ft__tell_known - pass the store's runs to a builder that repeats, one by one in their order: it is then
 * in the state it had after getting them first. */
enum ft_status ft__tell_known(struct ft_sweep *sweep, struct ft_err *err);

/* ft__place_nearest - the place with runs that is nearest to a size, by the logarithms; SIZE_MAX: none. */
size_t ft__place_nearest(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__price - expected wall seconds of a run at a size: by the builder; if it has no price,
 * ft__price_along: the power law through the nearest size that was run, with the exponents of those near
 * that one. NaN: not known. */
double ft__price(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__admits - whether a size meets the program's constraint. */
bool ft__admits(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__where_parse - the constraint of the program, if it has one: sweep->where. FT_EINVAL: it uses what is no
 * parameter; what ft_expr_new returns. */
enum ft_status ft__where_parse(struct ft_sweep *sweep, struct ft_err *err);

/* ft__value_at - the value of a parameter at a share of its range, the nearest admissible one. */
double ft__value_at(const struct ft_param *param, double share);

/* ft__builder_make - the builder for the options: FT_EINVAL: a constraint that is invalid, or admits
 * nothing; work that is not positive; what the builder rejects. */
enum ft_status ft__builder_make(struct ft_sweep *sweep, struct ft_err *err);
void ft__builder_clear(struct ft_sweep *sweep);

/* sizes  [most] */
enum ft_status ft__builder_ask(struct ft_sweep *sweep, struct ft_size *sizes, size_t most, size_t *n,
			       struct ft_err *err);

/* ft__builder_price - what runs cost, as far as it is known; before each ask. ft__builder_tell - of a place.
 */
enum ft_status ft__builder_price(struct ft_sweep *sweep, struct ft_err *err);
enum ft_status ft__builder_tell(struct ft_sweep *sweep, size_t index, struct ft_err *err);
bool ft__builder_repeats(const struct ft_sweep *sweep);
void ft__builder_report(struct ft_sweep *sweep);

/* ft__builder_seconds - the time of a run at a size, as expected by the builder that requested it; NaN: it
 * has none. */
double ft__builder_seconds(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__hindrance_add - learn from a run; ft__hindrance - of the runs made now. */
void ft__hindrance_add(struct ft_sweep *sweep, const struct ft_run *run);

/* ft__load_begin - begin to observe the background load; load its history, if cuts use it. Returns what
 * the store returns; FT_ENOMEM. It is no error if the load cannot be observed. */
enum ft_status ft__load_begin(struct ft_sweep *sweep, struct ft_err *err);

/* ft__load_observe - between two runs: store the background load since the last observation, when one is
 * due. */
void ft__load_end(struct ft_sweep *sweep);

/* ft__load_at - the load that a run at x will meet, for a builder (struct ft_build_options, load). */
void ft__load_at(void *ctx, const struct ft_size *size, double seconds, double load[2]);

/* ft__sweep_check - what a sweep returns once it lost track; FT_OK: it did not. */
enum ft_status ft__sweep_check(const struct ft_sweep *sweep, struct ft_err *err);

/* ft__is_here - whether runs are made on this machine, so that its memory and background load count. */
bool ft__is_here(const struct ft_sweep *sweep);

/* ft__visit_made - of the requested places without a result so far, the share that has the runs it needs. */
double ft__visit_made(const struct ft_sweep *sweep);

/* ft__visit_end - the builder got the result of a place, or will be queried for it again. */
void ft__visit_end(struct ft_sweep *sweep, size_t index);

/* ft__runs_keep - store the runs of one execution, all or nothing: that of the process, and those of its
 * routines. own: it was handed out; the first run of all may be a warm-up. */
enum ft_status ft__runs_keep(struct ft_sweep *sweep, struct ft_runs *runs, bool own, bool warmup,
			     struct ft_err *err);

/* ft__guard_begin - from now on the memory of runs is watched: what they need, and what they were killed for.
 */
void ft__guard_begin(struct ft_sweep *sweep);
enum ft_status ft__guard_known(struct ft_sweep *sweep, struct ft_err *err); /* of the store's runs */
void ft__guard_end(struct ft_sweep *sweep);

/* ft__guard_add - learn from a run. FT_ENOMEM. */
enum ft_status ft__guard_add(struct ft_sweep *sweep, const struct ft_run *run, struct ft_err *err);

/* ft__guard_killed - the smallest size at which a run was killed for memory, without a larger one that
 * ended well: nothing is run from there on. NaN: none. */
double ft__guard_killed(const struct ft_sweep *sweep);

/* ft__guard_closes - whether a size is there or above, or too large; over several parameters, whether a
 * run was killed for memory at one that is larger in none of them. */
bool ft__guard_closes(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__guard_need - what a run at a size is expected to need, bytes; NaN: not known. */
double ft__guard_need(const struct ft_sweep *sweep, const struct ft_size *size);

/* ft__guard_too_large - whether a size is expected to need too much memory: more than the given limit;
 * with one parameter only if the builder repeats, and then, without a limit, more than four times the
 * machine's memory. */
bool ft__guard_too_large(const struct ft_sweep *sweep, const struct ft_size *size);

#endif
