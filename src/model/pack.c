/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.c - models as bytes for a store, and back. */
#include "base/alloc.h"
#include "model/model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * An engine's blend as bytes, from which its passes are computed again. Input is checked before it is used.
 */

static void pack_member(const struct ft__member *m, struct ft__packer *packer)
{
	const struct ft__engine *e = &m->engine;
	const double number[] = {m->weight,
				 m->by_law,
				 e->process.tau,
				 e->process.slope_sd,
				 e->process.mean_slope[0],
				 e->process.mean_slope[1],
				 e->process.value_sd,
				 e->shift,
				 e->range,
				 e->beyond_level[0],
				 e->beyond_level[1],
				 e->beyond_slope[0],
				 e->beyond_slope[1],
				 (double)e->n_teeth};

	ft__pack_many(packer, number, sizeof number / sizeof *number);
	for (size_t i = 0; i < e->n_teeth; i++) {
		ft__pack(packer, e->tooth[i].shape);
		ft__pack(packer, e->tooth[i].period);
		ft__pack(packer, e->tooth[i].phase);
		ft__pack(packer, e->tooth[i].height);
		ft__pack(packer, e->tooth[i].variance);
		/* The data of a member from which the passes are computed again. */
		ft__pack(packer, (double)e->tooth[i].places);
		for (size_t k = 0; k < e->tooth[i].places; k++) {
			ft__pack(packer, e->tooth[i].place[k].period);
			ft__pack(packer, e->tooth[i].place[k].phase);
		}
	}
	for (size_t i = 0; i < e->n; i++) {
		const double of_site[] = {e->site[i].work,
					  e->site[i].base,
					  (double)e->site[i].runs,
					  e->site[i].teeth,
					  e->site[i].scatter,
					  e->site[i].texture,
					  e->site[i].usual,
					  e->site[i].is_cliff ? -e->site[i].cliff : e->site[i].cliff,
					  e->node[i].y,
					  e->node[i].variance,
					  e->node[i].level,
					  e->node[i].slope};

		ft__pack_many(packer, of_site, sizeof of_site / sizeof *of_site);
	}
}

static void pack_points(const struct ft_law_point *point, size_t n, struct ft__packer *packer)
{
	ft__pack(packer, (double)n);
	for (size_t i = 0; i < n; i++) {
		ft__pack(packer, point[i].weight);
		ft__pack(packer, point[i].error);
		ft__pack(packer, point[i].constant);
		ft__pack(packer, point[i].terms);
		for (size_t k = 0; k < point[i].terms; k++) {
			ft__pack(packer, point[i].c[k]);
			ft__pack(packer, point[i].shape[k]);
		}
	}
}

void ft__blend_pack(const struct ft__blend *b, struct ft__packer *packer)
{
	size_t i;

	ft__pack(packer, b->of);
	ft__pack(packer, b->brief);
	ft__pack(packer, b->spread);
	ft__pack(packer, (double)b->n_misses);
	for (i = 0; i < b->n_misses; i++) {
		ft__pack(packer, b->miss[i].at);
		ft__pack(packer, b->miss[i].miss);
	}
	ft__pack(packer, b->runs.runs);
	ft__pack(packer, b->runs.freedom);
	ft__pack(packer, b->runs.usual);
	ft__pack(packer, b->runs.spike_rate);
	ft__pack(packer, b->runs.spike_ratio);
	ft__pack(packer, (double)b->runs.n);
	ft__pack_many(packer, b->runs.residual, b->runs.n);
	ft__pack(packer, (double)b->n);
	for (i = 0; i < b->n; i++)
		pack_member(&b->member[i], packer);
	bool by_law = b->law_share > 0;

	for (i = 0; i < b->n; i++)
		by_law = by_law || b->member[i].by_law;
	ft__pack(packer, by_law);
	if (by_law) {
		/* The data of laws that ft_laws_best and ft_laws_parts read. */
		const struct ft_laws *laws = b->laws;

		ft__pack(packer, laws->exact);
		ft__pack_law(packer, &laws->law);
		for (size_t k = 0; k < FT_LAW_FREE; k++)
			ft__pack_factor(packer, &laws->free[k]);
		pack_points(laws->point, laws->points, packer);
		pack_points(laws->with_further, laws->further, packer);
	}
}

