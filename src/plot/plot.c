/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - hands a script to gnuplot, and what gnuplot draws to a file or a terminal. */
#include "foretime/plot.h"
#include "base/alloc.h"
#include "base/child.h"
#include "plot/field.h"
#include "plot/gantt.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t part = write(fd, bytes, length);

		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -1;
		bytes += part;
		length -= (size_t)part;
	}
	return 0;
}

/* A file without a name, closed on exec and out of the way of descriptors 0 to 2; -1 with errno. Files
 * instead of pipes: nobody waits for a reader. */
static int open_scratch(void)
{
	int fd = memfd_create("foretime-plot", MFD_CLOEXEC), high, number;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	number = errno;
	(void)close(fd);
	errno = number;
	return high;
}

/* All that a scratch file holds: heap, ends with a zero byte that *length does not count. */
static enum ft_status read_scratch(int fd, char **bytes, size_t *length, struct ft_err *err)
{
	struct stat info;

	if (fstat(fd, &info) != 0)
		return ft_fail_errno(err, errno, "cannot read what gnuplot wrote");
	*bytes = ft_malloc((size_t)info.st_size + 1);
	if (!*bytes)
		return ft_nomem(err);
	for (*length = 0; *length < (size_t)info.st_size;) {
		ssize_t part = pread(fd, *bytes + *length, (size_t)info.st_size - *length, (off_t)*length);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			break;
		*length += (size_t)part;
	}
	(*bytes)[*length] = '\0';
	return FT_OK;
}

/* gnuplot's last words as the reason of a failure. */
static enum ft_status complain(int fd, int status, struct ft_err *err)
{
	char *words = NULL, *line;
	size_t length = 0;
	enum ft_status failure = read_scratch(fd, &words, &length, err);

	if (failure || !words)
		return failure;
	while (length > 0 && (words[length - 1] == '\n' || words[length - 1] == ' '))
		words[--length] = '\0';
	line = strrchr(words, '\n');
	line = line ? line + 1 : words;
	line += strspn(line, " \t");
	if (*line)
		failure = ft_fail(err, FT_EIO, "gnuplot cannot draw this: %s", line);
	else if (WIFSIGNALED(status))
		failure = ft_fail(err, FT_EIO, "gnuplot was ended by signal %d (%s)", WTERMSIG(status),
				  strsignal(WTERMSIG(status)));
	else
		failure = ft_fail(err, FT_EIO, "gnuplot drew nothing (exit status %d)", WEXITSTATUS(status));
	(void)ft_remedy(err,
			"try 'gnuplot --version'; reinstall it with 'apt install --reinstall gnuplot-nox'");
	ft_free(words);
	return failure;
}

/* The picture that a script draws: heap. */
static enum ft_status run_gnuplot(const struct ft_text *script, char **picture, size_t *length,
				  struct ft_err *err)
{
	/* without the user's own settings */
	static const char *const words[] = {"gnuplot", "--default-settings", NULL};
	int fd[3] = {-1, -1, -1}, status = 0, number;
	enum ft_status result;
	pid_t pid = -1;

	for (int i = 0; i < 3; i++) {
		fd[i] = open_scratch();
		if (fd[i] < 0) {
			result = ft_fail_errno(err, errno, "cannot open a temporary file for gnuplot");
			goto out;
		}
	}
	if (write_all(fd[0], script->s, script->length) != 0 || lseek(fd[0], 0, SEEK_SET) != 0) {
		result = ft_fail_errno(err, errno, "cannot write a temporary file for gnuplot");
		goto out;
	}
	number = ft__command_start(words, fd, &pid);
	if (number == ENOENT || number == ENOTDIR || number == EACCES) {
		(void)ft_fail(err, FT_EUNAVAIL, "cannot start gnuplot, which draws the pictures: %s",
			      number == EACCES ? "not executable" : "not found");
		(void)ft_remedy(err, "apt install gnuplot-nox");
		result = FT_EUNAVAIL;
		goto out;
	}
	if (number) {
		result = ft_fail_errno(err, number, "cannot start gnuplot");
		goto out;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR) {
			result = ft_fail_errno(err, errno, "cannot wait for gnuplot");
			goto out;
		}
	result = read_scratch(fd[1], picture, length, err);
	if (!result && (status != 0 || *length == 0))
		result = complain(fd[2], status, err);
out:
	for (int i = 0; i < 3; i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
	return result;
}

/* Open a new file beside `path`; its name is put into *name. -1 with errno. */
static int open_beside(const char *path, struct ft_text *name)
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

/* Put a picture where `path` says, whole or not at all. */
static enum ft_status write_file(const char *path, const char *bytes, size_t length, struct ft_err *err)
{
	struct ft_text name = {0};
	enum ft_status result = FT_OK;
	int number = 0, fd = open_beside(path, &name);

