/* SPDX-License-Identifier: GPL-3.0-or-later */
/* length.c - how large the input of a run was: the bytes of a file or a folder, packed or unpacked, their files, lines
 * and records.
 *
 * The length of packed data is taken from the file where it says so for certain: BGZF by its blocks, zstd by
 * its frames, xz by its indexes. The last four bytes of a gzip file are those of its last member alone, modulo
 * 2^32, and so it is unpacked and counted, as are lines and records (counts.c).
 *
 * Source: RFC 1952 (gzip), RFC 8878 (zstd), SAM specification 4.1 (BGZF), the .xz file format 1.2. */
#include "adapt/adapt.h"
#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file whose length is looked for. */
struct packed {
	int fd;
	uint64_t length;
};

static bool read_at(const struct packed *file, uint64_t at, void *bytes, size_t n)
{
	return at <= file->length && n <= file->length - at &&
	       pread(file->fd, bytes, n, (off_t)at) == (ssize_t)n;
}

/* A number of n bytes, the least first. */
static uint64_t little(const unsigned char *bytes, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

/* ---- gzip and BGZF ------------------------------------------------------------------------------------ */

/* Whether a block of BGZF begins at a place: its size is in a field of its header. 0: none. */
static uint64_t bgzf_block(const struct packed *file, uint64_t at)
{
	unsigned char head[18];

	if (!read_at(file, at, head, sizeof head) || head[0] != 0x1f || head[1] != 0x8b || !(head[3] & 4) ||
	    head[12] != 'B' || head[13] != 'C' || little(head + 14, 2) != 2)
		return 0;
	return little(head + 16, 2) + 1;
}

/* The lengths of all blocks; false: it is not of BGZF from beginning to end. */
static bool bgzf_length(const struct packed *file, uint64_t *sum)
{
	unsigned char last[4];
	uint64_t at = 0, block;

	for (*sum = 0; at < file->length; at += block) {
		block = bgzf_block(file, at);
		if (block < 26 || !read_at(file, at + block - 4, last, sizeof last))
			return false;
		*sum += little(last, 4);
	}
	return at == file->length;
}

/* ---- zstd --------------------------------------------------------------------------------------------- */

/* The end of a frame's blocks, from the first one on; 0: damaged. */
static uint64_t zstd_blocks(const struct packed *file, uint64_t at)
{
	unsigned char head[3];

	for (;;) {
		if (!read_at(file, at, head, sizeof head))
			return 0;
		uint64_t block = little(head, 3), type = block >> 1 & 3;

		if (type == 3)
			return 0;
		at += sizeof head + (type == 1 ? 1 : block >> 3);
		if (block & 1)
			return at;
	}
}

static const char not_stated[] = "its zstd frame does not state a length";

/* A frame at a place: what it holds is added, and *at moves behind it. */
static const char *zstd_frame(const struct packed *file, uint64_t *at, uint64_t *sum)
{
	static const unsigned dictionary[] = {0, 1, 2, 4}, content[] = {0, 2, 4, 8};
	unsigned char head[18];
	uint64_t left = file->length - *at;

	memset(head, 0, sizeof head);
	if (!read_at(file, *at, head, left < sizeof head ? (size_t)left : sizeof head) || left < 8)
		return FT__DAMAGED;
	uint64_t magic = little(head, 4);
	if (magic >> 4 == 0x184D2A5) { /* to be skipped */
		*at += 8 + little(head + 4, 4);
		return *at <= file->length ? NULL : FT__DAMAGED;
	}
	if (magic != 0xFD2FB528)
		return FT__DAMAGED;
	unsigned descriptor = head[4], single = descriptor >> 5 & 1, size = content[descriptor >> 6];
	size = single && !size ? 1 : size;
	size_t where = 5U + (single ? 0U : 1U) + dictionary[descriptor & 3];
	if (!size)
		return not_stated;
	*sum += little(head + where, size) + (size == 2 ? 256 : 0);
	*at = zstd_blocks(file, *at + where + size);
	if (!*at)
		return FT__DAMAGED;
	*at += descriptor & 4; /* a checksum */
	return *at <= file->length ? NULL : FT__DAMAGED;
}

/* ---- xz ----------------------------------------------------------------------------------------------- */

/* An integer of seven bits a byte; false: damaged. */
static bool xz_integer(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < 9 && *at < end; i++) {
		unsigned char byte = *(*at)++;

		*value |= (uint64_t)(byte & 0x7f) << 7 * i;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The index of a stream: how long its blocks are, packed and not. */
static bool xz_index(const unsigned char *at, const unsigned char *end, uint64_t *packed, uint64_t *sum)
{
	uint64_t records, one, bytes;

	*packed = 0;
	if (at == end || *at++ != 0 || !xz_integer(&at, end, &records))
		return false;
	for (; records; records--) {
		if (!xz_integer(&at, end, &one) || !xz_integer(&at, end, &bytes) || one > INT64_MAX / 4)
			return false;
		*packed += (one + 3) & ~(uint64_t)3;
		*sum += bytes;
	}
	return true;
}

/* The stream that ends at a place: what it holds is added, and *end moves before it. */
static bool xz_stream(const struct packed *file, uint64_t *end, uint64_t *sum)
{
	enum { HEAD = 12, INDEX_MOST = 64 << 20 };
	unsigned char foot[HEAD];
	uint64_t packed;

	if (*end < (uint64_t)2 * HEAD || !read_at(file, *end - HEAD, foot, HEAD) ||
	    memcmp(foot + 10, "YZ", 2) != 0)
		return false;
	uint64_t size = 4 * (little(foot + 4, 4) + 1);
	if (size > INDEX_MOST || size + (uint64_t)2 * HEAD > *end)
		return false;
	unsigned char *index = ft_malloc((size_t)size);
	bool good = index && read_at(file, *end - HEAD - size, index, (size_t)size) &&
		    xz_index(index, index + size - 4, &packed, sum);
	ft_free(index);
	if (!good || packed > *end || packed + size + (uint64_t)2 * HEAD > *end)
		return false;
	*end -= packed + size + (uint64_t)2 * HEAD;
	return true;
}

static const char *xz_length(const struct packed *file, uint64_t *sum)
{
	static const unsigned char padding[4];
	unsigned char four[4];
	uint64_t end = file->length;

	for (*sum = 0; end;) {
		if (end >= 4 && read_at(file, end - 4, four, 4) && !memcmp(four, padding, 4))
			end -= 4;
		else if (!xz_stream(file, &end, sum))
			return FT__DAMAGED;
	}
	return NULL;
}

/* ---- a file, a folder --------------------------------------------------------------------------------- */

/* By its first bytes, whatever it is called: how it is packed, and what is read of it without unpacking. */
static const char *packed_amount(const struct packed *file, enum ft__amount amount, uint64_t *sum, bool *read)
{
	unsigned char head[6] = {0};
	const char *why = NULL, *tool = NULL;
	bool bytes = amount == FT__AMOUNT_UNPACKED;

	*sum = file->length;
	*read = false;
	if (!read_at(file, 0, head, file->length < 6 ? (size_t)file->length : 6))
		return "it cannot be read";
	if (head[0] == 0x1f && head[1] == 0x8b) {
		if (bytes && bgzf_length(file, sum))
			return NULL;
	} else if (little(head, 4) == 0xFD2FB528 || little(head, 4) >> 4 == 0x184D2A5) {
		uint64_t at = 0;

		tool = "zstd";
		for (*sum = 0; bytes && at < file->length && !why;)
			why = zstd_frame(file, &at, sum);
		if (bytes && why != not_stated)
			return why;
	} else if (!memcmp(head,
			   "\xfd"
			   "7zXZ\0",
			   6)) {
		if (bytes)
			return xz_length(file, sum);
		tool = "xz";
	} else if (!memcmp(head, "BZh", 3))
		tool = "bzip2";
	else if (bytes)
		return NULL;
	*read = true;
	return ft__count_of(file->fd, tool, amount, sum);
}

/* What is looked for, in a folder and below it. */
struct walk {
	enum ft__amount amount;
	int counts;
	double value;
};

enum { DEEP_MOST = 32 };

static const char *path_amount(struct walk *walk, int folder, const char *name, size_t deep);

/* Links within a folder are passed over: what they name is elsewhere, or counted. */
static const char *folder_amount(struct walk *walk, int fd, size_t deep)
{
	DIR *folder = fdopendir(fd);
	const char *why = NULL;
	struct dirent *each;

	if (!folder) {
		(void)close(fd);
		return strerror(errno);
	}
	while (!why && (each = readdir(folder)))
		if (strcmp(each->d_name, ".") != 0 && strcmp(each->d_name, "..") != 0)
			why = path_amount(walk, dirfd(folder), each->d_name, deep + 1);
	(void)closedir(folder);
	return why;
}

static const char *path_amount(struct walk *walk, int folder, const char *name, size_t deep)
{
	struct stat st;

	if (fstatat(folder, name, &st, deep ? AT_SYMLINK_NOFOLLOW : 0))
		return strerror(errno);
	if (S_ISREG(st.st_mode)) {
		/* One file in an open folder, or by its path. */
		struct packed file = {.length = (uint64_t)st.st_size};
		uint64_t sum = file.length;
		const char *why = NULL;
		bool read = false;

		if (walk->amount != FT__AMOUNT_BYTES && walk->amount != FT__AMOUNT_FILES &&
		    !ft__count_kept(walk->counts, &st, walk->amount, &sum)) {
			file.fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
			if (file.fd < 0)
				return strerror(errno);
			why = packed_amount(&file, walk->amount, &sum, &read);
			(void)close(file.fd);
			if (!why && read)
				ft__count_keep(walk->counts, &st, walk->amount, sum);
		}
		walk->value += walk->amount == FT__AMOUNT_FILES ? 1 : (double)sum;
		return why;
	}
	if (!S_ISDIR(st.st_mode))
		return deep ? NULL : "Not a plain file";
	if (deep == DEEP_MOST)
		return "its folders are too deep";
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | (deep ? O_NOFOLLOW : 0));
	return fd < 0 ? strerror(errno) : folder_amount(walk, fd, deep);
}

const char *ft__amount_of(const char *path, enum ft__amount amount, int counts, double *value)
{
	struct walk walk = {.amount = amount, .counts = counts};
	const char *why = path_amount(&walk, AT_FDCWD, path, 0);

	*value = walk.value;
	return why;
}
