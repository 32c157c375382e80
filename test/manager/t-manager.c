/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A manager as a process: what it answers is what the library answers; new runs change it; several ask at
 * once; it ends when it is told to, and is not begun twice. */
#include "foretime/manager.h"
#include "foretime/ask.h"
#include "manager-world.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <time.h>

/* By a function of the library, as a program of users asks. */
static void test_asked(void)
{
	const struct ft_manager_value size = {"n", 1234}, other = {"m", 5};
	struct ft_manager_question question = {
		.socket = temp_path("manager.sock"), .name = "cubic", .size = &size, .n = 1};
	json_t *answer = ask("/predict/cubic?n=1234", 200);
	const json_t *first = json_array_get(json_object_get(answer, "predictions"), 0);
	struct ft_prediction p;
	struct ft_err err = {0};
	enum ft_status status = ft_manager_predict(&question, &p, &err);

	ok(!status && p.value == number(first, "value") && p.lower == number(first, "lower") &&
		   p.upper == number(first, "upper") && p.runs == (size_t)number(first, "runs") &&
		   p.distance == number(first, "distance") &&
		   !strcmp(ft_basis_text(p.basis), json_string_value(json_object_get(first, "basis"))),
	   "the library asks it: %g", p.value);
	json_decref(answer);
	/* Sizes as people write them; what may be a list is no size. */
	answer = ask("/predict/cubic?n=1_234", 200);
	ok(number(json_array_get(json_object_get(answer, "predictions"), 0), "value") == p.value, "n=1_234");
	json_decref(answer);
	answer = ask("/predict/cubic?n=1,000", 200);
	ok(number(json_array_get(json_object_get(answer, "predictions"), 0), "n") == 1000, "n=1,000");
	json_decref(answer);
	answer = ask("/predict/cubic?n=100,200,300", 400);
	ok(strstr(json_string_value(json_object_get(answer, "error")),
		  "'100,200,300' may be one number or a list"),
	   "n=100,200,300");
	json_decref(answer);
	question.resource = "energy_j";
	ok(ft_manager_predict(&question, &p, &err) == FT_ENOMODEL && *err.text && isnan(p.value),
	   "what was not measured: %s", err.text);
	question.resource = NULL;
	question.size = &other;
	ok(ft_manager_predict(&question, &p, &err) == FT_ENOMODEL && *err.text, "no such parameter: %s",
	   err.text);
	question.size = &size;
	question.name = "../no/b&dy";
	ok(ft_manager_predict(&question, &p, &err) == FT_ENOMODEL && *err.text, "no such program: %s",
	   err.text);
	question.name = "cubic";
	question.socket = temp_path("nobody.sock");
	ok(ft_manager_predict(&question, &p, &err) == FT_ENOENT && *err.text, "nobody there: %s", err.text);
}

