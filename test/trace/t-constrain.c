/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-constrain.c - admissible approximations and smoothed spikes: everything the document promises of them. */
#include "base/alloc.h"
#include "made.h"
#include "tap.h"
#include "trace/trace.h"

static struct made m;

/* Is every promise kept? Says which is not. */
static bool admissible(const struct ft_nodes *nodes, const double *keep, size_t n_keep)
{
	double range[2], size = made_range(&m);

	ft_pwl_range(m.f, range, NULL);
	if (nodes->t[0] != m.t[0] || nodes->t[nodes->n - 1] != m.t[m.n - 1]) {
		diag("the ends are not the curve's");
		return false;
	}
	for (size_t i = 0; i < nodes->n; i++) {
		if (fabs(nodes->y[i] - ft_pwl_at(m.f, nodes->t[i])) > 1e-9 * size) {
			diag("node %zu is not on the curve", i);
			return false;
		}
		if (nodes->y[i] < range[0] - 1e-12 * size || nodes->y[i] > range[1] + 1e-12 * size) {
			diag("node %zu leaves the range", i);
			return false;
		}
		if (!i)
			continue;
		double h = nodes->t[i] - nodes->t[i - 1];
		struct ft_pwl_line line = ft_pwl_line(m.f, nodes->t[i - 1], nodes->t[i]);
		double area = (nodes->y[i] / 2 + nodes->y[i - 1] / 2) * h;
		if (!(h > 0) || fabs(area - line.mean * h) > 1e-9 * (fabs(line.mean) + 1e-3 * size) * h) {
			diag("piece %zu does not keep the area: %.15g, %.15g", i, area, line.mean * h);
			return false;
		}
		if (fabs(nodes->y[i] - nodes->y[i - 1] - line.slope * h) > 1e-9 * size) {
			diag("piece %zu is not the best line", i);
			return false;
		}
	}
	for (size_t k = 0; k < n_keep; k++)
		if (fabs(ft_nodes_at(nodes, keep[k]) - ft_pwl_at(m.f, keep[k])) > 1e-9 * size) {
			diag("%.15g is not kept", keep[k]);
			return false;
		}
	return true;
}

static void by_hand(void)
{
	/* An odd zigzag about 0 may be replaced by the axis: from the middle of its first rise on. */
	const double t[] = {0, 1, 2, 3, 4, 5, 6}, zigzag[] = {0, 1, -1, 1, -1, 1, 0},
		     ramp[] = {0, 1, 2, 3, 4, 5, 6}, bow[] = {0, 5, 8, 9, 8, 5, 0};
	struct ft_nodes nodes;

	made_points(&m, t, ramp, 7);
	(void)ft_pwl_constrain(&nodes, m.f, NULL, 0, 1, NULL);
	ok(nodes.n == 2 && nodes.y[1] == 6, "points on a line go");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
	made_points(&m, t, bow, 7);
	(void)ft_pwl_constrain(&nodes, m.f, NULL, 0, 1, NULL);
	ok(nodes.n == 7 && !memcmp(nodes.t, m.t, sizeof t) && !memcmp(nodes.y, m.y, sizeof bow),
	   "of a bow nothing can be removed: it is returned itself");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
	made_points(&m, t, zigzag, 7);
	(void)ft_pwl_constrain(&nodes, m.f, NULL, 0, 1, NULL);
	ok(nodes.n < 7 && admissible(&nodes, NULL, 0), "a zigzag becomes %zu nodes", nodes.n);
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
	made_points(&m, t, (const double[]){2, 2, 2, 2, 2, 2, 2}, 7);
	(void)ft_pwl_constrain(&nodes, m.f, NULL, 0, 1, NULL);
	ok(nodes.n == 2, "a constant is two nodes");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
}

