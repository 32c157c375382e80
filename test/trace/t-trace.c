/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-trace.c - traces from files: columns, dates, gaps, steps, damaged input. */
#include "base/alloc.h"
#include "foretime/trace.h"
#include "tap.h"
#include "temp.h"
#include "trace/door.h"

#include <zlib.h>

static struct ft_trace trace;
static struct ft_err err;
static const struct ft_trace_format usual;

static const char *file_of(const char *name, const char *bytes, size_t length)
{
	const char *path = temp_path(name);
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) {
		perror(path);
		exit(99);
	}
	return path;
}

static bool read_text(const char *text, const struct ft_trace_format *format)
{
	ft_trace_clear(&trace);
	if (!ft_trace_read(&trace, file_of("trace.csv", text, strlen(text)), format, &err))
		return true;
	diag("%s", err.text);
	return false;
}

static bool is(const double *t, const double *y, size_t n)
{
	if (trace.n != n)
		diag("%zu points instead of %zu", trace.n, n);
	for (size_t i = 0; i < n && i < trace.n; i++)
		if (fabs(trace.t[i] - t[i]) > 1e-12 * fabs(t[i]) || trace.y[i] != y[i]) {
			diag("point %zu: %.17g %.17g", i, trace.t[i], trace.y[i]);
			return false;
		}
	return trace.n == n;
}

#define POINTS(...)                                                                                          \
	(const double[])                                                                                     \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

static void columns(void)
{
	const struct ft_trace_format named = {.time = "when", .value = "b"},
				     numbered = {.time = "2", .value = "3"}, wrong = {.value = "c"};

	ok(read_text("t,y\n0,1\n2,3\n", &usual) && is(POINTS(0, 2), POINTS(1, 3), 2),
	   "two columns with a header");
	ok(read_text("0,1\n2,3\n", &usual) && is(POINTS(0, 2), POINTS(1, 3), 2), "and without one");
	ok(read_text("# a comment\n\n0;1\r\n2;3\r\n", &usual) && is(POINTS(0, 2), POINTS(1, 3), 2),
	   "semicolons, CRLF, comments, blank lines");
	ok(read_text("0 1\n 2\t 3\n", &usual) && is(POINTS(0, 2), POINTS(1, 3), 2), "blanks");
	ok(read_text("host,time,cpu\na,0,1\nb,2,3\n", &usual) && is(POINTS(0, 2), POINTS(1, 3), 2) &&
		   !strcmp(trace.time_column, "time") && !strcmp(trace.value_column, "cpu"),
	   "found among others");
	ok(read_text("time,t_s,busy\n2015-05-24 21:01:30,0,5\n2015-05-24 21:03:00,90,6\n", &usual) &&
		   is(POINTS(0, 90), POINTS(5, 6), 2) && !trace.dated,
	   "seconds are preferred to dates");
	ok(read_text("a,when,b\n9,0,1\n9,2,3\n", &named) && is(POINTS(0, 2), POINTS(1, 3), 2), "named");
	ok(read_text("a,when,b\n9,0,1\n9,2,3\n", &numbered) && is(POINTS(0, 2), POINTS(1, 3), 2), "numbered");
	ok(read_text("t,\"the, value\"\n0,\"1\"\n2,\"3\"\n", &usual) &&
		   !strcmp(trace.value_column, "the, value"),
	   "quoted");
	ok(!read_text("t,y\n0,1\n2,3\n", &wrong) && strstr(err.text, "no column 'c'"),
	   "a column that is not there");
	ok(!read_text("t\n0\n2\n", &usual) && strstr(err.text, "no column of numbers"), "one column only");
}

