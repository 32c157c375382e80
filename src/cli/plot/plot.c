/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - a picture of a model: typical run, what is known of it, single runs; over one size or two. */
#include "cli/plot/plot.h"

static int run_plot(const struct cli_command *command, int argc, char **argv)
{
	struct cli_picture p = {.confidence = 0.9};
	const struct ft_field options[] = {
		{'o', "output", FT_FIELD_TEXT, &p.path, "FILE",
		 "a picture, .svg or .png; default: characters on the terminal"},
		{'r', "resource", FT_FIELD_TEXT, &p.typed, "R", "what is drawn; default wall_s"},
		{'c', "confidence", FT_FIELD_SHARE, &p.confidence, "C",
		 "share of future runs within the interval; default 90%"},
		{0, "width", FT_FIELD_COUNT, &p.width, "N",
		 "pixels (default 900), or characters (default: the terminal's)"},
		CLI_DEVICE_OPTION(p.device),
		CLI_MACHINE_OPTION(p.machine),
		{0, "hash", FT_FIELD_TEXT, &p.hash, "H",
		 "an older executable of that name, as list --json has it"},
		CLI_ANSWER_OPTIONS(p.json, p.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	struct cli_words first = words;
	first.n = words.n && !words.separated ? 1 : words.n;
	status = cli_name_word(command, &first) ? cli_picture_take(&p, &words) : CLI_WRONG;
	if (status == CLI_DONE && p.json)
		cli_picture_print(&p);
	if (status == CLI_DONE && (p.path || !p.json))
		status = cli_picture_draw(&p);
	cli_picture_clear(&p);
	return status;
}

const struct cli_command cli_plot = {
	"plot",
	"draw a model and the runs that it rests on",
	"NAME [n=64:20000] [m=512] [-o FILE.svg|FILE.png] [OPTION...]",
	"Over one parameter a curve, over two a plane; m=512 fixes one, n=64:20000 is the range drawn "
	"(default:\n"
	"that of the runs, and a fifth of the axis more).\n"
	"Files are drawn by gnuplot.\n",
	NULL,
	run_plot,
};
