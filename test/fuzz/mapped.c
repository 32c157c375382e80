/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mapped.c - a file that every input changes. */
#include "made.h"
#include "mapped.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = FUZZ_MAPPED_MOST, PAGE = 4096 };

static struct {
	int fd;
	uint8_t *map;  /* of the file */
	size_t length; /* of the beginning */
	size_t now;    /* when it was looked at */
	uint8_t base[MOST];
	uint8_t seen[MOST]; /* when it was looked at; base where nothing was */
} file;

static void give_up(const char *what)
{
	perror(what);
	exit(99);
}

static size_t length_of_file(void)
{
	struct stat info;

	if (fstat(file.fd, &info))
		give_up("fstat");
	return info.st_size < MOST ? (size_t)info.st_size : MOST;
}

static size_t page_at(size_t at, size_t length)
{
	return length - at < PAGE ? length - at : PAGE;
}

int fuzz_mapped_begin(const char *path)
{
	file.fd = open(path, O_RDWR | O_CLOEXEC);
	if (file.fd < 0)
		give_up(path);
	file.map = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
	if (file.map == MAP_FAILED)
		give_up(path);
	file.length = file.now = length_of_file();
	memcpy(file.base, file.map, file.length);
	memcpy(file.seen, file.map, file.length);
	return file.fd;
}

void fuzz_mapped_restore(void)
{
	size_t n;

	if (ftruncate(file.fd, (off_t)file.length))
		give_up("ftruncate");
	for (size_t at = 0; at < file.length; at += n) {
		n = page_at(at, file.length);
		if (memcmp(file.map + at, file.base + at, n) != 0)
			memcpy(file.map + at, file.base + at, n);
	}
}

/* Eight bytes at once. */
static uint64_t mix_page(uint64_t hash, const uint8_t *byte, size_t n)
{
	for (; n >= 8; byte += 8, n -= 8) {
		uint64_t word;

		memcpy(&word, byte, sizeof word);
		hash = (hash ^ word) * 0x100000001b3;
		hash = hash << 23 | hash >> 41;
	}
	return fuzz_mix(hash, byte, n);
}

uint64_t fuzz_mapped_look(bool *whole)
{
	uint64_t hash = FUZZ_MIX;
	size_t n;

	file.now = length_of_file();
	*whole = file.now < MOST;
	for (size_t at = 0; at < file.now; at += n) {
		n = page_at(at, file.now);
		if (memcmp(file.map + at, file.seen + at, n) != 0)
			memcpy(file.seen + at, file.map + at, n);
		if (at + n > file.length || memcmp(file.seen + at, file.base + at, n) != 0)
			hash = mix_page(hash ^ at, file.seen + at, n);
	}
	return hash ^ file.now;
}

bool fuzz_mapped_is_same(void)
{
	return length_of_file() == file.now && memcmp(file.map, file.seen, file.now) == 0;
}
