/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.c - `foretime surrogate`: describes programs and resources by other ones. */
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/base.h"
#include "foretime/plot.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Draw the matrix as a heat map, and its programs in two dimensions.
 */

static int surrogate_plot(void *query)
{
	struct cli_surrogate *surrogate = query;
	FT_CLEANUP(ft_diagnosis_clear) struct ft_diagnosis diagnosis = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_surrogate_open(surrogate));
	enum ft_status found = ft_matrix_diagnose(&surrogate->matrix, 0, &diagnosis, &err);
	if (found && found != FT_ENOMODEL)
		return cli_error(&err);
	if (found)
		cli_note("no row is complete: programs have no place in the plane");
	CLI_OWN double *value = cli_alloc(surrogate->matrix.rows * surrogate->matrix.columns * sizeof *value);
	ft_matrix_doublings(&surrogate->matrix, value);
	const struct ft_diagnosis *d = found ? NULL : &diagnosis;

	CLI_OWN char *title = cli_printed("%s: %zu resources, %zu programs", cli_surrogate_source(surrogate),
					  surrogate->matrix.rows, surrogate->matrix.columns),
		     *x = cli_printed("first component (%.0f %%)", d ? 100 * d->place_share[0] : 0),
		     *y = cli_printed("second (%.0f %%)", d ? 100 * d->place_share[1] : 0), *text = NULL;
	const struct ft_heat heat = {.rows = surrogate->matrix.rows,
				     .columns = surrogate->matrix.columns,
				     .row = surrogate->matrix.row,
				     .column = surrogate->matrix.column,
				     .value = value,
				     .place = d ? d->place : NULL,
				     .value_label = "doublings against row and column",
				     .x_label = x,
				     .y_label = y};
	int status = CLI_DONE;

	if (ft_plot_heat(title, &heat, surrogate->output,
			 surrogate->output ? 0 : (int)cli_terminal_width(stdout), surrogate->dark,
			 surrogate->output ? NULL : &text, &err))
		status = cli_error(&err);
	if (text)
		fputs(text, stdout);
	return status;
}

/*
 * `foretime surrogate`: describes programs and resources by other ones.
 */

/* Options: the matrix, from a table or the store; the solver; and what is described by what. */
#define MATRIX "file rows programs all resource store"
#define CASE   MATRIX " solver seed target target-resource basis over by missing confidence prior format json"

static const struct cli_action actions[] = {
	{"matrix", "print the matrix", "[NAME [n=..]]... | FILE.csv [OPTION...]",
	 MATRIX " transpose output format json", 0, SIZE_MAX, cli_surrogate_matrix},
	{"diagnose", "find redundant rows and columns", "[NAME [n=..]]... | FILE.csv [OPTION...]",
	 MATRIX " solver format json", 0, SIZE_MAX, cli_surrogate_diagnose},
	{"plot", "draw the matrix", "[NAME [n=..]]... | FILE.csv [-o FILE.svg]", MATRIX " output dark", 0,
	 SIZE_MAX, surrogate_plot},
	{"describe", "describe a program, or a resource, by other ones",
	 "--target PROGRAM | --target-resource RESOURCE [--basis A,B,..] [OPTION...]", CASE, 0, SIZE_MAX,
	 cli_surrogate_describe},
	{"predict", "predict a resource of a program",
	 "--target PROGRAM --target-resource RESOURCE [--basis A,B,..] [OPTION...]", CASE, 0, SIZE_MAX,
	 cli_surrogate_predict},
	{"evaluate", "score predictions for the machines of a table",
	 "FILE.csv --basis 5|choose:5|NAME,NAME --train M [OPTION...]",
	 "file rows programs by alike solver seed basis missing confidence train runs output format json", 0,
	 1, cli_surrogate_evaluate},
	{"complexity", "show how a program's shares grow with its size",
	 "FILE.csv --target PROGRAM --basis A,B,.. [n=SIZE...]",
	 MATRIX " solver seed target basis confidence format json", 0, SIZE_MAX, cli_surrogate_complexity},
	{"compose", "check whether two programs together are the sum of both",
	 "FILE.csv --basis A,B [--phi EXPR] [--target PROGRAM]",
	 MATRIX " basis first second phi target tolerance format json", 0, SIZE_MAX, cli_surrogate_compose},
	{"couple", "measure how consecutive routines affect each other",
	 "[NAME...] | FILE.csv --basis A,B,C [--target PROGRAM]",
	 MATRIX " basis chain loop target format json", 0, SIZE_MAX, cli_surrogate_couple},
	{0},
};