/* As other tools write them. */
/* mprof and psrecord, which record the memory of a process. */
static void memory_tools(void)
{
	static const struct ft_trace_format real = {.value = "real_mb"};
	static const char mprof[] = "CMDLINE python3 m.py\nMEM 3.156250 1795999067.0542\nCHLD 12 4.5 "
				    "1795999067.06\nMEM 9.519531 1795999067.3621\nFUNC __main__.f 3.2 "
				    "1795999067.1 9.5 1795999067.3\nMEM 12.730469 1795999067.4713\n";

	ok(read_text(mprof, &usual) && !strcmp(trace.value_column, "memory_mib") &&
		   is(POINTS(1795999067.0542, 1795999067.3621, 1795999067.4713),
		      POINTS(3.15625, 9.519531, 12.730469), 3),
	   "mprof: the memory of the process, not of its children and functions");
	ok(read_text(mprof + strlen("CMDLINE python3 m.py\n"), &usual) && trace.n == 3,
	   "mprof: without the line of the command");
	ok(!read_text("CMDLINE x\nMEM 3 1\nMEM INVALID 2\n", &usual) && strstr(err.text, "trace.csv:3"),
	   "mprof: a value that is no number: %s", err.text);
	ok(!read_text("CMDLINE x\n", &usual) || !trace.n, "mprof: nothing recorded");
	ok(read_text(
		   "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n       0.000        0.000        "
		   "2.234       10.500\n       0.050       99.100        4.500       12.000\n",
		   &real) &&
		   is(POINTS(0, 0.05), POINTS(2.234, 4.5), 2) && !strcmp(trace.time_column, "elapsed"),
	   "psrecord: names for its columns %s", err.text);
	ok(read_text(
		   "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)   Read count   Write count   Read "
		   "bytes   Write bytes\n 0.0 0.0 2.5 10.5 1 2 3 4\n 1.0 0.0 3.5 10.5 1 2 3 4\n",
		   &real) &&
		   is(POINTS(0, 1), POINTS(2.5, 3.5), 2),
	   "psrecord: with --include-io");
}

static void tools(void)
{
	const struct ft_trace_format usr = {.value = "%usr"};

	ok(read_text("Linux 6.1.0 (host) \t01/05/2026 \t_x86_64_\t(8 CPU)\n\n# Time        UID       PID    "
		     "%usr\n"
		     "1767571200  1000  42  1.5\n\n# Time        UID       PID    %usr\n1767571201  1000  42 "
		     " 2.5\n",
		     &usr) &&
		   is(POINTS(1767571200, 1767571201), POINTS(1.5, 2.5), 2),
	   "pidstat -h");
	ok(read_text("# t: of our own\nt,y\n0,1\n2,3\n", &usual) && !strcmp(trace.value_column, "y"),
	   "a comment above a header");
	ok(read_text("#Date Time [CPU]User%\n20260105 10:00:00 1\n20260105 10:00:30 2\n", &usual) &&
		   is(POINTS(0, 30), POINTS(1, 2), 2) && trace.dated &&
		   trace.origin_ns == 1767607200LL * 1000000000,
	   "collectl: a date beside a clock");
	ok(read_text("ts,v\n1767571200000000000,1\n1767571200000000250,2\n", &usual) &&
		   is(POINTS(0, 250e-9), POINTS(1, 2), 2) && trace.origin_ns == 1767571200LL * 1000000000,
	   "nanoseconds since 1970, to the last");
	ok(read_text("t_s,v\n1767571200000,1\n1767571200500,2\n", &usual) &&
		   is(POINTS(1767571200000, 1767571200500), POINTS(1, 2), 2) && !trace.dated,
	   "but not where the header says seconds");
	ok(!read_text("ts,v\n1767571200000,1\n1767571200500.5,2\n", &usual) &&
		   strstr(err.text, "not a date like the first"),
	   "nor mixed with others");
	ok(read_text("date,v\n20260131,1\n20260201,2\n", &usual) && is(POINTS(0, 86400), POINTS(1, 2), 2),
	   "days without signs between");
	ok(read_text("t;v\n0;1,5\n1;\n2;2,5\n", &usual) && is(POINTS(0, 2), POINTS(1.5, 2.5), 2),
	   "decimal commas between semicolons");
	ok(read_text("0;1,5\n1;2,5\n", &usual) && is(POINTS(0, 1), POINTS(1.5, 2.5), 2),
	   "to the last digit of a line");
	ok(!read_text("t\tv\n0\t1,500\n1\t2,500\n", &usual), "not where they may part thousands");
	ok(read_text("t,v\n0,[N/A]\n1,2 W\n2,3 W\n", &usual) == false || is(POINTS(1, 2), POINTS(2, 3), 2),
	   "a first value that is not known");
	ok(!read_text("when,date,v\n3,01/28/2026,1\n", &usual) && strstr(err.text, "'01/28/2026' is no time"),
	   "a column with the name of a time that holds none");
}

