/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stand.c - who is best at a size, how likely that is, and what is lost by believing it. */
#include "foretime/device.h"
#include "num/stats.h"

#include <math.h>

/* Of ln value, which is normal: so many places over so many deviations. With 96 the chances of two are within
 * 0.01 of the closed form, the loss within 2 % of it (test/device/t-stand.c). */
enum { PLACES = 96 };
static const double reach = 5, error_least = 1e-4;

static double error_of(const struct ft_standing *s)
{
	return fmax(s->error, error_least);
}

/* How likely it is that all others take longer than e^ln. */
static double others_above(const struct ft_standing *standing, size_t n, size_t but, double ln)
{
	double share = 1;

	for (size_t i = 0; i < n && share > 0; i++)
		if (i != but && isfinite(standing[i].value))
			share *= ft_normal_below((log(standing[i].value) - ln) / error_of(&standing[i]));
	return share;
}

/* Adds to the chance of one what each place of its belief has; and to the expected least of all. */
static double add_places(struct ft_standing *standing, size_t n, size_t at, double from)
{
	struct ft_standing *s = &standing[at];
	double step = 2 * reach / PLACES, least = 0;

	for (int i = 0; i < PLACES; i++) {
		double z = -reach + (i + 0.5) * step, ln = log(s->value) + z * error_of(s);
		double weight = step * exp(-z * z / 2) / sqrt(2 * M_PI) * others_above(standing, n, at, ln);

		s->chance += weight;
		least += weight * (from - ln);
	}
	return least;
}

size_t ft_stand(struct ft_standing *standing, size_t n, double *loss)
{
	double sum = 0, least = 0;
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		standing[i].chance = 0;
		if (standing[i].value < standing[best].value)
			best = i;
	}
	for (size_t i = 0; i < n && isfinite(standing[best].value); i++)
		if (isfinite(standing[i].value)) {
			least += add_places(standing, n, i, log(standing[best].value));
			sum += standing[i].chance;
		}
	for (size_t i = 0; i < n && sum > 0; i++)
		standing[i].chance /= sum;
	if (loss)
		*loss = sum > 0 ? fmax(0, least / sum) : 0;
	return best;
}
