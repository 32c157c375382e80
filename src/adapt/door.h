/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of adapt beyond its interface. */
#ifndef FT_ADAPT_DOOR_H
#define FT_ADAPT_DOOR_H

#include "foretime/adapt.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/plan.h"
#include "foretime/store.h"

#include <stdbool.h>
#include <stdint.h>

const char *ft_passed_text(enum ft_passed passed);

/* ft_import_fresh - drop the runs that are stored already: of equal size, outcome, start and values. As many
 * equal ones as are stored go, no more.
 *
 * stored   of the same program and machine
 * dropped  how many went
 *
 * Returns FT_OK; FT_ENOMEM (runs are as they were). Cost O((m + n) log (m + n)).
 */
enum ft_status ft_import_fresh(struct ft_runs *runs, const struct ft_runs *stored, size_t *dropped,
			       struct ft_err *err);

/*
 * Plans in the formats of those that carry them out.
 *
 * 	char *text;
 *
 * 	ft_carry_write(ft_carry_get(0), command, n, &text, err);
 */

/* What one processor runs, next to the others. Borrowed. */
struct ft_carry_command {
	const char *host;        /* NULL: this machine */
	const char *const *argv; /* ends with NULL */
};

/* A row of the table of formats. */
struct ft_carry;

/* ft_carry_get - the i-th: "multi-prog" (srun --multi-prog), "mpiexec" (MPICH's -configfile), "parallel" (GNU
 * parallel); NULL past the last. ft_carry_find: that of such a name; NULL: there is none. */
const struct ft_carry *ft_carry_get(size_t i);
const struct ft_carry *ft_carry_find(const char *name);
const char *ft_carry_name(const struct ft_carry *format);

/* ft_carry_write - commands that run at once, as a file of a format.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a word or host that the format cannot express; FT_ENOMEM.
 */
enum ft_status ft_carry_write(const struct ft_carry *format, const struct ft_carry_command *command, size_t n,
			      char **out, struct ft_err *err);

/* ft_carry_piece - a command as a script of sh that goes to a folder, from there on runs it, and writes into
 * a file how it ended, when it began and when it ended: "0 1700000000.123456789 1700000001.5", at once or not
 * at all. The script itself ends well, so that a launcher ends none of the others.
 *
 * out  heap, ends with free; NULL on failure, FT_ENOMEM */
enum ft_status ft_carry_piece(const char *const *argv, const char *folder, const char *result, char **out,
			      struct ft_err *err);

/* A task of a schedule. Borrowed. */
struct ft_carry_job {
	const char *name, *host;
	const char *const *argv; /* ends with NULL */
	const size_t *after;     /* [n_after] jobs that must have ended well */
	size_t n_after;
};

/* ft_carry_slurm - a schedule as a script of sbatch, a job on its node (--nodelist) behind those that it
 * waits for.
 *
 * order  [n] the jobs, each behind all that it waits for
 * out    heap, ends with free; NULL on failure, FT_ENOMEM
 */
enum ft_status ft_carry_slurm(const struct ft_carry_job *job, const size_t *order, size_t n, char **out,
			      struct ft_err *err);

/* Runs without a waiting caller, on nodes of their own: an array of jobs of Slurm. Borrowed. */
struct ft_carry_array {
	const char *name;                             /* of the job */
	const char *folder, *scripts;                 /* task I is FOLDER/SCRIPTS.I.sh */
	const char *partition, *constraint, *exclude; /* NULL: any, none */
	size_t n;                                     /* tasks */
	size_t threads;                               /* processors of each; 0: as the partition has it */
	double limit_s, memory_bytes;                 /* of each; 0: as the partition has it */
};

/* ft_carry_array - a script of sbatch. Its tasks stand behind waiting jobs (--nice), make room for it
 * where the partition allows it, and are then queued again; each has its node alone. What a task writes is in
 * FOLDER/SCRIPTS.I.out.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a partition, a constraint or a list of nodes that is no word of sbatch;
 * FT_ENOMEM.
 */
enum ft_status ft_carry_array(const struct ft_carry_array *array, char **out, struct ft_err *err);

/* What a size takes. */
struct ft_carry_point {
	uint64_t size; /* 1 .. 2^32 - 1 */
	double mean_s, deviation_s;
	size_t runs; /* that it rests on, at least 1 */
};

