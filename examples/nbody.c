/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nbody.c - one step of a particle-mesh N-body simulation: np^3 particles, nx^3 periodic cells. Mass goes to
 * the cells next to a particle (cloud in cell), Poisson's equation is solved by FFT, forces come back the
 * same way. A mesh coarser than the particles makes no sense here: nx >= np. */
#include "example.h"

#include <fftw3.h>
#include <string.h>

struct bodies {
	size_t n;
	double *x[3], *v[3]; /* [n] places in cells, 0 .. nx; velocities in cells a step */
};

struct mesh {
	size_t nx;
	double *density; /* [nx^3], then the potential */
	fftw_complex *waves;
	fftw_plan forward, backward;
};

/* The two cells next to a place along an axis, and the share of the first. */
static double cells_at(double x, size_t nx, size_t cell[2])
{
	double low = floor(x);

	cell[0] = (size_t)low % nx;
	cell[1] = (cell[0] + 1) % nx;
	return 1 - (x - low);
}

/* The eight cells around a particle, and the share of each. */
static void look_around(const struct bodies *b, size_t i, size_t nx, size_t at[8], double share[8])
{
	size_t cell[3][2], k;
	double low[3];

	for (k = 0; k < 3; k++)
		low[k] = cells_at(b->x[k][i], nx, cell[k]);
	for (k = 0; k < 8; k++) {
		at[k] = (cell[0][k >> 2] * nx + cell[1][k >> 1 & 1]) * nx + cell[2][k & 1];
		share[k] = (k >> 2 ? 1 - low[0] : low[0]) * (k >> 1 & 1 ? 1 - low[1] : low[1]) *
			   (k & 1 ? 1 - low[2] : low[2]);
	}
}

static void deposit(const struct bodies *b, struct mesh *m)
{
	double mass = (double)(m->nx * m->nx * m->nx) / (double)b->n; /* the mean density is 1 */
	size_t at[8], i, k;
	double share[8];

	memset(m->density, 0, m->nx * m->nx * m->nx * sizeof *m->density);
	for (i = 0; i < b->n; i++) {
		look_around(b, i, m->nx, at, share);
		for (k = 0; k < 8; k++)
			m->density[at[k]] += mass * share[k];
	}
}

static double wave(size_t k, size_t nx)
{
	double s = sin(M_PI * (double)k / (double)nx);

	return 4 * s * s;
}

/* The discrete Laplacian of the potential is the density, less its mean. */
static void solve(struct mesh *m)
{
	size_t nx = m->nx, half = nx / 2 + 1;
	double cells = (double)(nx * nx * nx);

	fftw_execute(m->forward);
	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < nx; j++)
			for (size_t k = 0; k < half; k++) {
				double square = wave(i, nx) + wave(j, nx) + wave(k, nx);
				double *w = m->waves[(i * nx + j) * half + k];

				w[0] *= square > 0 ? -1 / (square * cells) : 0;
				w[1] *= square > 0 ? -1 / (square * cells) : 0;
			}
	fftw_execute(m->backward);
}

static double slope(const struct mesh *m, size_t at, size_t axis)
{
	size_t nx = m->nx, stride = axis == 0 ? nx * nx : axis == 1 ? nx : 1, c = at / stride % nx;
	size_t up = c + 1 < nx ? at + stride : at - (nx - 1) * stride;
	size_t down = c ? at - stride : at + (nx - 1) * stride;

	return (m->density[up] - m->density[down]) / 2;
}

/* Leapfrog: velocities, then places. */
static void move(struct bodies *b, const struct mesh *m, double step)
{
	double nx = (double)m->nx, share[8];
	size_t at[8], i, k, c;

	for (i = 0; i < b->n; i++) {
		look_around(b, i, m->nx, at, share);
		for (k = 0; k < 3; k++) {
			double force = 0;

			for (c = 0; c < 8; c++)
				force -= share[c] * slope(m, at[c], k);
			b->v[k][i] += step * force;
			b->x[k][i] += step * b->v[k][i];
			b->x[k][i] -= nx * floor(b->x[k][i] / nx);
		}
	}
}

static double sum(const double *x, size_t n)
{
	double total = 0;

	while (n--)
		total += x[n];
	return total;
}

/* A lattice of particles, each moved a little. */
static void scatter(struct bodies *b, size_t np, size_t nx)
{
	double *random = example_numbers(b->n, 3);

	for (size_t k = 0; k < 3; k++) {
		b->x[k] = example_numbers(b->n, 1);
		b->v[k] = example_numbers(b->n, 1);
		for (size_t i = 0; i < b->n; i++) {
			size_t at = k == 0 ? i / np / np : k == 1 ? i / np % np : i % np;

			b->x[k][i] = ((double)at + random[3 * i + k] / 2) * (double)nx / (double)np;
			b->v[k][i] = 0;
		}
	}
	free(random);
}

int main(int argc, char **argv)
{
	size_t np = example_size_at(argc, argv, 1, "np nx"), nx = example_size_at(argc, argv, 2, "np nx"), k;
	size_t cells = nx * nx * nx;
	struct bodies b = {.n = np * np * np};
	struct mesh m = {.nx = nx};
	struct ft_probe probe = FT_PROBE_INIT;
	double push, size = 0;

	if (nx < np)
		ft_probe_invalid();
	scatter(&b, np, nx);
	m.density = example_numbers(cells, 1);
	m.waves = (fftw_complex *)example_numbers(nx * nx * (nx / 2 + 1), 2);
	m.forward = fftw_plan_dft_r2c_3d((int)nx, (int)nx, (int)nx, m.density, m.waves, FFTW_ESTIMATE);
	m.backward = fftw_plan_dft_c2r_3d((int)nx, (int)nx, (int)nx, m.waves, m.density, FFTW_ESTIMATE);

	ft_probe_start(&probe);
	deposit(&b, &m);
	ft_probe_stop(&probe);
	double mass = sum(m.density, cells);
	ft_probe_start(&probe);
	solve(&m);
	move(&b, &m, 0.1);
	ft_probe_stop(&probe);
	ft_probe_report("nbody", (double)b.n + (double)cells, &probe);

	/* Mass is kept; no particle pushes itself or the whole: momentum stays 0. */
	for (push = 0, k = 0; k < 3; k++) {
		push += fabs(sum(b.v[k], b.n));
		for (size_t i = 0; i < b.n; i++)
			size += fabs(b.v[k][i]);
	}
	example_check(fabs(mass / (double)cells - 1) < 1e-9 && push <= 1e-9 * (size + 1), "nbody");
	for (k = 0; k < 3; k++) {
		free(b.x[k]);
		free(b.v[k]);
	}
	fftw_destroy_plan(m.forward);
	fftw_destroy_plan(m.backward);
	free(m.density);
	free(m.waves);
	return 0;
}
