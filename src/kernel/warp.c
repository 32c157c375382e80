/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warp.c - sectors, strides and cache lines touched by work-items.
 *
 * A device that executes a warp together makes one access of the k-th execution of an instruction by each
 * of its work-items. A processor executes one work-item after the other, and so does the simulated cache. */
#include "base/alloc.h"
#include "kernel/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32 };

enum ft_status ft__trace_open(struct ft__trace *trace, const struct ft__run *run,
			      const struct ft_kernel_options *options, struct ft_err *err)
{
	struct ft__line_cache *cache = &trace->cache;
	size_t lines = options->line ? options->cache / options->line : 0;

	if (!options->warp || options->warp > 1024 || !options->line || !options->ways ||
	    lines < options->ways)
		return ft_fail(err, FT_EINVAL,
			       "a warp has 1 to 1024 work-items, and a cache as many lines as a set has "
			       "places, or more");
	trace->warp = options->warp;
	trace->n_accesses = run->kernel->n_accesses;
	trace->n_buffers = (size_t)run->first_alloca;
	*cache = (struct ft__line_cache){options->line, lines / options->ways, options->ways, NULL, 0};
	cache->tag = ft_calloc(cache->sets * cache->ways, sizeof *cache->tag);
	trace->pattern = ft_calloc(trace->n_accesses + 1, sizeof *trace->pattern);
	trace->reach = ft_calloc(trace->n_buffers + 1, sizeof *trace->reach);
	trace->own = ft_calloc(trace->n_buffers + 1, sizeof *trace->own);
	trace->first = ft_calloc((trace->n_accesses + 2) * trace->warp, sizeof *trace->first);
	if (!cache->tag || !trace->pattern || !trace->reach || !trace->own || !trace->first)
		return ft_nomem(err);
	for (size_t i = 0; i < trace->n_accesses; i++)
		trace->pattern[i] = (struct ft__pattern){.step = NAN, .buffer = -1};
	for (size_t i = 0; i < trace->n_buffers; i++)
		trace->reach[i] = (struct ft__reach){.least = UINT64_MAX};
	return FT_OK;
}

void ft__trace_close(struct ft__trace *trace)
{
	ft_free(trace->cache.tag);
	ft_free(trace->pattern);
	ft_free(trace->reach);
	ft_free(trace->own);
	ft_free(trace->first);
	ft_free(trace->order);
	ft_free(trace->sector);
}

/* ---- the cache ---------------------------------------------------------------------------------------- */

static void cache_touch(struct ft__trace *trace, const struct ft__touch *touch)
{
	struct ft__line_cache *cache = &trace->cache;
	uint64_t line = touch->address / cache->line;

	if (!touch->address) { /* anywhere: no line that is there */
		cache->misses++;
		return;
	}
	for (; line <= (touch->address + (uint64_t)touch->bytes - 1) / cache->line; line++) {
		uint64_t *set = cache->tag + line % cache->sets * cache->ways, mark = line + 1;
		size_t i = 0;

		while (i + 1 < cache->ways && set[i] != mark)
			i++;
		cache->misses += set[i] != mark;
		memmove(set + 1, set, sizeof *set * i);
		set[0] = mark;
	}
}

/* ---- one work-item after the other -------------------------------------------------------------------- */

static void item_touches(struct ft__trace *trace, const struct ft__item *item)
{
	for (size_t i = 0; i < trace->n_buffers; i++)
		trace->own[i] = (struct ft__reach){.least = UINT64_MAX};
	for (size_t i = 0; i < item->n_touches; i++) {
		const struct ft__touch *touch = &item->touch[i];
		int buffer = (int)(touch->address >> FT__ADDRESS_BITS) - 1;

		cache_touch(trace, touch);
		trace->pattern[touch->access].times++;
		if (touch->address && buffer >= 0 && (size_t)buffer < trace->n_buffers) {
			struct ft__reach *reach = &trace->own[buffer];
			uint64_t end = touch->address + (uint64_t)touch->bytes;

			reach->least = touch->address < reach->least ? touch->address : reach->least;
			reach->most = end > reach->most ? end : reach->most;
			reach->touches++;
			struct ft__pattern *pattern = &trace->pattern[touch->access];

			if (pattern->buffer == -1)
				pattern->buffer = buffer;
			else if (pattern->buffer != buffer)
				pattern->buffer = -2;
		}
	}
	for (size_t k = 0; k < trace->n_buffers; k++) {
		struct ft__reach *own = &trace->own[k], *all = &trace->reach[k];

		if (!(own->touches > 0))
			continue;
		all->least = own->least < all->least ? own->least : all->least;
		all->most = own->most > all->most ? own->most : all->most;
		all->block = own->most - own->least > all->block ? own->most - own->least : all->block;
		all->touches += own->touches;
	}
}

