/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.c - an OpenCL kernel from options: fills in what was left out, and checks it. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/device/device.h"
#include "foretime/base.h"
#include "kernel/door.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "n=1024", the value an expression. name: out, heap, ends with free. */
static int read_value(const char *word, char **name, double *value)
{
	const char *equals = strchr(word, '=');
	struct ft_expr *expr = NULL;
	struct ft_err err = {0};

	if (!equals || equals == word || !equals[1])
		return cli_fail("'%s' is not an argument: write NAME=VALUE", word);
	enum ft_status status = ft_expr_new(&expr, equals + 1, &err);
	if (!status)
		status = ft_expr_eval(expr, NULL, NULL, 0, value, &err);
	ft_expr_free(expr);
	if (status)
		return cli_error_at(&err, "%s", word);
	*name = cli_printed("%.*s", (int)(equals - word), word);
	return CLI_DONE;
}

void cli_kernel_default(struct cli_kernel *k)
{
	k->options = ft_kernel_options_default();
	k->cache = (double)k->options.cache;
	k->seed = (double)k->options.seed;
}

int cli_kernel_check(struct cli_kernel *k, bool ranges)
{
	struct ft_kernel_options *o = &k->options;

	if (!(o->steps >= 1))
		return cli_fail("--effort is 1 or more");
	if (k->trips) {
		char *first = cli_strdup(k->trips), *colon = strchr(first, ':');
		double least = NAN, most = NAN;

		if (colon)
			*colon = '\0';
		if (!ft_number_parse(first, &least, NULL) &&
		    (!colon || !ft_number_parse(colon + 1, &most, NULL)))
			most = colon ? most : least;
		free(first);
		if (!(least >= 1 && most >= least && most <= 1e9))
			return cli_fail(
				"--trips %s: so often a loop cannot run\n"
				"hint: write --trips 40, or for device rank 10:200: from 10 to 200 times",
				k->trips);
		o->trips = (size_t)least;
		k->trips_most = (size_t)most;
	}
	if (!(k->cache >= 1) || k->cache > 1e12)
		return cli_fail("--cache is a number of bytes");
	if (!(k->seed >= 0) || k->seed > 1e15)
		return cli_fail("--seed is a number, 0 or more");
	if (!ranges && k->trips && k->trips_most > o->trips)
		return cli_fail("--trips %s: counts are of one number\n"
				"hint: write --trips %zu; foretime device rank takes both ends",
				k->trips, o->trips);
	o->cache = (size_t)k->cache;
	o->seed = (uint64_t)k->seed;
	return CLI_DONE;
}

/*
 * Build the launch of a kernel from the options.
 */

void cli_subject_clear(struct cli_subject *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free((char *)(uintptr_t)s->argument[i].name);
		free((char *)(uintptr_t)s->argument[i].bytes);
		free((char *)(uintptr_t)s->argument[i].count);
		free((void *)(uintptr_t)s->argument[i].data);
	}
	free(s->argument);
	free(s->sizes[0]);
	free(s->sizes[1]);
}

/* The argument of a name, a new one where there is none; the name is taken. */
static struct ft_kernel_argument *argument_of(struct cli_subject *s, char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->argument[i].name, name)) {
			free(name);
			return &s->argument[i];
		}
	s->argument = cli_grow(s->argument, s->n, sizeof *s->argument);
	s->argument[i] = (struct ft_kernel_argument){.name = name, .value = NAN};
	s->n++;
	return &s->argument[i];
}

/* NAME=REST of an option; NULL after a complaint. */
static struct ft_kernel_argument *split_named(struct cli_subject *s, const char *option, const char *text,
					      const char **rest)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1]) {
		(void)cli_fail("--%s is NAME=..., not '%s'", option, text);
		return NULL;
	}
	*rest = equals + 1;
	return argument_of(s, cli_printed("%.*s", (int)(equals - text), text));
}

/* ---- --arg ------------------------------------------------------------------------------------------- */

