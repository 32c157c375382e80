/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svm.c - support vector regression with a radial kernel, by libsvm. */
#include "base/files.h"
#include "num/num.h"

#include <libsvm/svm.h>
#include <math.h>

static void print_nothing(const char *text)
{
	(void)text;
}

static struct {
	__typeof__(svm_check_parameter) *check_parameter;
	__typeof__(svm_set_print_string_function) *set_print_string_function;
	__typeof__(svm_train) *train;
	__typeof__(svm_free_and_destroy_model) *free_and_destroy_model;
} library;

static enum ft_status start_svm(struct ft_err *err)
{
	static const struct ft_symbol symbols[] = {
		{"svm_check_parameter", &library.check_parameter},
		{"svm_set_print_string_function", &library.set_print_string_function},
		{"svm_train", &library.train},
		{"svm_free_and_destroy_model", &library.free_and_destroy_model},
	};

	if (library.train)
		return FT_OK;
	return ft_library_load("libsvm.so.3", symbols, sizeof symbols / sizeof *symbols, err);
}

/* The part of the model that predictions need. */
static enum ft_status take_model(struct ft_svm *out, struct ft_arena *arena, const struct svm_model *model,
				 size_t d, double gamma, struct ft_err *err)
{
	size_t n = (size_t)model->l;
	double *support = ft_arena_take(arena, n * d, sizeof *support);
	double *coef = ft_arena_copy(arena, model->sv_coef[0], n, sizeof *coef);

	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < d; j++)
			support[i * d + j] = model->SV[i][j].value;
	*out = (struct ft_svm){
		.n = n, .d = d, .support = support, .coef = coef, .gamma = gamma, .shift = model->rho[0]};
	return FT_OK;
}

enum ft_status ft_svm_fit(struct ft_svm *out, struct ft_arena *arena, const double *x, const double *y,
			  size_t m, size_t d, const struct ft_svm_settings *settings, struct ft_err *err)
{
	FT_OWN struct svm_node *node = ft_malloc(m * (d + 1) * sizeof *node);
	FT_OWN struct svm_node **row = ft_malloc(m * sizeof *row);
	FT_OWN double *target = ft_malloc(m * sizeof *target);
	const struct svm_problem problem = {(int)m, target, row};
	const struct svm_parameter parameter = {.svm_type = EPSILON_SVR,
						.kernel_type = RBF,
						.gamma = settings->gamma,
						.cache_size = 64,
						.eps = 1e-3,
						.C = settings->cost,
						.p = settings->tube,
						.shrinking = 1};

	*out = (struct ft_svm){0};
	FT_TRY(start_svm(err));
	if (!node || !row || !target)
		return ft_nomem(err);
	/* libsvm's rows: lists of index and value that end in -1. */
	for (size_t i = 0; i < m; i++) {
		row[i] = node + i * (d + 1);
		for (size_t j = 0; j < d; j++)
			row[i][j] = (struct svm_node){(int)j + 1, x[i * d + j]};
		row[i][d] = (struct svm_node){-1, 0};
	}
	for (size_t i = 0; i < m; i++)
		target[i] = y[i];
	const char *wrong = library.check_parameter(&problem, &parameter);
	if (wrong)
		return ft_fail(err, FT_EINVAL, "libsvm: %s", wrong);
	library.set_print_string_function(print_nothing);
	struct svm_model *model = library.train(&problem, &parameter);
	enum ft_status status = take_model(out, arena, model, d, settings->gamma, err);
	library.free_and_destroy_model(&model);
	return status;
}

double ft_svm_at(const struct ft_svm *svm, const double *x)
{
	double sum = -svm->shift;

	for (size_t i = 0; i < svm->n; i++) {
		double square = 0;

		for (size_t j = 0; j < svm->d; j++) {
			double by = x[j] - svm->support[i * svm->d + j];

			square += by * by;
		}
		sum += svm->coef[i] * exp(-svm->gamma * square);
	}
	return sum;
}
