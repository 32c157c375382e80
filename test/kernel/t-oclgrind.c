/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts beside those of oclgrind, an interpreter of others (--inst-counts): as it counted once
 * (test/kernel/data/oclgrind.txt), and, where it is installed, as it counts now. With
 * FORETIME_TEST_RECORD=FILE what it counts is written there. */
#include "kernel/kernel.h"
#include "subject.h"
#include "tap.h"
#include "temp.h"

#include <unistd.h>

/* What oclgrind tells apart, as ours. */
enum {
	ADD,
	MULTIPLY,
	DIVIDE,
	FUSED,
	MATH,
	COMPARE,
	INTEGER,
	INTEGER_DIVIDE,
	INTEGER_COMPARE,
	SELECT,
	CONVERT,
	BARRIER,
	GLOBAL_LOAD,
	GLOBAL_STORE,
	LOCAL_LOAD,
	LOCAL_STORE,
	CONSTANT_LOAD,
	PRIVATE_LOAD,
	PRIVATE_STORE,
	KINDS
};

static const struct {
	const char *name;
	enum ft_kernel_count single, twice; /* ours; twice: of double precision too, or the same */
	const char *rows;                   /* oclgrind's, between blanks */
} kinds[KINDS] = {
	[ADD] = {"add", FT_KERNEL_F32_ADD, FT_KERNEL_F64_ADD, " fadd fsub "},
	[MULTIPLY] = {"multiply", FT_KERNEL_F32_MULTIPLY, FT_KERNEL_F64_MULTIPLY, " fmul "},
	[DIVIDE] = {"divide", FT_KERNEL_F32_DIVIDE, FT_KERNEL_F64_DIVIDE, " fdiv frem "},
	[FUSED] = {"fused", FT_KERNEL_F32_FUSED, FT_KERNEL_F64_FUSED, " "},
	[MATH] = {"math", FT_KERNEL_F32_MATH, FT_KERNEL_F64_MATH, " "},
	[COMPARE] = {"compare", FT_KERNEL_F32_COMPARE, FT_KERNEL_F64_COMPARE, " fcmp "},
	[INTEGER] = {"integer", FT_KERNEL_INTEGER, FT_KERNEL_INTEGER,
		     " add sub mul shl lshr ashr and or xor "},
	[INTEGER_DIVIDE] = {"integer_divide", FT_KERNEL_INTEGER_DIVIDE, FT_KERNEL_INTEGER_DIVIDE,
			    " udiv sdiv urem srem "},
	[INTEGER_COMPARE] = {"integer_compare", FT_KERNEL_INTEGER_COMPARE, FT_KERNEL_INTEGER_COMPARE,
			     " icmp "},
	[SELECT] = {"select", FT_KERNEL_SELECT, FT_KERNEL_SELECT, " select "},
	[CONVERT] = {"convert", FT_KERNEL_CONVERT, FT_KERNEL_CONVERT,
		     " sitofp uitofp fptosi fptoui fpext fptrunc "},
	[BARRIER] = {"barriers", FT_KERNEL_BARRIER, FT_KERNEL_BARRIER, " "},
	[GLOBAL_LOAD] = {"global_loads", FT_KERNEL_GLOBAL_LOAD, FT_KERNEL_GLOBAL_LOAD, " load_global "},
	[GLOBAL_STORE] = {"global_stores", FT_KERNEL_GLOBAL_STORE, FT_KERNEL_GLOBAL_STORE, " store_global "},
	[LOCAL_LOAD] = {"local_loads", FT_KERNEL_LOCAL_LOAD, FT_KERNEL_LOCAL_LOAD, " load_local "},
	[LOCAL_STORE] = {"local_stores", FT_KERNEL_LOCAL_STORE, FT_KERNEL_LOCAL_STORE, " store_local "},
	[CONSTANT_LOAD] = {"constant_loads", FT_KERNEL_CONSTANT_LOAD, FT_KERNEL_CONSTANT_LOAD,
			   " load_constant "},
	[PRIVATE_LOAD] = {"private_loads", FT_KERNEL_PRIVATE_LOAD, FT_KERNEL_PRIVATE_LOAD, " load_private "},
	[PRIVATE_STORE] = {"private_stores", FT_KERNEL_PRIVATE_STORE, FT_KERNEL_PRIVATE_STORE,
			   " store_private "},
};

