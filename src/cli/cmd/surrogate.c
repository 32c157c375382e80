/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.c - programs and resources described by others. */
#include "cli/surrogate.h"
#include "cli/common.h"

#include <string.h>

static const struct action {
	const char *name;
	int (*act)(struct cli_surrogate *surrogate);
} actions[] = {
	{"matrix", cli_surrogate_matrix},     {"diagnose", cli_surrogate_diagnose},
	{"plot", cli_surrogate_plot},         {"describe", cli_surrogate_describe},
	{"predict", cli_surrogate_predict},   {"basis", cli_surrogate_basis},
	{"evaluate", cli_surrogate_evaluate}, {"complexity", cli_surrogate_complexity},
	{"compose", cli_surrogate_compose},
};

#define ACTIONS                                                                                              \
	"foretime surrogate matrix, diagnose, plot, describe, predict, basis, evaluate, complexity or "      \
	"compose"

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const char *action_name(const void *ctx, size_t i)
{
	(void)ctx;
	return i < N_ACTIONS ? actions[i].name : NULL;
}

static int act(struct cli_surrogate *surrogate, const struct cli_words *words)
{
	const char *nearest;
	size_t i;

	if (!words->n) {
		(void)cli_fail("what about the programs?");
		cli_hint(ACTIONS);
		return CLI_WRONG;
	}
	for (i = 0; i < N_ACTIONS; i++)
		if (!strcmp(actions[i].name, words->word[0]))
			return actions[i].act(surrogate);
	(void)cli_fail("'surrogate' knows no '%s'", words->word[0]);
	nearest = cli_nearest(words->word[0], action_name, NULL);
	if (nearest)
		cli_hint("the nearest is foretime surrogate %s", nearest);
	else
		cli_hint(ACTIONS);
	return CLI_WRONG;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_words words;
	struct cli_surrogate s = {.words = &words, .confidence = 0.9, .tolerance = 0.1};
	const struct cli_option options[] = {
		{0, "file", CLI_TEXT, &s.file, "FILE.csv", "a table of measurements; default: the store"},
		{0, "rows", CLI_TEXT, &s.rows, "COLUMN", "of a table: the column that names its rows"},
		{0, "programs", CLI_TEXT, &s.programs, "REGEX", "of a table: the columns that are programs"},
		{'r', "resource", CLI_TEXTS, &s.resource, "RESOURCE",
		 "of the store, may be repeated; default: each that adds up"},
		{0, "calibration", CLI_TEXT, &s.calibration, "TIME",
		 "of the store: that which began then, or all; default: each machine's newest"},
		{0, "admit", CLI_FLAG, &s.admit, NULL, "take resources that are no measure as they are"},
		{0, "turned", CLI_FLAG, &s.turned, NULL, "matrix: programs are the rows"},
		{0, "target", CLI_TEXT, &s.target, "PROGRAM", "describe, predict: the program"},
		{0, "target-resource", CLI_TEXT, &s.target_resource, "RESOURCE",
		 "describe, predict: the resource"},
		{0, "basis", CLI_TEXTS, &s.basis, "A,B,..",
		 "what it is described by; default: all others; evaluate: 5 draws five programs for each "
		 "target, "
		 "choose:5 takes those that tell most"},
		{0, "over", CLI_TEXTS, &s.over, "A,B,..", "the rows to learn from; default: all"},
		{0, "by", CLI_TEXT, &s.by, "WAY", "predict: by program or by resource; default: program"},
		{0, "solver", CLI_TEXT, &s.solver, "SOLVER",
		 "how; default: ols, of evaluate: kernel; evaluate: all compares them"},
		{0, "missing", CLI_TEXT, &s.missing, "WAY",
		 "drop rows with a missing value (default), impute it (evaluate: default), or keep it (nmf)"},
		{0, "confidence", CLI_SHARE, &s.confidence, "SHARE", "of the intervals; default 90%"},
		{0, "raw", CLI_FLAG, &s.options.raw, NULL, "rows as they are, not scaled to weigh the same"},
		{0, "cut", CLI_NUMBER, &s.options.cut, "X",
		 "ols: drop smaller singular values; default 1e-10"},
		{0, "prior", CLI_TEXTS, &s.prior, "NAME=MEAN:SD",
		 "bayes: what is known of a beta; may be repeated"},
		{0, "rank", CLI_COUNT, &s.options.rank, "K", "nmf: patterns; default: what tells 99 %"},
		{0, "loss", CLI_TEXT, &s.options.loss, "LOSS", "nmf: frobenius, kl or nonsmooth"},
		{0, "start", CLI_TEXT, &s.options.start, "START",
		 "nmf: nndsvd, random or ica; or given by files: W.csv, H.csv or both"},
		{0, "method", CLI_TEXT, &s.options.method, "METHOD",
		 "nmf: hals, of divergences newton, or multiplicative"},
		{0, "iterations", CLI_COUNT, &s.options.iterations, "N", "at most, of solvers that iterate"},
		{0, "seed", CLI_COUNT, &s.seed, "N", "of whatever is drawn or random"},
		{'o', "output", CLI_TEXT, &s.output, "FILE",
		 "matrix: a table, .csv; plot: a picture, .svg or .png"},
		{0, "group", CLI_TEXT, &s.group, "COLUMN",
		 "evaluate: no value of that column is on both sides"},
		{'k', "size", CLI_COUNT, &s.k, "K", "basis choose: how many; default 5"},
		{0, "train", CLI_COUNT, &s.train, "M", "evaluate: rows to train on"},
		{0, "test", CLI_COUNT, &s.test, "T", "evaluate: rows to foretell; default: all that remain"},
		{0, "repeats", CLI_COUNT, &s.repeats, "R", "evaluate: repetitions; default 20"},
		{0, "first", CLI_TEXT, &s.first, "PROGRAM", "compose: the one, or the one that calls"},
		{0, "second", CLI_TEXT, &s.second, "PROGRAM",
		 "compose: the other, or the one that is called"},
		{0, "phi", CLI_TEXT, &s.phi, "EXPR",
		 "compose: how often it is called, as in 'n'; default: once"},
		{0, "tolerance", CLI_SHARE, &s.tolerance, "SHARE",
		 "compose: so far off is still the sum; default 10%"},
		{0, "predictions", CLI_TEXT, &s.predictions, "OUT.csv",
		 "evaluate: every prediction beside what was measured"},
		{0, "json", CLI_FLAG, &s.json, NULL, "print one JSON object"},
		{0, "store", CLI_TEXT, &s.store_path, "PATH", "the store; default $FORETIME_STORE"},
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
		status = act(&s, &words);
	cli_surrogate_close(&s);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_surrogate = {
	"surrogate",
	"describe programs by other programs, machines by their resources",
	"matrix [NAME [n=..]]... [--file FILE.csv] [OPTION...]\n"
	"diagnose [NAME [n=..]]... [--file FILE.csv] [OPTION...]\n"
	"plot [NAME [n=..]]... [--file FILE.csv] [-o FILE.svg|FILE.png]\n"
	"describe --target PROGRAM | --target-resource RESOURCE [--basis A,B,..] [OPTION...]\n"
	"predict --target PROGRAM --target-resource RESOURCE [--basis A,B,..] [OPTION...]\n"
	"basis choose [-k K] FILE.csv [OPTION...]\n"
	"evaluate FILE.csv --basis 5|choose:5|NAME,NAME --train M [OPTION...]\n"
	"complexity --file FILE.csv --target PROGRAM --basis A,B,.. [n=SIZE...]\n"
	"compose --file FILE.csv --first PROGRAM --second PROGRAM [--phi EXPR] [--target PROGRAM]",
	"The matrix has a row for each resource (of each machine) and a column for each program at each "
	"size.\n"
	"It comes from the store, or from a table, wide or long (columns program, resource, value).\n",
	run,
};
