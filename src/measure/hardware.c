/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.c - list the devices of this machine and their drivers; those of OpenCL through its loader, which is
 * not linked: the few names of its interface that are needed are declared here (Khronos, The OpenCL
 * Specification 3.0, chapter 4). */
#include "base/alloc.h"
#include "base/command.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/measure.h"
#include "measure/opencl.h"

#include <errno.h>
#include <fnmatch.h>
#include <hwloc.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * The devices of this machine, and their drivers.
 */

const char *ft_hardware_kind_text(enum ft_hardware_kind kind)
{
	static const char *const texts[] = {
#define TEXT(name, word) word,
		FT_HARDWARE_LIST(TEXT)
#undef TEXT
	};

	return (size_t)kind < sizeof texts / sizeof *texts ? texts[kind] : "unknown";
}

static void item_clear(struct ft_hardware_item *item)
{
	ft_free(item->id);
	ft_free(item->name);
	ft_free(item->platform);
	ft_free(item->driver);
	ft_free(item->compiler);
	*item = (struct ft_hardware_item){0};
}

void ft_hardware_clear(struct ft_hardware *hardware)
{
	if (!hardware)
		return;
	for (size_t i = 0; i < hardware->n; i++)
		item_clear(&hardware->item[i]);
	ft_free(hardware->item);
	*hardware = (struct ft_hardware){0};
}

enum ft_status ft__hardware_add(struct ft_hardware *hardware, struct ft_hardware_item *item,
				struct ft_err *err)
{
	struct ft_hardware_item *grown =
		item->id ? ft_grow(hardware->item, hardware->n, &hardware->capacity, sizeof *grown) : NULL;

	if (!grown) {
		item_clear(item);
		return ft_nomem(err);
	}
	hardware->item = grown;
	hardware->item[hardware->n++] = *item;
	*item = (struct ft_hardware_item){0};
	return FT_OK;
}

static enum ft_status add_processors(struct ft_hardware *hardware, struct ft_err *err)
{
	struct ft_machine machine = {0};
	enum ft_status status = ft_machine_read("", &machine, err);
	struct ft_hardware_item item = {.kind = FT_HARDWARE_CPU};

	if (status)
		return status;
	item.id = ft_strdup("cpu");
	item.name = machine.cpu;
	machine.cpu = NULL;
	item.units = machine.cores > 0 ? machine.cores : machine.threads;
	item.memory_bytes = machine.memory_bytes;
	ft_machine_clear(&machine);
	return ft__hardware_add(hardware, &item, err);
}

/* ---- the cards of NVIDIA --------------------------------------------------------------------------------
 */

/* The next cell of a line of "index, name, driver, MiB", without blanks around it. */
static char *next_cell(char **line)
{
	char *cell = *line + strspn(*line, " "), *end = cell + strcspn(cell, ",");

	*line = *end ? end + 1 : end;
	while (end > cell && end[-1] == ' ')
		end--;
	*end = '\0';
	return cell;
}

static enum ft_status add_card(struct ft_hardware *hardware, char *line, struct ft_err *err)
{
	char *index = next_cell(&line), *name = next_cell(&line), *driver = next_cell(&line),
	     *mebibytes = next_cell(&line), id[32];
	struct ft_hardware_item item = {.kind = FT_HARDWARE_GPU};

	if (!*index || !*driver || strspn(index, "0123456789") != strlen(index))
		return FT_OK; /* an entry that is no card */
	(void)snprintf(id, sizeof id, "nvidia:%.8s", index);
	item.name = ft_strdup(name);
	item.platform = ft_strdup("CUDA");
	item.driver = ft_strdup(driver);
	item.memory_bytes = strtoll(mebibytes, NULL, 10) << 20;
	item.id = item.name && item.platform && item.driver ? ft_strdup(id) : NULL;
	return ft__hardware_add(hardware, &item, err);
}

static enum ft_status add_cards(struct ft_hardware *hardware, struct ft_err *err)
{
	static const char *const argv[] = {"nvidia-smi", "--query-gpu=index,name,driver_version,memory.total",
					   "--format=csv,noheader,nounits", NULL};
	struct ft__command smi = {.argv = argv, .limit_s = FT__NVIDIA_LIMIT_S, .apart = true};
	enum ft_status asked = ft__command_run(&smi, err), status = asked == FT_ENOMEM ? asked : FT_OK;
	size_t before = hardware->n;
	char *next;

