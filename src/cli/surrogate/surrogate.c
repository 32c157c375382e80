/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.c - programs and resources described by others. */
#include "cli/surrogate/surrogate.h"
#include "cli/common.h"

#include <stdint.h>

/* The matrix, from a table or from the store; how a problem is solved; and what is described by what. */
#define MATRIX  "file rows programs admit resource calibration store"
#define SOLVED  "solver raw cut iterations seed"
#define FACTORS "rank loss start method"
#define CASE                                                                                                 \
	MATRIX " " SOLVED " " FACTORS                                                                        \
	       " target target-resource basis over by missing confidence prior weigh json"

static const struct cli_action actions[] = {
	{"matrix", "print the matrix", "[NAME [n=..]]... [--file FILE.csv] [OPTION...]",
	 MATRIX " turned output json", 0, SIZE_MAX, cli_surrogate_matrix},
	{"diagnose", "say which rows and columns tell the same",
	 "[NAME [n=..]]... [--file FILE.csv] [OPTION...]", MATRIX " cut json", 0, SIZE_MAX,
	 cli_surrogate_diagnose},
	{"plot", "draw the matrix", "[NAME [n=..]]... [--file FILE.csv] [-o FILE.svg|FILE.png]",
	 MATRIX " output", 0, SIZE_MAX, cli_surrogate_plot},
	{"describe", "describe a program by others, or a resource",
	 "--target PROGRAM | --target-resource RESOURCE [--basis A,B,..] [OPTION...]", CASE, 0, SIZE_MAX,
	 cli_surrogate_describe},
	{"predict", "foretell a resource of a program",
	 "--target PROGRAM --target-resource RESOURCE [--basis A,B,..] [OPTION...]", CASE, 0, SIZE_MAX,
	 cli_surrogate_predict},
	{"basis", "choose the programs that tell most", "choose [-k K] FILE.csv [OPTION...]",
	 MATRIX " size json", 0, SIZE_MAX, cli_surrogate_basis},
	{"evaluate", "say how well machines of a table are foretold",
	 "FILE.csv --basis 5|choose:5|NAME,NAME --train M [OPTION...]",
	 "file rows programs group alike " SOLVED " " FACTORS
	 " basis missing confidence train test reps repeats predictions json",
	 0, 1, cli_surrogate_evaluate},
	{"complexity", "say how a program's shares grow with its size",
	 "FILE.csv --target PROGRAM --basis A,B,.. [n=SIZE...]",
	 MATRIX " " SOLVED " target basis confidence json", 0, SIZE_MAX, cli_surrogate_complexity},
	{"compose", "say whether two programs together are the sum of both",
	 "FILE.csv --first PROGRAM --second PROGRAM [--phi EXPR] [--target PROGRAM]",
	 MATRIX " first second phi target tolerance json", 0, SIZE_MAX, cli_surrogate_compose},
	{"couple", "say what routines that follow each other do to each other",
	 "[NAME...] [--file FILE.csv] --chain A,B,C [--loop] [--target PROGRAM]",
	 MATRIX " chain loop target json", 0, SIZE_MAX, cli_surrogate_couple},
	{0},
};

