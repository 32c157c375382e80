/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work-groups that are drawn, what is undecided, and what kernels should not do. */
#include "base/alloc.h"
#include "base/random.h"
#include "kernel/door.h"
#include "subject.h"
#include "tap.h"

static bool missing; /* no clang here */

/* The features of a kernel with whole numbers only; heap that ends with clear. */
static enum ft_status look(struct ft_kernel_features *out, const char *file, const char *name,
			   const char *global, const char *local, const struct ft_kernel_argument *argument,
			   size_t n, const struct ft_kernel_options *options, struct ft_err *err)
{
	struct ft_kernel_launch launch = {.global = {global}, .local = {local}, .argument = argument, .n = n};
	struct ft_kernel_options usual = ft_kernel_options_default();
	struct ft_kernel *kernel = missing ? NULL : subject_open(file, name, err);
	char first[64], *comma;

	*out = (struct ft_kernel_features){0};
	if (!kernel) {
		missing = missing || subject_missing(err);
		return err->status;
	}
	(void)snprintf(first, sizeof first, "%s", global);
	comma = strchr(first, ',');
	if (comma) { /* two dimensions alike */
		*comma = '\0';
		launch.global[0] = first;
		launch.global[1] = comma + 1;
		launch.local[1] = local;
	}
	enum ft_status status = ft_kernel_features(out, kernel, &launch, options ? options : &usual, err);
	ft_kernel_close(kernel);
	return status;
}

static const struct ft_kernel_met *met(const struct ft_kernel_features *f, enum ft_kernel_note note)
{
	for (size_t i = 0; i < f->n_met; i++)
		if (f->met[i].note == note)
			return &f->met[i];
	return NULL;
}

static void undecided(void)
{
	const struct ft_kernel_argument n[] = {{.name = "n", .value = 64}};
	struct ft_kernel_features f;
	struct ft_err err = {0};

	if (!look(&f, "sampled.cl", "sparse", "64", "8", n, 1, NULL, &err)) {
		const struct ft_kernel_met *loop = met(&f, FT_KERNEL_NOTE_LOOP);
		ok(!f.decided && !f.exact && loop && loop->line == 31,
		   "a loop by unknown data is told with its line");
		ok(met(&f, FT_KERNEL_NOTE_ADDRESS) != NULL, "and where nobody knows what is read");
		ft_kernel_features_clear(&f);
	}
	if (!look(&f, "hostile.cl", "scattered", "64", "8", n, 1, NULL, &err)) {
		ok(!f.decided, "what was written somewhere may be what is read: undecided");
		ft_kernel_features_clear(&f);
	}
	if (!look(&f, "hostile.cl", "calls", "64", "8", n, 0, NULL, &err)) {
		ok(!f.decided && met(&f, FT_KERNEL_NOTE_CALL) &&
			   !strcmp(met(&f, FT_KERNEL_NOTE_CALL)->what, "elsewhere"),
		   "a function that is not there is told by name");
		ft_kernel_features_clear(&f);
	}
}

