/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - reads runs recorded elsewhere, by foretime or other tools, from files into the store. */
#include "adapt/door.h"
#include "ask/door.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/import/import.h"
#include "foretime/facts.h"
#include "foretime/measure.h"
#include "tell/answers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Progress and report of an import.
 */

/* ---- progress ----------------------------------------------------------------------------------------- */

/* import_progress - ft_import_options.progress; ctx: the import. */
static bool import_progress(void *ctx, size_t runs, double share)
{
	static const double first_s = 2, again_s = 0.5;
	struct cli_import *import = ctx;
	const double now_s = ft_clock_s();

	if (*cli_interrupt_flag())
		return false;
	if (import->quiet || isatty(STDERR_FILENO) != 1 || now_s - import->began_s < first_s ||
	    now_s - import->shown_s < again_s)
		return true;
	import->shown_s = now_s;
	import->drawn = true;
	cli_terminal_again();
	fprintf(stderr, "%zu runs", runs);
	if (share == share)
		fprintf(stderr, ", %.0f %%", 100 * share);
	(void)fflush(stderr);
	return true;
}

static void import_progress_end(struct cli_import *import)
{
	if (import->drawn)
		cli_terminal_again();
	import->drawn = false;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static const char *plural_end(size_t n)
{
	return n == 1 ? "" : "s";
}

static size_t count_known(const struct cli_import *import)
{
	size_t n = 0;

	for (size_t i = 0; i < import->n_parts; i++)
		n += import->part[i].known;
	return n;
}

struct passed {
	size_t rows;
	const char *why, *first;
};

static const struct ft_tell_row passed_rows[] = {
	{FT_TELL(struct passed, rows)},
	{FT_TELL(struct passed, why)},
	{FT_TELL(struct passed, first), .about = "the place of the first, and what is wrong there",
	 .null = "the reason is complete"},
	{0},
};
static const struct ft_tell_record passed_over = {.bytes = sizeof(struct passed), .row = passed_rows};

struct taken { /* borrowed */
	const char *name, *work, *where, *machine;
	const struct ft_param *param;
	size_t n_params;
	size_t runs, known, sizes;
};

static const struct ft_tell_row taken_rows[] = {
	{FT_TELL(struct taken, name), .head = "name"},
	{FT_TELL_MANY(LIST, "params", struct taken, param, n_params, &ft_tell_param)},
	{FT_TELL(struct taken, work), .null = "not stated"},
	{FT_TELL(struct taken, where), .about = "what a size must meet", .null = "nothing"},
	{FT_TELL(struct taken, machine), .about = "the name of its machine, where rows name theirs",
	 .null = "that of all"},
	{FT_TELL(struct taken, runs), .head = ">runs"},
	{FT_TELL(struct taken, known)},
	{FT_TELL(struct taken, sizes), .head = ">sizes"},
	{0},
};
/* Table for people, when rows name their machines. */
static const struct ft_tell_row taken_on_rows[] = {
	{FT_TELL_AS(NULL, struct taken, name), .head = "name"},
	{FT_TELL_AS(NULL, struct taken, machine), .head = "machine"},
	{FT_TELL_AS(NULL, struct taken, runs), .head = ">runs"},
	{FT_TELL_AS(NULL, struct taken, sizes), .head = ">sizes"},
	{0},
};
static const struct ft_tell_record taken_on = {.bytes = sizeof(struct taken), .row = taken_on_rows};
static const struct ft_tell_record taken = {.bytes = sizeof(struct taken), .row = taken_rows};

struct import_answer {
	const char *format;
	const struct ft_machine *machine;
	size_t runs, known, n, n_passed, files_left_out, doubtful_values;
	const char *first_file, *first_doubtful;
	struct passed passed[FT_PASSED_N];
	struct taken *program;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct import_answer, format), .about = "of the file that was read last"},
	{FT_TELL_BY(POINTER, "machine", struct import_answer, machine), .of = &ft_tell_machine,
	 .null = "all rows name theirs"},
	{FT_TELL(struct import_answer, runs), .about = "that were taken"},
	{FT_TELL(struct import_answer, known), .about = "that the store had already; they were left out"},
	{FT_TELL_MANY(ARRAY, "passed_over", struct import_answer, passed, n_passed, &passed_over),
	 .about = "rows that are not runs, or not requested"},
	{FT_TELL(struct import_answer, files_left_out), .about = "of several, that cannot be used"},
	{FT_TELL(struct import_answer, first_file), .about = "the first of them, and what is wrong",
	 .null = "all were read"},
	{FT_TELL(struct import_answer, doubtful_values), .about = "that cannot be, and are unavailable"},
	{FT_TELL(struct import_answer, first_doubtful), .about = "its place, and why it cannot be",
	 .null = "there is none"},
	{FT_TELL_MANY(LIST, "programs", struct import_answer, program, n, &taken)},
	{0},
};
const struct ft_tell_record cli_import_answer = {.name = "import", .version = 1, .row = rows};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* More programs than fit on a screen are for foretime list. */
enum { PROGRAMS_SHOWN = 20 };

