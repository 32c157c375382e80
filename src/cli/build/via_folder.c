/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_folder.c - the folder that all machines see: scripts of tasks, and what they leave. */
#include "cli/build/via.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/carry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {"sh",     "db", "end", "out", "plan", "db.part", "db.part-journal",
				      "end.new"};

enum { ENDINGS = sizeof endings / sizeof *endings };

/* ---- the folder itself -------------------------------------------------------------------------------- */

static char *whole_path(const char *path)
{
	char *found = realpath(path, NULL);

	if (!found)
		(void)cli_fail("'%s' has no whole path: %s", path, strerror(errno));
	return found;
}

/* STORE.via/ and a word that is drawn from the name, which may hold anything. */
static char *usual_folder(const struct cli_build *build)
{
	struct ft_machine drawn;
	char *store = whole_path(ft_store_path(build->store)), *above, *folder;

	if (!store)
		return NULL;
	cli_machine_named(build->program.name, &drawn);
	above = cli_printed("%s.via", store);
	folder = cli_printed("%s/%s", above, drawn.fingerprint);
	ft_machine_clear(&drawn);
	free(above);
	free(store);
	return folder;
}

static int make_folder(struct cli_via *via)
{
	const char *asked = via->build->folder;
	char *folder = asked ? cli_strdup(asked) : usual_folder(via->build);
	int status = CLI_DONE;

	if (!folder)
		return CLI_WRONG;
	if (!asked) {
		char *slash = strrchr(folder, '/');

		*slash = '\0';
		(void)mkdir(folder, 0700);
		*slash = '/';
	}
	if (mkdir(folder, 0700) && errno != EEXIST) {
		status = cli_fail("cannot make the folder '%s': %s\n"
				  "hint: choose another one, that all machines see, with --folder DIR",
				  folder, strerror(errno));
	} else {
		via->folder = whole_path(folder);
	}
	free(folder);
	return via->folder ? status : CLI_WRONG;
}

/* Two that take the same files in would count runs twice. */
static int lock_folder(struct cli_via *via)
{
	char *path = cli_folder_path(via, "lock", NULL);
	int status = CLI_DONE;

	via->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (via->lock < 0) {
		status = cli_fail("cannot write '%s': %s", path, strerror(errno));
	} else if (flock(via->lock, LOCK_EX | LOCK_NB)) {
		status = cli_fail("another build of '%s' carries its runs through '%s'\n"
				  "hint: wait for its end, or give this one a --folder DIR of its own",
				  via->build->program.name, via->folder);
		(void)close(via->lock); /* the lock stays the other one's: it is not removed here */
		via->lock = -1;
	}
	free(path);
	return status;
}

static char *own_path(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	if (length < 0)
		return cli_strdup("foretime");
	path[length] = '\0';
	return cli_strdup(path);
}

int cli_folder_open(struct cli_via *via)
{
	via->lock = -1;
	via->self = own_path();
	via->here = getcwd(NULL, 0);
	if (!via->here)
		return cli_fail("this folder has no path any more");
	if (via->build->dry_run) {
		via->folder = via->build->folder ? cli_strdup(via->build->folder) : usual_folder(via->build);
		return via->folder ? CLI_DONE : CLI_WRONG;
	}
	if (make_folder(via) != CLI_DONE)
		return CLI_WRONG;
	return lock_folder(via);
}

void cli_folder_close(struct cli_via *via)
{
	char *slash;

	if (via->folder && via->lock >= 0) {
		char *lock = cli_folder_path(via, "lock", NULL);

		(void)unlink(lock);
		free(lock);
		(void)close(via->lock);
		if (!rmdir(via->folder) && !via->build->folder && (slash = strrchr(via->folder, '/'))) {
			*slash = '\0';
			(void)rmdir(via->folder);
		}
	}
	free(via->folder);
	free(via->here);
	free(via->self);
}

/* ---- names -------------------------------------------------------------------------------------------- */

