/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workflow.c - requests for all rules of a workflow, as files of Snakemake, Nextflow and TPV. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/ask.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Numbers and expressions that all files have in common.
 */

double ft_tell_size_unit(const char *param)
{
	return ft_word_at("bytes size_bytes input_bytes", param) != SIZE_MAX     ? 1
	       : ft_word_at("mb size_mb input_mb", param) != SIZE_MAX            ? 0x1p20
	       : ft_word_at("gb size_gb input_gb input_size", param) != SIZE_MAX ? 0x1p30
										 : NAN;
}

double ft_tell_try_bytes(const struct ft_tell_workflow *workflow, const struct ft_tell_rule *rule, size_t k)
{
	const struct ft_tries *tries = rule->tries;

	return tries->memory.resource ? ft_tell_bytes(tries->memory.most[k], tries->brief, workflow->overhead,
						      &workflow->bounds)
				      : (double)NAN;
}

double ft_tell_try_seconds(const struct ft_tell_workflow *workflow, const struct ft_tell_rule *rule, size_t k)
{
	const struct ft_tries_need *time = &rule->tries->time;
	double bound = workflow->bounds.most_s, minutes;

	if (!time->resource)
		return NAN;
	minutes = ft_tell_minutes(ft_tell_seconds(time->most[k], &workflow->bounds));
	return 60 * (bound > 0 && 60 * minutes > bound ? fmax(1, floor(bound / 60)) : minutes);
}

/* Whether a resource is a function of the size in the file. */
static bool is_sized(const struct ft_tell_rule *rule, const struct ft_tries_need *need)
{
	return rule->size && need->text[0] && need->text[1];
}

/* An expression of ours in another language, with `size` in place of the parameter. Heap; NULL: memory is out. */
static char *language_of(const char *text, const char *param, enum ft_expr_language language)
{
	struct ft_text renamed = {0};
	struct ft_expr *expr = NULL;
	char *out = NULL;

	ft_text_add(&renamed, "%s", "");
	while (*text) {
		size_t length = ft__name_length(text);
		bool is_param = length && text[length] != '(' && strlen(param) == length &&
				!strncmp(text, param, length);

		length = length ? length : 1;
		ft_text_add(&renamed, "%.*s", is_param ? 4 : (int)length, is_param ? "size" : text);
		text += length;
	}
	if (!renamed.failed && !ft_expr_new(&expr, renamed.s, NULL)) {
		size_t length = ft_expr_print(expr, language, NULL, 0);

		out = ft_malloc(length + 1);
		if (out)
			(void)ft_expr_print(expr, language, out, length + 1);
	}
	ft_expr_free(expr);
	ft_text_clear(&renamed);
	return out;
}

/* The exponent of the power law that an expression follows between the ends of the sizes measured; NaN: none.
 * Returns false where memory is out. */
static bool exponent_of(const struct ft_tell_rule *rule, const char *text, double *exponent)
{
	struct ft_expr *expr = NULL;
	double first, last;
	enum ft_status status = ft_expr_new(&expr, text, NULL);

	*exponent = NAN;
	if (!status && !ft_expr_eval(expr, &rule->param, &rule->least, 1, &first, NULL) &&
	    !ft_expr_eval(expr, &rule->param, &rule->most, 1, &last, NULL) && first > 0 && last > 0 &&
	    rule->most > rule->least)
		*exponent = log(last / first) / log(rule->most / rule->least);
	ft_expr_free(expr);
	return status != FT_ENOMEM;
}

/* What the first and second try request of memory, with margin and overhead, or of time; in the unit of the file
 * (divisor), as expressions of size. `what` between them, as "%s, %s, 2 * (%s)". */
static void add_tries(struct ft_text *text, const struct ft_tell_workflow *workflow,
		      const struct ft_tell_rule *rule, const struct ft_tries_need *need,
		      enum ft_expr_language language, const char *divisor)
{
	const bool memory = need == &rule->tries->memory;
	const char *d = language == FT_EXPR_GROOVY ? "d" : "";
	char overhead[FT_NUMBER_LENGTH];

