/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-inputs.c - how far a program is in its input files, as seen from outside. */
#include "measure/door.h"
#include "tap.h"
#include "temp.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static bool make_file(const char *name, size_t bytes)
{
	FILE *file = fopen(temp_path(name), "we");
	bool good = file && !ftruncate(fileno(file), (off_t)bytes);

	return file && !fclose(file) && good;
}

/* This process, seen from outside. */
static void test_positions(void)
{
	struct ft_inputs *in;
	struct ft_inputs_look at;
	char block[4096];

	if (!ok(make_file("in", 400000) && make_file("small", 5000) &&
			!ft_inputs_open(&in, "", getpid(), NULL),
		"opened"))
		return;
	ft_inputs_look(in, &at);
	ok(at.alive && at.total == 0, "no input: %g of %g", at.read, at.total);
	int file = open(temp_path("in"), O_RDONLY | O_CLOEXEC),
	    small = open(temp_path("small"), O_RDONLY | O_CLOEXEC),
	    out = open(temp_path("out"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	(void)!write(out, block, sizeof block);
	(void)lseek(file, 100000, SEEK_SET);
	ft_inputs_look(in, &at);
	ok(at.read == 100000 && at.total == 400000, "a quarter, without small files and outputs: %g of %g",
	   at.read, at.total);
	ok(isnan(at.input_bytes) || at.input_bytes > 0, "and what it read: %g", at.input_bytes);
	(void)lseek(file, 50000, SEEK_SET);
	ft_inputs_look(in, &at);
	ok(at.read == 50000, "a position that goes back: %g", at.read);
	(void)close(file);
	ft_inputs_look(in, &at);
	ok(at.read == 400000, "what was read and is closed is done: %g", at.read);
	ok(ft_inputs_since_s(in) >= 0, "since %g s", ft_inputs_since_s(in));
	(void)close(small);
	(void)close(out);
	ft_inputs_close(in);
	ft_inputs_close(NULL);
}

/* A child's input is its parent's, too; an argument that will be read later belongs to the whole. */
static void test_tree(void)
{
	struct ft_inputs *in;
	struct ft_inputs_look at = {0};
	int ends[2], ready[2], status;
	char byte;

	(void)make_file("first", 100000);
	(void)make_file("later", 300000);
	if (pipe(ends) || pipe(ready))
		return;
	pid_t pid = fork();
	if (!pid) {
		(void)dup2(ends[0], 3);
		(void)dup2(ready[1], 4);
		(void)execlp(
			"sh", "sh", "-c",
			"exec 5<\"$1\"; head -c 100000 <&5 >/dev/null; (echo x >&4; read line <&3); exit 0",
			"sh", temp_path("first"), temp_path("later"), NULL);
		_exit(127);
	}
	(void)!read(ready[0], &byte, 1);
	ok(!ft_inputs_open(&in, "", pid, NULL), "opened");
	ft_inputs_look(in, &at);
	ok(at.read == 100000 && at.total == 400000, "%g of %g", at.read, at.total);
	ok(isnan(at.cpu_s) || at.cpu_s > 0, "processor time: %g", at.cpu_s);
	(void)!write(ends[1], "\n", 1);
	(void)close(ends[1]);
	(void)waitpid(pid, &status, 0);
	ft_inputs_look(in, &at);
	ok(!at.alive && isnan(ft_inputs_since_s(in)), "it is gone");
	ft_inputs_close(in);
	(void)close(ends[0]);
	(void)close(ready[0]);
	(void)close(ready[1]);
}

/* Damaged files of /proc are no positions. */
static void test_recorded(void)
{
	struct ft_inputs *in;
	struct ft_inputs_look at;
	char root[256];

	(void)temp_path("");
	(void)snprintf(root, sizeof root, "%s", temp_folder);
	(void)mkdir(temp_path("proc"), 0700);
	(void)mkdir(temp_path("proc/7"), 0700);
	(void)temp_write(temp_path("proc/7/stat"), "7 (a) b) S 1", 0600);
	(void)temp_write(temp_path("proc/7/io"), "rchar: many\n", 0600);
	ok(!ft_inputs_open(&in, root, 7, NULL), "opened");
	ft_inputs_look(in, &at);
	ok(at.alive && at.total == 0 && isnan(at.input_bytes) && isnan(at.cpu_s), "nothing is known");
	ok(isnan(ft_inputs_since_s(in)), "nor since when");
	(void)temp_write(temp_path("proc/7/stat"), "7 (a) b) Z 1", 0600);
	ft_inputs_look(in, &at);
	ok(!at.alive, "a zombie is gone");
	ft_inputs_close(in);
	ok(!ft_inputs_open(&in, root, 8, NULL), "opened");
	ft_inputs_look(in, &at);
	ok(!at.alive, "one that there is not");
	ft_inputs_close(in);
}

int main(void)
{
	test_positions();
	test_tree();
	test_recorded();
	temp_remove();
	return done();
}
