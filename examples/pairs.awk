# SPDX-License-Identifier: GPL-3.0-or-later
# The least distance between any two of n random points: awk -v n=1000 -f pairs.awk
BEGIN {
	for (i = 1; i <= n; i++) {
		x[i] = rand()
		y[i] = rand()
	}
	least = 2
	for (i = 1; i <= n; i++)
		for (j = 1; j < i; j++) {
			d = (x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2
			if (i != j && d < least)
				least = d
		}
	print sqrt(least)
}
