/* SPDX-License-Identifier: 0BSD */
/* plot.c - draw measurements and a curve with its interval, on the terminal:
 *
 *	cc plot.c $(pkg-config --cflags --libs foretime) -o plot
 *	./plot
 *
 * With a path that ends in .svg or .png gnuplot draws a picture instead.
 */
#include <foretime/plot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 6 };

int main(void)
{
	static const double n[POINTS] = {100, 200, 400, 800, 1600, 3200};
	static const double measured[POINTS] = {0.012, 0.021, 0.043, 0.081, 0.165, 0.312};
	double curve[POINTS], lower[POINTS], upper[POINTS];
	const struct ft_series series[] = {
		{"90 % of runs", FT_SERIES_BAND, n, NULL, lower, upper, POINTS, false, false},
		{"model", FT_SERIES_LINE, n, curve, NULL, NULL, POINTS, false, false},
		{"runs", FT_SERIES_POINTS, n, measured, NULL, NULL, POINTS, false, false},
	};
	static struct ft_panel panel; /* static: zero-initialised */
	char *text = NULL;
	struct ft_err err;
	enum ft_status status;

	for (int i = 0; i < POINTS; i++) {
		curve[i] = 1e-4 * n[i];
		lower[i] = 0.8 * curve[i];
		upper[i] = 1.2 * curve[i];
	}
	panel.x_label = "n";
	panel.y_label = "wall time";
	panel.y_unit = "s";
	panel.log_x = panel.log_y = true;
	panel.series = series;
	panel.n = 3;
	status = ft_plot_draw("solve", &panel, 1, NULL, 60, false, &text, &err);
	if (status)
		fprintf(stderr, "plot: %s; %s\n", err.text, err.remedy);
	else
		fputs(text, stdout);
	bool right = !status && strstr(text, "solve") && strstr(text, "wall time");

	free(text);
	return !right;
}
