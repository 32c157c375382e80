/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.h - tell who started us how it goes. */
#ifndef FT_MANAGER_NOTIFY_H
#define FT_MANAGER_NOTIFY_H

/* ft__notify - sd_notify(3): "READY=1", "STOPPING=1", "RELOADING=1\nMONOTONIC_USEC=..."; nothing where nobody
 * asked for it by NOTIFY_SOCKET. */
void ft__notify(const char *text);

#endif
