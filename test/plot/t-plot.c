/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-plot.c - pictures come out whole, and nothing that a user names is executed. */
#include "base/alloc.h"
#include "foretime/plot.h"
#include "tap.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64]; /* private, ours */
static const char *real_path;

static const double xs[] = {64, 128, 256, 512, 1024, 2048};
static const double ys[] = {1e-4, 8e-4, 6e-3, 5e-2, 4e-1, 3.2};
static const double lows[] = {0.9e-4, 7e-4, 5.5e-3, 4.6e-2, 3.7e-1, 2.9};
static const double highs[] = {1.1e-4, 9e-4, 6.5e-3, 5.4e-2, 4.3e-1, 3.5};

static const struct ft_series curves[] = {
	{.title = "90 % of runs", .kind = FT_SERIES_BAND, .x = xs, .lower = lows, .upper = highs, .n = 6},
	{.title = "model", .kind = FT_SERIES_LINE, .x = xs, .y = ys, .n = 6},
	{.title = "single", .kind = FT_SERIES_POINTS, .x = xs, .y = highs, .n = 6},
};
static const struct ft_panel panels[] = {
	{.x_label = "n", .y_label = "time", .series = curves, .n = 3},
	{.x_label = "n",
	 .y_label = "time",
	 .log_x = true,
	 .log_y = true,
	 .series = curves,
	 .n = 3,
	 .y_unit = "s"},
};

static char *in_folder(const char *name)
{
	static char path[4][512];
	static int turn;

	turn = (turn + 1) % 4;
	(void)snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

/* The bytes of a file, zero-terminated; NULL when there is none. */
static char *slurp(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	char *bytes = file ? calloc(1, 1 << 20) : NULL;

	*length = bytes ? fread(bytes, 1, (1 << 20) - 1, file) : 0;
	if (file)
		(void)fclose(file);
	return bytes;
}

/* How many entries the folder has, and empty it. */
static int empty_folder(void)
{
	DIR *dir = opendir(folder);
	int count = 0;

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		count++;
		(void)(unlink(in_folder(entry->d_name)) && rmdir(in_folder(entry->d_name)));
	}
	if (dir)
		(void)closedir(dir);
	return count;
}