static void dates(void)
{
	char text[FT_TRACE_TIME_LENGTH];
	double t;

	ok(read_text("timestamp,v\n2014-02-14 "
		     "14:30:00,1\n2014-02-14T14:35:00Z,2\n2014-02-14T16:35:00.5+02:00,3\n",
		     &usual) &&
		   is(POINTS(0, 300, 300.5), POINTS(1, 2, 3), 3) && trace.dated,
	   "dates are seconds since the first, in any zone");
	ok(trace.origin_ns == 1392388200LL * 1000000000, "1392388200 s since 1970");
	ok(!strcmp(ft_trace_time_format(&trace, 300, text), "2014-02-14T14:35:00Z") &&
		   !strcmp(ft_trace_time_format(&trace, 0.25, text), "2014-02-14T14:30:00.250Z"),
	   "and are printed as dates");
	ok(!ft_trace_time_parse(&trace, "2014-02-14T14:35", &t, &err) && t == 300 &&
		   !ft_trace_time_parse(&trace, "12.5", &t, &err) && t == 12.5,
	   "a time may be typed either way");
	ok(ft_trace_time_parse(&trace, "noon", &t, &err) == FT_EPARSE, "but not in words");
	ok(read_text("2016-02-28,1\n2016-02-29,2\n2016-03-01,3\n", &usual) &&
		   is(POINTS(0, 86400, 172800), POINTS(1, 2, 3), 3),
	   "days, of a leap year");
	ok(read_text("1830-01-31,1\n2260-01-31,2\n", &usual) &&
		   near(trace.t[1], 430 * 365.2425 * 86400, 1e-4),
	   "four centuries: %g s", trace.t[1]);
	ok(!read_text("2015-02-28,1\n2015-02-29,2\n", &usual) && strstr(err.text, "not a date"),
	   "no such day");
	ok(!read_text("2015-02-28,1\n17,2\n", &usual) && strstr(err.text, "not a date like the first"),
	   "a number among dates");
}

/* Clocks pass midnight; a date may stand beside them; nanoseconds are kept, before 1970 too. */
static void clocks(void)
{
	ok(read_text("time,v\n23:59:50,1\n00:00:10,2\n23:00:00,3\n11:00:00,4\n", &usual) == false &&
		   strstr(err.text, "earlier"),
	   "half a day back is an error");
	ok(read_text("time,v\n23:59:50,1\n00:00:10,2\n23:00:00,3\n10:59:59,4\n", &usual) &&
		   is(POINTS(86390, 86410, 169200, 212399), POINTS(1, 2, 3, 4), 4) && !trace.dated,
	   "more than that is the next day");
	ok(read_text("date,clock,v\n2026-01-05,10:00:00,1\n2026-01-06,00:00:00.5,2\n", &usual) &&
		   is(POINTS(0, 50400.5), POINTS(1, 2), 2) && trace.dated && !strcmp(trace.value_column, "v"),
	   "a date, then a clock");
	ok(read_text("t;v\n2026-01-01T00:00:00.700000001Z;1\n2026-01-01T00:00:01.2Z;2\n"
		     "2026-01-01T00:00:01.700000002Z;3\n",
		     &usual) &&
		   is(POINTS(0, 0.499999999, 1.000000001), POINTS(1, 2, 3), 3),
	   "seconds of which a part is gone");
	ok(read_text("1969-12-31T23:59:58.5,1\n1969-12-31T23:59:59.2,2\n1970-01-01T00:00:00.7,3\n", &usual) &&
		   is(POINTS(0, 0.7, 2.2), POINTS(1, 2, 3), 3),
	   "before 1970");
	ok(!read_text("2026-10-25T02:59:00,1\n2026-10-25T01:59:00,2\n", &usual) &&
		   strstr(err.remedy, "summer time") &&
		   strstr(err.text, "2026-10-25T01:59:00Z is earlier than that of the row before, "
				    "2026-10-25T02:59:00Z"),
	   "an hour back may be the end of summer time");
	ok(!read_text("2026-10-25T02:59:00,1\n2026-10-25T01:58:59,2\n", &usual) &&
		   !strstr(err.remedy, "summer"),
	   "a second more is not");
	ok(!read_text("10000,1\n9000,2\n", &usual) && !strstr(err.remedy, "summer"), "nor are numbers");
}

static void units(void)
{
	ok(read_text("t,v\n0,1 W\n1,2 W\n", &usual) && is(POINTS(0, 1), POINTS(1, 2), 2),
	   "values have a unit");
	ok(!read_text("t,v\n0,1 W\n1,2 kW\n", &usual) &&
		   strstr(err.text, "column 2: '2 kW' is not in the unit of the first value, 'W'"),
	   "one");
	ok(!read_text("t,v\n0,1 W\n1,2 V\n", &usual) && strstr(err.text, "not in the unit"), "the same");
}

