/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logins.c - lists logged-in users: sessions of logind, owned terminals, and, without either, utmp. A user
 * whose terminal has been idle for long is ignored. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "watch/source.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utmpx.h>

static void logind_close(struct ft__logind *logind);

/*
 * Sessions of logind: sd-login(3). Its functions are declared here, so that its headers are not needed: it
 * is loaded if logind runs, and is unchanged since systemd 209.
 */

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

/* By the rule of sd-login itself. */
/* logind_is_there - whether this machine's sessions are its. */
/* Receive events of sessions from now on. */
static enum ft_status begin_monitor(struct ft__logind *l, struct ft_err *err)
{
	int error = l->monitor_new("session", &l->monitor);

	if (error >= 0)
		error = l->fd = l->monitor_fd(l->monitor);
	if (error >= 0)
		return FT_OK;
	return ft_fail(err, FT_EUNAVAIL, "logind does not report sessions: %s", strerror(-error));
}

/* logind_open - FT_OK; FT_ENOMEM; FT_EUNAVAIL: no connection. Ends with logind_close. */
static enum ft_status logind_open(struct ft__logind **out, struct ft_err *err)
{
	struct ft__logind *l = ft_calloc(1, sizeof *l);

	*out = l;
	if (!l)
		return ft_nomem(err);
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
	enum ft_status status =
		ft_library_load("libsystemd.so.0", symbol, sizeof symbol / sizeof *symbol, err);
	if (!status)
		status = begin_monitor(l, err);
	if (!status)
		return FT_OK;
	*out = NULL;
	logind_close(l);
	return status;
}

static void logind_close(struct ft__logind *logind)
{
	if (logind && logind->monitor)
		(void)logind->monitor_free(logind->monitor);
	ft_free(logind);
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

/* logind_each - call `see` for each session of a user: not for sessions of services, for the login screen,
 * or for closed ones. False: it failed, or (errno) `see` returned false. */
static bool logind_each(struct ft__logind *logind, bool (*see)(void *ctx, const struct ft__session *session),
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

/*
 * Lists logged-in users: sessions of logind, owned terminals, and, without either, utmp. A user whose
 * terminal has been idle for long is ignored.
 */

/* A terminal without input for this long is idle, as in logind (IDLE_THRESHOLD_USEC of its
 * logind-session.c): a user who returns is noticed at the first key. */
enum { IDLE_S = 300, READS_MOST = 64, EVENTS_BYTES = 4096, RECORDS_MOST = 4096 };

/* One for each user. */
struct login {
	char user[FT__USER_LENGTH];
	char where[FT__USER_LENGTH];
};

struct logins {
	int inotify;               /* -1: none */
	bool silent;               /* some changes raise no event */
	struct ft__logind *logind; /* NULL: there is none */
	char no_logind[FT_WHY_LENGTH];
	struct login *login;
	struct ft_seen_login *seen; /* as many */
	size_t n, capacity, seen_capacity;
	struct ft__users users;
};

/* ---- one user ---------------------------------------------------------------------------------- */

static bool add_login(struct ft__source *source, const char *user, const char *where)
{
	struct logins *state = source->state;

	for (size_t i = 0; i < state->n; i++)
		if (!strcmp(state->login[i].user, user))
			return true;
	struct login *grown = ft_grow(state->login, state->n, &state->capacity, sizeof *grown);
	if (!grown) {
		ft__source_cannot(source, "no memory is left");
		return false;
	}
	state->login = grown;
	(void)snprintf(grown[state->n].user, sizeof grown->user, "%s", user);
	ft__name_show(where, grown[state->n].where,
		      sizeof grown->where); /* a machine calls itself as it likes */
	state->n++;
	return true;
}

static bool add_uid(struct ft__source *source, uid_t uid, const char *where)
{
	struct logins *state = source->state;
	bool fresh;

	return add_login(source, ft__owner_get(&state->users, uid, &fresh)->name, where);
}

/* Whether a terminal has recent input. An idle one raises an event when it is read again; a busy one is
 * checked when it may have become idle. After a clock was set back it counts as busy. */
static bool is_busy(struct ft__source *source, const char *path, const struct stat *st)
{
	struct logins *state = source->state;
	int64_t idle_s = ft_clock_real_ns() / 1000000000 - st->st_atime;

	if (idle_s < IDLE_S) {
		ft__source_due(source, 1000 * (idle_s < 0 ? IDLE_S : IDLE_S - idle_s));
		return true;
	}
	if (state->inotify < 0 || inotify_add_watch(state->inotify, path, IN_ACCESS | IN_ONESHOT) < 0)
		state->silent = true;
	return false;
}

/* ---- terminals ----------------------------------------------------------------------------------------- */

static bool all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* The owner of a terminal is the user who is logged in: outside /dev/pts root does not count, since unused
   terminals belong to root. */
static bool see_tty(struct ft__source *source, const char *tty, bool roots)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof path, "%s/dev/%s", source->root, tty);
	struct stat st;

	if (length < 0 || (size_t)length >= sizeof path || stat(path, &st) || (!st.st_uid && !roots) ||
	    !is_busy(source, path, &st))
		return true;
	return add_uid(source, st.st_uid, tty);
}

