/* SPDX-License-Identifier: 0BSD */
/* base.c - read what a person types: memory, a time, and a formula; and what a mistake returns:
 *
 *	cc base.c $(pkg-config --cflags --libs foretime) -o base
 *	./base
 */
#include <foretime/base.h>

#include <stdio.h>

int main(void)
{
	static const char *const name[] = {"n"};
	static const double value[] = {1000};
	struct ft_expr *work = NULL;
	double memory_bytes = 0, limit_s = 0, operations = 0, none;
	char memory[FT_UNIT_LENGTH], limit[FT_UNIT_LENGTH], total[FT_UNIT_LENGTH];
	struct ft_err err;
	enum ft_status status = ft_bytes_parse("1.5GiB", &memory_bytes, &err);

	if (!status)
		status = ft_duration_parse("1h 30m", &limit_s, &err);
	if (!status)
		status = ft_expr_new(&work, "2*n^3 + n^2", &err);
	if (!status)
		status = ft_expr_eval(work, name, value, 1, &operations, &err);
	ft_expr_free(work);
	if (status) {
		fprintf(stderr, "base: %s; %s\n", err.text, err.remedy);
		return 1;
	}
	printf("%s, %s, %s at n=1000\n", ft_value_format(memory_bytes, "bytes", memory),
	       ft_value_format(limit_s, "s", limit), ft_value_format(operations, "operations", total));

	/* A failure is a status, a sentence on what is wrong, and perhaps one on what to do. */
	status = ft_bytes_parse("a lot", &none, &err);
	printf("%s: %s\n", ft_status_text(status), err.text);
	return !(status == FT_EPARSE && memory_bytes == 1.5 * 1024 * 1024 * 1024 && limit_s == 5400 &&
		 operations == 2.001e9);
}
