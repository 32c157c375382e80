/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.c - how often a launch does what a device has rates of, and what it is then foretold to take. */
#include "foretime/rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *about;
} rates_told[] = {
#define ROW(NAME, key, about) {#key, about},
	FT_RATE_LIST(ROW)
#undef ROW
};

/* The counts of a kernel that are one rate. */
static const struct {
	enum ft_rate rate;
	enum ft_kernel_count first, last;
} parts[] = {
	{FT_RATE_F16, FT_KERNEL_F16_ADD, FT_KERNEL_F16_MATH},
	{FT_RATE_F32, FT_KERNEL_F32_ADD, FT_KERNEL_F32_MULTIPLY},
	{FT_RATE_DIVIDE, FT_KERNEL_F32_DIVIDE, FT_KERNEL_F32_DIVIDE},
	{FT_RATE_F32, FT_KERNEL_F32_FUSED, FT_KERNEL_F32_OTHER},
	{FT_RATE_MATH, FT_KERNEL_F32_MATH, FT_KERNEL_F32_MATH},
	{FT_RATE_F64, FT_KERNEL_F64_ADD, FT_KERNEL_F64_MULTIPLY},
	{FT_RATE_DIVIDE, FT_KERNEL_F64_DIVIDE, FT_KERNEL_F64_DIVIDE},
	{FT_RATE_F64, FT_KERNEL_F64_FUSED, FT_KERNEL_F64_OTHER},
	{FT_RATE_MATH, FT_KERNEL_F64_MATH, FT_KERNEL_F64_MATH},
	{FT_RATE_INTEGER, FT_KERNEL_INTEGER, FT_KERNEL_INTEGER},
	{FT_RATE_INTEGER_DIVIDE, FT_KERNEL_INTEGER_DIVIDE, FT_KERNEL_INTEGER_DIVIDE},
	{FT_RATE_INTEGER, FT_KERNEL_INTEGER_COMPARE, FT_KERNEL_CONVERT},
	{FT_RATE_BRANCH, FT_KERNEL_BRANCH, FT_KERNEL_BRANCH},
	{FT_RATE_BARRIER, FT_KERNEL_BARRIER, FT_KERNEL_BARRIER},
	{FT_RATE_ATOMIC, FT_KERNEL_ATOMIC_GLOBAL, FT_KERNEL_ATOMIC_LOCAL},
	{FT_RATE_GLOBAL, FT_KERNEL_GLOBAL_LOAD, FT_KERNEL_GLOBAL_STORE},
	{FT_RATE_LOCAL, FT_KERNEL_LOCAL_LOAD, FT_KERNEL_LOCAL_STORE},
	{FT_RATE_PRIVATE, FT_KERNEL_CONSTANT_LOAD, FT_KERNEL_PRIVATE_STORE},
	{FT_RATE_SECTOR, FT_KERNEL_SECTOR, FT_KERNEL_SECTOR},
};

const char *ft_rate_name(size_t rate)
{
	return rate < FT_RATES ? rates_told[rate].name : NULL;
}

const char *ft_rate_about(size_t rate)
{
	return rate < FT_RATES ? rates_told[rate].about : NULL;
}

void ft_rate_amounts(const struct ft_kernel_features *features, double amount[FT_RATES])
{
	memset(amount, 0, FT_RATES * sizeof *amount);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		for (size_t k = parts[i].first; k <= parts[i].last; k++)
			amount[parts[i].rate] += features->count[k];
	amount[FT_RATE_LAUNCH] = 1;
	amount[FT_RATE_ITEM] = features->work_items;
	amount[FT_RATE_MISS] = features->misses_replay;
}

void ft_rate_five(const struct ft_kernel_features *features, double five[FT_RATE_FIVE])
{
	five[0] = ft_kernel_operations(features->count);
	five[1] = five[0] / features->work_items;
	five[2] = features->misses_rule;
	five[3] = features->work_items;
	five[4] = 1;
}

/* Adds a name to a list in words. */
static void add_rate_name(char *names, size_t room, size_t rate)
{
	size_t at = strlen(names);

	(void)snprintf(names + at, room - at, "%s'%s'", at ? ", " : "", rates_told[rate].about);
}

enum ft_status ft_rates_foretell(const struct ft_rates *rates, const double amount[FT_RATES], double *seconds,
				 struct ft_err *err)
{
	char unknown[256] = "", unseen[256] = "";

	*seconds = 0;
	for (size_t i = 0; i < FT_RATES; i++) {
		if (!isfinite(amount[i]))
			add_rate_name(unknown, sizeof unknown, i);
		else if (amount[i] > 0 && !rates->rate[i].seen)
			add_rate_name(unseen, sizeof unseen, i);
		else
			*seconds += amount[i] * rates->rate[i].seconds;
	}
	if (!*unknown && !*unseen)
		return FT_OK;
	*seconds = NAN;
	if (*unknown)
		(void)ft_fail(err, FT_ENOMODEL, "how often the kernel does this is not known: %s", unknown);
	else
		(void)ft_fail(err, FT_ENOMODEL, "the kernel does what no launch of the calibration did: %s",
			      unseen);
	return ft_remedy(err, *unknown ? "give the arguments and data that its counts depend on"
				       : "measure it on the device at two sizes or more");
}
