/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.c - the output of `foretime device`. */
#include "base/alloc.h"
#include "kernel/door.h"
#include "tell/answers.h"

#include <stdio.h>
#include <string.h>

static char *count_about(const void *record, const struct ft_tell_with *with)
{
	const char *name = ((const struct ft_answer_count *)record)->name;

	(void)with;
	for (size_t i = 0; ft_kernel_count_name(i); i++)
		if (!strcmp(ft_kernel_count_name(i), name))
			return ft_strdup(ft_kernel_count_about(i));
	return ft_strdup("");
}

/* Counts are whole, and exact up to fifteen digits. */
static char *digits(double value)
{
	char text[32];

	(void)snprintf(text, sizeof text, "%.15g", value);
	return ft_strdup(text);
}

static char *value_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return digits(((const struct ft_answer_count *)record)->value);
}

static char *met_times_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return digits(((const struct ft_kernel_met *)record)->times);
}

static char *access_times_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return digits(((const struct ft_kernel_access *)record)->times);
}

static const struct ft_tell_row count_rows[] = {
	{FT_TELL(struct ft_answer_count, name), .head = "count"},
	{FT_TELL(struct ft_answer_count, value), .about = "in the whole launch", .null = "not known",
	 .head = ">launch", .cell = value_cell},
	{FT_TELL_AS(NULL, struct ft_answer_count, each), .head = ">work-item", .unit = ".6g"},
	{FT_TELL_AS(NULL, struct ft_answer_count, name), .head = "", .cell = count_about},
	{0},
};
const struct ft_tell_record ft_tell_kernel_count = {
	.name = "kernel_count", .bytes = sizeof(struct ft_answer_count), .row = count_rows};

static const struct ft_tell_row value_rows[] = {
	{FT_TELL(struct ft_answer_count, name)},
	{FT_TELL(struct ft_answer_count, value), .about = "in the whole launch", .null = "not known"},
	{0},
};
static const struct ft_tell_record values = {.bytes = sizeof(struct ft_answer_count), .row = value_rows};

static char *note_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(ft_kernel_note_about(((const struct ft_kernel_met *)record)->note));
}

#define MET        struct ft_kernel_met
#define NOTE_WORDS "loop|condition|call|barrier|outside|address|rounding"
static const struct ft_tell_row met_rows[] = {
	{FT_TELL(MET, line), .about = "of the source; 0: not known", .head = ">line"},
	{FT_TELL_BY(WORD, "what", MET, note), .word = ft_kernel_note_word, .words = NOTE_WORDS,
	 .head = "what"},
	{FT_TELL(MET, times), .about = "in the executed groups", .head = ">times", .cell = met_times_cell},
	{FT_TELL_AS("name", MET, what), .about = "of the buffer or the function; may be empty",
	 .head = "name"},
	{FT_TELL_AS(NULL, MET, what), .head = "", .cell = note_cell},
	{0},
};
const struct ft_tell_record ft_tell_kernel_met = {
	.name = "kernel_met", .bytes = sizeof(MET), .row = met_rows};

static char *access_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_kernel_access *)record)->store ? "store" : "load");
}

#define ACCESS struct ft_kernel_access
static const struct ft_tell_row access_rows[] = {
	{FT_TELL(ACCESS, line), .head = ">line"},
	{FT_TELL_AS(NULL, ACCESS, store), .head = "access", .cell = access_cell},
	{FT_TELL(ACCESS, store)},
	{FT_TELL(ACCESS, buffer), .about = "the parameter; empty: several, or not known", .head = "buffer"},
	{FT_TELL(ACCESS, bytes), .about = "of one", .head = ">bytes", .unit = ".9g"},
	{FT_TELL(ACCESS, times), .about = "in the whole launch", .head = ">times", .cell = access_times_cell},
	{FT_TELL(ACCESS, stride), .about = "bytes between neighbouring work-items", .null = "not known",
	 .head = ">stride", .unit = ".9g"},
	{FT_TELL(ACCESS, same), .about = "share of neighbours that lie so", .null = "not known",
	 .head = ">so", .unit = "%"},
	{FT_TELL(ACCESS, step),
	 .about = "largest distance in bytes of one execution from the next by the same work-item",
	 .null = "one execution only, or not known", .head = ">step", .unit = ".9g"},
	{FT_TELL(ACCESS, sectors), .about = "of 32 bytes, of an access of a warp", .null = "not known",
	 .head = ">sectors", .unit = ".4g"},
	{0},
};
const struct ft_tell_record ft_tell_kernel_access = {
	.name = "kernel_access", .bytes = sizeof(ACCESS), .row = access_rows};

static const struct ft_tell_row call_rows[] = {
	{FT_TELL(struct ft_kernel_call, name)},
	{FT_TELL(struct ft_kernel_call, times)},
	{0},
};
static const struct ft_tell_record calls = {.bytes = sizeof(struct ft_kernel_call), .row = call_rows};

static const struct ft_tell_row whole_rows[] = {{FT_TELL_WHOLE(LONG, "")}, {0}};
static const struct ft_tell_record wholes = {.bytes = sizeof(int64_t), .row = whole_rows};

static const struct ft_tell_row variable_rows[] = {
	{FT_TELL(struct ft_kernel_variable, name)},
	{FT_TELL(struct ft_kernel_variable, first), .about = "the expressions hold from here on"},
	{FT_TELL(struct ft_kernel_variable, step), .about = "and for each further step of this length"},
	{0},
};
static const struct ft_tell_record variables = {.bytes = sizeof(struct ft_kernel_variable),
						.row = variable_rows};

