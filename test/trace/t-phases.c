/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-phases.c - phases of made programs: found where they are, named alike, work shared out. */
#include "base/alloc.h"
#include "made.h"
#include "tap.h"

static struct made m;

/* Idle, two equal steps of a main loop with a serial part between, a decline, idle again. */
static double program_at(double t)
{
	return t < 100   ? 0
	       : t < 300 ? 60
	       : t < 330 ? 1
	       : t < 530 ? 60
	       : t < 700 ? 40 - 30 * (t - 530) / 170
			 : 0;
}

static void made_program(double noise)
{
	struct ft_random random = {test_seed()};

	m.n = 1601;
	for (size_t i = 0; i < m.n; i++) {
		double y = program_at(0.5 * (double)i);

		m.t[i] = 0.5 * (double)i;
		m.y[i] = y > 0 ? fmax(0, y + noise * ft_random_normal(&random)) : 0;
	}
	ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
}

static void program(double noise)
{
	static const double begin[] = {0, 100, 300, 330, 530, 700}, level[] = {0, 60, 1, 60, 25, 0};
	struct ft_phases p;
	double worst = 0, off = 0, share = 0;

	made_program(noise);
	(void)ft_pwl_phases(&p, m.f, 0, NULL);
	ok(p.n == 6, "noise %g: six phases (%zu)", noise, p.n);
	for (size_t i = 0; i < p.n && i < 6; i++) {
		worst = fmax(worst, fabs(p.phase[i].begin - begin[i]));
		off = fmax(off, fabs(p.phase[i].level - level[i]));
	}
	for (size_t i = 0; i < p.n; i++)
		share += p.phase[i].share;
	ok(worst < 2, "they begin where they do (%.2g s off)", worst);
	ok(off < 2, "at their levels (%.2g off)", off);
	ok(near(p.work, ft_pwl_integral(m.f, 0, 800), 1e-12) && near(share, 1, 1e-12),
	   "the work is that of the trace");
	if (p.n == 6) {
		ok(!strcmp(p.phase[1].name, "A") && !strcmp(p.phase[3].name, "A"),
		   "the loop's steps have one name, A");
		ok(!strcmp(p.phase[0].name, p.phase[5].name) && strcmp(p.phase[0].name, "A") != 0,
		   "idle ones another: %s", p.phase[0].name);
		ok(!strcmp(p.phase[0].text, "idle"), "idle is called so");
		ok(strstr(p.phase[1].text, "steady at") && strstr(p.phase[1].text, "abrupt rise"),
		   "steady, after a rise: %s", p.phase[1].text);
		ok(strstr(p.phase[4].text, "falls from"), "a decline: %s", p.phase[4].text);
	}
	ft_phases_clear(&p);
	ft_pwl_free(m.f);
}

static void edges(void)
{
	const double t[] = {0, 1, 2}, y[] = {3, 3, 3}, zero[] = {0, 0, 0};
	struct ft_phases p;
	bool good = true;

	made_points(&m, t, y, 3);
	ok(!ft_pwl_phases(&p, m.f, 0, NULL) && p.n == 1 && !strcmp(p.phase[0].text, "constant") &&
		   p.phase[0].level == 3,
	   "a constant is one phase");
	ft_phases_clear(&p);
	ft_pwl_free(m.f);
	made_points(&m, t, zero, 2);
	ok(!ft_pwl_phases(&p, m.f, 0, NULL) && p.n == 1 && isnan(p.phase[0].share),
	   "without work there are no shares");
	ft_phases_clear(&p);
	ft_pwl_free(m.f);
	made_program(2);
	(void)ft_pwl_phases(&p, m.f, 3, NULL);
	ok(p.n <= 3 && p.n > 1, "no more than asked: %zu", p.n);
	for (size_t i = 1; i < p.n; i++)
		good = good && p.phase[i].begin == p.phase[i - 1].end;
	ok(good && p.phase[0].begin == 0 && p.phase[p.n - 1].end == 800, "they fill the time");
	ft_phases_clear(&p);
	ft_pwl_free(m.f);
}