	if (fd < 0) {
		number = errno;
		goto out;
	}
	if (write_all(fd, bytes, length) != 0)
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

/* A terminal's lines, without the blanks that gnuplot fills them up with. */
static void trim_lines(char *text)
{
	char *to = text, *end = text; /* end: behind the last character of this line that is to be seen */

	for (const char *from = text; *from; from++) {
		if (*from == '\f')
			continue;
		if (*from == '\n')
			to = end;
		*to++ = *from;
		if (*from != ' ')
			end = to;
	}
	*end = '\0';
}

static bool ends_with(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);

	return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* What kind of picture a path means, and its width; *text: none yet. */
static enum ft_status begin(const char *path, int *width, enum ft__picture *picture, char **text,
			    struct ft_err *err)
{
	int least = path ? 300 : 40, most = path ? 10000 : 1000;

	assert(path || text);
	if (text)
		*text = NULL;
	*picture = FT__PICTURE_TEXT;
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

/* What a script draws, into its file or into *text. */
static enum ft_status draw(const struct ft_text *script, const char *path, char **text, struct ft_err *err)
{
	char *bytes = NULL;
	size_t length = 0;
	enum ft_status result = script->failed ? ft_nomem(err) : run_gnuplot(script, &bytes, &length, err);

	if (!result && path)
		result = write_file(path, bytes, length, err);
	if (!result && bytes && !path) {
		trim_lines(bytes);
		*text = bytes;
		bytes = NULL;
	}
	ft_free(bytes);
	return result;
}

enum ft_status ft_plot_draw(const char *title, const struct ft_panel *panel, size_t n, const char *path,
			    int width, char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};
	enum ft_status result;

	assert(n > 0);
	result = begin(path, &width, &picture, text, err);
	if (result)
		return result;
	ft__plot_script(&script, title, panel, n, picture, width);
	result = draw(&script, path, text, err);
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_heat(const char *title, const struct ft_heat *heat, const char *path, int width,
			    char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0}, table = {0};
	char *plane = NULL;
	enum ft_status result;

	assert(heat->rows > 0 && heat->columns > 0);
	result = begin(path, &width, &picture, text, err);
	if (result)
		return result;
	if (path || heat->place) {
		ft__heat_script(&script, title, heat, picture, width);
		result = draw(&script, path, &plane, err);
	}
	if (!result && !path) {
		ft__heat_text(&table, title, heat, width);
		if (plane)
			ft_text_add(&table, "\n%s", plane);
		*text = ft_text_take(&table);
		result = *text ? FT_OK : ft_nomem(err);
	}
	ft_free(plane);
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_field(const char *title, const struct ft_field *field, size_t n, const char *path,
			     int width, char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};
	enum ft_status result;

	assert(n > 0);
	result = begin(path, &width, &picture, text, err);
	if (!result && path) {
		result = ft__field_script(&script, title, field, n, picture, width, err);
		result = result ? result : draw(&script, path, text, err);
	} else if (!result) {
		for (size_t i = 0; i < n; i++)
			ft__field_text(&script, i ? NULL : title, &field[i], width);
		*text = ft_text_take(&script);
		result = *text ? FT_OK : ft_nomem(err);
	}
	ft_text_clear(&script);
	return result;
}

enum ft_status ft_plot_gantt(const char *title, const struct ft_gantt *gantt, const char *path, int width,
			     char **text, struct ft_err *err)
{
	enum ft__picture picture;
	struct ft_text script = {0};
	enum ft_status result;

	assert(gantt->rows > 0);
	result = begin(path, &width, &picture, text, err);
	if (!result && path) {
		ft__gantt_script(&script, title, gantt, picture, width);
		result = draw(&script, path, text, err);
	} else if (!result) {
		ft__gantt_text(&script, title, gantt, width);
		*text = ft_text_take(&script);
		result = *text ? FT_OK : ft_nomem(err);
	}
	ft_text_clear(&script);
	return result;
}
