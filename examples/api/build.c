/* SPDX-License-Identifier: 0BSD */
/* build.c - let a builder choose the sizes at which a function is measured, and say when that is enough:
 *
 *	cc build.c $(pkg-config --cflags --libs foretime) -o build
 *	./build
 */
#include <foretime/build.h>

#include <stdio.h>

/* What a program takes: 2 n^3 operations, at half the speed once the data do not fit the cache. */
static double seconds_of(double n)
{
	return 2e-9 * n * n * n * (n > 1500 ? 2 : 1);
}

static double work_of(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return 2 * size->value[0] * size->value[0] * size->value[0];
}

int main(void)
{
	static struct ft_build_options options; /* static: zero-initialised */
	static struct ft_size size[FT_ASK_MAX];
	struct ft_builder *builder = NULL;
	size_t n = 0, sizes = 0, near_edge = 0;
	struct ft_err err;
	enum ft_status status;

	options.space[0].least = 100;
	options.space[0].most = 3000;
	options.space[0].stride = 1;
	options.n_params = 1;
	options.work = work_of; /* so that speeds are what is modelled */
	options.tolerance = 0.05;
	options.confidence = 0.95;
	status = ft_builder_new(&builder, ft_builder_type_find("gbbp"), &options, &err);
	while (!status && !(status = ft_builder_ask(builder, size, FT_ASK_MAX, &n, &err)) && n > 0)
		for (size_t i = 0; !status && i < n; i++) {
			static struct ft_build_result result;
			double seconds = seconds_of(size[i].value[0]);

			result.seconds = &seconds;
			result.n = 1;
			status = ft_builder_tell(builder, &size[i], &result, &err);
			near_edge += size[i].value[0] > 1200 && size[i].value[0] < 1800;
			sizes++;
		}
	if (status)
		fprintf(stderr, "build: %s; %s\n", err.text, err.remedy);
	else
		printf("%zu of 2901 sizes were measured, 100 .. 3000\n", sizes);
	bool right = !status && ft_builder_stop(builder) == FT_STOP_TOLERANCE && sizes < 60 && near_edge >= 2;

	ft_builder_free(builder);
	return !right;
}
