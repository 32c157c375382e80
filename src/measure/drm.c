/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drm.c - inside the helper: memory and time of graphics devices, as drivers of the kernel's DRM report them.
 *
 * Each descriptor of a process that is open on /dev/dri has a file in /proc/PID/fdinfo with what its client
 * holds and has computed. Several descriptors, and processes, may share one client, which counts once.
 * Source: Linux, Documentation/gpu/drm-usage-stats.rst. It works for amdgpu, i915, xe, nouveau, msm, panfrost
 * and others; the driver of NVIDIA reports nothing there.
 *
 * A machine without /dev/dri pays one access(2) for each helper. Elsewhere a look has its own clock, as the one
 * of scratch.c has. */
#include "base/alloc.h"
#include "base/clock.h"
#include "measure/gauge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PRICE = 400,         /* least interval in durations of a look: 0.25 % of a processor */
	OFTEN = 100,         /* and in parts of the time since the start */
	REGIONS_MOST = 16,   /* of memory, in one file */
	REGION_LENGTH = 24,  /* of a name */
	CLIENTS_MOST = 4096, /* of a run */
};

static const uint64_t BYTES_MOST = UINT64_C(1) << 60; /* more is not a reading */

/* ---- one file ------------------------------------------------------------------------------------------- */

/* Kinds of a region's bytes, the best last: what objects may take at most, an older name, what they take. */
static const char *const kinds[] = {"drm-total-", "drm-memory-", "drm-resident-"};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct region {
	char name[REGION_LENGTH];
	uint64_t bytes[N_KINDS];
	bool has[N_KINDS];
};

struct fdinfo {
	uint64_t device, id; /* the device is a hash of its address; id of the client, unique there */
	bool has_id;
	uint64_t busy_ns; /* of all engines */
	struct region region[REGIONS_MOST];
	size_t n;
};

/* "1024 KiB"; false: it is not a number of bytes. */
static bool read_bytes(const char *text, uint64_t *bytes)
{
	static const struct {
		const char *name;
		unsigned shift;
	} units[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*bytes = strtoull(text, &end, 10);
	end += strspn(end, " \t");
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(end, units[i].name)) {
			if (*bytes > BYTES_MOST >> units[i].shift)
				return false;
			*bytes <<= units[i].shift;
			return true;
		}
	return false;
}

static void take_region(struct fdinfo *info, size_t kind, const char *name, const char *value)
{
	struct region *region = NULL;
	uint64_t bytes;

	if (!*name || strlen(name) >= REGION_LENGTH || !read_bytes(value, &bytes))
		return;
	for (size_t i = 0; i < info->n && !region; i++)
		if (!strcmp(info->region[i].name, name))
			region = &info->region[i];
	if (!region && info->n == REGIONS_MOST)
		return;
	if (!region) {
		region = &info->region[info->n++];
		(void)snprintf(region->name, sizeof region->name, "%s", name);
	}
	region->bytes[kind] = bytes;
	region->has[kind] = true;
}

static void take_line(struct fdinfo *info, const char *key, const char *value)
{
	static const char engine[] = "drm-engine-", capacity[] = "drm-engine-capacity-";

	if (!strcmp(key, "drm-client-id")) {
		info->has_id = isdigit((unsigned char)*value);
		info->id = strtoull(value, NULL, 10);
	} else if (!strcmp(key, "drm-pdev")) {
		info->device = UINT64_C(14695981039346656037); /* FNV-1a */
		for (; *value; value++)
			info->device = (info->device ^ (unsigned char)*value) * UINT64_C(1099511628211);
	} else if (!strncmp(key, engine, sizeof engine - 1)) {
		uint64_t ns = isdigit((unsigned char)*value) ? strtoull(value, NULL, 10) : 0;

		if (strncmp(key, capacity, sizeof capacity - 1) != 0 && ns < BYTES_MOST)
			info->busy_ns += ns;
	}
	for (size_t kind = 0; kind < N_KINDS; kind++)
		if (!strncmp(key, kinds[kind], strlen(kinds[kind])))
			take_region(info, kind, key + strlen(kinds[kind]), value);
}

/* Memory of a device that has its own; of one that shares that of the machine, all of it. */
static uint64_t device_bytes(const struct fdinfo *info)
{
	uint64_t own = 0, all = 0;
	bool has_own = false;

	for (size_t i = 0; i < info->n; i++) {
		const struct region *region = &info->region[i];
		bool is_own = !strncmp(region->name, "vram", 4) || !strncmp(region->name, "local", 5);
		size_t kind = N_KINDS - 1;

		while (kind && !region->has[kind])
			kind--;
		has_own |= is_own;
		own += is_own ? region->bytes[kind] : 0;
		all += region->bytes[kind];
	}
	return has_own ? own : all;
}

