/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.h - the table of probes: what each gives, whether it works here, and what it does about a run.
 *
 * A probe is a file with a const struct ft__probe_ops, and a row of the table in probes.c.
 */
#ifndef FT_MEASURE_PROBES_H
#define FT_MEASURE_PROBES_H

#include "foretime/measure.h"
#include "measure/client.h"
#include "measure/report.h"

/* What there is to read once a run has ended; borrowed. */
struct ft__result {
	const struct ft__answer *answer;
	const struct ft__routine *routine; /* whose run it is, or the only one of a process; NULL: none */
};

/* A run to be made once more, for one probe's sake; borrowed. */
struct ft__again {
	const struct ft_size *size;
	const char *file; /* the executable */
	char **argv;
	double limit_s;           /* <= 0: none; of the run itself */
	const struct ft_run *run; /* as it was made: of the process */
	size_t routines;          /* that it told of; one stands for the process */
	const volatile sig_atomic_t *interrupt;
	const struct ft__frozen *frozen; /* may be NULL */
};

/* What is done about a run. All but one of read and read_routine may be NULL. Rows that share an instrument
 * share these. */
struct ft__probe_ops {
	/* Before the first run. *state stays NULL where the launch does not wish for it: nothing else is
	 * called then. NULL: it is always wished for, and has no state.
	 *
	 * client  its helper may be told what to do
	 *
	 * Returns FT_OK, also where it does not work here: its samples will say why; FT_EINVAL: the launch
	 * names what there is not; FT_EIO, FT_EUNAVAIL; FT_ENOMEM. */
	enum ft_status (*open)(void **state, const struct ft_launch *launch, struct ft__client *client,
			       struct ft_err *err);
	void (*close)(void *state);
	/* A run is about to start: set what its order needs. Returns whether it wants to hear while the run
	 * goes on, as struct ft__ear has it. */
	bool (*arm)(void *state, struct ft__order *order);
	void (*hear)(void *state);
	size_t (*files)(void *state, int *file, size_t most);
	/* It has ended: add samples to run; FT_OK or FT_ENOMEM. Not called for a run that was not started. A
	 * routine that the program told of is a run by itself. */
	enum ft_status (*read)(void *state, const struct ft__result *result, struct ft_run *run,
			       struct ft_err *err);
	enum ft_status (*read_routine)(void *state, const struct ft__result *result, struct ft_run *run,
				       struct ft_err *err);
	/* Whether a run has to be made once more for it, and doing so; it is read after that. Both or none.
	 * cost_s  added to
	 * Returns FT_OK, also where that failed: its samples will say why; FT_EIO: the helper is lost;
	 * FT_ENOMEM. */
	bool (*wants)(const void *state, const struct ft_run *run);
	enum ft_status (*repeat)(void *state, const struct ft__again *again, double *cost_s,
				 struct ft_err *err);
};

/* A row. */
struct ft__probe {
	struct ft_probe_kind kind;
	const struct ft__probe_ops *ops; /* NULL: it does nothing about a run */
};

extern const struct ft__probe_ops ft__child_probe, ft__report_probe, ft__io_probe, ft__calls_probe,
	ft__schedstat_probe, ft__tree_probe, ft__energy_probe, ft__counters_probe, ft__valgrind_probe,
	ft__caches_probe, ft__freeze_probe, ft__watcher_probe;

/* ---- the probes of a launch --------------------------------------------------------------------------- */

enum { FT__PROBES_MAX = 16 };

/* Zero-initialise; ends with ft__probes_close. */
struct ft__probes {
	struct {
		const struct ft__probe_ops *ops;
		void *state;
		bool hears;
	} probe[FT__PROBES_MAX]; /* [n] in the order of the table */
	size_t n;
	struct ft__ear ear;
};

/* ft__probes_open - those that the launch wishes for. Returns as open of the rows. */
enum ft_status ft__probes_open(struct ft__probes *probes, const struct ft_launch *launch,
			       struct ft__client *client, struct ft_err *err);
void ft__probes_close(struct ft__probes *probes); /* twice, too */

/* ft__probes_arm - a run is about to start. order: borrows probes until it has ended */
void ft__probes_arm(struct ft__probes *probes, struct ft__order *order);

/* ft__probes_read - samples of a process's run; ft__probes_read_routine: of a routine's.
 * result  NULL: of those that may have repeated it */
enum ft_status ft__probes_read(struct ft__probes *probes, const struct ft__result *result, struct ft_run *run,
			       struct ft_err *err);
enum ft_status ft__probes_read_routine(struct ft__probes *probes, const struct ft__result *result,
				       struct ft_run *run, struct ft_err *err);

/* ft__probes_wanting - the first probe from an index on that wants the run once more; its index, or n. */
size_t ft__probes_wanting(const struct ft__probes *probes, size_t from, const struct ft_run *run);
enum ft_status ft__probes_repeat(struct ft__probes *probes, size_t i, const struct ft__again *again,
				 double *cost_s, struct ft_err *err);

/* ---- whether it works here ---------------------------------------------------------------------------- */

/* What the rows have as available, each in the file of its probe. */
enum ft_status ft__counters_available(struct ft_err *err);
enum ft_status ft__software_available(struct ft_err *err);
enum ft_status ft__rapl_available(struct ft_err *err);
enum ft_status ft__nvidia_available(struct ft_err *err);

/* The failure in err is that a probe is not available, whatever it was: returns FT_EUNAVAIL. */
enum ft_status ft__unavailable(struct ft_err *err);

/* A failure as the reason of an unavailable sample: its text and the remedy. heap, ends with ft_free; NULL:
 * no memory. */
char *ft__reason(const struct ft_err *err);

/* ft__not_ended - whether a process of the run could not be ended: the kernel adds up what it used only when
 * it has, so that until then 0 is no measure. why: in these words. */
bool ft__not_ended(const struct ft__reply *reply, struct ft_err *why);

/* ft__add_unavailable - a sample that is not to be had, with why as its reason. */
enum ft_status ft__add_unavailable(struct ft_run *run, const struct ft_resource *resource, const char *probe,
				   const struct ft_err *why, struct ft_err *err);

/* ft__add_measured - one that is. */
enum ft_status ft__add_measured(struct ft_run *run, const struct ft_resource *resource, double value,
				const char *probe, struct ft_err *err);

#endif
