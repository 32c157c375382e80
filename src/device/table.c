/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - which device is best by size, as a small tree, which is evaluated at no cost. */
#include "base/alloc.h"
#include "base/text.h"
#include "device/device.h"
#include "foretime-client.h"
#include "num/num.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The least gain of a switch at some size; the largest depth of a tree, and over several parameters the
 * number of values tried for each. */
static const double worth = 0.01;
enum { ALONG = FT_TABLE_SURE, DEPTH_MOST = 5 };
static const size_t values_of[] = {0, ALONG, 33, 9, 5, 3, 3, 2, 2};

/* A size, and what choosing each device there loses (logarithms; infinite: it is not chosen from). */
struct table_spot {
	struct ft_size size;
	double loss[FT_DEVICES_MAX];
	double chance[FT_DEVICES_MAX];
};

struct table_making {
	struct ft_ranking *ranking;
	struct ft_table *table;
	size_t axis[FT_PARAMS_MAX], n_axes, values;
	struct table_spot *spot; /* [n] */
	size_t n;
	struct ft_err *err;
};

/* ---- ranges ---------------------------------------------------------------------------------------------
 */

static void widen_range(struct ft_table *table, size_t param, double least, double most)
{
	table->least[param] = fmin(table->least[param], least);
	table->most[param] = fmax(table->most[param], most);
}

/* ---- spots ----------------------------------------------------------------------------------------------
 */

static enum ft_status rank_spot(struct table_making *m, struct table_spot *spot)
{
	struct ft_rank rank[FT_DEVICES_MAX];
	size_t best;
	enum ft_status status = ft_ranking_at(m->ranking, &spot->size, rank, &best, NULL, m->err);

	for (size_t i = 0; i < m->ranking->n && !status; i++) {
		bool in = best < m->ranking->n && !rank[i].why;

		spot->loss[i] = in ? log(rank[i].at.value / rank[best].at.value) : INFINITY;
		spot->chance[i] = in ? rank[i].chance : 0;
	}
	return status;
}

static size_t best_at(const struct table_making *m, const struct table_spot *spot)
{
	size_t best = 0;

	for (size_t i = 1; i < m->ranking->n; i++)
		if (spot->loss[i] < spot->loss[best])
			best = i;
	return best;
}

static bool has_any(const struct table_making *m, const struct table_spot *spot)
{
	return isfinite(spot->loss[best_at(m, spot)]);
}

static double at_share(const struct ft_table *table, size_t param, double share)
{
	return table->least[param] * pow(table->most[param] / table->least[param], share);
}

static enum ft_status rank_spots(struct table_making *m)
{
	enum ft_status status = FT_OK;
	size_t all = 1;

	for (size_t k = 0; k < m->n_axes; k++)
		all *= m->values;
	m->spot = ft_calloc(all, sizeof *m->spot);
	if (!m->spot)
		return ft_nomem(m->err);
	for (size_t i = 0; i < all && !status; i++) {
		struct table_spot *spot = &m->spot[i];
		size_t rest = i;

		spot->size.n = m->table->n_params;
		memcpy(spot->size.value, m->table->least, sizeof spot->size.value);
		for (size_t k = 0; k < m->n_axes; k++, rest /= m->values)
			spot->size.value[m->axis[k]] = at_share(
				m->table, m->axis[k], (double)(rest % m->values) / (double)(m->values - 1));
		status = rank_spot(m, spot);
	}
	m->n = all;
	return status;
}

/* ---- the tree -------------------------------------------------------------------------------------------
 */

/* The loss of the best single device over spots from..to; which: out. */
static double loss_of(const struct table_making *m, const struct table_spot *const *spot, size_t n,
		      size_t *which, double *sure)
{
	double least = INFINITY;

	*which = 0;
	*sure = 0;
	for (size_t j = 0; j < m->ranking->n; j++) {
		double sum = 0, chance = 0;

		for (size_t i = 0; i < n; i++) {
			/* where no device is usable, all are equal; a device that fails is as bad as
			   possible */
			sum += !has_any(m, spot[i]) ? 0 : fmin(spot[i]->loss[j], 10);
			chance += spot[i]->chance[j];
		}
		if (sum < least) {
			least = sum;
			*which = j;
			*sure = n ? chance / (double)n : 0;
		}
	}
	return least;
}

