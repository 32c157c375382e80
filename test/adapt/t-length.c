/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-length.c - lengths of inputs: files and folders, packed and unpacked (test/adapt/data/packed). */
#include "adapt-test.h"
#include "adapt/adapt.h"

#include <sys/stat.h>
#include <unistd.h>

/* What the files of test/adapt/data/packed hold. */
static const double holds = 202780;

static double unpacked(const char *name, const char **why)
{
	double value;

	*why = ft__amount_of(data_path(name), FT__AMOUNT_UNPACKED, -1, &value);
	return *why ? (double)NAN : value;
}

static void packed(void)
{
	static const struct {
		const char *name;
		double times;
	} files[] = {{"packed/a.txt.gz", 1}, {"packed/two.gz", 2}, {"packed/a.bgz", 1}, {"packed/a.zst", 1},
		     {"packed/two.zst", 2},  {"packed/a.xz", 1},   {"packed/two.xz", 2}};
	const char *why;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		double value = unpacked(files[i].name, &why);

		ok(value == files[i].times * holds, "%s: %.0f bytes unpacked %s", files[i].name, value,
		   why ? why : "");
	}
	double value = unpacked("packed/stream.zst", &why);
	ok(value > 0 || (why && strstr(why, "not installed")),
	   "a frame of zstd that does not state its length is unpacked: %.0f %s", value, why ? why : "");
	ok(unpacked("extrap.txt", &why) == 308, "a file that is not packed");
}

/* The first bytes of a packed file, and one byte of them changed: a number or a reason, no more. */
static void damaged(void)
{
	static const char *const names[] = {"packed/a.txt.gz", "packed/a.bgz", "packed/two.zst",
					    "packed/two.xz"};
	static char bytes[1 << 16];
	char path[] = "/tmp/foretime-length-XXXXXX";
	int fd = mkstemp(path);
	size_t cut = 0, refused = 0;

	for (size_t i = 0; i < 4 && fd >= 0; i++) {
		FILE *file = fopen(data_path(names[i]), "rb");
		size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
		double value;

		if (file)
			(void)fclose(file);
		for (size_t n = 7; n < length; n += 1 + length / 40, cut++) {
			if (ftruncate(fd, 0) || pwrite(fd, bytes, n, 0) != (ssize_t)n)
				break;
			refused += ft__amount_of(path, FT__AMOUNT_UNPACKED, -1, &value) != NULL;
		}
	}
	ok(cut > 100 && refused + 2 >= cut, "what is cut has no length, but where a member ended: %zu of %zu",
	   refused, cut);
	if (fd >= 0)
		(void)close(fd);
	(void)unlink(path);
}

static void folders(void)
{
	char root[] = "/tmp/foretime-folder-XXXXXX", path[512];
	double bytes, files;
	const char *why;

	if (!mkdtemp(root))
		return;
	(void)snprintf(path, sizeof path,
		       "mkdir %s/b; printf 12345 > %s/a; printf 123 > %s/b/c; ln -s a %s/d", root, root, root,
		       root);
	ok(!system(path) && !ft__amount_of(root, FT__AMOUNT_BYTES, -1, &bytes) && bytes == 8 &&
		   !ft__amount_of(root, FT__AMOUNT_FILES, -1, &files) && files == 2,
	   "the files of a folder and those below it, without links");
	(void)snprintf(path, sizeof path, "%s/d", root);
	ok(!ft__amount_of(path, FT__AMOUNT_BYTES, -1, &bytes) && bytes == 5, "a link that is named itself");
	why = ft__amount_of("/dev/null", FT__AMOUNT_BYTES, -1, &bytes);
	ok(why && !strcmp(why, "Not a plain file"), "neither a file nor a folder");
	(void)snprintf(path, sizeof path, "rm -r %s", root);
	ok(!system(path), "and away");
}

static void sizes(void)
{
	struct ft_import import = {0};
	struct ft_err err = {0};
	char directory[4200];

	(void)snprintf(directory, sizeof directory, "%s", data_path("packed"));
	struct ft_import_options options = {
		.name = "x",
		.directory = directory,
		.size = (const char *const[]){"n=unpacked:{f}", "m=file:{f}", "k=files:{g}"},
		.n_sizes = 3};
	ok(!parse(&import, "f,g,wall_s\na.bgz,.,1\na.xz,a.xz,2\nnone.gz,.,3\n", &options, &err) &&
		   import.runs == 2 && size_of(import.part, 0, 0) == holds &&
		   size_of(import.part, 0, 2) == 8 && size_of(import.part, 1, 2) == 1 &&
		   import.passed[FT_PASSED_FILE] == 1 && strstr(import.missing, "No such file"),
	   "--size n=unpacked:, n=file:, n=files: %s %s", err.text, import.missing);
	ft_import_clear(&import);
}

/* A file with these bytes, packed by a tool or not; false: the tool is not there. */
static bool put(const char *path, const char *tool, const char *bytes, size_t n)
{
	char command[600];
	FILE *file;

	(void)snprintf(command, sizeof command, tool ? "%s -c > %s 2>/dev/null" : "cat%s > %s",
		       tool ? tool : "", path);
	file = popen(command, "w");
	return file && fwrite(bytes, 1, n, file) == n && !pclose(file);
}

