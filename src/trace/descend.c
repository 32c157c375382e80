/* SPDX-License-Identifier: GPL-3.0-or-later */
/* descend.c - conjugate gradient over the times of the nodes (003 section 2.2; Polak & Ribiere 1969).
 *
 * Nodes of a steep piece move by a sample, others by hours: each is scaled by what F's curvature along it is
 * about, which a kink of slope change s between pieces of lengths g and h makes s^2 g h / (g + h).
 */
#include "trace/place.h"

#include <math.h>
#include <string.h>

enum { TRIES = 16 }; /* points of a line search */

/* The gradient divided by the curvature. */
static void scale_gradient(const struct ft__placing *w, double *out)
{
	out[0] = out[w->n - 1] = 0;
	for (size_t l = 1; l + 1 < w->n; l++) {
		const struct ft__span *a = &w->span[l - 1], *b = &w->span[l];
		double ma = (w->y[l] - w->y[l - 1]) / a->h, mb = (w->y[l + 1] - w->y[l]) / b->h;
		double between = a->h * b->h / (a->h + b->h), kink = (ma - mb) * (ma - mb) * between / 2;
		double square =
			ft__span_square(a, w->y[l - 1], w->y[l]) + ft__span_square(b, w->y[l], w->y[l + 1]);
		double curvature = kink + 0.1 * square / (between * between);

		out[l] = curvature > 0 ? w->g[l] / curvature : 0;
	}
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* How far along the direction the nodes keep their order, each gap at least a tenth of what it is. Nodes that
 * already touch and would close in move together. */
static double room_along(struct ft__placing *w)
{
	double least = ft__placing_gap(w->f), most = INFINITY;
	double *d = w->direction;

	for (size_t j = 0; j + 1 < w->n; j++) {
		double gap = w->x[j + 1] - w->x[j], closing = d[j] - d[j + 1];

		if (!(closing > 0))
			continue;
		if (gap <= 2 * least) {
			d[j] = d[j + 1] = j == 0 || j + 2 == w->n ? 0 : (d[j] + d[j + 1]) / 2;
			continue;
		}
		most = fmin(most, (gap - fmax(least, 0.1 * gap)) / closing);
	}
	for (size_t j = 0; j + 1 < w->n; j++) /* what moves together may now close in on others */
		if (d[j] > d[j + 1])
			most = fmin(most, fmax(0, w->x[j + 1] - w->x[j] - least) / (d[j] - d[j + 1]));
	return most;
}

/* Where a cubic through two values and slopes is least, within the middle four fifths. */
static double least_between(double a, double fa, double da, double b, double fb, double db)
{
	double h = b - a, theta = 3 * (fa - fb) / h + da + db, root = theta * theta - da * db, t = 0.5;

	if (root >= 0) {
		double gamma = copysign(sqrt(root), h);

		t = (gamma - da + theta) / (2 * gamma - da + db);
	}
	if (!(t > 0.1))
		t = 0.1;
	else if (!(t < 0.9))
		t = 0.9;
	return a + t * h;
}

/* Along place->direction from place->x: F falls as much as its slope promises, and the slope flattens to a
 * third (strong Wolfe conditions; Nocedal & Wright, 2nd ed., section 3.5). The workspace is left at the best
 * point seen. Returns whether F fell. */
static bool search_line(struct ft__placing *w, double most)
{
	size_t n = w->n;
	double f0 = w->square, d0 = dot(w->g, w->direction, n), low = 0, f_low = f0, d_low = d0;
	double high = INFINITY, f_high = 0, d_high = 0, at = fmin(1, most), best = 0, f_best = f0;
	double *from = w->scaled; /* the caller makes it anew */

	memcpy(from, w->x, n * sizeof *from);
	for (int i = 0; i < TRIES && at > 0; i++) {
		for (size_t j = 0; j < n; j++)
			w->try_x[j] = from[j] + at * w->direction[j];
		double now = ft__placing_look(w, w->try_x, n);
		double slope = dot(w->g, w->direction, n);
		if (now < f_best) {
			best = at;
			f_best = now;
		}
		bool far = !(now <= f0 + 1e-4 * at * d0) || now > f_low;
		if (!far && (fabs(slope) <= 0.3 * fabs(d0) || (at == most && slope < 0)))
			return true;
		if (far || slope > 0) {
			high = at;
			f_high = now;
			d_high = slope;
		} else {
			low = at;
			f_low = now;
			d_low = slope;
		}
		if (isinf(high))
			at = fmin(most, 3 * at);
		else
			at = least_between(low, f_low, d_low, high, f_high, d_high);
		if (!isinf(high) && fabs(high - low) < 1e-9 * high)
			break;
	}
	for (int i = 0; (size_t)i < n; i++)
		w->try_x[i] = from[i] + best * w->direction[i];
	(void)ft__placing_look(w, w->try_x, n);
	return f_best < f0;
}

double ft__placing_descend(struct ft__placing *w, int steps, double least)
{
	double *before = w->before, norm = 0;
	int idle = 0;
	size_t n;

	(void)ft__placing_look(w, w->x, w->n);
	n = w->n;
	for (int i = 0; i < steps && w->square > 0 && idle < 3; i++) {
		double was = w->square, beta = 0;

		scale_gradient(w, w->scaled);
		double next = dot(w->g, w->scaled, n);
		if (!(next > 0))
			break;
		if (i && norm > 0) /* Polak-Ribiere, begun anew where it would turn back */
			beta = fmax(0, (next - dot(before, w->scaled, n)) / norm);
		for (size_t j = 0; j < n; j++)
			w->direction[j] = -w->scaled[j] + beta * w->direction[j];
		if (dot(w->g, w->direction, n) >= 0)
			for (size_t j = 0; j < n; j++)
				w->direction[j] = -w->scaled[j];
		norm = next;
		memcpy(before, w->g, n * sizeof *before);
		if (!search_line(w, room_along(w))) {
			if (beta == 0)
				break;
			norm = 0; /* once more, straight downhill */
			continue;
		}
		idle = was - w->square <= least * was ? idle + 1 : 0;
	}
	return w->square;
}