/* Where two devices are equal, between two sizes that differ in one parameter alone. */
static enum ft_status find_edge(struct table_making *m, size_t param, const struct table_spot *low,
				const struct table_spot *high, size_t below, size_t above, double *edge)
{
	struct table_spot between = *low;
	double least = low->size.value[param], most = high->size.value[param];
	enum ft_status status = FT_OK;

	for (int i = 0; i < 40 && !status && most > least * (1 + 1e-9); i++) {
		between.size.value[param] = sqrt(least * most);
		status = rank_spot(m, &between);
		if (between.loss[below] <= between.loss[above])
			least = between.size.value[param];
		else
			most = between.size.value[param];
	}
	*edge = sqrt(least * most);
	return status;
}

struct table_cut {
	size_t param, n_below;
	double edge, loss;
	const struct table_spot *low, *high;
};

/* Spots in the order of a parameter. Insertion: they come nearly sorted, and are few. */
static void sort_by(const struct table_spot **spot, size_t n, size_t param)
{
	size_t k;

	for (size_t i = 1; i < n; i++) {
		const struct table_spot *held = spot[i];

		for (k = i; k && spot[k - 1]->size.value[param] > held->size.value[param]; k--)
			spot[k] = spot[k - 1];
		spot[k] = held;
	}
}

/* The cut of one parameter that leaves least to be lost. */
static void find_cut(const struct table_making *m, const struct table_spot **spot, size_t n, size_t param,
		     struct table_cut *best)
{
	size_t which;
	double sure;

	sort_by(spot, n, param);
	for (size_t i = 1; i < n; i++) {
		double low = spot[i - 1]->size.value[param], high = spot[i]->size.value[param], loss;

		if (!(high > low))
			continue;
		loss = loss_of(m, spot, i, &which, &sure) + loss_of(m, spot + i, n - i, &which, &sure);
		if (loss < best->loss - 1e-12)
			*best = (struct table_cut){param, i, sqrt(low * high), loss, spot[i - 1], spot[i]};
	}
}

/* The loss of a node at the worst of its spots. */
static double worst_of(const struct table_making *m, const struct table_spot *const *spot, size_t n,
		       size_t which)
{
	double worst = 0;

	for (size_t i = 0; i < n; i++)
		if (has_any(m, spot[i]))
			worst = fmax(worst, spot[i]->loss[which]);
	return worst;
}

static enum ft_status grow_node(struct table_making *m, const struct table_spot **spot, size_t n, int depth,
				size_t at)
{
	struct ft_table_node *node = &m->table->node[at];
	struct table_cut cut = {.loss = loss_of(m, spot, n, &node->device, &node->sure)};
	double whole = cut.loss;
	enum ft_status status = FT_OK;
	size_t below, above;
	double sure;

	if (depth == DEPTH_MOST || m->table->n + 2 > FT_TABLE_NODES ||
	    worst_of(m, spot, n, node->device) < worth)
		return FT_OK;
	for (size_t k = 0; k < m->n_axes; k++)
		find_cut(m, spot, n, m->axis[k], &cut);
	if (!(cut.loss < whole) || !cut.low || !cut.high)
		return FT_OK;
	sort_by(spot, n, cut.param);
	(void)loss_of(m, spot, cut.n_below, &below, &sure);
	(void)loss_of(m, spot + cut.n_below, n - cut.n_below, &above, &sure);
	if (m->n_axes == 1)
		status = find_edge(m, cut.param, cut.low, cut.high, below, above, &cut.edge);
	if (status)
		return status;
	node->param = cut.param;
	node->edge = cut.edge;
	node->below = m->table->n++;
	node->above = m->table->n++;
	status = grow_node(m, spot, cut.n_below, depth + 1, node->below);
	return status ? status : grow_node(m, spot + cut.n_below, n - cut.n_below, depth + 1, node->above);
}

static enum ft_status grow_all(struct table_making *m)
{
	const struct table_spot **spot = ft_calloc(m->n, sizeof *spot);
	size_t any = 0;

