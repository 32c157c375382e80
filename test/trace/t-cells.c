/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cells.c - cells of a line beside a slow reading of them. Behind the end of each stands something that
 * would be part of it. */
#include "trace/cells.h"
#include "base/random.h"
#include "tap.h"

#include <strings.h>
#include <time.h>

enum { LENGTH = 128 };

/* A text, and a 7 behind its end. */
struct text {
	char s[LENGTH];
	struct ft__cell cell;
};

static struct ft__cell *text_of(struct text *text, const char *s)
{
	size_t n = strlen(s);

	memcpy(text->s, s, n);
	memcpy(text->s + n, "7", 2);
	text->cell = (struct ft__cell){text->s, text->s + n};
	return &text->cell;
}

static void add(char *s, const char *more)
{
	(void)strncat(s, more, LENGTH - 2 - strlen(s));
}

static const char *one_of(struct ft_random *random, const char *const *words, size_t n)
{
	return words[ft_random_below(random, n)];
}

#define ONE_OF(...)                                                                                          \
	one_of(random, (const char *const[]){__VA_ARGS__},                                                   \
	       sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* ---- numbers and quantities ---------------------------------------------------------------------------- */

static size_t digits_at(const char *s)
{
	return strspn(s, "0123456789");
}

/* How much of the beginning is a decimal number. */
static size_t number_at(const char *s)
{
	size_t i = *s == '+' || *s == '-', whole = digits_at(s + i), decimals = 0, sign, power;

	i += whole;
	if (s[i] == '.') {
		decimals = digits_at(s + i + 1);
		i += 1 + decimals;
	}
	if (!whole && !decimals)
		return 0;
	if (s[i] != 'e' && s[i] != 'E')
		return i;
	sign = s[i + 1] == '+' || s[i + 1] == '-';
	power = digits_at(s + i + 1 + sign);
	return power ? i + 1 + sign + power : i;
}

/* Of few letters, of which many texts are numbers. */
static void any_letters(struct ft_random *random, const char *letters, char s[LENGTH])
{
	size_t n = ft_random_below(random, 9), i;

	for (i = 0; i < n; i++)
		s[i] = letters[ft_random_below(random, strlen(letters))];
	s[n] = '\0';
}

static bool same_number(const char *s)
{
	struct text text;
	double value = -1, expected = strtod(s, NULL);
	const char *word = s + (*s == '+' || *s == '-');
	bool infinite = !strcasecmp(word, "inf") || !strcasecmp(word, "infinity");
	bool good = *s && (number_at(s) == strlen(s) || infinite);

	return ft__cell_number(*text_of(&text, s), &value) == good && (!good || value == expected);
}

static void numbers(void)
{
	static const char *const exact[] = {"9007199254740991",
					    "9007199254740992",
					    "9007199254740993",
					    "9007199254740993e1",
					    "9007199254740991e22",
					    "9007199254740991e23",
					    "1e22",
					    "1e23",
					    "3e-22",
					    "3e-23",
					    "-3e-22",
					    "1234567890123456789",
					    "12345678901234567890",
					    "0.1234567890123456789",
					    "0.000000000000000000012",
					    "1e400",
					    "1e401",
					    "-1e401",
					    "1e-400",
					    "1e-401",
					    "0.1e400",
					    "8192.e0",
					    "1e0000000022",
					    "inf",
					    "+INF",
					    "-inf",
					    "-Infinity",
					    "infinit",
					    "nan",
					    "-",
					    "+",
					    ".",
					    "",
					    "1 ",
					    " 1",
					    "0x10",
					    "1e+",
					    "1e-",
					    "1e",
					    "1.5.2",
					    "--1",
					    "5e-324",
					    "1.7976931348623157e308"};
	struct ft_random random = {test_seed()};
	int cases = test_cases(40000), bad = 0, numbers = 0, i;
	char s[LENGTH];
	size_t k;

	for (k = 0; k < sizeof exact / sizeof *exact; k++)
		if (!same_number(exact[k])) {
			bad++;
			diag("'%s'", exact[k]);
		}
	for (i = 0; i < cases; i++) {
		any_letters(&random, i % 2 ? "0159.eE+-" : "0123456789.e-", s);
		numbers += *s && number_at(s) == strlen(s);
		if (!same_number(s)) {
			bad++;
			diag("'%s'", s);
		}
	}
	ok(!bad && numbers > cases / 10,
	   "numbers are those of strtod, and what is none is none: %d of %d are some", numbers, cases);
}

static bool same_quantity(const char *s, bool comma)
{
	struct text text;
	struct ft__cell unit = {NULL, NULL};
	double value = -1;
	char points[LENGTH], *point;
	size_t number, blanks;
	bool good;

	(void)snprintf(points, sizeof points, "%s", s);
	point = strchr(points, ',');
	if (comma && point && !strchr(points, '.'))
		*point = '.';
	number = number_at(points);
	blanks = strspn(points + number, " ");
	good = number && strlen(s) < 64 && !strpbrk(points + number + blanks, "0123456789:,;+-\"");
	(void)text_of(&text, s);
	if (ft__cell_quantity(text.cell, comma, &value, &unit) != good)
		return false;
	points[number] = '\0';
	return !good || (value == strtod(points, NULL) && unit.begin == text.s + number + blanks &&
			 unit.end == text.cell.end);
}

static void quantities(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(40000), bad = 0, i;
	char s[LENGTH] = "";
	size_t k;

	for (k = 0; k < 66; k++, s[k - 1] = '1', s[k] = '\0')
		bad += !same_quantity(s, false);
	for (i = 0; i < cases; i++) {
		any_letters(&random, i % 3 ? "15.eE+- %k," : "12345., e%", s);
		if (!same_quantity(s, i % 2)) {
			bad++;
			diag("'%s'", s);
		}
	}
	ok(!bad, "a number and a unit of any %d texts (seed %llu)", cases, (unsigned long long)test_seed());
}

/* ---- clocks and dates ---------------------------------------------------------------------------------- */

/* A moment's parts as they are written. */
struct moment {
	int year, month, day, hour, minute, second, zone_hour, zone_minute;
};

static int below(struct ft_random *random, int n)
{
	return (int)ft_random_below(random, (size_t)n);
}

static struct moment any_moment(struct ft_random *random)
{
	struct moment moment = {.year = 1678 + below(random, 584),
				.month = 1 + below(random, 12),
				.day = 1 + below(random, 31),
				.hour = below(random, 24),
				.minute = below(random, 60),
				.second = below(random, 61),
				.zone_hour = below(random, 19),
				.zone_minute = below(random, 60)};

	if (below(random, 3) == 0) { /* one of them just outside */
		int *part[] = {&moment.year,   &moment.month,  &moment.day,       &moment.hour,
			       &moment.minute, &moment.second, &moment.zone_hour, &moment.zone_minute};
		static const int outside[8][2] = {{1677, 2262}, {0, 13},  {0, 32},  {24, 24},
						  {60, 60},     {61, 61}, {19, 19}, {60, 60}};
		int which = below(random, 8);

		*part[which] = outside[which][below(random, 2)];
	}
	if (below(random, 4) == 0) {
		moment.month = 2;
		moment.day = 28 + below(random, 2);
		moment.year = 1700 + 100 * below(random, 5) + below(random, 5);
	}
	return moment;
}

static int length_of(int year, int month)
{
	static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100);

	return length[month - 1] + (leap && month == 2);
}

