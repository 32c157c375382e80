/* SPDX-License-Identifier: GPL-3.0-or-later */
/* building.c - what a build that runs tells of itself, for whoever looks on: a line of the store. */
#include "foretime/sweep.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void key_of(int64_t program, int64_t machine, char key[64])
{
	(void)snprintf(key, 64, "building %" PRId64 " %" PRId64, program, machine);
}

/* When a process began, in ticks of this boot, which no other one of its number has; 0: it is not there.
 * proc(5), /proc/PID/stat, field 22: behind the last ')' of its name. */
static uint64_t began_ticks(int pid)
{
	char text[1024], *at;
	uint64_t ticks = 0;

	if (!ft__file_read(text, sizeof text, "", "/proc/%d/stat", pid) || !(at = strrchr(text, ')')))
		return 0;
	for (int field = 2; field < 22 && at; field++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at, NULL, 10);
	return ticks;
}

enum ft_status ft_building_put(struct ft_store *store, int64_t program, int64_t machine,
			       const struct ft_building *building, struct ft_err *err)
{
	struct ft_text text = {0};
	char key[64];

	key_of(program, machine, key);
	ft_text_add(&text, "%d %" PRIu64 " %" PRId64 " %d %zu %zu %.9g %.9g %.9g %.9g %.9g %.9g",
		    (int)getpid(), began_ticks((int)getpid()), ft_clock_real_ns(), (int)building->reason,
		    building->points, building->runs, building->gain, building->expected_s, building->spent_s,
		    building->budget_s, building->tolerance, building->complete);
	for (size_t i = 0; i < building->size.n; i++)
		ft_text_add(&text, " %.17g", building->size.value[i]);
	enum ft_status status = text.failed ? ft_nomem(err) : ft_store_put_known(store, key, text.s, err);
	ft_text_clear(&text);
	return status;
}

enum ft_status ft_building_end(struct ft_store *store, int64_t program, int64_t machine, struct ft_err *err)
{
	char key[64];

	key_of(program, machine, key);
	return ft_store_put_known(store, key, NULL, err);
}

static void read_size(const char *at, struct ft_size *size)
{
	char *end;

	for (*size = (struct ft_size){0}; size->n < FT_PARAMS_MAX; size->n++, at = end) {
		double value = strtod(at, &end);

		if (end == at)
			return;
		size->value[size->n] = value;
	}
}

static bool read_text(const char *text, struct ft_building *out)
{
	int pid, reason, used = 0;
	uint64_t ticks;
	int n = sscanf(text, "%d %" SCNu64 " %" SCNd64 " %d %zu %zu %lf %lf %lf %lf %lf %lf%n", &pid, &ticks,
		       &out->told_ns, &reason, &out->points, &out->runs, &out->gain, &out->expected_s,
		       &out->spent_s, &out->budget_s, &out->tolerance, &out->complete, &used);

	if (n < 12 || !ticks || began_ticks(pid) != ticks)
		return false;
	out->reason = (enum ft_reason)reason;
	read_size(text + used, &out->size);
	return true;
}

enum ft_status ft_building_get(struct ft_store *store, int64_t program, int64_t machine,
			       struct ft_building *out, struct ft_err *err)
{
	char key[64], *text;

	*out = (struct ft_building){0};
	key_of(program, machine, key);
	enum ft_status status = ft_store_get_known(store, key, &text, err);
	if (status && status != FT_ENOENT)
		return status;
	if (status || !read_text(text, out)) {
		*out = (struct ft_building){0};
		status = ft_fail(err, FT_ENOENT, "no build of it runs on this machine");
	}
	free(text);
	return status;
}
