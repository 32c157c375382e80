/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_snippets.c - requests of one size for systems whose forms are a few lines: WDL, CWL, Kubernetes, Argo, Parsl,
 * Ray, Dask. A form is a table of lines; a line whose number is not known is left out.
 *
 * Source: WDL 1.1, section Runtime Attributes; CWL 1.2, ResourceRequirement (MiB) and ToolTimeLimit; Kubernetes,
 * Resource Management for Pods; Argo, Fields; Parsl, resource specifications of Work Queue (MB); Ray,
 * remote function options (bytes); dask_jobqueue, JobQueueCluster. */
#include "cli/cli.h"
#include "cli/request/batch.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a line is of: text alone; the program's name as an identifier, or in lower case with hyphens; a number in a
 * unit; minutes as a clock; the number of graphics devices, 1; the head of limits, of which one is
 * known. */
enum what { TEXT, NAME, LABEL, CPUS, MEMORY, DISK, SECONDS, CLOCK, GPU, LIMITS };

struct snippet_line {
	enum what what;
	const char *before, *after;
	double unit;
};

struct snippet {
	const char *name, *about;     /* about: where it belongs, a comment */
	struct snippet_line line[16]; /* up to one without texts */
};

static const struct snippet snippets[] = {
	{"wdl",
	 "in the task; a limit of time is the engine's",
	 {{TEXT, "runtime {\n", "", 0},
	  {CPUS, "    cpu: ", "\n", 1},
	  {MEMORY, "    memory: \"", " MiB\"\n", 1048576},
	  {DISK, "    disks: \"local-disk ", " SSD\"\n", 1e9},
	  {GPU, "    gpu: true\n", "", 0},
	  {TEXT, "}\n", "", 0}}},
	{"cwl",
	 "in the CommandLineTool; memory and files in MiB",
	 {{TEXT, "requirements:\n  ResourceRequirement:\n", "", 0},
	  {CPUS, "    coresMin: ", "\n", 1},
	  {MEMORY, "    ramMin: ", "\n", 1048576},
	  {DISK, "    tmpdirMin: ", "\n", 1048576},
	  {SECONDS, "  ToolTimeLimit:\n    timelimit: ", "\n", 1}}},
	{"kubernetes",
	 "in the specification of the pod",
	 {{SECONDS, "activeDeadlineSeconds: ", "\n", 1},
	  {LABEL, "containers:\n  - name: ", "\n    resources:\n      requests:\n", 0},
	  {CPUS, "        cpu: \"", "\"\n", 1},
	  {MEMORY, "        memory: ", "Mi\n", 1048576},
	  {DISK, "        ephemeral-storage: ", "Mi\n", 1048576},
	  {LIMITS, "      limits:\n", "", 0},
	  {MEMORY, "        memory: ", "Mi\n", 1048576},
	  {GPU, "        nvidia.com/gpu: 1\n", "", 0}}},
	{"argo",
	 "among the templates of the workflow",
	 {{LABEL, "- name: ", "\n", 0},
	  {SECONDS, "  activeDeadlineSeconds: ", "\n", 1},
	  {TEXT, "  container:\n    resources:\n      requests:\n", "", 0},
	  {CPUS, "        cpu: \"", "\"\n", 1},
	  {MEMORY, "        memory: ", "Mi\n", 1048576},
	  {DISK, "        ephemeral-storage: ", "Mi\n", 1048576},
	  {LIMITS, "      limits:\n", "", 0},
	  {MEMORY, "        memory: ", "Mi\n", 1048576},
	  {GPU, "        nvidia.com/gpu: 1\n", "", 0}}},
	{"parsl",
	 "app(..., **THIS): seconds and MB",
	 {{NAME, "", " = {", 0},
	  {SECONDS, "\"walltime\": ", ", ", 1},
	  {TEXT, "\"parsl_resource_specification\": {", "", 0},
	  {CPUS, "\"cores\": ", ", ", 1},
	  {MEMORY, "\"memory\": ", ", ", 1e6},
	  {DISK, "\"disk\": ", ", ", 1e6},
	  {GPU, "\"gpus\": 1", "", 0},
	  {TEXT, "}}\n", "", 0}}},
	{"ray",
	 "task.options(**THIS); a limit of time is that of ray.get",
	 {{NAME, "", " = {", 0},
	  {CPUS, "\"num_cpus\": ", ", ", 1},
	  {GPU, "\"num_gpus\": 1, ", "", 0},
	  {MEMORY, "\"memory\": ", "", 1},
	  {TEXT, "}\n", "", 0}}},
	{"dask",
	 "dask_jobqueue.SLURMCluster(**THIS), one worker a job",
	 {{NAME, "", " = {\"processes\": 1, ", 0},
	  {CPUS, "\"cores\": ", ", ", 1},
	  {MEMORY, "\"memory\": \"", "MiB\", ", 1048576},
	  {CLOCK, "\"walltime\": \"", "\"", 0},
	  {TEXT, "}\n", "", 0}}},
};