char *cli_folder_path(const struct cli_via *via, const char *id, const char *ending)
{
	return cli_printed("%s/%s%s%s", via->folder, id, ending ? "." : "", ending ? ending : "");
}

void cli_folder_serial(const struct cli_machines *kind, char serial[CLI_ID])
{
	static unsigned long long last;
	unsigned long long ns = (unsigned long long)ft_clock_real_ns();

	last = ns > last ? ns : last + 1;
	(void)snprintf(serial, CLI_ID, "%s%016llx", kind->word, last);
}

/* "0123456789abcdef0123456789abcdef.7.db" */
static bool is_of_task(const char *name, const char *ending)
{
	size_t hex = strspn(name, "0123456789abcdef"), digits;

	if (hex != 32 || name[hex] != '.')
		return false;
	digits = strspn(name + hex + 1, "0123456789");
	return digits && digits < 10 && name[hex + 1 + digits] == '.' &&
	       !strcmp(name + hex + digits + 2, ending);
}

char **cli_folder_found(const struct cli_via *via, const char *ending, size_t *n)
{
	DIR *dir = opendir(via->folder);
	struct dirent *entry;
	char **found = NULL;

	*n = 0;
	while (dir && (entry = readdir(dir)))
		if (is_of_task(entry->d_name, ending)) {
			found = cli_grow(found, *n, sizeof *found);
			found[(*n)++] = cli_printed("%.*s", (int)(strlen(entry->d_name) - strlen(ending) - 1),
						    entry->d_name);
		}
	if (dir)
		(void)closedir(dir);
	return found;
}

void cli_folder_drop(const struct cli_via *via, const char *id)
{
	size_t i;

	for (i = 0; i < ENDINGS; i++) {
		char *path = cli_folder_path(via, id, endings[i]);

		(void)unlink(path);
		free(path);
	}
}

/* Its digits are those of a task, or of a kind (via_kind.c). */
static bool is_ours(const char *name)
{
	size_t hex = strspn(name, "0123456789abcdef");

	return (hex == 32 && name[hex] == '.') || (hex == 16 && !strncmp(name + hex, ".kind.", 6));
}

void cli_folder_clean(const struct cli_via *via)
{
	DIR *dir = opendir(via->folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_ours(entry->d_name)) {
			char *path = cli_folder_path(via, entry->d_name, NULL);

			(void)unlink(path);
			free(path);
		}
	if (dir)
		(void)closedir(dir);
}

/* ---- scripts ------------------------------------------------------------------------------------------ */

/* Words of a command. Each that is put in is freed with it. */
struct build_words {
	char **word; /* [n] */
	size_t n;
};

static void put_word(struct build_words *words, const char *word)
{
	words->word = cli_grow(words->word, words->n, sizeof *words->word);
	words->word[words->n++] = cli_strdup(word);
}

static void put_option(struct build_words *words, const char *option, const char *value)
{
	if (!value)
		return;
	put_word(words, option);
	put_word(words, value);
}

static void put_seconds(struct build_words *words, double seconds)
{
	char text[40];

	(void)snprintf(text, sizeof text, "%.9gs", seconds);
	if (seconds > 0)
		put_option(words, "--timeout", text);
}

static void put_launch(struct build_words *words, const struct cli_build *build)
{
	const struct cli_probes *probes = &build->probes;
	char threads[24];

	(void)snprintf(threads, sizeof threads, "%zu", build->threads);
	put_option(words, "--threads", build->threads ? threads : NULL);
	put_option(words, "--pin", build->launch.pin);
	put_option(words, "--prepare", build->launch.prepare);
	put_option(words, "--cleanup", build->launch.cleanup);
	put_option(words, "--counters", probes->counters);
	put_option(words, "--energy", probes->energy);
	put_option(words, "--meter", probes->meter);
	put_option(words, "--meter-unit", probes->meter_unit);
	if (probes->instructions)
		put_word(words, "--instructions");
	if (probes->valgrind)
		put_word(words, "--valgrind");
	if (probes->working_set)
		put_word(words, "--working-set");
}

