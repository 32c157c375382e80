/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - the table of micro-benchmarks, and the rounds through it. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/random.h"
#include "foretime/measure.h"
#include "measure/measure.h"
#include "num/num.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Micro-benchmarks of caches and memory: walks from line to line, and streams.
 */

enum { LINE = 64 }; /* bytes; where lines are longer, neighbours share one now and then */

static enum ft_status take_memory(const struct ft_micro *micro, struct ft__workplace *place,
				  struct ft_err *err)
{
	place->bytes = micro->bytes;
	place->memory = ft_malloc(place->bytes);
	return place->memory ? FT_OK : ft_nomem(err);
}

static void give(struct ft__workplace *place)
{
	ft_free(place->memory);
}

/* ---- walks --------------------------------------------------------------------------------------------- */

/* Every line holds the address of another; from any, all are reached, in an order that no prefetcher sees.
 * A random cycle: Sattolo, An algorithm to generate a random cyclic permutation, Inf. Process. Lett. 22
 * (1986): of the identity, each from the last on is exchanged with an earlier one. */
static enum ft_status prepare_walk(const struct ft_micro *micro, struct ft__workplace *place,
				   struct ft_err *err)
{
	enum ft_status status = take_memory(micro, place, err);
	struct ft_random random = {7};
	char *base = place->memory;

	if (status)
		return status;
	for (size_t i = 0; i < place->bytes / LINE; i++)
		*(void **)(base + i * LINE) = base + i * LINE;
	for (size_t i = place->bytes / LINE - 1; i > 0; i--) {
		void **one = (void **)(base + i * LINE),
		     **other = (void **)(base + ft_random_below(&random, i) * LINE), *held = *one;

		*one = *other;
		*other = held;
	}
	place->at = base;
	return FT_OK;
}

static uint64_t walk_lines(struct ft__workplace *place, uint64_t count)
{
	void *at = place->at;
	uint64_t i;

	for (i = 0; i < count; i += 16) {
		FT__16(at = *(void **)at;)
	}
	FT__KEEP(at);
	place->at = at;
	return i;
}

/* ---- streams ------------------------------------------------------------------------------------------- */

static enum ft_status prepare_triad(const struct ft_micro *micro, struct ft__workplace *place,
				    struct ft_err *err)
{
	enum ft_status status = take_memory(micro, place, err);
	double *x = place->memory;

	for (size_t i = 0; !status && i < place->bytes / sizeof *x; i++)
		x[i] = 1;
	return status;
}

/* a = b + s c, as in McCalpin's STREAM. */
static uint64_t triad(struct ft__workplace *place, uint64_t count)
{
	size_t n = place->bytes / (3 * sizeof(double)), i;
	double *restrict a = place->memory, scale = 3;
	const double *restrict b = a + n, *restrict c = a + 2 * n;
	uint64_t done;

	FT__KEEP_REAL(scale);
	for (done = 0; done < count; done += n) {
		for (i = 0; i < n; i++)
			a[i] = b[i] + scale * c[i];
		__asm__ volatile("" : : "r"(a) : "memory"); /* somebody may read a now */
	}
	return done;
}

/* Allocate memory, write to every page, and free it. */
static uint64_t touch_pages(struct ft__workplace *place, uint64_t count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 64, i;
	uint64_t done;

	for (done = 0; done < count && !place->error; done += pages) {
		char *memory =
			mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED) {
			place->error = errno;
			break;
		}
		for (i = 0; i < pages; i++)
			((volatile char *)memory)[i * page] = 1;
		(void)munmap(memory, pages * page);
	}
	return done ? done : 1;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

const struct ft__micro ft__micro_memory[] = {
	{{"load_16k", "load", "dependent loads within 16 KiB", 16 * KIB}, prepare_walk, walk_lines, give},
	{{"load_128k", "load", "the same within 128 KiB", 128 * KIB}, prepare_walk, walk_lines, give},
	{{"load_1m", "load", "the same within 1 MiB", MIB}, prepare_walk, walk_lines, give},
	{{"load_8m", "load", "the same within 8 MiB", 8 * MIB}, prepare_walk, walk_lines, give},
	{{"load_64m", "load", "the same within 64 MiB, with what address translation takes", 64 * MIB},
	 prepare_walk,
	 walk_lines,
	 give},
	{{"triad_24k", "element", "a = b + s c over 24 KiB of doubles: 24 bytes an element", 24 * KIB},
	 prepare_triad,
	 triad,
	 give},
	{{"triad_96m", "element", "the same over 96 MiB: the stream from and to memory", 96 * MIB},
	 prepare_triad,
	 triad,
	 give},
	{{"page_touch", "page", "pages taken from the system, written once, given back", 0},
	 NULL,
	 touch_pages,
	 NULL},
	{{0}, NULL, NULL, NULL},
};

