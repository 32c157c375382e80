/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - clears, copies and finds machines, programs, sizes and runs. */
#include "base/alloc.h"
#include "base/random.h"
#include "base/text.h"
#include "facts/facts.h"
#include "foretime/base.h"
#include "foretime/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Lists of observed loads, and histories of them.
 */

enum ft_status ft_loads_add(struct ft_loads *loads, const struct ft_load *load, struct ft_err *err)
{
	struct ft_load *grown = ft_grow(loads->load, loads->n, &loads->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	loads->load = grown;
	loads->load[loads->n++] = *load;
	return FT_OK;
}

void ft_loads_clear(struct ft_loads *loads)
{
	if (!loads)
		return;
	ft_free(loads->load);
	*loads = (struct ft_loads){0};
}

enum ft_status ft_load_history_add(struct ft_load_history *history, double load, struct ft_err *err)
{
	double *grown = ft_grow(history->load, history->n, &history->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	history->load = grown;
	history->load[history->n++] = load;
	return FT_OK;
}

void ft_load_history_clear(struct ft_load_history *history)
{
	if (!history)
		return;
	ft_free(history->load);
	*history = (struct ft_load_history){0};
}

/*
 * Clears, copies and finds machines, programs, sizes and runs.
 */

void ft_machine_clear(struct ft_machine *machine)
{
	if (!machine)
		return;
	ft_free(machine->fingerprint);
	ft_free(machine->host);
	ft_free(machine->cpu);
	ft_free(machine->architecture);
	ft_free(machine->system);
	ft_free(machine->governor);
	ft_free(machine->hypervisor);
	ft_free(machine->scheduler);
	*machine = (struct ft_machine){0};
}

bool ft_machine_is_called(const struct ft_machine *machine, const char *name)
{
	return (machine->host && !strcmp(machine->host, name)) ||
	       (machine->fingerprint && !strcmp(machine->fingerprint, name));
}

enum ft_status ft_machine_named(const char *name, struct ft_machine *out, struct ft_err *err)
{
	char digits[FT_HASH_LENGTH];

	*out = (struct ft_machine){.fingerprint = ft_strdup(ft_hash_format(ft_hash_text(name), digits)),
				   .host = ft_strdup(name)};
	if (out->fingerprint && out->host)
		return FT_OK;
	ft_machine_clear(out);
	return ft_nomem(err);
}

int ft_size_compare(const struct ft_size *a, const struct ft_size *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = 0; i < a->n; i++)
		if (a->value[i] != b->value[i])
			return a->value[i] < b->value[i] ? -1 : 1;
	return 0;
}

bool ft_size_equal(const struct ft_size *a, const struct ft_size *b)
{
	return ft_size_compare(a, b) == 0;
}

size_t ft_program_varying(const struct ft_program *program)
{
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].least < program->param[i].most)
			return i;
	return 0;
}

static bool copy_string(char **to, const char *from)
{
	*to = ft_strdup(from);
	return *to || !from;
}

static bool copy_argv(struct ft_program *to, const struct ft_program *from)
{
	if (!from->argv)
		return true;
	to->argv = ft_calloc(from->argc + 1, sizeof *to->argv);
	if (!to->argv)
		return false;
	to->argc = from->argc;
	for (size_t i = 0; i < from->argc; i++)
		if (!copy_string(&to->argv[i], from->argv[i]))
			return false;
	return true;
}

enum ft_status ft_program_copy(struct ft_program *to, const struct ft_program *from, struct ft_err *err)
{
	*to = (struct ft_program){.id = from->id, .n_params = from->n_params};
	memcpy(to->param, from->param, sizeof to->param);
	if (!copy_string(&to->name, from->name) || !copy_string(&to->hash, from->hash) ||
	    !copy_string(&to->work, from->work) || !copy_string(&to->where, from->where) ||
	    !copy_string(&to->method, from->method) || !copy_string(&to->device, from->device) ||
	    !copy_string(&to->driver, from->driver) || !copy_argv(to, from)) {
		ft_program_clear(to);
		return ft_nomem(err);
	}
	return FT_OK;
}

bool ft_program_same_params(const struct ft_program *a, const struct ft_program *b)
{
	for (size_t i = 0; i < a->n_params && i < b->n_params; i++)
		if (strcmp(a->param[i].name, b->param[i].name) != 0)
			return false;
	return a->n_params == b->n_params;
}