	if (!spot)
		return ft_nomem(m->err);
	for (size_t i = 0; i < m->n; i++) {
		spot[i] = &m->spot[i];
		any += has_any(m, &m->spot[i]);
	}
	m->table->n = 1;
	enum ft_status status = any ? grow_node(m, spot, m->n, 0, 0)
				    : ft_fail(m->err, FT_ENOMODEL, "no device can be chosen at any size");
	ft_free(spot);
	return status;
}

enum ft_status ft_table_make(struct ft_table *out, struct ft_ranking *ranking, struct ft_err *err)
{
	struct table_making m = {.ranking = ranking, .table = out, .err = err};

	*out = (struct ft_table){.n_devices = ranking->n};
	/* From the ranges that were stated, and the sizes that were run. */
	const struct ft_program *first = ft_ask_program(m.ranking->ranked[0].answerer);

	m.table->n_params = first->n_params;
	for (size_t k = 0; k < first->n_params; k++) {
		(void)snprintf(m.table->param[k], sizeof m.table->param[k], "%s", first->param[k].name);
		m.table->least[k] = INFINITY;
		m.table->most[k] = -INFINITY;
	}
	for (size_t i = 0; i < m.ranking->n; i++) {
		const struct ft_program *program = ft_ask_program(m.ranking->ranked[i].answerer);
		const struct ft_runs *runs = ft_ask_runs(m.ranking->ranked[i].answerer);

		for (size_t k = 0; k < program->n_params; k++) {
			if (program->param[k].most > program->param[k].least)
				widen_range(m.table, k, program->param[k].least, program->param[k].most);
			for (size_t j = 0; j < runs->n; j++)
				if (runs->run[j].outcome == FT_DONE)
					widen_range(m.table, k, runs->run[j].size.value[k],
						    runs->run[j].size.value[k]);
		}
	}
	for (size_t k = 0; k < first->n_params; k++)
		if (m.table->most[k] > m.table->least[k] && m.table->least[k] > 0)
			m.axis[m.n_axes++] = k;
	m.values = values_of[m.n_axes];
	enum ft_status status = rank_spots(&m);
	if (!status)
		status = grow_all(&m);
	if (!status) {
		/* The loss of the tree, and its certainty along its only parameter. */
		double sum = 0;

		for (size_t i = 0; i < m.n; i++) {
			const struct table_spot *spot = &m.spot[i];
			size_t device = ft_table_find(m.table, spot->size.value)->device;

			if (has_any(&m, spot))
				sum += fmin(spot->loss[device], 10);
			if (m.n_axes == 1)
				m.table->sure[i] = spot->chance[device];
		}
		m.table->loss = expm1(sum / (double)m.n);
		m.table->one = m.n_axes == 1;
		m.table->axis = m.axis[0];
	}
	ft_free(m.spot);
	return status;
}

const struct ft_table_node *ft_table_find(const struct ft_table *table, const double *sizes)
{
	const struct ft_table_node *node = table->node;

	while (node->below)
		node = &table->node[sizes[node->param] < node->edge ? node->below : node->above];
	return node;
}

/*
 * A table as a header in C, for programs that link nothing.
 */

enum { WORD = 256 };

/* A name as C takes one. */
static const char *word_of(const char *name, bool upper, char word[WORD])
{
	size_t n = 0;

	if (isdigit((unsigned char)*name))
		word[n++] = '_';
	for (; *name && n < WORD - 1; name++) {
		unsigned char c = (unsigned char)*name;

		word[n++] = (char)(!isalnum(c) || c >= 0x80 ? '_' : upper ? toupper(c) : c);
	}
	word[n] = '\0';
	return word;
}

static const char *device_word(const struct ft_ranking *ranking, size_t i, char word[WORD])
{
	const char *device = ranking->ranked[i].device;

	return word_of(*device ? device : ranking->n > 1 ? "plain" : "only", true, word);
}

static enum ft_status check_words(const struct ft_ranking *ranking, struct ft_err *err)
{
	char one[WORD], other[WORD];

	for (size_t i = 1; i < ranking->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(device_word(ranking, i, one), device_word(ranking, k, other)))
				return ft_fail(err, FT_EINVAL,
					       "devices '%s' and '%s' are the same name in C: %s",
					       ranking->ranked[k].device, ranking->ranked[i].device, one);
	return FT_OK;
}