/* ---- warps -------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static size_t count_distinct(uint64_t *sector, size_t n)
{
	size_t different = n > 0;
	bool sorted = true;

	for (size_t i = 1; i < n && sorted; i++)
		sorted = sector[i - 1] <= sector[i];
	if (!sorted)
		qsort(sector, n, sizeof *sector, by_number);
	for (size_t i = 1; i < n; i++)
		different += sector[i] != sector[i - 1];
	return different;
}

/* The lanes of one access of a warp, or NULL where a lane has none. */
static void note_access(struct ft__trace *trace, struct ft__pattern *pattern,
			const struct ft__touch *const lane[])
{
	size_t n = 0, unknown = 0;
	const struct ft__touch *left = NULL;

	for (size_t i = 0; i < trace->warp; i++) {
		if (!lane[i]) {
			left = NULL;
			continue;
		}
		unknown += !lane[i]->address;
		if (!lane[i]->address)
			continue;
		if (left) {
			/* Record a pair of neighbours. */
			int64_t stride = (int64_t)(lane[i]->address - left->address);

			if (!(pattern->pairs > 0))
				pattern->stride = stride;
			pattern->pairs++;
			pattern->same += stride == pattern->stride;
		}
		left = lane[i];
		for (uint64_t at = left->address / SECTOR;
		     at <= (left->address + (uint64_t)left->bytes - 1) / SECTOR; at++)
			if (n < trace->sector_capacity)
				trace->sector[n++] = at;
	}
	pattern->warps++;
	pattern->sectors += (double)(count_distinct(trace->sector, n) + unknown);
}

struct lanes {
	const struct ft__item *item;
	size_t n, stride; /* stride: of `order` */
};

static void trace_access(struct ft__trace *trace, const struct lanes *lanes, size_t access,
			 const struct ft__touch **lane)
{
	struct ft__pattern *pattern = &trace->pattern[access];
	size_t most = 0, rows = trace->n_accesses + 2;

	for (size_t i = 0; i < lanes->n; i++) {
		const uint32_t *first = trace->first + i * rows;
		size_t n = first[access + 1] - first[access];

		most = n > most ? n : most;
		/* The strides of a work-item from one execution to the next. */
		const uint32_t *order = trace->order + i * lanes->stride + first[access];
		for (size_t j = 1; j < n; j++) {
			uint64_t a = lanes->item[i].touch[order[j - 1]].address,
				 b = lanes->item[i].touch[order[j]].address;
			double step = a && b ? fabs((double)(int64_t)(b - a)) : NAN;

			pattern->step = fmax(pattern->step, step); /* of a number and NaN the number */
		}
	}
	for (size_t k = 0; k < most; k++) {
		for (size_t i = 0; i < trace->warp; i++) {
			const uint32_t *first = trace->first + i * rows;

			lane[i] =
				i < lanes->n && k < first[access + 1] - first[access]
					? &lanes->item[i]
						   .touch[trace->order[i * lanes->stride + first[access] + k]]
					: NULL;
		}
		note_access(trace, pattern, lane);
	}
}

