/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectrum.c - the transform of fft.c inside a larger program, as document 002's case study has it: a signal
 * that another one wrote to a file as text is read, transformed, and its spectrum is written as text. This is
 * what it reports; of `spectrum n inner` the transform alone. */
#include "fft.h"

#include <stdbool.h>

static void write_signal(FILE *file, size_t n, const struct number *x)
{
	for (size_t i = 0; i < n; i++)
		fprintf(file, "%.9e %.9e\n", x[i].re, x[i].im);
	example_check(!fflush(file) && !ferror(file), "spectrum: cannot write");
}

static void read_signal(FILE *file, size_t n, struct number *x)
{
	char line[128], *end;

	rewind(file);
	for (size_t i = 0; i < n; i++) {
		example_check(fgets(line, sizeof line, file) != NULL, "spectrum: cannot read");
		x[i].re = strtod(line, &end);
		x[i].im = strtod(end, NULL);
	}
}

int main(int argc, char **argv)
{
	bool inner = argc == 3;
	size_t n = inner ? example_size_at(argc, argv, 1, "n inner") : example_size(argc, argv);
	struct ft_probe module = FT_PROBE_INIT, fft = FT_PROBE_INIT;
	FILE *input = tmpfile(), *output = tmpfile();

	if (n & (n - 1))
		ft_probe_invalid();
	example_check(input && output, "spectrum: no temporary file");
	struct number *x = make_numbers(n);
	write_signal(input, n, x);
	if (!inner)
		ft_probe_start(&module);
	read_signal(input, n, x);
	struct number *out = make_numbers(n);
	struct number *root = make_roots(n);
	if (inner)
		ft_probe_start(&fft);
	transform(n, 1, x, root, out);
	if (inner)
		ft_probe_stop(&fft);
	write_signal(output, n, out);
	if (!inner)
		ft_probe_stop(&module);
	ft_probe_report(inner ? "fft" : "module", 5 * (double)n * log2((double)n), inner ? &fft : &module);
	example_check(fabs(energy(n, out) / (double)n - energy(n, x)) <= 1e-9 * energy(n, x), "spectrum");
	fclose(input);
	fclose(output);
	free(x);
	free(out);
	free(root);
	return 0;
}
