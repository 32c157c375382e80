/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.h - the answers of commands, HTTP and the page: a struct and a table of rows for each. */
#ifndef FT_TELL_ANSWERS_H
#define FT_TELL_ANSWERS_H

#include "adapt/door.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/adapt.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/kernel.h"
#include "foretime/law.h"
#include "foretime/manager.h"
#include "foretime/measure.h"
#include "foretime/model.h"
#include "foretime/plan.h"
#include "foretime/store.h"
#include "foretime/sweep.h"
#include "law/door.h"
#include "load/door.h"
#include "measure/door.h"
#include "plan/door.h"
#include "store/door.h"
#include "sweep/door.h"
#include "tell/tell.h"

#include <jansson.h>

/*
 * A query to a manager, and its answer.
 */

/* ft_tell_target_add - append a pair, encoded, to the query string of a target. prefix: "size." of a
 * parameter, or "". */
void ft_tell_target_add(struct ft_text *target, const char *prefix, const char *key, const char *value);

/* ft_tell_ask - request a target from a manager.
 *
 * socket  NULL: the usual one
 * target  "/predict/NAME?size.n=512", taken; NULL: no memory
 * out     the answer, an object; ends with json_decref; NULL on failure
 *
 * Returns as ft_manager_predict does. */
enum ft_status ft_tell_ask(const char *socket, char *target, json_t **out, struct ft_err *err);

struct ft_tell_record;

/* One of several managers. Texts are borrowed. */
struct ft_tell_asked {
	const char *address, *token, *authority; /* as in ft__http_fetch */
	json_t *answer;                          /* out: the caller's; NULL: none, err has the reason */
	struct ft_err err;                       /* FT_ENOMODEL: it answers, and refuses */
};

/* ft_tell_ask_all - request a target from all of them at the same time, and wait so long at most.
 *
 * record  what they have to answer, in the version of this program
 */
void ft_tell_ask_all(struct ft_tell_asked *asked, size_t n, const char *target,
		     const struct ft_tell_record *record, double limit_s);

/* ft_tell_get_number - a member of an object; NaN: it is none, or null. */
double ft_tell_get_number(const json_t *object, const char *key);

/*
 * Records that many answers share: machines, programs, runs.
 */

extern const struct ft_tell_record ft_tell_machine; /* struct ft_machine */
extern const struct ft_tell_record ft_tell_failing; /* struct ft_run: from its size on none ended well */

/* struct ft_program: what it is; and its params alone. */
extern const struct ft_tell_record ft_tell_program, ft_tell_param, ft_tell_params;

/* struct ft_run: the run queue around it. struct ft_sample: with its resource, and after it. */
extern const struct ft_tell_record ft_tell_queue, ft_tell_sample, ft_tell_sample_by;

#define FT_TELL_OUTCOMES "done|failed|crashed|timed out|out of memory|not valid|not started|interrupted"
#define FT_TELL_LABELS   "measured|simulated|estimated|unavailable"

/* ft_tell_machine_here - the id of this machine in a store; 0: it is not there, or cannot be identified.
 * Writes nothing. */
int64_t ft_tell_machine_here(struct ft_store *store);

/* ft_tell_failure_text - "timed out", "failed with status 3"; heap, ends with ft_free; NULL: no memory. */
char *ft_tell_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail);

/*
 * Records of models that several answers share.
 */

extern const struct ft_tell_record ft_tell_change; /* struct ft_change */

/* A model, by its resource. */
struct ft_answer_model {
	const struct ft_resource *resource;
	const char *method; /* NULL: fitted to runs from elsewhere */
	struct ft_model_facts facts;
	int64_t made_ns;
};
extern const struct ft_tell_record ft_tell_model;

/* Of struct ft_model_facts: runs that met a limit, and batches of runs; null if there are none. */
extern const struct ft_tell_record ft_tell_limits, ft_tell_batches;

/* ft_tell_limits_text - "8 of 30 runs met a limit of 40 min". ft_tell_batches_text - "50 runs, all within one
 * hour: ...". NULL: nothing to report, or no memory; else heap, ends with ft_free. */
char *ft_tell_limits_text(const struct ft_model_facts *facts, const char *unit);
char *ft_tell_batches_text(const struct ft_model_facts *facts);

/* Parameters without effect, and those whose effects cannot be separated. */
struct ft_answer_together {
	const char *name[2];
	size_t n;   /* 2 */
	bool equal; /* they had the same value in each run */
};

struct ft_answer_axes {
	const char *flat[FT_PARAMS_MAX];
	struct ft_answer_together together[FT_PARAMS_MAX];
	size_t n_flat, n_together;
};
extern const struct ft_tell_record ft_tell_axes;

/* ft_tell_axes_flat - the parameters without effect on any of some resources (n 0: of all).
 * ft_tell_axes_find - these, and those whose effects cannot be separated; names are borrowed. */
void ft_tell_axes_flat(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       bool flat[FT_PARAMS_MAX]);
void ft_tell_axes_find(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       struct ft_answer_axes *out);

extern const struct ft_tell_record ft_tell_pass; /* struct ft_pass */

/* The fields of each prediction, in this order: value, known, lower, upper. */
#define FT_TELL_KNOWN                                                                                        \
	"accuracy: the typical run lies within value / (1 + accuracy) .. value * (1 + accuracy), at the "    \
	"same "                                                                                              \
	"confidence"

/* ft_tell_interval - "1.2 s .. 1.4 s"; "-": there is none; heap, ends with ft_free; NULL: no memory. */
char *ft_tell_interval(const struct ft_prediction *prediction, const char *unit);

/* ft_tell_basis - "measured", "extrapolated 4x, n^2", "0 in 15 of 16 runs"; heap, as above.
 *
 * law  that extrapolates the curve; NULL: none fits well
 */
char *ft_tell_basis(const struct ft_prediction *prediction, const char *law);

#define FT_TELL_KNOWN_TO                                                                                     \
	"accuracy: 90 % of typical runs, over the whole range, lie within +- this share of the prediction"
#define FT_TELL_SLOW_DOWN "slowdown of runs by contention, at least 1 (ft_run_alone)"
#define FT_TELL_OTHERS    "background load: runnable tasks of other processes, the mean"
#define FT_TELL_KILLED                                                                                       \
	"smallest size at which a run was killed for memory, where no larger one ended well: larger sizes "  \
	"are "                                                                                               \
	"not run"