/* ft_carry_starpu - a file of StarPU's performance models (version 45), of one processor core: the footprint
 * of a task is its size. STARPU_HOME/.starpu/sampling/codelets/45/SYMBOL.HOST is its place.
 *
 * Returns FT_OK; FT_EINVAL: no size, or one that cannot be written; FT_ENOMEM. */
enum ft_status ft_carry_starpu(const struct ft_carry_point *point, size_t n, char **out, struct ft_err *err);

/* A task of a schedule, and who runs it. Borrowed. */
struct ft_carry_turn {
	const char *name;
	size_t worker; /* as StarPU counts them, from 0 */
};

/* ft_carry_starpu_schedule - a schedule as StarPU's sched.rec: tasks are known by the order in which the
 * application submits them, which is that of turn [n].
 *
 * order    [n] the tasks in the order of their starts
 * workers  how many there are, at least
 * out      heap, ends with free; NULL on failure, FT_ENOMEM
 */
enum ft_status ft_carry_starpu_schedule(const struct ft_carry_turn *turn, size_t n, const size_t *order,
					size_t workers, char **out, struct ft_err *err);

/* What to ask for at one size; NaN: nothing of the kind is known. */
struct ft_carry_knot {
	double at;                   /* size, > 0 */
	double typical_s, most_s;    /* what a run takes, and what to ask for */
	double bytes;                /* to ask for */
	const char *alike;           /* "a,b": partitions tied with the best one; NULL: not known */
	double alike_s, alike_bytes; /* what suffices in each of these; NaN: not known */
};

struct ft_carry_value {
	const char *name;
	double value;
};

/* Borrowed. */
struct ft_carry_knots {
	const char *program, *parameter, *fingerprint, *host;
	const struct ft_carry_value *fixed; /* [n_fixed] what the other parameters are */
	size_t n_fixed;
	int64_t made_s, expires_s;        /* since 1970 */
	double risk, cpus;                /* cpus NaN: not known */
	const struct ft_carry_knot *knot; /* [n] ascending */
	size_t n;
};

/* ft_carry_write_knots - requests for all sizes as a text for Slurm's functions of submission, and for
 * readers of lines; its grammar stands in foretime-export(1).
 *
 * Returns FT_OK; FT_EINVAL: no knot, numbers that are negative or do not ascend, a name with a control
 * character; FT_ENOMEM. */
enum ft_status ft_carry_write_knots(const struct ft_carry_knots *knots, char **out, struct ft_err *err);

/*
 * Graphs of tasks: foretime's own JSON and WfCommons' read, DOT written.
 *
 * 	{"tasks": [{"id": "a", "name": "sort", "size": {"n": 1000}},
 * 	           {"id": "b", "time_s": {"fast": 3, "slow": 9}, "memory": "2GiB"}],
 * 	 "edges": [{"from": "a", "to": "b", "bytes": "8*n"}]}
 */

/* Seconds on one host, as given. */
struct ft_graph_time {
	char *host;
	double time_s;
};

struct ft_graph_task {
	char *id;
	char *name; /* of the program whose models predict its times; NULL: they are given */
	struct ft_graph_value {
		char name[FT_PARAM_LENGTH];
		double value;
	} size[FT_PARAMS_MAX]; /* [n_size] */
	size_t n_size;
	double time_s;              /* on every host; NaN: not given like that */
	struct ft_graph_time *time; /* [n_times] on single hosts; it does not fit the others */
	size_t n_times;
	double cpus, memory_bytes, storage_bytes; /* that it needs; 0: not given */
	char *architecture;                       /* of the hosts that it runs on; NULL: any */
	char **host;                              /* [n_hosts] where it has the right to run */
	size_t n_hosts;                           /* 0: everywhere */
	double stage; /* of a topology: modules of one stage run at once; NaN: not given */
};

/* Zero-initialise; ends with ft_graph_clear. */
struct ft_graph {
	struct ft_graph_task *task; /* [n] */
	size_t n;
	struct ft_plan_edge *edge; /* [n_edges] */
	size_t n_edges;
};

