/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base.h - what all headers share: failures, numbers with units, expressions. */
#ifndef FORETIME_BASE_H
#define FORETIME_BASE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How a function of foretime reports a failure.
 *
 * Every function that can fail because of the world or its input returns an enum ft_status, and takes a
 * struct ft_err * as its last parameter: a sentence on what is wrong, and one on what to do.
 * The pointer may be NULL. Nothing is global. A programmer's mistake is an assert; a numerical outcome (not
 * converged, extrapolated, rough) is an answer in the result, not a status.
 */

/* What is declared between these two is the library's interface; all else is hidden. */
#ifdef __cplusplus
#define FT_BEGIN_DECLS                                                                                       \
	extern "C" {                                                                                         \
	_Pragma("GCC visibility push(default)")
#define FT_END_DECLS                                                                                         \
	_Pragma("GCC visibility pop")                                                                        \
	}
#else
#define FT_BEGIN_DECLS _Pragma("GCC visibility push(default)")
#define FT_END_DECLS   _Pragma("GCC visibility pop")
#endif

#define FT_PRINTF(at, first) __attribute__((format(printf, at, first)))

/* FT_CLEANUP - a variable that ends with clear(&variable) when its scope is left, the last declared first. It
 * needs a value from the start: FT_CLEANUP(ft_matrix_clear) struct ft_matrix turned = {0}; */
#define FT_CLEANUP(clear) __attribute__((cleanup(clear)))

FT_BEGIN_DECLS

/* X(name, what it means, in words) */
#define FT_STATUS_LIST(X)                                                                                    \
	X(OK, "success")                                                                                     \
	X(EINVAL, "invalid argument")                                                                        \
	X(ENOMEM, "out of memory")                                                                           \
	X(EPARSE, "text that cannot be understood")                                                          \
	X(EIO, "input or output failed")                                                                     \
	X(ENOSPC, "no space left")                                                                           \
	X(ENOENT, "no such thing")                                                                           \
	X(EEXIST, "exists already")                                                                          \
	X(ENOTOURS, "not a file of foretime")                                                                \
	X(EVERSION, "made by a newer version")                                                               \
	X(EBUSY, "locked by another process")                                                                \
	X(EACCESS, "permission denied")                                                                      \
	X(ENOMODEL, "no model can be made of what is known")                                                 \
	X(EUNAVAIL, "not available here")                                                                    \
	X(EINTR, "interrupted")                                                                              \
	X(EEND, "nothing left")                                                                              \
	X(EMOVED, "removed or replaced while it was in use")

enum ft_status {
#define FT_STATUS_ENUM(name, words) FT_##name,
	FT_STATUS_LIST(FT_STATUS_ENUM)
#undef FT_STATUS_ENUM
};

/* What went wrong, and the remedy. Both are empty after success and always end in a zero byte. */
struct ft_err {
	enum ft_status status;
	char text[512];   /* "cannot open 'x': Permission denied", no full stop, no newline */
	char remedy[512]; /* "choose another file with --store PATH"; empty where there is none to name */
};

/* ft_status_text - a status in words; never NULL. */
const char *ft_status_text(enum ft_status status);

/* ft_fail - fill err (when not NULL) and return status, so that a failure is one line:
 *
 *	return ft_fail(err, FT_EINVAL, "range %g:%g is reversed", a, b);
 *
 * Clears any remedy that stood there. Texts that do not fit are cut.
 */
enum ft_status ft_fail(struct ft_err *err, enum ft_status status, const char *format, ...) FT_PRINTF(3, 4);

/* ft_fail_errno - ft_fail with ": strerror(number)" behind the text, and the status that suits the number. */
enum ft_status ft_fail_errno(struct ft_err *err, int number, const char *format, ...) FT_PRINTF(3, 4);

/* ft_remedy - add what to do about the failure that err describes; returns err's status, or, where err is
 * NULL, that of the last failure in this thread. */
enum ft_status ft_remedy(struct ft_err *err, const char *format, ...) FT_PRINTF(2, 3);

/* ft_fail_at - put "WHERE: " before the text of the failure that err describes; returns as ft_remedy does. */
enum ft_status ft_fail_at(struct ft_err *err, const char *format, ...) FT_PRINTF(2, 3);

/* ft_nomem - FT_ENOMEM with its usual words. */
enum ft_status ft_nomem(struct ft_err *err);

/* FT_TRY - return from the calling function with the status of a call that failed. For functions that own
 * nothing but what FT_CLEANUP releases; else the status is kept and what follows is guarded by it. */
#define FT_TRY(call)                                                                                         \
	do {                                                                                                 \
		enum ft_status ft_tried = (call);                                                            \
		if (ft_tried)                                                                                \
			return ft_tried;                                                                     \
	} while (0)

FT_END_DECLS

/*
 * Numbers at the edge: what people type and read. Inside, everything is SI (seconds, bytes,
 * joules).
 *
 * The parsers take the whole text or refuse it: FT_EPARSE, with the text and what was expected. Sizes of
 * memory know decimal (kB MB GB TB) and binary units (KiB MiB GiB TiB); a bare K, M, G, T is binary, as Slurm
 * has it. The formatters write into the caller's buffer and return it. They round: 3 significant digits. They
 * print "unknown" for NaN, never a number.
 */

