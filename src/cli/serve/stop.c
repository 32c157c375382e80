/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c - foretime serve stop, continue: a problem of the manager that runs is held, or goes on. */
#include "cli/serve/serve.h"
#include "cli/common.h"
#include "http/client.h"

#include <jansson.h>
#include <stdlib.h>

/* What a manager refused, in its words. */
static int tell_refused(const char *body)
{
	json_t *told = json_loads(body, 0, NULL);
	const char *error = json_string_value(json_object_get(told, "error")),
		   *remedy = json_string_value(json_object_get(told, "remedy"));

	(void)cli_fail("%s", error ? error : "the manager answers nothing that can be read");
	if (remedy)
		cli_hint("%s", remedy);
	json_decref(told);
	return CLI_WRONG;
}

int cli_manager_stop(const char *socket_path, const char *name, bool stop)
{
	CLI_OWN char *found = socket_path ? cli_strdup(socket_path) : ft__http_socket(), *body = NULL;
	char *word = ft__http_encode(name), *target;
	struct ft_err err = {0};
	unsigned code = 0;
	int status = CLI_DONE;

	target = cli_printed("/%s/%s", stop ? "stop" : "continue", word ? word : "");
	if (!found || !word)
		status = cli_fail("out of memory");
	else if (ft__http_post(found, target, &code, &body, &err))
		status = cli_error(&err);
	else if (code != 200)
		status = tell_refused(body);
	else
		printf("%s %s\n", name,
		       stop ? "is stopped: foretime serve continue lets it go on" : "goes on");
	free(target);
	free(word);
	return status;
}
