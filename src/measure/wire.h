/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - whole blocks over a stream socket. Both are false when the other side is gone. */
#ifndef FT_MEASURE_WIRE_H
#define FT_MEASURE_WIRE_H

#include <stdbool.h>
#include <stddef.h>

bool ft__wire_receive(int socket, void *bytes, size_t length);
bool ft__wire_send(int socket, const void *bytes, size_t length);

#endif
