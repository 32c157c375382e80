/* SPDX-License-Identifier: 0BSD */
/* foretime-fetch.h - a program asks what a size will take, without anything that runs.
 *
 *	#include <foretime-fetch.h>
 *
 *	static struct ft_probe_model model;
 *	const char *const param[] = {"n"};
 *	double value[] = {(double)n};
 *	struct ft_probe_cost cost;
 *
 *	ft_probe_fetch(&model, "/var/lib/foretime/knots/solve.knots");
 *	...
 *	if (!ft_probe_ask(&model, param, value, 1, &cost) && cost.upper_s > left_s)
 *		... not any more today ...
 *
 * The file is what `foretime export NAME --format knots -o FILE` made (foretime-export(1), KNOTS), or a
 * manager at GET /model/NAME?format=knots. It is read once; a question takes a tenth of a microsecond.
 *
 * One header, no library but -lm. C (from C99 on) and C++, with gcc or clang on POSIX systems. With a strict
 * -std=c99 include it before any header of the system, or define _POSIX_C_SOURCE as 200809L.
 */
#ifndef FORETIME_FETCH_H
#define FORETIME_FETCH_H

#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(_FEATURES_H)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- what a size will take ------------------------------------------------------------------------------
 */

enum {
	FT_PROBE_KNOWN = 0,
	FT_PROBE_ABSENT,  /* there is no such file, or it cannot be read, or there is no memory */
	FT_PROBE_BROKEN,  /* it is no file of knots, or not whole */
	FT_PROBE_FOREIGN, /* of another version than this header knows */
	FT_PROBE_EXPIRED, /* older than it was to be believed */
	FT_PROBE_BEYOND,  /* a size that nothing is known of */
	FT_PROBE_OTHER    /* other parameters, or another value of a fixed one */
};

enum {
	FT_PROBE_FIXED = 16,
	FT_PROBE_NAME = 64,
	FT_PROBE_KNOTS = 16384,
	FT_PROBE_FILE = 1 << 21,
	FT_PROBE_TEXT = 1024
};

/* NaN: it is not known. */
struct ft_probe_cost {
	double typical_s, upper_s; /* what a run takes; what all but a share `risk` of them stay below */
	double bytes;              /* of memory, the same */
};

struct ft_probe_knot {
	double at;
	struct ft_probe_cost cost;
};

struct ft_probe_value {
	char name[FT_PROBE_NAME];
	double value;
};

/* A file that was read. Zero-initialise; may be read and queried, not changed. */
struct ft_probe_model {
	struct ft_probe_knot *knot; /* [n] ascending, heap; NULL: nothing is known */
	size_t n;
	char program[FT_PROBE_TEXT], path[FT_PROBE_TEXT];
	struct ft_probe_value parameter, fixed[FT_PROBE_FIXED]; /* what it is of; the others' one value */
	size_t n_fixed;
	long long made_s, expires_s; /* since 1970 */
	double risk, cpus;           /* cpus NaN: not known */
	dev_t device;                /* the file, as it was read */
	ino_t inode;
	time_t changed_s;
	long changed_ns;
	int status; /* of the file at `path`, which may have been passed over */
};

/* In words, for messages. */
static inline const char *ft_probe_status(int status)
{
	static const char *const text[] = {"known",
					   "there is no such file, or it cannot be read",
					   "it is no whole file of knots",
					   "it is of another version",
					   "it is older than it was to be believed",
					   "nothing is known of that size",
					   "it is of other parameters"};

	return status >= 0 && status <= FT_PROBE_OTHER ? text[status] : "no such status";
}

/* A number at a place, independent of the locale's point; how far it was read; NULL: there is none. Fifteen
 * digits of it count. */
static inline const char *ft_probe_read_number(const char *at, double *value)
{
	const char *begin;
	double whole = 0;
	long exponent = 0, said = 0;
	int digits = 0, point = 0, negative;

	for (begin = at; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
		if (*at == '.') {
			point = 1;
			continue;
		}
		if (digits < 17)
			whole = 10 * whole + (*at - '0');
		exponent += (digits >= 17) - point;
		digits += digits || *at != '0';
	}
	if (at == begin || (at == begin + 1 && point))
		return NULL;
	if (*at == 'e' || *at == 'E') {
		negative = *++at == '-';
		at += *at == '-' || *at == '+';
		if (*at < '0' || *at > '9')
			return NULL;
		for (; *at >= '0' && *at <= '9'; at++)
			said = said < 10000 ? 10 * said + (*at - '0') : said;
		exponent += negative ? -said : said;
	}
	/* A power of ten that is exact, while there is one. */
	if (exponent < -22 || exponent > 22)
		*value = whole * pow(10, (double)exponent);
	else
		*value =
			exponent < 0 ? whole / pow(10, (double)-exponent) : whole * pow(10, (double)exponent);
	return isfinite(*value) ? at : NULL;
}

