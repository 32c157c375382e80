/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-pack.c - models as bytes: the same answers; what is cut off or changed is refused, or answers soundly.
 * And allocations that fail. */
#include "model-told.h"
#include "model/door.h"

#include <float.h>

enum { TYPES = 6 };

/* An engine of laws and of noise, a band, two of a shape from elsewhere: with runs and without; a process. */
static struct ft_model *make_of(size_t type, uint64_t seed)
{
	static const size_t axes[] = {0, 1};
	static struct samples s;
	struct ft_random r = {seed + type};
	struct ft_model_options options = {.type = type == 2 ? "band" : NULL, .through_speed = type == 0};

	if (type == 3 || type == 4) {
		struct ft_model *donor = make_of(0, seed), *out = NULL;

		options.donor = donor;
		options.donor_mark = 7;
		s.n = 0;
		sweep(&s, power, 16, 1024, 4, 1, 0.01, &r);
		if (type == 3)
			out = fit_as(&s, &options);
		else
			(void)ft_model_ship(&out, donor, FT_CLASS_TIME, 7, NULL);
		ft_model_free(donor);
		return out;
	}
	s.n = 0;
	if (type < 3) {
		sweep(&s, type == 1 ? affine : power, 16, 4096, 12, 2, type == 1 ? 0.1 : 0.01, &r);
		for (size_t i = 0; i < s.n; i++)
			s.o[i].work = type == 1 ? 1 : pow(s.o[i].size.value[0], 2);
		return fit_as(&s, &options);
	}
	options.axis = axes;
	options.n_axes = 2;
	for (size_t i = 0; i < 16; i++)
		s.o[s.n++] = (struct ft_observation){
			{2, {10 * pow(2, (double)(i % 4)), 5 * pow(3, (double)(i / 4))}},
			1,
			1 + (double)i,
			0,
			1e6 * (1 + (double)(i / 4)),
			false,
			0,
			0,
			0};
	return fit_as(&s, &options);
}

static struct ft_model *make(size_t type)
{
	return make_of(type, test_seed());
}

static struct ft_prediction ask_any(const struct ft_model *model, double x, double y)
{
	struct ft_size size = {0, {x, y}};
	struct ft_prediction p;
	size_t n;

	size.n = ft_model_knots(model, &n)->size.n;
	if (ft_model_predict(model, &size, x * x, 0.9, &p, NULL))
		p.value = NAN;
	return p;
}

static void test_same(void)
{
	static const char *const names[TYPES] = {
		"engine", "engine of noise", "band", "shape from elsewhere", "model from elsewhere",
		"process"};

	for (size_t type = 0; type < TYPES; type++) {
		struct ft_model *a = make(type), *b = NULL;
		unsigned char *bytes, *again;
		size_t n, m, wrong = 0;

		(void)ft_model_pack(a, &bytes, &n, NULL);
		ok(!ft_model_unpack(&b, bytes, n, NULL, NULL) && !ft_model_pack(b, &again, &m, NULL) &&
			   m == n && !memcmp(bytes, again, n),
		   "%s: packed, unpacked, packed: the same %zu bytes", names[type], n);
		for (double x = 1; x < 20000; x *= 1.17) {
			struct ft_prediction p = ask_any(a, x, 77), q = ask_any(b, x, 77);

			wrong += !same(&p, &q) && !(isnan(p.value) && isnan(q.value));
		}
		ok(!wrong, "... and the same answers (%zu differ)", wrong);
		ok(!strcmp(ft_model_facts(a)->type, ft_model_facts(b)->type) &&
			   ft_model_facts(a)->runs == ft_model_facts(b)->runs &&
			   ft_model_facts(a)->sizes == ft_model_facts(b)->sizes &&
			   ft_model_facts(a)->n_fine == ft_model_facts(b)->n_fine &&
			   near(ft_model_facts(a)->known, ft_model_facts(b)->known, 0) &&
			   ft_model_facts(a)->rough == ft_model_facts(b)->rough,
		   "... and facts");
		ft_free(bytes);
		ft_free(again);
		ft_model_free(a);
		ft_model_free(b);
	}
}

