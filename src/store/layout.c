/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.c - what many runs have in common is stored once, as a layout; of each run only its numbers are. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/*
 * Layouts.
 *
 * Most runs of a program end in the same way, and have the same samples from the same probes, with the same reasons
 * where a value is unavailable. A layout holds all of that: the outcome, and a blob of texts that each end in a zero
 * byte:
 *
 *     "EXIT_STATUS SIGNAL WARMUP REAL PROCESSORS"
 *     for each number of a run '-' (not known), 'x' (in its blob) or '=' (its wall time, which the cost often is)
 *     version, routine: "" (none), else '=' and the text
 *     for each sample: resource, label, probe, '1' (its value is in the blob) or '0', and its reason as above
 *
 * The blob of a run holds its known numbers, then the known values of its samples: eight bytes each, little-endian IEEE
 * doubles.
 */

/* In this order in a blob. */
static const size_t number_at[FT__NUMBERS] = {
	offsetof(struct ft_run, cost_s),          offsetof(struct ft_run, work),
	offsetof(struct ft_run, load_before),     offsetof(struct ft_run, cpu_hz),
	offsetof(struct ft_run, runnable_before), offsetof(struct ft_run, runnable_after),
	offsetof(struct ft_run, pressure),        offsetof(struct ft_run, asked_s),
	offsetof(struct ft_run, asked_bytes)};
enum { COST, FIRST_ASKED = 7 };

/* As many are remembered; more are found in the store again. */
enum { LAYOUTS_MOST = 64 };

static double get_number(const struct ft_run *run, size_t i)
{
	double value;

	memcpy(&value, (const char *)run + number_at[i], sizeof value);
	return value;
}

static void set_number(struct ft_run *run, size_t i, double value)
{
	memcpy((char *)run + number_at[i], &value, sizeof value);
}

static void clear_layout(struct ft__layout *layout)
{
	for (size_t i = 0; i < layout->n_samples; i++)
		ft_free(layout->sample[i].reason);
	ft_free(layout->sample);
	ft_free(layout->version);
	ft_free(layout->routine);
	*layout = (struct ft__layout){0};
}

void ft__layouts_forget(struct ft_store *store)
{
	for (size_t i = 0; i < store->n_layouts; i++)
		clear_layout(&store->layout[i]);
	ft_free(store->layout);
	store->layout = NULL;
	store->n_layouts = store->layouts_capacity = store->last_layout = 0;
}

