/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.c - what foretime fit found, as JSON. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"

#include <math.h>
#include <stdlib.h>

struct class
{
	char text[CLI_FIT_TEXT];
	struct ft_law_factor factor;
	double weight;
};

#define CLASS struct class
static const struct ft_tell_row class_rows[] = {
	{FT_TELL_AS("class", CLASS, text)},
	{FT_TELL_AS("power", CLASS, factor.power), .about = "of n"},
	{FT_TELL_AS("log", CLASS, factor.log), .about = "the power of log2 n"},
	{FT_TELL_AS("rate", CLASS, factor.rate),
	 .about = "how often it doubles while n grows by 1; below 0: how often it halves"},
	{FT_TELL_AS("factorial", CLASS, factor.factorial), .about = "the power of n!"},
	{FT_TELL(CLASS, weight),
	 .about = "how much of the belief it has; all sum to 1 but for those under 0.0005"},
	{0},
};
static const struct ft_tell_record classes = {.bytes = sizeof(CLASS), .row = class_rows};

struct fit_candidate {
	char law[CLI_FIT_TEXT];
	double weight;
};

static const struct ft_tell_row candidate_rows[] = {
	{FT_TELL(struct fit_candidate, law)},
	{FT_TELL(struct fit_candidate, weight)},
	{0},
};
static const struct ft_tell_record candidates = {.bytes = sizeof(struct fit_candidate),
						 .row = candidate_rows};

struct fit_broken {
	struct ft_law_break at;
	char law[CLI_FIT_TEXT];
};

static const struct ft_tell_row broken_rows[] = {
	{FT_TELL_AS("after", struct fit_broken, at.after), .about = "the last size of the law before"},
	{FT_TELL_AS("from", struct fit_broken, at.from), .about = "the first size of the next one"},
	{FT_TELL(struct fit_broken, law), .about = "the one before"},
	{FT_TELL_AS("error", struct fit_broken, at.error),
	 .about = "its relative error, one standard deviation"},
	{FT_TELL_AS("evidence", struct fit_broken, at.evidence),
	 .about = "ln of how much likelier the runs are with all breaks than with none"},
	{0},
};
static const struct ft_tell_record breaks = {.bytes = sizeof(struct fit_broken), .row = broken_rows};

struct fit_tell_told {
	const char *group, *error;
	char law[CLI_FIT_TEXT], words[CLI_FIT_TEXT]; /* "": none */
	size_t runs, n_classes, n_candidates, n_breaks, n_predictions;
	double sizes, terms, misfit, noise, residual, residual_ln; /* NaN: none */
	struct ft_law_number power;
	bool called, exact;
	CLASS *class;
	struct fit_candidate *candidate;
	struct fit_broken *broken;
	struct cli_fit_prediction *prediction;
};

#define TOLD struct fit_tell_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, group), .about = "the value of the column --by", .null = "without it"},
	{FT_TELL(TOLD, runs)},
	{FT_TELL(TOLD, sizes), .whole = true, .null = "there is no law"},
	{FT_TELL(TOLD, error), .about = "why there is no law", .null = "there is one"},
	{FT_TELL(TOLD, law), .about = "an expression of the parameters, in SI units; 17 digits",
	 .null = "there is none"},
	{FT_TELL(TOLD, words), .about = "the class with its evidence",
	 .null = "of power, polylog, several parameters"},
	{FT_TELL(TOLD, terms), .whole = true, .about = "of the law, besides the constant",
	 .null = "there is none"},
	{FT_TELL(TOLD, called), .about = "more than one term because the runs call for it"},
	{FT_TELL(TOLD, exact), .about = "it passes through all runs"},
	{FT_TELL(TOLD, misfit),
	 .about = "how far the means of the sizes are from the law: root mean square, relative; of power and "
		  "polylog the mean of the relative errors",
	 .null = "there is no law"},
	{FT_TELL(TOLD, noise), .about = "relative standard deviation of runs of one size",
	 .null = "no size has two"},
	{FT_TELL(TOLD, residual),
	 .about = "R: root of the sum of squares over the sizes (002 appendix .1, eq. 6)",
	 .null = "there is no law"},
	{FT_TELL(TOLD, residual_ln),
	 .about = "the same of logarithms, which is what 002 prints of power laws (tables 5.1, 5.2, 5.5)",
	 .null = "there is no law, or no logarithm"},
	{FT_TELL_AS("power", TOLD, power.value), .about = "of n, where that number was found",
	 .null = "it is one of the usual ones"},
	{FT_TELL_AS("power_lower", TOLD, power.lower), .about = "with power_upper: holds the confidence",
	 .null = ""},
	{FT_TELL_AS("power_upper", TOLD, power.upper), .null = ""},
	{FT_TELL_MANY(LIST, "classes", TOLD, class, n_classes, &classes),
	 .about = "of laws of one parameter, the heaviest first"},
	{FT_TELL_MANY(LIST, "candidates", TOLD, candidate, n_candidates, &candidates),
	 .about = "of laws of several parameters, and of signed: the heaviest first"},
	{FT_TELL_MANY(LIST, "breaks", TOLD, broken, n_breaks, &breaks),
	 .about = "`law` is that of the sizes from the last break on"},
	{FT_TELL_MANY(LIST, "predictions", TOLD, prediction, n_predictions, &cli_fit_predictions)},
	{0},
};
const struct ft_tell_record cli_fit_group_told = {.bytes = sizeof(TOLD), .row = rows};

