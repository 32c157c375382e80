/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the command line: options, output, and the helpers that commands share. */
#ifndef FT_CLI_CLI_H
#define FT_CLI_CLI_H

#include "base/csv.h"
#include "cli/options.h"
#include "facts/door.h"
#include "foretime/adapt.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/measure.h"
#include "foretime/store.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The rows of --json, for all commands; doc/schema is made from them (tools/schemas).
 */

/* Of commands of one file. */
extern const struct ft_tell_record cli_build_decided_answer, cli_build_answer, cli_build_steps_answer,
	cli_kernel_run_answer, cli_energy_cap_answer, cli_device_calibrate_answer, cli_device_list_answer,
	cli_device_rank_answer, cli_device_static_answer, cli_device_table_answer, cli_doctor_answer,
	cli_energy_fit_answer, cli_energy_peak_answer, cli_energy_predict_answer, cli_energy_share_answer,
	cli_energy_spot_answer, cli_help_answer, cli_import_answer, cli_load_import_answer,
	cli_load_judge_answer, cli_load_show_answer, cli_machine_calibrate_answer, cli_machine_compare_answer,
	cli_machine_import_answer, cli_machine_link_answer, cli_machine_list_answer, cli_machine_show_answer,
	cli_pack_answer, cli_pack_jobs_answer, cli_plot_answer, cli_predict_when_answer, cli_profile_answer,
	cli_program_answer, cli_request_profile_answer, cli_rm_answer, cli_run_answer, cli_run_end_answer,
	cli_slurm_check_answer, cli_slurm_harvest_answer, cli_slurm_install_answer, cli_slurm_models_answer,
	cli_slurm_status_answer, cli_surrogate_complexity_answer, cli_surrogate_compose_answer,
	cli_surrogate_couple_answer, cli_surrogate_describe_answer, cli_surrogate_diagnose_answer,
	cli_surrogate_evaluate_answer, cli_surrogate_matrix_answer, cli_surrogate_predict_answer,
	cli_trace_constrain_answer, cli_trace_fit_answer, cli_trace_grow_answer, cli_trace_phases_answer,
	cli_trace_show_answer, cli_verify_answer, cli_verify_growth_answer, cli_verify_many_answer,
	cli_verify_suite_answer;

/* Those of a command stand together; the last is NULL. */
extern const struct ft_tell_record *const cli_answers[];

/*
 * Output of commands: files that appear whole or not at all, aligned tables, JSON.
 */

/* ---- files -------------------------------------------------------------------------------------------- */

/* A file under a temporary name in the same folder until it is complete. Zero-initialise. */
struct cli_output {
	FILE *file;
	char *path, *temporary; /* NULL: a stream or a device, written directly */
};

/* cli_output_open - path NULL or "-": `usual` (a stream). Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_output_open(struct cli_output *output, const char *path, FILE *usual);

/* cli_output_close - keep it under its name (keep) or drop it; accepts one that was never opened, and twice.
 * Returns CLI_DONE, or the exit status after a complaint: then the file of that name is as it was before. */
int cli_output_close(struct cli_output *output, bool keep);

/* cli_output_text - a text that is there as a whole, on standard output where no file is named. */
int cli_output_text(const char *path, const char *text);

/* ---- tables ------------------------------------------------------------------------------------------- */

enum { CLI_COLUMNS_READ = 15 }; /* columns besides the first in rows with a variable number of them */

/* Cells in aligned columns. Zero-initialise; ends with cli_table_print or cli_table_clear. */
struct cli_table {
	struct {
		size_t width;
		bool right, used; /* used: a cell below the head is no empty text */
	} * column;
	size_t columns;
	char **cell;
	size_t n;
};

/* cli_table_head - one column more, before any cell; a head that begins with '>' is for a right-aligned one.
 */
void cli_table_head(struct cli_table *table, const char *head);

/* cli_table_heads - several of them; the last is NULL. */
void cli_table_heads(struct cli_table *table, ...) __attribute__((sentinel));

