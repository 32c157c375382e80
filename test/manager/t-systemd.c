/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scope of systemd's, asked of one that answers as org.freedesktop.systemd1(5) has it, over a bus of the
 * test's own: what it is asked, what becomes of us where it obeys, and that no bus keeps us waiting. systemd
 * itself is not there. */
#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "base/files.h"
#include "manager/child.h"
#include "manager/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

enum answer { OBEYS, REFUSES, IS_SILENT, FORGETS };

static char address[300], socket_path[256], unit[64], query[256];

/* ---- one that answers -----------------------------------------------------------------------------------
 */

static struct {
	int (*open)(void **);
	int (*request_name)(void *, const char *, uint64_t);
	int (*add_filter)(void *, void **, int (*)(void *, void *, void *), void *);
	int (*process)(void *, void **);
	int (*wait)(void *, uint64_t);
	int (*is_call)(void *, const char *, const char *);
	int (*read)(void *, const char *, ...);
	int (*enter)(void *, char, const char *);
	int (*leave)(void *);
	int (*peek)(void *, char *, const char **);
	int (*answer)(void *, const char *, ...);
	int (*refuse)(void *, const char *, const char *, ...);
} sd;

static bool load(void)
{
	const struct ft_symbol symbol[] = {
		{"sd_bus_open_user", &sd.open},
		{"sd_bus_request_name", &sd.request_name},
		{"sd_bus_add_filter", &sd.add_filter},
		{"sd_bus_process", &sd.process},
		{"sd_bus_wait", &sd.wait},
		{"sd_bus_message_is_method_call", &sd.is_call},
		{"sd_bus_message_read", &sd.read},
		{"sd_bus_message_enter_container", &sd.enter},
		{"sd_bus_message_exit_container", &sd.leave},
		{"sd_bus_message_peek_type", &sd.peek},
		{"sd_bus_reply_method_return", &sd.answer},
		{"sd_bus_reply_method_errorf", &sd.refuse},
	};

	return !ft_library_load("libsystemd.so.0", symbol, sizeof symbol / sizeof *symbol, NULL);
}

/* Where a scope of that name would be; "": nowhere. */
static void folder_of(const char *name, char folder[PATH_MAX])
{
	char here[PATH_MAX];

	folder[0] = '\0';
	if (ft__cgroup_find(0, NULL, here, NULL))
		(void)snprintf(folder, PATH_MAX, "%.3900s/%s", here, name);
}

/* A group that is its user's, with him in it. */
static void move(const char *name, pid_t pid)
{
	static const char *const files[] = {"", "/cgroup.procs", "/cgroup.threads",
					    "/cgroup.subtree_control"};
	char folder[PATH_MAX], path[PATH_MAX + 64], text[32];
	struct stat st;

	(void)snprintf(path, sizeof path, "/proc/%d", (int)pid);
	folder_of(name, folder);
	if (!*folder || mkdir(folder, 0755) || stat(path, &st))
		return;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		(void)snprintf(path, sizeof path, "%s%s", folder, files[i]);
		(void)!chown(path, st.st_uid, st.st_gid);
	}
	(void)snprintf(text, sizeof text, "%d", (int)pid);
	(void)ft__cgroup_write(folder, "cgroup.procs", text);
}

/* The properties, each with its type; of PIDs the first. */
static uint32_t read_properties(void *m, char *heard, size_t size)
{
	uint32_t pid = 0;

	(void)sd.enter(m, 'a', "(sv)");
	while (sd.enter(m, 'r', "sv") > 0) {
		const char *name = "", *type = "", *text = "";
		size_t n = strlen(heard);
		char kind;
		int flag = 0;

		(void)sd.read(m, "s", &name);
		(void)sd.peek(m, &kind, &type);
		(void)sd.enter(m, 'v', type);
		if (!strcmp(type, "s"))
			(void)sd.read(m, "s", &text);
		else if (!strcmp(type, "b"))
			(void)sd.read(m, "b", &flag);
		else if (!strcmp(type, "au") && sd.enter(m, 'a', "u") > 0)
			(void)(sd.read(m, "u", &pid) >= 0 && sd.leave(m) >= 0);
		(void)snprintf(heard + n, size - n, " %s:%s%s%s%s", name, type, *text ? "=" : "", text,
			       flag ? "=yes" : "");
		(void)sd.leave(m);
		(void)sd.leave(m);
	}
	(void)sd.leave(m);
	return pid;
}

