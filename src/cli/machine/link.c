/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.c - `foretime machine link`: how fast another machine is reached, as a table that plan schedule reads.
 */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/machine/machine.h"
#include "foretime/csv.h"
#include "foretime/link.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VIA_MOST = 32, HOST_LENGTH = 256 };

/* One way. */
struct machine_way {
	const char *from, *to;
	struct ft_link link;
};

struct links {
	const struct cli_machine *asked;
	const char *host; /* without a user */
	char here[HOST_LENGTH];
	struct machine_way way[2];
	size_t n;
};

/* ---- measured here ------------------------------------------------------------------------------------ */

/* ssh asks nobody, and does not wait for a machine that is not there. */
static size_t add_ssh(char **argv, size_t n)
{
	static char batch[] = "-oBatchMode=yes", patience[] = "-oConnectTimeout=10";
	const char *slash = strrchr(argv[0], '/');

	if (strcmp(slash ? slash + 1 : argv[0], "ssh") != 0)
		return n;
	argv[n++] = batch;
	argv[n++] = patience;
	return n;
}

static int measure_link(struct links *l, const char *host)
{
	char *via = cli_strdup(l->asked->via ? l->asked->via : "ssh"), *argv[VIA_MOST + 4], *save = NULL,
	     *word;
	struct ft_link forth, back;
	struct ft_err err = {0};
	size_t n = 0;
	int status = CLI_DONE;

	for (word = strtok_r(via, " ", &save); word && n < VIA_MOST; word = strtok_r(NULL, " ", &save))
		argv[n++] = word;
	if (!n || word) {
		free(via);
		return n ? cli_fail("--via has more than %d words", VIA_MOST)
			 : cli_fail("--via '': no remote shell");
	}
	n = add_ssh(argv, n);
	argv[n++] = (char *)(uintptr_t)host;
	argv[n] = NULL;
	cli_signals_catch();
	if (ft_link_measure(argv, cli_interrupt_flag(), &forth, &back, &err))
		status = cli_error(&err);
	l->way[0] = (struct machine_way){l->here, l->host, forth};
	l->way[1] = (struct machine_way){l->host, l->here, back};
	l->n = 2;
	free(via);
	return status;
}

/* ---- measured otherwise ------------------------------------------------------------------------------- */

static int read_messages(const struct ft_csv *csv, const int column[2], struct ft_message *message)
{
	struct ft_err err = {0};
	double cell[2];

	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		for (size_t k = 0; k < 2; k++)
			if (ft_csv_number(csv, i, (size_t)column[k], false, &cell[k], &err))
				return cli_error(&err);
		message[i] = (struct ft_message){cell[0], cell[1]};
	}
	return CLI_DONE;
}

static int read_table(struct links *l)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int column[2], status = CLI_DONE;

	if (ft_csv_read(l->asked->table, 0, &csv, &err))
		return cli_error(&err);
	column[0] = ft_csv_column(csv, "bytes");
	column[1] = ft_csv_column(csv, "seconds");
	CLI_OWN struct ft_message *message = cli_alloc((ft_csv_rows(csv) + 1) * sizeof *message);
	if (column[0] < 0 || column[1] < 0)
		status = cli_fail("'%s' has no column '%s'\n"
				  "hint: a row is a message, one way: bytes,seconds",
				  l->asked->table, column[0] < 0 ? "bytes" : "seconds");
	if (status == CLI_DONE)
		status = read_messages(csv, column, message);
	l->way[0] = (struct machine_way){.from = l->here, .to = l->host};
	l->n = 1;
	if (status == CLI_DONE && ft_link_fit(message, ft_csv_rows(csv), &l->way[0].link, &err))
		status = cli_error_at(&err, "%s", l->asked->table);
	ft_csv_free(csv);
	return status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static char *figure_text(const struct ft_figure *figure, const char *unit)
{
	char text[3][FT_UNIT_LENGTH];

	return cli_printed("%s (%s .. %s)", ft_value_format(figure->value, unit, text[0]),
			   ft_value_format(figure->least, unit, text[1]),
			   isinf(figure->most) ? "any" : ft_value_format(figure->most, unit, text[2]));
}

static void print_text(const struct links *l)
{
	struct cli_table table = {0};

	cli_table_heads(&table, "from", "to", "latency (95 %)", "bandwidth, a second (95 %)", ">messages",
			NULL);
	for (size_t i = 0; i < l->n; i++) {
		char *latency = figure_text(&l->way[i].link.latency_s, "s");
		char *bandwidth = figure_text(&l->way[i].link.bytes_per_s, "bytes");
		cli_table_add(&table, "%s", l->way[i].from);
		cli_table_add(&table, "%s", l->way[i].to);
		cli_table_add(&table, "%s", latency);
		cli_table_add(&table, "%s", bandwidth);
		cli_table_add(&table, "%zu", l->way[i].link.messages);
		free(latency);
		free(bandwidth);
	}
	cli_table_print(&table, stdout);
}