/* The last number of a line. */
static inline int ft_probe_last(const char *at, double *value)
{
	at = ft_probe_read_number(at, value);
	return at && !*at;
}

/* "SIZE TYPICAL_S UPPER_S BYTES" */
static inline int ft_probe_read_knot(const char *at, struct ft_probe_knot *knot)
{
	double *value[4];
	int i;

	value[0] = &knot->at;
	value[1] = &knot->cost.typical_s;
	value[2] = &knot->cost.upper_s;
	value[3] = &knot->cost.bytes;
	for (i = 0; i < 4; i++) {
		if (i && *at++ != ' ')
			return 0;
		if (i && *at == '-' && (at[1] == ' ' || !at[1])) {
			*value[i] = NAN;
			at++;
		} else if (!(at = ft_probe_read_number(at, value[i]))) {
			return 0;
		}
	}
	return !*at && knot->at > 0;
}

/* "NAME VALUE" */
static inline int ft_probe_read_fixed(const char *at, struct ft_probe_model *model)
{
	const char *blank = strrchr(at, ' ');
	struct ft_probe_value *fixed = &model->fixed[model->n_fixed];
	int negative;

	if (!blank || blank == at || blank - at >= FT_PROBE_NAME || model->n_fixed == FT_PROBE_FIXED)
		return 0;
	memcpy(fixed->name, at, (size_t)(blank - at));
	fixed->name[blank - at] = '\0';
	negative = blank[1] == '-';
	if (!ft_probe_last(blank + 1 + negative, &fixed->value))
		return 0;
	if (negative)
		fixed->value = -fixed->value;
	model->n_fixed++;
	return 1;
}

static inline int ft_probe_read_name(const char *at, char *name, size_t size)
{
	size_t n = strlen(at);

	if (!n || n >= size)
		return 0;
	memcpy(name, at, n + 1);
	return 1;
}

/* A line: its word, and what stands behind the blank. ended: the last line was there. */
static inline int ft_probe_read_line(struct ft_probe_model *model, const char *word, const char *rest,
				     int *ended)
{
	double value = 0;

	if (*ended)
		return 0;
	if (!strcmp(word, "knot")) {
		if (model->n == FT_PROBE_KNOTS || !ft_probe_read_knot(rest, &model->knot[model->n]) ||
		    (model->n && !(model->knot[model->n].at > model->knot[model->n - 1].at)))
			return 0;
		model->n++;
	} else if (!strcmp(word, "end")) {
		*ended = 1;
		return ft_probe_last(rest, &value) && value == (double)model->n;
	} else if (!strcmp(word, "program")) {
		return ft_probe_read_name(rest, model->program, sizeof model->program);
	} else if (!strcmp(word, "parameter")) {
		return ft_probe_read_name(rest, model->parameter.name, sizeof model->parameter.name);
	} else if (!strcmp(word, "fixed")) {
		return ft_probe_read_fixed(rest, model);
	} else if (!strcmp(word, "risk")) {
		return ft_probe_last(rest, &model->risk);
	} else if (!strcmp(word, "cpus")) {
		return ft_probe_last(rest, &model->cpus);
	} else if (!strcmp(word, "made") || !strcmp(word, "expires")) {
		if (!ft_probe_last(rest, &value) || !(value < 9e15))
			return 0;
		*(*word == 'm' ? &model->made_s : &model->expires_s) = (long long)value;
	}
	return 1;
}