static int hear(void *m, void *ctx, void *error)
{
	const enum answer *how = ctx;
	const char *name = "", *mode = "";
	char heard[1024];

	(void)error;
	if (sd.is_call(m, "org.freedesktop.systemd1.Manager", "StartTransientUnit") <= 0)
		return 0;
	(void)sd.read(m, "ss", &name, &mode);
	(void)snprintf(heard, sizeof heard, "%s", mode);
	uint32_t pid = read_properties(m, heard, sizeof heard);
	int aux = sd.enter(m, 'a', "(sa(sv))");
	(void)snprintf(heard + strlen(heard), sizeof heard - strlen(heard), " %s",
		       aux >= 0 ? "aux" : "no aux");
	(void)temp_write(query, heard, 0644);
	if (*how == OBEYS)
		move(name, (pid_t)pid);
	if (*how == REFUSES)
		return sd.refuse(m, "org.freedesktop.DBus.Error.AccessDenied", "%s", "you may not");
	return *how == IS_SILENT ? 1 : sd.answer(m, "o", "/org/freedesktop/systemd1/job/1");
}

static pid_t begin_service(enum answer how)
{
	void *bus = NULL;

	(void)unlink(temp_path("ready"));
	(void)fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		if (sd.open(&bus) < 0 || sd.request_name(bus, "org.freedesktop.systemd1", 0) < 0 ||
		    sd.add_filter(bus, NULL, hear, &how) < 0)
			_exit(99);
		(void)temp_write(temp_path("ready"), "", 0644);
		for (;;)
			if (!sd.process(bus, NULL))
				(void)sd.wait(bus, UINT64_MAX);
	}
	for (int i = 0; i < 3000 && access(temp_path("ready"), F_OK); i++)
		ft_clock_sleep(0.01);
	return pid;
}

/* ---- the bus --------------------------------------------------------------------------------------------
 */

static pid_t begin_bus(void)
{
	static const char form[] =
		"<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" "
		"\"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
		"<busconfig><type>session</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>"
		"<policy context=\"default\"><allow user=\"*\"/><allow send_destination=\"*\"/>"
		"<allow receive_sender=\"*\"/><allow own=\"*\"/></policy></busconfig>\n";
	char conf[1024], option[300];

	(void)snprintf(conf, sizeof conf, form, socket_path);
	(void)temp_write(temp_path("bus.conf"), conf, 0644);
	(void)snprintf(option, sizeof option, "--config-file=%s", temp_path("bus.conf"));
	(void)fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		(void)!freopen("/dev/null", "w", stderr);
		(void)execlp("dbus-daemon", "dbus-daemon", option, "--nofork", "--nopidfile", (char *)NULL);
		_exit(99);
	}
	for (int i = 0; i < 3000 && access(socket_path, F_OK) && !waitpid(pid, NULL, WNOHANG); i++)
		ft_clock_sleep(0.01);
	(void)chmod(socket_path, 0777);
	return access(socket_path, F_OK) ? -1 : pid;
}

static void end_process(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

/* ---- who asks -------------------------------------------------------------------------------------------
 */

/* As another process, which may be moved: what it exits with is the status; why: in a file. */
static enum ft_status ask(const char *name)
{
	int status = 0;

	(void)fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		struct ft_err why = {0};
		enum ft_status got = ft__systemd_move(name, &why);

		(void)temp_write(temp_path("why"), why.text, 0644);
		_exit((int)got);
	}
	(void)waitpid(pid, &status, 0);
	return (enum ft_status)WEXITSTATUS(status);
}

static const char *text_of(const char *path)
{
	static char text[1024];
	FILE *from = fopen(path, "r");
	size_t n = from ? fread(text, 1, sizeof text - 1, from) : 0;

	text[n] = '\0';
	if (from)
		(void)fclose(from);
	return text;
}

static void test_message(void)
{
	pid_t service = begin_service(OBEYS);
	char folder[PATH_MAX];

	folder_of(unit, folder);
	if (!*folder || geteuid()) {
		(void)ask(unit);
		skip("a group for us", "no group of version 2 can be made here");
	} else {
		ok(ask(unit) == FT_OK, "systemd obeys, and we are moved: %s", text_of(temp_path("why")));
		(void)rmdir(folder);
	}
	ok(!strcmp(text_of(query), "fail Description:s=foretime manager and its benchmarks Delegate:b=yes "
				   "CollectMode:s=inactive-or-failed PIDs:au aux"),
	   "it was asked: %s", text_of(query));
	end_process(service);
}