/* ft_graph_read - a graph of a file (up to 256 MiB, and 1 GiB of memory), whichever of the two formats it
 * has.
 *
 * Of WfCommons (1.3 to 1.5) come the runtimes as recorded, and on an edge the bytes of the files that its one
 * task writes and the other reads.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_EPARSE: no JSON (line and column); FT_EINVAL: a key that
 * unknown, a task without times, two of one name, an edge to no task, what is negative; FT_ENOMEM.
 */
enum ft_status ft_graph_read(struct ft_graph *out, const char *path, struct ft_err *err);
enum ft_status ft_graph_parse(struct ft_graph *out, const char *name, const char *bytes, size_t length,
			      struct ft_err *err);

/* ft_graph_read_table - tasks without edges, of a table (CSV) with a row a task. Column task: its id, else
 * the number of its row. With a column name: the program, and all other columns are sizes; else they are
 * hosts, and what stands there seconds. An empty cell: no such size, or it does not fit there.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; what ft_csv_read returns; FT_EINVAL: no row, no number, a time below 0, a column that is no
 * parameter; FT_ENOMEM. */
enum ft_status ft_graph_read_table(struct ft_graph *out, const char *path, struct ft_err *err);
void ft_graph_clear(struct ft_graph *graph); /* accepts NULL, and twice */

/* What sending takes between some machines. Zero-initialise; ends with ft_graph_links_clear. */
struct ft_graph_links {
	struct ft_plan_links links;      /* borrows these */
	double *latency_s, *bytes_per_s; /* [m x m], a row sends */
};

/* ft_graph_read_links - of a table (CSV) with the columns from, to (names of hosts, "*": all), latency
 * ("50us") and bandwidth ("125MB" a second). Later rows count; a link that is given one way is both. Machines
 * of one host send at once.
 *
 * host  [m] of each machine
 * out   cleared on failure
 *
 * Returns FT_OK; what ft_csv_read returns; FT_EINVAL: a column or a link that is missing, what is no latency,
 * no bandwidth; FT_ENOMEM. Cost O(rows m^2). */
enum ft_status ft_graph_read_links(struct ft_graph_links *out, const char *const *host, size_t m,
				   const char *path, struct ft_err *err);
void ft_graph_links_clear(struct ft_graph_links *links); /* accepts NULL, and twice */

/* ft_graph_dot - the graph for Graphviz; each task with its host and times where there is a schedule.
 *
 * slot  [n] of ft_plan_schedule; NULL: none. host: [machines] their names
 * out   heap, ends with free
 */
enum ft_status ft_graph_dot(const struct ft_graph *graph, const struct ft_plan_slot *slot,
			    const char *const *host, char **out, struct ft_err *err);

/*
 * The partitions of a cluster, as Slurm's sinfo prints them.
 *
 * 	sinfo -o '%P %a %l %N %c %m' > partitions
 *
 * 	ft_sinfo_read(&sinfo, "partitions", err);
 */

struct ft_sinfo_partition {
	char *name;          /* without the '*' of the default one */
	char *nodes;         /* "a[1-3],b": of all its rows; "" not given */
	double limit_s;      /* the longest run; INFINITY: none, or not given */
	double cpus;         /* of a node, at least; 0: not given */
	double memory_bytes; /* of a node, at least; 0: not given */
	bool up;             /* jobs begin in it */
};

/* Zero-initialise; ends with ft_sinfo_clear. */
struct ft_sinfo {
	struct ft_sinfo_partition *partition; /* [n] in the order in which they stand */
	size_t n, capacity;
};

/* ft_sinfo_read - the partition file of Snakemake's executor, or a file that sinfo wrote with its heads:
 * PARTITION, and any of AVAIL, TIMELIMIT, NODELIST, CPUS, MEMORY (MB), STATE; other columns are passed over.
 * Rows of one partition are one; those of nodes that are down or drained do not count.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_EPARSE with path and line; FT_ENOMEM. */
enum ft_status ft_sinfo_read(struct ft_sinfo *out, const char *path, struct ft_err *err);

/* ft_sinfo_parse - the same from memory; name stands in messages where a path would. */
enum ft_status ft_sinfo_parse(struct ft_sinfo *out, const char *name, const char *bytes, size_t length,
			      struct ft_err *err);

/* ft_sinfo_write_snakemake - those that are up and take jobs of a minute, and their limits, as the file that
 * Snakemake's executor for Slurm takes with --slurm-partition-config. The functions above read it, too: nodes
 * are not given there.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a control character in a name; FT_ENOMEM. */
