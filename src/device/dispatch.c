/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.c - the device for a size, asked at each call of a routine: a tree in memory, and no more. */
#include "base/alloc.h"
#include "device/ranking.h"
#include "foretime-client.h"
#include "num/line.h"

#include <math.h>
#include <string.h>

struct ft_dispatch {
	struct ft_table table;
	double log_least, log_range; /* of the only axis */
	char *name, *device[FT_DEVICES_MAX];
};

enum ft_status ft_dispatch_open(struct ft_dispatch **out, struct ft_store *store, const char *name,
				const struct ft_rank_options *options, struct ft_err *err)
{
	struct ft_dispatch *d = ft_calloc(1, sizeof *d);
	struct ft_ranking *ranking = NULL;
	enum ft_status status = d ? ft_ranking_open(&ranking, store, name, options, err) : ft_nomem(err);

	*out = NULL;
	if (!status && d)
		status = ft_table_make(&d->table, ranking, err);
	for (size_t i = 0; !status && d && ranking && i < ranking->n; i++)
		if (!(d->device[i] = ft_strdup(ranking->ranked[i].device)))
			status = ft_nomem(err);
	if (!status && d && !(d->name = ft_strdup(name)))
		status = ft_nomem(err);
	ft_ranking_close(ranking);
	if (status || !d) {
		ft_dispatch_close(d);
		return status;
	}
	if (d->table.one) {
		d->log_least = log(d->table.least[d->table.axis]);
		d->log_range = log(d->table.most[d->table.axis]) - d->log_least;
	}
	*out = d;
	return FT_OK;
}

void ft_dispatch_close(struct ft_dispatch *dispatch)
{
	if (!dispatch)
		return;
	for (size_t i = 0; i < FT_DEVICES_MAX; i++)
		ft_free(dispatch->device[i]);
	ft_free(dispatch->name);
	ft_free(dispatch);
}

size_t ft_dispatch_devices(const struct ft_dispatch *dispatch)
{
	return dispatch->table.n_devices;
}

const char *ft_dispatch_device(const struct ft_dispatch *dispatch, size_t device)
{
	return dispatch->device[device];
}

/* Between two of the sizes that were asked. */
static double sure_at(const struct ft_dispatch *d, double value)
{
	double at = (log(value) - d->log_least) / d->log_range * (FT_TABLE_SURE - 1);

	return ft_line_grid(d->table.sure, FT_TABLE_SURE, at);
}

enum ft_status ft_device_choose(const struct ft_dispatch *dispatch, const double *sizes, size_t *device,
				double *sure)
{
	const struct ft_table *table = &dispatch->table;
	bool inside = true;

	for (size_t i = 0; i < table->n_params; i++) {
		if (!isfinite(sizes[i]))
			return FT_EINVAL;
		inside &= sizes[i] >= table->least[i] && sizes[i] <= table->most[i];
	}
	const struct ft_table_node *node = ft_table_find(table, sizes);
	*device = node->device;
	if (sure)
		*sure = !inside ? 0 : table->one ? sure_at(dispatch, sizes[table->axis]) : node->sure;
	return FT_OK;
}

enum ft_status ft_device_report(const struct ft_dispatch *dispatch, size_t device, const double *sizes,
				double seconds, struct ft_err *err)
{
	const struct ft_table *table = &dispatch->table;
	const char *param[FT_PARAMS_MAX];

	if (device >= table->n_devices || !(seconds > 0) || !isfinite(seconds))
		return ft_fail(err, FT_EINVAL, "device %zu took %g seconds: there is none, or it is no time",
			       device, seconds);
	for (size_t i = 0; i < table->n_params; i++)
		param[i] = table->param[i];
	if (!ft_probe_submit_on(dispatch->name, *dispatch->device[device] ? dispatch->device[device] : NULL,
				param, sizes, (int)table->n_params, seconds))
		return FT_OK;
	(void)ft_fail(err, FT_EIO, "the time of '%s' on '%s' cannot be written to the spool", dispatch->name,
		      dispatch->device[device]);
	return ft_remedy(err,
			 "look at $FORETIME_SPOOL: is it a folder of yours, and is there space on the disk?");
}
