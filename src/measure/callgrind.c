/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callgrind.c - reads the files that callgrind writes: how many instructions each function took.
 *
 * The format is that of the valgrind manual, cl-format. A file names a function the first time it occurs,
 * "fn=(12) main", and has its number from then on. Below it stand lines of its own costs, and below "calls="
 * the cost of all calls from there to another function. What a function takes with all that it calls is the
 * sum of both, but not in a circle of functions that call each other: there each call counts again what it
 * calls. Each function of a circle has the cost of the whole circle, as in gprof (Graham, Kessler, McKusick, 1982, section 4). */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "measure/measure.h"
#include "num/num.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_MOST = 1 << 16, /* the rest of a longer line is passed over */
	IDS_MOST = 1 << 20,  /* numbers of names; valgrind itself needs some thousands */
	POSITIONS_MOST = 8,
	UNSET = -1
};

static const char unknown[] = "???";

/* ---- what one file has -------------------------------------------------------------------------------- */

/* Names by their number. */
struct names {
	char **name; /* [n] heap; NULL: not yet seen */
	size_t n, capacity;
};

/* A function as the file numbers it; several may be one, in several recursions. */
struct record {
	char *name;                /* heap; NULL: not yet seen */
	const char *object, *file; /* of the names */
	bool used;                 /* no gap in the numbers */
	bool placed;               /* its own lines were seen, so that object and file are certain */
	double exclusive;
	size_t function;             /* of the profile */
	size_t last_from, last_edge; /* the newest call to it: from the function + 1; its place */
};

struct callgrind_reading {
	struct names objects, files, extra; /* extra: names without a number */
	struct record *record;              /* [records] by number; those without one follow */
	size_t records, record_capacity;
	struct ft_profile_call *edge; /* [edges] of records, later of functions */
	size_t edges, edge_capacity;
	const char *object, *file,
		*now_file; /* now: of the lines that come; differs where something is inlined */
	const char *called_object, *called_file;
	size_t now, called;              /* records; SIZE_MAX: none */
	size_t positions, event, events; /* of a line of costs */
	bool costs_call, skip;           /* the next line is that of a call, or of a jump */
	double inlined, total, stated;   /* stated: of the lines "totals:" */
	bool begun, ended;
	char *command;
};

static void clear_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		ft_free(names->name[i]);
	ft_free(names->name);
}

/* "(12) main": the number, or UNSET; *name becomes what stands behind it. */
static long take_number(const char **name)
{
	char *end;

	if (**name != '(' || !isdigit((unsigned char)(*name)[1]))
		return UNSET;
	const long id = strtol(*name + 1, &end, 10);
	if (*end != ')' || id < 0 || id >= IDS_MOST)
		return UNSET;
	*name = end + 1 + strspn(end + 1, " ");
	return id;
}

static bool reach_name(struct names *names, size_t id)
{
	while (names->n <= id) {
		char **grown = ft_grow(names->name, names->n, &names->capacity, sizeof *grown);

		if (!grown)
			return false;
		names->name = grown;
		grown[names->n++] = NULL;
	}
	return true;
}

/* The text of an object or a file; NULL: no memory. */
static const char *find_name(struct callgrind_reading *r, struct names *names, const char *text)
{
	const long id = take_number(&text);

	if (id == UNSET) { /* not compressed: the names in use are few, and the same as before */
		for (size_t i = r->extra.n; i-- > 0 && i + 8 >= r->extra.n;)
			if (!strcmp(r->extra.name[i], text))
				return r->extra.name[i];
		if (r->extra.n >= IDS_MOST)
			return unknown;
		if (!reach_name(&r->extra, r->extra.n))
			return NULL;
		return r->extra.name[r->extra.n - 1] = ft_strdup(text);
	}
	if (!reach_name(names, (size_t)id))
		return NULL;
	/* Another text for a number in use is of a later part; what points to the first one keeps it. */
	if (*text && names->name[id] && strcmp(names->name[id], text) != 0) {
		if (r->extra.n >= IDS_MOST)
			return names->name[id];
		if (!reach_name(&r->extra, r->extra.n))
			return NULL;
		r->extra.name[r->extra.n - 1] = names->name[id];
		names->name[id] = NULL;
	}
	if (*text && !names->name[id])
		names->name[id] = ft_strdup(text);
	return *text ? names->name[id] : names->name[id] ? names->name[id] : unknown;
}

