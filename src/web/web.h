/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web.h - the page: shows a store in a browser of this machine, at a port of its own.
 *
 * It answers with the output of commands. A question is a command with --json, which runs as a process of
 * its own, started ahead, for ten seconds at most, a report for two minutes (questions.c is the table of them): so the page and the command never
 * differ, and a store that hangs, or crashes its reader, blocks one question and not the server.
 *
 *	ft_web_new(&web, &options, err);
 *	... ft_web_url(web) is what the browser opens ...
 *	ft_web_run(web, err);
 *	ft_web_free(web);
 */
#ifndef FT_WEB_WEB_H
#define FT_WEB_WEB_H

#include "foretime/base.h"

#include <stdbool.h>

struct ft_web;

struct ft_web_options {
	const char *command;       /* the foretime that answers, a path */
	const char *store;         /* NULL: as the command finds it */
	const char *manager;       /* a socket; NULL: the default one of this user */
	unsigned port;             /* of 127.0.0.1; 0: any that is free */
	const char *const *report; /* [n_report] files of jobs to report of, absolute paths */
	size_t n_report;
};

/* ft_web_has_page - whether this program was built with it. */
bool ft_web_has_page(void);

/* ft_web_new - begin to listen. SIGINT and SIGTERM must be blocked. Texts are borrowed. FT_OK;
 * FT_EUNAVAIL: it was built without the page, or there are no random numbers; FT_EEXIST: the port is in
 * use; FT_ENOMEM. */
enum ft_status ft_web_new(struct ft_web **out, const struct ft_web_options *options, struct ft_err *err);

/* ft_web_url - with its token, which stands behind '#': no browser sends that, and no log has it. */
const char *ft_web_url(const struct ft_web *web);

/* ft_web_run - until SIGINT or SIGTERM. FT_OK; FT_EUNAVAIL. */
enum ft_status ft_web_run(struct ft_web *web, struct ft_err *err);

void ft_web_free(struct ft_web *web); /* accepts NULL; waits for no question */

#endif