/* Writes it in one of the forms. Returns whether it is one, and its nanoseconds since 1970. */
static bool write_moment(struct ft_random *random, struct moment m, char s[LENGTH], int64_t *ns)
{
	const char *sign = ONE_OF("-", "/", ""), *end = "";
	bool has_time = below(random, 4), has_seconds = below(random, 3),
	     has_fraction = below(random, 3) == 0;
	struct tm tm = {.tm_year = m.year - 1900, .tm_mon = m.month - 1, .tm_mday = m.day};
	bool good = m.year >= 1678 && m.year <= 2261 && m.month >= 1 && m.month <= 12 && m.day >= 1 &&
		    m.day <= length_of(m.year, m.month);
	int east = 0, form, second = has_seconds ? m.second : 0;
	char zone[16] = "";

	(void)snprintf(s, LENGTH, "%04d%s%02d%s%02d", m.year, sign, m.month, sign, m.day);
	*ns = (int64_t)timegm(&tm) * 1000000000;
	if (!has_time)
		return good;
	good = good && m.hour < 24 && m.minute < 60 && second < 61;
	add(s, ONE_OF("T", "t", " "));
	(void)snprintf(s + strlen(s), LENGTH - strlen(s), "%02d:%02d", m.hour, m.minute);
	if (has_seconds)
		(void)snprintf(s + strlen(s), LENGTH - strlen(s), ":%02d", m.second);
	if (has_fraction) {
		static const int64_t unit[] = {0, 100000000, 1, 987654321};
		size_t which = ft_random_below(random, 4);

		add(s, ONE_OF(".", ","));
		add(s, ((const char *[]){"", "1", "000000001", "98765432199"})[which]); /* cut, not rounded */
		*ns += unit[which];
	}
	form = below(random, 5);
	if (form == 0)
		end = ONE_OF("Z", "z", " Z", "UTC", " UTC", "GMT");
	if (form >= 2) {
		bool west = below(random, 2);

		good = good && m.zone_hour < 19 && (form == 2 || m.zone_minute < 60);
		east = (60 * m.zone_hour + (form == 2 ? 0 : m.zone_minute)) * (west ? -1 : 1);
		(void)snprintf(zone, sizeof zone,
			       form == 2   ? "%s%02d"
			       : form == 3 ? "%s%02d%02d"
					   : "%s%02d:%02d",
			       west ? "-" : "+", m.zone_hour, m.zone_minute);
	}
	add(s, *zone ? zone : end);
	*ns += (((int64_t)m.hour * 60 + m.minute - east) * 60 + second) * 1000000000;
	return good;
}

