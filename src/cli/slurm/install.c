/* SPDX-License-Identifier: GPL-3.0-or-later */
/* install.c - installs the parts that a cluster needs: those that need no administrator, and prints for
 * the rest which line to write where. No existing file is changed. */
#include "cli/cli.h"
#include "cli/slurm/slurm.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct slurm_piece {
	const char *name, *state; /* "in place", "put in place", "to do", "if you like" */
	char *what;               /* what to do; NULL: nothing */
};

enum { PIECES_MOST = 16 };

struct slurm_install_answer {
	const char *cluster, *version;
	struct slurm_piece piece[PIECES_MOST];
	size_t n, missing;
};

static const char in_place[] = "in place", put_there[] = "put in place", to_do[] = "to do",
		  perhaps[] = "if you like";

/* Takes ownership of what. */
static void add_piece(struct slurm_install_answer *answer, const char *name, const char *state, char *what)
{
	answer->missing += state == to_do;
	answer->piece[answer->n++] = (struct slurm_piece){name, state, what};
}

static void add_setting(struct slurm_install_answer *answer, const char *name, bool good,
			const char *otherwise, const char *what)
{
	add_piece(answer, name, good ? in_place : otherwise, good ? NULL : cli_strdup(what));
}

static bool has_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "re");
	char line[1024];
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file))
		found = strstr(line, text) != NULL;
	if (file)
		(void)fclose(file);
	return found;
}

static bool copy_file(const char *from, const char *to)
{
	struct cli_output output = {0};
	FILE *file = fopen(from, "re");
	char bytes[4096];
	size_t n;

	if (!file)
		return false;
	if (cli_output_open(&output, to, stdout) != CLI_DONE) {
		(void)fclose(file);
		return false;
	}
	while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
		(void)fwrite(bytes, 1, n, output.file);
	(void)fclose(file);
	return cli_output_close(&output, true) == CLI_DONE;
}

/* One of the two scripts next to slurm.conf. plugins: those that Slurm has loaded. */
static void add_script(const struct cli_slurm *slurm, struct slurm_install_answer *answer, const char *name,
		       const char *plugins, const char *setting, const char *otherwise)
{
	const char *lua = slurm->lua ? slurm->lua : FT_DATADIR "/foretime/slurm", *conf = slurm->config.file;
	const char *slash = strrchr(conf, '/');
	char *to = cli_printed("%.*s/%s", (int)(slash ? slash - conf : 0), conf, name),
	     *from = cli_printed("%s/%s", lua, name), *what = NULL;
	bool there = !access(to, F_OK), named = there && has_text(to, "foretime"),
	     loaded = strstr(plugins, "lua") != NULL;
	const char *package = slurm->lua || !access(from, F_OK) ? "" : "install foretime-slurm; ";
	const char *state = named && loaded ? in_place : otherwise;

	if (!there && slash && !slurm->dry_run && state == to_do && !access(lua, R_OK) && copy_file(from, to))
		named = true;
	if (!there && !named)
		what = cli_printed("%scp %s %s", package, from, to);
	else if (!named)
		what = cli_printed("put the two lines with foretime of %s into %s", from, to);
	if (!loaded) {
		cli_reprint(&what, "%s%swrite %s=lua into %s, then scontrol reconfigure", what ? what : "",
			    what ? "; " : "", setting, *conf ? conf : "slurm.conf");
	}
	add_piece(answer, name, !what && !there ? put_there : what ? state : in_place, what);
	free(to);
	free(from);
}

static bool is_enabled(const char *wanted_by, const char *unit)
{
	CLI_OWN char *path = cli_printed("/etc/systemd/system/%s.wants/%s", wanted_by, unit);
	struct stat st;
	bool there = !lstat(path, &st);

	return there;
}