/* The terminals in a folder of /dev. *there: whether it is. */
static bool see_ttys(struct ft__source *source, const char *folder, const char *prefix, bool *there)
{
	char path[PATH_MAX], tty[NAME_MAX + 8];
	size_t n = strlen(prefix);
	struct dirent *entry;
	DIR *dir;

	(void)snprintf(path, sizeof path, "%s/dev/%s", source->root, folder);
	dir = opendir(path);
	*there = dir;
	bool good = dir || errno == ENOENT || errno == ENOTDIR;
	if (!good)
		ft__source_cannot(source, "terminals cannot be looked at: %s", strerror(errno));
	while (dir && good && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, prefix, n) != 0 || !all_digits(entry->d_name + n))
			continue;
		(void)snprintf(tty, sizeof tty, "%s%s", folder, entry->d_name);
		good = see_tty(source, tty, *folder);
	}
	if (dir)
		(void)closedir(dir);
	return good;
}

/* ---- utmp ---------------------------------------------------------------------------------------------- */

static bool is_text(const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < n && text[i]; i++)
		if (!isgraph((unsigned char)text[i]))
			return false;
	return i;
}

/* A hint, as it may be out of date, and many systems have none any more: of root at a console, and of screens
 * without terminal. */
static bool see_record(struct ft__source *source, const struct utmpx *record)
{
	char path[PATH_MAX], line[sizeof record->ut_line + 1], user[sizeof record->ut_user + 1];
	struct stat st;

	if (record->ut_type != USER_PROCESS || !is_text(record->ut_line, sizeof record->ut_line) ||
	    !is_text(record->ut_user, sizeof record->ut_user))
		return true;
	(void)snprintf(line, sizeof line, "%.*s", (int)sizeof record->ut_line, record->ut_line);
	(void)snprintf(user, sizeof user, "%.*s", (int)sizeof record->ut_user, record->ut_user);
	(void)snprintf(path, sizeof path, "%s/proc/%d", source->root, (int)record->ut_pid);
	if (strstr(line, "..") || stat(path, &st))
		return true;
	(void)snprintf(path, sizeof path, "%s/dev/%s", source->root, line);
	if (!stat(path, &st) && !is_busy(source, path, &st))
		return true;
	return add_login(source, user, line);
}

static bool see_utmp(struct ft__source *source)
{
	struct utmpx record;
	char path[PATH_MAX];
	bool good = true;

	(void)snprintf(path, sizeof path, "%s/run/utmp", source->root);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	for (int i = 0;
	     fd >= 0 && good && i < RECORDS_MOST && read(fd, &record, sizeof record) == sizeof record; i++)
		good = see_record(source, &record);
	if (fd >= 0)
		(void)close(fd);
	return good;
}

/* ---- sessions ------------------------------------------------------------------------------------------ */