static void test_answers(void)
{
	struct ft_store *store = NULL;
	struct ft_answerer *answerer = NULL;
	struct ft_size size = {.n = 1, .value = {1234}};
	struct ft_prediction p = {0};
	json_t *answer = ask("/predict/cubic?n=1234", 200);
	const json_t *first = json_array_get(json_object_get(answer, "predictions"), 0);
	bool good = !ft_store_open(&store, temp_path("store.db"), FT_STORE_READ, NULL) &&
		    !ft_ask_open(&answerer, store, "cubic", NULL, machine.id, NULL) &&
		    !ft_ask_predict(answerer, &ft_wall_s, &size, 0.9, &p, NULL) &&
		    fabs(number(first, "value") / p.value - 1) < 1e-12 &&
		    fabs(number(first, "upper") / p.upper - 1) < 1e-12;

	ok(good, "what the library answers: %g", p.value);
	ft_ask_close(answerer);
	ft_store_close(store);
	json_decref(answer);
	answer = ask("/largest/cubic?time=1s", 200);
	ok(number(answer, "largest") > 900 && number(answer, "largest") < 1010, "the largest in a second: %g",
	   number(answer, "largest"));
	json_decref(answer);
	answer = ask("/rank/cubic?n=1000", 200);
	ok(fabs(number(answer, "score_s") - 1) < 0.1 && json_is_true(json_object_get(answer, "fits")),
	   "a score: %g", number(answer, "score_s"));
	json_decref(answer);
	answer = ask("/list", 200);
	ok(json_array_size(json_object_get(answer, "programs")) == 1, "the list");
	json_decref(answer);
	answer = ask("/list/cubic", 200);
	ok(json_array_size(json_object_get(answer, "programs")) == 1, "one name of it");
	json_decref(answer);
	answer = ask("/fit/cubic?n=2000&confidence=95%25", 200);
	first = json_array_get(json_object_get(answer, "fits"), 0);
	ok(fabs(number(json_array_get(json_object_get(first, "classes"), 0), "power") - 3) < 1e-9 &&
		   json_array_size(json_object_get(first, "predictions")) == 1,
	   "a law: %s", json_string_value(json_object_get(first, "law")));
	json_decref(answer);
	answer = ask("/show/cubic", 200);
	ok(json_array_size(json_object_get(answer, "sizes")) > 1 &&
		   json_is_null(json_object_get(answer, "argv")) &&
		   json_array_size(json_object_get(answer, "models")) > 0,
	   "a program, without its command");
	json_decref(answer);
	json_decref(ask("/fit/cubic?n=1:100", 400)); /* too many sizes */
	json_decref(ask("/fit/nothing", 404));
	json_decref(ask("/show/nothing", 404));
	json_decref(ask("/show/cubic?n=3", 400));
	answer = ask("/list?after=cubic", 200);
	ok(answer && json_array_size(json_object_get(answer, "programs")) == 0, "what comes behind a name");
	json_decref(answer);
	answer = ask("/health", 200);
	ok(!strcmp(json_string_value(json_object_get(answer, "status")), "ok"), "it is well");
	json_decref(answer);
	answer = ask("/openapi.json", 200);
	ok(json_object_get(json_object_get(answer, "paths"), "/predict/{name}") &&
		   json_object_get(json_object_get(answer, "paths"), "/fit/{name}") &&
		   json_object_get(json_object_get(answer, "paths"), "/list"),
	   "what there is");
	json_decref(answer);
}

/* What is asked for is what the library says, rounded up; and the same in each form. */
static void test_requests(void)
{
	struct ft_store *store = NULL;
	struct ft_answerer *answerer = NULL;
	struct ft_size size = {.n = 1, .value = {1900}};
	struct ft_request request = {0};
	json_t *answer = ask("/request/cubic?n=1900&risk=1%25", 200), *time, *memory;
	char line[128], expected[128];
	int code;
	bool good = !ft_store_open(&store, temp_path("store.db"), FT_STORE_READ, NULL) &&
		    !ft_ask_open(&answerer, store, "cubic", NULL, machine.id, NULL) &&
		    !ft_ask_request(answerer, &size, 0.01, &request, NULL);

	ft_ask_close(answerer);
	ft_store_close(store);
	time = json_object_get(answer, "time");
	memory = json_object_get(answer, "memory");
	int minutes = (int)(number(time, "request") / 60);
	int mib = (int)(number(memory, "request") / 1048576);
	ok(good && fabs(number(time, "most") / request.time.most - 1) < 1e-12 &&
		   fabs(number(memory, "most") / request.memory.most - 1) < 1e-12 &&
		   minutes == ceil(request.time.most / 60) && number(answer, "risk") == 0.01 &&
		   mib == ceil(((json_is_true(json_object_get(answer, "brief")) ? 1.5 : 1) *
					request.memory.most +
				8e6) /
			       1048576),
	   "a request: %d min, %d MiB", minutes, mib);
	(void)snprintf(expected, sizeof expected, "--time=%02d:00 --mem=%dM\n", minutes, mib);
	(void)snprintf(line, sizeof line, "%s", get("/request/cubic?n=1900&risk=1%25&format=slurm", &code));
	ok(code == 200 && !strcmp(line, expected), "for Slurm: %s", line);
	(void)snprintf(expected, sizeof expected, "minutes %d\nmib %d\ncpus 3\nrisk 0.01\n", minutes, mib);
	(void)snprintf(line, sizeof line, "%s",
		       get("/request/cubic?n=1900&risk=1%25&format=text&cpus=3", &code));
	ok(code == 200 && !strcmp(line, expected), "for a shell");
	json_decref(answer);
	answer = ask("/request/cubic?n=1900&overhead=1GiB&at-least=3GiB", 200);
	ok(number(json_object_get(answer, "memory"), "request") == 3221225472.0, "no less than was said");
	json_decref(answer);
	answer = ask("/request/cubic?n=1e9", 200);
	ok(json_is_false(json_object_get(answer, "answered")) &&
		   json_string_value(json_object_get(answer, "reason")) &&
		   json_is_null(json_object_get(answer, "memory")),
	   "no number where nothing is known: %s", json_string_value(json_object_get(answer, "reason")));
	(void)get("/request/cubic?n=1e9&format=slurm", &code);
	ok(code == 409, "as text it is refused");
	json_decref(answer);
	answer = ask("/request/cubic?n=1e9&at-most=2GiB,1d", 200);
	ok(json_is_true(json_object_get(answer, "answered")) &&
		   number(json_object_get(answer, "memory"), "request") == 2147483648.0 &&
		   number(json_object_get(answer, "time"), "request") == 86400,
	   "there the bounds are asked for");
	json_decref(answer);
	answer = ask("/request/cubic?n=1900&risk=least&retry=2x", 200);
	ok(number(answer, "risk") > 0 && !strcmp(json_string_value(json_object_get(answer, "retry")), "2x"),
	   "the least waste has a risk of %g", number(answer, "risk"));
	json_decref(answer);
}

