/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-status.c - failures, in words and without. */
#include "foretime/base.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>

static enum ft_status fail_with_remedy(struct ft_err *err)
{
	(void)ft_fail(err, FT_EEXIST, "it is there");
	return ft_remedy(err, "take another");
}

static void *of_another(void *status)
{
	struct ft_err err;

	*(enum ft_status *)status = ft_remedy(NULL, "nothing failed");
	(void)ft_fail(&err, FT_ENOMEM, "no room");
	return NULL;
}

int main(void)
{
	struct ft_err err;
	enum ft_status status;
	pthread_t thread;

	ok(fail_with_remedy(&err) == FT_EEXIST && err.status == FT_EEXIST &&
		   !strcmp(err.text, "it is there") && !strcmp(err.remedy, "take another"),
	   "a failure, and what to do");
	ok(fail_with_remedy(NULL) == FT_EEXIST, "who wants no words is told the same status");
	ok(ft_fail_errno(NULL, ENOENT, "none") == FT_ENOENT && ft_remedy(NULL, "make it") == FT_ENOENT,
	   "so of the system's failures");
	ok(ft_nomem(NULL) == FT_ENOMEM && ft_remedy(NULL, "buy some") == FT_ENOMEM, "and of memory");
	(void)ft_fail(NULL, FT_EPARSE, "no number");
	if (!pthread_create(&thread, NULL, of_another, &status) && !pthread_join(thread, NULL))
		ok(status == FT_EINVAL && ft_remedy(NULL, "write one") == FT_EPARSE,
		   "each thread has failures of its own");
	ok(ft_fail_errno(&err, EACCES, "cannot open '%s'", "x") == FT_EACCESS &&
		   !strncmp(err.text, "cannot open 'x': ", 17) && !*err.remedy,
	   "words of the system: %s", err.text);
	ok(ft_fail_at(&err, "file %d", 3) == FT_EACCESS &&
		   !strncmp(err.text, "file 3: cannot open 'x': ", 25) && !*err.remedy,
	   "and where: %s", err.text);
	ok(ft_fail_at(&err, "%0600d", 1) == FT_EACCESS && strlen(err.text) == sizeof err.text - 1 &&
		   ft_fail_at(NULL, "file") == FT_EACCESS,
	   "what does not fit is cut");
	return done();
}