static bool are_finite(const double *n, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(n[i]))
			return false;
	return true;
}

static bool unpack_places(struct ft__tooth *tooth, struct ft__unpacker *from)
{
	size_t i, n = ft__unpack_count(from, 2);

	if (n > FT__TOOTH_PLACES)
		return false;
	tooth->places = n;
	for (i = 0; i < n; i++) {
		double place[2];

		ft__unpack_many(from, place, 2);
		if (!are_finite(place, 2) || !(place[0] > 0) || !(fabs(place[1]) < 4 * FT__LN_MOST))
			return false;
		tooth->place[i] = (struct ft__tooth_place){place[0], place[1]};
	}
	return true;
}

/* Teeth of shapes that there are. */
static bool unpack_teeth(struct ft__engine *e, size_t teeth, struct ft__unpacker *from)
{
	if (teeth > FT__TEETH_MOST)
		return false;
	e->n_teeth = teeth;
	for (size_t i = 0; i < teeth; i++) {
		double n[5];

		ft__unpack_many(from, n, 5);
		if (!are_finite(n, 5) || !(n[0] >= 0 && n[0] < FT__TOOTH_SHAPES) || !(n[1] > 0) ||
		    !(n[4] >= 0) || !(fabs(n[3]) < 4 * FT__LN_MOST))
			return false;
		e->tooth[i] = (struct ft__tooth){.shape = (enum ft__tooth_shape)n[0],
						 .period = n[1],
						 .phase = n[2],
						 .height = n[3],
						 .variance = n[4]};
		if (!unpack_places(&e->tooth[i], from))
			return false;
	}
	return true;
}

static bool unpack_sites(const struct ft_model *model, struct ft__engine *e, struct ft__unpacker *from)
{
	for (size_t i = 0; i < model->n; i++) {
		struct ft__site *site = &e->site[i];
		struct ft_ss_node *node = &e->node[i];
		double n[12];

		ft__unpack_many(from, n, 12);
		site->x = ft__model_x(model, &model->knot[i].size);
		node->x = site->at = ft__engine_ln(e, site->x);
		site->work = n[0];
		site->base = n[1];
		site->runs = n[2] >= 1 && n[2] < 9e15 ? (size_t)n[2] : 1;
		site->teeth = n[3];
		site->scatter = n[4];
		site->texture = n[5];
		site->usual = n[6];
		site->cliff = fabs(n[7]);
		site->is_cliff = n[7] < 0;
		node->y = n[8];
		node->variance = n[9];
		node->level = n[10];
		node->slope = n[11];
		/* Logarithms: of a base, of teeth, of a value by both and a work. */
		if (!isfinite(site->at) || !are_finite(n, 12) || !(fabs(n[1]) < 4 * FT__LN_MOST) ||
		    !(fabs(n[3]) < 4 * FT__LN_MOST) || !(fabs(n[8]) < 4 * FT__LN_MOST) || !(n[0] > 0) ||
		    !(n[4] > 0) || !(n[5] >= 0) || !(n[6] > 0) || !(n[9] > n[5]) || !(n[10] > 0) ||
		    !(n[11] > 0))
			return false;
	}
	return true;
}

static enum ft_status unpack_member(const struct ft_model *model, struct ft__member *m,
				    struct ft__unpacker *from, bool *good, struct ft_err *err)
{
	struct ft__engine *e = &m->engine;
	double n[14];