/* A name as Kubernetes takes it: lower case letters, digits, hyphens; no more than 63. */
static char *label_of(const char *name)
{
	char *label = cli_printed("%.63s", name);

	for (char *c = label; *c; c++)
		*c = (char)(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '-');
	if (!isalpha((unsigned char)*label))
		*label = 'x';
	for (size_t n = strlen(label); n > 1 && label[n - 1] == '-'; n--)
		label[n - 1] = '\0';
	return label;
}

static void print_line(const struct cli_request *r, const struct snippet_line *line)
{
	const char *name = ft_ask_program(r->models.answerer)->name;
	const double minutes = ft_tell_minutes(cli_batch_seconds(r)), cpus = cli_batch_cpus(r);
	double number = NAN;
	char *text = NULL;

	switch (line->what) {
	case TEXT:
		text = cli_strdup("");
		break;
	case NAME:
		text = cli_batch_identifier(name);
		break;
	case LABEL:
		text = label_of(name);
		break;
	case CPUS:
		number = isnan(cpus) ? 1 : cpus;
		break;
	case MEMORY:
		number = r->request.memory.resource ? cli_batch_bytes(r) : NAN;
		break;
	case DISK:
		number = ft_tell_scratch(&r->request) > 0 ? ft_tell_scratch(&r->request) : NAN;
		break;
	case LIMITS:
		text = r->request.memory.resource || cli_batch_gpu(r) ? cli_strdup("") : NULL;
		break;
	case GPU:
		text = cli_batch_gpu(r) ? cli_strdup("") : NULL;
		break;
	case SECONDS:
		number = r->request.time.resource ? 60 * minutes : NAN;
		break;
	case CLOCK:
		if (r->request.time.resource)
			text = cli_printed("%02.0f:%02.0f:00", floor(minutes / 60), fmod(minutes, 60));
		break;
	}
	if (!text && !isnan(number))
		text = cli_printed("%.0f", fmax(1, ceil(number / line->unit)));
	if (text)
		printf("%s%s%s", line->before, text, line->after);
	free(text);
}

static void print_snippet(const struct cli_request *r)
{
	const struct snippet *snippet = snippets;

	while (strcmp(snippet->name, r->batch->name) != 0)
		snippet++;
	cli_batch_head(r, "#");
	printf("# %s\n", snippet->about);
	for (const struct snippet_line *line = snippet->line; line->before; line++)
		print_line(r, line);
	cli_batch_doubts(r);
}

#define ROW(system)                                                                                          \
	{                                                                                                    \
		system, false, FT_TELL_SHELL_BYTES, print_snippet, NULL                                      \
	}
const struct cli_batch cli_batch_snippets[] = {ROW("wdl"),   ROW("cwl"), ROW("kubernetes"), ROW("argo"),
					       ROW("parsl"), ROW("ray"), ROW("dask"),       {0}};