/* cli_table_add - add a cell, row by row; the last cell of a row may be long. A missing number is "-". */
void cli_table_add(struct cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* cli_table_tell - add n structs by their rows: a line each, with column heads if the table is empty. */
void cli_table_tell(struct cli_table *table, const struct ft_tell_record *record, const void *answer,
		    size_t n, const struct ft_tell_with *with);

/* cli_table_print - heads and rows; columns without any text are left out. Clears the table. */
void cli_table_print(struct cli_table *table, FILE *file);
void cli_table_clear(struct cli_table *table);

/* cli_tell_table - print n structs by their rows as a table on standard output. */
void cli_tell_table(const struct ft_tell_record *record, const void *answer, size_t n,
		    const struct ft_tell_with *with);

/* cli_csv_cell - a text of any length as a cell of CSV, quoted where it must be; NULL: an empty one. */
void cli_csv_cell(FILE *file, const char *text);

/* ---- JSON --------------------------------------------------------------------------------------------- */

json_t *cli_json_array(void);

/* cli_json_append - the value is taken. */
void cli_json_append(json_t *array, json_t *value);

/* Values. A number that is NaN or infinite is null, as is a text that is NULL; text that is no UTF-8 loses
 * the bytes that are not. */
json_t *cli_json_number(double value);
json_t *cli_json_text(const char *text);
json_t *cli_json_bool(bool value);

/* cli_tell_csv - n structs as lines of CSV, below one of keys where `head`. */
void cli_tell_csv(FILE *file, const struct ft_tell_record *record, const void *answer, size_t n,
		  const struct ft_tell_with *with, bool head);

/* cli_tell_json - a struct as JSON by its rows; cli_tell - print it on standard output. */
json_t *cli_tell_json(const struct ft_tell_record *record, const void *answer,
		      const struct ft_tell_with *with);
void cli_tell(const struct ft_tell_record *record, const void *answer, const struct ft_tell_with *with);

/* cli_json_print - the value and a newline, real numbers as short as they read back the same; the value is
 * taken. */
void cli_json_print(json_t *value, FILE *file);

/*
 * The newest calibration of a machine.
 */

/* Moments of the wall clock, both included. Values of an unknown time count with each calibration. */
struct cli_period {
	int64_t from_ns, to_ns;
};

/* cli_calibration_newest - when its values were measured; values less than ten seconds apart are one
 * calibration. Returns CLI_DONE, or the exit status after a complaint. */
int cli_calibration_newest(struct ft_store *store, int64_t machine, struct cli_period *out);

/* cli_period_of_runs - takes the runs away that are not of the period. */
void cli_period_of_runs(const struct cli_period *period, struct ft_runs *runs);

/*
 * A command is a file, NAME/NAME.c, and a row of the table in foretime.c.
 */

/* One of the things that a command does: foretime energy fit. The last row of a table has no name. */
struct cli_action {
	const char *name;
	const char *about;  /* one line, without full stop */
	const char *usage;  /* the text behind "foretime COMMAND NAME" */
	const char *takes;  /* the options that it has a use for, by name, with a blank between them; "--"
			     where a command stands behind that */
	size_t least, most; /* words behind its name */
	int (*act)(void *query); /* query: the command's own. Returns the exit status. */
};

/* A command of two words, "plan pack", is one of the actions of the group that its first word names. */
struct cli_command {
	const char *name;
	const char *about; /* one line, without full stop */
	const char *usage; /* the text behind "foretime NAME", a line for each form; NULL: those of actions */
	const char *notes; /* printed below the options; may be NULL */
	const struct cli_action *actions; /* NULL: it does one thing */
	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct cli_command *command, int argc, char **argv);
};

/* Exit statuses (design: The command line). */
enum { CLI_DONE = 0, CLI_NO = 1, CLI_WRONG = 2, CLI_INTERRUPTED = 130 };

/* CLI_TRY - return from the calling function with the exit status of a step that was not done. */
#define CLI_TRY(step)                                                                                        \
	do {                                                                                                 \
		int cli_tried = (step);                                                                      \
		if (cli_tried != CLI_DONE)                                                                   \
			return cli_tried;                                                                    \
	} while (0)

extern const struct cli_command cli_build, cli_device, cli_energy, cli_export, cli_fit, cli_help, cli_import,
	cli_largest, cli_list, cli_load, cli_machine, cli_pack, cli_plan, cli_plot, cli_predict, cli_profile,
	cli_report, cli_request, cli_rm, cli_run, cli_serve, cli_set, cli_show, cli_slurm, cli_surrogate,
	cli_trace, cli_verify;

/* Whether foretime build prints last and suggests the next command; false in the one-line form. */
extern bool cli_build_is_last;

/* cli_command_get - the i-th command of the table; NULL past the last. Those of two words are the last ones.
 */
const struct cli_command *cli_command_get(unsigned i);

/* cli_command_in - the i-th two-word command of a group; NULL past the last. */
const struct cli_command *cli_command_in(const char *group, unsigned i);

/* cli_alias - the words of a call, with the present spelling in place of an old or a short one.
 *
 * argc  in and out: how many words
 * word  [argc], the first one names the command
 *
 * Returns a new array, NULL behind its last word; ends with free. Words that were given are borrowed. */
char **cli_alias(int *argc, char *const *word);

/* cli_command_find - the command named by the first words; both move on to the last word of its name. When
 * there is none: prints that on standard error with the nearest name, and returns NULL. */
const struct cli_command *cli_command_find(int *argc, char ***word);

/* cli_overview - the output of `foretime --help`; all: every command with its purpose. */
void cli_overview(FILE *file, bool all);

/* cli_commands_manual - the commands as foretime(1) lists them, for man/page. */
void cli_commands_manual(void);

/*
 * Helpers of all commands: complaints, memory, the store, interruption.
 */