/* text: changed, ends in a zero byte. model->knot has room for all. */
static inline int ft_probe_read_text(struct ft_probe_model *model, char *text)
{
	static const char first[] = "foretime-knots ";
	char *line, *end, *blank;
	int ended = 0, number = 0;

	model->risk = model->cpus = NAN;
	if (strncmp(text, first, sizeof first - 1) != 0)
		return FT_PROBE_BROKEN;
	for (line = text; *line; line = end + 1, number++) {
		end = strchr(line, '\n');
		if (!end)
			return FT_PROBE_BROKEN; /* not whole */
		*end = '\0';
		if (!number && strcmp(line + sizeof first - 1, "1") != 0)
			return FT_PROBE_FOREIGN;
		blank = strchr(line, ' ');
		if (!number || !blank)
			continue;
		*blank = '\0';
		if (!ft_probe_read_line(model, line, blank + 1, &ended))
			return FT_PROBE_BROKEN;
	}
	if (!ended || !model->n || !model->parameter.name[0])
		return FT_PROBE_BROKEN;
	return model->expires_s > (long long)time(NULL) ? FT_PROBE_KNOWN : FT_PROBE_EXPIRED;
}

/* All of a file, and a zero byte; heap, else NULL. It is read, not mapped: who shortens it would end us. */
static inline int ft_probe_slurp(int fd, size_t size, char **out)
{
	char *text = size < FT_PROBE_FILE ? (char *)malloc(size + 1) : NULL;
	size_t done = 0;
	ssize_t n = 1;

	*out = NULL;
	if (!text)
		return size < FT_PROBE_FILE ? FT_PROBE_ABSENT : FT_PROBE_BROKEN;
	while (done < size && (n = read(fd, text + done, size - done)) > 0)
		done += (size_t)n;
	text[done] = '\0';
	if (n >= 0 && strlen(text) == done) {
		*out = text;
		return FT_PROBE_KNOWN;
	}
	free(text);
	return n < 0 ? FT_PROBE_ABSENT : FT_PROBE_BROKEN;
}

static inline void ft_probe_stamp(struct ft_probe_model *model, const struct stat *st, int status)
{
	model->device = st->st_dev;
	model->inode = st->st_ino;
	model->changed_s = st->st_mtim.tv_sec;
	model->changed_ns = st->st_mtim.tv_nsec;
	model->status = status;
}

/* What was read, and its knots: the memory for as many as the file has bytes for. */
static inline int ft_probe_read_file(struct ft_probe_model *model, int fd, const struct stat *st)
{
	char *text;
	size_t most = (size_t)st->st_size / sizeof "knot 1 - - -" + 1;
	int status = ft_probe_slurp(fd, (size_t)st->st_size, &text);

	if (status)
		return status;
	most = most < FT_PROBE_KNOTS ? most : (size_t)FT_PROBE_KNOTS;
	model->knot = (struct ft_probe_knot *)malloc(most * sizeof *model->knot);
	status = model->knot ? ft_probe_read_text(model, text) : FT_PROBE_ABSENT;
	free(text);
	return status;
}

/* ft_probe_forget - nothing is known any more. Accepts what is zero. */
static inline void ft_probe_forget(struct ft_probe_model *model)
{
	free(model->knot);
	model->knot = NULL;
	model->n = 0;
}