static bool see_session(void *ctx, const struct ft__session *session)
{
	struct ft__source *source = ctx;
	char path[PATH_MAX];
	struct stat st;

	(void)snprintf(path, sizeof path, "%s/dev/%s", source->root, session->tty ? session->tty : "");
	if (session->tty && !stat(path, &st) && !is_busy(source, path, &st))
		return true;
	return add_uid(source, session->uid, session->where);
}

/* False: sessions there are, and cannot be seen. */
static bool see_sessions(struct ft__source *source)
{
	struct logins *state = source->state;

	if (*state->no_logind)
		ft__source_cannot(source, "%s", state->no_logind);
	else if (state->logind && !logind_each(state->logind, see_session, source) && !*source->why)
		ft__source_cannot(source, "logind does not report sessions");
	return !*source->why;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static void hear_changes(const struct logins *state)
{
	char bytes[EVENTS_BYTES];

	for (int i = 0; state->inotify >= 0 && i < READS_MOST; i++)
		if (read(state->inotify, bytes, sizeof bytes) <= 0)
			return;
}

static void look_at_logins(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct logins *state = source->state;
	bool ptys, ttys;

	(void)fresh;
	hear_changes(state);
	state->n = 0;
	state->silent = state->inotify < 0;
	bool good = see_sessions(source) && see_ttys(source, "pts/", "", &ptys) &&
		    see_ttys(source, "", "tty", &ttys) && see_utmp(source);
	if (good && !state->logind && !ptys)
		ft__source_cannot(source, "there is no logind and no /dev/pts");
	if (state->silent || !good)
		ft__source_due(source, FT__PATIENT_MS);
	ft__source_early(source, FT__PATIENT_MS);
	size_t i;

	for (i = 0; i < state->n; i++) {
		struct ft_seen_login *grown =
			ft_grow(state->seen, i, &state->seen_capacity, sizeof *state->seen);

		if (!grown) {
			ft__source_cannot(source, "no memory is left");
			break;
		}
		state->seen = grown;
		grown[i] = (struct ft_seen_login){state->login[i].user, state->login[i].where};
	}
	seen->logins = state->seen;
	seen->n_logins = i;
}

/* ---- its state ----------------------------------------------------------------------------------------- */

/* A missing file cannot be watched. */
static void listen(struct ft__source *source, const char *path, uint32_t events)
{
	struct logins *state = source->state;
	char full[PATH_MAX];

	(void)snprintf(full, sizeof full, "%s%s", source->root, path);
	if (state->inotify >= 0)
		(void)inotify_add_watch(state->inotify, full, events);
}

static enum ft_status open_logins(struct ft__source *source, struct ft_err *err)
{
	struct logins *state = ft_calloc(1, sizeof *state);
	struct ft_err why = {0};
	enum ft_status status = FT_OK;

	source->state = state;
	if (!state)
		return ft_nomem(err);

	state->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (state->inotify >= 0 && !ft__source_listen(source, state->inotify, EPOLLIN)) {
		(void)close(state->inotify);
		state->inotify = -1;
	}
	/* A login program opens a terminal first, and then changes its owner. */
	listen(source, "/dev/pts", IN_CREATE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR);
	listen(source, "/dev", IN_ATTRIB | IN_ONLYDIR);
	listen(source, "/run/utmp", IN_MODIFY);
	if (!*source->root && (!access("/run/systemd/seats/", F_OK)))
		status = logind_open(&state->logind, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (!status && state->logind && !ft__source_listen(source, state->logind->fd, EPOLLIN))
		status = ft_fail(&why, FT_EIO, "no event reports sessions");
	if (status)
		(void)snprintf(state->no_logind, sizeof state->no_logind, "%.300s", why.text);
	return FT_OK;
}

static void close_logins(struct ft__source *source)
{
	struct logins *state = source->state;

	if (state->inotify >= 0)
		(void)close(state->inotify);
	logind_close(state->logind);
	ft_free(state->login);
	ft_free(state->seen);
	ft_free(state);
}

const struct ft__source_ops ft__source_logins = {
	.name = "logins",
	.kinds = 1 << FT_CONDITION_USER_LOGIN,
	.open = open_logins,
	.look = look_at_logins,
	.close = close_logins,
};