/* cli_fail - print "foretime: TEXT" on standard error; a remedy is the last line of the text and begins
 * with "hint: ". Returns CLI_WRONG. */
int cli_fail(const char *format, ...) FT_PRINTF(1, 2);

/* cli_hint - "hint: TEXT" below a complaint, where it is one of several, or made of parts. */
void cli_hint(const char *format, ...) FT_PRINTF(1, 2);

/* cli_complaint - the last complaint, for callers whose reader sees no standard error. hint: the last one
 * below it; NULL: there was none. */
const char *cli_complaint(const char **hint);

/* cli_note - "note: TEXT" on standard error: worth knowing, and no failure. */
void cli_note(const char *format, ...) FT_PRINTF(1, 2);

/* cli_error - what the library complained of, and its remedy; returns the exit status: CLI_NO when no model
 * is possible, CLI_INTERRUPTED, else CLI_WRONG. */
int cli_error(const struct ft_err *err);

/* cli_error_at - the same with "WHERE: " before it. */
int cli_error_at(const struct ft_err *err, const char *format, ...) FT_PRINTF(2, 3);

/* cli_given - the same pointer; ends the command when it is NULL: memory was out. */
void *cli_given(void *memory);

/* cli_alloc - zeroed memory, ends with free; ends the command when there is none. */
void *cli_alloc(size_t bytes);
char *cli_strdup(const char *text); /* the same of a string; NULL gives NULL */

/* CLI_OWN - a pointer that is freed when its scope is left: CLI_OWN char *text = cli_printed(...); */
#define CLI_OWN FT_CLEANUP(cli_free_own)
void cli_free_own(void *pointer); /* address of the pointer to free */

/* cli_printed - a formatted string; ends with free. */
char *cli_printed(const char *format, ...) FT_PRINTF(1, 2);

/* cli_reprint - the same in place of a text that cli_printed made (or NULL), which may stand among what is
 * printed: a list grows by it. */
void cli_reprint(char **text, const char *format, ...) FT_PRINTF(2, 3);

/* cli_grow - room for one more element of an array that is NULL at 0 elements, and has grown by this alone:
 * the array, moved perhaps; the new element is not zeroed. */
void *cli_grow(void *array, size_t count, size_t bytes);

/* cli_wait_of - of "LABEL=30s" among several; *wait_s stays as it is if there is none. Returns CLI_DONE, or the exit status
 * after a complaint. */
int cli_wait_of(const struct ft_field_texts *waits, const char *label, double *wait_s);

/* cli_secret_read - a certificate, or (secret) a key or token, which only its owner can read; without the
 * newline at its end. Ends with free. NULL after a complaint. */
char *cli_secret_read(const char *path, bool secret);

/* cli_prior - the prior of growth outside the measured range: FORETIME_GROWTH's file, else the site's if
 * there is one; NULL: the built-in prior, also (after a note) when the file is damaged. Read once. path:
 * may be NULL; out: the file, NULL: none. */
const struct ft_prior *cli_prior(const char **path);

/* How a command opens the store. */
enum cli_access {
	CLI_READ,   /* it must exist; nothing is written */
	CLI_ANSWER, /* it must exist; models are stored if it is writable */
	CLI_WRITE,  /* it is created when it is not there */
};

/* cli_store_open - open the store at `path` (NULL: the usual place); returns CLI_DONE, or the exit status
 * after a complaint. */
int cli_store_open(struct ft_store **store, const char *path, enum cli_access access);

/* CLI_STORE - a store that is closed when its scope is left: CLI_STORE struct ft_store *store = NULL; */
#define CLI_STORE FT_CLEANUP(cli_store_end)
void cli_store_end(struct ft_store **store);

/* cli_store_open_list - the same for commands that list what there is: CLI_DONE with *store NULL when there
 * is no store yet. */
int cli_store_open_list(struct ft_store **store, const char *path);

/* cli_signals_catch - from now on SIGINT and SIGTERM raise the flag; a second one ends the command. */
void cli_signals_catch(void);
const volatile sig_atomic_t *cli_interrupt_flag(void);

/* cli_streams_fill - open closed standard streams in a mode in which every use fails, so that no file we
 * open later receives our output. */
void cli_streams_fill(void);

/* cli_writes_catch - a closed pipe, and a limit on the size of files (batch systems set one), are errors of
 * the write, noticed at the end, and no sudden end. */
void cli_writes_catch(void);

/* Remedy for EFBIG. */
#define CLI_LONGER_FILES "raise the limit on the size of files (ulimit -f)"

/* cli_stdout_close - flush standard output: CLI_DONE, also when its reader is gone (head); or the exit
 * status after a complaint (a full disk). */
int cli_stdout_close(void);

/*
 * The drivers of this machine's devices, looked up once, when first needed.
 */

/* cli_driver_named - the driver of a device as `foretime device list` names it, by id or kind ("gpu"). The
 * caller frees it; NULL: no such device, or no driver. */
char *cli_driver_named(const char *device);

