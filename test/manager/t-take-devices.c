/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-take-devices.c - timings that programs wrote down of their devices. */
#include "../tap.h"
#include "../temp.h"
#include "foretime-client.h"
#include "manager/take.h"

/* Of a program with devices each line goes to its own; one without a device to neither. */
int main(void)
{
	const char *const param[] = {"n"}, *const device[] = {"cpu", "gpu", NULL};
	const double n[] = {10, 20, 30};
	struct ft__taken told = {0};
	struct ft_store *store = NULL;
	size_t i;
	bool good = true;

	(void)setenv("FORETIME_SPOOL", temp_path("spool"), 1);
	if (ft_store_open(&store, temp_path("store.db"), FT_STORE_HASTY, NULL)) {
		printf("Bail out! no store\n");
		return 99;
	}
	for (i = 0; i < 3; i++)
		good = !ft_probe_submit_on("routed", device[i], param, &n[i], 1, 0.5) && good;
	good = !ft__timings_take(store, temp_path("spool"), NULL, &told, NULL) && good;
	ok(good && told.runs == 3 && !told.bad, "timings of two devices, and of none, are taken");
	for (i = 0; i < 3; i++) {
		struct ft_program program = {0};
		struct ft_runs runs = {0};

		ok(!ft_store_get_program_on(store, "routed", device[i], &program, NULL) &&
			   !ft_store_get_runs(store, program.id, 0, &runs, NULL) && runs.n == 1 &&
			   runs.run[0].size.value[0] == n[i],
		   "... %s has its own", device[i] ? device[i] : "what names none");
		ft_runs_clear(&runs);
		ft_program_clear(&program);
	}
	ft_store_close(store);
	ok(ft_probe_submit_on("routed", "g\"pu", param, n, 1, 0.5),
	   "a device that would end its text is not written");
	temp_remove();
	return done();
}