#define FT_TELL_SCATTER "noise: 90 % of single runs lie within about +- this share of the typical one"

#define FT_TELL_BASES "measured|interpolated|extrapolated|estimated"
#define FT_TELL_ALIKE                                                                                        \
	"any hour|the same hour of each day|the same hour of working days, or of weekends|the same hour of " \
	"that day of the week"
#define FT_TELL_VIEWS "idle|usual|now|at"

/*
 * The output of `foretime request`.
 */

struct ft_answer_need {
	struct ft_need need; /* null where it has no resource */
	double request;      /* rounded up, as requested */
	const char *query;   /* the same for people */
};
extern const struct ft_tell_record ft_tell_need;

struct ft_answer_formula {
	struct ft_request_expression said; /* null where its text is; borrowed */
	struct ft_size known;              /* up to which it is an answer */
	const char *unit, *python, *groovy;
};

struct ft_answer_at {
	struct ft_size size;
};

struct ft_answer_request {
	const char *name;
	const struct ft_run *failing; /* NULL: all ended well */
	struct ft_answer_axes axes;
	const struct ft_machine *machine;
	double risk;
	enum ft_load_view load;
	const struct ft_answer_at *at; /* NULL: the request is for all sizes */
	struct ft_answer_need time, memory, scratch, gpu_memory;
	double cpus, gpus, overhead, killed;
	bool brief, refuted;
	bool answered; /* ft_tell_answered; else why not, and what to do */
	const char *reason, *advice;
	const struct ft_size *measure; /* NULL: no doubts */
	const char *retry;             /* NULL: the risk was stated */
	const char *slurm;
	struct ft_answer_formula time_of, memory_of, scratch_of;
	struct ft_memory_steps steps; /* n 0: not requested */
};
extern const struct ft_tell_record ft_tell_request;

/*
 * Round a request, and print it as a line of a batch system.
 */

/* A batch system: what it calls time, memory and processors. */
struct ft_tell_batch;

/* ft_tell_batch_find - "slurm", "pbs", "lsf" or "htcondor"; NULL: no such batch system. */
const struct ft_tell_batch *ft_tell_batch_find(const char *name);

/* Memory of other processes in a job: its shell. bash held 2 MB and dash 1.6 MB here; profiles and modules
 * need more. */
enum { FT_TELL_SHELL_BYTES = 8000000 };

/* ft_tell_minutes - rounded up to whole minutes, and above 20 of them to a step of a twentieth at most: 1,
 * 5, 10, 15, 30, 60 ... */
double ft_tell_minutes(double seconds);

/* ft_tell_mib - bytes, rounded up to MiB. */
double ft_tell_mib(double bytes);

/* ft_tell_cpus - round a number of busy processors to whole ones; a tenth of one is ignored. NaN: not
   known. */
double ft_tell_cpus(double busy);

/* ft_tell_margin - the factor of memory. brief: it was measured in runs of under a second only. */
double ft_tell_margin(bool brief);

/* The lower and upper bounds of a request; zero: no bound. */
struct ft_tell_bounds {
	double least_bytes, most_bytes, most_s;
};

/* ft_tell_bounds_read - the upper bounds, "64GiB", "2d" or "64GiB,2d", into bounds; the lower one is there.
 *
 * Returns FT_OK; FT_EPARSE; FT_EINVAL: one that is 0, or below the lower one. */
enum ft_status ft_tell_bounds_read(const char *text, struct ft_tell_bounds *bounds, struct ft_err *err);

/* ft_tell_bytes - the memory to request for a run that may need `most`. overhead: of other processes in
 * the job. bounds: may be NULL. ft_tell_seconds - time. */
double ft_tell_bytes(double most, bool brief, double overhead, const struct ft_tell_bounds *bounds);
double ft_tell_seconds(double most, const struct ft_tell_bounds *bounds);

/* ft_tell_scratch - the temporary disk to request, in bytes; 0: none is known, or it is so little (64 MiB) that
 * every node has it. Slurm rejects --tmp where its nodes state no disk. */
double ft_tell_scratch(const struct ft_request *request);

/* ft_tell_answered - whether there is a number to request: the prediction is sufficient, or there is a bound
 * to request instead; and a typical run stays within the bounds.
 *
 * request  in and out: a bound that is requested instead is `most`
 *
 * Returns FT_OK; FT_ENOMODEL: no, with the reason and a remedy. */
enum ft_status ft_tell_answered(struct ft_request *request, const struct ft_program *program,
				const struct ft_size *size, double overhead,
				const struct ft_tell_bounds *bounds, struct ft_err *err);

/* Room for "05:00", "03:10:00", "2-12:00:00", as Slurm reads times. */
enum { FT_TELL_CLOCK = 48 };

/* The request before rounding; NaN: unknown. */
struct ft_tell_query {
	double seconds, bytes, cpus;
	double scratch; /* bytes of temporary disk; 0: none */
	bool gpu;       /* a graphics device */
};

/* ft_tell_batch_line - "--time=... --mem=... --cpus-per-task=...", as the system has it. Heap, ends with
 * free; NULL: no memory. */
char *ft_tell_batch_line(const struct ft_tell_batch *batch, const struct ft_tell_query *query);

/* Storage of an answer's texts; ends with ft_tell_request_clear. */
struct ft_tell_request_text {
	char time[FT_TELL_CLOCK], memory[FT_UNIT_LENGTH], scratch[FT_UNIT_LENGTH], gpu_memory[FT_UNIT_LENGTH],
		*slurm;
};
void ft_tell_request_clear(struct ft_tell_request_text *text); /* accepts what is zero, and twice */

/* ft_tell_request_sized - the answer for a request at one size.
 *
 * request  as ft_tell_answered left it
 * output   in and out: answered; risk, overhead and cpus (0: as measured) are from the query; time,
 * memory, cpus, brief, killed, refuted and slurm are set
 * text     out, also on failure; output borrows from it
 *
 * Returns FT_OK; FT_EINVAL: as ft_tell_holdable; FT_ENOMEM. */
enum ft_status ft_tell_request_sized(struct ft_answer_request *output, const struct ft_request *request,
				     const struct ft_tell_bounds *bounds, struct ft_tell_request_text *text,
				     struct ft_err *err);