/* Laws are read, and not found again: with other values at the sizes that were measured, which the least and
 * the largest leave in their range, the answers elsewhere are the same. */
static void test_laws_are_kept(void)
{
	static const size_t axes[] = {0, 1};
	const struct ft_model_options options = {.axis = axes, .n_axes = 2};
	static struct samples s;
	struct ft_model *again = NULL;
	struct ft_random r = {3};
	unsigned char *bytes;
	size_t at, n, knots, changed = 0, differ = 0;

	s.n = 0;
	for (size_t i = 0; i < 25; i++) {
		double a = 10 * pow(2, (double)(i % 5)), b = 5 * pow(3, (double)(i / 5));

		s.o[s.n] = (struct ft_observation){.size = {2, {a, b}}, .work = 1};
		s.o[s.n++].value = 1e-3 * a * b * exp(0.01 * ft_random_normal(&r)) + 0.37;
	}
	struct ft_model *model = fit_as(&s, &options);
	(void)ft_model_pack(model, &bytes, &n, NULL);
	const struct ft_knot *knot = ft_model_knots(model, &knots);
	for (size_t i = 0; i < knots; i++) {
		double other = knot[i].value * 1.5;

		if (i % 5 == 0 || i % 5 == 4)
			continue;
		for (at = 0; at + 8 <= n && memcmp(bytes + at, &knot[i].value, 8) != 0; at += 8)
			;
		if (at + 8 <= n)
			memcpy(bytes + at, &other, 8);
		changed += at + 8 <= n;
	}
	ok(!ft_model_unpack(&again, bytes, n, NULL, NULL) && changed >= 15, "values of %zu sizes changed",
	   changed);
	for (double x = 11; x < 20000; x *= 1.37) {
		struct ft_prediction p = ask_any(model, x, 77), q = ask_any(again, x, 77);

		differ += !same(&p, &q);
	}
	ok(!differ, "the laws are those that were found before: %zu answers differ", differ);
	ft_free(bytes);
	ft_model_free(model);
	ft_model_free(again);
}

/* Bytes that may be anything: refused, or a model whose answers are finite. */
static bool is_harmless(const unsigned char *bytes, size_t n)
{
	unsigned char *exact = malloc(n ? n : 1); /* a read beyond its end is seen */
	struct ft_model *model = NULL;
	bool good = true;

	memcpy(exact, bytes, n);
	if (ft_model_unpack(&model, exact, n, NULL, NULL)) {
		good = !model;
	} else {
		for (double x = 1; x < 20000 && good; x *= 2.7) {
			struct ft_prediction p = ask_any(model, x, 77);

			good = isnan(p.value) ||
			       (isfinite(p.value) && isfinite(p.lower) && isfinite(p.upper) &&
				p.lower <= p.value && p.value <= p.upper && p.lower >= 0);
		}
	}
	ft_model_free(model);
	free(exact);
	return good;
}

static void test_truncated(void)
{
	size_t n, wrong = 0;

	for (size_t type = 0; type < TYPES; type++) {
		struct ft_model *model = make(type), *short_one = NULL;
		unsigned char *bytes;

		(void)ft_model_pack(model, &bytes, &n, NULL);
		for (size_t i = 0; i < n; i++)
			if (i % 200 == 0 || i < 200) {
				wrong += ft_model_unpack(&short_one, bytes, i, NULL, NULL) != FT_EPARSE ||
					 short_one;
				ft_model_free(short_one);
			}
		ft_free(bytes);
		ft_model_free(model);
	}
	ok(!wrong, "what is cut off is refused: %zu are not", wrong);
}

