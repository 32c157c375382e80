/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sums_predict.c - what sums of either sign say of a size: the value of the first, the interval of all. */
#include "law/many.h"
#include "num/stats.h"

#include <math.h>

struct belief {
	size_t n;
	double at[FT_LAW_CANDIDATES], error[FT_LAW_CANDIDATES], weight[FT_LAW_CANDIDATES];
};

static double quantile(const struct belief *belief, double share)
{
	return ft_normals_quantile(belief->at, belief->error, belief->weight, belief->n, share);
}

enum ft_status ft_law_sums_predict(const struct ft_law_sums *sums, double x, double confidence,
				   enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err)
{
	double noise = of == FT_LAW_RUN ? isnan(sums->noise) ? sums->misfit : sums->noise : 0;
	struct belief belief = {0};

	*out = (struct ft_law_prediction){0};
	if (ft__law_ask(x, confidence, err))
		return FT_EINVAL;
	out->value = ft_law_value(&sums->candidate[0].law, &x);
	if (!isfinite(out->value))
		return ft_fail(err, FT_EINVAL, "the law has no value at %g, or none below 1e308", x);
	for (size_t i = 0; i < sums->candidates; i++) {
		const struct ft_law_candidate *candidate = &sums->candidate[i];
		double dof =
			(double)sums->runs - (double)candidate->law.terms - (candidate->law.constant != 0);
		double at = ft_law_value(&candidate->law, &x);
		double heavy = ft_student_t(confidence, fmax(dof, 1)) / ft_student_t(confidence, 1e6);

		if (!isfinite(at))
			continue;
		belief.at[belief.n] = at;
		belief.error[belief.n] = heavy * hypot(ft__law_deviation(candidate, &x), noise * at);
		belief.weight[belief.n++] = candidate->weight;
	}
	out->median = quantile(&belief, 0.5);
	out->lower = out->wide_lower = fmin(quantile(&belief, (1 - confidence) / 2), out->value);
	out->upper = out->wide_upper = fmax(quantile(&belief, (1 + confidence) / 2), out->value);
	return FT_OK;
}
