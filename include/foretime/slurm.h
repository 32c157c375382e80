/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.h - what Slurm's own tools print: of a cluster, of jobs that ended, which become runs, and of jobs
 * whose time limit was foretime's guess.
 *
 *	scontrol show config            -> ft_slurm_config_parse
 *	sinfo -ah -o '%N|%f'            -> ft_slurm_kinds_parse
 *	sacct --helpformat, sacct -P    -> ft_slurm_fields_choose, ft_slurm_harvest
 *	squeue -O ...                   -> ft_slurm_raises_parse
 *
 * A job states which program it runs, and how large, in its comment: "foretime:NAME,n=20000". What users
 * write is judged, never evaluated; share/slurm/foretime.lua knows the same words.
 */
#ifndef FORETIME_SLURM_H
#define FORETIME_SLURM_H

#include "foretime/adapt.h"
#include "foretime/sinfo.h"
#include "foretime/store.h"

FT_BEGIN_DECLS

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

void ft_slurm_harvested_clear(struct ft_slurm_harvested *told); /* accepts NULL, and twice */

/* ft_slurm_harvest - what `sacct -P --delimiter` printed into the store, each job (each of its tries) once:
 * that it was taken is kept in the transaction that adds its run. A killed process takes nothing, or all of
 * a text.
 *
 * text  [length] its first line names the fields; times are UTC and end in Z
 *
 * Returns FT_OK; FT_EPARSE: no such text; what the store returns; FT_ENOMEM. A job of which no run can be
 * made is no failure. On failure `told` is as it was. */
enum ft_status ft_slurm_harvest(struct ft_store *store, const char *text, size_t length,
				const struct ft_slurm_harvest *options, struct ft_slurm_harvested *told,
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

FT_END_DECLS
#endif