	ft__unpack_many(from, n, 14);
	m->weight = n[0];
	m->by_law = n[1] != 0;
	e->process = (struct ft_ss_process){n[2], n[3], {n[4], n[5]}, n[6]};
	e->shift = n[7];
	e->range = n[8];
	e->beyond_level[0] = n[9];
	e->beyond_level[1] = n[10];
	e->beyond_slope[0] = n[11];
	e->beyond_slope[1] = n[12];
	*good = !from->failed && are_finite(n, 14) && n[0] >= 0 && n[0] <= 1 && n[2] > 0 && n[8] > 0 &&
		n[9] > 0 && n[10] > 0 && n[11] > 0 && n[12] > 0 && n[13] >= 0 && n[13] <= FT__TEETH_MOST &&
		unpack_teeth(e, (size_t)n[13], from);
	if (!*good)
		return FT_OK;
	e->site = ft_calloc(model->n, sizeof *e->site);
	e->node = ft_calloc(model->n, sizeof *e->node);
	e->pass = ft_calloc(model->n, sizeof *e->pass);
	if (!e->site || !e->node || !e->pass)
		return ft_nomem(err);
	e->n = e->capacity = model->n;
	*good = unpack_sites(model, e, from) && !from->failed;
	if (*good)
		(void)ft_ss_smooth(&e->process, e->node, e->n, e->pass);
	return FT_OK;
}

static bool unpack_points(struct ft_law_point *point, size_t *n, struct ft__unpacker *from)
{
	*n = ft__unpack_count(from, 4);
	if (*n > FT_LAW_POINTS)
		return false;
	for (size_t i = 0; i < *n; i++) {
		struct ft_law_point *p = &point[i];
		double head[4];

		ft__unpack_many(from, head, 4);
		if (!are_finite(head, 4) || !(head[0] >= 0 && head[0] <= 1) || !(head[1] >= 0) ||
		    !(head[3] >= 0 && head[3] <= FT_LAW_MIXED))
			return false;
		*p = (struct ft_law_point){.weight = head[0], .error = head[1], .constant = head[2]};
		p->terms = (unsigned char)head[3];
		for (size_t k = 0; k < p->terms; k++) {
			p->c[k] = ft__unpack(from);
			double shape = ft__unpack(from);
			if (!isfinite(p->c[k]) || !(shape >= 0 && shape < FT_LAW_SHAPES + FT_LAW_FREE))
				return false;
			p->shape[k] = (unsigned char)shape;
		}
	}
	return true;
}

static enum ft_status unpack_laws(struct ft__blend *b, struct ft__unpacker *from, bool *good,
				  struct ft_err *err)
{
	if (ft__unpack(from) == 0 || from->failed)
		return FT_OK;
	b->laws = ft_calloc(1, sizeof *b->laws);
	if (!b->laws)
		return ft_nomem(err);
	b->laws->exact = ft__unpack(from) != 0;
	*good = ft__unpack_law(from, 1, FT_LAW_TERMS, &b->laws->law);
	for (size_t i = 0; i < FT_LAW_FREE && *good; i++)
		*good = ft__unpack_factor(from, &b->laws->free[i]);
	*good = *good && unpack_points(b->laws->point, &b->laws->points, from) &&
		unpack_points(b->laws->with_further, &b->laws->further, from) && !from->failed;
	return FT_OK;
}

static bool all_ascend(const double *n, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!(n[i] >= n[i - 1]))
			return false;
	return are_finite(n, count);
}

/* Misses in order. Room for one more, so that there is an array. */
static enum ft_status unpack_misses(struct ft__blend *b, struct ft__unpacker *from, bool *good,
				    struct ft_err *err)
{
	size_t i, n = ft__unpack_count(from, 2);

	b->miss = ft_calloc(n + 1, sizeof *b->miss);
	if (!b->miss)
		return ft_nomem(err);
	b->n_misses = n;
	for (i = 0; i < n; i++) {
		double miss[2];

		ft__unpack_many(from, miss, 2);
		b->miss[i] = (struct ft__miss){miss[0], miss[1]};
		*good = *good && are_finite(miss, 2) && miss[1] >= (i ? b->miss[i - 1].miss : 0);
	}
	return FT_OK;
}