static bool reach_record(struct callgrind_reading *r, size_t id)
{
	while (r->records <= id) {
		struct record *grown = ft_grow(r->record, r->records, &r->record_capacity, sizeof *grown);

		if (!grown)
			return false;
		r->record = grown;
		grown[r->records++] = (struct record){.object = unknown, .file = unknown};
	}
	return true;
}

/* The record of a function. One without a number is looked for among the newest. False: no memory. */
static bool find_record(struct callgrind_reading *r, const char *text, const char *object, const char *file,
			bool own, size_t *out)
{
	const long id = take_number(&text);
	size_t at = id == UNSET ? r->records : (size_t)id;

	for (size_t i = r->records; id == UNSET && i-- > 0 && i + 4096 >= r->records;)
		if (r->record[i].name && !strcmp(r->record[i].name, text) &&
		    !strcmp(r->record[i].object, object)) {
			at = i;
			break;
		}
	*out = SIZE_MAX;
	if (at >= IDS_MOST)
		return true;
	if (!reach_record(r, at))
		return false;
	struct record *record = &r->record[at];
	if (!record->name && *text) {
		record->name = ft_strdup(text);
		if (!record->name)
			return false;
	}
	record->used = true;
	if (own || !record->placed) {
		record->object = object;
		record->file = file;
		record->placed = record->placed || own;
	}
	*out = at;
	return true;
}

/* ---- lines -------------------------------------------------------------------------------------------- */

/* The instructions in a list of events; what is left out at its end is 0. */
static double find_cost(const struct callgrind_reading *r, const char *numbers)
{
	double cost = 0;
	char *end;

	if (r->event == SIZE_MAX)
		return 0;
	for (size_t i = 0; i <= r->event; i++, numbers = end) {
		cost = strtod(numbers, &end);
		if (end == numbers)
			return 0;
	}
	return cost;
}

/* A line of costs: positions, then the events. */
static bool take_costs(struct callgrind_reading *r, const char *line)
{
	const bool call = r->costs_call;

	r->costs_call = false;
	if (r->skip) {
		r->skip = false;
		return true;
	}
	for (size_t i = 0; i < r->positions; i++) {
		line += strcspn(line, " \t");
		line += strspn(line, " \t");
	}
	const double cost = find_cost(r, line);
	if (!(cost >= 0 && cost < 1e18))
		return true;
	if (call) {
		if (r->now == SIZE_MAX || r->called == SIZE_MAX)
			return true;
		struct record *to = &r->record[r->called];
		if (to->last_from == r->now + 1) {
			r->edge[to->last_edge].inclusive += cost;
			return true;
		}
		struct ft_profile_call *grown = ft_grow(r->edge, r->edges, &r->edge_capacity, sizeof *grown);
		if (!grown)
			return false;
		r->edge = grown;
		to->last_from = r->now + 1;
		to->last_edge = r->edges;
		grown[r->edges++] = (struct ft_profile_call){r->now, r->called, cost};
		return true;
	}
	if (r->now == SIZE_MAX)
		return true;
	r->record[r->now].exclusive += cost;
	r->total += cost;
	if (strcmp(r->now_file, r->file) != 0)
		r->inlined += cost;
	return true;
}

/* "KEY: VALUE". */
static bool take_header(struct callgrind_reading *r, const char *key, const char *value)
{
	value += strspn(value, " \t");
	if (!strcmp(key, "events") || !strcmp(key, "positions")) {
		/* "positions: instr line", "events: Ir Dr Dw". */
		const char *words = value;
		size_t n = 0;

		if (!strcmp(key, "events"))
			r->event = SIZE_MAX;
		for (words += strspn(words, " \t"); *words && n < 64; n++) {
			size_t length = strcspn(words, " \t");

			if (!strcmp(key, "events") && length == 2 && !strncmp(words, "Ir", 2))
				r->event = n;
			words += length;
			words += strspn(words, " \t");
		}
		if (!strcmp(key, "positions"))
			r->positions = n > POSITIONS_MOST ? POSITIONS_MOST : n;
		else
			r->events = n;
	} else if (!strcmp(key, "totals")) {
		r->stated += find_cost(r, value);
		r->ended = true;
	} else if (!strcmp(key, "part")) {
		r->ended = false;
	} else if (!strcmp(key, "cmd") && !r->command) {
		r->command = ft_strdup(value);
		return r->command != NULL;
	}
	return true;
}