static void gaps(void)
{
	const struct ft_trace_format parts = {.gaps = FT_TRACE_BREAK}, zero = {.gaps = FT_TRACE_ZERO};
	const char *text = "t,y\n0,1\n1,2\n2,\n3,NaN\n4,4\n5,5\n";
	const char *missing =
		"0,1\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,1\n9,1\n10,1\n20,1\n21,1\n22,1\n23,1\n24,1\n";

	ok(read_text(text, &usual) && is(POINTS(0, 1, 4, 5), POINTS(1, 2, 4, 5), 4) && trace.gaps == 1 &&
		   trace.gap_s == 3 && trace.gap_at == 1 && trace.n_parts == 1,
	   "a gap is told and joined");
	ok(read_text(text, &parts) && trace.n_parts == 2 && trace.part[1] == 2 && trace.part[2] == 4,
	   "or broken");
	ok(read_text(text, &zero) && trace.n == 6 && trace.y[2] == 0 && trace.y[3] == 0 &&
		   near(trace.t[2], 1, 0.01) && near(trace.t[3], 4, 0.01) && trace.step_s == 1e-3,
	   "or zero, by steep pieces of stated width");
	ok(read_text(missing, &usual) && trace.gaps == 1 && trace.gap_s == 10 && trace.gap_at == 10,
	   "rows that miss in a regular trace");
	ok(read_text(missing, &parts) && trace.n_parts == 2, "... are broken too");
	ok(read_text("0,1\n1,\n2,\n3,2\n4,\n5,3\n6,4\n", &parts) && trace.n_parts == 1 && trace.n == 2,
	   "single points are no part");
	ok(read_text("0,\n1,1\n2,2\n3,\n", &usual) && is(POINTS(1, 2), POINTS(1, 2), 2) && !trace.gaps,
	   "at the ends nothing is joined");
}

static void steps(void)
{
	const struct ft_trace_format format = {.steps = true},
				     parts = {.steps = true, .gaps = FT_TRACE_BREAK},
				     zero = {.steps = true, .gaps = FT_TRACE_ZERO};
	struct ft_pwl *f;

	ok(read_text("0,2\n10,5\n20,5\n30,1\n40,0\n", &format) && trace.n == 6 && trace.step_s == 0.01,
	   "two jumps");
	ft_pwl_new(&f, trace.t, trace.y, trace.n, NULL);
	ok(near(ft_pwl_integral(f, 0, 40), 2 * 10 + 5 * 20 + 1 * 10, 1e-12),
	   "the integral is that of the steps");
	ok(ft_pwl_at(f, 9) == 2 && ft_pwl_at(f, 11) == 5 && ft_pwl_at(f, 10) == 3.5 && ft_pwl_at(f, 40) == 1,
	   "steep about each jump; the last row is the end");
	ft_pwl_free(f);
	ok(read_text("0,2\n10,5\n10,7\n20,0\n", &format) && trace.same == 1 && trace.y[3] == 7,
	   "of two rows of one time the last counts");
	ok(read_text("0,2\n10,\n20,5\n30,0\n", &format) && trace.gaps == 1 && trace.n == 4 &&
		   near(trace.t[1], 20, 1e-3),
	   "without a value the one before holds");
	ok(read_text("0,2\n10,\n20,5\n30,0\n", &parts) && trace.n_parts == 2 && trace.t[1] == 10 &&
		   trace.t[2] == 20,
	   "or the trace breaks there");
	ok(read_text("0,2\n10,\n20,5\n30,0\n", &zero) && trace.n == 6 && trace.y[2] == 0, "or is zero");
	ok(!read_text("0,8\n1,0\n2,6\n8018608009960880000,2\n", &format) && strstr(err.text, "apart") &&
		   err.remedy[0],
	   "no room for a jump beside a large time: %s", err.text);
	ok(!read_text("0,2\n1e-321,5\n1,\n", &parts) && strstr(err.text, "apart") && err.remedy[0],
	   "nor between two of the least numbers that there are");
	ok(read_text("1769860800,8\n1769860800.001,0\n1769860800.002,6\n", &format) && trace.n == 4,
	   "milliseconds have room");
	ok(read_text("0,5\n1,\n1,81\n2,0\n3,1\n", &parts) && trace.n_parts == 1 && !trace.gaps,
	   "a value of the time at which a gap began ends it before it is one");
	ok(read_text("0,1\n1,3\n2,\n4,8\n4,\n7,2\n9,1\n", &parts) && trace.gaps == 1 && trace.gap_s == 5 &&
		   trace.gap_at == 2 && trace.n_parts == 2,
	   "a gap goes on behind a value whose time has none after all");
	ok(read_text("0,1\n1,3\n2,\n4,8\n4,6\n7,2\n9,1\n", &parts) && trace.gaps == 1 && trace.gap_s == 2,
	   "and ends where that has another one");
	ok(read_text("176,9\n6000048660800,3\n6000052419039,\n", &parts) && trace.n == 4 &&
		   trace.t[1] < trace.t[2] && trace.t[2] < trace.t[3] &&
		   near(trace.t[3], 6000052419039, 1e-15),
	   "a last value that holds for a thousandth of the time before ends behind its jump");
}

