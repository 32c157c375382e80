/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-own-group.c - the control group of a helper: made, read, left, and what a killed helper leaves. */
#include "tap.h"
#include "temp.h"

#include "measure/gauge.h"
#include "measure/measure.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char first[] = "cache 1\nrss 5\nshmem 7\ntotal_cache 1\ntotal_rss 4096\ntotal_shmem 8192\n",
		  second[] = "anon 4096\nfile 1\nkernel 1\nshmem 8192\nanon_thp 3\nshmem_thp 5\n";

/* Files of a group that we shall be in, as a kernel makes them. */
static void put_files(const char *stat, const char *members)
{
	char name[64], path[128];

	(void)mkdir(temp_path("around"), 0755);
	(void)snprintf(name, sizeof name, "around/foretime-%d-runs", (int)getpid());
	(void)nftw(temp_path(name), temp_remove_one, 8, FTW_DEPTH | FTW_PHYS);
	(void)mkdir(temp_path(name), 0755);
	(void)snprintf(path, sizeof path, "%s/memory.stat", name);
	if (stat)
		(void)temp_write(temp_path(path), stat, 0644);
	(void)snprintf(path, sizeof path, "%s/%s", name,
		       strcmp(members, "tasks") ? "memory.events" : "memory.oom_control");
	(void)temp_write(temp_path(path),
			 strcmp(members, "tasks") ? "low 0\noom 9\noom_kill 3\noom_group_kill 7\n"
						  : "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
			 0644);
	(void)snprintf(path, sizeof path, "%s/%s", name, members);
	(void)temp_write(temp_path(path), "", 0644);
}

static void test_versions(void)
{
	struct ft__own_group group;
	struct ft__group_memory memory;

	ft__own_group_open(&group, NULL);
	ok(!group.there && !ft__own_group_read(&group, &memory), "none is wished");
	ft__own_group_close(&group);
	ft__own_group_open(&group, "/nonesuch");
	ok(!group.there, "there is none around");
	put_files(first, "tasks");
	ft__own_group_open(&group, temp_path("around"));
	ok(group.there && !group.second && ft__own_group_read(&group, &memory) && memory.anon_bytes == 4096 &&
		   memory.shmem_bytes == 8192,
	   "version 1: what is below the group counts");
	ok(ft__own_group_kills(&group) == 2, "and whom the kernel killed");
	ft__own_group_close(&group);
	ft__own_group_close(&group);
	ok(!group.there && !ft__own_group_read(&group, &memory) && !ft__own_group_kills(&group),
	   "closed, also twice");
	put_files(second, "cgroup.procs");
	ft__own_group_open(&group, temp_path("around"));
	ok(group.there && group.second && ft__own_group_read(&group, &memory) && memory.anon_bytes == 4096 &&
		   memory.shmem_bytes == 8192,
	   "version 2");
	ok(ft__own_group_kills(&group) == 3, "and those of it");
	ft__own_group_close(&group);
	put_files(NULL, "cgroup.procs");
	ft__own_group_open(&group, temp_path("around"));
	ok(!group.there, "a group without the controller is none");
}

/* The group of a recorded machine, and one that a helper left which was killed. */
static void test_found(void)
{
	char root[128], folder[PATH_MAX], left[160], ours[160];
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
	(void)snprintf(root, sizeof root, "%s", temp_path("m"));
	ok(!ft__cgroups_own(root, "memory", folder), "no machine, no group");
	(void)mkdir(root, 0755);
	(void)mkdir(temp_path("m/proc"), 0755);
	(void)mkdir(temp_path("m/proc/self"), 0755);
	(void)temp_write(temp_path("m/proc/self/cgroup"), "5:cpu:/a\n4:memory:/a/b\n0::/c\n", 0644);
	ok(!ft__cgroups_own(root, "memory", folder), "a group that is not to be seen");
	(void)mkdir(temp_path("m/sys"), 0755);
	(void)mkdir(temp_path("m/sys/fs"), 0755);
	(void)mkdir(temp_path("m/sys/fs/cgroup"), 0755);
	(void)mkdir(temp_path("m/sys/fs/cgroup/memory"), 0755);
	(void)mkdir(temp_path("m/sys/fs/cgroup/memory/a"), 0755);
	ok(!ft__cgroups_own(root, "memory", folder), "the one around it is not taken for it");
	(void)mkdir(temp_path("m/sys/fs/cgroup/memory/a/b"), 0755);
	(void)snprintf(left, sizeof left, "%s/foretime-%d-runs", temp_path("m/sys/fs/cgroup/memory/a/b"),
		       (int)pid);
	(void)snprintf(ours, sizeof ours, "%s/foretime-%d-runs", temp_path("m/sys/fs/cgroup/memory/a/b"),
		       (int)getpid());
	(void)mkdir(left, 0755);
	(void)mkdir(ours, 0755);
	ok(ft__cgroups_own(root, "memory", folder) && strstr(folder, "/memory/a/b"), "version 1: %s", folder);
	ok(access(left, F_OK) && !access(ours, F_OK), "what a helper that is gone left is removed, no other");
	(void)temp_write(temp_path("m/proc/self/cgroup"), "0::/c/foretime-7-build\n", 0644);
	(void)mkdir(temp_path("m/sys/fs/cgroup/c"), 0755);
	(void)mkdir(temp_path("m/sys/fs/cgroup/c/foretime-7-build"), 0755);
	ok(!ft__cgroups_own(root, "memory", folder), "nothing goes into a group that another foretime made");
	(void)temp_write(temp_path("m/proc/self/cgroup"), "0::/c\n", 0644);
	ok(ft__cgroups_own(root, "memory", folder) && strstr(folder, "/cgroup/c"), "version 2: %s", folder);
}

/* The kernel's own, where this user may make one. */
static void test_here(void)
{
	char folder[PATH_MAX], line[PATH_MAX] = "", *name;
	struct ft__own_group group;
	struct ft__group_memory before, after;
	size_t size = 64 << 20;
	volatile char *touched; /* so that what is written there is written */
	bool good;
	FILE *file;

	if (!ft__cgroups_own("", "memory", folder)) {
		skip("a group here", "this user may make none");
		return;
	}
	ft__own_group_open(&group, folder);
	if (!group.there) {
		skip("a group here", "this kernel gives it none of memory");
		return;
	}
	file = fopen("/proc/self/cgroup", "r");
	while (file && fgets(line, sizeof line, file) && !strstr(line, group.name))
		continue;
	if (file)
		(void)fclose(file);
	ok(strstr(line, group.name) != NULL, "we are in it: %s", line);
	/* Pages of the kernel, mapped before the first reading: an allocator adds memory of its own, and the
	 * address sanitizer's writes 8 MiB of shadow for 64 MiB. */
	touched = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ok(ft__own_group_read(&group, &before), "its memory is read");
	for (size_t i = 0; touched != MAP_FAILED && i < size; i += 4096)
		touched[i] = 1;
	good = ft__own_group_read(&group, &after);
	ok(good && near((double)(after.anon_bytes - before.anon_bytes), (double)size, 0.02),
	   "64 MiB are seen: %llu", (unsigned long long)(after.anon_bytes - before.anon_bytes));
	if (touched != MAP_FAILED)
		(void)munmap((void *)(uintptr_t)touched, size);
	(void)snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/%s", group.name);
	name = folder;
	ft__own_group_close(&group);
	ok(access(name, F_OK), "it goes when it is closed");
}

int main(void)
{
	test_versions();
	test_found();
	test_here();
	temp_remove();
	return done();
}
