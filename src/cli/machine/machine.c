/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - describes, calibrates and compares machines. */
#include "base/files.h"
#include "cli/cli.h"
#include "cli/machine/machine.h"
#include "foretime/base.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * Report what can be measured here, why the rest cannot, and what machine this is.
 */

/* Whether runs here are undisturbed: inside a job of a batch system, on a login node, or neither. */
static const char *batch_text(const struct ft_machine *machine)
{
	char found[PATH_MAX];

	if (machine->scheduler)
		return machine->scheduler;
	if (!ft_path_find("srun", found))
		return "Slurm, outside a job: perhaps a login node that other users share";
	return "none";
}

static void print_fact(const char *what, const char *value)
{
	printf("  %-12s %s\n", what, value ? value : "unknown");
}

static void print_bytes(const char *what, int64_t bytes)
{
	char text[FT_UNIT_LENGTH];

	if (bytes)
		print_fact(what, ft_value_format((double)bytes, "bytes", text));
}

static void print_quota(double processors)
{
	char text[96];

	if (isnan(processors))
		return;
	(void)snprintf(text, sizeof text, "%.3g processor%s at once, for long (control group)", processors,
		       processors == 1 ? "" : "s");
	print_fact("quota", text);
}

static void print_storage(double all_bytes, double free_bytes)
{
	char all[FT_UNIT_LENGTH], left[FT_UNIT_LENGTH], text[160];

	if (isnan(all_bytes))
		return;
	(void)snprintf(text, sizeof text, "%s free of %s, in this folder",
		       ft_value_format(free_bytes, "bytes", left), ft_value_format(all_bytes, "bytes", all));
	print_fact("storage", text);
}

/* What a probe measures here; if it does not, or not all, err has the reason. */
struct probed {
	const char *name, *about, *resources, *why, *remedy;
	bool works;
	struct ft_err err;
};

static const struct ft_tell_row probe_rows[] = {
	{FT_TELL(struct probed, name), .head = "probe"},
	{FT_TELL(struct probed, about)},
	{FT_TELL(struct probed, resources), .about = "blank-separated"},
	{FT_TELL(struct probed, works), .head = "works"},
	{FT_TELL_AS(NULL, struct probed, resources), .head = "what it measures"},
	{FT_TELL(struct probed, why), .about = "why it does not work, or what it may miss",
	 .null = "it works, for all programs"},
	{FT_TELL(struct probed, remedy), .null = "there is none, or it works"},
	{0},
};
static const struct ft_tell_record probed = {.bytes = sizeof(struct probed), .row = probe_rows};

struct doctor_answer {
	const char *version, *batch, *growth;
	struct ft_machine machine;
	double quota, storage[2]; /* bytes: all, free */
	struct probed *probe;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct doctor_answer, version)},
	{FT_TELL_BY(RECORD, "machine", struct doctor_answer, machine), .of = &ft_tell_machine},
	{FT_TELL(struct doctor_answer, batch), .about = "the batch system, and whether this is inside a job"},
	{FT_TELL(struct doctor_answer, quota),
	 .about = "processors that control groups let runs keep busy for long", .null = "no quota is seen"},
	{FT_TELL_AS("storage_bytes", struct doctor_answer, storage[0]),
	 .about = "of the file system of the working folder", .null = "not counted"},
	{FT_TELL_AS("storage_free_bytes", struct doctor_answer, storage[1]), .about = "for this user",
	 .null = "not counted"},
	{FT_TELL(struct doctor_answer, growth),
	 .about = "the file of the prior of growth beyond the largest size measured",
	 .null = "the built-in one"},
	{FT_TELL_MANY(LIST, "probes", struct doctor_answer, probe, n, &probed)},
	{0},
};
const struct ft_tell_record cli_doctor_answer = {
	.name = "doctor", .typed = "machine info", .version = 1, .row = rows};

static void add_below(struct cli_table *table, const char *what, const char *text)
{
	if (!text)
		return;
	cli_table_add(table, "%s", "");
	cli_table_add(table, "%s", "");
	cli_table_add(table, "%s: %s", what, text);
}

