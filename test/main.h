/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.h - the tests of a room, as its program knows them. tap.h enters each of them. */
#ifndef FT_TEST_MAIN_H
#define FT_TEST_MAIN_H

struct tap_test {
	const char *file; /* its source */
	int (*run)(void);
	struct tap_test *next;
};

void tap_add(struct tap_test *test);

extern char **tap_arguments; /* those behind the name of the test; NULL ends them */

#endif