static void faults(void)
{
	bool good = true, failed = true;
	unsigned long k;

	made_program(1);
	for (k = 1; failed && k < 200; k++) {
		struct ft_phases p;

		(void)ft_alloc_fail_at(k);
		enum ft_status status = ft_pwl_phases(&p, m.f, 0, NULL);
		failed = status != FT_OK;
		good = good && (status == FT_OK || (status == FT_ENOMEM && !p.phase));
		ft_phases_clear(&p);
	}
	(void)ft_alloc_fail_at(0);
	ok(good && k > 10 && k < 200, "%lu allocations: each may fail", k - 2);
	ft_pwl_free(m.f);
}

/* Noise about one level is one phase, as a rule; a step beside it stays. */
static void noise_alone(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(test_sanitized() ? 10 : 40), one = 0, two = 0, i;

	for (i = 0; i < 2 * cases; i++) {
		double step = i % 2 ? 20 : 0;
		struct ft_phases p;

		m.n = 600;
		for (size_t k = 0; k < m.n; k++) {
			m.t[k] = (double)k;
			m.y[k] = 50 + (k >= 240 ? step : 0) + 3 * ft_random_normal(&random);
		}
		(void)ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
		(void)ft_pwl_phases(&p, m.f, 0, NULL);
		one += !(i % 2) && p.n == 1;
		two += i % 2 && p.n == 2 && fabs(p.phase[1].begin - 239.5) < 2;
		ft_phases_clear(&p);
		ft_pwl_free(m.f);
	}
	ok(10 * one >= 7 * cases, "noise is one phase (%d of %d)", one, cases);
	ok(10 * two >= 9 * cases, "with a step two (%d of %d)", two, cases);
}

/* Levels with noise of one deviation: normal, uniform, of Laplace, and with neighbours alike. */
static double noise_of(struct ft_random *random, int kind)
{
	static double before = 0;
	double u = ft_random_uniform(random) - 0.5;

	if (kind == 3)
		return before = 0.6 * before + 0.8 * ft_random_normal(random);
	if (kind == 1)
		return sqrt(12) * u;
	return kind ? copysign(log(1 - 2 * fabs(u)), -u) / sqrt(2) : ft_random_normal(random);
}

/* Edges stand between the rows where the level changes, and no row of noise is a spike. */
static void sharp(void)
{
	static const struct {
		size_t rows, levels;
		double level[5], deviation;
	} of[] = {{400, 3, {10, 80, 30}, 4}, {600, 4, {50, 20, 90, 40}, 4}, {1500, 2, {0, 100}, 6}};
	struct ft_random random = {test_seed()};

	for (int kind = 0; kind < 4; kind++)
		for (int shape = 0; shape < 3; shape++) {
			size_t rows = of[shape].rows, levels = of[shape].levels, off = 0, invented = 0;
			int cases = test_long_cases(kind || shape ? 15 : 60);
			int most = (cases + 59) / 60;

			for (int i = 0; i < cases; i++) {
				size_t begin[6] = {0};
				struct ft_spikes up = {0}, down = {0};
				struct ft_phases p;

				for (size_t j = 1; j < levels; j++)
					begin[j] = (4 * j - 1) * rows / (4 * levels) +
						   ft_random_below(&random, rows / (2 * levels));
				begin[levels] = m.n = rows;
				for (size_t j = 0; j < levels; j++)
					for (size_t k = begin[j]; k < begin[j + 1]; k++) {
						m.t[k] = 0.5 * (double)k;
						m.y[k] = of[shape].level[j] +
							 of[shape].deviation * noise_of(&random, kind);
					}
				(void)ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
				(void)ft_pwl_phases(&p, m.f, 0, NULL);
				(void)ft_pwl_spikes(&up, m.f, &p, false, NULL);
				(void)ft_pwl_spikes(&down, m.f, &p, true, NULL);
				for (size_t j = 1; j < levels; j++)
					off += p.n != levels ||
					       fabs(p.phase[j].begin - 0.5 * ((double)begin[j] - 0.5)) > 0.25;
				invented += up.n + down.n;
				ft_spikes_clear(&up);
				ft_spikes_clear(&down);
				ft_phases_clear(&p);
				ft_pwl_free(m.f);
			}
			ok(off <= 2 * (size_t)most && invented <= (kind == 2 ? 3 : 1) * (size_t)most,
			   "%d traces of %zu levels, noise %d: %zu edges beside the jump, %zu spikes that "
			   "are none",
			   cases, levels, kind, off, invented);
		}
}

