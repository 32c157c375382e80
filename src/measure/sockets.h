/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sockets.h - bytes of the TCP sockets of some processes, from the kernel's sock_diag; for the helper and the library. */
#ifndef FT_MEASURE_SOCKETS_H
#define FT_MEASURE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ft__socket {
	uint64_t cookie; /* the kernel's own name of it; 0: it was in no list yet */
	uint64_t sent_bytes, received_bytes;
	uint32_t inode;
	unsigned look; /* the last that saw it */
	bool gone;
};

struct ft__sockets {
	struct ft__socket *socket; /* [n] all that were added */
	size_t n, capacity;
	int file, ends; /* -1: the kernel announces no ends */
	int error;      /* errno of the first refusal; 0: none */
	unsigned look;
};

/* ft__sockets_open - returns 0, or the errno of what the kernel refuses; ends with ft__sockets_close in any case. */
int ft__sockets_open(struct ft__sockets *sockets);
void ft__sockets_close(struct ft__sockets *sockets);

/* ft__sockets_add - a descriptor of a process is socket:[inode]; it may be of any kind. */
void ft__sockets_add(struct ft__sockets *sockets, uint32_t inode);

/* ft__sockets_look - read the counters of those that were added. Cost: a message for each TCP socket of the machine. */
void ft__sockets_look(struct ft__sockets *sockets);

/* ft__sockets_sum - look again, after their processes have ended, and add up. */
void ft__sockets_sum(struct ft__sockets *sockets, uint64_t *sent_bytes, uint64_t *received_bytes);

/* ft__sockets_take - what the kernel sent. gone: of sockets that are destroyed. Returns whether more follows. */
bool ft__sockets_take(struct ft__sockets *sockets, const void *bytes, size_t length, bool gone);

#endif
