/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm_said.c - what a job says of itself, and what it was given, as share/slurm/foretime.lua has it. */
#include "adapt/slurm.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "foretime:";

/* The bytes of a program's name at a place; 0: there is none that would be read. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	if (!isalnum((unsigned char)*text) && *text != '_')
		return 0;
	while (text[n] && (isalnum((unsigned char)text[n]) || strchr("_.-", text[n])))
		n++;
	return n < FT__SAID_NAME ? n : 0;
}

bool ft_slurm_name_is_read(const char *name)
{
	const size_t n = name_length(name);

	return n && !name[n];
}

static bool is_end(const char *at)
{
	return !*at || !strncmp(at, "; ", 2);
}

static bool ends_word(const char *at)
{
	return is_end(at) || *at == ',' || *at == ' ';
}

/* A number as it stands: what it is worth is for who takes it. */
static size_t number_length(const char *text)
{
	const char *end;
	double value;

	if (!ft__number_scan_signed(text, &end, &value) || !isfinite(value) || fabs(value) >= 1e300)
		return 0;
	return (size_t)(end - text);
}

static bool has_param(const struct ft__said *said, const char *name)
{
	for (size_t i = 0; i < said->n; i++)
		if (!strcmp(said->param[i], name))
			return true;
	return false;
}

/* One "n=20000"; what is behind it; NULL: it is none. */
static const char *take_size(struct ft__said *said, const char *at)
{
	size_t name = ft__name_length(at), value;

	if (!name || name >= FT_PARAM_LENGTH || at[name] != '=' || said->n == FT_PARAMS_MAX)
		return NULL;
	value = number_length(at + name + 1);
	if (!value || value >= sizeof said->value[0] || !ends_word(at + name + 1 + value))
		return NULL;
	memcpy(said->param[said->n], at, name);
	said->param[said->n][name] = '\0';
	memcpy(said->value[said->n], at + name + 1, value);
	said->value[said->n][value] = '\0';
	if (has_param(said, said->param[said->n]))
		return NULL;
	said->n++;
	return at + name + 1 + value;
}

static bool take_words(struct ft__said *said, const char *at)
{
	size_t n = name_length(at);

	*said = (struct ft__said){0};
	if (!n || !ends_word(at + n))
		return false;
	memcpy(said->name, at, n);
	for (at += n; !is_end(at);) {
		if (*at == ',' || *at == ' ')
			at++;
		else if (!(at = take_size(said, at)))
			return false;
	}
	return true;
}

bool ft__said_find(const char *comment, struct ft__said *said)
{
	for (const char *at = comment; (at = strstr(at, mark)); at += sizeof mark - 1) {
		bool first = at == comment || (at - comment >= 2 && !strncmp(at - 2, "; ", 2));

		if (first && take_words(said, at + sizeof mark - 1))
			return true;
	}
	*said = (struct ft__said){0};
	return false;
}

/* A number behind a word, in the part up to the next ';'. */
static double number_behind(const char *part, const char *word, const char *unit)
{
	const char *at = strstr(part, word), *end = strchr(part, ';'), *stop;
	double value;

	if (!at || (end && at > end) || !ft__whole_scan(at + strlen(word), &stop, &value) ||
	    strncmp(stop, unit, strlen(unit)) != 0)
		return NAN;
	return value;
}

bool ft__filled_find(const char *comment, struct ft__filled *filled)
{
	const char *at = strstr(comment, "foretime: --");

	*filled = (struct ft__filled){NAN, NAN};
	if (!at)
		return false;
	filled->minutes = number_behind(at, " --time=", " ");
	filled->mib = number_behind(at, " --mem=", "M");
	return true;
}
