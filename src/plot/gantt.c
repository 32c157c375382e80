/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantt.c - draws a schedule: a row for each machine, a bar for each task (H. L. Gantt). */
#include "base/text.h"
#include "plot/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	/* pixels */
	TITLE = 44,
	ABOVE = 12,
	BELOW = 58,
	RIGHT = 30,
	ROW = 26,         /* of a row, where all rows together are no higher than MOST */
	MOST = 1560,      /* of the drawing */
	LEAST_NAMED = 11, /* of rows that have room for a name */
	CHARACTER = 7,
	NAME_MOST = 30, /* characters of a row's name */
	TASKS_NAMED = 1000,
	/* characters of a terminal */
	LEAST_CHART = 20,
};

static size_t width_of(const char *text)
{
	size_t n = 0;

	for (; *text; text += ft__utf8_length(text, SIZE_MAX) ? ft__utf8_length(text, SIZE_MAX) : 1)
		n++;
	return n;
}

/* A row's name, and of a longer one as much as has room, with "..." behind it. */
struct name {
	char s[4 * NAME_MOST + 1];
	size_t width; /* characters */
};

static struct name name_of(const char *row)
{
	struct name name = {.width = width_of(row)};
	size_t most = name.width > NAME_MOST ? NAME_MOST - 3 : NAME_MOST, length = 0;

	for (size_t n = 0; row[length] && n < most; n++)
		length +=
			ft__utf8_length(row + length, SIZE_MAX) ? ft__utf8_length(row + length, SIZE_MAX) : 1;
	(void)snprintf(name.s, sizeof name.s, "%.*s%s", (int)length, row, row[length] ? "..." : "");
	name.width = row[length] ? NAME_MOST : name.width;
	return name;
}

static size_t longest_name(const struct ft_gantt *gantt)
{
	size_t longest = 0;

	for (size_t i = 0; i < gantt->rows; i++) {
		size_t width = name_of(gantt->row[i]).width;

		longest = width > longest ? width : longest;
	}
	return longest;
}

/* When the last bar ends; 1 where none does. */
static double end_of(const struct ft_gantt *gantt)
{
	double end = 0;

	for (size_t i = 0; i < gantt->bars; i++)
		end = fmax(end, gantt->bar[i].to);
	return end > 0 ? end : 1;
}

/* ---- a picture ----------------------------------------------------------------------------------------- */

struct frame {
	double end;
	int row, left, width, height; /* pixels: of a row, left of the drawing; of the picture */
};

static struct frame frame_of(const struct ft_gantt *gantt, int width)
{
	struct frame f = {.end = end_of(gantt), .width = width, .row = ROW};

	if (gantt->rows * ROW > MOST)
		f.row = MOST / (int)gantt->rows > 2 ? MOST / (int)gantt->rows : 2;
	f.left = 20 + (f.row >= LEAST_NAMED ? CHARACTER * (int)longest_name(gantt) : 0);
	f.height = TITLE + ABOVE + (int)gantt->rows * f.row + BELOW;
	return f;
}

static void add_names(struct ft_text *script, const struct ft_gantt *gantt, const struct frame *f)
{
	if (f->row < LEAST_NAMED) {
		ft_text_add(script, "set ytics ()\n");
		return;
	}
	ft_text_add(script, "set ytics (");
	for (size_t i = 0; i < gantt->rows; i++) {
		const struct name name = name_of(gantt->row[i]);

		ft_text_add(script, i ? ", " : "");
		ft__plot_quoted(script, name.s);
		ft_text_add(script, " %zu", i);
	}
	ft_text_add(script, ") noenhanced scale 0 font ',11'\n");
}

static void add_bars(struct ft_text *script, const struct ft_gantt *gantt)
{
	ft_text_add(script, "$bars << EOD\n");
	for (size_t i = 0; i < gantt->bars; i++) {
		const struct ft_bar *bar = &gantt->bar[i];

		ft_text_add(script, "%.9g %.9g %zu 0x%s\n", bar->from, bar->to, bar->row,
			    bar->label ? ft__plot_colour(i) : "c9cdd3");
	}
	ft_text_add(script, "EOD\n");
}