FT_BEGIN_DECLS

enum { FT_NUMBER_LENGTH = 32, FT_UNIT_LENGTH = 48 };

/* A hundred years. A time of a run beyond that is none: it is one in nanoseconds, taken for seconds. */
#define FT_TIME_MOST_S (100 * 365.25 * 86400)

/* Nor memory, or a file, of more bytes than this. */
#define FT_BYTES_MOST 0x1p60

/* Shares of runs that an interval may have as its confidence. */
#define FT_CONFIDENCE_LEAST 0.5
#define FT_CONFIDENCE_MOST  0.9995

/* ft_number_parse - a finite number: "1e6", "10k", "10M", "10MB", "64KiB", "1_000", "1,000" (not "1,234"). */
enum ft_status ft_number_parse(const char *text, double *value, struct ft_err *err);

/* ft_duration_parse - "30s", "1.5 h", "1h 30m", "10:30" (minutes), "1:30:00", "1-12" (days and hours),
 * "PT1H30M", or a bare number of seconds; >= 0. */
enum ft_status ft_duration_parse(const char *text, double *seconds, struct ft_err *err);

/* ft_bytes_parse - "8GiB", "500MB", "64k", or a bare number of bytes; >= 0. */
enum ft_status ft_bytes_parse(const char *text, double *bytes, struct ft_err *err);

/* ft_share_parse - "5%", "5" or "0.05", as a share; within least..most. A bare number from 1 to 100 is a
 * percentage, but for 1 where a share of 1 is allowed. */
enum ft_status ft_share_parse(const char *text, double least, double most, double *share, struct ft_err *err);

/* ft_value_parse - a value of a unit, as ft_value_format has them: "s" and "bytes" as above; "J": "5kJ",
 * "1.2kWh"; any other unit may stand behind a number, or its prefix k, M, G; "": a bare number. */
enum ft_status ft_value_parse(const char *text, const char *unit, double *value, struct ft_err *err);

/* ft_number_format - the shortest decimal that reads back as the same double; integers without a point. */
char *ft_number_format(double value, char buffer[FT_NUMBER_LENGTH]);

/* ft_value_format - a value of a unit for people: unit "s": "1.23 s", "45.6 ms", "2 h 05 min"; "bytes": "1.50
 * GiB"; "W", "J", "1/s" and any other unit: SI prefixes; unit "": a bare number with SI prefixes ("1.23 G").
 */
char *ft_value_format(double value, const char *unit, char buffer[FT_UNIT_LENGTH]);

/* ft_share_format - a share in percent: "4.9 %". */
char *ft_share_format(double share, char buffer[FT_UNIT_LENGTH]);

FT_END_DECLS

/*
 * Expressions of named numbers: the work of a program (`2*n^3`), a constraint (`np <= nx`).
 *
 * Grammar, loosest first:  a||b  a&&b  !a  == != < <= > >=  + -  * / %  unary -  ^ (right to left)  ( )
 * Numbers as in C, decimal. Names: letter or _, then letters, digits, _. Functions: abs sqrt exp log
 * (natural) log2 log10 ceil floor round (halves up), pow of two arguments, min and max of two or more.
 * Comparisons and logic give 1 or 0.
 * `**` is read as `^`. -2^2 is -4; 2^-1 is allowed. % has the sign of its left side, as in C. a < b < c is
 * refused.
 */

FT_BEGIN_DECLS

struct ft_expr;

enum ft_expr_language { FT_EXPR_OWN, FT_EXPR_PYTHON, FT_EXPR_GROOVY };

/* ft_expr_new - parse text.
 *
 * out  heap, ends with ft_expr_free; NULL on failure
 *
 * Returns FT_OK; FT_EPARSE (what was expected, and at which column); FT_ENOMEM. Depth and length are bounded
 * (200 levels, 4096 bytes): FT_EPARSE beyond.
 */
enum ft_status ft_expr_new(struct ft_expr **out, const char *text, struct ft_err *err);
void ft_expr_free(struct ft_expr *expr); /* accepts NULL */

/* ft_expr_name - the i-th different name that the expression uses, in order of appearance; NULL past the
 * last. */
const char *ft_expr_name(const struct ft_expr *expr, size_t i);

/* ft_expr_eval - the value where name[i] has value[i].
 *
 * Returns FT_OK; FT_EINVAL: a name without a value (the text names it), or a result that is not finite.
 * Cost O(nodes x n). Threads: no shared state.
 */
enum ft_status ft_expr_eval(const struct ft_expr *expr, const char *const name[], const double value[],
			    size_t n, double *out, struct ft_err *err);

/* ft_expr_print - the expression in a language's own syntax, with as few parentheses as it needs.
 *
 * buffer  [size] the caller's; always ends in a zero byte when size > 0
 *
 * Returns the length of the whole text, as snprintf does. FT_EXPR_OWN parses back to the same expression
 * (while it is within the length that is read). FT_EXPR_PYTHON is for after `import math`; FT_EXPR_GROOVY
 * expects doubles for names. Comparisons and logic give true or false there, but 1 or 0 where a number is
 * needed.
 */
size_t ft_expr_print(const struct ft_expr *expr, enum ft_expr_language language, char *buffer, size_t size);

FT_END_DECLS

#endif