/* The place of a size is looked up in the first one for all of them. */
static bool has_same_places(const struct ft__engine *a, const struct ft__engine *b)
{
	return a->shift == b->shift && a->range == b->range;
}

enum ft_status ft__blend_unpack(struct ft__blend *b, const struct ft_model *model, struct ft__unpacker *from,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;
	double head[3], weight = 0;
	bool by_law = false;

	ft__unpack_many(from, head, 3);
	bool good = are_finite(head, 3) && head[0] >= 0 && head[0] < FT_CLASSES && head[2] > 0;
	b->of = good ? (enum ft_resource_class)head[0] : FT_CLASS_TIME;
	b->growth = &ft__prior_growth(model->prior)[b->of];
	b->brief = head[1] != 0;
	b->spread = head[2];
	FT_TRY(unpack_misses(b, from, &good, err));
	b->runs.runs = ft__unpack(from);
	b->runs.freedom = ft__unpack(from);
	b->runs.usual = ft__unpack(from);
	b->runs.spike_rate = ft__unpack(from);
	b->runs.spike_ratio = ft__unpack(from);
	b->runs.n = ft__unpack_count(from, 1);
	good = good && b->runs.n <= FT__RESIDUALS && b->runs.runs >= 0 && isfinite(b->runs.runs) &&
	       isfinite(b->runs.freedom) && b->runs.usual > 0 && isfinite(b->runs.usual);
	ft__unpack_many(from, b->runs.residual, good ? b->runs.n : 0);
	good = good && all_ascend(b->runs.residual, b->runs.n);
	if (good)
		ft__scatter_settle(&b->runs);
	size_t n = ft__unpack_count(from, 14);
	good = good && n <= FT__MEMBERS_MOST;
	b->member = ft_calloc(n ? n : 1, sizeof *b->member);
	if (!b->member)
		return ft_nomem(err);
	for (size_t i = 0; i < n && good && !status; i++) {
		b->n = i + 1;
		status = unpack_member(model, &b->member[i], from, &good, err);
		good = good && has_same_places(&b->member[i].engine, &b->member[0].engine);
		by_law = by_law || b->member[i].by_law;
		weight += b->member[i].weight;
	}
	if (!status && (!good || !(weight > 0) || from->failed))
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	status = status ? status : unpack_laws(b, from, &good, err);
	if (!status && (!good || (by_law && !b->laws)))
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	return status ? status : ft__blend_edge(b, err);
}

/*
 * Models as bytes for a store, and back: what all types have in common.
 */

/* The first number of a packed model: what it is, and of which version. */
static const double magic = 7065015;

static const int64_t second = 1000000000;

static void pack_facts(const struct ft_model_facts *f, struct ft__packer *packer)
{
	int64_t since_s = f->change.since_ns / second;
	const double fact[] = {(double)f->runs,
			       f->through_speed,
			       f->offset,
			       f->known,
			       f->scatter,
			       f->spike_rate,
			       f->spike_ratio,
			       f->rough,
			       f->noisy,
			       f->too_few,
			       f->worst[0],
			       f->worst[1],
			       f->worst_known,
			       f->change.shift,
			       f->change.error,
			       (double)f->change.runs,
			       (double)since_s,
			       (double)(f->change.since_ns - since_s * second),
			       f->limits.least,
			       f->limits.most,
			       (double)f->batches.n,
			       f->batches.span_s,
			       f->batches.deviation,
			       f->batches.learned,
			       f->batches.doubt,
			       f->batches.of,
			       (double)f->zeros,
			       f->most,
			       f->step};
	const char *node = f->batches.node;

	ft__pack_many(packer, fact, sizeof fact / sizeof *fact);
	for (size_t i = 0; i < FT_BATCH_N; i++)
		ft__pack(packer, (double)f->batches.count[i]);
	ft__pack(packer, (double)f->corner.n);
	ft__pack_many(packer, f->corner.value, f->corner.n);
	ft__pack(packer, (double)strlen(node));
	for (; *node; node++)
		ft__pack(packer, (unsigned char)*node);
}