static void note_warp(struct ft__trace *trace, const struct ft__item *item, size_t n)
{
	struct lanes lanes = {item, n, 1};
	const struct ft__touch *lane[1024] = {NULL};

	for (size_t i = 0; i < n; i++)
		lanes.stride = item[i].n_touches > lanes.stride ? item[i].n_touches : lanes.stride;
	/* Room for the touches of a warp, and for the sectors of its widest access. */
	size_t touches = lanes.stride * trace->warp;
	if (trace->order_capacity < touches) {
		ft_free(trace->order);
		trace->order = ft_malloc(sizeof *trace->order * touches);
		trace->order_capacity = trace->order ? touches : 0;
	}
	if (!trace->sector) {
		trace->sector_capacity = trace->warp * 8; /* a vector of 16 doubles touches 5 */
		trace->sector = ft_malloc(sizeof *trace->sector * trace->sector_capacity);
	}
	trace->failed = trace->failed || !trace->order || !trace->sector;
	if (trace->failed)
		return;
	for (size_t i = 0; i < n; i++) {
		/* Touches of one work-item in the order of accesses, by counting. first: [n_accesses + 1] */
		uint32_t *first = trace->first + i * (trace->n_accesses + 2);
		uint32_t *order = trace->order + i * lanes.stride;
		size_t kinds = trace->n_accesses;

		memset(first, 0, sizeof *first * (kinds + 2));
		for (size_t k = 0; k < item[i].n_touches; k++)
			first[item[i].touch[k].access + 2]++;
		for (size_t k = 2; k < kinds + 2; k++)
			first[k] += first[k - 1];
		for (size_t k = 0; k < item[i].n_touches; k++)
			order[first[item[i].touch[k].access + 1]++] = (uint32_t)k;
	}
	for (size_t i = 0; i < trace->n_accesses; i++)
		trace_access(trace, &lanes, i, lane);
}

void ft__trace_phase(void *with, struct ft__run *run)
{
	struct ft__trace *trace = with;

	if (!run->trace)
		return;
	for (size_t i = 0; i < run->n_items; i++)
		item_touches(trace, &run->item[i]);
	for (size_t i = 0; i < run->n_items; i += trace->warp)
		note_warp(trace, &run->item[i],
			  run->n_items - i < trace->warp ? run->n_items - i : trace->warp);
}

double ft__misses_rule(const struct ft__trace *trace, const struct ft_kernel_options *options, double scale)
{
	double line = (double)options->line, misses = 0;

	for (size_t i = 0; i < trace->n_buffers; i++)
		trace->reach[i].step = 0;
	for (size_t i = 0; i < trace->n_accesses; i++) {
		const struct ft__pattern *pattern = &trace->pattern[i];

		if (pattern->buffer >= 0)
			trace->reach[pattern->buffer].step =
				fmax(trace->reach[pattern->buffer].step, pattern->step);
	}
	for (size_t i = 0; i < trace->n_buffers; i++) {
		const struct ft__reach *reach = &trace->reach[i];

		if (!(reach->touches > 0))
			continue;
		if (reach->block <= options->cache)
			misses += ceil((double)(reach->most - reach->least) / line);
		else
			misses += reach->touches * scale * fmin(1, reach->step / line);
	}
	return misses;
}

/*
 * Counts of an instruction.
 */

/* Counters of each width, in the order of FT_KERNEL_REAL_LIST. */
enum real_kind { ADD, MULTIPLY, DIVIDE, FUSED, COMPARE, OTHER, MATH, REAL_KINDS };

static void count_real(uint32_t count[FT_KERNEL_COUNTS], enum real_kind kind, int width, int lanes)
{
	int first = width == 16 ? FT_KERNEL_F16_ADD : width == 64 ? FT_KERNEL_F64_ADD : FT_KERNEL_F32_ADD;

	count[first + (int)kind] += (uint32_t)lanes;
}

/* Instructions with a fixed kind. */
static const struct {
	int opcode;
	bool of_real;
	enum real_kind kind;        /* of_real */
	enum ft_kernel_count count; /* else */
} plain[] = {
	{FT__FADD, true, ADD, 0},
	{FT__FSUB, true, ADD, 0},
	{FT__FMUL, true, MULTIPLY, 0},
	{FT__FDIV, true, DIVIDE, 0},
	{FT__FREM, true, DIVIDE, 0},
	{FT__FNEG, true, OTHER, 0},
	{FT__ADD, false, 0, FT_KERNEL_INTEGER},
	{FT__SUB, false, 0, FT_KERNEL_INTEGER},
	{FT__MUL, false, 0, FT_KERNEL_INTEGER},
	{FT__SHL, false, 0, FT_KERNEL_INTEGER},
	{FT__LSHR, false, 0, FT_KERNEL_INTEGER},
	{FT__ASHR, false, 0, FT_KERNEL_INTEGER},
	{FT__AND, false, 0, FT_KERNEL_INTEGER},
	{FT__OR, false, 0, FT_KERNEL_INTEGER},
	{FT__XOR, false, 0, FT_KERNEL_INTEGER},
	{FT__UDIV, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__SDIV, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__UREM, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__SREM, false, 0, FT_KERNEL_INTEGER_DIVIDE},
	{FT__SELECT, false, 0, FT_KERNEL_SELECT},
	{FT__SITOFP, false, 0, FT_KERNEL_CONVERT},
	{FT__UITOFP, false, 0, FT_KERNEL_CONVERT},
	{FT__FPTOSI, false, 0, FT_KERNEL_CONVERT},
	{FT__FPTOUI, false, 0, FT_KERNEL_CONVERT},
	{FT__FPEXT, false, 0, FT_KERNEL_CONVERT},
	{FT__FPTRUNC, false, 0, FT_KERNEL_CONVERT},
};