static void tell_classes(TOLD *told, const struct cli_fit_data *data, const struct ft_laws *laws)
{
	(void)ft_laws_words(laws, data->param[0], told->words, sizeof told->words);
	told->called = laws->called;
	told->exact = laws->exact;
	told->class = cli_alloc(laws->kinds * sizeof *told->class);
	for (size_t i = 0; i < laws->kinds; i++) {
		const struct ft_law_class *kind = &laws->kind[i];
		CLASS *one = &told->class[told->n_classes++];

		(void)ft_law_class_format(&kind->factor, data->param[0], one->text, sizeof one->text);
		one->factor = kind->factor;
		one->weight = kind->weight;
	}
	told->broken = cli_alloc(laws->breaks * sizeof *told->broken);
	for (size_t i = 0; i < laws->breaks; i++) {
		told->broken[i].at = laws->broken[i];
		cli_fit_text(data, &laws->broken[i].law, 17, told->broken[i].law);
	}
	told->n_breaks = laws->breaks;
}

static void tell_candidates(TOLD *told, const struct cli_fit_data *data,
			    const struct ft_law_candidate *candidate, size_t n)
{
	told->candidate = cli_alloc(n * sizeof *told->candidate);
	for (size_t i = 0; i < n; i++) {
		cli_fit_text(data, &candidate[i].law, 17, told->candidate[i].law);
		told->candidate[i].weight = candidate[i].weight;
	}
	told->n_candidates = n;
}

static void tell_law(TOLD *told, const struct cli_fit_data *data, const struct cli_fit_result *fit,
		     double confidence)
{
	cli_fit_text(data, &fit->of.law, 17, told->law);
	told->sizes = (double)fit->of.sizes;
	told->terms = (double)fit->of.law.terms;
	told->misfit = fit->of.misfit;
	told->noise = fit->of.noise;
	told->residual = fit->of.residual;
	told->residual_ln = fit->of.residual_ln;
	if (!ft_law_any_power(&fit->of, confidence, &told->power))
		told->power = (struct ft_law_number){NAN, NAN, NAN};
	if (fit->of.many) {
		told->exact = fit->of.multi.exact;
		tell_candidates(told, data, fit->of.multi.candidate, fit->of.multi.candidates);
	} else if (fit->of.kind == FT_LAW_SIGNED) {
		tell_candidates(told, data, fit->of.sums.candidate, fit->of.sums.candidates);
	} else if (fit->of.kind == FT_LAW_LAWS) {
		tell_classes(told, data, &fit->of.laws);
	}
}

json_t *cli_fit_json(const struct cli_fit_data *data, const struct cli_fit_group *group,
		     const struct cli_fit_result *fit, const struct cli_fit_sizes *sizes,
		     const struct cli_fit_style *style)
{
	const struct ft_program program = cli_fit_program(data);
	const struct ft_tell_with with = {.program = &program};
	TOLD told = {.group = group->name,
		     .runs = group->n,
		     .sizes = NAN,
		     .terms = NAN,
		     .misfit = NAN,
		     .noise = NAN,
		     .residual = NAN,
		     .residual_ln = NAN,
		     .power = {NAN, NAN, NAN}};
	json_t *object;

	if (fit->err.status) {
		told.error = fit->err.text;
	} else {
		tell_law(&told, data, fit, style->confidence);
		told.prediction = cli_fit_predict_all(data, group, fit, sizes, style);
		told.n_predictions = sizes->n;
	}
	object = cli_tell_json(&cli_fit_group_told, &told, &with);
	free(told.class);
	free(told.candidate);
	free(told.broken);
	free(told.prediction);
	return object;
}
