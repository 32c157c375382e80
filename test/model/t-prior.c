/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-prior.c - the prior of growth beyond the data as a file: what is written is read; what is damaged is
 * refused with its line; models follow the prior that they were given, and no other one. */
#include "model-told.h"
#include "model/model.h"
#include "temp.h"

static const char *const file = "growth.conf";

static char *built_in(void)
{
	struct ft_text text = {0};

	ft__prior_print(ft__growths, &text);
	return ft_text_take(&text);
}

static enum ft_status read_text(const char *text, struct ft_prior **out, struct ft_err *err)
{
	return temp_write(temp_path(file), text, 0644) ? ft_prior_read(out, temp_path(file), err) : FT_EIO;
}

/* A parameter that has no row would be neither written nor read. */
static void test_table(void)
{
	bool taken[sizeof(struct ft__growth) / sizeof(double)] = {false}, twice = false, all = true;

	for (size_t i = 0; i < ft__prior_fields; i++)
		for (size_t k = 0; k < ft__prior_field[i].rows * ft__prior_field[i].columns; k++) {
			bool *one = &taken[ft__prior_field[i].offset / sizeof(double) + k];

			twice = twice || *one;
			*one = true;
		}
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		all = all && taken[i];
	ok(all && !twice, "each parameter of the growth is one of the file's");
}

static void test_same(void)
{
	struct ft_prior *prior = NULL;
	struct ft_err err = {0};
	char *text = built_in(), *windows = calloc(2, strlen(text)), *to = windows, *from;
	struct ft_text again = {0};

	ok(!read_text(text, &prior, &err) && !memcmp(prior->of, ft__growths, sizeof prior->of),
	   "the built-in table, written and read, is the same: %s", err.text);
	ok(ft__prior_mark(prior) == ft__prior_mark(NULL) && ft__prior_mark(NULL) > 0, "... and its mark");
	ft__prior_print(prior->of, &again);
	ok(again.s && !strcmp(again.s, text), "... and written again");
	ft_prior_free(prior);
	for (from = text; *from; *to++ = *from++)
		if (*from == '\n')
			*to++ = '\r';
	ok(!read_text(windows, &prior, &err), "lines may end with CRLF: %s", err.text);
	ft_prior_free(prior);
	ft_text_clear(&again);
	free(windows);
	ft_free(text);
}

/* The first `old` of the built-in file becomes `new`: what is complained of. line: and all of its line. */
static void refuse_part(const char *old, bool line, const char *new, const char *words)
{
	char *text = built_in(), *at = strstr(text, old), *end;
	struct ft_text damaged = {0};
	struct ft_prior *prior = (void *)text; /* any but NULL */
	struct ft_err err = {0};

	if (!at) {
		ok(false, "the built-in file does not have what %s is about", words);
		ft_free(text);
		return;
	}
	end = at + strlen(old);
	end += line ? strcspn(end, "\n") : 0;
	ft_text_add_bytes(&damaged, text, (size_t)(at - text));
	ft_text_add(&damaged, "%s%s", new, end);
	ok(read_text(damaged.s, &prior, &err) == FT_EPARSE && !prior && strstr(err.text, words) &&
		   strstr(err.text, file) && *err.remedy,
	   "%s", err.text);
	ft_text_clear(&damaged);
	ft_free(text);
}

static void refuse(const char *old, const char *new, const char *words)
{
	refuse_part(old, false, new, words);
}