static void add_devices(struct ft_text *text, const struct ft_ranking *ranking, const char *name)
{
	char upper[WORD], word[WORD];

	ft_text_add(text, "enum %s_devices {", name);
	for (size_t i = 0; i < ranking->n; i++)
		ft_text_add(text, "%s%s_%s", i ? ", " : " ", word_of(name, true, upper),
			    device_word(ranking, i, word));
	ft_text_add(text,
		    " };\n\nstatic inline const char *%s_device_name(enum %s_devices device)\n{\n"
		    "\tstatic const char *const name[] = {",
		    name, name);
	for (size_t i = 0; i < ranking->n; i++)
		ft_text_add(text, "%s\"%s\"", i ? ", " : "", ranking->ranked[i].device);
	ft_text_add(text, "};\n\n\treturn name[device];\n}\n\n");
}

static void add_tabs(struct ft_text *text, int depth)
{
	while (depth--)
		ft_text_add_bytes(text, "\t", 1);
}

static void add_node(struct ft_text *text, const struct ft_table *table, const struct ft_ranking *ranking,
		     const char *name, size_t at, int depth)
{
	const struct ft_table_node *node = &table->node[at];
	char upper[WORD], word[WORD], parameter[WORD];

	if (!node->below) {
		add_tabs(text, depth);
		ft_text_add(text, "return %s_%s; /* chance %.2f */\n", word_of(name, true, upper),
			    device_word(ranking, node->device, word), node->sure);
		return;
	}
	add_tabs(text, depth);
	ft_text_add(text, "if (%s < ", word_of(table->param[node->param], false, parameter));
	ft_text_add_number(text, node->edge);
	ft_text_add(text, ") {\n");
	add_node(text, table, ranking, name, node->below, depth + 1);
	add_tabs(text, depth);
	ft_text_add(text, "}\n");
	add_node(text, table, ranking, name, node->above, depth);
}

static bool is_used(const struct ft_table *table, size_t param)
{
	for (size_t i = 0; i < table->n; i++)
		if (table->node[i].below && table->node[i].param == param)
			return true;
	return false;
}

enum ft_status ft_table_header(const struct ft_table *table, const struct ft_ranking *ranking,
			       const char *name, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	char word[WORD], upper[WORD];
	enum ft_status status = check_words(ranking, err);

	*out = NULL;
	if (status)
		return status;
	(void)word_of(name, false, word);
	(void)word_of(name, true, upper);
	const struct ft_machine *machine = ft_ask_machine(ranking->ranked[0].answerer);

	ft_text_add(&text,
		    "/* Where %s should run, as measured on %s (%s).\n * Made by foretime device table", name,
		    machine->host ? machine->host : "an unknown machine",
		    machine->cpu ? machine->cpu : "unknown");
	for (size_t k = 0; k < table->n_params; k++) {
		ft_text_add(&text, "%s%s=", k ? " " : "; for ", table->param[k]);
		ft_text_add_number(&text, table->least[k]);
		if (table->most[k] > table->least[k]) {
			ft_text_add(&text, ":");
			ft_text_add_number(&text, table->most[k]);
		}
	}
	ft_text_add(&text, ". It loses %.2f %% against asking each time. */\n", 100 * table->loss);
	ft_text_add(&text, "#ifndef FORETIME_%s_DISPATCH_H\n#define FORETIME_%s_DISPATCH_H\n\n", upper,
		    upper);
	add_devices(&text, ranking, word);
	char parameter[WORD];

	ft_text_add(&text, "static inline enum %s_devices %s_device(", word, word);
	for (size_t k = 0; k < table->n_params; k++)
		ft_text_add(&text, "%sdouble %s", k ? ", " : "", word_of(table->param[k], false, parameter));
	ft_text_add(&text, ")\n{\n");
	for (size_t k = 0; k < table->n_params; k++)
		if (!is_used(table, k))
			ft_text_add(&text, "\t(void)%s;\n", word_of(table->param[k], false, parameter));
	add_node(&text, table, ranking, word, 0, 1);
	ft_text_add(&text, "}\n");
	ft_text_add(&text, "\n#endif\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * Look up the device for a size at each call of a routine: a tree in memory, without other state.
 */

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

/* Between two of the evaluated sizes. */
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