static void tell_several(const struct import_answer *answer)
{
	CLI_OWN const char **name = cli_alloc((answer->n + 1) * sizeof *name);
	size_t n = 0;
	bool on = false;

	for (size_t i = 0; i < answer->n; i++) {
		on = on || answer->program[i].machine;
		name[i] = answer->program[i].name;
	}
	qsort(name, answer->n, sizeof *name, compare_names);
	for (size_t i = 0; i < answer->n; i++)
		n += !i || strcmp(name[i], name[i - 1]) != 0; /* one may be on several machines */

	printf("imported %zu run%s of %zu program%s\n\n", answer->runs, plural_end(answer->runs), n,
	       plural_end(n));
	cli_tell_table(on ? &taken_on : &taken, answer->program,
		       answer->n > PROGRAMS_SHOWN ? PROGRAMS_SHOWN : answer->n, NULL);
	if (answer->n > PROGRAMS_SHOWN)
		printf("and %zu more: foretime list, or --json\n", answer->n - PROGRAMS_SHOWN);
}

/* import_tell - what was taken, and what was left out. */
static void import_tell(const struct cli_import *import)
{
	struct import_answer answer = {
		.format = import->import.format->name,
		.machine = import->whole ? &import->machine : NULL,
		.runs = import->stored,
		.known = count_known(import),
		.files_left_out = import->import.files_left_out,
		.first_file = import->import.files_left_out ? import->import.file.text : NULL,
		.doubtful_values = import->import.doubtful,
		.first_doubtful = import->import.doubtful ? import->import.doubted : NULL,
		.n = import->import.n,
		.program = cli_alloc(import->import.n * sizeof *answer.program)};

	for (size_t i = 0; i < FT_PASSED_N; i++)
		if (import->import.passed[i])
			answer.passed[answer.n_passed++] =
				(struct passed){import->import.passed[i], ft_passed_text((enum ft_passed)i),
						i == FT_PASSED_FILE     ? import->import.missing
						: i == FT_PASSED_BROKEN ? import->import.broken.text
									: NULL};
	for (size_t i = 0; i < answer.n; i++) {
		const struct ft_imported *part = &import->import.part[i];

		answer.program[i] = (struct taken){.name = part->program.name,
						   .work = part->program.work,
						   .where = part->program.where,
						   .machine = part->machine,
						   .param = part->program.param,
						   .n_params = part->program.n_params,
						   .runs = import->part[i].runs,
						   .known = import->part[i].known,
						   .sizes = import->part[i].n_sizes};
	}
	size_t known = answer.known, fresh = answer.runs;

	cli_reading_notes(&import->import);
	if (known && fresh)
		cli_note("left out %zu run%s that the store has already; --all takes them once more", known,
			 plural_end(known));
	if (import->json) {
		cli_tell(&cli_import_answer, &answer, NULL);
	} else if (known && !fresh) {
		printf("nothing new: the store has all of these %zu run%s already; --all takes them once "
		       "more\n",
		       known, plural_end(known));
	} else if (import->import.n == 1) {
		printf("imported %zu run%s at %zu size%s as '%s'\n", answer.program[0].runs,
		       plural_end(answer.program[0].runs), answer.program[0].sizes,
		       plural_end(answer.program[0].sizes), answer.program[0].name);
	} else {
		tell_several(&answer);
	}
	free(answer.program);
}

