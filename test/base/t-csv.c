/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-csv.c - tables of text: what is read, what is refused and where, files plain and packed. */
#include "base/alloc.h"
#include "base/csv_table.h"
#include "base/random.h"
#include "base/text.h"
#include "foretime/base.h"
#include "tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* A table as one line: [header] (row) (row), cells joined by '|', each row with its line. */
static char *show(const struct ft_csv *csv)
{
	struct ft_text text = {0};

	for (size_t j = 0; j < ft_csv_columns(csv); j++)
		ft_text_add(&text, "%s%s", j ? "|" : "[", ft_csv_column_name(csv, j));
	ft_text_add(&text, "]");
	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		ft_text_add(&text, " %zu(", ft_csv_line(csv, i));
		for (size_t j = 0; j < ft_csv_columns(csv); j++)
			ft_text_add(&text, "%s%s", j ? "|" : "", ft_csv_cell(csv, i, j));
		ft_text_add(&text, ")");
	}
	return ft_text_take(&text);
}

static void reads(const char *what, const char *text, char separator, const char *want)
{
	struct ft_csv *csv;
	struct ft_err err = {0};
	enum ft_status status = ft_csv_parse("t.csv", text, strlen(text), separator, &csv, &err);
	char *got = status == FT_OK ? show(csv) : NULL;

	if (!ok(got && !strcmp(got, want), "%s", what))
		diag("got %s %s", got ? got : "", err.text);
	ft_free(got);
	ft_csv_free(csv);
}

static void refuses_bytes(const char *what, const char *text, size_t length, const char *want)
{
	struct ft_csv *csv = (struct ft_csv *)&text;
	struct ft_err err = {0};
	enum ft_status status = ft_csv_parse("t.csv", text, length, 0, &csv, &err);

	if (!ok(status == FT_EPARSE && !csv && !strcmp(err.text, want) && *err.remedy, "refuses %s", what))
		diag("got %d: %s", (int)status, err.text);
}

static void refuses(const char *what, const char *text, const char *want)
{
	refuses_bytes(what, text, strlen(text), want);
}

static void examples(void)
{
	reads("a plain table", "a,b\n1,2\n3,4\n", 0, "[a|b] 2(1|2) 3(3|4)");
	reads("no last line end", "a,b\n1,2", 0, "[a|b] 2(1|2)");
	reads("a header only", "a,b", 0, "[a|b]");
	reads("CRLF, blank lines, blanks", "\r\na , b\r\n \r\n 1 ,\t2 \r\n\r\n", 0, "[a|b] 4(1|2)");
	reads("CR alone", "a,b\r1,2\r", 0, "[a|b] 2(1|2)");
	reads("a byte order mark",
	      "\xef\xbb\xbf"
	      "a,b\n1,2\n",
	      0, "[a|b] 2(1|2)");
	reads("comments", "# x: y\n#\na,b\n# 5,6\n1,2\n#", 0, "[a|b] 5(1|2)");
	reads("quotes", "a,\"b,c\"\n\"x\"\"y\" , \" z \"\n\"\",\"#\"\n", 0, "[a|b,c] 2(x\"y| z ) 3(|#)");
	reads("line ends in quotes", "a,b\n\"1\n\n#2\",3\n4,5\n", 0, "[a|b] 2(1\n\n#2|3) 5(4|5)");
	reads("a semicolon", "a;b,c;d\n1;2;3\n", 0, "[a|b,c|d] 2(1|2|3)");
	reads("a tabulator", "a\tb\n\t\n1\t \n", 0, "[a|b] 2(|) 3(1|)");
	reads("a quoted separator counts not", "\"a;;;\",b\n1,2\n", 0, "[a;;;|b] 2(1|2)");
	reads("a separator that is asked for", "a;b,c\n1;2,3\n", ',', "[a;b|c] 2(1;2|3)");
	reads("one column", "a\n1\n", 0, "[a] 2(1)");
	reads("empty cells", "a,b,\n,,\n", 0, "[a|b|] 2(||)");
	reads("several columns without a name", ",,a\n1,2,3\n", 0, "[||a] 2(1|2|3)");
	refuses("an empty text", "", "t.csv:1: column 1: there is no header");
	refuses("comments only", "# a\n\n  \n# b: c\n", "t.csv:1: column 1: there is no header");
	refuses("a short row", "a,b,c\n1,2,3\n1,2\n",
		"t.csv:3: column 3: the row has 2 cells where the header has 3");
	refuses("a long row", "a,b\n\n1,2,3\n",
		"t.csv:3: column 3: the row has 3 cells where the header has 2");
	refuses("a long last row", "a\n1,2", "t.csv:2: column 2: the row has 2 cells where the header has 1");
	refuses("one name twice", "a,b,a\n", "t.csv:1: column 3: another column is named 'a' too");
	refuses("an open quote", "a,b\n1,2\n3,\"x\n4,5\n", "t.csv:3: column 2: a quote is not closed");
	refuses("an open quote in the header", "a,\"b", "t.csv:1: column 2: a quote is not closed");
	refuses("a quote in a cell", "a,b\n1,x\"y\n", "t.csv:2: column 2: a quote in the middle of a cell");
	refuses("text behind a quote", "a,b\n\"1\"x,2\n",
		"t.csv:2: column 1: a quote in the middle of a cell");
	refuses_bytes("a zero byte", "a,b\n1,\0\n", 8, "t.csv:2: column 2: a zero byte");
	refuses_bytes("a zero byte in a comment", "a,b\n#\0\n1,2\n", 11, "t.csv:2: column 1: a zero byte");
	refuses_bytes("UTF-16", "\xff\xfe\x61\x00,\x00\x62\x00\n\x00", 10, "t.csv:1: column 1: a zero byte");
}