#define EXPRESSION struct ft_answer_expression
static const struct ft_tell_row expression_rows[] = {
	{FT_TELL(EXPRESSION, count), .head = "count"},
	{FT_TELL_AS("expression", EXPRESSION, text),
	 .null = "no polynomial that holds, or one too long to print", .head = "expression",
	 .none = "no polynomial"},
	{FT_TELL_MANY(ARRAY, "differences", EXPRESSION, difference, n, &wholes),
	 .about = "forward differences at the first size, of each sum of steps up to the degree",
	 .null = "no polynomial that holds"},
	{0},
};
const struct ft_tell_record ft_tell_kernel_expression = {
	.name = "kernel_expression", .bytes = sizeof(EXPRESSION), .row = expression_rows};

#define EXPRESSIONS struct ft_answer_expressions
static const struct ft_tell_row expressions_rows[] = {
	{FT_TELL_MANY(ARRAY, "arguments", EXPRESSIONS, variable, n_variables, &variables)},
	{FT_TELL(EXPRESSIONS, degree)},
	{FT_TELL(EXPRESSIONS, runs), .about = "of the kernel at small sizes, to find them"},
	{FT_TELL_MANY(ARRAY, "counts", EXPRESSIONS, expression, n, &ft_tell_kernel_expression)},
	{0},
};
static const struct ft_tell_record expressions = {.bytes = sizeof(EXPRESSIONS), .row = expressions_rows};

#define ANSWER struct ft_answer_kernel
static const struct ft_tell_row kernel_rows[] = {
	{FT_TELL(ANSWER, file)},
	{FT_TELL(ANSWER, kernel)},
	{FT_TELL(ANSWER, hash), .about = "of what the compiler made"},
	{FT_TELL(ANSWER, compiler), .about = "version of clang"},
	{FT_TELL_MANY(ARRAY, "global", ANSWER, features.global, dims, &ft_tell_numbers)},
	{FT_TELL_MANY(ARRAY, "local", ANSWER, features.local, dims, &ft_tell_numbers)},
	{FT_TELL_AS("work_items", ANSWER, features.work_items)},
	{FT_TELL_AS("groups", ANSWER, features.groups)},
	{FT_TELL_AS("groups_run", ANSWER, features.groups_run), .about = "that were executed"},
	{FT_TELL_AS("exact", ANSWER, features.exact), .about = "all groups, and nothing undecided"},
	{FT_TELL_AS("decided", ANSWER, features.decided),
	 .about = "no count depends on data that are not known"},
	{FT_TELL_AS("error", ANSWER, features.error),
	 .about = "standard error of the operations by the draw of the groups, as a share",
	 .null = "one group only"},
	{FT_TELL_AS("instructions", ANSWER, features.steps), .about = "that were executed"},
	{FT_TELL(ANSWER, operations), .about = "arithmetic, logic, transcendental"},
	{FT_TELL(ANSWER, operations_each), .about = "of a work-item"},
	{FT_TELL_AS("misses_rule", ANSWER, features.misses_rule),
	 .about = "cache misses by the largest strides", .null = "not traced"},
	{FT_TELL_AS("misses_replay", ANSWER, features.misses_replay), .about = "of a cache, replayed",
	 .null = "not traced"},
	{FT_TELL_AS("traced", ANSWER, features.traced), .about = "share of the accesses that these are of"},
	{FT_TELL_AS("local_bytes", ANSWER, features.local_bytes), .about = "of local memory, of a group"},
	{FT_TELL_MANY(MAP, "counts", ANSWER, count, n, &values)},
	{FT_TELL_MANY(MAP, "calls", ANSWER, features.call, features.n_calls, &calls),
	 .about = "transcendental functions"},
	{FT_TELL_MANY(LIST, "accesses", ANSWER, features.access, features.n_accesses,
		      &ft_tell_kernel_access)},
	{FT_TELL_MANY(LIST, "met", ANSWER, features.met, features.n_met, &ft_tell_kernel_met)},
	{FT_TELL_BY(POINTER, "expressions", ANSWER, expressions), .of = &expressions,
	 .null = "not requested"},
	{0},
};
const struct ft_tell_record ft_tell_kernel = {.name = "kernel",
					      .typed = "device features",
					      .action = "features",
					      .version = 1,
					      .about = "what a launch of a kernel does",
					      .row = kernel_rows};

size_t ft_tell_kernel_counts(struct ft_answer_count out[FT_KERNEL_COUNTS],
			     const double count[FT_KERNEL_COUNTS], double work_items)
{
	size_t n = 0;

	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
		if (count[i] != 0)
			out[n++] = (struct ft_answer_count){ft_kernel_count_name(i), count[i],
							    count[i] / work_items};
	return n;
}

void ft_tell_kernel_expressions(struct ft_answer_expressions *out, const struct ft_kernel_expressions *from)
{
	*out = (struct ft_answer_expressions){
		.n_variables = from->n, .degree = from->degree, .runs = from->runs};
	memcpy(out->variable, from->variable, sizeof out->variable);
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++) {
		const struct ft_kernel_expression *x = &from->count[i];
		EXPRESSION *to = &out->expression[out->n];

		if (x->known && !strcmp(x->text, "0"))
			continue;
		to->count = ft_kernel_count_name(i);
		to->text = x->known && *x->text ? x->text : NULL;
		to->known = x->known;
		to->n = x->known ? from->terms : 0;
		memcpy(to->difference, x->difference, sizeof to->difference);
		out->n++;
	}
}
