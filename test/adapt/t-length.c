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

	*why = ft__amount_of(data_path(name), FT__AMOUNT_UNPACKED, &value);
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
	ok(isnan(unpacked("packed/stream.zst", &why)) && strstr(why, "does not state"),
	   "a frame of zstd that does not state its length: %s", why);
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
			refused += ft__amount_of(path, FT__AMOUNT_UNPACKED, &value) != NULL;
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
	ok(!system(path) && !ft__amount_of(root, FT__AMOUNT_BYTES, &bytes) && bytes == 8 &&
		   !ft__amount_of(root, FT__AMOUNT_FILES, &files) && files == 2,
	   "the files of a folder and those below it, without links");
	(void)snprintf(path, sizeof path, "%s/d", root);
	ok(!ft__amount_of(path, FT__AMOUNT_BYTES, &bytes) && bytes == 5, "a link that is named itself");
	why = ft__amount_of("/dev/null", FT__AMOUNT_BYTES, &bytes);
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
	ok(!parse(&import, "f,g,wall_s\na.bgz,.,1\na.xz,a.xz,2\nstream.zst,.,3\n", &options, &err) &&
		   import.runs == 2 && size_of(import.part, 0, 0) == holds &&
		   size_of(import.part, 0, 2) == 8 && size_of(import.part, 1, 2) == 1 &&
		   import.passed[FT_PASSED_FILE] == 1 && strstr(import.missing, "does not state"),
	   "--size n=unpacked:, n=file:, n=files: %s %s", err.text, import.missing);
	ft_import_clear(&import);
}

int main(void)
{
	packed();
	damaged();
	folders();
	sizes();
	return done();
}