/*
 * Micro-benchmarks of arithmetic and branches.
 */

/* ---- one after the other: how long until a result can be used ------------------------------------------ */

/* The start values of x and y; x changes from step to step. */
/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses. */
#define CHAIN(name, type, keep, x_first, y_first, step) \
	static uint64_t name(struct ft__workplace *place, uint64_t count) \
	{ \
		type x = x_first, y = y_first; \
		uint64_t i; \
\
		keep(y); \
		for (i = 0; i < count; i += 16) { \
			FT__16(step; keep(x);) \
		} \
		place->sink += (uint64_t)x; \
		return i; \
	}
/* NOLINTEND(bugprone-macro-parentheses) */
CHAIN(int_add, uint64_t, FT__KEEP, 1, 3, x += y)
CHAIN(int_multiply, uint64_t, FT__KEEP, 3, 5, x *= y)
/* 1 + 0 and 1 x 1 take as long as any normal numbers, and stay what they are. */
CHAIN(real_add, double, FT__KEEP_REAL, 1, 0, x += y)
CHAIN(real_multiply, double, FT__KEEP_REAL, 1, 1, x *= y)
/* 1.1 / x is neither a power of two nor easy, and returns to x every second time. */
CHAIN(real_divide, double, FT__KEEP_REAL, 1.7, 1.1, x = y / x)
/* clang-format on */

/* Processors divide small numbers faster: the dividend is made large again each time. */
static uint64_t int_divide(struct ft__workplace *place, uint64_t count)
{
	uint64_t x = 1, y = 1000003, large = UINT64_C(1) << 62, i;

	FT__KEEP(y);
	FT__KEEP(large);
	for (i = 0; i < count; i += 16) {
		FT__16(x = (x | large) / y; FT__KEEP(x);)
	}
	place->sink += x;
	return i;
}

/* ---- side by side: how many at once -------------------------------------------------------------------- */

static uint64_t int_add_apart(struct ft__workplace *place, uint64_t count)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, y = 3, i;

	FT__KEEP(y);
	for (i = 0; i < count; i += 32) {
		FT__4(a += y; FT__KEEP(a); b += y; FT__KEEP(b); c += y; FT__KEEP(c); d += y; FT__KEEP(d);
		      e += y; FT__KEEP(e); f += y; FT__KEEP(f); g += y; FT__KEEP(g); h += y; FT__KEEP(h);)
	}
	place->sink += a + b + c + d + e + f + g + h;
	return i;
}

/* A multiplication and the addition to it, as they are written (not fused), in eight chains. */
static uint64_t real_multiply_add(struct ft__workplace *place, uint64_t count)
{
	double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, y = 0.5, z = 0.5;
	uint64_t i;

	FT__KEEP_REAL(y);
	FT__KEEP_REAL(z);
	for (i = 0; i < count; i += 32) {
		FT__4(a = a * y + z; FT__KEEP_REAL(a); b = b * y + z; FT__KEEP_REAL(b); c = c * y + z;
		      FT__KEEP_REAL(c); d = d * y + z; FT__KEEP_REAL(d); e = e * y + z; FT__KEEP_REAL(e);
		      f = f * y + z; FT__KEEP_REAL(f); g = g * y + z; FT__KEEP_REAL(g); h = h * y + z;
		      FT__KEEP_REAL(h);)
	}
	place->sink += (uint64_t)(a + b + c + d + e + f + g + h);
	return i;
}

/* ---- branches ------------------------------------------------------------------------------------------ */

enum { WORDS = 2048 }; /* 131,072 branches: far more than a predictor remembers; 16 KiB: in the first cache */

static enum ft_status take_words(struct ft__workplace *place, struct ft_err *err)
{
	place->bytes = WORDS * sizeof(uint64_t);
	place->memory = ft_malloc(place->bytes);
	return place->memory ? FT_OK : ft_nomem(err);
}