/* Busy in the middle; memory from there on, in another unit: three phases, cut in both. */
static void together(void)
{
	static double t[600], busy[600], rss[600], flat[600];
	struct ft_random random = {test_seed()};
	struct ft_pwl *f[3] = {NULL, NULL, NULL};
	struct ft_phases p[3];

	for (size_t i = 0; i < 600; i++) {
		t[i] = (double)i;
		busy[i] = (i >= 200 && i < 400 ? 8 : 1) + 0.5 * ft_random_normal(&random);
		rss[i] = 1e9 * (i >= 400 ? 3 : 1) + 2e7 * ft_random_normal(&random);
		flat[i] = 100 + 5 * ft_random_normal(&random);
	}
	if (ft_pwl_new(&f[0], t, busy, 600, NULL) || ft_pwl_new(&f[1], t, rss, 600, NULL) ||
	    ft_pwl_new(&f[2], t, flat, 600, NULL) ||
	    ft_pwl_phases_together(p, (const struct ft_pwl *const *)f, 3, 0, NULL)) {
		ok(false, "no phases together");
		return;
	}
	ok(p[0].n == 3 && p[1].n == 3 && p[2].n == 3, "three phases of three curves: %zu", p[0].n);
	if (p[0].n == 3) {
		ok(fabs(p[0].phase[1].begin - 199.5) < 2 && p[1].phase[1].begin == p[0].phase[1].begin &&
			   fabs(p[2].phase[2].begin - 399.5) < 2,
		   "cut where either changes, in all: %g, %g", p[0].phase[1].begin, p[2].phase[2].begin);
		ok(fabs(p[0].phase[1].level - 8) < 0.3 && fabs(p[1].phase[1].level - 1e9) < 3e7 &&
			   fabs(p[1].phase[2].level - 3e9) < 3e7,
		   "each curve has its own level: %g, %g, %g", p[0].phase[1].level, p[1].phase[1].level,
		   p[1].phase[2].level);
		ok(strcmp(p[0].phase[0].name, p[0].phase[1].name) != 0 &&
			   strcmp(p[0].phase[0].name, p[0].phase[2].name) != 0 &&
			   !strcmp(p[0].phase[2].name, p[1].phase[2].name),
		   "one name where all are alike: %s %s %s", p[0].phase[0].name, p[0].phase[1].name,
		   p[0].phase[2].name);
	}
	for (size_t i = 0; i < 3; i++) {
		ft_phases_clear(&p[i]);
		ft_pwl_free(f[i]);
	}
}

