/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-points.c - Extra-P's JSON and the lines of TaLPas (test/adapt/data/README). */
#include "adapt-test.h"

static void recommended(void)
{
	struct ft_import import = {0};
	struct ft_err err = {0};

	if (!read_data(&import, "extrap.json", NULL))
		return;
	const struct ft_imported *part = part_of(&import, "main");
	ok(!strcmp(import.format->name, "extrap-json") && import.n == 2 && part->runs.n == 6 &&
		   part->program.n_params == 2 && !strcmp(part->program.param[1].name, "n") &&
		   import.passed[FT_PASSED_METRIC] == 1,
	   "extrap-json: recognised, with its parameters");
	ok(size_of(part, 3, 0) == 4 && value_of(part, 3, &ft_wall_s) == 2.25 &&
		   value_of(part, 3, &ft_cpu_s) == 1.75 && part_of(&import, "main->solve")->runs.n == 2,
	   "extrap-json: the k-th values of all metrics are of one run");
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"parameters\":[\"p\"],\"measurements\":{\"main\":{\"time\":[{\"point\":[2],\"values\":["
		  "1.0,1.1]},"
		  "{\"point\":[4],\"values\":[2.0,null]},{\"point\":[8,1],\"values\":[4.0]},{\"point\":[8],"
		  "\"values\":[4.0]}]}}}",
		  NULL, &err) &&
		   import.runs == 3 && import.passed[FT_PASSED_BROKEN] == 2 &&
		   strstr(import.broken.text, "f:1"),
	   "extrap-json: a point that cannot be used is left out: %s", import.broken.text);
	ft_import_clear(&import);
	ok(!parse(&import,
		  "{\"measurements\":{\"m\":{\"time\":[{\"point\":[2],\"values\":[1.0]}]}},\"parameters\":["
		  "\"p\"]}",
		  NULL, &err) &&
		   import.runs == 1 && !strcmp(import.part[0].program.param[0].name, "p"),
	   "extrap-json: its parameters at the end %s", err.text);
	ft_import_clear(&import);
	ok(parse(&import, "{\"parameters\":[],\"measurements\":{}}", NULL, &err) && *err.remedy,
	   "extrap-json: no parameters: %s", err.text);
}

static void older(void)
{
	struct ft_import import = {0};

	if (!read_data(&import, "extrap-older.json", NULL))
		return;
	const struct ft_imported *part = part_of(&import, "main");
	ok(!strcmp(import.format->name, "extrap-json") && part->runs.n == 3 &&
		   value_of(part, 2, &ft_wall_s) == 3.25 && size_of(part, 2, 0) == 4 &&
		   !strcmp(part->program.param[0].name, "p"),
	   "extrap-json: the older form");
	ft_import_clear(&import);
}

static void lines(void)
{
	struct ft_import import = {0};
	struct ft_err err = {0};

	if (!read_data(&import, "talpas.txt", NULL))
		return;
	const struct ft_imported *part = part_of(&import, "a;b");
	ok(!strcmp(import.format->name, "talpas") && part->runs.n == 3 &&
		   value_of(part, 1, &ft_wall_s) == 3 && size_of(part, 1, 0) == 2,
	   "talpas: semicolons between members, not within texts");
	ft_import_clear(&import);
	ok(!ft_import_parse(&import, "out/ep_single.jsonl", "{\"params\":{\"x\":1},\"value\":1.5}\n",
			    strlen("{\"params\":{\"x\":1},\"value\":1.5}\n"), NULL, &err) &&
		   value_of(part_of(&import, "ep_single"), 0, &ft_wall_s) == 1.5,
	   "extrap-lines: the least that a line needs: the file is the program, the values are times %s",
	   err.text);
	ft_import_clear(&import);
	ok(!parse(&import, "{\"params\":{\"x\":1},\"value\":1.5}\n",
		  &(struct ft_import_options){.value = (const char *const[]){"peak_rss_bytes=value:MB"},
					      .n_values = 1},
		  &err) &&
		   value_of(import.part, 0, &ft_peak_rss_bytes) == 1.5e6,
	   "extrap-lines: or what --value says");
	ft_import_clear(&import);
}

int main(void)
{
	recommended();
	older();
	lines();
	return done();
}
