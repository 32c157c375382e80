/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - the names of counts and of what is met. */
#include "foretime/kernel.h"

static const struct {
	const char *name, *about;
} counts[] = {
#define ROW(NAME, key, about) {#key, about},
	FT_KERNEL_COUNT_LIST(ROW)
#undef ROW
};

static const struct {
	const char *word, *about;
} notes[] = {
#define ROW(NAME, word, about) {#word, about},
	FT_KERNEL_NOTE_LIST(ROW)
#undef ROW
};

const char *ft_kernel_count_name(size_t count)
{
	return count < FT_KERNEL_COUNTS ? counts[count].name : NULL;
}

const char *ft_kernel_count_about(size_t count)
{
	return count < FT_KERNEL_COUNTS ? counts[count].about : NULL;
}

const char *ft_kernel_note_word(enum ft_kernel_note note)
{
	return notes[note].word;
}

const char *ft_kernel_note_about(enum ft_kernel_note note)
{
	return notes[note].about;
}

double ft_kernel_operations(const double count[FT_KERNEL_COUNTS])
{
	double all = 0;

	for (int i = 0; i <= FT_KERNEL_CONVERT; i++)
		all += count[i];
	return all;
}
