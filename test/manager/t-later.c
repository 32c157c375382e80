/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the worker is asked for: models that nobody asks about are not made anew; files of knots are kept;
 * runs beside others are asked about without holding up anybody. */
#include "manager-world.h"

/* A row of /metrics; -1: there is none. */
static double metric(const char *name)
{
	char row[128];
	int code;

	(void)snprintf(row, sizeof row, "\n%s ", name);
	const char *at = strstr(get("/metrics", &code), row);
	return at ? strtod(at + strlen(row), NULL) : -1;
}

static bool run_once(double n)
{
	struct ft_store *store = NULL;
	bool good =
		!ft_store_open(&store, temp_path("store.db"), 0, NULL) && add_run(store, n, 1e-9 * n * n * n);

	ft_store_close(store);
	return good;
}

/* Until a change of the store was heard of, and what follows is done. */
static bool wait_for_change(double changes)
{
	double since = ft_clock_s();

	while (metric("foretime_store_changes_total") <= changes && ft_clock_s() - since < 30)
		ft_clock_sleep(0.02);
	json_decref(ask("/list", 200)); /* stands behind it */
	return metric("foretime_store_changes_total") > changes;
}

static double distance(double n)
{
	char target[64];

	(void)snprintf(target, sizeof target, "/predict/cubic?n=%.0f", n);
	json_t *answer = ask(target, 200);
	double result = number(json_array_get(json_object_get(answer, "predictions"), 0), "distance");
	json_decref(answer);
	return result;
}

static void test_unasked(void)
{
	bool heard = true;

	(void)distance(1000);
	/* The first change follows a question. */
	double changes = metric("foretime_store_changes_total");
	heard = heard && run_once(2500) && wait_for_change(changes);
	double made = metric("foretime_snapshots_made_total");
	for (int i = 0; i < 2; i++) {
		changes = metric("foretime_store_changes_total");
		heard = heard && run_once(3000 + i) && wait_for_change(changes);
	}
	ok(heard && made >= 1 && metric("foretime_snapshots_made_total") == made,
	   "nobody asks, and nothing is made anew: %g", made);
	ok(distance(2999) == 1 && metric("foretime_snapshots_made_total") == made + 1,
	   "the next question is answered by the newest runs");
}

static void test_knots(void)
{
	double kept = metric("foretime_answers_kept_total"), changes = metric("foretime_store_changes_total");
	int code, same = 0;
	char *first = strdup(get("/model/cubic?format=knots", &code));

	for (int i = 0; i < 5; i++)
		same += !strcmp(get("/model/cubic?format=knots", &code), first) && code == 200;
	ok(same == 5 && metric("foretime_answers_kept_total") == kept + 5, "a file of knots is made once");
	char *short_lived = strdup(get("/model/cubic?format=knots&expires=1s", &code));
	ft_clock_sleep(1.1);
	ok(code == 200 && strcmp(get("/model/cubic?format=knots&expires=1s", &code), short_lived) != 0,
	   "and again before it expires");
	ok(run_once(8000) && wait_for_change(changes) &&
		   strcmp(get("/model/cubic?format=knots", &code), first) != 0 && code == 200,
	   "and when there are new runs");
	free(first);
	free(short_lived);
}

/* An hour of load of others, as it is recorded. */
static bool fill_load(void)
{
	struct ft_store *store = NULL;
	int64_t now = ft_clock_real_ns();
	bool good = !ft_store_open(&store, temp_path("store.db"), 0, NULL) && !ft_store_begin(store, NULL);

	for (int i = 0; good && i < 360; i++) {
		struct ft_load load = {.started_ns = now - (int64_t)(361 - i) * 10000000000,
				       .interval_s = 10,
				       .load = 0.5 + 0.1 * (i % 7),
				       .busy = 0.5,
				       .steal = NAN,
				       .iowait = NAN,
				       .processors = 2};

		good = !ft_store_add_load(store, machine.id, &load, NULL);
	}
	good = good && !ft_store_end(store, FT_OK, NULL);
	ft_store_close(store);
	return good;
}

static double upper_beside(struct ft_answerer *answerer, double n, double confidence)
{
	struct ft_size size = {.n = 1, .value = {n}};
	struct ft_prediction p = {0};

	return ft_ask_predict(answerer, &ft_wall_s, &size, confidence, &p, NULL) ? NAN : p.upper;
}

/* Questions of many confidences, some of them the same, all on their way at once. */
static void test_beside(void)
{
	enum { N = 24, KINDS = 8 };
	struct ft_store *store = NULL;
	struct ft_answerer *answerer = NULL;
	char request[160], heard[8192];
	int fd[N], i, good = 0;

	(void)!ft_store_open(&store, temp_path("store.db"), FT_STORE_READ, NULL);
	(void)!ft_ask_open(&answerer, store, "cubic", NULL, machine.id, NULL);
	ft_ask_under(answerer, &(struct ft_ask_load){.view = FT_LOAD_USUAL});
	for (i = 0; i < N; i++) {
		fd[i] = visit();
		(void)snprintf(request, sizeof request,
			       "GET /predict/cubic?n=1500&load=usual&confidence=0.%d HTTP/1.1\r\nHost: "
			       "x\r\nConnection: close\r\n\r\n",
			       60 + i % KINDS);
		(void)!write(fd[i], request, strlen(request));
	}
	ok(distance(1501) == 1, "who asks of idle machines is answered meanwhile");
	for (i = 0; i < N; i++) {
		double expected = upper_beside(answerer, 1500, 0.6 + 0.01 * (i % KINDS));
		size_t n = 0;
		ssize_t got;

		while (n < sizeof heard - 1 && (got = read(fd[i], heard + n, sizeof heard - 1 - n)) > 0)
			n += (size_t)got;
		heard[n] = 0;
		const char *at = strstr(heard, "\"upper\":");
		good += at && fabs(strtod(at + 8, NULL) / expected - 1) < 1e-9;
		(void)close(fd[i]);
	}
	if (!ok(good == N, "all of %d are answered as the library answers: %d", (int)N, good))
		diag("%s", heard);
	ft_ask_close(answerer);
	ft_store_close(store);
}

/* It ends while the worker has much to do. */
static void test_end(void)
{
	enum { N = 12 };
	char request[160];
	int fd[N], i;

	for (i = 0; i < N; i++) {
		fd[i] = visit();
		(void)snprintf(
			request, sizeof request,
			"GET /predict/cubic?n=%d&load=usual&confidence=0.7%d HTTP/1.1\r\nHost: x\r\n\r\n",
			1000 + i / 2, i / 2);
		(void)!write(fd[i], request, strlen(request));
	}
	json_decref(ask("/health", 200));
	ok(end() == 0, "it ends while others wait for the worker");
	for (i = 0; i < N; i++)
		(void)close(fd[i]);
}

int main(void)
{
	if (!ok(fill() && fill_load(), "a store"))
		return done();
	begin();
	test_unasked();
	test_knots();
	test_beside();
	test_end();
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	temp_remove();
	return done();
}