enum ft_status ft_sinfo_write_snakemake(const struct ft_sinfo *sinfo, char **out, struct ft_err *err);

void ft_sinfo_clear(struct ft_sinfo *sinfo); /* accepts NULL, and twice */

/* ft_sinfo_has_node - whether a node is in a list: "a2" is in "a[1-3,07],b". */
bool ft_sinfo_has_node(const char *nodes, const char *node);

/*
 * What Slurm's own tools print: of a cluster, of jobs that ended, which become runs, and of jobs
 * whose time limit was foretime's guess.
 *
 * 	scontrol show config            -> ft_slurm_config_parse
 * 	sinfo -ah -o '%N|%f'            -> ft_slurm_kinds_parse
 * 	sacct --helpformat, sacct -P    -> ft_slurm_fields_choose, ft_slurm_harvest
 * 	squeue -O ...                   -> ft_slurm_raises_parse
 *
 * A job states which program it runs, and how large, in its comment: "foretime:NAME,n=20000". What users
 * write is judged, never evaluated; share/slurm/foretime.lua knows the same words.
 */

/* ---- the cluster ------------------------------------------------------------------------------------- */

enum { FT_SLURM_TEXT = 256 };

/* Texts as Slurm has them; "": not reported. */
struct ft_slurm_config {
	char version[FT_SLURM_TEXT];    /* "22.05.8" */
	char cluster[FT_SLURM_TEXT];    /* its name */
	char file[FT_SLURM_TEXT];       /* slurm.conf */
	char accounting[FT_SLURM_TEXT]; /* "accounting_storage/slurmdbd" */
	char flags[FT_SLURM_TEXT];      /* AccountingStoreFlags */
	char gather[FT_SLURM_TEXT];     /* JobAcctGatherType */
	char submit[FT_SLURM_TEXT];     /* JobSubmitPlugins */
	char filter[FT_SLURM_TEXT];     /* CliFilterPlugins */
	char epilog[FT_SLURM_TEXT];     /* EpilogSlurmctld */
	bool accounts;                  /* who ended is kept, in a database that sacct asks */
	bool comments;                  /* with comments */
	bool gathers;                   /* memory is looked at */
	bool cgroup;                    /* by cgroup: page cache and all */
};

/* ft_slurm_config_parse - what `scontrol show config` prints. FT_OK; FT_EPARSE: it names no cluster. */
enum ft_status ft_slurm_config_parse(struct ft_slurm_config *out, const char *text, struct ft_err *err);

/* Nodes of one kind in a partition. */
struct ft_slurm_place {
	char *partition, *machine; /* machine: the name of that kind, as ft_slurm_kinds_parse has it */
	double limit_s;            /* the longest run; INFINITY: none */
	double memory_bytes;       /* of a node, at least; 0: not given */
};

/* Zero-initialise; ends with ft_slurm_places_clear. */
struct ft_slurm_places {
	struct ft_slurm_place *place; /* [n] */
	size_t n, capacity;
};

/* ft_slurm_places_parse - the partitions that are up, of `sinfo -h -o '%R|%f|%l|%m|%a'`: a row for each kind
 * of nodes in them. Rows that are no such rows are passed over.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(rows). */
enum ft_status ft_slurm_places_parse(const char *text, const char *cluster, struct ft_slurm_places *out,
				     struct ft_err *err);
void ft_slurm_places_clear(struct ft_slurm_places *places); /* accepts NULL, and twice */

/* ft_slurm_kinds_parse - nodes by their features, of `sinfo -ah -o '%N|%f'`, as ft_import_options.machine
 * takes them: "node[01-16]=epyc,ib". A node without features is of a kind that is called as the cluster is.
 *
 * kinds  [n] heap, and so is each; end with ft_slurm_texts_free
 *
 * Returns FT_OK; FT_EPARSE: a line without '|'; FT_ENOMEM. */
enum ft_status ft_slurm_kinds_parse(const char *text, const char *cluster, char ***kinds, size_t *n,
				    struct ft_err *err);
void ft_slurm_texts_free(char **text, size_t n);