/*
 * Requests for all rules of a workflow, as files of the systems that run it (workflow.c).
 */

/* A rule, process or tool. Borrowed. */
struct ft_tell_rule {
	const char *name;
	const char *param; /* what its sizes are */
	const char *size; /* the size of a job as the system states it (ft_tell_size_text); NULL: it cannot */
	const struct ft_tries *tries;
	size_t runs, sizes; /* sizes 0: not known */
	double least, most; /* of the sizes measured */
};

/* Borrowed. */
struct ft_tell_workflow {
	const char *from;                /* what the runs were read from */
	const struct ft_tell_rule *rule; /* [n] */
	size_t n;
	double overhead; /* bytes, of other processes of a job */
	struct ft_tell_bounds bounds;
};

/* What a file of ours begins with, behind the mark of a comment: only such a file is replaced. */
#define FT_TELL_WRITTEN " Written by foretime request --from"

/* A system, and the files that it takes. */
struct ft_tell_profile {
	const char *name; /* "snakemake" */
	double overhead;  /* of a job's other processes, bytes */
	struct {
		const char *name; /* of the file; NULL: there is one only */
		void (*write)(const struct ft_tell_workflow *workflow, struct ft_text *text);
	} file[2];
};

/* ft_tell_profile_get - the i-th: snakemake, nextflow, tpv; NULL past the last. */
const struct ft_tell_profile *ft_tell_profile_get(size_t i);

/* ft_tell_size_text - a parameter of a rule as an expression of a workflow system: the stated one (NULL: none); else,
 * of one that is called after a size of files, that of all inputs of the job; else what the system has under its name.
 * Heap, ends with ft_free; NULL: it has none, or memory is out. */
char *ft_tell_size_text(const struct ft_tell_profile *profile, const char *param, const char *stated);

/* ft_tell_size_unit - the bytes of a parameter's unit that is called after a size of files: 1, 2^20 or 2^30; NaN: it
 * is called otherwise. */
double ft_tell_size_unit(const char *param);

/* ft_tell_try_bytes, ft_tell_try_seconds - what a try (from 0) requests, at the largest size measured where it depends
 * on that: memory with margin and overhead, time in whole minutes. NaN: it was not measured. */
double ft_tell_try_bytes(const struct ft_tell_workflow *workflow, const struct ft_tell_rule *rule, size_t k);
double ft_tell_try_seconds(const struct ft_tell_workflow *workflow, const struct ft_tell_rule *rule,
			   size_t k);

/*
 * The output of `foretime export --json`.
 */

/* Borrowed. */
struct ft_answer_export {
	struct ft_program program;
	const struct ft_machine *machine;
	struct ft_runs runs;
};
extern const struct ft_tell_record ft_tell_export;

/*
 * Fit laws to samples: the runs of a program, or a table.
 *
 * 	struct ft_fit fit = {.query = &query};
 *
 * 	ft_fit_runs(&fit, answerer, err);
 * 	ft_fit_sizes(&fit, err);
 * 	ft_fit_answer(&fit, &object, err);
 * 	ft_fit_clear(&fit);
 */

/* Samples of which one law is to be found. */
struct ft_fit_group {
	const char *name; /* NULL: there is one group only */
	struct ft_law_place *sample;
	size_t n, capacity;
};

/* The input and options of a fit. Zero-initialise except for `query` and `prior`; ends with ft_fit_clear. */
struct ft_fit {
	const struct ft_query *query;
	const struct ft_prior *prior; /* of the model of a table; NULL: the built-in one */
	struct ft_arena memory;
	struct ft_answerer *answerer;       /* NULL: the samples come from a table */
	const char *source;                 /* the name of the program, or the path */
	struct ft_program program;          /* only its params are set: those of the laws */
	const struct ft_resource *resource; /* of the table of resources, of the runs, or: */
	struct ft_resource column;          /* a column that is none, by its name: plain numbers */
	struct ft_fit_group *group;
	size_t n, capacity;
	struct ft_model_facts facts; /* limits.runs > 0: some runs met a limit, and count as what is expected
					above it */
	double (*x)[FT_LAW_PARAMS];  /* [n_x] sizes to predict */
	size_t n_x, x_capacity;
	struct ft_law_any *found; /* of the group fitted last */
};

/* The law's prediction at a size, and that of foretime predict from the same samples (NaN: it has no model
 * of them). */
struct ft_fit_prediction {
	struct ft_size size;
	struct ft_law_prediction law;
	struct ft_prediction model;
};
extern const struct ft_tell_record ft_fit_predictions;

struct ft_fit_class {
	const char *text;
	struct ft_law_factor factor;
	double weight;
};

struct ft_fit_candidate {
	const char *law;
	double weight;
};

struct ft_fit_break {
	struct ft_law_break at;
	const char *law;
};

/* The law of a group. Missing numbers are NaN. */
struct ft_fit_law {
	const char *group, *error, *law, *words; /* NULL: none */
	size_t runs, n_classes, n_candidates, n_breaks, n_predictions;
	double sizes, terms, misfit, noise, residual, residual_ln;
	struct ft_law_number power;
	bool called, exact;
	struct ft_fit_class *class;
	struct ft_fit_candidate *candidate;
	struct ft_fit_break *broken;
	struct ft_fit_prediction *prediction;
	struct ft_err why; /* status: there is no law, and this is why */
};

extern const struct ft_tell_record ft_tell_fit;

void ft_fit_clear(struct ft_fit *fit);

/* ft_fit_add - one sample more. group: NULL where there is one only. FT_ENOMEM. */
enum ft_status ft_fit_add(struct ft_fit *fit, const char *group, const struct ft_law_place *sample,
			  struct ft_err *err);

/* ft_fit_runs - the samples of a program's runs. Returns FT_OK; FT_EINVAL: an option needs one parameter;
 * FT_ENOENT: no run has the resource; FT_ENOMODEL: too many parameters; FT_ENOMEM. */
enum ft_status ft_fit_runs(struct ft_fit *fit, struct ft_answerer *answerer, struct ft_err *err);

/* ft_fit_sizes - every combination of the values that the words name, and that the program admits. Returns
 * FT_OK; FT_EINVAL; FT_ENOMEM. */