	(void)ft_number_format(memory ? workflow->overhead : 0, overhead);
	for (size_t k = 0; k < FT_TRIES; k++) {
		FT_OWN char *body = language_of(need->text[k < 1 ? 0 : 1], rule->param, language);
		double margin = memory ? ft_tell_margin(rule->tries->brief) : 1;

		ft_text_add(text, "%s%s(", k ? ", " : "", k == FT_TRIES - 1 ? "2 * " : "");
		if (margin > 1)
			ft_text_add(text, "%g * (%s)", margin, body ? body : "");
		else
			ft_text_add(text, "%s", body ? body : "");
		if (memory && workflow->overhead > 0)
			ft_text_add(text, " + %s%s", overhead, d);
		ft_text_add(text, ")%s%s", *divisor ? " / " : "", divisor);
		text->failed = text->failed || !body;
	}
}

/*
 * The comments above a rule: what its requests rest on.
 */

/* One line, even if a name has several. */
static void add_line(struct ft_text *text, const char *margin, const char *mark, const char *line)
{
	ft_text_add(text, "%s%s ", margin, mark);
	for (; *line; line++)
		ft_text_add(text, "%c", iscntrl((unsigned char)*line) ? ' ' : *line);
	ft_text_add(text, "\n");
}

/* The same of a line that is cleared. */
static void end_line(struct ft_text *text, const char *margin, const char *mark, struct ft_text *line)
{
	text->failed = text->failed || line->failed;
	if (line->s)
		add_line(text, margin, mark, line->s);
	ft_text_clear(line);
}

static void add_need(struct ft_text *text, const struct ft_tell_rule *rule, const struct ft_tries_need *need,
		     const char *what, const char *unit)
{
	char first[FT_UNIT_LENGTH], second[FT_UNIT_LENGTH], seen[FT_UNIT_LENGTH], known[FT_NUMBER_LENGTH];

	if (!need->resource) {
		ft_text_add(text, "%s: not measured", what);
		return;
	}
	if (is_sized(rule, need)) {
		double exponent;

		text->failed = !exponent_of(rule, need->text[0], &exponent) || text->failed;
		ft_text_add(text, "%s by size, as %s^%.2f, known up to %s", what, rule->param, exponent,
			    ft_number_format(need->known, known));
	} else {
		ft_text_add(text, "%s the same for all sizes", what);
		if (!rule->sizes && rule->param)
			ft_text_add(text, " (its runs have several parameters)");
		else if (!rule->sizes)
			ft_text_add(text, " (the sizes of its runs are not known)");
		else if (need->text[0])
			ft_text_add(text, ", that of the largest (it grows, but no --size states %s here)",
				    rule->param);
		else if (rule->sizes == 1 || isnan(need->correlation))
			ft_text_add(text, " (too few sizes)");
		else
			ft_text_add(text, " (size does not explain it: correlation %.2f)", need->correlation);
	}
	ft_text_add(text, "; %zu runs, %s at most; risk %s, then %s, then twice as much", need->runs,
		    ft_value_format(need->seen, unit, seen), ft_share_format(need->risk[0], first),
		    ft_share_format(need->risk[1], second));
	if (need->killed)
		ft_text_add(text, "; runs were killed, this is twice what they had reached");
}

static void add_comment(struct ft_text *text, const struct ft_tell_rule *rule, const char *margin,
			const char *mark)
{
	struct ft_text line = {0};
	char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH];

	ft_text_add(&line, "%s: %zu run%s", rule->name, rule->runs, rule->runs == 1 ? "" : "s");
	if (rule->sizes)
		ft_text_add(&line, " of %zu size%s, %s = %s .. %s", rule->sizes, rule->sizes == 1 ? "" : "s",
			    rule->param, ft_number_format(rule->least, least),
			    ft_number_format(rule->most, most));
	if (rule->tries->cpus > 0)
		ft_text_add(&line, "; %.2g processors were busy", rule->tries->cpus);
	end_line(text, margin, mark, &line);
	add_need(&line, rule, &rule->tries->memory, "memory", "bytes");
	if (rule->tries->memory.resource && ft_tell_margin(rule->tries->brief) > 1)
		ft_text_add(&line, "; times %g, because its runs took less than a second",
			    ft_tell_margin(rule->tries->brief));
	end_line(text, margin, mark, &line);
	add_need(&line, rule, &rule->tries->time, "time", "s");
	end_line(text, margin, mark, &line);
}