/* A step of four deviations in one of three columns, in few rows: rows of noise are no chain of changes. */
static void few_rows(void)
{
	static double t[100], y[3][100];
	struct ft_random random = {test_seed()};
	int cases = test_cases(test_quick() || test_sanitized() ? 2 : 8), flat = 0, step = 0, i, k, r;

	for (i = 0; i < 2 * cases; i++) {
		struct ft_pwl *f[3] = {NULL, NULL, NULL};
		struct ft_phases p[3];

		for (r = 0; r < 100; r++)
			for (t[r] = r, k = 0; k < 3; k++)
				y[k][r] = 50 + pow(10, k) * ft_random_normal(&random) +
					  (i % 2 && !k && r >= 40 ? 4 : 0);
		for (k = 0; k < 3; k++)
			(void)ft_pwl_new(&f[k], t, y[k], 100, NULL);
		(void)ft_pwl_phases_together(p, (const struct ft_pwl *const *)f, 3, 0, NULL);
		flat += !(i % 2) && p[0].n == 1;
		step += i % 2 && p[0].n == 2 && fabs(p[0].phase[1].begin - 39.5) < 4;
		for (k = 0; k < 3; k++) {
			ft_phases_clear(&p[k]);
			ft_pwl_free(f[k]);
		}
	}
	ok(flat >= cases - 1 - cases / 4 && step >= cases - 1 - cases / 4,
	   "100 rows of three columns: flat %d, a step in one %d, of %d", flat, step, cases);
}

/* What is in one unit or in another is the same. */
static void units(void)
{
	static double a[1601], b[1601];
	struct ft_pwl *f[2];
	struct ft_phases p[2], q;

	made_program(2);
	(void)ft_pwl_phases(&q, m.f, 0, NULL);
	for (size_t i = 0; i < m.n; i++) {
		a[i] = m.y[i];
		b[i] = 1e6 * m.y[i];
	}
	(void)ft_pwl_new(&f[0], m.t, a, m.n, NULL);
	(void)ft_pwl_new(&f[1], m.t, b, m.n, NULL);
	(void)ft_pwl_phases_together(p, (const struct ft_pwl *const *)f, 2, 0, NULL);
	ok(p[0].n == q.n && p[1].n == q.n, "twice the same: %zu phases as of one, %zu", p[0].n, q.n);
	for (size_t i = 0; i < 2; i++) {
		ft_phases_clear(&p[i]);
		ft_pwl_free(f[i]);
	}
	ft_phases_clear(&q);
	ft_pwl_free(m.f);
}

/* Columns with values at other times. */
static void meet(void)
{
	static const char text[] = "t,a,b\n0,1,\n1,2,10\n2,,20\n3,4,30\n4,5,40\n5,6,\n";
	const struct ft_trace_format of_a = {.value = "a"}, of_b = {.value = "b"};
	struct ft_trace trace[2] = {{0}, {0}};
	struct ft_err err = {0};
	bool good = true;

	if (ft_trace_parse(&trace[0], "x", text, sizeof text - 1, &of_a, NULL) ||
	    ft_trace_parse(&trace[1], "x", text, sizeof text - 1, &of_b, NULL))
		diag("not read");
	for (unsigned long k = 1; k <= 5; k++) {
		(void)ft_alloc_fail_at(k);
		good = good && ft_traces_meet(trace, 2, NULL) == FT_ENOMEM && trace[0].n == 5;
	}
	(void)ft_alloc_fail_at(0);
	ok(good, "without memory they stay as they are");
	ok(!ft_traces_meet(trace, 2, NULL) && trace[0].n == 4 && trace[1].n == 4 && trace[0].t[0] == 1 &&
		   trace[0].y[1] == 3 && trace[1].y[1] == 20 && trace[1].t[3] == 4 && trace[1].y[3] == 40,
	   "the times of both, a gap in one is a straight line");
	trace[1].n_parts = 2;
	ok(ft_traces_meet(trace, 2, &err) == FT_EINVAL && strstr(err.text, "in parts"), "%s", err.text);
	trace[1].n_parts = 1;
	for (unsigned long k = 0; k < 4; k++)
		trace[1].t[k] += 10;
	ok(ft_traces_meet(trace, 2, &err) == FT_EINVAL && strstr(err.text, "no time in common"), "%s",
	   err.text);
	ft_trace_clear(&trace[0]);
	ft_trace_clear(&trace[1]);
}

int main(void)
{
	together();
	units();
	few_rows();
	meet();
	sharp();
	if (!test_quick())
		noise_alone();
	program(0);
	program(2);
	edges();
	faults();
	return done();
}
