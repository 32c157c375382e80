/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-model.c - packed models with some of their numbers changed: refused with words, or models whose
 * answers are in order, and that are the same when packed and unpacked again.
 *
 * An input's first byte chooses the model; lines behind it change it: "12 nan" the number at 12, "+3" more
 * bytes at the end, "-3" fewer. */
#include "base/alloc.h"
#include "foretime/model.h"
#include "fuzz.h"
#include "made.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

const char *const fuzz_model_seeds[] = {
	"a",
	"b",
	"c",
	"a2 nan\n",
	"b17 0\n18 -1\n",
	"c1 1\n",
	"a-1\n",
	"c+8\n",
	"a5 1e308\n20 inf\n30 -0.5\n40 5e-324\n",
	"b21 3\n",
	"b105 74\n",
	"b70 5e-323\n",
	NULL,
};

const char *const fuzz_model_pieces[] = {
	"\n",     " ",    "nan",  "inf", "-inf", "-1", "0",   "1",  "2", "8", "1e308", "-1e308",
	"5e-324", "1e18", "9e15", "0.5", "1 ",   "1",  "22 ", "5 ", "+", "-", NULL,
};

enum { MODELS = 3, OBSERVATIONS = 12 };

struct bytes {
	unsigned char *byte;
	size_t n;
};

/* Over one parameter, a band, and over two. */
static const struct ft_model_options options[MODELS] = {
	{.type = "engine", .through_speed = true, .brief = true},
	{.type = "band", .through_speed = true},
	{.axis = (const size_t[]){0, 1}, .n_axes = 2, .brief = true},
};

static struct bytes make(const struct ft_model_options *how)
{
	struct ft_observation o[OBSERVATIONS];
	struct ft_model *model;
	struct bytes out = {0};

	for (size_t i = 0; i < OBSERVATIONS; i++) {
		double n = 10 * (1 + (double)(i / 2)), m = 1 + (double)(i % 4);

		o[i] = (struct ft_observation){.size = {2, {n, how->n_axes > 1 ? m : 1}},
					       .work = n * m,
					       .value = 1e-3 * n * m * (1 + 0.01 * (double)(i % 3))};
	}
	if (ft_model_fit(&model, o, OBSERVATIONS, how, NULL) ||
	    ft_model_pack(model, &out.byte, &out.n, NULL)) {
		fputs("fuzz-model: no model to begin with\n", stderr);
		exit(99);
	}
	ft_model_free(model);
	return out;
}

/* Change a copy as a line says. */
static void change(struct bytes *b, const char *line)
{
	char *end;
	struct ft__packer packer = {0};
	size_t at;

	if (*line == '-' || *line == '+') {
		at = strtoul(line + 1, NULL, 10);
		at = at < 64 ? at : 64;
		b->n = *line == '+' ? b->n + at : b->n - (at < b->n ? at : b->n);
		return;
	}
	at = strtoul(line, &end, 10);
	double value = strtod(end, NULL);
	if (end == line || *end != ' ' || at >= b->n / 8)
		return;
	ft__pack(&packer, value);
	if (!packer.failed)
		memcpy(b->byte + 8 * at, packer.bytes, 8);
	ft_free(packer.bytes);
}

static const char *check_prediction(const struct ft_model *model, double n, double m)
{
	struct ft_size size = {2, {n, m}};
	struct ft_prediction p;
	struct ft_err err = {0};
	enum ft_status status = ft_model_predict(model, &size, n * m, 0.9, &p, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a prediction that is refused is told";
	if (!(p.lower >= 0 && p.lower <= p.value && p.value <= p.upper && isfinite(p.upper)))
		return "a prediction is finite, within its interval";
	return isnan(p.known) || p.known >= 0 ? NULL : "what is known is a share";
}

/* As it was unpacked from b. */
static const char *check(const struct ft_model *model, const struct bytes *b)
{
	static const double at[] = {1e-3, 10, 15, 60, 1e6};
	unsigned char *packed;
	const char *broken = NULL;
	struct ft_model *again;
	size_t n;

	for (size_t i = 0; i < sizeof at / sizeof *at && !broken; i++)
		broken = check_prediction(model, at[i], 1 + (double)(i % 2));
	if (broken || ft_model_pack(model, &packed, &n, NULL))
		return broken;
	if (n == b->n && !memcmp(packed, b->byte, n))
		again = NULL; /* the same bytes were unpacked just before */
	else if (ft_model_unpack(&again, packed, n, NULL, NULL))
		broken = "what is packed can be unpacked";
	ft_model_free(again);
	ft_free(packed);
	return broken;
}

/* Whether such a model was looked at before: most changes of a text change no number. */
static int is_known(const struct bytes *b)
{
	static uint64_t seen[1 << 16];
	const uint64_t hash = fuzz_mix(FUZZ_MIX, b->byte, b->n);
	uint64_t *at = &seen[hash % (sizeof seen / sizeof *seen)];
	int known = *at == hash;

	*at = hash;
	return known;
}

static const char *look_at(const struct bytes *b)
{
	struct ft_model *model = NULL;
	struct ft_err err = {0};
	enum ft_status status = ft_model_unpack(&model, b->byte, b->n, NULL, &err);
	const char *broken;

	if (status)
		broken = model || !fuzz_is_told(status, &err) ? "a refusal has words" : NULL;
	else
		broken = check(model, b);
	ft_model_free(model);
	return broken;
}

const char *fuzz_model(const uint8_t *bytes, size_t length)
{
	static struct bytes base[MODELS];
	size_t which = length ? (size_t)(bytes[0] - 'a') % MODELS : 0;
	char *text = ft_strndup((const char *)bytes + (length > 0), length - (length > 0)), *rest = text,
	     *line;
	size_t lines = 0;

	if (!base[which].n)
		base[which] = make(&options[which]);
	struct bytes b = (struct bytes){calloc(base[which].n + 64 * 64, 1), base[which].n};
	if (!b.byte || !text)
		exit(99);
	memcpy(b.byte, base[which].byte, b.n);
	while ((line = strsep(&rest, "\n")) && lines++ < 64)
		change(&b, line);
	const char *broken = is_known(&b) ? NULL : look_at(&b);
	free(b.byte);
	ft_free(text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_model)
#endif
