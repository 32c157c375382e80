/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meter.c - energy of a run from a command that prints readings. */
#include "base/alloc.h"
#include "base/clock.h"
#include "measure/measure.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Parse a line of a meter.
 */

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

/*
 * Energy of a run from a command that prints readings.
 */

static const double PATIENCE_S = 5, AGAIN_S = 0.1, SAME_S = 1e-3;

enum { LINE_LENGTH = 256, SHOWN_LENGTH = 60 };

struct ft__meter {
	struct ft__client client;
	const char *who, *unit;
	char *command;
	enum ft__meter_word (*read_line)(const char *, const char *, struct ft__meter_line *);
	int pipe;               /* read end of its standard output */
	char line[LINE_LENGTH]; /* the beginning of one that has not ended yet */
	size_t length;
	char passed[LINE_LENGTH]; /* the last line that was passed over */
	bool running, repeats;    /* it runs now; it ends after a reading and is started again */
	bool talked;              /* it has given a reading since its last start */
	double started_at, again_at;
	struct ft__readings readings;
	const volatile sig_atomic_t *interrupt; /* NULL: none */
	bool broken;
	struct ft_err why;
};

/* ---- errors ---------------------------------------------------------------------------------- */

/* As quoted in a message: printable, and not too long. */
static const char *make_printable(const char *text, char buffer[SHOWN_LENGTH + 1])
{
	size_t i;

	for (i = 0; i < SHOWN_LENGTH && text[i]; i++)
		buffer[i] = (char)(isprint((unsigned char)text[i]) ? text[i] : '?');
	buffer[i] = '\0';
	return buffer;
}

/* For good: what it runs is ended. */
static void give_up(struct ft__meter *meter, const char *what, const char *text, const char *remedy)
{
	char buffer[SHOWN_LENGTH + 1];

	(void)ft_fail(&meter->why, FT_EUNAVAIL, "%s %s%s", meter->who, what, make_printable(text, buffer));
	(void)ft_remedy(&meter->why, "%s", remedy);
	meter->broken = true;
	meter->running = false;
	ft__client_close(&meter->client);
}

/* ---- the command -------------------------------------------------------------------------------------- */

static void start_meter(struct ft__meter *meter)
{
	char shell[] = "sh", option[] = "-c", file[] = "/bin/sh";
	char *argv[] = {shell, option, meter->command, NULL};
	struct ft__order order = {.file = file, .argv = argv, .flags = FT__PLAIN | FT__KEEP_OUTPUT};
	struct ft_err err = {0};

	meter->started_at = ft_clock_s();
	meter->talked = false;
	meter->running = !ft__client_start(&meter->client, &order, &err);
	if (!meter->running)
		give_up(meter, "cannot be started: ", err.text, "try again");
}

static void take_line(struct ft__meter *meter)
{
	struct ft__meter_line line = {0};
	double now = ft_clock_s();

	if (meter->broken)
		return;
	switch (meter->read_line(meter->line, meter->unit, &line)) {
	case FT__METER_PASS:
		if (*meter->line)
			(void)snprintf(meter->passed, sizeof meter->passed, "%s", meter->line);
		return;
	case FT__METER_READING:
		meter->talked = true;
		if (!meter->readings.n || line.power == meter->readings.power) {
			meter->readings.power = line.power;
			if (!ft__readings_add(&meter->readings, now, SAME_S, line.channel, line.value))
				give_up(meter, "gave more readings than memory holds", "",
					"let it give fewer");
			return;
		}
		give_up(meter, "gives watts and joules: ", meter->line, "let it give one of them");
		return;
	case FT__METER_GARBAGE:
		give_up(meter, "printed what is no reading: ", meter->line,
			"a line is a number and W or J, as in '12.3 W'; --meter-unit sets the unit of bare "
			"numbers");
		return;
	}
}

static void take_bytes(struct ft__meter *meter, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (meter->length < sizeof meter->line - 1)
				meter->line[meter->length++] = (char)(bytes[i] ? bytes[i] : '?');
			continue;
		}
		meter->line[meter->length] = '\0';
		meter->length = 0;
		take_line(meter);
	}
}

static void read_meter(struct ft__meter *meter)
{
	char bytes[4096];

	for (int times = 0; times < 16 && !meter->broken; times++) {
		ssize_t n = read(meter->pipe, bytes, sizeof bytes);
		if (n <= 0)
			return;
		take_bytes(meter, bytes, (size_t)n);
	}
}

/* It has ended: as one that gives a reading each time, or for good. */
static void take_end(struct ft__meter *meter)
{
	struct ft__answer answer;
	double now = ft_clock_s();
	char what[64], *words;

	meter->running = false;
	if (ft__client_finish(&meter->client, &(struct ft__order){0}, &answer, NULL)) {
		give_up(meter, "is lost: its helper has ended", "", "try again");
		return;
	}
	do
		read_meter(meter);
	while (!meter->broken && poll(&(struct pollfd){.fd = meter->pipe, .events = POLLIN}, 1, 0) > 0);
	if (meter->length && !meter->broken) { /* printf without a newline */
		meter->line[meter->length] = '\0';
		meter->length = 0;
		take_line(meter);
	}
	words = ft__record_detail(&answer);
	if (meter->broken) {
		;
	} else if (answer.reply.start_errno || answer.reply.wait_status) {
		int status = answer.reply.wait_status;

		(void)snprintf(what, sizeof what,
			       WIFSIGNALED(status) ? "was ended by signal %d%s" : "ended with status %d%s",
			       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
			       words && *words ? ": " : "");
		give_up(meter, what, words ? words : "", "try the command by hand");
	} else if (!meter->talked) {
		give_up(meter, *meter->passed ? "gives no reading: " : "ended without a reading",
			meter->passed, "try the command by hand");
	} else {
		meter->repeats = true;
		meter->again_at = now + fmax(AGAIN_S, 2 * (now - meter->started_at));
	}
	ft_free(words);
	ft__answer_clear(&answer);
}