enum ft_status ft_fit_sizes(struct ft_fit *fit, struct ft_err *err);

/* ft_fit_find - the law of a group, also stored in fit->found; without one out->why has the reason. Memory
 * is the fit's. FT_OK; FT_ENOMEM. */
enum ft_status ft_fit_find(struct ft_fit *fit, size_t index, struct ft_fit_law *out, struct ft_err *err);

/* ft_fit_answer - laws as JSON. law: [fit->n]. FT_OK; FT_ENOMEM. */
enum ft_status ft_fit_answer(struct ft_fit *fit, struct ft_fit_law *law, json_t **out, struct ft_err *err);

/* ft_fit_text - a law in the names of the parameters; memory is the fit's; "": there is none left. */
const char *ft_fit_text(struct ft_fit *fit, const struct ft_law *law, int digits);

/*
 * The coverage of predictions.
 */

/* with->program names the parameters. */
struct ft_answer_kept {
	const struct ft_resource *resource;
	struct ft_kept kept;
};
extern const struct ft_tell_record ft_tell_kept, ft_tell_kept_run; /* the latter: of struct ft_kept_run */

/*
 * The output of `foretime device`, and its parser.
 */

struct ft_answer_count {
	const char *name;
	double value, each; /* of the launch; of a work-item */
};

struct ft_answer_expression {
	const char *count, *text; /* text: NULL: not known, or too long */
	bool known;
	int64_t difference[FT_KERNEL_TERMS];
	size_t n; /* 0: not known */
};

struct ft_answer_expressions {
	struct ft_kernel_variable variable[FT_KERNEL_VARIABLES];
	size_t n_variables, degree, runs;
	struct ft_answer_expression expression[FT_KERNEL_COUNTS];
	size_t n;
};

struct ft_answer_kernel {
	const char *file, *kernel, *hash;
	int compiler;
	struct ft_kernel_features features;
	double operations, operations_each;
	struct ft_answer_count *count;             /* [n] borrowed */
	size_t n, dims;                            /* dims: FT_KERNEL_DIMS */
	struct ft_answer_expressions *expressions; /* NULL: not requested */
};

extern const struct ft_tell_record ft_tell_kernel; /* struct ft_answer_kernel */
extern const struct ft_tell_record ft_tell_kernel_count, ft_tell_kernel_expression, ft_tell_kernel_access,
	ft_tell_kernel_met;

/* ft_tell_kernel_counts - those that are not zero; each: work-items. Returns how many. */
size_t ft_tell_kernel_counts(struct ft_answer_count out[FT_KERNEL_COUNTS],
			     const double count[FT_KERNEL_COUNTS], double work_items);

/* ft_tell_kernel_expressions - of those that are not zero everywhere. */
void ft_tell_kernel_expressions(struct ft_answer_expressions *out, const struct ft_kernel_expressions *from);

/*
 * Requests for all sizes as a file of knots, for `foretime export --format knots`.
 */

/* A limit that kills one job in twenty makes all wait longer, one in a hundred does not; and programs change.
 */
#define FT_TELL_KNOTS_RISK   0.01
#define FT_TELL_KNOTS_LIFE_S (30 * 86400.0)

/* Nodes of one kind in a partition, and what is known of the program there. Borrowed. */
struct ft_tell_place {
	const char *partition;
	struct ft_answerer *answerer;
	double limit_s, memory_bytes; /* INFINITY: no limit; 0: not known */
};

/* ft_tell_knots - memory as `request --format slurm` asks for it.
 *
 * place    [n] where jobs may run, adjacent for one partition: each knot lists the partitions tied with the
 * best one (ft_plan_rank), and the request for each of these; n 0: none
 * risk     share of runs that may need more
 * lives_s  how long, from now on, the text is valid
 * out      heap, ends with free; NULL on failure
 *
 * Returns FT_OK; what ft_ask_request_knots and ft_carry_write_knots return. */
enum ft_status ft_tell_knots(struct ft_answerer *answerer, const struct ft_tell_place *place, size_t n,
			     double risk, double lives_s, char **out, struct ft_err *err);

/*
 * Parse the values of each parameter: "n=512,1000:2000:100" are twelve of n.
 */

enum { FT_VALUES_MOST = 1000000 }; /* combinations of one question */

/* Zero-initialise; ends with ft_values_clear. */
struct ft_values {
	struct ft_values_axis {
		char name[FT_PARAM_LENGTH];
		double *value; /* [n], n > 0 */
		size_t n, room;
	} axis[FT_PARAMS_MAX];
	size_t n;
};

/* ft_values_add - those of a list, VALUE|LEAST:MOST[:STEP|:*FACTOR],...; several lists of one parameter add
 * up.
 *
 * Returns FT_OK; FT_EPARSE, FT_EINVAL: as ft_param_parse; FT_EINVAL: more than FT_VALUES_MOST, or too many
 * parameters; FT_ENOMEM.
 */
enum ft_status ft_values_add(struct ft_values *values, const char *name, const char *list,
			     struct ft_err *err);

/* ft_values_count - FT_EINVAL: the combinations are more than `most`. last: the word that is to blame, as
 * typed. */
enum ft_status ft_values_count(const struct ft_values *values, size_t most, const char *last,
			       struct ft_err *err);

/* ft_values_get - the names and the values of a combination. name, value  [FT_PARAMS_MAX] out */
void ft_values_get(const struct ft_values *values, const size_t step[], const char **name, double *value);

/* ft_values_next - from one combination, a place on each axis, to the next; all zero is the first, the last
 * parameter varies fastest. False: that was the last. */
bool ft_values_next(const struct ft_values *values, size_t step[]);
void ft_values_clear(struct ft_values *values);

/*
 * The output of `foretime largest`.
 */

struct ft_answer_limit {
	struct ft_limit limit;
	const char *typed; /* its value, as it was typed */
};
extern const struct ft_tell_record ft_tell_limit;

/* One answer. */
struct ft_answer_largest {
	struct ft_largest found;
	double largest, distance; /* NaN unless found */
	struct ft_answer_limit *limit;
	size_t n;
};

/* Several of them, for combinations of the other parameters' values. */
struct ft_answer_several {
	bool frontier;
	struct ft_answer_largest *answer;
	size_t n;
};

