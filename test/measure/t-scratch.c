/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scratch.c - the space that a run's files take: kept, overwritten, linked, sparse, deleted while open. */
#include "measure/measure.h"
#include "process-test.h"

#include <unistd.h>

#define WAIT "i=0; while [ $i -lt {n} ]; do i=$((i + 1)); sleep 0.1; done"

/* A shell in a folder of its own, which is the run's $TMPDIR. */
static bool open_shell(struct subject *s, const char *shell)
{
	static const char *const none[] = {NULL};

	make(s, "hostile", none);
	s->argv[0] = (char *)(uintptr_t) "sh";
	s->argv[1] = (char *)(uintptr_t) "-c";
	s->argv[2] = (char *)(uintptr_t)shell;
	s->program.argc = 3;
	bool good = !open_subject(s);
	if (!good)
		diag("%s", s->err.text);
	return good;
}

/* tenths: for how long it keeps its files, where it waits */
static double scratch_of(struct subject *s, int tenths)
{
	return run(s, tenths, 60) || last(s)->outcome != FT_DONE ? (double)NAN : value(s, &ft_scratch_bytes);
}

static bool about(double bytes, double mib)
{
	return bytes >= mib * MB && bytes <= mib * MB + 0.2 * MB;
}

static void test_kept(void)
{
	struct subject s;
	double bytes;

	/* What was there before does not count, whatever its size. */
	if (system("head -c 3145728 /dev/zero >\"$TMPDIR/before\"; sleep 0.1"))
		diag("no file could be made");
	if (!open_shell(&s,
			"cd \"$TMPDIR\" && mkdir -p below && head -c 1048576 /dev/zero >one && "
			"ln -f one two && head -c 1048576 /dev/zero >below/three && truncate -s 1G hole && "
			"cat before >/dev/null"))
		return;
	bytes = scratch_of(&s, 1);
	ok(about(bytes, 2), "two files of a MiB, one of two names, and a hole: %.0f", bytes);
	bytes = scratch_of(&s, 1);
	ok(about(bytes, 2), "the next run, which overwrites them, takes as much: %.0f", bytes);
	ok(last(&s)->sample[0].resource && !isnan(value(&s, &ft_wall_s)), "beside the rest");
	unmake(&s);
	/* Times of files come in ticks of up to 10 ms: what is written in the tick of a start counts as the run's. */
	(void)usleep(50000);
	if (!open_shell(&s, "exit 0"))
		return;
	bytes = scratch_of(&s, 1);
	ok(bytes == 0, "one that writes nothing takes none: %g", bytes);
	unmake(&s);
}

/* A look sees the file while it is open; on a busy machine that may take a longer run. */
static void test_deleted(void)
{
	struct subject s;
	double bytes = 0;

	if (!open_shell(&s,
			"cd \"$TMPDIR\" && exec 3>gone && rm gone && head -c 2097152 /dev/zero >&3; " WAIT))
		return;
	for (int i = 0; i < 6 && !about(bytes, 2); i++)
		bytes = scratch_of(&s, 4 << i);
	ok(about(bytes, 2), "a file that is deleted while it is open: %.0f", bytes);
	unmake(&s);
}

/* Others write in a folder of all users: there only what the run had open counts. */
static void test_shared(void)
{
	struct subject s;
	double bytes = 0;

	if (chmod(getenv("TMPDIR"), 01777) ||
	    !open_shell(&s, "exec 3>\"$TMPDIR/open\"; head -c 1048576 /dev/zero >\"$TMPDIR/closed\"; "
			    "head -c 1048576 /dev/zero >&3; " WAIT))
		return;
	for (int i = 0; i < 6 && !(bytes >= MB); i++)
		bytes = scratch_of(&s, 4 << i);
	/* File systems allocate ahead of what is being written. */
	ok(bytes >= MB && bytes < 3 * MB, "what was open, perhaps what was written besides: %.0f", bytes);
	unmake(&s);
}

int main(void)
{
	/* The working folder counts too: not that of all tests, in which others write. */
	(void)temp_path("");
	if (setenv("TMPDIR", temp_folder, 1) || chdir(temp_folder))
		return 99;
	test_kept();
	test_deleted();
	test_shared();
	(void)chmod(temp_folder, 0700);
	(void)!chdir("/");
	temp_remove();
	return done();
}
