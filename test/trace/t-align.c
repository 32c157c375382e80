/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-align.c - which phases of several runs are the same one. */
#include "base/alloc.h"
#include "foretime/trace.h"
#include "tap.h"
#include "trace/door.h"

static struct ft_phases make(struct ft_phase *phase, const double *level, const double *length, size_t n)
{
	double at = 0;

	for (size_t i = 0; i < n; i++) {
		phase[i] = (struct ft_phase){.begin = at, .end = at + length[i], .level = level[i]};
		at += length[i];
	}
	return (struct ft_phases){.phase = phase, .n = n};
}

int main(void)
{
	const double level[] = {1, 4, 2}, twice[] = {2, 8, 4}, lacks[] = {1, 4}, more[] = {1, 4, 0, 2},
		     length[] = {10, 10, 5}, longer[] = {20, 400, 5}, four[] = {10, 10, 2, 5};
	struct ft_phase phase[4][4];
	struct ft_phases phases[4];
	struct ft_phase_rows rows;

	phases[0] = make(phase[0], level, length, 3);
	phases[1] = make(phase[1], twice, longer, 3);
	phases[2] = make(phase[2], lacks, length, 2);
	phases[3] = make(phase[3], more, four, 4);
	ok(!ft_phases_align(&rows, phases, 4, NULL) && rows.n == 3 && rows.like == 1,
	   "three phases, as most have");
	for (size_t i = 0; i < 3; i++)
		ok(rows.at[i] == i && rows.at[3 + i] == i, "the same, at twice the levels and other lengths");
	ok(rows.at[6] == 0 && rows.at[7] == 1 && rows.at[8] == SIZE_MAX, "one lacks the last");
	ok(rows.at[9] == 0 && rows.at[10] == 1 && rows.at[11] == 3, "one has one between");
	ft_phase_rows_clear(&rows);
	ok(!ft_phases_align(&rows, phases, 1, NULL) && rows.n == 3 && rows.at[2] == 2, "one trace by itself");
	ft_phase_rows_clear(&rows);
	for (size_t i = 1; i <= 3; i++) {
		(void)ft_alloc_fail_at(i);
		ok(ft_phases_align(&rows, phases, 4, NULL) == FT_ENOMEM && !rows.at, "no memory at %zu", i);
	}
	(void)ft_alloc_fail_at(0);
	return done();
}