bool ft_program_is_on(const struct ft_program *program, const char *device)
{
	return program->device && device ? !strcmp(program->device, device) : program->device == device;
}

/* It stands before '=' on command lines, and is a name in C headers but for '-', '.' and ':'. */
const char *ft_program_device_fault(const char *device)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:";

	if (!*device)
		return "it is empty";
	if (strlen(device) > 40)
		return "it is longer than 40 bytes";
	if (*device == '-' || *device == '.' || *device == ':')
		return "it begins with neither a letter, a digit nor '_'";
	if (device[strspn(device, allowed)])
		return "it has more in it than letters, digits, '_', '-', '.' and ':'";
	return NULL;
}

const char *ft__name_kept_fault(const char *name)
{
	size_t length;

	if (!*name)
		return "it is empty";
	if (strlen(name) > 200)
		return "it is longer than 200 bytes";
	if (*name == '-')
		return "it begins with '-', as options do";
	if (*name == '/' || name[strlen(name) - 1] == '/' || strstr(name, "//"))
		return "'/' stands between a program and its routine";
	/* Names become files (NAME.knots) and paths of HTTP, where these are folders. */
	for (const char *s = name; s; s = (s = strchr(s, '/')) ? s + 1 : NULL) {
		length = strcspn(s, "/");
		if (length <= 2 && !strncmp(s, "..", length))
			return "'.' and '..' are folders";
	}
	for (const char *s = name; *s; s += length) {
		length = ft__utf8_length(s, SIZE_MAX);
		if (!length)
			return "it is not UTF-8 text";
		if (ft__utf8_is_control(s))
			return "it has a control character";
	}
	return NULL;
}

static const char name_marks[] = " '\"`\\$=";

void ft__name_unmark(char *name)
{
	while ((name = strpbrk(name, name_marks)))
		*name = '_';
}

const char *ft_program_name_fault(const char *name)
{
	const char *fault = ft__name_kept_fault(name);

	if (fault)
		return fault;
	if (strchr(name, ' '))
		return "it has a blank";
	return strpbrk(name, name_marks) ? "it has a quote, '\\', '$' or '='" : NULL;
}

void ft_program_clear(struct ft_program *program)
{
	if (!program)
		return;
	for (size_t i = 0; i < program->argc; i++)
		ft_free(program->argv[i]);
	ft_free(program->argv);
	ft_free(program->name);
	ft_free(program->hash);
	ft_free(program->work);
	ft_free(program->where);
	ft_free(program->method);
	ft_free(program->device);
	ft_free(program->driver);
	*program = (struct ft_program){0};
}

size_t ft_size_format(const struct ft_program *program, const struct ft_size *size, char *buffer,
		      size_t length)
{
	char digits[FT_NUMBER_LENGTH];
	size_t used = 0;

	if (length)
		buffer[0] = '\0';
	for (size_t i = 0; i < size->n && i < program->n_params; i++) {
		size_t at = used < length ? used : length;
		int n = snprintf(buffer + at, length - at, "%s%s=%s", i ? " " : "", program->param[i].name,
				 ft_number_format(size->value[i], digits));

		used += n > 0 ? (size_t)n : 0;
	}
	return used;
}

void ft_run_init(struct ft_run *run)
{
	*run = (struct ft_run){
		.work = NAN,
		.load_before = NAN,
		.runnable_before = NAN,
		.runnable_after = NAN,
		.pressure = NAN,
		.cpu_hz = NAN,
		.asked_s = NAN,
		.asked_bytes = NAN,
	};
}

double ft_run_runnable(const struct ft_run *run)
{
	if (isnan(run->runnable_before))
		return run->runnable_after;
	return isnan(run->runnable_after) ? run->runnable_before
					  : (run->runnable_before + run->runnable_after) / 2;
}

void ft_run_clear(struct ft_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->n_samples; i++)
		ft_free(run->sample[i].reason);
	ft_free(run->sample);
	ft_free(run->routine);
	ft_free(run->version);
	ft_free(run->detail);
	ft_free(run->node);
	ft_free(run->user);
	*run = (struct ft_run){0};
}

