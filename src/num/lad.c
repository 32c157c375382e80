/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lad.c - least absolute deviations through GLPK's simplex method. */
#include "base/alloc.h"
#include "num/num.h"

#include <assert.h>
#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <string.h>

struct ft_lad {
	size_t m, k;
	glp_prob *lp;
	bool solved;
	double *scale; /* [k] what a column of x was divided by */
	double *y;     /* [m] of the last solution */
};

/* GLPK ends the process when memory is out, unless its hook does not return: what it had allocated is then
 * freed with its environment, for this thread. */
static _Thread_local jmp_buf out_of_memory;

static void give_up(void *info)
{
	(void)info;
	longjmp(out_of_memory, 1);
}

/* Call GLPK; false: it ran out of memory, and all its problems of this thread are gone. */
static bool run_guarded(void (*work)(void *), void *ctx)
{
	if (setjmp(out_of_memory) != 0) {
		(void)glp_free_env();
		return false;
	}
	glp_error_hook(give_up, NULL);
	(void)glp_term_out(GLP_OFF);
	work(ctx);
	glp_error_hook(NULL, NULL);
	return true;
}

/* A programme to be made. */
struct lad_making {
	struct ft_lad *lad;
	const double *x;
	int *index; /* [k + 1] */
	double *value;
};

static void fill_program(void *ctx)
{
	const struct lad_making *making = ctx;
	struct ft_lad *lad = making->lad;

	lad->lp = glp_create_prob();
	glp_set_obj_dir(lad->lp, GLP_MAX);
	(void)glp_add_rows(lad->lp, (int)lad->k);
	(void)glp_add_cols(lad->lp, (int)lad->m);
	for (size_t j = 0; j < lad->k; j++)
		glp_set_row_bnds(lad->lp, (int)j + 1, GLP_UP, 0, 0);
	for (size_t i = 0; i < lad->m; i++) {
		const double *x = making->x + i * lad->k;
		int n = 0;

		for (size_t j = 0; j < lad->k; j++)
			if (x[j] != 0) {
				making->index[++n] = (int)j + 1;
				making->value[n] = x[j] / lad->scale[j];
			}
		glp_set_col_bnds(lad->lp, (int)i + 1, GLP_DB, -1, 1);
		glp_set_mat_col(lad->lp, (int)i + 1, n, making->index, making->value);
	}
	glp_std_basis(lad->lp);
}

enum ft_status ft_lad_new(const double *x, size_t m, size_t k, struct ft_lad **out, struct ft_err *err)
{
	struct ft_lad *lad = ft_calloc(1, sizeof *lad);
	struct lad_making making = {lad, x, ft_calloc(k + 1, sizeof(int)), ft_calloc(k + 1, sizeof(double))};
	bool made = false;

	assert(m >= 1 && k >= 1 && m < INT_MAX && k < INT_MAX);
	if (lad)
		*lad = (struct ft_lad){.m = m,
				       .k = k,
				       .scale = ft_calloc(k, sizeof(double)),
				       .y = ft_calloc(m, sizeof(double))};
	if (lad && lad->scale && lad->y && making.index && making.value) {
		for (size_t j = 0; j < lad->k; j++) {
			double sum = 0;

			for (size_t i = 0; i < lad->m; i++)
				sum += fabs(x[i * lad->k + j]);
			lad->scale[j] = sum > 0 ? sum / (double)lad->m : 1;
		}
		made = run_guarded(fill_program, &making);
		if (!made)
			lad->lp = NULL;
	}
	ft_free(making.index);
	ft_free(making.value);
	if (!made)
		ft_lad_free(lad);
	*out = made ? lad : NULL;
	return made ? FT_OK : ft_nomem(err);
}

void ft_lad_free(struct ft_lad *lad)
{
	if (!lad)
		return;
	if (lad->lp)
		glp_delete_prob(lad->lp);
	ft_free(lad->scale);
	ft_free(lad->y);
	ft_free(lad);
}

void ft_lad_skip(struct ft_lad *lad, size_t i, bool skip)
{
	glp_set_col_bnds(lad->lp, (int)i + 1, skip ? GLP_FX : GLP_DB, skip ? 0 : -1, skip ? 0 : 1);
}

static double largest(const double *y, size_t m)
{
	double most = 0;

	for (size_t i = 0; i < m; i++)
		most = fmax(most, fabs(y[i]));
	return most;
}

/* A solution to be found. */
struct solving {
	struct ft_lad *lad;
	const double *y;
	double size; /* what y was divided by */
	size_t most, iterations;
	bool converged;
};

static void solve_program(void *ctx)
{
	struct solving *solving = ctx;
	glp_prob *lp = solving->lad->lp;
	glp_smcp how;
	int before = glp_get_it_cnt(lp);

	for (size_t i = 0; i < solving->lad->m; i++)
		glp_set_obj_coef(lp, (int)i + 1, solving->size > 0 ? solving->y[i] / solving->size : 0);
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	/* A solved basis stays dual feasible when only rows were added or removed. */
	how.meth = solving->lad->solved ? GLP_DUALP : GLP_PRIMAL;
	how.tol_bnd = how.tol_dj = 1e-9; /* rows and columns are of one size here */
	how.it_lim = solving->most && solving->most < INT_MAX ? (int)solving->most : INT_MAX;
	solving->converged = !glp_simplex(lp, &how) && glp_get_status(lp) == GLP_OPT;
	solving->iterations = (size_t)(glp_get_it_cnt(lp) - before);
	solving->lad->solved = solving->converged;
}

enum ft_status ft_lad_solve(struct ft_lad *lad, const double *y, size_t most, double *b, double *z,
			    bool *converged, size_t *iterations, struct ft_err *err)
{
	struct solving solving = {.lad = lad, .y = y, .size = largest(y, lad->m), .most = most};

	lad->solved &= !memcmp(lad->y, y, lad->m * sizeof *y);
	memcpy(lad->y, y, lad->m * sizeof *y);
	if (!run_guarded(solve_program, &solving)) {
		lad->lp = NULL;
		return ft_nomem(err);
	}
	for (size_t j = 0; j < lad->k; j++)
		b[j] = fmax(glp_get_row_dual(lad->lp, (int)j + 1), 0) * solving.size / lad->scale[j];
	for (size_t i = 0; z && i < lad->m; i++)
		z[i] = glp_get_col_prim(lad->lp, (int)i + 1);
	*converged = solving.converged;
	*iterations = solving.iterations;
	return FT_OK;
}
