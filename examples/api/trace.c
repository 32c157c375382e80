/* SPDX-License-Identifier: 0BSD */
/* trace.c - the phases of a trace, and the few straight lines that are nearest to it:
 *
 *	cc trace.c $(pkg-config --cflags --libs foretime) -o trace
 *	./trace
 */
#include <foretime/trace.h>

#include <stdio.h>

enum { POINTS = 300 };

int main(void)
{
	double t[POINTS], y[POINTS];
	static struct ft_pwl_options options; /* static: zero-initialised */
	static struct ft_pwl_fit fit;
	static struct ft_phases phases;
	struct ft_pwl *curve = NULL;
	struct ft_err err;
	enum ft_status status;

	/* Processors in use: 2, then 8 from 100 s on, then 1 from 250 s on. */
	for (int i = 0; i < POINTS; i++) {
		t[i] = i;
		y[i] = (i < 100 ? 2 : i < 250 ? 8 : 1) + 0.1 * (i % 3);
	}
	options.pieces = 5;
	status = ft_pwl_new(&curve, t, y, POINTS, &err);
	if (!status)
		status = ft_pwl_fit(&fit, curve, &options, &err);
	if (!status)
		status = ft_pwl_phases(&phases, curve, 0, &err);
	if (status)
		fprintf(stderr, "trace: %s; %s\n", err.text, err.remedy);
	else
		printf("%zu straight pieces, root mean square error %.2g processors\n", fit.nodes.n - 1,
		       fit.error.rms);
	for (size_t i = 0; i < phases.n; i++)
		printf("%s, %3.0f .. %3.0f s: %.2f processors (%s)\n", phases.phase[i].name,
		       phases.phase[i].begin, phases.phase[i].end, phases.phase[i].level,
		       phases.phase[i].text);
	bool right = !status && fit.error.rms < 0.5 && phases.n == 3 && phases.phase[1].level > 7.5 &&
		     phases.phase[1].begin > 95 && phases.phase[1].begin < 105 && phases.phase[1].end > 245 &&
		     phases.phase[1].end < 255;

	ft_phases_clear(&phases);
	ft_pwl_fit_clear(&fit);
	ft_pwl_free(curve);
	return !right;
}
