# SPDX-License-Identifier: GPL-3.0-or-later
"""Three programs of the live bench: an interpreter's loop, a JSON round trip, singular values.

usage: python3 subject.py collatz|json|svd n
"""
import json
import math
import sys


def longest_collatz(n):
    best = (0, 0)
    known = {1: 1}
    for start in range(1, n + 1):
        path = []
        at = start
        while at not in known:
            path.append(at)
            at = at // 2 if at % 2 == 0 else 3 * at + 1
        length = known[at]
        for at in reversed(path):
            length += 1
            known[at] = length
        best = max(best, (known[start], start))
    return best


def round_trip(n):
    records = [{"id": i, "name": "name %d" % (i * 7919 % 10007), "at": i / 7, "tags": ["a", str(i % 13), None]}
               for i in range(n)]
    assert json.loads(json.dumps(records)) == records
    return len(records)


def largest_singular_value(n):
    """One-sided Jacobi (Hestenes 1958): columns are rotated until they are orthogonal."""
    columns = [[((i * 1103 + j * 7919) % 1009) / 1009 + (i == j) for i in range(n)] for j in range(n)]
    turned = True
    while turned:
        turned = False
        for p in range(n - 1):
            for q in range(p + 1, n):
                a, b = columns[p], columns[q]
                pp = sum(x * x for x in a)
                qq = sum(x * x for x in b)
                pq = sum(x * y for x, y in zip(a, b))
                if abs(pq) <= 1e-9 * math.sqrt(pp * qq):
                    continue
                turned = True
                zeta = (qq - pp) / (2 * pq)
                t = math.copysign(1, zeta) / (abs(zeta) + math.sqrt(1 + zeta * zeta))
                c = 1 / math.sqrt(1 + t * t)
                s = c * t
                columns[p] = [c * x - s * y for x, y in zip(a, b)]
                columns[q] = [s * x + c * y for x, y in zip(a, b)]
    return max(math.sqrt(sum(x * x for x in column)) for column in columns)


KINDS = {"collatz": longest_collatz, "json": round_trip, "svd": largest_singular_value}
if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
    sys.exit("usage: subject.py " + "|".join(KINDS) + " n")
print(KINDS[sys.argv[1]](int(sys.argv[2])))
