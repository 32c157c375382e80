/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-damage.c - every format survives damage of any one line of its files, and keeps the runs of all others.
 */
#include "adapt-test.h"
#include "base/random.h"

/* What becomes of a line; from CELL on of one cell, or one value, in it. */
enum damage { DELETED, TWICE, EMPTY, CUT, REPLACED, CELL = REPLACED + 4, DAMAGES = CELL + 4 };

static const char *const words[] = {"-", "NA", "INVALID", "1e999"};

/* A file and what one line of it can cost: `most` runs, all of one program. Lines before `first` say what all
 * others mean: where they are damaged, a refusal is right. */
struct sample {
	const char *name, *path, *text,
		*begin; /* begin: in the last line that says so; NULL: the first one */
	struct ft_import_options options;
	size_t most;
	bool prose; /* other lines may stand between its rows, so that a line that is none is not counted */
};

static const char table[] = "# a table of ours\nn,algorithm,wall_s,peak_rss_bytes,outcome\n"
			    "10,\"lu, dense\",1.5,4096,done\n20,\"lu, dense\",3.25,8192,done\n"
			    "30,\"lu, dense\",4.5,,done\n40,\"lu, dense\",6.125,16384,done\n"
			    "50,\"lu, dense\",7.5,20480,timed out\n";
static const char export[] =
	"{\n  \"schema\": \"foretime-export-1\",\n  \"name\": \"a\",\n"
	"  \"params\": [{\"name\": \"n\", \"range\": \"1:3\"}],\n  \"machine\": {\"host\": \"h\"},\n  "
	"\"runs\": [\n"
	"    {\n      \"size\": {\n        \"n\": 1\n      },\n      \"outcome\": \"done\",\n      "
	"\"samples\": {\n"
	"        \"wall_s\": {\n          \"value\": 0.5,\n          \"label\": \"measured\",\n"
	"          \"probe\": \"wait4\"\n        }\n      }\n    },\n"
	"    {\n      \"size\": {\n        \"n\": 2\n      },\n      \"outcome\": \"done\",\n      "
	"\"samples\": {\n"
	"        \"wall_s\": {\n          \"value\": 1.25,\n          \"label\": \"measured\",\n"
	"          \"probe\": \"wait4\"\n        }\n      }\n    },\n"
	"    {\n      \"size\": {\n        \"n\": 3\n      },\n      \"outcome\": \"done\",\n      "
	"\"samples\": {\n"
	"        \"wall_s\": {\n          \"value\": 1.75,\n          \"label\": \"measured\",\n"
	"          \"probe\": \"wait4\"\n        }\n      }\n    }\n  ]\n}\n";
static const char lines[] =
	"{\"context\": {}, \"benchmarks\": [\n"
	"{\"name\": \"a/1\", \"real_time\": 1.5, \"cpu_time\": 1, \"time_unit\": \"s\"},\n"
	"{\"name\": \"a/2\", \"real_time\": 2.5, \"cpu_time\": 2, \"time_unit\": \"s\"},\n"
	"{\"name\": \"a/3\", \"real_time\": 3.5, \"cpu_time\": 3, \"time_unit\": \"s\"}]}\n";

static const char asv[] =
	"{\"commit_hash\": \"a\", \"result_columns\": [\"result\", \"params\", \"number\"],\n\"results\": {\n"
	"\"a.time_x\": [[0.5, 1, NaN], [[\"10\", \"20\", \"40\"]], [1, 1, null]],\n"
	"\"a.time_y\": [[0.25, 0.75], [[\"10\", \"20\"]], [9, 1]],\n"
	"\"b.peakmem_z\": [[4096, null], [[\"10\", \"20\"]]]\n}, \"version\": 2}\n";

#define SIZE(...)                                                                                            \
	.size = (const char *const[]){__VA_ARGS__},                                                          \
	.n_sizes = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)

static const struct ft_param five = {.name = "n", .least = 5, .most = 5, .stride = 1};

/* One line of the original is one run, at most, but for those of lists: hyperfine's of one command, Extra-P's
 * of one region. */
