/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.c - how far an import is, and what it took. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/import/import.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- progress ----------------------------------------------------------------------------------------- */

static double seconds_since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) + 1e-9 * (double)(now->tv_nsec - then->tv_nsec);
}

bool cli_import_progress(void *ctx, size_t runs, double share)
{
	static const double first_s = 2, again_s = 0.5;
	struct cli_import *import = ctx;
	struct timespec now;

	if (*cli_interrupt_flag())
		return false;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	if (import->quiet || isatty(STDERR_FILENO) != 1 || seconds_since(&import->began, &now) < first_s ||
	    seconds_since(&import->shown, &now) < again_s)
		return true;
	import->shown = now;
	import->drawn = true;
	fprintf(stderr, "\r\033[K%zu runs", runs);
	if (share == share)
		fprintf(stderr, ", %.0f %%", 100 * share);
	(void)fflush(stderr);
	return true;
}

void cli_import_progress_end(struct cli_import *import)
{
	if (import->drawn)
		fputs("\r\033[K", stderr);
	import->drawn = false;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static size_t count_sizes(const struct ft_imported *part)
{
	size_t n = 0;

	free(cli_groups(&part->runs, "wall_s", &n));
	return n;
}

static size_t count_known(const struct cli_import *import)
{
	size_t i, n = 0;

	for (i = 0; i < import->import.n; i++)
		n += import->known[i];
	return n;
}

static size_t count_new(const struct cli_import *import)
{
	size_t i, n = 0;

	for (i = 0; i < import->import.n; i++)
		n += import->import.part[i].runs.n;
	return n;
}

static void tell_json(const struct cli_import *import)
{
	json_t *object = cli_json_new("import"), *programs = cli_json_array(), *passed = cli_json_array();
	size_t i;

	cli_json_set(object, "format", cli_json_text(import->import.format->name));
	cli_json_set(object, "machine", cli_json_machine(&import->machine));
	cli_json_set(object, "runs", cli_json_number((double)count_new(import)));
	cli_json_set(object, "known", cli_json_number((double)count_known(import)));
	for (i = 0; i < FT_PASSED_N; i++) {
		json_t *reason = cli_json_object();

		cli_json_set(reason, "rows", cli_json_number((double)import->import.passed[i]));
		cli_json_set(reason, "why", cli_json_text(ft_passed_text((enum ft_passed)i)));
		if (import->import.passed[i])
			cli_json_append(passed, reason);
		else
			json_decref(reason);
	}
	cli_json_set(object, "passed_over", passed);
	for (i = 0; i < import->import.n; i++) {
		const struct ft_imported *part = &import->import.part[i];
		json_t *program = cli_json_object();

		cli_json_set(program, "name", cli_json_text(part->program.name));
		cli_json_set(program, "params", cli_json_params(&part->program));
		cli_json_set(program, "work", cli_json_text(part->program.work));
		cli_json_set(program, "where", cli_json_text(part->program.where));
		cli_json_set(program, "runs", cli_json_number((double)part->runs.n));
		cli_json_set(program, "known", cli_json_number((double)import->known[i]));
		cli_json_set(program, "sizes", cli_json_number((double)count_sizes(part)));
		cli_json_append(programs, program);
	}
	cli_json_set(object, "programs", programs);
	cli_json_print(object, stdout);
}

static void tell_one(const struct ft_imported *part)
{
	size_t n = count_sizes(part);

	printf("imported %zu run%s at %zu size%s as '%s'\n", part->runs.n, plural(part->runs.n), n, plural(n),
	       part->program.name);
}

static void tell_several(const struct cli_import *import)
{
	struct cli_table table = {0};
	size_t i, n = count_new(import);

	printf("imported %zu run%s of %zu programs\n\n", n, plural(n), import->import.n);
	cli_table_heads(&table, "name", ">runs", ">sizes", NULL);
	for (i = 0; i < import->import.n; i++) {
		const struct ft_imported *part = &import->import.part[i];

		cli_table_add(&table, "%s", part->program.name);
		cli_table_add(&table, "%zu", part->runs.n);
		cli_table_add(&table, "%zu", count_sizes(part));
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

void cli_import_tell(const struct cli_import *import)
{
	size_t known = count_known(import), fresh = count_new(import);

	cli_reading_notes(&import->import);
	if (known && fresh)
		cli_note("left out %zu run%s that the store has already; --again takes them once more", known,
			 plural(known));
	if (import->json)
		tell_json(import);
	else if (known && !fresh)
		printf("nothing new: the store has all of these %zu run%s already; --again takes them once "
		       "more\n",
		       known, plural(known));
	else if (import->import.n == 1)
		tell_one(&import->import.part[0]);
	else
		tell_several(import);
}