	for (char *line = smi.text; !status && line && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		status = add_card(hardware, line, err);
	}
	if (asked == FT_EUNAVAIL)
		(void)snprintf(hardware->nvidia, sizeof hardware->nvidia, "nvidia-smi is not on PATH");
	else if (!status && hardware->n == before && smi.late)
		(void)snprintf(hardware->nvidia, sizeof hardware->nvidia,
			       "nvidia-smi does not answer within %d s", FT__NVIDIA_LIMIT_S);
	else if (!status && hardware->n == before)
		(void)snprintf(hardware->nvidia, sizeof hardware->nvidia,
			       "nvidia-smi names no card: try it by hand");
	ft__command_clear(&smi);
	if (!status && err)
		*err = (struct ft_err){0};
	return status;
}

enum ft_status ft_hardware_read(struct ft_hardware *out, struct ft_err *err)
{
	*out = (struct ft_hardware){0};
	enum ft_status status = add_processors(out, err);
	if (!status)
		status = ft__opencl_read(out, err);
	if (!status)
		status = add_cards(out, err);
	if (status)
		ft_hardware_clear(out);
	return status;
}

/* ---- drivers --------------------------------------------------------------------------------------------
 */

char *ft_hardware_driver(const struct ft_hardware *hardware, const char *word, bool *failed)
{
	struct ft_text text = {0};
	bool by_id = false;

	*failed = false;
	for (size_t i = 0; i < hardware->n; i++)
		by_id |= !strcmp(hardware->item[i].id, word);
	for (size_t i = 0; i < hardware->n; i++) {
		const struct ft_hardware_item *item = &hardware->item[i];

		if (!item->driver || strcmp(by_id ? item->id : ft_hardware_kind_text(item->kind), word) != 0)
			continue;
		ft_text_add(&text, "%s%s, %s%s%s", text.length ? "; " : "",
			    item->name ? item->name : item->id, item->driver, item->compiler ? ", " : "",
			    item->compiler ? item->compiler : "");
	}
	*failed = text.failed;
	if (text.length && !text.failed)
		return ft_text_take(&text);
	ft_text_clear(&text);
	return NULL;
}

enum {
	PLATFORM_NAME = 0x0902,
	DEVICE_TYPE = 0x1000,
	DEVICE_UNITS = 0x1002,
	DEVICE_MEMORY = 0x101f,
	DEVICE_NAME = 0x102b,
	DRIVER_VERSION = 0x102d,
	DEVICE_VERSION = 0x102f,
	NO_PLATFORM = -1001
};
static const uint64_t type_cpu = 2, type_gpu = 4, type_all = 0xffffffff;
enum { PLATFORMS_MOST = 16, DEVICES_MOST = 32, TEXT_MOST = 1 << 12 };

typedef int32_t get_platforms(uint32_t most, void **platforms, uint32_t *n);
typedef int32_t get_devices(void *platform, uint64_t type, uint32_t most, void **devices, uint32_t *n);
typedef int32_t get_info(void *of, uint32_t what, size_t most, void *value, size_t *bytes);

struct loader {
	get_platforms *platforms;
	get_devices *devices;
	get_info *platform, *device;
};

/* NULL: no such text; *failed: no memory. */
static char *text_of(get_info *get, void *of, uint32_t what, bool *failed)
{
	char text[TEXT_MOST];
	size_t bytes = 0;

	if (get(of, what, sizeof text - 1, text, &bytes) || bytes >= sizeof text)
		return NULL;
	text[bytes] = '\0';
	for (size_t n = strlen(text); n && (text[n - 1] == ' ' || text[n - 1] == '\n'); n--)
		text[n - 1] = '\0';
	if (!*text)
		return NULL;
	char *copy = ft_strdup(text);
	*failed |= !copy;
	return copy;
}

static uint64_t number_of(const struct loader *cl, void *device, uint32_t what, size_t bytes)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;

	if (bytes == sizeof narrow)
		return cl->device(device, what, sizeof narrow, &narrow, NULL) ? 0 : narrow;
	return cl->device(device, what, sizeof wide, &wide, NULL) ? 0 : wide;
}