static enum ft_status prepare_regular(const struct ft_micro *micro, struct ft__workplace *place,
				      struct ft_err *err)
{
	enum ft_status status = take_words(place, err);
	uint64_t *word = place->memory;

	(void)micro;
	for (size_t i = 0; !status && i < WORDS; i++)
		word[i] = UINT64_C(0xaaaaaaaaaaaaaaaa); /* taken, not taken, ... */
	return status;
}

static enum ft_status prepare_random(const struct ft_micro *micro, struct ft__workplace *place,
				     struct ft_err *err)
{
	enum ft_status status = take_words(place, err);
	struct ft_random random = {1};
	uint64_t *word = place->memory;

	(void)micro;
	for (size_t i = 0; !status && i < WORDS; i++)
		word[i] = ft_random_bits(&random);
	return status;
}

/* The branches compute only what they need, so that the compiler cannot turn them into selections. */
static uint64_t branch(struct ft__workplace *place, uint64_t count)
{
	const uint64_t *word = place->memory;
	uint64_t x = 0, done, i = 0;

	for (done = 0; done < count; done += 64) {
		uint64_t bits = word[i++ % WORDS];

		for (int bit = 0; bit < 64; bit++, bits >>= 1) {
			if (bits & 1) {
				x += 3;
				FT__KEEP(x);
			} else {
				x ^= 5;
				FT__KEEP(x);
			}
		}
	}
	place->sink += x;
	return done;
}