struct ft_answer_limits {
	const char *name;
	const struct ft_machine *machine;
	double confidence;
	enum ft_load_view load;
	const char *parameter;
	const struct ft_run *failing; /* NULL: all ended well */
	struct ft_answer_axes axes;
	const struct ft_answer_largest *only; /* or NULL */
	const struct ft_answer_several *several;
};
extern const struct ft_tell_record ft_tell_largest;

enum { FT_LIMITS_MOST = 16 };

/* The question as it was understood, and its answers. Ends with ft_largest_clear. */
struct ft_largest_answers {
	struct ft_answer_limits output; /* the object; borrows from the answerer and from what follows */
	struct ft_answer_limit limit[FT_LIMITS_MOST]; /* [n] as in the query */
	size_t n;
	struct ft_values values;            /* of the parameters that have some */
	size_t open[FT_PARAMS_MAX], n_open; /* the parameters to find: several for the frontier */
	size_t left[FT_PARAMS_MAX], n_left; /* those without effect and without a value */
	struct ft_answer_several several;   /* the answers; output.several if there is one a row */
	size_t room;
};

/* ft_largest_find - the largest size that fits the limits, for each combination of the given values; with
 * several open parameters, their largest combinations.
 *
 * query  its words are limits (time, memory, or a resource) and values of parameters
 * out    cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: no limit, two on one resource, no open parameter, more combinations
 * than answers_most; what ft_ask_largest and ft_ask_frontier return.
 */
enum ft_status ft_largest_find(struct ft_largest_answers *out, struct ft_answerer *answerer,
			       const struct ft_query *query, struct ft_err *err);
void ft_largest_clear(struct ft_largest_answers *answers); /* accepts twice */

/* ft_largest_name - of the i-th parameter to find. */
const char *ft_largest_name(const struct ft_largest_answers *answers, const struct ft_program *program,
			    size_t i);

/*
 * List the programs of a store.
 */

extern const struct ft_tell_record ft_tell_entry; /* struct ft_store_entry */
extern const struct ft_tell_record ft_tell_list;  /* struct ft_store_list */

/* ft_tell_list_find - the programs that match a query. out: ends with ft_store_list_clear. Returns FT_OK;
 * FT_EINVAL: fields that exclude each other; what the store returns. */
struct ft_query;
enum ft_status ft_tell_list_find(struct ft_store *store, const struct ft_query *query,
				 struct ft_store_list *out, struct ft_err *err);

/* ft_tell_entry_pick - of a program's entries the one that is meant: on the machine named; or on this one; or
 * the only one.
 *
 * list    of one name, all machines and hashes
 * chosen  out, its index
 *
 * Returns FT_OK; FT_ENOENT, with the machines that there are. */
enum ft_status ft_tell_entry_pick(struct ft_store *store, const struct ft_store_list *list, const char *name,
				  const char *machine, size_t *chosen, struct ft_err *err);

/*
 * The state of a manager, and the score of its server.
 */

extern const struct ft_tell_record ft_tell_server;

struct ft_answer_health {
	const char *status, *fault, *version, *store;
	double up_s;
	/* of benchmarks; NULL: no problem is configured */
	const char *state, *why, *running;
	size_t problems, waiting, failed;
};
extern const struct ft_tell_record ft_tell_health;

/* The result of storing a model. */
struct ft_answer_put {
	const char *name;
	size_t runs, known;
};
extern const struct ft_tell_record ft_tell_put;

/* The result of stopping a problem, or continuing it. */
struct ft_answer_stopped {
	const char *name;
	bool stopped;
};
extern const struct ft_tell_record ft_tell_stopped;

/* The output of `foretime serve explain`. */
struct ft_answer_window {
	int64_t from_ns, to_ns;
	char *rule; /* the policy, in words */
};

struct ft_answer_problem {
	const char *name, *builder;
	double priority;
	bool own; /* its own policies apply */
	struct ft_answer_window *window;
	size_t n_windows;
	bool more;            /* more windows than are listed */
	char *fault, *remedy; /* why it cannot run; NULL: it can */
};

struct ft_answer_condition {
	const char *condition; /* its kind */
	bool holds;
	char *why; /* NULL: it does not hold */
};

struct ft_answer_day {
	const char *order;
	struct ft_answer_condition *now; /* each that is named, as it is at this moment */
	size_t n_now;
	struct ft_answer_problem *problem;
	size_t n;
};
extern const struct ft_tell_record ft_tell_day;

/* An event of benchmarks. Fields that do not apply to it are NULL or NaN. */
struct ft_answer_event {
	const char *event; /* a word of FT_TELL_EVENTS */
	const char *name;
	const char *size, *outcome; /* "n=512" */
	const char *why, *remedy;
	double seconds, frozen_s; /* of the run */
	double complete;          /* 0 .. 1 */
	double again_s;           /* seconds until it is tried again */
};
#define FT_TELL_EVENTS "started|ran|frozen|thawed|ended|failed|model|hopeless|kept|broken|stopped|continued"
extern const struct ft_tell_record ft_tell_event;

/* Totals of the manager so far. */
struct ft_answer_construction {
	size_t runs, frozen, ended, failures; /* failures: of sweeps */
	size_t broken;                        /* contracts */
	double spent_s, frozen_s;
	double overhead_s; /* from one run to the next, within a sweep */
};

/* The state of a problem in the queue. */
struct ft_answer_queued {
	const char *name, *state, *why; /* why it does not run */
	const char *next;               /* size, "n=512" */
	double priority, complete, gain, seconds, query, again_s;
	size_t runs, interrupted;
	int64_t waits_ns;
};

struct ft_answer_benchmarks {
	const char *order, *state, *why, *running; /* running: its name; NULL: none */
	const char *way;                           /* how it is paused */
	struct ft_answer_construction done;
	struct ft_answer_queued *problem;
	size_t n;
};
extern const struct ft_tell_record ft_tell_benchmarks;

/*
 * The cost of energy, in several answers.
 */

enum { FT_TELL_CURRENCY = 16 };

/* A stated price. */
struct ft_answer_price {
	double per_kwh, co2_g_per_kwh;   /* > 0; else: not stated */
	double per_hour, per_core_hour;  /* of a machine, of each core that a run keeps busy; likewise */
	char currency[FT_TELL_CURRENCY]; /* "": none was given */
};
extern const struct ft_tell_record ft_tell_price; /* null: no price was given */

