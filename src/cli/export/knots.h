/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.h - writes requests for all sizes as a file of knots. */
#ifndef FT_CLI_EXPORT_KNOTS_H
#define FT_CLI_EXPORT_KNOTS_H

#endif