/* bytes: out, of one such element; 0: no type is named. */
static size_t read_element(const char *text, size_t length, enum ft_kernel_element *element)
{
#define WORD(NAME, word, bytes)  word,
#define BYTES(NAME, word, bytes) bytes,
	static const char *const word[] = {FT_KERNEL_ELEMENT_LIST(WORD)};
	static const size_t bytes[] = {FT_KERNEL_ELEMENT_LIST(BYTES)};
#undef BYTES
#undef WORD
	size_t i;

	for (i = 0; i < FT_KERNEL_ELEMENTS; i++)
		if (strlen(word[i]) == length && !strncmp(word[i], text, length)) {
			*element = (enum ft_kernel_element)i;
			return bytes[i];
		}
	return 0;
}

static int load_argument(struct ft_kernel_argument *a, const char *path)
{
	struct ft_err err = {0};
	char *bytes;

	if (ft_tell_read(path, &bytes, &a->data_bytes, &err))
		return cli_error(&err);
	free((void *)(uintptr_t)a->data);
	a->data = bytes;
	return CLI_DONE;
}

/* "float[n*n]", which also states the size of the buffer; false: not in this form. */
static bool take_array(struct ft_kernel_argument *a, const char *text)
{
	const char *open = strchr(text, '['), *end = text + strlen(text) - 1;
	size_t bytes;

	if (!open || *end != ']' || end == open + 1 ||
	    !(bytes = read_element(text, (size_t)(open - text), &a->element)))
		return false;
	free((char *)(uintptr_t)a->count);
	free((char *)(uintptr_t)a->bytes);
	a->count = cli_printed("%.*s", (int)(end - open - 1), open + 1);
	a->bytes = cli_printed("%zu*(%s)", bytes, a->count);
	return true;
}

static int take_number(struct cli_subject *s, size_t at, const char *text)
{
	const char *name[FT_KERNEL_PARAMS];
	double value[FT_KERNEL_PARAMS], out = NAN;
	struct ft_expr *expr = NULL;
	struct ft_err err = {0};
	enum ft_status status = ft_expr_new(&expr, text, &err);
	size_t n = 0;

	for (size_t i = 0; i < s->n && n < FT_KERNEL_PARAMS; i++)
		if (!isnan(s->argument[i].value)) {
			name[n] = s->argument[i].name;
			value[n++] = s->argument[i].value;
		}
	if (!status)
		status = ft_expr_eval(expr, name, value, n, &out, &err);
	ft_expr_free(expr);
	s->argument[at].value = out;
	return status ? cli_error_at(&err, "--arg %s=%s", s->argument[at].name, text) : CLI_DONE;
}

static int take_buffers(struct cli_subject *s, const struct cli_kernel *k)
{
	const char *rest;

	for (size_t i = 0; i < k->buffers.n; i++) {
		struct ft_kernel_argument *a = split_named(s, "buffer", k->buffers.text[i], &rest);

		if (!a)
			return CLI_WRONG;
		free((char *)(uintptr_t)a->bytes);
		a->bytes = cli_strdup(rest);
	}
	for (size_t i = 0; i < k->data.n; i++) {
		struct ft_kernel_argument *a = split_named(s, "data", k->data.text[i], &rest);

		if (!a || load_argument(a, rest) != CLI_DONE)
			return CLI_WRONG;
	}
	for (size_t i = 0; i < k->fixed.n; i++)
		argument_of(s, cli_strdup(k->fixed.text[i]))->fixed = true;
	return CLI_DONE;
}

/* Split "n,max(n,2)" at commas outside parentheses. The copy that is cut is returned in kept. */
static int take_sizes(const char *option, const char *text, const char *out[FT_KERNEL_DIMS], char **kept)
{
	char *at = cli_strdup(text);
	size_t n = 0;
	int depth = 0;

	*kept = at;
	out[n++] = at;
	for (; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at != ',' || depth > 0)
			continue;
		if (n == FT_KERNEL_DIMS)
			return cli_fail("-%s has %d dimensions at most", option, FT_KERNEL_DIMS);
		*at = '\0';
		out[n++] = at + 1;
	}
	return CLI_DONE;
}

