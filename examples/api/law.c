/* SPDX-License-Identifier: 0BSD */
/* law.c - find the law that measurements obey, and extrapolate with it:
 *
 *	cc law.c $(pkg-config --cflags --libs foretime) -o law
 *	./law
 */
#include <foretime/law.h>

#include <stdio.h>

int main(void)
{
	/* About 3e-9 n^3 + 0.01 s. */
	static const struct ft_law_sample sample[] = {
		{64, 0.0109}, {128, 0.0162}, {256, 0.0605}, {512, 0.412}, {1024, 3.24},
	};
	static struct ft_laws laws; /* plain data, of some 50 KB: needs no clearing */
	struct ft_law_prediction p;
	char text[256];
	struct ft_err err;
	enum ft_status status = ft_laws_fit(&laws, sample, sizeof sample / sizeof *sample, NULL, &err);

	if (!status)
		status = ft_laws_predict(&laws, 4096, 0.9, FT_LAW_RUN, &p, &err);
	if (status) {
		fprintf(stderr, "law: %s; %s\n", err.text, err.remedy);
		return 1;
	}
	ft_law_format(&laws.law, NULL, 3, text, sizeof text);
	printf("%s seconds (weight of its kind: %.0f %%)\n", text, 100 * laws.kind[0].weight);
	printf("n=4096: %.3g s, 90 %% of runs %.3g .. %.3g s\n", p.value, p.lower, p.upper);
	/* 3e-9 x 4096^3 is 206 s. */
	return laws.kind[0].factor.power != 3 || p.value < 180 || p.value > 230;
}
