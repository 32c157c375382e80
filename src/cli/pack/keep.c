/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.c - what copies took is kept: alone as a run of the program, all of them as runs of NAME/copies, whose
 * further parameter says how many there were. */
#include "cli/common.h"
#include "cli/pack/pack.h"
#include "cli/save.h"

#include <stdlib.h>
#include <string.h>

static const char further[] = "copies";

/* NAME/copies: no command, for none runs so many by itself. */
static bool name_copies(struct cli_pack_kept *kept, const struct cli_pack *pack)
{
	struct ft_program *copies = &kept->copies;
	size_t n = pack->program.n_params;

	if (n == FT_PARAMS_MAX || ft_program_find_param(&pack->program, further) >= 0)
		return false;
	*copies = (struct ft_program){.n_params = n + 1};
	copies->device = cli_strdup(pack->program.device);
	copies->driver = cli_strdup(pack->program.driver);
	copies->name = cli_printed("%s/%s", pack->program.name, further);
	memcpy(copies->param, pack->program.param, n * sizeof *copies->param);
	copies->param[n] = (struct ft_param){.least = 1, .most = (double)pack->options.most, .stride = 1};
	(void)snprintf(copies->param[n].name, sizeof copies->param[n].name, "%s", further);
	return true;
}

int cli_pack_keep_begin(struct cli_pack_kept *kept, struct cli_pack *pack)
{
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&kept->store, pack->store_path, CLI_WRITE));
	free(pack->program.hash);
	pack->program.hash = cli_program_hash(kept->store, &pack->program);
	if (ft_machine_read("", &kept->machine, &err) ||
	    ft_store_put_machine(kept->store, &kept->machine, &err) ||
	    ft_store_put_program(kept->store, &pack->program, &err))
		return cli_error(&err);
	kept->several = name_copies(kept, pack);
	if (!kept->several)
		return CLI_DONE;
	kept->copies.hash = cli_strdup(pack->program.hash);
	return ft_store_put_program(kept->store, &kept->copies, &err) ? cli_error(&err) : CLI_DONE;
}

static enum ft_status keep_all(struct cli_pack_kept *kept, const struct ft_program *program,
			       struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = ft_store_begin(kept->store, err);

	for (size_t i = 0; i < runs->n && !status; i++) {
		runs->run[i].id = 0;
		status = ft_store_keep_run(kept->store, program, kept->machine.id, &runs->run[i], err);
	}
	return ft_store_end(kept->store, status, err);
}

int cli_pack_keep(struct cli_pack_kept *kept, const struct cli_pack *pack, size_t copies,
		  struct ft_runs *runs)
{
	struct ft_err err = {0};

	if (!kept->store)
		return CLI_DONE;
	if (copies == 1 && keep_all(kept, &pack->program, runs, &err))
		return cli_error(&err);
	kept->n_alone += copies == 1 ? runs->n : 0;
	if (!kept->several)
		return CLI_DONE;
	for (size_t i = 0; i < runs->n; i++) {
		struct ft_size *size = &runs->run[i].size;

		size->value[size->n++] = (double)copies;
	}
	if (keep_all(kept, &kept->copies, runs, &err))
		return cli_error(&err);
	kept->n += runs->n;
	return CLI_DONE;
}

void cli_pack_keep_end(struct cli_pack_kept *kept, const struct cli_pack *pack)
{
	if (kept->n && !pack->quiet)
		cli_note("kept %zu runs as %s, those alone (%zu) as %s too", kept->n, kept->copies.name,
			 kept->n_alone, pack->program.name);
	ft_store_close(kept->store);
	ft_machine_clear(&kept->machine);
	ft_program_clear(&kept->copies);
}