static void add_head(struct ft_text *text, const struct ft_tell_workflow *workflow, const char *profile,
		     const char *mark)
{
	struct ft_text line = {0};
	char overhead[FT_UNIT_LENGTH];

	ft_text_add(&line, "%s %s --profile %s, which writes it again: changes are lost.",
		    &FT_TELL_WRITTEN[1], workflow->from, profile);
	end_line(text, "", mark, &line);
	add_line(text, "", mark,
		 "A first try has the stated risk (the share of jobs that need more), a second one that of a "
		 "job that "
		 "exceeded the first.");
	if (workflow->overhead > 0) {
		ft_text_add(&line, "Memory includes %s for other processes of the job (--overhead).",
			    ft_value_format(workflow->overhead, "bytes", overhead));
		end_line(text, "", mark, &line);
	}
}

/* A double-quoted text of YAML, Python and JSON. */
static void add_quoted(struct ft_text *text, const char *from)
{
	ft_text_add(text, "\"");
	for (; *from; from++)
		if (*from == '"' || *from == '\\')
			ft_text_add(text, "\\%c", *from);
		else
			ft_text_add(text, "%c", iscntrl((unsigned char)*from) ? ' ' : *from);
	ft_text_add(text, "\"");
}

/*
 * Snakemake: config.yaml has a number for each rule, which version 7 takes for nothing else; foretime.smk has
 * functions of size and try, and is included at the end of the Snakefile.
 */

static double mb_of(double bytes)
{
	return fmax(1, ceil(bytes / 1e6));
}

static void write_snakemake_config(const struct ft_tell_workflow *workflow, struct ft_text *text)
{
	bool any = false;

	add_head(text, workflow, "snakemake", "#");
	add_line(text, "", "#",
		 "Numbers for first tries, at the largest size measured. By size and try: include "
		 "\"foretime.smk\" at the "
		 "end of the Snakefile.");
	ft_text_add(text, "restart-times: %d\nset-resources:%s", FT_TRIES - 1, "");
	for (size_t i = 0; i < workflow->n; i++) {
		const struct ft_tell_rule *rule = &workflow->rule[i];
		double bytes = ft_tell_try_bytes(workflow, rule, 0),
		       s = ft_tell_try_seconds(workflow, rule, 0);

		if (!any)
			ft_text_add(text, "\n");
		any = true;
		add_comment(text, rule, "  ", "#");
		if (!isnan(bytes))
			ft_text_add(text, "  - \"%s:mem_mb=%.0f\"\n", rule->name, mb_of(bytes));
		if (!isnan(s))
			ft_text_add(text, "  - \"%s:runtime=%.0f\"\n", rule->name, s / 60);
	}
	if (!any)
		ft_text_add(text, " []\n");
}

/* One resource of a rule. bound: in the unit of the resource; 0: none */
static void add_snakemake(struct ft_text *text, const struct ft_tell_workflow *workflow,
			  const struct ft_tell_rule *rule, const struct ft_tries_need *need)
{
	const bool memory = need == &rule->tries->memory;
	double most = memory ? floor(workflow->bounds.most_bytes / 1e6) : floor(workflow->bounds.most_s / 60);
	char least[FT_NUMBER_LENGTH], largest[FT_NUMBER_LENGTH], known[FT_NUMBER_LENGTH];

	if (!need->resource)
		return;
	ft_text_add(text, "foretime_request(\n    ");
	add_quoted(text, rule->name);
	ft_text_add(text, ", \"%s\",\n    lambda size: [", memory ? "mem_mb" : "runtime");
	if (is_sized(rule, need))
		add_tries(text, workflow, rule, need, FT_EXPR_PYTHON, memory ? "1e6" : "60");
	for (size_t k = 0; k < FT_TRIES && !is_sized(rule, need); k++)
		ft_text_add(text, "%s%.0f", k ? ", " : "",
			    memory ? mb_of(ft_tell_try_bytes(workflow, rule, k))
				   : ft_tell_try_seconds(workflow, rule, k) / 60);
	ft_text_add(text, "],\n");
	if (is_sized(rule, need))
		ft_text_add(text, "    by=lambda wildcards, input: %s,\n    least=%s, unmade=%s, known=%s,\n",
			    rule->size, ft_number_format(rule->least, least),
			    ft_number_format(rule->most, largest), ft_number_format(need->known, known));
	if (memory && workflow->bounds.least_bytes > 0)
		ft_text_add(text, "    floor=%.0f,\n", mb_of(workflow->bounds.least_bytes));
	if (most > 0)
		ft_text_add(text, "    bound=%.0f,\n", most);
	ft_text_add(text, ")\n");
}