static void test_refusals(void)
{
	static const struct {
		enum answer how;
		const char *why;
	} row[] = {{REFUSES, "you may not"}, {FORGETS, "made no control group"}, {IS_SILENT, "timed out"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		pid_t service = begin_service(row[i].how);

		ok(ask(unit) == FT_EUNAVAIL && strstr(text_of(temp_path("why")), row[i].why),
		   "of one that does not obey: %s", row[i].why);
		end_process(service);
	}
	ok(ask(unit) == FT_EUNAVAIL && strstr(text_of(temp_path("why")), "not provided"),
	   "nobody is called systemd");
}

/* One that takes us in, and says nothing. */
static void test_mute_bus(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", temp_path("mute"));
	if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 8)) {
		(void)ok(false, "no socket");
		return;
	}
	(void)chmod(at.sun_path, 0777);
	(void)snprintf(address, sizeof address, "unix:path=%s", at.sun_path);
	(void)setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
	(void)setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1);
	ok(ask(unit) == FT_EUNAVAIL && strstr(text_of(temp_path("why")), "does not answer"),
	   "a bus that says nothing");
	(void)close(fd);
	ok(ask(unit) == FT_EUNAVAIL && strstr(text_of(temp_path("why")), "refused"), "no bus");
}

/* ---- the way --------------------------------------------------------------------------------------------
 */

static bool await(struct ft__scope *scope, struct ft__child *child, bool frozen)
{
	struct ft__child_end end;
	const char *line;

	for (int i = 0; i < 3000; i++) {
		struct pollfd event[] = {{.fd = ft__child_fd(child), .events = POLLIN},
					 {.fd = ft__scope_fd(scope), .events = POLLIN}};

		/* What is readable is quiet when it was asked. */
		if (ft__scope_frozen(scope) ? frozen : !frozen && ft__child_ended(child, &end))
			return true;
		(void)poll(event, 2, 10);
		while (ft__child_line(child, &line))
			;
		(void)ft__child_ended(child, &end);
	}
	return false;
}

/* A user without rights in his session, on a machine of systemd's: exits with what went wrong. */
static void manage(void)
{
	static const char *const argv[] = {"/bin/sh", "-c", "while :; do :; done", NULL};
	struct ft__child_options options = {.argv = argv};
	struct ft__child *child = NULL;
	struct ft_err why = {0};

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("run", "/run", "tmpfs", 0, NULL) || mkdir("/run/systemd", 0755) ||
	    mkdir("/run/systemd/system", 0755) || setgid(NOBODY) || setuid(NOBODY))
		_exit(77);
	if (ft__scope_open(&options.scope, &ft__scope_systemd, "test", &why)) {
		(void)temp_write(temp_path("why"), why.text, 0644);
		_exit(1);
	}
	(void)temp_write(temp_path("why"), ft__scope_way(options.scope), 0644);
	if (ft__child_start(&child, &options, NULL))
		_exit(2);
	(void)ft__scope_freeze(options.scope, NULL);
	if (!await(options.scope, child, true))
		_exit(3);
	(void)ft__scope_thaw(options.scope, NULL);
	ft__child_finish(child, 0);
	if (!await(options.scope, child, false))
		_exit(4);
	ft__child_free(child);
	ft__scope_free(options.scope);
	_exit(ft__systemd_wanted(&why) ? 5 : 0);
}

static void test_way(void)
{
	pid_t service = begin_service(OBEYS), pid;
	char folder[PATH_MAX], name[64];
	int status = 0;

	(void)temp_write(temp_path("why"), "", 0666);
	(void)chmod(temp_folder, 0777);
	(void)fflush(NULL);
	pid = fork();
	if (!pid)
		manage();
	(void)waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 77)
		skip("a user's way", "no root, or no namespaces");
	else
		ok(!status, "a user without a group of his own has one of systemd's: %d, %s",
		   WEXITSTATUS(status), text_of(temp_path("why")));
	(void)snprintf(name, sizeof name, "foretime-manager-%d.scope", (int)pid);
	folder_of(name, folder);
	if (*folder)
		(void)rmdir(folder);
	end_process(service);
}

int main(void)
{
	(void)snprintf(socket_path, sizeof socket_path, "%s", temp_path("bus"));
	(void)snprintf(query, sizeof query, "%s", temp_path("asked"));
	(void)snprintf(address, sizeof address, "unix:path=%s", socket_path);
	(void)snprintf(unit, sizeof unit, "foretime-test-%d.scope", (int)getpid());
	(void)setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
	(void)setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1);
	pid_t bus = load() ? begin_bus() : -1;
	if (bus < 0) {
		skip("a scope of systemd's", "no dbus-daemon, or no libsystemd");
	} else {
		test_message();
		test_refusals();
		test_way();
		end_process(bus);
		test_mute_bus();
	}
	temp_remove();
	return done();
}
