/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-like.c - brief models over several parameters that are to be as smooth as another one. */
#include "base/random.h"
#include "foretime/model.h"
#include "tap.h"

#include <math.h>

enum { MOST = 80 };

struct samples {
	struct ft_observation o[MOST];
	size_t n;
};

/* A grid of n x n, geometric, two runs each. */
static struct samples grid(size_t n, double noise, uint64_t seed)
{
	struct ft_random random = {seed};
	struct samples s = {.n = 0};

	for (size_t i = 0; i < 2 * n * n; i++) {
		double x = round(10 * pow(100, (double)(i / 2 / n) / (double)(n - 1)));
		double y = round(5 * pow(200, (double)(i / 2 % n) / (double)(n - 1)));

		s.o[s.n++] = (struct ft_observation){
			{2, {x, y}},
			1,
			1e-6 * pow(x, 2.2) * (y + 20) * exp(noise * ft_random_normal(&random)),
			0,
			0,
			false,
			0,
			0,
			0};
	}
	return s;
}

static struct ft_prediction ask(const struct ft_model *model)
{
	struct ft_prediction p;

	if (!model || ft_model_predict(model, &(struct ft_size){2, {70, 40}}, 1, 0.9, &p, NULL))
		p = (struct ft_prediction){.value = NAN};
	return p;
}

/* A brief model that is to be as smooth as another one: told so, a smooth one's traits make a rough curve's
 * errors others than its own do. One over other parameters, or in whose runs other ones varied, is passed
 * over. */
static void test_like(void)
{
	static const size_t axes[] = {0, 1}, turned[] = {1, 2};
	struct samples smooth = grid(6, 0.002, 5), rough = grid(5, 0.15, 6), apart = {.n = 0};
	struct ft_model_options options = {.axis = axes, .n_axes = 2, .brief = true};
	struct ft_model *likes[3] = {NULL, NULL, NULL}, *model[4];
	struct ft_prediction p[4];

	for (size_t i = 0; i < smooth.n; i++) {
		apart.o[apart.n++] = smooth.o[i];
		apart.o[i].size =
			(struct ft_size){3, {7, smooth.o[i].size.value[0], smooth.o[i].size.value[1]}};
	}
	(void)ft_model_fit(&likes[0], smooth.o, smooth.n,
			   &(struct ft_model_options){.axis = axes, .n_axes = 2}, NULL);
	(void)ft_model_fit(&likes[1], apart.o, apart.n,
			   &(struct ft_model_options){.axis = turned, .n_axes = 2}, NULL);
	(void)ft_model_fit(&likes[2], smooth.o, 12, &(struct ft_model_options){.axis = axes, .n_axes = 1},
			   NULL);
	for (size_t i = 0; i < 4; i++) {
		options.like = i ? likes[i - 1] : NULL;
		if (ft_model_fit(&model[i], rough.o, rough.n, &options, NULL))
			model[i] = NULL;
		p[i] = ask(model[i]);
	}
	ok(p[1].value > 0 && !near(p[1].value, p[0].value, 1e-6) && !near(p[1].upper, p[0].upper, 1e-6),
	   "as smooth as another one: %g, by itself %g", p[1].value, p[0].value);
	ok(p[2].value == p[0].value && p[2].upper == p[0].upper && p[3].value == p[0].value,
	   "one over other parameters, or fewer, is passed over");
	for (size_t i = 0; i < 4; i++)
		ft_model_free(model[i]);
	for (size_t i = 0; i < 3; i++)
		ft_model_free(likes[i]);
}

int main(void)
{
	test_like();
	return done();
}