static void hostile(void)
{
	const struct ft_kernel_argument n[] = {{.name = "n", .value = 8, .bytes = NULL}};
	const struct ft_kernel_argument sized[] = {{.name = "n", .value = 8},
						   {.name = "a", .value = NAN, .bytes = "4*n"}};
	const struct ft_kernel_argument huge[] = {{.name = "s", .value = NAN, .bytes = "2^40"}};
	const struct ft_kernel_argument shared[] = {{.name = "s", .value = NAN, .bytes = "32"}};
	const struct ft_kernel_argument limits[] = {{.name = "least", .value = 1},
						    {.name = "most", .value = 3}};
	struct ft_kernel_options few = ft_kernel_options_default();
	struct ft_kernel_features f;
	struct ft_err err = {0};

	few.steps = 1e5;
	ok(look(&f, "hostile.cl", "forever", "8", "8", n, 1, &few, &err) == FT_EINVAL &&
		   strstr(err.text, "at line 8"),
	   "a loop without end ends, with its line: %s", err.text);
	if (!look(&f, "hostile.cl", "diverge", "8", "8", NULL, 0, NULL, &err)) {
		ok(!f.decided && met(&f, FT_KERNEL_NOTE_BARRIER_DIVERGES)->line == 18,
		   "a barrier that not all come to");
		ft_kernel_features_clear(&f);
	}
	if (!look(&f, "hostile.cl", "outside", "8", "8", sized, 2, NULL, &err)) {
		ok(met(&f, FT_KERNEL_NOTE_OUTSIDE) && met(&f, FT_KERNEL_NOTE_OUTSIDE)->times == 1 &&
			   !strcmp(met(&f, FT_KERNEL_NOTE_OUTSIDE)->what, "a"),
		   "an access outside of its buffer");
		ft_kernel_features_clear(&f);
	}
	if (!look(&f, "hostile.cl", "far_away", "8", "8", n, 1, NULL, &err)) {
		ok(f.decided && f.count[FT_KERNEL_GLOBAL_STORE] == 8, "one that lies anywhere");
		ft_kernel_features_clear(&f);
	}
	if (!look(&f, "hostile.cl", "limited", "8", "8", limits, 2, NULL, &err)) {
		ok(f.exact && f.count[FT_KERNEL_F32_ADD] == 8 * 3, "a number stands for all of a vector");
		ft_kernel_features_clear(&f);
	}
	if (!look(&f, "hostile.cl", "waits", "8", "8", shared, 1, NULL, &err)) {
		ok(f.exact && f.count[FT_KERNEL_GLOBAL_STORE] == 8, "nothing is touched before a barrier");
		ft_kernel_features_clear(&f);
	} else {
		ok(false, "nothing is touched before a barrier: %s", err.text);
	}
	ok(look(&f, "hostile.cl", "outside", "8", "8", NULL, 0, NULL, &err) == FT_EINVAL &&
		   strstr(err.text, "missing"),
	   "an argument that is missing: %s", err.text);
	ok(look(&f, "hostile.cl", "outside", "10", "4", n, 1, NULL, &err) == FT_EINVAL,
	   "groups that do not divide: %s", err.text);
	ok(look(&f, "hostile.cl", "local_memory", "8", "8", huge, 1, NULL, &err) == FT_EINVAL,
	   "more local memory than there is: %s", err.text);
	ok(look(&f, "hostile.cl", "outside", "0", "1", n, 1, NULL, &err) == FT_EINVAL, "no work-items: %s",
	   err.text);
	ok(look(&f, "hostile.cl", "outside", "n*", "1", n, 1, NULL, &err) == FT_EPARSE,
	   "a size that is none: %s", err.text);
	ok(look(&f, "hostile.cl", "nobody", "8", "8", n, 1, NULL, &err) == FT_ENOENT &&
		   strstr(err.remedy, "forever"),
	   "no such kernel: %s", err.remedy);
	ok(look(&f, "README", "nobody", "8", "8", n, 1, NULL, &err) == FT_EPARSE, "no source: %s", err.text);
}

static double operations(const struct ft_kernel_features *f)
{
	return ft_kernel_operations(f->count);
}

/* A draw is compared with all groups. */
static void drawn(const char *name, const char *global, const char *local,
		  const struct ft_kernel_argument *argument, size_t n, double steps)
{
	struct ft_kernel_options all = ft_kernel_options_default(), some = all;
	struct ft_kernel_features truth, f;
	struct ft_err err = {0};
	double worst = 0, sum = 0, stores = 0;
	int draws = 5;

	some.steps = steps;

	all.groups = 0;
	all.steps = 1e10;
	all.counts_only = some.counts_only = true;
	if (look(&truth, "sampled.cl", name, global, local, argument, n, &all, &err)) {
		ok(false, "%s: %s", name, err.text);
		return;
	}
	for (int i = 0; i < draws; i++) {
		some.seed = test_seed() + (uint64_t)i;
		if (look(&f, "sampled.cl", name, global, local, argument, n, &some, &err)) {
			ok(false, "%s: %s", name, err.text);
			continue;
		}
		worst = fmax(worst, fabs(operations(&f) / operations(&truth) - 1));
		sum += operations(&f) / operations(&truth) - 1;
		stores =
			fmax(stores,
			     fabs(f.count[FT_KERNEL_GLOBAL_STORE] / truth.count[FT_KERNEL_GLOBAL_STORE] - 1));
		ft_kernel_features_clear(&f);
	}
	ok(truth.exact && worst < 0.05,
	   "%s: %d draws of %g groups, %g instructions, are off by %.2g %% at most, %.2g %% in the mean",
	   name, draws, truth.groups, steps, 100 * worst, 100 * sum / draws);
	ok(stores < 1e-9, "... and what each work-item does once is exact");
	ft_kernel_features_clear(&truth);
}