int cli_subject_take(struct cli_subject *s, const struct cli_kernel *k, bool grouped)
{
	if (!k->global || (grouped && !k->local))
		return cli_fail(
			"the number of work-items is missing\n"
			"hint: give the global size and the size of a work-group: -g 1024,1024 -l 16,16");
	for (size_t i = 1; i < k->words; i++) {
		char *name = NULL;
		double value = 0;

		CLI_TRY(read_value(k->word[i], &name, &value));
		argument_of(s, name)->value = value;
	}
	/* An array, a file, a number, or "fixed": it keeps its value in expressions. */
	const char *rest;

	for (size_t i = 0; i < k->args.n; i++) {
		struct ft_kernel_argument *a = split_named(s, "arg", k->args.text[i], &rest);

		if (!a)
			return CLI_WRONG;
		a->fixed |= !strcmp(rest, "fixed");
		if (a->fixed || take_array(a, rest))
			continue;
		if (strchr(rest, '['))
			return cli_fail("--arg %s: an array is TYPE[COUNT], not '%s'\n"
					"hint: types are char, short, int, long, float, double, and u before "
					"the first four",
					a->name, rest);
		if (access(rest, F_OK) == 0)
			CLI_TRY(load_argument(a, rest));
		else
			CLI_TRY(take_number(s, (size_t)(a - s->argument), rest));
	}
	CLI_TRY(take_buffers(s, k));
	CLI_TRY(take_sizes("g", k->global, s->launch.global, &s->sizes[0]));
	if (k->local)
		CLI_TRY(take_sizes("l", k->local, s->launch.local, &s->sizes[1]));
	s->launch.argument = s->argument;
	s->launch.n = s->n;
	return CLI_DONE;
}

int cli_kernel_source(struct ft_kernel_source *source, const struct cli_kernel *k, char ***flag)
{
	*source = (struct ft_kernel_source){.path = k->word[0], .kernel = k->kernel, .clang = k->clang};
	if (k->flags && cli_words_split(k->flags, flag, &source->n_flags) != CLI_DONE)
		return CLI_WRONG;
	source->flag = (const char *const *)*flag;
	return CLI_DONE;
}

void cli_kernel_source_clear(const struct ft_kernel_source *source, char **flag)
{
	for (size_t i = 0; i < source->n_flags; i++)
		free(flag[i]);
	free(flag);
}

/* ---- compiled ---------------------------------------------------------------------------------------- */

/* kernel_subject_open - read what was typed, and compile; ends with kernel_subject_clear, on failure
 * too. Returns CLI_DONE, or the exit status after a complaint. */
static int kernel_subject_open(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	CLI_TRY(cli_subject_take(&s->typed, k, true));
	struct ft_kernel_source source = {0};
	struct ft_err err = {0};
	char **flag = NULL;
	int status = cli_kernel_source(&source, k, &flag);

	if (status == CLI_DONE && ft_kernel_open(&s->kernel, &source, &err))
		status = cli_error(&err);
	cli_kernel_source_clear(&source, flag);
	CLI_TRY(status);
	/* Arguments that neither the kernel nor a size has were mistyped. */
	size_t n, l;
	const struct ft_kernel_param *param = ft_kernel_params(s->kernel, &n);

	for (size_t i = 0; i < s->typed.n; i++) {
		const struct ft_kernel_argument *a = &s->typed.argument[i];

		for (l = 0; l < n && strcmp(param[l].name, a->name) != 0; l++)
			;
		if (l < n && (a->data || a->bytes) &&
		    (param[l].kind == FT_KERNEL_WHOLE || param[l].kind == FT_KERNEL_REAL))
			return cli_fail("%s is a number, not a buffer", a->name);
		if (l < n && !isnan(a->value) &&
		    (param[l].kind == FT_KERNEL_GLOBAL || param[l].kind == FT_KERNEL_LOCAL))
			return cli_fail("%s is a buffer, not a number\n"
					"hint: give its size: --arg %s=float[COUNT]",
					a->name, a->name);
		if (l == n && (a->data || a->bytes))
			return cli_fail("kernel %s has no parameter %s", ft_kernel_name(s->kernel), a->name);
	}
	return CLI_DONE;
}

