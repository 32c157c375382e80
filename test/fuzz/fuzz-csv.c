/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-csv.c - any bytes as a table: refused with words and a line, or the same table when written and read
 * again. */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/text.h"
#include "foretime/base.h"
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fuzz_csv_seeds[] = {
	"n,wall_s\n64,0.5\n128,1.5\n",
	"# foretime: runs 1\n# work: 2*n^3\nn,m,wall_s,outcome,warmup\n64,1,0.5,done,1\n128,1,,timed out,0\n",
	"\xef\xbb\xbf"
	"a;b;c\r\n1;\"2;\"\"x\"\"\";3\r\n\r\n# no row\r\n;;\r\n",
	"a\tb\n\"line\nline\"\t 5 \n",
	"x\n1\n2\n\"\"\n",
	"a,b\r1,2\r3,4",
	NULL,
};

const char *const fuzz_csv_pieces[] = {
	",", ";",        "\t",           "\"", "\"\"",  "\n",    "\r", "\r\n",
	"#", "# k: v\n", "\xef\xbb\xbf", " ",  "a,b\n", "1e999", "-5", NULL,
};

/* The table as ft_csv_quote has it. */
static void write_row(struct ft_text *text, const struct ft_csv *csv, size_t row)
{
	size_t i, columns = ft_csv_columns(csv);

	for (i = 0; i < columns; i++) {
		const char *cell = row ? ft_csv_cell(csv, row - 1, i) : ft_csv_column_name(csv, i);
		size_t length = ft_csv_quote(cell, NULL, 0);
		char *quoted = ft_malloc(length + 1);

		if (!quoted)
			return;
		(void)ft_csv_quote(cell, quoted, length + 1);
		/* An empty cell alone would be a blank line. */
		ft_text_add(text, "%s%s", columns == 1 && !*cell ? "\"\"" : quoted,
			    i + 1 < columns ? "," : "\n");
		ft_free(quoted);
	}
}

static const char *compare(const struct ft_csv *a, const struct ft_csv *b)
{
	if (ft_csv_rows(a) != ft_csv_rows(b) || ft_csv_columns(a) != ft_csv_columns(b))
		return "as many rows and columns again";
	for (size_t i = 0; i < ft_csv_columns(a); i++)
		if (strcmp(ft_csv_column_name(a, i), ft_csv_column_name(b, i)) != 0)
			return "the same names again";
	for (size_t row = 0; row < ft_csv_rows(a); row++)
		for (size_t i = 0; i < ft_csv_columns(a); i++)
			if (strcmp(ft_csv_cell(a, row, i), ft_csv_cell(b, row, i)) != 0)
				return "the same cells again";
	return NULL;
}

static const char *check(const struct ft_csv *csv)
{
	struct ft_text text = {0};
	struct ft_csv *again = NULL;
	const char *broken = NULL;

	write_row(&text, csv, 0);
	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		write_row(&text, csv, row + 1);
		if (row && ft_csv_line(csv, row) <= ft_csv_line(csv, row - 1))
			broken = "lines ascend";
		for (size_t i = 0; i < ft_csv_columns(csv); i++) {
			struct ft_err err = {0};
			double value;
			enum ft_status status = ft_csv_number(csv, row, i, true, &value, &err);

			if (status == FT_OK ? isinf(value) : !isnan(value) || !*err.text || !*err.remedy)
				broken = "a number is finite, or refused with words";
		}
	}
	if (!broken && ft_csv_parse("again", text.s, text.length, ',', &again, NULL) != FT_OK)
		broken = "what is written can be read";
	if (!broken)
		broken = compare(csv, again);
	ft_csv_free(again);
	ft_text_clear(&text);
	return broken;
}

/* The first byte chooses the separator. */
const char *fuzz_csv(const uint8_t *bytes, size_t length)
{
	static const char separators[] = {0, ',', ';', '\t'};
	char separator = separators[fuzz_choice(&bytes, &length, 4)];
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	const char *broken = NULL;

	if (ft_csv_parse("f", (const char *)bytes, length, separator, &csv, &err) == FT_OK)
		broken = check(csv);
	else if (csv || err.status != FT_EPARSE || strncmp(err.text, "f:", 2) != 0 || !*err.remedy)
		broken = "a refusal has a line, words and a remedy";
	(void)(csv && ft_csv_note(csv, "work"));
	ft_csv_free(csv);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_csv)
#endif