static void write_snakemake_functions(const struct ft_tell_workflow *workflow, struct ft_text *text)
{
	add_head(text, workflow, "snakemake", "#");
	add_line(text, "", "#", "The last line of the Snakefile: include: \"PATH/foretime.smk\"");
	ft_text_add(text, "%s",
		    "import math\n"
		    "import os\n"
		    "\n"
		    "\n"
		    "def foretime_bytes(files):\n"
		    "    files = [files] if isinstance(files, str) else files\n"
		    "    return sum(os.path.getsize(file) for file in files)\n"
		    "\n"
		    "\n"
		    "# tries: of a size, what the first, second and third try request. An input that is not "
		    "made yet counts\n"
		    "# as the largest size measured: Snakemake asks again before the job begins. Beyond the "
		    "known sizes a\n"
		    "# request grows in proportion.\n"
		    "def foretime_request(name, resource, tries, by=None, least=0, unmade=0, known=0, "
		    "floor=1, bound=None):\n"
		    "    def request(wildcards, input, attempt):\n"
		    "        at = more = 1\n"
		    "        if by:\n"
		    "            try:\n"
		    "                at = max(least, float(by(wildcards, input)))\n"
		    "            except FileNotFoundError:\n"
		    "                at = unmade\n"
		    "            more = max(1, at / known)\n"
		    "            at = min(at, known)\n"
		    "        amount = max(floor, math.ceil(more * tries(at)[min(attempt, 3) - 1]))\n"
		    "        return amount if bound is None else min(bound, amount)\n"
		    "\n"
		    "    if workflow.is_rule(name):\n"
		    "        workflow.get_rule(name).resources[resource] = request\n"
		    "\n");
	for (size_t i = 0; i < workflow->n; i++) {
		ft_text_add(text, "\n");
		add_comment(text, &workflow->rule[i], "", "#");
		add_snakemake(text, workflow, &workflow->rule[i], &workflow->rule[i].tries->memory);
		add_snakemake(text, workflow, &workflow->rule[i], &workflow->rule[i].tries->time);
	}
}

/*
 * Nextflow: a file of configuration, with directives by the name of the process.
 */

/* Exit statuses of a task that ran out of memory or time (batch_workflows.c). */
static const char ran_out[] = "104, 134, 137, 139, 140, 143, 247";

static void add_nextflow(struct ft_text *text, const struct ft_tell_workflow *workflow,
			 const struct ft_tell_rule *rule, const struct ft_tries_need *need)
{
	const bool memory = need == &rule->tries->memory;
	const char *unit = memory ? "1.MB" : "1.min";
	double most =
		memory ? floor(workflow->bounds.most_bytes / 0x1p20) : floor(workflow->bounds.most_s / 60);
	double least = memory ? ceil(workflow->bounds.least_bytes / 0x1p20) : 0;
	char smallest[FT_NUMBER_LENGTH], known[FT_NUMBER_LENGTH];

	if (!need->resource)
		return;
	ft_text_add(text, "        %s = {\n", memory ? "memory" : "time");
	if (is_sized(rule, need)) {
		ft_text_add(text,
			    "            def at = Math.max(%sd, (%s) as double)\n"
			    "            def more = Math.max(1.0d, at / %sd)\n"
			    "            def size = Math.min(at, %sd)\n"
			    "            def tries = [",
			    ft_number_format(rule->least, smallest), rule->size,
			    ft_number_format(need->known, known), known);
		add_tries(text, workflow, rule, need, FT_EXPR_GROOVY, memory ? "1048576.0d" : "60.0d");
	} else {
		ft_text_add(text, "            def more = 1\n            def tries = [");
		for (size_t k = 0; k < FT_TRIES; k++)
			ft_text_add(text, "%s%.0f", k ? ", " : "",
				    memory ? ft_tell_mib(ft_tell_try_bytes(workflow, rule, k))
					   : ft_tell_try_seconds(workflow, rule, k) / 60);
	}
	ft_text_add(text, "]\n            def amount = Math.ceil((more * tries[Math.min(task.attempt, 3) - "
			  "1]) as double) as long\n");
	if (most > 0)
		ft_text_add(text, "            %s * Math.min(%.0f, Math.max(%.0f, amount))\n", unit, most,
			    fmax(1, least));
	else
		ft_text_add(text, "            %s * Math.max(%.0f, amount)\n", unit, fmax(1, least));
	ft_text_add(text, "        }\n");
}

