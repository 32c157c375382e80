/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of sweep beyond its interface. */
#ifndef FT_SWEEP_DOOR_H
#define FT_SWEEP_DOOR_H

#include "foretime/build.h"
#include "foretime/load.h"
#include "foretime/measure.h"
#include "foretime/store.h"
#include "foretime/sweep.h"

/* ft_sweep_method - what the way to build is called: the builder's name, another one where the tolerance is
 * of the top. Sizes chosen like that do not bound the speeds between them as a share of each, which a band
 * needs: the models are then the engine's. */
const char *ft_sweep_method(const struct ft_sweep_options *options);

/* ft_sweep_lose - a piece never came back: its run is offered again, with another id. Should it come back
 * after all, it is reported as ever. FT_OK; FT_EEXIST: it was reported; FT_ENOENT: there is none with that
 * id. */
enum ft_status ft_sweep_lose(struct ft_sweep *sweep, uint64_t id, struct ft_err *err);

/* ft_sweep_adopt - a run that an earlier sweep handed out is still on its way: it is in flight in this one,
 * too, and not made twice.
 *
 * piece  as it was handed out; it gets its id in this sweep, and what is known of it now
 *
 * Returns FT_OK; FT_EINVAL: the size is none of this sweep (report it as one that was not requested);
 * FT_ENOMEM.
 */
enum ft_status ft_sweep_adopt(struct ft_sweep *sweep, struct ft_sweep_piece *piece, struct ft_err *err);

/* ft_sweep_look - runs that other processes have added to the store since (another program submitted its
 * timings) are known from now on: the sweep is then where a new one would be that read the store, except for
 * what it counts as its own. Pieces that are out stay out: one that was not started may be given back, and
 * what is needed now be handed out.
 *
 * n_new  out, how many they are, whether or not they are at sizes of this sweep
 *
 * Returns FT_OK; what the store and the builder return, FT_ENOMEM: nothing has changed then. Cost: a query,
 * microseconds, where there are none; else that of ft_sweep_new.
 */
enum ft_status ft_sweep_look(struct ft_sweep *sweep, size_t *n_new, struct ft_err *err);

/* ft_sweep_return - a piece was not started: as though it had not been handed out. FT_OK; FT_EEXIST: it was
 * reported, or lost; FT_ENOENT: there is none with that id. */
enum ft_status ft_sweep_return(struct ft_sweep *sweep, uint64_t id, struct ft_err *err);

/* ft_sweep_measure - make a piece of work here, by the source, and report it. Waits for the run. When the
 * source or the store fails, what they return: the piece is lost. */
enum ft_status ft_sweep_measure(struct ft_sweep *sweep, const struct ft_sweep_piece *piece,
				struct ft_err *err);

/* ft_sweep_progress - how far it is. */
void ft_sweep_progress(const struct ft_sweep *sweep, struct ft_progress *out);

/* The progress of a running build in the store, for observers. */
struct ft_building {
	int64_t told_ns;          /* get: when it was written */
	struct ft_size size;      /* of the run that is made */
	enum ft_reason reason;    /* why that size */
	double gain;              /* by how much it is expected to lower the mean error; NaN: not weighed */
	double expected_s;        /* that the run is expected to take; NaN: not known */
	double spent_s, budget_s; /* budget 0: none */
	double tolerance;         /* target accuracy of the typical run */
	double complete;          /* as of struct ft_progress */
	size_t points, runs;
};

/* ft_building_put - by the building process: our process. ft_building_end: it ended. FT_OK; what the store
 * returns.
 */
enum ft_status ft_building_put(struct ft_store *store, int64_t program, int64_t machine,
			       const struct ft_building *building, struct ft_err *err);
enum ft_status ft_building_end(struct ft_store *store, int64_t program, int64_t machine, struct ft_err *err);

/* ft_building_get - FT_ENOENT: no build of it runs on this machine, also where one that did was killed. */
enum ft_status ft_building_get(struct ft_store *store, int64_t program, int64_t machine,
			       struct ft_building *out, struct ft_err *err);

/* The same for the page, which waits for no store: a text of this process in a folder of this user's session
 * (building.c). store: a path. ft_live_put returns false where it cannot be kept; ft_live_end removes it.
 * ft_live_each: those of all processes that build models for this store now, of less than FT_LIVE_BYTES. */
enum { FT_LIVE_BYTES = 1 << 18 };
bool ft_live_put(const char *store, const char *text);
void ft_live_end(const char *store);
void ft_live_each(const char *store, void (*each)(void *ctx, const char *text), void *ctx);

/* What keeps sizes beyond ft_reach.most out. X(name, what is printed) */
#define FT_REACH_LIST(X)                                                                                     \
	X(MEMORY, "memory")            /* the memory that runs need, extrapolated */                         \
	X(KILLED, "killed for memory") /* a run */                                                           \
	X(FAILED, "failed")            /* a run */                                                           \
	X(WHERE, "constraint")         /* of the program: no larger size meets it */

enum ft_reach_bound {
#define FT_REACH_ENUM(name, words) FT_REACH_##name,
	FT_REACH_LIST(FT_REACH_ENUM)
#undef FT_REACH_ENUM
};

const char *ft_reach_text(enum ft_reach_bound bound);

/* How far sizes may go. */
struct ft_reach {
	double most;        /* the largest size */
	double limit_bytes; /* what a run may need */
	double need_bytes;  /* what a run at `most` is expected to need */
	double seconds;     /* and to take, in wall seconds; NaN: not known */
	enum ft_reach_bound bound;
	double bound_at; /* the size of the run that was killed or failed; NaN */
	size_t runs;     /* made now */
	double cost_s;   /* of these runs */
};

/* ft_sweep_reach - the largest size of a program that fits memory, without exhausting it: ever larger cheap
 * sizes are run (least, twice that, four times ...; runs that the store has are used), until one takes a
 * twentieth of the budget (2 s without one) or an eighth of the memory; a + b n^p is then continued.
 *
 * program      stored; nothing of it is changed.
 *
 *              Other parameters with a range stand at their least value, or, where the constraint does not
 *              admit that, at the least equal share of their ranges that it admits; cheap sizes are then run
 *              along each of them, too
 *
 * varying      index of the parameter that will get the range: least (and its stride) stands there
 *
 * options      budget_s, timeout_s, interrupt, progress
 *
 * limit_bytes  what a run may need, > 0: a share of ft_memory_limit_bytes
 *
 * Returns FT_OK; FT_EINVAL: memory does not bound the size, because it does not grow (or cannot be seen to,
 * in so short runs), or not even the smallest size fits; FT_ENOMODEL: the smallest size cannot be run;
 * FT_EUNAVAIL: the memory of the runs is not known; FT_EINTR; what the source and the store return. The runs
 * are kept in the store in every case.
 */
enum ft_status ft_sweep_reach(struct ft_store *store, struct ft_program *program, size_t varying,
			      const struct ft_machine *machine, struct ft_source *source,
			      const struct ft_sweep_options *options, double limit_bytes,
			      struct ft_reach *out, struct ft_err *err);

#endif