static const struct ft_tell_row way_rows[] = {
	{FT_TELL(struct machine_way, from)},
	{FT_TELL(struct machine_way, to)},
	{FT_TELL_AS("latency_s", struct machine_way, link.latency_s.value)},
	{FT_TELL_AS("latency_least_s", struct machine_way, link.latency_s.least), .about = "95 % confidence"},
	{FT_TELL_AS("latency_most_s", struct machine_way, link.latency_s.most)},
	{FT_TELL_AS("bytes_per_s", struct machine_way, link.bytes_per_s.value)},
	{FT_TELL_AS("bytes_least_per_s", struct machine_way, link.bytes_per_s.least),
	 .about = "95 % confidence"},
	{FT_TELL_AS("bytes_most_per_s", struct machine_way, link.bytes_per_s.most),
	 .null = "no end is known"},
	{FT_TELL_AS("messages", struct machine_way, link.messages), .about = "that this rests on"},
	{0},
};
static const struct ft_tell_record ways = {.bytes = sizeof(struct machine_way), .row = way_rows};

static const struct ft_tell_row rows[] = {
	{FT_TELL_MANY(ARRAY, "links", struct links, way, n, &ways)},
	{0},
};
const struct ft_tell_record cli_machine_link_told = {
	.name = "machine", .action = "link", .version = 1, .row = rows};

/* ---- the table of links ------------------------------------------------------------------------------- */

static const char *const columns[4] = {"from", "to", "latency", "bandwidth"};

/* Whether a row of the file is of one of ours. */
static bool is_ours(const struct links *l, const char *from, const char *to)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(from, l->way[i].from) && !strcmp(to, l->way[i].to))
			return true;
	return false;
}

/* What is there already. */
static int keep_rows(const struct links *l, const struct ft_csv *csv, FILE *file)
{
	int column[4];

	for (size_t k = 0; k < 4; k++) {
		column[k] = ft_csv_column(csv, columns[k]);
		if (column[k] >= 0)
			continue;
		return cli_fail(
			"'%s' is not a table of links: it has no column '%s'\n"
			"hint: name another file; the columns are listed under --links in man foretime-plan",
			l->asked->output, columns[k]);
	}
	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		if (is_ours(l, ft_csv_cell(csv, i, (size_t)column[0]),
			    ft_csv_cell(csv, i, (size_t)column[1])))
			continue;
		for (size_t k = 0; k < 4; k++) {
			cli_csv_cell(file, ft_csv_cell(csv, i, (size_t)column[k]));
			fputc(k < 3 ? ',' : '\n', file);
		}
	}
	return CLI_DONE;
}

static void add_row(const struct machine_way *way, FILE *file)
{
	cli_csv_cell(file, way->from);
	fputc(',', file);
	cli_csv_cell(file, way->to);
	fprintf(file, ",%.4g,%.4g\n", way->link.latency_s.value, way->link.bytes_per_s.value);
}

static int write_links(const struct links *l)
{
	struct cli_output output = {0};
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (!l->asked->output)
		return CLI_DONE;
	if (!access(l->asked->output, F_OK) && ft_csv_read(l->asked->output, 0, &csv, &err))
		return cli_error(&err);
	status = cli_output_open(&output, l->asked->output, stdout);
	if (status == CLI_DONE) {
		fprintf(output.file, "from,to,latency,bandwidth\n");
		status = csv ? keep_rows(l, csv, output.file) : CLI_DONE;
		for (size_t i = 0; i < l->n && status == CLI_DONE; i++)
			add_row(&l->way[i], output.file);
		if (cli_output_close(&output, status == CLI_DONE) != CLI_DONE)
			status = CLI_WRONG;
	}
	ft_csv_free(csv);
	return status;
}

int cli_machine_link(void *ctx)
{
	const struct cli_machine *asked = ctx;
	const char *at = strrchr(asked->word[0], '@');
	struct links l = {.asked = asked, .host = at ? at + 1 : asked->word[0]};

	if (gethostname(l.here, sizeof l.here - 1))
		(void)snprintf(l.here, sizeof l.here, "here");
	if (!*l.host || *l.host == '-' || *asked->word[0] == '-') /* no option of the remote shell */
		return cli_fail("'%s' is not a host", asked->word[0]);
	if (asked->json && asked->output && !strcmp(asked->output, "-"))
		return cli_fail("--json and -o - exclude each other: both are standard output");
	CLI_TRY(asked->table ? read_table(&l) : measure_link(&l, asked->word[0]));
	CLI_TRY(write_links(&l));
	if (asked->json)
		cli_json_print(cli_tell_json(&cli_machine_link_told, &l, NULL), stdout);
	else if (!asked->output || strcmp(asked->output, "-") != 0)
		print_text(&l);
	return CLI_DONE;
}