static const struct sample samples[] = {
	{"csv", NULL, table, "n,", {.name = "x", .memory_bytes = 0}, 1, false},
	{"snakemake", "snakemake/4000000.tsv", NULL, NULL, {.name = "x", SIZE("n=s")}, 1, false},
	{"snakemake, extended", "snakemake-extended.tsv", NULL, NULL, {SIZE("n=wildcards.n")}, 1, false},
	{"snakemake, lines", "snakemake-extended.jsonl", NULL, "", {SIZE("n=jobid")}, 1, false},
	{"nextflow", "nextflow.txt", NULL, NULL, {SIZE("n=name:/n(\\d+)/")}, 1, false},
	{"nextflow, raw", "nextflow-raw.txt", NULL, NULL, {SIZE("n=tag:/n(\\d+)/")}, 1, false},
	{"sacct", "sacct.txt", NULL, NULL, {SIZE("n=JobName:/_(\\d+)$/")}, 1, false},
	{"hyperfine", "hyperfine.json", NULL, "\"results\"", {0}, 4, false},
	{"hyperfine, failing", "hyperfine-failing.json", NULL, "\"results\"", {0}, 6, false},
	{"gbench", "gbench.json", NULL, "\"benchmarks\"", {0}, 1, false},
	{"gbench, CSV", "gbench.csv", NULL, "name,iterations", {0}, 1, false},
	{"gbench, an element a line", NULL, lines, "\"benchmarks\"", {0}, 1, false},
	{"pytest-benchmark", "pytest-benchmark.json", NULL, "\"benchmarks\"", {0}, 3, false},
	{"asv", NULL, asv, "\"results\"", {0}, 3, false},
	{"pyperf", "pyperf.json", NULL, "\"benchmarks\"", {0}, 10, false},
	{"jmh", "jmh.json", NULL, "[\n    {", {0}, 4, false},
	{"criterion", "criterion/messages.jsonl", NULL, "", {0}, 3, false},
	{"criterion, CSV", "criterion/raw.csv", NULL, NULL, {0}, 1, false},
	{"go", "go/go.txt", NULL, "cpu:", {0}, 1, true},
	{"foretime", NULL, export, "\"runs\"", {0}, 1, false},
	{"extrap", "extrap.txt", NULL, "POINTS", {0}, 9, false},
	{"extrap-lines", "extrap.jsonl", NULL, "", {0}, 2, false},
	{"extrap-json", "extrap.json", NULL, "\"measurements\"", {0}, 6, false},
	{"extrap-json, older", "extrap-older.json", NULL, "\"measurements\"", {0}, 1, false},
	{"talpas", "talpas.txt", NULL, "", {0}, 1, false},
	{"sacct --json",
	 "sacct-21.08.json",
	 NULL,
	 "\"jobs\"",
	 {.name = "x", SIZE("n=JobID:/(\\d+)$/")},
	 1,
	 false},
	{"sacct --json",
	 "sacct-23.11.json",
	 NULL,
	 "\"jobs\"",
	 {.name = "x", SIZE("n=JobID:/(\\d+)$/")},
	 1,
	 false},
	{"seff", "seff.txt", NULL, "", {.name = "x", SIZE("n=JobID")}, 1, false},
	{"galaxy", "galaxy.json", NULL, NULL, {.name = "x", .param = &five, .n_params = 1}, 1, false},
	{"galaxy, table", "galaxy.csv", NULL, NULL, {SIZE("n=input_bytes")}, 1, false},
	{"time", "time.txt", NULL, "", {0}, 1, false},
	{"perf", "perf.csv", NULL, "", {.name = "x", .param = &five, .n_params = 1}, 1, false},
	{"perf, JSON", "perf.jsonl", NULL, "", {.name = "x", .param = &five, .n_params = 1}, 1, false},
};

static char *read_text(const struct sample *sample)
{
	FILE *file = sample->path ? fopen(data_path(sample->path), "rb") : NULL;
	char *text = calloc(1, 1 << 16);
	size_t length = 0;

	if (text && file)
		length = fread(text, 1, (1 << 16) - 1, file);
	else if (text && sample->text)
		length = strlen(strcpy(text, sample->text));
	if (file)
		(void)fclose(file);
	ok(length > 0 && length < (1 << 16) - 1, "%s: its file", sample->name);
	return text;
}

/* The next cell of a line that one could damage: between separators, or behind the colon of a key. */
static void find_cell(const char *line, size_t length, struct ft_random *random, size_t *from, size_t *to)
{
	size_t start = 0, n = 0;

	*from = *to = 0;
	while (start < length && line[start] == ' ')
		start++;
	for (size_t i = start; i <= length; i++) {
		if (i < length && !strchr(",|\t:", line[i]))
			continue;
		if (i > start && ft_random_below(random, ++n) == 0) {
			*from = start;
			*to = i;
		}
		for (start = i + 1; start < length && line[start] == ' ';)
			start++;
	}
}

/* The text with the line that begins at `at` damaged; heap. */
static char *damage(const char *text, size_t at, enum damage how, struct ft_random *random)
{
	size_t length = strcspn(text + at, "\n"), from = 0, to = length;
	const char *line = text + at, *behind = line + length, *word = words[(how - REPLACED) % 4];
	char *out = malloc(strlen(text) + length + 32);

	if (!out)
		return NULL;
	if (how >= CELL)
		find_cell(line, length, random, &from, &to);
	if (how == DELETED)
		(void)sprintf(out, "%.*s%s", (int)at, text, behind + (*behind == '\n'));
	else if (how == TWICE)
		(void)sprintf(out, "%.*s%.*s\n%s", (int)at, text, (int)length, line, line);
	else if (how == EMPTY)
		(void)sprintf(out, "%.*s%s", (int)at, text, behind);
	else if (how == CUT)
		(void)sprintf(out, "%.*s%s", (int)(at + (length ? ft_random_below(random, length) : 0)), text,
			      behind);
	else
		(void)sprintf(out, "%.*s%s%s", (int)(at + from), text, word, line + to);
	return out;
}

