/* SPDX-License-Identifier: 0BSD */
/* predict.c - ask a store how long a program will run, from C:
 *
 *	cc predict.c $(pkg-config --cflags --libs foretime) -o predict
 *	./predict matmul 20000
 */
#include <foretime/ask.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct ft_store *store = NULL;
	struct ft_answerer *models = NULL;
	struct ft_prediction p;
	struct ft_size size;
	struct ft_err err;
	enum ft_status status;
	double n;

	if (argc != 3) {
		fprintf(stderr, "usage: %s NAME N\n", argv[0]);
		return 2;
	}
	n = atof(argv[2]);
	status = ft_store_open(&store, NULL, FT_STORE_READ, &err);
	if (!status)
		status = ft_ask_open(&models, store, argv[1], NULL, 0, &err);
	if (!status)
		status = ft_ask_size(models, (const char *const[]){"n"}, &n, 1, &size, &err);
	if (!status)
		status = ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err);
	if (status)
		fprintf(stderr, "%s: %s; %s\n", argv[0], err.text, err.remedy);
	else
		printf("%g s, with 90 %% confidence %g .. %g s (%s)\n", p.value, p.lower, p.upper,
		       ft_basis_text(p.basis));
	ft_ask_close(models);
	ft_store_close(store);
	return status ? 1 : 0;
}