/*
 * Store imported runs: on which machine, which are new; all or none.
 */

/* ---- machines ----------------------------------------------------------------------------------------- */

/* The machine of that host name or fingerprint in a store, which may be NULL; false: there is none. */
static bool find_stored(struct ft_store *store, const char *name, struct ft_machine *machine)
{
	struct ft_store_list list = {0};
	bool found = false;

	if (!store || ft_store_get_list(store, NULL, &list, NULL))
		return false;
	for (size_t i = 0; i < list.n && !found; i++) {
		if (!list.entry[i].machine ||
		    ft_store_get_machine(store, list.entry[i].machine, machine, NULL))
			continue;
		found = ft_machine_is_called(machine, name);
		if (!found)
			ft_machine_clear(machine);
	}
	ft_store_list_clear(&list);
	return found;
}

/* A machine by name: as stored, else a new one. */
static void name_machine(const struct cli_import *import, const char *name, struct ft_machine *machine)
{
	struct ft_store *store = import->store;

	if (!store && cli_store_open_list(&store, import->store_path) != CLI_DONE)
		store = NULL;
	if (!find_stored(store, name, machine))
		cli_machine_named(name, machine);
	if (store != import->store)
		ft_store_close(store);
}

/* import_machine - the machine that was named, or this one: before reading, since it bounds what can be
 * true. Returns CLI_DONE, or the exit status after a complaint; so do all below. */
static int import_machine(struct cli_import *import)
{
	struct ft_err err = {0};

	if (import->machines.n == 1 && *import->machines.text[0] && !strpbrk(import->machines.text[0], "{="))
		import->machine_name = import->machines.text[0];
	if (import->here) {
		if (ft_machine_read("", &import->machine, &err))
			return cli_error(&err);
	} else if (import->machine_name) {
		name_machine(import, import->machine_name, &import->machine);
	}
	if (!(import->memory_bytes > 0))
		import->memory_bytes = (double)import->machine.memory_bytes;
	return CLI_DONE;
}

/* Without a named machine: the one in the files, else "elsewhere". */
static void settle_machine(struct cli_import *import)
{
	struct ft_machine *stated = &import->import.machine, here = {0};

	if (import->machine.fingerprint)
		return;
	if (ft_machine_read("", &here, NULL) == FT_OK && stated->fingerprint && here.fingerprint &&
	    !strcmp(stated->fingerprint, here.fingerprint)) {
		import->machine = here;
		return;
	}
	if (!stated->fingerprint && stated->host && here.host && !strcmp(stated->host, here.host))
		cli_note("the runs were made on a machine called '%s', as this one is: if it is this one, "
			 "import them with --here",
			 stated->host);
	ft_machine_clear(&here);
	if (stated->fingerprint) {
		import->machine = *stated;
		*stated = (struct ft_machine){0};
	} else if (stated->host) {
		name_machine(import, stated->host, &import->machine);
	} else {
		import->machine.fingerprint = cli_strdup("0000000000000000");
		import->machine.host = cli_strdup("elsewhere");
	}
}

/* The machine of a part that names it: as an earlier part did, or one more. */
static size_t settle_named(struct cli_import *import, const char *name)
{
	size_t i = 0;

	while (i < import->n_of && strcmp(import->of_name[i], name) != 0)
		i++;
	if (i < import->n_of)
		return i;
	import->of = cli_grow(import->of, i, sizeof *import->of);
	import->of_name = cli_grow(import->of_name, i, sizeof *import->of_name);
	import->of_name[i] = name;
	name_machine(import, name, &import->of[i]);
	return import->n_of++;
}

static struct ft_machine *machine_of(struct cli_import *import, size_t part)
{
	return import->import.part[part].machine ? &import->of[import->part[part].which] : &import->machine;
}