static int machine_info(void *ctx)
{
	struct doctor_answer answer = {.version = FT_VERSION};
	struct ft_err err = {0};

	if (ft_machine_read("", &answer.machine, &err))
		return cli_error(&err);
	answer.quota = ft_quota_processors("");
	if (isinf(answer.quota))
		answer.quota = NAN;
	/* Of the file system of the working folder, where most programs write; NaN: it does not count. */
	struct statfs disk;
	bool known = !statfs(".", &disk) && disk.f_blocks > 0;

	answer.storage[0] = known ? (double)disk.f_blocks * (double)disk.f_bsize : (double)NAN;
	answer.storage[1] = known ? (double)disk.f_bavail * (double)disk.f_bsize : (double)NAN;
	answer.batch = batch_text(&answer.machine);
	(void)cli_prior(&answer.growth);
	while (ft_probe_get(answer.n))
		answer.n++;
	answer.probe = cli_alloc(answer.n * sizeof *answer.probe);
	for (size_t i = 0; i < answer.n; i++) {
		const struct ft_probe_kind *kind = ft_probe_get(i);
		struct probed *one = &answer.probe[i];

		one->name = kind->name;
		one->about = kind->about;
		one->resources = kind->resources;
		one->works = kind->available(&one->err) == FT_OK;
		if (one->err.text[0] || !one->works)
			one->why = one->err.text[0] ? one->err.text : ft_status_text(one->err.status);
		if (one->why && one->err.remedy[0])
			one->remedy = one->err.remedy;
	}
	if (((const struct cli_machine *)ctx)->json) {
		cli_tell(&cli_doctor_answer, &answer, NULL);
	} else {
		char text[96];

		printf("machine\n");
		print_fact("host", answer.machine.host);
		print_fact("fingerprint", answer.machine.fingerprint);
		print_fact("processor", answer.machine.cpu);
		(void)snprintf(text, sizeof text, "%d socket%s, %d core%s, %d thread%s",
			       answer.machine.sockets, answer.machine.sockets == 1 ? "" : "s",
			       answer.machine.cores, answer.machine.cores == 1 ? "" : "s",
			       answer.machine.threads, answer.machine.threads == 1 ? "" : "s");
		print_fact("cores", text);
		print_quota(answer.quota);
		print_bytes("L1 data", answer.machine.l1d_bytes);
		print_bytes("L2", answer.machine.l2_bytes);
		print_bytes("L3", answer.machine.l3_bytes);
		print_bytes("memory", answer.machine.memory_bytes);
		print_storage(answer.storage[0], answer.storage[1]);
		print_fact("system", answer.machine.system);
		print_fact("governor", answer.machine.governor);
		print_fact("virtual",
			   answer.machine.hypervisor ? answer.machine.hypervisor : "no hypervisor seen");
		print_fact("batch system", batch_text(&answer.machine));
		printf("\nprior of growth beyond the largest size measured: %s\n\n",
		       answer.growth ? answer.growth : "the built-in one");
		struct cli_table table = {0};

		for (size_t k = 0; k < answer.n; k++) {
			cli_table_tell(&table, &probed, &answer.probe[k], 1, NULL);
			add_below(&table, answer.probe[k].works ? "but" : "why", answer.probe[k].why);
			add_below(&table, "remedy", answer.probe[k].remedy);
		}
		cli_table_print(&table, stdout);
	}
	free(answer.probe);
	ft_machine_clear(&answer.machine);
	return CLI_DONE;
}

/*
 * `foretime machine link`: measure the link to another machine, as a table that plan schedule reads.
 */

enum { VIA_MOST = 32, HOST_LENGTH = 256 };

/* One way. */
struct machine_way {
	const char *from, *to;
	struct ft_link link;
};

struct links {
	const struct cli_machine *query;
	const char *host; /* without a user */
	char here[HOST_LENGTH];
	struct machine_way way[2];
	size_t n;
};

/* ---- measured here ------------------------------------------------------------------------------------ */

/* Let ssh ask for no password, and not wait for a machine that does not respond. */
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
	char *via = cli_strdup(l->query->via ? l->query->via : "ssh"), *argv[VIA_MOST + 4], *save = NULL,
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

	if (ft_csv_read(l->query->table, 0, &csv, &err))
		return cli_error(&err);
	column[0] = ft_csv_column(csv, "bytes");
	column[1] = ft_csv_column(csv, "seconds");
	CLI_OWN struct ft_message *message = cli_alloc((ft_csv_rows(csv) + 1) * sizeof *message);
	if (column[0] < 0 || column[1] < 0)
		status = cli_fail("'%s' has no column '%s'\n"
				  "hint: a row is a message, one way: bytes,seconds",
				  l->query->table, column[0] < 0 ? "bytes" : "seconds");
	if (status == CLI_DONE)
		status = read_messages(csv, column, message);
	l->way[0] = (struct machine_way){.from = l->here, .to = l->host};
	l->n = 1;
	if (status == CLI_DONE && ft_link_fit(message, ft_csv_rows(csv), &l->way[0].link, &err))
		status = cli_error_at(&err, "%s", l->query->table);
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

static const struct ft_tell_row link_rows[] = {
	{FT_TELL_MANY(ARRAY, "links", struct links, way, n, &ways)},
	{0},
};
const struct ft_tell_record cli_machine_link_answer = {
	.name = "machine", .action = "link", .version = 1, .row = link_rows};

/* ---- the table of links ------------------------------------------------------------------------------- */

static const char *const columns[4] = {"from", "to", "latency", "bandwidth"};

/* Whether a row of the file is about one of our links. */
static bool is_ours(const struct links *l, const char *from, const char *to)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(from, l->way[i].from) && !strcmp(to, l->way[i].to))
			return true;
	return false;
}

/* Copy the rows of other links that the file already has. */
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
			l->query->output, columns[k]);
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

