/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - what is sent, and can be sent again. */
#include "base/alloc.h"
#include "base/utf8.h"
#include "http/inside.h"

#include <jansson.h>
#include <string.h>

struct ft_http_answer *ft__answer_of(unsigned status, const char *type, struct MHD_Response *response)
{
	struct ft_http_answer *answer = response ? ft_malloc(sizeof *answer) : NULL;

	if (!answer || MHD_add_response_header(response, "Content-Type", type) == MHD_NO) {
		ft_free(answer);
		if (response)
			MHD_destroy_response(response);
		return NULL;
	}
	*answer = (struct ft_http_answer){response, status, 1};
	return answer;
}

struct ft_http_answer *ft_http_answer_new(unsigned status, const char *type, const char *text, size_t bytes)
{
	/* The library takes what it does not change without const. */
	return ft__answer_of(
		status, type,
		MHD_create_response_from_buffer(bytes, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY));
}

struct ft_http_answer *ft_http_answer_of(unsigned status, const char *type, const void *bytes, size_t n)
{
	return ft__answer_of(
		status, type,
		MHD_create_response_from_buffer(n, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT));
}

bool ft_http_answer_header(struct ft_http_answer *answer, const char *name, const char *value)
{
	return MHD_add_response_header(answer->response, name, value) == MHD_YES;
}

struct ft_http_answer *ft_http_answer_keep(struct ft_http_answer *answer)
{
	if (answer)
		answer->users++;
	return answer;
}

void ft_http_answer_free(struct ft_http_answer *answer)
{
	if (!answer || --answer->users)
		return;
	MHD_destroy_response(answer->response);
	ft_free(answer);
}

/* A text that can stand in JSON; heap, ends with ft_free. NULL: no memory, or NULL. */
static char *printable_copy(const char *text)
{
	char *copy = ft_strdup(text);

	if (copy)
		ft__utf8_line(copy, strlen(copy) + 1, copy);
	return copy;
}

struct ft_http_answer *ft_http_refuse(unsigned status, const char *text, const char *remedy)
{
	char *said = printable_copy(text), *cure = remedy && *remedy ? printable_copy(remedy) : NULL;
	json_t *object = said ? json_pack("{s:s, s:s, s:s?}", "schema", "foretime-error-1", "error", said,
					  "remedy", cure)
			      : NULL;
	char *dump = object ? json_dumps(object, JSON_COMPACT) : NULL;
	struct ft_http_answer *answer =
		dump ? ft_http_answer_new(status, "application/json", dump, strlen(dump)) : NULL;

	free(dump);
	json_decref(object);
	ft_free(said);
	ft_free(cure);
	return answer;
}