/* What stands at next->path. gone: out, whether that is no file. */
static inline int ft_probe_read_path(struct ft_probe_model *next, struct stat *st, int *gone)
{
	int fd = open(next->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status = FT_PROBE_ABSENT;

	*gone = fd < 0 && (errno == ENOENT || errno == ENOTDIR);
	if (fd < 0)
		return FT_PROBE_ABSENT;
	if (!fstat(fd, st)) {
		*gone = !S_ISREG(st->st_mode);
		status = *gone ? FT_PROBE_ABSENT : ft_probe_read_file(next, fd, st);
	}
	(void)close(fd);
	if (status != FT_PROBE_KNOWN)
		ft_probe_forget(next);
	return status;
}

/* ft_probe_fetch - read a model. A file that is no good, or cannot be read now, is passed over, and the
 * status states why; what was read of the same path before stays then, until it expires, but not where there
 * is no file any more: a writer replaces it by rename. ft_probe_status reports a status in words.
 *
 * model  zero, or as it was read before; ends with ft_probe_forget. It keeps the path even if there is no
 * file.
 *
 * No other call may read it meanwhile. Cost: a tenth of a millisecond. */
static inline int ft_probe_fetch(struct ft_probe_model *model, const char *path)
{
	struct ft_probe_model next;
	struct stat st;
	int gone, status;

	memset(&next, 0, sizeof next);
	if (!ft_probe_read_name(path, next.path, sizeof next.path)) {
		ft_probe_forget(model);
		model->path[0] = '\0';
		return FT_PROBE_ABSENT;
	}
	status = ft_probe_read_path(&next, &st, &gone);
	if (status != FT_PROBE_KNOWN && !gone && model->knot && !strcmp(next.path, model->path)) {
		if (status != FT_PROBE_ABSENT)
			ft_probe_stamp(model, &st, status);
		return status;
	}
	ft_probe_forget(model);
	*model = next;
	model->status = status;
	if (status == FT_PROBE_KNOWN)
		ft_probe_stamp(model, &st, status);
	return status;
}

/* ft_probe_fetch_again - read it again where the file is another one than it was, or there was none, as of a
 * program that runs for long. Returns as ft_probe_fetch; as before if the file did not change. Cost: a
 * microsecond then.
 */
static inline int ft_probe_fetch_again(struct ft_probe_model *model)
{
	struct stat st;

	if (model->knot && !stat(model->path, &st) && st.st_dev == model->device &&
	    st.st_ino == model->inode && st.st_mtim.tv_sec == model->changed_s &&
	    st.st_mtim.tv_nsec == model->changed_ns)
		return model->status                              ? model->status
		       : model->expires_s > (long long)time(NULL) ? FT_PROBE_KNOWN
								  : FT_PROBE_EXPIRED;
	return ft_probe_fetch(model, model->path);
}

/* Between two knots logarithms are linear in that of the size. */
static inline double ft_probe_between(double left, double right, double share)
{
	if (left > 0 && right > 0)
		return exp((1 - share) * log(left) + share * log(right));
	return left + share * (right - left);
}

/* ft_probe_at - what a run takes where the parameter has a value. Returns FT_PROBE_KNOWN; FT_PROBE_ABSENT:
 * nothing was read; FT_PROBE_EXPIRED; FT_PROBE_BEYOND: the value is larger than those that are known, or is
 * not above 0. cost: NaN then. Threads may ask at once. */
static inline int ft_probe_at(const struct ft_probe_model *model, double value, struct ft_probe_cost *cost)
{
	const struct ft_probe_knot *left = model->knot, *right;
	size_t low = 0, high = model->n - 1;
	double share;

	cost->typical_s = cost->upper_s = cost->bytes = NAN;
	if (!left)
		return FT_PROBE_ABSENT;
	if (model->expires_s <= (long long)time(NULL))
		return FT_PROBE_EXPIRED;
	if (!(value > 0) || value > model->knot[high].at)
		return FT_PROBE_BEYOND;
	if (value <= left->at) {
		*cost = left->cost; /* below the first it is as there */
		return FT_PROBE_KNOWN;
	}
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (model->knot[middle].at < value)
			low = middle;
		else
			high = middle;
	}
	left = &model->knot[low];
	right = &model->knot[high];
	if (value == right->at) {
		*cost = right->cost;
		return FT_PROBE_KNOWN;
	}
	share = (log(value) - log(left->at)) / (log(right->at) - log(left->at));
	cost->typical_s = ft_probe_between(left->cost.typical_s, right->cost.typical_s, share);
	cost->upper_s = ft_probe_between(left->cost.upper_s, right->cost.upper_s, share);
	cost->bytes = ft_probe_between(left->cost.bytes, right->cost.bytes, share);
	return FT_PROBE_KNOWN;
}

/* ft_probe_ask - the same of a size, as it is submitted: the parameter that the model is of, and the value of
 * the others that it was measured with. FT_PROBE_OTHER: it is of other ones. */
static inline int ft_probe_ask(const struct ft_probe_model *model, const char *const *param,
			       const double *value, int n, struct ft_probe_cost *cost)
{
	double at = NAN;
	size_t k;
	int i, found = 0;

	cost->typical_s = cost->upper_s = cost->bytes = NAN;
	if (!model->knot)
		return FT_PROBE_ABSENT;
	for (i = 0; i < n; i++) {
		if (!strcmp(param[i], model->parameter.name)) {
			at = value[i];
			found++;
			continue;
		}
		for (k = 0; k < model->n_fixed && strcmp(param[i], model->fixed[k].name) != 0; k++)
			;
		if (k == model->n_fixed ||
		    !(fabs(model->fixed[k].value - value[i]) <= 1e-12 * fabs(value[i])))
			return FT_PROBE_OTHER;
	}
	return found == 1 ? ft_probe_at(model, at, cost) : FT_PROBE_OTHER;
}

#endif
