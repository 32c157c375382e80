/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - reads runs recorded elsewhere, by foretime or other tools, from files into the store. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/import/import.h"
#include "foretime/facts.h"
#include "foretime/measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool import_whole(const struct cli_import *import);

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

static bool is_no_warmup(const struct ft_run *run, const void *context)
{
	(void)context;
	return !run->warmup;
}

static size_t count_sizes(const struct ft_imported *part)
{
	FT_CLEANUP(ft_by_size_clear) struct ft_by_size by_size = {0};
	size_t n;

	(void)ft_runs_by_size(&part->runs, is_no_warmup, NULL, &by_size, NULL);
	n = by_size.n;
	return n;
}

static size_t count_known(const struct cli_import *import)
{
	size_t n = 0;

	for (size_t i = 0; i < import->import.n; i++)
		n += import->known[i];
	return n;
}

static size_t count_new(const struct cli_import *import)
{
	size_t n = 0;

	for (size_t i = 0; i < import->import.n; i++)
		n += import->import.part[i].runs.n;
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

struct taken {
	struct ft_program program; /* borrowed, and so is machine */
	const char *machine;
	size_t runs, known, sizes;
};

static const struct ft_tell_row taken_rows[] = {
	{FT_TELL_AS("name", struct taken, program.name), .head = "name"},
	{FT_TELL_BY(ROWS, NULL, struct taken, program), .of = &ft_tell_params},
	{FT_TELL_AS("work", struct taken, program.work), .null = "not stated"},
	{FT_TELL_AS("where", struct taken, program.where), .about = "what a size must meet",
	 .null = "nothing"},
	{FT_TELL(struct taken, machine), .about = "the name of its machine, where rows name theirs",
	 .null = "that of all"},
	{FT_TELL(struct taken, runs), .head = ">runs"},
	{FT_TELL(struct taken, known)},
	{FT_TELL(struct taken, sizes), .head = ">sizes"},
	{0},
};
/* Table for people, when rows name their machines. */
static const struct ft_tell_row taken_on_rows[] = {
	{FT_TELL_AS(NULL, struct taken, program.name), .head = "name"},
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

/* The caller frees its programs. */
static struct import_answer import_answer_of(const struct cli_import *import)
{
	struct import_answer answer = {
		.format = import->import.format->name,
		.machine = import_whole(import) ? &import->machine : NULL,
		.runs = count_new(import),
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

		answer.program[i] = (struct taken){part->program, part->machine, part->runs.n,
						   import->known[i], count_sizes(part)};
	}
	return answer;
}

static void tell_part(const struct taken *part)
{
	printf("imported %zu run%s at %zu size%s as '%s'\n", part->runs, plural_end(part->runs), part->sizes,
	       plural_end(part->sizes), part->program.name);
}

static void tell_several(const struct import_answer *answer)
{
	size_t n = answer->n, k;
	bool on = false;

	for (size_t i = 0; i < answer->n; i++) {
		on = on || answer->program[i].machine;
		for (k = 0;
		     k < i && strcmp(answer->program[k].program.name, answer->program[i].program.name) != 0;)
			k++;
		n -= k < i; /* on another machine, too */
	}

	printf("imported %zu run%s of %zu program%s\n\n", answer->runs, plural_end(answer->runs), n,
	       plural_end(n));
	cli_tell_table(on ? &taken_on : &taken, answer->program, answer->n, NULL);
}

/* import_tell - what was taken, and what was left out. */
static void import_tell(const struct cli_import *import)
{
	struct import_answer answer = import_answer_of(import);
	size_t known = answer.known, fresh = answer.runs;

	cli_reading_notes(&import->import);
	if (known && fresh)
		cli_note("left out %zu run%s that the store has already; --all takes them once more", known,
			 plural_end(known));
	if (import->json)
		cli_tell(&cli_import_answer, &answer, NULL);
	else if (known && !fresh)
		printf("nothing new: the store has all of these %zu run%s already; --all takes them once "
		       "more\n",
		       known, plural_end(known));
	else if (import->import.n == 1)
		tell_part(&answer.program[0]);
	else
		tell_several(&answer);
	free(answer.program);
}

/*
 * Store imported runs: on which machine, which are new; all or none.
 */

/* ---- machines ----------------------------------------------------------------------------------------- */

/* The machine of that host name or fingerprint in the store; false: there is none. */
static bool find_stored(const char *store_path, const char *name, struct ft_machine *machine)
{
	struct ft_store_list list = {0};
	struct ft_store *store = NULL;
	bool found = false;

	if (cli_store_open_list(&store, store_path) != CLI_DONE || !store)
		return false;
	if (ft_store_get_list(store, NULL, &list, NULL))
		list.n = 0;
	for (size_t i = 0; i < list.n && !found; i++) {
		if (!list.entry[i].machine ||
		    ft_store_get_machine(store, list.entry[i].machine, machine, NULL))
			continue;
		found = ft_machine_is_called(machine, name);
		if (!found)
			ft_machine_clear(machine);
	}
	ft_store_list_clear(&list);
	ft_store_close(store);
	return found;
}

/* A machine by name: as stored, else a new one. */
static void name_machine(const struct cli_import *import, const char *name, struct ft_machine *machine)
{
	if (!find_stored(import->store_path, name, machine))
		cli_machine_named(name, machine);
}

/* One name is that of all runs. */
static bool is_whole(const struct ft_field_texts *machines)
{
	return machines->n == 1 && *machines->text[0] && !strpbrk(machines->text[0], "{=");
}

/* import_machine - the machine that was named, or this one: before reading, since it bounds what can be
 * true. Returns CLI_DONE, or the exit status after a complaint; so do all below. */
static int import_machine(struct cli_import *import)
{
	struct ft_err err = {0};

	if (is_whole(&import->machines))
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

/* A part that names its machine. */
struct named {
	const char *name;
	size_t part;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *p = a, *q = b;
	int c = strcmp(p->name, q->name);

	return c ? c : (p->part > q->part) - (p->part < q->part);
}

/* The first part that names the same machine, of each one that names any. first: out, [n] */
static void find_first(const struct ft_import *read, size_t *first)
{
	CLI_OWN struct named *named = cli_alloc((read->n + 1) * sizeof *named);
	size_t n = 0;

	for (size_t i = 0; i < read->n; i++)
		if (read->part[i].machine)
			named[n++] = (struct named){read->part[i].machine, i};
	qsort(named, n, sizeof *named, compare_named);
	for (size_t i = 0; i < n; i++)
		first[named[i].part] = i && !strcmp(named[i].name, named[i - 1].name)
					       ? first[named[i - 1].part]
					       : named[i].part;
}

/* The machines that rows name, each once. */
static void settle_named(struct cli_import *import)
{
	const struct ft_import *read = &import->import;
	size_t *first = cli_alloc((read->n + 1) * sizeof *first), i;

	import->of = cli_alloc((read->n + 1) * sizeof *import->of);
	import->which = cli_alloc((read->n + 1) * sizeof *import->which);
	find_first(read, first);
	for (i = 0; i < read->n; i++) {
		const char *name = read->part[i].machine;

		if (name && first[i] < i)
			import->which[i] = import->which[first[i]];
		else if (name)
			name_machine(import, name, &import->of[import->which[i] = import->n_of++]);
	}
	for (i = 0; i < read->n; i++)
		if (!read->part[i].machine)
			import->which[i] = import->n_of;
	free(first);
}

static struct ft_machine *machine_of(struct cli_import *import, size_t part)
{
	return import->which[part] < import->n_of ? &import->of[import->which[part]] : &import->machine;
}

/* import_whole - whether some part is of the machine of all. */
static bool import_whole(const struct cli_import *import)
{
	for (size_t i = 0; i < import->import.n; i++)
		if (import->which[i] == import->n_of)
			return true;
	return false;
}

static void import_forget(struct cli_import *import)
{
	for (size_t i = 0; i < import->n_of; i++)
		ft_machine_clear(&import->of[i]);
	free(import->of);
	free(import->which);
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

static enum ft_status unknown_version(const char *name, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL,
		      "the version of the stored runs of '%s' is not known: they cannot be ordered by age",
		      name);
	(void)ft_remedy(err, "choose another NAME");
	return FT_EINVAL;
}

/* Keep a program. One of an older version does not become the newest of its name. */
static enum ft_status put_version(const struct cli_import *import, struct ft_store *store,
				  struct ft_program *program, struct ft_err *err)
{
	struct ft_program stored = {0};
	bool apart = false;
	enum ft_status status = ft_store_get_program_on(store, program->name, program->device, &stored, err);

	if (status == FT_ENOENT)
		return ft_store_put_program(store, program, err);
	if (!status && import->version > CLI_VERSION_SAME && !*stored.hash)
		status = unknown_version(program->name, err);
	if (!status && !(apart = settle_version(import, program, &stored)))
		cli_program_tell_version(store, program);
	if (!status)
		status = ft_store_put_program(store, program, err);
	if (!status && apart && import->version != CLI_VERSION_NEWER)
		status = ft_store_put_program(store, &stored, err);
	ft_program_clear(&stored);
	return status;
}

/* Leave out what the store has of this program and machine. */
static enum ft_status leave_known(struct cli_import *import, struct ft_store *store, size_t part,
				  struct ft_err *err)
{
	struct ft_imported *imported = &import->import.part[part];
	FT_CLEANUP(ft_runs_clear) struct ft_runs stored = {0};
	enum ft_status status =
		ft_store_get_runs(store, imported->program.id, machine_of(import, part)->id, &stored, err);

	if (!status)
		status = ft_import_fresh(&imported->runs, &stored, &import->known[part], err);
	return status;
}

/* Store a batch of runs at a time, so that progress and interruptions are handled between. */
static enum ft_status add_runs(struct cli_import *import, struct ft_store *store, size_t part, size_t *done,
			       struct ft_err *err)
{
	enum { PORTION = 1 << 17 };
	struct ft_imported *imported = &import->import.part[part];
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < imported->runs.n && !status; i += PORTION) {
		struct ft_runs portion = {.run = imported->runs.run + i, .n = imported->runs.n - i};

		if (portion.n > PORTION)
			portion.n = PORTION;
		status = ft_store_add_runs(store, imported->program.id, machine_of(import, part)->id,
					   &portion, err);
		*done += portion.n;
		if (!status && !import_progress(import, *done, (double)*done / (double)import->import.runs))
			status = ft_fail(err, FT_EINTR, "interrupted; nothing was imported");
	}
	return status;
}

static enum ft_status put_all(struct cli_import *import, struct ft_store *store, struct ft_err *err)
{
	enum ft_status status =
		import_whole(import) ? ft_store_put_machine(store, &import->machine, err) : FT_OK;
	size_t done = 0;

	for (size_t i = 0; i < import->n_of && !status; i++)
		status = ft_store_put_machine(store, &import->of[i], err);
	for (size_t i = 0; i < import->import.n && !status; i++) {
		status = put_version(import, store, &import->import.part[i].program, err);
		if (!status && !import->again)
			status = leave_known(import, store, i, err);
		if (!status)
			status = add_runs(import, store, i, &done, err);
	}
	return status;
}

/* import_keep - store all of it, or nothing. */
static int import_keep(struct cli_import *import)
{
	struct ft_err err = {0};
	struct ft_store *store;

	settle_named(import);
	if (import_whole(import))
		settle_machine(import);
	import->known = cli_alloc((import->import.n + 1) * sizeof *import->known);
	int exit_status = cli_store_open(&store, import->store_path, CLI_WRITE);
	if (exit_status != CLI_DONE)
		return exit_status;
	enum ft_status status = ft_store_begin(store, &err);
	if (!status)
		status = ft_store_end(store, put_all(import, store, &err), &err);
	ft_store_close(store);
	import_progress_end(import);
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

/* A file that is named twice, also under two names. */
static int check_twice(const struct cli_import *import)
{
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
	return check_twice(import);
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

/* The options that the library is given. */
static struct ft_import_options options_of(struct cli_import *import)
{
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
	return options;
}

static int read_files(struct cli_import *import)
{
	struct ft_import_options options = options_of(import);
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (import->name && !strchr(import->name, '{'))
		CLI_TRY(cli_name_check(import->name));
	for (size_t i = 0; i < import->n_paths; i++) {
		options.several = i + 1 < import->n_paths || import->import.runs;
		if (ft_import_read(&import->import, import->path[i], &options, &err)) {
			import_progress_end(import);
			return cli_error(&err);
		}
	}
	for (size_t i = 0; i < import->import.n && status == CLI_DONE; i++) {
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
	import_forget(&i);
	free(i.known);
	return status;
}

const struct cli_command cli_import = {
	"import",
	"take recorded runs of foretime and of other tools into the store",
	"FILE... [n[=64:3000]] [--name NAME] [--by COLUMN] [--size N=WHERE]... [OPTION...]",
	"Tables (CSV), records of Slurm, Snakemake, Nextflow, Galaxy and Extra-P, of time -v and perf stat, "
	"and\n"
	"files of benchmark tools (hyperfine, pytest-benchmark, Go, ...) are recognised by their beginning.\n"
	"Rows that cannot be used are left out. Runs "
	"belong to a machine called elsewhere, unless the file names one, or --here or --machine is given.\n",
	NULL,
	run_import,
};
