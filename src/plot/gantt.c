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

/* Bars of this name or none have no room for it: the legend has them. */
static bool is_narrow(const struct ft_bar *bar, double scale)
{
	return bar->label && (bar->to - bar->from) * scale < (double)(CHARACTER * (width_of(bar->label) + 1));
}

static bool has_rest(const struct ft_gantt *gantt)
{
	for (size_t i = 0; i < gantt->bars; i++)
		if (!gantt->bar[i].label)
			return gantt->rest_title != NULL;
	return false;
}

/* ---- a picture ----------------------------------------------------------------------------------------- */

struct frame {
	double end;
	int row, left, width, height; /* pixels: of a row, left of the drawing; of the picture */
	struct ft__legend key[FT__KEYS_MOST];
	size_t keys;
	int above; /* pixels: title and legend */
};

static struct frame frame_of(const struct ft_gantt *gantt, const struct ft__theme *theme)
{
	struct frame f = {.end = end_of(gantt), .width = theme->width, .row = ROW};

	if (gantt->rows * ROW > MOST)
		f.row = MOST / (int)gantt->rows > 2 ? MOST / (int)gantt->rows : 2;
	f.left = 24 + (f.row >= LEAST_NAMED ? CHARACTER * (int)longest_name(gantt) : 0);
	/* Tasks whose bars are too short for their name, and what the grey ones are. */
	double scale = (f.width - f.left - RIGHT) / f.end;

	if (has_rest(gantt))
		f.key[f.keys++] = (struct ft__legend){FT__KEY_HATCH, gantt->rest_title,
						      ft__ink(theme, FT__QUIET), false};
	for (size_t i = 0; i < gantt->bars && f.row >= LEAST_NAMED; i++) {
		if (!is_narrow(&gantt->bar[i], scale))
			continue;
		if (f.keys + 1 == FT__KEYS_MOST) { /* too many: the rest has no legend */
			f.key[f.keys++] =
				(struct ft__legend){FT__KEY_BAND, "...", ft__ink(theme, FT__LINE), true};
			break;
		}
		f.key[f.keys++] =
			(struct ft__legend){FT__KEY_BAND, gantt->bar[i].label, ft__ink_of(theme, i), true};
	}
	f.above = TITLE + ABOVE + FT__KEY_ROW * (int)ft__keys_rows(f.key, f.keys, f.width - f.left - RIGHT);
	f.height = f.above + (int)gantt->rows * f.row + BELOW;
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
	ft_text_add(script, ") noenhanced scale 0 font ',12'\n");
}

void ft__gantt_script(struct ft_text *script, const char *title, const struct ft_gantt *gantt,
		      const struct ft__theme *theme)
{
	static const char place[] = "using (($1+$2)/2):3:1:2:($3-0.36):($3+0.36)";
	const struct frame f = frame_of(gantt, theme);
	const struct ft__axis axis = {0, f.end, false, "s", false, false};
	size_t rest = 0;

	for (size_t i = 0; i < gantt->bars; i++)
		rest += !gantt->bar[i].label;
	ft__plot_begin(script, theme, title, f.height);
	ft_text_add(script, "set grid noytics xtics\n");
	ft__plot_margins(script, theme, f.height, f.left, f.width - RIGHT, f.above, f.height - BELOW);
	ft__axis_tics(script, "x", &axis, 8);
	add_names(script, gantt, &f);
	ft_text_add(script, "set yrange [%zu.5:-0.5]\nset xlabel 'time from the start'\n", gantt->rows - 1);
	/* Fill and edge of each bar have its colour, the fill a pale one; what others have is hatched. */
	for (int l = 0; l < 2; l++) {
		ft_text_add(script, l ? "$rest << EOD\n" : "$bars << EOD\n");
		for (size_t k = 0; k < gantt->bars; k++) {
			const struct ft_bar *bar = &gantt->bar[k];

			if (l == !bar->label)
				ft_text_add(script, "%.9g %.9g %zu 0x%s\n", bar->from, bar->to, bar->row,
					    ft__ink_of(theme, k) + 1);
		}
		ft_text_add(script, "EOD\n");
	}
	/* Bars that are long enough have a name. */
	double scale = (f.width - f.left - RIGHT) / f.end;
	size_t n = 0;

	for (size_t i = 0; i < gantt->bars && n < TASKS_NAMED && f.row >= LEAST_NAMED; i++) {
		const struct ft_bar *b = &gantt->bar[i];

		if (!b->label || is_narrow(b, scale))
			continue;
		ft_text_add(script, "set label ");
		ft__plot_quoted(script, b->label);
		ft_text_add(script,
			    " at first %.9g,%zu center front noenhanced font ',11' textcolor rgb '%s'\n",
			    (b->from + b->to) / 2, b->row, ft__ink(theme, FT__TEXT));
		n++;
	}
	ft__keys_draw(script, theme, f.key, f.keys, f.left, f.width - f.left - RIGHT, TITLE, f.height);
	if (rest)
		ft_text_add(script,
			    "plot $rest %s with boxxyerror fs transparent pattern 4 noborder lc rgb '%s'",
			    place, ft__ink(theme, FT__QUIET));
	if (gantt->bars > rest)
		ft_text_add(script,
			    "%s$bars %s:($4+0xa8000000) with boxxyerror fs solid noborder lc rgb variable"
			    ", $bars %s:4 with boxxyerror fs empty lc rgb variable",
			    rest ? ", " : "plot ", place, place);
	ft_text_add(script, gantt->bars ? "\n" : "plot NaN notitle\n");
}