static void access_tally(int space, bool store, int bytes, uint32_t count[FT_KERNEL_COUNTS])
{
	switch (space) {
	case FT__GLOBAL:
		count[store ? FT_KERNEL_GLOBAL_STORE : FT_KERNEL_GLOBAL_LOAD]++;
		count[store ? FT_KERNEL_GLOBAL_STORE_BYTES : FT_KERNEL_GLOBAL_LOAD_BYTES] += (uint32_t)bytes;
		break;
	case FT__LOCAL:
		count[store ? FT_KERNEL_LOCAL_STORE : FT_KERNEL_LOCAL_LOAD]++;
		break;
	case FT__CONSTANT:
		count[FT_KERNEL_CONSTANT_LOAD]++;
		break;
	default:
		count[store ? FT_KERNEL_PRIVATE_STORE : FT_KERNEL_PRIVATE_LOAD]++;
	}
}

static void call_tally(const struct ft__instruction *op, uint32_t count[FT_KERNEL_COUNTS])
{
	int lanes = op->lanes ? op->lanes : 1;

	switch (op->builtin->kind) {
	case FT__BARRIER:
		count[FT_KERNEL_BARRIER]++;
		break;
	case FT__ATOMIC:
		count[op->space == FT__LOCAL ? FT_KERNEL_ATOMIC_LOCAL : FT_KERNEL_ATOMIC_GLOBAL]++;
		break;
	case FT__FUSED:
		count_real(count, FUSED, op->width, lanes);
		break;
	case FT__DOT:
		count_real(count, FUSED, op->width, op->from_lanes);
		break;
	case FT__MATH:
		count_real(count, MATH, op->width, lanes);
		break;
	case FT__CHEAP:
		if (op->real)
			count_real(count, OTHER, op->width, lanes);
		else
			count[FT_KERNEL_INTEGER] += (uint32_t)lanes;
		break;
	case FT__CONVERSION:
		count[FT_KERNEL_CONVERT] += (uint32_t)lanes;
		break;
	case FT__VECTOR_LOAD:
	case FT__VECTOR_STORE:
		access_tally(op->space, op->store, op->bytes, count);
		break;
	default:
		break;
	}
}

void ft__tally(const struct ft__instruction *op, uint32_t count[FT_KERNEL_COUNTS])
{
	int lanes = op->lanes ? op->lanes : 1;

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (plain[i].opcode == op->opcode) {
			if (plain[i].of_real)
				count_real(count, plain[i].kind, op->width, lanes);
			else
				count[plain[i].count] += (uint32_t)lanes;
			return;
		}
	if (op->opcode == FT__LOAD || op->opcode == FT__STORE)
		access_tally(op->space, op->store, op->bytes, count);
	else if (op->opcode == FT__CALL)
		call_tally(op, count);
	else if (op->opcode == FT__FCMP)
		count_real(count, COMPARE, op->from_width, lanes);
	else if (op->opcode == FT__ICMP)
		count[FT_KERNEL_INTEGER_COMPARE] += (uint32_t)lanes;
	else if ((op->opcode == FT__BR && op->n == 2) || op->opcode == FT__SWITCH)
		count[FT_KERNEL_BRANCH]++;
	else if (op->opcode == FT__ATOMICRMW || op->opcode == FT__CMPXCHG)
		count[op->space == FT__LOCAL ? FT_KERNEL_ATOMIC_LOCAL : FT_KERNEL_ATOMIC_GLOBAL]++;
}
