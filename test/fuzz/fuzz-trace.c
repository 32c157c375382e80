/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-trace.c - any bytes as a trace: refused with words, or points in order, of which a model can be made
 * that is never worse than a line. */
#include "foretime/trace.h"
#include "fuzz.h"
#include "trace/door.h"

#include <math.h>
#include <string.h>

const char *const fuzz_trace_seeds[] = {
	"t,cpu\n0,1\n1,2\n2,1.5\n3,0\n",
	"time;use\n2026-01-31T12:00:00Z;5%\n2026-01-31T12:00:01Z;6%\n2026-01-31T12:00:02.5Z;7%\n",
	"CMDLINE x\nMEM 3.5 100.5\nCHLD 1 2 100.6\nMEM 4 100.75\nFUNC f 1 2 3 4\nMEM 4 101\n",
	"# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n 0.0 1.0 2.5 3.5\n 1.0 1.0 3.5 3.5\n",
	"# recorded\n0 1\n1 2\n\n2 NaN\n3 3\n4 1\n9 0\n",
	"12:00:00\t1\n12:00:01\t\n12:00:02\t3\n12:00:03\tNA\n12:00:04\t3\n",
	"date,time,load\n2026-01-31,23:59:59,1\n2026-02-01,00:00:01,2\n2026-02-01,00:00:02,3\n",
	"1769860800000,1\n1769860801000,2\n1769860802000,3\n",
	"0,0\n1,0\n2,5\n3,0\n4,0\n5,5\n6,0\n7,0\n8,1\n",
	"x,1e-320\n0,1e300\n5e-324,-1e300\n1e-323,0\n",
	"0,8\n1,0\n2,5\n3,5999999919991769308299999\n7,0\n8,1\n6001,1\n"
	"1444444444404444444444444444444444444444444417690820549577,27769080\n",
	"\0030,8\n1,0\n2,6\n8018608009960880000,2\n",
	"\0040,5\n1e-321,0\n1,\n",
	"\0040,\n1,5\n2,\n3,2\n4,\n7,8\n7,\n88,2\n263,2\n",
	"\004176,9\n6000048660800,3\n6000052419039,\n",
	"0,8\n1,0\n2,5\n3,6e17\n7,0\n8,1\n6001,1\n1.5e270,27769\n",
	NULL,
};

const char *const fuzz_trace_pieces[] = {
	",",
	";",
	"\t",
	" ",
	"\n",
	"\r\n",
	"NaN",
	"NA",
	"null",
	"#",
	"1e308",
	"-1e308",
	"5e-324",
	"1%",
	"12:00:00",
	"2026-01-31T12:00:00Z",
	"1769860800000",
	"-5",
	"0.5",
	"3",
	"inf",
	"\"",
	"\xef\xbb\xbf",
	NULL,
};

enum { MODEL_MOST = 24 }; /* points of a curve that is modelled: the readers are what is looked for here */

/* Magnitudes whose squares are numbers. */
static int is_moderate(const struct ft_trace *trace)
{
	double length = trace->t[trace->n - 1] - trace->t[0];

	for (size_t i = 0; i < trace->n; i++)
		if (fabs(trace->y[i]) > 1e60 || fabs(trace->t[i]) > 1e60 ||
		    (i && (trace->t[i] - trace->t[i - 1] < 1e-60 ||
			   trace->t[i] - trace->t[i - 1] < 1e-12 * length)))
			return 0;
	return 1;
}

static const char *check_points(const struct ft_trace *trace)
{
	if (trace->n < 2 || trace->n_parts < 1 || trace->part[0] != 0 ||
	    trace->part[trace->n_parts] != trace->n)
		return "there are points, all of them in parts";
	for (size_t i = 0; i < trace->n; i++)
		if (!isfinite(trace->t[i]) || !isfinite(trace->y[i]) || (i && trace->t[i] <= trace->t[i - 1]))
			return "points are finite, in the order of time";
	for (size_t i = 0; i < trace->n_parts; i++)
		if (trace->part[i + 1] < trace->part[i] + 2)
			return "a part has two points";
	return trace->gap_s >= 0 ? NULL : "gaps have a length";
}