/* ---- a terminal ---------------------------------------------------------------------------------------- */

enum { OTHERS = 26 };
static const char marks[] = "abcdefghijklmnopqrstuvwxyz#";

/* The tasks of the letters, in lines; of very many there are too few letters. */
static void add_letters(struct ft_text *text, const struct ft_gantt *gantt, size_t width)
{
	size_t at = 0, tasks = 0;

	for (size_t i = 0; i < gantt->bars; i++)
		tasks += gantt->bar[i].label != NULL;
	ft_text_add(text, "\n");
	for (size_t i = 0; i <= gantt->bars; i++) {
		bool rest = i == gantt->bars;
		const char *label = rest ? gantt->rest_title : gantt->bar[i].label;
		size_t wide = label ? width_of(label) + 2 : 0;

		if (!label || (rest ? !has_rest(gantt) : tasks > OTHERS))
			continue;
		if (at && at + 2 + wide > width) {
			ft_text_add(text, "\n");
			at = 0;
		}
		ft_text_add(text, "%s%c %s", at ? "  " : "",
			    marks[rest ? OTHERS : gantt->bar[i].letter % OTHERS], label);
		at += wide + (at ? 2 : 0);
	}
	ft_text_add(text, at ? "\n" : "");
}

void ft__gantt_text(struct ft_text *text, const char *title, const struct ft_gantt *gantt, int width)
{
	size_t most = longest_name(gantt);
	size_t columns = (size_t)width > most + 2 + LEAST_CHART ? (size_t)width - most - 2 : LEAST_CHART;
	const struct ft__axis axis = {0, end_of(gantt), false, "s", false, false};
	char cell[1001];

	if (title)
		ft_text_add(text, "%s\n\n", title);
	columns = columns < sizeof cell - 1 ? columns : sizeof cell - 1;
	cell[columns] = '\0';
	for (size_t i = 0; i < gantt->rows; i++) {
		const struct name name = name_of(gantt->row[i]);

		double scale = (double)columns / end_of(gantt);

		memset(cell, '.', columns);
		for (size_t k = 0; k < gantt->bars; k++) {
			const struct ft_bar *bar = &gantt->bar[k];
			size_t from = (size_t)(bar->from * scale), to = (size_t)(bar->to * scale);

			for (size_t j = from; bar->row == i && j < columns && (j < to || j == from); j++)
				cell[j] = marks[bar->label ? bar->letter % OTHERS : OTHERS];
		}
		ft_text_add(text, "%s%*s%s\n", name.s, (int)(most - name.width) + 2, "", cell);
	}
	ft__axis_text(text, "time from the start", &axis, most + 2, columns);
	add_letters(text, gantt, (size_t)width);
}