/* Bars that are long enough have a name. */
static void add_labels(struct ft_text *script, const struct ft_gantt *gantt, const struct frame *f)
{
	double scale = (f->width - f->left - RIGHT) / f->end;
	size_t n = 0;

	for (size_t i = 0; i < gantt->bars && n < TASKS_NAMED && f->row >= LEAST_NAMED; i++) {
		const struct ft_bar *bar = &gantt->bar[i];

		if (!bar->label ||
		    (bar->to - bar->from) * scale < (double)(CHARACTER * (width_of(bar->label) + 1)))
			continue;
		ft_text_add(script, "set label %zu ", 10 + n++);
		ft__plot_quoted(script, bar->label);
		ft_text_add(script,
			    " at first %.9g,%zu center front noenhanced font ',10' textcolor rgb '#ffffff'\n",
			    (bar->from + bar->to) / 2, bar->row);
	}
}

void ft__gantt_script(struct ft_text *script, const char *title, const struct ft_gantt *gantt,
		      enum ft__picture picture, int width)
{
	const struct frame f = frame_of(gantt, width);
	const struct ft__axis axis = {0, f.end, false, "s", false};

	ft__plot_terminal(script, picture, f.width, f.height);
	ft__plot_looks(script);
	if (title)
		ft__plot_title(script, title, picture, f.width, f.height);
	ft_text_add(script,
		    "unset key\nset grid noytics xtics\nset lmargin at screen %.6f\n"
		    "set rmargin at screen %.6f\nset tmargin at screen %.6f\nset bmargin at screen %.6f\n",
		    (double)f.left / f.width, 1 - (double)RIGHT / f.width,
		    1 - (double)(TITLE + ABOVE) / f.height, (double)BELOW / f.height);
	ft__axis_tics(script, "x", &axis, 8);
	add_names(script, gantt, &f);
	ft_text_add(script, "set yrange [%zu.5:-0.5]\nset xlabel 'time'\n", gantt->rows - 1);
	add_bars(script, gantt);
	add_labels(script, gantt, &f);
	ft_text_add(script, gantt->bars ? "plot $bars using (($1+$2)/2):3:1:2:($3-0.38):($3+0.38):4 with "
					  "boxxyerror fs solid border rgb '#ffffff' lc rgb variable\n"
					: "plot NaN notitle\n");
}

/* ---- a terminal ---------------------------------------------------------------------------------------- */

enum { OTHERS = 26 };
static const char marks[] = "abcdefghijklmnopqrstuvwxyz#";

static void fill_row(const struct ft_gantt *gantt, size_t row, char *cell, size_t columns)
{
	double scale = (double)columns / end_of(gantt);

	memset(cell, '.', columns);
	for (size_t i = 0; i < gantt->bars; i++) {
		const struct ft_bar *bar = &gantt->bar[i];
		size_t from = (size_t)(bar->from * scale), to = (size_t)(bar->to * scale);

		for (size_t j = from; bar->row == row && j < columns && (j < to || j == from); j++)
			cell[j] = marks[bar->label ? bar->letter % OTHERS : OTHERS];
	}
}

void ft__gantt_text(struct ft_text *text, const char *title, const struct ft_gantt *gantt, int width)
{
	size_t most = longest_name(gantt);
	size_t columns = (size_t)width > most + 2 + LEAST_CHART ? (size_t)width - most - 2 : LEAST_CHART;
	char cell[1001];

	if (title)
		ft_text_add(text, "%s\n\n", title);
	columns = columns < sizeof cell - 1 ? columns : sizeof cell - 1;
	cell[columns] = '\0';
	for (size_t i = 0; i < gantt->rows; i++) {
		const struct name name = name_of(gantt->row[i]);

		fill_row(gantt, i, cell, columns);
		ft_text_add(text, "%s%*s%s\n", name.s, (int)(most - name.width) + 2, "", cell);
	}
}