static int write_links(const struct links *l)
{
	struct cli_output output = {0};
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (!l->query->output)
		return CLI_DONE;
	if (!access(l->query->output, F_OK) && ft_csv_read(l->query->output, 0, &csv, &err))
		return cli_error(&err);
	status = cli_output_open(&output, l->query->output, stdout);
	if (status == CLI_DONE) {
		fprintf(output.file, "from,to,latency,bandwidth\n");
		status = csv ? keep_rows(l, csv, output.file) : CLI_DONE;
		for (size_t i = 0; i < l->n && status == CLI_DONE; i++) {
			cli_csv_cell(output.file, l->way[i].from);
			fputc(',', output.file);
			cli_csv_cell(output.file, l->way[i].to);
			fprintf(output.file, ",%.4g,%.4g\n", l->way[i].link.latency_s.value,
				l->way[i].link.bytes_per_s.value);
		}
		if (cli_output_close(&output, status == CLI_DONE) != CLI_DONE)
			status = CLI_WRONG;
	}
	ft_csv_free(csv);
	return status;
}

static int machine_link(void *ctx)
{
	const struct cli_machine *query = ctx;
	const char *at = strrchr(query->word[0], '@');
	struct links l = {.query = query, .host = at ? at + 1 : query->word[0]};

	if (gethostname(l.here, sizeof l.here - 1))
		(void)snprintf(l.here, sizeof l.here, "here");
	if (!*l.host || *l.host == '-' || *query->word[0] == '-') /* no option of the remote shell */
		return cli_fail("'%s' is not a host", query->word[0]);
	if (query->json && query->output && !strcmp(query->output, "-"))
		return cli_fail("--json and -o - exclude each other: both are standard output");
	CLI_TRY(query->table ? read_table(&l) : measure_link(&l, query->word[0]));
	CLI_TRY(write_links(&l));
	if (query->json) {
		cli_json_print(cli_tell_json(&cli_machine_link_answer, &l, NULL), stdout);
	} else if (!query->output || strcmp(query->output, "-") != 0) {
		struct cli_table table = {0};

		cli_table_heads(&table, "from", "to", "latency (95 %)", "bandwidth, a second (95 %)",
				">messages", NULL);
		for (size_t i = 0; i < l.n; i++) {
			char *latency = figure_text(&l.way[i].link.latency_s, "s");
			char *bandwidth = figure_text(&l.way[i].link.bytes_per_s, "bytes");
			cli_table_add(&table, "%s", l.way[i].from);
			cli_table_add(&table, "%s", l.way[i].to);
			cli_table_add(&table, "%s", latency);
			cli_table_add(&table, "%s", bandwidth);
			cli_table_add(&table, "%zu", l.way[i].link.messages);
			free(latency);
			free(bandwidth);
		}
		cli_table_print(&table, stdout);
	}
	return CLI_DONE;
}

/*
 * Describes, calibrates and compares machines.
 */

static const struct cli_action actions[] = {
	{"info", "print what can be measured on this machine, and what not", "", "format json store", 0, 0,
	 machine_info},
	{"calibrate", "measure this machine", "[--quick]", "quick format json store", 0, 0,
	 cli_machine_calibrate},
	{"list", "list the machines of the store", "", "format json store", 0, 0, cli_machine_list},
	{"show", "show the facts and the row of a machine", "[MACHINE]", "format json store", 0, 1,
	 cli_machine_show},
	{"compare", "print how much faster one is than another", "MACHINE [MACHINE]", "format json store", 1,
	 2, cli_machine_compare},
	{"link", "measure how fast another machine is reached",
	 "HOST [--via SSH|--replay FILE.csv] [-o LINKS.csv]", "via replay output format json", 1, 1,
	 machine_link},
	{"export", "print a machine as a table", "[MACHINE] [-o FILE.csv]", "output store", 0, 1,
	 cli_machine_export},
	{"import", "take a machine from such a table", "FILE.csv", "format json store", 1, 1,
	 cli_machine_import},
	{0},
};

static int run_machine(const struct cli_command *command, int argc, char **argv)
{
	struct cli_machine query = {0};
	const struct ft_field options[] = {
		{0, "quick", FT_FIELD_FLAG, &query.quick, NULL,
		 "some three seconds in place of ten, and less exact"},
		{0, "via", FT_FIELD_TEXT, &query.via, "SSH",
		 "the remote shell, as in 'ssh -p 2222'; default: ssh"},
		{0, "replay", FT_FIELD_TEXT, &query.table, "FILE.csv",
		 "messages measured otherwise: columns bytes and seconds, one way", .not_with = "via"},
		{'o', "output", FT_FIELD_TEXT, &query.output, "FILE",
		 "the file; link: a table of links, whose other rows stay; default: standard output"},
		CLI_ANSWER_OPTIONS(query.json, query.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	query.word = words.word + 1;
	query.words = words.n - 1;
	return words.action->act(&query);
}

const struct cli_command cli_machine = {
	"machine",
	"measure what machines are made of, and compare them",
	NULL,
	"MACHINE is a host name, or a fingerprint or its beginning; without one, this machine.\n"
	"A machine's row is the programs calibration/NAME in the store: foretime surrogate takes them as "
	"they are.\n",
	actions,
	run_machine,
};
