/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - machines, programs and runs. */
#include "tell/facts.h"

const char *ft_tell_outcome(const void *at)
{
	return ft_outcome_text(*(const enum ft_outcome *)at);
}

const char *ft_tell_label(const void *at)
{
	return ft_label_text(*(const enum ft_label *)at);
}

const char *ft_tell_unit_chars(const void *at)
{
	const struct ft_resource *resource = ft_resource_find(at);

	return resource ? resource->unit : "";
}

const char *ft_tell_unit(const void *at)
{
	const char *name = *(const char *const *)at;

	return name ? ft_tell_unit_chars(name) : NULL;
}

static const struct ft_tell_row machine_rows[] = {
	{FT_TELL(struct ft_machine, fingerprint), .null = "a machine of which only its cycles were stated"},
	{FT_TELL(struct ft_machine, host), .null = ""},
	{FT_TELL(struct ft_machine, cpu), .null = ""},
	{FT_TELL(struct ft_machine, architecture), .null = ""},
	{FT_TELL(struct ft_machine, sockets), .null = ""},
	{FT_TELL(struct ft_machine, cores), .null = ""},
	{FT_TELL(struct ft_machine, threads), .null = ""},
	{FT_TELL(struct ft_machine, l1d_bytes), .null = ""},
	{FT_TELL(struct ft_machine, l2_bytes), .null = ""},
	{FT_TELL(struct ft_machine, l3_bytes), .null = ""},
	{FT_TELL(struct ft_machine, memory_bytes), .null = ""},
	{FT_TELL(struct ft_machine, system), .null = ""},
	{FT_TELL(struct ft_machine, governor), .null = ""},
	{FT_TELL(struct ft_machine, hypervisor), .null = ""},
	{FT_TELL(struct ft_machine, scheduler), .null = ""},
	{0},
};
const struct ft_tell_record ft_tell_machine = {
	.name = "machine",
	.about = "what is not known of it is null",
	.bytes = sizeof(struct ft_machine),
	.row = machine_rows,
};

static const struct ft_tell_row failing_rows[] = {
	{FT_TELL_AS(NULL, struct ft_run, size)},
	{FT_TELL_BY(SAID, "outcome", struct ft_run, outcome), .say = ft_tell_outcome,
	 .words = FT_TELL_OUTCOMES},
	{0},
};
const struct ft_tell_record ft_tell_failing = {
	.name = "failing",
	.about = "the run of the smallest size from which on none ended well",
	.row = failing_rows,
};