/* "KEY=VALUE". */
static bool take_place(struct callgrind_reading *r, const char *key, const char *value)
{
	const char *text;

	if (!strcmp(key, "ob"))
		return (r->object = find_name(r, &r->objects, value)) != NULL;
	if (!strcmp(key, "cob"))
		return (r->called_object = find_name(r, &r->objects, value)) != NULL;
	if (!strcmp(key, "fl") || !strcmp(key, "fi") || !strcmp(key, "fe")) {
		if (!(text = find_name(r, &r->files, value)))
			return false;
		r->now_file = text;
		if (key[1] == 'l')
			r->file = text;
		return true;
	}
	if (!strcmp(key, "cfi") || !strcmp(key, "cfl"))
		return (r->called_file = find_name(r, &r->files, value)) != NULL;
	if (!strcmp(key, "fn")) {
		r->now_file = r->file;
		return find_record(r, value, r->object, r->file, true, &r->now);
	}
	if (!strcmp(key, "cfn"))
		return find_record(r, value, r->called_object ? r->called_object : r->object,
				   r->called_file ? r->called_file : r->file, false, &r->called);
	if (!strcmp(key, "calls")) {
		r->costs_call = true;
		r->called_object = r->called_file = NULL;
	} else if (!strcmp(key, "jump") || !strcmp(key, "jcnd")) {
		r->skip = true;
	}
	return true;
}

static bool take_callgrind_line(struct callgrind_reading *r, char *line)
{
	size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz");

	if (!length)
		return strchr("0123456789+-*", *line) && *line ? take_costs(r, line) : true;
	char *at = line + length;
	if (*at != '=' && *at != ':')
		return true;
	const bool header = *at == ':';
	*at = '\0';
	return header ? take_header(r, line, at + 1) : take_place(r, line, at + 1);
}

/* Lines up to the end. A part of a line that is longer than the buffer is its beginning. */
static enum ft_status read_lines(struct callgrind_reading *r, FILE *file, struct ft_err *err)
{
	FT_OWN char *line = ft_malloc(LINE_MOST);
	bool whole = true;

	if (!line)
		return ft_nomem(err);
	while (fgets(line, LINE_MOST, file)) {
		const bool begins = whole;
		char *newline = strchr(line, '\n');

		whole = newline != NULL;
		if (newline)
			*newline = '\0';
		if (!begins)
			continue;
		if (!strncmp(line, "events:", 7))
			r->begun = true;
		if (!take_callgrind_line(r, line))
			return ft_nomem(err);
	}
	return FT_OK;
}

/* ---- functions ---------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *name, size_t length, const char *object, const char *file)
{
	uint64_t hash = ft_hash_bytes(FT_HASH_START, name, length);

	hash = ft_hash_bytes(hash, object, strlen(object) + 1);
	return ft_hash_bytes(hash, file, strlen(file));
}

static bool same(const struct ft_profile_function *function, const char *name, size_t length,
		 const char *object, const char *file)
{
	return !strncmp(function->name, name, length) && !function->name[length] &&
	       !strcmp(function->object, object) && !strcmp(function->file, file);
}

/* "0x000000000010a1b0" is "0x10a1b0"; "fib'2" is "fib"; Rust's "f::h0123456789abcdef" is "f". Returns how
 * much of the text is the name, or 0 for an address. */
static size_t name_length(const char *text)
{
	size_t length = strlen(text), digits = length;

	while (digits > 0 && isdigit((unsigned char)text[digits - 1]))
		digits--;
	if (digits > 1 && digits < length && text[digits - 1] == '\'')
		length = digits - 1;
	if (!strncmp(text, "0x", 2) && strspn(text + 2, "0123456789abcdef") + 2 == length)
		return 0;
	if (length > 19 && !strncmp(text + length - 19, "::h", 3) &&
	    strspn(text + length - 16, "0123456789abcdef") == strlen(text) - (length - 16))
		length -= 19;
	return length;
}