static void lookups(void)
{
	static const char text[] =
		"# work : 2*n^3 \n#key:a: b\n# empty:\n# work: second\nn,wall_s\n# late: x\n"
		"1,2.5\n 3 ,\n-1e-3,1,\n";
	struct ft_csv *csv;
	struct ft_err err = {0};
	double value;

	ok(ft_csv_parse("t.csv", text, strlen(text) - 2, 0, &csv, NULL) == FT_OK, "a table with notes");
	ok(!strcmp(ft_csv_note(csv, "work"), "2*n^3") && !strcmp(ft_csv_note(csv, "key"), "a: b") &&
		   !strcmp(ft_csv_note(csv, "empty"), "") && !ft_csv_note(csv, "late") &&
		   !ft_csv_note(csv, "wor"),
	   "notes, the first of a key, none behind the header");
	ok(ft_csv_column_of(csv, (const char *const[]){"m", "wall_s", "n", NULL}) == 1 &&
		   ft_csv_column_of(csv, (const char *const[]){"m", NULL}) == -1,
	   "of several names the first that there is");
	ok(ft_csv_column(csv, "wall_s") == 1 && ft_csv_column(csv, "n") == 0 && ft_csv_column(csv, "m") == -1,
	   "columns by name");
	ok(ft_csv_number(csv, 0, 1, false, &value, NULL) == FT_OK && value == 2.5, "a number");
	ok(ft_csv_number(csv, 2, 0, false, &value, NULL) == FT_OK && value == -1e-3, "a negative number");
	ok(ft_csv_number(csv, 1, 1, true, &value, NULL) == FT_OK && isnan(value), "an empty cell, accepted");
	ok(ft_csv_number(csv, 1, 1, false, &value, &err) == FT_EPARSE && isnan(value) &&
		   !strcmp(err.text, "t.csv:8: column 2 (wall_s): '' is not a number") && *err.remedy,
	   "an empty cell, refused: %s", err.text);
	ft_csv_free(csv);
	ft_csv_free(NULL);
}

static void numbers(void)
{
	static const char *const bad[] = {"abc",   "1m",  "0x10", "nan", "inf",
					  "1e999", "1 2", "--1",  "1e",  "1;2"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct ft_csv *csv;
		struct ft_err err = {0};
		char text[32];
		double value;
		int length = snprintf(text, sizeof text, "n,m\n%s,5\n", bad[i]);

		(void)ft_csv_parse("t.csv", text, (size_t)length, ',', &csv, NULL);
		ok(ft_csv_number(csv, 0, 0, true, &value, &err) == FT_EPARSE && isnan(value) &&
			   strstr(err.text, "t.csv:2: column 1 (n): '"),
		   "no number: %s", err.text);
		ft_csv_free(csv);
	}
}