/* Text of a kind, and how many lines and records it has; NAN: why there are none contains the word. */
static void counted(void)
{
#define WHOLE(text) text, sizeof(text) - 1
#define BAM         "BAM\1\3\0\0\0abc\1\0\0\0\2\0\0\0c\0\7\0\0\0"
	static const struct {
		const char *what, *bytes;
		size_t n;
		double lines, records;
		const char *word;
	} texts[] = {
		{"nothing", WHOLE(""), 0, 0, NULL},
		{"FASTA", WHOLE(">a x\nACGT\nAC>GT\n>b\nA"), 5, 2, NULL},
		{"FASTQ", WHOLE("@a\nAC\n+\n@>\n@AB\nAC\n+\nII\n"), 8, 2, NULL},
		{"FASTQ, its last line not ended", WHOLE("@a\nAC\n+\nII"), 4, 1, NULL},
		{"FASTQ, cut", WHOLE("@a\nAC\n+\nII\n@b\n"), 5, NAN, "four lines"},
		{"SAM", WHOLE("@HD\tVN:1.6\n@SQ\tSN:c\nr1\t4\nr2\t4\n"), 4, 2, NULL},
		{"VCF", WHOLE("##fileformat=VCFv4.3\n#CHROM\nc\t1\n\n"), 4, 1, NULL},
		{"BAM", WHOLE(BAM "\2\0\0\0xy\3\0\0\0\n\n\n"), NAN, 2, NULL},
		{"BAM without records", WHOLE(BAM), NAN, 0, NULL},
		{"BAM, cut", WHOLE(BAM "\2\0\0\0x"), NAN, NAN, "damaged"},
		{"BAM, of impossible lengths", WHOLE(BAM "\0\0\0\200x"), NAN, NAN, "damaged"},
		{"another", WHOLE("n,wall_s\n1,2\n"), 2, NAN, "lines:"},
	};
	static const char *const tools[] = {NULL, "gzip", "zstd", "xz", "bzip2"};
	char root[] = "/tmp/foretime-counts-XXXXXX", path[256];

	if (!mkdtemp(root))
		return;
	(void)snprintf(path, sizeof path, "%s/f", root);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (size_t k = 0; k < sizeof tools / sizeof *tools; k++) {
			double lines, records;

			if (!put(path, tools[k], texts[i].bytes, texts[i].n)) {
				skip(tools[k], "it is not installed");
				continue;
			}
			const char *none = ft__amount_of(path, FT__AMOUNT_LINES, -1, &lines);
			const char *why = ft__amount_of(path, FT__AMOUNT_RECORDS, -1, &records);
			ok(!none && (lines == texts[i].lines || isnan(texts[i].lines)) &&
				   (texts[i].word ? why && strstr(why, texts[i].word)
						  : !why && records == texts[i].records),
			   "%s, %s: %.0f lines, %.0f records %s", texts[i].what,
			   tools[k] ? tools[k] : "plain", lines, records, why ? why : "");
		}
	(void)unlink(path);
	(void)rmdir(root);
}

/* A count is kept for as long as the file has that inode, length and time; a file of counts that is damaged is none. */
static void kept(void)
{
	char root[] = "/tmp/foretime-kept-XXXXXX", path[256], counts[256];
	struct stat st;
	uint64_t value = 0;
	double lines;

	if (!mkdtemp(root))
		return;
	(void)snprintf(path, sizeof path, "%s/f", root);
	(void)snprintf(counts, sizeof counts, "%s/a/b/counts", root);
	int file = ft__counts_open(counts);
	ok(file >= 0 && put(path, NULL, "a\nb\n", 4) && !stat(path, &st) &&
		   !ft__count_kept(file, &st, FT__AMOUNT_LINES, &value),
	   "nothing is kept at first");
	ok(!ft__amount_of(path, FT__AMOUNT_LINES, file, &lines) && lines == 2 &&
		   ft__count_kept(file, &st, FT__AMOUNT_LINES, &value) && value == 2 &&
		   !ft__count_kept(file, &st, FT__AMOUNT_RECORDS, &value),
	   "a count is kept, of that amount");
	ft__count_keep(file, &st, FT__AMOUNT_LINES, 7);
	ok(!ft__amount_of(path, FT__AMOUNT_LINES, file, &lines) && lines == 7,
	   "and used in place of reading");
	ok(put(path, NULL, "a\nb\nc\n", 6) && !ft__amount_of(path, FT__AMOUNT_LINES, file, &lines) &&
		   lines == 3,
	   "a file that changed is read");
	ok(!fstat(file, &st) && st.st_size <= 1 << 20, "%lld bytes for all counts", (long long)st.st_size);
	for (off_t at = 0; at < st.st_size; at += 8)
		if (pwrite(file, "x", 1, at) != 1)
			break;
	ok(!ft__amount_of(path, FT__AMOUNT_LINES, file, &lines) && lines == 3, "damaged counts are none");
	(void)close(file);
	ok(ft__counts_open("/dev/null/x/counts") < 0 && ft__counts_open(NULL) < 0 &&
		   !ft__amount_of(path, FT__AMOUNT_LINES, -1, &lines) && lines == 3,
	   "without a place for them nothing is kept");
	(void)snprintf(path, sizeof path, "rm -r %s", root);
	ok(!system(path), "and away");
}

int main(void)
{
	packed();
	damaged();
	folders();
	sizes();
	counted();
	kept();
	return done();
}