static void add_call(double counted[KINDS], const char *row, double times)
{
	char name[128], plain[64];
	bool unsigned_;

	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(row, "("), row);
	const struct ft__builtin *builtin = ft__builtin_find(name, plain, sizeof plain, &unsigned_);
	if (builtin->kind == FT__FUSED)
		counted[FUSED] += times;
	else if (builtin->kind == FT__MATH)
		counted[MATH] += times;
	else if (builtin->kind == FT__BARRIER)
		counted[BARRIER] += times;
	else if (builtin->kind == FT__CHEAP && !builtin->one &&
		 (builtin->which == FT__LEAST || builtin->which == FT__MOST || builtin->which == FT__CLAMP ||
		  builtin->which == FT__ABSOLUTE))
		counted[INTEGER] += times;
}

/* "            7292 - load global (18000 bytes)" */
static void add_row(double counted[KINDS], const char *line)
{
	const char *row = strstr(line, " - ");
	double times = strtod(line, NULL);
	char word[64], two[32] = "";

	if (!row || !(times > 0))
		return;
	row += 3;
	if (!strncmp(row, "call ", 5)) {
		add_call(counted, row + 5, times);
		return;
	}
	if (sscanf(row, "%31s", two) != 1)
		return;
	(void)snprintf(word, sizeof word, " %s ", two);
	if (!strcmp(two, "load") || !strcmp(two, "store"))
		(void)snprintf(word, sizeof word, " %s_%.*s ", two,
			       (int)strcspn(row + strlen(two) + 1, " \n"), row + strlen(two) + 1);
	for (int k = 0; k < KINDS; k++)
		if (strstr(kinds[k].rows, word))
			counted[k] += times;
}

static void write_simulation(FILE *file, const struct subject *s, const char *code)
{
	fprintf(file, "%s\n%s\n%s %s %s\n%s %s %s\n", code, s->kernel, s->global[0],
		s->global[1] ? s->global[1] : "1", s->global[2] ? s->global[2] : "1", s->local[0],
		s->local[1] ? s->local[1] : "1", s->local[2] ? s->local[2] : "1");
	for (const struct subject_argument *a = s->argument; a < s->argument + SUBJECT_ARGUMENTS && a->name;
	     a++) {
		const char *type = a->kind == DOUBLE || a->kind == DOUBLES   ? "double"
				   : a->kind == SINGLE || a->kind == SINGLES ? "float"
									     : "int";
		int each = strcmp(type, "double") ? 4 : 8;

		if (a->kind == LOCAL)
			fprintf(file, "<size=%g>\n", a->n);
		else if (a->kind <= DOUBLE)
			fprintf(file, "<size=%d %s>\n%g\n", each, type, a->value);
		else
			fprintf(file, "<size=%g %s fill=%g>\n", a->n * each, type, a->value);
	}
}

/* What oclgrind counts now; false: it is not there. */
static bool ask(double counted[KINDS], const struct subject *s, const struct ft_kernel *kernel)
{
	const char *code = temp_path("k.bc"), *simulation = temp_path("k.sim");
	char command[512], line[512];
	size_t length;
	const char *bytes = ft_kernel_code(kernel, &length);
	FILE *file;

	(void)snprintf(command, sizeof command, "oclgrind-kernel --inst-counts %s 2>/dev/null", simulation);
	file = fopen(code, "wb");
	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
		return false;
	file = fopen(simulation, "w");
	if (!file)
		return false;
	write_simulation(file, s, code);
	(void)fclose(file);
	file = popen(command, "r");
	if (!file)
		return false;
	while (fgets(line, sizeof line, file))
		add_row(counted, line);
	return pclose(file) == 0;
}