/* Room for one more, empty. */
static enum ft_status add_layout(struct ft_store *store, struct ft__layout **out, struct ft_err *err)
{
	if (store->n_layouts == LAYOUTS_MOST)
		ft__layouts_forget(store);
	*out = ft_grow(store->layout, store->n_layouts, &store->layouts_capacity, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	store->layout = *out;
	store->last_layout = store->n_layouts++;
	*out += store->last_layout;
	**out = (struct ft__layout){0};
	return FT_OK;
}

/* The one that was added last is none after all. */
static void drop_layout(struct ft_store *store)
{
	clear_layout(&store->layout[--store->n_layouts]);
	store->last_layout = 0;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

void ft__layout_text(struct ft_text *rest, const char *text)
{
	if (text)
		ft_text_add_bytes(rest, "=", 1);
	ft_text_add_bytes(rest, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void add_word(struct ft_text *rest, const char *word)
{
	ft_text_add_bytes(rest, word, strlen(word) + 1);
}

void ft__layout_head(struct ft_text *rest, const int head[FT__HEAD], const char known[FT__NUMBERS + 1])
{
	for (size_t i = 0; i < FT__HEAD; i++)
		ft_text_add(rest, "%s%d", i ? " " : "", head[i]);
	ft_text_add_bytes(rest, "", 1);
	add_word(rest, known);
}

void ft__layout_sample(struct ft_text *rest, const char *resource, const char *label, const char *probe,
		       bool known, const char *reason)
{
	add_word(rest, resource);
	add_word(rest, label);
	add_word(rest, probe);
	add_word(rest, known ? "1" : "0");
	ft__layout_text(rest, reason);
}

/* The next text of a blob; NULL: it has no end. */
static const char *next_text(const char **at, const char *end)
{
	const char *text = *at, *zero = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;

	if (zero)
		*at = zero + 1;
	return zero ? text : NULL;
}

/* A text as ft__layout_text adds it, copied. */
static enum ft_status read_text(struct ft_store *store, const char **at, const char *end, char **out,
				struct ft_err *err)
{
	const char *text = next_text(at, end);

	if (!text || (*text && *text != '='))
		return ft__damaged(store, "a layout of runs has no end", err);
	if (!*text)
		return FT_OK;
	*out = ft_strdup(text + 1);
	return *out ? FT_OK : ft_nomem(err);
}

static enum ft_status read_sample(struct ft_store *store, const char **at, const char *end,
				  struct ft__layout *layout, struct ft_err *err)
{
	const char *resource = next_text(at, end), *label = next_text(at, end), *probe = next_text(at, end),
		   *known = next_text(at, end);
	struct ft_sample *grown, sample = {0};

	if (!resource || !label || !probe || !known)
		return ft__damaged(store, "a layout of runs has no end", err);
	if (!ft_label_parse(label, &sample.label))
		return ft__damaged(store, "a sample has an unknown label", err);
	FT_TRY(ft_resource_named(resource, &sample.resource, err));
	(void)snprintf(sample.probe, sizeof sample.probe, "%s", probe);
	sample.value = *known == '1' ? 0 : (double)NAN;
	grown = ft_grow(layout->sample, layout->n_samples, &layout->samples_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	layout->sample = grown;
	FT_TRY(read_text(store, at, end, &sample.reason, err));
	layout->n_values += *known == '1';
	grown[layout->n_samples++] = sample;
	return FT_OK;
}

static enum ft_status read_layout(struct ft_store *store, const char *outcome, const char *rest,
				  size_t length, struct ft__layout *layout, struct ft_err *err)
{
	const char *at = rest, *end = rest + length, *head = next_text(&at, end),
		   *known = next_text(&at, end);
	int warmup, real;

	if (!ft_outcome_parse(outcome, &layout->outcome))
		return ft__damaged(store, "a run has an unknown outcome", err);
	if (!head || !known || strlen(known) != FT__NUMBERS || strspn(known, "-x=") != FT__NUMBERS ||
	    sscanf(head, "%d %d %d %d %d", &layout->exit_status, &layout->signal, &warmup, &real,
		   &layout->processors) != FT__HEAD)
		return ft__damaged(store, "a layout of runs has no head", err);
	layout->warmup = warmup != 0;
	layout->real = real != 0;
	memcpy(layout->known, known, sizeof layout->known);
	for (size_t i = 0; i < FT__NUMBERS; i++)
		layout->n_values += known[i] == 'x';
	FT_TRY(read_text(store, &at, end, &layout->version, err));
	FT_TRY(read_text(store, &at, end, &layout->routine, err));
	while (at < end)
		FT_TRY(read_sample(store, &at, end, layout, err));
	return FT_OK;
}

/* ---- of a run that is to be stored -------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_of(const struct ft__layout *layout, const struct ft_run *run, const char *known)
{
	if (layout->n_samples != run->n_samples || layout->outcome != run->outcome ||
	    layout->exit_status != run->exit_status || layout->signal != run->signal ||
	    layout->warmup != run->warmup || layout->real != run->real ||
	    layout->processors != run->processors || strcmp(layout->known, known) != 0 ||
	    !same_text(layout->version, run->version) || !same_text(layout->routine, run->routine))
		return false;
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct ft_sample *a = &layout->sample[i], *b = &run->sample[i];

		if (a->resource != b->resource || a->label != b->label ||
		    isnan(a->value) != !isfinite(b->value) || strcmp(a->probe, b->probe) != 0 ||
		    !same_text(a->reason, b->reason))
			return false;
	}
	return true;
}

enum ft_status ft__layout_put(struct ft_store *store, const char *outcome, const struct ft_text *rest,
			      int64_t *id, struct ft_err *err)
{
	return ft__exec(store, FT__PUT_LAYOUT,
			FT__VALUES(ft__text(outcome), ((struct ft__value){.type = FT__BYTES,
									  .bytes = rest->s,
									  .integer = (int64_t)rest->length})),
			id, err);
}

enum ft_status ft__layout_of(struct ft_store *store, const struct ft_run *run, const struct ft__layout **out,
			     struct ft_err *err)
{
	char known[FT__NUMBERS + 1];

	for (size_t i = 0; i < FT__NUMBERS; i++) {
		double value = get_number(run, i);

		known[i] = isfinite(value) && (i < FIRST_ASKED || value > 0) ? 'x' : '-';
	}
	if (known[COST] == 'x' && run->cost_s == ft_run_value(run, &ft_wall_s))
		known[COST] = '=';
	known[FT__NUMBERS] = '\0';
	for (size_t i = 0; i < store->n_layouts; i++) {
		size_t at = (store->last_layout + i) % store->n_layouts;

		if (!is_of(&store->layout[at], run, known))
			continue;
		store->last_layout = at;
		*out = &store->layout[at];
		return FT_OK;
	}
	/* The layout of a run is added to the store where it has none such. */
	const int head[FT__HEAD] = {run->exit_status, run->signal, run->warmup, run->real, run->processors};
	const char *outcome = ft_outcome_text(run->outcome);
	FT_CLEANUP(ft_text_clear) struct ft_text rest = {0};
	struct ft__layout *layout;

	ft__layout_head(&rest, head, known);
	ft__layout_text(&rest, run->version);
	ft__layout_text(&rest, run->routine);
	for (size_t i = 0; i < run->n_samples; i++)
		ft__layout_sample(&rest, run->sample[i].resource->name, ft_label_text(run->sample[i].label),
				  run->sample[i].probe, isfinite(run->sample[i].value),
				  run->sample[i].reason);
	if (rest.failed)
		return ft_nomem(err);
	FT_TRY(add_layout(store, &layout, err));
	enum ft_status status = ft__layout_put(store, outcome, &rest, &layout->id, err);
	if (!status)
		status = read_layout(store, outcome, rest.s, rest.length, layout, err);
	if (status)
		drop_layout(store);
	else
		*out = layout;
	return status;
}

void ft__number_pack(unsigned char bytes[8], double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	for (size_t i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(bits >> (8 * i));
}

static double unpack_number(const unsigned char bytes[8])
{
	uint64_t bits = 0;
	double value;

	for (size_t i = 0; i < 8; i++)
		bits |= (uint64_t)bytes[i] << (8 * i);
	memcpy(&value, &bits, sizeof value);
	return isfinite(value) ? value : (double)NAN;
}

void ft__layout_pack(const struct ft__layout *layout, const struct ft_run *run, unsigned char *bytes)
{
	for (size_t i = 0; i < FT__NUMBERS; i++)
		if (layout->known[i] == 'x') {
			ft__number_pack(bytes, get_number(run, i));
			bytes += 8;
		}
	for (size_t i = 0; i < layout->n_samples; i++)
		if (!isnan(layout->sample[i].value)) {
			ft__number_pack(bytes, run->sample[i].value);
			bytes += 8;
		}
}

/* ---- of a run that was stored ------------------------------------------------------------------------- */

static enum ft_status find_layout(struct ft_store *store, int64_t id, const struct ft__layout **out,
				  struct ft_err *err)
{
	struct ft__layout *layout;
	sqlite3_stmt *stmt;

	for (size_t i = 0; i < store->n_layouts; i++) {
		size_t at = (store->last_layout + i) % store->n_layouts;

		if (store->layout[at].id != id)
			continue;
		store->last_layout = at;
		*out = &store->layout[at];
		return FT_OK;
	}
	FT_TRY(add_layout(store, &layout, err));
	layout->id = id;
	enum ft_status status = ft__query(store, FT__GET_LAYOUT, FT__VALUES(ft__int(id)), &stmt, err);
	if (!status)
		status = ft__row(store, stmt, err);
	if (status == FT_EEND) {
		status = ft__damaged(store, "a run has no layout", err);
	} else if (!status) {
		const char *outcome = (const char *)sqlite3_column_text(stmt, 0),
			   *rest = sqlite3_column_blob(stmt, 1);
		size_t length = (size_t)sqlite3_column_bytes(stmt, 1);

		status = outcome && rest ? read_layout(store, outcome, rest, length, layout, err)
					 : ft__damaged(store, "a layout of runs is empty", err);
		(void)sqlite3_reset(stmt);
	}
	if (status)
		drop_layout(store);
	else
		*out = layout;
	return status;
}

/* Reasons are copied: a run owns its own. */
static enum ft_status read_samples(const struct ft__layout *layout, const unsigned char *bytes,
				   struct ft_run *run, struct ft_err *err)
{
	if (!layout->n_samples)
		return FT_OK;
	run->sample = ft_calloc(layout->n_samples, sizeof *run->sample);
	if (!run->sample)
		return ft_nomem(err);
	for (; run->n_samples < layout->n_samples; run->n_samples++) {
		const struct ft_sample *from = &layout->sample[run->n_samples];
		struct ft_sample *sample = &run->sample[run->n_samples];

		*sample = *from;
		if (from->reason && !(sample->reason = ft_strdup(from->reason)))
			return ft_nomem(err);
		if (!isnan(from->value)) {
			sample->value = unpack_number(bytes);
			bytes += 8;
		}
	}
	return FT_OK;
}

enum ft_status ft__layout_unpack(struct ft_store *store, int64_t id, const unsigned char *bytes,
				 size_t length, struct ft_run *run, struct ft_err *err)
{
	const struct ft__layout *layout;

	FT_TRY(find_layout(store, id, &layout, err));
	if (length != 8 * layout->n_values || (length && !bytes))
		return ft__damaged(store, "a run has other numbers than its layout", err);
	FT_TRY(ft__take(store, sizeof *run + layout->n_samples * sizeof *run->sample, err));
	run->outcome = layout->outcome;
	run->exit_status = layout->exit_status;
	run->signal = layout->signal;
	run->warmup = layout->warmup;
	run->real = layout->real;
	run->processors = layout->processors;
	for (size_t i = 0; i < FT__NUMBERS; i++) {
		set_number(run, i, layout->known[i] == 'x' ? unpack_number(bytes) : (double)NAN);
		if (layout->known[i] == 'x') /* of no numbers there are no bytes */
			bytes += 8;
	}
	if ((layout->version && !(run->version = ft_strdup(layout->version))) ||
	    (layout->routine && !(run->routine = ft_strdup(layout->routine))))
		return ft_nomem(err);
	FT_TRY(read_samples(layout, bytes, run, err));
	if (layout->known[COST] == '=')
		run->cost_s = ft_run_value(run, &ft_wall_s);
	return FT_OK;
}