static bool same_date(const char *s, bool good, int64_t expected)
{
	struct text text;
	int64_t ns = -1;

	return ft__cell_date(*text_of(&text, s), &ns) == good && (!good || ns == expected);
}

static void dates(void)
{
	static const char *const none[] = {"",
					   "2026",
					   "2026-1-01",
					   "202601-01",
					   "2026-0101",
					   "2026-01-01x",
					   "2026-01-01T",
					   "2026-01-01T10",
					   "2026-01-01T10:",
					   "2026-01-01T1:00",
					   "2026-01-01T10:0",
					   "2026-01-01T10:00:",
					   "2026-01-01T10:00:0",
					   "2026-01-01T10:00+",
					   "2026-01-01T10:00+1",
					   "2026-01-01T10:00+01:",
					   "2026-01-01T10:00+01:3",
					   "2026-01-01T10:00X",
					   "2026-01-01T10:00ZZ",
					   "2026-01-01T10:00UT",
					   "2026-01-01T10:00UTCx",
					   "2026-01-01Z",
					   "2026-01-01T10:00 +0100 ",
					   "-026-01-01",
					   "2026-01-01T10.30"};
	struct ft_random random = {test_seed()};
	int cases = test_cases(40000), bad = 0, dates = 0, i;
	char s[LENGTH];
	int64_t ns;
	size_t k;

	for (k = 0; k < sizeof none / sizeof *none; k++)
		if (!same_date(none[k], false, 0)) {
			bad++;
			diag("'%s'", none[k]);
		}
	for (i = 0; i < cases; i++) {
		bool good = write_moment(&random, any_moment(&random), s, &ns);

		dates += good;
		if (!same_date(s, good, ns)) {
			bad++;
			diag("'%s' %d", s, good);
		}
	}
	ok(!bad && dates > cases / 3,
	   "dates are those of timegm, and what is none is none: %d of %d are some", dates, cases);
}