static int occurrences(const char *text, const char *part)
{
	int count = 0;

	for (; text && (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

/* A gnuplot of our own, first and only in PATH. */
static void fake_gnuplot(const char *script)
{
	char *path = in_folder("bin/gnuplot");
	FILE *file;

	(void)mkdir(in_folder("bin"), 0700);
	file = fopen(path, "w");
	if (file) {
		(void)fprintf(file, "#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n", script);
		(void)fclose(file);
	}
	(void)chmod(path, 0700);
	(void)setenv("PATH", in_folder("bin"), 1);
}

static void real_gnuplot(void)
{
	(void)unlink(in_folder("bin/gnuplot"));
	(void)rmdir(in_folder("bin"));
	(void)setenv("PATH", real_path, 1);
}

static void test_svg(void)
{
	char *path = in_folder("a.svg"), *svg;
	struct ft_err err;
	size_t length;
	struct stat info;
	mode_t mask = umask(022);

	ok(ft_plot_draw("dgemm", panels, 2, path, 0, false, NULL, &err) == FT_OK, "an SVG of two panels");
	svg = slurp(path, &length);
	ok(svg && strncmp(svg, "<?xml", 5) == 0 && length > 10 && strcmp(svg + length - 8, "</svg>\n\n") == 0,
	   "it is whole");
	ok(svg && strstr(svg, "viewBox=\"0 0 900 ") != NULL, "900 wide");
	ok(occurrences(svg, "<text>dgemm</text>") == 1 && occurrences(svg, "<title>dgemm</title>") == 1 &&
		   occurrences(svg, "<text>model</text>") == 2 && occurrences(svg, "<text>time</text>") == 2,
	   "title once, legends and labels in both panels");
	ok(occurrences(svg, "<text>1600</text>") == 1 && occurrences(svg, "<text>1000</text>") == 2 &&
		   occurrences(svg, "<text>100 ms</text>") == 1,
	   "tics at round values, with prefixes and units");
	ok(stat(path, &info) == 0 && (info.st_mode & 0777) == 0644, "its mode follows the umask");
	free(svg);
	(void)umask(mask);
	ok(empty_folder() == 1, "nothing else is left");
}

static void test_png(void)
{
	static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0,
					     0,    13,  'I', 'H', 'D',  'R',  0,    0,    0x02, 0x58};
	char *path = in_folder("a.PNG"), *png;
	struct ft_err err;
	size_t length;

	ok(ft_plot_draw(NULL, panels, 1, path, 600, false, NULL, &err) == FT_OK, "a PNG, no title");
	png = slurp(path, &length);
	ok(png && length > 1000 && memcmp(png, head, sizeof head) == 0, "it is a PNG of 600 pixels");
	ok(png && length > 8 && memcmp(png + length - 8, "IEND", 4) == 0, "it is whole");
	free(png);
	ok(empty_folder() == 1, "nothing else is left");
}

static void test_text(void)
{
	char *text = NULL;
	struct ft_err err;
	bool narrow = true, trimmed = true;
	int lines = 0;

	ok(ft_plot_draw("dgemm", panels, 2, NULL, 60, false, &text, &err) == FT_OK,
	   "two panels for a terminal");
	for (const char *line = text; line && *line; line = strchr(line, '\n') + 1, lines++) {
		size_t length = strcspn(line, "\n"), columns = 0;

		for (size_t i = 0; i < length; i++)
			columns += ((unsigned char)line[i] & 0xc0) != 0x80;
		narrow = narrow && columns <= 60;
		trimmed = trimmed && (length == 0 || line[length - 1] != ' ');
		if (!line[length])
			break;
	}
	ok(narrow && lines > 20, "no line is longer than asked");
	ok(trimmed && occurrences(text, "\f") == 0, "no blanks at the ends, no form feed");
	ok(occurrences(text, "dgemm") == 1 && occurrences(text, "time") == 2, "title and labels");
	ok(occurrences(text, ". 90 % of runs   * model   o single") == 2, "legends");
	ok(occurrences(text, "***") > 2 && occurrences(text, "o") > 10, "curves");
	free(text);
	ok(empty_folder() == 0, "no file is left");
}

/* Dots of braille, two by four a cell, where the locale is UTF-8: each lies where its value does. */
static void test_braille(void)
{
	const double x[] = {0, 1, 2}, y[] = {0, 10, 20}, lower[] = {0, 0, 0}, upper[] = {20, 20, 20};
	const struct ft_series line = {.title = "rises", .kind = FT_SERIES_LINE, .x = x, .y = y, .n = 3},
			       band = {.title = "all",
				       .kind = FT_SERIES_BAND,
				       .x = x,
				       .lower = lower,
				       .upper = upper,
				       .n = 3},
			       run = {.title = "run",
				      .kind = FT_SERIES_POINTS,
				      .x = x + 1,
				      .y = y + 1,
				      .n = 1};
	const struct ft_series both[] = {band, line, run};
	const struct ft_panel panel = {.x_label = "n", .y_label = "t", .series = both, .n = 3};
	size_t dots = 0, rows = 0, falls = 0, last = SIZE_MAX;
	char *text = NULL;
	struct ft_err err;

	(void)setenv("LC_ALL", "C.UTF-8", 1);
	ok(ft_plot_draw(NULL, &panel, 1, NULL, 40, false, &text, &err) == FT_OK, "a terminal of UTF-8");
	for (const char *row = text; row && *row; row += strcspn(row, "\n") + 1, rows++) {
		size_t first = 0, n = 0;

		/* U+2800 to U+28FF: e2 a0 80 to e2 a3 bf */
		for (const char *at = row; *at && *at != '\n'; at++)
			if ((unsigned char)at[0] == 0xe2 && (unsigned char)at[1] >= 0xa0 &&
			    (unsigned char)at[1] <= 0xa3 && rows > 0) {
				first = n++ ? first : (size_t)(at - row);
				dots += (size_t)__builtin_popcount((unsigned)(at[1] & 3) << 6 |
								   (unsigned)(at[2] & 0x3f));
			}
		falls += n && first > last;
		last = n ? first : last;
		if (!row[strcspn(row, "\n")])
			break;
	}
	ok(rows > 16 && dots > 50 && dots < 80 && falls <= 1, "a line of %zu dots rises to the right (%zu)",
	   dots, falls);
	ok(occurrences(text, "●") == 2 && occurrences(text, "░") > 100,
	   "the run, the band, and a legend of both");
	free(text);
	(void)setenv("LC_ALL", "C", 1);
}

/* Points of a plane with their names: at the right edge the name is on the left; one that is nowhere has
 * none. */
static void test_plane(void)
{
	char one[] = "first", two[] = "s\u00e9cond", three[] = "nowhere", row[] = "r";
	char *const columns[] = {one, two, three}, *const rows[] = {row};
	const double place[] = {0, 0, 1, 1, NAN, 0}, value[] = {1, 2, 3};
	const struct ft_heat heat = {.rows = 1,
				     .columns = 3,
				     .row = rows,
				     .column = columns,
				     .value = value,
				     .place = place,
				     .x_label = "x",
				     .y_label = "y"};
	char *text = NULL;
	struct ft_err err;

	ok(ft_plot_heat("t", &heat, NULL, 50, false, &text, &err) == FT_OK,
	   "a table and a plane for a terminal");
	const char *first = text ? strstr(text, "o first\n") : NULL,
		   *second = text ? strstr(text, "s\u00e9cond o\n") : NULL;
	ok(first && second && second < first && !strstr(text, "nowhere"), "each name beside its point");
	free(text);
}

/* Everything a user can name, as hostile as can be: had any of it run, a file would lie in the folder. */
static void test_hostile(void)
{
	static const char *const form[] = {
		"`touch %s/x1`",
		"$(touch %s/x2)",
		"'; system('touch %s/x3') ; '",
		"\nsystem('touch %s/x4')\n!touch x4\n",
		"\" . system(\"touch %s/x5\") . \"",
		"'\n`touch %s/x6`\n",
		"@x`touch %s/x7`\\",
		"%%%s \\n \\'`touch x8`",
		"EOD\n!touch %s/x9\nEOD",
		"' \r!touch %s/x10 \\\n",
	};
	struct ft_err err;
	char *svg, name[128] = "";
	size_t length;

	for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
		struct ft_series curve = curves[1];
		struct ft_panel panel = {.series = &curve, .n = 1};
		char evil[256], path[512], *text = NULL;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		(void)snprintf(evil, sizeof evil, form[i], folder);
#pragma GCC diagnostic pop
		curve.title = panel.x_label = panel.y_label = evil;
		for (size_t j = 0; evil[j] && j < sizeof name - 1; j++) {
			name[j] = evil[j] == '/' ? '_' : evil[j];
			name[j + 1] = '\0';
		}
		(void)snprintf(path, sizeof path, "%s/%s.svg", folder, name);
		if (!ok(ft_plot_draw(evil, &panel, 1, path, 0, false, NULL, &err) == FT_OK,
			"hostile words %zu in an SVG", i))
			diag("%s", err.text);
		ok(ft_plot_draw(evil, &panel, 1, NULL, 0, false, &text, &err) == FT_OK && text,
		   "and in a terminal");
		free(text);
		ok(access(path, R_OK) == 0 && empty_folder() == 1, "nothing was executed");
	}
	ok(ft_plot_draw("a `b` 'c' \"d\" <e> & ]]> \\ {f}_2 @g\xff\xed\xa0\x80\x01 µ", panels, 1,
			in_folder("a.svg"), 0, false, NULL, &err) == FT_OK,
	   "all sorts of characters");
	svg = slurp(in_folder("a.svg"), &length);
	ok(occurrences(svg, ">a `b` ’c’ \"d\" &lt;e> &amp; ]] > \\ {f}_2 @g????  µ<") == 1 &&
		   occurrences(svg,
			       "<title>a `b` 'c' \"d\" &lt;e&gt; &amp; ]]&gt; \\ {f}_2 @g????  µ</title>") ==
			   1,
	   "are shown, or what stands for them");
	free(svg);
	(void)empty_folder();
}

static void test_gaps(void)
{
	const double x[] = {NAN, 1, 2, 3, 4, 5}, y[] = {1, NAN, 2, INFINITY, -3, 0};
	const double low[] = {1, 0, NAN, 0, -1, 3}, high[] = {1, 2, 3, INFINITY, -0.5, 2};
	const struct ft_series odd[] = {
		{.title = "l", .kind = FT_SERIES_LINE, .x = x, .y = y, .n = 6},
		{.title = "p", .kind = FT_SERIES_POINTS, .x = x, .y = y, .n = 6},
		{.title = "b",
		 .kind = FT_SERIES_BAND,
		 .x = x,
		 .lower = low,
		 .upper = high,
		 .n = 6,
		 .strong = true},
		{.title = "i",
		 .kind = FT_SERIES_BAND,
		 .x = x,
		 .lower = low,
		 .upper = high,
		 .n = 6,
		 .beyond = true},
		{.title = "none", .kind = FT_SERIES_LINE, .x = x, .y = y, .n = 1},
	};
	struct ft_err err;
	size_t length;

	for (int logs = 0; logs < 4; logs++) {
		struct ft_panel panel = {.x_label = "x",
					 .y_label = "y",
					 .log_x = logs & 1,
					 .log_y = logs & 2,
					 .series = odd,
					 .n = 5};

		ok(ft_plot_draw("odd", &panel, 1, in_folder("a.svg"), 0, false, NULL, &err) == FT_OK,
		   "points that cannot be drawn are skipped (%d)", logs);
		char *svg = slurp(in_folder("a.svg"), &length);
		ok(svg && !strstr(svg, "nan") && !strstr(svg, "NaN") && !strstr(svg, "inf"),
		   "and leave no trace");
		ok(occurrences(svg, "<text>p</text>") == 1 && occurrences(svg, "<text>none</text>") == 0,
		   "an empty curve has no legend");
		free(svg);
		panel.n = 0;
		ok(ft_plot_draw("empty", &panel, 1, in_folder("a.svg"), 0, false, NULL, &err) == FT_OK,
		   "an empty panel");
	}
	ok(empty_folder() == 1, "nothing else is left");
}

static void fails_cleanly(const char *what, enum ft_status expected, const char *words)
{
	struct ft_err err = {0};
	char *path = in_folder("a.svg"), *kept, *text = path;
	size_t length;
	FILE *file = fopen(path, "w");
	enum ft_status status;

	if (file) {
		(void)fputs("old picture", file);
		(void)fclose(file);
	}
	status = ft_plot_draw("t", panels, 1, path, 0, false, NULL, &err);
	if (!ok(status == expected && err.status == expected && strstr(err.text, words) && *err.remedy, "%s",
		what))
		diag("%d %s (%s)", (int)status, err.text, err.remedy);
	kept = slurp(path, &length);
	ok(kept && strcmp(kept, "old picture") == 0, "the old picture stays");
	ok(ft_plot_draw("t", panels, 1, NULL, 0, false, &text, NULL) == FT_OK && text,
	   "a terminal needs no gnuplot");
	free(text);
	free(kept);
	(void)unlink(path);
}

static void test_failures(void)
{
	struct ft_err err;

	ok(ft_plot_draw("t", panels, 1, in_folder("a.jpg"), 0, false, NULL, &err) == FT_EINVAL && *err.remedy,
	   "another ending");
	ok(ft_plot_draw("t", panels, 1, ".svg", 0, false, NULL, &err) == FT_EINVAL, "an ending only");
	ok(ft_plot_draw("t", panels, 1, in_folder("a.svg"), -1, false, NULL, &err) == FT_EINVAL,
	   "a negative width");
	ok(ft_plot_draw("t", panels, 1, in_folder("a.svg"), 1000000, false, NULL, &err) == FT_EINVAL,
	   "a huge width");
	ok(empty_folder() == 0, "nothing is left");
	fake_gnuplot("cat > /dev/null; echo half a picture; echo first >&2; echo '  last words' >&2; exit 1");
	fails_cleanly("gnuplot complains", FT_EIO, "gnuplot cannot draw this: last words");
	fake_gnuplot("echo half a picture; kill -9 $$");
	fails_cleanly("gnuplot dies", FT_EIO, "gnuplot was ended by signal 9");
	fake_gnuplot("exit 0");
	fails_cleanly("gnuplot says nothing", FT_EIO, "gnuplot drew nothing");
	(void)chmod(in_folder("bin/gnuplot"), 0600);
	fails_cleanly("gnuplot is not executable", FT_EUNAVAIL, "not executable");
	(void)unlink(in_folder("bin/gnuplot"));
	fails_cleanly("no gnuplot", FT_EUNAVAIL, "not found");
	ok(ft_plot_draw("t", panels, 1, in_folder("a.svg"), 0, false, NULL, &err) == FT_EUNAVAIL &&
		   strstr(err.remedy, "apt install gnuplot-nox"),
	   "the remedy names the package");
	real_gnuplot();
	ok(empty_folder() == 0, "nothing is left of all these");
}

static void test_places(void)
{
	struct ft_err err;

	ok(ft_plot_draw("t", panels, 1, in_folder("no/a.svg"), 0, false, NULL, &err) == FT_ENOENT &&
		   strstr(err.text, "cannot write '") && *err.remedy,
	   "a folder that there is not");
	(void)mkdir(in_folder("a.svg"), 0700);
	ok(ft_plot_draw("t", panels, 1, in_folder("a.svg"), 0, false, NULL, &err) == FT_EIO,
	   "a folder in its place");
	ok(empty_folder() == 1, "nothing else is left");
	if (access("/dev/full", W_OK) == 0 && symlink("/dev/full", in_folder("b.svg")) == 0) {
		ok(ft_plot_draw("t", panels, 1, in_folder("b.svg"), 0, false, NULL, &err) == FT_OK,
		   "a link is replaced, not followed");
		ok(empty_folder() == 1, "by the picture");
	}
}

static void test_faults(void)
{
	for (int kind = 0; kind < 2; kind++) {
		enum ft_status status = FT_ENOMEM;
		unsigned long n;
		bool cleared = true;

		for (n = 1; status == FT_ENOMEM && n < 1000; n++) {
			struct ft_err err = {0};
			char *text = folder;

			ft_alloc_fail_at(n);
			status = ft_plot_draw("t", panels, 2, kind ? in_folder("a.svg") : NULL, 0, false,
					      &text, &err);
			cleared = cleared && (status == FT_OK || (err.status == FT_ENOMEM && text == NULL &&
								  access(in_folder("a.svg"), F_OK) != 0));
			if (text != folder)
				free(text);
		}
		ft_alloc_fail_at(0);
		ok(status == FT_OK && cleared && n > 5, "each of %lu allocations may fail (%s)", n - 2,
		   kind ? "SVG" : "terminal");
		ok(empty_folder() == kind, "nothing is left of that");
	}
}

int main(void)
{
	struct ft_err err;

	real_path = getenv("PATH") ? strdup(getenv("PATH")) : "/usr/bin:/bin";
	(void)snprintf(folder, sizeof folder, "/tmp/foretime-t-plot-XXXXXX");
	if (!mkdtemp(folder)) {
		ok(false, "a folder under /tmp");
		return done();
	}
	test_failures();
	(void)setenv("LC_ALL", "C", 1);
	test_text();
	test_braille();
	test_plane();
	if (ft_plot_draw("t", panels, 1, in_folder("a.svg"), 0, false, NULL, &err) == FT_EUNAVAIL) {
		skip("pictures", err.text);
	} else {
		(void)empty_folder();
		test_svg();
		test_png();
		test_hostile();
		test_gaps();
		test_places();
		test_faults();
	}
	ok(rmdir(folder) == 0, "the folder is empty at the end");
	if (strcmp(real_path, "/usr/bin:/bin") != 0)
		free((void *)(uintptr_t)real_path);
	return done();
}