static bool refused(const char *bytes, size_t length, enum ft_status status, const char *words)
{
	ft_trace_clear(&trace);
	enum ft_status got = ft_trace_read(&trace, file_of("bad.csv", bytes, length), &usual, &err);
	if (got == status && strstr(err.text, words) && !trace.t && !trace.part)
		return true;
	diag("%s: %s", ft_status_text(got), err.text);
	return false;
}

#define REFUSED(bytes, status, words) refused(bytes, sizeof bytes - 1, status, words)

static void bad_input(void)
{
	ok(REFUSED("", FT_EINVAL, "no row"), "nothing");
	ok(REFUSED("t,y\n", FT_EINVAL, "no row"), "a header only");
	ok(REFUSED("t,y\n0,1\n", FT_EINVAL, "one point only"), "one point");
	ok(REFUSED("t,y\n0,1\n2,1\n1,1\n", FT_EINVAL, "bad.csv:4: the time 1 is earlier"),
	   "unsorted times, with the line");
	ok(REFUSED("t,y\n0,1\n2,1\n2,1\n", FT_EINVAL, "bad.csv:4: the time 2 is also"), "a time twice");
	ok(REFUSED("t,y\n0,1\n1,inf\n", FT_EPARSE, "'inf' is infinite"), "an infinity");
	ok(REFUSED("t,y\n0,1\n1,-Infinity\n", FT_EPARSE, "infinite"), "another one");
	ok(REFUSED("t,y\n0,1\n1,1e999\n", FT_EPARSE, "infinite"), "a number too large");
	ok(REFUSED("t,y\n0,1\n1,abc\n", FT_EPARSE, "bad.csv:3: column 2: 'abc' is not a number"), "a word");
	ok(REFUSED("t,y\n0,1\n1\n", FT_EPARSE, "bad.csv:3: 1 cell, and column 2"), "a short row");
	ok(REFUSED("t,y\n0,1\nx,2\n", FT_EPARSE, "'x' is not a time"), "no time");
	ok(REFUSED("\x7f"
		   "ELF\0\0\1\n\0\0\n",
		   FT_EPARSE, "bad.csv"),
	   "a binary file");
	ok(REFUSED("t,y\n0,1\n1,2\0\n", FT_EPARSE, "zero byte"), "a zero byte");
	ok(REFUSED("t,y\n0,1\n\0\n", FT_EPARSE, "bad.csv:3: a zero byte"), "a zero byte in a short row");
	ok(REFUSED("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", FT_EIO, "gzip data is damaged"),
	   "damaged gzip");
	ok(read_text("t,y\n0,1\n1,2\n2,3", &usual) && trace.n == 3 && !trace.cut,
	   "a last line without an end, complete");
	ok(read_text("t,y\n0,1\n1,2\n2", &usual) && trace.n == 2 && trace.cut,
	   "... and not complete: left out, told");
	ft_trace_clear(&trace);
	ok(ft_trace_read(&trace, temp_path("none.csv"), &usual, &err) == FT_ENOENT &&
		   strstr(err.text, "cannot open"),
	   "no file");
}

/* The last two of very many columns, and those of the name that is asked for: each line is read once or
 * twice, not once for each column. */
