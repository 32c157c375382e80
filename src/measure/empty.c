/* SPDX-License-Identifier: GPL-3.0-or-later */
/* empty.c - foretime-empty: what a program takes to start, and nothing else. */
int main(void)
{
	return 0;
}