/* ---- the store ---------------------------------------------------------------------------------------- */

/* The version of the runs, when the store has one; printed when the file states another. Returns whether
 * it differs; else the program gets the stored hash. */
static bool settle_version(const struct cli_import *import, struct ft_program *program,
			   const struct ft_program *stored)
{
	bool differ = strcmp(program->hash, stored->hash) != 0, answer = *program->hash != '\0';
	enum cli_version version = import->version;

	if (!differ)
		return false;
	if (version == CLI_VERSION_UNSAID && answer && *stored->hash) {
		cli_note("these runs are of another version of '%s' than the store's: they are kept, and not "
			 "used; --as-version newer uses them in its place, same joins both",
			 program->name);
		version = CLI_VERSION_OLDER;
	} else if (version == CLI_VERSION_UNSAID && !answer) {
		cli_note("of which version of '%s' these runs are is not known: they are taken for the "
			 "store's; --as-version older or newer keeps them apart",
			 program->name);
	}
	if (version == CLI_VERSION_OLDER || version == CLI_VERSION_NEWER)
		return true;
	if (*stored->hash) {
		free(program->hash);
		program->hash = cli_strdup(stored->hash);
	}
	return false;
}

/* Keep a program, before its first runs, and again with the range of all of them. One of an older version does not
 * become the newest of its name. */
static enum ft_status put_version(const struct cli_import *import, struct cli_import_part *part,
				  struct ft_program *program, struct ft_err *err)
{
	struct ft_store *store = import->store;
	struct ft_program stored = {0};
	bool apart = part->apart;
	/* Without a sentence the nearest name is not looked for among thousands. */
	enum ft_status status = ft_store_get_program_on(store, program->name, program->device, &stored, NULL);

	if (status == FT_ENOENT)
		return ft_store_put_program(store, program, err);
	if (status)
		status = ft_store_get_program_on(store, program->name, program->device, &stored, err);
	if (!status && !part->put) {
		if (import->version > CLI_VERSION_SAME && !*stored.hash) {
			(void)ft_fail(err, FT_EINVAL,
				      "the version of the stored runs of '%s' is not known: they cannot be "
				      "ordered by age",
				      program->name);
			(void)ft_remedy(err, "choose another NAME");
			status = FT_EINVAL;
		}
		if (!status && !(apart = part->apart = settle_version(import, program, &stored)))
			cli_program_tell_version(store, program);
	}
	if (!status)
		status = ft_store_put_program(store, program, err);
	if (!status && apart && import->version != CLI_VERSION_NEWER)
		status = ft_store_put_program(store, &stored, err);
	ft_program_clear(&stored);
	return status;
}