/* cli_driver_now - as ft_rank_options takes it. */
char *cli_driver_now(void *ctx, const struct ft_program *program);

/*
 * Text of machines, sizes, ages and runs.
 */

/* cli_machine_text - "box (AMD EPYC 7B13, 2 cores)"; ends with free. */
char *cli_machine_text(const struct ft_machine *machine);

/* cli_machine_named - a machine of which only the name is known. Ends with ft_machine_clear. */
void cli_machine_named(const char *name, struct ft_machine *machine);

/* cli_machine_of_table - the machine of a table's runs: as its notes state, else this one when `here`,
 * else one called "elsewhere". Returns CLI_DONE or the exit status after a complaint. */
int cli_machine_of_table(const struct ft_csv *csv, bool here, struct ft_machine *machine);

/* cli_size_heads, cli_size_cells - a column for each parameter. */
void cli_size_heads(struct cli_table *table, const struct ft_program *program);
void cli_size_cells(struct cli_table *table, const struct ft_size *size);

/* cli_print_param - "parameter  n = 64 .. 3000, step 8", "... , factor 2", or the values of a list; steps:
 * also those of a range without one. */
void cli_print_param(const struct ft_param *param, bool steps, FILE *file);

/* cli_failure_text - "timed out", "failed with status 3"; ends with free. */
char *cli_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail);

/*
 * Print what an expert stated about a program, and check requirements.
 */

/* cli_print_knowledge - a line for each law and requirement. */
void cli_print_knowledge(const struct ft_answer_knowledge *output, FILE *file);

/* cli_warn_requirements - a note for each requirement that a machine does not meet. */
void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here);

/*
 * The models of a program, opened for a command that queries them.
 */

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

/* cli_travel_export - the models of a program as a file for other machines (ft_travel_write). cli_travel_import - take such
 * a file into the store, for programs of a name (NULL: its own). cli_travel_from - the model that a build begins
 * with: FILE, or NAME@MACHINE of the store; the program's parameters are taken from it where none were given.
 * Each returns CLI_DONE, or the exit status after a complaint. cli_travel_print - how far it counts for a resource, in a
 * line; nothing where no model from elsewhere is used. */
int cli_travel_export(const char *store_path, const char *name, const char *device, const char *machine,
		      const char *licence, const char *path);
int cli_travel_import(const char *store_path, const char *path, const char *name, bool quiet);
int cli_travel_from(struct ft_store *store, const char *from, struct ft_program *program);
void cli_travel_print(const struct cli_models *models, const struct ft_resource *resource, FILE *file);

/* cli_models_open_version - the same of an older executable, by the beginning of its hash. */
int cli_models_open_version(struct cli_models *models, const char *store_path, const char *name,
			    const char *device, const char *hash, const char *machine);

/* cli_models_open_for - the same; when the machine has no runs of the program, or cycles per instruction
 * are given, predictions come from the pace of that machine (ft_ask_elsewhere). cycles NULL: only from its
 * runs. Otherwise only the models are queried (ft_ask_open_models). */
int cli_models_open_for(struct cli_models *models, const char *store_path, const char *name,
			const char *device, const char *machine, const struct ft_cycles *cycles);
void cli_models_close(struct cli_models *models);

/* cli_asked_words - the words NAME KEY=VALUE...: of these, argv's, the '=' becomes the end of the key. what,
 * example: what one that is no pair was to be, and what to write instead. Returns CLI_DONE, or CLI_WRONG
 * after a complaint. */
int cli_query_words(struct ft_query *query, const struct cli_words *words, const char *what,
		    const char *example);

/* The load to predict for, as typed. */
struct cli_beside {
	const char *view;
	double threads;
	bool niced;
};

/* cli_beside_read - what was typed. Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_beside_read(const struct cli_beside *beside, struct ft_ask_load *load);

/* cli_load_text - the text behind "wall time" that names the load; "": an idle machine. */
const char *cli_load_text(enum ft_load_view view);

/* cli_models_resource - the resource by its name, or by "time" or "memory" (peak_tree_bytes if it was
 * measured); NULL: wall_s, or the first resource that was measured. NULL after a complaint. Borrowed. */
const struct ft_resource *cli_models_resource(const struct cli_models *models, const char *query);

/* cli_resource_title - "wall time"; of a resource without such words its name. */
const char *cli_resource_title(const struct ft_resource *resource);

/* cli_resource_typed - the same before any runs are read: from the table, by name or word. */
const struct ft_resource *cli_resource_typed(const char *word);

/* cli_failing_text - its size and how it ended, in words; ends with free; NULL where there is none. */
char *cli_failing_text(const struct cli_models *models);

/* cli_names_program - whether the first word names a program: "n=100" is a value, and "<a b=1>" none. */
bool cli_names_program(const struct cli_words *words);

/* cli_models_headline - which runs, which machine, how old; and the warnings. */
void cli_models_headline(const struct cli_models *models, FILE *file);