static void kernel_subject_clear(struct cli_kernel_subject *s)
{
	cli_subject_clear(&s->typed);
	ft_kernel_close(s->kernel);
}

/*
 * Print the features of a launch, and its expressions.
 */

/* ---- output ------------------------------------------------------------------------------------------ */

static void print_rows(const struct ft_tell_record *record, const void *rows, size_t n)
{
	if (!n)
		return;
	cli_tell_table(record, rows, n, NULL);
	putchar('\n');
}

static void print_kernel(const struct ft_answer_kernel *answer)
{
	const struct ft_kernel_features *f = &answer->features;
	char each[FT_UNIT_LENGTH];

	printf("kernel %s: %.15g work-items in %.15g groups of %g x %g x %g", answer->kernel, f->work_items,
	       f->groups, f->local[0], f->local[1], f->local[2]);
	if ((double)f->groups_run < f->groups) {
		printf("; %zu groups were carried out", f->groups_run);
		if (!isnan(f->error))
			printf(", the draw adds +- %s", ft_share_format(f->error, each));
	}
	printf("\n\n");
	print_rows(&ft_tell_kernel_count, answer->count, answer->n);

	printf("operations    %.10g, %.6g a work-item\n", answer->operations, answer->operations_each);
	if (!isnan(f->misses_rule))
		printf("cache misses  %.6g by the largest strides, %.6g replayed\n", f->misses_rule,
		       f->misses_replay);
	if (f->local_bytes > 0)
		printf("local memory  %g bytes of a group\n", f->local_bytes);
	for (size_t i = 0; i < f->n_calls; i++)
		printf("%s%s %.10g", i ? ", " : "calls         ", f->call[i].name, f->call[i].times);
	if (f->n_calls)
		putchar('\n');
	putchar('\n');
	print_rows(&ft_tell_kernel_access, answer->features.access, answer->features.n_accesses);

	print_rows(&ft_tell_kernel_met, f->met, f->n_met);
	if (!f->decided)
		cli_note("counts depend on what is not known: they are guesses");
	if (answer->expressions) {
		const struct ft_answer_expressions *e = answer->expressions;

		for (size_t i = 0; i < e->n_variables; i++)
			printf("%s%s = %lld, %lld, ...", i ? "; " : "for ", e->variable[i].name,
			       (long long)e->variable[i].first,
			       (long long)e->variable[i].first + e->variable[i].step);
		printf(" (from %zu small sizes):\n", e->runs);
		print_rows(&ft_tell_kernel_expression, e->expression, e->n);
	}
}

int cli_kernel_features(void *query)
{
	struct cli_kernel *k = &((struct cli_device *)query)->kernel;
	FT_CLEANUP(kernel_subject_clear) struct cli_kernel_subject s = {0};
	FT_CLEANUP(ft_kernel_features_clear) struct ft_kernel_features features = {0};
	FT_CLEANUP(ft_kernel_expressions_clear) struct ft_kernel_expressions expressions = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_kernel_check(k, false));
	CLI_TRY(kernel_subject_open(&s, k));
	if (ft_kernel_features(&features, s.kernel, &s.typed.launch, &k->options, &err))
		return cli_error(&err);
	if (k->expressions &&
	    ft_kernel_express(&expressions, s.kernel, &s.typed.launch, &k->options, &features, &err))
		return cli_error(&err);
	struct ft_answer_count count[FT_KERNEL_COUNTS];
	CLI_OWN struct ft_answer_expressions *answer_expressions = NULL;
	char hash[FT_HASH_LENGTH];
	size_t length;
	const char *code = ft_kernel_code(s.kernel, &length);
	struct ft_answer_kernel answer = {.file = k->word[0],
					  .kernel = ft_kernel_name(s.kernel),
					  .features = features,
					  .count = count,
					  .dims = FT_KERNEL_DIMS};

	answer.hash = ft_hash_format(ft_hash_bytes(FT_HASH_START, code, length), hash);
	answer.compiler = ft_kernel_compiler(s.kernel);
	answer.operations = ft_kernel_operations(features.count);
	answer.operations_each = answer.operations / features.work_items;
	answer.n = ft_tell_kernel_counts(count, features.count, features.work_items);
	if (k->expressions) {
		answer_expressions = cli_alloc(sizeof *answer_expressions);
		ft_tell_kernel_expressions(answer_expressions, &expressions);
		answer.expressions = answer_expressions;
	}
	if (k->json)
		cli_tell(&ft_tell_kernel, &answer, NULL);
	else
		print_kernel(&answer);
	return CLI_DONE;
}

