/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-pictures.c - what stands in the file of each type of picture, as gnuplot wrote it; and the colours of the page. */
#include "base/alloc.h"
#include "foretime/plot.h"
#include "plot/plot.h"
#include "tap.h"

#include <unistd.h>

static char path[96]; /* of the picture */

/* The bytes of a file, zero-terminated; "" when there is none. Ends with free. */
static char *slurp(const char *name)
{
	enum { MOST = 4 << 20 };

	FILE *file = fopen(name, "rb");
	char *bytes = calloc(1, MOST);
	size_t n = file && bytes ? fread(bytes, 1, MOST - 1, file) : 0;

	if (file)
		(void)fclose(file);
	if (!n)
		diag("nothing in %s", name);
	return bytes;
}

static int count_of(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

/* Whether all of the words, with '|' between them, stand in the picture as texts. */
static bool says(const char *svg, const char *words)
{
	bool all = true;

	while (*words) {
		size_t length = strcspn(words, "|");
		char text[200];

		(void)snprintf(text, sizeof text, "<text>%.*s</text>", (int)length, words);
		if (!strstr(svg, text)) {
			diag("no %s", text);
			all = false;
		}
		words += length + (words[length] == '|');
	}
	return all;
}

/* Whether each polygon has three corners or more. */
static bool closes(const char *svg)
{
	for (const char *at = svg; (at = strstr(at, "<polygon")); at++) {
		const char *points = strstr(at, "points = '");
		int corners = 0;

		for (const char *s = points ? points + 10 : "'"; *s && *s != '\''; s++)
			corners += *s == ',';
		if (corners < 3) {
			diag("%.80s", at);
			return false;
		}
	}
	return true;
}

/* What all pictures have in common. */
static void check_all(const char *svg, const char *title, const char *about)
{
	char text[300];

	(void)snprintf(text, sizeof text, "<title>%s</title>", title);
	ok(count_of(svg, "<title>") == 1 && strstr(svg, text), "its own title: %s", title);
	(void)snprintf(text, sizeof text, "<desc>%s</desc>", about);
	if (!ok(strstr(svg, text) != NULL, "what it shows: %s", about))
		diag("%.300s", strstr(svg, "<desc>") ? strstr(svg, "<desc>") : "no <desc>");
	ok(says(svg, title) && strstr(svg, "role=\"img\"") && strstr(svg, "system-ui, sans-serif"),
	   "the title in sight, in the page's font");
	ok(strstr(svg, "height=\"") && strstr(svg, "fill=\"none\"/>") && !strstr(svg, "fill=\"#ffffff\"/>"),
	   "transparent");
	ok(!strstr(svg, "nan") && !strstr(svg, "NaN") && !strstr(svg, "inf,") && closes(svg), "no NaN");
}

enum { N = 6 };

static const double sizes[N] = {1, 2, 4, 8, 16, 32}, times[N] = {600, 900, 2000, 4000, 9000, 20000},
		    lows[N] = {500, 800, 1800, 3500, 8000, 15000},
		    highs[N] = {700, 1000, 2300, 4600, 11000, 30000};

static const struct ft_series curve[] = {
	{.title = "90 % of runs", .kind = FT_SERIES_BAND, .x = sizes, .lower = lows, .upper = highs, .n = 4},
	{.title = "extrapolated",
	 .kind = FT_SERIES_LINE,
	 .x = sizes + 3,
	 .y = times + 3,
	 .n = 3,
	 .beyond = true},
	{.title = "typical run", .kind = FT_SERIES_LINE, .x = sizes, .y = times, .n = 4},
	{.title = "runs", .kind = FT_SERIES_POINTS, .x = sizes, .y = times, .n = 4},
};

static struct ft_panel curve_panel(void)
{
	return (struct ft_panel){.x_label = "size nodes",
				 .y_label = "wall time",
				 .y_unit = "s",
				 .whole_x = true,
				 .series = curve,
				 .n = 4,
				 .measured = {true, 1, 8}};
}

static void test_curve(void)
{
	struct ft_panel panel = curve_panel();
	struct ft_err err;

	ok(!ft_plot_draw("jobs", &panel, 1, path, 0, false, NULL, &err), "a curve");
	char *svg = slurp(path);
	check_all(svg, "jobs", "wall time by size nodes: 90 % of runs, extrapolated, typical run, runs");
	ok(says(svg,
		"size nodes|wall time|1 h|5 h|10|30|typical run|90 % of runs|runs|extrapolated|not measured"),
	   "axes in words, times in hours, whole numbers, a legend");
	ok(!strstr(svg, "<text>2.5</text>") && !strstr(svg, " s</text>"),
	   "no half node, no thousands of seconds");
	ok(count_of(svg, "<pattern ") == 2 && strstr(svg, "url(#gpPat"),
	   "hatched where nothing was measured");
	ok(strstr(svg, "rgb( 11, 111, 164)") && strstr(svg, "stroke-dasharray"),
	   "the page's blue, and dashes");
	free(svg);
	panel.measured.to = 32;
	ok(!ft_plot_draw("jobs", &panel, 1, path, 0, true, NULL, &err), "all measured, dark");
	svg = slurp(path);
	ok(!strstr(svg, "url(#gpPat") && !strstr(svg, "not measured"), "is not hatched");
	ok(strstr(svg, "rgb( 88, 176, 227)") && !strstr(svg, "rgb( 11, 111, 164)") &&
		   strstr(svg, "rgb(230, 234, 236)"),
	   "the page's colours of the dark");
	free(svg);
}

/* Each band is one path or polygon, however many points it has: no seams, and small. */
static void test_band(void)
{
	struct ft_panel panel = curve_panel();
	struct ft_err err;

	panel.n = 1;
	ok(!ft_plot_draw("band", &panel, 1, path, 0, false, NULL, &err), "a band alone");
	char *svg = slurp(path);
	const char *polygon = strstr(svg, "<polygon fill = 'rgb( 11, 111, 164)'");
	const char *points = polygon ? strstr(polygon, "points = '") : NULL;
	int corners = 0;

	for (const char *s = points ? points + 10 : "'"; *s != '\''; s++)
		corners += *s == ',';
	/* Two edges of four sizes, and the first corner once more. */
	ok(corners >= 8 && corners <= 9, "one polygon of all sizes (%d corners)", corners);
	free(svg);
}

static void test_dates(void)
{
	const double t[] = {1700000000, 1700020000, 1700072000}, y[] = {20, 80, 30};
	const struct ft_series line[] = {{.title = "trace", .kind = FT_SERIES_LINE, .x = t, .y = y, .n = 3}};
	const struct ft_panel panel = {
		.x_label = "time (UTC)", .x_unit = "date", .y_label = "cpu", .series = line, .n = 1};
	struct ft_err err;
	char *text = NULL;

	ok(!ft_plot_draw("trace.csv: cpu", &panel, 1, path, 0, false, NULL, &err), "a trace");
	char *svg = slurp(path);
	check_all(svg, "trace.csv: cpu", "cpu by time (UTC): trace");
	ok(says(svg, "15 Nov|06:00|12:00|time (UTC), from 2023-11-14|trace"), "hours and dates");
	free(svg);
	ok(!ft_plot_draw("t", &panel, 1, NULL, 80, false, &text, &err) && strstr(text, " 15 Nov ") &&
		   strstr(text, "from 2023-11-14"),
	   "on a terminal, too");
	free(text);
}

static void test_field(void)
{
	enum { ROWS = 4 };

	static double x[ROWS] = {1, 2, 3, 4}, y[ROWS] = {10, 20, 30, 40}, value[ROWS * ROWS];
	static bool unknown[ROWS * ROWS];
	struct ft_heat_map field = {.x_label = "size n",
				    .y_label = "size m",
				    .value_label = "wall time",
				    .unit = "s",
				    .whole_x = true,
				    .whole_y = true,
				    .x = x,
				    .y = y,
				    .value = value,
				    .unknown = unknown,
				    .unknown_title = "not known",
				    .columns = ROWS,
				    .rows = ROWS,
				    .at_x = x,
				    .at_y = y,
				    .at_title = "runs",
				    .points = 2};
	struct ft_err err;

	for (size_t i = 0; i < (size_t)ROWS * ROWS; i++) {
		value[i] = 100 * (double)(1 + i % ROWS + i / ROWS);
		unknown[i] = i % ROWS > 1;
	}
	ok(!ft_plot_field("two", &field, 1, path, 0, false, NULL, &err), "a plane");
	char *svg = slurp(path);
	check_all(svg, "two", "wall time by size n and size m");
	ok(says(svg, "size n|size m|wall time|5 min|10 min|1|2|3|4|runs|not known"), "axes, legend, minutes");
	ok(strstr(svg, "<image ") && strstr(svg, "url(#gpPat"), "colours, and hatching upon them");
	free(svg);
}

static void test_gantt(void)
{
	static const char *const row[] = {"fast", "slow"};
	static const struct ft_bar bar[] = {{"prepare", 0, 0, 5400, 0},
					    {"s", 0, 5400, 5401, 1},
					    {NULL, 1, 0, 3600, 0},
					    {"solve", 1, 3600, 9000, 2}};
	static const struct ft_gantt gantt = {row, 2, bar, 4, "reserved"};
	struct ft_err err;

	ok(!ft_plot_gantt("plan", &gantt, path, 0, false, NULL, &err), "a schedule");
	char *svg = slurp(path);
	check_all(svg, "plan", "4 bars on 2 rows over time");
	ok(says(svg, "time from the start|20 min|100 min|fast|slow"), "rows, and minutes");
	ok(says(svg, "prepare|solve|s|reserved"), "names in the bars, and a legend of those without room");
	ok(strstr(svg, "url(#gpPat"), "what others have is hatched");
	free(svg);
}

static void test_heat(void)
{
	static char one[] = "first", two[] = "second", cpu[] = "CPU";
	static char *const columns[] = {one, two}, *const rows[] = {cpu};
	static const double value[] = {NAN, 1.5}, place[] = {0, 0, 1, 1};
	const struct ft_heat heat = {.rows = 1,
				     .columns = 2,
				     .row = rows,
				     .column = columns,
				     .value = value,
				     .place = place,
				     .value_label = "doublings",
				     .x_label = "first component",
				     .y_label = "second component"};
	struct ft_err err;

	ok(!ft_plot_heat("table", &heat, path, 0, false, NULL, &err), "a table");
	char *svg = slurp(path);
	check_all(svg, "table", "doublings; second component by first component");
	ok(says(svg, "doublings|CPU|first component|second component|not known") &&
		   count_of(svg, ">second<") == 2,
	   "rows, columns, the plane of programs");
	ok(!strstr(svg, "<image ") && strstr(svg, "url(#gpPat"),
	   "a cell is a rectangle; a missing one is hatched");
	free(svg);
}

static void test_formats(void)
{
	struct ft_panel panel = curve_panel();
	struct ft_err err;
	char other[100];

	for (int dark = 0; dark < 2; dark++) {
		(void)snprintf(other, sizeof other, "%s.PDF", path);
		ok(!ft_plot_draw("jobs", &panel, 1, other, 0, dark, NULL, &err), "a PDF");
		char *pdf = slurp(other);
		ok(!strncmp(pdf, "%PDF-", 5), "it is one");
		free(pdf);
		(void)unlink(other);
		(void)snprintf(other, sizeof other, "%s.png", path);
		ok(!ft_plot_draw("jobs", &panel, 1, other, 0, dark, NULL, &err), "a PNG");
		char *png = slurp(other);
		ok(!memcmp(png, "\x89PNG", 4), "it is one");
		free(png);
		(void)unlink(other);
	}
}

/* "--one: #0b6fa4" of the style sheet, the first time or the second one. */
static bool sheet_has(const char *sheet, const char *name, bool dark, const char *value)
{
	char key[40];
	const char *at = sheet;

	(void)snprintf(key, sizeof key, "--%s:", name);
	at = dark ? strstr(at, "prefers-color-scheme: dark") : at;
	at = at ? strstr(at, key) : NULL;
	if (!at) /* the same on both papers stands once */
		at = strstr(sheet, key);
	for (at += at ? strlen(key) : 0; at && *at == ' ';)
		at++;
	return at && !strncmp(at, value, strlen(value)) && at[strlen(value)] == ';';
}

static void test_page(void)
{
	const char *source = getenv("FORETIME_TEST_SOURCE");
	char name[4096];

	if (!source) {
		skip("the page's colours", "FORETIME_TEST_SOURCE is not set");
		return;
	}
	(void)snprintf(name, sizeof name, "%s/src/web/style.css", source);
	char *sheet = slurp(name);
	for (size_t i = 0; i < FT__INKS; i++)
		for (int dark = 0; dark < 2; dark++)
			ok(sheet_has(sheet, ft__inks[i].name, dark, ft__inks[i].value[dark]),
			   "--%s of style.css is %s%s", ft__inks[i].name, ft__inks[i].value[dark],
			   dark ? " in the dark" : "");
	free(sheet);
}

int main(void)
{
	char folder[] = "/tmp/foretime-t-pictures-XXXXXX";
	struct ft_panel panel = curve_panel();
	struct ft_err err;

	test_page();
	if (!mkdtemp(folder)) {
		ok(false, "a folder under /tmp");
		return done();
	}
	(void)snprintf(path, sizeof path, "%s/a.svg", folder);
	if (ft_plot_draw("t", &panel, 1, path, 0, false, NULL, &err) == FT_EUNAVAIL) {
		skip("pictures", err.text);
	} else {
		test_curve();
		test_band();
		test_dates();
		test_field();
		test_gantt();
		test_heat();
		test_formats();
	}
	(void)unlink(path);
	ok(rmdir(folder) == 0, "nothing else is left");
	return done();
}
