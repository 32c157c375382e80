/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product.c - rows of a product of matrices: the share of one processor. product ROWS: ROWS x 400 times 400 x
 * 400. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 400 };

int main(int argc, char **argv)
{
	static double b[SIDE][SIDE], row[SIDE], out[SIDE];
	long rows = argc > 1 ? atol(argv[1]) : 0, r;
	double sum = 0;

	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			b[i][j] = (double)((i * 7 + j * 3) % 11);
	for (r = 0; r < rows; r++) {
		for (int j = 0; j < SIDE; j++)
			out[j] = 0;
		for (int i = 0; i < SIDE; i++) {
			row[i] = (double)((r + i) % 5);
			for (int j = 0; j < SIDE; j++)
				out[j] += row[i] * b[i][j];
		}
		sum += out[r % SIDE];
	}
	fprintf(stderr, "%g\n", sum);
	return rows > 0 ? 0 : 2;
}
