# SPDX-License-Identifier: GPL-3.0-or-later
# The least distance between any two of n random points: all pairs are looked at.
import random
import sys

n = int(sys.argv[1])
points = [(random.random(), random.random()) for _ in range(n)]
print(min((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for i, a in enumerate(points) for b in points[:i]))