/* cli_models_warnings - print what a reader must know before using an answer, a line each: runs of another
 * machine, a changed program, sizes from which on runs failed. Returns how many. */
size_t cli_models_warnings(const struct cli_models *models, FILE *file);

/* cli_models_busy - whether wall times were corrected: a busy machine slowed the runs down. */
bool cli_models_busy(const struct cli_models *models);

/* cli_axes_print - print the parameters without effect on some resources (n 0: on all), and those whose
 * effects cannot be separated, a line each. */
void cli_axes_print(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
		    FILE *file);

/* cli_axes_print_found - the same for an answer at hand. */
void cli_axes_print_found(const struct ft_answer_axes *axes, FILE *file);

/* cli_runs_within - the head of a column of intervals: "90 % of runs"; ends with free. */
char *cli_runs_within(double confidence);

/* cli_change_text - that newer runs are off the older ones; ends with free. */
char *cli_change_text(const struct ft_change *change);

/* cli_models_all - of every resource that was measured; ends with free. Returns their number, 0 without an
 * answerer. */
size_t cli_models_all(const struct cli_models *models, struct ft_answer_model **out);

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

/*
 * Powers of machines: as printed by a fit, as typed, and as stored.
 */

/* cli_powers_typed - "infr=161.08,machine=100.77,core=11.56"; option: the option that the text belongs to.
 * cli_powers_file: reads the output of `foretime energy fit --json`. Both return CLI_DONE, or CLI_WRONG
 * after a complaint. */
int cli_powers_typed(struct ft_power *power, const char *option, const char *text);
int cli_powers_file(struct ft_power *power, const char *path);

/* cli_powers_keep - store the powers found by a fit for a machine (its fingerprint), replacing earlier
 * ones. fit: its output, of which the reference is taken. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_powers_keep(struct ft_store *store, const char *fingerprint, json_t *fit);

/* cli_powers_kept - the stored powers; runs: out, the number of runs behind them. False: none are stored. */
bool cli_powers_kept(struct ft_store *store, const char *fingerprint, struct ft_power *power, size_t *runs);

/* Powers of the machine as devices of a program use it: POWERS for all of them, D:POWERS for one, as
 * typed; by default the stored ones. */
struct cli_device_powers {
	const struct ft_field_texts *stated;
	struct ft_store *store;
	int status; /* CLI_DONE; what a complaint was */
};

/* cli_powers_of - the powers of one device ("", NULL: of none) on a machine. False: none are known, or
 * there was a complaint. */
bool cli_powers_of(struct cli_device_powers *powers, const char *device, const char *fingerprint,
		   struct ft_power *out);

/* cli_powers_answer - the same, as ft_rank_options takes it. */
bool cli_powers_answer(void *ctx, struct ft_answerer *answerer, struct ft_power *out);

/* cli_powers_check - whether each D that stands before powers is one of the devices [n]. Returns CLI_DONE, or
 * CLI_WRONG after a complaint. */
int cli_powers_check(const struct ft_field_texts *stated, const char *const *device, size_t n);

#define CLI_POWERS_OPTION(powers)                                                                            \
	{                                                                                                    \
		0, "powers", FT_FIELD_TEXTS, &(powers), "[D:]POWERS",                                        \
			"powers for energy that was not measured, of all devices or of D: "                  \
			"infr=60,core=8,device=150, or a file of energy fit"                                 \
	}

/*
 * The cost of energy or time in money, and of energy in carbon dioxide, at a stated price.
 */

/* Zero-initialise. */
struct cli_price {
	const char *price, *co2; /* as typed; NULL: not stated */
	struct ft_answer_price answer;
};

/* clang-format off */
#define CLI_PRICE_OPTIONS(p, about) \
	{0, "price", FT_FIELD_TEXT, &(p).price, "PRICE", (about)}, \
	{0, "co2", FT_FIELD_TEXT, &(p).co2, "MASS", "carbon dioxide of energy, as in 400g/kWh", .of = "price"}
/* clang-format on */

/* cli_price_read - what was typed. time: a price of time is accepted. Returns CLI_DONE, or CLI_WRONG after a
 * complaint. */
int cli_price_read(struct cli_price *price, bool time);

/* cli_price_of_time - "0.10/h", "0.02EUR/core-h"; false: it is none. */
bool cli_price_of_time(const char *text, struct ft_answer_price *answer);

/* cli_price_cost - of a run that takes so long at a size; NaN: see ft_tell_cost_of_time. */
double cli_price_cost(const struct ft_answer_price *price, struct ft_answerer *answerer,
		      const struct ft_size *size, double seconds);

static inline bool cli_price_stated(const struct cli_price *price)
{
	return price->price || price->co2;
}

/* cli_price_text - "0.021 EUR, 28 g of CO2", what was stated of it; ends with free. */
char *cli_price_text(const struct cli_price *price, double joules);

/*
 * Options of every command that runs programs: how to run, and what else to measure.
 */

