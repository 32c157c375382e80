/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meter_line.c - what a line of a meter says. */
#include "measure/meter.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	bool power;
	double factor;
} units[] = {
	{"W", true, 1},        {"mW", true, 1e-3},   {"uW", true, 1e-6},  {"kW", true, 1e3},
	{"MW", true, 1e6},     {"J", false, 1},      {"mJ", false, 1e-3}, {"uJ", false, 1e-6},
	{"kJ", false, 1e3},    {"MJ", false, 1e6},   {"Wh", false, 3600}, {"mWh", false, 3.6},
	{"kWh", false, 3.6e6}, {"Ws", false, 1},     {"Watts", true, 1},  {"Joules", false, 1},
	{"watts", true, 1},    {"joules", false, 1},
};

enum { N_UNITS = sizeof units / sizeof *units };

static int find_unit(const char *name, size_t length)
{
	for (int i = 0; i < N_UNITS; i++)
		if (strlen(units[i].name) == length && !strncmp(units[i].name, name, length))
			return i;
	return -1;
}

bool ft__meter_unit(const char *unit)
{
	return find_unit(unit, strlen(unit)) >= 0;
}

/* A plain decimal: strtod's "inf", "nan" and "0x10" are no readings. */
static bool read_number(const char *text, const char **rest, double *value)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return false;
	*value = strtod(text, &end);
	*rest = end;
	return end != text && isfinite(*value);
}

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

enum ft__meter_word ft__meter_read_line(const char *line, const char *unit, struct ft__meter_line *out)
{
	const char *rest;
	double value;

	line = skip_blanks(line);
	if (!*line)
		return FT__METER_PASS;
	if (!read_number(line, &rest, &value))
		return FT__METER_GARBAGE;
	rest = skip_blanks(rest);
	if (!*rest && unit)
		rest = unit;
	size_t length = strcspn(rest, " \t\r\n");
	if (*skip_blanks(rest + length))
		return FT__METER_GARBAGE;
	int i = find_unit(rest, length);
	if (i < 0)
		return FT__METER_GARBAGE;
	*out = (struct ft__meter_line){0, units[i].power, value * units[i].factor};
	return FT__METER_READING;
}

enum ft__meter_word ft__meter_read_nvidia(const char *line, const char *unit, struct ft__meter_line *out)
{
	const char *rest;
	double channel, watts;

	(void)unit;
	line = skip_blanks(line);
	if (!*line)
		return FT__METER_PASS;
	if (!read_number(line, &rest, &channel) || channel >= FT__METER_CHANNELS ||
	    channel != floor(channel) || *rest != ',')
		return FT__METER_GARBAGE;
	rest = skip_blanks(rest + 1);
	if (*rest == '[') /* "[N/A]", "[Not Supported]", "[Unknown Error]" */
		return FT__METER_PASS;
	if (!read_number(rest, &rest, &watts) || *skip_blanks(rest))
		return FT__METER_GARBAGE;
	*out = (struct ft__meter_line){(size_t)channel, true, watts};
	return FT__METER_READING;
}
