/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts.c - how many bytes, lines or records a file holds once it is unpacked, where no header states it: the file
 * is read to its end, and the count kept, so that thirty rules over the same reads, or the same import tomorrow, read
 * it once.
 *
 * Source: SAM and BAM specification 1.3, 4.2; VCF 4.3, 1.2; FASTA and FASTQ as Cock et al., Nucleic Acids Res. 38
 * (2010), write them: four lines a record of FASTQ. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/command.h"
#include "base/input.h"
#include "base/text.h"
#include "foretime/base.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what the bytes hold ------------------------------------------------------------------------------ */

/* How many bytes at the beginning the kind of a file is recognised by. */
enum { SEEN = 4 };

/* What is counted: bytes, lines, lines that begin with a character, or that do not, fourths of lines, or BAM's own
 * records. */
enum kind { NOT_SEEN, BYTES, LINES, MARKED, UNMARKED, FOURS, BINARY, NO_KIND };

/* Where in a BAM file the next number of four bytes stands. */
enum place { MAGIC, TEXT, REFERENCES, REFERENCE, RECORD };

struct counting {
	enum ft__amount amount;
	enum kind kind;
	char mark; /* MARKED, UNMARKED */
	char begin[SEEN];
	size_t n_begin;
	uint64_t n, lines;
	char last; /* byte of the file; 0: there was none */
	/* BINARY: bytes to be passed over, then a number, of which some bytes are there. */
	enum place place;
	uint64_t skip, references;
	unsigned char number[4];
	size_t n_number;
};

/* By its first bytes. */
static enum kind kind_of(struct counting *count)
{
	const char *begin = count->begin;

	if (count->amount != FT__AMOUNT_RECORDS)
		return count->amount == FT__AMOUNT_LINES ? LINES : BYTES;
	if (!memcmp(begin, "BAM\1", SEEN))
		return BINARY;
	count->mark = *begin;
	if (*begin == '>')
		return MARKED;
	/* A header of SAM: @HD, @SQ ... and a tab. Names of its records begin with no @. */
	if (*begin == '@')
		return count->n_begin == SEEN && isupper((unsigned char)begin[1]) &&
				       isupper((unsigned char)begin[2]) && begin[3] == '\t'
			       ? UNMARKED
			       : FOURS;
	return *begin == '#' ? UNMARKED : NO_KIND;
}

/* The bytes of a BAM file: whichever number ends here states how many bytes are to be passed over. */
static bool take_binary(struct counting *count, const char *bytes, size_t n)
{
	for (size_t at = 0; at < n;) {
		if (count->skip) {
			size_t some = count->skip < n - at ? (size_t)count->skip : n - at;

			at += some;
			count->skip -= some;
			continue;
		}
		count->number[count->n_number++] = (unsigned char)bytes[at++];
		if (count->n_number < sizeof count->number)
			continue;
		count->n_number = 0;
		uint64_t number = count->number[0] | (uint64_t)count->number[1] << 8 |
				  (uint64_t)count->number[2] << 16 | (uint64_t)count->number[3] << 24;
		if (number >> 31 && count->place != MAGIC)
			return false;
		switch (count->place) {
		case MAGIC:
			count->place = TEXT;
			break;
		case TEXT:
			count->skip = number;
			count->place = REFERENCES;
			break;
		case REFERENCES:
			count->references = number;
			count->place = number ? REFERENCE : RECORD;
			break;
		case REFERENCE: /* its name, and its length */
			count->skip = number + 4;
			count->place = --count->references ? REFERENCE : RECORD;
			break;
		case RECORD:
		default:
			count->skip = number;
			count->n++;
		}
	}
	return true;
}

static bool take(void *own, const char *bytes, size_t n)
{
	struct counting *count = own;
	const char *at = bytes, *end = bytes + n;
	bool begins = !count->last || count->last == '\n';

	while (count->n_begin < SEEN && count->n_begin < n && !count->kind)
		count->begin[count->n_begin] = bytes[count->n_begin], count->n_begin++;
	if (!count->kind)
		count->kind = kind_of(count);
	count->last = end[-1];
	if (count->kind == BINARY)
		return take_binary(count, bytes, n);
	count->n += count->kind == BYTES ? n : 0;
	if (count->kind == NO_KIND || count->kind == BYTES)
		return count->kind == BYTES;
	while (at < end) {
		count->n += begins && (*at == count->mark) == (count->kind == MARKED) && *at != '\n';
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			break;
		at++;
		count->lines++;
		begins = true;
	}
	return true;
}