/* As typed. Zero-initialise. */
struct cli_probes {
	const char *counters, *energy, *gpu, *meter, *meter_unit;
	bool instructions, valgrind, working_set, sockets;
};

/* Rows of a table of options. */
/* clang-format off */
#define CLI_PROBE_OPTIONS(probes) \
	{0, "measure", FT_FIELD_TEXT, NULL, "WHAT", "what to measure in addition, several with commas"}, \
	{0, "counters", FT_FIELD_TEXT, &(probes).counters, "NAME,...", \
	 "count these events; default: instructions and cycles where the processor counts; none: none", \
	 .of = "measure"}, \
	{0, "instructions", FT_FIELD_FLAG, &(probes).instructions, NULL, \
	 "count instructions; where the processor does not, under valgrind in an extra run", .of = "measure"}, \
	{0, "valgrind", FT_FIELD_FLAG, &(probes).valgrind, NULL, \
	 "count instructions under valgrind, also where the processor counts", .of = "measure"}, \
	{0, "working-set", FT_FIELD_FLAG, &(probes).working_set, NULL, \
	 "find the smallest cache that holds its data, under valgrind in five extra runs", .of = "measure"}, \
	{0, "sockets", FT_FIELD_FLAG, &(probes).sockets, NULL, \
	 "estimate the bytes that its TCP sockets send and receive", .of = "measure"}, \
	{0, "energy", FT_FIELD_TEXT, &(probes).energy, "PROBE", \
	 "measure energy: rapl, nvidia, or rapl,nvidia for their sum", .of = "measure"}, \
	{0, "gpu", FT_FIELD_TEXT, &(probes).gpu, "PROBE", \
	 "measure device memory and time: drm, nvidia, opencl, or all that work here", .of = "measure"}, \
	{0, "meter", FT_FIELD_TEXT, &(probes).meter, "CMD", \
	 "measure energy by a shell command that prints readings, as in '12.3 W' or '55 J'"}, \
	{0, "meter-unit", FT_FIELD_TEXT, &(probes).meter_unit, "UNIT", \
	 "unit of the meter's bare numbers: W, kW, J, kJ, Wh, kWh", .of = "meter"}
/* How each run is started: `threads` is a size_t, `launch` a struct ft_launch. */
#define CLI_LAUNCH_OPTIONS(threads, launch) \
	{0, "threads", FT_FIELD_COUNT, &(threads), "K", "set OMP_NUM_THREADS and the like"}, \
	{0, "pin", FT_FIELD_TEXT, &(launch).pin, "CPUS", "run on these processors only, as in 0-3,6"}, \
	{0, "prepare", FT_FIELD_TEXT, &(launch).prepare, "CMD", "shell command before each run, not measured"}, \
	{0, "cleanup", FT_FIELD_TEXT, &(launch).cleanup, "CMD", "shell command after each run, not measured"}
#define CLI_EMULATE_OPTION(launch, others) \
	{0, "emulate", FT_FIELD_TEXT, &(launch).emulate, "ARCH", \
	 "PROG is of that processor (aarch64): run it under qemu-user, and count its instructions", \
	 .not_with = (others)}
/* clang-format on */

void cli_probes_set(const struct cli_probes *probes, struct ft_launch *launch);

/* cli_usage_write - a trace as a table: time_s, cpu_utilisation (processors busy), rss_bytes, processes. */
void cli_usage_write(const struct ft_usage *usage, FILE *file);

/*
 * Turn words of the command line into a stored program.
 */

/* cli_program_params - add "n=64:3000", "m=100" to a program. bare: "n" alone is allowed (its range is in the
 * data). Returns CLI_DONE, or the exit status after a complaint; so do all below. */
int cli_program_params(struct ft_program *program, char **word, size_t n, bool bare);

/* cli_list_note - a note where the list of a word (n=1,234) may have been meant for one number. */
void cli_list_note(const char *word);

/* cli_program_argv - the command behind `--`. */
void cli_program_argv(struct ft_program *program, char **word, size_t n);

/* cli_program_name - NAME for a program that has none: the file name of its executable. */
void cli_program_name(struct ft_program *program);

/* cli_work_check - check that the work expression parses, uses only known names, and is > 0 at the ends
 * and the middle of the ranges. */
int cli_work_check(const struct ft_program *program);

/* cli_where_check - complain unless a constraint that came with runs can be read and is of its parameters. */
int cli_where_check(const struct ft_program *program);

/* cli_program_where - what sizes must meet: all of some expressions of the parameters. */
int cli_program_where(struct ft_program *program, const char *const *where, size_t n);

/* cli_name_check - that a name is not one that foretime keeps for itself. */
int cli_name_check(const char *name);

/* cli_program_tell_version - print, before a program is stored, that its executable differs from the
 * stored one's, or that runs of unknown version count as its own. */
void cli_program_tell_version(struct ft_store *store, const struct ft_program *program);

/* cli_program_put - store a program; prints a note when its executable differs from the stored one's. */
int cli_program_put(struct ft_store *store, struct ft_program *program);

