/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load of others, recorded by the worker while a clock is put forward. */
#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "foretime/load.h"
#include "foretime/measure.h"
#include "manager/inside.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned complaints;
static char said[512];

static void complain(void *ctx, const struct ft_err *err)
{
	(void)ctx;
	complaints++;
	(void)snprintf(said, sizeof said, "%s", err->text);
}

static long long file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long long)st.st_size;
}

static void changed(void *ctx)
{
	(void)ctx;
}

/* The clock of the system is that of the kernel's ticks, too. */
static void go(struct ft__history *history, struct ft__worker *worker, unsigned long until)
{
	for (int i = 0; i < 200 && ft__history_count(history) < until; i++) {
		struct pollfd fd = {.fd = ft__worker_fd(worker), .events = POLLIN};
		int ms = ft__history_wait_ms(history);

		(void)poll(&fd, 1, ms < 200 ? ms : 200);
		ft__worker_finish(worker);
		ft__history_run(history, true);
	}
}

static size_t stored(const char *path)
{
	struct ft_machine machine = {0};
	struct ft_store *store = NULL;
	struct ft_loads loads = {0};
	int64_t id = 0;
	size_t n = 0;

	if (!ft_store_open(&store, path, FT_STORE_READ, NULL) && !ft_machine_read("", &machine, NULL) &&
	    !ft_store_find_machine(store, machine.fingerprint, &id, NULL) &&
	    !ft_store_get_load(store, id, 0, &loads, NULL))
		n = loads.n;
	ft_loads_clear(&loads);
	ft_machine_clear(&machine);
	ft_store_close(store);
	return n;
}

/* The newest of them, and no more; what another wrote is not written over. */
static void test_file(const struct ft__store_at *at, struct ft__worker *worker)
{
	const char *path = temp_path("loads.csv");
	struct ft__history_options options = {.at = at,
					      .worker = worker,
					      .period_s = 1,
					      .load_path = path,
					      .most = 2,
					      .complain = complain};
	struct ft__history *history = NULL;
	struct ft_loads loads = {0};
	struct ft_err err = {0};

	(void)ft__history_new(&history, &options, NULL);
	go(history, worker, 3);
	ok(!complaints && !ft_loads_read(path, 0, &loads, &err) && loads.n == 2,
	   "the newest two are in a file");
	ft__worker_finish(worker);
	ft__history_free(history);
	ft_loads_clear(&loads);
	options.most = 10;
	(void)ft__history_new(&history, &options, NULL);
	go(history, worker, 1);
	ok(!ft_loads_read(path, 0, &loads, &err) && loads.n == 3, "what it had stays");
	ft__history_free(history);
	ft_loads_clear(&loads);
	(void)temp_write(path, "mine\n", 0600);
	(void)ft__history_new(&history, &options, NULL);
	for (int round = 1; round < 3; round++)
		go(history, worker, (unsigned long)round);
	ok(complaints == 1 && file_size(path) == 5,
	   "what is another's stays as it is, which is told once: %s", said);
	ft__history_free(history);
}

int main(void)
{
	char path[256];
	const struct ft__store_at at = {.path = path, .user = (uid_t)-1, .group = (gid_t)-1};
	struct ft__history *history = NULL;
	struct ft__worker *worker = NULL;
	struct ft_store *store = NULL;
	struct ft_err err = {0};

	(void)snprintf(path, sizeof path, "%s", temp_path("store.db"));
	if (ft_store_open(&store, path, 0, &err) || ft__worker_new(&worker, &at, changed, NULL, &err))
		return 99;
	ft_store_close(store);
	if (ft__history_new(&history,
			    &(struct ft__history_options){.at = &at, .worker = worker, .period_s = 1},
			    &err)) {
		skip("the load of others", err.text);
	} else {
		go(history, worker, 6);
		ok(ft__history_count(history) == 6, "six observations, a second each, are kept at once: %lu",
		   ft__history_count(history));
		ok(stored(path) == 6, "they are in the store");
		ft__history_free(history);
		history = NULL;
		test_file(&at, worker);
	}
	ft__worker_free(worker);
	ft__history_free(history);
	temp_remove();
	return done();
}
