/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-gantt.c - who does what when: the script, the characters, and what gnuplot makes of the former. */
#include "base/alloc.h"
#include "plot/plot.h"
#include "tap.h"

#include <stdlib.h>

static const char *const rows[] = {"fast", "größer", "idle"};
static const struct ft_bar bars[] = {
	{NULL, 0, 0, 2, 0}, {"read", 0, 2, 6, 0}, {"`touch x` 'q'", 1, 0, 4, 1}, {"s", 1, 4, 4.001, 2}};
static const struct ft_gantt gantt = {rows, 3, bars, 4, "reserved"};

static const struct ft__theme svg = {FT__PICTURE_SVG, 900, false}, png = {FT__PICTURE_PNG, 900, true};

static void test_script(void)
{
	struct ft_text script = {0};

	ft__gantt_script(&script, "t", &gantt, &svg);
	ok(strstr(script.s, "'fast' 0, 'größer' 1, 'idle' 2") && strstr(script.s, "set yrange [2.5:-0.5]"),
	   "rows from above");
	ok(strstr(script.s, "$bars << EOD\n2 6 0 0xb45309\n0 4 1 0x2f7d4f\n4 4.001 1 0x8a3f8f\nEOD\n") &&
		   strstr(script.s, "$rest << EOD\n0 2 0 0x") && strstr(script.s, "plot $rest using"),
	   "bars, and what others have apart");
	ok(strstr(script.s, "set label 'reserved' at screen") && strstr(script.s, "set label 's' at screen"),
	   "a legend of that, and of what is too short for its name");
	ok(strstr(script.s, "'read' at first 4,0") && strstr(script.s, "'`touch x` ’q’' at first 2,1") &&
		   !strstr(script.s, "'s' at first"),
	   "names where there is room, quoted");
	ok(!script.failed && strstr(script.s, "'6 s'"), "seconds below");
	ft_text_clear(&script);
}

static void test_text(void)
{
	char *text = NULL;
	struct ft_err err;

	ok(!ft_plot_gantt(NULL, &gantt, NULL, 40, false, &text, &err) &&
		   !strcmp(text, "fast    ##########aaaaaaaaaaaaaaaaaaaaaa\n"
				 "größer  bbbbbbbbbbbbbbbbbbbbbc..........\n"
				 "idle    ................................\n"
				 "       ++----+----+-----+----+----+----+\n"
				 "        0   1 s  2 s   3 s  4 s  5 s 6 s\n"
				 "               time from the start\n"
				 "\na read  b `touch x` 'q'  c s  # reserved\n"),
	   "characters: letters, what is short has one, others #; an axis, and a legend");
	free(text);
	ok(!ft_plot_gantt("title", &gantt, NULL, 0, false, &text, &err) &&
		   !strncmp(text, "title\n\nfast ", 12),
	   "with a title");
	free(text);
	ok(ft_plot_gantt(NULL, &gantt, "a.jpg", 0, false, NULL, &err) == FT_EINVAL && *err.remedy,
	   "another ending");
}

/* A name of 104 bytes takes the room of 30 characters, of 30 none is cut; and it ends with a whole character.
 */
static void test_long(void)
{
	static const char dashes[] = "ööööööööööööööööööööööööööööööööööööööööööööööööööööö",
			  cut[] = "ööööööööööööööööööööööööööö...",
			  whole[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	const char *const names[] = {dashes, whole, "b"};
	const struct ft_gantt wide = {names, 3, bars, 1, NULL};
	struct ft_text script = {0};
	char *text = NULL, expected[256];
	struct ft_err err;

	(void)snprintf(expected, sizeof expected, "%s  ####", cut);
	ok(!ft_plot_gantt(NULL, &wide, NULL, 80, false, &text, &err) &&
		   !strncmp(text, expected, strlen(expected)),
	   "a long name is cut on a terminal");
	(void)snprintf(expected, sizeof expected, "\n%s  ....", whole);
	ok(text && strstr(text, expected) && strstr(text, "\nb                               ...."),
	   "and all rows begin at one place");
	free(text);
	ft__gantt_script(&script, "t", &wide, &svg);
	(void)snprintf(expected, sizeof expected, "'%s' 0, '%s' 1, 'b' 2", cut, whole);
	ok(strstr(script.s, expected) != NULL, "in a picture, too");
	ft_text_clear(&script);
}

/* Many rows have no room for names, and a picture has an end. */
static void test_many(void)
{
	enum { ROWS = 3000 };
	const char **many = ft_calloc(ROWS, sizeof *many);
	struct ft_gantt high = {many, ROWS, bars, 4, NULL};
	struct ft_text script = {0};

	for (size_t i = 0; i < ROWS; i++)
		many[i] = "row";
	ft__gantt_script(&script, "t", &high, &png);
	ok(strstr(script.s, "H = 6114") && !strstr(script.s, "'row'") && !strstr(script.s, "'read'"),
	   "two pixels a row, and no names");
	ft_text_clear(&script);
	high.bars = 0;
	ft__gantt_script(&script, NULL, &high, &svg);
	ok(strstr(script.s, "plot NaN"), "no bars");
	ft_text_clear(&script);
	ft_free(many);
}

static void test_picture(void)
{
	const char *path = "t-gantt.svg";
	struct ft_err err;
	char text[100000];
	size_t polygons = 0;
	FILE *file;

	if (ft_plot_gantt("`touch x`", &gantt, path, 0, false, NULL, &err) == FT_EUNAVAIL) {
		skip("gnuplot draws each bar", "there is no gnuplot");
		return;
	}
	file = fopen(path, "r");
	size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
	text[n] = '\0';
	for (const char *at = text; (at = strstr(at, "<polygon")); at++)
		polygons++;
	ok(n > 0 && polygons >= 4 && strstr(text, "touch x") && strstr(text, "</svg>"),
	   "gnuplot draws each bar");
	if (file)
		(void)fclose(file);
	(void)remove(path);
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n;

	for (n = 1; status == FT_ENOMEM && n < 1000; n++) {
		char *text = NULL;

		ft_alloc_fail_at(n);
		status = ft_plot_gantt("t", &gantt, NULL, 0, false, &text, NULL);
		ft_alloc_fail_at(0);
		ft_free(text);
	}
	ok(status == FT_OK && n > 2, "each of %lu allocations may fail", n - 2);
}

int main(void)
{
	test_script();
	test_text();
	test_long();
	test_many();
	test_picture();
	test_faults();
	return done();
}