static int compare_ids(const void *a, const void *b)
{
	const int64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Leave out what the store has of this program and machine. */
static enum ft_status leave_known(struct cli_import *import, size_t at, struct ft_err *err)
{
	struct ft_imported *imported = &import->import.part[at];
	struct cli_import_part *part = &import->part[at];
	FT_CLEANUP(ft_runs_clear) struct ft_runs stored = {0};
	size_t dropped = 0, n = 0, k = 0;

	FT_TRY(ft_store_get_runs(import->store, imported->program.id, machine_of(import, at)->id, &stored,
				 err));
	part->fresh = !part->portions && !stored.n;
	if (!stored.n)
		return FT_OK;
	if (!part->portions)
		part->before = stored.run[stored.n - 1].id;
	/* Of the stored runs, keep those that were stored before this import, and that no earlier portion had again. */
	size_t kept = 0;

	for (size_t i = 0; i < stored.n; i++) {
		const int64_t run = stored.run[i].id;

		if (run > part->before || (import->n_found && bsearch(&run, import->found, import->n_found,
								      sizeof *import->found, compare_ids)))
			ft_run_clear(&stored.run[i]);
		else
			stored.run[kept++] = stored.run[i];
	}
	stored.n = kept;
	CLI_OWN int64_t *id = cli_alloc((stored.n + 1) * sizeof *id);
	for (; n < stored.n; n++)
		id[n] = stored.run[n].id;
	FT_TRY(ft_import_match(&imported->runs, &stored, &dropped, err));
	part->known += dropped;
	for (size_t i = 0; i < n; i++) {
		if (k < stored.n && stored.run[k].id == id[i]) {
			k++;
			continue;
		}
		import->found = cli_grow(import->found, import->n_found, sizeof *import->found);
		import->found[import->n_found++] = id[i];
	}
	return FT_OK;
}

static int compare_hashes(const void *a, const void *b)
{
	const uint64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static enum ft_status put_part(struct cli_import *import, size_t at, struct ft_err *err)
{
	struct ft_imported *imported = &import->import.part[at];
	struct cli_import_part *part = &import->part[at];

	if (!imported->runs.n)
		return FT_OK;
	if (!part->put)
		FT_TRY(put_version(import, part, &imported->program, err));
	part->put = true;
	if (!import->again && !part->fresh)
		FT_TRY(leave_known(import, at, err));
	/* Store a batch of runs at a time, so that progress and interruptions are handled between. */
	enum { BATCH = 1 << 17 };
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < imported->runs.n && !status; i += BATCH) {
		struct ft_runs batch = {.run = imported->runs.run + i, .n = imported->runs.n - i};

		if (batch.n > BATCH)
			batch.n = BATCH;
		status = ft_store_add_runs(import->store, imported->program.id, machine_of(import, at)->id,
					   &batch, err);
		import->stored += batch.n;
		if (!status && !import_progress(import, import->stored,
						(double)import->stored / (double)import->import.runs))
			status = ft_fail(err, FT_EINTR, "interrupted; nothing was imported");
	}
	if (status)
		return status;
	part->portions++;
	part->runs += imported->runs.n;
	/* Which sizes there are, of runs that are no warm-ups. */
	const struct ft_runs *runs = &imported->runs;

	CLI_OWN uint64_t *all = cli_alloc((part->n_sizes + runs->n + 1) * sizeof *all);
	size_t n = part->n_sizes;

	if (n)
		memcpy(all, part->size, n * sizeof *all);
	for (size_t i = 0; i < runs->n; i++) {
		uint64_t hash = FT_HASH_START;

		for (size_t k = 0; k < runs->run[i].size.n; k++) {
			const double value = runs->run[i].size.value[k] + 0.0; /* -0 is 0 */

			hash = ft_hash_bytes(hash, &value, sizeof value);
		}
		if (!runs->run[i].warmup && !(part->n_sizes && bsearch(&hash, part->size, part->n_sizes,
								       sizeof hash, compare_hashes)))
			all[n++] = hash;
	}
	if (n)
		qsort(all, n, sizeof *all, compare_hashes);
	part->n_sizes = n > 0;
	for (size_t i = 1; i < n; i++)
		if (all[i] != all[i - 1])
			all[part->n_sizes++] = all[i];
	free(part->size);
	part->size = cli_alloc((part->n_sizes + 1) * sizeof *part->size);
	memcpy(part->size, all, part->n_sizes * sizeof *all);
	ft_runs_clear(&imported->runs);
	return FT_OK;
}

/* Store what was read so far, and let go of it. */
static enum ft_status put_portion(struct cli_import *import, struct ft_err *err)
{
	/* The parts that were met since the last call, and their machines. */
	const struct ft_import *read = &import->import;
	const size_t of = import->n_of, before = import->n_parts;
	enum ft_status status = FT_OK;
	bool whole = import->whole;

	for (size_t i = before; i < read->n; i++) {
		import->part = cli_grow(import->part, i, sizeof *import->part);
		import->part[i] = (struct cli_import_part){0};
		import->n_parts = i + 1;
		if (read->part[i].machine)
			import->part[i].which = settle_named(import, read->part[i].machine);
		whole = whole || !read->part[i].machine;
	}
	if (whole && !import->whole) {
		import->whole = true;
		settle_machine(import);
		status = ft_store_put_machine(import->store, &import->machine, err);
	}
	for (size_t i = of; i < import->n_of && !status; i++)
		status = ft_store_put_machine(import->store, &import->of[i], err);
	FT_TRY(status);
	for (size_t i = 0; i < import->import.n; i++)
		FT_TRY(put_part(import, i, err));
	if (import->n_found)
		qsort(import->found, import->n_found, sizeof *import->found, compare_ids);
	return FT_OK;
}

/* Returns CLI_DONE, or the exit status after a complaint. */
static int check_parts(struct cli_import *import);

static int open_import(struct cli_import *import)
{
	struct ft_err err = {0};

	if (import->store)
		return CLI_DONE;
	CLI_TRY(cli_store_open(&import->store, import->store_path, CLI_WRITE));
	return ft_store_begin(import->store, &err) ? cli_error(&err) : CLI_DONE;
}

/* ft_import_options.take */
static enum ft_status take_portion(void *ctx, struct ft_import *read, struct ft_err *err)
{
	struct cli_import *import = ctx;

	(void)read;
	import->failed = check_parts(import);
	if (import->failed == CLI_DONE)
		import->failed = open_import(import);
	return import->failed == CLI_DONE ? put_portion(import, err)
					  : ft_fail(err, FT_EINVAL, "the import ended before");
}

/* The ranges of parts that came in several portions. */
static enum ft_status put_ranges(struct cli_import *import, struct ft_err *err)
{
	for (size_t i = 0; i < import->n_parts; i++)
		if (import->part[i].portions > 1)
			FT_TRY(put_version(import, &import->part[i], &import->import.part[i].program, err));
	return FT_OK;
}

/* The models of a program that came with very many runs, and its values by size: the first question would read all of
 * them again, and the second once more. Of more than a million it would take gigabytes. What fails, the question reports. */
static void prepare_answers(struct cli_import *import, size_t part)
{
	static const size_t very_many = 100000;
	const struct ft_program *program = &import->import.part[part].program;
	struct ft_answerer *answerer = NULL;
	struct ft_arena memory = {0};
	const struct ft_resource *usual;
	struct ft_answer_model *model;
	struct ft_size_values *values;
	size_t n;

	if (!import->part[part].fresh || import->part[part].apart || import->part[part].runs < very_many ||
	    import->part[part].runs > FT_IMPORT_RUNS_MAX || *cli_interrupt_flag() ||
	    ft_ask_open_models(&answerer, import->store, program->name, program->device,
			       machine_of(import, part)->fingerprint, ft_tell_machine_here(import->store),
			       NULL))
		return;
	if (!ft_ask_find(answerer, NULL, &usual, NULL) && !ft_ask_values(answerer, usual, &values, &n, NULL))
		free(values);
	(void)ft_tell_models_all(answerer, &memory, &model, &n, NULL);
	ft_arena_clear(&memory);
	ft_ask_close(answerer);
}

/* import_keep - store all of it, or nothing. */
static int import_keep(struct cli_import *import)
{
	struct ft_err err = {0};

	CLI_TRY(open_import(import));
	enum ft_status status = put_portion(import, &err);
	if (!status)
		status = put_ranges(import, &err);
	status = ft_store_end(import->store, status, &err);
	import_progress_end(import);
	for (size_t i = 0; i < import->n_parts && !status; i++)
		prepare_answers(import, i);
	return status ? cli_error(&err) : CLI_DONE;
}

/*
 * Reads runs recorded elsewhere, by foretime or other tools, from files into the store.
 */

/* Whether a word names a file: parameter names contain no point or slash before '='. */
static bool is_file(const char *word)
{
	size_t length = strcspn(word, "=");

	return !strcmp(word, "-") || memchr(word, '.', length) || memchr(word, '/', length);
}

static int read_words(struct cli_import *import, const struct cli_words *words)
{
	if (!words->n)
		return cli_word_missing(words, 0);
	import->path = words->word;
	for (import->n_paths = 1; import->n_paths < words->n && is_file(words->word[import->n_paths]);
	     import->n_paths++)
		;
	if (import->n_paths < words->n) {
		CLI_TRY(cli_program_params(&import->query, words->word + import->n_paths,
					   words->n - import->n_paths, true));
	}
	/* A file that is named twice, also under two names. */
	CLI_OWN struct stat *st = cli_alloc((import->n_paths + 1) * sizeof *st);
	int status = CLI_DONE;

	for (size_t i = 0; i < import->n_paths && status == CLI_DONE; i++) {
		if (stat(import->path[i], &st[i]) || !S_ISREG(st[i].st_mode))
			st[i].st_ino = 0;
		for (size_t j = 0; j < i && st[i].st_ino && status == CLI_DONE; j++)
			if (st[j].st_ino == st[i].st_ino && st[j].st_dev == st[i].st_dev)
				status = cli_fail("'%s' is the same file as '%s'\n"
						  "hint: name each file once",
						  import->path[i], import->path[j]);
	}
	return status;
}

static int read_version(struct cli_import *import)
{
	static const char *const names[] = {
		[CLI_VERSION_SAME] = "same", [CLI_VERSION_OLDER] = "older", [CLI_VERSION_NEWER] = "newer"};

	if (!import->as_version)
		return CLI_DONE;
	for (size_t i = CLI_VERSION_SAME; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], import->as_version)) {
			import->version = (enum cli_version)i;
			return CLI_DONE;
		}
	return cli_fail("--as-version '%s': runs are not of such a version\n"
			"hint: --as-version same, older or newer than the one in the store",
			import->as_version);
}