enum ft_status ft_run_copy(struct ft_run *to, const struct ft_run *from, struct ft_err *err)
{
	const struct {
		char **to;
		const char *from;
	} text[] = {{&to->routine, from->routine},
		    {&to->version, from->version},
		    {&to->detail, from->detail},
		    {&to->node, from->node},
		    {&to->user, from->user}};
	bool failed = false;

	*to = *from;
	to->sample = NULL;
	to->n_samples = 0;
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		*text[i].to = ft_strdup(text[i].from);
		failed = failed || (text[i].from && !*text[i].to);
	}
	for (size_t i = 0; i < from->n_samples && !failed; i++) {
		const struct ft_sample *sample = &from->sample[i];

		failed = ft_run_add(to, sample->resource, sample->value, sample->label, sample->probe,
				    sample->reason, NULL) != FT_OK;
	}
	if (!failed)
		return FT_OK;
	ft_run_clear(to);
	return ft_nomem(err);
}

double ft_run_footprint(const struct ft_run *run)
{
	double tree = ft_run_value(run, &ft_peak_tree_bytes);

	return isnan(tree) ? ft_run_value(run, &ft_peak_rss_bytes) : tree;
}

double ft_run_value(const struct ft_run *run, const struct ft_resource *resource)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == resource)
			return run->sample[i].value;
	return NAN;
}

/* Room for two, four, eight: imported runs have two samples, measured ones some ten. */
enum ft_status ft_run_add(struct ft_run *run, const struct ft_resource *resource, double value,
			  enum ft_label label, const char *probe, const char *reason, struct ft_err *err)
{
	size_t n = run->n_samples;
	bool full = n != 1 && !(n & (n - 1));
	struct ft_sample *grown =
		full ? ft_realloc(run->sample, (n ? 2 * n : 2) * sizeof *grown) : run->sample;
	struct ft_sample sample = {
		.resource = resource, .value = value, .label = label, .reason = ft_strdup(reason)};

	if (grown)
		run->sample = grown;
	if (!grown || (reason && !sample.reason)) {
		ft_free(sample.reason);
		return ft_nomem(err);
	}
	strncpy(sample.probe, probe, sizeof sample.probe - 1);
	run->sample[run->n_samples++] = sample;
	return FT_OK;
}

enum ft_status ft_runs_take(struct ft_runs *runs, struct ft_run *run, struct ft_err *err)
{
	struct ft_run *grown = ft_grow(runs->run, runs->n, &runs->capacity, sizeof *grown);

	if (!grown) {
		ft_run_clear(run);
		return ft_nomem(err);
	}
	runs->run = grown;
	runs->run[runs->n++] = *run;
	*run = (struct ft_run){0};
	return FT_OK;
}

void ft_runs_clear(struct ft_runs *runs)
{
	if (!runs)
		return;
	for (size_t i = 0; i < runs->n; i++)
		ft_run_clear(&runs->run[i]);
	ft_free(runs->run);
	*runs = (struct ft_runs){0};
}

/* Is a size below another in no parameter, `but` left out? */
static bool is_below_none(const struct ft_size *size, const struct ft_size *other, size_t but)
{
	if (size->n != other->n)
		return false;
	for (size_t i = 0; i < size->n; i++)
		if (i != but && size->value[i] < other->value[i])
			return false;
	return true;
}

static bool is_refuted(const struct ft_runs *runs, const struct ft_size *killed)
{
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE && is_below_none(&runs->run[i].size, killed, SIZE_MAX))
			return true;
	return false;
}

/* The run of the smallest value of the varying parameter among those that ended in one of some ways (bits).
 */
static const struct ft_run *first_of(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed,
				     unsigned int outcomes)
{
	const struct ft_run *first = NULL;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if ((outcomes >> run->outcome & 1) && is_below_none(fixed, &run->size, varying) &&
		    (!first || run->size.value[varying] < first->size.value[varying]) &&
		    !is_refuted(runs, &run->size))
			first = run;
	}
	return first;
}

const struct ft_run *ft_runs_killer(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed)
{
	return first_of(runs, varying, fixed, 1u << FT_OUT_OF_MEMORY);
}

double ft_runs_killed(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed)
{
	const struct ft_run *run = ft_runs_killer(runs, varying, fixed);

	return run ? run->size.value[varying] : (double)NAN;
}

