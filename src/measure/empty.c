/* SPDX-License-Identifier: GPL-3.0-or-later */
/* empty.c - foretime-empty: does nothing, so that its run measures the start of a program. */
int main(void)
{
	return 0;
}