/* "cgroup", or as Slurm has it: "jobacct_gather/cgroup". */
static int read_gathered(struct cli_import *import)
{
	static const char *const names[] = {"linux", "cgroup"};
	const char *word = import->gathered, *slash = word ? strrchr(word, '/') : NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!word || !strcmp(names[i], slash ? slash + 1 : word)) {
			import->cgroup = word && i;
			return CLI_DONE;
		}
	return cli_fail(
		"gathered='%s': no way in which Slurm gathers memory\n"
		"hint: --from gathered=linux or cgroup: the JobAcctGatherType of scontrol show config",
		word);
}

/* Runs in memory: some 80 MB. */
enum { HELD_MOST = 150000 };

static int read_files(struct cli_import *import)
{
	/* The options that the library is given. */
	struct ft_import_options options = cli_reading_options(&import->reading);

	options.name = import->name;
	options.param = import->query.param;
	options.n_params = import->query.n_params;
	if (!import->machine_name) {
		options.machine = import->machines.text;
		options.n_machines = import->machines.n;
	}
	options.cgroup = import->cgroup;
	options.strict = import->strict;
	options.memory_bytes = import->memory_bytes;
	options.processors = import->machine.threads;
	options.progress = import_progress;
	options.ctx = import;
	options.take = take_portion;
	options.portion = HELD_MOST;
	struct ft_err err = {0};

	if (import->name && !strchr(import->name, '{'))
		CLI_TRY(cli_name_check(import->name));
	for (size_t i = 0; i < import->n_paths; i++) {
		options.several = i + 1 < import->n_paths || import->import.runs;
		if (ft_import_read(&import->import, import->path[i], &options, &err)) {
			import_progress_end(import);
			return import->failed != CLI_DONE ? import->failed : cli_error(&err);
		}
	}
	return check_parts(import);
}