/* How many runs of one import, of the same program, size and time, the other one lacks; -1: of several
 * programs. */
static int count_lost(const struct ft_import *whole, const struct ft_import *damaged)
{
	const char *program = NULL;
	int lost = 0;
	size_t k;

	for (size_t i = 0; i < whole->n; i++) {
		const struct ft_imported *part = &whole->part[i],
					 *other = part_of(damaged, part->program.name);
		bool *taken = calloc(other->runs.n + 1, sizeof *taken);

		for (size_t j = 0; taken && j < part->runs.n; j++) {
			const struct ft_run *run = &part->runs.run[j];

			for (k = 0; k < other->runs.n; k++)
				if (!taken[k] && ft_size_equal(&run->size, &other->runs.run[k].size) &&
				    near(ft_run_value(run, &ft_wall_s),
					 ft_run_value(&other->runs.run[k], &ft_wall_s), 0))
					break;
			if (k < other->runs.n || isnan(ft_run_value(run, &ft_wall_s))) {
				taken[k] = true;
				continue;
			}
			lost++;
			if (program && strcmp(program, part->program.name) != 0)
				return free(taken), -1;
			program = part->program.name;
		}
		free(taken);
	}
	return lost;
}

static size_t count_passed(const struct ft_import *import)
{
	size_t n = import->doubtful;

	for (size_t i = 0; i < FT_PASSED_N; i++)
		n += import->passed[i];
	return n;
}

/* Whether the damage costs no more than it may, and what is lost is counted. */
static bool survives(const struct sample *sample, const struct ft_import *whole, const char *text,
		     bool header, enum damage how)
{
	struct ft_import import = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_import_parse(&import, "f", text, strlen(text), &sample->options, &err);
	bool good;

	if (status) /* words and a remedy; and it was the only run, or what tells of all */
		good = *err.text && *err.remedy && !import.part && (header || whole->runs <= sample->most);
	else {
		int lost = count_lost(whole, &import);
		good = header || (lost >= 0 && (size_t)lost <= sample->most);
		/* A line that is gone leaves no trace, and a number that is cut is another number. */
		if (!header && lost > 0 && how >= (sample->prose ? CELL : REPLACED) &&
		    import.runs < whole->runs)
			good = good && (import.passed[FT_PASSED_BROKEN] > whole->passed[FT_PASSED_BROKEN] ||
					count_passed(&import) > count_passed(whole));
		if (!good)
			diag("%d of %zu runs lost, %zu rows counted: %s", lost, whole->runs,
			     count_passed(&import), import.broken.text);
	}
	if (status && !good)
		diag("status %d: %s | %s", status, err.text, err.remedy);
	ft_import_clear(&import);
	return good;
}

static void one_line(const struct sample *sample)
{
	enum { SOME = 60 };
	struct ft_random random = {test_seed()};
	struct ft_import whole = {0};
	char *text = read_text(sample), *changed;
	const char *begin = text && sample->begin ? strstr(text, *sample->begin ? sample->begin : "") : text,
		   *next;
	size_t n = 0, lines_in = 0, cases = 0, bad = 0;
	size_t first = 0;

	if (!text || ft_import_parse(&whole, "f", text, strlen(text), &sample->options, NULL)) {
		ok(false, "%s: read", sample->name);
		free(text);
		return;
	}
	for (; begin && sample->begin && *sample->begin && (next = strstr(begin + 1, sample->begin));)
		begin = next;
	if (!sample->begin || *sample->begin)
		first = begin ? (size_t)(begin - text) + strcspn(begin, "\n") + 1 : 0;
	for (size_t at = 0; text[at]; at += strcspn(text + at, "\n") + 1)
		lines_in++;
	for (size_t at = 0; text[at]; at += strcspn(text + at, "\n") + 1, n++) {
		if (test_quick() && ft_random_below(&random, lines_in) >= SOME)
			continue;
		for (size_t i = 0; i < DAMAGES; i++) {
			changed = damage(text, at, (enum damage)i, &random);
			cases++;
			if (!changed || survives(sample, &whole, changed, at < first, (enum damage)i) ||
			    bad++ > 2) {
				free(changed);
				continue;
			}
			diag("%s: line %zu, damage %zu, seed %llu: %.*s", sample->name, n + 1, i,
			     (unsigned long long)test_seed(), (int)strcspn(text + at, "\n"), text + at);
			free(changed);
		}
	}
	ok(!bad, "%s: %zu damages of %zu lines, and no more than %zu of %zu runs are lost by one (%zu are)",
	   sample->name, cases, lines_in, sample->most, whole.runs, bad);
	ft_import_clear(&whole);
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		one_line(&samples[i]);
	return done();
}
