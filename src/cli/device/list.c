/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what computes on this machine. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/output.h"
#include "foretime/hardware.h"

#define ITEM struct ft_hardware_item
static const struct ft_tell_row item_rows[] = {
	{FT_TELL(ITEM, id), .about = "as foretime build --device takes it", .head = "device"},
	{FT_TELL_BY(WORD, "kind", ITEM, kind), .word = ft_hardware_kind_text, .words = "cpu|gpu|accelerator",
	 .head = "kind"},
	{FT_TELL(ITEM, name), .null = "not known", .head = "name"},
	{FT_TELL(ITEM, platform), .null = "none", .head = "platform", .none = ""},
	{FT_TELL(ITEM, driver), .about = "its version; another one invalidates what was measured",
	 .null = "none", .head = "driver", .none = ""},
	{FT_TELL(ITEM, compiler), .about = "of OpenCL, in its own words", .null = "none", .head = "compiler",
	 .none = ""},
	{FT_TELL(ITEM, units), .about = "cores, or compute units", .null = "not known", .head = ">units"},
	{FT_TELL(ITEM, memory_bytes), .null = "not known"},
	{0},
};
static const struct ft_tell_record item = {.bytes = sizeof(ITEM), .row = item_rows};

#define ALL struct ft_hardware
static const struct ft_tell_row rows[] = {
	{FT_TELL_MANY(LIST, "devices", ALL, item, n, &item)},
	{FT_TELL(ALL, opencl), .about = "why it offers no device; empty: it does"},
	{FT_TELL(ALL, nvidia), .about = "why no card is listed; empty: one is"},
	{0},
};
const struct ft_tell_record cli_device_list_told = {
	.name = "device", .action = "list", .version = 1, .row = rows};

int cli_device_list(void *ctx)
{
	const struct cli_device *asked = ctx;
	struct ft_hardware hardware;
	struct ft_err err = {0};

	if (ft_hardware_read(&hardware, &err))
		return cli_error(&err);
	if (asked->json) {
		cli_tell(&cli_device_list_told, &hardware, NULL);
	} else {
		cli_tell_table(&item, hardware.item, hardware.n, NULL);
		if (hardware.opencl[0])
			printf("\nno device of OpenCL: %s\n", hardware.opencl);
		if (hardware.nvidia[0])
			printf("%sno card of NVIDIA: %s\n", hardware.opencl[0] ? "" : "\n", hardware.nvidia);
	}
	ft_hardware_clear(&hardware);
	return CLI_DONE;
}