/* The cost of some energy, or of some time. */
struct ft_answer_cost {
	double cost, co2_g; /* NaN: not requested */
};
extern const struct ft_tell_record ft_tell_cost; /* rows */

/* ft_tell_cost_of_time - seconds of so many cores at a price; NaN: no price of time was stated, or the number of
 * cores matters and is not known. */
double ft_tell_cost_of_time(const struct ft_answer_price *price, double seconds, double cores);

/* ft_tell_money - an amount with three digits; "": NaN. Ends with free; NULL: no memory. */
char *ft_tell_money(double value);

/* ft_tell_cost_of - joules at a price. */
struct ft_answer_cost ft_tell_cost_of(const struct ft_answer_price *price, double joules);

/*
 * The output of `foretime plan`: an answer for each action. Texts and lists are borrowed.
 */

/* ---- partition ---------------------------------------------------------------------------------------- */

/* Why there is no division, and what a processor takes at most. */
struct ft_answer_cap {
	const char *name, *host; /* of the program; NULL: where its runs are */
	int64_t most;
	enum ft_cost_end end;
};

struct ft_answer_undivided {
	int64_t missing, nearest; /* as of struct ft_partition */
	const struct ft_answer_cap *cap;
	size_t n;
};

struct ft_answer_point {
	double time_s, energy_j;
	bool knee;
};
extern const struct ft_tell_record ft_tell_point;

/* The share of one processor. */
struct ft_answer_share {
	const char *processor, *name, *host; /* its label; program; NULL: where its runs are */
	struct ft_size size; /* the units, for columns: with->program has the parameter that is divided */
	int64_t units, most; /* most: that it can take, and `end` why no more */
	double share, time_s, energy_j; /* energy_j NaN: not requested */
	struct ft_prediction at;        /* lower NaN: none */
	enum ft_plan_binds binds;
	enum ft_cost_end end;
	bool rough;
};
extern const struct ft_tell_record ft_tell_share;

struct ft_answer_shares {
	double time_s, equal_s; /* of the answer; of equal shares, INFINITY: they do not fit */
	const struct ft_plan *seconds, *joules; /* one of them is NULL */
	struct ft_answer_price price;
	struct ft_answer_cost cost;
	double lines_within, risk, risk_each; /* risks NaN: typical runs */
	const struct ft_answer_point *point;
	size_t n_points;
	const struct ft_answer_share *share;
	size_t n;
};

struct ft_answer_partition {
	const char *parameter;
	int64_t total;
	bool feasible;
	/* exactly one is set */
	const struct ft_answer_undivided *undivided;
	const struct ft_answer_shares *shares;
};
extern const struct ft_tell_record ft_tell_partition;

/* ---- partition --live --------------------------------------------------------------------------------- */

/* One run of all at once. */
struct ft_answer_lap {
	double time_s, expected_s,
		even; /* expected_s NaN: there was no expectation; the longest over the shortest */
};

struct ft_answer_part {
	const char *processor;
	int64_t units;
	double share, time_s;
};
extern const struct ft_tell_record ft_tell_part;

struct ft_answer_live {
	const char *parameter;
	int64_t total;
	double time_s, gain, spread; /* of the best division that ran; of the next one; gain NaN: not known */
	bool settled;
	const struct ft_answer_lap *lap;
	size_t laps;
	const struct ft_answer_part *part; /* of the best one */
	size_t parts;
};
extern const struct ft_tell_record ft_tell_live;

/* ---- rank --------------------------------------------------------------------------------------------- */

struct ft_answer_rank {
	const char *name, *host;         /* program; the machine of its models */
	const char *machine, *partition; /* the name once more, as what it is; the other is NULL */
	enum ft_plan_rank_why why;
	enum ft_cost_end end;             /* why it does not fit */
	bool good, alike, tied;           /* it will do; as the best one; and it is not that alone */
	double wait_s, time_s, done_s;    /* NaN: it does not fit */
	double cost;                      /* in money; NaN: no price is known */
	bool late;                        /* the limit that it is over is the deadline */
	double end_s, first, before_best; /* first, before_best NaN: it will not do */
	struct ft_prediction at;
};
extern const struct ft_tell_record ft_tell_rank;

/* ft_tell_rank_why - why it is unusable, or that it is tied with the best; "". */
const char *ft_tell_rank_why(const struct ft_answer_rank *rank);

/* A manager without an answer. */
struct ft_answer_unanswered {
	const char *manager, *why, *remedy; /* its address; remedy NULL: there is none to name */
};

struct ft_answer_ranks {
	const struct ft_answer_rank *rank;
	size_t n;
	const struct ft_answer_unanswered *unanswered;
	size_t n_unanswered;
};
extern const struct ft_tell_record ft_tell_ranks;

/* ---- map ---------------------------------------------------------------------------------------------- */

struct ft_answer_mapped {
	const char *task, *machine;
	double time_s;
};
extern const struct ft_tell_record ft_tell_mapped;

struct ft_answer_load {
	const char *machine, *first; /* the first of its tasks */
	double load_s;
	size_t tasks;
};
extern const struct ft_tell_record ft_tell_load;

struct ft_answer_map {
	double time_s;
	const struct ft_plan *seconds;
	const struct ft_answer_mapped *task;
	const struct ft_answer_load *machine;
	size_t n, m;
	const struct ft_answer_unanswered *unanswered;
	size_t n_unanswered;
};
extern const struct ft_tell_record ft_tell_map;

/* ---- schedule ----------------------------------------------------------------------------------------- */

struct ft_answer_slot {
	const char *task, *machine;
	double start_s, end_s;
	double stage;   /* of a module; NaN: it has none */
	char letter[2]; /* of its bar in the chart */
};
extern const struct ft_tell_record ft_tell_slot, ft_tell_module; /* the latter: columns of modules */

struct ft_answer_schedule {
	const char *mode;
	struct ft_plan plan;
	double heft_s;                        /* NaN: not by dag */
	const struct ft_topology_plan *costs; /* NULL: by dag */
	const struct ft_answer_slot *slot;
	size_t n;
	const struct ft_answer_unanswered *unanswered;
	size_t n_unanswered;
};
extern const struct ft_tell_record ft_tell_schedule;

