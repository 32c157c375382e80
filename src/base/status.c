/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.c - statuses, and their sentences. */
#include "foretime/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ft_status_text(enum ft_status status)
{
	static const char *const text[] = {
#define TEXT(name, words) words,
		FT_STATUS_LIST(TEXT)
#undef TEXT
	};

	return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}

/* Of this thread's last failure: for ft_remedy if the caller passed no struct ft_err. */
static _Thread_local enum ft_status last = FT_EINVAL;

static enum ft_status status_of_errno(int number)
{
	switch (number) {
	case ENOMEM:
		return FT_ENOMEM;
	case ENOENT:
	case ENOTDIR:
		return FT_ENOENT;
	case EEXIST:
		return FT_EEXIST;
	case EACCES:
	case EPERM:
	case EROFS:
		return FT_EACCESS;
	case ENOSPC:
	case EDQUOT:
		return FT_ENOSPC;
	case EINTR:
		return FT_EINTR;
	default:
		return FT_EIO;
	}
}

FT_PRINTF(3, 0)
static void set_text(struct ft_err *err, enum ft_status status, const char *format, va_list args)
{
	last = status;
	if (!err)
		return;
	err->status = status;
	err->remedy[0] = '\0';
	if (vsnprintf(err->text, sizeof err->text, format, args) < 0)
		err->text[0] = '\0';
}

enum ft_status ft_fail(struct ft_err *err, enum ft_status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_text(err, status, format, args);
	va_end(args);
	return status;
}

enum ft_status ft_fail_errno(struct ft_err *err, int number, const char *format, ...)
{
	enum ft_status status = status_of_errno(number);
	va_list args;

	va_start(args, format);
	set_text(err, status, format, args);
	va_end(args);
	if (err) {
		size_t length = strlen(err->text);
		char words[128];

		(void)snprintf(err->text + length, sizeof err->text - length, ": %s",
			       strerror_r(number, words, sizeof words));
	}
	return status;
}

enum ft_status ft_remedy(struct ft_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return last;
	va_start(args, format);
	if (vsnprintf(err->remedy, sizeof err->remedy, format, args) < 0)
		err->remedy[0] = '\0';
	va_end(args);
	return err->status;
}

enum ft_status ft_fail_at(struct ft_err *err, const char *format, ...)
{
	char text[sizeof err->text];
	va_list args;

	if (!err)
		return last;
	(void)memcpy(text, err->text, sizeof text);
	va_start(args, format);
	int length = vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	if (length >= 0 && (size_t)length < sizeof err->text)
		(void)snprintf(err->text + length, sizeof err->text - (size_t)length, ": %s", text);
	return err->status;
}

enum ft_status ft_nomem(struct ft_err *err)
{
	return ft_fail(err, FT_ENOMEM, "out of memory");
}