static void test_damage(void)
{
	struct ft_prior *prior;
	struct ft_err err = {0};

	refuse("growth 1", "growth 2", "line 2: 'foretime-growth 2' is not 'foretime-growth 1'");
	refuse("class time", "class money", "line 3: there is no class 'money'");
	refuse("class time\n", "", "stands before any class");
	refuse("\nspread ", "\nwidth ", "line 5: there is no parameter 'width ");
	refuse("\nspread ", "\nreach ", "line 6: 'reach' is twice in class 'time'");
	refuse("\nspread ", "\n#spread ", "class 'time' has no 'spread'");
	refuse("\nspread ", "\nspread 1 ", "line 5: 'spread' has more than 1 number");
	refuse_part("\nchange ", true, "\nchange 1 2 3 4 5", "line 4: 'change' has 5 numbers of 6");
	refuse_part("\nchange ", true, "\nchange nan 2 3 4 5 6", "line 4: 'nan' of 'change' is no number");
	refuse_part("\nchange ", true, "\nchange 1e999 2 3 4 5 6", "line 4: 'change' is inf");
	refuse_part("\nchange ", true, "\nchange 0x1p3 2 3 4 5 6", "is no number");
	refuse_part("\ndeviation ", true, "\ndeviation -0.0418 0.1 0.3",
		    "line 8: 'deviation' is -0.0418, and not from 1e-06 to 10");
	refuse_part("\nusual ", true, "\nusual 0.3 0.3 0.6", "line 12: shares of 'usual' sum to 1.2");
	refuse("\nend\n", "\n", "has no 'end'");
	refuse("\nend\n", "\nend\nend\n", "there is more behind 'end'");
	ok(ft_prior_read(&prior, temp_path("nowhere"), &err) == FT_ENOENT && !prior, "%s", err.text);
	ok(ft_prior_read(&prior, "/dev/zero", &err) == FT_EINVAL && !prior, "%s", err.text);
	ok(read_text("", &prior, &err) == FT_EPARSE && !prior, "%s", err.text);
}

static bool is_within(const struct ft_prior *prior)
{
	for (size_t of = 0; of < FT_CLASSES; of++)
		for (size_t i = 0; i < ft__prior_fields; i++) {
			const struct ft__prior_field *f = &ft__prior_field[i];
			const double *n = (const void *)((const char *)&prior->of[of] + f->offset);

			for (size_t k = 0; k < f->rows * f->columns; k++)
				if (!(n[k] >= f->least && n[k] <= f->most))
					return false;
		}
	return true;
}

/* Cut off anywhere, and with bytes changed: refused, or numbers that are within bounds. */
static void test_mutations(struct ft_random *random)
{
	char *text = built_in(), *changed = malloc(strlen(text) + 1);
	size_t n = strlen(text), i, k, read = 0, wrong = 0;
	struct ft_prior *prior;

	for (i = 0; i < n - 1; i += 1 + ft_random_below(random, 7)) {
		memcpy(changed, text, i);
		changed[i] = '\0';
		wrong += !read_text(changed, &prior, NULL) || prior;
	}
	ok(!wrong, "cut off anywhere: refused (%zu were not)", wrong);
	for (i = 0; i < 2000; i++) {
		static const char bytes[] = "0123456789.-+e \t\n\r#naifxtd\x01\xff";

		memcpy(changed, text, n + 1);
		for (k = 1 + ft_random_below(random, 3); k; k--)
			changed[ft_random_below(random, n)] =
				bytes[ft_random_below(random, sizeof bytes - 1)];
		if (read_text(changed, &prior, NULL))
			wrong += prior != NULL;
		else
			wrong += !is_within(prior);
		read += prior != NULL;
		ft_prior_free(prior);
	}
	ok(!wrong, "with bytes changed: refused, or within bounds (%zu of 2000 are read)", read);
	free(changed);
	ft_free(text);
}

static void test_faults(void)
{
	char *text = built_in();
	struct ft_prior *prior;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = temp_write(temp_path(file), text, 0644);

	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_prior_read(&prior, temp_path(file), NULL);
		(void)ft_alloc_fail_at(0);
		clean = clean && !prior == !!status && (!status || status == FT_ENOMEM);
	} while (status && n < 100);
	ok(clean && !status && n > 2, "each of %lu allocations may fail", n - 1);
	ft_prior_free(prior);
	ft_free(text);
}