/* What was read of a manager can be put into it under another name, once, and answers the same. */
/* Jobs of which some were ended at their limit: as the command counts them. */
static void test_limits(void)
{
	struct ft_store *store = open_store(FT_STORE_HASTY);
	struct ft_program late = {0};
	struct ft_answerer *answerer = NULL;
	struct ft_size size = {.n = 1, .value = {300}};
	struct ft_request request = {0};
	bool good = store && put_program(store, &late, "late");

	for (int i = 0; i < 30 && good; i++) {
		bool met = i % 4 == 3;
		struct ft_sample sample = {.resource = &ft_wall_s,
					   .value = met ? 2400 : 2000 + 10 * i,
					   .label = FT_MEASURED,
					   .probe = "sacct"};
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){.n = 1, .value = {100 * (1 + i % 5)}};
		run.outcome = met ? FT_TIMED_OUT : FT_DONE;
		run.sample = &sample;
		run.n_samples = 1;
		good = !ft_store_add_run(store, late.id, machine.id, &run, NULL);
	}
	good = good && !ft_ask_open(&answerer, store, "late", NULL, machine.id, NULL) &&
	       !ft_ask_request(answerer, &size, 0.05, &request, NULL);
	ft_ask_close(answerer);
	ft_store_close(store);
	json_t *predicted = ask("/predict/late?n=300", 200);
	json_t *requested = ask("/request/late?n=300", 200);
	json_t *limits = json_object_get(predicted, "limits");
	ok(good && number(limits, "runs") == 7 && number(limits, "of") == 30 &&
		   number(limits, "least") == 2400 && number(limits, "most") == 2400,
	   "7 of 30 runs met a limit of 40 min");
	limits = json_object_get(json_object_get(requested, "time"), "limited");
	ok(request.time.runs == 30 && request.time.limits.runs == 7 && request.time.limits.most == 2400 &&
		   number(limits, "runs") == 7 && number(limits, "of") == 30,
	   "so says a request");
	json_decref(predicted);
	json_decref(requested);
	ft_program_clear(&late);
}

static void test_models(void)
{
	json_t *answer = ask("/model/cubic", 200), *put;
	char *text = json_dumps(answer, 0);
	int code;

	ok(answer && json_array_size(json_object_get(answer, "runs")) == 20 &&
		   json_is_null(json_object_get(answer, "argv")),
	   "a whole model, without its command");
	put = json_loads(talk("PUT", "/model/copy", text, &code), 0, NULL);
	ok(code == 200 && number(put, "runs") == 20 && number(put, "known") == 0, "is put");
	json_decref(put);
	put = json_loads(talk("PUT", "/model/copy", text, &code), 0, NULL);
	ok(code == 200 && number(put, "runs") == 0 && number(put, "known") == 20, "once");
	json_decref(put);
	char *csv = strdup(get("/model/cubic?format=csv", &code));
	ok(code == 200 && strstr(csv, "wall_s"), "as a table");
	put = json_loads(talk("PUT", "/model/third", csv, &code), 0, NULL);
	ok(code == 200 && number(put, "runs") == 20, "is put");
	json_decref(put);
	free(csv);
	free(text);
	json_decref(answer);
	answer = ask("/predict/copy?n=1234", 200);
	put = ask("/predict/cubic?n=1234", 200);
	ok(number(json_array_get(json_object_get(answer, "predictions"), 0), "upper") ==
		   number(json_array_get(json_object_get(put, "predictions"), 0), "upper"),
	   "and answers the same");
	json_decref(answer);
	json_decref(put);
	text = strdup(get("/model/cubic?format=knots&expires=1d", &code));
	if (!ok(code == 200 && !strncmp(text, "foretime-knots 1\nprogram cubic\nparameter n\n", 43),
		"as knots"))
		diag("%d %.300s", code, text);
	free(text);
}

