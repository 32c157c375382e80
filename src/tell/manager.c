/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - what a server's manager tells who chooses among servers: an agent of GridRPC puts those that fit
 * in the order of their scores, where it used floating point operations over those of LINPACK (001 II.D). */
#include "tell/manager.h"

/* An agent of GridRPC puts servers that fit in the order of their scores, where it used floating point
 * operations over those of LINPACK (001 II.D). */
#define RANK struct ft_told_server
static const struct ft_tell_row rows[] = {
	{FT_TELL(RANK, name)},
	{FT_TELL_BY(POINTER, "machine", RANK, machine), .of = &ft_tell_machine},
	{FT_TELL(RANK, confidence),
	 .about = "share of future runs that stay below upper, and below memory_bytes"},
	{FT_TELL_BY(SAID, "load", RANK, load), .say = ft_tell_view, .words = FT_TELL_VIEWS},
	{FT_TELL_BY(SIZE, "size", RANK, size)},
	{FT_TELL_AS("score_s", RANK, time.value), .about = "wall seconds of a typical run: less is better"},
	{FT_TELL_AS("known", RANK, time.known), .about = FT_TELL_KNOWN, .null = "not told"},
	{FT_TELL_AS("lower", RANK, time.lower), .null = "the law that was stated was never tried"},
	{FT_TELL_AS("upper", RANK, time.upper), .null = "unbounded, or as lower"},
	{FT_TELL_BY(SAID, "basis", RANK, time.basis), .say = ft_tell_basis, .words = FT_TELL_BASES},
	{FT_TELL_AS("distance", RANK, time.distance),
	 .about = "how far beyond the data, as a ratio; 1 inside"},
	{FT_TELL(RANK, memory_bytes), .about = "that a run may need", .null = "not known"},
	{FT_TELL(RANK, most_bytes), .about = "that the machine has", .null = "not known"},
	{FT_TELL(RANK, fits), .about = "the memory suffices, as far as is known"},
	{0},
};
const struct ft_tell_record ft_tell_server = {.name = "rank", .version = 1, .row = rows};

#define HEALTH struct ft_told_health
static const struct ft_tell_row health_rows[] = {
	{FT_TELL(HEALTH, status), .words = "ok"},
	{FT_TELL(HEALTH, version), .about = "of foretime"},
	{FT_TELL(HEALTH, up_s), .about = "seconds since it began"},
	{FT_TELL(HEALTH, store), .about = "the file"},
	{0},
};
const struct ft_tell_record ft_tell_health = {
	.name = "manager", .action = "health", .version = 1, .row = health_rows};

#define PUT struct ft_told_put
static const struct ft_tell_row put_rows[] = {
	{FT_TELL(PUT, name)},
	{FT_TELL(PUT, runs), .about = "that were added"},
	{FT_TELL(PUT, known), .about = "that were there already"},
	{0},
};
const struct ft_tell_record ft_tell_put = {
	.name = "manager", .action = "model", .version = 1, .row = put_rows};

#define WINDOW struct ft_told_window
static const struct ft_tell_row window_rows[] = {
	{FT_TELL_BY(TIME, "from", WINDOW, from_ns), .about = "UTC", .null = ""},
	{FT_TELL_BY(TIME, "to", WINDOW, to_ns), .about = "UTC", .null = ""},
	{FT_TELL(WINDOW, rule),
	 .about = "the policy that lets benchmarks run, and what holds them back then"},
	{0},
};
static const struct ft_tell_record window = {.bytes = sizeof(WINDOW), .row = window_rows};

#define PROBLEM struct ft_told_problem
static const struct ft_tell_row problem_rows[] = {
	{FT_TELL(PROBLEM, name)},
	{FT_TELL(PROBLEM, priority), .about = "higher ones go first"},
	{FT_TELL(PROBLEM, builder)},
	{FT_TELL(PROBLEM, own), .about = "policies of its own count, not the system's"},
	{FT_TELL_MANY(LIST, "windows", PROBLEM, window, n_windows, &window),
	 .about = "of the next day, in which it may run"},
	{FT_TELL(PROBLEM, more), .about = "there are later ones, too: only the first are told"},
	{FT_TELL(PROBLEM, fault), .about = "why it cannot run", .null = "it can"},
	{FT_TELL(PROBLEM, remedy), .null = "there is none to name"},
	{0},
};
static const struct ft_tell_record problem = {.bytes = sizeof(PROBLEM), .row = problem_rows};

#define SCHEDULE struct ft_told_day
static const struct ft_tell_row schedule_rows[] = {
	{FT_TELL(SCHEDULE, order), .words = "gain|pmm", .about = "of equal priorities"},
	{FT_TELL_MANY(LIST, "problems", SCHEDULE, problem, n, &problem), .about = "by priority"},
	{0},
};
const struct ft_tell_record ft_tell_day = {
	.name = "manager", .action = "explain", .version = 1, .row = schedule_rows};
