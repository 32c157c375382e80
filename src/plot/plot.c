/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - passes a script to gnuplot, and its output to a file or a terminal. */
#include "base/alloc.h"
#include "base/command.h"
#include "base/files.h"
#include "foretime/plot.h"
#include "plot/plot.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A picture of some million points takes gnuplot some seconds; a user at a terminal may interrupt it. */
enum { SECONDS_MOST = 600 };

/* The picture that a script draws: heap. */
static enum ft_status run_gnuplot(const struct ft_text *script, char **picture, size_t *length,
				  struct ft_err *err)
{
	/* Without the user's own settings. Standard input is read byte by byte; on a system without /proc
	 * there is no other way. */
	const char *const words[] = {"gnuplot", "--default-settings",
				     access("/dev/stdin", R_OK) ? "-" : "/dev/stdin", NULL};
	struct ft__command gnuplot = {.argv = words, .input = script->s, .limit_s = SECONDS_MOST};
	enum ft_status status = ft__command_run(&gnuplot, err);

	if (status == FT_EUNAVAIL) {
		(void)ft_fail(err, status, "cannot start gnuplot, which draws the pictures: %s",
			      gnuplot.number == EACCES ? "not executable" : "not found");
		(void)ft_remedy(
			err, "install gnuplot (Debian: apt install gnuplot-nox), or leave out -o: a terminal "
			     "gets characters");
	} else if (!gnuplot.number && status != FT_ENOMEM && (status || !gnuplot.length)) {
		int n;
		const char *line = ft__command_line(&gnuplot, &n);

		if (gnuplot.late)
			(void)ft_fail(err, FT_EIO, "gnuplot did not end within %d s", SECONDS_MOST);
		else if (n)
			(void)ft_fail(err, FT_EIO, "gnuplot cannot draw this: %.*s", n, line);
		else if (gnuplot.signal)
			(void)ft_fail(err, FT_EIO, "gnuplot was ended by signal %d (%s)", gnuplot.signal,
				      strsignal(gnuplot.signal));
		else
			(void)ft_fail(err, FT_EIO, "gnuplot drew nothing (exit status %d)", gnuplot.status);
		(void)ft_remedy(
			err,
			"try 'gnuplot --version'; reinstall it with 'apt install --reinstall gnuplot-nox'");
		status = FT_EIO;
	}
	if (!status) {
		*picture = gnuplot.text;
		*length = gnuplot.length;
		gnuplot.text = NULL;
	}
	ft__command_clear(&gnuplot);
	return status;
}

