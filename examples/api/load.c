/* SPDX-License-Identifier: 0BSD */
/* load.c - what the background load of a machine does to a run of a minute:
 *
 *	cc load.c $(pkg-config --cflags --libs foretime) -o load
 *	./load
 */
#include <foretime/load.h>

#include <stdio.h>

int main(void)
{
	static struct ft_loads loads; /* static: zero-initialised */
	static struct ft_load_history history;
	static struct ft_load_functions functions;
	struct ft_load_outlook outlook;
	struct ft_err err;
	enum ft_status status = FT_OK;

	/* Two hours of one processor, a look every ten seconds: idle, but for one task of another user in the
	 * second hour. */
	for (int i = 0; !status && i < 720; i++) {
		static struct ft_load load;

		load.started_ns = (INT64_C(1700000000) + 10 * i) * 1000000000;
		load.interval_s = 10;
		load.load = load.busy = i < 360 ? 0 : 1;
		load.processors = 1;
		status = ft_loads_add(&loads, &load, &err);
	}
	if (!status)
		status = ft_load_history_make(&history, &loads, 10, 0, FT_SHARING_FAIR, &err);
	if (!status)
		status = ft_load_functions_make(&functions, &history, 60, 1, &err);
	if (status)
		fprintf(stderr, "load: %s; %s\n", err.text, err.remedy);
	else {
		ft_load_predict(&functions, 60, 1, FT_SHARING_FAIR, &outlook);
		printf("60 s of work take %.0f s at best, %.0f s at worst\n", 60 * outlook.slow_down[0],
		       60 * outlook.slow_down[1]);
	}
	/* With one other task a run gets half of the processor. */
	bool right = !status && outlook.slow_down[0] > 0.99 && outlook.slow_down[0] < 1.01 &&
		     outlook.slow_down[1] > 1.98 && outlook.slow_down[1] < 2.02;

	ft_load_functions_clear(&functions);
	ft_load_history_clear(&history);
	ft_loads_clear(&loads);
	return !right;
}
