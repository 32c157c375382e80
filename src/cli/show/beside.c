/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.c - what `foretime show` tells beside models: the build that runs now, traces that are kept, and
 * what jobs asked for against what they used. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/show/show.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>

enum { TRACES_MOST = 50 };

#define BUILDING struct ft_building
static const struct ft_tell_row building_rows[] = {
	{FT_TELL_BY(SIZE, "size", BUILDING, size), .about = "of the run that is made"},
	{FT_TELL_BY(WORD, "reason", BUILDING, reason), .word = ft_reason_text,
	 .words = "warm-up|new size|once more|it failed once|it was lost|unknown", .about = "why that size"},
	{FT_TELL(BUILDING, gain), .about = "by how much it is expected to lower the mean error, as a share",
	 .null = "the method does not weigh runs, or it is one of the first sizes"},
	{FT_TELL_AS("seconds", BUILDING, expected_s), .about = "that it is expected to take",
	 .null = "not known"},
	{FT_TELL(BUILDING, points), .about = "sizes with a run that ended well"},
	{FT_TELL(BUILDING, runs), .about = "made by this build"},
	{FT_TELL(BUILDING, spent_s)},
	{FT_TELL(BUILDING, budget_s), .about = "0: there is no limit"},
	{FT_TELL(BUILDING, tolerance), .about = "how well the typical run shall be known"},
	{FT_TELL(BUILDING, complete), .about = "how much of what the method will want is there, 0 to 1"},
	{FT_TELL_BY(TIME, "told", BUILDING, told_ns), .about = "UTC", .null = ""},
	{0},
};
const struct ft_tell_record cli_building_told = {.bytes = sizeof(BUILDING), .row = building_rows};

#define TRACE struct ft_store_trace
static const struct ft_tell_row trace_rows[] = {
	{FT_TELL(TRACE, run), .about = "foretime trace takes it as run:NUMBER"},
	{FT_TELL_BY(TIME, "started", TRACE, started_ns), .about = "UTC", .null = "not known"},
	{FT_TELL_BY(SIZE, "size", TRACE, size)},
	{FT_TELL(TRACE, rows)},
	{0},
};
const struct ft_tell_record cli_traces_told = {.bytes = sizeof(TRACE), .row = trace_rows};

#define JOB struct cli_asked_job
static const struct ft_tell_row job_rows[] = {
	{FT_TELL_BY(TIME, "started", JOB, started_ns), .about = "UTC", .null = "not known", .head = "began"},
	{FT_TELL(JOB, size)},
	{FT_TELL_AS(NULL, JOB, size), .head = ""},
	{FT_TELL_BY(WORD, "outcome", JOB, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES,
	 .head = ""},
	{FT_TELL(JOB, asked_s), .null = "not known", .head = ">asked", .unit = "s"},
	{FT_TELL(JOB, used_s), .null = "not known", .head = ">took", .unit = "s"},
	{FT_TELL(JOB, asked_bytes), .null = "not known", .head = ">asked", .unit = "bytes"},
	{FT_TELL(JOB, used_bytes), .null = "not known", .head = ">used", .unit = "bytes"},
	{0},
};
const struct ft_tell_record cli_asked_told = {.bytes = sizeof(JOB), .row = job_rows};

struct ft_store_trace *cli_show_traces(struct ft_store *store, int64_t program, int64_t machine, size_t *n)
{
	struct ft_store_trace *trace = cli_alloc(TRACES_MOST * sizeof *trace);

	if (ft_store_get_traces(store, program, machine, trace, TRACES_MOST, n, NULL))
		*n = 0;
	return trace;
}

static bool has_asked(const struct ft_run *run)
{
	return run->asked_s > 0 || run->asked_bytes > 0;
}

static double known_beside(double value)
{
	return value > 0 ? value : (double)NAN;
}

struct cli_asked_job *cli_show_asked(const struct ft_runs *runs, size_t most, size_t *n)
{
	struct cli_asked_job *job = cli_alloc((most < runs->n ? most : runs->n) * sizeof *job + 1);
	size_t i = runs->n;

	for (*n = 0; i-- > 0 && *n < most;) {
		const struct ft_run *run = &runs->run[i];

		if (has_asked(run))
			job[(*n)++] = (struct cli_asked_job){
				run->started_ns,
				run->size,
				run->outcome,
				known_beside(run->asked_s),
				known_beside(run->asked_bytes),
				ft_run_value(run, &ft_wall_s),
				ft_run_footprint(run),
			};
	}
	for (size_t k = 0; k < *n / 2; k++) {
		struct cli_asked_job held = job[k];

		job[k] = job[*n - 1 - k];
		job[*n - 1 - k] = held;
	}
	return job;
}

void cli_building_print(const struct ft_building *building, const struct ft_program *program, FILE *file)
{
	char at[256], spent[FT_UNIT_LENGTH], left[FT_UNIT_LENGTH];

	(void)ft_size_format(program, &building->size, at, sizeof at);
	fprintf(file, "building   now %s (%s)", at, ft_reason_text(building->reason));
	if (building->gain > 0)
		fprintf(file, ", which is expected to lower the error by %.2g %%", 100 * building->gain);
	fprintf(file, "; %zu sizes, %s spent", building->points,
		ft_value_format(building->spent_s, "s", spent));
	if (building->budget_s > 0)
		fprintf(file, ", %s left",
			ft_value_format(fmax(0, building->budget_s - building->spent_s), "s", left));
	fputc('\n', file);
}

/* Sums of what jobs asked for by what they used, of those that tell both. */
static double wasted_share(const struct cli_asked_job *job, size_t n, bool memory)
{
	double asked = 0, used = 0;

	for (size_t i = 0; i < n; i++) {
		double a = memory ? job[i].asked_bytes : job[i].asked_s,
		       u = memory ? job[i].used_bytes : job[i].used_s;

		if (a > 0 && u > 0) {
			asked += a;
			used += u;
		}
	}
	return used > 0 ? asked / used : (double)NAN;
}

void cli_asked_print(const struct cli_asked_job *job, size_t n, const struct ft_program *program)
{
	const struct ft_tell_with with = {.program = program};
	double time = wasted_share(job, n, false), memory = wasted_share(job, n, true);
	size_t late = 0, killed = 0;

	for (size_t i = 0; i < n; i++) {
		late += job[i].outcome == FT_TIMED_OUT;
		killed += job[i].outcome == FT_OUT_OF_MEMORY;
	}

	printf("\n%zu job%s that asked a batch system", n, n == 1 ? "" : "s");
	if (time > 0)
		printf(": %.3g times the time that they took", time);
	if (memory > 0)
		printf("%s %.3g times the memory that they used", time > 0 ? "," : ":", memory);
	if (late || killed)
		printf("; %zu met their time limit, %zu their memory limit", late, killed);
	putchar('\n');
	cli_tell_table(&cli_asked_told, job, n, &with);
}