static size_t unpack_amount(double number)
{
	return number >= 0 && number < 9e15 ? (size_t)number : 0;
}

static void unpack_facts(struct ft_model_facts *f, struct ft__unpacker *from)
{
	double fact[29] = {0};

	ft__unpack_many(from, fact, sizeof fact / sizeof *fact);
	if (from->failed || !(fact[0] >= 1 && fact[0] < 9e15 && fact[15] >= 0 && fact[15] < 9e15) ||
	    !(fabs(fact[16]) < 9e9 && fabs(fact[17]) < 1e9) || !(fact[2] >= 0 && isfinite(fact[2]))) {
		from->failed = true;
		return;
	}
	f->trust = f->scale = NAN;
	f->runs = (size_t)fact[0];
	f->through_speed = fact[1] != 0;
	f->offset = fact[2];
	f->known = fact[3];
	f->scatter = fact[4];
	f->spike_rate = fact[5];
	f->spike_ratio = fact[6];
	f->rough = fact[7] != 0;
	f->noisy = fact[8] != 0;
	f->too_few = fact[9] != 0;
	f->worst[0] = fact[10];
	f->worst[1] = fact[11];
	f->worst_known = fact[12];
	f->zeros = fact[26] <= fact[0] ? unpack_amount(fact[26]) : 0;
	f->most = fact[27] >= 0 ? fact[27] : 0;
	f->step = fact[28] >= 0 && fact[28] < 1e300 ? fact[28] : 0;
	f->change = (struct ft_change){fact[13], fact[14], (size_t)fact[15],
				       (int64_t)fact[16] * second + (int64_t)fact[17]};
	f->batches = (struct ft_batches){
		.of = fact[25] >= 0 && fact[25] < FT_BATCH_N ? (enum ft_batch)fact[25] : FT_BATCH_HOURS,
		.n = unpack_amount(fact[20]),
		.span_s = fact[21],
		.deviation = fact[22],
		.learned = fact[23] != 0 && unpack_amount(fact[20]) >= 2,
		.doubt = fact[24] >= 0 && fact[24] < 1e4 ? fact[24] : 0};
	for (size_t i = 0; i < FT_BATCH_N; i++)
		f->batches.count[i] = unpack_amount(ft__unpack(from));
	f->corner.n = ft__unpack_count(from, 1);
	if (f->corner.n > FT_PARAMS_MAX) {
		from->failed = true;
		f->corner.n = 0;
	}
	ft__unpack_many(from, f->corner.value, f->corner.n);
	size_t length = ft__unpack_count(from, 1);
	for (size_t i = 0; i < length; i++) {
		double byte = ft__unpack(from);

		if (i + 1 < sizeof f->batches.node)
			((unsigned char *)f->batches.node)[i] =
				byte > 0 && byte < 256 ? (unsigned char)byte : '?';
	}
	f->limits = (struct ft_limits){0, fact[18], fact[19]}; /* how many: of the knots */
}