static void quoting(void)
{
	static const char *const cell[][2] = {
		{"plain", "plain"},   {"", ""},         {"a,b", "\"a,b\""}, {"a\"b", "\"a\"\"b\""},
		{"a\nb", "\"a\nb\""}, {" a", "\" a\""}, {"a ", "\"a \""},   {"#a", "\"#a\""},
		{"a b", "a b"}};
	char buffer[32];
	bool good = true;

	for (size_t i = 0; i < sizeof cell / sizeof *cell; i++)
		ok(ft_csv_quote(cell[i][0], buffer, sizeof buffer) == strlen(cell[i][1]) &&
			   !strcmp(buffer, cell[i][1]),
		   "cell %zu is quoted where it must be", i);
	for (size_t size = 0; size < 8; size++) {
		memset(buffer, 'X', sizeof buffer);
		good = good && ft_csv_quote("a\"b", size ? buffer : NULL, size) == 6 &&
		       (!size || strlen(buffer) == (size < 7 ? size - 1 : 6)) && buffer[size] == 'X';
	}
	ok(good, "a cell that does not fit is cut, and its length told");
}

/* What ft_csv_quote writes, ft_csv_parse reads. */
static void random_tables(void)
{
	static const char *const piece[] = {"a", ",",  "\"", "\n", "\r\n",         "\r",
					    ";", "\t", " ",  "#",  "\xef\xbb\xbf", "7"};
	uint64_t seed = test_seed();
	struct ft_random random = {seed};
	int i, bad = 0, n = test_cases(2000);

	for (i = 0; i < n; i++) {
		size_t columns = 1 + ft_random_below(&random, 4), rows = 1 + ft_random_below(&random, 4), j,
		       k;
		char cell[16][32] = {{0}}, quoted[80];
		struct ft_text text = {0};
		struct ft_csv *csv;

		for (j = 0; j < rows * columns; j++) {
			for (k = ft_random_below(&random, 5); k; k--)
				strcat(cell[j], piece[ft_random_below(&random, 12)]);
			if (j < columns ||
			    columns == 1) /* unlike names; an empty single cell is a blank line */
				strcat(cell[j], (const char[]){'x', (char)('a' + j), 0});
			(void)ft_csv_quote(cell[j], quoted, sizeof quoted);
			ft_text_add(&text, "%s%s", quoted, (j + 1) % columns ? "," : "\r\n");
		}
		bool same =
			ft_csv_parse("r", text.s, text.length, columns == 1 ? ',' : 0, &csv, NULL) == FT_OK &&
			ft_csv_columns(csv) == columns && ft_csv_rows(csv) == rows - 1;
		for (j = 0; same && j < rows * columns; j++)
			same = !strcmp(cell[j], j < columns ? ft_csv_column_name(csv, j)
							    : ft_csv_cell(csv, j / columns - 1, j % columns));
		if (!same && !bad++)
			diag("seed %llu case %d: %s", (unsigned long long)seed, i, text.s);
		ft_csv_free(csv);
		ft_text_clear(&text);
	}
	ok(!bad, "%d random tables are read as they were written", n);
}

