/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - a picture of the load of others, and of its load functions. */
#include "cli/common.h"
#include "cli/load/load.h"
#include "cli/terminal.h"
#include "foretime/plot.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 4000 };

static int draw_panel(const struct cli_load *load, const struct ft_panel *panel)
{
	CLI_OWN char *source = cli_load_source(load), *title = cli_printed("background load: %s", source),
		     *text = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_plot_draw(title, panel, 2, load->output, load->output ? 0 : (int)cli_terminal_width(stdout),
			 load->output ? NULL : &text, &err))
		status = cli_error(&err);
	if (text)
		printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	return status;
}

/* Each observation in the middle of its time; of many, every n-th group averaged. */
static size_t over_time(const struct cli_load *load, double *x, double *y)
{
	const struct ft_load *seen = load->loads.load;
	size_t group = load->loads.n / POINTS_MOST + 1, n = 0;
	double end = (double)seen[load->loads.n - 1].started_ns;

	for (size_t i = 0; i < load->loads.n; i += group, n++) {
		double seconds = 0;

		x[n] = y[n] = 0;
		for (size_t j = i; j < i + group && j < load->loads.n; j++) {
			seconds += seen[j].interval_s;
			x[n] += seen[j].interval_s *
				(((double)seen[j].started_ns - end) / 1e9 + seen[j].interval_s / 2);
			y[n] += seen[j].interval_s * seen[j].load;
		}
		x[n] /= seconds * 3600;
		y[n] /= seconds;
	}
	return n;
}

static int plot(const struct cli_load *load, const struct ft_load_functions *f)
{
	double *x = cli_alloc((POINTS_MOST + 1) * sizeof *x), *y = cli_alloc((POINTS_MOST + 1) * sizeof *y);
	double *t = cli_alloc(f->n * sizeof *t);
	size_t n = over_time(load, x, y), i;
	const struct ft_series loads[] = {{.kind = FT_SERIES_LINE, .x = x, .y = y, .n = n}};
	const struct ft_series functions[] = {
		{.title = "between least and largest",
		 .kind = FT_SERIES_BAND,
		 .x = t,
		 .lower = f->least,
		 .upper = f->most,
		 .n = f->n},
		{.kind = FT_SERIES_LINE, .x = t, .y = f->least, .n = f->n},
		{.kind = FT_SERIES_LINE, .x = t, .y = f->most, .n = f->n},
	};
	const struct ft_panel panels[] = {
		{.x_label = "time (hours before the newest)",
		 .y_label = "processors",
		 .series = loads,
		 .n = 1},
		{.x_label = "averaged over (s)",
		 .y_label = "processors",
		 .log_x = f->n >= 10,
		 .series = functions,
		 .n = 3},
	};

	for (i = 0; i < f->n; i++)
		t[i] = (double)(i + 1) * f->interval_s;
	int status = draw_panel(load, panels);
	free(x);
	free(y);
	free(t);
	return status;
}

int cli_load_plot(void *asked)
{
	struct cli_load *load = asked;
	struct ft_load_functions functions;

	CLI_TRY(cli_load_functions(load, &functions));
	int status = plot(load, &functions);
	ft_load_functions_clear(&functions);
	return status;
}
