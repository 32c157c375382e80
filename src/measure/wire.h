/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - whole blocks, and descriptors, over a stream socket. All are false when the other side is gone. */
#ifndef FT_MEASURE_WIRE_H
#define FT_MEASURE_WIRE_H

#include <stdbool.h>
#include <stddef.h>

bool ft__wire_receive(int socket, void *bytes, size_t length);
bool ft__wire_send(int socket, const void *bytes, size_t length);

/* ft__wire_send_file - a descriptor, beside one byte. ft__wire_receive_file - take it in: the caller's to
 * close; -1: there was no room for it. */
bool ft__wire_send_file(int socket, int file);
bool ft__wire_receive_file(int socket, int *file);

#endif