static void find_pieces(const struct cli_slurm *slurm, struct slurm_install_answer *answer)
{
	const struct ft_slurm_config *c = &slurm->config;
	CLI_OWN char *conf =
		cli_printed("write AccountingStoreFlags=job_comment into %s, then scontrol reconfigure",
			    *c->file ? c->file : "slurm.conf");

	answer->cluster = c->cluster;
	answer->version = c->version;
	add_setting(answer, "accounts", c->accounts, to_do,
		    "slurmdbd, and AccountingStorageType=accounting_storage/slurmdbd in slurm.conf: else "
		    "nothing is harvested");
	add_setting(answer, "comments", c->comments, to_do, conf);
	add_setting(
		answer, "memory", c->gathers && !c->cgroup, c->gathers ? perhaps : to_do,
		c->gathers
			? "JobAcctGatherType=jobacct_gather/linux: cgroup counts the page cache of files, "
			  "and memory is an estimate"
			: "JobAcctGatherType=jobacct_gather/linux in slurm.conf: else runs have no memory");
	const char *folder = slurm->folder ? slurm->folder : CLI_SLURM_FOLDER;
	bool there = !access(folder, F_OK);

	if (there)
		add_piece(answer, "models", in_place, NULL);
	else if (!slurm->dry_run && !mkdir(folder, 0755))
		add_piece(answer, "models", put_there, NULL);
	else
		add_piece(answer, "models", to_do,
			  cli_printed("mkdir -p %s: who writes there decides what users ask for", folder));
	add_script(slurm, answer, "job_submit.lua", c->submit, "JobSubmitPlugins", to_do);
	add_script(slurm, answer, "cli_filter.lua", c->filter, "CliFilterPlugins", perhaps);
	static const char harvest[] = "foretime-slurm-harvest.timer",
			  raise[] = "foretime-slurm-raise.service";

	add_setting(answer, "harvest", is_enabled("timers.target", harvest), to_do,
		    "systemctl enable --now foretime-slurm-harvest.timer; whose jobs count for the models "
		    "that all users are given: systemctl edit foretime-slurm-harvest.service, "
		    "Environment=FORETIME_TRUST='--trust USER'");
	add_setting(answer, "raise", is_enabled("multi-user.target", raise), perhaps,
		    "systemctl enable --now foretime-slurm-raise.service: guessed limits are raised before "
		    "they kill");
	add_setting(answer, "epilog", strstr(c->epilog, "foretime") != NULL, perhaps,
		    "EpilogSlurmctld=" FT_DATADIR
		    "/foretime/slurm/epilog, and foretime slurm harvest FILE: jobs are taken one by one");
}

static const struct ft_tell_row piece_rows[] = {
	{FT_TELL(struct slurm_piece, name), .head = "piece"},
	{FT_TELL(struct slurm_piece, state), .words = "in place|put in place|to do|if you like",
	 .head = "state"},
	{FT_TELL(struct slurm_piece, what), .about = "what an administrator does", .null = "nothing",
	 .head = "what to do", .none = ""},
	{0},
};
static const struct ft_tell_record piece_answer = {.bytes = sizeof(struct slurm_piece), .row = piece_rows};

#define ANSWER struct slurm_install_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, cluster)},
	{FT_TELL(ANSWER, version), .about = "of Slurm"},
	{FT_TELL(ANSWER, missing), .about = "pieces that are to do"},
	{FT_TELL_MANY(ARRAY, "pieces", ANSWER, piece, n, &piece_answer)},
	{0},
};
const struct ft_tell_record cli_slurm_install_answer = {
	.name = "slurm", .action = "install", .version = 1, .row = rows};

int cli_slurm_install(void *query)
{
	struct cli_slurm *slurm = query;
	ANSWER answer = {0};
	int status = cli_slurm_open(slurm);
	size_t i;

	if (status != CLI_DONE)
		return status;
	find_pieces(slurm, &answer);
	if (slurm->json) {
		cli_tell(&cli_slurm_install_answer, &answer, NULL);
	} else {
		printf("cluster %s, Slurm %s\n\n", answer.cluster,
		       *answer.version ? answer.version : "of no known version");
		cli_tell_table(&piece_answer, answer.piece, answer.n, NULL);
	}
	for (i = 0; i < answer.n; i++)
		free(answer.piece[i].what);
	return answer.missing ? CLI_NO : CLI_DONE;
}