/* cli_program_cases - the ranges of parameters that have none ("n" alone) from the columns of a table. */
int cli_program_cases(struct ft_program *program, const struct ft_csv *csv, const char *path);

/*
 * Options that describe the columns of a file of runs, for every command that reads one.
 */

/* As typed. Zero-initialise. */
struct cli_reading {
	const char *by, *format, *directory;
	struct ft_field_texts size, value;
};

/* Rows of a table of options. */
/* clang-format off */
#define CLI_READING_OPTIONS(reading) \
	{0, "by", FT_FIELD_TEXT, &(reading).by, "COLUMN", "column whose texts are programs"}, \
	{0, "size", FT_FIELD_TEXTS, &(reading).size, "N=WHERE", \
	 "place of a parameter: n=COLUMN, n=COLUMN:/fft_([0-9]+)/, n=file:in/{COLUMN}.fq"}, \
	{0, "directory", FT_FIELD_TEXT, &(reading).directory, "DIR", \
	 "start of relative paths of n=file:; default: here", .of = "size"}, \
	{0, "value", FT_FIELD_TEXTS, &(reading).value, "R=COLUMN", \
	 "column of a resource, as in wall_s=runtime:ms"}, \
	{0, "from", FT_FIELD_TEXT, &(reading).format, "F", \
	 "format of the file (foretime-import(1), FORMATS); default: as the file begins"}
/* clang-format on */

/* cli_reading_options - the same for the library; borrows. */
struct ft_import_options cli_reading_options(const struct cli_reading *reading);

/* cli_reading_of - the runs of one program in some files: those under its name in the files, or those of
 * their only program. Prints what was left out.
 *
 * program  its name, and its parameters: those with a range take any value
 * runs     out: ends with ft_runs_clear
 *
 * Returns CLI_DONE, or the exit status after a complaint. */
int cli_reading_of(const struct cli_reading *reading, const struct ft_field_texts *paths,
		   const struct ft_program *program, struct ft_runs *runs);

/* cli_reading_notes - how many rows were no runs, and why. */
void cli_reading_notes(const struct ft_import *import);

/*
 * Keep a run that a user needed: a failure of the store does not change the run's exit status.
 */

/* cli_program_hash - the hash of a program's executable as it is now, from the store if the file has not
 * changed since, else computed; "" when it cannot be read. The caller frees it. */
char *cli_program_hash(struct ft_store *store, const struct ft_program *program);

/* cli_save_begin - make ready to keep runs of a program while it runs: the store, the machine, the hash.
 * Takes place in a thread. program: borrowed until cli_save_end. */
struct cli_saving *cli_save_begin(const char *store_path, const struct ft_program *program);

/* cli_save_end - add runs of the program and its routines to the store; when that fails, to its spool.
 * Errors are notes. trace: of the first run, stored with it; NULL: none. */
void cli_save_end(struct cli_saving *saving, struct ft_runs *runs, const char *trace);

/* cli_save_apart - write the runs of one execution to a store file of their own, whole or not at all, for
 * executors that carry runs between machines. Returns CLI_DONE, or the exit status after a complaint. */
int cli_save_apart(const char *path, const struct ft_program *program, struct ft_runs *runs);

/* cli_signals_pass - from now on, record signals sent by another process, to be passed on; returns the
 * address of the last one's number. Signals of a terminal reach the program directly. */
volatile sig_atomic_t *cli_signals_pass(void);

/* cli_end_by_signal - end this process by a signal, as the program was ended. Returns when that fails. */
void cli_end_by_signal(int number);

/*
 * Helpers of the commands of foretime-service.
 */

enum { CLI_PATH_MOST = 4096 };

/* cli_service_command - path of the foretime that measures and answers (ft__command_beside). */
void cli_service_command(char path[CLI_PATH_MOST]);

/*
 * The sizes to predict.
 */

/* Zero-initialise; ends with cli_sizes_clear. */
struct cli_sizes {
	struct ft_size *size;
	size_t n;
};

/* cli_sizes_find - every combination of the values in words 1, 2, ... ("n=64:3000:64", "m=100,200"; several
 * of one parameter are all taken), or the rows of a table at path. Parameters that are left out take their
 * only value in the runs.
 *
 * Returns CLI_DONE, or the exit status after a complaint.
 */
int cli_sizes_find(struct cli_sizes *sizes, const struct ft_answerer *answerer, const struct cli_words *words,
		   const char *path);
void cli_sizes_clear(struct cli_sizes *sizes);

/* cli_values_add - those of a word, NAME=VALUE|LEAST:MOST[:STEP|:*FACTOR],... cli_values_count - complains,
 * of the last word, where the combinations are too many.
 *
 * Returns CLI_DONE, or the exit status after a complaint.
 */
int cli_values_add(struct ft_values *values, const char *word);
int cli_values_count(const struct ft_values *values, const char *word);

