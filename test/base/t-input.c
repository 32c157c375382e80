/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-input.c - bytes of files, plain and gzip, and of memory, line by line. */
#include "base/alloc.h"
#include "base/input.h"
#include "base/random.h"
#include "tap.h"
#include "temp.h"

#include <math.h>
#include <unistd.h>
#include <zlib.h>

static void put(const char *path, const char *bytes, size_t length, bool gzip)
{
	gzFile file = gzopen(path, gzip ? "wb" : "wbT");

	if (!file || (length && gzwrite(file, bytes, (unsigned)length) != (int)length) || gzclose(file))
		ok(false, "a file to read");
}

static void lines_by_hand(void)
{
	static const char text[] = "\xef\xbb\xbf"
				   "a\r\nb\rc\n\nlast";
	static const char *const expected[] = {"a\r\n", "b\r", "c\n", "\n", "last"};
	struct ft_input *input;
	struct ft_err err = {0};
	const char *line;
	size_t length, head;
	bool good = true;

	ok(!ft__input_memory(&input, "memory", text, sizeof text - 1, &err) &&
		   !ft__input_head(input, &line, &head, &err) && head == sizeof text - 1 &&
		   !memcmp(line, text, head) && ft__input_number(input) == 0,
	   "the head is still to be read");
	for (size_t i = 0; i < 5; i++)
		good = good && !ft__input_line(input, &line, &length, &err) &&
		       length == strlen(expected[i]) && !memcmp(line, expected[i], length) &&
		       ft__input_number(input) == i + 1;
	ok(good && ft__input_line(input, &line, &length, &err) == FT_EEND, "LF, CR and CRLF end lines");
	ok(ft__input_share(input) == 1, "all of it was read");
	ft__input_close(input);
	ft__input_close(NULL);
	ok(ft__input_open(&input, "/nowhere/x", &err) == FT_ENOENT && !input &&
		   strstr(err.text, "/nowhere/x"),
	   "no such file: %s", err.text);
}

/* A random text of lines of many lengths, read from a file as from memory. */
static void files(bool gzip)
{
	const char *path = temp_path("lines");
	uint64_t seed = test_seed();
	int c, n = test_cases(30);
	bool good = true;

	for (c = 0; c < n && good; c++) {
		struct ft_random random = {seed + (uint64_t)c};
		size_t length = ft_random_below(&random, c % 3 ? 2000 : 400000), i, a, b;
		char *text = malloc(length + 1);
		struct ft_input *file, *memory;
		enum ft_status from_file;
		const char *x, *y;

		if (!text)
			return;
		for (i = 0; i < length; i++)
			text[i] = "\n\rab"[ft_random_below(&random, c % 2 ? 4 : 3) +
					   (ft_random_below(&random, 50) ? c % 2 ? 0 : 1 : 0)];
		put(path, text, length, gzip);
		if (ft__input_open(&file, path, NULL) || ft__input_memory(&memory, "m", text, length, NULL)) {
			free(text);
			return;
		}
		if (c % 2)
			good = !ft__input_head(file, &x, &a, NULL) && !ft__input_head(memory, &y, &b, NULL) &&
			       a == b && !memcmp(x, y, a);
		do {
			from_file = ft__input_line(file, &x, &a, NULL);
			enum ft_status from_memory = ft__input_line(memory, &y, &b, NULL);
			good = good && from_file == from_memory && a == b && (from_file || !memcmp(x, y, a));
		} while (good && !from_file);
		if (!good)
			diag("seed %llu case %d", (unsigned long long)seed, c);
		ft__input_close(file);
		ft__input_close(memory);
		free(text);
	}
	ok(good, "%d %s files, as from memory", n, gzip ? "gzip" : "plain");
}

static void limits(void)
{
	const char *path = temp_path("limits");
	char *text = malloc(3u << 20), *all;
	struct ft_input *input;
	struct ft_err err = {0};
	const char *line;
	size_t length;

	if (!text)
		return;
	memset(text, 'x', 3u << 20);
	put(path, text, 3u << 20, true);
	if (!ft__input_open(&input, path, &err)) {
		ok(ft__input_line(input, &line, &length, &err) == FT_EPARSE && *err.remedy,
		   "a line without end: %s", err.text);
		ft__input_close(input);
	}
	if (!ft__input_open(&input, path, &err)) {
		ok(ft__input_all(input, 2u << 20, &all, &length, &err) == FT_EINVAL && !all && *err.remedy,
		   "more than may be read at once: %s", err.text);
		ft__input_close(input);
	}
	if (!ft__input_open(&input, path, &err)) {
		ok(!ft__input_all(input, 3u << 20, &all, &length, &err) && length == 3u << 20 &&
			   !all[length] && !memcmp(all, text, length),
		   "just as much");
		ft_free(all);
		ft__input_close(input);
	}
	put(path, "a\nb\n", 4, true);
	if (truncate(path, 15) || ft__input_open(&input, path, &err))
		return;
	while (!ft__input_line(input, &line, &length, &err))
		;
	ok(err.status == FT_EIO, "a cut gzip file: %s", err.text);
	ft__input_close(input);
	free(text);
}

static void faults(void)
{
	const char *path = temp_path("faults");
	unsigned long n;
	bool good = true;

	put(path, "a\nb\n", 4, false);
	for (n = 1; n < 10 && good; n++) {
		struct ft_input *input = NULL;
		char *all = NULL;
		size_t length;

		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft__input_open(&input, path, NULL);
		if (!status)
			status = ft__input_all(input, 100, &all, &length, NULL);
		if (ft_alloc_fail_at(0) < n) /* it came through */
			n = 10;
		else
			good = status == FT_ENOMEM && !all;
		ft_free(all);
		ft__input_close(input);
	}
	ok(good && n == 11, "memory that runs out");
}

/* What a text takes once it is parsed; no more of it than its first value is looked at. */
static void check_weight(const char *text, size_t most, bool fits)
{
	struct ft_err err = {0};
	enum ft_status status = ft__json_check("f", text, strlen(text), most, &err);

	ok(fits ? !status : status == FT_EINVAL && err.text[0] && err.remedy[0], "%.30s in %zu bytes: %s",
	   text, most, fits ? "yes" : err.text);
}

static void test_weight(void)
{
	check_weight("[0, 1, 2]", 400, true);
	check_weight("[0, 1, 2]", 144, false);
	check_weight("{\"a\": {}}", 600, false);
	check_weight("\"[[[[[[[[[[[[[\"", 100, true);
	check_weight("\"\\\"[[[[[[[[[[[[[\"", 100, true);
	check_weight("[[[[[[[[[[[[[", 1000, false);
	check_weight("[0] [[[[[[[[[[[[[", 200, true);
	check_weight("", 0, true);
}

int main(void)
{
	lines_by_hand();
	test_weight();
	files(false);
	files(true);
	limits();
	faults();
	temp_remove();
	return done();
}