/* ft_slurm_name_is_read - whether the comment of a job can name this program: foretime.lua makes a
 * path of it. Letters of ASCII, digits, "_", and behind the first one "." and "-"; 200 at most. */
bool ft_slurm_name_is_read(const char *name);

/* ---- jobs that ended --------------------------------------------------------------------------------- */

/* ft_slurm_fields_choose - which fields to ask sacct for, of those that `sacct --helpformat` names.
 *
 * fields   "JobIDRaw,State,...": heap, ends with free
 * lacking  those that this version does not know, and what is lost with them: heap; "": none
 *
 * Returns FT_OK; FT_EUNAVAIL: one without which there are no runs; FT_ENOMEM. */
enum ft_status ft_slurm_fields_choose(const char *known, char **fields, char **lacking, struct ft_err *err);

/* ft_slurm_since - "7d" ago, or the moment "2026-01-31", "2026-01-31T12:00:00" (local time; UTC with a Z
 * behind it), in nanoseconds since 1970. FT_OK; FT_EPARSE. */
enum ft_status ft_slurm_since(const char *text, int64_t now_ns, int64_t *since_ns, struct ft_err *err);

struct ft_slurm_harvest {
	const char *cluster;        /* distinguishes its jobs from other jobs */
	const char *delimiter;      /* between fields: of characters that cannot occur in them */
	const char *const *machine; /* [n_machines] as of ft_import_options */
	size_t n_machines;
	bool cgroup;
	/* Whose jobs are kept under the names that they state; of other users NAME is ~UID/NAME. */
	const unsigned long *trusted; /* [n_trusted] uids */
	size_t n_trusted;
	bool trust_all;
	int64_t until_ns; /* all that ended before is in the text; 0: some jobs were queried by their
			     numbers */
};

/* Runs of a program on a machine. */
struct ft_slurm_taken {
	char *name, *machine;
	size_t runs;
};

/* What came of a text, or of several: counts are added up. Zero-initialise; ends with
 * ft_slurm_harvested_clear. */
struct ft_slurm_harvested {
	size_t jobs;       /* that the text has */
	size_t runs;       /* that were taken */
	size_t known;      /* that were taken before */
	size_t unsaid;     /* that do not state what they run */
	size_t unfinished; /* that have not ended */
	size_t unbegun;    /* that were cancelled before they began */
	size_t nodes;      /* on nodes of no kind that is known */
	size_t kinds;      /* on nodes of several kinds */
	size_t others;     /* of users who are not trusted: kept apart */
	size_t bad;        /* of which no run can be made; why: of the first of them */
	char why[256];
	struct ft_slurm_taken *taken; /* [n] */
	size_t n, capacity;
	long long *done; /* [n_done] numbers of the jobs that need not be queried again */
	size_t n_done, done_capacity;
};

void ft_slurm_harvested_clear(struct ft_slurm_harvested *harvested); /* accepts NULL, and twice */

/* ft_slurm_harvest - what `sacct -P --delimiter` printed into the store, each job (each of its tries) once:
 * that it was taken is kept in the transaction that adds its run. A killed process takes nothing, or all of
 * a text.
 *
 * text  [length] its first line names the fields; times are UTC and end in Z
 *
 * Returns FT_OK; FT_EPARSE: no such text; what the store returns; FT_ENOMEM. A job of which no run can be
 * made is no failure. On failure `harvested` is as it was. */
enum ft_status ft_slurm_harvest(struct ft_store *store, const char *text, size_t length,
				const struct ft_slurm_harvest *options, struct ft_slurm_harvested *harvested,
				struct ft_err *err);

/* What was harvested of a cluster so far. */
struct ft_slurm_tally {
	int64_t until_ns; /* jobs that ended before were all seen; 0: none yet */
	size_t jobs;      /* that became runs */
	size_t filled;    /* of these, foretime set what they request */
	size_t kept;      /* of these, they stayed within that */
};

/* ft_slurm_tally_get - all zero where there was no harvest. What the store returns. */
enum ft_status ft_slurm_tally_get(struct ft_store *store, const char *cluster, struct ft_slurm_tally *out,
				  struct ft_err *err);

/* ---- jobs whose limit was guessed -------------------------------------------------------------------- */

/* A running job that gets more time. */
struct ft_slurm_raise {
	long long job;
	double used_s, limit_s, new_s;
};