/*
 * Predict a kernel that never ran on calibrated devices, with the error of such predictions.
 */

/* One device. */
struct rank {
	const char *device;
	double seconds, off, off_most; /* NaN: the device refuses the kernel, or nothing is known */
	double wait_s;                 /* until the device is free */
	double document_s;             /* by the document's regression; NaN: there is none */
	char why[512];                 /* it is refused; else empty */
};

/* A count that is guessed is no answer: by name of the place that it depends on. Loops may be stated. */
static int check_decided(const struct cli_kernel *k, const struct ft_kernel_features *features,
			 const char *name)
{
	for (size_t i = 0; i < features->n_met && !features->decided; i++) {
		const struct ft_kernel_met *met = &features->met[i];
		bool loop = met->note == FT_KERNEL_NOTE_LOOP;

		if (met->note > FT_KERNEL_NOTE_BARRIER_DIVERGES || (loop && k->trips))
			continue;
		(void)cli_fail("kernel %s, line %d: %s%s%s\n"
			       "hint: give the data that it depends on, --data NAME=FILE%s; or measure it: "
			       "foretime build "
			       "--device ... --least time",
			       name, met->line, ft_kernel_note_about(met->note), *met->what ? ": " : "",
			       met->what, loop ? ", or give the trip count: --trips A:B" : "");
		return CLI_NO;
	}
	return CLI_DONE;
}

static char *off_cell(const void *record, const struct ft_tell_with *with)
{
	const struct rank *rank = record;

	(void)with;
	return isnan(rank->off) ? cli_printed("-") : cli_printed("x %.3g", rank->off);
}

static char *wait_cell(const void *record, const struct ft_tell_with *with)
{
	const struct rank *rank = record;
	char wait[FT_UNIT_LENGTH];

	(void)with;
	return cli_printed("%s", rank->wait_s > 0 ? ft_value_format(rank->wait_s, "s", wait) : "");
}

static const struct ft_tell_row rank_rows[] = {
	{FT_TELL(struct rank, device), .head = "device"},
	{FT_TELL(struct rank, seconds), .about = "static: nothing of this kernel was measured",
	 .null = "refused", .head = ">static", .unit = "s"},
	{FT_TELL(struct rank, wait_s), .about = "until the device is free, which the choice counts",
	 .head = ">wait", .unit = "s", .cell = wait_cell},
	{FT_TELL(struct rank, off), .about = "factor that half of such answers are off by, at most",
	 .null = "not known", .head = ">off by", .cell = off_cell},
	{FT_TELL(struct rank, off_most), .about = "factor for 90 % of such answers", .null = "not known"},
	{FT_TELL(struct rank, document_s), .about = "by the five features of 004 chapter 13",
	 .null = "no such regression"},
	{FT_TELL_AS("refused", struct rank, why), .about = "why; empty: it is not", .head = ""},
	{0},
};
static const struct ft_tell_record ranks = {.bytes = sizeof(struct rank), .row = rank_rows};