/* So many numbers in turn become one that they should not be. */
static void test_strange_numbers(size_t many)
{
	static const double strange[] = {0,    -1,       1,         2,   0.5,      1e-300,  1e300, -1e300,
					 1e18, INFINITY, -INFINITY, NAN, -DBL_MAX, DBL_MAX, 1e200};
	enum { STRANGE = sizeof strange / sizeof *strange };
	size_t types = test_quick() && many > 1 ? TYPES - 1 : TYPES; /* the last one takes most of the time */
	size_t n;

	for (size_t type = 0; type < types; type++) {
		struct ft_model *model = make(type);
		size_t first = test_quick() ? 160 : 1200, later = test_quick() ? 480 : 17;
		size_t least = test_quick() && type == TYPES - 1 ? 8 : 1; /* of its numbers every eighth */
		unsigned char *bytes, kept[64];
		size_t wrong = 0;

		(void)ft_model_pack(model, &bytes, &n, NULL);
		for (size_t i = 0; i + 8 * many <= n; i += 8 * (i < first ? least : later))
			for (size_t k = test_quick() ? i / 8 % 3 : 0; k < STRANGE;
			     k += test_quick() ? 3 : 1) {
				memcpy(kept, bytes + i, 8 * many);
				for (size_t j = 0; j < many; j++) /* the usual order of bytes, or nonsense */
					memcpy(bytes + i + 8 * j, &strange[k], 8);
				if (!is_harmless(bytes, n)) {
					if (!wrong)
						diag("number %zu as %g", i / 8, strange[k]);
					wrong++;
				}
				memcpy(bytes + i, kept, 8 * many);
			}
		ok(!wrong, "type %zu: strange numbers, %zu side by side, do no harm: %zu do", type, many,
		   wrong);
		ft_free(bytes);
		ft_model_free(model);
	}
}

/* A count beyond all bounds, three and four numbers before a flag and a variance: so batches stand. */
static void test_strange_count(void)
{
	static const double huge = 1e300, one = 1;
	size_t n, wrong = 0;

	for (size_t type = 0; type < TYPES; type++) {
		struct ft_model *model = make(type);
		unsigned char *bytes, kept[40];

		(void)ft_model_pack(model, &bytes, &n, NULL);
		for (size_t i = 0; i + 40 <= n && i < 1200; i += 8) {
			memcpy(kept, bytes + i, 40);
			memcpy(bytes + i, &huge, 8);
			memcpy(bytes + i + 24, &one, 8);
			memcpy(bytes + i + 32, &one, 8);
			wrong += !is_harmless(bytes, n);
			memcpy(bytes + i, kept, 40);
		}
		ft_free(bytes);
		ft_model_free(model);
	}
	ok(!wrong, "a count of batches that is none does no harm: %zu do", wrong);
}

/* Which numbers are taken in the place of each: a bound that moves is seen. */
static void test_taken(void)
{
	static const double given[] = {0, -1, 1, 1e300, NAN, -1e-300};
	static const char what[] = "strange numbers that are taken";
	static const double was[TYPES] = {1510.409556, 4189.506413, 1624.904783,
					  2148.232878, 1384.107654, 1290.332904};
	size_t n;

	for (size_t type = 0; type < TYPES; type++) {
		struct ft_model *model = make_of(type, 1);
		struct test_told told = {0};
		unsigned char *bytes, kept[8];

		(void)ft_model_pack(model, &bytes, &n, NULL);
		for (size_t i = 0; i + 8 <= n; i += i < 1600 ? 8 : 11 * 8)
			for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
				struct ft_model *again = NULL;

				memcpy(kept, bytes + i, 8);
				memcpy(bytes + i, &given[k], 8);
				test_tell(&told, ft_model_unpack(&again, bytes, n, NULL, NULL), 1);
				ft_model_free(again);
				memcpy(bytes + i, kept, 8);
			}
		test_told(what, &told, was[type]);
		ft_free(bytes);
		ft_model_free(model);
	}
}