/* cli_size_refuse - complains of a word that is no size of a parameter; returns CLI_WRONG. */
int cli_size_refuse(const char *word, const char *parameter);

/*
 * Filter output so that foreign text (hosts, cells, messages of programs, stores) cannot control a terminal.
 */

/* cli_terminal_guard - from now on both streams show characters that would steer a terminal by their numbers
 * (ft_character_show), and a line that is wider than the terminal goes on below, between two words. */
void cli_terminal_guard(void);

/* cli_terminal_data - whether standard output is a file for other programs from now on: it is then written
 * unchanged, except to a terminal. cli_terminal_whole: its lines are not wrapped, also on a terminal
 * (JSON, CSV). */
void cli_terminal_whole(bool whole);

/* cli_terminal_width - columns of the terminal that standard output or error is; 80 where it is none. */
size_t cli_terminal_width(const FILE *file);

/* Words of --color, in this order. */
#define CLI_COLORS "auto|always|never"
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };
extern enum cli_color cli_color;

/* cli_terminal_paint - set the style of standard output from now on. No effect without colours; by default
 * there are none outside a terminal, on a dumb one, and with NO_COLOR. */
enum cli_paint { CLI_PLAIN, CLI_BOLD, CLI_RED };
void cli_terminal_paint(enum cli_paint paint);

/* cli_terminal_failure - the errno for which standard output could first not be written; 0: it could. */
int cli_terminal_failure(void);

/* cli_terminal_again - what is printed to standard error from now on takes the place of the present line. */
void cli_terminal_again(void);

/*
 * Split a command that is one text.
 */

/* cli_words_split - as a shell splits a line: blanks part words, 'all' and "all but \" and \\" are kept
 * together, a \ keeps what follows it. Nothing else is special, and no shell runs.
 *
 * word  out, [*n] heap strings in a heap array, each ends with free
 *
 * Returns CLI_DONE; or the exit status after a complaint: a quote that is not closed, no word.
 */
int cli_words_split(const char *text, char ***word, size_t *n);

/* cli_words_of - the same; returns why it cannot be split, or NULL. */
const char *cli_words_of(const char *text, char ***word, size_t *n);

char *cli_micro_program(const struct ft_micro *micro);

void cli_terminal_data(bool data);

/*
 * Several managers, asked at the same time: each answers with its own models and its own load (001 III).
 */

/* Zero-initialise, but CLI_AGENT_USUAL; ends with cli_agent_close. */
struct cli_agent {
	/* as typed */
	struct ft_field_texts ask;
	const char *token, *certificate; /* files */
	double timeout_s;
	enum ft_load_view load;
	/* as found */
	struct ft_tell_asked *manager; /* [n] */
	char **text;                   /* [2 n] addresses and tokens of these */
	bool *gone;                    /* [n] it failed to answer, and is asked no more */
	size_t n;
	struct ft_answer_unanswered *unanswered; /* [n_unanswered] the complaints so far; texts are ours */
	size_t n_unanswered;
};

#define CLI_AGENT_USUAL                                                                                      \
	{                                                                                                    \
		.timeout_s = 5, .load = FT_LOAD_NOW                                                          \
	}

/* clang-format off */
#define CLI_AGENT_OPTIONS(agent, about, with) \
	{0, "ask", FT_FIELD_TEXTS, &(agent).ask, "ADDRESS", \
	 (about), .not_with = (with)}, \
	{0, "token", FT_FIELD_TEXT, &(agent).token, "FILE", \
	 "file with the token, or with a line 'ADDRESS TOKEN' for each", .of = "ask"}, \
	{0, "certificate", FT_FIELD_TEXT, &(agent).certificate, "FILE.pem", \
	 "certificates that are trusted; default: those of the system", .of = "ask"}, \
	{0, "timeout", FT_FIELD_DURATION, &(agent).timeout_s, "T", \
	 "time to answer; default 5s", .of = "ask"}
/* clang-format on */

/* cli_agent_open - the addresses and tokens that were typed. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_agent_open(struct cli_agent *agent);
void cli_agent_close(struct cli_agent *agent);

/* cli_agent_ask - request a target from all that have answered so far, at the same time; the answers of before
 * are gone. what: "task 't1'", printed with a refusal; NULL: nothing. Who fails to answer in time is not asked
 * again. Prints a note for each that has no answer. Returns the number of answers.
 *
 * target  taken */
size_t cli_agent_ask(struct cli_agent *agent, struct ft_text *target, const struct ft_tell_record *record,
		     const char *what);

/* cli_agent_rank - "/rank/NAME?confidence=0.9&load=now", to which the size is added. */
void cli_agent_rank(const struct cli_agent *agent, const char *name, double confidence,
		    struct ft_text *target);

/* cli_agent_read - the time in an answer to that; INFINITY: the memory there does not suffice. false: it has no
 * time. */
bool cli_agent_read(const json_t *answer, double *time_s, struct ft_prediction *at);

#endif
