/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm_tally.c - what was harvested of a cluster so far, and whether what was filled in was enough. */
#include "adapt/job.h"
#include "adapt/slurm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_LENGTH = FT_SLURM_TEXT + 16, TALLY_LENGTH = 128 };

static void tally_key(const char *cluster, char key[KEY_LENGTH])
{
	(void)snprintf(key, KEY_LENGTH, "slurm:%s", cluster);
}

enum ft_status ft_slurm_tally_get(struct ft_store *store, const char *cluster, struct ft_slurm_tally *out,
				  struct ft_err *err)
{
	char key[KEY_LENGTH], *value = NULL;
	struct ft_err missing = {0};

	*out = (struct ft_slurm_tally){0};
	tally_key(cluster, key);
	enum ft_status status = ft_store_get_known(store, key, &value, &missing);
	if (status == FT_ENOENT)
		return FT_OK;
	if (status) {
		if (err)
			*err = missing;
		return status;
	}
	if (sscanf(value, "%" SCNd64 " %zu %zu %zu", &out->until_ns, &out->jobs, &out->filled, &out->kept) !=
	    4)
		*out = (struct ft_slurm_tally){0};
	free(value);
	return FT_OK;
}

enum ft_status ft__tally_put(struct ft_store *store, const char *cluster, const struct ft_slurm_tally *tally,
			     struct ft_err *err)
{
	char key[KEY_LENGTH], value[TALLY_LENGTH];

	tally_key(cluster, key);
	(void)snprintf(value, sizeof value, "%" PRId64 " %zu %zu %zu", tally->until_ns, tally->jobs,
		       tally->filled, tally->kept);
	return ft_store_put_known(store, key, value, err);
}

/* Whether what was filled in was enough. One that was given more time in the end used more than was told. */
void ft__tally_count(struct ft_slurm_tally *tally, const struct ft__account *account, enum ft_outcome outcome)
{
	struct ft__filled filled;
	double elapsed_s;

	tally->jobs++;
	if (!ft__filled_find(account->cell[FT__JOB_ADMIN], &filled))
		return;
	tally->filled++;
	if (outcome == FT_TIMED_OUT && !isnan(filled.minutes))
		return;
	if (outcome == FT_OUT_OF_MEMORY && !isnan(filled.mib))
		return;
	if (!isnan(filled.minutes) && ft__read_slurm_time(account->cell[FT__JOB_ELAPSED], &elapsed_s) &&
	    elapsed_s > 60 * filled.minutes)
		return;
	tally->kept++;
}