struct device_static_answer {
	const char *kernel, *basis, *best, *second;
	struct rank rank[FT_DEVICES_MAX];
	size_t n;
	double by_static, by_majority;
	bool abstained;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct device_static_answer, kernel)},
	{FT_TELL(struct device_static_answer, basis), .words = "static"},
	{FT_TELL(struct device_static_answer, best), .null = "none can be chosen"},
	{FT_TELL(struct device_static_answer, second), .about = "where that one is busy",
	 .null = "there is none"},
	{FT_TELL_MANY(ARRAY, "devices", struct device_static_answer, rank, n, &ranks)},
	{FT_TELL(struct device_static_answer, by_static),
	 .about = "time of devices so chosen by that of the best, calibration",
	 .null = "the devices' launches are not the same"},
	{FT_TELL(struct device_static_answer, by_majority), .about = "of the device that is best most often",
	 .null = ""},
	{FT_TELL(struct device_static_answer, abstained),
	 .about = "the best of most kernels is reported: predictions choose no better"},
	{0},
};
const struct ft_tell_record cli_device_static_answer = {
	.name = "device", .action = "static", .version = 1, .row = rows};

/* Devices as calibrated. */
struct devices {
	struct cli_calibrated calibrated;
	struct ft_rates rates[FT_DEVICES_MAX];
	double *left_out[FT_DEVICES_MAX];
	size_t n;
};

static int read_all(struct devices *d, const struct cli_device *query)
{
	struct ft_err err = {0};

	CLI_TRY(cli_calibrated_get(&d->calibrated, &query->rates, query->store_path));
	for (; d->n < d->calibrated.n; d->n++) {
		const struct ft_timed *timed = &d->calibrated.timed[d->n];

		d->left_out[d->n] = cli_alloc((timed->n + 1) * sizeof **d->left_out);
		if (ft_rates_fit(&d->rates[d->n], timed->row, timed->n, d->left_out[d->n], &err))
			return cli_error(&err);
	}
	return CLI_DONE;
}

static void predict(const struct devices *d, const struct ft_kernel_features *features,
		    struct device_static_answer *answer)
{
	double amount[FT_RATES];

	ft_rate_amounts(features, amount);
	answer->n = d->n;
	for (size_t i = 0; i < d->n; i++) {
		struct rank *rank = &answer->rank[i];
		struct ft_err err = {0};

		*rank = (struct rank){.device = d->calibrated.name[i],
				      .off = d->rates[i].off,
				      .off_most = d->rates[i].off_most,
				      .document_s = ft_rates_by_document(d->calibrated.timed[i].row,
									 d->calibrated.timed[i].n, features)};
		if (!ft_rates_predict(&d->rates[i], amount, &rank->seconds, &err))
			continue;
		rank->off = rank->off_most = NAN;
		(void)snprintf(rank->why, sizeof rank->why, "%s", err.text);
	}
}

/* Loops run between two counts: predict the geometric mean of both ends, and widen its error by their
 * ratio. */
static int widen(const struct devices *d, const struct cli_kernel *k, const struct cli_kernel_subject *s,
		 struct device_static_answer *answer)
{
	struct ft_kernel_options options = k->options;
	struct device_static_answer most = {.n = 0};
	struct ft_kernel_features features;
	struct ft_err err = {0};

	options.trips = k->trips_most;
	if (ft_kernel_features(&features, s->kernel, &s->typed.launch, &options, &err))
		return cli_error(&err);
	predict(d, &features, &most);
	ft_kernel_features_clear(&features);
	for (size_t i = 0; i < answer->n; i++) {
		struct rank *rank = &answer->rank[i];
		double apart = sqrt(most.rank[i].seconds / rank->seconds);

		rank->seconds *= apart;
		rank->document_s = sqrt(rank->document_s * most.rank[i].document_s);
		rank->off *= fmax(apart, 1 / apart);
		rank->off_most *= fmax(apart, 1 / apart);
	}
	return CLI_DONE;
}

static void choose_device(const struct devices *d, struct device_static_answer *answer)
{
	const double *left_out[FT_DEVICES_MAX];
	double seconds[FT_DEVICES_MAX];
	struct ft_static_record record;
	bool busy = false;

	for (size_t i = 0; i < answer->n; i++) {
		busy = busy || answer->rank[i].wait_s > 0;
		seconds[i] = answer->rank[i].seconds + answer->rank[i].wait_s;
		left_out[i] = d->left_out[i];
	}
	bool known = !ft_static_judge_timed(&record, d->calibrated.timed, left_out, d->n, NULL);
	/* A device that is best most often is no better than another one while it is busy. */
	struct ft_static_choice choice =
		ft_static_decide(seconds, answer->n, known && !busy ? &record : NULL);
	if (choice.best == answer->n)
		return;
	if (known) {
		answer->by_static = record.by_static;
		answer->by_majority = record.by_majority;
	}
	answer->abstained = choice.abstained;
	answer->best = answer->rank[choice.best].device;
	answer->second = choice.second < answer->n ? answer->rank[choice.second].device : NULL;
}

