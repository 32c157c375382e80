/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tap.h - the few lines that a test needs to speak TAP. Include it in a test's own file only.
 *
 *	int main(void)
 *	{
 *		ok(1 + 1 == 2, "adds");
 *		return done();
 *	}
 *
 * The tests of a room are one program (test/main.c): what a test calls main has another name there.
 */
#ifndef FT_TEST_TAP_H
#define FT_TEST_TAP_H

#include "main.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define main tap_main
static int tap_main(void);

__attribute__((constructor)) static void tap_enter(void)
{
	static struct tap_test test = {.file = __BASE_FILE__, .run = tap_main};

	tap_add(&test);
}

static int tap_count, tap_failed;

/* One check. Prints its line and returns its result. */
__attribute__((format(printf, 2, 3), unused)) static bool ok(bool good, const char *format, ...)
{
	va_list args;

	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	tap_failed += !good;
	return good;
}

/* What a reader needs when a check failed (a seed, two values). */
__attribute__((format(printf, 1, 2), unused)) static void diag(const char *format, ...)
{
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* A check that cannot be made here, and why. */
__attribute__((unused)) static void skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_count, what, why);
}

__attribute__((unused)) static bool near(double a, double b, double relative)
{
	return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

/* The seed of random cases: $FORETIME_TEST_SEED, else a fixed one. Print it when a random case fails. */
__attribute__((unused)) static uint64_t test_seed(void)
{
	const char *text = getenv("FORETIME_TEST_SEED");

	return text ? strtoull(text, NULL, 10) : 20260101;
}

/* Is this the loop of one who edits ($FORETIME_TEST_QUICK)? What takes seconds is then left to ./check
 * --full. */
__attribute__((unused)) static bool test_quick(void)
{
	return getenv("FORETIME_TEST_QUICK");
}

/* Built with sanitizers, where a case takes five times as long and what is looked for is how each line goes
 * about memory? Cases that differ in their values only are then fewer; all of them run without. */
__attribute__((unused)) static bool test_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return true;
#endif
#endif
	return false;
}

/* How many random cases: `usual`, $FORETIME_TEST_LONG times as many where that is a number. */
__attribute__((unused)) static int test_cases(int usual)
{
	const char *times = getenv("FORETIME_TEST_LONG");

	return times && atoi(times) > 1 ? atoi(times) * usual : usual;
}

/* A quarter of them with sanitizers: of cases that take long. */
__attribute__((unused)) static int test_long_cases(int usual)
{
	return test_cases(test_sanitized() ? (usual + 3) / 4 : usual);
}

static int done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

#endif