static int check_parts(struct cli_import *import)
{
	int status = CLI_DONE;

	for (size_t i = import->n_parts; i < import->import.n && status == CLI_DONE; i++) {
		struct ft_program *program = &import->import.part[i].program;

		if (import->work) {
			free(program->work);
			program->work = cli_strdup(import->work);
		}
		if (import->device) {
			free(program->device);
			program->device = cli_strdup(import->device);
		}
		status = cli_name_check(program->name);
		if (status == CLI_DONE && program->device && ft_program_device_fault(program->device))
			status = cli_fail("'%s' cannot name a device: %s", program->device,
					  ft_program_device_fault(program->device));
		if (status == CLI_DONE)
			status = cli_work_check(program);
		if (status == CLI_DONE)
			status = cli_where_check(program);
	}
	return status;
}

static int run_import(const struct cli_command *command, int argc, char **argv)
{
	struct cli_import i = {0};
	const struct ft_field options[] = {
		{0, "name", FT_FIELD_TEXT, &i.name, "NAME",
		 "the program's name in the store; in it {COLUMN} stands for the text of a column, "
		 "{COLUMN:/RE/} for what a group matches there"},
		CLI_READING_OPTIONS(i.reading),
		{0, "here", FT_FIELD_FLAG, &i.here, NULL, "the runs were made on this machine",
		 .not_with = "machine"},
		CLI_QUIET_OPTION(i.quiet),
		CLI_ANSWER_OPTIONS(i.json, i.store_path),
		CLI_GROUP("where the runs were made, and by which version"),
		{0, "machine", FT_FIELD_TEXTS, &i.machines, "M",
		 "the runs were made on the machine of this name; 'node[01-16]=M': those on these nodes; "
		 "'{COLUMN}': as in a column"},
		{0, "device", FT_FIELD_TEXT, &i.device, "D", "the runs are of this device of the program"},
		{0, "memory", FT_FIELD_BYTES, &i.memory_bytes, "SIZE",
		 "memory of that machine: a run that needed more is left out"},
		{0, "gathered", FT_FIELD_TEXT, &i.gathered, "WAY",
		 "sacct: how Slurm gathered memory, linux or cgroup (JobAcctGatherType); by cgroup it is an "
		 "estimate",
		 .of = "from"},
		{0, "as-version", FT_FIELD_TEXT, &i.as_version, "WHICH",
		 "of the version in the store: same, older (kept apart) or newer (used in its place); "
		 "default: same, older where the file names another"},
		{0, "work", FT_FIELD_TEXT, &i.work, "EXPR", "volume of computation, as in '2*n^3'"},
		CLI_GROUP("which rows are taken"),
		{0, "strict", FT_FIELD_FLAG, &i.strict, NULL,
		 "take all rows of all files, or nothing; default: what cannot be used is left out"},
		{0, "all", FT_FIELD_FLAG, &i.again, NULL, "take also runs that the store has already"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (words.n == 1 && ft_word_ends(words.word[0], ".model"))
		return cli_travel_import(i.store_path, words.word[0], i.name, i.quiet);
	cli_signals_catch();
	i.began_s = ft_clock_s();
	status = read_version(&i);
	if (status == CLI_DONE)
		status = read_gathered(&i);
	if (status == CLI_DONE)
		status = read_words(&i, &words);
	if (status == CLI_DONE)
		status = import_machine(&i);
	if (status == CLI_DONE)
		status = read_files(&i);
	if (status == CLI_DONE)
		status = import_keep(&i);
	if (status == CLI_DONE)
		import_tell(&i);
	ft_import_clear(&i.import);
	ft_program_clear(&i.query);
	ft_machine_clear(&i.machine);
	if (i.store)
		(void)ft_store_end(i.store, FT_EINTR,
				   NULL); /* what was not kept: nothing else does anything */
	ft_store_close(i.store);
	for (size_t k = 0; k < i.n_of; k++)
		ft_machine_clear(&i.of[k]);
	for (size_t k = 0; k < i.n_parts; k++)
		free(i.part[k].size);
	free(i.of);
	free(i.of_name);
	free(i.part);
	free(i.found);
	return status;
}

const struct cli_command cli_import = {
	"import",
	"take recorded runs of foretime and of other tools into the store",
	"FILE... [n[=64:3000]] [--name NAME] [--by COLUMN] [--size N=WHERE]... [OPTION...]\n"
	"NAME.model [--name NAME]",
	"Tables (CSV), records of Slurm, Snakemake, Nextflow, Galaxy and Extra-P, of time -v and perf stat, "
	"and\n"
	"files of benchmark tools (hyperfine, pytest-benchmark, Go, ...) are recognised by their beginning.\n"
	"Rows that cannot be used are left out. Runs "
	"belong to a machine called elsewhere, unless the file names one, or --here or --machine is given.\n",
	NULL,
	run_import,
};