static enum ft_status add_function(struct ft_profile *profile, const char *name, size_t length, bool nameless,
				   const char *object, const char *file, struct ft_err *err)
{
	struct ft_profile_function *grown =
		ft_grow(profile->function, profile->n, &profile->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	profile->function = grown;
	struct ft_profile_function *f = &grown[profile->n];
	*f = (struct ft_profile_function){.name = ft_strndup(name, length),
					  .object = ft_strdup(object),
					  .file = ft_strdup(file),
					  .nameless = nameless};
	if (f->name && f->object && f->file) {
		profile->n++;
		return FT_OK;
	}
	ft_free(f->name);
	ft_free(f->object);
	ft_free(f->file);
	return ft_nomem(err);
}

/* Each record's function, which may be in the profile already. */
static enum ft_status settle_records(struct callgrind_reading *r, struct ft_profile *profile,
				     struct ft_err *err)
{
	FT_OWN size_t *at = NULL;
	size_t n = 64;

	while (n < 2 * (profile->n + r->records) + 2)
		n *= 2;
	at = ft_calloc(n, sizeof *at);
	if (!at)
		return ft_nomem(err);
	for (size_t i = 0; i < profile->n; i++) {
		const struct ft_profile_function *f = &profile->function[i];
		size_t slot = hash_of(f->name, strlen(f->name), f->object, f->file) & (n - 1);

		while (at[slot])
			slot = (slot + 1) & (n - 1);
		at[slot] = i + 1;
	}
	for (size_t i = 0; i < r->records; i++) {
		struct record *record = &r->record[i];
		const char *name = record->name ? record->name : unknown;

		if (!record->used)
			continue;
		size_t length = name_length(name);
		const bool nameless = !length;
		char address[32];

		if (nameless) {
			(void)snprintf(address, sizeof address, "0x%llx", strtoull(name, NULL, 16));
			name = address;
			length = strlen(address);
		}
		size_t slot = hash_of(name, length, record->object, record->file) & (n - 1);
		while (at[slot] &&
		       !same(&profile->function[at[slot] - 1], name, length, record->object, record->file))
			slot = (slot + 1) & (n - 1);
		if (!at[slot]) {
			FT_TRY(add_function(profile, name, length, nameless, record->object, record->file,
					    err));
			at[slot] = profile->n;
		}
		record->function = at[slot] - 1;
	}
	return FT_OK;
}

/* ---- calls -------------------------------------------------------------------------------------------- */

static int compare_edges(const void *a, const void *b)
{
	const struct ft_profile_call *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* What each function took with all that it calls; own: [n] in this file alone. */
static enum ft_status add_inclusive(const struct callgrind_reading *r, struct ft_profile *profile,
				    const double *own, struct ft_err *err)
{
	FT_ARENA(work);
	const size_t n = profile->n;
	size_t *first = ft_arena_take(&work, n + 2, sizeof *first),
	       *to = ft_arena_take(&work, r->edges + 1, sizeof *to),
	       *circle = ft_arena_take(&work, n + 1, sizeof *circle),
	       *members = ft_arena_take(&work, n + 1, sizeof *members), circles;
	double *cost = ft_arena_take(&work, n + 1, sizeof *cost);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < r->edges; i++) {
		first[r->edge[i].from + 1]++;
		to[i] = r->edge[i].to;
	}
	for (size_t i = 0; i < n; i++)
		first[i + 1] += first[i];
	FT_TRY(ft_circles_find(first, to, n, circle, &circles, err));
	for (size_t i = 0; i < n; i++) {
		cost[circle[i]] += own[i];
		members[circle[i]]++;
	}
	for (size_t i = 0; i < r->edges; i++)
		if (circle[r->edge[i].from] != circle[r->edge[i].to])
			cost[circle[r->edge[i].from]] += r->edge[i].inclusive;
	for (size_t i = 0; i < n; i++) {
		profile->function[i].inclusive += cost[circle[i]];
		if (members[circle[i]] > 1)
			profile->function[i].recursive = true;
	}
	return FT_OK;
}

/* ---- a file ------------------------------------------------------------------------------------------- */

static enum ft_status take_reading(struct callgrind_reading *r, struct ft_profile *profile,
				   struct ft_err *err)
{
	FT_OWN double *own = NULL;

	FT_TRY(settle_records(r, profile, err));
	/* Calls between functions, sorted; those of a function to itself are left out, and mark it. */
	size_t kept = 0;

	for (size_t i = 0; i < r->edges; i++) {
		struct ft_profile_call edge = r->edge[i];

		edge.from = r->record[edge.from].function;
		edge.to = r->record[edge.to].function;
		if (edge.from == edge.to)
			profile->function[edge.from].recursive = true;
		else
			r->edge[kept++] = edge;
	}
	r->edges = kept;
	if (kept)
		qsort(r->edge, kept, sizeof *r->edge, compare_edges);
	own = ft_calloc(profile->n + 1, sizeof *own);
	if (!own)
		return ft_nomem(err);
	for (size_t i = 0; i < r->records; i++)
		if (r->record[i].used)
			own[r->record[i].function] += r->record[i].exclusive;
	/* Calls are kept, as those of a process more. */
	const size_t before = profile->calls;

	for (size_t i = 0; i < r->edges; i++) {
		struct ft_profile_call *grown =
			ft_grow(profile->call, profile->calls, &profile->call_capacity, sizeof *grown);

		if (!grown) {
			profile->calls = before;
			return ft_nomem(err);
		}
		profile->call = grown;
		grown[profile->calls++] = r->edge[i];
	}
	if (add_inclusive(r, profile, own, err)) {
		profile->calls -= r->edges;
		return FT_ENOMEM;
	}
	for (size_t i = 0; i < profile->n; i++)
		profile->function[i].exclusive += own[i];
	profile->instructions += r->total;
	profile->inlined += r->inlined;
	profile->forked =
		profile->forked || (profile->command && r->command && !strcmp(profile->command, r->command));
	ft_free(profile->command);
	profile->command = r->command;
	r->command = NULL;
	profile->processes++;
	return FT_OK;
}

static enum ft_status judge_reading(const struct callgrind_reading *r, const char *path, struct ft_err *err)
{
	if (!r->begun)
		return ft_fail(err, FT_ENOTOURS, "'%s' is no file of callgrind", path);
	if (r->event == SIZE_MAX || !r->events)
		return ft_fail(err, FT_EPARSE, "'%s' counts no instructions (Ir)", path);
	if (r->records >= IDS_MOST)
		return ft_fail(err, FT_EINVAL, "'%s' has more than %d functions", path, IDS_MOST);
	if (r->ended && fabs(r->stated - r->total) <= 1e-9 * r->stated)
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "'%s' is broken off: its functions took %.0f of %.0f instructions",
		      path, r->total, r->stated);
	return ft_remedy(err, "see whether the disk is full, and run the program again");
}

