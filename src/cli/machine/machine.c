/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - what machines are made of, and how they compare. */
#include "cli/machine/machine.h"

static const struct cli_action actions[] = {
	{"info", "print what can be measured on this machine, and what not", "", "format json store", 0, 0,
	 cli_machine_info},
	{"calibrate", "measure this machine", "[--quick]", "quick format json store", 0, 0,
	 cli_machine_calibrate},
	{"list", "list the machines of the store", "", "format json store", 0, 0, cli_machine_list},
	{"show", "show the facts and the row of a machine", "[MACHINE]", "calibration format json store", 0,
	 1, cli_machine_show},
	{"compare", "print how much faster one is than another", "MACHINE [MACHINE]",
	 "calibration format json store", 1, 2, cli_machine_compare},
	{"link", "measure how fast another machine is reached",
	 "HOST [--via SSH|--replay FILE.csv] [-o LINKS.csv]", "via replay output format json", 1, 1,
	 cli_machine_link},
	{"export", "print a machine as a table", "[MACHINE] [-o FILE.csv]", "calibration output store", 0, 1,
	 cli_machine_export},
	{"import", "take a machine from such a table", "FILE.csv", "format json store", 1, 1,
	 cli_machine_import},
	{"forget", "remove calibrations of a machine", "[MACHINE] --calibration TIME|all",
	 "calibration format json store", 0, 1, cli_machine_forget},
	{0},
};

static int run_machine(const struct cli_command *command, int argc, char **argv)
{
	struct cli_machine asked = {0};
	const struct ft_field options[] = {
		{0, "quick", FT_FIELD_FLAG, &asked.quick, NULL,
		 "some three seconds in place of ten, and less exact"},
		{0, "calibration", FT_FIELD_TEXT, &asked.calibration, "TIME",
		 "that which began then, or all; compare: of the first machine; default: the newest"},
		{0, "via", FT_FIELD_TEXT, &asked.via, "SSH",
		 "the remote shell, as in 'ssh -p 2222'; default: ssh"},
		{0, "replay", FT_FIELD_TEXT, &asked.table, "FILE.csv",
		 "messages measured otherwise: columns bytes and seconds, one way", .not_with = "via"},
		{'o', "output", FT_FIELD_TEXT, &asked.output, "FILE",
		 "the file; link: a table of links, whose other rows stay; default: standard output"},
		CLI_ANSWER_OPTIONS(asked.json, asked.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	asked.word = words.word + 1;
	asked.words = words.n - 1;
	return words.action->act(&asked);
}

const struct cli_command cli_machine = {
	"machine",
	"measure what machines are made of, and compare them",
	NULL,
	"MACHINE is a host name, or a fingerprint or its beginning; without one, this machine.\n"
	"A machine's row is the programs calibration/NAME in the store: foretime surrogate takes them as "
	"they are.\n",
	actions,
	run_machine,
};