/* ---- revise ------------------------------------------------------------------------------------------- */

struct ft_answer_revision {
	const char *processor;
	bool looked, move, broken;
	double done, units, loss_s, cost_s; /* cost_s: of a move */
	double stay_s, move_s;              /* NaN: no observation, or there is no other */
};
extern const struct ft_tell_record ft_tell_revision;

struct ft_answer_revisions {
	bool move;
	const struct ft_answer_revision *revision;
	size_t n;
};
extern const struct ft_tell_record ft_tell_revise;

/* Common to all plans: ROWS of a struct ft_plan. */
extern const struct ft_tell_record ft_tell_plan_seconds, ft_tell_plan_joules;

/*
 * The output of `foretime predict`.
 */

/* One size, and one resource. */
struct ft_answer_prediction {
	const struct ft_resource *resource; /* NULL: all are of one */
	struct ft_size size;
	struct ft_prediction prediction;
	const char *source;
	struct ft_answer_cost cost; /* of an energy */
	/* for people alone */
	const char *law; /* that extrapolates the curve; NULL: none fits well */
	double cpu_s;    /* for a wall time that was corrected for a busy machine; NaN */
};
extern const struct ft_tell_record ft_tell_prediction;

/* ft_tell_law - the class of laws, "n^2", that extrapolates a curve over one parameter: "" if no class has
 * half of the weight, or no law is used. */
enum { FT_TELL_LAW = 96 };
const char *ft_tell_law(struct ft_answerer *answerer, const struct ft_resource *resource,
			const struct ft_size *size, char buffer[FT_TELL_LAW]);

/* When runs begin, and the load of those hours, for the last size of the query. */
struct ft_answer_begun {
	int64_t begins_ns; /* 0: they begin at no moment in particular */
	struct ft_load_answer_hour hour;
};

struct ft_answer_predict {
	const char *name;
	const struct ft_resource *resource; /* NULL: all */
	double confidence;
	enum ft_load_view load;
	struct ft_answer_begun at; /* of FT_LOAD_AT */
	struct ft_answer_price price;
	const struct ft_machine *machine;
	const struct ft_resource *changed; /* the resource of the change; NULL: there is none */
	struct ft_change change;
	const struct ft_resource
		*limited;            /* the first resource with runs that met a limit, else the first one */
	struct ft_model_facts facts; /* of its model */
	size_t older_runs;
	const struct ft_run *failing; /* NULL: all ended well */
	struct ft_answer_axes axes;
	struct ft_pass pass[FT_PASSES_MAX];
	size_t n_passes;
	json_t *predictions;
};
extern const struct ft_tell_record ft_tell_predict;

/* ft_tell_predict_ask - add an answer: besides the prediction, the first change of a resource, and the
 * levels of memory that the most extrapolated size exceeds, are noted in `output`. Returns what
 * ft_ask_predict returns. */
enum ft_status ft_tell_predict_ask(struct ft_answer_predict *output, struct ft_answerer *answerer,
				   const struct ft_resource *resource, const struct ft_size *size,
				   struct ft_prediction *out, struct ft_err *err);

/* ft_tell_predict_end - add the facts about the models. resource: the requested one, or NULL: all. Texts
 * are borrowed from the answerer. */
void ft_tell_predict_end(struct ft_answer_predict *output, struct ft_answerer *answerer,
			 const struct ft_resource *resource);

/*
 * Parse answers that were stored in files.
 */

/* ft_tell_read - a file, plain or gzip, "-" for standard input: its bytes, and a zero byte behind them; heap,
 * ends with free.
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO: also a damaged gzip; FT_EINVAL: more than 256 MiB; FT_ENOMEM.
 */
enum ft_status ft_tell_read(const char *path, char **bytes, size_t *length, struct ft_err *err);

/* ft_tell_parse - the JSON document of some bytes. name: of the file, for messages. out: ends with
 * json_decref.
 *
 * Returns FT_OK; FT_EPARSE: it is none; FT_EINVAL: parsed it would take more than 1 GiB; FT_ENOMEM.
 */
enum ft_status ft_tell_parse(const char *name, const char *bytes, size_t length, json_t **out,
			     struct ft_err *err);

/* ft_tell_read_json - both. */
enum ft_status ft_tell_read_json(const char *path, json_t **out, struct ft_err *err);

/*
 * All that a store has of one program on one machine.
 */

/* A law that was stated and how it agrees with runs; a requirement and whether this machine meets it. */
struct ft_answer_stated {
	const struct ft_resource *resource;
	const char *law;
	bool calibrated;
	struct ft_calibrated_law fit;
};

struct ft_answer_requirement {
	const char *what, *value;
	const char *unmet; /* NULL: this machine meets it, as far as is known */
	char why[256];
};

struct ft_answer_knowledge {
	struct ft_answer_stated *law;
	struct ft_answer_requirement *requirement;
	size_t n_laws, n_requirements;
};
extern const struct ft_tell_record ft_tell_knowledge;

/* ft_tell_knowledge_find - answerer: finds how the laws agree with runs; NULL: does not. Borrows; memory is
 * the arena's. FT_ENOMEM. */
enum ft_status ft_tell_knowledge_find(const struct ft_knowledge *knowledge, struct ft_answerer *answerer,
				      struct ft_arena *memory, struct ft_answer_knowledge *out,
				      struct ft_err *err);

/* The request of a job, and what it used; NaN: not known. */
struct ft_answer_job {
	int64_t started_ns;
	struct ft_size size;
	enum ft_outcome outcome;
	double asked_s, asked_bytes, used_s, used_bytes;
};
extern const struct ft_tell_record ft_tell_job;
extern const struct ft_tell_record ft_tell_sizes; /* struct ft_size_values */

