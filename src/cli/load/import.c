/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - what another monitor observed on this machine becomes its history. */
#include "cli/answers.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/load/load.h"
#include "foretime/measure.h"

#include <stdlib.h>

struct load_import_told {
	size_t taken, known, old;
	double seconds; /* of those taken */
};

#define TOLD struct load_import_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, taken), .about = "observations"},
	{FT_TELL(TOLD, known), .about = "that began when one in the store does, and were left out"},
	{FT_TELL(TOLD, old), .about = "older than is kept, and left out"},
	{FT_TELL_AS("taken_s", TOLD, seconds), .about = "length of those taken"},
	{0},
};
const struct ft_tell_record cli_load_import_told = {
	.name = "load", .action = "import", .version = 2, .row = rows};

/* Both in the order of time: *next moves on through what is stored. */
static bool is_known(const struct ft_loads *stored, size_t *next, int64_t started_ns)
{
	while (*next < stored->n && stored->load[*next].started_ns < started_ns)
		++*next;
	return *next < stored->n && stored->load[*next].started_ns == started_ns;
}

static enum ft_status take_loads(struct ft_store *store, const struct cli_load *load, int64_t since_ns,
				 TOLD *told, struct ft_err *err)
{
	struct ft_loads stored = {0};
	enum ft_status status = ft_store_get_load(store, load->machine.id, since_ns, &stored, err);
	size_t i, next = 0;

	for (i = 0; i < load->loads.n && !status; i++) {
		const struct ft_load *one = &load->loads.load[i];

		if (one->started_ns < since_ns) {
			told->old++;
		} else if (is_known(&stored, &next, one->started_ns)) {
			told->known++;
		} else {
			status = ft_store_add_load(store, load->machine.id, one, err);
			told->taken++;
			told->seconds += one->interval_s;
		}
	}
	ft_loads_clear(&stored);
	return status;
}

static int take_all(const struct cli_load *load, struct ft_store *store, TOLD *told)
{
	int64_t since_ns = ft_clock_real_ns() - (int64_t)FT_LOAD_AGE_S * 1000000000;
	struct ft_err err = {0};
	enum ft_status status = ft_store_begin(store, &err);

	if (!status)
		status = ft_store_end(store, take_loads(store, load, since_ns, told, &err), &err);
	return status ? cli_error(&err) : CLI_DONE;
}

int cli_load_import(void *asked)
{
	struct cli_load *load = asked;
	struct ft_store *store = NULL;
	struct ft_err err = {0};
	TOLD told = {0};
	char text[FT_UNIT_LENGTH];
	int status = CLI_DONE;

	if (load->processors > 1000000)
		return cli_fail("%zu processors are too many", load->processors);
	if (ft_machine_read("", &load->machine, &err) ||
	    ft_loads_read(load->path,
			  (int)(load->processors ? load->processors : (size_t)load->machine.threads),
			  &load->loads, &err))
		return cli_error(&err);
	status = cli_store_open(&store, load->store_path, CLI_WRITE);
	if (status == CLI_DONE && ft_store_put_machine(store, &load->machine, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = take_all(load, store, &told);
	ft_store_close(store);
	if (status != CLI_DONE)
		return status;
	if (load->json)
		cli_tell(&cli_load_import_told, &told, NULL);
	else
		printf("took in %zu observations of %s; %zu were known, %zu are older than is kept\n",
		       told.taken, ft_value_format(told.seconds, "s", text), told.known, told.old);
	return CLI_DONE;
}