static void promises(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_long_cases(300), bad = 0, i;
	double removed = 0;

	for (i = 0; i < cases; i++) {
		double keep[8],
			lambda = 1 + 9 * ft_random_uniform(&random) * (double)ft_random_below(&random, 2);
		size_t n_keep = ft_random_below(&random, 9), k;
		struct ft_nodes nodes;

		made_random(&m, &random, 2 + ft_random_below(&random, 300));
		for (k = 0; k < n_keep; k++)
			keep[k] = ft_random_below(&random, 2)
					  ? m.t[ft_random_below(&random, m.n)]
					  : m.t[0] + ft_random_uniform(&random) * (m.t[m.n - 1] - m.t[0]);
		if (ft_pwl_constrain(&nodes, m.f, keep, n_keep, lambda, NULL) ||
		    !admissible(&nodes, keep, n_keep)) {
			bad++;
			diag("case %d: %zu points, lambda %g, %zu to keep", i, m.n, lambda, n_keep);
		}
		removed += 1 - (double)nodes.n / (double)m.n;
		ft_nodes_clear(&nodes);
		ft_pwl_free(m.f);
	}
	ok(!bad, "%d random curves: on the curve at nodes and P, best lines, areas, range", cases);
	ok(removed / cases > 0.3, "and %.0f %% of the points go", 100 * removed / cases);
}

/* Waves, bows, walks, spikes and noise, one behind the other. */
static void made_mixed(struct ft_random *random, size_t n)
{
	double scale = 1, bow = 0, walk = 0;
	size_t kind = 0, begin = 0;

	m.n = n;
	for (size_t i = 0; i < n; i++) {
		double u = (double)(i - begin) / 200;

		if (i == 0 || ft_random_below(random, 150) == 0) {
			kind = ft_random_below(random, 6);
			scale = exp(3 * ft_random_uniform(random) - 2);
			bow = ft_random_normal(random);
			begin = i;
			u = 0;
		}
		walk += ft_random_normal(random);
		m.t[i] = i ? m.t[i - 1] + 0.1 + ft_random_uniform(random) : 0;
		m.y[i] = bow * u + (kind == 0   ? scale * u * u
				    : kind == 1 ? scale * (i % 2 ? 1 : -1)
				    : kind == 2 ? scale * (i % 10 == 0)
				    : kind == 3 ? scale * ft_random_normal(random)
				    : kind == 4 ? 0.1 * scale * walk
						: scale * sin(20 * u));
	}
	m.y[0] = 0; /* curves count from their first point */
	m.f = NULL;
	(void)ft_pwl_new(&m.f, m.t, m.y, n, NULL);
}

static bool line_to(const struct ft__sieve *v, struct ft__xy from, size_t first, size_t j, struct ft__xy *a,
		    struct ft__xy *b)
{
	const struct ft__stretch s = {.left = {from, {m.t[first], m.y[first]}},
				      .right = {{m.t[j], m.y[j]}, {m.t[j + 1], m.y[j + 1]}},
				      .inner = ft__pwl_span(m.f, m.t[first], m.t[j]),
				      .size = v->size};

	return ft__admissible(&s, a, b);
}

/* The last piece before `end` to which there is a line, of all or of those that the sieve leaves; `first`:
 * none. A line to the very next piece is of no interest. */
static size_t last_of_all(const struct ft__sieve *v, struct ft__xy from, size_t first, size_t end)
{
	struct ft__xy a, b;

	while (--end > first)
		if (line_to(v, from, first, end, &a, &b))
			return end;
	return first;
}

static size_t last_of_sieve(const struct ft__sieve *v, struct ft__xy from, size_t first, size_t end)
{
	struct ft__xy a, b;

	while (ft__sieve_before(v, from, first, end, &end) && end > first)
		if (line_to(v, from, first, end, &a, &b))
			return end;
	return first;
}

static void farthest(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_long_cases(60), bad = 0, found = 0, i, k;

	for (i = 0; i < cases; i++) {
		struct ft__sieve v = {.x = m.t, .y = m.y};

		made_mixed(&random, 4 + ft_random_below(&random, 1200));
		v.n = m.n;
		v.size = made_range(&m);
		FT_ARENA(arena);
		bad += ft__sieve_init(&v, &arena, NULL) != FT_OK;
		for (k = 0; k < 8; k++) {
			size_t first = 1 + ft_random_below(&random, m.n - 2), one, two;
			size_t end = first + 1 + ft_random_below(&random, m.n - 1 - first);
			double share = ft_random_below(&random, 3) ? ft_random_uniform(&random) : 1;
			struct ft__xy from = {m.t[first] - share * (m.t[first] - m.t[first - 1]),
					      m.y[first] - share * (m.y[first] - m.y[first - 1])};

			one = last_of_all(&v, from, first, end);
			two = last_of_sieve(&v, from, first, end);
			found += one > first;
			bad += one != two;
			if (one != two)
				diag("case %d: %zu points, from %zu before %zu: %zu, %zu", i, m.n, first, end,
				     one, two);
		}
		ft_pwl_free(m.f);
	}
	ok(!bad && found > cases, "what is passed over holds no line (%d of %d do)", found, 8 * cases);
}