/* The fields of squeue: -O, with widths. */
#define FT_SLURM_QUEUE "JobID:24,TimeUsed:24,TimeLimit:24,Partition:120,admin_comment:400"

/* ft_slurm_raises_parse - running jobs, as squeue -h -t R -O FT_SLURM_QUEUE prints them, that have used 80 %
 * of a limit which foretime filled in: each gets twice as much, and no more than its partition allows. Where
 * the user gave a limit, or somebody changed it, it stays.
 *
 * partitions  of `sinfo`; one that is not there allows nothing
 * out         [n] heap, ends with free
 *
 * Returns FT_OK; FT_ENOMEM. Lines that cannot be read are passed over. */
enum ft_status ft_slurm_raises_parse(const char *text, const struct ft_sinfo *partitions,
				     struct ft_slurm_raise **out, size_t *n, struct ft_err *err);

/*
 * Jobs that Snakemake ran, by the records that it keeps of its outputs. Its benchmark files before version 8
 * contain neither rule nor input.
 *
 * Source: snakemake/persistence.py, versions 5 to 8: .snakemake/metadata has a JSON document for each output,
 * named by the output's path in base64; long names are divided into folders that begin with '@'.
 */

/* One output of a job. */
struct ft_snakemake_job {
	char *rule, *output;
	double input_bytes; /* all inputs of the job together, as they are now; NaN: one of them is gone */
};

/* Zero-initialise; ends with ft_snakemake_jobs_clear. */
struct ft_snakemake_jobs {
	struct ft_snakemake_job *job; /* [n] by rule */
	size_t n, capacity;
};

/* ft_snakemake_jobs_read - the records of a workflow. Those that cannot be read are passed over.
 *
 * folder  in which Snakemake was started, with .snakemake in it
 * out     cleared on failure; empty where there are no records
 *
 * Returns FT_OK; FT_EACCESS, FT_EIO; FT_ENOMEM. */
enum ft_status ft_snakemake_jobs_read(struct ft_snakemake_jobs *out, const char *folder, struct ft_err *err);
void ft_snakemake_jobs_clear(struct ft_snakemake_jobs *jobs); /* accepts NULL, and twice */

/* ft_snakemake_rule_of - the rule whose name is a part of a benchmark file's path, between '/', '.', '-', '_' or
 * the ends; of several the longest, then the first in the path. length: out, of the name at the place that is
 * returned. NULL: none. */
const char *ft_snakemake_rule_of(const struct ft_snakemake_jobs *jobs, const char *path, size_t *length);

/* ft_snakemake_input_bytes - the bytes of the inputs of the job of a rule that left a benchmark file: output and
 * benchmark of a job have the same wildcards, so that each part of the file's path, without the rule, stands in
 * the path of the output. NaN: no job fits, or several with different inputs do. */
double ft_snakemake_input_bytes(const struct ft_snakemake_jobs *jobs, const char *rule, const char *path);

/* A run, and what its row states of the job that it was. Borrowed. */
struct ft_import_row {
	const char *program;
	const struct ft_run *run;     /* size.n 0: no size is known */
	const struct ft_param *param; /* [run->size.n] names of its parameters */
	const char *user, *partition; /* NULL: not known */
	const char *id, *state;       /* as a batch system has them; NULL: none */
	double cpus;                  /* that it was given; NaN: not known */
	int64_t submitted_ns;         /* since 1970; 0: not known */
};

/* ft_slurm_report_fields - the same for a report of all jobs, which needs no program's name. */
enum ft_status ft_slurm_report_fields(const char *known, char **fields, char **lacking, struct ft_err *err);

/* ft_slurm_table - what sacct printed with a delimiter that no field contains, as a table of sacct -P: "|"
 * and control characters in fields are question marks, lines that are no rows are left out.
 *
 * table  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EPARSE: the first line names no fields; FT_ENOMEM. */
enum ft_status ft_slurm_table(const char *text, size_t length, const char *delimiter, char **table,
			      struct ft_err *err);

/* ft_import_match - the same, for runs that come in portions: those that were found again are taken out of `stored`, too.
 */
enum ft_status ft_import_match(struct ft_runs *runs, struct ft_runs *stored, size_t *dropped,
			       struct ft_err *err);

#endif
