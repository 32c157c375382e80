/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-field.c - a value over a plane, and what a panel shows beyond its runs. */
#include "base/alloc.h"
#include "plot/plot.h"
#include "tap.h"

#include <math.h>

enum { N = 9 };

static const struct ft__theme svg = {FT__PICTURE_SVG, 900, false};

static double xs[N], ys[N], times[N * N];
static bool beyond[N * N];
static const double at_x[] = {1, 256, 16}, at_y[] = {1, 8, 4};

static struct ft_heat_map field_of(void)
{
	struct ft_heat_map field = {.x_label = "n",
				    .y_label = "m",
				    .value_label = "typical run",
				    .unit = "s",
				    .log_x = true,
				    .log_value = true,
				    .x = xs,
				    .y = ys,
				    .value = times,
				    .beyond = beyond,
				    .columns = N,
				    .rows = N,
				    .at_x = at_x,
				    .at_y = at_y,
				    .at_title = "runs",
				    .points = 3};

	for (size_t i = 0; i < N; i++) {
		xs[i] = pow(2, (double)i);
		ys[i] = (double)i;
	}
	for (size_t i = 0; i < (size_t)N * N; i++) {
		times[i] = 1e-3 * xs[i % N] * (1 + ys[i / N]);
		beyond[i] = false;
	}
	return field;
}

static char *script_of(const struct ft_heat_map *field)
{
	struct ft_text script = {0};

	ok(ft__field_script(&script, "t", field, 1, &svg, NULL) == FT_OK, "a script");
	return ft_text_take(&script);
}