static void write_nextflow(const struct ft_tell_workflow *workflow, struct ft_text *text)
{
	add_head(text, workflow, "nextflow", "//");
	add_line(text, "", "//", "Used by: nextflow run MAIN -c nextflow.config");
	ft_text_add(text, "process {\n");
	for (size_t i = 0; i < workflow->n; i++) {
		const struct ft_tell_rule *rule = &workflow->rule[i];

		ft_text_add(text, "%s", i ? "\n" : "");
		add_comment(text, rule, "    ", "//");
		ft_text_add(text, "    withName: '%s' {\n", rule->name);
		ft_text_add(text,
			    "        errorStrategy = { task.exitStatus in [%s] ? 'retry' : 'finish' }\n"
			    "        maxRetries = %d\n",
			    ran_out, FT_TRIES - 1);
		add_nextflow(text, workflow, rule, &rule->tries->memory);
		add_nextflow(text, workflow, rule, &rule->tries->time);
		ft_text_add(text, "    }\n");
	}
	ft_text_add(text, "}\n");
}

/*
 * Galaxy's Total Perspective Vortex: tools, by input_size in GB of 2^30 bytes. The number of a try is kept among
 * the params of the destination, which a job that is submitted again still has.
 */

static const char try_index[] = "int((job.destination_params or {}).get('foretime_try', 0))";

/* A resource in its unit, as a quoted expression of input_size and of the try. beyond: in proportion to the size */
static void add_tpv(struct ft_text *text, const struct ft_tell_workflow *workflow,
		    const struct ft_tell_rule *rule, const struct ft_tries_need *need, bool beyond)
{
	const bool memory = need == &rule->tries->memory;
	double most = memory ? workflow->bounds.most_bytes / 0x1p30 : floor(workflow->bounds.most_s / 60);
	struct ft_text expression = {0};
	char least[FT_NUMBER_LENGTH], known[FT_NUMBER_LENGTH];

	if (is_sized(rule, need)) {
		(void)ft_number_format(need->known, known);
		ft_text_add(&expression, "(lambda size: [");
		add_tries(&expression, workflow, rule, need, FT_EXPR_PYTHON, memory ? "1024**3" : "60");
		if (beyond)
			ft_text_add(&expression, "])(%s)[min(%s, %d)] * (%s) / %s", known, try_index,
				    FT_TRIES - 1, rule->size, known);
		else
			ft_text_add(&expression, "])(max(%s, %s))[min(%s, %d)]",
				    ft_number_format(rule->least, least), rule->size, try_index,
				    FT_TRIES - 1);
	} else {
		ft_text_add(&expression, "[");
		for (size_t k = 0; k < FT_TRIES; k++)
			ft_text_add(&expression, memory ? "%s%.3f" : "%s%.0f", k ? ", " : "",
				    memory ? ceil(ft_tell_try_bytes(workflow, rule, k) / 0x1p30 * 1000) / 1000
					   : ft_tell_try_seconds(workflow, rule, k) / 60);
		ft_text_add(&expression, "][min(%s, %d)]", try_index, FT_TRIES - 1);
	}
	char *body = ft_text_take(&expression);
	text->failed = text->failed || !body;
	if (most > 0)
		ft_text_add(&expression, memory ? "min(%g, %s)" : "{min(%.0f, int(%s) + 1)}", most,
			    body ? body : "");
	else
		ft_text_add(&expression,
			    memory                 ? "%s"
			    : is_sized(rule, need) ? "{int(%s) + 1}"
						   : "{%s}",
			    body ? body : "");
	if (memory && workflow->bounds.least_bytes > 0) {
		ft_free(body);
		body = ft_text_take(&expression);
		text->failed = text->failed || !body;
		ft_text_add(&expression, "max(%g, %s)", workflow->bounds.least_bytes / 0x1p30,
			    body ? body : "");
	}
	add_quoted(text, expression.s ? expression.s : "");
	text->failed = text->failed || expression.failed;
	ft_free(body);
	ft_text_clear(&expression);
}

