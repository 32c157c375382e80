/* SPDX-License-Identifier: 0BSD */
/* adapt.c - take in runs that hyperfine timed, and write them for another tool:
 *
 *	cc adapt.c $(pkg-config --cflags --libs foretime) -o adapt
 *	./adapt
 */
#include <foretime/adapt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file[] = "{\"results\": [\n"
			   "  {\"command\": \"./solve 1000\", \"times\": [0.21, 0.22], \"exit_codes\": [0, "
			   "0], \"parameters\": {\"n\": \"1000\"}},\n"
			   "  {\"command\": \"./solve 2000\", \"times\": [0.80, 0.83], \"exit_codes\": [0, "
			   "0], \"parameters\": {\"n\": \"2000\"}}\n"
			   "]}\n";

int main(void)
{
	static struct ft_import import; /* static: zero-initialised */
	static struct ft_import_options options;
	const struct ft_format *format = NULL;
	char *text = NULL;
	size_t left_out = 0;
	struct ft_err err;
	enum ft_status status;

	options.name = "solve";
	status = ft_import_parse(&import, "times.json", file, strlen(file), &options, &err);
	if (!status)
		status = ft_format_find("extrap", &format, &err); /* for ft_export_write */
	if (!status)
		status = ft_export_write(format, &import.part[0].program, NULL, &import.part[0].runs, &text,
					 &left_out, &err);
	if (status)
		fprintf(stderr, "adapt: %s; %s\n", err.text, err.remedy);
	else
		printf("%s: %zu runs of %s. For Extra-P:\n%s", import.format->name, import.runs,
		       import.part[0].program.name, text);
	bool right = !status && import.n == 1 && import.runs == 4 && left_out == 0 &&
		     ft_run_value(&import.part[0].runs.run[0], &ft_wall_s) == 0.21;

	free(text);
	ft_import_clear(&import);
	return !right;
}