static void clocks(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(10000), bad = 0, i;
	char s[LENGTH];

	for (i = 0; i < cases; i++) {
		static const char *const fraction[] = {"", ".25", ".", ".x", "x", " "};
		unsigned hours = (unsigned)ft_random_below(&random, 1000000000) * (i % 8 == 0);
		int minute = below(&random, 61), second = below(&random, 62), which = below(&random, 6);
		bool good = minute < 60 && second < 61 && which < 2, same;
		struct text text;
		double seconds = -1;

		hours = i % 8 ? (unsigned)below(&random, 30) : hours;
		(void)snprintf(s, sizeof s, i % 16 == 1 ? "%010u:%02d:%02d%s" : "%u:%02d:%02d%s", hours,
			       minute, second, fraction[which]);
		good = good && i % 16 != 1; /* of ten digits there are no hours */
		same = ft__cell_clock(*text_of(&text, s), &seconds) == good &&
		       (!good ||
			seconds == 3600.0 * hours + 60.0 * minute + second + (which == 1 ? 0.25 : 0));
		bad += !same;
		if (!same)
			diag("'%s'", s);
	}
	ok(!bad, "%d clocks", cases);
}

/* ---- cells of a line ----------------------------------------------------------------------------------- */

static void cells(void)
{
	static const char separators[] = {',', ';', '\t', ' '};
	struct ft_random any = {test_seed()}, *random = &any;
	int cases = test_cases(10000), bad = 0, i;

	for (i = 0; i < cases; i++) {
		char separator = separators[i % 4], line[LENGTH] = "", between[2] = {separator};
		const char *want[5], *at;
		size_t n = 1 + ft_random_below(random, 5), k;
		struct text text;
		struct ft__cell cell;

		for (k = 0; k < n; k++) {
			bool quoted = below(random, 4) == 0;

			want[k] = separator == ' ' && !quoted ? ONE_OF("a", "bc", "1.5")
							      : ONE_OF("", "a", "b c", "1.5");
			if (quoted && below(random, 2))
				want[k] = ONE_OF("x, y", "p;q", "u\tv", " w ");
			if (k)
				add(line, separator == ' ' ? ONE_OF(" ", "  ", "\t", " \t ") : between);
			else if (separator != '\t')
				add(line, ONE_OF("", " ", "\t "));
			if (separator != ' ')
				add(line, separator == '\t' ? ONE_OF("", " ") : ONE_OF("", " ", "\t"));
			add(line, quoted ? "\"" : "");
			add(line, want[k]);
			add(line, quoted ? "\"" : "");
			if (separator != ' ')
				add(line, separator == '\t' ? ONE_OF("", " ") : ONE_OF("", " ", "\t "));
		}
		if (separator == ' ')
			add(line, ONE_OF("", " ", "  "));
		at = text_of(&text, line)->begin;
		for (k = 0; k < n && at; k++) {
			at = ft__cell_next(at, text.cell.end, separator, &cell);
			if (strlen(want[k]) != (size_t)(cell.end - cell.begin) ||
			    memcmp(want[k], cell.begin, strlen(want[k])) != 0)
				break;
		}
		bad += k < n || at;
		if (k < n || at)
			diag("'%s': cell %zu of %zu", line, k, n);
	}
	ok(!bad, "%d lines come apart as they were put together", cases);
}

static void empty(void)
{
	static const char *const words[] = {"",  "NaN", "na",   "N/A",  "Null",  "none",
					    "-", "?",   "-nan", "+NaN", "[N/A]", "[Not Supported]"},
				 *const others[] = {"0", "nano", "n", "--", "no", "+", "[n/a", "nul"};
	struct text text;
	size_t k;
	int bad = 0;

	for (k = 0; k < sizeof words / sizeof *words; k++)
		bad += !ft__cell_empty(*text_of(&text, words[k]));
	for (k = 0; k < sizeof others / sizeof *others; k++)
		bad += ft__cell_empty(*text_of(&text, others[k]));
	ok(!bad, "words for nothing, and others");
}

int main(void)
{
	numbers();
	quantities();
	dates();
	clocks();
	cells();
	empty();
	return done();
}