static void wide(void)
{
	enum { COLUMNS = 100000 };
	const struct ft_trace_format named = {.time = "c99998", .value = "c99999"};
	size_t room = (size_t)COLUMNS * 8 * 3, n = 0, i;
	char *text = malloc(room);

	for (i = 0; i < COLUMNS; i++)
		n += (size_t)snprintf(text + n, room - n, "c%zu,", i);
	text[n - 1] = '\n';
	for (i = 0; i < COLUMNS; i++)
		n += (size_t)snprintf(text + n, room - n, "%s,",
				      i + 2 < COLUMNS   ? "x"
				      : i + 1 < COLUMNS ? "0"
							: "7");
	text[n - 1] = '\n';
	for (i = 0; i < COLUMNS; i++)
		n += (size_t)snprintf(text + n, room - n, "%s,",
				      i + 2 < COLUMNS   ? "x"
				      : i + 1 < COLUMNS ? "1"
							: "8");
	text[n - 1] = '\n';
	text[n] = '\0';
	ok(read_text(text, &usual) && is(POINTS(0, 1), POINTS(7, 8), 2), "found among 1e5 columns");
	ok(read_text(text, &named) && is(POINTS(0, 1), POINTS(7, 8), 2), "named among them");
	free(text);
}

static void stream(void)
{
	const char *path = file_of("stream.csv", "t,y\n0,1\n1,2\n2,34", 17);

	if (!freopen(path, "r", stdin))
		exit(99);
	ft_trace_clear(&trace);
	ok(!ft_trace_read(&trace, "-", &usual, &err) && trace.n == 2 && trace.cut,
	   "a stream that ends in the middle of a line: it is left out, told");
	gzFile packed = gzopen(temp_path("packed.csv.gz"),
			       "wb"); /* not before: it would be standard input, were that closed */
	(void)gzputs(packed, "t,y\n0,1\n2,3\n");
	(void)gzclose(packed);
	ft_trace_clear(&trace);
	ok(!ft_trace_read(&trace, temp_path("packed.csv.gz"), &usual, &err) &&
		   is(POINTS(0, 2), POINTS(1, 3), 2),
	   "gzip");
}

/* A fit of all parts: as good as the parts by themselves, with all pieces used. */
static void parts(void)
{
	const struct ft_trace_format format = {.gaps = FT_TRACE_BREAK};
	struct ft_pwl_options few = {.pieces = 1}, five = {.pieces = 5}, any = {0};
	struct ft_pwl_fit fit;
	char text[20000];
	size_t first[8], n = 0, i;

	for (i = 0; i < 300; i++) { /* a wedge, a gap, a zigzag of three */
		double x = (double)i, y = i < 100 ? fabs(x - 50) : i < 130 ? NAN : fabs(fabs(x - 200) - 40);

		n += (size_t)snprintf(text + n, sizeof text - n, isnan(y) ? "%g,\n" : "%g,%g\n", x, y);
	}
	ok(read_text(text, &format) && trace.n_parts == 2, "two parts");
	ok(ft_trace_fit(&fit, &trace, &few, first, &err) == FT_EINVAL && strstr(err.text, "2 parts"),
	   "one piece is too few");
	ok(!ft_trace_fit(&fit, &trace, &five, first, &err) && fit.nodes.n == 7 && first[1] == 3 &&
		   first[2] == 7 && fit.error.rms > 0,
	   "five pieces: two and three");
	ft_pwl_fit_clear(&fit);
	ok(!ft_trace_fit(&fit, &trace, &any, first, &err) && first[1] == 3 && first[2] == 8 &&
		   fit.error.rms < 1e-6,
	   "by themselves: two and four, exactly (%.2g)", fit.error.rms);
	ft_pwl_fit_clear(&fit);
}

static void faults(void)
{
	const struct ft_trace_format formats[] = {
		{0}, {.gaps = FT_TRACE_BREAK}, {.gaps = FT_TRACE_ZERO}, {.steps = true}};
	const char *text = "t,y\n0,1\n1,2\n2,\n3,4\n4,3\n5,5\n6,2\n7,1\n8,0\n9,1\n10,1\n";
	const char *path = file_of("faults.csv", text, strlen(text));
	bool good = true;

	for (size_t i = 0; i < 4; i++) {
		bool failed = true;
		unsigned long k;

		for (k = 1; failed && k < 60; k++) {
			ft_trace_clear(&trace);
			(void)ft_alloc_fail_at(k);
			enum ft_status status = ft_trace_read(&trace, path, &formats[i], &err);
			failed = status != FT_OK;
			good = good && (status == FT_OK || (status == FT_ENOMEM && !trace.t));
		}
		good = good && k > 4 && k < 60;
	}
	(void)ft_alloc_fail_at(0);
	ok(good, "each allocation may fail");
}

int main(void)
{
	columns();
	tools();
	memory_tools();
	dates();
	clocks();
	units();
	gaps();
	steps();
	bad_input();
	wide();
	stream();
	parts();
	faults();
	ft_trace_clear(&trace);
	temp_remove();
	return done();
}