/* Zero-initialise; ends with ft_tell_show_clear. */
struct ft_answer_show {
	struct ft_arena memory;
	struct ft_answerer *answerer;  /* NULL: no run ended well */
	struct ft_answerer *no_models; /* then: the shown entry; NULL: there are none */
	struct ft_store_list list;     /* of this name */
	struct ft_store_entry entry;   /* the shown one; in list */
	size_t chosen;                 /* its index there */
	struct ft_program program;
	struct ft_machine machine;
	const struct ft_machine *there; /* &machine; NULL: there is no run */
	int64_t here;                   /* this machine in the store; 0: it is not there */
	const struct ft_runs *runs;     /* representative ones if there are very many */
	struct ft_ask_whole all;
	struct ft_knowledge stated;
	struct ft_answer_knowledge knowledge;
	const struct ft_resource *resource;
	struct ft_size_values *group; /* by size */
	const struct ft_run *killed;  /* at the smallest size that was killed for memory; NULL: none */
	double killed_at;
	struct ft_sample *unavailable; /* of the newest run */
	struct ft_answer_axes axes;
	const struct ft_answer_axes *models_axes; /* &axes; NULL: no run ended well */
	struct ft_answer_model *model;
	struct ft_building building;
	const struct ft_building *builds; /* &building; NULL: no build runs now */
	struct ft_store_trace *trace;
	struct ft_answer_kept kept;
	const struct ft_answer_kept *judged; /* &kept; NULL: not requested */
	struct ft_answer_job *job;
	size_t n_groups, n_unavailable, n_models, n_traces, n_jobs;
};
extern const struct ft_tell_record ft_tell_show;

/* ft_tell_models_all - a model for each resource that was measured; memory is the arena's. n: out; 0 without
 * an answerer. FT_ENOMEM. */
enum ft_status ft_tell_models_all(struct ft_answerer *answerer, struct ft_arena *memory,
				  struct ft_answer_model **out, size_t *n, struct ft_err *err);

/* ft_tell_show_find - what the store has of query->name. Returns FT_OK; FT_ENOENT: no such program,
 * machine, device or resource; FT_EINVAL; what the store returns. */
enum ft_status ft_tell_show_find(struct ft_store *store, const struct ft_query *query,
				 struct ft_answer_show *answer, struct ft_err *err);
void ft_tell_show_clear(struct ft_answer_show *answer);

/*
 * Reports: what jobs requested and used, and what other requests would have cost.
 */

/* Jobs together. GB: 10^9 bytes. Each pair is of the jobs of which both are known. */
struct ft_answer_usage {
	size_t jobs;
	size_t memory_jobs, core_jobs, time_jobs; /* of which both are known */
	double requested_gb_h, used_gb_h;
	double unseen_gb_h; /* requested by jobs whose memory is not known */
	double requested_core_h, used_core_h;
	double limit_h, used_h;
};

/* How jobs ended. */
enum ft_report_end {
	FT_END_COMPLETED,
	FT_END_MEMORY,
	FT_END_TIME,
	FT_END_FAILED,
	FT_END_CANCELLED,
	FT_END_PREEMPTED,
	FT_END_NODE,
	FT_END_UNBEGUN,
	FT_ENDS
};
const char *ft_report_end_text(unsigned end);

struct ft_answer_end {
	enum ft_report_end end;
	size_t jobs;
	double gb_h, core_h, hours; /* requested memory, processors and elapsed time, where known */
};

/* A rule of requests over the jobs that are compared. */
struct ft_answer_rule {
	const char *text; /* "requested", "foretime", "seen" */
	double value;     /* the risk, or the factor; NaN: of neither. FT_RISK_LEAST_MOST: least */
	double gb_h, limit_h;
	size_t killed; /* jobs of which a try was killed */
	size_t own;    /* jobs that kept their own request */
};

struct ft_answer_group {
	const char *name; /* NULL: not known */
	struct ft_answer_usage usage;
	size_t failed, killed_memory, killed_time; /* failed: for any cause */
	size_t compared, predicted_killed;         /* of the first rule that predicts */
	double compared_gb_h, predicted_gb_h;      /* of the jobs that are compared */
};

/* All memory is the report's. */
struct ft_answer_report {
	int64_t from_ns, to_ns; /* 0: not known */
	const char *by;
	size_t programs, users, partitions;
	struct ft_answer_usage all;
	size_t unsized_jobs, unmeasured, twice;
	struct ft_answer_end end[FT_ENDS];
	size_t n_ends;
	struct ft_answer_group *group; /* [n_groups] by memory that was not used, the most first */
	size_t n_groups, groups;       /* groups: those that there are */
	struct ft_answer_rule rule[8];
	size_t n_rules;
	size_t compared, timeless; /* timeless: not compared, without a moment */
	double compared_used_gb_h;
	bool by_rows;                       /* no job has a time: the order is that of the rows */
	size_t first;                       /* as in ft_replay_options */
	size_t unfinished, broken, shorter; /* rows of files */
	const char *why;                    /* of the first broken one; NULL */
};
extern const struct ft_tell_record ft_tell_report, ft_tell_report_group;

struct ft_report; /* src/tell/report.c */

enum ft_report_by { FT_REPORT_PROGRAM, FT_REPORT_USER, FT_REPORT_PARTITION };

/* Borrowed until the report ends. */
struct ft_report_options {
	const char *user, *partition; /* these alone; NULL: all */
	enum ft_report_by by;
	const double *risk; /* [n_risks] up to 4, as of ft_ask_request */
	size_t n_risks;
	size_t models; /* as in ft_replay_options; 0: the default */
	size_t limit;  /* groups; 0: all */
	size_t held;   /* bytes of jobs in memory, above which they are written to files; 0: 64 MiB */
	bool (*progress)(void *ctx, size_t done);
	void *ctx;
};

enum { FT_REPORT_RISKS = 4 };

/* ft_report_new - out: ends with ft_report_free, which accepts NULL. FT_ENOMEM. */
enum ft_status ft_report_new(struct ft_report **out, const struct ft_report_options *options,
			     struct ft_err *err);
void ft_report_free(struct ft_report *report);

/* ft_report_take - one more job; ctx: the report (ft_import_options.take). A job of Slurm of the same number,
 * start and program as an earlier one is that one. Some 90 bytes a job are kept, in memory or in files without a name in
 * TMPDIR. FT_EIO: these cannot be written; FT_ENOMEM. */
enum ft_status ft_report_take(void *ctx, const struct ft_import_row *row, struct ft_err *err);

/* ft_report_make - the report of all jobs so far. out: its memory is the report's. FT_EINVAL: no job, a risk;
 * FT_EINTR; FT_EIO; FT_ENOMEM. */
enum ft_status ft_report_make(struct ft_report *report, struct ft_answer_report *out, struct ft_err *err);

#endif
