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

static enum ft_status complain_of_gnuplot(const struct ft__command *gnuplot, struct ft_err *err)
{
	int length;
	const char *line = ft__command_line(gnuplot, &length);

	if (gnuplot->late)
		(void)ft_fail(err, FT_EIO, "gnuplot did not end within %d s", SECONDS_MOST);
	else if (length)
		(void)ft_fail(err, FT_EIO, "gnuplot cannot draw this: %.*s", length, line);
	else if (gnuplot->signal)
		(void)ft_fail(err, FT_EIO, "gnuplot was ended by signal %d (%s)", gnuplot->signal,
			      strsignal(gnuplot->signal));
	else
		(void)ft_fail(err, FT_EIO, "gnuplot drew nothing (exit status %d)", gnuplot->status);
	(void)ft_remedy(err,
			"try 'gnuplot --version'; reinstall it with 'apt install --reinstall gnuplot-nox'");
	return FT_EIO;
}

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
		(void)ft_remedy(err, "apt install gnuplot-nox");
	} else if (!gnuplot.number && status != FT_ENOMEM && (status || !gnuplot.length)) {
		status = complain_of_gnuplot(&gnuplot, err);
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

/* The format of a picture by its path, and its width; *text: none yet. */
static enum ft_status begin_picture(const char *path, int *width, enum ft__picture *picture, char **text,
				    struct ft_err *err)
{
	int least = path ? 300 : 40, most = path ? 10000 : 1000;

	assert(path || text);
	if (text)
		*text = NULL;
	*picture = FT__PICTURE_SVG;
	if (path && ends_with(path, ".svg")) {
		*picture = FT__PICTURE_SVG;
	} else if (path && ends_with(path, ".png")) {
		*picture = FT__PICTURE_PNG;
	} else if (path) {
		(void)ft_fail(err, FT_EINVAL, "'%s' ends neither in .svg nor in .png", path);
		(void)ft_remedy(err, "name the picture FILE.svg or FILE.png");
		return FT_EINVAL;
	}
	if (*width == 0)
		*width = path ? 900 : 80;
	if (*width < least || *width > most)
		return ft_fail(err, FT_EINVAL, "a width of %d is not within %d and %d %s", *width, least,
			       most, path ? "pixels" : "characters");
	return FT_OK;
}

/* Draw a script into its file. */
static enum ft_status draw_script(const struct ft_text *script, const char *path, struct ft_err *err)
{
	char *bytes = NULL;
	size_t length = 0;
	enum ft_status result = script->failed ? ft_nomem(err) : run_gnuplot(script, &bytes, &length, err);

	if (!result)
		result = write_file(path, bytes, length, err);
	ft_free(bytes);
	return result;
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
			    int width, char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};

	assert(n > 0);
	enum ft_status result = begin_picture(path, &width, &picture, text, err);
	if (result)
		return result;
	if (path) {
		ft__plot_script(&script, title, panel, n, picture, width);
		result = draw_script(&script, path, err);
	} else {
		ft__panel_text(&script, title, panel, n, width, is_utf8());
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_heat(const char *title, const struct ft_heat *heat, const char *path, int width,
			    char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};

	assert(heat->rows > 0 && heat->columns > 0);
	enum ft_status result = begin_picture(path, &width, &picture, text, err);
	if (!result && path) {
		ft__heat_script(&script, title, heat, picture, width);
		result = draw_script(&script, path, err);
	} else if (!result) {
		ft__heat_text(&script, title, heat, width);
		ft_text_add(&script, "\n");
		if (heat->place)
			ft__plane_text(&script, heat, width, is_utf8());
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_field(const char *title, const struct ft_heat_map *field, size_t n, const char *path,
			     int width, char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};

	assert(n > 0);
	enum ft_status result = begin_picture(path, &width, &picture, text, err);
	if (!result && path) {
		result = ft__field_script(&script, title, field, n, picture, width, err);
		result = result ? result : draw_script(&script, path, err);
	} else if (!result) {
		for (size_t i = 0; i < n; i++)
			ft__field_text(&script, i ? NULL : title, &field[i], width);
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_gantt(const char *title, const struct ft_gantt *gantt, const char *path, int width,
			     char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};

	assert(gantt->rows > 0);
	enum ft_status result = begin_picture(path, &width, &picture, text, err);
	if (!result && path) {
		ft__gantt_script(&script, title, gantt, picture, width);
		result = draw_script(&script, path, err);
	} else if (!result) {
		ft__gantt_text(&script, title, gantt, width);
		result = end_text(&script, text, err);
	}
	ft_text_clear(&script);
	return result;
}