/* Whatever the numbers of a file are, predictions are numbers in their order. */
static void test_any(struct ft_random *random)
{
	struct ft_prior prior;
	size_t wrong = 0;

	for (size_t round = 0; round < 3000; round++) {
		struct ft__growth_edge edge = {.z = 20 * ft_random_normal(random),
					       .deviation = 0.1 * ft_random_uniform(random),
					       .slope = ft_random_normal(random),
					       .span = 3,
					       .spread = 0.1,
					       .work = ft_random_below(random, 2)};
		struct ft__growth_belief b = {
			.mean = {edge.z + 1}, .deviation = {0.1}, .weight = {1}, .n = 1};
		double far = 8 * ft_random_uniform(random) + 1e-3, total = 0;

		for (size_t of = 0; of < FT_CLASSES; of++)
			for (size_t i = 0; i < ft__prior_fields; i++) {
				const struct ft__prior_field *f = &ft__prior_field[i];
				double *n = (void *)((char *)&prior.of[of] + f->offset);

				for (size_t k = 0; k < f->rows * f->columns; k++)
					n[k] = f->shares ? k % f->columns == round % f->columns
					       : ft_random_below(random, 3)
						       ? f->least + (f->most - f->least) *
									    ft_random_uniform(random)
					       : ft_random_below(random, 2) ? f->least
									    : f->most;
			}
		ft__beyond(&prior.of[round % FT_CLASSES], &edge, far, far, &b);
		for (size_t i = 0; i < b.n; i++) {
			total += b.weight[i];
			wrong += !isfinite(b.mean[i]) || !(b.deviation[i] >= 0) || !(b.weight[i] >= 0);
		}
		wrong += !near(total, 1, 1e-9);
	}
	ok(!wrong, "numbers within bounds: beliefs are finite, and weights sum to 1 (%zu are not)", wrong);
}

/* Growth that always stops at the edge. */
static struct ft_prior level(void)
{
	struct ft_prior prior;

	memcpy(prior.of, ft__growths, sizeof prior.of);
	for (size_t of = 0; of < FT_CLASSES; of++)
		for (size_t i = 0; i < FT__GROWTH_BINS; i++) {
			prior.of[of].change[i] = 20;
			prior.of[of].share[i][0] = 1;
			prior.of[of].share[i][1] = prior.of[of].share[i][2] = 0;
		}
	return prior;
}

static struct ft_prediction at(const struct ft_model *model, double x)
{
	struct ft_prediction p = {.value = NAN};

	(void)ft_model_predict(model, &(struct ft_size){1, {x}}, 1, 0.9, &p, NULL);
	return p;
}

static void test_models(struct ft_random *random)
{
	struct ft_prior prior = level();
	struct ft_model *site, *again = NULL;
	static struct samples s;
	unsigned char *bytes;
	size_t n;

	sweep(&s, affine, 1e3, 1e5, 12, 3, 0.01, random);
	struct ft_model *usual = fit(&s);
	site = fit_as(&s, &(struct ft_model_options){.prior = &prior});
	struct ft_prediction p = at(usual, 3e4);
	struct ft_prediction q = at(site, 3e4);
	ok(same(&p, &q), "within the data a prior of what is beyond is of no account");
	p = at(usual, 2e6);
	q = at(site, 2e6);
	ok(p.value > 10 * affine(1e5) && q.value < 1.5 * affine(1e5) && q.upper < 3 * affine(1e5),
	   "beyond them it is: %.3g s, where growth stops %.3g s", p.value, q.value);
	(void)ft_model_pack(site, &bytes, &n, NULL);
	ok(ft_model_unpack(&again, bytes, n, NULL, NULL) == FT_EPARSE && !again,
	   "a model that was packed with another prior is made anew");
	ok(!ft_model_unpack(&again, bytes, n, &prior, NULL), "with its own it is read");
	p = at(again, 2e6);
	ok(same(&p, &q), "... and predicts the same");
	ft_free(bytes);
	ft_model_free(usual);
	ft_model_free(site);
	ft_model_free(again);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	test_table();
	test_same();
	test_damage();
	test_mutations(&random);
	test_faults();
	test_any(&random);
	test_models(&random);
	temp_remove();
	return done();
}
