/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.h - `foretime verify`: its state, shared by its parts. */
#ifndef FT_CLI_VERIFY_H
#define FT_CLI_VERIFY_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/measure.h"
#include "foretime/ask.h"

struct cli_verify {
	/* as typed */
	const char *store_path, *device, *machine, *against, *at_most, *suite, *report;
	bool history;                /* of --suite */
	struct ft_field_texts paths; /* of files of runs */
	struct cli_reading reading;
	struct ft_field_texts resources;
	struct cli_probes probes;
	double confidence, timeout_s, budget_s;
	size_t repetitions, threads;
	bool strict, sweep, json;
	bool sequential; /* pairs go on until 5 % is seen: --against without a number of runs */
	struct ft_launch launch;
	/* as found */
	struct cli_models models; /* none with --against */
	struct cli_sizes sizes;
	struct ft_program program; /* the program to run, or of the runs in the file */
	bool memory; /* with --against: "memory" was requested; these runs decide which resource it is */
	struct ft_program old; /* with --against: the old program, run alternately */
	struct ft_runs runs, before;
	const struct ft_resource *resource[FT_FIELD_TEXTS_MOST];
	size_t n_resources;
	bool killed;      /* a run was killed for memory: that is no pass */
	char *unverified; /* a routine that the new program reports, and that is not what is verified; NULL */
	struct ft_verification verified;
	char *undecided; /* why the verdict is open though nothing is broken; NULL: it is not */
};

/* cli_verify_sizes - those that are to be run, small ones first. Returns CLI_DONE, or the exit status after a
 * complaint; so do those below. */
int cli_verify_sizes(struct cli_verify *v, const struct cli_words *words);

/* cli_verify_pair - with --against: both programs and their sizes, from the command line alone. */
int cli_verify_pair(struct cli_verify *v, const struct cli_words *words);

/* cli_verify_read - new runs from files. */
int cli_verify_read(struct cli_verify *v);

/* cli_verify_run - new runs of the program, with --against alternating with old ones. */
int cli_verify_run(struct cli_verify *v, const struct cli_words *words);

/* cli_verify_ask - compare the runs so far with the predictions, at the level of the final look. */
enum ft_status cli_verify_ask(const struct cli_verify *v, struct ft_verification *out, struct ft_err *err);

/* cli_verify_text, cli_verify_json - what was found, on standard output. */
void cli_verify_text(const struct cli_verify *v);
void cli_verify_json(const struct cli_verify *v);

/* cli_verify_worst - the largest shift in words, or the largest one that breaks the contract; ends with free;
 * NULL: there is none. */
char *cli_verify_worst(const struct cli_verify *v, bool broken);

/* cli_verify_seen - where that is more than 15 %: how much more a contract sees, and what would make it see
 * less; notes. */
void cli_verify_seen(const struct cli_verify *v);

/* cli_verify_report - the same for a CI, in the requested form. */
int cli_verify_report(const struct cli_verify *v);

/* cli_verify_holds - nothing is broken, and that is meaningful. */
bool cli_verify_holds(const struct cli_verify *v);

/* cli_verify_each - what is broken, a sentence each. */
void cli_verify_each(const struct cli_verify *v, void (*say)(void *ctx, const char *sentence), void *ctx);

/* cli_verify_growth - with --at-most: the whole command. Returns the exit status. */
int cli_verify_growth(struct cli_verify *v, const struct cli_words *words);

/* cli_verify_list - with --suite: the whole command. Returns the exit status. */
int cli_verify_list(struct cli_verify *v, const struct cli_words *words);

/* cli_verify_cell - a cell of a table in Markdown. */
void cli_verify_cell(FILE *file, const char *text);

/* For reports of a CI: an annotation of GitHub; the begin of a test suite of JUnit, and a case in it. */
void cli_verify_annotation(const struct cli_verify *v, const char *level, const char *sentence);
void cli_verify_suite(const struct cli_verify *v, size_t tests, size_t failures);
void cli_verify_case(const struct cli_verify *v, const char *resource, const char *what, const char *failure);

bool cli_verify_has_new(const struct cli_verify *v, const struct ft_resource *resource);

/*
 * Many benchmarks at once.
 */

/* The worst first. X(name, what is printed) */
#define CLI_JUDGED_LIST(X)                                                                                   \
	X(BROKEN, "broken")                                                                                  \
	X(FAILED, "failed")       /* a run of it failed: there is no verdict */                              \
	X(UNDECIDED, "undecided") /* nothing is broken, and that means nothing */                            \
	X(HOLDS, "holds")                                                                                    \
	X(UNKNOWN, "no model")

enum cli_judgement {
#define CLI_JUDGED_ENUM(name, words) CLI_JUDGED_##name,
	CLI_JUDGED_LIST(CLI_JUDGED_ENUM)
#undef CLI_JUDGED_ENUM
};

const char *cli_judgement_text(unsigned judgement);

/* A benchmark. */
struct cli_judged {
	const char *name; /* borrowed from the import */
	enum cli_judgement judgement;
	bool judged;
	double worst;  /* the largest excess, or else the largest shift, as a ratio; NaN: none */
	char *said;    /* what is broken, the largest of it; why there is no verdict; the shift */
	size_t broken; /* how many things are broken */
	size_t runs, sizes;
	json_t *json; /* with --json */
};

/* cli_verify_many_json - one of several; v NULL: it was not judged. */
json_t *cli_verify_many_json(const struct cli_verify *v, const struct cli_judged *one);

#endif
