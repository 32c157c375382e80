/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hydro.c - steps of an ideal gas in nx^3 periodic cells (Euler's equations, as many steps as the second
 * argument says), one direction after the other, by the fluxes of Harten, Lax and van Leer (SIAM Review 25,
 * 1983) with Davis' wave speeds (SIAM J. Sci. Stat. Comput. 9, 1988). */
#include "example.h"

#include <string.h>

enum { VARS = 5 }; /* density, momentum in three directions, energy */

static const double ratio = 1.4; /* of specific heats */

struct gas {
	size_t nx;
	double *u[VARS]; /* [nx^3] */
};

static double pressure(const double u[VARS])
{
	return (ratio - 1) * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
}

/* The flux of a state along an axis. */
static void flux_of(const double u[VARS], size_t axis, double p, double flux[VARS])
{
	double v = u[1 + axis] / u[0];

	for (size_t k = 0; k < VARS; k++)
		flux[k] = v * u[k];
	flux[1 + axis] += p;
	flux[4] += v * p;
}

static void flux_between(const double left[VARS], const double right[VARS], size_t axis, double flux[VARS])
{
	double p = pressure(left), q = pressure(right), a[VARS], b[VARS];
	double v = left[1 + axis] / left[0], w = right[1 + axis] / right[0];
	double c = sqrt(ratio * p / left[0]), d = sqrt(ratio * q / right[0]);
	double slowest = fmin(0, fmin(v - c, w - d)), fastest = fmax(0, fmax(v + c, w + d));

	flux_of(left, axis, p, a);
	flux_of(right, axis, q, b);
	for (size_t k = 0; k < VARS; k++)
		flux[k] = (fastest * a[k] - slowest * b[k] + fastest * slowest * (right[k] - left[k])) /
			  (fastest - slowest);
}

/* One line of cells along an axis, from a first one. row, flux: [nx x VARS] */
static void sweep_line(struct gas *gas, size_t first, size_t stride, size_t axis, double step, double *row,
		       double *flux)
{
	size_t nx = gas->nx;

	for (size_t i = 0; i < nx; i++)
		for (size_t k = 0; k < VARS; k++)
			row[i * VARS + k] = gas->u[k][first + i * stride];
	for (size_t i = 0; i < nx; i++)
		flux_between(row + i * VARS, row + (i + 1) % nx * VARS, axis, flux + i * VARS);
	for (size_t i = 0; i < nx; i++)
		for (size_t k = 0; k < VARS; k++)
			gas->u[k][first + i * stride] -=
				step * (flux[i * VARS + k] - flux[(i + nx - 1) % nx * VARS + k]);
}

static void sweep(struct gas *gas, size_t axis, double step, double *row, double *flux)
{
	size_t nx = gas->nx, stride[3] = {nx * nx, nx, 1}, i, j;

	for (i = 0; i < nx; i++)
		for (j = 0; j < nx; j++)
			sweep_line(gas, i * stride[axis ? 0 : 1] + j * stride[axis == 2 ? 1 : 2],
				   stride[axis], axis, step, row, flux);
}

/* Dense and hot in a ball in the middle; elsewhere still. */
static void fill(struct gas *gas)
{
	size_t nx = gas->nx;

	for (size_t k = 0; k < VARS; k++) {
		gas->u[k] = example_numbers(nx * nx * nx, 1);
		memset(gas->u[k], 0, nx * nx * nx * sizeof(double));
	}
	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < nx; j++)
			for (size_t k = 0; k < nx; k++) {
				double x = (double)i / (double)nx - 0.5, y = (double)j / (double)nx - 0.5;
				double z = (double)k / (double)nx - 0.5;
				int inside = x * x + y * y + z * z < 0.04;
				size_t at = (i * nx + j) * nx + k;

				gas->u[0][at] = inside ? 2 : 1;
				gas->u[4][at] = inside ? 5 : 1;
			}
}

/* The sum of a variable over all cells. */
static double total(const struct gas *gas, size_t variable)
{
	size_t n = gas->nx * gas->nx * gas->nx;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += gas->u[variable][i];
	return sum;
}

int main(int argc, char **argv)
{
	size_t nx = example_size_at(argc, argv, 1, "nx steps"),
	       steps = example_size_at(argc, argv, 2, "nx steps");
	size_t cells = nx * nx * nx;
	struct gas gas = {.nx = nx};
	struct ft_probe probe = FT_PROBE_INIT;

	fill(&gas);
	double *row = example_numbers(nx, VARS);
	double *flux = example_numbers(nx, VARS);
	double mass = total(&gas, 0);
	double energy = total(&gas, 4);
	ft_probe_start(&probe);
	for (size_t i = 0; i < steps; i++)
		for (size_t axis = 0; axis < 3; axis++)
			sweep(&gas, axis, 0.2, row, flux); /* sound is slower than 2 cells a unit of time */
	ft_probe_stop(&probe);
	ft_probe_report("hydro", (double)cells * (double)steps, &probe);

	/* What leaves a cell enters its neighbour. */
	example_check(fabs(total(&gas, 0) / mass - 1) < 1e-9 && fabs(total(&gas, 4) / energy - 1) < 1e-9,
		      "hydro");
	for (size_t k = 0; k < VARS; k++)
		free(gas.u[k]);
	free(row);
	free(flux);
	return 0;
}
