/* SPDX-License-Identifier: 0BSD */
/* surrogate.c - describe a program by two other ones, and predict it on a machine where only these were run:
 *
 *	cc surrogate.c $(pkg-config --cflags --libs foretime) -o surrogate
 *	./surrogate
 */
#include <foretime/surrogate.h>

#include <stdio.h>

int main(void)
{
	/* Seconds on five machines: of a triad and a matrix product, and of a solver that spends its time
	 * half like the one and twice like the other. */
	static const double basis[] = {4.0, 1.0, 3.1, 2.0, 5.2, 1.4, 2.2, 3.1, 6.0, 0.7};
	static const double solver_s[] = {4.0, 5.6, 5.4, 7.3, 4.4};
	static const double here[] = {3.6, 1.8};    /* the two programs on a sixth machine */
	static struct ft_surrogate_problem problem; /* static: zero-initialised */
	struct ft_surrogate_fit *fit = NULL;
	struct ft_estimate estimate;
	double beta[2] = {0, 0}, intercept = 0;
	struct ft_err err;
	enum ft_status status;

	problem.m = 5;
	problem.k = 2;
	problem.q = 1;
	problem.x = basis;
	problem.y = solver_s;
	status = ft_surrogate_solve(ft_solver_find("ols"), &problem, NULL, &fit, &err);
	if (!status)
		status = ft_surrogate_predict(fit, here, 1, 0.9, &estimate, &err);
	if (status) {
		fprintf(stderr, "surrogate: %s; %s\n", err.text, err.remedy);
		return 1;
	}
	ft_surrogate_beta(fit, beta, &intercept);
	printf("solver = %.2f triad + %.2f product; there %.2f s, with 90 %% confidence %.2f .. %.2f s\n",
	       beta[0], beta[1], estimate.value, estimate.lower, estimate.upper);
	ft_surrogate_free(fit);
	return !(beta[0] > 0.4 && beta[0] < 0.6 && beta[1] > 1.9 && beta[1] < 2.1 && estimate.value > 5.3 &&
		 estimate.value < 5.5);
}
