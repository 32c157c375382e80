/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.c - what a cluster has taught so far, and what its users are given of that. */
#include "cli/answers.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/slurm/slurm.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A program whose name jobs may state, and its file. */
struct slurm_status_model {
	const char *name, *machine, *file; /* file: "holds", "expired", "none" */
	size_t runs;
	int64_t newest_ns, made_ns, expires_ns; /* 0: not known */
};

struct slurm_status_told {
	const char *cluster, *folder;
	struct ft_slurm_tally tally;
	double kept; /* of those that were filled in, a share; NaN: none was */
	struct slurm_status_model *model;
	size_t n;
};

static const int64_t second_ns = 1000000000;

/* A line "made 1700000000" of a file of knots. */
static void read_moment(const char *line, const char *word, int64_t *ns)
{
	size_t length = strlen(word);

	if (strncmp(line, word, length) != 0 || line[length] != ' ')
		return;
	long long seconds = strtoll(line + length, NULL, 10);
	if (seconds > 0 && seconds < INT64_MAX / second_ns)
		*ns = seconds * second_ns;
}

static void read_file(const char *folder, struct slurm_status_model *model)
{
	char *path = cli_printed("%s/%s.knots", folder, model->name), line[256];
	FILE *file = strchr(model->name, '/') ? NULL : fopen(path, "re");

	model->file = "none";
	while (file && fgets(line, sizeof line, file)) {
		read_moment(line, "made", &model->made_ns);
		read_moment(line, "expires", &model->expires_ns);
	}
	if (file) {
		(void)fclose(file);
		model->file = model->expires_ns > ft_clock_real_ns() ? "holds" : "expired";
	}
	free(path);
}

static char *newest_cell(const void *record, const struct ft_tell_with *with)
{
	char age[FT_TELL_AGE];

	(void)with;
	return cli_strdup(ft_tell_age(((const struct slurm_status_model *)record)->newest_ns, age));
}

static const struct ft_tell_row model_rows[] = {
	{FT_TELL(struct slurm_status_model, name), .head = "name"},
	{FT_TELL(struct slurm_status_model, machine), .head = "machine"},
	{FT_TELL(struct slurm_status_model, runs), .head = ">runs"},
	{FT_TELL_BY(TIME, "newest", struct slurm_status_model, newest_ns), .about = "run, UTC",
	 .null = "not known", .head = "newest", .cell = newest_cell},
	{FT_TELL(struct slurm_status_model, file), .words = "holds|expired|none", .head = "file"},
	{FT_TELL_BY(TIME, "made", struct slurm_status_model, made_ns), .about = "the file, UTC",
	 .null = "there is none"},
	{FT_TELL_BY(TIME, "expires", struct slurm_status_model, expires_ns), .null = "there is none"},
	{0},
};
static const struct ft_tell_record model_told = {.bytes = sizeof(struct slurm_status_model),
						 .row = model_rows};

#define TOLD struct slurm_status_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, cluster)},
	{FT_TELL_BY(TIME, "harvested_until", TOLD, tally.until_ns),
	 .about = "jobs that ended before were all seen, UTC", .null = "there was no harvest"},
	{FT_TELL_AS("jobs", TOLD, tally.jobs), .about = "that became runs"},
	{FT_TELL_AS("filled", TOLD, tally.filled), .about = "of these, foretime filled in what they ask for"},
	{FT_TELL_AS("within", TOLD, tally.kept), .about = "of these, they stayed within that"},
	{FT_TELL(TOLD, kept), .about = "their share", .null = "no job was filled in"},
	{FT_TELL(TOLD, folder), .about = "where the functions of submission read"},
	{FT_TELL_MANY(LIST, "programs", TOLD, model, n, &model_told)},
	{0},
};
const struct ft_tell_record cli_slurm_status_told = {
	.name = "slurm", .action = "status", .version = 1, .row = rows};

static void print_status(const TOLD *told)
{
	char age[FT_TELL_AGE], share[FT_UNIT_LENGTH];

	printf("cluster %s: %s%s\n", told->cluster,
	       told->tally.until_ns ? "harvested " : "no harvest yet; foretime slurm harvest begins",
	       told->tally.until_ns ? ft_tell_age(told->tally.until_ns, age) : "");
	printf("%zu job%s became runs", told->tally.jobs, told->tally.jobs == 1 ? "" : "s");
	if (told->tally.filled)
		printf("; of %zu foretime filled in what they ask for, and %zu stayed within that (%s)",
		       told->tally.filled, told->tally.kept, ft_share_format(told->kept, share));
	printf("\n");
	if (!told->n)
		return;
	putchar('\n');
	cli_tell_table(&model_told, told->model, told->n, NULL);
}

static void find_models(TOLD *told, const struct ft_store_list *list)
{
	told->model = cli_alloc((list->n + 1) * sizeof *told->model);
	for (size_t i = 0; i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];
		struct slurm_status_model *model = &told->model[told->n];

		if (!entry->current || !entry->machine)
			continue;
		*model = (struct slurm_status_model){.name = entry->name,
						     .machine = entry->machine_name,
						     .runs = entry->runs,
						     .newest_ns = entry->last_ns};
		read_file(told->folder, model);
		told->n++;
	}
}

static void clear_told(TOLD *told)
{
	free(told->model);
}

int cli_slurm_status(void *asked)
{
	struct cli_slurm *slurm = asked;
	FT_CLEANUP(clear_told) TOLD told = {.folder = slurm->folder ? slurm->folder : CLI_SLURM_FOLDER};
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_open(slurm));
	told.cluster = slurm->config.cluster;
	CLI_TRY(cli_store_open_list(&store, slurm->store_path));
	if (store && (ft_slurm_tally_get(store, told.cluster, &told.tally, &err) ||
		      ft_store_get_list(store, NULL, &list, &err)))
		return cli_error(&err);
	told.kept = told.tally.filled ? (double)told.tally.kept / (double)told.tally.filled : (double)NAN;
	find_models(&told, &list);
	if (slurm->json)
		cli_tell(&cli_slurm_status_told, &told, NULL);
	else
		print_status(&told);
	return CLI_DONE;
}