static void test_mutated(void)
{
	struct ft_random r = {test_seed()};
	size_t n, wrong = 0;

	for (size_t type = 0; type < TYPES; type++) {
		struct ft_model *model = make(type);
		unsigned char *bytes;

		(void)ft_model_pack(model, &bytes, &n, NULL);
		unsigned char *mutant = malloc(n);
		for (size_t i = 0; i < (size_t)test_cases(test_quick() ? 20 : 500); i++) {
			memcpy(mutant, bytes, n);
			for (size_t k = ft_random_below(&r, 4) + 1; k; k--)
				mutant[ft_random_below(&r, ft_random_below(&r, 2) ? n
							   : n < 400              ? n
										  : 400)] =
					(unsigned char)ft_random_bits(&r);
			wrong += !is_harmless(mutant, n);
		}
		free(mutant);
		ft_free(bytes);
		ft_model_free(model);
	}
	ok(!wrong, "random bytes do no harm: %zu do", wrong);
}

/* ---- allocations ------------------------------------------------------------------------------------- */

static void test_faults(void)
{
	static const size_t axes[] = {0, 1};
	static struct samples s;
	struct ft_random r = {1};

	for (size_t type = 0; type < 3; type++) {
		struct ft_model_options options = {.type = type == 1 ? "band" : NULL};
		size_t wrong = 0;

		s.n = 0;
		sweep(&s, affine, 10, 5000, type == 2 ? 6 : 20, 2, 0.02, &r);
		if (type == 2) {
			options.axis = axes;
			options.n_axes = 2;
			for (size_t i = 0; i < s.n; i++) {
				s.o[i].size.n = 2;
				s.o[i].size.value[1] = 3 + (double)(i % 4);
			}
		}
		(void)ft_alloc_fail_at(0);
		ft_model_free(fit_as(&s, &options));
		unsigned long total = ft_alloc_fail_at(0);
		for (unsigned long n = 1; n <= total; n += test_quick() && n > 20 ? 11 : 1) {
			struct ft_model *model;

			(void)ft_alloc_fail_at(n);
			enum ft_status status = ft_model_fit(&model, s.o, s.n, &options, NULL);
			(void)ft_alloc_fail_at(0);
			if ((status != FT_ENOMEM || model) && !wrong++)
				diag("type %zu: allocation %lu fails, and it answers %d", type, n,
				     (int)status);
			ft_model_free(model);
		}
		ok(!wrong && total > 3,
		   "type %zu: %s of %lu allocations may fail, and it is told: %zu times not", type,
		   test_quick() ? "some" : "each", total, wrong);
	}
}

static void test_pack_faults(void)
{
	size_t size;

	for (size_t type = 0; type < TYPES; type++) {
		struct ft_model *model = make(type), *again = NULL;
		unsigned char *bytes;
		enum ft_status status;
		unsigned long n = 0, m = 0;
		bool clean = true;

		do {
			ft_alloc_fail_at(++n);
			status = ft_model_pack(model, &bytes, &size, NULL);
			ft_alloc_fail_at(0);
			clean = clean && (!status || (status == FT_ENOMEM && !bytes));
		} while (status && n < 100);
		do {
			ft_alloc_fail_at(++m);
			status = ft_model_unpack(&again, bytes, size, NULL, NULL);
			ft_alloc_fail_at(0);
			clean = clean && (!status || (status == FT_ENOMEM && !again));
			if (status && status != FT_ENOMEM)
				diag("allocation %lu: status %d", m, (int)status);
		} while (status && m < 20000);
		ok(clean && !status && n > 1 && m > 2,
		   "type %zu: each of %lu and %lu of packing and unpacking", type, n, m);
		ft_free(bytes);
		ft_model_free(model);
		ft_model_free(again);
	}
}

int main(void)
{
	test_same();
	test_laws_are_kept();
	test_truncated();
	test_strange_numbers(1);
	test_strange_numbers(3);
	test_taken();
	test_strange_count();
	test_mutated();
	test_faults();
	test_pack_faults();
	return done();
}