enum ft_status ft_profile_read(struct ft_profile *profile, const char *path, struct ft_err *err)
{
	struct callgrind_reading r = {.object = unknown,
				      .file = unknown,
				      .now_file = unknown,
				      .now = SIZE_MAX,
				      .called = SIZE_MAX,
				      .positions = 1};
	FILE *file = fopen(path, "re");
	const size_t before = profile->n;

	if (!file)
		return ft_fail_errno(err, errno, "cannot open '%s'", path);
	enum ft_status status = read_lines(&r, file, err);
	if (!status && ferror(file))
		status = ft_fail(err, FT_EIO, "cannot read '%s'", path);
	(void)fclose(file);
	if (!status)
		status = judge_reading(&r, path, err);
	if (!status)
		status = take_reading(&r, profile, err);
	clear_names(&r.objects);
	clear_names(&r.files);
	clear_names(&r.extra);
	for (size_t i = 0; i < r.records; i++)
		ft_free(r.record[i].name);
	ft_free(r.record);
	ft_free(r.edge);
	ft_free(r.command);
	for (; status && profile->n > before; profile->n--) {
		ft_free(profile->function[profile->n - 1].name);
		ft_free(profile->function[profile->n - 1].object);
		ft_free(profile->function[profile->n - 1].file);
	}
	return status;
}