static const char *check_nodes(const struct ft_nodes *nodes, const struct ft_pwl *f)
{
	if (nodes->n < 2 || nodes->t[0] != ft_pwl_begin(f) || nodes->t[nodes->n - 1] != ft_pwl_end(f))
		return "a model goes from the begin to the end";
	for (size_t i = 0; i < nodes->n; i++)
		if (!isfinite(nodes->y[i]) || (i && !(nodes->t[i] > nodes->t[i - 1])))
			return "its nodes are finite and ascend";
	return NULL;
}

static const char *check_fit(const struct ft_pwl *f, size_t pieces)
{
	struct ft_pwl_options options = {.pieces = pieces, .start = FT_PWL_START_EQUAL, .ends = FT_PWL_FREE};
	struct ft_pwl_fit fit = {0};
	struct ft_pwl_line line = ft_pwl_line(f, ft_pwl_begin(f), ft_pwl_end(f));
	double length = ft_pwl_end(f) - ft_pwl_begin(f), most, range[2];
	struct ft_err err = {0};
	enum ft_status status = ft_pwl_fit(&fit, f, &options, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal of a fit has words";
	ft_pwl_range(f, range, NULL);
	most = fmax(fabs(range[0]), fabs(range[1]));
	const char *broken = check_nodes(&fit.nodes, f);
	if (!broken &&
	    !(fit.error.rms >= 0 && fit.error.rms <= sqrt(line.residual / length) * (1 + 1e-6) + 1e-6 * most))
		broken = "no fit is worse than a line";
	ft_pwl_fit_clear(&fit);
	return broken;
}

static const char *check_constrained(const struct ft_pwl *f)
{
	struct ft_nodes nodes = {0};
	struct ft_pwl_error error;
	double range[2], slack;
	struct ft_err err = {0};
	enum ft_status status = ft_pwl_constrain(&nodes, f, NULL, 0, 1, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal of a constrained fit has words";
	const char *broken = check_nodes(&nodes, f);
	ft_pwl_range(f, range, NULL);
	slack = 1e-6 * fmax(fabs(range[0]), fabs(range[1]));
	if (!broken) {
		ft_pwl_compare(f, nodes.t, nodes.y, nodes.n, &error);
		if (error.least < range[0] - slack || error.most > range[1] + slack)
			broken = "a constrained model stays within the range of the curve";
	}
	ft_nodes_clear(&nodes);
	return broken;
}

static const char *check_phases(const struct ft_pwl *f)
{
	struct ft_phases phases = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_pwl_phases(&phases, f, 0, &err);
	const char *broken = NULL;

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal of phases has words";
	if (!phases.n || phases.phase[0].begin != ft_pwl_begin(f) ||
	    phases.phase[phases.n - 1].end != ft_pwl_end(f))
		broken = "phases cover the curve";
	for (size_t i = 0; i < phases.n && !broken; i++)
		if (!(phases.phase[i].end > phases.phase[i].begin) ||
		    (i && phases.phase[i].begin != phases.phase[i - 1].end))
			broken = "phases follow one another";
	ft_phases_clear(&phases);
	return broken;
}

static const char *check_models(const struct ft_trace *trace)
{
	struct ft_pwl *f = NULL;

	if (ft_pwl_new(&f, trace->t, trace->y, trace->part[1], NULL))
		return "points that were read are a curve";
	const char *broken = check_fit(f, 1 + trace->n % 4);
	if (!broken)
		broken = check_constrained(f);
	if (!broken && trace->n % 4 == 0)
		broken = check_phases(f);
	ft_pwl_free(f);
	return broken;
}

/* The first byte, below 6, chooses how gaps and steps are taken. */
const char *fuzz_trace(const uint8_t *bytes, size_t length)
{
	unsigned choice = fuzz_choice(&bytes, &length, 6);
	struct ft_trace_format format = {.steps = choice >= 3, .gaps = (enum ft_trace_gaps)(choice % 3)};
	struct ft_trace trace = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_trace_parse(&trace, "f", (const char *)bytes, length, &format, &err);

	if (status)
		return trace.t || !fuzz_is_told(status, &err) || !*err.remedy
			       ? "a refusal has words and a remedy"
			       : NULL;
	const char *broken = check_points(&trace);
	if (!broken && trace.n <= MODEL_MOST) {
		const char *model = check_models(&trace);

		broken = is_moderate(&trace) ? model : NULL;
	}
	ft_trace_clear(&trace);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_trace)
#endif