static void sampling(void)
{
	enum { ROWS = 8192 };
	const struct ft_kernel_argument filter[] = {
		{.name = "w", .value = 256}, {.name = "h", .value = 256}, {.name = "size", .value = 19}};
	const struct ft_kernel_argument triangle[] = {{.name = "n", .value = 384}};
	static int row[ROWS + 1];
	const struct ft_kernel_argument sparse[] = {
		{.name = "n", .value = ROWS},
		{.name = "row", .value = NAN, .data = row, .data_bytes = sizeof row}};
	const struct ft_kernel_options usual = ft_kernel_options_default();
	struct ft_random random = {test_seed()};

	for (int i = 0; i < ROWS; i++) /* rows of a kind lie together, as in meshes */
		row[i + 1] = row[i] + (int)ft_random_below(&random, 4 + (size_t)i / 256);
	drawn("triangle", "384", "4", triangle, 1, usual.steps);
	drawn("triangle", "384", "4", triangle, 1, 2.2e7); /* a tenth of a second: 10 groups */
	drawn("sparse", "8192", "64", sparse, 2, usual.steps);
	if (!test_quick() && !test_sanitized())
		drawn("filter", "256,256", "16", filter, 3, usual.steps);
}

/* Whichever allocation fails: it is told, and nothing is left behind (the sanitizers see that). */
static void exhausted(void)
{
	const struct ft_kernel_argument n[] = {{.name = "n", .value = 8}};
	const struct ft_kernel_launch launch = {.global = {"64"}, .local = {"8"}, .argument = n, .n = 1};
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_features f;
	struct ft_err err = {0};
	struct ft_kernel *kernel = subject_open("hostile.cl", "alternates", &err);
	enum ft_status status = FT_ENOMEM;
	unsigned long k, told = 0;

	for (k = 1; kernel && k < 10000 && status; k++) {
		(void)ft_alloc_fail_at(k);
		status = ft_kernel_features(&f, kernel, &launch, &options, &err);
		(void)ft_alloc_fail_at(0);
		told += status == FT_ENOMEM && !f.met && !f.access && !f.call;
		ft_kernel_features_clear(&f);
	}
	ok(!status && told > 10 && told + 2 == k, "each of %lu allocations may fail", told);
	ft_kernel_close(kernel);
}

/* The same while a kernel is compiled and read, ever further apart; where the words of one compiler are lost
 * another one may serve. */
static void exhausted_open(void)
{
	struct ft_err err = {0};
	struct ft_kernel *kernel = NULL;
	unsigned long made, told = 0, odd = 0;

	for (unsigned long k = 1;; k += 1 + k / 8) {
		ft_kernel_close(kernel);
		(void)ft_alloc_fail_at(k);
		kernel = subject_open("hostile.cl", "alternates", &err);
		made = ft_alloc_fail_at(0);
		told += !kernel;
		odd += !kernel && err.status != FT_ENOMEM && err.status != FT_EUNAVAIL;
		if (made < k)
			break;
	}
	ok(kernel && told && !odd, "%lu of %lu allocations fail, and it is told, while a kernel is opened",
	   told, made);
	ft_kernel_close(kernel);
}

/* Cache misses of a kernel over rows of n numbers, to 32 KiB of 8 ways; rule: by the document's rule. */
static double misses(const char *name, const char *global, int n, double *rule)
{
	const struct ft_kernel_argument argument[] = {{.name = "n", .value = n}};
	struct ft_kernel_features f;
	struct ft_err err = {0};

	if (look(&f, "strides.cl", name, global, "32", argument, 1, NULL, &err)) {
		diag("%s: %s", name, err.text);
		return NAN;
	}
	double replay = f.misses_replay / f.work_items;
	*rule = f.misses_rule / f.work_items;
	ft_kernel_features_clear(&f);
	return replay;
}

/* 004 figures 13.4 and 13.5: rows of 4, 6 and 8 KB lie in few sets of a cache, and columns fall out of it.
 * Rows a bit shorter or longer do not; the document's rule sees none of that. */
static void spikes(const char *name, const char *global, double least)
{
	static const int n[] = {1024, 1536, 2048};

	for (size_t i = 0; i < 3; i++) {
		double rule[3], at = misses(name, global, n[i], &rule[1]),
				before = misses(name, global, n[i] - 32, &rule[0]),
				behind = misses(name, global, n[i] + 32, &rule[2]);

		ok(at > least * before && at > least * behind,
		   "%s, rows of %d bytes: %.3g misses of a work-item, beside %.3g and %.3g", name, 4 * n[i],
		   at, before, behind);
		ok(rule[1] < 1.2 * rule[0] && rule[2] < 1.2 * rule[1], "by the rule %.3g, %.3g, %.3g",
		   rule[0], rule[1], rule[2]);
	}
}

int main(void)
{
	undecided();
	if (missing) {
		skip("features", "neither clang nor libLLVM are here");
		return done();
	}
	hostile();
	exhausted();
	if (!test_quick())
		exhausted_open();
	if (!test_quick() && !test_sanitized()) {
		spikes("column_sums", "n", 4);
		spikes("transpose", "n,n", 4);
	}
	if (!test_sanitized()) /* values only, of some 10^8 instructions */
		sampling();
	return done();
}
