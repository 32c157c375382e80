/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.h - the models of a program, opened for a command that asks them. */
#ifndef FT_CLI_MODELS_H
#define FT_CLI_MODELS_H

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "foretime/ask.h"
#include "foretime/units.h"
#include "tell/model.h"
#include "tell/question.h"

/* Zero-initialise; ends with cli_models_close. */
struct cli_models {
	struct ft_store *store;
	struct ft_answerer *answerer;
	int64_t here; /* this machine in the store; 0: not there */
	bool named;   /* the machine was */
};

/* cli_models_open - device: NULL: the only one of the program. machine: a fingerprint or host name, or NULL.
 * Returns CLI_DONE, or the exit status after a complaint. */
int cli_models_open(struct cli_models *models, const char *store_path, const char *name, const char *device,
		    const char *machine);

/* cli_models_open_version - the same of an older executable, by the beginning of its hash. */
int cli_models_open_version(struct cli_models *models, const char *store_path, const char *name,
			    const char *device, const char *hash, const char *machine);

/* cli_models_open_for - the same; when the machine has no runs of the program, or its cycles per instruction
 * are stated, by the pace of that machine (ft_ask_elsewhere). cycles NULL: only by its runs. Else models
 * alone will be asked (ft_ask_open_models). */
int cli_models_open_for(struct cli_models *models, const char *store_path, const char *name,
			const char *device, const char *machine, const struct ft_cycles *cycles);
void cli_models_close(struct cli_models *models);

/* cli_asked_words - the words NAME KEY=VALUE...: of these, argv's, the '=' becomes the end of the key. what,
 * example: what one that is no pair was to be, and what to write instead. Returns CLI_DONE, or CLI_WRONG
 * after a complaint. */
int cli_asked_words(struct ft_asked *asked, const struct cli_words *words, const char *what,
		    const char *example);

/* The load that is asked about, as typed. */
struct cli_beside {
	const char *view;
	double threads;
	bool niced;
};

/* cli_beside_read - what was typed. Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_beside_read(const struct cli_beside *beside, struct ft_ask_load *load);

/* cli_load_text - what behind "wall time" says of which load it is; "": of an idle machine. */
const char *cli_load_text(enum ft_load_view view);

/* cli_models_resource - the resource asked for, by its name or as time or memory (peak_tree_bytes where that
 * was measured); NULL: wall_s, or the first that there is when nobody measured that. NULL after a complaint.
 * Borrowed. */
const struct ft_resource *cli_models_resource(const struct cli_models *models, const char *asked);

/* cli_resource_typed - the same where no runs are asked yet: of the table, by name or word. */
const struct ft_resource *cli_resource_typed(const char *word);

/* cli_failing_text - its size and how it ended, in words; ends with free; NULL where there is none. */
char *cli_failing_text(const struct cli_models *models);

/* cli_names_program - whether the first word names a program: "n=100" is a value, and "<a b=1>" none. */
bool cli_names_program(const struct cli_words *words);

/* cli_models_headline - which runs, which machine, how old; and the warnings. */
void cli_models_headline(const struct cli_models *models, FILE *file);

/* cli_models_warnings - what else a reader has to know before he uses an answer, a line each: runs of another
 * machine, a program that changed, sizes from which on runs failed. Returns how many. */
size_t cli_models_warnings(const struct cli_models *models, FILE *file);

/* cli_models_busy - whether wall times were corrected: a busy machine slowed the runs down. */
bool cli_models_busy(const struct cli_models *models);

/* cli_axes_print - of any of some resources (n 0: of all): parameters that change nothing, and those whose
 * parts cannot be told apart, a line each. */
void cli_axes_print(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
		    FILE *file);

/* cli_axes_print_found - the same of what was found. */
void cli_axes_print_found(const struct ft_told_axes *axes, FILE *file);

/* cli_runs_within - the head of a column of intervals: "90 % of runs"; ends with free. */
char *cli_runs_within(double confidence);

/* cli_change_text - that newer runs are off the older ones; ends with free. */
char *cli_change_text(const struct ft_change *change);

/* cli_models_all - of every resource that was measured; ends with free. Returns their number, 0 without an
 * answerer. */
size_t cli_models_all(const struct cli_models *models, struct ft_told_model **out);

/* cli_print_evidence - lines about runs that met a limit, and about batches of runs, where there are some. */
void cli_print_evidence(const struct ft_resource *resource, const struct ft_model_facts *facts, FILE *file);

/* cli_print_models - of some resources (n 0: of all), as a table and, with details, in words. Returns how
 * many it left out. */
size_t cli_print_models(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
			bool verbose, FILE *file);

/* clang-format off */
#define CLI_MANAGER_OPTION(manager) \
	{0, "manager", FT_FIELD_FLAG, &(manager), NULL, \
	 "ask the running manager ($FORETIME_MANAGER)"}
/* clang-format on */

/* cli_manager_tell - have a manager answer a question, and print that.
 *
 * record  what the answer consists of
 * words   NAME, and values as KEY=VALUE; options that are fields of the question are sent as they were typed
 *
 * Returns CLI_DONE, or the exit status after a complaint. */
int cli_manager_tell(const struct ft_question *question, const struct ft_tell_record *record,
		     const struct cli_words *words, bool json);

/* cli_name_word - the word that is NAME: the only one there may be. NULL after a complaint. */
struct cli_words;
const char *cli_name_word(const struct cli_command *command, const struct cli_words *words);

#endif