size_t ft__meter_files(const struct ft__meter *meter, int file[FT__METER_FILES])
{
	if (meter->broken)
		return 0;
	file[0] = meter->pipe;
	file[1] = meter->client.socket;
	return meter->running ? 2 : 1;
}

void ft__meter_hear(struct ft__meter *meter)
{
	if (meter->broken)
		return;
	read_meter(meter);
	if (meter->running && poll(&(struct pollfd){.fd = meter->client.socket, .events = POLLIN}, 1, 0) > 0)
		take_end(meter);
	if (!meter->broken && !meter->running && meter->repeats && ft_clock_s() >= meter->again_at)
		start_meter(meter);
}

static bool is_interrupted(const struct ft__meter *meter)
{
	return meter->interrupt && *meter->interrupt;
}

/* Until each channel has a reading since then; false: there was none in time. */
static bool wait_for(struct ft__meter *meter, double since, double patience_s)
{
	double until = ft_clock_s() + patience_s;

	for (;;) {
		struct pollfd event[FT__METER_FILES];
		int file[FT__METER_FILES];

		ft__meter_hear(meter);
		if (meter->broken || ft__readings_since(&meter->readings, since))
			return !meter->broken;
		if (ft_clock_s() >= until || is_interrupted(meter))
			return false;
		size_t n = ft__meter_files(meter, file);
		for (size_t i = 0; i < n; i++)
			event[i] = (struct pollfd){.fd = file[i], .events = POLLIN};
		(void)poll(event, (nfds_t)n, FT__LISTEN_MS);
	}
}

/* ---- a run -------------------------------------------------------------------------------------------- */

static double patience(const struct ft__meter *meter)
{
	return fmax(PATIENCE_S, 3 * ft__readings_interval(&meter->readings));
}

/* How old a reading may be that is used for the beginning. */
static double staleness(const struct ft__meter *meter)
{
	return meter->repeats ? 0 : fmax(1, 3 * ft__readings_interval(&meter->readings));
}

static void fall_silent(struct ft__meter *meter, double seconds)
{
	char what[64];

	(void)snprintf(what, sizeof what, "gave no reading for %.3g s%s", seconds,
		       *meter->passed ? ": " : "");
	give_up(meter, what, meter->passed,
		"try the command by hand; it must print a line for each reading, and not keep lines back");
}

void ft__meter_heed(struct ft__meter *meter, const volatile sig_atomic_t *interrupt)
{
	meter->interrupt = interrupt;
}

void ft__meter_begin(struct ft__meter *meter)
{
	double now = ft_clock_s();

	if (meter->broken)
		return;
	ft__meter_hear(meter);
	if (!meter->broken && meter->repeats && !meter->running)
		start_meter(meter);
	if (!meter->broken && !wait_for(meter, now - staleness(meter), patience(meter)) && !meter->broken &&
	    !is_interrupted(meter)) /* a wish to end is no fault of the meter */
		fall_silent(meter, patience(meter));
	ft__readings_forget(&meter->readings);
}

enum ft_status ft__meter_end(struct ft__meter *meter, double seconds, double *joules, enum ft_label *label,
			     struct ft_err *err)
{
	double to = ft_clock_s(), from = to - seconds;

	*joules = NAN;
	*label = FT_UNAVAILABLE;
	if (!meter->broken) {
		ft__meter_hear(meter);
		if (!meter->broken && meter->repeats && !meter->running)
			start_meter(meter);
	}
	if (!meter->broken && !wait_for(meter, to, patience(meter)) && !meter->broken) {
		if (is_interrupted(meter))
			return ft_fail(err, FT_EUNAVAIL, "interrupted before %s had answered", meter->who);
		fall_silent(meter, patience(meter));
	}
	if (!meter->broken)
		return ft__readings_integrate(&meter->readings, meter->who, from, to, joules, label, err);
	if (err)
		*err = meter->why;
	return FT_EUNAVAIL;
}

/* ---- open and close ----------------------------------------------------------------------------------- */

enum ft_status ft__meter_open(struct ft__meter **out, const char *who, const char *command, const char *unit,
			      enum ft__meter_word (*read_line)(const char *, const char *,
							       struct ft__meter_line *),
			      struct ft_err *err)
{
	struct ft__meter *meter = ft_calloc(1, sizeof *meter);
	int ends[2] = {-1, -1};
	enum ft_status status = FT_OK;

	*out = NULL;
	if (!meter)
		return ft_nomem(err);
	*meter = (struct ft__meter){
		.who = who, .unit = unit, .read_line = read_line, .pipe = -1, .client.socket = -1};
	meter->command = ft_strdup(command);
	if (!meter->command)
		status = ft_nomem(err);
	else if (pipe2(ends, O_CLOEXEC))
		status = ft_fail_errno(err, errno, "cannot make a pipe");
	if (!status) {
		meter->pipe = ends[0];
		(void)fcntl(meter->pipe, F_SETFL, O_NONBLOCK);
		status = ft__client_open(&meter->client, &(struct ft__setup){.output = ends[1]}, err);
	}
	if (ends[1] >= 0)
		(void)close(ends[1]);
	if (status) {
		ft__meter_close(meter);
		return status;
	}
	start_meter(meter);
	*out = meter;
	return FT_OK;
}

void ft__meter_close(struct ft__meter *meter)
{
	if (!meter)
		return;
	ft__client_close(&meter->client);
	if (meter->pipe >= 0)
		(void)close(meter->pipe);
	ft__readings_clear(&meter->readings);
	ft_free(meter->command);
	ft_free(meter);
}
