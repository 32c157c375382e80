/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.c - how far an import is, and what it took. */
#include "cli/answers.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/import/import.h"
#include "cli/terminal.h"
#include "foretime/by_size.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- progress ----------------------------------------------------------------------------------------- */

bool cli_import_progress(void *ctx, size_t runs, double share)
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

void cli_import_progress_end(struct cli_import *import)
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
/* What people read where rows name their machines. */
static const struct ft_tell_row taken_on_rows[] = {
	{FT_TELL_AS(NULL, struct taken, program.name), .head = "name"},
	{FT_TELL_AS(NULL, struct taken, machine), .head = "machine"},
	{FT_TELL_AS(NULL, struct taken, runs), .head = ">runs"},
	{FT_TELL_AS(NULL, struct taken, sizes), .head = ">sizes"},
	{0},
};
static const struct ft_tell_record taken_on = {.bytes = sizeof(struct taken), .row = taken_on_rows};
static const struct ft_tell_record taken = {.bytes = sizeof(struct taken), .row = taken_rows};

struct import_told {
	const char *format;
	const struct ft_machine *machine;
	size_t runs, known, n, n_passed, files_left_out, doubtful_values;
	const char *first_file, *first_doubtful;
	struct passed passed[FT_PASSED_N];
	struct taken *program;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct import_told, format), .about = "of the file that was read last"},
	{FT_TELL_BY(POINTER, "machine", struct import_told, machine), .of = &ft_tell_machine,
	 .null = "all rows name theirs"},
	{FT_TELL(struct import_told, runs), .about = "that were taken"},
	{FT_TELL(struct import_told, known), .about = "that the store had already; they were left out"},
	{FT_TELL_MANY(ARRAY, "passed_over", struct import_told, passed, n_passed, &passed_over),
	 .about = "rows that are not runs, or not requested"},
	{FT_TELL(struct import_told, files_left_out), .about = "of several, that cannot be used"},
	{FT_TELL(struct import_told, first_file), .about = "the first of them, and what is wrong",
	 .null = "all were read"},
	{FT_TELL(struct import_told, doubtful_values), .about = "that cannot be, and are unavailable"},
	{FT_TELL(struct import_told, first_doubtful), .about = "its place, and why it cannot be",
	 .null = "there is none"},
	{FT_TELL_MANY(LIST, "programs", struct import_told, program, n, &taken)},
	{0},
};
const struct ft_tell_record cli_import_told = {.name = "import", .version = 1, .row = rows};

/* Ends with free of what is in it: the programs. */
static struct import_told import_told_of(const struct cli_import *import)
{
	struct import_told told = {.format = import->import.format->name,
				   .machine = cli_import_whole(import) ? &import->machine : NULL,
				   .runs = count_new(import),
				   .known = count_known(import),
				   .files_left_out = import->import.files_left_out,
				   .first_file =
					   import->import.files_left_out ? import->import.file.text : NULL,
				   .doubtful_values = import->import.doubtful,
				   .first_doubtful = import->import.doubtful ? import->import.doubted : NULL,
				   .n = import->import.n,
				   .program = cli_alloc(import->import.n * sizeof *told.program)};

	for (size_t i = 0; i < FT_PASSED_N; i++)
		if (import->import.passed[i])
			told.passed[told.n_passed++] =
				(struct passed){import->import.passed[i], ft_passed_text((enum ft_passed)i),
						i == FT_PASSED_FILE     ? import->import.missing
						: i == FT_PASSED_BROKEN ? import->import.broken.text
									: NULL};
	for (size_t i = 0; i < told.n; i++) {
		const struct ft_imported *part = &import->import.part[i];

		told.program[i] = (struct taken){part->program, part->machine, part->runs.n, import->known[i],
						 count_sizes(part)};
	}
	return told;
}

static void tell_part(const struct taken *part)
{
	printf("imported %zu run%s at %zu size%s as '%s'\n", part->runs, plural_end(part->runs), part->sizes,
	       plural_end(part->sizes), part->program.name);
}

static void tell_several(const struct import_told *told)
{
	size_t n = told->n, k;
	bool on = false;

	for (size_t i = 0; i < told->n; i++) {
		on = on || told->program[i].machine;
		for (k = 0;
		     k < i && strcmp(told->program[k].program.name, told->program[i].program.name) != 0;)
			k++;
		n -= k < i; /* on another machine, too */
	}

	printf("imported %zu run%s of %zu program%s\n\n", told->runs, plural_end(told->runs), n,
	       plural_end(n));
	cli_tell_table(on ? &taken_on : &taken, told->program, told->n, NULL);
}

void cli_import_tell(const struct cli_import *import)
{
	struct import_told told = import_told_of(import);
	size_t known = told.known, fresh = told.runs;

	cli_reading_notes(&import->import);
	if (known && fresh)
		cli_note("left out %zu run%s that the store has already; --all takes them once more", known,
			 plural_end(known));
	if (import->json)
		cli_tell(&cli_import_told, &told, NULL);
	else if (known && !fresh)
		printf("nothing new: the store has all of these %zu run%s already; --all takes them once "
		       "more\n",
		       known, plural_end(known));
	else if (import->import.n == 1)
		tell_part(&told.program[0]);
	else
		tell_several(&told);
	free(told.program);
}