/* From each left end no more than some pieces are tried, also where a bow ends in spikes, far from the origin
 * too. */
static void few_are_tried(void)
{
	enum { EACH = 4 };
	struct ft__sieve v = {.x = m.t, .y = m.y, .n = MADE_MOST, .size = 2};
	size_t tried = 0;

	for (size_t first = 0; first < MADE_MOST; first++) {
		double u = (double)first / MADE_MOST;

		m.t[first] = 1e6 + (double)first;
		m.y[first] = u < 0.5 ? -4 * u * u : (double)(first % 50 == 0);
	}
	FT_ARENA(arena);
	(void)ft__sieve_init(&v, &arena, NULL);
	for (size_t first = 1; first < MADE_MOST / 2; first++) {
		const struct ft__xy from = {m.t[first - 1], m.y[first - 1]};
		size_t piece = MADE_MOST - 1;

		while (ft__sieve_before(&v, from, first, piece, &piece))
			tried++;
	}
	ok(tried < (size_t)EACH * MADE_MOST / 2, "few pieces are tried: %.1f from each left end",
	   (double)tried / (MADE_MOST / 2.0));
}

/* ---- spikes -------------------------------------------------------------------------------------------- */

static bool keeps_both(double a, double ya, double b, double yb, double w, double y, double size)
{
	double left = ft_pwl_integral(m.f, a, w), right = ft_pwl_integral(m.f, w, b);

	return fabs((ya + y) / 2 * (w - a) - left) < 1e-9 * size * (b - a) &&
	       fabs((yb + y) / 2 * (b - w) - right) < 1e-9 * size * (b - a);
}

static void spikes_by_hand(void)
{
	/* a symmetric hat of area 2 on a base of 0 from 0 to 4: its node is the hat's own */
	const double t[] = {0, 1, 2, 3, 4}, hat[] = {0, 0, 2, 0, 0}, flat[] = {1, 1, 1, 1, 1},
		     odd[] = {0, 1, 0, -1, 0};
	double w, y;

	made_points(&m, t, hat, 5);
	ok(ft_pwl_smooth(m.f, 0, 0, 4, 0, &w, &y) && near(w, 2, 1e-12) && near(y, 1, 1e-12),
	   "a hat of area 2 over 0..4 becomes one of height 1");
	ft_pwl_free(m.f);
	made_points(&m, t, flat, 5);
	ok(!ft_pwl_smooth(m.f, 0, 1, 4, 1, &w, &y) && isnan(w), "nothing above the line: the line");
	ft_pwl_free(m.f);
	made_points(&m, t, odd, 5);
	ok(!ft_pwl_smooth(m.f, 0, 0, 4, 0, &w, &y) && isnan(w), "as much above as below: the line");
	ft_pwl_free(m.f);
}

