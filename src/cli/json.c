/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - what --json prints; where memory is out the command ends. */
#include "cli/common.h"
#include "cli/output.h"
#include "cli/terminal.h"

json_t *cli_json_array(void)
{
	return cli_given(json_array());
}

void cli_json_append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		(void)cli_given(NULL);
}

json_t *cli_json_number(double value)
{
	return cli_given(ft_tell_number(value));
}

json_t *cli_json_text(const char *text)
{
	return cli_given(ft_tell_text(text));
}

json_t *cli_json_bool(bool value)
{
	return json_boolean(value);
}

void cli_json_print(json_t *value, FILE *file)
{
	if (file == stdout)
		cli_terminal_whole(true);
	if (ft_tell_print(value, file))
		(void)cli_given(NULL);
	if (file == stdout)
		cli_terminal_whole(false);
	json_decref(value);
}

json_t *cli_tell_json(const struct ft_tell_record *record, const void *told, const struct ft_tell_with *with)
{
	return cli_given(ft_tell_json(record, told, with));
}

void cli_tell_csv(FILE *file, const struct ft_tell_record *record, const void *told, size_t n,
		  const struct ft_tell_with *with, bool head)
{
	if (file == stdout)
		cli_terminal_whole(true);
	if (ft_tell_csv(file, record, told, n, with, head))
		(void)cli_given(NULL);
	if (file == stdout)
		cli_terminal_whole(false);
}

void cli_tell(const struct ft_tell_record *record, const void *told, const struct ft_tell_with *with)
{
	cli_json_print(cli_tell_json(record, told, with), stdout);
}
