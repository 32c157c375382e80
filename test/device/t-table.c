/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-table.c - rankings of stored devices; a table, and the header that a compiler takes, say the same. */
#include "families.h"
#include "tap.h"
#include "temp.h"

#include "foretime-client.h"

#include <sys/wait.h>

static struct ft_store *store;
static struct ft_machine machine;

static void add_run(struct ft_program *program, const struct ft_size *size, double wall_s, double energy_j,
		    enum ft_outcome outcome)
{
	struct ft_run run;

	ft_run_init(&run);
	run.size = *size;
	run.outcome = outcome;
	if (outcome == FT_DONE)
		(void)ft_run_add(&run, &ft_wall_s, wall_s, FT_MEASURED, "child", NULL, NULL);
	if (energy_j > 0)
		(void)ft_run_add(&run, &ft_energy_j, energy_j, FT_MEASURED, "rapl", NULL, NULL);
	(void)ft_store_add_run(store, program->id, machine.id, &run, NULL);
	ft_run_clear(&run);
}

/* A device of a program: where it fails from; watts it needs. */
static void add_device(const char *name, const char *device, const struct made *made, double fails,
		       double watts, const char *driver)
{
	struct ft_program program = {.name = (char *)(uintptr_t)name,
				     .device = (char *)(uintptr_t)device,
				     .driver = (char *)(uintptr_t)driver,
				     .hash = (char *)(uintptr_t) "h",
				     .n_params = 1};

	program.param[0] = (struct ft_param){.name = "n", .least = 64, .most = 65536, .stride = 1};
	if (ft_store_put_program(store, &program, NULL)) {
		printf("Bail out! no program\n");
		exit(99);
	}
	for (size_t n = 64; n <= 65536; n *= 4) {
		const struct ft_size size = {1, {(double)n}};
		double s = made_s(made, (double)n);

		add_run(&program, &size, s, s * watts, (double)n >= fails ? FT_FAILED : FT_DONE);
		add_run(&program, &size, s * 1.01, s * watts, (double)n >= fails ? FT_FAILED : FT_DONE);
	}
}

static struct ft_ranking *open_ranking(const char *name, const struct ft_rank_options *options)
{
	struct ft_ranking *ranking;
	struct ft_err err = {0};

	if (ft_ranking_open(&ranking, store, name, options, &err)) {
		printf("Bail out! no ranking: %s\n", err.text);
		exit(99);
	}
	return ranking;
}

static size_t best_at(struct ft_ranking *ranking, double n, struct ft_rank *rank)
{
	const struct ft_size size = {1, {n}};
	size_t best = FT_DEVICES_MAX;

	(void)ft_ranking_at(ranking, &size, rank, &best, NULL, NULL);
	return best;
}

/* The header, compiled; what it says at sizes that stand on its standard input. */
static char *compile_header(const char *text)
{
	const char *header = temp_path("dispatch.h"), *source = temp_path("main.c");
	static char program[1024], command[4096];
	FILE *file = fopen(header, "w");

	(void)snprintf(program, sizeof program, "%s", temp_path("choose"));
	fputs(text, file);
	(void)fclose(file);
	file = fopen(source, "w");
	fprintf(file, "#include <stdio.h>\n#include \"dispatch.h\"\nint main(void) { double n; while "
		      "(scanf(\"%%lf\", &n) "
		      "== 1) puts(two_device_name(two_device(n))); return 0; }\n");
	(void)fclose(file);
	(void)snprintf(command, sizeof command, "cc -std=c99 -Wall -Wextra -Werror -o '%s' '%s'", program,
		       source);
	return system(command) ? NULL : program;
}

/* Ranking, table, handle and header agree wherever neither device is as good as the other. */
static void agree(void)
{
	struct ft_ranking *ranking = open_ranking("two", NULL);
	struct ft_rank rank[FT_DEVICES_MAX];
	static struct ft_table table;
	struct ft_dispatch *dispatch = NULL;
	char *text = NULL, *program, line[64], command[2048];
	const char *list = temp_path("sizes"), *said = temp_path("said");
	size_t i, device, differ = 0, apart = 0, n = 200;
	double sizes[200], sure;
	FILE *file;

	ok(!ft_table_make(&table, ranking, NULL) && table.n == 3 && table.loss < 0.01,
	   "a table of two parts");
	ok(!ft_table_header(&table, ranking, "two", &text, NULL), "... as a header");
	ok(!ft_dispatch_open(&dispatch, store, "two", NULL, NULL), "... and as a dispatcher");
	program = compile_header(text);
	ok(program, "the header is taken by a compiler, with all warnings");
	file = fopen(list, "w");
	for (i = 0; i < n; i++) {
		sizes[i] = round(64 * pow(1024, (double)i / (double)(n - 1)));
		fprintf(file, "%.17g\n", sizes[i]);
	}
	(void)fclose(file);
	(void)snprintf(command, sizeof command, "'%s' < '%s' > '%s'", program ? program : "false", list,
		       said);
	ok(!system(command), "... and runs");
	file = fopen(said, "r");
	for (i = 0; i < n && file && fgets(line, sizeof line, file); i++) {
		size_t best = best_at(ranking, sizes[i], rank);

		line[strcspn(line, "\n")] = '\0';
		(void)ft_device_choose(dispatch, &sizes[i], &device, &sure);
		differ += device != best && fabs(log(rank[0].at.value / rank[1].at.value)) > 0.01;
		apart += strcmp(line, ft_dispatch_device(dispatch, device)) != 0;
	}
	(void)fclose(file);
	ok(i == n && !differ, "the dispatcher is the ranking at %zu sizes, but for ties (%zu differ)", n,
	   differ);
	ok(!apart, "the header is the dispatcher (%zu differ)", apart);
	free(text);
	ft_dispatch_close(dispatch);
	ft_ranking_close(ranking);
}

