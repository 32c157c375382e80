/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyser.h - what clang's analyser cannot see across files: a failure is never FT_OK. Included by
 * tools/check-tidy before every file but status.c. */
#ifndef FT_TOOLS_ANALYSER_H
#define FT_TOOLS_ANALYSER_H

#if __has_include("foretime/base.h") /* a plugin of qemu has nothing of the library */
#include "foretime/base.h"

#define ft_nomem(err)                   ((void)ft_nomem(err), FT_ENOMEM)
#define ft_fail(err, status, ...)       ((void)ft_fail(err, status, __VA_ARGS__), status)
#define ft_remedy(err, ...)             ((void)ft_remedy(err, __VA_ARGS__), FT_EINVAL)
#define ft_fail_errno(err, number, ...) ((void)ft_fail_errno(err, number, __VA_ARGS__), FT_EIO)

#endif
#endif