static int run_surrogate(const struct cli_command *command, int argc, char **argv)
{
	struct cli_words words;
	struct cli_surrogate s = {.words = &words, .confidence = 0.9, .tolerance = 0.1};
	const struct ft_field options[] = {
		{0, "file", FT_FIELD_TEXT, &s.file, "FILE.csv",
		 "a table of measurements; default: the store"},
		{'r', "resource", FT_FIELD_TEXTS, &s.resource, "RESOURCE",
		 "of the store, may be repeated; default: each that adds up"},
		{0, "target", FT_FIELD_TEXT, &s.target, "PROGRAM", "the program"},
		{0, "target-resource", FT_FIELD_TEXT, &s.target_resource, "RESOURCE", "the resource"},
		{0, "basis", FT_FIELD_TEXTS, &s.basis, "A,B,..",
		 "what it is described by; default: all others; evaluate: 5 draws five programs for each "
		 "target, choose:5 takes those that tell most"},
		{0, "solver", FT_FIELD_TEXT, &s.solver, "SOLVER",
		 "how; default: ols, of evaluate: kernel; evaluate: all compares them"},
		{'c', "confidence", FT_FIELD_SHARE, &s.confidence, "SHARE", "of the intervals; default 90%"},
		{'o', "output", FT_FIELD_TEXT, &s.output, "FILE",
		 "a table, .csv; plot: a picture, .svg or .png"},
		{0, "json", FT_FIELD_FLAG, &s.json, NULL, "print one JSON object"},
		{0, "store", FT_FIELD_TEXT, &s.store_path, "PATH", "the store; default $FORETIME_STORE"},
		CLI_GROUP("the table"),
		{0, "rows", FT_FIELD_TEXT, &s.rows, "COLUMN", "of a table: the column that names its rows"},
		{0, "programs", FT_FIELD_TEXT, &s.programs, "REGEX",
		 "of a table: the columns that are programs"},
		{0, "turned", FT_FIELD_FLAG, &s.turned, NULL, "programs are the rows"},
		{0, "admit", FT_FIELD_FLAG, &s.admit, NULL, "take resources that are no measure as they are"},
		{0, "calibration", FT_FIELD_TEXT, &s.calibration, "TIME",
		 "of the store: that which began then, or all; default: each machine's newest"},
		{0, "over", FT_FIELD_TEXTS, &s.over, "A,B,..", "the rows to learn from; default: all"},
		{0, "by", FT_FIELD_TEXT, &s.by, "WAY", "by program or by resource; default: program"},
		{0, "missing", FT_FIELD_TEXT, &s.missing, "WAY",
		 "drop rows with a missing value (default), impute it (evaluate: default), or keep it (nmf)"},
		CLI_GROUP("basis and evaluate"),
		{'k', "size", FT_FIELD_COUNT, &s.k, "K", "how many; default 5"},
		{0, "train", FT_FIELD_COUNT, &s.train, "M", "rows to train on"},
		{0, "test", FT_FIELD_COUNT, &s.test, "T", "rows to foretell; default: all that remain"},
		{0, "repeats", FT_FIELD_COUNT, &s.repeats, "R", NULL},
		{'n', "reps", FT_FIELD_COUNT, &s.repeats, "R", "repetitions; default 20"},
		{0, "group", FT_FIELD_TEXT, &s.group, "COLUMN", "no value of that column is on both sides"},
		{0, "alike", FT_FIELD_TEXT, &s.alike, "COLUMN,...",
		 "machines that agree in these are identical: what they differ by is the floor"},
		{0, "predictions", FT_FIELD_TEXT, &s.predictions, "OUT.csv",
		 "every prediction beside what was measured"},
		CLI_GROUP("how it is solved"),
		{0, "raw", FT_FIELD_FLAG, &s.options.raw, NULL,
		 "rows as they are, not scaled to weigh the same"},
		{0, "weigh", FT_FIELD_FLAG, &s.options.weigh, NULL,
		 "robust: rows by the deviation of their repeated measurements, as weighted"},
		{0, "cut", FT_FIELD_NUMBER, &s.options.cut, "X",
		 "ols: drop smaller singular values; default 1e-10"},
		{0, "prior", FT_FIELD_TEXTS, &s.prior, "NAME=MEAN:SD",
		 "bayes: what is known of a beta, or FILE.json that describe printed; may be repeated"},
		{0, "rank", FT_FIELD_COUNT, &s.options.rank, "K", "nmf: patterns; default: what tells 99 %"},
		{0, "loss", FT_FIELD_TEXT, &s.options.loss, "LOSS", "nmf: frobenius, kl or nonsmooth"},
		{0, "start", FT_FIELD_TEXT, &s.options.start, "START",
		 "nmf: nndsvd, random or ica; or given by files: W.csv, H.csv or both"},
		{0, "method", FT_FIELD_TEXT, &s.options.method, "METHOD",
		 "nmf: hals, of divergences newton, or multiplicative"},
		{0, "iterations", FT_FIELD_COUNT, &s.options.iterations, "N",
		 "at most, of solvers that iterate"},
		{0, "seed", FT_FIELD_COUNT, &s.seed, "N", "of whatever is drawn or random"},
		CLI_GROUP("compose and couple"),
		{0, "first", FT_FIELD_TEXT, &s.first, "PROGRAM", "the one, or the one that calls"},
		{0, "second", FT_FIELD_TEXT, &s.second, "PROGRAM", "the other, or the one that is called"},
		{0, "phi", FT_FIELD_TEXT, &s.phi, "EXPR", "how often it is called, as in 'n'; default: once"},
		{0, "tolerance", FT_FIELD_SHARE, &s.tolerance, "SHARE",
		 "so far off is still the sum; default 10%"},
		{0, "chain", FT_FIELD_TEXT, &s.chain, "A,B,C",
		 "routines in their order; A+B is what two of them take together"},
		{0, "loop", FT_FIELD_FLAG, &s.loop, NULL, "the first of the chain follows the last"},
		{0},
	};
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	s.options.seed = s.seed;
	if (s.options.cut < 0 || s.options.cut >= 1)
		status = cli_fail("--cut %g: a share of the largest singular value is from 0 to 1",
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