static void handle(void)
{
	struct ft_dispatch *dispatch;
	double n = 100, beyond = 1e6, none = NAN, sure;
	size_t device;

	if (ft_dispatch_open(&dispatch, store, "two", NULL, NULL)) {
		ok(false, "no dispatcher");
		return;
	}
	ok(ft_dispatch_devices(dispatch) == 2 && !strcmp(ft_dispatch_device(dispatch, 0), "cpu") &&
		   !strcmp(ft_dispatch_device(dispatch, 1), "gpu"),
	   "both devices are there, by number");
	ok(!ft_device_choose(dispatch, &n, &device, &sure) &&
		   !strcmp(ft_dispatch_device(dispatch, device), "cpu") && sure > 0.9,
	   "small ones on the cpu, surely");
	ok(!ft_device_choose(dispatch, &beyond, &device, &sure) && sure == 0 &&
		   !strcmp(ft_dispatch_device(dispatch, device), "gpu"),
	   "beyond all sizes: the nearest, and not sure at all");
	ok(ft_device_choose(dispatch, &none, &device, &sure) == FT_EINVAL, "what is no number");
	ft_dispatch_close(dispatch);
}

static void reports(void)
{
	struct ft_dispatch *dispatch;
	double n = 100;
	char command[2048];
	const char *folder = temp_path("spool");

	(void)setenv("FORETIME_SPOOL", folder, 1);
	if (ft_dispatch_open(&dispatch, store, "two", NULL, NULL))
		return;
	ok(!ft_device_report(dispatch, 1, &n, 0.25, NULL), "a call is reported");
	(void)snprintf(
		command, sizeof command,
		"grep -q '\"name\":\"two\",\"device\":\"gpu\".*\"n\":100.*\"wall_s\":0.25' '%s'/*.jsonl",
		folder);
	ok(!system(command), "... as a line of the spool, of its device");
	ok(ft_device_report(dispatch, 7, &n, 0.25, NULL) == FT_EINVAL, "of no device");
	ok(ft_device_report(dispatch, 1, &n, -1, NULL) == FT_EINVAL, "no time");
	ft_dispatch_close(dispatch);
}

static char *other_driver(void *ctx, const struct ft_program *program)
{
	(void)ctx;
	return program->driver ? strdup("H200, 550") : NULL;
}

static void left_out(void)
{
	const struct ft_rank_options watts = {.watts = 100}, energy = {.resource = &ft_energy_j},
				     driver = {.driver = other_driver};
	struct ft_ranking *ranking = open_ranking("two", &watts);
	struct ft_rank rank[FT_DEVICES_MAX];

	ok(best_at(ranking, 65536, rank) == 0 && rank[1].why == FT_RANK_WATTS && rank[1].watts > 250,
	   "no more than 100 W: the gpu is left out");
	ft_ranking_close(ranking);
	ranking = open_ranking("two", &energy);
	ok(best_at(ranking, 1024, rank) == 0, "of energy the cpu needs less where it is the slower one");
	ft_ranking_close(ranking);
	ranking = open_ranking("driven", NULL);
	ok(best_at(ranking, 65536, rank) == 1, "with the driver that it had the gpu is chosen");
	ft_ranking_close(ranking);
	ranking = open_ranking("driven", &driver);
	ok(best_at(ranking, 65536, rank) == 0 && rank[1].why == FT_RANK_DRIVER &&
		   ft_ranking_driver(ranking, 1),
	   "with another driver its runs count no more");
	ft_ranking_close(ranking);
	ranking = open_ranking("failing", NULL);
	ok(best_at(ranking, 100, rank) == 0 && best_at(ranking, 65536, rank) == 1 &&
		   rank[0].why == FT_RANK_FAILS,
	   "where one fails the other one is chosen");
	ft_ranking_close(ranking);
}

int main(void)
{
	const struct made cpu = {1e-5, 1e-6, 1, 0, INFINITY, 1}, gpu = {1e-3, 5e-8, 1, 0, INFINITY, 1};
	const struct made fast = {1e-6, 1e-9, 1, 0, INFINITY, 1};
	struct ft_ranking *ranking;
	struct ft_err err = {0};

	machine.fingerprint = (char *)(uintptr_t) "0123456789abcdef";
	if (ft_store_open(&store, temp_path("devices.db"), 0, NULL) ||
	    ft_store_put_machine(store, &machine, NULL)) {
		printf("Bail out! no store\n");
		return 99;
	}
	add_device("two", "cpu", &cpu, INFINITY, 50, NULL);
	add_device("two", "gpu", &gpu, INFINITY, 300, NULL);
	add_device("driven", "cpu", &cpu, INFINITY, 0, NULL);
	add_device("driven", "gpu", &gpu, INFINITY, 0, "H200, 535");
	add_device("failing", "cpu", &fast, 16384, 0, NULL);
	add_device("failing", "gpu", &gpu, INFINITY, 0, NULL);
	agree();
	handle();
	reports();
	left_out();
	ok(ft_ranking_open(&ranking, store, "too", NULL, &err) == FT_ENOENT && strstr(err.remedy, "two"),
	   "an unknown name: %s", err.remedy);
	ft_store_close(store);
	return done();
}