static void print_static_ranking(const struct device_static_answer *answer)
{
	printf("kernel %s: static answers, nothing of it was measured\n\n", answer->kernel);
	cli_tell_table(&ranks, answer->rank, answer->n, NULL);
	if (!answer->best)
		return;
	printf("\nbest: %s", answer->best);
	if (answer->second)
		printf("; where that is busy: %s", answer->second);
	putchar('\n');
	if (answer->abstained)
		cli_note("it is the one that is best most often: what static answers chose took %.3g times "
			 "the best, it %.3g times",
			 answer->by_static, answer->by_majority);
	else if (!isnan(answer->by_static))
		printf("on the launches of the calibration such choices took %.3g times the best, one device "
		       "for all %.3g times\n",
		       answer->by_static, answer->by_majority);
}

static int tell_static(bool json, const struct device_static_answer *answer)
{
	if (json)
		cli_tell(&cli_device_static_answer, answer, NULL);
	else
		print_static_ranking(answer);
	if (answer->best)
		return CLI_DONE;
	(void)cli_fail("no device can be chosen for kernel %s\n"
		       "hint: measure it: foretime build --device ... --least time",
		       answer->kernel);
	return CLI_NO;
}

int cli_device_waits_check(const struct cli_device *query, const char *const *device, size_t n)
{
	for (size_t i = 0; i < query->wait.n; i++) {
		const char *text = query->wait.text[i];
		size_t length = strcspn(text, "="), k = 0;

		while (k < n && (strlen(device[k]) != length || strncmp(device[k], text, length) != 0))
			k++;
		if (k < n && text[length])
			continue;
		return cli_fail("--wait '%s' is of none of the devices that are ranked\n"
				"hint: write --wait DEVICE=30ms, as in --wait %s=30ms",
				text, n ? device[0] : "opencl:0");
	}
	return CLI_DONE;
}

int cli_device_static(struct cli_device *query)
{
	struct cli_kernel *k = &query->kernel;
	struct devices *d = cli_alloc(sizeof *d);
	FT_CLEANUP(kernel_subject_clear) struct cli_kernel_subject s = {0};
	FT_CLEANUP(ft_kernel_features_clear) struct ft_kernel_features features = {0};
	struct device_static_answer answer = {.basis = "static", .by_static = NAN, .by_majority = NAN};
	struct ft_err err = {0};

	int status = cli_kernel_check(k, true);
	if (status == CLI_DONE)
		status = read_all(d, query);
	if (status == CLI_DONE)
		status = kernel_subject_open(&s, k);
	if (status == CLI_DONE && ft_kernel_features(&features, s.kernel, &s.typed.launch, &k->options, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = check_decided(k, &features, answer.kernel = ft_kernel_name(s.kernel));
	if (status == CLI_DONE) {
		predict(d, &features, &answer);
		if (!features.decided && k->trips_most > k->options.trips)
			status = widen(d, k, &s, &answer);
	}
	for (size_t i = 0; i < answer.n && status == CLI_DONE; i++)
		status = cli_wait_of(&query->wait, answer.rank[i].device, &answer.rank[i].wait_s);
	if (status == CLI_DONE)
		status = cli_device_waits_check(query, d->calibrated.name, d->calibrated.n);
	if (status == CLI_DONE) {
		choose_device(d, &answer);
		status = tell_static(query->json, &answer);
	}
	cli_calibrated_clear(&d->calibrated);
	for (size_t i = 0; i < FT_DEVICES_MAX; i++)
		free(d->left_out[i]);
	free(d);
	return status;
}