/* What is no model leaves nothing. */
static void test_no_models(void)
{
	static const struct {
		const char *target, *body;
		int code;
	} row[] = {
		{"/model/bad", "", 400},
		{"/model/bad", "{", 400},
		{"/model/bad", "{\"schema\":\"foretime-export-1\"}", 400},
		{"/model/bad", "n,wall_s\n1,-5\n", 400},
		{"/model/bad", "n,wall_s\n1,1\nx,2\n", 400},
		{"/model/bad", "# foretime: runs 1\n# work: m*2\nn,wall_s\n1,1\n2,2\n", 400},
		{"/model/bad", "# foretime: runs 1\n# where: m > 2\nn,wall_s\n1,1\n2,2\n", 400},
		{"/model/bad", "\x1f\x8b", 400},
		{"/model/~5/bad", "n,wall_s\n1,1\n", 400},
		{"/model/%7Bn%7D", "n,wall_s\n1,1\n", 400},
		{"/model/calibration/x", "n,wall_s\n1,1\n", 400},
		{"/model/cubic", "n,m,wall_s\n1,1,1\n2,7,2\n", 400},
		{"/model/a%0Ab", "n,wall_s\n1,1\n", 400},
	};
	json_t *answer;
	int code;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		answer = json_loads(talk("PUT", row[i].target, row[i].body, &code), 0, NULL);
		ok(code == row[i].code && json_is_string(json_object_get(answer, "error")), "%d: %s", code,
		   json_string_value(json_object_get(answer, "error")));
		json_decref(answer);
	}
	json_decref(ask("/model/bad", 404));
	answer = ask("/model/cubic", 200);
	ok(json_array_size(json_object_get(answer, "runs")) == 20, "what was there is as it was");
	json_decref(answer);
}

/* The load of this moment: nothing is faster than on an idle machine, but for what sessions differ by. */
static void test_now(void)
{
	json_t *idle = ask("/rank/cubic?n=1234", 200), *now;
	const char *load;
	int code;

	now = json_loads(get("/rank/cubic?n=1234&load=now", &code), 0, NULL);
	load = json_string_value(json_object_get(now, "load"));
	if (code == 503)
		skip("the present load", json_string_value(json_object_get(now, "error")));
	else
		ok(code == 200 && load && !strcmp(load, "now") &&
			   number(now, "score_s") >= 0.95 * number(idle, "score_s") &&
			   number(now, "upper") >= 0.95 * number(idle, "upper"),
		   "rank by the present load: %g s, idle %g s", number(now, "score_s"),
		   number(idle, "score_s"));
	json_decref(now);
	now = code == 503 ? NULL : ask("/largest/cubic?time=1s&load=now", 200);
	load = json_string_value(json_object_get(now, "load"));
	ok(code == 503 || (load && !strcmp(load, "now")), "the largest under it");
	json_decref(idle);
	json_decref(now);
	now = ask("/predict/cubic?n=1234&load=now&resource=peak_rss_bytes", 200);
	ok(now != NULL, "memory, which no load changes");
	json_decref(now);
}