/* What it counted once. */
static bool recorded(double counted[KINDS], const char *kernel)
{
	char path[4200], line[256], name[64], key[64];
	double value;
	bool found = false;
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/test/kernel/data/oclgrind.txt", getenv("FORETIME_TEST_SOURCE"));
	file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "%63s %63s %lf", name, key, &value) != 3 || strcmp(name, kernel) != 0)
			continue;
		for (int k = 0; k < KINDS; k++)
			if (!strcmp(kinds[k].name, key)) {
				counted[k] = value;
				found = true;
			}
	}
	if (file)
		(void)fclose(file);
	return found;
}

static void compare(const char *kernel, const char *what, const double counted[KINDS],
		    const struct ft_kernel_features *ours)
{
	int wrong = 0;

	for (int k = 0; k < KINDS; k++) {
		double mine = ours->count[kinds[k].single];

		if (kinds[k].twice != kinds[k].single)
			mine += ours->count[kinds[k].twice];
		if (mine != counted[k]) {
			diag("%s: %s: %g, oclgrind %g", kernel, kinds[k].name, mine, counted[k]);
			wrong++;
		}
	}
	ok(!wrong, "%s: all %d kinds as oclgrind %s them", kernel, KINDS, what);
}

static void record(const char *kernel, const double counted[KINDS])
{
	FILE *file = getenv("FORETIME_TEST_RECORD") ? fopen(getenv("FORETIME_TEST_RECORD"), "a") : NULL;

	for (int k = 0; k < KINDS && file; k++)
		if (counted[k] > 0)
			fprintf(file, "%s %s %.0f\n", kernel, kinds[k].name, counted[k]);
	if (file)
		(void)fclose(file);
}

static void check(const struct subject *s, const struct ft_kernel *kernel)
{
	struct ft_kernel_argument argument[SUBJECT_ARGUMENTS];
	struct ft_kernel_launch launch = subject_launch(s, argument);
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_features ours;
	struct ft_err err = {0};
	double then[KINDS] = {0}, now[KINDS] = {0};

	options.groups = 0;
	options.counts_only = true;
	if (!ok(!ft_kernel_features(&ours, kernel, &launch, &options, &err), "%s is counted", s->kernel)) {
		diag("%s", err.text);
		subject_release(&launch);
		return;
	}
	ok(ours.exact, "%s: all is decided", s->kernel);
	for (size_t i = 0; i < ours.n_met; i++)
		if (!ours.exact)
			diag("line %d: %s", ours.met[i].line, ft_kernel_note_about(ours.met[i].note));
	if (ask(now, s, kernel)) {
		compare(s->kernel, "counts", now, &ours);
		record(s->kernel, now);
	} else {
		skip(s->kernel, "oclgrind is not installed");
	}
	/* another compiler leaves other integer operations */
	if (recorded(then, s->kernel) && ft_kernel_compiler(kernel) == 14)
		compare(s->kernel, "counted", then, &ours);
	else
		skip(s->kernel, "recorded with another clang");
	ft_kernel_features_clear(&ours);
	subject_release(&launch);
}

int main(void)
{
	for (size_t i = 0; i < subjects_n; i++) {
		struct ft_err err = {0};
		struct ft_kernel *kernel = subject_open("kernels.cl", subjects[i].kernel, &err);

		if (!kernel && subject_missing(&err)) {
			skip("counts of all kernels", err.text);
			break;
		}
		if (ok(kernel != NULL, "%s compiles", subjects[i].kernel))
			check(&subjects[i], kernel);
		else
			diag("%s", err.text);
		ft_kernel_close(kernel);
	}
	temp_remove();
	return done();
}
