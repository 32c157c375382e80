/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distance.c - how much two words differ. */
#include "base/text.h"

#include <string.h>

enum { LENGTH = 200 };

size_t ft__text_distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LENGTH), m = strnlen(b, LENGTH);
	size_t row[LENGTH + 1], i, j;

	for (j = 0; j <= m; j++)
		row[j] = j;
	for (i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= m; j++) {
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
			size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			diagonal = row[j];
			row[j] = replaced < shorter ? replaced : shorter;
		}
	}
	return row[m];
}