/* ---- all files of a tree -------------------------------------------------------------------------------- */

static void take_client(struct ft__drm *drm, const struct fdinfo *info)
{
	struct ft__drm_client *client = NULL;

	for (size_t i = 0; i < drm->n && !client; i++)
		if (drm->client[i].device == info->device && drm->client[i].id == info->id)
			client = &drm->client[i];
	if (!client) {
		struct ft__drm_client *grown =
			drm->n < CLIENTS_MOST ? ft_grow(drm->client, drm->n, &drm->capacity, sizeof *grown)
					      : NULL;
		if (!grown)
			return;
		drm->client = grown;
		client = &grown[drm->n++];
		*client = (struct ft__drm_client){.device = info->device, .id = info->id};
	}
	if (client->look == drm->look)
		return; /* another descriptor of the same */
	client->look = drm->look;
	drm->bytes += device_bytes(info);
	/* A counter never falls; what a client that is gone has computed stays. */
	if (info->busy_ns > client->busy_ns)
		client->busy_ns = info->busy_ns;
}

/* A process that is looked at. */
struct looking_at {
	struct ft__drm *drm;
	const struct ft__tree *tree;
	pid_t pid;
};

static void look_at_descriptor(void *ctx, int folder, const char *descriptor)
{
	static const char dri[] = "/dev/dri/";
	const struct looking_at *looking = ctx;
	char name[64], path[sizeof dri], text[8192];
	struct fdinfo info = {0};

	if (readlinkat(folder, descriptor, path, sizeof path) < (ssize_t)sizeof dri ||
	    memcmp(path, dri, sizeof dri - 1) != 0)
		return;
	(void)snprintf(name, sizeof name, "%d/fdinfo/%.10s", (int)looking->pid, descriptor);
	if (!ft__tree_read(looking->tree->proc, name, text, sizeof text))
		return;
	char *next;

	for (char *line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		char *value = strchr(line, ':');
		if (!value)
			continue;
		*value++ = '\0';
		take_line(&info, line, value + strspn(value, " \t"));
	}
	if (info.has_id)
		take_client(looking->drm, &info);
}

void ft__drm_look(struct ft__drm *drm, const struct ft__tree *tree)
{
	drm->look++;
	drm->bytes = 0;
	for (size_t i = 0; i < tree->n; i++) {
		struct looking_at looking = {drm, tree, tree->member[i].pid};

		ft__tree_descriptors(tree, looking.pid, look_at_descriptor, &looking);
	}
	if (drm->bytes > drm->peak_bytes)
		drm->peak_bytes = drm->bytes;
}

double ft__drm_busy_s(const struct ft__drm *drm)
{
	double busy_s = 0;

	for (size_t i = 0; i < drm->n; i++)
		busy_s += 1e-9 * (double)drm->client[i].busy_ns;
	return busy_s;
}

void ft__drm_clear(struct ft__drm *drm)
{
	ft_free(drm->client);
	*drm = (struct ft__drm){0};
}

/* ---- the gauge ------------------------------------------------------------------------------------------ */

static struct {
	struct ft__drm of;
	bool there;
	int64_t due_ns;
} gauge;

static void open_gauge(struct ft__keeper *keeper)
{
	(void)keeper;
	gauge.there = !access("/dev/dri", F_OK);
}

static void look(struct ft__keeper *keeper, struct ft__look *look)
{
	if (!gauge.there || look->since_ns < gauge.due_ns)
		return;
	int64_t began_ns = ft_clock_spent_ns();
	ft__drm_look(&gauge.of, &keeper->tree);
	int64_t price_ns = ft_clock_spent_ns() - began_ns;
	look->bounded_ns += price_ns;
	gauge.due_ns = look->since_ns + (PRICE * price_ns > look->since_ns / OFTEN ? PRICE * price_ns
										   : look->since_ns / OFTEN);
}

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	if (!gauge.there)
		return;
	reply->drm_bytes = gauge.of.peak_bytes;
	reply->drm_s = ft__drm_busy_s(&gauge.of);
	reply->flags |= keeper->has_tree ? FT__HAS_DRM : 0U;
	ft__drm_clear(&gauge.of);
	gauge.due_ns = 0;
}

const struct ft__gauge ft__drm_gauge = {.open = open_gauge, .look = look, .read = read_gauge};