const struct ft_run *ft_runs_failing(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed)
{
	return first_of(runs, varying, fixed, 1u << FT_FAILED | 1u << FT_CRASHED | 1u << FT_OUT_OF_MEMORY);
}

void ft_runs_shuffle(struct ft_runs *runs, uint64_t seed)
{
	struct ft_random random = {seed};

	ft_random_shuffle(&random, runs->run, runs->n, sizeof *runs->run);
}

size_t ft_runs_axes(const struct ft_runs *runs, const struct ft_resource *resource, size_t *axis)
{
	const struct ft_run *first = NULL;
	bool varies[FT_PARAMS_MAX] = {false};
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (!(run->outcome == FT_DONE && !run->warmup &&
		      (!resource || !isnan(ft_run_value(run, resource)))))
			continue;
		if (!first)
			first = run;
		for (size_t p = 0; p < run->size.n && p < first->size.n; p++)
			varies[p] = varies[p] || run->size.value[p] != first->size.value[p];
	}
	for (size_t p = 0; p < FT_PARAMS_MAX; p++)
		if (varies[p])
			axis[n++] = p;
	return n;
}

/*
 * Check a program's work and sizes.
 */

/* Each name in it is a parameter. */
static enum ft_status check_names(const struct ft_program *program, const struct ft_expr *expr,
				  const char *what, const char *text, const char *example, struct ft_err *err)
{
	const char *name;

	for (size_t i = 0; (name = ft_expr_name(expr, i)); i++) {
		if (ft_program_find_param(program, name) >= 0)
			continue;
		(void)ft_fail(err, FT_EINVAL, "the %s '%s' uses '%s', which is no parameter", what, text,
			      name);
		return !example ? FT_EINVAL
				: ft_remedy(err, "the parameters are those written before --, such as %s",
					    example);
	}
	return FT_OK;
}

/* The work at a share of the way from the least to the most of every parameter. */
static enum ft_status check_at(const struct ft_program *program, const struct ft_expr *work, double share,
			       struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	struct ft_size size = {.n = program->n_params};
	char at[256];
	double value = 0;

	for (size_t i = 0; i < program->n_params; i++) {
		const struct ft_param *param = &program->param[i];
		struct ft_space space = ft_param_space(param);

		name[i] = param->name;
		size.value[i] = ft_space_nearest(&space, param->least + share * (param->most - param->least));
	}
	(void)ft_size_format(program, &size, at, sizeof at);
	if (ft_expr_eval(work, name, size.value, size.n, &value, err))
		return ft_fail_at(err, "the work '%.100s' at %s", program->work, at);
	if (value > 0)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the work '%s' is %g at %s, and must be positive", program->work, value,
		      at);
	return ft_remedy(err, "state with --work a volume of computation that is above 0 in the whole range");
}

enum ft_status ft_program_check_work(const struct ft_program *program, struct ft_err *err)
{
	struct ft_expr *work = NULL;

	if (!program->work)
		return FT_OK;
	if (ft_expr_new(&work, program->work, err))
		return ft_fail_at(err, "the work");
	enum ft_status status = check_names(program, work, "work", program->work,
					    program->n_params ? program->param[0].name : NULL, err);
	for (size_t i = 0; !status && i <= 2; i++)
		status = check_at(program, work, (double)i / 2, err);
	ft_expr_free(work);
	return status;
}

enum ft_status ft_program_check_where(const struct ft_program *program, const char *where, struct ft_err *err)
{
	struct ft_expr *expr = NULL;

	if (!where)
		return FT_OK;
	if (ft_expr_new(&expr, where, err))
		return ft_fail_at(err, "the constraint");
	enum ft_status status = check_names(program, expr, "constraint", where,
					    program->n_params ? program->param[0].name : "n=64:3000", err);
	ft_expr_free(expr);
	return status;
}

/* ---- profiles ----------------------------------------------------------------------------------------- */

void ft_profile_clear(struct ft_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->n; i++) {
		ft_free(profile->function[i].name);
		ft_free(profile->function[i].object);
		ft_free(profile->function[i].file);
	}
	ft_free(profile->function);
	ft_free(profile->call);
	ft_free(profile->command);
	*profile = (struct ft_profile){0};
}