/* Rows without quotes are split by hand: with quotes somewhere, libcsv reads the same cells. */
static void plain_rows(void)
{
	static const char *const piece[] = {"a",   " ",        "\t",           "#", ";",
					    "1.5", "\xc3\xa4", "\xef\xbb\xbf", "'", ""};
	static const char *const end[] = {"\n", "\r\n", "\r"};
	struct ft_random random = {test_seed()};
	int bad = 0, n = test_cases(2000);

	for (int i = 0; i < n; i++) {
		const char separator = ",|\t"[ft_random_below(&random, 3)],
			   *stop = end[ft_random_below(&random, 3)];
		struct ft_text by_hand = {0}, by_library = {0};
		struct ft_csv *one = NULL, *two = NULL;

		ft_text_add(&by_hand, "x%cy%cz%s", separator, separator, stop);
		ft_text_add(&by_library, "x%cy%c\"z\"%s", separator, separator, stop);
		for (size_t row = 0; row < 3; row++) {
			char cell[2][32] = {{0}};

			for (size_t j = 0; j < 2; j++)
				for (size_t k = ft_random_below(&random, 6); k; k--) {
					const char *more = piece[ft_random_below(&random, 10)];

					strcat(cell[j], *more == separator ? "-" : more);
				}
			ft_text_add(&by_hand, "%s%c%s%ckept%s", cell[0], separator, cell[1], separator,
				    row < 2 ? stop : "");
			ft_text_add(&by_library, "%s%c%s%c\"kept\"%s", cell[0], separator, cell[1], separator,
				    row < 2 ? stop : "");
		}
		const enum ft_status status =
			ft_csv_parse("r", by_hand.s, by_hand.length, separator, &one, NULL);
		char *got = status ? NULL : show(one);
		char *want = ft_csv_parse("r", by_library.s, by_library.length, separator, &two, NULL)
				     ? NULL
				     : show(two);
		if (!got != !want || (got && strcmp(got, want) != 0))
			if (!bad++)
				diag("seed %llu: %s: %s, not %s", (unsigned long long)test_seed(), by_hand.s,
				     got ? got : "", want ? want : "");
		ft_free(got);
		ft_free(want);
		ft_csv_free(one);
		ft_csv_free(two);
		ft_text_clear(&by_hand);
		ft_text_clear(&by_library);
	}
	ok(!bad, "%d tables without quotes are read as those with quotes", n);
}

static bool write_file(const char *path, const void *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(bytes, 1, length, file) == length;

	return file && !fclose(file) && good;
}

static size_t read_file(const char *path, char *bytes, size_t size)
{
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(bytes, 1, size, file) : 0;

	if (file)
		(void)fclose(file);
	return n;
}

static enum ft_status read_path(const char *path, const char *want, struct ft_err *err)
{
	struct ft_csv *csv = (struct ft_csv *)&want;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);
	char *got = csv ? show(csv) : NULL;

	if (want)
		ok(status == FT_OK && got && !strcmp(got, want), "%s is read", path);
	else
		ok(status != FT_OK && !csv && *err->text, "%s is refused: %s", path, err->text);
	ft_free(got);
	ft_csv_free(csv);
	return status;
}

static void gz_write(const char *path, const char *mode, const char *text)
{
	gzFile file = gzopen(path, mode);

	(void)gzputs(file, text);
	(void)gzclose(file);
}

static void files(void)
{
	char packed[4096];
	struct ft_err err = {0};

	(void)write_file("plain.csv", "a,b\n1,2\n", 8);
	(void)read_path("plain.csv", "[a|b] 2(1|2)", &err);
	gz_write("packed.csv", "wb", "a,b\n1,2\n");
	(void)read_path("packed.csv", "[a|b] 2(1|2)", &err);
	gz_write("packed.csv", "ab", "3,4\n"); /* a second member, as cat a.gz b.gz makes */
	(void)read_path("packed.csv", "[a|b] 2(1|2) 3(3|4)", &err);
	size_t n = read_file("packed.csv", packed, sizeof packed);
	(void)write_file("cut.csv.gz", packed, n - 6);
	ok(read_path("cut.csv.gz", NULL, &err) == FT_EIO && strstr(err.text, "gzip"), "a cut gzip file");
	packed[n - 5] ^= 0x55; /* its checksum */
	(void)write_file("damaged.csv.gz", packed, n);
	ok(read_path("damaged.csv.gz", NULL, &err) == FT_EIO && *err.remedy, "a damaged gzip file");
	(void)write_file("empty.csv", "", 0);
	ok(read_path("empty.csv", NULL, &err) == FT_EPARSE, "an empty file");
	ok(read_path("missing.csv", NULL, &err) == FT_ENOENT &&
		   strstr(err.text, "cannot open 'missing.csv': "),
	   "a missing file");
	ok(read_path(".", NULL, &err) == FT_EIO && strstr(err.text, "cannot read '.': "), "a directory");
	(void)chmod("plain.csv", 0);
	if (geteuid())
		ok(read_path("plain.csv", NULL, &err) == FT_EACCESS, "a file that may not be read");
	else
		skip("a file that may not be read", "root may read all");
}

static void standard_input(void)
{
	struct ft_err err = {0};
	struct ft_csv *csv;

	(void)write_file("in.csv", "a;b\n1;2\n3\n", 10);
	ok(freopen("in.csv", "rb", stdin) && ft_csv_read("-", 0, &csv, &err) == FT_EPARSE &&
		   strstr(err.text, "standard input:3: column 2: "),
	   "standard input: %s", err.text);
	ok(fcntl(STDIN_FILENO, F_GETFD) >= 0, "standard input is left open");
}