/* All devices in the order of their numbers, until `each` returns non-zero, which is returned. */
static enum ft_status visit_devices(const struct loader *cl, uint32_t *platforms,
				    enum ft_status (*each)(void *ctx, void *platform, void *device,
							   size_t index),
				    void *ctx, size_t *n)
{
	void *platform[PLATFORMS_MOST], *device[DEVICES_MOST];
	enum ft_status status = FT_OK;

	*n = 0;
	if (cl->platforms(PLATFORMS_MOST, platform, platforms))
		*platforms = 0;
	for (uint32_t i = 0; i < *platforms && i < PLATFORMS_MOST && !status; i++) {
		uint32_t devices = 0;
		if (cl->devices(platform[i], type_all, DEVICES_MOST, device, &devices))
			continue;
		for (uint32_t k = 0; k < devices && k < DEVICES_MOST && !status; k++)
			status = each(ctx, platform[i], device[k], (*n)++);
	}
	return status;
}

static const char no_loader[] = "its loader, libOpenCL.so.1, is not installed: ocl-icd-libopencl1 has it",
		  no_platform[] = "its loader is there, and no platform: install the ICD of a device, or "
				  "pocl-opencl-icd for the processors",
		  no_device[] = "its platforms have no device";

static enum ft_status load_library(struct loader *cl)
{
	const struct ft_symbol symbols[] = {{"clGetPlatformIDs", (void *)&cl->platforms},
					    {"clGetDeviceIDs", (void *)&cl->devices},
					    {"clGetPlatformInfo", (void *)&cl->platform},
					    {"clGetDeviceInfo", (void *)&cl->device}};

	return ft_library_load("libOpenCL.so.1", symbols, sizeof symbols / sizeof *symbols, NULL);
}

struct adding {
	const struct loader *cl;
	struct ft_hardware *hardware;
	struct ft_err *err;
};

static enum ft_status add_visited(void *ctx, void *platform, void *device, size_t index)
{
	const struct adding *to = ctx;

	uint64_t type = number_of(to->cl, device, DEVICE_TYPE, sizeof type);
	bool failed = false;
	char id[32];
	struct ft_hardware_item item = {
		.kind = type & type_gpu   ? FT_HARDWARE_GPU
			: type & type_cpu ? FT_HARDWARE_CPU
					  : FT_HARDWARE_ACCELERATOR,
		.name = text_of(to->cl->device, device, DEVICE_NAME, &failed),
		.platform = text_of(to->cl->platform, platform, PLATFORM_NAME, &failed),
		.driver = text_of(to->cl->device, device, DRIVER_VERSION, &failed),
		.compiler = text_of(to->cl->device, device, DEVICE_VERSION, &failed),
		.units = (int64_t)number_of(to->cl, device, DEVICE_UNITS, sizeof(uint32_t)),
		.memory_bytes = (int64_t)number_of(to->cl, device, DEVICE_MEMORY, sizeof type),
	};

	(void)snprintf(id, sizeof id, "opencl:%zu", index);
	item.id = failed ? NULL : ft_strdup(id);
	return ft__hardware_add(to->hardware, &item, to->err);
}

enum ft_status ft__opencl_read(struct ft_hardware *hardware, struct ft_err *err)
{
	struct loader cl;
	struct adding to = {&cl, hardware, err};
	const char *why = no_loader;
	uint32_t platforms = 0;
	size_t n = 0;
	enum ft_status status = FT_OK;

	if (!load_library(&cl)) {
		status = visit_devices(&cl, &platforms, add_visited, &to, &n);
		why = platforms ? no_device : no_platform;
	}
	if (!n)
		(void)snprintf(hardware->opencl, sizeof hardware->opencl, "%s", why);
	return status;
}

struct finding {
	size_t index;
	void *device;
};

static enum ft_status find_device(void *ctx, void *platform, void *device, size_t index)
{
	struct finding *found = ctx;

	(void)platform;
	if (index == found->index)
		found->device = device;
	return FT_OK;
}

enum ft_status ft__opencl_find(size_t index, void **device, struct ft_err *err)
{
	struct loader cl;
	struct finding found = {.index = index};
	uint32_t platforms = 0;
	size_t n = 0;
	bool loaded = !load_library(&cl);

	if (loaded)
		(void)visit_devices(&cl, &platforms, find_device, &found, &n);
	*device = found.device;
	if (found.device)
		return FT_OK;
	if (!n)
		return ft_fail(err, FT_EUNAVAIL, "OpenCL has no device here: %s",
			       !loaded     ? no_loader
			       : platforms ? no_device
					   : no_platform);
	(void)ft_fail(err, FT_EUNAVAIL, "there is no device opencl:%zu: OpenCL has %zu here", index, n);
	return ft_remedy(err, "foretime device list shows them; a device may have gone, or its driver");
}
