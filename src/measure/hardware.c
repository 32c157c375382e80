/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.c - what computes on this machine, and what drives it. */
#include "base/alloc.h"
#include "base/command.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/energy.h"
#include "measure/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		return FT_OK; /* a word of its own, no card */
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