static void free_words(struct ft__workplace *place)
{
	ft_free(place->memory);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

const struct ft__micro ft__micro_processor[] = {
	{{"int_add", "addition", "additions of integers, each of the result before: one cycle on most", 0},
	 NULL,
	 int_add,
	 NULL},
	{{"int_add_apart", "addition", "additions of integers that do not wait for each other", 0},
	 NULL,
	 int_add_apart,
	 NULL},
	{{"int_multiply", "multiplication", "64-bit multiplications, each of the result before", 0},
	 NULL,
	 int_multiply,
	 NULL},
	{{"int_divide", "division", "64-bit divisions of large integers, each of the result before", 0},
	 NULL,
	 int_divide,
	 NULL},
	{{"real_add", "addition", "additions of doubles, each of the result before", 0},
	 NULL,
	 real_add,
	 NULL},
	{{"real_multiply", "multiplication", "multiplications of doubles, each of the result before", 0},
	 NULL,
	 real_multiply,
	 NULL},
	{{"real_divide", "division", "divisions of doubles, each by the result before", 0},
	 NULL,
	 real_divide,
	 NULL},
	{{"real_multiply_add", "pair", "pairs of a multiplication and an addition of doubles, eight at once",
	  0},
	 NULL,
	 real_multiply_add,
	 NULL},
	{{"branch_regular", "branch", "branches that are easy to predict", 0},
	 prepare_regular,
	 branch,
	 free_words},
	{{"branch_random", "branch", "the same branches, mispredicted every second time", 0},
	 prepare_random,
	 branch,
	 free_words},
	{{0}, NULL, NULL, NULL},
};

/*
 * Micro-benchmarks of the operating system: calls, messages, processes.
 */

/* A system call with almost no work, which the C library does not cache. */
static uint64_t call_kernel(struct ft__workplace *place, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		place->sink += (uint64_t)syscall(SYS_getppid);
	return i ? i : 1;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static void unshield(const struct ft__workplace *place)
{
	const struct timespec now = {0};
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGPIPE);
	if (place->error == EPIPE)
		(void)sigtimedwait(&set, NULL, &now); /* the signal of that write */
	(void)pthread_sigmask(SIG_SETMASK, &place->mask, NULL);
}

static void no_child(struct ft_err *err)
{
	(void)ft_fail_errno(err, errno, "no pipe or process to talk to");
}

static enum ft_status prepare_talk(const struct ft_micro *micro, struct ft__workplace *place,
				   struct ft_err *err)
{
	int there[2], back[2];

	(void)micro;
	if (pipe2(there, O_CLOEXEC)) {
		no_child(err);
		return FT_EUNAVAIL;
	}
	if (pipe2(back, O_CLOEXEC)) {
		no_child(err);
		(void)close(there[0]);
		(void)close(there[1]);
		return FT_EUNAVAIL;
	}
	/* A child that was killed is an error of the write, and no end of ours. */
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGPIPE);
	(void)pthread_sigmask(SIG_BLOCK, &set, &place->mask);
	place->child = fork();
	if (!place->child) {
		(void)close(there[1]);
		(void)close(back[0]);
		/* The child: each byte that comes is sent back. Ends with the other end of the pipe. */
		char byte;

		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	place->to = there[1];
	place->from = back[0];
	(void)close(there[0]);
	(void)close(back[1]);
	if (place->child > 0)
		return FT_OK;
	no_child(err);
	(void)close(place->to);
	(void)close(place->from);
	unshield(place);
	return FT_EUNAVAIL;
}

/* One byte there and back. */
static uint64_t talk_to_child(struct ft__workplace *place, uint64_t count)
{
	char byte = 1;
	uint64_t i;

	for (i = 0; i < count && !place->error; i++) {
		ssize_t done = write(place->to, &byte, 1);

		if (done == 1)
			done = read(place->from, &byte, 1);
		if (done != 1)
			place->error = done ? errno : EPIPE; /* 0: it has ended */
	}
	return i ? i : 1;
}

static void end_talk(struct ft__workplace *place)
{
	unshield(place);
	(void)close(place->to);
	(void)close(place->from);
	while (waitpid(place->child, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ---- processes ----------------------------------------------------------------------------------------- */

static uint64_t spawn(struct ft__workplace *place, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		if (child < 0) {
			place->error = errno;
			break;
		}
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return i ? i : 1;
}

/*
 * The table of micro-benchmarks, and the rounds through it.
 */

const struct ft__micro ft__micro_system[] = {
	{{"system_call", "call", "calls of the system that do nothing", 0}, NULL, call_kernel, NULL},
	{{"pipe_round_trip", "round trip", "a byte to another process and back, through pipes", 0},
	 prepare_talk,
	 talk_to_child,
	 end_talk},
	{{"process", "process", "processes forked, ended and waited for", 0}, NULL, spawn, NULL},
	{{0}, NULL, NULL, NULL},
};

/* ---- the table ----------------------------------------------------------------------------------------- */

static const struct ft__micro *const kinds[] = {ft__micro_processor, ft__micro_memory, ft__micro_system};

static const struct ft__micro *get(size_t i)
{
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		for (const struct ft__micro *each = kinds[k]; each->micro.name; each++, i--)
			if (!i)
				return each;
	}
	return NULL;
}

const struct ft_micro *ft_micro_get(size_t i)
{
	const struct ft__micro *found = get(i);

	return found ? &found->micro : NULL;
}

const struct ft_micro *ft_micro_find(const char *name)
{
	const size_t prefix = strlen(FT_CALIBRATION_PREFIX);
	const struct ft_micro *each;

	if (!strncmp(name, FT_CALIBRATION_PREFIX, prefix))
		name += prefix;
	for (size_t i = 0; (each = ft_micro_get(i)); i++)
		if (!strcmp(each->name, name))
			return each;
	return NULL;
}

/* The overhead that sanitizers add to each load and store is not the machine's. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

const char *ft_calibration_version(void)
{
#if defined(__OPTIMIZE__) && !defined(SANITIZED)
	return "calibration 1";
#else
	return "calibration 1, not optimised";
#endif
}

/* ---- samples ------------------------------------------------------------------------------------------- */

enum ft_status ft_calibration_add(struct ft_calibration *calibration, const struct ft_micro_sample *sample,
				  struct ft_err *err)
{
	struct ft_micro_sample *grown =
		ft_grow(calibration->sample, calibration->n, &calibration->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	calibration->sample = grown;
	calibration->sample[calibration->n++] = *sample;
	return FT_OK;
}

void ft_calibration_clear(struct ft_calibration *calibration)
{
	if (!calibration)
		return;
	ft_free(calibration->sample);
	*calibration = (struct ft_calibration){0};
}

/* ---- one micro-benchmark ------------------------------------------------------------------------------- */

enum { REPETITIONS_MOST = 64 };

static bool is_interrupted(const struct ft_calibrate_options *options)
{
	return options->interrupt && *options->interrupt;
}

static double seconds_of(const struct ft__micro *micro, struct ft__workplace *place, uint64_t count,
			 uint64_t *done)
{
	double start = ft_clock_s();

	*done = micro->run(place, count);
	return ft_clock_s() - start;
}

/* Disturbances only ever lengthen a repetition: the lower quartile is more informative than the median. */
static double lower_quartile(const double *value, size_t n)
{
	return ft_stats_ranked(value, n, (n - 1) / 4);
}

/* Half of the memory is left to other programs. */
static bool has_memory(const struct ft_micro *micro, struct ft_micro_sample *sample)
{
	double limit;

	if (!micro->bytes || ft_memory_limit_bytes("", &limit, NULL, NULL) ||
	    2 * (double)micro->bytes <= limit)
		return true;
	(void)snprintf(sample->reason, sizeof sample->reason,
		       "it goes over %zu MiB, and a run may have %.0f MiB here: allow twice as much",
		       micro->bytes >> 20, limit / (1 << 20));
	return false;
}

static enum ft_status measure_micro(const struct ft__micro *micro, const struct ft_calibrate_options *options,
				    struct ft_micro_sample *sample, struct ft_err *err)
{
	struct ft__workplace place = {0};
	struct ft_err why = {0};
	enum ft_status status = FT_OK;

	*sample = (struct ft_micro_sample){.micro = &micro->micro, .wall_s = NAN};
	sample->started_ns = ft_clock_real_ns() / 1000 * 1000;
	if (!has_memory(&micro->micro, sample))
		return FT_OK;
	if (micro->prepare)
		status = micro->prepare(&micro->micro, &place, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status) {
		(void)snprintf(sample->reason, sizeof sample->reason, "%.250s", why.text);
		return FT_OK;
	}
	/* Operations are doubled until they take long enough (which warms up too), then timed several times. */
	double value[REPETITIONS_MOST], elapsed;
	uint64_t count = 1, done = 0;
	size_t i;

	while (!is_interrupted(options) && !place.error) {
		elapsed = seconds_of(micro, &place, count, &done);
		if (!(elapsed < options->least_s))
			break;
		count = 2 * done;
	}
	for (i = 0; i < options->repetitions && !is_interrupted(options) && !place.error; i++) {
		elapsed = seconds_of(micro, &place, done, &done);
		value[i] = elapsed / (double)done;
	}
	sample->wall_s = i && !place.error ? lower_quartile(value, i) : NAN;
	if (micro->finish)
		micro->finish(&place);
	if (place.error)
		(void)snprintf(sample->reason, sizeof sample->reason, "%s", strerror(place.error));
	return FT_OK;
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

/* A benchmark that was unavailable once is not tried again. */
static bool is_given_up(const struct ft_calibration *calibration, const struct ft_micro *micro)
{
	for (size_t i = 0; i < calibration->n; i++)
		if (calibration->sample[i].micro == micro && isnan(calibration->sample[i].wall_s))
			return true;
	return false;
}

static struct ft_calibrate_options with_defaults(const struct ft_calibrate_options *given)
{
	struct ft_calibrate_options options = *given;

	options.rounds = options.rounds ? options.rounds : 5;
	options.repetitions = options.repetitions ? options.repetitions : 15;
	if (options.repetitions > REPETITIONS_MOST)
		options.repetitions = REPETITIONS_MOST;
	options.least_s = options.least_s > 0 ? options.least_s : 0.002;
	options.most_s = options.most_s > 0 ? options.most_s : 50;
	return options;
}

enum ft_status ft_calibrate(const struct ft_calibrate_options *options, struct ft_calibration *out,
			    struct ft_err *err)
{
	const struct ft_calibrate_options full = with_defaults(options);
	double start = ft_clock_s();
	const struct ft__micro *micro;
	struct ft_micro_sample sample;
	size_t n = 0;
	enum ft_status status = FT_OK;

	*out = (struct ft_calibration){0};
	if (isnan(start))
		return ft_fail(err, FT_EUNAVAIL, "this system has no monotonic clock");
	while (get(n))
		n++;
	for (size_t round = 0; !status && round < full.rounds; round++)
		for (size_t i = 0; !status && (micro = get(i)); i++) {
			if (is_given_up(out, &micro->micro) || (out->n && ft_clock_s() - start > full.most_s))
				continue;
			status = measure_micro(micro, &full, &sample, err);
			if (!status && is_interrupted(&full))
				status = ft_fail(err, FT_EINTR, "interrupted");
			if (!status)
				status = ft_calibration_add(out, &sample, err);
			if (!status && full.progress)
				full.progress(full.ctx, round * n + i + 1, full.rounds * n);
		}
	if (status)
		ft_calibration_clear(out);
	return status;
}
