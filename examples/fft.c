/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fft.c - the discrete Fourier transform of n complex numbers, bare. */
#include "fft.h"

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv);
	struct number *x, *root, *out;
	struct ft_probe probe = FT_PROBE_INIT;

	if (n & (n - 1))
		ft_probe_invalid();
	x = make_numbers(n);
	out = make_numbers(n);
	root = make_roots(n);
	ft_probe_start(&probe);
	transform(n, 1, x, root, out);
	ft_probe_stop(&probe);
	ft_probe_report("fft", 5 * (double)n * log2((double)n), &probe);

	/* Parseval */
	example_check(fabs(energy(n, out) / (double)n - energy(n, x)) <= 1e-9 * energy(n, x), "fft");
	free(x);
	free(out);
	free(root);
	return 0;
}
