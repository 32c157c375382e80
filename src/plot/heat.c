/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat.c - a table of values as colours, and its columns as named points of a plane. */
#include "plot/script.h"

#include <math.h>
#include <string.h>

enum {
	NAMED_ROWS = 60, /* more names do not fit beside a picture */
	TEXT_ROWS = 40,  /* of a terminal */
	TEXT_NAME = 24,  /* characters of a row's name on a terminal */
	HEAT_HEIGHT = 420,
	PLANE_HEIGHT = 460,
};

/* The least and largest value; false: there is none. */
static bool find_range(const struct ft_heat *heat, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < heat->rows * heat->columns; i++)
		if (isfinite(heat->value[i])) {
			*low = fmin(*low, heat->value[i]);
			*high = fmax(*high, heat->value[i]);
		}
	return *low <= *high;
}

static void add_names(struct ft_text *script, char axis, char *const *name, size_t n)
{
	ft_text_add(script, "set %ctics %s(", axis, axis == 'x' ? "rotate by -60 left " : "");
	for (size_t i = 0; i < n; i++) {
		if (i)
			ft_text_add(script, ", ");
		ft__plot_quoted(script, name[i]);
		ft_text_add(script, " %zu", i);
	}
	ft_text_add(script, ") noenhanced font ',9'\n");
}

static void add_heat(struct ft_text *script, const struct ft_heat *heat)
{
	double low, high;

	if (!find_range(heat, &low, &high))
		low = high = 0;
	if (low < 0 && high > 0) { /* zero is white */
		high = fmax(high, -low);
		low = -high;
	}
	ft_text_add(script, "$table << EOD\n");
	for (size_t i = 0; i < heat->rows; i++) {
		for (size_t j = 0; j < heat->columns; j++) {
			double value = heat->value[i * heat->columns + j];

			if (j)
				ft_text_add(script, " ");
			if (isfinite(value))
				ft_text_add_number(script, value);
			else
				ft_text_add(script, "NaN");
		}
		ft_text_add(script, "\n");
	}
	ft_text_add(script, "EOD\n");
	add_names(script, 'x', heat->column, heat->columns);
	if (heat->rows <= NAMED_ROWS)
		add_names(script, 'y', heat->row, heat->rows);
	else
		ft_text_add(script, "unset ytics\n");
	ft_text_add(script, "set cblabel ");
	ft__plot_quoted(script, heat->value_label ? heat->value_label : "");
	/* From blue over white to red: readable for the colour-blind. */
	ft_text_add(script,
		    " noenhanced\nset palette defined (0 '#2166ac', 0.5 '#f7f7f7', 1 '#b2182b')\n"
		    "set cbrange [%.6g:%.6g]\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n"
		    "unset key\nset border lw 0.8 lc rgb '#8a8f98'\nplot $table matrix with image\n",
		    low, high > low ? high : low + 1, heat->columns - 1, heat->rows - 1);
}

static void add_plane(struct ft_text *script, const struct ft_heat *heat)
{
	size_t n = 0;

	ft_text_add(script, "unset colorbox\nset xtics auto norotate noenhanced\nset ytics auto noenhanced\n"
			    "set autoscale xy\nset offsets graph 0.08, graph 0.12, graph 0.08, graph 0.08\n"
			    "unset key\n$plane << EOD\n");
	for (size_t j = 0; j < heat->columns; j++) {
		if (!isfinite(heat->place[2 * j]) || !isfinite(heat->place[2 * j + 1]))
			continue;
		ft_text_add_number(script, heat->place[2 * j]);
		ft_text_add(script, " ");
		ft_text_add_number(script, heat->place[2 * j + 1]);
		ft_text_add(script, "\n");
		n++;
	}
	ft_text_add(script, "EOD\nset xlabel ");
	ft__plot_quoted(script, heat->x_label ? heat->x_label : "");
	ft_text_add(script, " noenhanced\nset ylabel ");
	ft__plot_quoted(script, heat->y_label ? heat->y_label : "");
	ft_text_add(script, " noenhanced\n");
	/* Names as labels of their own: in a data block they would have to be escaped in another way. */
	for (size_t j = 0; j < heat->columns; j++) {
		if (!isfinite(heat->place[2 * j]) || !isfinite(heat->place[2 * j + 1]))
			continue;
		ft_text_add(script, "set label %zu ", j + 10);
		ft__plot_quoted(script, heat->column[j]);
		ft_text_add(script, " at first %.9g,%.9g left offset 0.6,0.3 noenhanced font ',9'\n",
			    heat->place[2 * j], heat->place[2 * j + 1]);
	}
	if (n)
		ft_text_add(script, "plot $plane with points pt 7 ps 0.7 lc rgb '#2166ac'\n");
	else
		ft_text_add(script, "set xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\n");
}

void ft__heat_script(struct ft_text *script, const char *title, const struct ft_heat *heat,
		     enum ft__picture picture, int width)
{
	int height = HEAT_HEIGHT + (heat->place ? PLANE_HEIGHT : 0);

	ft__plot_terminal(script, picture, width, height);
	ft_text_add(script, "set multiplot\nset size 1,%.6f\nset origin 0,%.6f\nset title ",
		    (double)HEAT_HEIGHT / height, heat->place ? (double)PLANE_HEIGHT / height : 0);
	ft__plot_quoted(script, title ? title : "");
	ft_text_add(script, " noenhanced\n");
	add_heat(script, heat);
	if (heat->place) {
		ft_text_add(script, "unset title\nset size 1,%.6f\nset origin 0,0\n",
			    (double)PLANE_HEIGHT / height);
		add_plane(script, heat);
	}
	ft_text_add(script, "unset multiplot\n");
}

void ft__heat_text(struct ft_text *text, const char *title, const struct ft_heat *heat, int width)
{
	static const char shades[] = ".:-=+*#%@";
	size_t i, j, rows = heat->rows < TEXT_ROWS ? heat->rows : TEXT_ROWS,
		     room = (size_t)(width - TEXT_NAME - 1),
		     columns = heat->columns < room ? heat->columns : room;
	double low, high;

	if (!find_range(heat, &low, &high))
		low = high = 0;
	ft_text_add(text, "%s\n\n", title ? title : "");
	for (i = 0; i < rows; i++) {
		ft_text_add(text, "%-*.*s ", TEXT_NAME, TEXT_NAME, heat->row[i]);
		for (j = 0; j < columns; j++) {
			double value = heat->value[i * heat->columns + j],
			       share = high > low ? (value - low) / (high - low) : 0;

			ft_text_add(text, "%c", isfinite(value) ? shades[(size_t)(share * 8.999)] : ' ');
		}
		ft_text_add(text, "\n");
	}
	if (rows < heat->rows || columns < heat->columns)
		ft_text_add(text, "%zu x %zu of %zu x %zu: a picture (-o FILE.svg) has them all\n", rows,
			    columns, heat->rows, heat->columns);
	ft_text_add(text, "from %.3g (%c) to %.3g (%c)%s%s\n", low, shades[0], high, shades[8],
		    heat->value_label ? ": " : "", heat->value_label ? heat->value_label : "");
}
