/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_pack.c - models as bytes for a store, and back: what all types have in common. */
#include "base/alloc.h"
#include "model/prior.h"
#include "model/types.h"

#include <math.h>
#include <string.h>

/* The first number of a packed model: what it is, and of which version. */
static const double magic = 7065014;

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
		.learned = fact[23] != 0 && fact[20] >= 2,
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

static void pack_knots(const struct ft_model *model, struct ft__packer *packer)
{
	ft__pack(packer, (double)model->n_axes);
	for (size_t i = 0; i < model->n_axes; i++)
		ft__pack(packer, (double)model->axis[i]);
	ft__pack(packer, (double)model->knot[0].size.n);
	ft__pack(packer, (double)model->n);
	for (size_t i = 0; i < model->n; i++) {
		const struct ft_knot *k = &model->knot[i];
		const double number[] = {k->work, k->value, k->scatter, (double)k->runs, (double)k->limits};

		ft__pack_many(packer, k->size.value, k->size.n);
		ft__pack_many(packer, number, sizeof number / sizeof *number);
	}
}

/* Whether a knot is one that could have been packed, and behind the one before. */
static bool is_knot(const struct ft_model *model, size_t i)
{
	const struct ft_knot *k = &model->knot[i];
	struct ft_observation o = {.work = k->work, .value = k->value};

	o.size = k->size;
	return ft__observation_is_good(&o, k->size.n) && k->runs > 0 && k->scatter >= 0 &&
	       (model->n_axes > 1 || !i || ft__model_x(model, &k->size) > ft__model_x(model, &k[-1].size));
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
		if (!is_knot(model, i))
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
	ft__pack(&packer, ft__prior_mark(model->prior)); /* facts of sizes beyond the data follow it */
	pack_facts(&model->facts, &packer);
	pack_knots(model, &packer);
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