/* libcsv asks for less when it cannot have its buffer: that failure is survived. */
static void allocation_faults(void)
{
	static const char text[] = "# k: v\n# l: w\na,b,c\n1,\"2\n2\",3\n4,5,6\n";
	unsigned long n = 0, made, survived = 0;
	bool good = true;

	gz_write("fault.csv.gz", "wb", text);
	do {
		struct ft_csv *csv = (struct ft_csv *)&made;
		struct ft_err err = {0};

		(void)ft_alloc_fail_at(++n);
		enum ft_status status = ft_csv_read("fault.csv.gz", 0, &csv, &err);
		made = ft_alloc_fail_at(0);
		good = good && (status == FT_OK ? csv && ft_csv_rows(csv) == 2
						: status == FT_ENOMEM && err.status == status && !csv);
		survived += status == FT_OK;
		ft_csv_free(csv);
	} while (made >= n);
	if (!ok(good && n > 8 && survived <= 2, "each of %lu allocations may fail", n - 1))
		diag("survived %lu", survived - 1);
}

/* The lines of the rows that are handed over, and of those that are left out: "2 3 -4 5". */
struct spared {
	struct ft_text text;
	bool refuse; /* the first row that fails */
};

static enum ft_status take_spared(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct spared *spared = ctx;

	if (!strcmp(ft_csv_cell(csv, 0, 0), "bad"))
		return ft_fail(err, FT_EINVAL, "t:%zu: column 1: bad", ft_csv_line(csv, 0));
	ft_text_add(&spared->text, "%zu ", ft_csv_line(csv, 0));
	return spared->text.failed ? ft_nomem(err) : FT_OK;
}

static enum ft_status spare(void *ctx, enum ft_status status, struct ft_err *err)
{
	struct spared *spared = ctx;

	if (spared->refuse || (status != FT_EINVAL && status != FT_EPARSE))
		return status;
	ft_text_add(&spared->text, "-%.*s ", (int)strspn(err->text + 2, "0123456789"), err->text + 2);
	return spared->text.failed ? ft_nomem(err) : FT_OK;
}

static enum ft_status read_spared(const char *text, struct spared *spared, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_memory(&input, "t", text, strlen(text), err);

	if (status)
		return status;
	status = ft__csv_each(input, ',', false, take_spared, spare, spared, err);
	ft__input_close(input);
	return status;
}

/* Rows that fail are left out, and those that a quote took into its cell are rows again. */
static void leaving_out(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"a,b\n1,2\nbad,2\n3\n4,5\n6,7,8\n9,", "2 -3 -4 5 -6 7 "},
		{"a,b\n1,2\n3,\"4\n5,6\n7,8", "2 -3 4 5 "},
		{"a,b\n1,2\n3,\"4\n5,6\n7,\"8\"\n9,1\n", "2 -3 4 5 6 "},
		{"a,b\n1,2\n3,4\"5\n5,6\n", "2 -3 4 "},
		{"a,b\n\"1,2\n\"3,4\n\"5,6\n7,8\n\"9,1", "-2 -3 -4 5 -6 "},
		{"a,b\n\"bad\",\"2\n3,4\n\"\n5,6\n", "-2 3 -4 5 "},
		{"a,b\n1,\"2\n3\"\n4,5\n", "2 4 "},
	};
	static const char faulty[] = "a,b\n1,2\n3,\"4\n5,6\n7\n8,9\n";
	struct ft_text quotes = {0};
	struct spared spared = {0};
	struct ft_err err = {0};
	unsigned long n = 0, made;
	bool good = true;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct spared each = {0};
		enum ft_status status = read_spared(cases[i].text, &each, &err);

		if (!ok(!status && each.text.s && !strcmp(each.text.s, cases[i].want), "left out: %s",
			cases[i].want))
			diag("status %d: %s", status, each.text.s ? each.text.s : err.text);
		ft_text_clear(&each.text);
		each = (struct spared){.refuse = true};
		ok(i == sizeof cases / sizeof *cases - 1 || read_spared(cases[i].text, &each, &err),
		   "or the first one ends the reading");
		ft_text_clear(&each.text);
	}
	ok(read_spared("a,\"b\n1,2\n", &spared, &err) == FT_EPARSE && !spared.text.length,
	   "without a header there are no rows");
	do {
		struct spared each = {0};

		(void)ft_alloc_fail_at(++n);
		enum ft_status status = read_spared(faulty, &each, &err);
		made = ft_alloc_fail_at(0);
		good = good && (status == FT_ENOMEM || (!status && !strcmp(each.text.s, "2 -3 4 -5 6 ")));
		ft_text_clear(&each.text);
	} while (made >= n);
	ok(good && n > 8, "each of %lu allocations may fail", n - 1);
	ft_text_add(&quotes, "a,b\n1,2\n");
	for (size_t i = 0; i < 150000; i++)
		ft_text_add(&quotes, "x,\"y\n");
	ok(!read_spared(quotes.s, &spared, &err) && !strncmp(spared.text.s, "2 -3 -4 -5 ", 11),
	   "a table of quotes that are not closed");
	ft_text_clear(&quotes);
	ft_text_clear(&spared.text);
}

