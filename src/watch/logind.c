/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logind.c - sessions as logind knows them: sd-login(3). Its functions are declared here, so that nobody
 * needs its headers: it is loaded where there is logind, and the same since systemd 209. */
#include "watch/logind.h"
#include "base/alloc.h"
#include "base/library.h"

#include <string.h>
#include <unistd.h>

struct monitor; /* sd_login_monitor */

struct ft__logind {
	int (*sessions)(char ***);
	int (*get_class)(const char *, char **);
	int (*get_state)(const char *, char **);
	int (*get_tty)(const char *, char **);
	int (*get_seat)(const char *, char **);
	int (*get_host)(const char *, char **);
	int (*get_uid)(const char *, uid_t *);
	int (*monitor_new)(const char *, struct monitor **);
	struct monitor *(*monitor_free)(struct monitor *);
	int (*monitor_fd)(struct monitor *);
	int (*monitor_flush)(struct monitor *);
	struct monitor *monitor;
	int fd;
};

/* As sd-login itself decides it. */
bool ft__logind_is_there(void)
{
	return !access("/run/systemd/seats/", F_OK);
}

static enum ft_status load_library(struct ft__logind *l, struct ft_err *err)
{
	const struct ft_symbol symbol[] = {
		{"sd_get_sessions", &l->sessions},
		{"sd_session_get_class", &l->get_class},
		{"sd_session_get_state", &l->get_state},
		{"sd_session_get_tty", &l->get_tty},
		{"sd_session_get_seat", &l->get_seat},
		{"sd_session_get_remote_host", &l->get_host},
		{"sd_session_get_uid", &l->get_uid},
		{"sd_login_monitor_new", &l->monitor_new},
		{"sd_login_monitor_unref", &l->monitor_free},
		{"sd_login_monitor_get_fd", &l->monitor_fd},
		{"sd_login_monitor_flush", &l->monitor_flush},
	};

	return ft_library_load("libsystemd.so.0", symbol, sizeof symbol / sizeof *symbol, err);
}

/* Told of sessions from now on. */
static enum ft_status begin_monitor(struct ft__logind *l, struct ft_err *err)
{
	int error = l->monitor_new("session", &l->monitor);

	if (error >= 0)
		error = l->fd = l->monitor_fd(l->monitor);
	if (error >= 0)
		return FT_OK;
	return ft_fail(err, FT_EUNAVAIL, "logind does not report sessions: %s", strerror(-error));
}

enum ft_status ft__logind_open(struct ft__logind **out, struct ft_err *err)
{
	struct ft__logind *l = ft_calloc(1, sizeof *l);

	*out = l;
	if (!l)
		return ft_nomem(err);
	enum ft_status status = load_library(l, err);
	if (!status)
		status = begin_monitor(l, err);
	if (!status)
		return FT_OK;
	*out = NULL;
	ft__logind_close(l);
	return status;
}

void ft__logind_close(struct ft__logind *logind)
{
	if (logind && logind->monitor)
		(void)logind->monitor_free(logind->monitor);
	ft_free(logind);
}

int ft__logind_fd(const struct ft__logind *logind)
{
	return logind->fd;
}

/* ---- sessions ------------------------------------------------------------------------------------------ */

/* A text of a session; NULL: it has none. Ends with ft_free. */
static char *get_text(int (*getter)(const char *, char **), const char *id)
{
	char *text = NULL;

	return getter(id, &text) < 0 ? NULL : text;
}

/* "user", "user-early", "user-light"; not "greeter", "lock-screen", "background", "manager". One that is
 * closing was left. */
static bool is_users(const struct ft__logind *l, const char *id)
{
	char *class = get_text(l->get_class, id), *state = get_text(l->get_state, id);
	bool is = (!class || !strncmp(class, "user", 4)) && (!state || strcmp(state, "closing") != 0);

	ft_free(class);
	ft_free(state);
	return is;
}

static bool see_session_of(const struct ft__logind *l, const char *id,
			   bool (*see)(void *ctx, const struct ft__session *session), void *ctx)
{
	struct ft__session session = {0};

	if (!is_users(l, id) || l->get_uid(id, &session.uid) < 0)
		return true; /* also where it has gone since */
	char *tty = get_text(l->get_tty, id);
	char *seat = get_text(l->get_seat, id);
	char *host = get_text(l->get_host, id);
	session.tty = tty;
	session.where = tty ? tty : seat ? seat : host ? host : id;
	bool good = see(ctx, &session);
	ft_free(tty);
	ft_free(seat);
	ft_free(host);
	return good;
}

bool ft__logind_each(struct ft__logind *logind, bool (*see)(void *ctx, const struct ft__session *session),
		     void *ctx)
{
	char **ids = NULL;

	(void)logind->monitor_flush(logind->monitor);
	int n = logind->sessions(&ids);
	bool good = n >= 0;
	for (int i = 0; ids && ids[i]; i++) {
		good = good && see_session_of(logind, ids[i], see, ctx);
		ft_free(ids[i]);
	}
	ft_free(ids);
	return good;
}