/* The rule for sizes beyond what is known, where a bound of that is stated. */
static void add_tpv_beyond(struct ft_text *text, const struct ft_tell_workflow *workflow,
			   const struct ft_tell_rule *rule)
{
	const struct ft_tries_need *memory = &rule->tries->memory, *time = &rule->tries->time;
	double known = fmin(is_sized(rule, memory) ? memory->known : INFINITY,
			    is_sized(rule, time) ? time->known : INFINITY);
	struct ft_text condition = {0};
	char digits[FT_NUMBER_LENGTH];

	if (isinf(known))
		return;
	ft_text_add(&condition, "(%s) >= %s", rule->size, ft_number_format(known, digits));
	ft_text_add(
		text,
		"    rules:\n      - id: \"larger than known\"  # in proportion to the size\n        if: ");
	add_quoted(text, condition.s ? condition.s : "");
	ft_text_add(text, "\n");
	text->failed = text->failed || condition.failed;
	ft_text_clear(&condition);
	if (is_sized(rule, memory)) {
		ft_text_add(text, "        mem: ");
		add_tpv(text, workflow, rule, memory, true);
		ft_text_add(text, "\n");
	}
	if (is_sized(rule, time)) {
		ft_text_add(text, "        params:\n          walltime: ");
		add_tpv(text, workflow, rule, time, true);
		ft_text_add(text, "\n");
	}
}

static void write_tpv(const struct ft_tell_workflow *workflow, struct ft_text *text)
{
	add_head(text, workflow, "tpv", "#");
	add_line(text, "", "#", "mem in GB, walltime in minutes: called as the destination calls it.");
	ft_text_add(text, "tools:%s", workflow->n ? "\n" : " {}\n");
	for (size_t i = 0; i < workflow->n; i++) {
		const struct ft_tell_rule *rule = &workflow->rule[i];

		add_comment(text, rule, "  ", "#");
		ft_text_add(text, "  ");
		add_quoted(text, rule->name);
		ft_text_add(text, ":\n");
		if (rule->tries->cpus > 0)
			ft_text_add(text, "    cores: %.0f\n", ft_tell_cpus(rule->tries->cpus));
		if (rule->tries->memory.resource) {
			ft_text_add(text, "    mem: ");
			add_tpv(text, workflow, rule, &rule->tries->memory, false);
			ft_text_add(text, "\n");
		}
		ft_text_add(text, "    params:\n      foretime_try: \"{%s + 1}\"\n", try_index);
		if (rule->tries->time.resource) {
			ft_text_add(text, "      walltime: ");
			add_tpv(text, workflow, rule, &rule->tries->time, false);
			ft_text_add(text, "\n");
		}
		ft_text_add(text,
			    "    resubmit:\n      with_more:\n        condition: (memory_limit_reached or "
			    "walltime_reached) and attempt <= %d\n        destination: tpv_dispatcher\n",
			    FT_TRIES);
		add_tpv_beyond(text, workflow, rule);
	}
}

/*
 * The systems, and how each states the size of a job.
 */

static const struct ft_tell_profile profiles[] = {
	{"snakemake",
	 125e6,
	 {{"config.yaml", write_snakemake_config}, {"foretime.smk", write_snakemake_functions}}},
	{"nextflow", 16e6, {{"nextflow.config", write_nextflow}}},
	{"tpv", FT_TELL_SHELL_BYTES, {{"tools.yml", write_tpv}}},
};

const struct ft_tell_profile *ft_tell_profile_get(size_t i)
{
	return i < sizeof profiles / sizeof *profiles ? &profiles[i] : NULL;
}

/* input, input.reads, input["reads"]: files, of which the sizes are meant. */
static bool is_files(const char *text)
{
	size_t length = 5;

	if (strncmp(text, "input", length) != 0)
		return false;
	if (text[length] == '.')
		length += 1 + ft__name_length(text + length + 1);
	else if (text[length] == '[')
		length += strcspn(text + length, "]") + 1;
	return !text[length] && strcmp(text, "input.size") != 0 && strcmp(text, "input.size_mb") != 0;
}

char *ft_tell_size_text(const struct ft_tell_profile *profile, const char *param, const char *stated)
{
	double unit = ft_tell_size_unit(param);
	struct ft_text text = {0};

	if (profile == &profiles[0]) {
		if (stated && !is_files(stated))
			return ft_strdup(stated);
		if (!stated && isnan(unit))
			ft_text_add(&text, "getattr(wildcards, \"%s\")", param);
		else
			ft_text_add(&text, "foretime_bytes(%s)", stated ? stated : "input");
		if (unit > 1)
			ft_text_add(&text, " / %.0f", unit);
		return ft_text_take(&text);
	}
	if (stated)
		return ft_strdup(stated);
	if (profile == &profiles[1])
		return isnan(unit) ? ft_strdup(param) : NULL;
	return isnan(unit) ? NULL
			   : ft_strdup(unit == 1    ? "input_size*1024**3"
				       : unit < 1e9 ? "input_size*1024"
						    : "input_size");
}
