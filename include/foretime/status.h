/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.h - how a function of foretime reports a failure.
 *
 * Every function that can fail because of the world or its input returns an enum ft_status, and takes a
 * struct ft_err * as its last parameter: a sentence on what is wrong, and one on what to do.
 * The pointer may be NULL. Nothing is global. A programmer's mistake is an assert; a numerical outcome (not
 * converged, extrapolated, rough) is an answer in the result, not a status.
 */
#ifndef FORETIME_STATUS_H
#define FORETIME_STATUS_H

#include <stddef.h>

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
#endif