/* A large table stays one: rows beyond libcsv's blocks and a cell beyond them. */
static void large(void)
{
	struct ft_text text = {0};
	struct ft_csv *csv;

	ft_text_add(&text, "n,wall_s,note\n");
	for (size_t i = 0; i < 100000; i++)
		ft_text_add(&text, "%zu,0.5,x\n", i);
	ft_text_add(&text, "1,2,\"");
	for (size_t i = 0; i < 300000; i++)
		ft_text_add_bytes(&text, "y\n", 2);
	ft_text_add(&text, "\"\n");
	ok(ft_csv_parse("large", text.s, text.length, 0, &csv, NULL) == FT_OK && ft_csv_rows(csv) == 100001 &&
		   !strcmp(ft_csv_cell(csv, 99999, 0), "99999") && ft_csv_line(csv, 99999) == 100001 &&
		   strlen(ft_csv_cell(csv, 100000, 2)) == 600000,
	   "100000 rows, and a cell of 600000 bytes");
	ft_csv_free(csv);
	ft_text_clear(&text);
}

/* A few kilobytes of gzip may hold what fills any memory: rows of nothing. */
static void bomb(void)
{
	enum { COLUMNS = 10000, ROWS = 3500 };
	size_t length = (size_t)COLUMNS * ROWS;
	char *text = ft_malloc(length);
	struct ft_csv *csv = (void *)1;
	struct ft_err err = {0};

	memset(text, ',', length);
	for (size_t row = 0; row < ROWS; row++)
		text[row * COLUMNS + COLUMNS - 1] = '\n';
	ok(ft_csv_parse("bomb", text, length, ',', &csv, &err) == FT_EPARSE && !csv && err.remedy[0],
	   "a table that fills the memory: %s", err.text);
	ok(ft_csv_parse("bomb", text, length / 7, ',', &csv, &err) == FT_OK, "a seventh of it is read");
	ft_csv_free(csv);
	memset(text, '0', length);
	ok(ft_csv_parse("bomb", text, length, 0, &csv, &err) == FT_EPARSE && strstr(err.text, "longer than"),
	   "a line without end: %s", err.text);
	memset(text, '\n', length);
	text[0] = '"';
	ok(ft_csv_parse("bomb", text, length, 0, &csv, &err) == FT_EPARSE && strstr(err.text, "longer than"),
	   "a quote without end: %s", err.text);
	ft_free(text);
}

int main(void)
{
	char folder[] = "/tmp/foretime-csv-XXXXXX";

	examples();
	lookups();
	numbers();
	quoting();
	leaving_out();
	random_tables();
	plain_rows();
	large();
	if (!mkdtemp(folder) || chdir(folder)) {
		ok(false, "a folder for files");
		return done();
	}
	files();
	standard_input();
	allocation_faults();
	(void)unlink("plain.csv"), (void)unlink("packed.csv"), (void)unlink("cut.csv.gz");
	(void)unlink("damaged.csv.gz"), (void)unlink("empty.csv"), (void)unlink("in.csv"),
		(void)unlink("fault.csv.gz");
	ok(!rmdir(folder), "nothing is left behind");
	bomb();
	return done();
}