static void test_refusals(void)
{
	static const struct {
		const char *target;
		int code;
	} row[] = {
		{"/predict/nothing?n=5", 404},
		{"/predict/cubic?n=five", 400},
		{"/predict/cubic?m=5", 400},
		{"/predict/cubic", 400},
		{"/predict/cubic?n=5&resource=energy_j", 404},
		{"/predict/cubic?n=5&confidence=2", 400},
		{"/predict/cubic?n=5&machine=elsewhere", 404},
		{"/predict/..%2f..%2fetc%2fpasswd?n=1", 404},
		{"/predict/cubic?n=5&size.n=6&a&b=1", 400},
		{"/predict/cubic?=5", 400},
		{"/predict/cubic?n=1&machine=%ff%fe", 404},
		{"/predict/cubic?n=%ff", 400},
		{"/request/cubic", 400},
		{"/request/cubic?n=5&risk=0.5", 400},
		{"/request/cubic?n=5&format=pdf", 400},
		{"/request/cubic?n=5&cpus=0.5", 400},
		{"/request/cubic?n=5&at-least=-1", 400},
		{"/request/cubic?n=5&at-most=0", 400},
		{"/request/cubic?n=5&at-most=much", 400},
		{"/request/cubic?n=5&retry=2x", 400},
		{"/request/nothing?n=5", 404},
		{"/largest/cubic?%ff=3", 404},
		{"/largest/cubic", 400},
		{"/largest/cubic?time=-1s", 400},
		{"/largest/cubic?time=1s&n=5", 400},
		{"/model", 404},
		{"/model/nothing", 404},
		{"/model/cubic?format=exe", 400},
		{"/model/cubic?format=knots&expires=0", 400},
		{"/model/cubic?machine=elsewhere", 404},
		{"/predict/%1b%5b31m?n=1", 404},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		json_t *answer = ask(row[i].target, row[i].code);

		ok(json_is_string(json_object_get(answer, "error")), "%d: %s", row[i].code,
		   json_string_value(json_object_get(answer, "error")));
		json_decref(answer);
	}
}

/* A run more, and it is heard of, without a question being refused meanwhile. */
static void test_changes(void)
{
	struct ft_store *store = NULL;
	double since = ft_clock_s(), before, now = 0;
	json_t *answer = ask("/predict/cubic?n=1500", 200);
	bool answered = true;

	before = number(json_array_get(json_object_get(answer, "predictions"), 0), "distance");
	json_decref(answer);
	bool added = !ft_store_open(&store, temp_path("store.db"), 0, NULL) && add_run(store, 30000, 27000);
	ft_store_close(store);
	while (ft_clock_s() - since < 30 && now != 1) {
		answer = ask("/predict/cubic?n=20000", 200);
		answered = answered && answer;
		now = number(json_array_get(json_object_get(answer, "predictions"), 0), "distance");
		json_decref(answer);
		ft_clock_sleep(0.02);
	}
	ok(added && before == 1 && now == 1 && answered, "a new run is heard of");
}

static void test_many(void)
{
	enum { N = 200 };
	static const char request[] = "GET /predict/cubic?n=1000 HTTP/1.1\r\nHost: x\r\n\r\n";
	int fd[N], i, good = 0;
	char heard[256];

	for (i = 0; i < N; i++)
		fd[i] = visit();
	for (i = 0; i < N; i++)
		(void)!write(fd[i], request, sizeof request - 1);
	for (i = 0; i < N; i++) {
		good += read(fd[i], heard, sizeof heard) > 12 && !strncmp(heard, "HTTP/1.1 200", 12);
		(void)close(fd[i]);
	}
	ok(good == N, "%d ask at once, %d are answered", (int)N, good);
}

/* More names than there is room for, at once, which nobody knows. */
static void test_names(void)
{
	enum { N = 300 };
	int fd[N], i, good = 0;
	char text[256];

	for (i = 0; i < N; i++)
		fd[i] = visit();
	for (i = 0; i < N; i++) {
		int n = snprintf(text, sizeof text, "GET /predict/nobody%d?n=1 HTTP/1.1\r\nHost: x\r\n\r\n",
				 i);

		(void)!write(fd[i], text, (size_t)n);
	}
	for (i = 0; i < N; i++) {
		ssize_t n = read(fd[i], text, sizeof text);

		good += n > 12 && (!strncmp(text, "HTTP/1.1 404", 12) || !strncmp(text, "HTTP/1.1 503", 12));
		(void)close(fd[i]);
	}
	ok(good == N, "%d names of nothing at once, %d are answered", (int)N, good);
}

