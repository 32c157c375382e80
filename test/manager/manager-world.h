/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager-world.h - what tests of a manager that answers share: questions to it. */
#ifndef FT_TEST_MANAGER_WORLD_H
#define FT_TEST_MANAGER_WORLD_H

#include "../tap.h"
#include "foretime/ask.h"
#include "served.h"

#include <jansson.h>

/* The body of an answer; code: its status. sent: NULL, or a body to put. */
static const char *talk(const char *method, const char *target, const char *sent, int *code)
{
	static char heard[1 << 23];
	char request[1024];
	size_t n = 0;
	ssize_t got;
	int fd = visit();

	(void)snprintf(request, sizeof request,
		       "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n",
		       method, target, sent ? strlen(sent) : 0);
	(void)!write(fd, request, strlen(request));
	while (sent && *sent && (got = write(fd, sent, strlen(sent))) > 0)
		sent += got;
	while (n < sizeof heard - 1 && (got = read(fd, heard + n, sizeof heard - 1 - n)) > 0)
		n += (size_t)got;
	heard[n] = 0;
	(void)close(fd);
	*code = n > 12 ? atoi(heard + 9) : 0;
	char *body = strstr(heard, "\r\n\r\n");
	return body ? body + 4 : "";
}

static const char *get(const char *target, int *code)
{
	return talk("GET", target, NULL, code);
}

static json_t *ask(const char *target, int expected)
{
	int code;
	const char *body = get(target, &code);
	json_t *value = json_loads(body, 0, NULL);

	if (code != expected) {
		diag("%s: %d %.300s", target, code, body);
		json_decref(value);
		value = NULL;
	}
	return value;
}

static double number(const json_t *value, const char *key)
{
	return json_number_value(json_object_get(value, key));
}

#endif