/* Once all was read; NULL: *value is the count. */
static const char *ended(struct counting *count, uint64_t *value)
{
	uint64_t lines = count->lines + (count->last && count->last != '\n');

	*value = count->n;
	if (count->kind == LINES)
		*value = lines;
	if (count->kind == FOURS) {
		*value = lines / 4;
		return lines % 4 ? "a record of FASTQ has not four lines; write lines: for its lines" : NULL;
	}
	return count->kind == BINARY && (count->skip || count->n_number || count->place != RECORD)
		       ? FT__DAMAGED
		       : NULL;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* The tools of zstd and xz unpack what zlib does not: they read our open file, and write into a pipe. */
static const char *read_by(const char *tool, int fd, struct counting *count)
{
	char theirs[64], output[64];
	const char *const words[] = {tool, "-dcqf", theirs, NULL};
	int ends[2], status = -1;

	if (pipe2(ends, O_CLOEXEC))
		return strerror(errno);
	(void)snprintf(theirs, sizeof theirs, "/proc/%d/fd/%d", (int)getpid(), fd);
	(void)snprintf(output, sizeof output, "/proc/%d/fd/%d", (int)getpid(), ends[1]);
	pid_t pid = ft__command_begin(words, output);
	int number = errno;
	(void)close(ends[1]);
	bool good = pid > 0 && ft__gzip_each(ends[0], take, count);
	(void)close(ends[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0)
		return number == ENOENT
			       ? "it is packed, and the tool zstd or xz that unpacks it is not installed"
			       : strerror(number);
	return good && status == 0 ? NULL : FT__DAMAGED;
}

const char *ft__count_of(int fd, const char *tool, enum ft__amount amount, uint64_t *value)
{
	struct counting count = {.amount = amount};
	const char *why = NULL;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return strerror(errno);
	if (tool)
		why = read_by(tool, fd, &count);
	else if (!ft__gzip_each(fd, take, &count))
		why = FT__DAMAGED;
	if (count.kind == NO_KIND)
		return "its records are of no format that is counted (FASTA, FASTQ, SAM, BAM, VCF); write "
		       "lines: "
		       "for its lines";
	return why ? why : ended(&count, value);
}

/* ---- counts that are kept ----------------------------------------------------------------------------- */

/*
 * A file of so many places: each file has one, by its key, and whichever came last has it. Nothing is ever moved
 * or grows, so that several may read and write at once: what was torn fails its checksum, and is counted again.
 */
enum { PLACES = 1 << 14 };

struct kept {
	uint64_t device, inode, changed_ns, length, amount, value, check;
};

static uint64_t check_of(const struct kept *kept)
{
	return ft_hash_bytes(FT_HASH_START, kept, offsetof(struct kept, check));
}

static off_t place_of(const struct kept *kept)
{
	uint64_t hash = ft_hash_bytes(FT_HASH_START, kept, offsetof(struct kept, value));

	return (off_t)(hash % PLACES * sizeof *kept);
}

static struct kept key_of(const struct stat *st, enum ft__amount amount)
{
	return (struct kept){
		.device = (uint64_t)st->st_dev,
		.inode = (uint64_t)st->st_ino,
		.changed_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000U + (uint64_t)st->st_mtim.tv_nsec,
		.length = (uint64_t)st->st_size,
		.amount = (uint64_t)amount,
	};
}

bool ft__count_kept(int counts, const struct stat *st, enum ft__amount amount, uint64_t *value)
{
	struct kept key = key_of(st, amount), kept;

	if (counts < 0 || pread(counts, &kept, sizeof kept, place_of(&key)) != (ssize_t)sizeof kept ||
	    memcmp(&kept, &key, offsetof(struct kept, value)) != 0 || kept.check != check_of(&kept))
		return false;
	*value = kept.value;
	return true;
}

void ft__count_keep(int counts, const struct stat *st, enum ft__amount amount, uint64_t value)
{
	struct kept kept = key_of(st, amount);

	kept.value = value;
	kept.check = check_of(&kept);
	if (counts >= 0) /* where it cannot be written, it is counted again */
		(void)!pwrite(counts, &kept, sizeof kept, place_of(&kept));
}

int ft__counts_open(const char *path)
{
	char *folder = path ? ft_strdup(path) : NULL;

	for (char *slash = folder ? strchr(folder + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(folder, 0700);
		*slash = '/';
	}
	ft_free(folder);
	return path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600) : -1;
}