/* Open a new file next to `path`; its name is put into *name. -1 with errno. */
static int open_temporary(const char *path, struct ft_text *name)
{
	int fd = -1;

	for (int attempt = 0; fd < 0 && attempt < 100; attempt++) {
		ft_text_clear(name);
		ft_text_add(name, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
		if (name->failed) {
			errno = ENOMEM;
			return -1;
		}
		fd = open(name->s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

/* Write a picture to `path`, whole or not at all. */
static enum ft_status write_file(const char *path, const char *bytes, size_t length, struct ft_err *err)
{
	struct ft_text name = {0};
	enum ft_status result = FT_OK;
	int number = 0, fd = open_temporary(path, &name);

	if (fd < 0) {
		number = errno;
		goto out;
	}
	if (ft__file_write(fd, bytes, length) != 0)
		number = errno;
	if (close(fd) != 0 && !number)
		number = errno;
	if (!number && rename(name.s, path) != 0)
		number = errno;
	if (number)
		(void)unlink(name.s);
out:
	if (number) {
		result = ft_fail_errno(err, number, "cannot write '%s'", path);
		if (result != FT_ENOMEM)
			(void)ft_remedy(err, "choose another place for the picture");
	}
	ft_text_clear(&name);
	return result;
}

/* A terminal's lines, without the blanks that fill them up. */
static void trim_lines(char *text)
{
	char *to = text, *end = text; /* end: behind the last character of this line that is to be seen */

	for (const char *from = text; *from; from++) {
		if (*from == '\n')
			to = end;
		*to++ = *from;
		if (*from != ' ')
			end = to;
	}
	*end = '\0';
}

/* Whether the terminal uses UTF-8, by the locale. */
static bool is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !(locale && *locale); i++)
		locale = getenv(names[i]);
	const char *set = locale ? strchr(locale, '.') : NULL;
	return set && (!strncasecmp(set, ".UTF-8", 6) || !strncasecmp(set, ".UTF8", 5));
}

static bool ends_with(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);

	return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* The look of a picture by its path; *text: none yet. */
static enum ft_status begin_picture(const char *path, struct ft__theme *theme, char **text,
				    struct ft_err *err)
{
	static const char *const endings[] = {
		[FT__PICTURE_SVG] = ".svg", [FT__PICTURE_PNG] = ".png", [FT__PICTURE_PDF] = ".pdf"};
	int least = path ? 300 : 40, most = path ? 10000 : 1000;
	size_t k = 0, n = sizeof endings / sizeof *endings;

	assert(path || text);
	if (text)
		*text = NULL;
	while (path && k < n && !ends_with(path, endings[k]))
		k++;
	if (k == n) {
		(void)ft_fail(err, FT_EINVAL, "'%s' does not end in .svg, .png or .pdf", path);
		(void)ft_remedy(err, "name the picture FILE.svg, FILE.png or FILE.pdf");
		return FT_EINVAL;
	}
	theme->picture = (enum ft__picture)k;
	if (theme->width == 0)
		theme->width = path ? 900 : 80;
	if (theme->width < least || theme->width > most)
		return ft_fail(err, FT_EINVAL, "a width of %d is not within %d and %d %s", theme->width,
			       least, most, path ? "pixels" : "characters");
	return FT_OK;
}

/* ---- an SVG's own words -------------------------------------------------------------------------------- */

/* A text between two tags, in characters that XML has. */
static void add_xml(struct ft_text *svg, const char *text)
{
	for (const char *s = text ? text : ""; *s;) {
		size_t length = ft__utf8_length(s, SIZE_MAX);

		if (*s == '&' || *s == '<' || *s == '>')
			ft_text_add(svg, *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : "&gt;");
		else if ((unsigned char)*s < ' ' || *s == 0x7f)
			ft_text_add(svg, " ");
		else if (!length || !memcmp(s, "\xef\xbf", 2))
			ft_text_add(svg, "?");
		else
			ft_text_add_bytes(svg, s, length);
		s += length ? length : 1;
	}
}

static bool add_until(struct ft_text *svg, const char **from, const char *end)
{
	const char *to = strstr(*from, end);

	if (!to)
		return false;
	ft_text_add_bytes(svg, *from, (size_t)(to - *from));
	*from = to + strlen(end);
	return true;
}

/* Every SVG of gnuplot has the same title. This one's is the picture's, for readers of screens and for pages; and its
 * fonts are those of the page, where there are some. */
static void name_svg(struct ft_text *svg, const char *bytes, const char *title, const struct ft_text *about)
{
	static const char font[] = "font-family=\"sans-serif\"";

	if (add_until(svg, &bytes, "<svg "))
		ft_text_add(svg, "<svg role=\"img\"");
	if (add_until(svg, &bytes, "<title>Gnuplot</title>")) {
		ft_text_add(svg, "<title>");
		add_xml(svg, title ? title : "foretime");
		ft_text_add(svg, "</title>");
	}
	const char *desc = strstr(bytes, "<desc>"), *end = strstr(bytes, "</desc>");
	if (desc && end) {
		(void)add_until(svg, &bytes, "<desc>");
		ft_text_add(svg, "<desc>");
		add_xml(svg, about->s);
		bytes = end;
	}
	for (const char *words, *tip; (words = strstr(bytes, font)) || strstr(bytes, "<title>");) {
		tip = strstr(bytes, "<title>");
		if (tip &&
		    (!words || tip < words)) { /* of each curve, with nothing to say: "$data0 using 1:2" */
			(void)add_until(svg, &bytes, "<title>");
			end = strstr(bytes, "</title>");
			bytes = end ? end + strlen("</title>") : bytes;
		} else {
			(void)add_until(svg, &bytes, font);
			ft_text_add(svg, "font-family=\"system-ui, sans-serif\"");
		}
	}
	ft_text_add_bytes(svg, bytes, strlen(bytes));
}

/* Draw a script into its file. about: what is drawn, in words. */
static enum ft_status draw_script(const struct ft_text *script, const struct ft__theme *theme,
				  const char *title, struct ft_text *about, const char *path,
				  struct ft_err *err)
{
	char *bytes = NULL;
	size_t length = 0;
	struct ft_text svg = {0};
	enum ft_status result =
		script->failed || about->failed ? ft_nomem(err) : run_gnuplot(script, &bytes, &length, err);

	if (!result && theme->picture == FT__PICTURE_SVG) {
		name_svg(&svg, bytes, title, about);
		/* gnuplot opens a group for each change of its pen, and closes most of them at once: a third of a file. */
		char *to = svg.s;

		for (const char *from = svg.s; from && *from;) {
			size_t line = strcspn(from, "\n") + 1;

			if (!strncmp(from, "<g fill=", 8) && from[line - 1] &&
			    !strncmp(from + line, "</g>\n", 5)) {
				from += line + 5;
				continue;
			}
			line -= !from[line - 1];
			memmove(to, from, line);
			to += line;
			from += line;
		}
		if (to) {
			svg.length = (size_t)(to - svg.s);
			*to = '\0';
		}
		result = svg.failed ? ft_nomem(err) : write_file(path, svg.s, svg.length, err);
	} else if (!result) {
		result = write_file(path, bytes, length, err);
	}
	ft_text_clear(&svg);
	ft_text_clear(about);
	ft_free(bytes);
	return result;
}

static void add_about(struct ft_text *about, const char *what, const char *by, const char *and)
{
	ft_text_add(about, "%s%s%s%s%s%s", about->length ? "; " : "", what ? what : "value", by ? " by " : "",
		    by ? by : "", and? " and " : "", and? and : "");
}

/* The picture in characters. */
static enum ft_status end_text(struct ft_text *drawn, char **text, struct ft_err *err)
{
	*text = ft_text_take(drawn);
	if (!*text)
		return ft_nomem(err);
	trim_lines(*text);
	return FT_OK;
}

enum ft_status ft_plot_draw(const char *title, const struct ft_panel *panel, size_t n, const char *path,
			    int width, bool dark, char **text, struct ft_err *err)
{
	struct ft__theme theme = {.width = width, .dark = dark};
	struct ft_text script = {0}, about = {0};

	assert(n > 0);
	enum ft_status result = begin_picture(path, &theme, text, err);
	if (result)
		return result;
	if (path) {
		for (size_t i = 0; i < n; i++) {
			const char *between = ": ";

			add_about(&about, panel[i].y_label, panel[i].x_label, NULL);
			for (size_t k = 0; k < panel[i].n; k++)
				if (panel[i].series[k].title) {
					ft_text_add(&about, "%s%s", between, panel[i].series[k].title);
					between = ", ";
				}
		}
		ft__plot_script(&script, title, panel, n, &theme);
		result = draw_script(&script, &theme, title, &about, path, err);
	} else {
		ft__panel_text(&script, title, panel, n, theme.width, is_utf8());
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_heat(const char *title, const struct ft_heat *heat, const char *path, int width,
			    bool dark, char **text, struct ft_err *err)
{
	struct ft__theme theme = {.width = width, .dark = dark};
	struct ft_text script = {0}, about = {0};

	assert(heat->rows > 0 && heat->columns > 0);
	enum ft_status result = begin_picture(path, &theme, text, err);
	if (!result && path) {
		add_about(&about, heat->value_label, NULL, NULL);
		if (heat->place)
			add_about(&about, heat->y_label, heat->x_label, NULL);
		ft__heat_script(&script, title, heat, &theme);
		result = draw_script(&script, &theme, title, &about, path, err);
	} else if (!result) {
		ft__heat_text(&script, title, heat, theme.width);
		ft_text_add(&script, "\n");
		if (heat->place)
			ft__plane_text(&script, heat, theme.width, is_utf8());
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_field(const char *title, const struct ft_heat_map *field, size_t n, const char *path,
			     int width, bool dark, char **text, struct ft_err *err)
{
	struct ft__theme theme = {.width = width, .dark = dark};
	struct ft_text script = {0}, about = {0};

	assert(n > 0);
	enum ft_status result = begin_picture(path, &theme, text, err);
	if (!result && path) {
		for (size_t i = 0; i < n; i++)
			add_about(&about, field[i].value_label, field[i].x_label, field[i].y_label);
		result = ft__field_script(&script, title, field, n, &theme, err);
		result = result ? result : draw_script(&script, &theme, title, &about, path, err);
		ft_text_clear(&about);
	} else if (!result) {
		for (size_t i = 0; i < n; i++)
			ft__field_text(&script, i ? NULL : title, &field[i], theme.width);
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_gantt(const char *title, const struct ft_gantt *gantt, const char *path, int width,
			     bool dark, char **text, struct ft_err *err)
{
	struct ft__theme theme = {.width = width, .dark = dark};
	struct ft_text script = {0}, about = {0};

	assert(gantt->rows > 0);
	enum ft_status result = begin_picture(path, &theme, text, err);
	if (!result && path) {
		ft_text_add(&about, "%zu bars on %zu rows over time", gantt->bars, gantt->rows);
		ft__gantt_script(&script, title, gantt, &theme);
		result = draw_script(&script, &theme, title, &about, path, err);
	} else if (!result) {
		ft__gantt_text(&script, title, gantt, theme.width);
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}
