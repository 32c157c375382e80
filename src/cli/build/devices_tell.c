/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices_tell.c - what `foretime build --least time` tells. */
#include "cli/answers.h"
#include "cli/build/rivals.h"
#include "cli/common.h"
#include "cli/device/device.h"

#include <math.h>
#include <string.h>

#define DEVICE struct ft_decide_device
static const char *name_of(const void *at)
{
	return (*(struct ft_program *const *)at)->device;
}

static const struct ft_tell_row device_rows[] = {
	{FT_TELL_BY(SAID, "device", DEVICE, program), .say = name_of, .head = "device"},
	{FT_TELL(DEVICE, runs), .about = "made now", .head = ">runs"},
	{FT_TELL(DEVICE, known), .about = "that the store had", .head = ">known"},
	{FT_TELL(DEVICE, failed), .head = ">failed"},
	{FT_TELL(DEVICE, cost_s), .head = ">cost", .unit = "s"},
	{FT_TELL(DEVICE, gone), .about = "its least size cannot be run"},
	{FT_TELL(DEVICE, detail), .about = "last words of a run that failed", .null = "none did", .head = "",
	 .none = ""},
	{0},
};
static const struct ft_tell_record device = {.bytes = sizeof(DEVICE), .row = device_rows};

struct build_devices_tell_told {
	const char *name, *stop;
	const struct ft_resource *resource;
	double watts, loss, cost_s;
	size_t runs;
	DEVICE *device;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct build_devices_tell_told, name)},
	{FT_TELL(struct build_devices_tell_told, stop),
	 .words = "decided|budget|as many sizes as were to be|no run that may be made decides more|"
		  "one device is left|no device is left|interrupted"},
	{FT_TELL(struct build_devices_tell_told, resource), .about = "what is to be least"},
	{FT_TELL(struct build_devices_tell_told, watts), .about = "that a run may need", .null = "any"},
	{FT_TELL(struct build_devices_tell_told, loss),
	 .about = "that is expected of choosing by what is known, as a share", .null = "not known"},
	{FT_TELL(struct build_devices_tell_told, runs)},
	{FT_TELL(struct build_devices_tell_told, cost_s)},
	{FT_TELL_MANY(LIST, "devices", struct build_devices_tell_told, device, n, &device)},
	{0},
};
const struct ft_tell_record cli_build_decided_told = {
	.name = "build-decided", .typed = "build --least time", .version = 1, .row = rows};

static void print_text(const struct cli_rivals *d, const struct build_devices_tell_told *told)
{
	struct cli_table table = {0};
	char cost[FT_UNIT_LENGTH];

	printf("%s: %s after %zu run%s and %s\n\n", told->name, told->stop, told->runs,
	       told->runs == 1 ? "" : "s", ft_value_format(told->cost_s, "s", cost));
	cli_table_tell(&table, &device, told->device, told->n, NULL);
	cli_table_print(&table, stdout);
	if (!d->table)
		return;
	printf("\nbest device");
	if (told->resource != &ft_wall_s)
		printf(", by %s", told->resource->name);
	if (told->watts > 0)
		printf(", where a run needs %g W at most", told->watts);
	printf(":\n");
	cli_device_print_table(d->table, d->ranking);
	if (!isnan(told->loss))
		printf("choosing so is expected to cost %.2g %% over the range\n", 100 * told->loss);
}

int cli_rivals_tell(const struct cli_rivals *d)
{
	const struct build_devices_tell_told told = {
		d->program[0].name,
		d->report.interrupted ? "interrupted" : ft_chooser_stop_text(d->report.stop),
		d->resource,
		d->build->watts > 0 ? d->build->watts : (double)NAN,
		d->report.loss,
		d->report.cost_s,
		d->report.runs,
		(DEVICE *)(uintptr_t)d->device,
		d->n};

	if (d->build->json)
		cli_tell(&cli_build_decided_told, &told, NULL);
	else
		print_text(d, &told);
	for (size_t i = 0; i < d->n; i++)
		if (d->device[i].gone)
			cli_device_gone(d->program[i].device, d->build->opencl.path != NULL);
	if (d->n == 1)
		cli_note("there is one device: nothing is to be decided");
	return d->report.stop == FT_CHOOSER_NONE ? CLI_NO : CLI_DONE;
}