static bool unpack_knots(struct ft_model *model, struct ft__unpacker *from)
{
	model->n_axes = ft__unpack_count(from, 1);
	for (size_t i = 0; i < model->n_axes && i < FT_PARAMS_MAX; i++)
		model->axis[i] = (size_t)fmin(fmax(ft__unpack(from), 0), FT_PARAMS_MAX);
	size_t params = ft__unpack_count(from, 1);
	model->n = ft__unpack_count(from, params + 5);
	if (from->failed || !model->n || !model->n_axes || model->n_axes > params || params > FT_PARAMS_MAX)
		return false;
	for (size_t i = 0; i < model->n_axes; i++)
		if (model->axis[i] >= params)
			return false;
	model->knot = ft_calloc(model->n, sizeof *model->knot);
	if (!model->knot)
		return false;
	for (size_t i = 0; i < model->n; i++) {
		struct ft_knot *k = &model->knot[i];
		double number[5];

		k->size.n = params;
		ft__unpack_many(from, k->size.value, params);
		ft__unpack_many(from, number, 5);
		k->work = number[0];
		k->value = number[1];
		k->scatter = number[2];
		k->runs = number[3] >= 1 && number[3] < 9e15 ? (size_t)number[3] : 0;
		k->limits = number[4] >= 0 && number[4] <= (double)k->runs ? (size_t)number[4] : 0;
		model->facts.limits.runs += k->limits;
		/* Whether a knot is one that could have been packed, and follows the one before. */
		const struct ft_knot *knot = &model->knot[i];
		struct ft_observation o = {.work = knot->work, .value = knot->value};

		o.size = knot->size;
		if (!(ft__observation_is_good(&o, knot->size.n) && knot->runs > 0 && knot->scatter >= 0 &&
		      (model->n_axes > 1 || !i ||
		       ft__model_x(model, &knot->size) > ft__model_x(model, &knot[-1].size))))
			return false;
	}
	model->facts.sizes = model->n;
	return true;
}

enum ft_status ft_model_pack(const struct ft_model *model, unsigned char **out, size_t *n, struct ft_err *err)
{
	struct ft__packer packer = {0};
	size_t i;

	for (i = 0; ft__model_types[i] != model->type;)
		i++;
	ft__pack(&packer, magic);
	ft__pack(&packer, (double)i);
	ft__pack(&packer, ft__prior_mark(model->prior)); /* facts of extrapolated sizes depend on it */
	pack_facts(&model->facts, &packer);
	ft__pack(&packer, (double)model->n_axes);
	for (size_t l = 0; l < model->n_axes; l++)
		ft__pack(&packer, (double)model->axis[l]);
	ft__pack(&packer, (double)model->knot[0].size.n);
	ft__pack(&packer, (double)model->n);
	for (size_t l = 0; l < model->n; l++) {
		const struct ft_knot *k = &model->knot[l];
		const double number[] = {k->work, k->value, k->scatter, (double)k->runs, (double)k->limits};

		ft__pack_many(&packer, k->size.value, k->size.n);
		ft__pack_many(&packer, number, sizeof number / sizeof *number);
	}
	model->type->pack(model, &packer);
	*out = packer.bytes;
	*n = packer.n;
	if (!packer.failed)
		return FT_OK;
	ft_free(packer.bytes);
	*out = NULL;
	return ft_nomem(err);
}

static enum ft_status refuse_strange(struct ft_err *err)
{
	return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
}

enum ft_status ft_model_unpack(struct ft_model **out, const unsigned char *bytes, size_t n,
			       const struct ft_prior *prior, struct ft_err *err)
{
	struct ft__unpacker from = {bytes, n, false};
	struct ft_model *model = ft_calloc(1, sizeof *model);
	enum ft_status status = FT_OK;
	size_t type = FT__MODEL_TYPES;

	*out = NULL;
	if (!model)
		return ft_nomem(err);
	model->prior = prior;
	if (ft__unpack(&from) != magic || (type = ft__unpack_count(&from, 1)) >= FT__MODEL_TYPES ||
	    ft__unpack(&from) != ft__prior_mark(prior))
		status = refuse_strange(err);
	if (!status) {
		unpack_facts(&model->facts, &from);
		if (!unpack_knots(model, &from))
			status =
				from.failed || model->knot || !model->n ? refuse_strange(err) : ft_nomem(err);
	}
	if (!status) {
		if (ft__model_types[type]->axes && ft__model_types[type]->axes != model->n_axes)
			status = refuse_strange(err);
	}
	if (!status) {
		model->type = ft__model_types[type];
		model->facts.type = model->type->name;
		status = model->type->unpack(model, &from, err);
		if (!status && (from.failed || from.left))
			status = refuse_strange(err);
	}
	if (status)
		ft_model_free(model);
	else
		*out = model;
	return status;
}