static int occurrences(const char *text, const char *part)
{
	int count = 0;

	for (; text && (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

static void test_script(void)
{
	struct ft_heat_map field = field_of();
	char *script = script_of(&field);

	ok(strstr(script, "'\u00a010 ms\u00a0' at first ") && strstr(script, "'\u00a01 s\u00a0' at first ") &&
		   occurrences(script, " boxed ") >= 6,
	   "lines have labels with units");
	ok(strstr(script, "$points << EOD\n0 1\n2.40823997 8\n1.20411998 4\nEOD"),
	   "runs stand at the logarithm of their size");
	ok(strstr(script, "'1' 0 0, '2' 0.301029") && strstr(script, "unset logscale x"),
	   "and so do the tics");
	ok(!strstr(script, "NaN") && !strstr(script, "extrapolated"), "nothing is blank or extrapolated");
	ft_free(script);
	for (size_t i = 0; i < (size_t)N * N; i++)
		beyond[i] = i % N > 4;
	times[0] = times[1] = times[N] = NAN;
	script = script_of(&field);
	ok(strstr(script, "$dashed with lines lw 1 dt (12,8) lc rgb '#1c2226'") &&
		   strstr(script, "'extrapolated'") && strstr(script, "$solid with lines"),
	   "extrapolated lines are dashed");
	ok(strstr(script, "\n0 NaN NaN "), "what cannot be is blank");
	ft_free(script);
}

/* Finer than the values: half of the plane, and a line that crosses its edge. */
static void test_blank(void)
{
	enum { FINER = (N - 1) * FT_FIELD_FINE + 1 };

	static bool blank[FINER * FINER];
	struct ft_heat_map field = field_of();

	for (size_t i = 0; i < (size_t)FINER * FINER; i++)
		blank[i] = i % FINER > 21;
	field.blank = blank;
	char *script = script_of(&field);
	ok(occurrences(script, "NaN") == FINER * (FINER - 22), "what is blank has no colour");
	struct ft__axis values = ft__field_values(&field);
	ok(fabs(values.high / (1e-3 * xs[3] * 9) - 1) < 1e-12, "nor a part in the range");
	ok(!strstr(script, "1 s\u00a0' at") && strstr(script, "'\u00a020 ms\u00a0' at"), "nor lines");
	ft_free(script);
}

/* Runs at one size are one point. */
static void test_points(void)
{
	static const double x[] = {16, 16, 16, 64}, y[] = {2, 2, 2, 2};
	struct ft_heat_map field = field_of();

	field.at_x = x;
	field.at_y = y;
	field.points = 4;
	char *script = script_of(&field);
	ok(strstr(script, "$points << EOD\n1.20411998 2\n1.80617997 2\nEOD"), "each size once");
	ft_free(script);
}

/* What is hardly known is hatched: neighbouring cells are one box. */
static void test_hatch(void)
{
	static bool unknown[N * N];
	struct ft_heat_map field = field_of();

	field.unknown = unknown;
	field.unknown_title = "hardly known";
	for (size_t i = 0; i < (size_t)N * N; i++)
		unknown[i] = i % N >= 5 || i / N >= 6;
	char *script = script_of(&field);
	ok(strstr(script, "$hatch << EOD\n1.95669497 3 1.50514998 2.40823997 0 6\n"
			  "1.20411998 7 0 2.40823997 6 8\nEOD") != NULL,
	   "the right, and all above: two boxes");
	ok(strstr(script, "with boxxyerror fs transparent pattern 4") && strstr(script, "'hardly known'"),
	   "hatched, with a legend");
	ft_free(script);
	field.unknown = NULL;
	script = script_of(&field);
	ok(strstr(script, "$hatch << EOD\nEOD") && !strstr(script, "'hardly known'"), "or nothing is");
	ft_free(script);
}

/* What the script draws is what a picture has, in places of its own. */
static void test_picture(void)
{
	enum { FINER = (N - 1) * FT_FIELD_FINE + 1 };

	static bool unknown[N * N], blank[FINER * FINER];
	FT_ARENA(arena);
	struct ft__field_picture p;
	struct ft_heat_map field = field_of();

	for (size_t i = 0; i < (size_t)N * N; i++) {
		unknown[i] = i % N >= 5;
		beyond[i] = i % N > 4;
	}
	for (size_t i = 0; i < (size_t)FINER * FINER; i++)
		blank[i] = i % FINER > 45;
	field.unknown = unknown;
	field.blank = blank;
	ok(!ft__field_picture_take(&p, &field, &arena, NULL), "a picture");
	ok(p.x.from < 0 && p.x.from > -1 && p.x.to > N - 1 &&
		   fabs(p.values.from) + fabs(p.values.to - 1) < 1e-12,
	   "its axes have some air; the bar of colours has none");
	bool right = true;
	for (size_t i = 0; i < p.x.tics; i++)
		right = right && fabs(p.x.tic[i].place - log2(p.x.tic[i].at)) < 1e-9;
	ok(right && p.x.tics > 8, "ticks of a logarithmic axis stand in steps of nodes");
	for (size_t i = 0; i < p.levels; i++)
		for (size_t j = 0; j < p.level[i].lines; j++) {
			const struct ft__field_line *line = &p.level[i].line[j];

			for (size_t k = 0; k < line->n; k++) {
				double value = 1e-3 * exp2(line->x[k]) * (1 + line->y[k]);

				right = right && fabs(value / p.level[i].tic->at - 1) < 0.1;
			}
			right = right && line->n > 1 &&
				line->dashed == (line->x[line->n / 2] + line->x[(line->n - 1) / 2] > 9);
		}
	ok(right && p.levels > 4 && p.dashed, "lines go where the value is, dashed where extrapolated");
	ok(p.hatches == 1 && p.hatched->left == 5 && p.hatched->right == N - 2 && p.hatched->high == N - 1,
	   "a box is hatched");
	ok(p.cuts == 1 && fabs(p.cut->left - 45.5 / FT_FIELD_FINE) < 1e-12 && p.cut->low < 0,
	   "the rest has no size");
	ok(p.points == 3 && p.point[1].x == N - 1 && p.point[1].y == N - 1 && p.point[2].x == 4, "runs");
	ok(fabs(p.share[0]) < 1e-12 && p.share[1] > p.share[0], "colours begin at the least value");
	for (size_t i = 0; i < (size_t)N * N; i++)
		beyond[i] = false;
}

static void test_hostile(void)
{
	struct ft_heat_map field = field_of();

	field.x_label = field.y_label = field.value_label = field.at_title = "`id`' @x\n!id";
	char *script = script_of(&field);
	ok(occurrences(script, "'`id`’ @x !id'") == 4 && occurrences(script, "`") == 8,
	   "names are quoted, each on its line");
	ft_free(script);
}

static void test_constant(void)
{
	struct ft_heat_map field = field_of();
	struct ft__tic level[FT__TICS_MOST];

	for (size_t i = 0; i < (size_t)N * N; i++)
		times[i] = 0.25 * (1 + 1e-15 * (double)(i % 7));
	struct ft__axis axis = ft__field_values(&field);
	ok(axis.low < 0.24 && axis.high > 0.26 && ft__field_levels(&axis, level) > 0,
	   "a constant has a range");
	char *script = script_of(&field);
	ok(strstr(script, "$solid << EOD\nEOD\n") && !strstr(script, " boxed "), "but no lines");
	ft_free(script);
	for (size_t i = 0; i < (size_t)N * N; i++)
		times[i] = NAN;
	axis = ft__field_values(&field);
	ok(axis.low < axis.high, "and so has nothing");
}

static void test_text(void)
{
	struct ft_heat_map field = field_of();
	struct ft_err err;
	char *text = NULL;
	bool narrow = true;

	ok(ft_plot_field("a: wall_s", &field, 1, NULL, 60, false, &text, &err) == FT_OK,
	   "a field for a terminal");
	ok(text && strncmp(text, "a: wall_s\n\nm\n", 13) == 0 && strstr(text, "   o runs\n"),
	   "title, labels");
	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		size_t columns = 0;

		for (const char *s = line; *s && *s != '\n'; s++)
			columns += ((unsigned char)*s & 0xc0) != 0x80;
		narrow = narrow && columns <= 60;
		if (!strchr(line, '\n'))
			break;
	}
	ok(narrow, "no line is longer than asked");
	ok(!strchr(text, '/'), "all is known");
	ok(strstr(text, "      8 +") && strstr(text, "        |o::"),
	   "runs at their places, tics at the side");
	free(text);
	static bool unknown[N * N];
	for (size_t i = 0; i < (size_t)N * N; i++)
		unknown[i] = i / N >= 6;
	field.unknown = unknown;
	field.unknown_title = "hardly known";
	ok(!ft_plot_field(NULL, &field, 1, NULL, 60, false, &text, &err) && occurrences(text, "/") > 50 &&
		   occurrences(text, "/") < 120 && strstr(text, "\n   / hardly known   o runs\n"),
	   "a fourth of what is hardly known is hatched");
	free(text);
	ok(ft_plot_field("t", &field, 1, "a.jpg", 0, false, NULL, &err) == FT_EINVAL && *err.remedy,
	   "another ending");
}

static void test_two(void)
{
	struct ft_heat_map fields[2] = {field_of(), field_of()};
	struct ft_text script = {0};
	char *text = NULL;
	struct ft_err err;

	fields[1].value_label = "speed";
	ok(!ft__field_script(&script, "both", fields, 2, &svg, NULL) &&
		   occurrences(script.s, "plot $z nonuniform matrix") == 2 &&
		   occurrences(script.s, "'both'") == 1 && occurrences(script.s, "W = 900; H = 1168\n") == 1,
	   "two fields stand below each other under one title");
	ft_text_clear(&script);
	ok(!ft_plot_field("both", fields, 2, NULL, 60, false, &text, &err) &&
		   occurrences(text, "both") == 1 && strstr(text, "\nspeed:"),
	   "on a terminal, too");
	free(text);
}

static void test_faults(void)
{
	struct ft_heat_map field = field_of();
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	bool told = true;

	for (n = 1; status == FT_ENOMEM && n < 1000; n++) {
		struct ft_text script = {0};
		struct ft_err err = {0};

		ft_alloc_fail_at(n);
		status = ft__field_script(&script, "t", &field, 1, &svg, &err);
		if (!status && script.failed)
			status = FT_ENOMEM;
		told = told && (status == FT_OK || status == FT_ENOMEM);
		ft_text_clear(&script);
	}
	ft_alloc_fail_at(0);
	ok(status == FT_OK && told && n > 5, "each of %lu allocations may fail", n - 2);
}

/* What a panel's script says of its series. */
static void test_beyond(void)
{
	static const double x[] = {1, 2, 3, 4}, y[] = {1, 2, NAN, 4}, low[] = {0, 1, 2, 3},
			    high[] = {2, 3, 4, 1000};
	const struct ft_series series[] = {
		{.kind = FT_SERIES_BAND, .x = x, .lower = low, .upper = high, .n = 4, .beyond = true},
		{.kind = FT_SERIES_BAND, .x = x, .lower = low, .upper = high, .n = 3, .strong = true},
		{.title = "d", .kind = FT_SERIES_LINE, .x = x, .y = y, .n = 4, .beyond = true},
		{.title = "s", .kind = FT_SERIES_LINE, .x = x, .y = y, .n = 4},
		{.title = "p", .kind = FT_SERIES_POINTS, .x = x, .y = low, .n = 4},
	};
	const struct ft_panel panel = {.series = series, .n = 5};
	struct ft_text script = {0};

	ft__plot_script(&script, NULL, &panel, 1, &svg);
	ok(strstr(script.s, "set yrange [0:4.2]"), "a band beyond does not widen the axis");
	ok(strstr(script.s, "$data0 << EOD\n1 2\n2 3\n3 4\n4 4.2\n4 3\n3 2\n2 1\n1 0\n1 2\nEOD"),
	   "it is cut at its edge, and closed");
	ok(strstr(script.s, "$data2 << EOD\n1 1\n2 2\n\n4 4\nEOD"),
	   "a line is interrupted where it has a gap");
	ok(strstr(script.s, "$data2 using 1:2 with lines lw 2 dt (8,5) lc rgb '#0b6fa4'") &&
		   strstr(script.s, "$data3 using 1:2 with lines lw 2 lc rgb '#0b6fa4'"),
	   "what is beyond has the colour of what is not, and dashes");
	ok(strstr(script.s, "$data4 using 1:2 with points pt 7 ps 0.45 lc rgb '#6046545e'"),
	   "runs shine through");
	const char *s = strstr(script.s, "set label 's'"), *d = strstr(script.s, "set label 'd'"),
		   *p = strstr(script.s, "set label 'p'");
	ok(s && p && d && s < p && p < d, "the legend: the line, runs, what is beyond");
	ft_text_clear(&script);
}

/* Of very many points no more are drawn than can be seen, and the outermost are. */
static void test_many(void)
{
	enum { MANY = 100000 };

	double *x = calloc(MANY, sizeof *x), *y = calloc(MANY, sizeof *y);
	struct ft_series series = {.kind = FT_SERIES_POINTS, .x = x, .y = y, .n = MANY};
	const struct ft_panel panel = {.series = &series, .n = 1};
	struct ft_text script = {0};

	for (size_t i = 0; x && y && i < MANY; i++) {
		x[i] = (double)(i % 3);
		y[i] = i == MANY / 2 ? 10 : (double)(i % 1000) / 1000;
	}
	ft__plot_script(&script, NULL, &panel, 1, &svg);
	ok(script.length < 20000, "few of many points are drawn (%zu bytes)", script.length);
	ok(strstr(script.s, "\n2 10\n"), "the largest is one of them");
	ft_text_clear(&script);
	free(x);
	free(y);
}

int main(void)
{
	test_script();
	test_blank();
	test_points();
	test_hatch();
	test_picture();
	test_hostile();
	test_constant();
	test_text();
	test_two();
	test_faults();
	test_beyond();
	test_many();
	return done();
}