/* Somebody else has the store for himself for long: what is known is answered meanwhile. */
static void test_locked(void)
{
	sqlite3 *other = NULL;
	int code[3] = {0};

	json_decref(ask("/predict/cubic?n=1300", 200));
	if (!ok(sqlite3_open(temp_path("store.db"), &other) == SQLITE_OK &&
			sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK,
		"the store is locked"))
		return;
	(void)get("/predict/cubic?n=1300", &code[0]);
	(void)get("/predict/cubic?n=1301", &code[1]);
	(void)get("/health", &code[2]);
	ok(code[0] == 200 && code[1] == 200 && code[2] == 200,
	   "the same size, another one and its health are answered: %d %d %d", code[0], code[1], code[2]);
	(void)sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
	(void)sqlite3_close(other);
}

/* Its status, when it is that, or after ten seconds. fault: what is wrong, or "". */
static bool becomes(const char *status, char fault[512])
{
	const struct timespec pause = {.tv_nsec = 50000000};
	bool good = false;

	for (int i = 0; i < 200 && !good; i++) {
		json_t *answer = ask("/health", 200);
		const char *why = json_string_value(json_object_get(answer, "fault"));

		good = answer && !strcmp(json_string_value(json_object_get(answer, "status")), status);
		(void)snprintf(fault, 512, "%s", why ? why : "");
		json_decref(answer);
		if (!good)
			(void)nanosleep(&pause, NULL);
	}
	return good;
}

/* What a disk does to a store is told by its health. */
static void test_health(void)
{
	static char kept[1 << 20], zeros[1 << 20];
	const char *path = temp_path("store.db");
	sqlite3 *other = NULL;
	char fault[512];

	ok(sqlite3_open(path, &other) == SQLITE_OK &&
		   sqlite3_exec(other, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL) == SQLITE_OK,
	   "all is in the file");
	(void)sqlite3_close(other);
	ok(becomes("ok", fault) && !*fault, "nothing is wrong with it");
	int fd = open(path, O_RDWR | O_CLOEXEC);
	ssize_t n = pread(fd, kept, sizeof kept, 4096);
	ok(n > 4096 && pwrite(fd, zeros, (size_t)n, 4096) == n, "pages of it are zeros now");
	ok(becomes("damaged", fault) && strstr(fault, "is damaged") && !strchr(fault, '\n'),
	   "it is damaged: %s", fault);
	ok(pwrite(fd, kept, (size_t)n, 4096) == n && becomes("ok", fault) && !*fault, "and is well again");
	(void)close(fd);
}

static void test_twice(void)
{
	struct ft_manager_options options = {0};
	struct ft_manager *manager = NULL;
	struct ft_err err = {0};

	options.store_path = temp_path("store.db");
	options.socket_path = temp_path("manager.sock");
	options.spool_path = temp_path("spool");
	ok(ft_manager_new(&manager, &options, &err) == FT_EEXIST && !manager, "a second one: %s", err.text);
	options.socket_path = temp_path("other.sock");
	options.address = "127.0.0.1:0";
	ok(ft_manager_new(&manager, &options, &err) == FT_EINVAL && !manager, "a network without TLS: %s",
	   err.text);
	ok(access(temp_path("other.sock"), F_OK) != 0, "nothing is left of it");
}

int main(void)
{
	if (!ok(fill(), "a store"))
		return done();
	begin();
	test_asked();
	test_answers();
	test_requests();
	test_limits();
	test_models();
	test_no_models();
	test_now();
	test_refusals();
	test_changes();
	test_many();
	test_names();
	test_locked();
	test_health();
	test_twice();
	{
		/* One that keeps its connection asks just then. */
		int fd = visit();

		(void)kill(manager_pid, SIGTERM);
		for (int i = 0; i < 50; i++)
			(void)!write(fd, "GET /list HTTP/1.1\r\nHost: x\r\n\r\n", 31);
		ok(end() == 0, "it ends, though somebody asks meanwhile");
		(void)close(fd);
	}
	ok(access(temp_path("manager.sock"), F_OK) != 0, "its socket is gone");
	begin();
	(void)kill(manager_pid, SIGKILL);
	(void)waitpid(manager_pid, NULL, 0);
	begin();
	json_decref(ask("/health", 200));
	ok(end() == 0, "after one that was killed another one begins");
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	temp_remove();
	return done();
}