static int run_surrogate(const struct cli_command *command, int argc, char **argv)
{
	struct cli_words words;
	struct cli_surrogate s = {.words = &words, .confidence = 0.9, .tolerance = 0.1};
	const struct ft_field options[] = {
		{0, "file", FT_FIELD_TEXT, &s.file, "FILE.csv", NULL},
		{'r', "resource", FT_FIELD_TEXTS, &s.resource, "RESOURCE",
		 "resource of the store that is a row; may be repeated; default: each that adds up"},
		{0, "target", FT_FIELD_TEXT, &s.target, "PROGRAM", "program to describe or predict"},
		{0, "target-resource", FT_FIELD_TEXT, &s.target_resource, "RESOURCE",
		 "resource to describe or predict"},
		{0, "basis", FT_FIELD_TEXTS, &s.basis, "A,B,..",
		 "programs that describe it; default: all others; evaluate: 5 draws five, choose:5 takes the "
		 "best; compose, couple: in their order, A,B,A for a loop"},
		{0, "solver", FT_FIELD_TEXT, &s.solver, "SOLVER",
		 "method; default: ols, of evaluate: kernel; evaluate: all compares them"},
		{0, "raw", FT_FIELD_FLAG, &s.options.raw, NULL,
		 "rows as they are, not scaled to weigh the same", .of = "solver"},
		{0, "cut", FT_FIELD_NUMBER, &s.options.cut, "X",
		 "ols, diagnose: drop smaller singular values; default 1e-10", .of = "solver"},
		{0, "iterations", FT_FIELD_COUNT, &s.options.iterations, "N", "maximum number of iterations",
		 .of = "solver"},
		{0, "weigh", FT_FIELD_FLAG, &s.options.weigh, NULL,
		 "robust: rows by the deviation of their repeated measurements, as weighted", .of = "solver"},
		{0, "rank", FT_FIELD_COUNT, &s.options.rank, "K",
		 "nmf: patterns; default: enough for 99 % of the squares", .of = "solver"},
		{0, "loss", FT_FIELD_TEXT, &s.options.loss, "LOSS", "nmf: frobenius, kl or nonsmooth",
		 .of = "solver"},
		{0, "l1", FT_FIELD_NUMBER, &s.options.l1, "X",
		 "nmf, frobenius: penalty of H, for sparse patterns", .of = "solver"},
		{0, "l2", FT_FIELD_NUMBER, &s.options.l2, "X",
		 "nmf, frobenius: penalty of its squares, for smooth ones", .of = "solver"},
		{0, "start", FT_FIELD_TEXT, &s.options.start, "START",
		 "nmf: nndsvd, random or ica; or given by files: W.csv, H.csv or both", .of = "solver"},
		{0, "method", FT_FIELD_TEXT, &s.options.method, "METHOD",
		 "nmf: hals, of divergences newton, or multiplicative", .of = "solver"},
		{'c', "confidence", FT_FIELD_SHARE, &s.confidence, "SHARE",
		 "confidence of the intervals; default 90%"},
		{'o', "output", FT_FIELD_TEXT, &s.output, "FILE",
		 "table, .csv (evaluate: of every prediction); plot: picture, .svg, .png or .pdf"},
		CLI_DARK_OPTION(s.dark),
		CLI_ANSWER_OPTIONS(s.json, s.store_path),
		CLI_GROUP("the table"),
		{0, "rows", FT_FIELD_TEXT, &s.rows, "COLUMN", "column of the table that names its rows"},
		{0, "programs", FT_FIELD_TEXT, &s.programs, "REGEX",
		 "columns of the table that are programs"},
		{0, "transpose", FT_FIELD_FLAG, &s.turned, NULL, "print programs as rows"},
		{0, "all", FT_FIELD_FLAG, &s.admit, NULL, "take also resources that do not add up"},
		{0, "over", FT_FIELD_TEXTS, &s.over, "A,B,..", "rows to learn from; default: all"},
		{0, "by", FT_FIELD_TEXT, &s.by, "WAY",
		 "predict by program (default) or by resource; evaluate: column none of whose values is on "
		 "both sides"},
		{0, "missing", FT_FIELD_TEXT, &s.missing, "WAY",
		 "drop rows with a missing value (default), impute it (evaluate: default), or keep it (nmf)"},
		CLI_GROUP("evaluate"),
		{0, "train", FT_FIELD_COUNT, &s.train, "M", "rows to train on"},
		{0, "test", FT_FIELD_COUNT, &s.test, "T", "rows to predict; default: all that remain",
		 .of = "train"},
		{'n', "runs", FT_FIELD_COUNT, &s.repeats, "R", "repetitions; default 20"},
		{0, "alike", FT_FIELD_TEXT, &s.alike, "COLUMN,...",
		 "columns that are equal for identical machines: what these differ by is the floor"},
		CLI_GROUP("what is believed, and drawn"),
		{0, "prior", FT_FIELD_TEXTS, &s.prior, "NAME=MEAN:SD",
		 "bayes: prior of a beta, or FILE.json that describe printed; may be repeated"},
		{0, "seed", FT_FIELD_COUNT, &s.seed, "N", "seed of random numbers"},
		CLI_GROUP("compose"),
		{0, "first", FT_FIELD_TEXT, &s.first, "PROGRAM", NULL},
		{0, "second", FT_FIELD_TEXT, &s.second, "PROGRAM", NULL},
		{0, "chain", FT_FIELD_TEXT, &s.chain, "A,B,C", NULL},
		{0, "loop", FT_FIELD_FLAG, &s.loop, NULL, NULL},
		{0, "phi", FT_FIELD_TEXT, &s.phi, "EXPR",
		 "how often the first program calls the second, as in 'n'; default: once"},
		{0, "tolerance", FT_FIELD_SHARE, &s.tolerance, "SHARE",
		 "tolerance for \"the sum of both\"; default 10%"},
		{0},
	};
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	s.options.seed = s.seed;
	if (s.options.cut < 0 || s.options.cut >= 1)
		status = cli_fail("cut %g: a share of the largest singular value is from 0 to 1",
				  s.options.cut);
	else
		status = words.action->act(&s);
	cli_surrogate_close(&s);
	return status;
}

const struct cli_command cli_surrogate = {
	"surrogate",
	"describe programs by other programs, machines by their resources",
	NULL,
	"The matrix has a row for each resource (of each machine) and a column for each program at each "
	"size.\n"
	"It comes from the store, or from a table, wide or long (columns program, resource, value).\n",
	actions,
	run_surrogate,
};
