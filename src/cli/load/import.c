/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - what another monitor observed on this machine becomes its history. */
#include "cli/answers.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/load/load.h"
#include "foretime/measure.h"

#define TOLD struct ft_loads_taken
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, taken), .about = "observations"},
	{FT_TELL(TOLD, known), .about = "that began when one in the store does, and were left out"},
	{FT_TELL(TOLD, old), .about = "older than is kept, and left out"},
	{FT_TELL_AS("taken_s", TOLD, seconds), .about = "length of those taken"},
	{0},
};
const struct ft_tell_record cli_load_import_told = {
	.name = "load", .typed = "machine load", .action = "import", .version = 2, .row = rows};

int cli_load_import(void *asked)
{
	struct cli_load *load = asked;
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	int64_t since_ns = ft_clock_real_ns() - (int64_t)FT_LOAD_AGE_S * 1000000000;
	TOLD told = {0};
	char text[FT_UNIT_LENGTH];

	if (load->processors > 1000000)
		return cli_fail("%zu processors are too many", load->processors);
	if (ft_machine_read("", &load->machine, &err) ||
	    ft_loads_read(load->path,
			  (int)(load->processors ? load->processors : (size_t)load->machine.threads),
			  &load->loads, &err))
		return cli_error(&err);
	CLI_TRY(cli_store_open(&store, load->store_path, CLI_WRITE));
	if (ft_store_put_machine(store, &load->machine, &err) ||
	    ft_store_take_loads(store, load->machine.id, &load->loads, since_ns, &told, &err))
		return cli_error(&err);
	if (load->json)
		cli_tell(&cli_load_import_told, &told, NULL);
	else
		printf("took in %zu observations of %s; %zu were known, %zu are older than is kept\n",
		       told.taken, ft_value_format(told.seconds, "s", text), told.known, told.old);
	return CLI_DONE;
}
