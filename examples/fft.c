/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fft.c - the discrete Fourier transform of n complex numbers, bare; called once, or as often as is said. */
#include "fft.h"

int main(int argc, char **argv)
{
	size_t n = argc == 3 ? example_size_at(argc, argv, 1, "n calls") : example_size(argc, argv);
	size_t calls = argc == 3 ? example_size_at(argc, argv, 2, "n calls") : 1, i;
	struct ft_probe probe = FT_PROBE_INIT;

	if (n & (n - 1))
		ft_probe_invalid();
	struct number *x = make_numbers(n);
	struct number *out = make_numbers(n);
	struct number *root = make_roots(n);
	for (i = 0; i < calls; i++) {
		ft_probe_start(&probe);
		transform(n, 1, x, root, out);
		ft_probe_stop(&probe);
	}
	ft_probe_report("fft", 5 * (double)calls * (double)n * log2((double)n), &probe);

	/* Parseval */
	example_check(fabs(energy(n, out) / (double)n - energy(n, x)) <= 1e-9 * energy(n, x), "fft");
	free(x);
	free(out);
	free(root);
	return 0;
}