static void put_program(struct build_words *words, const struct ft_program *program,
			const struct ft_size *size)
{
	size_t i;

	for (i = 0; i < program->n_params; i++) {
		char *word = cli_printed("%s=%.17g", program->param[i].name, size->value[i]);

		put_word(words, word);
		free(word);
	}
	put_word(words, "--");
	for (i = 0; i < program->argc; i++)
		put_word(words, program->argv[i]);
}

/* A task without a size only tells which machine it is on. */
static void put_command(struct build_words *words, const struct cli_via *via, const struct cli_task *task)
{
	char *file = cli_folder_path(via, task->id, "db");

	put_word(words, via->self);
	put_word(words, "run");
	put_option(words, "--into", file);
	free(file);
	if (task->size.n) {
		put_seconds(words, task->limit_s);
		put_launch(words, via->build);
		put_program(words, &via->build->program, &task->size);
	} else {
		put_word(words, "--");
		put_word(words, "true");
	}
	words->word = cli_grow(words->word, words->n, sizeof *words->word);
	words->word[words->n] = NULL;
}

/* What cli_folder_recall reads, behind all that sh does. */
static char *with_facts(const char *script, const struct cli_task *task)
{
	char *text = cli_printed("%s# limit %.17g\n", script, task->limit_s);
	size_t i;

	for (i = 0; i < task->size.n; i++) {
		cli_reprint(&text, "%s# size %.17g\n", text, task->size.value[i]);
	}
	return text;
}

int cli_folder_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	bool good = file && fputs(text, file) >= 0;

	if (file)
		good = !fclose(file) && good;
	return good ? CLI_DONE : cli_fail("cannot write '%s': %s", path, strerror(errno));
}

int cli_folder_script(const struct cli_via *via, const struct cli_task *task, char **text)
{
	struct build_words words = {0};
	char *end = cli_folder_path(via, task->id, "end"), *path = cli_folder_path(via, task->id, "sh"),
	     *script = NULL, *whole = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t i;

	put_command(&words, via, task);
	if (ft_carry_piece((const char *const *)words.word, via->here, end, &script, &err))
		status = cli_error(&err);
	else
		whole = with_facts(script, task);
	if (status == CLI_DONE && !text)
		status = cli_folder_write(path, whole);
	if (text) {
		*text = whole;
		whole = NULL;
	}
	for (i = 0; i < words.n; i++)
		free(words.word[i]);
	free(words.word);
	free(whole);
	free(script);
	free(path);
	free(end);
	return status;
}

bool cli_folder_recall(const struct cli_via *via, const char *id, struct cli_task *task)
{
	char *path = cli_folder_path(via, id, "sh"), line[4096];
	FILE *file = fopen(path, "re");
	double value;

	*task = (struct cli_task){.fate = CLI_OUT};
	(void)snprintf(task->id, sizeof task->id, "%s", id);
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "# limit %lf", &value) == 1)
			task->limit_s = value;
		else if (sscanf(line, "# size %lf", &value) == 1 && task->size.n < FT_PARAMS_MAX)
			task->size.value[task->size.n++] = value;
	}
	if (file)
		(void)fclose(file);
	free(path);
	return task->size.n == via->build->program.n_params;
}

/* ---- what they leave ---------------------------------------------------------------------------------- */

int cli_folder_ended(const struct cli_via *via, const char *id)
{
	char *path = cli_folder_path(via, id, "end");
	FILE *file = fopen(path, "re");
	int how = -1;

	if (file) {
		if (fscanf(file, "%d", &how) != 1)
			how = -1;
		(void)fclose(file);
	}
	free(path);
	return how;
}

void cli_folder_last_words(const struct cli_via *via, const char *id, char *text, size_t size)
{
	char *path = cli_folder_path(via, id, "out"), line[512];
	FILE *file = fopen(path, "re");

	*text = '\0';
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line && strncmp(line, "hint: ", 6) != 0)
			(void)snprintf(text, size, "%s", line);
	}
	if (file)
		(void)fclose(file);
	free(path);
}
