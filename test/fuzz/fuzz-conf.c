/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-conf.c - any bytes as a configuration of the manager. It is refused with words, or means the
 * same when it is written and read again. */
#include "fuzz.h"

const char *const fuzz_conf_seeds[] = {
	"policies = ( { when = [ \"sat-sun\", \"mon-fri 22:00-06:00\" ]; at_end = \"finish\"; patience = "
	"\"10m\";\n"
	"conditions = ( { type = \"user_login\"; except = [ \"root\" ]; }, { type = \"load_threshold\"; "
	"threshold = 0.5; },\n"
	"{ type = \"halt_file\"; path = \"/run/halt\"; action = \"end\"; }, \"battery\" ); } );\n",
	"problems = ( { name = \"a\"; command = \"/bin/a -q\"; parameters = [ \"n=64:8192:64\", \"m=1:8\" "
	"];\n"
	"where = \"m <= n\"; work = \"2*n^3\"; memory = \"8GiB\"; time = \"1h\"; tolerance = \"5%\"; "
	"priority = 30;\n"
	"method = \"gbbp\"; points = 40; reps_least = 2; contract = true; budget = 1e3; } );\n",
	"problems = ( { name = \"a\"; command = \"-q\"; parameters = [ \"n=1:9\", \"m=0:0\" ]; } );\n",
	"order = \"pmm\"; store = \"/s\"; socket = \"/k\"; spool = \"/p\"; user = \"bench\"; trusted = [ "
	"\"alice\", \"bob\" "
	"];\n"
	"load_monitor = { load_path = \"/l\"; write_period = 5; history_size = 10L; };\n",
	"policy = { time = \"until\"; until = \"2026-12-24T08:00:00Z\"; };\n# c\n/* c */ // c\n",
	"policy = { hour = \"22-5\"; day_of_week = \"sat-sun\"; minute = \"*/5\"; };\n",
	NULL,
};

const char *const fuzz_conf_pieces[] = {
	"(",
	")",
	"{",
	"}",
	"[",
	"]",
	"=",
	";",
	",",
	"\"",
	"\\",
	"\\x00",
	"@include \"/etc/passwd\"\n",
	"#",
	"/*",
	"\n",
	"0x7fffffff",
	"99999999999",
	"1e999",
	"-1",
	"true",
	"L",
	"name = ",
	"conditions = ",
	"process_detection",
	"\xff",
	"\x1b",
	"..",
	"users = []",
	"nan",
	"{n}",
	NULL,
};

const char *fuzz_conf(const uint8_t *bytes, size_t length)
{
	return fuzz_config(bytes, length);
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_conf)
#endif
