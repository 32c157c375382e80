/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-take-devices.c - timings that programs wrote down of their devices, and beside files without an end. */
#include "../tap.h"
#include "../temp.h"
#include "foretime-client.h"
#include "manager/inside.h"

#include <unistd.h>

/* Files without an end, wherever they stand in the folder, keep no other out. */
static void test_greedy(struct ft_store *store)
{
	static const char line[] = "{\"name\":\"modest\",\"size\":{\"n\":7},\"wall_s\":9}\n";
	char name[64];
	struct ft__taken answer = {0};

	for (int i = 0; i < 8; i++) {
		(void)snprintf(name, sizeof name, "spool/greedy%d.jsonl", i);
		temp_write(temp_path(name), "", 0600);
		(void)!truncate(temp_path(name), 1L << 32);
		(void)snprintf(name, sizeof name, "spool/modest%d.jsonl", i);
		temp_write(temp_path(name), line, 0600);
	}
	(void)ft__timings_take(store, temp_path("spool"), NULL, &answer, NULL);
	ok(answer.runs == 8 && answer.behind == 8, "others are taken in the same pass: %lu", answer.runs);
	for (int i = 0; i < 8; i++) {
		(void)snprintf(name, sizeof name, "spool/greedy%d.jsonl", i);
		(void)unlink(temp_path(name));
	}
}

/* Of a program with devices each line goes to its own; one without a device to neither. */
int main(void)
{
	const char *const param[] = {"n"}, *const device[] = {"cpu", "gpu", NULL};
	const double n[] = {10, 20, 30};
	struct ft__taken answer = {0};
	struct ft_store *store = NULL;
	bool good = true;

	(void)setenv("FORETIME_SPOOL", temp_path("spool"), 1);
	if (ft_store_open(&store, temp_path("store.db"), FT_STORE_HASTY, NULL)) {
		printf("Bail out! no store\n");
		return 99;
	}
	for (size_t i = 0; i < 3; i++)
		good = !ft_probe_submit_on("routed", device[i], param, &n[i], 1, 0.5) && good;
	good = !ft__timings_take(store, temp_path("spool"), NULL, &answer, NULL) && good;
	ok(good && answer.runs == 3 && !answer.bad, "timings of two devices, and of none, are taken");
	for (size_t i = 0; i < 3; i++) {
		struct ft_program program = {0};
		struct ft_runs runs = {0};

		ok(!ft_store_get_program_on(store, "routed", device[i], &program, NULL) &&
			   !ft_store_get_runs(store, program.id, 0, &runs, NULL) && runs.n == 1 &&
			   runs.run[0].size.value[0] == n[i],
		   "... %s has its own", device[i] ? device[i] : "what names none");
		ft_runs_clear(&runs);
		ft_program_clear(&program);
	}
	test_greedy(store);
	ft_store_close(store);
	ok(ft_probe_submit_on("routed", "g\"pu", param, n, 1, 0.5),
	   "a device that would end its text is not written");
	temp_remove();
	return done();
}