static void spikes(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_long_cases(500), bad = 0, none = 0, i;

	for (i = 0; i < cases; i++) {
		double w, y;

		made_random(&m, &random, 4 + ft_random_below(&random, 60));
		size_t a = ft_random_below(&random, m.n - 3);
		size_t b = a + 3 + ft_random_below(&random, m.n - 3 - a);
		if (!ft_pwl_smooth(m.f, m.t[a], m.y[a], m.t[b], m.y[b], &w, &y))
			none += fabs(ft_pwl_integral(m.f, m.t[a], m.t[b]) -
				     (m.y[a] / 2 + m.y[b] / 2) * (m.t[b] - m.t[a])) >
				(1e-6 * made_range(&m) + 1e-12) * (m.t[b] - m.t[a]);
		else if (!(w > m.t[a] && w < m.t[b]) ||
			 !keeps_both(m.t[a], m.y[a], m.t[b], m.y[b], w, y, fmax(made_range(&m), fabs(y)))) {
			bad++;
			diag("case %d: from %.15g to %.15g: %.15g, %.15g", i, m.t[a], m.t[b], w, y);
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "%d random spikes: both areas are kept", cases);
	ok(!none, "and there is a node wherever there is an area (%d without)", none);
}

static void in_models(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_long_cases(100), bad = 0, found = 0, i;

	for (i = 0; i < cases; i++) {
		const struct ft_pwl_stretch search = {NAN, NAN};
		const struct ft_curves curves = {.part = &m.f, .n = 1};
		struct ft_curves_fit fit;
		double range[2], keep[2];

		made_random(&m, &random, 100 + ft_random_below(&random, 400));
		keep[0] = m.t[m.n / 3];
		keep[1] = m.t[m.n / 2];
		(void)ft_curves_constrain(&fit, &curves, &(struct ft_curves_wish){keep, 2, 8, &search, 1},
					  NULL);
		ft_pwl_range(m.f, range, NULL);
		found += (int)fit.n_spikes;
		bad += !near(fit.error.area, fit.error.area_data, 1e-9);
		bad += fit.error.least < range[0] || fit.error.most > range[1];
		for (size_t j = 0; j < 2; j++)
			bad += fabs(ft_nodes_at(&fit.nodes, keep[j]) - ft_pwl_at(m.f, keep[j])) > 1e-9;
		for (size_t j = 1; j < fit.nodes.n; j++)
			bad += !(fit.nodes.t[j] > fit.nodes.t[j - 1]);
		ft_curves_fit_clear(&fit);
		ft_pwl_free(m.f);
	}
	ok(found > cases && !bad, "%d spikes found in models: area, range and P are kept", found);
}

static void bad_input(void)
{
	const double t[] = {0, 1, 2, 3}, y[] = {0, 4, 1, 2}, outside[] = {1, 3.5};
	struct ft_pwl_spike spike;
	struct ft_err err = {0};
	struct ft_nodes nodes;

	made_points(&m, t, y, 4);
	ok(ft_pwl_constrain(&nodes, m.f, outside, 2, 1, &err) == FT_EINVAL && strstr(err.text, "3.5") &&
		   !nodes.t,
	   "P outside the range");
	ok(ft_pwl_constrain(&nodes, m.f, NULL, 0, 0.5, &err) == FT_EINVAL && strstr(err.text, "lambda"),
	   "lambda < 1");
	ok(ft_pwl_constrain(&nodes, m.f, NULL, 0, NAN, &err) == FT_EINVAL, "lambda that is no number");
	(void)ft_pwl_constrain(&nodes, m.f, NULL, 0, 1, &err);
	ok(ft_nodes_smooth(&nodes, m.f, 2, 1, &spike, &err) == FT_EINVAL, "an interval that goes back");
	ok(ft_nodes_smooth(&nodes, m.f, 1, 9, &spike, &err) == FT_EINVAL, "an interval outside");
	ft_nodes_clear(&nodes);
	ft_pwl_free(m.f);
}

static void faults(void)
{
	struct ft_random random = {test_seed()};
	bool good = true, failed = true;
	unsigned long k;

	made_random(&m, &random, 80);
	for (k = 1; failed && k < 100; k++) {
		struct ft_nodes nodes = {0};

		(void)ft_alloc_fail_at(k);
		enum ft_status status = ft_pwl_constrain(&nodes, m.f, m.t, 3, 2, NULL);
		failed = status != FT_OK;
		good = good && (status == FT_OK || status == FT_ENOMEM);
		ft_nodes_clear(&nodes);
	}
	(void)ft_alloc_fail_at(0);
	ok(good && k > 4 && k < 100, "%lu allocations: each may fail", k - 2);
	ft_pwl_free(m.f);
}

int main(void)
{
	by_hand();
	promises();
	farthest();
	few_are_tried();
	spikes_by_hand();
	spikes();
	in_models();
	bad_input();
	faults();
	return done();
}
