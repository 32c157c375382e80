/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - document 001's Performance Model Manager, as a service: the public header of the room. */
#ifndef FT_MANAGER_MANAGER_H
#define FT_MANAGER_MANAGER_H

#include "manager/config.h"

#include <stdbool.h>
#include <stddef.h>

/* 0, NULL: the default. */
struct ft_manager_options {
	const char *store_path;
	const char *socket_path;      /* ft__http_socket */
	const char *spool_path;       /* where programs write timings */
	const struct ft_prior *prior; /* of growth outside the measured range, borrowed */
	bool open_to_all;             /* everybody on this machine may ask; else our own user alone */
	const char
		*address; /* "0.0.0.0:8443" to serve over a network, with the next three; NULL: not at all */
	const char *certificate, *key, *token; /* texts, PEM */
	const char *const *host;               /* names that requests may use, the last NULL */
	const char *const *trusted;            /* [n_trusted] users whose timings enter models */
	size_t n_trusted;
	const struct ft_manager_config *config; /* what it builds; NULL: nothing */
	const char *config_path;                /* which SIGHUP reads again */
	const char *command;                    /* the foretime that builds; with a configuration */
	/* a log line, for the journal */
	void (*say)(void *ctx, const char *text);
	void *ctx;
};

struct ft_manager;

/* ft_manager_new - take the socket, and begin to serve. Texts are borrowed.
 *
 * Returns FT_OK; FT_EEXIST: a manager answers there already; FT_EINVAL: an address without certificate or
 * token; what ft_http_listen_unix and ft_http_serve return. */
enum ft_status ft_manager_new(struct ft_manager **out, const struct ft_manager_options *options,
			      struct ft_err *err);

/* ft_manager_run - until SIGTERM or SIGINT, which it takes from a descriptor: the caller has blocked both,
 * SIGHUP and SIGCHLD, before there were threads. FT_OK; FT_EIO. */
enum ft_status ft_manager_run(struct ft_manager *manager, struct ft_err *err);
void ft_manager_free(struct ft_manager *manager); /* accepts NULL */

/* ft_manager_build - build all models of a configuration now, by priority and regardless of its policies
 * (001 II.B's first mode), until each is built or failed; no requests are served. Of the options it takes
 * store_path, config, command, say. Signals as of ft_manager_run: finished runs are stored.
 *
 * failed  out: problems without a model
 *
 * Returns FT_OK; FT_EINTR; what ft_manager_new returns of construction. */
enum ft_status ft_manager_build(const struct ft_manager_options *options, size_t *failed, struct ft_err *err);

#endif
