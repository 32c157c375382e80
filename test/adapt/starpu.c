/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starpu.c - a program of StarPU whose tasks go where a sched.rec says (as its starpu_replay does), for
 * engines.sh: starpu SCHED.REC. Task i of N waits for task i - 2; prints the number of each as it ends, and
 * its worker. */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 100 };

static struct {
	unsigned long submit, worker, order;
} turn[MOST];
static int turns;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static int read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[300];

	while (file && turns < MOST && fgets(line, sizeof line, file)) {
		if (sscanf(line, "SubmitOrder: %lu", &turn[turns].submit) == 1)
			continue;
		if (sscanf(line, "SpecificWorker: %lu", &turn[turns].worker) == 1)
			continue;
		(void)sscanf(line, "Workerorder: %lu", &turn[turns].order);
		turns += line[0] == '\n';
	}
	if (file)
		(void)fclose(file);
	return turns;
}

static void work(void *buffers[], void *argument)
{
	(void)buffers;
	(void)usleep(3000);
	(void)starpu_pthread_mutex_lock(&lock);
	printf("%ld %d\n", (long)(intptr_t)argument, starpu_worker_get_id());
	(void)starpu_pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
	static struct starpu_codelet codelet = {.cpu_funcs = {work}, .name = "work"};
	struct starpu_task *task[MOST] = {0};

	if (argc != 2 || !read_file(argv[1]) || starpu_init(NULL))
		return 2;
	for (int i = 0; i < turns; i++) {
		task[i] = starpu_task_create();
		task[i]->cl = &codelet;
		task[i]->cl_arg = (void *)(intptr_t)(i + 1);
		for (int k = 0; k < turns; k++)
			if (turn[k].submit == (unsigned long)i + 1) {
				task[i]->execute_on_a_specific_worker = 1;
				task[i]->workerid = (unsigned)turn[k].worker;
				task[i]->workerorder = (unsigned)turn[k].order;
			}
		if (i >= 2)
			starpu_task_declare_deps_array(task[i], 1, &task[i - 2]);
	}
	for (int i = 0; i < turns; i++)
		if (starpu_task_submit(task[i]))
			return 2;
	(void)starpu_task_wait_for_all();
	starpu_shutdown();
	return 0;
}
