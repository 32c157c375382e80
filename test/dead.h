/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dead.h - a file system that answers nobody: one of FUSE's whose requests nobody reads. Only this process
 * sees it. Include it behind tap.h. */
#ifndef FT_TEST_DEAD_H
#define FT_TEST_DEAD_H

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before there are threads. -1: it cannot be made here. */
static int dead_mount(const char *place)
{
	char options[96];

	(void)mkdir(place, 0755);
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	(void)snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (fd >= 0 && !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	    !mount("dead", place, "fuse", MS_NOSUID | MS_NODEV, options))
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

/* Who waits for it is told that it is gone. */
static void dead_end(int fd, const char *place)
{
	(void)close(fd);
	(void)umount2(place, MNT_DETACH);
}

#endif
