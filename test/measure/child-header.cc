/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-header.cc - foretime-probe.h as C++. */
#include "child-header.c"
